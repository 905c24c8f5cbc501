// Differences between the vendors in the LLVM pipeline: nvptx.c and amdgpu.c define one structure each. Steps
// for only one vendor are marked in codegen.def.
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
    // Initialises LLVM's back end, once for the process.
    void (*initialise)(void);
    // LLVM's passes for modules of usual size, with unrolling of short loops; NULL: the passes without
    // unrolling.
    const char *unrolling_passes;
    // True if the highest level of instruction selection gives the module better code, worth its time, than
    // the level below.
    bool (*gains_by_highest_level)(LLVMModuleRef module);
    bool makes_objects;
    // The kind of code to show faults of inline assembly, and LLVM's calling convention of a kernel
    // with only such a call.
    enum llvmgen_kind probe_kind;
    unsigned probe_convention;
    enum attempt_list (*attempts)(LLVMModuleRef module);
    // Adds LLVM's code to `out`, as code for this very chip.
    void (*add_code)(const struct target *target, const char *code, size_t length, struct strbuf *out);
    bool writes_lines; // as text, by lines.c
    // The threads of a kernel's block. 0: not stated.
    unsigned (*threads)(LLVMValueRef kernel);
    // True if each wave orders its own accesses to shared memory, so that releases and acquires surround a
    // barrier.
    bool waves_release;
    // True if instruction selection merges a copy of a value with the value again, unless the copy is opaque.
    bool merges_copies;
    bool allocates_registers; // LLVM does; else the vendor's assembler
};

extern const struct codegen_vendor codegen_nvptx, codegen_amdgpu;
const struct codegen_vendor *codegen_vendor(const struct target *target);

#endif
