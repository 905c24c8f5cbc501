// Argument reading, and shape ops used by several builtins.
#include "frontend/builtin/handler.h"

#include <string.h>

#include "support/strbuf.h"

bool tensor_argument(struct emitter *e, struct value *v, struct location at) {
    *v = emit_to_tensor(e, *v, at);
    return !value_failed(*v);
}

bool bool_option(struct emitter *e, struct value v, const char *what, struct location at, bool *out) {
    return !given(v) || value_to_bool(e, v, what, at, out);
}

bool int_option(struct emitter *e, struct value v, const char *what, struct location at, int64_t *out) {
    return !given(v) || value_to_int(e, v, what, at, out);
}

bool word_argument(struct emitter *e, struct value v, enum word_kind kind, int allowed, int otherwise,
                   struct location at, int *out) {
    const char *text = "";
    *out = otherwise;
    bool truth, ok = false; // as in Triton, any false value stands for none
    truth = value_is_number(v) && value_truth(v, &ok);
    if (given(v) && (!ok || truth) && !value_to_string(e, v, word_what(kind), at, &text)) {
        return false;
    }
    if (!*text || (word_parse(kind, text, strlen(text), false, out) && (allowed >> *out & 1))) {
        return true;
    }
    struct strbuf known = {0};
    for (int word = 0; word < word_count(kind); word++) {
        if ((allowed >> word & 1) && *word_text(kind, word)) {
            strbuf_printf(&known, "%s\"%s\"", known.length ? ", " : "", word_text(kind, word));
        }
    }
    emit_error(e, at, "%s \"%s\" is not supported here: use one of %s", word_what(kind), text,
               strbuf_text(&known));
    strbuf_free(&known);
    return false;
}

// f(x, 1, 2) and f(x, (1, 2)) mean the same.
static struct value unwrap_rest(struct value rest) {
    if (value_is_sequence(rest) && rest.list.count == 1 && value_is_sequence(rest.list.items[0])) {
        return rest.list.items[0];
    }
    return rest;
}

bool shape_rest(struct emitter *e, struct value rest, const char *what, struct location at,
                int64_t shape[TILE_MAX_RANK], int *rank) {
    return value_to_tile_shape(e, unwrap_rest(rest), what, at, shape, rank);
}

bool ints_rest(struct emitter *e, struct value rest, const char *what, struct location at, int limit,
               int64_t *out, int *count) {
    return value_to_ints(e, unwrap_rest(rest), what, at, limit, out, count);
}

const char *describe(struct emitter *e, struct value v) {
    return value_type_name(e->arena, v);
}

const char *describe_dtype(struct emitter *e, struct dtype dtype) {
    return dtype_name(e->arena, dtype);
}

bool same_shape(struct value a, struct value b) {
    bool same = a.tensor.rank == b.tensor.rank;
    for (int i = 0; same && i < a.tensor.rank; i++) {
        same = a.tensor.shape[i] == b.tensor.shape[i];
    }
    return same;
}

int64_t element_count(struct value tensor) {
    int64_t count = 1;
    for (int i = 0; i < tensor.tensor.rank; i++) {
        count *= tensor.tensor.shape[i];
    }
    return count;
}

struct value emit_reshape(struct emitter *e, struct value tensor, int rank, const int64_t *shape,
                          bool reorder) {
    if (rank == 0) {
        return emit_to_scalar(e, tensor);
    }
    if (tensor.tensor.rank == 0) {
        return emit_splat(e, tensor, rank, shape);
    }
    struct value like = tensor;
    like.tensor.rank = rank;
    like.tensor.shape = shape;
    if (same_shape(tensor, like)) {
        return tensor;
    }
    struct builder *b = &e->builder;
    struct attrs attrs = reorder && !is_padded(tensor) ? ATTRS(attr_unit(b, ATTR_ALLOW_REORDER)) : NO_ATTRS;
    MlirValue value = VALUE(b, OP_RESHAPE, OPERANDS(tensor.tensor.value),
                            RESULTS(tensor_mlir_type(e, element(tensor), rank, shape)), attrs);
    return tensor_from(e, value, element(tensor), rank, shape);
}

struct value emit_squeeze(struct emitter *e, struct value tensor, int rank, const int64_t *shape) {
    struct value like = tensor, inner = tensor;
    like.tensor.rank = rank;
    like.tensor.shape = shape;
    MlirOperation op = value_op(tensor.tensor.value);
    while (!mlirOperationIsNull(op) && op_kind(e->ir, op) == OP_EXPAND_DIMS && inner.tensor.rank > rank) {
        int axis = op_int(op, ATTR_AXIS);
        int64_t left[TILE_MAX_RANK];
        for (int i = 0; i + 1 < inner.tensor.rank; i++) {
            left[i] = inner.tensor.shape[i < axis ? i : i + 1];
        }
        inner = tensor_from(e, unary_source(op), element(tensor), inner.tensor.rank - 1, left);
        op = value_op(inner.tensor.value);
    }
    return same_shape(inner, like) ? inner : emit_reshape(e, tensor, rank, shape, false);
}

struct value emit_permute(struct emitter *e, struct value tensor, const int32_t *order) {
    int rank = tensor.tensor.rank;
    int64_t shape[TILE_MAX_RANK];
    bool identity = true;
    for (int i = 0; i < rank; i++) {
        shape[i] = tensor.tensor.shape[order[i]];
        identity = identity && order[i] == i;
    }
    if (identity) {
        return tensor;
    }
    struct builder *b = &e->builder;
    MlirValue value = VALUE(b, OP_TRANS, OPERANDS(tensor.tensor.value),
                            RESULTS(tensor_mlir_type(e, element(tensor), rank, shape)),
                            ATTRS(attr_i32_array(b, ATTR_ORDER, rank, order)));
    return tensor_from(e, value, element(tensor), rank, shape);
}

struct value emit_swap_last(struct emitter *e, struct value tensor) {
    int rank = tensor.tensor.rank;
    int32_t order[TILE_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        order[i] = i;
    }
    order[rank - 2] = rank - 1;
    order[rank - 1] = rank - 2;
    return emit_permute(e, tensor, order);
}

// A reduction over one element; its region is never applied.
struct value emit_to_scalar(struct emitter *e, struct value tensor) {
    if (tensor.tensor.rank == 0) {
        return tensor;
    }
    int64_t one = 1;
    tensor = emit_reshape(e, tensor, 1, &one, false);
    struct builder *b = &e->builder;
    MlirType type = dtype_mlir(e->ir, element(tensor));
    MlirType types[2] = {type, type};
    MlirLocation places[2] = {b->location, b->location};
    MlirBlock block = mlirBlockCreate(2, types, places);
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, block);
    struct builder inside = builder_at_end(e->ir, block, b->location);
    OP(&inside, OP_YIELD, OPERANDS(mlirBlockGetArgument(block, 0)), NO_RESULTS, NO_ATTRS);
    MlirOperation op = build_op_regions(b, OP_REDUCE, OPERANDS(tensor.tensor.value), RESULTS(type),
                                        ATTRS(attr_i32(b, ATTR_AXIS, 0)), 1, &region);
    return tensor_from(e, mlirOperationGetResult(op, 0), element(tensor), 0, NULL);
}

struct value emit_constant_like(struct emitter *e, struct value like, double number) {
    if (dtype_is_float(element(like))) {
        return emit_float(e, element(like), like.tensor.rank, like.tensor.shape, number);
    }
    return emit_int(e, element(like), like.tensor.rank, like.tensor.shape, (wide_int)number);
}
