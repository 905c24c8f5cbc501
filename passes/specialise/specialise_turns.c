// Two warpgroups half an iteration apart: the second one starts its dots of a slot after the first one has
// started its own.
//
//   first                                             second
//     mbarrier_wait %full[slot]                         mbarrier_wait %started[slot]     the slot is full, too
//     dots of the slot                                  dots of the slot
//     mbarrier_arrive %started[slot] {beside}           …
//     …
//
// Apart, one warpgroup computes while the other's dots run. Together, both wait for the matrix units at one
// time and leave them idle at another. Both states are stable, and chance decides: warpgroups fall together
// if both wait for a late copy. On an H200 an iteration of gradients of queries, heads of 128, takes 1,540
// cycles apart (its products need 1,536), and 1,730 on average if a third of the blocks are together. So the
// second warpgroup waits for the first one instead of the copy. If it is behind anyway, the wait is free.
//
// Measured, S = 4,096: gradients of queries, heads of 128, causal 2 to 10 % faster by configuration, full 0;
// heads of 64, full 2 %, those of keys 1 to 2 %. Causal heads of 64 are 1 to 4 % slower: their loops are
// short, and the warpgroups hardly ever together. Mutual waits (named barriers) take 60 cycles more an
// iteration. Attention itself, with one such wait a tile: 1 % faster to 4 % slower.
//
// The first warpgroup's dots must not depend on the second one's arrival, or both would block. So nothing in
// the loops may synchronise all warps: no conversions of layouts and no reductions across warps.
#include "passes/specialise/specialise.h"

#include "chip/scratch.h"
#include "chip/wgmma.h"
#include "ir/build.h"

// True if the op is a load replaced by a copy, or only converts or spreads such a load.
static bool is_copied(const struct specialise *s, const struct stage_loop *stage, MlirOperation op) {
    while (op_kind(s->ir, op) == OP_CONVERT_LAYOUT || op_kind(s->ir, op) == OP_EXPAND_DIMS) {
        MlirOperation maker = value_op(unary_source(op));
        if (mlirOperationIsNull(maker)) {
            return false;
        }
        op = maker;
    }
    for (size_t i = 0; i < stage->load_count; i++) {
        if (mlirOperationEqual(stage->loads[i].access, op)) {
            return true;
        }
    }
    return false;
}

static bool warps_meet(const struct specialise *s, const struct stage_loop *stage) {
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        if (!scratch_within_warp(s->ir, s->context->target, s->num_warps, op) && !is_copied(s, stage, op)) {
            return true;
        }
    }
    return false;
}

bool turns_pay(const struct specialise *s) {
    enum { GROUPS = 2 };
    for (size_t i = 0; i < s->loop_count; i++) {
        const struct stage_loop *stage = &s->loops[i];
        if (stage->late_count == 0 || (s->uneven && stage->few_products) || warps_meet(s, stage)) {
            return false;
        }
    }
    return s->num_warps == GROUPS * WGMMA_WARPS;
}

void turns_allocate(struct specialise *s, struct builder *b) {
    if (s->turns) {
        s->started = VALUE(b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type_i32(s->ir)),
                           ATTRS(attr_i32(b, ATTR_COUNT, s->slots), attr_i32(b, ATTR_ARRIVALS, WGMMA_WARPS)));
    }
}

void turns_begin(struct specialise *s, struct builder *b) {
    s->ready = s->full[AHEAD];
    if (s->turns) {
        MlirValue group = VALUE(b, OP_WARPGROUP, NO_OPERANDS, RESULTS(type_i32(s->ir)), NO_ATTRS);
        s->is_first = build_compare(b, INT_EQ, group, const_i32(b, 0));
        s->ready = build_select(b, s->is_first, s->full[AHEAD], s->started);
    }
}

void turn_over(struct specialise *s, struct builder *b, MlirValue slot) {
    if (s->turns) {
        OP(b, OP_MBARRIER_ARRIVE, OPERANDS(slot_barrier(b, s->started, slot), s->is_first), NO_RESULTS,
           ATTRS(attr_unit(b, ATTR_BESIDE)));
    }
}
