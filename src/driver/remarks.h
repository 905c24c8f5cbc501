// Remarks of a compilation: the passes' records, for the programmer.
#ifndef TKC_DRIVER_REMARKS_H
#define TKC_DRIVER_REMARKS_H

#include "driver/compile.h"

// An empty list for the passes over the unit's kernels, with an arena of its own; remarks_close frees it.
void remarks_open(struct remarks *remarks, const struct unit *unit);
void remarks_close(struct remarks *remarks);

// The choice of --remarks. False after an error in diag: the expression is none.
struct remark_choice {
    bool wanted[REMARK_COUNT];
};
bool remarks_choose(struct remark_choice *choice, const char *expression, struct diag *diag);

// Prints the chosen remarks of one target.
void remarks_print(const struct remarks *remarks, const struct remark_choice *choice,
                   const struct target *target, struct diag *diag);
// The same for all variants of a target together: a remark on several configurations of a kernel comes once, with their numbers.
// all[i]: of `count` compilations.
void remarks_print_joined(const struct remarks *const *all, size_t count, const struct unit *unit,
                          const struct remark_choice *choice, const struct target *target, struct diag *diag);
// -Wslow: one warning for a kernel whose loops have narrow accesses for want of hints, with all of these. `entry`: the kernel in one
// variant. True if there is one.
bool remarks_warn_slow(const struct remarks *remarks, struct arena *arena, const char *entry,
                       const char *function, struct diag *diag);

#endif
