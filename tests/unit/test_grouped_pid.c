// grouped_pid: the kernels it changes; and the emitted arithmetic is a bijection, evaluated for every program
// of every small grid.
#include "pass_testing.h"

#include <mlir-c/BuiltinAttributes.h>

#include "passes/simplify/grouped_pid.h"

// ---- an evaluator of scalar integer ops ----

struct machine {
    struct bench *bench;
    int32_t id[2], programs[2], n;
    struct map values; // value → int + 1
    int32_t stored[4]; // values of scalar stores, in order
    unsigned stored_count;
};

static int32_t value_of(struct machine *m, MlirValue value) {
    return (int32_t)((intptr_t)map_get(&m->values, value.ptr) - 1);
}

static int32_t divide(int32_t a, int32_t b, bool remainder) {
    assert_int_not_equal(b, 0);
    return remainder ? a % b : a / b;
}

static int32_t divide_unsigned(uint32_t x, uint32_t y, bool remainder) {
    uint32_t divisor = y ? y : 1u << 31;
    return (int32_t)(remainder ? x % divisor : x / divisor);
}

static int32_t wide(int64_t value) { // nothing may wrap
    assert_true(value >= INT32_MIN && value <= INT32_MAX);
    return (int32_t)value;
}

static int32_t compare(int64_t predicate, int32_t a, int32_t b) {
    switch (predicate) {
    case 0:
        return a == b;
    case 3:
        return a <= b;
    case 4:
        return a > b;
    default:
        fail_msg("predicate %d", (int)predicate);
        return 0;
    }
}

static void execute(struct machine *m, MlirOperation op) {
    int64_t constant, x[3] = {0};
    enum op_kind kind = op_kind(m->bench->ir, op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 3; i++) {
        x[i] = value_of(m, mlirOperationGetOperand(op, i));
    }
    int32_t result;
    switch (kind) {
    case OP_PROGRAM_ID:
        result = m->id[op_int(op, ATTR_AXIS)];
        break;
    case OP_NUM_PROGRAMS:
        result = m->programs[op_int(op, ATTR_AXIS)];
        break;
    case OP_CONSTANT:
        if (type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0))) ||
            !value_is_constant_int(m->bench->ir, mlirOperationGetResult(op, 0), &constant)) {
            return;
        }
        result = (int32_t)constant;
        break;
    case OP_ADDI:
        result = wide(x[0] + x[1]);
        break;
    case OP_SUBI:
        result = wide(x[0] - x[1]);
        break;
    case OP_MULI: // of a negative count's rows nothing is used
        result = m->n < 0 ? (int32_t)(uint32_t)(x[0] * x[1]) : wide(x[0] * x[1]);
        break;
    case OP_DIVSI:
        result = divide((int32_t)x[0], (int32_t)x[1], false);
        break;
    case OP_REMSI:
        result = divide((int32_t)x[0], (int32_t)x[1], true);
        break;
    case OP_DIVUI:
        result = divide_unsigned((uint32_t)x[0], (uint32_t)x[1], false);
        break;
    case OP_REMUI:
        result = divide_unsigned((uint32_t)x[0], (uint32_t)x[1], true);
        break;
    case OP_MINSI:
        result = (int32_t)(x[0] < x[1] ? x[0] : x[1]);
        break;
    case OP_MAXSI:
        result = (int32_t)(x[0] > x[1] ? x[0] : x[1]);
        break;
    case OP_ANDI:
        result = (int32_t)(x[0] & x[1]);
        break;
    case OP_CMPI:
        result = compare(op_int(op, ATTR_PREDICATE), (int32_t)x[0], (int32_t)x[1]);
        break;
    case OP_SELECT:
        result = (int32_t)(x[0] ? x[1] : x[2]);
        break;
    case OP_STORE:
        m->stored[m->stored_count++] = (int32_t)x[1];
        return;
    default:
        return;
    }
    map_put(&m->values, mlirOperationGetResult(op, 0).ptr, (void *)(intptr_t)(result + (intptr_t)1));
}

static void run_program(struct machine *m) {
    MlirBlock body = op_body(bench_function(m->bench), 0);
    m->stored_count = 0;
    map_put(&m->values, mlirBlockGetArgument(body, 1).ptr, (void *)(intptr_t)(m->n + (intptr_t)1));
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        execute(m, op);
    }
}

// ---- kernels ----

#define TILES                                                                                                \
    "%r = \"tk.range\"() {start = 0 : i32} : () -> tensor<16xi32>\n"                                         \
    "%sm = \"tk.splat\"(%m) : (i32) -> tensor<16xi32>\n"                                                     \
    "%sn = \"tk.splat\"(%n) : (i32) -> tensor<16xi32>\n"                                                     \
    "%rm = arith.addi %r, %sm : tensor<16xi32>\n"                                                            \
    "%rn = arith.addi %r, %sn : tensor<16xi32>\n"                                                            \
    "%em = \"tk.expand_dims\"(%rm) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>\n"                \
    "%en = \"tk.expand_dims\"(%rn) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>\n"                \
    "%bm = \"tk.broadcast\"(%em) : (tensor<16x1xi32>) -> tensor<16x16xi32>\n"                                \
    "%bn = \"tk.broadcast\"(%en) : (tensor<1x16xi32>) -> tensor<16x16xi32>\n"                                \
    "%ps = \"tk.splat\"(%p) : (!tk.ptr<f16>) -> tensor<16x16x!tk.ptr<f16>>\n"                                \
    "%pa = \"tk.addptr\"(%ps, %bm) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> "                    \
    "tensor<16x16x!tk.ptr<f16>>\n"                                                                           \
    "%pb = \"tk.addptr\"(%ps, %bn) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xi32>) -> "                    \
    "tensor<16x16x!tk.ptr<f16>>\n"                                                                           \
    "%a = \"tk.load\"(%pa) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>\n"                            \
    "%b = \"tk.load\"(%pb) : (tensor<16x16x!tk.ptr<f16>>) -> tensor<16x16xf16>\n"                            \
    "%zero = arith.constant dense<0.0> : tensor<16x16xf32>\n"

#define HEAD                                                                                                 \
    "func.func @k(%p: !tk.ptr<f16>, %N: i32, %q: !tk.ptr<i32>) attributes {tk.num_warps = 4 : i32} {\n"      \
    "%c15 = arith.constant 15 : i32\n %c16 = arith.constant 16 : i32\n %c8 = arith.constant 8 : i32\n"
#define PID "%pid = \"tk.program_id\"() {axis = 0 : i32} : () -> i32\n"
#define PID1 "%pid1 = \"tk.program_id\"() {axis = 1 : i32} : () -> i32\n"
#define CDIV "%up = arith.addi %N, %c15 : i32\n %t = arith.divsi %up, %c16 : i32\n"
#define SPLIT "%m = arith.divsi %pid, %t : i32\n %n = arith.remsi %pid, %t : i32\n"
#define DOT                                                                                                  \
    "%d = \"tk.dot\"(%a, %b, %zero) : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> "         \
    "tensor<16x16xf32>\n"
#define WIDE_TILES                                                                                           \
    TILES "%r64 = \"tk.range\"() {start = 0 : i32} : () -> tensor<64xi32>\n"                                 \
          "%sn64 = \"tk.splat\"(%n) : (i32) -> tensor<64xi32>\n"                                             \
          "%rn64 = arith.addi %r64, %sn64 : tensor<64xi32>\n"                                                \
          "%en64 = \"tk.expand_dims\"(%rn64) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>\n"      \
          "%bn64 = \"tk.broadcast\"(%en64) : (tensor<1x64xi32>) -> tensor<16x64xi32>\n"                      \
          "%ps64 = \"tk.splat\"(%p) : (!tk.ptr<f16>) -> tensor<16x64x!tk.ptr<f16>>\n"                        \
          "%pb64 = \"tk.addptr\"(%ps64, %bn64) : (tensor<16x64x!tk.ptr<f16>>, tensor<16x64xi32>) -> "        \
          "tensor<16x64x!tk.ptr<f16>>\n"                                                                     \
          "%b64 = \"tk.load\"(%pb64) : (tensor<16x64x!tk.ptr<f16>>) -> tensor<16x64xf16>\n"                  \
          "%zero64 = arith.constant dense<0.0> : tensor<16x64xf32>\n"
#define WIDE_DOT                                                                                             \
    "%d = \"tk.dot\"(%a, %b64, %zero64) : (tensor<16x16xf16>, tensor<16x64xf16>, tensor<16x64xf32>) -> "     \
    "tensor<16x64xf32>\n"
#define STORES                                                                                               \
    "\"tk.store\"(%q, %m) : (!tk.ptr<i32>, i32) -> ()\n"                                                     \
    "\"tk.store\"(%q, %n) : (!tk.ptr<i32>, i32) -> ()\n"
#define STORE_ID "\"tk.store\"(%q, %pid) : (!tk.ptr<i32>, i32) -> ()\n"
#define TAIL                                                                                                 \
    "%h = arith.truncf %d : tensor<16x16xf32> to tensor<16x16xf16>\n"                                        \
    "\"tk.store\"(%pa, %h) : (tensor<16x16x!tk.ptr<f16>>, tensor<16x16xf16>) -> ()\n return\n}"

static const char linear_kernel[] = HEAD PID CDIV SPLIT TILES DOT TAIL;
static const char grid_kernel[] =
    HEAD "%m = \"tk.program_id\"() {axis = 0 : i32} : () -> i32\n"
         "%n = \"tk.program_id\"() {axis = 1 : i32} : () -> i32\n" TILES DOT TAIL;

// The stores come first: the evaluator also records the tile store's operand, as 0.
static const char linear_stored[] = HEAD PID CDIV SPLIT STORES STORE_ID TILES DOT TAIL;
static const char grid_stored[] = HEAD PID PID1 "%m = arith.addi %pid1, %pid1 : i32\n"
                                                "%n = arith.addi %pid, %pid : i32\n" STORES TILES DOT TAIL;

static struct bench *grouped(const char *text, int group) {
    struct bench *bench = bench_open(text, "sm_80");
    bench->context.group_size = group;
    bench_run(bench, "grouped_pid");
    return bench;
}

static void expect_report(const char *text, int group, const char *report) {
    struct bench *bench = grouped(text, group);
    MlirStringRef found = op_string(bench_function(bench), ATTR_GROUPED_PID);
    char buffer[128];
    snprintf(buffer, sizeof buffer, "%.*s", (int)found.length, found.data);
    assert_string_equal(buffer, report);
    bench_close(bench);
}

// ---- the bijection ----

static void check_linear(int n, int programs, int group) {
    struct bench *bench = grouped(linear_stored, group);
    struct machine m = {.bench = bench, .programs = {programs, 1}, .n = n};
    int tiles = (n + 15) / 16;
    bool matches = tiles > 0 && programs % tiles == 0;
    bool *seen = calloc((size_t)programs, sizeof *seen);
    for (int id = 0; id < programs; id++) {
        m.id[0] = id;
        run_program(&m);
        int row = m.stored[0], column = m.stored[1], new = m.stored[2];
        assert_in_range(new, 0, programs - 1);
        assert_false(seen[new]);
        seen[new] = true;
        assert_int_equal(row, new / tiles);
        assert_int_equal(column, new % tiles);
        if (!matches) {
            assert_int_equal(new, id);
        } else { // the order of hand-grouped kernels
            int rows = programs / tiles, width = group * tiles, first = id / width * group;
            int size = rows - first < group ? rows - first : group;
            assert_int_equal(row, first + id % width % size);
            assert_int_equal(column, id % width / size);
        }
    }
    free(seen);
    map_free(&m.values);
    bench_close(bench);
}

static void linear_is_a_bijection(void **state) {
    static const int groups[] = {2, 3, 4, 8};
    for (size_t g = 0; g < 4; g++) {
        for (int n = 16; n <= 112; n += 16) {
            for (int programs = 1; programs <= 45; programs += 1 + (programs > 20)) {
                check_linear(n, programs, groups[g]);
            }
        }
    }
    check_linear(16 * 65536, 65536 * 3, 8); // tiles beyond 16 bits
}

static void negative_counts_change_nothing(void **state) {
    struct bench *bench = grouped(linear_stored, 8);
    struct machine m = {.bench = bench, .programs = {12, 1}, .n = -48};
    for (int id = 0; id < 12; id++) {
        m.id[0] = id;
        run_program(&m);
        assert_int_equal(m.stored[2], id);
        assert_int_equal(m.stored[0], id / ((-48 + 15) / 16));
        assert_int_equal(m.stored[1], id % ((-48 + 15) / 16));
    }
    map_free(&m.values);
    bench_close(bench);
}

static void grid_is_a_bijection(void **state) {
    struct bench *bench = grouped(grid_stored, 4);
    struct machine m = {.bench = bench};
    for (int x = 1; x <= 9; x++) {
        for (int y = 1; y <= 11; y++) {
            bool seen[9 * 11] = {0};
            for (int id = 0; id < x * y; id++) {
                m.programs[0] = x, m.programs[1] = y;
                m.id[0] = id % x, m.id[1] = id / x;
                run_program(&m);
                int row = m.stored[0] / 2, column = m.stored[1] / 2, width = 4 * x, first = id / width * 4;
                int size = y - first < 4 ? y - first : 4;
                assert_int_equal(row, first + id % width % size);
                assert_int_equal(column, id % width / size);
                assert_false(seen[row * x + column]);
                seen[row * x + column] = true;
            }
        }
    }
    m.programs[0] = INT32_MAX,
    m.programs[1] = 65535; // a grid with a size out of range: nothing wraps, nothing moves
    m.id[0] = INT32_MAX / 2 - 5, m.id[1] = 0;
    run_program(&m);
    assert_int_equal(m.stored[1] / 2, m.id[0]);
    assert_int_equal(m.stored[0], 0);
    map_free(&m.values);
    bench_close(bench);
}

// ---- the kernels changed ----

static void kernels_taken(void **state) {
    expect_report(linear_kernel, 0, "grouped 8");
    expect_report(linear_kernel, 5, "grouped 5");
    expect_report(linear_kernel, 1, "off");
    expect_report(grid_kernel, 0, "grouped 8");
    // column-major
    expect_report(HEAD PID CDIV
                  "%n = arith.divsi %pid, %t : i32\n %m = arith.remsi %pid, %t : i32\n" TILES DOT TAIL,
                  0, "grouped 8");
}

static void kernels_left_alone(void **state) {
    expect_report(HEAD PID CDIV SPLIT STORES "return\n}", 0, "left alone: no dot");
    expect_report(HEAD PID
                  "%m = arith.muli %pid, %c16 : i32\n %n = arith.addi %c8, %c8 : i32\n" TILES DOT TAIL,
                  0, "left alone: no 2-D space of tiles");
    // min(rows - first, GROUP)
    expect_report(HEAD PID CDIV
                  "%w = arith.muli %t, %c8 : i32\n"
                  "%g = arith.divsi %pid, %w : i32\n %f = arith.muli %g, %c8 : i32\n"
                  "%l = arith.subi %c16, %f : i32\n %s = arith.minsi %l, %c8 : i32\n"
                  "%i = arith.remsi %pid, %w : i32\n %j = arith.remsi %i, %s : i32\n"
                  "%m = arith.addi %f, %j : i32\n %n = arith.divsi %i, %s : i32\n" TILES DOT TAIL,
                  0, "left alone: already grouped");
    // swizzle2d of a plain decomposition
    expect_report(HEAD PID CDIV "%i = arith.divsi %pid, %t : i32\n %j = arith.remsi %pid, %t : i32\n"
                                "%ij = arith.muli %i, %t : i32\n %x = arith.addi %ij, %j : i32\n"
                                "%gs = arith.muli %t, %c8 : i32\n %g = arith.divsi %x, %gs : i32\n"
                                "%f = arith.muli %g, %c8 : i32\n %l = arith.subi %c16, %f : i32\n"
                                "%s = arith.minsi %l, %c8 : i32\n %in = arith.remsi %x, %gs : i32\n"
                                "%o = arith.remsi %in, %s : i32\n %m = arith.addi %f, %o : i32\n"
                                "%n = arith.divsi %in, %s : i32\n" TILES DOT TAIL,
                  0, "left alone: already grouped");
    // batch, row, column in one id
    expect_report(HEAD PID CDIV
                  "%bt = arith.muli %t, %c8 : i32\n %z = arith.divsi %pid, %bt : i32\n"
                  "%x = arith.remsi %pid, %bt : i32\n"
                  "%m = arith.divsi %x, %t : i32\n %n = arith.remsi %x, %t : i32\n" TILES DOT TAIL,
                  0, "left alone: the id is divided into more than a row and a column");
    // both operands of the dot depend on the row
    expect_report(HEAD PID CDIV "%m = arith.divsi %pid, %t : i32\n %o = arith.remsi %pid, %t : i32\n"
                                "%n = arith.addi %m, %o : i32\n" TILES DOT TAIL,
                  0, "left alone: no dot of a row's tile with a column's");
    expect_report(
        HEAD PID CDIV SPLIT
        "%v = \"tk.atomic_rmw\"(%q, %m) {op = \"add\", sem = \"relaxed\", scope = \"gpu\"} : "
        "(!tk.ptr<i32>, i32) -> i32\n \"tk.store\"(%q, %v) : (!tk.ptr<i32>, i32) -> ()\n" TILES DOT TAIL,
        0, "left alone: uses the value of an atomic");
    expect_report(HEAD PID CDIV SPLIT
                  "%v = \"tk.load\"(%q) {volatile} : (!tk.ptr<i32>) -> i32\n" TILES DOT TAIL,
                  0, "left alone: volatile load");
    expect_report(
        HEAD PID CDIV SPLIT
        "\"tk.print\"(%m) {prefix = \"row\", signed = array<i32: 1>} : (i32) -> ()\n" TILES DOT TAIL,
        0, "left alone: names the block");
    expect_report(HEAD PID CDIV
                  "%np = \"tk.num_programs\"() {axis = 0 : i32} : () -> i32\n" SPLIT TILES
                  "%d = scf.for %i = %pid to %t step %np iter_args(%acc = %zero) -> "
                  "(tensor<16x16xf32>) : i32 {\n"
                  "%e = \"tk.dot\"(%a, %b, %acc) : (tensor<16x16xf16>, tensor<16x16xf16>, "
                  "tensor<16x16xf32>) -> tensor<16x16xf32>\n scf.yield %e : tensor<16x16xf32>\n }\n" TAIL,
                  0, "left alone: loops over num_programs");
    // the tile count is loaded
    expect_report(HEAD PID "%t = \"tk.load\"(%q) : (!tk.ptr<i32>) -> i32\n" SPLIT TILES DOT TAIL, 0,
                  "left alone: the number of tiles in a row is not known at the start");
}

static void an_atomic_without_a_use_is_no_obstacle(void **state) {
    expect_report(HEAD PID CDIV SPLIT
                  "%v = \"tk.atomic_rmw\"(%q, %m) {op = \"add\", sem = \"acq_rel\", scope = \"gpu\"} : "
                  "(!tk.ptr<i32>, i32) -> i32\n" TILES DOT TAIL,
                  0, "grouped 8");
}

static void running_twice_changes_nothing(void **state) {
    struct bench *bench = grouped(linear_kernel, 0);
    char *once = bench_text(bench);
    bench_run(bench, "grouped_pid");
    char *twice = bench_text(bench);
    assert_string_equal(once, twice);
    free(once);
    free(twice);
    bench_close(bench);
}

static void expect_rows(const char *text, int rows) {
    struct bench *bench = bench_open(text, "sm_90a");
    struct grouped_pid decision = grouped_pid_decide(&bench->context, bench_function(bench));
    assert_null(decision.why);
    assert_int_equal(decision.group, rows);
    bench_close(bench);
}

static void rows_follow_the_chip_and_the_tile(void **state) {
    assert_int_equal(grouped_pid_rows(132, 128, 256), 16);
    assert_int_equal(grouped_pid_rows(132, 256, 128), 8);
    assert_int_equal(grouped_pid_rows(132, 128, 128), 16);
    assert_int_equal(grouped_pid_rows(132, 256, 16), 4);
    assert_int_equal(grouped_pid_rows(132, 16, 256), 32);
    assert_int_equal(grouped_pid_rows(108, 128, 128), 8);
    assert_int_equal(grouped_pid_rows(0, 128, 256), 8);

    // tiles of 16 × 64 elements; the columns of the first tiles are 64 wide
    expect_rows(HEAD PID CDIV SPLIT WIDE_TILES WIDE_DOT "return\n}", 32);
    expect_rows(HEAD PID CDIV
                "%n = arith.divsi %pid, %t : i32\n %m = arith.remsi %pid, %t : i32\n" WIDE_TILES WIDE_DOT
                "return\n}",
                8);
}

RUN(TEST(linear_is_a_bijection), TEST(negative_counts_change_nothing), TEST(grid_is_a_bijection),
    TEST(kernels_taken), TEST(kernels_left_alone), TEST(an_atomic_without_a_use_is_no_obstacle),
    TEST(running_twice_changes_nothing), TEST(rows_follow_the_chip_and_the_tile))
