// Warpgroup instructions: fragments against the PTX ISA's figures, layouts of whole tiles, texts and their way
// back, descriptors of the canonical shared layouts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "chip/tcgen05.h"
#include "chip/wgmma.h"

static const struct mma *row(const char *name) {
    const struct mma *mma = mma_find(name, strlen(name));
    assert_non_null(mma);
    return mma;
}

// PTX ISA 8.4, figure "wgmma .m64nNk16 register fragment layout for accumulator matrix D": row = warp * 16 +
// lane / 4 (+ 8 for d2, d3 of every four), column = 8 * (i / 4) + lane % 4 * 2 + i % 2.
static void test_accumulator(void **state) {
    (void)state;
    struct layout layout = mma_layout(row("wgmma.f16"), MMA_C, 2, (int64_t[]){64, 128}, 4, 1);
    for (uint32_t warp = 0; warp < 4; warp++) {
        for (uint32_t lane = 0; lane < 32; lane++) {
            for (uint32_t i = 0; i < 64; i++) {
                uint32_t at = warp * 16 + lane / 4 + (i & 2 ? 8 : 0),
                         column = 8 * (i / 4) + lane % 4 * 2 + (i & 1);
                assert_int_equal(layout_at(&layout, i, lane, warp), at * 128 + column);
            }
        }
    }
}

// The same figure for A in registers, m64k16: a0 a1 at (group, 2t), a2 a3 eight rows below, a4 to a7 eight columns on.
static void test_a_fragment(void **state) {
    (void)state;
    struct layout layout = mma_layout(row("wgmma.bf16"), MMA_A, 2, (int64_t[]){64, 16}, 4, 1);
    for (uint32_t warp = 0; warp < 4; warp++) {
        for (uint32_t lane = 0; lane < 32; lane++) {
            for (uint32_t i = 0; i < 8; i++) {
                uint32_t at = warp * 16 + lane / 4 + (i & 2 ? 8 : 0),
                         k = lane % 4 * 2 + (i & 1) + (i & 4 ? 8 : 0);
                assert_int_equal(layout_at(&layout, i, lane, warp), at * 16 + k);
            }
        }
    }
}

// Two warpgroups below each other, then side by side: the warpgroup is the warp's upper bits.
static void test_warpgroups(void **state) {
    (void)state;
    const struct mma *mma = row("wgmma.f16");
    struct layout tall = mma_layout(mma, MMA_C, 2, (int64_t[]){128, 256}, 8, 1);
    assert_int_equal(layout_at(&tall, 0, 0, 4), 64 * 256);
    assert_int_equal(layout_at(&tall, 0, 0, 1), 16 * 256);
    struct layout wide = mma_layout(mma, MMA_C, 2, (int64_t[]){64, 256}, 4, 2);
    assert_int_equal(layout_at(&wide, 0, 0, 4), 128);
    struct layout deep =
        mma_layout(mma, MMA_C, 2, (int64_t[]){256, 64}, 8, 1); // two instructions' rows a warpgroup
    assert_int_equal(layout_at(&deep, 0, 0, 4), 128 * 64);
    assert_int_equal(layout_at(&deep, 32, 0, 0), 64 * 64);
    assert_true(layout_is_injective(&deep) && layout_is_surjective(&deep));
}

static void test_texts(void **state) {
    (void)state;
    for (unsigned i = 0; i < mma_count; i++) {
        if (mma_table[i].warps == 1 || mma_in_tensor_memory(&mma_table[i])) {
            continue;
        }
        for (unsigned columns = 8; columns <= 256; columns *= 2) {
            for (unsigned choice = 0; choice < 64; choice++) {
                bool asks = choice & 32;
                struct wgmma w = {.mma = &mma_table[i], .columns = columns, .accumulate = choice & 1 || asks};
                w.a_in_registers = choice & 2;
                w.b_columns_fastest = mma_type_bits(w.mma->b) == 16 && columns == 64;
                struct wgmma_group group = {w, choice & 4 ? 2 : 1, choice & 8 ? 2 : 1, choice & 16 ? 3 : 1,
                                            asks},
                                   back;
                struct strbuf text = {0}, constraints = {0};
                wgmma_compose(&group, &text, &constraints);
                assert_true(wgmma_parse(strbuf_text(&text), text.length, &back));
                assert_ptr_equal(back.form.mma, w.mma);
                assert_int_equal(back.form.columns, w.columns);
                assert_int_equal(back.form.accumulate, w.accumulate);
                assert_int_equal(back.form.a_in_registers, w.a_in_registers);
                assert_int_equal(back.form.b_columns_fastest, w.b_columns_fastest);
                assert_int_equal(back.rows, group.rows);
                assert_int_equal(back.parts, group.parts);
                assert_int_equal(back.steps, group.steps);
                assert_int_equal(back.asks, asks);
                assert_false(wgmma_parse(strbuf_text(&text), text.length - 1, &back));
                strbuf_free(&text);
                strbuf_free(&constraints);
            }
        }
    }
    struct strbuf text = {0}, constraints = {0};
    int pending;
    wgmma_order_compose(1, 2, 'f', 0, &text, &constraints);
    assert_string_equal(strbuf_text(&constraints), "=f,=f,0,1");
    assert_true(wgmma_order_parse(strbuf_text(&text), text.length, &pending));
    assert_int_equal(pending, 1);
    strbuf_clear(&text);
    strbuf_clear(&constraints);
    wgmma_order_compose(-1, 1, 'f', 1, &text, &constraints);
    assert_string_equal(strbuf_text(&constraints), "=f,=r,0,1");
    assert_true(wgmma_order_parse(strbuf_text(&text), text.length, &pending));
    assert_int_equal(pending, -1);
    strbuf_free(&text);
    strbuf_free(&constraints);
}

// The descriptors of the hand-written matmul: 128-byte swizzle, K-major and N-major.
static void test_descriptors(void **state) {
    (void)state;
    struct layout layout;
    struct wgmma_operand operand;
    assert_true(wgmma_shared_layout((int64_t[]){128, 64}, 1, 2, &layout)); // A: 128 rows of 64 halves
    assert_true(wgmma_operand_of(&layout, 2, &operand));
    assert_int_equal(operand.swizzle, 128);
    assert_false(operand.rows_fastest);
    assert_int_equal(operand.stride, 1024);
    assert_true(
        wgmma_shared_layout((int64_t[]){64, 256}, 1, 2, &layout)); // B: 64 k, 256 columns side by side
    assert_true(wgmma_operand_of(&layout, 2, &operand));
    assert_int_equal(operand.leading, 8192);
    assert_int_equal(operand.stride, 1024);
    assert_int_equal(wgmma_descriptor(&operand) >> 62, 1);
    assert_true(wgmma_shared_layout((int64_t[]){64, 128}, 0, 2, &layout)); // B with k side by side: K-major
    assert_true(wgmma_operand_of(&layout, 2, &operand));
    assert_true(operand.rows_fastest);
    assert_true(wgmma_shared_layout((int64_t[]){64, 32}, 1, 2, &layout));
    assert_true(wgmma_operand_of(&layout, 2, &operand));
    assert_int_equal(operand.swizzle, 64);
    assert_int_equal(operand.stride, 512);
    assert_false(wgmma_shared_layout((int64_t[]){64, 8}, 1, 2, &layout)); // 16-byte rows
    struct layout plain = layout_row_major_shared(2, (int64_t[]){128, 64});
    assert_false(wgmma_operand_of(&plain, 2, &operand));
}

static void test_choice(void **state) {
    (void)state;
    const struct target *hopper = target_find("sm_90a"), *plain = target_find("sm_90");
    assert_non_null(mma_select_warpgroup(hopper, MMA_F16, MMA_F16, MMA_F32, 128, 256, 64, 8));
    assert_null(mma_select_warpgroup(plain, MMA_F16, MMA_F16, MMA_F32, 128, 256, 64, 8));
    assert_null(mma_select_warpgroup(hopper, MMA_F16, MMA_F16, MMA_F32, 128, 256, 64, 2));
    assert_null(mma_select_warpgroup(hopper, MMA_F16, MMA_F16, MMA_F32, 32, 256, 64, 4));
    assert_null(mma_select_warpgroup(hopper, MMA_F16, MMA_F16, MMA_F32, 64, 8, 64, 8));
    assert_null(mma_select_warpgroup(hopper, MMA_F64, MMA_F64, MMA_F64, 128, 128, 64, 4));
    const struct mma *warp = mma_select(hopper, MMA_F16, MMA_F16, MMA_F32, 128, 256, 64, 8, false);
    assert_int_equal(warp->warps, 1);
}

// A thread's registers hold an instruction's accumulators, for any block: otherwise ptxas refuses the
// instruction.
static void test_most_columns(void **state) {
    (void)state;
    const struct target *target = target_find("sm_90a");
    static const unsigned columns[] = {256, 256, 256, 128};
    for (unsigned warpgroups = 1; warpgroups <= 4; warpgroups++) {
        assert_int_equal(wgmma_most_columns(target, 4 * warpgroups, 0), columns[warpgroups - 1]);
        assert_int_equal(wgmma_most_columns(target, 4 * warpgroups, 128), 128);
        assert_int_equal(wgmma_most_columns(target, 4 * warpgroups, 64), 64);
        assert_int_equal(wgmma_most_columns(target, 4 * warpgroups, 30), 8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_most_columns), cmocka_unit_test(test_accumulator),
        cmocka_unit_test(test_a_fragment),   cmocka_unit_test(test_warpgroups),
        cmocka_unit_test(test_texts),        cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
