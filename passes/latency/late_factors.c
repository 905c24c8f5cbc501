// Factors of rows that a tile's sums are multiplied by ahead of their parking (late_epilogues.c): loaded ahead of the products.
//
//   %sums = scf.for … { products }                 %factor = tk.load …
//   %factor = tk.load …                      →     %sums = scf.for … { products }
//   tk.park %sums * %factor                        tk.park %sums * %factor
//
// Behind the products each tile would wait for memory. Ahead of them the loads pass the store of the tile before, as roles has assumed. There they
// wait for the divisions that give the tile's place in the grid. Loads a whole tile ahead would not, but take longer (TRIED.md has the times).
#include "chip/registers.h"
#include "chip/scratch.h"
#include "passes/latency/late_epilogues.h"

enum { MOST_REGISTERS = 4 }; // of a thread, for a load beside the sums

// True if the op stands behind the products.
static bool is_behind(const struct late *l, MlirOperation op) {
    return mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(l->products)) &&
           !op_is_before(op, l->products);
}

// True if the op may be computed ahead of the products: it stands there, or all of its operands may.
static bool may_be_ahead(const struct late *l, MlirOperation op) {
    if (!is_behind(l, op)) {
        return true;
    }
    enum op_kind kind = op_kind(l->ir, op);
    bool may = ((op_traits(kind) & PURE) || kind == OP_LOAD) && mlirOperationGetNumRegions(op) == 0 &&
               scratch_bytes(l->ir, l->context->target, op_num_warps(op), op) == 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && may; i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        may = mlirOperationIsNull(maker) || may_be_ahead(l, maker);
    }
    return may;
}

static void move_ahead(const struct late *l, MlirOperation op) {
    if (!is_behind(l, op)) {
        return;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        if (!mlirOperationIsNull(maker)) {
            move_ahead(l, maker);
        }
    }
    mlirOperationMoveBefore(op, l->products);
}

void late_factors(const struct late *l) {
    for (size_t i = 0; i < l->epilogue.factor_load_count; i++) {
        MlirOperation load = l->epilogue.factor_loads[i];
        if (registers_of(l->ir, mlirOperationGetResult(load, 0)) <= MOST_REGISTERS && may_be_ahead(l, load)) {
            move_ahead(l, load);
        }
    }
}
