// Orders long runs of arithmetic value by value.
#ifndef TKC_CODEGEN_ORDER_H
#define TKC_CODEGEN_ORDER_H

#include <llvm-c/Core.h>

void order_long_runs(LLVMModuleRef module);

#endif
