// Several rows on several warps: exchanges and comparisons of lanes for reductions of pairs, sorts with indices, and scans.
#include "testing.h"
#include "assembly_testing.h"

// A kernel over a tile of eight rows, behind functions of its own.
#define TILE(functions, body)                                                                                \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n" functions "@triton.jit\n"                                               \
    "def kernel(x: '*fp32:16', y: '*fp32:16', at: '*i32:16'):\n"                                             \
    "    i = tl.arange(0, 8)\n"                                                                              \
    "    j = tl.arange(0, 1024)\n"                                                                           \
    "    a = tl.load(x + i[:, None] * 1024 + j[None, :])\n" body

static void test_pairs(void **state) {
    const char *text = TILE("", "    tl.store(at + i, tl.argmax(a, 1))\n");
    // Eight rows, value and index: lanes exchange 4, 2, 1, 1, 1 of each, and two threads share eight warps' results.
    assert_int_equal(assembly_count(text, "sm_90a", 8, "shfl.sync.bfly"), 2 * (4 + 2 + 1 + 1 + 1) + 2);
    // With four warps each thread combines their results.
    assert_int_equal(assembly_count(text, "sm_90a", 4, "shfl.sync.bfly"), 2 * (4 + 2 + 1 + 1 + 1));
    assert_int_equal(assembly_count(text, "sm_90a", 8, "bar.sync"), 2);
    assert_int_equal(assembly_count(text, "sm_90a", 4, "bar.sync"), 1);
}

// Floats compared as integers; their indices take no masks between exchanges.
static void test_sort(void **state) {
    const char *text = "import triton\n"
                       "import triton.language as tl\n"
                       "from torch._inductor.runtime import triton_helpers\n"
                       "@triton.jit\n"
                       "def kernel(x: '*fp32:16', y: '*fp32:16', at: '*i32:16'):\n"
                       "    j = tl.arange(0, 128)\n"
                       "    a = tl.load(x + j)\n"
                       "    b, k = triton_helpers.sort_with_index(a, j.to(tl.int16), None, 0, stable=False)\n"
                       "    tl.store(y + j, b)\n"
                       "    tl.store(at + j, k.to(tl.int32))\n";
    assert_int_equal(assembly_count(text, "sm_90a", 1, "setp.nan.f32"), 4); // a thread's elements, once
    assert_int_equal(assembly_count(text, "sm_90a", 1, "setp.gt.f32"), 0);
    assert_int_equal(assembly_count(text, "sm_90a", 1, "cvt.u32.u16"), 0);
}

// With a long combination rows' ends are written behind all of the rows' exchanges.
static void test_scans(void **state) {
    const char *text = TILE(
                   "@triton.jit\n"
                   "def later(a, i, b, j):\n"
                   "    left = (a > b) | ((a == b) & (i > j))\n"
                   "    return tl.where(left, a, b), tl.where(left, i, j)\n",
                   "    b, k = tl.associative_scan((a, tl.broadcast_to(j[None, :], a.shape)), 1, later)\n"
                   "    tl.store(y + i[:, None] * 1024 + j[None, :], b + k)\n"),
               *chip = "sm_90a";
    struct tkc_options options = assembly_options(text, &chip, 8);
    char *code = assembly_of(&options);
    const char *first = strstr(code, "st.shared"), *barrier = strstr(code, "bar.sync");
    assert_non_null(first);
    assert_true(first < barrier);
    assert_true(occurrences(code, "shfl.sync") > 0);
    const char *exchange = strstr(first, "shfl.sync");
    assert_true(!exchange || exchange > barrier);
    free(code);
}

// Of a scan over warps the ends of neighbouring columns are one access.
static void test_ends_of_warps(void **state) {
    static const char text[] = KERNEL_HEAD "def kernel(x: '*fp32:16', y: '*fp32:16'):\n"
                                           "    i = tl.arange(0, 32)\n"
                                           "    o = i[:, None] * 32 + i[None, :]\n"
                                           "    tl.store(y + o, tl.cumsum(tl.load(x + o), 0))\n";
    assert_int_equal(plain_count(text, "sm_80", "st.shared.v4"), 5); // two steps of two rows, one of one
    assert_int_equal(plain_count(text, "sm_80", "st.shared.b32"), 0);
}

// Numbers out of a histogram's range are left out by branches around address and count.
static void test_counts(void **state) {
    static const char text[] = KERNEL_HEAD
        "def kernel(x: '*i32:16', y: '*i32:16'):\n"
        "    tl.store(y + tl.arange(0, 256), tl.histogram(tl.load(x + tl.arange(0, 1024)), 256))\n";
    assert_int_equal(plain_count(text, "sm_80", "bra "), 8);
}

RUN(TEST(test_pairs), TEST(test_sort), TEST(test_scans), TEST(test_ends_of_warps), TEST(test_counts))
