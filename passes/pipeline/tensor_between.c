// Sums stay in tensor memory from one loop to the next (attention's steps without a mask, and those behind them).
//
//   %r = scf.if %c { %a = for …; yield %a } else { yield %zeros }
//   %t = scf.if %d { %b = for … iter_args(%r); yield %b } else { yield %r }
//
// If %r has no other use, both loops, and whoever reads %t, find the tile in the same columns: nobody loads %a, the zeros are
// stored where they were yielded, and %t is loaded behind the second branch. The values that were yielded are unwritten tiles.
#include "passes/pipeline/tensor_columns.h"

#include "ir/build.h"

enum { MOST_USES = 2 };

// What a carried tile becomes behind its loop: the loop's result, or that of its wait.
static MlirValue result_behind(struct ir *ir, MlirValue argument) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
    MlirValue result = mlirOperationGetResult(loop, mlirBlockArgumentGetArgNumber(argument) - 1);
    MlirOperation user =
        value_has_one_use(result) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result)) : loop;
    return op_kind(ir, user) == OP_DOT_WAIT ? mlirOperationGetResult(user, 0) : result;
}

// The branch around the argument's loop that yields the tile as its result *number, and nobody else uses it; null: there is none.
static MlirOperation branch_of(struct ir *ir, MlirValue argument, intptr_t *number) {
    MlirOperation none = {NULL}, loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
    MlirOperation branch = mlirOperationGetParentOperation(loop);
    MlirValue tile = result_behind(ir, argument);
    if (op_kind(ir, branch) != OP_IF || mlirOperationGetNumResults(branch) == 0 || !value_has_one_use(tile) ||
        !mlirBlockEqual(mlirOperationGetBlock(loop), op_body(branch, 0))) {
        return none;
    }
    MlirOperation yield = mlirBlockGetTerminator(op_body(branch, 0));
    *number = mlirOpOperandGetOperandNumber(mlirValueGetFirstUse(tile));
    return mlirOperationEqual(mlirOpOperandGetOwner(mlirValueGetFirstUse(tile)), yield) ? branch : none;
}

// True if `tile` goes on to the second loop and past it, and nowhere else.
static bool goes_to(MlirValue tile, const struct tensor_link *link, intptr_t number) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(link->to));
    MlirOperation past = mlirBlockGetTerminator(op_body(link->second, 1));
    bool starts = value_is(for_init(loop, mlirBlockArgumentGetArgNumber(link->to) - 1), tile);
    unsigned uses = 0;
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        uses++;
    }
    return starts && uses == MOST_USES && value_is(mlirOperationGetOperand(past, number), tile);
}

static bool link_of(struct ir *ir, MlirValue from, MlirValue to, struct tensor_link *link) {
    intptr_t at_first, at_second;
    *link = (struct tensor_link){.from = from, .to = to};
    link->first = branch_of(ir, from, &at_first);
    link->second = branch_of(ir, to, &at_second);
    if (mlirOperationIsNull(link->first) || mlirOperationIsNull(link->second) ||
        mlirOperationEqual(link->first, link->second) ||
        !mlirBlockEqual(mlirOperationGetBlock(link->first), mlirOperationGetBlock(link->second)) ||
        !goes_to(mlirOperationGetResult(link->first, at_first), link, at_second)) {
        return false;
    }
    link->otherwise = mlirOperationGetOperand(mlirBlockGetTerminator(op_body(link->first, 1)), at_first);
    link->result = mlirOperationGetResult(link->second, at_second);
    return true;
}

static MlirValue unwritten_before(struct ir *ir, MlirOperation op, MlirType type) {
    struct builder b = builder_before(ir, op);
    return VALUE(&b, OP_UNWRITTEN, NO_OPERANDS, RESULTS(type), NO_ATTRS);
}

// Yields an unwritten tile in the place of `tile`.
static void yield_nothing(struct ir *ir, MlirBlock block, MlirValue tile) {
    MlirOperation yield = mlirBlockGetTerminator(block);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
        if (value_is(mlirOperationGetOperand(yield, i), tile)) {
            mlirOperationSetOperand(yield, i, unwritten_before(ir, yield, mlirValueGetType(tile)));
        }
    }
}

static void rewrite(struct ir *ir, const struct tensor_link *link) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(link->to));
    MlirType type = mlirValueGetType(link->to);
    set_for_init(loop, mlirBlockArgumentGetArgNumber(link->to) - 1, unwritten_before(ir, loop, type));
    yield_nothing(ir, op_body(link->first, 0), result_behind(ir, link->from));
    yield_nothing(ir, op_body(link->first, 1), link->otherwise);
    yield_nothing(ir, op_body(link->second, 0), result_behind(ir, link->to));
}

// The arguments of loops that carry sums, each once.
static size_t carried_of(struct pass_context *context, MlirOperation *ops, size_t count, MlirValue *out) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        MlirValue argument = tensor_dot_is_pending(context->ir, ops[i])
                                 ? tensor_dot_carried(context->ir, ops[i])
                                 : (MlirValue){NULL};
        bool known = mlirValueIsNull(argument);
        for (size_t j = 0; j < found && !known; j++) {
            known = mlirValueEqual(out[j], argument);
        }
        if (!known) {
            out[found++] = argument;
        }
    }
    return found;
}

// A loop has one neighbour: pairs are looked for in the order of the program.
size_t tensor_links(struct pass_context *context, MlirOperation *ops, size_t count,
                    struct tensor_link **links) {
    MlirValue *carried = ARENA_ARRAY(context->arena, MlirValue, count + 1);
    size_t carried_count = carried_of(context, ops, count, carried), found = 0;
    bool *taken = ARENA_ARRAY(context->arena, bool, carried_count + 1);
    *links = ARENA_ARRAY(context->arena, struct tensor_link, carried_count + 1);
    for (size_t i = 0; i < carried_count; i++) {
        for (size_t j = i + 1; j < carried_count && !taken[i]; j++) {
            if (!taken[j] && link_of(context->ir, carried[i], carried[j], &(*links)[found])) {
                rewrite(context->ir, &(*links)[found++]);
                taken[i] = taken[j] = true;
            }
        }
    }
    return found;
}
