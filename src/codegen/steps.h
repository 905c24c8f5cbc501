// The steps of codegen.def: their table, and their runner, for leaving out, timing and dumping steps by name.
#ifndef TKC_CODEGEN_STEPS_H
#define TKC_CODEGEN_STEPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <llvm-c/Core.h>

#include "chip/target.h"

enum step_id {
#define STEP(id, ...) STEP_##id,
#define ATTEMPT(list, steps)
#define TRIAL(list, steps)
#include "codegen/codegen.def"
#undef TRIAL
#undef ATTEMPT
#undef STEP
    STEP_COUNT
};
typedef uint32_t step_set;
#define STEP_BIT(id) ((step_set)1 << STEP_##id)

enum step_phase { PHASE_OPTIMISE, PHASE_EMIT };
enum step_use { USE_NEEDED, USE_OPTIONAL, USE_TRIED };

struct step {
    const char *name;
    enum step_phase phase;
    enum step_use use;
    bool (*is_for)(const struct target *target);                    // vendor and condition
    bool (*run)(LLVMModuleRef module, const struct target *target); // false: there was nothing to do
    const char *doc;
};
extern const struct step step_table[STEP_COUNT];

int step_find(const char *name); // -1 when absent

// Steps to leave out, and output about steps. All zero: all steps, no output.
struct step_options {
    step_set without;
    const char *dump_after; // a step's name, "all" or NULL
    bool time;
    FILE *out; // for dumps and times
};

// Runs the phase's steps on the module: the TRIED steps in `tried`, and all others. -> the TRIED steps that
// found nothing to do.
step_set steps_run(LLVMModuleRef module, const struct target *target, enum step_phase phase, step_set tried,
                   const struct step_options *options);
// Runs one step by name (--run-pass), whatever its phase. False if no step has the name or it is not for the
// chip.
bool step_run_one(LLVMModuleRef module, const struct target *target, const char *name);
// The time now; prints the time since `start` of other work timed with the steps.
double steps_now(void);
void steps_print_time(const struct step_options *options, double start, const char *name);

#endif
