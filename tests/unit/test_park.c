// Operands of products that a loop does not change wait in scratch memory.
#include "testing.h"
#include "codegen/park.h"
#include "module_testing.h"
#include "text_testing.h"

#define PRODUCT(result, a, b, c)                                                                             \
    "  " result " = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> " a         \
    ", <16 x half> " b ", <8 x float> " c ")\n"
#define JOIN(result)                                                                                         \
    "  " result ".words = shufflevector <4 x i32> %one, <4 x i32> %two, <8 x i32> <i32 0, i32 1, i32 2, "    \
    "i32 3, i32 4, i32 5, i32 6, i32 7>\n"                                                                   \
    "  " result " = bitcast <8 x i32> " result ".words to <16 x half>\n"

// Two loops, each with the same fragment put together ahead of it; in the second one B changes from step to step.
#define HEAD_OF_PARTS                                                                                        \
    "target datalayout = \"A5\"\n"                                                                           \
    "declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half>, <16 x half>, "         \
    "<8 x float>)\n"                                                                                         \
    "define amdgpu_kernel void @k(ptr addrspace(1) %p, i1 %c) {\n"                                           \
    "entry:\n"                                                                                               \
    "  %one = load <4 x i32>, ptr addrspace(1) %p\n"
#define HEAD                                                                                                 \
    HEAD_OF_PARTS                                                                                            \
    "  %q = getelementptr i8, ptr addrspace(1) %p, i32 16\n"                                                 \
    "  %two = load <4 x i32>, ptr addrspace(1) %q\n"                                                         \
    "  br label %head\n"
#define FIRST_LOOP                                                                                           \
    "head:\n" JOIN("%a") "  br label %loop\n"                                                                \
                         "loop:\n"                                                                           \
                         "  %s = phi <8 x float> [ zeroinitializer, %head ], [ %u, %loop ]\n" PRODUCT(       \
                             "%t", "%a", "%a", "%s")                                                         \
                             PRODUCT("%u", "%a", "%a", "%t") "  br i1 %c, label %loop, label %next\n"
#define SECOND_LOOP                                                                                          \
    "next:\n" JOIN("%b") "  br label %again\n"                                                               \
                         "again:\n"                                                                          \
                         "  %v = phi <8 x float> [ %u, %next ], [ %w, %again ]\n"                            \
                         "  %y = load <16 x half>, ptr addrspace(1) %p\n" PRODUCT(                           \
                             "%w", "%b", "%y", "%v") "  br i1 %c, label %again, label %end\n"
#define END                                                                                                  \
    "end:\n"                                                                                                 \
    "  store <8 x float> %w, ptr addrspace(1) %p\n"                                                          \
    "  ret void\n"                                                                                           \
    "}\n"

static void park(LLVMModuleRef module) {
    LLVMValueRef function = LLVMGetNamedFunction(module, "k");
    assert_int_equal(park_registers(function), 8); // the same fragment in both loops
    assert_true(park_fragments(module));
    assert_int_equal(park_registers(function), 0);
}

static void test_two_loops(void **state) {
    char *after = module_behind(park, HEAD FIRST_LOOP SECOND_LOOP END);
    const char *stored = strstr(after, "store <16 x half>");
    assert_int_equal(occurrences(after, "store <16 x half>"), 1);
    assert_int_equal(occurrences(after, "load <16 x half>, ptr addrspace(5)"), 2); // once a loop
    assert_non_null(stored);
    assert_true(stored < strstr(after, "head:")); // behind its parts, which need not live on
    assert_non_null(strstr(after, "alloca [8 x i32], align 16, addrspace(5)"));
    LLVMDisposeMessage(after);
}

// Without loops there is nothing to park.
static void park_nothing(LLVMModuleRef module) {
    assert_int_equal(park_registers(LLVMGetNamedFunction(module, "k")), 0);
    assert_false(park_fragments(module));
}

static void test_no_loop(void **state) {
    LLVMDisposeMessage(module_behind(
        park_nothing,
        HEAD "head:\n" JOIN("%a") PRODUCT("%w", "%a", "%a", "zeroinitializer") "  br label %end\n" END));
}

// Parts behind each other, one of them read before the next is there; the last one stands where the fragment is put together.
static void test_parts(void **state) {
    char *after = module_behind(
        park, HEAD_OF_PARTS
        "  %early = bitcast <4 x i32> %one to <8 x half>\n"
        "  store <8 x half> %early, ptr addrspace(1) %p\n"
        "  %two = load <4 x i32>, ptr addrspace(1) %p\n"
        "  %late = bitcast <4 x i32> %two to <8 x half>\n"
        "  %a = shufflevector <8 x half> %early, <8 x half> %late, <16 x i32> <i32 0, i32 1, i32 2, i32 3, "
        "i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>\n"
        "  br label %head\nhead:\n  br label %loop\n"
        "loop:\n  %s = phi <8 x float> [ zeroinitializer, %head ], [ %w, %loop ]\n" PRODUCT(
            "%w", "%a", "%a", "%s") "  br i1 %c, label %loop, label %end\n" END);
    const char *early = strstr(after, "%early ="), *stored = strstr(after, "store <8 x half> %early");
    assert_true(early && early < stored && stored < strstr(after, "%two ="));
    assert_true(strstr(after, "%a = ") < strstr(after, "store <16 x half>"));
    assert_int_equal(occurrences(after, "load <16 x half>, ptr addrspace(5)"), 1);
    LLVMDisposeMessage(after);
}

RUN(TEST(test_two_loops), TEST(test_no_loop), TEST(test_parts))
