// The producer's loop over the steps of a stage loop.
//
//   scf.for %k … iter_args(%at = …) {    scf.for %k … iter_args(%slot, %parity, %at = …) {
//     %x = tk.load %a + %at                %next = %at + …
//     … %x …                       →       tk.mbarrier_wait %empty[%slot]
//     scf.yield %at + …                    tk.gather_load %slot, %a + %at
//   }                                      …
//                                          scf.yield slot after this one, %next
//                                        }
//
// The loop carries the source's scalars that the copies need, such as a place that goes on by loaded distances. The next step's are computed at
// the step's begin: what they load is under way while the step waits for its slot.
#include "passes/specialise/specialise.h"

#include "ir/build.h"

static void compute_invariant(struct specialise *s, const struct tile_index *index, struct builder *b,
                              struct map *map) {
    for (int t = 0; t < index->term_count; t++) {
        for (int n = 0; n < index->terms[t].symbol_count; n++) {
            MlirValue value = index->terms[t].symbols[n].value;
            MlirOperation op = mlirValueIsNull(value) ? (MlirOperation){NULL} : value_op(value);
            if (stands_around(s, op)) {
                specialise_scalar(b, value, map);
            }
        }
    }
}

// Computes loop-invariant scalars once a tile: no later pass may hoist a division.
static void compute_invariants(struct specialise *s, const struct stage_loop *stage, struct builder *b,
                               struct map *map) {
    for (size_t i = 0; i < stage->load_count; i++) {
        for (unsigned d = 0; d < stage->loads[i].tile.rank; d++) {
            const struct tile_dim *dim = &stage->loads[i].tile.dim[d];
            compute_invariant(s, &dim->first, b, map);
            compute_invariant(s, &dim->counted, b, map);
            compute_invariant(s, &dim->period, b, map);
        }
    }
}

// Brings the loads of one group once its slot is free.
static void copy_group(struct specialise *s, const struct stage_loop *stage, unsigned group,
                       struct builder *b, struct map *map, const struct turn *turn,
                       const struct residual_step *step) {
    struct place at = turn->at;
    unsigned bytes = 0, any = 0;
    for (size_t i = 0; i < stage->load_count; i++) {
        any += stage->loads[i].group == group;
        bytes += stage->loads[i].group == group && !stage->loads[i].gathered ? stage->loads[i].bytes : 0;
    }
    if (any == 0) {
        return;
    }
    struct place round_before = {at.slot, build_binary(b, OP_XORI, at.parity, const_i32(b, 1))};
    slot_wait(b, s->empty[group], round_before);
    MlirValue full = slot_barrier(b, s->full[group], at.slot);
    residuals_expect(s, b, full, bytes, step, turn->left);
    for (size_t i = 0; i < stage->load_count; i++) {
        const struct copy *copy = &stage->loads[i];
        if (copy->group != group || copy->gathered) {
            continue;
        }
        b->location = mlirOperationGetLocation(copy->access);
        specialise_bring(b, copy, slot_view(b, copy, at.slot), full, map);
    }
    residuals_bring(s, b, full, turn, step);
}

// The values of `some`, then those of `more`.
static struct operands joined(struct specialise *s, struct operands some, struct operands more) {
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, some.count + more.count + 1);
    for (intptr_t i = 0; i < some.count + more.count; i++) {
        values[i] = i < some.count ? some.values[i] : more.values[i - some.count];
    }
    return (struct operands){some.count + more.count, values};
}

// The scalars that the source's loop carries and the copies need: arguments of its body.
static struct operands needed_arguments(struct specialise *s, MlirOperation loop) {
    MlirBlock body = op_body(loop, 0);
    intptr_t count = mlirBlockGetNumArguments(body), found = 0;
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, count);
    for (intptr_t i = 1; i < count; i++) {
        MlirValue argument = mlirBlockGetArgument(body, i);
        if (map_has(&s->needed, argument.ptr)) {
            values[found++] = argument;
        }
    }
    return (struct operands){found, values};
}

// Computes these scalars (needed_arguments) at the builder's place: of the first step from the loop's operands, of the next one from its yield's.
static struct operands step_scalars(struct specialise *s, MlirOperation from, struct operands of,
                                    struct builder *b, struct map *map) {
    intptr_t first = op_kind(s->ir, from) == OP_FOR ? at_for_init : 0;
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, of.count + 1);
    for (intptr_t i = 0; i < of.count; i++) {
        intptr_t number = mlirBlockArgumentGetArgNumber(of.values[i]) - 1;
        values[i] = specialise_scalar(b, mlirOperationGetOperand(from, first + number), map);
    }
    return (struct operands){of.count, values};
}

static void map_to_arguments(struct map *map, struct operands of, MlirBlock body, intptr_t first) {
    for (intptr_t i = 0; i < of.count; i++) {
        map_value(map, of.values[i], mlirBlockGetArgument(body, first + i));
    }
}

struct turn specialise_steps(struct specialise *s, const struct stage_loop *stage, struct builder *b,
                             const struct map *known, struct turn start) {
    struct map map = {0};
    map_add_all(&map, known);
    compute_invariants(s, stage, b, &map);
    struct gather *gather = gathers(stage) ? gather_begin(s, stage, b, &map) : NULL;
    MlirValue bounds[3];
    for (intptr_t i = 0; i < 3; i++) {
        bounds[i] = specialise_scalar(b, mlirOperationGetOperand(stage->loop, i), &map);
    }
    parts_cut(s, b, bounds);
    struct operands of = needed_arguments(s, stage->loop);
    struct operands scalars = step_scalars(s, stage->loop, of, b, &map);
    struct residual_step step = residuals_begin(s, b, bounds, start.left);
    MlirValue third = s->signals ? start.copied : step.number;
    struct operands turns = mlirValueIsNull(third) ? OPERANDS(start.at.slot, start.at.parity)
                                                   : OPERANDS(start.at.slot, start.at.parity, third);
    MlirBlock body;
    MlirOperation loop = build_for(b, bounds[0], bounds[1], bounds[2], joined(s, turns, scalars), &body);
    op_set_attribute(loop, ATTR_PIPELINE, op_attribute(stage->loop, ATTR_PIPELINE));
    struct builder in = builder_at_end(s->ir, body, b->location);
    map_value(&map, mlirBlockGetArgument(op_body(stage->loop, 0), 0), mlirBlockGetArgument(body, 0));
    map_to_arguments(&map, of, body, 1 + turns.count);
    struct turn turn = start;
    turn.at = (struct place){mlirBlockGetArgument(body, 1), mlirBlockGetArgument(body, 2)};
    third = mlirValueIsNull(third) ? third : mlirBlockGetArgument(body, 3);
    step.number = turn.copied = third;
    scalars = step_scalars(s, mlirBlockGetTerminator(op_body(stage->loop, 0)), of, &in, &map);
    for (unsigned group = 0; group < SPECIALISE_GROUPS; group++) {
        copy_group(s, stage, group, &in, &map, &turn, &step);
        if (gathers_group(stage, group)) {
            gather_bring(s, stage, gather, group, &in, turn);
        }
    }
    struct place next = place_next(s, &in, turn.at);
    MlirValue one = const_i32(&in, 1);
    MlirValue last = gather || mlirValueIsNull(third) ? one : build_binary(&in, OP_ADDI, third, one);
    turns =
        mlirValueIsNull(third) ? OPERANDS(next.slot, next.parity) : OPERANDS(next.slot, next.parity, last);
    build_yield(&in, joined(s, turns, scalars));
    map_free(&map);
    start.at = (struct place){mlirOperationGetResult(loop, 0), mlirOperationGetResult(loop, 1)};
    start.copied = gather ? mlirOperationGetResult(loop, 2) : start.copied;
    return start;
}
