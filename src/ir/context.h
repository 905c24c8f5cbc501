// One MLIR context with what tkc keeps beside it. The only user of mlirContextCreate.
#ifndef TKC_IR_CONTEXT_H
#define TKC_IR_CONTEXT_H

#include <mlir-c/IR.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/map.h"

struct ir {
    MlirContext context;
    struct arena *arena; // lives as long as the context
    struct diag *diag;
    struct map places; // location → struct ir_place

    struct map attribute_names; // identifier pointer → enum attribute_name + 1 (build.c)

    // What the dialect remembers of this context (dialects/tk).
    struct map op_kinds; // identifier pointer → enum op_kind
    struct map op_costs; // identifier pointer → ops that it counts as in the budget, where that is not one
    struct map layouts;  // tensor type → const struct layout *
    struct map pointees; // pointer type → pointee type
    struct map sound;    // tensor types that tk_verify has checked
};

// What a location says: a source position and, for an inlined call, the place of the call.
struct ir_place {
    struct location position;
    const struct ir_place *caller; // NULL: not inlined
};

// Loads arith, math, scf and func, allows unregistered ops, sends MLIR's own diagnostics to `diag`.
struct ir *ir_create(struct diag *diag);
void ir_destroy(struct ir *ir);
size_t ir_size(const struct ir *ir); // about the bytes that locations and ops made here take

// MLIR location of a source position (file:line:col) and back. ir_call_location nests a callee's position in
// its caller's.
MlirLocation ir_location(struct ir *ir, struct location location);
MlirLocation ir_call_location(struct ir *ir, MlirLocation callee, MlirLocation caller);
// MLIR's C API cannot look into a location, so `ir` remembers each one it made. NULL for an unknown location.
const struct ir_place *ir_place(struct ir *ir, MlirLocation location);
// The innermost position of an op, for diagnostics; zeroed when unknown.
struct location ir_op_location(struct ir *ir, MlirOperation op);
// The same, or of what calls it where that is in the embedded library.
struct location ir_user_location(struct ir *ir, MlirOperation op);

#endif
