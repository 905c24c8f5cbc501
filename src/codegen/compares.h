// Comparisons of many sums with one value.
#ifndef TKC_CODEGEN_COMPARES_H
#define TKC_CODEGEN_COMPARES_H

#include <llvm-c/Core.h>

// Rewrites sums of a block that differ by constants and are compared for equality with one value: all compare
// one difference.
void compares_by_distance(LLVMModuleRef module);

#endif
