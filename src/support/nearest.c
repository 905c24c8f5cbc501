// Edit distance with transpositions (Damerau–Levenshtein, optimal string alignment), three rows at a time.
#include "support/nearest.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 64 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    for (unsigned j = 0; j <= b_length; j++) {
        row[j] = before[j] = above[j] = j;
    }
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned *oldest = before;
        before = above;
        above = row;
        row = oldest;
        row[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            unsigned changed = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(changed, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b_length];
}

void nearest_offer(struct nearest *nearest, const char *name) {
    size_t length = strlen(nearest->text), name_length = strlen(name);
    if (!length || !name_length || length > LONGEST || name_length > LONGEST) {
        return;
    }
    unsigned found = distance(nearest->text, length, name, name_length);
    unsigned longer = (unsigned)(length > name_length ? length : name_length);
    unsigned limit = longer < 3 ? 1 : (longer + 2) / 3;
    bool same_letters = strcasecmp(nearest->text, name) == 0;
    if (same_letters) {
        found = least(found, 1);
    }
    bool begins = length >= 2 && strncmp(nearest->text, name, length) == 0;
    if (begins) {
        found = least(found, limit);
    }
    bool nearer =
        !nearest->name || found < nearest->distance ||
        (found == nearest->distance && begins && strncmp(nearest->text, nearest->name, length) != 0);
    if (found <= limit && (found < longer || same_letters) && nearer) {
        nearest->name = name;
        nearest->distance = found;
    }
}
