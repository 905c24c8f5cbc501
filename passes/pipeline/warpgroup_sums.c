// The beginnings of products' sums are computed ahead of the products under way.
//
//   %s = dot %k, %q, 0                                %b = broadcast %v
//   %b = broadcast %v                         →       %s = dot %k, %q, 0
//   %d = dot %u, %o, %b                               %d = dot %u, %o, %b
//   use of %s                                         use of %s
//
// The tile goes to the registers of its product. ptxas waits for all earlier products before it writes to registers of a later one
// (its message C7517), and the second product would not start beside the first.
//
// test: tests/golden/passes/warpgroup/begun_sums.mlir
#include "passes/pipeline/warpgroup.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/value_work.h"

bool computed_from_slots(struct pass_context *context, MlirValue tile) {
    struct value_work work = {.arena = context->arena};
    bool slots = false, others = false;
    value_work_add(&work, tile);
    for (MlirValue value; !mlirValueIsNull(value = value_work_take(&work));) {
        MlirOperation op = value_op(value);
        enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(context->ir, op);
        if (mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) > 0 || kind == OP_DOT ||
            kind == OP_WARPGROUP_DOT || kind == OP_DOT_WAIT) {
            others = true; // from products, for all that is known
            continue;
        }
        slots |= kind == OP_SMEM_LOAD;
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && kind != OP_SMEM_LOAD; i++) {
            MlirValue operand = mlirOperationGetOperand(op, i);
            if (type_is_tensor(mlirValueGetType(operand))) {
                value_work_add(&work, operand);
            }
        }
    }
    value_work_free(&work);
    return slots && !others;
}

// The first of the dots under way when dots[at] starts, or that dot.
static MlirOperation first_under_way(const MlirOperation *dots, size_t at) {
    MlirOperation dot = dots[at], first = dot;
    MlirBlock body = mlirOperationGetBlock(dot);
    for (size_t i = 0; i < at; i++) {
        if (mlirBlockEqual(mlirOperationGetBlock(dots[i]), body)) {
            MlirOperation reader = value_reader(mlirOperationGetResult(dots[i], 0), body, READER_FIRST);
            bool ended = !mlirOperationIsNull(reader) && !op_is_before(dot, reader);
            first = ended ? dot : mlirOperationEqual(first, dot) ? dots[i] : first;
        }
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

// The ops of the tile's computation behind `place`. False if one of them cannot stand ahead of it.
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

// Moves the ops to before `place`, in their order.
static void move_ahead(struct map *slice, MlirOperation place, MlirOperation end) {
    for (MlirOperation op = place, next; !mlirOperationEqual(op, end); op = next) {
        next = mlirOperationGetNextInBlock(op);
        if (map_has(slice, op.ptr)) {
            mlirOperationMoveBefore(op, place);
        }
    }
}

void begin_sums_early(struct pass_context *context, const MlirOperation *dots, size_t count) {
    for (size_t i = 0; i < count; i++) {
        MlirOperation place = first_under_way(dots, i);
        MlirValue sum = dot_c(dots[i]);
        MlirType type = mlirValueGetType(sum);
        struct map slice = {0};
        if (!mlirOperationEqual(place, dots[i]) && mlirTypeIsAF32(type_element(type)) &&
            computed_from_slots(context, sum) && computed_from(context, sum, place, &slice)) {
            move_ahead(&slice, place, dots[i]);
            struct builder b = builder_before(context->ir, place);
            mlirOperationSetOperand(dots[i], at_dot_c,
                                    VALUE(&b, OP_OPAQUE, OPERANDS(sum), RESULTS(type), NO_ATTRS));
        }
        map_free(&slice);
    }
}
