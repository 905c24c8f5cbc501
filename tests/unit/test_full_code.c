// Where a thread holds more values than it has registers arithmetic comes element by element, and halves of words late. A power
// that is a square takes one product.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly_testing.h"

enum { WARPS = 4 };

#define KERNEL(type, rows)                                                                                   \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*" type ":16', y: '*" type ":16', z: '*" type ":16'):\n"                                 \
    "    i = tl.arange(0, " rows ")\n"                                                                       \
    "    o = i[:, None] * 128 + tl.arange(0, 128)[None, :]\n"                                                \
    "    up = tl.load(x + o)\n"                                                                              \
    "    gate = tl.load(y + o).to(tl.float32)\n"                                                             \
    "    gate = gate / (1 + tl.exp(-gate))\n"                                                                \
    "    tl.store(z + o, up * gate.to(z.dtype.element_ty))\n"

// Exponentials in front of the first quotient.
static unsigned ahead(const char *text) {
    static const char *const chip = "sm_90a";
    struct tkc_options options = assembly_options(text, &chip, WARPS);
    char *code = assembly_of(&options), *end = strstr(code, "div.full");
    assert_non_null(end);
    unsigned found = 0;
    for (const char *at = code; (at = strstr(at, "ex2.approx")) && at < end; at++) {
        found++;
    }
    free(code);
    return found;
}

static void test_elements(void **state) {
    (void)state;
    assert_true(ahead(KERNEL("fp16", "128")) <= 8);
    assert_true(ahead(KERNEL("bf16", "128")) <= 8);
    assert_int_equal(ahead(KERNEL("fp16", "16")), 16); // they fit
}

#define POWER(exponent)                                                                                      \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*fp32:16', n: 'fp32'):\n"                                                                \
    "    i = tl.arange(0, 128)\n"                                                                            \
    "    tl.store(x + i, tl.extra.cuda.libdevice.pow(tl.load(x + i), " exponent "))\n"

static void test_square(void **state) {
    (void)state;
    assert_int_equal(assembly_count(POWER("2"), "sm_90a", WARPS, "fma.rn.f32"), 0);
    assert_int_equal(assembly_count(POWER("2.0"), "sm_90a", WARPS, "fma.rn.f32"), 0);
    assert_true(assembly_count(POWER("n"), "sm_90a", WARPS, "fma.rn.f32") > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_elements), cmocka_unit_test(test_square)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
