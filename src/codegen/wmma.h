// RDNA's matrix instructions: what LLVM 19 has to be told of the lanes that take part (wmma.c).
#ifndef TKC_CODEGEN_WMMA_H
#define TKC_CODEGEN_WMMA_H

#include <stdbool.h>

#include <llvm-c/Core.h>

bool is_wmma(LLVMValueRef value); // a call of one

// Changes a module before it is emitted; one without such instructions stays as it is.
void wmma_keep_in_place(LLVMModuleRef module);

#endif
