// The runner of the LLVM pipeline. Because it walks a table, every step can be left out, timed, dumped and run alone by name, as
// passes over tile IR can (passes/runner.c).
//
// Test: tests/unit/test_steps.c
#include "codegen/steps.h"

#include <string.h>
#include <time.h>

#include <llvm-c/Analysis.h>

#include "codegen/ahead.h"
#include "codegen/buffers.h"
#include "codegen/compares.h"
#include "codegen/float_pairs.h"
#include "codegen/fork_waits.h"
#include "codegen/high_halves.h"
#include "codegen/hold_sums.h"
#include "codegen/join.h"
#include "codegen/llvm_passes.h"
#include "codegen/mfma.h"
#include "codegen/near_uses.h"
#include "codegen/negations.h"
#include "codegen/nibbles.h"
#include "codegen/offsets.h"
#include "codegen/order.h"
#include "codegen/park.h"
#include "codegen/pressure.h"
#include "codegen/ranges.h"
#include "codegen/rare.h"
#include "codegen/remat.h"
#include "codegen/sink.h"
#include "codegen/slim.h"
#include "codegen/unsigned_offsets.h"
#include "codegen/wide_products.h"
#include "codegen/wmma.h"
#include "codegen/word_phis.h"
#include "codegen/zeros.h"
#include "support/diag.h"

// One function a row: run_AHEAD and the like.
#define ATTEMPT(list, steps)
#define TRIAL(list, steps)
#define DO(call) ((call), true)
#define STEP(id, name, vendor, phase, use, condition, call, doc)                                             \
    static bool run_##id(LLVMModuleRef module, const struct target *target) {                                \
        (void)target;                                                                                        \
        return call;                                                                                         \
    }
#include "codegen/codegen.def"
#undef STEP
#undef DO

#define IS_NVIDIA (target->vendor == VENDOR_NVIDIA)
#define IS_AMD (target->vendor == VENDOR_AMD)
#define IS_BOTH true
#define STEP(id, name, vendor, phase, use, condition, call, doc)                                             \
    static bool is_for_##id(const struct target *target) {                                                   \
        (void)target;                                                                                        \
        return IS_##vendor && (condition);                                                                   \
    }
#include "codegen/codegen.def"
#undef STEP
#undef IS_BOTH
#undef IS_AMD
#undef IS_NVIDIA

const struct step step_table[STEP_COUNT] = {
#define STEP(id, name, vendor, phase, use, condition, call, doc)                                             \
    [STEP_##id] = {#name, PHASE_##phase, USE_##use, is_for_##id, run_##id, doc},
#include "codegen/codegen.def"
#undef STEP
};
#undef TRIAL
#undef ATTEMPT

int step_find(const char *name) {
    for (int id = 0; id < STEP_COUNT; id++) {
        if (strcmp(step_table[id].name, name) == 0) {
            return id;
        }
    }
    return -1;
}

double steps_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

void steps_print_time(const struct step_options *options, double start, const char *name) {
    if (options->time) {
        fprintf(options->out, "%8.3f ms  %s\n", steps_now() - start, name);
    }
}

static void dump(LLVMModuleRef module, const char *name, const struct step_options *options) {
    bool wanted = options->dump_after &&
                  (strcmp(options->dump_after, "all") == 0 || strcmp(options->dump_after, name) == 0);
    if (wanted) {
        char *text = LLVMPrintModuleToString(module);
        fprintf(options->out, "; after %s\n%s", name, text);
        LLVMDisposeMessage(text);
    }
}

static void verify(LLVMModuleRef module, const char *name) {
    char *message = NULL;
    if (CHECK_EVERY_STEP && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        bug("step %s left a module that does not verify: %s", name, message);
    }
    LLVMDisposeMessage(message);
}

static bool run(LLVMModuleRef module, const struct target *target, const struct step *step,
                const struct step_options *options) {
    double start = steps_now();
    bool found = step->run(module, target);
    steps_print_time(options, start, step->name);
    verify(module, step->name);
    dump(module, step->name, options);
    return found;
}

step_set steps_run(LLVMModuleRef module, const struct target *target, enum step_phase phase, step_set tried,
                   const struct step_options *options) {
    step_set idle = 0;
    for (int id = 0; id < STEP_COUNT; id++) {
        const struct step *step = &step_table[id];
        step_set bit = (step_set)1 << id;
        bool wanted = step->phase == phase && step->is_for(target) && !(options->without & bit) &&
                      (step->use != USE_TRIED || (tried & bit));
        if (wanted && !run(module, target, step, options)) {
            idle |= bit;
        }
    }
    return idle;
}

bool step_run_one(LLVMModuleRef module, const struct target *target, const char *name) {
    int id = step_find(name);
    if (id < 0 || !step_table[id].is_for(target)) {
        return false;
    }
    run(module, target, &step_table[id], &(struct step_options){0});
    return true;
}
