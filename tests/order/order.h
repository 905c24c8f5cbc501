// Whether final AMD machine code keeps accesses to shared memory on their side of the block's barriers.
//
// The LLVM module says where they belong. Nothing checks LLVM after it: its scheduler has moved an s_barrier above reads
// that it should protect. Here each access and each barrier of the module gets a debug line of its own, which goes through
// LLVM's back end without changing what it does, so that every instruction of the assembly names the ones it came from.
// For each access two sets are computed, once over the module's control flow and once over the assembly's: the barriers
// that may be the last before it, and those that may be the next after it. What the assembly has and the module has not
// is a fault: an access on the wrong side of a barrier on some path.
#ifndef TKC_TESTS_ORDER_H
#define TKC_TESTS_ORDER_H

#include <llvm-c/Core.h>

#include "support/strbuf.h"

enum { ORDER_NO_LINE = 1000000 }; // the debug line of instructions that are neither

struct order_report {
    unsigned accesses, barriers; // of the module
    unsigned seen;               // instructions of the assembly that access shared memory
    unsigned faults;
    struct strbuf text; // one line a fault
};

// Gives accesses and barriers of the module their lines, all other instructions none of these. The module must carry debug
// information (lines). Returns how many lines were given.
unsigned order_number(LLVMModuleRef module);

// Compares a numbered module with the assembly made of it.
struct order_report order_check(LLVMModuleRef module, const char *assembly);

#endif
