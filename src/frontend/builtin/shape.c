// Creates and reshapes tiles: tl.arange, zeros, full, broadcasts, reshape, permute, join, split, cat, gather,
// where …
//
// Shapes are compile-time constants with power-of-two extents. These are views for the later passes: most
// cost nothing once tiles have layouts.
#include <stdlib.h>
#include <string.h>

#include "frontend/builtin/handler.h"
#include "frontend/semantics/language.h"

// ---- making ----

enum { ARANGE_START, ARANGE_END };

struct value builtin_arange(struct emitter *e, struct value *args, struct location at) {
    int64_t start, end;
    struct value known;
    struct location at_start = emit_place_of(e, "start", at), at_end = emit_place_of(e, "end", at);
    if (value_is_tensor(args[ARANGE_END]) && !tensor_constant(e, args[ARANGE_END], &known)) {
        return emit_error(e, at_end,
                          "the end of tl.arange must be a compile-time constant, an integer, not %s: write "
                          "tl.arange(0, BLOCK) with a "
                          "parameter BLOCK: tl.constexpr, and mask what is not below this end",
                          describe(e, args[ARANGE_END]));
    }
    if (!value_to_int(e, args[ARANGE_START], "the start of tl.arange", at_start, &start) ||
        !value_to_int(e, args[ARANGE_END], "the end of tl.arange", at_end, &end)) {
        return value_error();
    }
    int64_t count = end - start;
    if (start < INT32_MIN || end > INT32_MAX) {
        return emit_error(e, at, "tl.arange(%lld, %lld) does not fit 32 bits", (long long)start,
                          (long long)end);
    }
    if (count <= 0) {
        return emit_error(e, at, "tl.arange(%lld, %lld) is empty: its end must be greater than its start",
                          (long long)start, (long long)end);
    }
    int64_t power = padded_extent(count < TILE_MAX_ELEMENTS ? count : TILE_MAX_ELEMENTS);
    if (count > power || (count < power && !e->pads)) {
        return emit_error(
            e, at_end,
            "tl.arange(%lld, %lld) has %lld elements: the number must be a power of two, at most %d; "
            "take %lld and mask the rest",
            (long long)start, (long long)end, (long long)count, TILE_MAX_ELEMENTS, (long long)power);
    }
    return emit_range(e, start, end);
}

// Fills a tile of `dtype` and shape with a number or scalar tensor.
static struct value filled(struct emitter *e, struct value value, struct dtype dtype, int rank,
                           const int64_t *shape, struct location at) {
    if (value_is_number(value)) {
        return emit_full(e, value, dtype, rank, shape, at);
    }
    if (!tensor_argument(e, &value, at)) {
        return value_error();
    }
    if (element_count(value) != 1) {
        return emit_error(e, at, "a tile is filled with a scalar, not %s", describe(e, value));
    }
    value = emit_cast(e, emit_to_scalar(e, value), dtype, at);
    return value_failed(value) || rank == 0 ? value : emit_splat(e, value, rank, shape);
}

enum { FULL_SHAPE, FULL_VALUE, FULL_DTYPE };

// Numbers with a fraction's type are no integers, whole ones neither, but for 0.0.
static bool fits_full(struct emitter *e, struct value value, struct dtype dtype, struct location at) {
    if (dtype_is_f8(dtype) && value_is_number(value) && !language_takes(e, LANGUAGE_F8_NUMBERS, at)) {
        return false;
    }
    if (dtype_is_integer(dtype) && value.kind == VALUE_FLOAT && value.number != 0) {
        emit_error(e, at, "tl.full: %s is a float, and the tile is of %s; write an integer",
                   value_text(e->arena, value), describe_dtype(e, dtype));
        return false;
    }
    return true;
}

struct value builtin_full(struct emitter *e, struct value *args, struct location at) {
    int64_t shape[TILE_MAX_RANK];
    int rank;
    struct dtype dtype;
    if (!value_to_tile_shape(e, args[FULL_SHAPE], "the shape of the tile", emit_place_of(e, "shape", at),
                             shape, &rank) ||
        !value_to_dtype(e, args[FULL_DTYPE], "the dtype of the tile", emit_place_of(e, "dtype", at),
                        &dtype)) {
        return value_error();
    }
    return fits_full(e, args[FULL_VALUE], dtype, at) ? filled(e, args[FULL_VALUE], dtype, rank, shape, at)
                                                     : value_error();
}

enum { ZEROS_SHAPE, ZEROS_DTYPE };

struct value builtin_zeros(struct emitter *e, struct value *args, struct location at) {
    struct value full[] = {args[ZEROS_SHAPE], value_int(0), args[ZEROS_DTYPE]};
    return builtin_full(e, full, at);
}

struct value builtin_zeros_like(struct emitter *e, struct value *args, struct location at) {
    struct value like = args[0];
    if (!tensor_argument(e, &like, at)) {
        return value_error();
    }
    return filled(e, value_int(0), element(like), like.tensor.rank, like.tensor.shape, at);
}

// _like(x, number): the constant in x's type and shape. For library code: its f64 constants must not pass
// through f32, and its -0.0 must keep the sign.
struct value builtin_like(struct emitter *e, struct value *args, struct location at) {
    struct value like = args[0];
    if (!tensor_argument(e, &like, at)) {
        return value_error();
    }
    if (value_is_number(args[1]) && dtype_is_float(element(like))) {
        return emit_constant_like(e, like, value_number(args[1]));
    }
    return filled(e, args[1], element(like), like.tensor.rank, like.tensor.shape, at);
}

// ---- broadcasting ----

struct value builtin_broadcast_to(struct emitter *e, struct value *args, struct location at) {
    int64_t shape[TILE_MAX_RANK];
    int rank;
    struct value input = args[0];
    if (!tensor_argument(e, &input, at) ||
        !shape_rest(e, args[1], "the shape of broadcast_to", at, shape, &rank)) {
        return value_error();
    }
    if (input.tensor.rank != 0 && input.tensor.rank != rank) {
        return emit_error(
            e, at,
            "%s cannot be broadcast to %s: a tile of as many dimensions is needed, %d; add some with "
            "[:, None] or [None, :]",
            describe(e, input), shape_text(e, rank, shape), rank);
    }
    return emit_broadcast_to(e, input, rank, shape, at);
}

struct value builtin_broadcast(struct emitter *e, struct value *args, struct location at) {
    struct value pair[2] = {args[0], args[1]};
    if (!tensor_argument(e, &pair[0], at) || !tensor_argument(e, &pair[1], at) ||
        !emit_broadcast_pair(e, &pair[0], &pair[1], at)) {
        return value_error();
    }
    return value_tuple(e->arena, pair, 2);
}

static int compare_axes(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

struct value builtin_expand_dims(struct emitter *e, struct value *args, struct location at) {
    struct value input = args[0];
    int64_t given_axes[TILE_MAX_RANK];
    int axes[TILE_MAX_RANK], count;
    if (!tensor_argument(e, &input, at) ||
        !value_to_ints(e, args[1], "the axis of expand_dims", at, TILE_MAX_RANK, given_axes, &count)) {
        return value_error();
    }
    int rank = input.tensor.rank + count;
    if (rank > TILE_MAX_RANK) {
        return emit_error(e, at, "a tile may have at most %d dimensions", TILE_MAX_RANK);
    }
    for (int i = 0; i < count; i++) {
        if (given_axes[i] < -rank || given_axes[i] >= rank) {
            return emit_error(e, at, "axis %lld is out of range for %d dimensions", (long long)given_axes[i],
                              rank);
        }
        axes[i] = (int)(given_axes[i] < 0 ? given_axes[i] + rank : given_axes[i]);
    }
    qsort(axes, (size_t)count, sizeof(int), compare_axes);
    for (int i = 0; i < count; i++) {
        if (i > 0 && axes[i] == axes[i - 1]) {
            return emit_error(e, at, "axis %d is given twice", axes[i]);
        }
        int64_t one = 1;
        input = input.tensor.rank == 0 ? emit_splat(e, input, 1, &one) : emit_expand_dims(e, input, axes[i]);
    }
    return input;
}

// ---- reshaping ----

// A shape that only adds extents of 1 is built like x[:, None], the form the passes know best.
static bool expand_to(struct emitter *e, struct value tile, int rank, const int64_t *shape,
                      struct value *out) {
    int from = 0, had = tile.tensor.rank;
    bool inserted[TILE_MAX_RANK];
    for (int d = 0; d < rank; d++) {
        inserted[d] = from == had || shape[d] != tile.tensor.shape[from];
        from += !inserted[d];
        if (inserted[d] && shape[d] != 1) {
            return false;
        }
    }
    for (int d = 0; d < rank && from == had; d++) {
        tile = inserted[d] ? emit_expand_dims(e, tile, d) : tile;
    }
    *out = tile;
    return from == had && had > 0;
}

// Padding stays behind all elements, in both shapes, where the first extents above 1 alone are no powers of two. Extents of 1 go anywhere.
static bool keeps_padding(struct value input, int rank, const int64_t *shape) {
    int64_t from[TILE_MAX_RANK], to[TILE_MAX_RANK];
    int before = 0, after = 0;
    bool padded = false;
    for (int i = 0; i < input.tensor.rank; i++) {
        from[before] = input.tensor.shape[i];
        padded |= before && padded_extent(from[before]) != from[before];
        before += from[before] != 1;
    }
    for (int i = 0; i < rank; i++) {
        to[after] = shape[i];
        padded |= after && padded_extent(to[after]) != to[after];
        after += to[after] != 1;
    }
    bool same = before == after && !memcmp(from, to, sizeof *to * (size_t)after);
    return same || !padded;
}

static bool only_drops_ones(struct value input, int rank, const int64_t *shape) {
    int at = 0;
    for (int i = 0; i < input.tensor.rank; i++) {
        bool same = at < rank && input.tensor.shape[i] == shape[at];
        if (!same && input.tensor.shape[i] != 1) {
            return false;
        }
        at += same;
    }
    return at == rank && rank > 0;
}

static struct value reshape(struct emitter *e, struct value input, int rank, const int64_t *shape,
                            bool reorder, struct location at) {
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        count *= shape[i];
    }
    if (count != element_count(input)) {
        return emit_error(e, at, "a reshape cannot change the number of elements from %lld to %lld",
                          (long long)element_count(input), (long long)count);
    }
    if (!keeps_padding(input, rank, shape)) {
        return emit_error(
            e, at, "a reshape of %s to %s: of both shapes the first extent alone may be no power of two",
            describe(e, input), shape_text(e, rank, shape));
    }
    struct value expanded;
    if (expand_to(e, input, rank, shape, &expanded)) {
        return expanded;
    }
    return only_drops_ones(input, rank, shape) ? emit_squeeze(e, input, rank, shape)
                                               : emit_reshape(e, input, rank, shape, reorder);
}

enum { RESHAPE_INPUT, RESHAPE_SHAPE, RESHAPE_REORDER };

static bool reorder_option(struct emitter *e, struct value v, struct location at, bool *reorder) {
    if (!bool_option(e, v, "can_reorder", at, reorder)) {
        return false;
    }
    bool refused = *reorder && language_has(e, LANGUAGE_NO_REORDERING);
    if (refused) {
        emit_error(e, at, "can_reorder=True is no more: leave it out");
    }
    return !refused;
}

struct value builtin_reshape(struct emitter *e, struct value *args, struct location at) {
    struct value input = args[RESHAPE_INPUT];
    int64_t shape[TILE_MAX_RANK];
    int rank;
    bool reorder = false;
    if (!tensor_argument(e, &input, at) ||
        !shape_rest(e, args[RESHAPE_SHAPE], "the shape", at, shape, &rank) ||
        !reorder_option(e, args[RESHAPE_REORDER], at, &reorder)) {
        return value_error();
    }
    return reshape(e, input, rank, shape, reorder, at);
}

struct value builtin_view(struct emitter *e, struct value *args, struct location at) {
    struct value with_reorder[] = {args[RESHAPE_INPUT], args[RESHAPE_SHAPE],
                                   value_bool(!language_has(e, LANGUAGE_NO_REORDERING))};
    return builtin_reshape(e, with_reorder, at);
}

enum { RAVEL_INPUT, RAVEL_REORDER };

struct value builtin_ravel(struct emitter *e, struct value *args, struct location at) {
    struct value input = args[RAVEL_INPUT];
    bool reorder = false;
    if (!tensor_argument(e, &input, at) ||
        !bool_option(e, args[RAVEL_REORDER], "can_reorder", at, &reorder)) {
        return value_error();
    }
    int64_t count = element_count(input);
    return emit_reshape(e, input, 1, &count, reorder);
}

struct value builtin_item(struct emitter *e, struct value *args, struct location at) {
    struct value input = args[0];
    if (!tensor_argument(e, &input, at)) {
        return value_error();
    }
    if (element_count(input) != 1) {
        return emit_error(e, at, "item() needs a tile of one element, not %s", describe(e, input));
    }
    return emit_to_scalar(e, input);
}

static struct value permute(struct emitter *e, struct value input, int count, const int64_t *order,
                            struct location at) {
    int rank = input.tensor.rank;
    int32_t dims[TILE_MAX_RANK];
    unsigned seen = 0;
    for (int i = 0; i < count && i < rank; i++) {
        int64_t dim = order[i] < 0 ? order[i] + rank : order[i];
        if (dim < 0 || dim >= rank) {
            break;
        }
        seen |= 1u << dim;
        dims[i] = (int32_t)dim;
    }
    if (count != rank || seen != (1u << rank) - 1) {
        return emit_error(e, at, "the order of dimensions is not a permutation of 0 … %d", rank - 1);
    }
    return emit_permute(e, input, dims);
}

struct value builtin_permute(struct emitter *e, struct value *args, struct location at) {
    struct value input = args[0];
    int64_t order[TILE_MAX_RANK];
    int count;
    if (!tensor_argument(e, &input, at) ||
        !ints_rest(e, args[1], "the order of dimensions", at, TILE_MAX_RANK, order, &count)) {
        return value_error();
    }
    return permute(e, input, count, order, at);
}

// Without an order the last two dimensions are exchanged.
struct value builtin_trans(struct emitter *e, struct value *args, struct location at) {
    if (value_is_sequence(args[1]) && args[1].list.count > 0) {
        return builtin_permute(e, args, at);
    }
    struct value input = args[0];
    if (!tensor_argument(e, &input, at)) {
        return value_error();
    }
    if (input.tensor.rank < 2) {
        return emit_error(e, at, "a transposition needs two or more dimensions, not %s", describe(e, input));
    }
    return emit_swap_last(e, input);
}

struct value builtin_T(struct emitter *e, struct value *args, struct location at) {
    struct value with_order[] = {args[0], value_tuple(e->arena, NULL, 0)};
    return builtin_trans(e, with_order, at);
}

// ---- joining and splitting ----

static struct value join(struct emitter *e, struct value a, struct value b, struct location at) {
    if (!tensor_argument(e, &a, at) || !tensor_argument(e, &b, at) || !emit_broadcast_pair(e, &a, &b, at)) {
        return value_error();
    }
    struct dtype x = element(a), y = element(b);
    if (dtype_is_integer(x) && dtype_is_integer(y) && dtype_bits(x) == dtype_bits(y)) {
        b = emit_cast(e, b, x, at); // the same bits
    }
    if (!dtype_equal(x, element(b))) {
        return emit_error(e, at, "the tiles joined have different types, %s and %s", describe(e, a),
                          describe(e, b));
    }
    int rank = a.tensor.rank;
    int64_t one = 1, two = 2, shape[TILE_MAX_RANK];
    if (rank == 0) {
        a = emit_splat(e, a, 1, &one);
        b = emit_splat(e, b, 1, &one);
    }
    if (rank == TILE_MAX_RANK) {
        return emit_error(e, at, "a tile may have at most %d dimensions", TILE_MAX_RANK);
    }
    for (int i = 0; i < a.tensor.rank; i++) {
        shape[i] = a.tensor.shape[i];
    }
    shape[a.tensor.rank] = 2;
    if (!emit_check_size(e, a.tensor.rank + 1, shape, at)) {
        return value_error();
    }
    MlirType type = tensor_mlir_type(e, element(a), a.tensor.rank + 1, shape);
    MlirValue value =
        VALUE(&e->builder, OP_JOIN, OPERANDS(a.tensor.value, b.tensor.value), RESULTS(type), NO_ATTRS);
    struct value result = tensor_from(e, value, element(a), a.tensor.rank + 1, shape);
    return rank == 0 ? emit_reshape(e, result, 1, &two, false) : result;
}

struct value builtin_join(struct emitter *e, struct value *args, struct location at) {
    return join(e, args[0], args[1], at);
}

// Alternates elements of a and b along the last dimension.
struct value builtin_interleave(struct emitter *e, struct value *args, struct location at) {
    struct value joined = join(e, args[0], args[1], at);
    if (value_failed(joined) || joined.tensor.rank == 1) {
        return joined;
    }
    int rank = joined.tensor.rank - 1;
    int64_t shape[TILE_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        shape[i] = joined.tensor.shape[i];
    }
    shape[rank - 1] *= 2;
    return emit_reshape(e, joined, rank, shape, false);
}

enum { CAT_INPUT, CAT_OTHER, CAT_REORDER, CAT_DIM };

// Keeps the order of elements even if `can_reorder` allows another: a join, with its new dimension moved to
// the front.
struct value builtin_cat(struct emitter *e, struct value *args, struct location at) {
    struct value a = args[CAT_INPUT], b = args[CAT_OTHER];
    int64_t dim = 0;
    bool reorder = false;
    if (!tensor_argument(e, &a, at) || !tensor_argument(e, &b, at) ||
        !int_option(e, args[CAT_DIM], "dim", at, &dim) ||
        !reorder_option(e, args[CAT_REORDER], at, &reorder) ||
        (!reorder && !language_takes(e, LANGUAGE_CAT_IN_ORDER, at))) {
        return value_error();
    }
    if (a.tensor.rank == 0 || a.tensor.rank >= TILE_MAX_RANK || !same_shape(a, b) || dim < -a.tensor.rank ||
        dim >= a.tensor.rank) {
        return emit_error(e, at, "tl.cat needs two tiles of one shape, not %s and %s", describe(e, a),
                          describe(e, b));
    }
    struct value joined = join(e, a, b, at);
    if (value_failed(joined)) {
        return joined;
    }
    int rank = a.tensor.rank, axis = (int)(dim < 0 ? dim + rank : dim);
    int32_t order[TILE_MAX_RANK];
    int64_t shape[TILE_MAX_RANK];
    for (int i = 0, from = 0; i <= rank; i++) {
        order[i] = i == axis ? rank : from++;
    }
    for (int i = 0; i < rank; i++) {
        shape[i] = a.tensor.shape[i] * (i == axis ? 2 : 1);
    }
    return emit_reshape(e, emit_permute(e, joined, order), rank, shape, false);
}

struct value builtin_split(struct emitter *e, struct value *args, struct location at) {
    struct value input = args[0];
    if (!tensor_argument(e, &input, at)) {
        return value_error();
    }
    int rank = input.tensor.rank;
    if (rank == 0 || input.tensor.shape[rank - 1] != 2) {
        return emit_error(e, at, "split() needs a last dimension of extent 2, which %s lacks",
                          describe(e, input));
    }
    if (rank == 1) {
        int64_t pair[] = {1, 2};
        input = emit_reshape(e, input, 2, pair, false);
    }
    MlirType type = tensor_mlir_type(e, element(input), input.tensor.rank - 1, input.tensor.shape);
    MlirOperation op = OP(&e->builder, OP_SPLIT, OPERANDS(input.tensor.value), RESULTS(type, type), NO_ATTRS);
    struct value results[2];
    for (int i = 0; i < 2; i++) {
        results[i] = tensor_from(e, mlirOperationGetResult(op, i), element(input), input.tensor.rank - 1,
                                 input.tensor.shape);
        results[i] = rank == 1 ? emit_to_scalar(e, results[i]) : results[i];
    }
    return value_tuple(e->arena, results, 2);
}

// ---- picking ----

enum { GATHER_SOURCE, GATHER_INDEX, GATHER_AXIS };

struct value builtin_gather(struct emitter *e, struct value *args, struct location at) {
    struct value source = args[GATHER_SOURCE], index = args[GATHER_INDEX];
    int axis;
    if (!tensor_argument(e, &source, at) || !tensor_argument(e, &index, at) ||
        !value_to_axis(e, args[GATHER_AXIS], source.tensor.rank, "the axis of gather", at, &axis)) {
        return value_error();
    }
    if (!dtype_is_integer(element(index))) {
        return emit_error(e, at, "gather needs integer indices, not %s", describe(e, index));
    }
    bool fits = source.tensor.rank == index.tensor.rank;
    for (int i = 0; fits && i < source.tensor.rank; i++) {
        fits = i == axis || source.tensor.shape[i] == index.tensor.shape[i];
    }
    if (!fits) {
        return emit_error(e, at, "gather: source (%s) and indices (%s) differ in another dimension than %d",
                          describe(e, source), describe(e, index), axis);
    }
    struct builder *b = &e->builder;
    MlirType type = tensor_mlir_type(e, element(source), index.tensor.rank, index.tensor.shape);
    MlirValue value = VALUE(b, OP_GATHER, OPERANDS(source.tensor.value, index.tensor.value), RESULTS(type),
                            ATTRS(attr_i32(b, ATTR_AXIS, axis)));
    return tensor_like(e, value, element(source), index);
}

struct value builtin_where(struct emitter *e, struct value *args, struct location at) {
    if (value_is_tensor(args[0]) && !dtype_equal(element(args[0]), DTYPE_OF(INT1))) {
        emit_warning(e, at, "tl.where chooses where its condition, %s, is not 0: say so with != 0",
                     describe(e, args[0]));
    }
    return emit_where(e, args[0], args[1], args[2], at);
}
