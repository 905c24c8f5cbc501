// Signs of zeros.
#ifndef TKC_CODEGEN_ZEROS_H
#define TKC_CODEGEN_ZEROS_H

#include <llvm-c/Core.h>

// On AMD: 0 - x stays a difference if a use sees its sign at x = 0, and products converted to f16 keep their
// -0.
void zeros_keep_signs(LLVMModuleRef module);

#endif
