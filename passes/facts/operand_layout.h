// The layout of an op's operand by its result's.
#ifndef TKC_PASSES_OPERAND_LAYOUT_H
#define TKC_PASSES_OPERAND_LAYOUT_H

#include "dialects/tk/tk.h"
#include "support/arena.h"

// The layout of tensor operand `index` for a result of `op` in layout `result`; `op` is elementwise, or changes
// the shape.
struct layout operand_layout(struct ir *ir, struct arena *arena, MlirOperation op, intptr_t index,
                             const struct layout *result);

#endif
