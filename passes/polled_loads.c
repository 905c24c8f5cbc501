// Loads that a loop repeats until memory is another one.
//
//   scf.while { %v = tk.load %flag                         scf.while { %v = tk.load %flag {volatile}
//     scf.condition (%v == 0) } do { }              →        scf.condition (%v == 0) } do { }
//
// Nothing in the loop changes what lies there, so LLVM would load once, ahead of it, and the loop would never end. The program
// waits for another one: each turn has to look again, and all threads have to see the same. So a load becomes volatile if its
// addresses are the same in each turn, the loop's end depends on it, and the loop holds nothing that orders memory, behind which it
// would be loaded again anyway.
//
// test: tests/golden/passes/cleanup/polled.mlir
#include "passes/polled_loads.h"

#include "ir/build.h"

struct polled {
    struct pass_context *context;
    MlirOperation loop;
    MlirOperation *ops; // in the loop, at any depth
    size_t count;
    struct map depends; // value → itself: follows from the load at hand
};

static bool is_inside(MlirOperation op, MlirOperation loop) {
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

static bool is_same_in_each_turn(const struct polled *p, MlirValue value, int depth) {
    enum { DEEPEST = 64 };
    if (mlirValueIsABlockArgument(value)) {
        return !is_inside(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), p->loop);
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!is_inside(op, p->loop)) {
        return true;
    }
    bool same = (op_traits(op_kind(p->context->ir, op)) & PURE) && mlirOperationGetNumRegions(op) == 0 &&
                depth < DEEPEST;
    for (intptr_t i = 0; same && i < mlirOperationGetNumOperands(op); i++) {
        same = is_same_in_each_turn(p, mlirOperationGetOperand(op, i), depth + 1);
    }
    return same;
}

static bool reads_same(const struct polled *p, MlirOperation load) {
    bool same = true;
    for (intptr_t i = 0; same && i < mlirOperationGetNumOperands(load); i++) {
        same = is_same_in_each_turn(p, mlirOperationGetOperand(load, i), 0);
    }
    return same;
}

static bool note(struct polled *p, MlirValue value) {
    bool known = map_has(&p->depends, value.ptr);
    map_put(&p->depends, value.ptr, (void *)value.ptr);
    return !known;
}

// From the end of the loop's condition to its body, and from there to the condition's next turn.
static bool spread_round(struct polled *p, MlirOperation terminator) {
    bool to_body = op_kind(p->context->ir, terminator) == OP_CONDITION, more = false;
    for (intptr_t i = to_body; i < mlirOperationGetNumOperands(terminator); i++) {
        if (map_has(&p->depends, mlirOperationGetOperand(terminator, i).ptr)) {
            more |= note(p, mlirBlockGetArgument(op_body(p->loop, to_body), i - to_body));
        }
    }
    return more;
}

// Of an op with regions in the loop, what it gives and carries is all held to depend where anything of it does.
static bool spread(struct polled *p, MlirOperation op) {
    MlirOperation around = mlirOperationGetParentOperation(op);
    bool ends = op_traits(op_kind(p->context->ir, op)) & TERMINATOR, depends = false, more = false;
    if (ends && mlirOperationEqual(around, p->loop)) {
        return spread_round(p, op);
    }
    for (intptr_t i = 0; !depends && i < mlirOperationGetNumOperands(op); i++) {
        depends = map_has(&p->depends, mlirOperationGetOperand(op, i).ptr);
    }
    MlirOperation holder = ends ? around : op;
    for (intptr_t i = 0; depends && i < mlirOperationGetNumResults(holder); i++) {
        more |= note(p, mlirOperationGetResult(holder, i));
    }
    for (intptr_t r = 0; depends && r < mlirOperationGetNumRegions(holder); r++) {
        MlirBlock body = op_body(holder, (int)r);
        for (intptr_t i = 0; !mlirBlockIsNull(body) && i < mlirBlockGetNumArguments(body); i++) {
            more |= note(p, mlirBlockGetArgument(body, i));
        }
    }
    return more;
}

static bool ends_loop(struct polled *p, MlirOperation load) {
    map_clear(&p->depends);
    note(p, mlirOperationGetResult(load, 0));
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < p->count; i++) {
            more |= spread(p, p->ops[i]);
        }
    }
    MlirOperation condition = mlirBlockGetTerminator(op_body(p->loop, 0));
    return map_has(&p->depends, mlirOperationGetOperand(condition, 0).ptr);
}

static bool orders_memory(const struct polled *p) {
    for (size_t i = 0; i < p->count; i++) {
        if (op_orders_memory(p->context->ir, p->ops[i])) {
            return true;
        }
    }
    return false;
}

// The same load ahead of the loop, which what the loop begins with is made of: threads that saw different things there would
// not come to the loop together.
static void look_first(struct polled *p, MlirValue value, MlirValue pointer, int depth) {
    enum { DEEPEST = 16 };
    MlirOperation op = value_op(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(p->context->ir, op);
    if (kind == OP_LOAD && value_is(mlirOperationGetOperand(op, 0), pointer)) {
        op_set_unit(p->context->ir, op, ATTR_VOLATILE);
    }
    bool follows = kind != OP_UNKNOWN && (op_traits(kind) & PURE) && depth < DEEPEST;
    for (intptr_t i = 0; follows && i < mlirOperationGetNumOperands(op); i++) {
        look_first(p, mlirOperationGetOperand(op, i), pointer, depth + 1);
    }
}

static void visit_loop(struct pass_context *context, MlirOperation loop) {
    struct polled p = {.context = context, .loop = loop};
    p.ops = ops_collect(context->ir, context->arena, loop, &p.count);
    bool ordered = orders_memory(&p);
    for (size_t i = 0; i < p.count && !ordered; i++) {
        MlirOperation op = p.ops[i];
        if (op_kind(context->ir, op) != OP_LOAD || !reads_same(&p, op) || !ends_loop(&p, op)) {
            continue;
        }
        op_set_unit(context->ir, op, ATTR_VOLATILE);
        for (intptr_t n = 0; n < mlirOperationGetNumOperands(loop); n++) {
            look_first(&p, mlirOperationGetOperand(loop, n), mlirOperationGetOperand(op, 0), 0);
        }
    }
    map_free(&p.depends);
}

void polled_loads(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_WHILE) {
            visit_loop(context, ops[i]);
        }
    }
}
