// Offsets of a loop are computed again within it beside products alone, and those in scalar registers stay there.
#include "testing.h"
#include "chip/target.h"
#include "codegen/remat.h"
#include "module_testing.h"
#include "text_testing.h"

// A loop with an address at an offset of the thread's and one of the block's; `body` stands ahead of its end.
#define LOOP(body)                                                                                           \
    "target datalayout = \"A5\"\n"                                                                           \
    "declare i32 @llvm.amdgcn.workitem.id.x()\n"                                                             \
    "declare i32 @llvm.amdgcn.workgroup.id.x()\n"                                                            \
    "declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half>, <16 x half>, "         \
    "<8 x float>)\n"                                                                                         \
    "define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {\n"                                          \
    "entry:\n"                                                                                               \
    "  %thread = call i32 @llvm.amdgcn.workitem.id.x()\n"                                                    \
    "  %block = call i32 @llvm.amdgcn.workgroup.id.x()\n"                                                    \
    "  %first = shl i32 %block, 8\n"                                                                         \
    "  %end = add i32 %first, 256\n"                                                                         \
    "  %part = or i32 %thread, 4096\n"                                                                       \
    "  br label %loop\n"                                                                                     \
    "loop:\n"                                                                                                \
    "  %i = phi i32 [ %first, %entry ], [ %j, %loop ]\n"                                                     \
    "  %at = add i32 %i, %part\n"                                                                            \
    "  %q = getelementptr i8, ptr addrspace(1) %p, i32 %at\n" body "  %j = add i32 %i, 32\n"                 \
    "  %c = icmp slt i32 %j, %end\n"                                                                         \
    "  br i1 %c, label %loop, label %out\n"                                                                  \
    "out:\n"                                                                                                 \
    "  ret void\n"                                                                                           \
    "}\n"

static void again(LLVMModuleRef module) {
    rematerialise(module, target_find("gfx1100"));
}

static void test_plain_loop(void **state) {
    char *after = module_behind(again, LOOP("  store i32 %i, ptr addrspace(1) %q\n"));
    assert_int_equal(occurrences(after, "asm "), 0);
    LLVMDisposeMessage(after);
}

static void test_products(void **state) {
    char *after = module_behind(
        again, LOOP("  %a = load <16 x half>, ptr addrspace(1) %q\n"
                    "  %d = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, "
                    "<16 x half> %a, <8 x float> zeroinitializer)\n"
                    "  store <8 x float> %d, ptr addrspace(1) %q\n"));
    assert_int_equal(occurrences(after, "asm sideeffect \"\", \"=v,0\"(i32 %thread)"), 1);
    assert_int_equal(occurrences(after, "asm "), 1); // %end is %first and a constant, in a scalar register
    LLVMDisposeMessage(after);
}

RUN(TEST(test_plain_loop), TEST(test_products))
