// launch_bounds: bounds set in a module built in memory are in the PTX, and are read back; so is metadata of
// older text.
#include "testing.h"
#include "chip/launch_bounds.h"
#include "codegen/llvmgen.h"
#include "module_testing.h"
#include "support/diag.h"
#include "support/strbuf.h"

enum { PTX_KERNEL = 71 }; // llvm::CallingConv::PTX_Kernel

// define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %map, i32 %n) { ret void }
static LLVMValueRef make_kernel(LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef parameters[] = {LLVMPointerTypeInContext(context, 0), LLVMInt32TypeInContext(context)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), parameters, 2, 0);
    LLVMValueRef function = LLVMAddFunction(module, "k", type);
    LLVMSetFunctionCallConv(function, PTX_KERNEL);
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(context), 128);
    LLVMAddAttributeAtIndex(
        function, 1, LLVMCreateTypeAttribute(context, LLVMGetEnumAttributeKindForName("byval", 5), bytes));
    LLVMAddAttributeAtIndex(
        function, 1, LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("align", 5), 64));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, "entry"));
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    launch_bound_mark_kernel(function);
    return function;
}

static void test_bounds_reach_the_ptx(void **state) {
    const struct target *target = target_find("sm_90a");
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("m", context);
    LLVMSetTarget(module, target->triple);
    LLVMSetDataLayout(module, target->data_layout);
    LLVMValueRef function = make_kernel(module);
    assert_int_equal(launch_bound(function, BOUND_THREADS), 0);
    launch_bound_set(function, BOUND_THREADS, 384);
    launch_bound_set(function, BOUND_BLOCKS, 2);
    launch_bound_set(function, BOUND_REGISTERS, 80);
    launch_bound_keep_parameters(function, &(unsigned){0}, 1);
    assert_int_equal(launch_bound(function, BOUND_THREADS), 384);
    assert_int_equal(launch_bound(function, BOUND_BLOCKS), 2);
    assert_int_equal(launch_bound(function, BOUND_REGISTERS), 80);

    struct diag diag = {0};
    struct strbuf text = {0};
    assert_true(llvmgen_emit(module, target, LLVMGEN_ASSEMBLY, NULL, &text, &diag));
    const char *ptx = strbuf_text(&text);
    static const char *const expected[] = {".visible .entry k(", ".reqntid 384, 1, 1", ".minnctapersm 2",
                                           ".maxnreg 80", ".align 64 .b8 k_param_0[128]"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (!strstr(ptx, expected[i])) {
            fail_msg("\"%s\" is not in\n%s", expected[i], ptx);
        }
    }
    assert_null(strstr(ptx, ".local")); // no copy of the parameter read in place
    strbuf_free(&text);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

static void test_metadata_is_read(void **state) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_of(context, "target triple = \"nvptx64-nvidia-cuda\"\n"
                                              "define void @k() {\n  ret void\n}\n"
                                              "define void @other() {\n  ret void\n}\n"
                                              "!nvvm.annotations = !{!0, !1}\n"
                                              "!0 = !{ptr @k, !\"kernel\", i32 1, !\"reqntidx\", i32 96}\n"
                                              "!1 = !{ptr @k, !\"minctasm\", i32 3}\n");
    LLVMValueRef kernel = LLVMGetNamedFunction(module, "k"), other = LLVMGetNamedFunction(module, "other");
    assert_int_equal(launch_bound(kernel, BOUND_THREADS), 96);
    assert_int_equal(launch_bound(kernel, BOUND_BLOCKS), 3);
    assert_int_equal(launch_bound(kernel, BOUND_REGISTERS), 0);
    assert_int_equal(launch_bound(other, BOUND_THREADS), 0);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

RUN(TEST(test_bounds_reach_the_ptx), TEST(test_metadata_is_read))
