// Axis facts: named cases, and random programs of integer tiles. All their values are computed for random
// arguments and compared with the analysis.
#include "pass_testing.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "passes/facts/axis.h"

// ---- random programs ----

enum { ROWS = 16, COLUMNS = 32, MAX_VALUES = 64, ARGUMENTS = 3 };

// A value and its elements, as a tile of rows × columns; 1 × 1 for scalars.
struct known {
    MlirValue value;
    int rows, columns, rank;
    unsigned bits;   // 1: a condition
    unsigned broken; // assumptions broken by its computation
    int64_t *at;
};

struct program {
    struct bench *bench;
    struct builder b;
    struct known values[MAX_VALUES];
    int count;
    uint64_t random;
};

static unsigned pick(struct program *p, unsigned below) {
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(p->random >> 33) % below;
}

static MlirType tile_type(struct program *p, int rank, int rows, int columns, unsigned bits) {
    int64_t shape[2] = {rank == 2 ? rows : columns, columns};
    MlirType element = mlirIntegerTypeGet(p->bench->ir->context, bits);
    return rank ? tensor_type(rank, shape, element, mlirAttributeGetNull()) : element;
}

static struct known *add(struct program *p, MlirValue value, int rank, int rows, int columns, unsigned bits,
                         unsigned broken) {
    struct known *made = &p->values[p->count++];
    *made = (struct known){
        value, rows, columns, rank, bits, broken, calloc((size_t)(rows * columns), sizeof(int64_t))};
    return made;
}

static struct known *any(struct program *p, bool tiles) {
    struct known *found;
    do {
        found = &p->values[pick(p, (unsigned)p->count)];
    } while (found->bits == 1 || (tiles && found->rank == 0));
    return found;
}

static struct known *any_of_shape(struct program *p, const struct known *like) {
    struct known *found;
    do {
        found = any(p, like->rank > 0);
    } while (found->rank != like->rank || found->rows != like->rows || found->columns != like->columns ||
             found->bits != like->bits);
    return found;
}

static int64_t wrapped(int64_t value, unsigned bits) {
    return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static uint64_t natural(int64_t value, unsigned bits) {
    return (uint64_t)value & (UINT64_MAX >> (64 - bits));
}

static const enum op_kind binary_ops[] = {
    OP_ADDI, OP_SUBI, OP_MULI, OP_DIVSI, OP_DIVUI, OP_REMSI, OP_REMUI, OP_MINSI, OP_MAXSI, OP_MINUI, OP_MAXUI,
    OP_ANDI, OP_ORI,  OP_XORI, OP_SHLI,  OP_SHRSI, OP_SHRUI, OP_ADDI,  OP_REMSI, OP_DIVSI, OP_MULI};

// The result in 128 bits, before wrapping; a divisor 0 is replaced by the smallest number. False for other
// ops.
static bool compute(enum op_kind kind, unsigned bits, int64_t x, int64_t y, __int128 *out) {
    int64_t divisor = y ? y : wrapped((int64_t)(UINT64_C(1) << (bits - 1)), bits);
    uint64_t u = natural(x, bits), v = natural(y, bits), unsigned_divisor = natural(divisor, bits);
    switch (kind) {
    case OP_ADDI:
        *out = (__int128)x + y;
        break;
    case OP_SUBI:
        *out = (__int128)x - y;
        break;
    case OP_MULI:
        *out = (__int128)x * y;
        break;
    case OP_DIVSI:
        *out = (__int128)x / divisor;
        break;
    case OP_DIVUI:
        *out = wrapped((int64_t)(u / unsigned_divisor), bits);
        break;
    case OP_REMSI:
        *out = (__int128)x % divisor;
        break;
    case OP_REMUI:
        *out = wrapped((int64_t)(u % unsigned_divisor), bits);
        break;
    case OP_MINSI:
        *out = x < y ? x : y;
        break;
    case OP_MAXSI:
        *out = x > y ? x : y;
        break;
    case OP_MINUI:
        *out = u < v ? x : y;
        break;
    case OP_MAXUI:
        *out = u > v ? x : y;
        break;
    case OP_ANDI:
        *out = x & y;
        break;
    case OP_ORI:
        *out = x | y;
        break;
    case OP_XORI:
        *out = x ^ y;
        break;
    case OP_SHLI:
        *out = v < bits ? (__int128)x * ((__int128)1 << v) : 0;
        return v < bits;
    case OP_SHRSI:
        *out = v < bits ? x >> v : 0;
        return v < bits;
    default:
        *out = v < bits ? wrapped((int64_t)(u >> v), bits) : 0;
        return v < bits;
    }
    return true;
}

static void add_binary(struct program *p) {
    struct known *x = any(p, pick(p, 4) != 0), *y = any_of_shape(p, x);
    unsigned op = pick(p, sizeof binary_ops / sizeof *binary_ops), broken = x->broken | y->broken;
    enum op_kind kind = binary_ops[op];
    int elements = x->rows * x->columns;
    int64_t *at = calloc((size_t)elements, sizeof *at);
    for (int i = 0; i < elements; i++) {
        __int128 exact;
        if (!compute(kind, x->bits, x->at[i], y->at[i], &exact)) {
            free(at);
            return;
        }
        at[i] = wrapped((int64_t)exact, x->bits);
        broken |= at[i] != exact ? AXIS_ASSUMES_NO_WRAP : 0;
        broken |= kind == OP_DIVSI && y->at[i] < 0 ? AXIS_ASSUMES_DIVISORS : 0;
    }
    MlirValue value =
        VALUE(&p->b, kind, OPERANDS(x->value, y->value), RESULTS(mlirValueGetType(x->value)), NO_ATTRS);
    struct known *made = add(p, value, x->rank, x->rows, x->columns, x->bits, broken);
    memcpy(made->at, at, (size_t)elements * sizeof *at);
    free(at);
}

// To any other width.
static void add_cast(struct program *p) {
    static const unsigned widths[] = {8, 16, 32, 64, 32, 4};
    struct known *x = any(p, pick(p, 4) != 0);
    unsigned bits = widths[pick(p, 6)];
    bool is_signed = pick(p, 2);
    if (bits == x->bits) {
        return;
    }
    enum op_kind kind = bits < x->bits ? OP_TRUNCI : is_signed ? OP_EXTSI : OP_EXTUI;
    MlirValue value = VALUE(&p->b, kind, OPERANDS(x->value),
                            RESULTS(tile_type(p, x->rank, x->rows, x->columns, bits)), NO_ATTRS);
    struct known *made = add(p, value, x->rank, x->rows, x->columns, bits, x->broken);
    for (int i = 0; i < x->rows * x->columns; i++) {
        int64_t from = is_signed ? x->at[i] : (int64_t)natural(x->at[i], x->bits);
        made->at[i] = wrapped(from, bits);
    }
}

static bool holds(int predicate, unsigned bits, int64_t x, int64_t y) {
    switch (predicate) {
    case 0:
        return x == y;
    case 1:
        return x != y;
    case 2:
        return x < y;
    case 3:
        return x <= y;
    case 4:
        return x > y;
    case 5:
        return x >= y;
    case 6:
        return natural(x, bits) < natural(y, bits);
    case 7:
        return natural(x, bits) <= natural(y, bits);
    case 8:
        return natural(x, bits) > natural(y, bits);
    default:
        return natural(x, bits) >= natural(y, bits);
    }
}

static void add_comparison(struct program *p) {
    struct known *x = any(p, true), *y = any_of_shape(p, x);
    int predicate = (int)pick(p, 10);
    MlirNamedAttribute attribute =
        attr(&p->b, ATTR_PREDICATE, mlirIntegerAttrGet(type_i64(p->bench->ir), predicate));
    MlirValue value = VALUE(&p->b, OP_CMPI, OPERANDS(x->value, y->value),
                            RESULTS(tile_type(p, x->rank, x->rows, x->columns, 1)), ATTRS(attribute));
    struct known *made = add(p, value, x->rank, x->rows, x->columns, 1, x->broken | y->broken);
    for (int i = 0; i < x->rows * x->columns; i++) {
        made->at[i] = holds(predicate, x->bits, x->at[i], y->at[i]) ? -1 : 0;
    }
    if (pick(p, 2) && p->count < MAX_VALUES) {
        struct known *a = any_of_shape(p, x), *b = any_of_shape(p, x);
        value = VALUE(&p->b, OP_SELECT, OPERANDS(made->value, a->value, b->value),
                      RESULTS(mlirValueGetType(a->value)), NO_ATTRS);
        struct known *chosen =
            add(p, value, x->rank, x->rows, x->columns, x->bits, made->broken | a->broken | b->broken);
        for (int i = 0; i < x->rows * x->columns; i++) {
            chosen->at[i] = made->at[i] ? a->at[i] : b->at[i];
        }
    }
}

static void add_leaf(struct program *p) {
    static const int32_t starts[] = {0, 0, 0, 32, 8, 3};
    unsigned kind = pick(p, 4);
    if (kind == 0) {
        int start = starts[pick(p, 6)], columns = pick(p, 2) ? COLUMNS : ROWS;
        MlirValue value =
            VALUE(&p->b, OP_RANGE, NO_OPERANDS, RESULTS(tile_type(p, 1, 1, columns, 32)),
                  ATTRS(attr_i32(&p->b, ATTR_START, start), attr_i32(&p->b, ATTR_END, start + columns)));
        struct known *made = add(p, value, 1, 1, columns, 32, 0);
        for (int i = 0; i < columns; i++) {
            made->at[i] = start + i;
        }
    } else if (kind == 1) {
        static const int constants[] = {0, 1, 2, 3, 8, 16, 64, 100, -1, -8, 48};
        int constant = constants[pick(p, 11)];
        add(p, const_int(&p->b, type_i32(p->bench->ir), constant), 0, 1, 1, 32, 0)->at[0] = constant;
    } else {
        struct known *x = any(p, false);
        if (x->rank != 0) {
            return;
        }
        int rank = 1 + (int)pick(p, 2), rows = rank == 2 ? ROWS : 1, columns = COLUMNS;
        MlirValue value = VALUE(&p->b, OP_SPLAT, OPERANDS(x->value),
                                RESULTS(tile_type(p, rank, rows, columns, x->bits)), NO_ATTRS);
        struct known *made = add(p, value, rank, rows, columns, x->bits, x->broken);
        for (int i = 0; i < rows * columns; i++) {
            made->at[i] = x->at[0];
        }
    }
}

static void add_shape(struct program *p) {
    struct known *x = any(p, true);
    if (x->rank == 1) { // to a row or a column
        int axis = (int)pick(p, 2), rows = axis ? x->columns : 1, columns = axis ? 1 : x->columns;
        MlirValue value =
            VALUE(&p->b, OP_EXPAND_DIMS, OPERANDS(x->value), RESULTS(tile_type(p, 2, rows, columns, x->bits)),
                  ATTRS(attr_i32(&p->b, ATTR_AXIS, axis)));
        memcpy(add(p, value, 2, rows, columns, x->bits, x->broken)->at, x->at,
               (size_t)x->columns * sizeof *x->at);
    } else if (x->rows == 1 || x->columns == 1) {
        int rows = x->rows == 1 ? ROWS : x->rows, columns = x->columns == 1 ? COLUMNS : x->columns;
        MlirValue value = VALUE(&p->b, OP_BROADCAST, OPERANDS(x->value),
                                RESULTS(tile_type(p, 2, rows, columns, x->bits)), NO_ATTRS);
        struct known *made = add(p, value, 2, rows, columns, x->bits, x->broken);
        for (int i = 0; i < rows * columns; i++) {
            made->at[i] = x->at[x->rows == 1 ? i % columns : i / columns];
        }
    } else {
        const int32_t order[] = {1, 0};
        MlirValue value =
            VALUE(&p->b, OP_TRANS, OPERANDS(x->value), RESULTS(tile_type(p, 2, x->columns, x->rows, x->bits)),
                  ATTRS(attr_i32_array(&p->b, ATTR_ORDER, 2, order)));
        struct known *made = add(p, value, 2, x->columns, x->rows, x->bits, x->broken);
        for (int i = 0; i < x->rows * x->columns; i++) {
            made->at[i % x->columns * x->rows + i / x->columns] = x->at[i];
        }
    }
}

// ---- the facts ----

static int64_t element(const struct known *k, int dim, int along, int across) {
    return k->rank < 2 || dim == 1 ? k->at[across * k->columns + along] : k->at[along * k->columns + across];
}

static void check_dim(const struct known *k, const struct axis_info *info, int d) {
    int64_t run = info->contiguity[d] < info->divisibility[d] ? info->contiguity[d] : info->divisibility[d];
    int dim = k->rank == 2 ? d : 1;
    int extent = dim == 1 ? k->columns : k->rows, others = dim == 1 ? k->rows : k->columns;
    for (int across = 0; across < others; across++) {
        for (int i = 0; i < extent; i++) {
            int64_t here = element(k, dim, i, across);
            if (i % info->contiguity[d] == 0) {
                assert_int_equal(here % info->divisibility[d], 0);
            } else if (i % run != 0) {
                assert_int_equal(here, element(k, dim, i - 1, across) + 1);
            }
            if (i % info->constancy[d] != 0) {
                assert_int_equal(here, element(k, dim, i - 1, across));
            }
        }
    }
}

static void check(struct axis *axis, const struct known *k) {
    struct axis_info info = axis_of(axis, k->value);
    assert_int_equal(info.rank, k->rank ? k->rank : 1);
    for (int d = 0; d < info.rank && !(info.assumes & k->broken); d++) {
        check_dim(k, &info, d);
    }
    for (int i = 0; i < k->rows * k->columns && !(info.bounds_assume & k->broken); i++) {
        assert_true(k->at[i] >= info.low && k->at[i] <= info.high);
    }
}

static void one_program(uint64_t seed) {
    struct program p = {.random = seed * 2654435761u + 1};
    p.bench = bench_open(
        "func.func @k(%a: i32 {tk.divisibility = 16 : i32}, %b: i32, %c: i32 {tk.divisibility = 64 : "
        "i32}) { return }",
        "sm_80");
    MlirOperation function = bench_function(p.bench);
    MlirBlock body = op_body(function, 0);
    p.b = builder_before(p.bench->ir, mlirBlockGetFirstOperation(body));
    static const int unit[ARGUMENTS] = {16, 1, 64};
    bool negative = pick(&p, 3) == 0;
    for (int i = 0; i < ARGUMENTS; i++) {
        int value = unit[i] * ((int)(1 + pick(&p, 9)) - (negative ? 5 : 0));
        unsigned broken = value < 0 ? AXIS_ASSUMES_ARGUMENTS : 0;
        add(&p, mlirBlockGetArgument(body, i), 0, 1, 1, 32, broken)->at[0] = value;
    }
    while (p.count < MAX_VALUES - 2) {
        unsigned what = pick(&p, 12);
        if (p.count < 8 || what < 2) {
            add_leaf(&p);
            continue;
        }
        bool tiles = false;
        for (int i = 0; i < p.count; i++) {
            tiles |= p.values[i].rank > 0;
        }
        if (!tiles) {
            add_leaf(&p);
        } else if (what < 4) {
            add_shape(&p);
        } else if (what < 5) {
            add_comparison(&p);
        } else if (what < 7) {
            add_cast(&p);
        } else {
            add_binary(&p);
        }
    }
    assert_true(tk_verify(p.bench->ir, p.bench->module, &p.bench->diag));
    struct axis axis;
    axis_analyse(&axis, &p.bench->context, function);
    for (int i = 0; i < p.count; i++) {
        check(&axis, &p.values[i]);
        free(p.values[i].at);
    }
    axis_free(&axis);
    bench_close(p.bench);
}

static void random_programs(void **state) {
    for (uint64_t seed = 1; seed <= 400; seed++) {
        one_program(seed);
    }
}

// ---- named cases ----

// The facts of the operands of the one tk.print of a kernel.
static struct axis_info facts(struct bench *bench, intptr_t operand) {
    struct axis axis;
    axis_analyse(&axis, &bench->context, bench_function(bench));
    struct axis_info info = axis_of(&axis, mlirOperationGetOperand(bench_op(bench, OP_PRINT, 0), operand));
    axis_free(&axis);
    return info;
}

#define SPLAT(name, of) "%" name " = \"tk.splat\"(%" of ") : (i32) -> tensor<128xi32>\n"

static void columns_of_a_grouped_kernel(void **state) {
    struct bench *b = bench_open(
        "func.func @k(%N: i32 {tk.divisibility = 16 : i32}) {\n"
        "%pid = \"tk.program_id\"() {axis = 0 : i32} : () -> i32\n %c127 = arith.constant 127 : i32\n"
        "%c128 = arith.constant 128 : i32\n %c8 = arith.constant 8 : i32\n"
        "%up = arith.addi %N, %c127 : i32\n %t = arith.divsi %up, %c128 : i32\n"
        "%w = arith.muli %t, %c8 : i32\n %g = arith.divsi %pid, %w : i32\n %f = arith.muli %g, %c8 : i32\n"
        "%l = arith.subi %t, %f : i32\n %s = arith.minsi %l, %c8 : i32\n %i = arith.remsi %pid, %w : i32\n"
        "%n = arith.divsi %i, %s : i32\n %first = arith.muli %n, %c128 : i32\n"
        "%r = \"tk.range\"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>\n" SPLAT("fs",
                                                                                                 "first")
            SPLAT("Ns", "N") "%o = arith.addi %fs, %r : tensor<128xi32>\n"
                             "%x = arith.remsi %o, %Ns : tensor<128xi32>\n"
                             "%m = arith.cmpi slt, %o, %Ns : tensor<128xi32>\n"
                             "\"tk.print\"(%o, %x, %m) {prefix = \"\"} : (tensor<128xi32>, tensor<128xi32>, "
                             "tensor<128xi1>) -> ()\n return\n}",
        "sm_80");
    assert_int_equal(facts(b, 0).contiguity[0], 128);
    assert_int_equal(facts(b, 0).divisibility[0], 128);
    assert_int_equal(facts(b, 1).contiguity[0], 16);
    assert_int_equal(facts(b, 1).divisibility[0], 16);
    assert_int_equal(facts(b, 2).constancy[0], 16);
    assert_int_equal(facts(b, 1).assumes & ~(unsigned)AXIS_ASSUMES_PROMISES,
                     AXIS_ASSUMES_NO_WRAP | AXIS_ASSUMES_DIVISORS);
    bench_close(b);
}

// The assumptions of a wide access are in its attribute, and only there.
static void accesses_name_assumptions(void **state) {
    struct bench *b = bench_open(
        "func.func @k(%p: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %a: i32, %N: i32 {tk.divisibility = 16 "
        ": "
        "i32}) attributes {tk.num_warps = 1 : i32} {\n"
        "%c128 = arith.constant 128 : i32\n %f = arith.muli %a, %c128 : i32\n"
        "%r = \"tk.range\"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>\n" SPLAT("fs", "f")
            SPLAT("Ns", "N") "%o = arith.addi %fs, %r : tensor<128xi32>\n"
                             "%x = arith.remsi %o, %Ns : tensor<128xi32>\n"
                             "%ps = \"tk.splat\"(%p) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>\n"
                             "%q = \"tk.addptr\"(%ps, %x) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> "
                             "tensor<128x!tk.ptr<f32>>\n"
                             "%w = \"tk.addptr\"(%ps, %o) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> "
                             "tensor<128x!tk.ptr<f32>>\n"
                             "%v = \"tk.load\"(%q) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xf32>\n"
                             "\"tk.store\"(%w, %v) : (tensor<128x!tk.ptr<f32>>, tensor<128xf32>) -> ()\n"
                             "return\n}",
        "sm_80");
    bench_run(b, "layouts");
    assert_int_equal(op_int(bench_op(b, OP_LOAD, 0), ATTR_VECTOR), 4);
    MlirStringRef assumes = op_string(bench_op(b, OP_LOAD, 0), ATTR_ASSUMES);
    assert_int_equal(assumes.length, strlen("arguments no_wrap"));
    assert_memory_equal(assumes.data, "arguments no_wrap", assumes.length);
    assert_int_equal(op_int(bench_op(b, OP_STORE, 0), ATTR_VECTOR), 4);
    assert_false(op_has(bench_op(b, OP_STORE, 0), ATTR_ASSUMES));
    bench_close(b);
}

static void negative_dividends(void **state) {
    struct bench *b = bench_open(
        "func.func @k(%N: i32) {\n %c16 = arith.constant 16 : i32\n %c8 = arith.constant 8 : i32\n"
        "%r = \"tk.range\"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>\n" SPLAT("a", "c16")
            SPLAT(
                "e",
                "c8") "%o = arith.subi %r, %a : tensor<128xi32>\n %x = arith.remsi %o, %e : tensor<128xi32>\n"
                      "%d = arith.divsi %o, %e : tensor<128xi32>\n %u = arith.remsi %r, %e : "
                      "tensor<128xi32>\n"
                      "\"tk.print\"(%x, %d, %u) {prefix = \"\"} : (tensor<128xi32>, tensor<128xi32>, "
                      "tensor<128xi32>) -> ()\n return\n}",
        "sm_80");
    assert_int_equal(facts(b, 0).contiguity[0], 1); // -16 % 8, -15 % 8 … = 0, -7 …
    assert_int_equal(facts(b, 1).constancy[0], 1);
    assert_int_equal(facts(b, 2).contiguity[0], 8);
    bench_close(b);
}

// A promise counts in its value's own block alone.
static void promised_signs(void **state) {
    struct bench *b = bench_open(
        "func.func @k(%N: i32, %c: i1) {\n %zero = arith.constant 0 : i32\n %three = arith.constant 3 : i32\n"
        "%x = arith.subi %N, %three : i32\n %y = arith.muli %x, %three : i32\n %z = arith.subi %y, %N : i32\n"
        "%p = arith.cmpi sge, %x, %zero : i32\n %q = arith.cmpi sgt, %y, %three : i32\n"
        "%r = arith.cmpi sge, %z, %zero : i32\n"
        "\"tk.assume\"(%p) : (i1) -> ()\n \"tk.assume\"(%q) : (i1) -> ()\n"
        "scf.if %c {\n \"tk.assume\"(%r) : (i1) -> ()\n }\n"
        "\"tk.print\"(%x, %y, %z) {prefix = \"\"} : (i32, i32, i32) -> ()\n return\n}",
        "sm_80");
    assert_int_equal(facts(b, 0).low, 0);
    assert_int_equal(facts(b, 0).bounds_assume, AXIS_ASSUMES_PROMISES);
    assert_int_equal(facts(b, 1).low, 4);
    assert_true(facts(b, 2).low < 0);
    bench_close(b);
}

// A promise on what a loop carries says nothing of the last step's result, and leaves the facts of all steps as they are.
static void promised_carried(void **state) {
    struct bench *b =
        bench_open("func.func @k(%N: i32, %p: !tk.ptr<i32>) {\n %zero = arith.constant 0 : i32\n %one = "
                   "arith.constant 1 : i32\n"
                   "%l = scf.for %i = %zero to %N step %one iter_args(%c = %one) -> (i32) : i32 {\n"
                   "%s = arith.cmpi sge, %c, %zero : i32\n \"tk.assume\"(%s) : (i1) -> ()\n"
                   "%next = \"tk.load\"(%p) : (!tk.ptr<i32>) -> i32\n scf.yield %next : i32\n}\n"
                   "\"tk.print\"(%l, %l, %l) {prefix = \"\"} : (i32, i32, i32) -> ()\n return\n}",
                   "sm_80");
    assert_int_equal(facts(b, 0).low, INT32_MIN);
    bench_close(b);
}

// A loop-carried pointer tile advanced by a stride keeps the facts preserved by the stride.
static void carried_pointers(void **state) {
    struct bench *b = bench_open(
        "func.func @k(%p: !tk.ptr<f16> {tk.divisibility = 16 : i32}, %s: i32 {tk.divisibility = 8 : i32}, "
        "%u: i32) {\n"
        "%c0 = arith.constant 0 : i32\n %c1 = arith.constant 1 : i32\n"
        "%r = \"tk.range\"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>\n"
        "%ps = \"tk.splat\"(%p) : (!tk.ptr<f16>) -> tensor<128x!tk.ptr<f16>>\n"
        "%a = \"tk.addptr\"(%ps, %r) : (tensor<128x!tk.ptr<f16>>, tensor<128xi32>) -> "
        "tensor<128x!tk.ptr<f16>>\n" SPLAT("ss", "s")
            SPLAT("us", "u") "%e:2 = scf.for %i = %c0 to %u step %c1 iter_args(%x = %a, %y = %a) -> "
                             "(tensor<128x!tk.ptr<f16>>, tensor<128x!tk.ptr<f16>>) : i32 {\n"
                             "%x2 = \"tk.addptr\"(%x, %ss) : (tensor<128x!tk.ptr<f16>>, tensor<128xi32>) -> "
                             "tensor<128x!tk.ptr<f16>>\n"
                             "%y2 = \"tk.addptr\"(%y, %us) : (tensor<128x!tk.ptr<f16>>, tensor<128xi32>) -> "
                             "tensor<128x!tk.ptr<f16>>\n"
                             "\"tk.print\"(%x, %y) {prefix = \"\"} : (tensor<128x!tk.ptr<f16>>, "
                             "tensor<128x!tk.ptr<f16>>) -> ()\n"
                             "scf.yield %x2, %y2 : tensor<128x!tk.ptr<f16>>, tensor<128x!tk.ptr<f16>>\n}\n"
                             "return\n}",
        "sm_80");
    assert_int_equal(facts(b, 0).contiguity[0], 128);
    assert_int_equal(facts(b, 0).divisibility[0], 16);
    assert_int_equal(facts(b, 1).contiguity[0], 128);
    assert_int_equal(facts(b, 1).divisibility[0], 2); // bytes: an element
    bench_close(b);
}

static void pointers_as_integers(void **state) {
    struct bench *b =
        bench_open("func.func @k(%p: !tk.ptr<f32> {tk.divisibility = 16 : i32}) {\n"
                   "%r = \"tk.range\"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>\n"
                   "%ps = \"tk.splat\"(%p) : (!tk.ptr<f32>) -> tensor<128x!tk.ptr<f32>>\n"
                   "%a = \"tk.addptr\"(%ps, %r) : (tensor<128x!tk.ptr<f32>>, tensor<128xi32>) -> "
                   "tensor<128x!tk.ptr<f32>>\n"
                   "%i = \"tk.ptr_to_int\"(%a) : (tensor<128x!tk.ptr<f32>>) -> tensor<128xi64>\n"
                   "%c = \"tk.ptr_cast\"(%a) : (tensor<128x!tk.ptr<f32>>) -> tensor<128x!tk.ptr<f16>>\n"
                   "\"tk.print\"(%i, %c, %a) {prefix = \"\"} : (tensor<128xi64>, tensor<128x!tk.ptr<f16>>, "
                   "tensor<128x!tk.ptr<f32>>) -> ()\n return\n}",
                   "sm_80");
    assert_int_equal(facts(b, 0).contiguity[0], 1);
    assert_int_equal(facts(b, 0).divisibility[0], 4);
    assert_int_equal(facts(b, 1).contiguity[0], 1);
    assert_int_equal(facts(b, 2).contiguity[0], 128);
    bench_close(b);
}

RUN(TEST(columns_of_a_grouped_kernel), TEST(accesses_name_assumptions), TEST(negative_dividends),
    TEST(promised_signs), TEST(promised_carried), TEST(carried_pointers), TEST(pointers_as_integers),
    TEST(random_programs))
