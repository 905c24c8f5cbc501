// loads_together: the loads of a program that multiplies once, outside of loops, are under way together.
//
//   %a = tk.load %p                              %a = tk.load %p
//   %x = tk.convert_layout %a                    %b = tk.load %q
//   %b = tk.load %q                              %r = tk.load %o
//   %s = tk.dot %x, …                     →      %x = tk.convert_layout %a
//   %r = tk.load %o                              %s = tk.dot %x, …
//   tk.store %o, %s + %r                         tk.store %o, %s + %r
//
// Between two loads the program exchanges the first one's tile through shared memory, or multiplies it, behind barriers that no compiler
// moves loads over: it waits for memory once a load. A load moves up to the first op that reads a loaded tile as numbers (what computes
// addresses moves along). It passes conversions and dots, no store, no barrier and no loop.
//
// requires: layouts
// provides: nothing; keeps everything
// test:     tests/golden/passes/loads_together
#include "passes/pass.h"

#include "chip/registers.h"
#include "ir/build.h"

enum { MAX_OPS = 64, MOST_REGISTERS = 64 };

struct together {
    struct pass_context *context;
    struct ir *ir;
    struct map addresses; // ops that compute addresses and masks of the block's loads
    MlirOperation ops[MAX_OPS];
    size_t count;
};

static bool is_tile_load(struct ir *ir, MlirOperation op) {
    return op_kind(ir, op) == OP_LOAD && type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static void note_addresses(struct together *t, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        if (!mlirOperationIsNull(maker) &&
            mlirBlockEqual(mlirOperationGetBlock(maker), mlirOperationGetBlock(op)) &&
            !map_has(&t->addresses, maker.ptr)) {
            map_put(&t->addresses, maker.ptr, maker.ptr);
            note_addresses(t, maker);
        }
    }
}

static bool reads_loaded(const struct together *t, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        if (!mlirOperationIsNull(maker) && is_tile_load(t->ir, maker)) {
            return true;
        }
    }
    return false;
}

// Collects the op and its operands' ops behind `first`, each behind its operands' ops. False if one of them may not move there.
static bool collect(struct together *t, MlirOperation op, MlirOperation first) {
    for (size_t i = 0; i < t->count; i++) {
        if (mlirOperationEqual(t->ops[i], op)) {
            return true;
        }
    }
    enum op_kind kind = op_kind(t->ir, op);
    bool moves = (op_traits(kind) & PURE)
                     ? kind != OP_DOT && kind != OP_REDUCE && kind != OP_SCAN && kind != OP_GATHER
                     : kind == OP_LOAD && !load_is_volatile(op);
    if (!moves || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        bool behind = !mlirOperationIsNull(maker) &&
                      mlirBlockEqual(mlirOperationGetBlock(maker), mlirOperationGetBlock(op)) &&
                      !op_is_before(maker, first);
        if (behind && !collect(t, maker, first)) {
            return false;
        }
    }
    if (t->count == MAX_OPS) {
        return false;
    }
    t->ops[t->count++] = op;
    return true;
}

// The registers of the dots' sums, and of the loads ahead of `first`.
static unsigned held(struct ir *ir, MlirBlock block, MlirOperation first) {
    unsigned sums = 0, loaded = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        unsigned own = op_kind(ir, op) == OP_DOT ? registers_filled(ir, mlirOperationGetResult(op, 0)) : 0;
        sums = own > sums ? own : sums;
        loaded += is_tile_load(ir, op) && op_is_before(op, first)
                      ? registers_filled(ir, mlirOperationGetResult(op, 0))
                      : 0;
    }
    return sums + loaded;
}

static void move_loads(struct together *t, MlirBlock block, MlirOperation first, unsigned share) {
    unsigned taken = held(t->ir, block, first) + registers_reserved(RESERVE_LOADS_AHEAD_ONE_DOT), moved = 0;
    for (MlirOperation op = first, next; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        enum op_kind kind = op_kind(t->ir, op);
        if (!(op_traits(kind) & PURE) && kind != OP_LOAD) {
            return; // it may write or order memory
        }
        if (!is_tile_load(t->ir, op)) {
            continue;
        }
        unsigned own = registers_filled(t->ir, mlirOperationGetResult(op, 0));
        t->count = 0;
        if (load_is_volatile(op)) {
            return;
        }
        if (moved + own > MOST_REGISTERS || taken + own > share || !collect(t, op, first)) {
            continue;
        }
        for (size_t i = 0; i < t->count; i++) {
            mlirOperationMoveBefore(t->ops[i], first);
        }
        moved += own;
        taken += own;
    }
}

static void visit(struct together *t, MlirBlock block, unsigned share) {
    MlirOperation first = {NULL};
    map_clear(&t->addresses);
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (is_tile_load(t->ir, op)) {
            note_addresses(t, op);
        }
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op) && mlirOperationIsNull(first); op = mlirOperationGetNextInBlock(op)) {
        first = reads_loaded(t, op) && !map_has(&t->addresses, op.ptr) ? op : first;
    }
    if (!mlirOperationIsNull(first)) {
        move_loads(t, block, first, share);
    }
}

void pass_loads_together(struct pass_context *context, MlirModule module) {
    struct together t = {.context = context, .ir = context->ir};
    size_t count;
    unsigned share = 0;
    bool specialised = false;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    MlirBlock last = {NULL};
    for (size_t i = 0; i < count && context->target->vendor == VENDOR_NVIDIA; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_FUNC) {
            share = registers_share(context->target, (unsigned)op_int(ops[i], ATTR_NUM_WARPS), 1);
            specialised = op_has(ops[i], ATTR_PRODUCER_WARPS);
        }
        MlirBlock block = mlirOperationGetBlock(ops[i]);
        if (kind == OP_DOT && !specialised && !op_is_in_loop(context->ir, ops[i]) &&
            !mlirBlockEqual(block, last)) {
            visit(&t, block, share);
            last = block;
        }
    }
    map_free(&t.addresses);
}
