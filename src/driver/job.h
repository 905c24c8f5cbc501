// Compilations side by side: each job takes some kernels of a source to code for one target, in a thread, apart from all
// other jobs. What comes out is the same for any number of threads.
#ifndef TKC_DRIVER_JOB_H
#define TKC_DRIVER_JOB_H

#include "driver/compile.h"

// Text, or for .hsaco an object that is yet to be linked, for one output.
struct job_code {
    enum tkc_kind kind; // what the output is to be; TKC_MLIR where --stop-after ended the passes
    struct strbuf bytes;
};

struct job_remark {
    enum diag_severity severity;
    const char *text;
};

struct job {
    // Given.
    const struct target *target;
    const struct kernel_instance *only; // the variant that it compiles; NULL: all kernels
    const enum tkc_kind *kinds;         // of the target's outputs
    size_t kind_count;
    // Made; in `arena`, which the job owns.
    struct arena *arena;
    bool ok;
    bool spills;    // values had to leave registers (AMD), or will (sums.h)
    bool exhausted; // the source asks for more work than all jobs may take: later ones may be left undone
    struct job_code *codes;        // one a kind
    struct reflect_entry *entries; // one a kernel
    const char **dependencies;     // files that were read
    size_t dependency_count;
    struct job_remark *remarks; // in order; the messages of a lone job went to the unit's diag at once
    size_t remark_count, remark_capacity;
};

// Runs all of them, up to the first that is exhausted. A lone job works on the unit itself; others open the source, which `unit` has read, once more.
// `first` answers what the module level asks of the chip, as unit_open has it.
void jobs_run(struct unit *unit, const struct target *first, struct job *jobs, size_t count);
void job_free(struct job *job);

#endif
