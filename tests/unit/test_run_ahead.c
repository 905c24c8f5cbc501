// Kernels whose loads may be done by a warp of their own, and kernels that wrote what they load.
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

static void expect_specialised(const char *text, unsigned expected) {
    struct tile_bench tiles = tiles_open_on("sm_90a", NULL, text, "kernel", "specialise", NULL);
    if (bench_count(tiles.bench, OP_SPECIALISE) != expected) {
        fail_msg("%s specialised:\n%s", expected ? "not" : "", text);
    }
    tiles_close(&tiles);
}

static void test_may_run_ahead(void **state) {
    (void)state;
    expect_specialised(MATMUL("", "", ""), 1);
    expect_specialised(MATMUL("    tl.assume(N > 0)\n    s = tl.load(flag)\n", "", "    tl.store(flag, s)\n"),
                       1);
    expect_specialised(MATMUL("", "", "    tl.atomic_add(flag, 1)\n    tl.debug_barrier()\n"), 1);
}

static void test_may_not(void **state) {
    (void)state;
    expect_specialised(
        MATMUL("    tl.store(a + rows, rows.to(tl.float16))\n    tl.debug_barrier()\n", "", ""), 0);
    expect_specialised(MATMUL("    for k in range(K):\n        tl.store(a + rows * K + k, 1.0)\n", "", ""),
                       0);
    expect_specialised(MATMUL("    if K > 64:\n        tl.store(a + rows, 1.0)\n", "", ""), 0);
    expect_specialised(MATMUL("    tl.atomic_add(flag, 1)\n", "", ""), 0);
    expect_specialised(MATMUL("    tl.debug_barrier()\n", "", ""), 0);
    expect_specialised(MATMUL("    s = tl.load(flag, volatile=True)\n", "", "    tl.store(flag, s)\n"), 0);
    expect_specialised(MATMUL("    while tl.atomic_add(flag, 0) == 0:\n        pass\n", "", ""), 0);
    expect_specialised(MATMUL("", "        tl.store(a + rows * K + k + 64, 1.0)\n", ""), 0);
    expect_specialised(MATMUL("", "        tl.atomic_add(flag, 1)\n", ""), 0);
    expect_specialised(
        MATMUL("    tl.inline_asm_elementwise('membar.gl; mov.u32 $0, $1;', '=r,r', [N], dtype=tl.int32, "
               "is_pure=False, pack=1)\n",
               "", ""),
        0);
    // the block would wait for a program that it takes later
    expect_specialised(MATMUL("", "", "    while tl.atomic_add(flag, 0) < N:\n        pass\n"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_may_run_ahead),
        cmocka_unit_test(test_may_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
