// Polling loads: a loop repeats a load until another program changes the memory.
//
//   scf.while { %v = tk.load %flag                         scf.while { %v = tk.load %flag {volatile}
//     scf.condition (%v == 0) } do { }              →        scf.condition (%v == 0) } do { }
//
// Nothing in the loop changes the loaded memory, so LLVM would hoist the load out of the loop, and the loop
// would never end. The program waits for another program: each iteration has to load again, all threads have
// to see the same value, and no load behind the loop may move ahead of it. So a load with an effect on the
// loop's end becomes volatile in two cases: its addresses are the same in each iteration, or only change
// places; or the program itself writes through its argument, so other programs write the polled memory too. A
// search loop, with new addresses in each iteration, keeps its plain loads.
//
// A part of deciding_loads. test: tests/golden/passes/deciding_loads/polled.mlir
#include "passes/simplify/polled_loads.h"

#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/value_work.h"

struct polled {
    struct ir *ir;
    MlirOperation loop;
    struct map same;    // values found to be the same in each turn of the loop
    struct map written; // memory, by pointer_memory
    bool any;           // a write is followed to no argument
};

static bool is_inside(MlirOperation op, MlirOperation loop) {
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

static bool is_same_in_each_turn(struct polled *p, MlirValue value, int depth);

// True if a carried value is always one of the values from ahead of the loop; they may change places.
static bool only_moves(struct polled *p, MlirValue value, int depth) {
    enum { MOST = 8 };
    MlirBlock before = op_body(p->loop, 0), after = op_body(p->loop, 1);
    for (int moves = 0; moves < MOST && mlirValueIsABlockArgument(value); moves++) {
        MlirBlock block = mlirBlockArgumentGetOwner(value);
        bool first = mlirBlockEqual(block, before);
        if (!first && !mlirBlockEqual(block, after)) {
            return is_same_in_each_turn(p, value, depth);
        }
        MlirOperation end = mlirBlockGetTerminator(first ? after : before);
        value = mlirOperationGetOperand(end, mlirBlockArgumentGetArgNumber(value) + !first);
    }
    return mlirValueIsABlockArgument(value) || is_same_in_each_turn(p, value, depth);
}

static bool is_same_in_each_turn(struct polled *p, MlirValue value, int depth) {
    enum { DEEPEST = 64 };
    if (mlirValueIsABlockArgument(value)) {
        MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        return mlirOperationEqual(owner, p->loop) ? depth < DEEPEST && only_moves(p, value, depth + 1)
                                                  : !is_inside(owner, p->loop);
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!is_inside(op, p->loop) || map_has(&p->same, value.ptr)) {
        return true;
    }
    bool same =
        (op_traits(op_kind(p->ir, op)) & PURE) && mlirOperationGetNumRegions(op) == 0 && depth < DEEPEST;
    for (intptr_t i = 0; same && i < mlirOperationGetNumOperands(op); i++) {
        same = is_same_in_each_turn(p, mlirOperationGetOperand(op, i), depth + 1);
    }
    if (same) {
        map_put(&p->same, value.ptr, (void *)value.ptr);
    }
    return same;
}

static bool reads_same(struct polled *p, MlirOperation load) {
    bool same = true;
    for (intptr_t i = 0; same && i < mlirOperationGetNumOperands(load); i++) {
        same = is_same_in_each_turn(p, mlirOperationGetOperand(load, i), 0);
    }
    return same;
}

static bool is_written(const struct polled *p, const void *memory) {
    return p->any || (memory ? map_has(&p->written, memory) : p->written.count > 0);
}

static void find_written(struct polled *p, const MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(p->ir, ops[i]);
        if (kind == OP_STORE || op_is_atomic(kind)) {
            const void *memory = pointer_memory(p->ir, access_pointer(ops[i]));
            p->any |= !memory;
            if (memory) {
                map_put(&p->written, memory, (void *)memory);
            }
        }
    }
}

static bool visit_loop(struct polled *p, struct arena *arena, MlirOperation loop, struct map *arguments) {
    struct value_work work = {.arena = arena};
    bool unknown = false;
    p->loop = loop;
    map_clear(&p->same);
    value_work_add(&work, condition_flag(mlirBlockGetTerminator(op_body(loop, 0))));
    for (MlirValue value; !mlirValueIsNull(value = value_work_take(&work));) {
        MlirOperation op = value_op(value);
        value_work_add_sources(&work, p->ir, value);
        if (mlirOperationIsNull(op) || op_kind(p->ir, op) != OP_LOAD || !is_inside(op, loop) ||
            op_has(op, ATTR_ADDRESSES)) {
            continue;
        }
        const void *memory = pointer_memory(p->ir, load_pointer(op));
        if (!is_written(p, memory) && !reads_same(p, op)) {
            continue;
        }
        if (!load_is_volatile(op)) { // already so: another name for the same load
            op_set_unit(p->ir, op, ATTR_VOLATILE);
        }
        unknown |= !memory;
        if (memory) {
            map_put(arguments, memory, (void *)memory);
        }
    }
    value_work_free(&work);
    return unknown;
}

bool polled_loads(struct pass_context *context, MlirOperation function, struct map *arguments) {
    struct polled p = {.ir = context->ir};
    size_t count;
    bool unknown = false;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    find_written(&p, ops, count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_WHILE) {
            unknown |= visit_loop(&p, context->arena, ops[i], arguments);
        }
    }
    map_free(&p.written);
    map_free(&p.same);
    return unknown;
}
