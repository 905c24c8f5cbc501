// Rules of axis information for integer arithmetic.
//
// Groups and bounds are separate domains. Groups (contiguity, divisibility, constancy) survive wrapping: a
// power of two dividing a sum divides it modulo 2^bits too, and an aligned run of 2^k numbers from a
// multiple of 2^k never crosses the end of the type. Bounds do not survive it. They stay exact as long as the
// result fits. A sum or product of non-negative numbers of 32 or 64 bits is assumed not to overflow (narrower
// types are data, and data wraps). requires nothing · test: tests/unit/test_axis_rules.c
#include "passes/facts/axis_rules.h"

#include "ir/build.h"

typedef __int128 wide;

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

int64_t axis_power_of_two_in(int64_t value) {
    uint64_t lowest = (uint64_t)value & -(uint64_t)value;
    return lowest == 0 || lowest > AXIS_DIVISIBILITY_MAX ? AXIS_DIVISIBILITY_MAX : (int64_t)lowest;
}

static int64_t product(int64_t a, int64_t b) {
    return a >= AXIS_DIVISIBILITY_MAX / b ? AXIS_DIVISIBILITY_MAX : a * b;
}

static int64_t lowest(unsigned bits) {
    return INT64_MIN >> (64 - bits);
}

static int64_t highest(unsigned bits) {
    return INT64_MAX >> (64 - bits);
}

// `value` as a signed number of `bits` bits.
static int64_t wrap(uint64_t value, unsigned bits) {
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static uint64_t as_unsigned(int64_t value, unsigned bits) {
    return (uint64_t)value & (UINT64_MAX >> (64 - bits));
}

struct axis_info axis_unknown(const struct axis_shape *shape) {
    struct axis_info info = {.rank = shape->rank, .low = lowest(shape->bits), .high = highest(shape->bits)};
    for (int d = 0; d < info.rank; d++) {
        info.contiguity[d] = info.divisibility[d] = info.constancy[d] = 1;
    }
    return info;
}

struct axis_info axis_constant(const struct axis_shape *shape, uint64_t value) {
    struct axis_info info = axis_unknown(shape);
    info.low = info.high = wrap(value, shape->bits);
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = axis_power_of_two_in(info.low);
        info.constancy[d] = shape->extent[d];
    }
    return info;
}

bool axis_is_constant(const struct axis_info *info, int64_t *value) {
    *value = info->low;
    return info->low == info->high && !info->bounds_assume;
}

static bool is_constant_of(const struct axis_info *info, int64_t value) {
    int64_t constant;
    return axis_is_constant(info, &constant) && constant == value;
}

// The divisibility of the first elements of groups of `group`: inside a longer run it is at most the group's
// length.
static int64_t divisibility_at(const struct axis_info *info, int d, int64_t group) {
    return group < info->contiguity[d] ? min64(info->divisibility[d], group) : info->divisibility[d];
}

int64_t axis_every_divisibility(const struct axis_info *info, int d) {
    return info->contiguity[d] > 1 ? 1 : info->divisibility[d];
}

// The length of a certain run along d, from a multiple of its length.
static int64_t run_of(const struct axis_info *info, int d) {
    return min64(info->contiguity[d], info->divisibility[d]);
}

struct axis_info axis_meet(const struct axis_info *a, const struct axis_info *b) {
    struct axis_info info = *a;
    for (int d = 0; d < info.rank; d++) {
        info.contiguity[d] = min64(a->contiguity[d], b->contiguity[d]);
        info.divisibility[d] =
            min64(divisibility_at(a, d, info.contiguity[d]), divisibility_at(b, d, info.contiguity[d]));
        info.constancy[d] = min64(a->constancy[d], b->constancy[d]);
    }
    info.low = min64(a->low, b->low);
    info.high = max64(a->high, b->high);
    info.assumes |= b->assumes;
    info.bounds_assume |= b->bounds_assume;
    return info;
}

struct axis_info axis_widen(const struct axis_shape *shape, const struct axis_info *a,
                            const struct axis_info *b) {
    struct axis_info info = axis_meet(a, b);
    info.low = info.low == a->low ? info.low : info.low >= 0 ? 0 : lowest(shape->bits);
    info.high = info.high == a->high ? info.high : highest(shape->bits);
    return info;
}

// ---- bounds ----

static void bound(struct axis_info *info, int64_t low, int64_t high, unsigned assumes) {
    info->low = low;
    info->high = high;
    info->bounds_assume = assumes;
}

// Sets the bounds of a result between low and high before wrapping.
static void bound_wrapping(struct axis_info *info, const struct axis_shape *shape, wide low, wide high,
                           unsigned assumes) {
    unsigned bits = shape->bits;
    if (low == high && !assumes) {
        bound(info, wrap((uint64_t)low, bits), wrap((uint64_t)low, bits), 0);
    } else if (low >= lowest(bits) && high <= highest(bits)) {
        bound(info, (int64_t)low, (int64_t)high, assumes);
    } else if (shape->is_index && low >= 0 && low <= highest(bits)) {
        bound(info, (int64_t)low, highest(bits), assumes | AXIS_ASSUMES_NO_WRAP);
    }
}

static unsigned both_bounds(const struct axis_info *a, const struct axis_info *b) {
    return a->bounds_assume | b->bounds_assume;
}

static void bound_product(struct axis_info *info, const struct axis_shape *shape, const struct axis_info *a,
                          wide b_low, wide b_high, unsigned assumes) {
    wide corners[] = {a->low * b_low, a->low * b_high, a->high * b_low, a->high * b_high};
    wide low = corners[0], high = corners[0];
    for (int i = 1; i < 4; i++) {
        low = corners[i] < low ? corners[i] : low;
        high = corners[i] > high ? corners[i] : high;
    }
    bound_wrapping(info, shape, low, high, assumes);
}

// Division truncates; a divisor 0 is replaced by the smallest number (upstream_ops.def).
static void bound_quotient(struct axis_info *info, const struct axis_shape *shape, const struct axis_info *a,
                           const struct axis_info *b) {
    unsigned assumes = both_bounds(a, b);
    if (b->low > 0) {
        bound(info, min64(a->low / b->low, a->low / b->high), max64(a->high / b->low, a->high / b->high),
              assumes);
    } else if (b->low == 0) {
        bound(info, min64(a->low, 0), max64(a->high, a->low == lowest(shape->bits)), assumes);
    } else if (a->low >= 0 && shape->is_index && b->low != b->high) {
        bound(info, 0, a->high, a->bounds_assume | AXIS_ASSUMES_DIVISORS);
    } else if (a->low > lowest(shape->bits)) {
        int64_t most = max64(-a->low, a->high);
        bound(info, -most, most, a->bounds_assume);
    }
}

static void bound_unsigned_quotient(struct axis_info *info, const struct axis_shape *shape,
                                    const struct axis_info *a, const struct axis_info *b) {
    if (a->low >= 0 && b->low > 0) {
        bound(info, a->low / b->high, a->high / b->low, both_bounds(a, b));
    } else if (a->low >= 0) {
        bound(info, 0, a->high, a->bounds_assume);
    } else if (b->low > 1) {
        bound(info, 0, (int64_t)(as_unsigned(-1, shape->bits) / (uint64_t)b->low), b->bounds_assume);
    }
}

// The sign is the dividend's.
static void bound_remainder(struct axis_info *info, const struct axis_info *a, const struct axis_info *b) {
    bound(info, min64(a->low, 0), max64(a->high, 0), a->bounds_assume);
    if (b->low > 0) {
        bound(info, max64(info->low, 1 - b->high), min64(info->high, b->high - 1), both_bounds(a, b));
    }
}

static void bound_unsigned_remainder(struct axis_info *info, const struct axis_info *a,
                                     const struct axis_info *b) {
    if (b->low > 0) {
        bound(info, 0, b->high - 1, b->bounds_assume);
    }
    if (a->low >= 0 && (b->low <= 0 || a->high < info->high)) {
        bound(info, 0, a->high, a->bounds_assume);
    }
}

static void bound_bits(struct axis_info *info, enum op_kind kind, const struct axis_info *a,
                       const struct axis_info *b) {
    if (kind == OP_ANDI && (a->low >= 0 || b->low >= 0)) {
        bool by_a = a->low >= 0 && (b->low < 0 || a->high <= b->high);
        bound(info, 0, by_a ? a->high : b->high, by_a ? a->bounds_assume : b->bounds_assume);
    } else if (kind != OP_ANDI && a->low >= 0 && b->low >= 0) {
        int64_t most = max64(a->high, b->high);
        bound(info, 0, most ? (int64_t)(UINT64_MAX >> __builtin_clzll((uint64_t)most)) : 0,
              both_bounds(a, b));
    }
}

static void bound_choice(struct axis_info *info, enum op_kind kind, const struct axis_info *a,
                         const struct axis_info *b) {
    bool neither_negative = a->low >= 0 && b->low >= 0;
    unsigned assumes = both_bounds(a, b);
    if (kind == OP_MINSI || (kind == OP_MINUI && neither_negative)) {
        bound(info, min64(a->low, b->low), min64(a->high, b->high), assumes);
    } else if (kind == OP_MAXSI || (kind == OP_MAXUI && neither_negative)) {
        bound(info, max64(a->low, b->low), max64(a->high, b->high), assumes);
    } else if (kind == OP_MINUI && (a->low >= 0 || b->low >= 0)) {
        bound(info, 0, a->low >= 0 ? a->high : b->high, a->low >= 0 ? a->bounds_assume : b->bounds_assume);
    } else if (kind == OP_SELECT) {
        bound(info, min64(a->low, b->low), max64(a->high, b->high), assumes);
    }
}

// ---- groups ----

// A result computed elementwise: constant if all operands are.
static struct axis_info elementwise(const struct axis_op *op) {
    struct axis_info info = axis_unknown(&op->shape);
    for (int d = 0; d < info.rank; d++) {
        info.constancy[d] = op->shape.extent[d];
        for (int i = 0; i < op->count; i++) {
            const struct axis_info *operand = &op->operands[i];
            info.constancy[d] = min64(info.constancy[d], d < operand->rank ? operand->constancy[d] : 1);
        }
    }
    for (int i = 0; i < op->count; i++) {
        info.assumes |= op->operands[i].assumes;
    }
    return info;
}

static struct axis_info sum(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[0], *b = &op->operands[1];
    struct axis_info info = elementwise(op);
    for (int d = 0; d < info.rank; d++) {
        int64_t run = min64(a->contiguity[d], b->constancy[d]),
                other = min64(a->constancy[d], b->contiguity[d]);
        info.contiguity[d] = op->kind == OP_SUBI ? run : max64(run, other);
        bool inside = info.contiguity[d] < a->contiguity[d];
        int64_t of_a =
            inside ? min64(a->divisibility[d], product(info.contiguity[d], op->unit)) : a->divisibility[d];
        info.divisibility[d] = min64(of_a, product(divisibility_at(b, d, info.contiguity[d]), op->unit));
    }
    unsigned assumes = both_bounds(a, b);
    if (op->kind == OP_ADDI) {
        bound_wrapping(&info, &op->shape, (wide)a->low + b->low, (wide)a->high + b->high, assumes);
    } else if (op->kind == OP_SUBI) {
        bound_wrapping(&info, &op->shape, (wide)a->low - b->high, (wide)a->high - b->low, assumes);
    }
    return info;
}

static struct axis_info multiplied(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[0], *b = &op->operands[1];
    if (is_constant_of(a, 1) || is_constant_of(b, 1)) {
        return is_constant_of(a, 1) ? *b : *a;
    }
    struct axis_info info = elementwise(op);
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = product(axis_every_divisibility(a, d), axis_every_divisibility(b, d));
    }
    bound_product(&info, &op->shape, a, b->low, b->high, both_bounds(a, b));
    return info;
}

// A run from a multiple of the divisor's power of two has one quotient over that power, unless it is negative
// and division rounds towards zero.
static struct axis_info divided(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[0], *b = &op->operands[1];
    int64_t divisor;
    bool known = axis_is_constant(b, &divisor), is_signed = op->kind == OP_DIVSI;
    if (known && divisor == 1) {
        return *a;
    }
    struct axis_info info = elementwise(op);
    for (int d = 0; d < info.rank; d++) {
        int64_t run = min64(run_of(a, d), axis_every_divisibility(b, d));
        bool counts = (!is_signed || a->low >= 0) && b->constancy[d] >= a->contiguity[d];
        if (counts && run > info.constancy[d]) {
            info.constancy[d] = run;
            info.assumes |= is_signed ? a->bounds_assume : 0;
        }
        if (known && divisor > 0 && (divisor & (divisor - 1)) == 0) {
            info.divisibility[d] = max64(1, axis_every_divisibility(a, d) / divisor);
        }
    }
    (is_signed ? bound_quotient : bound_unsigned_quotient)(&info, &op->shape, a, b);
    return info;
}

// A shift by a constant: a product, or a quotient rounded down.
static bool is_shift_by_constant(const struct axis_op *op, int64_t *by) {
    return axis_is_constant(&op->operands[1], by) && *by >= 0 && *by < min64(op->shape.bits, 62);
}

static struct axis_info shifted_left(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[0];
    int64_t by;
    struct axis_info info = elementwise(op);
    if (!is_shift_by_constant(op, &by) || by == 0) {
        return is_constant_of(&op->operands[1], 0) ? *a : info;
    }
    int64_t factor = INT64_C(1) << by;
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = product(axis_every_divisibility(a, d), min64(factor, AXIS_DIVISIBILITY_MAX));
    }
    bound_product(&info, &op->shape, a, factor, factor, a->bounds_assume);
    return info;
}

static struct axis_info shifted_right(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[0];
    int64_t by;
    struct axis_info info = elementwise(op);
    if (!is_shift_by_constant(op, &by) || by == 0) {
        return is_constant_of(&op->operands[1], 0) ? *a : info;
    }
    int64_t divisor = INT64_C(1) << by;
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = max64(1, axis_every_divisibility(a, d) / divisor);
        info.constancy[d] =
            max64(a->constancy[d], min64(run_of(a, d), min64(divisor, AXIS_DIVISIBILITY_MAX)));
    }
    if (op->kind == OP_SHRSI || a->low >= 0) {
        bound(&info, a->low >> by, a->high >> by, a->bounds_assume);
    } else {
        bound(&info, 0, (int64_t)(as_unsigned(-1, op->shape.bits) >> by), 0);
    }
    return info;
}

static struct axis_info remainder_of(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[0], *b = &op->operands[1];
    bool is_signed = op->kind == OP_REMSI;
    struct axis_info info = elementwise(op);
    for (int d = 0; d < info.rank; d++) {
        if ((!is_signed || a->low >= 0) && b->constancy[d] >= a->contiguity[d]) {
            info.contiguity[d] = min64(run_of(a, d), axis_every_divisibility(b, d));
            info.assumes |= is_signed && info.contiguity[d] > 1 ? a->bounds_assume : 0;
        }
        info.divisibility[d] =
            min64(divisibility_at(a, d, info.contiguity[d]), divisibility_at(b, d, info.contiguity[d]));
    }
    (is_signed ? bound_remainder : bound_unsigned_remainder)(&info, a, b);
    return info;
}

static struct axis_info masked(const struct axis_op *op) {
    struct axis_info info = elementwise(op);
    bound_bits(&info, op->kind, &op->operands[0], &op->operands[1]);
    return info;
}

// A choice between the last two operands.
static struct axis_info chosen(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[op->count - 2], *b = &op->operands[op->count - 1];
    struct axis_info info = elementwise(op);
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = min64(axis_every_divisibility(a, d), axis_every_divisibility(b, d));
    }
    bound_choice(&info, op->kind, a, b);
    return info;
}

// An ordering between a counting run and a bound changes only at multiples of the bound's divisibility.
static struct axis_info compared(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[0], *b = &op->operands[1];
    struct axis_info info = elementwise(op);
    unsigned predicate = 1u << op->predicate;
    // A run on the left (`less`) or on the right (`greater`): below the bound, or not.
    bool less = predicate & (1 << INT_SLT | 1 << INT_SGE | 1 << INT_ULT | 1 << INT_UGE);
    bool greater = predicate & (1 << INT_SLE | 1 << INT_SGT | 1 << INT_ULE | 1 << INT_UGT);
    for (int d = 0; d < info.rank; d++) {
        if (less && b->constancy[d] >= a->contiguity[d]) {
            info.constancy[d] = max64(info.constancy[d], min64(run_of(a, d), axis_every_divisibility(b, d)));
        }
        if (greater && a->constancy[d] >= b->contiguity[d]) {
            info.constancy[d] = max64(info.constancy[d], min64(run_of(b, d), axis_every_divisibility(a, d)));
        }
    }
    return info;
}

static struct axis_info extended_signed(const struct axis_op *op) {
    return op->operands[0];
}

static struct axis_info extended_unsigned(const struct axis_op *op) {
    struct axis_info info = op->operands[0];
    int64_t constant;
    if (axis_is_constant(&info, &constant)) {
        return axis_constant(&op->shape, as_unsigned(constant, op->from_bits));
    }
    if (info.low < 0) {
        bound(&info, 0, (int64_t)as_unsigned(-1, op->from_bits), 0);
    }
    return info;
}

// The low bits of a wider integer: runs restart at the end of the narrow type.
static struct axis_info truncated(const struct axis_op *op) {
    const struct axis_info *a = &op->operands[0];
    unsigned bits = op->shape.bits;
    struct axis_info info = *a;
    int64_t constant;
    if (axis_is_constant(a, &constant)) {
        return axis_constant(&op->shape, (uint64_t)constant);
    }
    if (a->low >= lowest(bits) && a->high <= highest(bits)) {
        return info;
    }
    for (int d = 0; d < info.rank; d++) {
        info.contiguity[d] =
            min64(a->contiguity[d], bits > 20 ? AXIS_DIVISIBILITY_MAX : INT64_C(1) << (bits - 1));
        info.divisibility[d] = divisibility_at(a, d, info.contiguity[d]);
    }
    bound(&info, lowest(bits), highest(bits), 0);
    return info;
}

static struct axis_info (*const rules[OP_KIND_COUNT])(const struct axis_op *op) = {
    [OP_ADDI] = sum,
    [OP_SUBI] = sum,
    [OP_ADDPTR] = sum,
    [OP_MULI] = multiplied,
    [OP_SHLI] = shifted_left,
    [OP_SHRSI] = shifted_right,
    [OP_SHRUI] = shifted_right,
    [OP_DIVSI] = divided,
    [OP_DIVUI] = divided,
    [OP_REMSI] = remainder_of,
    [OP_REMUI] = remainder_of,
    [OP_ANDI] = masked,
    [OP_ORI] = masked,
    [OP_XORI] = masked,
    [OP_MINSI] = chosen,
    [OP_MAXSI] = chosen,
    [OP_MINUI] = chosen,
    [OP_MAXUI] = chosen,
    [OP_SELECT] = chosen,
    [OP_CMPI] = compared,
    [OP_EXTSI] = extended_signed,
    [OP_EXTUI] = extended_unsigned,
    [OP_TRUNCI] = truncated,
};

// Bounds of a single number make a constant, beyond the groups known to the rule.
struct axis_info axis_computed(const struct axis_op *op) {
    struct axis_info info = rules[op->kind] ? rules[op->kind](op) : elementwise(op);
    int64_t constant;
    bool known = axis_is_constant(&info, &constant) && op->kind != OP_ADDPTR;
    return known ? axis_constant(&op->shape, (uint64_t)constant) : info;
}
