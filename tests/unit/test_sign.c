// Signs of floats. Each kernel names the value in question by storing it first.
#include "pass_testing.h"

#include "dialects/tk/operands.h"
#include "passes/facts/sign.h"

// Arguments: %x, %y: any floats; %b: any bits; %i: any integer.
static struct bench *open_value(const char *body) {
    char text[4096];
    snprintf(text, sizeof text,
             "func.func @k(%%x: tensor<16xf32>, %%y: tensor<16xf32>, %%b: tensor<16xi1>, %%i: "
             "tensor<16xi32>, %%n: i32) "
             "attributes {tk.num_warps = 4 : i32} {\n"
             "  %%zero = arith.constant dense<0.0> : tensor<16xf32>\n"
             "  %%minus_zero = arith.constant dense<-0.0> : tensor<16xf32>\n"
             "  %%one = arith.constant dense<1.0> : tensor<16xf32>\n"
             "  %%less = arith.constant dense<-1.0> : tensor<16xf32>\n"
             "  %%lowest = arith.constant dense<0xFF800000> : tensor<16xf32>\n"
             "  %%z = arith.constant 0 : i32\n  %%s = arith.constant 1 : i32\n"
             "  %%abs = math.absf %%x : tensor<16xf32>\n  %%exp = math.exp2 %%x : tensor<16xf32>\n"
             "%s  \"tk.print\"(%%r) {prefix = \"\"} : (tensor<16xf32>) -> ()\n  return\n}\n",
             body);
    return bench_open(text, "sm_80");
}

enum question { CLEAR, NOT_BELOW_ZERO, NEVER_POSITIVE, TAME };

static bool answer(const char *body, enum question question) {
    struct bench *bench = open_value(body);
    MlirValue value = mlirOperationGetOperand(bench_op(bench, OP_PRINT, 0), 0);
    bool yes = question == CLEAR            ? value_has_sign(bench->ir, value, SIGN_CLEAR)
               : question == NOT_BELOW_ZERO ? value_has_sign(bench->ir, value, SIGN_NOT_BELOW_ZERO)
               : question == NEVER_POSITIVE ? value_is_never_positive(bench->ir, value)
                                            : value_is_tame_factor(bench->ir, value);
    bench_close(bench);
    return yes;
}

static void expect(const char *body, enum question question, bool yes) {
    if (answer(body, question) != yes) {
        fail_msg("question %d is not answered by %s:\n%s", question, yes ? "yes" : "no", body);
    }
}

#define TILE " : tensor<16xf32>\n"
#define IS(question, body) expect("  " body, question, true)
#define UNKNOWN(question, body) expect("  " body, question, false)

static void test_signs(void **state) {
    IS(CLEAR, "%r = arith.mulf %x, %x" TILE);
    IS(CLEAR, "%r = arith.addf %exp, %abs" TILE);
    IS(CLEAR, "%r = arith.addf %exp, %minus_zero" TILE);
    IS(CLEAR, "%q = arith.addf %exp, %one" TILE "%r = arith.divf %one, %q" TILE);
    IS(CLEAR, "%r = math.fma %x, %x, %abs" TILE);
    IS(CLEAR, "%r = arith.select %b, %exp, %zero : tensor<16xi1>, tensor<16xf32>\n");
    IS(CLEAR, "%r = arith.uitofp %i : tensor<16xi32> to tensor<16xf32>\n");
    IS(CLEAR, "%w = arith.extui %b : tensor<16xi1> to tensor<16xi32>\n"
              "%r = arith.sitofp %w : tensor<16xi32> to tensor<16xf32>\n");
    IS(CLEAR, "%c = arith.cmpf ogt, %x, %zero" TILE
              "%r = arith.select %c, %x, %zero : tensor<16xi1>, tensor<16xf32>\n");
    IS(CLEAR, "%r = math.copysign %x, %exp" TILE);
    IS(NOT_BELOW_ZERO, "%r = arith.maxnumf %x, %zero" TILE);
    IS(NOT_BELOW_ZERO, "%r = arith.maximumf %x, %abs" TILE);
    IS(NOT_BELOW_ZERO, "%r = math.sqrt %x" TILE);
    IS(NOT_BELOW_ZERO, "%r = arith.minnumf %abs, %exp" TILE);
    UNKNOWN(CLEAR, "%r = arith.maxnumf %x, %zero" TILE); // may be -0
    UNKNOWN(CLEAR, "%r = math.sqrt %x" TILE);            // of -0
    UNKNOWN(NOT_BELOW_ZERO,
            "%r = arith.maxnumf %x, %abs" TILE); // x beside a NaN; here it is x itself
    UNKNOWN(NOT_BELOW_ZERO, "%r = arith.mulf %x, %abs" TILE);
    UNKNOWN(NOT_BELOW_ZERO, "%r = arith.mulf %x, %y" TILE);
    UNKNOWN(NOT_BELOW_ZERO, "%r = arith.subf %abs, %exp" TILE);
    UNKNOWN(NOT_BELOW_ZERO, "%r = arith.addf %abs, %less" TILE);
    UNKNOWN(NOT_BELOW_ZERO, "%r = arith.sitofp %i : tensor<16xi32> to tensor<16xf32>\n");
    UNKNOWN(NOT_BELOW_ZERO, "%q = arith.maxnumf %x, %zero" TILE "%r = arith.divf %one, %q" TILE); // 1 / -0
    UNKNOWN(NOT_BELOW_ZERO, "%r = arith.select %b, %exp, %x : tensor<16xi1>, tensor<16xf32>\n");
    UNKNOWN(NOT_BELOW_ZERO, "%c = arith.cmpf olt, %x, %zero" TILE
                            "%r = arith.select %c, %x, %zero : tensor<16xi1>, tensor<16xf32>\n");
}

// 2 to the power of a rounded number, by its bits.
#define POWER(steps, least)                                                                                  \
    "%share = \"tk.fma_saturated\"(%x, %y, %y) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> "       \
    "tensor<16xf32>\n"                                                                                       \
    "%steps = arith.constant dense<" steps "> : tensor<16xf32>\n"                                            \
    "%least = arith.constant dense<" least "> : tensor<16xf32>\n"                                            \
    "%sum = math.fma %share, %steps, %least" TILE                                                            \
    "%bits = arith.bitcast %sum : tensor<16xf32> to tensor<16xi32>\n"                                        \
    "%by = arith.constant dense<23> : tensor<16xi32>\n"                                                      \
    "%shifted = arith.shli %bits, %by : tensor<16xi32>\n"                                                    \
    "%r = arith.bitcast %shifted : tensor<16xi32> to tensor<16xf32>\n"

static void test_powers(void **state) {
    IS(CLEAR, POWER("252.0", "12582913.0"));
    IS(CLEAR, POWER("254.0", "8388608.0"));
    UNKNOWN(CLEAR, POWER("252.0", "12583169.0")); // the bit of the sign is set
    UNKNOWN(CLEAR, POWER("300.0", "12582913.0")); // steps reach that bit
    UNKNOWN(CLEAR, POWER("252.0", "4194305.0"));  // bits below the integer
    UNKNOWN(CLEAR, POWER("-1.0", "12582913.0"));
}

// A loop with a body that makes %next from %a.
#define LOOP(first, next)                                                                                    \
    "%r = scf.for %k = %z to %n step %s iter_args(%a = " first ") -> (tensor<16xf32>) : i32 {\n" next        \
    "scf.yield %next : tensor<16xf32>\n}\n"

static void test_loops(void **state) {
    IS(CLEAR, LOOP("%zero", "%next = math.fma %a, %exp, %abs" TILE));
    IS(NOT_BELOW_ZERO, LOOP("%minus_zero", "%next = arith.mulf %a, %exp" TILE));
    UNKNOWN(CLEAR, LOOP("%minus_zero", "%next = arith.mulf %a, %exp" TILE));
    UNKNOWN(NOT_BELOW_ZERO, LOOP("%zero", "%next = math.fma %a, %exp, %x" TILE));
    UNKNOWN(NOT_BELOW_ZERO, LOOP("%less", "%next = math.fma %a, %exp, %abs" TILE));
    // A loop that depends on its own reciprocal: clear only if it is clear.
    UNKNOWN(NOT_BELOW_ZERO, LOOP("%zero", "%q = math.sqrt %a" TILE "%u = arith.maxnumf %x, %zero" TILE
                                          "%v = arith.mulf %q, %u" TILE "%next = arith.divf %one, %v" TILE));
}

static void test_factors(void **state) {
#define FACTOR "%d = arith.subf %x, %new" TILE "%r = math.exp2 %d" TILE
    IS(TAME, "%new = arith.maxnumf %y, %x" TILE FACTOR);
    IS(TAME, "%new = arith.maximumf %y, %x" TILE FACTOR);
    IS(TAME, "%m = arith.maxnumf %x, %y" TILE "%c = arith.cmpf ogt, %m, %y" TILE
             "%new = arith.select %c, %m, %x : tensor<16xi1>, tensor<16xf32>\n" FACTOR);
    IS(TAME, "%m = arith.maxnumf %x, %y" TILE "%c = arith.cmpf oeq, %m, %lowest" TILE
             "%new = arith.select %c, %zero, %m : tensor<16xi1>, tensor<16xf32>\n" FACTOR);
    IS(TAME, "%m = arith.maxnumf %x, %y" TILE "%u = arith.mulf %one, %m" TILE "%v = arith.mulf %x, %one" TILE
             "%d = arith.subf %v, %u" TILE "%r = math.exp2 %d" TILE);
    IS(TAME, "%m = arith.negf %abs" TILE "%r = math.exp2 %m" TILE);
    IS(TAME, "%m = arith.subf %zero, %exp" TILE "%t = arith.mulf %m, %one" TILE "%r = math.exp2 %t" TILE);
    IS(TAME, "%q = arith.addf %exp, %one" TILE "%r = arith.divf %one, %q" TILE);
    UNKNOWN(TAME, "%r = math.exp2 %x" TILE);
    UNKNOWN(TAME, "%new = arith.maxnumf %y, %abs" TILE FACTOR);
    UNKNOWN(TAME,
            "%n0 = arith.maximumf %y, %x" TILE "%new = arith.maxnumf %n0, %y" TILE FACTOR); // y beside a NaN
    UNKNOWN(TAME, "%new = arith.select %b, %y, %x : tensor<16xi1>, tensor<16xf32>\n" FACTOR);
    UNKNOWN(TAME, "%m = arith.maxnumf %x, %y" TILE "%c = arith.cmpf oeq, %y, %lowest" TILE
                  "%new = arith.select %c, %zero, %m : tensor<16xi1>, tensor<16xf32>\n" FACTOR);
    UNKNOWN(TAME, "%m = arith.maxnumf %x, %y" TILE "%u = arith.mulf %y, %m" TILE "%v = arith.mulf %x, %y" TILE
                  "%d = arith.subf %v, %u" TILE "%r = math.exp2 %d" TILE); // y may be negative
    // The rounding error of m remains in a fused difference, and may be above 0.
    UNKNOWN(TAME, "%m = arith.maxnumf %x, %y" TILE "%u = arith.mulf %m, %one" TILE "%v = arith.negf %u" TILE
                  "%d = math.fma %x, %one, %v" TILE "%r = math.exp2 %d" TILE);
    UNKNOWN(TAME, "%q = arith.addf %x, %one" TILE "%r = arith.divf %one, %q" TILE);
    UNKNOWN(NEVER_POSITIVE, "%r = arith.minnumf %x, %y" TILE);
    IS(NEVER_POSITIVE, "%r = arith.minnumf %x, %zero" TILE);
}

// Rows and columns of one vector are not the same, though both come from it.
static void test_shapes(void **state) {
#define SPREAD(name, from, axis, shape)                                                                      \
    "%" name " = \"tk.expand_dims\"(%" from ") {axis = " axis " : i32} : (tensor<16xf32>) -> tensor<" shape  \
    "xf32>\n"                                                                                                \
    "%" name "w = \"tk.broadcast\"(%" name ") : (tensor<" shape "xf32>) -> tensor<16x16xf32>\n"
#define DIFFERENCE(axis, shape)                                                                              \
    "%m = arith.maxnumf %x, %y" TILE SPREAD("p", "x", "1", "16x1") SPREAD(                                   \
        "q", "m", axis,                                                                                      \
        shape) "%d = arith.subf %pw, %qw : tensor<16x16xf32>\n%e = math.exp2 %d : tensor<16x16xf32>\n"       \
               "%r = \"tk.reduce\"(%e) ({\n^bb0(%u: f32, %v: f32):\n%w = arith.maxnumf %u, %v : f32\n"       \
               "\"tk.yield\"(%w) : (f32) -> ()\n}) {axis = 1 : i32} : (tensor<16x16xf32>) -> "               \
               "tensor<16xf32>\n"
    for (int columns = 0; columns < 2; columns++) {
        struct bench *bench = open_value(columns ? DIFFERENCE("0", "1x16") : DIFFERENCE("1", "16x1"));
        MlirValue factor = reduce_tile(bench_op(bench, OP_REDUCE, 0), 0);
        assert_int_equal(value_is_tame_factor(bench->ir, factor), !columns);
        bench_close(bench);
    }
}

RUN(TEST(test_signs), TEST(test_powers), TEST(test_loops), TEST(test_factors), TEST(test_shapes))
