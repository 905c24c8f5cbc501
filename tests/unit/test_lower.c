// Lowering, executed: tile IR from tests/golden/lower is given layouts, lowered for every chip and run by the
// emulator against results computed here. Scratch buffers are placed one after the other, so no barrier
// between ops is needed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "emulator/emulator.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "support/file.h"
#include "support/strbuf.h"
#include "target/llvmgen.h"
#include "target/lower.h"

static const char *const chips[] = {"sm_75",  "sm_80",  "sm_89",   "sm_90a",
                                    "gfx90a", "gfx942", "gfx1100", "gfx1200"};
enum { CHIPS = sizeof chips / sizeof *chips };

struct lowered {
    struct diag diag;
    struct ir *ir;
    struct arena *arena;
    LLVMContextRef context;
    LLVMModuleRef module;
    unsigned shared_bytes;
};

static unsigned shared_bytes_of(struct lowered *t, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) == OP_FUNC) {
            return (unsigned)op_int(ops[i], "tk.shared_bytes", 0);
        }
    }
    return 0;
}

static struct lowered lower_file(const char *name, const char *chip, bool optimise) {
    struct lowered t = {.arena = arena_create()};
    char path[1024];
    size_t length;
    snprintf(path, sizeof path, TEST_SOURCE_DIR "/tests/golden/lower/%s.mlir", name);
    char *text = file_read(path, &length);
    assert_non_null(text);
    t.ir = ir_create(&t.diag);
    const struct target *target = target_find(chip);
    MlirModule module = ir_parse(t.ir, text, path);
    assert_false(mlirModuleIsNull(module));
    struct pass_context passes = {.ir = t.ir, .target = target, .arena = t.arena, .diag = &t.diag};
    bool stopped = false;
    assert_true(passes_run(&passes, module, &(struct pass_options){.out = stderr}, &stopped));
    t.shared_bytes = shared_bytes_of(&t, module);
    t.context = LLVMContextCreate();
    t.module = lower_module(t.ir, module, target, t.context, DEBUG_NONE);
    assert_non_null(t.module);
    assert_true(llvmgen_optimise(t.module, target, optimise, &t.diag));
    mlirModuleDestroy(module);
    free(text);
    return t;
}

static void lowered_free(struct lowered *t) {
    LLVMContextDispose(t->context);
    ir_destroy(t->ir);
    arena_destroy(t->arena);
}

// Runs the kernel of a file on every chip, before and after LLVM's passes; `check` looks at the buffers.
struct run {
    const char *name;
    struct emulator_buffer *buffers;
    struct emulator_argument *arguments;
    unsigned count;
    unsigned output; // index of the argument that is cleared before each run
    void (*check)(const struct run *run, const char *chip);
};

static void run_everywhere(const struct run *run) {
    for (unsigned c = 0; c < 2 * CHIPS; c++) {
        // These chips have an f32 matrix instruction: tests/unit/test_mma.c.
        if (strstr("dot_fma matmul_f32", run->name) &&
            target_has(target_find(chips[c / 2]), FEATURE_MFMA_GFX90A)) {
            continue;
        }
        struct lowered t = lower_file(run->name, chips[c / 2], c & 1);
        struct emulator_options options = {.chip = chips[c / 2], .workers = 1};
        char *error = NULL;
        struct emulator *emulator = emulator_create(t.module, &options, &error);
        if (!emulator) {
            fail_msg("%s for %s: %s", run->name, chips[c / 2], error);
        }
        struct emulator_buffer *out = run->arguments[run->output].buffer;
        memset(out->data, 0, out->size);
        struct emulator_launch launch = {.kernel = run->name,
                                         .arguments = run->arguments,
                                         .argument_count = run->count,
                                         .grid = {1, 1, 1},
                                         .shared_bytes = t.shared_bytes};
        struct emulator_result result = {0};
        if (!emulator_run(emulator, &launch, &result)) {
            fail_msg("%s on %s: %s", run->name, chips[c / 2],
                     result.report_count ? result.reports[0].text : result.message);
        }
        run->check(run, chips[c / 2]);
        emulator_result_free(&result);
        emulator_destroy(emulator);
        lowered_free(&t);
    }
}

static void *aligned_bytes(size_t size) {
    void *data = aligned_alloc(128, (size + 127) / 128 * 128);
    memset(data, 0, size);
    return data;
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// The common form: an i32 input, an i32 output.
static int32_t *in, *out;

static void run_integers(const char *name, size_t in_count, size_t out_count,
                         void (*check)(const struct run *run, const char *chip)) {
    in = aligned_bytes(in_count * 4);
    out = aligned_bytes(out_count * 4);
    uint32_t state = 1;
    for (size_t i = 0; i < in_count; i++) {
        in[i] = (int32_t)(next_random(&state) % 1000) + 1;
    }
    struct emulator_buffer buffers[] = {
        {.name = "in", .data = in, .size = in_count * 4, .element_bits = 32},
        {.name = "out", .data = out, .size = out_count * 4, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "in", .buffer = &buffers[0]},
                                            {.name = "out", .buffer = &buffers[1]},
                                            {.name = "n", .bits = 7}};
    bool has_n = strcmp(name, "control") == 0;
    struct run run = {name, buffers, arguments, has_n ? 3 : 2, 1, check};
    run_everywhere(&run);
    free(in);
    free(out);
}

#define EXPECT(index, value)                                                                                 \
    do {                                                                                                     \
        if (out[index] != (int32_t)(value))                                                                  \
            fail_msg("%s on %s: out[%d] is %d, not %d", run->name, chip, (int)(index), out[index],           \
                     (int)(value));                                                                          \
    } while (0)

static void check_reduce(const struct run *run, const char *chip) {
    int32_t total = 0;
    for (int c = 0; c < 128; c++) {
        int32_t sum = 0, most = in[c];
        for (int r = 0; r < 64; r++) {
            sum += in[r * 128 + c];
            most = in[r * 128 + c] > most ? in[r * 128 + c] : most;
        }
        EXPECT(c, sum);
        EXPECT(256 + c, most);
        total += sum;
    }
    for (int r = 0; r < 64; r++) {
        int32_t sum = 0, best = 0;
        for (int c = 0; c < 128; c++) {
            sum += in[r * 128 + c];
            best = in[r * 128 + c] > in[r * 128 + best] ? c : best;
        }
        EXPECT(128 + r, sum);
        EXPECT(384 + r, r * 128 + best);
    }
    EXPECT(192, total);
}

static void test_reduce(void **state) {
    (void)state;
    run_integers("reduce", 64 * 128, 512, check_reduce);
}

static void check_scan(const struct run *run, const char *chip) {
    for (int mode = 0; mode < 4; mode++) {
        int along = mode & 1 ? 256 : 1, across = mode & 1 ? 1 : 256, length = mode & 1 ? 16 : 256;
        for (int line = 0; line < 4096 / length; line++) {
            int32_t sum = 0;
            for (int i = 0; i < length; i++) {
                int at = line * across + (mode & 2 ? length - 1 - i : i) * along;
                sum += in[at];
                EXPECT(mode * 4096 + at, sum);
            }
        }
    }
}

static void test_scan(void **state) {
    (void)state;
    run_integers("scan", 4096, 4 * 4096, check_scan);
}

static void check_gather(const struct run *run, const char *chip) {
    int32_t bins[64] = {0};
    for (int i = 0; i < 2048; i++) {
        int index = in[i] & 31;
        EXPECT(i, in[index * 64 + i % 64]);
        EXPECT(2048 + i, in[i / 64 * 64 + index]);
    }
    for (int i = 0; i < 1024; i++) {
        bins[in[i] & 63]++;
    }
    for (int i = 0; i < 64; i++) {
        EXPECT(4096 + i, bins[i]);
    }
}

static void test_gather(void **state) {
    (void)state;
    run_integers("gather", 2048, 4096 + 64, check_gather);
}

static void check_shape(const struct run *run, const char *chip) {
    for (int i = 0; i < 2048; i++) {
        EXPECT(i, in[i % 32 * 64 + i / 32]);
        EXPECT(2048 + i, in[i % 128 * 16 + i / 128]);
        EXPECT(4096 + i, in[i / 2 + i % 2 * 1024]);
    }
    for (int i = 0; i < 1024; i++) {
        EXPECT(6144 + i, in[2 * i] - in[2 * i + 1]);
    }
}

static void test_shape(void **state) {
    (void)state;
    run_integers("shape", 2048, 7168, check_shape);
}

static void check_atomics(const struct run *run, const char *chip) {
    int32_t sums[16] = {0};
    for (int i = 0; i < 512; i++) {
        sums[in[i] & 15] += in[i];
    }
    for (int i = 0; i < 16; i++) {
        EXPECT(i, sums[i]);
    }
    EXPECT(16, 1);
    for (int i = 0; i < 64; i++) {
        EXPECT(64 + i, 0);
        EXPECT(128 + i, in[i]);
        EXPECT(256 + i, 0);
        EXPECT(320 + i, in[i]);
        EXPECT(384 + i, 0);
    }
}

static void test_atomics(void **state) {
    (void)state;
    run_integers("atomics", 512, 512, check_atomics);
}

static void check_control(const struct run *run, const char *chip) {
    for (int i = 0; i < 256; i++) {
        int32_t value = in[i], count = 21;
        value += 21;
        for (; count > 0; count -= 3) {
            value *= 2;
        }
        EXPECT(i, value + in[i]);
    }
}

static void test_control(void **state) {
    (void)state;
    run_integers("control", 256, 256, check_control);
}

// ---- f8 ----

struct f8 {
    int mantissa, bias;
    bool fnuz, infinity;
    float most;
};
static const struct f8 formats[] = {{3, 7, false, false, 448},
                                    {2, 15, false, true, 57344},
                                    {3, 8, true, false, 240},
                                    {2, 16, true, false, 57344}};

static double f8_value(const struct f8 *f, unsigned code) {
    unsigned magnitude = code & 0x7f, exponent = magnitude >> f->mantissa,
             fraction = magnitude & ((1u << f->mantissa) - 1);
    double sign = code & 0x80 ? -1 : 1;
    if (f->fnuz ? code == 0x80 : f->infinity ? magnitude > 0x7c : magnitude == 0x7f) {
        return NAN;
    }
    if (f->infinity && magnitude == 0x7c) {
        return sign * INFINITY;
    }
    double scale = ldexp(1, (int)(exponent ? exponent : 1) - f->bias - f->mantissa);
    return sign * scale * (exponent ? fraction + (1u << f->mantissa) : fraction);
}

static unsigned f8_nearest(const struct f8 *f, double x) {
    unsigned best = 0;
    double distance = INFINITY, magnitude = fabs(x) > f->most ? f->most : fabs(x);
    for (unsigned code = 0; code < 0x80; code++) {
        double value = f8_value(f, code);
        if (!isfinite(value)) {
            continue;
        }
        double d = fabs(value - magnitude);
        if (d < distance || (d == distance && !(code & 1))) {
            best = code;
            distance = d;
        }
    }
    return best | (signbit(x) && !(f->fnuz && !best) ? 0x80 : 0);
}

static float *floats;

static void check_f8(const struct run *run, const char *chip) {
    for (int f = 0; f < 4; f++) {
        for (unsigned code = 0; code < 256; code++) {
            float got;
            memcpy(&got, &out[256 * f + (int)code], 4);
            double expected = f8_value(&formats[f], code);
            if (!(isnan(expected) ? isnan(got) : got == expected)) {
                fail_msg("f8 on %s: format %d, code %#x gives %g, not %g", chip, f, code, got, expected);
            }
        }
        for (int i = 0; i < 1024; i++) {
            EXPECT(1024 + 1024 * f + i, f8_nearest(&formats[f], floats[i]));
        }
    }
}

static void test_f8(void **state) {
    (void)state;
    uint8_t *codes = aligned_bytes(256);
    floats = aligned_bytes(4096);
    out = aligned_bytes(5 * 4096);
    uint32_t random = 3;
    for (int i = 0; i < 256; i++) {
        codes[i] = (uint8_t)i;
    }
    for (int i = 0; i < 1024; i++) {
        double magnitude =
            ldexp(1 + next_random(&random) / 16777216.0, (int)(next_random(&random) % 40) - 20);
        floats[i] = (float)(i & 1 ? -magnitude : magnitude);
        if (i < 256) { // values of the formats themselves and halves between them
            double value = f8_value(&formats[i & 3], (unsigned)i / 2);
            floats[i] = isfinite(value) ? (float)(value + (i & 4 ? ldexp(value, -5) : 0)) : 1.0f;
        }
    }
    struct emulator_buffer buffers[] = {{.name = "in", .data = codes, .size = 256, .element_bits = 8},
                                        {.name = "fin", .data = floats, .size = 4096, .element_bits = 32},
                                        {.name = "out", .data = out, .size = 5 * 4096, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "in", .buffer = &buffers[0]},
                                            {.name = "fin", .buffer = &buffers[1]},
                                            {.name = "out", .buffer = &buffers[2]}};
    struct run run = {"f8", buffers, arguments, 3, 2, check_f8};
    run_everywhere(&run);
    free(codes);
    free(floats);
    free(out);
}

// ---- dot ----

static float *a, *b, *c;

static void check_dot(const struct run *run, const char *chip) {
    for (int i = 0; i < 32 * 64; i++) {
        float sum = 0;
        for (int k = 0; k < 16; k++) {
            sum = fmaf(a[i / 64 * 16 + k], b[k * 64 + i % 64], sum);
        }
        if (c[i] != sum) {
            fail_msg("%s on %s: c[%d] is %g, not %g", run->name, chip, i, c[i], sum);
        }
    }
}

static void test_dot(void **state) {
    (void)state;
    a = aligned_bytes(32 * 16 * 4);
    b = aligned_bytes(16 * 64 * 4);
    c = aligned_bytes(32 * 64 * 4);
    uint32_t random = 5;
    for (int i = 0; i < 32 * 16; i++) {
        a[i] = (float)(next_random(&random) % 2000) / 1000 - 1;
    }
    for (int i = 0; i < 16 * 64; i++) {
        b[i] = (float)(next_random(&random) % 2000) / 1000 - 1;
    }
    struct emulator_buffer buffers[] = {{.name = "a", .data = a, .size = 32 * 16 * 4, .element_bits = 32},
                                        {.name = "b", .data = b, .size = 16 * 64 * 4, .element_bits = 32},
                                        {.name = "out", .data = c, .size = 32 * 64 * 4, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "a", .buffer = &buffers[0]},
                                            {.name = "b", .buffer = &buffers[1]},
                                            {.name = "out", .buffer = &buffers[2]}};
    struct run run = {"dot_fma", buffers, arguments, 3, 2, check_dot};
    run_everywhere(&run);
    free(a);
    free(b);
    free(c);
}

// A loop over k with masked loads; 80 is no multiple of the tile's 32.
enum { LOOP_K = 80 };

static void check_matmul(const struct run *run, const char *chip) {
    for (int i = 0; i < 32 * 64; i++) {
        float sum = 0;
        for (int k = 0; k < LOOP_K; k++) {
            sum = fmaf(a[i / 64 * LOOP_K + k], b[k * 64 + i % 64], sum);
        }
        if (c[i] != sum) {
            fail_msg("%s on %s: c[%d] is %g, not %g", run->name, chip, i, c[i], sum);
        }
    }
}

static void test_matmul(void **state) {
    (void)state;
    a = aligned_bytes(32 * LOOP_K * 4);
    b = aligned_bytes(LOOP_K * 64 * 4);
    c = aligned_bytes(32 * 64 * 4);
    uint32_t random = 5;
    for (int i = 0; i < 32 * LOOP_K; i++) {
        a[i] = (float)(next_random(&random) % 2000) / 1000 - 1;
    }
    for (int i = 0; i < LOOP_K * 64; i++) {
        b[i] = (float)(next_random(&random) % 2000) / 1000 - 1;
    }
    struct emulator_buffer buffers[] = {{.name = "a", .data = a, .size = 32 * LOOP_K * 4, .element_bits = 32},
                                        {.name = "b", .data = b, .size = LOOP_K * 64 * 4, .element_bits = 32},
                                        {.name = "c", .data = c, .size = 32 * 64 * 4, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "a", .buffer = &buffers[0]},
                                            {.name = "b", .buffer = &buffers[1]},
                                            {.name = "c", .buffer = &buffers[2]},
                                            {.name = "k", .bits = LOOP_K}};
    struct run run = {"matmul_f32", buffers, arguments, 4, 2, check_matmul};
    run_everywhere(&run);
    free(a);
    free(b);
    free(c);
}

// ---- masks ----

static uint8_t *in8;
static uint16_t *in16;
static uint64_t *in64;

static void check_masks(const struct run *run, const char *chip) {
    for (int i = 0; i < 512; i++) {
        int32_t sum = i < 333 ? in8[i] + in16[i] + (int32_t)in64[i] : 21;
        EXPECT(i, sum);
        EXPECT(512 + i, i < 333 ? sum : 0);
    }
}

static void test_masks(void **state) {
    (void)state;
    in8 = aligned_bytes(333);
    in16 = aligned_bytes(333 * 2);
    in64 = aligned_bytes(333 * 8);
    out = aligned_bytes(1024 * 4);
    uint32_t random = 9;
    for (int i = 0; i < 333; i++) {
        in8[i] = (uint8_t)next_random(&random);
        in16[i] = (uint16_t)next_random(&random);
        in64[i] = next_random(&random);
    }
    struct emulator_buffer buffers[] = {{.name = "in8", .data = in8, .size = 333, .element_bits = 8},
                                        {.name = "in16", .data = in16, .size = 333 * 2, .element_bits = 16},
                                        {.name = "in64", .data = in64, .size = 333 * 8, .element_bits = 64},
                                        {.name = "out", .data = out, .size = 4096, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "in8", .buffer = &buffers[0]},
                                            {.name = "in16", .buffer = &buffers[1]},
                                            {.name = "in64", .buffer = &buffers[2]},
                                            {.name = "out", .buffer = &buffers[3]},
                                            {.name = "n", .bits = 333}};
    struct run run = {"masks", buffers, arguments, 5, 3, check_masks};
    run_everywhere(&run);
    free(in8);
    free(in16);
    free(in64);
    free(out);
}

// ---- conversions between random layouts ----

// A random distribution of 2^bits elements: each index bit goes to a register, lane or warp bit; what is left
// of lanes and warps holds replicas (zero bases); now and then a basis is the sum of two bits.
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

static const struct {
    const char *type, *cast;
    unsigned bytes;
} moved[] = {
    {"i32", NULL, 4}, {"i16", "arith.trunci", 2}, {"i8", "arith.trunci", 1}, {"i64", "arith.extui", 8}};

static void print_conversion(struct strbuf *text, unsigned bits, unsigned kind, unsigned warp_bits) {
    unsigned n = 1u << bits;
    const char *type = moved[kind].type;
    strbuf_printf(
        text,
        "module {\n  func.func @convert(%%out: !tk.ptr<%s>) attributes {tk.num_warps = %u : i32} {\n"
        "    %%r = \"tk.range\"() {start = 0 : i32, end = %u : i32} : () -> tensor<%uxi32, #A>\n",
        type, 1u << warp_bits, n, n);
    if (moved[kind].cast) {
        strbuf_printf(text, "    %%v = %s %%r : tensor<%uxi32, #A> to tensor<%ux%s, #A>\n", moved[kind].cast,
                      n, n, type);
    }
    strbuf_printf(text,
                  "    %%c = \"tk.convert_layout\"(%s) : (tensor<%ux%s, #A>) -> tensor<%ux%s, #B>\n"
                  "    %%i = \"tk.range\"() {start = 0 : i32, end = %u : i32} : () -> tensor<%uxi32, #B>\n"
                  "    %%s = \"tk.splat\"(%%out) : (!tk.ptr<%s>) -> tensor<%ux!tk.ptr<%s>, #B>\n",
                  moved[kind].cast ? "%v" : "%r", n, type, n, type, n, n, type, n, type);
    strbuf_printf(text,
                  "    %%p = \"tk.addptr\"(%%s, %%i) : (tensor<%ux!tk.ptr<%s>, #B>, tensor<%uxi32, #B>) -> "
                  "tensor<%ux!tk.ptr<%s>, #B>\n"
                  "    \"tk.store\"(%%p, %%c) : (tensor<%ux!tk.ptr<%s>, #B>, tensor<%ux%s, #B>) -> ()\n"
                  "    func.return\n  }\n}\n",
                  n, type, n, n, type, n, type, n, type);
}

static void convert_once(uint32_t *random, const struct target *target) {
    unsigned bits = 4 + next_random(random) % 8, kind = next_random(random) % 4,
             warp_bits = next_random(random) % 4;
    unsigned lane_bits = (unsigned)__builtin_ctz(target->warp_size);
    struct strbuf text = {0};
    print_layout(&text, "#A", bits, lane_bits, warp_bits, random);
    print_layout(&text, "#B", bits, lane_bits, warp_bits, random);
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
    t.module = lower_module(t.ir, module, target, t.context, DEBUG_NONE);
    assert_non_null(t.module);
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
        uint64_t got = 0, mask = moved[kind].bytes == 8 ? ~0ull : (1ull << 8 * moved[kind].bytes) - 1;
        memcpy(&got, data + (size_t)i * moved[kind].bytes, moved[kind].bytes);
        if (got != (i & mask)) {
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

static void test_convert(void **state) {
    (void)state;
    uint32_t random = 11;
    for (unsigned i = 0; i < 400; i++) {
        convert_once(&random, target_find(i & 1 ? "sm_80" : "gfx942"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce), cmocka_unit_test(test_scan),    cmocka_unit_test(test_gather),
        cmocka_unit_test(test_shape),  cmocka_unit_test(test_atomics), cmocka_unit_test(test_control),
        cmocka_unit_test(test_f8),     cmocka_unit_test(test_dot),     cmocka_unit_test(test_masks),
        cmocka_unit_test(test_matmul), cmocka_unit_test(test_convert),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
