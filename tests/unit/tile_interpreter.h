// A small interpreter of integer tile IR: one program of one kernel, and its stores.
#ifndef TKC_TESTS_UNIT_TILE_INTERPRETER_H
#define TKC_TESTS_UNIT_TILE_INTERPRETER_H

#include "tile_testing.h"

#include <mlir-c/BuiltinTypes.h>

enum { BASE_SHIFT = 32, MAX_STORED = 1 << 14 };

struct interpreter {
    struct tile_bench *tiles;
    struct arena *arena;
    // value → int64_t[elements]; a pointer is number of its argument << BASE_SHIFT, plus elements
    struct map cells;
    struct map iterations; // loop → int64_t: how often its body has run before
    int64_t programs, program[3];
    const int64_t *arguments;
    int64_t stored[MAX_STORED][2]; // address and value
    int stored_count;
    bool trapped; // divided by zero
    // Called at each load and store before it is done.
    void (*access)(struct interpreter *in, MlirOperation op);
    // A load with zeros in its rows from the bound on; null for none.
    MlirOperation zeroed;
    const struct tile_access *zeroed_access;
};

static UNUSED int64_t *cells_of(struct interpreter *in, MlirValue value) {
    int64_t *at = map_get(&in->cells, value.ptr);
    if (!at) {
        at = ARENA_ARRAY(in->arena, int64_t, type_elements(mlirValueGetType(value)));
        map_put(&in->cells, value.ptr, at);
    }
    return at;
}

static UNUSED int64_t *operand_cells(struct interpreter *in, MlirOperation op, intptr_t index) {
    return cells_of(in, mlirOperationGetOperand(op, index));
}

static UNUSED void copy_cells(struct interpreter *in, MlirValue to, MlirValue from) {
    int64_t *source = cells_of(in, from), *target = cells_of(in, to);
    memcpy(target, source, sizeof *target * (size_t)type_elements(mlirValueGetType(to)));
}

// The element's index along each dimension, and back.
static UNUSED void unflatten(MlirType type, int64_t element, int64_t *index) {
    for (int d = type_rank(type) - 1; d >= 0; d--) {
        index[d] = element % type_extent(type, d);
        element /= type_extent(type, d);
    }
}

static UNUSED int64_t flatten(MlirType type, const int64_t *index) {
    int64_t element = 0;
    for (int d = 0; d < type_rank(type); d++) {
        element = element * type_extent(type, d) + (type_extent(type, d) == 1 ? 0 : index[d]);
    }
    return element;
}

static UNUSED int64_t memory_at(int64_t address) {
    return (int64_t)((uint64_t)address * 2654435761u >> 9) % 11 - 3;
}

// ---- arithmetic ----

static UNUSED int64_t narrowed(MlirType type, int64_t value) {
    MlirType element = type_element(type);
    unsigned bits = mlirTypeIsAInteger(element) ? type_bits(element) : 64;
    return bits == 1 ? value & 1 : (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static UNUSED bool compared(int64_t predicate, int64_t a, int64_t b) {
    const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    assert_true(predicate < 6);
    return results[predicate];
}

static UNUSED int64_t computed(struct interpreter *in, MlirOperation op, enum op_kind kind,
                               const int64_t *x) {
    switch (kind) {
    case OP_ADDI:
    case OP_ADDPTR:
        return x[0] + x[1];
    case OP_SUBI:
        return x[0] - x[1];
    case OP_MULI:
        return (int64_t)((uint64_t)x[0] * (uint64_t)x[1]);
    case OP_DIVSI:
    case OP_REMSI:
        in->trapped |= x[1] == 0;
        return x[1] == 0 ? 0 : kind == OP_DIVSI ? x[0] / x[1] : x[0] % x[1];
    case OP_MINSI:
        return x[0] < x[1] ? x[0] : x[1];
    case OP_MAXSI:
        return x[0] > x[1] ? x[0] : x[1];
    case OP_ANDI:
        return x[0] & x[1];
    case OP_ORI:
        return x[0] | x[1];
    case OP_CMPI:
        return compared(op_int(op, ATTR_PREDICATE), x[0], x[1]);
    case OP_SELECT:
        return x[0] ? x[1] : x[2];
    case OP_EXTSI:
    case OP_TRUNCI:
    case OP_HINT:
    case OP_CONVERT_LAYOUT:
    case OP_SPLAT:
        return x[0];
    default:
        fail_msg("no %s in the interpreter", op_table[kind].name);
        return 0;
    }
}

static UNUSED void run_elementwise(struct interpreter *in, MlirOperation op, enum op_kind kind) {
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType type = mlirValueGetType(result);
    int64_t *out = cells_of(in, result), count = mlirOperationGetNumOperands(op);
    for (int64_t e = 0; e < type_elements(type); e++) {
        int64_t x[3] = {0};
        for (intptr_t i = 0; i < count; i++) {
            MlirType from = mlirValueGetType(mlirOperationGetOperand(op, i));
            x[i] = operand_cells(in, op, i)[type_is_tensor(from) ? e : 0];
        }
        out[e] = narrowed(type, computed(in, op, kind, x));
    }
}

static UNUSED void run_constant(struct interpreter *in, MlirOperation op) {
    MlirValue result = mlirOperationGetResult(op, 0);
    int64_t value;
    assert_true(value_is_constant_int(in->tiles->bench->ir, result, &value));
    for (int64_t e = 0; e < type_elements(mlirValueGetType(result)); e++) {
        cells_of(in, result)[e] = narrowed(mlirValueGetType(result), value);
    }
}

// ---- shapes ----

static UNUSED void run_shape(struct interpreter *in, MlirOperation op, enum op_kind kind) {
    MlirValue result = mlirOperationGetResult(op, 0), operand = mlirOperationGetOperand(op, 0);
    MlirType type = mlirValueGetType(result), from = mlirValueGetType(operand);
    int64_t *out = cells_of(in, result), *source = cells_of(in, operand);
    const int32_t *order = NULL;
    op_i32_array(op, ATTR_ORDER, &order, in->arena);
    for (int64_t e = 0; e < type_elements(type); e++) {
        int64_t index[LAYOUT_MAX_RANK], at[LAYOUT_MAX_RANK];
        unflatten(type, e, index);
        for (int d = 0; d < type_rank(type); d++) {
            at[order ? order[d] : d] = index[d];
        }
        out[e] = kind == OP_BROADCAST || kind == OP_TRANS ? source[flatten(from, at)] : source[e];
    }
}

static UNUSED void run_block(struct interpreter *in, MlirBlock block);

static UNUSED int64_t combined(struct interpreter *in, MlirOperation op, int64_t a, int64_t b) {
    MlirBlock body = op_body(op, 0);
    cells_of(in, mlirBlockGetArgument(body, 0))[0] = a;
    cells_of(in, mlirBlockGetArgument(body, 1))[0] = b;
    MlirOperation last = mlirBlockGetFirstOperation(body); // tk.yield, not a terminator to MLIR
    for (MlirOperation op = last; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
        last = op;
    }
    run_block(in, body);
    return operand_cells(in, last, 0)[0];
}

// Reductions and scans of one tile: runs of elements along the axis are folded in order.
static UNUSED void run_fold(struct interpreter *in, MlirOperation op, enum op_kind kind) {
    MlirValue result = mlirOperationGetResult(op, 0), operand = mlirOperationGetOperand(op, 0);
    MlirType from = mlirValueGetType(operand), type = mlirValueGetType(result);
    int axis = (int)op_int(op, ATTR_AXIS);
    int64_t *out = cells_of(in, result), *source = cells_of(in, operand);
    for (int64_t e = 0; e < type_elements(from); e++) {
        int64_t index[LAYOUT_MAX_RANK], to[LAYOUT_MAX_RANK] = {0};
        unflatten(from, e, index);
        int64_t along = index[axis];
        for (int d = 0; d < type_rank(from); d++) {
            if (kind == OP_SCAN || d != axis) {
                to[kind == OP_SCAN || d < axis ? d : d - 1] = index[d];
            }
        }
        int64_t *target = &out[flatten(type, to)], before = *target;
        if (kind == OP_SCAN && along > 0) {
            to[axis] = along - 1;
            before = out[flatten(type, to)];
        }
        *target = along == 0 ? source[e] : combined(in, op, before, source[e]);
    }
}

// ---- memory ----

static UNUSED int64_t size_value(const struct interpreter *in, struct tile_size size) {
    int64_t product = size.factor;
    for (int i = 0; i < AFFINE_FACTORS; i++) {
        int64_t argument = size.parameters[i] < 0 ? 1 : in->arguments[size.parameters[i]];
        product *= i == 0 ? argument / size.over : argument;
    }
    return size.constant + product;
}

static UNUSED int64_t index_value(struct interpreter *in, const struct tile_index *index) {
    int64_t sum = index->constant;
    for (int t = 0; t < index->term_count; t++) {
        int64_t product = index->terms[t].factor;
        for (int s = 0; s < index->terms[t].symbol_count; s++) {
            struct affine_symbol symbol = index->terms[t].symbols[s];
            product *= mlirValueIsNull(symbol.value) ? *(int64_t *)map_get(&in->iterations, symbol.loop.ptr)
                                                     : cells_of(in, symbol.value)[0];
        }
        sum += product;
    }
    return sum;
}

// True if an element is in rows that wrap around, of any dimension of the box.
static UNUSED bool wraps_around(struct interpreter *in, const struct tile_access *access,
                                const int64_t *index) {
    for (unsigned n = 0; n < access->rank; n++) {
        const struct tile_dim *dim = &access->dim[n];
        if (dim->wrapped &&
            index_value(in, &dim->first) + index[dim->tile_dimension] >= size_value(in, dim->bound)) {
            return true;
        }
    }
    return false;
}

static UNUSED void run_load(struct interpreter *in, MlirOperation op) {
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType type = mlirValueGetType(result);
    intptr_t count = mlirOperationGetNumOperands(op);
    int64_t index[LAYOUT_MAX_RANK] = {0};
    for (int64_t e = 0; e < type_elements(type); e++) {
        bool masked = count > 1 && !operand_cells(in, op, 1)[e];
        cells_of(in, result)[e] =
            masked ? (count > 2 ? operand_cells(in, op, 2)[e] : 0) : memory_at(operand_cells(in, op, 0)[e]);
        unflatten(type, e, index);
        if (mlirOperationEqual(op, in->zeroed) && wraps_around(in, in->zeroed_access, index)) {
            cells_of(in, result)[e] = 0;
        }
    }
}

static UNUSED void run_store(struct interpreter *in, MlirOperation op) {
    for (int64_t e = 0; e < type_elements(mlirValueGetType(mlirOperationGetOperand(op, 0))); e++) {
        if (mlirOperationGetNumOperands(op) < 3 || operand_cells(in, op, 2)[e]) {
            assert_true(in->stored_count < MAX_STORED);
            in->stored[in->stored_count][0] = operand_cells(in, op, 0)[e];
            in->stored[in->stored_count++][1] = operand_cells(in, op, 1)[e];
        }
    }
}

// ---- control ----

static UNUSED void run_for(struct interpreter *in, MlirOperation op) {
    MlirBlock body = op_body(op, 0);
    MlirOperation yield = mlirBlockGetTerminator(body);
    intptr_t count = mlirOperationGetNumResults(op);
    int64_t lower = operand_cells(in, op, 0)[0], upper = operand_cells(in, op, 1)[0];
    int64_t step = operand_cells(in, op, 2)[0], *iteration = ARENA_NEW(in->arena, int64_t);
    map_put(&in->iterations, op.ptr, iteration);
    for (intptr_t i = 0; i < count; i++) {
        copy_cells(in, mlirOperationGetResult(op, i), mlirOperationGetOperand(op, 3 + i));
    }
    for (int64_t k = lower; k < upper; k += step, ++*iteration) {
        cells_of(in, mlirBlockGetArgument(body, 0))[0] = k;
        for (intptr_t i = 0; i < count; i++) {
            copy_cells(in, mlirBlockGetArgument(body, i + 1), mlirOperationGetResult(op, i));
        }
        run_block(in, body);
        for (intptr_t i = 0; i < count; i++) {
            copy_cells(in, mlirOperationGetResult(op, i), mlirOperationGetOperand(yield, i));
        }
    }
}

static UNUSED void run_op(struct interpreter *in, MlirOperation op) {
    enum op_kind kind = op_kind(in->tiles->bench->ir, op);
    MlirValue result = mlirOperationGetNumResults(op) ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
    switch (kind) {
    case OP_RETURN:
    case OP_YIELD:
    case OP_SCF_YIELD:
        return;
    case OP_CONSTANT:
        run_constant(in, op);
        return;
    case OP_PROGRAM_ID:
        cells_of(in, result)[0] = in->program[op_int(op, ATTR_AXIS)];
        return;
    case OP_NUM_PROGRAMS:
        cells_of(in, result)[0] = in->programs;
        return;
    case OP_RANGE:
        for (int64_t e = 0; e < type_elements(mlirValueGetType(result)); e++) {
            cells_of(in, result)[e] = op_int(op, ATTR_START) + e;
        }
        return;
    case OP_EXPAND_DIMS:
    case OP_RESHAPE:
    case OP_BROADCAST:
    case OP_TRANS:
        run_shape(in, op, kind);
        return;
    case OP_REDUCE:
    case OP_SCAN:
        run_fold(in, op, kind);
        return;
    case OP_LOAD:
        in->access(in, op);
        run_load(in, op);
        return;
    case OP_STORE:
        in->access(in, op);
        run_store(in, op);
        return;
    case OP_FOR:
        run_for(in, op);
        return;
    default:
        run_elementwise(in, op, kind);
    }
}

static UNUSED void run_block(struct interpreter *in, MlirBlock block) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        run_op(in, op);
    }
}

// Runs the kernel with the fields set by the caller; `arguments` has a number for each argument, for pointers
// any.
static UNUSED void interpret(struct interpreter *in) {
    MlirBlock body = op_body(in->tiles->affines.function, 0);
    map_clear(&in->cells);
    map_clear(&in->iterations);
    in->stored_count = 0;
    in->trapped = false;
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
        MlirValue argument = mlirBlockGetArgument(body, i);
        cells_of(in, argument)[0] =
            type_is_ptr(mlirValueGetType(argument)) ? (int64_t)i << BASE_SHIFT : in->arguments[i];
    }
    run_block(in, body);
}

#endif
