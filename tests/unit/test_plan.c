// The plan of a loop: its stages, or the reason for leaving it alone. Each kernel differs from a pipelined
// product in one respect.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reason_testing.h"
#include "text_testing.h"
#include "tkc/tkc.h"

#define PRODUCT(block, loads, change)                                                                        \
    "import triton\nimport triton.language as tl\n@triton.jit\n"                                             \
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', p: '*i32:16', n: 'i32:16'):\n"                  \
    "    i = tl.arange(0, " block ")\n"                                                                      \
    "    o = i[:, None] * n + i[None, :]\n"                                                                  \
    "    q = o\n"                                                                                            \
    "    s = tl.zeros((" block ", " block "), tl.float32)\n"                                                 \
    "    for k in range(0, n, " block "):\n" loads "        s = tl.dot(x, y, s)\n" change                    \
    "    tl.store(c + o, s)\n"
#define LOADS "        x = tl.load(a + o + k)\n        y = tl.load(b + o + k * n)\n"

static char *planned(const char *source, const char *chip, unsigned num_stages) {
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "kernel.tk";
    options.text = source;
    options.kind = TKC_MLIR;
    options.targets = (const char *[]){chip};
    options.target_count = 1;
    options.outputs = (const char *[]){"-"};
    options.output_count = 1;
    options.stop_after = "plan";
    options.grid = "1";
    options.num_stages = (int)num_stages;
    struct tkc_result *result = tkc_compile(&options);
    if (!result->ok) {
        fail_msg("%s", result->diagnostic_count ? result->diagnostics[0].text : "not compiled");
    }
    char *text = strdup(result->artifacts[0].bytes);
    tkc_result_free(result);
    return text;
}

static void expect_stages(const char *chip, unsigned num_stages, const char *stages) {
    char *text = planned(PRODUCT("64", LOADS, ""), chip, num_stages), wanted[128];
    snprintf(wanted, sizeof wanted, "tk.pipeline = \"%s\"", stages);
    if (!strstr(text, wanted)) {
        fail_msg("not %s:\n%s", wanted, text);
    }
    free(text);
}

static void expect(const char *source, const char *chip, unsigned num_stages, enum attribute_name attribute,
                   enum reason reason) {
    char *text = planned(source, chip, num_stages);
    if (!says(text, attribute, reason)) {
        fail_msg("%s is not said to be %s:\n%s\n%s", attribute_text(attribute), reason_name(reason), source,
                 text);
    }
    free(text);
}

static void test_stages(void **state) {
    (void)state;
    expect_stages("sm_80", 3, "3 stages");
    expect_stages("sm_80", 2, "2 stages");
    expect_stages("gfx942", 3, "2 stages, through registers");
    expect_stages("gfx942", 1, "1 stage, read in its own iteration");
}

// Tensor copies store the result in pieces, and specialisation leaves a conversion of the whole behind that nothing reads: with its
// 64 KB of scratch there would be no room for slots of scales.
static void test_scales_beside_stores(void **state) {
    (void)state;
    char *text = planned(
        "import triton\nimport triton.language as tl\n@triton.jit\n"
        "def kernel(a: '*u8:16', a_scale: '*fp8e4nv:16', b: '*u8:16', b_scale: '*fp8e4nv:16', c: '*fp16:16', "
        "K: 'i32:16', N: 'i32:16',\n"
        "           rows: 'i32:16', groups: 'i32:16'):\n"
        "    i, j, k, g = tl.arange(0, 128), tl.arange(0, 256), tl.arange(0, 128), tl.arange(0, 16)\n"
        "    s = tl.zeros((128, 256), tl.float32)\n"
        "    for step in range(0, K):\n"
        "        x = tl.load(a + i[:, None] * rows + (step * 128 + k)[None, :])\n"
        "        y = tl.load(b + j[None, :] * rows + (step * 128 + k)[:, None])\n"
        "        x_scale = tl.load(a_scale + i[:, None] * groups + (step * 16 + g)[None, :])\n"
        "        y_scale = tl.load(b_scale + j[:, None] * groups + (step * 16 + g)[None, :])\n"
        "        s = tl.dot_scaled(x, x_scale, 'e2m1',\n"
        "                          y, y_scale, 'e2m1', s)\n"
        "    tl.store(c + i[:, None] * N + j[None, :], s.to(tl.float16))\n",
        "sm_100a", 3);
    assert_non_null(strstr(text, "filled by a warp of their own"));
    assert_non_null(strstr(text, "tk.slots = 3"));
    free(text);
}

static void test_left_alone(void **state) {
    (void)state;
#define LEFT(block, loads, change, reason)                                                                   \
    expect(PRODUCT(block, loads, change), "sm_80", 3, ATTR_PIPELINE, reason)
    expect(PRODUCT("64", LOADS, ""), "sm_80", 1, ATTR_PIPELINE, REASON_ONE_STAGE);
    expect(PRODUCT("64", "        x = tl.load(a + o + k)\n        y = x\n", ""), "gfx942", 1, ATTR_PIPELINE,
           REASON_ONE_LOAD);
    LEFT("64", LOADS,
         "        tl.store(a + o + k, s.to(tl.float16))\n        tl.store(b + o + k, s.to(tl.float16))\n",
         REASON_WRITES_LOADED);
    LEFT("64", LOADS, "        tl.debug_barrier()\n", REASON_WRITES_LOADED);
    LEFT("64", "        x = tl.load(a + o + k, volatile=True)\n        y = x\n", "", REASON_VOLATILE);
    LEFT("64", "        x = (k + o).to(tl.float16)\n        y = x\n", "", REASON_NOTHING_STAGED);
    LEFT("64", "        x = tl.load(a + q)\n        y = tl.load(b + q)\n",
         "        q += tl.sum(s, 0)[None, :].to(tl.int32)\n", REASON_NOT_AHEAD);
    LEFT("64", LOADS, "        s += x + y\n", REASON_READ_ELSEWHERE);
    LEFT("64", "        x = (k + o).to(tl.float16)\n        y = x\n",
         "        s += tl.load(c + i)[None, :]\n", REASON_NO_DOT);
    LEFT("256", LOADS, "", REASON_STAGE_ROOM);
#undef LEFT
}

static void test_no_warpgroup(void **state) {
    (void)state;
    expect(PRODUCT("32", LOADS, ""), "sm_90a", 3, ATTR_WGMMA, REASON_WGMMA_SHAPE);
    expect(PRODUCT("32", LOADS, ""), "sm_90a", 3, ATTR_SPECIALISE, REASON_NO_WARPGROUP);
    expect(PRODUCT("256", LOADS, ""), "sm_90a", 3, ATTR_WGMMA, REASON_WGMMA_REGISTERS);
}

static void test_no_tensor_memory(void **state) {
    (void)state;
#define LEFT(block, loads, change, reason)                                                                   \
    expect(PRODUCT(block, loads, change), "sm_100a", 3, ATTR_WGMMA, reason)
    LEFT("64", LOADS, "", REASON_TENSOR_SHAPE);
    LEFT("128", LOADS, "        s *= 2\n", REASON_TENSOR_SUMS);
    LEFT("128", LOADS, "        tl.store(c + o, tl.dot(tl.dot(x, y), y.to(tl.float32)))\n",
         REASON_TENSOR_LEFT);
    LEFT("256", LOADS, "", REASON_TENSOR_REGISTERS);
    LEFT("128", LOADS,
         "        for u in tl.static_range(5):\n            tl.store(c + u + o, tl.dot(x * (u + 2), y))\n",
         REASON_TENSOR_COLUMNS);
#undef LEFT
}

static void test_not_specialised(void **state) {
    (void)state;
#define LEFT(loads, change, reason) expect(PRODUCT("64", loads, change), "sm_90a", 3, ATTR_SPECIALISE, reason)
    LEFT("        x = tl.load(a + o + k)\n        y = tl.load(b + o * 2 + k * n)\n", "", REASON_CONTIGUOUS);
    LEFT(LOADS,
         "        for j in range(2, n):\n            for m in range(j):\n                s = tl.dot(x, y, "
         "s)\n",
         REASON_DOT_PLACE);
    LEFT("        x = tl.load(a + o - tl.load(p + k) * n)\n        y = tl.load(b + o - tl.load(p + k) * n)\n",
         "", REASON_FIRST_NEGATIVE);
#undef LEFT
    expect(PRODUCT("64", LOADS, ""), "sm_90a", 1, ATTR_SPECIALISE, REASON_ONE_STAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),           cmocka_unit_test(test_scales_beside_stores),
        cmocka_unit_test(test_left_alone),       cmocka_unit_test(test_no_warpgroup),
        cmocka_unit_test(test_no_tensor_memory), cmocka_unit_test(test_not_specialised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
