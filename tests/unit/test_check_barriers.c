// check_barriers on kernels after all passes: it accepts the whole kernel, and reports a fault without any
// one of its barriers or waits. So the proof reads every one of them, and none is superfluous.
#include "pass_testing.h"

#include "tkc/tkc.h"

struct kernel {
    const char *file, *name; // from the top folder
    struct tkc_define defines[4];
    int warps, stages;
};

// The kernel's tile IR before the proof.
static char *ordered_tiles(const struct kernel *kernel, const char *chip) {
    char path[512];
    snprintf(path, sizeof path, TEST_SOURCE_DIR "/%s", kernel->file);
    struct tkc_options options;
    tkc_options_init(&options);
    const char *output = "out.mlir";
    options.input = path;
    options.kernels = &kernel->name;
    options.kernel_count = 1;
    options.defines = kernel->defines;
    while (kernel->defines[options.define_count].name) {
        options.define_count++;
    }
    options.num_warps = kernel->warps;
    options.num_stages = kernel->stages;
    options.outputs = &output;
    options.output_count = 1;
    options.targets = &chip;
    options.target_count = 1;
    options.no_header = options.no_json = true;
    options.stop_after = "barriers";
    struct tkc_result *result = tkc_compile(&options);
    if (!result->ok) {
        fail_msg("%s for %s: %s", kernel->name, chip, result->diagnostics[0].text);
    }
    char *text = strndup(result->artifacts[0].bytes, result->artifacts[0].length);
    tkc_result_free(result);
    return text;
}

// Later code may still need it: false for the last wait of a kernel, and for barriers from the source.
static bool matters(struct bench *bench, MlirOperation op) {
    if (op_kind(bench->ir, op) == OP_BARRIER) {
        return true;
    }
    while (op_kind(bench->ir, mlirOperationGetParentOperation(op)) != OP_FUNC) {
        op = mlirOperationGetParentOperation(op);
    }
    for (op = mlirOperationGetNextInBlock(op); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_has(op, ATTR_SCRATCH) || op_kind(bench->ir, op) == OP_FOR) {
            return true;
        }
    }
    return false;
}

// The index-th barrier or wait; null beyond the last.
static MlirOperation nth(struct bench *bench, size_t index) {
    size_t count;
    MlirOperation *ops = bench_ops(bench, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(bench->ir, ops[i]);
        if ((kind == OP_BARRIER || kind == OP_ASYNC_WAIT) && index-- == 0) {
            return ops[i];
        }
    }
    return (MlirOperation){NULL};
}

static size_t every_one_is_needed(const struct kernel *kernel, const char *chip) {
    char *text = ordered_tiles(kernel, chip);
    struct bench *whole = bench_open(text, chip);
    bench_run(whole, "check_barriers");
    bench_close(whole);
    size_t index = 0, blamed = 0;
    for (bool more = true; more; index++) {
        struct bench *bench = bench_open(text, chip);
        MlirOperation op = nth(bench, index);
        more = !mlirOperationIsNull(op);
        if (more && matters(bench, op)) {
            mlirOperationDestroy(op);
            if (pass_run_one(&bench->context, bench->module, "check_barriers")) {
                fail_msg("%s for %s: barrier or wait %zu can go unseen:\n%s", kernel->name, chip, index,
                         bench_text(bench));
            }
            blamed++;
        }
        bench_close(bench);
    }
    free(text);
    return blamed;
}

static void test_missing_barriers(void **state) {
    static const char *const chips[] = {"sm_80", "gfx942", "gfx1100"};
    static const struct {
        struct kernel kernel;
        size_t least; // barriers and waits on each chip
    } cases[] = {
        {{"tests/lang/shared.tk", "condition_reduces", {{0}}, 4, 1}, 2},
        {{"tests/lang/shared.tk", "conditions_nested", {{0}}, 4, 1}, 4},
        {{"tests/lang/shared.tk", "copies_left_behind", {{0}}, 4, 3}, 4},
        {{"tests/lang/shared.tk", "copies_left_behind", {{0}}, 8, 2}, 3},
        {{"examples/matmul.tk", "matmul", {{0}}, 4, 3}, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t c = 0; c < sizeof chips / sizeof *chips; c++) {
            assert_true(every_one_is_needed(&cases[i].kernel, chips[c]) >= cases[i].least);
        }
    }
}

RUN(TEST(test_missing_barriers))
