// Proof that a kernel's threads use shared memory in order: the LLVM module's counterpart of check_barriers.
#ifndef TKC_CODEGEN_CHECK_SHARED_H
#define TKC_CODEGEN_CHECK_SHARED_H

#include <llvm-c/Core.h>

#include "chip/target.h"
#include "support/strbuf.h"

enum shared_order {
    SHARED_ORDERED,
    SHARED_NOT_ORDERED, // `fault` tells which accesses
    SHARED_NOT_KNOWN,   // the kernel uses what is not modelled; `fault` names it
};

// The worst of the module's kernels.
enum shared_order check_shared(LLVMModuleRef module, const struct target *target, struct strbuf *fault);

#endif
