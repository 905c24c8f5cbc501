// Differences from 0: they stay if the sign of a zero is observable.
#include "testing.h"
#include "codegen/zeros.h"
#include "module_testing.h"
#include "support/strbuf.h"

// True if the difference %d of a function subtracts from a 0 hidden from LLVM.
static bool stays(const char *type, const char *first, const char *readers) {
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "declare float @llvm.amdgcn.exp2.f32(float)\ndeclare float @llvm.fabs.f32(float)\n"
                  "declare float @llvm.fma.f32(float, float, float)\n"
                  "define void @k(ptr %%p, %s %%x) {\n  %%d = fsub %s %s, %%x\n%s  ret void\n}\n",
                  type, type, first, readers);
    char *after = module_behind(zeros_keep_signs, strbuf_text(&text));
    bool found = strstr(after, "asm \"\", \"=s,0\"(i32 0)") != NULL;
    LLVMDisposeMessage(after);
    strbuf_free(&text);
    return found;
}

static void test_seen(void **state) {
    assert_true(stays("float", "0.0", "  store float %d, ptr %p\n"));
    assert_true(stays("half", "0.0", "  store half %d, ptr %p\n"));
    assert_true(stays("double", "0.0", "  store double %d, ptr %p\n"));
    assert_true(stays("float", "0.0", "  %m = fmul float %d, 2.0\n  store float %m, ptr %p\n"));
    assert_true(stays("float", "0.0",
                      "  %e = call float @llvm.amdgcn.exp2.f32(float %d)\n  store float %e, ptr %p\n"
                      "  %f = call float @llvm.fabs.f32(float %d)\n  store float %f, ptr %p\n"));
}

static void test_negation_with_a_sum(void **state) {
    static const char sum[] =
        "  %%e = call float @llvm.fma.f32(float %%d, float %s, float %s)\n  store float %%e, ptr %%p\n";
    char readers[160];
    snprintf(readers, sizeof readers, sum, "-1.0", "0.0");
    assert_true(stays("float", "1.0", readers));
    snprintf(readers, sizeof readers, sum, "-1.0", "-0.0");
    assert_false(stays("float", "1.0", readers));
    snprintf(readers, sizeof readers, sum, "1.0", "0.0");
    assert_false(stays("float", "1.0", readers));
}

// A product converted to f16 has -0 added; its other users keep the product itself.
static void test_products(void **state) {
    static const char text[] =
        "define void @k(ptr %p, float %x, float %y, double %z) {\n"
        "  %a = fmul float %x, %y\n  %h = fptrunc float %a to half\n  store half %h, ptr %p\n"
        "  %b = fmul float %x, %x\n  %i = fptrunc float %b to half\n  store half %i, ptr %p\n"
        "  store float %b, ptr %p\n"
        "  %c = fmul double %z, %z\n  %j = fptrunc double %c to half\n  store half %j, ptr %p\n"
        "  ret void\n}\n";
    char *after = module_behind(zeros_keep_signs, text);
    assert_non_null(strstr(after, "@llvm.fma.f32(float %x, float %y, float -0.000000e+00)"));
    assert_non_null(strstr(after, "@llvm.fma.f32(float %x, float %x, float -0.000000e+00)"));
    assert_null(strstr(after, "fmul float %x, %y"));
    assert_non_null(strstr(after, "fmul float %x, %x"));
    assert_non_null(strstr(after, "fmul double %z, %z"));
    LLVMDisposeMessage(after);
}

static void test_unseen(void **state) {
    assert_false(stays("float", "1.0", "  store float %d, ptr %p\n"));
    assert_false(stays("float", "-0.0", "  store float %d, ptr %p\n"));
    assert_false(stays("float", "0.0", "  %c = fcmp olt float %d, 1.0\n  store i1 %c, ptr %p\n"));
    assert_false(stays("float", "0.0",
                       "  %m = fmul float %d, 1.5\n  %e = call float @llvm.amdgcn.exp2.f32(float %m)\n"
                       "  store float %e, ptr %p\n"));
}

RUN(TEST(test_seen), TEST(test_negation_with_a_sum), TEST(test_products), TEST(test_unseen))
