// What NVPTX's instruction selection is slow at, said in fewer or smaller words (slim.c).
#ifndef TKC_CODEGEN_SLIM_H
#define TKC_CODEGEN_SLIM_H

#include <llvm-c/Core.h>

#include "chip/target.h"

// Changes a module before it is emitted; what it computes stays the same.
void slim_prepare(LLVMModuleRef module, const struct target *target);

#endif
