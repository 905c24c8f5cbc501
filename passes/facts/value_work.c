#include "passes/facts/value_work.h"

#include <string.h>

bool value_work_see(struct value_work *work, const void *pointer) {
    if (map_has(&work->seen, pointer)) {
        return false;
    }
    map_put(&work->seen, pointer, (void *)pointer);
    return true;
}

void value_work_add(struct value_work *work, MlirValue value) {
    if (!value_work_see(work, value.ptr)) {
        return;
    }
    work->list = arena_grown(work->arena, work->list, work->count, &work->capacity, sizeof value);
    work->list[work->count++] = value;
}

MlirValue value_work_take(struct value_work *work) {
    return work->count ? work->list[--work->count] : (MlirValue){NULL};
}

static void add_yielded(struct value_work *work, MlirOperation op, int region, intptr_t number) {
    value_work_add(work, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(op, region)), number));
}

// The sources of result, or carried value, `number` of an op with regions. For a `while` these are the
// condition's flag and the value it passes on.
static void add_carried(struct value_work *work, struct ir *ir, MlirOperation op, intptr_t number) {
    switch (op_kind(ir, op)) {
    case OP_FOR:
        value_work_add(work, for_lower(op));
        value_work_add(work, for_upper(op));
        value_work_add(work, for_step(op));
        if (number >= 0) {
            value_work_add(work, for_init(op, number));
            add_yielded(work, op, 0, number);
        }
        break;
    case OP_IF:
        value_work_add(work, if_condition(op));
        add_yielded(work, op, 0, number);
        add_yielded(work, op, 1, number);
        break;
    case OP_WHILE:
        add_yielded(work, op, 0, at_condition_flag);
        add_yielded(work, op, 0, at_condition_value + number);
        break;
    default: // the regions of reductions read nothing but their operands
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            value_work_add(work, mlirOperationGetOperand(op, i));
        }
    }
}

void value_work_add_sources(struct value_work *work, struct ir *ir, MlirValue value) {
    if (!mlirValueIsABlockArgument(value)) {
        add_carried(work, ir, mlirOpResultGetOwner(value), mlirOpResultGetResultNumber(value));
        return;
    }
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirOperation owner = mlirBlockGetParentOperation(block);
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    enum op_kind kind = op_kind(ir, owner);
    if (kind == OP_WHILE && mlirBlockEqual(block, op_body(owner, 0))) { // ahead of its condition
        value_work_add(work, while_init(owner, number));
        add_yielded(work, owner, 1, number);
    } else if (kind != OP_FUNC) {
        add_carried(work, ir, owner, kind == OP_FOR ? number - 1 : number);
    }
}

void value_work_free(struct value_work *work) {
    map_free(&work->seen);
}

bool value_has_reader(const struct reader_question *question, MlirValue value) {
    struct value_work work = {.arena = question->arena};
    bool found = false;
    value_work_add(&work, value);
    for (MlirValue at; !found && !mlirValueIsNull(at = value_work_take(&work));) {
        for (MlirOpOperand use = mlirValueGetFirstUse(at); !mlirOpOperandIsNull(use) && !found;
             use = mlirOpOperandGetNextUse(use)) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            found = question->is_sought(question->asker, use, at);
            if (mlirOperationGetNumResults(user) == 1 && question->passes_on(op_kind(question->ir, user))) {
                value_work_add(&work, mlirOperationGetResult(user, 0));
            }
        }
    }
    value_work_free(&work);
    return found;
}
