// AMD's cross-lane operations, LDS with its fences, and conversions on the emulator.
#include "emulator_harness.h"

#include "chip_testing.h"

static const char declarations[] =
    "@tkc_shared = internal addrspace(3) global [2048 x i8] poison, align 16\n"
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
    "declare float @llvm.amdgcn.cvt.f32.fp8(i32, i32)\n"
    "declare void @llvm.amdgcn.s.waitcnt(i32)\n"
    "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)\n"
    "declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, "
    "i32, "
    "i32)\n"
    "declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)\n";

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

// A meeting of a wave's lanes behind a fence orders their accesses, one of them alone does not, and neither orders those of other waves.
static void test_meetings_of_a_wave(void **state) {
    static const char fence[] = "fence syncscope(\"wavefront\") acq_rel",
                      meeting[] = "call void @llvm.amdgcn.wave.barrier()";
    struct kernel_run run;
    char text[1024], both[256];
    snprintf(both, sizeof both, "%s\n%s", fence, meeting);
    snprintf(text, sizeof text, exchange, both, 9);
    run_clean(&run, "gfx1100", text, 128);
    snprintf(text, sizeof text, exchange, fence, 9);
    run_fault("gfx1100", text, 128, "race", "warp fence");
    snprintf(text, sizeof text, exchange, meeting, 9);
    run_fault("gfx1100", text, 128, "race", "warp fence");
    snprintf(text, sizeof text, exchange, both, 32);
    run_fault("gfx1100", text, 128, "race", "with no barrier between");
    snprintf(text, sizeof text, exchange, both, 32);
    run_clean(&run, "gfx942", text, 128); // a wave of 64 lanes
}

static void test_float8(void **state) {
    struct kernel_run run;
    const char *body = "%f = uitofp i32 %t to float\n"
                       "%r = call i32 @llvm.amdgcn.cvt.pk.fp8.f32(float %f, float 1.0, i32 0, i1 true)";
    run_clean(&run, "gfx942", body, 64);
    assert_int_equal(run.out[2], 0x40480000u); // FNUZ: bias 8
    if (!lacks_chip("gfx1200")) {
        run_clean(&run, "gfx1200", body, 32);
        assert_int_equal(run.out[2], 0x38400000u);
    }
}

// The rules are the chip's: without one there are none.
static void test_unknown_chip(void **state) {
    (void)state;
    static const char *const chips[] = {"gfx803", "sm_80", NULL};
    static const char text[] = "define amdgpu_kernel void @k() {\n  ret void\n}\n";
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        struct emulator_options options = {.chip = chips[i]};
        LLVMContextRef context = LLVMContextCreate();
        char *error = NULL, words[64];
        snprintf(words, sizeof words, "the emulator knows no '%s' of them", chips[i] ? chips[i] : "");
        assert_null(emulator_create(harness_parse(context, amd_head, text), &options, &error));
        assert_non_null(strstr(error, words));
        free(error);
        LLVMContextDispose(context);
    }
}

// Two copies to LDS of 16 bytes a lane, the second one from a buffer of 512 bytes; a thread then reads a word of another one's.
// `first`, `second`: vmcnt of the waits ahead of the two reads.
static const char *copies(unsigned first, unsigned second, const char *base) {
    static char text[4096];
    snprintf(
        text, sizeof text,
        "%%p4 = getelementptr [4 x i32], ptr addrspace(1) %%out, i32 %%t\n%%w = insertelement <4 x i32> "
        "zeroinitializer, i32 %%t, i32 0\nstore <4 x i32> %%w, ptr addrspace(1) "
        "%%p4, align 16\n"
        "%%o = shl i32 %%t, 4\n"
        "%%far = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %s\n"
        "%%b = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %%out, i16 0, i64 "
        "512, i32 159744)\n"
        "call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %%p4, ptr addrspace(3) @tkc_shared, i32 16, "
        "i32 0, i32 0)\n"
        "call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %%b, ptr addrspace(3) %%far, i32 "
        "16, i32 %%o, i32 0, i32 0, "
        "i32 0)\n"
        "%%other = xor i32 %%t, 9\n%%q = getelementptr [4 x i32], ptr addrspace(3) @tkc_shared, i32 %%other\n"
        "%%u = getelementptr i8, ptr addrspace(3) %%q, i32 1024\n"
        "call void @llvm.amdgcn.s.waitcnt(i32 %u)\nfence syncscope(\"workgroup\") release\n"
        "call void @llvm.amdgcn.s.barrier()\nfence syncscope(\"workgroup\") acquire\n"
        "%%x = load i32, ptr addrspace(3) %%q, align 4\n"
        "call void @llvm.amdgcn.s.waitcnt(i32 %u)\nfence syncscope(\"workgroup\") release\n"
        "call void @llvm.amdgcn.s.barrier()\nfence syncscope(\"workgroup\") acquire\n"
        "%%y = load i32, ptr addrspace(3) %%u, align 4\n%%z = mul i32 %%y, 1000\n%%r = add i32 %%x, %%z",
        base, 0xf70 + first, 0xf70 + second);
    return text;
}

static void test_copies(void **state) {
    static struct kernel_run run;
    need_chip("gfx950");
    run_clean(&run, "gfx950", copies(1, 0, "1024"), 64);
    for (unsigned i = 0; i < 64; i++) {
        unsigned other = i ^ 9;
        assert_int_equal(run.out[i], other + (other < 32 ? 1000 * other : 0));
    }
    run_fault("gfx950", copies(2, 0, "1024"), 64, "asynchronous copy",
              "which an asynchronous copy has not reached");
    run_fault("gfx950", copies(1, 1, "1024"), 64, "asynchronous copy",
              "which an asynchronous copy has not reached");
    run_fault("gfx950", copies(1, 0, "0"), 64, "asynchronous copy",
              "two asynchronous copies are on their way");
    run_fault("gfx950", copies(1, 0, "%o"), 64, "operation",
              "the lanes of a copy to LDS have different addresses there");
}

RUN(TEST(test_dpp), TEST(test_lanes), TEST(test_fences), TEST(test_meetings_of_a_wave), TEST(test_float8),
    TEST(test_copies), TEST(test_unknown_chip))
