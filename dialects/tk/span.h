// Subspaces of GF(2)^32, kept as an echelon basis: membership, independence and coordinates for the layout
// algebra.
#ifndef TKC_DIALECTS_TK_SPAN_H
#define TKC_DIALECTS_TK_SPAN_H

#include <stdbool.h>
#include <stdint.h>

// A zeroed struct is the null space. row[k], if not zero, has its highest set bit at k; combination[k] is the
// set of the caller's generators (by tag) whose XOR is that row.
struct span {
    uint32_t row[32];
    uint64_t combination[32];
    unsigned dimension;
};

// The remainder of `vector` after elimination; zero if it lies in the span. *combination (may be NULL)
// receives the tags used.
uint32_t span_reduce(const struct span *span, uint32_t vector, uint64_t *combination);
bool span_contains(const struct span *span, uint32_t vector);
// Adds a generator, recorded under the bits `tag`. False if it lay in the span already (nothing changes).
bool span_add(struct span *span, uint32_t vector, uint64_t tag);

#endif
