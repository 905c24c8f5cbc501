// Computes cheap values again instead of keeping them in registers throughout a loop.
#ifndef TKC_CODEGEN_REMAT_H
#define TKC_CODEGEN_REMAT_H

#include <llvm-c/Core.h>

#include "chip/target.h"

void rematerialise(LLVMModuleRef module, const struct target *target);
// RDNA: also the addresses in shared memory within loops with a constant between them.
void rematerialise_addresses(LLVMModuleRef module);

#endif
