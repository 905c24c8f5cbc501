// Functions shared by the tests of tile accesses: kernels in the kernel language, compiled up to a pass, and
// a line of text for each of their loads and stores.
#ifndef TKC_TESTS_UNIT_TILE_TESTING_H
#define TKC_TESTS_UNIT_TILE_TESTING_H

#include "pass_testing.h"

#include "passes/facts/dead_rows.h"
#include "reason_testing.h"
#include "support/strbuf.h"
#include "tkc/tkc.h"

#define UNUSED __attribute__((unused))

struct tile_bench {
    struct bench *bench;
    struct affines affines;
};

// The IR of a kernel for a chip after `pass`: of a file of the source tree, or of text. A signature may be given
// instead of the one in the source.
static UNUSED struct tile_bench tiles_open_on(const char *chip, const char *file, const char *text,
                                              const char *kernel, const char *pass, const char *signature) {
    char path[1024];
    snprintf(path, sizeof path, TEST_SOURCE_DIR "/%s", file ? file : "kernel.tk");
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = path;
    options.text = text;
    options.outputs = (const char *[]){"-"};
    options.output_count = 1;
    options.kind = TKC_MLIR;
    options.targets = (const char *[]){chip};
    options.target_count = 1;
    options.kernels = &kernel;
    options.kernel_count = kernel != NULL;
    options.stop_after = pass;
    options.signature = signature;
    struct tkc_result *result = tkc_compile(&options);
    if (!result->ok) {
        fail_msg("%s", result->diagnostic_count ? result->diagnostics[0].text : "not compiled");
    }
    struct tile_bench tiles = {.bench = bench_open(result->artifacts[0].bytes, chip)};
    tkc_result_free(result);
    affines_open(&tiles.affines, &tiles.bench->context, bench_function(tiles.bench));
    return tiles;
}

// For a chip with dots on registers.
static UNUSED struct tile_bench tiles_open(const char *file, const char *text, const char *kernel,
                                           const char *pass, const char *signature) {
    return tiles_open_on("sm_90", file, text, kernel, pass, signature);
}

static UNUSED void tiles_close(struct tile_bench *tiles) {
    affines_close(&tiles->affines);
    bench_close(tiles->bench);
}

// ---- an access in words ----

static UNUSED void describe_symbol(const struct tile_bench *t, struct affine_symbol symbol,
                                   struct strbuf *out) {
    if (mlirValueIsNull(symbol.value)) {
        strbuf_add(out, "iteration");
    } else if (!mlirValueIsABlockArgument(symbol.value)) {
        MlirOperation op = mlirOpResultGetOwner(symbol.value);
        enum op_kind kind = op_kind(t->bench->ir, op);
        strbuf_add(out, strchr(op_table[kind].name, '.') + 1);
        if (kind == OP_PROGRAM_ID) {
            strbuf_printf(out, "%d", (int)op_int(op, ATTR_AXIS));
        }
    } else if (mlirBlockEqual(mlirBlockArgumentGetOwner(symbol.value), op_body(t->affines.function, 0))) {
        strbuf_printf(out, "arg%d", (int)mlirBlockArgumentGetArgNumber(symbol.value));
    } else {
        strbuf_printf(out, mlirBlockArgumentGetArgNumber(symbol.value) ? "carried" : "variable");
    }
}

static UNUSED void describe_index(const struct tile_bench *t, const struct tile_index *index,
                                  struct strbuf *out) {
    for (int i = 0; i < index->term_count; i++) {
        strbuf_printf(out, "%s%lld", i ? "+" : "", (long long)index->terms[i].factor);
        for (int s = 0; s < index->terms[i].symbol_count; s++) {
            strbuf_add(out, "*");
            describe_symbol(t, index->terms[i].symbols[s], out);
        }
    }
    if (index->constant || !index->term_count) {
        strbuf_printf(out, "%s%lld", index->term_count ? "+" : "", (long long)index->constant);
    }
    strbuf_add(out, index->wide ? " wide" : "");
}

static UNUSED void describe_size(struct tile_size size, struct strbuf *out) {
    if (size.factor != 1 || size.parameters[0] < 0) {
        strbuf_printf(out, size.parameters[0] < 0 ? "%lld" : "%lld*", (long long)size.factor);
    }
    for (int i = 0; i < AFFINE_FACTORS && size.parameters[i] >= 0; i++) {
        strbuf_printf(out,
                      i               ? "*arg%d"
                      : size.over > 1 ? "(arg%d/%lld)"
                                      : "arg%d",
                      size.parameters[i], (long long)size.over);
    }
    if (size.constant) {
        strbuf_printf(out, "%+lld", (long long)size.constant);
    }
}

// "arg0+arg3 [1 t1 x64 at 64*variable <arg5] [arg6 t0 x128 at 128*divsi <arg3 wrapped] tma"; or with "not", and why no tensor copy moves
// it; or "no" and why it is no box.
static UNUSED char *describe(struct tile_bench *t, MlirOperation access) {
    struct tile_access a;
    struct strbuf out = {0};
    if (!tile_access_of(&t->affines, access, &a)) {
        strbuf_printf(&out, "no %s", reason_name(t->bench->context.declined.reason));
        return out.data;
    }
    strbuf_printf(&out, "arg%d", (int)mlirBlockArgumentGetArgNumber(a.base));
    for (int i = 0; i < a.offset_count; i++) {
        strbuf_add(&out, "+");
        describe_size(a.offsets[i], &out);
    }
    for (unsigned n = 0; n < a.rank; n++) {
        const struct tile_dim *dim = &a.dim[n];
        strbuf_add(&out, " [");
        describe_size(dim->stride, &out);
        if (dim->tile_dimension >= 0) {
            strbuf_printf(&out, " t%d x%lld", dim->tile_dimension, (long long)dim->extent);
        }
        strbuf_add(&out, " at ");
        describe_index(t, &dim->first, &out);
        strbuf_add(&out, dim->part == TILE_LOW ? " low" : dim->part == TILE_HIGH ? " high" : "");
        if (dim->bounded) {
            strbuf_add(&out, " <");
            describe_size(dim->bound, &out);
        }
        strbuf_add(&out, dim->tests_first ? " tested" : "");
        strbuf_add(&out, dim->cut ? " cut" : "");
        if (dim->cut_by >= 0) {
            strbuf_printf(&out, " behind %d", dim->cut_by);
        }
        if (dim->wrapped) {
            strbuf_add(&out, rows_beyond_are_dead(&t->affines, access, dim) ? " wrapped dead" : " wrapped");
        }
        strbuf_add(&out, "]");
    }
    if (a.guard_count) {
        strbuf_printf(&out, " guards %d", a.guard_count);
    }
    if (tile_access_fits_tma(&t->affines, &a)) {
        strbuf_add(&out, " tma");
    } else {
        strbuf_printf(&out, " not %s", reason_name(t->bench->context.declined.reason));
    }
    return out.data;
}

// The loads and stores of tiles, in program order and a line each, are `expected`.
static UNUSED void expect_accesses(struct tile_bench *t, const char *expected) {
    size_t count;
    struct strbuf found = {0};
    MlirOperation *ops = bench_ops(t->bench, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(t->bench->ir, ops[i]);
        if ((kind != OP_LOAD && kind != OP_STORE) ||
            !type_is_tensor(mlirValueGetType(mlirOperationGetOperand(ops[i], 0)))) {
            continue;
        }
        char *text = describe(t, ops[i]);
        strbuf_printf(&found, "%s\n", text);
        free(text);
    }
    assert_string_equal(strbuf_text(&found), expected);
    strbuf_free(&found);
}

#define EXPECT(file, text, kernel, pass, expected)                                                           \
    do {                                                                                                     \
        struct tile_bench tiles = tiles_open(file, text, kernel, pass, NULL);                                \
        expect_accesses(&tiles, expected);                                                                   \
        tiles_close(&tiles);                                                                                 \
    } while (0)

// ---- small kernels ----

#define HEAD "import triton\nimport triton.language as tl\n\n@triton.jit\n"
#define COPY(parameters, body)                                                                               \
    HEAD "def kernel(x: '*fp16:16', y: '*fp16:16', M: 'i32', N: 'i32', s: 'i32:16'" parameters "):\n"        \
         "    i = tl.arange(0, 64)\n"                                                                        \
         "    j = tl.arange(0, 128)\n"                                                                       \
         "    row = tl.program_id(0) * 64 + i\n"                                                             \
         "    column = tl.program_id(1) * 128 + j\n" body

// A kernel that loads the tile t, 64 × 128, by the given lines and stores it to a full row-major tile.
#define LOADS(parameters, body, expected)                                                                    \
    EXPECT(NULL, COPY(parameters, body "    tl.store(y + i[:, None] * 128 + j[None, :], t)\n"), NULL,        \
           "cleanup", expected "arg1 [1 t1 x128 at 0] [128 t0 x64 at 0] tma\n")

#endif
