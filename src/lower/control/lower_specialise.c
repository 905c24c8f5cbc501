// tk.specialise: warps behind the kernel's own take the first region, on one thread; the kernel's own take the second.
//
// Registers move from the one role to the other (setmaxnreg): all warpgroups are launched with an equal share of the
// 65,536 of a multiprocessor, the producer keeps few, and each consumer takes an equal part of the rest, in eights.
#include "lower/lower_internal.h"

enum { WARPGROUP_WARPS = 4, PRODUCER_REGISTERS = 40, PRODUCER_REGISTERS_OF_MANY = 32, MOST_REGISTERS = 240 };

static void set_registers(struct lowering *l, enum asm_id id, unsigned registers) {
    LLVMValueRef count = lower_i32(l, registers);
    asm_call(l, id, l->void_type, &count, 1);
}

void lower_specialise(struct lowering *l, MlirOperation op) {
    unsigned threads = l->num_warps * l->target->warp_size, consumers = l->num_warps / WARPGROUP_WARPS;
    unsigned share = l->target->registers_per_sm / (threads + WARPGROUP_WARPS * l->target->warp_size) / 8 * 8;
    unsigned few = consumers >= 3 ? PRODUCER_REGISTERS_OF_MANY : PRODUCER_REGISTERS;
    unsigned many = (share * (consumers + 1) - few) / consumers / 8 * 8;
    many = many > MOST_REGISTERS ? MOST_REGISTERS : many;
    asm_call(l, ASM_MBARRIER_FENCE_INIT, l->void_type, NULL, 0);
    lower_barrier(l);
    LLVMValueRef produces = LLVMBuildICmp(l->b, LLVMIntUGE, l->thread, lower_i32(l, threads), "");
    LLVMBasicBlockRef producer = LLVMAppendBasicBlockInContext(l->context, l->function, "producer");
    LLVMBasicBlockRef consumer = LLVMAppendBasicBlockInContext(l->context, l->function, "consumer");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMBuildCondBr(l->b, produces, producer, consumer);

    LLVMPositionBuilderAtEnd(l->b, producer);
    set_registers(l, ASM_SETMAXNREG_DEC, few);
    LLVMValueRef first = LLVMBuildICmp(l->b, LLVMIntEQ, l->thread, lower_i32(l, threads), "");
    struct lower_if branch = lower_if_begin(l, first);
    lower_block(l, op_body(op, 0));
    lower_if_end(l, &branch);
    LLVMBuildBr(l->b, end);

    LLVMPositionBuilderAtEnd(l->b, consumer);
    set_registers(l, ASM_SETMAXNREG_INC, many);
    l->specialised = true;
    lower_block(l, op_body(op, 1));
    l->specialised = false;
    LLVMBuildBr(l->b, end);
    LLVMPositionBuilderAtEnd(l->b, end);
}
