// deciding_loads: one thread does a load for all threads if control flow depends on the load and other
// programs may change the memory meanwhile: memory the program changes by atomics, or waits for
// (polled_loads.c).
//
//   tk.atomic_rmw add %count, 1                    tk.atomic_rmw add %count, 1
//   %n = tk.load %count                      →     %n = tk.load %count {volatile}
//   scf.if (%n == %programs) { … }                 scf.if (%n == %programs) { … }
//
// Other programs change %count at the same time: each thread may load another number and take another branch.
// Threads in different branches do not meet at the barriers behind, and there are more barriers than the
// program's own (barriers.c, scratch). So a load becomes volatile if the program changes its argument by
// atomics and a branch or the bounds of a loop depend on it: one thread then reads for all. Other memory
// needs no such care. If a program changes memory by stores alone and waits for nobody, no other program may
// read it meanwhile. While a lock is held (taken by a loop of atomics), no other program changes
// the data it protects.
//
// requires: nothing
// provides: `volatile` on these loads
// test:     tests/golden/passes/deciding_loads
#include "passes/pass.h"

#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/simplify/polled_loads.h"
#include "passes/facts/value_work.h"

struct deciding {
    struct ir *ir;
    struct map changed;     // memory, by pointer_memory
    bool any;               // pointers of an atomic are followed to no memory
    struct map unlocked;    // loads outside of locks
    struct value_work work; // values to follow
};

static bool is_changed(const struct deciding *d, MlirOperation load) {
    const void *memory = pointer_memory(d->ir, load_pointer(load));
    return !op_has(load, ATTR_ADDRESSES) && (d->any || !memory || map_has(&d->changed, memory));
}

static void follow(struct deciding *d, MlirValue value) {
    MlirOperation op = value_op(value);
    if (!mlirOperationIsNull(op) && op_kind(d->ir, op) == OP_LOAD && map_has(&d->unlocked, op.ptr) &&
        !load_is_volatile(op) && is_changed(d, op)) {
        op_set_unit(d->ir, op, ATTR_VOLATILE);
    }
    value_work_add_sources(&d->work, d->ir, value);
}

static bool is_waited_by(struct deciding *d, MlirOperation atomic) {
    MlirOperation around = mlirOperationGetParentOperation(atomic);
    return op_kind(d->ir, around) == OP_WHILE &&
           mlirBlockEqual(mlirOperationGetBlock(atomic), op_body(around, 0));
}

// A lock is held from the waiting loop with the atomic up to the next write to the lock's argument.
static void find_changed(struct deciding *d, const MlirOperation *ops, size_t count) {
    const void *lock = NULL;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(d->ir, ops[i]);
        bool atomic = op_is_atomic(kind);
        if (kind == OP_LOAD && !lock) {
            map_put(&d->unlocked, ops[i].ptr, ops[i].ptr);
        }
        if (!atomic && kind != OP_STORE) {
            continue;
        }
        const void *memory = pointer_memory(d->ir, access_pointer(ops[i]));
        if (atomic && is_waited_by(d, ops[i])) {
            lock = memory;
        } else if (!memory || memory == lock) {
            lock = NULL;
        }
        d->any |= atomic && !memory;
        if (atomic && memory) {
            map_put(&d->changed, memory, (void *)memory);
        }
    }
}

static void make_volatile(struct pass_context *context, MlirOperation function) {
    struct deciding d = {.ir = context->ir, .work = {.arena = context->arena}};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    find_changed(&d, ops, count);
    d.any |= polled_loads(context, function, &d.changed);
    for (size_t i = 0; i < count && (d.any || d.changed.count > 0); i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        intptr_t deciding = kind == OP_FOR ? 3 : kind == OP_IF || kind == OP_CONDITION;
        for (intptr_t n = 0; n < deciding; n++) {
            value_work_add(&d.work, mlirOperationGetOperand(ops[i], n));
        }
    }
    for (MlirValue value; !mlirValueIsNull(value = value_work_take(&d.work));) {
        follow(&d, value);
    }
    value_work_free(&d.work);
    map_free(&d.unlocked);
    map_free(&d.changed);
}

void pass_deciding_loads(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        make_volatile(context, op);
    }
}
