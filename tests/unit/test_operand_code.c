// A loaded tile with arithmetic before a warpgroup dot is stored to shared memory in the layout of the load,
// 16 bytes at once.
#include "testing.h"
#include "assembly_testing.h"

#define KERNEL(type, product)                                                                                \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(a: '*" type ":16', b: '*" type ":16', s: '*fp32:16', c: '*fp32:16'):\n"                      \
    "    i = tl.arange(0, 64)\n"                                                                             \
    "    o = i[:, None] * 64 + i[None, :]\n"                                                                 \
    "    scaled = (tl.load(b + o) * tl.load(s + i)[:, None]).to(" product ")\n"                              \
    "    tl.store(c + o, tl.dot(tl.load(a + o), scaled))\n"

static void test_rows(void **state) {
    static const char half[] = KERNEL("fp16", "tl.float16"), single[] = KERNEL("fp32", "tl.float32");
    assert_true(hopper_count(half, "wgmma.mma_async") > 0);
    assert_int_equal(hopper_count(half, "st.shared.b16") + hopper_count(half, "st.shared.u16"), 0);
    assert_true(hopper_count(half, "st.shared.v4") > 0);
    assert_true(hopper_count(single, "wgmma.mma_async") > 0); // must have K contiguous
}

RUN(TEST(test_rows))
