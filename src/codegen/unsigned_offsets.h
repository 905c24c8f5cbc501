// Offsets of lanes on chips that take them as signed.
#ifndef TKC_CODEGEN_UNSIGNED_OFFSETS_H
#define TKC_CODEGEN_UNSIGNED_OFFSETS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

// Hides 32-bit numbers that are extended by zeros and added to addresses. False: there are none.
bool unsigned_offsets_hide(LLVMModuleRef module);

#endif
