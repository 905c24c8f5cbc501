// Conversions between random layouts, executed: registers, shuffles and shared memory, with replicas on both
// sides.
#include "lower_testing.h"

#include "chip/scratch.h"

// ---- conversions between random layouts ----

// A random distribution of 2^bits elements: each index bit goes to a register, lane or warp bit; the
// remaining lane and warp bits hold replicas (zero bases); now and then a basis is the sum of two bits.
static void print_layout(struct strbuf *text, const char *alias, unsigned bits, unsigned lane_bits,
                         unsigned warp_bits, uint32_t *random) {
    uint32_t pool[32] = {0}, count = lane_bits + warp_bits + 2;
    count = count < bits ? bits : count;
    for (unsigned i = 0; i < count; i++) {
        pool[i] = i < bits ? 1u << i : 0;
    }
    for (unsigned i = 0; i + 1 < bits; i++) {
        pool[i] ^= next_random(random) % 8 == 0 ? pool[i + 1] : 0;
    }
    for (unsigned i = count; i-- > 1;) {
        unsigned j = next_random(random) % (i + 1);
        uint32_t kept = pool[i];
        pool[i] = pool[j];
        pool[j] = kept;
    }
    unsigned next = 0;
    strbuf_printf(text, "%s = {lane = array<i32", alias);
    for (unsigned i = 0; i < lane_bits; i++) {
        strbuf_printf(text, "%s %u", i ? "," : ":", pool[next++]);
    }
    strbuf_add(text, ">, register = array<i32");
    for (unsigned i = 0; next + warp_bits < count; i++) {
        strbuf_printf(text, "%s %u", i ? "," : ":", pool[next++]);
    }
    strbuf_add(text, ">, warp = array<i32");
    for (unsigned i = 0; i < warp_bits; i++) {
        strbuf_printf(text, "%s %u", i ? "," : ":", pool[next++]);
    }
    strbuf_add(text, ">}\n");
}

// The elements converted, how they are made from their index, and their type in memory.
static const struct {
    const char *type, *cast, *stored;
    unsigned bytes;
} moved[] = {{"i32", NULL, "i32", 4},
             {"i16", "arith.trunci", "i16", 2},
             {"i8", "arith.trunci", "i8", 1},
             {"i64", "arith.extui", "i64", 8},
             {"i1", "arith.trunci", "i8", 1}};

enum { MIX = 0x1e3779b1, MIXED_BIT = 31 }; // a function of all bits of the index

static bool is_bit(unsigned kind) {
    return strcmp(moved[kind].type, "i1") == 0;
}

static uint64_t element(unsigned kind, uint32_t i) {
    uint64_t mask = moved[kind].bytes == 8 ? ~0ull : (1ull << 8 * moved[kind].bytes) - 1;
    return is_bit(kind) ? i * (uint32_t)MIX >> MIXED_BIT : i & mask;
}

static void print_bits(struct strbuf *text, unsigned n) {
    strbuf_printf(text,
                  "    %%mix = arith.constant dense<%d> : tensor<%uxi32, #A>\n"
                  "    %%last = arith.constant dense<%d> : tensor<%uxi32, #A>\n"
                  "    %%mixed = arith.muli %%r, %%mix : tensor<%uxi32, #A>\n"
                  "    %%bits = arith.shrui %%mixed, %%last : tensor<%uxi32, #A>\n",
                  MIX, n, MIXED_BIT, n, n, n);
}

static void print_conversion(struct strbuf *text, unsigned bits, unsigned kind, unsigned warp_bits) {
    unsigned n = 1u << bits;
    const char *type = moved[kind].type, *stored = moved[kind].stored;
    strbuf_printf(
        text,
        "module {\n  func.func @convert(%%out: !tk.ptr<%s>) attributes {tk.num_warps = %u : i32} {\n"
        "    %%r = \"tk.range\"() {start = 0 : i32, end = %u : i32} : () -> tensor<%uxi32, #A>\n",
        stored, 1u << warp_bits, n, n);
    if (is_bit(kind)) {
        print_bits(text, n);
    }
    if (moved[kind].cast) {
        strbuf_printf(text, "    %%v = %s %s : tensor<%uxi32, #A> to tensor<%ux%s, #A>\n", moved[kind].cast,
                      is_bit(kind) ? "%bits" : "%r", n, n, type);
    }
    strbuf_printf(text,
                  "    %%c = \"tk.convert_layout\"(%s) : (tensor<%ux%s, #A>) -> tensor<%ux%s, #B>\n"
                  "    %%i = \"tk.range\"() {start = 0 : i32, end = %u : i32} : () -> tensor<%uxi32, #B>\n"
                  "    %%s = \"tk.splat\"(%%out) : (!tk.ptr<%s>) -> tensor<%ux!tk.ptr<%s>, #B>\n",
                  moved[kind].cast ? "%v" : "%r", n, type, n, type, n, n, stored, n, stored);
    if (is_bit(kind)) {
        strbuf_printf(text, "    %%t = arith.extui %%c : tensor<%uxi1, #B> to tensor<%uxi8, #B>\n", n, n);
    }
    strbuf_printf(text,
                  "    %%p = \"tk.addptr\"(%%s, %%i) : (tensor<%ux!tk.ptr<%s>, #B>, tensor<%uxi32, #B>) -> "
                  "tensor<%ux!tk.ptr<%s>, #B>\n"
                  "    \"tk.store\"(%%p, %s) : (tensor<%ux!tk.ptr<%s>, #B>, tensor<%ux%s, #B>) -> ()\n"
                  "    func.return\n  }\n}\n",
                  n, stored, n, n, stored, is_bit(kind) ? "%t" : "%c", n, stored, n, stored);
}

// Executes the conversion from layout #A to layout #B; their text comes first. `calls`: what its module calls, or NULL.
static void convert(struct strbuf layouts, unsigned bits, unsigned kind, unsigned warp_bits,
                    const struct target *target, const char *calls) {
    struct strbuf text = layouts;
    print_conversion(&text, bits, kind, warp_bits);
    struct lowered t = {.arena = arena_create()};
    t.ir = ir_create(&t.diag);
    MlirModule module = ir_parse(t.ir, strbuf_text(&text), "convert");
    assert_false(mlirModuleIsNull(module));
    struct pass_context passes = {.ir = t.ir, .target = target, .arena = t.arena, .diag = &t.diag};
    assert_true(pass_run_one(&passes, module, "shared_alloc"));
    assert_true(pass_run_one(&passes, module, "barriers"));
    t.shared_bytes = shared_bytes_of(&t, module);
    t.context = LLVMContextCreate();
    t.module = lower_module(t.ir, module, target, t.context, &(struct lower_options){.debug = DEBUG_NONE});
    assert_non_null(t.module);
    assert_true(!calls || LLVMGetNamedFunction(t.module, calls));
    uint8_t *data = aligned_bytes(((size_t)1 << bits) * moved[kind].bytes);
    struct emulator_buffer buffer = {
        .name = "out", .data = data, .size = ((size_t)1 << bits) * moved[kind].bytes};
    struct emulator_argument argument = {.name = "out", .buffer = &buffer};
    struct emulator_options options = {.chip = target->name, .workers = 1};
    struct emulator_launch launch = {.kernel = "convert",
                                     .arguments = &argument,
                                     .argument_count = 1,
                                     .grid = {1, 1, 1},
                                     .shared_bytes = t.shared_bytes};
    char *error = NULL;
    struct emulator *emulator = emulator_create(t.module, &options, &error);
    struct emulator_result result = {0};
    if (!emulator || !emulator_run(emulator, &launch, &result)) {
        fail_msg("%s: %s\n%s", target->name,
                 error                 ? error
                 : result.report_count ? result.reports[0].text
                                       : result.message,
                 strbuf_text(&text));
    }
    for (uint32_t i = 0; i < 1u << bits; i++) {
        uint64_t got = 0;
        memcpy(&got, data + (size_t)i * moved[kind].bytes, moved[kind].bytes);
        if (got != element(kind, i)) {
            fail_msg("%s: element %u is %llu\n%s", target->name, i, (unsigned long long)got,
                     strbuf_text(&text));
        }
    }
    emulator_result_free(&result);
    emulator_destroy(emulator);
    mlirModuleDestroy(module);
    free(data);
    strbuf_free(&text);
    lowered_free(&t);
}

static void convert_once(uint32_t *random, const struct target *target) {
    unsigned bits = 4 + next_random(random) % 8, kind = next_random(random) % 5,
             warp_bits = next_random(random) % 4;
    unsigned lane_bits = (unsigned)__builtin_ctz(target->warp_size);
    struct strbuf text = {0};
    print_layout(&text, "#A", bits, lane_bits, warp_bits, random);
    print_layout(&text, "#B", bits, lane_bits, warp_bits, random);
    convert(text, bits, kind, warp_bits, target, NULL);
}

static void test_convert(void **state) {
    uint32_t random = 11;
    for (unsigned i = 0; i < 400; i++) {
        convert_once(&random, target_find(i & 1 ? "sm_80" : "gfx942"));
    }
}

// A row in each lane, and in all eight lanes that copy vectors of it (passes/specialise/specialise_gather.c): bits by one
// vote.
static void test_rows(void **state) {
    for (unsigned kind = 0; kind < sizeof moved / sizeof moved[0]; kind++) {
        struct strbuf text = {0};
        strbuf_add(
            &text,
            "#A = {lane = array<i32: 64, 32, 16, 1, 2>, register = array<i32>, warp = array<i32: 4, 8>}\n"
            "#B = {lane = array<i32: 0, 0, 0, 1, 2>, register = array<i32: 16, 32, 64>, "
            "warp = array<i32: 4, 8>}\n");
        convert(text, 7, kind, 2, target_find("sm_90a"), NULL);
    }
}

static struct layout square(const uint32_t lane[5], const uint32_t reg[5], const uint32_t warp[2]) {
    struct layout layout = layout_empty(2, (int64_t[]){64, 64});
    for (unsigned i = 0; i < 5; i++) {
        layout_push(&layout, LAYOUT_REGISTER, reg[i]);
        layout_push(&layout, LAYOUT_LANE, lane[i]);
    }
    layout_push(&layout, LAYOUT_WARP, warp[0]);
    layout_push(&layout, LAYOUT_WARP, warp[1]);
    return layout;
}

// Numbers unpacked from words, 16 neighbours of a column in a thread, on their way to an operand in registers: the rows of a matrix that a warp
// stores are 16 apart, of one that it loads side by side. Both are in all banks.
static void test_rows_apart(void **state) {
    const struct target *target = target_find("sm_90a");
    struct layout words = square((uint32_t[]){1024, 2048, 1, 2, 4}, (uint32_t[]){64, 128, 256, 512, 32},
                                 (uint32_t[]){8, 16}),
                  operand = square((uint32_t[]){2, 4, 64, 128, 256}, (uint32_t[]){1, 512, 8, 16, 32},
                                   (uint32_t[]){1024, 2048});
    struct layout plain = layout_mma_shared(2, (int64_t[]){64, 64}, (unsigned[]){1, 0}, 2);
    assert_int_equal(scratch_conflicts(target, &plain, &words, 2, true), 48);
    assert_int_equal(scratch_conflicts(target, &plain, &operand, 2, false), 0);
    struct layout shared = scratch_shared(target, &words, &operand, 2);
    assert_int_equal(scratch_conflicts(target, &shared, &words, 2, true), 0);
    assert_int_equal(scratch_conflicts(target, &shared, &operand, 2, false), 0);
}

// 64 x 64 halves, turned: threads have eight neighbours of a row, then of a column (tl.trans between a load and a store).
static void test_turned(void **state) {
    enum { HALVES = 1 };
    static const char *const chips[] = {"sm_80", "sm_90a"};
    for (unsigned i = 0; i < 2; i++) {
        struct strbuf text = {0};
        strbuf_add(
            &text,
            "#A = {lane = array<i32: 8, 16, 32, 64, 128>, register = array<i32: 1, 2, 4, 1024, 2048>, "
            "warp = array<i32: 256, 512>}\n"
            "#B = {lane = array<i32: 512, 1024, 2048, 1, 2>, register = array<i32: 64, 128, 256, 16, 32>, "
            "warp = array<i32: 4, 8>}\n");
        convert(text, 12, HALVES, 2, target_find(chips[i]),
                "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3");
    }
}

RUN(TEST(test_convert), TEST(test_rows), TEST(test_rows_apart), TEST(test_turned))
