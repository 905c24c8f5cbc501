// Checks that final AMD machine code keeps accesses to shared memory on their side of the block's barriers.
//
// The LLVM module has the right order. Nothing checks the code after LLVM: its scheduler has moved an
// s_barrier above reads protected by it. Here each access and each barrier of the module gets a debug line of
// its own. Lines pass through LLVM's back end without changing the code, so every instruction of the assembly
// names its origins. For each access two sets are computed, once over the module's control flow and once over
// the assembly's: the barriers possibly last before it, and those possibly next after it. A barrier in the
// assembly's sets but not in the module's is a fault: an access on the wrong side of a barrier on some path.
#ifndef TKC_TESTS_ORDER_H
#define TKC_TESTS_ORDER_H

#include <llvm-c/Core.h>

#include "support/strbuf.h"

enum { ORDER_NO_LINE = 1000000 }; // the debug line of all other instructions

struct order_report {
    unsigned accesses, barriers; // of the module
    unsigned seen;               // shared memory accesses in the assembly
    unsigned faults;
    struct strbuf text; // one line a fault
};

// Gives accesses and barriers of the module their lines, all other instructions none of these. The module must carry debug
// information (lines). Returns how many lines were given.
unsigned order_number(LLVMModuleRef module);

// Compares a numbered module with the assembly made of it.
struct order_report order_check(LLVMModuleRef module, const char *assembly);

#endif
