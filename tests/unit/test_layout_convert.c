// Conversions between layouts: every plan is executed on a simulated block and must deliver every element.
#include "layout_testing.h"

#include <stdlib.h>

enum { MAX_REGISTERS = 1 << 9, LANES = 32 };

// A warp of the source: value[lane][register] is the element held.
static uint32_t value[LANES][MAX_REGISTERS], result[LANES][MAX_REGISTERS];

static void run_shuffle(const struct layout_conversion *plan, const struct layout *from,
                        const struct layout *to, uint32_t warp) {
    static uint32_t distinct[LANES][MAX_REGISTERS];
    memset(distinct, 0xff, sizeof distinct);
    unsigned lanes = 1u << to->bits[LAYOUT_LANE];
    for (uint32_t round = 0; round < 1u << plan->round_bits; round++) {
        uint32_t offered[LANES];
        for (uint32_t p = 0; p < lanes; p++) {
            uint32_t reg = layout_convert_offer(plan, round, p, warp);
            assert_true(reg < layout_registers(from));
            offered[p] = value[p][reg];
        }
        for (uint32_t l = 0; l < lanes; l++) {
            uint32_t read = layout_convert_read(plan, round, l, warp);
            assert_true(read < lanes);
            assert_true(!plan->in_lane || read == l);
            distinct[l][layout_convert_target(plan, round, l)] = offered[read];
        }
    }
    for (uint32_t l = 0; l < lanes; l++) {
        for (uint32_t r = 0; r < layout_registers(to); r++) {
            result[l][r] = distinct[l][layout_convert_replica(plan, r)];
        }
    }
}

// Executes the plan for each warp; returns its kind.
static enum layout_conversion_kind check(const struct layout *from, const struct layout *to) {
    struct layout_conversion plan = layout_conversion(from, to, 1u << 9);
    unsigned lanes = 1u << to->bits[LAYOUT_LANE];
    if (plan.kind == LAYOUT_CONVERT_SHARED) {
        return plan.kind;
    }
    for (uint32_t warp = 0; warp < 1u << to->bits[LAYOUT_WARP]; warp++) {
        for (uint32_t l = 0; l < lanes; l++) {
            for (uint32_t r = 0; r < layout_registers(from); r++) {
                value[l][r] = layout_at(from, r, l, warp);
            }
        }
        if (plan.kind == LAYOUT_CONVERT_SHUFFLE) {
            run_shuffle(&plan, from, to, warp);
        } else {
            for (uint32_t l = 0; l < lanes; l++) {
                for (uint32_t r = 0; r < layout_registers(to); r++) {
                    uint32_t source = layout_convert_source(&plan, r);
                    assert_true(plan.kind != LAYOUT_CONVERT_NOTHING || source == r);
                    result[l][r] = value[l][source];
                }
            }
        }
        for (uint32_t l = 0; l < lanes; l++) {
            for (uint32_t r = 0; r < layout_registers(to); r++) {
                assert_int_equal(result[l][r], layout_at(to, r, l, warp));
            }
        }
    }
    return plan.kind;
}

static bool same_kind_by_force(const struct layout *from, const struct layout *to) {
    // Can each thread find all its elements in its own registers, in the same registers for all threads?
    for (uint32_t r = 0; r < layout_registers(to); r++) {
        bool found = false;
        for (uint32_t s = 0; s < layout_registers(from) && !found; s++) {
            found = true;
            for (uint32_t l = 0; l < 1u << to->bits[LAYOUT_LANE] && found; l++) {
                for (uint32_t w = 0; w < 1u << to->bits[LAYOUT_WARP] && found; w++) {
                    found = layout_at(from, s, l, w) == layout_at(to, r, l, w);
                }
            }
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static void random_pairs(void **state) {
    unsigned count[4] = {0};
    for (unsigned trial = 0; trial < 6000; trial++) {
        struct layout shape = random_shape(2, random_below(9));
        unsigned lanes = random_below(6), warps = random_below(3), replicas = trial % 3 * 30;
        struct layout from = random_layout(&shape, lanes, warps, random_below(8), replicas);
        struct layout to = random_layout(&shape, lanes, warps, random_below(8), replicas);
        if (trial % 4 != 0) {
            // Equal warp bases, so that the data can stay in the warp.
            memcpy(to.basis[LAYOUT_WARP], from.basis[LAYOUT_WARP], sizeof to.basis[LAYOUT_WARP]);
            if (!layout_is_surjective(&to)) {
                continue;
            }
        }
        if (layout_registers(&from) > MAX_REGISTERS || layout_registers(&to) > MAX_REGISTERS) {
            continue;
        }
        enum layout_conversion_kind kind = check(&from, &to);
        count[kind]++;
        assert_int_equal(kind <= LAYOUT_CONVERT_REGISTERS, same_kind_by_force(&from, &to));
    }
    for (unsigned kind = 1; kind < 4; kind++) {
        assert_true(count[kind] > 20);
    }
}

// Without replicas and with equal warps a conversion never needs shared memory.
static void bijections_of_a_warp_are_shuffles(void **state) {
    for (unsigned trial = 0; trial < 2000; trial++) {
        unsigned size = 5 + random_below(4);
        struct layout shape = random_shape(2, size), from = shape, to = shape;
        uint32_t a[LAYOUT_MAX_BITS], b[LAYOUT_MAX_BITS];
        random_bases(size, random_below(20), a);
        random_bases(size, random_below(20), b);
        for (unsigned i = 0; i < size; i++) {
            layout_push(&from, i < 5 ? LAYOUT_LANE : LAYOUT_REGISTER, a[i]);
            layout_push(&to, i < 5 ? LAYOUT_LANE : LAYOUT_REGISTER, b[i]);
        }
        assert_true(check(&from, &to) <= LAYOUT_CONVERT_SHUFFLE);
    }
}

// The warp that writes an element: of its places the one without free bits.
static uint32_t owner_by_force(const struct layout *layout, uint32_t element) {
    struct layout_point free = layout_free_bits(layout);
    for (uint32_t w = 0; w < 1u << layout->bits[LAYOUT_WARP]; w++) {
        for (uint32_t l = 0; l < 1u << layout->bits[LAYOUT_LANE]; l++) {
            for (uint32_t r = 0; r < layout_registers(layout); r++) {
                bool owns = !(w & free.at[LAYOUT_WARP]) && !(l & free.at[LAYOUT_LANE]) &&
                            !(r & free.at[LAYOUT_REGISTER]);
                if (owns && layout_at(layout, r, l, w) == element) {
                    return w;
                }
            }
        }
    }
    fail_msg("element %u has no owner", element);
    return 0;
}

static bool stays_by_force(const struct layout *from, const struct layout *to) {
    for (uint32_t w = 0; w < 1u << to->bits[LAYOUT_WARP]; w++) {
        for (uint32_t l = 0; l < 1u << to->bits[LAYOUT_LANE]; l++) {
            for (uint32_t r = 0; r < layout_registers(to); r++) {
                if (owner_by_force(from, layout_at(to, r, l, w)) != w) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Adds bases of registers and lanes to others of them: a warp keeps its elements.
static struct layout moved_within_warps(const struct layout *from) {
    static const enum layout_input inputs[] = {LAYOUT_REGISTER, LAYOUT_LANE};
    struct layout to = *from;
    for (unsigned n = 0; n < 6; n++) {
        enum layout_input a = inputs[random_below(2)], b = inputs[random_below(2)];
        unsigned i = to.bits[a] ? random_below(to.bits[a]) : 0, j = to.bits[b] ? random_below(to.bits[b]) : 0;
        to.basis[a][i] ^= (a == b && i == j) || !to.bits[a] ? 0 : to.basis[b][j];
    }
    return to;
}

static void elements_that_stay_in_their_warps(void **state) {
    unsigned count[2] = {0};
    for (unsigned trial = 0; trial < 300; trial++) {
        struct layout shape = random_shape(2, 3 + random_below(4));
        struct layout from = random_layout(&shape, 2, 2, random_below(6), trial % 3 * 20);
        struct layout to = trial % 2 ? moved_within_warps(&from)
                                     : random_layout(&shape, 2, 2, random_below(6), trial % 3 * 20);
        bool stays = layout_stays_in_warp(&from, &to);
        assert_int_equal(stays, stays_by_force(&from, &to));
        count[stays]++;
    }
    assert_true(count[0] > 20 && count[1] > 20);
}

// Every permutation of the unit vectors of a small tile: 4 lanes, 4 registers.
static void all_small_permutations(void **state) {
    int64_t shape[] = {4, 4};
    unsigned seen = 0;
    for (unsigned code = 0; code < 4 * 4 * 4 * 4; code++) {
        unsigned p[] = {code % 4, code / 4 % 4, code / 16 % 4, code / 64};
        if ((1u << p[0] | 1u << p[1] | 1u << p[2] | 1u << p[3]) != 15) {
            continue;
        }
        struct layout from = layout_empty(2, shape), to = from;
        for (unsigned i = 0; i < 4; i++) {
            layout_push(&from, i < 2 ? LAYOUT_REGISTER : LAYOUT_LANE, 1u << i);
            layout_push(&to, i < 2 ? LAYOUT_REGISTER : LAYOUT_LANE, 1u << p[i]);
        }
        bool lanes_alike = p[2] == 2 && p[3] == 3, alike = lanes_alike && p[0] == 0;
        enum layout_conversion_kind want = alike         ? LAYOUT_CONVERT_NOTHING
                                           : lanes_alike ? LAYOUT_CONVERT_REGISTERS
                                                         : LAYOUT_CONVERT_SHUFFLE;
        assert_int_equal(check(&from, &to), want);
        seen++;
    }
    assert_int_equal(seen, 24);
}

static void limits_and_named_cases(void **state) {
    int64_t shape[] = {32, 32};
    unsigned one[] = {1, 1}, by_row[] = {32, 1}, by_column[] = {1, 32}, warps[] = {4, 1},
             other_warps[] = {1, 4};
    struct layout rows = layout_blocked(2, shape, one, by_row, one, NULL);
    struct layout columns = layout_blocked(2, shape, one, by_column, one, NULL);
    assert_int_equal(check(&rows, &columns), LAYOUT_CONVERT_SHUFFLE);
    assert_int_equal(layout_conversion(&rows, &columns, 32).round_bits, 5);
    assert_int_equal(layout_conversion(&rows, &columns, 16).kind, LAYOUT_CONVERT_SHARED);
    struct layout a = layout_blocked(2, shape, one, by_column, warps, NULL);
    struct layout b = layout_blocked(2, shape, one, by_row, other_warps, NULL);
    assert_int_equal(check(&a, &b), LAYOUT_CONVERT_SHARED);
    assert_int_equal(check(&a, &a), LAYOUT_CONVERT_NOTHING);
    // All lanes hold everything; each then keeps one element: a select in the lane.
    int64_t line[] = {32};
    struct layout all = layout_empty(1, line), each = all;
    for (unsigned i = 0; i < 5; i++) {
        layout_push(&all, LAYOUT_REGISTER, 1u << i);
        layout_push(&all, LAYOUT_LANE, 0);
        layout_push(&each, LAYOUT_LANE, 1u << i);
    }
    assert_int_equal(check(&all, &each), LAYOUT_CONVERT_SHUFFLE);
    assert_true(layout_conversion(&all, &each, 8).in_lane);
    assert_int_equal(check(&each, &all), LAYOUT_CONVERT_SHUFFLE);
}

static void vector_widths(void **state) {
    int64_t shape[] = {8, 64};
    unsigned size[] = {2, 4}, lanes[] = {2, 16}, one[] = {1, 1}, column_major[] = {0, 1};
    uint8_t bit[LAYOUT_MAX_BITS];
    struct layout layout = layout_blocked(2, shape, size, lanes, one, NULL);
    assert_int_equal(layout_contiguity(&layout, 1), 4);
    assert_int_equal(layout_contiguity(&layout, 0), 1);
    assert_int_equal(layout_vector_bits(&layout, 0, 4, bit), 1);
    assert_int_equal(bit[0], 2);
    layout = layout_blocked(2, shape, size, lanes, one, column_major);
    assert_int_equal(layout_contiguity(&layout, 1), 1);
    assert_int_equal(layout_vector_bits(&layout, 1, 4, bit), 2);
    assert_int_equal(bit[0], 1);
    assert_int_equal(bit[1], 2);
    assert_int_equal(layout_vector_bits(&layout, 1, 1, bit), 1);
    assert_int_equal(layout_constancy(&layout), 1);
    // Brute force: the vector's elements are consecutive and its start is aligned, in all threads.
    for (unsigned trial = 0; trial < 500; trial++) {
        struct layout any = random_shape(2, random_below(8));
        any = random_layout(&any, random_below(4), random_below(2), random_below(3), 10);
        unsigned dim = random_below(2), width = layout_contiguity(&any, dim), widest = 1;
        for (unsigned v = 2; v <= layout_registers(&any) && v <= layout_extent(&any, dim); v *= 2) {
            bool good = true;
            for (uint32_t r = 0; r < layout_registers(&any); r++) {
                for (uint32_t n = 0; n < 1u << any.bits[LAYOUT_LANE]; n++) {
                    for (uint32_t w = 0; w < 1u << any.bits[LAYOUT_WARP]; w++) {
                        uint32_t first = layout_at(&any, r & ~(v - 1), n, w),
                                 shift = layout_dim_shift(&any, dim);
                        good &= layout_at(&any, r, n, w) == first + ((r & (v - 1)) << shift);
                        good &= (first >> shift & (v - 1)) == 0;
                    }
                }
            }
            widest = good ? v : widest;
        }
        assert_int_equal(width, widest);
    }
}

RUN(TEST(random_pairs), TEST(bijections_of_a_warp_are_shuffles), TEST(elements_that_stay_in_their_warps),
    TEST(all_small_permutations), TEST(limits_and_named_cases), TEST(vector_widths))
