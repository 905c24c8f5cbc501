// Loops as scf.while: `while`, and loops with break, continue or return (jump.c).
#include "frontend/eval/loop.h"
#include "frontend/semantics/language.h"

#include <string.h>

static struct value hidden(struct emitter *e, enum jump_name what, const struct stmt *loop) {
    return scope_find(e->frame->scope, jump_name(e, what, loop))->value;
}

// Names set by the test of a `while` live in another block than the loop's body, so the test may set none.
static bool sets_no_names(struct emitter *e, const struct scope *before, struct location at) {
    const struct scope *scope = e->frame->scope;
    for (size_t i = 0; i < scope->count; i++) {
        if (i >= before->count || !value_identical(scope->items[i].value, before->items[i].value)) {
            emit_error(e, at, "%s is set by the test of a while loop; set it in the loop's body",
                       scope->items[i].name);
            return false;
        }
    }
    return true;
}

// The test of a `while`, or `index < trip count` of a `for`: an i1, or inside tl.map_elementwise one per
// element.
static struct value emit_test(struct emitter *e, struct loop *loop) {
    struct location at = loop->stmt->location;
    if (loop->bounds) {
        return emit_compare(e, COMPARE_LT, hidden(e, JUMP_INDEX, loop->stmt), loop->trips, at);
    }
    const struct expr *test = loop->stmt->while_loop.test;
    bool known, truth;
    MlirValue condition;
    struct scope before = scope_copy(e, e->frame->scope);
    struct value value = eval(e, test);
    bool lanewise = is_lanewise(e, value);
    if (value_is_tensor(value) && !dtype_is_bool(value.tensor.dtype) &&
        !language_takes(e, LANGUAGE_WHILE_NUMBERS, test->location)) {
        return value_error();
    }
    if (!(lanewise || eval_condition(e, value, test->location, &known, &truth, &condition)) ||
        !sets_no_names(e, &before, test->location)) {
        return value_error();
    }
    return lanewise ? emit_to_bool(e, value, test->location)
           : known  ? emit_int(e, DTYPE_OF(INT1), 0, NULL, truth)
                    : tensor_from(e, condition, DTYPE_OF(INT1), 0, NULL);
}

static bool is_broken_lanewise(struct emitter *e, struct loop *loop) {
    return loop->jumps && is_lanewise(e, hidden(e, JUMP_BROKEN, loop->stmt));
}

// The test, restricted to elements that have not yet broken out of the loop (each breaks at its own
// iteration).
static struct value emit_own_test(struct emitter *e, struct loop *loop) {
    struct location at = loop->stmt->location;
    struct value test = emit_test(e, loop);
    if (value_failed(test) || !is_broken_lanewise(e, loop)) {
        return test;
    }
    struct value whole = emit_unary(e, UNARY_INVERT, hidden(e, JUMP_BROKEN, loop->stmt), at);
    return emit_binary(e, BINARY_AND, test, whole, at);
}

// The scalar loop condition: with a condition per element, true while it holds for any of them.
static bool emit_whether(struct emitter *e, struct loop *loop, MlirValue *condition) {
    struct value test = emit_own_test(e, loop);
    if (is_lanewise(e, test)) {
        test = lanes_among(e, test, loop->stmt->location);
        test =
            value_failed(test) ? test : emit_call_builtin(e, "tl.reduce_or", &test, 1, loop->stmt->location);
    }
    *condition = test.tensor.value;
    return !value_failed(test);
}

// Emits the condition into its own block, ended by scf.condition with the block's arguments. Once the loop
// has been broken its test is not evaluated again.
static bool emit_condition(struct emitter *e, struct loop *loop, MlirBlock block, MlirValue *condition) {
    struct builder saved = e->builder;
    e->builder = builder_at_end(e->ir, block, saved.location);
    if (!loop->jumps || is_broken_lanewise(e, loop)) {
        bool ok = emit_whether(e, loop, condition);
        e->builder = saved;
        return ok;
    }
    MlirValue broken = hidden(e, JUMP_BROKEN, loop->stmt).tensor.value, test;
    MlirBlock yes, no;
    MlirOperation op = build_if(&e->builder, broken, RESULTS(type_i1(e->ir)), &yes, &no);
    struct builder inside = builder_at_end(e->ir, yes, saved.location);
    build_yield(&inside, OPERANDS(const_int(&inside, type_i1(e->ir), 0)));
    e->builder = builder_at_end(e->ir, no, saved.location);
    bool ok = emit_whether(e, loop, &test);
    if (ok) {
        build_yield(&e->builder, OPERANDS(test));
    }
    *condition = mlirOperationGetResult(op, 0);
    e->builder = saved;
    return ok;
}

// At the start of the body: computes the mask of the elements it runs for.
static bool set_lanes(struct emitter *e, struct loop *loop, MlirBlock block) {
    struct builder saved = e->builder;
    loop->lanes = value_none();
    if (!e->lanewise) {
        return true;
    }
    e->builder = builder_at_end(e->ir, block, saved.location);
    struct value test = emit_own_test(e, loop);
    if (is_lanewise(e, test)) {
        test = loop->lanes = lanes_among(e, test, loop->stmt->location);
    }
    e->builder = saved;
    return !value_failed(test);
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
    OP(&end, OP_CONDITION, ((struct operands){(intptr_t)count + 1, passed}), NO_RESULTS, NO_ATTRS);
    end = builder_at_end(e->ir, blocks[1], e->builder.location);
    build_yield(&end, (struct operands){(intptr_t)count, yields});
    MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
    mlirRegionAppendOwnedBlock(regions[0], blocks[0]);
    mlirRegionAppendOwnedBlock(regions[1], blocks[1]);
    return build_op_regions(&e->builder, OP_WHILE, (struct operands){(intptr_t)count, inits},
                            (struct results){(intptr_t)count, types}, NO_ATTRS, 2, regions);
}

// The trip count of a `for`, in unsigned arithmetic: no intermediate value may pass the bounds.
static struct value count_trips(struct emitter *e, const struct bounds *bounds, struct location at) {
    struct dtype type = dtype_integer(dtype_bits(bounds->lower.tensor.dtype), false);
    struct value lower = emit_cast(e, bounds->lower, type, at), upper = emit_cast(e, bounds->upper, type, at);
    struct value step = emit_cast(e, bounds->step, type, at);
    struct value one = emit_int(e, type, lower.tensor.rank, lower.tensor.shape, 1);
    struct value distance = emit_arith(e, BINARY_SUB, emit_arith(e, BINARY_SUB, upper, lower), one);
    struct value trips = emit_arith(e, BINARY_ADD, emit_arith(e, BINARY_FLOOR_DIV, distance, step), one);
    struct value any = emit_compare(e, COMPARE_LT, bounds->lower, bounds->upper, at);
    return emit_where(e, any, trips, emit_int(e, type, 0, NULL, 0), at);
}

void next_index(struct emitter *e, const struct stmt *loop) {
    struct value index = hidden(e, JUMP_INDEX, loop);
    struct value one = emit_int(e, index.tensor.dtype, 0, NULL, 1);
    scope_set(e, e->frame->scope, jump_name(e, JUMP_INDEX, loop), emit_arith(e, BINARY_ADD, index, one));
}

// The source's variable of a `for` at the start of its body.
static bool set_variable(struct emitter *e, struct loop *loop, MlirBlock block) {
    const struct bounds *bounds = loop->bounds;
    if (!bounds) {
        return true;
    }
    struct builder saved = e->builder;
    e->builder = builder_at_end(e->ir, block, saved.location);
    struct location at = loop->stmt->location;
    const struct tensor *like = &bounds->step.tensor;
    struct value index = emit_cast(e, hidden(e, JUMP_INDEX, loop->stmt), like->dtype, at);
    index = emit_broadcast_to(e, index, like->rank, like->shape, at);
    struct value way = emit_arith(e, BINARY_MUL, index, bounds->step);
    index = bounds->downwards ? emit_arith(e, BINARY_SUB, bounds->upper, way)
                              : emit_arith(e, BINARY_ADD, bounds->lower, way);
    bool ok = assign_target(e, loop->stmt->for_loop.target, loop_index(e, bounds, index));
    e->builder = saved;
    return ok;
}

// The hidden loop-carried names: the flags and value of jumps, and the iteration index of a `for`.
static void add_hidden(struct emitter *e, struct loop *loop, struct name_list *assigned) {
    if (!loop->jumps && !loop->bounds) {
        return;
    }
    struct value no = emit_int(e, DTYPE_OF(INT1), 0, NULL, 0);
    for (enum jump_name what = JUMP_BROKEN; what <= JUMP_INDEX; what++) {
        if (what == JUMP_INDEX ? !loop->bounds : !loop->jumps) {
            continue;
        }
        const char *name = jump_name(e, what, loop->stmt);
        name_list_add(e, assigned, name);
        struct binding *earlier = scope_find(e->frame->scope, name);
        if (what == JUMP_VALUE && !(earlier && may_carry(earlier->value))) {
            scope_set(e, e->frame->scope, name, value_none());
        }
        if (what != JUMP_VALUE) {
            struct value start = what == JUMP_INDEX ? emit_int(e, loop->trips.tensor.dtype, 0, NULL, 0) : no;
            scope_set(e, e->frame->scope, name, start);
        }
    }
}

// After the loop: its else clause, and the function's return.
static enum flow run_behind(struct emitter *e, struct loop *loop, const struct stmt_list *orelse) {
    static const struct stmt_list nothing = {NULL, 0};
    if (!loop->jumps) {
        return run_list(e, orelse, 0);
    }
    struct value returned = hidden(e, JUMP_RETURNED, loop->stmt), broken = hidden(e, JUMP_BROKEN, loop->stmt);
    enum flow flow = FLOW_NEXT;
    if (contains_return(orelse)) {
        emit_error(e, loop->stmt->location, "return in the else of a loop is not supported");
        return FLOW_FAIL;
    }
    if (orelse->count) {
        flow = is_lanewise(e, broken) ? run_choice_lanewise(e, loop->stmt, &nothing, orelse, broken)
                                      : run_choice(e, loop->stmt, &nothing, orelse, broken.tensor.value);
    }
    const char *flag = jump_name(e, JUMP_RETURNED, loop->stmt);
    bool returns = !value_identical(
        returned, scope_find(&loop->before, flag)->value); // on some emitted path, not only in the text
    if (flow != FLOW_NEXT || !returns) {
        return flow;
    }
    struct binding *value = scope_find(e->frame->scope, jump_name(e, JUMP_VALUE, loop->stmt));
    struct value found = value ? value->value : value_none();
    return is_lanewise(e, returned) ? run_after_return_lanewise(e, loop->stmt, returned, found)
                                    : run_after_return(e, loop->stmt, returned.tensor.value, found);
}

enum flow emit_while(struct emitter *e, const struct stmt *stmt, const struct bounds *bounds) {
    const struct stmt_list *body = bounds ? &stmt->for_loop.body : &stmt->while_loop.body;
    struct name_list assigned = {0};
    collect_assigned(e, body, &assigned);
    if (bounds) {
        carry_target(e, stmt, bounds, &assigned);
    }
    struct loop loop = {.stmt = stmt, .body = body, .jumps = contains_jump(body), .bounds = bounds};
    const char *value_name = jump_name(e, JUMP_VALUE, stmt);
    struct value outer_value = e->frame->loop_value;
    e->frame->loop_value = value_none();
    loop.trips = bounds ? count_trips(e, bounds, stmt->location) : value_none();
    add_hidden(e, &loop, &assigned);
    size_t names = e->frame->scope->count;
    struct name_list promoted = {ARENA_ARRAY(e->arena, const char *, names + 2), 0, names + 1};
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
        ok = ok && set_lanes(e, &loop, blocks[1]) && set_variable(e, &loop, blocks[1]) &&
             run_body(e, &loop, blocks[1]) == FLOW_NEXT &&
             finish_carries(e, &loop, blocks[1], &assigned, &promoted);
        if (!ok) {
            enum flow flow = fail_loop(e, &loop);
            mlirBlockDestroy(blocks[0]);
            mlirBlockDestroy(blocks[1]);
            return flow;
        }
        restore_scope(e, &loop);
        // The body returns a value: now that its type is known it is carried, and the body is emitted again.
        bool returns = loop.jumps && !value_is_none(e->frame->loop_value) &&
                       !may_carry(scope_find(&loop.before, value_name)->value);
        if (promoted.count == 0 && !returns) {
            break;
        }
        if (returns) {
            scope_set(e, e->frame->scope, value_name, zero_like(e, e->frame->loop_value));
        }
        mlirBlockDestroy(blocks[0]);
        mlirBlockDestroy(blocks[1]);
    }
    e->frame->loop_value = outer_value;
    emit_at(e, stmt->location);
    for (size_t i = 0; i < loop.flat; i++) { // the condition may be an argument removed below
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
    return run_behind(e, &loop, bounds ? &stmt->for_loop.orelse : &stmt->while_loop.orelse);
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
    bool is_static = !e->frame->is_jit || !e->ir;
    if (stmt->while_loop.orelse.count && is_static) {
        emit_error(e, stmt->location, "else after a loop of a plain function is not supported");
        return FLOW_FAIL;
    }
    emit_at(e, stmt->location);
    return is_static ? run_static_while(e, stmt) : emit_while(e, stmt, NULL);
}
