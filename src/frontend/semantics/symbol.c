// Grid expressions as C. The generated header computes the grid of a launch from the kernel's arguments, so a
// grid lambda is evaluated with symbols in place of run-time parameters. Operators on symbols produce C text:
// calls of the launcher's grid.h, which follows Python's rules in 64 bits and reports undefined results.
#include "frontend/semantics/constant.h"

#include <string.h>

static const char *const binary_functions[] = {
    [BINARY_ADD] = "tkc_add",   [BINARY_SUB] = "tkc_sub",
    [BINARY_MUL] = "tkc_mul",   [BINARY_FLOOR_DIV] = "tkc_floordiv",
    [BINARY_MOD] = "tkc_mod",   [BINARY_SHL] = "tkc_shl",
    [BINARY_SHR] = "tkc_shr",   [BINARY_AND] = "tkc_bit_and",
    [BINARY_OR] = "tkc_bit_or", [BINARY_XOR] = "tkc_bit_xor",
    [BINARY_DIV] = NULL,
};

// > and >= are < and <= with the operands swapped.
static const struct {
    const char *function;
    bool swaps;
} comparisons[] = {
    [COMPARE_EQ] = {"tkc_eq", false}, [COMPARE_NE] = {"tkc_ne", false}, [COMPARE_LT] = {"tkc_lt", false},
    [COMPARE_LE] = {"tkc_le", false}, [COMPARE_GT] = {"tkc_lt", true},  [COMPARE_GE] = {"tkc_le", true},
};

bool value_is_symbolic(struct value a, struct value b) {
    bool a_fits = a.kind == VALUE_SYMBOL || value_is_integral(a);
    bool b_fits = b.kind == VALUE_SYMBOL || value_is_integral(b);
    return a_fits && b_fits && (a.kind == VALUE_SYMBOL || b.kind == VALUE_SYMBOL);
}

const char *symbol_text(struct emitter *e, struct value v, struct location location) {
    if (v.kind == VALUE_SYMBOL) {
        return v.symbol;
    }
    if (!value_is_integral(v)) {
        emit_error(e, location, "a grid needs integers here, not %s", value_type_name(e->arena, v));
        return NULL;
    }
    wide_int i = value_integer(v);
    struct strbuf buf = {0};
    wide_int_print(&buf, i);
    bool wide = i > INT32_MAX || i < INT32_MIN, fits = i <= INT64_MAX && i > INT64_MIN;
    const char *text = arena_printf(e->arena, "%s%s", strbuf_text(&buf), wide && fits ? "LL" : "");
    strbuf_free(&buf);
    if (!fits) {
        emit_error(e, location, "%s is beyond the 64 bits of a launch grid", text);
        return NULL;
    }
    return text;
}

static bool is_integer(struct value v, wide_int i) {
    return value_is_integral(v) && value_integer(v) == i;
}

static struct value call(struct emitter *e, const char *function, struct value a, struct value b,
                         struct location location) {
    const char *x = symbol_text(e, a, location), *y = symbol_text(e, b, location);
    return x && y ? value_symbol(arena_printf(e->arena, "%s(%s, %s)", function, x, y)) : value_error();
}

// Recognises (x + (y - 1)) // y, the form of a division rounded up in triton.cdiv.
static const char *ceiling_operand(struct arena *arena, const char *x, struct value y) {
    static const char head[] = "tkc_add(";
    struct strbuf last = {0};
    if (value_is_integral(y)) {
        wide_int_print(&last, value_integer(y) - 1);
    }
    const char *tail = value_is_integral(y) ? arena_printf(arena, ", %s)", strbuf_text(&last))
                                            : arena_printf(arena, ", tkc_sub(%s, 1))", y.symbol);
    strbuf_free(&last);
    size_t length = strlen(x), tail_length = strlen(tail), head_length = sizeof head - 1;
    if (strncmp(x, head, head_length) != 0 || length <= head_length + tail_length ||
        strcmp(x + length - tail_length, tail) != 0) {
        return NULL;
    }
    return arena_strndup(arena, x + head_length, length - head_length - tail_length);
}

struct value symbol_binary(struct emitter *e, enum binary_op op, struct value a, struct value b,
                           struct location location) {
    bool divides = op == BINARY_FLOOR_DIV || op == BINARY_MOD;
    if (op == BINARY_ADD && (is_integer(a, 0) || is_integer(b, 0))) {
        return is_integer(a, 0) ? b : a;
    }
    if (op == BINARY_MUL && (is_integer(a, 1) || is_integer(b, 1))) {
        return is_integer(a, 1) ? b : a;
    }
    if (divides && is_integer(b, 0)) {
        return emit_error(e, location, "division by zero");
    }
    if (op == BINARY_FLOOR_DIV && is_integer(b, 1)) {
        return a;
    }
    const char *ceiling =
        op == BINARY_FLOOR_DIV && a.kind == VALUE_SYMBOL ? ceiling_operand(e->arena, a.symbol, b) : NULL;
    if (ceiling) {
        return call(e, "tkc_cdiv", value_symbol(ceiling), b, location);
    }
    const char *function =
        op < sizeof binary_functions / sizeof *binary_functions ? binary_functions[op] : NULL;
    if (!function) {
        return emit_error(
            e, location, "%s cannot be used on kernel arguments in a grid%s", binary_op_text(op),
            op == BINARY_DIV ? ", whose sides are integers: write triton.cdiv(a, b) or a // b" : "");
    }
    return call(e, function, a, b, location);
}

struct value symbol_unary(struct emitter *e, enum unary_op op, struct value a) {
    const char *function = op == UNARY_MINUS ? "tkc_neg" : op == UNARY_NOT ? "tkc_not" : "tkc_invert";
    return op == UNARY_PLUS ? a : value_symbol(arena_printf(e->arena, "%s(%s)", function, a.symbol));
}

struct value symbol_abs(struct emitter *e, struct value a) {
    return value_symbol(arena_printf(e->arena, "tkc_abs(%s)", a.symbol));
}

struct value symbol_min_max(struct emitter *e, bool is_max, struct value a, struct value b,
                            struct location location) {
    return call(e, is_max ? "tkc_max" : "tkc_min", a, b, location);
}

struct value symbol_and_or(struct emitter *e, bool is_and, struct value a, struct value b,
                           struct location location) {
    return call(e, is_and ? "tkc_and" : "tkc_or", a, b, location);
}

struct value symbol_compare(struct emitter *e, enum compare_op op, struct value a, struct value b,
                            struct location location) {
    if (op >= sizeof comparisons / sizeof *comparisons) {
        return emit_error(e, location, "%s cannot be used on kernel arguments in a grid",
                          compare_op_text(op));
    }
    bool swaps = comparisons[op].swaps;
    return call(e, comparisons[op].function, swaps ? b : a, swaps ? a : b, location);
}

struct value symbol_select(struct emitter *e, struct value test, struct value then_value,
                           struct value else_value, struct location location) {
    const char *x = symbol_text(e, test, location), *y = symbol_text(e, then_value, location),
               *z = symbol_text(e, else_value, location);
    return x && y && z ? value_symbol(arena_printf(e->arena, "tkc_choose(%s, %s, %s)", x, y, z))
                       : value_error();
}
