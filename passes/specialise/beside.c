// beside: marks stores of results worth computing beside the products of the block's next tile, or says why not.
//
//   %sums = scf.for … { tk.dot … }               %sums = scf.for … { tk.dot … }
//   %h = arith.truncf %sums                 →    %h = arith.truncf %sums
//   %x = … %h …                                  %x = … %h …
//   tk.store %p, %x                              tk.store %p, %x {beside}
//
// The loop may have two products; the result is computed from the sums of both (gate and up of a layer).
//
// It pays if the matrix units would wait: more work behind the product than the way through shared memory is. A store with less has
// neither mark nor reason. Whether a block has the room for the sums is decided with its slots (roles_epilogue.c), the rewrite is
// late_epilogues. All other questions about the store are answered here.
//
// requires: layouts
// provides: the same program; {beside}, or a reason in tk.epilogue
// test:     tests/golden/passes/beside
#include <mlir-c/BuiltinTypes.h>

#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/epilogue.h"
#include "passes/pass.h"

// The first other op than the store, if there is one, to write memory or order it.
static MlirOperation other_effect(struct pass_context *context, MlirOperation function, MlirOperation store) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        bool writes =
            (op_traits(op_kind(context->ir, ops[i])) & WRITE) || op_orders_memory(context->ir, ops[i]);
        if (writes && !mlirOperationEqual(ops[i], store)) {
            return ops[i];
        }
    }
    return (MlirOperation){NULL};
}

static size_t dots_of(struct pass_context *context, MlirOperation around) {
    size_t count, dots = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, around, &count);
    for (size_t i = 0; i < count; i++) {
        dots += op_kind(context->ir, ops[i]) == OP_DOT;
    }
    return dots;
}

// True if the store has work behind a loop of products of warpgroups.
static bool has_work(struct pass_context *context, MlirOperation store, struct epilogue *epilogue) {
    if (op_kind(context->ir, store) != OP_STORE || !epilogue_read(context->ir, store, epilogue) ||
        epilogue->work < EPILOGUE_LEAST_WORK) {
        return false;
    }
    MlirOperation loop = value_op(epilogue->sums[0]);
    return !mlirOperationIsNull(loop) && op_kind(context->ir, loop) == OP_FOR && dots_of(context, loop) > 0 &&
           wgmma_is_result(type_layout(context->ir, mlirValueGetType(epilogue->sums[0])));
}

// True if the loop over tiles can carry the epilogue's operands to the next tile. (Behind `roles` no store may turn out not to be late:
// there is no room for its other layout.)
static bool can_carry(struct ir *ir, const struct epilogue *epilogue) {
    bool can = true;
    for (size_t i = 0; i < epilogue->scalar_count; i++) {
        MlirType type = mlirValueGetType(epilogue->scalars[i]);
        can &= type_is_ptr(type) ? !mlirValueIsNull(pointer_argument(ir, epilogue->scalars[i]))
                                 : mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type);
    }
    return can;
}

static bool may_be_late(struct pass_context *context, MlirOperation function, MlirOperation store,
                        const struct epilogue *epilogue) {
    struct ir *ir = context->ir;
    MlirOperation loop = value_op(epilogue->sums[0]), other = other_effect(context, function, store);
    MlirType parked = mlirValueGetType(epilogue->parked[0]);
    struct epilogue_piece piece;
    if (dots_of(context, function) != epilogue->parked_count) {
        return decline(context, loop, REASON_LATE_PRODUCT);
    }
    if (!mlirOperationIsNull(other)) {
        return decline(context, other, REASON_LATE_EFFECT);
    }
    if (type_bits(type_element(parked)) != EPILOGUE_FETCHED_BITS) {
        return decline_numbers(context, loop, REASON_LATE_WIDTH, type_bits(type_element(parked)), 0);
    }
    int64_t sums = type_elements(parked) * (int64_t)epilogue->parked_count;
    if (sums <= EPILOGUE_FEW_SUMS) {
        return decline_numbers(context, loop, REASON_LATE_SMALL, sums, EPILOGUE_FEW_SUMS);
    }
    if (!epilogue_pieces(ir, parked, op_num_warps(function), &piece)) {
        return decline_numbers(context, loop, REASON_LATE_SHAPE, type_extent(parked, 0),
                               type_extent(parked, 1));
    }
    return can_carry(ir, epilogue) || decline(context, loop, REASON_LATE_SCALAR);
}

void pass_beside(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE(WGMMA)) || !context->tensor_maps) {
        return;
    }
    for (MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
         !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        size_t count;
        MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
        for (size_t i = 0; i < count; i++) {
            struct epilogue epilogue;
            if (!has_work(context, ops[i], &epilogue)) {
                continue;
            }
            if (may_be_late(context, function, ops[i], &epilogue)) {
                op_set_unit(context->ir, ops[i], ATTR_BESIDE);
            } else {
                reason_keep(context, ops[i], ATTR_EPILOGUE);
            }
        }
    }
}
