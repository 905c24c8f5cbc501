// Times of a steady step on one multiprocessor, each resource by itself at its peak: the surveyed work (driver/work.h) over the rates of
// chip/peaks.def. The largest bounds the kernel once nothing else is wrong with it.
#include "report/estimate.h"

// Loops counted by an argument outlast everything else; without one the whole program counts.
static void add_terms(const struct report_kernel *kernel, struct estimate *e) {
    bool counted = false;
    for (size_t i = 0; i < kernel->term_count; i++) {
        counted |= kernel->terms[i].parameter != NULL;
    }
    for (size_t i = 0; i < kernel->term_count; i++) {
        const struct report_term *term = &kernel->terms[i];
        double times = term->parameter ? 1 : counted ? 0 : (double)term->divisor;
        e->operations += 2 * times * term->products;
        e->simple += times * term->simple;
        e->special += times * term->special;
        e->bytes += times * term->bytes;
    }
}

struct estimate page_estimate(const struct page_part *page, size_t kernel) {
    const struct report_kernel *k = &page->part->code->kernels[kernel];
    struct estimate e = {.peaks = peaks_of(page->part->target)};
    add_terms(k, &e);
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
    return e;
}
