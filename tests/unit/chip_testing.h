// The parts left out by a build with an older LLVM, said in a test's output: withheld chips (WITHHELD in
// chip/targets.def), and checks of its instructions. All other builds run every test whole.
#ifndef TKC_TESTS_UNIT_CHIP_TESTING_H
#define TKC_TESTS_UNIT_CHIP_TESTING_H

#include "testing.h"

#include "chip/llvm.h"
#include "chip/target.h"

// True of a chip withheld by this build; says so, once for several cases in a row.
static inline bool lacks_chip(const char *chip) {
    static const char *said;
    const char *reason = target_withheld(chip);
    if (reason && (!said || strcmp(said, chip) != 0)) {
        said = chip;
        print_message("left out on %s: %s\n", chip, reason);
    }
    return reason != NULL;
}

// The rest of the test is for this chip, and skipped without it.
static inline void need_chip(const char *chip) {
    if (lacks_chip(chip)) {
        skip();
    }
}

// The rest of the test is skipped with an older LLVM, for the reason.
static inline void need_llvm(int version, const char *reason) {
    if (!LLVM_AT_LEAST(version)) {
        print_message("left out with LLVM %s: %s\n", LLVM_MAJOR_TEXT, reason);
        skip();
    }
}

#endif
