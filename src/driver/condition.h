// Conditions of branches over a kernel's arguments, in the language of launch grids (artifact/launcher/grid.h): launchers, tkc-tune and the
// page compute them as they compute grids.
#ifndef TKC_DRIVER_CONDITION_H
#define TKC_DRIVER_CONDITION_H

#include <stddef.h>

#include <mlir-c/IR.h>

#include "ir/context.h"
#include "support/arena.h"

// "tkc_le(n_cols_, 8192)" for `arith.cmpi sle, %n_cols, %c8192`. `names`: the C names of the arguments of the block `entry`, by number.
// The text is in the arena. NULL: the value depends on more than arguments and constants, or takes more than a few dozen operations.
// Integers have 64 bits in the text and do not wrap around; a quotient of a negative number is rounded down there, and towards 0 in the kernel.
const char *condition_text(struct ir *ir, struct arena *arena, MlirBlock entry, const char *const *names,
                           size_t count, MlirValue value);
// The same, of a value with the program's ids in it: its ids are tkc_id_0, tkc_id_1 and tkc_id_2.
const char *condition_program_text(struct ir *ir, struct arena *arena, MlirBlock entry,
                                   const char *const *names, size_t count, MlirValue value);
// The opposite, and both at once; of NULL the other one.
const char *condition_not(struct arena *arena, const char *text);
const char *condition_and(struct arena *arena, const char *a, const char *b);

#endif
