// See idle_programs.h.
#include "passes/pipeline/idle_programs.h"

#include "passes/pass.h"

// Plain reads, too: each role reads a program's lengths by itself, whenever it begins the program.
static bool is_read_only(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return mlirOperationGetNumRegions(op) == 0 &&
           ((op_traits(kind) & PURE) || (kind == OP_LOAD && !load_is_volatile(op)));
}

// The body's only op with an effect, if that is a branch; else null.
static MlirOperation only_branch(struct ir *ir, MlirBlock body) {
    MlirOperation found = {NULL}, end = mlirBlockGetTerminator(body);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, end);
         op = mlirOperationGetNextInBlock(op)) {
        if (is_read_only(ir, op)) {
            continue;
        }
        if (!mlirOperationIsNull(found) || op_kind(ir, op) != OP_IF) {
            return (MlirOperation){NULL};
        }
        found = op;
    }
    return found;
}

// True if the arm, 0 or 1, of the branch does nothing, and the loop's next turn has then the values of this one.
static bool arm_is_idle(struct ir *ir, MlirBlock body, MlirOperation branch, int arm) {
    MlirRegion region = mlirOperationGetRegion(branch, arm);
    MlirBlock block = mlirRegionGetFirstBlock(region);
    MlirOperation end = mlirBlockGetTerminator(body);
    if (mlirBlockIsNull(block)) {
        return mlirOperationGetNumResults(branch) == 0;
    }
    MlirOperation yield = mlirBlockGetTerminator(block);
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        if (!is_read_only(ir, op)) {
            return false;
        }
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
        MlirValue next = mlirOperationGetOperand(end, i);
        if (mlirOperationEqual(value_op(next), branch)) {
            next = mlirOperationGetOperand(yield, mlirOpResultGetResultNumber(next));
        }
        if (!value_is(next, mlirBlockGetArgument(body, i + 1))) {
            return false;
        }
    }
    return true;
}

// True if both values are computed alike, from the programs' numbers and the same values ahead of the roles.
static bool computed_alike(struct idle_programs *idle, struct map *same, MlirValue value, MlirValue other,
                           MlirBlock body) {
    if (value_is(value, other) || map_get(same, value.ptr) == other.ptr) {
        return true;
    }
    if (value_is(value, mlirBlockGetArgument(idle->body, 0))) {
        return value_is(other, mlirBlockGetArgument(body, 0));
    }
    MlirOperation op = value_op(value), like = value_op(other);
    if (mlirOperationIsNull(op) || mlirOperationIsNull(like) || !is_read_only(idle->ir, op) ||
        !ops_alike(op, like) || mlirOperationGetNumOperands(op) != mlirOperationGetNumOperands(like) ||
        mlirOpResultGetResultNumber(value) != mlirOpResultGetResultNumber(other)) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (!computed_alike(idle, same, mlirOperationGetOperand(op, i), mlirOperationGetOperand(like, i),
                            body)) {
            return false;
        }
    }
    map_put(same, value.ptr, (void *)other.ptr);
    return true;
}

// True if the value depends on nothing of the body but the program's number.
static bool of_program(struct idle_programs *idle, struct map *known, MlirValue value) {
    if (map_has(known, value.ptr)) {
        return true;
    }
    map_put(known, value.ptr, (void *)value.ptr);
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return !mlirBlockEqual(mlirBlockArgumentGetOwner(value), idle->body) ||
               value_is(value, mlirBlockGetArgument(idle->body, 0));
    }
    bool inside = mlirBlockEqual(mlirOperationGetBlock(op), idle->body),
         is = !inside || is_read_only(idle->ir, op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && inside && is; i++) {
        is = of_program(idle, known, mlirOperationGetOperand(op, i));
    }
    return is;
}

bool idle_programs_find(struct idle_programs *idle, const MlirOperation *loops, int count) {
    bool found = true;
    for (int i = 0; i < count && found; i++) {
        MlirBlock body = op_body(loops[i], 0);
        MlirOperation branch = only_branch(idle->ir, body);
        if (mlirOperationIsNull(branch)) {
            return false;
        }
        MlirValue condition = if_condition(branch);
        struct map seen = {0};
        if (i == 0) {
            MlirOperation op = value_op(condition);
            idle->body = body;
            idle->branch = branch;
            idle->condition = condition;
            idle->when = arm_is_idle(idle->ir, body, branch, 0);
            found = !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), body) &&
                    of_program(idle, &seen, condition);
        } else {
            found = computed_alike(idle, &seen, idle->condition, condition, body);
        }
        found &= arm_is_idle(idle->ir, body, branch, idle->when ? 0 : 1);
        map_free(&seen);
    }
    return found;
}

// Builds the ops of a block again that the value is computed by.
static void repeat(const struct idle_programs *idle, struct builder *b, struct map *map, MlirBlock block,
                   MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || map_has(map, value.ptr) ||
        !mlirBlockEqual(mlirOperationGetBlock(op), block)) {
        return;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        repeat(idle, b, map, block, mlirOperationGetOperand(op, i));
    }
    op_repeat(b, idle->arena, map, op);
}

static MlirValue is(struct builder *b, MlirValue condition, bool what) {
    return what ? condition : build_compare(b, INT_EQ, condition, const_int(b, type_i1(b->ir), 0));
}

MlirValue idle_programs_now(const struct idle_programs *idle, struct builder *b, bool is_idle) {
    return is(b, idle->condition, idle->when == is_idle);
}

MlirValue idle_programs_test(const struct idle_programs *idle, struct builder *b, MlirValue program) {
    MlirBlock block = mlirOperationGetBlock(value_op(idle->condition));
    struct map map = {0};
    map_value(&map, mlirBlockGetArgument(block, 0), program);
    repeat(idle, b, &map, block, idle->condition);
    MlirValue test = is(b, value_under(&map, idle->condition), idle->when);
    map_free(&map);
    return test;
}
