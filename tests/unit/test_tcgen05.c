// Descriptors and moves of tcgen05: constants that other compilers write, the document's formula for fragments, and texts that
// are parsed as they were composed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chip/tcgen05.h"

static const struct mma *row(const char *name) {
    const struct mma *mma = mma_find(name, strlen(name));
    assert_non_null(mma);
    return mma;
}

// Triton 3.9 writes the first for 128 x 256 of fp16; the others by the table in CUTLASS's mma_sm100_desc.hpp.
static void test_instructions(void **state) {
    (void)state;
    assert_int_equal(tcgen05_instruction(row("tcgen05.f16"), 1, 256, false, false), 0x08400010);
    assert_int_equal(tcgen05_instruction(row("tcgen05.f16"), 2, 256, false, false), 0x10400010);
    assert_int_equal(tcgen05_instruction(row("tcgen05.bf16"), 1, 64, true, false), 0x08108490);
    assert_int_equal(tcgen05_instruction(row("tcgen05.tf32"), 1, 16, false, false), 0x08040910);
    assert_int_equal(tcgen05_instruction(row("tcgen05.e4m3.e5m2"), 1, 128, false, false), 0x08200410);
    assert_int_equal(tcgen05_instruction(row("tcgen05.e5m2.e4m3"), 1, 128, false, true), 0x08210090);
    assert_int_equal(tcgen05_instruction(row("tcgen05.s8"), 1, 32, false, false), 0x080804a0);
}

// Of 128-byte rows, k contiguous: 1024 bytes from eight rows to the next, version 1, swizzle 2.
static void test_descriptor(void **state) {
    (void)state;
    struct layout layout;
    struct wgmma_operand operand;
    assert_true(wgmma_shared_layout((int64_t[]){128, 64}, 1, 2, &layout) &&
                wgmma_operand_of(&layout, 2, &operand));
    assert_true(tcgen05_descriptor(&operand, true) == UINT64_C(0x4000404000000000));
    // Rows contiguous: 8,192 bytes from 64 columns to the next 64, of 64 k.
    assert_true(wgmma_shared_layout((int64_t[]){64, 128}, 1, 2, &layout) &&
                wgmma_operand_of(&layout, 2, &operand));
    assert_true(tcgen05_descriptor(&operand, false) == UINT64_C(0x4000404002000000));
}

// Registers of the result: two loads of shape 16x256b for the 32 lanes of a warp, and the next 8 columns behind them.
static void test_fragment(void **state) {
    (void)state;
    struct layout layout = mma_layout(row("tcgen05.f16"), MMA_C, 2, (int64_t[]){256, 32}, 4, 2);
    for (uint32_t warp = 0; warp < 8; warp++) {
        for (uint32_t lane = 0; lane < 32; lane++) {
            for (uint32_t r = 0; r < 32; r++) {
                uint32_t flat = layout_column(&layout, LAYOUT_REGISTER, r) ^
                                layout_column(&layout, LAYOUT_LANE, lane) ^
                                layout_column(&layout, LAYOUT_WARP, warp);
                uint32_t half = r >> 2 & 1, columns = r >> 3 & 1, block = r >> 4;
                uint32_t at = 128 * block + 32 * (warp % 4) + 16 * half + lane / 4 + 8 * (r >> 1 & 1);
                uint32_t column = 16 * (warp / 4) + 8 * columns + 2 * (lane % 4) + (r & 1);
                assert_int_equal(flat, at * 32 + column);
            }
        }
    }
}

static void test_moves(void **state) {
    (void)state;
    for (unsigned repeat = 1; repeat <= TENSOR_MOST_REPEAT; repeat *= 2) {
        for (int kind = TENSOR_LOAD; kind <= TENSOR_STORE_HALVES; kind++) {
            unsigned words = kind == TENSOR_STORE_HALVES ? TENSOR_HALF_WORDS : TENSOR_WORDS;
            struct tcgen05_move move = {(enum tensor_move)kind, words * repeat}, back = {0};
            struct strbuf text = {0}, constraints = {0};
            tcgen05_compose(&move, 'r', &text, &constraints);
            assert_true(tcgen05_parse(strbuf_text(&text), text.length, strbuf_text(&constraints), &back));
            assert_int_equal(back.move, move.move);
            assert_int_equal(back.words, move.words);
            strbuf_free(&text);
            strbuf_free(&constraints);
        }
    }
    struct tcgen05_move move;
    static const char *const others[] = {"tcgen05.ld.sync.aligned.16x256b.x1.b32 {$0, $1, $2, $4}, [$4];",
                                         "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];",
                                         "mov.b32 $0, $1;"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(tcgen05_parse(others[i], strlen(others[i]), "=r,r", &move));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions), cmocka_unit_test(test_descriptor),
                                       cmocka_unit_test(test_fragment), cmocka_unit_test(test_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
