// Dots on the emulator: every row of mma.def computes a product, on a chip that has it.
//
// A kernel loads a and b, multiplies them and stores the result. Values are small integers, which every
// operand type holds exactly and every sum holds exactly in any order, so the results must be equal to the
// bit. Each dot runs twice: operands converted from the loaded layout, and read from a swizzled shared tile
// as a pipelined loop does (ldmatrix where it fits), stored there in both orders.
#include "emulator_harness.h"

#include "ir/build.h"
#include "passes/pass.h"
#include "support/strbuf.h"
#include "target/llvmgen.h"
#include "target/lower.h"
#include "target/mma.h"

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

// A small value, exactly.
static uint64_t encode(const struct element *type, double value) {
    if (!type->exponent_bits) {
        return (uint64_t)(int64_t)value & (~(uint64_t)0 >> (64 - type->bits));
    }
    if (value == 0) {
        return 0;
    }
    int exponent = 0;
    double fraction = value < 0 ? -value : value;
    for (; fraction >= 2; fraction /= 2) {
        exponent++;
    }
    for (; fraction < 1; fraction *= 2) {
        exponent--;
    }
    uint64_t mantissa = (uint64_t)((fraction - 1) * (double)((uint64_t)1 << type->mantissa_bits));
    uint64_t sign = value < 0 ? (uint64_t)1 << (type->bits - 1) : 0;
    return sign | (uint64_t)(exponent + type->bias) << type->mantissa_bits | mantissa;
}

static double decode(const struct element *type, const void *at) {
    int32_t i;
    float f;
    double d;
    if (type->bits == 64) {
        memcpy(&d, at, 8);
        return d;
    }
    if (type->exponent_bits) {
        memcpy(&f, at, 4);
        return f;
    }
    memcpy(&i, at, 4);
    return i;
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

static void tile_type(char *out, size_t size, const struct shape *shape, int rows, int columns,
                      const char *element) {
    if (shape->batch) {
        snprintf(out, size, "tensor<%dx%dx%dx%s>", shape->batch, rows, columns, element);
    } else {
        snprintf(out, size, "tensor<%dx%dx%s>", rows, columns, element);
    }
}

// A tensor of i32 with extent[dim] and an extent of 1 for each other dimension made so far (bits of `made`).
static void vector_type(char out[64], int dim, unsigned made, const int *extent) {
    int length = snprintf(out, 64, "tensor<");
    for (int d = 0; d < 3; d++) {
        if (d == dim || (made >> d & 1)) {
            length += snprintf(out + length, 64 - (size_t)length, "%dx", d == dim ? extent[d] : 1);
        }
    }
    snprintf(out + length, 64 - (size_t)length, "i32>");
}

// The range along one dimension, times its stride, broadcast to the whole index tile: value %<name><dim>.
static void index_part(struct strbuf *text, char name, int dim, int rank, const int *extent, int stride,
                       const char *whole) {
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
static void pointer_tile(struct strbuf *text, const struct shape *shape, char name, int rows, int columns,
                         const char *element) {
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

static void kernel_text(struct strbuf *text, const struct dot_case *c) {
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

// Replaces the conversion that makes an operand of the dot by a trip through a swizzled shared tile.
static void through_shared(struct ir *ir, MlirOperation dot, int operand, bool columns_first) {
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
    MlirValue slot = VALUE(&b, "tk.smem_alloc", NO_OPERANDS, RESULTS(type_with_layout(ir, type, &shared)),
                           ATTRS(attr_i32(&b, "stages", 1)));
    OP(&b, "tk.smem_store", OPERANDS(slot, source), NO_RESULTS, NO_ATTRS);
    OP(&b, "tk.barrier", NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    MlirValue loaded = VALUE(&b, "tk.smem_load", OPERANDS(slot),
                             RESULTS(mlirValueGetType(mlirOperationGetResult(convert, 0))), NO_ATTRS);
    mlirOperationSetOperand(dot, operand, loaded);
}

static void operands_through_shared(struct ir *ir, struct arena *arena, MlirModule module,
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

static unsigned shared_bytes_of(struct ir *ir, struct arena *arena, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_has(ops[i], "tk.shared_bytes")) {
            return (unsigned)op_int(ops[i], "tk.shared_bytes", 0);
        }
    }
    return 0;
}

static void check_instruction(struct ir *ir, struct arena *arena, MlirModule module,
                              const struct dot_case *c) {
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(ir, ops[i]) == OP_DOT) {
            MlirStringRef name = op_string(ops[i], "instruction");
            char found[64];
            snprintf(found, sizeof found, "%.*s", (int)name.length, name.data ? name.data : "");
            assert_string_equal(found, c->instruction);
        }
    }
}

// ---- running ----

struct data {
    uint64_t storage[3][16384];
    double a[16384], b[16384];
    struct emulator_buffer buffers[3];
    struct emulator_argument arguments[3];
};

static void make_data(struct data *data, const struct dot_case *c) {
    const struct shape *s = &c->shape;
    int batch = s->batch ? s->batch : 1,
        counts[] = {batch * s->m * s->k, batch * s->k * s->n, batch * s->m * s->n};
    const char *names[] = {"a", "b", "d"}, *types[] = {c->a, c->b, c->acc};
    double step = c->step != 0 ? c->step : 1;
    uint64_t random = 12345;
    memset(data, 0, sizeof *data);
    for (int n = 0; n < 3; n++) {
        const struct element *type = element_named(types[n]);
        assert_true((size_t)counts[n] * type->bits / 8 <= sizeof data->storage[n]);
        for (int i = 0; n < 2 && i < counts[n]; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double value = (double)((int)(random >> 60) - 7) / 2;
            value = step == 1 ? (double)(int)value : value * step + 1.0 / 3;
            uint64_t bits = encode(type, value);
            (n ? data->b : data->a)[i] = value;
            memcpy((char *)data->storage[n] + (size_t)i * type->bits / 8, &bits, type->bits / 8);
        }
        data->buffers[n] = (struct emulator_buffer){
            names[n], data->storage[n], (size_t)counts[n] * type->bits / 8, type->bits, n == 2, n < 2, NULL};
        data->arguments[n] = (struct emulator_argument){names[n], &data->buffers[n], 0, 0};
    }
}

static void check_data(const struct data *data, const struct dot_case *c, const char *how) {
    const struct shape *s = &c->shape;
    const struct element *type = element_named(c->acc);
    for (int batch = 0; batch < (s->batch ? s->batch : 1); batch++) {
        for (int i = 0; i < s->m; i++) {
            for (int j = 0; j < s->n; j++) {
                double wanted = 1;
                for (int k = 0; k < s->k; k++) {
                    wanted += data->a[(batch * s->m + i) * s->k + k] * data->b[(batch * s->k + k) * s->n + j];
                }
                int at = (batch * s->m + i) * s->n + j;
                double found = decode(type, (const char *)data->storage[2] + (size_t)at * type->bits / 8);
                double error = found > wanted ? found - wanted : wanted - found;
                if (!(error <= c->tolerance)) {
                    fail_msg("%s %s x %s (%s, %s): d[%d][%d][%d] is %.9g, not %.9g", c->chip, c->a, c->b,
                             c->instruction, how, batch, i, j, found, wanted);
                }
            }
        }
    }
}

static void run_variant(const struct dot_case *c, int variant) {
    static const char *const how[] = {"converted", "from shared memory", "from transposed shared memory"};
    struct strbuf text = {0};
    kernel_text(&text, c);
    struct diag diag = {0};
    struct ir *ir = ir_create(&diag);
    struct arena *arena = arena_create();
    const struct target *target = target_find(c->chip);
    struct pass_context context = {.ir = ir, .target = target, .arena = arena, .diag = &diag};
    MlirModule module = ir_parse(ir, text.data, "dot.mlir");
    assert_false(mlirModuleIsNull(module));
    static const char *const passes[] = {"cleanup", "legal_dots",   "layouts",
                                         "finish",  "shared_alloc", "barriers"};
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (i == 3 && variant > 0) {
            operands_through_shared(ir, arena, module, variant == 2);
        }
        assert_true(pass_run_one(&context, module, passes[i]));
    }
    check_instruction(ir, arena, module, c);
    unsigned shared_bytes = shared_bytes_of(ir, arena, module);
    struct harness harness = {.context = LLVMContextCreate()};
    LLVMModuleRef lowered = lower_module(ir, module, target, harness.context, DEBUG_NONE);
    assert_non_null(lowered);
    assert_true(llvmgen_optimise(lowered, target, 2, &diag));
    if (getenv("DUMP")) {
        LLVMDumpModule(lowered);
    }
    struct emulator_options options = {.chip = c->chip, .workers = 1};
    char *error = NULL;
    harness.emulator = emulator_create(lowered, &options, &error);
    if (!harness.emulator) {
        fail_msg("%s %s: %s", c->chip, c->instruction, error);
    }
    struct data *data = malloc(sizeof *data);
    make_data(data, c);
    harness_expect_clean(&harness, harness_run(&harness, data->arguments, 3, 1, 0, shared_bytes));
    check_data(data, c, how[variant]);
    free(data);
    harness_end(&harness);
    mlirModuleDestroy(module);
    arena_destroy(arena);
    ir_destroy(ir);
    strbuf_free(&text);
}

static void run(const struct dot_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (int variant = 0; variant < 3; variant++) {
            run_variant(&cases[i], variant);
        }
    }
}
#define RUN(cases) run(cases, sizeof cases / sizeof *cases)

static void test_nvidia(void **state) {
    (void)state;
    static const struct dot_case cases[] = {
        {"sm_80", "f16", "f16", "f32", "tf32", {0, 64, 32, 64}, 4, "mma.m16n8k16.f16", 0, 0},
        {"sm_80", "f16", "f16", "f32", "tf32", {0, 16, 16, 16}, 1, "mma.m16n8k16.f16", 0, 0},
        {"sm_80", "f16", "f16", "f32", "tf32", {2, 32, 32, 32}, 4, "mma.m16n8k16.f16", 0, 0},
        {"sm_80", "f16", "f16", "f32", "tf32", {0, 32, 32, 8}, 2, "mma.m16n8k8.f16", 0, 0},
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
    RUN(cases);
}

static void test_nvidia_f8(void **state) {
    (void)state;
    static const struct dot_case cases[] = {
        {"sm_89", "f8E4M3FN", "f8E4M3FN", "f32", "tf32", {0, 32, 32, 64}, 4, "mma.m16n8k32.e4m3", 0, 0},
        {"sm_89", "f8E4M3FN", "f8E5M2", "f32", "tf32", {0, 32, 32, 32}, 4, "mma.m16n8k32.e4m3.e5m2", 0, 0},
        {"sm_90a", "f8E5M2", "f8E4M3FN", "f32", "tf32", {0, 32, 32, 32}, 4, "mma.m16n8k32.e5m2.e4m3", 0, 0},
        {"sm_90a", "f8E5M2", "f8E5M2", "f32", "tf32", {0, 32, 32, 32}, 4, "mma.m16n8k32.e5m2", 0, 0},
    };
    RUN(cases);
}

static void test_mfma(void **state) {
    (void)state;
    static const struct dot_case cases[] = {
        {"gfx90a", "f16", "f16", "f32", "tf32", {0, 64, 64, 32}, 4, "mfma.f32.32x32x8f16", 0, 0},
        {"gfx942", "f16", "f16", "f32", "tf32", {2, 32, 32, 32}, 1, "mfma.f32.32x32x8f16", 0, 0},
        {"gfx90a", "f16", "f16", "f32", "tf32", {0, 32, 32, 32}, 4, "mfma.f32.16x16x16f16", 0, 0},
        {"gfx90a", "bf16", "bf16", "f32", "tf32", {0, 64, 64, 16}, 2, "mfma.f32.32x32x8bf16.1k", 0, 0},
        {"gfx942", "bf16", "bf16", "f32", "tf32", {0, 16, 64, 16}, 4, "mfma.f32.16x16x16bf16.1k", 0, 0},
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
    RUN(cases);
    static const char *const types[] = {"f8E4M3FNUZ", "f8E5M2FNUZ"}, *const names[] = {"fp8", "bf8"};
    for (int i = 0; i < 8; i++) {
        bool large = i & 4;
        char name[64];
        snprintf(name, sizeof name, "mfma.f32.%s.%s.%s", large ? "32x32x16" : "16x16x32", names[i & 1],
                 names[i >> 1 & 1]);
        struct dot_case f8 = {"gfx942", types[i & 1], types[i >> 1 & 1],
                              "f32",    "tf32",       {0, large ? 64 : 32, large ? 64 : 32, 32},
                              4,        name,         0,
                              0};
        run(&f8, 1);
    }
}

static void test_wmma(void **state) {
    (void)state;
    static const struct dot_case cases[] = {
        {"gfx1100", "f16", "f16", "f32", "tf32", {0, 64, 32, 32}, 4, "wmma.f32.16x16x16.f16.gfx11", 0, 0},
        {"gfx1100", "f16", "f16", "f32", "tf32", {2, 16, 32, 16}, 2, "wmma.f32.16x16x16.f16.gfx11", 0, 0},
        {"gfx1100", "bf16", "bf16", "f32", "tf32", {0, 32, 32, 32}, 4, "wmma.f32.16x16x16.bf16.gfx11", 0, 0},
        {"gfx1100", "i8", "i8", "i32", "tf32", {0, 32, 32, 32}, 4, "wmma.i32.16x16x16.iu8.gfx11", 0, 0},
        {"gfx1100", "f64", "f64", "f64", "tf32", {0, 16, 16, 16}, 4, "", 0, 0},
        {"gfx1200", "f16", "f16", "f32", "tf32", {0, 64, 32, 32}, 4, "wmma.f32.16x16x16.f16.gfx12", 0, 0},
        {"gfx1200", "bf16", "bf16", "f32", "tf32", {0, 32, 32, 32}, 8, "wmma.f32.16x16x16.bf16.gfx12", 0, 0},
        {"gfx1200", "i8", "i8", "i32", "tf32", {0, 32, 32, 32}, 4, "wmma.i32.16x16x16.iu8.gfx12", 0, 0},
        {"gfx1200",
         "f8E4M3FN",
         "f8E4M3FN",
         "f32",
         "tf32",
         {0, 32, 32, 32},
         4,
         "wmma.f32.16x16x16.fp8.fp8",
         0,
         0},
        {"gfx1200",
         "f8E4M3FN",
         "f8E5M2",
         "f32",
         "tf32",
         {0, 32, 32, 32},
         4,
         "wmma.f32.16x16x16.fp8.bf8",
         0,
         0},
        {"gfx1200",
         "f8E5M2",
         "f8E4M3FN",
         "f32",
         "tf32",
         {0, 32, 32, 32},
         4,
         "wmma.f32.16x16x16.bf8.fp8",
         0,
         0},
        {"gfx1200", "f8E5M2", "f8E5M2", "f32", "tf32", {0, 32, 32, 32}, 4, "wmma.f32.16x16x16.bf8.bf8", 0, 0},
    };
    RUN(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nvidia), cmocka_unit_test(test_nvidia_f8),
                                       cmocka_unit_test(test_mfma), cmocka_unit_test(test_wmma)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
