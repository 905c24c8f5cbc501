// Sums over many blocks.
#ifndef TKC_CODEGEN_HOLD_SUMS_H
#define TKC_CODEGEN_HOLD_SUMS_H

#include <llvm-c/Core.h>

// On AMD: sums of a long run of blocks are computed where they stand.
void hold_sums(LLVMModuleRef module);

#endif
