// A work list of values: a pass visits each value once.
#ifndef TKC_PASSES_VALUE_WORK_H
#define TKC_PASSES_VALUE_WORK_H

#include "dialects/tk/tk.h"
#include "support/arena.h"
#include "support/map.h"

struct value_work {
    struct arena *arena; // holds the list
    struct map seen;     // pointers of values, and of other objects noted by the pass → themselves
    MlirValue *list;     // seen, and not taken yet
    size_t count, capacity;
};

// True on the first call with this pointer.
bool value_work_see(struct value_work *work, const void *pointer);
// A value to be taken, if it was not seen before.
void value_work_add(struct value_work *work, MlirValue value);
// Takes the value added last; null if none is left.
MlirValue value_work_take(struct value_work *work);
// Adds the values from which `value` is computed: the operands of its op; for a branch the yielded values of
// that number and the condition; for a loop the carried values and the bounds or condition; for other ops
// with regions the operands.
void value_work_add_sources(struct value_work *work, struct ir *ir, MlirValue value);
void value_work_free(struct value_work *work);

// A question about the readers of a value, and of all values computed from it by passing ops of one result.
struct reader_question {
    struct arena *arena;
    struct ir *ir;
    bool (*passes_on)(enum op_kind kind);
    bool (*is_sought)(const void *asker, MlirOpOperand use,
                      MlirValue value); // `value` is the operand at the use
    const void *asker;
};
// True if a reader is sought.
bool value_has_reader(const struct reader_question *question, MlirValue value);

#endif
