// CDNA's matrix instructions: where their sums are kept, and what LLVM 19 has to be told of their operands (mfma.c).
#ifndef TKC_CODEGEN_MFMA_H
#define TKC_CODEGEN_MFMA_H

#include <stdbool.h>

#include <llvm-c/Core.h>

bool mfma_used(LLVMModuleRef module);
// All sums are kept in the registers that arithmetic reaches. Ahead of mfma_hold_operands.
void mfma_keep_near(LLVMModuleRef module);
// Operands of a product live until its result is written.
void mfma_hold_operands(LLVMModuleRef module);

#endif
