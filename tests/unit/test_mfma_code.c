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

RUN(TEST(test_no_overlap), TEST(test_sums_are_near), TEST(test_many_sums_spill_not))
