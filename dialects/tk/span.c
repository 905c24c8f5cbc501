// Gaussian elimination over GF(2), one row per leading bit. See span.h.
#include <stddef.h>

#include "dialects/tk/span.h"

uint32_t span_reduce(const struct span *span, uint32_t vector, uint64_t *combination) {
    uint64_t used = 0;
    for (int k = 31; k >= 0 && vector != 0; k--) {
        if ((vector >> k & 1) != 0 && span->row[k] != 0) {
            vector ^= span->row[k];
            used ^= span->combination[k];
        }
    }
    if (combination != NULL) {
        *combination = used;
    }
    return vector;
}

bool span_contains(const struct span *span, uint32_t vector) {
    return span_reduce(span, vector, NULL) == 0;
}

bool span_add(struct span *span, uint32_t vector, uint64_t tag) {
    uint64_t used;
    uint32_t rest = span_reduce(span, vector, &used);
    if (rest == 0) {
        return false;
    }
    unsigned lead = 31 - (unsigned)__builtin_clz(rest);
    span->row[lead] = rest;
    span->combination[lead] = used ^ tag;
    span->dimension++;
    return true;
}
