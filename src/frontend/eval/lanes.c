// `if` and loops inside tl.map_elementwise, with a condition per element.
//
// Both sides of an `if` are evaluated, one after the other, each over a copy of the scope; tl.where then
// selects the names they set. Operations there neither access memory nor trap, so the side not selected has
// no effect. If a side leaves the function, a loop or an iteration, the statements after the `if` go into the
// other side, as in branch.c.
//
// A loop runs while any element's condition holds (loop_while.c). The names its body sets are selected for
// those elements only: all others keep their values, so that their test stays false. Elements excluded by an
// enclosing condition do not count in the test, because for them the loop may never end.
//
//   while x != 1:              while any(x != 1):
//       x = step(x)      →         x = where(x != 1, step(x), x)
#include <string.h>

#include "frontend/eval/walk.h"

struct side {
    struct scope after;
    enum flow flow;
    struct value returned;
};

static struct value opposite(struct emitter *e, struct value condition, struct location location) {
    return emit_unary(e, UNARY_INVERT, condition, location);
}

struct value lanes_among(struct emitter *e, struct value condition, struct location location) {
    for (const struct lanes *lanes = e->lanes; lanes; lanes = lanes->outer) {
        struct value one = lanes->holds ? lanes->condition : opposite(e, lanes->condition, location);
        condition = emit_binary(e, BINARY_AND, condition, one, location);
    }
    return condition;
}

// Runs one side. If its statements fall through, it ends with `flow`.
static struct side run_side(struct emitter *e, const struct lanes *lanes, const struct stmt_list *list,
                            enum flow flow, bool to_end) {
    struct call_frame *frame = e->frame;
    struct scope before = scope_copy(e, frame->scope);
    struct continuation *rest = frame->rest;
    unsigned static_loops = frame->static_loops;
    const struct lanes *outer = e->lanes;
    e->lanes = lanes;
    if (!to_end) {
        frame->static_loops = 0;
        frame->rest = NULL;
        frame->regions++;
    }
    struct side side = {.flow = run_list(e, list, 0)};
    side.flow = side.flow == FLOW_NEXT ? flow : side.flow;
    side.flow = to_end ? run_to_end(e, side.flow, rest) : side.flow == FLOW_DONE ? FLOW_NEXT : side.flow;
    side.returned = side.flow == FLOW_RETURN ? frame->returned : value_none();
    side.after = *frame->scope;
    *frame->scope = before;
    frame->rest = rest;
    frame->static_loops = static_loops;
    frame->regions -= !to_end;
    e->lanes = outer;
    return side;
}

struct value choose_lanewise(struct emitter *e, struct value condition, struct value a, struct value b,
                             struct location location) {
    if (value_identical(a, b)) {
        return a;
    }
    if (value_is_sequence(a) && value_is_sequence(b) && a.list.count == b.list.count) {
        struct value *items = ARENA_ARRAY(e->arena, struct value, a.list.count + 1);
        for (size_t i = 0; i < a.list.count; i++) {
            items[i] = choose_lanewise(e, condition, a.list.items[i], b.list.items[i], location);
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
                 : emit_error(e, location, "elements have %s on one way and %s on another",
                              value_type_name(e->arena, a), value_type_name(e->arena, b));
}

struct value widen_lanewise(struct emitter *e, struct value v, struct value like, struct location location) {
    bool widens = is_lanewise(e, like) && v.kind == VALUE_TENSOR && v.tensor.rank == 0 &&
                  dtype_equal(v.tensor.dtype, like.tensor.dtype);
    return widens ? emit_broadcast_to(e, v, like.tensor.rank, like.tensor.shape, location) : v;
}

static bool has_no_value(struct value v) {
    return v.kind == VALUE_HOST || value_is_none(v);
}

static bool join_sides(struct emitter *e, struct value condition, struct side *a, struct side *b,
                       struct location location) {
    for (size_t i = 0; i < a->after.count; i++) {
        struct binding *x = &a->after.items[i], *y = scope_find(&b->after, x->name);
        bool one = !y || ((has_no_value(x->value) || has_no_value(y->value)) &&
                          !value_identical(x->value, y->value));
        struct value v =
            one ? value_host(arena_printf(e->arena, "it is set on one side of the if on line %u only",
                                          location.line))
            : value_is_constant(x->value) == value_is_constant(y->value) &&
                    value_identical(x->value, y->value)
                ? x->value
                : choose_lanewise(e, condition, x->value, y->value, location);
        scope_set(e, e->frame->scope, x->name, v);
        if (value_failed(v)) {
            return false;
        }
    }
    return true;
}

// Joins the ways in which both sides ended.
static enum flow join_ends(struct emitter *e, struct value condition, struct side *a, struct side *b,
                           bool to_end, struct location location) {
    enum flow wanted = to_end && !e->frame->regions ? FLOW_RETURN : FLOW_NEXT;
    emit_at(e, location);
    if (a->flow != wanted || b->flow != wanted) {
        return FLOW_FAIL;
    }
    if (wanted == FLOW_RETURN) {
        e->frame->returned = choose_lanewise(e, condition, a->returned, b->returned, location);
        return value_failed(e->frame->returned) ? FLOW_FAIL : FLOW_RETURN;
    }
    return !join_sides(e, condition, a, b, location) ? FLOW_FAIL : to_end ? FLOW_DONE : FLOW_NEXT;
}

enum flow run_choice_lanewise(struct emitter *e, const struct stmt *stmt, const struct stmt_list *body,
                              const struct stmt_list *orelse, struct value condition) {
    bool leaves = may_leave(e, body, orelse);
    condition = emit_to_bool(e, condition, stmt->location);
    if (value_failed(condition)) {
        return FLOW_FAIL;
    }
    struct lanes here = {condition, true, e->lanes}, there = {condition, false, e->lanes};
    struct side a = run_side(e, &here, body, FLOW_NEXT, leaves),
                b = run_side(e, &there, orelse, FLOW_NEXT, leaves);
    return join_ends(e, condition, &a, &b, leaves, stmt->location);
}

enum flow run_after_return_lanewise(struct emitter *e, const struct stmt *stmt, struct value flag,
                                    struct value value) {
    static const struct stmt_list nothing = {NULL, 0};
    struct lanes here = {flag, true, e->lanes}, there = {flag, false, e->lanes};
    e->frame->returned = value;
    struct side a = run_side(e, &here, &nothing, FLOW_RETURN, true),
                b = run_side(e, &there, &nothing, FLOW_NEXT, true);
    return join_ends(e, flag, &a, &b, true, stmt->location);
}

static struct value eval_side(struct emitter *e, const struct expr *expr, struct value condition,
                              bool holds) {
    struct lanes lanes = {condition, holds, e->lanes};
    e->lanes = &lanes;
    struct value v = eval(e, expr);
    e->lanes = lanes.outer;
    return v;
}

struct value eval_ternary_lanewise(struct emitter *e, const struct expr *expr, struct value condition) {
    condition = emit_to_bool(e, condition, expr->location);
    if (value_failed(condition)) {
        return condition;
    }
    struct value a = eval_side(e, expr->ternary.then_value, condition, true),
                 b = eval_side(e, expr->ternary.else_value, condition, false);
    return value_failed(a) || value_failed(b) ? value_error()
                                              : choose_lanewise(e, condition, a, b, expr->location);
}
