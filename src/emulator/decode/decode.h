// Decoding of a function's values. Files use those to their right only:
// module → kernel → operation → assembly, intrinsic → registers → constant; kernel → flow, flight; assembly → wgmma, hopper, tcgen05.
#ifndef TKC_EMULATOR_DECODE_DECODE_H
#define TKC_EMULATOR_DECODE_DECODE_H

#include "chip/asm.h"
#include "emulator/machine/code.h"
#include "support/map.h"
#include "support/memory.h"
#include "support/strbuf.h"

struct decoder {
    struct emulator *emulator;
    struct kernel *kernel;
    struct map registers; // LLVMValueRef → offset + 1
    struct map blocks;    // LLVMBasicBlockRef → index + 1
    struct map addresses; // integer instructions that are part of an address
    LLVMValueRef at;      // the instruction being decoded
    struct strbuf *error; // non-empty after a refusal
};

// constant.c: bytes of a constant of any type, as it lies in memory (packed elements per component for
// registers).
bool constant_bits(struct emulator *emulator, LLVMValueRef value, unsigned __int128 *bits);
bool constant_memory(struct emulator *emulator, LLVMValueRef value, uint8_t *data, size_t size);

// registers.c
void decode_refuse(struct decoder *decoder, LLVMValueRef value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct shape decode_shape(struct decoder *decoder, LLVMTypeRef type); // of no aggregate
uint32_t decode_size(struct decoder *decoder, LLVMTypeRef type);      // register bytes of a value of any type
struct operand decode_operand(struct decoder *decoder, LLVMValueRef value);
uint32_t decode_result(struct decoder *decoder, LLVMValueRef value); // its register, allocated on first use
// The fields of a value of any type: one for a scalar or a vector, every innermost one for an aggregate;
// `reg` is the field's offset in the value's register. The array is the arena's.
const struct operand *decode_fields(struct decoder *decoder, LLVMTypeRef type, unsigned *count);
// The offset and type of the part named by the indices of an extractvalue or insertvalue.
uint32_t decode_part(struct decoder *decoder, LLVMTypeRef whole, LLVMValueRef value, LLVMTypeRef *part);
// The register of the value of which `value` renames a part. False if it is an operation of its own.
bool decode_alias(struct decoder *decoder, LLVMValueRef value, uint32_t *reg);
struct instr *decode_emit(struct decoder *decoder, LLVMValueRef value, exec_fn *exec, enum instr_kind kind);
// decode_emit gives the instruction an aggregate's whole register; this, one field or another register.
void decode_set_result(struct decoder *decoder, struct instr *in, struct operand result);
// Emits one call with all its operands.
struct instr *decode_call(struct decoder *decoder, LLVMValueRef call, exec_fn *exec, enum instr_kind kind,
                          bool blend);
// An instruction that is a row of asm.def.
struct assembly_row {
    enum asm_id id;
    exec_fn *exec;
    enum instr_kind kind;
    int64_t immediate;
};
// Emits the row whose text the call has, and gives its instruction. NULL: none of them.
struct instr *decode_row(struct decoder *decoder, LLVMValueRef call, const char *text,
                         const struct assembly_row rows[], size_t count, const struct assembly_row **found);
// One more element at the end of a kernel's array.
#define PUSH(kernel, array, count, capacity)                                                                 \
    ((kernel)->array =                                                                                       \
         memory_grown((kernel)->array, (kernel)->count, &(kernel)->capacity, sizeof *(kernel)->array),       \
     &(kernel)->array[(kernel)->count++])

// intrinsic.c: calls of functions; assembly.c: of inline assembly
void decode_intrinsic(struct decoder *decoder, LLVMValueRef call, const char *name);
void decode_assembly(struct decoder *decoder, LLVMValueRef call, const char *text, const char *constraints);

// operation.c: operations other than control flow and aliases
void decode_operation(struct decoder *decoder, LLVMValueRef value);

// flow.c: immediate post-dominators of the kernel's blocks.
void flow_post_dominators(struct kernel *kernel, const struct map *blocks);

// flight.c: after everything else of a kernel
void decode_flights(struct decoder *decoder);

// wgmma.c: false: the text is neither a warpgroup's product nor its wait
bool decode_wgmma(struct decoder *decoder, LLVMValueRef call, const char *text);

// hopper.c: false: the text is no row of asm.def's section "Hopper" with an operation of its own here
bool decode_hopper(struct decoder *decoder, LLVMValueRef call, const char *text);

// tcgen05.c: false: the text is none of tensor memory's
bool decode_tcgen05(struct decoder *decoder, LLVMValueRef call, const char *text, const char *constraints);

// kernel.c
struct kernel *decode_kernel(struct emulator *emulator, LLVMValueRef function, struct strbuf *error);

#endif
