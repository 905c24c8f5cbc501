// Loads and stores fit for bulk copies: boxes of tensors with corners the producer can compute, and vectors.
#include "passes/specialise/specialise.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/wgmma.h"
#include "ir/build.h"

// True if the tile has readers beside the conversions to this shared layout. False in *one_layout if one of
// these is a conversion to another shared layout.
static bool has_other_readers(struct specialise *s, MlirValue tile, MlirType shared, bool *one_layout) {
    bool others = false;
    *one_layout = true;
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        bool converts = op_kind(s->ir, user) == OP_CONVERT_LAYOUT;
        MlirType to = converts ? mlirValueGetType(mlirOperationGetResult(user, 0)) : (MlirType){NULL};
        if (!converts || !mlirTypeEqual(to, shared)) {
            others = true;
            *one_layout &= !converts || !type_is_shared(s->ir, to);
        }
    }
    return others;
}

// Finds the load behind a dot's operand: in this block, read by conversions to one shared layout, the
// operand's, and in a loop also by threads.
bool operand_load(struct specialise *s, MlirBlock block, MlirValue operand, MlirOperation *load,
                  MlirType *shared) {
    MlirOperation op = value_op(operand);
    while (!mlirOperationIsNull(op) && op_kind(s->ir, op) == OP_SMEM_TRANS) {
        op = value_op(smem_trans_slot(op));
    }
    if (mlirOperationIsNull(op) || op_kind(s->ir, op) != OP_CONVERT_LAYOUT) {
        return false;
    }
    *shared = mlirValueGetType(mlirOperationGetResult(op, 0));
    *load = value_op(unary_source(op));
    if (!type_is_shared(s->ir, *shared) || !in_block(*load, block) || op_kind(s->ir, *load) != OP_LOAD) {
        return false;
    }
    bool one_layout;
    bool others = has_other_readers(s, mlirOperationGetResult(*load, 0), *shared, &one_layout);
    return !others || (one_layout && !mlirBlockEqual(block, s->home));
}

bool read_by_threads(struct specialise *s, MlirOperation load, MlirType shared) {
    bool one_layout;
    return has_other_readers(s, mlirOperationGetResult(load, 0), shared, &one_layout);
}

// A box for a tensor map with rows of `inner` elements, copied in pieces of at most TENSOR_MAP_MOST_BOX rows, one after the
// other.
static bool is_box(struct specialise *s, const struct copy *copy) {
    const struct tile_access *tile = &copy->tile;
    if (!tile_access_fits_tma(&s->affines, tile)) {
        return false;
    }
    bool fits = tile->rank >= 2 && tile->dim[0].tile_dimension == copy->fastest &&
                tile->dim[1].tile_dimension == 1 - copy->fastest &&
                tile->dim[1].extent <= TENSOR_MAP_MOST_BOX;
    for (unsigned d = 2; fits && d < tile->rank; d++) {
        fits = tile->dim[d].tile_dimension < 0;
    }
    return fits || decline_numbers(s->context, tile->op, REASON_BOX, tile->rank,
                                   tile->rank >= 2 ? tile->dim[1].extent : 1);
}

bool shifted_rows(struct specialise *s, MlirOperation load, struct tile_access *tile) {
    return !target_has(s->context->target, FEATURE(TCGEN05)) &&
           tile_access_in_runs(&s->affines, load, tile) && tile->rank > 1;
}

// Rows shifted within pieces, a box for each run of them. Eight rows share a swizzle. (H200, nine shifts of 128 rows, 8192x8192x1024, of the plain
// product's speed: by cp.async 0.938, in runs of 8 rows 0.994 to 0.996, of 16 1.001 to 1.006, of 64 1.004 to 1.006.) Two blocks that multiply
// together (pairs.c) share boxes of whole tiles.
static bool rows_in_runs(struct specialise *s, MlirOperation load, struct tile_access *tile) {
    enum { SHORTEST = 8 };
    const struct tile_dim *rows = &tile->dim[1];
    return shifted_rows(s, load, tile) && rows->run >= SHORTEST && rows->extent / rows->run <= MOST_RUNS;
}

static bool is_producible_corner(struct specialise *s, MlirOperation loop, const struct tile_dim *dim,
                                 unsigned *axes) {
    return is_producible_index(s, loop, &dim->first, axes) &&
           is_producible_index(s, loop, &dim->counted, axes) &&
           is_producible_index(s, loop, &dim->period, axes);
}

// Makes the load a copy to a slot of the type `shared`, for dots in the loop.
bool boxed_copy(struct specialise *s, MlirOperation loop, MlirOperation load, MlirType shared,
                struct copy *copy) {
    struct wgmma_operand operand;
    unsigned bytes = type_bits(type_element(shared)) / 8;
    *copy = (struct copy){.access = load, .type = shared};
    if (!tile_access_of(&s->affines, load, &copy->tile) && !rows_in_runs(s, load, &copy->tile)) {
        return false;
    }
    if (!wgmma_operand_of(type_layout(s->ir, shared), bytes, &operand)) {
        return decline(s->context, load, REASON_DESCRIPTOR);
    }
    copy->fastest = operand.rows_fastest ? 0 : 1;
    copy->swizzle = operand.swizzle;
    copy->inner = operand.swizzle / bytes;
    copy->bytes = (unsigned)type_elements(shared) * bytes;
    if (!is_box(s, copy)) {
        return false;
    }
    unsigned axes = 0;
    for (int i = 0; i < copy->tile.guard_count; i++) {
        if (!is_producible(s, loop, copy->tile.guards[i], &axes)) {
            return decline(s->context, load, REASON_GUARD);
        }
    }
    for (unsigned d = 0; d < copy->tile.rank; d++) {
        const struct tile_dim *dim = &copy->tile.dim[d];
        if (!is_producible_corner(s, loop, dim, &axes)) {
            return decline(s->context, load, REASON_CORNER);
        }
        if (dim->wrapped && !rows_beyond_are_dead(&s->affines, load, dim)) {
            return false;
        }
    }
    copy->reduced = axes & AXES_REDUCED;
    return true;
}

static MlirOperation only_user(MlirOperation op) {
    MlirValue result = mlirOperationGetResult(op, 0);
    return value_has_one_use(result) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result)) : op;
}

bool is_widened(const struct specialise *s, MlirOperation load) {
    return op_kind(s->ir, only_user(load)) == OP_EXTF;
}

MlirOperation spread_of(const struct specialise *s, MlirOperation load) {
    MlirOperation user = only_user(is_widened(s, load) ? only_user(load) : load);
    return op_kind(s->ir, user) == OP_EXPAND_DIMS ? user : load;
}

// True if the tile, perhaps widened, is only spread over rows or columns of another tile: by an expand_dims, perhaps followed by
// one conversion to the other tile's layout.
bool is_spread(const struct specialise *s, MlirOperation load) {
    MlirOperation expand = spread_of(s, load);
    if (mlirOperationEqual(expand, load) || !value_has_uses(mlirOperationGetResult(expand, 0))) {
        return false;
    }
    MlirValue spread = mlirOperationGetResult(expand, 0);
    MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(spread));
    return op_kind(s->ir, user) != OP_CONVERT_LAYOUT ||
           (value_has_one_use(spread) &&
            !type_is_shared(s->ir, mlirValueGetType(mlirOperationGetResult(user, 0))));
}

bool is_operand(struct specialise *s, MlirOperation load) {
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(load, 0)); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (op_kind(s->ir, user) == OP_CONVERT_LAYOUT &&
            type_is_shared(s->ir, mlirValueGetType(mlirOperationGetResult(user, 0)))) {
            return true;
        }
    }
    return false;
}

bool is_rounded(struct specialise *s, const struct copy *copy) {
    return !s->mma_sync && mlirTypeIsAF32(type_element(copy->type)) && is_operand(s, copy->access);
}

bool loads_value(struct specialise *s, MlirOperation loop, MlirOperation op) {
    MlirType tile =
        op_kind(s->ir, op) == OP_LOAD ? mlirValueGetType(mlirOperationGetResult(op, 0)) : (MlirType){NULL};
    if (mlirTypeIsNull(tile) || !type_is_tensor(tile)) {
        return false;
    }
    return type_rank(tile) == 1 || (type_rank(tile) == 2 && in_block(op, op_body(loop, 0)) &&
                                    !load_is_volatile(op) && !is_operand(s, op));
}

MlirOperation values_end(MlirOperation loop, MlirBlock block) {
    bool own = mlirBlockEqual(block, op_body(loop, 0));
    return own ? mlirBlockGetTerminator(block) : op_in_block(loop, block);
}

// Makes the load of a vector a copy, for the loop.
static bool vector_copy(struct specialise *s, MlirOperation loop, MlirOperation load, struct copy *copy) {
    enum { SLOT_ALIGNMENT = 128 };
    *copy = (struct copy){.access = load, .in_threads = true};
    MlirType tile = mlirValueGetType(mlirOperationGetResult(load, 0));
    if (!is_spread(s, load)) {
        return decline(s->context, load, REASON_SPREAD);
    }
    if (!tile_access_of(&s->affines, load, &copy->tile)) {
        return false;
    }
    unsigned bits = type_bits(type_element(tile));
    int64_t extent = type_extent(tile, 0);
    copy->inner = (unsigned)extent;
    copy->bytes = copy->inner * bits / 8;
    bool fits = bits >= 16 && copy->bytes % SLOT_ALIGNMENT == 0 && extent <= TENSOR_MAP_MOST_BOX &&
                copy->tile.guard_count == 0 && tile_access_fits_tma(&s->affines, &copy->tile);
    unsigned axes = 0;
    for (unsigned d = 0; d < copy->tile.rank && fits; d++) {
        const struct tile_dim *dim = &copy->tile.dim[d];
        fits = dim->tile_dimension == (d == 0 ? 0 : -1) && !dim->wrapped &&
               is_producible_index(s, loop, &dim->first, &axes);
    }
    copy->reduced = axes & AXES_REDUCED;
    struct layout plain = layout_row_major_shared(1, &extent);
    copy->type = tensor_type(1, &extent, type_element(tile), layout_attribute(s->ir, &plain));
    return fits || decline_numbers(s->context, load, REASON_VECTOR, copy->bytes, 0);
}

// Makes the load of a tile for threads a copy. Its slot has the layout of an operand: rows of 128 bytes at most,
// swizzled, so threads read rows or columns of it without bank conflicts.
static bool tile_copy(struct specialise *s, MlirOperation loop, MlirOperation load, struct copy *copy) {
    MlirType tile = mlirValueGetType(mlirOperationGetResult(load, 0));
    int64_t shape[] = {type_extent(tile, 0), type_extent(tile, 1)};
    struct tile_access access;
    struct layout slot;
    if (!tile_access_of(&s->affines, load, &access)) {
        return false;
    }
    unsigned bits = type_bits(type_element(tile)), fastest = access.dim[0].tile_dimension == 0 ? 0 : 1;
    if (bits % 8 != 0 || !wgmma_shared_layout(shape, fastest, bits / 8, &slot)) {
        return decline(s->context, load, REASON_DESCRIPTOR);
    }
    bool copied = boxed_copy(s, loop, load, type_with_layout(s->ir, tile, &slot), copy);
    copy->in_threads = true;
    return copied;
}

bool value_copy(struct specialise *s, MlirOperation loop, MlirOperation load, struct copy *copy) {
    bool vector = type_rank(mlirValueGetType(mlirOperationGetResult(load, 0))) == 1;
    return (vector ? vector_copy : tile_copy)(s, loop, load, copy);
}

// A store, or additions of f32, f16 or bf16 to memory without a use of the old values.
bool may_store_box(struct specialise *s, MlirOperation op) {
    if (op_kind(s->ir, op) != OP_ATOMIC_RMW) {
        return op_kind(s->ir, op) == OP_STORE;
    }
    MlirType element = type_element(mlirValueGetType(atomic_rmw_value(op)));
    bool adds = mlirTypeEqual(element, type_f32(s->ir)) || mlirTypeEqual(element, type_f16(s->ir)) ||
                mlirTypeEqual(element, type_bf16(s->ir));
    return adds && op_rmw_operation(op) == RMW_FADD && !value_has_uses(mlirOperationGetResult(op, 0)) &&
           op_memory_scope(op) != SCOPE_SYS;
}

bool stores_share(const struct specialise *s) {
    bool within = false;
    for (size_t i = 0; i < s->loop_count; i++) {
        within |= !mlirOperationIsNull(s->loops[i].aside);
    }
    return within;
}

bool store_continues(const struct specialise *s, size_t i) {
    const struct copy *copy = &s->stores[i];
    if (i == 0 || !op_has(copy->access, ATTR_SHARES) || stores_share(s) || copy[-1].bytes != copy->bytes ||
        !value_is(copy[-1].tile.base, copy->tile.base) || !mlirTypeEqual(copy[-1].type, copy->type)) {
        return false;
    }
    unsigned bits = type_bits(type_element(copy->type));
    struct bulk_store_plan plan = bulk_store_plan(type_layout(s->ir, copy->type), bits / 8);
    return plan.pieces % plan.buffers == 0;
}

// Makes the store of a dot's result a copy, if each warpgroup can store its part by itself.
bool store_copy(struct specialise *s, MlirOperation store, struct copy *copy) {
    MlirValue value = writer_value(store);
    MlirOperation convert = value_op(value);
    bool converted = !mlirOperationIsNull(convert) && op_kind(s->ir, convert) == OP_CONVERT_LAYOUT;
    value = converted ? unary_source(convert) : value;
    MlirType type = mlirValueGetType(value);
    *copy = (struct copy){.access = store, .type = type, .value = value, .fastest = 1, .swizzle = 128};
    unsigned bits = type_bits(type_element(type));
    if (!type_is_tensor(type) || type_rank(type) != 2 || (bits != 16 && bits != 32) ||
        !wgmma_is_result(type_layout(s->ir, type))) {
        return decline(s->context, store, REASON_RESULT);
    }
    struct bulk_store_plan plan = bulk_store_plan(type_layout(s->ir, type), bits / 8);
    copy->inner = plan.columns;
    copy->bytes = plan.bytes;
    if (plan.columns == 0) {
        return decline(s->context, store, REASON_RESULT);
    }
    return tile_access_of(&s->affines, store, &copy->tile) && is_box(s, copy) &&
           tile_store_fits_tma(&s->affines, &copy->tile);
}

bool store_takes_one_buffer(struct copy *store, struct ir *ir) {
    unsigned bits = type_bits(type_element(store->type));
    unsigned buffers = bulk_store_plan(type_layout(ir, store->type), bits / 8).buffers;
    bool takes = !store->one_buffer && buffers > 1;
    store->bytes /= takes ? buffers : 1;
    store->one_buffer |= takes;
    return takes;
}
