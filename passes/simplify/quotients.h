// Quotients of program ids computed in 64 bits by the source.
#ifndef TKC_PASSES_QUOTIENTS_H
#define TKC_PASSES_QUOTIENTS_H

#include "passes/pass.h"

// Narrows divisions of a value made from program ids by an extended 32-bit number: divides in 32 bits and
// extends the quotient.
void quotients_narrow(struct pass_context *context, MlirOperation function);

#endif
