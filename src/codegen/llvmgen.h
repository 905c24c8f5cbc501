// The LLVM back end: optimisation and emission of a lowered module.
#ifndef TKC_CODEGEN_LLVMGEN_H
#define TKC_CODEGEN_LLVMGEN_H

#include <llvm-c/Core.h>

#include "support/diag.h"
#include "support/strbuf.h"
#include "chip/target.h"

enum llvmgen_kind { LLVMGEN_ASSEMBLY, LLVMGEN_OBJECT }; // PTX text or AMDGCN assembly; ELF object (AMD only)

// Runs tkc's own short pass pipeline (level 0: none).
bool llvmgen_optimise(LLVMModuleRef module, const struct target *target, int level, struct diag *diag);
bool llvmgen_emit(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                  struct strbuf *out, struct diag *diag);

#endif
