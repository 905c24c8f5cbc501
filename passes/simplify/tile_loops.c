// tile_loops: one loop over the steps of all tiles, joined by hand, becomes a loop over tiles around one over a tile's steps.
//
//   scf.for %i = 0 to %steps · %tiles iter_args(%k = -1, %t, %s) {        scf.for %j = 0 to %tiles iter_args(%t, %s) {
//     %n = select (%k == %steps - 1), 0, %k + 1                             place of the next tile from %t
//     %p = scf.if %n == 0 { place of the next tile from %t }                %d = scf.for %n = 0 to %steps iter_args(%s) {
//          else { %t }                                               →        scf.yield dot at %p, %n, on %s
//     %d = dot at %p, %n, on %s                                             }
//     %r = scf.if %n == %steps - 1 { store %d; zeros } else { %d }          store %d
//     scf.yield %n, %p, %r                                                  scf.yield %p, zeros
//   }                                                                     }
//
// So persistent products were written before compilers joined such loops (Triton's tutorial 09 up to 3.1). Two loops get tensor maps and a
// warp of their own for copies (passes/specialise); one loop with branches does not. On AMD the inner one of two loops is a block without
// branches (passes/pipeline/peel.c).
//
// The kind of a carried value follows from the yielded value: the first branch's result (fixed for a tile), the last branch's result (a sum),
// a value of the step, or itself. Anything else, or a use without a value in the two loops, leaves the loop alone.
// Without steps the joined loop does nothing, nor do the two. A product of the two numbers beyond 32 bits is not covered, nor are two
// negative numbers.
//
// requires: nothing
// provides: nothing; keeps everything
// test:     tests/golden/passes/tile_loops, tests/lang/forms.tk
#include "passes/pass.h"

#include "dialects/tk/tk_build.h"
#include "ir/build.h"
#include "support/map.h"

enum { MOST_CARRIED = 16 };

enum part { COUNTER, KEPT, TILE, SUM, STEP };

struct joined {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation loop, first, last; // the branches of a tile's first step, of its last one
    MlirValue steps, tiles, step;    // step: its number within the tile, from the counter
    intptr_t count, counter;         // of the carried values; the counter of a tile's steps
    enum part parts[MOST_CARRIED];
    intptr_t restarted
        [MOST_CARRIED]; // by carried value: its start in a tile, a result of the first branch; -1: none
    MlirOperation
        advances[MOST_CARRIED]; // adds a number to a place's carried value ahead of its use; null: none
};

static MlirBlock body(const struct joined *j) {
    return op_body(j->loop, 0);
}

static MlirValue argument(const struct joined *j, intptr_t i) {
    return mlirBlockGetArgument(body(j), i + 1);
}

static MlirValue yielded(const struct joined *j, intptr_t i) {
    return yield_value(mlirBlockGetTerminator(body(j)), i);
}

// The number of the carried value with this argument; -1: it is none.
static intptr_t carried(const struct joined *j, MlirValue value) {
    bool own = mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), body(j));
    return own ? mlirBlockArgumentGetArgNumber(value) - 1 : -1;
}

static bool is_int(struct ir *ir, MlirValue value, int64_t number) {
    int64_t constant;
    return value_is_constant_int(ir, value, &constant) && constant == number;
}

static MlirOperation made_by(struct ir *ir, MlirValue value, enum op_kind kind) {
    MlirOperation op = value_op(value);
    return !mlirOperationIsNull(op) && op_kind(ir, op) == kind ? op : (MlirOperation){NULL};
}

// ---- recognising ----

// True if the value is `steps` - 1.
static bool is_last_number(struct ir *ir, MlirValue value, MlirValue steps) {
    int64_t last, all;
    if (value_is_constant_int(ir, value, &last) && value_is_constant_int(ir, steps, &all)) {
        return last == all - 1;
    }
    MlirOperation less = made_by(ir, value, OP_SUBI), more = made_by(ir, value, OP_ADDI);
    return (!mlirOperationIsNull(less) && value_is(binary_left(less), steps) &&
            is_int(ir, binary_right(less), 1)) ||
           (!mlirOperationIsNull(more) && value_is(binary_left(more), steps) &&
            is_int(ir, binary_right(more), -1));
}

// The other side of an equality with the value; null: the condition is none.
static MlirValue compared_with(struct ir *ir, MlirValue condition, MlirValue value) {
    MlirOperation compare = made_by(ir, condition, OP_CMPI);
    bool equal = !mlirOperationIsNull(compare) && op_int(compare, ATTR_PREDICATE) == INT_EQ;
    return equal && value_is(binary_left(compare), value)    ? binary_right(compare)
           : equal && value_is(binary_right(compare), value) ? binary_left(compare)
                                                             : (MlirValue){NULL};
}

// True if the argument is used by the computation of the next number alone, and the computation serves nothing else.
static bool counts_alone(MlirValue counter, MlirOperation choice) {
    for (MlirOpOperand use = mlirValueGetFirstUse(counter); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirValue made = mlirOperationGetResult(mlirOpOperandGetOwner(use), 0);
        if (!value_has_one_use(made) ||
            !mlirOperationEqual(mlirOpOperandGetOwner(mlirValueGetFirstUse(made)), choice)) {
            return false;
        }
    }
    return true;
}

// True if carried value i counts the steps of a tile from 0: `select (k == steps - 1), 0, k + 1`, from -1 on.
static bool is_counter(struct joined *j, intptr_t i) {
    MlirOperation choice = made_by(j->ir, yielded(j, i), OP_SELECT);
    if (mlirOperationIsNull(choice) || !is_int(j->ir, for_init(j->loop, i), -1) ||
        value_has_uses(mlirOperationGetResult(j->loop, i)) || !is_int(j->ir, select_yes(choice), 0)) {
        return false;
    }
    MlirOperation next = made_by(j->ir, select_no(choice), OP_ADDI);
    MlirValue last = compared_with(j->ir, select_condition(choice), argument(j, i));
    if (mlirOperationIsNull(next) || mlirValueIsNull(last) || !value_is(binary_left(next), argument(j, i)) ||
        !is_int(j->ir, binary_right(next), 1) || !counts_alone(argument(j, i), choice)) {
        return false;
    }
    MlirOperation all = made_by(j->ir, for_upper(j->loop), OP_MULI);
    for (int side = 0; side < 2 && !mlirOperationIsNull(all); side++) {
        if (is_last_number(j->ir, last, mlirOperationGetOperand(all, side))) {
            j->steps = mlirOperationGetOperand(all, side);
            j->tiles = mlirOperationGetOperand(all, 1 - side);
            j->step = yielded(j, i);
            j->counter = i;
            return true;
        }
    }
    return false;
}

// True if the branch not taken does nothing.
static bool passes_on(MlirOperation branch) {
    MlirBlock other = op_body(branch, 1);
    return mlirBlockIsNull(other) ||
           mlirOperationEqual(mlirBlockGetFirstOperation(other), mlirBlockGetTerminator(other));
}

static bool find_branches(struct joined *j) {
    for (MlirOperation op = mlirBlockGetFirstOperation(body(j)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        MlirValue number =
            op_kind(j->ir, op) == OP_IF ? compared_with(j->ir, if_condition(op), j->step) : (MlirValue){NULL};
        if (mlirValueIsNull(number) || !passes_on(op)) {
            continue;
        }
        bool last = is_last_number(j->ir, number, j->steps);
        if (!last && is_int(j->ir, number, 0) && mlirOperationIsNull(j->first)) {
            j->first = op;
        } else if (last && !mlirOperationIsNull(j->first)) {
            j->last = op;
        }
    }
    return !mlirOperationIsNull(j->first) && !mlirOperationIsNull(j->last) &&
           mlirOperationEqual(mlirOperationGetNextInBlock(j->last), mlirBlockGetTerminator(body(j)));
}

static MlirValue else_of(MlirOperation branch, intptr_t i) {
    return yield_value(mlirBlockGetTerminator(op_body(branch, 1)), i);
}

static MlirValue then_of(MlirOperation branch, intptr_t i) {
    return yield_value(mlirBlockGetTerminator(op_body(branch, 0)), i);
}

static intptr_t result_number(MlirOperation op, MlirValue value) {
    bool own = mlirValueIsAOpResult(value) && mlirOperationEqual(mlirOpResultGetOwner(value), op);
    return own ? mlirOpResultGetResultNumber(value) : -1;
}

static bool steps_with(const struct joined *j, intptr_t i) {
    return j->parts[i] == SUM || j->parts[i] == STEP;
}

// True if each of the first branch's results is carried on as it is, or is the start of a value carried by the tile's steps. Two results at
// the start of one carried value differ in a tile's first step, and are one in the others.
static bool starts_tiles(struct joined *j) {
    for (intptr_t r = 0; r < mlirOperationGetNumResults(j->first); r++) {
        intptr_t i = carried(j, else_of(j->first, r));
        if (i < 0 || j->parts[i] == COUNTER || j->parts[i] == KEPT || j->restarted[i] >= 0) {
            return false;
        }
        if (steps_with(j, i)) {
            j->restarted[i] = r;
        } else if (result_number(j->first, yielded(j, i)) != r) {
            return false;
        }
    }
    return true;
}

static bool sort_carried(struct joined *j) {
    for (intptr_t i = 0; i < j->count; i++) {
        MlirValue value = yielded(j, i);
        j->restarted[i] = -1;
        j->parts[i] = i == j->counter                       ? COUNTER
                      : value_is(value, argument(j, i))     ? KEPT
                      : result_number(j->first, value) >= 0 ? TILE
                      : result_number(j->last, value) >= 0  ? SUM
                                                            : STEP;
    }
    return starts_tiles(j);
}

// ---- uses ----

static bool stands_in(MlirOperation op, MlirOperation around) {
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, around)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

// True if the value is used within the first branch alone.
static bool only_starts(const struct joined *j, MlirValue value) {
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        if (!stands_in(mlirOpOperandGetOwner(use), j->first)) {
            return false;
        }
    }
    return true;
}

// True if the last branch may use the value of the loop's body: it is known behind the steps.
static bool known_behind(const struct joined *j, MlirValue value) {
    intptr_t i = carried(j, value), r = result_number(j->first, value);
    if (i >= 0) {
        return j->parts[i] == KEPT;
    }
    if (r >= 0) {
        return j->parts[carried(j, else_of(j->first, r))] == TILE;
    }
    MlirOperation op = value_op(value);
    bool in_body = !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), body(j));
    bool known = !in_body || op_is_before(op, j->first);
    for (intptr_t n = 0; n < j->count; n++) {
        r = result_number(j->last, yielded(j, n));
        known |= j->parts[n] == STEP ? value_is(yielded(j, n), value)
                                     : r >= 0 && value_is(else_of(j->last, r), value);
    }
    return known;
}

static bool ends_tiles(const struct joined *j) {
    size_t count;
    MlirOperation *ops = ops_collect(j->ir, j->context->arena, j->last, &count);
    for (size_t n = 0; n < count; n++) {
        bool passes = !mlirBlockIsNull(op_body(j->last, 1)) &&
                      mlirBlockEqual(mlirOperationGetBlock(ops[n]), op_body(j->last, 1));
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(ops[n]) && !passes; i++) {
            bool condition = mlirOperationEqual(ops[n], j->last);
            if (!condition && !known_behind(j, mlirOperationGetOperand(ops[n], i))) {
                return false;
            }
        }
    }
    return true;
}

// True if only arithmetic, and on fixed values, stands ahead of the first branch.
static bool starts_plainly(const struct joined *j) {
    for (MlirOperation op = mlirBlockGetFirstOperation(body(j)); !mlirOperationEqual(op, j->first);
         op = mlirOperationGetNextInBlock(op)) {
        if (!(op_traits(op_kind(j->ir, op)) & PURE) || mlirOperationGetNumRegions(op) > 0) {
            return false;
        }
        for (intptr_t n = 0; n < mlirOperationGetNumOperands(op); n++) {
            intptr_t i = carried(j, mlirOperationGetOperand(op, n));
            if (i >= 0 && j->parts[i] != KEPT && j->parts[i] != COUNTER) {
                return false;
            }
        }
    }
    for (intptr_t i = 0; i < j->count; i++) {
        bool fixed = j->parts[i] == TILE || j->restarted[i] >= 0;
        if (fixed && !only_starts(j, argument(j, i))) {
            return false;
        }
    }
    return true;
}

// Finds places advanced by a fixed number at the start of each tile. They can be advanced behind the tile instead; so the first place is not
// below the range of the others (`program_id - num_programs`).
static void find_advances(struct joined *j) {
    for (intptr_t r = 0; r < mlirOperationGetNumResults(j->first); r++) {
        intptr_t i = carried(j, else_of(j->first, r));
        MlirOperation sum = made_by(j->ir, then_of(j->first, r), OP_ADDI);
        bool alone = j->parts[i] == TILE && !mlirOperationIsNull(sum) && stands_in(sum, j->first) &&
                     value_is(binary_left(sum), argument(j, i)) &&
                     !value_has_uses(mlirOperationGetResult(j->loop, i));
        MlirOperation by = alone ? value_op(binary_right(sum)) : (MlirOperation){NULL};
        int uses = 0; // of the argument: this sum, and the branch not taken
        for (MlirOpOperand use = mlirValueGetFirstUse(argument(j, i)); !mlirOpOperandIsNull(use);
             use = mlirOpOperandGetNextUse(use)) {
            uses++;
        }
        bool fixed =
            !mlirOperationIsNull(by) && (op_kind(j->ir, by) == OP_CONSTANT || !stands_in(by, j->loop));
        if (alone && uses == 2 && fixed) {
            j->advances[i] = sum;
        }
    }
}

static bool is_joined(struct joined *j) {
    j->count = mlirOperationGetNumResults(j->loop);
    if (j->count > MOST_CARRIED || !is_int(j->ir, for_lower(j->loop), 0) ||
        !is_int(j->ir, for_step(j->loop), 1) || value_has_uses(mlirBlockGetArgument(body(j), 0))) {
        return false;
    }
    bool counts = false;
    for (intptr_t i = 0; i < j->count && !counts; i++) {
        counts = is_counter(j, i);
    }
    if (!counts || !find_branches(j) || !sort_carried(j) || !starts_plainly(j) || !ends_tiles(j)) {
        return false;
    }
    find_advances(j);
    return true;
}

// ---- rewriting ----

static void repeat_ops(struct joined *j, struct builder *b, struct map *map, MlirOperation from,
                       MlirOperation to) {
    for (MlirOperation op = from; !mlirOperationEqual(op, to); op = mlirOperationGetNextInBlock(op)) {
        bool known = mlirOperationGetNumResults(op) == 1 && map_has(map, mlirOperationGetResult(op, 0).ptr);
        if (!known) {
            b->location = mlirOperationGetLocation(op);
            op_repeat(b, j->context->arena, map, op);
        }
    }
}

// Maps the arguments fixed for a tile, and the number of the step.
static void map_tile(struct joined *j, struct map *map, MlirBlock outer, MlirValue number) {
    for (intptr_t i = 0; i < j->count; i++) {
        map_value(map, argument(j, i), mlirBlockGetArgument(outer, i + 1));
    }
    map_value(map, j->step, number);
}

static void map_places(struct joined *j, struct map *map, const MlirValue *places) {
    for (intptr_t r = 0; r < mlirOperationGetNumResults(j->first); r++) {
        map_value(map, mlirOperationGetResult(j->first, r), places[r]);
    }
}

// The value yielded by a step for carried value i of a tile's steps.
static MlirValue step_yields(const struct joined *j, intptr_t i) {
    intptr_t r = result_number(j->last, yielded(j, i));
    return r >= 0 ? else_of(j->last, r) : yielded(j, i);
}

// The start of carried value i in a tile: the first branch's result, the end of the tile before, or one constant for all tiles.
static MlirValue tile_begins_with(const struct joined *j, intptr_t i, MlirBlock outer,
                                  const MlirValue *places) {
    if (j->restarted[i] >= 0) {
        return places[j->restarted[i]];
    }
    intptr_t r = result_number(j->last, yielded(j, i));
    MlirAttribute first = value_constant(j->ir, for_init(j->loop, i)),
                  again = r >= 0 ? value_constant(j->ir, then_of(j->last, r)) : (MlirAttribute){NULL};
    bool same = !mlirAttributeIsNull(first) && mlirAttributeEqual(first, again);
    return same ? for_init(j->loop, i) : mlirBlockGetArgument(outer, i + 1);
}

// The loop over a tile's steps, at the end of the outer loop's body.
static MlirOperation build_steps(struct joined *j, struct builder *b, MlirBlock outer,
                                 const MlirValue *places) {
    struct arena *arena = j->context->arena;
    MlirValue *inits = ARENA_ARRAY(arena, MlirValue, j->count + 1);
    MlirValue *ends = ARENA_ARRAY(arena, MlirValue, j->count + 1);
    intptr_t count = 0;
    for (intptr_t i = 0; i < j->count; i++) {
        if (steps_with(j, i)) {
            inits[count++] = tile_begins_with(j, i, outer, places);
        }
    }
    MlirBlock inner;
    MlirOperation loop = build_for(b, for_lower(j->loop), j->steps, for_step(j->loop),
                                   (struct operands){count, inits}, &inner);
    struct map map = {0};
    map_tile(j, &map, outer, mlirBlockGetArgument(inner, 0));
    map_places(j, &map, places);
    count = 0;
    for (intptr_t i = 0; i < j->count; i++) {
        if (steps_with(j, i)) {
            MlirValue here = mlirBlockGetArgument(inner, ++count);
            map_value(&map, argument(j, i), here);
            if (j->restarted[i] >= 0) {
                map_value(&map, mlirOperationGetResult(j->first, j->restarted[i]), here);
            }
        }
    }
    struct builder in = builder_at_end(j->ir, inner, b->location);
    repeat_ops(j, &in, &map, mlirBlockGetFirstOperation(body(j)), j->first);
    repeat_ops(j, &in, &map, mlirOperationGetNextInBlock(j->first), j->last);
    count = 0;
    for (intptr_t i = 0; i < j->count; i++) {
        if (steps_with(j, i)) {
            ends[count++] = value_under(&map, step_yields(j, i));
        }
    }
    build_yield(&in, (struct operands){count, ends});
    map_free(&map);
    return loop;
}

// The place's advance, built at the builder's position.
static MlirValue advance(struct joined *j, struct builder *b, intptr_t i) {
    int64_t number;
    MlirValue by = binary_right(j->advances[i]);
    return value_is_constant_int(j->ir, by, &number) ? const_int(b, mlirValueGetType(by), number) : by;
}

static MlirValue next_place(struct joined *j, struct builder *b, const MlirValue *places, intptr_t i) {
    MlirValue place = places[result_number(j->first, yielded(j, i))];
    return mlirOperationIsNull(j->advances[i]) ? place : build_binary(b, OP_ADDI, place, advance(j, b, i));
}

// The place of the first tile: `x - n` advanced by n is x.
static MlirValue first_place(struct joined *j, struct builder *b, intptr_t i) {
    MlirValue init = for_init(j->loop, i);
    if (mlirOperationIsNull(j->advances[i])) {
        return init;
    }
    MlirValue by = binary_right(j->advances[i]);
    MlirOperation before = made_by(j->ir, init, OP_SUBI);
    int64_t number;
    bool ends = !mlirOperationIsNull(before) &&
                (value_is(binary_right(before), by) ||
                 (value_is_constant_int(j->ir, by, &number) && is_int(j->ir, binary_right(before), number)));
    return ends ? binary_left(before) : build_binary(b, OP_ADDI, init, advance(j, b, i));
}

// The ops of the last branch, behind the steps, and the outer loop's yield.
static void build_end(struct joined *j, struct builder *b, MlirBlock outer, const MlirValue *places,
                      MlirOperation steps) {
    MlirValue *ends = ARENA_ARRAY(j->context->arena, MlirValue, j->count + 1);
    struct map map = {0};
    map_tile(j, &map, outer, build_binary(b, OP_SUBI, j->steps, for_step(j->loop)));
    map_places(j, &map, places);
    intptr_t count = 0;
    for (intptr_t i = 0; i < j->count; i++) {
        if (steps_with(j, i)) {
            ends[i] = mlirOperationGetResult(steps, count++);
            map_value(&map, step_yields(j, i), ends[i]);
        }
    }
    repeat_ops(j, b, &map, mlirBlockGetFirstOperation(body(j)), j->first);
    MlirBlock last = op_body(j->last, 0);
    repeat_ops(j, b, &map, mlirBlockGetFirstOperation(last), mlirBlockGetTerminator(last));
    for (intptr_t i = 0; i < j->count; i++) {
        intptr_t r = result_number(j->last, yielded(j, i));
        ends[i] = j->parts[i] == SUM    ? value_under(&map, then_of(j->last, r))
                  : j->parts[i] == TILE ? next_place(j, b, places, i)
                  : j->parts[i] == STEP ? ends[i]
                                        : mlirBlockGetArgument(outer, i + 1);
    }
    build_yield(b, (struct operands){j->count, ends});
    map_free(&map);
}

static void rewrite(struct joined *j) {
    struct arena *arena = j->context->arena;
    struct builder b = builder_before(j->ir, j->loop);
    b.location = mlirOperationGetLocation(j->loop);
    MlirValue some = build_compare(&b, INT_SGT, j->steps, for_lower(j->loop));
    MlirValue tiles = build_select(&b, some, j->tiles, for_lower(j->loop));
    MlirValue *inits = ARENA_ARRAY(arena, MlirValue, j->count + 1);
    for (intptr_t i = 0; i < j->count; i++) {
        inits[i] = first_place(j, &b, i);
    }
    MlirBlock outer;
    MlirOperation loop = build_for(&b, for_lower(j->loop), tiles, for_step(j->loop),
                                   (struct operands){j->count, inits}, &outer);
    struct builder in = builder_at_end(j->ir, outer, b.location);
    struct map map = {0};
    map_tile(j, &map, outer, for_lower(j->loop));
    repeat_ops(j, &in, &map, mlirBlockGetFirstOperation(body(j)), j->first);
    for (intptr_t i = 0; i < j->count; i++) {
        if (!mlirOperationIsNull(j->advances[i])) {
            map_value(&map, mlirOperationGetResult(j->advances[i], 0), mlirBlockGetArgument(outer, i + 1));
        }
    }
    MlirBlock first = op_body(j->first, 0);
    repeat_ops(j, &in, &map, mlirBlockGetFirstOperation(first), mlirBlockGetTerminator(first));
    MlirValue *places = ARENA_ARRAY(arena, MlirValue, mlirOperationGetNumResults(j->first) + 1);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(j->first); r++) {
        places[r] = value_under(&map, then_of(j->first, r));
    }
    map_free(&map);
    in.location = b.location;
    MlirOperation steps = build_steps(j, &in, outer, places);
    build_end(j, &in, outer, places, steps);
    for (intptr_t i = 0; i < j->count; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(j->loop, i), mlirOperationGetResult(loop, i));
    }
    mlirOperationDestroy(j->loop);
}

// Elsewhere pipelined copies go on from tile to tile in one loop.
static bool gains_by_two(const struct pass_context *context) {
    return context->target->vendor == VENDOR_AMD ||
           ((context->target->has & FEATURES_SHARED_PRODUCTS) && context->tensor_maps);
}

void pass_tile_loops(struct pass_context *context, MlirModule module) {
    if (!gains_by_two(context)) {
        return;
    }
    size_t count, found = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    struct joined *all = ARENA_ARRAY(context->arena, struct joined, count + 1);
    for (size_t i = 0; i < count; i++) {
        all[found] = (struct joined){.context = context, .ir = context->ir, .loop = ops[i]};
        found += op_kind(context->ir, ops[i]) == OP_FOR && is_joined(&all[found]);
    }
    for (size_t i = 0; i < found; i++) {
        rewrite(&all[i]);
    }
}
