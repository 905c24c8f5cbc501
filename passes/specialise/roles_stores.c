// Finds the stores and additions that become bulk copies from shared memory (TMA), for roles.c: those of results behind the loops, and
// additions within a loop whose product runs aside.
#include "passes/specialise/specialise.h"

#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/run_ahead.h"

size_t map_count(const struct specialise *s) {
    size_t count = s->kept_count + s->store_count + s->residual_count;
    for (size_t n = 0; n < s->loop_count; n++) {
        count += s->loops[n].load_count;
    }
    return count;
}

static bool is_store_of(const struct specialise *s, MlirOperation op) {
    for (size_t i = 0; i < s->store_count; i++) {
        if (mlirOperationEqual(s->stores[i].access, op)) {
            return true;
        }
    }
    return false;
}

// True if the op reads memory through an argument without bulk stores (apart.c).
static bool reads_apart(struct specialise *s, MlirOperation op) {
    MlirValue from = op_kind(s->ir, op) == OP_LOAD && !load_is_volatile(op)
                         ? pointer_argument(s->ir, load_pointer(op))
                         : (MlirValue){NULL};
    bool apart = !mlirValueIsNull(from);
    for (size_t i = 0; i < s->store_count && apart; i++) {
        apart = !value_is(s->stores[i].tile.base, from);
    }
    return apart;
}

// True for a stage loop with additions to memory in it.
static bool stores_within(struct specialise *s, MlirOperation loop) {
    for (size_t i = 0; i < s->store_count; i++) {
        if (mlirOperationEqual(mlirOperationGetParentOperation(s->stores[i].access), loop)) {
            return stage_at(s, loop);
        }
    }
    return false;
}

// True if bulk stores may replace the stores. They reach memory by the async proxy, unordered with the
// program's other accesses. So they must be the function's only writes, and no later op may read the written
// elements or release them to others. Every op in a loop of the spine counts as later than the stores in it.
static bool stores_end_program(struct specialise *s) {
    if (s->store_count == 0) {
        return true;
    }
    size_t count;
    bool behind = false, between = false; // behind a store; in a loop of the spine, ahead of its stores
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        unsigned traits = op_traits(kind);
        if (is_store_of(s, ops[i])) {
            // A tensor copy adds without an order: the addition may publish nothing.
            bool publishes = s->store_count > 1 || stage_at(s, mlirOperationGetParentOperation(ops[i]));
            if (kind == OP_ATOMIC_RMW && op_memory_order(ops[i]) != ORDER_RELAXED && publishes) {
                return decline(s->context, ops[i], REASON_LAST_ACCESS);
            }
            behind = true;
        } else if (((kind == OP_FOR || kind == OP_WHILE) && on_spine(s, ops[i])) ||
                   stores_within(s, ops[i])) {
            between = true;
        } else if (kind != OP_ASSUME && kind != OP_ASSERT && !stands_in_wait(s, ops[i]) &&
                   !ops_exclude(s->context, s->function, ops[i], s->stores[0].access)) {
            bool orders = traits & (READ | SYNC);
            bool apart = reads_apart(s, ops[i]);
            if ((traits & WRITE) || (behind && orders && !(between && apart)) ||
                (between && orders && !apart)) {
                return decline(s->context, ops[i], REASON_LAST_ACCESS);
            }
        }
    }
    return true;
}

// The next op in program order: the successor in its block, or in a block around it.
static MlirOperation next_behind(const struct specialise *s, MlirOperation op) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    while (mlirOperationIsNull(next) && !in_block(op, s->body)) {
        op = mlirOperationGetParentOperation(op);
        next = mlirOperationGetNextInBlock(op);
    }
    return next;
}

static void find_store(struct specialise *s, MlirOperation op) {
    if (!may_store_box(s, op) || s->store_count == SPECIALISE_MAX_STORES ||
        map_count(s) == SPECIALISE_MAX_MAPS) {
        return;
    }
    if (store_copy(s, op, &s->stores[s->store_count])) {
        s->store_count++;
    } else {
        reason_keep(s->context, op, ATTR_TENSOR_COPY);
    }
}

// Additions of a dot's result within a loop; the dot runs aside (specialise_aside.c).
static void find_additions(struct specialise *s, const struct stage_loop *stage) {
    MlirBlock body = op_body(stage->loop, 0);
    for (MlirOperation op = mlirBlockGetFirstOperation(body);
         !mlirOperationIsNull(stage->aside) && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_ATOMIC_RMW) {
            find_store(s, op);
        }
    }
}

void find_stores(struct specialise *s) {
    for (size_t i = 0; i < s->loop_count; i++) {
        find_additions(s, &s->loops[i]);
    }
    for (MlirOperation op = s->loops[s->loop_count - 1].loop; !mlirOperationIsNull(op);
         op = next_behind(s, op)) {
        find_store(s, op);
    }
    if (!stores_end_program(s)) {
        struct declined declined = s->context->declined;
        for (size_t i = 0; i < s->store_count; i++) {
            s->context->declined = declined;
            reason_keep(s->context, s->stores[i].access, ATTR_TENSOR_COPY);
        }
        s->store_count = 0;
    }
}
