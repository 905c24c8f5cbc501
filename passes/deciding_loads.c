// Loads that decide where a program goes on, of memory that it changes by atomics.
//
//   tk.atomic_rmw add %count, 1                    tk.atomic_rmw add %count, 1
//   %n = tk.load %count                      →     %n = tk.load %count {volatile}
//   scf.if (%n == %programs) { … }                 scf.if (%n == %programs) { … }
//
// Other programs change it at the same time: each thread may see another number, and go another way. Those that part there do not
// meet the others at the barriers behind, of which there are more than the program's own (barriers.c, scratch). So a load of an
// argument that the program itself changes by atomics becomes volatile where a branch or a loop's bounds follow from it: one thread
// then reads for all. Memory that is changed by stores alone nobody may read meanwhile, and behind a loop that waits by an atomic,
// which is how a lock is taken, nobody changes what it protects.
//
// test: tests/golden/passes/cleanup/deciding.mlir
#include "passes/deciding_loads.h"

#include "ir/build.h"
#include "passes/apart.h"
#include "passes/value_work.h"

struct deciding {
    struct ir *ir;
    struct map changed;     // arguments
    bool any;               // pointers of an atomic are followed to no argument
    struct map unlocked;    // loads ahead of the first loop that waits by an atomic
    struct value_work work; // values to follow; loops without bounds that were followed
};

static void want(struct deciding *d, MlirValue value) {
    value_work_add(&d->work, value);
}

static void want_operands(struct deciding *d, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        want(d, mlirOperationGetOperand(op, i));
    }
}

// All that a loop without bounds carries.
static void want_loop(struct deciding *d, MlirOperation loop) {
    if (value_work_see(&d->work, loop.ptr)) {
        want_operands(d, loop);
        for (int r = 0; r < 2; r++) {
            want_operands(d, mlirBlockGetTerminator(op_body(loop, r)));
        }
    }
}

// What a loop carries under that number, and what the value of a branch comes from. Of others all that goes in.
static void want_carried(struct deciding *d, MlirOperation op, intptr_t number) {
    switch (op_kind(d->ir, op)) {
    case OP_FOR:
        want(d, mlirOperationGetOperand(op, 3 + number));
        want(d, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(op, 0)), number));
        return;
    case OP_IF:
        for (int r = 0; r < 2; r++) {
            want(d, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(op, r)), number));
        }
        return;
    case OP_WHILE:
        want_loop(d, op);
        return;
    default: // the regions of reductions read nothing but what goes in
        want_operands(d, op);
    }
}

static bool is_changed(const struct deciding *d, MlirOperation load) {
    MlirValue argument = pointer_argument(d->ir, mlirOperationGetOperand(load, 0));
    return d->any || mlirValueIsNull(argument) || map_has(&d->changed, argument.ptr);
}

static void follow(struct deciding *d, MlirValue value) {
    if (mlirValueIsABlockArgument(value)) {
        MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        intptr_t number = mlirBlockArgumentGetArgNumber(value);
        enum op_kind kind = op_kind(d->ir, owner);
        if (kind != OP_FUNC && !(kind == OP_FOR && number == 0)) { // bounds are asked for anyway
            want_carried(d, owner, kind == OP_FOR ? number - 1 : number);
        }
        return;
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    if (op_kind(d->ir, op) == OP_LOAD && map_has(&d->unlocked, op.ptr) && is_changed(d, op)) {
        op_set_unit(d->ir, op, ATTR_VOLATILE);
    }
    want_carried(d, op, mlirOpResultGetResultNumber(value));
}

static bool is_waited_by(struct deciding *d, MlirOperation atomic) {
    MlirOperation around = mlirOperationGetParentOperation(atomic);
    return op_kind(d->ir, around) == OP_WHILE &&
           mlirBlockEqual(mlirOperationGetBlock(atomic), op_body(around, 0));
}

static void find_changed(struct deciding *d, const MlirOperation *ops, size_t count) {
    bool locked = false;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(d->ir, ops[i]);
        if (kind == OP_ATOMIC_RMW || kind == OP_ATOMIC_CAS) {
            MlirValue argument = pointer_argument(d->ir, mlirOperationGetOperand(ops[i], 0));
            d->any |= mlirValueIsNull(argument);
            if (!mlirValueIsNull(argument)) {
                map_put(&d->changed, argument.ptr, (void *)argument.ptr);
            }
            locked |= is_waited_by(d, ops[i]);
        } else if (kind == OP_LOAD && !locked) {
            map_put(&d->unlocked, ops[i].ptr, ops[i].ptr);
        }
    }
}

void deciding_loads(struct pass_context *context, MlirOperation function) {
    struct deciding d = {.ir = context->ir, .work = {.arena = context->arena}};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    find_changed(&d, ops, count);
    for (size_t i = 0; i < count && (d.any || d.changed.count > 0); i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        intptr_t deciding = kind == OP_FOR ? 3 : kind == OP_IF || kind == OP_CONDITION;
        for (intptr_t n = 0; n < deciding; n++) {
            want(&d, mlirOperationGetOperand(ops[i], n));
        }
    }
    for (MlirValue value; !mlirValueIsNull(value = value_work_take(&d.work));) {
        follow(&d, value);
    }
    value_work_free(&d.work);
    map_free(&d.unlocked);
    map_free(&d.changed);
}
