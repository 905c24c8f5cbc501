// tl.dot. The op has the operands unchanged and an accumulator of the result's type; the layouts pass selects
// the instruction and widens operands for chips without a fitting one.
#include <string.h>

#include "chip/mma.h"
#include "dialects/tk/words.h"
#include "frontend/builtin/handler.h"
#include "frontend/eval/call.h"
#include "frontend/semantics/language.h"

enum {
    DOT_A,
    DOT_B,
    DOT_ACC,
    DOT_PRECISION,
    DOT_ALLOW_TF32,
    DOT_IMPRECISE,
    DOT_OUT,
    DOT_TRANS_A,
    DOT_TRANS_B
};

static bool operand(struct emitter *e, struct value *v, struct value transposed, const char *name,
                    struct location call) {
    struct location at = emit_place_of(e, name, call);
    bool swap = false;
    if (!tensor_argument(e, v, at) || !bool_option(e, transposed, "trans_a or trans_b", at, &swap)) {
        return false;
    }
    if (v->tensor.rank < 2) {
        emit_error(
            e, at,
            "tl.dot needs tiles of two dimensions, or more with batches in front, not %s; for a vector write "
            "tl.sum(a * b[None, :], 1)",
            describe(e, *v));
        return false;
    }
    struct dtype d = element(*v);
    unsigned bits = dtype_bits(d);
    if (!(dtype_is_float(d) || dtype_equal(d, DTYPE_OF(INT8))) || bits < 8) {
        emit_error(e, at, "tl.dot does not support operands of type %s", describe_dtype(e, d));
        return false;
    }
    *v = swap ? emit_swap_last(e, *v) : *v;
    return true;
}

static bool precision_option(struct emitter *e, struct value *args, struct location at,
                             enum dot_precision *precision) {
    bool allow = true, amd = e->target && e->target->vendor == VENDOR_AMD;
    *precision = amd ? PRECISION_IEEE : PRECISION_TF32; // as in Triton
    if (given(args[DOT_ALLOW_TF32])) {
        if (given(args[DOT_PRECISION])) {
            emit_error(e, at, "tl.dot takes input_precision or allow_tf32, not both");
            return false;
        }
        if (!value_to_bool(e, args[DOT_ALLOW_TF32], "allow_tf32", at, &allow)) {
            return false;
        }
        *precision = allow ? PRECISION_TF32 : PRECISION_IEEE;
        return true;
    }
    if (!given(args[DOT_PRECISION])) {
        return true;
    }
    const char *text;
    if (!value_to_string(e, args[DOT_PRECISION], "input_precision", at, &text)) {
        return false;
    }
    int word;
    if (word_parse(WORDS_PRECISION, text, strlen(text), true, &word)) {
        *precision = (enum dot_precision)word;
        return true;
    }
    emit_error(e, at, "input_precision \"%s\" is not one of tf32, tf32x3, ieee, bf16x3, bf16x6", text);
    return false;
}

// The result's element type, from the operands' and out_dtype.
static bool result_type(struct emitter *e, struct dtype d, struct value acc, struct value out_dtype,
                        struct location at, struct dtype *out) {
    struct dtype wanted = DTYPE_OF(FLOAT32);
    bool follows = value_is_tensor(acc) && language_has(e, LANGUAGE_DOT_ACCUMULATOR);
    if (given(out_dtype) ? !value_to_dtype(e, out_dtype, "out_dtype", at, &wanted) : false) {
        return false;
    }
    if (!given(out_dtype) && follows) {
        wanted = element(acc);
    }
    if (value_is_tensor(acc) && !dtype_equal(wanted, element(acc)) && !e->in_library) {
        emit_error(e, emit_place_of(e, "acc", at),
                   "the accumulator of tl.dot is %s, and out_dtype is %s: give both one type",
                   describe(e, acc), describe_dtype(e, wanted));
        return false;
    }
    if (dtype_is_integer(d)) {
        *out = DTYPE_OF(INT32);
        return true;
    }
    if (dtype_equal(wanted, DTYPE_OF(BFLOAT16))) {
        emit_error(e, at, "tl.dot cannot give bf16: use out_dtype=tl.float32 and cast the result");
        return false;
    }
    if (dtype_equal(d, DTYPE_OF(FLOAT64))) {
        *out = d;
        return true;
    }
    bool takes_half = dtype_equal(d, DTYPE_OF(FLOAT16)) || dtype_is_f8(d);
    *out = takes_half && dtype_equal(wanted, DTYPE_OF(FLOAT16)) ? wanted : DTYPE_OF(FLOAT32);
    return true;
}

// Merges several batch dimensions into one; two-dimensional tiles stay as they are.
static struct value merge_batches(struct emitter *e, struct value v) {
    int rank = v.tensor.rank;
    int64_t shape[3] = {1, v.tensor.shape[rank - 2], v.tensor.shape[rank - 1]};
    for (int i = 0; i < rank - 2; i++) {
        shape[0] *= v.tensor.shape[i];
    }
    return rank > 3 ? emit_reshape(e, v, 3, shape, false) : v;
}

static bool shapes_fit(struct value a, struct value b) {
    int rank = a.tensor.rank;
    bool fits = rank == b.tensor.rank && a.tensor.shape[rank - 1] == b.tensor.shape[rank - 2];
    for (int i = 0; fits && i < rank - 2; i++) {
        fits = a.tensor.shape[i] == b.tensor.shape[i];
    }
    return fits;
}

// Behind an error: where the operands come from.
static struct value note_operands(struct emitter *e) {
    emit_note_tiles(e, emit_value_place(e, "input"));
    emit_note_tiles(e, emit_value_place(e, "other"));
    return value_error();
}

static struct value refuse_shapes(struct emitter *e, struct value a, struct value b, struct location at) {
    int rank = a.tensor.rank;
    long long columns = a.tensor.shape[rank - 1],
              rows = rank == b.tensor.rank ? b.tensor.shape[rank - 2] : columns;
    if (columns == rows) {
        emit_error(e, emit_place_of(e, "other", at),
                   "tl.dot cannot multiply %s by %s: both need the same rank and batch", describe(e, a),
                   describe(e, b));
        return note_operands(e);
    }
    bool turned = b.tensor.shape[rank - 1] == columns;
    const char *remedy = turned ? arena_printf(e->arena, "write tl.trans(%s) in place of the second",
                                               emit_argument_text(e, "other", "…"))
                                : "load tiles of one K";
    emit_error(e, emit_place_of(e, "other", at),
               "tl.dot cannot multiply %s by %s: the first has %lld columns, the second %lld rows; %s",
               describe(e, a), describe(e, b), columns, rows, remedy);
    return note_operands(e);
}

static struct value refuse_types(struct emitter *e, struct value a, struct value b, struct location at) {
    struct dtype x = element(a), y = element(b);
    // An integer goes to the other's float type, which can hold numbers between integers; of two alike the wider one goes to the
    // narrower type, whose products are the faster ones.
    bool mixed = dtype_is_float(x) != dtype_is_float(y);
    bool cast_first = mixed ? dtype_is_float(y) : dtype_bits(x) > dtype_bits(y);
    const char *operand = cast_first ? "input" : "other", *which = cast_first ? "first" : "second";
    const char *text = emit_operand_text(e, emit_value_place(e, operand), "");
    emit_error(e, emit_place_of(e, operand, at),
               "tl.dot needs operands of one type, not %s and %s; cast the %s: write %s.to(tl.%s)",
               describe(e, a), describe(e, b), which, text,
               dtype_table[cast_first ? y.scalar : x.scalar].name);
    return note_operands(e);
}

static bool accumulator(struct emitter *e, struct value given_acc, struct dtype type, int rank,
                        const int64_t *shape, struct location at, struct value *acc) {
    struct value wanted = tensor_from(e, (MlirValue){0}, type, rank, shape);
    if (!given(given_acc)) {
        *acc = dtype_is_float(type) ? emit_float(e, type, rank, shape, 0) : emit_int(e, type, rank, shape, 0);
        return true;
    }
    *acc = given_acc;
    if (!tensor_argument(e, acc, at)) {
        return false;
    }
    if (!dtype_equal(element(*acc), type) || !same_shape(*acc, wanted)) {
        const char *name = emit_argument_text(e, "acc", "");
        const char *made = emit_is_name(name) ? arena_printf(e->arena, "make %s with", name) : "begin with";
        emit_error(e, emit_place_of(e, "acc", at),
                   "the accumulator of tl.dot must be %s, not %s: %s "
                   "tl.zeros(%s, tl.%s)",
                   describe(e, wanted), describe(e, *acc), made, shape_text(e, rank, shape),
                   dtype_table[type.scalar].name);
        emit_note_tiles(e, emit_value_place(e, "acc"));
        return false;
    }
    return true;
}

// Checks Triton's minimum for K: on NVIDIA the K of the matrix instructions.
static bool large_enough(struct emitter *e, struct value a, struct value b, struct location at) {
    bool nvidia = e->target && e->target->vendor == VENDOR_NVIDIA;
    int64_t k = a.tensor.shape[a.tensor.rank - 1];
    unsigned bits = dtype_bits(element(a));
    int64_t least = !nvidia ? 1 : bits == 8 ? 32 : bits == 64 ? 4 : bits == 32 ? 8 : 16;
    if (k >= least && k < 16 && nvidia && !language_takes(e, LANGUAGE_THIN_DOTS, at)) {
        return false;
    }
    if (k < least) {
        emit_error(e, at,
                   "tl.dot of %s and %s: K is %lld; on %s it must be at least %lld for this type: load "
                   "more columns, as zeros by a mask",
                   describe(e, a), describe(e, b), (long long)k, e->target->name, (long long)least);
    }
    return k >= least;
}

// max_num_imprecise_acc: the number of f8 products that Hopper's tensor cores may sum in their
// reduced-precision accumulator before adding them to the f32 accumulator. -1: no limit.
static bool imprecise_option(struct emitter *e, struct value option, struct value a, struct location at,
                             int64_t *most) {
    int64_t k = a.tensor.shape[a.tensor.rank - 1];
    *most = -1;
    if (!given(option)) {
        return true;
    }
    if (!int_option(e, option, "max_num_imprecise_acc", at, most)) {
        return false;
    }
    if (dtype_is_f8(element(a)) && *most > k) {
        emit_error(e, at, "max_num_imprecise_acc is %lld, and K is only %lld", (long long)*most,
                   (long long)k);
        return false;
    }
    *most = dtype_is_f8(element(a)) ? *most : -1;
    return true;
}

struct value builtin_dot(struct emitter *e, struct value *args, struct location at) {
    struct value a = args[DOT_A], b = args[DOT_B], acc;
    enum dot_precision precision;
    struct dtype type;
    if (!operand(e, &a, args[DOT_TRANS_A], "input", at) || !operand(e, &b, args[DOT_TRANS_B], "other", at) ||
        !precision_option(e, args, at, &precision)) {
        return value_error();
    }
    if (!dtype_equal(element(a), element(b)) && !(dtype_is_f8(element(a)) && dtype_is_f8(element(b)))) {
        return refuse_types(e, a, b, at);
    }
    if (!shapes_fit(a, b)) {
        return refuse_shapes(e, a, b, at);
    }
    int64_t imprecise;
    if (!large_enough(e, a, b, at) || !imprecise_option(e, args[DOT_IMPRECISE], a, at, &imprecise)) {
        return value_error();
    }
    if (dtype_equal(element(a), DTYPE_OF(FLOAT8E4B15)) && e->target && e->target->compute_capability >= 90) {
        emit_warning(
            e, at,
            "the use of fp8e4b15 is deprecated on Hopper and later architectures: %s has no instruction "
            "that multiplies it, and it is converted first",
            e->target->name);
    }
    int rank = a.tensor.rank;
    int64_t shape[TILE_MAX_RANK];
    memcpy(shape, a.tensor.shape, sizeof(int64_t) * (size_t)rank);
    shape[rank - 1] = b.tensor.shape[rank - 1];
    if (!result_type(e, element(a), args[DOT_ACC], args[DOT_OUT], at, &type) ||
        !accumulator(e, args[DOT_ACC], type, rank, shape, at, &acc)) {
        return value_error();
    }
    a = merge_batches(e, a);
    b = merge_batches(e, b);
    struct value start = merge_batches(e, acc);
    struct builder *builder = &e->builder;
    MlirValue value =
        VALUE(builder, OP_DOT, OPERANDS(a.tensor.value, b.tensor.value, start.tensor.value),
              RESULTS(mlirValueGetType(start.tensor.value)), ATTRS(attr_dot_precision(builder, precision)));
    if (imprecise >= 0) {
        op_set_int(e->ir, value_op(value), ATTR_IMPRECISE, (int)imprecise);
    }
    return emit_reshape(e, tensor_like(e, value, type, start), rank, shape, false);
}

// Both formats e2m1, or each one of 8 bits; e2m1 beside those is widened to e4m3 first. Scales that are numbers go with e2m1 alone.
static bool scaled_type(const char *format, const char *other, bool numbers, enum mma_type *type) {
    bool narrow = !strcmp(format, "e2m1"), both = narrow && !strcmp(other, "e2m1");
    if (numbers) {
        *type = MMA_NV_E2M1;
        return both;
    }
    *type = both ? MMA_SCALED_E2M1 : !strcmp(format, "e5m2") ? MMA_SCALED_E5M2 : MMA_SCALED_E4M3;
    return narrow || !strcmp(format, "e4m3") || !strcmp(format, "e5m2");
}

// M, N and K count elements.
struct value builtin_multiplies_scaled(struct emitter *e, struct value *args, struct location at) {
    const char *left, *right;
    int64_t m, n, k, numbers;
    if (!value_to_string(e, args[0], "lhs_format", at, &left) ||
        !value_to_string(e, args[1], "rhs_format", at, &right) || !int_option(e, args[2], "m", at, &m) ||
        !int_option(e, args[3], "n", at, &n) || !int_option(e, args[4], "k", at, &k) ||
        !int_option(e, args[5], "numbers", at, &numbers)) {
        return value_error();
    }
    enum mma_type a, b;
    bool known = e->target && scaled_type(left, right, numbers, &a) && scaled_type(right, left, numbers, &b);
    bool packed = a == MMA_SCALED_E2M1 || a == MMA_NV_E2M1;
    return value_bool(known && mma_fits_scaled(e->target, a, b, m, n, packed ? k / 2 : k));
}

// Tiles of f8, or both of bytes with two e2m1 along K; scales of a byte for 32 elements (scaled.tk checks the shapes).
struct value builtin_dot_with_scales(struct emitter *e, struct value *args, struct location at) {
    struct value a = args[0], a_scale = args[1], b = args[2], b_scale = args[3], acc;
    int64_t shape[] = {a.tensor.shape[0], b.tensor.shape[1]};
    struct dtype type = DTYPE_OF(FLOAT32);
    if (!accumulator(e, args[4], type, 2, shape, at, &acc)) {
        return value_error();
    }
    struct builder *builder = &e->builder;
    MlirValue value = VALUE(builder, OP_DOT,
                            OPERANDS(a.tensor.value, b.tensor.value, acc.tensor.value, a_scale.tensor.value,
                                     b_scale.tensor.value),
                            RESULTS(mlirValueGetType(acc.tensor.value)),
                            ATTRS(attr_dot_precision(builder, PRECISION_IEEE)));
    return tensor_like(e, value, type, acc);
}

// Expanded by the library: widening, scaling, tl.dot.
struct value builtin_dot_scaled(struct emitter *e, struct value *args, struct location at) {
    bool batches = value_is_tensor(args[0]) && args[0].tensor.rank > 2 && (given(args[1]) || given(args[4]));
    if (batches && !language_takes(e, LANGUAGE_SCALED_BATCHES, at)) {
        return value_error();
    }
    return emit_call_library(e, "scaled", "dot_scaled", args, 11, at);
}
