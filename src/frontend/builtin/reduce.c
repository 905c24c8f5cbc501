// Reductions and scans along a dimension, and the histogram.
//
// tk.reduce and tk.scan have a region that combines two scalars of each tile into one. For the usual
// combinations the region is built here directly, at a fraction of the cost of inlining library code;
// tl.reduce and tl.associative_scan inline the user's function. Types follow Triton: integers below 32 bits
// are summed in 32 bits; maxima of small floats are computed in f32.
#include "frontend/builtin/handler.h"
#include "frontend/builtin/memory.h"
#include "frontend/eval/call.h"
#include "frontend/semantics/language.h"

enum { MAX_TILES = 16 };

enum combination { SUM, PRODUCT, MAXIMUM, MINIMUM, XOR, OR, ARG_MAXIMUM, ARG_MINIMUM };

// ---- regions ----

// Combines (value, index) pairs: the better value wins; of equal values the smaller index if `leftmost`.
static void arg_combination(struct emitter *e, bool is_max, bool leftmost, const struct value *in,
                            struct value *out, struct location at) {
    struct value wins = emit_compare(e, is_max ? COMPARE_GT : COMPARE_LT, in[0], in[2], at);
    if (leftmost) {
        struct value equal = emit_compare(e, COMPARE_EQ, in[0], in[2], at);
        struct value before = emit_compare(e, COMPARE_LT, in[1], in[3], at);
        wins = emit_binary(e, BINARY_OR, wins, emit_binary(e, BINARY_AND, equal, before, at), at);
    }
    out[0] = emit_where(e, wins, in[0], in[2], at);
    out[1] = emit_where(e, wins, in[1], in[3], at);
}

static struct value combine(struct emitter *e, enum combination kind, struct value a, struct value b,
                            struct location at) {
    switch (kind) {
    case SUM:
        return emit_binary(e, BINARY_ADD, a, b, at);
    case PRODUCT:
        return emit_binary(e, BINARY_MUL, a, b, at);
    case XOR:
        return emit_binary(e, BINARY_XOR, a, b, at);
    case OR:
        return emit_binary(e, BINARY_OR, a, b, at);
    case MAXIMUM:
        return emit_min_max(e, true, a, b, MIN_MAX_IGNORE_NAN, at);
    case MINIMUM:
        return emit_min_max(e, false, a, b, MIN_MAX_IGNORE_NAN, at);
    case ARG_MAXIMUM:
    case ARG_MINIMUM:
        break;
    }
    bug("not a combination of single values");
}

// The region of a built-in combination of `n` tiles of the given types.
static MlirRegion combination_region(struct emitter *e, enum combination kind, bool leftmost, int n,
                                     const struct value *tiles, struct location at) {
    MlirType types[4] = {{0}};
    MlirLocation places[4] = {{0}};
    struct value in[4], out[2];
    for (int i = 0; i < 2 * n; i++) {
        types[i] = dtype_mlir(e->ir, element(tiles[i % n]));
        places[i] = e->builder.location;
    }
    MlirBlock block = mlirBlockCreate(2 * n, types, places);
    for (int i = 0; i < 2 * n; i++) {
        in[i] = tensor_from(e, mlirBlockGetArgument(block, i), element(tiles[i % n]), 0, NULL);
    }
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, block);
    struct builder outside = e->builder;
    e->builder = builder_at_end(e->ir, block, outside.location);
    if (kind == ARG_MAXIMUM || kind == ARG_MINIMUM) {
        arg_combination(e, kind == ARG_MAXIMUM, leftmost, in, out, at);
    } else {
        out[0] = combine(e, kind, in[0], in[1], at);
    }
    MlirValue yielded[2] = {out[0].tensor.value, n > 1 ? out[1].tensor.value : out[0].tensor.value};
    OP(&e->builder, OP_YIELD, ((struct operands){n, yielded}), NO_RESULTS, NO_ATTRS);
    e->builder = outside;
    return region;
}

static MlirRegion user_region(struct emitter *e, struct value function, int n, const struct value *tiles,
                              struct location at) {
    struct dtype types[MAX_TILES];
    for (int i = 0; i < n; i++) {
        types[i] = element(tiles[i]);
    }
    return emit_combine_region(e, function, n, types, at);
}

// ---- ops ----

// Replaces `tiles` by the results. Dimension `axis` is dropped, or kept with extent 1.
static void build_reduce(struct emitter *e, int n, struct value *tiles, int axis, MlirRegion region) {
    struct builder *b = &e->builder;
    MlirValue operands[MAX_TILES];
    MlirType types[MAX_TILES];
    int64_t shape[TILE_MAX_RANK];
    int rank = 0;
    for (int i = 0; i < tiles[0].tensor.rank; i++) {
        if (i != axis) {
            shape[rank++] = tiles[0].tensor.shape[i];
        }
    }
    for (int i = 0; i < n; i++) {
        operands[i] = tiles[i].tensor.value;
        types[i] = tensor_mlir_type(e, element(tiles[i]), rank, shape);
    }
    MlirOperation op =
        build_op_regions(b, OP_REDUCE, (struct operands){n, operands}, (struct results){n, types},
                         ATTRS(attr_i32(b, ATTR_AXIS, axis)), 1, &region);
    for (int i = 0; i < n; i++) {
        tiles[i] = tensor_from(e, mlirOperationGetResult(op, i), element(tiles[i]), rank, shape);
    }
}

static void build_scan(struct emitter *e, int n, struct value *tiles, int axis, bool reverse,
                       MlirRegion region) {
    struct builder *b = &e->builder;
    MlirValue operands[MAX_TILES];
    MlirType types[MAX_TILES];
    for (int i = 0; i < n; i++) {
        operands[i] = tiles[i].tensor.value;
        types[i] = mlirValueGetType(operands[i]);
    }
    MlirNamedAttribute attributes[2] = {attr_i32(b, ATTR_AXIS, axis), attr_unit(b, ATTR_REVERSE)};
    MlirOperation op =
        build_op_regions(b, OP_SCAN, (struct operands){n, operands}, (struct results){n, types},
                         (struct attrs){reverse ? 2 : 1, attributes}, 1, &region);
    for (int i = 0; i < n; i++) {
        tiles[i] = tensor_like(e, mlirOperationGetResult(op, i), element(tiles[i]), tiles[i]);
    }
}

// ---- arguments ----

// One tile, or a tuple of tiles of one shape.
static bool tiles_argument(struct emitter *e, struct value input, struct location at, int *n,
                           struct value *tiles) {
    *n = 1;
    tiles[0] = input;
    if (value_is_sequence(input)) {
        if (input.list.count == 0 || input.list.count > MAX_TILES) {
            emit_error(e, at, "between 1 and %d tiles can be combined at once, not %zu", MAX_TILES,
                       input.list.count);
            return false;
        }
        *n = (int)input.list.count;
        for (int i = 0; i < *n; i++) {
            tiles[i] = input.list.items[i];
        }
    }
    for (int i = 0; i < *n; i++) {
        if (!tensor_argument(e, &tiles[i], at)) {
            return false;
        }
        if (tiles[i].tensor.rank == 0 || !same_shape(tiles[i], tiles[0])) {
            emit_error(e, at, "a reduction or scan needs tiles of one shape, not %s and %s",
                       describe(e, tiles[0]), describe(e, tiles[i]));
            return false;
        }
    }
    return true;
}

struct reduction {
    int axis;     // after flattening
    bool flatten; // axis=None: over all elements
    bool keep_dims;
    int rank; // before
};

static bool reduction_options(struct emitter *e, struct value tile, struct value axis, struct value keep_dims,
                              struct location at, struct reduction *out) {
    *out = (struct reduction){.flatten = !given(axis), .rank = tile.tensor.rank};
    return bool_option(e, keep_dims, "keep_dims", at, &out->keep_dims) &&
           (out->flatten ||
            value_to_axis(e, axis, tile.tensor.rank, "the axis", emit_place_of(e, "axis", at), &out->axis));
}

static void flatten(struct emitter *e, struct reduction reduction, bool reorder, int n, struct value *tiles) {
    for (int i = 0; reduction.flatten && i < n; i++) {
        int64_t count = 1; // with the padding, which holds what changes no result
        for (int d = 0; d < tiles[i].tensor.rank; d++) {
            count *= padded_extent(tiles[i].tensor.shape[d]);
        }
        tiles[i] = emit_reshape(e, tiles[i], 1, &count, reorder);
    }
}

static struct value restore_dims(struct emitter *e, struct reduction reduction, struct value tile) {
    if (!reduction.keep_dims) {
        return tile;
    }
    int64_t one = 1;
    for (int i = 0; i < (reduction.flatten ? reduction.rank : 1); i++) {
        tile =
            tile.tensor.rank == 0 ? emit_splat(e, tile, 1, &one) : emit_expand_dims(e, tile, reduction.axis);
    }
    return tile;
}

// ---- reductions with a built-in combination ----

static bool has_numbers(struct emitter *e, struct value tile, struct location at) {
    if (dtype_is_pointer(element(tile))) {
        emit_error(e, at, "%s holds pointers: load what they point to, then combine that", describe(e, tile));
        return false;
    }
    return true;
}

static struct value reduce_one(struct emitter *e, enum combination kind, struct value tile, struct value axis,
                               struct value keep_dims, struct location at) {
    struct reduction reduction;
    int n;
    if (value_failed(tile) || !tiles_argument(e, tile, at, &n, &tile) || !has_numbers(e, tile, at) ||
        !reduction_options(e, tile, axis, keep_dims, at, &reduction)) {
        return value_error();
    }
    flatten(e, reduction, true, 1, &tile);
    build_reduce(e, 1, &tile, reduction.axis, combination_region(e, kind, false, 1, &tile, at));
    return restore_dims(e, reduction, tile);
}

// Widens an integer to the type of its sum.
static struct value widen_integer(struct emitter *e, struct value tile, struct location at) {
    if (dtype_is_integer(element(tile)) && dtype_bits(element(tile)) < 32) {
        return emit_cast(e, tile, dtype_integer(32, dtype_is_signed(element(tile))), at);
    }
    return tile;
}

// Casts to the dtype argument, or widens as sums do.
static struct value summand(struct emitter *e, struct value tile, struct value dtype, struct location at) {
    struct dtype wanted;
    if (!tensor_argument(e, &tile, at)) {
        return value_error();
    }
    if (given(dtype)) {
        return value_to_dtype(e, dtype, "dtype", at, &wanted) ? emit_cast(e, tile, wanted, at)
                                                              : value_error();
    }
    return widen_integer(e, tile, at);
}

enum { SUM_INPUT, SUM_AXIS, SUM_KEEP_DIMS, SUM_DTYPE };

struct value builtin_sum(struct emitter *e, struct value *args, struct location at) {
    struct value tile = summand(e, args[SUM_INPUT], args[SUM_DTYPE], at);
    return reduce_one(e, SUM, tile, args[SUM_AXIS], args[SUM_KEEP_DIMS], at);
}

static struct value reduce_bits(struct emitter *e, const char *who, enum combination kind, struct value *args,
                                struct location at) {
    struct value tile = args[SUM_INPUT];
    if (!tensor_argument(e, &tile, at)) {
        return value_error();
    }
    if (!dtype_is_integer(element(tile))) {
        return emit_error(e, at, "%s needs integers, not %s", who, describe(e, tile));
    }
    return reduce_one(e, kind, tile, args[SUM_AXIS], args[SUM_KEEP_DIMS], at);
}

struct value builtin_xor_sum(struct emitter *e, struct value *args, struct location at) {
    return reduce_bits(e, "tl.xor_sum", XOR, args, at);
}
struct value builtin_reduce_or(struct emitter *e, struct value *args, struct location at) {
    return reduce_bits(e, "tl.reduce_or", OR, args, at);
}

// (best values, their indices along the axis).
static struct value reduce_indexed(struct emitter *e, bool is_max, struct value tile, struct value axis,
                                   bool leftmost, struct value keep_dims, struct location at) {
    struct reduction reduction;
    struct value tiles[2];
    int n;
    if (!tiles_argument(e, tile, at, &n, tiles) || !has_numbers(e, tiles[0], at) ||
        !reduction_options(e, tiles[0], axis, keep_dims, at, &reduction)) {
        return value_error();
    }
    tiles[0] = emit_widen_bf16(e, tiles[0], at);
    flatten(e, reduction, false, 1, tiles);
    int rank = tiles[0].tensor.rank;
    const int64_t *shape = tiles[0].tensor.shape;
    struct value index = emit_range(e, 0, shape[reduction.axis]);
    for (int i = 0; i < rank; i++) {
        index = i != reduction.axis ? emit_expand_dims(e, index, i) : index;
    }
    tiles[1] = emit_broadcast_to(e, index, rank, shape, at);
    MlirRegion region = combination_region(e, is_max ? ARG_MAXIMUM : ARG_MINIMUM, leftmost, 2, tiles, at);
    build_reduce(e, 2, tiles, reduction.axis, region);
    tiles[0] = restore_dims(e, reduction, tiles[0]);
    tiles[1] = restore_dims(e, reduction, tiles[1]);
    return value_tuple(e->arena, tiles, 2);
}

enum { BEST_INPUT, BEST_AXIS, BEST_INDICES, BEST_LEFTMOST, BEST_KEEP_DIMS };

static struct value best(struct emitter *e, bool is_max, struct value *args, struct location at) {
    bool indices = false, leftmost = true;
    struct value tile = args[BEST_INPUT];
    if (!bool_option(e, args[BEST_INDICES], "return_indices", at, &indices) ||
        !bool_option(e, args[BEST_LEFTMOST], "return_indices_tie_break_left", at, &leftmost) ||
        !tensor_argument(e, &tile, at)) {
        return value_error();
    }
    if (indices) {
        return reduce_indexed(e, is_max, tile, args[BEST_AXIS], leftmost, args[BEST_KEEP_DIMS], at);
    }
    if (dtype_bits(element(tile)) < 32) {
        tile = emit_cast(e, tile, dtype_is_float(element(tile)) ? DTYPE_OF(FLOAT32) : DTYPE_OF(INT32), at);
    }
    return reduce_one(e, is_max ? MAXIMUM : MINIMUM, tile, args[BEST_AXIS], args[BEST_KEEP_DIMS], at);
}

struct value builtin_max(struct emitter *e, struct value *args, struct location at) {
    return best(e, true, args, at);
}
struct value builtin_min(struct emitter *e, struct value *args, struct location at) {
    return best(e, false, args, at);
}

enum { ARG_INPUT, ARG_AXIS, ARG_LEFTMOST, ARG_KEEP_DIMS };

static struct value arg_best(struct emitter *e, bool is_max, struct value *args, struct location at) {
    bool leftmost = true;
    if (!bool_option(e, args[ARG_LEFTMOST], "tie_break_left", at, &leftmost)) {
        return value_error();
    }
    struct value both =
        reduce_indexed(e, is_max, args[ARG_INPUT], args[ARG_AXIS], leftmost, args[ARG_KEEP_DIMS], at);
    return value_failed(both) ? both : both.list.items[1];
}

struct value builtin_argmax(struct emitter *e, struct value *args, struct location at) {
    return arg_best(e, true, args, at);
}
struct value builtin_argmin(struct emitter *e, struct value *args, struct location at) {
    return arg_best(e, false, args, at);
}

// ---- the user's combination ----

static struct value one_or_tuple(struct emitter *e, struct value input, int n, const struct value *tiles) {
    return value_is_sequence(input) ? value_tuple(e->arena, tiles, (size_t)n) : tiles[0];
}

enum { REDUCE_INPUT, REDUCE_AXIS, REDUCE_COMBINE, REDUCE_KEEP_DIMS };

struct value builtin_reduce(struct emitter *e, struct value *args, struct location at) {
    struct value tiles[MAX_TILES];
    struct reduction reduction;
    int n;
    if (!tiles_argument(e, args[REDUCE_INPUT], at, &n, tiles) ||
        !reduction_options(e, tiles[0], args[REDUCE_AXIS], args[REDUCE_KEEP_DIMS], at, &reduction)) {
        return value_error();
    }
    flatten(e, reduction, true, n, tiles);
    MlirRegion region = user_region(e, args[REDUCE_COMBINE], n, tiles, at);
    if (mlirRegionIsNull(region)) {
        return value_error();
    }
    build_reduce(e, n, tiles, reduction.axis, region);
    for (int i = 0; i < n; i++) {
        tiles[i] = restore_dims(e, reduction, tiles[i]);
    }
    return one_or_tuple(e, args[REDUCE_INPUT], n, tiles);
}

enum { SCAN_INPUT, SCAN_AXIS, SCAN_COMBINE, SCAN_REVERSE };

struct value builtin_associative_scan(struct emitter *e, struct value *args, struct location at) {
    struct value tiles[MAX_TILES];
    int n, axis;
    bool reverse = false;
    if (!tiles_argument(e, args[SCAN_INPUT], at, &n, tiles) ||
        !value_to_axis(e, args[SCAN_AXIS], tiles[0].tensor.rank, "the axis of a scan",
                       emit_place_of(e, "axis", at), &axis) ||
        !bool_option(e, args[SCAN_REVERSE], "reverse", at, &reverse)) {
        return value_error();
    }
    MlirRegion region = user_region(e, args[SCAN_COMBINE], n, tiles, at);
    if (mlirRegionIsNull(region)) {
        return value_error();
    }
    build_scan(e, n, tiles, axis, reverse, region);
    return one_or_tuple(e, args[SCAN_INPUT], n, tiles);
}

enum { CUMULATIVE_INPUT, CUMULATIVE_AXIS, CUMULATIVE_REVERSE, CUMULATIVE_DTYPE };

static struct value cumulative(struct emitter *e, enum combination kind, struct value *args,
                               struct location at) {
    int n, axis;
    bool reverse = false;
    struct value tile = args[CUMULATIVE_INPUT];
    if (!tensor_argument(e, &tile, at)) {
        return value_error();
    }
    tile = summand(e, emit_widen_bf16(e, tile, at), args[CUMULATIVE_DTYPE], at);
    if (value_failed(tile) || !tiles_argument(e, tile, at, &n, &tile) || !has_numbers(e, tile, at) ||
        !value_to_axis(e, args[CUMULATIVE_AXIS], tile.tensor.rank, "the axis of a scan",
                       emit_place_of(e, "axis", at), &axis) ||
        !bool_option(e, args[CUMULATIVE_REVERSE], "reverse", at, &reverse)) {
        return value_error();
    }
    build_scan(e, 1, &tile, axis, reverse, combination_region(e, kind, false, 1, &tile, at));
    return tile;
}

struct value builtin_cumsum(struct emitter *e, struct value *args, struct location at) {
    return cumulative(e, SUM, args, at);
}
struct value builtin_cumprod(struct emitter *e, struct value *args, struct location at) {
    return cumulative(e, PRODUCT, args, at);
}

// ---- histogram ----

enum { HISTOGRAM_INPUT, HISTOGRAM_BINS, HISTOGRAM_MASK };

struct value builtin_histogram(struct emitter *e, struct value *args, struct location at) {
    struct value input = args[HISTOGRAM_INPUT], mask = args[HISTOGRAM_MASK];
    int64_t bins;
    if (!tensor_argument(e, &input, at) || !value_to_int(e, args[HISTOGRAM_BINS], "num_bins", at, &bins)) {
        return value_error();
    }
    if (input.tensor.rank != 1 || !dtype_is_integer(element(input))) {
        return emit_error(e, at, "tl.histogram needs an integer tile of one dimension, not %s",
                          describe(e, input));
    }
    if (dtype_bits(element(input)) != 32 && language_has(e, LANGUAGE_HISTOGRAM_BITS)) {
        return emit_error(e, at, "tl.histogram needs integers of 32 bits, not %s: cast with .to(tl.int32)",
                          describe(e, input));
    }
    if (bins <= 0 || (bins & (bins - 1)) != 0) {
        return emit_error(e, at, "the number of bins, %lld, is not a power of two", (long long)bins);
    }
    MlirValue operands[2] = {input.tensor.value};
    intptr_t count = 1;
    if (given(mask)) {
        if (!mask_type(e, &mask, at)) {
            return value_error();
        }
        mask = emit_broadcast_to(e, mask, 1, input.tensor.shape, at);
        if (value_failed(mask)) {
            return mask;
        }
        operands[count++] = mask.tensor.value;
    }
    struct dtype type = DTYPE_OF(INT32);
    MlirValue value = VALUE(&e->builder, OP_HISTOGRAM, ((struct operands){count, operands}),
                            RESULTS(tensor_mlir_type(e, type, 1, &bins)), NO_ATTRS);
    return tensor_from(e, value, type, 1, &bins);
}
