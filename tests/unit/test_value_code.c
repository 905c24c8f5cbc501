// Assembly with an output that depends only on its operands is an ordinary value: a divisor or rounded value
// common to all elements of a row is computed once a row.
#include "testing.h"
#include "assembly_testing.h"

enum { WARPS = 1 };

// A lane has two rows of the tile, and four columns of each.
#define KERNEL(value)                                                                                        \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*fp32:16', z: '*fp32:16'):\n"                                                            \
    "    place = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]\n"                               \
    "    sums = tl.sum(tl.load(x + place), 1)[:, None] + tl.zeros([16, 16], tl.float32)\n"                   \
    "    tl.store(z + place, " value ")\n"

static void test_quotients(void **state) {
    assert_int_equal(assembly_count(KERNEL("sums / (2 * sums)"), "sm_80", WARPS, "div.full"), 2);
    assert_int_equal(assembly_count(KERNEL("tl.load(x + place) / sums"), "sm_80", WARPS, "div.full"), 8);
}

static void test_roundings(void **state) {
    assert_int_equal(
        assembly_count(KERNEL("sums.to(tl.bfloat16).to(tl.float32)"), "sm_80", WARPS, "cvt.rn.bf16x2.f32"),
        2);
    assert_int_equal(assembly_count(KERNEL("tl.load(x + place).to(tl.bfloat16).to(tl.float32)"), "sm_80",
                                    WARPS, "cvt.rn.bf16x2.f32"),
                     8);
}

// A division equal for all elements of a tile is computed once on each path.
static void test_paths(void **state) {
    static const char text[] =
        "import triton\n"
        "import triton.language as tl\n"
        "@triton.jit\n"
        "def kernel(x: '*fp32:16', y: '*fp32:16', a: 'fp32', b: 'fp32', n: 'i32'):\n"
        "    i = tl.arange(0, 512)\n"
        "    if n > 5:\n"
        "        tl.store(y + i, tl.load(x + i) + tl.full([512], 3.0, tl.float32) * a / b)\n"
        "    else:\n"
        "        tl.store(y + i, tl.load(x + i) * (tl.full([512], 3.0, tl.float32) * a / b))\n";
    assert_int_equal(assembly_count(text, "sm_80", WARPS, "rcp.approx"), 2);
}

// An integer becomes a bf16 in one step if the chip can: through f32 it might be rounded twice.
static void test_integers(void **state) {
    static const char text[] = KERNEL_HEAD "def kernel(x: '*i32:16', z: '*bf16:16'):\n"
                                           "    i = tl.arange(0, 128)\n"
                                           "    tl.store(z + i, tl.load(x + i).to(tl.bfloat16))\n";
    assert_int_equal(plain_count(text, "sm_90a", "cvt.rn.bf16.s32"), 1);
    assert_int_equal(plain_count(text, "sm_80", "cvt.rn.f32.s32"), 1);
}

// Neighbouring f32 products are packed where the chip has packed ones, and numbers of loads apart are not moved together for it.
static void test_packed(void **state) {
    static const char apart[] = KERNEL_HEAD
        "def kernel(x: '*fp32', at: '*i32:16', z: '*fp32:16'):\n"
        "    i = tl.arange(0, 256)\n"
        "    tl.store(z + i * 3, tl.load(x + tl.load(at + i)) * 3 + tl.load(x + tl.load(at + i) + 9))\n";
    static const struct {
        const char *chip;
        bool packs;
    } chips[] = {{"gfx908", false}, {"gfx1100", false}, {"gfx90a", true}, {"gfx942", true}, {"gfx950", true}};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        const char *chip = chips[i].chip;
        unsigned count = assembly_count(KERNEL("tl.load(x + place) * 3 * sums"), chip, WARPS, "v_pk_mul_f32");
        if (chips[i].packs != (count > 0)) {
            fail_msg("%s: %u packed products", chip, count);
        }
        assert_int_equal(assembly_count(apart, chip, WARPS, "v_pk_"), 0);
    }
}

// A number of 64 bits that fits in 32 becomes a float from these, and small integers become f16 two at a time.
static void test_small_integers(void **state) {
    static const char masked[] = KERNEL_HEAD "def kernel(x: '*i64:16', z: '*fp32:16'):\n"
                                             "    i = tl.arange(0, 256)\n"
                                             "    tl.store(z + i, (tl.load(x + i) & 15).to(tl.float32))\n";
    static const char bytes[] = KERNEL_HEAD "def kernel(x: '*i8:16', z: '*fp16:16'):\n"
                                            "    i = tl.arange(0, 256)\n"
                                            "    tl.store(z + i, tl.load(x + i).to(tl.float16))\n";
    static const char *const chips[] = {"gfx90a", "gfx942", "gfx1100", "gfx1200"};
    assert_int_equal(plain_count(masked, "sm_80", "cvt.rn.f32.s64"), 0);
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        assert_int_equal(assembly_count(masked, chips[i], WARPS, "v_cvt_f32_ubyte0"), i < 2 ? 4 : 8);
        assert_int_equal(assembly_count(bytes, chips[i], WARPS, "v_pk_add_f16"), i < 2 ? 2 : 4);
        assert_int_equal(assembly_count(bytes, chips[i], WARPS, "v_cvt_f16"), 0);
    }
}

RUN(TEST(test_small_integers), TEST(test_quotients), TEST(test_roundings), TEST(test_paths),
    TEST(test_integers), TEST(test_packed))
