// Final AMD code of a matrix product: its main loop reads through buffers, and increments their addresses in
// place.
#include "testing.h"
#include "assembly_testing.h"

#define PRODUCT(rows, columns)                                                                               \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', K: 'i32:16', N: 'i32:16', BK: tl.constexpr):\n" \
    "    i = tl.arange(0, 128)\n"                                                                            \
    "    k = tl.arange(0, BK)\n"                                                                             \
    "    x = a + i[:, None] * K + k[None, :]\n"                                                              \
    "    y = b + k[:, None] * N + i[None, :]\n"                                                              \
    "    u = tl.zeros([128, 128], tl.float32)\n"                                                             \
    "    for s in range(0, tl.cdiv(K, BK)):\n"                                                               \
    "        left = K - s * BK\n"                                                                            \
    "        u = tl.dot(tl.load(x, mask=" rows "(k[None, :] < left), other=0.0),\n"                          \
    "                   tl.load(y, mask=" columns "(k[:, None] < left), other=0.0), u)\n"                    \
    "        x += BK\n"                                                                                      \
    "        y += BK * N\n"                                                                                  \
    "    tl.store(c + i[:, None] * N + i[None, :], u.to(tl.float16))\n"

// Rows that are divided are no sum: what is added to their pointers in the inner loop is.
static const char shifted[] =
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', K: 'i32:16', N: 'i32:16', BK: tl.constexpr):\n"
    "    i = tl.program_id(0) * 128 + tl.arange(0, 128)\n"
    "    j = tl.arange(0, 128)\n"
    "    k = tl.arange(0, BK)\n"
    "    u = tl.zeros([128, 128], tl.float32)\n"
    "    for t in range(0, 3):\n"
    "        row = (i // N + t) * N + i % N\n"
    "        x = a + row[:, None] * K + k[None, :]\n"
    "        y = b + (t * K + k)[:, None] * N + j[None, :]\n"
    "        for s in range(0, K, BK):\n"
    "            u = tl.dot(tl.load(x + s, mask=(row < K)[:, None], other=0.0), tl.load(y + s * N), u)\n"
    "    tl.store(c + i[:, None] * N + j[None, :], u.to(tl.float16))\n";

// Rows that are loaded: each lane has pointers of its own.
static const char gathered[] = "import triton\n"
                               "import triton.language as tl\n"
                               "@triton.jit\n"
                               "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', r: '*i32:16', K: "
                               "'i32:16', N: 'i32:16', BK: tl.constexpr):\n"
                               "    i = tl.arange(0, 128)\n"
                               "    k = tl.arange(0, BK)\n"
                               "    x = a + tl.load(r + i)[:, None] * K + k[None, :]\n"
                               "    y = b + k[:, None] * N + i[None, :]\n"
                               "    u = tl.zeros([128, 128], tl.float32)\n"
                               "    for s in range(0, K, BK):\n"
                               "        u = tl.dot(tl.load(x), tl.load(y), u)\n"
                               "        x += BK\n"
                               "        y += BK * N\n"
                               "    tl.store(c + i[:, None] * N + i[None, :], u.to(tl.float16))\n";

struct counted {
    unsigned loads, matrices, scalars; // scalars: scalar arithmetic, compares and moves
    unsigned addresses;                // computed by vector additions and exclusive ors
    bool through_lanes;                // a scalar was fetched from a vector register
};

static bool starts(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

// The first block with a branch to its own label and buffer reads.
static struct counted main_loop(const char *code) {
    struct counted c = {0};
    char label[64] = "";
    for (const char *at = code; *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != 0)) {
        if (starts(at, ".LBB")) {
            snprintf(label, sizeof label, "%.*s", (int)strcspn(at, ":"), at);
            c = (struct counted){0};
        }
        c.loads += starts(at, "\tbuffer_load_");
        c.matrices += starts(at, "\tv_mfma_") || starts(at, "\tv_wmma_");
        c.addresses += starts(at, "\tv_add") || starts(at, "\tv_xor");
        c.through_lanes |= starts(at, "\tv_readfirstlane");
        c.scalars += starts(at, "\ts_add") || starts(at, "\ts_sub") || starts(at, "\ts_and_b32") ||
                     starts(at, "\ts_mov") || starts(at, "\ts_cmp") || starts(at, "\ts_cselect");
        if (starts(at, "\ts_cbranch") && label[0]) {
            const char *to = strstr(at, ".LBB");
            if (c.loads && to && strncmp(to, label, strlen(label)) == 0 &&
                strcspn(to, " \n") == strlen(label)) {
                return c;
            }
            c = (struct counted){0};
            label[0] = 0;
        }
    }
    fail_msg("no loop of one block that reads through buffers");
    return c;
}

static struct counted loop_of(const char *source, const char *chip, const char *block, unsigned warps) {
    struct tkc_options options = assembly_options(source, &chip, warps);
    struct tkc_define depth = {"BK", block};
    options.defines = &depth;
    options.define_count = 1;
    char *code = assembly_of(&options);
    struct counted c = main_loop(code);
    free(code);
    return c;
}

static void test_addresses_are_counted_on_in_place(void **state) {
    static const struct {
        const char *chip, *depth;
        unsigned steps, matrices; // a turn's
    } loops[] = {
        {"gfx90a", "32", 2, 32},
        {"gfx942", "32", 2, 32},
        {"gfx942", "128", 1, 64},
        {"gfx1200", "32", 2, 64},
    };
    // Masks of rows and columns stay in the loop, as offsets beyond the buffer's end, and the loop stays one block.
    static const char *const sources[] = {PRODUCT("", ""),
                                          PRODUCT("(i[:, None] < N) & ", "(i[None, :] < N) & ")};
    for (size_t n = 0; n < 2 * sizeof loops / sizeof *loops; n++) {
        size_t i = n / 2;
        struct counted c = loop_of(sources[n % 2], loops[i].chip, loops[i].depth, 4);
        // Of two buffers: two additions each and a choice for the last step, of one word or two; and the count of steps.
        if (c.through_lanes || c.matrices != loops[i].matrices ||
            c.scalars > (loops[i].steps == 2 ? 9u : 12u)) {
            fail_msg("%s %s: %u scalar instructions, %u products%s", loops[i].chip, loops[i].depth, c.scalars,
                     c.matrices, c.through_lanes ? ", a scalar from a vector register" : "");
        }
    }
}

static void test_descriptors_are_scalar(void **state) {
    const char *const chips[] = {"gfx942", "gfx1100"};
    for (size_t i = 0; i < 2; i++) {
        struct counted c = loop_of(shifted, chips[i], "32", 4);
        assert_false(c.through_lanes);
    }
}

// gfx1100 reads two words that lie multiples of 64 words apart: what their addresses have beside is in the address, ahead of the loop.
static void test_pairs_need_no_addition(void **state) {
    struct counted c = loop_of(PRODUCT("", ""), "gfx1100", "32", 8);
    assert_int_equal(c.addresses, 0);
}

// Rows whose numbers are loaded go through buffers like the other operand, where their distances fit in 32 bits: no pointer is advanced.
static void test_loaded_rows_have_no_pointers(void **state) {
    struct counted c = loop_of(gathered, "gfx1100", "32", 8);
    assert_int_equal(c.addresses, 0);
}

// Rows of any length: several masked accesses a thread go through buffers, without a branch or a loop over lanes, also where what is left
// out has a value. One access a thread stays a branch.
static void test_rows_have_no_branches(void **state) {
    static const char rows[] =
        KERNEL_HEAD "def kernel(x: '*bf16:16', y: '*bf16:16', n: 'i32:16', m: 'i32'):\n"
                    "    i = tl.arange(0, 4096)\n"
                    "    at = (tl.program_id(0) % m).to(tl.int64) * n\n"
                    "    v = tl.load(x + at + i, mask=i < n, other=-1.0)\n"
                    "    tl.store(y + at + i, v + 1, mask=i < n)\n";
    static const char few[] = KERNEL_HEAD "def kernel(x: '*bf16:16', y: '*bf16:16', n: 'i32:16'):\n"
                                          "    i = tl.arange(0, 1024)\n"
                                          "    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)\n";
    static const char *const chips[] = {"gfx90a", "gfx942", "gfx1100", "gfx1200"};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        assert_int_equal(assembly_count(rows, chips[i], 4, "s_cbranch"), 0);
        assert_true(assembly_count(rows, chips[i], 4, "buffer_store_") > 0);
        assert_int_equal(assembly_count(few, chips[i], 4, "buffer_"), 0);
    }
}

RUN(TEST(test_addresses_are_counted_on_in_place), TEST(test_descriptors_are_scalar),
    TEST(test_pairs_need_no_addition), TEST(test_loaded_rows_have_no_pointers),
    TEST(test_rows_have_no_branches))
