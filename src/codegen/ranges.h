// Two bounds of an index by one comparison.
#ifndef TKC_CODEGEN_RANGES_H
#define TKC_CODEGEN_RANGES_H

#include <llvm-c/Core.h>

// Numbers that are at least 0 and below a limit from elsewhere are compared once, without a sign.
void ranges_compare_once(LLVMModuleRef module);

#endif
