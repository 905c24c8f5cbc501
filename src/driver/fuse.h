// The choice of steps of a chain for one kernel (fuse.c).
#ifndef TKC_DRIVER_FUSE_H
#define TKC_DRIVER_FUSE_H

#include "driver/compile.h"

// Makes one kernel of steps of each chain (`only`: of this one; NULL: of all), as many as keep every bit on all targets. `remarks`: says
// the outcome for each step. `reassociate`: also where only rounding changes. `operands`: also a step on a product's operand.
void chains_fuse(struct unit *unit, const struct target *const *targets, size_t target_count,
                 const char *only, bool remarks, bool reassociate, bool operands);
// Makes one kernel of the same steps as another unit has, that has opened the same source: of several targets each is compiled in its own.
void chains_fuse_as(struct unit *unit, const struct frontend *given);
// Opened for one merged kernel alone: makes it again, in a unit with the same source opened.
void chain_fuse_again(struct unit *unit, const struct kernel_merge *merge);

#endif
