// Loads and stores that are boxes of strided tensors: those of the examples, and other ways to write them.
// Refused ones are in test_tile_refused.c.
#include "tile_testing.h"

// ---- the examples ----

static void test_matmul(void **state) {
    EXPECT("examples/matmul.tk", NULL, "matmul", "cleanup",
           "arg0 [1 t1 x32 at 32*variable <arg5] [arg6 t0 x128 at 128*divsi <arg3 wrapped dead] tma\n"
           "arg1 [1 t1 x128 at 128*remsi <arg4 wrapped dead] [arg8 t0 x32 at 32*variable <arg5] tma\n"
           "arg2 [1 t1 x128 at 128*remsi <arg4] [arg10 t0 x128 at 128*divsi <arg3] tma\n");
    EXPECT("examples/matmul.tk", NULL, "matmul", "reload",
           "arg0 [1 t1 x32 at 32*variable <arg5] [arg6 t0 x128 at 128*select <arg3 wrapped dead] tma\n"
           "arg1 [1 t1 x128 at 128*select <arg4 wrapped dead] [arg8 t0 x32 at 32*variable <arg5] tma\n"
           "arg2 [1 t1 x128 at 128*select <arg4] [arg10 t0 x128 at 128*select <arg3] tma\n");
}

// Either factor transposed in memory, and strides without a promise.
static void test_matmul_strides(void **state) {
#define STRIDES(am, ak, bk, bn, expected)                                                                    \
    do {                                                                                                     \
        struct tile_bench tiles =                                                                            \
            tiles_open("examples/matmul.tk", NULL, "matmul", "reload",                                       \
                       "*fp16:16, *fp16:16, *fp16:16, i32, i32, i32, i32" am ", i32" ak ", i32" bk           \
                       ", i32" bn ", i32:16, i32:1, 64, 64, 32");                                            \
        expect_accesses(&tiles, expected);                                                                   \
        tiles_close(&tiles);                                                                                 \
    } while (0)
    STRIDES(":16", ":1", ":1", ":16",
            "arg0 [1 t1 x32 at 32*variable <arg5] [arg6 t0 x64 at 64*select <arg3 wrapped dead] tma\n"
            "arg1 [1 t0 x32 at 32*variable <arg5] [arg9 t1 x64 at 64*select <arg4 wrapped dead] tma\n"
            "arg2 [1 t1 x64 at 64*select <arg4] [arg10 t0 x64 at 64*select <arg3] tma\n");
    STRIDES(":1", ":16", ":16", ":1",
            "arg0 [1 t0 x64 at 64*select <arg3 wrapped dead] [arg7 t1 x32 at 32*variable <arg5] tma\n"
            "arg1 [1 t1 x64 at 64*select <arg4 wrapped dead] [arg8 t0 x32 at 32*variable <arg5] tma\n"
            "arg2 [1 t1 x64 at 64*select <arg4] [arg10 t0 x64 at 64*select <arg3] tma\n");
    STRIDES(":1", ":16", ":1", ":16",
            "arg0 [1 t0 x64 at 64*select <arg3 wrapped dead] [arg7 t1 x32 at 32*variable <arg5] tma\n"
            "arg1 [1 t0 x32 at 32*variable <arg5] [arg9 t1 x64 at 64*select <arg4 wrapped dead] tma\n"
            "arg2 [1 t1 x64 at 64*select <arg4] [arg10 t0 x64 at 64*select <arg3] tma\n");
    STRIDES(
        "", ":1", ":16", "",
        "arg0 [1 t1 x32 at 32*variable <arg5] [arg6 t0 x64 at 64*select <arg3 wrapped dead] not TMA_STRIDE\n"
        "no CONTIGUOUS\n"
        "arg2 [1 t1 x64 at 64*select <arg4] [arg10 t0 x64 at 64*select <arg3] tma\n");
#undef STRIDES
}

// The ways of Triton's tutorials.
static void test_tutorials(void **state) {
#define TUTORIAL(body)                                                                                       \
    HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', M: 'i32', N: 'i32', K: 'i32',\n"           \
         "           sa: 'i32:16', sb: 'i32:16', sc: 'i32:16'):\n"                                           \
         "    pids = tl.cdiv(M, 128)\n    pidn = tl.cdiv(N, 128)\n    group = 8 * pidn\n" body
    // grouped by hand, as in 03-matrix-multiplication
    EXPECT(
        NULL,
        TUTORIAL("    pid = tl.program_id(0)\n    id = pid // group\n    first = id * 8\n"
                 "    size = min(pids - first, 8)\n    m = first + ((pid % group) % size)\n"
                 "    n = (pid % group) // size\n"
                 "    om = (m * 128 + tl.arange(0, 128)) % M\n    on = (n * 128 + tl.arange(0, 128)) % N\n"
                 "    ok = tl.arange(0, 64)\n    p = a + (om[:, None] * sa + ok[None, :])\n"
                 "    q = b + (ok[:, None] * sb + on[None, :])\n    u = tl.zeros((128, 128), tl.float32)\n"
                 "    for k in range(0, tl.cdiv(K, 64)):\n"
                 "        x = tl.load(p, mask=ok[None, :] < K - k * 64, other=0.0)\n"
                 "        y = tl.load(q, mask=ok[:, None] < K - k * 64, other=0.0)\n"
                 "        u = tl.dot(x, y, u)\n        p += 64\n        q += 64 * sb\n"
                 "    cm = m * 128 + tl.arange(0, 128)\n    cn = n * 128 + tl.arange(0, 128)\n"
                 "    tl.store(c + sc * cm[:, None] + cn[None, :], u.to(tl.float16),\n"
                 "             mask=(cm[:, None] < M) & (cn[None, :] < N))\n"),
        NULL, "reload",
        "arg0 [1 t1 x64 at 64*variable <arg5] [arg6 t0 x128 at 1024*divsi+128*remsi <arg3 wrapped dead] tma\n"
        "arg1 [1 t1 x128 at 128*divsi <arg4 wrapped dead] [arg7 t0 x64 at 64*variable <arg5] tma\n"
        "arg2 [1 t1 x128 at 128*divsi <arg4] [arg8 t0 x128 at 1024*divsi+128*remsi <arg3] tma\n");
    // tile after tile, as in 09-persistent-matmul
    EXPECT(
        NULL,
        TUTORIAL(
            "    for tile in tl.range(tl.program_id(0), pids * pidn, tl.num_programs(0)):\n"
            "        id = tile // group\n        first = id * 8\n        size = min(pids - first, 8)\n"
            "        m = first + (tile % size)\n        n = (tile % group) // size\n"
            "        om = m * 128 + tl.arange(0, 128)\n        on = n * 128 + tl.arange(0, 128)\n"
            "        om = tl.max_contiguous(tl.multiple_of(tl.where(om < M, om, 0), 128), 128)\n"
            "        on = tl.max_contiguous(tl.multiple_of(tl.where(on < N, on, 0), 128), 128)\n"
            "        u = tl.zeros((128, 128), tl.float32)\n"
            "        for ki in range(tl.cdiv(K, 64)):\n"
            "            ok = ki * 64 + tl.arange(0, 64)\n"
            "            x = tl.load(a + om[:, None] * sa + ok[None, :], mask=ok[None, :] < K, other=0.0)\n"
            "            y = tl.load(b + on[None, :] * sb + ok[:, None], mask=ok[:, None] < K, other=0.0)\n"
            "            u = tl.dot(x, y, u)\n"
            "        cm = m * 128 + tl.arange(0, 128)\n        cn = n * 128 + tl.arange(0, 128)\n"
            "        tl.store(c + sc * cm[:, None] + cn[None, :], u.to(tl.float16),\n"
            "                 mask=(cm[:, None] < M) & (cn[None, :] < N))\n"),
        NULL, "reload",
        "arg0 [1 t1 x64 at 64*variable <arg5] [arg6 t0 x128 at 1024*divsi+128*remsi <arg3 wrapped dead] tma\n"
        "arg1 [1 t0 x64 at 64*variable <arg5] [arg7 t1 x128 at 128*divsi <arg4 wrapped dead] tma\n"
        "arg2 [1 t1 x128 at 128*divsi <arg4] [arg8 t0 x128 at 1024*divsi+128*remsi <arg3] tma\n");
#undef TUTORIAL
}

// An index with an argument in only one of its ways, one limited to zero, and loops around memory read at an
// address from assembly.
static void test_scalars(void **state) {
    LOADS(", q: 'i32'", "    t = tl.load(x + (tl.maximum(q, 0) + i)[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 1*maxsi] tma\n");
    LOADS(", q: 'i32'", "    t = tl.load(x + (tl.where(N > 0, q, 0) + i)[:, None] * s + j[None, :])\n",
          "no FIRST_NEGATIVE\n");
    LOADS(", q: 'i32'",
          "    t = tl.load(x + (tl.where(N > 0, tl.program_id(1) * q, 0) + i)[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 1*select] tma\n");
    LOADS(", q: 'i32'",
          "    t = tl.load(x + (tl.minimum(tl.program_id(1), q // 2) + i)[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 1*minsi] tma\n");
    LOADS("",
          "    n = 0\n    if N > 0:\n        n = M\n    t = tl.load(x + (n + i)[:, None] * s + j[None, :])\n",
          "no FIRST_NEGATIVE\n");
    // an offset, possibly negative: not a stride of an index 1
    LOADS(", q: 'i32:16'", "    t = tl.load(x + (q + i)[:, None] * 128 + j[None, :])\n",
          "arg0+128*arg5 [1 t1 x128 at 0] [128 t0 x64 at 0] tma\n");
    LOADS(", q: 'i32:16'", "    t = tl.load(x + q + i[:, None] * s + j[None, :])\n",
          "arg0+arg5 [1 t1 x128 at 0] [arg4 t0 x64 at 0] tma\n");
    LOADS("", "    t = tl.load(x + (i + 5)[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 5] tma\n");
#define WITH_ID(body)                                                                                        \
    "    n = tl.inline_asm_elementwise('mov.u32 $0, %laneid;', '=r,r', [M], dtype=tl.int32, is_pure=True, "  \
    "pack=1) % 8\n" body
    LOADS("", WITH_ID("    t = tl.load(x + (tl.maximum(n, 0) + i)[:, None] * s + j[None, :])\n"),
          "no FIRST_DIFFERS\n");
    LOADS("",
          WITH_ID(
              "    t = tl.load(x + row[:, None] * s + j[None, :], mask=(n < N) & (row[:, None] < M)) + n\n"),
          "no MASK_GUARD\n");
    LOADS("", WITH_ID("    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < M) + n\n"),
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
#undef WITH_ID
}

static void test_batched_matmul(void **state) {
    EXPECT(
        "examples/batched_matmul.tk", NULL, "batched_matmul", "reload",
        "arg0 [1 t1 x32 at 1*variable <arg6] [arg8 t0 x64 at 64*select+64*remui <arg4] [arg7 at "
        "1*program_id2] tma\n"
        "arg1 [1 t1 x128 at 128*divui <arg5] [arg10 t0 x32 at 1*variable <arg6] [arg9 at 1*program_id2] tma\n"
        "arg2 [1 t1 x128 at 128*divui <arg5] [arg12 t0 x64 at 64*select+64*remui <arg4] [arg11 at "
        "1*program_id2] tma\n");
}

static void test_matmul_activation(void **state) {
    EXPECT("examples/matmul_activation.tk", NULL, "matmul_activation", "reload",
           "arg0 [1 t1 x32 at 1*variable <arg6] [arg7 t0 x128 at 128*select <arg4] tma\n"
           "arg1 [1 t1 x64 at 64*select <arg5] [arg8 t0 x32 at 1*variable <arg6] tma\n"
           "arg2 [1 t0 x64 at 64*select <arg5] tma\n"
           "arg3 [1 t1 x64 at 64*select <arg5] [arg9 t0 x128 at 128*select <arg4] tma\n");
}

static void test_attention(void **state) {
    EXPECT(
        "examples/attention.tk", NULL, "attention", "reload",
        "arg0 [1 t1 x128 at 0] [arg10 t0 x128 at 128*program_id0 <arg7] [arg8 at 1*divsi] [arg9 at 1*remsi] "
        "tma\n"
        "arg1 [1 t0 x128 at 0] [arg10 t1 x64 at 1*variable] [arg8 at 1*divsi] [arg9 at 1*remsi] tma\n"
        "arg2 [1 t1 x128 at 0] [arg10 t0 x64 at 1*variable] [arg8 at 1*divsi] [arg9 at 1*remsi] tma\n"
        "arg1 [1 t0 x128 at 0] [arg10 t1 x64 at 1*variable <arg7] [arg8 at 1*divsi] [arg9 at 1*remsi] tma\n"
        "arg2 [1 t1 x128 at 0] [arg10 t0 x64 at 1*variable <arg7] [arg8 at 1*divsi] [arg9 at 1*remsi] tma\n"
        "arg3 [1 t1 x128 at 0] [arg10 t0 x128 at 128*program_id0 <arg7] [arg8 at 1*divsi] [arg9 at 1*remsi] "
        "tma\n");
}

static void test_block_pointers(void **state) {
    EXPECT(
        "tests/lang/block.tk", NULL, "matmul", "reload",
        "arg0 [1 t1 x32 at 1*variable <arg5 tested] [arg5 t0 x32 at 32*divui <arg3 tested] not TMA_STRIDE\n"
        "arg1 [1 t1 x32 at 32*select+32*remui <arg4 tested] [arg4 t0 x32 at 1*variable <arg5 tested] not "
        "TMA_STRIDE\n"
        "arg2 [1 t1 x32 at 32*select+32*remui <arg4 tested] [arg4 t0 x32 at 32*divui <arg3 tested] not "
        "TMA_STRIDE\n");
    EXPECT("tests/lang/block.tk", NULL, "descriptor_matmul", "reload",
           "arg0 [1 t1 x32 at 1*variable <arg5 tested] [arg5 t0 x32 at 32*divui <arg3 tested] tma\n"
           "arg1 [1 t1 x32 at 1*variable <arg5 tested] [arg5 t0 x32 at 32*select+32*remui <arg4 tested] tma\n"
           "arg2 [1 t1 x32 at 32*select+32*remui <arg4 tested] [arg4 t0 x32 at 32*divui <arg3 tested] tma\n");
    EXPECT("tests/lang/block.tk", NULL, "advance", "reload",
           "arg0 [1 t1 x32 at 1*variable <arg3 tested] [arg3 t0 x16 at 0 <arg2 tested] not TMA_BASE\n"
           "arg1 [1 t1 x32 at 0] [32 t0 x16 at 0] not TMA_BASE\n");
    EXPECT("tests/lang/block.tk", NULL, "check_rows_only", "reload",
           "arg0 [1 t1 x32 at 0] [32 t0 x16 at 16*program_id0 <arg2 tested] tma\n"
           "arg1 [1 t1 x32 at 0] [32 t0 x16 at 16*program_id0 <arg2 tested] tma\n");
    EXPECT("tests/lang/block.tk", NULL, "column_major", "reload",
           "arg0 [1 t0 x32 at 0 <arg2 tested] [arg2 t1 x32 at 0 <arg3 tested] not TMA_BASE\n"
           "arg1 [1 t1 x32 at 0 <arg3 tested] [arg3 t0 x32 at 0 <arg2 tested] not TMA_BASE\n");
    EXPECT("tests/lang/block.tk", NULL, "pad", "reload",
           "no FILL\n"
           "arg1 [1 t1 x32 at 0] [32 t0 x16 at 0] not TMA_BASE\n"
           "arg0 [1 t1 x32 at 0 <arg3 tested] [arg3 t0 x16 at 0 <arg2 tested] not TMA_BASE\n"
           "arg1 [1 t1 x32 at 0] [32 t0 x16 at 16] not TMA_BASE\n"); // once with NaNs
}

// ---- other ways to write them ----

static void test_masks(void **state) {
    LOADS("", "    t = tl.load(x + row[:, None] * s + column[None, :])\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + column[None, :], mask=row[:, None] < M, other=0.0)\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + column[None, :], mask=(row < M)[:, None] & (N > "
          "column)[None, :])\n",
          "arg0 [1 t1 x128 at 128*program_id1 <arg3] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + column[None, :], mask=row[:, None] <= M - 1, other=0.0)\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + column[None, :], mask=i[:, None] < M - tl.program_id(0) * "
          "64, other=0.0)\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + column[None, :], mask=column[None, :] < 1000, other=0.0)\n",
          "arg0 [1 t1 x128 at 128*program_id1 <1000] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < 2 * M, other=0.0)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <2*arg2] tma\n");
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + column[None, :], mask=((row >= 0) & (row < M))[:, None], "
          "other=0.0)\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2 tested] tma\n");
    LOADS(", n: 'i32'",
          "    t = tl.load(x + (row - n)[:, None] * s + j[None, :], mask=((row - n >= 0) & (row - n < M))[:, "
          "None], other=0.0)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0+-1*arg5 <arg2 tested] tma\n");
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + column[None, :], mask=(row[:, None] < M) & "
          "(tl.program_id(2) < N), other=0.0)\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2] guards 1 tma\n");
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + column[None, :], mask=(row[:, None] < M) & (j[None, :] >= "
          "0), other=0.0)\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
}

static void test_wraps(void **state) {
    LOADS("", "    t = tl.load(x + (row % M)[:, None] * s + column[None, :])\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2 wrapped] tma\n");
    LOADS("", "    t = tl.load(x + tl.minimum(row, M - 1)[:, None] * s + column[None, :])\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2 wrapped] tma\n");
    LOADS("", "    t = tl.load(x + tl.where(row < M, row, 0)[:, None] * s + column[None, :])\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2 wrapped] tma\n");
    LOADS("", "    t = tl.load(x + (row % M)[:, None] * s + column[None, :], mask=row[:, None] < M)\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
    LOADS("",
          "    t = tl.load(x + tl.max_contiguous(tl.multiple_of(row % M, 64), 64)[:, None] * s + "
          "column[None, :])\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2 wrapped] tma\n");
    LOADS("", "    t = tl.load(x + (row % 512)[:, None] * s + column[None, :])\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <512 wrapped] tma\n");
    LOADS("", "    r = row % M\n    t = tl.load(x + r[:, None] * s + column[None, :], mask=r[:, None] < M)\n",
          "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2 wrapped] tma\n");
}

// A copy begins at a multiple of 16 bytes of a row.
static void test_corners(void **state) {
    LOADS("", "    t = tl.load(x + row[:, None] * s + (j + 8)[None, :])\n",
          "arg0 [1 t1 x128 at 8] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + (j + 4)[None, :])\n",
          "arg0 [1 t1 x128 at 4] [arg4 t0 x64 at 64*program_id0] not TMA_FIRST\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + (tl.program_id(1) * 12 + j)[None, :])\n",
          "arg0 [1 t1 x128 at 12*program_id1] [arg4 t0 x64 at 64*program_id0] not TMA_FIRST\n");
    LOADS("", "    t = tl.load(x + (i + 3)[:, None] * s + (tl.program_id(1) * N * 2 + j)[None, :])\n",
          "arg0 [1 t1 x128 at 2*program_id1*arg3] [arg4 t0 x64 at 3] not TMA_FIRST\n");
    LOADS("", "    t = tl.load(x + (i + 3)[:, None] * s + (tl.program_id(1) // 2 * 8 + j)[None, :])\n",
          "arg0 [1 t1 x128 at 8*divsi] [arg4 t0 x64 at 3] tma\n");
}

static void test_addresses(void **state) {
    LOADS("",
          "    p = x + tl.program_id(0).to(tl.int64) * 64 * s\n    t = tl.load(p + (i.to(tl.int64)[:, None] "
          "* s + j[None, :]))\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 0] [64*arg4 at 1*program_id0] tma\n");
    LOADS("", "    t = tl.load(x + j[None, :] + 0 * M + i[:, None] * s)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 0] tma\n");
    LOADS("", "    t = tl.load(x + (i[:, None] + 3) * s + j[None, :] + 16)\n",
          "arg0 [1 t1 x128 at 16] [arg4 t0 x64 at 3] tma\n");
    LOADS("", "    t = tl.load(x + i[:, None] * s + j[None, :] + 16, mask=j[None, :] + 16 < N)\n",
          "arg0 [1 t1 x128 at 16 <arg3] [arg4 t0 x64 at 0] tma\n");
    LOADS("", "    t = tl.load(x + i[:, None] * s + j[None, :] + 16, mask=j[None, :] < N)\n",
          "arg0+16 [1 t1 x128 at 0 <arg3] [arg4 t0 x64 at 0] tma\n");
    LOADS("", "    t = tl.load(x + i[:, None] * s + j[None, :] - 16, mask=j[None, :] < N)\n",
          "arg0+-16 [1 t1 x128 at 0 <arg3] [arg4 t0 x64 at 0] tma\n");
    LOADS("",
          "    t = tl.load(x + tl.program_id(2) * 4096 + row[:, None] * 64 + j[None, :], mask=row[:, None] < "
          "M)\n",
          "arg0 [1 t1 x128 at 4096*program_id2] [64 t0 x64 at 64*program_id0 <arg2] tma\n");
    LOADS("",
          "    t = tl.load(x + tl.program_id(2) * M * s + row[:, None] * s + j[None, :], mask=row[:, None] < "
          "M)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2] [arg4 at 1*program_id2*arg2] tma\n");
    LOADS("", "    t = tl.load(x + tl.program_id(2) * M * s + row[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 1*program_id2*arg2+64*program_id0] tma\n");
    LOADS(", b: 'i64:16', h: 'i32:16'",
          "    p = x + tl.program_id(2) // N * b + tl.program_id(2) % N * h\n    t = tl.load(p + row[:, "
          "None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] [arg5 at 1*divsi] [arg6 at 1*remsi] tma\n");
    LOADS("", "    t = tl.load(x + row.reshape(64, 1) * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS("", "    t = tl.load((x + j[:, None] + row[None, :] * s)).T\n",
          "arg0 [1 t0 x128 at 0] [arg4 t1 x64 at 64*program_id0] tma\n");
    LOADS("", "    t = tl.load((x + j[:, None] + row[None, :] * s).T)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS("", "    t = tl.load(x + (row[:, None] << 7) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [128 t0 x64 at 64*program_id0] tma\n");
    LOADS(", a: 'i32', c: 'i32'",
          "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] + tl.program_id(2) * 8 < M + "
          "tl.program_id(2) * 8)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
}

// Products of arguments: strides of tensors without gaps, and bounds.
static void test_products(void **state) {
#define BATCH "tl.program_id(2).to(tl.int64)"
    LOADS(", m: 'i32:16'", "    t = tl.load(x + " BATCH " * m * s + row[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] [arg4*arg5 at 1*program_id2] tma\n");
    LOADS(", m: 'i32:16'", "    t = tl.load(x + " BATCH " * (m * s) + row[:, None] * m + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg5 t0 x64 at 64*program_id0] [arg4*arg5 at 1*program_id2] tma\n");
    LOADS(", m: 'i32:4', n: 'i32:2'",
          "    t = tl.load(x + " BATCH " * m * n + row[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] [arg5*arg6 at 1*program_id2] tma\n");
    LOADS(", m: 'i32:2', n: 'i32:2'",
          "    t = tl.load(x + " BATCH " * m * n + row[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] [1 at 1*program_id2*arg5*arg6 low] [65536 "
          "at 1*program_id2*arg5*arg6 high] not TMA_STRIDE\n");
    LOADS(", m: 'i32'", "    t = tl.load(x + " BATCH " * N * m * s + row[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] [arg4 at 1*program_id2*arg3*arg5 low] "
          "[65536*arg4 at 1*program_id2*arg3*arg5 high] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * (s * M) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg2*arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS("",
          "    t = tl.load(x + (M * row)[:, None] * (2 * s) + tl.program_id(2) * s + j[None, :], mask=row[:, "
          "None] < M)\n",
          "arg0 [1 t1 x128 at 0] [2*arg2*arg4 t0 x64 at 64*program_id0 <arg2] [arg4 at 1*program_id2] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * (N * M) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg2*arg3 t0 x64 at 64*program_id0] not TMA_STRIDE\n");
    LOADS(", m: 'i32'", "    t = tl.load(x + row[:, None] * (N * M * m) + j[None, :])\n", "no STRIDE\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < M * N)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2*arg3] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < 2 * M * N - 3)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <2*arg2*arg3-3] tma\n");
    LOADS("", "    t = tl.load(x + (row % (M * N))[:, None] * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2*arg3 wrapped] tma\n");
    LOADS("",
          "    r = row % (M * N)\n    t = tl.load(x + r[:, None] * s + j[None, :], mask=(r < N * M)[:, "
          "None])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2*arg3 wrapped] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < M - 1)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2-1] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] <= M)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2+1] tma\n");
#undef BATCH
}

// Quotients of arguments by constants.
static void test_quotients(void **state) {
#define BATCH "tl.program_id(2).to(tl.int64)"
    LOADS(", h: 'i32'", "    t = tl.load(x + row[:, None] * (h // 4 * 128) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [128*(arg5/4) t0 x64 at 64*program_id0] tma\n");
    LOADS(", h: 'i64'", "    t = tl.load(x + row[:, None] * (h // 4 * 128) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [128*(arg5/4) t0 x64 at 64*program_id0] tma\n");
    LOADS(", h: 'i32'",
          "    t = tl.load(x + row[:, None] * (h.to(tl.int64) // 3 * 128) + tl.program_id(1) * 128 + j[None, "
          ":])\n",
          "arg0 [1 t1 x128 at 128*program_id1] [128*(arg5/3) t0 x64 at 64*program_id0] tma\n");
    LOADS(", h: 'u32'", "    t = tl.load(x + row[:, None] * ((h // 3).to(tl.int32) * 128) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [128*(arg5/3) t0 x64 at 64*program_id0] tma\n");
    // what is known of the quotient: 64 / 4 is a multiple of 16, 16 / 4 none, nor is a third
    LOADS(", h: 'i32:64'", "    t = tl.load(x + row[:, None] * (h // 4) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [(arg5/4) t0 x64 at 64*program_id0] tma\n");
    LOADS(", h: 'i32:16'", "    t = tl.load(x + row[:, None] * (h // 4) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [(arg5/4) t0 x64 at 64*program_id0] not TMA_STRIDE\n");
    LOADS(", h: 'i32:16'", "    t = tl.load(x + row[:, None] * (h // 3) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [(arg5/3) t0 x64 at 64*program_id0] not TMA_STRIDE\n");
    // grouped heads: rows and batches of one head in four
    LOADS(", h: 'i32'",
          "    hk = h // 4\n    t = tl.load(x + " BATCH
          " * M * hk * 64 + tl.program_id(1) // 4 * 64 + row[:, None] * "
          "(hk * 64) + j[None, :], mask=row[:, None] < M)\n",
          "arg0 [1 t1 x128 at 64*divsi] [64*(arg5/4) t0 x64 at 64*program_id0 <arg2] [64*(arg5/4)*arg2 at "
          "1*program_id2] "
          "tma\n");
    LOADS(", h: 'i32'", "    t = tl.load(x + row[:, None] * (h // 4 * s) + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [(arg5/4)*arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS(", h: 'i32'", "    t = tl.load(x + row[:, None] * (h // 4 * (M // 2) * 64) + j[None, :])\n",
          "no STRIDE\n"); // of one quotient
    LOADS(", h: 'i32'", "    t = tl.load(x + row[:, None] * (h // M * 64) + j[None, :])\n", "no STRIDE\n");
    LOADS(", h: 'i32'", "    t = tl.load(x + row[:, None] * (h // -4 * 64) + j[None, :])\n", "no STRIDE\n");
    LOADS(", h: 'i32'", "    t = tl.load(x + row[:, None] * ((h + 3) // 4 * 64) + j[None, :])\n",
          "no STRIDE\n");
    LOADS("", "    t = tl.load(x + row[:, None] * (tl.program_id(1) // 4 * 64) + j[None, :])\n",
          "no STRIDE\n");
    // bounds and wraps
    LOADS("", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < M // 2)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <(arg2/2)] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] <= M // 2 * N)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <(arg2/2)*arg3+1] tma\n");
    LOADS("",
          "    r = row % (M // 2)\n    t = tl.load(x + r[:, None] * s + j[None, :], mask=(r < M // 2)[:, "
          "None])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <(arg2/2) wrapped] tma\n");
    LOADS("",
          "    r = row % (M // 2)\n    t = tl.load(x + r[:, None] * s + j[None, :], mask=(row < M // 3)[:, "
          "None])\n",
          "no MASK_CONDITION\n");
    LOADS("",
          "    r = row % (M // 2)\n    t = tl.load(x + r[:, None] * s + j[None, :], mask=(row < M // 2)[:, "
          "None])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <(arg2/2)] tma\n");
    // indices of any size below such a bound are clamped to it: where that fits 32 bits
#define FAR                                                                                                  \
    "    far = (" BATCH " * 64 * M + i)[:, None]\n    t = tl.load(x + far * s + j[None, :], mask=far < "
    LOADS("", FAR "M // 2)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id2*arg2 wide <(arg2/2)] tma\n");
    LOADS("", FAR "2 * (M // 2))\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id2*arg2 wide <2*(arg2/2)] tma\n");
    LOADS("", FAR "3 * (M // 2))\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id2*arg2 wide <3*(arg2/2)] not TMA_INDEX\n");
#undef FAR
    // moves the tensor
    LOADS("", "    t = tl.load(x + (M // 2 + i)[:, None] * s - N // 3 * 16 + j[None, :])\n",
          "arg0+(arg2/2)*arg4+-16*(arg3/3) [1 t1 x128 at 0] [arg4 t0 x64 at 0] tma\n");
#undef BATCH
}

// Lengths that the host does not know cut the box.
static void test_cuts(void **state) {
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < tl.load(y).to(tl.int32))\n",
          "arg0+-64*arg4 [1 t1 x128 at 0] [arg4 t0 x64 at -64*program_id0+1*fptosi wide <64 cut] [arg4 at "
          "64*program_id0 behind 1] tma\n");
    LOADS("", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < M * N * s)\n",
          "arg0+-64*arg4 [1 t1 x128 at 0] [arg4 t0 x64 at -64*program_id0+1*arg4*arg2*arg3 wide <64 cut] "
          "[arg4 at 64*program_id0 behind 1] tma\n");
    LOADS(
        "",
        "    t = tl.load(x + row[:, None] * (M // 2 * 16) + j[None, :], mask=row[:, None] < (M + 1) // 2)\n",
        "arg0+-1024*(arg2/2) [1 t1 x128 at 0] [16*(arg2/2) t0 x64 at -64*program_id0+1*divsi wide <64 cut] "
        "[16*(arg2/2) at 64*program_id0 behind 1] tma\n");
}

// Terms equal for all programs are added to the address: exact for negative numbers, too.
static void test_offsets(void **state) {
    LOADS("", "    t = tl.load(x + (row - 1)[:, None] * s + j[None, :])\n",
          "arg0+-1*arg4 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS("", "    t = tl.load(x + (N + i)[:, None] * s + j[None, :])\n",
          "arg0+arg3*arg4 [1 t1 x128 at 0] [arg4 t0 x64 at 0] tma\n");
    LOADS(", q: 'i64:8'", "    t = tl.load(x + q - 64 + 2 * M * s + row[:, None] * s + j[None, :])\n",
          "arg0+arg5+-64+2*arg2*arg4 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS(", q: 'i64:4'", "    t = tl.load(x + q + row[:, None] * s + j[None, :])\n",
          "arg0+arg5 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] not TMA_OFFSET\n");
    LOADS("", "    t = tl.load(x - 4 + row[:, None] * s + j[None, :])\n",
          "arg0+-4 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] not TMA_OFFSET\n");
    LOADS(", q: 'i32:16'",
          "    t = tl.load(x + q + row[:, None] * s + j[None, :], mask=(j[None, :] < N) & (row[:, None] < "
          "M))\n",
          "arg0+arg5 [1 t1 x128 at 0 <arg3] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
    LOADS("", "    t = tl.load(x + 3 * s + row[:, None] * s + j[None, :], mask=row[:, None] < M)\n",
          "arg0+3*arg4 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
    // the mask counts from the start of the tensor
    LOADS(", q: 'i32:16'",
          "    t = tl.load(x + (q + i)[:, None] * s + j[None, :], mask=q + i[:, None] < M)\n",
          "no FIRST_NEGATIVE\n");
    LOADS(", q: 'i32:16'",
          "    t = tl.load(x + (q + i)[:, None] * s + j[None, :], mask=q + i[:, None] >= 0)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 1*arg5 tested] tma\n");
    LOADS(", q: 'i32:16'",
          "    t = tl.load(x + (row - q)[:, None] * s + j[None, :], mask=row[:, None] >= q)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0+-1*arg5 tested] tma\n");
    // five terms: four move the tensor
    LOADS(", q: 'i32:16', r: 'i32:16', u: 'i32:16', v: 'i32:16', w: 'i32:16'",
          "    t = tl.load(x + q + r + u + v + w + i[:, None] * s + j[None, :])\n", "no FIRST_NEGATIVE\n");
}

static void test_loops(void **state) {
#define LOOP(text, expected) LOADS("", "    t = tl.zeros([64, 128], tl.float16)\n" text, expected)
    LOOP("    p = x + row[:, None] * s + j[None, :]\n    for k in range(0, N, 128):\n        t += tl.load(p, "
         "mask=j[None, :] < N - k)\n        p += 128\n",
         "arg0 [1 t1 x128 at 1*variable <arg3] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOOP("    for k in range(0, N, 128):\n        t += tl.load(x + row[:, None] * s + k + j[None, :], mask=k "
         "+ j[None, :] < N)\n",
         "arg0 [1 t1 x128 at 1*variable <arg3] [arg4 t0 x64 at 64*program_id0] tma\n");
    LOOP("    p = x + i[:, None] * s + j[None, :]\n    for k in range(N):\n        t += tl.load(p)\n        "
         "p += 64 * s\n",
         "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 0] [64*arg4 at 1*variable] tma\n");
    LOOP("    p = x + i[:, None] * s + j[None, :]\n    for k in range(0, N, 32):\n        t += tl.load(p)\n  "
         "      p += 128\n",
         "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 0] [128 at 1*iteration] tma\n");
    LOOP("    for k in range(tl.program_id(0), N, tl.num_programs(0)):\n        t += tl.load(x + (k * 64 + "
         "i)[:, None] * s + j[None, :])\n",
         "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*variable] tma\n");
    LOOP("    q = x\n    for k in range(N):\n        t += tl.load(q + i[:, None] * s + j[None, :])\n        "
         "q += 128\n",
         "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 0] [128 at 1*variable] tma\n");
    LOOP("    for k in range(tl.program_id(0) // 2 * 64, N, 64):\n        t += tl.load(x + (k + i)[:, None] "
         "* s + j[None, :], mask=k + i[:, None] < M)\n",
         "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 1*variable <arg2] tma\n");
    LOOP("    p = x + i[:, None] * s + j[None, :]\n    for a in range(M):\n        for b in range(N):\n      "
         "      t += tl.load(p)\n            p += 128\n        p += s\n",
         "no ADDRESS\n");
    LOOP(
        "    p = x + i[:, None] * s + j[None, :]\n    for a in range(M):\n        for b in range(N // 4):\n  "
        "          t += tl.load(p)\n            p += 128\n        p += s\n",
        "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 1*variable] [128 at 1*variable] [128*(arg3/4) at 1*variable] "
        "tma\n");
    LOOP("    p = x + i[:, None] * s + j[None, :]\n    for a in range(0, N // 32 * 32, 32):\n        p += "
         "128\n"
         "    for b in range(M):\n        t += tl.load(p)\n        p += 128\n",
         "arg0+128*(arg3/32) [1 t1 x128 at 0] [arg4 t0 x64 at 0] [128 at 1*variable] tma\n");
    LOOP("    p = x + i[:, None] * s + j[None, :]\n    for a in range(0, N // 4, 32):\n        p += 128\n"
         "    t += tl.load(p)\n",
         "no ADDRESS\n");
    LOOP("    for a in range(M):\n        p = x + (a * 64 + i)[:, None] * s + j[None, :]\n        for b in "
         "range(N):\n            t += tl.load(p)\n            p += 128\n",
         "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*variable] [128 at 1*variable] tma\n");
    LOOP("    k = 0\n    p = x + i[:, None] * s + j[None, :]\n    while k < N:\n        k += 128\n        t "
         "+= "
         "tl.load(p, mask=j[None, :] < N + 128 - k)\n        p += 128\n",
         "arg0 [1 t1 x128 at 1*variable <arg3] [arg4 t0 x64 at 0] tma\n");
    LOOP("    k = N\n    p = x + i[:, None] * s + j[None, :]\n    while k > 0:\n        t += tl.load(p, "
         "mask=j[None, "
         ":] < k)\n        p += 128\n        k -= 128\n",
         "arg0 [1 t1 x128 at 1*variable <arg3] [arg4 t0 x64 at 0] tma\n");
    LOOP("    p = x + i[:, None] * s + j[None, :]\n    for k in range(N):\n        t += tl.load(p)\n        "
         "p -= 128\n",
         "no FIRST_NEGATIVE\n");
#undef LOOP
}

RUN(TEST(test_matmul), TEST(test_batched_matmul), TEST(test_matmul_strides), TEST(test_tutorials),
    TEST(test_scalars), TEST(test_matmul_activation), TEST(test_attention), TEST(test_block_pointers),
    TEST(test_masks), TEST(test_wraps), TEST(test_corners), TEST(test_addresses), TEST(test_products),
    TEST(test_quotients), TEST(test_cuts), TEST(test_offsets), TEST(test_loops))
