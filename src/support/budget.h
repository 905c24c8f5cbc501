// Limits on the work of a compilation. Code with work in proportion to the source takes from the budget
// (diag_take) as it goes, and stops when that fails. A short source can ask for any amount of work; a time
// limit would stop it at a different place on every machine.
#ifndef TKC_SUPPORT_BUDGET_H
#define TKC_SUPPORT_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

enum budget_kind {
#define BUDGET(kind, limit, unit, what, advice) BUDGET_##kind,
#include "support/budget.def"
#undef BUDGET
    BUDGET_KINDS
};

struct budget_row {
    const char *name; // "steps"
    size_t limit;
    const char *unit, *what, *advice;
};
extern const struct budget_row budget_table[BUDGET_KINDS];

// Zeroed: nothing taken, the table's limits.
struct budget {
    unsigned factor; // --budget; 0 as 1
    unsigned share;  // divides all limits, for fuzzers; 0 as 1
    unsigned split;  // divides the limits of steps and ops, shared by all variants and targets; 0 as 1
    size_t taken[BUDGET_KINDS];
    bool exceeded;          // any limit: reported as an error, and all work ends
    enum budget_kind first; // the first kind exceeded
};

extern const char budget_notes[]; // the limits, for --help
bool budget_is_shared(enum budget_kind kind);
size_t budget_limit(const struct budget *budget, enum budget_kind kind);

#endif
