// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986): how many insertions and
// deletions turn one sequence into the other. The script itself is not needed, so one row of ends is kept.
#include <stdlib.h>

#include "diff.h"
#include "support/memory.h"

// Steps are counted by edits; 16,000 edits are 128 million steps, a tenth of a second.
enum { MOST_EDITS = 16000 };

struct pair {
    const uint32_t *before, *after;
    size_t before_count, after_count;
};

static void trim(struct pair *pair) {
    while (pair->before_count && pair->after_count && *pair->before == *pair->after) {
        pair->before++;
        pair->after++;
        pair->before_count--;
        pair->after_count--;
    }
    while (pair->before_count && pair->after_count &&
           pair->before[pair->before_count - 1] == pair->after[pair->after_count - 1]) {
        pair->before_count--;
        pair->after_count--;
    }
}

// Ends of the furthest paths with `edits` edits, by diagonal; true when one reaches both ends.
static bool extend(const struct pair *pair, long *ends, long edits) {
    long most = (long)pair->before_count, other = (long)pair->after_count;
    for (long diagonal = -edits; diagonal <= edits; diagonal += 2) {
        bool down = diagonal == -edits || (diagonal != edits && ends[diagonal - 1] < ends[diagonal + 1]);
        long x = down ? ends[diagonal + 1] : ends[diagonal - 1] + 1, y = x - diagonal;
        while (x < most && y < other && x >= 0 && y >= 0 && pair->before[x] == pair->after[y]) {
            x++;
            y++;
        }
        ends[diagonal] = x;
        if (x >= most && y >= other) {
            return true;
        }
    }
    return false;
}

size_t edit_distance(const uint32_t *before, size_t before_count, const uint32_t *after, size_t after_count) {
    struct pair pair = {before, after, before_count, after_count};
    trim(&pair);
    size_t most = pair.before_count + pair.after_count, limit = most < MOST_EDITS ? most : MOST_EDITS;
    long *ends = memory_zeroed(2 * limit + 4, sizeof *ends);
    size_t found = SIZE_MAX;
    for (size_t edits = 0; edits <= limit && found == SIZE_MAX; edits++) {
        if (extend(&pair, ends + limit + 1, (long)edits)) {
            found = edits;
        }
    }
    free(ends);
    return found;
}
