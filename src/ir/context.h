// An MLIR context with tkc's side tables. The only user of mlirContextCreate.
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

    // The dialect's side tables for this context (dialects/tk).
    struct map op_kinds; // identifier pointer → enum op_kind
    struct map op_costs; // identifier pointer → cost in the budget, if not 1
    struct map layouts;  // tensor type → const struct layout *
    struct map pointees; // pointer type → pointee type
    struct map sound;    // tensor types checked by tk_verify
};

// The content of a location: a source position and, for an inlined call, the place of the call.
struct ir_place {
    struct location position;
    const struct ir_place *caller; // NULL: not inlined
    const char *function;          // the inlined one; NULL: not known
    unsigned function_line;
};

// Loads arith, math, scf and func, allows unregistered ops, sends MLIR's own diagnostics to `diag`.
struct ir *ir_create(struct diag *diag);
void ir_destroy(struct ir *ir);
size_t ir_size(const struct ir *ir); // estimated bytes of the locations and ops of this context

// MLIR location of a source position (file:line:col) and back. ir_call_location nests a callee's position in
// its caller's.
MlirLocation ir_location(struct ir *ir, struct location location);
MlirLocation ir_call_location(struct ir *ir, MlirLocation callee, MlirLocation caller, const char *function,
                              unsigned function_line);
// MLIR's C API has no accessor for the content of a location, so `ir` keeps a table of its own locations.
// NULL for an unknown location.
const struct ir_place *ir_place(struct ir *ir, MlirLocation location);
// The innermost position of an op, for diagnostics; zeroed when unknown.
struct location ir_op_location(struct ir *ir, MlirOperation op);
// The same, but for an op in the embedded library the position of its caller.
struct location ir_user_location(struct ir *ir, MlirOperation op);

#endif
