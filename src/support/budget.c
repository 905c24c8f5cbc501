// The limits of the table; taking is in diag.c, since running out is an error.
#include "support/budget.h"

const struct budget_row budget_table[BUDGET_KINDS] = {
#define BUDGET(kind, limit, unit, what, advice) {#kind, limit, unit, what, advice},
#include "support/budget.def"
#undef BUDGET
};

const char budget_notes[] = "The work of a compilation is bounded; --budget=N allows N times as much:\n"
#define BUDGET(kind, limit, unit, what, advice) "  " #limit " " unit "\n"
#include "support/budget.def"
#undef BUDGET
    ;

bool budget_is_shared(enum budget_kind kind) {
    return kind == BUDGET_STEPS || kind == BUDGET_OPS;
}

size_t budget_limit(const struct budget *budget, enum budget_kind kind) {
    return budget_table[kind].limit * (budget->factor ? budget->factor : 1) /
           (budget->share ? budget->share : 1) /
           (budget->split && budget_is_shared(kind) ? budget->split : 1);
}
