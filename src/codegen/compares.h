// Comparisons of many sums with one value.
#ifndef TKC_CODEGEN_COMPARES_H
#define TKC_CODEGEN_COMPARES_H

#include <llvm-c/Core.h>

// Sums of a block that differ by constants and are compared with one value for equality become one difference.
void compares_by_distance(LLVMModuleRef module);

#endif
