// Fragments that wait in scratch memory.
#ifndef TKC_CODEGEN_PARK_H
#define TKC_CODEGEN_PARK_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// AMD: operands of a loop's products that the loop does not change are read from scratch memory in each step. False if there are none.
bool park_fragments(LLVMModuleRef module);
// The registers of a thread that a function's operands of this kind take.
unsigned park_registers(LLVMValueRef function);

#endif
