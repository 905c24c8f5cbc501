// Texts that a test reads.
#ifndef TKC_TESTS_UNIT_TEXT_TESTING_H
#define TKC_TESTS_UNIT_TEXT_TESTING_H

#include <string.h>

// How often a word stands in a text.
static inline unsigned occurrences(const char *text, const char *word) {
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        count++;
    }
    return count;
}

#endif
