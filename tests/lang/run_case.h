// One run of one case: compile for a chip, launch in the emulator, judge.
#ifndef TKC_TESTS_LANG_RUN_CASE_H
#define TKC_TESTS_LANG_RUN_CASE_H

#include "lang.h"

enum case_outcome { CASE_PASSED, CASE_REFUSED, CASE_FAILED };

enum case_outcome run_case(const char *family, const struct lang_case *test, const char *chip, unsigned warps,
                           unsigned stages, uint64_t seed, char *message, size_t size);

#endif
