// AMD: LLVM's back end. Its code is final, so spills can be counted and another attempt made.
#include "codegen/vendor.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Target.h>

#include "codegen/mfma.h"

enum {
    CALL_AMDGPU_KERNEL = 91
}; // llvm::CallingConv::AMDGPU_KERNEL: its arguments fit every kind of register

static void initialise(void) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // inline assembly in objects
}

static bool gains_by_highest_level(LLVMModuleRef module) {
    (void)module;
    return true;
}

static enum attempt_list attempts(LLVMModuleRef module) {
    return mfma_used(module) ? ATTEMPTS_MFMA : ATTEMPTS_OTHERS;
}

static void add_code(const struct target *target, const char *code, size_t length, struct strbuf *out) {
    (void)target;
    strbuf_add_bytes(out, code, length);
}

static unsigned threads(LLVMValueRef function) {
    static const char name[] = "amdgpu-flat-work-group-size";
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, sizeof name - 1);
    unsigned length = 0;
    const char *text = attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
    const char *comma = strchr(text, ',');
    return comma ? (unsigned)strtoul(comma + 1, NULL, 10) : 0;
}

const struct codegen_vendor codegen_amdgpu = {.initialise = initialise,
                                              .gains_by_highest_level = gains_by_highest_level,
                                              .makes_objects = true,
                                              .probe_kind = LLVMGEN_OBJECT,
                                              .probe_convention = CALL_AMDGPU_KERNEL,
                                              .attempts = attempts,
                                              .add_code = add_code,
                                              .threads = threads,
                                              .waves_release = true,
                                              .merges_copies = true,
                                              .allocates_registers = true};
