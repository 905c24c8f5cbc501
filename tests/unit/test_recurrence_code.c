// Loops that carry the state of small dots: loads run ahead of stores, tiles are converted by matrix
// instructions, and vectors along a tile's rows and columns are loaded in the layout of their use.
#include "testing.h"
#include "assembly_testing.h"

enum { WARPS = 4 };

#define LOOP(change)                                                                                         \
    KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', n: 'i32', f: 'i32'):\n"             \
                "    i = tl.arange(0, 32)\n"                                                                 \
                "    o = i[:, None] * 32 + i[None, :]\n"                                                     \
                "    p = a + o\n"                                                                            \
                "    s = tl.zeros((32, 32), tl.float32)\n"                                                   \
                "    for k in range(n):\n"                                                                   \
                "        " change "\n"                                                                       \
                "        s = tl.dot(tl.load(p), tl.load(b + k * 1024 + o), s)\n"                             \
                "        p += 1024\n"                                                                        \
                "    tl.store(c + o, s)\n"

static unsigned copies(const char *text) {
    return plain_count(text, "sm_80", "cp.async.c");
}

// Loads do not wait for stores through other arguments, nor for atomic sums with unused results; they wait
// for everything else. Of two loads one may wait alone.
static void test_stores(void **state) {
    unsigned all = copies(LOOP("pass"));
    assert_true(all > 0);
    assert_int_equal(copies(LOOP("tl.store(c + k * 1024 + o, s)")), all);
    assert_int_equal(copies(LOOP("tl.atomic_add(c + o, s)")), all);
    assert_in_range(copies(LOOP("tl.store(b + k * 1024 + o, s.to(tl.float16))")), 1, all - 1);
    assert_in_range(copies(LOOP("tl.store(p + 1024, s.to(tl.float16))")), 1, all - 1);
    assert_int_equal(copies(LOOP("tl.store(tl.where(f > 0, c, c + 1) + o, s)")), all);
    assert_int_equal(copies(LOOP("tl.store(tl.where(f > 0, a, b) + o, s.to(tl.float16))")), 0);
    assert_int_equal(copies(LOOP("tl.store(c.to(tl.int64).to(tl.pointer_type(tl.float32)) + o, s)")), 0);
    assert_int_equal(copies(LOOP("s += tl.atomic_add(c + o, s)")), 0);
    assert_int_equal(copies(LOOP("tl.debug_barrier()")), 0);
}

// One tensor may be passed as both arguments: then a step reads its own stores, except at other offsets.
static void test_stores_in_place(void **state) {
#define IN_PLACE(store)                                                                                      \
    KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', n: 'i32'):\n"                       \
                "    i = tl.arange(0, 32)\n"                                                                 \
                "    o = i[:, None] * 32 + i[None, :]\n"                                                     \
                "    p = a + o\n"                                                                            \
                "    q = c + o\n"                                                                            \
                "    s = tl.zeros((32, 32), tl.float32)\n"                                                   \
                "    for k in range(n):\n"                                                                   \
                "        " store "\n"                                                                        \
                "        s = tl.dot(tl.load(p), tl.load(b + k * 1024 + o), s)\n"                             \
                "        p += 1024\n"                                                                        \
                "        q += 1024\n"                                                                        \
                "    tl.store(c + o, s.to(tl.float16))\n"
    unsigned all = copies(IN_PLACE("pass"));
    assert_true(all > 0);
    assert_in_range(copies(IN_PLACE("tl.store(q, s.to(tl.float16))")), 1, all - 1);
    assert_in_range(copies(IN_PLACE("tl.store(c + k * 1024 + o, s.to(tl.float16))")), 1, all - 1);
    assert_int_equal(copies(IN_PLACE("tl.store(c + k * 2048 + o, s.to(tl.float16))")), all);
}

// The first product's result is the second's right operand.
static void test_exchange(void **state) {
    static const char text[] = KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16'):\n"
                                           "    i = tl.arange(0, 32)\n"
                                           "    o = i[:, None] * 32 + i[None, :]\n"
                                           "    x = tl.load(a + o)\n"
                                           "    y = tl.dot(x, tl.load(b + o)).to(tl.float16)\n"
                                           "    tl.store(c + o, tl.dot(x, y))\n";
    assert_int_equal(
        plain_count(text, "sm_90a", "ld.shared.b16") + plain_count(text, "sm_90a", "ld.shared.u16"), 0);
    assert_true(plain_count(text, "sm_90a", "ldmatrix") > 0);
    assert_true(plain_count(text, "sm_90a", "stmatrix") > 0);
    assert_int_equal(plain_count(text, "sm_80", "stmatrix"), 0);
    assert_true(plain_count(text, "sm_80", "ldmatrix") > 0);
}

#define SCALED(factor)                                                                                       \
    KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', u: '*fp32:16', c: '*fp32:16'):\n"                  \
                "    i = tl.arange(0, 64)\n"                                                                 \
                "    o = i[:, None] * 64 + i[None, :]\n"                                                     \
                "    s = tl.dot(tl.load(a + o), tl.load(b + o))\n"                                           \
                "    tl.store(c + o, s" factor ")\n"

// Rows of sums are two in a thread: their factors are loaded there. Columns are sixteen: these change hands.
static void test_spread(void **state) {
    unsigned plain = plain_count(SCALED(""), "sm_90a", "bar.sync");
    assert_int_equal(plain_count(SCALED(" * tl.exp(tl.load(u + i))[:, None]"), "sm_90a", "bar.sync"), plain);
    assert_true(plain_count(SCALED(" * tl.load(u + i)[None, :]"), "sm_90a", "bar.sync") > plain);
    // An operand that is only a vector, beside a result of another shape.
    assert_true(plain_count(KERNEL_HEAD
                            "def kernel(a: '*fp16:16', u: '*fp16:16', c: '*fp32:16'):\n"
                            "    i = tl.arange(0, 64)\n"
                            "    j = tl.arange(0, 16)\n"
                            "    x = tl.where(i[:, None] <= i[None, :], tl.load(u + i)[None, :], 0.0)\n"
                            "    y = tl.load(a + i[:, None] * 16 + j[None, :])\n"
                            "    tl.store(c + i[:, None] * 16 + j[None, :], tl.dot(x, y))\n",
                            "sm_90a", "mma") > 0);
}

// The scaled tile is needed in the accumulator's layout: the loaded tile is converted there once, not each
// step's product of it.
static void test_sums(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', z: '*fp32:16', c: '*fp32:16', n: 'i32'):\n"
                    "    i = tl.arange(0, 32)\n"
                    "    o = i[:, None] * 32 + i[None, :]\n"
                    "    x = tl.load(a + o)\n"
                    "    s = tl.dot(x, tl.load(b + o))\n"
                    "    for k in range(n):\n"
                    "        s += tl.exp(x - tl.load(z + k * 32 + i)[None, :])\n"
                    "    tl.store(c + o, s)\n";
    struct tkc_options options = assembly_options(text, (const char *const[]){"sm_90a"}, WARPS);
    char *code = assembly_of(&options), *loop = strstr(code, "ex2.approx");
    assert_non_null(loop);
    char *branch = strstr(loop, "bra");
    assert_non_null(branch);
    *branch = 0;
    while (loop > code && strncmp(loop, "$L__BB", 6) != 0) {
        loop--;
    }
    assert_null(strstr(loop, "bar.sync"));
    free(code);
}

#define NARROW(type)                                                                                         \
    KERNEL_HEAD "def kernel(a: '*" type ":16', b: '*" type ":16', c: '*fp32:16'):\n"                         \
                "    i = tl.arange(0, 64)\n"                                                                 \
                "    j = tl.arange(0, 32)\n"                                                                 \
                "    x = tl.load(a + i[:, None] * 64 + i[None, :])\n"                                        \
                "    y = tl.load(b + i[:, None] * 32 + j[None, :])\n"                                        \
                "    tl.store(c + i[:, None] * 32 + j[None, :], tl.dot(x, y))\n"

// Right operands of 32 adjacent columns.
static void test_narrow(void **state) {
    assert_true(plain_count(NARROW("fp16"), "sm_90a", "wgmma.mma_async") > 0);
    assert_true(plain_count(NARROW("fp32"), "sm_90a", "wgmma.mma_async") > 0);
}

// Neither dimension is contiguous: lanes run along the kept one.
static void test_reduced(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(x: '*fp32:16', y: '*fp32:16', n: 'i32:16', k: 'i32:16'):\n"
                    "    i = tl.arange(0, 128)\n"
                    "    t = tl.load(x + i[:, None] * n + i[None, :] * k)\n"
                    "    tl.store(y + i, tl.max(t, 1))\n";
    assert_int_equal(plain_count(text, "sm_90a", "shfl"), 0);
}

// Rows and columns of a product by multiply-adds do not fit in registers: both tiles wait in shared memory, behind one barrier.
static void test_multiply_adds(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(a: '*fp32:16', b: '*fp32:16', c: '*fp32:16'):\n"
                    "    i = tl.arange(0, 64)\n"
                    "    o = i[:, None] * 64 + i[None, :]\n"
                    "    tl.store(c + o, tl.dot(tl.load(a + o), tl.load(b + o), input_precision='ieee'))\n";
    assert_int_equal(plain_count(text, "sm_90a", "bar.sync"), 1);
}

// A step of a sort written by hand: keys are loaded, their indices are not, and both meet.
static void test_sort(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(x: '*fp32:16', y: '*i32:16'):\n"
                    "    i = tl.arange(0, 512)\n"
                    "    key = tl.load(x + i)\n"
                    "    one = tl.arange(0, 2)[None, :, None]\n"
                    "    a = tl.reshape(key, [64, 2, 4])\n"
                    "    b = tl.reshape(i, [64, 2, 4])\n"
                    "    left = tl.broadcast_to(tl.sum(a * (1 - one), 1)[:, None, :], [64, 2, 4])\n"
                    "    right = tl.broadcast_to(tl.sum(a * one, 1)[:, None, :], [64, 2, 4])\n"
                    "    other = tl.broadcast_to(tl.sum(b * one, 1)[:, None, :], [64, 2, 4])\n"
                    "    tl.store(y + i, tl.reshape(tl.where(left > right, other, b), [512]))\n";
    assert_int_equal(plain_count(text, "sm_90a", "bar.sync"), 0);
    assert_int_equal(plain_count(text, "sm_90a", "st.shared"), 0);
}

// Tiles with arithmetic before the dot are loaded in the step before, but not in loops of few steps.
#define GATED(steps)                                                                                         \
    KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', g: '*fp32:16', c: '*fp32:16', n: 'i32'):\n"        \
                "    i = tl.arange(0, 32)\n"                                                                 \
                "    o = i[:, None] * 32 + i[None, :]\n"                                                     \
                "    s = tl.zeros((32, 32), tl.float32)\n"                                                   \
                "    for k in range(" steps "):\n"                                                           \
                "        x = tl.load(a + k * 1024 + o)\n"                                                    \
                "        y = (tl.load(b + k * 1024 + o) * tl.load(g + k * 1024 + o)).to(tl.float16)\n"       \
                "        s = tl.dot(x, y, s)\n"                                                              \
                "    tl.store(c + o, s)\n"

static void test_next_step(void **state) {
    assert_int_equal(plain_count(GATED("n"), "sm_80", "ld.global.v"),
                     2 * plain_count(GATED("n % 4"), "sm_80", "ld.global.v"));
}

// A state summed in each step: its loads run a step ahead, with one stage too, but not loads from an array
// stored in the loop.
#define STATE(sum, options)                                                                                  \
    KERNEL_HEAD "def kernel(k: '*fp32:16', v: '*fp32:16', o: '*fp32:16', n: 'i32'):\n"                       \
                "    i = tl.arange(0, 32)\n"                                                                 \
                "    h = tl.zeros((32, 32), tl.float32)\n"                                                   \
                "    for t in tl.range(n" options "):\n"                                                     \
                "        x = tl.load(k + t * 32 + i)\n"                                                      \
                "        y = tl.load(v + t * 32 + i) - tl.sum(" sum ", 1)\n"                                 \
                "        tl.store(v + t * 32 + i, y)\n"                                                      \
                "        h += x[None, :] * y[:, None]\n"                                                     \
                "    tl.store(o + i[:, None] * 32 + i[None, :], h)\n"

static void test_state(void **state) {
    assert_int_equal(plain_count(STATE("x[None, :] * x[:, None]", ""), "sm_90a", "ld.global"), 2);
    assert_int_equal(plain_count(STATE("h * x[None, :]", ""), "sm_90a", "ld.global"), 3);
    assert_int_equal(plain_count(STATE("h * x[None, :]", ", num_stages=1"), "sm_90a", "ld.global"), 3);
}

// A tile added to f32 accumulators is converted in the type of its load: half as many bytes.
static void test_widened(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', x: '*fp16:16', c: '*fp32:16'):\n"
                    "    i = tl.arange(0, 64)\n"
                    "    o = i[:, None] * 64 + i[None, :]\n"
                    "    s = tl.dot(tl.load(a + o), tl.load(b + o))\n"
                    "    y = tl.load(x + o).to(tl.float32)\n"
                    "    tl.store(c + o, s * y)\n"
                    "    tl.store(c + 4096 + o, tl.exp(y))\n";
    assert_int_equal(plain_count(text, "sm_80", "st.shared.v4"), 4 + 4 + 4 + 8); // a, b, x and the sums
}

// Two halves of a word are computed with in one instruction if the chip can; an absolute value is bits.
#define HALVES(type, value)                                                                                  \
    KERNEL_HEAD "def kernel(a: '*" type ":16', b: '*" type ":16', c: '*" type ":16'):\n"                     \
                "    i = tl.arange(0, 1024)\n"                                                               \
                "    x = tl.load(a + i)\n"                                                                   \
                "    y = tl.load(b + i)\n"                                                                   \
                "    tl.store(c + i, " value ")\n"

static void test_halves(void **state) {
    assert_int_equal(plain_count(HALVES("bf16", "x * y"), "sm_90a", "mul.rn.bf16x2"), 4);
    assert_int_equal(plain_count(HALVES("bf16", "x - y"), "sm_90a", "sub.rn.bf16x2"), 4);
    assert_int_equal(plain_count(HALVES("bf16", "x - y"), "sm_86", "fma.rn.bf16x2"), 4);
    assert_int_equal(plain_count(HALVES("bf16", "x + y"), "sm_75", "fma.rn.bf16x2"), 0);
    assert_int_equal(plain_count(HALVES("fp16", "x + y"), "sm_75", "add.rn.f16x2"), 0);
    assert_int_equal(
        plain_count(HALVES("fp16", "tl.exp(x.to(tl.float32)).to(tl.float16) + y"), "sm_75", "add.rn.f16x2"),
        4);
    assert_int_equal(plain_count(HALVES("fp16", "tl.abs(x)"), "sm_80", "cvt.f32.f16"), 0);
    need_llvm(22, "19 multiplies the halves one by one there");
    assert_int_equal(plain_count(HALVES("bf16", "x * y"), "sm_80", "fma.rn.bf16x2"), 4);
}

// Without registers for loads ahead they are copied to shared memory, if it has room: 32 registers and 48 KB
// each.
static void test_computed_loads(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp32:16', g: '*fp32:16', c: '*fp32:16', n: 'i32'):\n"
                    "    i = tl.arange(0, 32)\n"
                    "    j = tl.arange(0, 128)\n"
                    "    s = tl.zeros((32, 32), tl.float32)\n"
                    "    for k in range(n):\n"
                    "        x = tl.load(a + i[:, None] * 128 + j[None, :] + k * 4096)\n"
                    "        o = j[:, None] * 32 + i[None, :] + k * 4096\n"
                    "        y = (tl.load(b + o) * tl.load(g + o)).to(tl.float16)\n"
                    "        s = tl.dot(x, y, s)\n"
                    "    tl.store(c + i[:, None] * 32 + i[None, :], s)\n";
    assert_int_equal(plain_count(text, "sm_90a", "ld.global.v4"), 2 * 8);
    assert_int_equal(plain_count(text, "sm_89", "ld.global.v4"), 3 * 8);
}

// They are also not loaded ahead in registers if these would cost a block: beside 64 accumulators a thread
// there is room for four blocks, in registers and in shared memory. If little is computed with a tile, it is
// copied like an operand, and the arithmetic is done behind the copy by all threads that multiply with it.
#define WEIGHTED(value)                                                                                      \
    KERNEL_HEAD                                                                                              \
    "def kernel(a: '*fp16:16', b: '*fp16:16', g: '*fp32:16', c: '*fp32:16', n: 'i32'):\n"                    \
    "    i = tl.arange(0, 64)\n"                                                                             \
    "    j = tl.arange(0, 128)\n"                                                                            \
    "    k = tl.arange(0, 32)\n"                                                                             \
    "    s = tl.zeros((64, 128), tl.float32)\n"                                                              \
    "    for t in range(n):\n"                                                                               \
    "        x = tl.load(a + i[:, None] * 8192 + k[None, :] + t * 32)\n"                                     \
    "        y = tl.load(b + k[:, None] * 128 + j[None, :] + t * 4096)\n"                                    \
    "        w = (" value " * tl.load(g + k + t * 32)[:, None]).to(tl.float16)\n"                            \
    "        s = tl.dot(x, w, s)\n"                                                                          \
    "    tl.store(c + i[:, None] * 128 + j[None, :], s)\n"

#define BOTH_WEIGHTED                                                                                        \
    KERNEL_HEAD                                                                                              \
    "def kernel(a: '*fp16:16', b: '*fp16:16', g: '*fp32:16', c: '*fp32:16', n: 'i32'):\n"                    \
    "    i = tl.arange(0, 64)\n"                                                                             \
    "    j = tl.arange(0, 128)\n"                                                                            \
    "    k = tl.arange(0, 32)\n"                                                                             \
    "    s = tl.zeros((64, 128), tl.float32)\n"                                                              \
    "    for t in range(n):\n"                                                                               \
    "        x = tl.load(a + i[:, None] * 8192 + k[None, :] + t * 32)\n"                                     \
    "        x = tl.exp2(tl.exp2(tl.exp2(x.to(tl.float32)) * 0.5)).to(tl.float16)\n"                         \
    "        y = tl.load(b + k[:, None] * 128 + j[None, :] + t * 4096)\n"                                    \
    "        w = (tl.exp2(y.to(tl.float32)) * tl.load(g + k + t * 32)[:, None]).to(tl.float16)\n"            \
    "        s = tl.dot(x, w, s)\n"                                                                          \
    "    tl.store(c + i[:, None] * 128 + j[None, :], s)\n"

static void test_weighted_loads(void **state) {
    assert_int_equal(plain_count(WEIGHTED("tl.exp2(y.to(tl.float32))"), "sm_90a", "ld.global.v4"), 0);
    // Each warp has columns of its own, so that nobody repeats the exponentials; with as much work in the left operand two do.
    assert_int_equal(plain_count(WEIGHTED("tl.exp2(y.to(tl.float32))"), "sm_89", "ld.global.v4"), 0);
    assert_true(plain_count(BOTH_WEIGHTED, "sm_89", "ld.global.v4") > 0); // two blocks
    assert_int_equal(plain_count(WEIGHTED("y"), "sm_89", "ld.global.v4"), 0);
}

#define PRODUCT(stages)                                                                                      \
    KERNEL_HEAD                                                                                              \
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', n: 'i32'):\n"                                   \
    "    i = tl.arange(0, 64)\n"                                                                             \
    "    o = i[:, None] * 8192 + i[None, :]\n"                                                               \
    "    s = tl.zeros((64, 64), tl.float32)\n"                                                               \
    "    for k in tl.range(n, num_stages=" stages "):\n"                                                     \
    "        s = tl.dot(tl.load(a + (o + k * 64) % 4096), tl.load(b + (o + k * 64) % 4096), s)\n"            \
    "    tl.store(c + i[:, None] * 64 + i[None, :], s)\n"

// The copies of a step stand behind its dot with three stages; with four they have a slot before it.
static void expect_behind(const char *text, bool behind) {
    struct tkc_options options = assembly_options(text, (const char *const[]){"sm_90a"}, WARPS);
    char *code = assembly_of(&options), *dot = strstr(code, "wgmma.mma_async"), *copy = NULL, *end = NULL;
    if (dot) {
        copy = strstr(dot, "cp.async.c");
        end = strstr(dot, "bra");
    }
    assert_true(dot && end);
    assert_int_equal(copy && copy < end, behind);
    free(code);
}

static void test_behind(void **state) {
    expect_behind(PRODUCT("3"), true);
    expect_behind(PRODUCT("4"), false);
}

#define PRODUCTS(columns, stages, second)                                                                    \
    KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', n: 'i32'):\n"                       \
                "    i = tl.arange(0, 64)\n"                                                                 \
                "    j = tl.arange(0, " columns ")\n"                                                        \
                "    o = i[:, None] * 8192 + j[None, :]\n"                                                   \
                "    u = j[:, None] * 8192 + i[None, :]\n"                                                   \
                "    s = tl.zeros((64, 64), tl.float32)\n"                                                   \
                "    t = s\n"                                                                                \
                "    for k in tl.range(n, num_stages=" stages "):\n"                                         \
                "        s = tl.dot(tl.load(a + o), tl.load(b + u), s)\n"                                    \
                "        " second "\n"                                                                       \
                "        o += 128\n"                                                                         \
                "        u += 128\n"                                                                         \
                "    tl.store(c + i[:, None] * 64 + i[None, :], s + t)\n"
#define SECOND "t = tl.dot(tl.load(a + 4096 + o), tl.load(b + 4096 + u), t)"

// Two of three stages are kept if another block then has room: 96 KB of sm_80's 163 become 64. One product
// keeps its three stages of 96 KB, and two products their three of 48, because another block has room
// already.
static void test_two_blocks(void **state) {
    assert_int_equal(copies(PRODUCTS("64", "3", SECOND)), copies(PRODUCTS("64", "2", SECOND)));
    assert_true(copies(PRODUCTS("128", "3", "pass")) > copies(PRODUCTS("128", "2", "pass")));
    assert_true(copies(PRODUCTS("32", "3", SECOND)) > copies(PRODUCTS("32", "2", SECOND)));
}

// Operands of a product outside of loops: both are stored, and then there is one barrier.
static void test_one_fence(void **state) {
    assert_int_equal(plain_count(NARROW("fp16"), "sm_90a", "fence.proxy.async"), 1);
}

// 32-bit accumulators are stored in rows of 16 bytes a thread, beside 16-bit operands loaded in the same way.
static void test_stored(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', n: 'i32'):\n"
                    "    i = tl.arange(0, 64)\n"
                    "    o = i[:, None] * 64 + i[None, :]\n"
                    "    s = tl.zeros((64, 64), tl.float32)\n"
                    "    for k in range(n):\n"
                    "        s = tl.dot(tl.load(a + k * 4096 + o), tl.load(b + k * 4096 + o), s)\n"
                    "    tl.store(c + o, s)\n";
    assert_int_equal(plain_count(text, "sm_80", "st.global.v4"), 8);
    assert_int_equal(plain_count(text, "sm_80", "+16],"), 0); // not two halves of 32 bytes
}

// Masks that choose the state, too: where a thread has more of them than predicates, loads run a step ahead, those of the first step
// ahead of the loop.
static void test_masks_of_state(void **state) {
#define MASKED(count)                                                                                        \
    KERNEL_HEAD "def kernel(a: '*fp32', c: '*fp32', n: 'i32'):\n"                                            \
                "    i = tl.arange(0, " count ")\n"                                                          \
                "    m = tl.zeros((" count ",), tl.float32)\n"                                               \
                "    for k in range(0, n, " count "):\n"                                                     \
                "        v = tl.load(a + k + i, mask=k + i < n, other=0.0)\n"                                \
                "        m = tl.where(k + i < n, m + (v - m) / (k + 1.0), m)\n"                              \
                "    tl.store(c + i, m)\n"
    assert_int_equal(plain_count(MASKED("512"), "sm_90", "ld.global"), 4);
    assert_int_equal(plain_count(MASKED("1024"), "sm_90", "ld.global"), 16);
}

// What a scan combines has no branches for rare arguments: a thread runs it many times.
static void test_combination_without_branches(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(a: '*fp32:16', c: '*fp32:16'):\n"
                    "    i = tl.arange(0, 512)\n"
                    "    tl.store(c + i, tl.associative_scan(tl.load(a + i), 0, add))\n"
                    "@triton.jit\n"
                    "def add(x, y):\n"
                    "    return tl.log(tl.exp(x) + tl.exp(y))\n";
    assert_int_equal(plain_count(text, "sm_90", "bra"), 0);
}

// Threads that scan long runs by long combinations state one block more than their registers leave room for; those that only sum, or
// leave room for many warps, state none.
static void test_blocks_of_scans(void **state) {
#define TWO_SCANS(count, combine)                                                                            \
    KERNEL_HEAD "def kernel(a: '*fp32:16', b: '*fp32:16', c: '*fp32:16'):\n"                                 \
                "    i = tl.arange(0, " count ")\n"                                                          \
                "    x = tl.load(a + i)\n"                                                                   \
                "    y = tl.load(b + i)\n"                                                                   \
                "    u, v = tl.associative_scan((x, y), 0, " combine ")\n"                                   \
                "    p, q = tl.associative_scan((y, x), 0, " combine ")\n"                                   \
                "    tl.store(c + i, u + v + p * q + x * y)\n"                                               \
                "@triton.jit\n"                                                                              \
                "def affine(x, y, z, w):\n"                                                                  \
                "    return tl.maximum(x * z, y), tl.minimum(y * z + w, x)\n"                                \
                "@triton.jit\n"                                                                              \
                "def sums(x, y, z, w):\n"                                                                    \
                "    return x + z, y + w\n"
    assert_int_equal(plain_count(TWO_SCANS("2048", "affine"), "sm_90", ".minnctapersm"), 1);
    assert_int_equal(plain_count(TWO_SCANS("2048", "sums"), "sm_90", ".minnctapersm"), 0);
    assert_int_equal(plain_count(TWO_SCANS("1024", "affine"), "sm_90", ".minnctapersm"), 0);
}

#define COMBINATIONS                                                                                         \
    "@triton.jit\n"                                                                                          \
    "def roots(x, y):\n"                                                                                     \
    "    return tl.sqrt_rn(x * x + y * y + x * y + 1.0)\n"                                                   \
    "@triton.jit\n"                                                                                          \
    "def sums(x, y):\n"                                                                                      \
    "    return x + y\n"

// The ends of eight warps, or of four warps in two runs, are scanned in three steps of lanes. Short combinations go one by one.
static void test_ends_of_warps(void **state) {
#define SCAN_OF_WARPS(combine)                                                                               \
    KERNEL_HEAD "def kernel(a: '*fp32:16', c: '*fp32:16'):\n"                                                \
                "    i = tl.arange(0, 1024)\n"                                                               \
                "    tl.store(c + i, tl.associative_scan(tl.load(a + i), 0, " combine "))\n" COMBINATIONS
    // own elements, lanes, ends, what the earlier warps and lanes have, and each element with that
    assert_int_equal(assembly_count(SCAN_OF_WARPS("roots"), "sm_90", 8, "sqrt.rn"), 3 + 5 + 3 + 1 + 4);
    assert_int_equal(assembly_count(SCAN_OF_WARPS("roots"), "sm_90", 4, "sqrt.rn"), 2 * (3 + 5 + 1 + 4) + 3);
    assert_int_equal(assembly_count(SCAN_OF_WARPS("sums"), "sm_90", 8, "shfl"), 5 + 1);
}

// Eight warps' partial results of a long combination are combined in three steps of lanes. Short ones, and those of four warps,
// each thread combines.
static void test_partial_results_of_warps(void **state) {
#define TOTAL(combine)                                                                                       \
    KERNEL_HEAD "def kernel(a: '*fp32:16', c: '*fp32:16'):\n"                                                \
                "    tl.store(c, tl.reduce(tl.load(a + tl.arange(0, 1024)), 0, " combine "))\n" COMBINATIONS
    assert_int_equal(assembly_count(TOTAL("roots"), "sm_90", 8, "sqrt.rn"), 3 + 5 + 3);
    assert_int_equal(assembly_count(TOTAL("roots"), "sm_90", 4, "sqrt.rn"), 7 + 5 + 3);
    assert_int_equal(assembly_count(TOTAL("sums"), "sm_90", 8, "shfl"), 5);
}

RUN(TEST(test_stores), TEST(test_exchange), TEST(test_spread), TEST(test_sums), TEST(test_narrow),
    TEST(test_multiply_adds), TEST(test_sort), TEST(test_stored), TEST(test_next_step), TEST(test_reduced),
    TEST(test_computed_loads), TEST(test_behind), TEST(test_one_fence), TEST(test_state), TEST(test_halves),
    TEST(test_widened), TEST(test_two_blocks), TEST(test_weighted_loads), TEST(test_stores_in_place),
    TEST(test_masks_of_state), TEST(test_combination_without_branches), TEST(test_blocks_of_scans),
    TEST(test_ends_of_warps), TEST(test_partial_results_of_warps))
