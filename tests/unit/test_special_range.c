// LLVM gets the range of special registers, so that it can prove that a block's elements are in one row.
#include "testing.h"
#include "assembly_testing.h"

enum { WARPS = 8 };

// 2048 elements of rows of 8192, 8 a thread: their row is computed once, not eight times.
static void test_row_of_a_block(void **state) {
    static const char text[] = "import triton\n"
                               "import triton.language as tl\n"
                               "@triton.jit\n"
                               "def kernel(x: '*fp16:16', y: '*fp16:16', stride: 'i32', n: 'i32'):\n"
                               "    i = tl.program_id(0).to(tl.int64) * 2048 + tl.arange(0, 2048)\n"
                               "    at = i // 8192 * stride + i % 8192\n"
                               "    tl.store(y + at, tl.load(x + at, mask=i < n), mask=i < n)\n";
    const char *chip = "sm_90a";
    struct tkc_options options = assembly_options(text, &chip, WARPS);
    char *code = assembly_of(&options);
    assert_true(occurrences(code, "mul.") + occurrences(code, "mad.") <=
                3); // of the program's id, and the row's stride
    assert_true(occurrences(code, "shr.") <= 2);
    free(code);
}

RUN(TEST(test_row_of_a_block))
