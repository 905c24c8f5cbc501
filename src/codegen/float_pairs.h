// Two operations on f32 as one (float_pairs.c).
#ifndef TKC_CODEGEN_FLOAT_PAIRS_H
#define TKC_CODEGEN_FLOAT_PAIRS_H

#include <llvm-c/Core.h>

// Joins additions, subtractions, products and multiply-adds of each block two by two; for chips with FEATURE(F32X2).
void float_pairs(LLVMModuleRef module);

#endif
