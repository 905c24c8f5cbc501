// Quotients of program ids that the source computes in 64 bits.
#ifndef TKC_PASSES_QUOTIENTS_H
#define TKC_PASSES_QUOTIENTS_H

#include "passes/pass.h"

// Divides in 32 bits, and extends the quotient, where a function divides what is made of program ids by an extended number of 32 bits.
void quotients_narrow(struct pass_context *context, MlirOperation function);

#endif
