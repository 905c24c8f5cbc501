// Flags between GPUs in final code: plain stores that release and loads that acquire, with the scope of the system, without
// compare-and-swap; few meetings of the block, none in a waiting loop; addresses from arrays with the alignment of their hint.
#include "assembly_testing.h"

#define SUM_OF_PEERS                                                                                         \
    "    for start in range(tl.program_id(0) * 1024, n, 4096):\n"                                            \
    "        at = start + tl.arange(0, 1024)\n"                                                              \
    "        total = tl.zeros((1024,), tl.float32)\n"                                                        \
    "        for peer in tl.static_range(4):\n"                                                              \
    "            total += tl.load(tl.load(buffers + peer) + at, mask=at < n, other=0.0).to(tl.float32)\n"    \
    "        tl.store(out + at, total.to(tl.float16), mask=at < n)\n"

#define HEAD                                                                                                 \
    KERNEL_HEAD                                                                                              \
    "def k(buffers: '**fp16:16', signals: '**i32:16', out: '*fp16:16', rank: 'i32', n: 'i32:16',"            \
    " epoch: 'i32'):\n"

// A lane a peer, in Triton 3.9's words.
static const char lanes[] =
    HEAD "    peers = tl.load(signals + tl.arange(0, 4))\n"
         "    tl.atomic_store(peers + tl.program_id(0) * 4 + rank, epoch, sem='release', scope='sys')\n"
         "    own = tl.load(signals + rank) + tl.program_id(0) * 4 + tl.arange(0, 4)\n"
         "    while tl.min(tl.atomic_load(own, sem='acquire', scope='sys'), 0) < epoch:\n"
         "        pass\n" SUM_OF_PEERS
         "    tl.atomic_store(peers + tl.program_id(0) * 4 + rank, epoch + 1, sem='release', scope='sys')\n";

// The same with the atomics that Triton had before.
static const char scalars[] =
    HEAD "    for peer in tl.static_range(4):\n"
         "        tl.atomic_xchg(tl.load(signals + peer) + tl.program_id(0) * 4 + rank, epoch, "
         "sem='release', scope='sys')\n"
         "    for peer in tl.static_range(4):\n"
         "        own = tl.load(signals + rank) + tl.program_id(0) * 4 + peer\n"
         "        while tl.atomic_add(own, 0, sem='acquire', scope='sys') < epoch:\n"
         "            pass\n" SUM_OF_PEERS "    for peer in tl.static_range(4):\n"
         "        tl.atomic_xchg(tl.load(signals + peer) + tl.program_id(0) * 4 + rank, epoch + 1, "
         "sem='release', scope='sys')\n";

static const char polls[] =
    HEAD "    own = tl.load(signals + rank) + tl.program_id(0) * 4 + tl.arange(0, 4)\n"
         "    tl.atomic_poll(own, epoch, sem='acquire', scope='sys')\n" SUM_OF_PEERS;

static char *ptx_of(const char *text) {
    static const char *const chip = "sm_90a";
    struct tkc_options options = assembly_options(text, &chip, 4);
    static const char *const ptx[] = {"kernel.ptx"};
    options.outputs = ptx;
    return assembly_of(&options);
}

static void flags_are_plain_in_ptx(void **state) {
    (void)state;
    const char *const texts[] = {lanes, scalars};
    for (size_t t = 0; t < 2; t++) {
        char *code = ptx_of(texts[t]);
        assert_int_equal(occurrences(code, "atom."), 0);
        assert_int_equal(occurrences(code, "ld.volatile"), 0);
        assert_int_equal(occurrences(code, "ld.acquire.sys.global.b32"), t == 0 ? 1 : 4);
        assert_int_equal(occurrences(code, "st.release.sys.global.b32"), t == 0 ? 2 : 0);
        assert_int_equal(occurrences(code, "fence.acq_rel.sys"), t == 0 ? 0 : 2);
        assert_int_equal(occurrences(code, "st.relaxed.sys.global.b32"), t == 0 ? 0 : 8);
        free(code);
    }
}

// Behind the wait, and before the second release; the scalar form meets before the first release, too.
static void blocks_meet_seldom(void **state) {
    (void)state;
    assert_int_equal(hopper_count(lanes, "bar.sync"), 2);
    assert_int_equal(hopper_count(scalars, "bar.sync"), 3);
    assert_int_equal(hopper_count(polls, "bar.sync"), 1);
}

// No meeting between the label that a waiting loop or the sum jumps back to and the jump.
static void loops_do_not_meet(void **state) {
    (void)state;
    const char *const texts[] = {lanes, scalars, polls};
    for (size_t t = 0; t < 3; t++) {
        char *code = ptx_of(texts[t]), label[64];
        unsigned loops = 0;
        for (const char *at = code; (at = strstr(at, "\n$L__BB")); at++) {
            snprintf(label, sizeof label, "%.*s", (int)strcspn(at + 1, ":"), at + 1);
            const char *jump = strstr(at + 2 + strlen(label), label);
            if (jump) {
                const char *met = strstr(at, "bar.sync");
                assert_true(!met || met > jump);
                loops++;
            }
        }
        assert_true(loops >= 2);
        free(code);
    }
}

static void addresses_keep_their_alignment(void **state) {
    (void)state;
    static const char vectors[] = "ld.global.v4."; // LLVM 19 has another word for 32 bits
    const char *loads = LLVM_AT_LEAST(22) ? "ld.global.b32" : "ld.global.u32";
    assert_int_equal(hopper_count(lanes, vectors), 4);
    assert_int_equal(hopper_count(HEAD "    share = n // 8\n"
                                       "    at = rank * share + tl.arange(0, 1024)\n"
                                       "    tl.store(out + at, tl.load(tl.load(buffers + 1) + at))\n",
                                  loads),
                     4);
    assert_int_equal(hopper_count(KERNEL_HEAD
                                  "def k(buffers: '**fp16:16', out: '*fp16:16', rank: 'i32', n: 'i32:64'):\n"
                                  "    at = rank * (n // 8) + tl.arange(0, 1024)\n"
                                  "    tl.store(out + at, tl.load(tl.load(buffers + 1) + at))\n",
                                  vectors),
                     1);
}

// AMD: one write-back for the flags of all peers (and one in the barrier ahead of it), no atomics, loads and stores past the caches.
static void flags_are_plain_on_amd(void **state) {
    (void)state;
    const char *const texts[] = {lanes, scalars};
    for (size_t t = 0; t < 2; t++) {
        const char *chip = "gfx942";
        struct tkc_options options = assembly_options(texts[t], &chip, 4);
        char *code = assembly_of(&options);
        assert_int_equal(occurrences(code, "\tglobal_atomic"), 0);
        assert_int_equal(occurrences(code, "_cmpswap"), 0);
        assert_true(occurrences(code, "\tbuffer_wbl2 sc0 sc1") <= 4);
        assert_true(occurrences(code, "\tbuffer_wbl2 sc0 sc1") >= 2);
        assert_int_equal(occurrences(code, "\tglobal_store_dword "), t == 0 ? 2 : 8);
        assert_true(occurrences(code, "\ts_barrier") <= 3);
        free(code);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_are_plain_in_ptx), cmocka_unit_test(blocks_meet_seldom),
        cmocka_unit_test(loops_do_not_meet),      cmocka_unit_test(addresses_keep_their_alignment),
        cmocka_unit_test(flags_are_plain_on_amd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
