// Keeps loads of the next step ahead of this step's matrix instructions (AMD).
#ifndef TKC_CODEGEN_AHEAD_H
#define TKC_CODEGEN_AHEAD_H

#include <stdbool.h>

#include <llvm-c/Core.h>

// False: the module has no such loads and is unchanged.
bool ahead_keep(LLVMModuleRef module);
// Puts a fence behind each matrix instruction: fragments are then read in the module's order, each after the
// last use of the one before.
void ahead_fence_products(LLVMModuleRef module);

#endif
