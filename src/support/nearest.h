// The nearest of several names to one that nobody knows, for "did you mean".
#ifndef TKC_SUPPORT_NEAREST_H
#define TKC_SUPPORT_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *text;  // what was written
    const char *name;  // the best so far; NULL: nothing is near
    unsigned distance; // of `name`
};

// Names are offered one by one; of equally near ones the first stays. Near are names that differ in a third of their
// letters at most (one letter inserted, dropped, changed or swapped with its neighbour is one difference), and names that
// begin with the text.
void nearest_offer(struct nearest *nearest, const char *name);

#endif
