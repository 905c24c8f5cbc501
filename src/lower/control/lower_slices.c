// Sums of slices: groups of warps that take turns in the steps of a tile, each with a sum of its own (specialise_slices.c).
//
//   every slice                                   the first slice
//     bar.sync all slices   the buffer is free
//     but the first: st.shared.v4 its elements
//     bar.sync all slices   the sums are there      ld.shared.v4 of each other slice, and an addition
//
// A thread of the first slice reads what the thread with its number wrote: four elements at once, threads side by side, without
// conflicts of banks and whatever the layout.
#include "lower/lower_internal.h"

enum { PIECE = 4, WORD = 4 }; // elements of an access; bytes of one

void lower_slice(struct lowering *l, MlirOperation op) {
    lower_result(l, op, 0)->at[0] = l->slice;
}

static void meet(struct lowering *l) {
    unsigned warps = l->num_warps * (unsigned)op_int(l->kernel, ATTR_SLICES);
    LLVMValueRef args[] = {lower_i32(l, SLICES_BARRIER), lower_i32(l, warps * l->target->warp_size)};
    asm_call(l, ASM_BARRIER_SYNC, l->void_type, args, 2);
}

// The address of this thread's piece in a stage of the buffer.
static LLVMValueRef piece_at(struct lowering *l, LLVMValueRef stage, unsigned piece) {
    unsigned threads = l->num_warps * l->target->warp_size;
    LLVMValueRef own = LLVMBuildMul(l->b, l->thread, lower_i32(l, PIECE * WORD), "");
    LLVMValueRef place = LLVMBuildAdd(l->b, stage, own, "");
    return lower_shared_address(
        l, LLVMBuildAdd(l->b, place, lower_i32(l, piece / PIECE * threads * PIECE * WORD), ""));
}

static LLVMValueRef stage_at(struct lowering *l, MlirValue buffer, LLVMValueRef number, unsigned elements) {
    unsigned bytes = elements * l->num_warps * l->target->warp_size * WORD;
    return LLVMBuildAdd(l->b, lower_scalar(l, buffer), LLVMBuildMul(l->b, number, lower_i32(l, bytes), ""),
                        "");
}

static unsigned length_of(unsigned elements, unsigned piece) {
    return elements - piece < PIECE ? elements - piece : PIECE;
}

void lower_slices_give(struct lowering *l, MlirOperation op) {
    const struct values *tile = lower_values(l, slices_give_tile(op));
    unsigned elements = layout_registers(lower_layout(l, slices_give_tile(op)));
    meet(l);
    LLVMValueRef first = LLVMBuildICmp(l->b, LLVMIntEQ, l->slice, lower_i32(l, 0), "");
    struct lower_if branch = lower_if_begin(l, LLVMBuildNot(l->b, first, ""));
    LLVMValueRef number = LLVMBuildSub(l->b, l->slice, lower_i32(l, 1), "");
    LLVMValueRef stage = stage_at(l, slices_give_buffer(op), number, elements);
    for (unsigned i = 0; i < elements; i += PIECE) {
        lower_shared_write(l, piece_at(l, stage, i), tile->at + i, length_of(elements, i), NULL);
    }
    lower_if_end(l, &branch);
    meet(l);
}

void lower_slices_take(struct lowering *l, MlirOperation op) {
    const struct values *tile = lower_values(l, slices_take_tile(op));
    unsigned elements = layout_registers(lower_layout(l, slices_take_tile(op)));
    unsigned others = (unsigned)op_int(l->kernel, ATTR_SLICES) - 1;
    struct values *sum = lower_result(l, op, 0);
    LLVMTypeRef type = LLVMTypeOf(tile->at[0]);
    for (unsigned i = 0; i < elements; i++) {
        sum->at[i] = tile->at[i];
    }
    for (unsigned other = 0; other < others; other++) {
        LLVMValueRef stage = stage_at(l, slices_take_buffer(op), lower_i32(l, other), elements);
        for (unsigned i = 0; i < elements; i += PIECE) {
            LLVMValueRef piece[PIECE];
            unsigned length = length_of(elements, i);
            lower_shared_read(l, piece_at(l, stage, i), type, length, piece);
            for (unsigned j = 0; j < length; j++) {
                LLVMValueRef *at = &sum->at[i + j];
                *at = type == l->f32 ? LLVMBuildFAdd(l->b, *at, piece[j], "")
                                     : LLVMBuildAdd(l->b, *at, piece[j], "");
            }
        }
    }
}
