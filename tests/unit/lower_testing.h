// Functions shared by the lowering's tests: tile IR from tests/golden/lower goes through every pass, is
// lowered for every chip and run by the emulator.
#ifndef TKC_TESTS_LOWER_TESTING_H
#define TKC_TESTS_LOWER_TESTING_H

#include "chip_testing.h"

#include <math.h>

#include "emulator/emulator.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "support/file.h"
#include "support/strbuf.h"
#include "codegen/llvmgen.h"
#include "lower/lower.h"

#define UNUSED __attribute__((unused))

static UNUSED const char *const chips[] = {"sm_75",  "sm_80",  "sm_89",   "sm_90a",
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

static UNUSED unsigned shared_bytes_of(struct lowered *t, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) == OP_FUNC) {
            return (unsigned)op_int(ops[i], ATTR_SHARED_BYTES);
        }
    }
    return 0;
}

// The tile IR of `text`; `path` names it in messages.
static UNUSED struct lowered lower_text(const char *text, const char *path, const char *chip, bool optimise,
                                        enum debug_info debug) {
    struct lowered t = {.arena = arena_create()};
    t.ir = ir_create(&t.diag);
    const struct target *target = target_find(chip);
    MlirModule module = ir_parse(t.ir, text, path);
    assert_false(mlirModuleIsNull(module));
    struct pass_context passes = {.ir = t.ir, .target = target, .arena = t.arena, .diag = &t.diag};
    bool stopped = false;
    assert_true(passes_run(&passes, module, &(struct pass_options){.out = stderr}, &stopped));
    t.shared_bytes = shared_bytes_of(&t, module);
    t.context = LLVMContextCreate();
    t.module = lower_module(t.ir, module, target, t.context, &(struct lower_options){.debug = debug});
    assert_non_null(t.module);
    llvmgen_optimise(t.module, target, optimise, NULL);
    mlirModuleDestroy(module);
    return t;
}

static UNUSED struct lowered lower_placed(const char *name, const char *chip, bool optimise,
                                          enum debug_info debug) {
    char path[1024];
    size_t length;
    snprintf(path, sizeof path, TEST_SOURCE_DIR "/tests/golden/lower/%s.mlir", name);
    char *text = file_read(path, &length);
    assert_non_null(text);
    struct lowered t = lower_text(text, path, chip, optimise, debug);
    free(text);
    return t;
}

static UNUSED struct lowered lower_file(const char *name, const char *chip, bool optimise) {
    return lower_placed(name, chip, optimise, DEBUG_NONE);
}

static UNUSED void lowered_free(struct lowered *t) {
    LLVMContextDispose(t->context);
    ir_destroy(t->ir);
    arena_destroy(t->arena);
}

// Runs the kernel of a file on every chip, before and after LLVM's passes; `check` looks at the buffers.
struct run {
    const char *name; // the kernel's, and its file's
    struct emulator_buffer *buffers;
    struct emulator_argument *arguments;
    unsigned count;
    unsigned output; // index of the argument cleared before each run
    void (*check)(const struct run *run, const char *chip);
};

// `text`: the kernel's tile IR, NULL for that of its file.
static UNUSED void run_text_everywhere(const struct run *run, const char *text) {
    for (unsigned c = 0; c < 2 * CHIPS; c++) {
        if (lacks_chip(chips[c / 2])) {
            continue;
        }
        if (strcmp(run->name, "warpgroup") == 0 && !target_has(target_find(chips[c / 2]), FEATURE(WGMMA))) {
            continue;
        }
        // These chips have an f32 matrix instruction: tests/unit/test_mma.c.
        if (strstr("dot_fma matmul_f32", run->name) &&
            target_has(target_find(chips[c / 2]), FEATURE(MFMA_GFX90A))) {
            continue;
        }
        struct lowered t = text ? lower_text(text, run->name, chips[c / 2], c & 1, DEBUG_NONE)
                                : lower_file(run->name, chips[c / 2], c & 1);
        struct emulator_options options = {
            .chip = chips[c / 2], .workers = 1, .order = 1 + c % (EMULATOR_ORDERS - 1), .seed = c};
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

static UNUSED void run_everywhere(const struct run *run) {
    run_text_everywhere(run, NULL);
}

static UNUSED void *aligned_bytes(size_t size) {
    void *data = aligned_alloc(128, (size + 127) / 128 * 128);
    memset(data, 0, size);
    return data;
}

static UNUSED uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static UNUSED int32_t *in, *out;

#define EXPECT(index, value)                                                                                 \
    do {                                                                                                     \
        if (out[index] != (int32_t)(value))                                                                  \
            fail_msg("%s on %s: out[%d] is %d, not %d", run->name, chip, (int)(index), out[index],           \
                     (int)(value));                                                                          \
    } while (0)

#endif
