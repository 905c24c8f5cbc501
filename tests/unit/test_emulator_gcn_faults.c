// The emulator's reports of faulty AMD machine code: missing waits, barriers and scratch, and unknown
// instructions; and the initial registers of a launch.
#include "amdgcn_harness.h"

static void fails_with(const char *chip, unsigned threads, const char *body, const char *kind,
                       const char *text) {
    static struct gcn_run run;
    if (lacks_chip(chip)) {
        return;
    }
    run.threads = threads;
    run.scratch = strstr(body, "s[0:3]") ? 16 : 0;
    assert_false(gcn_run(&run, chip, body));
    assert_true(run.result.report_count > 0);
    assert_string_equal(run.result.reports[0].kind, kind);
    if (!strstr(run.result.reports[0].text, text)) {
        fail_msg("%s", run.result.reports[0].text);
    }
    emulator_result_free(&run.result);
}

#define RESULTS "v_mov_b32 v6, v2\nv_mov_b32 v7, v3\nv_mov_b32 v8, v4\nv_mov_b32 v9, v5\n"

static void test_missing_waits(void **state) {
    fails_with("gfx942", 64, RESULTS "global_load_dword v10, v1, s[4:5]\nv_add_u32 v6, 1, v10", "wait",
               "register v10 is used while a load that writes it has not been waited for");
    // v125, next to the encoding of "no scalar register".
    fails_with("gfx942", 64, RESULTS "global_load_dword v125, v1, s[4:5]\nv_add_u32 v6, 1, v125", "wait",
               "register v125 is used");
    // A later load of the same counter may still be under way, an earlier one not.
    fails_with("gfx1100", 32,
               RESULTS "global_load_b32 v10, v1, s[4:5]\nglobal_load_b32 v11, v1, s[4:5]\n"
                       "s_waitcnt vmcnt(1)\nv_add_nc_u32 v6, v10, v11",
               "wait", "register v11 is used");
    fails_with("gfx1200", 32, RESULTS "s_load_b32 s8, s[4:5], 0x0\nv_mov_b32 v6, s8", "wait",
               "register s8 is used");
    fails_with("gfx942", 64, RESULTS "global_load_dword v10, v1, s[4:5]\nv_mov_b32 v10, 0", "wait",
               "register v10 is used");
}

// A copy to LDS arrives with the wait for its instruction, and not earlier; before it is issued, the wave's own accesses there must be done.
static void test_copies(void **state) {
#define COPY_TO_LDS "s_mov_b32 m0, 0x400\ns_nop 0\nglobal_load_lds_dwordx4 v1, s[4:5]\n"
    fails_with("gfx950", 64,
               RESULTS COPY_TO_LDS "ds_read_b128 v[6:9], v1 offset:1024\ns_waitcnt vmcnt(0) lgkmcnt(0)",
               "asynchronous copy",
               "read of shared memory at byte 1024, which an asynchronous copy has not reached");
    fails_with("gfx950", 64,
               RESULTS COPY_TO_LDS
               "s_mov_b32 m0, 0x800\ns_nop 0\nglobal_load_lds_dwordx4 v1, s[4:5]\n"
               "s_waitcnt vmcnt(1)\nds_read_b128 v[6:9], v1 offset:2048\ns_waitcnt lgkmcnt(0)",
               "asynchronous copy", "read of shared memory at byte 2048");
    fails_with("gfx950", 64,
               RESULTS COPY_TO_LDS "ds_write_b32 v1, v6 offset:1024\ns_waitcnt vmcnt(0) lgkmcnt(0)",
               "asynchronous copy", "write of shared memory at byte 1024");
    fails_with(
        "gfx950", 64,
        RESULTS "ds_write_b128 v1, v[6:9] offset:1024\ns_waitcnt lgkmcnt(0)\nds_read_b128 v[6:9], v1 "
                "offset:1024\n" COPY_TO_LDS "s_waitcnt vmcnt(0) lgkmcnt(0)",
        "wait",
        "shared memory at byte 1024 is copied to while this wave's access there has not been waited for");
    // Another wave knows of its arrival behind a barrier alone.
    fails_with("gfx950", 128,
               RESULTS "s_mov_b32 m0, 0x400\nv_readfirstlane_b32 s8, v0\ns_lshl_b32 s8, s8, 4\ns_add_u32 m0, "
                       "m0, s8\ns_nop 0\n"
                       "global_load_lds_dwordx4 v1, s[4:5]\ns_waitcnt vmcnt(0)\nv_xor_b32 v10, 0x400, v1\n"
                       "ds_read_b128 v[6:9], v10 offset:1024\ns_waitcnt lgkmcnt(0)",
               "uninitialised", "read of shared memory");
}

// Instructions that must stand between a write of a register and its use: with them nothing is reported, with one less it is.
static void distance(const char *chip, const char *before, unsigned states, const char *after,
                     const char *text) {
    static struct gcn_run run;
    char body[1024];
    if (lacks_chip(chip)) {
        return;
    }
    run.threads = 64;
    for (unsigned missing = 0; missing < 2; missing++) {
        char nop[32] = "";
        if (states - missing) {
            snprintf(nop, sizeof nop, "s_nop %u\n", states - missing - 1);
        }
        snprintf(body, sizeof body, RESULTS "%s\n%s%s\ns_waitcnt vmcnt(0)\ns_nop 7", before, nop, after);
        if (missing) {
            fails_with(chip, 64, body, "wait", text);
        } else if (!gcn_run(&run, chip, body)) {
            fail_msg("%s: %s", body,
                     run.result.report_count ? run.result.reports[0].text : run.result.message);
        } else {
            emulator_result_free(&run.result);
        }
    }
}

static void test_distances(void **state) {
    static const char *const chips[] = {"gfx908", "gfx90a", "gfx942"};
    static const unsigned middle[] = {10, 11, 7}, large[] = {18, 19, 11};
    for (unsigned i = 0; i < 3; i++) {
        distance(
            chips[i], "s_mov_b64 s[8:9], s[4:5]\nv_readfirstlane_b32 s8, v0\ns_mov_b32 s8, s4", 4,
            "global_load_dword v10, v1, s[8:9]",
            "register s8 is used 4 wait states after `v_readfirstlane_b32 s8, v0` writes it, 5 are needed");
        distance(chips[i], "v_cmp_eq_u32_e64 s[8:9], 0, v0", 4, "v_readlane_b32 s10, v2, s8",
                 "register s8 is used 3 wait states after");
        distance(chips[i], "v_cmp_eq_u32_e32 vcc, 0, v0", 4, "v_div_fmas_f32 v6, v2, v3, v4",
                 "register s106 is used 3");
        distance(chips[i], "v_mov_b32 v10, v2", 2,
                 "v_mov_b32_dpp v6, v10 row_shr:1 row_mask:0xf bank_mask:0xf",
                 "register v10 is used 1 wait states after");
        distance(chips[i], "v_mov_b32 v11, -1\nv_readfirstlane_b32 exec_lo, v11", 5,
                 "v_mov_b32_dpp v6, v2 row_shr:1 row_mask:0xf bank_mask:0xf",
                 "register s126 is used 4 wait states after");
    }
    distance("gfx950", "s_mov_b32 m0, 0x400", 1, "global_load_lds_dwordx4 v1, s[4:5]",
             "register s124 is used 0 wait states after");
    distance("gfx942", "v_rcp_f32 v10, v2", 1, "v_add_f32 v6, v10, v10",
             "register v10 is used 0 wait states after");
    static const char *const products[][2] = {{"v_mfma_f32_16x16x4f32", "v_mfma_f32_16x16x4_f32"},
                                              {"v_mfma_f32_32x32x2f32", "v_mfma_f32_32x32x2_f32"}};
    static const char *const results[] = {"a[0:3]", "a[0:15]"};
    for (unsigned i = 0; i < 3; i++) {
        const unsigned *const states[] = {middle, large};
        for (unsigned shape = 0; shape < 2; shape++) {
            char product[128], text[64];
            snprintf(product, sizeof product, "%s %s, v2, v3, %s", products[shape][i == 2], results[shape],
                     results[shape]);
            snprintf(text, sizeof text, "register a0 is used %u wait states after", states[shape][i] - 1);
            distance(chips[i], product, states[shape][i], "v_accvgpr_read_b32 v6, a0", text);
        }
    }
}

// With `wait` between both parts nothing is reported, without it `text` is.
static void needs_wait(const char *chip, const char *before, const char *wait, const char *after,
                       const char *text) {
    static struct gcn_run run;
    char body[1024];
    run.threads = 32;
    snprintf(body, sizeof body, RESULTS "%s\n%s\n%s", before, wait, after);
    if (!gcn_run(&run, chip, body)) {
        fail_msg("%s: %s", body, run.result.report_count ? run.result.reports[0].text : run.result.message);
    }
    emulator_result_free(&run.result);
    snprintf(body, sizeof body, RESULTS "%s\n%s", before, after);
    fails_with(chip, 32, body, "wait", text);
}

// gfx12: v_add reads s8 (or its neighbour s9, or VCC); the later write hides from the next reader.
static void test_hidden_scalars(void **state) {
    static const char read[] = "s_mov_b64 s[8:9], 0\nv_add_nc_u32 v6, s8, v2\n";
    static const struct {
        const char *write, *wait, *use;
    } rows[] = {
        {"s_mov_b32 s8, 1", "s_wait_alu depctr_sa_sdst(0)", "v_add_nc_u32 v7, s8, v2"},
        {"s_mov_b32 s9, 1", "s_wait_alu depctr_sa_sdst(0)", "v_add_nc_u32 v7, s9, v2"},
        {"s_mov_b32 s8, 1", "s_wait_alu depctr_sa_sdst(0)", "s_add_co_u32 s10, s8, 1"},
        {"s_mov_b32 s8, 1", "s_wait_alu depctr_sa_sdst(0)", "s_addk_co_i32 s8, 0x80"},
        {"s_mov_b32 s8, 1\nglobal_load_b32 v10, v1, s[4:5]", "s_wait_alu depctr_sa_sdst(0)",
         "v_add_nc_u32 v7, s8, v2"},
        {"s_mov_b32 s8, 1\nds_store_b32 v1, v2", "s_wait_alu depctr_sa_sdst(0)", "v_add_nc_u32 v7, s8, v2"},
        {"v_readfirstlane_b32 s8, v2", "s_wait_alu depctr_va_sdst(0)", "v_add_nc_u32 v7, s8, v2"},
        {"v_cmp_eq_u32_e64 s8, 0, v0", "s_wait_alu depctr_va_sdst(0)", "v_cndmask_b32 v7, 0, 1, s8"},
        {"v_cndmask_b32 v7, 0, 1, vcc_lo\nv_cmp_eq_u32_e32 vcc_lo, 0, v0", "s_wait_alu depctr_va_vcc(0)",
         "v_cndmask_b32 v8, 0, 1, vcc_lo"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char before[256];
        snprintf(before, sizeof before, "s_mov_b32 vcc_lo, 0\n%s%s", read, rows[i].write);
        needs_wait("gfx1200", before, rows[i].wait, rows[i].use, strchr(rows[i].wait, 'd'));
    }
}

// A scalar instruction's read of any scalar register waits for the writes of vector instructions, a scalar load for all writes. A selection
// of 32 lanes reads VCC's low half alone.
static void test_shown_scalars(void **state) {
    static const char *const clean[] = {
        "v_readfirstlane_b32 s8, v2\ns_add_co_u32 s10, s8, 1\nv_add_nc_u32 v7, s8, v2",
        "v_readfirstlane_b32 s8, v2\ns_add_co_u32 s10, s11, 1\nv_add_nc_u32 v7, s8, v2",
        "v_readfirstlane_b32 s8, v2\ns_add_co_u32 s10, ttmp9, 1\nv_add_nc_u32 v7, s8, v2",
        "v_readfirstlane_b32 s8, v2\ns_addk_co_i32 s11, 0x80\nv_add_nc_u32 v7, s8, v2",
        "s_mov_b32 s8, 1\ns_load_b32 s12, s[4:5], 0x0\nv_add_nc_u32 v7, s8, v2\ns_wait_kmcnt 0x0",
        "v_cndmask_b32 v7, 0, 1, vcc_lo\nv_cmp_eq_u32_e64 vcc_hi, 0, v0\n"
        "v_dual_add_f32 v7, v2, v3 :: v_dual_cndmask_b32 v8, 0, v5\nv_cndmask_b32_e32 v9, v2, v3, vcc_lo"};
    for (size_t i = 0; i < sizeof clean / sizeof *clean; i++) {
        static struct gcn_run run;
        char body[512];
        run.threads = 32;
        snprintf(body, sizeof body,
                 RESULTS
                 "s_mov_b64 vcc, 0\ns_mov_b32 s11, 0\ns_mov_b64 s[8:9], 0\nv_add_nc_u32 v6, s8, v2\n%s",
                 clean[i]);
        if (!gcn_run(&run, "gfx1200", body)) {
            fail_msg("%s: %s", body,
                     run.result.report_count ? run.result.reports[0].text : run.result.message);
        }
        emulator_result_free(&run.result);
    }
}

static void test_hazards_of_rows(void **state) {
    static const char wait[] = "s_waitcnt_depctr depctr_va_vdst(0)",
                      missing[] = "depctr_va_vdst(0)` is missing";
    needs_wait("gfx1100", "v_exp_f32 v10, v2", wait, "v_add_f32 v6, v10, v2", missing);
    needs_wait("gfx1100", "v_exp_f32 v10, v2", wait,
               "v_dual_add_f32 v6, v3, v2 :: v_dual_mul_f32 v7, v10, v3", missing);
    needs_wait("gfx1100",
               "v_exp_f32 v10, v2\nv_mov_b32 v6, v2\nv_mov_b32 v6, v2\nv_mov_b32 v6, v2\nv_mov_b32 v6, v2",
               "v_mov_b32 v6, v2\nv_mov_b32 v7, v2", "v_add_f32 v6, v10, v2", missing);
    needs_wait("gfx1100", "v_exp_f32 v10, v2\nv_log_f32 v11, v2", "v_log_f32 v12, v2",
               "v_add_f32 v6, v10, v2", missing);
#define ZEROS(n) "v_mov_b32 v" #n ", 0\n"
    static const char zeros[] = ZEROS(10) ZEROS(11) ZEROS(12) ZEROS(13) ZEROS(14) ZEROS(15) ZEROS(16)
        ZEROS(17) "v_wmma_f32_16x16x16_f16 v[20:27], v[10:17], v[10:17], v[10:17]";
    needs_wait("gfx1100", zeros, "v_nop", "v_wmma_f32_16x16x16_f16 v[30:37], v[10:17], v[20:27], v[10:17]",
               "`v_nop` is missing");
    // Its accumulator is no hazard.
    static struct gcn_run run;
    char body[1024];
    run.threads = 32;
    snprintf(body, sizeof body, RESULTS "%s\nv_wmma_f32_16x16x16_f16 v[20:27], v[10:17], v[10:17], v[20:27]",
             zeros);
    assert_true(gcn_run(&run, "gfx1100", body));
    emulator_result_free(&run.result);
    // gfx10 waits for transcendental instructions by itself.
    assert_true(gcn_run(&run, "gfx1030", RESULTS "v_exp_f32 v10, v2\nv_add_f32 v6, v10, v2"));
    emulator_result_free(&run.result);
}

// Two waves; each reads the other's write to LDS.
#define EXCHANGE(wait, barrier)                                                                              \
    RESULTS "v_lshlrev_b32 v10, 2, v0\nds_write_b32 v10, v2\n" wait barrier                                  \
            "v_xor_b32 v10, 0x100, v10\nds_read_b32 v6, v10\n"

static void test_barriers(void **state) {
    static struct gcn_run run;
    run.threads = 128;
    assert_true(
        gcn_run(&run, "gfx942", EXCHANGE("s_waitcnt lgkmcnt(0)\n", "s_barrier\n") "s_waitcnt lgkmcnt(0)"));
    emulator_result_free(&run.result);
    // The first wave runs ahead.
    fails_with("gfx942", 128, EXCHANGE("s_waitcnt lgkmcnt(0)\n", "") "s_waitcnt lgkmcnt(0)", "uninitialised",
               "which nothing has written");
    // The write has not been done when the barrier is met.
    fails_with("gfx942", 128, EXCHANGE("", "s_barrier\n") "s_waitcnt lgkmcnt(0)", "race", "race");
    run.threads = 64;
    static const char split[] =
        EXCHANGE("s_wait_dscnt 0x0\n", "s_barrier_signal -1\ns_barrier_wait -1\n") "s_wait_dscnt 0x0";
    char body[sizeof split];
    snprintf(body, sizeof body, "%s", split);
    memcpy(strstr(body, "0x100"), "0x080", 5); // a wave has half the lanes
    assert_true(gcn_run(&run, "gfx1200", body));
    emulator_result_free(&run.result);
    memcpy(strstr(body, "s_barrier_wait -1"), "s_nop 0          ", 17);
    fails_with("gfx1200", 64, body, "uninitialised", "which nothing has written");
}

// Each lane's words go through its scratch: whole, in bytes, at an offset of its own and at one of the wave.
#define SCRATCH(begin)                                                                                       \
    begin "buffer_store_dword v2, off, s[0:3], 0\nbuffer_store_dword v3, off, s[0:3], 0 offset:4\n"          \
          "buffer_store_byte v4, off, s[0:3], 0 offset:5\nv_mov_b32 v10, 8\n"                                \
          "buffer_store_dword v4, v10, s[0:3], 0 offen\nbuffer_store_dword v5, v10, s[0:3], 0 offen "        \
          "offset:4\n"                                                                                       \
          "s_movk_i32 s13, 0x200\ns_waitcnt vmcnt(0)\nbuffer_load_dword v6, off, s[0:3], s13 offset:4\n"     \
          "buffer_load_dword v7, off, s[0:3], 0 offset:4\nbuffer_load_ushort v8, off, s[0:3], 0 offset:10\n" \
          "buffer_load_dword v9, off, s[0:3], 0\ns_waitcnt vmcnt(0)\n"
#define WAVE_SCRATCH "s_add_u32 s0, s0, s12\ns_addc_u32 s1, s1, 0\n"

static void test_scratch(void **state) {
    static struct gcn_run run = {.threads = 128, .scratch = 16};
    for (unsigned i = 0; i < GCN_WORDS; i++) {
        run.in[i] = gcn_hash(i);
    }
    if (!gcn_run(&run, "gfx90a", SCRATCH(WAVE_SCRATCH))) {
        fail_msg("%s", run.result.report_count ? run.result.reports[0].text : "did not end");
    }
    emulator_result_free(&run.result);
    for (unsigned lane = 0; lane < run.threads; lane++) {
        const uint32_t *in = run.in + 4 * lane, *out = run.out + 4 * lane;
        assert_int_equal(out[0], in[3]); // 0x200 bytes of 64 lanes are 8 of one
        assert_int_equal(out[1], (in[1] & 0xffff00ffu) | (in[2] & 0xff) << 8);
        assert_int_equal(out[2], in[2] >> 16);
        assert_int_equal(out[3], in[0]);
    }
    // Scratch of the first wave, used by the second; bytes behind one's own.
    fails_with("gfx90a", 128, RESULTS SCRATCH(""), "out of bounds", "local memory byte");
    fails_with("gfx90a", 64, RESULTS WAVE_SCRATCH "buffer_store_dword v2, off, s[0:3], 0 offset:16",
               "out of bounds", "local memory byte 16 (of 16)");
    fails_with("gfx90a", 64, RESULTS WAVE_SCRATCH "buffer_load_dword v10, off, s[0:3], 0\nv_mov_b32 v6, v10",
               "wait", "register v10 is used");
}

// A table in another section, found relative to the program counter, before and after the linker.
static void test_relocations(void **state) {
    static const char body[] =
        "s_getpc_b64 s[8:9]\ns_add_u32 s8, s8, table@rel32@lo+4\ns_addc_u32 s9, s9, table@rel32@hi+12\n"
        "s_load_dwordx2 s[10:11], s[8:9], 0x4\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v6, s10\nv_mov_b32 v7, s11\n"
        "v_mov_b32 v8, v2\nv_mov_b32 v9, v3\n.rodata\n.p2align 4\ntable: .long 11, 22, 33\n.text\n";
    static struct gcn_run run = {.threads = 64};
    for (unsigned unlinked = 0; unlinked < 2; unlinked++) {
        run.unlinked = unlinked;
        run.in[0] = 44;
        if (!gcn_run(&run, "gfx942", body)) {
            fail_msg("%s", run.result.report_count ? run.result.reports[0].text : "did not end");
        }
        emulator_result_free(&run.result);
        assert_int_equal(run.out[0], 22);
        assert_int_equal(run.out[1], 33);
        assert_int_equal(run.out[2], 44);
    }
    char *error = NULL;
    assert_null(gcn_assemble("gfx942", ".data\n.quad kernel\n.text\n", 64, 0, true, false, &error));
    if (!strstr(error, "its relocation of type 3 needs a linker")) {
        fail_msg("%s", error);
    }
    free(error);
}

// LLVM's jump beyond the reach of a branch: forward, and back again.
static void test_far_jumps(void **state) {
    static const char *const chips[] = {"gfx942", "gfx1030", "gfx1100"};
    static const char body[] = "v_mov_b32 v6, 1\nv_mov_b32 v7, 1\ns_getpc_b64 s[8:9]\n"
                               "from: s_add_u32 s8, s8, (there-from)&0xffffffff\ns_addc_u32 s9, s9, "
                               "(there-from)>>32\ns_setpc_b64 s[8:9]\n"
                               "back: v_mov_b32 v7, 2\ns_branch end\n"
                               "there: v_mov_b32 v6, 3\ns_getpc_b64 s[10:11]\n"
                               "again: s_add_u32 s10, s10, (back-again)&0xffffffff\ns_addc_u32 s11, s11, "
                               "(back-again)>>32\ns_setpc_b64 s[10:11]\n"
                               "end: v_mov_b32 v8, v2\nv_mov_b32 v9, v3\n";
    static struct gcn_run run = {.threads = 64};
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
        run.threads = gcn_wave64(chips[i]) ? 64 : 32;
        if (!gcn_run(&run, chips[i], body)) {
            fail_msg("%s: %s", chips[i],
                     run.result.report_count ? run.result.reports[0].text : "did not end");
        }
        emulator_result_free(&run.result);
        assert_int_equal(run.out[0], 3);
        assert_int_equal(run.out[1], 2);
    }
    char *error = NULL;
    assert_null(gcn_assemble("gfx942", "s_setpc_b64 s[8:9]\n", 64, 0, true, false, &error));
    if (!strstr(error, "only jumps by a constant distance are modelled")) {
        fail_msg("%s", error);
    }
    free(error);
}

#define COPY "v_mov_b32 v6, v2\nv_mov_b32 v7, v3\nv_mov_b32 v8, v4\nv_mov_b32 v9, v5\n"

// The code reads its arguments itself, for firmware that does not preload them into registers.
static void test_preloaded_arguments(void **state) {
    struct gcn_run run = {.threads = 64, .preloaded = true};
    for (unsigned i = 0; i < GCN_WORDS; i++) {
        run.in[i] = 7 * i;
    }
    assert_true(gcn_run(&run, "gfx942", COPY));
    assert_memory_equal(run.in, run.out, 64 * 16);
    emulator_result_free(&run.result);
}

static void test_lds_of_the_launch(void **state) {
    static const char body[] = COPY "v_mov_b32 v10, 0x2000\nds_write_b32 v10, v2\ns_waitcnt lgkmcnt(0)";
    struct gcn_run run = {.threads = 64, .shared_bytes = 8192};
    assert_true(gcn_run(&run, "gfx90a", body));
    emulator_result_free(&run.result);
    run.shared_bytes = 4096;
    assert_false(gcn_run(&run, "gfx90a", body));
    assert_non_null(strstr(run.result.reports[0].text, "shared memory byte 8192 (of 8192)"));
    emulator_result_free(&run.result);
}

static void test_refusals(void **state) {
    char *error = NULL;
    assert_null(gcn_assemble("gfx942", RESULTS "v_sad_u8 v6, v2, v3, v4", 64, 0, false, false, &error));
    if (!strstr(error, "`v_sad_u8 v6, v2, v3, v4` at 0x") || !strstr(error, "is in no table")) {
        fail_msg("%s", error);
    }
    free(error);
    struct emulator_options options = {.chip = "gfx942"};
    assert_null(emulator_create_object("no ELF file", 11, &options, &error));
    assert_non_null(strstr(error, "no complete 64-bit little-endian ELF file"));
    free(error);
}

RUN(TEST(test_missing_waits), TEST(test_copies), TEST(test_distances), TEST(test_hidden_scalars),
    TEST(test_shown_scalars), TEST(test_hazards_of_rows), TEST(test_barriers), TEST(test_scratch),
    TEST(test_relocations), TEST(test_far_jumps), TEST(test_refusals), TEST(test_preloaded_arguments),
    TEST(test_lds_of_the_launch))
