// What differs between the vendors once there is an LLVM module: nvptx.c and amdgpu.c have one structure each. Steps that only
// one vendor's modules go through say so in codegen.def.
#ifndef TKC_CODEGEN_VENDOR_H
#define TKC_CODEGEN_VENDOR_H

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#include "chip/target.h"
#include "support/strbuf.h"

enum llvmgen_kind { LLVMGEN_ASSEMBLY, LLVMGEN_OBJECT }; // PTX text or AMDGCN assembly; ELF object (AMD only)

enum attempt_list { ATTEMPTS_ONCE, ATTEMPTS_MFMA, ATTEMPTS_OTHERS }; // of codegen.def

struct codegen_vendor {
    // Sets LLVM's back end up, for the whole process.
    void (*initialise)(void);
    // LLVM's passes for modules of usual size that unroll loops of few steps; NULL: those that do not.
    const char *unrolling_passes;
    // Whether LLVM's highest level of instruction selection gives a module other code than the one below that is worth its time.
    bool (*gains_by_highest_level)(LLVMModuleRef module);
    bool makes_objects;
    // The kind of code in which faults of inline assembly show, and LLVM's calling convention of a kernel that has only that.
    enum llvmgen_kind probe_kind;
    unsigned probe_convention;
    enum attempt_list (*attempts)(LLVMModuleRef module);
    // Adds LLVM's code to `out`, as code for this very chip.
    void (*add_code)(const struct target *target, const char *code, size_t length, struct strbuf *out);
    // Of a kernel's block. 0: it does not say.
    unsigned (*threads)(LLVMValueRef kernel);
    // Whether each wave orders its own accesses to shared memory, so that releases and acquires stand around a barrier.
    bool waves_release;
    // Whether instruction selection merges a copy of a value with the value again, unless the copy hides where it is from.
    bool merges_copies;
};

extern const struct codegen_vendor codegen_nvptx, codegen_amdgpu;
const struct codegen_vendor *codegen_vendor(const struct target *target);

#endif
