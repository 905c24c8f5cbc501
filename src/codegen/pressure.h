// How many registers a function needs at once.
#ifndef TKC_CODEGEN_PRESSURE_H
#define TKC_CODEGEN_PRESSURE_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "chip/target.h"

// The most 32-bit registers that values take at any place, in the order that the code has. Predicates and arguments count
// nothing: they lie elsewhere.
unsigned pressure_of(LLVMValueRef function);
// Whether that is more than each thread of the kernel, one of NVIDIA's, can have.
bool pressure_is_over(LLVMModuleRef module, LLVMValueRef function, const struct target *target);
// NVIDIA: kernels that no limit of theirs is known of and that fill a thread's registers may fill them.
void pressure_claim_registers(LLVMModuleRef module);

#endif
