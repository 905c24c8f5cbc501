// Python's operators on compile-time values. Integers have 128 bits; an overflow is an error that names the
// operation, never a wrapped value.
#define _GNU_SOURCE // memmem: linear in the lengths
#include "frontend/semantics/constant.h"

#include <math.h>
#include <string.h>

// ---- integers ----

wide_int floor_div(wide_int a, wide_int b) {
    wide_int quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

wide_int floor_mod(wide_int a, wide_int b) {
    return a - floor_div(a, b) * b;
}

static bool integer_power(wide_int base, wide_int exponent, wide_int *out) {
    wide_int result = 1;
    while (exponent > 0) {
        if (exponent & 1 && __builtin_mul_overflow(result, base, &result)) {
            return false;
        }
        exponent >>= 1;
        if (exponent && __builtin_mul_overflow(base, base, &base)) {
            return false;
        }
    }
    *out = result;
    return true;
}

// False on overflow. The divisor is not 0, shifts are not negative.
static bool integer_operate(enum binary_op op, wide_int a, wide_int b, wide_int *out) {
    switch (op) {
    case BINARY_ADD:
        return !__builtin_add_overflow(a, b, out);
    case BINARY_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case BINARY_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case BINARY_FLOOR_DIV:
        if (b == -1) {
            return !__builtin_sub_overflow(0, a, out);
        }
        *out = floor_div(a, b);
        return true;
    case BINARY_MOD:
        *out = b == -1 ? 0 : floor_mod(a, b);
        return true;
    case BINARY_POW:
        return integer_power(a, b, out);
    case BINARY_SHL:
        return a == 0 || b < 126
                   ? (b < 126 ? !__builtin_mul_overflow(a, (wide_int)1 << b, out) : (*out = 0, true))
                   : false;
    case BINARY_SHR:
        *out = b > 126 ? (a < 0 ? -1 : 0) : a >> b;
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
    default:
        return false;
    }
}

static bool is_exact(wide_int i) {
    return (wide_int)(double)i == i;
}

// Refuses operands for which Python gives a complex number or raises an exception.
static struct value float_power(struct emitter *e, double a, double b, struct location location) {
    double power = pow(a, b);
    bool defined = !(isnan(power) && !isnan(a) && !isnan(b)) && !(isinf(power) && isfinite(a) && isfinite(b));
    return defined ? value_float(power)
                   : emit_error(e, location, "%.17g ** %.17g is not a finite real number", a, b);
}

static struct value integer_binary(struct emitter *e, enum binary_op op, struct value a, struct value b,
                                   struct location location) {
    wide_int x = value_integer(a), y = value_integer(b), result = 0;
    if ((op == BINARY_FLOOR_DIV || op == BINARY_MOD || op == BINARY_DIV) && y == 0) {
        return emit_error(e, location, "division by zero");
    }
    if (op == BINARY_DIV || (op == BINARY_POW && y < 0)) {
        if (!is_exact(x) || !is_exact(y)) {
            return emit_error(e, location, "%s of integers that no float is equal to", binary_op_text(op));
        }
        return op == BINARY_DIV ? value_float((double)x / (double)y)
                                : float_power(e, (double)x, (double)y, location);
    }
    if ((op == BINARY_SHL || op == BINARY_SHR) && y < 0) {
        return emit_error(e, location, "negative shift count");
    }
    if (!integer_operate(op, x, y, &result)) {
        return emit_error(e, location, "the constant result of %s does not fit 128 bits", binary_op_text(op));
    }
    bool stays_bool = a.kind == VALUE_BOOL && b.kind == VALUE_BOOL &&
                      (op == BINARY_AND || op == BINARY_OR || op == BINARY_XOR);
    return stays_bool ? value_bool(result != 0) : value_int(result);
}

// ---- floats ----

static double float_mod(double a, double b) {
    double rest = fmod(a, b);
    if (rest == 0) {
        return copysign(0, b);
    }
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

// Not floor(a / b): 1.0 // 0.1 is 9.0, because 0.1 is a little more than a tenth.
static double float_floor_div(double a, double b) {
    double rest = fmod(a, b), quotient = (a - rest) / b;
    quotient -= rest != 0 && (rest < 0) != (b < 0);
    double down = floor(quotient);
    return quotient == 0 ? copysign(0, a / b) : quotient - down > 0.5 ? down + 1 : down;
}

static struct value float_binary(struct emitter *e, enum binary_op op, double a, double b,
                                 struct location location) {
    if ((op == BINARY_DIV || op == BINARY_FLOOR_DIV || op == BINARY_MOD) && b == 0) {
        return emit_error(e, location, "division by zero");
    }
    switch (op) {
    case BINARY_ADD:
        return value_float(a + b);
    case BINARY_SUB:
        return value_float(a - b);
    case BINARY_MUL:
        return value_float(a * b);
    case BINARY_DIV:
        return value_float(a / b);
    case BINARY_FLOOR_DIV:
        return value_float(float_floor_div(a, b));
    case BINARY_MOD:
        return value_float(float_mod(a, b));
    case BINARY_POW:
        return float_power(e, a, b, location);
    default:
        return emit_error(e, location, "%s needs integers, not floats", binary_op_text(op));
    }
}

// ---- sequences and strings ----

static struct value concatenate(struct emitter *e, struct value a, struct value b, struct location location) {
    if (!emit_check_weight(e, value_weight(a) + value_weight(b), location)) {
        return value_error();
    }
    if (a.kind == VALUE_STRING) {
        char *text = arena_alloc(e->arena, a.string.length + b.string.length + 1);
        memcpy(text, a.string.bytes, a.string.length);
        memcpy(text + a.string.length, b.string.bytes, b.string.length);
        return value_string_n(e->arena, text, a.string.length + b.string.length);
    }
    size_t count = a.list.count + b.list.count;
    struct value *items = ARENA_ARRAY(e->arena, struct value, count + 1);
    for (size_t i = 0; i < count; i++) {
        items[i] = i < a.list.count ? a.list.items[i] : b.list.items[i - a.list.count];
    }
    return a.kind == VALUE_TUPLE ? value_tuple(e->arena, items, count)
                                 : value_list_of(e->arena, items, count);
}

static struct value repeat(struct emitter *e, struct value sequence, wide_int times,
                           struct location location) {
    enum { LIMIT = 1 << 16 };
    size_t length = sequence.kind == VALUE_STRING ? sequence.string.length : sequence.list.count;
    if (times < 0) {
        times = 0;
    }
    if (times > LIMIT || times * (wide_int)length > LIMIT) {
        return emit_error(e, location, "a repetition longer than %d elements", LIMIT);
    }
    size_t count = (size_t)times * length;
    if (!emit_check_weight(e, (size_t)times * value_weight(sequence), location)) {
        return value_error();
    }
    if (sequence.kind == VALUE_STRING) {
        char *text = arena_alloc(e->arena, count + 1);
        for (size_t i = 0; i < count; i++) {
            text[i] = sequence.string.bytes[i % length];
        }
        return value_string_n(e->arena, text, count);
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, count + 1);
    for (size_t i = 0; i < count; i++) {
        items[i] = sequence.list.items[i % length];
    }
    return sequence.kind == VALUE_TUPLE ? value_tuple(e->arena, items, count)
                                        : value_list_of(e->arena, items, count);
}

static bool is_repeatable(struct value v) {
    return v.kind == VALUE_STRING || (value_is_sequence(v) && !value_is_set(v));
}

struct value constant_binary(struct emitter *e, enum binary_op op, struct value a, struct value b,
                             struct location location) {
    if (value_is_symbolic(a, b)) {
        return symbol_binary(e, op, a, b, location);
    }
    if (value_is_integral(a) && value_is_integral(b)) {
        return integer_binary(e, op, a, b, location);
    }
    if (value_is_number(a) && value_is_number(b)) {
        return float_binary(e, op, value_number(a), value_number(b), location);
    }
    bool like = a.kind == b.kind || (value_is_sequence(a) && value_is_sequence(b));
    if (op == BINARY_ADD && is_repeatable(a) && is_repeatable(b) && like) {
        return concatenate(e, a, b, location);
    }
    if (op == BINARY_MUL && is_repeatable(a) && value_is_integral(b)) {
        return repeat(e, a, value_integer(b), location);
    }
    if (op == BINARY_MUL && is_repeatable(b) && value_is_integral(a)) {
        return repeat(e, b, value_integer(a), location);
    }
    return emit_error(e, location, "%s is not defined for %s and %s", binary_op_text(op),
                      value_type_name(e->arena, a), value_type_name(e->arena, b));
}

struct value constant_unary(struct emitter *e, enum unary_op op, struct value a, struct location location) {
    bool ok;
    if (op == UNARY_NOT && a.kind != VALUE_SYMBOL) {
        bool truth = value_truth(a, &ok);
        return ok ? value_bool(!truth)
                  : emit_error(e, location, "%s has no truth value", value_type_name(e->arena, a));
    }
    if (a.kind == VALUE_SYMBOL) {
        return symbol_unary(e, op, a);
    }
    if (a.kind == VALUE_FLOAT && op != UNARY_INVERT) {
        return value_float(op == UNARY_MINUS ? -a.number : a.number);
    }
    if (value_is_integral(a)) {
        wide_int i = value_integer(a);
        if (op == UNARY_MINUS && __builtin_sub_overflow(0, i, &i)) {
            return emit_error(e, location, "the constant result of - does not fit 128 bits");
        }
        return value_int(op == UNARY_INVERT ? ~i : i);
    }
    return emit_error(e, location, "unary %s is not defined for %s", unary_op_text(op),
                      value_type_name(e->arena, a));
}

// ---- comparison ----

// -1, 0 or 1; 2 when unordered (a NaN); 3 when the two cannot be ordered at all.
static int order(struct value a, struct value b) {
    if (value_is_number(a) && value_is_number(b)) {
        return value_order(a, b);
    }
    if (a.kind == VALUE_STRING && b.kind == VALUE_STRING) {
        size_t both = a.string.length < b.string.length ? a.string.length : b.string.length;
        int sign = memcmp(a.string.bytes, b.string.bytes, both);
        return sign ? (sign > 0) - (sign < 0)
                    : (a.string.length > b.string.length) - (a.string.length < b.string.length);
    }
    if (value_is_sequence(a) && value_is_sequence(b) && !value_is_set(a) && !value_is_set(b)) {
        for (size_t i = 0; i < a.list.count && i < b.list.count; i++) {
            int sign = order(a.list.items[i], b.list.items[i]);
            if (sign != 0) {
                return sign;
            }
        }
        return (a.list.count > b.list.count) - (a.list.count < b.list.count);
    }
    return 3;
}

static enum equality contains(struct value container, struct value item, bool *ok) {
    *ok = true;
    if (container.kind == VALUE_STRING && item.kind == VALUE_STRING) {
        return memmem(container.string.bytes, container.string.length, item.string.bytes, item.string.length)
                   ? EQUAL
                   : DIFFERENT;
    }
    enum equality any = DIFFERENT;
    if (value_is_sequence(container) || container.kind == VALUE_DICT) {
        size_t stride = container.kind == VALUE_DICT ? 2 : 1;
        for (size_t i = 0; i < container.list.count && any != EQUAL; i += stride) {
            enum equality one = value_equality(container.list.items[i], item);
            any = one > any ? one : any;
        }
        return any;
    }
    *ok = false;
    return any;
}

// The truth of `==` (or of `!=` if not `equal`), unless it is known only at launch.
static struct value decided(struct emitter *e, enum equality found, bool equal, struct location location) {
    return found == KNOWN_AT_LAUNCH
               ? emit_error(
                     e, location,
                     "which number a kernel argument is, is known at launch: ask by == or != of an integer")
               : value_bool((found == EQUAL) == equal);
}

// Compares sets: true if one is a subset of the other.
static struct value compare_sets(struct emitter *e, enum compare_op op, struct value a, struct value b,
                                 struct location location) {
    bool turned = op == COMPARE_GT || op == COMPARE_GE, proper = op == COMPARE_LT || op == COMPARE_GT;
    struct value part = turned ? b : a, whole = turned ? a : b;
    if (!emit_step(e, part.list.count * whole.list.count / 16, location)) {
        return value_error();
    }
    bool fits = part.list.count + proper <= whole.list.count;
    return fits ? decided(e, value_set_within(part, whole), true, location) : value_bool(false);
}

struct value constant_compare(struct emitter *e, enum compare_op op, struct value a, struct value b,
                              struct location location) {
    if (op == COMPARE_IS || op == COMPARE_IS_NOT) {
        return value_bool(value_identical(a, b) == (op == COMPARE_IS));
    }
    if (value_is_symbolic(a, b)) {
        return symbol_compare(e, op, a, b, location);
    }
    if (op == COMPARE_EQ || op == COMPARE_NE) {
        bool looks_up = a.kind == b.kind && (a.kind == VALUE_DICT || value_is_set(a)); // compares each key
        return looks_up && !emit_step(e, a.list.count * b.list.count / 16, location)
                   ? value_error()
                   : decided(e, value_equality(a, b), op == COMPARE_EQ, location);
    }
    if (op == COMPARE_IN || op == COMPARE_NOT_IN) {
        if (!emit_step(e, (value_weight(a) + value_weight(b)) / 2, location)) {
            return value_error();
        }
        bool ok;
        enum equality inside = contains(b, a, &ok);
        return ok ? decided(e, inside, op == COMPARE_IN, location)
                  : emit_error(e, location, "nothing can be in %s", value_type_name(e->arena, b));
    }
    if (value_is_set(a) && value_is_set(b)) {
        return compare_sets(e, op, a, b, location);
    }
    int sign = order(a, b);
    if (sign == 3) {
        return emit_error(e, location, "%s is not defined for %s and %s", compare_op_text(op),
                          value_type_name(e->arena, a), value_type_name(e->arena, b));
    }
    switch (op) {
    case COMPARE_LT:
        return value_bool(sign == -1);
    case COMPARE_LE:
        return value_bool(sign == -1 || sign == 0);
    case COMPARE_GT:
        return value_bool(sign == 1);
    default:
        return value_bool(sign == 1 || sign == 0);
    }
}

struct value constant_min_max(struct emitter *e, bool is_max, struct value a, struct value b,
                              struct location location) {
    if (value_is_symbolic(a, b)) {
        return symbol_min_max(e, is_max, a, b, location);
    }
    struct value second = constant_compare(e, is_max ? COMPARE_GT : COMPARE_LT, b, a, location);
    return value_failed(second) ? second : second.boolean ? b : a;
}

// ---- sets and dicts ----

// Finds a key equal to `key` among the first `count` keys, `stride` values apart; `*at` is `count` if there
// is none. False after an error.
static bool find_key(struct emitter *e, const struct value *items, size_t count, size_t stride,
                     struct value key, size_t *at, struct location location) {
    enum equality found = DIFFERENT;
    for (*at = 0; *at < count && found == DIFFERENT; *at += found == DIFFERENT) {
        found = value_equality(items[*at * stride], key);
    }
    return emit_step(e, count / 4, location) && !value_failed(decided(e, found, true, location));
}

struct value constant_set(struct emitter *e, const struct value *items, size_t count,
                          struct location location) {
    struct value *kept = ARENA_ARRAY(e->arena, struct value, count + 1);
    size_t length = 0, at;
    for (size_t i = 0; i < count; i++) {
        if (!find_key(e, kept, length, 1, items[i], &at, location)) {
            return value_error();
        }
        if (at == length) {
            kept[length++] = items[i];
        }
    }
    struct value set = value_tuple(e->arena, kept, length);
    set.list.is_set = true;
    return set;
}

struct value constant_dict(struct emitter *e, const struct value *pairs, size_t count,
                           struct location location) {
    struct value *kept = ARENA_ARRAY(e->arena, struct value, 2 * count + 1);
    size_t length = 0, at;
    for (size_t i = 0; i < count; i++) {
        if (!find_key(e, kept, length, 2, pairs[2 * i], &at, location)) {
            return value_error();
        }
        if (at == length) {
            kept[2 * length++] = pairs[2 * i];
        }
        kept[2 * at + 1] = pairs[2 * i + 1];
    }
    struct value dict = value_list_of(e->arena, kept, 2 * length);
    dict.kind = VALUE_DICT;
    return dict;
}
