// rare: instructions used only by an unlikely block move into it, those used by several are copied into each,
// and the rest stays.
#include "testing.h"
#include "codegen/rare.h"
#include "module_testing.h"

static void both(LLVMModuleRef module) {
    rare_sink(module);
    rare_turns(module);
}

// The module's text behind rare_sink and rare_turns; to be disposed of.
static char *sunk(const char *text) {
    return module_behind(both, text);
}

// The occurrences of `what` between the labels `from` and `to`.
static unsigned count_between(const char *text, const char *from, const char *to, const char *what) {
    const char *begin = strstr(text, from), *end = begin ? strstr(begin, to) : NULL;
    assert_non_null(begin);
    assert_non_null(end);
    unsigned count = 0;
    for (const char *at = begin; (at = strstr(at, what)) != NULL && at < end; at++) {
        count++;
    }
    return count;
}

#define TWO_CHOICES(weights)                                                                                 \
    "define float @k(float %x, i1 %c) {\n"                                                                   \
    "head:\n"                                                                                                \
    "  %both = fmul float %x, %x\n"                                                                          \
    "  %square = fmul float %both, %both\n"                                                                  \
    "  %one = fadd float %square, 1.0\n"                                                                     \
    "  %other = fsub float %square, %both\n"                                                                 \
    "  %kept = fdiv float %x, 3.0\n"                                                                         \
    "  br i1 %c, label %first, label %join" weights "\n"                                                     \
    "first:\n"                                                                                               \
    "  br label %join\n"                                                                                     \
    "join:\n"                                                                                                \
    "  %a = phi float [ %one, %first ], [ %kept, %head ]\n"                                                  \
    "  br i1 %c, label %second, label %end" weights "\n"                                                     \
    "second:\n"                                                                                              \
    "  br label %end\n"                                                                                      \
    "end:\n"                                                                                                 \
    "  %b = phi float [ %other, %second ], [ %kept, %join ]\n"                                               \
    "  %sum = fadd float %a, %b\n"                                                                           \
    "  ret float %sum\n"                                                                                     \
    "}\n"                                                                                                    \
    "!0 = !{!\"branch_weights\", i32 1, i32 1000}\n"

// %both is an operand of one instruction twice, and of one in another block.
static void test_copied_into_each(void **state) {
    char *after = sunk(TWO_CHOICES(", !prof !0"));
    assert_int_equal(count_between(after, "head:", "first:", "fmul"), 0);
    assert_int_equal(count_between(after, "head:", "first:", "fdiv"), 1);
    assert_int_equal(count_between(after, "first:", "join:", "fmul"), 2);
    assert_int_equal(count_between(after, "first:", "join:", "fadd"), 1);
    assert_int_equal(count_between(after, "second:", "end:", "fmul"), 2);
    assert_int_equal(count_between(after, "second:", "end:", "fsub"), 1);
    LLVMDisposeMessage(after);
}

static void test_likely_branches_stay(void **state) {
    char *after = sunk(TWO_CHOICES(""));
    assert_int_equal(count_between(after, "head:", "first:", "fmul"), 2);
    assert_int_equal(count_between(after, "first:", "join:", "fadd"), 0);
    LLVMDisposeMessage(after);
}

// Stores, calls with effects, and convergent calls stay.
static void test_effects_stay(void **state) {
    char *after = sunk("declare float @effect(float)\n"
                       "declare float @together(float) #0\n"
                       "declare float @pure(float) #1\n"
                       "define float @k(float %x, i1 %c, ptr %p) {\n"
                       "head:\n"
                       "  %seen = fmul float %x, 3.0\n"
                       "  store float %seen, ptr %p\n"
                       "  %l = load float, ptr %p\n"
                       "  %e = call float @effect(float %l)\n"
                       "  %t = call float @together(float %e)\n"
                       "  %u = call float @pure(float %t)\n"
                       "  %v = fadd float %u, %seen\n"
                       "  br i1 %c, label %rare, label %join, !prof !0\n"
                       "rare:\n"
                       "  br label %join\n"
                       "join:\n"
                       "  %y = phi float [ %v, %rare ], [ %x, %head ]\n"
                       "  ret float %y\n"
                       "}\n"
                       "attributes #0 = { convergent nounwind memory(none) }\n"
                       "attributes #1 = { nounwind willreturn memory(none) }\n"
                       "!0 = !{!\"branch_weights\", i32 1, i32 1000}\n");
    assert_int_equal(count_between(after, "head:", "rare:", "fmul"), 1);
    assert_int_equal(count_between(after, "head:", "rare:", "load"), 1);
    assert_int_equal(count_between(after, "head:", "rare:", "@effect"), 1);
    assert_int_equal(count_between(after, "head:", "rare:", "@together"), 1);
    assert_int_equal(count_between(after, "rare:", "join:", "@pure"), 1);
    assert_int_equal(count_between(after, "rare:", "join:", "fadd"), 1);
    LLVMDisposeMessage(after);
}

// A chain of three joints. The users of %a move up to the second, with their operands from the last one; the
// operands of the second branch move down to it; the load, the instructions used by the last joint only, and
// the users of %b stay.
static void test_turns(void **state) {
    char *after = sunk("define void @k(float %x, float %y, i1 %c, ptr %p) {\n"
                       "head:\n"
                       "  %l = load float, ptr %p\n"
                       "  %usual = fadd float %l, 1.0\n"
                       "  %other = fdiv float %l, 5.0\n"
                       "  %last = fdiv float %y, 7.0\n"
                       "  br i1 %c, label %first, label %joint, !prof !0\n"
                       "first:\n"
                       "  br label %joint\n"
                       "joint:\n"
                       "  %a = phi float [ %y, %first ], [ %usual, %head ]\n"
                       "  br i1 %c, label %second, label %end, !prof !0\n"
                       "second:\n"
                       "  br label %end\n"
                       "end:\n"
                       "  %b = phi float [ %x, %second ], [ %other, %joint ]\n"
                       "  %factor = frem float %x, 3.0\n"
                       "  %scaled = fmul float %a, %factor\n"
                       "  %both = fsub float %scaled, %b\n"
                       "  %all = fsub float %both, %last\n"
                       "  %early = fptosi float %a to i32\n"
                       "  store float %all, ptr %p\n"
                       "  ret void\n"
                       "}\n"
                       "!0 = !{!\"branch_weights\", i32 1, i32 1000}\n");
    assert_int_equal(count_between(after, "head:", "first:", "load"), 1);
    assert_int_equal(count_between(after, "head:", "first:", "fadd"), 1);
    assert_int_equal(count_between(after, "head:", "first:", "fdiv"), 1);
    assert_int_equal(count_between(after, "joint:", "second:", "fdiv"), 1);
    assert_int_equal(count_between(after, "joint:", "second:", "frem"), 1);
    assert_int_equal(count_between(after, "joint:", "second:", "fmul"), 1);
    assert_int_equal(count_between(after, "joint:", "second:", "fptosi"), 1);
    assert_int_equal(count_between(after, "end:", "ret void", "fsub"), 2);
    LLVMDisposeMessage(after);
}

// Blocks with another predecessor are no joints.
static void test_no_chain(void **state) {
    char *after = sunk("define float @k(float %x, i1 %c, i1 %d) {\n"
                       "start:\n"
                       "  br i1 %d, label %head, label %joint\n"
                       "head:\n"
                       "  br i1 %c, label %first, label %joint, !prof !0\n"
                       "first:\n"
                       "  br label %joint\n"
                       "joint:\n"
                       "  %a = phi float [ 2.0, %first ], [ %x, %head ], [ 1.0, %start ]\n"
                       "  br i1 %c, label %second, label %end, !prof !0\n"
                       "second:\n"
                       "  br label %end\n"
                       "end:\n"
                       "  %b = phi float [ 3.0, %second ], [ %x, %joint ]\n"
                       "  %product = fmul float %a, %a\n"
                       "  %sum = fadd float %product, %b\n"
                       "  ret float %sum\n"
                       "}\n"
                       "!0 = !{!\"branch_weights\", i32 1, i32 1000}\n");
    assert_int_equal(count_between(after, "end:", "ret float", "fmul"), 1);
    LLVMDisposeMessage(after);
}

RUN(TEST(test_copied_into_each), TEST(test_likely_branches_stay), TEST(test_effects_stay), TEST(test_turns),
    TEST(test_no_chain))
