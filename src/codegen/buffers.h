// Descriptors of buffers with a loop-carried address stay in scalar registers (buffers.c).
#ifndef TKC_CODEGEN_BUFFERS_H
#define TKC_CODEGEN_BUFFERS_H

#include <llvm-c/Core.h>

// Run on a module before its emission.
void buffers_count_on(LLVMModuleRef module);

#endif
