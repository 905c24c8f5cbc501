// tk.specialise: the warps behind the kernel's own run the first region, on one thread unless they gather; the
// kernel's own warps run the second, and a warp behind the producer's the third, if there is one. setmaxnreg moves registers from one role to the other,
// unless the producer is one warp.
#include "chip/registers.h"
#include "lower/lower_internal.h"

static void set_registers(struct lowering *l, enum asm_id id, unsigned registers) {
    LLVMValueRef count = lower_i32(l, registers);
    asm_call(l, id, l->void_type, &count, 1);
}

static bool is_loaded_by(struct lowering *l, MlirValue map) {
    for (MlirOpOperand use = mlirValueGetFirstUse(map); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        if (op_kind(l->ir, mlirOpOperandGetOwner(use)) == OP_BULK_LOAD) {
            return true;
        }
    }
    return false;
}

// The first copy by a map waits for the map: all maps are prefetched before the tiles' places are computed.
static void prefetch_maps(struct lowering *l) {
    MlirBlock body = op_body(l->kernel, 0);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
        MlirValue argument = mlirBlockGetArgument(body, i);
        if (type_is_tensor_map(mlirValueGetType(argument)) && is_loaded_by(l, argument)) {
            LLVMValueRef address = LLVMBuildPtrToInt(l->b, lower_scalar(l, argument), l->i64, "");
            asm_call(l, ASM_TENSOR_MAP_PREFETCH, l->void_type, &address, 1);
        }
    }
}

void lower_warpgroup(struct lowering *l, MlirOperation op) {
    enum { WARPS_BITS = 2 }; // of a warpgroup
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned bit = WARPS_BITS; bit < l->warp_bits; bit++) {
        basis[l->lane_bits + bit] = 1u << (bit - WARPS_BITS);
    }
    lower_result(l, op, 0)->at[0] = lower_warp_linear(l, basis);
}

// The producer's region on all of its threads, counted from 0; the first one starts the bulk copies.
static void lower_gathering(struct lowering *l, MlirBlock block, LLVMValueRef first) {
    LLVMValueRef thread = l->thread;
    struct linear_value *linear = l->linear;
    unsigned threads = (unsigned)op_int(l->kernel, ATTR_PRODUCER_WARPS) * l->target->warp_size;
    l->thread = LLVMBuildAnd(l->entry, thread, lower_i32(l, threads - 1), "");
    l->linear = NULL;
    l->leads = first;
    lower_block(l, block);
    l->leads = NULL;
    l->linear = linear;
    l->thread = thread;
}

// True in the warp behind the producer's, which starts products into tensor memory. The number of the warp comes from one lane:
// ptxas then keeps what the warp computes in uniform registers, as its instructions want.
static LLVMValueRef multiplies(struct lowering *l, unsigned threads) {
    unsigned lanes = l->target->warp_size, bits = (unsigned)__builtin_ctz(lanes);
    LLVMValueRef warp = LLVMBuildLShr(l->b, l->thread, lower_i32(l, bits), "");
    warp = lower_shuffle_index(l, warp, lower_i32(l, 0));
    return LLVMBuildICmp(l->b, LLVMIntEQ, warp, lower_i32(l, threads / lanes + 1), "");
}

// The adder's region, on the first thread of the warp behind the producer's.
static void lower_adder(struct lowering *l, MlirBlock block, unsigned threads) {
    LLVMValueRef own = lower_i32(l, threads + l->target->warp_size);
    struct lower_if branch = lower_if_begin(l, LLVMBuildICmp(l->b, LLVMIntEQ, l->thread, own, ""));
    l->part_turn = NULL;
    l->alone = true;
    lower_block(l, block);
    l->alone = false;
    lower_if_end(l, &branch);
}

static void lower_multiplier(struct lowering *l, MlirBlock block, LLVMValueRef condition) {
    struct lower_if branch = lower_if_begin(l, condition);
    l->tensor_turn = NULL;
    lower_block(l, block);
    lower_if_end(l, &branch);
}

// The consumers' region. Each slice runs it as if its threads were all, counted from 0; the number of the slice comes from one
// lane, so that ptxas knows that a warp's lanes agree on it.
static void lower_consumers(struct lowering *l, MlirBlock block, unsigned slices) {
    if (slices == 1) {
        lower_block(l, block);
        return;
    }
    LLVMValueRef thread = l->thread;
    struct linear_value *linear = l->linear;
    unsigned threads = l->num_warps * l->target->warp_size;
    LLVMValueRef number = LLVMBuildLShr(l->b, thread, lower_i32(l, (uint32_t)__builtin_ctz(threads)), "");
    l->slice = lower_shuffle_index(l, number, lower_i32(l, 0));
    l->thread = LLVMBuildAnd(l->entry, thread, lower_i32(l, threads - 1), "");
    l->linear = NULL;
    lower_block(l, block);
    l->slice = NULL;
    l->linear = linear;
    l->thread = thread;
}

void lower_specialise(struct lowering *l, MlirOperation op) {
    unsigned slices = (unsigned)op_int(l->kernel, ATTR_SLICES), warps = l->num_warps * slices;
    unsigned threads = warps * l->target->warp_size;
    struct registers_specialised registers = registers_specialised(
        l->target, warps, registers_producer(l->kernel), (unsigned)op_int(l->kernel, ATTR_PERSISTENT));
    asm_call(l, ASM_MBARRIER_FENCE_INIT, l->void_type, NULL, 0);
    if (op_int(l->kernel, ATTR_CLUSTER) > 1) { // the other block uses this one's mbarriers
        asm_call(l, ASM_CLUSTER_MEET, l->void_type, NULL, 0);
    } else {
        lower_barrier(l);
    }
    LLVMValueRef produces = LLVMBuildICmp(l->b, LLVMIntUGE, l->thread, lower_i32(l, threads), "");
    LLVMBasicBlockRef producer = LLVMAppendBasicBlockInContext(l->context, l->function, "producer");
    LLVMBasicBlockRef consumer = LLVMAppendBasicBlockInContext(l->context, l->function, "consumer");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMBuildCondBr(l->b, produces, producer, consumer);

    LLVMPositionBuilderAtEnd(l->b, producer);
    bool moves = registers.producer != registers.consumer;
    if (moves) {
        set_registers(l, ASM_SETMAXNREG_DEC, registers.producer);
    }
    bool adds = op_has(op, ATTR_ADDS);
    LLVMValueRef multiplier = mlirOperationGetNumRegions(op) > 2 && !adds ? multiplies(l, threads) : NULL;
    LLVMValueRef first = LLVMBuildICmp(l->b, LLVMIntEQ, l->thread, lower_i32(l, threads), "");
    struct lower_if branch = lower_if_begin(l, first);
    prefetch_maps(l);
    if (op_has(l->kernel, ATTR_GATHERS)) {
        lower_if_end(l, &branch);
        lower_gathering(l, op_body(op, 0), first);
    } else {
        l->alone = true;
        lower_block(l, op_body(op, 0));
        l->alone = false;
        lower_if_end(l, &branch);
    }
    if (multiplier) {
        lower_multiplier(l, op_body(op, 2), multiplier);
    }
    if (adds) {
        lower_adder(l, op_body(op, 2), threads);
    }
    LLVMBuildBr(l->b, end);

    LLVMPositionBuilderAtEnd(l->b, consumer);
    if (moves) {
        set_registers(l, ASM_SETMAXNREG_INC, registers.consumer);
    }
    l->specialised = true;
    l->tensor_turn = l->part_turn = NULL;
    lower_consumers(l, op_body(op, 1), slices);
    l->specialised = false;
    LLVMBuildBr(l->b, end);
    LLVMPositionBuilderAtEnd(l->b, end);
}
