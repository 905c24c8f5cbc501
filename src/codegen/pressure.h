// The register pressure of a function.
#ifndef TKC_CODEGEN_PRESSURE_H
#define TKC_CODEGEN_PRESSURE_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "chip/target.h"

// The most 32-bit registers live at any place, in the order of the code. Predicates and arguments do not
// count: they are not in these registers. in_any_order: only at instructions that access memory or
// synchronise threads, because ptxas may order the arithmetic between two of those element by element.
unsigned pressure_of(LLVMValueRef function, bool in_any_order);
// NVIDIA: kernels without a bound of their own whose pressure exceeds a thread's registers may use all of
// them. Kernels whose loops load much in an iteration get enough registers to keep these loads in flight
// together.
void pressure_claim_registers(LLVMModuleRef module, const struct target *target);

#endif
