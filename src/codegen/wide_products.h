// Both halves of a product from one instruction (wide_products.c).
#ifndef TKC_CODEGEN_WIDE_PRODUCTS_H
#define TKC_CODEGEN_WIDE_PRODUCTS_H

#include <llvm-c/Core.h>

// Rewrites the pairs of products of each block.
void wide_products(LLVMModuleRef module);

#endif
