// Constants leave the sums of addresses.
#ifndef TKC_CODEGEN_OFFSETS_H
#define TKC_CODEGEN_OFFSETS_H

#include <llvm-c/Core.h>

void offsets_leave_sums(LLVMModuleRef module);

#endif
