// Negations of 16-bit integers.
#ifndef TKC_CODEGEN_NEGATIONS_H
#define TKC_CODEGEN_NEGATIONS_H

#include <llvm-c/Core.h>

// On NVIDIA: 0 - x and |x| of 16-bit integers are computed in 32 bits and cut off, so that -32768 stays -32768.
void negations_keep_width(LLVMModuleRef module);

#endif
