// Rewriting a function that specialise.c has decided on.
#include "passes/specialise.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { BARRIER_BYTES = 8, ALIGNMENT = 1024 };

static MlirValue binary(struct builder *b, const char *name, MlirValue x, MlirValue y) {
    return VALUE(b, name, OPERANDS(x, y), RESULTS(mlirValueGetType(x)), NO_ATTRS);
}

static MlirValue i32(struct builder *b, int64_t value) {
    return const_int(b, type_i32(b->ir), value);
}

static MlirValue compare(struct builder *b, int64_t predicate, MlirValue x, MlirValue y) {
    MlirAttribute kind = mlirIntegerAttrGet(type_i64(b->ir), predicate);
    return VALUE(b, "arith.cmpi", OPERANDS(x, y), RESULTS(type_i1(b->ir)), ATTRS(attr(b, "predicate", kind)));
}

enum { EQUAL = 0, NOT_EQUAL = 1, BELOW = 2 };

static MlirValue select(struct builder *b, MlirValue condition, MlirValue x, MlirValue y) {
    return VALUE(b, "arith.select", OPERANDS(condition, x, y), RESULTS(mlirValueGetType(x)), NO_ATTRS);
}

// ---- slots: their number, and the parity of how often all of them have been used ----

struct place {
    MlirValue slot, parity;
};

static struct place next_place(struct specialise *s, struct builder *b, struct place at) {
    MlirValue next = binary(b, "arith.addi", at.slot, i32(b, 1));
    MlirValue wraps = compare(b, EQUAL, next, i32(b, s->slots));
    return (struct place){select(b, wraps, i32(b, 0), next),
                          select(b, wraps, binary(b, "arith.xori", at.parity, i32(b, 1)), at.parity)};
}

static MlirValue slot_before(struct specialise *s, struct builder *b, MlirValue slot) {
    MlirValue first = compare(b, EQUAL, slot, i32(b, 0));
    return select(b, first, i32(b, s->slots - 1), binary(b, "arith.subi", slot, i32(b, 1)));
}

static MlirValue barrier_of(struct builder *b, MlirValue barriers, MlirValue slot) {
    return binary(b, "arith.addi", barriers, binary(b, "arith.muli", slot, i32(b, BARRIER_BYTES)));
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
    struct place start;
    MlirValue id[3]; // what the program ids are in it
};

// Programs are dealt to blocks in turn. Leaves the builder at the loop's body.
static struct tiles begin_tiles(struct specialise *s, struct builder *b) {
    struct tiles tiles;
    MlirType type = type_i32(s->ir);
    MlirValue first = VALUE(b, "tk.program_id", NO_OPERANDS, RESULTS(type), ATTRS(attr_i32(b, "axis", 0)));
    MlirValue stride = VALUE(b, "tk.num_programs", NO_OPERANDS, RESULTS(type), ATTRS(attr_i32(b, "axis", 0)));
    MlirValue rows = binary(b, "arith.muli", s->grid[0], s->grid[1]);
    MlirValue total = binary(b, "arith.muli", rows, s->grid[2]);
    build_for(b, first, total, stride, OPERANDS(i32(b, 0), i32(b, 0)), &tiles.body);
    *b = builder_at_end(s->ir, tiles.body, b->location);
    MlirValue tile = mlirBlockGetArgument(tiles.body, 0);
    tiles.start = (struct place){mlirBlockGetArgument(tiles.body, 1), mlirBlockGetArgument(tiles.body, 2)};
    MlirValue row = binary(b, "arith.divui", tile, s->grid[0]);
    tiles.id[0] = binary(b, "arith.remui", tile, s->grid[0]);
    tiles.id[1] = binary(b, "arith.remui", row, s->grid[1]);
    tiles.id[2] = binary(b, "arith.divui", row, s->grid[1]);
    return tiles;
}

static void end_tiles(struct builder *b, struct place end) {
    build_yield(b, OPERANDS(end.slot, end.parity));
}

// What stands for a program id or a number of programs in the loop over tiles; null for other ops.
static MlirValue program_value(struct specialise *s, const struct tiles *tiles, MlirOperation op) {
    enum op_kind kind = op_kind(s->ir, op);
    int64_t axis = op_int(op, "axis", 0);
    return kind == OP_PROGRAM_ID     ? tiles->id[axis]
           : kind == OP_NUM_PROGRAMS ? s->grid[axis]
                                     : (MlirValue){NULL};
}

// ---- the producer ----

// Scalars that do not change in the loop are computed once a tile: no later pass may move a division.
static void compute_invariants(struct specialise *s, struct builder *b, struct map *map) {
    for (size_t i = 0; i < s->load_count; i++) {
        for (unsigned d = 0; d < s->loads[i].tile.rank; d++) {
            const struct tile_index *first = &s->loads[i].tile.dim[d].first;
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

static void copy_stage(struct specialise *s, struct builder *b, struct map *map, MlirValue slot) {
    unsigned bytes = 0;
    for (size_t i = 0; i < s->load_count; i++) {
        bytes += s->loads[i].bytes;
    }
    MlirValue full = barrier_of(b, s->full, slot);
    OP(b, "tk.mbarrier_expect", OPERANDS(full), NO_RESULTS, ATTRS(attr_i32(b, "bytes", (int32_t)bytes)));
    for (size_t i = 0; i < s->load_count; i++) {
        const struct copy *copy = &s->loads[i];
        b->location = mlirOperationGetLocation(copy->access);
        MlirValue operands[3 + TILE_DIMS] = {slot_of(b, copy, slot), copy->map, full};
        for (unsigned d = 0; d < copy->tile.rank; d++) {
            operands[3 + d] = specialise_corner(b, &copy->tile.dim[d].first, map, s->loop);
        }
        build_op(b, "tk.bulk_load", (struct operands){3 + copy->tile.rank, operands}, NO_RESULTS,
                 ATTRS(attr_i32(b, "inner", (int32_t)copy->inner)));
    }
}

static void build_producer(struct specialise *s, MlirBlock block) {
    struct builder b = builder_at_end(s->ir, block, mlirOperationGetLocation(s->loop));
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
    compute_invariants(s, &b, &map);
    MlirValue bounds[3];
    for (intptr_t i = 0; i < 3; i++) {
        bounds[i] = specialise_scalar(&b, mlirOperationGetOperand(s->loop, i), &map);
    }
    MlirBlock body;
    MlirOperation loop =
        build_for(&b, bounds[0], bounds[1], bounds[2], OPERANDS(tiles.start.slot, tiles.start.parity), &body);
    struct builder in = builder_at_end(s->ir, body, b.location);
    map_put(&map, mlirBlockGetArgument(op_body(s->loop, 0), 0).ptr,
            (void *)mlirBlockGetArgument(body, 0).ptr);
    struct place at = {mlirBlockGetArgument(body, 1), mlirBlockGetArgument(body, 2)};
    wait_for(&in, s->empty, at.slot, binary(&in, "arith.xori", at.parity, i32(&in, 1)));
    copy_stage(s, &in, &map, at.slot);
    struct place next = next_place(s, &in, at);
    build_yield(&in, OPERANDS(next.slot, next.parity));
    end_tiles(&b, (struct place){mlirOperationGetResult(loop, 0), mlirOperationGetResult(loop, 1)});
    struct builder end = builder_at_end(s->ir, block, b.location);
    OP(&end, "tk.yield", NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    map_free(&map);
}

// ---- the consumers ----

// The loop again, carrying the slot and its parity.
static MlirOperation carry_place(struct specialise *s, struct place start) {
    struct builder b = builder_before(s->ir, s->loop);
    intptr_t count = mlirOperationGetNumResults(s->loop), fixed = 3 + count;
    MlirValue *operands = ARENA_ARRAY(s->arena, MlirValue, fixed + 2);
    MlirType *types = ARENA_ARRAY(s->arena, MlirType, count + 2);
    MlirBlock body = op_body(s->loop, 0);
    for (intptr_t i = 0; i < fixed; i++) {
        operands[i] = mlirOperationGetOperand(s->loop, i);
    }
    operands[fixed] = start.slot;
    operands[fixed + 1] = start.parity;
    for (intptr_t i = 0; i < count + 2; i++) {
        types[i] = mlirValueGetType(operands[3 + i]);
    }
    mlirBlockAddArgument(body, type_i32(s->ir), b.location);
    mlirBlockAddArgument(body, type_i32(s->ir), b.location);
    intptr_t attribute_count = mlirOperationGetNumAttributes(s->loop);
    MlirNamedAttribute *attributes = ARENA_ARRAY(s->arena, MlirNamedAttribute, attribute_count + 1);
    for (intptr_t i = 0; i < attribute_count; i++) {
        attributes[i] = mlirOperationGetAttribute(s->loop, i);
    }
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(s->loop, 0));
    MlirOperation made = build_op_regions(&b, "scf.for", (struct operands){fixed + 2, operands},
                                          (struct results){count + 2, types},
                                          (struct attrs){attribute_count, attributes}, 1, &region);
    for (intptr_t i = 0; i < count; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(s->loop, i), mlirOperationGetResult(made, i));
    }
    mlirOperationDestroy(s->loop);
    return made;
}

static void yield_place(struct specialise *s, struct place next) {
    MlirOperation yield = mlirBlockGetTerminator(op_body(s->loop, 0));
    intptr_t count = mlirOperationGetNumOperands(yield);
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, count + 2);
    for (intptr_t i = 0; i < count; i++) {
        values[i] = mlirOperationGetOperand(yield, i);
    }
    values[count] = next.slot;
    values[count + 1] = next.parity;
    struct builder b = builder_before(s->ir, yield);
    build_yield(&b, (struct operands){count + 2, values});
    mlirOperationDestroy(yield);
}

// What read a load reads its slot.
static void read_slots(struct specialise *s, struct builder *b, MlirValue slot) {
    for (size_t i = 0; i < s->load_count; i++) {
        MlirValue tile = mlirOperationGetResult(s->loads[i].access, 0),
                  place = slot_of(b, &s->loads[i], slot);
        while (value_has_uses(tile)) {
            MlirOperation convert = mlirOpOperandGetOwner(mlirValueGetFirstUse(tile));
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(convert, 0), place);
            mlirOperationDestroy(convert);
        }
        mlirOperationDestroy(s->loads[i].access);
    }
}

static void arrive(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition) {
    OP(b, "tk.mbarrier_arrive", OPERANDS(barrier_of(b, barriers, slot), condition), NO_RESULTS, NO_ATTRS);
}

static struct place rewrite_loop(struct specialise *s, struct place start) {
    s->loop = carry_place(s, start);
    MlirBlock body = op_body(s->loop, 0);
    intptr_t last = mlirBlockGetNumArguments(body) - 1, results = mlirOperationGetNumResults(s->loop);
    struct place at = {mlirBlockGetArgument(body, last - 1), mlirBlockGetArgument(body, last)};
    struct builder in = builder_before(s->ir, mlirBlockGetFirstOperation(body));
    in.location = mlirOperationGetLocation(s->loop);
    wait_for(&in, s->full, at.slot, at.parity);
    read_slots(s, &in, at.slot);
    MlirValue lower = mlirOperationGetOperand(s->loop, 0), upper = mlirOperationGetOperand(s->loop, 1);
    struct builder end = builder_before(s->ir, mlirBlockGetTerminator(body));
    end.location = in.location;
    if (s->in_flight) { // this dot still reads its slot; the one before is done
        op_set_int(s->ir, s->dot, "in_flight", 1);
        MlirValue later = compare(&end, NOT_EQUAL, mlirBlockGetArgument(body, 0), lower);
        arrive(&end, s->empty, slot_before(s, &end, at.slot), later);
    } else {
        arrive(&end, s->empty, at.slot, const_int(&end, type_i1(s->ir), 1));
    }
    yield_place(s, next_place(s, &end, at));
    struct place left = {mlirOperationGetResult(s->loop, results - 2),
                         mlirOperationGetResult(s->loop, results - 1)};
    if (s->in_flight) {
        struct builder after = builder_after(s->ir, s->loop);
        after.location = in.location;
        arrive(&after, s->empty, slot_before(s, &after, left.slot), compare(&after, BELOW, lower, upper));
    }
    return left;
}

static void rewrite_stores(struct specialise *s, const struct tiles *tiles) {
    (void)tiles;
    for (size_t i = 0; i < s->store_count; i++) {
        struct copy *copy = &s->stores[i];
        struct builder b = builder_before(s->ir, copy->access);
        struct map map = {0};
        MlirValue operands[3 + TILE_DIMS] = {copy->map, copy->buffer, copy->value};
        for (unsigned d = 0; d < copy->tile.rank; d++) {
            operands[3 + d] = specialise_corner(&b, &copy->tile.dim[d].first, &map, s->loop);
        }
        build_op(&b, "tk.bulk_store", (struct operands){3 + copy->tile.rank, operands}, NO_RESULTS, NO_ATTRS);
        mlirOperationDestroy(copy->access);
        map_free(&map);
    }
}

static void build_consumer(struct specialise *s, MlirBlock block, MlirOperation *moved, size_t count) {
    struct builder b = builder_at_end(s->ir, block, mlirOperationGetLocation(s->loop));
    struct builder top = b;
    struct tiles tiles = begin_tiles(s, &b);
    for (size_t i = 0; i < count; i++) {
        mlirOperationRemoveFromParent(moved[i]);
        mlirBlockAppendOwnedOperation(tiles.body, moved[i]);
    }
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
    rewrite_stores(s, &tiles);
    struct place end = rewrite_loop(s, tiles.start);
    b = builder_at_end(s->ir, tiles.body, b.location);
    end_tiles(&b, end);
    if (s->store_count > 0) {
        OP(&top, "tk.bulk_wait", NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    OP(&top, "tk.yield", NO_OPERANDS, NO_RESULTS, NO_ATTRS);
}

// ---- the function ----

static void add_arguments(struct specialise *s) {
    MlirType map = tk_tensor_map_type(s->ir);
    for (size_t i = 0; i < s->load_count; i++) {
        s->loads[i].map = specialise_argument(s, "tensor_map", map, specialise_map(s, &s->loads[i]));
    }
    for (size_t i = 0; i < s->store_count; i++) {
        s->stores[i].map = specialise_argument(s, "tensor_map", map, specialise_map(s, &s->stores[i]));
    }
    static const char *const axes[] = {"grid_x", "grid_y", "grid_z"};
    for (int i = 0; i < 3; i++) {
        s->grid[i] = specialise_argument(s, axes[i], type_i32(s->ir), mlirAttributeGetNull());
    }
    op_set_int(s->ir, s->function, "tk.producer_warps", SPECIALISE_PRODUCER_WARPS);
    op_set_int(s->ir, s->function, "tk.persistent", 1);
}

static void allocate(struct specialise *s, struct builder *b) {
    for (size_t i = 0; i < s->load_count; i++) {
        s->loads[i].buffer = VALUE(b, "tk.smem_alloc", NO_OPERANDS, RESULTS(s->loads[i].type),
                                   ATTRS(attr_i32(b, "stages", s->slots)));
    }
    for (size_t i = 0; i < s->store_count; i++) {
        int64_t bytes = s->stores[i].bytes;
        struct layout plain = layout_row_major_shared(1, &bytes);
        MlirType type = tensor_type(1, &bytes, type_i8(s->ir), layout_attribute(s->ir, &plain));
        s->stores[i].buffer = VALUE(b, "tk.smem_alloc", NO_OPERANDS, RESULTS(type),
                                    ATTRS(attr_i32(b, "stages", 1), attr_i32(b, "alignment", ALIGNMENT)));
    }
    MlirType type = type_i32(s->ir);
    s->full = VALUE(b, "tk.mbarrier_alloc", NO_OPERANDS, RESULTS(type),
                    ATTRS(attr_i32(b, "count", s->slots), attr_i32(b, "arrivals", 1)));
    s->empty = VALUE(b, "tk.mbarrier_alloc", NO_OPERANDS, RESULTS(type),
                     ATTRS(attr_i32(b, "count", s->slots), attr_i32(b, "arrivals", (int32_t)s->num_warps)));
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
    b.location = mlirOperationGetLocation(s->loop);
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
