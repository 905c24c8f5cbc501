// cleanup: dead ops go, with all ops used only by them; equal ops are merged; invariant ops leave loops; and
// no observable effect changes.
#include "pass_testing.h"

#define HEAD "func.func @k(%p: !tk.ptr<f32>, %n: i32, %c: i1) {\n"
#define CONSTANTS                                                                                            \
    "%c0 = arith.constant 0 : i32\n %c1 = arith.constant 1 : i32\n %c9 = arith.constant 9 : i32\n"           \
    "%f0 = arith.constant 0.0 : f32\n %f1 = arith.constant 1.0 : f32\n"
#define STORE(value) "\"tk.store\"(%p, " value ") : (!tk.ptr<f32>, f32) -> ()\n"

#define REDUCE                                                                                               \
    "%s = \"tk.reduce\"(%t) ({\n^bb0(%a: f32, %b: f32):\n"                                                   \
    "%two = arith.constant 2.0 : f32\n %u = arith.mulf %a, %two : f32\n %dead = arith.mulf %b, %two : f32\n" \
    "%v = arith.addf %u, %b : f32\n \"tk.yield\"(%v) : (f32) -> ()\n}) {axis = 0 : i32} : (tensor<64xf32>) " \
    "-> f32\n"

static struct bench *cleaned(const char *text) {
    struct bench *bench = bench_open(text, "sm_80");
    bench_run(bench, "cleanup");
    return bench;
}

static intptr_t results_of(struct bench *bench, enum op_kind kind) {
    return mlirOperationGetNumResults(bench_op(bench, kind, 0));
}

static void dead_chains_go(void **state) {
    struct bench *b = cleaned(HEAD CONSTANTS
                              "%x = \"tk.load\"(%p) : (!tk.ptr<f32>) -> f32\n %y = arith.addf %x, %f1 : f32\n"
                              "%z = arith.mulf %y, %y : f32\n" STORE("%f1") "return\n}");
    assert_int_equal(bench_count(b, OP_LOAD), 0);
    assert_int_equal(bench_count(b, OP_MULF), 0);
    assert_int_equal(bench_count(b, OP_CONSTANT), 1);
    bench_close(b);
}

static void volatile_loads_and_atomics_stay(void **state) {
    struct bench *b = cleaned(
        HEAD CONSTANTS
        "%x = \"tk.load\"(%p) {volatile} : (!tk.ptr<f32>) -> f32\n"
        "%y = \"tk.atomic_rmw\"(%p, %f1) {op = \"fadd\", sem = \"relaxed\", scope = \"gpu\"} : "
        "(!tk.ptr<f32>, f32) -> f32\n"
        "%a = \"tk.inline_asm\"(%x) {asm = \"x\", constraints = \"=r,r\", pack = 1 : i32} : (f32) -> f32\n"
        "%d = \"tk.inline_asm\"(%x) {asm = \"y\", constraints = \"=r,r\", pack = 1 : i32, pure} : (f32) -> "
        "f32\n"
        "return\n}");
    assert_int_equal(bench_count(b, OP_LOAD), 1);
    assert_int_equal(bench_count(b, OP_ATOMIC_RMW), 1);
    assert_int_equal(bench_count(b, OP_INLINE_ASM), 1);
    bench_close(b);
}

// A carried value used only by itself, and another with a dead initial op, go; the live one stays.
static void dead_carried_values_go(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS
                "%start = \"tk.load\"(%p) : (!tk.ptr<f32>) -> f32\n"
                "%r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f0, %t = %f1, %u = %start) -> (f32, "
                "f32, f32) : i32 {\n"
                "%s2 = arith.addf %s, %f1 : f32\n %t2 = arith.mulf %t, %s2 : f32\n"
                "%u2 = arith.subf %u, %t2 : f32\n scf.yield %s2, %t2, %u2 : f32, f32, f32\n}\n" STORE(
                    "%r#0") "return\n}");
    assert_int_equal(results_of(b, OP_FOR), 1);
    assert_int_equal(bench_count(b, OP_LOAD), 0);
    assert_int_equal(bench_count(b, OP_MULF), 0);
    assert_int_equal(bench_count(b, OP_SUBF), 0);
    bench_close(b);
}

// The start of a dead carried value is a dead loop of its own.
static void a_dead_loop_that_starts_a_dead_value_goes(void **state) {
    struct bench *b = cleaned(
        HEAD CONSTANTS
        "%d = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f0) -> (f32) : i32 {\n"
        "%s2 = arith.addf %s, %f1 : f32\n scf.yield %s2 : f32\n}\n"
        "%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f0, %t = %d) -> (f32, f32) : i32 {\n"
        "%e = scf.for %j = %c0 to %n step %c1 iter_args(%x = %t) -> (f32) : i32 {\n"
        "%x2 = arith.mulf %x, %t : f32\n scf.yield %x2 : f32\n}\n"
        "%s2 = arith.addf %s, %f1 : f32\n scf.yield %s2, %e : f32, f32\n}\n" STORE("%r#0") "return\n}");
    assert_int_equal(bench_count(b, OP_FOR), 1);
    assert_int_equal(results_of(b, OP_FOR), 1);
    bench_close(b);
}

// A dead reduction yielded by a dead loop: the yield names its result until the loop goes.
static void dead_regions_in_dead_regions_go(void **state) {
    struct bench *b = cleaned(
        HEAD CONSTANTS "%t = \"tk.splat\"(%f1) : (f32) -> tensor<64xf32>\n"
                       "%d = scf.for %i = %c0 to %n step %c1 iter_args(%w = %f0) -> (f32) : i32 {\n" REDUCE
                       "%e = scf.if %c -> (f32) { scf.yield %s : f32 } else { scf.yield %w : f32 }\n"
                       "scf.yield %e : f32\n}\n return\n}");
    assert_int_equal(bench_count(b, OP_FOR) + bench_count(b, OP_REDUCE) + bench_count(b, OP_IF), 0);
    bench_close(b);
}

static void loops_with_effects_keep_only_what_they_need(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS "%r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f1) -> (f32) : i32 {\n"
                               "%q = \"tk.addptr\"(%p, %i) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>\n"
                               "\"tk.store\"(%q, %f0) : (!tk.ptr<f32>, f32) -> ()\n"
                               "%t2 = arith.mulf %t, %t : f32\n scf.yield %t2 : f32\n}\n return\n}");
    assert_int_equal(results_of(b, OP_FOR), 0);
    assert_int_equal(bench_count(b, OP_STORE), 1);
    assert_int_equal(bench_count(b, OP_MULF), 0);
    bench_close(b);
}

static void dead_branch_results_go(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS
                "%r:2 = scf.if %c -> (f32, f32) {\n %x = \"tk.load\"(%p) : (!tk.ptr<f32>) -> f32\n"
                "%y = arith.addf %x, %f1 : f32\n scf.yield %f1, %y : f32, f32\n} else {\n"
                "scf.yield %f0, %f0 : f32, f32\n}\n" STORE(
                    "%r#0") "%s = scf.if %c -> (f32) { scf.yield %f1 : f32 } else { scf.yield %f0 : f32 }\n"
                            "scf.if %c { %z = arith.addf %f1, %f1 : f32 }\n return\n}");
    assert_int_equal(bench_count(b, OP_IF), 1);
    assert_int_equal(results_of(b, OP_IF), 1);
    assert_int_equal(bench_count(b, OP_LOAD), 0);
    bench_close(b);
}

static void while_loops_stay_whole(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS "%r = scf.while (%i = %c0) : (i32) -> i32 {\n"
                               "%lim = arith.addi %n, %c9 : i32\n"
                               "%go = arith.cmpi slt, %i, %lim : i32\n scf.condition(%go) %i : i32\n} do {\n"
                               "^bb0(%j: i32):\n %k = arith.addi %j, %c1 : i32\n scf.yield %k : i32\n}\n"
                               "return\n}");
    assert_int_equal(bench_count(b, OP_WHILE), 1);
    assert_int_equal(bench_count(b, OP_ADDI), 2);
    MlirOperation sum = bench_op(b, OP_ADDI, 0); // the limit does not change: it is computed before the loop
    assert_true(mlirOperationEqual(mlirOperationGetParentOperation(sum), bench_function(b)));
    bench_close(b);
}

static void regions_of_reductions(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS
                "%two_out = arith.constant 2.0 : f32\n"
                "%t = \"tk.splat\"(%two_out) : (f32) -> tensor<64xf32>\n" REDUCE STORE("%s") "return\n}");
    assert_int_equal(bench_count(b, OP_REDUCE), 1);
    assert_int_equal(bench_count(b, OP_MULF), 1);
    assert_int_equal(bench_count(b, OP_YIELD), 1);
    bench_close(b);
    b = cleaned(HEAD CONSTANTS
                "%t = \"tk.splat\"(%f1) : (f32) -> tensor<64xf32>\n" REDUCE STORE("%f0") "return\n}");
    assert_int_equal(bench_count(b, OP_REDUCE), 0);
    assert_int_equal(bench_count(b, OP_SPLAT), 0);
    bench_close(b);
}

static void equal_ops_are_one_where_one_dominates(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS
                "scf.if %c {\n %x = arith.addi %n, %c9 : i32\n"
                "%q = \"tk.addptr\"(%p, %x) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>\n"
                "\"tk.store\"(%q, %f0) : (!tk.ptr<f32>, f32) -> ()\n} else {\n"
                "%x = arith.addi %n, %c9 : i32\n"
                "%q = \"tk.addptr\"(%p, %x) : (!tk.ptr<f32>, i32) -> !tk.ptr<f32>\n"
                "\"tk.store\"(%q, %f1) : (!tk.ptr<f32>, f32) -> ()\n}\n"
                "%y = arith.addi %n, %c9 : i32\n %z = arith.addi %n, %c9 : i32\n"
                "%w = arith.muli %y, %z : i32\n %g = arith.sitofp %w : i32 to f32\n" STORE("%g") "return\n}");
    assert_int_equal(bench_count(b, OP_ADDI), 3); // one in each branch, one after them
    bench_close(b);
}

static void attributes_and_types_tell_ops_apart(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS "%x = arith.cmpi slt, %n, %c9 : i32\n %y = arith.cmpi ult, %n, %c9 : i32\n"
                               "%i = \"tk.program_id\"() {axis = 0 : i32} : () -> i32\n"
                               "%j = \"tk.program_id\"() {axis = 1 : i32} : () -> i32\n"
                               "%e = arith.extsi %n : i32 to i64\n %u = arith.extui %n : i32 to i64\n"
                               "\"tk.print\"(%x, %y, %i, %j, %e, %u) {prefix = \"x\"} : (i1, i1, i32, "
                               "i32, i64, i64) -> ()\n return\n}");
    assert_int_equal(bench_count(b, OP_CMPI), 2);
    assert_int_equal(bench_count(b, OP_PROGRAM_ID), 2);
    assert_int_equal(bench_count(b, OP_EXTSI) + bench_count(b, OP_EXTUI), 2);
    bench_close(b);
}

static void invariant_divisions_leave_their_loop(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS "scf.for %i = %c0 to %n step %c1 : i32 {\n"
                               "%x = arith.divsi %c9, %n : i32\n %y = arith.divsi %n, %c9 : i32\n"
                               "%z = arith.addi %x, %y : i32\n %v = arith.addi %z, %i : i32\n"
                               "%g = arith.sitofp %v : i32 to f32\n" STORE("%g") "}\n return\n}");
    for (unsigned i = 0; i < 2; i++) { // also with a possible divisor of 0: division never faults
        MlirOperation division = bench_op(b, OP_DIVSI, i);
        assert_true(mlirOperationEqual(mlirOperationGetParentOperation(division), bench_function(b)));
    }
    bench_close(b);
}

static void invariant_ops_leave_nested_loops(void **state) {
    struct bench *b = cleaned(
        HEAD CONSTANTS "scf.for %i = %c0 to %n step %c1 : i32 {\n scf.for %j = %c0 to %i step %c1 : i32 {\n"
                       "%x = arith.muli %n, %c9 : i32\n %y = arith.muli %i, %c9 : i32\n"
                       "%z = arith.addi %x, %y : i32\n %w = arith.addi %z, %j : i32\n"
                       "%g = arith.sitofp %w : i32 to f32\n" STORE("%g") "}\n}\n return\n}");
    MlirOperation x = bench_op(b, OP_MULI, 0), y = bench_op(b, OP_MULI, 1), z = bench_op(b, OP_ADDI, 0);
    assert_true(mlirOperationEqual(mlirOperationGetParentOperation(x), bench_function(b)));
    MlirOperation outer = bench_op(b, OP_FOR, 0);
    assert_true(mlirOperationEqual(mlirOperationGetParentOperation(y), outer));
    assert_true(mlirOperationEqual(mlirOperationGetParentOperation(z), outer));
    bench_close(b);
}

static void a_second_run_changes_nothing(void **state) {
    struct bench *b =
        cleaned(HEAD CONSTANTS
                "%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f0, %t = %f1) -> (f32, f32) : i32 {\n"
                "%s2 = arith.addf %s, %f1 : f32\n %t2 = arith.mulf %t, %s2 : f32\n"
                "scf.yield %s2, %t2 : f32, f32\n}\n" STORE("%r#0") "return\n}");
    char *once = bench_text(b);
    bench_run(b, "cleanup");
    char *twice = bench_text(b);
    assert_string_equal(once, twice);
    free(once);
    free(twice);
    bench_close(b);
}

RUN(TEST(dead_chains_go), TEST(volatile_loads_and_atomics_stay), TEST(dead_carried_values_go),
    TEST(a_dead_loop_that_starts_a_dead_value_goes), TEST(dead_regions_in_dead_regions_go),
    TEST(loops_with_effects_keep_only_what_they_need), TEST(dead_branch_results_go),
    TEST(while_loops_stay_whole), TEST(regions_of_reductions), TEST(equal_ops_are_one_where_one_dominates),
    TEST(attributes_and_types_tell_ops_apart), TEST(invariant_divisions_leave_their_loop),
    TEST(invariant_ops_leave_nested_loops), TEST(a_second_run_changes_nothing))
