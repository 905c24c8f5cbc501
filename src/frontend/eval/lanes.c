// `if` inside tl.map_elementwise, where a condition may differ from element to element: both sides are evaluated, one
// after the other over a copy of the names, and tl.where chooses what they set. Nothing there reaches memory, and no
// operation traps, so that what is not chosen leaves no trace. A side that returns takes what follows with it, as in
// branch.c.
#include <string.h>

#include "frontend/eval/walk.h"

struct side {
    struct scope after;
    enum flow flow;
    struct value returned;
};

static struct side run_side(struct emitter *e, const struct stmt_list *list, bool to_end) {
    struct call_frame *frame = e->frame;
    struct scope before = scope_copy(e, frame->scope);
    struct continuation *rest = frame->rest;
    struct side side = {.flow = run_list(e, list, 0)};
    if (to_end && side.flow == FLOW_NEXT) {
        side.flow = run_continuation(e, rest);
    }
    side.returned = side.flow == FLOW_RETURN ? frame->returned : value_none();
    side.after = *frame->scope;
    *frame->scope = before;
    frame->rest = rest;
    return side;
}

static struct value choose(struct emitter *e, struct value condition, struct value a, struct value b,
                           struct location location) {
    if (value_identical(a, b)) {
        return a;
    }
    if (value_is_sequence(a) && value_is_sequence(b) && a.list.count == b.list.count) {
        struct value *items = ARENA_ARRAY(e->arena, struct value, a.list.count + 1);
        for (size_t i = 0; i < a.list.count; i++) {
            items[i] = choose(e, condition, a.list.items[i], b.list.items[i], location);
            if (value_failed(items[i])) {
                return items[i];
            }
        }
        return value_tuple(e->arena, items, a.list.count);
    }
    a = decay(e, a, location);
    b = decay(e, b, location);
    bool alike =
        a.kind == VALUE_TENSOR && b.kind == VALUE_TENSOR && dtype_equal(a.tensor.dtype, b.tensor.dtype);
    return alike ? emit_where(e, condition, a, b, location)
                 : emit_error(e, location, "one side of this if gives %s and the other %s",
                              value_type_name(e->arena, a), value_type_name(e->arena, b));
}

static bool join_sides(struct emitter *e, struct value condition, struct side *a, struct side *b,
                       struct location location) {
    for (size_t i = 0; i < a->after.count; i++) {
        struct binding *x = &a->after.items[i], *y = scope_find(&b->after, x->name);
        struct value v =
            y && value_is_constant(x->value) == value_is_constant(y->value) &&
                    value_identical(x->value, y->value)
                ? x->value
            : y ? choose(e, condition, x->value, y->value, location)
                : value_host(arena_printf(e->arena, "it is set on one side of the if on line %u only",
                                          location.line));
        scope_set(e, e->frame->scope, x->name, v);
        if (value_failed(v)) {
            return false;
        }
    }
    return true;
}

enum flow run_if_lanewise(struct emitter *e, const struct stmt *stmt, struct value condition) {
    const struct stmt_list *body = &stmt->if_else.body, *orelse = &stmt->if_else.orelse;
    bool returns = contains_return(body) || contains_return(orelse);
    condition = emit_to_bool(e, condition, stmt->location);
    struct side a = run_side(e, body, returns), b = run_side(e, orelse, returns);
    emit_at(e, stmt->location);
    enum flow wanted = returns ? FLOW_RETURN : FLOW_NEXT;
    bool fails = value_failed(condition) || a.flow == FLOW_FAIL || b.flow == FLOW_FAIL;
    if (!fails && (a.flow != wanted || b.flow != wanted)) {
        emit_error(e, stmt->location,
                   "elements of tl.map_elementwise cannot leave a loop, each at its own time");
        fails = true;
    }
    if (fails) {
        return FLOW_FAIL;
    }
    if (!returns) {
        return join_sides(e, condition, &a, &b, stmt->location) ? FLOW_NEXT : FLOW_FAIL;
    }
    e->frame->returned = choose(e, condition, a.returned, b.returned, stmt->location);
    return value_failed(e->frame->returned) ? FLOW_FAIL : FLOW_RETURN;
}

struct value eval_ternary_lanewise(struct emitter *e, const struct expr *expr, struct value condition) {
    struct value a = eval(e, expr->ternary.then_value), b = eval(e, expr->ternary.else_value);
    condition = emit_to_bool(e, condition, expr->location);
    return value_failed(a) || value_failed(b) || value_failed(condition)
               ? value_error()
               : choose(e, condition, a, b, expr->location);
}
