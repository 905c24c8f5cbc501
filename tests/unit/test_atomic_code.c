// Atomics of neighbours in NVIDIA's code: the chip's widest addition if the old values are unused, else
// one by one; relaxed loads and stores of 16 bytes.
#include "testing.h"
#include "assembly_testing.h"

#define KERNEL(type, statement)                                                                              \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*" type ":16', y: '*" type ":16', z: '*" type ":16'):\n"                                 \
    "    i = tl.program_id(0) * 2048 + tl.arange(0, 2048)\n"                                                 \
    "    old = tl.atomic_add(y + i, tl.load(x + i), sem='relaxed')\n" statement

static void test_widths(void **state) {
    static const char half[] = KERNEL("fp16", ""), brain[] = KERNEL("bf16", ""),
                      single[] = KERNEL("fp32", ""), wide[] = KERNEL("fp64", ""),
                      used[] = KERNEL("fp32", "    tl.store(z + i, old)\n");
    assert_int_equal(plain_count(half, "sm_90", ".add.noftz.v8.f16"), 2);
    assert_int_equal(plain_count(brain, "sm_90a", ".add.noftz.v8.bf16"), 2);
    assert_int_equal(plain_count(single, "sm_90a", ".add.v4.f32"), 4);
    assert_int_equal(plain_count(wide, "sm_90a", ".add.f64"), 16);
    assert_int_equal(plain_count(used, "sm_90a", ".add.f32"), 16);
    assert_int_equal(plain_count(half, "sm_80", ".add.noftz.f16"), 16);
}

// A copy by relaxed loads and stores of another order, mask or type.
#define COPY(type, mask, order)                                                                              \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*" type ":16', y: '*" type ":16', n: 'i32:16', m: 'i32'):\n"                             \
    "    i = tl.program_id(0) * 2048 + tl.arange(0, 2048)\n"                                                 \
    "    got = tl.atomic_load(x + i, mask=" mask ", sem='" order "', scope='sys')\n"                         \
    "    tl.atomic_store(y + i, got, mask=" mask ", sem='relaxed', scope='sys')\n"

static void test_loads_and_stores(void **state) {
    static const char wide[] = COPY("i64", "i < n", "relaxed"), single[] = COPY("fp32", "i < n", "relaxed"),
                      half[] = COPY("fp16", "i < n", "relaxed"), odd[] = COPY("i64", "i < m", "relaxed"),
                      ordered[] = COPY("i64", "i < n", "acquire");
    assert_int_equal(plain_count(wide, "sm_80", "ld.relaxed.sys.global.v2.b64"), 8);
    assert_int_equal(plain_count(wide, "sm_80", "st.relaxed.sys.global.v2.b64"), 8);
    assert_int_equal(plain_count(single, "sm_90a", "ld.relaxed.sys.global.v4.b32"), 4);
    assert_int_equal(plain_count(single, "sm_90a", "st.relaxed.sys.global.v4.b32"), 4);
    assert_int_equal(plain_count(half, "sm_90a", "ld.relaxed.sys.global.b16"), 16);
    assert_int_equal(plain_count(odd, "sm_90a", "st.relaxed.sys.global.b64"), 16);
    assert_int_equal(plain_count(ordered, "sm_90a", "ld.acquire.sys.global.b64"), 16);
}

// One by one, neighbours are those of a warp's lanes, not of a thread: loads are of one element, too.
static void test_lanes(void **state) {
    static const char text[] = KERNEL("fp32", "");
    assert_int_equal(plain_count(text, "sm_80", "ld.global.v"), 0);
    assert_int_equal(plain_count(text, "sm_90", "ld.global.v4"), 4);
}

// AMD's chips have an instruction for each; LLVM makes a loop of compare-and-swap unless it is told about the memory.
static void test_instructions(void **state) {
    static const char single[] = KERNEL("fp32", ""), wide[] = KERNEL("fp64", "");
    static const char *const chips[] = {"gfx90a", "gfx942"};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        assert_int_equal(plain_count(single, chips[i], "global_atomic_add_f32"), 8);
        assert_int_equal(plain_count(wide, chips[i], "global_atomic_add_f64"), 8);
        assert_int_equal(plain_count(single, chips[i], "cmpswap"), 0);
    }
    assert_int_equal(plain_count(single, "gfx1100", "global_atomic_add_f32"), 16);
}

RUN(TEST(test_widths), TEST(test_loads_and_stores), TEST(test_lanes), TEST(test_instructions))
