// Releases in final AMD code: every wave has finished its stores before the barrier ahead of a releasing
// atomic or of tl.debug_barrier, write-backs of caches are waited for, and barriers that only protect shared
// memory wait for no store.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assembly_testing.h"

static const char *const chips[] = {"gfx90a", "gfx942", "gfx1100", "gfx1200"};
enum { CHIPS = sizeof chips / sizeof *chips, WARPS = 4 };

#define HEAD                                                                                                 \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"                                                                                          \
    "def kernel(x: '*fp32:16', y: '*fp32:16', flags: '*i32:16'):\n"                                          \
    "    o = tl.program_id(0) * 1024 + tl.arange(0, 1024)\n"

static char *compile(const char *text, const char *chip) {
    struct tkc_options options = assembly_options(text, &chip, WARPS);
    return assembly_of(&options);
}

// This wave's accesses in flight at a barrier or atomic, from the code's text in order.
struct walk {
    unsigned barriers, atomics;
    unsigned early_barriers;    // with stores under way
    unsigned early_write_backs; // barriers and atomics with a write-back under way
};

static bool holds(const char *line, size_t length, const char *text) {
    const char *found = strstr(line, text);
    return found && found < line + length;
}

static struct walk walk(const char *code) {
    struct walk w = {0};
    bool store = false, write_back = false;
    for (const char *at = code; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        bool waits = (holds(at, length, "\ts_waitcnt") && holds(at, length, "vmcnt(0)")) ||
                     holds(at, length, "\ts_waitcnt_vscnt null, 0x0") ||
                     holds(at, length, "\ts_wait_storecnt 0x0");
        bool barrier = holds(at, length, "\ts_barrier") && !holds(at, length, "s_barrier_wait");
        bool flag = holds(at, length, "\tglobal_store_dword ") || holds(at, length, "\tglobal_store_b32");
        bool atomic = holds(at, length, "\tglobal_atomic") || flag;
        store = (store || holds(at, length, "\tglobal_store")) && !waits;
        write_back =
            (write_back || holds(at, length, "\tbuffer_wbl2") || holds(at, length, "\tglobal_wb")) && !waits;
        w.barriers += barrier;
        w.atomics += atomic;
        w.early_barriers += barrier && store;
        w.early_write_backs += (barrier || atomic) && write_back;
    }
    return w;
}

static struct walk walk_kernel(const char *body, const char *chip) {
    char text[4096];
    snprintf(text, sizeof text, HEAD "%s", body);
    char *code = compile(text, chip);
    struct walk w = walk(code);
    free(code);
    return w;
}

// The barrier alone would let the atomic of the first wave go while other waves' stores are under way.
static void scalar_atomics_release_what_every_wave_wrote(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "    tl.store(y + o, tl.load(x + o) * 2)\n"
        "    tl.atomic_add(flags, 1)\n",
        "    tl.store(y + o, tl.load(x + o) * 2)\n"
        "    tl.atomic_xchg(flags, 0, sem='release', scope='sys')\n",
        "    tl.store(y + o, tl.load(x + o) * 2)\n"
        "    tl.atomic_cas(flags, 0, 1, sem='acq_rel')\n",
    };
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        for (size_t c = 0; c < CHIPS; c++) {
            struct walk w = walk_kernel(bodies[b], chips[c]);
            assert_int_equal(w.barriers, 1);
            assert_int_equal(w.atomics, 1);
            assert_int_equal(w.early_barriers, 0);
        }
    }
}

static void debug_barrier_waits_for_stores(void **state) {
    (void)state;
    for (size_t c = 0; c < CHIPS; c++) {
        struct walk w = walk_kernel("    tl.store(y + o, tl.load(x + o) * 2)\n"
                                    "    tl.debug_barrier()\n"
                                    "    tl.atomic_add(flags + o, 1, sem='release')\n",
                                    chips[c]);
        assert_int_equal(w.barriers, 1);
        assert_true(w.atomics > 0);
        assert_int_equal(w.early_barriers, 0);
        assert_int_equal(w.early_write_backs, 0);
    }
}

// The stores are known to be done when the release comes: LLVM does not wait for the write-back by itself.
static void write_backs_are_waited_for(void **state) {
    (void)state;
    for (size_t c = 0; c < CHIPS; c++) {
        struct walk w = walk_kernel("    tl.store(y + o, 1.0)\n"
                                    "    v = tl.load(x + o).to(tl.int32)\n"
                                    "    tl.atomic_add(flags + o, v, sem='release')\n",
                                    chips[c]);
        assert_true(w.atomics > 0);
        assert_int_equal(w.early_write_backs, 0);
    }
}

// On gfx11 and gfx12 LLVM waits at every barrier.
static void other_barriers_wait_for_no_store(void **state) {
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct walk w = walk_kernel("    v = tl.load(x + o)\n"
                                    "    tl.store(y + o, v * 2)\n"
                                    "    tl.store(y + 4096, tl.sum(v, 0))\n",
                                    chips[c]);
        assert_int_equal(w.barriers, 1);
        assert_int_equal(w.early_barriers, 1);
    }
}

// One release and one acquire around all atomics of a tile, not around each.
static void atomics_of_a_tile_go_together(void **state) {
    (void)state;
    char *code = compile(HEAD "    tl.store(y + o, tl.atomic_add(flags + o, 1))\n", "gfx942");
    assert_int_equal(occurrences(code, "\tbuffer_wbl2"), 1);
    assert_int_equal(occurrences(code, "\tbuffer_inv"), 1);
    free(code);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_atomics_release_what_every_wave_wrote),
        cmocka_unit_test(debug_barrier_waits_for_stores),
        cmocka_unit_test(write_backs_are_waited_for),
        cmocka_unit_test(other_barriers_wait_for_no_store),
        cmocka_unit_test(atomics_of_a_tile_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
