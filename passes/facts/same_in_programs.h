// Scalars equal in all programs of a launch.
#ifndef TKC_PASSES_SAME_IN_PROGRAMS_H
#define TKC_PASSES_SAME_IN_PROGRAMS_H

#include <stdbool.h>

#include "dialects/tk/tk.h"
#include "support/arena.h"

// True if the scalar is the same in all programs: an argument of the function, or computed of such scalars. `body`: the function's; `reads`:
// true for loads whose memory no program changes meanwhile; NULL: none are known.
bool value_same_in_programs(struct ir *ir, struct arena *arena, MlirBlock body, MlirValue scalar,
                            bool (*reads)(MlirOperation load));

#endif
