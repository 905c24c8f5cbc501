// Upper halves of words that are chosen.
#ifndef TKC_CODEGEN_HIGH_HALVES_H
#define TKC_CODEGEN_HIGH_HALVES_H

#include <llvm-c/Core.h>

// On AMD: a choice between a constant and a word's upper half becomes the upper half of a chosen word.
void high_halves_choose_words(LLVMModuleRef module);

#endif
