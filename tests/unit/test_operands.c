// Operands by name: the accessors generated from the op tables (dialects/tk/operands.h).
#include "pass_testing.h"

static const char *const text =
    "func.func @k(%p: !tk.ptr<f32>, %m: i1, %o: f32, %n: i32) attributes {tk.num_warps = 4 : i32} {\n"
    "  %plain = \"tk.load\"(%p) : (!tk.ptr<f32>) -> f32\n"
    "  %masked = \"tk.load\"(%p, %m) : (!tk.ptr<f32>, i1) -> f32\n"
    "  %filled = \"tk.load\"(%p, %m, %o) : (!tk.ptr<f32>, i1, f32) -> f32\n"
    "  %sum, %last = scf.for %i = %n to %n step %n iter_args(%a = %plain, %b = %filled)\n"
    "      -> (f32, f32) : i32 {\n"
    "    scf.yield %b, %a : f32, f32\n"
    "  }\n"
    "  \"tk.store\"(%p, %sum) : (!tk.ptr<f32>, f32) -> ()\n"
    "  return\n"
    "}";

static MlirValue argument(struct bench *bench, intptr_t number) {
    MlirBlock module = mlirModuleGetBody(bench->module);
    return mlirBlockGetArgument(op_body(mlirBlockGetFirstOperation(module), 0), number);
}

static MlirValue result(MlirOperation op, intptr_t number) {
    return mlirOperationGetResult(op, number);
}

static void test_optional(void **state) {
    struct bench *bench = bench_open(text, "sm_90a");
    MlirOperation plain = bench_op(bench, OP_LOAD, 0), masked = bench_op(bench, OP_LOAD, 1),
                  filled = bench_op(bench, OP_LOAD, 2);
    assert_true(value_is(load_pointer(plain), argument(bench, 0)));
    assert_true(mlirValueIsNull(load_mask(plain)) && mlirValueIsNull(load_other(plain)));
    assert_true(value_is(load_mask(masked), argument(bench, 1)) && mlirValueIsNull(load_other(masked)));
    assert_true(value_is(load_mask(filled), argument(bench, 1)));
    assert_true(value_is(load_other(filled), argument(bench, 2)));
    set_load_other(filled, result(plain, 0));
    assert_true(value_is(load_other(filled), result(plain, 0)));
    bench_close(bench);
}

static void test_many(void **state) {
    struct bench *bench = bench_open(text, "sm_90a");
    MlirOperation loop = bench_op(bench, OP_FOR, 0), plain = bench_op(bench, OP_LOAD, 0),
                  filled = bench_op(bench, OP_LOAD, 2);
    assert_true(value_is(for_lower(loop), argument(bench, 3)) &&
                value_is(for_step(loop), argument(bench, 3)));
    assert_int_equal(for_init_count(loop), 2);
    assert_true(value_is(for_init(loop, 0), result(plain, 0)));
    assert_true(value_is(for_init(loop, 1), result(filled, 0)));
    MlirOperation end = mlirBlockGetTerminator(op_body(loop, 0));
    assert_int_equal(yield_value_count(end), 2);
    assert_true(value_is(yield_value(end, 0), mlirBlockGetArgument(op_body(loop, 0), 2)));
    set_for_init(loop, 1, result(plain, 0));
    assert_true(value_is(for_init(loop, 1), result(plain, 0)));
    bench_close(bench);
}

// A family's names mean the same operands as those of its ops.
static void test_families(void **state) {
    static const struct {
        int family, own;
    } same[] = {{at_access_pointer, at_load_pointer},
                {at_access_pointer, at_store_pointer},
                {at_access_pointer, at_atomic_rmw_pointer},
                {at_access_pointer, at_atomic_cas_pointer},
                {at_writer_value, at_store_value},
                {at_writer_value, at_atomic_rmw_value},
                {at_writer_mask, at_store_mask},
                {at_writer_mask, at_atomic_rmw_mask},
                {at_product_a, at_dot_a},
                {at_product_a, at_warpgroup_dot_a},
                {at_product_b, at_dot_b},
                {at_product_b, at_warpgroup_dot_b},
                {at_product_c, at_dot_c},
                {at_product_c, at_warpgroup_dot_c},
                {at_slot_user_slot, at_smem_load_slot},
                {at_slot_user_slot, at_smem_gather_slot},
                {at_slot_user_slot, at_smem_store_slot},
                {at_slot_user_slot, at_smem_trans_slot},
                {at_slot_user_slot, at_async_copy_slot},
                {at_slot_user_slot, at_bulk_load_slot}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_int_equal(same[i].family, same[i].own);
    }
}

static void test_counts(void **state) {
    static const struct {
        enum op_kind kind;
        int least, most;
    } rows[] = {{OP_RANGE, 0, 0},        {OP_LOAD, 1, 3},    {OP_STORE, 2, 3},     {OP_MULHI, 2, 2},
                {OP_FMA, 3, 3},          {OP_REDUCE, 1, -1}, {OP_SCAN, 1, -1},     {OP_BULK_LOAD, 4, 8},
                {OP_BULK_STORE, 5, 8},   {OP_FOR, 3, -1},    {OP_DOT_WAIT, 0, -1}, {OP_CONDITION, 1, -1},
                {OP_WARPGROUP_DOT, 3, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(op_table[rows[i].kind].min_operands, rows[i].least);
        assert_int_equal(op_table[rows[i].kind].max_operands, rows[i].most);
    }
}

RUN(TEST(test_optional), TEST(test_many), TEST(test_families), TEST(test_counts))
