// Dots with sums in tensor memory (tcgen05). Both operands are read from shared memory, like those of
// warpgroups (layouts_warpgroup.c). The sums come to registers once, in the layout of the instruction's results, so a dot
// keeps the instructions of single warps if something reads its sums beside the product: in loops with more use for the
// sums than to scale and carry them.
//
// In a chain of dots (attention) a computed left operand goes to tensor memory too, in the layout of the results of the dot
// before it. All dots of such a function are in tensor memory, or none.
#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"
#include "passes/layout/layouts.h"
#include "passes/layout/legal_dots.h"

enum { MOST_WORDS = 256 }; // of a thread

// The tile whose multiple the sum is: the factor is applied in tensor memory.
static MlirValue before_scaling(struct layouts *l, MlirValue sum) {
    MlirOperation op = value_op(sum);
    if (mlirOperationIsNull(op) || op_kind(l->ir, op) != OP_MULF || !value_has_one_use(sum)) {
        return sum;
    }
    return mlirValueIsABlockArgument(binary_left(op)) ? binary_left(op) : binary_right(op);
}

// True if the loop around the dot carries the dot's result to its next iteration's sum, and does nothing else with
// it. In a chain of dots the sum may be scaled on its way.
static bool is_carried(struct layouts *l, MlirOperation dot, bool chained) {
    MlirValue sum = chained ? before_scaling(l, dot_c(dot)) : dot_c(dot),
              result = mlirOperationGetResult(dot, 0);
    MlirBlock body = mlirOperationGetBlock(dot);
    if (op_kind(l->ir, mlirOperationGetParentOperation(dot)) != OP_FOR || !mlirValueIsABlockArgument(sum) ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(sum), body) || !value_has_one_use(sum) ||
        !value_has_one_use(result)) {
        return false;
    }
    intptr_t argument = mlirBlockArgumentGetArgNumber(sum);
    return argument > 0 &&
           value_is(mlirOperationGetOperand(mlirBlockGetTerminator(body), argument - 1), result);
}

unsigned layouts_tensor_columns(MlirType c) {
    return (unsigned)(type_extent(c, 0) / TENSOR_ROWS * type_extent(c, 1));
}

unsigned layouts_scale_columns(MlirOperation dot) {
    if (!dot_has_scales(dot)) {
        return 0;
    }
    MlirType a = mlirValueGetType(dot_a_scale(dot)), b = mlirValueGetType(dot_b_scale(dot));
    return tcgen05_scale_columns(type_extent(a, 0), type_extent(a, 1)) +
           tcgen05_scale_columns(type_extent(b, 0), type_extent(b, 1));
}

static unsigned words_of(struct layouts *l, MlirType tile) {
    return (unsigned)type_elements(tile) / (l->num_warps * l->context->target->warp_size);
}

bool layouts_fits_tensor_memory(struct layouts *l, MlirOperation dot, const struct mma *mma, bool chained) {
    MlirType c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    unsigned columns = chained ? l->tensor_columns
                               : l->tensor_columns + layouts_tensor_columns(c) + layouts_scale_columns(dot);
    if (chained && dot_has_scales(dot)) {
        return decline(l->context, dot, REASON_TENSOR_CHAIN);
    }
    if (!fills_with_zero(l->ir, dot_c(dot)) && !is_carried(l, dot, chained)) {
        return decline(l->context, dot, REASON_TENSOR_SUMS);
    }
    if (type_extent(c, 1) < 2 * mma->n) {
        return decline(l->context, dot, REASON_TENSOR_SHAPE);
    }
    // Registers hold the sums when they are read, and not before: a few spills a tile, none in the loop.
    if (words_of(l, c) > MOST_WORDS) {
        return decline_numbers(l->context, dot, REASON_TENSOR_REGISTERS, words_of(l, c), MOST_WORDS);
    }
    if (columns > TENSOR_COLUMNS) {
        return decline_numbers(l->context, dot, REASON_TENSOR_COLUMNS, columns, TENSOR_COLUMNS);
    }
    return true;
}

bool layouts_left_in_tensor_memory(struct layouts *l, MlirOperation dot, const struct mma *mma) {
    MlirType a = mlirValueGetType(dot_a(dot));
    if (mma_type_bits(mma->a) != TENSOR_LEFT_BITS) {
        return decline(l->context, dot, REASON_TENSOR_LEFT);
    }
    return type_extent(a, 1) >= TENSOR_LEFT_DEPTH || decline(l->context, dot, REASON_TENSOR_SHAPE);
}
