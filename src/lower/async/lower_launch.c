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
    if (!op_has(op, ATTR_TAKEN)) {
        asm_call(l, ASM_FENCE_PROXY_ASYNC, l->void_type, NULL, 0);
    }
    if (!l->alone) {
        INTRINSIC(l, "llvm.nvvm.bar.warp.sync", lower_i32(l, ~0u));
    }
    asm_call(l, pair ? ASM_MBARRIER_ARRIVE_CLUSTER : ASM_MBARRIER_ARRIVE, l->void_type, args, 2);
}

// ---- the launch's counter ----
//
// A table of the module has a place for each launch under way, of two words: the launch's number plus 1, with the count of passes above it, and
// the number of programs taken. Overlapping launches have different numbers (%gridid), also in CUDA graphs (H200: 14
// kinds of overlap). A block looks from the place of its launch's number on for a free place, or its launch's. It counts its pass at each
// other place, and a place with passes is not free. So all blocks of a launch end at the same place, whenever they come, and two launches never
// share a counter.
//
// Blocks begin with the programs of their own numbers, and each takes until no program is left. Then it counts itself above the
// programs, in the upper half of the counter. The last one gives all back: the table is as it was.
//
// A block begins to look as it begins its first program, and takes as the copies of a program have begun: a program taken sooner waits longer for
// its block (H200: 1.0 to 1.13 of the time).
//
// A free place was released behind the write of 0 to its counter, and is acquired, so the next launch in the place adds to 0.

enum { COUNTERS = 1024, COUNTER_BYTES = 16, OWNER_BITS = 44 };

static LLVMValueRef counters_of_module(struct lowering *l) {
    static const char name[] = "tkc_counters";
    LLVMValueRef counters = LLVMGetNamedGlobal(l->module, name);
    if (!counters) {
        LLVMTypeRef type = LLVMArrayType2(l->i8, COUNTERS * COUNTER_BYTES);
        counters = LLVMAddGlobalInAddressSpace(l->module, type, name, SPACE_GLOBAL);
        LLVMSetInitializer(counters, LLVMConstNull(type));
        LLVMSetLinkage(counters, LLVMInternalLinkage);
        LLVMSetAlignment(counters, COUNTER_BYTES);
    }
    return LLVMConstPtrToInt(counters, l->i64);
}

// The launch's number plus 1: not 0, and below 2 to the power of OWNER_BITS.
static LLVMValueRef launch_owner(struct lowering *l) {
    LLVMValueRef number = asm_call(l, ASM_LAUNCH_NUMBER, l->i64, NULL, 0);
    uint64_t mask = (UINT64_C(1) << (OWNER_BITS - 1)) - 1;
    number = LLVMBuildAnd(l->b, number, LLVMConstInt(l->i64, mask, 0), "");
    return LLVMBuildAdd(l->b, number, LLVMConstInt(l->i64, 1, 0), "");
}

static LLVMValueRef is_unknown(struct lowering *l, LLVMValueRef counter) {
    return LLVMBuildICmp(l->b, LLVMIntEQ, counter, LLVMConstInt(l->i64, 0, 0), "");
}

void lower_launch_look(struct lowering *l, MlirOperation op) {
    LLVMValueRef owner = launch_owner(l);
    LLVMValueRef last = LLVMConstInt(l->i64, COUNTERS - 1, 0), bytes = LLVMConstInt(l->i64, COUNTER_BYTES, 0);
    LLVMValueRef place = LLVMBuildMul(l->b, LLVMBuildAnd(l->b, owner, last, ""), bytes, "");
    place = LLVMBuildAdd(l->b, place, counters_of_module(l), "");
    LLVMValueRef args[] = {place, owner, is_unknown(l, lower_scalar(l, launch_look_counter(op)))};
    lower_result(l, op, 0)->at[0] = asm_call(l, ASM_LAUNCH_LOOK, l->i64, args, 3);
}

// The blocks that have a program, and so take others.
static LLVMValueRef takers_of(struct lowering *l, LLVMValueRef all) {
    LLVMValueRef blocks = lower_vendor(l)->num_programs(l, 0);
    LLVMValueRef fewer = LLVMBuildICmp(l->b, LLVMIntULT, all, blocks, "");
    return LLVMBuildSelect(l->b, fewer, all, blocks, "");
}

void lower_launch_take(struct lowering *l, MlirOperation op) {
    LLVMValueRef counter = lower_scalar(l, launch_take_counter(op));
    LLVMValueRef all = lower_scalar(l, launch_take_all(op)), many = lower_scalar(l, launch_take_many(op));
    LLVMValueRef unknown = is_unknown(l, counter);
    LLVMValueRef join[] = {counters_of_module(l), launch_owner(l), lower_scalar(l, launch_take_word(op)),
                           unknown};
    LLVMValueRef joined = asm_call(l, ASM_LAUNCH_JOIN, l->i64, join, 4);
    counter = LLVMBuildSelect(l->b, unknown, joined, counter, "");
    LLVMValueRef take[] = {counter, LLVMBuildZExt(l->b, many, l->i64, "")};
    LLVMValueRef taken = asm_call(l, ASM_LAUNCH_TAKE, l->i64, take, 2);
    taken = LLVMBuildTrunc(l->b, taken, l->i32, "");
    lower_result(l, op, 0)->at[0] = counter;
    lower_result(l, op, 1)->at[0] = LLVMBuildAdd(l->b, taken, takers_of(l, all), "");
}

void lower_launch_tell(struct lowering *l, MlirOperation op) {
    LLVMValueRef program = lower_scalar(l, launch_tell_program(op)),
                 given = lower_scalar(l, launch_tell_given(op));
    LLVMValueRef both = LLVMBuildZExt(l->b, program, l->i64, "");
    both = LLVMBuildShl(l->b, both, LLVMConstInt(l->i64, 32, 0), "");
    both = LLVMBuildOr(l->b, both, LLVMBuildZExt(l->b, given, l->i64, ""), "");
    LLVMBuildStore(l->b, both, lower_shared_address(l, lower_scalar(l, launch_tell_answer(op))));
    LLVMValueRef arrive[] = {address_of(l, lower_scalar(l, launch_tell_barrier(op))),
                             LLVMConstInt(l->i1, 1, 0)};
    asm_call(l, ASM_MBARRIER_ARRIVE, l->void_type, arrive, 2);
}

void lower_launch_leave(struct lowering *l, MlirOperation op) {
    LLVMValueRef takers = takers_of(l, lower_scalar(l, launch_leave_all(op)));
    LLVMValueRef leave[] = {counters_of_module(l), launch_owner(l), lower_scalar(l, launch_leave_counter(op)),
                            LLVMBuildZExt(l->b, takers, l->i64, "")};
    asm_call(l, ASM_LAUNCH_LEAVE, l->void_type, leave, 4);
}

// An answer of launch_tell: one load, so that the arrival, decided by the answer, comes behind it.
static void read_taken(struct lowering *l, MlirOperation op) {
    LLVMValueRef address = lower_shared_address(l, lower_scalar(l, launch_read_answer(op))), numbers[2];
    LLVMValueRef both = LLVMBuildLoad2(l->b, l->i64, address, "");
    LLVMSetVolatile(both, true);
    for (unsigned i = 0; i < 2; i++) {
        numbers[i] = LLVMBuildLShr(l->b, both, LLVMConstInt(l->i64, 32 * i, 0), "");
        numbers[i] = LLVMBuildTrunc(l->b, numbers[i], l->i32, "");
        if (!l->alone) {
            numbers[i] = lower_shuffle_index(l, numbers[i], lower_i32(l, 0));
        }
    }
    LLVMValueRef given = LLVMBuildICmp(l->b, LLVMIntNE, numbers[0], lower_i32(l, 0), "");
    release(l, op, given);
    for (unsigned i = 0; i < 4; i++) {
        lower_result(l, op, i)->at[0] = i == 0 ? given : i == 1 ? numbers[1] : lower_i32(l, 0);
    }
}

void lower_launch_read(struct lowering *l, MlirOperation op) {
    enum { NUMBERS = 4 };
    if (op_has(op, ATTR_TAKEN)) {
        read_taken(l, op);
        return;
    }
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
