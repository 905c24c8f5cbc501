// The programs of a block: each exactly once over all blocks, for any grid and number of blocks, with equal
// work for all blocks.
#include "pass_testing.h"

#include <mlir-c/BuiltinTypes.h>

#include "passes/specialise/specialise.h"

// A loop from the program's position along an axis to an argument.
static const char kernel[] =
    "func.func @k(%%ends: i32, %%x: i32, %%y: i32, %%z: i32) attributes {tk.num_warps = 4 : i32} {\n"
    "%%place = \"tk.program_id\"() {axis = %d : i32} : () -> i32\n"
    "%%one = arith.constant 1 : i32\n"
    "scf.for %%i = %%place to %%ends step %%one : i32 { }\n return\n}";

struct dealt {
    struct bench *bench;
    MlirOperation loop; // over a block's programs
    struct tiles tiles;
    uint32_t arguments[4], block, blocks, turn;
    struct map known; // values, in the place of pointers, plus one
};

// ---- an evaluator of the ops of dealing ----

static uint64_t number(struct dealt *d, MlirValue value);

static uint64_t computed(struct dealt *d, MlirOperation op) {
    uint64_t x[3] = {0};
    int64_t constant;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        x[i] = number(d, mlirOperationGetOperand(op, i));
    }
    bool wide = mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), type_i64(d->bench->ir));
    switch (op_kind(d->bench->ir, op)) {
    case OP_PROGRAM_ID:
        return d->block;
    case OP_NUM_PROGRAMS:
        return d->blocks;
    case OP_CONSTANT:
        assert_true(value_is_constant_int(d->bench->ir, mlirOperationGetResult(op, 0), &constant));
        return wide ? (uint64_t)constant : (uint32_t)constant;
    case OP_ADDI:
        return wide ? x[0] + x[1] : (uint32_t)(x[0] + x[1]);
    case OP_SUBI:
        return wide ? x[0] - x[1] : (uint32_t)(x[0] - x[1]);
    case OP_MULI:
        return (uint32_t)(x[0] * x[1]);
    case OP_DIVUI:
        return x[0] / (x[1] ? x[1] : 1u << 31);
    case OP_REMUI:
        return x[0] % (x[1] ? x[1] : 1u << 31);
    case OP_ANDI:
        return x[0] & x[1];
    case OP_XORI:
        return x[0] ^ x[1];
    case OP_EXTSI:
        return (uint64_t)(int64_t)(int32_t)x[0];
    case OP_SELECT:
        return x[0] ? x[1] : x[2];
    case OP_CMPI:
        break;
    default:
        fail_msg("%s is not evaluated", op_table[op_kind(d->bench->ir, op)].name);
    }
    bool narrow = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)), type_i32(d->bench->ir));
    int64_t a = narrow ? (int32_t)x[0] : (int64_t)x[0], b = narrow ? (int32_t)x[1] : (int64_t)x[1];
    const bool holds[] = {a == b,      a != b, a<b, a <= b, a> b, a >= b, x[0]<x[1], x[0] <= x[1], x[0]> x[1],
                          x[0] >= x[1]};
    return holds[op_int(op, ATTR_PREDICATE)];
}

static uint64_t number(struct dealt *d, MlirValue value) {
    if (mlirValueIsABlockArgument(value)) {
        bool carried = mlirBlockEqual(mlirBlockArgumentGetOwner(value), d->tiles.body);
        return carried ? d->turn : d->arguments[mlirBlockArgumentGetArgNumber(value)];
    }
    const void *known = map_get(&d->known, value.ptr);
    if (!known) {
        known = (const void *)(uintptr_t)(computed(d, value_op(value)) + 1);
        map_put(&d->known, value.ptr, (void *)(uintptr_t)known);
    }
    return (uint64_t)(uintptr_t)known - 1;
}

static uint32_t fresh(struct dealt *d, MlirValue value) {
    map_clear(&d->known);
    return (uint32_t)number(d, value);
}

// ---- dealing ----

static struct dealt dealt_open_by(int axis, bool uneven, struct slope slope) {
    char text[512];
    snprintf(text, sizeof text, kernel, axis);
    struct dealt d = {.bench = bench_open(text, "sm_90a")};
    MlirOperation function = bench_function(d.bench);
    struct specialise s = {.context = &d.bench->context,
                           .ir = d.bench->ir,
                           .arena = d.bench->arena,
                           .function = function,
                           .body = op_body(function, 0),
                           .loop_count = 1,
                           .uneven = uneven ? 1u << axis : 0,
                           .slope = slope};
    s.loops[0].loop = bench_op(d.bench, OP_FOR, 0);
    s.loops[0].chained = slope.by_row ? s.loops[0].loop : (MlirOperation){0}; // attention
    for (int i = 0; i < 3; i++) {
        s.grid[i] = mlirBlockGetArgument(s.body, 1 + i);
    }
    struct builder b = builder_before(s.ir, mlirBlockGetTerminator(s.body));
    d.tiles = tiles_begin(&s, &b);
    d.loop = mlirBlockGetParentOperation(d.tiles.body);
    return d;
}

static struct dealt dealt_open(int axis, bool uneven) {
    return dealt_open_by(axis, uneven, (struct slope){0});
}

static void dealt_close(struct dealt *d) {
    map_free(&d->known);
    bench_close(d->bench);
}

// Deals a grid; each program must come once. Returns the excess of the block with the most work over the
// average, in iterations times blocks.
static unsigned deal(struct dealt *d, const unsigned grid[3], int axis, unsigned blocks) {
    unsigned count = grid[0] * grid[1] * grid[2], most = 0, sum = 0;
    bool *seen = calloc(count, sizeof *seen);
    d->blocks = blocks;
    d->arguments[0] = grid[axis];
    for (int i = 0; i < 3; i++) {
        d->arguments[1 + i] = grid[i];
    }
    for (d->block = 0; d->block < blocks; d->block++) {
        uint32_t from = fresh(d, mlirOperationGetOperand(d->loop, 0)), work = 0;
        uint32_t to = fresh(d, mlirOperationGetOperand(d->loop, 1));
        uint32_t step = fresh(d, mlirOperationGetOperand(d->loop, 2));
        for (d->turn = from; (int32_t)d->turn < (int32_t)to; d->turn += step) {
            uint32_t id[3];
            for (int i = 0; i < 3; i++) {
                id[i] = fresh(d, d->tiles.id[i]);
                assert_in_range(id[i], 0, grid[i] - 1);
            }
            uint32_t flat = (id[2] * grid[1] + id[1]) * grid[0] + id[0];
            assert_false(seen[flat]);
            seen[flat] = true;
            work += grid[axis] - id[axis];
        }
        most = work > most ? work : most;
        sum += work;
    }
    for (unsigned i = 0; i < count; i++) {
        assert_true(seen[i]);
    }
    free(seen);
    return most * blocks - sum;
}

static void programs_come_once(void **state) {
    for (int axis = 0; axis < 3; axis++) {
        for (int uneven = 0; uneven < 2; uneven++) {
            struct dealt d = dealt_open(axis, uneven);
            for (unsigned places = 1; places <= 7; places += 2) {
                for (unsigned others = 1; others <= 4; others++) {
                    for (unsigned blocks = 1; blocks <= 9; blocks++) {
                        unsigned grid[3] = {others, others, others};
                        grid[axis] = places;
                        grid[(axis + 1) % 3] = 2;
                        if (places * others * 2 >= blocks) {
                            deal(&d, grid, axis, blocks);
                        }
                    }
                }
            }
            dealt_close(&d);
        }
    }
}

// The same with programs of one length along each of the other axes, or with loaded lengths.
static void programs_come_once_by_slope(void **state) {
    for (unsigned axis = 0; axis < 3; axis++) {
        for (unsigned loaded = 0; loaded < 8; loaded++) {
            if (loaded >> axis & 1) {
                continue;
            }
            struct dealt d = dealt_open_by(
                (int)axis, false,
                (struct slope){.known = true, .axis = axis, .rises = loaded & 1, .loaded = loaded});
            for (unsigned places = 1; places <= 5; places += 4) {
                for (unsigned blocks = 1; blocks <= 7; blocks += 3) {
                    unsigned grid[3] = {3, 3, 3};
                    grid[axis] = places;
                    grid[(axis + 1) % 3] = blocks % 2 ? 64 : 3; // heads in two groups, or in one
                    deal(&d, grid, (int)axis, blocks);
                }
            }
            dealt_close(&d);
        }
    }
}

// The same with attention whose programs differ by loaded lengths, along an axis or in ways that are not known. Places whose number divides
// twelve turns of all blocks move on from turn to turn.
static void programs_come_once_moved_on(void **state) {
    for (unsigned known = 0; known < 2; known++) {
        struct dealt d =
            dealt_open_by(0, false, (struct slope){.known = known, .loaded = 6 * known, .by_row = true});
        for (unsigned places = 1; places <= 12; places++) {
            for (unsigned blocks = 1; blocks <= 11; blocks++) {
                deal(&d, (const unsigned[3]){places, 5, 4}, 0, blocks);
            }
        }
        dealt_close(&d);
    }
}

// Heads by places by sequences: no block has more than the average and the longest program.
static void blocks_are_even_by_slope(void **state) {
    static const unsigned grids[][3] = {{8, 32, 8}, {16, 32, 4}, {32, 32, 1}, {9, 40, 3}, {4, 32, 16}};
    struct dealt d = dealt_open_by(0, false, (struct slope){.known = true, .loaded = 4});
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        assert_true(deal(&d, grids[i], 0, 132) <= grids[i][0] * 132);
    }
    dealt_close(&d);
}

// Of at least two turns no block has more than the average and half of the longest program.
static void blocks_are_even(void **state) {
    struct dealt d = dealt_open(0, true);
    for (unsigned places = 8; places <= 20; places += 4) {
        for (unsigned heads = 1; heads <= 13; heads++) {
            for (unsigned blocks = 2; blocks <= 9 && 2 * blocks <= places * heads; blocks++) {
                unsigned more = deal(&d, (const unsigned[3]){places, heads, 1}, 0, blocks);
                assert_true(2 * more <= places * blocks);
            }
        }
    }
    dealt_close(&d);
}

// ---- slopes ----

static const struct {
    // Sets %low, %middle and %high, from the program ids %x, %y and %z.
    const char *bounds;
    // The axis, + if trip counts rise along it and - if they fall, and the mask of loaded axes; "": not known.
    const char *slope;
} slopes[] = {
    {"%low = arith.constant 0 : i32\n %middle = arith.minsi %n, %x : i32\n %high = arith.minsi %n, %x : "
     "i32\n",
     "0+4"},
    {"%low = arith.addi %x, %n : i32\n %middle = arith.addi %n, %n : i32\n %high = arith.addi %n, %n : i32\n",
     "0-4"},
    {"%low = arith.muli %y, %f : i32\n %middle = arith.addi %n, %n : i32\n %high = arith.addi %n, %n : i32\n",
     "1+4"},
    // The meeting point of a loop's two parts does not matter.
    {"%low = arith.constant 0 : i32\n %c = arith.cmpi slt, %x, %n : i32\n %middle = arith.select %c, %x, "
     "%low : i32\n"
     " %high = arith.addi %x, %n : i32\n",
     "0+4"},
    {"%low = arith.constant 0 : i32\n %middle = arith.addi %x, %e : i32\n %high = arith.addi %x, %e : i32\n",
     "0+0"},
    {"%low = arith.constant 0 : i32\n %middle = arith.addi %n, %e : i32\n %high = arith.addi %n, %e : i32\n",
     ""},
    {"%low = arith.constant 0 : i32\n %middle = arith.addi %n, %z : i32\n %high = arith.addi %n, %z : i32\n",
     ""},
    {"%low = arith.constant 0 : i32\n %middle = arith.addi %y, %x : i32\n %high = arith.addi %x, %n : i32\n",
     ""},
    {"%low = arith.constant 0 : i32\n %middle = arith.muli %x, %n : i32\n %high = arith.muli %x, %n : i32\n",
     ""},
    {"%low = arith.addi %x, %n : i32\n %middle = arith.addi %x, %n : i32\n %high = arith.addi %x, %n : i32\n",
     ""},
};

static void slopes_are_found(void **state) {
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
        char text[2048], found[16] = "";
        snprintf(text, sizeof text,
                 "func.func @k(%%p: !tk.ptr<i32>, %%e: i32) attributes {tk.num_warps = 4 : i32} {\n"
                 "%%x = \"tk.program_id\"() {axis = 0 : i32} : () -> i32\n"
                 "%%y = \"tk.program_id\"() {axis = 1 : i32} : () -> i32\n"
                 "%%z = \"tk.program_id\"() {axis = 2 : i32} : () -> i32\n"
                 "%%q = \"tk.addptr\"(%%p, %%z) : (!tk.ptr<i32>, i32) -> !tk.ptr<i32>\n"
                 "%%n = \"tk.load\"(%%q) : (!tk.ptr<i32>) -> i32\n"
                 "%%f = arith.constant -64 : i32\n %s %%one = arith.constant 1 : i32\n"
                 "scf.for %%i = %%low to %%middle step %%one : i32 { }\n"
                 "scf.for %%i = %%middle to %%high step %%one : i32 { }\n return\n}",
                 slopes[i].bounds);
        struct bench *bench = bench_open(text, "sm_90a");
        MlirOperation function = bench_function(bench);
        struct specialise s = {.context = &bench->context,
                               .ir = bench->ir,
                               .arena = bench->arena,
                               .function = function,
                               .body = op_body(function, 0),
                               .loop_count = 2};
        s.loops[0].loop = bench_op(bench, OP_FOR, 0);
        s.loops[1].loop = bench_op(bench, OP_FOR, 1);
        struct slope slope = slope_find(&s);
        if (slope.known) {
            snprintf(found, sizeof found, "%u%c%u", slope.axis, slope.rises ? '+' : '-', slope.loaded);
        }
        if (strcmp(found, slopes[i].slope) != 0) {
            fail_msg("row %zu: \"%s\" instead of \"%s\"", i, found, slopes[i].slope);
        }
        bench_close(bench);
    }
}

RUN(TEST(programs_come_once), TEST(blocks_are_even), TEST(programs_come_once_by_slope),
    TEST(programs_come_once_moved_on), TEST(blocks_are_even_by_slope), TEST(slopes_are_found))
