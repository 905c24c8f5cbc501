// Cluster launch control (PTX ISA 9.0, 9.7.13.17): a block asks for the place of a waiting block, or cluster.
//
// The answer comes to shared memory beside the program, like a bulk copy: its 16 bytes count at an mbarrier. All threads of a warp read
// it, and one lane hands the result to the others: so ptxas sees them take the same way on. The next answer to this place is
// written beside the program again, so each reader's fence stands ahead of its arrival.
//
// In a cluster the even block's answer goes to both, at equal offsets, and both expect it.
#include "lower/lower_internal.h"

static LLVMValueRef address_of(struct lowering *l, LLVMValueRef offset) {
    return LLVMBuildPtrToInt(l->b, lower_shared_address(l, offset), l->i32, "");
}

void lower_launch_answers(struct lowering *l, MlirOperation op) {
    if (!op_has(op, ATTR_OFFSET)) {
        bug("answers without an offset");
    }
    lower_result(l, op, 0)->at[0] = lower_i32(l, (uint32_t)op_int(op, ATTR_OFFSET));
}

void lower_launch_ask(struct lowering *l, MlirOperation op) {
    bool pair = op_has(op, ATTR_PAIR);
    LLVMValueRef yes = LLVMConstInt(l->i1, 1, 0),
                 barrier = address_of(l, lower_scalar(l, launch_ask_barrier(op)));
    LLVMValueRef expect[] = {barrier, lower_i32(l, LAUNCH_ANSWER_BYTES), yes};
    LLVMValueRef ask[] = {address_of(l, lower_scalar(l, launch_ask_answer(op))), barrier, yes};
    asm_call(l, ASM_MBARRIER_EXPECT, l->void_type, expect, 3);
    if (pair) {
        LLVMValueRef odd = LLVMBuildAnd(l->b, lower_vendor(l)->program_id(l, 0), lower_i32(l, 1), "");
        ask[2] = LLVMBuildICmp(l->b, LLVMIntEQ, odd, lower_i32(l, 0), "");
    }
    asm_call(l, pair ? ASM_LAUNCH_ASK_PAIR : ASM_LAUNCH_ASK, l->void_type, ask, 3);
}

// Each warp, or the only thread, arrives at the barrier of free answers if there will be another one.
static void release(struct lowering *l, MlirOperation op, LLVMValueRef given) {
    LLVMValueRef first = LLVMBuildICmp(l->b, LLVMIntEQ, lower_lane(l), lower_i32(l, 0), "");
    LLVMValueRef args[] = {address_of(l, lower_scalar(l, launch_read_barrier(op))),
                           LLVMBuildAnd(l->b, first, given, "")};
    bool pair = op_has(op, ATTR_PAIR);
    if (pair) {
        LLVMValueRef mapped[] = {args[0], lower_i32(l, 0)};
        args[0] = asm_call(l, ASM_MAP_ADDRESS, l->i32, mapped, 2);
    }
    asm_call(l, ASM_FENCE_PROXY_ASYNC, l->void_type, NULL, 0);
    if (!l->alone) {
        INTRINSIC(l, "llvm.nvvm.bar.warp.sync", lower_i32(l, ~0u));
    }
    asm_call(l, pair ? ASM_MBARRIER_ARRIVE_CLUSTER : ASM_MBARRIER_ARRIVE, l->void_type, args, 2);
}

void lower_launch_read(struct lowering *l, MlirOperation op) {
    enum { NUMBERS = 4 };
    LLVMValueRef address = address_of(l, lower_scalar(l, launch_read_answer(op)));
    LLVMTypeRef types[NUMBERS] = {l->i32, l->i32, l->i32, l->i32};
    LLVMTypeRef type = LLVMStructTypeInContext(l->context, types, NUMBERS, 0);
    LLVMValueRef answer = asm_call(l, ASM_LAUNCH_READ, type, &address, 1), numbers[NUMBERS];
    for (unsigned i = 0; i < NUMBERS; i++) {
        numbers[i] = LLVMBuildExtractValue(l->b, answer, i, "");
        if (!l->alone && value_has_uses(mlirOperationGetResult(op, i))) {
            numbers[i] = lower_shuffle_index(l, numbers[i], lower_i32(l, 0));
        }
    }
    numbers[0] = LLVMBuildICmp(l->b, LLVMIntNE, numbers[0], lower_i32(l, 0), "");
    release(l, op, numbers[0]);
    for (unsigned i = 0; i < NUMBERS; i++) {
        lower_result(l, op, i)->at[0] = numbers[i];
    }
}
