// Kernels of warpgroup products for tests, as LLVM text: an image of shared memory is copied in, a product is issued
// and waited for, its words are stored. Layouts and descriptors of the operands are the compiler's (chip/wgmma.h).
#ifndef TKC_TESTS_WGMMA_TESTING_H
#define TKC_TESTS_WGMMA_TESTING_H

#include "emulator_harness.h"

#include "chip/asm.h"
#include "chip/wgmma.h"
#include "emulator/number/number.h"
#include "support/strbuf.h"

enum { GROUP_THREADS = 128, IMAGE_BYTES = 96 * 1024, TILE_AT = 1024, SHARED_BASE = 1024, MAX_N = 256 };

// Planted faults: an instruction left out or added.
enum plant {
    PLANT_NOTHING,
    PLANT_NO_PROXY_FENCE,
    PLANT_NO_BARRIER,
    PLANT_NO_FENCE,
    PLANT_FENCE_EARLY, // before the accumulator is loaded
    PLANT_NO_COMMIT,
    PLANT_WAIT_PENDING, // the wait leaves a group under way
    PLANT_READ_ACCUMULATOR,
    PLANT_READ_A,
    PLANT_OVERWRITE_B,         // between issue and wait
    PLANT_OVERWRITE_UNORDERED, // after another warp's wait
    PLANT_LANES_DIFFER,
    PLANT_WARPS_DIFFER,
    PLANT_PART_OF_GROUP, // the others wait for ever
    PLANT_PART_ENDS,     // the others do not even wait
    PLANT_COPIED,        // nothing wrong: the tiles are copied asynchronously
    PLANT_COPIED_NO_FENCE,
    PLANT_LOAD_A_IN_LOOP, // while the group before reads the same registers
};

struct wgmma_case {
    struct wgmma w;
    unsigned a_width, b_width; // bytes of a tile's contiguous rows: the swizzle, or more for rows in chunks
    unsigned step;             // of k within the tiles
    enum plant plant;
    enum emulator_order order;
    unsigned iterations; // of a loop over k with one group under way; 0: no loop
    // an i32 for products that test at run time if they read their accumulator; %number is the iteration
    const char *keeps;
};

struct wgmma_run {
    struct harness harness;
    _Alignas(16) uint8_t image[IMAGE_BYTES];
    _Alignas(16) uint32_t c[MAX_N / 2 * GROUP_THREADS], d[MAX_N / 2 * GROUP_THREADS],
        a[WGMMA_A_WORDS * GROUP_THREADS];
    int rows[64][1024], columns[1024][MAX_N]; // A by row and k, B by k and column
    uint64_t a_descriptor, b_descriptor, a_step, b_step;
    unsigned image_bytes;
    bool clean;
};

// The initial value of part `part` of word `at` of the accumulator.
static inline int before(unsigned at, unsigned part) {
    return (int)((at + 3 * part) % 11) - 5;
}

static inline uint64_t wgmma_encode(enum mma_type type, int value) {
    switch (type) {
    case MMA_F16:
        return half_from_float((float)value);
    case MMA_BF16:
        return bfloat_from_float((float)value);
    case MMA_TF32:
        return float_bits((float)value) | 0x1fff; // the low 13 bits are ignored
    case MMA_F32:
        return float_bits((float)value);
    case MMA_E4M3:
        return float8_from_float((float)value, FLOAT8_E4M3, true);
    case MMA_E5M2:
        return float8_from_float((float)value, FLOAT8_E5M2, true);
    default:
        return (uint64_t)(int64_t)value;
    }
}

// Puts a tile of `rows` by `depth` at `at` in the image, as the compiler's layout has it, and returns the descriptor.
// `across` lies contiguous: depth (K-major) or rows.
static inline uint64_t place_tile(struct wgmma_run *run, const struct wgmma_case *c, bool is_b, unsigned at,
                                  unsigned rows, unsigned depth, bool rows_fastest, uint64_t *step) {
    enum mma_type type = is_b ? c->w.mma->b : c->w.mma->a;
    unsigned bytes = mma_type_bits(type) / 8;
    int64_t shape[2] = {rows, depth};
    struct layout layout;
    struct wgmma_operand operand;
    if (!wgmma_shared_layout(shape, rows_fastest ? 0 : 1, bytes, &layout) ||
        !wgmma_operand_of(&layout, bytes, &operand)) {
        fail_msg("no descriptor for %u by %u", rows, depth);
    }
    for (uint32_t i = 0; i < rows * depth; i++) {
        uint32_t flat = layout_column(&layout, LAYOUT_OFFSET, i), row = flat / depth, k = flat % depth;
        uint64_t bits = wgmma_encode(type, is_b ? run->columns[k][row] : run->rows[row][k]);
        memcpy(run->image + at + i * bytes, &bits, bytes);
    }
    *step = (rows_fastest ? c->w.mma->k / 8 * operand.stride : c->w.mma->k * bytes) >> 4;
    return wgmma_descriptor(&operand) | (at + SHARED_BASE) >> 4;
}

// ---- the kernel ----

static inline char word_type(const struct wgmma_case *c) {
    return c->w.mma->acc == MMA_F32 ? 'f' : 'i';
}

static inline const char *word_name(const struct wgmma_case *c) {
    return word_type(c) == 'i' ? "i32" : "float";
}

// `count` words, "float %x0, float %x1, …".
static inline void word_list(struct strbuf *text, const char *type, const char *name, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(text, "%s%s %%%s%u", i ? ", " : "", type, name, i);
    }
}

static inline void word_struct(struct strbuf *text, const char *type, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(text, "%s%s", i ? ", " : "{", type);
    }
    strbuf_add(text, "}");
}

static inline void assembly_line(struct strbuf *text, enum asm_id id) {
    strbuf_printf(text, "call void asm sideeffect \"%s\", \"%s\"()\n", asm_table[id].text,
                  asm_table[id].constraints);
}

// Words `name`0 … of this thread from or to an array of one row of threads a word.
static inline void load_words(struct strbuf *text, const char *type, const char *name, const char *from,
                              unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(
            text,
            "%%%s.o%u = add i32 %%t, %u\n%%%s.p%u = getelementptr i32, ptr addrspace(1) %%%s, i32 %%%s.o%u\n"
            "%%%s%u = load %s, ptr addrspace(1) %%%s.p%u\n",
            name, i, i * GROUP_THREADS, name, i, from, name, i, name, i, type, name, i);
    }
}

static inline void store_words(struct strbuf *text, const char *type, const char *name, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(
            text,
            "%%s.o%u = add i32 %%t, %u\n%%s.p%u = getelementptr i32, ptr addrspace(1) %%d, i32 %%s.o%u\n"
            "store %s %%%s%u, ptr addrspace(1) %%s.p%u\n",
            i, i * GROUP_THREADS, i, i, type, name, i, i);
    }
}

static inline bool is_copied(const struct wgmma_case *c) {
    return c->plant == PLANT_COPIED || c->plant == PLANT_COPIED_NO_FENCE;
}

static inline void copy_image(struct strbuf *text, unsigned bytes, bool asynchronously) {
    for (unsigned i = 0; i < bytes / 4; i += GROUP_THREADS) {
        strbuf_printf(
            text,
            "%%i.o%u = add i32 %%t, %u\n%%i.g%u = getelementptr i32, ptr addrspace(1) %%image, i32 %%i.o%u\n"
            "%%i.s%u = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %%i.o%u\n"
            "%%i.a%u = ptrtoint ptr addrspace(3) %%i.s%u to i32\n",
            i, i, i, i, i, i, i, i);
        if (asynchronously) {
            strbuf_printf(text,
                          "call void asm sideeffect \"cp.async.ca.shared.global [$0], [$1], 4, $2;\", "
                          "\"r,l,r,~{memory}\"(i32 %%i.a%u, ptr addrspace(1) %%i.g%u, i32 4)\n",
                          i, i);
        } else {
            strbuf_printf(
                text,
                "%%i.v%u = load i32, ptr addrspace(1) %%i.g%u\nstore i32 %%i.v%u, ptr addrspace(3) %%i.s%u\n",
                i, i, i, i);
        }
    }
    if (asynchronously) {
        strbuf_add(text, "call void asm sideeffect \"cp.async.wait_all;\", \"~{memory}\"()\n");
    }
}

static inline void unpack_words(struct strbuf *text, const struct wgmma_case *c, const char *from,
                                const char *to) {
    for (unsigned i = 0; i < wgmma_results(&c->w); i++) {
        strbuf_printf(text, "%%%s%u = extractvalue ", to, i);
        word_struct(text, word_name(c), wgmma_results(&c->w));
        strbuf_printf(text, " %%%s, %u\n", from, i);
    }
}

// Waits with the words `from` passing through, as words `to`; to NULL: with none.
static inline void wait_words(struct strbuf *text, const struct wgmma_case *c, unsigned pending,
                              const char *from, const char *to) {
    struct strbuf assembly = {0}, constraints = {0};
    unsigned count = to ? wgmma_results(&c->w) : 0;
    wgmma_order_compose(pending, count, word_type(c) == 'i' ? 'r' : 'f', 0, &assembly, &constraints);
    if (to) {
        strbuf_printf(text, "%%%s.all = call ", to);
        word_struct(text, word_name(c), count);
    } else {
        strbuf_add(text, "call void");
    }
    strbuf_printf(text, " asm sideeffect \"%s\", \"%s\"(", strbuf_text(&assembly), strbuf_text(&constraints));
    word_list(text, word_name(c), from, count);
    strbuf_add(text, ")\n");
    if (to) {
        char all[32];
        snprintf(all, sizeof all, "%s.all", to);
        unpack_words(text, c, all, to);
    }
    strbuf_free(&assembly);
    strbuf_free(&constraints);
}

// Words r0 … = words c0 … (if they are added to) + A · B.
static inline void product_words(struct strbuf *text, const struct wgmma_case *c, const char *accumulator) {
    struct strbuf assembly = {0}, constraints = {0};
    struct wgmma_group group = {.form = c->w, .rows = 1, .parts = 1, .steps = 1, .asks = c->keeps};
    wgmma_compose(&group, &assembly, &constraints);
    strbuf_add(text, "%w = call ");
    word_struct(text, word_name(c), wgmma_results(&c->w));
    strbuf_printf(text, " asm sideeffect \"%s\", \"%s\"(", strbuf_text(&assembly), strbuf_text(&constraints));
    word_list(text, word_name(c), accumulator, c->w.accumulate ? wgmma_results(&c->w) : 0);
    strbuf_add(text, c->w.accumulate ? ", " : "");
    if (c->w.a_in_registers) {
        word_list(text, "i32", "a", WGMMA_A_WORDS);
    } else {
        strbuf_add(text, "i64 %ad");
    }
    strbuf_printf(text, ", i64 %%bd%s%s)\n", c->keeps ? ", i32 " : "", c->keeps ? c->keeps : "");
    unpack_words(text, c, "w", "r");
    strbuf_free(&assembly);
    strbuf_free(&constraints);
}

static inline void descriptors(struct strbuf *text, const struct wgmma_run *run, const struct wgmma_case *c,
                               const char *step) {
    const char *differ = c->plant == PLANT_LANES_DIFFER   ? "%t"
                         : c->plant == PLANT_WARPS_DIFFER ? "%warp"
                                                          : "0";
    strbuf_printf(text, "%%differ = and i32 %s, 1\n%%differs = zext i32 %%differ to i64\n", differ);
    strbuf_printf(text, "%%ao = mul i64 %s, %llu\n%%ad = add i64 %%ao, %lld\n", step,
                  (unsigned long long)run->a_step, (long long)run->a_descriptor);
    strbuf_printf(text,
                  "%%bo = mul i64 %s, %llu\n%%be = add i64 %%bo, %lld\n%%bd = add i64 %%be, %%differs\n",
                  step, (unsigned long long)run->b_step, (long long)run->b_descriptor);
}

static inline void fence_line(struct strbuf *text) {
    strbuf_add(text, "call void asm sideeffect \"");
    struct strbuf constraints = {0};
    wgmma_order_compose(-1, 0, 'f', 0, text, &constraints);
    strbuf_add(text, "\", \"~{memory}\"()\n");
    strbuf_free(&constraints);
}

// From the descriptors to the commit; the accumulator's words are `from`.
static inline void issue(struct strbuf *text, const struct wgmma_case *c, const char *from) {
    if (c->plant != PLANT_NO_FENCE && c->plant != PLANT_FENCE_EARLY) {
        fence_line(text);
    }
    product_words(text, c, from);
    if (c->plant != PLANT_NO_COMMIT) {
        assembly_line(text, ASM_WGMMA_COMMIT);
    }
}

static inline void planted_between(struct strbuf *text, const struct wgmma_case *c) {
    if (c->plant == PLANT_OVERWRITE_UNORDERED) { // warp 0 arrives at barrier 1 before it waits
        strbuf_printf(text,
                      "br i1 %%other, label %%writers, label %%first\nwriters:\n"
                      "call void asm sideeffect \"bar.sync 1, 128;\", \"\"()\n"
                      "%%word = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %%t\n"
                      "%%hole = getelementptr i8, ptr addrspace(3) %%word, i32 %d\n"
                      "store i32 0, ptr addrspace(3) %%hole\nret void\nfirst:\n"
                      "call void asm sideeffect \"bar.arrive 1, 128;\", \"\"()\n",
                      TILE_AT);
    }
    if (c->plant == PLANT_READ_ACCUMULATOR) {
        strbuf_printf(text, "store %s %%r1, ptr addrspace(1) %%d\n", word_name(c));
    }
    if (c->plant == PLANT_READ_A) {
        strbuf_add(text, "store i32 %a2, ptr addrspace(1) %d\n");
    }
    if (c->plant == PLANT_OVERWRITE_B) {
        strbuf_printf(text,
                      "%%hole = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 %d\n"
                      "store i32 0, ptr addrspace(3) %%hole\n",
                      TILE_AT);
    }
}

static inline void loop_text(struct strbuf *text, const struct wgmma_run *run, const struct wgmma_case *c) {
    unsigned count = wgmma_results(&c->w);
    strbuf_add(text, "br label %loop\nloop:\n%i = phi i64 [ 0, %start ], [ %next, %loop ]\n");
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(text, "%%x%u = phi %s [ %%c%u, %%start ], [ %%r%u, %%loop ]\n", i, word_name(c), i, i);
    }
    if (c->plant == PLANT_LOAD_A_IN_LOOP) {
        load_words(text, "i32", "a", "a", WGMMA_A_WORDS);
    }
    descriptors(text, run, c, "%i");
    strbuf_add(text, "%number = trunc i64 %i to i32\n");
    issue(text, c, "x");
    wait_words(text, c, 1, NULL, NULL);
    strbuf_printf(text,
                  "%%next = add i64 %%i, 1\n%%more = icmp ult i64 %%next, %u\n"
                  "br i1 %%more, label %%loop, label %%end\nend:\n",
                  c->iterations);
}

static inline void kernel_of_case(struct strbuf *text, const struct wgmma_run *run,
                                  const struct wgmma_case *c) {
    unsigned count = wgmma_results(&c->w);
    char step[16];
    bool apart = c->plant == PLANT_PART_OF_GROUP || c->plant == PLANT_PART_ENDS;
    snprintf(step, sizeof step, "%u", c->step);
    strbuf_add(text,
               "@tkc_shared = external addrspace(3) global [0 x i8], align 1024\n"
               "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare void @llvm.nvvm.barrier0()\n"
               "define ptx_kernel void @k(ptr addrspace(1) %image, ptr addrspace(1) %c, ptr addrspace(1) %a, "
               "ptr addrspace(1) %d) {\n%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
               "%warp = lshr i32 %t, 5\n");
    copy_image(text, run->image_bytes, is_copied(c));
    if (c->plant != PLANT_NO_PROXY_FENCE && c->plant != PLANT_COPIED_NO_FENCE) {
        assembly_line(text, ASM_FENCE_PROXY_ASYNC);
    }
    if (c->plant != PLANT_NO_BARRIER) {
        strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
    }
    if (c->plant == PLANT_FENCE_EARLY) {
        fence_line(text);
    }
    load_words(text, word_name(c), "c", "c", c->w.accumulate ? count : 0);
    bool a_now = c->w.a_in_registers && c->plant != PLANT_LOAD_A_IN_LOOP;
    load_words(text, "i32", "a", "a", a_now ? WGMMA_A_WORDS : 0);
    strbuf_printf(text, "%%other = icmp uge i32 %%t, %d\n", 32);
    strbuf_add(text,
               apart ? "br i1 %other, label %start, label %end\nstart:\n" : "br label %start\nstart:\n");
    if (c->iterations) {
        loop_text(text, run, c);
    } else {
        descriptors(text, run, c, step);
        issue(text, c, "c");
    }
    planted_between(text, c);
    if (c->plant == PLANT_PART_ENDS) {
        strbuf_add(text, "ret void\nnever:\n");
    }
    wait_words(text, c, c->plant == PLANT_WAIT_PENDING, "r", "q");
    store_words(text, word_name(c), "q", count);
    strbuf_add(text, apart ? "br label %end\nend:\nret void\n}\n" : "ret void\n}\n");
}

// ---- running ----

static inline unsigned tile_rows(const struct wgmma_case *c, unsigned rows) {
    unsigned power = 8;
    while (power < rows) {
        power *= 2;
    }
    (void)c;
    return power;
}

static inline void place_a_registers(struct wgmma_run *run, const struct wgmma_case *c) {
    unsigned bits = mma_type_bits(c->w.mma->a), elements = 32 / bits;
    struct layout layout = mma_layout(c->w.mma, MMA_A, 2, (int64_t[]){64, c->w.mma->k}, 4, 1);
    for (uint32_t thread = 0; thread < GROUP_THREADS; thread++) {
        for (uint32_t i = 0; i < WGMMA_A_WORDS * elements; i++) {
            uint32_t flat = layout_at(&layout, i, thread % 32, thread / 32);
            uint64_t value = wgmma_encode(c->w.mma->a, run->rows[flat / c->w.mma->k][flat % c->w.mma->k]);
            uint32_t *word = &run->a[i / elements * GROUP_THREADS + thread];
            *word |= (uint32_t)(value & (~0u >> (32 - bits))) << i % elements * bits;
        }
    }
}

static inline void prepare_case(struct wgmma_run *run, const struct wgmma_case *c) {
    unsigned a_bytes = mma_type_bits(c->w.mma->a) / 8, b_bytes = mma_type_bits(c->w.mma->b) / 8;
    memset(run, 0, sizeof *run);
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 1024; k++) {
            run->rows[i][k] = (i * 7 + k * 3 + k / 8) % 7 - 3;
        }
    }
    for (int k = 0; k < 1024; k++) {
        for (int j = 0; j < MAX_N; j++) {
            run->columns[k][j] = (k * 5 + j * 11 + j / 16 + k / 16) % 6 - 2;
        }
    }
    unsigned at = TILE_AT, n = tile_rows(c, c->w.columns);
    unsigned b_depth = c->w.b_columns_fastest ? c->b_width : c->b_width / b_bytes;
    run->b_descriptor = place_tile(run, c, true, at, n, b_depth, c->w.b_columns_fastest, &run->b_step);
    at += (n * b_depth * b_bytes + 1023) / 1024 * 1024;
    if (c->w.a_in_registers) {
        place_a_registers(run, c);
    } else {
        unsigned a_depth = c->w.a_rows_fastest ? c->a_width : c->a_width / a_bytes;
        run->a_descriptor = place_tile(run, c, false, at, 64, a_depth, c->w.a_rows_fastest, &run->a_step);
        at += 64 * a_depth * a_bytes;
    }
    run->image_bytes = (at + 511) / 512 * 512;
    assert_true(run->image_bytes <= IMAGE_BYTES);
    for (unsigned i = 0; i < MAX_N / 2 * GROUP_THREADS; i++) {
        run->c[i] = 0;
        for (unsigned part = 0; part < wgmma_per_word(c->w.mma); part++) {
            run->c[i] |= (uint32_t)wgmma_encode(c->w.mma->acc, before(i, part)) << 16 * part;
        }
    }
}

static inline void run_case(struct wgmma_run *run, const struct wgmma_case *c, unsigned threads) {
    struct strbuf text = {0};
    prepare_case(run, c);
    kernel_of_case(&text, run, c);
    struct emulator_options options = {
        .chip = "sm_90a", .workers = 1, .order = c->order ? c->order : EMULATOR_IN_TURN, .seed = 3};
    harness_text(&run->harness, nvidia_head, strbuf_text(&text), &options);
    struct emulator_buffer buffers[] = {{"image", run->image, sizeof run->image, 8, false, true, NULL},
                                        {"c", run->c, sizeof run->c, 32, false, true, NULL},
                                        {"a", run->a, sizeof run->a, 32, false, true, NULL},
                                        {"d", run->d, sizeof run->d, 32, true, false, NULL}};
    struct emulator_argument arguments[4];
    for (unsigned i = 0; i < 4; i++) {
        arguments[i] = (struct emulator_argument){.name = buffers[i].name, .buffer = &buffers[i]};
    }
    run->clean = harness_run(&run->harness, arguments, 4, 1, threads, run->image_bytes);
    strbuf_free(&text);
}

#endif
