// Phis of the two halves of a word.
#ifndef TKC_CODEGEN_WORD_PHIS_H
#define TKC_CODEGEN_WORD_PHIS_H

#include <llvm-c/Core.h>

// On NVIDIA: two phis of 16-bit floats become one of pairs, if from each block both get the halves of one pair, or constants.
void word_phis_join(LLVMModuleRef module);

#endif
