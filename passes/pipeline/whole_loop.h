// The steps of a loop in which masks hold for every element: its first steps, which become a loop of their own, or steps amid it.
#ifndef TKC_PASSES_WHOLE_LOOP_H
#define TKC_PASSES_WHOLE_LOOP_H

#include "passes/facts/mask_limits.h"

enum { WHOLE_LIMITS = 8 };

struct whole_loop {
    struct pass_context *context;
    struct ir *ir;
    struct affines affines; // open
    MlirOperation function, loop;
    MlirBlock body;
    bool amid; // conditions may turn true, as at the near end of a window
    struct mask_limit limits[WHOLE_LIMITS];
    int limit_count, start_count;                   // start_count: of conditions that turn true
    struct mask_magnitude magnitudes[WHOLE_LIMITS]; // to be tested
    int magnitude_count;
    MlirValue guards[TILE_GUARDS]; // of the whole loop
    int guard_count;
};

// Adds the conditions of a mask of type `type`, read by `user`. False if some condition has no limit: adds nothing
// then, and declines.
bool whole_loop_add(struct whole_loop *w, MlirOperation user, MlirType type, const struct tile_mask *mask);
// True if the mask holds for all elements wherever the masks added hold.
bool whole_loop_holds(struct whole_loop *w, MlirOperation user, MlirType type, const struct tile_mask *mask);
// True if the mask depends on the loop's step: any other mask leaves no step whole.
bool whole_loop_varies(struct whole_loop *w, const struct tile_mask *mask);
// True if some condition turns true and some turns false in further steps.
bool whole_loop_is_window(const struct whole_loop *w);
// True if the loop counts in 32 bits by a constant above 0, from a constant if its first steps are whole; else declines.
bool whole_loop_counts(struct whole_loop *w);
// Builds ahead of the loop the counters from the first whole step on, and from the first one behind them that is none.
struct whole_range {
    MlirValue first, end; // i32 each
};
struct whole_range whole_loop_range(struct whole_loop *w);
// Splits the loop: w->loop takes the whole steps, the result is a copy of it for the others. The masks stay in both.
MlirOperation whole_loop_split(struct whole_loop *w);
// Drops ops of w->loop that nobody reads.
void whole_loop_drop_dead(struct whole_loop *w);

#endif
