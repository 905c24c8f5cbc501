// Which loads and stores are boxes of strided tensors: those of the examples, and near misses.
#include "tile_testing.h"

// ---- real kernels ----

static void test_matmul(void **state) {
    (void)state;
    EXPECT("examples/matmul.tk", NULL, "matmul", "cleanup",
           "arg0 [1 t1 x32 at 32*variable <arg5] [arg6 t0 x128 at 128*divsi <arg3 wrapped] tma\n"
           "arg1 [1 t1 x128 at 128*remsi <arg4 wrapped] [arg8 t0 x32 at 32*variable <arg5] tma\n"
           "arg2 [1 t1 x128 at 128*remsi <arg4] [arg10 t0 x128 at 128*divsi <arg3] tma\n");
}

static void test_matmul_with_layouts(void **state) {
    (void)state;
    EXPECT("examples/matmul.tk", NULL, "matmul", "reload",
           "arg0 [1 t1 x32 at 32*variable <arg5] [arg6 t0 x128 at 128*select <arg3 wrapped] tma\n"
           "arg1 [1 t1 x128 at 128*select <arg4 wrapped] [arg8 t0 x32 at 32*variable <arg5] tma\n"
           "arg2 [1 t1 x128 at 128*select <arg4] [arg10 t0 x128 at 128*select <arg3] tma\n");
}

static void test_batched_matmul(void **state) {
    (void)state;
    EXPECT(
        "examples/batched_matmul.tk", NULL, "batched_matmul", "reload",
        "arg0 [1 t1 x32 at 1*variable <arg6] [arg8 t0 x64 at 64*select+64*remsi <arg4] [arg7 at "
        "1*program_id2] tma\n"
        "arg1 [1 t1 x128 at 128*divsi <arg5] [arg10 t0 x32 at 1*variable <arg6] [arg9 at 1*program_id2] tma\n"
        "arg2 [1 t1 x128 at 128*divsi <arg5] [arg12 t0 x64 at 64*select+64*remsi <arg4] [arg11 at "
        "1*program_id2] tma\n");
}

static void test_matmul_activation(void **state) {
    (void)state;
    EXPECT("examples/matmul_activation.tk", NULL, "matmul_activation", "reload",
           "arg0 [1 t1 x32 at 1*variable <arg6] [arg7 t0 x128 at 128*select <arg4] tma\n"
           "arg1 [1 t1 x64 at 64*select <arg5] [arg8 t0 x32 at 1*variable <arg6] tma\n"
           "arg2 [1 t0 x64 at 64*select <arg5] tma\n"
           "arg3 [1 t1 x64 at 64*select <arg5] [arg9 t0 x128 at 128*select <arg4] tma\n");
}

static void test_attention(void **state) {
    (void)state;
    EXPECT(
        "examples/attention.tk", NULL, "attention", "reload",
        "arg0 [1 t1 x128 at 0] [arg10 t0 x128 at 128*program_id0 <arg7] [arg8 at 1*divsi] [arg9 at 1*remsi] "
        "tma\n"
        "arg1 [1 t0 x128 at 0] [arg10 t1 x64 at 1*variable] [arg8 at 1*divsi] [arg9 at 1*remsi] tma\n"
        "arg2 [1 t1 x128 at 0] [arg10 t0 x64 at 1*variable] [arg8 at 1*divsi] [arg9 at 1*remsi] tma\n"
        "arg1 [1 t0 x128 at 0] [arg10 t1 x64 at 1*variable <arg7] [arg8 at 1*divsi] [arg9 at 1*remsi] tma\n"
        "arg2 [1 t1 x128 at 0] [arg10 t0 x64 at 1*variable <arg7] [arg8 at 1*divsi] [arg9 at 1*remsi] tma\n"
        "arg3 [1 t1 x128 at 0] [arg10 t0 x128 at 128*program_id0 <arg7] [arg8 at 1*divsi] [arg9 at 1*remsi] "
        "tma\n");
}

static void test_block_pointers(void **state) {
    (void)state;
    EXPECT("tests/lang/block.tk", NULL, "matmul", "reload",
           "arg0 [1 t1 x32 at 1*variable <arg5 tested] [arg5 t0 x32 at 32*divsi <arg3 tested]\n"
           "arg1 [1 t1 x32 at 32*select+32*remsi <arg4 tested] [arg4 t0 x32 at 1*variable <arg5 tested]\n"
           "arg2 [1 t1 x32 at 32*select+32*remsi <arg4 tested] [arg4 t0 x32 at 32*divsi <arg3 tested]\n");
}

static void test_descriptors(void **state) {
    (void)state;
    EXPECT("tests/lang/block.tk", NULL, "descriptor_matmul", "reload",
           "arg0 [1 t1 x32 at 1*variable <arg5 tested] [arg5 t0 x32 at 32*divsi <arg3 tested] tma\n"
           "arg1 [1 t1 x32 at 1*variable <arg5 tested] [arg5 t0 x32 at 32*select+32*remsi <arg4 tested] tma\n"
           "arg2 [1 t1 x32 at 32*select+32*remsi <arg4 tested] [arg4 t0 x32 at 32*divsi <arg3 tested] tma\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul),         cmocka_unit_test(test_matmul_with_layouts),
        cmocka_unit_test(test_batched_matmul), cmocka_unit_test(test_matmul_activation),
        cmocka_unit_test(test_attention),      cmocka_unit_test(test_block_pointers),
        cmocka_unit_test(test_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
