// Layouts: vector widths and the movement of a tile from one layout to another.
//
// A conversion is the linear map T from a place (register, lane, warp) of the result to a place of the source
// with the same element. If the source has replicas, T is not unique: each column is chosen to stay in the
// thread if possible, else in the warp. If no column leaves the thread, the conversion is a copy of
// registers; if none leaves the warp, it uses shuffles, with as many rounds as the result has distinct
// registers.
//
// Rounds. In one round a lane can offer one register, but the lanes reading it may want different ones. So in
// round i lane l receives not register i but i ^ G(l), with G linear. The places received in a round then are
// a coset of the subspace W = {(G(l), l)}. The round works if no two of them are different registers of one
// source lane: W may meet U = {v : T(v) has lane part 0} only in the kernel of T. W must also be a complement
// of the registers. If U is not larger than the result's registers, such a W exists; complement_lanes finds
// it greedily, bit by bit.
#include "dialects/tk/layout.h"

#include <stddef.h>
#include <string.h>

#include "dialects/tk/span.h"
#include "support/diag.h"

// ---- vectors ----

unsigned layout_contiguity(const struct layout *layout, unsigned dim) {
    uint8_t order[LAYOUT_MAX_BITS];
    unsigned bits = layout_vector_bits(layout, dim, LAYOUT_MAX_BITS, order);
    for (unsigned i = 0; i < bits; i++) {
        if (order[i] != i) {
            return 1u << i;
        }
    }
    return 1u << bits;
}

// Counts the bits first, first + 1, … of the tile's index that are each the basis of a single register bit.
static unsigned carried_bits(const struct layout *layout, unsigned first, unsigned limit,
                             uint8_t register_bit[]) {
    for (unsigned n = 0; n < limit; n++) {
        uint32_t wanted = 1u << (first + n);
        int found = -1;
        for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
            for (unsigned i = 0; i < layout->bits[input]; i++) {
                uint32_t basis = layout->basis[input][i];
                if ((basis & wanted) == 0) {
                    continue;
                }
                if (basis != wanted || input != LAYOUT_REGISTER || found >= 0) {
                    return n;
                }
                found = (int)i;
            }
        }
        if (found < 0) {
            return n;
        }
        register_bit[n] = (uint8_t)found;
    }
    return limit;
}

unsigned layout_vector_bits(const struct layout *layout, unsigned dim, unsigned max_log2,
                            uint8_t register_bit[]) {
    if (dim >= layout->rank) {
        bug("layout: dimension %u of a tile of rank %u", dim, layout->rank);
    }
    unsigned limit = layout->log2_shape[dim] < max_log2 ? layout->log2_shape[dim] : max_log2;
    return carried_bits(layout, layout_dim_shift(layout, dim), limit, register_bit);
}

unsigned layout_offset_vector_bits(const struct layout *offset_map, unsigned max_log2,
                                   uint8_t register_bit[]) {
    unsigned size = layout_size_log2(offset_map);
    return carried_bits(offset_map, 0, size < max_log2 ? size : max_log2, register_bit);
}

unsigned layout_constancy(const struct layout *layout) {
    unsigned bits = 0;
    while (bits < layout->bits[LAYOUT_REGISTER] && layout->basis[LAYOUT_REGISTER][bits] == 0) {
        bits++;
    }
    return 1u << bits;
}

uint32_t layout_alike(const struct layout *layout, const int32_t constancy[]) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < layout->bits[LAYOUT_REGISTER]; i++) {
        uint32_t at[LAYOUT_MAX_RANK];
        layout_split_coordinates(layout, layout->basis[LAYOUT_REGISTER][i], at);
        bool stays = true;
        for (unsigned dim = 0; dim < layout->rank; dim++) {
            stays &= at[dim] < (uint32_t)constancy[dim];
        }
        bits |= stays ? 1u << i : 0;
    }
    return bits;
}

// ---- the map T ----

struct source_place {
    uint32_t reg, lane;
};

// The registers' span (of one thread) and the registers' and lanes' span of the source. Tags: register bit i
// -> i, lane bit i -> LAYOUT_MAX_BITS + i.
struct source_span {
    const struct layout *layout;
    struct span thread, warp;
};

static void add_bases(struct span *span, const struct layout *layout, enum layout_input input,
                      unsigned shift) {
    for (unsigned i = 0; i < layout->bits[input]; i++) {
        span_add(span, layout->basis[input][i], (uint64_t)1 << (shift + i));
    }
}

static struct source_span source_of(const struct layout *layout) {
    struct source_span source = {.layout = layout};
    add_bases(&source.thread, layout, LAYOUT_REGISTER, 0);
    source.warp = source.thread;
    add_bases(&source.warp, layout, LAYOUT_LANE, LAYOUT_MAX_BITS);
    return source;
}

static bool solve(const struct span *span, uint32_t flat, struct source_place *place) {
    uint64_t used;
    if (span_reduce(span, flat, &used) != 0) {
        return false;
    }
    place->reg = (uint32_t)(used & ((1u << LAYOUT_MAX_BITS) - 1));
    place->lane = (uint32_t)(used >> LAYOUT_MAX_BITS);
    return true;
}

// The source place of the result's lane bit `bit` (basis `flat`): in the same lane if possible.
static bool solve_lane(const struct source_span *source, unsigned bit, uint32_t flat,
                       struct source_place *place) {
    bool exists = bit < source->layout->bits[LAYOUT_LANE];
    if (exists && solve(&source->thread, flat ^ source->layout->basis[LAYOUT_LANE][bit], place)) {
        place->lane ^= 1u << bit;
        return true;
    }
    return solve(&source->warp, flat, place);
}

struct transfer {
    unsigned register_bits, lane_bits, warp_bits; // of the result, register replicas removed
    struct source_place reg[LAYOUT_MAX_BITS];     // columns of T
    struct source_place lane[LAYOUT_MAX_BITS], warp[LAYOUT_MAX_BITS];
};

static bool transfer_of(const struct layout *from, const struct layout *to, struct transfer *t) {
    struct source_span source = source_of(from);
    memset(t, 0, sizeof *t);
    t->register_bits = to->bits[LAYOUT_REGISTER];
    t->lane_bits = to->bits[LAYOUT_LANE];
    t->warp_bits = to->bits[LAYOUT_WARP];
    if (to->bits[LAYOUT_LANE] != from->bits[LAYOUT_LANE] ||
        to->bits[LAYOUT_WARP] != from->bits[LAYOUT_WARP] ||
        to->bits[LAYOUT_BLOCK] != from->bits[LAYOUT_BLOCK]) {
        return false;
    }
    for (unsigned i = 0; i < to->bits[LAYOUT_BLOCK]; i++) {
        if (to->basis[LAYOUT_BLOCK][i] != from->basis[LAYOUT_BLOCK][i]) {
            return false;
        }
    }
    for (unsigned i = 0; i < t->register_bits; i++) {
        uint32_t flat = to->basis[LAYOUT_REGISTER][i];
        if (!solve(&source.thread, flat, &t->reg[i]) && !solve(&source.warp, flat, &t->reg[i])) {
            return false;
        }
    }
    for (unsigned i = 0; i < t->lane_bits; i++) {
        if (!solve_lane(&source, i, to->basis[LAYOUT_LANE][i], &t->lane[i])) {
            return false;
        }
    }
    for (unsigned i = 0; i < t->warp_bits; i++) {
        uint32_t flat = to->basis[LAYOUT_WARP][i] ^ from->basis[LAYOUT_WARP][i];
        if (!solve(&source.thread, flat, &t->warp[i]) && !solve(&source.warp, flat, &t->warp[i])) {
            return false;
        }
    }
    return true;
}

static struct source_place place_xor(struct source_place a, struct source_place b) {
    return (struct source_place){a.reg ^ b.reg, a.lane ^ b.lane};
}

static struct source_place place_linear(const struct source_place basis[], uint32_t index) {
    struct source_place sum = {0, 0};
    for (; index != 0; index &= index - 1) {
        sum = place_xor(sum, basis[__builtin_ctz(index)]);
    }
    return sum;
}

// True if no column leaves its thread: then only registers move.
static bool stays_in_thread(const struct transfer *t) {
    for (unsigned i = 0; i < t->register_bits; i++) {
        if (t->reg[i].lane != 0) {
            return false;
        }
    }
    for (unsigned i = 0; i < t->lane_bits; i++) {
        if (t->lane[i].reg != 0 || t->lane[i].lane != 1u << i) {
            return false;
        }
    }
    for (unsigned i = 0; i < t->warp_bits; i++) {
        if (t->warp[i].reg != 0 || t->warp[i].lane != 0) {
            return false;
        }
    }
    return true;
}

// ---- shuffles ----

// A place of the result inside a warp, as one vector: lane bits low, register bits from here up.
enum { REGISTERS_AT = 6 };

static struct source_place transfer_vector(const struct transfer *t, uint32_t vector) {
    return place_xor(place_linear(t->lane, vector & ((1u << REGISTERS_AT) - 1)),
                     place_linear(t->reg, vector >> REGISTERS_AT));
}

// U and ker T, as vectors of the result's places. Columns are eliminated by lane part first, then by register
// part.
struct kernels {
    struct span same_lane; // U
    uint32_t zero[32];     // generators of ker T
    unsigned zero_count;
};

static struct kernels kernels_of(const struct transfer *t) {
    struct kernels kernels = {0};
    struct span lanes = {0}, registers = {0};
    for (unsigned n = 0; n < t->lane_bits + t->register_bits; n++) {
        uint32_t vector = n < t->lane_bits ? 1u << n : 1u << (REGISTERS_AT + n - t->lane_bits);
        uint64_t used;
        if (span_add(&lanes, transfer_vector(t, vector).lane, vector)) {
            continue;
        }
        span_reduce(&lanes, transfer_vector(t, vector).lane, &used);
        uint32_t in_lane = vector ^ (uint32_t)used;
        span_add(&kernels.same_lane, in_lane, 0);
        if (!span_add(&registers, transfer_vector(t, in_lane).reg, in_lane)) {
            span_reduce(&registers, transfer_vector(t, in_lane).reg, &used);
            kernels.zero[kernels.zero_count++] = in_lane ^ (uint32_t)used;
        }
    }
    return kernels;
}

// Finds W as generators: w[i] has lane part 1 << i. False if a lane would have to offer more registers than
// there are rounds.
static bool complement_lanes(const struct transfer *t, uint32_t w[LAYOUT_MAX_BITS]) {
    struct kernels kernels = kernels_of(t);
    // `taken` spans W + U; new generators must stay out of it. `lanes` is an echelon basis of W by lane part;
    // tags are whole vectors.
    struct span taken = kernels.same_lane, lanes = {0};
    for (unsigned i = 0; i < kernels.zero_count; i++) {
        if (!span_add(&lanes, kernels.zero[i] & ((1u << REGISTERS_AT) - 1), kernels.zero[i])) {
            return false;
        }
    }
    for (unsigned i = 0; i < t->lane_bits; i++) {
        if (span_contains(&lanes, 1u << i)) {
            continue;
        }
        uint32_t vector = 1u << i;
        bool found = span_add(&taken, vector, 0);
        for (unsigned r = 0; r < t->register_bits && !found; r++) {
            vector = 1u << i | 1u << (REGISTERS_AT + r);
            found = span_add(&taken, vector, 0);
        }
        if (!found) {
            return false;
        }
        span_add(&lanes, 1u << i, vector);
    }
    for (unsigned i = 0; i < t->lane_bits; i++) {
        uint64_t used;
        span_reduce(&lanes, 1u << i, &used);
        w[i] = (uint32_t)used;
    }
    return true;
}

// Fills the plan for the given W. h, the register offered by each source lane, is found by elimination over
// the lanes read.
static void plan_rounds(const struct transfer *t, const uint32_t w[], struct layout_conversion *plan) {
    struct span read = {0};
    uint64_t offered[32] = {0};
    for (unsigned i = 0; i < t->lane_bits; i++) {
        struct source_place place = transfer_vector(t, w[i]);
        plan->target_lane[i] = w[i] >> REGISTERS_AT;
        plan->read_lane[i] = place.lane;
        offered[i] = place.reg;
        span_add(&read, place.lane, (uint64_t)1 << i);
    }
    // h on the span of the lanes read; lane bits outside it are never read in round 0, and h is zero on them.
    for (unsigned i = 0; i < t->lane_bits; i++) {
        if (!span_contains(&read, 1u << i)) {
            span_add(&read, 1u << i, (uint64_t)1 << 31);
        }
    }
    for (unsigned p = 0; p < t->lane_bits; p++) {
        uint64_t used;
        span_reduce(&read, 1u << p, &used);
        for (unsigned i = 0; i < t->lane_bits; i++) {
            if ((used >> i & 1) != 0) {
                plan->offer_lane[p] ^= (uint32_t)offered[i];
            }
        }
    }
    plan->round_bits = (uint8_t)t->register_bits;
    for (unsigned i = 0; i < t->register_bits; i++) {
        plan->read_round[i] = t->reg[i].lane;
        plan->offer_round[i] = t->reg[i].reg ^ layout_linear(plan->offer_lane, t->reg[i].lane);
    }
    for (unsigned i = 0; i < t->warp_bits; i++) {
        plan->read_warp[i] = t->warp[i].lane;
        plan->offer_warp[i] = t->warp[i].reg ^ layout_linear(plan->offer_lane, t->warp[i].lane);
    }
    plan->in_lane = true;
    for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++) {
        plan->in_lane &= plan->read_round[i] == 0 && plan->read_warp[i] == 0 &&
                         plan->read_lane[i] == (i < t->lane_bits ? 1u << i : 0);
    }
}

// ---- the decision ----

struct layout_conversion layout_conversion(const struct layout *from, const struct layout *to,
                                           unsigned max_rounds) {
    if (!layout_same_shape(from, to)) {
        bug("layout: conversion between different shapes");
    }
    struct layout_conversion plan;
    memset(&plan, 0, sizeof plan);
    plan.kind = LAYOUT_CONVERT_SHARED;
    struct layout distinct = layout_remove_replicas(to);
    struct transfer t;
    if (!transfer_of(from, &distinct, &t)) {
        return plan;
    }
    for (unsigned i = 0; i < to->bits[LAYOUT_REGISTER]; i++) {
        plan.replica[i] = layout_replica_register(to, 1u << i);
    }
    uint32_t w[LAYOUT_MAX_BITS] = {0};
    if (stays_in_thread(&t)) {
        plan.kind = LAYOUT_CONVERT_REGISTERS;
        bool same = to->bits[LAYOUT_REGISTER] == from->bits[LAYOUT_REGISTER];
        for (unsigned i = 0; i < to->bits[LAYOUT_REGISTER]; i++) {
            plan.register_source[i] = place_linear(t.reg, plan.replica[i]).reg;
            same &= to->basis[LAYOUT_REGISTER][i] == from->basis[LAYOUT_REGISTER][i];
        }
        if (same) {
            plan.kind = LAYOUT_CONVERT_NOTHING;
        }
        for (unsigned i = 0; i < to->bits[LAYOUT_REGISTER] && same; i++) {
            plan.register_source[i] = 1u << i;
        }
    } else if (t.lane_bits <= REGISTERS_AT && 1u << t.register_bits <= max_rounds &&
               complement_lanes(&t, w)) {
        plan.kind = LAYOUT_CONVERT_SHUFFLE;
        plan_rounds(&t, w, &plan);
    }
    return plan;
}

uint32_t layout_convert_source(const struct layout_conversion *plan, uint32_t result_register) {
    return layout_linear(plan->register_source, result_register);
}

uint32_t layout_convert_offer(const struct layout_conversion *plan, uint32_t round, uint32_t lane,
                              uint32_t warp) {
    return layout_linear(plan->offer_round, round) ^ layout_linear(plan->offer_lane, lane) ^
           layout_linear(plan->offer_warp, warp);
}

uint32_t layout_convert_read(const struct layout_conversion *plan, uint32_t round, uint32_t lane,
                             uint32_t warp) {
    return layout_linear(plan->read_round, round) ^ layout_linear(plan->read_lane, lane) ^
           layout_linear(plan->read_warp, warp);
}

uint32_t layout_convert_target(const struct layout_conversion *plan, uint32_t round, uint32_t lane) {
    return round ^ layout_linear(plan->target_lane, lane);
}

uint32_t layout_convert_replica(const struct layout_conversion *plan, uint32_t result_register) {
    return layout_linear(plan->replica, result_register);
}

// ---- conversions within warps ----

bool layout_stays_in_warp(const struct layout *from, const struct layout *to) {
    static const enum layout_input inputs[] = {LAYOUT_REGISTER, LAYOUT_LANE, LAYOUT_WARP, LAYOUT_BLOCK};
    struct layout_inverse owner;
    if (!layout_invert(from, &owner)) {
        return false;
    }
    for (unsigned n = 0; n < sizeof inputs / sizeof *inputs; n++) {
        for (unsigned i = 0; i < to->bits[inputs[n]]; i++) {
            struct layout_point at = layout_locate(&owner, to->basis[inputs[n]][i]);
            if (at.at[LAYOUT_WARP] != (inputs[n] == LAYOUT_WARP ? 1u << i : 0) ||
                at.at[LAYOUT_BLOCK] != (inputs[n] == LAYOUT_BLOCK ? 1u << i : 0)) {
                return false;
            }
        }
    }
    return true;
}

// ---- exchanges of a register bit with a lane bit ----

// True if `to` has the lanes and warps of `from`, and the same registers in an order that `order` gets.
static bool reorders(const struct layout *from, const struct layout *to, uint32_t order[LAYOUT_MAX_BITS]) {
    for (enum layout_input input = LAYOUT_LANE; input <= LAYOUT_WARP; input++) {
        if (from->bits[input] != to->bits[input] ||
            memcmp(from->basis[input], to->basis[input], from->bits[input] * sizeof *from->basis[input]) !=
                0) {
            return false;
        }
    }
    for (unsigned i = 0; i < to->bits[LAYOUT_REGISTER]; i++) {
        order[i] = 0;
        for (unsigned j = 0; j < from->bits[LAYOUT_REGISTER]; j++) {
            if (from->basis[LAYOUT_REGISTER][j] == to->basis[LAYOUT_REGISTER][i]) {
                order[i] = 1u << j;
            }
        }
        if (!order[i]) {
            return false;
        }
    }
    return true;
}

static void swap_bits(struct layout *layout, unsigned register_bit, unsigned lane_bit) {
    uint32_t kept = layout->basis[LAYOUT_REGISTER][register_bit];
    layout->basis[LAYOUT_REGISTER][register_bit] = layout->basis[LAYOUT_LANE][lane_bit];
    layout->basis[LAYOUT_LANE][lane_bit] = kept;
}

static bool has_replicas(const struct layout *layout) {
    struct layout_point free = layout_free_bits(layout);
    return free.at[LAYOUT_REGISTER] || free.at[LAYOUT_LANE];
}

bool layout_swaps(const struct layout *from, const struct layout *to, struct layout_swaps *swaps) {
    enum { WAVE_BITS = 6 };
    static const uint8_t sequences[][2] = {{5, 5}, {4, 4}, {5, 4}, {4, 5}}; // the same twice: once
    if (from->bits[LAYOUT_LANE] != WAVE_BITS || to->bits[LAYOUT_LANE] != WAVE_BITS ||
        from->bits[LAYOUT_REGISTER] != to->bits[LAYOUT_REGISTER] || has_replicas(from) || has_replicas(to)) {
        return false;
    }
    for (unsigned n = 0; n < sizeof sequences / sizeof *sequences; n++) {
        for (unsigned r = 0; r < from->bits[LAYOUT_REGISTER]; r++) {
            struct layout moved = *from;
            *swaps = (struct layout_swaps){.count = sequences[n][0] == sequences[n][1] ? 1 : 2,
                                           .lane_bit = {sequences[n][0], sequences[n][1]},
                                           .register_bit = (uint8_t)r};
            for (unsigned i = 0; i < swaps->count; i++) {
                swap_bits(&moved, r, swaps->lane_bit[i]);
            }
            if (reorders(&moved, to, swaps->order)) {
                return true;
            }
        }
    }
    return false;
}
