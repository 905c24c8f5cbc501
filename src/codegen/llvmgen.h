// The LLVM back end: optimisation and emission of a lowered module.
#ifndef TKC_CODEGEN_LLVMGEN_H
#define TKC_CODEGEN_LLVMGEN_H

#include <llvm-c/Core.h>

#include "support/diag.h"
#include "support/strbuf.h"
#include "chip/target.h"

enum llvmgen_kind { LLVMGEN_ASSEMBLY, LLVMGEN_OBJECT }; // PTX text or AMDGCN assembly; ELF object (AMD only)

// Reports assembly of the program that the chip's assembler refuses, at its line (user_assembly.c). `source`
// is the main file.
bool llvmgen_check_assembly(LLVMModuleRef module, const struct target *target, const struct source *source,
                            struct diag *diag);
// Runs tkc's own short pass pipeline (level 0: none).
void llvmgen_optimise(LLVMModuleRef module, const struct target *target, int level);
bool llvmgen_emit(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                  struct strbuf *out, struct diag *diag);
// The same code, of a module that is only disposed of afterwards: emission may change it.
bool llvmgen_emit_last(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                       struct strbuf *out, struct diag *diag);
// llvmgen_emit, but what LLVM has against the module goes to `fault`, which stays empty when all is well.
void llvmgen_try(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                 struct strbuf *out, struct strbuf *fault);

#endif
