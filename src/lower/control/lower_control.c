// Control flow: scf.for as a guarded, rotated loop (test once before, then at the bottom), scf.if, scf.while.
// A tile live across a join is one phi for each register.
#include "lower/lower_internal.h"
#include "chip/mma.h"
#include "chip/scratch.h"

static LLVMBasicBlockRef new_block(struct lowering *l) {
    return LLVMAppendBasicBlockInContext(l->context, l->function, "");
}

// All registers of several values in one list.
struct bundle {
    unsigned count;
    LLVMValueRef *at;
};

static struct bundle bundle_operands(struct lowering *l, MlirOperation op, intptr_t first) {
    struct bundle bundle = {0};
    intptr_t operands = mlirOperationGetNumOperands(op);
    for (intptr_t i = first; i < operands; i++) {
        bundle.count += lower_operand(l, op, i)->count;
    }
    bundle.at = ARENA_ARRAY(l->arena, LLVMValueRef, bundle.count + 1);
    unsigned next = 0;
    for (intptr_t i = first; i < operands; i++) {
        struct values *values = lower_operand(l, op, i);
        for (unsigned r = 0; r < values->count; r++) {
            bundle.at[next++] = values->at[r];
        }
    }
    return bundle;
}

// Phis at the builder's place, one for each entry of `like`, with `from` as the first incoming block.
static struct bundle bundle_phis(struct lowering *l, const struct bundle *like, LLVMBasicBlockRef from) {
    struct bundle phis = {like->count, ARENA_ARRAY(l->arena, LLVMValueRef, like->count + 1)};
    for (unsigned i = 0; i < like->count; i++) {
        LLVMValueRef value = like->at[i];
        phis.at[i] = LLVMBuildPhi(l->b, LLVMTypeOf(value), "");
        LLVMAddIncoming(phis.at[i], &value, &from, 1);
    }
    return phis;
}

static void bundle_incoming(const struct bundle *phis, const struct bundle *values, LLVMBasicBlockRef from) {
    if (phis->count != values->count) {
        bug("values joined by control flow have different layouts");
    }
    for (unsigned i = 0; i < phis->count; i++) {
        LLVMAddIncoming(phis->at[i], &values->at[i], &from, 1);
    }
}

// Accumulators of AMD's matrix instructions are vectors of consecutive registers. With one phi for each
// vector they stay in place around a loop; as scalars they would be unpacked and packed in every iteration,
// and LLVM's register allocator would not coalesce the copies. width[i] is the width of the vector starting
// at entry i, 0 inside one.
static unsigned *accumulator_widths(struct lowering *l, MlirOperation yield, unsigned count) {
    unsigned *width = ARENA_ARRAY(l->arena, unsigned, count + 1), next = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
        MlirValue value = mlirOperationGetOperand(yield, i);
        MlirOperation made = value_op(value);
        unsigned registers = lower_register_count(l, mlirValueGetType(value)), together = 1;
        if (lower_vendor(l)->sums_are_vectors && !mlirOperationIsNull(made) &&
            op_kind(l->ir, made) == OP_DOT && op_has(made, ATTR_INSTRUCTION)) {
            MlirStringRef name = op_string(made, ATTR_INSTRUCTION);
            const struct mma *mma = mma_find(name.data, name.length);
            together = mma ? mma_registers(mma, MMA_C) : 1;
        }
        for (unsigned r = 0; r < registers; r++) {
            width[next++] = registers % together ? 1 : r % together ? 0 : together;
        }
    }
    return width;
}

static struct bundle bundle_join(struct lowering *l, const struct bundle *scalars, const unsigned *width) {
    struct bundle joined = {0, ARENA_ARRAY(l->arena, LLVMValueRef, scalars->count + 1)};
    for (unsigned i = 0; i < scalars->count; i++) {
        if (width[i] == 1) {
            joined.at[joined.count++] = scalars->at[i];
        } else if (width[i] > 1) {
            LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(scalars->at[i]), width[i]));
            for (unsigned e = 0; e < width[i]; e++) {
                vector = LLVMBuildInsertElement(l->b, vector, scalars->at[i + e], lower_i32(l, e), "");
            }
            joined.at[joined.count++] = vector;
        }
    }
    return joined;
}

static struct bundle bundle_split(struct lowering *l, const struct bundle *joined, const unsigned *width,
                                  unsigned count) {
    struct bundle scalars = {count, ARENA_ARRAY(l->arena, LLVMValueRef, count + 1)};
    unsigned from = 0;
    for (unsigned i = 0; i < count; i++) {
        if (width[i] == 1) {
            scalars.at[i] = joined->at[from++];
        } else if (width[i] > 1) {
            LLVMValueRef vector = joined->at[from++];
            for (unsigned e = 0; e < width[i]; e++) {
                scalars.at[i + e] = LLVMBuildExtractElement(l->b, vector, lower_i32(l, e), "");
            }
        }
    }
    return scalars;
}

static unsigned bind_from(struct lowering *l, MlirValue value, const struct bundle *bundle, unsigned next) {
    struct values *values = lower_define(l, value);
    for (unsigned r = 0; r < values->count; r++) {
        values->at[r] = bundle->at[next++];
    }
    return next;
}

static void bind_results(struct lowering *l, MlirOperation op, const struct bundle *bundle) {
    unsigned next = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        next = bind_from(l, mlirOperationGetResult(op, i), bundle, next);
    }
}

static void bind_arguments(struct lowering *l, MlirBlock block, intptr_t first, const struct bundle *bundle) {
    unsigned next = 0;
    for (intptr_t i = first; i < mlirBlockGetNumArguments(block); i++) {
        next = bind_from(l, mlirBlockGetArgument(block, i), bundle, next);
    }
}

// The loop goes on while index + step < upper. If this sum could overflow, the unsigned difference upper -
// index, always exact, is compared with the step.
static LLVMValueRef goes_on(struct lowering *l, LLVMValueRef index, LLVMValueRef next, LLVMValueRef upper,
                            LLVMValueRef step) {
    int64_t largest = INT64_MAX >> (64 - LLVMGetIntTypeWidth(LLVMTypeOf(index)));
    int64_t by = LLVMIsAConstantInt(step) ? LLVMConstIntGetSExtValue(step) : 0;
    int64_t end = LLVMIsAConstantInt(upper) ? LLVMConstIntGetSExtValue(upper) : largest;
    if (by > 0 && end <= largest - by + 1) {
        return LLVMBuildICmp(l->b, LLVMIntSLT, next, upper, "");
    }
    return LLVMBuildICmp(l->b, LLVMIntUGT, LLVMBuildSub(l->b, upper, index, ""), step, "");
}

// scf.for compares signed; the language's loops count up (the front end turns negative steps round).
void lower_for(struct lowering *l, MlirOperation op) {
    MlirBlock body = op_body(op, 0);
    LLVMValueRef lower = lower_scalar(l, for_lower(op)), upper = lower_scalar(l, for_upper(op));
    LLVMValueRef step = lower_scalar(l, for_step(op));
    struct bundle scalars = bundle_operands(l, op, at_for_init);
    unsigned *width = accumulator_widths(l, mlirBlockGetTerminator(body), scalars.count);
    struct bundle inits = bundle_join(l, &scalars, width);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(l->b), loop = new_block(l), after = new_block(l);
    LLVMBuildCondBr(l->b, LLVMBuildICmp(l->b, LLVMIntSLT, lower, upper, ""), loop, after);

    LLVMPositionBuilderAtEnd(l->b, loop);
    LLVMValueRef index = LLVMBuildPhi(l->b, LLVMTypeOf(lower), "");
    LLVMAddIncoming(index, &lower, &before, 1);
    struct bundle carried = bundle_phis(l, &inits, before);
    lower_define(l, mlirBlockGetArgument(body, 0))->at[0] = index;
    struct bundle arguments = bundle_split(l, &carried, width, scalars.count);
    bind_arguments(l, body, 1, &arguments);
    MlirOperation yield = lower_block(l, body);
    struct bundle yielded_scalars = bundle_operands(l, yield, 0);
    struct bundle yielded = bundle_join(l, &yielded_scalars, width);
    LLVMValueRef next = LLVMBuildNSWAdd(l->b, index, step, "");
    LLVMValueRef again = goes_on(l, index, next, upper, step);
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(l->b);
    LLVMBuildCondBr(l->b, again, loop, after);
    LLVMAddIncoming(index, &next, &latch, 1);
    bundle_incoming(&carried, &yielded, latch);

    LLVMMoveBasicBlockAfter(after, latch);
    LLVMPositionBuilderAtEnd(l->b, after);
    struct bundle joined = bundle_phis(l, &inits, before);
    bundle_incoming(&joined, &yielded, latch);
    struct bundle results = bundle_split(l, &joined, width, scalars.count);
    bind_results(l, op, &results);
}

void lower_if_op(struct lowering *l, MlirOperation op) {
    LLVMValueRef condition = lower_scalar(l, if_condition(op));
    MlirBlock else_body = op_body(op, 1);
    bool has_else = !mlirBlockIsNull(else_body);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(l->b);
    LLVMBasicBlockRef then_block = new_block(l), else_block = has_else ? new_block(l) : NULL,
                      after = new_block(l);
    LLVMBuildCondBr(l->b, condition, then_block, has_else ? else_block : after);

    LLVMPositionBuilderAtEnd(l->b, then_block);
    struct bundle from_then = bundle_operands(l, lower_block(l, op_body(op, 0)), 0), from_else = {0};
    LLVMBasicBlockRef then_end = LLVMGetInsertBlock(l->b), else_end = before;
    LLVMBuildBr(l->b, after);
    if (has_else) {
        LLVMMoveBasicBlockAfter(else_block, then_end);
        LLVMPositionBuilderAtEnd(l->b, else_block);
        from_else = bundle_operands(l, lower_block(l, else_body), 0);
        else_end = LLVMGetInsertBlock(l->b);
        LLVMBuildBr(l->b, after);
    }
    LLVMMoveBasicBlockAfter(after, LLVMGetLastBasicBlock(l->function));
    LLVMPositionBuilderAtEnd(l->b, after);
    if (mlirOperationGetNumResults(op) > 0) {
        struct bundle results = bundle_phis(l, &from_then, then_end);
        bundle_incoming(&results, &from_else, else_end);
        bind_results(l, op, &results);
    }
}

static void lower_turns(struct lowering *l, MlirOperation op) {
    MlirBlock before_body = op_body(op, 0), after_body = op_body(op, 1);
    struct bundle inits = bundle_operands(l, op, 0);
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(l->b);
    LLVMBasicBlockRef test = new_block(l), loop = new_block(l), after = new_block(l);
    LLVMBuildBr(l->b, test);

    LLVMPositionBuilderAtEnd(l->b, test);
    struct bundle carried = bundle_phis(l, &inits, entry);
    bind_arguments(l, before_body, 0, &carried);
    MlirOperation condition = lower_block(l, before_body);
    struct bundle forwarded = bundle_operands(l, condition, at_condition_value);
    LLVMBuildCondBr(l->b, lower_scalar(l, condition_flag(condition)), loop, after);

    LLVMMoveBasicBlockAfter(loop, LLVMGetLastBasicBlock(l->function));
    LLVMPositionBuilderAtEnd(l->b, loop);
    bind_arguments(l, after_body, 0, &forwarded);
    struct bundle yielded = bundle_operands(l, lower_block(l, after_body), 0);
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(l->b);
    LLVMBuildBr(l->b, test);
    bundle_incoming(&carried, &yielded, latch);

    LLVMMoveBasicBlockAfter(after, LLVMGetLastBasicBlock(l->function));
    LLVMPositionBuilderAtEnd(l->b, after);
    bind_results(l, op, &forwarded);
}

// The place of a result's number in the scratch of its loop, and its type there.
static LLVMValueRef number_place(struct lowering *l, MlirOperation loop, unsigned index, LLVMTypeRef *type) {
    *type = *type == l->i1 ? l->i8 : *type;
    LLVMValueRef start = lower_scratch(l, loop);
    return lower_shared_address(l, LLVMBuildAdd(l->b, start, lower_i32(l, index * SCRATCH_NUMBER_BYTES), ""));
}

// Writes used results to the loop's scratch, or reads them from there. Returns their number.
static unsigned move_results(struct lowering *l, MlirOperation loop, bool write) {
    unsigned index = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirValue result = mlirOperationGetResult(loop, i);
        if (!value_has_uses(result)) {
            continue;
        }
        struct values *values = lower_values(l, result);
        LLVMTypeRef type = LLVMTypeOf(values->at[0]), kept = type;
        LLVMValueRef place = number_place(l, loop, index++, &kept), number = values->at[0];
        if (write) {
            number = kept == type ? number : LLVMBuildZExt(l->b, number, kept, "");
            lower_shared_write(l, place, &number, 1, NULL);
        } else {
            lower_shared_read(l, place, kept, 1, &number);
            values->at[0] = kept == type ? number : LLVMBuildTrunc(l->b, number, type, "");
        }
    }
    return index;
}

// One thread runs the loop and writes its results to scratch for the others (passes/latency/lone_loops.c).
static void lower_lone(struct lowering *l, MlirOperation op) {
    LLVMValueRef first = lower_owner(l, NULL);
    struct lower_if branch = lower_if_begin(l, first);
    l->alone = true;
    lower_turns(l, op);
    unsigned results = move_results(l, op, true);
    l->alone = false;
    LLVMMoveBasicBlockAfter(branch.end, LLVMGetLastBasicBlock(l->function));
    lower_if_end(l, &branch);
    if (results > 0) {
        lower_barrier(l);
        move_results(l, op, false);
    }
}

void lower_while(struct lowering *l, MlirOperation op) {
    if (op_has(op, ATTR_ONE_THREAD)) {
        lower_lone(l, op);
        return;
    }
    lower_turns(l, op);
    if (op_has(op, ATTR_PROXY)) { // bulk copies read bytes behind the loop's wait
        asm_call(l, ASM_FENCE_PROXY_ASYNC_GLOBAL, l->void_type, NULL, 0);
    }
}
