// Dots whose sums stay in tensor memory (tcgen05). Both operands are read from shared memory, like those of
// warpgroups (layouts_warpgroup.c). The sums come to registers once, in the layout of the instruction's results, so a dot
// keeps the instructions of single warps if something reads its sums beside the product: in chains of dots, and in
// loops with more use for the sums than to carry them.
#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"
#include "passes/layout/layouts.h"
#include "passes/layout/legal_dots.h"

enum { MOST_WORDS = 256 }; // of a thread

// True if the loop around the dot carries the dot's result to its next iteration's sum, and does nothing else with
// it.
static bool is_carried(struct layouts *l, MlirOperation dot) {
    MlirValue sum = dot_c(dot), result = mlirOperationGetResult(dot, 0);
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

// Columns of tensor memory for a result of this type, a power of two.
static unsigned columns_of(MlirType c) {
    return (unsigned)(type_extent(c, 0) / TENSOR_ROWS * type_extent(c, 1));
}

bool layouts_fits_tensor_memory(struct layouts *l, MlirOperation dot, const struct mma *mma, bool chained) {
    MlirType c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    unsigned columns = columns_of(c);
    if (chained) {
        return decline(l->context, dot, REASON_TENSOR_CHAIN);
    }
    if (!fills_with_zero(l->ir, dot_c(dot)) && !is_carried(l, dot)) {
        return decline(l->context, dot, REASON_TENSOR_SUMS);
    }
    if (type_extent(c, 1) < 2 * mma->n) {
        return decline(l->context, dot, REASON_TENSOR_SHAPE);
    }
    // Registers hold the sums when they are read, and not before: a few spills a tile, none in the loop.
    unsigned words = (unsigned)type_elements(c) / (l->num_warps * l->context->target->warp_size);
    if (words > MOST_WORDS) {
        return decline_numbers(l->context, dot, REASON_TENSOR_REGISTERS, words, MOST_WORDS);
    }
    if (l->tensor_columns + columns > TENSOR_COLUMNS) {
        return decline_numbers(l->context, dot, REASON_TENSOR_COLUMNS, l->tensor_columns + columns,
                               TENSOR_COLUMNS);
    }
    return true;
}
