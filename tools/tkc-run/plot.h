// --plot: drawings of layouts and of shared memory.
#ifndef TKC_RUN_PLOT_H
#define TKC_RUN_PLOT_H

#include "passes/pass.h"

// `what` is WHAT=FILE.svg. False after a message.
bool plot_write(struct ir *ir, struct arena *arena, MlirModule module, const struct target *target,
                const char *what);

#endif
