// CDNA's matrix instructions: where their sums are kept, and what LLVM 19 has to be told of their operands (mfma.c).
#ifndef TKC_CODEGEN_MFMA_H
#define TKC_CODEGEN_MFMA_H

#include <stdbool.h>

#include <llvm-c/Core.h>

bool mfma_used(LLVMModuleRef module);
// Changes a module before it is emitted. `near`: all sums are kept in the registers that arithmetic reaches.
void mfma_prepare(LLVMModuleRef module, bool near);

#endif
