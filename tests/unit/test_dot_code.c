// Products with the expectations of Triton's own tests: the type of sums, the frequency of f8 additions in
// f32, wrapping bytes, the conversion of f32 to tf32; and rows stored by host descriptors.
#include "testing.h"
#include "assembly_testing.h"

// 64 by 64 by 64.
#define PRODUCT(element, sum, options)                                                                       \
    KERNEL_HEAD "def kernel(a: '*" element ":16', b: '*" element ":16', c: '*" sum ":16'):\n"                \
                "    i = tl.arange(0, 64)\n"                                                                 \
                "    x = tl.load(a + i[:, None] * 64 + i[None, :])\n"                                        \
                "    y = tl.load(b + i[:, None] + i[None, :] * 64)\n"                                        \
                "    z = tl.load(c + i[:, None] * 64 + i[None, :])\n"                                        \
                "    tl.store(c + i[:, None] * 64 + i[None, :], tl.dot(x, y, z" options "))\n"

static void test_halves(void **state) {
    static const char half[] = PRODUCT("fp16", "fp16", ", out_dtype=tl.float16");
    assert_int_equal(plain_count(half, "sm_80", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"), 32);
    assert_int_equal(plain_count(half, "sm_90a", "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16"), 4);
    assert_int_equal(plain_count(half, "sm_90a", "cvt.f32.f16"), 0);
    static const char single[] = PRODUCT("fp16", "fp32", "");
    assert_int_equal(plain_count(single, "sm_90a", "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"), 4);
}

static void test_bytes_wrap(void **state) {
    static const char bytes[] = PRODUCT("i8", "i32", "");
    assert_int_equal(plain_count(bytes, "sm_80", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"), 16);
}

// f32 operands are rounded to tf32, never cut: in registers, where cp.async has brought them, or by tensor copies.
static void test_tf32(void **state) {
    static const char single[] = PRODUCT("fp32", "fp32", "");
    assert_int_equal(plain_count(single, "sm_90a", "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32"), 8);
    assert_int_equal(plain_count(single, "sm_90a", "cvt.rn.tf32.f32"), 64); // both tiles, of 128 threads
    assert_true(plain_count(single, "sm_90", "cvt.rn.tf32.f32") > 0);
    assert_true(plain_count(single, "sm_80", "cvt.rna.tf32.f32") > 0);
    static const char loop[] =
        KERNEL_HEAD "def kernel(a: '*fp32:16', b: '*fp32:16', c: '*fp32:16', k: 'i32:16'):\n"
                    "    i = tl.arange(0, 64)\n"
                    "    p = tl.arange(0, 32)\n"
                    "    s = tl.zeros((64, 64), tl.float32)\n"
                    "    for j in range(0, k, 32):\n"
                    "        x = tl.load(a + i[:, None] * k + j + p[None, :])\n"
                    "        y = tl.load(b + i[None, :] * k + j + p[:, None])\n"
                    "        s = tl.dot(x, y, s)\n"
                    "    tl.store(c + i[:, None] * 64 + i[None, :], s)\n";
    const char *chip = "sm_90a";
    for (int maps = 0; maps < 2; maps++) {
        struct tkc_options options = assembly_options(loop, &chip, 4);
        options.no_tensor_maps = !maps;
        char *code = assembly_of(&options);
        assert_int_equal(occurrences(code, "cp.async.bulk.tensor") > 0, maps);
        assert_int_equal(occurrences(code, "cvt.rn.tf32.f32"), maps ? 0 : 32);
        free(code);
    }
    assert_int_equal(plain_count(loop, "sm_80", "cvt.rna.tf32"), 0); // in registers, without a predicate
    assert_true(plain_count(loop, "sm_80", "fma.rn.f32") > 0);
    // On AMD only if the source asks for it.
    assert_int_equal(plain_count(single, "gfx942", "xf32"), 0);
    assert_true(plain_count(PRODUCT("fp32", "fp32", ", input_precision='tf32'"), "gfx942", "xf32") > 0);
}

// A thread has 32 sums; 64 products are two parts of 32, or one.
static void test_parts(void **state) {
    static const char word[] = "add.rn.f32";
    assert_int_equal(plain_count(PRODUCT("fp8e5", "fp32", ""), "sm_90a", word), 0);
    assert_int_equal(plain_count(PRODUCT("fp8e5", "fp32", ", max_num_imprecise_acc=32"), "sm_90a", word), 64);
    assert_int_equal(plain_count(PRODUCT("fp8e5", "fp32", ", max_num_imprecise_acc=0"), "sm_90a", word), 64);
    assert_int_equal(plain_count(PRODUCT("fp8e5", "fp32", ", max_num_imprecise_acc=64"), "sm_90a", word), 32);
    assert_int_equal(plain_count(PRODUCT("fp16", "fp32", ", max_num_imprecise_acc=32"), "sm_90a", word), 0);
}

// 128 sums a thread: products of 64 columns stand beside them, not of 256.
static void test_pieces(void **state) {
    static const char text[] = KERNEL_HEAD
        "def kernel(a: '*fp8e5:16', b: '*fp8e5:16', c: '*fp32:16'):\n"
        "    i = tl.arange(0, 64)\n"
        "    j = tl.arange(0, 256)\n"
        "    x = tl.load(a + i[:, None] * 64 + i[None, :])\n"
        "    y = tl.load(b + i[:, None] + j[None, :] * 64)\n"
        "    z = tl.load(c + i[:, None] * 256 + j[None, :])\n"
        "    tl.store(c + i[:, None] * 256 + j[None, :], tl.dot(x, y, z, max_num_imprecise_acc=32))\n";
    assert_int_equal(plain_count(text, "sm_90a", "wgmma.mma_async.sync.aligned.m64n64k32"), 2 * 4);
    assert_int_equal(plain_count(text, "sm_90a", "add.rn.f32"), 2 * 128);
}

// Without hints on the extents: whole vectors if the extents allow them, else element by element.
static void test_descriptors(void **state) {
    static const char text[] =
        KERNEL_HEAD "def kernel(y: 'tensordesc<fp16[32, 64]>'):\n"
                    "    y.store([tl.program_id(0) * 32, 0], tl.full((32, 64), 1, tl.float16))\n";
    assert_int_equal(plain_count(text, "sm_80", "st.global.v4.b32"), 2);
    assert_int_equal(plain_count(text, "sm_80", "st.global.b16"), 16);
}

RUN(TEST(test_halves), TEST(test_bytes_wrap), TEST(test_tf32), TEST(test_parts), TEST(test_pieces),
    TEST(test_descriptors))
