// Proves that a kernel's threads access shared memory in order: for the LLVM module, as check_barriers for
// tile IR.
#ifndef TKC_CODEGEN_CHECK_SHARED_H
#define TKC_CODEGEN_CHECK_SHARED_H

#include <llvm-c/Core.h>

#include "chip/target.h"
#include "support/strbuf.h"

enum shared_order {
    SHARED_ORDERED,
    SHARED_NOT_ORDERED, // `fault` names the accesses
    SHARED_NOT_KNOWN,   // the kernel uses something not modelled; `fault` names it
};

// The worst result over the module's kernels.
enum shared_order check_shared(LLVMModuleRef module, const struct target *target, struct strbuf *fault);

#endif
