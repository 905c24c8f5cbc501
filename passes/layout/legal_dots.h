// Dots and matrix instructions: the questions shared by legal_dots.c and the layouts pass.
#ifndef TKC_PASSES_LEGAL_DOTS_H
#define TKC_PASSES_LEGAL_DOTS_H

#include "passes/pass.h"
#include "chip/mma.h"

bool dot_has_scales(MlirOperation dot);
// The matrix instruction's type for operands of this element type in this dot: f32 counts as tf32 if the
// dot's precision allows it and the chip has tf32. False if mma.def has no such type.
bool dot_operand_type(const struct target *target, MlirOperation dot, MlirType element, enum mma_type *type);
// The row for the dot as it stands (whole_rows: see mma_select), NULL when multiply-adds must do.
const struct mma *dot_instruction(const struct target *target, MlirOperation dot, unsigned warps,
                                  bool whole_rows);
// The warpgroup instruction for it (mma_select_warpgroup), NULL when it has none.
const struct mma *dot_warpgroup_instruction(const struct target *target, MlirOperation dot, unsigned warps);
// The warpgroup instruction for the transposed product, with the right operand first.
const struct mma *dot_turned_instruction(const struct target *target, MlirOperation dot, unsigned warps);

#endif
