// grouped_pid: programs under way at the same time share rows and columns in the L2 cache.
//
//   %p = tk.program_id {axis = 0}             %p, %P = tk.program_id, tk.num_programs {axis = 0}
//   %m = arith.divsi %p, %tiles               %y, %x = %p / %tiles, %p % %tiles
//   %n = arith.remsi %p, %tiles         →     first = %y / 8 * 8, size = min(%P / %tiles - first, 8)
//   … tk.dot (rows of %m) (columns of %n)     inside = %y % 8 * %tiles + %x
//                                             %m, %n = first + inside % size, inside / size
//
// Row-major order walks one row of tiles after the other: all of B passes through the cache for every row of
// A. Grouped order walks 8 rows (or the number found by grouped_pid_rows) side by side, column by column. The
// id is permuted at its source, so every use of it, in addresses or elsewhere, sees the same new id: the
// kernel computes the same programs in another order. (first, size, inside) is a bijection on the rows of a
// group, and so on all of [0, P). If P is not a multiple of %tiles, or %tiles is not positive, size is 1 and
// the permutation is the identity. A 2-D grid is the same with %y = program_id(1) and %x = program_id(0), the
// axis counted first by the hardware.
//
// A persistent kernel's loop over tiles is the same with its counter for %p and its upper bound for %P, if it
// begins at the program's id and its step is the number of programs. The kernel tests the step at run time. No
// tile may read through an argument another tile's stores: a recurrence keeps the order of its steps.
//
// Order may be observed, so the id stays as it is in a kernel with an atomic with a used result, a volatile
// load, a loop with an end from memory, another loop over num_programs, or impure inline assembly.
// (An atomic with an unused result cannot acquire anything, whatever its `sem`.) Neither does it change in a
// kernel that prints, since each line names the block, nor in one with assembly with the block's
// number. It also stays if grouping would not pay: the pass requires a dot with one operand by
// the row alone and one by the column alone, in a loop or with more operands than results. Kernels grouped by hand divide the row or column
// once more, by a divisor from the id; a kernel with further divisions of the id is left alone.
// The decision is reported in the kernel's attribute `tk.grouped_pid`.
//
// requires: equal ops merged (cleanup)
// provides: `tk.grouped_pid` on every kernel; keeps everything
// test:     tests/golden/passes/grouped_pid, tests/unit/test_grouped_pid.c
#include "passes/simplify/grouped_pid.h"

#include <stdio.h>
#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/as_written.h"
#include "passes/facts/value_work.h"

// ---- dependences on the program id ----

enum dependence {
    ON_ROW = 1 << 0,
    ON_COLUMN = 1 << 1,
    ON_ID = 1 << 2, // on the whole id, other than through its row or column
    ON_COUNT = 1 << 3,
};

struct dependences {
    struct pass_context *context;
    MlirOperation *ops;
    size_t count;
    enum grouped_pid_form form;
    MlirValue tiles;
    MlirOperation loop;              // GROUPED_PID_LOOP
    int64_t tile_rows, tile_columns; // elements
    struct map bits;                 // value → enum dependence bits
    bool changed;
};

static uintptr_t bits_of(const struct dependences *d, MlirValue value) {
    return (uintptr_t)map_get(&d->bits, value.ptr);
}

static void add_bits(struct dependences *d, MlirValue value, uintptr_t bits) {
    uintptr_t known = bits_of(d, value);
    if ((known | bits) != known) {
        map_put(&d->bits, value.ptr, (void *)(known | bits));
        d->changed = true;
    }
}

static bool is_division(enum op_kind kind) {
    return kind == OP_DIVSI || kind == OP_DIVUI;
}

static bool is_remainder(enum op_kind kind) {
    return kind == OP_REMSI || kind == OP_REMUI;
}

static bool is_id(struct ir *ir, MlirValue value, int axis) {
    MlirOperation op = value_op(value);
    return !mlirOperationIsNull(op) && op_kind(ir, op) == OP_PROGRAM_ID && op_int(op, ATTR_AXIS) == axis;
}

// True for the number of the tile: the program's id, or the counter of the loop over tiles.
static bool is_number_of_tile(struct ir *ir, MlirOperation loop, MlirValue value) {
    return mlirOperationIsNull(loop) ? is_id(ir, value, 0) : value_is(value, loop_as_written(ir, loop).index);
}

// Row or column of the linear id, as this op computes it.
static bool decomposes(const struct dependences *d, MlirOperation op, enum op_kind kind) {
    return (d->form == GROUPED_PID_LINEAR || d->form == GROUPED_PID_LOOP) &&
           (is_division(kind) || is_remainder(kind)) &&
           is_number_of_tile(d->context->ir, d->loop, binary_left(op)) &&
           value_is(binary_right(op), d->tiles);
}

static uintptr_t source_bits(const struct dependences *d, MlirOperation op, enum op_kind kind) {
    int64_t axis = op_int(op, ATTR_AXIS);
    switch (kind) {
    case OP_PROGRAM_ID:
        if (d->form == GROUPED_PID_GRID) {
            return axis == 0 ? ON_COLUMN : axis == 1 ? ON_ROW : 0;
        }
        return axis == 0 && d->form != GROUPED_PID_LOOP ? ON_ID : 0;
    case OP_NUM_PROGRAMS:
        return d->form == GROUPED_PID_LOOP ? 0 : ON_COUNT;
    default:
        return 0;
    }
}

static uintptr_t operand_bits(const struct dependences *d, MlirOperation op, intptr_t from, intptr_t to) {
    uintptr_t bits = 0;
    for (intptr_t i = from; i < to; i++) {
        bits |= bits_of(d, mlirOperationGetOperand(op, i));
    }
    return bits;
}

// From inits and yields to a loop's arguments, from its arguments to its results.
static void spread_for(struct dependences *d, MlirOperation op) {
    MlirBlock body = op_body(op, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    bool over_tiles = !mlirOperationIsNull(d->loop) && mlirOperationEqual(op, d->loop);
    uintptr_t control = operand_bits(d, op, at_for_lower, at_for_init) | (over_tiles ? ON_ID : 0);
    add_bits(d, mlirBlockGetArgument(body, 0), control);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        uintptr_t bits = control | bits_of(d, for_init(op, i)) | bits_of(d, yield_value(yield, i));
        add_bits(d, mlirBlockGetArgument(body, i + 1), bits);
        add_bits(d, mlirOperationGetResult(op, i), bits);
    }
}

static void spread_while(struct dependences *d, MlirOperation op) {
    MlirBlock before = op_body(op, 0), after = op_body(op, 1);
    MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
    uintptr_t control = bits_of(d, condition_flag(condition));
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); i++) {
        add_bits(d, mlirBlockGetArgument(before, i),
                 control | bits_of(d, while_init(op, i)) | bits_of(d, yield_value(yield, i)));
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        uintptr_t bits = control | bits_of(d, condition_value(condition, i));
        add_bits(d, mlirBlockGetArgument(after, i), bits);
        add_bits(d, mlirOperationGetResult(op, i), bits);
    }
}

static void spread_op(struct dependences *d, MlirOperation op) {
    enum op_kind kind = op_kind(d->context->ir, op);
    if (kind == OP_FOR) {
        spread_for(d, op);
        return;
    }
    if (kind == OP_WHILE) {
        spread_while(d, op);
        return;
    }
    uintptr_t bits = source_bits(d, op, kind) | operand_bits(d, op, 0, mlirOperationGetNumOperands(op));
    if (kind == OP_LOAD && !type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)))) {
        bits &= ON_COUNT; // an expert, a page: rows side by side mostly share it
    }
    if (decomposes(d, op, kind)) {
        bits = is_division(kind) ? ON_ROW : ON_COLUMN;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        uintptr_t yielded = 0;
        for (int r = 0; kind == OP_IF && r < 2; r++) {
            yielded |= bits_of(d, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(op, r)), i));
        }
        add_bits(d, mlirOperationGetResult(op, i), bits | yielded);
    }
}

static void find_dependences(struct dependences *d) {
    do {
        d->changed = false;
        for (size_t i = 0; i < d->count; i++) {
            spread_op(d, d->ops[i]);
        }
    } while (d->changed);
}

// ---- deciding ----

static bool any_result_used(MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (value_has_uses(mlirOperationGetResult(op, i))) {
            return true;
        }
    }
    return false;
}

static bool reads_memory_within(struct pass_context *context, MlirOperation loop) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_traits(op_kind(context->ir, ops[i])) & READ) {
            return true;
        }
    }
    return false;
}

// The reason why the order of programs might be observed; NULL if it cannot be.
static const char *order_matters(const struct dependences *d) {
    for (size_t i = 0; i < d->count; i++) {
        MlirOperation op = d->ops[i];
        if (op_names_block(d->context->ir, op)) {
            return "left alone: names the block";
        }
        switch (op_kind(d->context->ir, op)) {
        case OP_ATOMIC_POLL:
            return "left alone: waits for other programs";
        case OP_ATOMIC_RMW:
        case OP_ATOMIC_CAS:
            if (any_result_used(op)) {
                return "left alone: uses the value of an atomic";
            }
            break;
        case OP_LOAD:
            if (load_is_volatile(op)) {
                return "left alone: volatile load";
            }
            break;
        case OP_INLINE_ASM:
            if (!op_has(op, ATTR_PURE)) {
                return "left alone: inline assembly with effects";
            }
            break;
        case OP_FOR:
            if (operand_bits(d, op, at_for_lower, at_for_init) & ON_COUNT) {
                return "left alone: loops over num_programs";
            }
            break;
        case OP_WHILE:
            if (operand_bits(d, op, 0, mlirOperationGetNumOperands(op)) & ON_COUNT ||
                bits_of(d, condition_flag(mlirBlockGetTerminator(op_body(op, 0)))) & ON_COUNT) {
                return "left alone: loops over num_programs";
            }
            if (reads_memory_within(d->context, op)) {
                return "left alone: reads memory in a while loop";
            }
            break;
        default:
            break;
        }
    }
    return NULL;
}

static bool is_write(enum op_kind kind) {
    return kind == OP_STORE || kind == OP_ATOMIC_RMW || kind == OP_ATOMIC_CAS;
}

// True if a load of one tile may read another tile's store: they share an argument, and the addresses are not those of a tile's own elements.
static bool may_read_other_tile(const struct dependences *d, MlirOperation load, MlirOperation store) {
    struct ir *ir = d->context->ir;
    MlirValue from = load_pointer(load), to = leading_operand(store);
    const void *read = pointer_memory(ir, from), *written = pointer_memory(ir, to);
    bool own =
        (bits_of(d, from) & ON_ROW) && (bits_of(d, from) & ON_COLUMN) && pointers_may_meet(ir, from, to);
    return !own && (!read || !written || read == written);
}

// True if a tile's result may rest on those of tiles before it. `loads_pass_stores` has the same assumption about two arguments.
static bool tiles_read_tiles(const struct dependences *d) {
    size_t count;
    MlirOperation *ops = ops_collect(d->context->ir, d->context->arena, d->loop, &count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count && op_kind(d->context->ir, ops[i]) == OP_LOAD; j++) {
            if (is_write(op_kind(d->context->ir, ops[j])) && may_read_other_tile(d, ops[i], ops[j])) {
                return true;
            }
        }
    }
    return false;
}

static bool takes_apart(enum op_kind kind) {
    return is_division(kind) || is_remainder(kind) || kind == OP_SHRSI || kind == OP_SHRUI ||
           kind == OP_ANDI || kind == OP_XORI;
}

// Row, column or id are divided again: grouped by hand, or more than two dimensions in one id.
static const char *taken_further_apart(const struct dependences *d) {
    const char *why = NULL;
    for (size_t i = 0; i < d->count; i++) {
        MlirOperation op = d->ops[i];
        enum op_kind kind = op_kind(d->context->ir, op);
        bool turns = d->form == GROUPED_PID_LOOP && kind == OP_XORI &&
                     is_number_of_tile(d->context->ir, d->loop, mlirOperationGetResult(op, 0));
        if (!takes_apart(kind) || decomposes(d, op, kind) || turns) {
            continue;
        }
        MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
        uintptr_t ids = ON_ROW | ON_COLUMN | ON_ID;
        if (type_is_tensor(type) || type_bits(type) == 1 || !(bits_of(d, binary_left(op)) & ids)) {
            continue;
        }
        if (bits_of(d, binary_right(op)) & ids) {
            return "left alone: already grouped";
        }
        why = "left alone: the id is divided into more than a row and a column";
    }
    return why;
}

// True for a dot done once whose operands have fewer elements than its result: the results are most of what a program moves, and nobody
// reads them again. Computing the order would only delay programs (of adapters of rank 16, those without rows that end at once).
static bool is_mostly_result(struct ir *ir, MlirOperation dot) {
    MlirType tile = mlirValueGetType(mlirOperationGetResult(dot, 0)), a = mlirValueGetType(dot_a(dot));
    int64_t high = type_extent(tile, type_rank(tile) - 2), wide = type_extent(tile, type_rank(tile) - 1);
    return !op_is_in_loop(ir, dot) && (high + wide) * type_extent(a, type_rank(a) - 1) <= high * wide;
}

// Finds a dot of a row's tile with a column's, and sets the numbers of rows and columns of elements in its
// tile.
static bool find_reuse(struct dependences *d) {
    for (size_t i = 0; i < d->count; i++) {
        if (op_kind(d->context->ir, d->ops[i]) != OP_DOT || is_mostly_result(d->context->ir, d->ops[i])) {
            continue;
        }
        uintptr_t mask = ON_ROW | ON_COLUMN | ON_ID;
        uintptr_t a = bits_of(d, dot_a(d->ops[i])) & mask;
        uintptr_t b = bits_of(d, dot_b(d->ops[i])) & mask;
        if ((a == ON_ROW && b == ON_COLUMN) || (a == ON_COLUMN && b == ON_ROW)) {
            MlirType tile = mlirValueGetType(mlirOperationGetResult(d->ops[i], 0));
            int64_t high = type_extent(tile, type_rank(tile) - 2),
                    wide = type_extent(tile, type_rank(tile) - 1);
            d->tile_rows = a == ON_ROW ? high : wide;
            d->tile_columns = a == ON_ROW ? wide : high;
            return true;
        }
    }
    return false;
}

static bool has_dot(const struct dependences *d) {
    for (size_t i = 0; i < d->count; i++) {
        if (op_kind(d->context->ir, d->ops[i]) == OP_DOT) {
            return true;
        }
    }
    return false;
}

// The divisor of both a division and a remainder of program_id(0), or of the loop's counter; null if there is
// none.
static MlirValue find_tiles(const struct dependences *d) {
    struct ir *ir = d->context->ir;
    for (size_t i = 0; i < d->count; i++) {
        if (!is_division(op_kind(ir, d->ops[i])) || !is_number_of_tile(ir, d->loop, binary_left(d->ops[i]))) {
            continue;
        }
        MlirValue tiles = binary_right(d->ops[i]);
        for (size_t j = 0; j < d->count; j++) {
            if (is_remainder(op_kind(ir, d->ops[j])) &&
                is_number_of_tile(ir, d->loop, binary_left(d->ops[j])) &&
                value_is(binary_right(d->ops[j]), tiles)) {
                return tiles;
            }
        }
    }
    return (MlirValue){NULL};
}

// True for a loop over tiles with a counter used only for row and column: the order of the tiles is not
// observable. It carries no values from tile to tile, and only the loop reads the program's id.
static bool is_loop_over_tiles(struct dependences *d, MlirOperation op) {
    struct ir *ir = d->context->ir;
    struct written_loop written = loop_as_written(ir, op);
    MlirValue first = written.first, step = written.step, counter = written.index;
    if (mlirOperationGetNumResults(op) > 0 || !is_id(ir, first, 0) || !value_has_one_use(first) ||
        type_bits(mlirValueGetType(counter)) != 32) {
        return false;
    }
    for (size_t i = 0; i < d->count; i++) {
        enum op_kind kind = op_kind(ir, d->ops[i]);
        bool id = kind == OP_PROGRAM_ID && !value_is(mlirOperationGetResult(d->ops[i], 0), first);
        bool programs = kind == OP_NUM_PROGRAMS &&
                        (!value_is(mlirOperationGetResult(d->ops[i], 0), step) || !value_has_one_use(step));
        if (id || programs) {
            return false;
        }
    }
    d->loop = op;
    d->tiles = find_tiles(d);
    bool apart = !mlirValueIsNull(d->tiles);
    for (MlirOpOperand use = mlirValueGetFirstUse(counter); apart && !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(ir, user);
        apart = (is_division(kind) || is_remainder(kind)) && mlirOpOperandGetOperandNumber(use) == 0 &&
                value_is(binary_right(user), d->tiles);
    }
    if (!apart) {
        d->loop = (MlirOperation){NULL};
        d->tiles = (MlirValue){NULL};
    }
    return apart;
}

static bool find_loop_over_tiles(struct dependences *d, MlirOperation function) {
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(function, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(d->context->ir, op) == OP_FOR && is_loop_over_tiles(d, op)) {
            return true;
        }
    }
    return false;
}

// True if the scalar can be computed at the kernel's start: from arguments.
static bool computable_at_start(struct pass_context *context, MlirOperation function, MlirValue scalar) {
    struct value_work work = {.arena = context->arena};
    bool computable = true;
    value_work_add(&work, scalar);
    for (MlirValue value; computable && !mlirValueIsNull(value = value_work_take(&work));) {
        if (mlirValueIsABlockArgument(value)) {
            computable = mlirBlockEqual(mlirBlockArgumentGetOwner(value), op_body(function, 0));
            continue;
        }
        MlirOperation op = mlirOpResultGetOwner(value);
        computable = (op_traits(op_kind(context->ir, op)) & PURE) && mlirOperationGetNumRegions(op) == 0 &&
                     !type_is_tensor(mlirValueGetType(value)) && !is_id(context->ir, value, 0);
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && computable; i++) {
            value_work_add(&work, mlirOperationGetOperand(op, i));
        }
    }
    value_work_free(&work);
    return computable;
}

static bool uses_axis(const struct dependences *d, int axis) {
    for (size_t i = 0; i < d->count; i++) {
        if (op_kind(d->context->ir, d->ops[i]) == OP_PROGRAM_ID && op_int(d->ops[i], ATTR_AXIS) == axis) {
            return true;
        }
    }
    return false;
}

static const char *reject(struct dependences *d, MlirOperation function) {
    if (d->context->group_size == 1) {
        return "off";
    }
    if (!has_dot(d)) {
        return "left alone: no dot";
    }
    bool loop = find_loop_over_tiles(d, function);
    d->tiles = find_tiles(d);
    d->form = loop                                 ? GROUPED_PID_LOOP
              : !mlirValueIsNull(d->tiles)         ? GROUPED_PID_LINEAR
              : uses_axis(d, 0) && uses_axis(d, 1) ? GROUPED_PID_GRID
                                                   : GROUPED_PID_NONE;
    find_dependences(d);
    const char *why = order_matters(d);
    if (why) {
        return why;
    }
    if (d->form == GROUPED_PID_NONE) {
        return "left alone: no 2-D space of tiles";
    }
    if (loop && tiles_read_tiles(d)) {
        return "left alone: a tile may read what another tile has stored";
    }
    why = taken_further_apart(d);
    if (why) {
        return why;
    }
    if (!find_reuse(d)) {
        return "left alone: no dot of a row's tile with a column's";
    }
    if (d->form != GROUPED_PID_GRID &&
        (!computable_at_start(d->context, function, d->tiles) ||
         (loop &&
          !computable_at_start(d->context, function, loop_as_written(d->context->ir, d->loop).end)))) {
        return "left alone: the number of tiles in a row is not known at the start";
    }
    return NULL;
}

// The power of two nearest, by ratio, to √(multiprocessors · columns / rows). Measurements on an H200 agree:
// tiles of 128×256 in groups of 16 rows have 1.02 to 1.06 times the speed of groups of 8 at 4096³, 8192³,
// 4096×14336×4096 and 8192×28672×8192; groups of 12, 20 and 24 are up to 5 % slower than 16. Tiles of 256×128
// in groups of 8 have 1.00 to 1.03 times the speed of groups of 16. In tkc's own code groups of 8 to 32 are
// within 0.3 % of one another, 16 the best.
int grouped_pid_rows(unsigned multiprocessors, int64_t tile_rows, int64_t tile_columns) {
    enum { DEFAULT = 8, LEAST = 4, MOST = 32 };
    if (multiprocessors == 0) {
        return DEFAULT;
    }
    int rows = LEAST;
    while (rows < MOST && 2 * rows * rows * tile_rows < multiprocessors * tile_columns) {
        rows *= 2;
    }
    return rows;
}

struct grouped_pid grouped_pid_decide(struct pass_context *context, MlirOperation function) {
    struct dependences d = {.context = context};
    d.ops = ops_collect(context->ir, context->arena, function, &d.count);
    struct grouped_pid decision = {.why = reject(&d, function)};
    if (!decision.why) {
        decision.form = d.form;
        decision.tiles = d.tiles;
        decision.loop = d.loop;
        decision.group = context->group_size > 1 ? context->group_size
                                                 : grouped_pid_rows(context->target->multiprocessors,
                                                                    d.tile_rows, d.tile_columns);
    }
    map_free(&d.bits);
    return decision;
}

// ---- rewriting ----

static MlirValue program_op(struct builder *b, enum op_kind kind, int axis) {
    return VALUE(b, kind, NO_OPERANDS, RESULTS(type_i32(b->ir)), ATTRS(attr_i32(b, ATTR_AXIS, axis)));
}

struct tile {
    MlirValue row, column;
};

// The permuted place of tile (row, column) of `rows` × `columns`; the original place if `matches` is false.
static struct tile permuted(struct builder *b, struct tile at, MlirValue rows, MlirValue columns,
                            MlirValue matches, int group) {
    MlirValue height = const_int(b, type_i32(b->ir), group), one = const_int(b, type_i32(b->ir), 1);
    MlirValue zero = const_int(b, type_i32(b->ir), 0);
    // Only quotients and remainders, no differences: so the axis analysis sees non-negative values if
    // `matches` holds. If it does not, they are unused. Unsigned divisions take half the instructions.
    MlirValue group_first = build_binary(b, OP_MULI, build_binary(b, OP_DIVUI, at.row, height), height);
    MlirValue first = build_select(b, matches, group_first, at.row);
    MlirValue inside = build_select(b, matches, build_binary(b, OP_REMUI, at.row, height), zero);
    MlirValue size = build_binary(b, OP_MINSI, build_binary(b, OP_SUBI, rows, first), height);
    size = build_select(b, matches, size, one);
    size = build_binary(b, OP_MAXSI, size, one); // changes nothing, but shows size > 0: no guarded division
    inside = build_binary(b, OP_ADDI, build_binary(b, OP_MULI, inside, columns), at.column);
    return (struct tile){build_binary(b, OP_ADDI, first, build_binary(b, OP_REMUI, inside, size)),
                         build_binary(b, OP_DIVUI, inside, size)};
}

// Moves the ops computing `value` to the insertion point, operands first, each op once.
static void move_to_start(struct builder *b, struct map *moved, MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || map_has(moved, op.ptr)) {
        return;
    }
    map_put(moved, op.ptr, op.ptr);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        move_to_start(b, moved, mlirOperationGetOperand(op, i));
    }
    mlirOperationMoveBefore(op, b->before);
}

static void replace_ids(struct pass_context *context, MlirOperation *ops, size_t count, int axis,
                        MlirValue by) {
    for (size_t i = 0; i < count; i++) {
        if (!mlirOperationIsNull(ops[i]) && op_kind(context->ir, ops[i]) == OP_PROGRAM_ID &&
            op_int(ops[i], ATTR_AXIS) == axis) {
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(ops[i], 0), by);
            mlirOperationDestroy(ops[i]);
            ops[i] = (MlirOperation){NULL};
        }
    }
}

// Permutes the tiles 0 to `programs` - 1, in rows of `tiles`, if `allowed` holds. Replaces the row and column
// of `number`, its quotient and remainder by `tiles`, by the permuted ones. Returns the permuted number.
static MlirValue rewrite_numbers(struct pass_context *context, struct builder *b,
                                 const struct grouped_pid *decision, MlirValue number, MlirValue programs,
                                 MlirValue allowed, MlirOperation *ops, size_t count) {
    MlirValue tiles = decision->tiles;
    MlirValue zero = const_int(b, type_i32(b->ir), 0), one = const_int(b, type_i32(b->ir), 1);
    MlirValue positive = build_compare(b, INT_SGT, tiles, zero);
    MlirValue columns = build_binary(b, OP_MAXSI, tiles, one);
    MlirValue rows = build_binary(b, OP_DIVUI, programs, columns);
    MlirValue whole = build_compare(b, INT_EQ, build_binary(b, OP_MULI, rows, columns), programs);
    MlirValue matches = VALUE(b, OP_ANDI, OPERANDS(positive, whole), RESULTS(type_i1(b->ir)), NO_ATTRS);
    matches = mlirValueIsNull(allowed) ? matches : build_binary(b, OP_ANDI, matches, allowed);
    struct tile plain = {build_binary(b, OP_DIVSI, number, tiles), build_binary(b, OP_REMSI, number, tiles)};
    struct tile at = permuted(b, plain, rows, columns, matches, decision->group);
    MlirValue linear = build_binary(b, OP_ADDI, build_binary(b, OP_MULI, at.row, tiles), at.column);
    // Row and column are at hand; a divisor of zero or below divides the number, unchanged then, as before.
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if ((!is_division(kind) && !is_remainder(kind)) ||
            !is_number_of_tile(context->ir, decision->loop, binary_left(ops[i])) ||
            !value_is(binary_right(ops[i]), tiles)) {
            continue;
        }
        struct builder after = builder_after(context->ir, ops[i]);
        after.location = mlirOperationGetLocation(ops[i]);
        set_binary_left(ops[i], number);
        MlirValue old = mlirOperationGetResult(ops[i], 0), part = is_division(kind) ? at.row : at.column;
        MlirValue chosen = build_select(&after, positive, part, part);
        mlirValueReplaceAllUsesOfWith(old, chosen);
        set_select_no(mlirOpResultGetOwner(chosen), old);
    }
    return linear;
}

static void rewrite_linear(struct pass_context *context, struct builder *b,
                           const struct grouped_pid *decision, MlirOperation *ops, size_t count) {
    struct map moved = {0};
    move_to_start(b, &moved, decision->tiles);
    map_free(&moved);
    MlirValue id = program_op(b, OP_PROGRAM_ID, 0), programs = program_op(b, OP_NUM_PROGRAMS, 0);
    MlirValue linear = rewrite_numbers(context, b, decision, id, programs, (MlirValue){NULL}, ops, count);
    replace_ids(context, ops, count, 0, linear);
}

// The counter takes the numbers of all tiles, over all programs, if its step is the number of programs.
static void rewrite_loop(struct pass_context *context, struct builder *b, const struct grouped_pid *decision,
                         MlirOperation *ops, size_t count) {
    struct map moved = {0};
    move_to_start(b, &moved, decision->tiles);
    struct written_loop written = loop_as_written(context->ir, decision->loop);
    move_to_start(b, &moved, written.end);
    map_free(&moved);
    struct builder in = builder_after_value(context->ir, written.index);
    MlirValue all = build_compare(&in, INT_EQ, written.step, program_op(&in, OP_NUM_PROGRAMS, 0));
    rewrite_numbers(context, &in, decision, written.index, written.end, all, ops, count);
}

static void rewrite_grid(struct pass_context *context, struct builder *b, const struct grouped_pid *decision,
                         MlirOperation *ops, size_t count) {
    struct tile at = {program_op(b, OP_PROGRAM_ID, 1), program_op(b, OP_PROGRAM_ID, 0)};
    MlirValue rows = program_op(b, OP_NUM_PROGRAMS, 1), columns = program_op(b, OP_NUM_PROGRAMS, 0);
    MlirValue limit = const_int(b, type_i32(b->ir), INT32_MAX / decision->group); // no product wraps below
    at = permuted(b, at, rows, columns, build_compare(b, INT_SLE, columns, limit), decision->group);
    replace_ids(context, ops, count, 1, at.row);
    replace_ids(context, ops, count, 0, at.column);
}

static void rewrite(struct pass_context *context, MlirOperation function,
                    const struct grouped_pid *decision) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    struct builder b = builder_before(context->ir, mlirBlockGetFirstOperation(op_body(function, 0)));
    // A temporary op as insertion point for built and moved ops: the kernel's own first op may itself move.
    b.before = value_op(const_int(&b, type_i1(context->ir), 0));
    MlirOperation anchor = b.before;
    if (decision->form == GROUPED_PID_LINEAR) {
        rewrite_linear(context, &b, decision, ops, count);
    } else if (decision->form == GROUPED_PID_LOOP) {
        rewrite_loop(context, &b, decision, ops, count);
    } else if (decision->form == GROUPED_PID_GRID) {
        rewrite_grid(context, &b, decision, ops, count);
    }
    mlirOperationDestroy(anchor);
}

static void report(struct pass_context *context, MlirOperation function, const struct grouped_pid *decision) {
    char text[128];
    snprintf(text, sizeof text, "grouped %d", decision->group);
    op_set_string(context->ir, function, ATTR_GROUPED_PID, decision->why ? decision->why : text);
    if (decision->why) {
        const char *reason = strchr(decision->why, ':'); // "left alone: <reason>"
        const char *fact =
            arena_printf(context->arena, "%s%s", remark_refused(REMARK_GROUPED_PID), reason ? reason : "");
        remark_add(context, function,
                   (struct remark){.kind = REMARK_GROUPED_PID, .fact = fact, .refused = true});
    } else {
        remark(context, REMARK_GROUPED_PID, function,
               "program ids are grouped by %d rows of tiles, to share the L2 cache; --group-size=N changes "
               "the number",
               decision->group);
    }
}

void pass_grouped_pid(struct pass_context *context, MlirModule module) {
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(function);
         function = mlirOperationGetNextInBlock(function)) {
        if (op_kind(context->ir, function) != OP_FUNC || op_has(function, ATTR_GROUPED_PID)) {
            continue;
        }
        struct grouped_pid decision = grouped_pid_decide(context, function);
        rewrite(context, function, &decision);
        report(context, function, &decision);
    }
}
