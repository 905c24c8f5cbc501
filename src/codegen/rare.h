// What hardly ever runs stays out of the way (rare.c).
#ifndef TKC_CODEGEN_RARE_H
#define TKC_CODEGEN_RARE_H

#include <llvm-c/Core.h>

// Moves what only one unlikely side of a branch uses to that side. Before LLVM's passes.
void rare_sink(LLVMModuleRef module);

#endif
