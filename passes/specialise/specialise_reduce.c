// Bounds and conditions that are reductions of tiles: rows sorted by expert, of which a block takes those from the first to the last.
//
//   %e = tk.load %of_rows : 128              each warp of the producer:
//   %first = tk.reduce min %e          →       %e = tk.load %of_rows : 128     four elements a lane, all in one warp
//   scf.for %x = %first to … {                 %first = tk.reduce min %e       by shuffles
//
// All threads of a producer that gathers run its region, so each of its warps reduces the whole tile for itself; no memory is shared between
// them. A producer of one thread has no such tiles: a bound there declines the loop (REASON_BOUNDS), and a box's corner the copy (REASON_CORNER).
// Kept operands do not depend on reductions: the producer brings them at a tile's begin, ahead of these.
#include "passes/specialise/specialise.h"

#include "ir/build.h"

enum { WARP_SIZE_BITS = 5 };

// All elements in each warp.
static struct layout layout_in_warps(const struct specialise *s, MlirType type) {
    int64_t shape[] = {type_extent(type, 0)};
    unsigned size[] = {1}, lanes[] = {1u << WARP_SIZE_BITS}, warps[] = {1}, order[] = {0};
    struct layout layout = layout_blocked(1, shape, size, lanes, warps, order);
    gather_all_warps(s, &layout);
    return layout;
}

void reduction_produce(struct specialise *s, struct builder *b, struct map *map, MlirOperation op) {
    MlirValue tile = reduce_tile(op, 0), result = mlirOperationGetResult(op, 0);
    struct layout layout = layout_in_warps(s, mlirValueGetType(tile));
    struct map operands = {0};
    b->location = mlirOperationGetLocation(op);
    map_value(&operands, tile, gather_tile(s, b, map, tile, &layout));
    op_repeat(b, s->arena, &operands, op);
    map_value(map, result, value_under(&operands, result));
    map_free(&operands);
}
