// Negations of 8- and 16-bit integers are computed in 32 bits, others stay.
#include "testing.h"
#include "codegen/negations.h"
#include "module_testing.h"

static void test_short_integers(void **state) {
    char *after = module_behind(negations_keep_width,
                                "declare i16 @llvm.abs.i16(i16, i1)\n"
                                "define void @k(ptr %p, i16 %x) {\n"
                                "  %n = sub i16 0, %x\n  %i = sext i16 %n to i32\n  store i32 %i, ptr %p\n"
                                "  %a = call i16 @llvm.abs.i16(i16 %x, i1 false)\n  store i16 %a, ptr %p\n"
                                "  ret void\n}\n");
    assert_non_null(strstr(after, "neg.s32"));
    assert_non_null(strstr(after, "abs.s32"));
    assert_null(strstr(after, "sub i16"));
    assert_null(strstr(after, "call i16 @llvm.abs"));
    LLVMDisposeMessage(after);
}

static void test_bytes(void **state) {
    char *after = module_behind(negations_keep_width,
                                "define void @k(ptr %p, i8 %x) {\n"
                                "  %n = sub i8 0, %x\n  %i = sext i8 %n to i16\n  store i16 %i, ptr %p\n"
                                "  ret void\n}\n");
    assert_non_null(strstr(after, "neg.s32"));
    assert_null(strstr(after, "sub i8"));
    LLVMDisposeMessage(after);
}

// Instruction selection would negate.
static void test_products(void **state) {
    char *after = module_behind(negations_keep_width, "define void @k(ptr %p, i16 %x) {\n"
                                                      "  %n = mul i16 %x, -256\n  store i16 %n, ptr %p\n"
                                                      "  %m = mul i16 %x, -3\n  store i16 %m, ptr %p\n"
                                                      "  %l = mul i16 %x, 4\n  store i16 %l, ptr %p\n"
                                                      "  ret void\n}\n");
    assert_non_null(strstr(after, "shl i16 %x, 8"));
    assert_null(strstr(after, "-256"));
    assert_non_null(strstr(after, "mul i16 %x, -3"));
    assert_non_null(strstr(after, "mul i16 %x, 4"));
    LLVMDisposeMessage(after);
}

static void test_others(void **state) {
    char *after = module_behind(
        negations_keep_width,
        "declare i32 @llvm.abs.i32(i32, i1)\n"
        "define void @k(ptr %p, i16 %x, i32 %y) {\n"
        "  %n = sub i16 1, %x\n  store i16 %n, ptr %p\n  %m = sub i32 0, %y\n  store i32 %m, ptr %p\n"
        "  %a = call i32 @llvm.abs.i32(i32 %y, i1 false)\n  store i32 %a, ptr %p\n"
        "  ret void\n}\n");
    assert_null(strstr(after, "asm"));
    LLVMDisposeMessage(after);
}

RUN(TEST(test_short_integers), TEST(test_bytes), TEST(test_products), TEST(test_others))
