// Operators. Two constants go to constant.c; if one operand is a tensor, Triton's rules hold.
#include <math.h>

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/tk.h"
#include "frontend/semantics/constant.h"
#include "frontend/semantics/emit.h"
#include "frontend/semantics/language.h"

struct value emit_elementwise(struct emitter *e, enum op_kind op, struct dtype result, struct value a) {
    MlirType type = tensor_mlir_type(e, result, a.tensor.rank, a.tensor.shape);
    return tensor_like(e, VALUE(&e->builder, op, OPERANDS(a.tensor.value), RESULTS(type), NO_ATTRS), result,
                       a);
}

struct value emit_elementwise2(struct emitter *e, enum op_kind op, struct dtype result, struct value a,
                               struct value b) {
    MlirType type = tensor_mlir_type(e, result, a.tensor.rank, a.tensor.shape);
    return tensor_like(
        e, VALUE(&e->builder, op, OPERANDS(a.tensor.value, b.tensor.value), RESULTS(type), NO_ATTRS), result,
        a);
}

// ---- folding while emitting ----

static bool is_number(bool known, struct value constant, double number) {
    return known && value_number(constant) == number;
}

static bool fold_integers(enum binary_op op, struct dtype type, wide_int a, wide_int b, wide_int *out) {
    unsigned bits = dtype_bits(type);
    switch (op) {
    case BINARY_ADD:
        *out = a + b;
        return true;
    case BINARY_SUB:
        *out = a - b;
        return true;
    case BINARY_MUL:
        *out = (wide_int)((uint64_t)a * (uint64_t)b);
        return true;
    case BINARY_FLOOR_DIV:
    case BINARY_MOD:
        if (b == 0) {
            return false;
        }
        *out = op == BINARY_MOD ? a % b : a / b;
        return true;
    case BINARY_AND:
        *out = a & b;
        return true;
    case BINARY_OR:
        *out = a | b;
        return true;
    case BINARY_XOR:
        *out = a ^ b;
        return true;
    case BINARY_SHL:
    case BINARY_SHR:
        if (b < 0 || b >= bits) {
            return false;
        }
        *out = op == BINARY_SHR ? a >> b : (wide_int)((uint64_t)a << b);
        return true;
    default:
        return false;
    }
}

static bool fold_floats(enum binary_op op, struct dtype type, double a, double b, double *out) {
    if (dtype_is_f8(type)) {
        return false;
    }
    switch (op) {
    case BINARY_ADD:
        *out = a + b;
        break;
    case BINARY_SUB:
        *out = a - b;
        break;
    case BINARY_MUL:
        *out = a * b;
        break;
    case BINARY_DIV:
        *out = a / b;
        break;
    default:
        return false;
    }
    return !isnan(*out);
}

static bool fold_constants(struct emitter *e, enum binary_op op, struct tensor like, struct value x,
                           struct value y, struct value *out) {
    if (dtype_is_float(like.dtype)) {
        double result;
        if (!fold_floats(op, like.dtype, x.number, y.number, &result)) {
            return false;
        }
        *out = emit_float(e, like.dtype, like.rank, like.shape, result);
        return true;
    }
    wide_int result;
    if (!fold_integers(op, like.dtype, value_integer(x), value_integer(y), &result)) {
        return false;
    }
    *out = emit_int(e, like.dtype, like.rank, like.shape, result);
    return true;
}

// The neutral element of each operator, and the sides on which it may stand. For floats only if it is exact
// for every operand: -0.0 + 0 is 0.0.
enum { LEFT = 1, RIGHT = 2 };
static const struct {
    uint8_t number, sides;
    bool of_floats;
} neutral[BINARY_XOR + 1] = {
    [BINARY_ADD] = {0, LEFT | RIGHT, false}, [BINARY_SUB] = {0, RIGHT, true},
    [BINARY_MUL] = {1, LEFT | RIGHT, true},  [BINARY_DIV] = {1, RIGHT, true},
    [BINARY_FLOOR_DIV] = {1, RIGHT, false},  [BINARY_AND] = {1, LEFT | RIGHT, false},
    [BINARY_OR] = {0, LEFT | RIGHT, false},  [BINARY_XOR] = {0, LEFT | RIGHT, false},
    [BINARY_SHL] = {0, RIGHT, false},        [BINARY_SHR] = {0, RIGHT, false},
};

static bool is_neutral(enum binary_op op, int side, struct dtype type, bool known, struct value constant) {
    bool is_float = dtype_is_float(type);
    if (!(neutral[op].sides & side) || !is_number(known, constant, neutral[op].number) ||
        (is_float && !neutral[op].of_floats)) {
        return false;
    }
    bool negative_zero = is_float && op == BINARY_SUB && signbit(constant.number);
    return !negative_zero && (op != BINARY_AND || dtype_is_bool(type));
}

// x * 0, x & 0 and x % 1.
static bool is_zero(enum binary_op op, bool known_a, struct value a, bool known_b, struct value b) {
    switch (op) {
    case BINARY_MUL:
    case BINARY_AND:
        return is_number(known_a, a, 0) || is_number(known_b, b, 0);
    case BINARY_MOD:
        return is_number(known_b, b, 1);
    default:
        return false;
    }
}

// Folds x + 0, x * 1, x * 0 and similar, and two constants.
static bool fold(struct emitter *e, enum binary_op op, struct value a, struct value b, struct value *out) {
    struct value x, y;
    bool known_a = tensor_constant(e, a, &x), known_b = tensor_constant(e, b, &y);
    struct tensor like = a.tensor;
    if (known_a && known_b) {
        return fold_constants(e, op, like, x, y, out);
    }
    if (!dtype_is_float(like.dtype) && is_zero(op, known_a, x, known_b, y)) {
        *out = emit_int(e, like.dtype, like.rank, like.shape, 0);
        return true;
    }
    bool right_neutral = is_neutral(op, RIGHT, like.dtype, known_b, y);
    *out = right_neutral ? a : b;
    return right_neutral || is_neutral(op, LEFT, like.dtype, known_a, x);
}

static enum op_kind arith_kind(enum binary_op op, struct dtype type) {
    bool is_float = dtype_is_float(type), is_signed = dtype_is_signed(type);
    switch (op) {
    case BINARY_ADD:
        return is_float ? OP_ADDF : OP_ADDI;
    case BINARY_SUB:
        return is_float ? OP_SUBF : OP_SUBI;
    case BINARY_MUL:
        return is_float ? OP_MULF : OP_MULI;
    case BINARY_DIV:
        return is_float ? OP_DIVF : OP_UNKNOWN;
    case BINARY_FLOOR_DIV:
        return is_float ? OP_UNKNOWN : is_signed ? OP_DIVSI : OP_DIVUI;
    case BINARY_MOD:
        return is_float ? OP_REMF : is_signed ? OP_REMSI : OP_REMUI;
    case BINARY_AND:
        return is_float ? OP_UNKNOWN : OP_ANDI;
    case BINARY_OR:
        return is_float ? OP_UNKNOWN : OP_ORI;
    case BINARY_XOR:
        return is_float ? OP_UNKNOWN : OP_XORI;
    case BINARY_SHL:
        return is_float ? OP_UNKNOWN : OP_SHLI;
    case BINARY_SHR:
        return is_float ? OP_UNKNOWN : is_signed ? OP_SHRSI : OP_SHRUI;
    default:
        return OP_UNKNOWN;
    }
}

// f8 has no arithmetic of its own: through f16 for operators, as Triton's back ends do.
struct value emit_arith(struct emitter *e, enum binary_op op, struct value a, struct value b) {
    struct value folded;
    if (value_failed(a) || value_failed(b)) {
        return value_error();
    }
    if (fold(e, op, a, b, &folded)) {
        return folded;
    }
    struct dtype type = a.tensor.dtype;
    if (dtype_is_f8(type)) {
        struct location nowhere = {0};
        struct value x = emit_cast(e, a, DTYPE_OF(FLOAT32), nowhere),
                     y = emit_cast(e, b, DTYPE_OF(FLOAT32), nowhere);
        return emit_cast(e, emit_arith(e, op, x, y), type, nowhere);
    }
    return emit_elementwise2(e, arith_kind(op, type), type, a, b);
}

// ---- binary operators ----

static struct value refuse(struct emitter *e, enum binary_op op, struct value a, struct value b,
                           struct location location) {
    bool first = value_is_tensor(a) && dtype_is_float(a.tensor.dtype);
    bool second = !first && value_is_tensor(b) && dtype_is_float(b.tensor.dtype);
    struct location at = first ? emit_left_place(e, location) : emit_right_place(e, location);
    const char *text = emit_operand_text(e, at, "x"), *remedy = "it takes integers";
    if (first || second) {
        remedy = arena_printf(e->arena,
                              "write %s.to(tl.int32) for the value as an integer, or %s.to(tl.int%u, "
                              "bitcast=True) for its bits",
                              text, text, dtype_bits(first ? a.tensor.dtype : b.tensor.dtype));
    }
    return emit_error(e, location, "%s is not defined for %s and %s; %s", binary_op_text(op),
                      value_type_name(e->arena, a), value_type_name(e->arena, b), remedy);
}

static struct value add_pointer(struct emitter *e, struct value pointer, struct value offset,
                                struct location location) {
    struct value constant;
    if (!dtype_is_integer(offset.tensor.dtype)) {
        return emit_error(e, location, "a pointer and %s", value_type_name(e->arena, offset));
    }
    if (tensor_constant(e, offset, &constant) && value_integer(constant) == 0) {
        return pointer;
    }
    struct dtype type = offset.tensor.dtype;
    if (dtype_is_unsigned(type) && dtype_bits(type) < 64) {
        offset = emit_cast(e, offset, DTYPE_OF(INT64), location);
    }
    return emit_elementwise2(e, OP_ADDPTR, pointer.tensor.dtype, pointer, offset);
}

static struct value emit_add_sub(struct emitter *e, enum binary_op op, struct value a, struct value b,
                                 struct location location) {
    unsigned flags = PROMOTE_ALLOW_POINTER_A | (op == BINARY_ADD ? PROMOTE_ALLOW_POINTER_B : 0);
    if (!emit_promote_pair(e, &a, &b, flags, location)) {
        return value_error();
    }
    bool a_pointer = dtype_is_pointer(a.tensor.dtype), b_pointer = dtype_is_pointer(b.tensor.dtype);
    if (a_pointer && b_pointer) {
        return emit_error(e, location, "two pointers cannot be added");
    }
    if (b_pointer) {
        return add_pointer(e, b, a, location);
    }
    if (a_pointer) {
        return add_pointer(e, a, op == BINARY_SUB ? emit_unary(e, UNARY_MINUS, b, location) : b, location);
    }
    return emit_arith(e, op, a, b);
}

static struct value emit_division(struct emitter *e, enum binary_op op, struct value a, struct value b,
                                  struct location location) {
    if (!emit_promote_pair(e, &a, &b, PROMOTE_DIVISION, location)) {
        return value_error();
    }
    bool is_integer = dtype_is_integer(a.tensor.dtype);
    if (op == BINARY_DIV && is_integer) {
        a = emit_cast(e, a, DTYPE_OF(FLOAT32), location);
        b = emit_cast(e, b, DTYPE_OF(FLOAT32), location);
    }
    if (op == BINARY_FLOOR_DIV && !is_integer) {
        return emit_error(e, location, "// needs integers, not %s; use tl.floor(a / b)",
                          dtype_name(e->arena, a.tensor.dtype));
    }
    return emit_arith(e, op, a, b);
}

static struct value emit_bitwise(struct emitter *e, enum binary_op op, struct value a, struct value b,
                                 struct location location) {
    struct value original_a = a, original_b = b;
    if (!emit_promote_pair(e, &a, &b, 0, location)) {
        return value_error();
    }
    if (!dtype_is_integer(a.tensor.dtype)) {
        return refuse(e, op, original_a, original_b, location);
    }
    if (op != BINARY_SHR) {
        return emit_arith(e, op, a, b);
    }
    // The left operand's signedness selects arithmetic or logical >>, regardless of the common type.
    struct value left = value_is_tensor(original_a) ? original_a : original_b;
    bool is_signed = dtype_is_signed(left.tensor.dtype);
    if (is_signed == dtype_is_signed(a.tensor.dtype)) {
        return emit_arith(e, op, a, b);
    }
    return emit_elementwise2(e, is_signed ? OP_SHRSI : OP_SHRUI, a.tensor.dtype, a, b);
}

static bool is_run_time(struct value v) {
    return v.kind == VALUE_TENSOR;
}

struct value emit_binary(struct emitter *e, enum binary_op op, struct value a, struct value b,
                         struct location location) {
    if (value_failed(a) || value_failed(b)) {
        return value_error();
    }
    if (!is_run_time(a) && !is_run_time(b)) {
        return constant_binary(e, op, a, b, location);
    }
    switch (op) {
    case BINARY_ADD:
    case BINARY_SUB:
        return emit_add_sub(e, op, a, b, location);
    case BINARY_MUL:
        return emit_promote_pair(e, &a, &b, 0, location) ? emit_arith(e, op, a, b) : value_error();
    case BINARY_DIV:
    case BINARY_FLOOR_DIV:
    case BINARY_MOD:
        return emit_division(e, op, a, b, location);
    case BINARY_AND:
    case BINARY_OR:
    case BINARY_XOR:
    case BINARY_SHL:
    case BINARY_SHR:
        return emit_bitwise(e, op, a, b, location);
    default:
        return emit_error(e, location, "%s is not defined for tensors%s", binary_op_text(op),
                          op == BINARY_MATMUL ? "; use tl.dot"
                          : op == BINARY_POW  ? "; use tl.math.pow or products"
                                              : "");
    }
}

// ---- unary operators ----

struct value emit_unary(struct emitter *e, enum unary_op op, struct value a, struct location location) {
    if (value_failed(a)) {
        return a;
    }
    if (!is_run_time(a)) {
        return constant_unary(e, op, a, location);
    }
    struct dtype type = a.tensor.dtype;
    if (op == UNARY_NOT) {
        struct value truth = emit_to_bool(e, a, location);
        return emit_unary(e, UNARY_INVERT, truth, location);
    }
    if (op == UNARY_PLUS) {
        return a;
    }
    if (dtype_is_pointer(type) || (op == UNARY_INVERT && dtype_is_float(type))) {
        return emit_error(e, location, "unary %s is not defined for %s", unary_op_text(op),
                          value_type_name(e->arena, a));
    }
    if (op == UNARY_INVERT) {
        return emit_arith(e, BINARY_XOR, a, emit_int(e, type, a.tensor.rank, a.tensor.shape, -1));
    }
    if (dtype_is_float(type) && language_has(e, LANGUAGE_NEGATION)) {
        struct value constant;
        return tensor_constant(e, a, &constant)
                   ? emit_float(e, type, a.tensor.rank, a.tensor.shape, -constant.number)
                   : emit_elementwise(e, OP_NEGF, type, a); // the sign alone changes, of 0.0, too
    }
    return emit_arith(e, BINARY_SUB, emit_int(e, type, a.tensor.rank, a.tensor.shape, 0), a);
}

// ---- comparisons ----

// The predicates of arith.cmpi (signed, unsigned) and arith.cmpf.
static const struct {
    int8_t is_signed, is_unsigned, is_float;
} predicates[] = {
    [COMPARE_EQ] = {INT_EQ, INT_EQ, FLOAT_OEQ},   [COMPARE_NE] = {INT_NE, INT_NE, FLOAT_UNE},
    [COMPARE_LT] = {INT_SLT, INT_ULT, FLOAT_OLT}, [COMPARE_LE] = {INT_SLE, INT_ULE, FLOAT_OLE},
    [COMPARE_GT] = {INT_SGT, INT_UGT, FLOAT_OGT}, [COMPARE_GE] = {INT_SGE, INT_UGE, FLOAT_OGE},
};

struct value emit_compare(struct emitter *e, enum compare_op op, struct value a, struct value b,
                          struct location location) {
    if (value_failed(a) || value_failed(b)) {
        return value_error();
    }
    if ((!is_run_time(a) && !is_run_time(b)) || op == COMPARE_IS || op == COMPARE_IS_NOT) {
        return constant_compare(e, op, a, b, location);
    }
    if (op == COMPARE_IN || op == COMPARE_NOT_IN) {
        return emit_error(e, location, "%s is not defined for tensors", compare_op_text(op));
    }
    if (a.kind == VALUE_NONE || b.kind == VALUE_NONE) {
        return value_bool(op == COMPARE_NE);
    }
    if (!language_has(e, LANGUAGE_NUMBERS_TAKE_TYPE)) {
        a = emit_to_tensor(e, a, location);
        b = emit_to_tensor(e, b, location);
    }
    unsigned pointers = is_run_time(a) && is_run_time(b) && dtype_is_pointer(a.tensor.dtype) &&
                                dtype_is_pointer(b.tensor.dtype)
                            ? PROMOTE_ALLOW_POINTER_A | PROMOTE_ALLOW_POINTER_B
                            : 0;
    if (!emit_promote_pair(e, &a, &b, pointers, location)) {
        return value_error();
    }
    if (pointers) {
        a = emit_cast(e, a, DTYPE_OF(INT64), location);
        b = emit_cast(e, b, DTYPE_OF(INT64), location);
    }
    struct dtype type = a.tensor.dtype;
    if (dtype_is_f8(type)) {
        a = emit_cast(e, a, DTYPE_OF(FLOAT32), location);
        b = emit_cast(e, b, DTYPE_OF(FLOAT32), location);
        type = DTYPE_OF(FLOAT32);
    }
    struct value x, y;
    if (tensor_constant(e, a, &x) && tensor_constant(e, b, &y)) {
        struct value result = constant_compare(e, op, x, y, location);
        return emit_int(e, DTYPE_OF(INT1), a.tensor.rank, a.tensor.shape, result.boolean);
    }
    bool is_float = dtype_is_float(type);
    int predicate = is_float                  ? predicates[op].is_float
                    : dtype_is_unsigned(type) ? predicates[op].is_unsigned
                                              : predicates[op].is_signed;
    MlirType result = tensor_mlir_type(e, DTYPE_OF(INT1), a.tensor.rank, a.tensor.shape);
    MlirAttribute attribute = mlirIntegerAttrGet(type_i64(e->ir), predicate);
    MlirValue value =
        VALUE(&e->builder, is_float ? OP_CMPF : OP_CMPI, OPERANDS(a.tensor.value, b.tensor.value),
              RESULTS(result), ATTRS(attr(&e->builder, ATTR_PREDICATE, attribute)));
    return tensor_like(e, value, DTYPE_OF(INT1), a);
}

// ---- selection ----

static struct value choose(struct emitter *e, enum op_kind op, struct attrs attributes,
                           struct value condition, struct value a, struct value b, struct location location) {
    condition = emit_to_bool(e, condition, location);
    if (value_failed(condition) ||
        !emit_promote_pair(e, &a, &b, PROMOTE_ALLOW_POINTER_A | PROMOTE_ALLOW_POINTER_B, location)) {
        return value_error();
    }
    if (condition.tensor.rank > 0) {
        if (!emit_broadcast_pair(e, &condition, &a, location) || !emit_broadcast_pair(e, &a, &b, location)) {
            return value_error();
        }
    } else if (a.tensor.rank > 0) {
        condition = emit_splat(e, condition, a.tensor.rank, a.tensor.shape);
    }
    if (dtype_is_pointer(a.tensor.dtype) != dtype_is_pointer(b.tensor.dtype)) {
        return emit_error(e, location, "a choice between %s and %s", value_type_name(e->arena, a),
                          value_type_name(e->arena, b));
    }
    struct value constant;
    if (tensor_constant(e, condition, &constant)) {
        return constant.boolean ? a : b;
    }
    if (value_identical(a, b)) {
        return a;
    }
    MlirType type = mlirValueGetType(a.tensor.value);
    return tensor_like(e,
                       VALUE(&e->builder, op,
                             OPERANDS(condition.tensor.value, a.tensor.value, b.tensor.value), RESULTS(type),
                             attributes),
                       a.tensor.dtype, a);
}

struct value emit_where(struct emitter *e, struct value condition, struct value a, struct value b,
                        struct location location) {
    return choose(e, OP_SELECT, NO_ATTRS, condition, a, b, location);
}

struct value emit_rarely(struct emitter *e, struct value condition, struct value a, struct value b,
                         bool always, struct location location) {
    MlirNamedAttribute attribute = attr_unit(&e->builder, ATTR_ALWAYS);
    return choose(e, OP_RARELY, (struct attrs){always, &attribute}, condition, a, b, location);
}

static struct value min_max_operand(struct emitter *e, struct value v, struct location location) {
    if (!language_has(e, LANGUAGE_NUMBERS_TAKE_TYPE)) {
        v = emit_to_tensor(e, v, location);
    }
    return value_is_tensor(v) ? emit_widen_bf16(e, v, location) : v;
}

struct value emit_min_max(struct emitter *e, bool is_max, struct value a, struct value b, enum min_max nan,
                          struct location location) {
    if (value_failed(a) || value_failed(b)) {
        return value_error();
    }
    if (!e->ir) {
        return constant_min_max(e, is_max, a, b, location);
    }
    a = min_max_operand(e, a, location);
    b = min_max_operand(e, b, location);
    if (value_failed(a) || value_failed(b) || !emit_promote_pair(e, &a, &b, 0, location)) {
        return value_error();
    }
    struct dtype type = a.tensor.dtype;
    struct value x, y;
    if (!dtype_is_float(type) && tensor_constant(e, a, &x) && tensor_constant(e, b, &y)) {
        bool first = is_max == (value_integer(x) >= value_integer(y));
        return first ? a : b;
    }
    if (dtype_is_f8(type)) {
        x = emit_cast(e, a, DTYPE_OF(FLOAT32), location);
        y = emit_cast(e, b, DTYPE_OF(FLOAT32), location);
        return emit_cast(e, emit_min_max(e, is_max, x, y, nan, location), type, location);
    }
    enum op_kind op;
    if (dtype_is_float(type)) {
        bool propagates = nan == MIN_MAX_PROPAGATE_NAN;
        op = is_max ? (propagates ? OP_MAXIMUMF : OP_MAXNUMF) : (propagates ? OP_MINIMUMF : OP_MINNUMF);
    } else if (dtype_is_signed(type)) {
        op = is_max ? OP_MAXSI : OP_MINSI;
    } else {
        op = is_max ? OP_MAXUI : OP_MINUI;
    }
    return emit_elementwise2(e, op, type, a, b);
}
