// Inline assembly: every snippet is a row of asm.def, and asm_call is the only way to emit one. Tools (the
// emulator) bind a snippet by its text and constraints, so both are constants here, never composed.
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

// ASM_VALUE: a function of its operands, of each lane alone. ASM_PURE: no side effects. ASM_MEMORY: has side effects and clobbers memory; ASM_TOGETHER: besides, all lanes of a warp run it together.
enum asm_effects { ASM_VALUE, ASM_PURE, ASM_MEMORY, ASM_TOGETHER };

struct asm_row {
    const char *name;
    enum vendor vendor;
    const char *text, *constraints; // memory clobbers are added to the constraints where effects say so
    enum asm_effects effects;
    const char *doc;
};

extern const struct asm_row asm_table[ASM_COUNT];

// The full constraint string of a row, as the module holds it.
const char *asm_constraints(enum asm_id id, char *buffer, unsigned size);

// Whether an atomic on a tile acts on neighbours at once: floats are added so from sm_90 on, where nobody asks for the old values.
bool atomic_adds_vectors(struct ir *ir, const struct target *target, MlirOperation op);

// The call-site attribute of the program's own assembly, which is no row of the table.
#define ASM_OF_PROGRAM "tkc-assembly-of-program"

#endif
