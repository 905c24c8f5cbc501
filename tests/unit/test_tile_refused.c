// Near misses: loads and stores that are no boxes, or boxes the hardware cannot copy.
#include "tile_testing.h"

#define REFUSED(reason, load) LOADS("", "    t = " load "\n", "no " #reason "\n")
#define AT(reason, address) REFUSED(reason, "tl.load(" address ")")
#define MASKED(reason, mask)                                                                                 \
    REFUSED(reason, "tl.load(x + row[:, None] * s + j[None, :], mask=" mask ", other=0.0)")

static void test_masks(void **state) {
    MASKED(FIRST_NEGATIVE, "tl.program_id(2) * 64 + i[:, None] < M");
    MASKED(MASK_CONDITION, "(row[:, None] < M) & (row[:, None] < N)");
    MASKED(MASK_CONDITION, "(row[:, None] < M) & (i[:, None] < N)");
    MASKED(MASK, "(row[:, None] < M) | (j[None, :] < N)");
    MASKED(MASK_CONDITION, "row[:, None] < j[None, :]");
    MASKED(MASK_CONDITION, "row[:, None] + j[None, :] < M");
    LOADS("",
          "    t = tl.load(x + row[:, None] * s + j[None, :], mask=tl.load(y + j)[None, :] > 0, other=0.0)\n",
          "arg1 [1 t0 x128 at 0] tma\nno MASK\n"); // mask of a load
    MASKED(MASK_CONDITION, "2 * j[None, :] < N");
    MASKED(MASK, "j[None, :] % 2 == 0");
    MASKED(MASK, "j[None, :] != N");
    MASKED(MASK_CONDITION, "row[:, None] >= M");
    MASKED(MASK, "row.to(tl.uint32)[:, None] < M.to(tl.uint32)");
    MASKED(MASK_CONDITION, "j[None, :] < tl.load(y).to(tl.int32)");
    MASKED(MASK_CONDITION, "j[None, :] < M * N * s");
    MASKED(MASK, "row.to(tl.float32)[:, None] < M");
    MASKED(MASK, "i.to(tl.int8)[:, None] < N.to(tl.int8)");
    AT(FILL, "x + row[:, None] * s + j[None, :], mask=row[:, None] < M, other=1.0");
    AT(FILL, "x + row[:, None] * s + j[None, :], mask=row[:, None] < M, other=tl.load(y).to(tl.float16)");
    AT(VOLATILE, "x + row[:, None] * s + j[None, :], volatile=True");
    AT(VOLATILE, "x + row[:, None] * s + j[None, :], cache_modifier=\".cv\"");
}

static void test_addresses(void **state) {
    AT(CONTIGUOUS, "x + row[:, None] * s + j[None, :] * 2");
    AT(STRIDE, "x + row[:, None] * s + (127 - j)[None, :]");
    AT(STRIDE, "x + 8192 - i[:, None] * 64 + j[None, :]");
    AT(DIMENSION, "x + 0 * i[:, None] + j[None, :]");
    AT(DIMENSION, "x + i[:, None] * s + i[:, None] + j[None, :]");
    AT(ADDRESS, "x + i[:, None] * i[:, None] * 128 + j[None, :]");
    AT(STRIDE, "x + row[:, None] * M * N * s + j[None, :]");
    AT(ADDRESS, "x + (i // 8)[:, None] * s + (i % 8)[:, None] * 128 + j[None, :]");
    AT(ADDRESS, "x + (i >> 3)[:, None] * s + (i & 7)[:, None] * 128 + j[None, :]");
    LOADS("", "    t = tl.load(x + tl.load(y + i).to(tl.int32)[:, None] * s + j[None, :])\n",
          "arg1 [1 t0 x64 at 0] tma\nno ADDRESS\n"); // gather
    AT(ADDRESS, "x + (i ^ 1)[:, None] * s + j[None, :]");
    AT(ADDRESS, "x + i[:, None] * j[None, :] + j[None, :]");
    AT(FIRST_NEGATIVE, "x + (row - 1)[:, None] * s + j[None, :], mask=row[:, None] - 1 < M, other=0.0");
    AT(FIRST_NEGATIVE, "x + (tl.minimum(N, 8) + i)[:, None] * s + j[None, :]");
    AT(FIRST_NEGATIVE, "x + (tl.minimum(tl.maximum(N, -3), 8) + i)[:, None] * s + j[None, :]");
    AT(FIRST_NEGATIVE, "x + (tl.where(N > 8, 8, N) + i)[:, None] * s + j[None, :]");
    AT(FIRST_NEGATIVE, "x + (tl.maximum(N.to(tl.int64), -3) + i)[:, None] * s + j[None, :]");
    AT(FIRST_NEGATIVE, "x + ((N & -8) + i)[:, None] * s + j[None, :]");
    AT(FIRST_NEGATIVE, "x + ((N | 1) + i)[:, None] * s + j[None, :]");
    AT(FIRST_NEGATIVE, "x + ((N ^ 1) + i)[:, None] * s + j[None, :]");
    AT(FIRST_NEGATIVE, "x + ((tl.program_id(0) - tl.program_id(1)) * 64 + i)[:, None] * s + j[None, :]");
    AT(FIRST_NEGATIVE, "x + (tl.load(y).to(tl.int32) + i)[:, None] * s + j[None, :]");
    AT(MASK_CONDITION,
       "x + (row - N)[:, None] * s + j[None, :], mask=((row >= N - 1) & (row - N < M))[:, None], other=0.0");
    AT(ADDRESS, "x + ((row - 64) % M)[:, None] * s + j[None, :]");
    AT(MASK_CONDITION, "x + (row % M)[:, None] * s + j[None, :], mask=row[:, None] < N, other=0.0");
    AT(MASK_CONDITION, "x + (row % M)[:, None] * s + j[None, :], mask=(row % M)[:, None] < N, other=0.0");
    AT(MASK_CONDITION,
       "x + (row % M)[:, None] * s + j[None, :], mask=tl.where(row < N, row, 9999)[:, None] < N, other=0.0");
    AT(MASK_CONDITION,
       "x + (row % M + 1)[:, None] * s + j[None, :], mask=(row % M + 1)[:, None] < M, other=0.0");
    AT(ADDRESS, "x + (row % ((M + 1) // 2))[:, None] * s + j[None, :]");
    AT(ADDRESS, "x + tl.maximum(row, M - 1)[:, None] * s + j[None, :]");
    AT(ADDRESS, "x + tl.minimum(row, M)[:, None] * s + j[None, :]");
    REFUSED(ADDRESS,
            "tl.load(((x + row[:, None] * s).to(tl.pointer_type(tl.int16)) + j[None, :])).to(tl.float16)");
    LOADS("",
          "    b = tl.load(x.to(tl.pointer_type(tl.int64))).to(tl.pointer_type(tl.float16))\n    t = "
          "tl.load(b + row[:, None] * s + j[None, :])\n",
          "no ADDRESS\n"); // loaded base
    LOADS("",
          "    b = x if M > 0 else y\n    if N > 0:\n        b = y\n    t = tl.load(b + row[:, None] * s + "
          "j[None, :])\n",
          "no ADDRESS\n"); // either base
    AT(ADDRESS, "x + (i.to(tl.int16) * 256)[:, None] + j[None, :]");
    AT(ADDRESS, "x + (row.to(tl.int64) * 3).to(tl.int32)[:, None] * 128 + j[None, :]");
    AT(ADDRESS, "x + (row - 64).to(tl.uint32).to(tl.uint64)[:, None] * 128 + j[None, :]");
}

static void test_loops(void **state) {
#define LOOP(reason, text) LOADS("", "    t = tl.zeros([64, 128], tl.float16)\n" text, "no " #reason "\n")
    // the bound moves
    LOOP(MASK_CONDITION,
         "    for k in range(0, N, 128):\n        t += tl.load(x + row[:, None] * s + j[None, :], "
         "mask=j[None, :] < k)\n");
    LOOP(MASK_CONDITION,
         "    left = N\n    for k in range(M):\n        t += tl.load(x + row[:, None] * s + j[None, :], "
         "mask=j[None, :] < left)\n        left = left // 2\n");
    // the mask moves and the address does not, and the other way round
    LOOP(FIRST_NEGATIVE,
         "    for k in range(0, N, 128):\n        t += tl.load(x + row[:, None] * s + j[None, :], "
         "mask=j[None, :] < N - k)\n");
    LOOP(FIRST_NEGATIVE,
         "    p = x + row[:, None] * s + j[None, :]\n    for k in range(0, N, 128):\n        t += tl.load(p, "
         "mask=j[None, :] - k < N)\n        p += 128\n");
    // changing steps, and steps other than additions
    LOOP(ADDRESS,
         "    p = x + i[:, None] * s + j[None, :]\n    for k in range(N):\n        t += tl.load(p)\n        "
         "p += k * 128\n");
    LOOP(ADDRESS,
         "    p = x + i[:, None] * s + j[None, :]\n    for k in range(N):\n        t += tl.load(p)\n        "
         "p += i[:, None] * s\n");
    LOOP(ADDRESS,
         "    p = x + i[:, None] * s + j[None, :]\n    for k in range(N):\n        t += tl.load(p)\n        "
         "if k > M:\n            p += 128\n");
    LOOP(ADDRESS,
         "    p = x + i[:, None] * s + j[None, :]\n    q = y + i[:, None] * s + j[None, :]\n    for k in "
         "range(N):\n        t += tl.load(p)\n        p, q = q, p\n");
    LOOP(ADDRESS,
         "    o = i * 0 + 64\n    for k in range(N):\n        t += tl.load(x + o[:, None] * s + j[None, "
         ":])\n        o = o * 2\n");
    LOOP(ADDRESS, "    k = 0\n    p = x + i[:, None] * s + j[None, :]\n    while (k < N) & (k < M):\n        "
                  "t += tl.load(p)\n    "
                  "    p += 128\n        k += 1\n");
    // downwards
    LOOP(FIRST_NEGATIVE,
         "    p = x + 1024 + i[:, None] * s + j[None, :]\n    for k in range(N):\n        t += tl.load(p)\n  "
         "      p -= 128\n");
#undef LOOP
}

static void test_stores(void **state) {
    EXPECT(
        NULL,
        COPY("",
             "    t = tl.load(x + row[:, None] * s + column[None, :])\n    tl.store(y + (row % M)[:, None] * "
             "s + column[None, :], t)\n    tl.store(y + row[:, None] * s + column[None, :], t, mask=t > "
             "0.0)\n    tl.store(y + row[:, None] * s + column[None, :], t, mask=row[:, None] < M)\n"),
        NULL, "cleanup",
        "arg0 [1 t1 x128 at 128*program_id1] [arg4 t0 x64 at 64*program_id0] tma\nno STORE_WRAPS\nno "
        "MASK\narg1 [1 t1 x128 at "
        "128*program_id1] [arg4 t0 x64 at 64*program_id0 <arg2] tma\n");
}

// Boxes that TMA cannot copy.
static void test_alignment(void **state) {
    LOADS(", q: 'i32'", "    t = tl.load(x + row[:, None] * q + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg5 t0 x64 at 64*program_id0] not TMA_STRIDE\n");
    LOADS(", q: 'i32'", "    t = tl.load(x + row[:, None] * q * 8 + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [8*arg5 t0 x64 at 64*program_id0] tma\n");
    LOADS(", q: 'i32:4'", "    t = tl.load(x + row[:, None] * q + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg5 t0 x64 at 64*program_id0] not TMA_STRIDE\n");
    LOADS(", q: '*fp16'", "    t = tl.load(q + row[:, None] * s + j[None, :])\n",
          "arg5 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] not TMA_BASE\n");
    LOADS(", q: '*fp64:16'", "    t = tl.load(q + row[:, None] * 2 * s + j[None, :]).to(tl.float16)\n",
          "arg5 [1 t1 x128 at 0] [2*arg4 t0 x64 at 64*program_id0] tma\n");
    LOADS(", q: '*fp16:8'", "    t = tl.load(q + row[:, None] * s + j[None, :])\n",
          "arg5 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] not TMA_BASE\n");
    LOADS("", "    t = tl.load(x + row[:, None] * 100 + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [100 t0 x64 at 64*program_id0] not TMA_STRIDE\n");
    LOADS(
        "",
        "    t = tl.load(x + tl.program_id(2) * 100 + row[:, None] * s + j[None, :], mask=j[None, :] < N)\n",
        "arg0 [1 t1 x128 at 0 <arg3] [arg4 t0 x64 at 64*program_id0] [100 at 1*program_id2] not "
        "TMA_STRIDE\n");
    LOADS(", q: 'i64'",
          "    t = tl.load(x + (tl.program_id(2) * q + row.to(tl.int64)[:, None]) * s + j[None, :])\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0] [arg4*arg5 at 1*program_id2] tma\n");
    LOADS(", q: 'i64'",
          "    t = tl.load(x + (tl.program_id(2) * q + row.to(tl.int64)[:, None]) * s + j[None, :], "
          "mask=tl.program_id(2) * q + row.to(tl.int64)[:, None] < M)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 1*program_id2*arg5+64*program_id0 wide <arg2] tma\n");
}

// An index possibly beyond 32 bits, against a 32-bit bound, and against others.
static void test_large_indices(void **state) {
    LOADS("",
          "    r = tl.program_id(0).to(tl.int64) * 4096 + i\n    t = tl.load(x + r[:, None] * s + j[None, "
          ":], mask=r[:, None] < M)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 4096*program_id0 wide <arg2] tma\n");
    LOADS("",
          "    r = tl.program_id(0).to(tl.int64) * 4096 + i\n    t = tl.load(x + r[:, None] * s + j[None, "
          ":], mask=r[:, None] < 2 * M.to(tl.int64))\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 4096*program_id0 wide <2*arg2] not TMA_INDEX\n");
    LOADS(", q: 'i64'",
          "    r = tl.program_id(0).to(tl.int64) * 4096 + i\n    t = tl.load(x + r[:, None] * s + j[None, "
          ":], mask=r[:, None] < q)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 4096*program_id0 wide <arg5] tma\n");
    LOADS(", q: 'i64'", "    t = tl.load(x + row[:, None] * s + j[None, :], mask=row[:, None] < q)\n",
          "arg0 [1 t1 x128 at 0] [arg4 t0 x64 at 64*program_id0 <arg5] tma\n");
}

static void test_rank(void **state) {
    EXPECT(NULL,
           HEAD "def kernel(x: '*fp16:16', a: 'i32:16', b: 'i32:16', c: 'i32:16', d: 'i32:16', e: "
                "'i32:16'):\n    i = tl.arange(0, 16)\n    p = x + i[:, None] * a + i[None, :] + "
                "tl.program_id(0) * b + tl.program_id(1) * c\n    t = tl.load(p + tl.program_id(2) * d)\n    "
                "tl.store(p + tl.num_programs(0) * d + tl.program_id(2) * e, t)\n",
           NULL, "cleanup",
           "arg0 [1 t1 x16 at 0] [arg1 t0 x16 at 0] [arg2 at 1*program_id0] [arg3 at 1*program_id1] [arg4 at "
           "1*program_id2] tma\nno SCALARS\n");
}

// A sum of thousands of parts, one within the other.
static void test_depth(void **state) {
    LOADS("",
          "    z = row\n    v = row + N\n    for q in tl.static_range(9000):\n        z = z + v\n"
          "    t = tl.load(x + z[:, None] * s + j[None, :])\n",
          "no ADDRESS\n");
}

RUN(TEST(test_masks), TEST(test_addresses), TEST(test_loops), TEST(test_stores), TEST(test_alignment),
    TEST(test_large_indices), TEST(test_rank), TEST(test_depth))
