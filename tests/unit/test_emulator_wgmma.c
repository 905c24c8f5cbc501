// Warpgroup products on the emulator: every row of mma.def with four warps, every width, major and swizzle, exact; and
// each way of not waiting, not fencing or not going together is a report.
#include "wgmma_testing.h"

static bool is_warpgroup(unsigned i) {
    return mma_table[i].warps > 1 && (mma_table[i].features & FEATURE(WGMMA));
}

static int expected(const struct wgmma_run *run, const struct wgmma_case *c, unsigned row, unsigned column,
                    int before) {
    unsigned k = c->w.mma->k, steps = c->iterations ? c->iterations : 1;
    bool reads = c->w.accumulate && (!c->keeps || strcmp(c->keeps, "1") == 0);
    int sum = reads ? before : 0;
    for (unsigned step = c->step; step < c->step + steps; step++) {
        for (unsigned i = 0; i < k; i++) {
            unsigned a = c->w.a_in_registers ? i : step * k + i;
            sum += run->rows[row][a] * run->columns[step * k + i][column];
        }
    }
    return sum;
}

static void check_case(struct wgmma_run *run, const struct wgmma_case *c) {
    run_case(run, c, GROUP_THREADS);
    harness_expect_clean(&run->harness, run->clean);
    unsigned per_word = wgmma_per_word(c->w.mma);
    for (unsigned thread = 0; thread < GROUP_THREADS; thread++) {
        for (unsigned i = 0; i < wgmma_results(&c->w); i++) {
            unsigned lane = thread % 32, at = i * GROUP_THREADS + thread, first = i * per_word;
            unsigned row = thread / 32 * 16 + lane / 4 + (first & 2 ? 8 : 0),
                     column = first / 4 * 8 + lane % 4 * 2 + (first & 1);
            uint32_t want = 0;
            for (unsigned part = 0; part < per_word; part++) {
                int sum = expected(run, c, row, column + part, before(at, part));
                want |= (uint32_t)wgmma_encode(c->w.mma->acc, sum) << 16 * part;
            }
            if (run->d[at] != want) {
                fail_msg("%s n%u (%u, %u bytes wide, step %u; %d %d %d %d): row %u, column %u is 0x%08x, not "
                         "0x%08x",
                         c->w.mma->name, c->w.columns, c->a_width, c->b_width, c->step, c->w.a_in_registers,
                         c->w.a_rows_fastest, c->w.b_columns_fastest, c->w.accumulate, row, column,
                         run->d[at], want);
            }
        }
    }
    harness_end(&run->harness);
}

// The widths of a K-major tile, and its steps of k.
static void check_k_major(struct wgmma_run *run, const struct mma *mma, unsigned columns) {
    for (unsigned width = 32; width <= 128; width *= 2) {
        for (unsigned step = 0; step < width / 32; step++) {
            struct wgmma_case c = {.w = {.mma = mma, .columns = columns, .accumulate = step & 1}};
            c.a_width = c.b_width = width;
            c.step = step;
            check_case(run, &c);
            c.w.a_in_registers = true;
            check_case(run, &c);
        }
    }
}

static void test_rows(void **state) {
    (void)state;
    struct wgmma_run *run = malloc(sizeof *run);
    unsigned checked = 0;
    for (unsigned i = 0; i < mma_count; i++) {
        if (is_warpgroup(i)) {
            check_k_major(run, &mma_table[i], 8);
            check_k_major(run, &mma_table[i], 64);
            checked++;
        }
    }
    assert_int_equal(checked, 9); // a new row comes with its widths and majors
    free(run);
}

static void test_widths(void **state) {
    (void)state;
    static const unsigned widths[] = {8, 16, 24, 96, 128, 200, 256};
    struct wgmma_run *run = malloc(sizeof *run);
    for (unsigned i = 0; i < mma_count; i++) {
        for (unsigned j = 0; j < sizeof widths / sizeof *widths && is_warpgroup(i); j++) {
            struct wgmma_case c = {.w = {.mma = &mma_table[i], .columns = widths[j], .accumulate = j & 1}};
            c.a_width = c.b_width = 64;
            c.step = 1;
            check_case(run, &c);
        }
    }
    free(run);
}

// Rows contiguous: A M-major (64 rows are 128 bytes), B N-major with 32, 64 and more bytes of a line.
static void test_majors(void **state) {
    (void)state;
    static const unsigned widths[] = {16, 32, 64, 128, 256};
    struct wgmma_run *run = malloc(sizeof *run);
    for (unsigned i = 0; i < mma_count; i++) {
        for (unsigned j = 0; j < sizeof widths / sizeof *widths; j++) {
            for (unsigned choice = 0; choice < 6; choice++) {
                if (!is_warpgroup(i) || mma_type_bits(mma_table[i].a) != 16) {
                    continue;
                }
                struct wgmma_case c = {.w = {.mma = &mma_table[i], .columns = widths[j], .accumulate = true}};
                c.w.a_rows_fastest = choice % 3 == 1;
                c.w.a_in_registers = choice % 3 == 2;
                c.w.b_columns_fastest = choice / 3;
                c.a_width = c.b_width = 64; // of k, for contiguous rows
                c.step = 1;
                check_case(run, &c);
            }
        }
    }
    free(run);
}

// One group stays under way through the loop; the accumulator goes round by phi. Warps drift apart.
static void test_loop(void **state) {
    (void)state;
    struct wgmma_run *run = malloc(sizeof *run);
    const struct mma *mma = mma_find("wgmma.f16", 9);
    struct wgmma_case c = {
        .w = {.mma = mma, .columns = 64, .accumulate = true}, .a_width = 128, .b_width = 128};
    c.iterations = 4;
    for (c.order = EMULATOR_IN_TURN; c.order < EMULATOR_ORDERS; c.order++) {
        c.w.b_columns_fastest = false;
        c.b_width = 128;
        check_case(run, &c);
        c.w.b_columns_fastest = true;
        c.b_width = 64;
        check_case(run, &c);
    }
    free(run);
}

// A product told not to read its accumulator ignores its value; in a loop, the first product does.
static void test_asked(void **state) {
    (void)state;
    struct wgmma_run *run = malloc(sizeof *run);
    for (unsigned i = 0; i < mma_count; i++) {
        for (unsigned choice = 0; choice < 6 && is_warpgroup(i); choice++) {
            struct wgmma_case c = {.w = {.mma = &mma_table[i], .columns = 64, .accumulate = true}};
            c.a_width = c.b_width = 128;
            c.w.a_in_registers = choice & 1;
            c.keeps = (const char *[]){"0", "1", "%number"}[choice / 2];
            c.iterations = choice / 2 == 2 ? 128 / (c.w.mma->k * mma_type_bits(c.w.mma->a) / 8) : 0;
            check_case(run, &c);
        }
    }
    free(run);
}

static void expect_asked(const char *keeps, const char *words) {
    struct wgmma_run *run = malloc(sizeof *run);
    struct wgmma_case c = {.w = {.mma = mma_find("wgmma.f16", 9), .columns = 8, .accumulate = true}};
    c.a_width = c.b_width = 64;
    c.keeps = keeps;
    run_case(run, &c, GROUP_THREADS);
    assert_false(run->clean);
    harness_expect_fault(&run->harness, "warpgroup", words);
    harness_end(&run->harness);
    free(run);
}

static void expect(enum plant plant, bool a_in_registers, const char *kind, const char *words) {
    struct wgmma_run *run = malloc(sizeof *run);
    const struct mma *mma = mma_find("wgmma.bf16", 10);
    struct wgmma_case c = {
        .w = {.mma = mma, .columns = 32, .accumulate = true}, .a_width = 64, .b_width = 64};
    c.w.a_in_registers = a_in_registers;
    c.plant = plant;
    c.iterations = plant == PLANT_LOAD_A_IN_LOOP ? 2 : 0;
    run_case(run, &c, GROUP_THREADS);
    assert_false(run->clean);
    harness_expect_fault(&run->harness, kind, words);
    harness_end(&run->harness);
    free(run);
}

static void test_shared_faults(void **state) {
    (void)state;
    expect(PLANT_NO_PROXY_FENCE, false, "proxy fence", "without fence.proxy.async");
    expect(PLANT_COPIED_NO_FENCE, false, "proxy fence", "without fence.proxy.async");
    expect(PLANT_NO_BARRIER, false, "race", "with no barrier between");
    expect(PLANT_OVERWRITE_B, false, "asynchronous product", "which wgmma is still to read");
    expect(PLANT_OVERWRITE_UNORDERED, false, "race", "writes what wgmma of warpgroup 0 read");
}

// Copies by cp.async, waited for and fenced.
static void test_copied(void **state) {
    (void)state;
    struct wgmma_run *run = malloc(sizeof *run);
    struct wgmma_case c = {.w = {.mma = mma_find("wgmma.bf16", 10), .columns = 32, .accumulate = true},
                           .a_width = 64,
                           .b_width = 64,
                           .plant = PLANT_COPIED};
    check_case(run, &c);
    free(run);
}

static void test_register_faults(void **state) {
    (void)state;
    expect(PLANT_NO_FENCE, false, "asynchronous product", "with no wgmma.fence before");
    expect(PLANT_FENCE_EARLY, false, "asynchronous product",
           "an accumulator was written after the last wgmma.fence");
    expect(PLANT_NO_COMMIT, false, "asynchronous product", "has not delivered");
    expect(PLANT_WAIT_PENDING, false, "asynchronous product", "has not delivered");
    expect(PLANT_READ_ACCUMULATOR, false, "asynchronous product", "has not delivered");
    expect(PLANT_LOAD_A_IN_LOOP, true, "asynchronous product",
           "overwrites a register that wgmma is still to read");
    expect(PLANT_READ_A, true, "asynchronous product", "still to read as A");
}

static void test_group_faults(void **state) {
    (void)state;
    expect(PLANT_LANES_DIFFER, false, "descriptor", "lanes 0 and 1");
    expect(PLANT_WARPS_DIFFER, false, "warpgroup", "issue different products");
    expect(PLANT_PART_OF_GROUP, false, "deadlock",
           "for product 1 of its warpgroup, of which warp 0 has issued 0");
    expect(PLANT_PART_ENDS, false, "warpgroup", "warp 1 ends after 1 wgmma");
    expect_asked("%t", "lanes 0 and 1 do not agree");
    expect_asked("%warp", "issue different products");
    struct wgmma_run *run = malloc(sizeof *run);
    struct wgmma_case c = {
        .w = {.mma = mma_find("wgmma.f16", 9), .columns = 8}, .a_width = 64, .b_width = 64};
    run_case(run, &c, 64);
    assert_false(run->clean);
    harness_expect_fault(&run->harness, "warpgroup", "only 2 of 4 warps");
    harness_end(&run->harness);
    free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_majors),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_copied),
        cmocka_unit_test(test_shared_faults),
        cmocka_unit_test(test_register_faults),
        cmocka_unit_test(test_group_faults),
        cmocka_unit_test(test_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
