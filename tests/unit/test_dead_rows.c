// Rows wrapped around the end of a matrix: dead if no use can observe them.
#include "tile_testing.h"

// The rows of t, row % M of x, are dead when the kernel does this with it.
static void expect_dead(const char *file, const char *body, const char *kernel, const char *pass, bool dead) {
    struct tile_bench tiles = tiles_open(file, body, kernel, pass, NULL);
    MlirOperation load = bench_op(tiles.bench, OP_LOAD, 0);
    struct tile_access access;
    unsigned wrapped = 0;
    assert_true(tile_access_of(&tiles.affines, load, &access));
    for (unsigned n = 0; n < access.rank; n++) {
        if (access.dim[n].wrapped) {
            wrapped++;
            if (rows_beyond_are_dead(&tiles.affines, load, &access.dim[n]) != dead) {
                fail_msg("%s rows:\n%s", dead ? "live" : "dead", body);
            }
        }
    }
    assert_int_equal(wrapped, 1);
    tiles_close(&tiles);
}

#define KERNEL(body)                                                                                         \
    HEAD "def kernel(x: '*fp32:16', y: '*fp32:16', z: '*i32:16', M: 'i32', N: 'i32', s: 'i32:16'):\n"        \
         "    i = tl.arange(0, 64)\n"                                                                        \
         "    j = tl.arange(0, 128)\n"                                                                       \
         "    row = tl.program_id(0) * 64 + i\n"                                                             \
         "    p = y + row[:, None] * s + j[None, :]\n"                                                       \
         "    inside = row[:, None] < M\n"                                                                   \
         "    t = tl.load(x + (row % M)[:, None] * s + j[None, :])\n" body
#define DEAD(body) expect_dead(NULL, KERNEL(body), "kernel", "cleanup", true)
#define LIVE(body) expect_dead(NULL, KERNEL(body), "kernel", "cleanup", false)

static void test_ends(void **state) {
    DEAD("    tl.store(p, t, mask=inside)\n");
    DEAD("    tl.store(p, t, mask=inside & (j[None, :] < N))\n");
    DEAD("    tl.store(p, t, mask=inside & ((j[None, :] < N) | (j[None, :] > 10)))\n");
    DEAD("    tl.store(p, t, mask=inside & (t > 0))\n");
    DEAD("    tl.atomic_add(p, t, mask=inside)\n");
    DEAD("    tl.atomic_add(p, t, mask=inside & (t > 0))\n");
    LIVE("    tl.store(p, t)\n");
    LIVE("    tl.store(p, t, mask=j[None, :] < N)\n");
    LIVE("    tl.store(p, t, mask=inside | (j[None, :] < N))\n");
    LIVE("    tl.store(p, t, mask=row[:, None] < N)\n");
    LIVE("    tl.store(p, t, mask=row[:, None] <= M)\n");
    LIVE("    tl.store(p, t, mask=row[:, None] >= M)\n");
    LIVE("    tl.store(p, t, mask=i[:, None] < M)\n");
    LIVE("    tl.store(p, t, mask=row[:, None] < 2 * M)\n");
    LIVE("    tl.store(p, t, mask=row[:, None] - 1 < M)\n");
    LIVE("    tl.store(p, t, mask=j[None, :] + tl.program_id(0) * 64 < M)\n");
    LIVE("    tl.store(p, t, mask=tl.program_id(1) * 64 + i[:, None] < M)\n");
    LIVE("    tl.store(p, t, mask=t > 0)\n");
    LIVE("    tl.store(p, t, mask=inside)\n    tl.store(p + 1, t)\n");
    LIVE("    tl.store(p, t, mask=inside)\n    tl.store(p + 1, t + 1, mask=row[:, None] < N)\n");
    LIVE("    tl.atomic_add(p, t)\n");
    LIVE("    tl.store(p + t.to(tl.int32), 1.0, mask=inside)\n"); // a computed address, from the rows
    LIVE("    tl.store(p, tl.load(y + t.to(tl.int32)), mask=inside)\n");
    LIVE("    tl.store(p, tl.load(p, mask=t > 0, other=0), mask=inside)\n");
    LIVE("    tl.device_print('t', t)\n");
    LIVE("    tl.store(p, tl.atomic_cas(z + row[:, None] * 128 + j[None, :], t.to(tl.int32), "
         "1).to(tl.float32), mask=inside)\n");
}

static void test_between(void **state) {
    DEAD("    u = tl.where(t > 0, tl.exp(t), t * 2)\n    tl.store(p, u - t, mask=inside)\n");
    DEAD("    tl.store(p, t + tl.load(y + j)[None, :], mask=inside)\n");
    DEAD("    tl.store(p, t / tl.sum(t, axis=1)[:, None], mask=inside)\n");
    DEAD("    tl.store(y + row, tl.max(t, axis=1), mask=row < M)\n");
    DEAD("    tl.store(z + row, tl.argmax(t, axis=1), mask=row < M)\n");
    DEAD("    tl.store(p, tl.cumsum(t, axis=1), mask=inside)\n");
    DEAD("    tl.store((y + row[None, :] * s + j[:, None]), t.T, mask=row[None, :] < M)\n");
    DEAD("    tl.store(p, t.reshape(1, 64, 128).reshape(64, 128), mask=inside)\n");
    DEAD("    a, b = tl.split(tl.join(t, t + 1))\n    tl.store(p, a + b, mask=inside)\n");
    DEAD("    tl.store(y + j, tl.sum(tl.where(inside, t, 0.0), axis=0))\n");
    DEAD("    tl.store(y + j, tl.sum(tl.where(inside & (j[None, :] < N), t + 1, 0.0), axis=0))\n");
    LIVE("    tl.store(y + j, tl.sum(tl.where(row[:, None] < N, t, 0.0), axis=0))\n");
    LIVE("    tl.store(y + j, tl.sum(tl.where(inside, 0.0, t), axis=0))\n");
    LIVE("    tl.store(y + j, tl.sum(tl.where(inside | (t > 0), t, 0.0), axis=0))\n");
    LIVE("    tl.store(y + j, tl.sum(tl.where(t > 0, 1.0, 0.0), axis=0))\n");
    LIVE("    tl.store(y + j, tl.sum(t, axis=0))\n");
    LIVE("    tl.store(p, t - tl.max(t, axis=0)[None, :], mask=inside)\n");
    LIVE("    tl.store(p, t - tl.sum(tl.sum(t, axis=1), axis=0), mask=inside)\n");
    LIVE("    tl.store(p, tl.cumsum(t, axis=0), mask=inside)\n");
    LIVE("    tl.store(p, tl.flip(t, 0), mask=inside)\n");
    LIVE("    tl.store(p, t.T.reshape(64, 128), mask=inside)\n");
    LIVE("    tl.store(p, tl.reshape(tl.reshape(t, (8192,), can_reorder=True), (64, 128)), mask=inside)\n");
    LIVE("    q = tl.arange(0, 64)\n    u = tl.sum(t, axis=1)\n    tl.store(y + row[:, None] * 64 + q[None, "
         ":], u[:, None] * u[None, :], mask=inside)\n");
    DEAD("    tl.store(z + row[:, None] * 128 + j[None, :], N // t.to(tl.int32), mask=inside)\n");
    LIVE("    tl.store(z + j, tl.histogram(t.to(tl.int32).reshape(8192), 128))\n");
    LIVE("    tl.store(p, tl.inline_asm_elementwise('mov.b32 $0, $1;', '=r,r', [t], dtype=tl.float32, "
         "is_pure=True, pack=1), mask=inside)\n");
    LIVE("    if tl.sum(tl.sum(t, axis=1), axis=0) > 0:\n        tl.store(p, t, mask=inside)\n");
}

static void test_dots(void **state) {
    DEAD("    b = tl.load(y + j[:, None] * 64 + i[None, :])\n    tl.store(y + row[:, None] * s + i[None, :], "
         "tl.dot(t, b), mask=inside)\n");
    DEAD("    b = tl.load(y + i[:, None] * 128 + j[None, :])\n    tl.store(y + i[:, None] * s + row[None, "
         ":], tl.dot(b, t.T), mask=row[None, :] < M)\n");
    DEAD("    b = tl.load(y + i[:, None] * 128 + j[None, :])\n    c = tl.load(y + i[:, None] * 64 + i[None, "
         ":])\n"
         "    tl.store(p, tl.dot(c, b, t), mask=inside)\n");
    LIVE("    b = tl.load(y + i[:, None] * 64 + i[None, :])\n    tl.store(y + i[:, None] * s + j[None, :], "
         "tl.dot(b, t), mask=inside)\n");
    LIVE("    b = tl.load(y + i[:, None] * 64 + i[None, :])\n    tl.store(y + j[:, None] * s + i[None, :], "
         "tl.dot(t.T, b), mask=row[None, :] < M)\n");
    LIVE("    tl.store(y + row[:, None] * s + row[None, :], tl.dot(t, t.T), mask=inside & (row[None, :] < "
         "M))\n");
}

static void test_control(void **state) {
    DEAD("    u = tl.zeros([64, 128], tl.float32)\n    for k in range(N):\n        u += t * k\n    "
         "tl.store(p, u, mask=inside)\n");
    DEAD("    for k in range(N):\n        t = t * 2\n        tl.store(p, t, mask=inside)\n");
    DEAD("    if N > 0:\n        t = t + 1\n    tl.store(p, t, mask=inside)\n");
    LIVE("    for k in range(N):\n        t = t - tl.sum(t, axis=0)[None, :]\n    tl.store(p, t, "
         "mask=inside)\n");
    LIVE("    for k in range(N):\n        tl.store(p, t, mask=row[:, None] + k < M)\n");
    LIVE("    if N > 0:\n        tl.store(p, t)\n");
    LIVE("    k = 0\n    while (k < N) & (k < M):\n        t = t * 2\n        k += 1\n    tl.store(p, t, "
         "mask=inside)\n"); // not followed
}

// One program takes tile after tile: rows of one tile may not meet the mask of the next.
static void test_tiles_in_a_loop(void **state) {
#define TILES(body)                                                                                          \
    HEAD "def kernel(x: '*fp32:16', y: '*fp32:16', M: 'i32', N: 'i32', s: 'i32:16'):\n"                      \
         "    i = tl.arange(0, 64)\n"                                                                        \
         "    u = tl.zeros([64, 64], tl.float32)\n"                                                          \
         "    for tile in range(tl.program_id(0), N, tl.num_programs(0)):\n"                                 \
         "        row = tile * 64 + i\n"                                                                     \
         "        p = y + row[:, None] * s + i[None, :]\n"                                                   \
         "        t = tl.load(x + (row % M)[:, None] * s + i[None, :])\n" body
    expect_dead(NULL, TILES("        tl.store(p, t, mask=row[:, None] < M)\n"), "kernel", "cleanup", true);
    expect_dead(NULL,
                TILES("        for k in range(N):\n            t += k\n        tl.store(p, t, mask=row[:, "
                      "None] < M)\n"),
                "kernel", "cleanup", true);
    expect_dead(NULL, TILES("        tl.store(p, u, mask=row[:, None] < M)\n        u = t\n"), "kernel",
                "cleanup", false);
    expect_dead(NULL, TILES("        u += t\n        tl.store(p, u, mask=row[:, None] < M)\n"), "kernel",
                "cleanup", false);
#undef TILES
}

// The tile stays in shared memory while others pass.
static void test_shared_memory(void **state) {
#define ATTENTION(row)                                                                                       \
    HEAD "def kernel(q: '*fp16:16', k: '*fp16:16', o: '*fp32:16', M: 'i32', N: 'i32', s: 'i32:16'):\n"       \
         "    i = tl.arange(0, 128)\n"                                                                       \
         "    row = tl.program_id(0) * 128 + i\n"                                                            \
         "    t = tl.load(q + (row % M)[:, None] * s + i[None, :])\n"                                        \
         "    u = tl.zeros([128, 128], tl.float32)\n"                                                        \
         "    for n in range(0, N, 128):\n"                                                                  \
         "        v = tl.load(k + (n + i)[None, :] * s + i[:, None])\n"                                      \
         "        w = tl.dot(t, v)\n"                                                                        \
         "        u = tl.dot(tl.exp2(w).to(tl.float16), v, u)\n"                                             \
         "    tl.store(o + row[:, None] * s + i[None, :], u, mask=" row "[:, None] < M)\n"
    struct tile_bench tiles = tiles_open(NULL, ATTENTION("row"), "kernel", "reload", NULL);
    assert_int_equal(bench_count(tiles.bench, OP_SMEM_STORE), 1);
    tiles_close(&tiles);
    expect_dead(NULL, ATTENTION("row"), "kernel", "reload", true);
    expect_dead(NULL, ATTENTION("i"), "kernel", "reload", false);
#undef ATTENTION
}

RUN(TEST(test_ends), TEST(test_between), TEST(test_dots), TEST(test_control), TEST(test_tiles_in_a_loop),
    TEST(test_shared_memory))
