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
}

RUN(TEST(test_may_run_ahead), TEST(test_may_not))
