// Visibility of stores to global memory: releases and acquires at each scope, on each vendor.
//
// Two programs store a part each. The program with the second ticket reads the other's part; every thread
// reads a store of a thread in another warp.
#include "chip_testing.h"
#include "emulator_harness.h"

enum { THREADS = 128 };

struct pattern {
    const char *barrier; // before the ticket is drawn
    const char *ticket;  // i32 %a from ptr addrspace(1) %counter, by the first thread
    const char *share;   // a barrier after it
    const char *load;    // i32 %w from %q
};

static const char nvidia_frame[] =
    "@shared_ticket = internal addrspace(3) global i32 poison, align 4\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "declare void @llvm.nvvm.barrier0()\ndeclare void @llvm.nvvm.membar.gl()\n"
    "define ptx_kernel void @k(ptr addrspace(1) %part, ptr addrspace(1) %counter, ptr addrspace(1) %out) {\n"
    "entry:\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %p = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n";
static const char amd_frame[] =
    "@shared_ticket = internal addrspace(3) global i32 poison, align 4\n"
    "declare i32 @llvm.amdgcn.workitem.id.x()\ndeclare i32 @llvm.amdgcn.workgroup.id.x()\n"
    "declare void @llvm.amdgcn.s.barrier()\ndeclare void @llvm.amdgcn.s.waitcnt(i32)\n"
    "define amdgpu_kernel void @k(ptr addrspace(1) %part, ptr addrspace(1) %counter, ptr addrspace(1) %out) "
    "{\n"
    "entry:\n  %t = call i32 @llvm.amdgcn.workitem.id.x()\n"
    "  %p = call i32 @llvm.amdgcn.workgroup.id.x()\n";

struct parts {
    struct harness harness;
    _Alignas(16) uint32_t part[2 * THREADS], counter[4], out[THREADS];
    bool clean;
};

static void run_pattern(struct parts *parts, const char *chip, const struct pattern *pattern) {
    bool amd = chip[0] == 'g';
    char text[8192];
    struct emulator_options options = {.chip = chip, .workers = 1};
    snprintf(text, sizeof text,
             "%s  %%n = mul i32 %%p, 128\n  %%i = add i32 %%n, %%t\n"
             "  %%to = getelementptr i32, ptr addrspace(1) %%part, i32 %%i\n"
             "  %%v = add i32 %%i, 100\n  store i32 %%v, ptr addrspace(1) %%to\n  %s\n"
             "  %%first = icmp eq i32 %%t, 0\n  br i1 %%first, label %%one, label %%join\n"
             "one:\n  %s\n  store i32 %%a, ptr addrspace(3) @shared_ticket\n  br label %%join\n"
             "join:\n  %s\n  %%k = load i32, ptr addrspace(3) @shared_ticket\n"
             "  %%last = icmp eq i32 %%k, 1\n  br i1 %%last, label %%sum, label %%end\n"
             "sum:\n  %%o = xor i32 %%i, 255\n  %%q = getelementptr i32, ptr addrspace(1) %%part, i32 %%o\n"
             "  %%w = %s\n  %%r = getelementptr i32, ptr addrspace(1) %%out, i32 %%t\n"
             "  store i32 %%w, ptr addrspace(1) %%r\n  br label %%end\nend:\n  ret void\n}\n",
             amd ? amd_frame : nvidia_frame, pattern->barrier, pattern->ticket, pattern->share,
             pattern->load);
    memset(parts, 0, sizeof *parts);
    struct emulator_buffer part = {"part", parts->part, sizeof parts->part, 32, true, false, NULL};
    struct emulator_buffer counter = {"counter", parts->counter, sizeof parts->counter, 32, false, false,
                                      NULL};
    struct emulator_buffer out = {"out", parts->out, sizeof parts->out, 32, true, false, NULL};
    struct emulator_argument arguments[] = {{.name = "part", .buffer = &part},
                                            {.name = "counter", .buffer = &counter},
                                            {.name = "out", .buffer = &out}};
    harness_text(&parts->harness, amd ? amd_head : nvidia_head, text, &options);
    parts->clean = harness_run(&parts->harness, arguments, 3, 2, THREADS, 0);
}

static void expect_clean(const char *chip, struct pattern pattern) {
    struct parts parts;
    run_pattern(&parts, chip, &pattern);
    harness_expect_clean(&parts.harness, parts.clean);
    for (uint32_t i = 0; i < THREADS; i++) { // the second program came last
        assert_int_equal(parts.out[i], 100 + THREADS - 1 - i);
    }
    harness_end(&parts.harness);
}

static void expect_fault(const char *chip, struct pattern pattern, const char *kind, bool of_compiler,
                         const char *words) {
    struct parts parts;
    run_pattern(&parts, chip, &pattern);
    assert_false(parts.clean);
    harness_expect_fault(&parts.harness, kind, words);
    assert_int_equal(harness_of_compiler(&parts.harness), of_compiler);
    harness_end(&parts.harness);
}

#define BAR "call void @llvm.nvvm.barrier0()"
#define ATOM(what)                                                                                           \
    "%a = call i32 asm sideeffect \"atom.global." what                                                       \
    ".add.u32 $0, [$1], $2;\", \"=r,l,r,~{memory}\"(ptr addrspace(1) %counter, i32 1)"
#define LOAD "load i32, ptr addrspace(1) %q"

static void test_nvidia(void **state) {
    const struct pattern good = {BAR, ATOM("acq_rel.gpu"), BAR, LOAD};
    struct pattern pattern = good;
    expect_clean("sm_80", good);
    pattern.ticket = ATOM("acq_rel.sys");
    expect_clean("sm_80", pattern);
    pattern.ticket = ATOM("relaxed.gpu");
    expect_fault("sm_80", pattern, "stale read", false, "which program 0 stored");
    pattern.load = "load volatile i32, ptr addrspace(1) %q";
    expect_clean("sm_80", pattern); // a volatile load reads the current value
    pattern = good;
    pattern.ticket = ATOM("acq_rel.cta"); // covers no other program
    expect_fault("sm_80", pattern, "stale read", false, NULL);
    pattern.ticket = ATOM("release.gpu"); // nobody acquires
    expect_fault("sm_80", pattern, "stale read", false, NULL);
    pattern.ticket = ATOM("acquire.gpu");
    expect_fault("sm_80", pattern, "stale read", false, NULL);
    // Fences around a relaxed atomic.
    pattern.ticket =
        "call void @llvm.nvvm.membar.gl()\n" ATOM("relaxed.gpu") "\ncall void @llvm.nvvm.membar.gl()";
    expect_clean("sm_80", pattern);
    pattern.ticket = "call void asm sideeffect \"fence.acq_rel.cta;\", \"~{memory}\"()\n" ATOM("relaxed.gpu");
    expect_fault("sm_80", pattern, "stale read", false, NULL);
    // A release covers the stores known to its thread: without the barrier only its own.
    pattern = good;
    pattern.barrier = "";
    expect_fault("sm_80", pattern, "release", true,
                 "that program's release does not cover what this warp stored");
    // Without the barrier after it the other threads have not acquired; the ticket races too.
    pattern = good;
    pattern.share = "call void asm sideeffect \"bar.warp.sync 0xffffffff;\", \"~{memory}\"()";
    struct parts parts;
    run_pattern(&parts, "sm_80", &pattern);
    harness_expect_fault(&parts.harness, "race", NULL);
    harness_end(&parts.harness);
}

#define FENCE(scope, ordering) "fence syncscope(\"" scope "\") " ordering "\n"
#define S_BARRIER "call void @llvm.amdgcn.s.barrier()\n"
#define AMD_BARRIER FENCE("workgroup", "release") S_BARRIER FENCE("workgroup", "acquire")
#define RMW(scope, ordering)                                                                                 \
    "%a = atomicrmw add ptr addrspace(1) %counter, i32 1 syncscope(\"" scope "\") " ordering

static void test_amd(void **state) {
    const struct pattern good = {AMD_BARRIER, RMW("agent", "acq_rel"), AMD_BARRIER, LOAD};
    struct pattern pattern = good;
    // A wave's release waits for its own stores; from gfx10 on a wave also waits for them before it comes to a barrier.
    expect_clean("gfx1100", good);
    if (!lacks_chip("gfx1200")) {
        expect_clean("gfx1200", good);
    }
    static const char *const gfx9[] = {"gfx90a", "gfx942"};
    for (unsigned i = 0; i < 2; i++) {
        pattern = good;
        expect_fault(gfx9[i], good, "release", true, "(warp 1) of program 0 stored");
        pattern.barrier = FENCE("agent", "release") S_BARRIER FENCE("workgroup", "acquire");
        expect_clean(gfx9[i], pattern);
        pattern.barrier = "call void @llvm.amdgcn.s.waitcnt(i32 3952)\n" AMD_BARRIER; // vmcnt(0)
        expect_clean(gfx9[i], pattern);
        pattern.barrier = "call void asm sideeffect \"s_waitcnt vmcnt(0)\", \"~{memory}\"()\n" AMD_BARRIER;
        expect_clean(gfx9[i], pattern);
        pattern.barrier = "call void @llvm.amdgcn.s.waitcnt(i32 3953)\n" AMD_BARRIER; // vmcnt(1)
        expect_fault(gfx9[i], pattern, "release", true, NULL);
        pattern.barrier = AMD_BARRIER "call void @llvm.amdgcn.s.waitcnt(i32 3952)"; // nobody passes it on
        expect_fault(gfx9[i], pattern, "release", true, NULL);
    }
    pattern = good;
    pattern.barrier = S_BARRIER; // orders nothing by itself
    expect_fault("gfx1100", pattern, "release", true, NULL);
    pattern = good;
    pattern.ticket = RMW("workgroup", "acq_rel");
    expect_fault("gfx1100", pattern, "stale read", false, NULL);
    pattern.ticket = RMW("agent", "monotonic");
    expect_fault("gfx1100", pattern, "stale read", false, NULL);
    pattern.ticket = FENCE("agent", "release") RMW("agent", "monotonic") "\n" FENCE("agent", "acquire");
    expect_clean("gfx1100", pattern);
    pattern.ticket = FENCE("workgroup", "release") RMW("agent", "monotonic") "\n" FENCE("agent", "acquire");
    expect_fault("gfx1100", pattern, "stale read", false, NULL);
}

// One program: a thread reads another thread's store.
static void test_one_program(void **state) {
    static const struct {
        unsigned distance;
        const char *between, *fault;
        bool read_first;
    } cases[] = {
        {32, "", "unordered", false},
        {32, BAR, NULL, false},
        {1, "", "unordered", false},
        {1, "call void asm sideeffect \"bar.warp.sync 0xffffffff;\", \"~{memory}\"()", NULL, false},
        {32, "call void asm sideeffect \"bar.warp.sync 0xffffffff;\", \"~{memory}\"()", "unordered", false},
        {0, "", NULL, false},
        {32, "", NULL, true}, // the read stands before the store
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        struct harness harness;
        _Alignas(16) uint32_t part[2 * THREADS] = {0};
        struct emulator_buffer buffer = {"part", part, sizeof part, 32, false, false, NULL};
        struct emulator_argument arguments[] = {{.name = "part", .buffer = &buffer},
                                                {.name = "counter", .buffer = &buffer},
                                                {.name = "out", .buffer = &buffer, .offset = 4 * THREADS}};
        const char *store = "store i32 %t, ptr addrspace(1) %to",
                   *load = "%w = load i32, ptr addrspace(1) %q";
        snprintf(text, sizeof text,
                 "%s  %%to = getelementptr i32, ptr addrspace(1) %%part, i32 %%t\n  %%o = xor i32 %%t, %u\n"
                 "  %%q = getelementptr i32, ptr addrspace(1) %%part, i32 %%o\n  %s\n  %s\n  %s\n"
                 "  %%r = getelementptr i32, ptr addrspace(1) %%out, i32 %%t\n"
                 "  store i32 %%w, ptr addrspace(1) %%r\n  ret void\n}\n",
                 nvidia_frame, cases[i].distance, cases[i].read_first ? load : store, cases[i].between,
                 cases[i].read_first ? store : load);
        harness_text(&harness, nvidia_head, text, NULL);
        bool clean = harness_run(&harness, arguments, 3, 1, THREADS, 0);
        if (cases[i].fault) {
            harness_expect_fault(&harness, cases[i].fault, "read of part[");
            assert_false(harness_of_compiler(&harness));
        } else {
            harness_expect_clean(&harness, clean);
        }
        harness_end(&harness);
    }
}

// A lock passes from program to program: each knows the stores of all before it, through any number of them.
static void test_lock(void **state) {
    static const char *const unlocks[] = {"release", "relaxed"};
    for (unsigned i = 0; i < 2; i++) {
        char text[4096];
        struct harness harness;
        struct emulator_options options = {.timeout_seconds = 20};
        _Alignas(16) uint32_t sum[64] = {0}, lock[4] = {0};
        struct emulator_buffer sums = {"part", sum, sizeof sum, 32, false, false, NULL};
        struct emulator_buffer locks = {"counter", lock, sizeof lock, 32, false, false, NULL};
        struct emulator_argument arguments[] = {{.name = "part", .buffer = &sums},
                                                {.name = "counter", .buffer = &locks},
                                                {.name = "out", .buffer = &sums}};
        snprintf(
            text, sizeof text,
            "%s  %%first = icmp eq i32 %%t, 0\n  br i1 %%first, label %%take, label %%taken\n"
            "take:\n  %%a = call i32 asm sideeffect \"atom.global.acquire.gpu.cas.b32 $0, [$1], $2, $3;\", "
            "\"=r,l,r,r,~{memory}\"(ptr addrspace(1) %%counter, i32 0, i32 1)\n"
            "  %%busy = icmp ne i32 %%a, 0\n  br i1 %%busy, label %%take, label %%taken\n"
            "taken:\n  " BAR "\n  %%q = getelementptr i32, ptr addrspace(1) %%part, i32 %%t\n"
            "  %%v = load i32, ptr addrspace(1) %%q\n  %%w = add i32 %%v, 1\n"
            "  store i32 %%w, ptr addrspace(1) %%q\n  " BAR "\n  br i1 %%first, label %%give, label %%end\n"
            "give:\n  %%b = call i32 asm sideeffect \"atom.global.%s.gpu.exch.b32 $0, [$1], $2;\", "
            "\"=r,l,r,~{memory}\"(ptr addrspace(1) %%counter, i32 0)\n  br label %%end\nend:\n  ret "
            "void\n}\n",
            nvidia_frame, unlocks[i]);
        harness_text(&harness, nvidia_head, text, &options);
        for (uint64_t seed = 1; seed < 4; seed++) {
            memset(sum, 0, sizeof sum);
            emulator_reorder(harness.emulator, EMULATOR_RANDOM, seed);
            bool clean = harness_run(&harness, arguments, 3, 40, 64, 0);
            if (i == 0) {
                harness_expect_clean(&harness, clean);
            } else {
                harness_expect_fault(&harness, "stale read", NULL);
            }
            for (unsigned j = 0; j < 64 && i == 0; j++) {
                assert_int_equal(sum[j], 40);
            }
        }
        harness_end(&harness);
    }
}

RUN(TEST(test_nvidia), TEST(test_amd), TEST(test_one_program), TEST(test_lock))
