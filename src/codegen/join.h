// A product of warpgroups and what orders it, as one piece of assembly (join.c).
#ifndef TKC_CODEGEN_JOIN_H
#define TKC_CODEGEN_JOIN_H

#include <llvm-c/Core.h>

// Changes a module before it is emitted; what it computes stays the same.
void join_products(LLVMModuleRef module);

#endif
