// residuals_ahead: tiles needed only with a product's results are loaded ahead of the product's loop.
//
//   scf.for %tile = … {                           scf.for %tile = … {
//     %sum = scf.for … { products }                 %r = tk.load %residual
//     %r = tk.load %residual                 →      %sum = scf.for … { products }
//     tk.bulk_store … %sum + %r                     tk.bulk_store … %sum + %r
//   }                                             }
//
// Behind the loop the matrix units wait for memory once a tile. Warps of products from slots of shared memory have registers beside
// their sums: of 240 a thread tiles of 128 x 256 take 128, so the tile is under way during the first products. Only loads with room
// beside the sums move. A load passes the loop alone, if the loop stores nothing, and no store or barrier.
//
// requires: specialise, layouts
// provides: nothing; keeps everything
// test:     tests/golden/passes/residuals_ahead
#include "chip/registers.h"
#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/pass.h"

enum { MAX_OPS = 64, CONSUMERS = 1 };

struct ahead {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    MlirOperation products; // the loop, or the branch around it
    MlirOperation ops[MAX_OPS];
    size_t count;
};

static bool has_products(struct ahead *a, MlirOperation op, bool *writes) {
    size_t count;
    MlirOperation *ops = ops_collect(a->ir, a->context->arena, op, &count);
    bool dots = false;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(a->ir, ops[i]);
        dots |= kind == OP_WARPGROUP_DOT;
        *writes |= (op_traits(kind) & WRITE) || op_orders_memory(a->ir, ops[i]);
    }
    return dots;
}

// Collects the op and its operands' ops behind the products. False if they are among it.
static bool collect(struct ahead *a, MlirOperation op) {
    for (size_t i = 0; i < a->count; i++) {
        if (mlirOperationEqual(a->ops[i], op)) {
            return true;
        }
    }
    enum op_kind kind = op_kind(a->ir, op);
    unsigned warps = op_num_warps(a->function);
    if (!(op_traits(kind) & PURE || kind == OP_LOAD) || mlirOperationGetNumRegions(op) > 0 ||
        scratch_bytes(a->ir, a->context->target, warps, op) > 0) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        bool behind = !mlirOperationIsNull(maker) &&
                      mlirBlockEqual(mlirOperationGetBlock(maker), mlirOperationGetBlock(op)) &&
                      !op_is_before(maker, a->products);
        if (behind && (mlirOperationEqual(maker, a->products) || !collect(a, maker))) {
            return false;
        }
    }
    if (a->count == MAX_OPS) {
        return false;
    }
    a->ops[a->count++] = op;
    return true;
}

// Registers of a thread beside the sums.
static unsigned registers_beside(struct ahead *a) {
    struct registers_specialised share =
        registers_specialised(a->context->target, op_num_warps(a->function), registers_producer(a->function),
                              (unsigned)op_int(a->function, ATTR_PERSISTENT));
    unsigned taken = registers_reserved(RESERVE_WARPGROUP_PRODUCT);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(a->products); i++) {
        taken += registers_of(a->ir, mlirOperationGetResult(a->products, i));
    }
    return share.consumer > taken ? share.consumer - taken : 0;
}

static void move_loads(struct ahead *a) {
    unsigned left = registers_beside(a);
    for (MlirOperation op = mlirOperationGetNextInBlock(a->products), next; !mlirOperationIsNull(op);
         op = next) {
        enum op_kind kind = op_kind(a->ir, op);
        next = mlirOperationGetNextInBlock(op);
        if ((op_traits(kind) & WRITE) || mlirOperationGetNumRegions(op) > 0 || op_orders_memory(a->ir, op)) {
            return;
        }
        if (kind != OP_LOAD) {
            continue;
        }
        unsigned registers = registers_of(a->ir, mlirOperationGetResult(op, 0));
        a->count = 0;
        if (registers > left || !collect(a, op)) {
            continue;
        }
        for (size_t i = 0; i < a->count; i++) {
            mlirOperationMoveBefore(a->ops[i], a->products);
        }
        left -= registers;
    }
}

static void find_products(struct ahead *a, MlirBlock block) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        bool writes = false;
        enum op_kind kind = op_kind(a->ir, op);
        if ((kind != OP_FOR && kind != OP_IF) || !has_products(a, op, &writes)) {
            continue;
        }
        a->products = op;
        if (!writes) {
            move_loads(a);
            return;
        }
        for (int i = 0; i < mlirOperationGetNumRegions(op); i++) {
            find_products(a, op_body(op, i));
        }
    }
}

void pass_residuals_ahead(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_SPECIALISE) {
            struct ahead a = {
                .context = context, .ir = context->ir, .function = mlirOperationGetParentOperation(ops[i])};
            find_products(&a, op_body(ops[i], CONSUMERS));
        }
    }
}
