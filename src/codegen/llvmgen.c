// The LLVM back end: two targets, a short pass pipeline, emission.
//
// The pipeline is ours, not O3: tile code has no calls to inline and no loops to vectorise, so merging equal
// values, folding and hoisting is all that pays (8 ms where O3 took 22). No pass here may change a value: no
// fast-math flag is ever set.
#include "codegen/llvmgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "codegen/remat.h"
#include "codegen/sink.h"

// LLVM's fatal errors (code it cannot select) are internal errors of tkc. Output files are written after
// emission, so none is touched.
static void on_fatal_error(const char *reason) {
    bug("LLVM: %s", reason);
}

static void initialise(const struct target *target) {
    LLVMInstallFatalErrorHandler(on_fatal_error);
    if (target->vendor == VENDOR_NVIDIA) {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    } else {
        LLVMInitializeAMDGPUTargetInfo();
        LLVMInitializeAMDGPUTarget();
        LLVMInitializeAMDGPUTargetMC();
        LLVMInitializeAMDGPUAsmPrinter();
        LLVMInitializeAMDGPUAsmParser(); // inline assembly in objects
    }
}

static LLVMTargetMachineRef create(LLVMTargetRef found, const struct target *target) {
    return LLVMCreateTargetMachine(found, target->triple, target->cpu, target->features,
                                   LLVMCodeGenLevelAggressive, LLVMRelocPIC, LLVMCodeModelDefault);
}

// Shared and local addresses of 32 bits are an option of the NVPTX back end, which may be given once in a
// process: its data layout tells whether it was.
static bool has_target_layout(LLVMTargetMachineRef chip, const struct target *target) {
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(chip);
    char *text = LLVMCopyStringRepOfTargetData(layout);
    bool same = strcmp(text, target->data_layout) == 0;
    LLVMDisposeMessage(text);
    LLVMDisposeTargetData(layout);
    return same;
}

static LLVMTargetMachineRef machine(const struct target *target, struct diag *diag) {
    LLVMTargetRef found;
    char *message = NULL;
    initialise(target);
    if (LLVMGetTargetFromTriple(target->triple, &found, &message)) {
        diag_error(diag, (struct location){0}, "LLVM has no target %s: %s", target->triple, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    LLVMTargetMachineRef chip = create(found, target);
    if (!has_target_layout(chip, target)) {
        LLVMDisposeTargetMachine(chip);
        LLVMParseCommandLineOptions(2, (const char *[]){"tkc", "-nvptx-short-ptr"}, NULL);
        chip = create(found, target);
        if (!has_target_layout(chip, target)) {
            bug("the data layout of %s is not LLVM's", target->name);
        }
    }
    return chip;
}

bool llvmgen_optimise(LLVMModuleRef module, const struct target *target, int level, struct diag *diag) {
    if (level <= 0) {
        return true;
    }
    LLVMTargetMachineRef chip = machine(target, diag);
    if (!chip) {
        return false;
    }
    static const char pipeline[] = "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
                                   "loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>,simplifycfg,adce)";
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, chip, options);
    LLVMDisposePassBuilderOptions(options);
    LLVMDisposeTargetMachine(chip);
    rematerialise(module, target);
    sink_shared_reads(module);
    if (error) {
        char *message = LLVMGetErrorMessage(error);
        bug("LLVM's pass pipeline: %s", message);
    }
    return true;
}

bool llvmgen_emit(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                  struct strbuf *out, struct diag *diag) {
    if (kind == LLVMGEN_OBJECT && target->vendor == VENDOR_NVIDIA) {
        bug("NVPTX emits text only");
    }
    LLVMTargetMachineRef chip = machine(target, diag);
    if (!chip) {
        return false;
    }
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    LLVMBool failed = LLVMTargetMachineEmitToMemoryBuffer(
        chip, module, kind == LLVMGEN_OBJECT ? LLVMObjectFile : LLVMAssemblyFile, &message, &buffer);
    LLVMDisposeTargetMachine(chip);
    if (failed) {
        diag_error(diag, (struct location){0}, "code for %s: %s", target->name, message);
        LLVMDisposeMessage(message);
        return false;
    }
    strbuf_add_bytes(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return true;
}
