// Functions shared by the tests of passes: IR text in, one or several passes over it, and queries of the
// result.
#ifndef TKC_TESTS_UNIT_PASS_TESTING_H
#define TKC_TESTS_UNIT_PASS_TESTING_H

#include "testing.h"
#include "ir/build.h"
#include "passes/pass.h"

struct bench {
    struct ir *ir;
    struct arena *arena;
    struct diag diag;
    struct pass_context context;
    MlirModule module;
    char last_error[512];
};

static void bench_collect(void *user, enum diag_severity severity, const char *text) {
    struct bench *bench = user;
    if (severity == DIAG_ERROR) {
        snprintf(bench->last_error, sizeof bench->last_error, "%s", text);
    }
}

// `text` is the inside of a module.
static inline struct bench *bench_open(const char *text, const char *chip) {
    struct bench *bench = calloc(1, sizeof *bench);
    bench->diag = (struct diag){.sink = bench_collect, .sink_user = bench};
    bench->ir = ir_create(&bench->diag);
    bench->arena = arena_create();
    bench->context = (struct pass_context){.ir = bench->ir,
                                           .target = target_find(chip),
                                           .arena = bench->arena,
                                           .diag = &bench->diag,
                                           .fp_contract = true,
                                           .tensor_maps = true};
    bench->module = ir_parse(bench->ir, text, "test.mlir");
    if (mlirModuleIsNull(bench->module)) {
        fail_msg("the test's IR does not parse: %s", bench->last_error);
    }
    return bench;
}

static inline void bench_close(struct bench *bench) {
    mlirModuleDestroy(bench->module);
    arena_destroy(bench->arena);
    ir_destroy(bench->ir);
    free(bench);
}

static inline void bench_run(struct bench *bench, const char *pass) {
    if (!pass_run_one(&bench->context, bench->module, pass)) {
        fail_msg("pass %s: %s", pass, bench->last_error);
    }
}

static inline MlirOperation *bench_ops(struct bench *bench, size_t *count) {
    return ops_collect(bench->ir, bench->arena, mlirModuleGetOperation(bench->module), count);
}

static inline unsigned bench_count(struct bench *bench, enum op_kind kind) {
    size_t count;
    MlirOperation *ops = bench_ops(bench, &count);
    unsigned found = 0;
    for (size_t i = 0; i < count; i++) {
        found += op_kind(bench->ir, ops[i]) == kind;
    }
    return found;
}

// The index-th op of a kind in program order; fails the test when there is none.
static inline MlirOperation bench_op(struct bench *bench, enum op_kind kind, unsigned index) {
    size_t count;
    MlirOperation *ops = bench_ops(bench, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(bench->ir, ops[i]) == kind && index-- == 0) {
            return ops[i];
        }
    }
    fail_msg("no %s", op_table[kind].name);
    return (MlirOperation){NULL};
}

static inline MlirOperation bench_function(struct bench *bench) {
    return mlirBlockGetFirstOperation(mlirModuleGetBody(bench->module));
}

static inline char *bench_text(struct bench *bench) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ir_print(bench->ir, bench->module, out);
    fclose(out);
    return text;
}

#endif
