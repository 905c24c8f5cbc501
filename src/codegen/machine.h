// LLVM target machines. One compilation has a machine at a time.
#ifndef TKC_CODEGEN_MACHINE_H
#define TKC_CODEGEN_MACHINE_H

#include <llvm-c/TargetMachine.h>

#include "chip/target.h"

struct machine {
    LLVMTargetMachineRef chip;
    const struct target *target;
    LLVMCodeGenOptLevel level;
    struct machine *next; // of the kept machines
};

struct machine *machine_take(const struct target *target, LLVMCodeGenOptLevel level);
void machine_give(struct machine *machine);

#endif
