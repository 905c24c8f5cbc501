// Results of matrix instructions ahead of branches (AMD).
#ifndef TKC_CODEGEN_FORK_WAITS_H
#define TKC_CODEGEN_FORK_WAITS_H

#include <llvm-c/Core.h>

// A block with MFMA, and a branch whose sides meet again behind it, waits for the results ahead of the branch.
void fork_waits_add(LLVMModuleRef module);

#endif
