// Parts of a reduction over threads: what each thread's own registers combine to, before threads exchange anything. A tile of
// parts is as long along the reduced axis as there are threads that share a row.
#ifndef TKC_PASSES_PARTS_H
#define TKC_PASSES_PARTS_H

#include "passes/pass.h"

#include "ir/build.h"

// The kind of the one op that combines two elements; OP_UNKNOWN when there are more.
enum op_kind reduce_combines_by(struct ir *ir, MlirOperation reduce);

// The tile of the parts of a tk.reduce of one operand; a null type where there is nothing to gain, or a thread's registers mix
// the axis with other dimensions.
MlirType parts_of(struct pass_context *context, MlirOperation reduce);

// The parts themselves: a tk.partial_reduce that combines as the tk.reduce does.
MlirValue build_parts(struct builder *b, MlirOperation reduce, MlirType parts);

// A number for each reduced row, or the one number of a tile of rank 1, for each part of it.
MlirValue parts_spread(struct builder *b, MlirType parts, unsigned axis, MlirValue value);

#endif
