// Programs along an axis of the grid adding to the same elements: a product whose K is cut in parts (split K).
// A block takes all parts of a tile one behind another. The producer brings their operands in turn; consumers go
// on adding, and add their sum to memory once:
//
//   turns with a tile for each block, all its parts: block b: tile b part 0, 1 …; tile blocks + b …
//   the tiles left, fewer than one a block
//
// These are dealt in the way that ends first:
//
//   parts in turn, tiles fastest             block b: part b, blocks + b …
//   as many parts, of one tile each          where their number divides that of a tile's parts: one addition, not one a part
//   equal shares of all steps, cut anywhere  block 0: tile 0, steps 0 to 65; block 1: tile 0 from step 66 on, and steps 0 to 3 of tile 1 …
//
// Blocks that begin at different steps read the operands apart from each other, which takes as long as before only where the second-level
// cache holds those of all tiles left (H200, 4096×4096×16384 in two parts, 116 tiles left: 225 steps for 256 took twice as long).
//
// H200, 8192×8192×8192 in two parts: all blocks end a tile at about the same time, and one turn's sums of f32, 17 MB, take as long to add as
// at 4.5 TB/s. 68 tiles are left for 132 blocks: 66 of 128 steps each, where parts in turn took 128.
#include "passes/specialise/specialise.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/peaks.h"
#include "ir/build.h"

// A cut costs one more addition, and operands are read at more places at once (H200: 1,300 to 2,300, fewer without whole turns).
enum {
    ADDITION = 640,  // bytes of K whose products take as long as an addition of their sums to memory
    CUT = 2048,      // bytes of K whose products take as long as what a cut costs
    LONE_CUT = 1152, // the same without whole turns, whose sums would still be on their way to memory
    FROM_MEMORY = 3, // how much longer steps take if all blocks read their operands from memory
};

// The sources of a value.
struct origin {
    struct specialise *s;
    unsigned axis;
    struct map seen;
    bool differs; // along the axis, or maybe so
};

static bool is_copied(const struct stage_loop *stage, MlirOperation op) {
    for (size_t i = 0; i < stage->load_count; i++) {
        if (mlirOperationEqual(stage->loads[i].access, op)) {
            return true;
        }
    }
    return false;
}

// A block argument: the same in all parts if it is the kernel's, or a sum carried by the loop.
static bool is_alike(const struct specialise *s, MlirValue argument) {
    MlirBlock block = mlirBlockArgumentGetOwner(argument);
    const struct stage_loop *stage = &s->loops[0];
    return mlirBlockEqual(block, s->body) ||
           (mlirBlockEqual(block, op_body(stage->loop, 0)) && value_is(argument, dot_c(stage->dot)));
}

static void follow(struct origin *o, MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        o->differs |= !is_alike(o->s, value);
        return;
    }
    if (o->differs || map_has(&o->seen, value.ptr) || is_copied(&o->s->loops[0], op)) {
        return;
    }
    map_put(&o->seen, value.ptr, (void *)value.ptr);
    bool own = op_kind(o->s->ir, op) == OP_PROGRAM_ID && op_int(op, ATTR_AXIS) == o->axis;
    o->differs |= own || mlirOperationGetNumRegions(op) > 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        follow(o, mlirOperationGetOperand(op, i));
    }
}

static bool differs(struct specialise *s, unsigned axis, MlirValue value) {
    struct origin o = {.s = s, .axis = axis};
    follow(&o, value);
    map_free(&o.seen);
    return o.differs;
}

static bool is_used(struct specialise *s, unsigned axis) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(s->ir, ops[i]) == OP_PROGRAM_ID && op_int(ops[i], ATTR_AXIS) == axis) {
            return true;
        }
    }
    return false;
}

// True if the loop takes as many steps at each place along the axis.
static bool steps_alike(struct specialise *s, unsigned axis, MlirOperation loop) {
    const struct affine *upper = affine_of(&s->affines, for_upper(loop)),
                        *lower = affine_of(&s->affines, for_lower(loop));
    if (!upper || !lower || differs(s, axis, for_step(loop))) {
        return false;
    }
    struct affine length = *upper;
    if (!affine_add(&length, lower, -1)) {
        return false;
    }
    for (int t = 0; t < length.count; t++) {
        for (int n = 0; n < length.terms[t].symbol_count; n++) {
            const struct affine_symbol *symbol = &s->affines.symbols[length.terms[t].symbols[n]];
            if (mlirValueIsNull(symbol->value) || differs(s, axis, symbol->value)) {
                return false;
            }
        }
    }
    return true;
}

// The number, from zero on, of the loop's result added by the store; -1 if it adds something else.
static intptr_t sum_of(struct specialise *s, const struct copy *store, MlirOperation loop) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        if (value_is(store->value, mlirOperationGetResult(loop, i)) &&
            value_is(dot_c(s->loops[0].dot), mlirBlockGetArgument(op_body(loop, 0), i + 1)) &&
            fills_with_zero(s->ir, for_init(loop, i))) {
            return i;
        }
    }
    return -1;
}

// True if the store adds to the same elements at each place along the axis.
static bool stores_alike(struct specialise *s, unsigned axis, MlirOperation store) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(store); i++) {
        MlirValue operand = mlirOperationGetOperand(store, i);
        if (!value_is(operand, writer_value(store)) && differs(s, axis, operand)) {
            return false;
        }
    }
    return true;
}

// The axes of the program id behind the loop's number of steps, with AXES_VARY if a loaded number is.
static unsigned axes_of_steps(struct specialise *s, MlirOperation loop) {
    unsigned axes = 0;
    for (intptr_t i = 0; i < 3; i++) {
        is_producible(s, loop, mlirOperationGetOperand(loop, i), &axes);
    }
    return axes;
}

bool parts_find(struct specialise *s, unsigned *axis) {
    if (s->loop_count != 1 || s->spine.count > 0 || s->dots != 1 || s->store_count != 1 ||
        s->kept_count > 0 || s->slices > 1 || op_kind(s->ir, s->stores[0].access) != OP_ATOMIC_RMW) {
        return false;
    }
    MlirOperation loop = s->loops[0].loop;
    intptr_t sum = sum_of(s, &s->stores[0], loop);
    if (sum < 0) {
        return false;
    }
    unsigned uneven = axes_of_steps(s, loop);
    MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(op_body(loop, 0)), sum);
    for (*axis = 0; *axis < 3; ++*axis) {
        if (!(uneven & ~(1u << *axis)) && is_used(s, *axis) && steps_alike(s, *axis, loop) &&
            stores_alike(s, *axis, s->stores[0].access) && !differs(s, *axis, next)) {
            return true;
        }
    }
    return false;
}

// ---- the tiles left ----

// Steps whose products take as long as those of so many bytes of K.
static MlirValue steps_of(const struct specialise *s, struct builder *b, int64_t bytes) {
    MlirType left = mlirValueGetType(dot_a(s->loops[0].dot));
    int64_t depth = mlirShapedTypeGetDimSize(left, mlirShapedTypeGetRank(left) - 1);
    int64_t step = depth * type_bits(type_element(left)) / 8;
    return const_i32(b, (int32_t)((bytes + step - 1) / step));
}

static MlirValue quotient_up(struct builder *b, MlirValue number, MlirValue by) {
    MlirValue less = build_binary(b, OP_SUBI, by, const_i32(b, 1));
    return build_binary(b, OP_DIVUI, build_binary(b, OP_ADDI, number, less), by);
}

static MlirValue minimum(struct builder *b, MlirValue x, MlirValue y) {
    return build_binary(b, OP_MINUI, x, y);
}

// True if the second-level cache holds the operands of the tiles: in a square of n tiles each of sqrt(n) rows and columns is brought once. That of
// a chip without figures holds nothing.
static MlirValue operands_fit(const struct specialise *s, struct builder *b, MlirValue steps,
                              MlirValue tiles) {
    int64_t bytes = 0;
    for (size_t i = 0; i < s->loops[0].load_count; i++) {
        bytes += s->loops[0].loads[i].bytes;
    }
    MlirType wide = type_i64(s->ir);
    const struct peaks *peaks = peaks_of(s->context->target);
    int64_t most = peaks ? (int64_t)peaks->cache / bytes : 0;
    MlirValue some = minimum(b, steps, const_i32(b, (int32_t)most + 1));
    MlirValue side = VALUE(b, OP_EXTUI, OPERANDS(some), RESULTS(wide), NO_ATTRS);
    MlirValue count = VALUE(b, OP_EXTUI, OPERANDS(tiles), RESULTS(wide), NO_ATTRS);
    MlirValue square = build_binary(b, OP_MULI, build_binary(b, OP_MULI, side, side), count);
    return build_compare(b, INT_ULE, square, const_int(b, wide, most * most));
}

// Steps that a block gets if parts are joined: as many as the others, or parts of one tile, as many as in turn; else a tile's.
// *joined: this ends before parts in turn do.
static MlirValue steps_of_share(const struct specialise *s, struct builder *b, const struct left *left,
                                const struct share *share, MlirValue *joined) {
    MlirValue programs = build_binary(b, OP_MULI, left->tiles, left->parts);
    MlirValue all = build_binary(b, OP_MULI, programs, left->steps), addition = steps_of(s, b, ADDITION);
    MlirValue a_turn = build_binary(b, OP_ADDI, left->steps, addition);
    MlirValue turns = quotient_up(b, programs, left->blocks), one = const_i32(b, 1);
    MlirValue in_turn = build_binary(b, OP_MULI, turns, a_turn);
    MlirValue some = build_binary(b, OP_MAXUI, turns, one);
    MlirValue beyond = build_binary(b, OP_REMUI, left->parts, some);
    MlirValue divides = build_compare(b, INT_EQ, beyond, const_i32(b, 0));
    MlirValue as_many = build_binary(b, OP_MULI, turns, left->steps);
    MlirValue own = build_select(b, divides, as_many, share->tile_steps);
    MlirValue uncut = build_binary(b, OP_ADDI, own, addition);
    MlirValue even = quotient_up(b, all, left->blocks);
    MlirValue slow = build_binary(b, OP_MULI, even, const_i32(b, FROM_MEMORY));
    MlirValue fit = operands_fit(s, b, share->tile_steps, left->tiles);
    MlirValue alone = build_compare(b, INT_EQ, left->whole, const_i32(b, 0));
    MlirValue lone = steps_of(s, b, LONE_CUT), others = steps_of(s, b, CUT);
    MlirValue more = build_select(b, alone, lone, others);
    MlirValue cut = build_binary(b, OP_ADDI, build_select(b, fit, even, slow), more);
    MlirValue ends_first = build_compare(b, INT_ULT, minimum(b, cut, uncut), in_turn);
    *joined = build_binary(b, OP_ANDI, left->counted, ends_first);
    return build_select(b, build_compare(b, INT_ULT, cut, uncut), even, own);
}

struct share share_of(const struct specialise *s, struct builder *b, const struct left *left) {
    struct share share = {.tile_steps = build_binary(b, OP_MULI, left->steps, left->parts)};
    MlirValue zero = const_i32(b, 0), one = const_i32(b, 1), last = const_i32(b, -1);
    MlirValue steps = steps_of_share(s, b, left, &share, &share.joined);
    MlirValue all = build_binary(b, OP_MULI, share.tile_steps, left->tiles);
    MlirValue from = minimum(b, build_binary(b, OP_MULI, left->block, steps), all);
    MlirValue to = minimum(b, build_binary(b, OP_ADDI, from, steps), all);
    share.from = build_select(b, share.joined, from, zero);
    share.to = build_select(b, share.joined, to, last);
    MlirValue tile = s->produces ? left->steps : share.tile_steps;
    share.unit = build_select(b, share.joined, tile, left->steps);
    MlirValue first = build_binary(b, OP_DIVUI, from, share.unit);
    share.first = build_select(b, share.joined, first, left->block);
    share.stride = build_select(b, share.joined, one, left->blocks);
    MlirValue units = build_binary(b, OP_SUBI, quotient_up(b, to, share.unit), first);
    MlirValue programs = build_binary(b, OP_MULI, left->tiles, left->parts);
    MlirValue behind = build_binary(b, OP_SUBI, programs, minimum(b, left->block, programs));
    share.count = build_select(b, share.joined, units, quotient_up(b, behind, left->blocks));
    MlirValue some = build_binary(b, OP_MAXUI, left->tiles, one);
    share.by = build_select(b, share.joined, s->produces ? left->parts : one, some);
    return share;
}

struct piece piece_of(struct builder *b, const struct share *share, MlirValue index) {
    MlirValue behind = build_binary(b, OP_MULI, index, share->stride);
    MlirValue number = build_binary(b, OP_ADDI, share->first, behind);
    MlirValue quotient = build_binary(b, OP_DIVUI, number, share->by);
    MlirValue rest = build_binary(b, OP_REMUI, number, share->by);
    MlirValue start = build_binary(b, OP_MULI, number, share->unit);
    MlirValue end = build_binary(b, OP_ADDI, start, share->unit);
    MlirValue from = build_binary(b, OP_MAXUI, share->from, start), to = minimum(b, share->to, end);
    return (struct piece){.tile = build_select(b, share->joined, quotient, rest),
                          .part = build_select(b, share->joined, rest, quotient),
                          .first = build_binary(b, OP_SUBI, from, start),
                          .steps = build_binary(b, OP_SUBI, to, from)};
}

// ---- the loops ----

static MlirValue as_wide_as(struct builder *b, MlirValue number, MlirValue other) {
    MlirType type = mlirValueGetType(other);
    return mlirTypeEqual(type, mlirValueGetType(number))
               ? number
               : VALUE(b, OP_EXTSI, OPERANDS(number), RESULTS(type), NO_ATTRS);
}

void parts_cut(const struct specialise *s, struct builder *b, MlirValue bounds[3]) {
    if (!s->joins) {
        return;
    }
    const struct tiles *tiles = s->dealt;
    MlirValue first = as_wide_as(b, tiles->first, bounds[0]), steps = as_wide_as(b, tiles->steps, bounds[0]);
    MlirValue end = build_binary(b, OP_ADDI, tiles->first, tiles->steps);
    MlirValue to_end = build_compare(b, INT_EQ, end, tiles->part_steps);
    bounds[0] = build_binary(b, OP_ADDI, bounds[0], build_binary(b, OP_MULI, first, bounds[2]));
    MlirValue upper = build_binary(b, OP_ADDI, bounds[0], build_binary(b, OP_MULI, steps, bounds[2]));
    bounds[1] = build_select(b, to_end, bounds[1], upper);
}

void parts_join(struct specialise *s, struct stage_loop *stage, const struct tiles *tiles) {
    if (!s->joins) {
        return;
    }
    struct builder b = builder_before(s->ir, stage->loop);
    MlirValue lower = for_lower(stage->loop), upper = for_upper(stage->loop), step = for_step(stage->loop);
    MlirType type = mlirValueGetType(lower);
    MlirValue zero = const_int(&b, type, 0), one = const_int(&b, type, 1);
    MlirValue length = build_binary(&b, OP_SUBI, upper, lower);
    MlirValue last = build_binary(&b, OP_DIVUI, build_binary(&b, OP_SUBI, length, one), step);
    MlirValue steps = build_binary(&b, OP_ADDI, last, one);
    MlirValue some = build_select(&b, build_compare(&b, INT_SLT, lower, upper), steps, zero);
    MlirValue counted = as_wide_as(&b, tiles->steps, lower);
    mlirOperationSetOperand(stage->loop, at_for_lower, zero);
    mlirOperationSetOperand(stage->loop, at_for_upper, build_select(&b, tiles->counted, counted, some));
    mlirOperationSetOperand(stage->loop, at_for_step, one);
}
