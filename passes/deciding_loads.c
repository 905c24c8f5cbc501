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

#include <string.h>

#include "ir/build.h"
#include "passes/apart.h"

struct deciding {
    struct pass_context *context;
    struct ir *ir;
    MlirValue *changed; // arguments
    size_t changed_count;
    bool any;        // pointers of an atomic are followed to no argument
    struct map seen; // value → itself
    MlirValue *work; // seen, and not followed
    size_t count, capacity;
};

static void want(struct deciding *d, MlirValue value) {
    if (map_has(&d->seen, value.ptr)) {
        return;
    }
    map_put(&d->seen, value.ptr, (void *)value.ptr);
    if (d->count == d->capacity) {
        size_t capacity = d->capacity ? 2 * d->capacity : 64;
        MlirValue *grown = ARENA_ARRAY(d->context->arena, MlirValue, capacity);
        if (d->count) {
            memcpy(grown, d->work, d->count * sizeof *grown);
        }
        d->work = grown;
        d->capacity = capacity;
    }
    d->work[d->count++] = value;
}

static void want_operands(struct deciding *d, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        want(d, mlirOperationGetOperand(op, i));
    }
}

static void want_ends(struct deciding *d, MlirOperation loop) {
    for (int r = 0; r < 2; r++) {
        want_operands(d, mlirBlockGetTerminator(op_body(loop, r)));
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
        want_operands(d, op);
        want_ends(d, op);
        return;
    default: // the regions of reductions read nothing but what goes in
        want_operands(d, op);
    }
}

static bool is_changed(const struct deciding *d, MlirOperation load) {
    MlirValue argument = pointer_argument(d->ir, mlirOperationGetOperand(load, 0));
    bool changed = d->any || mlirValueIsNull(argument);
    for (size_t i = 0; i < d->changed_count && !changed; i++) {
        changed = value_is(d->changed[i], argument);
    }
    return changed;
}

static bool waits_by_atomic(struct deciding *d, MlirOperation loop) {
    size_t count = 0;
    bool waits = false;
    MlirOperation *ops =
        op_kind(d->ir, loop) == OP_WHILE ? ops_collect(d->ir, d->context->arena, loop, &count) : NULL;
    for (size_t i = 0; i < count && !waits; i++) {
        enum op_kind kind = op_kind(d->ir, ops[i]);
        waits = (kind == OP_ATOMIC_RMW || kind == OP_ATOMIC_CAS) &&
                mlirBlockEqual(mlirOperationGetBlock(ops[i]), op_body(loop, 0));
    }
    return waits;
}

// A lock may have been taken ahead of the op.
static bool is_behind_lock(struct deciding *d, MlirOperation op) {
    for (; op_kind(d->ir, op) != OP_FUNC; op = mlirOperationGetParentOperation(op)) {
        MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
        for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at)) {
            if (waits_by_atomic(d, at)) {
                return true;
            }
        }
    }
    return false;
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
    if (op_kind(d->ir, op) == OP_LOAD && is_changed(d, op) && !is_behind_lock(d, op)) {
        op_set_unit(d->ir, op, ATTR_VOLATILE);
    }
    want_carried(d, op, mlirOpResultGetResultNumber(value));
}

static void find_changed(struct deciding *d, const MlirOperation *ops, size_t count) {
    d->changed = ARENA_ARRAY(d->context->arena, MlirValue, count + 1);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(d->ir, ops[i]);
        if (kind == OP_ATOMIC_RMW || kind == OP_ATOMIC_CAS) {
            MlirValue argument = pointer_argument(d->ir, mlirOperationGetOperand(ops[i], 0));
            d->any |= mlirValueIsNull(argument);
            d->changed[d->changed_count++] = argument;
        }
    }
}

void deciding_loads(struct pass_context *context, MlirOperation function) {
    struct deciding d = {.context = context, .ir = context->ir};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    find_changed(&d, ops, count);
    for (size_t i = 0; i < count && d.changed_count > 0; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        intptr_t deciding = kind == OP_FOR ? 3 : kind == OP_IF || kind == OP_CONDITION;
        for (intptr_t n = 0; n < deciding; n++) {
            want(&d, mlirOperationGetOperand(ops[i], n));
        }
    }
    while (d.count > 0) {
        follow(&d, d.work[--d.count]);
    }
    map_free(&d.seen);
}
