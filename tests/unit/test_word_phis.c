// word_phis: phis of the halves of a word become one phi of the word, also where phis come to each other.
#include "testing.h"
#include "codegen/word_phis.h"
#include "module_testing.h"
#include "text_testing.h"

// A loop that reads a word in some steps and uses its halves in each; `high` comes to the high half's phi where no word was read.
#define BRANCH(high)                                                                                         \
    "define void @k(ptr %p, ptr %q, i32 %n) {\n"                                                             \
    "entry:\n"                                                                                               \
    "  br label %loop\n"                                                                                     \
    "loop:\n"                                                                                                \
    "  %i = phi i32 [ 0, %entry ], [ %j, %next ]\n"                                                          \
    "  %l0 = phi half [ 0xH0000, %entry ], [ %l1, %next ]\n"                                                 \
    "  %h0 = phi half [ 0xH0000, %entry ], [ %h1, %next ]\n"                                                 \
    "  %starts = icmp eq i32 %i, 0\n"                                                                        \
    "  br i1 %starts, label %read, label %next\n"                                                            \
    "read:\n"                                                                                                \
    "  %w = load <2 x half>, ptr %p\n"                                                                       \
    "  %l = extractelement <2 x half> %w, i32 0\n"                                                           \
    "  %h = extractelement <2 x half> %w, i32 1\n"                                                           \
    "  br label %next\n"                                                                                     \
    "next:\n"                                                                                                \
    "  %l1 = phi half [ %l, %read ], [ %l0, %loop ]\n"                                                       \
    "  %h1 = phi half [ %h, %read ], [ " high ", %loop ]\n"                                                  \
    "  %s = fadd half %l1, %h1\n"                                                                            \
    "  store half %s, ptr %q\n"                                                                              \
    "  %j = add i32 %i, 1\n"                                                                                 \
    "  %more = icmp slt i32 %j, %n\n"                                                                        \
    "  br i1 %more, label %loop, label %end\n"                                                               \
    "end:\n"                                                                                                 \
    "  ret void\n"                                                                                           \
    "}\n"

static void test_branch_in_loop(void **state) {
    char *after = module_behind(word_phis_join, BRANCH("%h0"));
    assert_int_equal(occurrences(after, "phi half"), 0);
    assert_int_equal(occurrences(after, "phi <2 x half>"), 2);
    assert_int_equal(occurrences(after, "extractelement"), 4); // of the loop's phi, which only phis use, none
    LLVMDisposeMessage(after);
}

static void test_other_phis(void **state) {
    char *after = module_behind(word_phis_join, BRANCH("%l0")); // the halves change places
    assert_int_equal(occurrences(after, "phi half"), 4);
    LLVMDisposeMessage(after);
}

static void test_loop(void **state) {
    char *after = module_behind(word_phis_join, "define void @k(ptr %p, i32 %n) {\n"
                                                "entry:\n"
                                                "  %a = load <2 x half>, ptr %p\n"
                                                "  %a0 = extractelement <2 x half> %a, i32 0\n"
                                                "  %a1 = extractelement <2 x half> %a, i32 1\n"
                                                "  br label %loop\n"
                                                "loop:\n"
                                                "  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n"
                                                "  %l = phi half [ %a0, %entry ], [ %b0, %loop ]\n"
                                                "  %h = phi half [ %a1, %entry ], [ %b1, %loop ]\n"
                                                "  %s = fadd half %l, %h\n"
                                                "  store half %s, ptr %p\n"
                                                "  %b = load <2 x half>, ptr %p\n"
                                                "  %b0 = extractelement <2 x half> %b, i32 0\n"
                                                "  %b1 = extractelement <2 x half> %b, i32 1\n"
                                                "  %j = add i32 %i, 1\n"
                                                "  %more = icmp slt i32 %j, %n\n"
                                                "  br i1 %more, label %loop, label %end\n"
                                                "end:\n"
                                                "  ret void\n"
                                                "}\n");
    assert_int_equal(occurrences(after, "phi half"), 0);
    assert_int_equal(occurrences(after, "phi <2 x half>"), 1);
    LLVMDisposeMessage(after);
}

RUN(TEST(test_branch_in_loop), TEST(test_other_phis), TEST(test_loop))
