// tkc's assembly for a source of one kernel, for tests on its text.
#ifndef TKC_TESTS_UNIT_ASSEMBLY_TESTING_H
#define TKC_TESTS_UNIT_ASSEMBLY_TESTING_H

#include <stdlib.h>
#include <string.h>

#include "chip_testing.h"
#include "text_testing.h"
#include "tkc/tkc.h"

// The head of a source of one kernel.
#define KERNEL_HEAD                                                                                          \
    "import triton\n"                                                                                        \
    "import triton.language as tl\n"                                                                         \
    "@triton.jit\n"

// Options for one chip; keeps the pointer to its name. The caller may add to them.
static inline struct tkc_options assembly_options(const char *text, const char *const *chip, int num_warps) {
    static const char *const outputs[] = {"kernel.s"};
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "kernel.tk";
    options.text = text;
    options.targets = chip;
    options.target_count = 1;
    options.outputs = outputs;
    options.output_count = 1;
    options.no_header = options.no_json = true;
    options.num_warps = num_warps;
    return options;
}

// To be freed. An error of the compiler fails the test; a withheld chip ends it as skipped.
static inline char *assembly_of(const struct tkc_options *options) {
    need_chip(options->targets[0]);
    struct tkc_result *result = tkc_compile(options);
    if (!result->ok) {
        fail_msg("%s", result->diagnostics[0].text);
    }
    char *code = strndup(result->artifacts[0].bytes, result->artifacts[0].length);
    tkc_result_free(result);
    return code;
}

// Counts a word in the assembly of a source of one kernel.
static inline unsigned assembly_count(const char *text, const char *chip, int num_warps, const char *word) {
    struct tkc_options options = assembly_options(text, &chip, num_warps);
    char *code = assembly_of(&options);
    unsigned found = occurrences(code, word);
    free(code);
    return found;
}

// With the default number of warps.
static inline unsigned plain_count(const char *text, const char *chip, const char *word) {
    return assembly_count(text, chip, 4, word);
}
static inline unsigned hopper_count(const char *text, const char *word) {
    return plain_count(text, "sm_90a", word);
}

#endif
