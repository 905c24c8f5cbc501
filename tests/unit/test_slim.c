// slim: elements of structures are extracted behind their definition and have phis of their own; two
// roundings into one word are one conversion if nothing else uses them, and two conditions of a select are
// one.
#include "testing.h"
#include "codegen/slim.h"
#include "module_testing.h"
#include "text_testing.h"

static void slim_sm_75(LLVMModuleRef module) {
    slim_prepare(module, target_find("sm_75"));
}

static void slim_sm_80(LLVMModuleRef module) {
    slim_prepare(module, target_find("sm_80"));
}

// To be disposed of.
static char *slimmed(const char *text) {
    return module_behind(slim_sm_80, text);
}

#define GIVE(name) "  %" name " = call { float, float } asm sideeffect \"\", \"=f,=f\"()\n"

// Around a loop: the phi depends on itself through the other branch's structure.
static const char loop[] =
    "define void @k(ptr %p, i1 %c) {\n"
    "entry:\n" GIVE(
        "first") "  br label %head\n"
                 "head:\n"
                 "  %s = phi { float, float } [ %first, %entry ], [ %kept, %tail ]\n"
                 "  %e = extractvalue { float, float } %s, 1\n"
                 "  store float %e, ptr %p\n"
                 "  br i1 %c, label %tail, label %more\n"
                 "more:\n" GIVE("second") "  br label %tail\n"
                                          "tail:\n"
                                          "  %kept = phi { float, float } [ %s, %head ], [ %second, %more ]\n"
                                          "  %f = extractvalue { float, float } %kept, 0\n"
                                          "  store float %f, ptr %p\n"
                                          "  br label %head\n"
                                          "}\n";

static void test_phis(void **state) {
    char *after = slimmed(loop);
    assert_null(strstr(after, "phi {"));
    assert_int_equal(occurrences(after, "= phi float"), 4); // two elements in two blocks
    assert_int_equal(occurrences(after, "extractvalue"), 4);
    LLVMDisposeMessage(after);
}

static void test_other_block(void **state) {
    static const char text[] = "define void @k(ptr %p) {\n"
                               "entry:\n" GIVE("s") "  br label %next\n"
                                                    "next:\n"
                                                    "  %e = extractvalue { float, float } %s, 1\n"
                                                    "  store float %e, ptr %p\n"
                                                    "  ret void\n"
                                                    "}\n";
    char *after = slimmed(text);
    assert_true(strstr(after, "extractvalue") < strstr(after, "next:"));
    assert_int_equal(occurrences(after, "extractvalue"), 1);
    LLVMDisposeMessage(after);
}

// A phi with a use of the whole structure stays.
static void test_whole(void **state) {
    static const char text[] =
        "define { float, float } @k(ptr %p, i1 %c) {\n"
        "entry:\n" GIVE("s") "  br i1 %c, label %left, label %next\n"
                             "left:\n" GIVE("t") "  br label %next\n"
                                                 "next:\n"
                                                 "  %u = phi { float, float } [ %s, %entry ], [ %t, %left ]\n"
                                                 "  ret { float, float } %u\n"
                                                 "}\n";
    char *after = slimmed(text);
    assert_non_null(strstr(after, "phi {"));
    LLVMDisposeMessage(after);
}

#define FOUR(what, between) what between what between what between what
#define SIXTEEN(what, between)                                                                               \
    FOUR(what, between) between FOUR(what, between)                                                          \
    between FOUR(what, between)                                                                              \
    between FOUR(what, between)
#define PRODUCT                                                                                              \
    "  %s = call { " SIXTEEN("float", ", ") " } asm sideeffect \"\", \"" SIXTEEN("=f", ",") "\"()\n"
#define PAIR(half, before, also)                                                                             \
    "define i32 @k(ptr %p, float %x, float %y) {\n" before "  %b = fptrunc float %y to " half "\n"           \
    "  %a = fptrunc float %x to " half "\n"                                                                  \
    "  %v = insertelement <2 x " half "> poison, " half " %a, i32 0\n"                                       \
    "  %w = insertelement <2 x " half "> %v, " half " %b, i32 1\n" also "  %r = bitcast <2 x " half          \
    "> %w to i32\n"                                                                                          \
    "  ret i32 %r\n"                                                                                         \
    "}\n"

static void test_pairs(void **state) {
    static const struct {
        const char *text, *conversion; // NULL: stays as it is
    } cases[] = {
        {PAIR("half", PRODUCT, ""), "asm \"cvt.rn.f16x2.f32 $0, $1, $2;\", \"=r,f,f\"(float %y, float %x)"},
        {PAIR("bfloat", PRODUCT, ""),
         "asm \"cvt.rn.bf16x2.f32 $0, $1, $2;\", \"=r,f,f\"(float %y, float %x)"},
        {PAIR("half", "", ""), NULL},
        {PAIR("half", PRODUCT, "  store half %a, ptr %p\n"), NULL},
        {PAIR("half", PRODUCT, "  store <2 x half> %w, ptr %p\n"), NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *after = slimmed(cases[i].text);
        assert_int_equal(occurrences(after, "fptrunc"), cases[i].conversion ? 0 : 2);
        assert_true(!cases[i].conversion || strstr(after, cases[i].conversion));
        LLVMDisposeMessage(after);
    }
}

// Halves defined around a branch; `low` and `high` are their values on the path without it.
#define AROUND(low, high, also)                                                                              \
    "define i32 @k(ptr %p, i1 %c, float %x, float %y) {\n"                                                   \
    "entry:\n"                                                                                               \
    "  br i1 %c, label %round, label %join\n"                                                                \
    "round:\n"                                                                                               \
    "  %a = fptrunc float %x to half\n"                                                                      \
    "  %b = fptrunc float %y to half\n" also "  br label %join\n"                                            \
    "join:\n"                                                                                                \
    "  %l = phi half [ " low ", %entry ], [ %a, %round ]\n"                                                  \
    "  %h = phi half [ " high ", %entry ], [ %b, %round ]\n"                                                 \
    "  %v = insertelement <2 x half> poison, half %l, i32 0\n"                                               \
    "  %w = insertelement <2 x half> %v, half %h, i32 1\n"                                                   \
    "  %r = bitcast <2 x half> %w to i32\n"                                                                  \
    "  ret i32 %r\n"                                                                                         \
    "}\n"

static void test_phis_of_pairs(void **state) {
    static const struct {
        const char *text;
        void (*slim)(LLVMModuleRef module);
        bool fused;
    } cases[] = {{AROUND("0xH0000", "0xH0000", ""), slim_sm_80, true},
                 {AROUND("0xH0000", "0xH0000", ""), slim_sm_75, false},
                 {AROUND("0xH0000", "0xH3C00", ""), slim_sm_80, false},
                 {AROUND("0xH8000", "0xH8000", ""), slim_sm_80, false}, // zeros except for set bits
                 {AROUND("0xH0000", "0xH0000", "  store half %a, ptr %p\n"), slim_sm_80, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *after = module_behind(cases[i].slim, cases[i].text);
        assert_int_equal(occurrences(after, "phi half"), cases[i].fused ? 0 : 2);
        assert_int_equal(occurrences(after, "cvt.rn.f16x2.f32 $0, $1, $2;\", \"=r,f,f\"(float %y, float %x)"),
                         cases[i].fused);
        assert_int_equal(occurrences(after, "phi i32 [ 0, %entry ]"), cases[i].fused);
        LLVMDisposeMessage(after);
    }
}

#define STEP(l, h, a, b, w)                                                                                  \
    "  %" w "0 = insertelement <2 x half> poison, half %" l ", i32 0\n"                                      \
    "  %" w "1 = insertelement <2 x half> %" w "0, half %" h ", i32 1\n"                                     \
    "  %" w " = bitcast <2 x half> %" w "1 to i32\n"                                                         \
    "  %" a " = fptrunc float %x to half\n"                                                                  \
    "  %" b " = fptrunc float %y to half\n"                                                                  \
    "  store i32 %" w ", ptr %p\n"

// The next step's roundings directly follow this step's word, and are erased before they are visited.
static void test_pairs_of_the_next_step(void **state) {
    char *after = slimmed("define void @k(ptr %p, i1 %c, float %x, float %y) {\n"
                          "entry:\n"
                          "  br label %step\n"
                          "step:\n"
                          "  %l = phi half [ 0xH0000, %entry ], [ %a, %step ]\n"
                          "  %h = phi half [ 0xH0000, %entry ], [ %b, %step ]\n"
                          "  %m = phi half [ 0xH0000, %entry ], [ %d, %step ]\n"
                          "  %n = phi half [ 0xH0000, %entry ], [ %e, %step ]\n" STEP("l", "h", "a", "b", "v")
                              STEP("m", "n", "d", "e", "w") "  br i1 %c, label %step, label %out\n"
                                                            "out:\n"
                                                            "  ret void\n"
                                                            "}\n");
    assert_int_equal(occurrences(after, "phi half") + occurrences(after, "fptrunc"), 0);
    assert_int_equal(occurrences(after, "cvt.rn.f16x2.f32"), 2);
    LLVMDisposeMessage(after);
}

#define CHOICE(before, also, next)                                                                           \
    "define float @k(ptr %p, i1 %x, i1 %y, float %a, float %b) {\n"                                          \
    "entry:\n"                                                                                               \
    "  br label %step\n"                                                                                     \
    "step:\n" before "  %c = and i1 %x, %y\n" also "  %r = select i1 %c, float %a, float %b\n"               \
    "  br i1 %x, label %again, label %out\n"                                                                 \
    "again:\n"                                                                                               \
    "  br label %" next "\n"                                                                                 \
    "out:\n"                                                                                                 \
    "  ret float %r\n"                                                                                       \
    "}\n"

static void test_conditions(void **state) {
    static const struct {
        const char *text;
        bool fused;
    } cases[] = {{CHOICE(PRODUCT, "", "step"), true},
                 {CHOICE(PRODUCT, "", "out"), false}, // no loop
                 {CHOICE("", "", "step"), false},
                 {CHOICE(PRODUCT, "  store i1 %c, ptr %p\n", "step"), false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *after = slimmed(cases[i].text);
        assert_int_equal(occurrences(after, "and.pred"), cases[i].fused);
        assert_int_equal(occurrences(after, "= and i1"), !cases[i].fused);
        LLVMDisposeMessage(after);
    }
}

RUN(TEST(test_phis), TEST(test_other_block), TEST(test_whole), TEST(test_pairs), TEST(test_phis_of_pairs),
    TEST(test_conditions), TEST(test_pairs_of_the_next_step))
