// row_factors: a chain's step scales the rows of a product's left operand; the factor of a row goes behind the product.
//
//   %v = tk.load %x + %p·K + %c {tk.step = -1}            for %k … iter_args(%acc, %total) {
//   %r = rsqrt(tk.reduce(%v·%v) / K + eps)                  %v = tk.load %x + %rows·K + %k + %c
//   tk.store %h + %p·K + %c, %v·%r·%w {tk.step = -1}        %w = tk.load %w + %k + %c
//                                                           yield tk.dot(%v·%w, %b, %acc), %total + tk.reduce(%v·%v)
//   for %k … iter_args(%acc) {                         →  }
//     %a = tk.load %h + %rows·K + %k + %c                 tk.store …, %acc · rsqrt(%total / K + eps)
//     yield tk.dot(%a, %b, %acc)
//   }
//   tk.store …, %acc
//
// The front end marks the step's program ids and accesses; the step has one row a program. It stores a product of the loaded element, of
// values of the row, and of values of the column. A row's values are the same along the product's sums, so the pass takes them out of the
// sums; the column's are multiplied with the operand. The row's values need sums over rows: the product's loop makes these, as it goes
// through whole rows. Rounding changes: the operand is no longer rounded with its row's factor, and sums have another order. The range
// changes, too: the element times the column's value must be in the operand's type without the row's factor.
//
// The array between the two is taken to be written whole by its step, and to have no memory: each load of it becomes one of the row.
//
// Or the step and the product have two kernels, and the loop stays as it is: the step's kernel writes the row's factor in place of the row, and the
// product's loads it behind the loop (row_factors_memory.c). There the factor may be any value of the row, the step may store more than the scaled row,
// and the row to scale may be one that it stores.
//
// requires: equal ops merged (cleanup), tk.step
// provides: no tk.step below zero, or a reason in tk.chain
// test:     tests/golden/passes/row_factors
#include "passes/simplify/row_factors.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/column_steps.h"
#include "passes/facts/parts.h"

static bool refuse(struct row_factors *f, MlirOperation op, enum reason reason) {
    return decline(f->context, op, reason);
}

// The mark of an op of a step that scales rows; 0: it is none.
static int64_t mark_of(MlirOperation op) {
    int64_t mark = op_int(op, ATTR_STEP);
    return mark == STEP_OF_ROWS || mark == STEP_OF_SCALED_ROWS || mark == STEP_MAKES_FACTORS ? mark : 0;
}

static bool is_ahead(MlirOperation op) {
    return mark_of(op) != 0;
}

static bool is_null(MlirOperation op) {
    return mlirOperationIsNull(op);
}

// ---- the step

// One row of the array, from its first column on: the row is a scalar.
static bool is_row(const struct tile_access *access) {
    const struct tile_dim *columns = &access->dim[0], *row = &access->dim[1];
    return access->rank == 2 && access->offset_count == 0 && access->guard_count == 0 &&
           columns->tile_dimension == 0 && columns->first.term_count == 0 && columns->first.constant == 0 &&
           !columns->wrapped && !columns->cut && row->tile_dimension < 0 && !row->wrapped && !row->cut;
}

static bool same_row(const struct tile_access *a, const struct tile_access *b) {
    return affine_equal(&a->dim[1].start, &b->dim[1].start) &&
           tile_same_size(a->dim[1].stride, b->dim[1].stride) &&
           tile_same_size(factor_width(a), factor_width(b));
}

// True if the store is of the scaled row. Where the step has a kernel without the product, it may store more, and the argument is marked.
static bool is_of_scaled(struct row_factors *f, MlirOperation store) {
    if (f->mark == STEP_OF_ROWS) {
        return true;
    }
    MlirValue array = pointer_argument(f->ir, store_pointer(store));
    MlirAttribute handed =
        mlirValueIsNull(array)
            ? mlirAttributeGetNull()
            : argument_attribute(f->function, mlirBlockArgumentGetArgNumber(array), ATTR_HANDED);
    return !mlirAttributeIsNull(handed) &&
           mlirStringRefEqual(mlirStringAttrGetValue(handed), mlirStringRefCreateFromCString("factors"));
}

static bool find_store(struct row_factors *f, MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!is_ahead(ops[i]) || op_kind(f->ir, ops[i]) != OP_STORE || !is_of_scaled(f, ops[i])) {
            continue;
        }
        if (!is_null(f->store)) {
            return refuse(f, ops[i], REASON_FACTOR_STORES);
        }
        f->store = ops[i];
    }
    if (is_null(f->store) || !mlirBlockEqual(mlirOperationGetBlock(f->store), f->body)) {
        return refuse(f, f->store, REASON_FACTOR_STORES);
    }
    f->handed = pointer_argument(f->ir, store_pointer(f->store));
    if (mlirValueIsNull(f->handed)) {
        return refuse(f, f->store, REASON_CHAIN_ADDRESS);
    }
    return (tile_access_of(f->affines, f->store, &f->stored) && is_row(&f->stored)) ||
           refuse(f, f->store, REASON_FACTOR_ROW);
}

static bool is_cast(enum op_kind kind) {
    return kind == OP_EXTF || kind == OP_TRUNCF || kind == OP_FP_TO_FP;
}

// The load behind casts of it; null for other values.
static MlirOperation cast_load(struct row_factors *f, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!is_null(op) && is_cast(op_kind(f->ir, op))) {
        op = value_op(unary_source(op));
    }
    return !is_null(op) && op_kind(f->ir, op) == OP_LOAD ? op : (MlirOperation){NULL};
}

// True if the step stores to the accessed array elsewhere, too: the product would read that.
static bool is_changed(struct row_factors *f, MlirOperation access) {
    MlirValue array = pointer_argument(f->ir, access_pointer(access));
    size_t count;
    MlirOperation *ops = ops_collect(f->ir, f->context->arena, f->function, &count);
    bool changed = mlirValueIsNull(array);
    for (size_t i = 0; i < count && !changed; i++) {
        changed = is_ahead(ops[i]) && op_kind(f->ir, ops[i]) == OP_STORE &&
                  !mlirOperationEqual(ops[i], access) &&
                  value_is(pointer_argument(f->ir, store_pointer(ops[i])), array);
    }
    return changed;
}

// Takes a load at the stored elements as the one to scale. The rows of both are as far apart.
static bool take_element(struct row_factors *f, MlirOperation load) {
    if (!is_null(f->element) || !tile_access_of(f->affines, load, &f->loaded) || !is_row(&f->loaded) ||
        !same_row(&f->stored, &f->loaded) || load_is_volatile(load) || is_changed(f, load)) {
        return false;
    }
    f->element = f->whole = load;
    MlirValue mask = load_mask(load), other = load_other(load);
    return mlirValueIsNull(mask) || (!mlirValueIsNull(other) && fills_with_zero(f->ir, other));
}

static MlirValue without_casts(struct row_factors *f, MlirValue value) {
    MlirOperation op = value_op(value);
    for (; !is_null(op) && is_cast(op_kind(f->ir, op)); op = value_op(value)) {
        value = unary_source(op);
    }
    return value;
}

// Takes a value as the one to scale if the step's own kernel stores it, too, at the places of the scaled row: the product reads it there.
static bool take_stored(struct row_factors *f, MlirValue value) {
    MlirOperation op = value_op(value), store = mlirBlockGetFirstOperation(f->body);
    bool none = f->mark == STEP_OF_ROWS || is_null(op) || !is_null(f->element);
    for (; !none && !is_null(store); store = mlirOperationGetNextInBlock(store)) {
        if (op_kind(f->ir, store) == OP_STORE && is_ahead(store) && !mlirOperationEqual(store, f->store) &&
            value_is(without_casts(f, store_value(store)), value) &&
            tile_access_of(f->affines, store, &f->loaded) && is_row(&f->loaded) &&
            same_row(&f->stored, &f->loaded) && !is_changed(f, store)) {
            f->element = op;
            f->whole = store;
            return true;
        }
    }
    return false;
}

// Splits the stored value into factors. Twice: the load to scale is found first, because kinds follow from it.
static bool split(struct row_factors *f, MlirValue value, bool divides, bool find) {
    MlirOperation op = value_op(value);
    enum op_kind kind = is_null(op) ? OP_UNKNOWN : op_kind(f->ir, op);
    if (find && !divides && take_stored(f, value)) {
        return true;
    }
    if (!find && !is_null(op) && mlirOperationEqual(op, f->element)) {
        return !divides || refuse(f, op, REASON_FACTOR_PARTS);
    }
    if (is_cast(kind) && is_null(cast_load(f, value))) {
        return split(f, unary_source(op), divides, find);
    }
    if (kind == OP_MULF || kind == OP_DIVF || kind == OP_DIV_RN) {
        return split(f, binary_left(op), divides, find) &&
               split(f, binary_right(op), divides != (kind != OP_MULF), find);
    }
    MlirOperation load = cast_load(f, value);
    if (find) {
        struct tile_access access;
        bool row = !is_null(load) && tile_access_of(f->affines, load, &access) && access.rank == 2;
        return !row || divides || take_element(f, load) || refuse(f, load, REASON_FACTOR_ROW);
    }
    if (!is_null(load) && mlirOperationEqual(load, f->element)) {
        return true;
    }
    enum factor_of of = factor_kind(f, value);
    if ((of == FACTOR_ROW || of == FACTOR_UNIFORM) && f->factor_count < FACTORS_MOST) {
        f->divides[f->factor_count] = divides;
        f->factors[f->factor_count++] = value;
        return true;
    }
    if (of == FACTOR_COLUMN && !divides && f->column_count < FACTORS_MOST) {
        f->columns[f->column_count++] = value;
        return true;
    }
    return refuse(f, is_null(op) ? f->store : op, REASON_FACTOR_PARTS);
}

static bool read_step(struct row_factors *f, MlirOperation *ops, size_t count) {
    if (!find_store(f, ops, count) || !split(f, store_value(f->store), false, true)) {
        return false;
    }
    return is_null(f->element) ? refuse(f, f->store, REASON_FACTOR_PARTS)
                               : split(f, store_value(f->store), false, false);
}

// ---- the product

// Finds the loads of the scaled array: one, if the product's loop makes the sums over rows. *loads: so many.
static bool find_loads(struct row_factors *f, MlirOperation *ops, size_t count, MlirOperation *found,
                       size_t *loads) {
    size_t most = f->mark == STEP_OF_ROWS ? 1 : count;
    *loads = 0;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(f->ir, ops[i]);
        bool access = kind == OP_LOAD || kind == OP_STORE;
        if (!access || is_ahead(ops[i]) ||
            !value_is(pointer_argument(f->ir, access_pointer(ops[i])), f->handed)) {
            continue;
        }
        if (kind == OP_STORE || *loads == most) {
            return refuse(f, ops[i], REASON_FACTOR_LOADS);
        }
        found[(*loads)++] = ops[i];
    }
    return *loads > 0 || refuse(f, f->store, REASON_FACTOR_LOADS);
}

// True if the tile's only readers are dots, as their left operand, and the loop sums the dots up from zero.
static bool check_dots(struct row_factors *f) {
    MlirValue tile = mlirOperationGetResult(f->load, 0);
    MlirOperation yield = mlirBlockGetTerminator(op_body(f->loop, 0));
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation dot = mlirOpOperandGetOwner(use);
        if (op_kind(f->ir, dot) != OP_DOT || mlirOpOperandGetOperandNumber(use) != at_dot_a ||
            mlirOperationGetNumOperands(dot) != LEAST_DOT ||
            !mlirOperationEqual(mlirOperationGetParentOperation(dot), f->loop)) {
            return refuse(f, f->load, REASON_FACTOR_LOADS);
        }
        MlirValue sum = dot_c(dot), result = mlirOperationGetResult(dot, 0);
        intptr_t number = mlirValueIsABlockArgument(sum) ? mlirBlockArgumentGetArgNumber(sum) - 1 : -1;
        bool carried = number >= 0 && value_has_one_use(sum) && value_has_one_use(result) &&
                       value_is(mlirOperationGetOperand(yield, number), result) &&
                       fills_with_zero(f->ir, for_init(f->loop, number)) &&
                       mlirTypeEqual(type_element(mlirValueGetType(sum)), type_f32(f->ir));
        if (!carried || f->dot_count == FACTORS_MOST) {
            return refuse(f, dot, REASON_FACTOR_SUMS);
        }
        f->results[f->dot_count] = number;
        f->dots[f->dot_count++] = dot;
    }
    return true;
}

// True if the term is so many elements a step of the loop.
static bool is_column_step(struct row_factors *f, const struct tile_term *term, int64_t extent) {
    return term->symbol_count == 1 &&
           is_step_of_columns(f->ir, f->loop, &term->symbols[0], term->factor, extent);
}

// True if the loop goes once through all columns, a tile a step, and leaves out places behind the last one.
static bool goes_through_rows(struct row_factors *f) {
    const struct tile_dim *columns = &f->operand.dim[0];
    int64_t extent = columns->extent;
    f->width = column_steps_width(f->ir, f->loop, extent);
    const struct affine *width = mlirValueIsNull(f->width) ? NULL : affine_of(f->affines, f->width);
    bool steps = columns->first.constant == 0 && columns->first.term_count == 1 &&
                 is_column_step(f, &columns->first.terms[0], extent);
    bool known = width && width->count == 1 && affine_is_size(f->affines, &width->terms[0]) &&
                 mlirTypeEqual(mlirValueGetType(f->width), type_i32(f->ir));
    struct tile_size size = known ? tile_size_of(f->affines, &width->terms[0], 0) : (struct tile_size){0};
    return steps && known && tile_same_size(size, factor_width(&f->stored)) &&
           (!columns->bounded || tile_same_size(columns->bound, size));
}

static bool read_product(struct row_factors *f) {
    f->loop = mlirOperationGetParentOperation(f->load);
    if (op_kind(f->ir, f->loop) != OP_FOR) {
        return refuse(f, f->load, REASON_FACTOR_LOADS);
    }
    if (!check_dots(f)) {
        return false;
    }
    const struct tile_access *tile = &f->operand;
    MlirValue other = load_other(f->load);
    bool zero =
        mlirValueIsNull(load_mask(f->load)) || (!mlirValueIsNull(other) && fills_with_zero(f->ir, other));
    if (!tile_access_of(f->affines, f->load, &f->operand) || tile->rank != 2 || tile->offset_count ||
        tile->dim[0].tile_dimension != 1 || tile->dim[1].tile_dimension != 0 || tile->dim[0].wrapped ||
        tile->dim[0].cut || !zero || !tile_same_size(tile->dim[1].stride, f->stored.dim[1].stride)) {
        return refuse(f, f->load, REASON_FACTOR_LOADS);
    }
    MlirValue array = pointer_argument(f->ir, access_pointer(f->whole));
    MlirType element = type_element(mlirValueGetType(mlirOperationGetResult(f->load, 0)));
    bool known = mlirTypeEqual(element, type_f16(f->ir)) || mlirTypeEqual(element, type_bf16(f->ir)) ||
                 mlirTypeEqual(element, type_f32(f->ir));
    if (!known || mlirValueIsNull(array) ||
        !mlirTypeEqual(mlirValueGetType(array), mlirValueGetType(f->handed))) {
        return refuse(f, f->element, REASON_FACTOR_TYPE);
    }
    return goes_through_rows(f) || refuse(f, f->loop, REASON_FACTOR_WHOLE);
}

// ---- sums over rows

// True if a zero element makes the value zero: places left out of a row add nothing.
static bool is_zero_at_zero(struct row_factors *f, MlirValue value) {
    MlirOperation op = value_op(value);
    if (is_null(op)) {
        return false;
    }
    switch (op_kind(f->ir, op)) {
    case OP_LOAD:
        return mlirOperationEqual(op, f->element);
    case OP_EXTF:
    case OP_TRUNCF:
    case OP_ABSF:
    case OP_NEGF:
        return is_zero_at_zero(f, unary_source(op));
    case OP_MULF:
        return is_zero_at_zero(f, binary_left(op)) || is_zero_at_zero(f, binary_right(op));
    case OP_ADDF:
    case OP_SUBF:
        return is_zero_at_zero(f, binary_left(op)) && is_zero_at_zero(f, binary_right(op));
    default:
        return false;
    }
}

static bool note_reduces(struct row_factors *f, MlirValue value) {
    MlirOperation op = value_op(value);
    if (is_null(op)) {
        return true;
    }
    if (op_kind(f->ir, op) != OP_REDUCE) {
        bool fine = true;
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && fine; i++) {
            fine = note_reduces(f, mlirOperationGetOperand(op, i));
        }
        return fine;
    }
    for (int i = 0; i < f->reduce_count; i++) {
        if (mlirOperationEqual(f->reduces[i], op)) {
            return true;
        }
    }
    MlirValue tile = reduce_tile(op, 0);
    bool sums = mlirOperationGetNumOperands(op) == 1 && reduce_combines_by(f->ir, op) == OP_ADDF &&
                factor_kind(f, tile) == FACTOR_ELEMENT && is_zero_at_zero(f, tile) &&
                f->reduce_count < FACTORS_MOST;
    if (!sums) {
        return refuse(f, op, REASON_FACTOR_REDUCES);
    }
    f->reduces[f->reduce_count++] = op;
    return true;
}

// The sum of a step of the loop over the columns of its tile.
static MlirValue sum_columns(struct builder *b, MlirOperation reduce, MlirValue tile) {
    int64_t rows = type_extent(mlirValueGetType(tile), 0);
    MlirType type = tensor_type(1, &rows, type_element(mlirValueGetType(tile)), mlirAttributeGetNull());
    MlirOperation copy = mlirOperationClone(reduce); // for its region
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
    mlirOperationDestroy(copy);
    return mlirOperationGetResult(build_op_regions(b, OP_REDUCE, OPERANDS(tile), RESULTS(type),
                                                   ATTRS(attr_i32(b, ATTR_AXIS, 1)), 1, &region),
                                  0);
}

// The loop carries the totals; in `row` the totals stand for the step's sums then. A step's sums stand behind its products, and are computed
// beside them.
static bool carry_sums(struct row_factors *f) {
    struct builder ahead = builder_before(f->ir, f->loop);
    struct builder end = builder_before(f->ir, mlirBlockGetTerminator(op_body(f->loop, 0)));
    end.location = mlirOperationGetLocation(f->load);
    MlirValue starts[FACTORS_MOST], next[FACTORS_MOST];
    for (int i = 0; i < f->reduce_count; i++) {
        MlirValue tile = factor_tile(f, &end, reduce_tile(f->reduces[i], 0));
        if (mlirValueIsNull(tile)) {
            return false;
        }
        f->sums[i] = sum_columns(&end, f->reduces[i], tile);
        starts[i] = const_float(&ahead, mlirValueGetType(f->sums[i]), 0);
    }
    if (f->reduce_count == 0) {
        return true;
    }
    intptr_t results = mlirOperationGetNumResults(f->loop);
    f->loop = build_more(f->ir, f->context->arena, f->loop, (struct operands){f->reduce_count, starts});
    MlirBlock body = op_body(f->loop, 0);
    end.before = mlirBlockGetTerminator(body);
    for (int i = 0; i < f->reduce_count; i++) {
        next[i] = build_binary(&end, OP_ADDF, mlirBlockGetArgument(body, 1 + results + i), f->sums[i]);
        map_value(&f->row, mlirOperationGetResult(f->reduces[i], 0),
                  mlirOperationGetResult(f->loop, results + i));
    }
    build_yield_more(f->ir, f->context->arena, body, (struct operands){f->reduce_count, next});
    return true;
}

// ---- the operand, and the results

static MlirValue cast_to(struct builder *b, MlirValue value, MlirType element) {
    MlirType from = type_element(mlirValueGetType(value)),
             type = type_with_shape_of(mlirValueGetType(value), element);
    unsigned own = type_bits(from), bits = type_bits(element);
    return own == bits ? value
                       : VALUE(b, own < bits ? OP_EXTF : OP_TRUNCF, OPERANDS(value), RESULTS(type), NO_ATTRS);
}

// The product of the columns' values: in the operand's type if it is only widened from there, since the product with the element has one
// rounding either way; else in f32.
static MlirValue columns_value(struct row_factors *f, struct builder *b, MlirType element) {
    MlirValue all = {NULL};
    for (int i = 0; i < f->column_count; i++) {
        MlirValue made = factor_column(f, b, f->columns[i]);
        if (mlirValueIsNull(made)) {
            return made;
        }
        MlirOperation op = value_op(made);
        bool widened = f->column_count == 1 && op_kind(f->ir, op) == OP_EXTF &&
                       mlirTypeEqual(type_element(mlirValueGetType(unary_source(op))), element);
        made = widened ? unary_source(op) : cast_to(b, made, type_f32(f->ir));
        all = mlirValueIsNull(all) ? made : build_binary(b, OP_MULF, all, made);
    }
    return all;
}

static bool scale_operand(struct row_factors *f, struct builder *b) {
    MlirValue tile = mlirOperationGetResult(f->load, 0);
    MlirType type = mlirValueGetType(tile), element = type_element(type);
    if (f->column_count == 0) {
        return true;
    }
    MlirValue columns = columns_value(f, b, element);
    if (mlirValueIsNull(columns)) {
        return false;
    }
    MlirType wide = type_element(mlirValueGetType(columns));
    MlirValue spread = factor_spread(b, columns, 0, type);
    MlirValue scaled = cast_to(b, tile, wide);
    scaled = build_binary(b, OP_MULF, scaled, spread);
    scaled = cast_to(b, scaled, element);
    for (int i = 0; i < f->dot_count; i++) {
        set_dot_a(f->dots[i], scaled);
    }
    return true;
}

// The product of the factors: of the tile's rows, or of the step's row, a scalar. Null, with a reason, if there is none.
static MlirValue factors_product(struct row_factors *f, struct builder *b) {
    MlirValue all = {NULL};
    MlirType type = type_f32(f->ir);
    if (f->mark != STEP_MAKES_FACTORS) {
        int64_t rows = type_extent(mlirValueGetType(mlirOperationGetResult(f->load, 0)), 0);
        type = tensor_type(1, &rows, type, mlirAttributeGetNull());
    }
    for (int i = 0; i < f->factor_count; i++) {
        MlirValue made = factor_row(f, b, f->factors[i]);
        if (mlirValueIsNull(made)) {
            return made;
        }
        if (type_bits(type_element(mlirValueGetType(made))) < 16) {
            refuse(f, f->store, REASON_FACTOR_TYPE);
            return (MlirValue){NULL};
        }
        made = cast_to(b, made, type_f32(f->ir));
        if (!mlirTypeEqual(mlirValueGetType(made), type)) {
            made = VALUE(b, OP_SPLAT, OPERANDS(made), RESULTS(type), NO_ATTRS);
        }
        if (mlirValueIsNull(all) && f->divides[i]) {
            all = const_float(b, type, 1);
        }
        all = mlirValueIsNull(all) ? made : build_binary(b, f->divides[i] ? OP_DIVF : OP_MULF, all, made);
    }
    return all;
}

// The factors of the tile's rows: 1 if rows have no columns, whose mean is no number.
static MlirValue rows_value(struct row_factors *f, struct builder *b) {
    MlirValue rows = factors_product(f, b);
    if (mlirValueIsNull(rows)) {
        return rows;
    }
    MlirType type = mlirValueGetType(rows);
    MlirValue any = build_compare(b, INT_SGT, f->width, const_int(b, type_i32(f->ir), 0));
    any = VALUE(b, OP_SPLAT, OPERANDS(any), RESULTS(type_with_shape_of(type, type_i1(f->ir))), NO_ATTRS);
    return build_select(b, any, rows, const_float(b, type, 1));
}

// Multiplies the loop's sums by the factors of their rows.
static void scale_results(struct row_factors *f, struct builder *b, MlirValue rows) {
    for (int i = 0; i < f->dot_count; i++) {
        MlirValue result = mlirOperationGetResult(f->loop, f->results[i]);
        MlirValue factor = factor_spread(b, rows, 1, mlirValueGetType(result));
        MlirOperation product =
            build_op(b, OP_MULF, OPERANDS(factor, factor), RESULTS(mlirValueGetType(result)), NO_ATTRS);
        mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(product, 0));
        set_binary_left(product, result);
    }
}

// ---- the function

// Erases the step as it was. False if something of it is still needed.
static bool erase_step(struct row_factors *f) {
    size_t count;
    MlirOperation *ops = ops_collect(f->ir, f->context->arena, f->function, &count);
    bool all = true;
    for (size_t i = count; i-- > 0;) {
        bool own = is_ahead(ops[i]), used = false;
        for (intptr_t k = 0; k < mlirOperationGetNumResults(ops[i]); k++) {
            used |= value_has_uses(mlirOperationGetResult(ops[i], k));
        }
        bool pure = (op_traits(op_kind(f->ir, ops[i])) & PURE) && mlirOperationGetNumResults(ops[i]);
        bool kept = f->mark == STEP_MAKES_FACTORS && op_kind(f->ir, ops[i]) == OP_STORE &&
                    !mlirOperationEqual(ops[i], f->store);
        if (!used && !kept && (pure || own)) {
            mlirOperationDestroy(ops[i]);
        } else if (own && f->mark == STEP_MAKES_FACTORS) {
            op_remove_attribute(ops[i], ATTR_STEP); // the factor needs it, or another array
        } else {
            all &= !own;
        }
    }
    return all || refuse(f, f->function, REASON_CHAIN_EFFECT);
}

// The step and its product in one kernel, whose loop makes the sums over rows.
static bool join_product(struct row_factors *f) {
    for (int i = 0; i < f->factor_count; i++) {
        if (!note_reduces(f, f->factors[i])) {
            return false;
        }
    }
    MlirValue array = pointer_argument(f->ir, access_pointer(f->whole));
    struct builder b = builder_after(f->ir, f->load);
    if (!carry_sums(f) || !scale_operand(f, &b)) {
        return false;
    }
    b = builder_after(f->ir, f->loop);
    MlirValue rows = f->factor_count ? rows_value(f, &b) : (MlirValue){NULL};
    if (f->factor_count && mlirValueIsNull(rows)) {
        return false;
    }
    if (f->factor_count) {
        scale_results(f, &b, rows);
    }
    if (!erase_step(f)) {
        return false;
    }
    mlirValueReplaceAllUsesOfWith(f->handed, array);
    return true;
}

static void free_maps(struct row_factors *f) {
    map_free(&f->tile);
    map_free(&f->column);
    map_free(&f->row);
}

// True if the products read the same rows, and the second one stands behind the first.
static bool same_factors(const struct row_factors *a, const struct row_factors *b) {
    const struct tile_dim *one = &a->operand.dim[1], *other = &b->operand.dim[1];
    return mlirBlockEqual(mlirOperationGetBlock(a->loop), mlirOperationGetBlock(b->loop)) &&
           op_is_before(a->loop, b->loop) && affine_equal(&one->start, &other->start) &&
           one->extent == other->extent && one->bounded == other->bounded && one->wrapped == other->wrapped &&
           (!one->bounded || tile_same_size(one->bound, other->bound));
}

// Products alone, of rows that the kernel ahead has left unscaled, with their factors: of each the same step, and its own load and loop.
static bool scale_products(struct row_factors *f, const MlirOperation *loads, size_t count) {
    struct row_factors *products = ARENA_ARRAY(f->context->arena, struct row_factors, count + 1);
    for (size_t i = 0; i < count; i++) { // all facts ahead of the first change
        products[i] = *f;
        products[i].load = loads[i];
        if (!read_product(&products[i]) || !factors_may_be_loaded(&products[i])) {
            return false;
        }
    }
    MlirValue array = pointer_argument(f->ir, access_pointer(f->whole));
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        struct builder b = builder_after(f->ir, products[i].load);
        fine = scale_operand(&products[i], &b);
        free_maps(&products[i]);
    }
    if (!fine || !erase_step(f)) {
        return false;
    }
    mlirValueReplaceAllUsesOfWith(f->handed, array);
    MlirValue factors = {NULL};
    for (size_t i = 0; i < count; i++) {
        struct builder b = builder_after(f->ir, products[i].loop);
        bool known = i > 0 && same_factors(&products[i - 1], &products[i]);
        factors = known ? factors : factors_load(&products[i], &b);
        scale_results(&products[i], &b, factors);
    }
    return true;
}

// The step alone, which leaves its row's factor to the product's kernel.
static bool leave_factor(struct row_factors *f) {
    struct builder b = builder_before(f->ir, f->store);
    MlirValue factor = factors_may_be_stored(f) ? factors_product(f, &b) : (MlirValue){NULL};
    if (mlirValueIsNull(factor)) {
        return false;
    }
    factors_store(f, &b, factor);
    return erase_step(f);
}

static bool take_apart(struct row_factors *f, MlirOperation *ops, size_t count) {
    if (!read_step(f, ops, count)) {
        return false;
    }
    if (f->mark == STEP_MAKES_FACTORS) {
        return leave_factor(f);
    }
    MlirOperation *loads = ARENA_ARRAY(f->context->arena, MlirOperation, count + 1);
    size_t load_count;
    if (!find_loads(f, ops, count, loads, &load_count)) {
        return false;
    }
    if (f->mark == STEP_OF_SCALED_ROWS) {
        return scale_products(f, loads, load_count);
    }
    f->load = loads[0];
    return read_product(f) && join_product(f);
}

static bool factor_function(struct pass_context *context, MlirOperation function) {
    struct affines affines;
    struct row_factors f = {.context = context,
                            .ir = context->ir,
                            .function = function,
                            .body = op_body(function, 0),
                            .affines = &affines};
    size_t count;
    MlirOperation *ops = ops_collect(f.ir, context->arena, function, &count);
    for (size_t i = 0; i < count && !f.mark; i++) {
        f.mark = mark_of(ops[i]);
    }
    if (!f.mark) {
        return false;
    }
    affines_open(&affines, context, function);
    if (!take_apart(&f, ops, count)) {
        reason_keep(context, function, ATTR_CHAIN);
    }
    affines_close(&affines);
    free_maps(&f);
    return true;
}

void pass_row_factors(struct pass_context *context, MlirModule module) {
    bool changed = false;
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); !is_null(function);
         function = mlirOperationGetNextInBlock(function)) {
        changed |= op_has(function, ATTR_CHAIN) && factor_function(context, function);
    }
    if (changed) {
        pass_cleanup(context, module);
    }
}
