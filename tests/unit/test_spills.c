// A kernel whose values do not fit in registers is warned of with its numbers, the same from assembly and from an object.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codegen/spills.h"
#include "tkc/tkc.h"

// The sums of one warp: 128 × 128 are 512 registers of each of 32 threads.
static const char product[] =
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', K: 'i32:16', M: tl.constexpr):\n"
    "    i = tl.arange(0, M)\n"
    "    j = tl.arange(0, 128)\n"
    "    k = tl.arange(0, 16)\n"
    "    u = tl.zeros([M, 128], tl.float32)\n"
    "    for s in range(0, K, 16):\n"
    "        u = tl.dot(tl.load(a + i[:, None] * K + s + k[None, :]), tl.load(b + (s + k)[:, None] * 128 + "
    "j[None, :]), u)\n"
    "    tl.store(c + i[:, None] * 128 + j[None, :], u)\n";

static struct tkc_result *compile(const char *rows, const char *output) {
    static const char *const chip = "gfx1100";
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "spills.tk";
    options.text = product;
    options.targets = &chip;
    options.target_count = 1;
    options.outputs = &output;
    options.output_count = 1;
    options.no_header = options.no_json = true;
    options.num_warps = 1;
    options.defines = &(const struct tkc_define){"M", rows};
    options.define_count = 1;
    struct tkc_result *result = tkc_compile(&options);
    if (!result->ok) {
        fail_msg("%s", result->diagnostics[0].text);
    }
    return result;
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

static void test_spills_are_told(void **state) {
    (void)state;
    struct tkc_result *text = compile("128", "spills.s"), *object = compile("128", "spills.hsaco");
    struct spills one = spills_of(text, false), other = spills_of(object, true);
    assert_true(one.spilled > 256);
    assert_int_equal(one.registers, 256);
    assert_true(one.bytes >= 4 * 256);
    assert_memory_equal(&one, &other, sizeof one);
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%u of them are kept in %u B of scratch", one.spilled, one.bytes);
    assert_non_null(warning_of(text));
    assert_non_null(strstr(warning_of(text), numbers));
    assert_non_null(warning_of(object));
    tkc_result_free(text);
    tkc_result_free(object);
}

static void test_no_spills_are_no_warning(void **state) {
    (void)state;
    struct tkc_result *text = compile("16", "spills.s");
    assert_int_equal(spills_of(text, false).spilled, 0);
    assert_null(warning_of(text));
    tkc_result_free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spills_are_told),
        cmocka_unit_test(test_no_spills_are_no_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
