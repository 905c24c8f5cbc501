// Cheap values of very long functions.
#ifndef TKC_CODEGEN_NEAR_USES_H
#define TKC_CODEGEN_NEAR_USES_H

#include <llvm-c/Core.h>

// On AMD: addresses and masks of a thread's elements are computed in the blocks of their uses.
void near_uses_compute(LLVMModuleRef module);

#endif
