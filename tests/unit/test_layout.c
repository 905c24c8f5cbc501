// Layout algebra: construction, linear algebra and shape operations, against enumeration of all points.
#include <stdlib.h>

#include "layout_testing.h"

#define FOR_POINTS(l, r, n, w)                                                                               \
    for (uint32_t r = 0; r < layout_registers(l); r++)                                                       \
        for (uint32_t n = 0; n < 1u << (l)->bits[LAYOUT_LANE]; n++)                                          \
            for (uint32_t w = 0; w < 1u << (l)->bits[LAYOUT_WARP]; w++)

static struct layout any_layout(unsigned rank, unsigned size_log2) {
    struct layout shape = random_shape(rank, size_log2);
    return random_layout(&shape, random_below(6), random_below(3), random_below(6), 30);
}

// Triton's blocked semantics spelled out with divisions: lane and warp numbers are mixed-radix along the
// order.
static void check_blocked(unsigned rank, const int64_t shape[], const unsigned size[], const unsigned lanes[],
                          const unsigned warps[], const unsigned order[]) {
    struct layout layout = layout_blocked(rank, shape, size, lanes, warps, order);
    assert_true(layout_is_surjective(&layout));
    FOR_POINTS(&layout, r, n, w) {
        uint32_t want[LAYOUT_MAX_RANK], got[LAYOUT_MAX_RANK], reg = r, lane = n, warp = w,
                                                              in[LAYOUT_MAX_RANK];
        for (unsigned i = 0; i < rank; i++) {
            unsigned d = order[i];
            unsigned per_thread = size[d] < shape[d] ? size[d] : (unsigned)shape[d];
            in[d] = reg % per_thread, reg /= per_thread;
        }
        for (unsigned i = 0; i < rank; i++) {
            unsigned d = order[i];
            unsigned tile = size[d] * lanes[d] * warps[d];
            uint32_t repeats = shape[d] > tile ? (uint32_t)shape[d] / tile : 1;
            want[d] = (in[d] + size[d] * (lane % lanes[d]) + size[d] * lanes[d] * (warp % warps[d]) +
                       tile * (reg % repeats)) %
                      (uint32_t)shape[d];
            lane /= lanes[d], warp /= warps[d], reg /= repeats;
        }
        layout_split_coordinates(&layout, layout_at(&layout, r, n, w), got);
        for (unsigned d = 0; d < rank; d++) {
            assert_int_equal(got[d], want[d]);
        }
    }
}

static void blocked_follows_its_definition(void **state) {
    for (unsigned trial = 0; trial < 400; trial++) {
        unsigned rank = 1 + random_below(3), lane_left = 5, warp_left = 2;
        int64_t shape[LAYOUT_MAX_RANK];
        unsigned size[LAYOUT_MAX_RANK], lanes[LAYOUT_MAX_RANK], warps[LAYOUT_MAX_RANK],
            order[LAYOUT_MAX_RANK];
        for (unsigned d = 0; d < rank; d++) {
            unsigned a = d + 1 == rank ? lane_left : random_below(lane_left + 1);
            unsigned b = d + 1 == rank ? warp_left : random_below(warp_left + 1);
            lanes[d] = 1u << a, warps[d] = 1u << b, lane_left -= a, warp_left -= b;
            size[d] = 1u << random_below(3);
            shape[d] = 1 << random_below(6);
            order[d] = (d + trial) % rank;
        }
        check_blocked(rank, shape, size, lanes, warps, order);
    }
}

static void product_and_fit_build_fragments(void **state) {
    // mma m16n8 accumulator: lanes 4 along columns and 8 along rows, two columns a thread, rows 8 apart.
    struct layout pair = layout_identity(2, 1, 1, LAYOUT_REGISTER),
                  quad = layout_identity(2, 1, 2, LAYOUT_LANE);
    struct layout rows = layout_identity(2, 0, 3, LAYOUT_LANE),
                  half = layout_identity(2, 0, 1, LAYOUT_REGISTER);
    struct layout layout = layout_product(&pair, &quad);
    layout = layout_product(&layout, &rows);
    layout = layout_product(&layout, &half);
    assert_int_equal(layout_extent(&layout, 0), 16);
    assert_int_equal(layout_extent(&layout, 1), 8);
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t r = 0; r < 4; r++) {
            assert_int_equal(layout_at(&layout, r, lane, 0),
                             (lane / 4 + 8 * (r / 2)) * 8 + lane % 4 * 2 + r % 2);
        }
    }
    int64_t wide[] = {32, 16}, narrow[] = {16, 4};
    struct layout big = layout_fit(&layout, wide, NULL);
    assert_int_equal(layout_registers(&big), 16);
    assert_true(layout_is_surjective(&big) && layout_is_injective(&big));
    assert_int_equal(layout_at(&big, 4, 0, 0), 8);
    assert_int_equal(layout_at(&big, 8, 0, 0), 16 * 16);
    struct layout small = layout_fit(&layout, narrow, NULL);
    assert_true(layout_is_surjective(&small) && !layout_is_injective(&small));
    assert_int_equal(layout_free_bits(&small).at[LAYOUT_LANE], 2);
    struct strbuf text = {0};
    layout_print(&text, &small);
    assert_string_equal(strbuf_text(&text), "16x4 register=[(0,1) (8,0)] lane=[(0,2) 0 (1,0) (2,0) (4,0)]");
    strbuf_free(&text);
}

static void inverses_and_owners(void **state) {
    for (unsigned trial = 0; trial < 300; trial++) {
        struct layout layout = any_layout(1 + trial % 3, random_below(9));
        unsigned size = layout_size_log2(&layout);
        static unsigned holders[1 << 9], owners[1 << 9];
        memset(holders, 0, sizeof holders), memset(owners, 0, sizeof owners);
        struct layout_point spare = layout_free_bits(&layout);
        FOR_POINTS(&layout, r, n, w) {
            uint32_t flat = layout_at(&layout, r, n, w);
            holders[flat]++;
            owners[flat] += (r & spare.at[LAYOUT_REGISTER]) == 0 && (n & spare.at[LAYOUT_LANE]) == 0 &&
                            (w & spare.at[LAYOUT_WARP]) == 0;
        }
        struct layout_inverse inverse;
        assert_true(layout_is_surjective(&layout) && layout_invert(&layout, &inverse));
        for (uint32_t flat = 0; flat < 1u << size; flat++) {
            assert_int_equal(owners[flat], 1);
            struct layout_point point = layout_locate(&inverse, flat);
            assert_int_equal(layout_apply(&layout, &point), flat);
            for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
                assert_int_equal(point.at[input] & spare.at[input], 0);
            }
        }
        assert_int_equal(layout_is_injective(&layout), holders[0] == 1);
        struct layout distinct = layout_remove_replicas(&layout);
        uint32_t *replica = calloc(layout_registers(&layout), sizeof *replica);
        layout_replica_registers(&layout, replica);
        FOR_POINTS(&layout, r, n, w) {
            uint32_t same = layout_replica_register(&layout, r);
            assert_int_equal(replica[r], same);
            assert_true(same < layout_registers(&distinct));
            assert_int_equal(layout_at(&layout, r, n, w), layout_at(&distinct, same, n, w));
        }
        free(replica);
    }
    int64_t shape[] = {4};
    struct layout hollow = layout_empty(1, shape);
    layout_push(&hollow, LAYOUT_LANE, 2);
    struct layout_inverse inverse;
    assert_false(layout_is_surjective(&hollow));
    assert_false(layout_invert(&hollow, &inverse));
    assert_int_equal(layout_rank_of_matrix(&hollow), 1);
}

static void shared_orders(void **state) {
    int64_t shape[] = {4, 8, 2};
    unsigned order[] = {1, 0, 2};
    struct layout rows = layout_row_major_shared(3, shape), other = layout_shared_order(3, shape, order);
    for (uint32_t o = 0; o < 64; o++) {
        uint32_t want[] = {o / 8 % 4, o % 8, o / 32};
        assert_int_equal(layout_column(&rows, LAYOUT_OFFSET, o), o);
        assert_int_equal(layout_column(&other, LAYOUT_OFFSET, o), layout_join_coordinates(&other, want));
    }
    struct layout layout = any_layout(1, 6);
    layout = layout_reshape(&layout, 3, shape);
    struct layout map = layout_offset_map(&other, &layout),
                  back = layout_compose(&other, LAYOUT_OFFSET, &map);
    assert_true(layout_equal(&back, &layout));
}

static void transposes(void **state) {
    for (unsigned trial = 0; trial < 100; trial++) {
        struct layout layout = any_layout(3, random_below(8));
        unsigned order[3] = {trial % 3, (trial + 1 + trial / 3 % 2) % 3, 0};
        order[2] = 3 - order[0] - order[1];
        struct layout result = layout_trans(&layout, order), back = layout_trans_operand(&result, order);
        assert_true(layout_equal(&back, &layout));
        FOR_POINTS(&layout, r, n, w) {
            uint32_t a[LAYOUT_MAX_RANK], b[LAYOUT_MAX_RANK];
            layout_split_coordinates(&layout, layout_at(&layout, r, n, w), a);
            layout_split_coordinates(&result, layout_at(&result, r, n, w), b);
            for (unsigned d = 0; d < 3; d++) {
                assert_int_equal(b[d], a[order[d]]);
            }
        }
    }
}

static void reductions_and_broadcasts(void **state) {
    for (unsigned trial = 0; trial < 200; trial++) {
        struct layout layout = any_layout(3, random_below(8));
        unsigned axis = random_below(3);
        struct layout reduced = layout_reduce_dim(&layout, axis), column;
        struct layout expanded = layout_expand_dim(&reduced, axis);
        struct layout again = layout_expand_dim_operand(&expanded, axis);
        assert_true(layout_equal(&again, &reduced));
        int64_t shape[3], one[3];
        for (unsigned d = 0; d < 3; d++) {
            shape[d] = layout_extent(&layout, d), one[d] = d == axis ? 1 : shape[d];
        }
        column = layout_broadcast_operand(&layout, one);
        assert_true(layout_equal(&column, &expanded));
        FOR_POINTS(&layout, r, n, w) {
            uint32_t a[LAYOUT_MAX_RANK], b[LAYOUT_MAX_RANK];
            layout_split_coordinates(&layout, layout_at(&layout, r, n, w), a);
            layout_split_coordinates(&reduced, layout_at(&reduced, r, n, w), b);
            for (unsigned d = 0; d < 2; d++) {
                assert_int_equal(b[d], a[d + (d >= axis)]);
            }
        }
        // Backward reduction and forward broadcast: reducing again gives the requested layout.
        struct layout wanted = layout_remove_replicas(&reduced);
        struct layout operand = layout_reduce_dim_operand(&wanted, axis, 8);
        assert_true(layout_is_surjective(&operand));
        struct layout got = layout_reduce_dim(&operand, axis);
        got = layout_remove_replicas(&got);
        assert_true(layout_equal(&got, &wanted));
        struct layout spread = layout_broadcast_result(&expanded, shape);
        assert_true(layout_is_surjective(&spread));
        got = layout_broadcast_operand(&spread, one);
        got = layout_remove_replicas(&got);
        wanted = layout_remove_replicas(&expanded);
        assert_true(layout_equal(&got, &wanted));
    }
}

// Every element counts in one part, in any thread; a thread's parts are at its elements' coordinates, except
// along the axis.
static void partial_reductions(void **state) {
    unsigned possible = 0;
    for (unsigned trial = 0; trial < 400; trial++) {
        struct layout layout = any_layout(3, random_below(8)), parts;
        unsigned axis = random_below(3);
        if (!layout_partial_reduce(&layout, axis, &parts)) {
            continue;
        }
        possible++;
        assert_true(layout_is_surjective(&parts));
        uint32_t part_of[1 << 10];
        memset(part_of, 0xff, sizeof part_of);
        FOR_POINTS(&layout, r, n, w) {
            if (r & layout_free_bits(&layout).at[LAYOUT_REGISTER]) {
                continue; // a replica of another lane's or register's element, not added
            }
            uint32_t flat = layout_at(&layout, r, n, w), a[LAYOUT_MAX_RANK], b[LAYOUT_MAX_RANK];
            layout_split_coordinates(&layout, flat, a);
            bool found = false;
            for (uint32_t p = 0; p < layout_registers(&parts); p++) {
                layout_split_coordinates(&parts, layout_at(&parts, p, n, w), b);
                bool same = true;
                for (unsigned d = 0; d < 3; d++) {
                    same &= d == axis || a[d] == b[d];
                }
                found |= same;
            }
            assert_true(found);
            assert_true(part_of[flat] == UINT32_MAX || part_of[flat] == b[axis]);
            part_of[flat] = b[axis];
        }
    }
    assert_true(possible > 40);
}

static void joins_and_splits(void **state) {
    for (unsigned trial = 0; trial < 100; trial++) {
        struct layout layout = any_layout(2, random_below(8)), back;
        struct layout joined = layout_join(&layout);
        unsigned bit = 99;
        FOR_POINTS(&joined, r, n, w) {
            assert_int_equal(layout_at(&joined, r, n, w), layout_at(&layout, r >> 1, n, w) << 1 | (r & 1));
        }
        assert_true(layout_split(&joined, &back, &bit));
        assert_int_equal(bit, 0);
        assert_true(layout_equal(&back, &layout));
    }
    int64_t shape[] = {4, 2};
    unsigned one[] = {1, 1}, lanes[] = {4, 2}, bit;
    struct layout spread = layout_blocked(2, shape, one, lanes, one, NULL), out;
    assert_false(layout_split(&spread, &out, &bit));
}

// Every element of a half is at its place in the whole; a bit held by threads has no halves.
static void halves(void **state) {
    unsigned halved = 0;
    for (unsigned trial = 0; trial < 2000; trial++) {
        struct layout whole = any_layout(1 + random_below(3), 1 + random_below(8)), half;
        unsigned bit = random_below(layout_size_log2(&whole)), at, threads = 0, registers = 0;
        for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
            for (unsigned i = 0; i < whole.bits[input]; i++) {
                bool has = whole.basis[input][i] >> bit & 1, alone = whole.basis[input][i] == 1u << bit;
                threads += has && (input != LAYOUT_REGISTER || !alone);
                registers += has && input == LAYOUT_REGISTER;
            }
        }
        bool possible = layout_half(&whole, bit, &half, &at);
        assert_int_equal(possible, !threads && registers == 1);
        if (!possible) {
            continue;
        }
        halved++;
        assert_int_equal(layout_size_log2(&half) + 1, layout_size_log2(&whole));
        FOR_POINTS(&half, r, n, w) {
            for (uint32_t part = 0; part < 2; part++) {
                uint32_t reg = (r & ((1u << at) - 1)) | part << at | r >> at << (at + 1),
                         low = (1u << bit) - 1;
                uint32_t flat = layout_at(&half, r, n, w),
                         want = (flat & low) | part << bit | (flat & ~low) << 1;
                assert_int_equal(layout_at(&whole, reg, n, w), want);
            }
        }
    }
    assert_true(halved > 50);
}

RUN(TEST(blocked_follows_its_definition), TEST(product_and_fit_build_fragments), TEST(inverses_and_owners),
    TEST(shared_orders), TEST(transposes), TEST(reductions_and_broadcasts), TEST(partial_reductions),
    TEST(joins_and_splits), TEST(halves))
