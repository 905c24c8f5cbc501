// mbarriers and tensor copies on the emulator: boxes of every rank and swizzle against the compiler's shared layouts,
// zeros outside the tensor, a pipeline of a producer and consumers in every order of warps; each fault of waiting,
// counting and fencing is a report.
#include "emulator_harness.h"

#include "chip/asm.h"
#include "dialects/tk/layout.h"
#include "support/strbuf.h"

enum {
    THREADS = 64,
    ELEMENTS = 1 << 16,
    OUT_WORDS = 4096,
    TILE_AT = 1024,
    SHARED = 24 * 1024,
    BARRIER_AT = 64
};

static const char head[] =
    "@tkc_shared = external addrspace(3) global [0 x i8], align 1024\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare void @llvm.nvvm.barrier0()\n"
    "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
    "define ptx_kernel void @k(ptr addrspace(1) %out, ptr byval([128 x i8]) align 64 %map) {\n"
    "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n%first = icmp eq i32 %t, 0\n%m = ptrtoint ptr %map to "
    "i64\n"
    "%base = ptrtoint ptr addrspace(3) @tkc_shared to i32\n%bar = add i32 %base, 64\n"
    "%empty = add i32 %base, 72\n%tile = add i32 %base, 1024\n"
    "%word = getelementptr i32, ptr addrspace(3) @tkc_shared, i32 %t\n"
    "%place = getelementptr i8, ptr addrspace(3) %word, i32 1024\n"
    "%target = getelementptr i32, ptr addrspace(1) %out, i32 %t\n";

struct tensor_run {
    struct harness harness;
    _Alignas(16) uint16_t data[ELEMENTS];
    _Alignas(16) uint32_t out[OUT_WORDS];
    struct emulator_buffer buffers[2];
    struct emulator_tensor_map map;
    struct strbuf text;
    bool clean;
};

// One row of asm.def with its operands.
static void call(struct strbuf *text, enum asm_id id, const char *operands) {
    strbuf_printf(text, "call void asm sideeffect \"%s\", \"%s\"(%s)\n", asm_table[id].text,
                  asm_table[id].constraints, operands);
}

// Asks for the map, and makes the mbarrier at BARRIER_AT for one arrival, seen by every thread and by copies.
static void make_barrier(struct strbuf *text) {
    call(text, ASM_TENSOR_MAP_PREFETCH, "i64 %m");
    call(text, ASM_MBARRIER_INIT, "i32 %bar, i32 1, i32 8, i1 %first");
    call(text, ASM_MBARRIER_FENCE_INIT, "");
    strbuf_add(text, "call void @llvm.nvvm.barrier0()\n");
}

static void expect_bytes(struct strbuf *text, unsigned bytes) {
    char operands[64];
    snprintf(operands, sizeof operands, "i32 %%bar, i32 %u, i1 %%first", bytes);
    call(text, ASM_MBARRIER_EXPECT, operands);
}

static void coordinates(struct strbuf *operands, unsigned rank, const int *at) {
    for (unsigned i = 0; i < rank; i++) {
        strbuf_printf(operands, ", i32 %d", at[i]);
    }
}

static enum asm_id copy_of(unsigned rank, bool store) {
    static const enum asm_id ids[5][2] = {{ASM_TMA_LOAD_1D, ASM_TMA_STORE_1D},
                                          {ASM_TMA_LOAD_2D, ASM_TMA_STORE_2D},
                                          {ASM_TMA_LOAD_3D, ASM_TMA_STORE_3D},
                                          {ASM_TMA_LOAD_4D, ASM_TMA_STORE_4D},
                                          {ASM_TMA_LOAD_5D, ASM_TMA_STORE_5D}};
    return ids[rank - 1][store];
}

static void load_box(struct strbuf *text, unsigned rank, const int *at) {
    struct strbuf operands = {0};
    strbuf_add(&operands, "i32 %tile, i64 %m, i32 %bar, i1 %first");
    coordinates(&operands, rank, at);
    call(text, copy_of(rank, false), strbuf_text(&operands));
    strbuf_free(&operands);
}

static void store_box(struct strbuf *text, unsigned rank, const int *at) {
    struct strbuf operands = {0};
    strbuf_add(&operands, "i64 %m, i32 %tile, i1 %first");
    coordinates(&operands, rank, at);
    call(text, copy_of(rank, true), strbuf_text(&operands));
    strbuf_free(&operands);
}

// Every thread's part of `words` words of the tile to the output.
static void copy_out(struct strbuf *text, unsigned words) {
    for (unsigned i = 0; i < words; i += THREADS) {
        strbuf_printf(text,
                      "%%sp%u = getelementptr i32, ptr addrspace(3) %%place, i32 %u\n"
                      "%%sv%u = load i32, ptr addrspace(3) %%sp%u\n"
                      "%%op%u = getelementptr i32, ptr addrspace(1) %%target, i32 %u\n"
                      "store i32 %%sv%u, ptr addrspace(1) %%op%u\n",
                      i, i, i, i, i, i, i, i);
    }
}

// The words themselves, counted, to the tile.
static void fill_tile(struct strbuf *text, unsigned words) {
    for (unsigned i = 0; i < words; i += THREADS) {
        strbuf_printf(
            text,
            "%%fv%u = add i32 %%t, %u\n%%fp%u = getelementptr i32, ptr addrspace(3) %%place, i32 %u\n"
            "store i32 %%fv%u, ptr addrspace(3) %%fp%u\n",
            i, i, i, i, i, i);
    }
}

static struct tensor_run *new_run(void) {
    struct tensor_run *run = calloc(1, sizeof *run);
    for (unsigned i = 0; i < ELEMENTS; i++) {
        run->data[i] = (uint16_t)(i * 7 + 1);
    }
    run->buffers[0] = (struct emulator_buffer){"out", run->out, sizeof run->out, 32, true, false, NULL};
    run->buffers[1] = (struct emulator_buffer){"data", run->data, sizeof run->data, 16, false, false, NULL};
    run->map = (struct emulator_tensor_map){.buffer = &run->buffers[1], .rank = 2, .element_bytes = 2};
    strbuf_add(&run->text, head);
    return run;
}

static void free_run(struct tensor_run *run) {
    if (run->harness.emulator) {
        harness_end(&run->harness);
    }
    strbuf_free(&run->text);
    free(run);
}

static void go(struct tensor_run *run, unsigned threads, enum emulator_order order, uint64_t seed) {
    struct emulator_options options = {.chip = "sm_90a", .workers = 1, .order = order, .seed = seed};
    struct emulator_argument arguments[] = {{.name = "out", .buffer = &run->buffers[0]},
                                            {.name = "map", .map = &run->map}};
    strbuf_add(&run->text, "ret void\n}\n");
    harness_text(&run->harness, nvidia_head, strbuf_text(&run->text), &options);
    run->clean = harness_run(&run->harness, arguments, 2, 1, threads, SHARED);
}

// ---- boxes ----

struct box_case {
    unsigned rank, swizzle;
    uint32_t box[5];
    uint64_t sizes[5];
    int at[5];
};

static const struct box_case boxes[] = {
    {1, 0, {128}, {1000}, {40}},
    {1, 0, {256}, {300}, {200}},
    {2, 128, {64, 16}, {200, 50}, {64, 8}},
    {2, 128, {64, 16}, {200, 50}, {168, 40}},
    {2, 64, {32, 32}, {100, 60}, {-8, 50}},
    {2, 32, {16, 32}, {40, 90}, {8, -7}},
    {2, 0, {24, 16}, {64, 64}, {56, 2}},
    {3, 128, {64, 8, 4}, {64, 30, 6}, {0, 25, 4}},
    {4, 64, {32, 4, 4, 2}, {40, 6, 5, 3}, {8, 3, 2, 1}},
    {5, 32, {16, 2, 2, 4, 2}, {24, 3, 3, 7, 3}, {8, 1, 2, 5, 2}},
};

static void set_map(struct tensor_run *run, const struct box_case *c) {
    uint64_t stride = 2;
    run->map.rank = c->rank;
    run->map.swizzle = c->swizzle;
    for (unsigned i = 0; i < c->rank; i++) {
        run->map.sizes[i] = c->sizes[i];
        run->map.box[i] = c->box[i];
        stride = i == 0 ? (2 * c->sizes[0] + 15) / 16 * 16 : stride * c->sizes[i];
        if (i + 1 < c->rank) {
            run->map.strides[i] = stride;
        }
    }
}

static unsigned box_elements(const struct box_case *c) {
    unsigned count = 1;
    for (unsigned i = 0; i < c->rank; i++) {
        count *= c->box[i];
    }
    return count;
}

// The element of the tensor at number `flat` of the box: its index in the buffer; -1: outside.
static long element_of(const struct tensor_run *run, const struct box_case *c, unsigned flat) {
    long index = 0;
    for (unsigned i = 0; i < c->rank; i++) {
        long at = c->at[i] + (long)(flat % c->box[i]);
        flat /= c->box[i];
        if (at < 0 || at >= (long)c->sizes[i]) {
            return -1;
        }
        index += at * (i ? (long)run->map.strides[i - 1] / 2 : 1);
    }
    return index;
}

// The element of the box at element `offset` of the tile.
static unsigned flat_at(const struct box_case *c, unsigned offset) {
    if (!c->swizzle) {
        return offset;
    }
    struct layout layout = layout_tma_shared(2, (int64_t[]){box_elements(c) / c->box[0], c->box[0]},
                                             (unsigned[]){1, 0}, 2, c->swizzle);
    return layout_column(&layout, LAYOUT_OFFSET, offset);
}

static void test_loads(void **state) {
    for (unsigned i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        const struct box_case *c = &boxes[i];
        struct tensor_run *run = new_run();
        unsigned count = box_elements(c);
        set_map(run, c);
        make_barrier(&run->text);
        expect_bytes(&run->text, 2 * count);
        load_box(&run->text, c->rank, c->at);
        call(&run->text, ASM_MBARRIER_WAIT, "i32 %bar, i32 0");
        copy_out(&run->text, count / 2);
        go(run, THREADS, EMULATOR_IN_TURN, 0);
        harness_expect_clean(&run->harness, run->clean);
        for (unsigned offset = 0; offset < count; offset++) {
            long element = element_of(run, c, flat_at(c, offset));
            unsigned want = element < 0 ? 0 : run->data[element], got = ((uint16_t *)run->out)[offset];
            if (got != want) {
                fail_msg("box %u: element %u of the tile is %u, not %u", i, offset, got, want);
            }
        }
        free_run(run);
    }
}

// f32 elements that a map rounds to tf32: ties go to even, the largest number becomes infinite, a NaN stays one.
static void test_rounded_loads(void **state) {
    static const uint32_t given[] = {0x3f800000, 0x3f800fff, 0x3f801000, 0x3f801001, 0x3f803000, 0xbf803000,
                                     0x7f7fffff, 0xff800000, 0x7f800001, 0xffc00000, 0x00000fff, 0x80001001};
    static const uint32_t wanted[] = {0x3f800000, 0x3f800000, 0x3f800000, 0x3f802000, 0x3f804000, 0xbf804000,
                                      0x7f800000, 0xff800000, 0x7fffe000, 0x7fffe000, 0x00000000, 0x80002000};
    static const struct box_case line = {1, 0, {64}, {64}, {0}};
    struct tensor_run *run = new_run();
    set_map(run, &line);
    run->map.element_bytes = 4;
    run->map.rounds_tf32 = true;
    memcpy(run->data, given, sizeof given);
    make_barrier(&run->text);
    expect_bytes(&run->text, 256);
    load_box(&run->text, 1, line.at);
    call(&run->text, ASM_MBARRIER_WAIT, "i32 %bar, i32 0");
    copy_out(&run->text, 64);
    go(run, THREADS, EMULATOR_IN_TURN, 0);
    harness_expect_clean(&run->harness, run->clean);
    for (unsigned i = 0; i < sizeof given / sizeof *given; i++) {
        assert_int_equal(((uint32_t *)run->out)[i], wanted[i]);
    }
    free_run(run);
}

static void test_stores(void **state) {
    for (unsigned i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        const struct box_case *c = &boxes[i];
        if (c->at[0] < 0 || c->at[1] < 0) {
            continue; // a fault
        }
        struct box_case stored = *c; // the last 16 bytes of a row are written whole
        stored.sizes[0] = (c->sizes[0] + 7) / 8 * 8;
        struct tensor_run *run = new_run();
        unsigned count = box_elements(c);
        uint16_t *want = malloc(sizeof run->data);
        set_map(run, c);
        memcpy(want, run->data, sizeof run->data);
        fill_tile(&run->text, count / 2);
        call(&run->text, ASM_FENCE_PROXY_ASYNC, "");
        strbuf_add(&run->text, "call void @llvm.nvvm.barrier0()\n");
        store_box(&run->text, c->rank, c->at);
        call(&run->text, ASM_BULK_COMMIT, "");
        call(&run->text, i % 2 ? ASM_BULK_WAIT : ASM_BULK_WAIT_READ, "i32 0");
        strbuf_add(&run->text, "store i32 0, ptr addrspace(1) %target\n");
        go(run, THREADS, EMULATOR_IN_TURN, 0);
        harness_expect_clean(&run->harness, run->clean);
        for (unsigned offset = 0; offset < count; offset++) {
            long element = element_of(run, &stored, flat_at(c, offset));
            if (element >= 0) {
                want[element] = (uint16_t)(offset % 2 ? (offset / 2) >> 16 : offset / 2);
            }
        }
        assert_memory_equal(run->data, want, sizeof run->data);
        free(want);
        free_run(run);
    }
}

// ---- a pipeline: warp 0 loads 8 tiles into 2 slots, the others add them up ----

// Slot s: `full` at 64 + 16 s, `empty` behind it, a tile of 64 by 4 halves at 1024 + 512 s.
static void pipeline_text(struct tensor_run *run, unsigned consumers) {
    struct strbuf *text = &run->text;
    char operands[128];
    for (unsigned slot = 0; slot < 2; slot++) {
        strbuf_printf(text, "%%f%u = add i32 %%base, %u\n%%e%u = add i32 %%base, %u\n", slot, 64 + 16 * slot,
                      slot, 72 + 16 * slot);
        snprintf(operands, sizeof operands, "i32 %%f%u, i32 1, i32 8, i1 %%first", slot);
        call(text, ASM_MBARRIER_INIT, operands);
        snprintf(operands, sizeof operands, "i32 %%e%u, i32 %u, i32 8, i1 %%first", slot, consumers);
        call(text, ASM_MBARRIER_INIT, operands);
    }
    call(text, ASM_MBARRIER_FENCE_INIT, "");
    strbuf_add(text, "call void @llvm.nvvm.barrier0()\n%w = lshr i32 %t, 5\n%isp = icmp eq i32 %w, 0\n"
                     "%lane = and i32 %t, 31\n%elected = icmp eq i32 %lane, 0\n"
                     "br i1 %isp, label %producer, label %consumer\nproducer:\nbr label %ploop\nploop:\n"
                     "%i = phi i32 [ 0, %producer ], [ %in, %ploop ]\n%slot = and i32 %i, 1\n"
                     "%round = lshr i32 %i, 1\n%ph = and i32 %round, 1\n%php = xor i32 %ph, 1\n"
                     "%so = mul i32 %slot, 16\n%fb = add i32 %f0, %so\n%eb = add i32 %e0, %so\n"
                     "%to = mul i32 %slot, 512\n%tb = add i32 %tile, %to\n%row = mul i32 %i, 4\n");
    call(text, ASM_MBARRIER_WAIT, "i32 %eb, i32 %php");
    call(text, ASM_MBARRIER_EXPECT, "i32 %fb, i32 512, i1 %elected");
    call(text, ASM_TMA_LOAD_2D, "i32 %tb, i64 %m, i32 %fb, i1 %elected, i32 0, i32 %row");
    strbuf_add(
        text,
        "%in = add i32 %i, 1\n%pm = icmp ult i32 %in, 8\nbr i1 %pm, label %ploop, label %done\n"
        "consumer:\n%ct = sub i32 %t, 32\n%cw = getelementptr i16, ptr addrspace(3) @tkc_shared, i32 %ct\n"
        "%cp = getelementptr i8, ptr addrspace(3) %cw, i32 1024\nbr label %cloop\ncloop:\n"
        "%j = phi i32 [ 0, %consumer ], [ %jn, %cloop ]\n%s = phi i32 [ 0, %consumer ], [ %sn, %cloop ]\n"
        "%cslot = and i32 %j, 1\n%cround = lshr i32 %j, 1\n%cph = and i32 %cround, 1\n"
        "%cso = mul i32 %cslot, 16\n%cfb = add i32 %f0, %cso\n%ceb = add i32 %e0, %cso\n"
        "%cto = mul i32 %cslot, 512\n%cq = getelementptr i8, ptr addrspace(3) %cp, i32 %cto\n");
    call(text, ASM_MBARRIER_WAIT, "i32 %cfb, i32 %cph");
    strbuf_add(text,
               "%v = load i16, ptr addrspace(3) %cq\n%vz = zext i16 %v to i32\n%sn = add i32 %s, %vz\n");
    call(text, ASM_FENCE_READS, "");
    strbuf_add(text, "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n");
    call(text, ASM_MBARRIER_ARRIVE, "i32 %ceb, i1 %elected");
    strbuf_add(text, "%jn = add i32 %j, 1\n%cm = icmp ult i32 %jn, 8\nbr i1 %cm, label %cloop, label %cend\n"
                     "cend:\n%op = getelementptr i32, ptr addrspace(1) %out, i32 %ct\n"
                     "store i32 %sn, ptr addrspace(1) %op\nbr label %done\ndone:\n");
}

static void set_pipeline_map(struct tensor_run *run) {
    run->map.sizes[0] = 64, run->map.sizes[1] = 32;
    run->map.strides[0] = 128;
    run->map.box[0] = 64, run->map.box[1] = 4;
}

static void test_pipeline(void **state) {
    for (int order = EMULATOR_IN_TURN; order < EMULATOR_ORDERS; order++) {
        for (uint64_t seed = 1; seed < 5; seed++) {
            struct tensor_run *run = new_run();
            set_pipeline_map(run);
            pipeline_text(run, 3);
            go(run, 128, (enum emulator_order)order, seed);
            harness_expect_clean(&run->harness, run->clean);
            for (unsigned i = 0; i < 96; i++) {
                unsigned sum = 0;
                for (unsigned tile = 0; tile < 8; tile++) {
                    sum += run->data[tile * 256 + i];
                }
                assert_int_equal(run->out[i], sum);
            }
            free_run(run);
        }
    }
}

// One thing of the kernel's text is changed.
static void change(struct tensor_run *run, const char *from, const char *to) {
    char *at = strstr(run->text.data, from);
    struct strbuf changed = {0};
    assert_non_null(at);
    strbuf_printf(&changed, "%.*s%s%s", (int)(at - run->text.data), run->text.data, to, at + strlen(from));
    strbuf_free(&run->text);
    run->text = changed;
}

static void expect_fault(struct tensor_run *run, unsigned threads, const char *kind, const char *words) {
    go(run, threads, EMULATOR_IN_TURN, 0);
    assert_false(run->clean);
    harness_expect_fault(&run->harness, kind, words);
    assert_true(harness_of_compiler(&run->harness));
    free_run(run);
}

static void pipeline_fault(const char *from, const char *to, const char *kind, const char *words) {
    struct tensor_run *run = new_run();
    set_pipeline_map(run);
    pipeline_text(run, 3);
    change(run, from, to);
    expect_fault(run, 128, kind, words);
}

static void test_pipeline_faults(void **state) {
    static const char reads_fence[] = "call void asm sideeffect \"fence.acq_rel.cta;\", \"\"()\n";
    // The consumers pass at once, or the producer does not wait.
    pipeline_fault("%cph = and i32 %cround, 1", "%cphx = and i32 %cround, 1\n%cph = xor i32 %cphx, 1",
                   "asynchronous copy", "has not reached");
    pipeline_fault("%php = xor i32 %ph, 1", "%php = xor i32 %ph, 0", "deadlock",
                   "for parity 0 of the mbarrier at shared memory byte 72");
    pipeline_fault("i32 %fb, i32 512, i1", "i32 %fb, i32 1024, i1", "deadlock",
                   "phase 0 has 1 of 1 arrivals and copies of 512 of 1024 bytes");
    pipeline_fault("i32 %fb, i32 512, i1", "i32 %fb, i32 256, i1", "mbarrier",
                   "expects 256 bytes, and copies of 512");
    pipeline_fault("i32 %fb, i32 512, i1", "i32 %fb, i32 0, i1", "mbarrier",
                   "expects no bytes, while copies");
    pipeline_fault("i32 %e0, i32 3, i32", "i32 %e0, i32 4, i32", "deadlock", "3 of 4 arrivals");
    pipeline_fault("call void @llvm.nvvm.bar.warp.sync(i32 -1)\n", "", "race", "writes what thread");
    // The consumers' reads are under way as they arrive: no fence, one that waits for no reads, or a barrier of theirs.
    pipeline_fault(reads_fence, "", "race", "had no fence.acq_rel");
    pipeline_fault(reads_fence, "call void asm sideeffect \"fence.sc.cta;\", \"\"()\n", "race",
                   "had no fence.acq_rel");
    pipeline_fault(reads_fence, "call void asm sideeffect \"bar.sync 1, 96;\", \"\"()\n", "race",
                   "had no fence.acq_rel");
    pipeline_fault("%so = mul i32 %slot, 16\n%fb = add i32 %f0, %so",
                   "%so = mul i32 %slot, 16\n%fb = add i32 %f0, 0", "mbarrier",
                   "after all 1 arrivals of phase 0");
    pipeline_fault("i32 %f0, i32 1, i32", "i32 %f0, i32 0, i32", "mbarrier", "for no arrival");
    pipeline_fault("i32 %f0, i32 1, i32 8", "i32 %f0, i32 1, i32 16", "mbarrier", "byte 72 is made again");
}

// ---- single faults ----

static const struct box_case swizzled = {2, 128, {64, 8}, {64, 32}, {0, 8}};

static struct tensor_run *load_run(size_t offset) {
    struct tensor_run *run = new_run();
    set_map(run, &swizzled);
    run->map.offset = offset;
    make_barrier(&run->text);
    expect_bytes(&run->text, 1024);
    load_box(&run->text, 2, swizzled.at);
    call(&run->text, ASM_MBARRIER_WAIT, "i32 %bar, i32 0");
    copy_out(&run->text, 256);
    return run;
}

static void load_fault(const char *from, const char *to, const char *kind, const char *words) {
    struct tensor_run *run = load_run(0);
    change(run, from, to);
    expect_fault(run, THREADS, kind, words);
}

// Of a box wholly outside of its tensor the chip reads the memory at the base.
static void test_outside(void **state) {
    static const size_t ahead = (size_t)-16;
    static const char *const corners[] = {"%first, i32 64, i32 8", "%first, i32 -64, i32 8",
                                          "%first, i32 0, i32 32", "%first, i32 0, i32 -8"};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        struct tensor_run *run = load_run(ahead);
        change(run, "%first, i32 0, i32 8", corners[i]);
        expect_fault(run, THREADS, "operation", "whose first byte lies 16 bytes ahead of");
    }
    for (size_t i = 0; i <= sizeof corners / sizeof *corners; i++) {
        struct tensor_run *run = load_run(i ? 0 : ahead);
        change(run, "%first, i32 0, i32 8", i ? corners[i - 1] : "%first, i32 0, i32 8");
        go(run, THREADS, EMULATOR_IN_TURN, 0);
        harness_expect_clean(&run->harness, run->clean);
        free_run(run);
    }
}

// Warp 1 makes the mbarrier and has the fence for it behind the barrier; thread 0 copies.
static void test_late_fence(void **state) {
    static const char fence[] = "call void asm sideeffect \"fence.mbarrier_init.release.cluster;\", \"\"()\n",
                      barrier[] = "call void @llvm.nvvm.barrier0()\n";
    for (int late = 0; late < 2; late++) {
        struct tensor_run *run = new_run();
        char before[200], after[200];
        snprintf(before, sizeof before, "%s%s", fence, barrier);
        snprintf(after, sizeof after, "%s%s", barrier, fence);
        set_map(run, &swizzled);
        make_barrier(&run->text);
        expect_bytes(&run->text, 1024);
        load_box(&run->text, 2, swizzled.at);
        call(&run->text, ASM_MBARRIER_WAIT, "i32 %bar, i32 0");
        copy_out(&run->text, 256);
        change(run, "i32 8, i1 %first", "i32 8, i1 %other");
        change(run, "%first = icmp eq i32 %t, 0\n",
               "%first = icmp eq i32 %t, 0\n%other = icmp eq i32 %t, 32\n");
        if (late) {
            change(run, before, after);
            expect_fault(run, THREADS, "proxy fence", "no fence.mbarrier_init");
            continue;
        }
        go(run, THREADS, EMULATOR_IN_TURN, 0);
        harness_expect_clean(&run->harness, run->clean);
        free_run(run);
    }
}

static void test_load_faults(void **state) {
    load_fault("call void asm sideeffect \"fence.mbarrier_init.release.cluster;\", \"\"()\n", "",
               "proxy fence", "no fence.mbarrier_init");
    load_fault("call void @llvm.nvvm.barrier0()\n", "", "race", "uses the mbarrier at shared memory byte 64");
    load_fault("(i64 %m)", "(i64 64)", "operation", "0x40 is not that of a tensor map");
    load_fault("i32 %bar, i32 0", "i32 %empty, i32 0", "mbarrier",
               "no mbarrier was made at shared memory byte 72");
    load_fault("i32 %bar, i32 0", "i32 %bar, i32 2", "mbarrier", "parity 2");
    load_fault("i32 %bar, i32 0", "i32 %bar, i32 1", "asynchronous copy", "has not reached");
    load_fault("i32 %bar, i32 1, i32 8, i1 %first", "i32 %bar, i32 1, i32 8, i1 true", "mbarrier",
               "made again");
    load_fault("%place, i32 0\n", "%word, i32 0\n", "mbarrier", "at byte 64, where an mbarrier is");
    load_fault("i32 1024, i1 %first", "i32 1048576, i1 %first", "mbarrier",
               "cannot expect 1048576 more bytes");
    load_fault("%tile = add i32 %base, 1024", "%tile = add i32 %base, 1040", "misaligned", "aligned to 128");
    load_fault("%tile = add i32 %base, 1024", "%tile = add i32 %base, 24576", "out of bounds",
               "1024-byte write");
    load_fault("i64 %m, ", "i64 64, ", "operation", "is not that of a tensor map");
    load_fault("%m = ptrtoint ptr %map to i64", "%mx = ptrtoint ptr %map to i64\n%m = add i64 %mx, 64",
               "operation", "not from its start");
    load_fault("%first, i32 0, i32 8", "%first, i32 4, i32 8", "operation",
               "loads a box of 'map' that begins at no multiple of 16 bytes of a row");
}

static void store_fault(const char *from, const char *to, const char *kind, const char *words) {
    struct tensor_run *run = new_run();
    set_map(run, &swizzled);
    fill_tile(&run->text, 256);
    call(&run->text, ASM_FENCE_PROXY_ASYNC, "");
    strbuf_add(&run->text, "call void @llvm.nvvm.barrier0()\n");
    store_box(&run->text, 2, swizzled.at);
    call(&run->text, ASM_BULK_COMMIT, "");
    call(&run->text, ASM_BULK_WAIT_READ, "i32 0");
    strbuf_add(&run->text, "call void @llvm.nvvm.barrier0()\nstore i32 0, ptr addrspace(3) %place\n");
    change(run, from, to);
    expect_fault(run, THREADS, kind, words);
}

static void test_store_faults(void **state) {
    store_fault("call void asm sideeffect \"fence.proxy.async.shared::cta;\", \"\"()\n", "", "proxy fence",
                "without fence.proxy.async");
    store_fault("call void @llvm.nvvm.barrier0()\n", "", "race", "reads what thread");
    store_fault("\"n\"(i32 0)", "\"n\"(i32 1)", "asynchronous copy", "an asynchronous copy is still to read");
    store_fault("call void @llvm.nvvm.barrier0()\nstore", "store", "race", "writes what thread 0 read");
    store_fault("call void asm sideeffect \"cp.async.bulk.commit_group;\", \"\"()\n", "", "asynchronous copy",
                "still to read");
    store_fault("\"n\"(i32 0)\ncall void @llvm.nvvm.barrier0()\nstore i32 0, ptr addrspace(3) %place",
                "\"n\"(i32 1)", "asynchronous copy", "ends before this copy has read");
    store_fault("%first, i32 0, i32 8", "%first, i32 4, i32 8", "operation",
                "stores a box of 'map' that begins at no multiple of 16 bytes");
    store_fault("%first, i32 0, i32 8", "%first, i32 0, i32 -8", "operation", "begins below index 0");
}

// Invalid maps.
static void map_refused(const struct emulator_tensor_map *map, const char *words) {
    struct tensor_run *run = new_run();
    run->map = *map;
    run->map.buffer = &run->buffers[1];
    go(run, THREADS, EMULATOR_IN_TURN, 0);
    assert_int_equal(run->harness.result.status, EMULATOR_REFUSED);
    assert_non_null(strstr(run->harness.result.message, words));
    free_run(run);
}

static void test_maps(void **state) {
    const struct emulator_tensor_map good = {
        .rank = 2, .element_bytes = 2, .sizes = {64, 64}, .strides = {128}, .box = {64, 8}, .swizzle = 128};
    struct emulator_tensor_map map = good;
    map.rank = 6;
    map_refused(&map, "rank");
    map = good, map.offset = 8;
    map_refused(&map, "multiple of 16");
    map = good, map.element_bytes = 3;
    map_refused(&map, "elements");
    map = good, map.sizes[1] = 0;
    map_refused(&map, "size that is not 1 to 2^32");
    map = good, map.box[1] = 257;
    map_refused(&map, "box whose size");
    map = good, map.strides[0] = 136;
    map_refused(&map, "stride");
    map = good, map.swizzle = 0, map.box[0] = 12;
    map_refused(&map, "lines are no multiple of 16");
    map = good, map.swizzle = 48;
    map_refused(&map, "swizzle that is not");
    map = good, map.box[0] = 32;
    map_refused(&map, "as long as its swizzle");
}

RUN(TEST(test_loads), TEST(test_rounded_loads), TEST(test_stores), TEST(test_pipeline),
    TEST(test_pipeline_faults), TEST(test_late_fence), TEST(test_load_faults), TEST(test_store_faults),
    TEST(test_outside), TEST(test_maps))
