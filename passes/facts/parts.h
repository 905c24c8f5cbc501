// Parts of a reduction: the partial results of single threads, each combined from the registers of one thread
// before threads exchange anything. The extent of a tile of parts along the reduced axis is the number of
// threads per row.
#ifndef TKC_PASSES_PARTS_H
#define TKC_PASSES_PARTS_H

#include "passes/pass.h"

#include "ir/build.h"

// The kind of the one op in the reduction's combining region; OP_UNKNOWN when there are more.
enum op_kind reduce_combines_by(struct ir *ir, MlirOperation reduce);

// The type of the tile of parts of a one-operand tk.reduce. Null if parts gain nothing, or if the registers
// of a thread mix the axis with other dimensions.
MlirType parts_of(struct pass_context *context, MlirOperation reduce);

// Builds the parts: a tk.partial_reduce with the combining region of the tk.reduce.
MlirValue build_parts(struct builder *b, MlirOperation reduce, MlirType parts);

// A number for each reduced row, or the one number of a tile of rank 1, for each part of it.
MlirValue parts_spread(struct builder *b, MlirType parts, unsigned axis, MlirValue value);

#endif
