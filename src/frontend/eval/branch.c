// Run-time `if`. Each branch is emitted into its own block over a copy of the scope; names with different
// values after the branches become results of scf.if.
//
// scf has no early exit. If one branch returns, the rest of the function is therefore emitted inside the
// other branch, and the scf.if yields the function's result. If both branches may fall through, the rest is
// emitted in each.
#include <string.h>

#include "frontend/eval/walk.h"

struct branch {
    MlirBlock block;
    struct scope after;
    enum flow flow;
    struct value returned;
    bool fell_off; // it reached the function's end without a return
};

// The target of a jump: `continue` goes to the next iterations of the innermost unrolled loop, `break` past
// them.
static struct continuation *after_jump(struct continuation *rest, enum flow flow) {
    while (rest && rest->list) {
        rest = rest->outer;
    }
    return rest && flow == FLOW_BREAK ? rest->outer : rest;
}

static bool in_unrolled(const struct continuation *rest) {
    while (rest && rest->list) {
        rest = rest->outer;
    }
    return rest != NULL;
}

enum flow run_continuation(struct emitter *e, struct continuation *rest) {
    while (rest) {
        e->frame->rest = rest->outer;
        enum flow flow =
            rest->list ? run_list(e, rest->list, rest->next) : run_unrolled(e, rest->loop, rest->values);
        if (flow == FLOW_RETURN || flow == FLOW_FAIL) {
            return flow;
        }
        rest = flow == FLOW_NEXT ? rest->outer : after_jump(rest->outer, flow);
    }
    e->frame->returned = value_none();
    e->frame->fell_off = true;
    return FLOW_RETURN;
}

// Runs the rest of the innermost region after the current statement list. FLOW_NEXT at the region's end.
enum flow run_rest_of_body(struct emitter *e, struct continuation *rest) {
    while (rest) {
        e->frame->rest = rest->outer;
        enum flow flow =
            rest->list ? run_list(e, rest->list, rest->next) : run_unrolled(e, rest->loop, rest->values);
        struct continuation *next = flow == FLOW_NEXT ? rest->outer : after_jump(rest->outer, flow);
        bool ends = flow == FLOW_RETURN || flow == FLOW_FAIL || flow == FLOW_DONE;
        if (ends || (flow != FLOW_NEXT && !in_unrolled(rest->outer))) {
            return flow;
        }
        rest = next;
    }
    return FLOW_NEXT;
}

enum flow run_to_end(struct emitter *e, enum flow flow, struct continuation *rest) {
    if (flow == FLOW_RETURN || flow == FLOW_FAIL || flow == FLOW_DONE) {
        return e->frame->regions ? finish_path(e, flow) : flow;
    }
    bool leaves = flow != FLOW_NEXT && !in_unrolled(rest);
    struct continuation *next = flow == FLOW_NEXT ? rest : after_jump(rest, flow);
    if (e->frame->regions) {
        return finish_path(e, leaves ? flow : run_rest_of_body(e, next));
    }
    return run_continuation(e, next);
}

// Runs statements in a new block, over a copy of the scope; the current scope stays unchanged.
static struct branch run_branch(struct emitter *e, const struct stmt_list *list, bool to_end) {
    struct branch branch = {.block = mlirBlockCreate(0, NULL, NULL)};
    struct call_frame *frame = e->frame;
    struct scope before = scope_copy(e, frame->scope);
    struct builder saved = e->builder;
    struct continuation *rest = frame->rest;
    unsigned static_loops = frame->static_loops;
    if (!to_end) { // no jump leaves the branch: jumps of loops inside it end in it
        frame->static_loops = 0;
        frame->rest = NULL;
        frame->regions++;
    }
    e->builder = builder_at_end(e->ir, branch.block, saved.location);
    branch.flow = run_list(e, list, 0);
    branch.flow = to_end                     ? run_to_end(e, branch.flow, rest)
                  : branch.flow == FLOW_DONE ? FLOW_NEXT
                                             : branch.flow;
    branch.returned = branch.flow == FLOW_RETURN ? frame->returned : value_none();
    branch.fell_off = branch.flow == FLOW_RETURN && frame->fell_off;
    branch.after = *frame->scope;
    *frame->scope = before;
    frame->rest = rest;
    frame->static_loops = static_loops;
    frame->regions -= !to_end;
    e->builder = saved;
    return branch;
}

// ---- joining ----

struct join {
    const char **names;
    struct value *like; // values with the types of the results
    MlirValue *then_values, *else_values;
    size_t count, flat;
};

static struct value emit_in(struct emitter *e, MlirBlock block, struct value v, struct location location) {
    struct builder saved = e->builder;
    e->builder = builder_at_end(e->ir, block, saved.location);
    v = decay(e, v, location);
    e->builder = saved;
    return v;
}

static struct value widen_in(struct emitter *e, MlirBlock block, struct value v, struct value like,
                             struct location location) {
    struct builder saved = e->builder;
    e->builder = builder_at_end(e->ir, block, saved.location);
    v = widen_lanewise(e, v, like, location);
    e->builder = saved;
    return v;
}

static void add_joined(struct emitter *e, struct join *join, const char *name, struct value a,
                       struct value b) {
    size_t parts = value_flatten(a, NULL);
    MlirValue *then_values = ARENA_ARRAY(e->arena, MlirValue, join->flat + parts + 1);
    MlirValue *else_values = ARENA_ARRAY(e->arena, MlirValue, join->flat + parts + 1);
    if (join->flat) {
        memcpy(then_values, join->then_values, join->flat * sizeof *then_values);
        memcpy(else_values, join->else_values, join->flat * sizeof *else_values);
    }
    value_flatten(a, then_values + join->flat);
    value_flatten(b, else_values + join->flat);
    join->then_values = then_values;
    join->else_values = else_values;
    join->flat += parts;
    join->names[join->count] = name;
    join->like[join->count++] = a;
}

// Builds scf.if from the two blocks. `results` are values of the kinds in join->like.
static void build_join(struct emitter *e, struct join *join, MlirValue condition, MlirBlock then_block,
                       MlirBlock else_block, struct value *results) {
    MlirType *types = ARENA_ARRAY(e->arena, MlirType, join->flat + 1);
    for (size_t i = 0; i < join->flat; i++) {
        types[i] = mlirValueGetType(join->then_values[i]);
    }
    MlirBlock blocks[] = {then_block, else_block};
    MlirValue *values[] = {join->then_values, join->else_values};
    MlirRegion regions[2];
    for (int i = 0; i < 2; i++) {
        struct builder end = builder_at_end(e->ir, blocks[i], e->builder.location);
        build_yield(&end, (struct operands){(intptr_t)join->flat, values[i]});
        regions[i] = mlirRegionCreate();
        mlirRegionAppendOwnedBlock(regions[i], blocks[i]);
    }
    MlirOperation op = build_op_regions(&e->builder, OP_IF, OPERANDS(condition),
                                        (struct results){(intptr_t)join->flat, types}, NO_ATTRS, 2, regions);
    MlirValue *flat = ARENA_ARRAY(e->arena, MlirValue, join->flat + 1);
    for (size_t i = 0; i < join->flat; i++) {
        flat[i] = mlirOperationGetResult(op, (intptr_t)i);
    }
    size_t used = 0;
    for (size_t i = 0; i < join->count; i++) {
        results[i] = value_unflatten(e, join->like[i], flat, &used);
    }
}

static bool is_empty(MlirBlock block) {
    return mlirOperationIsNull(mlirBlockGetFirstOperation(block));
}

// The text to write at the assignment of `v` (`made`) to make it like `like`.
static const char *one_type(struct emitter *e, const char *name, struct assignment made, struct value v,
                            struct value like) {
    bool tensors = v.kind == VALUE_TENSOR && like.kind == VALUE_TENSOR;
    const char *type =
        tensors ? dtype_table[like.tensor.dtype.scalar].name : ""; // of the pointee, for pointers
    bool pointers = tensors && (dtype_is_pointer(v.tensor.dtype) || dtype_is_pointer(like.tensor.dtype));
    struct location nowhere = {0}, at = made.value ? made.value->location : nowhere;
    bool cut = made.value && made.value->kind == EXPR_FLOAT && tensors &&
               dtype_is_integer(like.tensor.dtype); // 0.5 is no integer
    if (tensors && !pointers && !cut && v.tensor.rank == 0 && like.tensor.rank) {
        return arena_printf(e->arena, "write %s = tl.full(%s, %s, tl.%s) here", name,
                            shape_text(e, like.tensor.rank, like.tensor.shape), emit_text_of(e, at, "…"),
                            type);
    }
    bool number = made.value && (made.value->kind == EXPR_INT || made.value->kind == EXPR_FLOAT);
    if (tensors && !pointers && !cut && number && v.tensor.rank == 0 && like.tensor.rank == 0) {
        return arena_printf(e->arena, "write %s = tl.full([], %s, tl.%s) here", name,
                            emit_text_of(e, at, "…"), type);
    }
    if (tensors && !pointers && !cut && same_extents(v, like)) {
        const char *text = emit_operand_text(e, at, "");
        return arena_printf(e->arena, *text ? "write %s = %s.to(tl.%s) here" : "cast %s%s by .to(tl.%s) here",
                            name, text, type);
    }
    return "make them alike in both";
}

// Reports at the assignment to be changed: of the scalar, if the other value is a tile; otherwise of the else branch. A note names the
// place of the other assignment.
static void refuse_types(struct emitter *e, const char *name, struct value x, struct value y,
                         const struct stmt *stmt) {
    struct assignment first = {0}, second = {0};
    if (stmt->kind == STMT_IF) {
        first = last_assignment(&stmt->if_else.body, name);
        second = last_assignment(&stmt->if_else.orelse, name);
    }
    if (!second.target && e->frame->function && e->frame->function->def) {
        second = last_assignment_before(&e->frame->function->def->body, name, stmt->location.line);
    }
    bool tensors = x.kind == VALUE_TENSOR && y.kind == VALUE_TENSOR;
    bool edit_first = !second.target || (first.target && tensors && x.tensor.rank == 0 && y.tensor.rank != 0);
    struct assignment edited = edit_first ? first : second, other = edit_first ? second : first;
    emit_error(
        e, edited.target ? edited.target->location : stmt->location,
        "%s is %s where the condition on line %u holds, and %s where not: behind the if it has one type and "
        "shape; %s, or use another name",
        name, value_type_name(e->arena, x), stmt->location.line, value_type_name(e->arena, y),
        one_type(e, name, edited, edit_first ? x : y, edit_first ? y : x));
    if (edited.target && other.target) {
        emit_note(e, other.target->location, "%s is %s from here", name,
                  value_type_name(e->arena, edit_first ? y : x));
    }
}

// Joins one name with different values after the branches.
static bool join_name(struct emitter *e, struct join *join, const char *name, struct value a, struct value b,
                      MlirBlock then_block, MlirBlock else_block, const struct stmt *stmt) {
    struct location location = stmt->location;
    struct scope *scope = e->frame->scope;
    if (value_failed(a) || value_failed(b)) {
        scope_set(e, scope, name, value_error());
        return true;
    }
    if (a.kind == VALUE_HOST || b.kind == VALUE_HOST) {
        scope_set(e, scope, name, a.kind == VALUE_HOST ? a : b);
        return true;
    }
    struct value x = emit_in(e, then_block, a, location), y = emit_in(e, else_block, b, location);
    x = widen_in(e, then_block, x, y, location);
    y = widen_in(e, else_block, y, x, location);
    if (value_same_type(x, y)) {
        add_joined(e, join, name, x, y);
        return true;
    }
    bool tensors = x.kind == VALUE_TENSOR && y.kind == VALUE_TENSOR;
    if (tensors || (value_is_sequence(x) && value_is_sequence(y))) {
        refuse_types(e, name, x, y, stmt);
        scope_set(e, scope, name, value_error());
        return false;
    }
    const char *why = arena_printf(e->arena, "it is %s on one path of the if on line %u and %s on the other",
                                   value_type_name(e->arena, x), location.line, value_type_name(e->arena, y));
    scope_set(e, scope, name, value_host(why));
    return true;
}

static bool join_names(struct emitter *e, struct join *join, struct branch *a, struct branch *b,
                       const struct stmt *stmt) {
    struct location location = stmt->location;
    size_t limit = a->after.count + b->after.count + 1;
    join->names = ARENA_ARRAY(e->arena, const char *, limit);
    join->like = ARENA_ARRAY(e->arena, struct value, limit);
    bool ok = true;
    for (size_t i = 0; i < a->after.count; i++) {
        struct binding *x = &a->after.items[i], *y = scope_find(&b->after, x->name);
        if (!y) {
            const char *why = arena_printf(
                e->arena, "it is set on one path of the if on line %u only; set it before that, too",
                location.line);
            scope_set(e, e->frame->scope, x->name, value_host(why));
        } else if (value_identical(x->value, y->value)) {
            scope_set(e, e->frame->scope, x->name, x->value);
        } else {
            ok = join_name(e, join, x->name, x->value, y->value, a->block, b->block, stmt) && ok;
        }
    }
    for (size_t i = 0; i < b->after.count; i++) {
        if (!scope_find(&a->after, b->after.items[i].name)) {
            const char *why = arena_printf(
                e->arena, "it is set on one path of the if on line %u only; set it before that, too",
                location.line);
            scope_set(e, e->frame->scope, b->after.items[i].name, value_host(why));
        }
    }
    return ok;
}

static enum flow give_up(struct emitter *e, struct branch *a, struct branch *b) {
    struct branch *branches[] = {a, b};
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; j < branches[i]->after.count; j++) {
            struct binding *changed = &branches[i]->after.items[j];
            struct binding *now = scope_find(e->frame->scope, changed->name);
            if (!now || !value_identical(now->value, changed->value)) {
                scope_set(e, e->frame->scope, changed->name, value_error());
            }
        }
        mlirBlockDestroy(branches[i]->block);
    }
    return FLOW_FAIL;
}

static enum flow join_branches(struct emitter *e, const struct stmt *stmt, MlirValue condition,
                               struct branch *a, struct branch *b) {
    struct join join = {0};
    if (a->flow != FLOW_NEXT || b->flow != FLOW_NEXT || !join_names(e, &join, a, b, stmt)) {
        return give_up(e, a, b);
    }
    if (join.flat == 0 && is_empty(a->block) && is_empty(b->block)) {
        mlirBlockDestroy(a->block);
        mlirBlockDestroy(b->block);
        return FLOW_NEXT;
    }
    struct value *results = ARENA_ARRAY(e->arena, struct value, join.count + 1);
    build_join(e, &join, condition, a->block, b->block, results);
    for (size_t i = 0; i < join.count; i++) {
        scope_set(e, e->frame->scope, join.names[i], results[i]);
    }
    return FLOW_NEXT;
}

// In Triton a path without a return has an unspecified result: here a zero of the other path's type.
static void return_something(struct emitter *e, struct branch *a, struct branch *b,
                             struct location location) {
    if (a->fell_off && !b->fell_off && !value_is_none(b->returned)) {
        b->returned = emit_in(e, b->block, b->returned, location);
        struct builder saved = e->builder;
        e->builder = builder_at_end(e->ir, a->block, saved.location);
        a->returned = zero_like(e, b->returned);
        e->builder = saved;
    }
}

// Constants of `v` with another value in the other branch become tensors.
static struct value tensors_where_unlike(struct emitter *e, MlirBlock block, struct value v,
                                         struct value other, struct location location) {
    bool sequences = value_is_sequence(v) && value_is_sequence(other) && v.list.count == other.list.count;
    if (!sequences) {
        return value_same_type(v, other) ? v : emit_in(e, block, v, location);
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, v.list.count + 1);
    for (size_t i = 0; i < v.list.count; i++) {
        items[i] = tensors_where_unlike(e, block, v.list.items[i], other.list.items[i], location);
    }
    return value_with_parts(v, (struct value_list){.items = items, .count = v.list.count});
}

static enum flow join_returns(struct emitter *e, const struct stmt *stmt, MlirValue condition,
                              struct branch *a, struct branch *b) {
    if (a->flow != FLOW_RETURN || b->flow != FLOW_RETURN) {
        return give_up(e, a, b);
    }
    return_something(e, a, b, stmt->location);
    return_something(e, b, a, stmt->location);
    struct value first = a->returned;
    a->returned = tensors_where_unlike(e, a->block, first, b->returned, stmt->location);
    b->returned = tensors_where_unlike(e, b->block, b->returned, first, stmt->location);
    struct join join = {.names = ARENA_ARRAY(e->arena, const char *, 1),
                        .like = ARENA_ARRAY(e->arena, struct value, 1)};
    a->returned = widen_in(e, a->block, a->returned, b->returned, stmt->location);
    b->returned = widen_in(e, b->block, b->returned, a->returned, stmt->location);
    struct value result = a->returned;
    if (!value_same_type(a->returned, b->returned)) {
        emit_error(e, stmt->location, "the function returns %s on one path of this if and %s on the other",
                   value_type_name(e->arena, a->returned), value_type_name(e->arena, b->returned));
        return give_up(e, a, b);
    }
    add_joined(e, &join, "return", a->returned, b->returned);
    build_join(e, &join, condition, a->block, b->block, &result);
    e->frame->returned = result;
    e->frame->fell_off = a->fell_off && b->fell_off;
    return FLOW_RETURN;
}

static bool always_leaves(const struct stmt_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const struct stmt *stmt = list->items[i];
        if (stmt->kind == STMT_RETURN || stmt->kind == STMT_RAISE || stmt->kind == STMT_BREAK ||
            stmt->kind == STMT_CONTINUE ||
            (stmt->kind == STMT_IF && always_leaves(&stmt->if_else.body) &&
             always_leaves(&stmt->if_else.orelse))) {
            return true;
        }
    }
    return false;
}

static enum flow join_ends(struct emitter *e, const struct stmt *stmt, MlirValue condition, struct branch *a,
                           struct branch *b);

// Runs an `if` with a branch that may leave the function, the run-time loop or its iteration. If both
// branches may also fall through, the rest is emitted twice, so the number of such ifs is limited. In a
// run-time loop all paths meet at the end of the body.
static enum flow run_split(struct emitter *e, const struct stmt *stmt, const struct stmt_list *body,
                           const struct stmt_list *orelse, MlirValue condition) {
    enum { MAX_SPLITS = 6 };
    bool splits = !always_leaves(body) && !always_leaves(orelse);
    if (splits && e->frame->splits >= MAX_SPLITS) {
        emit_error(
            e, stmt->location,
            "more than %d ifs in a row may return inside a branch and also go on; return at the end instead",
            MAX_SPLITS);
        return FLOW_FAIL;
    }
    e->frame->splits += splits;
    struct branch a = run_branch(e, body, true), b = run_branch(e, orelse, true);
    e->frame->splits -= splits;
    emit_at(e, stmt->location);
    return join_ends(e, stmt, condition, &a, &b);
}

static enum flow join_ends(struct emitter *e, const struct stmt *stmt, MlirValue condition, struct branch *a,
                           struct branch *b) {
    if (!e->frame->regions) {
        return join_returns(e, stmt, condition, a, b);
    }
    enum flow flow = join_branches(e, stmt, condition, a, b);
    return flow == FLOW_NEXT ? FLOW_DONE : flow;
}

// Chooses between two branches behind a loop: it has returned, or the function goes on.
enum flow run_after_return(struct emitter *e, const struct stmt *stmt, MlirValue flag, struct value value) {
    static const struct stmt_list nothing = {NULL, 0};
    struct branch returned = run_branch(e, &nothing, false), other;
    struct scope before = scope_copy(e, e->frame->scope);
    e->frame->returned = value;
    returned.returned = value;
    e->frame->fell_off = returned.fell_off = false;
    returned.flow = e->frame->regions ? finish_path(e, FLOW_RETURN) : FLOW_RETURN;
    returned.after = *e->frame->scope;
    *e->frame->scope = before;
    other = run_branch(e, &nothing, true);
    emit_at(e, stmt->location);
    return join_ends(e, stmt, flag, &returned, &other);
}

bool may_leave(const struct emitter *e, const struct stmt_list *body, const struct stmt_list *orelse) {
    bool in_loop = e->frame->jump_loop || e->frame->static_loops;
    return in_loop ? contains_jump(body) || contains_jump(orelse)
                   : contains_return(body) || contains_return(orelse);
}

enum flow run_choice(struct emitter *e, const struct stmt *stmt, const struct stmt_list *body,
                     const struct stmt_list *orelse, MlirValue condition) {
    emit_at(e, stmt->location);
    if (may_leave(e, body, orelse)) {
        return run_split(e, stmt, body, orelse, condition);
    }
    struct branch a = run_branch(e, body, false), b = run_branch(e, orelse, false);
    emit_at(e, stmt->location);
    return join_branches(e, stmt, condition, &a, &b);
}

enum flow run_if(struct emitter *e, const struct stmt *stmt) {
    bool known, truth;
    MlirValue condition;
    struct value test = eval(e, stmt->if_else.test);
    if (is_lanewise(e, test)) {
        emit_at(e, stmt->location);
        return run_choice_lanewise(e, stmt, &stmt->if_else.body, &stmt->if_else.orelse, test);
    }
    if (is_undecided(e, test)) {
        return run_list(e, &stmt->if_else.body, 0);
    }
    if (!eval_condition(e, test, stmt->if_else.test->location, &known, &truth, &condition)) {
        return FLOW_FAIL;
    }
    const struct stmt_list *body = &stmt->if_else.body, *orelse = &stmt->if_else.orelse;
    if (known) {
        bool is_tensor = test.kind == VALUE_TENSOR;
        bool ends = is_tensor && !truth && body->count > 0;
        if (is_tensor && (contains_return(body) || contains_return(orelse))) {
            e->frame->promotes = true;
        }
        if (ends && body->items[body->count - 1]->kind == STMT_RETURN) {
            e->frame->skipped = body->items[body->count - 1];
        }
        return run_list(e, truth ? body : orelse, 0);
    }
    return run_choice(e, stmt, body, orelse, condition);
}

// ---- the ternary ----

static struct value eval_in(struct emitter *e, MlirBlock block, const struct expr *expr) {
    struct builder saved = e->builder;
    e->builder = builder_at_end(e->ir, block, saved.location);
    struct value v = eval(e, expr);
    v = value_failed(v) ? v : decay(e, v, expr->location);
    e->builder = saved;
    return v;
}

struct value eval_ternary_run_time(struct emitter *e, const struct expr *expr, MlirValue condition) {
    emit_at(e, expr->location);
    MlirBlock then_block = mlirBlockCreate(0, NULL, NULL), else_block = mlirBlockCreate(0, NULL, NULL);
    struct value a = eval_in(e, then_block, expr->ternary.then_value);
    struct value b = eval_in(e, else_block, expr->ternary.else_value);
    emit_at(e, expr->location);
    if (value_failed(a) || value_failed(b) || !value_same_type(a, b)) {
        mlirBlockDestroy(then_block);
        mlirBlockDestroy(else_block);
        return value_failed(a) || value_failed(b)
                   ? value_error()
                   : emit_error(e, expr->location, "this choice is %s or %s; both must have one type",
                                value_type_name(e->arena, a), value_type_name(e->arena, b));
    }
    struct join join = {.names = ARENA_ARRAY(e->arena, const char *, 1),
                        .like = ARENA_ARRAY(e->arena, struct value, 1)};
    struct value result;
    add_joined(e, &join, "", a, b);
    build_join(e, &join, condition, then_block, else_block, &result);
    return result;
}
