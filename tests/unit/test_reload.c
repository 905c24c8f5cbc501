// reload: a loop-invariant operand goes to shared memory when, and only when, registers are short.
#include "pass_testing.h"

// q [M, D] times k [D, 32] in a loop with carried accumulators [M, D]: attention's first dot.
static struct bench *loop(const char *chip, int m, int d, int warps) {
    char text[4096];
    int length = snprintf(text, sizeof text,
                          "func.func @f(%%p: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %%n: i32) attributes "
                          "{tk.num_warps = %d : i32} {\n"
                          "%%z = arith.constant 0 : i32\n%%one = arith.constant 1 : i32\n"
                          "%%qp = \"tk.splat\"(%%p) : (!tk.ptr<f16>) -> tensor<%dx%dx!tk.ptr<f16>>\n"
                          "%%q = \"tk.load\"(%%qp) : (tensor<%dx%dx!tk.ptr<f16>>) -> tensor<%dx%dxf16>\n"
                          "%%kp = \"tk.splat\"(%%p) : (!tk.ptr<f16>) -> tensor<%dx32x!tk.ptr<f16>>\n"
                          "%%vp = \"tk.splat\"(%%p) : (!tk.ptr<f16>) -> tensor<32x%dx!tk.ptr<f16>>\n"
                          "%%zero = arith.constant dense<0.0> : tensor<%dx32xf32>\n"
                          "%%init = arith.constant dense<0.0> : tensor<%dx%dxf32>\n",
                          warps, m, d, m, d, m, d, d, d, m, m, d);
    length += snprintf(
        text + length, sizeof text - (size_t)length,
        "%%r = scf.for %%i = %%z to %%n step %%one iter_args(%%acc = %%init) -> (tensor<%dx%dxf32>) : i32 {\n"
        "%%k = \"tk.load\"(%%kp) : (tensor<%dx32x!tk.ptr<f16>>) -> tensor<%dx32xf16>\n"
        "%%s = \"tk.dot\"(%%q, %%k, %%zero) {precision = \"tf32\"} : (tensor<%dx%dxf16>, tensor<%dx32xf16>, "
        "tensor<%dx32xf32>) -> tensor<%dx32xf32>\n"
        "%%w = arith.truncf %%s : tensor<%dx32xf32> to tensor<%dx32xf16>\n"
        "%%v = \"tk.load\"(%%vp) : (tensor<32x%dx!tk.ptr<f16>>) -> tensor<32x%dxf16>\n",
        m, d, d, d, m, d, d, m, m, m, m, d, d);
    snprintf(
        text + length, sizeof text - (size_t)length,
        "%%e = \"tk.dot\"(%%w, %%v, %%acc) {precision = \"tf32\"} : (tensor<%dx32xf16>, tensor<32x%dxf16>, "
        "tensor<%dx%dxf32>) -> tensor<%dx%dxf32>\nscf.yield %%e : tensor<%dx%dxf32>\n}\n"
        "%%h = arith.truncf %%r : tensor<%dx%dxf32> to tensor<%dx%dxf16>\n"
        "\"tk.store\"(%%qp, %%h) : (tensor<%dx%dx!tk.ptr<f16>>, tensor<%dx%dxf16>) -> ()\nreturn\n}",
        m, d, m, d, m, d, m, d, m, d, m, d, m, d, m, d);
    struct bench *bench = bench_open(text, chip);
    static const char *const passes[] = {"cleanup", "legal_dots", "layouts", "reload", "finish"};
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        bench_run(bench, passes[i]);
    }
    return bench;
}

static void expect_reload(const char *chip, int m, int d, int warps, bool wanted) {
    struct bench *bench = loop(chip, m, d, warps);
    assert_int_equal(bench_count(bench, OP_SMEM_ALLOC), wanted);
    assert_int_equal(bench_count(bench, OP_SMEM_STORE), wanted);
    assert_int_equal(bench_count(bench, OP_SMEM_LOAD), wanted);
    if (wanted) { // stored and settled before the loop, read in it by the dot
        MlirOperation load = bench_op(bench, OP_SMEM_LOAD, 0);
        MlirOperation dot = bench_op(bench, OP_DOT, 0);
        assert_true(mlirBlockEqual(mlirOperationGetBlock(load), mlirOperationGetBlock(dot)));
        assert_true(mlirValueEqual(mlirOperationGetOperand(dot, 0), mlirOperationGetResult(load, 0)));
        MlirOperation next = mlirOperationGetNextInBlock(bench_op(bench, OP_SMEM_STORE, 0));
        assert_int_equal(op_kind(bench->ir, next), OP_BARRIER);
    }
    bench_close(bench);
}

static void test_short_of_registers(void **state) {
    expect_reload("sm_80", 128, 128, 4, true);
    expect_reload("sm_90", 128, 128, 4, true);
}

static void test_registers_suffice(void **state) {
    expect_reload("sm_80", 64, 64, 4, false);
    expect_reload("sm_80", 32, 64, 2, false);
    expect_reload("gfx942", 128, 128, 4, false);
}

RUN(TEST(test_short_of_registers), TEST(test_registers_suffice))
