// Waits for other GPUs: the producer waits for the flags of its copies' sources.
//
//   scf.while { %v = load of a flag            producer:   the same loop {each_warp, proxy}
//               condition %v < %epoch }                    scf.for … { copies }
//   scf.for … { tk.load …, tk.dot … }    →     consumers:  scf.if %no_steps { the same loop }
//                                                          scf.for … { products }
//
// The copies are ordered behind the producer's wait, and the consumers behind the copies: data handed over by an mbarrier are known
// to its waiting threads. A loop without steps hands nothing over: then the consumers wait themselves. So they do always
// if they read memory on their own behind the wait.
//
// A block takes its programs in the order of their numbers. So a program may wait for programs of other GPUs with numbers up to its
// own: they wait for none behind it. Of programs of its own GPU, or of later ones, nobody promises their
// progress meanwhile, with or without roles.
#include "passes/specialise/specialise.h"

#include "passes/facts/run_ahead.h"

// True if the producer's only thread can run the loop.
static bool is_scalar(struct specialise *s, MlirOperation wait) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, wait, &count);
    bool is = mlirOperationGetNumOperands(wait) == 0;
    for (size_t i = 0; i < count && is; i++) {
        for (intptr_t n = 0; is && n < mlirOperationGetNumOperands(ops[i]); n++) {
            is = !type_is_tensor(mlirValueGetType(mlirOperationGetOperand(ops[i], n)));
        }
    }
    return is;
}

static bool stands_in(MlirValue value, MlirOperation wait) {
    MlirOperation op = value_op(value);
    return !mlirOperationIsNull(op) && mlirOperationEqual(mlirOperationGetParentOperation(op), wait);
}

// A producer of one thread reduces no tiles.
static bool is_computable(struct specialise *s, MlirOperation wait) {
    size_t count;
    unsigned axes = 0;
    MlirOperation *ops = ops_collect(s->ir, s->arena, wait, &count);
    bool is = true;
    for (size_t i = 0; i < count && is; i++) {
        for (intptr_t n = 0; is && n < mlirOperationGetNumOperands(ops[i]); n++) {
            MlirValue operand = mlirOperationGetOperand(ops[i], n);
            is = stands_in(operand, wait) || is_producible(s, s->loops[0].loop, operand, &axes);
        }
    }
    return is && !(axes & AXES_REDUCED);
}

void waits_need(struct specialise *s) {
    for (size_t w = 0; w < s->wait_count; w++) {
        size_t count;
        MlirOperation *ops = ops_collect(s->ir, s->arena, s->waits[w], &count);
        for (size_t i = 0; i < count; i++) {
            for (intptr_t n = 0; n < mlirOperationGetNumOperands(ops[i]); n++) {
                MlirValue operand = mlirOperationGetOperand(ops[i], n);
                if (!stands_in(operand, s->waits[w])) {
                    producer_needs(s, s->loops[0].loop, operand, true);
                }
            }
        }
    }
}

void waits_find(struct specialise *s) {
    if (gathers(&s->loops[0])) { // its warps would have to meet behind the wait
        return;
    }
    MlirOperation end = op_in_block(s->loops[0].loop, s->home);
    for (MlirOperation op = mlirBlockGetFirstOperation(s->home);
         !mlirOperationEqual(op, end) && s->wait_count < SPECIALISE_MAX_WAITS;
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_WHILE && waits_for_ranks(s->context, op) && is_scalar(s, op) &&
            is_computable(s, op)) {
            s->waits[s->wait_count++] = op;
        }
    }
}

bool waits_in_order(struct specialise *s) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(s->ir, ops[i]) == OP_WHILE && waits_for_ranks(s->context, ops[i])) {
            return true;
        }
    }
    return false;
}

bool is_wait(const struct specialise *s, MlirOperation op) {
    return is_among(s->waits, s->wait_count, op);
}

bool stands_in_wait(const struct specialise *s, MlirOperation op) {
    return is_wait(s, mlirOperationGetParentOperation(op));
}

// ---- the producer ----

void waits_produce(struct specialise *s, struct builder *b, struct map *map, MlirOperation wait) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, wait, &count);
    for (size_t i = 0; i < count; i++) {
        for (intptr_t n = 0; n < mlirOperationGetNumOperands(ops[i]); n++) {
            MlirValue operand = mlirOperationGetOperand(ops[i], n);
            if (!stands_in(operand, wait)) {
                specialise_scalar(b, operand, map);
            }
        }
    }
    b->location = mlirOperationGetLocation(wait);
    MlirOperation made = op_repeat(b, s->arena, map, wait);
    op_set_unit(s->ir, made, ATTR_EACH_WARP);
    op_set_unit(s->ir, made, ATTR_PROXY);
    ops = ops_collect(s->ir, s->arena, made, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(s->ir, ops[i]) == OP_ATOMIC_RMW) {
            op_set_unit(s->ir, ops[i], ATTR_EACH_WARP);
        }
    }
}

// ---- the consumers ----

static bool is_copy(const struct specialise *s, MlirOperation op) {
    for (size_t i = 0; i < s->loops[0].load_count; i++) {
        if (mlirOperationEqual(s->loops[0].loads[i].access, op)) {
            return true;
        }
    }
    return false;
}

// True if the consumers have to wait themselves: they touch memory between the wait and the loop, or read it behind the loop.
static bool consumers_wait(struct specialise *s, MlirOperation loop) {
    size_t count;
    bool behind = false;
    unsigned traits = READ | WRITE;
    MlirOperation *ops = ops_collect(s->ir, s->arena, mlirBlockGetParentOperation(s->home), &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        bool address = kind == OP_LOAD && op_has(ops[i], ATTR_ADDRESSES);
        behind |= is_wait(s, ops[i]);
        traits = mlirOperationEqual(ops[i], loop) ? READ : traits;
        if (behind && (op_traits(kind) & traits) && !address && !stands_in_wait(s, ops[i]) &&
            !is_copy(s, ops[i])) {
            return true;
        }
    }
    return false;
}

void waits_consume(struct specialise *s, MlirOperation loop) {
    if (s->wait_count == 0 || s->loop_count > 1 || !in_block(loop, s->home) || consumers_wait(s, loop)) {
        return;
    }
    struct builder b = builder_before(s->ir, loop);
    b.location = mlirOperationGetLocation(s->waits[0]);
    MlirBlock blocks[2];
    MlirValue none = build_compare(&b, INT_SGE, for_lower(loop), for_upper(loop));
    build_if(&b, none, NO_RESULTS, &blocks[0], &blocks[1]);
    for (size_t i = 0; i < s->wait_count; i++) {
        mlirOperationRemoveFromParent(s->waits[i]);
        mlirBlockAppendOwnedOperation(blocks[0], s->waits[i]);
    }
    for (int i = 0; i < 2; i++) {
        struct builder in = builder_at_end(s->ir, blocks[i], b.location);
        build_yield(&in, NO_OPERANDS);
    }
}
