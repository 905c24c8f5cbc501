// Registers of a thread: the need of values by their layouts, the share of threads by the chip, and the table
// of reserves.
#include "pass_testing.h"

#include "chip/registers.h"

// A tile of 16 halves a thread, one of a half a thread, 16 pointers a thread, and a handle.
static const char text[] =
    "#thick = {lane = array<i32: 16, 32, 64, 128, 256>, register = array<i32: 1, 2, 4, 8>, "
    "warp = array<i32: 512, 1024>}\n"
    "#thin = {lane = array<i32: 1, 2, 4, 8, 16>, warp = array<i32: 32, 64>}\n"
    "module { func.func @f(%p: !tk.ptr<f16>, %h: f16) attributes {tk.num_warps = 4 : i32} {\n"
    "%0 = \"tk.splat\"(%h) : (f16) -> tensor<2048xf16, #thick>\n"
    "%1 = \"tk.splat\"(%h) : (f16) -> tensor<128xf16, #thin>\n"
    "%2 = \"tk.splat\"(%p) : (!tk.ptr<f16>) -> tensor<2048x!tk.ptr<f16>, #thick>\n"
    "%3 = \"tk.program_id\"() {axis = 0 : i32} : () -> i32\n"
    "return\n} }\n";

static void test_values(void **state) {
    static const struct {
        enum op_kind kind;
        unsigned nth, rounded_up, rounded_down;
    } cases[] = {{OP_SPLAT, 0, 8, 8}, {OP_SPLAT, 1, 1, 0}, {OP_SPLAT, 2, 32, 32}, {OP_PROGRAM_ID, 0, 1, 1}};
    struct bench *bench = bench_open(text, "sm_80");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MlirValue value = mlirOperationGetResult(bench_op(bench, cases[i].kind, cases[i].nth), 0);
        assert_int_equal(registers_of(bench->ir, value), cases[i].rounded_up);
        assert_int_equal(registers_filled(bench->ir, value), cases[i].rounded_down);
    }
    MlirType tile = mlirValueGetType(mlirOperationGetResult(bench_op(bench, OP_SPLAT, 0), 0));
    assert_int_equal(registers_spread(tile, 128), 8);
    assert_int_equal(registers_spread(tile, 256), 4);
    assert_int_equal(registers_spread(tile, 2048), 0);
    bench_close(bench);
}

static void test_shares(void **state) {
    const struct target *hopper = target_find("sm_90a"), *cdna = target_find("gfx942");
    assert_int_equal(registers_part(hopper, 4, 1), 512); // more than a thread addresses
    assert_int_equal(registers_share(hopper, 4, 1), 255);
    assert_int_equal(registers_share(hopper, 8, 1), 255);
    assert_int_equal(registers_share(hopper, 8, 2), 128);
    assert_int_equal(registers_share(hopper, 16, 1), 128);
    assert_int_equal(registers_share(cdna, 4, 1), 512);
    assert_int_equal(registers_share(cdna, 4, 2), 256);
    assert_int_equal(registers_blocks(hopper, 4, 255), 2);
    assert_int_equal(registers_blocks(hopper, 4, 128), 4);
    assert_int_equal(registers_blocks(hopper, 16, 255), 0);
    assert_int_equal(registers_rounded_up(129), 136);
    assert_int_equal(registers_rounded_up(128), 128);
    assert_int_equal(registers_rounded_down(135), 128);
}

// All blocks together never launch with more registers than a multiprocessor has, and setmaxnreg distributes
// no more.
static void test_specialised(void **state) {
    const struct target *target = target_find("sm_90a");
    struct registers_specialised two = registers_specialised(target, 8, false, 1);
    assert_int_equal(two.producer, 40);
    assert_int_equal(two.consumer, 232);
    assert_int_equal(registers_specialised(target, 8, true, 1).consumer, 240);
    for (unsigned groups = 1; groups <= 4; groups++) {
        for (unsigned blocks = 1; blocks <= 3 && groups * blocks <= 4; blocks++) {
            for (int slim = 0; slim < 2; slim++) {
                struct registers_specialised r = registers_specialised(target, 4 * groups, slim, blocks);
                unsigned dealt = groups * r.consumer + r.producer;
                assert_true(r.producer <= r.launched && r.consumer <= REGISTERS_MOST_CONSUMER);
                assert_true(dealt <= (groups + 1) * r.launched);
                assert_true(128 * blocks * dealt <= target->registers_per_sm);
            }
        }
    }
}

// A producer of one warp: the fullest partition of a multiprocessor has 3 of 9 warps, of 2 blocks of 5 warps, and 2 of 5.
static void test_producer_warp(void **state) {
    (void)state;
    const struct target *target = target_find("sm_120a");
    struct registers_specialised eight = registers_specialised(target, 8, PRODUCER_WARP, 1);
    assert_int_equal(eight.consumer, 168);
    assert_int_equal(eight.producer, eight.consumer);
    assert_int_equal(registers_specialised(target, 4, PRODUCER_WARP, 1).consumer, 248);
    assert_int_equal(registers_specialised(target, 4, PRODUCER_WARP, 2).consumer, 168);
    assert_int_equal(registers_specialised(target, 16, PRODUCER_WARP, 1).consumer, 96);
}

// A row has a purpose and a source of its number; none leaves a thread of any chip without registers.
static void test_reserves(void **state) {
    for (size_t i = 0; i < RESERVE_COUNT; i++) {
        const struct reserve *row = &reserve_table[i];
        int year, month, day, end = 0;
        if (!*row->chips || !*row->purpose || !*row->found) {
            fail_msg("%s: a column is empty", row->name);
        }
        if (sscanf(row->day, "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3 || row->day[end]) {
            fail_msg("%s: \"%s\" is no day", row->name, row->day);
        }
        if (row->registers == 0 || row->registers >= 255) {
            fail_msg("%s: %u registers", row->name, row->registers);
        }
        assert_int_equal(registers_reserved((enum reserve_id)i), row->registers);
    }
}

RUN(TEST(test_values), TEST(test_shares), TEST(test_specialised), TEST(test_producer_warp),
    TEST(test_reserves))
