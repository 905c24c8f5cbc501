// Loops. tl.static_range and loops over constants unroll; `range` over integers becomes scf.for, `while`
// scf.while.
//
// What a loop carries: the names bound before it that its body may bind again. They become arguments of the
// body's block, which is emitted once, on its own; arguments that turn out to be passed on unchanged are
// taken out again before the op is built. A constant that the body turns into a tensor is a tensor from the
// start: then the body is emitted again.
#include <stdio.h>
#include <string.h>

#include "frontend/eval/walk.h"

struct carry {
    const char *name;
    struct value before, inside;
    size_t first, parts; // of the flat values
    bool dropped;
};

struct loop {
    const struct stmt *stmt;
    struct carry *carries;
    size_t count, flat;
    MlirValue *inits, *yields;
    MlirType *types;
    MlirLocation *locations;
    struct scope before;
};

// ---- what is carried ----

static bool is_listed(const struct name_list *names, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool may_carry(struct value v) {
    return value_flatten(v, NULL) > 0;
}

// Collects the carried names and their initial values. Numbers in `promoted` are carried as tensors.
static void find_carries(struct emitter *e, struct loop *loop, const struct name_list *assigned,
                         const struct name_list *promoted) {
    struct scope *scope = e->frame->scope;
    loop->carries = ARENA_ARRAY(e->arena, struct carry, assigned->count + 1);
    loop->count = loop->flat = 0;
    for (size_t i = 0; i < assigned->count; i++) {
        struct binding *binding = scope_find(scope, assigned->items[i]);
        if (!binding) {
            continue;
        }
        if (is_listed(promoted, binding->name)) {
            binding->value = decay(e, binding->value, loop->stmt->location);
        }
        if (may_carry(binding->value)) {
            size_t parts = value_flatten(binding->value, NULL);
            loop->carries[loop->count++] =
                (struct carry){binding->name, binding->value, binding->value, loop->flat, parts, false};
            loop->flat += parts;
        }
    }
    loop->inits = ARENA_ARRAY(e->arena, MlirValue, loop->flat + 1);
    loop->yields = ARENA_ARRAY(e->arena, MlirValue, loop->flat + 1);
    loop->types = ARENA_ARRAY(e->arena, MlirType, loop->flat + 2);
    loop->locations = ARENA_ARRAY(e->arena, MlirLocation, loop->flat + 2);
    for (size_t i = 0; i < loop->count; i++) {
        value_flatten(loop->carries[i].before, loop->inits + loop->carries[i].first);
    }
    for (size_t i = 0; i < loop->flat + 1; i++) {
        loop->locations[i] = e->builder.location;
        if (i < loop->flat) {
            loop->types[i] = mlirValueGetType(loop->inits[i]);
        }
    }
    loop->before = scope_copy(e, scope);
}

// Binds the carried names to the arguments of a block, from `first` on.
static void bind_carries(struct emitter *e, struct loop *loop, MlirBlock block, intptr_t first) {
    MlirValue *arguments = ARENA_ARRAY(e->arena, MlirValue, loop->flat + 1);
    for (size_t i = 0; i < loop->flat; i++) {
        arguments[i] = mlirBlockGetArgument(block, first + (intptr_t)i);
    }
    for (size_t i = 0; i < loop->count; i++) {
        struct carry *carry = &loop->carries[i];
        size_t used = 0;
        carry->inside = value_unflatten(e, carry->before, arguments + carry->first, &used);
        scope_set(e, e->frame->scope, carry->name, carry->inside);
    }
}

static enum flow run_body(struct emitter *e, struct loop *loop, const struct stmt_list *body,
                          MlirBlock block) {
    (void)loop;
    struct builder saved = e->builder;
    unsigned static_loops = e->frame->static_loops;
    e->builder = builder_at_end(e->ir, block, saved.location);
    e->frame->run_time_loops++;
    e->frame->static_loops = 0;
    enum flow flow = run_list(e, body, 0);
    e->frame->static_loops = static_loops;
    e->frame->run_time_loops--;
    e->builder = saved;
    return flow;
}

// After the body: fills the yields and says what became of other names. False after an error. Names of
// constants that the body changed are added to `promoted`: the caller then starts over.
static bool finish_carries(struct emitter *e, struct loop *loop, MlirBlock block,
                           const struct name_list *assigned, struct name_list *promoted) {
    struct scope *scope = e->frame->scope;
    struct location at = loop->stmt->location;
    bool ok = true;
    for (size_t i = 0; i < loop->count; i++) {
        struct carry *carry = &loop->carries[i];
        struct value after = scope_find(scope, carry->name)->value;
        if (value_failed(after)) {
            ok = false;
            continue;
        }
        if (after.kind == VALUE_HOST) {
            emit_error(e, at, "%s, which the loop carries, has no value at the end of its body: %s",
                       carry->name, after.host);
            ok = false;
            continue;
        }
        struct builder saved = e->builder;
        e->builder = builder_at_end(e->ir, block, saved.location);
        after = decay(e, after, at);
        e->builder = saved;
        if (!value_same_type(after, carry->before)) {
            emit_error(
                e, at, "%s is %s before the loop but %s at the end of its body; the type must stay the same",
                carry->name, value_type_name(e->arena, carry->before), value_type_name(e->arena, after));
            ok = false;
            continue;
        }
        value_flatten(after, loop->yields + carry->first);
    }
    for (size_t i = 0; i < loop->before.count && ok; i++) {
        struct binding *before = &loop->before.items[i], *after = scope_find(scope, before->name);
        bool carried = false;
        for (size_t j = 0; j < loop->count; j++) {
            carried = carried || strcmp(loop->carries[j].name, before->name) == 0;
        }
        if (carried || value_identical(before->value, after->value) || value_failed(before->value)) {
            continue;
        }
        if (value_is_number(before->value) && after->value.kind == VALUE_TENSOR && e->frame->is_jit &&
            promoted->count < promoted->capacity && is_listed(assigned, before->name)) {
            promoted->items[promoted->count++] = before->name;
            continue;
        }
        const char *why = arena_printf(e->arena, "it was %s before the loop on line %u, which changes it",
                                       value_type_name(e->arena, before->value), at.line);
        before->value = value_host(why);
    }
    return ok;
}

// The names again as they were before the loop, and none that only the body binds.
static void restore_scope(struct emitter *e, struct loop *loop) {
    struct scope *scope = e->frame->scope;
    struct scope inside = *scope;
    *scope = scope_copy(e, &loop->before);
    for (size_t i = 0; i < inside.count; i++) {
        if (!scope_find(&loop->before, inside.items[i].name)) {
            const char *why = arena_printf(e->arena, "it is set inside the loop on line %u only",
                                           loop->stmt->location.line);
            scope_set(e, scope, inside.items[i].name, value_host(why));
        }
    }
}

static enum flow fail_loop(struct emitter *e, struct loop *loop) {
    restore_scope(e, loop);
    for (size_t i = 0; i < loop->count; i++) {
        scope_set(e, e->frame->scope, loop->carries[i].name, value_error());
    }
    return FLOW_FAIL;
}

static void set_results(struct emitter *e, struct loop *loop, MlirOperation op, const size_t *kept,
                        size_t kept_count) {
    MlirValue *results = ARENA_ARRAY(e->arena, MlirValue, loop->flat + 1);
    memcpy(results, loop->inits, loop->flat * sizeof *results);
    for (size_t i = 0; i < kept_count; i++) {
        results[kept[i]] = mlirOperationGetResult(op, (intptr_t)i);
    }
    for (size_t i = 0; i < loop->count; i++) {
        struct carry *carry = &loop->carries[i];
        size_t used = 0;
        scope_set(e, e->frame->scope, carry->name,
                  value_unflatten(e, carry->before, results + carry->first, &used));
    }
}

// Takes the arguments that are passed on unchanged out of `block_count` blocks, and gives the indices of the
// others.
static size_t prune(struct emitter *e, struct loop *loop, MlirBlock *blocks, const intptr_t *first,
                    int block_count, size_t *kept) {
    MlirBlock last = blocks[block_count - 1];
    bool *drop = ARENA_ARRAY(e->arena, bool, loop->flat + 1);
    for (size_t i = 0; i < loop->flat; i++) {
        MlirValue argument = mlirBlockGetArgument(last, first[block_count - 1] + (intptr_t)i);
        drop[i] = mlirValueEqual(loop->yields[i], argument);
        if (!drop[i]) {
            continue;
        }
        for (int b = 0; b < block_count; b++) {
            mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(blocks[b], first[b] + (intptr_t)i),
                                          loop->inits[i]);
        }
        for (size_t j = 0; j < loop->flat; j++) {
            if (mlirValueEqual(loop->yields[j], argument)) {
                loop->yields[j] = loop->inits[i];
            }
        }
    }
    size_t count = 0;
    for (size_t i = loop->flat; i > 0; i--) {
        for (int b = 0; b < block_count && drop[i - 1]; b++) {
            mlirBlockEraseArgument(blocks[b], (unsigned)(first[b] + (intptr_t)i - 1));
        }
    }
    for (size_t i = 0; i < loop->flat; i++) {
        if (!drop[i]) {
            kept[count++] = i;
        }
    }
    return count;
}

static void select_kept(struct loop *loop, const size_t *kept, size_t count, MlirValue *inits,
                        MlirValue *yields, MlirType *types) {
    for (size_t i = 0; i < count; i++) {
        inits[i] = loop->inits[kept[i]];
        yields[i] = loop->yields[kept[i]];
        types[i] = loop->types[kept[i]];
    }
}

// ---- for ----

struct bounds {
    struct value lower, upper, step;
    bool downwards;
};

static bool loop_bounds(struct emitter *e, const struct range_value *range, struct location at,
                        struct bounds *out) {
    struct value step = *range->step;
    out->downwards = value_is_integral(step) && value_integer(step) < 0;
    out->lower = emit_to_tensor(e, out->downwards ? *range->stop : *range->start, at);
    out->upper = emit_to_tensor(e, out->downwards ? *range->start : *range->stop, at);
    out->step = emit_to_tensor(e, out->downwards ? value_int(-value_integer(step)) : step, at);
    struct value *all[] = {&out->lower, &out->upper, &out->step};
    struct dtype type = DTYPE_OF(INT32);
    for (int i = 0; i < 3; i++) {
        if (value_failed(*all[i])) {
            return false;
        }
        if (all[i]->tensor.rank || !dtype_is_integer(all[i]->tensor.dtype)) {
            emit_error(e, at, "the bounds and step of a loop must be scalar integers, not %s",
                       value_type_name(e->arena, *all[i]));
            return false;
        }
        type = dtype_promote_integers(type, all[i]->tensor.dtype);
    }
    if (value_is_integral(step) && value_integer(step) == 0) {
        emit_error(e, at, "the step of the loop is 0");
        return false;
    }
    for (int i = 0; i < 3; i++) {
        *all[i] = emit_cast(e, *all[i], type, at);
    }
    return true;
}

// The induction variable as the source sees it: counting down, the loop still counts up.
static struct value source_index(struct emitter *e, MlirBlock block, const struct bounds *bounds) {
    struct value index =
        tensor_like(e, mlirBlockGetArgument(block, 0), bounds->lower.tensor.dtype, bounds->lower);
    if (!bounds->downwards) {
        return index;
    }
    struct builder saved = e->builder;
    e->builder = builder_at_end(e->ir, block, saved.location);
    index = emit_arith(e, BINARY_ADD, emit_arith(e, BINARY_SUB, bounds->upper, index), bounds->lower);
    e->builder = saved;
    return index;
}

static enum flow emit_for(struct emitter *e, const struct stmt *stmt, const struct range_value *range) {
    struct bounds bounds;
    struct location at = stmt->location;
    if (!loop_bounds(e, range, at, &bounds)) {
        return FLOW_FAIL;
    }
    struct name_list assigned = {0};
    collect_assigned(e, &stmt->for_loop.body, &assigned);
    size_t names = e->frame->scope->count;
    struct name_list promoted = {ARENA_ARRAY(e->arena, const char *, names + 1), 0, names};
    struct loop loop = {.stmt = stmt};
    MlirBlock body;
    for (;;) {
        find_carries(e, &loop, &assigned, &promoted);
        promoted.count = 0;
        MlirType index_type = mlirValueGetType(bounds.lower.tensor.value);
        body = mlirBlockCreate(1, &index_type, &e->builder.location);
        for (size_t i = 0; i < loop.flat; i++) {
            mlirBlockAddArgument(body, loop.types[i], loop.locations[i]);
        }
        bind_carries(e, &loop, body, 1);
        bool ok = assign_target(e, stmt->for_loop.target, source_index(e, body, &bounds)) &&
                  run_body(e, &loop, &stmt->for_loop.body, body) == FLOW_NEXT &&
                  finish_carries(e, &loop, body, &assigned, &promoted);
        if (!ok) {
            enum flow flow = fail_loop(e, &loop);
            mlirBlockDestroy(body);
            return flow;
        }
        restore_scope(e, &loop);
        if (promoted.count == 0) {
            break;
        }
        mlirBlockDestroy(body);
    }
    emit_at(e, at);
    size_t *kept = ARENA_ARRAY(e->arena, size_t, loop.flat + 1);
    intptr_t first = 1;
    size_t count = prune(e, &loop, &body, &first, 1, kept);
    MlirValue *operands = ARENA_ARRAY(e->arena, MlirValue, count + 3);
    MlirValue *yields = ARENA_ARRAY(e->arena, MlirValue, count + 1);
    MlirType *types = ARENA_ARRAY(e->arena, MlirType, count + 1);
    operands[0] = bounds.lower.tensor.value;
    operands[1] = bounds.upper.tensor.value;
    operands[2] = bounds.step.tensor.value;
    select_kept(&loop, kept, count, operands + 3, yields, types);
    struct builder end = builder_at_end(e->ir, body, e->builder.location);
    build_yield(&end, (struct operands){(intptr_t)count, yields});
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, body);
    struct attrs attributes =
        range->has_stages ? ATTRS(attr_i32(&e->builder, ATTR_NUM_STAGES, range->num_stages)) : NO_ATTRS;
    MlirOperation op =
        build_op_regions(&e->builder, "scf.for", (struct operands){(intptr_t)count + 3, operands},
                         (struct results){(intptr_t)count, types}, attributes, 1, &region);
    set_results(e, &loop, op, kept, count);
    return FLOW_NEXT;
}

// ---- unrolled ----

enum flow run_unrolled(struct emitter *e, const struct stmt *stmt, struct value_list values) {
    struct continuation *outer = e->frame->rest;
    enum flow flow = FLOW_NEXT;
    bool failed = false;
    e->frame->static_loops++;
    for (size_t i = 0; i < values.count && flow == FLOW_NEXT; i++) {
        struct continuation rest = {
            .loop = stmt, .values = {values.items + i + 1, values.count - i - 1}, .outer = outer};
        e->frame->rest = &rest;
        flow = assign_target(e, stmt->for_loop.target, values.items[i]) ? run_list(e, &stmt->for_loop.body, 0)
                                                                        : FLOW_FAIL;
        if (flow == FLOW_FAIL) {
            failed = true;
            break;
        }
        flow = flow == FLOW_CONTINUE ? FLOW_NEXT : flow;
    }
    e->frame->static_loops--;
    e->frame->rest = outer;
    return failed ? FLOW_FAIL : flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

enum flow run_for(struct emitter *e, const struct stmt *stmt) {
    struct value iterable = eval(e, stmt->for_loop.iterable);
    if (value_failed(iterable)) {
        return FLOW_FAIL;
    }
    if (stmt->for_loop.orelse.count) {
        emit_error(e, stmt->location, "else after a loop is not supported in a kernel");
        return FLOW_FAIL;
    }
    emit_at(e, stmt->location);
    bool unrolls = iterable.kind != VALUE_RANGE || iterable.range->is_static || !e->frame->is_jit || !e->ir;
    if (!unrolls) {
        return emit_for(e, stmt, iterable.range);
    }
    struct value_list values;
    if (!eval_elements(e, iterable, stmt->for_loop.iterable->location, &values)) {
        return FLOW_FAIL;
    }
    return run_unrolled(e, stmt, values);
}

// ---- while ----

// The condition in a block of its own, ended by scf.condition that passes the block's arguments on.
static bool emit_condition(struct emitter *e, struct loop *loop, MlirBlock block, MlirValue *condition) {
    const struct expr *test = loop->stmt->while_loop.test;
    struct builder saved = e->builder;
    bool known, truth;
    e->builder = builder_at_end(e->ir, block, saved.location);
    struct value value = eval(e, test);
    bool ok = eval_condition(e, value, test->location, &known, &truth, condition);
    if (ok && known) {
        *condition = emit_int(e, DTYPE_OF(INT1), 0, NULL, truth).tensor.value;
    }
    e->builder = saved;
    return ok;
}

static MlirOperation build_while_op(struct emitter *e, struct loop *loop, MlirBlock blocks[2],
                                    MlirValue condition, const size_t *kept, size_t count) {
    MlirValue *inits = ARENA_ARRAY(e->arena, MlirValue, count + 1);
    MlirValue *yields = ARENA_ARRAY(e->arena, MlirValue, count + 1);
    MlirValue *passed = ARENA_ARRAY(e->arena, MlirValue, count + 1);
    MlirType *types = ARENA_ARRAY(e->arena, MlirType, count + 1);
    select_kept(loop, kept, count, inits, yields, types);
    passed[0] = condition;
    for (size_t i = 0; i < count; i++) {
        passed[i + 1] = mlirBlockGetArgument(blocks[0], (intptr_t)i);
    }
    struct builder end = builder_at_end(e->ir, blocks[0], e->builder.location);
    OP(&end, "scf.condition", ((struct operands){(intptr_t)count + 1, passed}), NO_RESULTS, NO_ATTRS);
    end = builder_at_end(e->ir, blocks[1], e->builder.location);
    build_yield(&end, (struct operands){(intptr_t)count, yields});
    MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
    mlirRegionAppendOwnedBlock(regions[0], blocks[0]);
    mlirRegionAppendOwnedBlock(regions[1], blocks[1]);
    return build_op_regions(&e->builder, "scf.while", (struct operands){(intptr_t)count, inits},
                            (struct results){(intptr_t)count, types}, NO_ATTRS, 2, regions);
}

static enum flow emit_while(struct emitter *e, const struct stmt *stmt) {
    struct name_list assigned = {0};
    collect_assigned(e, &stmt->while_loop.body, &assigned);
    size_t names = e->frame->scope->count;
    struct name_list promoted = {ARENA_ARRAY(e->arena, const char *, names + 1), 0, names};
    struct loop loop = {.stmt = stmt};
    MlirBlock blocks[2];
    MlirValue condition;
    for (;;) {
        find_carries(e, &loop, &assigned, &promoted);
        promoted.count = 0;
        for (int i = 0; i < 2; i++) {
            blocks[i] = mlirBlockCreate((intptr_t)loop.flat, loop.types, loop.locations);
        }
        bind_carries(e, &loop, blocks[0], 0);
        bool ok = emit_condition(e, &loop, blocks[0], &condition);
        bind_carries(e, &loop, blocks[1], 0);
        ok = ok && run_body(e, &loop, &stmt->while_loop.body, blocks[1]) == FLOW_NEXT &&
             finish_carries(e, &loop, blocks[1], &assigned, &promoted);
        if (!ok) {
            enum flow flow = fail_loop(e, &loop);
            mlirBlockDestroy(blocks[0]);
            mlirBlockDestroy(blocks[1]);
            return flow;
        }
        restore_scope(e, &loop);
        if (promoted.count == 0) {
            break;
        }
        mlirBlockDestroy(blocks[0]);
        mlirBlockDestroy(blocks[1]);
    }
    emit_at(e, stmt->location);
    for (size_t i = 0; i < loop.flat; i++) { // the condition itself may be an argument that is not carried
        if (mlirValueEqual(condition, mlirBlockGetArgument(blocks[0], (intptr_t)i)) &&
            mlirValueEqual(loop.yields[i], mlirBlockGetArgument(blocks[1], (intptr_t)i))) {
            condition = loop.inits[i];
        }
    }
    size_t *kept = ARENA_ARRAY(e->arena, size_t, loop.flat + 1);
    static const intptr_t first[2] = {0, 0};
    size_t count = prune(e, &loop, blocks, first, 2, kept);
    MlirOperation op = build_while_op(e, &loop, blocks, condition, kept, count);
    set_results(e, &loop, op, kept, count);
    return FLOW_NEXT;
}

// A `while` of a plain function: run at compile time.
static enum flow run_static_while(struct emitter *e, const struct stmt *stmt) {
    enum { LIMIT = 1 << 16 };
    enum flow flow = FLOW_NEXT;
    e->frame->static_loops++;
    for (int i = 0; flow == FLOW_NEXT; i++) {
        bool known, truth;
        MlirValue condition;
        struct value test = eval(e, stmt->while_loop.test);
        if (!eval_condition(e, test, stmt->while_loop.test->location, &known, &truth, &condition)) {
            flow = FLOW_FAIL;
        } else if (!known || i == LIMIT) {
            emit_error(e, stmt->location,
                       known ? "this loop runs more than %d times" : "this condition is not constant", LIMIT);
            flow = FLOW_FAIL;
        } else if (!truth) {
            break;
        } else {
            flow = run_list(e, &stmt->while_loop.body, 0);
            flow = flow == FLOW_CONTINUE ? FLOW_NEXT : flow;
        }
    }
    e->frame->static_loops--;
    return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

enum flow run_while(struct emitter *e, const struct stmt *stmt) {
    if (stmt->while_loop.orelse.count) {
        emit_error(e, stmt->location, "else after a loop is not supported in a kernel");
        return FLOW_FAIL;
    }
    emit_at(e, stmt->location);
    return e->frame->is_jit && e->ir ? emit_while(e, stmt) : run_static_while(e, stmt);
}
