// gfx12: an SGPR read by a vector instruction may hide a later write to it, unless s_wait_alu stands before
// the next read. LLVM from 20 on inserts it; a build with LLVM 19 withholds these chips, with the reason.
#include "testing.h"
#include "assembly_testing.h"

static const char *const chips[] = {"gfx1200", "gfx1201", "gfx12-generic"};
enum { CHIPS = sizeof chips / sizeof *chips };

// Loads under a mask from vector comparisons: its SGPRs are written and read in turn.
static const char text[] = KERNEL_HEAD "def kernel(x: '*fp32', y: '*fp32', n: 'i32'):\n"
                                       "    i = tl.program_id(0) * 1024 + tl.arange(0, 1024)\n"
                                       "    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)\n";

static void test_waits(void **state) {
    for (int i = 0; i < CHIPS; i++) {
        assert_true(plain_count(text, chips[i], "s_wait_alu") > 0);
    }
}

// Programs waiting for one another need forward progress of all waves.
static void test_forward_progress(void **state) {
    static const char key[] = ".amdhsa_forward_progress 1";
    for (int i = 0; i < CHIPS; i++) {
        assert_int_equal(plain_count(text, chips[i], key), 1);
    }
    assert_int_equal(plain_count(text, "gfx1100", key), 1);
}

// gfx1250: one wave multiplies in 256 registers, without their mode, descriptions of buffers, and clusters.
static void test_gfx1250(void **state) {
    static const char product[] =
        KERNEL_HEAD "def kernel(x: '*fp16', y: '*fp16', z: '*fp32'):\n"
                    "    i = tl.arange(0, 64)\n"
                    "    at = tl.program_id(0) * 4096 + i[:, None] * 64 + i[None, :]\n"
                    "    tl.store(z + at, tl.dot(tl.load(x + at), tl.load(y + at)))\n";
    static const struct {
        const char *word;
        bool there;
    } words[] = {{"v_wmma_f32_16x16x32_f16", true},
                 {"s_set_vgpr_msb", false},
                 {"buffer_load", false},
                 {"s_getreg_b32", false},
                 {"s_wait_alu", false}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        unsigned count = assembly_count(product, "gfx1250", 1, words[i].word);
        if ((count > 0) != words[i].there) {
            fail_msg("%s: %u times", words[i].word, count);
        }
    }
}

static void test_withheld(void **state) {
    for (int i = 0; i < CHIPS; i++) {
        assert_int_equal(target_find(chips[i]) != NULL, LLVM_AT_LEAST(20));
        assert_int_equal(target_withheld(chips[i]) != NULL, !LLVM_AT_LEAST(20));
    }
    assert_null(target_withheld("gfx942"));
    assert_null(target_withheld("gfx1"));
}

RUN(TEST(test_waits), TEST(test_forward_progress), TEST(test_gfx1250), TEST(test_withheld))
