// How many registers a function needs at once.
#ifndef TKC_CODEGEN_PRESSURE_H
#define TKC_CODEGEN_PRESSURE_H

#include <llvm-c/Core.h>

#include "chip/target.h"

// The most 32-bit registers that values take at any place, in the order that the code has. Predicates and arguments count
// nothing: they lie elsewhere.
unsigned pressure_of(LLVMValueRef function);
// NVIDIA: kernels that no limit of theirs is known of and that fill a thread's registers may fill them.
// Those whose loops load much a step take so many that its loads are under way together.
void pressure_claim_registers(LLVMModuleRef module, const struct target *target);

#endif
