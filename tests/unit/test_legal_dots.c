// legal_dots: the casts of a dot on each chip, and the instruction found afterwards by the layouts pass.
#include "chip_testing.h"
#include "ir/build.h"
#include "passes/layout/legal_dots.h"
#include "passes/pass.h"

struct outcome {
    unsigned dots, casts_to_fp, extf, truncf, errors;
    char a[32], b[32], c[32]; // element types of the last dot
    const char *instruction;  // of the last dot
};

static void count_error(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

static void type_text(MlirStringRef part, void *user) {
    strncat(user, part.data, part.length);
}

static struct outcome run(const char *chip, const char *a, const char *b, const char *c,
                          const char *precision, int k) {
    char text[2048];
    snprintf(text, sizeof text,
             "module { func.func @k(%%a: tensor<64x%dx%s>, %%b: tensor<%dx64x%s>, %%c: tensor<64x64x%s>) -> "
             "tensor<64x64x%s> "
             "attributes {tk.num_warps = 4 : i32} {\n"
             "  %%d = \"tk.dot\"(%%a, %%b, %%c) {precision = \"%s\"} : (tensor<64x%dx%s>, tensor<%dx64x%s>, "
             "tensor<64x64x%s>) -> tensor<64x64x%s>\n  return %%d : tensor<64x64x%s>\n} }",
             k, a, k, b, c, c, precision, k, a, k, b, c, c, c);
    struct diag diag = {.sink = count_error};
    struct ir *ir = ir_create(&diag);
    struct arena *arena = arena_create();
    const struct target *target = target_find(chip);
    struct pass_context context = {.ir = ir, .target = target, .arena = arena, .diag = &diag};
    MlirModule module = ir_parse(ir, text, "test.mlir");
    assert_false(mlirModuleIsNull(module));
    struct outcome outcome = {0};
    bool ok = pass_run_one(&context, module, "legal_dots");
    outcome.errors = diag.error_count;
    assert_true(ok == (diag.error_count == 0));
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(ir, ops[i]);
        outcome.casts_to_fp += kind == OP_FP_TO_FP;
        outcome.extf += kind == OP_EXTF;
        outcome.truncf += kind == OP_TRUNCF;
        if (kind == OP_DOT) {
            char *names[] = {outcome.a, outcome.b, outcome.c};
            for (int n = 0; n < 3; n++) {
                names[n][0] = 0;
                mlirTypePrint(type_element(mlirValueGetType(mlirOperationGetOperand(ops[i], n))), type_text,
                              names[n]);
            }
            const struct mma *mma = dot_instruction(target, ops[i], 4, false);
            outcome.instruction = mma ? mma->name : "none";
            outcome.dots++;
        }
    }
    mlirModuleDestroy(module);
    arena_destroy(arena);
    ir_destroy(ir);
    return outcome;
}

static void expect_dot(struct outcome outcome, const char *a, const char *c, const char *instruction) {
    assert_int_equal(outcome.errors, 0);
    assert_string_equal(outcome.a, a);
    assert_string_equal(outcome.c, c);
    assert_string_equal(outcome.instruction, instruction);
}

static void test_stays(void **state) {
    struct outcome o = run("sm_80", "f16", "f16", "f32", "tf32", 32);
    expect_dot(o, "f16", "f32", "mma.m16n8k16.f16");
    assert_int_equal(o.casts_to_fp + o.extf + o.truncf, 0);
    expect_dot(run("sm_80", "f32", "f32", "f32", "tf32", 32), "f32", "f32", "mma.m16n8k8.tf32");
    expect_dot(run("sm_80", "f32", "f32", "f32", "ieee", 32), "f32", "f32", "none");
    expect_dot(run("gfx942", "f32", "f32", "f32", "ieee", 32), "f32", "f32", "mfma.f32.32x32x2f32");
    expect_dot(run("gfx942", "f32", "f32", "f32", "tf32", 32), "f32", "f32", "mfma.f32.32x32x4.xf32");
    expect_dot(run("gfx90a", "f32", "f32", "f32", "tf32", 32), "f32", "f32", "mfma.f32.32x32x2f32");
    expect_dot(run("sm_75", "bf16", "bf16", "f32", "tf32", 32), "bf16", "f32", "none");
    expect_dot(run("sm_80", "i8", "i8", "i32", "tf32", 32), "i8", "i32", "mma.m16n8k32.s8");
    expect_dot(run("gfx1100", "i8", "i8", "i32", "tf32", 32), "i8", "i32", "wmma.i32.16x16x16.iu8.gfx11");
    expect_dot(run("gfx1100", "f64", "f64", "f64", "tf32", 32), "f64", "f64", "none");
    o = run("sm_89", "f8E4M3FN", "f8E5M2", "f32", "tf32", 32);
    expect_dot(o, "f8E4M3FN", "f32", "mma.m16n8k32.e4m3.e5m2");
    assert_int_equal(o.casts_to_fp, 0);
}

static void test_f8_gfx12(void **state) {
    need_chip("gfx1200");
    expect_dot(run("gfx1200", "f8E5M2", "f8E4M3FN", "f32", "tf32", 32), "f8E5M2", "f32",
               "wmma.f32.16x16x16.fp8.bf8");
    expect_dot(run("gfx1200", "f8E4M3FNUZ", "f8E4M3FNUZ", "f32", "tf32", 32), "f16", "f32",
               "wmma.f32.16x16x16.f16.gfx12");
}

static void test_f8(void **state) {
    struct outcome o = run("sm_80", "f8E4M3FN", "f8E5M2", "f32", "tf32", 32);
    expect_dot(o, "f16", "f32", "mma.m16n8k16.f16");
    assert_int_equal(o.casts_to_fp, 2);
    expect_dot(run("gfx942", "f8E4M3FN", "f8E4M3FN", "f32", "tf32", 32), "f16", "f32", "mfma.f32.32x32x8f16");
    expect_dot(run("gfx942", "f8E4M3FNUZ", "f8E5M2FNUZ", "f32", "tf32", 32), "f8E4M3FNUZ", "f32",
               "mfma.f32.32x32x16.bf8.fp8");
    // K is too short for the chip's f8 instruction.
    expect_dot(run("sm_89", "f8E4M3FN", "f8E4M3FN", "f32", "tf32", 16), "f16", "f32", "mma.m16n8k16.f16");
    o = run("sm_80", "f8E4M3FN", "bf16", "f32", "tf32", 32);
    expect_dot(o, "bf16", "f32", "mma.m16n8k16.bf16");
    assert_int_equal(o.casts_to_fp, 1);
}

static void test_accumulators(void **state) {
    struct outcome o = run("sm_80", "f16", "f16", "f16", "tf32", 32);
    expect_dot(o, "f16", "f16", "mma.m16n8k16.f16.f16");
    assert_int_equal(o.extf + o.truncf, 0);
    o = run("gfx942", "f16", "f16", "f16", "tf32", 32);
    expect_dot(o, "f16", "f32", "mfma.f32.32x32x8f16");
    assert_int_equal(o.extf, 1);
    assert_int_equal(o.truncf, 1);
    expect_dot(run("gfx1100", "bf16", "bf16", "bf16", "tf32", 32), "bf16", "f32",
               "wmma.f32.16x16x16.bf16.gfx11");
    expect_dot(run("sm_80", "f16", "bf16", "f32", "tf32", 32), "f32", "f32", "mma.m16n8k8.tf32");
    expect_dot(run("sm_80", "f32", "f64", "f32", "tf32", 32), "f64", "f64", "mma.m8n8k4.f64");
}

static void test_splits(void **state) {
    struct outcome o = run("sm_80", "f32", "f32", "f32", "bf16x3", 32);
    assert_int_equal(o.dots, 3);
    expect_dot(o, "bf16", "f32", "mma.m16n8k16.bf16");
    o = run("gfx942", "f32", "f32", "f32", "bf16x6", 32);
    assert_int_equal(o.dots, 6);
    expect_dot(o, "bf16", "f32", "mfma.f32.32x32x8bf16.1k");
    o = run("sm_75", "f32", "f32", "f32", "bf16x3", 32);
    assert_int_equal(o.dots, 1);
}

static void test_refused(void **state) {
    assert_int_equal(run("sm_80", "i8", "f16", "f32", "tf32", 32).errors, 1);
    assert_int_equal(run("sm_80", "i8", "i8", "f32", "tf32", 32).errors, 1);
}

RUN(TEST(test_stays), TEST(test_f8), TEST(test_f8_gfx12), TEST(test_accumulators), TEST(test_splits),
    TEST(test_refused))
