// Rewrites a function by its roles: the producer's loops, the consumers' loops, and the stores.
#include "passes/specialise/specialise.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { ALIGNMENT = 1024 };

// The value of one of the source's program ids or numbers of programs in the loop over tiles.
static MlirValue program_value(struct specialise *s, const struct tiles *tiles, MlirOperation op) {
    int64_t axis = op_int(op, ATTR_AXIS);
    return op_kind(s->ir, op) == OP_PROGRAM_ID ? tiles->id[axis] : s->grid[axis];
}

// ---- the producer ----

// Computes the needed reductions of the block before the op `ahead_of`: what follows from them finds them done.
static void compute_reductions(struct specialise *s, struct builder *b, struct map *map,
                               MlirOperation ahead_of) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(ahead_of));
         !mlirOperationEqual(op, ahead_of); op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_REDUCE && map_has(&s->needed, mlirOperationGetResult(op, 0).ptr) &&
            !map_has(map, mlirOperationGetResult(op, 0).ptr)) {
            reduction_produce(s, b, map, op);
        }
    }
}

// Computes the needed scalars of the block before the op `ahead_of`: no later pass may hoist a division.
static void compute_needed(struct specialise *s, struct builder *b, struct map *map, MlirOperation ahead_of) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(ahead_of));
         !mlirOperationEqual(op, ahead_of); op = mlirOperationGetNextInBlock(op)) {
        for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !on_spine(s, op); i++) {
            MlirValue result = mlirOperationGetResult(op, i);
            if (map_has(&s->needed, result.ptr) && !type_is_tensor(mlirValueGetType(result))) {
                specialise_scalar(b, result, map);
            }
        }
    }
}

// True if the producer needs this result of a loop or branch of the spine.
static bool is_needed(struct specialise *s, MlirOperation op, intptr_t number) {
    return map_has(&s->needed, mlirOperationGetResult(op, number).ptr) ||
           (op_kind(s->ir, op) == OP_FOR &&
            map_has(&s->needed, mlirBlockGetArgument(op_body(op, 0), number + 1).ptr));
}

// The needed values of the op, followed by the turn's values. `from` has the values as operands; they are
// computed at the builder's place.
static struct operands needed_values(struct specialise *s, struct builder *b, MlirOperation op,
                                     MlirOperation from, struct map *map, struct turn turn) {
    struct operands ends = turn_values(s, turn);
    intptr_t first = op_kind(s->ir, from) == OP_FOR ? at_for_init : 0, count = 0;
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, mlirOperationGetNumResults(op) + ends.count);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (is_needed(s, op, i)) {
            values[count++] = specialise_scalar(b, mlirOperationGetOperand(from, first + i), map);
        }
    }
    for (intptr_t i = 0; i < ends.count; i++) {
        values[count++] = ends.values[i];
    }
    return (struct operands){count, values};
}

static void map_needed(struct specialise *s, struct map *map, MlirOperation op, MlirOperation made) {
    intptr_t count = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (is_needed(s, op, i)) {
            map_value(map, mlirOperationGetResult(op, i), mlirOperationGetResult(made, count++));
        }
    }
}

static struct turn produce_block(struct specialise *s, MlirBlock block, struct builder *b, struct map *map,
                                 struct turn turn);

static struct turn produce_for(struct specialise *s, MlirOperation op, struct builder *b, struct map *map,
                               struct turn turn) {
    struct map inside = {0};
    MlirValue bounds[3];
    for (intptr_t i = 0; i < 3; i++) {
        bounds[i] = specialise_scalar(b, mlirOperationGetOperand(op, i), map);
    }
    MlirBlock own = op_body(op, 0), body;
    turn.left = mlirBlockEqual(own, s->home) ? const_i32(b, 0)
                                             : turn.left; // the consumers leave no piece behind the loop
    struct operands inits = needed_values(s, b, op, op, map, turn);
    MlirOperation made = build_for(b, bounds[0], bounds[1], bounds[2], inits, &body);
    map_add_all(&inside, map);
    map_value(&inside, mlirBlockGetArgument(own, 0), mlirBlockGetArgument(body, 0));
    intptr_t count = 1;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (is_needed(s, op, i)) {
            map_value(&inside, mlirBlockGetArgument(own, i + 1), mlirBlockGetArgument(body, count++));
        }
    }
    struct builder in = builder_at_end(s->ir, body, b->location);
    struct turn end = produce_block(s, own, &in, &inside, turn_of_arguments(s, body));
    build_yield(&in, needed_values(s, &in, op, mlirBlockGetTerminator(own), &inside, end));
    map_needed(s, map, op, made);
    map_free(&inside);
    return turn_of_results(s, made);
}

// The needed ones of the values `of` the block, computed from `from`, their sources, and the turn.
static struct operands needed_of(struct specialise *s, struct builder *b, struct operands of, MlirValue *from,
                                 struct map *map, struct turn turn) {
    struct operands ends = turn_values(s, turn);
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, of.count + ends.count);
    intptr_t count = 0;
    for (intptr_t i = 0; i < of.count; i++) {
        if (map_has(&s->needed, of.values[i].ptr)) {
            values[count++] = specialise_scalar(b, from[i], map);
        }
    }
    for (intptr_t i = 0; i < ends.count; i++) {
        values[count++] = ends.values[i];
    }
    return (struct operands){count, values};
}

// Maps the needed ones of the values to the first values of the other list.
static void map_needed_of(struct specialise *s, struct map *map, struct operands of, struct operands made) {
    intptr_t count = 0;
    for (intptr_t i = 0; i < of.count; i++) {
        if (map_has(&s->needed, of.values[i].ptr)) {
            map_value(map, of.values[i], made.values[count++]);
        }
    }
}

static struct operands arguments_of(struct specialise *s, MlirBlock block) {
    intptr_t count = mlirBlockGetNumArguments(block);
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        values[i] = mlirBlockGetArgument(block, i);
    }
    return (struct operands){count, values};
}

static struct operands results_of(struct specialise *s, MlirOperation op) {
    intptr_t count = mlirOperationGetNumResults(op);
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        values[i] = mlirOperationGetResult(op, i);
    }
    return (struct operands){count, values};
}

// The op's operands from the number `first` on.
static MlirValue *operands_from(struct specialise *s, MlirOperation op, intptr_t first) {
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, count + 1);
    for (intptr_t i = first; i < count; i++) {
        values[i - first] = mlirOperationGetOperand(op, i);
    }
    return values;
}

// A while loop hands the same values to its body and behind itself: the body's arguments and the results are needed alike.
static void need_alike(struct specialise *s, MlirOperation loop) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirValue inside = mlirBlockGetArgument(op_body(loop, 1), i),
                  behind = mlirOperationGetResult(loop, i);
        if (map_has(&s->needed, inside.ptr) || map_has(&s->needed, behind.ptr)) {
            map_put(&s->needed, inside.ptr, (void *)inside.ptr);
            map_put(&s->needed, behind.ptr, (void *)behind.ptr);
        }
    }
}

static struct turn produce_while(struct specialise *s, MlirOperation op, struct builder *b, struct map *map,
                                 struct turn turn) {
    MlirBlock decides = op_body(op, 0), own = op_body(op, 1), before, after;
    MlirOperation flag = mlirBlockGetTerminator(decides);
    need_alike(s, op);
    struct operands state = arguments_of(s, decides), handed = arguments_of(s, own);
    struct operands inits = needed_of(s, b, state, operands_from(s, op, at_while_init), map, turn);
    struct operands types = turn_values(s, turn);
    MlirType *results = ARENA_ARRAY(s->arena, MlirType, handed.count + types.count + 1);
    intptr_t count = 0;
    for (intptr_t i = 0; i < handed.count; i++) {
        results[count] = mlirValueGetType(handed.values[i]);
        count += map_has(&s->needed, handed.values[i].ptr);
    }
    for (intptr_t i = 0; i < types.count; i++) {
        results[count++] = mlirValueGetType(types.values[i]);
    }
    MlirOperation made = build_while(b, inits, (struct results){count, results}, &before, &after);
    struct map ahead = {0}, inside = {0};
    map_add_all(&ahead, map);
    map_needed_of(s, &ahead, state, arguments_of(s, before));
    struct builder at = builder_at_end(s->ir, before, b->location);
    MlirValue goes_on = specialise_scalar(&at, condition_flag(flag), &ahead);
    struct operands forward = needed_of(s, &at, handed, operands_from(s, flag, at_condition_value), &ahead,
                                        turn_of_arguments(s, before));
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, forward.count + 1);
    values[at_condition_flag] = goes_on;
    for (intptr_t i = 0; i < forward.count; i++) {
        values[at_condition_value + i] = forward.values[i];
    }
    build_op(&at, OP_CONDITION, (struct operands){forward.count + 1, values}, NO_RESULTS, NO_ATTRS);
    map_add_all(&inside, map);
    map_needed_of(s, &inside, handed, arguments_of(s, after));
    struct builder in = builder_at_end(s->ir, after, b->location);
    struct turn end = produce_block(s, own, &in, &inside, turn_of_arguments(s, after));
    MlirValue *next = operands_from(s, mlirBlockGetTerminator(own), 0);
    build_yield(&in, needed_of(s, &in, state, next, &inside, end));
    map_needed_of(s, map, results_of(s, op), results_of(s, made));
    map_free(&ahead);
    map_free(&inside);
    return turn_of_results(s, made);
}

static struct turn produce_if(struct specialise *s, MlirOperation op, struct builder *b, struct map *map,
                              struct turn turn) {
    MlirValue condition = specialise_scalar(b, if_condition(op), map);
    struct operands ends = turn_values(s, turn);
    intptr_t count = 0;
    MlirType *types = ARENA_ARRAY(s->arena, MlirType, mlirOperationGetNumResults(op) + ends.count);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (is_needed(s, op, i)) {
            types[count++] = mlirValueGetType(mlirOperationGetResult(op, i));
        }
    }
    for (intptr_t i = 0; i < ends.count; i++) {
        types[count++] = mlirValueGetType(ends.values[i]);
    }
    MlirBlock blocks[2];
    MlirOperation made = build_if(b, condition, (struct results){count, types}, &blocks[0], &blocks[1]);
    for (int i = 0; i < 2; i++) {
        struct map inside = {0};
        map_add_all(&inside, map);
        MlirBlock own = op_body(op, i);
        struct builder in = builder_at_end(s->ir, blocks[i], b->location);
        struct turn end = produce_block(s, own, &in, &inside, turn);
        build_yield(&in, needed_values(s, &in, op, mlirBlockGetTerminator(own), &inside, end));
        map_free(&inside);
    }
    map_needed(s, map, op, made);
    return turn_of_results(s, made);
}

static struct turn produce_block(struct specialise *s, MlirBlock block, struct builder *b, struct map *map,
                                 struct turn turn) {
    bool home = mlirBlockEqual(block, s->home);
    size_t waits = home ? s->wait_count : 0;
    if (home && (waits > 0 || (s->kept_count > 0 && s->kept_slots == 1))) {
        gather_settle(s, b, &turn);
    } else if (home) {
        gather_tile_begins(s, b, &turn);
    }
    if (home && waits == 0) {
        kept_bring(s, b, map, turn.kept);
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct stage_loop *stage = stage_at(s, op);
        if (stage || on_spine(s, op)) {
            compute_reductions(s, b, map, op);
        }
        if (stage) {
            turn = specialise_steps(s, stage, b, map, turn);
        } else if (is_wait(s, op)) {
            compute_needed(s, b, map, op);
            waits_produce(s, b, map, op);
            if (--waits == 0) {
                kept_bring(s, b, map, turn.kept);
            }
        } else if (on_spine(s, op)) {
            compute_needed(s, b, map, op);
            b->location = mlirOperationGetLocation(op);
            enum op_kind kind = op_kind(s->ir, op);
            turn = (kind == OP_FOR     ? produce_for
                    : kind == OP_WHILE ? produce_while
                                       : produce_if)(s, op, b, map, turn);
        }
        if (home && mlirOperationEqual(op, op_in_block(s->loops[s->loop_count - 1].loop, s->home))) {
            gather_tile_ends(s, b, &turn);
            kept_bring_end(s, b, map, turn.kept);
        }
    }
    turn.kept = home && s->kept_count ? kept_next(s, b, turn.kept) : turn.kept;
    if (home) {
        residuals_next(s, b, map, &turn);
    }
    return turn;
}

static void build_producer(struct specialise *s, MlirBlock block) {
    struct builder b = builder_at_end(s->ir, block, mlirOperationGetLocation(s->loops[0].loop));
    s->signals = gathers(&s->loops[0]);
    s->produces = true;
    struct tiles tiles = tiles_begin(s, &b);
    s->dealt = &tiles;
    struct map map = {0};
    for (size_t i = 0; i < s->program_count; i++) {
        map_value(&map, mlirOperationGetResult(s->programs[i], 0), program_value(s, &tiles, s->programs[i]));
    }
    tiles_end(s, &b, produce_block(s, s->body, &b, &map, tiles.start));
    struct builder end = builder_at_end(s->ir, block, b.location);
    if (s->signals) {
        gather_end(s, &end, turn_of_results(s, mlirBlockGetParentOperation(tiles.body)));
    }
    s->signals = s->produces = false;
    s->dealt = NULL;
    OP(&end, OP_YIELD, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    map_free(&map);
}

// ---- the consumers ----

// The place of a step's release of its slot: at its end, or behind its one product if threads then compute with the result alone (H200, fp8 with
// scales, 4096 x 7168 x 4096, 128 x 128: 1.008; 128 x 256 in halves, two products a step: 0.998).
static struct builder release_place(struct specialise *s, const struct stage_loop *stage,
                                    struct builder end) {
    MlirValue result = mlirOperationGetResult(stage->dot, 0);
    MlirBlock body = op_body(stage->loop, 0);
    bool alone = mlirOperationIsNull(stage->chained) && stage->late_count == 0 && s->slices == 1 &&
                 s->dots == 1 && s->residual_count == 0 && !gathers(stage) &&
                 !brings_values(stage->loads, stage->load_count) &&
                 mlirBlockEqual(mlirOperationGetBlock(stage->dot), body) && value_has_one_use(result) &&
                 !mlirOperationEqual(mlirOpOperandGetOwner(mlirValueGetFirstUse(result)),
                                     mlirBlockGetTerminator(body)) &&
                 target_has(s->context->target, FEATURE(WGMMA));
    if (!alone) {
        return end;
    }
    struct builder behind = builder_after(s->ir, stage->dot);
    behind.location = end.location;
    return behind;
}

// True if a fence stands between the last read of a slot by threads and the op, in each step: the one ahead of a dot aside.
static bool is_behind_fence(struct specialise *s, MlirOperation op) {
    bool fenced = false;
    for (MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
         !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at)) {
        enum op_kind kind = op_kind(s->ir, at);
        bool reads = kind == OP_SMEM_LOAD || kind == OP_SMEM_GATHER || mlirOperationGetNumRegions(at) > 0;
        fenced = !reads && (fenced || (kind == OP_BARRIER && op_has(at, ATTR_PROXY)));
    }
    return fenced;
}

// A slot that mma.sync has read is given back behind the wait for the next one. There the products of its step have been issued, so its
// fragments are in registers, and the arrival's fence waits for none of them (lower_mbarrier_arrive). A slice gives its slot back at the end of
// its step: the slot ahead of it is another slice's.
static struct place rewrite_loop(struct specialise *s, struct stage_loop *stage, struct place start) {
    struct place behind;
    waits_consume(s, stage->loop);
    start = s->slices > 1 ? slices_loop(s, stage, start, &behind) : start;
    aside_take_turns(s, stage);
    MlirValue inits[2] = {start.slot, start.parity};
    loop_carry(s, stage, inits, 2);
    MlirBlock body = op_body(stage->loop, 0);
    intptr_t last = mlirBlockGetNumArguments(body) - 1, results = mlirOperationGetNumResults(stage->loop);
    struct place at = {mlirBlockGetArgument(body, last - 1), mlirBlockGetArgument(body, last)};
    struct builder in = builder_before(s->ir, mlirBlockGetFirstOperation(body));
    in.location = mlirOperationGetLocation(stage->loop);
    slot_wait(&in, s->full[AHEAD], at);
    MlirValue lower = for_lower(stage->loop), upper = for_upper(stage->loop);
    bool late = s->mma_sync && s->slices == 1;
    if (late) {
        MlirValue later = build_compare(&in, INT_NE, mlirBlockGetArgument(body, 0), lower);
        slot_free_as_read(&in, s, stage, place_before(s, &in, at).slot, later);
    }
    slots_read(s, stage, &in, at.slot);
    slot_hold(s, stage, s->full[AHEAD], at);
    struct builder end = builder_before(s->ir, mlirBlockGetTerminator(body));
    end.location = in.location;
    if (stage->in_flight) { // this dot still reads its slot; the dot before is complete
        MlirValue later = build_compare(&end, INT_NE, mlirBlockGetArgument(body, 0), lower);
        slot_free_as_read(&end, s, stage, place_before(s, &end, at).slot, later);
    } else if (!late) {
        struct builder free = release_place(s, stage, end);
        MlirValue always = const_int(&free, type_i1(s->ir), 1);
        if (threads_read(s, stage) && (is_behind_fence(s, free.before) || products_end_reads(s, stage))) {
            slot_free_behind_fence(&free, s->empty[AHEAD], at.slot, always);
        } else {
            slot_free_as_read(&free, s, stage, at.slot, always);
        }
    }
    struct place next = s->slices > 1 ? slices_next(s, &end, at) : place_next(s, &end, at);
    loop_yield(s, stage, (MlirValue[]){next.slot, next.parity}, 2);
    struct place left = {mlirOperationGetResult(stage->loop, results - 2),
                         mlirOperationGetResult(stage->loop, results - 1)};
    if (stage->in_flight || late) {
        struct builder after = builder_after(s->ir, stage->loop);
        after.location = in.location;
        MlirValue runs = build_compare(&after, INT_SLT, lower, upper);
        slot_free_as_read(&after, s, stage, place_before(s, &after, left).slot, runs);
    }
    if (s->slices > 1) {
        slices_end(s, stage);
        return behind;
    }
    return left;
}

static struct turn consume_block(struct specialise *s, MlirBlock block, struct turn turn);

// Makes a loop or branch of the spine carry the turn, too.
static struct turn consume_spine(struct specialise *s, MlirOperation op, struct turn turn) {
    MlirOperation made = build_more(s->ir, s->arena, op, turn_values(s, turn));
    for (int i = 0; i < mlirOperationGetNumRegions(made); i++) {
        MlirBlock block = op_body(made, i);
        bool loop = op_kind(s->ir, made) != OP_IF, decides = op_kind(s->ir, made) == OP_WHILE && i == 0;
        struct turn start = loop ? turn_of_arguments(s, block) : turn;
        struct turn end = decides ? start : consume_block(s, block, start);
        build_yield_more(s->ir, s->arena, block, turn_values(s, end));
    }
    return turn_of_results(s, made);
}

// Finds the stage loops and spine ops of the block, in order. It runs before any rewriting: a new op may get
// the address of a deleted one.
static size_t find_spine(struct specialise *s, MlirBlock block, MlirOperation **found) {
    size_t count = 0, capacity = 0;
    *found = NULL;
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (stage_at(s, op) || on_spine(s, op)) {
            *found = arena_grown(s->arena, *found, count, &capacity, sizeof op);
            (*found)[count++] = op;
        }
    }
    return count;
}

static struct turn consume_block(struct specialise *s, MlirBlock block, struct turn turn) {
    bool home = mlirBlockEqual(block, s->home);
    MlirOperation *ops;
    size_t count = find_spine(s, block, &ops);
    if (home) {
        kept_read(s, turn.kept);
    }
    for (size_t i = 0; i < count; i++) {
        struct stage_loop *stage = stage_at(s, ops[i]);
        if (stage) {
            turn.at = stage->late_count > 0                 ? specialise_late(s, stage, turn.at)
                      : mlirOperationIsNull(stage->chained) ? rewrite_loop(s, stage, turn.at)
                                                            : specialise_chain(s, stage, turn.at);
        } else {
            turn = consume_spine(s, ops[i], turn);
        }
    }
    if (home && s->kept_count > 0) {
        MlirOperation end = mlirBlockGetTerminator(block);
        MlirLocation location = mlirOperationGetLocation(s->loops[0].loop);
        struct builder b =
            mlirOperationIsNull(end) ? builder_at_end(s->ir, block, location) : builder_before(s->ir, end);
        kept_release(s, turn.kept);
        turn.kept = kept_next(s, &b, turn.kept);
    }
    return turn;
}

static void rewrite_stores(struct specialise *s) {
    for (size_t i = 0; i < s->store_count; i++) {
        struct copy *copy = &s->stores[i];
        struct builder b = builder_before(s->ir, copy->access);
        MlirValue operands[at_bulk_store_corner + TILE_DIMS] = {copy->map, copy->buffer, copy->value};
        for (unsigned d = 0; d < copy->tile.rank; d++) {
            operands[at_bulk_store_corner + d] = specialise_corner(&b, &copy->tile, d, 0, TILE_BEYOND, NULL);
        }
        MlirOperation store =
            build_op(&b, OP_BULK_STORE, (struct operands){at_bulk_store_corner + copy->tile.rank, operands},
                     NO_RESULTS, NO_ATTRS);
        bool adds = op_kind(s->ir, copy->access) == OP_ATOMIC_RMW;
        if (op_has(copy->access, ATTR_EPILOGUE)) {
            op_set_attribute(store, ATTR_EPILOGUE, op_attribute(copy->access, ATTR_EPILOGUE));
        }
        if (adds) {
            op_set_unit(s->ir, store, ATTR_ADDS);
        }
        if (stores_share(s)) {
            op_set_unit(s->ir, store, ATTR_SHARES);
        }
        // One after the other: if two stores write the same bytes, the later one must win. Sums have no order.
        if (i > 0 && !(adds && stores_share(s)) && !store_continues(s, i)) {
            op_set_unit(s->ir, store, ATTR_BEHIND);
        }
        if (spine_repeats(s, copy->access) && !(adds && stores_share(s))) {
            op_set_unit(s->ir, store, ATTR_REPEATED);
        }
        mlirOperationDestroy(copy->access);
    }
}

static void build_consumer(struct specialise *s, MlirBlock block, MlirOperation *moved, size_t count) {
    struct builder b = builder_at_end(s->ir, block, mlirOperationGetLocation(s->loops[0].loop));
    struct builder top = b;
    turns_begin(s, &top);
    slices_begin(s, &top);
    b = top;
    struct tiles tiles = tiles_begin(s, &b);
    for (size_t i = 0; i < count; i++) {
        mlirOperationRemoveFromParent(moved[i]);
        mlirBlockAppendOwnedOperation(tiles.body, moved[i]);
    }
    rewrite_stores(s);
    for (size_t i = 0; i < s->program_count; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(s->programs[i], 0),
                                      program_value(s, &tiles, s->programs[i]));
        mlirOperationDestroy(s->programs[i]);
    }
    s->home = mlirBlockEqual(s->home, s->body) ? tiles.body : s->home;
    parts_join(s, &s->loops[0], &tiles);
    struct turn end = consume_block(s, tiles.body, tiles.start);
    b = builder_at_end(s->ir, tiles.body, b.location);
    tiles_end(s, &b, end);
    if (s->store_count > 0) {
        OP(&top, OP_BULK_WAIT, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    OP(&top, OP_YIELD, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
}

// ---- the function ----

// The tensor map of an earlier loop's copy, if it is the same one, and rounds or does not as this copy: null if none is.
static MlirValue known_map(struct specialise *s, size_t loops, const struct copy *copy, MlirAttribute map) {
    for (size_t n = 0; n < loops; n++) {
        for (size_t i = 0; i < s->loops[n].load_count; i++) {
            const struct copy *earlier = &s->loops[n].loads[i];
            if (!earlier->gathered && mlirAttributeEqual(tensor_map_of(earlier->map), map) &&
                is_rounded(s, earlier) == is_rounded(s, copy)) {
                return earlier->map;
            }
        }
    }
    return (MlirValue){NULL};
}

static void add_arguments(struct specialise *s) {
    MlirType type = tk_tensor_map_type(s->ir);
    for (size_t n = 0; n < s->loop_count; n++) {
        for (size_t i = 0; i < s->loops[n].load_count; i++) {
            struct copy *copy = &s->loops[n].loads[i];
            if (copy->gathered) {
                op_set_unit(s->ir, s->function, ATTR_GATHERS);
                continue;
            }
            MlirAttribute map = specialise_map(s, copy);
            copy->map = known_map(s, n, copy, map);
            if (mlirValueIsNull(copy->map)) {
                copy->map = specialise_argument(s, HIDDEN_TENSOR_MAP, type, map);
            }
        }
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        s->kept[i].map = specialise_argument(s, HIDDEN_TENSOR_MAP, type, specialise_map(s, &s->kept[i]));
    }
    for (size_t i = 0; i < s->residual_count; i++) {
        s->residuals[i].map =
            specialise_argument(s, HIDDEN_TENSOR_MAP, type, specialise_map(s, &s->residuals[i]));
    }
    for (size_t i = 0; i < s->store_count; i++) {
        s->stores[i].map = specialise_argument(s, HIDDEN_TENSOR_MAP, type, specialise_map(s, &s->stores[i]));
    }
    static const enum hidden_parameter axes[] = {HIDDEN_GRID_X, HIDDEN_GRID_Y, HIDDEN_GRID_Z};
    for (int i = 0; i < 3; i++) {
        s->grid[i] = specialise_argument(s, axes[i], type_i32(s->ir), mlirAttributeGetNull());
    }
    op_set_int(s->ir, s->function, ATTR_PRODUCER_WARPS, specialise_producer_warps(s));
    if (one_program_a_block(s)) {
        op_set_unit(s->ir, s->function, ATTR_ONE_PROGRAM);
    }
    if (programs_are_unlike(s)) {
        op_set_unit(s->ir, s->function, ATTR_UNLIKE);
    }
    if (specialise_producer(s) == PRODUCER_MANY_BOXES) {
        op_set_unit(s->ir, s->function, ATTR_MANY_BOXES);
    }
    if ((s->dots > 2 && !s->mma_sync) || specialise_producer(s) == PRODUCER_GATHERS_SLIM) {
        op_set_unit(s->ir, s->function, ATTR_SLIM_PRODUCER);
    }
}

static void allocate(struct specialise *s, struct builder *b) {
    for (size_t i = 0; i < s->loops[0].load_count; i++) {
        MlirValue buffer = VALUE(b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(s->loops[0].loads[i].type),
                                 ATTRS(attr_i32(b, ATTR_STAGES, s->slots)));
        for (size_t n = 0; n < s->loop_count; n++) {
            s->loops[n].loads[i].buffer = buffer;
        }
    }
    int64_t most = 0;
    for (size_t i = 0; i < s->store_count && stores_share(s); i++) {
        most = s->stores[i].bytes > most ? s->stores[i].bytes : most;
    }
    for (size_t i = 0; i < s->store_count; i++) {
        int64_t bytes = most > 0 ? most : s->stores[i].bytes;
        if (i > 0 && (most > 0 || store_continues(s, i))) {
            s->stores[i].buffer = s->stores[i - 1].buffer;
            continue;
        }
        struct layout plain = layout_row_major_shared(1, &bytes);
        MlirType type = tensor_type(1, &bytes, type_i8(s->ir), layout_attribute(s->ir, &plain));
        s->stores[i].buffer =
            VALUE(b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type),
                  ATTRS(attr_i32(b, ATTR_STAGES, 1), attr_i32(b, ATTR_ALIGNMENT, ALIGNMENT)));
    }
    kept_allocate(s, b);
    residuals_allocate(s, b);
    turns_allocate(s, b);
    slices_allocate(s, b);
    aside_allocate(s, b);
    MlirType type = type_i32(s->ir);
    unsigned groups = mlirOperationIsNull(s->loops[0].chained) ? 1 : SPECIALISE_GROUPS;
    for (unsigned group = 0; group < groups; group++) {
        // The tensor copies, and each warp of a gathering producer.
        int arrivals = 1 + (gathers_group(&s->loops[0], group) ? SPECIALISE_PRODUCER_WARPS : 0);
        s->full[group] =
            VALUE(b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type),
                  ATTRS(attr_i32(b, ATTR_COUNT, s->slots), attr_i32(b, ATTR_ARRIVALS, arrivals)));
        s->empty[group] = VALUE(
            b, OP_MBARRIER_ALLOC, NO_OPERANDS, RESULTS(type),
            ATTRS(attr_i32(b, ATTR_COUNT, s->slots), attr_i32(b, ATTR_ARRIVALS, (int32_t)s->num_warps)));
    }
}

static void find_programs(struct specialise *s) {
    size_t count, capacity = 0;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        if (kind == OP_PROGRAM_ID || kind == OP_NUM_PROGRAMS) {
            s->programs = arena_grown(s->arena, s->programs, s->program_count, &capacity, sizeof *ops);
            s->programs[s->program_count++] = ops[i];
        }
    }
}

void specialise_rewrite(struct specialise *s) {
    find_programs(s);
    size_t count = 0;
    MlirOperation last = mlirBlockGetTerminator(s->body);
    MlirOperation *moved = ARENA_ARRAY(s->arena, MlirOperation, 1);
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (MlirOperation op = mlirBlockGetFirstOperation(s->body); !mlirOperationEqual(op, last);
             op = mlirOperationGetNextInBlock(op)) {
            if (pass) {
                moved[count] = op;
            }
            count++;
        }
        moved = pass ? moved : ARENA_ARRAY(s->arena, MlirOperation, count + 1);
    }
    add_arguments(s);
    struct builder b = builder_before(s->ir, last);
    b.location = mlirOperationGetLocation(s->loops[0].loop);
    allocate(s, &b);
    MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
    MlirBlock blocks[2];
    for (int i = 0; i < 2; i++) {
        blocks[i] = mlirBlockCreate(0, NULL, NULL);
        mlirRegionAppendOwnedBlock(regions[i], blocks[i]);
    }
    MlirOperation roles = build_op_regions(&b, OP_SPECIALISE, NO_OPERANDS, NO_RESULTS, NO_ATTRS, 2, regions);
    build_producer(s, blocks[0]);
    build_consumer(s, blocks[1], moved, count);
    adder_split(s, roles);
}
