// LLVM's target machines. Creating one and initialising its registers takes 5 to 15 ms, as much as the code
// of a small kernel, and code is made several times for one image (the clean-up, then emission, on AMD up to
// four times). So a returned machine is kept for the next module of its chip and level. Only one compilation
// has it at a time. It keeps nothing of a module.
#include "codegen/machine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include "chip/llvm.h"
#include "codegen/vendor.h"
#include "support/diag.h"
#include "support/memory.h"

// LLVM's fatal errors (code it cannot select) are internal errors of tkc. Output files are written after
// emission, so none is touched.
static void on_fatal_error(const char *reason) {
    bug("LLVM: %s", reason);
}

// LLVM's allocations without operator new call this handler; LLVM's C interface has no function for it.
extern void
install_bad_alloc_handler(void (*handler)(void *user, const char *reason, bool give_trace),
                          void *user) __asm__("_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_");
extern void remove_bad_alloc_handler(void) __asm__("_ZN4llvm30remove_bad_alloc_error_handlerEv");

static void on_bad_alloc(void *user, const char *reason, bool give_trace) {
    (void)user, (void)reason, (void)give_trace;
    out_of_memory(0);
}

// Options given to LLVM once, for the whole process.
//
// scev-addops-inline-threshold: scalar evolution sorts the terms of a sum, including those of nested sums,
// every time it visits it: a sum of 3,200 loads took 5 s. Beyond this many terms a nested sum counts as one
// term.
//
// amdgpu-sdwa-peephole: LLVM 19 treats a difference of parts of registers (v_sub_*_sdwa) as commutative, so
// that of a - b and b - a only one remains. Only this pass makes such instructions.
//
// amdgpu-codegenprepare-mul24: for a 64-bit sum with a product of two 24-bit numbers, LLVM 19 selects
// v_mad_u64_u32 on their full registers, although it has dropped their masks earlier, because the product
// reads only 24 bits. Products found to be of 24 bits in instruction selection itself have two halves, and no
// sum absorbs them.
//
// lsr-complexity-limit: loop strength reduction in LLVM 22 compares many formulas for a loop's addresses, and
// its choice takes more registers. Attention on sm_80 has 255 registers and 20 bytes of spills by default,
// 239 and no spill with this limit.
//
// opt-disable=slsr: straight-line strength reduction in LLVM 22 compares each address with all others of its base. A chain of 1,500 loads
// took 9 s, 1,100 atomics over 20 s. The pass saves little: of 18 programs of examples/ for sm_80 and sm_90a, 9 have as many
// instructions without it, the others 1 to 8 more.
static void give_options(void) {
    static const char *const options[] = {
        "tkc",
        "-scev-addops-inline-threshold=32",
        "-amdgpu-sdwa-peephole=0",
        "-amdgpu-codegenprepare-mul24=0",
#if LLVM_AT_LEAST(22)
        "-lsr-complexity-limit=10",
        "-opt-disable=slsr",
#endif
    };
    static bool done;
    if (!done) {
        done = true;
        LLVMParseCommandLineOptions(sizeof options / sizeof *options, options, NULL);
    }
}

static void initialise(const struct target *target) {
    give_options();
    LLVMInstallFatalErrorHandler(on_fatal_error);
    remove_bad_alloc_handler(); // there may be one at a time
    install_bad_alloc_handler(on_bad_alloc, NULL);
    codegen_vendor(target)->initialise();
}

static LLVMTargetMachineRef create_chip(LLVMTargetRef found, const struct target *target,
                                        LLVMCodeGenOptLevel level) {
    return LLVMCreateTargetMachine(found, target->triple, target->cpu, target->features, level, LLVMRelocPIC,
                                   LLVMCodeModelDefault);
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

static LLVMTargetMachineRef make_chip(const struct target *target, LLVMCodeGenOptLevel level) {
    LLVMTargetRef found;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(target->triple, &found, &message)) {
        bug("LLVM has no target %s: %s", target->triple, message);
    }
    LLVMTargetMachineRef chip = create_chip(found, target, level);
    if (!has_target_layout(chip, target)) {
        LLVMDisposeTargetMachine(chip);
        LLVMParseCommandLineOptions(2, (const char *[]){"tkc", "-nvptx-short-ptr"}, NULL);
        chip = create_chip(found, target, level);
        if (!has_target_layout(chip, target)) {
            bug("the data layout of %s is not LLVM's", target->name);
        }
    }
    return chip;
}

// Setting LLVM up is for the whole process, and so are the machines: compilations in several threads take turns.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static struct machine *waiting;

struct machine *machine_take(const struct target *target, LLVMCodeGenOptLevel level) {
    pthread_mutex_lock(&turn);
    initialise(target);
    struct machine **link = &waiting, *machine;
    while (*link && ((*link)->target != target || (*link)->level != level)) {
        link = &(*link)->next;
    }
    if ((machine = *link)) {
        *link = machine->next;
    } else {
        machine = malloc(sizeof *machine);
        if (!machine) {
            out_of_memory(sizeof *machine);
        }
        *machine = (struct machine){.chip = make_chip(target, level), .target = target, .level = level};
    }
    pthread_mutex_unlock(&turn);
    return machine;
}

void machine_give(struct machine *machine) {
    pthread_mutex_lock(&turn);
    machine->next = waiting;
    waiting = machine;
    pthread_mutex_unlock(&turn);
}
