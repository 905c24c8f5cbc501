// A square takes one multiplication.
#include "testing.h"
#include "assembly_testing.h"

enum { WARPS = 4 };

#define POWER(exponent)                                                                                      \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*fp32:16', n: 'fp32'):\n"                                                                \
    "    i = tl.arange(0, 128)\n"                                                                            \
    "    tl.store(x + i, tl.extra.cuda.libdevice.pow(tl.load(x + i), " exponent "))\n"

static void test_square(void **state) {
    assert_int_equal(assembly_count(POWER("2"), "sm_90a", WARPS, "fma.rn.f32"), 0);
    assert_int_equal(assembly_count(POWER("2.0"), "sm_90a", WARPS, "fma.rn.f32"), 0);
    assert_true(assembly_count(POWER("n"), "sm_90a", WARPS, "fma.rn.f32") > 0);
}

RUN(TEST(test_square))
