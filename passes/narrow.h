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

// Where an address takes two additions of 32 bits; CDNA has one of 64.
bool narrow_pays(const struct target *target);
// The scalar pointer that a tile of pointers is computed from; null if there is none to be seen.
MlirValue narrow_base(struct ir *ir, MlirValue pointers);
// The i1, the same for all threads, that every pointer is less than 2^32 bytes above the base.
MlirValue narrow_fits(struct builder *b, MlirValue pointers, MlirValue base);
// The distances from the base, where they fit; and the pointers at these distances from a base.
MlirValue narrow_offsets(struct builder *b, MlirValue pointers, MlirValue base);
MlirValue narrow_pointers(struct builder *b, MlirValue base, MlirValue offsets);

#endif
