// Figures of the final code: from LLVM's metadata for AMD, from ptxas for NVIDIA.
//
// test: tests/cli/check_resources.py
#include "driver/resources.h"

#include <string.h>

#include "codegen/spills.h"

bool resources_wanted(const struct tkc_options *options) {
    return options->resource_usage || options->page || options->remarks || options->fail_on_spill ||
           options->most_registers || options->most_shared || options->least_occupancy > 0;
}

static void add_amd(struct resources *r, const struct strbuf *listing, size_t kernel) {
    struct spills read = spills_of_kernel(listing->data, listing->length, false, kernel);
    r->from = "LLVM";
    r->registers = read.registers;
    r->accumulators = read.accumulators;
    r->scalars = read.scalars;
    r->spilled_values = read.spilled;
    r->stack = read.bytes;
}

// The figures of an entry, but for its registers.
static struct resources resources_of_entry(const struct job *job, const char *name, struct location location,
                                           const struct reflect_entry *entry) {
    const struct strbuf *listing = job_listing(job);
    struct resources made = {.kernel = name,
                             .target = job->target,
                             .location = location,
                             .warned_of_sums = job->spills && job->target->vendor == VENDOR_NVIDIA,
                             .threads = entry->threads,
                             .static_shared = entry->shared_bytes - entry->dynamic_shared_bytes,
                             .dynamic_shared = entry->dynamic_shared_bytes};
    made.has_mix = listing_count(strbuf_text(listing), listing->length, job->target->vendor, name, &made.mix);
    return made;
}

struct resources resources_of_form(const struct job *job, const struct kernel_instance *kernel,
                                   const struct reflect_form *form) {
    return resources_of_entry(job, form->name, kernel->location, &form->entry);
}

void resources_of_job(const struct job *job, struct arena *arena, const struct kernel_instance *kernels,
                      size_t count, struct resources *all) {
    const struct strbuf *listing = job_listing(job);
    for (size_t k = 0; k < count; k++) {
        all[k] = resources_of_entry(job, kernels[k].name, kernels[k].location, &job->entries[k]);
        if (job->target->vendor == VENDOR_AMD) {
            add_amd(&all[k], listing, k);
            all[k].from = arena_printf(arena, "LLVM %s", tkc_llvm_version());
        }
    }
}

bool resources_ask_ptxas(struct arena *arena, const struct tkc_options *options, const struct strbuf *ptx,
                         struct resources *const *all, size_t count, struct diag *diag) {
    struct ptxas_figures *figures = NULL;
    size_t found = 0;
    const char *tool = NULL;
    unsigned errors = diag->error_count;
    if (!ptxas_report(arena, ptx->data, ptx->length, all[0]->target, options, &figures, &found, &tool,
                      diag)) {
        return diag->error_count == errors;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < found; j++) {
            if (strcmp(all[i]->kernel, figures[j].kernel) == 0) {
                all[i]->from = tool;
                all[i]->counts_bytes = true;
                all[i]->registers = figures[j].registers;
                all[i]->spill_stores = figures[j].spill_stores;
                all[i]->spill_loads = figures[j].spill_loads;
                all[i]->stack = figures[j].stack;
            }
        }
    }
    return true;
}

void resources_settle(struct resources *r, unsigned launched) {
    struct occupancy_need need = {.threads = r->threads,
                                  .registers = r->registers,
                                  .accumulators = r->accumulators,
                                  .scalars = r->scalars,
                                  .shared = r->static_shared + r->dynamic_shared,
                                  .launched = launched};
    r->occupancy = occupancy_of(r->target, &need);
}

// ---- gates ----

// An error for a gate on unknown figures. True if they are.
static bool is_known(const struct resources *r, const char *gate, struct diag *diag) {
    if (!r->from) {
        diag_error(diag, r->location,
                   "%s on %s: its registers are not known, and %s asks for them: put ptxas of the CUDA "
                   "toolkit on PATH, or give --ptxas PATH",
                   r->kernel, r->target->name, gate);
    }
    return r->from;
}

static void judge_spills(const struct resources *r, bool gate, struct diag *diag) {
    const char *change =
        r->warned_of_sums ? "-Wsums says what helps" : "use smaller tiles, more warps or fewer stages";
    struct strbuf text = {0};
    resources_add_spills(r, &text);
    if (gate && is_known(r, "--fail-on-spill", diag) && resources_spill(r)) {
        diag_error(diag, r->location,
                   "%s on %s: its values do not fit in the %u registers of a thread (%s), and "
                   "--fail-on-spill allows none; %s",
                   r->kernel, r->target->name, r->registers, strbuf_text(&text), change);
    } else if (!gate && resources_spill(r) && !resources_spill_little(r) &&
               r->target->vendor == VENDOR_NVIDIA) { // AMD's: job.c
        diag_warning(
            diag, WARNING_SPILLS, r->location,
            "%s on %s: its values do not fit in the %u registers of a thread: ptxas spills them (%s); "
            "%s; --report=FILE.html shows where they spill, with nvdisasm beside ptxas or on PATH",
            r->kernel, r->target->name, r->registers, strbuf_text(&text), change);
    }
    strbuf_free(&text);
}

void resources_judge(const struct resources *r, const struct tkc_options *options, struct diag *diag) {
    size_t shared = (size_t)r->static_shared + r->dynamic_shared;
    double percent = occupancy_percent(&r->occupancy);
    judge_spills(r, options->fail_on_spill, diag);
    if (options->most_registers && is_known(r, "--max-registers", diag) &&
        r->registers > options->most_registers) {
        diag_error(diag, r->location,
                   "%s on %s: %u registers of a thread, and --max-registers allows %u; use more warps or "
                   "smaller tiles",
                   r->kernel, r->target->name, r->registers, options->most_registers);
    }
    if (options->most_shared && shared > options->most_shared) {
        diag_error(
            diag, r->location,
            "%s on %s: %zu B of shared memory, and --max-shared allows %zu; use smaller tiles or fewer "
            "stages",
            r->kernel, r->target->name, shared, options->most_shared);
    }
    if (options->least_occupancy > 0 && is_known(r, "--min-occupancy", diag) &&
        percent < options->least_occupancy) {
        struct strbuf limits = {0};
        occupancy_add_limits(&r->occupancy, &limits);
        diag_error(diag, r->location,
                   "%s on %s: an occupancy of %.1f %% (%u of %u warps), limited by %s, and --min-occupancy "
                   "asks for %g %%",
                   r->kernel, r->target->name, percent, r->occupancy.warps, r->occupancy.most,
                   strbuf_text(&limits), options->least_occupancy);
        strbuf_free(&limits);
    }
}
