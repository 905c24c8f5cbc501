// halved_columns: a tile whose product is scaled before it is added is computed in two halves of columns.
//
//   %y = tk.load %b : 128x256                          %y0, %y1 = tk.load … : 128x128
//   %d = tk.dot %x, %y, 0                              %d0 = tk.dot %x, %y0, 0
//   %s = %sum + %d · %scales                     →     %s0 = %sum0 + %d0 · %scales0
//   scf.yield %s                                       %d1 = tk.dot %x, %y1, 0 …
//   tk.store %c, %s                                    tk.store %c0, %s0 · tk.store %c1, %s1
//
// Reason: registers hold such a tile twice, as sums and as the product of a step. 128×256 numbers on eight warps are 256
// registers of a thread. In halves the product of one half is there at a time: 192. So the tile may be as large as the tile of a
// product without scales, with three quarters of the copies to shared memory for the same products.
//
// Condition: the product is used by elementwise ops alone, sums carried by loops, and plain stores behind its loop; its columns come
// from ranges, loads and elementwise ops. The ops of each half are the ops of the whole on half as many columns. Dead code is dropped by
// cleanup.
//
// requires: a tile program without layouts
// provides: the same program; dead tiles
// test:     tests/golden/passes/halved_columns, tests/lang/forms.tk
#include "passes/simplify/halves.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/dimensions.h"
#include "passes/facts/tile_access.h"
#include "passes/facts/value_work.h"

enum { WARP_THREADS = 32, WARPGROUP_WARPS = 4, WARPGROUP_ROWS = 64 };
// Registers of a thread for one tile of products: twice as many are not to be had beside addresses and scales.
enum { MOST_PRODUCTS = 127, LEAST_COLUMNS = 256 };

struct halved {
    struct halving halves;
    MlirOperation *stores;
    size_t store_count, most_stores;
};

// ---- asking ----

// True if the reader stands behind the product's loop, or is an op of the product's own block without a trace in memory: the second
// half's ops move to the block's end, past the waits for a store, and nested blocks would stay ahead of them.
static bool may_follow(struct ir *ir, MlirOperation dot, MlirOperation reader) {
    MlirOperation op = op_in_block(reader, mlirOperationGetBlock(dot));
    return mlirOperationIsNull(op) || (mlirOperationEqual(op, reader) && op_kind(ir, op) != OP_STORE);
}

// Notes a reader of a tile of products. False if it is no elementwise op, sum of a loop or plain store.
static bool note_reader(struct halved *h, struct value_work *work, MlirOpOperand use) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    enum op_kind kind = op_kind(h->halves.ir, op);
    if (kind == OP_STORE) {
        bool room = h->store_count < h->most_stores;
        for (size_t i = 0; i < h->store_count; i++) {
            if (mlirOperationEqual(h->stores[i], op)) {
                return true;
            }
        }
        if (room) {
            h->stores[h->store_count++] = op;
        }
        return room && mlirOpOperandGetOperandNumber(use) == at_store_value;
    }
    if (kind == OP_SCF_YIELD || kind == OP_FOR) {
        MlirOperation loop = kind == OP_FOR ? op : mlirOperationGetParentOperation(op);
        intptr_t number = mlirOpOperandGetOperandNumber(use) - (kind == OP_FOR ? at_for_init : 0);
        if (op_kind(h->halves.ir, loop) != OP_FOR || number < 0) {
            return false;
        }
        value_work_add(work, mlirBlockGetArgument(op_body(loop, 0), number + 1));
        value_work_add(work, mlirOperationGetResult(loop, number));
        return true;
    }
    bool passes = (op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE) &&
                  mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0;
    if (passes) {
        value_work_add(work, mlirOperationGetResult(op, 0));
    }
    return passes;
}

// True if all ops on the product can be done in halves; the stores at its ends are noted.
static bool ends_in_stores(struct halved *h, MlirOperation dot) {
    struct value_work work = {.arena = h->halves.arena};
    bool fine = true;
    value_work_add(&work, mlirOperationGetResult(dot, 0));
    for (MlirValue value; fine && !mlirValueIsNull(value = value_work_take(&work));) {
        MlirOpOperand use = mlirValueGetFirstUse(value);
        for (; fine && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
            fine = may_follow(h->halves.ir, dot, mlirOpOperandGetOwner(use)) && note_reader(h, &work, use);
        }
    }
    value_work_free(&work);
    for (size_t s = 0; fine && s < h->store_count; s++) {
        for (intptr_t i = 0; fine && i < mlirOperationGetNumOperands(h->stores[s]); i++) {
            fine = can_halve(&h->halves, mlirOperationGetOperand(h->stores[s], i), 1);
        }
    }
    return fine && h->store_count > 0;
}

// True for a product added to a loop's sum by other ops than the dot, and too large to be held twice.
static bool is_large_term(struct ir *ir, MlirOperation dot) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(dot, 0));
    if (op_kind(ir, dot) != OP_DOT || type_rank(type) != 2 || !fills_with_zero(ir, dot_c(dot)) ||
        op_kind(ir, mlirOperationGetParentOperation(dot)) != OP_FOR) {
        return false;
    }
    unsigned warps = op_num_warps(dot);
    int64_t rows = type_extent(type, 0), columns = type_extent(type, 1);
    bool warpgroups = warps % WARPGROUP_WARPS == 0 && rows * WARPGROUP_WARPS == WARPGROUP_ROWS * warps;
    return warpgroups && columns >= LEAST_COLUMNS &&
           rows * columns / (WARP_THREADS * warps) > MOST_PRODUCTS &&
           type_bits(type_element(mlirValueGetType(dot_a(dot)))) <= 16;
}

// ---- building ----

// Moves the second half's product, and all of the loop's ops with it, behind the first half's: registers hold one at a time.
static void one_after_the_other(struct halved *h, MlirOperation dot) {
    struct map behind = {0};
    MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(dot));
    size_t count = 0;
    for (MlirOperation op = dot; !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
        count++;
    }
    MlirOperation *moved = ARENA_ARRAY(h->halves.arena, MlirOperation, count);
    size_t moves = 0;
    for (MlirOperation op = dot; !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
        bool follows = mlirOperationEqual(op, dot);
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
            follows |= !mlirOperationIsNull(maker) && map_has(&behind, maker.ptr);
        }
        if (follows) {
            map_put(&behind, op.ptr, (void *)op.ptr);
            moved[moves++] = op;
        }
    }
    for (size_t i = 0; i < moves; i++) {
        mlirOperationMoveBefore(moved[i], end);
    }
    map_free(&behind);
}

static void rewrite(struct halved *h, MlirOperation dot) {
    for (size_t i = 0; i < h->store_count; i++) {
        for (int half = 1; half >= 0; half--) { // each goes directly behind the whole
            MlirOperation made = halve_op(&h->halves, h->stores[i], 1, half);
            if (half == 1) {
                op_set_unit(h->halves.ir, made, ATTR_SHARES);
            }
        }
        mlirOperationDestroy(h->stores[i]);
    }
    MlirValue second = {map_get(&h->halves.made[1], mlirOperationGetResult(dot, 0).ptr)};
    one_after_the_other(h, value_op(second));
}

// True if the function's one dot is rewritten.
static void rewrite_function(struct pass_context *context, MlirOperation function) {
    size_t count, dots = 0;
    MlirOperation dot = {NULL};
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    struct halved h = {.halves = {.ir = context->ir, .arena = context->arena}, .most_stores = count};
    h.stores = ARENA_ARRAY(context->arena, MlirOperation, count + 1);
    for (size_t i = 0; i < count; i++) {
        bool multiplies = op_kind(context->ir, ops[i]) == OP_DOT;
        dot = multiplies ? ops[i] : dot;
        dots += multiplies;
    }
    if (dots == 1 && is_large_term(context->ir, dot) && ends_in_stores(&h, dot)) {
        rewrite(&h, dot);
    }
    halving_close(&h.halves);
}

void pass_halved_columns(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE(WGMMA))) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        rewrite_function(context, op);
    }
}
