// Splats, new dimensions and broadcasting. Constants stay splat constants throughout.
#include "dialects/tk/tk.h"
#include "frontend/semantics/emit.h"

struct value emit_splat(struct emitter *e, struct value scalar, int rank, const int64_t *shape) {
    if (value_failed(scalar) || rank == 0) {
        return scalar;
    }
    struct dtype dtype = scalar.tensor.dtype;
    struct value constant;
    if (!dtype_is_pointer(dtype) && tensor_constant(e, scalar, &constant)) {
        return constant.kind == VALUE_FLOAT ? emit_float(e, dtype, rank, shape, constant.number)
                                            : emit_int(e, dtype, rank, shape, value_integer(constant));
    }
    MlirType type = tensor_mlir_type(e, dtype, rank, shape);
    return tensor_from(e,
                       VALUE(&e->builder, OP_SPLAT, OPERANDS(scalar.tensor.value), RESULTS(type), NO_ATTRS),
                       dtype, rank, shape);
}

// The common scalar of all elements of a tile if known; else false.
static bool uniform_scalar(struct emitter *e, struct value tensor, struct value *scalar) {
    MlirOperation op = value_op(tensor.tensor.value);
    if (!mlirOperationIsNull(op) && op_kind(e->ir, op) == OP_SPLAT) {
        *scalar = tensor_from(e, unary_source(op), tensor.tensor.dtype, 0, NULL);
        return true;
    }
    struct value constant;
    if (!tensor_constant(e, tensor, &constant)) {
        return false;
    }
    *scalar = constant.kind == VALUE_FLOAT
                  ? emit_float(e, tensor.tensor.dtype, 0, NULL, constant.number)
                  : emit_int(e, tensor.tensor.dtype, 0, NULL, value_integer(constant));
    return true;
}

struct value emit_range(struct emitter *e, int64_t start, int64_t end) {
    struct builder *b = &e->builder;
    int64_t count = end - start;
    int32_t last = (int32_t)(start + padded_extent(count));
    struct dtype dtype = DTYPE_OF(INT32);
    MlirValue value = VALUE(b, OP_RANGE, NO_OPERANDS, RESULTS(tensor_mlir_type(e, dtype, 1, &count)),
                            ATTRS(attr_i32(b, ATTR_START, (int32_t)start), attr_i32(b, ATTR_END, last)));
    return tensor_from(e, value, dtype, 1, &count);
}

struct value emit_expand_dims(struct emitter *e, struct value tensor, int axis) {
    if (value_failed(tensor)) {
        return tensor;
    }
    int rank = tensor.tensor.rank;
    int64_t shape[TILE_MAX_RANK + 1];
    for (int i = 0; i <= rank; i++) {
        shape[i] = i == axis ? 1 : tensor.tensor.shape[i < axis ? i : i - 1];
    }
    struct value scalar;
    if (rank == 0) {
        return emit_splat(e, tensor, 1, shape);
    }
    if (uniform_scalar(e, tensor, &scalar)) {
        return emit_splat(e, scalar, rank + 1, shape);
    }
    MlirType type = tensor_mlir_type(e, tensor.tensor.dtype, rank + 1, shape);
    MlirValue value = VALUE(&e->builder, OP_EXPAND_DIMS, OPERANDS(tensor.tensor.value), RESULTS(type),
                            ATTRS(attr_i32(&e->builder, ATTR_AXIS, axis)));
    return tensor_from(e, value, tensor.tensor.dtype, rank + 1, shape);
}

bool emit_check_size(struct emitter *e, int rank, const int64_t *shape, struct location location) {
    int64_t left = TILE_MAX_ELEMENTS;
    for (int i = 0; i < rank; i++) {
        left /= padded_extent(shape[i]);
    }
    if (left == 0) {
        emit_error(e, location, "a tile of shape %s has too many elements: at most %d are supported",
                   shape_text(e, rank, shape), TILE_MAX_ELEMENTS);
    }
    return left > 0;
}

const char *shape_text(struct emitter *e, int rank, const int64_t *shape) {
    const char *text = "[";
    for (int i = 0; i < rank; i++) {
        text = arena_printf(e->arena, "%s%s%lld", text, i ? ", " : "", (long long)shape[i]);
    }
    return arena_printf(e->arena, "%s]", text);
}

struct value emit_broadcast_to(struct emitter *e, struct value tensor, int rank, const int64_t *shape,
                               struct location location) {
    if (value_failed(tensor)) {
        return tensor;
    }
    if (tensor.tensor.rank == 0) {
        return emit_splat(e, tensor, rank, shape);
    }
    bool same = tensor.tensor.rank == rank, fits = same;
    for (int i = 0; i < rank && fits; i++) {
        same = same && tensor.tensor.shape[i] == shape[i];
        fits = tensor.tensor.shape[i] == shape[i] || tensor.tensor.shape[i] == 1;
    }
    if (!fits) {
        return emit_error(e, location, "a tile of shape %s cannot be broadcast to %s",
                          shape_text(e, tensor.tensor.rank, tensor.tensor.shape), shape_text(e, rank, shape));
    }
    if (same) {
        return tensor;
    }
    struct value scalar;
    if (uniform_scalar(e, tensor, &scalar)) {
        return emit_splat(e, scalar, rank, shape);
    }
    MlirType type = tensor_mlir_type(e, tensor.tensor.dtype, rank, shape);
    return tensor_from(
        e, VALUE(&e->builder, OP_BROADCAST, OPERANDS(tensor.tensor.value), RESULTS(type), NO_ATTRS),
        tensor.tensor.dtype, rank, shape);
}

bool emit_broadcast_pair(struct emitter *e, struct value *a, struct value *b, struct location location) {
    if (value_failed(*a) || value_failed(*b)) {
        return false;
    }
    if (a->tensor.rank == 0 || b->tensor.rank == 0) {
        if (a->tensor.rank != b->tensor.rank) {
            struct value *scalar = a->tensor.rank == 0 ? a : b, *tile = a->tensor.rank == 0 ? b : a;
            *scalar = emit_splat(e, *scalar, tile->tensor.rank, tile->tensor.shape);
        }
        return true;
    }
    struct value x = *a, y = *b;
    while (x.tensor.rank < y.tensor.rank) {
        x = emit_expand_dims(e, x, 0);
    }
    while (y.tensor.rank < x.tensor.rank) {
        y = emit_expand_dims(e, y, 0);
    }
    int rank = x.tensor.rank;
    int64_t shape[TILE_MAX_RANK + 1];
    for (int i = 0; i < rank; i++) {
        int64_t left = x.tensor.shape[i], right = y.tensor.shape[i];
        if (left != right && left != 1 && right != 1) {
            emit_error(e, location,
                       "shapes %s and %s do not broadcast: dimension %d is %lld and %lld; make them equal, "
                       "or one of them 1 ([:, None], [None, :])",
                       shape_text(e, a->tensor.rank, a->tensor.shape),
                       shape_text(e, b->tensor.rank, b->tensor.shape), i, (long long)left, (long long)right);
            emit_note_tiles(e, emit_left_place(e, location));
            emit_note_tiles(e, emit_right_place(e, location));
            return false;
        }
        shape[i] = left == 1 ? right : left;
    }
    if (!emit_check_size(e, rank, shape, location)) {
        return false;
    }
    *a = emit_broadcast_to(e, x, rank, shape, location);
    *b = emit_broadcast_to(e, y, rank, shape, location);
    return !value_failed(*a) && !value_failed(*b);
}

struct value emit_check_value(struct emitter *e, struct value v, struct location location) {
    if (v.kind == VALUE_TENSOR) {
        return emit_check_size(e, v.tensor.rank, v.tensor.shape, location) ? v : value_error();
    }
    size_t weight = value_weight(v);
    return weight == 1 || emit_check_weight(e, weight, location) ? v : value_error();
}
