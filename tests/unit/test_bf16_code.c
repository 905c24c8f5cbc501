// What is rounded to bf16 and computed with again stays a word: one conversion for each rounding, and no shift.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly_testing.h"

enum { WARPS = 4 };

static void test_chain(void **state) {
    (void)state;
    static const char text[] = "import triton\n"
                               "import triton.language as tl\n"
                               "@triton.jit\n"
                               "def kernel(x: '*fp32:16', y: '*fp32:16'):\n"
                               "    i = tl.arange(0, 128)\n"
                               "    v = tl.load(x + i).to(tl.bfloat16)\n"
                               "    tl.store(y + i, (v * v * v).to(tl.float32))\n";
    static const char *const chips[] = {"sm_80", "sm_90a"};
    for (size_t i = 0; i < 2; i++) {
        struct tkc_options options = assembly_options(text, &chips[i], WARPS);
        char *code = assembly_of(&options);
        assert_int_equal(occurrences(code, "cvt.rn.bf16x2.f32"), 3);
        assert_int_equal(occurrences(code, "cvt.rn.bf16.f32"), 0);
        free(code);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
