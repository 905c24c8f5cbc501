// Figures of the final code, gathered for the table, the reflection, the gates and -Wspills.
#ifndef TKC_DRIVER_RESOURCES_H
#define TKC_DRIVER_RESOURCES_H

#include "artifact/resources.h"
#include "driver/job.h"

// True if the options need the figures of every kernel.
bool resources_wanted(const struct tkc_options *options);

// The kernels of one job: fills a struct resources for each, but for ptxas' figures.
void resources_of_job(const struct job *job, struct arena *arena, const struct kernel_instance *kernels,
                      size_t count, struct resources *all);
// The same of a kernel's second form.
struct resources resources_of_form(const struct job *job, const struct kernel_instance *kernel,
                                   const struct reflect_form *form);
// Adds ptxas' figures of the PTX of one target. False after an error in diag; without ptxas the figures stay unknown.
bool resources_ask_ptxas(struct arena *arena, const struct tkc_options *options, const struct strbuf *ptx,
                         struct resources *const *all, size_t count, struct diag *diag);
// Sets the occupancy of a kernel, once its registers are known.
void resources_settle(struct resources *r, unsigned launched);
// Reports the kernel's spills (-Wspills, NVIDIA), and each gate it fails, as an error.
void resources_judge(const struct resources *r, const struct tkc_options *options, struct diag *diag);

#endif
