/* The program that runs all sets on the recording driver of tests/artifact, and its record of the last
 * launch. */
#include <stdio.h>
#include <string.h>

#include "../../artifact/fake.h"
#include "seen.h"

const char *seen_kernel;
unsigned seen_grid[3];
unsigned char seen_arguments[16][8];
int seen_count;
int seen_faults;
const char *seen_file;

void seen_fault(int line, const char *what) {
    fprintf(stderr, "line %d: not so: %s\n", line, what);
    seen_faults = 1;
}

static int accepts(const char *image) {
    return strcmp(image, SEEN_IMAGE) == 0 || (seen_file && strcmp(image, seen_file) == 0);
}

/* Eight bytes of every argument, even of shorter ones: comparisons use only the argument's size. */
__attribute__((no_sanitize("address"))) static void keep_launch(void **arguments) {
    seen_kernel = fake.kernel;
    memcpy(seen_grid, fake.grid, sizeof seen_grid);
    for (int i = 0; i < seen_count; i++) {
        for (int j = 0; j < 8; j++) {
            seen_arguments[i][j] = ((const unsigned char *)arguments[i])[j];
        }
    }
}

static double millisecond(const char *kernel, void **arguments) {
    (void)kernel, (void)arguments;
    return 1000;
}

#define SET(number) void set_##number(void);
#include "sets.inc"
#undef SET

int main(void) {
    static const struct {
        int number;
        void (*run)(void);
    } sets[] = {
#define SET(number) {number, set_##number},
#include "sets.inc"
#undef SET
    };
    int faults = 0;
    fake = (struct fake){.seen = keep_launch,
                         .accepts = accepts,
                         .takes = millisecond,
                         .elsewhere = 1,
                         .context_id = 7,
                         .name = SEEN_DEVICE,
                         .major = 9,
                         .multiprocessors = SEEN_MULTIPROCESSORS};
    for (unsigned i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        seen_faults = 0;
        seen_file = NULL;
        sets[i].run();
        faults += seen_faults;
        if (seen_faults) {
            fprintf(stderr, "in set %d\n", sets[i].number);
        }
    }
    printf("%u sets launch what they should\n", (unsigned)(sizeof sets / sizeof sets[0]) - (unsigned)faults);
    return faults != 0;
}
