// The LLVM back end: optimisation and emission of a lowered module.
#ifndef TKC_CODEGEN_LLVMGEN_H
#define TKC_CODEGEN_LLVMGEN_H

#include <llvm-c/Core.h>

#include "codegen/steps.h"
#include "codegen/vendor.h"
#include "support/diag.h"
#include "support/strbuf.h"
#include "chip/target.h"

// Reports inline assembly of the program refused by the chip's assembler, at its line (user_assembly.c).
// `source` is the main file.
bool llvmgen_check_assembly(LLVMModuleRef module, const struct target *target, const struct source *source,
                            struct diag *diag);
// Parses the text of an LLVM module. NULL after an error.
LLVMModuleRef llvmgen_read(LLVMContextRef context, const char *text, const char *path, struct diag *diag);
// Runs the OPTIMISE steps of codegen.def (level 0: none). `options` may be NULL here and below.
void llvmgen_optimise(LLVMModuleRef module, const struct target *target, int level,
                      const struct step_options *options);
bool llvmgen_emit(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                  const struct step_options *options, struct strbuf *out, struct diag *diag);
// The same code, for a module only to be disposed of afterwards: emission may change it.
bool llvmgen_emit_last(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                       const struct step_options *options, struct strbuf *out, struct diag *diag);
// Like llvmgen_emit, but LLVM's errors go to `fault`; it stays empty on success.
void llvmgen_try(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                 const struct step_options *options, struct strbuf *out, struct strbuf *fault);
// The same by one attempt in which no value takes another one's register: in a tenth of the time where many spill, with more spills, and
// with a fault where LLVM then finds no registers.
void llvmgen_try_quickly(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                         const struct step_options *options, struct strbuf *out, struct strbuf *fault);

#endif
