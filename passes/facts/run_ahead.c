// Checks if the loads of a loop may run ahead of everything else in the program.
//
//   tl.store(scratch …)                                    by the computing warps
//   tl.debug_barrier()
//   for …: t = tl.load(scratch …); u = tl.dot(t, …)        loads by a copying warp, without a wait for the others
//
// A warp with nothing but loads waits at no barrier of the others. So the memory it reads must be final at
// the start of the kernel. Barriers, volatile loads, assembly with effects, and atomics with used results
// could make stores of other programs visible: none may stand before the loop, in it, or in a loop around it.
// Stores, and atomics with unused results, may stand there if they use other arguments than the loads
// (apart.c): a persistent kernel stores a tile and loads the next one. Ops in another way of a branch than the loads are another program's.
// Waits for flags of other GPUs may stand there if the warp runs them itself. After the loops any op may stand: only
// a waiting program could depend on its effect, and no program waits. This is checked, too: a block runs its programs
// one after the other, so one of them would wait for ever for a later one of the same block.
//
// test: tests/unit/test_run_ahead.c
#include "passes/facts/run_ahead.h"

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/apart.h"

static bool reads_memory(struct pass_context *context, MlirOperation root) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, root, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_traits(op_kind(context->ir, ops[i])) & READ) {
            return true;
        }
    }
    return false;
}

struct origin {
    struct pass_context *context;
    MlirOperation loop; // loads outside of it are not done again while it runs
    struct map seen;
};

static bool stands_in(MlirOperation op, MlirOperation loop) {
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

static bool comes_from_memory(struct origin *o, MlirValue value);

static bool any_comes_from_memory(struct origin *o, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (comes_from_memory(o, mlirOperationGetOperand(op, i))) {
            return true;
        }
    }
    return false;
}

// A load that nobody is waited for with: in a loop that ends by it, at other addresses in each turn, of memory that the program does not
// write. Loads that wait are volatile (simplify/polled_loads.c).
static bool searches(struct ir *ir, MlirOperation op) {
    return op_kind(ir, op) == OP_LOAD && !load_is_volatile(op);
}

// A result of a loop or branch. It comes from memory if an operand or a terminator of the op does.
static bool flow_comes_from_memory(struct origin *o, MlirOperation op) {
    bool any = any_comes_from_memory(o, op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op) && !any; r++) {
        any = !mlirBlockIsNull(op_body(op, (int)r)) &&
              any_comes_from_memory(o, mlirBlockGetTerminator(op_body(op, (int)r)));
    }
    return any;
}

static bool comes_from_memory(struct origin *o, MlirValue value) {
    struct ir *ir = o->context->ir;
    bool argument = mlirValueIsABlockArgument(value);
    MlirOperation op =
        argument ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)) : value_op(value);
    enum op_kind kind = op_kind(ir, op);
    bool flows = kind == OP_FOR || kind == OP_WHILE || kind == OP_IF;
    if (!stands_in(op, o->loop) || map_has(&o->seen, flows ? op.ptr : value.ptr)) {
        return false;
    }
    map_put(&o->seen, flows ? op.ptr : value.ptr, op.ptr);
    if (flows) {
        return flow_comes_from_memory(o, op);
    }
    bool reads = (op_traits(kind) & READ) && !searches(o->context->ir, op);
    return reads || (mlirOperationGetNumRegions(op) > 0 && reads_memory(o->context, op)) ||
           any_comes_from_memory(o, op);
}

// True if the loop's condition is computed from its own loads.
static bool ends_by_memory(struct pass_context *context, MlirOperation loop) {
    struct origin origin = {.context = context, .loop = loop};
    bool ends = comes_from_memory(&origin, condition_flag(mlirBlockGetTerminator(op_body(loop, 0))));
    map_free(&origin.seen);
    return ends;
}

bool waits_for_ranks(struct pass_context *context, MlirOperation loop) {
    size_t count;
    bool flags = false, others = mlirOperationGetNumResults(loop) > 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    for (size_t i = 0; i < count && !others; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        bool flag = kind == OP_ATOMIC_RMW && op_rmw_operation(ops[i]) == RMW_LOAD &&
                    op_memory_scope(ops[i]) == SCOPE_SYS &&
                    !mlirValueIsNull(pointer_array(context->ir, access_pointer(ops[i])));
        bool address = kind == OP_LOAD && op_has(ops[i], ATTR_ADDRESSES);
        flags |= flag;
        others = !flag && !address && !(op_traits(kind) & (PURE | TERMINATOR));
    }
    return flags && !others;
}

// No `while` loop may end by its own loads, but for a search: their values could depend on another program's stores. Waits for programs of other GPUs are
// allowed, for those programs run meanwhile (passes/specialise/specialise_waits.c).
static bool waits_for_no_memory(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_WHILE && reads_memory(context, ops[i]) &&
            ends_by_memory(context, ops[i]) && !waits_for_ranks(context, ops[i])) {
            return decline(context, ops[i], REASON_WAITS_FOR_MEMORY);
        }
    }
    return true;
}

// All ops of the function up to the end of the top-level op around the loop: the ops before the loop, and between two of its rounds.
static size_t ops_before(struct pass_context *context, MlirOperation function, MlirOperation loop,
                         MlirOperation **ops) {
    size_t count, before = 0;
    *ops = ops_collect(context->ir, context->arena, function, &count);
    MlirOperation behind = mlirOperationGetNextInBlock(op_in_block(loop, op_body(function, 0)));
    while (before < count && !mlirOperationEqual((*ops)[before], behind)) {
        before++;
    }
    return before;
}

// The block of the branch around the op; null if the op is in neither block.
static MlirBlock way_of(MlirOperation op, MlirOperation branch) {
    for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op)) {
        if (mlirOperationEqual(mlirOperationGetParentOperation(op), branch)) {
            return mlirOperationGetBlock(op);
        }
    }
    return (MlirBlock){NULL};
}

static bool is_repeated(struct ir *ir, MlirOperation op, MlirOperation function) {
    for (; !mlirOperationEqual(op, function); op = mlirOperationGetParentOperation(op)) {
        if (op_kind(ir, op) == OP_FOR || op_kind(ir, op) == OP_WHILE) {
            return true;
        }
    }
    return false;
}

struct ahead {
    struct pass_context *context;
    MlirOperation function, loop;
    const MlirOperation *loads, *waits;
    size_t load_count, wait_count;
};

// True if no program runs both the op and one of the loads: the two are in different ways of a branch outside of all loops.
static bool goes_another_way(const struct ahead *a, MlirOperation op) {
    MlirOperation branch = mlirOperationGetParentOperation(op);
    for (; !mlirOperationEqual(branch, a->function); branch = mlirOperationGetParentOperation(branch)) {
        MlirBlock way = way_of(op, branch);
        bool apart = op_kind(a->context->ir, branch) == OP_IF &&
                     !is_repeated(a->context->ir, branch, a->function) &&
                     !mlirBlockIsNull(way_of(a->loop, branch));
        for (size_t i = 0; i < a->load_count && apart; i++) {
            apart = !mlirBlockEqual(way_of(a->loads[i], branch), way);
        }
        if (apart && !mlirBlockEqual(way_of(a->loop, branch), way)) {
            return true;
        }
    }
    return false;
}

bool ops_exclude(struct pass_context *context, MlirOperation function, MlirOperation op,
                 MlirOperation other) {
    struct ahead ahead = {.context = context, .function = function, .loop = other};
    return goes_another_way(&ahead, op);
}

// A barrier behind a store to shared memory: it orders nothing else (pipeline/reload.c).
static bool orders_shared_memory(struct ir *ir, MlirOperation op) {
    MlirBlock block = mlirOperationGetBlock(op);
    MlirOperation before = {NULL};
    if (op_kind(ir, op) != OP_BARRIER) {
        return false;
    }
    for (MlirOperation at = mlirBlockGetFirstOperation(block); !mlirOperationEqual(at, op);
         at = mlirOperationGetNextInBlock(at)) {
        before = at;
    }
    return !mlirOperationIsNull(before) && op_kind(ir, before) == OP_SMEM_STORE;
}

// The ops ahead of the loads in their program, without the waits.
static size_t ops_ahead(const struct ahead *a, MlirOperation **ops) {
    size_t count = ops_before(a->context, a->function, a->loop, ops), kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool waits = false;
        for (size_t n = 0; n < a->wait_count; n++) {
            waits |= mlirOperationEqual(mlirOperationGetParentOperation((*ops)[i]), a->waits[n]);
        }
        if (!waits && !goes_another_way(a, (*ops)[i]) && !orders_shared_memory(a->context->ir, (*ops)[i])) {
            (*ops)[kept++] = (*ops)[i];
        }
    }
    return kept;
}

bool loads_may_run_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                         const MlirOperation *loads, size_t load_count, const MlirOperation *waits,
                         size_t wait_count) {
    struct ahead ahead = {context, function, loop, loads, waits, load_count, wait_count};
    MlirOperation *ops;
    size_t count = ops_ahead(&ahead, &ops);
    return loads_pass_ops(context, ops, count, loads, load_count, REASON_ORDERS_MEMORY) &&
           waits_for_no_memory(context, function);
}

void loads_assume_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                        const MlirOperation *loads, size_t load_count, const MlirOperation *waits,
                        size_t wait_count) {
    struct ahead ahead = {context, function, loop, loads, waits, load_count, wait_count};
    MlirOperation *ops;
    size_t count = ops_ahead(&ahead, &ops);
    loads_assume_apart_of(context, function, ops, count, loads, load_count);
}
