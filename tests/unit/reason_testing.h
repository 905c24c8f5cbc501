// Functions shared by the tests of refusals: reasons by name, and dumps with reasons.
#ifndef TKC_TESTS_UNIT_REASON_TESTING_H
#define TKC_TESTS_UNIT_REASON_TESTING_H

#include <stdio.h>
#include <string.h>

#include "passes/reason.h"

// The reason's name in reasons.def.
static inline const char *reason_name(enum reason reason) {
    static const char *const names[REASON_COUNT] = {
        [REASON_NONE] = "NONE",
#define REASON(id, text, numbers, advice) [REASON_##id] = #id,
#include "passes/reasons.def"
#undef REASON
    };
    return names[reason];
}

// True if an op of the dump has the attribute with this reason.
static __attribute__((noinline, unused)) bool says(const char *dump, enum attribute_name name,
                                                   enum reason reason) {
    char start[64];
    snprintf(start, sizeof start, "%s = \"left alone: ", attribute_text(name));
    const char *wanted = reason_text(reason);
    for (const char *at = strstr(dump, start); at; at = strstr(at + 1, start)) {
        const char *end = strchr(at + strlen(start), '"');
        if ((size_t)(end - at) > strlen(wanted) &&
            memcmp(end - strlen(wanted), wanted, strlen(wanted)) == 0) {
            return true;
        }
    }
    return false;
}

#endif
