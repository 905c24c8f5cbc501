// tl.map_elementwise: applies a function of scalars to the elements of tiles by calling it with the tiles
// themselves. Arithmetic is elementwise anyway. If a condition differs between elements, `if` evaluates both
// sides and selects, and loops run while any element's condition holds (eval/lanes.c). With pack > 1 the
// function gets that many neighbours along the last dimension.
#include "frontend/builtin/handler.h"
#include "frontend/eval/call.h"

enum { MAX_VALUES = 64 };

// out[j]: the elements j, j + pack, j + 2 pack … along the last dimension.
static bool unpack(struct emitter *e, struct value x, int64_t pack, struct value *out, struct location at) {
    if (pack == 1) {
        out[0] = x;
        return true;
    }
    int rank = x.tensor.rank;
    int64_t shape[TILE_MAX_RANK + 1];
    for (int i = 0; i < rank; i++) {
        shape[i] = x.tensor.shape[i];
    }
    if (rank == 0 || rank == TILE_MAX_RANK || shape[rank - 1] < pack) {
        emit_error(e, at, "tl.map_elementwise: %s has not %lld elements along its last dimension",
                   describe(e, x), (long long)pack);
        return false;
    }
    shape[rank - 1] /= 2;
    shape[rank] = 2;
    struct value pairs = emit_reshape(e, x, rank + 1, shape, false);
    struct value halves = emit_call_builtin(e, "tl.split", &pairs, 1, at), parts[2][MAX_VALUES];
    for (int i = 0; i < 2; i++) {
        if (value_failed(halves) || !unpack(e, halves.list.items[i], pack / 2, parts[i], at)) {
            return false;
        }
        for (int64_t j = 0; j < pack / 2; j++) {
            out[2 * j + i] = parts[i][j];
        }
    }
    return true;
}

static struct value repack(struct emitter *e, const struct value *parts, int64_t pack, struct location at) {
    struct value halves[2], some[MAX_VALUES];
    if (pack == 1) {
        return parts[0];
    }
    for (int i = 0; i < 2; i++) {
        for (int64_t j = 0; j < pack / 2; j++) {
            some[j] = parts[2 * j + i];
        }
        halves[i] = repack(e, some, pack / 2, at);
        if (value_failed(halves[i])) {
            return halves[i];
        }
    }
    return emit_call_builtin(e, "tl.interleave", halves, 2, at);
}

// Makes the arguments tiles of one shape.
static bool tiles(struct emitter *e, struct value_list args, struct value *out, struct location at) {
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < args.count; i++) {
            out[i] = round ? out[i] : args.items[i];
            if (!tensor_argument(e, &out[i], at) || (i && !emit_broadcast_pair(e, &out[0], &out[i], at))) {
                return false;
            }
        }
    }
    return true;
}

// Broadcasts a result to the operands' shape: the function may return a number.
static bool widen(struct emitter *e, struct value *result, struct value like, struct location at) {
    if (!tensor_argument(e, result, at)) {
        return false;
    }
    *result = emit_broadcast_to(e, *result, like.tensor.rank, like.tensor.shape, at);
    return !value_failed(*result);
}

enum { MAP_FUNCTION, MAP_ARGS, MAP_PACK };

struct value builtin_map_elementwise(struct emitter *e, struct value *args, struct location at) {
    struct value_list given_tiles = args[MAP_ARGS].list;
    struct value operands[MAX_VALUES], packed[MAX_VALUES], results[MAX_VALUES];
    int64_t pack = 1;
    if (!int_option(e, args[MAP_PACK], "pack", at, &pack)) {
        return value_error();
    }
    if (pack < 1 || (pack & (pack - 1)) || given_tiles.count == 0 ||
        given_tiles.count * (size_t)pack > MAX_VALUES) {
        return emit_error(e, at,
                          "tl.map_elementwise of %zu tiles with pack=%lld: pack must be a power of two, and "
                          "at most %d values can be packed",
                          given_tiles.count, (long long)pack, MAX_VALUES);
    }
    if (!tiles(e, given_tiles, operands, at)) {
        return value_error();
    }
    for (size_t i = 0; i < given_tiles.count; i++) {
        if (!unpack(e, operands[i], pack, packed + i * (size_t)pack, at)) {
            return value_error();
        }
    }
    bool outer = e->lanewise;
    const struct lanes *outer_lanes = e->lanes;
    e->lanewise = true;
    e->lanes = NULL;
    struct value found =
        emit_call_function(e, args[MAP_FUNCTION], packed, given_tiles.count * (size_t)pack, at);
    e->lanewise = outer;
    e->lanes = outer_lanes;
    if (value_failed(found)) {
        return found;
    }
    bool single = !value_is_sequence(found);
    struct value_list all = single ? (struct value_list){.items = &found, .count = 1} : found.list;
    if (all.count == 0 || all.count > MAX_VALUES || all.count % (size_t)pack) {
        return emit_error(e, at,
                          "the function of tl.map_elementwise returns %zu values, which are not %lld for "
                          "each result",
                          all.count, (long long)pack);
    }
    size_t count = all.count / (size_t)pack;
    for (size_t i = 0; i < count; i++) {
        for (int64_t j = 0; j < pack; j++) {
            if (!widen(e, &all.items[i * (size_t)pack + (size_t)j], packed[0], at)) {
                return value_error();
            }
        }
        results[i] = repack(e, all.items + i * (size_t)pack, pack, at);
        if (value_failed(results[i])) {
            return results[i];
        }
    }
    return single ? results[0] : value_tuple(e->arena, results, count);
}
