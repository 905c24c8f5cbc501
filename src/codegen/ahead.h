// Loads of the next step stay ahead of this step's matrix instructions (AMD).
#ifndef TKC_CODEGEN_AHEAD_H
#define TKC_CODEGEN_AHEAD_H

#include <stdbool.h>

#include <llvm-c/Core.h>

// False: the module has no such loads, and is as it was.
bool ahead_keep(LLVMModuleRef module);
// A fence behind each matrix instruction: fragments are read in the module's order, each when the last one is used up.
void ahead_fence_products(LLVMModuleRef module);

#endif
