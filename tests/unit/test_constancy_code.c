// Values equal for neighbours are computed and loaded once: quotients of indices, and loads indexed by them.
#include "testing.h"
#include "assembly_testing.h"

#define KERNEL(channel)                                                                                      \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*fp32:16', y: '*fp32:16', weights: '*fp32:16', n: 'i32'):\n"                             \
    "    i = tl.program_id(0) * 512 + tl.arange(0, 512)\n"                                                   \
    "    w = tl.load(weights + " channel ")\n"                                                               \
    "    tl.store(y + i, tl.load(x + i) * w)\n"

static void test_quotients(void **state) {
    // Four neighbours of x are one load, and a weight another.
    assert_int_equal(hopper_count(KERNEL("i // 384 % 10"), "ld.global"), 2);
    assert_int_equal(hopper_count(KERNEL("i // 386 % 10"), "ld.global"), 1 + 2); // 386 is 2 times 193
    assert_int_equal(hopper_count(KERNEL("i // 385 % 10"), "ld.global"), 1 + 4);
    assert_true(hopper_count(KERNEL("i // 384 % 10"), "mul.") <
                hopper_count(KERNEL("i // 385 % 10"), "mul."));
}

// A mask with differences among them keeps loads separate.
static void test_masks(void **state) {
    assert_int_equal(hopper_count(KERNEL("i // 384, mask=i < n"), "ld.global"), 1 + 4);
    assert_int_equal(hopper_count(KERNEL("i // 384, mask=i < n // 4 * 4"), "ld.global"), 2);
    assert_int_equal(
        hopper_count(KERNEL("i // 384, mask=i < n // 4 * 4, other=i.to(tl.float32)"), "ld.global"), 1 + 4);
}

RUN(TEST(test_quotients), TEST(test_masks))
