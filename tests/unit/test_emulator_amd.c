// AMD's cross-lane operations, LDS with its fences, and conversions on the emulator.
#include "emulator_harness.h"

static const char declarations[] =
    "@tkc_shared = internal addrspace(3) global [1024 x i8] poison, align 16\n"
    "declare i32 @llvm.amdgcn.workitem.id.x()\ndeclare void @llvm.amdgcn.s.barrier()\n"
    "declare void @llvm.amdgcn.wave.barrier()\n"
    "declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)\n"
    "declare i32 @llvm.amdgcn.mov.dpp.i32(i32, i32, i32, i32, i1)\n"
    "declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)\ndeclare i32 @llvm.amdgcn.ds.swizzle(i32, i32)\n"
    "declare i32 @llvm.amdgcn.readlane.i32(i32, i32)\ndeclare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n"
    "declare i32 @llvm.amdgcn.permlanex16.i32(i32, i32, i32, i32, i1, i1)\n"
    "declare i64 @llvm.amdgcn.ballot.i64(i1)\ndeclare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)\n"
    "declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)\ndeclare i32 @llvm.amdgcn.cvt.pk.fp8.f32(float, float, i32, "
    "i1)\n"
    "declare float @llvm.amdgcn.cvt.f32.fp8(i32, i32)\n";

enum { WORDS = 256 };

struct kernel_run {
    struct harness harness;
    _Alignas(16) uint32_t out[WORDS];
    bool clean;
};

static void run_body(struct kernel_run *run, const char *chip, const char *body, unsigned threads) {
    char text[8192];
    struct emulator_options options = {.chip = chip};
    snprintf(text, sizeof text,
             "%sdefine amdgpu_kernel void @k(ptr addrspace(1) %%out) {\nentry:\n"
             "  %%t = call i32 @llvm.amdgcn.workitem.id.x()\n"
             "  %%po = getelementptr i32, ptr addrspace(1) %%out, i32 %%t\n"
             "  %%ps = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %%t\n%s\n"
             "  store i32 %%r, ptr addrspace(1) %%po, align 4\n  ret void\n}\n",
             declarations, body);
    struct emulator_buffer out = {"out", run->out, sizeof run->out, 32, true, false, NULL};
    struct emulator_argument arguments[] = {{.name = "out", .buffer = &out}};
    harness_text(&run->harness, amd_head, text, &options);
    run->clean = harness_run(&run->harness, arguments, 1, 1, threads, 0);
}

static void run_clean(struct kernel_run *run, const char *chip, const char *body, unsigned threads) {
    run_body(run, chip, body, threads);
    harness_expect_clean(&run->harness, run->clean);
    harness_end(&run->harness);
}

static void run_fault(const char *chip, const char *body, unsigned threads, const char *kind,
                      const char *words) {
    struct kernel_run run;
    run_body(&run, chip, body, threads);
    assert_false(run.clean);
    harness_expect_fault(&run.harness, kind, words);
    harness_end(&run.harness);
}

static void test_dpp(void **state) {
    struct kernel_run run;
    char text[512];
    const struct {
        unsigned control;
        int from[4]; // source of lanes 0, 5, 17 and 40; -1: none, so the old value 1000
    } cases[] = {
        {0x1b, {3, 6, 18, 43}},    // quad_perm [3, 2, 1, 0]
        {0x101, {1, 6, 18, 41}},   // row_shl:1
        {0x118, {-1, -1, -1, 32}}, // row_shr:8
        {0x121, {15, 4, 16, 39}},  // row_ror:1
        {0x140, {15, 10, 30, 39}}, // row_mirror
        {0x141, {7, 2, 22, 47}},   // row_half_mirror
        {0x142, {-1, -1, 15, 31}}, // row_bcast:15
        {0x143, {-1, -1, -1, 31}}, // row_bcast:31
    };
    const unsigned lanes[] = {0, 5, 17, 40};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(
            text, sizeof text,
            "%%r = call i32 @llvm.amdgcn.update.dpp.i32(i32 1000, i32 %%t, i32 %u, i32 15, i32 15, i1 false)",
            cases[i].control);
        run_clean(&run, "gfx942", text, 64);
        for (unsigned j = 0; j < 4; j++) {
            assert_int_equal(run.out[lanes[j]], cases[i].from[j] < 0 ? 1000 : cases[i].from[j]);
        }
    }
    // Masked rows keep the old value; bound control writes zero.
    run_clean(
        &run, "gfx942",
        "%r = call i32 @llvm.amdgcn.update.dpp.i32(i32 1000, i32 %t, i32 322, i32 10, i32 15, i1 false)", 64);
    assert_int_equal(run.out[17], 15);
    assert_int_equal(run.out[40], 1000);
    run_clean(&run, "gfx942",
              "%r = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %t, i32 280, i32 15, i32 15, i1 true)", 64);
    assert_int_equal(run.out[5], 0);
    run_clean(&run, "gfx1100",
              "%r = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %t, i32 355, i32 15, i32 15, i1 true)", 32);
    assert_int_equal(run.out[20], 16 + (4 ^ 3));
    run_fault("gfx1100", "%r = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %t, i32 322, i32 15, i32 15, i1 true)",
              32, "operation", "gfx1100 has no DPP control 0x142");
}

static void test_lanes(void **state) {
    struct kernel_run run;
    run_clean(
        &run, "gfx90a",
        "%x = xor i32 %t, 37\n%a = shl i32 %x, 2\n%r = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %t)",
        64);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(run.out[i], i ^ 37);
    }
    run_clean(&run, "gfx942", "%r = call i32 @llvm.amdgcn.ds.swizzle(i32 %t, i32 16415)", 64); // xor 16
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(run.out[i], i ^ 16);
    }
    run_clean(&run, "gfx942", "%r = call i32 @llvm.amdgcn.readlane.i32(i32 %t, i32 50)", 128);
    assert_int_equal(run.out[3], 50);
    assert_int_equal(run.out[100], 64 + 50);
    run_clean(&run, "gfx1100",
              "%r = call i32 @llvm.amdgcn.permlanex16.i32(i32 0, i32 %t, i32 1985229328, i32 -19088744, i1 "
              "false, i1 false)",
              32);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(run.out[i], i ^ 16);
    }
    run_clean(&run, "gfx942",
              "%c = icmp ugt i32 %t, 60\n%b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)\n%h = lshr i64 %b, 32\n"
              "%w = trunc i64 %h to i32\n%l = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n"
              "%n = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l)\n%r = add i32 %w, %n",
              64);
    assert_int_equal(run.out[63], 0xe0000000u + 63);
}

static const char exchange[] = "store i32 %%t, ptr addrspace(3) %%ps, align 4\n%s\n%%o = xor i32 %%t, %u\n"
                               "%%q = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %%o\n"
                               "%%r = load i32, ptr addrspace(3) %%q, align 4";

static void test_fences(void **state) {
    struct kernel_run run;
    char text[1024];
    snprintf(text, sizeof text, exchange,
             "fence syncscope(\"workgroup\") release\ncall void @llvm.amdgcn.s.barrier()\n"
             "fence syncscope(\"workgroup\") acquire",
             70);
    run_clean(&run, "gfx942", text, 256);
    for (unsigned i = 0; i < 256; i++) {
        assert_int_equal(run.out[i], i ^ 70);
    }
    snprintf(text, sizeof text, exchange,
             "fence syncscope(\"workgroup\") release\ncall void @llvm.amdgcn.s.barrier()", 70);
    run_fault("gfx942", text, 256, "race", "with no barrier between");
    snprintf(text, sizeof text, exchange,
             "call void @llvm.amdgcn.s.barrier()\nfence syncscope(\"workgroup\") acquire", 70);
    run_fault("gfx942", text, 256, "race", "with no barrier between");
    // Within a wave: legal through the named fence, not without.
    snprintf(text, sizeof text, exchange,
             "call void asm sideeffect \"s_waitcnt lgkmcnt(0)\", \"~{memory}\"()", 9);
    run_clean(&run, "gfx942", text, 64);
    snprintf(text, sizeof text, exchange, "", 9);
    run_fault("gfx942", text, 64, "race", "warp fence");
}

static void test_float8(void **state) {
    struct kernel_run run;
    const char *body = "%f = uitofp i32 %t to float\n"
                       "%r = call i32 @llvm.amdgcn.cvt.pk.fp8.f32(float %f, float 1.0, i32 0, i1 true)";
    run_clean(&run, "gfx942", body, 64);
    assert_int_equal(run.out[2], 0x40480000u); // FNUZ: bias 8
    run_clean(&run, "gfx1200", body, 32);
    assert_int_equal(run.out[2], 0x38400000u);
}

RUN(TEST(test_dpp), TEST(test_lanes), TEST(test_fences), TEST(test_float8))
