// CDNA's matrix instructions: the registers of their sums, and a missing constraint on their operands in LLVM
// 19 (mfma.c).
#ifndef TKC_CODEGEN_MFMA_H
#define TKC_CODEGEN_MFMA_H

#include <stdbool.h>

#include <llvm-c/Core.h>

bool mfma_used(LLVMModuleRef module);
// True if the module has matrix instructions, and each of its kernels the far half of the registers for their sums.
bool mfma_has_far(LLVMModuleRef module);
// Keeps all sums in the registers arithmetic reaches. Run it ahead of mfma_hold_operands.
void mfma_keep_near(LLVMModuleRef module);
// Keeps the operands of a product alive until its result is written.
void mfma_hold_operands(LLVMModuleRef module);

#endif
