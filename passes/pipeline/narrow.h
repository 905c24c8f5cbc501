// Pointers that a loop counts on by a scalar, and tiles of them as a scalar pointer with offsets of 32 bits.
#ifndef TKC_PASSES_NARROW_H
#define TKC_PASSES_NARROW_H

#include "ir/build.h"
#include "passes/pass.h"

// The scalar that all elements of a tile are equal to, or the scalar itself; null if that is not to be seen.
MlirValue value_scalar(struct builder *b, MlirValue value);
// What iteration argument a, a pointer or a tile of them, counts on by in each step of an scf.for: a scalar from outside the
// loop, in elements. Null for everything else. A constant is built at `b`.
MlirValue pointer_advance(struct builder *b, MlirOperation loop, intptr_t a);

// Where loads have a scalar base and add an offset of 32 bits to it.
bool narrow_pays(const struct target *target);
// The first element of a tile of pointers by scalar arithmetic; null if that is not how it is made.
MlirValue narrow_first(struct builder *b, MlirValue pointers);
// A pointer half as far below that one as an offset reaches.
MlirValue narrow_below(struct builder *b, MlirValue first);
// The i1, the same for all threads, that offsets of 32 bits from narrow_below reach all pointers of the tiles, now and one
// step of `by` elements on.
enum { NARROW_TILES = 8 };
MlirValue narrow_fits(struct builder *b, const MlirValue pointers[], const MlirValue by[], size_t count);
// Where they fit: the bytes of a step, an i32; the distances from that; the pointers at these distances from a scalar.
MlirValue narrow_step(struct builder *b, MlirValue pointers, MlirValue by);
MlirValue narrow_offsets(struct builder *b, MlirValue pointers, MlirValue low);
MlirValue narrow_pointers(struct builder *b, MlirValue base, MlirValue offsets);

#endif
