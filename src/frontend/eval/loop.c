// Loops over ranges. tl.static_range and loops over constants unroll. `range` over integers becomes scf.for,
// or scf.while if break, continue or return may leave the loop early.
#include "frontend/eval/loop.h"

// The induction variable as the source sees it: counting down, the loop still counts up.
static struct value source_index(struct emitter *e, MlirBlock block, const struct bounds *bounds) {
    struct value index =
        tensor_like(e, mlirBlockGetArgument(block, 0), bounds->lower.tensor.dtype, bounds->lower);
    struct builder saved = e->builder;
    e->builder = builder_at_end(e->ir, block, saved.location);
    if (bounds->downwards) {
        index = emit_arith(e, BINARY_ADD, emit_arith(e, BINARY_SUB, bounds->upper, index), bounds->lower);
    }
    index = loop_index(e, bounds, index);
    e->builder = saved;
    return index;
}

static enum flow emit_for(struct emitter *e, const struct stmt *stmt, const struct range_value *range) {
    struct bounds bounds;
    struct location at = stmt->location;
    if (!loop_bounds(e, range, stmt, &bounds)) {
        return FLOW_FAIL;
    }
    if (contains_jump(&stmt->for_loop.body) || is_lanewise(e, bounds.lower) || bounds.steps_far) {
        return emit_while(e, stmt, &bounds);
    }
    struct name_list assigned = {0};
    collect_assigned(e, &stmt->for_loop.body, &assigned);
    carry_target(e, stmt, &bounds, &assigned);
    size_t names = e->frame->scope->count;
    struct name_list promoted = {ARENA_ARRAY(e->arena, const char *, names + 1), 0, names};
    struct loop loop = {.stmt = stmt, .body = &stmt->for_loop.body};
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
                  run_body(e, &loop, body) == FLOW_NEXT &&
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
    MlirOperation op = build_op_regions(&e->builder, OP_FOR, (struct operands){(intptr_t)count + 3, operands},
                                        (struct results){(intptr_t)count, types}, attributes, 1, &region);
    set_results(e, &loop, op, kept, count);
    return run_list(e, &stmt->for_loop.orelse, 0);
}

// ---- unrolled ----

enum flow run_unrolled(struct emitter *e, const struct stmt *stmt, struct value_list values) {
    struct continuation *outer = e->frame->rest;
    enum flow flow = FLOW_NEXT;
    bool failed = false;
    e->frame->static_loops++;
    for (size_t i = 0; i < values.count && flow == FLOW_NEXT; i++) {
        struct continuation rest = {.loop = stmt,
                                    .values = {.items = values.items + i + 1, .count = values.count - i - 1},
                                    .outer = outer};
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
    emit_at(e, stmt->location);
    bool unrolls = iterable.kind != VALUE_RANGE || iterable.range->is_static || !e->frame->is_jit || !e->ir;
    const struct stmt_list *orelse = &stmt->for_loop.orelse;
    if (!unrolls) {
        return emit_for(e, stmt, iterable.range);
    }
    struct value_list values;
    if (!eval_elements(e, iterable, stmt->for_loop.iterable->location, &values)) {
        return FLOW_FAIL;
    }
    if (orelse->count) {
        emit_error(e, stmt->location, "else after an unrolled loop is not supported in a kernel");
        return FLOW_FAIL;
    }
    return run_unrolled(e, stmt, values);
}
