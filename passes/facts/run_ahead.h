// Loads done by another warp, earlier than the program says.
#ifndef TKC_PASSES_RUN_AHEAD_H
#define TKC_PASSES_RUN_AHEAD_H

#include "passes/pass.h"

// Whether another warp may do these loads, none of which stands behind the loop, as early as it likes, even while its block is still
// busy with the program before this one.
bool loads_may_run_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                         const MlirOperation *loads, size_t load_count);
// Notes at the function what that rests on (apart.h).
void loads_assume_ahead(struct pass_context *context, MlirOperation function, MlirOperation loop,
                        const MlirOperation *loads, size_t load_count);

#endif
