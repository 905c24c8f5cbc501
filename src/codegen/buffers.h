// Buffers that a loop counts on: their descriptions stay in scalar registers (buffers.c).
#ifndef TKC_CODEGEN_BUFFERS_H
#define TKC_CODEGEN_BUFFERS_H

#include <llvm-c/Core.h>

// Changes a module before it is emitted.
void buffers_count_on(LLVMModuleRef module);

#endif
