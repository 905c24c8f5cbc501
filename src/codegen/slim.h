// Rewrites code that NVPTX's instruction selection handles slowly or badly (slim.c).
#ifndef TKC_CODEGEN_SLIM_H
#define TKC_CODEGEN_SLIM_H

#include <llvm-c/Core.h>

#include "chip/target.h"

// Run on a module before its emission; the module computes the same.
void slim_prepare(LLVMModuleRef module, const struct target *target);

#endif
