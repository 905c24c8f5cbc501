// The work of a kernel's programs: conditions of branches, trip counts, and the traffic of shared memory.
#include "tile_testing.h"

#include "chip_testing.h"
#include "driver/traffic.h"
#include "driver/work.h"

#define KERNEL(body)                                                                                         \
    HEAD "def kernel(x: '*fp32:16', y: '*fp32:16', m: 'i32', n: 'i32'):\n"                                   \
         "    i = tl.arange(0, 128)\n" body "    tl.store(y + i, i.to(tl.float32))\n"

static const char *const names[] = {"x_", "y_", "m_", "n_"};

static struct work_survey survey_counting(struct tile_bench *t, const char *chip,
                                          enum traffic_peeled peeled) {
    MlirOperation function = bench_function(t->bench);
    struct work_survey survey = work_survey(t->bench->ir, t->bench->arena, function, names, 4);
    traffic_add(&survey, t->bench->ir, t->bench->arena, target_find(chip), function, peeled);
    return survey;
}

static struct work_survey survey_of(struct tile_bench *t, const char *chip, bool traffic) {
    return traffic ? survey_counting(t, chip, TRAFFIC_PEELED_TWICE)
                   : work_survey(t->bench->ir, t->bench->arena, bench_function(t->bench), names, 4);
}

// The terms that launchers get, in a line each: "[bytes] x steps if condition".
static void expect_terms(const char *body, const char *expected) {
    struct tile_bench t = tiles_open_on("sm_80", NULL, body, "kernel", "cleanup", NULL);
    struct work_survey survey = survey_of(&t, "sm_80", false);
    struct kernel_work work =
        work_weighed(&survey, t.bench->ir, t.bench->arena, target_find("sm_80"), bench_function(t.bench));
    struct strbuf out = {0};
    for (unsigned i = 0; i < work.count; i++) {
        const struct tkc_work *term = &work.terms[i];
        const char *of = term->parameter < 0 ? "" : names[term->parameter];
        strbuf_printf(&out, "%.0f x %s%s%lld", term->bytes, of, *of ? "/" : "", (long long)term->divisor);
        strbuf_printf(&out, work.steps[i] ? ", %s" : "", work.steps[i]);
        strbuf_printf(&out, term->again > 0 ? " (%.0f again)" : "", term->again);
        strbuf_printf(&out, work.when[i] ? " if %s\n" : "\n", work.when[i]);
    }
    assert_string_equal(strbuf_text(&out), expected);
    strbuf_free(&out);
    tiles_close(&t);
}

#define ONE "        tl.store(x + i, tl.load(x + i) + 1)\n"
#define TWO "        tl.store(x + i, tl.load(x + i) + tl.load(y + i))\n"
#define WHEN(condition, text)                                                                                \
    expect_terms(KERNEL("    if " condition ":\n" ONE), "1024 x 1 if " text "\n512 x 1\n")

static void test_conditions(void **state) {
    WHEN("n <= 64", "tkc_le(n_, 64)");
    WHEN("n > 64", "tkc_lt(64, n_)");
    WHEN("m >= n", "tkc_le(n_, m_)");
    WHEN("n % 16 == 0", "tkc_eq(tkc_mod(n_, 16), 0)");
    WHEN("n * 2 + m != 7", "tkc_ne(tkc_add(tkc_mul(n_, 2), m_), 7)");
    WHEN("tl.cdiv(n, 128) < m", "tkc_lt(tkc_floordiv(tkc_add(n_, 127), 128), m_)");
    WHEN("(n < 5) & (m < n)", "tkc_and(tkc_lt(n_, 5), tkc_lt(m_, n_))");
    WHEN("(n < 5) | (m < n)", "tkc_or(tkc_lt(n_, 5), tkc_lt(m_, n_))");
    WHEN("tl.minimum(n, m) < 5", "tkc_lt(tkc_min(n_, m_), 5)");
    // Unsigned constants with the highest bit set are no negative numbers.
    WHEN("n.to(tl.uint32, bitcast=True) > 0xfffffff0", "tkc_lt(4294967280LL, n_)");
}

// What two loops over the same steps load through one argument comes again in the second.
static void test_loaded_again(void **state) {
    expect_terms(KERNEL("    for k in range(0, n, 16):\n    " TWO "    for k in range(0, n, 16):\n    " ONE),
                 "2560 x n_/16 (512 again)\n512 x 1\n");
    expect_terms(KERNEL("    for k in range(0, n, 16):\n    " TWO "    for k in range(0, n, 8):\n    " ONE),
                 "1536 x n_/16\n1024 x n_/8\n512 x 1\n");
    // A loop that goes on where another ends loads other rows; so does each of two passes over the rows.
#define PASS                                                                                                 \
    "    for k in range(0, n // 16 * 16, 16):\n    " ONE "    for k in range(n // 16 * 16, n, 16):\n   "     \
    " " ONE
    expect_terms(KERNEL(PASS), "1024 x n_/16\n512 x 1\n");
    expect_terms(KERNEL(PASS PASS), "2048 x n_/16 (512 again)\n512 x 1\n");
}

// Parts whose amounts a program does less than the whole number of steps: "bytes x steps / per", in source order.
static void expect_steps(const char *body, const char *expected) {
    struct tile_bench t = tiles_open_on("sm_80", NULL, body, "kernel", "cleanup", NULL);
    struct work_survey survey = survey_of(&t, "sm_80", false);
    struct strbuf out = {0};
    for (size_t i = 0; i < survey.count; i++) {
        const struct work_part *part = &survey.parts[i];
        if (part->steps) {
            strbuf_printf(&out, "%.0f x %s / %.0f\n", part->bytes, part->steps, part->per);
        }
    }
    assert_string_equal(strbuf_text(&out), expected);
    strbuf_free(&out);
    tiles_close(&t);
}

#define LOAD(mask) "tl.store(x + i, tl.load(y + i, mask=" mask ", other=0.0))\n"

// A causal loop, alone and as the second of two that share its steps; a bound that the host does not know, and one without ids.
static void test_program_steps(void **state) {
    expect_steps(KERNEL("    for k in range(0, tl.minimum(tl.program_id(0) * 32, n), 16):\n    " ONE),
                 "1024 x tkc_max(0, tkc_cdiv(tkc_min(tkc_mul(tkc_id_0, 32), n_), 16)) / 1\n");
    expect_steps(KERNEL("    whole = tl.minimum(tl.program_id(0) * 32, n)\n"
                        "    for k in range(0, whole, 16):\n    " ONE
                        "    for k in range(whole, tl.minimum(whole + 32, n), 16):\n    " ONE),
                 "1024 x tkc_max(0, tkc_cdiv(tkc_min(tkc_add(tkc_min(tkc_mul(tkc_id_0, 32), n_), 32), n_), "
                 "16)) / 1\n");
    // Unsigned numbers are compared with their sign bits turned; the launcher has them without a sign.
    expect_steps(KERNEL("    for k in range(tl.program_id(0).to(tl.uint32) * 32, n.to(tl.uint32, "
                        "bitcast=True), 16):\n    " ONE),
                 "1024 x tkc_max(0, tkc_cdiv(tkc_sub(tkc_sub(n_, 2147483648LL), tkc_sub(tkc_mul(tkc_id_0, "
                 "32), 2147483648LL)), 16)) / 1\n");
    expect_steps(KERNEL("    for k in range(0, tl.minimum(tl.load(y).to(tl.int32), n), 16):\n    " ONE), "");
    expect_steps(KERNEL("    for k in range(0, n, 16):\n    " ONE), "");
}

// Elements inside masks: of a tile, of a tile of each program, of all steps of a loop; a mask that is not understood leaves out nothing.
static void test_masks(void **state) {
    expect_steps(KERNEL("    " LOAD("i < n")), "512 x tkc_max(0, tkc_min(128, n_)) / 128\n");
    expect_steps(KERNEL("    " LOAD("n >= i")), "512 x tkc_max(0, tkc_min(128, tkc_add(n_, 1))) / 128\n");
    expect_steps(KERNEL("    " LOAD("tl.program_id(1) * 128 + i < n")),
                 "512 x tkc_max(0, tkc_min(128, tkc_sub(n_, tkc_mul(tkc_id_1, 128)))) / 128\n");
    expect_steps(KERNEL("    for k in range(0, n, 128):\n        " LOAD("k + i < n")),
                 "512 x tkc_max(0, tkc_min(tkc_mul(tkc_max(0, tkc_cdiv(n_, 128)), 128), n_)) / 128\n");
    expect_steps(KERNEL("    for k in range(0, n, 128):\n        " LOAD("i < m")),
                 "512 x tkc_mul(tkc_max(0, tkc_min(128, m_)), tkc_max(0, tkc_cdiv(n_, 128))) / 128\n");
    expect_steps(KERNEL("    " LOAD("tl.load(y + i) < n")), "");
}

// Launchers count whole tiles, and the steps of each program.
static void test_launchers(void **state) {
    expect_terms(KERNEL("    " LOAD("i < n")), "1536 x 1\n");
    expect_terms(KERNEL("    for k in range(0, tl.minimum(tl.program_id(0) * 32, n), 16):\n    " ONE),
                 "1024 x n_/16, tkc_max(0, tkc_cdiv(tkc_min(tkc_mul(tkc_id_0, 32), n_), 16))\n512 x 1\n");
    expect_terms(
        KERNEL("    for k in range(0, tl.minimum(tl.program_id(0) * 32, n), 16):\n        " LOAD("i < m")),
        "1024 x n_/16, tkc_max(0, tkc_cdiv(tkc_min(tkc_mul(tkc_id_0, 32), n_), 16))\n512 x 1\n");
}

static void test_branches(void **state) {
    expect_terms(KERNEL("    if n <= 64:\n" ONE "    else:\n" TWO),
                 "1024 x 1 if tkc_le(n_, 64)\n1536 x 1 if tkc_not(tkc_le(n_, 64))\n512 x 1\n");
    expect_terms(KERNEL("    if n <= 64:\n        if m == 2:\n    " ONE), // within each other
                 "1024 x 1 if tkc_and(tkc_le(n_, 64), tkc_eq(m_, 2))\n512 x 1\n");
    expect_terms(KERNEL("    if n <= 64:\n" ONE "        for k in range(0, n, 16):\n    " TWO),
                 "1024 x 1 if tkc_le(n_, 64)\n1536 x n_/16 if tkc_le(n_, 64)\n512 x 1\n");
    expect_terms(
        KERNEL("    for k in range(0, n, 16):\n        if m < 9:\n    " ONE), // the same in all steps
        "1024 x n_/16 if tkc_lt(m_, 9)\n512 x 1\n");
}

// A program's own number, or a loaded one, decides: the larger branch counts, in a loop both.
static void test_unknown_branches(void **state) {
    expect_terms(KERNEL("    if tl.program_id(0) == 0:\n" ONE "    else:\n" TWO), "2048 x 1\n");
    expect_terms(KERNEL("    if tl.load(x) > n:\n" TWO "    else:\n" ONE), "2052 x 1\n");
    expect_terms(KERNEL("    if tl.program_id(0) == 0:\n        if n < 8:\n    " TWO),
                 "1536 x 1 if tkc_lt(n_, 8)\n512 x 1\n");
    expect_terms(
        KERNEL("    for k in range(0, n, 16):\n        if k < 9:\n    " ONE "        else:\n    " TWO),
        "2560 x n_/16\n512 x 1\n");
}

// Traffic of the loop over n, a step, in the IR behind the last pass that changes it.
static void expect_traffic(const char *chip, const char *text, double shared, double exchanged,
                           double barriers) {
    struct tile_bench t = tiles_open_on(chip, NULL, text, "kernel", "barriers", NULL);
    struct work_survey survey = survey_of(&t, chip, true);
    struct work_part found = {0};
    for (size_t i = 0; i < survey.count; i++) {
        found = survey.parts[i].parameter == 3 ? survey.parts[i] : found;
    }
    assert_float_equal(found.shared, shared, 0);
    assert_float_equal(found.exchanged, exchanged, 0);
    assert_float_equal(found.barriers, barriers, 0);
    tiles_close(&t);
}

#define TILES(rows, columns)                                                                                 \
    HEAD "def kernel(x: '*fp16:16', y: '*fp16:16', m: 'i32', n: 'i32'):\n"                                   \
         "    i = tl.arange(0, " rows ")[:, None]\n"                                                         \
         "    j = tl.arange(0, " columns ")[None, :]\n"

// A transposed tile of 64 x 64 f16 changes its layout twice: 8 KiB are written and 8 read each time.
static void test_layout_changes(void **state) {
    expect_traffic("sm_80",
                   TILES("64", "64") "    t = tl.load(x + i * 64 + j)\n"
                                     "    for k in range(n):\n        t = tl.trans(t) * 0.5 + t\n"
                                     "    tl.store(y + i * 64 + j, t)\n",
                   32768, 32768, 2);
}

#define PRODUCT(stride)                                                                                      \
    TILES("64", "64")                                                                                        \
    "    c = tl.zeros((64, 64), tl.float32)\n"                                                               \
    "    for k in range(n):\n"                                                                               \
    "        c = tl.dot(tl.load(x + i * " stride " + j + k * 64), "                                          \
    "tl.load(y + (i + k * 64) * " stride " + j), c)\n"                                                       \
    "    tl.store(x + i * 64 + j, c.to(tl.float16))\n"

// Two operands of 8 KiB are copied, and each is read by two of the 2 x 2 warps side by side: no exchange.
static void test_operands(void **state) {
    expect_traffic("sm_80", PRODUCT("m"), 49152, 0, 1);
}

// Copies ahead of the loop get the places of its own, as they have in a compilation; the bench's modules are of text, with other places.
// LLVM 19 cannot give an op another place.
static void place_peeled_copies(struct tile_bench *t) {
#if LLVM_AT_LEAST(22)
    enum { OPERANDS_OF_DOT = 2 };
    MlirOperation copies[3 * OPERANDS_OF_DOT];
    size_t count = 0, copied = 0;
    MlirOperation *ops = ops_collect(t->bench->ir, t->bench->arena, bench_function(t->bench), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->bench->ir, ops[i]) == OP_ASYNC_COPY) {
            assert_true(copied < sizeof copies / sizeof *copies);
            copies[copied++] = ops[i];
        }
    }
    assert_int_equal(copied, sizeof copies / sizeof *copies);
    for (size_t i = 0; i + OPERANDS_OF_DOT < copied; i++) {
        size_t same = copied - OPERANDS_OF_DOT + i % OPERANDS_OF_DOT; // of the loop
        mlirOperationSetLocation(copies[i], mlirOperationGetLocation(copies[same]));
    }
#else
    (void)t;
    need_llvm(22, "an op's place cannot be changed");
#endif
}

// The traffic of a loop over n and outside of it.
static void expect_peeled(enum traffic_peeled peeled, double looped, double outside, double barriers) {
    struct tile_bench t = tiles_open_on("sm_80", NULL, PRODUCT("64"), "kernel", "barriers", NULL);
    place_peeled_copies(&t);
    struct work_survey survey = survey_counting(&t, "sm_80", peeled);
    struct work_part in = {0}, out = {0};
    for (size_t i = 0; i < survey.count; i++) {
        struct work_part *of = survey.parts[i].parameter == 3 ? &in : &out;
        of->shared += survey.parts[i].shared;
        of->barriers += survey.parts[i].barriers;
    }
    assert_float_equal(in.shared, looped, 0);
    assert_float_equal(out.shared, outside, 0);
    assert_float_equal(out.barriers, barriers, 0);
    tiles_close(&t);
}

// The copies of the first two steps, 32,768 bytes, stand ahead of the loop: they count with its steps alone, or beside them. Behind it the result
// changes its layout.
static void test_peeled(void **state) {
    expect_peeled(TRAFFIC_PEELED_ONCE, 49152, 16384, 1);
    expect_peeled(TRAFFIC_PEELED_TWICE, 49152, 49152, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions),
                                       cmocka_unit_test(test_program_steps),
                                       cmocka_unit_test(test_masks),
                                       cmocka_unit_test(test_launchers),
                                       cmocka_unit_test(test_branches),
                                       cmocka_unit_test(test_loaded_again),
                                       cmocka_unit_test(test_unknown_branches),
                                       cmocka_unit_test(test_layout_changes),
                                       cmocka_unit_test(test_operands),
                                       cmocka_unit_test(test_peeled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
