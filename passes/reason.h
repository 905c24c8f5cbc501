// The reasons for refused optimisations. A function refuses by calling decline() with the failed condition
// and the op at fault. A pass that gives up for good says the latest reason by reason_keep(): in an attribute
// for dumps and tests, and as a remark for the programmer.
#ifndef TKC_PASSES_REASON_H
#define TKC_PASSES_REASON_H

#include <stdbool.h>

#include <mlir-c/IR.h>

#include "ir/build.h"

struct pass_context;

enum reason {
    REASON_NONE,
#define REASON(id, text, numbers, advice) REASON_##id,
#include "passes/reasons.def"
#undef REASON
    REASON_COUNT
};

struct declined {
    enum reason reason;
    MlirOperation op; // at fault; null: none
    bool numbered;
    long long numbers[2]; // of the reason's row: the actual value, and the limit
    MlirValue argument;   // of the kernel, without a hint; null: none
    unsigned multiple;    // the hint: a multiple of this; 1: it is 1
};

// Notes the reason and returns false: `return decline(context, op, REASON_…);`. The latest one counts.
bool decline(struct pass_context *context, MlirOperation op, enum reason reason);
// The same, with the numbers of the reason's row.
bool decline_numbers(struct pass_context *context, MlirOperation op, enum reason reason, long long actual,
                     long long limit);
// The same, for want of a hint: an argument of the kernel (null: no single one) is a multiple of `multiple`.
bool decline_hint(struct pass_context *context, MlirOperation op, enum reason reason, long long actual,
                  MlirValue argument, unsigned multiple);
const char *reason_text(enum reason reason);
// Writes the latest reason to an attribute of the op, and forgets it: "left alone: tk.store at 40:5: <text>".
// The remark of the attribute's kind (remarks.def) has its numbers and advice, too.
void reason_keep(struct pass_context *context, MlirOperation op, enum attribute_name name);

#endif
