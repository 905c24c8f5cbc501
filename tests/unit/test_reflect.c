// A compiled kernel's properties for the launcher: from the attributes of a function to the JSON, and the
// values of hidden parameters for given arguments.
#include "pass_testing.h"

#include "driver/compile.h"

static const char *const gemm =
    "func.func @gemm(%a: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %c: !tk.ptr<bf16>, %m: i32, %k: i32,\n"
    "                %stride: i64, %scale: f32,\n"
    "                %0: !tk.tensor_map {tk.hidden = \"tensor_map\", tk.tensor_map = {\n"
    "                    pointer = 0 : i32, element = f16, offsets = array<i64: -8, 0, -1, -1, 1, 16, -2, "
    "2, 3, 1>,\n"
    "                    sizes = array<i64: -1, 1, 3, -1, 3, 0, 1, 2, -1, 1>,\n"
    "                    strides = array<i64: 0, 2, 3, 4, 1>, box = array<i32: 64, 128>, swizzle = 128 : "
    "i32}},\n"
    "                %1: i32 {tk.hidden = \"grid_y\"},\n"
    "                %2: !tk.tensor_map {tk.hidden = \"tensor_map\", tk.tensor_map = {\n"
    "                    pointer = 1 : i32, element = f8E4M3FN, offsets = array<i64>,\n"
    "                    sizes = array<i64: 0, 4096, -1, -1, 1>, strides = array<i64>, box = array<i32: "
    "256>, "
    "swizzle = 0 : i32}},\n"
    "                %3: i32 {tk.hidden = \"grid_x\"})\n"
    "    attributes {tk.num_warps = 8 : i32, tk.producer_warps = 4 : i32, tk.persistent = 2 : i32, "
    "tk.fills_chip,\n"
    "                tk.shared_bytes = 1024 : i32} {\n"
    "  \"tk.bulk_store\"(%2, %m, %m, %m, %m) : (!tk.tensor_map, i32, i32, i32, i32) -> ()\n"
    "  func.return\n"
    "}\n";

static struct reflect_entry reflect(struct bench *bench) {
    return reflect_function(bench->ir, bench->arena, bench_function(bench), bench->context.target);
}

static void attributes_are_read(void **state) {
    (void)state;
    struct bench *bench = bench_open(gemm, "sm_90a");
    struct reflect_entry entry = reflect(bench);
    assert_int_equal(entry.threads, 384);
    assert_int_equal(entry.producer_warps, 4);
    assert_int_equal(entry.dealing.persistent, 2);
    assert_true(entry.dealing.fills);
    assert_int_equal(entry.shared_bytes, 1024);
    assert_int_equal(entry.dynamic_shared_bytes, 1024);
    assert_int_equal(entry.hidden_count, 4);
    assert_int_equal(entry.hidden[0].kind, TKC_HIDDEN_TENSOR_MAP);
    assert_int_equal(entry.hidden[1].kind, TKC_HIDDEN_GRID_Y);
    assert_int_equal(entry.hidden[2].kind, TKC_HIDDEN_TENSOR_MAP);
    assert_int_equal(entry.hidden[3].kind, TKC_HIDDEN_GRID_X);
    const struct tkc_tensor_map *map = &entry.hidden[0].map;
    assert_string_equal(tensor_type_of(map)->cuda, "FLOAT16");
    assert_int_equal(map->element_bytes, 2);
    assert_int_equal(map->rank, 2);
    assert_int_equal(map->sizes[0].parameter, 3);
    assert_int_equal(map->sizes[1].parameter, 2);
    assert_int_equal(map->sizes[0].plus, -1);
    assert_int_equal(map->sizes[1].by, -1);
    assert_int_equal(map->sizes[0].over, 3);
    assert_int_equal(map->strides[0].parameter, 3);
    assert_int_equal(map->strides[0].by, 4);
    assert_int_equal(map->strides[0].over, 1);
    assert_int_equal(map->strides[0].factor, 2);
    assert_int_equal(map->offset_count, 2);
    assert_int_equal(map->offsets[0].plus, -8);
    assert_int_equal(map->offsets[1].factor, -2);
    assert_int_equal(map->offsets[1].by, 3);
    assert_int_equal(map->box[1], 128);
    assert_int_equal(map->swizzle, 128);
    assert_false(map->is_written);
    map = &entry.hidden[2].map;
    assert_int_equal(map->pointer, 1);
    assert_true(map->is_written);
    assert_string_equal(tensor_type_of(map)->cuda, "UINT8");
    assert_int_equal(map->sizes[0].parameter, -1);
    assert_int_equal(map->sizes[0].factor, 4096);
    bench_close(bench);
}

static void ordinary_kernels_have_nothing_hidden(void **state) {
    (void)state;
    struct bench *bench = bench_open("func.func @k(%a: !tk.ptr<f16>) attributes {tk.num_warps = 2 : i32} {\n"
                                     "  func.return\n}\n",
                                     "gfx942");
    struct reflect_entry entry = reflect(bench);
    assert_int_equal(entry.threads, 128);
    assert_int_equal(entry.hidden_count, 0);
    assert_int_equal(entry.dealing.persistent, 0);
    assert_false(entry.dealing.fills);
    bench_close(bench);
}

static void json_describes_hidden_parameters(void **state) {
    (void)state;
    struct bench *bench = bench_open(gemm, "sm_90a");
    struct reflect_entry entry = reflect(bench);
    struct reflect_param params[] = {{.name = "a", .dtype = "fp16", .pointer = true},
                                     {.name = "c", .dtype = "fp8e4nv", .pointer = true},
                                     {.name = "M", .dtype = "i32"},
                                     {.name = "K", .dtype = "i32"},
                                     {.name = "stride", .dtype = "i64"},
                                     {.name = "scale", .dtype = "fp32"}};
    struct reflect_kernel kernel = {
        .name = "gemm", .function = "gemm", .params = params, .param_count = 6, .entries = &entry};
    struct reflect_target target = {.target = bench->context.target, .kind = TKC_PTX, .path = "gemm.ptx"};
    struct reflection reflection = {"gemm.tk", &kernel, 1,    NULL, 0,     &target,       1,
                                    NULL,      0,       NULL, 0,    false, RUNTIME_LINKED};
    struct strbuf text = {0};
    reflection_write(&reflection, &text);
    const char *entries = strstr(strbuf_text(&text), "\"entries\"");
    assert_non_null(entries);
    assert_string_equal(
        entries,
        "\"entries\": [\n"
        "        {\"target\": \"sm_90a\", \"kind\": \"ptx\", \"threads\": 384, \"shared_bytes\": 1024, "
        "\"dynamic_shared_bytes\": 1024, \"producer_warps\": 4, \"persistent\": 2, \"fills\": true, "
        "\"hidden\": [\n"
        "          {\"kind\": \"tensor_map\", \"pointer\": \"a\", \"byte_offsets\": [{\"times\": 0, "
        "\"plus\": -16}, "
        "{\"param\": \"M\", \"by\": \"K\", \"times\": -4, \"plus\": 32}], \"data_type\": \"FLOAT16\", "
        "\"data_type_value\": 6, \"sizes\": [{\"param\": \"K\", \"over\": 3, \"times\": 1, \"plus\": -1}, "
        "{\"param\": \"M\", \"times\": 1}], \"byte_strides\": [{\"param\": \"K\", \"by\": \"stride\", "
        "\"times\": 4}], "
        "\"box\": [64, 128], "
        "\"swizzle\": 128},\n"
        "          {\"kind\": \"grid_y\"},\n"
        "          {\"kind\": \"tensor_map\", \"pointer\": \"c\", \"data_type\": \"UINT8\", "
        "\"data_type_value\": 0, \"sizes\": [{\"times\": 4096}], \"byte_strides\": [], \"box\": [256], "
        "\"swizzle\": 0, \"written\": true},\n"
        "          {\"kind\": \"grid_x\"}]}\n"
        "      ]\n    }\n  ]\n}\n");
    strbuf_free(&text);
    bench_close(bench);
}

// The driver's limits themselves are tried in tests/artifact/run_tensor.c, through a launcher.
static void values_follow_arguments(void **state) {
    (void)state;
    struct bench *bench = bench_open(gemm, "sm_90a");
    struct reflect_entry entry = reflect(bench);
    const struct tkc_tensor_map *map = &entry.hidden[0].map;
    struct tkc_tensor tensor;
    assert_true(tkc_tensor_fill(map, (int64_t[]){0x10000, 0x2000, 100, 72, 3, 0}, &tensor));
    assert_int_equal(tensor.address, 0x10000 + 2 * (-8 + 16 - 2 * 100 * 72));
    assert_int_equal(tensor.sizes[0], 23); // 72 / 3 - 1
    assert_int_equal(tensor.sizes[1], 100);
    assert_int_equal(tensor.strides[0], 864); // 2 · 72 · 3 elements of 2 bytes
    assert_false(tensor.empty);
    assert_false(tkc_tensor_fill(map, (int64_t[]){0x10008, 0x2000, 100, 72, 3, 0}, &tensor));
    assert_false(tkc_tensor_fill(map, (int64_t[]){0x10000, 0x2000, 100, 73, 3, 0}, &tensor)); // stride
    assert_false(tkc_tensor_fill(map, (int64_t[]){0x10000, 0x2000, 100, 72, -3, 0}, &tensor));
    assert_false(
        tkc_tensor_fill(map, (int64_t[]){0x10000, 0x2000, 2, 1 << 30, INT64_C(1) << 34, 0}, &tensor));
    // products beyond 64 bits, of strides and of offsets
    assert_true(tkc_tensor_fill(map, (int64_t[]){0x10000, 0x2000, 100, 8, INT64_C(1) << 34, 0}, &tensor));
    assert_int_equal(tensor.sizes[0], 1); // 8 / 3 - 1
    assert_false(tkc_tensor_fill(map, (int64_t[]){0x10000, 0x2000, 100, 8, INT64_C(1) << 62, 0}, &tensor));
    struct tkc_tensor_map far = *map;
    far.offsets[1] = (struct tkc_term){0, INT64_C(1) << 61, 2, -1, 1};
    assert_true(tkc_tensor_fill(&far, (int64_t[]){0x10000, 0x2000, 1, 72, 3, 0}, &tensor));
    assert_false(tkc_tensor_fill(&far, (int64_t[]){0x10000, 0x2000, 2, 72, 3, 0}, &tensor));
    // quotients are rounded towards zero
    int64_t value;
    struct tkc_term quotient = {1, 5, 2, 3, 4};
    assert_true(tkc_term_value(&quotient, (int64_t[]){0, 0, -7, 3}, &value));
    assert_int_equal(value, 1 - 5 * 1 * 3);
    assert_true(tkc_term_value(&quotient, (int64_t[]){0, 0, 11, 3}, &value));
    assert_int_equal(value, 1 + 5 * 2 * 3);
    assert_true(tkc_tensor_fill(map, (int64_t[]){0x1008, 0x2000, 0, 72, 37, 0}, &tensor));
    assert_true(tensor.empty);
    assert_int_equal(tensor.sizes[0], 1);
    assert_int_equal(tensor.address, TKC_EMPTY_READ);
    bench_close(bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_read),
        cmocka_unit_test(ordinary_kernels_have_nothing_hidden),
        cmocka_unit_test(json_describes_hidden_parameters),
        cmocka_unit_test(values_follow_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
