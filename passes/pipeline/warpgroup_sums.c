// Tiles at which sums of products begin are computed ahead of the products under way.
//
//   %s = dot %k, %q, 0                                %b = broadcast %v
//   %b = broadcast %v                         →       %s = dot %k, %q, 0
//   %d = dot %u, %o, %b                               %d = dot %u, %o, %b
//   use of %s                                         use of %s
//
// The tile goes to the registers of its product. ptxas waits for all earlier products before it writes to registers of a later one
// (its message C7517), so that the second product would not start beside the first.
//
// test: tests/golden/passes/warpgroup/begun_sums.mlir
#include "passes/pipeline/warpgroup.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/value_work.h"

// The first of the dots that are under way when `dot` starts, or `dot`.
static MlirOperation first_under_way(struct pass_context *context, MlirOperation dot) {
    MlirOperation first = dot;
    MlirBlock body = mlirOperationGetBlock(dot);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, dot);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(context->ir, op) != OP_DOT || !dot_is_warpgroup(op)) {
            continue;
        }
        MlirOperation reader = value_reader(mlirOperationGetResult(op, 0), body, READER_FIRST);
        bool ended = !mlirOperationIsNull(reader) && !op_is_before(dot, reader);
        first = ended ? dot : mlirOperationEqual(first, dot) ? op : first;
    }
    return first;
}

static bool stands_behind(MlirOperation op, MlirOperation place) {
    return !mlirOperationIsNull(op) &&
           mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(place)) &&
           !op_is_before(op, place);
}

static bool computes(struct ir *ir, MlirOperation op) {
    unsigned traits = op_traits(op_kind(ir, op));
    return (traits & PURE) && !(traits & SCRATCH) && mlirOperationGetNumRegions(op) == 0;
}

// The ops behind `place` from which the tile is computed. False if one of them cannot stand ahead of it.
static bool computed_from(struct pass_context *context, MlirValue tile, MlirOperation place,
                          struct map *slice) {
    struct value_work work = {.arena = context->arena};
    bool all = true;
    value_work_add(&work, tile);
    for (MlirValue value; all && !mlirValueIsNull(value = value_work_take(&work));) {
        MlirOperation op = value_op(value);
        if (stands_behind(op, place)) {
            all = computes(context->ir, op);
            map_put(slice, op.ptr, op.ptr);
            for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
                value_work_add(&work, mlirOperationGetOperand(op, i));
            }
        }
    }
    value_work_free(&work);
    return all;
}

void begin_sum_early(struct pass_context *context, MlirOperation dot) {
    MlirOperation place = first_under_way(context, dot), next;
    MlirValue sum = dot_c(dot);
    struct map slice = {0};
    if (!mlirOperationEqual(place, dot) && mlirTypeIsAF32(type_element(mlirValueGetType(sum))) &&
        computed_from_slots(context, sum) && computed_from(context, sum, place, &slice)) {
        for (MlirOperation op = place; !mlirOperationEqual(op, dot); op = next) {
            next = mlirOperationGetNextInBlock(op);
            if (map_has(&slice, op.ptr)) {
                mlirOperationMoveBefore(op, place);
            }
        }
        struct builder b = builder_before(context->ir, place);
        MlirValue begins = VALUE(&b, OP_OPAQUE, OPERANDS(sum), RESULTS(mlirValueGetType(sum)), NO_ATTRS);
        mlirOperationSetOperand(dot, at_dot_c, begins);
    }
    map_free(&slice);
}
