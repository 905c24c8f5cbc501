// Building the ops of the tables: by kind, and loops, branches, constants and comparisons as a whole.
#include "dialects/tk/tk_build.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/operands.h"

MlirOperation build_op_regions(struct builder *b, enum op_kind kind, struct operands operands,
                               struct results results, struct attrs attrs, intptr_t region_count,
                               MlirRegion *regions) {
    return build_named(b, op_table[kind].name, operands, results, attrs, region_count, regions);
}

MlirOperation build_op(struct builder *b, enum op_kind kind, struct operands operands, struct results results,
                       struct attrs attrs) {
    return build_op_regions(b, kind, operands, results, attrs, 0, NULL);
}

// ---- constants ----

static MlirType element_of(MlirType type) {
    return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

static MlirValue constant(struct builder *b, MlirType type, MlirAttribute element) {
    MlirAttribute value = mlirTypeIsAShaped(type) ? mlirDenseElementsAttrSplatGet(type, element) : element;
    return VALUE(b, OP_CONSTANT, NO_OPERANDS, RESULTS(type), ATTRS(attr(b, ATTR_VALUE, value)));
}

MlirValue const_int(struct builder *b, MlirType type, int64_t value) {
    return constant(b, type, mlirIntegerAttrGet(element_of(type), value));
}

MlirValue const_i32(struct builder *b, int64_t value) {
    return const_int(b, type_i32(b->ir), value);
}

MlirValue const_float(struct builder *b, MlirType type, double value) {
    return constant(b, type, mlirFloatAttrDoubleGet(b->ir->context, element_of(type), value));
}

// ---- arithmetic ----

MlirValue build_binary(struct builder *b, enum op_kind kind, MlirValue x, MlirValue y) {
    return VALUE(b, kind, OPERANDS(x, y), RESULTS(mlirValueGetType(x)), NO_ATTRS);
}

MlirValue build_compare(struct builder *b, enum int_predicate predicate, MlirValue x, MlirValue y) {
    MlirAttribute number = mlirIntegerAttrGet(type_i64(b->ir), predicate);
    return VALUE(b, OP_CMPI, OPERANDS(x, y), RESULTS(type_i1(b->ir)), ATTRS(attr(b, ATTR_PREDICATE, number)));
}

MlirValue build_select(struct builder *b, MlirValue condition, MlirValue yes, MlirValue no) {
    return VALUE(b, OP_SELECT, OPERANDS(condition, yes, no), RESULTS(mlirValueGetType(yes)), NO_ATTRS);
}

// ---- control flow ----

MlirOperation build_for(struct builder *b, MlirValue lower, MlirValue upper, MlirValue step,
                        struct operands inits, MlirBlock *body) {
    intptr_t count = at_for_init + inits.count;
    MlirValue *operands = ARENA_ARRAY(b->ir->arena, MlirValue, count);
    MlirType *types = ARENA_ARRAY(b->ir->arena, MlirType, count);
    MlirLocation *locations = ARENA_ARRAY(b->ir->arena, MlirLocation, count);
    operands[at_for_lower] = lower, operands[at_for_upper] = upper, operands[at_for_step] = step;
    types[0] = mlirValueGetType(lower);
    locations[0] = b->location;
    for (intptr_t i = 0; i < inits.count; i++) {
        operands[at_for_init + i] = inits.values[i];
        types[1 + i] = mlirValueGetType(inits.values[i]);
        locations[1 + i] = b->location;
    }
    MlirRegion region = mlirRegionCreate();
    *body = mlirBlockCreate(1 + inits.count, types, locations);
    mlirRegionAppendOwnedBlock(region, *body);
    return build_op_regions(b, OP_FOR, (struct operands){count, operands},
                            (struct results){inits.count, types + 1}, NO_ATTRS, 1, &region);
}

MlirOperation build_if(struct builder *b, MlirValue condition, struct results results, MlirBlock *then_block,
                       MlirBlock *else_block) {
    MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
    MlirBlock *blocks[2] = {then_block, else_block};
    for (int i = 0; i < 2; i++) {
        *blocks[i] = mlirBlockCreate(0, NULL, NULL);
        mlirRegionAppendOwnedBlock(regions[i], *blocks[i]);
    }
    return build_op_regions(b, OP_IF, OPERANDS(condition), results, NO_ATTRS, 2, regions);
}

MlirOperation build_guard(struct ir *ir, struct arena *arena, MlirOperation loop) {
    struct builder b = builder_before(ir, loop);
    intptr_t count = mlirOperationGetNumResults(loop);
    MlirValue *values = ARENA_ARRAY(arena, MlirValue, count + 1);
    MlirType *types = ARENA_ARRAY(arena, MlirType, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        values[i] = for_init(loop, i);
        types[i] = mlirValueGetType(values[i]);
    }
    MlirValue runs = build_compare(&b, INT_SLT, for_lower(loop), for_upper(loop));
    MlirBlock taken, skipped;
    MlirOperation branch = build_if(&b, runs, (struct results){count, types}, &taken, &skipped);
    struct builder otherwise = builder_at_end(ir, skipped, b.location);
    build_yield(&otherwise, (struct operands){count, values});
    for (intptr_t i = 0; i < count; i++) {
        values[i] = mlirOperationGetResult(loop, i);
        mlirValueReplaceAllUsesOfWith(values[i], mlirOperationGetResult(branch, i));
    }
    mlirOperationRemoveFromParent(loop);
    mlirBlockAppendOwnedOperation(taken, loop);
    struct builder then = builder_at_end(ir, taken, b.location);
    build_yield(&then, (struct operands){count, values});
    return mlirBlockGetTerminator(taken);
}

MlirOperation build_more(struct ir *ir, struct arena *arena, MlirOperation op, struct operands inits) {
    struct builder b = builder_before(ir, op);
    intptr_t results = mlirOperationGetNumResults(op), regions = mlirOperationGetNumRegions(op);
    enum op_kind kind = op_kind(ir, op);
    bool loop = kind != OP_IF;
    intptr_t known = mlirOperationGetNumOperands(op), count = known + (loop ? inits.count : 0);
    MlirValue *operands = ARENA_ARRAY(arena, MlirValue, count + 1);
    MlirType *types = ARENA_ARRAY(arena, MlirType, results + inits.count + 1);
    MlirRegion bodies[2];
    for (intptr_t i = 0; i < count; i++) {
        operands[i] = i < known ? mlirOperationGetOperand(op, i) : inits.values[i - known];
    }
    for (intptr_t i = 0; i < results + inits.count; i++) {
        types[i] = mlirValueGetType(i < results ? mlirOperationGetResult(op, i) : inits.values[i - results]);
        for (int r = 0; loop && i >= results && r < regions; r++) {
            mlirBlockAddArgument(op_body(op, r), types[i], b.location);
        }
    }
    struct attrs attributes = op_attributes(arena, op);
    for (intptr_t r = 0; r < regions; r++) {
        bodies[r] = mlirRegionCreate();
        mlirRegionTakeBody(bodies[r], mlirOperationGetRegion(op, r));
    }
    MlirOperation made =
        build_op_regions(&b, kind, (struct operands){count, operands},
                         (struct results){results + inits.count, types}, attributes, regions, bodies);
    for (intptr_t i = 0; i < results; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(made, i));
    }
    mlirOperationDestroy(op);
    return made;
}

void build_yield_more(struct ir *ir, struct arena *arena, MlirBlock block, struct operands more) {
    MlirOperation yield = mlirBlockGetTerminator(block);
    intptr_t known = mlirOperationGetNumOperands(yield);
    MlirValue *values = ARENA_ARRAY(arena, MlirValue, known + more.count + 1);
    for (intptr_t i = 0; i < known + more.count; i++) {
        values[i] = i < known ? mlirOperationGetOperand(yield, i) : more.values[i - known];
    }
    struct builder b = builder_before(ir, yield);
    build_op(&b, op_kind(ir, yield), (struct operands){known + more.count, values}, NO_RESULTS, NO_ATTRS);
    mlirOperationDestroy(yield);
}

MlirOperation build_while(struct builder *b, struct operands inits, struct results results, MlirBlock *before,
                          MlirBlock *after) {
    MlirType *types = ARENA_ARRAY(b->ir->arena, MlirType, inits.count + 1);
    intptr_t widest = inits.count > results.count ? inits.count : results.count;
    MlirLocation *locations = ARENA_ARRAY(b->ir->arena, MlirLocation, widest + 1);
    for (intptr_t i = 0; i < widest; i++) {
        locations[i] = b->location;
    }
    for (intptr_t i = 0; i < inits.count; i++) {
        types[i] = mlirValueGetType(inits.values[i]);
    }
    MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
    *before = mlirBlockCreate(inits.count, types, locations);
    *after = mlirBlockCreate(results.count, results.types, locations);
    mlirRegionAppendOwnedBlock(regions[0], *before);
    mlirRegionAppendOwnedBlock(regions[1], *after);
    return build_op_regions(b, OP_WHILE, inits, results, NO_ATTRS, 2, regions);
}

void build_yield(struct builder *b, struct operands values) {
    build_op(b, OP_SCF_YIELD, values, NO_RESULTS, NO_ATTRS);
}

void map_first_iteration(struct map *map, MlirOperation loop) {
    MlirBlock body = op_body(loop, 0);
    map_value(map, mlirBlockGetArgument(body, 0), for_lower(loop));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        map_value(map, mlirBlockGetArgument(body, i + 1), for_init(loop, i));
    }
}
