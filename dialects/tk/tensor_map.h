// tk.tensor_map, the attribute of a kernel's hidden argument for bulk copies: a strided tensor in global memory, and the box of a copy.
//
//   %a: !tk.tensor_map {tk.hidden = "tensor_map", tk.tensor_map = {pointer = 0 : i32, element = f16,
//       sizes = array<i64: 0, 1, 5, -1, 1, 0, 1, 3, -1, 1>, strides = array<i64: 0, 1, 3, 5, 1>,
//       offsets = array<i64>, box = array<i32: 64, 128>, swizzle = 128 : i32}}
//
// Sizes, strides and the offsets of the address are in elements, innermost dimension first; a stride for each dimension but the
// innermost. Each is five numbers, the fields of struct tile_size in their order.
#ifndef TKC_DIALECTS_TK_TENSOR_MAP_H
#define TKC_DIALECTS_TK_TENSOR_MAP_H

#include "ir/build.h"

enum { TILE_FACTORS = 2 };
enum { TENSOR_MAP_MOST_BOX = 256 };     // elements of a box along one dimension
enum { TENSOR_MAP_MOST_SWIZZLE = 128 }; // bytes of a box along the innermost one, in shared memory
enum { TENSOR_MAP_MOST_BYTES = TENSOR_MAP_MOST_BOX * TENSOR_MAP_MOST_SWIZZLE }; // of one copy

// The sides of a tensor, along a dimension, on which a box may lie wholly outside of it; a set. The attribute `outside` of a bulk_load has
// one for each dimension; without it a box may be anywhere.
enum tile_side {
    TILE_NOWHERE = 0,
    TILE_AHEAD = 1,
    TILE_BEHIND = 2,
    TILE_ANYWHERE = TILE_AHEAD | TILE_BEHIND
};

// constant + factor × visible arguments of the kernel; the first argument may be divided: parameters[0] /
// over, truncated. A parameter of -1 is absent; a plain number has the constant 0.
struct tile_size {
    int64_t constant, factor;
    int parameters[TILE_FACTORS]; // present ones first
    int64_t over;                 // 1: not divided
};

// The attribute of the argument.
MlirAttribute tensor_map_of(MlirValue map);
unsigned tensor_map_rank(MlirAttribute map);
int32_t tensor_map_box(MlirAttribute map, unsigned d);
// `name`: ATTR_SIZES, ATTR_STRIDES or ATTR_OFFSETS. Their number; -1: the entry's length is no multiple of five.
intptr_t tensor_map_count(MlirAttribute map, enum attribute_name name);
struct tile_size tensor_map_size(MlirAttribute map, enum attribute_name name, intptr_t at);
// True if the tensor of a map may begin ahead of the kernel's argument: an offset is negative, or an argument,
// of either sign.
bool tensor_map_begins_ahead(MlirAttribute map);
// The sides (enum tile_side), a dimension each, on which boxes of a bulk_load must be looked at, lest the memory ahead of the array is
// read; NULL: each box has an element, or the map begins in its array.
const int32_t *bulk_load_outside(MlirOperation load, struct arena *arena);

MlirNamedAttribute tensor_map_sizes(struct builder *b, enum attribute_name name, intptr_t count,
                                    const struct tile_size *sizes);
// Gives the argument's attribute another entry in the place of one with the same name.
void tensor_map_replace(struct ir *ir, struct arena *arena, MlirValue map, MlirNamedAttribute entry);
// Gives its box another extent along dimension d.
void tensor_map_set_box(struct ir *ir, struct arena *arena, MlirValue map, unsigned d, int32_t extent);

#endif
