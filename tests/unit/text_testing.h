// Texts read by a test.
#ifndef TKC_TESTS_UNIT_TEXT_TESTING_H
#define TKC_TESTS_UNIT_TEXT_TESTING_H

#include <string.h>

// The occurrences of a word in a text.
static inline unsigned occurrences(const char *text, const char *word) {
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        count++;
    }
    return count;
}

#endif
