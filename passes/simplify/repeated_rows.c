// repeated_rows: a load with repeated rows or columns of its tile, for a dot's operand, loads each once.
//
//   %i = arith.divsi %k, 8           k: 0 to 63           %i = 0 to 7
//   %p = tk.addptr %w, %i * n + j                         %p = tk.addptr %w, %i * n + j
//   %q = tk.load %p : 64x256                       →      %l = tk.load %p : 8x256
//                                                         %q = tk.reshape (tk.broadcast (tk.expand_dims %l))
//
// Sources of dequantised products address a packed word once for each number in it. Then the tile is no box of
// its tensor, and takes eight times the registers and accesses. Every op behind the addresses is repeated on a
// smaller tile, with the first row of each group.
//
// A group may have all rows of the tile: scales and zeros of a group of K that a step does not leave. The one row is spread
// behind the arithmetic that has only values of columns:
//
//   %g = arith.divsi %k, 64             k: 64 numbers, from a multiple of 64
//   %p = tk.addptr %s, %j + %g
//   %q = tk.load %p : 64x256                       →      %l = tk.load %p : 1x256
//   %f = arith.extf %q                                    %f = tk.broadcast (arith.extf %l)
//
// requires: a tile program without layouts
// provides: the same program; dead addresses
// test:     tests/golden/passes/repeated_rows
#include "passes/pass.h"

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/facts/axis.h"
#include "passes/facts/dimensions.h"
#include "passes/facts/value_work.h"

// Takes the first of every `group` elements along a dimension.
struct sampling {
    struct ir *ir;
    struct arena *arena;
    int64_t group;
    struct map seen; // values with a way to sample them
    struct map made; // value → its samples
};

// ---- asking ----

static bool can_sample(struct sampling *s, MlirValue value, int dim);

static bool can_sample_carried(struct sampling *s, MlirValue argument, int dim) {
    MlirBlock body = mlirBlockArgumentGetOwner(argument);
    MlirOperation loop = mlirBlockGetParentOperation(body);
    intptr_t number = mlirBlockArgumentGetArgNumber(argument) - 1;
    return op_kind(s->ir, loop) == OP_FOR && number >= 0 && can_sample(s, for_init(loop, number), dim) &&
           can_sample(s, yield_value(mlirBlockGetTerminator(body), number), dim);
}

static bool can_sample(struct sampling *s, MlirValue value, int dim) {
    if (dimension_is_whole(value, dim) || map_has(&s->seen, value.ptr)) {
        return true;
    }
    map_put(&s->seen, value.ptr, (void *)value.ptr);
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return can_sample_carried(s, value, dim);
    }
    enum op_kind kind = op_kind(s->ir, op);
    if (kind == OP_CONSTANT) {
        return !mlirAttributeIsNull(value_constant(s->ir, value));
    }
    bool known = kind == OP_EXPAND_DIMS || kind == OP_BROADCAST || kind == OP_TRANS || kind == OP_HINT ||
                 (op_traits(kind) & ELEMENTWISE && op_traits(kind) & PURE);
    for (intptr_t i = 0; known && i < mlirOperationGetNumOperands(op); i++) {
        known =
            can_sample(s, mlirOperationGetOperand(op, i), dimension_of_operand(s->ir, s->arena, op, i, dim));
    }
    return kind == OP_RANGE || kind == OP_SPLAT ||
           (known && mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0);
}

// ---- building ----

static MlirValue sample(struct sampling *s, MlirValue value, int dim);

// The samples of a carried value are carried, too.
static MlirValue sample_carried(struct sampling *s, MlirValue argument, int dim) {
    MlirBlock body = mlirBlockArgumentGetOwner(argument);
    intptr_t number = mlirBlockArgumentGetArgNumber(argument) - 1;
    MlirValue init = sample(s, for_init(mlirBlockGetParentOperation(body), number), dim);
    build_more(s->ir, s->arena, mlirBlockGetParentOperation(body), OPERANDS(init));
    MlirValue made = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
    map_value(&s->made, argument, made);
    MlirValue next = sample(s, yield_value(mlirBlockGetTerminator(body), number), dim);
    build_yield_more(s->ir, s->arena, body, OPERANDS(next));
    return made;
}

static MlirValue sample_range(struct sampling *s, struct builder *b, MlirOperation op, MlirType type) {
    int64_t start = op_int(op, ATTR_START), count = type_extent(type, 0);
    MlirValue range = VALUE(b, OP_RANGE, NO_OPERANDS, RESULTS(type),
                            ATTRS(attr_i32(b, ATTR_END, (int32_t)count), attr_i32(b, ATTR_START, 0)));
    range = build_binary(b, OP_MULI, range, const_int(b, type, s->group));
    return start == 0 ? range : build_binary(b, OP_ADDI, range, const_int(b, type, start));
}

// A sampled range over its group is the range: the quotient, if the value is a spread range times `by`; else null.
static MlirValue quotient(struct sampling *s, struct builder *b, MlirValue value, int64_t by) {
    MlirOperation op = value_op(value);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(s->ir, op);
    int64_t factor;
    if (kind == OP_MULI && value_is_constant_int(s->ir, binary_right(op), &factor) && factor == by &&
        op_kind(s->ir, value_op(binary_left(op))) == OP_RANGE) {
        return binary_left(op);
    }
    if (kind != OP_EXPAND_DIMS && kind != OP_BROADCAST) {
        return (MlirValue){NULL};
    }
    MlirValue source = quotient(s, b, unary_source(op), by);
    return mlirValueIsNull(source) ? source
                                   : VALUE(b, kind, OPERANDS(source), RESULTS(mlirValueGetType(value)),
                                           op_attributes(s->arena, op));
}

static MlirValue sample_op(struct sampling *s, MlirOperation op, int dim) {
    MlirType type = dimension_cut(mlirValueGetType(mlirOperationGetResult(op, 0)), dim, s->group);
    struct builder b = builder_after(s->ir, op);
    b.location = mlirOperationGetLocation(op);
    if (op_kind(s->ir, op) == OP_RANGE) {
        return sample_range(s, &b, op, type);
    }
    if (op_kind(s->ir, op) == OP_CONSTANT) {
        MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(op_attribute(op, ATTR_VALUE));
        return VALUE(&b, OP_CONSTANT, NO_OPERANDS, RESULTS(type),
                     ATTRS(attr(&b, ATTR_VALUE, mlirDenseElementsAttrSplatGet(type, splat))));
    }
    if (op_kind(s->ir, op) == OP_HINT) {
        return sample(s, unary_source(op), dim);
    }
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue *operands = ARENA_ARRAY(s->arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        operands[i] =
            sample(s, mlirOperationGetOperand(op, i), dimension_of_operand(s->ir, s->arena, op, i, dim));
    }
    if (op_kind(s->ir, op) == OP_BROADCAST && mlirTypeEqual(mlirValueGetType(operands[0]), type)) {
        return operands[0];
    }
    int64_t by;
    bool divides = op_kind(s->ir, op) == OP_DIVSI || op_kind(s->ir, op) == OP_DIVUI;
    if (divides && value_is_constant_int(s->ir, binary_right(op), &by)) {
        MlirValue whole = quotient(s, &b, operands[0], by);
        if (!mlirValueIsNull(whole)) {
            return whole;
        }
    }
    return mlirOperationGetResult(build_op(&b, op_kind(s->ir, op), (struct operands){count, operands},
                                           RESULTS(type), op_attributes(s->arena, op)),
                                  0);
}

static MlirValue sample(struct sampling *s, MlirValue value, int dim) {
    if (dimension_is_whole(value, dim)) {
        return value;
    }
    const void *known = map_get(&s->made, value.ptr);
    if (known) {
        return (MlirValue){known};
    }
    MlirOperation op = value_op(value);
    MlirValue made = mlirOperationIsNull(op) ? sample_carried(s, value, dim) : sample_op(s, op, dim);
    map_value(&s->made, value, made);
    return made;
}

// ---- loads ----

static bool passes_on(enum op_kind kind) {
    return (op_traits(kind) & ELEMENTWISE) || kind == OP_TRANS || kind == OP_RESHAPE;
}

static bool is_factor(const void *context, MlirOpOperand use, MlirValue value) {
    (void)value;
    return op_kind(((const struct pass_context *)context)->ir, mlirOpOperandGetOwner(use)) == OP_DOT &&
           mlirOpOperandGetOperandNumber(use) < 2;
}

// True if a dot's operand is computed from the tile.
static bool feeds_dot(const struct pass_context *context, MlirValue tile) {
    return value_has_reader(
        &(struct reader_question){context->arena, context->ir, passes_on, is_factor, context}, tile);
}

// The samples, each repeated `group` times along the dimension.
static MlirValue spread(struct sampling *s, struct builder *b, MlirValue samples, MlirType type, int dim) {
    MlirType small = mlirValueGetType(samples);
    if (s->group == type_extent(type, dim)) {
        return VALUE(b, OP_BROADCAST, OPERANDS(samples), RESULTS(type), NO_ATTRS);
    }
    int64_t shape[3];
    for (int d = 0; d < 3; d++) {
        shape[d] = d == dim + 1 ? 1 : type_extent(small, d - (d > dim));
    }
    MlirType apart = tensor_type(3, shape, type_element(type), (MlirAttribute){NULL});
    shape[dim + 1] = s->group;
    MlirType repeated = tensor_type(3, shape, type_element(type), (MlirAttribute){NULL});
    MlirValue value =
        VALUE(b, OP_EXPAND_DIMS, OPERANDS(samples), RESULTS(apart), ATTRS(attr_i32(b, ATTR_AXIS, dim + 1)));
    value = VALUE(b, OP_BROADCAST, OPERANDS(value), RESULTS(repeated), NO_ATTRS);
    return VALUE(b, OP_RESHAPE, OPERANDS(value), RESULTS(type), NO_ATTRS);
}

// The one row behind the value; null: it has several.
static MlirValue one_row(struct sampling *s, struct builder *b, MlirValue value, int dim) {
    MlirOperation op = value_op(value);
    MlirAttribute constant = value_constant(s->ir, value);
    MlirType small = dimension_cut(mlirValueGetType(value), dim, s->group);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(s->ir, op);
    if (!mlirAttributeIsNull(constant)) {
        return VALUE(b, OP_CONSTANT, NO_OPERANDS, RESULTS(small),
                     ATTRS(attr(b, ATTR_VALUE, mlirDenseElementsAttrSplatGet(small, constant))));
    }
    if (kind == OP_SPLAT) {
        return VALUE(b, OP_SPLAT, OPERANDS(unary_source(op)), RESULTS(small), NO_ATTRS);
    }
    bool same = kind == OP_BROADCAST && mlirTypeEqual(mlirValueGetType(unary_source(op)), small);
    return same ? unary_source(op) : (MlirValue){NULL};
}

// The op on one row, spread, if all its operands have one; else null.
static MlirValue done_once(struct sampling *s, MlirOperation op, int dim) {
    unsigned traits = op_traits(op_kind(s->ir, op));
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue *operands = ARENA_ARRAY(s->arena, MlirValue, count);
    struct builder b = builder_before(s->ir, op);
    bool once = (traits & ELEMENTWISE) && (traits & PURE) && mlirOperationGetNumResults(op) == 1 &&
                mlirOperationGetNumRegions(op) == 0;
    for (intptr_t i = 0; once && i < count; i++) {
        operands[i] = one_row(s, &b, mlirOperationGetOperand(op, i), dim);
        once = !mlirValueIsNull(operands[i]); // if not, what was made is dead
    }
    if (!once) {
        return (MlirValue){NULL};
    }
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    MlirOperation row = build_op(&b, op_kind(s->ir, op), (struct operands){count, operands},
                                 RESULTS(dimension_cut(type, dim, s->group)), op_attributes(s->arena, op));
    return VALUE(&b, OP_BROADCAST, OPERANDS(mlirOperationGetResult(row, 0)), RESULTS(type), NO_ATTRS);
}

// Spreads the tile's row behind the ops that need no other rows.
static void spread_late(struct sampling *s, MlirValue tile, int dim) {
    struct value_work work = {.arena = s->arena};
    value_work_add(&work, tile);
    for (MlirValue value; !mlirValueIsNull(value = value_work_take(&work));) {
        MlirOpOperand use = mlirValueGetFirstUse(value), next;
        for (; !mlirOpOperandIsNull(use); use = next) {
            MlirOperation op = mlirOpOperandGetOwner(use);
            next = mlirOpOperandGetNextUse(use);
            while (!mlirOpOperandIsNull(next) && mlirOperationEqual(mlirOpOperandGetOwner(next), op)) {
                next = mlirOpOperandGetNextUse(next);
            }
            MlirValue made = done_once(s, op, dim);
            if (!mlirValueIsNull(made)) {
                mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), made);
                value_work_add(&work, made);
            }
        }
    }
    value_work_free(&work);
}

static void rewrite(struct sampling *s, MlirOperation load, int dim, const char *assumes) {
    MlirValue result = mlirOperationGetResult(load, 0);
    MlirType type = mlirValueGetType(result);
    intptr_t count = mlirOperationGetNumOperands(load);
    MlirValue *operands = ARENA_ARRAY(s->arena, MlirValue, count);
    for (intptr_t i = 0; i < count; i++) {
        if (!can_sample(s, mlirOperationGetOperand(load, i), dim)) {
            return;
        }
    }
    for (intptr_t i = 0; i < count; i++) {
        operands[i] = sample(s, mlirOperationGetOperand(load, i), dim);
    }
    struct builder b = builder_after(s->ir, load);
    b.location = mlirOperationGetLocation(load);
    MlirOperation small =
        build_op(&b, OP_LOAD, (struct operands){count, operands}, RESULTS(dimension_cut(type, dim, s->group)),
                 op_attributes(s->arena, load));
    if (assumes) {
        op_set_string(s->ir, small, ATTR_ASSUMES, assumes);
    }
    MlirValue tile = spread(s, &b, mlirOperationGetResult(small, 0), type, dim);
    mlirValueReplaceAllUsesOfWith(result, tile);
    mlirOperationDestroy(load);
    if (s->group == type_extent(type, dim)) {
        spread_late(s, tile, dim);
    }
}

static void rewrite_function(struct pass_context *context, MlirOperation function) {
    struct ir *ir = context->ir;
    struct axis axis = {0};
    size_t count, loads = 0;
    MlirOperation *ops = ops_collect(ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) { // rewriting replaces loops
        if (op_kind(ir, ops[i]) == OP_LOAD) {
            ops[loads++] = ops[i];
        }
    }
    axis_analyse(&axis, context, function);
    for (size_t i = 0; i < loads; i++) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(ops[i], 0));
        if (!type_is_tensor(type) || type_rank(type) != 2 ||
            !feeds_dot(context, mlirOperationGetResult(ops[i], 0))) {
            continue;
        }
        struct axis_info info = axis_of_load(&axis, ops[i]);
        int dim = info.constancy[0] > 1 ? 0 : 1;
        struct sampling s = {.ir = ir, .arena = context->arena, .group = info.constancy[dim]};
        if (s.group > 1 && s.group <= type_extent(type, dim)) {
            rewrite(&s, ops[i], dim, axis_access_assumes(&axis, load_pointer(ops[i]), load_mask(ops[i])));
        }
        map_free(&s.seen);
        map_free(&s.made);
    }
    axis_free(&axis);
}

void pass_repeated_rows(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        rewrite_function(context, op);
    }
}
