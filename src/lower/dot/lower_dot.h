// What lower_dot.c (which fragments) and lower_mma.c (one instruction) share.
#ifndef TKC_LOWER_DOT_LOWER_DOT_H
#define TKC_LOWER_DOT_LOWER_DOT_H

#include "lower/lower_internal.h"
#include "chip/mma.h"

// A fragment's registers as the arguments of the instruction that takes it.
struct mma_arguments {
    unsigned count;
    LLVMValueRef at[8];
};

// How the row's instruction is called: types of its parameters, as the intrinsic or the assembly snippet has
// them.
struct mma_call {
    const struct mma *mma;
    LLVMValueRef function;
    LLVMTypeRef type, result;
    unsigned parameter_count;
    LLVMTypeRef parameter[24];
    unsigned first[MMA_OPERANDS],
        count[MMA_OPERANDS]; // parameters that carry each operand; i1 flags may stand between
};

struct mma_call mma_call_prepare(struct lowering *l, const struct mma *mma);
// Packs the elements of one fragment, mma_registers of them; operands are the instruction's (mma_slot).
struct mma_arguments mma_pack(struct lowering *l, const struct mma_call *call, enum mma_operand operand,
                              const LLVMValueRef *elements);
// d = a·b + c; `elements` of c are replaced by those of d.
void mma_emit(struct lowering *l, const struct mma_call *call, const struct mma_arguments *a,
              const struct mma_arguments *b, LLVMValueRef *elements);

#endif
