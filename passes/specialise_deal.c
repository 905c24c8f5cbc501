// Programs are dealt to the blocks that run them. Where all take the same time, in turn, x fastest. Where they differ along an
// axis in how often their loops run (causal masks), from long to short, a few rows of programs at a time:
//
//   for %group in rows of `group` {            a group's programs, the longest of all its rows first
//     for %round in the block's turns {
//       block b takes program b, then 2 · blocks - 1 - b, 2 · blocks + b …
//   }}
//
// Turns go back and forth, so that each pair of them is as much work for one block as for another, and the groups' short
// programs, the last ones, which do not come out even, are what blocks differ by. A group begins at the block where the
// one before ended. Its rows are few enough that what they share stays in the L2 cache: about four turns.
//
// Which end of the axis is the long one is computed as the kernel starts, from the loops' bounds at both ends.
#include "passes/specialise.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

static MlirValue is_odd(struct builder *b, MlirValue value) {
    return build_compare(b, INT_NE, build_binary(b, "arith.andi", value, const_i32(b, 1)), const_i32(b, 0));
}

static MlirValue smaller(struct builder *b, MlirValue x, MlirValue y) {
    return build_select(b, build_compare(b, INT_ULT, x, y), x, y);
}

// x - y where that is not negative, else x + wrap - y: both are below `wrap`.
static MlirValue back_from(struct builder *b, MlirValue x, MlirValue y, MlirValue wrap) {
    MlirValue difference = build_binary(b, "arith.subi", x, y);
    return build_select(b, build_compare(b, INT_ULT, x, y), build_binary(b, "arith.addi", difference, wrap),
                        difference);
}

// How far all loops of a program run that has this place along the axis, and is the first along others.
static MlirValue length_at(struct specialise *s, struct builder *b, unsigned axis, MlirValue place) {
    struct map map = {0};
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(s->ir, ops[i]);
        unsigned own = (unsigned)op_int(ops[i], ATTR_AXIS, 0);
        if (kind == OP_PROGRAM_ID || kind == OP_NUM_PROGRAMS) {
            MlirValue value = kind == OP_NUM_PROGRAMS ? s->grid[own] : own == axis ? place : const_i32(b, 0);
            map_put(&map, mlirOperationGetResult(ops[i], 0).ptr, (void *)value.ptr);
        }
    }
    MlirType wide = type_i64(s->ir);
    MlirValue zero = const_int(b, wide, 0), sum = zero;
    for (size_t n = 0; n < s->loop_count; n++) {
        MlirValue bounds[2];
        for (intptr_t i = 0; i < 2; i++) {
            bounds[i] = specialise_scalar(b, mlirOperationGetOperand(s->loops[n].loop, i), &map);
            if (!mlirTypeEqual(mlirValueGetType(bounds[i]), wide)) {
                bounds[i] = VALUE(b, "arith.extsi", OPERANDS(bounds[i]), RESULTS(wide), NO_ATTRS);
            }
        }
        MlirValue length = build_binary(b, "arith.subi", bounds[1], bounds[0]);
        MlirValue runs = build_compare(b, INT_SLT, bounds[0], bounds[1]);
        sum = build_binary(b, "arith.addi", sum, build_select(b, runs, length, zero));
    }
    map_free(&map);
    return sum;
}

static MlirValue block_number(struct builder *b) {
    return VALUE(b, "tk.program_id", NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
}

static MlirValue block_count(struct builder *b) {
    return VALUE(b, "tk.num_programs", NO_OPERANDS, RESULTS(type_i32(b->ir)),
                 ATTRS(attr_i32(b, ATTR_AXIS, 0)));
}

// The numbers of a row among the others of the program's axes.
static void split_row(struct specialise *s, struct builder *b, unsigned axis, MlirValue row,
                      MlirValue id[3]) {
    unsigned first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    id[first] = build_binary(b, "arith.remui", row, s->grid[first]);
    id[second] = build_binary(b, "arith.divui", row, s->grid[first]);
}

static struct operands starts(struct specialise *s, struct builder *b) {
    MlirValue zero = const_i32(b, 0), *values = ARENA_ARRAY(s->arena, MlirValue, 4);
    for (int i = 0; i < 4; i++) {
        values[i] = zero;
    }
    return (struct operands){s->kept_count ? 4 : 2, values};
}

static void deal_in_turn(struct specialise *s, struct builder *b, struct tiles *tiles) {
    MlirValue rows = build_binary(b, "arith.muli", s->grid[0], s->grid[1]);
    MlirValue all = build_binary(b, "arith.muli", rows, s->grid[2]);
    struct operands carried = starts(s, b);
    MlirValue block = block_number(b), blocks = block_count(b);
    build_for(b, block, all, blocks, carried, &tiles->body);
    *b = builder_at_end(s->ir, tiles->body, b->location);
    MlirValue tile = mlirBlockGetArgument(tiles->body, 0);
    MlirValue row = build_binary(b, "arith.divui", tile, s->grid[0]);
    tiles->id[0] = build_binary(b, "arith.remui", tile, s->grid[0]);
    split_row(s, b, 0, row, tiles->id);
}

static void deal_by_length(struct specialise *s, struct builder *b, struct tiles *tiles) {
    enum { TURNS = 4 };
    MlirValue block = block_number(b), blocks = block_count(b);
    unsigned axis = (unsigned)__builtin_ctz(s->uneven);
    MlirValue zero = const_i32(b, 0), one = const_i32(b, 1), across = s->grid[axis];
    MlirValue last = build_binary(b, "arith.subi", across, one);
    MlirValue falls = build_compare(b, INT_SGE, length_at(s, b, axis, zero), length_at(s, b, axis, last));
    MlirValue all = build_binary(b, "arith.muli", s->grid[axis == 0 ? 1 : 0], s->grid[axis == 2 ? 1 : 2]);
    MlirValue turns = build_binary(b, "arith.muli", blocks, const_i32(b, TURNS));
    MlirValue group = build_binary(b, "arith.divui", build_binary(b, "arith.addi", turns, last), across);
    MlirValue shift = build_binary(b, "arith.remui", build_binary(b, "arith.muli", group, across), blocks);
    MlirBlock groups;
    tiles->around = build_for(b, zero, all, group, starts(s, b), &groups);
    *b = builder_at_end(s->ir, groups, b->location);
    MlirValue row = mlirBlockGetArgument(groups, 0);
    MlirValue rows = smaller(b, group, build_binary(b, "arith.subi", all, row));
    MlirValue programs = build_binary(b, "arith.muli", rows, across);
    MlirValue before = build_binary(b, "arith.muli", build_binary(b, "arith.divui", row, group), shift);
    MlirValue forth = back_from(b, block, build_binary(b, "arith.remui", before, blocks), blocks);
    MlirValue back = build_binary(b, "arith.subi", build_binary(b, "arith.subi", blocks, one), forth);
    MlirValue whole = build_binary(b, "arith.divui", programs, blocks);
    MlirValue rest = build_binary(b, "arith.remui", programs, blocks);
    MlirValue more = build_compare(b, INT_ULT, build_select(b, is_odd(b, whole), back, forth), rest);
    MlirValue rounds = build_select(b, more, build_binary(b, "arith.addi", whole, one), whole);
    struct operands carried = starts(s, b);
    for (intptr_t i = 0; i < carried.count; i++) {
        carried.values[i] = mlirBlockGetArgument(groups, 1 + i);
    }
    build_for(b, zero, rounds, one, carried, &tiles->body);
    *b = builder_at_end(s->ir, tiles->body, b->location);
    MlirValue round = mlirBlockGetArgument(tiles->body, 0);
    MlirValue place = build_binary(b, "arith.addi", build_binary(b, "arith.muli", round, blocks),
                                   build_select(b, is_odd(b, round), back, forth));
    MlirValue rank = build_binary(b, "arith.divui", place, rows);
    tiles->id[axis] = build_select(b, falls, rank, build_binary(b, "arith.subi", last, rank));
    split_row(s, b, axis, build_binary(b, "arith.addi", row, build_binary(b, "arith.remui", place, rows)),
              tiles->id);
}

struct tiles tiles_begin(struct specialise *s, struct builder *b) {
    struct tiles tiles = {.around = {NULL}};
    (s->uneven ? deal_by_length : deal_in_turn)(s, b, &tiles);
    tiles.start = (struct place){mlirBlockGetArgument(tiles.body, 1), mlirBlockGetArgument(tiles.body, 2)};
    if (s->kept_count) {
        tiles.kept = (struct place){mlirBlockGetArgument(tiles.body, 3), mlirBlockGetArgument(tiles.body, 4)};
    }
    return tiles;
}

void tiles_end(struct specialise *s, const struct tiles *tiles, struct builder *b, struct place end) {
    if (s->kept_count) {
        struct place kept = kept_next(s, b, tiles->kept);
        build_yield(b, OPERANDS(end.slot, end.parity, kept.slot, kept.parity));
    } else {
        build_yield(b, OPERANDS(end.slot, end.parity));
    }
    if (!mlirOperationIsNull(tiles->around)) {
        MlirOperation turns = mlirBlockGetParentOperation(tiles->body);
        struct builder after = builder_at_end(s->ir, mlirOperationGetBlock(turns), b->location);
        struct operands carried = starts(s, &after);
        for (intptr_t i = 0; i < carried.count; i++) {
            carried.values[i] = mlirOperationGetResult(turns, i);
        }
        build_yield(&after, carried);
    }
}
