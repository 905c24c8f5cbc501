// Short loops with a known trip count are unrolled on NVIDIA, so that several loads are in flight; long
// bodies stay.
#include "testing.h"
#include "assembly_testing.h"

#define KERNEL(steps)                                                                                        \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*fp32:16', y: '*fp32:16', n: 'i32'):\n"                                                  \
    "    i = tl.arange(0, 128)\n"                                                                            \
    "    sum = tl.zeros([128], tl.float32)\n"                                                                \
    "    for k in range(0, " steps ", 128):\n"                                                               \
    "        sum += tl.load(x + tl.program_id(0) * 4096 + k + i)\n"                                          \
    "    tl.store(y + i, sum)\n"

static void test_steps(void **state) {
    assert_true(
        hopper_count(KERNEL("1024"), "ld.global.f32") + hopper_count(KERNEL("1024"), "ld.global.b32") > 1);
    assert_int_equal(hopper_count(KERNEL("n"), "ld.global.f32") + hopper_count(KERNEL("n"), "ld.global.b32"),
                     1);
}

RUN(TEST(test_steps))
