// The order of K in products whose left operand is computed from another product's result (attention's weights).
//
//   gfx1250, 16 bits: a lane has of each row of 32 columns       the operand takes K as the instruction has it:
//     columns 0 to 7 and 16 to 23, or 8 to 15 and 24 to 31         columns 0 to 15, or 16 to 31
//                                                                 in this order: the columns that the lane has
//
// Reason: matrix instructions of AMD compute the transposed product, so a lane's elements of a result belong to rows that the lane
// has of a left operand, too. Where it has other columns of them the tile would go through shared memory, or be exchanged between the lanes.
// A product is the same in any order of K, if both operands have it. So K's bits in lanes become those that the result has in
// lanes, and the tile stays where it is.
//
// The right operand's neighbours along K may then be fewer. It changes its order only if that costs less than the move, by the cost of its way
// through shared memory.
#include "passes/layout/layouts.h"

#include <string.h>

#include "chip/scratch.h"
#include "ir/build.h"

// Finds the order of K in which each lane and warp has the columns of `left` that it has of the result. False if there is none.
static bool find_order(const struct layout *result, const struct layout *left, int32_t order[]) {
    static const enum layout_input inputs[] = {LAYOUT_LANE, LAYOUT_WARP};
    unsigned depth = left->rank - 1, bits = left->log2_shape[depth], next = 0;
    uint32_t mask = layout_dim_mask(left, depth), from = 0, to = 0;
    for (unsigned n = 0; n < sizeof inputs / sizeof *inputs; n++) {
        for (unsigned i = 0; i < left->bits[inputs[n]]; i++) {
            uint32_t wanted = left->basis[inputs[n]][i], held = result->basis[inputs[n]][i];
            bool one = wanted && held && !(wanted & (wanted - 1)) && !(held & (held - 1));
            if (one && (wanted & mask) && (held & mask)) {
                order[log2_of(wanted & mask)] = (int32_t)log2_of(held & mask);
                from |= wanted;
                to |= held;
            } else if (wanted != held || (wanted & mask)) {
                return false;
            }
        }
    }
    for (unsigned i = 0; i < bits; i++) { // all others in registers, as they follow each other
        if (!(from >> i & 1)) {
            for (; to >> next & 1; next++) {
            }
            order[i] = (int32_t)next++;
        }
    }
    return __builtin_popcount(from) == __builtin_popcount(to);
}

// The cost of a tile's way through shared memory.
static unsigned cost_between(const struct target *target, const struct layout *writer,
                             const struct layout *reader, unsigned bytes) {
    struct layout shared = scratch_operand(target, writer, reader, bytes);
    return scratch_write_cost(target, &shared, writer, bytes) +
           scratch_read_cost(target, &shared, reader, bytes);
}

// The cost of the left operand's move from the result's layout.
static unsigned cost_of_move(const struct target *target, const struct layout *result,
                             const struct layout *left, unsigned bits) {
    enum { WORD = 32 };
    struct layout_swaps swaps;
    if (scratch_swaps(target, result, left, bits, &swaps)) {
        return layout_registers(left) * bits / WORD * swaps.count / 2;
    }
    return cost_between(target, result, left, bits / 8);
}

// The bytes of a right operand along K that one access may take.
static unsigned neighbours(const struct layout *right, unsigned bytes) {
    enum { WIDEST = 16 };
    unsigned held = layout_contiguity(right, right->rank - 2) * bytes;
    return held < WIDEST ? held : WIDEST;
}

// True if the right operand's order costs less than the left one's move.
static bool pays(struct layouts *l, MlirOperation dot, const struct layout *result, const struct layout *left,
                 const struct layout *right, const struct layout *ordered) {
    const struct target *target = l->context->target;
    unsigned bits = type_bits(type_element(mlirValueGetType(dot_a(dot)))),
             bytes = type_bits(type_element(mlirValueGetType(dot_b(dot)))) / 8;
    bool transposed;
    MlirOperation load = layouts_load_behind(l, dot_b(dot), &transposed);
    const struct layout *loaded = mlirOperationIsNull(load) ? NULL : map_get(&l->accesses, load.ptr);
    if (!loaded) {
        return neighbours(ordered, bytes) >= neighbours(right, bytes);
    }
    static const unsigned turned[] = {1, 0};
    struct layout writer = transposed ? layout_trans(loaded, turned) : *loaded;
    return cost_between(target, &writer, ordered, bytes) <=
           cost_between(target, &writer, right, bytes) + cost_of_move(target, result, left, bits);
}

// The layout of the result that the left operand is computed from, of an instruction of one warp; NULL if it comes from elsewhere.
static const struct layout *result_behind(struct layouts *l, MlirOperation dot) {
    struct map seen = {0};
    MlirOperation before = layouts_dot_behind(l, &seen, dot_a(dot), 0);
    const struct dot_choice *earlier = mlirOperationIsNull(before) ? NULL : map_get(&l->dots, before.ptr);
    map_free(&seen);
    return earlier && earlier->mma ? &earlier->operand[MMA_C] : NULL;
}

void layouts_order_chained(struct layouts *l, MlirOperation dot, struct dot_choice *choice) {
    const struct layout *left = &choice->operand[MMA_A], *right = &choice->operand[MMA_B];
    const struct layout *result =
        choice->mma->transposed && !choice->mma->group ? result_behind(l, dot) : NULL;
    int32_t order[LAYOUT_MAX_BITS] = {0};
    if (!result || !layout_same_shape(result, left) || !find_order(result, left, order)) {
        return;
    }
    struct layout held = layout_order_dim(left, left->rank - 1, order),
                  met = layout_order_dim(right, right->rank - 2, order);
    if (layout_conversion(result, left, SCRATCH_SHUFFLE_ROUNDS).kind <= LAYOUT_CONVERT_REGISTERS ||
        layout_conversion(result, &held, SCRATCH_SHUFFLE_ROUNDS).kind > LAYOUT_CONVERT_REGISTERS ||
        !pays(l, dot, result, left, right, &met)) {
        return;
    }
    choice->k_bits = left->log2_shape[left->rank - 1];
    memcpy(choice->k_order, order, sizeof order);
    choice->operand[MMA_A] = held;
    choice->operand[MMA_B] = met;
}
