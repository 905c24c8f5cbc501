// The pass runner and the verifier: the table's order, dumps that parse back to the same dump, and faulty
// tile IR, refused with the op's name.
#include "pass_testing.h"

#include "support/file.h"

static void the_table_keeps_its_order(void **state) {
    const char *fault = passes_order_fault();
    if (fault) {
        fail_msg("%s", fault);
    }
}

static void names_are_found(void **state) {
    for (int id = 0; id < PASS_COUNT; id++) {
        assert_int_equal(pass_find(pass_table[id].name), id);
        assert_true(strlen(pass_table[id].doc) > 0);
    }
    assert_int_equal(pass_find("no such pass"), -1);
}

static void stopping_dumping_and_timing(void **state) {
    struct bench *bench = bench_open("func.func @k() { return }", "sm_80");
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct pass_options options = {
        .dump_after = "cleanup", .stop_after = "layouts", .time_passes = true, .out = out};
    bool stopped = false;
    assert_true(passes_run(&bench->context, bench->module, &options, &stopped));
    fclose(out);
    assert_true(stopped);
    assert_non_null(strstr(text, "// after cleanup\n"));
    assert_non_null(strstr(text, " ms  layouts\n"));
    assert_null(strstr(text, "finish"));
    free(text);
    bench_close(bench);
}

// A golden input after each pass of the whole pipeline: the dump parses, and dumps the same.
static void round_trip(const char *path) {
    char full[512];
    snprintf(full, sizeof full, "%s/tests/golden/%s", TEST_SOURCE_DIR, path);
    char *source = file_read(full, &(size_t){0});
    assert_non_null(source);
    struct bench *bench = bench_open(source, "sm_80");
    free(source);
    for (int id = 0; id < PASS_COUNT; id++) {
        bench_run(bench, pass_table[id].name);
        char *once = bench_text(bench);
        struct bench *again = bench_open(once, "sm_80");
        char *twice = bench_text(again);
        assert_string_equal(once, twice);
        assert_true(tk_verify(again->ir, again->module, &again->diag));
        free(once);
        free(twice);
        bench_close(again);
    }
    bench_close(bench);
}

static void dumps_read_back(void **state) {
    round_trip("passes/layouts/softmax.mlir");
    round_trip("passes/layouts/carried.mlir");
    round_trip("passes/grouped_pid/linear.mlir");
    round_trip("lower/matmul_f16.mlir");
}

static void text_that_is_not_ir(void **state) {
    struct diag diag = {.sink = (diag_sink *)bench_collect, .sink_user = calloc(1, sizeof(struct bench))};
    struct ir *ir = ir_create(&diag);
    assert_true(mlirModuleIsNull(ir_parse(ir, "func.func @k( {", "x.mlir")));
    assert_true(diag.error_count > 0);
    ir_destroy(ir);
    free(diag.sink_user);
}

// ---- the verifier ----

static void refused(const char *body, const char *message) {
    char text[4096];
    snprintf(text, sizeof text,
             "func.func @k(%%p: !tk.ptr<f32>, %%i: i32, %%c: i1, %%t: tensor<32xf32>, %%s: tensor<64xf32>, "
             "%%m: tensor<16x32xf16>, %%ps: tensor<32x!tk.ptr<f32>>, %%ti: tensor<32xi32>) {\n%s\n return\n}",
             body);
    struct bench *bench = bench_open(text, "sm_80");
    assert_false(tk_verify(bench->ir, bench->module, &bench->diag));
    if (!strstr(bench->last_error, message)) {
        fail_msg("expected “%s”, got “%s”", message, bench->last_error);
    }
    bench_close(bench);
}

static void faults_are_named(void **state) {
    refused("%x = \"tk.nonsense\"() : () -> i32", "'tk.nonsense' is no op of a tile program");
    refused("%x = \"tk.splat\"() : () -> tensor<8xi32>", "'tk.splat' has 0 operands");
    refused("%x = \"tk.range\"() {start = 0 : i32, end = 3 : i32} : () -> tensor<3xi32>",
            "not a power of two");
    refused("%x = \"tk.mulhi\"(%ti, %i) : (tensor<32xi32>, i32) -> tensor<32xi32>", "differ in shape");
    refused("%x = \"tk.load\"(%i) : (i32) -> f32", "takes a pointer");
    refused("%x = \"tk.load\"(%p) : (!tk.ptr<f32>) -> i32", "another element type");
    refused("\"tk.store\"(%ps, %s) : (tensor<32x!tk.ptr<f32>>, tensor<64xf32>) -> ()", "shape");
    refused("%x = \"tk.load\"(%ps, %ti) : (tensor<32x!tk.ptr<f32>>, tensor<32xi32>) -> tensor<32xf32>",
            "not i1");
    refused("%x = \"tk.dot\"(%m, %m, %m) : (tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>) -> "
            "tensor<16x32xf16>",
            "extents do not fit");
    refused("%x = \"tk.expand_dims\"(%t) {axis = 2 : i32} : (tensor<32xf32>) -> tensor<32x1xf32>",
            "at its axis");
    refused("%x = \"tk.broadcast\"(%t) : (tensor<32xf32>) -> tensor<64xf32>",
            "repeats dimensions of extent 1");
    refused("%x = \"tk.reshape\"(%t) : (tensor<32xf32>) -> tensor<8x8xf32>", "number of elements");
    refused("%x = \"tk.reduce\"(%t) ({\n^bb0(%a: f32, %b: f32):\n \"tk.yield\"(%a) : (f32) -> ()\n}) {axis = "
            "1 : i32} "
            ": (tensor<32xf32>) -> f32",
            "no dimension 1");
    refused(
        "%x = \"tk.reduce\"(%t) ({\n^bb0(%a: f32):\n \"tk.yield\"(%a) : (f32) -> ()\n}) {axis = 0 : i32} : "
        "(tensor<32xf32>) -> f32",
        "two arguments for each operand");
    refused("%x = \"tk.reduce\"(%t) ({\n^bb0(%a: f32, %b: f32):\n %z = arith.addf %a, %b : f32\n}) {axis = 0 "
            ": i32} : "
            "(tensor<32xf32>) -> f32",
            "ends in tk.yield");
    refused("%x = \"tk.scan\"(%t) ({\n^bb0(%a: f32, %b: f32):\n \"tk.yield\"(%a) : (f32) -> ()\n}) {axis = 0 "
            ": i32} : "
            "(tensor<32xf32>) -> tensor<16xf32>",
            "another shape");
    refused("%x = \"tk.load\"(%p) {cache = \"cv\"} : (!tk.ptr<f32>) -> f32",
            "the cache \"cv\", which is none");
    refused("%x = \"tk.fp_to_fp\"(%t) {rounding = \"up\"} : (tensor<32xf32>) -> tensor<32xf16>",
            "the rounding \"up\", which is none");
    refused("%x = \"tk.atomic_rmw\"(%ps, %t) {op = \"fadd\", scope = \"gpu\"} : "
            "(tensor<32x!tk.ptr<f32>>, tensor<32xf32>) -> tensor<32xf32>",
            "does not say its sem");
}

static void attributes_are_those_of_the_table(void **state) {
    refused("%x = \"tk.program_id\"() {axes = 0 : i32} : () -> i32",
            "has the attribute axes, which is none of this op's");
    refused("%x = \"tk.program_id\"() {axis = 0 : i32, start = 0 : i32} : () -> i32",
            "has the attribute start, which is none of this op's");
    refused("%x = \"tk.program_id\"() {axis = \"x\"} : () -> i32", "has an attribute axis of another kind");
    refused("%x = \"tk.load\"(%p) {volatile = 1 : i32} : (!tk.ptr<f32>) -> f32",
            "has an attribute volatile of another kind");
    refused("%x = \"tk.splat\"(%i) {scratch = 0 : i32} : (i32) -> tensor<8xi32>",
            "has the attribute scratch, which is none of this op's");
    refused("scf.for %n = %i to %i step %i : i32 {\n} {tk.num_stage = 2 : i32}",
            "has the attribute tk.num_stage, which is none of this op's");
}

static void arguments_refused(const char *argument, const char *message) {
    char text[1024];
    snprintf(text, sizeof text, "func.func @k(%%p: !tk.ptr<f16>, %%x: %s) {\n return\n}", argument);
    struct bench *bench = bench_open(text, "sm_90a");
    assert_false(tk_verify(bench->ir, bench->module, &bench->diag));
    if (!strstr(bench->last_error, message)) {
        fail_msg("expected “%s”, got “%s”", message, bench->last_error);
    }
    bench_close(bench);
}

static void attributes_of_arguments_too(void **state) {
    arguments_refused("i32 {tk.divisible = 16 : i32}", "tk.divisible, which is none of an argument's");
    arguments_refused("i32 {tk.divisibility = array<i32: 16>}", "tk.divisibility of another kind");
    arguments_refused("i32 {tk.hidden = \"grid_w\"}", "hidden parameter \"grid_w\", which is none");
    arguments_refused("!tk.tensor_map {tk.hidden = \"tensor_map\"}", "where arguments hold them");
    arguments_refused("i32 {tk.hidden = \"grid_x\", tk.tensor_map = {}}", "where arguments hold them");
    arguments_refused("!tk.tensor_map {tk.hidden = \"tensor_map\", tk.tensor_map = {boxes = array<i32: 64>}}",
                      "boxes, which is none of a tensor map");
    arguments_refused(
        "!tk.tensor_map {tk.hidden = \"tensor_map\", tk.tensor_map = {box = array<i32: 64>, "
        "element = f16, offsets = array<i64>, pointer = 0 : i32, sizes = array<i64: 0, 64, -1, -1, 1>, "
        "strides = array<i64>}}",
        "a tensor map without swizzle");
}

#define A "{lane = array<i32: 1, 2, 4, 8, 16>, register = array<i32>, warp = array<i32: 0, 0>}"
#define B "{lane = array<i32: 2, 4, 8, 16, 0>, register = array<i32: 1>, warp = array<i32: 0, 0>}"
#define HOLE "{lane = array<i32: 1, 2, 4, 8, 8>, register = array<i32>, warp = array<i32: 0, 0>}"
#define RANGE(name, layout)                                                                                  \
    "%" name " = \"tk.range\"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32, " layout ">\n"

static void faults_of_layouts_are_named(void **state) {
    refused(RANGE("a", HOLE), "does not hold every element");
    refused(RANGE("a", "{lane = array<i32: 1, 2, 4, 66, 16>, register = array<i32>, warp = array<i32: 0>}"),
            "has a layout whose basis 66 lies outside its tile");
    refused(RANGE("a", "{lane = array<i32: 1, 2, 4, 8, -1>, register = array<i32>, warp = array<i32: 0>}"),
            "has a layout whose basis -1 lies outside its tile");
    refused(
        RANGE("a", "{register = array<i32: 1, 2, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}"),
        "has a layout with 21 bits of \"register\"; the limit is 20");
    refused("%b = \"tk.range\"() {start = 0 : i32, end = 33 : i32} : () -> tensor<33xi32, " A ">",
            "a tile extent of 33, which is not a power of two");
    refused("%b = \"tk.range\"() {start = 0 : i32, end = 32 : i32} : () -> tensor<2097152xi32, " A ">",
            "has a layout of 2^21 elements; the limit is 2^20");
    arguments_refused("tensor<32xi32, " HOLE ">", "does not hold every element");
    arguments_refused("tensor<3xi32, " A ">", "a tile extent of 3");
    refused(RANGE("a", A) RANGE("b", B) "%c2 = \"tk.mulhi\"(%a, %b) : (tensor<32xi32, " A
                                        ">, tensor<32xi32, " B ">) -> tensor<32xi32, " A ">",
            "differ in layout");
    refused(RANGE("a", A) "%b = \"tk.range\"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>",
            "a tile without a layout");
    refused(
        RANGE(
            "a",
            A) "%b = \"tk.scan\"(%a) ({\n^bb0(%x: i32, %y: i32):\n \"tk.yield\"(%x) : (i32) -> ()\n}) {axis "
               "= 0 : i32} : (tensor<32xi32, " A ">) -> tensor<32xi32, " B ">",
        "another layout than follows");
}

RUN(TEST(the_table_keeps_its_order), TEST(names_are_found), TEST(stopping_dumping_and_timing),
    TEST(dumps_read_back), TEST(text_that_is_not_ir), TEST(faults_are_named),
    TEST(attributes_are_those_of_the_table), TEST(attributes_of_arguments_too),
    TEST(faults_of_layouts_are_named))
