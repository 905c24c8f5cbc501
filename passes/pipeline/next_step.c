// Loads of a loop of dots that do not go through buffers: factors of rows, gates, tiles that are computed with first.
//
//   for …: g = tl.load(p); s = tl.dot(a, b * g, s)      →      g = tl.load(first p)
//                                                              for …: n = tl.load(next p); s = tl.dot(a, b * g, s); g = n
//
// They would be waited for in each step, however far ahead the operands are that are copied to shared memory. One step ahead they
// take registers, which must be there, and nothing else. What stores allow is the same as for copies (apart.c).
//
// Loops without dots are left to ptxas, but for recurrences, where a step sums up what the step before left (a state times a vector):
//
//   for …: k = tl.load(p); h += k * tl.sum(h * k); tl.store(q, …)
//
// One step waits for the other there, and ptxas moves loads behind the exchanges of the first sum. What is loaded through an argument
// that the loop stores through stays in its step. No buffers are made, so that one stage is enough.
//
// Requires: layouts. Test: tests/unit/test_recurrence_code.c
#include "passes/pipeline/next_step.h"

#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/axis.h"
#include "passes/pipeline/look_ahead.h"

enum { MOST_REGISTERS = 48, OVERHEAD = 88 };

struct ahead {
    struct ir *ir;
    MlirBlock body;
    struct map needed; // ops of the body that the loads' operands need
    bool *arguments;   // of the loop that they need
};

static MlirOperation yield_of(MlirBlock body) {
    return mlirBlockGetTerminator(body);
}

static bool in_body(const struct ahead *a, MlirOperation op) {
    return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), a->body);
}

// Marks what the value needs; false if that cannot be computed a step ahead.
static bool need(struct ahead *a, MlirValue value) {
    if (mlirValueIsABlockArgument(value)) {
        intptr_t number = mlirBlockArgumentGetArgNumber(value);
        if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), a->body) || number == 0 ||
            a->arguments[number - 1]) {
            return true;
        }
        a->arguments[number - 1] = true;
        return need(a, mlirOperationGetOperand(yield_of(a->body), number - 1));
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!in_body(a, op) || map_has(&a->needed, op.ptr)) {
        return true;
    }
    enum op_kind kind = op_kind(a->ir, op);
    if (!(op_traits(kind) & PURE) || (op_traits(kind) & SCRATCH) || kind == OP_DOT ||
        mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    map_put(&a->needed, op.ptr, (void *)op.ptr);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (!need(a, mlirOperationGetOperand(op, i))) {
            return false;
        }
    }
    return true;
}

static bool need_operands(struct ahead *a, MlirOperation load) {
    bool possible = true;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(load) && possible; i++) {
        possible = need(a, mlirOperationGetOperand(load, i));
    }
    return possible;
}

unsigned next_step_registers(struct ir *ir, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    const struct layout *layout = type_is_tensor(type) ? type_layout(ir, type) : NULL;
    unsigned bits = type_bits(type_element(type));
    return layout ? (layout_registers(layout) * bits + 31) / 32 : 1;
}

// ---- which ----

// What a step takes of registers already: sums, and what else it carries but pointers.
static unsigned taken(struct ir *ir, MlirOperation loop, bool *has_dot) {
    unsigned registers = OVERHEAD;
    MlirBlock body = op_body(loop, 0);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_DOT) {
            *has_dot = true;
            registers += next_step_registers(ir, mlirOperationGetResult(op, 0));
        }
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirOperation last = value_op(mlirOperationGetOperand(yield_of(body), i));
        bool sums = !mlirOperationIsNull(last) && op_kind(ir, last) == OP_DOT;
        MlirValue result = mlirOperationGetResult(loop, i);
        bool data = !type_is_ptr(type_element(mlirValueGetType(result)));
        registers += data && !sums ? next_step_registers(ir, result) : 0;
    }
    return registers;
}

bool next_step_fits(struct ir *ir, MlirOperation loop, unsigned share, unsigned more, unsigned own,
                    bool *dots) {
    return taken(ir, loop, dots) + more + own <= share && more + own <= MOST_REGISTERS;
}

unsigned next_step_blocks(struct pass_context *context, MlirOperation loop, unsigned num_warps,
                          unsigned *share) {
    enum { ITSELF = 64 }; // what a loop of few operands has beside its sums; OVERHEAD is for all
    const struct target *target = context->target;
    bool has_dot = false;
    unsigned registers = taken(context->ir, loop, &has_dot) - OVERHEAD + ITSELF;
    unsigned threads = num_warps * target->warp_size;
    unsigned blocks = target->registers_per_sm / threads / registers;
    *share = blocks > 0 ? target->registers_per_sm / threads / blocks + OVERHEAD - ITSELF : 0;
    return blocks;
}

unsigned next_step_share(const struct target *target, unsigned num_warps) {
    unsigned equal = target->registers_per_sm / (num_warps * target->warp_size);
    return equal < target->registers_per_thread ? equal : target->registers_per_thread;
}

static bool stands_apart(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                         size_t load_count) {
    return loads_pass_stores(context->ir, context->arena, loop, loads, load_count);
}

// Whether the value is computed, within the body, of a tile that the loop carries.
static bool comes_of_state(struct ir *ir, MlirBlock body, MlirValue value, struct map *seen) {
    if (mlirValueIsABlockArgument(value)) {
        MlirType type = mlirValueGetType(value);
        return mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) && type_is_tensor(type) &&
               !type_is_ptr(type_element(type));
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!mlirBlockEqual(mlirOperationGetBlock(op), body) || map_has(seen, op.ptr) ||
        !(op_traits(op_kind(ir, op)) & PURE)) {
        return false;
    }
    map_put(seen, op.ptr, (void *)op.ptr);
    bool comes = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !comes; i++) {
        comes = comes_of_state(ir, body, mlirOperationGetOperand(op, i), seen);
    }
    return comes;
}

static bool is_recurrence(struct ir *ir, MlirBlock body) {
    struct map seen = {0};
    bool found = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op) && !found;
         op = mlirOperationGetNextInBlock(op)) {
        found =
            op_kind(ir, op) == OP_REDUCE && comes_of_state(ir, body, mlirOperationGetOperand(op, 0), &seen);
    }
    map_free(&seen);
    return found;
}

// A loop of few steps would do as much ahead of it as in it.
static bool is_short(struct axis *axis, MlirOperation loop) {
    enum { FEW = 4 };
    struct axis_info lower = axis_of(axis, mlirOperationGetOperand(loop, 0)),
                     upper = axis_of(axis, mlirOperationGetOperand(loop, 1)),
                     step = axis_of(axis, mlirOperationGetOperand(loop, 2));
    return step.low > 0 && upper.high < INT64_MAX / 2 && lower.low > INT64_MIN / 2 &&
           (upper.high - lower.low) / step.low <= FEW;
}

static bool plan_loop(struct pass_context *context, MlirOperation loop, unsigned share, int stages,
                      const struct map *staged, struct next_step *step) {
    struct ir *ir = context->ir;
    bool has_dot = false;
    unsigned registers = taken(ir, loop, &has_dot), more = 0;
    MlirBlock body = op_body(loop, 0);
    bool recurs = !has_dot && is_recurrence(ir, body);
    if (!recurs && (!has_dot || stages < 2)) {
        return false;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) != OP_LOAD || load_is_volatile(op) || map_has(staged, op.ptr) ||
            step->count == NEXT_STEP_MOST || (recurs && !stands_apart(context, loop, &op, 1))) {
            continue;
        }
        struct ahead a = {.ir = ir, .body = body};
        a.arguments = ARENA_ARRAY(context->arena, bool, mlirOperationGetNumResults(loop) + 1);
        unsigned own = next_step_registers(ir, mlirOperationGetResult(op, 0));
        bool fits = more + own <= MOST_REGISTERS && registers + more + own <= share;
        if (fits && value_has_uses(mlirOperationGetResult(op, 0)) && need_operands(&a, op)) {
            step->loads[step->count++] = op;
            more += own;
        }
        map_free(&a.needed);
    }
    return step->count > 0 && stands_apart(context, loop, step->loads, step->count);
}

struct next_step *next_step_plan(struct pass_context *context, MlirModule module, const struct map *staged,
                                 size_t *step_count) {
    size_t count;
    const struct target *target = context->target;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    struct next_step *steps = ARENA_ARRAY(context->arena, struct next_step, count + 1);
    unsigned share = target->registers_per_thread;
    int stages = 1;
    struct axis axis = {0};
    MlirOperation function = {NULL};
    bool analysed = false;
    *step_count = 0;
    for (size_t i = 0; i < count && target_has(target, FEATURE_CP_ASYNC); i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_FUNC) {
            share = next_step_share(target, (unsigned)op_int(ops[i], ATTR_NUM_WARPS, 4));
            stages = (int)op_int(ops[i], ATTR_NUM_STAGES, 3);
            function = ops[i];
            axis_free(&axis);
            analysed = false;
        }
        if (kind != OP_FOR) {
            continue;
        }
        struct next_step *step = &steps[*step_count];
        *step = (struct next_step){.count = 0};
        int own = (int)op_int(ops[i], ATTR_NUM_STAGES, stages);
        bool planned = plan_loop(context, ops[i], share, own, staged, step);
        if (planned && !analysed) { // few functions have such loops
            axis_analyse(&axis, context, function);
            analysed = true;
        }
        *step_count += planned && !is_short(&axis, ops[i]);
    }
    axis_free(&axis);
    return steps;
}

// ---- rewriting ----

static MlirValue mapped(const struct map *map, MlirValue value) {
    const void *other = map_get(map, value.ptr);
    return other ? (MlirValue){other} : value;
}

static MlirValue guarded(struct builder *b, const struct map *map, MlirOperation load, MlirValue guard) {
    intptr_t count = mlirOperationGetNumOperands(load);
    MlirValue operands[3] = {mapped(map, mlirOperationGetOperand(load, 0)), guard};
    MlirType pointers = mlirValueGetType(operands[0]);
    MlirType type = type_with_shape_of(pointers, type_i1(b->ir));
    if (type_is_tensor(type)) {
        operands[1] = VALUE(b, "tk.splat", OPERANDS(guard), RESULTS(type), NO_ATTRS);
    }
    if (count > 1) {
        operands[1] =
            build_binary(b, "arith.andi", operands[1], mapped(map, mlirOperationGetOperand(load, 1)));
    }
    if (count > 2) {
        operands[2] = mapped(map, mlirOperationGetOperand(load, 2));
    }
    MlirOperation made = mlirOperationClone(load);
    mlirOperationSetOperands(made, count > 2 ? 3 : 2, operands);
    build_insert(b, made);
    return mlirOperationGetResult(made, 0);
}

// The loads of the step that `map` is of, and what they need.
static void load_step(struct builder *b, const struct ahead *a, const struct next_step *step, struct map *map,
                      MlirValue guard, MlirValue values[]) {
    for (MlirOperation op = mlirBlockGetFirstOperation(a->body), next; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        if (!map_has(&a->needed, op.ptr)) {
            continue;
        }
        MlirOperation clone = mlirOperationClone(op);
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            mlirOperationSetOperand(clone, i, mapped(map, mlirOperationGetOperand(op, i)));
        }
        build_insert(b, clone);
        for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++) {
            map_put(map, mlirOperationGetResult(op, r).ptr, (void *)mlirOperationGetResult(clone, r).ptr);
        }
    }
    for (size_t i = 0; i < step->count; i++) {
        b->location = mlirOperationGetLocation(step->loads[i]);
        values[i] = guarded(b, map, step->loads[i], guard);
    }
}

// The loop with more arguments: those that run ahead, then what was loaded.
static MlirOperation rebuild(struct pass_context *context, MlirOperation loop, const MlirValue *extra,
                             intptr_t extra_count) {
    struct builder b = builder_before(context->ir, loop);
    b.location = mlirOperationGetLocation(loop);
    intptr_t fixed = mlirOperationGetNumOperands(loop), results = mlirOperationGetNumResults(loop);
    MlirValue *operands = ARENA_ARRAY(context->arena, MlirValue, fixed + extra_count);
    MlirType *types = ARENA_ARRAY(context->arena, MlirType, results + extra_count);
    for (intptr_t i = 0; i < fixed; i++) {
        operands[i] = mlirOperationGetOperand(loop, i);
    }
    for (intptr_t i = 0; i < results; i++) {
        types[i] = mlirValueGetType(mlirOperationGetResult(loop, i));
    }
    for (intptr_t i = 0; i < extra_count; i++) {
        operands[fixed + i] = extra[i];
        types[results + i] = mlirValueGetType(extra[i]);
        mlirBlockAddArgument(op_body(loop, 0), types[results + i], b.location);
    }
    struct attrs attributes = op_attributes(context->arena, loop);
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(loop, 0));
    MlirOperation made =
        build_op_regions(&b, "scf.for", (struct operands){fixed + extra_count, operands},
                         (struct results){results + extra_count, types}, attributes, 1, &region);
    for (intptr_t i = 0; i < results; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), mlirOperationGetResult(made, i));
    }
    mlirOperationDestroy(loop);
    return made;
}

void next_step_rewrite(struct pass_context *context, const struct next_step *step) {
    struct ir *ir = context->ir;
    MlirOperation loop = mlirOperationGetParentOperation(step->loads[0]);
    struct ahead a = {.ir = ir, .body = op_body(loop, 0)};
    intptr_t count = mlirOperationGetNumResults(loop), extra_count = 0;
    a.arguments = ARENA_ARRAY(context->arena, bool, count + 1);
    for (size_t i = 0; i < step->count; i++) {
        if (!need_operands(&a, step->loads[i])) {
            map_free(&a.needed);
            return;
        }
    }
    // The first step, ahead of the loop.
    struct builder b = builder_before(ir, loop);
    b.location = mlirOperationGetLocation(loop);
    struct map map = {0};
    MlirValue lower = mlirOperationGetOperand(loop, 0), values[NEXT_STEP_MOST];
    MlirValue *extra = ARENA_ARRAY(context->arena, MlirValue, count + NEXT_STEP_MOST + 1);
    map_put(&map, mlirBlockGetArgument(a.body, 0).ptr, (void *)lower.ptr);
    for (intptr_t i = 0; i < count; i++) {
        map_put(&map, mlirBlockGetArgument(a.body, i + 1).ptr,
                (void *)mlirOperationGetOperand(loop, 3 + i).ptr);
    }
    load_step(&b, &a, step, &map, look_ahead_from_first(&b, loop, 0), values);
    for (intptr_t i = 0; i < count; i++) {
        if (a.arguments[i]) {
            extra[extra_count++] = mapped(&map, mlirOperationGetOperand(yield_of(a.body), i));
        }
    }
    intptr_t loaded = extra_count;
    for (size_t i = 0; i < step->count; i++) {
        extra[extra_count++] = values[i];
    }
    loop = rebuild(context, loop, extra, extra_count);
    a.body = op_body(loop, 0);
    // The next one, in the loop.
    struct builder before = builder_before(ir, loop),
                   in = builder_before(ir, mlirBlockGetFirstOperation(a.body));
    before.location = in.location = mlirOperationGetLocation(loop);
    map_clear(&map);
    MlirValue induction = mlirBlockGetArgument(a.body, 0);
    MlirValue next = build_binary(&in, "arith.addi", induction, mlirOperationGetOperand(loop, 2));
    map_put(&map, induction.ptr, (void *)next.ptr);
    for (intptr_t i = 0, e = 1 + count; i < count; i++) {
        if (a.arguments[i]) {
            map_put(&map, mlirBlockGetArgument(a.body, i + 1).ptr,
                    (void *)mlirBlockGetArgument(a.body, e++).ptr);
        }
    }
    load_step(&in, &a, step, &map, look_ahead_exists(&before, &in, loop, induction, 1), values);
    MlirOperation yield = yield_of(a.body);
    struct builder end = builder_before(ir, yield);
    MlirValue *yielded = ARENA_ARRAY(context->arena, MlirValue, count + extra_count + 1);
    intptr_t yielded_count = 0;
    for (intptr_t i = 0; i < count; i++) {
        yielded[yielded_count++] = mlirOperationGetOperand(yield, i);
    }
    for (intptr_t i = 0; i < count; i++) {
        if (a.arguments[i]) {
            yielded[yielded_count++] = mapped(&map, mlirOperationGetOperand(yield, i));
        }
    }
    for (size_t i = 0; i < step->count; i++) {
        yielded[yielded_count++] = values[i];
    }
    build_yield(&end, (struct operands){yielded_count, yielded});
    mlirOperationDestroy(yield);
    for (size_t i = 0; i < step->count; i++) {
        MlirValue own = mlirBlockGetArgument(a.body, 1 + count + loaded + (intptr_t)i);
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(step->loads[i], 0), own);
        mlirOperationDestroy(step->loads[i]);
    }
    map_free(&map);
    map_free(&a.needed);
}
