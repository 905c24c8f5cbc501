// How many registers a function needs at once.
#ifndef TKC_CODEGEN_PRESSURE_H
#define TKC_CODEGEN_PRESSURE_H

#include <llvm-c/Core.h>

// The most 32-bit registers that values take at any place, in the order that the code has. Predicates and arguments count
// nothing: they lie elsewhere.
unsigned pressure_of(LLVMValueRef function);
// NVIDIA: kernels that no limit of theirs is known of and that fill a thread's registers may fill them.
void pressure_claim_registers(LLVMModuleRef module);

#endif
