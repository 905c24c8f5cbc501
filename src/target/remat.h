// Computes cheap values again after a loop instead of keeping them in registers throughout it.
#ifndef TKC_TARGET_REMAT_H
#define TKC_TARGET_REMAT_H

#include <llvm-c/Core.h>

void rematerialise_after_loops(LLVMModuleRef module);

#endif
