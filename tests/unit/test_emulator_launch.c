// Cluster launch control on the emulator: blocks of four warps do the programs of blocks that have not begun, each exactly once, whatever
// order they are given in; and each way of breaking the rules is a report. A planted fault leaves an instruction out, or changes one. The same
// for programs taken from the counter of a launch.
#include "tensor_text.h"

enum {
    PROGRAMS = 24,
    THREADS = 128,
    WARPS = 4,
    ANSWERS = 2,
    ANSWERS_AT = 0,
    TOLD_AT = 32,
    FREE_AT = 48,
    SHARED_BYTES = 64,
};

enum plant {
    PLANT_NOTHING,
    PLANT_EARLY_READ, // does not wait for the answer
    PLANT_NO_WAIT,    // the asking thread does not wait for the readers
    PLANT_NO_PROXY,   // readers have no proxy fence
    PLANT_NO_ARRIVAL, // of all warps but the first
    PLANT_AGAIN,      // asks behind a refusal
    PLANT_EARLY_END,  // ends with an answer on its way
    PLANT_NO_EXPECT,  // of the answer's bytes
    PLANT_MISALIGNED,
    PLANT_NO_INIT_FENCE,
    PLANT_EVEN_ALONE, // of a pair: the answer comes to the even block
    PLANT_NO_TAIL     // of a pair: the even block ends before the odd one has arrived
};

struct launch_run {
    struct harness harness;
    _Alignas(16) uint32_t done[WARPS * PROGRAMS];
    bool clean;
};

static void result_of(struct strbuf *text, const char *name, enum asm_id id, const char *type,
                      const char *operands) {
    char constraints[128];
    strbuf_printf(text, "%%%s = call %s asm sideeffect \"%s\", \"%s\"(%s)\n", name, type, asm_table[id].text,
                  asm_constraints(id, constraints, sizeof constraints), operands);
}

// The addresses of answer `number`, and of its mbarriers; `n` tells names apart.
static void places(struct strbuf *text, const char *number, const char *n) {
    strbuf_printf(
        text,
        "%%slot%s = and i32 %s, %u\n%%a8%s = mul i32 %%slot%s, 8\n%%a16%s = mul i32 %%slot%s, 16\n"
        "%%answer%s = add i32 %%answers, %%a16%s\n%%told%s = add i32 %%tolds, %%a8%s\n"
        "%%free%s = add i32 %%frees, %%a8%s\n%%round%s = lshr i32 %s, 1\n%%parity%s = and i32 %%round%s, 1\n"
        "%%other%s = xor i32 %%parity%s, 1\n",
        n, number, ANSWERS - 1, n, n, n, n, n, n, n, n, n, n, n, number, n, n, n, n);
}

static void ask(struct strbuf *text, enum plant plant, bool pair, const char *n) {
    char operands[96];
    if (plant != PLANT_NO_EXPECT) {
        snprintf(operands, sizeof operands, "i32 %%told%s, i32 16, i1 1", n);
        row(text, ASM_MBARRIER_EXPECT, operands);
    }
    snprintf(operands, sizeof operands, "i32 %%answer%s, i32 %%told%s, i1 %s", n, n, pair ? "%even" : "1");
    row(text, pair && plant != PLANT_EVEN_ALONE ? ASM_LAUNCH_ASK_PAIR : ASM_LAUNCH_ASK, operands);
}

static void begin(struct strbuf *text, enum plant plant, bool pair) {
    char operands[96];
    strbuf_printf(
        text,
        "@tkc_shared = external addrspace(3) global [0 x i8], align 1024\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        "declare void @llvm.nvvm.barrier0()\ndeclare void @llvm.nvvm.bar.warp.sync(i32)\n"
        "define ptx_kernel void @k(ptr addrspace(1) %%done) %s{\n"
        "entry:\n%%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "%%block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n%%rank = and i32 %%block, %d\n%%even = icmp "
        "eq i32 %%rank, 0\n"
        "%%first = icmp eq i32 %%t, 0\n%%lane = and i32 %%t, 31\n%%leads = icmp eq i32 %%lane, 0\n%%warp = "
        "lshr i32 %%t, 5\n"
        "%%base = ptrtoint ptr addrspace(3) @tkc_shared to i32\n%%answers = add i32 %%base, %u\n"
        "%%tolds = add i32 %%base, %u\n%%frees = add i32 %%base, %u\n",
        pair ? "\"nvvm.cluster_dim\"=\"2,1,1\" " : "", pair, ANSWERS_AT + (plant == PLANT_MISALIGNED ? 8 : 0),
        TOLD_AT, FREE_AT);
    row(text, ASM_MBARRIER_INIT, "i32 %tolds, i32 1, i32 16, i1 %first");
    snprintf(operands, sizeof operands, "i32 %%frees, i32 %u, i32 16, i1 %%first", WARPS * (pair ? 2 : 1));
    row(text, ASM_MBARRIER_INIT, operands);
    if (plant != PLANT_NO_INIT_FENCE) {
        row(text, ASM_MBARRIER_FENCE_INIT, "");
    }
    if (pair) {
        row(text, ASM_CLUSTER_MEET, "");
    } else {
        strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
    }
    places(text, "0", "0");
    strbuf_add(text, "br i1 %first, label %begin, label %loop\nbegin:\n");
    ask(text, plant, pair, "0");
    strbuf_add(text, "br label %loop\n");
}

// A warp counts the program, reads the answer, and gives it back. Its thread that asks goes on to the next.
static void loop(struct strbuf *text, enum plant plant, bool pair) {
    strbuf_printf(text,
                  "loop:\n%%program = phi i32 [%%block, %%entry], [%%block, %%begin], [%%next, %%again]\n"
                  "%%n = phi i32 [0, %%entry], [0, %%begin], [%%m, %%again]\n"
                  "%%row = mul i32 %%program, %u\n%%at = add i32 %%row, %%warp\n"
                  "%%place = getelementptr i32, ptr addrspace(1) %%done, i32 %%at\n"
                  "br i1 %%leads, label %%count, label %%wait\ncount:\n"
                  "%%old = atomicrmw add ptr addrspace(1) %%place, i32 1 monotonic\nbr label %%wait\nwait:\n",
                  WARPS);
    places(text, "%n", "n");
    if (plant == PLANT_EARLY_END) {
        strbuf_add(text, "br label %end\nagain:\n%next = add i32 0, 0\n%m = add i32 0, 0\nbr label "
                         "%loop\nend:\nret void\n}\n");
        return;
    }
    if (plant != PLANT_EARLY_READ) {
        row(text, ASM_MBARRIER_WAIT, "i32 %toldn, i32 %parityn");
    }
    result_of(text, "read", ASM_LAUNCH_READ, "{i32, i32, i32, i32}", "i32 %answern");
    strbuf_printf(text,
                  "%%yes = extractvalue {i32, i32, i32, i32} %%read, 0\n%%given = icmp ne i32 %%yes, 0\n"
                  "%%x = extractvalue {i32, i32, i32, i32} %%read, 1\n%%next = add i32 %%x, %%rank\n"
                  "%%tells0 = and i1 %%leads, %%given\n%%counts = icmp ult i32 %%t, %u\n%%tells = and i1 "
                  "%%tells0, %%counts\n",
                  plant == PLANT_NO_ARRIVAL ? 32 : THREADS);
    if (plant != PLANT_NO_PROXY) {
        row(text, ASM_FENCE_PROXY_ASYNC, "");
    }
    strbuf_add(text, "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n");
    if (pair) {
        result_of(text, "mapped", ASM_MAP_ADDRESS, "i32", "i32 %freen, i32 0");
        row(text, ASM_MBARRIER_ARRIVE_CLUSTER, "i32 %mapped, i1 %tells");
    } else {
        row(text, ASM_MBARRIER_ARRIVE, "i32 %freen, i1 %tells");
    }
    strbuf_add(text, "%m = add i32 %n, 1\n");
    places(text, "%m", "m");
    strbuf_printf(text, "%%asks = and i1 %%first, %s\nbr i1 %%asks, label %%ask, label %%again\nask:\n",
                  plant == PLANT_AGAIN ? "1" : "%given");
    if (plant != PLANT_NO_WAIT) {
        strbuf_printf(text, "br i1 %%even, label %%wait_free, label %%asking\nwait_free:\n");
        row(text, pair ? ASM_MBARRIER_WAIT_CLUSTER : ASM_MBARRIER_WAIT, "i32 %freem, i32 %otherm");
        strbuf_add(text, "br label %asking\nasking:\n");
    }
    ask(text, plant, pair, "m");
    strbuf_add(text, "br label %again\nagain:\nbr i1 %given, label %loop, label %end\nend:\n");
}

static void run_kernel(struct launch_run *run, enum plant plant, bool pair, enum emulator_order order,
                       uint64_t seed) {
    struct strbuf text = {0};
    memset(run, 0, sizeof *run);
    begin(&text, plant, pair);
    loop(&text, plant, pair);
    if (plant != PLANT_EARLY_END) {
        // The slot before the refusal's may be on its way back; the refusal itself nobody gives back.
        if (pair && plant != PLANT_NO_TAIL) {
            strbuf_add(&text, "%tail = and i1 %even, %first\nbr i1 %tail, label %last, label %over\nlast:\n");
            row(&text, ASM_MBARRIER_WAIT_CLUSTER, "i32 %freem, i32 %otherm");
            strbuf_add(&text, "br label %over\nover:\n");
        }
        strbuf_add(&text, "ret void\n}\n");
    }
    struct emulator_options options = {.order = order, .seed = seed, .workers = 1};
    harness_text(&run->harness, nvidia_head, strbuf_text(&text), &options);
    strbuf_free(&text);
    struct emulator_buffer buffer = {"done", run->done, sizeof run->done, 32, false, false, NULL};
    struct emulator_argument argument = {.name = "done", .buffer = &buffer};
    run->clean = harness_run(&run->harness, &argument, 1, PROGRAMS, THREADS, SHARED_BYTES);
}

// Each warp has counted each program once.
static void test_programs(void **state) {
    (void)state;
    struct launch_run *run = malloc(sizeof *run);
    for (unsigned i = 0; i < 2 * 4 * EMULATOR_ORDERS; i++) {
        run_kernel(run, PLANT_NOTHING, i % 2, (enum emulator_order)(i / 2 % EMULATOR_ORDERS), i);
        harness_expect_clean(&run->harness, run->clean);
        assert_int_equal(run->harness.result.programs_done, PROGRAMS);
        for (unsigned p = 0; p < WARPS * PROGRAMS; p++) {
            assert_int_equal(run->done[p], 1);
        }
        harness_end(&run->harness);
    }
    free(run);
}

static bool reported(const struct emulator_result *result, const char *kind, const char *words) {
    for (unsigned i = 0; i < result->report_count; i++) {
        if (!strcmp(result->reports[i].kind, kind) && (!words || strstr(result->reports[i].text, words))) {
            return true;
        }
    }
    return false;
}

// Some order of warps shows the fault as what it is; others may see what comes of it.
static void test_faults(void **state) {
    (void)state;
    static const struct {
        enum plant plant;
        bool pair;
        const char *kind, *words;
    } faults[] = {
        {PLANT_EARLY_READ, false, "asynchronous copy", NULL},
        {PLANT_NO_WAIT, false, "race", "asks for an answer at shared memory byte"},
        {PLANT_NO_PROXY, false, "proxy fence", "with no fence.proxy.async of it since"},
        {PLANT_NO_ARRIVAL, false, "deadlock", "no warp can go on"},
        {PLANT_AGAIN, false, "operation", "which was refused before"},
        {PLANT_EARLY_END, false, "asynchronous copy", "the block ends before this answer has come"},
        {PLANT_NO_EXPECT, false, "deadlock", "no warp can go on"},
        {PLANT_MISALIGNED, false, "misaligned", NULL},
        {PLANT_NO_INIT_FENCE, false, "proxy fence", "no fence.mbarrier_init"},
        {PLANT_NO_WAIT, true, "race", "asks for an answer at shared memory byte"},
        {PLANT_EVEN_ALONE, true, "deadlock", "no warp can go on"},
        {PLANT_NO_TAIL, true, "mbarrier", "block 0 of the cluster, which has ended"},
    };
    struct launch_run *run = malloc(sizeof *run);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        bool found = false;
        for (uint64_t seed = 0; seed < 40 && !found; seed++) {
            run_kernel(run, faults[i].plant, faults[i].pair, (enum emulator_order)(seed % EMULATOR_ORDERS),
                       seed);
            found = reported(&run->harness.result, faults[i].kind, faults[i].words);
            assert_true(!found || harness_of_compiler(&run->harness));
            harness_end(&run->harness);
        }
        if (!found) {
            fail_msg("fault %d is not reported", (int)faults[i].plant);
        }
    }
    free(run);
}

// ---- the launch's counter ----

enum { BLOCKS = 5 };

static void count(struct strbuf *text, const char *name, const char *program) {
    strbuf_printf(text,
                  "%%at_%s = getelementptr i32, ptr addrspace(1) %%done, i32 %s\n"
                  "%%old_%s = atomicrmw add ptr addrspace(1) %%at_%s, i32 1 monotonic\n",
                  name, program, name, name);
}

// One thread a block counts its program, and takes the next two; if there are none, it leaves the counter as one of `takers` blocks.
static void run_counted(struct launch_run *run, unsigned takers, uint64_t seed) {
    struct strbuf text = {0};
    memset(run, 0, sizeof *run);
    strbuf_add(&text, "@table = internal addrspace(1) global [16384 x i8] zeroinitializer, align 16\n"
                      "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                      "define ptx_kernel void @k(ptr addrspace(1) %done) {\nentry:\n"
                      "%places = ptrtoint ptr addrspace(1) @table to i64\n"
                      "%block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n");
    result_of(&text, "launch", ASM_LAUNCH_NUMBER, "i64", "");
    result_of(&text, "word", ASM_LAUNCH_LOOK, "i64", "i64 %places, i64 %launch, i1 1");
    result_of(&text, "counter", ASM_LAUNCH_JOIN, "i64", "i64 %places, i64 %launch, i64 %word, i1 1");
    count(&text, "own", "%block");
    strbuf_add(&text, "br label %loop\nloop:\n");
    result_of(&text, "taken", ASM_LAUNCH_TAKE, "i64", "i64 %counter, i64 2");
    strbuf_printf(&text,
                  "%%number = trunc i64 %%taken to i32\n%%next = add i32 %%number, %d\n"
                  "%%behind = add i32 %%next, 1\n%%more = icmp ult i32 %%next, %d\n"
                  "br i1 %%more, label %%run, label %%leave\nrun:\n",
                  BLOCKS, PROGRAMS);
    count(&text, "first", "%next");
    count(&text, "second", "%behind");
    strbuf_add(&text, "br label %loop\nleave:\n");
    char operands[96];
    snprintf(operands, sizeof operands, "i64 %%places, i64 %%launch, i64 %%counter, i64 %u", takers);
    row(&text, ASM_LAUNCH_LEAVE, operands);
    strbuf_add(&text, "ret void\n}\n");
    struct emulator_options options = {.seed = seed, .workers = 1};
    harness_text(&run->harness, nvidia_head, strbuf_text(&text), &options);
    strbuf_free(&text);
    struct emulator_buffer buffer = {"done", run->done, sizeof run->done, 32, false, false, NULL};
    struct emulator_argument argument = {.name = "done", .buffer = &buffer};
    run->clean = harness_run(&run->harness, &argument, 1, BLOCKS, 1, SHARED_BYTES);
}

// The last block to leave gives the counter back: not sooner, and not never.
static void test_counter(void **state) {
    (void)state;
    struct launch_run *run = malloc(sizeof *run);
    for (uint64_t seed = 0; seed < 4; seed++) {
        run_counted(run, BLOCKS, seed);
        harness_expect_clean(&run->harness, run->clean);
        for (unsigned p = 0; p < PROGRAMS; p++) {
            assert_int_equal(run->done[p], 1);
        }
        harness_end(&run->harness);
    }
    run_counted(run, BLOCKS + 1, 0);
    assert_true(reported(&run->harness.result, "race", "its counter has not been given back: 30 programs"));
    harness_end(&run->harness);
    run_counted(run, BLOCKS - 1, 0);
    assert_true(reported(&run->harness.result, "race", "counter, which has been given back"));
    harness_end(&run->harness);
    free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs), cmocka_unit_test(test_faults),
                                       cmocka_unit_test(test_counter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
