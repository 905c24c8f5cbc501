// Values rounded to bf16 and computed with again stay words: one conversion for each rounding, and no shift.
// Integers not exact in f32 are rounded once from sm_90 on, as in Triton.
#include "testing.h"
#include "assembly_testing.h"

enum { WARPS = 4 };

static void test_chain(void **state) {
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

static void test_integers(void **state) {
    static const char text[] = "import triton\n"
                               "import triton.language as tl\n"
                               "@triton.jit\n"
                               "def kernel(x: '*i64:16', y: '*u32:16', z: '*i16:16', out: '*bf16:16'):\n"
                               "    i = tl.arange(0, 128)\n"
                               "    tl.store(out + i, tl.load(x + i).to(tl.bfloat16))\n"
                               "    tl.store(out + 128 + i, tl.load(y + i).to(tl.bfloat16))\n"
                               "    tl.store(out + 256 + i, tl.load(z + i).to(tl.bfloat16))\n";
    static const char *const chips[] = {"sm_80", "sm_90a"};
    for (size_t i = 0; i < 2; i++) {
        struct tkc_options options = assembly_options(text, &chips[i], WARPS);
        char *code = assembly_of(&options);
        assert_int_equal(occurrences(code, "cvt.rn.bf16.s64"), i);
        assert_int_equal(occurrences(code, "cvt.rn.bf16.u32"), i);
        assert_int_equal(occurrences(code, "cvt.rn.bf16.f32"), i ? 0 : 3);
        free(code);
    }
}

RUN(TEST(test_chain), TEST(test_integers))
