// Inline assembly: every snippet is a row of asm.def, emitted only by asm_call. The emulator recognises a
// snippet by its text and constraints, so both are constants, never composed.
#ifndef TKC_CHIP_ASM_H
#define TKC_CHIP_ASM_H

#include <stdbool.h>
#include <mlir-c/IR.h>

#include "chip/target.h"
#include "ir/context.h"

enum asm_id {
#define ASM(id, vendor, text, constraints, effects, doc) ASM_##id,
#include "chip/asm.def"
#undef ASM
    ASM_COUNT
};

// ASM_VALUE: a function of its operands, lane by lane. ASM_PURE: no side effects. ASM_KEPT: none but its place. ASM_MEMORY: side effects,
// and a memory clobber. ASM_TOGETHER: ASM_MEMORY, and all lanes of a warp run it together.
enum asm_effects { ASM_VALUE, ASM_PURE, ASM_KEPT, ASM_MEMORY, ASM_TOGETHER };

struct asm_row {
    const char *name;
    enum vendor vendor;
    const char *text, *constraints; // without the memory clobber of `effects`
    enum asm_effects effects;
    const char *doc;
};

extern const struct asm_row asm_table[ASM_COUNT];

// The full constraint string of a row, as in the module.
const char *asm_constraints(enum asm_id id, char *buffer, unsigned size);

// True if an atomic on a tile acts on several neighbours in one instruction, each of them alone: relaxed loads and
// stores of 32 and 64 bits; additions of floats from sm_90 on, if the old values are unused.
bool atomic_takes_vectors(struct ir *ir, const struct target *target, MlirOperation op);

// The call-site attribute of assembly in the program's source, outside the table.
#define ASM_OF_PROGRAM "tkc-assembly-of-program"
// The flag of modules with lines for .loc directives of PTX.
#define LINES_FLAG "tkc_lines"

#endif
