// A matrix product as Hopper's schedules are: one warp loads tiles of A and B through tensor maps into two slots guarded
// by mbarriers, a warpgroup multiplies with one group of wgmma under way, and stores its tile through a third map; blocks
// are fewer than tiles. C is f32, A and B f16 with k and n contiguous; a tile is 64 by 64, k is 256.
#ifndef TKC_TESTS_HOPPER_TESTING_H
#define TKC_TESTS_HOPPER_TESTING_H

#include "emulator_harness.h"

#include "chip/asm.h"
#include "chip/wgmma.h"
#include "emulator/number/number.h"
#include "support/strbuf.h"

enum {
    MATMUL_TILES = 5,
    MATMUL_BLOCKS = 2,
    MATMUL_THREADS = 160,
    MATMUL_ROWS = 64 * MATMUL_TILES - 10, // the last tile's end lies outside
    MATMUL_COLUMNS = 64,
    MATMUL_DEPTH = 256,
    MATMUL_WORDS = 32, // of the accumulator, in a thread
    MATMUL_SHARED = 51200,
};

struct matmul_run {
    struct harness harness;
    _Alignas(16) uint16_t a[MATMUL_ROWS * MATMUL_DEPTH], b[MATMUL_DEPTH * MATMUL_COLUMNS];
    _Alignas(16) float c[MATMUL_ROWS * MATMUL_COLUMNS];
    struct emulator_buffer buffers[3];
    struct emulator_tensor_map maps[3];
    bool clean;
};

static inline void matmul_row(struct strbuf *text, enum asm_id id, const char *operands) {
    strbuf_printf(text, "call void asm sideeffect \"%s\", \"%s\"(%s)\n", asm_table[id].text,
                  asm_table[id].constraints, operands);
}

static inline void matmul_words(struct strbuf *text, const char *name) {
    for (unsigned i = 0; i < MATMUL_WORDS; i++) {
        strbuf_printf(text, "%sfloat %%%s%u", i ? ", " : "", name, i);
    }
}

static inline void matmul_struct(struct strbuf *text) {
    for (unsigned i = 0; i < MATMUL_WORDS; i++) {
        strbuf_add(text, i ? ", float" : "{float");
    }
    strbuf_add(text, "}");
}

static inline void matmul_unpack(struct strbuf *text, const char *from, const char *to) {
    for (unsigned i = 0; i < MATMUL_WORDS; i++) {
        strbuf_printf(text, "%%%s%u = extractvalue ", to, i);
        matmul_struct(text);
        strbuf_printf(text, " %%%s, %u\n", from, i);
    }
}

// Words `to` = words `from` + A · B, with `step` of the slot's four steps of k.
static inline void matmul_product(struct strbuf *text, unsigned step, const char *from, const char *to) {
    struct wgmma w = {
        .mma = mma_find("wgmma.f16", 9), .columns = 64, .accumulate = true, .b_columns_fastest = true};
    struct strbuf assembly = {0}, constraints = {0};
    wgmma_compose(&(struct wgmma_group){.form = w, .rows = 1, .parts = 1, .steps = 1}, &assembly,
                  &constraints);
    strbuf_printf(text, "%%ad%u = add i64 %%ad, %u\n%%bd%u = add i64 %%bd, %u\n%%%s.all = call ", step,
                  2 * step, step, 128 * step, to);
    matmul_struct(text);
    strbuf_printf(text, " asm sideeffect \"%s\", \"%s\"(", strbuf_text(&assembly), strbuf_text(&constraints));
    matmul_words(text, from);
    strbuf_printf(text, ", i64 %%ad%u, i64 %%bd%u)\n", step, step);
    char all[32];
    snprintf(all, sizeof all, "%s.all", to);
    matmul_unpack(text, all, to);
    strbuf_free(&assembly);
    strbuf_free(&constraints);
}

// A wait, or with -1 a fence; words `from` pass through it as words `to`.
static inline void matmul_order(struct strbuf *text, int pending, const char *from, const char *to) {
    struct strbuf assembly = {0}, constraints = {0};
    wgmma_order_compose(pending, to ? MATMUL_WORDS : 0, 'f', 0, &assembly, &constraints);
    strbuf_add(text, to ? "%done = call " : "call void");
    if (to) {
        matmul_struct(text);
    }
    strbuf_printf(text, " asm sideeffect \"%s\", \"%s\"(", strbuf_text(&assembly), strbuf_text(&constraints));
    if (to) {
        matmul_words(text, from);
    }
    strbuf_add(text, ")\n");
    if (to) {
        matmul_unpack(text, "done", to);
    }
    strbuf_free(&assembly);
    strbuf_free(&constraints);
}

static inline void matmul_begin(struct strbuf *text) {
    strbuf_add(
        text,
        "@tkc_shared = external addrspace(3) global [0 x i8], align 1024\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()\ndeclare void @llvm.nvvm.barrier0()\n"
        "define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %map.a, "
        "ptr byval([128 x i8]) align 64 %map.b, ptr byval([128 x i8]) align 64 %map.c, i32 %tiles) {\n"
        "entry:\n%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "%block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        "%blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()\n"
        "%first = icmp eq i32 %t, 0\n%lane = and i32 %t, 31\n%elected = icmp eq i32 %lane, 0\n"
        "%a = ptrtoint ptr %map.a to i64\n%b = ptrtoint ptr %map.b to i64\n%c = ptrtoint ptr %map.c to i64\n"
        "%base = ptrtoint ptr addrspace(3) @tkc_shared to i32\n%empties = add i32 %base, 16\n"
        "%tile.a = add i32 %base, 1024\n%tile.c = add i32 %base, 33792\n");
    for (unsigned slot = 0; slot < 2; slot++) {
        char operands[64];
        strbuf_printf(text, "%%f%u = add i32 %%base, %u\n%%e%u = add i32 %%empties, %u\n", slot, 8 * slot,
                      slot, 8 * slot);
        snprintf(operands, sizeof operands, "i32 %%f%u, i32 1, i32 8, i1 %%first", slot);
        matmul_row(text, ASM_MBARRIER_INIT, operands);
        snprintf(operands, sizeof operands, "i32 %%e%u, i32 1, i32 8, i1 %%first", slot);
        matmul_row(text, ASM_MBARRIER_INIT, operands);
    }
    matmul_row(text, ASM_MBARRIER_FENCE_INIT, "");
    strbuf_add(
        text,
        "call void @llvm.nvvm.barrier0()\n%left0 = sub i32 %tiles, %block\n%left1 = add i32 %left0, %blocks\n"
        "%left = sub i32 %left1, 1\n%mine = udiv i32 %left, %blocks\n%steps = mul i32 %mine, 4\n"
        "%producer = icmp uge i32 %t, 128\nbr i1 %producer, label %load, label %multiply\n");
}

static inline void matmul_producer(struct strbuf *text) {
    strbuf_add(
        text,
        "load:\nbr label %l\nl:\n%i = phi i32 [ 0, %load ], [ %i.next, %l ]\n%l.slot = and i32 %i, 1\n"
        "%l.round = lshr i32 %i, 1\n%l.odd = and i32 %l.round, 1\n%l.parity = xor i32 %l.odd, 1\n"
        "%l.at = mul i32 %l.slot, 8\n%l.full = add i32 %base, %l.at\n%l.empty = add i32 %empties, %l.at\n"
        "%l.skip = mul i32 %l.slot, 16384\n%l.a = add i32 %tile.a, %l.skip\n%l.b = add i32 %l.a, 8192\n"
        "%l.k = and i32 %i, 3\n%l.depth = mul i32 %l.k, 64\n%l.turn = lshr i32 %i, 2\n"
        "%l.far = mul i32 %l.turn, %blocks\n%l.tile = add i32 %block, %l.far\n"
        "%l.row = mul i32 %l.tile, 64\n");
    matmul_row(text, ASM_MBARRIER_WAIT, "i32 %l.empty, i32 %l.parity");
    matmul_row(text, ASM_MBARRIER_EXPECT, "i32 %l.full, i32 16384, i1 %elected");
    matmul_row(text, ASM_TMA_LOAD_2D, "i32 %l.a, i64 %a, i32 %l.full, i1 %elected, i32 %l.depth, i32 %l.row");
    matmul_row(text, ASM_TMA_LOAD_2D, "i32 %l.b, i64 %b, i32 %l.full, i1 %elected, i32 0, i32 %l.depth");
    strbuf_add(text, "%i.next = add i32 %i, 1\n%l.more = icmp ult i32 %i.next, %steps\n"
                     "br i1 %l.more, label %l, label %end\n");
}

// The loop over k; %j counts its steps over all tiles.
static inline void matmul_loop(struct strbuf *text) {
    strbuf_add(text,
               "multiply:\nbr label %tile\ntile:\n%turn = phi i32 [ 0, %multiply ], [ %turn.next, %stored ]\n"
               "%j0 = mul i32 %turn, 4\nbr label %m\nm:\n%k = phi i32 [ 0, %tile ], [ %k.next, %m ]\n");
    for (unsigned i = 0; i < MATMUL_WORDS; i++) {
        strbuf_printf(text, "%%x%u = phi float [ 0.0, %%tile ], [ %%s%u, %%m ]\n", i, i);
    }
    strbuf_add(
        text,
        "%j = add i32 %j0, %k\n%slot = and i32 %j, 1\n%round = lshr i32 %j, 1\n%parity = and i32 %round, 1\n"
        "%at = mul i32 %slot, 8\n%full = add i32 %base, %at\n%skip = mul i32 %slot, 16384\n"
        "%sa = add i32 %tile.a, %skip\n%ua = lshr i32 %sa, 4\n%za = zext i32 %ua to i64\n");
    struct wgmma_operand k_major = {.swizzle = 128, .stride = 1024},
                         n_major = {.swizzle = 128, .stride = 1024};
    n_major.leading = 8192;
    strbuf_printf(text, "%%ad = add i64 %%za, %lld\n%%zb = add i64 %%za, 512\n%%bd = add i64 %%zb, %lld\n",
                  (long long)wgmma_descriptor(&k_major), (long long)wgmma_descriptor(&n_major));
    matmul_row(text, ASM_MBARRIER_WAIT, "i32 %full, i32 %parity");
    matmul_order(text, -1, NULL, NULL);
    matmul_product(text, 0, "x", "p");
    matmul_product(text, 1, "p", "q");
    matmul_product(text, 2, "q", "r");
    matmul_product(text, 3, "r", "s");
    matmul_row(text, ASM_WGMMA_COMMIT, "");
    matmul_order(text, 1, NULL, NULL);
    strbuf_add(text,
               "%behind = icmp ne i32 %k, 0\n%release = and i1 %behind, %first\n%other = xor i32 %at, 8\n"
               "%last = add i32 %empties, %other\n");
    matmul_row(text, ASM_MBARRIER_ARRIVE, "i32 %last, i1 %release");
    strbuf_add(
        text,
        "%k.next = add i32 %k, 1\n%more = icmp ult i32 %k.next, 4\nbr i1 %more, label %m, label %out\n");
}

static inline void matmul_epilogue(struct strbuf *text) {
    strbuf_add(text, "out:\n");
    matmul_order(text, 0, "s", "c");
    strbuf_add(text, "%now = add i32 %empties, %at\n");
    matmul_row(text, ASM_MBARRIER_ARRIVE, "i32 %now, i1 %first");
    matmul_row(text, ASM_BULK_WAIT_READ, "i32 0");
    matmul_row(text, ASM_BARRIER_SYNC, "i32 1, i32 128");
    // Word i: row 16 warp + lane / 4 + 8 (i / 2 mod 2), column 8 (i / 4) + 2 (lane mod 4) + i mod 2.
    strbuf_add(text, "%warp = lshr i32 %t, 5\n%part = mul i32 %warp, 16\n%group = lshr i32 %lane, 2\n%row = "
                     "add i32 %part, %group\n"
                     "%row64 = mul i32 %row, 64\n%quad = and i32 %lane, 3\n%pair = mul i32 %quad, 2\n"
                     "%cell = add i32 %row64, %pair\n"
                     "%cells = getelementptr i8, ptr addrspace(3) @tkc_shared, i32 33792\n");
    for (unsigned i = 0; i < MATMUL_WORDS; i++) {
        strbuf_printf(
            text,
            "%%o%u = add i32 %%cell, %u\n%%g%u = getelementptr float, ptr addrspace(3) %%cells, i32 %%o%u\n"
            "store float %%c%u, ptr addrspace(3) %%g%u\n",
            i, i / 2 % 2 * 8 * 64 + i / 4 * 8 + i % 2, i, i, i, i);
    }
    matmul_row(text, ASM_FENCE_PROXY_ASYNC, "");
    matmul_row(text, ASM_BARRIER_SYNC, "i32 1, i32 128");
    strbuf_add(
        text, "%far = mul i32 %turn, %blocks\n%number = add i32 %block, %far\n%line = mul i32 %number, 64\n");
    matmul_row(text, ASM_TMA_STORE_2D, "i64 %c, i32 %tile.c, i1 %first, i32 0, i32 %line");
    matmul_row(text, ASM_BULK_COMMIT, "");
    strbuf_add(
        text,
        "br label %stored\nstored:\n%turn.next = add i32 %turn, 1\n%again = icmp ult i32 %turn.next, %mine\n"
        "br i1 %again, label %tile, label %finish\nfinish:\n");
    matmul_row(text, ASM_BULK_WAIT_READ, "i32 0");
    strbuf_add(text, "br label %end\nend:\nret void\n}\n");
}

static inline void matmul_prepare(struct matmul_run *run) {
    memset(run, 0, sizeof *run);
    for (int i = 0; i < MATMUL_ROWS * MATMUL_DEPTH; i++) {
        run->a[i] = half_from_float((float)((i / MATMUL_DEPTH * 3 + i % MATMUL_DEPTH * 7) % 9 - 4));
    }
    for (int i = 0; i < MATMUL_DEPTH * MATMUL_COLUMNS; i++) {
        run->b[i] = half_from_float((float)((i / MATMUL_COLUMNS * 5 + i % MATMUL_COLUMNS * 2) % 7 - 3));
    }
    void *data[] = {run->a, run->b, run->c};
    size_t sizes[] = {sizeof run->a, sizeof run->b, sizeof run->c};
    const char *names[] = {"a", "b", "c"};
    uint64_t columns[] = {MATMUL_DEPTH, MATMUL_COLUMNS, MATMUL_COLUMNS},
             rows[] = {MATMUL_ROWS, MATMUL_DEPTH, MATMUL_ROWS};
    for (unsigned i = 0; i < 3; i++) {
        unsigned bytes = i == 2 ? 4 : 2;
        run->buffers[i] =
            (struct emulator_buffer){names[i], data[i], sizes[i], 8 * bytes, i == 2, i < 2, NULL};
        run->maps[i] = (struct emulator_tensor_map){.buffer = &run->buffers[i],
                                                    .rank = 2,
                                                    .element_bytes = bytes,
                                                    .sizes = {columns[i], rows[i]},
                                                    .strides = {columns[i] * bytes},
                                                    .box = {64, 64},
                                                    .swizzle = i == 2 ? 0 : 128};
    }
}

static inline void matmul_text(struct strbuf *text) {
    matmul_begin(text);
    matmul_producer(text);
    matmul_loop(text);
    matmul_epilogue(text);
}

static inline void matmul_compile(struct matmul_run *run, const struct emulator_options *options) {
    struct strbuf text = {0};
    matmul_text(&text);
    harness_text(&run->harness, nvidia_head, strbuf_text(&text), options);
    strbuf_free(&text);
}

static inline void matmul_launch(struct matmul_run *run) {
    struct emulator_argument arguments[] = {{.name = "a", .map = &run->maps[0]},
                                            {.name = "b", .map = &run->maps[1]},
                                            {.name = "c", .map = &run->maps[2]},
                                            {.name = "tiles", .bits = MATMUL_TILES}};
    memset(run->c, 0, sizeof run->c);
    run->clean = harness_run(&run->harness, arguments, 4, MATMUL_BLOCKS, MATMUL_THREADS, MATMUL_SHARED);
}

static inline float matmul_expected(const struct matmul_run *run, int row, int column) {
    float sum = 0;
    for (int k = 0; k < MATMUL_DEPTH; k++) {
        sum += half_to_float(run->a[row * MATMUL_DEPTH + k]) *
               half_to_float(run->b[k * MATMUL_COLUMNS + column]);
    }
    return sum;
}

static inline bool matmul_is_right(const struct matmul_run *run) {
    for (int i = 0; i < MATMUL_ROWS * MATMUL_COLUMNS; i++) {
        if (run->c[i] != matmul_expected(run, i / MATMUL_COLUMNS, i % MATMUL_COLUMNS)) {
            return false;
        }
    }
    return true;
}

#endif
