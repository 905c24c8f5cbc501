// Rewriting a function that specialise.c has decided on.
#include "passes/specialise.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { ALIGNMENT = 1024 };
enum { AHEAD, BEHIND }; // groups of slots: of a dot that starts ahead, or of all; of the other dot

static MlirValue i32(struct builder *b, int64_t value) {
    return const_int(b, type_i32(b->ir), value);
}

// ---- slots: their number, and the parity of how often all of them have been used ----

static struct place next_place(struct specialise *s, struct builder *b, struct place at) {
    MlirValue next = build_binary(b, "arith.addi", at.slot, i32(b, 1));
    MlirValue wraps = build_compare(b, INT_EQ, next, i32(b, s->slots));
    return (struct place){
        build_select(b, wraps, i32(b, 0), next),
        build_select(b, wraps, build_binary(b, "arith.xori", at.parity, i32(b, 1)), at.parity)};
}

static MlirValue slot_before(struct specialise *s, struct builder *b, MlirValue slot) {
    MlirValue first = build_compare(b, INT_EQ, slot, i32(b, 0));
    return build_select(b, first, i32(b, s->slots - 1), build_binary(b, "arith.subi", slot, i32(b, 1)));
}

static MlirValue barrier_of(struct builder *b, MlirValue barriers, MlirValue slot) {
    return build_binary(b, "arith.addi", barriers,
                        build_binary(b, "arith.muli", slot, i32(b, MBARRIER_BYTES)));
}

static MlirValue slot_of(struct builder *b, const struct copy *copy, MlirValue slot) {
    return VALUE(b, "tk.smem_slot", OPERANDS(copy->buffer, slot), RESULTS(copy->type), NO_ATTRS);
}

static void wait_for(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue parity) {
    OP(b, "tk.mbarrier_wait", OPERANDS(barrier_of(b, barriers, slot), parity), NO_RESULTS, NO_ATTRS);
}

// ---- the loop over tiles, of either role ----

struct tiles {
    MlirBlock body;
    struct place start, kept; // of what the loops bring, and of what is kept for a tile
    MlirValue id[3];          // what the program ids are in it
};

// Programs are dealt to blocks in turn. Leaves the builder at the loop's body.
static struct tiles begin_tiles(struct specialise *s, struct builder *b) {
    struct tiles tiles;
    MlirType type = type_i32(s->ir);
    MlirValue first = VALUE(b, "tk.program_id", NO_OPERANDS, RESULTS(type), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
    MlirValue stride =
        VALUE(b, "tk.num_programs", NO_OPERANDS, RESULTS(type), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
    MlirValue rows = build_binary(b, "arith.muli", s->grid[0], s->grid[1]);
    MlirValue total = build_binary(b, "arith.muli", rows, s->grid[2]);
    MlirValue inits[4] = {i32(b, 0), i32(b, 0)};
    for (int i = 2; i < 4 && s->kept_count; i++) {
        inits[i] = i32(b, 0);
    }
    build_for(b, first, total, stride, (struct operands){s->kept_count ? 4 : 2, inits}, &tiles.body);
    *b = builder_at_end(s->ir, tiles.body, b->location);
    MlirValue tile = mlirBlockGetArgument(tiles.body, 0);
    tiles.start = (struct place){mlirBlockGetArgument(tiles.body, 1), mlirBlockGetArgument(tiles.body, 2)};
    if (s->kept_count) {
        tiles.kept = (struct place){mlirBlockGetArgument(tiles.body, 3), mlirBlockGetArgument(tiles.body, 4)};
    }
    MlirValue row = build_binary(b, "arith.divui", tile, s->grid[0]);
    tiles.id[0] = build_binary(b, "arith.remui", tile, s->grid[0]);
    tiles.id[1] = build_binary(b, "arith.remui", row, s->grid[1]);
    tiles.id[2] = build_binary(b, "arith.divui", row, s->grid[1]);
    return tiles;
}

static void end_tiles(struct specialise *s, const struct tiles *tiles, struct builder *b, struct place end) {
    if (s->kept_count) {
        struct place kept = kept_next(s, b, tiles->kept);
        build_yield(b, OPERANDS(end.slot, end.parity, kept.slot, kept.parity));
    } else {
        build_yield(b, OPERANDS(end.slot, end.parity));
    }
}

// What stands for a program id or a number of programs in the loop over tiles; null for other ops.
static MlirValue program_value(struct specialise *s, const struct tiles *tiles, MlirOperation op) {
    enum op_kind kind = op_kind(s->ir, op);
    int64_t axis = op_int(op, ATTR_AXIS, 0);
    return kind == OP_PROGRAM_ID     ? tiles->id[axis]
           : kind == OP_NUM_PROGRAMS ? s->grid[axis]
                                     : (MlirValue){NULL};
}

// ---- the producer ----

// Scalars that do not change in the loop are computed once a tile: no later pass may move a division.
static void compute_invariants(struct specialise *s, const struct stage_loop *stage, struct builder *b,
                               struct map *map) {
    for (size_t i = 0; i < stage->load_count; i++) {
        for (unsigned d = 0; d < stage->loads[i].tile.rank; d++) {
            const struct tile_index *first = &stage->loads[i].tile.dim[d].first;
            for (int t = 0; t < first->term_count; t++) {
                for (int n = 0; n < first->terms[t].symbol_count; n++) {
                    MlirValue value = first->terms[t].symbols[n].value;
                    MlirOperation op = mlirValueIsNull(value) ? (MlirOperation){NULL} : value_op(value);
                    if (!mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), s->body)) {
                        specialise_scalar(b, value, map);
                    }
                }
            }
        }
    }
}

// Brings the loads of one group once its slot is free.
static void copy_group(struct specialise *s, const struct stage_loop *stage, unsigned group,
                       struct builder *b, struct map *map, struct place at) {
    unsigned bytes = 0;
    for (size_t i = 0; i < stage->load_count; i++) {
        bytes += stage->loads[i].group == group ? stage->loads[i].bytes : 0;
    }
    if (bytes == 0) {
        return;
    }
    wait_for(b, s->empty[group], at.slot, build_binary(b, "arith.xori", at.parity, i32(b, 1)));
    MlirValue full = barrier_of(b, s->full[group], at.slot);
    OP(b, "tk.mbarrier_expect", OPERANDS(full), NO_RESULTS, ATTRS(attr_i32(b, ATTR_BYTES, (int32_t)bytes)));
    for (size_t i = 0; i < stage->load_count; i++) {
        const struct copy *copy = &stage->loads[i];
        if (copy->group != group) {
            continue;
        }
        b->location = mlirOperationGetLocation(copy->access);
        specialise_bring(b, copy, slot_of(b, copy, at.slot), full, map, stage->loop);
    }
}

// The loop again, bringing what it reads. What `map` learns inside is forgotten: the next loop has its own.
static struct place produce(struct specialise *s, const struct stage_loop *stage, struct builder *b,
                            const struct map *known, struct place start) {
    struct map map = {0};
    map_add_all(&map, known);
    compute_invariants(s, stage, b, &map);
    MlirValue bounds[3];
    for (intptr_t i = 0; i < 3; i++) {
        bounds[i] = specialise_scalar(b, mlirOperationGetOperand(stage->loop, i), &map);
    }
    MlirBlock body;
    MlirOperation loop =
        build_for(b, bounds[0], bounds[1], bounds[2], OPERANDS(start.slot, start.parity), &body);
    struct builder in = builder_at_end(s->ir, body, b->location);
    map_put(&map, mlirBlockGetArgument(op_body(stage->loop, 0), 0).ptr,
            (void *)mlirBlockGetArgument(body, 0).ptr);
    struct place at = {mlirBlockGetArgument(body, 1), mlirBlockGetArgument(body, 2)};
    for (unsigned group = 0; group < SPECIALISE_GROUPS; group++) {
        copy_group(s, stage, group, &in, &map, at);
    }
    struct place next = next_place(s, &in, at);
    build_yield(&in, OPERANDS(next.slot, next.parity));
    map_free(&map);
    return (struct place){mlirOperationGetResult(loop, 0), mlirOperationGetResult(loop, 1)};
}

static void build_producer(struct specialise *s, MlirBlock block) {
    struct builder b = builder_at_end(s->ir, block, mlirOperationGetLocation(s->loops[0].loop));
    struct tiles tiles = begin_tiles(s, &b);
    struct map map = {0};
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirValue value = program_value(s, &tiles, ops[i]);
        if (!mlirValueIsNull(value)) {
            map_put(&map, mlirOperationGetResult(ops[i], 0).ptr, (void *)value.ptr);
        }
    }
    kept_bring(s, &b, &map, tiles.kept);
    struct place at = tiles.start;
    for (size_t i = 0; i < s->loop_count; i++) {
        at = produce(s, &s->loops[i], &b, &map, at);
    }
    end_tiles(s, &tiles, &b, at);
    struct builder end = builder_at_end(s->ir, block, b.location);
    OP(&end, "tk.yield", NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    map_free(&map);
}

// ---- the consumers ----

// The loop again, carrying `count` more values from `inits` on. They are its last arguments and results.
static void carry(struct specialise *s, struct stage_loop *stage, const MlirValue *inits, intptr_t count) {
    MlirOperation old = stage->loop;
    struct builder b = builder_before(s->ir, old);
    intptr_t fixed = mlirOperationGetNumOperands(old), results = mlirOperationGetNumResults(old);
    MlirValue *operands = ARENA_ARRAY(s->arena, MlirValue, fixed + count);
    MlirType *types = ARENA_ARRAY(s->arena, MlirType, results + count);
    MlirBlock body = op_body(old, 0);
    for (intptr_t i = 0; i < fixed + count; i++) {
        operands[i] = i < fixed ? mlirOperationGetOperand(old, i) : inits[i - fixed];
        if (i >= 3) {
            types[i - 3] = mlirValueGetType(operands[i]);
        }
        if (i >= fixed) {
            mlirBlockAddArgument(body, types[i - 3], b.location);
        }
    }
    intptr_t attribute_count = mlirOperationGetNumAttributes(old);
    MlirNamedAttribute *attributes = ARENA_ARRAY(s->arena, MlirNamedAttribute, attribute_count + 1);
    for (intptr_t i = 0; i < attribute_count; i++) {
        attributes[i] = mlirOperationGetAttribute(old, i);
    }
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(old, 0));
    stage->loop = build_op_regions(&b, "scf.for", (struct operands){fixed + count, operands},
                                   (struct results){results + count, types},
                                   (struct attrs){attribute_count, attributes}, 1, &region);
    for (intptr_t i = 0; i < results; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(old, i), mlirOperationGetResult(stage->loop, i));
    }
    mlirOperationDestroy(old);
}

static void yield_more(struct specialise *s, const struct stage_loop *stage, const MlirValue *more,
                       intptr_t count) {
    MlirOperation yield = mlirBlockGetTerminator(op_body(stage->loop, 0));
    intptr_t known = mlirOperationGetNumOperands(yield);
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, known + count);
    for (intptr_t i = 0; i < known + count; i++) {
        values[i] = i < known ? mlirOperationGetOperand(yield, i) : more[i - known];
    }
    struct builder b = builder_before(s->ir, yield);
    build_yield(&b, (struct operands){known + count, values});
    mlirOperationDestroy(yield);
}

// A vector is read from its slot as the tile wants it that it is spread over.
static void read_vector(struct specialise *s, const struct copy *copy, MlirValue place) {
    MlirOperation convert = vector_conversion(copy), expand = value_op(mlirOperationGetOperand(convert, 0));
    struct builder b = builder_before(s->ir, copy->access);
    MlirValue wanted = mlirOperationGetResult(convert, 0);
    int64_t axis = op_int(expand, ATTR_AXIS, 0), extent = copy->inner;
    struct layout layout =
        layout_expand_dim_operand(type_layout(s->ir, mlirValueGetType(wanted)), (unsigned)axis);
    MlirType type = tensor_type(1, &extent, type_element(copy->type), layout_attribute(s->ir, &layout));
    MlirValue tile = VALUE(&b, "tk.smem_load", OPERANDS(place), RESULTS(type), NO_ATTRS);
    MlirValue spread = VALUE(&b, "tk.expand_dims", OPERANDS(tile), RESULTS(mlirValueGetType(wanted)),
                             ATTRS(attr_i32(&b, ATTR_AXIS, (int32_t)axis)));
    mlirValueReplaceAllUsesOfWith(wanted, spread);
    mlirOperationDestroy(convert);
    mlirOperationDestroy(expand);
}

static bool brings_vectors(const struct stage_loop *stage) {
    for (size_t i = 0; i < stage->load_count; i++) {
        if (stage->loads[i].swizzle == 0) {
            return true;
        }
    }
    return false;
}

// What read a load reads its slot.
static void read_slots(struct specialise *s, const struct stage_loop *stage, struct builder *b,
                       MlirValue slot) {
    for (size_t i = 0; i < stage->load_count; i++) {
        MlirValue place = slot_of(b, &stage->loads[i], slot);
        if (stage->loads[i].swizzle == 0) {
            read_vector(s, &stage->loads[i], place);
        }
        specialise_read(&stage->loads[i], place);
    }
}

static void arrive(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition) {
    OP(b, "tk.mbarrier_arrive", OPERANDS(barrier_of(b, barriers, slot), condition), NO_RESULTS, NO_ATTRS);
}

// For a slot whose vectors are read by all threads of a warp, each in its own time.
static void arrive_together(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition) {
    OP(b, "tk.mbarrier_arrive", OPERANDS(barrier_of(b, barriers, slot), condition), NO_RESULTS,
       ATTRS(attr_unit(b, ATTR_TOGETHER)));
}

// The view of a slot, and views of it, with another slot's number.
static MlirValue view_of(struct specialise *s, struct builder *b, MlirValue view, MlirValue slot) {
    MlirOperation op = value_op(view);
    if (op_kind(s->ir, op) == OP_SMEM_SLOT) {
        return VALUE(b, "tk.smem_slot", OPERANDS(mlirOperationGetOperand(op, 0), slot),
                     RESULTS(mlirValueGetType(view)), NO_ATTRS);
    }
    MlirAttribute order = op_attribute(op, ATTR_ORDER);
    return VALUE(b, "tk.smem_trans", OPERANDS(view_of(s, b, mlirOperationGetOperand(op, 0), slot)),
                 RESULTS(mlirValueGetType(view)), ATTRS(attr(b, ATTR_ORDER, order)));
}

// The dot that starts ahead, for another slot. Under way until a dot_wait lets its result pass.
static MlirValue dot_of(struct specialise *s, struct builder *b, MlirOperation dot, MlirValue slot) {
    MlirOperation clone = mlirOperationClone(dot);
    MlirOperation zero = mlirOperationClone(value_op(mlirOperationGetOperand(dot, 2)));
    MlirValue view = view_of(s, b, mlirOperationGetOperand(dot, 1), slot);
    op_set_unit(s->ir, clone, ATTR_AHEAD);
    build_insert(b, zero);
    build_insert(b, clone);
    mlirOperationSetOperand(clone, 1, view);
    mlirOperationSetOperand(clone, 2, mlirOperationGetResult(zero, 0));
    return mlirOperationGetResult(clone, 0);
}

static MlirValue landed(struct builder *b, MlirValue value) {
    return VALUE(b, "tk.dot_wait", OPERANDS(value), RESULTS(mlirValueGetType(value)),
                 ATTRS(attr_i32(b, ATTR_PENDING, 0)));
}

// The first iteration's result of the dot that starts ahead; of a loop that does not run, anything.
static MlirValue first_ahead(struct specialise *s, const struct stage_loop *stage, MlirValue slot,
                             MlirValue parity) {
    struct builder b = builder_before(s->ir, stage->loop);
    MlirValue lower = mlirOperationGetOperand(stage->loop, 0),
              upper = mlirOperationGetOperand(stage->loop, 1);
    MlirType type = mlirValueGetType(mlirOperationGetResult(stage->ahead, 0));
    MlirBlock runs, skipped;
    MlirOperation branch =
        build_if(&b, build_compare(&b, INT_SLT, lower, upper), RESULTS(type), &runs, &skipped);
    struct builder in = builder_at_end(s->ir, runs, b.location);
    wait_for(&in, s->full[AHEAD], slot, parity);
    MlirValue first = landed(&in, dot_of(s, &in, stage->ahead, slot));
    MlirValue left = build_binary(&in, "arith.subi", upper, lower);
    arrive(&in, s->empty[AHEAD], slot,
           build_compare(&in, INT_SLT, mlirOperationGetOperand(stage->loop, 2), left));
    build_yield(&in, OPERANDS(first));
    struct builder otherwise = builder_at_end(s->ir, skipped, b.location);
    MlirOperation zero = mlirOperationClone(value_op(mlirOperationGetOperand(stage->ahead, 2)));
    mlirBlockAppendOwnedOperation(skipped, zero);
    build_yield(&otherwise, OPERANDS(mlirOperationGetResult(zero, 0)));
    return mlirOperationGetResult(branch, 0);
}

// The loop of two dots, whose first starts an iteration early. In the last iteration there is no next slot: the dot
// multiplies this one's again, and nobody reads the result. So the slot of the dot that starts ahead is free at the end
// of the iteration before its own, but for the last iteration's.
static struct place rewrite_chain(struct specialise *s, struct stage_loop *stage, struct place start) {
    MlirBlock body = op_body(stage->loop, 0);
    MlirValue inits[3] = {start.slot, start.parity};
    carry(s, stage, inits, 2);
    intptr_t last = mlirBlockGetNumArguments(body) - 1;
    body = op_body(stage->loop, 0);
    struct place at = {mlirBlockGetArgument(body, last - 1), mlirBlockGetArgument(body, last)};
    struct builder in = builder_before(s->ir, mlirBlockGetFirstOperation(body));
    in.location = mlirOperationGetLocation(stage->loop);
    read_slots(s, stage, &in, at.slot);
    inits[2] = first_ahead(s, stage, start.slot, start.parity);
    carry(s, stage, inits + 2, 1);
    body = op_body(stage->loop, 0);
    in = builder_before(s->ir, mlirBlockGetFirstOperation(body));
    in.location = mlirOperationGetLocation(stage->loop);
    struct place next = next_place(s, &in, at);
    MlirValue counter = mlirBlockGetArgument(body, 0), step = mlirOperationGetOperand(stage->loop, 2);
    MlirValue left = build_binary(&in, "arith.subi", mlirOperationGetOperand(stage->loop, 1), counter);
    MlirValue more = build_compare(&in, INT_SLT, step, left);
    MlirValue more_yet = build_compare(&in, INT_SLT, step, build_binary(&in, "arith.subi", left, step));
    MlirValue slot = build_select(&in, more, next.slot, at.slot);
    wait_for(&in, s->full[AHEAD], slot, build_select(&in, more, next.parity, at.parity));
    MlirValue ahead = dot_of(s, &in, stage->ahead, slot);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(stage->ahead, 0),
                                  mlirBlockGetArgument(body, last + 1));
    mlirOperationDestroy(stage->ahead);
    struct builder end = builder_before(s->ir, mlirBlockGetTerminator(body));
    end.location = in.location;
    struct builder behind = builder_before(s->ir, stage->dot);
    wait_for(&behind, s->full[BEHIND], at.slot, at.parity);
    MlirValue yielded[3] = {next.slot, next.parity, landed(&end, ahead)};
    MlirValue always = const_int(&end, type_i1(s->ir), 1);
    arrive(&end, s->empty[BEHIND], at.slot, always);
    arrive(&end, s->empty[AHEAD], slot, build_select(&end, more, more_yet, always));
    yield_more(s, stage, yielded, 3);
    intptr_t results = mlirOperationGetNumResults(stage->loop);
    return (struct place){mlirOperationGetResult(stage->loop, results - 3),
                          mlirOperationGetResult(stage->loop, results - 2)};
}

static struct place rewrite_loop(struct specialise *s, struct stage_loop *stage, struct place start) {
    MlirValue inits[2] = {start.slot, start.parity};
    carry(s, stage, inits, 2);
    MlirBlock body = op_body(stage->loop, 0);
    intptr_t last = mlirBlockGetNumArguments(body) - 1, results = mlirOperationGetNumResults(stage->loop);
    struct place at = {mlirBlockGetArgument(body, last - 1), mlirBlockGetArgument(body, last)};
    struct builder in = builder_before(s->ir, mlirBlockGetFirstOperation(body));
    in.location = mlirOperationGetLocation(stage->loop);
    wait_for(&in, s->full[AHEAD], at.slot, at.parity);
    read_slots(s, stage, &in, at.slot);
    MlirValue lower = mlirOperationGetOperand(stage->loop, 0),
              upper = mlirOperationGetOperand(stage->loop, 1);
    struct builder end = builder_before(s->ir, mlirBlockGetTerminator(body));
    end.location = in.location;
    void (*release)(struct builder *, MlirValue, MlirValue, MlirValue) =
        brings_vectors(stage) ? arrive_together : arrive;
    if (stage->in_flight) { // this dot still reads its slot; the one before is done
        op_set_int(s->ir, stage->dot, ATTR_IN_FLIGHT, 1);
        MlirValue later = build_compare(&end, INT_NE, mlirBlockGetArgument(body, 0), lower);
        release(&end, s->empty[AHEAD], slot_before(s, &end, at.slot), later);
    } else {
        release(&end, s->empty[AHEAD], at.slot, const_int(&end, type_i1(s->ir), 1));
    }
    struct place next = next_place(s, &end, at);
    yield_more(s, stage, (MlirValue[]){next.slot, next.parity}, 2);
    struct place left = {mlirOperationGetResult(stage->loop, results - 2),
                         mlirOperationGetResult(stage->loop, results - 1)};
    if (stage->in_flight) {
        struct builder after = builder_after(s->ir, stage->loop);
        after.location = in.location;
        release(&after, s->empty[AHEAD], slot_before(s, &after, left.slot),
                build_compare(&after, INT_SLT, lower, upper));
    }
    return left;
}

static void rewrite_stores(struct specialise *s) {
    for (size_t i = 0; i < s->store_count; i++) {
        struct copy *copy = &s->stores[i];
        struct builder b = builder_before(s->ir, copy->access);
        struct map map = {0};
        MlirValue operands[3 + TILE_DIMS] = {copy->map, copy->buffer, copy->value};
        for (unsigned d = 0; d < copy->tile.rank; d++) {
            operands[3 + d] = specialise_corner(&b, &copy->tile.dim[d].first, &map, (MlirOperation){NULL});
        }
        build_op(&b, "tk.bulk_store", (struct operands){3 + copy->tile.rank, operands}, NO_RESULTS, NO_ATTRS);
        mlirOperationDestroy(copy->access);
        map_free(&map);
    }
}

static void build_consumer(struct specialise *s, MlirBlock block, MlirOperation *moved, size_t count) {
    struct builder b = builder_at_end(s->ir, block, mlirOperationGetLocation(s->loops[0].loop));
    struct builder top = b;
    struct tiles tiles = begin_tiles(s, &b);
    for (size_t i = 0; i < count; i++) {
        mlirOperationRemoveFromParent(moved[i]);
        mlirBlockAppendOwnedOperation(tiles.body, moved[i]);
    }
    rewrite_stores(s); // what it computes again may ask for program ids
    size_t all;
    MlirOperation *ops = ops_collect(s->ir, s->arena, mlirBlockGetParentOperation(tiles.body), &all);
    MlirOperation *programs = ARENA_ARRAY(s->arena, MlirOperation, all + 1);
    size_t program_count = 0;
    for (size_t i = 0; i < all; i++) {
        if (!mlirValueIsNull(program_value(s, &tiles, ops[i]))) {
            programs[program_count++] = ops[i];
        }
    }
    for (size_t i = 0; i < program_count; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(programs[i], 0),
                                      program_value(s, &tiles, programs[i]));
        mlirOperationDestroy(programs[i]);
    }
    kept_read(s, tiles.kept);
    struct place at = tiles.start;
    for (size_t i = 0; i < s->loop_count; i++) {
        struct stage_loop *stage = &s->loops[i];
        at = mlirOperationIsNull(stage->ahead) ? rewrite_loop(s, stage, at) : rewrite_chain(s, stage, at);
    }
    kept_release(s, tiles.kept);
    b = builder_at_end(s->ir, tiles.body, b.location);
    end_tiles(s, &tiles, &b, at);
    if (s->store_count > 0) {
        OP(&top, "tk.bulk_wait", NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    OP(&top, "tk.yield", NO_OPERANDS, NO_RESULTS, NO_ATTRS);
}

// ---- the function ----

static void add_arguments(struct specialise *s) {
    MlirType map = tk_tensor_map_type(s->ir);
    for (size_t n = 0; n < s->loop_count; n++) {
        for (size_t i = 0; i < s->loops[n].load_count; i++) {
            struct copy *copy = &s->loops[n].loads[i];
            copy->map = specialise_argument(s, HIDDEN_TENSOR_MAP, map, specialise_map(s, copy));
        }
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        s->kept[i].map = specialise_argument(s, HIDDEN_TENSOR_MAP, map, specialise_map(s, &s->kept[i]));
    }
    for (size_t i = 0; i < s->store_count; i++) {
        s->stores[i].map = specialise_argument(s, HIDDEN_TENSOR_MAP, map, specialise_map(s, &s->stores[i]));
    }
    static const enum hidden_parameter axes[] = {HIDDEN_GRID_X, HIDDEN_GRID_Y, HIDDEN_GRID_Z};
    for (int i = 0; i < 3; i++) {
        s->grid[i] = specialise_argument(s, axes[i], type_i32(s->ir), mlirAttributeGetNull());
    }
    op_set_int(s->ir, s->function, ATTR_PRODUCER_WARPS, SPECIALISE_PRODUCER_WARPS);
    op_set_int(s->ir, s->function, ATTR_PERSISTENT, 1);
}

static void allocate(struct specialise *s, struct builder *b) {
    for (size_t i = 0; i < s->loops[0].load_count; i++) {
        MlirValue buffer = VALUE(b, "tk.smem_alloc", NO_OPERANDS, RESULTS(s->loops[0].loads[i].type),
                                 ATTRS(attr_i32(b, ATTR_STAGES, s->slots)));
        for (size_t n = 0; n < s->loop_count; n++) {
            s->loops[n].loads[i].buffer = buffer;
        }
    }
    for (size_t i = 0; i < s->store_count; i++) {
        int64_t bytes = s->stores[i].bytes;
        struct layout plain = layout_row_major_shared(1, &bytes);
        MlirType type = tensor_type(1, &bytes, type_i8(s->ir), layout_attribute(s->ir, &plain));
        s->stores[i].buffer =
            VALUE(b, "tk.smem_alloc", NO_OPERANDS, RESULTS(type),
                  ATTRS(attr_i32(b, ATTR_STAGES, 1), attr_i32(b, ATTR_ALIGNMENT, ALIGNMENT)));
    }
    kept_allocate(s, b);
    MlirType type = type_i32(s->ir);
    unsigned groups = mlirOperationIsNull(s->loops[0].ahead) ? 1 : SPECIALISE_GROUPS;
    for (unsigned group = 0; group < groups; group++) {
        s->full[group] = VALUE(b, "tk.mbarrier_alloc", NO_OPERANDS, RESULTS(type),
                               ATTRS(attr_i32(b, ATTR_COUNT, s->slots), attr_i32(b, ATTR_ARRIVALS, 1)));
        s->empty[group] = VALUE(
            b, "tk.mbarrier_alloc", NO_OPERANDS, RESULTS(type),
            ATTRS(attr_i32(b, ATTR_COUNT, s->slots), attr_i32(b, ATTR_ARRIVALS, (int32_t)s->num_warps)));
    }
}

void specialise_rewrite(struct specialise *s) {
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
    build_op_regions(&b, "tk.specialise", NO_OPERANDS, NO_RESULTS, NO_ATTRS, 2, regions);
    build_producer(s, blocks[0]);
    build_consumer(s, blocks[1], moved, count);
}
