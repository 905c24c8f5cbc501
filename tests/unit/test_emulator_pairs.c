// Pairs of blocks on the emulator (tcgen05, cta_group::2): a product of 256 by 16 by 16, exact, and each way of breaking the rules of
// two blocks is a report. A planted fault leaves an instruction out, or changes one.
#include "tensor_text.h"

#include "emulator/number/number.h"

enum {
    THREADS = 128, // of a block
    BLOCKS = 2,
    ROWS = 128, // of a block
    COLUMNS = 16,
    DEPTH = 16,
    SHARED_BASE = 1024,
    A_AT = 1024,
    B_AT = 5120,
    SHARED_BYTES = 6144,
    WORDS = 16, // of the result in a thread: two moves
    A_WORDS = ROWS * DEPTH / 2 / THREADS,
    B_WORDS = COLUMNS / BLOCKS * DEPTH / 2
};

enum plant {
    PLANT_NOTHING,
    PLANT_NO_CLUSTER, // the blocks are launched one by one
    PLANT_ONE_BLOCKS, // an instruction of cta_group::1
    PLANT_NO_FIRST_MEET,
    PLANT_NO_LAST_MEET,
    PLANT_EARLY_EXIT, // the odd block ends without a wait for its commit
    PLANT_ODD_ISSUES,
    PLANT_ONE_ROWS,   // 128 in the instruction descriptor
    PLANT_OWN_COMMIT, // to the even block's mbarrier alone
    PLANT_NO_SUCH_BLOCK,
    PLANT_EVEN_TAKES,   // the odd block takes no memory
    PLANT_EARLY_READ,   // the odd block does not wait for the product
    PLANT_LATE_ARRIVAL, // at an mbarrier of the even block, which has ended
    PLANT_LOCAL_WAIT    // a mapped address where an instruction takes the block's own
};

struct pair_run {
    struct harness harness;
    _Alignas(16) uint32_t a[BLOCKS * ROWS * DEPTH / 2], b[BLOCKS * B_WORDS];
    _Alignas(16) float d[BLOCKS * WORDS * THREADS];
    bool clean;
};

static int left(unsigned row, unsigned k) {
    return (int)((row * 3 + k * 7) % 9) - 4;
}

static int right(unsigned k, unsigned column) {
    return (int)((k * 5 + column * 2) % 7) - 3;
}

// Fills the image with a block's rows of an operand, k contiguous. Returns its descriptor without the address.
static uint64_t place(uint32_t *image, unsigned rows, unsigned first, bool is_b) {
    int64_t shape[2] = {rows, DEPTH};
    struct layout layout;
    struct wgmma_operand operand;
    assert_true(wgmma_shared_layout(shape, 1, 2, &layout) && wgmma_operand_of(&layout, 2, &operand));
    for (uint32_t i = 0; i < rows * DEPTH; i++) {
        uint32_t flat = layout_column(&layout, LAYOUT_OFFSET, i), row = flat / DEPTH + first,
                 k = flat % DEPTH;
        uint16_t half = half_from_float((float)(is_b ? right(k, row) : left(row, k)));
        memcpy((uint8_t *)image + 2 * i, &half, 2);
    }
    return tcgen05_descriptor(&operand, true);
}

static void copy_word(struct strbuf *text, unsigned i, const char *array, unsigned per_block, unsigned from,
                      unsigned to) {
    strbuf_printf(
        text,
        "%%o%u = add i32 %%t%s, %u\n%%r%u = mul i32 %%rank, %u\n%%n%u = add i32 %%o%u, %%r%u\n"
        "%%f%u = getelementptr i32, ptr addrspace(1) %%%s, i32 %%n%u\n"
        "%%v%u = load i32, ptr addrspace(1) %%f%u\n%%m%u = mul i32 %%o%u, 4\n%%s%u = add i32 %%m%u, %u\n"
        "%%p%u = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%s%u\n"
        "store i32 %%v%u, ptr addrspace(3) %%p%u\n",
        i, per_block == B_WORDS ? "b" : "", from, i, per_block, i, i, i, i, array, i, i, i, i, i, i, i, to, i,
        i, i, i);
}

static void begin(struct strbuf *text, enum plant plant) {
    strbuf_printf(
        text,
        "@tkc_shared = external addrspace(3) global [0 x i8], align 1024\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        "declare void @llvm.nvvm.barrier0()\n"
        "define ptx_kernel void @k(ptr addrspace(1) %%a, ptr addrspace(1) %%b, ptr addrspace(1) %%d) %s{\n"
        "entry:\n%%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "%%block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n%%rank = and i32 %%block, 1\n"
        "%%odd = icmp eq i32 %%rank, 1\n%%first = icmp eq i32 %%t, 0\n%%warp0 = icmp ult i32 %%t, 32\n"
        "%%warp = lshr i32 %%t, 5\n%%beyond = shl i32 %%rank, 8\n%%place = add i32 %%t, %%beyond\n%%tb = and "
        "i32 %%t, %u\n%%mine = icmp ult i32 %%place, 32\n"
        "%%base = ptrtoint ptr addrspace(3) @tkc_shared to i32\n%%bar = add i32 %%base, 8\n"
        "%%late = add i32 %%base, 16\n",
        plant == PLANT_NO_CLUSTER ? "" : "\"nvvm.cluster_dim\"=\"2,1,1\" ", B_WORDS - 1);
    row(text, ASM_MBARRIER_INIT, "i32 %bar, i32 1, i32 8, i1 %first");
    row(text, ASM_MBARRIER_INIT, "i32 %late, i32 1, i32 8, i1 %first");
    row(text, ASM_MBARRIER_FENCE_INIT, "");
    row(text, plant == PLANT_ONE_BLOCKS ? ASM_TCGEN05_ALLOC : ASM_TCGEN05_PAIR_ALLOC,
        plant == PLANT_EVEN_TAKES ? "i32 %base, i32 32, i1 %mine" : "i32 %base, i32 32, i1 %warp0");
    for (unsigned i = 0; i < A_WORDS; i++) {
        copy_word(text, i, "a", ROWS * DEPTH / 2, i * THREADS, A_AT);
    }
    copy_word(text, A_WORDS, "b", B_WORDS, 0, B_AT);
    row(text, ASM_FENCE_PROXY_ASYNC, "");
    row(text, ASM_TCGEN05_FENCE_BEFORE, "");
    if (plant != PLANT_NO_FIRST_MEET) {
        row(text, ASM_CLUSTER_MEET, "");
    } else {
        strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
    }
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    strbuf_printf(text,
                  "%%memory = load i32, ptr addrspace(3) @tkc_shared\n%%quarter = mul i32 %%warp, %u\n"
                  "%%low = add i32 %%memory, %%quarter\n%%high = add i32 %%low, %u\n",
                  TENSOR_WARP_LANES << 16, 16 << 16);
}

static void multiply(struct strbuf *text, enum plant plant, uint64_t a, uint64_t b) {
    uint32_t instruction = tcgen05_instruction(mma_find("tcgen05.f16", 11), plant == PLANT_ONE_ROWS ? 1 : 2,
                                               COLUMNS, false, false);
    char operands[160];
    strbuf_printf(text,
                  "%%even = icmp eq i32 %%rank, %d\n%%issues = and i1 %%even, %%first\n"
                  "br i1 %%issues, label %%issue, label %%go\nissue:\n",
                  plant == PLANT_ODD_ISSUES);
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    snprintf(operands, sizeof operands, "i32 %%memory, i64 %llu, i64 %llu, i32 %u, i1 0",
             (unsigned long long)(a | (A_AT + SHARED_BASE) >> 4),
             (unsigned long long)(b | (B_AT + SHARED_BASE) >> 4), instruction);
    row(text, ASM_TCGEN05_PAIR_F16, operands);
    row(text, ASM_TCGEN05_PAIR_COMMIT,
        plant == PLANT_OWN_COMMIT      ? "i32 %bar, i16 1"
        : plant == PLANT_NO_SUCH_BLOCK ? "i32 %bar, i16 7"
                                       : "i32 %bar, i16 3");
    strbuf_add(text, "br label %go\ngo:\n");
}

static void result(struct strbuf *text) {
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    move(text, (struct tcgen05_move){TENSOR_LOAD, WORDS / 2}, "%low", NULL, "l", 0);
    move(text, (struct tcgen05_move){TENSOR_LOAD, WORDS / 2}, "%high", NULL, "l", WORDS / 2);
    move(text, (struct tcgen05_move){TENSOR_LOAD_WAIT, WORDS}, NULL, "l", "w", 0);
    row(text, ASM_TCGEN05_FENCE_BEFORE, "");
    strbuf_printf(text, "%%from = mul i32 %%rank, %u\n", WORDS * THREADS);
    for (unsigned i = 0; i < WORDS; i++) {
        strbuf_printf(text,
                      "%%i%u = add i32 %%t, %u\n%%j%u = add i32 %%i%u, %%from\n"
                      "%%g%u = getelementptr i32, ptr addrspace(1) %%d, i32 %%j%u\n"
                      "store i32 %%w%u, ptr addrspace(1) %%g%u\n",
                      i, i * THREADS, i, i, i, i, i, i);
    }
}

static void finish(struct strbuf *text, enum plant plant) {
    if (plant == PLANT_EARLY_EXIT) {
        strbuf_add(text, "br i1 %odd, label %leave, label %stay\nleave:\nret void\nstay:\n");
    }
    if (plant == PLANT_LOCAL_WAIT) {
        strbuf_printf(text, "%%mapped = call i32 asm \"%s\", \"=r,r,r\"(i32 %%bar, i32 0)\n",
                      asm_table[ASM_MAP_ADDRESS].text);
        row(text, ASM_MBARRIER_WAIT, "i32 %mapped, i32 0");
    } else if (plant == PLANT_EARLY_READ) {
        strbuf_add(text, "%skips = zext i1 %odd to i32\n");
        row(text, ASM_MBARRIER_WAIT, "i32 %bar, i32 %skips"); // the phase before the first is over
    } else {
        row(text, ASM_MBARRIER_WAIT, "i32 %bar, i32 0");
    }
    result(text);
    if (plant != PLANT_NO_LAST_MEET && plant != PLANT_EARLY_EXIT) {
        row(text, ASM_CLUSTER_MEET, "");
    } else {
        strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
    }
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    row(text, ASM_TCGEN05_PAIR_FREE,
        plant == PLANT_EVEN_TAKES ? "i32 %memory, i32 32, i1 %mine" : "i32 %memory, i32 32, i1 %warp0");
    if (plant == PLANT_LATE_ARRIVAL) {
        strbuf_add(text, "br i1 %odd, label %arrive, label %over\narrive:\n");
        for (unsigned i = 0; i < 40; i++) { // until the even block has ended
            strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
        }
        strbuf_printf(text, "%%other = call i32 asm \"%s\", \"=r,r,r\"(i32 %%late, i32 0)\n",
                      asm_table[ASM_MAP_ADDRESS].text);
        row(text, ASM_MBARRIER_ARRIVE_CLUSTER, "i32 %other, i1 %first");
        strbuf_add(text, "br label %over\nover:\n");
    }
    strbuf_add(text, "ret void\n}\n");
}

static void run_kernel(struct pair_run *run, enum plant plant, enum emulator_order order, unsigned blocks) {
    struct strbuf text = {0};
    uint64_t a = 0, b = 0;
    memset(run, 0, sizeof *run);
    for (unsigned block = 0; block < BLOCKS; block++) {
        a = place(run->a + block * (ROWS * DEPTH / 2), ROWS, block * ROWS, false);
        b = place(run->b + block * B_WORDS, COLUMNS / BLOCKS, block * (COLUMNS / BLOCKS), true);
    }
    begin(&text, plant);
    multiply(&text, plant, a, b);
    finish(&text, plant);
    struct emulator_options options = {.order = order};
    harness_text(&run->harness, nvidia_head, strbuf_text(&text), &options);
    strbuf_free(&text);
    struct emulator_buffer buffers[] = {{"a", run->a, sizeof run->a, 32, false, true, NULL},
                                        {"b", run->b, sizeof run->b, 32, false, true, NULL},
                                        {"d", run->d, sizeof run->d, 32, true, false, NULL}};
    struct emulator_argument arguments[] = {{.name = "a", .buffer = &buffers[0]},
                                            {.name = "b", .buffer = &buffers[1]},
                                            {.name = "d", .buffer = &buffers[2]}};
    run->clean = harness_run(&run->harness, arguments, 3, blocks, THREADS, SHARED_BYTES);
}

static float expected(unsigned block, unsigned thread, unsigned word) {
    unsigned lane = thread % 32, i = word % (WORDS / 2);
    unsigned at = block * ROWS + thread / 32 * 32 + word / (WORDS / 2) * 16 + lane / 4 + i / 2 % 2 * 8,
             column = lane % 4 * 2 + i % 2 + i / 4 * 8;
    int sum = 0;
    for (unsigned k = 0; k < DEPTH; k++) {
        sum += left(at, k) * right(k, column);
    }
    return (float)sum;
}

static void test_products(void **state) {
    (void)state;
    struct pair_run *run = malloc(sizeof *run);
    for (enum emulator_order order = EMULATOR_IN_TURN; order < EMULATOR_ORDERS; order++) {
        run_kernel(run, PLANT_NOTHING, order, BLOCKS);
        harness_expect_clean(&run->harness, run->clean);
        for (unsigned i = 0; i < BLOCKS * WORDS * THREADS; i++) {
            unsigned block = i / (WORDS * THREADS), word = i / THREADS % WORDS, thread = i % THREADS;
            if (run->d[i] != expected(block, thread, word)) {
                fail_msg("word %u of thread %u of block %u is %g, not %g", word, thread, block,
                         (double)run->d[i], (double)expected(block, thread, word));
            }
        }
        harness_end(&run->harness);
    }
    free(run);
}

static void test_faults(void **state) {
    (void)state;
    static const struct {
        enum plant plant;
        const char *kind, *words;
    } faults[] = {
        {PLANT_NO_CLUSTER, "tensor memory", "cta_group::2 in a launch without clusters"},
        {PLANT_ONE_BLOCKS, "tensor memory", "cta_group::1 in a cluster"},
        {PLANT_NO_FIRST_MEET, "race", "of block 1 wrote"},
        {PLANT_NO_LAST_MEET, "tensor memory", "frees tensor memory"},
        {PLANT_EARLY_EXIT, "tensor memory", "block 1 of the cluster ends while this commit is on its way"},
        {PLANT_ODD_ISSUES, "tensor memory", "is the even block's, and the odd one issues it"},
        {PLANT_ONE_ROWS, "descriptor", "has a shape that no product has"},
        {PLANT_OWN_COMMIT, "deadlock", "no warp can go on"},
        {PLANT_NO_SUCH_BLOCK, "mbarrier", "block 2 of the cluster, which has fewer blocks"},
        {PLANT_EVEN_TAKES, "tensor memory", "is not this block's"},
        {PLANT_EARLY_READ, "tensor memory",
         "reads tensor memory before what was written there is known to be over"},
        {PLANT_LATE_ARRIVAL, "mbarrier", "block 0 of the cluster, which has ended"},
        {PLANT_LOCAL_WAIT, "mbarrier", "no mbarrier was made"},
    };
    struct pair_run *run = malloc(sizeof *run);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        run_kernel(run, faults[i].plant, EMULATOR_IN_TURN, BLOCKS);
        assert_false(run->clean);
        harness_expect_fault(&run->harness, faults[i].kind, faults[i].words);
        harness_end(&run->harness);
    }
    free(run);
}

// As a device does.
static void test_odd_grid(void **state) {
    (void)state;
    struct pair_run *run = malloc(sizeof *run);
    run_kernel(run, PLANT_NOTHING, EMULATOR_IN_TURN, 3);
    assert_int_equal(run->harness.result.status, EMULATOR_REFUSED);
    assert_non_null(strstr(run->harness.result.message, "clusters of 2 blocks along x, and the grid has 3"));
    harness_end(&run->harness);
    free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_faults),
                                       cmocka_unit_test(test_odd_grid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
