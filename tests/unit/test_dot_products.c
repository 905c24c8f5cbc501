// Dots on RDNA 2, without matrix instructions: two products of halves, or four of bytes, in an instruction.
#include "testing.h"
#include "assembly_testing.h"

static const char product[] = "import triton\n"
                              "import triton.language as tl\n"
                              "@triton.jit\n"
                              "def kernel(a, b, c):\n"
                              "    i = tl.arange(0, 32)\n"
                              "    x = tl.load(a + i[:, None] * 32 + i[None, :])\n"
                              "    y = tl.load(b + i[:, None] * 32 + i[None, :])\n"
                              "    tl.store(c + i[:, None] * 32 + i[None, :], tl.dot(x, y))\n";

static char *compile(const char *chip, const char *signature) {
    struct tkc_options options = assembly_options(product, &chip, 4);
    options.signature = signature;
    return assembly_of(&options);
}

static void test_products_at_once(void **state) {
    enum { PRODUCTS = 32 * 32 * 32 / 128 }; // of a thread
    char *halves = compile("gfx1030", "*fp16, *fp16, *fp32"), *bytes = compile("gfx1030", "*i8, *i8, *i32"),
         *floats = compile("gfx1030", "*fp32, *fp32, *fp32"),
         *family = compile("gfx10-3-generic", "*fp16, *fp16, *fp32");
    assert_int_equal(occurrences(halves, "\tv_dot2"), PRODUCTS / 2);
    assert_int_equal(occurrences(bytes, "\tv_dot4"), PRODUCTS / 4);
    assert_int_equal(occurrences(floats, "\tv_dot"), 0);
    assert_int_equal(occurrences(family, "\tv_dot"), 0); // LLVM has them for the chip alone
    free(halves);
    free(bytes);
    free(floats);
    free(family);
}

RUN(TEST(test_products_at_once))
