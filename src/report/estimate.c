// Times of a steady step on one multiprocessor, each resource by itself at its peak: the surveyed work (driver/work.h) over the rates of
// chip/peaks.def. The largest bounds the kernel once nothing else is wrong with it.
#include "report/estimate.h"

#include <math.h>
#include <string.h>

static double programs_of(const struct report_run *run) {
    return run ? (double)run->grid[0] * run->grid[1] * run->grid[2] : 0;
}

// The value of an argument of the run; -1: it has none.
static double value_of(const struct report_run *run, const char *name) {
    for (size_t i = 0; i < run->value_count; i++) {
        if (strcmp(run->values[i].name, name) == 0) {
            return (double)run->values[i].value;
        }
    }
    return -1;
}

// Loops counted by an argument outlast everything else; without one the whole program counts, and with the values of a run, too.
static void add_terms(const struct report_kernel *kernel, const struct report_run *run, struct estimate *e) {
    bool counted = false;
    for (size_t i = 0; i < kernel->term_count; i++) {
        counted |= kernel->terms[i].parameter != NULL;
    }
    for (size_t i = 0; i < kernel->term_count; i++) {
        const struct report_term *term = &kernel->terms[i];
        double times = term->parameter ? 1 : counted && !run ? 0 : (double)term->divisor;
        double value = run && term->parameter ? value_of(run, term->parameter) : -1;
        times = value >= 0 ? ceil(value / (double)term->divisor) : times;
        e->operations += 2 * times * term->products;
        e->simple += times * term->simple;
        e->special += times * term->special;
        e->bytes += times * term->bytes;
    }
}

struct estimate page_estimate(const struct page_part *page, size_t kernel) {
    const struct report_kernel *k = &page->part->code->kernels[kernel];
    struct estimate e = {.peaks = peaks_of(page->part->target)};
    const struct report_run *run = page->report->run;
    add_terms(k, run, &e);
    e.programs = programs_of(run);
    e.intensity = e.bytes > 0 ? (e.operations + e.simple + e.special) / e.bytes : 0;
    if (!e.peaks) {
        return e;
    }
    double units = e.peaks->multiprocessors;
    e.rate = k->multiplies ? peaks_rate(e.peaks, k->multiplies) : e.peaks->f32;
    e.products_time = e.rate > 0 ? e.operations * units / e.rate : 0;
    e.simple_time = 2 * e.simple * units / e.peaks->f32; // an operation takes the place of a multiply-add
    e.special_time = e.special / (PEAKS_SPECIAL * e.peaks->clock);
    e.memory_time = e.bytes * units / e.peaks->memory;
    e.once_time = e.programs > 0 ? run->array_bytes / e.programs * units / e.peaks->memory : 0;
    return e;
}
