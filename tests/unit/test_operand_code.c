// A loaded tile with arithmetic before a warpgroup dot is stored to shared memory in the layout of the load,
// 16 bytes at once. Signs of an operand of 16 bits change two at once.
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

#define SIGNED(type, operand)                                                                                \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(a: '*" type ":16', b: '*" type ":16', c: '*fp32:16'):\n"                                     \
    "    i = tl.arange(0, 64)\n"                                                                             \
    "    o = i[:, None] * 64 + i[None, :]\n"                                                                 \
    "    x = tl.load(a + o)\n"                                                                               \
    "    tl.store(c + o, tl.dot(" operand ", tl.load(b + o)))\n"

static void test_signs(void **state) {
    static const char *const negated[] = {SIGNED("fp16", "-x"), SIGNED("bf16", "-x")};
    static const char absolute[] = SIGNED("fp16", "tl.abs(x)"), scaled[] = SIGNED("fp16", "-x * x");
    static const char signs[] = ", -2147450880;", numbers[] = ", 2147450879;"; // 0x80008000, 0x7fff7fff
    for (size_t i = 0; i < sizeof negated / sizeof *negated; i++) {
        assert_true(hopper_count(negated[i], signs) > 0);
        assert_int_equal(hopper_count(negated[i], "neg."), 0);
    }
    assert_true(hopper_count(absolute, numbers) > 0);
    assert_int_equal(hopper_count(scaled, signs),
                     0); // instructions of arithmetic negate operands for nothing
}

// A tile that is multiplied with its signs and with others: threads change those of what they multiply, a word at a time.
static void test_signs_amd(void **state) {
    static const char both[] =
        KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', n: 'i32:16'):\n"
                    "    i = tl.arange(0, 64)\n"
                    "    one = tl.zeros((64, 64), tl.float32)\n"
                    "    two = tl.zeros((64, 64), tl.float32)\n"
                    "    for k in range(0, n, 64):\n"
                    "        x = tl.load(a + i[:, None] * n + (i + k)[None, :])\n"
                    "        y = tl.load(b + (i + k)[:, None] * 64 + i[None, :])\n"
                    "        one = tl.dot(x, y, one)\n"
                    "        two = tl.dot(-x, y, two)\n"
                    "    tl.store(c + i[:, None] * 64 + i[None, :], one * two)\n";
    static const char *const chips[] = {"gfx942", "gfx1100"};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        assert_true(plain_count(both, chips[i], "0x80008000") > 0);
        assert_int_equal(plain_count(both, chips[i], "0x8000,"), 0);
        assert_int_equal(plain_count(both, chips[i], "0x8000\n"), 0);
    }
}

RUN(TEST(test_rows), TEST(test_signs), TEST(test_signs_amd))
