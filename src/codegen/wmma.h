// RDNA's matrix instructions: their missing convergence in LLVM 19 (wmma.c).
#ifndef TKC_CODEGEN_WMMA_H
#define TKC_CODEGEN_WMMA_H

#include <stdbool.h>

#include <llvm-c/Core.h>

bool is_wmma(LLVMValueRef value); // a call of such an instruction

// Run on a module before its emission; a module without such instructions does not change.
void wmma_keep_in_place(LLVMModuleRef module);

#endif
