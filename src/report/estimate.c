// Times of a steady step on one multiprocessor, each resource by itself at its peak: the surveyed work (driver/work.h) over the rates of
// chip/peaks.def. The largest bounds the kernel once nothing else is wrong with it.
#include "report/estimate.h"

#include <math.h>
#include <string.h>

#include "command/expression.h"

// Slots of instructions for each one counted: others beside these, and slots that no warp fills. Fitted to softmax on an H200.
static const double PER_COUNTED = 1.45;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double programs_of(const struct report_run *run) {
    return run ? (double)run->grid[0] * run->grid[1] * run->grid[2] : 0;
}

// ---- branches ----

enum { BRANCHES_MAX = 64 };
struct branching {
    bool taken[BRANCHES_MAX + 1]; // by number; [0]: the work of every launch
    bool works[BRANCHES_MAX + 1]; // it has work
};

static void find_work(const struct report_kernel *kernel, struct branching *b) {
    for (size_t i = 0; i < kernel->term_count; i++) {
        b->works[kernel->terms[i].branch] = true;
    }
    for (size_t i = kernel->branch_count; i > 0; i--) { // an `if` has a number behind the one around it
        b->works[kernel->branches[i - 1].within] |= b->works[i];
    }
}

bool page_decides(const struct report_run *run, const struct report_branch *branch, int64_t *holds) {
    enum { NAMES = 64 };
    struct expression_name names[NAMES];
    char wrong[EXPRESSION_WRONG];
    for (size_t i = 0; run && i < run->value_count && i < NAMES; i++) {
        names[i] = (struct expression_name){run->values[i].name, run->values[i].value};
    }
    return run && branch->when && run->value_count <= NAMES &&
           expression_evaluate(branch->when, names, run->value_count, holds, wrong);
}

// Whether the first branch of the `if` with the branches `first` and `first` + 1 is taken.
static bool takes_first(const struct report_kernel *kernel, const struct report_run *run, size_t first) {
    const struct report_branch *branch = &kernel->branches[first - 1];
    int64_t holds;
    return page_decides(run, branch, &holds) ? holds : !branch->less;
}

static void take_branches(const struct report_kernel *kernel, const struct report_run *run,
                          struct branching *b, struct estimate *e) {
    *b = (struct branching){.taken[0] = true};
    if (kernel->branch_count > BRANCHES_MAX) {
        return;
    }
    find_work(kernel, b);
    for (size_t i = 1; i < kernel->branch_count; i += 2) {
        bool around = b->taken[kernel->branches[i - 1].within], first = takes_first(kernel, run, i);
        b->taken[i] = around && first;
        b->taken[i + 1] = around && !first;
        if (around && !e->branch && b->works[i] && b->works[i + 1]) {
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

// Keeps the access with the most elements outside of its mask.
static void note_mask(const struct report_run *run, const struct report_term *term, double times,
                      struct estimate *e) {
    const struct report_term whole = {.parameter = term->parameter, .divisor = term->divisor};
    bool masked = run && term->steps && term->per > 1;
    double all = masked ? page_times(run, &whole) : 0, lost = (all - times) * term->bytes;
    if (lost > e->masked) {
        e->masked = lost;
        e->tile = term->per;
        e->inside = term->per * times / all;
    }
}

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
        double times = run               ? page_times(run, term)
                       : term->parameter ? 1
                       : e->steps        ? 0
                                         : (double)term->divisor;
        e->operations += 2 * times * term->products;
        e->simple += times * term->simple;
        e->special += times * term->special;
        e->bytes += times * term->bytes;
        e->looped += term->parameter ? times * term->bytes : 0;
        e->accesses += times * term->accesses * PEAKS_ACCESS;
        note_mask(run, term, times, e);
        e->again += times * term->again;
        e->shared += times * term->shared;
        e->exchanged += times * term->exchanged;
        e->barriers += times * term->barriers;
        e->exchange_line = term->exchange_line ? term->exchange_line : e->exchange_line;
    }
}

struct estimate page_estimate(const struct page_part *page, size_t kernel) {
    const struct report_kernel *k = &page->part->code->kernels[kernel];
    struct estimate e = {.peaks = peaks_of(page->part->target)};
    const struct report_run *run = page->report->run;
    add_terms(k, run, &e);
    e.programs = programs_of(run);
    double operations = e.operations > 0 ? e.operations : e.simple + e.special;
    e.intensity = e.bytes > 0 ? operations / e.bytes : 0;
    if (!e.peaks) {
        return e;
    }
    double units = e.peaks->multiprocessors;
    // An elementwise operation takes the place of a multiply-add, which peaks count as two. Without products all instructions of threads
    // count: arithmetic, special operations and accesses take turns.
    e.rate = k->multiplies ? peaks_rate(e.peaks, k->multiplies) : e.peaks->f32 / 2;
    e.accesses = k->multiplies ? 0 : e.accesses;
    e.products_time = e.rate > 0 ? e.operations * units / e.rate : 0;
    e.simple_time =
        2 * PER_COUNTED * (e.simple + e.accesses + (k->multiplies ? 0 : e.special)) * units / e.peaks->f32;
    e.special_time = e.special / (PEAKS_SPECIAL * e.peaks->clock);
    e.cache_time = e.peaks->l2 > 0 ? e.bytes / (e.peaks->l2 * e.peaks->clock) : 0;
    e.shared_time = (e.shared / PEAKS_SHARED + e.barriers * PEAKS_BARRIER) / e.peaks->clock;
    e.memory_time = e.bytes * units / e.peaks->memory;
    e.longest_unit = larger(larger(larger(e.products_time, e.shared_time), e.cache_time),
                            larger(e.simple_time, e.special_time));
    e.once_time = e.programs > 0 ? run->array_bytes / e.programs * units / e.peaks->memory : 0;
    return e;
}

// ---- shared memory as the bound ----

// ", 2,048 of them to change layouts and for partial results, most of them at line 10"; "" if they are few.
static const char *exchange_text(struct arena *arena, const struct estimate *e) {
    const char *at =
        e->exchange_line ? arena_printf(arena, ", most of them at line %u", e->exchange_line) : "";
    return e->exchanged > e->shared / 10
               ? arena_printf(arena, ", %.0f of them to change layouts and for partial results%s",
                              e->exchanged, at)
               : "";
}

bool page_bound_by_shared(const struct page_part *page, size_t kernel, const struct estimate *e,
                          const char **bound, const char **change) {
    // Other blocks run while one waits at a barrier; the copies and products of a loop run beside each other, whichever takes longer.
    const double CLEARLY = e->products_time > 0 ? 1.05 : 1.25;
    struct arena *arena = page->arena;
    double other = larger(e->products_time, larger(e->simple_time, e->special_time));
    double memory = e->products_time > 0 ? e->once_time : e->memory_time; // products share their loads
    if (e->shared <= 0 || e->shared_time <= CLEARLY * larger(other, larger(memory, e->cache_time))) {
        return false;
    }
    const char *unit = other == e->products_time ? "the matrix units" : "the arithmetic";
    const char *beside =
        other > 0 ? arena_printf(arena, ", %.1f times as long as %s", e->shared_time / other, unit) : "";
    *bound = arena_printf(
        arena,
        "shared memory: %s reads and writes %.0f bytes of it%s, with %.0f barrier%s. That takes %.3g %s%s",
        e->steps ? "a step" : "a program", e->shared, exchange_text(arena, e), e->barriers,
        e->barriers == 1 ? "" : "s", (e->shared_time < 1e-6 ? 1e9 : 1e6) * e->shared_time,
        e->shared_time < 1e-6 ? "ns" : "µs", beside);
    const struct report_kernel *k = &page->part->code->kernels[kernel];
    *change = e->exchanged > e->shared / 2 ? "keep tiles in one layout: transpose or reduce them once, "
                                             "outside the loop, or load them in the order in "
                                             "which they are used"
              : k->copying
                  ? "use larger tiles: a warpgroup reads all columns of the right operand for each 64 rows"
                  : arena_printf(arena,
                                 "use larger tiles, or fewer warps for the same "
                                 "tile: each of the %u warps reads its rows and "
                                 "columns of the operands by itself",
                                 k->warps);
    return true;
}
