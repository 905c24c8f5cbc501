// next_step: loads without a shared buffer, in loops of dots, run one iteration ahead: factors of rows,
// gates, tiles with arithmetic before their dot.
//
//   for …: g = tl.load(p); s = tl.dot(a, b * g, s)      →      g = tl.load(first p)
//                                                              for …: n = tl.load(next p); s = tl.dot(a, b * g, s); g = n
//
// In place, each iteration would wait for them, however far ahead the operands' copies to shared memory run.
// One iteration ahead they only need free registers. They may pass the same stores as copies may (apart.c).
//
// Loops without dots are left to ptxas, except recurrences, whose iterations reduce the state left by the
// iteration before (a state times a vector):
//
//   for …: k = tl.load(p); h += k * tl.sum(h * k); tl.store(q, …)
//
// There each iteration waits for the one before, and ptxas moves loads behind the exchanges of the first sum.
// So it does where masks choose between new and old state (a mean and a variance in one pass) and are more than a thread has
// predicates: it makes each mask where its load is, in the arithmetic of the elements before.
// Or a number in memory is counted on by what an iteration loads:
//
//   for …: e = tl.load(p); n = tl.load(counts + e); tl.store(…, n); tl.store(counts + e, n + 1)
//
// There no compiler moves the first load over the stores of the iteration before, which could be to the same place.
// A load through an argument the loop also stores through stays in its iteration. No buffers are made, so one
// stage is enough.
//
// `plan` gives these loads the role load_ahead, by next_step_plan.
//
// requires: layouts, the plan
// provides: no role on these loads
// test:     tests/golden/passes/next_step, tests/unit/test_recurrence_code.c
#include "passes/pipeline/next_step.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/registers.h"
#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/axis.h"
#include "passes/pipeline/look_ahead.h"
#include "passes/pipeline/slice.h"

enum { MOST_REGISTERS = 48, MOST_LOADS = 16 };

// The loads of one loop.
struct next_step {
    MlirOperation loads[MOST_LOADS];
    size_t count;
};

static MlirOperation yield_of(MlirBlock body) {
    return mlirBlockGetTerminator(body);
}

static bool runs_ahead(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return (op_traits(kind) & PURE) && !(op_traits(kind) & SCRATCH) && kind != OP_DOT &&
           mlirOperationGetNumRegions(op) == 0;
}

static struct slice slice_of(struct pass_context *context, MlirOperation loop) {
    return (struct slice){.ir = context->ir,
                          .body = op_body(loop, 0),
                          .runs_ahead = runs_ahead,
                          .carried = ARENA_ARRAY(context->arena, bool, mlirOperationGetNumResults(loop) + 1)};
}

// ---- choosing loads ----

static MlirOperation next_dot(struct ir *ir, MlirOperation op) {
    do {
        op = mlirOperationGetNextInBlock(op);
    } while (!mlirOperationIsNull(op) && op_kind(ir, op) != OP_DOT);
    return op;
}

static bool is_specialised(struct ir *ir, MlirOperation op) {
    while (!mlirOperationIsNull(op) && op_kind(ir, op) != OP_SPECIALISE) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

// True if the product of specialised warps is scaled and added to a sum that the loop carries before the next product begins.
static bool is_spent(struct ir *ir, MlirOperation dot) {
    MlirValue value = mlirOperationGetResult(dot, 0);
    MlirOperation next = is_specialised(ir, dot) ? next_dot(ir, dot) : (MlirOperation){NULL};
    while (value_has_one_use(value) && !mlirOperationIsNull(next)) {
        MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(value));
        if (!mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(dot))) {
            return false;
        }
        if (op_kind(ir, user) == OP_SCF_YIELD) {
            return true;
        }
        if (!(op_traits(op_kind(ir, user)) & ELEMENTWISE) || mlirOperationGetNumResults(user) != 1 ||
            !op_is_before(user, next)) {
            return false;
        }
        value = mlirOperationGetResult(user, 0);
    }
    return false;
}

// The registers of a product, without those that the next one takes when this one is spent.
static unsigned product_registers(struct ir *ir, MlirOperation dot) {
    unsigned own = registers_of(ir, mlirOperationGetResult(dot, 0));
    if (!is_spent(ir, dot)) {
        return own;
    }
    unsigned next = registers_of(ir, mlirOperationGetResult(next_dot(ir, dot), 0));
    return own > next ? own - next : 0;
}

// Registers held through an iteration: accumulators, and other loop-carried values except pointers.
static unsigned taken(struct ir *ir, MlirOperation loop, bool *has_dot) {
    unsigned registers = 0;
    MlirBlock body = op_body(loop, 0);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_DOT) {
            *has_dot = true;
            registers += product_registers(ir, op);
        }
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirOperation last = value_op(mlirOperationGetOperand(yield_of(body), i));
        bool sums = !mlirOperationIsNull(last) && op_kind(ir, last) == OP_DOT;
        MlirValue result = mlirOperationGetResult(loop, i);
        bool data = !type_is_ptr(type_element(mlirValueGetType(result)));
        registers += data && !sums ? registers_of(ir, result) : 0;
    }
    return registers;
}

// Registers beside those that `taken` counts.
static unsigned reserve_of(struct ir *ir, MlirOperation loop) {
    MlirBlock body = op_body(loop, 0);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_DOT && is_spent(ir, op)) {
            return registers_reserved(RESERVE_LOADS_AHEAD_TERMS);
        }
    }
    return registers_reserved(RESERVE_LOADS_AHEAD);
}

bool next_step_fits(struct ir *ir, MlirOperation loop, unsigned share, unsigned more, unsigned own,
                    bool *dots) {
    return taken(ir, loop, dots) + registers_reserved(RESERVE_LOADS_AHEAD) + more + own <= share &&
           more + own <= MOST_REGISTERS;
}

unsigned next_step_blocks(struct pass_context *context, MlirOperation loop, unsigned num_warps,
                          unsigned *share) {
    const struct target *target = context->target;
    bool has_dot = false;
    unsigned own = registers_reserved(RESERVE_LOADS_AHEAD_ONE_DOT),
             all = registers_reserved(RESERVE_LOADS_AHEAD);
    unsigned blocks = registers_blocks(target, num_warps, taken(context->ir, loop, &has_dot) + own);
    *share = blocks > 0 ? registers_part(target, num_warps, blocks) + all - own : 0;
    return blocks;
}

// True if the value is computed, within the body, from a loop-carried tile.
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
        found = op_kind(ir, op) == OP_REDUCE && comes_of_state(ir, body, reduce_tile(op, 0), &seen);
    }
    map_free(&seen);
    return found;
}

bool next_step_for_masks(struct ir *ir, MlirBlock body) {
    enum { PREDICATES = 7, WORD = 32 }; // of bf16, an H200 gains nothing: 5,000 of a row 1.08 of the time
    unsigned masks = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        MlirValue mask = op_kind(ir, op) == OP_SELECT ? select_condition(op) : (MlirValue){NULL};
        struct map seen = {0};
        bool loads = false;
        for (MlirOpOperand use = mlirValueIsNull(mask) ? (MlirOpOperand){NULL} : mlirValueGetFirstUse(mask);
             !mlirOpOperandIsNull(use) && !loads; use = mlirOpOperandGetNextUse(use)) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            loads = op_kind(ir, user) == OP_LOAD &&
                    type_bits(type_element(mlirValueGetType(mlirOperationGetResult(user, 0)))) >= WORD;
        }
        if (loads && type_is_tensor(mlirValueGetType(mask)) &&
            comes_of_state(ir, body, select_no(op), &seen)) {
            const struct layout *layout = type_layout(ir, mlirValueGetType(mask));
            unsigned own = layout ? layout_registers(layout) : 0;
            masks = own > masks ? own : masks;
        }
        map_free(&seen);
    }
    return masks > PREDICATES;
}

// True if some number of the loop is loaded again in each iteration because the one before may have stored it.
static bool counts_in_memory(struct pass_context *context, MlirOperation loop) {
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(context->ir, op) == OP_LOAD &&
            !type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
            !loads_pass_stores(context, loop, &op, 1)) {
            return true;
        }
    }
    return false;
}

// For a loop of few iterations, the first iteration's loads ahead of it would be a large part of all. (Four iterations, two vectors ahead of the
// scaled right operand, H200: 0.92 of the time.)
static bool is_short(struct axis *axis, MlirOperation loop) {
    enum { FEW = 3 };
    struct axis_info lower = axis_of(axis, for_lower(loop)), upper = axis_of(axis, for_upper(loop)),
                     step = axis_of(axis, for_step(loop));
    return step.low > 0 && upper.high < INT64_MAX / 2 && lower.low > INT64_MIN / 2 &&
           (upper.high - lower.low) / step.low <= FEW;
}

static bool plan_loop(struct pass_context *context, MlirOperation loop, unsigned share, int stages,
                      const struct map *staged, struct next_step *step) {
    struct ir *ir = context->ir;
    bool has_dot = false;
    unsigned registers = taken(ir, loop, &has_dot) + reserve_of(ir, loop), more = 0;
    MlirBlock body = op_body(loop, 0);
    bool recurs = !has_dot && (is_recurrence(ir, body) || next_step_for_masks(ir, body) ||
                               counts_in_memory(context, loop));
    if (!recurs && (!has_dot || stages < 2)) {
        return false;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) != OP_LOAD || load_is_volatile(op) || map_has(staged, op.ptr) ||
            step->count == MOST_LOADS || !loads_pass_stores(context, loop, &op, 1)) {
            continue;
        }
        struct slice a = slice_of(context, loop);
        unsigned own = registers_of(ir, mlirOperationGetResult(op, 0));
        bool fits = more + own <= MOST_REGISTERS && registers + more + own <= share;
        if (fits && value_has_uses(mlirOperationGetResult(op, 0)) && slice_add_operands(&a, op)) {
            step->loads[step->count++] = op;
            more += own;
        }
        map_free(&a.ops);
    }
    return step->count > 0 && loads_pass_stores(context, loop, step->loads, step->count);
}

// Gives the loop's loads their role.
static void mark(struct ir *ir, const struct next_step *step) {
    struct builder b = builder_before(ir, step->loads[0]);
    for (size_t i = 0; i < step->count; i++) {
        op_set_word(&b, step->loads[i], WORDS_ROLE, ROLE_LOAD_AHEAD);
    }
}

void next_step_plan(struct pass_context *context, MlirModule module, const struct map *staged) {
    size_t count;
    const struct target *target = context->target;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    unsigned share = target->registers_per_thread;
    int stages = 1;
    struct axis axis = {0};
    MlirOperation function = {NULL};
    bool analysed = false;
    for (size_t i = 0; i < count && target_has(target, FEATURE(CP_ASYNC)); i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_FUNC) {
            share = registers_share(target, (unsigned)op_int(ops[i], ATTR_NUM_WARPS), 1);
            stages = (int)op_int(ops[i], ATTR_NUM_STAGES);
            function = ops[i];
            axis_free(&axis);
            analysed = false;
        }
        if (kind != OP_FOR) {
            continue;
        }
        struct next_step step = {.count = 0};
        int own = (int)op_int_or(ops[i], ATTR_NUM_STAGES, stages);
        bool planned = plan_loop(context, ops[i], share, own, staged, &step);
        if (planned && !analysed) { // few functions have such loops: analyse on demand
            axis_analyse(&axis, context, function);
            analysed = true;
        }
        if (planned && !is_short(&axis, ops[i])) {
            mark(context->ir, &step);
            loads_assume_apart(context, ops[i], step.loads, step.count);
        }
    }
    axis_free(&axis);
}

// ---- rewriting ----

static MlirValue guarded(struct builder *b, const struct map *map, MlirOperation load, MlirValue guard) {
    bool masked = !mlirValueIsNull(load_mask(load)), fills = !mlirValueIsNull(load_other(load));
    MlirValue operands[3] = {value_under(map, load_pointer(load)), guard};
    MlirType pointers = mlirValueGetType(operands[0]);
    MlirType type = type_with_shape_of(pointers, type_i1(b->ir));
    if (type_is_tensor(type)) {
        operands[1] = VALUE(b, OP_SPLAT, OPERANDS(guard), RESULTS(type), NO_ATTRS);
    }
    if (masked) {
        operands[1] = build_binary(b, OP_ANDI, operands[1], value_under(map, load_mask(load)));
    }
    if (fills) {
        operands[2] = value_under(map, load_other(load));
    }
    MlirOperation made = mlirOperationClone(load);
    mlirOperationSetOperands(made, fills ? 3 : 2, operands);
    bool number = mlirTypeIsAFloat(mlirValueGetType(mlirOperationGetResult(load, 0)));
    if (number && is_specialised(b->ir, load)) {
        op_set_unit(b->ir, made, ATTR_BESIDE);
    }
    build_insert(b, made);
    return mlirOperationGetResult(made, 0);
}

// Builds the loads of the iteration given by `map`, and the ops computing their operands.
static void load_step(struct builder *b, struct arena *arena, const struct slice *a,
                      const struct next_step *step, struct map *map, MlirValue guard, MlirValue values[]) {
    for (MlirOperation op = mlirBlockGetFirstOperation(a->body), next; !mlirOperationIsNull(op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        if (!map_has(&a->ops, op.ptr)) {
            continue;
        }
        op_repeat(b, arena, map, op);
    }
    for (size_t i = 0; i < step->count; i++) {
        b->location = mlirOperationGetLocation(step->loads[i]);
        values[i] = guarded(b, map, step->loads[i], guard);
    }
}

static void rewrite(struct pass_context *context, const struct next_step *step) {
    struct ir *ir = context->ir;
    MlirOperation loop = mlirOperationGetParentOperation(step->loads[0]);
    struct slice a = slice_of(context, loop);
    intptr_t count = mlirOperationGetNumResults(loop), extra_count = 0;
    for (size_t i = 0; i < step->count; i++) {
        if (!slice_add_operands(&a, step->loads[i])) {
            map_free(&a.ops);
            return;
        }
    }
    remark(context, REMARK_PIPELINE, loop, "loads that are done a step ahead, and stay in registers: %zu",
           step->count);
    // The first step, ahead of the loop.
    struct builder b = builder_before(ir, loop);
    b.location = mlirOperationGetLocation(loop);
    struct map map = {0};
    MlirValue values[MOST_LOADS];
    MlirValue *extra = ARENA_ARRAY(context->arena, MlirValue, count + MOST_LOADS + 1);
    map_first_iteration(&map, loop);
    load_step(&b, context->arena, &a, step, &map, look_ahead_from_first(&b, loop, 0), values);
    for (intptr_t i = 0; i < count; i++) {
        if (a.carried[i]) {
            extra[extra_count++] = value_under(&map, mlirOperationGetOperand(yield_of(a.body), i));
        }
    }
    intptr_t loaded = extra_count;
    for (size_t i = 0; i < step->count; i++) {
        extra[extra_count++] = values[i];
    }
    loop = build_more(ir, context->arena, loop, (struct operands){extra_count, extra});
    a.body = op_body(loop, 0);
    // The next one, in the loop.
    struct builder before = builder_before(ir, loop),
                   in = builder_before(ir, mlirBlockGetFirstOperation(a.body));
    before.location = in.location = mlirOperationGetLocation(loop);
    map_clear(&map);
    MlirValue induction = mlirBlockGetArgument(a.body, 0);
    MlirValue next = build_binary(&in, OP_ADDI, induction, for_step(loop));
    map_value(&map, induction, next);
    for (intptr_t i = 0, e = 1 + count; i < count; i++) {
        if (a.carried[i]) {
            map_value(&map, mlirBlockGetArgument(a.body, i + 1), mlirBlockGetArgument(a.body, e++));
        }
    }
    load_step(&in, context->arena, &a, step, &map, look_ahead_exists(&before, &in, loop, induction, 1),
              values);
    MlirOperation yield = yield_of(a.body);
    MlirValue *yielded = ARENA_ARRAY(context->arena, MlirValue, extra_count + 1);
    intptr_t yielded_count = 0;
    for (intptr_t i = 0; i < count; i++) {
        if (a.carried[i]) {
            yielded[yielded_count++] = value_under(&map, mlirOperationGetOperand(yield, i));
        }
    }
    for (size_t i = 0; i < step->count; i++) {
        yielded[yielded_count++] = values[i];
    }
    build_yield_more(ir, context->arena, a.body, (struct operands){yielded_count, yielded});
    for (size_t i = 0; i < step->count; i++) {
        MlirValue own = mlirBlockGetArgument(a.body, 1 + count + loaded + (intptr_t)i);
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(step->loads[i], 0), own);
        mlirOperationDestroy(step->loads[i]);
    }
    map_free(&map);
    map_free(&a.ops);
}

// The loads of a loop with the role load_ahead; removes the role.
static struct next_step read_step(struct pass_context *context, MlirOperation loop) {
    struct next_step step = {.count = 0};
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(context->ir, op) == OP_LOAD && op_op_role(op) == ROLE_LOAD_AHEAD &&
            step.count < MOST_LOADS) {
            op_remove_attribute(op, ATTR_ROLE);
            step.loads[step.count++] = op;
        }
    }
    return step;
}

void pass_next_step(struct pass_context *context, MlirModule module) {
    size_t count, step_count = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    struct next_step *steps = ARENA_ARRAY(context->arena, struct next_step, 1);
    for (int round = 0; round < 2; round++) {
        size_t loops = 0;
        for (size_t i = 0; i < count; i++) {
            if (op_kind(context->ir, ops[i]) != OP_FOR) {
                continue;
            }
            if (round) {
                steps[step_count] = read_step(context, ops[i]);
                step_count += steps[step_count].count > 0;
            }
            loops++;
        }
        steps = round ? steps : ARENA_ARRAY(context->arena, struct next_step, loops + 1);
    }
    for (size_t i = 0; i < step_count; i++) {
        rewrite(context, &steps[i]);
    }
}
