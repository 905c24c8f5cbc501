// Assigns programs to blocks. If all programs take the same time: in turn, x fastest. If
// trip counts differ along an axis (causal masks): in groups of four turns of all blocks, the longest
// programs of a group first:
//
//   programs in order, the axis fastest:  | 4 · blocks of them: a group | the next group | …
//   block b takes of each group the program of rank b, 2 · blocks - 1 - b, 2 · blocks + b, 4 · blocks - 1 - b
//
// Going back and forth gives each block the same work from a group. Data shared by a group's rows of programs
// stays in the L2 cache.
//
// The last group takes the remainder. Its number of turns is the nearest to the programs left, at least two;
// the programs above or below full turns are its shortest. If the number is odd, its first three turns are
// dealt by these numbers within the turn; the first row is for block b of the lower half, the second for block
// b of the upper half:
//
//   b      blocks - 1 - 2 · b             blocks / 2 + b
//   b      blocks - 2 - 2 · (b - half)    b - half
//
// Their sums are the same or differ by one. H200, attention's gradients with causal masks, 31.03 turns:
// queries 2.6 to 3 % faster than with a last group of 3.03 turns dealt back and forth, keys 1 %.
//
// A group may begin and end within a row. So the number of rows at a place along the axis changes by one, in
// three stretches of places. All numbers are computed again for each program: blocks carry only the number of
// the turn.
//
// The kernel finds the long end of the axis as it starts, from the loops' bounds at both ends.
//
// If loaded numbers or branches take part (packed sequences), blocks must not ask how long programs are: they
// would disagree if the numbers change, and leave programs out. Then programs of the same length (heads)
// come one after another, 32 at most, so few heads share the cache; behind them the places along the axis,
// back and forth, and slowest the axes with loaded lengths. Each second turn of all blocks goes back:
//
//   head 0 … 31 at place 9 | the same at place 8 | … | at place 0 | next sequence: at place 0 | at place 1 | …
//
// If lengths differ, and no axis is known along which they rise or fall (a block finds its sequence by a search, or loads its number of steps; or its
// tile is above a triangle's diagonal, and it leaves at once),
// whatever order fixed turns had, lengths that repeat with a turn's period would give the same block the longest in each. The loop is that of
// programs in turn, and a block takes the next one from a counter (pipeline/launch_control.c); if the producer gathers, a block runs one program.
// Attention whose lengths are loaded for each row of the grid keeps turns, which move on instead (deal_moved_on).
//
// Simulated, 132 blocks, 32 heads, the most work of a block over the average, beside turns with x fastest: one
// sequence of 8,192 rows 1.01 (1.08), eight of 1,024 1.06 (1.29), eight of 256 to 6,000 1.04 (1.09). H200, TFLOP/s:
// 672 (633), 424 (361), 599 (575). With the places fastest, and turns back and forth: 653, 440, 542.
#include "passes/specialise/specialise.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

static MlirValue is_odd(struct builder *b, MlirValue value) {
    MlirValue bit = build_binary(b, OP_ANDI, value, const_i32(b, 1)), zero = const_i32(b, 0);
    return build_compare(b, INT_NE, bit, zero);
}

static MlirValue as_number(struct builder *b, MlirValue condition) {
    MlirValue one = const_i32(b, 1), zero = const_i32(b, 0);
    return build_select(b, condition, one, zero);
}

// The total distance of all loops of a program at this place along the axis, with place 0 on the other axes.
static MlirValue length_at(struct specialise *s, struct builder *b, unsigned axis, MlirValue place) {
    struct map map = {0};
    for (size_t i = 0; i < s->program_count; i++) {
        MlirOperation op = s->programs[i];
        unsigned own = (unsigned)op_int(op, ATTR_AXIS);
        MlirValue at = own == axis ? place : const_i32(b, 0);
        map_value(&map, mlirOperationGetResult(op, 0),
                  op_kind(s->ir, op) == OP_NUM_PROGRAMS ? s->grid[own] : at);
    }
    MlirType wide = type_i64(s->ir);
    MlirValue zero = const_int(b, wide, 0), sum = zero;
    for (size_t n = 0; n < s->loop_count; n++) {
        MlirValue bounds[2];
        for (intptr_t i = 0; i < 2; i++) {
            bounds[i] = specialise_scalar(b, mlirOperationGetOperand(s->loops[n].loop, i), &map);
            if (!mlirTypeEqual(mlirValueGetType(bounds[i]), wide)) {
                bounds[i] = VALUE(b, OP_EXTSI, OPERANDS(bounds[i]), RESULTS(wide), NO_ATTRS);
            }
        }
        MlirValue length = build_binary(b, OP_SUBI, bounds[1], bounds[0]);
        MlirValue runs = build_compare(b, INT_SLT, bounds[0], bounds[1]);
        sum = build_binary(b, OP_ADDI, sum, build_select(b, runs, length, zero));
    }
    map_free(&map);
    return sum;
}

// The number of this block, and of the blocks launched: not the source's, which mean the grid (specialise.programs).
static MlirValue block_number(struct builder *b) {
    return VALUE(b, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
}

static MlirValue block_count(struct builder *b) {
    return VALUE(b, OP_NUM_PROGRAMS, NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, 0)));
}

// Splits a row's number into the program ids of the other two axes.
static void split_row(struct specialise *s, struct builder *b, unsigned axis, MlirValue row,
                      MlirValue id[3]) {
    unsigned first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    id[first] = build_binary(b, OP_REMUI, row, s->ids[first]);
    id[second] = build_binary(b, OP_DIVUI, row, s->ids[first]);
}

static struct operands starts(struct specialise *s, struct builder *b) {
    MlirValue zero = const_i32(b, 0);
    struct turn turn = {{zero, zero}, {zero, zero}, zero, zero, {{{NULL}}}};
    for (int i = 0; i < SPECIALISE_MAX_RESIDUALS * TILE_DIMS; i++) {
        turn.corners[i / TILE_DIMS][i % TILE_DIMS] = zero;
    }
    return turn_values(s, turn);
}

static MlirValue product_of(struct specialise *s, struct builder *b, unsigned axes) {
    MlirValue product = const_i32(b, 1);
    for (int i = 0; i < 3; i++) {
        product = axes >> i & 1 ? build_binary(b, OP_MULI, product, s->ids[i]) : product;
    }
    return product;
}

// Splits a number into the program ids of these axes, the first one fastest.
static void split_number(struct specialise *s, struct builder *b, unsigned axes, MlirValue number,
                         MlirValue id[3]) {
    for (int i = 0; i < 3; i++) {
        if (axes >> i & 1) {
            bool last = axes >> i == 1;
            id[i] = last ? number : build_binary(b, OP_REMUI, number, s->ids[i]);
            number = last ? number : build_binary(b, OP_DIVUI, number, s->ids[i]);
        }
    }
}

// ---- in turn ----

static void deal_in_turn(struct specialise *s, struct builder *b, struct tiles *tiles) {
    MlirValue rows = build_binary(b, OP_MULI, s->ids[0], s->ids[1]);
    MlirValue all = build_binary(b, OP_MULI, rows, s->ids[2]);
    struct operands carried = starts(s, b);
    MlirValue block = block_number(b), blocks = block_count(b);
    build_for(b, block, all, blocks, carried, &tiles->body);
    *b = builder_at_end(s->ir, tiles->body, b->location);
    MlirValue tile = mlirBlockGetArgument(tiles->body, 0);
    MlirValue row = build_binary(b, OP_DIVUI, tile, s->ids[0]);
    tiles->id[0] = build_binary(b, OP_REMUI, tile, s->ids[0]);
    split_row(s, b, 0, row, tiles->id);
}

// Finds a program by its rank in the group of programs `first` to `behind` - 1: sets its place along the axis
// and returns its row. Ranks count all programs at smaller places first, then those at its own place in
// earlier rows.
static MlirValue ranked(struct builder *b, MlirValue first, MlirValue behind, MlirValue across,
                        MlirValue rank, MlirValue *place) {
    MlirValue row = build_binary(b, OP_DIVUI, first, across), from = build_binary(b, OP_REMUI, first, across);
    MlirValue last = build_binary(b, OP_DIVUI, behind, across),
              to = build_binary(b, OP_REMUI, behind, across);
    MlirValue rows = build_binary(b, OP_SUBI, last, row), one = const_i32(b, 1);
    MlirValue wider = build_compare(b, INT_ULT, from, to);
    MlirValue middle = build_select(b, wider, from, to), end = build_select(b, wider, to, from);
    MlirValue more = build_select(b, wider, one, const_i32(b, -1));
    MlirValue rows_middle = build_binary(b, OP_ADDI, rows, more);
    MlirValue before = build_binary(b, OP_MULI, middle, rows);
    MlirValue inside = build_binary(b, OP_MULI, build_binary(b, OP_SUBI, end, middle), rows_middle);
    MlirValue before_end = build_binary(b, OP_ADDI, before, inside);
    MlirValue is_first = build_compare(b, INT_ULT, rank, before);
    MlirValue is_last = build_compare(b, INT_UGE, rank, before_end);
    MlirValue zero = const_i32(b, 0);
    MlirValue at = build_select(b, is_first, zero, build_select(b, is_last, end, middle));
    MlirValue passed = build_select(b, is_first, zero, build_select(b, is_last, before_end, before));
    MlirValue own = build_select(b, is_first, rows, build_select(b, is_last, rows, rows_middle));
    MlirValue left = build_binary(b, OP_SUBI, rank, passed);
    *place = build_binary(b, OP_ADDI, at, build_binary(b, OP_DIVUI, left, own));
    row = build_binary(b, OP_ADDI, row, as_number(b, build_compare(b, INT_ULT, *place, from)));
    return build_binary(b, OP_ADDI, row, build_binary(b, OP_REMUI, left, own));
}

enum { TURNS = 4 }; // per group: even, because turns go back and forth

// Turns of all blocks, until no program is left.
struct turns {
    MlirValue block, blocks, all;
    MlirValue whole, rest; // turns with a program for each block; programs after them
    MlirValue last;        // the first turn of the last group
    MlirValue by_threes;   // the last group begins with three turns of equal sums
};

static struct turns turns_of(struct specialise *s, struct builder *b) {
    struct turns t = {.block = block_number(b), .blocks = block_count(b)};
    MlirValue rows = build_binary(b, OP_MULI, s->ids[0], s->ids[1]), two = const_i32(b, 2);
    t.all = build_binary(b, OP_MULI, rows, s->ids[2]);
    t.whole = build_binary(b, OP_DIVUI, t.all, t.blocks);
    t.rest = build_binary(b, OP_REMUI, t.all, t.blocks);
    MlirValue lacking = build_binary(b, OP_SUBI, t.blocks, t.rest);
    MlirValue up = as_number(b, build_compare(b, INT_UGE, t.rest, lacking));
    MlirValue nearest = build_binary(b, OP_ADDI, t.whole, up);
    MlirValue is_more = build_compare(b, INT_UGT, nearest, two);
    MlirValue less = build_binary(b, OP_SUBI, nearest, two);
    MlirValue more = build_select(b, is_more, less, const_i32(b, 0));
    t.last = build_binary(b, OP_ANDI, more, const_i32(b, -TURNS));
    t.by_threes = build_binary(b, OP_ANDI, is_more, is_odd(b, nearest));
    return t;
}

// number_in_turn for the three turns of equal sums. `end` is the last number; turns count from 0.
static MlirValue number_of_three(struct builder *b, const struct turns *t, MlirValue end, MlirValue turn) {
    MlirValue one = const_i32(b, 1), two = const_i32(b, 2);
    MlirValue others = build_binary(b, OP_DIVUI, t->blocks, two);
    MlirValue half = build_binary(b, OP_SUBI, t->blocks, others);
    MlirValue is_first = build_compare(b, INT_ULT, t->block, half);
    MlirValue in_half = build_select(b, is_first, t->block, build_binary(b, OP_SUBI, t->block, half));
    MlirValue twice = build_binary(b, OP_MULI, in_half, two);
    MlirValue from = build_select(b, is_first, end, build_binary(b, OP_SUBI, end, one));
    MlirValue second = build_binary(b, OP_SUBI, from, twice);
    MlirValue behind = build_select(b, is_first, others, const_i32(b, 0));
    MlirValue third = build_binary(b, OP_ADDI, in_half, behind);
    MlirValue later = build_select(b, build_compare(b, INT_EQ, turn, two), third, t->block);
    return build_select(b, build_compare(b, INT_EQ, turn, one), second, later);
}

// The block's number in a turn, in order of its program's length: 0 for the longest.
static MlirValue number_in_turn(struct builder *b, const struct turns *t, MlirValue turn) {
    MlirValue end = build_binary(b, OP_SUBI, t->blocks, const_i32(b, 1));
    MlirValue in_last = build_compare(b, INT_UGE, turn, t->last);
    MlirValue by_threes = build_binary(b, OP_ANDI, in_last, t->by_threes);
    MlirValue back = build_binary(b, OP_XORI, is_odd(b, turn), by_threes);
    MlirValue number = build_select(b, back, build_binary(b, OP_SUBI, end, t->block), t->block);
    MlirValue of_group = build_binary(b, OP_SUBI, turn, t->last);
    MlirValue of_three = number_of_three(b, t, end, of_group);
    MlirValue in_three =
        build_binary(b, OP_ANDI, by_threes, build_compare(b, INT_ULT, of_group, const_i32(b, 3)));
    return build_select(b, in_three, of_three, number);
}

static void deal_by_length(struct specialise *s, struct builder *b, struct tiles *tiles) {
    unsigned axis = (unsigned)__builtin_ctz(s->uneven);
    MlirValue zero = const_i32(b, 0), one = const_i32(b, 1), across = s->ids[axis];
    MlirValue far = build_binary(b, OP_SUBI, across, one);
    MlirValue far_length = length_at(s, b, axis, far), near_length = length_at(s, b, axis, zero);
    MlirValue falls = build_compare(b, INT_SGE, near_length, far_length);
    struct turns turns = turns_of(s, b);
    MlirValue more = build_compare(b, INT_ULT, number_in_turn(b, &turns, turns.whole), turns.rest);
    MlirValue end = build_binary(b, OP_ADDI, turns.whole, as_number(b, more));
    build_for(b, zero, end, one, starts(s, b), &tiles->body);
    *b = builder_at_end(s->ir, tiles->body, b->location);
    MlirValue turn = mlirBlockGetArgument(tiles->body, 0);
    MlirValue whole_group = build_binary(b, OP_ANDI, turn, const_i32(b, -TURNS));
    MlirValue is_last = build_compare(b, INT_UGE, turn, turns.last);
    MlirValue group = build_select(b, is_last, turns.last, whole_group);
    MlirValue first = build_binary(b, OP_MULI, group, turns.blocks);
    MlirValue next =
        build_binary(b, OP_ADDI, first, build_binary(b, OP_MULI, turns.blocks, const_i32(b, TURNS)));
    MlirValue behind = build_select(b, is_last, turns.all, next);
    MlirValue before = build_binary(b, OP_MULI, build_binary(b, OP_SUBI, turn, group), turns.blocks);
    MlirValue rank = build_binary(b, OP_ADDI, before, number_in_turn(b, &turns, turn));
    MlirValue place, row = ranked(b, first, behind, across, rank, &place);
    tiles->id[axis] = build_select(b, falls, place, build_binary(b, OP_SUBI, far, place));
    split_row(s, b, axis, row, tiles->id);
}

// ---- by numbers known to all blocks ----

enum { TOGETHER = 32 }; // programs of the same length one after another

// How many programs of the same length come one after another: 32 or all, or half as many if a row of them
// along the axis is about as long as a turn. Rows and turns would then go back at the same time, and give a block
// the same place in each.
static MlirValue together_of(struct builder *b, MlirValue heads, MlirValue across) {
    MlirValue zero = const_i32(b, 0), one = const_i32(b, 1), most = const_i32(b, TOGETHER);
    MlirValue blocks = block_count(b), quarter = build_binary(b, OP_DIVUI, blocks, const_i32(b, 4));
    MlirValue divides = build_compare(b, INT_EQ, build_binary(b, OP_REMUI, heads, most), zero);
    MlirValue together = build_select(b, divides, most, heads);
    MlirValue row = build_binary(b, OP_MULI, together, across);
    MlirValue more = build_compare(b, INT_UGT, row, build_binary(b, OP_SUBI, blocks, quarter));
    MlirValue less = build_compare(b, INT_ULT, row, build_binary(b, OP_ADDI, blocks, quarter));
    MlirValue even = build_compare(b, INT_EQ, build_binary(b, OP_ANDI, together, one), zero);
    MlirValue halves = build_binary(b, OP_ANDI, build_binary(b, OP_ANDI, more, less), even);
    return build_select(b, halves, build_binary(b, OP_DIVUI, together, const_i32(b, 2)), together);
}

// Of the numbers of programs in order: sets the place along the axis and the other ids.
static void deal_number(struct specialise *s, struct builder *b, MlirValue number, struct tiles *tiles) {
    const struct slope *slope = &s->slope;
    unsigned alike = 7 & ~(1u << slope->axis) & ~slope->loaded;
    MlirValue across = s->ids[slope->axis], zero = const_i32(b, 0), one = const_i32(b, 1);
    MlirValue heads = product_of(s, b, alike), together = together_of(b, heads, across);
    MlirValue head = build_binary(b, OP_REMUI, number, together);
    number = build_binary(b, OP_DIVUI, number, together);
    MlirValue place = build_binary(b, OP_REMUI, number, across);
    number = build_binary(b, OP_DIVUI, number, across);
    MlirValue far = build_binary(b, OP_SUBI, across, one);
    MlirValue bit = build_binary(b, OP_ANDI, number, one);
    MlirValue back = build_compare(b, slope->rises ? INT_EQ : INT_NE, bit, zero);
    tiles->id[slope->axis] = build_select(b, back, build_binary(b, OP_SUBI, far, place), place);
    MlirValue groups = build_binary(b, OP_DIVUI, heads, together);
    MlirValue first = build_binary(b, OP_MULI, build_binary(b, OP_REMUI, number, groups), together);
    split_number(s, b, alike, build_binary(b, OP_ADDI, first, head), tiles->id);
    split_number(s, b, slope->loaded, build_binary(b, OP_DIVUI, number, groups), tiles->id);
}

// Each second turn goes back, if it has a program for each block.
static void deal_by_slope(struct specialise *s, struct builder *b, struct tiles *tiles) {
    MlirValue all = product_of(s, b, 7), block = block_number(b), blocks = block_count(b);
    build_for(b, block, all, blocks, starts(s, b), &tiles->body);
    *b = builder_at_end(s->ir, tiles->body, b->location);
    MlirValue forth = mlirBlockGetArgument(tiles->body, 0);
    MlirValue before = build_binary(b, OP_SUBI, forth, block);
    MlirValue behind = build_binary(b, OP_ADDI, before, blocks);
    MlirValue back = build_binary(b, OP_SUBI, build_binary(b, OP_SUBI, behind, const_i32(b, 1)), block);
    MlirValue odd = is_odd(b, build_binary(b, OP_DIVUI, before, blocks));
    MlirValue whole = build_compare(b, INT_ULE, behind, all);
    MlirValue goes_back = build_binary(b, OP_ANDI, odd, whole);
    deal_number(s, b, build_select(b, goes_back, back, forth), tiles);
}

// ---- one program a block ----

// The loop takes one step. The hardware starts a block where another ends.
static void deal_one_program(struct specialise *s, struct builder *b, struct tiles *tiles) {
    for (int i = 0; i < 3; i++) {
        tiles->id[i] =
            VALUE(b, OP_PROGRAM_ID, NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, i)));
    }
    MlirValue zero = const_i32(b, 0), one = const_i32(b, 1);
    build_for(b, zero, one, one, starts(s, b), &tiles->body);
    *b = builder_at_end(s->ir, tiles->body, b->location);
}

// ---- moved on from turn to turn ----

// A row of the grid has a number of places. If that number shares most of its factors with the number of blocks, fixed turns would give a block
// the same few places of every row: long programs or short ones. So the first program of a turn goes to the block STEP before the one that had
// the first program of the turn before. For other numbers of places turns stay as they are. (H200,
// us: packed sequences of up to 1,500 rows in 12 places, not causal, 1,109 to 838; of up to 400 in 4 places, 321 to 235; heads and sequences
// along one axis, causal, 411 to 296. Of 47 places, moved as well: 1,795 to 1,892.)
struct movement {
    MlirValue block, blocks, step;
};

static struct movement movement_of(struct builder *b, MlirValue row) {
    enum { STEP = 5, FEW = 12 }; // rows move on if FEW times the blocks are a multiple of their places
    MlirValue block = block_number(b), blocks = block_count(b), zero = const_i32(b, 0);
    MlirValue rest = build_binary(b, OP_REMUI, build_binary(b, OP_MULI, blocks, const_i32(b, FEW)), row);
    MlirValue few = build_compare(b, INT_EQ, rest, zero);
    return (struct movement){block, blocks, build_select(b, few, const_i32(b, STEP), zero)};
}

// The block's number in a turn.
static MlirValue moved_on(struct builder *b, const struct movement *s, MlirValue turn) {
    MlirValue steps = build_binary(b, OP_MULI, turn, s->step);
    return build_binary(b, OP_REMUI, build_binary(b, OP_ADDI, s->block, steps), s->blocks);
}

static void deal_moved_on(struct specialise *s, struct builder *b, struct tiles *tiles) {
    MlirValue all = product_of(s, b, 7), zero = const_i32(b, 0), one = const_i32(b, 1);
    struct movement moves = movement_of(b, s->ids[s->slope.known ? s->slope.axis : 0]);
    MlirValue whole = build_binary(b, OP_DIVUI, all, moves.blocks);
    MlirValue rest = build_binary(b, OP_REMUI, all, moves.blocks);
    MlirValue more = build_compare(b, INT_ULT, moved_on(b, &moves, whole), rest);
    MlirValue end = build_binary(b, OP_ADDI, whole, as_number(b, more));
    build_for(b, zero, end, one, starts(s, b), &tiles->body);
    *b = builder_at_end(s->ir, tiles->body, b->location);
    MlirValue turn = mlirBlockGetArgument(tiles->body, 0);
    MlirValue before = build_binary(b, OP_MULI, turn, moves.blocks);
    MlirValue number = build_binary(b, OP_ADDI, before, moved_on(b, &moves, turn));
    if (s->slope.known) {
        deal_number(s, b, number, tiles);
    } else {
        split_number(s, b, 7, number, tiles->id);
    }
}

// True for attention whose programs take times that differ by loaded numbers, and no axis is known along which they are alike: turns that go back
// and forth would meet rows that go back and forth. Products stay in turn (experts' gradients 1.06 of the time, moved on; a triangle's tiles 1.14).
static bool moves_on(const struct specialise *s) {
    unsigned alike = 7 & ~(1u << s->slope.axis) & ~s->slope.loaded, used = 0;
    for (size_t i = 0; i < s->program_count; i++) {
        bool id = op_kind(s->ir, s->programs[i]) == OP_PROGRAM_ID;
        used |= id ? 1u << op_int(s->programs[i], ATTR_AXIS) : 0;
    }
    return s->slope.by_row && !mlirOperationIsNull(s->loops[0].chained) &&
           (!s->slope.known || (s->slope.loaded && !(used & alike)));
}

// ---- with all parts of a tile ----

// True if the steps of a turn of all blocks, of tiles with all their parts, are counted: there are some, and 32 bits hold them.
static MlirValue are_counted(struct specialise *s, struct builder *b, MlirValue length) {
    MlirType wide = type_i64(s->ir);
    MlirValue parts = build_binary(b, OP_MULI, s->ids[s->part_axis], block_count(b));
    MlirValue all = VALUE(b, OP_EXTUI, OPERANDS(parts), RESULTS(wide), NO_ATTRS);
    MlirValue some = build_compare(b, INT_SGT, length, const_int(b, wide, 0));
    MlirValue most = const_int(b, wide, INT32_MAX);
    MlirValue fit = build_compare(b, INT_SLE, build_binary(b, OP_MULI, length, all), most);
    return build_binary(b, OP_ANDI, some, fit);
}

// The steps of a part; 1 if they are not counted.
static MlirValue steps_of_part(struct specialise *s, struct builder *b, MlirValue length, MlirValue counted) {
    struct map map = {0};
    MlirValue step = specialise_scalar(b, for_step(s->loops[0].loop), &map);
    map_free(&map);
    MlirType type = mlirValueGetType(step), narrow = type_i32(s->ir);
    bool is_narrow = mlirTypeEqual(type, narrow);
    MlirValue distance =
        is_narrow ? VALUE(b, OP_TRUNCI, OPERANDS(length), RESULTS(narrow), NO_ATTRS) : length;
    MlirValue last = build_binary(b, OP_SUBI, distance, const_int(b, type, 1));
    MlirValue before = build_binary(b, OP_DIVUI, last, step), one = const_i32(b, 1);
    before = is_narrow ? before : VALUE(b, OP_TRUNCI, OPERANDS(before), RESULTS(narrow), NO_ATTRS);
    return build_select(b, counted, build_binary(b, OP_ADDI, before, one), one);
}

// Turns with a tile of all parts for each block, if steps are counted, and the block's share of what is left.
static void deal_parts(struct specialise *s, struct builder *b, struct tiles *tiles) {
    MlirValue zero = const_i32(b, 0), one = const_i32(b, 1), parts = s->ids[s->part_axis];
    unsigned others = 7 & ~(1u << s->part_axis);
    MlirValue block = block_number(b), blocks = block_count(b), all = product_of(s, b, others);
    MlirValue length = length_at(s, b, s->part_axis, zero), counted = are_counted(s, b, length);
    MlirValue steps = steps_of_part(s, b, length, counted);
    MlirValue whole = build_select(b, counted, build_binary(b, OP_DIVUI, all, blocks), zero);
    MlirValue first = build_binary(b, OP_MULI, whole, blocks);
    struct left left = {block, blocks, whole, build_binary(b, OP_SUBI, all, first), parts, steps, counted};
    struct share share = share_of(s, b, &left);
    MlirValue turns = s->produces ? build_binary(b, OP_MULI, whole, parts) : whole;
    MlirValue end = build_binary(b, OP_ADDI, turns, share.count);
    struct operands carried = starts(s, b);
    build_for(b, zero, end, one, carried, &tiles->body);
    *b = builder_at_end(s->ir, tiles->body, b->location);
    MlirValue count = mlirBlockGetArgument(tiles->body, 0);
    MlirValue in_whole = build_compare(b, INT_ULT, count, turns);
    struct piece piece = piece_of(b, &share, build_binary(b, OP_SUBI, count, turns));
    MlirValue turn = s->produces ? build_binary(b, OP_DIVUI, count, parts) : count;
    MlirValue part = s->produces ? build_binary(b, OP_REMUI, count, parts) : zero;
    MlirValue tile = build_binary(b, OP_ADDI, build_binary(b, OP_MULI, turn, blocks), block);
    MlirValue of_left = build_binary(b, OP_ADDI, first, piece.tile);
    split_number(s, b, others, build_select(b, in_whole, tile, of_left), tiles->id);
    tiles->id[s->part_axis] = build_select(b, in_whole, part, piece.part);
    tiles->first = build_select(b, in_whole, zero, piece.first);
    tiles->steps = build_select(b, in_whole, s->produces ? steps : share.tile_steps, piece.steps);
    tiles->part_steps = steps;
    tiles->counted = counted;
}

// The numbers of program ids: fewer than of programs where several programs are rows of one tile.
static void count_places(struct specialise *s, struct builder *b) {
    int64_t together = op_int(s->function, ATTR_SHARING);
    for (int i = 0; i < 3; i++) {
        s->ids[i] = s->grid[i];
        if (together > 1 && op_int(s->function, ATTR_SHARING_AXIS) == i) {
            MlirValue up = build_binary(b, OP_ADDI, s->grid[i], const_i32(b, (int32_t)together - 1));
            s->ids[i] = build_binary(b, OP_DIVUI, up, const_i32(b, (int32_t)together));
        }
    }
}

// Three blocks hide each other's ends, and lose more to the counter than turns leave uneven: tiles of 64 x 64 of X X^T (H200), 4096 x 1024, 8192 x 1024,
// 2048 x 2048, 1.18, 0.93, 1.08 of the time of turns; of 128 x 128, one block, 0.91, 0.97, 1.03, and of 4096 x 4096 0.79.
static bool leaves_places(const struct specialise *s) {
    enum { MOST_BLOCKS = 2 };
    return s->leaves && s->blocks <= MOST_BLOCKS;
}

static bool lacks_an_order(const struct specialise *s) {
    return (s->loads_lengths || leaves_places(s)) && !s->joins && !s->uneven && !s->slope.known &&
           !moves_on(s);
}

bool programs_are_unlike(const struct specialise *s) {
    return lacks_an_order(s) && !gathers(&s->loops[0]);
}

// A producer that gathers tells its last slot with the next program's first one: a counter's answer in between holds consumers up (H200, lists of
// keys: 1.02 to 1.15 of the time of a program a block).
bool one_program_a_block(const struct specialise *s) {
    return lacks_an_order(s) && gathers(&s->loops[0]);
}

struct tiles tiles_begin(struct specialise *s, struct builder *b) {
    struct tiles tiles = {0};
    count_places(s, b);
    (s->joins                 ? deal_parts
     : s->uneven              ? deal_by_length
     : moves_on(s)            ? deal_moved_on
     : s->slope.known         ? deal_by_slope
     : one_program_a_block(s) ? deal_one_program
                              : deal_in_turn)(s, b, &tiles);
    tiles.start = turn_of_arguments(s, tiles.body);
    return tiles;
}

void tiles_end(struct specialise *s, struct builder *b, struct turn end) {
    build_yield(b, turn_values(s, end));
}
