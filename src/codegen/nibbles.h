// Pairs of 4-bit numbers out of one word.
#ifndef TKC_CODEGEN_NIBBLES_H
#define TKC_CODEGEN_NIBBLES_H

#include <llvm-c/Core.h>

// Takes two neighbouring 4-bit numbers out of a word as a byte, where both become elements of a pair.
void nibbles_take_bytes(LLVMModuleRef module);

#endif
