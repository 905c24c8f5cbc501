// Signs of zeros.
#ifndef TKC_CODEGEN_ZEROS_H
#define TKC_CODEGEN_ZEROS_H

#include <llvm-c/Core.h>

// 0 - x stays a difference on AMD, where somebody sees the sign that it has of x = 0; and products that become f16 keep their -0.
void zeros_keep_signs(LLVMModuleRef module);

#endif
