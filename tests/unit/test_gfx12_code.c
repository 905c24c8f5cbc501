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

static void test_withheld(void **state) {
    for (int i = 0; i < CHIPS; i++) {
        assert_int_equal(target_find(chips[i]) != NULL, LLVM_AT_LEAST(20));
        assert_int_equal(target_withheld(chips[i]) != NULL, !LLVM_AT_LEAST(20));
    }
    assert_null(target_withheld("gfx942"));
    assert_null(target_withheld("gfx1"));
}

RUN(TEST(test_waits), TEST(test_forward_progress), TEST(test_withheld))
