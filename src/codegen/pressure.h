// How many registers a function needs at once.
#ifndef TKC_CODEGEN_PRESSURE_H
#define TKC_CODEGEN_PRESSURE_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "chip/target.h"

// The most 32-bit registers that values take at any place, in the order that the code has. Predicates and arguments count
// nothing: they lie elsewhere.
// In any order: only where an instruction stays that touches memory or meets other threads, since ptxas may have the
// arithmetic between two of those element by element.
unsigned pressure_of(LLVMValueRef function, bool in_any_order);
// NVIDIA: kernels that no limit of theirs is known of and that fill a thread's registers may fill them.
// Those whose loops load much a step take so many that its loads are under way together.
void pressure_claim_registers(LLVMModuleRef module, const struct target *target);

#endif
