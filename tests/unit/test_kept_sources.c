// kept_sources: a loop-invariant tile gathered from in a loop is stored once, before the loop.
#include "pass_testing.h"

// Two gathers from `first` and `second` in a loop with the carried value %moved.
static struct bench *loop(const char *first, const char *second) {
    char text[4096];
    snprintf(
        text, sizeof text,
        "func.func @f(%%p: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %%n: i32) attributes "
        "{tk.num_warps = 4 : i32} {\n"
        "%%z = arith.constant 0 : i32\n%%one = arith.constant 1 : i32\n"
        "%%pp = \"tk.splat\"(%%p) : (!tk.ptr<f32>) -> tensor<16x32x!tk.ptr<f32>>\n"
        "%%x = \"tk.load\"(%%pp) : (tensor<16x32x!tk.ptr<f32>>) -> tensor<16x32xf32>\n"
        "%%r = scf.for %%i = %%z to %%n step %%one iter_args(%%moved = %%x) -> (tensor<16x32xf32>) : i32 {\n"
        "%%at = \"tk.splat\"(%%i) : (i32) -> tensor<16x32xi32>\n"
        "%%a = \"tk.gather\"(%s, %%at) {axis = 0 : i32} : (tensor<16x32xf32>, tensor<16x32xi32>) -> "
        "tensor<16x32xf32>\n"
        "%%b = \"tk.gather\"(%s, %%at) {axis = 1 : i32} : (tensor<16x32xf32>, tensor<16x32xi32>) -> "
        "tensor<16x32xf32>\n"
        "%%s = arith.addf %%a, %%b : tensor<16x32xf32>\n"
        "scf.yield %%s : tensor<16x32xf32>\n}\n"
        "\"tk.store\"(%%pp, %%r) : (tensor<16x32x!tk.ptr<f32>>, tensor<16x32xf32>) -> ()\nreturn\n}",
        first, second);
    struct bench *bench = bench_open(text, "sm_80");
    static const char *const passes[] = {"cleanup", "layouts", "kept_sources"};
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        bench_run(bench, passes[i]);
    }
    return bench;
}

static void test_stored_once(void **state) {
    struct bench *bench = loop("%x", "%x");
    assert_int_equal(bench_count(bench, OP_GATHER), 0);
    assert_int_equal(bench_count(bench, OP_SMEM_GATHER), 2);
    assert_int_equal(bench_count(bench, OP_SMEM_ALLOC), 1);
    MlirOperation meets = mlirOperationGetNextInBlock(bench_op(bench, OP_SMEM_STORE, 0));
    assert_int_equal(op_kind(bench->ir, meets), OP_BARRIER);
    assert_int_equal(op_kind(bench->ir, mlirOperationGetNextInBlock(meets)), OP_FOR);
    assert_int_equal(op_int(bench_op(bench, OP_SMEM_GATHER, 1), ATTR_AXIS), 1);
    bench_close(bench);
}

static void test_made_in_the_loop(void **state) {
    struct bench *bench = loop("%x", "%moved");
    assert_int_equal(bench_count(bench, OP_GATHER), 1);
    assert_int_equal(bench_count(bench, OP_SMEM_GATHER), 1);
    bench_close(bench);
    bench = loop("%moved", "%a");
    assert_int_equal(bench_count(bench, OP_GATHER), 2);
    assert_int_equal(bench_count(bench, OP_SMEM_ALLOC), 0);
    bench_close(bench);
}

RUN(TEST(test_stored_once), TEST(test_made_in_the_loop))
