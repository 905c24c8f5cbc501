// --report: a page about the kernel and its run.
#ifndef TKC_RUN_REPORT_H
#define TKC_RUN_REPORT_H

#include "settings.h"

// The place of a program's run, and the time if it was taken.
struct report_place {
    char name[160];
    double seconds; // 0: not taken
};
// Writes the page. False after a message.
bool report_run(const struct settings *settings, const struct kernel_program *program,
                struct run_argument *const *bound, const unsigned *grid, const struct report_place *place);

#endif
