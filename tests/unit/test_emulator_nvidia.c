// NVIDIA's collectives, shared memory, asynchronous copies and assembly on the emulator, and the faults it
// must find.
#include "emulator_harness.h"

#include "chip/asm.h"

static const char declarations[] =
    "@tkc_shared = external addrspace(3) global [0 x i8], align 128\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare void @llvm.nvvm.barrier0()\n"
    "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n"
    "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"
    "declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)\n"
    "declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)\n"
    "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\ndeclare i32 @llvm.nvvm.redux.sync.add(i32, i32)\n"
    "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
    "declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))\n"
    "declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))\n";

enum { WORDS = 512 };

struct kernel_run {
    struct harness harness;
    _Alignas(32) uint32_t in[WORDS], out[WORDS];
    bool clean;
};

static bool late_in; // an earlier launch may still write `in`

// A kernel of (in, out) over `threads` threads; `body` computes i32 %r from i32 %t, `blocks` are further
// lines.
static void run_body(struct kernel_run *run, const char *body, unsigned threads,
                     const struct emulator_options *options) {
    char text[8192];
    snprintf(text, sizeof text,
             "%sdefine ptx_kernel void @k(ptr addrspace(1) %%in, ptr addrspace(1) %%out) {\nentry:\n"
             "  %%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
             "  %%po = getelementptr i32, ptr addrspace(1) %%out, i32 %%t\n"
             "  %%pi = getelementptr i32, ptr addrspace(1) %%in, i32 %%t\n"
             "  %%ps = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %%t\n%s\n"
             "  store i32 %%r, ptr addrspace(1) %%po, align 4\n  ret void\n}\n",
             declarations, body);
    for (unsigned i = 0; i < WORDS; i++) {
        run->in[i] = i * i + 3;
    }
    struct emulator_buffer in = {"in", run->in, sizeof run->in, 32, false, true, NULL};
    struct emulator_buffer out = {"out", run->out, sizeof run->out, 32, true, false, NULL};
    struct emulator_argument arguments[] = {{.name = "in", .buffer = &in, .late = late_in},
                                            {.name = "out", .buffer = &out}};
    harness_text(&run->harness, nvidia_head, text, options);
    run->clean = harness_run(&run->harness, arguments, 2, 1, threads, 4096);
}

static void run_clean(struct kernel_run *run, const char *body, unsigned threads) {
    run_body(run, body, threads, NULL);
    harness_expect_clean(&run->harness, run->clean);
    harness_end(&run->harness);
}

static void run_fault(const char *body, unsigned threads, const char *kind, const char *words) {
    struct kernel_run run;
    run_body(&run, body, threads, NULL);
    assert_false(run.clean);
    harness_expect_fault(&run.harness, kind, words);
    assert_true(harness_of_compiler(&run.harness)); // shared memory, barriers and collectives are its work
    harness_end(&run.harness);
}

static void test_shuffles(void **state) {
    (void)state;
    struct kernel_run run;
    run_clean(&run, "%r = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 5, i32 31)", 64);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(run.out[i], i ^ 5);
    }
    run_clean(&run, "%r = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %t, i32 3, i32 0)", 32);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(run.out[i], i < 3 ? i : i - 3);
    }
    run_clean(&run, "%r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 4, i32 31)", 32);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(run.out[i], i + 4 > 31 ? i : i + 4);
    }
    // Segments of 8 lanes: clamp 7, segment mask 0b11000.
    run_clean(&run, "%r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 2, i32 6175)", 32);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(run.out[i], (i & 24) | 2);
    }
    run_clean(&run, "%c = icmp ult i32 %t, 7\n%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)", 32);
    assert_int_equal(run.out[9], 0x7f);
    run_clean(&run, "%r = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1)", 32);
    assert_int_equal(run.out[31], 31 * 16);
}

// Floats out of the integer's range, as in PTX's cvt; LLVM converts to bytes through 16 bits.
static void test_to_integers(void **state) {
    (void)state;
    struct kernel_run run;
    static const char nan[] = "%b = or i32 %t, 2143289344\n%x = bitcast i32 %b to float\n";
    char text[512];
    snprintf(text, sizeof text, "%s%%r = fptosi float %%x to i32", nan);
    run_clean(&run, text, 32);
    assert_int_equal(run.out[3], 0);
    snprintf(text, sizeof text,
             "%s%%w = fptosi float %%x to i64\n%%h = lshr i64 %%w, 32\n%%r = trunc i64 %%h to i32", nan);
    run_clean(&run, text, 32);
    assert_int_equal(run.out[3], 0x80000000);
    snprintf(text, sizeof text, "%s%%d = fpext float %%x to double\n%%r = fptoui double %%d to i32", nan);
    run_clean(&run, text, 32);
    assert_int_equal(run.out[3], 0x80000000);
    run_clean(&run,
              "%n = add i32 %t, 300\n%x = uitofp i32 %n to float\n%c = fptosi float %x to i8\n"
              "%r = sext i8 %c to i32",
              32);
    assert_int_equal(run.out[3], 303 - 256);
    run_clean(&run, "%x = sitofp i32 %t to float\n%y = fsub float -2.0, %x\n%r = fptoui float %y to i32", 32);
    assert_int_equal(run.out[3], 0);
}

static const char exchange[] = "%v = load i32, ptr addrspace(1) %pi, align 4\n"
                               "store i32 %v, ptr addrspace(3) %ps, align 4\n%s\n"
                               "%o = xor i32 %t, %d\n"
                               "%q = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %o\n"
                               "%r = load i32, ptr addrspace(3) %q, align 4";

static const char *exchange_with(char *text, size_t size, const char *barrier, unsigned distance) {
    char number[16];
    snprintf(number, sizeof number, "%u", distance);
    const char *first = strstr(exchange, "%s"), *second = strstr(exchange, "%d");
    snprintf(text, size, "%.*s%s%.*s%s%s", (int)(first - exchange), exchange, barrier,
             (int)(second - first - 2), first + 2, number, second + 2);
    return text;
}

static void test_shared_exchange(void **state) {
    (void)state;
    struct kernel_run run;
    char text[1024];
    run_clean(&run, exchange_with(text, sizeof text, "call void @llvm.nvvm.barrier0()", 37), 128);
    for (unsigned i = 0; i < 128; i++) {
        assert_int_equal(run.out[i], (i ^ 37) * (i ^ 37) + 3);
    }
    run_clean(&run, exchange_with(text, sizeof text, "call void @llvm.nvvm.bar.warp.sync(i32 -1)", 9), 128);
    run_fault(exchange_with(text, sizeof text, "", 9), 128, "race", "warp fence or barrier between");
    run_fault(exchange_with(text, sizeof text, "call void @llvm.nvvm.bar.warp.sync(i32 -1)", 41), 128, "race",
              "with no barrier between");
}

static void test_race_seed(void **state) {
    (void)state;
    struct kernel_run run;
    char text[1024];
    struct emulator_options options = {.seed = 7};
    run_body(&run, exchange_with(text, sizeof text, "call void @llvm.nvvm.barrier0()", 37), 256, &options);
    harness_expect_clean(&run.harness, run.clean);
    harness_end(&run.harness);
}

static void test_shared_faults(void **state) {
    (void)state;
    run_fault("%r = load i32, ptr addrspace(3) %ps, align 4", 32, "uninitialised", "shared memory at byte 0");
    run_fault("%q = getelementptr i8, ptr addrspace(3) %ps, i32 4096\nstore i32 1, ptr addrspace(3) %q\n%r = "
              "add i32 0, 0",
              32, "out of bounds", "shared memory byte 4096 (of 4096)");
    // A write after a read of the same address: the write races with the read.
    run_fault(
        "store i32 %t, ptr addrspace(3) %ps\ncall void @llvm.nvvm.barrier0()\n%o = xor i32 %t, 32\n"
        "%q = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %o\n%r = load i32, ptr addrspace(3) %q\n"
        "store i32 %r, ptr addrspace(3) %ps",
        64, "race", "the other thread read it here");
}

static void test_divergence(void **state) {
    (void)state;
    run_fault("%c = icmp ult i32 %t, 40\nbr i1 %c, label %a, label %b\na:\ncall void @llvm.nvvm.barrier0()\n"
              "br label %b\nb:\n%r = add i32 0, 0",
              64, "divergence", "24 of the warp's 32 lanes are missing");
    run_fault("%c = icmp ult i32 %t, 32\nbr i1 %c, label %a, label %b\na:\ncall void @llvm.nvvm.barrier0()\n"
              "br label %b\nb:\n%r = add i32 0, 0",
              64, "deadlock", "warp 1 has ended");
    // Diverged lanes reconverge.
    struct kernel_run run;
    run_clean(
        &run,
        "%c = icmp ult i32 %t, 5\nbr i1 %c, label %a, label %b\na:\n%x = mul i32 %t, 10\nbr label %m\nb:\n"
        "%y = add i32 %t, 1\nbr label %m\nm:\n%z = phi i32 [ %x, %a ], [ %y, %b ]\n"
        "%r = call i32 @llvm.nvvm.redux.sync.add(i32 %z, i32 -1)",
        32);
    assert_int_equal(run.out[0], 100 + 27 * 18 + 27);
}

// Each lane has a different trip count; the values of lanes that left must stay.
static void test_uneven_loops(void **state) {
    (void)state;
    struct kernel_run run;
    run_clean(&run,
              "br label %h\nh:\n%i = phi i32 [ 0, %entry ], [ %j, %body ]\n%s = phi i32 [ 0, %entry ], [ %u, "
              "%body ]\n"
              "%c = icmp ult i32 %i, %t\nbr i1 %c, label %body, label %done\nbody:\n%u = add i32 %s, %i\n"
              "%j = add i32 %i, 1\nbr label %h\ndone:\n%r = add i32 %s, 0",
              64);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(run.out[i], i ? i * (i - 1) / 2 : 0);
    }
}

static const char copy_in[] = "%a = ptrtoint ptr addrspace(3) %ps to i32\n"
                              "call void asm sideeffect \"cp.async.ca.shared.global [$0], [$1], 4, $2;\", "
                              "\"r,l,r\"(i32 %a, ptr addrspace(1) %pi, i32 4)\n"
                              "call void asm sideeffect \"cp.async.commit_group;\", \"\"()\n";

static void test_asynchronous_copies(void **state) {
    (void)state;
    struct kernel_run run;
    char text[2048];
    snprintf(text, sizeof text,
             "%scall void asm sideeffect \"cp.async.wait_group $0;\", \"n\"(i32 0)\n"
             "%%r = load i32, ptr addrspace(3) %%ps",
             copy_in);
    run_clean(&run, text, 32);
    assert_int_equal(run.out[5], 28);
    snprintf(text, sizeof text,
             "%scall void asm sideeffect \"cp.async.wait_group $0;\", \"n\"(i32 1)\n"
             "%%r = load i32, ptr addrspace(3) %%ps",
             copy_in);
    run_fault(text, 32, "asynchronous copy", "has not reached");
    // Another thread's copy is seen only after a barrier.
    snprintf(text, sizeof text,
             "%scall void asm sideeffect \"cp.async.wait_group $0;\", \"n\"(i32 0)\n%%o = xor i32 %%t, 32\n"
             "%%q = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %%o\n"
             "%%r = load i32, ptr addrspace(3) %%q",
             copy_in);
    run_fault(text, 64, "race", "with no barrier between");
}

static void test_ldmatrix(void **state) {
    (void)state;
    struct kernel_run run;
    // 32 rows of 16 bytes; element e of row r of all is the half-word 8r + e.
    const char *fill = "%e = mul i32 %t, 131080\n"; // unused value keeps the body readable
    char text[4096], *at = text;
    at += sprintf(at, "%s%%row = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%b\n",
                  "%b = mul i32 %t, 16\n");
    (void)fill;
    for (unsigned w = 0; w < 4; w++) {
        at += sprintf(at,
                      "%%x%u = mul i32 %%t, 524296\n%%v%u = add i32 %%x%u, %u\n"
                      "%%p%u = getelementptr i8, ptr addrspace(3) %%row, i32 %u\nstore i32 %%v%u, ptr "
                      "addrspace(3) %%p%u\n",
                      w, w, w, 2 * w | (2 * w + 1) << 16, w, 4 * w, w, w);
    }
    at += sprintf(at, "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n");
    char plain[8192], transposed[8192];
    snprintf(plain, sizeof plain,
             "%s%%m = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr "
             "addrspace(3) %%row)\n"
             "%%r = extractvalue {i32, i32, i32, i32} %%m, 2",
             text);
    snprintf(transposed, sizeof transposed,
             "%s%%m = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr "
             "addrspace(3) %%row)\n"
             "%%r = extractvalue {i32, i32, i32, i32} %%m, 1",
             text);
    run_clean(&run, plain, 32);
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned row = 16 + lane / 4, column = lane % 4 * 2;
        assert_int_equal(run.out[lane], (8 * row + column) | (8 * row + column + 1) << 16);
    }
    run_clean(&run, transposed, 32);
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned column = lane / 4, row = 8 + lane % 4 * 2;
        assert_int_equal(run.out[lane], (8 * row + column) | (8 * (row + 1) + column) << 16);
    }
}

// A report from inside an intrinsic's function names the statement.
static void test_stmatrix(void **state) {
    (void)state;
    const char *body =
        "%a = ptrtoint ptr addrspace(3) @tkc_shared to i32\n%l = and i32 %t, 31\n"
        "%b = mul i32 %l, 16\n%c = add i32 %a, %b\n"
        "call void asm sideeffect \"stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0], {$1, $2, $3, "
        "$4};\", \"r,r,r,r,r\"(i32 %c, i32 %t, i32 %t, i32 %t, i32 %t)\n"
        "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n%r = load i32, ptr addrspace(3) %ps, align 4";
    struct kernel_run run;
    run_clean(&run, body, 32);
    for (unsigned i = 0; i < 32; i++) { // word i of row r is lane 4 r + i mod 4 of each matrix
        assert_int_equal(run.out[i], i);
    }
    run_fault(body, 64, "race", "stmatrix.sync.aligned");
    // Transposed: a lane's two halves go below each other; half-word 8 r + c of a matrix is lane 4 c + r / 2, half r mod 2.
    const char *transposed =
        "%a = ptrtoint ptr addrspace(3) @tkc_shared to i32\n%b = mul i32 %t, 16\n%c = add i32 %a, %b\n"
        "%h = shl i32 %t, 17\n%h1 = or i32 %h, 65536\n%l = shl i32 %t, 1\n%w = or i32 %h1, %l\n"
        "call void asm sideeffect \"stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [$0], {$1, $2, $3, "
        "$4};\", "
        "\"r,r,r,r,r\"(i32 %c, i32 %w, i32 %w, i32 %w, i32 %w)\n"
        "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n%r = load i32, ptr addrspace(3) %ps, align 4";
    run_clean(&run, transposed, 32);
    for (unsigned i = 0; i < 32; i++) {
        unsigned row = i / 4, column = i % 4 * 2, low = 2 * (4 * column + row / 2) + row % 2;
        assert_int_equal(run.out[i], low | (low + 8) << 16);
    }
}

static const char *registers_text(char *text, size_t size, unsigned less, unsigned more) {
    snprintf(
        text, size,
        "%%c = icmp ult i32 %%t, 128\nbr i1 %%c, label %%a, label %%b\na:\n"
        "call void asm sideeffect \"setmaxnreg.dec.sync.aligned.u32 $0;\", \"n\"(i32 %u)\nbr label %%m\nb:\n"
        "call void asm sideeffect \"setmaxnreg.inc.sync.aligned.u32 $0;\", \"n\"(i32 %u)\nbr label %%m\nm:\n"
        "%%r = add i32 %%t, 0",
        less, more);
    return text;
}

// 384 threads begin with 168 registers each.
static void test_registers(void **state) {
    (void)state;
    struct kernel_run run;
    char text[1024];
    run_clean(&run, registers_text(text, sizeof text, 40, 232), 384);
    run_clean(&run, registers_text(text, sizeof text, 24, 240), 384);
    run_clean(&run, registers_text(text, sizeof text, 32, 160), 512);
    run_clean(&run, registers_text(text, sizeof text, 40, 240), 256); // there are enough
    run_fault(registers_text(text, sizeof text, 40, 240), 384, "deadlock",
              "for 240 registers a thread; it has 168");
    run_fault(registers_text(text, sizeof text, 44, 232), 384, "warpgroup", "multiple of 8 from 24 to 256");
    run_fault(registers_text(text, sizeof text, 176, 232), 384, "warpgroup",
              "168 registers a thread to 176, which is not less");
    run_fault("call void asm sideeffect \"setmaxnreg.inc.sync.aligned.u32 $0;\", \"n\"(i32 240)\n"
              "call void asm sideeffect \"setmaxnreg.inc.sync.aligned.u32 $0;\", \"n\"(i32 200)\n"
              "%r = add i32 %t, 0",
              128, "warpgroup", "240 registers a thread to 200, which is not more");
    run_fault(
        "%c = icmp ult i32 %t, 64\nbr i1 %c, label %a, label %b\na:\n"
        "call void asm sideeffect \"setmaxnreg.dec.sync.aligned.u32 $0;\", \"n\"(i32 40)\nbr label %b\nb:\n"
        "%r = add i32 %t, 0",
        128, "warpgroup", "warp 2 ends after 0 wgmma and 0 setmaxnreg, warp 0 after 0 and 1");
    run_fault(
        "%c = icmp ult i32 %t, 64\nbr i1 %c, label %a, label %b\na:\n"
        "call void asm sideeffect \"setmaxnreg.dec.sync.aligned.u32 $0;\", \"n\"(i32 40)\nbr label %m\nb:\n"
        "call void asm sideeffect \"setmaxnreg.dec.sync.aligned.u32 $0;\", \"n\"(i32 48)\nbr label %m\nm:\n"
        "%r = add i32 %t, 0",
        128, "warpgroup", "different counts of registers: warp 2 to 48, warp 0 to 40");
}

// Warps 0 and 1 write and arrive, 2 and 3 wait and read; the barrier is for all four.
static const char *part_text(char *text, size_t size, const char *arrive, const char *wait) {
    snprintf(text, size,
             "%%c = icmp ult i32 %%t, 64\nbr i1 %%c, label %%a, label %%b\na:\nstore i32 %%t, ptr "
             "addrspace(3) %%ps\n"
             "call void asm sideeffect \"%s\", \"\"()\nbr label %%m\nb:\n"
             "call void asm sideeffect \"%s\", \"\"()\n%%o = xor i32 %%t, 64\n"
             "%%q = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %%o\n"
             "%%v = load i32, ptr addrspace(3) %%q\nbr label %%m\nm:\n%%r = phi i32 [ 7, %%a ], [ %%v, %%b ]",
             arrive, wait);
    return text;
}

static void test_named_barriers(void **state) {
    (void)state;
    struct kernel_run run;
    char text[2048];
    run_clean(&run, part_text(text, sizeof text, "bar.arrive 3, 128;", "bar.sync 3, 128;"), 128);
    for (unsigned i = 0; i < 128; i++) {
        assert_int_equal(run.out[i], i < 64 ? 7 : i - 64);
    }
    run_fault(part_text(text, sizeof text, "bar.arrive 3, 128;", "bar.sync 4, 64;"), 128, "race",
              "no barrier between");
    run_fault(part_text(text, sizeof text, "bar.arrive 3, 128;", "bar.sync 4, 128;"), 128, "deadlock",
              "warp 2 waits");
    run_fault(part_text(text, sizeof text, "bar.arrive 3, 128;", "bar.sync 3, 96;"), 128, "barrier",
              "for 4 and for 3 warps");
    run_fault(part_text(text, sizeof text, "bar.arrive 3, 128;", "bar.sync 3, 100;"), 128, "barrier",
              "not whole warps");
    run_fault(part_text(text, sizeof text, "bar.arrive 3, 256;", "bar.sync 3, 256;"), 128, "barrier",
              "for 8 warps, and the block has 4");
    run_fault("call void asm sideeffect \"bar.arrive 3, 128;\", \"\"()\n"
              "call void asm sideeffect \"bar.arrive 3, 128;\", \"\"()\n%r = add i32 %t, 0",
              128, "barrier", "arrives at barrier 3 again");
}

static void test_assembly(void **state) {
    (void)state;
    struct kernel_run run;
    run_clean(&run,
              "%p = icmp ult i32 %t, 10\n"
              "%r = call i32 asm sideeffect \"@$2 ld.global.cg.b32 $0, [$1];\", \"=r,l,b,0\""
              "(ptr addrspace(1) %pi, i1 %p, i32 77)",
              32);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(run.out[i], i < 10 ? i * i + 3 : 77);
    }
    run_clean(
        &run,
        "store i32 1, ptr addrspace(1) %po\n%p = icmp ult i32 %t, 10\n"
        "%r = call i32 asm sideeffect \"@$2 atom.global.acq_rel.gpu.add.u32 $0, [$1], $3;\", \"=r,l,b,r,0\""
        "(ptr addrspace(1) %out, i1 %p, i32 5, i32 0)\nstore i32 %r, ptr addrspace(1) %po\n"
        "%z = getelementptr i32, ptr addrspace(1) %po, i32 32\nstore i32 %r, ptr addrspace(1) %z",
        32);
    assert_int_equal(run.out[32 + 9], 46);
    // The first argument of a packed conversion goes to the high half.
    run_clean(
        &run,
        "%f = sitofp i32 %t to float\n%g = fadd float %f, 1.0\n"
        "%h = call i16 asm \"cvt.rn.satfinite.e4m3x2.f32 $0, $2, $1;\", \"=h,f,f\"(float %f, float %g)\n"
        "%r = zext i16 %h to i32",
        16);
    assert_int_equal(run.out[1], 0x4038);
    // One lane of a warp, by assembly: LLVM 19 has no intrinsic for it.
    run_clean(&run,
              "%e = call i1 asm sideeffect \"elect.sync _|$0, $1;\", \"=b,r\"(i32 -1)\n"
              "%r = zext i1 %e to i32",
              32);
    assert_int_equal(run.out[0] + 2 * run.out[1] + 2 * run.out[31], 1);
}

// Forms similar to modelled ones, but unmodelled, are refused by their text.
static void test_unknown_assembly(void **state) {
    (void)state;
    static const char *const texts[] = {
        "cp.async.bulk.wait_group.read 0;",     "fence.proxy.alias;",
        "fence.mbarrier_init.acquire.cluster;", "wgmma.wait_group.sync 0;",
        "mbarrier.inval.shared.b64 [0];",       "setmaxnreg.inc.sync.aligned.u32 240;",
        "cp.async.bulk.commit_group.sync;"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[256], *error = NULL;
        snprintf(text, sizeof text,
                 "define void @k() {\n  call void asm sideeffect \"%s\", \"\"()\n  ret void\n}\n", texts[i]);
        LLVMContextRef context = LLVMContextCreate();
        struct emulator_options options = {.chip = "sm_90a"};
        assert_null(emulator_create(harness_parse(context, nvidia_head, text), &options, &error));
        assert_non_null(strstr(error, texts[i]));
        free(error);
        LLVMContextDispose(context);
    }
}

// The whole table: each row must be understood.
static void test_assembly_table(void **state) {
    (void)state;
    for (unsigned i = 0; i < ASM_COUNT; i++) {
        const struct asm_row *row = &asm_table[i];
        char types[512] = "", values[512] = "", result[512] = "", text[4096];
        unsigned outputs = 0;
        char constraints[256];
        snprintf(constraints, sizeof constraints, "%s", row->constraints);
        char outputs_letters[16] = "";
        for (char *rest = constraints, *part; (part = strsep(&rest, ","));) {
            bool output = *part == '=';
            char letter = part[output];
            if (letter >= '0' && letter <= '9') {
                letter = outputs_letters[letter - '0'];
            }
            const char *type = letter == 'h'   ? "i16"
                               : letter == 'l' ? "i64"
                               : letter == 'f' ? "float"
                               : letter == 'd' ? "double"
                               : letter == 'b' ? "i1"
                                               : "i32";
            if (!letter || letter == '~' || letter == '{') {
                continue;
            }
            if (output) {
                outputs_letters[outputs] = letter;
                sprintf(result + strlen(result), "%s%s", outputs++ ? ", " : "", type);
                continue;
            }
            sprintf(values + strlen(values), "%s%s %s", values[0] ? ", " : "", type,
                    letter == 'f' || letter == 'd' ? "0.0" : "0");
        }
        (void)types;
        snprintf(text, sizeof text,
                 "define void @k() {\n  %scall %s%s%s asm sideeffect \"%s\", \"%s\"(%s)\n  ret void\n}\n",
                 outputs ? "%r = " : "", outputs > 1 ? "{" : "", outputs ? result : "void",
                 outputs > 1 ? "}" : "", row->text, row->constraints, values);
        bool nvidia = row->vendor == VENDOR_NVIDIA;
        struct emulator_options options = {.chip = nvidia ? "sm_90a" : "gfx942"};
        struct harness harness;
        harness_text(&harness, nvidia ? nvidia_head : amd_head, text, &options);
        harness_end(&harness);
    }
}

// An array that an earlier launch may still write is touched behind griddepcontrol.wait alone.
static void test_dependent_launches(void **state) {
    static const char *const bodies[] = {
        "call void asm sideeffect \"griddepcontrol.launch_dependents;\", \"~{memory}\"()\n"
        "call void asm sideeffect \"griddepcontrol.wait;\", \"~{memory}\"()\n"
        "%r = load i32, ptr addrspace(1) %pi, align 4\n",
        "%r = load i32, ptr addrspace(1) %pi, align 4\n"
        "call void asm sideeffect \"griddepcontrol.wait;\", \"~{memory}\"()\n"};
    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        for (unsigned i = 0; i < 2; i++) {
            struct kernel_run run;
            late_in = late;
            run_body(&run, bodies[i], 64, NULL);
            assert_int_equal(run.clean, !late || i == 0);
            if (!run.clean) {
                harness_expect_fault(
                    &run.harness, "dependent launch",
                    "access ahead of griddepcontrol.wait, while an earlier launch may still write: in[");
            }
            harness_end(&run.harness);
        }
    }
    late_in = false;
}

// A thread loads 32 bytes, the first one's from word `first` of `in` on, and stores them in turned order, from word `shift` of `out` on.
static void wide_body(char *body, size_t size, unsigned first, unsigned shift) {
    snprintf(body, size,
             "%%o = mul i32 %%t, 8\n%%f = add i32 %%o, %u\n%%g = add i32 %%o, %u\n"
             "%%a = getelementptr i32, ptr addrspace(1) %%in, i32 %%f\n"
             "%%b = getelementptr i32, ptr addrspace(1) %%out, i32 %%g\n"
             "%%w = call {i32, i32, i32, i32, i32, i32, i32, i32} asm sideeffect "
             "\"@$9 ld.global.v8.b32 {$0, $1, $2, $3, $4, $5, $6, $7}, [$8];\", "
             "\"=r,=r,=r,=r,=r,=r,=r,=r,l,b,0,1,2,3,4,5,6,7,~{memory}\"(ptr addrspace(1) %%a, i1 true, "
             "i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0)\n",
             first, shift);
    for (unsigned i = 0; i < 8; i++) {
        size_t used = strlen(body);
        snprintf(body + used, size - used,
                 "%%w%u = extractvalue {i32, i32, i32, i32, i32, i32, i32, i32} %%w, %u\n", i, i);
    }
    size_t used = strlen(body);
    snprintf(body + used, size - used,
             "call void asm sideeffect \"@$1 st.global.v8.b32 [$0], {$2, $3, $4, $5, $6, $7, $8, $9};\", "
             "\"l,b,r,r,r,r,r,r,r,r,~{memory}\"(ptr addrspace(1) %%b, i1 true, i32 %%w7, i32 %%w6, i32 %%w5, "
             "i32 %%w4, i32 %%w3, i32 %%w2, i32 %%w1, i32 %%w0)\n%%r = add i32 %%w0, 0");
}

static void test_wide_accesses(void **state) {
    (void)state;
    enum { THREADS = 4, WIDE = 8 };
    struct kernel_run run;
    char body[4096];
    wide_body(body, sizeof body, 16, 64); // `out` from word 64 on, behind what %r is stored to
    run_clean(&run, body, THREADS);
    for (unsigned i = 0; i < THREADS * WIDE; i++) {
        assert_int_equal(run.out[64 + i], run.in[16 + (i ^ 7)]);
    }
    static const struct {
        unsigned first, shift;
        const char *said;
    } faults[] = {{4, 64, "32-byte read is not aligned to 32 bytes: in[4]"},
                  {17, 64, "32-byte read is not aligned to 32 bytes: in[17]"},
                  {16, 68, "32-byte write is not aligned to 32 bytes: out[68]"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        wide_body(body, sizeof body, faults[i].first, faults[i].shift);
        run_body(&run, body, THREADS, NULL);
        assert_false(run.clean);
        harness_expect_fault(&run.harness, "misaligned", faults[i].said);
        harness_end(&run.harness);
    }
}

// Each half of 64 bits is computed by itself, and rounded once: (1 + 2^-23, 3) and (1 + 2^-23, -2); (-1, 10) is added.
static void test_pairs_of_floats(void **state) {
    (void)state;
    static const struct {
        const char *text, *constraints, *more;
        uint32_t low, high;
    } cases[] = {
        {"add.rn.f32x2 $0, $1, $2;", "=l,l,l", "", 0x40000001, 0x3f800000},
        {"sub.rn.f32x2 $0, $1, $2;", "=l,l,l", "", 0, 0x40a00000},
        {"mul.rn.f32x2 $0, $1, $2;", "=l,l,l", "", 0x3f800002, 0xc0c00000},
        {"fma.rn.f32x2 $0, $1, $2, $3;", "=l,l,l,l", ", i64 4692750814932893696", 0x34800000, 0x40800000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kernel_run run;
        char body[1024];
        snprintf(body, sizeof body,
                 "%%w = call i64 asm \"%s\", \"%s\"(i64 4629700418002223105, i64 -4611686017362034687%s)\n"
                 "%%h = lshr i64 %%w, 32\n%%q = trunc i64 %%h to i32\n%%p = trunc i64 %%w to i32\n"
                 "%%z = icmp eq i32 %%t, 0\n%%r = select i1 %%z, i32 %%p, i32 %%q",
                 cases[i].text, cases[i].constraints, cases[i].more);
        run_clean(&run, body, 2);
        assert_int_equal(run.out[0], cases[i].low);
        assert_int_equal(run.out[1], cases[i].high);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependent_launches), cmocka_unit_test(test_shuffles),
        cmocka_unit_test(test_to_integers),        cmocka_unit_test(test_shared_exchange),
        cmocka_unit_test(test_race_seed),          cmocka_unit_test(test_shared_faults),
        cmocka_unit_test(test_divergence),         cmocka_unit_test(test_uneven_loops),
        cmocka_unit_test(test_ldmatrix),           cmocka_unit_test(test_asynchronous_copies),
        cmocka_unit_test(test_stmatrix),           cmocka_unit_test(test_registers),
        cmocka_unit_test(test_named_barriers),     cmocka_unit_test(test_assembly),
        cmocka_unit_test(test_wide_accesses),      cmocka_unit_test(test_pairs_of_floats),
        cmocka_unit_test(test_unknown_assembly),   cmocka_unit_test(test_assembly_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
