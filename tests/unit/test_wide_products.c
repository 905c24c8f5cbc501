// Two halves of a product of 32 bits become one instruction, others stay.
#include "testing.h"
#include "codegen/wide_products.h"
#include "module_testing.h"

#define WHOLE                                                                                                \
    "  %a = zext i32 %x to i64\n  %w = mul nuw i64 %a, 3528531795\n  %s = lshr i64 %w, 32\n  %h = trunc "    \
    "i64 %s to i32\n"

static void test_pair(void **state) {
    char *after = module_behind(wide_products, "define void @k(ptr %p, i32 %x) {\n"
                                               "  %l = mul i32 %x, -766435501\n" WHOLE
                                               "  store i32 %l, ptr %p\n  store i32 %h, ptr %p\n"
                                               "  ret void\n}\n");
    assert_non_null(strstr(after, "mul.wide.u32"));
    assert_null(strstr(after, "mul i32"));
    assert_null(strstr(after, "mul nuw i64"));
    LLVMDisposeMessage(after);
}

// The number is made between phis and the products.
static void test_loop(void **state) {
    char *after = module_behind(wide_products, "define void @k(ptr %p, i32 %n) {\n"
                                               "start:\n  br label %loop\n"
                                               "loop:\n"
                                               "  %x = phi i32 [0, %start], [%l, %loop]\n"
                                               "  %i = phi i32 [0, %start], [%h, %loop]\n" WHOLE
                                               "  %l = mul i32 %x, -766435501\n"
                                               "  %c = icmp eq i32 %i, %n\n"
                                               "  br i1 %c, label %end, label %loop\n"
                                               "end:\n  store i32 %l, ptr %p\n  ret void\n}\n");
    assert_non_null(strstr(after, "mul.wide.u32"));
    assert_null(strstr(after, "mul i32"));
    LLVMDisposeMessage(after);
}

// Another constant, another block, and a signed product.
static void test_others(void **state) {
    char *after = module_behind(
        wide_products, "define void @k(ptr %p, i32 %x) {\n"
                       "  %l = mul i32 %x, 5\n" WHOLE "  %t = sext i32 %x to i64\n  %v = mul i64 %t, 5\n"
                       "  store i32 %l, ptr %p\n  store i32 %h, ptr %p\n  store i64 %v, ptr %p\n"
                       "  br label %b\n"
                       "b:\n  %m = mul i32 %x, -766435501\n  store i32 %m, ptr %p\n"
                       "  ret void\n}\n");
    assert_null(strstr(after, "asm"));
    LLVMDisposeMessage(after);
}

RUN(TEST(test_pair), TEST(test_loop), TEST(test_others))
