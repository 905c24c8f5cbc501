// Negations of 8- and 16-bit integers.
#ifndef TKC_CODEGEN_NEGATIONS_H
#define TKC_CODEGEN_NEGATIONS_H

#include <llvm-c/Core.h>

// On NVIDIA: 0 - x and x * -2^n of 8 and 16 bits and |x| of 16 bits are computed in 32 bits and cut off, so that -32768 stays -32768.
void negations_keep_width(LLVMModuleRef module);

#endif
