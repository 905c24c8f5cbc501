// Moves reads of shared memory down to their first use within a block.
#ifndef TKC_CODEGEN_SINK_H
#define TKC_CODEGEN_SINK_H

#include <llvm-c/Core.h>

void sink_shared_reads(LLVMModuleRef module);

#endif
