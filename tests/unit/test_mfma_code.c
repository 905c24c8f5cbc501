// CDNA's matrix instructions in final code: results of more than 4 registers overlap none of their operands,
// accumulators stay in registers reachable by arithmetic, and kernels with a greater need have more
// registers.
#include "testing.h"
#include "assembly_testing.h"

static const char *const chips[] = {"gfx90a", "gfx942"};
enum { CHIPS = sizeof chips / sizeof *chips };

#define HEAD                                                                                                 \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', K: 'i32:16', M: tl.constexpr, N: "              \
    "tl.constexpr):\n"                                                                                       \
    "    i = tl.arange(0, M)\n"                                                                              \
    "    j = tl.arange(0, N)\n"                                                                              \
    "    k = tl.arange(0, 16)\n"
#define LOADS                                                                                                \
    "        x = tl.load(a + i[:, None] * K + s + k[None, :])\n"                                             \
    "        y = tl.load(b + (s + k)[:, None] * N + j[None, :])\n"
#define STORE "    tl.store(c + i[:, None] * N + j[None, :], u.to(tl.float16))\n"
#define LOOP HEAD "    u = tl.zeros([M, N], tl.float32)\n    for s in range(0, K, 16):\n" LOADS

static const char once[] = HEAD "    s = 0\n    if True:\n" LOADS "        u = tl.dot(x, y)\n" STORE;
static const char sum_of_powers[] = LOOP "        u += tl.exp2(tl.dot(x, y))\n" STORE;
static const char scaled[] = LOOP "        u = tl.dot(x, y, u * 0.5)\n" STORE;
static const char product[] = LOOP "        u = tl.dot(x, y, u)\n" STORE;

// Rows of 576 halves from a table, as bf16 in nine products a step: its sums do not fit beside them in the near half.
static const char gathered[] = "import triton\n"
                               "import triton.language as tl\n"
                               "@triton.jit\n"
                               "def kernel(q: '*fp16:16', kv: '*fp16:16', slots: '*i32:16', out: '*bf16:16', "
                               "count: 'i32', scale: 'fp32'):\n"
                               "    h = tl.arange(0, 16)[:, None]\n"
                               "    g = tl.arange(0, 128)[None, :]\n"
                               "    q0 = tl.load(q + h * 512 + g).to(tl.bfloat16)\n"
                               "    q1 = tl.load(q + h * 512 + 128 + g).to(tl.bfloat16)\n"
                               "    q2 = tl.load(q + h * 512 + 256 + g).to(tl.bfloat16)\n"
                               "    q3 = tl.load(q + h * 512 + 384 + g).to(tl.bfloat16)\n"
                               "    t = tl.arange(0, 64)[None, :]\n"
                               "    q4 = tl.load(q + 8192 + h * 64 + t).to(tl.bfloat16)\n"
                               "    m = tl.full([16], -1e30, tl.float32)\n"
                               "    l = tl.zeros([16], tl.float32)\n"
                               "    u0 = tl.zeros([16, 128], tl.float32)\n"
                               "    u1 = u0\n"
                               "    u2 = u0\n"
                               "    u3 = u0\n"
                               "    for s in tl.range(0, count, 64, num_stages=3):\n"
                               "        k = s + tl.arange(0, 64)\n"
                               "        inside = k < count\n"
                               "        slot = tl.load(slots + k, inside, 0)\n"
                               "        inside &= slot >= 0\n"
                               "        row = kv + tl.where(inside, slot, 0).to(tl.int64)[:, None] * 576\n"
                               "        v0 = tl.load(row + g, inside[:, None], 0.0).to(tl.bfloat16)\n"
                               "        v1 = tl.load(row + 128 + g, inside[:, None], 0.0).to(tl.bfloat16)\n"
                               "        v2 = tl.load(row + 256 + g, inside[:, None], 0.0).to(tl.bfloat16)\n"
                               "        v3 = tl.load(row + 384 + g, inside[:, None], 0.0).to(tl.bfloat16)\n"
                               "        v4 = tl.load(row + 512 + t, inside[:, None], 0.0).to(tl.bfloat16)\n"
                               "        p = tl.dot(q0, tl.trans(v0)) + tl.dot(q1, tl.trans(v1)) + tl.dot(q2, "
                               "tl.trans(v2)) + tl.dot(q3, tl.trans(v3)) + tl.dot(q4, tl.trans(v4))\n"
                               "        p = tl.where(inside[None, :], p * scale, -1e30)\n"
                               "        new = tl.maximum(m, tl.max(p, 1))\n"
                               "        old = tl.exp2(m - new)[:, None]\n"
                               "        p = tl.exp2(p - new[:, None])\n"
                               "        l = l * tl.exp2(m - new) + tl.sum(p, 1)\n"
                               "        p = p.to(tl.bfloat16)\n"
                               "        u0 = u0 * old + tl.dot(p, v0)\n"
                               "        u1 = u1 * old + tl.dot(p, v1)\n"
                               "        u2 = u2 * old + tl.dot(p, v2)\n"
                               "        u3 = u3 * old + tl.dot(p, v3)\n"
                               "        m = new\n"
                               "    l = l[:, None]\n"
                               "    tl.store(out + h * 512 + g, (u0 / l).to(tl.bfloat16))\n"
                               "    tl.store(out + h * 512 + 128 + g, (u1 / l).to(tl.bfloat16))\n"
                               "    tl.store(out + h * 512 + 256 + g, (u2 / l).to(tl.bfloat16))\n"
                               "    tl.store(out + h * 512 + 384 + g, (u3 / l).to(tl.bfloat16))\n";

static char *compile(const char *text, const char *chip, int warps, const char *m, const char *n) {
    struct tkc_options options = assembly_options(text, &chip, warps);
    options.defines = (const struct tkc_define[]){{"M", m}, {"N", n}};
    options.define_count = 2;
    return assembly_of(&options);
}

// "v[2:17], v[4:5], v7, 0": reads the registers of one operand; false without registers.
static bool read_registers(const char *at, char *kind, unsigned *first, unsigned *last) {
    if (sscanf(at, "%c[%u:%u]", kind, first, last) == 3) {
        return true;
    }
    *last = sscanf(at, "%c%u", kind, first) == 2 ? *first : 0;
    return strchr("va", *kind) && at[1] >= '0' && at[1] <= '9';
}

static const char *next_operand(const char *at) {
    return at + strcspn(at, ",") + 2;
}

// The number of matrix instructions; fails on a result that overlaps A or B.
static unsigned check_overlaps(const char *code, const char *chip) {
    unsigned count = 0, first[3], last[3];
    char kind[3];
    for (const char *at = code; (at = strstr(at, "\tv_mfma_")) != NULL; at++) {
        const char *operand = at + 1 + strcspn(at + 1, " ") + 1;
        count++;
        for (unsigned i = 0; i < 3; i++, operand = next_operand(operand)) {
            bool registers = read_registers(operand, &kind[i], &first[i], &last[i]);
            if (i && registers && last[0] - first[0] >= 4 && kind[i] == kind[0] && first[i] <= last[0] &&
                first[0] <= last[i]) {
                fail_msg("%s: %.*s", chip, (int)strcspn(at, "\n"), at);
            }
        }
    }
    return count;
}

static void test_no_overlap(void **state) {
    static const char *const texts[] = {once, sum_of_powers};
    static const char *const sizes[][2] = {{"64", "64"}, {"128", "64"}, {"128", "128"}};
    for (size_t c = 0; c < CHIPS; c++) {
        for (size_t t = 0; t < 2; t++) {
            for (size_t s = 0; s < 3; s++) {
                for (int warps = 4; warps <= 16; warps *= 2) {
                    char *code = compile(texts[t], chips[c], warps, sizes[s][0], sizes[s][1]);
                    assert_true(check_overlaps(code, chips[c]) > 0);
                    free(code);
                }
            }
        }
    }
}

static void test_sums_are_near(void **state) {
    for (size_t c = 0; c < CHIPS; c++) {
        char *code = compile(scaled, chips[c], 4, "128", "128");
        assert_true(check_overlaps(code, chips[c]) > 0);
        assert_null(strstr(code, "v_accvgpr"));
        free(code);
    }
}

static void test_many_sums_spill_not(void **state) {
    for (size_t c = 0; c < CHIPS; c++) {
        char *code = compile(product, chips[c], 2, "128", "256"); // 256 sums a thread
        const char *spills = strstr(code, ".vgpr_spill_count:");
        assert_non_null(spills);
        assert_int_equal(strtoul(spills + strlen(".vgpr_spill_count:"), NULL, 10), 0);
        check_overlaps(code, chips[c]);
        free(code);
    }
}

static unsigned number_behind(const char *code, const char *key) {
    const char *at = strstr(code, key);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(key), NULL, 10);
}

// More than 32 values spill in the near half, and none with the far half.
static void test_far_half_of_long_modules(void **state) {
    for (size_t c = 0; c < CHIPS; c++) {
        struct tkc_options options = assembly_options(gathered, &chips[c], 4);
        char *code = assembly_of(&options);
        assert_int_equal(number_behind(code, ".vgpr_spill_count:"), 0);
        assert_in_range(number_behind(code, ".agpr_count:"), 1, 256);
        free(code);
    }
}

RUN(TEST(test_no_overlap), TEST(test_sums_are_near), TEST(test_many_sums_spill_not),
    TEST(test_far_half_of_long_modules))
