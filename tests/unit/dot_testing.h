// Dots for tests: a kernel of one dot in tile IR, its cases by chip and type, and the way through the passes.
#ifndef TKC_TESTS_DOT_TESTING_H
#define TKC_TESTS_DOT_TESTING_H

#include "chip_testing.h"

#include <llvm-c/Core.h>

#include "ir/build.h"
#include "passes/pass.h"
#include "support/strbuf.h"
#include "codegen/llvmgen.h"
#include "lower/lower.h"
#include "chip/mma.h"

// ---- element types ----

struct element {
    const char *name;
    unsigned bits;
    int exponent_bits, mantissa_bits, bias; // floats; 0: integer
};

static const struct element elements[] = {
    {"f16", 16, 5, 10, 15},      {"bf16", 16, 8, 7, 127},  {"f32", 32, 8, 23, 127},
    {"f64", 64, 11, 52, 1023},   {"f8E4M3FN", 8, 4, 3, 7}, {"f8E5M2", 8, 5, 2, 15},
    {"i8", 8, 0, 0, 0},          {"i32", 32, 0, 0, 0},     {"f8E4M3FNUZ", 8, 4, 3, 8},
    {"f8E5M2FNUZ", 8, 5, 2, 16},
};

static const struct element *element_named(const char *name) {
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (strcmp(elements[i].name, name) == 0) {
            return &elements[i];
        }
    }
    fail_msg("no element type %s", name);
    return NULL;
}

// ---- the kernel ----

struct shape {
    int batch, m, n, k; // batch 0: rank 2
};

struct dot_case {
    const char *chip, *a, *b, *acc, *precision;
    struct shape shape;
    int warps;
    const char *instruction; // expected; "": multiply-adds
    double step;             // of the operands' values; 0: 1
    double tolerance;        // 0: exact
};

static inline void tile_type(char *out, size_t size, const struct shape *shape, int rows, int columns,
                             const char *element) {
    if (shape->batch) {
        snprintf(out, size, "tensor<%dx%dx%dx%s>", shape->batch, rows, columns, element);
    } else {
        snprintf(out, size, "tensor<%dx%dx%s>", rows, columns, element);
    }
}

// A tensor of i32 with extent[dim] and an extent of 1 for each other dimension made so far (bits of `made`).
static inline void vector_type(char out[64], int dim, unsigned made, const int *extent) {
    int length = snprintf(out, 64, "tensor<");
    for (int d = 0; d < 3; d++) {
        if (d == dim || (made >> d & 1)) {
            length += snprintf(out + length, 64 - (size_t)length, "%dx", d == dim ? extent[d] : 1);
        }
    }
    snprintf(out + length, 64 - (size_t)length, "i32>");
}

// The range along one dimension, times its stride, broadcast to the whole index tile: value %<name><dim>.
static inline void index_part(struct strbuf *text, char name, int dim, int rank, const int *extent,
                              int stride, const char *whole) {
    char from[64], to[64];
    unsigned made = 0, step = 0;
    vector_type(from, dim, made, extent);
    strbuf_printf(text, "%%%c%dr = \"tk.range\"() {start = 0 : i32, end = %d : i32} : () -> %s\n", name, dim,
                  extent[dim], from);
    strbuf_printf(text, "%%%c%dc = arith.constant dense<%d> : %s\n", name, dim, stride, from);
    strbuf_printf(text, "%%%c%dq0 = arith.muli %%%c%dr, %%%c%dc : %s\n", name, dim, name, dim, name, dim,
                  from);
    for (int other = 0; other < rank; other++) {
        if (other == dim) {
            continue;
        }
        made |= 1u << other;
        vector_type(to, dim, made, extent);
        strbuf_printf(text, "%%%c%dq%u = \"tk.expand_dims\"(%%%c%dq%u) {axis = %d : i32} : (%s) -> %s\n",
                      name, dim, step + 1, name, dim, step, other, from, to);
        step++;
        memcpy(from, to, sizeof from);
    }
    strbuf_printf(text, "%%%c%d = \"tk.broadcast\"(%%%c%dq%u) : (%s) -> %s\n", name, dim, name, dim, step,
                  from, whole);
}

// Pointers to all elements of an argument in row-major order, as value %<name>p.
static inline void pointer_tile(struct strbuf *text, const struct shape *shape, char name, int rows,
                                int columns, const char *element) {
    char index[96], pointers[96], pointee[48];
    int rank = shape->batch ? 3 : 2, extent[3] = {shape->batch, rows, columns},
        stride[3] = {rows * columns, columns, 1};
    const int *extents = extent + 3 - rank, *strides = stride + 3 - rank;
    tile_type(index, sizeof index, shape, rows, columns, "i32");
    snprintf(pointee, sizeof pointee, "!tk.ptr<%s>", element);
    tile_type(pointers, sizeof pointers, shape, rows, columns, pointee);
    for (int dim = 0; dim < rank; dim++) {
        index_part(text, name, dim, rank, extents, strides[dim], index);
    }
    strbuf_printf(text, "%%%cs1 = arith.addi %%%c0, %%%c1 : %s\n", name, name, name, index);
    if (rank == 3) {
        strbuf_printf(text, "%%%cs2 = arith.addi %%%cs1, %%%c2 : %s\n", name, name, name, index);
    }
    strbuf_printf(text, "%%%cs = \"tk.splat\"(%%%c) : (%s) -> %s\n", name, name, pointee, pointers);
    strbuf_printf(text, "%%%cp = \"tk.addptr\"(%%%cs, %%%cs%d) : (%s, %s) -> %s\n", name, name, name,
                  rank - 1, pointers, index, pointers);
}

static inline void kernel_text(struct strbuf *text, const struct dot_case *c) {
    const struct shape *s = &c->shape;
    char a[96], b[96], d[96], pa[96], pb[96], pd[96], pointee[48];
    tile_type(a, sizeof a, s, s->m, s->k, c->a);
    tile_type(b, sizeof b, s, s->k, s->n, c->b);
    tile_type(d, sizeof d, s, s->m, s->n, c->acc);
    snprintf(pointee, sizeof pointee, "!tk.ptr<%s>", c->a);
    tile_type(pa, sizeof pa, s, s->m, s->k, pointee);
    snprintf(pointee, sizeof pointee, "!tk.ptr<%s>", c->b);
    tile_type(pb, sizeof pb, s, s->k, s->n, pointee);
    snprintf(pointee, sizeof pointee, "!tk.ptr<%s>", c->acc);
    tile_type(pd, sizeof pd, s, s->m, s->n, pointee);
    strbuf_printf(
        text,
        "module { func.func @dot(%%a: !tk.ptr<%s> {tk.divisibility = 16 : i32}, %%b: !tk.ptr<%s> "
        "{tk.divisibility = "
        "16 : i32}, %%d: !tk.ptr<%s> {tk.divisibility = 16 : i32}) attributes {tk.num_warps = %d : i32} {\n",
        c->a, c->b, c->acc, c->warps);
    pointer_tile(text, s, 'a', s->m, s->k, c->a);
    pointer_tile(text, s, 'b', s->k, s->n, c->b);
    pointer_tile(text, s, 'd', s->m, s->n, c->acc);
    strbuf_printf(text, "%%x = \"tk.load\"(%%ap) : (%s) -> %s\n%%y = \"tk.load\"(%%bp) : (%s) -> %s\n", pa, a,
                  pb, b);
    strbuf_printf(text, "%%one = arith.constant dense<1%s> : %s\n",
                  element_named(c->acc)->exponent_bits ? ".0" : "", d);
    strbuf_printf(text, "%%z = \"tk.dot\"(%%x, %%y, %%one) {precision = \"%s\"} : (%s, %s, %s) -> %s\n",
                  c->precision, a, b, d, d);
    strbuf_printf(text, "\"tk.store\"(%%dp, %%z) : (%s, %s) -> ()\nreturn\n} }\n", pd, d);
}

// Replaces the conversion of a dot's operand by a trip through a swizzled shared tile.
static inline void through_shared(struct ir *ir, MlirOperation dot, int operand, bool columns_first) {
    MlirOperation convert = value_op(mlirOperationGetOperand(dot, operand));
    if (mlirOperationIsNull(convert) || op_kind(ir, convert) != OP_CONVERT_LAYOUT) {
        return;
    }
    MlirValue source = mlirOperationGetOperand(convert, 0);
    MlirType type = mlirValueGetType(source);
    int64_t shape[LAYOUT_MAX_RANK];
    unsigned order[LAYOUT_MAX_RANK], rank = (unsigned)type_rank(type);
    for (unsigned dim = 0; dim < rank; dim++) {
        shape[dim] = type_extent(type, (int)dim);
        order[dim] = rank - 1 - dim;
    }
    if (columns_first) {
        order[0] = rank - 2, order[1] = rank - 1;
    }
    unsigned bytes = type_bits(type_element(type)) / 8;
    struct layout shared = layout_mma_shared(rank, shape, order, bytes);
    struct builder b = builder_before(ir, convert);
    MlirValue slot = VALUE(&b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type_with_layout(ir, type, &shared)),
                           ATTRS(attr_i32(&b, ATTR_STAGES, 1)));
    OP(&b, OP_SMEM_STORE, OPERANDS(slot, source), NO_RESULTS, NO_ATTRS);
    OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    MlirValue loaded = VALUE(&b, OP_SMEM_LOAD, OPERANDS(slot),
                             RESULTS(mlirValueGetType(mlirOperationGetResult(convert, 0))), NO_ATTRS);
    mlirOperationSetOperand(dot, operand, loaded);
}

static inline void operands_through_shared(struct ir *ir, struct arena *arena, MlirModule module,
                                           bool columns_first) {
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(ir, ops[i]) == OP_DOT) {
            through_shared(ir, ops[i], 0, columns_first);
            through_shared(ir, ops[i], 1, columns_first);
        }
    }
}

static inline unsigned shared_bytes_of(struct ir *ir, struct arena *arena, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_has(ops[i], ATTR_SHARED_BYTES)) {
            return (unsigned)op_int(ops[i], ATTR_SHARED_BYTES);
        }
    }
    return 0;
}

static inline void check_instruction(struct ir *ir, struct arena *arena, MlirModule module,
                                     const struct dot_case *c) {
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(ir, ops[i]) == OP_DOT) {
            MlirStringRef name = op_string(ops[i], ATTR_INSTRUCTION);
            char found[64];
            snprintf(found, sizeof found, "%.*s", (int)name.length, name.data ? name.data : "");
            assert_string_equal(found, c->instruction);
        }
    }
}

struct lowered_dot {
    struct diag diag;
    struct ir *ir;
    struct arena *arena;
    MlirModule tiles;
    const struct target *target;
    LLVMContextRef context;
    LLVMModuleRef module;
    unsigned shared_bytes;
};

// variant 0: operands converted from the loaded layout; 1, 2: read from a shared tile with rows or columns
// contiguous.
static inline void lower_dot_case(struct lowered_dot *t, const struct dot_case *c, int variant) {
    struct strbuf text = {0};
    kernel_text(&text, c);
    memset(t, 0, sizeof *t);
    t->ir = ir_create(&t->diag);
    t->arena = arena_create();
    t->target = target_find(c->chip);
    struct pass_context context = {.ir = t->ir, .target = t->target, .arena = t->arena, .diag = &t->diag};
    t->tiles = ir_parse(t->ir, text.data, "dot.mlir");
    assert_false(mlirModuleIsNull(t->tiles));
    static const char *const passes[] = {"cleanup", "legal_dots",   "layouts",
                                         "finish",  "shared_alloc", "barriers"};
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (i == 3 && variant > 0) {
            operands_through_shared(t->ir, t->arena, t->tiles, variant == 2);
        }
        assert_true(pass_run_one(&context, t->tiles, passes[i]));
    }
    check_instruction(t->ir, t->arena, t->tiles, c);
    t->shared_bytes = shared_bytes_of(t->ir, t->arena, t->tiles);
    t->context = LLVMContextCreate();
    t->module =
        lower_module(t->ir, t->tiles, t->target, t->context, &(struct lower_options){.debug = DEBUG_NONE});
    assert_non_null(t->module);
    llvmgen_optimise(t->module, t->target, 2, NULL);
    if (getenv("DUMP")) {
        LLVMDumpModule(t->module);
    }
    strbuf_free(&text);
}

// All but the LLVM module and its context.
static inline void lowered_dot_free(struct lowered_dot *t) {
    mlirModuleDestroy(t->tiles);
    arena_destroy(t->arena);
    ir_destroy(t->ir);
}

// ---- cases: every row of mma.def, and dots without a row ----

static const struct dot_case nvidia_cases[] = {
    {"sm_80", "f16", "f16", "f32", "tf32", {0, 64, 32, 64}, 4, "mma.m16n8k16.f16", 0, 0},
    {"sm_80", "f16", "f16", "f32", "tf32", {0, 16, 16, 16}, 1, "mma.m16n8k16.f16", 0, 0},
    {"sm_80", "f16", "f16", "f32", "tf32", {2, 32, 32, 32}, 4, "mma.m16n8k16.f16", 0, 0},
    {"sm_80", "f16", "f16", "f32", "tf32", {0, 32, 32, 8}, 2, "mma.m16n8k8.f16", 0, 0},
    {"sm_80", "f16", "f16", "f16", "tf32", {0, 64, 32, 64}, 4, "mma.m16n8k16.f16.f16", 0, 0},
    {"sm_80", "f16", "f16", "f16", "tf32", {2, 32, 32, 16}, 2, "mma.m16n8k16.f16.f16", 0, 0},
    {"sm_75", "f16", "f16", "f16", "tf32", {0, 32, 32, 16}, 2, "mma.m16n8k8.f16.f16", 0, 0},
    {"sm_80", "bf16", "bf16", "f32", "tf32", {0, 32, 64, 32}, 4, "mma.m16n8k16.bf16", 0, 0},
    {"sm_80", "bf16", "bf16", "f32", "tf32", {0, 32, 64, 8}, 8, "mma.m16n8k8.bf16", 0, 0},
    {"sm_80", "f32", "f32", "f32", "tf32", {0, 32, 32, 32}, 4, "mma.m16n8k8.tf32", 0, 0},
    {"sm_80", "f32", "f32", "f32", "tf32", {0, 32, 32, 4}, 2, "mma.m16n8k4.tf32", 0, 0},
    {"sm_80", "f32", "f32", "f32", "tf32x3", {0, 32, 32, 32}, 4, "mma.m16n8k8.tf32", 1.0 / 7, 2e-5},
    {"sm_80", "f32", "f32", "f32", "ieee", {0, 32, 32, 16}, 4, "", 1.0 / 7, 1e-5},
    {"sm_80", "f32", "f32", "f32", "bf16x6", {0, 32, 32, 16}, 4, "mma.m16n8k16.bf16", 1.0 / 7, 2e-5},
    {"sm_80", "i8", "i8", "i32", "tf32", {0, 32, 32, 64}, 4, "mma.m16n8k32.s8", 0, 0},
    {"sm_80", "i8", "i8", "i32", "tf32", {0, 32, 32, 16}, 2, "mma.m16n8k16.s8", 0, 0},
    {"sm_80", "f64", "f64", "f64", "tf32", {0, 32, 16, 16}, 4, "mma.m8n8k4.f64", 0, 0},
    {"sm_80", "f8E4M3FN", "f8E5M2", "f32", "tf32", {0, 32, 32, 32}, 4, "mma.m16n8k16.f16", 0, 0},
    {"sm_75", "f16", "f16", "f32", "tf32", {0, 64, 32, 32}, 4, "mma.m16n8k8.f16", 0, 0},
    {"sm_75", "i8", "i8", "i32", "tf32", {0, 32, 32, 32}, 4, "mma.m8n8k16.s8", 0, 0},
    {"sm_75", "bf16", "bf16", "f32", "tf32", {0, 16, 16, 16}, 4, "", 0, 0},
};
static const struct dot_case nvidia_f8_cases[] = {
    {"sm_89", "f8E4M3FN", "f8E4M3FN", "f32", "tf32", {0, 32, 32, 64}, 4, "mma.m16n8k32.e4m3", 0, 0},
    {"sm_89", "f8E4M3FN", "f8E5M2", "f32", "tf32", {0, 32, 32, 32}, 4, "mma.m16n8k32.e4m3.e5m2", 0, 0},
    {"sm_90a", "f8E5M2", "f8E4M3FN", "f32", "tf32", {0, 32, 32, 32}, 4, "mma.m16n8k32.e5m2.e4m3", 0, 0},
    {"sm_90a", "f8E5M2", "f8E5M2", "f32", "tf32", {0, 32, 32, 32}, 4, "mma.m16n8k32.e5m2", 0, 0},
};
static const struct dot_case mfma_cases[] = {
    {"gfx90a", "f16", "f16", "f32", "tf32", {0, 64, 64, 32}, 4, "mfma.f32.32x32x8f16", 0, 0},
    {"gfx942", "f16", "f16", "f32", "tf32", {2, 32, 32, 32}, 1, "mfma.f32.32x32x8f16", 0, 0},
    {"gfx90a", "f16", "f16", "f32", "tf32", {0, 32, 32, 32}, 4, "mfma.f32.16x16x16f16", 0, 0},
    {"gfx90a", "bf16", "bf16", "f32", "tf32", {0, 64, 64, 16}, 2, "mfma.f32.32x32x8bf16.1k", 0, 0},
    {"gfx942", "bf16", "bf16", "f32", "tf32", {0, 16, 64, 16}, 4, "mfma.f32.16x16x16bf16.1k", 0, 0},
    {"gfx908", "bf16", "bf16", "f32", "tf32", {0, 64, 64, 16}, 2, "mfma.f32.32x32x4bf16", 0, 0},
    {"gfx908", "bf16", "bf16", "f32", "tf32", {0, 16, 64, 16}, 4, "mfma.f32.16x16x8bf16", 0, 0},
    {"gfx942", "f32", "f32", "f32", "tf32", {0, 64, 64, 16}, 4, "mfma.f32.32x32x4.xf32", 0, 0},
    {"gfx942", "f32", "f32", "f32", "tf32", {0, 32, 32, 16}, 4, "mfma.f32.16x16x8.xf32", 0, 0},
    {"gfx942", "f32", "f32", "f32", "tf32x3", {0, 32, 32, 16}, 4, "mfma.f32.16x16x8.xf32", 1.0 / 7, 2e-5},
    {"gfx90a", "f32", "f32", "f32", "tf32", {0, 64, 64, 8}, 4, "mfma.f32.32x32x2f32", 0, 0},
    {"gfx90a", "f32", "f32", "f32", "ieee", {0, 32, 32, 16}, 4, "mfma.f32.16x16x4f32", 1.0 / 7, 1e-5},
    {"gfx90a", "f64", "f64", "f64", "tf32", {0, 32, 32, 8}, 4, "mfma.f64.16x16x4f64", 0, 0},
    {"gfx90a", "i8", "i8", "i32", "tf32", {0, 64, 64, 32}, 4, "mfma.i32.32x32x8i8", 0, 0},
    {"gfx90a", "i8", "i8", "i32", "tf32", {0, 32, 32, 32}, 4, "mfma.i32.16x16x16i8", 0, 0},
    {"gfx942", "i8", "i8", "i32", "tf32", {0, 64, 64, 32}, 4, "mfma.i32.32x32x16.i8", 0, 0},
    {"gfx942", "i8", "i8", "i32", "tf32", {0, 32, 32, 32}, 4, "mfma.i32.16x16x32.i8", 0, 0},
    {"gfx942", "f8E4M3FN", "f8E4M3FN", "f32", "tf32", {0, 64, 64, 32}, 4, "mfma.f32.32x32x8f16", 0, 0},
};
static const struct dot_case sm_120a_cases[] = {
    {"sm_121a",
     "f8E4M3FN",
     "f8E4M3FN",
     "f32",
     "tf32",
     {0, 32, 32, 64},
     4,
     "mma.f8f6f4.m16n8k32.e4m3.e4m3",
     0,
     0},
    {"sm_120a",
     "f8E4M3FN",
     "f8E5M2",
     "f32",
     "tf32",
     {0, 32, 32, 64},
     4,
     "mma.f8f6f4.m16n8k32.e4m3.e5m2",
     0,
     0},
    {"sm_120a",
     "f8E5M2",
     "f8E4M3FN",
     "f32",
     "tf32",
     {0, 32, 32, 64},
     4,
     "mma.f8f6f4.m16n8k32.e5m2.e4m3",
     0,
     0},
    {"sm_121a", "f8E5M2", "f8E5M2", "f32", "tf32", {0, 32, 32, 64}, 4, "mma.f8f6f4.m16n8k32.e5m2.e5m2", 0, 0},
};
// The operands of AMD's instructions are those of the transposed product.
#define GFX950_F8(A, B, OPERANDS)                                                                            \
    {"gfx950", A, B, "f32", "tf32", {0, 64, 64, 64}, 4, "mfma.f32.32x32x64.f8f6f4." OPERANDS, 0, 0},         \
        {"gfx950", A, B, "f32", "tf32", {0, 32, 32, 128}, 4, "mfma.f32.16x16x128.f8f6f4." OPERANDS, 0, 0},   \
        {"gfx950", A, B, "f32", "tf32", {0, 64, 64, 32}, 4, "mfma.f32.32x32x16." OPERANDS ".ocp", 0, 0}, {   \
        "gfx950", A, B, "f32", "tf32", {0, 32, 32, 32}, 4, "mfma.f32.16x16x32." OPERANDS ".ocp", 0, 0        \
    }
static const struct dot_case gfx950_cases[] = {
    {"gfx950", "f16", "f16", "f32", "tf32", {2, 64, 64, 32}, 4, "mfma.f32.32x32x16.f16", 0, 0},
    {"gfx950", "f16", "f16", "f32", "tf32", {0, 32, 32, 32}, 4, "mfma.f32.16x16x32.f16", 0, 0},
    {"gfx950", "f16", "f16", "f32", "tf32", {0, 64, 64, 8}, 4, "mfma.f32.32x32x8f16", 0, 0},
    {"gfx950", "bf16", "bf16", "f32", "tf32", {0, 64, 64, 16}, 2, "mfma.f32.32x32x16.bf16", 0, 0},
    {"gfx950", "bf16", "bf16", "f32", "tf32", {0, 16, 64, 32}, 4, "mfma.f32.16x16x32.bf16", 0, 0},
    {"gfx950", "f32", "f32", "f32", "tf32", {0, 64, 64, 16}, 4, "mfma.f32.32x32x2f32", 0, 0},
    {"gfx950", "i8", "i8", "i32", "tf32", {0, 64, 64, 32}, 4, "mfma.i32.32x32x32.i8", 0, 0},
    {"gfx950", "i8", "i8", "i32", "tf32", {0, 32, 32, 64}, 4, "mfma.i32.16x16x64.i8", 0, 0},
    {"gfx950", "f8E4M3FNUZ", "f8E4M3FNUZ", "f32", "tf32", {0, 64, 64, 32}, 4, "mfma.f32.32x32x16.f16", 0, 0},
    GFX950_F8("f8E4M3FN", "f8E4M3FN", "fp8.fp8"),
    GFX950_F8("f8E5M2", "f8E4M3FN", "fp8.bf8"),
    GFX950_F8("f8E4M3FN", "f8E5M2", "bf8.fp8"),
    GFX950_F8("f8E5M2", "f8E5M2", "bf8.bf8"),
};
#undef GFX950_F8
static const struct dot_case wmma_cases[] = {
    {"gfx1100", "f16", "f16", "f32", "tf32", {0, 64, 32, 32}, 4, "wmma.f32.16x16x16.f16.gfx11", 0, 0},
    {"gfx1100", "f16", "f16", "f32", "tf32", {2, 16, 32, 16}, 2, "wmma.f32.16x16x16.f16.gfx11", 0, 0},
    {"gfx1100", "bf16", "bf16", "f32", "tf32", {0, 32, 32, 32}, 4, "wmma.f32.16x16x16.bf16.gfx11", 0, 0},
    {"gfx1100", "i8", "i8", "i32", "tf32", {0, 32, 32, 32}, 4, "wmma.i32.16x16x16.iu8.gfx11", 0, 0},
    {"gfx1100", "f64", "f64", "f64", "tf32", {0, 16, 16, 16}, 4, "", 0, 0},
    {"gfx1200", "f16", "f16", "f32", "tf32", {0, 64, 32, 32}, 4, "wmma.f32.16x16x16.f16.gfx12", 0, 0},
    {"gfx1200", "bf16", "bf16", "f32", "tf32", {0, 32, 32, 32}, 8, "wmma.f32.16x16x16.bf16.gfx12", 0, 0},
    {"gfx1200", "i8", "i8", "i32", "tf32", {0, 32, 32, 32}, 4, "wmma.i32.16x16x16.iu8.gfx12", 0, 0},
    {"gfx1200", "f8E4M3FN", "f8E4M3FN", "f32", "tf32", {0, 32, 32, 32}, 4, "wmma.f32.16x16x16.fp8.fp8", 0, 0},
    {"gfx1200", "f8E4M3FN", "f8E5M2", "f32", "tf32", {0, 32, 32, 32}, 4, "wmma.f32.16x16x16.bf8.fp8", 0, 0},
    {"gfx1200", "f8E5M2", "f8E4M3FN", "f32", "tf32", {0, 32, 32, 32}, 4, "wmma.f32.16x16x16.fp8.bf8", 0, 0},
    {"gfx1200", "f8E5M2", "f8E5M2", "f32", "tf32", {0, 32, 32, 32}, 4, "wmma.f32.16x16x16.bf8.bf8", 0, 0},
};
// The products are transposed: the instruction's A has the type of the dot's B.
#define GFX1250_F8(a, b, k, types)                                                                           \
    { "gfx1250", a, b, "f32", "tf32", {0, 32, 32, k}, 4, "wmma.f32.16x16x" #k "." types, 0, 0 }
#define GFX1250_F8_DEPTHS(a, b, types) GFX1250_F8(a, b, 64, types), GFX1250_F8(a, b, 128, types)
static const struct dot_case gfx1250_cases[] = {
    {"gfx1250", "f16", "f16", "f32", "tf32", {0, 64, 32, 32}, 4, "wmma.f32.16x16x32.f16", 0, 0},
    {"gfx1250", "f16", "f16", "f32", "tf32", {2, 16, 32, 64}, 2, "wmma.f32.16x16x32.f16", 0, 0},
    {"gfx1250", "bf16", "bf16", "f32", "tf32", {0, 32, 32, 32}, 4, "wmma.f32.16x16x32.bf16", 0, 0},
    {"gfx1250", "i8", "i8", "i32", "tf32", {0, 32, 32, 64}, 4, "wmma.i32.16x16x64.iu8", 0, 0},
    {"gfx1250", "f32", "f32", "f32", "ieee", {0, 32, 32, 16}, 4, "wmma.f32.16x16x4.f32", 0, 0},
    GFX1250_F8_DEPTHS("f8E4M3FN", "f8E4M3FN", "fp8.fp8"),
    GFX1250_F8_DEPTHS("f8E4M3FN", "f8E5M2", "bf8.fp8"),
    GFX1250_F8_DEPTHS("f8E5M2", "f8E4M3FN", "fp8.bf8"),
    GFX1250_F8_DEPTHS("f8E5M2", "f8E5M2", "bf8.bf8"),
};
#undef GFX1250_F8_DEPTHS
#undef GFX1250_F8
static const struct dot_case mfma_f8_cases[] = {
    {"gfx942",
     "f8E4M3FNUZ",
     "f8E4M3FNUZ",
     "f32",
     "tf32",
     {0, 32, 32, 32},
     4,
     "mfma.f32.16x16x32.fp8.fp8",
     0,
     0},
    {"gfx942",
     "f8E5M2FNUZ",
     "f8E4M3FNUZ",
     "f32",
     "tf32",
     {0, 32, 32, 32},
     4,
     "mfma.f32.16x16x32.fp8.bf8",
     0,
     0},
    {"gfx942",
     "f8E4M3FNUZ",
     "f8E5M2FNUZ",
     "f32",
     "tf32",
     {0, 32, 32, 32},
     4,
     "mfma.f32.16x16x32.bf8.fp8",
     0,
     0},
    {"gfx942",
     "f8E5M2FNUZ",
     "f8E5M2FNUZ",
     "f32",
     "tf32",
     {0, 32, 32, 32},
     4,
     "mfma.f32.16x16x32.bf8.bf8",
     0,
     0},
    {"gfx942",
     "f8E4M3FNUZ",
     "f8E4M3FNUZ",
     "f32",
     "tf32",
     {0, 64, 64, 32},
     4,
     "mfma.f32.32x32x16.fp8.fp8",
     0,
     0},
    {"gfx942",
     "f8E5M2FNUZ",
     "f8E4M3FNUZ",
     "f32",
     "tf32",
     {0, 64, 64, 32},
     4,
     "mfma.f32.32x32x16.fp8.bf8",
     0,
     0},
    {"gfx942",
     "f8E4M3FNUZ",
     "f8E5M2FNUZ",
     "f32",
     "tf32",
     {0, 64, 64, 32},
     4,
     "mfma.f32.32x32x16.bf8.fp8",
     0,
     0},
    {"gfx942",
     "f8E5M2FNUZ",
     "f8E5M2FNUZ",
     "f32",
     "tf32",
     {0, 64, 64, 32},
     4,
     "mfma.f32.32x32x16.bf8.bf8",
     0,
     0},
};

static const struct {
    const struct dot_case *cases;
    size_t count;
} dot_cases[] = {
#define CASES(name)                                                                                          \
    { name, sizeof name / sizeof *name }
    CASES(nvidia_cases), CASES(nvidia_f8_cases), CASES(mfma_cases),    CASES(mfma_f8_cases),
    CASES(wmma_cases),   CASES(gfx1250_cases),   CASES(sm_120a_cases), CASES(gfx950_cases),
#undef CASES
};

#endif
