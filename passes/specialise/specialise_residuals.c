// Residuals: tiles loaded behind the loop and computed with its results, if the results are computed beside the next tile's products
// (late_epilogues.c).
//
//   scf.for %tile = … {                 producer:  scf.for %tile = … iter(%left, %corner) {
//     scf.for %k … { products }                      scf.for %k … iter(%piece) {
//     %r = tk.load …             →                     the step's copies to its slot
//     tk.store %sums + %r                              scf.if %piece < %left { tk.bulk_load a piece of the tile before }
//   }                                                }
//                                                  }
//
// A piece of a residual is a part of a slot: the piece comes with the step of its use. So its copy starts as early as those of
// the step's operands, needs no register, no address and no wait of the multiplying warps, and the slot's mbarriers order the copy. Each
// warp has rows of its own in a piece, a box each; in a long loop the warpgroups' parts come with steps of their own (epilogue_turns).
// Threads load the pieces left over by a short loop, and those of the last tile: the load stays in the program for them.
#include "passes/specialise/specialise.h"

#include "chip/wgmma.h"
#include "ir/build.h"

static unsigned piece_bytes(const struct specialise *s) {
    return s->piece.rows * s->piece.columns * EPILOGUE_FETCHED_BITS / 8;
}

// Makes the load a copy of pieces: boxes of the tensor's two inner dimensions.
static bool residual_copy(struct specialise *s, MlirOperation load, struct copy *copy) {
    struct tile_access *tile = &copy->tile;
    int64_t elements = s->piece.rows * s->piece.columns; // one row behind the other
    *copy = (struct copy){.access = load, .in_threads = true, .inner = s->piece.columns};
    if (!tile_access_of(&s->affines, load, tile)) {
        return false;
    }
    unsigned any = 0;
    bool fits = tile->rank >= 2 && tile->guard_count == 0 && tile_access_fits_tma(&s->affines, tile);
    for (unsigned d = 0; d < tile->rank && fits; d++) {
        const struct tile_dim *dim = &tile->dim[d];
        fits = dim->tile_dimension == (d < 2 ? 1 - (int)d : -1) && !dim->wrapped && !dim->cut &&
               dim->cut_by < 0 && is_producible_index(s, s->loops[0].loop, &dim->first, &any);
    }
    if (!fits) {
        return decline_numbers(s->context, load, REASON_BOX, tile->rank,
                               tile->rank >= 2 ? tile->dim[1].extent : 1);
    }
    tile->dim[0].extent = s->piece.columns;
    tile->dim[1].extent = s->piece.rows;
    struct layout plain = layout_row_major_shared(1, &elements);
    MlirType element = type_element(mlirValueGetType(mlirOperationGetResult(load, 0)));
    copy->type = tensor_type(1, &elements, element, layout_attribute(s->ir, &plain));
    copy->bytes = piece_bytes(s) * s->num_warps;
    return true;
}

void residuals_find(struct specialise *s, const struct epilogue *epilogue, bool marked) {
    s->residual_count = 0;
    s->at_home = true;
    for (size_t i = 0; i < epilogue->op_count && s->residual_count < SPECIALISE_MAX_RESIDUALS; i++) {
        MlirOperation op = epilogue->ops[i];
        bool wanted = op_kind(s->ir, op) == OP_LOAD && epilogue_fetches(op) && in_block(op, s->home) &&
                      !gathers(&s->loops[0]) && (!marked || op_has(op, ATTR_PIECE));
        if (wanted && residual_copy(s, op, &s->residuals[s->residual_count])) {
            s->residual_count++;
        } else if (wanted) {
            reason_keep(s->context, op, ATTR_TENSOR_COPY);
        }
    }
    s->at_home = false;
}

void residuals_write(const struct specialise *s) {
    for (size_t i = 0; i < s->residual_count; i++) {
        op_set_int(s->ir, s->residuals[i].access, ATTR_PIECE, (int32_t)i);
        remark(s->context, REMARK_TENSOR_MAP, s->residuals[i].access,
               "a tensor map moves it (TMA), in pieces beside the next tile's products");
    }
}

void residuals_allocate(struct specialise *s, struct builder *b) {
    for (size_t i = 0; i < s->residual_count; i++) {
        s->residuals[i].buffer =
            VALUE(b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(s->residuals[i].type),
                  ATTRS(attr_i32(b, ATTR_STAGES, s->slots * (int)s->num_warps),
                        attr_i32(b, ATTR_PIECE, op_int(s->residuals[i].access, ATTR_PIECE))));
    }
}

// ---- the producer ----

static unsigned groups_of(const struct specialise *s) {
    return s->num_warps / WGMMA_WARPS;
}

static MlirValue scaled(struct builder *b, MlirValue number, int64_t factor) {
    return build_binary(b, OP_MULI, number, const_i32(b, factor));
}

struct residual_step residuals_begin(const struct specialise *s, struct builder *b, const MlirValue bounds[3],
                                     MlirValue left) {
    if (s->residual_count == 0) {
        return (struct residual_step){{NULL}, {NULL}};
    }
    MlirValue turns = epilogue_turns(b, bounds[0], bounds[1], bounds[2], left, groups_of(s));
    return (struct residual_step){const_i32(b, 0), turns};
}

// Announces the bytes of a slot, and of so many warpgroups' parts of a piece.
static void expect(const struct specialise *s, struct builder *b, MlirValue full, unsigned bytes,
                   unsigned groups) {
    unsigned all = bytes + (unsigned)s->residual_count * piece_bytes(s) * WGMMA_WARPS * groups;
    OP(b, OP_MBARRIER_EXPECT, OPERANDS(full), NO_RESULTS, ATTRS(attr_i32(b, ATTR_BYTES, (int32_t)all)));
}

// The builders at both blocks of a branch.
static void branch(struct builder *b, MlirValue condition, struct builder blocks[2]) {
    MlirBlock made[2];
    build_if(b, condition, NO_RESULTS, &made[0], &made[1]);
    for (int i = 0; i < 2; i++) {
        blocks[i] = builder_at_end(b->ir, made[i], b->location);
    }
}

static void join(struct builder blocks[2]) {
    build_yield(&blocks[0], NO_OPERANDS);
    build_yield(&blocks[1], NO_OPERANDS);
}

// An i1: the step has a piece of the tile before.
static MlirValue has_piece(struct builder *b, const struct residual_step *step, MlirValue left) {
    return build_compare(b, INT_SLT, build_binary(b, OP_DIVUI, step->number, step->turns), left);
}

void residuals_expect(const struct specialise *s, struct builder *b, MlirValue full, unsigned bytes,
                      const struct residual_step *step, MlirValue left) {
    if (s->residual_count == 0) {
        expect(s, b, full, bytes, 0);
        return;
    }
    struct builder some[2], turns[2];
    branch(b, has_piece(b, step, left), some);
    branch(&some[0], build_compare(&some[0], INT_EQ, step->turns, const_i32(&some[0], 1)), turns);
    expect(s, &turns[0], full, bytes, groups_of(s));
    expect(s, &turns[1], full, bytes, 1);
    join(turns);
    expect(s, &some[1], full, bytes, 0);
    join(some);
}

// A box for each warp of a warpgroup.
static void bring_part(const struct specialise *s, struct builder *b, const struct copy *copy, MlirValue full,
                       const MlirValue *corner, MlirValue piece, MlirValue group, MlirValue slot) {
    MlirValue warp = scaled(b, group, WGMMA_WARPS);
    MlirValue in_warp = scaled(b, piece, s->piece.rows), above = scaled(b, warp, EPILOGUE_WARP_ROWS);
    MlirValue row = build_binary(b, OP_ADDI, in_warp, above);
    MlirValue of_slot = scaled(b, slot, s->num_warps), place = build_binary(b, OP_ADDI, of_slot, warp);
    MlirValue operands[at_bulk_load_corner + TILE_DIMS] = {{NULL}, copy->map, full};
    for (unsigned d = 0; d < copy->tile.rank; d++) {
        operands[at_bulk_load_corner + d] = d == 1 ? build_binary(b, OP_ADDI, corner[d], row) : corner[d];
    }
    MlirValue first = operands[at_bulk_load_corner + 1];
    for (unsigned i = 0; i < WGMMA_WARPS; i++) {
        operands[at_bulk_load_slot] = slot_view(b, copy, build_binary(b, OP_ADDI, place, const_i32(b, i)));
        operands[at_bulk_load_corner + 1] =
            build_binary(b, OP_ADDI, first, const_i32(b, i * EPILOGUE_WARP_ROWS));
        build_op(b, OP_BULK_LOAD, (struct operands){at_bulk_load_corner + copy->tile.rank, operands},
                 NO_RESULTS, ATTRS(attr_i32(b, ATTR_INNER, (int32_t)type_elements(copy->type))));
    }
}

void residuals_bring(const struct specialise *s, struct builder *b, MlirValue full, const struct turn *turn,
                     const struct residual_step *step) {
    if (s->residual_count == 0) {
        return;
    }
    struct builder some[2], *in = &some[0];
    MlirBlock body;
    branch(b, has_piece(b, step, turn->left), some);
    MlirValue piece = build_binary(in, OP_DIVUI, step->number, step->turns);
    MlirValue first = build_binary(in, OP_REMUI, step->number, step->turns);
    build_for(in, first, const_i32(in, groups_of(s)), step->turns, NO_OPERANDS, &body);
    struct builder each = builder_at_end(s->ir, body, b->location);
    for (size_t i = 0; i < s->residual_count; i++) {
        each.location = mlirOperationGetLocation(s->residuals[i].access);
        bring_part(s, &each, &s->residuals[i], full, turn->corners[i], piece, mlirBlockGetArgument(body, 0),
                   turn->at.slot);
    }
    build_yield(&each, NO_OPERANDS);
    join(some);
}

void residuals_next(struct specialise *s, struct builder *b, struct map *map, struct turn *turn) {
    if (s->residual_count == 0) {
        return;
    }
    turn->left = const_i32(b, s->piece.count);
    for (size_t i = 0; i < s->residual_count; i++) {
        for (unsigned d = 0; d < s->residuals[i].tile.rank; d++) {
            turn->corners[i][d] = specialise_corner(b, &s->residuals[i].tile, d, 0, INT32_MIN, map);
        }
    }
}
