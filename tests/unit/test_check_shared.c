// check_shared: faults planted in small LLVM modules are found, and the same modules without them are not
// blamed. Each kernel has 64 threads; byte 4 t of shared memory is thread t's own.
#include "testing.h"
#include "codegen/check_shared.h"
#include "module_testing.h"

static const char nvidia[] =
    "target datalayout = \"e-p3:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "@tkc_shared = external addrspace(3) global [0 x i8], align 128\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "declare void @llvm.nvvm.barrier0() convergent\ndeclare void @llvm.nvvm.bar.warp.sync(i32) convergent\n"
    "declare i32 @llvm.umax.i32(i32, i32)\ndeclare i32 @llvm.smin.i32(i32, i32)\n"
    "declare i32 @llvm.fshl.i32(i32, i32, i32)\ndeclare i32 @llvm.fshr.i32(i32, i32, i32)\n"
    "declare i32 @llvm.bitreverse.i32(i32)\ndeclare i32 @llvm.bswap.i32(i32)\n"
    "define void @k(i32 %n, i32 %x, ptr addrspace(1) %p) {\n"
    "entry:\n"
    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
static const char nvidia_end[] =
    "  ret void\n}\n"
    "!nvvm.annotations = !{!0, !1}\n"
    "!0 = !{ptr @k, !\"kernel\", i32 1}\n!1 = !{ptr @k, !\"reqntidx\", i32 64}\n";
static const char amd[] =
    "target datalayout = \"e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-i64:64-A5\"\n"
    "target triple = \"amdgcn-amd-amdhsa\"\n"
    "@tkc_shared = internal addrspace(3) global [4096 x i8] poison, align 16\n"
    "declare i32 @llvm.amdgcn.workitem.id.x()\n"
    "declare void @llvm.amdgcn.s.barrier() convergent\ndeclare void @llvm.amdgcn.wave.barrier() convergent\n"
    "declare void @llvm.amdgcn.s.waitcnt(i32)\n"
    "declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)\n"
    "define amdgpu_kernel void @k(i32 %n, i32 %x, ptr addrspace(1) %p) "
    "\"amdgpu-flat-work-group-size\"=\"64,64\" {\n"
    "entry:\n"
    "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n";
static const char amd_end[] = "  ret void\n}\n";

// In front of every body: addresses of the thread's own word and of another's.
static const char places[] =
    "  %o = shl i32 %t, 2\n  %own = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %o\n"
    "  %q = xor i32 %o, 128\n"
    "  %other = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %q\n";
#define STORE "  store i32 %x, ptr addrspace(3) %own\n"
#define STORE_FORMAT "  store i32 %%x, ptr addrspace(3) %%own\n"
#define BARRIER "  call void @llvm.nvvm.barrier0()\n"

static void judge(const char *chip, const char *body, enum shared_order wanted, const char *text) {
    const struct target *target = target_find(chip);
    bool is_amd = target->vendor == VENDOR_AMD;
    struct strbuf whole = {0}, fault = {0};
    strbuf_printf(&whole, "%s%s%s%s", is_amd ? amd : nvidia, places, body, is_amd ? amd_end : nvidia_end);
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_of(context, strbuf_text(&whole));
    enum shared_order found = check_shared(module, target, &fault);
    if (found != wanted || !strstr(strbuf_text(&fault), text)) {
        fail_msg("%d “%s” instead of %d “%s” for\n%s", found, strbuf_text(&fault), wanted, text, body);
    }
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    strbuf_free(&whole);
    strbuf_free(&fault);
}

static void ordered(const char *body) {
    judge("sm_80", body, SHARED_ORDERED, "");
}

static void faulty(const char *body, const char *text) {
    judge("sm_80", body, SHARED_NOT_ORDERED, text);
}

static void test_barriers(void **state) {
    faulty(STORE "  %v = load i32, ptr addrspace(3) %other\n", "the read of shared memory");
    ordered(STORE BARRIER "  %v = load i32, ptr addrspace(3) %other\n");
    ordered(STORE "  %v = load i32, ptr addrspace(3) %own\n"); // nobody else's
    faulty("  %v = load i32, ptr addrspace(3) %other\n" STORE, "the write of shared memory");
    faulty(STORE "  store i32 %x, ptr addrspace(3) %other\n", "the write of shared memory");
    faulty("  store i32 %x, ptr addrspace(3) @tkc_shared\n  %v = load i32, ptr addrspace(3) %own\n",
           "the read of shared memory");
}

// The accessing threads and their addresses: from branches on the thread, predicates, masks of unknown
// values.
static void test_addresses(void **state) {
    static const char branch[] =
        "  %%c = icmp ult i32 %%t, 32\n  br i1 %%c, label %%a, label %%b\n"
        "a:\n  store i32 %%x, ptr addrspace(3) %%own\n  br label %%b\n"
        "b:\n  %%s = add i32 %%o, %d\n  %%d = icmp ult i32 %%t, 32\n  %%z = select i1 %%d, i32 %%s, i32 %%o\n"
        "  %%y = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%z\n"
        "  %%v = load i32, ptr addrspace(3) %%y\n";
    char text[1024];
    snprintf(text, sizeof text, "%s", "");
    char body[2048];
    snprintf(body, sizeof body, branch, 128);
    ordered(body); // threads below 32 write 0 to 128, all read above
    snprintf(body, sizeof body, branch, 124);
    faulty(body, "the read of shared memory");
    ordered("  %first = icmp eq i32 %t, 0\n  %i = ptrtoint ptr addrspace(3) @tkc_shared to i32\n"
            "  call void asm sideeffect \"@$1 st.shared.b32 [$0], $2;\", \"r,b,r,~{memory}\"(i32 %i, i1 "
            "%first, i32 %x)\n"
            "  %h = add i32 %o, 4\n  %y = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %h\n"
            "  %v = load i32, ptr addrspace(3) %y\n");
    static const char gather[] = "  %%m = and i32 %%x, 255\n"
                                 "  %%g = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%m\n"
                                 "  %%v = load i8, ptr addrspace(3) %%g\n  %%h = add i32 %%o, %d\n"
                                 "  %%y = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%h\n"
                                 "  store i32 %%x, ptr addrspace(3) %%y\n";
    snprintf(body, sizeof body, gather, 256);
    ordered(body);
    snprintf(body, sizeof body, gather, 252);
    faulty(body, "the write of shared memory");
    // The unknown value is a bit missing from the thread's number.
    static const char chosen[] =
        "  %%m = and i32 %%x, 64\n  %%b = and i32 %%o, 188\n  %%a = or disjoint i32 %%b, %%m\n"
        "  %%g = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%a\n"
        "  %%v = load i32, ptr addrspace(3) %%g\n  %%h = add i32 %%o, %d\n"
        "  %%y = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%h\n"
        "  store i32 %%x, ptr addrspace(3) %%y\n";
    snprintf(body, sizeof body, chosen, 256);
    ordered(body);
    snprintf(body, sizeof body, chosen, 252);
    faulty(body, "the write of shared memory");
    // The unknown value swaps words of 128 bytes: behind the written words, and among them.
    static const char swapped[] =
        "  %%m = and i32 %%x, 124\n  %%a = add i32 %%m, %d\n  %%w = xor i32 %%a, 124\n"
        "  %%g = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%w\n"
        "  %%v = load i32, ptr addrspace(3) %%g\n" STORE_FORMAT;
    snprintf(body, sizeof body, swapped, 256);
    ordered(body);
    snprintf(body, sizeof body, swapped, 128);
    faulty(body, "the write of shared memory");
    // LLVM's shifts and masks: the lane's bits in another order, and limits.
    static const char mapped[] =
        "  %%b = call i32 @%s, i32 %d)\n  %%g = getelementptr i8, ptr addrspace(3) "
        "@tkc_shared, i32 %%b\n  %%v = load i32, ptr addrspace(3) %%g\n" STORE_FORMAT;
    snprintf(body, sizeof body, mapped, "llvm.umax.i32(i32 %o", 0);
    ordered(body);
    snprintf(body, sizeof body, mapped, "llvm.umax.i32(i32 %o", 4);
    faulty(body, "the write of shared memory");
    snprintf(body, sizeof body, mapped, "llvm.smin.i32(i32 %o", 252);
    ordered(body);
    snprintf(body, sizeof body, mapped, "llvm.smin.i32(i32 %o", 248);
    faulty(body, "the write of shared memory");
    snprintf(body, sizeof body, mapped, "llvm.fshl.i32(i32 %t, i32 0", 2);
    ordered(body);
    snprintf(body, sizeof body, mapped, "llvm.fshr.i32(i32 %t, i32 0", 30);
    ordered(body);
    snprintf(body, sizeof body, mapped, "llvm.fshl.i32(i32 %t, i32 0", 3);
    faulty(body, "the write of shared memory");
    static const char reversed[] =
        "  %%w = call i32 @llvm.%s.i32(i32 %%o)\n  %%b = call i32 @llvm.%s.i32(i32 %%w)\n"
        "  %%g = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%b\n"
        "  %%v = load i32, ptr addrspace(3) %%g\n" STORE_FORMAT;
    snprintf(body, sizeof body, reversed, "bitreverse", "bitreverse");
    ordered(body);
    snprintf(body, sizeof body, reversed, "bswap", "bswap");
    ordered(body);
    snprintf(body, sizeof body, reversed, "bitreverse", "bswap");
    faulty(body, "the write of shared memory");
    faulty("  %g = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %x\n"
           "  %v = load i8, ptr addrspace(3) %g\n" STORE,
           "the write of shared memory");
    // Bits dropped by a shift are gone, and shifted-in bits are 0.
    static const char dropped[] =
        "  %%c = trunc i32 %%x to i8\n  %%d = shl i8 %%c, %d\n  %%e = zext i8 %%d to i32\n"
        "  %%g = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%e\n  %%v = load i32, ptr addrspace(3) "
        "%%g\n"
        "  %%f = add i32 %%o, 256\n  %%far = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%f\n"
        "  store i32 %%x, ptr addrspace(3) %%far\n";
    snprintf(body, sizeof body, dropped, 2);
    ordered(body);
    snprintf(body, sizeof body, dropped, 1);
    faulty(body, "the write of shared memory");
}

// A phi of a loop's header: the value left by one round meets the next; the value after the loop comes from
// the test. A phi of a branch's condition, computed by LLVM on each way to the branch; around a loop it may
// be anything.
static void test_conditions_by_phi(void **state) {
    static const char merged[] = "  %f = icmp eq i32 %n, 0\n  br i1 %f, label %one, label %two\n"
                                 "one:\n  %a = and i32 %t, 32\n  br label %m\n"
                                 "two:\n  %b = and i32 %t, 32\n  br label %m\n"
                                 "m:\n  %c = phi i32 [ %a, %one ], [ %b, %two ]\n  %d = icmp eq i32 %c, 0\n"
                                 "  br i1 %d, label %w, label %r\n"
                                 "w:\n  store i32 %x, ptr addrspace(3) %own\n  br label %e\n"
                                 "r:\n  %v = load i32, ptr addrspace(3) %own\n  br label %e\n"
                                 "e:\n  br i1 %d, label %SIDE\n"
                                 "e1:\n  %u = load i32, ptr addrspace(3) %other\n  br label %e2\n"
                                 "e2:\n";
    static const char looping[] = "  br label %l\n"
                                  "l:\n  %i = phi i32 [ 0, %entry ], [ %j, %l ]\n  %j = add i32 %i, 1\n"
                                  "  %g = icmp ult i32 %j, %n\n  br i1 %g, label %l, label %m\n"
                                  "m:\n  %h = icmp eq i32 %i, 0\n  br i1 %h, label %w, label %e\n"
                                  "w:\n  store i32 %x, ptr addrspace(3) %own\n  br label %e\n"
                                  "e:\n  %v = load i32, ptr addrspace(3) %other\n";
    char body[2048];
    const char *side = strstr(merged, "SIDE");
    snprintf(body, sizeof body, "%.*se1, label %%e2%s", (int)(side - merged), merged, side + 4);
    ordered(body); // threads below 32 write 0 to 128 and read above
    snprintf(body, sizeof body, "%.*se2, label %%e1%s", (int)(side - merged), merged, side + 4);
    faulty(body, "the read of shared memory");
    faulty(looping, "the read of shared memory");
}

// A number in place of a value, from a block for threads with this number alone.
static void test_number_of_branch(void **state) {
    static const char replaced[] =
        "  %%a = and i32 %%t, 63\n  %%f = icmp sgt i32 %%n, 2\n  br i1 %%f, label %%some, label %%m\n"
        "some:\n  %%g = icmp eq i32 %%a, 0\n  br i1 %%g, label %%first, label %%m\n"
        "first:\n  store i32 0, ptr addrspace(1) %%p\n  br label %%m\n"
        "m:\n  %%c = phi i32 [ %%a, %%entry ], [ %%a, %%some ], [ %d, %%first ]\n"
        "  %%v = load i32, ptr addrspace(3) %%own\n"
        "  %%h = icmp eq i32 %%c, 37\n  br i1 %%h, label %%w, label %%e\n"
        "w:\n  %%place = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 148\n"
        "  store i32 %%x, ptr addrspace(3) %%place\n  br label %%e\ne:\n";
    char body[2048];
    snprintf(body, sizeof body, replaced, 0);
    ordered(body); // thread 37 writes its own word
    snprintf(body, sizeof body, replaced, 37);
    faulty(body, "the write of shared memory"); // and thread 0 that word
}

// An address left by a loop, or none: its mask bounds it in all rounds.
static void test_bounded_by_mask(void **state) {
    static const char masked[] =
        "  %%f = icmp eq i32 %%n, 0\n  br i1 %%f, label %%r, label %%l\n"
        "l:\n  %%i = phi i32 [ 0, %%entry ], [ %%j, %%l ]\n  %%y = load i32, ptr addrspace(1) %%p\n"
        "  %%j = add i32 %%i, %%y\n  %%g = icmp ult i32 %%j, %%n\n  br i1 %%g, label %%l, label %%m\n"
        "m:\n  %%s = shl i32 %%j, 2\n  %%k = and i32 %%s, %d\n  br label %%r\n"
        "r:\n  %%at = phi i32 [ 28, %%entry ], [ %%k, %%m ]\n"
        "  %%a = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%at\n  %%v = load i32, ptr "
        "addrspace(3) %%a\n"
        "  %%far = getelementptr i8, ptr addrspace(3) %%own, i32 256\n  store i32 %%x, ptr addrspace(3) "
        "%%far\n";
    char body[2048];
    snprintf(body, sizeof body, masked, 252);
    ordered(body);
    snprintf(body, sizeof body, masked, 508);
    faulty(body, "the write of shared memory");
}

static void test_loops(void **state) {
    static const char loop[] = "  br label %%test\ntest:\n  %%i = phi i32 [ 0, %%entry ], [ %%j, %%body ]\n%s"
                               "  %%more = icmp slt i32 %%i, %%n\n  br i1 %%more, label %%body, label %%end\n"
                               "body:\n%s  %%j = add i32 %%i, 1\n  br label %%test\nend:\n%s";
    static const char load[] = "  %v = load i32, ptr addrspace(3) %other\n";
    char body[4096];
    snprintf(body, sizeof body, loop, "", BARRIER STORE BARRIER "  %v = load i32, ptr addrspace(3) %other\n",
             "");
    ordered(body);
    snprintf(body, sizeof body, loop, "", STORE BARRIER "  %v = load i32, ptr addrspace(3) %other\n", "");
    faulty(body, "the write of shared memory");
    snprintf(body, sizeof body, loop, load, BARRIER, STORE);
    faulty(body, "the write of shared memory");
    snprintf(body, sizeof body, loop, load, BARRIER, BARRIER STORE);
    ordered(body);
    faulty("  %c = icmp slt i32 %n, 3\n  br i1 %c, label %a, label %b\n"
           "a:\n" STORE "  br label %b\nb:\n  %v = load i32, ptr addrspace(3) %other\n",
           "the read of shared memory");
    // A narrow number may be negative: the branch can be taken, by all.
    ordered("  %s = trunc i32 %n to i8\n  %r = srem i8 %s, 16\n  %c = icmp slt i8 %r, -5\n"
            "  br i1 %c, label %a, label %b\na:\n" BARRIER "  br label %b\nb:\n");
    ordered("  %s = trunc i32 %n to i8\n  %r = ashr i8 %s, 4\n  %c = icmp eq i8 %r, -3\n"
            "  br i1 %c, label %a, label %b\na:\n" BARRIER "  br label %b\nb:\n");
    // No thread takes this branch: the value is never negative.
    ordered("  %m = and i32 %n, 255\n  %c = icmp sgt i32 %m, -1\n  br i1 %c, label %b, label %a\n"
            "a:\n" BARRIER "  br label %b\nb:\n");
    faulty("  %c = icmp ult i32 %t, 32\n  br i1 %c, label %a, label %b\n"
           "a:\n" BARRIER "  br label %b\nb:\n",
           "does not come to a barrier");
}

// Two slots of 256 bytes: one is filled for the next round while the other is read.
static const char slots[] =
    "  br label %%loop\nloop:\n  %%i = phi i32 [ 0, %%entry ], [ %%j, %%loop ]\n"
    "  %%fill = phi i32 [ %d, %%entry ], [ %%f2, %%loop ]\n"
    "  %%read = phi i32 [ 0, %%entry ], [ %%r2, %%loop ]\n"
    "  call void asm sideeffect \"cp.async.wait_group $0;\", \"n,~{memory}\"(i32 %d)\n%s"
    "  %%fb = shl i32 %%fill, 8\n  %%fo = add i32 %%fb, %%o\n"
    "  %%fp = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%fo\n"
    "  %%fi = ptrtoint ptr addrspace(3) %%fp to i32\n"
    "  call void asm sideeffect \"cp.async.ca.shared.global [$0], [$1], 4, $2;\", "
    "\"r,l,r,~{memory}\"(i32 %%fi, ptr addrspace(1) %%p, i32 4)\n"
    "  call void asm sideeffect \"cp.async.commit_group;\", \"~{memory}\"()\n"
    "  %%rb = shl i32 %%read, 8\n  %%ro = add i32 %%rb, %%q\n"
    "  %%rp = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%ro\n"
    "  %%v = load i32, ptr addrspace(3) %%rp\n"
    "  %%f1 = add i32 %%fill, 1\n  %%fc = icmp slt i32 %%f1, 2\n"
    "  %%f2 = select i1 %%fc, i32 %%f1, i32 0\n"
    "  %%r1 = add i32 %%read, 1\n  %%rc = icmp slt i32 %%r1, 2\n"
    "  %%r2 = select i1 %%rc, i32 %%r1, i32 0\n"
    "  %%j = add i32 %%i, 1\n  %%more = icmp slt i32 %%j, %%n\n"
    "  br i1 %%more, label %%loop, label %%end\nend:\n%s";

static void test_slots(void **state) {
    static const char wait[] =
        "  call void asm sideeffect \"cp.async.wait_group $0;\", \"n,~{memory}\"(i32 0)\n";
    char body[8192], after[512];
    snprintf(body, sizeof body, slots, 1, 0, BARRIER, "");
    ordered(body);
    snprintf(body, sizeof body, slots, 0, 0, BARRIER, ""); // the slot read
    faulty(body, "which may be under way");
    snprintf(body, sizeof body, slots, 1, 1, BARRIER, ""); // waits for one too few
    faulty(body, "which may be under way");
    snprintf(body, sizeof body, slots, 1, 0, "", "");
    faulty(body, "is not ordered after");
    snprintf(body, sizeof body, slots, 1, 0, BARRIER, BARRIER STORE); // a last copy is under way
    faulty(body, "which may be under way");
    snprintf(after, sizeof after, "%s%s", wait, STORE);
    snprintf(body, sizeof body, slots, 1, 0, BARRIER, after);
    faulty(body, "is not ordered after");
    snprintf(after, sizeof after, "%s%s", wait, BARRIER STORE);
    snprintf(body, sizeof body, slots, 1, 0, BARRIER, after);
    ordered(body);
}

// The lanes of each warp meet: their accesses are ordered, not those of other warps.
static void test_meetings_in_warp(void **state) {
    static const char fence[] = "  fence syncscope(\"wavefront\") acq_rel\n",
                      meeting[] = "  call void @llvm.amdgcn.wave.barrier()\n",
                      warp_sync[] = "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n", near[] = "64",
                      far[] = "128";
    static const struct {
        const char *chip, *parts[2], *distance;
        bool good;
    } cases[] = {{"gfx1100", {fence, meeting}, near, true}, {"gfx1100", {fence, ""}, near, false},
                 {"gfx1100", {"", meeting}, near, false},   {"gfx1100", {meeting, fence}, near, false},
                 {"gfx1100", {fence, meeting}, far, false}, {"gfx942", {fence, meeting}, far, true},
                 {"sm_80", {warp_sync, ""}, near, true},    {"sm_80", {warp_sync, ""}, far, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[2048];
        snprintf(
            body, sizeof body,
            "%s%s%s  %%e = xor i32 %%o, %s\n  %%y = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%e\n"
            "  %%v = load i32, ptr addrspace(3) %%y\n",
            STORE, cases[i].parts[0], cases[i].parts[1], cases[i].distance);
        judge(cases[i].chip, body, cases[i].good ? SHARED_ORDERED : SHARED_NOT_ORDERED,
              cases[i].good ? "" : "the read of shared memory");
    }
    // Half of a warp's lanes come to the meeting.
    judge("sm_80",
          STORE "  %c = icmp ult i32 %t, 16\n  br i1 %c, label %a, label %b\n"
                "a:\n  call void @llvm.nvvm.bar.warp.sync(i32 65535)\n  br label %b\nb:\n"
                "  %e = xor i32 %o, 64\n  %y = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %e\n"
                "  %v = load i32, ptr addrspace(3) %y\n",
          SHARED_NOT_ORDERED, "the read of shared memory");
}

static void test_fences(void **state) {
    static const char release[] = "  fence syncscope(\"workgroup\") release\n";
    static const char acquire[] = "  fence syncscope(\"workgroup\") acquire\n";
    static const char barrier[] = "  call void @llvm.amdgcn.s.barrier()\n";
    static const char load[] = "  %v = load i32, ptr addrspace(3) %other\n";
    static const struct {
        const char *parts[3];
        bool good;
    } cases[] = {{{release, barrier, acquire}, true},  {{"", barrier, acquire}, false},
                 {{release, barrier, ""}, false},      {{acquire, barrier, release}, false},
                 {{release, acquire, barrier}, false}, {{barrier, release, acquire}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[2048];
        snprintf(body, sizeof body, "%s%s%s%s%s", STORE, cases[i].parts[0], cases[i].parts[1],
                 cases[i].parts[2], load);
        judge("gfx942", body, cases[i].good ? SHARED_ORDERED : SHARED_NOT_ORDERED,
              cases[i].good ? "" : "the read of shared memory");
    }
}

// Copies to LDS of 16 bytes a lane: two, of 1,024 bytes each, a wait that lets `left` go on, and a read of another lane's in the first or
// second one.
static void test_copies_to_lds(void **state) {
    static const char form[] =
        "  %%second = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %d\n"
        "  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %%p, ptr addrspace(3) @tkc_shared, i32 "
        "16, i32 0, i32 0)\n"
        "  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %%p, ptr addrspace(3) %%second, i32 16, "
        "i32 0, i32 0)\n"
        "  call void @llvm.amdgcn.s.waitcnt(i32 %d)\n"
        "  fence syncscope(\"workgroup\") release\n%s  fence syncscope(\"workgroup\") acquire\n"
        "  %%a = add i32 %%q, %d\n  %%at = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%a\n"
        "  %%v = load i32, ptr addrspace(3) %%at\n";
    static const char barrier[] = "  call void @llvm.amdgcn.s.barrier()\n";
    static const struct {
        int second, left, read;
        const char *barrier, *fault;
    } cases[] = {
        {1024, 1, 0, barrier, ""},
        {1024, 2, 0, barrier, "which may be under way"},
        {1024, 1, 1024, barrier, "which may be under way"},
        {1024, 0, 1024, barrier, ""},
        {1024, 0, 1024, "", "is not ordered after the asynchronous copy"},
        {1008, 0, 0, barrier, "the asynchronous copy"}, // the last lane of one, the first one of the other
        {1024, 1, 768, barrier, ""},                    // the last bytes of the first one
        {1024, 1, 772, barrier, "which may be under way"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[2048];
        snprintf(body, sizeof body, form, cases[i].second, 0xe70 + cases[i].left, cases[i].barrier,
                 cases[i].read);
        judge("gfx942", body, *cases[i].fault ? SHARED_NOT_ORDERED : SHARED_ORDERED, cases[i].fault);
    }
}

static void test_atomics(void **state) {
    static const char count[] = "  %a = atomicrmw add ptr addrspace(3) @tkc_shared, i32 1 monotonic\n"
                                "  %b = atomicrmw add ptr addrspace(3) @tkc_shared, i32 1 monotonic\n";
    char body[1024];
    ordered(count);
    snprintf(body, sizeof body, "%s  %%v = load i32, ptr addrspace(3) @tkc_shared\n", count);
    faulty(body, "the read of shared memory");
}

static void test_what_is_not_modelled(void **state) {
    judge("sm_90a",
          "  call void asm sideeffect \"mbarrier.init.shared::cta.b64 [$0], $1;\", \"r,n,~{memory}\"(i32 0, "
          "i32 1)\n",
          SHARED_NOT_KNOWN, "k: ");
}

RUN(TEST(test_barriers), TEST(test_addresses), TEST(test_conditions_by_phi), TEST(test_number_of_branch),
    TEST(test_bounded_by_mask), TEST(test_loops), TEST(test_slots), TEST(test_meetings_in_warp),
    TEST(test_fences), TEST(test_copies_to_lds), TEST(test_atomics), TEST(test_what_is_not_modelled))
