// Joins a warpgroup product and its fence, commit and wait into one assembly call (join.c).
#ifndef TKC_CODEGEN_JOIN_H
#define TKC_CODEGEN_JOIN_H

#include <llvm-c/Core.h>

// Run on a module before its emission; the module computes the same.
void join_products(LLVMModuleRef module);

#endif
