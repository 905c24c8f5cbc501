// The LLVM back end: optimisation and emission of a lowered module.
#ifndef TKC_CODEGEN_LLVMGEN_H
#define TKC_CODEGEN_LLVMGEN_H

#include <llvm-c/Core.h>

#include "codegen/steps.h"
#include "codegen/vendor.h"
#include "support/diag.h"
#include "support/strbuf.h"
#include "chip/target.h"

// Reports assembly of the program that the chip's assembler refuses, at its line (user_assembly.c). `source`
// is the main file.
bool llvmgen_check_assembly(LLVMModuleRef module, const struct target *target, const struct source *source,
                            struct diag *diag);
// LLVM's module of its text. NULL after an error.
LLVMModuleRef llvmgen_read(LLVMContextRef context, const char *text, const char *path, struct diag *diag);
// Runs the steps of codegen.def that optimise (level 0: none). `options` may be NULL here and below.
void llvmgen_optimise(LLVMModuleRef module, const struct target *target, int level,
                      const struct step_options *options);
bool llvmgen_emit(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                  const struct step_options *options, struct strbuf *out, struct diag *diag);
// The same code, of a module that is only disposed of afterwards: emission may change it.
bool llvmgen_emit_last(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                       const struct step_options *options, struct strbuf *out, struct diag *diag);
// llvmgen_emit, but what LLVM has against the module goes to `fault`, which stays empty when all is well.
void llvmgen_try(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                 const struct step_options *options, struct strbuf *out, struct strbuf *fault);

#endif
