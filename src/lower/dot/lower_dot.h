// The interface between lower_dot.c (fragments) and lower_mma.c (one instruction).
#ifndef TKC_LOWER_DOT_LOWER_DOT_H
#define TKC_LOWER_DOT_LOWER_DOT_H

#include "lower/lower_internal.h"
#include "chip/mma.h"
#include "support/strbuf.h"

// A fragment's registers as arguments of its instruction.
struct mma_arguments {
    unsigned count;
    LLVMValueRef at[8];
};

// The call of the row's instruction: the types of its parameters, from the intrinsic or the assembly snippet.
struct mma_call {
    const struct mma *mma;
    LLVMValueRef function;
    LLVMTypeRef type, result;
    unsigned parameter_count;
    LLVMTypeRef parameter[24];
    unsigned first[MMA_OPERANDS],
        count[MMA_OPERANDS]; // parameters for each operand; i1 flags may stand between
};

struct mma_call mma_call_prepare(struct lowering *l, const struct mma *mma);
// Packs the elements of one fragment, mma_registers of them; operands are the instruction's (mma_slot).
struct mma_arguments mma_pack(struct lowering *l, const struct mma_call *call, enum mma_operand operand,
                              const LLVMValueRef *elements);
// d = a·b + c; `elements` of c are replaced by those of d. `scales`: a word of A's and one of B's, or NULL.
void mma_emit(struct lowering *l, const struct mma_call *call, const struct mma_arguments *a,
              const struct mma_arguments *b, const LLVMValueRef scales[2], LLVMValueRef *elements);

// The layout ahead of an order of one of its dimension's bits, which the dot's attribute has.
const struct layout *lower_undo_order(struct lowering *l, MlirOperation op, enum attribute_name name,
                                      const struct layout *layout, unsigned dim);

// A call of composed assembly: rows of asm.def cannot hold hundreds of operands. Adds the memory clobber to the
// constraints.
LLVMValueRef lower_composed_call(struct lowering *l, const struct strbuf *text, struct strbuf *constraints,
                                 LLVMTypeRef result, LLVMValueRef *args, unsigned count);
LLVMTypeRef lower_registers_type(struct lowering *l, LLVMTypeRef element, unsigned count); // a struct

#endif
