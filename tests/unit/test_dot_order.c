// Final AMD code of a matrix product: the number of waits for shared memory reads in its main loop.
#include "testing.h"
#include "assembly_testing.h"

static const char product[] =
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.jit\n"
    "def kernel(a: '*i8:16', b: '*i8:16', c: '*i32:16', K: 'i32:16', N: 'i32:16'):\n"
    "    i = tl.arange(0, 128)\n"
    "    k = tl.arange(0, 64)\n"
    "    x = a + i[:, None] * K + k[None, :]\n"
    "    y = b + k[:, None] + i[None, :] * K\n"
    "    u = tl.zeros([128, 128], tl.int32)\n"
    "    for s in range(0, tl.cdiv(K, 64)):\n"
    "        left = K - s * 64\n"
    "        p = tl.load(x, mask=k[None, :] < left, other=0)\n"
    "        q = tl.load(y, mask=k[:, None] < left, other=0)\n"
    "        u = tl.dot(p, q, u)\n"
    "        x += 64\n"
    "        y += 64\n"
    "    tl.store(c + i[:, None] * N + i[None, :], u)\n";

static bool starts(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

// A wave has two fragments of one operand in each of four steps of K and four of the other one. The four are
// read first: a wait covers one of the two, not one of the four.
static void test_waits_for_the_smaller_operand(void **state) {
    static const char *const chip = "gfx1100";
    struct tkc_options options = assembly_options(product, &chip, 8);
    char *code = assembly_of(&options);
    unsigned products = 0, waits = 0;
    for (const char *at = code; *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != 0)) {
        if (starts(at, ".LBB") || starts(at, "\ts_endpgm")) {
            if (products) {
                break;
            }
            waits = 0;
        }
        const char *counter = strstr(at, "lgkmcnt(");
        products += starts(at, "\tv_wmma_");
        waits += starts(at, "\ts_waitcnt") && counter && counter < at + strcspn(at, "\n");
    }
    assert_int_equal(products, 64);             // two steps a turn
    assert_in_range(waits, 1, 2 * (4 * 2 + 1)); // and for writes, at each barrier
    free(code);
}

RUN(TEST(test_waits_for_the_smaller_operand))
