// One run of one case: compile for a chip, launch in the emulator, judge.
#ifndef TKC_TESTS_LANG_RUN_CASE_H
#define TKC_TESTS_LANG_RUN_CASE_H

#include <stdio.h>

#include "lang.h"

enum case_outcome { CASE_PASSED, CASE_REFUSED, CASE_FAILED, CASE_SAME };

// The programs of a case that have run on a chip.
enum { SEEN_PROGRAMS = 32 };
struct seen {
    char *texts[SEEN_PROGRAMS]; // of LLVM
    bool machine[SEEN_PROGRAMS];
    unsigned count;
};

struct run_settings {
    bool machine; // run the code object (AMD)
    uint64_t seed;
    int order;           // enum emulator_order; EMULATOR_BY_SEED: at random and one of the others
    const char *emit;    // folder for PTX, which device/lang_device.c launches; NULL: none
    FILE *hashes;        // a line for each run that passed; NULL: none
    const char *without; // a pass or a step of the LLVM pipeline that is left out; NULL: none
    struct seen *seen;   // what is here does not run again, and joins; NULL: all run
};

// `run`: zeros before the case's first run, its arguments and what the reference wants of them afterwards. The caller frees it.
enum case_outcome run_case(const char *family, const struct lang_case *test, const char *chip, unsigned warps,
                           unsigned stages, const struct run_settings *settings, struct lang_run *run,
                           char *message, size_t size);

void seen_free(struct seen *seen);

#endif
