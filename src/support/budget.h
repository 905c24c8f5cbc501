// Bounds on the work of a compilation. Whoever works through what a source asks for takes from the budget as it goes
// (diag_take), and ends its work when that fails. A short source can ask for any amount of work; a time limit would stop it at
// another place on every machine.
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

// Zeroed: nothing is taken, and the limits are the table's.
struct budget {
    unsigned factor; // --budget; 0 as 1
    unsigned share;  // one part in so many is allowed, for fuzzers; 0 as 1
    unsigned split;  // one part of what all variants and targets share, steps and ops; 0 as 1
    size_t taken[BUDGET_KINDS];
    bool exceeded;          // any limit: an error says so, and all work ends
    enum budget_kind first; // that was exceeded
};

extern const char budget_notes[]; // the limits, for --help
bool budget_is_shared(enum budget_kind kind);
size_t budget_limit(const struct budget *budget, enum budget_kind kind);

#endif
