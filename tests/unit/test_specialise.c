// Loops left to the plain schedule. Each source differs from a specialised product in one respect.
#include "testing.h"
#include "reason_testing.h"
#include "text_testing.h"
#include "tkc/tkc.h"

static const char product[] =
    "import triton\nimport triton.language as tl\n@triton.jit\n"
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', d: '*i32:16', M: 'i32:16', N: 'i32:16', K: "
    "'i32:16'):\n"
    "    i = tl.arange(0, 64)\n"
    "    s = tl.zeros((64, 64), tl.float32)\n"
    "%s"
    "    for step in range(0, tl.cdiv(K, 64)):\n"
    "        k = step * 64 + tl.arange(0, 64)\n"
    "        x = tl.load(a + i[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)\n"
    "        y = tl.load(b + k[:, None] * N + i[None, :], mask=k[:, None] < K, other=0.0)\n"
    "        s = tl.dot(x, y, s)\n"
    "    tl.store(c + i[:, None] * N + i[None, :], s, mask=(i[:, None] < M) & (i[None, :] < N))\n"
    "%s";

// Two products with x and y, constant for a tile; `v` is along the columns of the scores, `u` along their
// rows.
static const char chained[] =
    "import triton\nimport triton.language as tl\n@triton.jit\n"
    "def kernel(x: '*fp16:16', y: '*fp16:16', z: '*fp16:16', u: '*fp32:16', v: '*fp32:16', o: '*fp16:16', N: "
    "'i32', S: 'i32:16'):\n"
    "    i = tl.program_id(0) * 64 + tl.arange(0, 64)\n"
    "    k = tl.arange(0, 64)\n"
    "    l = tl.load(x + i[:, None] * S + k[None, :])\n"
    "    r = tl.load(y + i[:, None] * S + k[None, :])\n"
    "    w = tl.load(u + i%s)\n"
    "    s = tl.zeros((64, 64), tl.float32)\n"
    "    for start in range(0, N, %d):\n"
    "        j = start + tl.arange(0, %d)\n"
    "        a = tl.load(z + j[:, None] * S + k[None, :], mask=j[:, None] < N, other=0.0)\n"
    "        p = tl.dot(l, tl.trans(a)) - tl.load(v + j)[None, :]\n"
    "        p = (tl.dot(r, tl.trans(a)) - w[:, None]) * p\n"
    "        s = tl.dot(p.to(tl.float16), a, s)\n"
    "    tl.store(o + i[:, None] * S + k[None, :], s.to(tl.float16))\n";

// Stores with tests of both ends of a row, as through block pointers and descriptors.
static const char both_ends[] =
    "import triton\nimport triton.language as tl\n@triton.jit\n"
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp32:16', M: 'i32', K: 'i32:16'):\n"
    "    i, j, k = tl.program_id(0) * 64 + tl.arange(0, 64), tl.arange(0, 64)[None, :], tl.arange(0, 32)\n"
    "    s = tl.zeros((64, 64), tl.float32)\n"
    "    for step in range(0, K, 32):\n"
    "        x = tl.load(a + i[:, None] * K + (step + k)[None, :])\n"
    "        s = tl.dot(x, tl.load(b + (step + k)[:, None] * 64 + j), s)\n"
    "    i = i - %d\n"
    "    tl.store(c + i[:, None] * 64 + j, s, mask=(i[:, None] >= 0) & (i[:, None] < M))\n";

// Extents without hints: masks of single elements, and still boxes; except for stores, because these would
// write behind the end of a row.
static const char described[] =
    "import triton\nimport triton.language as tl\n@triton.jit\n"
    "def kernel(x: 'tensordesc<fp16[128, 64]>', y: 'tensordesc<fp16[64, 128]>', z: 'tensordesc<fp16[128, "
    "128]>'):\n"
    "    m, n, k = tl.program_id(0) * 128, tl.program_id(1) * 128, 0\n"
    "    s = tl.zeros((128, 128), tl.float32)\n"
    "    for step in range(0, tl.cdiv(x.shape[1], 64)):\n"
    "        s = tl.dot(x.load([m, k]), y.load([k, n]), s)\n"
    "        k += 64\n"
    "    z.store([m, n], s.to(tl.float16))\n";

// The IR behind the pass.
static char *compiled(const char *source, bool no_tensor_maps) {
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "kernel.tk";
    options.text = source;
    options.kind = TKC_MLIR;
    options.targets = (const char *[]){"sm_90a"};
    options.target_count = 1;
    options.outputs = (const char *[]){"-"};
    options.output_count = 1;
    options.stop_after = "specialise";
    options.grid = "1";
    options.no_tensor_maps = no_tensor_maps;
    struct tkc_result *result = tkc_compile(&options);
    assert_true(result->ok);
    char *text = strdup(result->artifacts[0].bytes);
    tkc_result_free(result);
    return text;
}

static char *specialised(const char *before, const char *behind, bool no_tensor_maps) {
    char source[4096];
    snprintf(source, sizeof source, product, before, behind);
    return compiled(source, no_tensor_maps);
}

// Why the loop is not specialised, and why its result is not stored by a tensor copy; REASON_NONE: it is.
static void expect(const char *before, const char *behind, enum reason loop, enum reason store) {
    char *text = specialised(before, behind, false);
    assert_int_equal(strstr(text, "\"tk.bulk_load\"") != NULL, loop == REASON_NONE);
    assert_int_equal(strstr(text, "\"tk.bulk_store\"") != NULL, loop == REASON_NONE && store == REASON_NONE);
    if ((loop != REASON_NONE && !says(text, ATTR_SPECIALISE, loop)) ||
        (store != REASON_NONE && !says(text, ATTR_TENSOR_COPY, store))) {
        fail_msg("not %s, %s: %s", reason_name(loop), reason_name(store), text);
    }
    free(text);
}

static void test_product(void **state) {
    expect("", "", REASON_NONE, REASON_NONE);
    char *text = specialised("", "", true);
    assert_null(strstr(text, "tk.bulk_load"));
    free(text);
}

// `loops` loops of two products each, all operands from arrays of their own.
static void expect_maps(int loops, int maps, bool store) {
    static const char head[] = "import triton\nimport triton.language as tl\n@triton.jit\ndef kernel(";
    static const char body[] = "c: '*fp32:16', N: 'i32:16', K: 'i32:16'):\n"
                               "    i = tl.arange(0, 64)\n"
                               "    s = tl.zeros((64, 64), tl.float32)\n";
    char source[8192];
    int at = snprintf(source, sizeof source, head);
    for (int n = 0; n < 2 * loops; n++) {
        at += snprintf(source + at, sizeof source - (size_t)at, "a%d: '*fp16:16', b%d: '*fp16:16', ", n, n);
    }
    at += snprintf(source + at, sizeof source - (size_t)at, body);
    for (int n = 0; n < 2 * loops; n++) {
        at += snprintf(source + at, sizeof source - (size_t)at,
                       "%s"
                       "        x = tl.load(a%d + i[:, None] * K + (k + i)[None, :], mask=(k + i)[None, :] < "
                       "K, other=0.0)\n"
                       "        y = tl.load(b%d + (k + i)[:, None] * N + i[None, :], mask=(k + i)[:, None] < "
                       "K, other=0.0)\n"
                       "        s = tl.dot(x, y, s)\n",
                       n % 2 ? "" : "    for k in range(0, K, 64):\n", n, n);
    }
    snprintf(source + at, sizeof source - (size_t)at,
             "    tl.store(c + i[:, None] * N + i[None, :], s, mask=(i[:, None] < N) & (i[None, :] < N))\n");
    char *text = compiled(source, false);
    assert_int_equal(occurrences(text, "tk.hidden = \"tensor_map\""), maps);
    assert_int_equal(occurrences(text, "\"tk.bulk_store\"") > 0, store);
    free(text);
}

// A packed sequence begins at row `first` and has `rows` rows. `%s`: what is ahead of the loop, and the loop's head.
static const char packed[] =
    "import triton\nimport triton.language as tl\n@triton.jit\n"
    "def kernel(q: '*fp16:16', k: '*fp16:16', o: '*fp16:16', starts: '*i32:16', H: 'i32:8'):\n"
    "    p, first = tl.program_id(0), tl.load(starts + tl.program_id(1))\n"
    "    rows = tl.load(starts + tl.program_id(1) + 1) - first\n"
    "%s"
    "    i, j, d = p * 64 + tl.arange(0, 64), tl.arange(0, 64), tl.arange(0, 64)\n"
    "    x = tl.load(q + (first + i)[:, None] * H + d[None, :], mask=i[:, None] < rows, other=0.0)\n"
    "    s = tl.zeros((64, 64), tl.float32)\n"
    "%s"
    "        y = tl.load(k + (first + n + j)[None, :] * H + d[:, None], mask=(n + j)[None, :] < rows, "
    "other=0.0)\n"
    "        z = tl.load(k + (first + n + j)[:, None] * H + d[None, :], mask=(n + j)[:, None] < rows, "
    "other=0.0)\n"
    "        w = tl.where(i[:, None] >= (n + j)[None, :], tl.dot(x, y), 0.0)\n"
    "        s = tl.dot(w.to(tl.float16), z, s)\n"
    "    tl.store(o + (first + i)[:, None] * H + d[None, :], s.to(tl.float16), mask=i[:, None] < rows)\n";

// `loops` loops; of their loads and that of q, `proved` boxes have an element for sure.
static void expect_outside(const char *ahead, const char *head, unsigned loops, unsigned proved) {
    char source[4096];
    snprintf(source, sizeof source, packed, ahead, head);
    char *text = compiled(source, false);
    assert_int_equal(occurrences(text, "outside = array<i32: "), 2 * loops + 1);
    assert_int_equal(occurrences(text, "outside = array<i32: 0, 0, 0>"), proved);
    free(text);
}

static void test_outside(void **state) {
    static const char leaves[] = "    if p * 64 >= rows:\n        return\n";
    static const char runs[] =
        "    if (p * 64 < rows) & (H > 64):\n        H += 0\n    else:\n        return\n";
    static const char far[] = "    if p * 64 >= rows + 1:\n        return\n";
    static const char *const ends[] = {"min(rows, (p + 1) * 64)", "min((p + 1) * 64, rows)",
                                       "min(rows + 1, (p + 1) * 64)", "(p + 1) * 64"};
    static const char tiles[] = "    for t in range(0, %s):\n        n = t * 64\n";
    char head[128];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(head, sizeof head, "    for n in range(0, %s, 64):\n", ends[i]);
        bool rows = i < 2; // in each step
        expect_outside(i % 2 ? runs : leaves, head, 2, rows ? 5 : 1);
        expect_outside(i % 2 ? "" : far, head, 2, rows ? 4 : 0); // perhaps no row of q
    }
    snprintf(head, sizeof head, tiles, "tl.cdiv(rows, 64)");
    expect_outside(leaves, head, 2, 5);
    snprintf(head, sizeof head, tiles, "tl.cdiv(rows + 1, 64)");
    expect_outside(leaves, head, 2, 1);
}

// Launchers have room for sixteen maps.
static void test_maps(void **state) {
    expect_maps(1, 5, true);
    expect_maps(4, 16, false);
}

// Ways to write a product: `%s` adds to the address of a, is the loop's head, its first statement, a second product, and the end of
// the loop. All operands come by tensor copies; the result's tile would cost a block, so threads store it, but for sums of two products.
static void expect_form(const char *place, const char *loop, const char *first, const char *second,
                        const char *last, int maps) {
    static const char form[] =
        "import triton\nimport triton.language as tl\n@triton.jit\n"
        "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', M: 'i32:16', N: 'i32:16', K: 'i32:16', up: "
        "'i32:16'):\n"
        "    i = tl.program_id(0) * 64 + tl.arange(0, 64)\n    j = tl.arange(0, 64)\n"
        "    ap = a + %si[:, None] * K + j[None, :]\n    bp = b + j[:, None] * N + j[None, :]\n"
        "    s = tl.zeros((64, 64), tl.float32)\n    t = tl.zeros((64, 64), tl.float32)\n    k = 0\n"
        "    %s\n        %s\n        x = tl.load(ap)\n        s = tl.dot(x, tl.load(bp), s)\n        %s\n"
        "        ap += 64\n        bp += 64 * N\n        %s\n"
        "    tl.store(c + i[:, None] * N + j[None, :], (s + t).to(tl.float16))\n";
    char source[4096];
    snprintf(source, sizeof source, form, place, loop, first, second, last);
    char *text = compiled(source, false);
    assert_int_equal(occurrences(text, "tk.hidden = \"tensor_map\""), maps);
    free(text);
}

static void test_forms(void **state) {
    const char *loop = "for step in range(0, K, 64):", *up = "t = tl.dot(x, tl.load(bp + up), t)";
    expect_form("tl.program_id(1).to(tl.int64) * M * K + ", loop, "", "", "", 2);
    expect_form("tl.program_id(1) * (M * K) - 64 + ", loop, "", "", "", 2);
    expect_form("", loop, "", up, "", 4);
    expect_form("", "while k < K:", "k += 64", "", "", 2);
    expect_form("up * K + ", "while K - 64 >= k:", "", up, "k += 64", 4);
    expect_form("", "while (k < K) & (k < M):", "", "", "k += 64", 0);
}

static void test_any_extents(void **state) {
    char *text = compiled(described, false);
    assert_non_null(strstr(text, "\"tk.bulk_load\""));
    assert_null(strstr(text, "\"tk.bulk_store\""));
    free(text);
}

static void expect_vectors(const char *index, int block, int loads, int vectors) {
    char source[4096];
    snprintf(source, sizeof source, chained, index, block, block);
    char *text = compiled(source, false);
    assert_int_equal(occurrences(text, "\"tk.bulk_load\""), loads);
    assert_int_equal(occurrences(text, "\"tk.smem_load\""), vectors);
    free(text);
}

// A vector's slot is aligned for tensor copies, 128 bytes, and a vector is contiguous in memory.
static void test_vectors(void **state) {
    expect_vectors("", 64, 5, 3); // in the loop's first iteration too, peeled off
    expect_vectors("", 32, 5, 3);
    expect_vectors("", 16, 4, 1);
    expect_vectors(" * 2", 64, 4, 2);
}

// The slot of a tile's vector is released after its last read, also if this read is behind the loop.
static void test_vectors_behind(void **state) {
    char source[4096];
    snprintf(source, sizeof source, chained, "", 64, 64);
    char *minus = strstr(source, " - w[:, None]"), *last = strstr(source, "s.to(tl.float16))\n");
    memset(minus, ' ', strlen(" - w[:, None]"));
    strcpy(last, "(s * w[:, None]).to(tl.float16))\n");
    char *text = compiled(source, false);
    const char *release = strstr(text, "{together}"), *read = NULL;
    for (const char *at = text; (at = strstr(at, "\"tk.smem_load\"")); at++) {
        read = at;
    }
    for (const char *at = release; (at = strstr(at, "{together}")); at++) {
        release = at;
    }
    assert_non_null(read);
    assert_true(read < release);
    free(text);
}

static void expect_room(const char *source, int warps, int stages, bool no_tensor_maps) {
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "kernel.tk";
    options.text = source;
    options.kind = TKC_PTX;
    options.targets = (const char *[]){"sm_90a"};
    options.target_count = 1;
    options.outputs = (const char *[]){"-"};
    options.output_count = 1;
    options.grid = "1";
    options.num_warps = warps;
    options.num_stages = stages;
    options.no_tensor_maps = no_tensor_maps;
    struct tkc_result *result = tkc_compile(&options);
    assert_true(result->ok);
    tkc_result_free(result);
}

// Two operands kept in shared memory during a loop leave room for two of its three stages.
static void test_room_beside_operands(void **state) {
    static const char source[] =
        "import triton\nimport triton.language as tl\n@triton.jit\n"
        "def kernel(x: '*fp16:16', y: '*fp16:16', z: '*fp16:16', o: '*fp32:16', N: 'i32', S: 'i32:16'):\n"
        "    i = tl.arange(0, 128)\n"
        "    l = tl.load(x + i[:, None] * S + i[None, :])\n"
        "    r = tl.load(y + i[:, None] * S + i[None, :])\n"
        "    s = tl.zeros((128, 128), tl.float32)\n"
        "    for j in range(0, N, 128):\n"
        "        a = tl.load(z + (j + i)[:, None] * S + i[None, :])\n"
        "        b = tl.load(z + (j + i)[:, None] * S + i[None, :] + 128)\n"
        "        s = tl.dot(l, tl.trans(a), s)\n"
        "        s = tl.dot(r, tl.trans(b), s)\n"
        "    tl.store(o + i[:, None] * S + i[None, :], s)\n";
    expect_room(source, 8, 3, true);
}

// The slots leave no room for scratch of half a kilobyte side by side; there is for one piece after the other.
static void test_room_for_scratch(void **state) {
    static const char source[] =
        "import triton\n"
        "import triton.language as tl\n"
        "@triton.jit\n"
        "def kernel(x: '*fp16:16', y: '*fp16:16', z: '*fp16:16', u: '*fp32:16', v: '*fp32:16', o: "
        "'*fp16:16', N: 'i32', S: 'i32:16', f: 'fp32'):\n"
        "    i = tl.program_id(0) * 128 + tl.arange(0, 128)\n"
        "    d = tl.arange(0, 128)\n"
        "    q = tl.load(x + i[:, None] * S + d[None, :])\n"
        "    w = tl.load(u + i)\n"
        "    s = tl.zeros((128, 128), tl.float32)\n"
        "    for start in range(0, tl.minimum(tl.program_id(0) * 128, N), 64):\n"
        "        j = start + tl.arange(0, 64)\n"
        "        a = tl.load(y + j[:, None] * S + d[None, :])\n"
        "        p = tl.dot(q, tl.trans(a)) - tl.load(v + j)[None, :] + w[:, None]\n"
        "        peak = tl.maximum(tl.max(p, 1) * f, -3.0)\n"
        "        p = tl.exp2(p * f - peak[:, None])\n"
        "        if start % 128 == 0:\n"
        "            p = p * (1.0 + 0.1 * w[:, None])\n"
        "        b = tl.load(z + j[:, None] * S + d[None, :])\n"
        "        s = tl.dot(p.to(tl.float16), b, s)\n"
        "        a = tl.load(y + j[:, None] * S + d[None, :])\n"
        "        p = tl.dot(q, tl.trans(a)) - tl.load(v + j)[None, :]\n"
        "        p = tl.exp2(p * f - peak[:, None])\n"
        "        if start % 128 == 0:\n"
        "            p = p * (1.0 + 0.1 * w[:, None])\n"
        "        b = tl.load(z + j[:, None] * S + d[None, :])\n"
        "        s = tl.dot(p.to(tl.float16), b, s)\n"
        "    tl.store(o + i[:, None] * S + d[None, :], (s * w[:, None]).to(tl.float16))\n";
    expect_room(source, 4, 4, false);
}

// Three vectors kept for a tile take a slot's room.
static void test_room_beside_vectors(void **state) {
    static const char source[] =
        "import triton\nimport triton.language as tl\n@triton.jit\n"
        "def kernel(x: '*fp16:16', y: '*fp16:16', z: '*fp16:16', u: '*fp32:16', o: '*fp16:16', N: 'i32', "
        "S: 'i32:16'):\n"
        "    i = tl.program_id(0) * 128 + tl.arange(0, 128)\n"
        "    d = tl.arange(0, 128)\n"
        "    q = tl.load(x + i[:, None] * S + d[None, :])\n"
        "    a = tl.load(u + i)\n"
        "    b = tl.load(u + i + 128)\n"
        "    c = tl.load(u + i + 256)\n"
        "    s = tl.zeros((128, 128), tl.float32)\n"
        "    for start in range(0, N, 64):\n"
        "        j = (start + tl.arange(0, 64))[:, None] * S + d[None, :]\n"
        "        p = tl.dot(q, tl.trans(tl.load(y + j))) + a[:, None] + b[:, None] + c[:, None]\n"
        "        s = tl.dot(p.to(tl.float16), tl.load(z + j), s)\n"
        "    tl.store(o + i[:, None] * S + d[None, :], s.to(tl.float16))\n";
    expect_room(source, 4, 4, false);
}

static void expect_dots(int block, int dots) {
    char source[4096];
    snprintf(source, sizeof source, chained, "", block, block);
    char *text = compiled(source, false);
    assert_int_equal(occurrences(text, "\"tk.dot\""), dots);
    free(text);
}

// The sum's product comes an iteration late: two of slots ahead of the loop, three in it, one behind. Results of 256 columns
// leave no registers for its operand.
static void test_late(void **state) {
    expect_dots(64, 6);
    expect_dots(256, 3);
}

// A bulk store is not visible to later code of the program.
static void test_stores(void **state) {
    expect("", "    tl.atomic_xchg(d, 1)\n", REASON_NONE, REASON_LAST_ACCESS);
    expect("", "    tl.store(d + i, i)\n", REASON_NONE, REASON_LAST_ACCESS);
    expect("", "    tl.debug_barrier()\n", REASON_NONE, REASON_LAST_ACCESS);
    expect("    t = tl.load(d)\n", "    tl.device_assert(t == 0)\n", REASON_NONE, REASON_NONE);
}

// Rows tested at both ends start at the first element, or before it: invalid for stores.
static void test_stores_of_both_ends(void **state) {
    for (int ahead = 0; ahead <= 8; ahead += 8) {
        char source[2048];
        snprintf(source, sizeof source, both_ends, ahead);
        char *text = compiled(source, false);
        assert_int_equal(occurrences(text, "\"tk.bulk_load\""), 2);
        assert_int_equal(occurrences(text, "\"tk.bulk_store\""), ahead == 0);
        free(text);
    }
}

// Several stores run in turn: the last one may overwrite the first one.
static void test_stores_in_turn(void **state) {
    char *text = specialised(
        "",
        "    tl.store(c + i[:, None] * N + i[None, :], s * 2, mask=(i[:, None] < M) & (i[None, :] < N))\n",
        false);
    assert_int_equal(occurrences(text, "\"tk.bulk_store\""), 2);
    assert_int_equal(occurrences(text, "{behind}"), 1);
    free(text);
}

// A producer waits for no other thread, and shares no barrier with assembly. Printed lines name the program
// by its block, and assembly may read the block's number.
static void test_roles(void **state) {
    static const char assembly[] =
        "    tl.inline_asm_elementwise('bar.sync 0; mov.b32 $0, $1;', '=r,r', [i], "
        "dtype=tl.int32, is_pure=False, pack=1)\n";
    expect("", assembly, REASON_ALL_WARPS, REASON_NONE);
    expect("", "    tl.device_print('row', i)\n", REASON_ALL_WARPS, REASON_NONE);
    static const char number[] =
        "    tl.store(d, tl.inline_asm_elementwise('mov.u32 $0, %ctaid.x;', '=r,r', [0], dtype=tl.int32, "
        "is_pure=True, pack=1))\n";
    expect("", number, REASON_ALL_WARPS, REASON_NONE);
    expect("    tl.store(d + i, i)\n", "", REASON_NONE, REASON_LAST_ACCESS);
    expect("    tl.store(a + i, 1.0)\n", "", REASON_ORDERS_MEMORY, REASON_NONE);
    expect("    tl.debug_barrier()\n", "", REASON_ORDERS_MEMORY, REASON_NONE);
}

RUN(TEST(test_product), TEST(test_outside), TEST(test_maps), TEST(test_forms), TEST(test_any_extents),
    TEST(test_vectors), TEST(test_late), TEST(test_stores_in_turn), TEST(test_stores),
    TEST(test_stores_of_both_ends), TEST(test_roles), TEST(test_vectors_behind),
    TEST(test_room_beside_operands), TEST(test_room_for_scratch), TEST(test_room_beside_vectors))
