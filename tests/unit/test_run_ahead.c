// Kernels with loads that a copying warp may do, and kernels that may write the loaded memory.
#include "tile_testing.h"

#define MATMUL(before, within, after)                                                                        \
    HEAD                                                                                                     \
        "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', N: 'i32:16', K: 'i32:16', flag: '*i32'):\n" \
        "    i = tl.arange(0, 128)\n"                                                                        \
        "    j = tl.arange(0, 64)\n"                                                                         \
        "    rows = tl.program_id(0) * 128 + i\n" before "    u = tl.zeros([128, 128], tl.float32)\n"        \
        "    for k in range(0, K, 64):\n"                                                                    \
        "        x = tl.load(a + rows[:, None] * K + k + j[None, :])\n"                                      \
        "        y = tl.load(b + (k + j)[:, None] * N + i[None, :])\n"                                       \
        "        u = tl.dot(x, y, u)\n" within                                                               \
        "    tl.store(c + rows[:, None] * N + i[None, :], u.to(tl.float16))\n" after

// REASON_NONE: the loads are done by a warp of their own; else they are not, for this reason.
static void expect(const char *text, enum reason reason) {
    struct tile_bench tiles = tiles_open_on("sm_90a", NULL, text, "kernel", "specialise", NULL);
    char *found = bench_text(tiles.bench);
    if ((bench_count(tiles.bench, OP_SPECIALISE) == 1) != (reason == REASON_NONE) ||
        (reason != REASON_NONE && !says(found, ATTR_SPECIALISE, reason))) {
        fail_msg("not %s:\n%s\n%s", reason == REASON_NONE ? "specialised" : reason_name(reason), text, found);
    }
    free(found);
    tiles_close(&tiles);
}

static void test_may_run_ahead(void **state) {
    expect(MATMUL("", "", ""), REASON_NONE);
    expect(MATMUL("    tl.assume(N > 0)\n    s = tl.load(flag)\n", "", "    tl.store(flag, s)\n"),
           REASON_NONE);
    expect(MATMUL("", "", "    tl.atomic_add(flag, 1)\n    tl.debug_barrier()\n"), REASON_NONE);
    // through other arguments than the loads; the atomic's result is unused
    expect(MATMUL("    tl.atomic_add(flag, 1)\n", "", ""), REASON_NONE);
    expect(MATMUL("    tl.store(flag, N)\n", "        tl.atomic_add(flag, 1)\n", ""), REASON_NONE);
    // what ends the loop was loaded ahead of it, though it loads other numbers
    expect(MATMUL("", "",
                  "    s = tl.load(flag)\n    i = 1\n    while i < s:\n"
                  "        tl.store(flag + i, tl.load(flag + 1 + i))\n        i *= 2\n"),
           REASON_NONE);
    // a search: other addresses in each turn
    expect(MATMUL("    at = 0\n    while tl.load(flag + at) < N:\n        at += 1\n    rows += at * 128\n",
                  "", ""),
           REASON_NONE);
}

static void test_may_not(void **state) {
#define ORDERED(before, within, after) expect(MATMUL(before, within, after), REASON_ORDERS_MEMORY)
    ORDERED("    tl.store(a + rows, rows.to(tl.float16))\n    tl.debug_barrier()\n", "", "");
    ORDERED("    for k in range(K):\n        tl.store(a + rows * K + k, 1.0)\n", "", "");
    ORDERED("    if K > 64:\n        tl.store(a + rows, 1.0)\n", "", "");
    ORDERED("    tl.store(flag, tl.atomic_add(flag, 1))\n", "", "");
    ORDERED("    tl.debug_barrier()\n", "", "");
    ORDERED("    s = tl.load(flag, volatile=True)\n", "", "    tl.store(flag, s)\n");
    ORDERED("    while tl.atomic_add(flag, 0) == 0:\n        pass\n", "", "");
    ORDERED("", "        tl.store(a + rows * K + k + 64, 1.0)\n", "");
    ORDERED("", "        tl.store(flag, tl.atomic_add(flag, 1))\n", "");
#undef ORDERED
    expect(MATMUL("    tl.inline_asm_elementwise('membar.gl; mov.u32 $0, $1;', '=r,r', [N], dtype=tl.int32, "
                  "is_pure=False, pack=1)\n",
                  "", ""),
           REASON_ALL_WARPS);
    // the block would wait for one of its own later programs
    expect(MATMUL("", "", "    while tl.atomic_add(flag, 0) < N:\n        pass\n"), REASON_WAITS_FOR_MEMORY);
    expect(MATMUL("", "", "    while tl.load(flag) < N:\n        pass\n"), REASON_WAITS_FOR_MEMORY);
    expect(MATMUL("", "",
                  "    i = 0\n    while tl.load(flag + i) < N:\n        i += 1\n        tl.store(flag, i)\n"),
           REASON_WAITS_FOR_MEMORY);
}

// A product of rows that other GPUs send; `wait` stands ahead of its loop.
#define SENT(wait, behind)                                                                                   \
    HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', N: 'i32:16', K: 'i32:16', flags: "         \
         "'**i32:16', out: '**fp16:16'):\n"                                                                  \
         "    i = tl.arange(0, 128)\n"                                                                       \
         "    j = tl.arange(0, 64)\n"                                                                        \
         "    own = tl.load(flags).to(tl.pointer_type(tl.int32))\n"                                          \
         "    rows = tl.program_id(0) * 128 + i\n" wait "    u = tl.zeros([128, 128], tl.float32)\n"         \
         "    for k in range(0, K, 64):\n"                                                                   \
         "        x = tl.load(a + rows[:, None] * K + k + j[None, :])\n"                                     \
         "        y = tl.load(b + (k + j)[:, None] * N + i[None, :])\n"                                      \
         "        u = tl.dot(x, y, u)\n" behind                                                              \
         "    tl.store(c + rows[:, None] * N + i[None, :], u.to(tl.float16))\n"
#define UNTIL(load) "    while " load " < N:\n        pass\n"
#define FLAG "tl.atomic_load(own, sem='acquire', scope='sys')"

static void test_waits_for_ranks(void **state) {
    expect(SENT(UNTIL(FLAG), ""), REASON_NONE);
    expect(SENT("", UNTIL(FLAG)), REASON_NONE);
    // of this GPU, of no array, a tile of flags
    expect(SENT("", UNTIL("tl.atomic_load(own, sem='acquire', scope='gpu')")), REASON_WAITS_FOR_MEMORY);
    expect(SENT(UNTIL("tl.atomic_load(own, sem='acquire', scope='gpu')"), ""), REASON_ORDERS_MEMORY);
    expect(SENT(UNTIL("tl.min(tl.atomic_load(own + j, sem='acquire', scope='sys'), 0)"), ""),
           REASON_ORDERS_MEMORY);
    expect(SENT("    if K > 64:\n        tl.atomic_load(own, sem='acquire', scope='sys')\n", ""),
           REASON_ORDERS_MEMORY);
}

// The consumers wait themselves where they read memory behind the loop, else only where the loop has no steps.
static void expect_waits(const char *text, size_t loops, size_t branches) {
    struct tile_bench tiles = tiles_open_on("sm_90a", NULL, text, "kernel", "specialise", NULL);
    assert_int_equal(bench_count(tiles.bench, OP_WHILE), loops);
    assert_int_equal(bench_count(tiles.bench, OP_IF), branches);
    tiles_close(&tiles);
}

static void test_who_waits(void **state) {
    expect_waits(SENT(UNTIL(FLAG), ""), 2, 1);
    expect_waits(SENT(UNTIL(FLAG), "    u += tl.load(c + rows * 2)[:, None]\n"), 2, 0);
    expect_waits(SENT(UNTIL(FLAG) "    tl.store(c + rows, 1.0)\n", ""), 2, 0);
}

// Programs that take the other way of a branch store what they like.
static void test_other_way(void **state) {
#define WAYS(turns, effects)                                                                                 \
    HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', N: 'i32:16', K: 'i32:16', out: "           \
         "'**fp16:16'):\n"                                                                                   \
         "    i = tl.arange(0, 128)\n"                                                                       \
         "    j = tl.arange(0, 64)\n"                                                                        \
         "    to = tl.load(out).to(tl.pointer_type(tl.float16))\n"                                           \
         "    for turn in range(" turns "):\n"                                                               \
         "        if tl.program_id(0) < 4:\n" effects "        else:\n"                                      \
         "            rows = (turn * 64 + tl.program_id(0)) * 128 + i\n"                                     \
         "            u = tl.zeros([128, 128], tl.float32)\n"                                                \
         "            for k in range(0, K, 64):\n"                                                           \
         "                x = tl.load(a + rows[:, None] * K + k + j[None, :])\n"                             \
         "                y = tl.load(b + (k + j)[:, None] * N + i[None, :])\n"                              \
         "                u = tl.dot(x, y, u)\n"                                                             \
         "            tl.store(c + rows[:, None] * N + i[None, :], u.to(tl.float16))\n"
    expect(WAYS("1", "            tl.store(to + i, 1.0)\n            tl.debug_barrier()\n"), REASON_NONE);
    expect(WAYS("N", "            tl.store(to + i, 1.0)\n            tl.debug_barrier()\n"),
           REASON_ORDERS_MEMORY);
}

RUN(TEST(test_may_run_ahead), TEST(test_may_not), TEST(test_waits_for_ranks), TEST(test_who_waits),
    TEST(test_other_way))
