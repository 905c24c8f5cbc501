// Shared memory: offset maps, swizzles and their bank conflicts, division by instruction tiles, ldmatrix
// executed.
#include "layout_testing.h"

#include <stdlib.h>

static struct layout build(unsigned rank, const int64_t shape[], const char *registers, const char *lanes,
                           const char *warps) {
    // Bases as "dim:coordinate dim:coordinate …".
    struct layout layout = layout_empty(rank, shape);
    const char *text[] = {registers, lanes, warps};
    for (unsigned input = 0; input < 3; input++) {
        for (const char *s = text[input]; *s != 0;) {
            char *end;
            unsigned dim = (unsigned)strtoul(s, &end, 10);
            uint32_t coordinate = (uint32_t)strtoul(end + 1, &end, 10);
            layout_push(&layout, (enum layout_input)input, coordinate << layout_dim_shift(&layout, dim));
            s = *end == ' ' ? end + 1 : end;
        }
    }
    return layout;
}

// Operand A (16 x 16 of 2-byte elements) and operand B (16 x 8) of mma.m16n8k16, the latter as K x N.
static struct layout operand_a(const int64_t shape[]) {
    int64_t tile[] = {16, 16};
    struct layout layout = build(2, tile, "1:1 0:8 1:8", "1:2 1:4 0:1 0:2 0:4", "");
    return layout_fit(&layout, shape, NULL);
}

static struct layout operand_b(const int64_t shape[]) {
    int64_t tile[] = {16, 8};
    struct layout layout = build(2, tile, "0:1 0:8", "0:2 0:4 1:1 1:2 1:4", "");
    return layout_fit(&layout, shape, NULL);
}

static void conflicts_by_hand(void **state) {
    struct layout_banks nvidia = layout_banks_nvidia();
    int64_t shape[] = {32, 32};
    struct layout row = layout_row_major_shared(2, shape);
    struct layout along = build(2, shape, "0:1 0:2 0:4 0:8 0:16", "1:1 1:2 1:4 1:8 1:16", "");
    struct layout down = build(2, shape, "1:1 1:2 1:4 1:8 1:16", "0:1 0:2 0:4 0:8 0:16", "");
    assert_int_equal(layout_bank_conflicts(&row, &along, 4, 1, &nvidia), 0);
    assert_int_equal(layout_bank_conflicts(&row, &down, 4, 1, &nvidia), 32 * 31);
    // Columns of 2-byte elements: 16 words apart, two rows of 32 share a bank group: 16 words in each of 2
    // banks.
    assert_int_equal(layout_bank_conflicts(&row, &down, 2, 1, &nvidia), 32 * 15);
    // 16-byte rows of 4-byte elements, 8 lanes at a time, 128 bytes apart: 8 rows on the same 4 banks.
    assert_int_equal(layout_bank_conflicts(&row, &down, 4, 4, &nvidia), 8 * 4 * 7);
    struct layout swizzled = layout_swizzled(2, shape, NULL, 4, 1, 8);
    assert_int_equal(layout_bank_conflicts(&swizzled, &down, 4, 4, &nvidia), 0);
    assert_int_equal(layout_bank_conflicts(&swizzled, &along, 4, 1, &nvidia), 0);
}

static void classic_swizzle(void **state) {
    int64_t shape[] = {16, 64};
    for (unsigned per_phase = 1; per_phase <= 4; per_phase *= 2) {
        for (unsigned max_phase = 1; max_phase <= 8; max_phase *= 2) {
            struct layout shared = layout_swizzled(2, shape, NULL, 8, per_phase, max_phase);
            for (uint32_t i = 0; i < 16; i++) {
                for (uint32_t j = 0; j < 64; j++) {
                    uint32_t offset = i * 64 + ((j / 8 ^ i / per_phase % max_phase) * 8 + j % 8);
                    assert_int_equal(layout_column(&shared, LAYOUT_OFFSET, offset), i * 64 + j);
                }
            }
        }
    }
}

// TMA: the 16-byte chunk number (address bits 4-6) is XORed with the 128-byte line number (bits 7-9).
static void tma_swizzles(void **state) {
    int64_t shape[] = {16, 128};
    for (unsigned bytes = 16; bytes <= 128; bytes *= 2) {
        struct layout shared = layout_tma_shared(2, shape, NULL, 2, bytes);
        assert_true(layout_is_surjective(&shared) && layout_is_injective(&shared));
        for (uint32_t i = 0; i < 16; i++) {
            for (uint32_t j = 0; j < 128; j++) {
                uint32_t wide = bytes / 2, address = (j / wide * 16 + i) * bytes + j % wide * 2;
                address ^= (address >> 7 & (bytes / 16 - 1)) << 4;
                assert_int_equal(layout_column(&shared, LAYOUT_OFFSET, address / 2), i * 128 + j);
            }
        }
    }
    struct layout tma = layout_tma_shared(2, (int64_t[]){64, 64}, NULL, 2, 128);
    struct layout mma = layout_mma_shared(2, (int64_t[]){64, 64}, NULL, 2);
    assert_true(layout_equal(&tma, &mma));
}

static void check_swizzle(const struct layout *writer, const struct layout *reader, unsigned element_bytes,
                          const struct layout_banks *banks, bool fragments) {
    struct layout_swizzle swizzle = layout_swizzle_for(writer, reader, element_bytes, banks, fragments);
    assert_true(layout_is_surjective(&swizzle.shared) && layout_is_injective(&swizzle.shared));
    const struct layout *side[] = {writer, reader};
    unsigned vector[] = {swizzle.write_vector_elements, swizzle.read_vector_elements};
    for (unsigned s = 0; s < 2; s++) {
        struct layout distinct = layout_remove_replicas(side[s]);
        struct layout map = layout_offset_map(&swizzle.shared, &distinct);
        uint8_t bit[LAYOUT_MAX_BITS];
        assert_true(vector[s] * element_bytes <= 16 || vector[s] == 1);
        assert_true(1u << layout_offset_vector_bits(&map, 4, bit) >= vector[s]);
        assert_int_equal(layout_bank_conflicts(&swizzle.shared, side[s], element_bytes, vector[s], banks), 0);
    }
}

static void swizzles_are_free_of_conflicts(void **state) {
    for (unsigned trial = 0; trial < 4000; trial++) {
        unsigned lanes = trial % 5 == 4 ? 6 : 5;
        struct layout_banks banks = lanes == 6 ? layout_banks_amd(64) : layout_banks_nvidia();
        struct layout shape = random_shape(2, 1 + random_below(13));
        unsigned replicas = trial % 3 * 20, shears = trial % 2 * random_below(20), warps = random_below(3);
        struct layout writer = random_layout(&shape, lanes, warps, shears, replicas);
        struct layout reader = random_layout(&shape, lanes, warps, shears, replicas);
        if (trial % 4 < 2) { // some registers in common
            for (unsigned i = 0;
                 i < 3 && i < reader.bits[LAYOUT_REGISTER] && i < writer.bits[LAYOUT_REGISTER]; i++) {
                reader.basis[LAYOUT_REGISTER][i] = writer.basis[LAYOUT_REGISTER][i];
            }
        }
        if (layout_is_surjective(&reader)) {
            check_swizzle(&writer, &reader, 1u << random_below(4), &banks, trial & 4);
        }
    }
}

static void swizzle_for_known_pairs(void **state) {
    struct layout_banks nvidia = layout_banks_nvidia();
    int64_t shape[] = {64, 64};
    struct layout rows =
        layout_blocked(2, shape, (unsigned[]){1, 8}, (unsigned[]){4, 8}, (unsigned[]){4, 1}, NULL);
    struct layout columns =
        layout_blocked(2, shape, (unsigned[]){8, 1}, (unsigned[]){8, 4}, (unsigned[]){1, 4}, NULL);
    check_swizzle(&rows, &columns, 2, &nvidia, false);
    struct layout_swizzle same = layout_swizzle_for(&rows, &rows, 2, &nvidia, false);
    assert_int_equal(same.write_vector_elements, 8);
    assert_int_equal(same.read_vector_elements, 8);
    struct layout transposed =
        layout_blocked(2, shape, (unsigned[]){4, 1}, (unsigned[]){8, 4}, (unsigned[]){1, 4}, NULL);
    check_swizzle(&rows, &transposed, 4, &nvidia, false);
    struct layout mma = operand_a(shape);
    mma.bits[LAYOUT_WARP] = 2; // four warps with the same elements
    check_swizzle(&rows, &mma, 2, &nvidia, false);
    struct layout_swizzle pair = layout_swizzle_for(&rows, &mma, 2, &nvidia, false);
    // Both hold (0,1), (16,0) and (32,0) in registers: a vector, although no row.
    assert_int_equal(pair.write_vector_elements, 8);
    assert_int_equal(pair.read_vector_elements, 8);
}

// Four of K in a register pair of the writer, and a fifth bit of K in registers of both sides: WMMA takes 16
// consecutive elements of K, so that bit must not come between them.
static void fragments_stay_whole(void **state) {
    struct layout_banks banks = layout_banks_amd(32);
    int64_t size[] = {8192};
    struct layout writer =
        build(1, size, "0:1 0:2 0:4 0:128 0:256 0:4096", "0:8 0:16 0:32 0:512 0:64", "0:1024 0:2048");
    struct layout reader =
        build(1, size, "0:128 0:256 0:512 0:1024 0:16 0:32 0:2048 0:4096", "0:1 0:2 0:4 0:8 0:0", "0:0 0:64");
    check_swizzle(&writer, &reader, 2, &banks, true);
    struct layout shared = layout_swizzle_for(&writer, &reader, 2, &banks, true).shared;
    struct layout map = layout_offset_map(&shared, &reader);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(map.basis[LAYOUT_REGISTER][i], 1u << i);
    }
    shared = layout_swizzle_for(&writer, &reader, 2, &banks, false).shared;
    map = layout_offset_map(&shared, &reader);
    assert_int_not_equal(map.basis[LAYOUT_REGISTER][2], 4); // fewer accesses, were the moves not counted
}

static void left_division(void **state) {
    int64_t eight[] = {8}, big[] = {64};
    struct layout tile = build(1, eight, "0:1", "0:2 0:4", "");
    struct layout map = build(1, big, "0:1 0:32", "0:2 0:4 0:8 0:24", "0:16"), quotient;
    assert_true(layout_divide_left(&map, &tile, &quotient));
    struct layout product = layout_product(&tile, &quotient);
    assert_true(layout_equal(&product, &map));
    struct layout skewed = build(1, big, "0:1 0:34", "0:2 0:4 0:8 0:24", "0:16");
    assert_false(layout_divide_left(&skewed, &tile, &quotient));
    struct layout other = build(1, big, "0:2 0:32", "0:1 0:4 0:8 0:24", "0:16");
    assert_false(layout_divide_left(&other, &tile, &quotient));
    assert_false(layout_divide_left(&tile, &map, &quotient));
}

// Executes the plan: every register of every thread must receive the element of the offset map.
static void run_ldmatrix(const struct layout *map, unsigned element_bytes,
                         const struct layout_ldmatrix_plan *plan) {
    unsigned row = 16 / element_bytes, per_word = 4 / element_bytes;
    for (uint32_t warp = 0; warp < 1u << map->bits[LAYOUT_WARP]; warp++) {
        unsigned filled = 0;
        for (uint32_t rest = 0; rest < 1u << plan->rest_bits; rest++) {
            uint32_t rest_register = 0;
            for (unsigned i = 0; i < plan->rest_bits; i++) {
                rest_register |= (rest >> i & 1) << plan->rest_bit[i];
            }
            for (uint32_t matrix = 0; matrix < 1u << plan->matrix_bits; matrix++) {
                uint32_t address[8];
                for (uint32_t i = 0; i < 8; i++) {
                    address[i] = layout_linear(plan->address_lane, matrix * 8 + i) ^
                                 layout_column(map, LAYOUT_WARP, warp) ^
                                 layout_column(map, LAYOUT_REGISTER, rest_register);
                }
                uint32_t base = rest_register;
                for (unsigned i = 0; i < plan->matrix_bits; i++) {
                    base |= (matrix >> i & 1) << plan->matrix_bit[i];
                }
                for (uint32_t lane = 0; lane < 32; lane++) {
                    for (uint32_t k = 0; k < per_word; k++, filled++) {
                        uint32_t reg = base, offset;
                        for (unsigned i = 0; i < plan->word_bits; i++) {
                            reg |= (k >> i & 1) << plan->word_bit[i];
                        }
                        if (plan->transposed) {
                            offset = address[lane % 4 * 2 + k] + lane / 4;
                        } else {
                            offset = address[lane / 4] + lane % 4 * per_word + k;
                        }
                        assert_int_equal(address[lane / 4] % row, 0);
                        assert_int_equal(offset, layout_at(map, reg, lane, warp));
                    }
                }
            }
        }
        assert_int_equal(filled, 32 * layout_registers(map));
    }
}

static void ldmatrix_reads_operands(void **state) {
    int64_t shape[] = {64, 64};
    struct layout shared = layout_mma_shared(2, shape, NULL, 2), a = operand_a(shape), b = operand_b(shape);
    struct layout_ldmatrix_plan plan;
    struct layout map = layout_offset_map(&shared, &a);
    assert_true(layout_ldmatrix(&map, 2, false, &plan));
    assert_int_equal(plan.matrix_bits, 2);
    run_ldmatrix(&map, 2, &plan);
    assert_false(layout_ldmatrix(&map, 2, true, &plan));
    assert_false(layout_ldmatrix(&map, 4, false, &plan));
    map = layout_offset_map(&shared, &b);
    assert_true(layout_ldmatrix(&map, 2, true, &plan));
    run_ldmatrix(&map, 2, &plan);
    assert_false(layout_ldmatrix(&map, 2, false, &plan));
    // The same B stored with K contiguous reads straight.
    struct layout k_major = layout_mma_shared(2, shape, (unsigned[]){0, 1}, 2);
    map = layout_offset_map(&k_major, &b);
    assert_true(layout_ldmatrix(&map, 2, false, &plan));
    run_ldmatrix(&map, 2, &plan);
    // A single 8 x 8 matrix: x1. 1- and 4-byte elements.
    int64_t tile[] = {8, 8};
    struct layout one = build(2, tile, "1:1", "1:2 1:4 0:1 0:2 0:4", "");
    struct layout plain = layout_row_major_shared(2, tile);
    map = layout_offset_map(&plain, &one);
    assert_true(layout_ldmatrix(&map, 2, false, &plan));
    assert_int_equal(plan.matrix_bits, 0);
    run_ldmatrix(&map, 2, &plan);
    int64_t bytes[] = {16, 64}, words[] = {16, 32};
    struct layout a8 = build(2, bytes, "1:1 1:2 0:8 1:16 1:32", "1:4 1:8 0:1 0:2 0:4", "");
    shared = layout_mma_shared(2, bytes, NULL, 1);
    map = layout_offset_map(&shared, &a8);
    assert_true(layout_ldmatrix(&map, 1, false, &plan));
    run_ldmatrix(&map, 1, &plan);
    struct layout a32 = build(2, words, "0:8 1:4 1:8 1:16", "1:1 1:2 0:1 0:2 0:4", "");
    shared = layout_mma_shared(2, words, NULL, 4);
    map = layout_offset_map(&shared, &a32);
    assert_true(layout_ldmatrix(&map, 4, false, &plan));
    run_ldmatrix(&map, 4, &plan);
    assert_false(layout_ldmatrix(&map, 4, true, &plan));
}

// One matrix row is 16 bytes of each of 8 lanes: with the mma swizzle they never share a bank, for all widths
// of tile.
static void mma_shared_suits_ldmatrix(void **state) {
    struct layout_banks nvidia = layout_banks_nvidia();
    for (unsigned element_bytes = 1; element_bytes <= 4; element_bytes *= 2) {
        for (int64_t columns = 16 / element_bytes; columns <= 256; columns *= 2) {
            int64_t shape[] = {32, columns};
            struct layout shared = layout_mma_shared(2, shape, NULL, element_bytes);
            struct layout rows = layout_empty(2, shape);
            for (unsigned i = 0; i < rows.log2_shape[1]; i++) {
                layout_push(&rows, LAYOUT_REGISTER, 1u << i);
            }
            for (unsigned i = 0; i < 5; i++) {
                layout_push(&rows, LAYOUT_LANE, 1u << (rows.log2_shape[1] + i));
            }
            assert_int_equal(
                layout_bank_conflicts(&shared, &rows, element_bytes, 16 / element_bytes, &nvidia), 0);
        }
    }
}

RUN(TEST(conflicts_by_hand), TEST(classic_swizzle), TEST(tma_swizzles), TEST(swizzles_are_free_of_conflicts),
    TEST(swizzle_for_known_pairs), TEST(fragments_stay_whole), TEST(left_division),
    TEST(ldmatrix_reads_operands), TEST(mma_shared_suits_ldmatrix))
