// Two bounds of an index by one comparison.
#ifndef TKC_CODEGEN_RANGES_H
#define TKC_CODEGEN_RANGES_H

#include <llvm-c/Core.h>

// One comparison without a sign for numbers of at least 0 and below a limit from another block.
void ranges_compare_once(LLVMModuleRef module);

#endif
