// Loops that go once through a row, a tile of columns a step.
#ifndef TKC_PASSES_COLUMN_STEPS_H
#define TKC_PASSES_COLUMN_STEPS_H

#include "passes/facts/affine.h"

// The number of columns behind the bound of a loop of steps of so many columns: the bound itself, or of ceil(width / extent). Null if the
// loop is no such one.
MlirValue column_steps_width(struct ir *ir, MlirOperation loop, int64_t extent);
// True if factor times the symbol is so many elements a step: of the number of the step, or of the loop's own counter.
bool is_step_of_columns(struct ir *ir, MlirOperation loop, const struct affine_symbol *symbol, int64_t factor,
                        int64_t extent);

#endif
