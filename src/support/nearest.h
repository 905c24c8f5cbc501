// The nearest known name to an unknown one, for "did you mean".
#ifndef TKC_SUPPORT_NEAREST_H
#define TKC_SUPPORT_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *text;  // the unknown name
    const char *name;  // the best so far; NULL: nothing is near
    unsigned distance; // of `name`
};

// Names are offered one by one; of equally near ones the first that begins with the text stays, or the first. A name is near if it differs in at most
// a third of its letters, in their case alone, or begins with the text. One difference: a letter inserted, dropped, changed or
// swapped with its neighbour.
void nearest_offer(struct nearest *nearest, const char *name);

#endif
