// Parallel compilation: each job compiles some kernels of a source for one target, in a thread of its own.
// The results are the same for any number of threads.
#ifndef TKC_DRIVER_JOB_H
#define TKC_DRIVER_JOB_H

#include "driver/compile.h"

// The code for one output: text, or for .hsaco an object to be linked.
struct job_code {
    enum tkc_kind kind; // of the output; TKC_MLIR if --stop-after ended the passes
    struct strbuf bytes;
};

struct job {
    // Inputs.
    const struct target *target;
    const struct kernel_instance *only; // the variant to compile; NULL: all kernels
    const enum tkc_kind *kinds;         // of the target's outputs
    size_t kind_count;
    // Results, in `arena`, owned by the job.
    struct arena *arena;
    bool ok;
    bool spills;                   // the code spills (AMD), or ptxas will spill (sums.h)
    struct remarks remarks;        // of the passes; `ok` alone
    bool stopped;                  // by --stop-after or --run-pass: there is no code
    bool exhausted;                // out of the budget shared by all jobs: later jobs may be left out
    struct job_code *codes;        // one a kind
    struct strbuf listing;         // the code as text, if figures are wanted and no output is text
    struct reflect_entry *entries; // one a kernel
    struct report_code *page;      // facts for --report; NULL: not wanted
    const char **dependencies;     // the files read
    size_t dependency_count;
    const char **absent; // imports looked for in vain
    size_t absent_count;
    struct diag_message *messages; // in order; a lone job reports directly to the unit's diag
    size_t message_count, message_capacity;
};

// Runs the jobs, up to the first exhausted one. A lone job works on the unit itself; several open the source
// again, with the text from `unit`. `first` is the target for module-level queries of the chip, as in
// unit_open.
void jobs_run(struct unit *unit, const struct target *first, struct job *jobs, size_t count);
void job_free(struct job *job);
// The code as text: PTX, or AMD's assembly. Empty if no output is text and no figures are wanted.
const struct strbuf *job_listing(const struct job *job);

#endif
