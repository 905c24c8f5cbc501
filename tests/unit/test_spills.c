// A kernel with spills gets more warps; a kernel with fixed warps gets a warning with its numbers, the same
// from assembly and from an object.
#include "testing.h"
#include <time.h>

#include "codegen/spills.h"
#include "tkc/tkc.h"

// The sums of one warp: 64 × 128 are 256 registers of each of 32 threads. Another kernel has one sum.
static const char product[] =
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', K: 'i32:16', M: tl.constexpr, KNOWS: "
    "tl.constexpr):\n"
    "    if KNOWS:\n"
    "        a += tl.extra.cuda.num_warps()\n"
    "    i = tl.arange(0, M)\n"
    "    j = tl.arange(0, 128)\n"
    "    k = tl.arange(0, 16)\n"
    "    u = tl.zeros([M, 128], tl.float32)\n"
    "    for s in range(0, K, 16):\n"
    "        u = tl.dot(tl.load(a + i[:, None] * K + s + k[None, :]), tl.load(b + (s + k)[:, None] * 128 + "
    "j[None, :]), u)\n"
    "    tl.store(c + i[:, None] * 128 + j[None, :], u)\n"
    "@triton.jit\n"
    "def small(c: '*fp32'):\n"
    "    tl.store(c + tl.arange(0, 32), 1.0)\n";

// 130 loads of 8 elements a thread at once, 8 registers each.
static const char long_sum[] = "import triton\n"
                               "import triton.language as tl\n"
                               "@triton.jit\n"
                               "def long_sum(x: '*fp32:16', y: '*fp32:16'):\n"
                               "    i = tl.arange(0, 256)\n"
                               "    rows = ()\n"
                               "    for k in tl.static_range(130):\n"
                               "        rows = rows + (tl.load(x + k * 256 + i),)\n"
                               "    total = tl.zeros([256], tl.float32)\n"
                               "    for k in tl.static_range(130):\n"
                               "        total += rows[k]\n"
                               "    tl.store(y + i, total)\n";

// Three tiles of sums, all in use behind the last product: 768 registers of each of 64 threads.
static const char three_products[] =
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def product(a, b, i, j, k):\n"
    "    return tl.dot(tl.load(a + i[:, None] * 16 + k[None, :]), tl.load(b + k[:, None] * 256 + j[None, "
    ":]))\n"
    "@triton.jit\n"
    "def three(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16'):\n"
    "    i = tl.arange(0, 64)\n"
    "    j = tl.arange(0, 256)\n"
    "    k = tl.arange(0, 16)\n"
    "    s = product(a, b, i, j, k)\n"
    "    t = product(a + 1024, b + 4096, i, j, k)\n"
    "    u = product(a + 2048, b + 8192, i, j, k)\n"
    "    z = (tl.sum(s, 1) + tl.sum(t, 1) * tl.sum(u, 1))[:, None]\n"
    "    tl.store(c + i[:, None] * 256 + j[None, :], (s + z) * (t - z) + u * tl.exp2(s * z))\n";

// Tiles of bytes whose pointers, counted one an element, would take twice a thread's registers.
static const char deep_bytes[] = "import triton\n"
                                 "import triton.language as tl\n"
                                 "@triton.jit\n"
                                 "def deep(a: '*i8:16', b: '*i8:16', c: '*i32:16', K: 'i32:16'):\n"
                                 "    i, k = tl.arange(0, 32), tl.arange(0, 128)\n"
                                 "    x = a + i[:, None] * K + k[None, :]\n"
                                 "    y = b + i[None, :] * K + k[:, None]\n"
                                 "    u = tl.zeros([32, 32], tl.int32)\n"
                                 "    for s in range(0, K, 128):\n"
                                 "        u = tl.dot(tl.load(x), tl.load(y), u)\n"
                                 "        x += 128\n"
                                 "        y += 128\n"
                                 "    tl.store(c + i[:, None] * 32 + i[None, :], u)\n";

static struct tkc_result *compile_on(const char *chip, const char *text, const struct tkc_define *defines,
                                     size_t count, const char *output) {
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "spills.tk";
    options.text = text;
    options.targets = &chip;
    options.target_count = 1;
    options.outputs = &output;
    options.output_count = 1;
    options.no_header = options.no_json = true;
    options.num_warps = 1;
    options.defines = defines;
    options.define_count = count;
    struct tkc_result *result = tkc_compile(&options);
    if (!result->ok) {
        fail_msg("%s", result->diagnostics[0].text);
    }
    return result;
}

static struct tkc_result *compile_text(const char *text, const struct tkc_define *defines, size_t count,
                                       const char *output) {
    return compile_on("gfx1100", text, defines, count, output);
}

static struct tkc_result *compile(const char *rows, bool knows, const char *output) {
    const struct tkc_define defines[] = {{"M", rows}, {"KNOWS", knows ? "True" : "False"}};
    return compile_text(product, defines, 2, output);
}

static struct spills spills_of(const struct tkc_result *result, bool object) {
    return spills_read(result->artifacts[0].bytes, result->artifacts[0].length, object);
}

static const char *warning_of(const struct tkc_result *result) {
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        if (strstr(result->diagnostics[i].text, "do not fit in the 256 registers")) {
            return result->diagnostics[i].text;
        }
    }
    return NULL;
}

// The kernel with spills, compiled once for all tests.
static struct tkc_result *spilling(bool object) {
    static struct tkc_result *made[2];
    if (!made[object]) {
        made[object] = compile("64", true, object ? "spills.hsaco" : "spills.s");
    }
    return made[object];
}

static void test_spills_are_told(void **state) {
    struct tkc_result *text = spilling(false), *object = spilling(true);
    struct spills one = spills_of(text, false), other = spills_of(object, true);
    assert_true(one.spilled > 64);
    assert_int_equal(one.registers, 256);
    assert_true(one.bytes >= 4 * 64);
    assert_memory_equal(&one, &other, sizeof one);
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%u of them are kept in %u B of scratch", one.spilled, one.bytes);
    assert_non_null(warning_of(text));
    assert_non_null(strstr(warning_of(text), numbers));
    assert_non_null(warning_of(object));
}

// Fragments that wait in scratch memory are not among the values that LLVM counts.
static void test_parked_fragments_count(void **state) {
    static const char parked[] = "    .private_segment_fixed_size: 528\n    .vgpr_spill_count: 0\n",
                      padded[] = "    .private_segment_fixed_size: 44\n    .vgpr_spill_count: 10\n";
    assert_int_equal(spills_read(parked, sizeof parked - 1, false).spilled, 132);
    assert_int_equal(spills_read(padded, sizeof padded - 1, false).spilled, 10);
    // 128 words of them beside 95 spilled values, and 96: the number does not fall as LLVM spills more.
    static const char some[] = "    .private_segment_fixed_size: 892\n    .vgpr_spill_count: 95\n",
                      more[] = "    .private_segment_fixed_size: 896\n    .vgpr_spill_count: 96\n";
    assert_int_equal(spills_read(some, sizeof some - 1, false).spilled, 128);
    assert_int_equal(spills_read(more, sizeof more - 1, false).spilled, 128);
}

static void test_no_spills_are_no_warning(void **state) {
    struct tkc_result *text = compile("16", true, "spills.s");
    assert_int_equal(spills_of(text, false).spilled, 0);
    assert_null(warning_of(text));
    tkc_result_free(text);
}

// Threads of the kernels of an assembly text, in order.
static unsigned threads_of(const struct tkc_result *result, int kernel) {
    static const char key[] = ".max_flat_workgroup_size:";
    const char *at = result->artifacts[0].bytes;
    for (int i = 0; i <= kernel; i++) {
        at = strstr(at, key);
        assert_non_null(at);
        at += sizeof key - 1;
    }
    return (unsigned)strtoul(at, NULL, 10);
}

static void test_more_warps(void **state) {
    struct tkc_result *text = compile("64", false, "spills.s"), *fixed = spilling(false);
    assert_int_equal(spills_of(text, false).spilled, 0);
    assert_int_equal(spills_of(text, false).bytes, 0);
    assert_null(warning_of(text));
    assert_true(threads_of(text, 0) > 32);
    assert_int_equal(threads_of(text, 1), 32);
    assert_int_equal(threads_of(fixed, 0), 32);
    tkc_result_free(text);
}

// 2,048 accumulators a thread certainly spill, so LLVM is not run: it took 20 s for them, and over half of
// them 5 s.
static void test_warps_for_very_many_sums(void **state) {
    clock_t begin = clock();
    struct tkc_result *text = compile("512", false, "spills.s");
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_true(seconds < 10);
    assert_true(spills_of(text, false).spilled <= 2); // LLVM 19: 0 of 512 threads, LLVM 22: 2 of 1,024
    assert_true(threads_of(text, 0) >= 512);
    tkc_result_free(text);
}

// Twice as many values as registers in long code: its spills are not counted, which took seven seconds.
static void test_warps_for_several_products(void **state) {
    clock_t begin = clock();
    struct tkc_result *text = compile_on("gfx942", three_products, NULL, 0, "spills.s");
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_true(seconds < 5);
    assert_int_equal(spills_of(text, false).spilled, 0);
    assert_true(threads_of(text, 0) > 64);
    tkc_result_free(text);
}

// Small values, but more of them than registers: 297 spilled, after ten times the seconds.
static void test_warps_for_many_small_values(void **state) {
    struct tkc_result *text = compile_text(long_sum, NULL, 0, "spills.s");
    assert_int_equal(spills_of(text, false).spilled, 0);
    assert_true(threads_of(text, 0) > 32);
    tkc_result_free(text);
}

// Pointers that a loop carries are no reason for more warps.
static void test_no_warps_for_pointers(void **state) {
    struct tkc_result *text = compile_text(deep_bytes, NULL, 0, "spills.s");
    assert_int_equal(spills_of(text, false).spilled, 0);
    assert_int_equal(threads_of(text, 0), 32);
    tkc_result_free(text);
}

// Of two kernels each has its own numbers.
static void test_kernels_apart(void **state) {
    for (int object = 0; object < 2; object++) {
        const char *bytes = spilling(object)->artifacts[0].bytes;
        size_t length = spilling(object)->artifacts[0].length;
        assert_true(spills_of_kernel(bytes, length, object, 0).spilled > 64);
        assert_int_equal(spills_of_kernel(bytes, length, object, 1).spilled, 0);
        assert_true(spills_of_kernel(bytes, length, object, 1).registers < 32);
    }
}

static int free_results(void **state) {
    tkc_result_free(spilling(false));
    tkc_result_free(spilling(true));
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_warps),
        cmocka_unit_test(test_warps_for_very_many_sums),
        cmocka_unit_test(test_warps_for_several_products),
        cmocka_unit_test(test_warps_for_many_small_values),
        cmocka_unit_test(test_no_warps_for_pointers),
        cmocka_unit_test(test_kernels_apart),
        cmocka_unit_test(test_spills_are_told),
        cmocka_unit_test(test_parked_fragments_count),
        cmocka_unit_test(test_no_spills_are_no_warning),
    };
    return cmocka_run_group_tests(tests, NULL, free_results);
}
