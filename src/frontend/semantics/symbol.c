// Grid expressions as C. The grid of a launch is computed by the generated header from the kernel's
// arguments, so a grid lambda is evaluated with symbols in place of run-time parameters; operators on symbols
// make C text. All arithmetic is int64_t with Python's rules: // and % round down, so they are the launcher's
// tkc_floordiv and tkc_mod.
#include "frontend/semantics/constant.h"

#include <string.h>

bool value_is_symbolic(struct value a, struct value b) {
    bool a_fits = a.kind == VALUE_SYMBOL || value_is_integral(a);
    bool b_fits = b.kind == VALUE_SYMBOL || value_is_integral(b);
    return a_fits && b_fits && (a.kind == VALUE_SYMBOL || b.kind == VALUE_SYMBOL);
}

const char *symbol_text(struct arena *arena, struct value v) {
    if (v.kind == VALUE_SYMBOL) {
        return v.symbol;
    }
    struct strbuf buf = {0};
    wide_int i = value_integer(v);
    wide_int_print(&buf, i);
    bool wide = i > INT32_MAX || i < INT32_MIN;
    const char *text = arena_printf(arena, i < 0 ? "(%s%s)" : "%s%s", strbuf_text(&buf), wide ? "LL" : "");
    strbuf_free(&buf);
    return text;
}

static bool is_integer(struct value v, wide_int i) {
    return value_is_integral(v) && value_integer(v) == i;
}

// (x + (y - 1)) // y is how triton.cdiv spells a division that rounds up.
static const char *ceiling_operand(struct arena *arena, const char *x, struct value y) {
    wide_int last = value_is_integral(y) ? value_integer(y) - 1 : 0;
    const char *tail = value_is_integral(y)
                           ? arena_printf(arena, " + %s)", symbol_text(arena, value_int(last)))
                           : arena_printf(arena, " + (%s - 1))", y.symbol);
    size_t length = strlen(x), tail_length = strlen(tail);
    if (x[0] != '(' || length <= tail_length || strcmp(x + length - tail_length, tail) != 0) {
        return NULL;
    }
    return arena_strndup(arena, x + 1, length - tail_length - 1);
}

static struct value divide(struct emitter *e, bool modulo, struct value a, struct value b) {
    const char *x = symbol_text(e->arena, a), *y = symbol_text(e->arena, b);
    const char *ceiling = modulo ? NULL : ceiling_operand(e->arena, x, b);
    if (ceiling) {
        return value_symbol(arena_printf(e->arena, "tkc_cdiv(%s, %s)", ceiling, y));
    }
    return value_symbol(arena_printf(e->arena, "%s(%s, %s)", modulo ? "tkc_mod" : "tkc_floordiv", x, y));
}

struct value symbol_binary(struct emitter *e, enum binary_op op, struct value a, struct value b,
                           struct location location) {
    const char *x = symbol_text(e->arena, a), *y = symbol_text(e->arena, b);
    switch (op) {
    case BINARY_ADD:
        if (is_integer(a, 0) || is_integer(b, 0)) {
            return is_integer(a, 0) ? b : a;
        }
        break;
    case BINARY_MUL:
        if (is_integer(a, 1) || is_integer(b, 1)) {
            return is_integer(a, 1) ? b : a;
        }
        break;
    case BINARY_FLOOR_DIV:
    case BINARY_MOD:
        if (is_integer(b, 0)) {
            return emit_error(e, location, "division by zero");
        }
        if (is_integer(b, 1)) {
            return op == BINARY_MOD ? value_int(0) : a;
        }
        return divide(e, op == BINARY_MOD, a, b);
    case BINARY_DIV:
    case BINARY_POW:
    case BINARY_MATMUL:
        return emit_error(e, location, "%s cannot be used on kernel arguments in a grid", binary_op_text(op));
    default:
        break;
    }
    return value_symbol(arena_printf(e->arena, "(%s %s %s)", x, binary_op_text(op), y));
}

struct value symbol_min_max(struct emitter *e, bool is_max, struct value a, struct value b) {
    return value_symbol(arena_printf(e->arena, "%s(%s, %s)", is_max ? "tkc_max" : "tkc_min",
                                     symbol_text(e->arena, a), symbol_text(e->arena, b)));
}

struct value symbol_compare(struct emitter *e, enum compare_op op, struct value a, struct value b,
                            struct location location) {
    if (op == COMPARE_IN || op == COMPARE_NOT_IN) {
        return emit_error(e, location, "%s cannot be used on kernel arguments in a grid",
                          compare_op_text(op));
    }
    return value_symbol(arena_printf(e->arena, "(%s %s %s)", symbol_text(e->arena, a), compare_op_text(op),
                                     symbol_text(e->arena, b)));
}

struct value symbol_select(struct emitter *e, struct value test, struct value then_value,
                           struct value else_value, struct location location) {
    if (then_value.kind != VALUE_SYMBOL && !value_is_integral(then_value)) {
        return emit_error(e, location, "a grid needs integers here, not %s",
                          value_type_name(e->arena, then_value));
    }
    if (else_value.kind != VALUE_SYMBOL && !value_is_integral(else_value)) {
        return emit_error(e, location, "a grid needs integers here, not %s",
                          value_type_name(e->arena, else_value));
    }
    return value_symbol(arena_printf(e->arena, "(%s ? %s : %s)", symbol_text(e->arena, test),
                                     symbol_text(e->arena, then_value), symbol_text(e->arena, else_value)));
}
