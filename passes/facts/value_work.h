// Values that a pass has still to look at, each once.
#ifndef TKC_PASSES_VALUE_WORK_H
#define TKC_PASSES_VALUE_WORK_H

#include "dialects/tk/tk.h"
#include "support/arena.h"
#include "support/map.h"

struct value_work {
    struct arena *arena; // holds the list
    struct map seen;     // pointers of values, and of what else the pass notes there → themselves
    MlirValue *list;     // seen, and not taken yet
    size_t count, capacity;
};

// Whether the pointer was not seen before; from now on it is.
bool value_work_see(struct value_work *work, const void *pointer);
// A value to be taken, if it was not seen before.
void value_work_add(struct value_work *work, MlirValue value);
// One of those that were added last; null where none is left.
MlirValue value_work_take(struct value_work *work);
// What a value follows from: the operands of what computes it; of a branch what it gives under that number and its condition,
// of a loop what it carries and its bounds or end, of other ops with regions what goes in.
void value_work_add_sources(struct value_work *work, struct ir *ir, MlirValue value);
void value_work_free(struct value_work *work);

#endif
