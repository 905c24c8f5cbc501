// Final AMD code of a matrix product: waits for the next step's loads come after this step's matrix
// instructions.
#include "testing.h"
#include "assembly_testing.h"

static const char product[] =
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def kernel(a: '*fp16:16', b: '*fp16:16', c: '*fp16:16', K: 'i32:16', N: 'i32:16'):\n"
    "    i = tl.arange(0, 128)\n"
    "    k = tl.arange(0, 32)\n"
    "    x = a + i[:, None] * K + k[None, :]\n"
    "    y = b + k[:, None] * N + i[None, :]\n"
    "    u = tl.zeros([128, 128], tl.float32)\n"
    "    for s in range(0, K, 32):\n"
    "        u = tl.dot(tl.load(x), tl.load(y), u)\n"
    "        x += 32\n"
    "        y += 32 * N\n"
    "    tl.store(c + i[:, None] * N + i[None, :], u.to(tl.float16))\n";

static char *compile(const char *chip) {
    struct tkc_options options = assembly_options(product, &chip, 4);
    return assembly_of(&options);
}

static const char *first_matrix(const char *at, const char *end) {
    while (at < end && strncmp(at, "\tv_mfma_", 8) != 0 && strncmp(at, "\tv_wmma_", 8) != 0) {
        at += strcspn(at, "\n") + 1;
    }
    return at < end ? at : NULL;
}

static bool is_load(const char *line) {
    return !strncmp(line, "\tglobal_load_", 13) || !strncmp(line, "\tbuffer_load_", 13);
}

static bool waits_for_loads(const char *line) {
    const char *found = strstr(line, "vmcnt(");
    return !strncmp(line, "\ts_wait_loadcnt", 15) ||
           (!strncmp(line, "\ts_waitcnt", 10) && found && found < line + strcspn(line, "\n"));
}

// In the main loop, the first block with matrix instructions: those between its first load and the next wait for loads.
static unsigned matrices_before_wait(const char *code) {
    const char *end = code + strlen(code), *at = first_matrix(code, end);
    assert_non_null(at);
    while (at > code && strncmp(at, "\n.LBB", 5) != 0) {
        at--;
    }
    unsigned count = 0;
    bool loaded = false;
    for (at++; at < end; at += strcspn(at, "\n") + 1) {
        assert_true(strncmp(at, "\ts_cbranch", 10) != 0); // no wait before the end: not this loop's code
        loaded |= is_load(at);
        count += loaded && first_matrix(at, at + 1) != NULL;
        if (loaded && waits_for_loads(at)) {
            return count;
        }
    }
    return 0;
}

static void test_products_hide_loads(void **state) {
    static const struct {
        const char *chip;
        unsigned matrices; // of a step
    } chips[] = {{"gfx90a", 16}, {"gfx942", 16}, {"gfx1100", 32}, {"gfx1200", 32}};
    for (size_t c = 0; c < sizeof chips / sizeof *chips; c++) {
        char *code = compile(chips[c].chip);
        unsigned count = matrices_before_wait(code);
        if (count != chips[c].matrices) {
            fail_msg("%s: %u matrix instructions between loads and their wait", chips[c].chip, count);
        }
        free(code);
    }
}

RUN(TEST(test_products_hide_loads))
