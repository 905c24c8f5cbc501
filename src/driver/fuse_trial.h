// If the bodies of a chain's steps allow one kernel (fuse_trial.c).
#ifndef TKC_DRIVER_FUSE_TRIAL_H
#define TKC_DRIVER_FUSE_TRIAL_H

#include "driver/compile.h"

// True if the front end's last kernel, `merged`, may do its steps in one on a target; else *why says why not.
// Programs of rows are packed as the steps' own are: then *merged is the packed kernel.
bool bodies_fit(struct unit *unit, const struct target *target, struct kernel_instance *merged,
                const char **why);

// True if what the front end's last kernel does behind its products is computed on a target beside the next tile's products.
bool steps_are_beside(struct unit *unit, const struct target *target, const struct kernel_instance *merged);

#endif
