// Machines of LLVM's to make code with. One is had by one compilation at a time.
#ifndef TKC_CODEGEN_MACHINE_H
#define TKC_CODEGEN_MACHINE_H

#include <llvm-c/TargetMachine.h>

#include "chip/target.h"

struct machine {
    LLVMTargetMachineRef chip;
    const struct target *target;
    LLVMCodeGenOptLevel level;
    struct machine *next; // of those that wait
};

struct machine *machine_take(const struct target *target, LLVMCodeGenOptLevel level);
void machine_give(struct machine *machine);

#endif
