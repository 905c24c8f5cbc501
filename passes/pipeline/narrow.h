// Loop-carried pointers with a scalar advance, and tiles of them as a scalar pointer with 32-bit offsets.
#ifndef TKC_PASSES_NARROW_H
#define TKC_PASSES_NARROW_H

#include "ir/build.h"
#include "passes/pass.h"

// The scalar equal to all elements of a tile, or the scalar itself; null if none can be found.
MlirValue value_scalar(struct builder *b, MlirValue value);
// The advance per iteration of iteration argument a of an scf.for, a pointer or a tile of pointers: a
// loop-invariant scalar, in elements. Null for any other argument. A constant is built at `b`.
MlirValue pointer_advance(struct builder *b, MlirOperation loop, intptr_t a);

// True for chips whose loads add a 32-bit offset to a scalar base.
bool narrow_pays(const struct target *target);
// True if an access with narrow pointers goes through a buffer's descriptor, which takes a mask without a branch.
bool narrow_takes_mask(const struct target *target, MlirOperation access);
// The first element of a tile of pointers by scalar arithmetic; null if the tile's computation has another
// form.
MlirValue narrow_first(struct builder *b, MlirValue pointers);
// A pointer below the first element by half of an offset's reach.
MlirValue narrow_below(struct builder *b, MlirValue first);
// The i1, uniform over all threads, "32-bit offsets from narrow_below reach all pointers of the tiles, now
// and after an advance of `by` elements".
enum { NARROW_TILES = 8 };
MlirValue narrow_fits(struct builder *b, const MlirValue pointers[], const MlirValue by[], size_t count);
// Valid if narrow_fits holds: the advance in bytes, an i32; the pointers' distances from `low`; the pointers
// at these offsets from a scalar.
MlirValue narrow_step(struct builder *b, MlirValue pointers, MlirValue by);
MlirValue narrow_offsets(struct builder *b, MlirValue pointers, MlirValue low);
MlirValue narrow_pointers(struct builder *b, MlirValue base, MlirValue offsets);

#endif
