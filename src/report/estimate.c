// Times of a steady step on one multiprocessor, each resource by itself at its peak: the surveyed work (driver/work.h) over the rates of
// chip/peaks.def. The largest bounds the kernel once nothing else is wrong with it.
#include "report/estimate.h"

#include <math.h>
#include <string.h>

static double larger(double a, double b) {
    return a > b ? a : b;
}

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

// ---- branches ----

enum { BRANCHES_MAX = 64 };
struct branching {
    bool taken[BRANCHES_MAX + 1]; // by number; [0]: what every launch does
    double work[BRANCHES_MAX + 1];
};

static bool holds(const struct report_branch *branch, double value) {
    const char *c = branch->comparison;
    double bound = (double)branch->bound;
    return c[0] == '='   ? value == bound
           : c[0] == '!' ? value != bound
           : c[0] == '<' ? (c[1] ? value <= bound : value < bound)
                         : (c[1] ? value >= bound : value > bound);
}

// A rough sum of all resources, to tell branches with much work from those with little.
static double amount_of(const struct report_term *term) {
    return 2 * term->products + term->bytes + term->special + term->simple;
}

// The work of each branch, with the larger branch of each `if` within it.
static void weigh(const struct report_kernel *kernel, struct branching *b) {
    for (size_t i = 0; i < kernel->term_count; i++) {
        b->work[kernel->terms[i].branch] += amount_of(&kernel->terms[i]);
    }
    for (size_t i = kernel->branch_count; i >= 2; i -= 2) { // an `if` has a number behind the one around it
        b->work[kernel->branches[i - 1].within] += larger(b->work[i - 1], b->work[i]);
    }
}

// Whether the first branch of the `if` with the branches `first` and `first` + 1 is taken.
static bool takes_first(const struct report_kernel *kernel, const struct report_run *run,
                        const struct branching *b, size_t first) {
    const struct report_branch *branch = &kernel->branches[first - 1];
    double value = run && branch->parameter ? value_of(run, branch->parameter) : -1;
    return value >= 0 ? holds(branch, value) : b->work[first] >= b->work[first + 1];
}

static void take_branches(const struct report_kernel *kernel, const struct report_run *run,
                          struct branching *b, struct estimate *e) {
    *b = (struct branching){.taken[0] = true};
    if (kernel->branch_count > BRANCHES_MAX) {
        return;
    }
    weigh(kernel, b);
    for (size_t i = 1; i < kernel->branch_count; i += 2) {
        bool around = b->taken[kernel->branches[i - 1].within], first = takes_first(kernel, run, b, i);
        b->taken[i] = around && first;
        b->taken[i + 1] = around && !first;
        if (around && !e->branch && b->work[i] > 0 && b->work[i + 1] > 0) {
            e->branch = &kernel->branches[first ? i - 1 : i];
        }
    }
}

bool page_counts(const struct page_part *page, size_t kernel, const struct report_access *access) {
    const struct report_kernel *k = &page->part->code->kernels[kernel];
    struct branching branching;
    struct estimate unused = {0};
    take_branches(k, page->report->run, &branching, &unused);
    for (size_t i = access->otherwise ? 2 : 1; access->condition && i <= k->branch_count; i += 2) {
        if (k->branches[i - 1].line == access->condition && k->branch_count <= BRANCHES_MAX) {
            return branching.taken[i];
        }
    }
    return true;
}

// ---- sums ----

// Loops counted by an argument outlast everything else; without one the whole program counts, and with the values of a run, too.
static void add_terms(const struct report_kernel *kernel, const struct report_run *run, struct estimate *e) {
    bool counted = false;
    struct branching branching;
    take_branches(kernel, run, &branching, e);
    for (size_t i = 0; i < kernel->term_count; i++) {
        counted |= kernel->terms[i].parameter && branching.taken[kernel->terms[i].branch];
    }
    e->steps = counted && !run;
    for (size_t i = 0; i < kernel->term_count; i++) {
        const struct report_term *term = &kernel->terms[i];
        if (!branching.taken[term->branch]) {
            continue;
        }
        double times = term->parameter ? 1 : e->steps ? 0 : (double)term->divisor;
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
    // An elementwise operation takes the place of a multiply-add, which peaks count as two.
    e.rate = k->multiplies ? peaks_rate(e.peaks, k->multiplies) : e.peaks->f32 / 2;
    e.products_time = e.rate > 0 ? e.operations * units / e.rate : 0;
    e.simple_time = 2 * e.simple * units / e.peaks->f32;
    e.special_time = e.special / (PEAKS_SPECIAL * e.peaks->clock);
    e.memory_time = e.bytes * units / e.peaks->memory;
    e.longest_unit = larger(e.products_time, larger(e.simple_time, e.special_time));
    e.once_time = e.programs > 0 ? run->array_bytes / e.programs * units / e.peaks->memory : 0;
    return e;
}
