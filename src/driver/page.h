// The page of --report: facts of each compilation, and the page of all of them.
#ifndef TKC_DRIVER_PAGE_H
#define TKC_DRIVER_PAGE_H

#include "driver/job.h"
#include "report/report.h"

// Gathers the facts of a compiled unit into the arena. NULL after an error in the unit's diag.
struct report_code *page_gather(struct unit *unit, struct compiled *compiled, struct arena *arena);
// Adds a compiled job to the parts of a page, if one is wanted. `first`: its kernel in the reflection.
void page_add(struct report_part *parts, size_t *count, const struct job *job, size_t first,
              const struct resources *resources);
// The page of the compiled parts, with NVIDIA's machine code if ptxas and nvdisasm are there. False after an error in the unit's diag.
bool page_write(struct unit *unit, const struct reflection *reflection, const struct report_part *parts,
                size_t count, struct strbuf *out);
// The page of a unit compiled for a run (tkc-run), with `page` set in its options. False after an error in its diag.
bool page_of_run(struct unit *unit, struct compiled *compiled, const struct report_run *run,
                 struct strbuf *out);

#endif
