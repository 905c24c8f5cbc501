// waits: each warp runs for itself a loop of nothing but waits for memory.
//
//   scf.while {                                      scf.while {
//     %v = tk.atomic_rmw load %flags                   %v = tk.atomic_rmw load %flags {each_warp}
//     %least = tk.reduce min %v                  →     %least = tk.reduce min %v
//     scf.condition(%least < %epoch) } do { }          scf.condition(%least < %epoch) } do { } {each_warp}
//
// A load of changing memory is done by one thread for all, at the cost of two meetings of the block in each turn of
// the loop. A loop without effects and without results for the code behind it may be left by each warp at another time: its
// loads are then done once a warp and handed on within it. The barriers pass lets the block meet ahead of the
// loop, if at all, and behind it, before its next access to memory; never within it. A load ahead of the loop goes along if nothing but such loops read it.
//
// requires: layouts; flags are read by loads (flags)
// provides: `each_warp` on these loops and loads
// test:     tests/golden/passes/waits, tests/unit/test_several_gpus.c
#include "passes/pass.h"

#include "chip/scratch.h"
#include "ir/build.h"
#include "dialects/tk/words.h"

enum { MOST_LOOPS = 64, DEEPEST = 32 };

struct waits {
    struct pass_context *context;
    struct ir *ir;
    unsigned num_warps;
    MlirOperation loops[MOST_LOOPS];
    size_t count;
};

static bool is_one_of(const struct waits *w, MlirOperation loop) {
    for (size_t i = 0; i < w->count; i++) {
        if (mlirOperationEqual(w->loops[i], loop)) {
            return true;
        }
    }
    return false;
}

// A load done by one thread for all.
static bool is_watched(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return (kind == OP_ATOMIC_RMW && op_rmw_operation(op) == RMW_LOAD) ||
           (kind == OP_LOAD && load_is_volatile(op));
}

static bool within_warp(const struct waits *w, MlirOperation op) {
    return scratch_within_warp(w->ir, w->context->target, w->num_warps, op);
}

static bool stays(const struct waits *w, MlirValue value, int depth);

static bool results_stay(const struct waits *w, MlirOperation op, int depth) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (!stays(w, mlirOperationGetResult(op, i), depth + 1)) {
            return false;
        }
    }
    return true;
}

// True if one use of a value leads to the conditions of the loops alone. A loop's results have no uses.
static bool use_stays(const struct waits *w, MlirOpOperand use, int depth) {
    MlirOperation user = mlirOpOperandGetOwner(use), parent = mlirOperationGetParentOperation(user);
    enum op_kind kind = op_kind(w->ir, user);
    unsigned number = mlirOpOperandGetOperandNumber(use);
    if (kind == OP_WHILE) {
        return is_one_of(w, user) && stays(w, mlirBlockGetArgument(op_body(user, 0), number), depth + 1);
    }
    if (kind == OP_CONDITION) {
        return is_one_of(w, parent) &&
               (number == 0 || stays(w, mlirBlockGetArgument(op_body(parent, 1), number - 1), depth + 1));
    }
    if (kind == OP_YIELD || kind == OP_SCF_YIELD) {
        return is_one_of(w, parent) && stays(w, mlirBlockGetArgument(op_body(parent, 0), number), depth + 1);
    }
    return within_warp(w, user) && results_stay(w, user, depth);
}

static bool stays(const struct waits *w, MlirValue value, int depth) {
    bool all = depth < DEEPEST;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); all && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        all = use_stays(w, use, depth);
    }
    return all;
}

// True if the loop does nothing but wait: it reads, computes within a warp, and gives no result.
static bool only_waits(const struct waits *w, MlirOperation loop) {
    bool watches = false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        if (value_has_uses(mlirOperationGetResult(loop, i))) {
            return false;
        }
    }
    for (int region = 0; region < 2; region++) {
        for (MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, region)); !mlirOperationIsNull(op);
             op = mlirOperationGetNextInBlock(op)) {
            bool ends = mlirOperationEqual(op, mlirBlockGetTerminator(op_body(loop, region)));
            bool reads =
                is_watched(w->ir, op) || (op_kind(w->ir, op) == OP_LOAD && op_has(op, ATTR_ADDRESSES));
            watches |= is_watched(w->ir, op);
            if (!ends && !reads && !within_warp(w, op)) {
                return false;
            }
        }
    }
    return watches;
}

// True if the results of the loop's loads stay in this loop.
static bool keeps_its_loads(const struct waits *all, MlirOperation loop) {
    struct waits one = {.context = all->context, .ir = all->ir, .num_warps = all->num_warps, .count = 1};
    one.loops[0] = loop;
    for (int region = 0; region < 2; region++) {
        for (MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, region)); !mlirOperationIsNull(op);
             op = mlirOperationGetNextInBlock(op)) {
            if (is_watched(all->ir, op) && !stays(&one, mlirOperationGetResult(op, 0), 0)) {
                return false;
            }
        }
    }
    return true;
}

static void visit(struct pass_context *context, MlirOperation function) {
    struct waits w = {
        .context = context, .ir = context->ir, .num_warps = (unsigned)op_int(function, ATTR_NUM_WARPS)};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    if (op_has(function, ATTR_PRODUCER_WARPS)) { // warps have roles
        return;
    }
    for (size_t i = 0; i < count && w.count < MOST_LOOPS; i++) {
        if (op_kind(context->ir, ops[i]) == OP_WHILE && only_waits(&w, ops[i]) &&
            keeps_its_loads(&w, ops[i])) {
            w.loops[w.count++] = ops[i];
        }
    }
    for (size_t i = 0; i < w.count; i++) {
        op_set_unit(context->ir, w.loops[i], ATTR_EACH_WARP);
    }
    for (size_t i = 0; i < count && w.count > 0; i++) {
        MlirValue result = {NULL};
        if (is_watched(context->ir, ops[i]) && value_has_uses(result = mlirOperationGetResult(ops[i], 0)) &&
            stays(&w, result, 0)) {
            op_set_unit(context->ir, ops[i], ATTR_EACH_WARP);
        }
    }
}

void pass_waits(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        visit(context, op);
    }
}
