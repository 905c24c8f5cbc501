// One run of one case: compile for a chip, launch in the emulator, judge.
#ifndef TKC_TESTS_LANG_RUN_CASE_H
#define TKC_TESTS_LANG_RUN_CASE_H

#include <stdio.h>

#include "lang.h"

enum case_outcome { CASE_PASSED, CASE_REFUSED, CASE_FAILED, CASE_SAME };

// The programs of a case already run on a chip.
enum { SEEN_PROGRAMS = 64 };
struct seen {
    char *texts[SEEN_PROGRAMS]; // of LLVM
    bool machine[SEEN_PROGRAMS];
    unsigned count;
};

struct run_settings {
    bool machine; // run the code object (AMD)
    uint64_t seed;
    // Of the emulated chip; 0: two in the first order, and in the other one a number by the seed.
    unsigned multiprocessors;
    int order;           // enum emulator_order; EMULATOR_BY_SEED: at random and one of the others
    const char *emit;    // folder for PTX, input of device/lang_device.c; NULL: none
    FILE *hashes;        // a line for each passed run; NULL: none
    const char *without; // a pass or a step of the LLVM pipeline to leave out; NULL: none
    struct seen *seen;   // programs not to run again; new ones are added; NULL: all run
};

// `run`: zeros before the case's first run; afterwards its arguments and their expected values. The caller
// frees it.
enum case_outcome run_case(const char *family, const struct lang_case *test, const char *chip, unsigned warps,
                           unsigned stages, const struct run_settings *settings, struct lang_run *run,
                           char *message, size_t size);

void seen_free(struct seen *seen);

#endif
