// The reasons for refused optimisations. A function refuses by calling decline() with the failed condition
// and the op at fault. A pass that gives up for good writes the latest reason to an attribute (reason_keep),
// for dumps and tests.
#ifndef TKC_PASSES_REASON_H
#define TKC_PASSES_REASON_H

#include <stdbool.h>

#include <mlir-c/IR.h>

#include "ir/build.h"

struct pass_context;

enum reason {
    REASON_NONE,
#define REASON(id, text) REASON_##id,
#include "passes/reasons.def"
#undef REASON
    REASON_COUNT
};

struct declined {
    enum reason reason;
    MlirOperation op; // at fault; null: none
};

// Notes the reason and returns false: `return decline(context, op, REASON_…);`. The latest one counts.
bool decline(struct pass_context *context, MlirOperation op, enum reason reason);
const char *reason_text(enum reason reason);
// Writes the latest reason to an attribute of the op, and forgets it: "left alone: tk.store at 40:5: <text>".
void reason_keep(struct pass_context *context, MlirOperation op, enum attribute_name name);

#endif
