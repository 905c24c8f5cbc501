// Accesses of global memory by chip: 32 bytes of a thread from sm_100 on, where addresses, masks and the tile's size allow
// them, and every access of the tile is one instruction so.
#include "testing.h"
#include "assembly_testing.h"

#define SUM(hint, load, store, block)                                                                        \
    KERNEL_HEAD                                                                                              \
    "def kernel(x: '*" load ":" hint "', y: '*" load ":32', z: '*" store ":32', n: 'i32:16'):\n"             \
    "    i = tl.program_id(0) * " block " + tl.arange(0, " block ")\n"                                       \
    "    tl.store(z + i, tl.load(x + i, mask=i < n) + tl.load(y + i), mask=i < n)\n"
#define WIDE_LOAD ".v8.b32 {"
#define WIDE_STORE ".v8.b32 [" // with its predicate: always assembly

static void expect(const char *text, const char *chip, unsigned loads, unsigned stores) {
    struct tkc_options options = assembly_options(text, &chip, 4);
    char *code = assembly_of(&options);
    assert_int_equal(occurrences(code, WIDE_LOAD), loads);
    assert_int_equal(occurrences(code, WIDE_STORE), stores);
    // 8.8 is PTX's first version with such accesses.
    bool newer = strstr(code, ".version 8.8") || strstr(code, ".version 9.");
    assert_true(newer || loads + stores == 0);
    free(code);
}

static void test_chips(void **state) {
    static const struct {
        const char *name;
        bool wide;
    } chips[] = {{"sm_80", false},  {"sm_90a", false}, {"sm_100", true},  {"sm_100a", true},
                 {"sm_100f", true}, {"sm_103", true},  {"sm_107a", true}, {"sm_110a", true},
                 {"sm_120", true},  {"sm_120a", true}, {"gfx942", false}, {"gfx1200", false}};
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        expect(SUM("32", "fp32", "fp32", "1024"), chips[i].name, chips[i].wide ? 2 : 0, chips[i].wide);
        expect(SUM("32", "fp16", "fp16", "4096"), chips[i].name, chips[i].wide ? 4 : 0,
               chips[i].wide ? 2 : 0);
    }
}

// An array aligned to 16 bytes keeps the whole tile at 16: an instruction's halves of sectors are as slow as whole ones.
static void test_hints(void **state) {
    expect(SUM("16", "fp32", "fp32", "1024"), "sm_100", 0, 0);
    expect(SUM("16", "fp16", "fp16", "4096"), "sm_120a", 0, 0);
}

// Threads are not left idle for wide accesses.
static void test_small_tiles(void **state) {
    expect(SUM("32", "fp32", "fp32", "512"), "sm_100", 0, 0);
}

// If much is computed with an element, results of 16 bytes at a time need fewer registers.
static void test_much_arithmetic(void **state) {
    static const char text[] = KERNEL_HEAD "def kernel(y: '*fp32:32', seed: 'i32'):\n"
                                           "    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)\n"
                                           "    tl.store(y + i, tl.rand(seed, i))\n";
    expect(text, "sm_100", 0, 0);
}

// Of elements of two sizes the wider ones take 32 bytes, the others as many elements.
static void test_two_sizes(void **state) {
    expect(SUM("32", "fp16", "fp32", "1024"), "sm_100", 0, 1);
    expect(SUM("32", "fp32", "fp16", "1024"), "sm_100", 2, 0);
}

// The program's own PTX version stays without a wide access.
static void test_version(void **state) {
    assert_int_equal(plain_count(SUM("16", "fp32", "fp32", "1024"), "sm_100", ".version 8.6"), 1);
    assert_int_equal(plain_count(SUM("32", "fp32", "fp32", "1024"), "sm_107a", ".version 9.4"), 1);
}

// ptxas drops a policy in a register: both caches' priorities are in the instruction.
static void test_priorities(void **state) {
    static const char text[] = KERNEL_HEAD
        "def kernel(x: '*fp32:32', y: '*fp32:32'):\n"
        "    i = tl.arange(0, 1024)\n"
        "    tl.store(y + i, tl.load(x + i, eviction_policy='evict_first'), cache_modifier='.cg')\n";
    assert_int_equal(plain_count(text, "sm_100", "ld.global.L1::evict_first.L2::evict_first.v8.b32"), 1);
    assert_int_equal(plain_count(text, "sm_100", "st.global.cg.v8.b32"), 1);
    assert_int_equal(plain_count(text, "sm_100", "createpolicy"), 0);
}

// Copies to shared memory and atomics stay at 16 bytes.
static void test_others(void **state) {
    static const char text[] = KERNEL_HEAD "def kernel(x: '*fp32:32', y: '*fp32:32'):\n"
                                           "    i = tl.arange(0, 1024)\n"
                                           "    tl.atomic_add(y + i, tl.load(x + i), sem='relaxed')\n";
    assert_int_equal(plain_count(text, "sm_100", ".add.v4.f32"), 2);
    assert_int_equal(plain_count(text, "sm_100", "v8"), 0);
}

RUN(TEST(test_chips), TEST(test_hints), TEST(test_small_tiles), TEST(test_much_arithmetic),
    TEST(test_two_sizes), TEST(test_version), TEST(test_priorities), TEST(test_others))
