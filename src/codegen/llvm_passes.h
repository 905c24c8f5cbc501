// LLVM's own passes (llvm_passes.c).
#ifndef TKC_CODEGEN_LLVM_PASSES_H
#define TKC_CODEGEN_LLVM_PASSES_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "chip/target.h"

// Modules of unusual size do without LLVM's quadratic passes.
enum module_size { SIZE_USUAL, SIZE_LONG, SIZE_MANY_BLOCKS };

enum module_size module_size(LLVMModuleRef module);
unsigned module_instructions(LLVMModuleRef module);
// True if a block has 768 loads, stores and calls: LLVM's scheduler is quadratic in them.
bool module_is_crowded(LLVMModuleRef module);
// LLVM's level of instruction selection for the module.
LLVMCodeGenOptLevel module_level(LLVMModuleRef module, const struct target *target, enum module_size size);
void llvm_passes(LLVMModuleRef module, const struct target *target);
// Two f32 operations become one packed operation where that saves instructions. False: it would not, or the module is too long.
bool packed_floats(LLVMModuleRef module, const struct target *target);

#endif
