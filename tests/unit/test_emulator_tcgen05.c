// Products into tensor memory on the emulator: one of 128 by 16 by 16, exact, and each way of breaking the rules of tcgen05
// is a report. The kernel is LLVM text; a planted fault leaves an instruction out, or changes one.
#include "tensor_text.h"

#include <math.h>

#include "emulator/number/number.h"

enum {
    THREADS = 128,
    ROWS = 128,
    COLUMNS = 16,
    DEPTH = 16,
    SHARED_BASE = 1024,
    A_AT = 1024,
    B_AT = 5120,
    SCALES_AT = 6144, // of A, then of B
    SHARED_BYTES = 7168,
    WORDS = 16, // of the result in a thread: two moves
    A_WORDS = ROWS * DEPTH / 2 / THREADS,
};

enum plant {
    PLANT_NOTHING,
    PLANT_NO_ALLOC,
    PLANT_NO_FREE,
    PLANT_FREE_AGAIN,
    PLANT_ODD_COLUMNS,
    PLANT_NO_PROXY_FENCE,
    PLANT_NO_COMMIT,
    PLANT_NO_WAIT,       // for the product, before the load
    PLANT_NO_AFTER,      // fence::after_thread_sync behind that wait
    PLANT_NO_LOAD_WAIT,  // wait::ld
    PLANT_NO_BEFORE,     // fence::before_thread_sync between the loads and the free
    PLANT_OTHER_QUARTER, // all warps read lanes 0 to 31
    PLANT_MANY_ISSUE,    // the first two threads
    PLANT_OTHER_ISSUES,  // a second product by another warp, unordered
    PLANT_ADDS_NOTHING,  // to what nothing has written
    PLANT_OVERWRITE_B,   // between issue and wait
    PLANT_VERSION,       // of a matrix descriptor
    PLANT_SHAPE,         // of the instruction descriptor
    PLANT_TYPE,
    PLANT_LANE,           // the product begins at lane 16
    PLANT_NO_STORE_WAIT,  // wait::st; these store before the product
    PLANT_NO_STORE_MEET,  // no barrier between the stores and the product
    PLANT_NO_STORE_FENCE, // fence::before_thread_sync behind the stores
    PLANT_MEET_BY_LANES,  // no fault: a lane of each warp arrives at an mbarrier for its warp
    PLANT_LANES_ALONE,    // the same without bar.warp.sync ahead
    // Of products with A in tensor memory:
    PLANT_LEFT_EMPTY,    // nothing stores it
    PLANT_LEFT_LANE,     // it begins at lane 16
    PLANT_LEFT_AGAIN,    // stored once more before the product is waited for
    PLANT_LEFT_NO_AFTER, // the same behind the wait, without fence::after_thread_sync
    // Of products with scales:
    PLANT_SCALES_EMPTY,  // nothing copies them
    PLANT_SCALES_LANE,   // they begin at lane 32
    PLANT_SCALES_TYPE,   // numbers, of a kind that has exponents
    PLANT_SCALES_BYTE,   // byte 1 of the columns, of a kind with two in a step
    PLANT_SCALES_OTHER,  // another thread's copy, unordered
    PLANT_SCALES_AGAIN,  // written to shared memory before the copy is waited for
    PLANT_SCALES_MODE,   // a swizzled matrix descriptor
    PLANT_SCALES_MANY,   // two threads copy
    PLANT_SCALES_BEYOND, // of the allocation
};

// Where the product's operands are, and whether it adds to what is there.
enum form { OVERWRITES, ADDS, LEFT, SCALED };
enum {
    LEFT_COLUMN = 16,
    SCALE_COLUMN = 24,
    A_BYTE = 2,
    B_BYTE = 1,
    SCALED_DEPTH = 32,
    SCALE_WORDS = 2 * 512 / 4
};

struct tensor_run {
    struct harness harness;
    _Alignas(16) uint32_t a[ROWS * DEPTH / 2 + SCALE_WORDS], b[COLUMNS * DEPTH / 2];
    _Alignas(16) float d[WORDS * THREADS];
    bool clean;
};

static int left(unsigned row, unsigned k) {
    return (int)((row * 3 + k * 7) % 9) - 4;
}

static int right(unsigned k, unsigned column) {
    return (int)((k * 5 + column * 2) % 7) - 3;
}

// Fills an image with a tile of `rows` by DEPTH, k contiguous. Returns its descriptor without the address.
static uint64_t place(uint32_t *image, unsigned rows, bool is_b) {
    int64_t shape[2] = {rows, DEPTH};
    struct layout layout;
    struct wgmma_operand operand;
    assert_true(wgmma_shared_layout(shape, 1, 2, &layout) && wgmma_operand_of(&layout, 2, &operand));
    for (uint32_t i = 0; i < rows * DEPTH; i++) {
        uint32_t flat = layout_column(&layout, LAYOUT_OFFSET, i), row = flat / DEPTH, k = flat % DEPTH;
        uint16_t half = half_from_float((float)(is_b ? right(k, row) : left(row, k)));
        memcpy((uint8_t *)image + 2 * i, &half, 2);
    }
    return tcgen05_descriptor(&operand, true);
}

// ---- with scales ----

// Of e4m3, small whole numbers.
static uint8_t code_of(int number) {
    static const uint8_t codes[] = {0, 0x38, 0x40, 0x44, 0x48};
    return number < 0 ? codes[-number] | 0x80 : codes[number];
}

static uint64_t place_bytes(uint32_t *image, unsigned rows, bool is_b) {
    int64_t shape[2] = {rows, SCALED_DEPTH};
    struct layout layout;
    struct wgmma_operand operand;
    assert_true(wgmma_shared_layout(shape, 1, 1, &layout) && wgmma_operand_of(&layout, 1, &operand));
    for (uint32_t i = 0; i < rows * SCALED_DEPTH; i++) {
        uint32_t flat = layout_column(&layout, LAYOUT_OFFSET, i), row = flat / SCALED_DEPTH,
                 k = flat % SCALED_DEPTH;
        ((uint8_t *)image)[i] = code_of(is_b ? right(k, row) : left(row, k));
    }
    return tcgen05_descriptor(&operand, true);
}

// The exponent of a row of A, a column of B, in block g of K.
static int power(unsigned row, unsigned g, bool is_b) {
    return (int)((row * 5 + g * 3 + is_b) % 4) - 1;
}

// Byte 16 r + 4 q + g: the scale of row r + 32 q in block g.
static void place_scales(uint32_t *words) {
    for (unsigned i = 0; i < SCALE_WORDS * 4; i++) {
        unsigned byte = i % 512, row = byte / 16 + byte / 4 % 4 * 32;
        ((uint8_t *)words)[i] = (uint8_t)(127 + power(row, byte % 4, i >= 512));
    }
}

// ---- the kernel ----

static void begin(struct strbuf *text, enum plant plant, enum form form) {
    strbuf_add(text,
               "@tkc_shared = external addrspace(3) global [0 x i8], align 1024\n"
               "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare void @llvm.nvvm.barrier0()\n"
               "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
               "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %d) {\n"
               "entry:\n%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
               "%first = icmp eq i32 %t, 0\n%warp0 = icmp ult i32 %t, 32\n%warp = lshr i32 %t, 5\n"
               "%base = ptrtoint ptr addrspace(3) @tkc_shared to i32\n%bar = add i32 %base, 8\n"
               "%met = add i32 %base, 16\n%lane = and i32 %t, 31\n%lane0 = icmp eq i32 %lane, 0\n");
    row(text, ASM_MBARRIER_INIT, "i32 %bar, i32 1, i32 8, i1 %first");
    row(text, ASM_MBARRIER_INIT, "i32 %met, i32 4, i32 8, i1 %first");
    row(text, ASM_MBARRIER_FENCE_INIT, "");
    if (plant != PLANT_NO_ALLOC) {
        row(text, ASM_TCGEN05_ALLOC,
            plant == PLANT_ODD_COLUMNS ? "i32 %base, i32 48, i1 %warp0" : "i32 %base, i32 32, i1 %warp0");
        row(text, ASM_TCGEN05_RELINQUISH, "i1 %warp0");
    } else {
        strbuf_add(text, "store i32 480, ptr addrspace(3) @tkc_shared\n");
    }
    for (unsigned i = 0; i <= A_WORDS; i++) { // the last word is of B
        bool is_b = i == A_WORDS;
        strbuf_printf(
            text,
            "%%n%u = add i32 %%t, %u\n%%f%u = getelementptr i32, ptr addrspace(1) %%%s, i32 %%n%u\n"
            "%%v%u = load i32, ptr addrspace(1) %%f%u\n%%m%u = mul i32 %%n%u, 4\n%%o%u = add i32 %%m%u, %u\n"
            "%%p%u = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%o%u\n"
            "store i32 %%v%u, ptr addrspace(3) %%p%u\n",
            i, is_b ? 0 : i * THREADS, i, is_b ? "b" : "a", i, i, i, i, i, i, i, is_b ? B_AT : A_AT, i, i, i,
            i);
    }
    for (unsigned i = 0; form == SCALED && i < 2; i++) {
        strbuf_printf(
            text,
            "%%sn%u = add i32 %%t, %u\n%%sf%u = getelementptr i32, ptr addrspace(1) %%a, i32 %%sn%u\n"
            "%%sv%u = load i32, ptr addrspace(1) %%sf%u\n%%so%u = shl i32 %%t, 2\n%%sa%u = add i32 %%so%u, "
            "%u\n"
            "%%sp%u = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %%sa%u\n"
            "store i32 %%sv%u, ptr addrspace(3) %%sp%u\n",
            i, ROWS * DEPTH / 2 + i * THREADS, i, i, i, i, i, i, i, SCALES_AT + i * 512, i, i, i, i);
    }
    if (plant != PLANT_NO_PROXY_FENCE) {
        row(text, ASM_FENCE_PROXY_ASYNC, "");
    }
    row(text, ASM_TCGEN05_FENCE_BEFORE, "");
    strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    strbuf_printf(text,
                  "%%memory = load i32, ptr addrspace(3) @tkc_shared\n%%quarter = mul i32 %%warp, %u\n"
                  "%%own = add i32 %%memory, %%quarter\n%%low = add i32 %s, 0\n%%high = add i32 %%low, %u\n"
                  "%%left_low = add i32 %%low, %u\n%%left_high = add i32 %%high, %u\n",
                  TENSOR_WARP_LANES << 16, plant == PLANT_OTHER_QUARTER ? "%memory" : "%own", 16 << 16,
                  LEFT_COLUMN, LEFT_COLUMN);
}

static bool stores_first(enum plant plant, enum form form) {
    return form == ADDS && plant != PLANT_ADDS_NOTHING;
}

// Words v0 and on of A, a quarter of them for each half of the warp's rows.
static void store_left(struct strbuf *text) {
    move(text, (struct tcgen05_move){TENSOR_STORE_HALVES, A_WORDS / 2}, "%left_low", "v", NULL, 0);
    move(text, (struct tcgen05_move){TENSOR_STORE_HALVES, A_WORDS / 2}, "%left_high", "v", NULL, A_WORDS / 2);
}

static void meet_behind_store(struct strbuf *text, enum plant plant) {
    if (plant != PLANT_NO_STORE_WAIT) {
        row(text, ASM_TCGEN05_WAIT_STORE, "");
    }
    if (plant != PLANT_NO_STORE_FENCE) {
        row(text, ASM_TCGEN05_FENCE_BEFORE, "");
    }
    if (plant == PLANT_MEET_BY_LANES || plant == PLANT_LANES_ALONE) {
        strbuf_add(text, plant == PLANT_MEET_BY_LANES ? "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n" : "");
        row(text, ASM_MBARRIER_ARRIVE, "i32 %met, i1 %lane0");
        row(text, ASM_MBARRIER_WAIT, "i32 %met, i32 0");
    } else if (plant != PLANT_NO_STORE_MEET) {
        strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
    }
}

// The accumulator: word i of a thread is i.
static void store(struct strbuf *text, enum plant plant) {
    for (unsigned i = 0; i < WORDS; i++) {
        strbuf_printf(text, "%%s%u = add i32 %u, 0\n", i, float_bits((float)i));
    }
    move(text, (struct tcgen05_move){TENSOR_STORE, WORDS / 2}, "%low", "s", NULL, 0);
    move(text, (struct tcgen05_move){TENSOR_STORE, WORDS / 2}, "%high", "s", NULL, WORDS / 2);
    meet_behind_store(text, plant);
}

static void copy_scales(struct strbuf *text, enum plant plant) {
    for (unsigned i = 0; i < 2; i++) {
        uint64_t from = tcgen05_scale_descriptor() | (SCALES_AT + i * 512 + SHARED_BASE) >> 4;
        char operands[80];
        from |= plant == PLANT_SCALES_MODE ? UINT64_C(2) << 61 : 0;
        snprintf(operands, sizeof operands, "i32 %%scales%u, i64 %llu", i, (unsigned long long)from);
        row(text, ASM_TCGEN05_COPY_SCALES, operands);
    }
}

// Two copies, on the thread of the product or as planted, and the product.
static void multiply_scaled(struct strbuf *text, enum plant plant, uint64_t a, uint64_t b) {
    const struct mma *mma = mma_find("tcgen05.scale.e4m3", 18);
    uint32_t instruction = tcgen05_scaled_instruction(mma, 1, COLUMNS, A_BYTE, B_BYTE);
    instruction ^= plant == PLANT_SCALES_TYPE ? 1u << 23 : 0;
    instruction = plant == PLANT_SCALES_BYTE
                      ? tcgen05_scaled_instruction(mma_find("tcgen05.scale.e2m1", 18), 1, COLUMNS, 1, 0)
                      : instruction;
    strbuf_printf(text,
                  "%%scales0 = add i32 %%memory, %u\n%%scales1 = add i32 %%memory, %u\n%%issues = icmp ult "
                  "i32 %%t, %u\n"
                  "%%copies = icmp eq i32 %%t, %u\nbr i1 %%copies, label %%copy, label %%copied\ncopy:\n",
                  SCALE_COLUMN + (plant == PLANT_SCALES_BEYOND ? 8 : 0), SCALE_COLUMN + 4,
                  plant == PLANT_SCALES_MANY ? 2 : 1, plant == PLANT_SCALES_OTHER ? 32 : THREADS);
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    copy_scales(text, plant);
    strbuf_add(text, "br label %copied\ncopied:\ncall void @llvm.nvvm.barrier0()\nbr i1 %issues, label "
                     "%issue, label %go\nissue:\n");
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    if (plant != PLANT_SCALES_EMPTY && plant != PLANT_SCALES_OTHER) {
        copy_scales(text, plant);
    }
    char operands[200];
    snprintf(operands, sizeof operands,
             "i32 %%memory, i64 %llu, i64 %llu, i32 %u, i32 %%scaled, i32 %%scales1, i1 0",
             (unsigned long long)(a | (A_AT + SHARED_BASE) >> 4),
             (unsigned long long)(b | (B_AT + SHARED_BASE) >> 4), instruction);
    strbuf_printf(text, "%%scaled = add i32 %%scales0, %u\n", plant == PLANT_SCALES_LANE ? 32u << 16 : 0);
    row(text, plant == PLANT_SCALES_BYTE ? ASM_TCGEN05_MMA_MXF4 : ASM_TCGEN05_MMA_MXF8F6F4, operands);
    row(text, ASM_TCGEN05_COMMIT, "i32 %bar");
    strbuf_add(text, "br label %go\ngo:\n");
    if (plant == PLANT_SCALES_AGAIN) {
        strbuf_add(text, "store i32 0, ptr addrspace(3) %sp0\n");
    }
}

static void multiply(struct strbuf *text, enum plant plant, enum form form, uint64_t a, uint64_t b) {
    if (form == SCALED) {
        multiply_scaled(text, plant, a, b);
        return;
    }
    uint32_t instruction = tcgen05_instruction(mma_find("tcgen05.f16", 11), 1,
                                               plant == PLANT_SHAPE ? 24 : COLUMNS, false, false);
    char operands[160];
    a ^= plant == PLANT_VERSION ? UINT64_C(1) << 46 : 0;
    instruction ^= plant == PLANT_TYPE ? 1u << 8 : 0;
    strbuf_printf(text,
                  "%%issues = icmp %s\n%%at = add i32 %%memory, %u\nbr i1 %%issues, label %%issue, label "
                  "%%go\nissue:\n",
                  plant == PLANT_MANY_ISSUE     ? "ult i32 %t, 2"
                  : plant == PLANT_OTHER_ISSUES ? "eq i32 %t, 32"
                                                : "eq i32 %t, 0",
                  plant == PLANT_LANE ? 16u << 16 : 0);
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    strbuf_printf(text, "%%left = add i32 %%memory, %u\n",
                  LEFT_COLUMN + (plant == PLANT_LEFT_LANE ? 16u << 16 : 0));
    char from[40];
    snprintf(from, sizeof from, "i64 %llu", (unsigned long long)(a | (A_AT + SHARED_BASE) >> 4));
    snprintf(operands, sizeof operands, "i32 %%at, %s, i64 %llu, i32 %u, i1 %d",
             form == LEFT ? "i32 %left" : from, (unsigned long long)(b | (B_AT + SHARED_BASE) >> 4),
             instruction, form == ADDS);
    row(text, form == LEFT ? ASM_TCGEN05_MMA_LEFT_F16 : ASM_TCGEN05_MMA_F16, operands);
    if (plant != PLANT_NO_COMMIT) {
        row(text, ASM_TCGEN05_COMMIT, "i32 %bar");
    }
    strbuf_add(text, "br label %go\ngo:\n");
    if (plant == PLANT_OTHER_ISSUES) {
        strbuf_add(text, "br i1 %first, label %issue2, label %go2\nissue2:\n");
        row(text, ASM_TCGEN05_MMA_F16, operands);
        strbuf_add(text, "br label %go2\ngo2:\n");
    }
    if (plant == PLANT_LEFT_AGAIN) {
        store_left(text);
    }
    if (plant == PLANT_OVERWRITE_B) {
        strbuf_printf(text, "store i32 0, ptr addrspace(3) %%p%u\n", A_WORDS);
    }
}

static void finish(struct strbuf *text, enum plant plant) {
    if (plant != PLANT_NO_WAIT) {
        row(text, ASM_MBARRIER_WAIT, "i32 %bar, i32 0");
    }
    if (plant == PLANT_LEFT_NO_AFTER) {
        store_left(text);
    }
    if (plant != PLANT_NO_AFTER) {
        row(text, ASM_TCGEN05_FENCE_AFTER, "");
    }
    move(text, (struct tcgen05_move){TENSOR_LOAD, WORDS / 2}, "%low", NULL, "l", 0);
    move(text, (struct tcgen05_move){TENSOR_LOAD, WORDS / 2}, "%high", NULL, "l", WORDS / 2);
    if (plant != PLANT_NO_LOAD_WAIT) {
        move(text, (struct tcgen05_move){TENSOR_LOAD_WAIT, WORDS}, NULL, "l", "w", 0);
    }
    if (plant != PLANT_NO_BEFORE) {
        row(text, ASM_TCGEN05_FENCE_BEFORE, "");
    }
    for (unsigned i = 0; i < WORDS; i++) {
        strbuf_printf(text,
                      "%%i%u = add i32 %%t, %u\n%%g%u = getelementptr i32, ptr addrspace(1) %%d, i32 %%i%u\n"
                      "store i32 %%%s%u, ptr addrspace(1) %%g%u\n",
                      i, i * THREADS, i, i, plant == PLANT_NO_LOAD_WAIT ? "l" : "w", i, i);
    }
    strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
    row(text, ASM_TCGEN05_FENCE_AFTER, "");
    for (int i = 0; i < (plant == PLANT_NO_FREE ? 0 : plant == PLANT_FREE_AGAIN ? 2 : 1); i++) {
        row(text, ASM_TCGEN05_FREE, "i32 %memory, i32 32, i1 %warp0");
    }
    strbuf_add(text, "ret void\n}\n");
}

// A as words of threads: word i of a half of the rows has row l / 4 + 8 (i mod 2), columns 2 (l mod 4 + 4 (i / 2)) and the next.
static void spread(uint32_t *words) {
    for (unsigned i = 0; i < A_WORDS; i++) {
        for (unsigned thread = 0; thread < THREADS; thread++) {
            unsigned lane = thread % 32, word = i % (A_WORDS / 2);
            unsigned at = thread / 32 * 32 + i / (A_WORDS / 2) * 16 + lane / 4 + word % 2 * 8,
                     k = 2 * (lane % 4 + word / 2 * 4);
            words[i * THREADS + thread] = (uint32_t)half_from_float((float)left(at, k)) |
                                          (uint32_t)half_from_float((float)left(at, k + 1)) << 16;
        }
    }
}

static void run_kernel(struct tensor_run *run, enum plant plant, enum form form, enum emulator_order order) {
    struct strbuf text = {0};
    memset(run, 0, sizeof *run);
    bool scaled = form == SCALED;
    uint64_t a = scaled ? place_bytes(run->a, ROWS, false) : place(run->a, ROWS, false);
    uint64_t b = scaled ? place_bytes(run->b, COLUMNS, true) : place(run->b, COLUMNS, true);
    place_scales(run->a + ROWS * DEPTH / 2);
    begin(&text, plant, form);
    if (form == LEFT) {
        spread(run->a);
    }
    if (form == LEFT && plant != PLANT_LEFT_EMPTY) {
        store_left(&text);
        meet_behind_store(&text, plant);
    }
    if (stores_first(plant, form)) {
        store(&text, plant);
    }
    multiply(&text, plant, form, a, b);
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
    run->clean = harness_run(&run->harness, arguments, 3, 2, THREADS, SHARED_BYTES);
}

static float expected(unsigned thread, unsigned word, enum form form) {
    unsigned lane = thread % 32, i = word % (WORDS / 2);
    unsigned at = thread / 32 * 32 + word / (WORDS / 2) * 16 + lane / 4 + i / 2 % 2 * 8,
             column = lane % 4 * 2 + i % 2 + i / 4 * 8;
    if (form == SCALED) {
        double scaled = 0;
        for (unsigned k = 0; k < SCALED_DEPTH; k++) {
            scaled += left(at, k) * right(k, column);
        }
        return (float)ldexp(scaled, power(at, A_BYTE, false) + power(column, B_BYTE, true));
    }
    int sum = form == ADDS ? (int)word : 0;
    for (unsigned k = 0; k < DEPTH; k++) {
        sum += left(at, k) * right(k, column);
    }
    return (float)sum;
}

static void test_products(void **state) {
    (void)state;
    struct tensor_run *run = malloc(sizeof *run);
    for (enum emulator_order order = EMULATOR_IN_TURN; order < EMULATOR_ORDERS; order++) {
        for (enum form form = OVERWRITES; form <= SCALED; form++) {
            run_kernel(run, PLANT_NOTHING, form, order);
            harness_expect_clean(&run->harness, run->clean);
            for (unsigned i = 0; i < WORDS * THREADS; i++) {
                if (run->d[i] != expected(i % THREADS, i / THREADS, form)) {
                    fail_msg("word %u of thread %u is %g, not %g", i / THREADS, i % THREADS,
                             (double)run->d[i], (double)expected(i % THREADS, i / THREADS, form));
                }
            }
            harness_end(&run->harness);
        }
    }
    free(run);
}

static void test_lanes_meet(void **state) {
    (void)state;
    struct tensor_run *run = malloc(sizeof *run);
    run_kernel(run, PLANT_MEET_BY_LANES, ADDS, EMULATOR_IN_TURN);
    harness_expect_clean(&run->harness, run->clean);
    harness_end(&run->harness);
    free(run);
}

static void test_faults(void **state) {
    (void)state;
    static const struct {
        enum plant plant;
        enum form form;
        const char *kind, *words;
    } faults[] = {
        {PLANT_NO_ALLOC, OVERWRITES, "tensor memory", "is not this block's"},
        {PLANT_NO_FREE, OVERWRITES, "tensor memory", "the program ends with 32 columns"},
        {PLANT_FREE_AGAIN, OVERWRITES, "tensor memory", "which no allocation has"},
        {PLANT_ODD_COLUMNS, OVERWRITES, "tensor memory", "no power of two"},
        {PLANT_NO_PROXY_FENCE, OVERWRITES, "proxy fence", "without fence.proxy.async"},
        {PLANT_NO_COMMIT, OVERWRITES, "deadlock", "0 of 1 arrivals"},
        {PLANT_NO_WAIT, OVERWRITES, "tensor memory", "reads tensor memory that a product has not reached"},
        {PLANT_NO_AFTER, OVERWRITES, "tensor memory", "fence::after_thread_sync must be between"},
        {PLANT_NO_LOAD_WAIT, OVERWRITES, "asynchronous product", "tcgen05.wait::ld must cover it first"},
        {PLANT_NO_BEFORE, OVERWRITES, "tensor memory",
         "frees tensor memory before a load from there is known to be over"},
        {PLANT_OTHER_QUARTER, OVERWRITES, "tensor memory", "warp 1 reaches lanes 32 to 63"},
        {PLANT_MANY_ISSUE, OVERWRITES, "tensor memory", "one thread's, and 2 issue it"},
        {PLANT_OTHER_ISSUES, OVERWRITES, "tensor memory",
         "overwrites tensor memory that a product has not reached"},
        {PLANT_ADDS_NOTHING, ADDS, "tensor memory", "adds to tensor memory that nothing has written"},
        {PLANT_OVERWRITE_B, OVERWRITES, "asynchronous product", "is still to read"},
        {PLANT_VERSION, OVERWRITES, "descriptor", "is none of tcgen05"},
        {PLANT_SHAPE, OVERWRITES, "descriptor", "has a shape that no product has"},
        {PLANT_TYPE, OVERWRITES, "descriptor", "has types that the kind does not have"},
        {PLANT_LANE, OVERWRITES, "tensor memory", "begins at lane 16"},
        {PLANT_NO_STORE_WAIT, ADDS, "tensor memory", "adds to tensor memory before what was written there"},
        {PLANT_NO_STORE_MEET, ADDS, "tensor memory", "adds to tensor memory"},
        {PLANT_NO_STORE_FENCE, ADDS, "tensor memory", "adds to tensor memory before what was written there"},
        {PLANT_LANES_ALONE, ADDS, "tensor memory", "adds to tensor memory before what was written there"},
        {PLANT_LEFT_EMPTY, LEFT, "tensor memory", "multiplies tensor memory that nothing has written"},
        {PLANT_LEFT_LANE, LEFT, "tensor memory", "begins at lane 16"},
        {PLANT_LEFT_AGAIN, LEFT, "tensor memory", "that a product has as its left operand"},
        {PLANT_LEFT_NO_AFTER, LEFT, "tensor memory", "that a product has as its left operand"},
        {PLANT_NO_STORE_WAIT, LEFT, "tensor memory",
         "multiplies tensor memory before what was written there"},
        {PLANT_NO_STORE_MEET, LEFT, "tensor memory", "multiplies tensor memory"},
        {PLANT_NO_STORE_FENCE, LEFT, "tensor memory",
         "multiplies tensor memory before what was written there"},
        {PLANT_SCALES_EMPTY, SCALED, "tensor memory", "multiplies by scales that nothing has written"},
        {PLANT_SCALES_LANE, SCALED, "tensor memory", "scales of a product begin at lane 32"},
        {PLANT_SCALES_TYPE, SCALED, "descriptor", "has scales of a type that the kind does not have"},
        {PLANT_SCALES_BYTE, SCALED, "descriptor", "names a byte where the kind's scales do not begin"},
        {PLANT_SCALES_OTHER, SCALED, "tensor memory",
         "multiplies by scales in tensor memory that a product has not reached"},
        {PLANT_SCALES_AGAIN, SCALED, "asynchronous copy", "is still to read"},
        {PLANT_SCALES_MODE, SCALED, "descriptor", "is none of tcgen05 without a swizzle"},
        {PLANT_SCALES_MANY, SCALED, "tensor memory",
         "a copy to tensor memory is one thread's, and 2 issue it"},
        {PLANT_SCALES_BEYOND, SCALED, "tensor memory", "is not this block's"},
        {PLANT_NO_PROXY_FENCE, SCALED, "proxy fence", "without fence.proxy.async"},
        {PLANT_NO_WAIT, SCALED, "tensor memory", "reads tensor memory that a product has not reached"},
    };
    struct tensor_run *run = malloc(sizeof *run);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        run_kernel(run, faults[i].plant, faults[i].form, EMULATOR_IN_TURN);
        assert_false(run->clean);
        harness_expect_fault(&run->harness, faults[i].kind, faults[i].words);
        harness_end(&run->harness);
    }
    free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_lanes_meet),
                                       cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
