// The parts of a kernel's loads for caches to serve: needed, for memory to take no longer than the rest, and possible (served.c).
//
// test: tests/cli/check_report.py
#include <math.h>

#include "report/answer.h"

// Percent of the loads to be served by caches, for memory to keep up with the rest: of those in loops, if there are loops. 100: all, or more.
double answer_to_be_served(const struct estimate *e) {
    double all = e->memory_time > e->longest_unit ? 100 * (1 - e->longest_unit / e->memory_time) : 0;
    return e->looped > 0 ? fmin(100, all * e->bytes / e->looped) : all;
}

// "what the loop loads of k and v": the loads that caches serve.
const char *answer_served_loads(const struct asking *a) {
    return a->kernel->looped ? arena_printf(a->arena, "what a program's loop loads of %s", a->kernel->looped)
                             : "the bytes that programs load";
}

// A public tool for measuring the part of the loads served by caches. The hit rate of a cache in two halves, as on an H100, is lower: of
// its own half's misses the other half serves some.
const char *answer_measuring(const struct asking *a) {
    return a->page->part->target->vendor == VENDOR_AMD
               ? "rocprofv3 has the bytes that come from memory (`--pmc FETCH_SIZE`); caches serve the others"
               : "Nsight Compute has the bytes that come from memory (`ncu --metrics dram__bytes_read.sum`); "
                 "caches serve the others";
}

// The least possible part served by caches, of launches of the sizes asked for.
struct page_served answer_least_served(const struct asking *a) {
    struct page_served low = page_served(a->page, a->number, a->low);
    struct page_served high = page_served(a->page, a->number, a->high);
    return high.percent < low.percent ? high : low;
}

// "They can serve up to 91 %: programs …": how many of the loads caches serve, `needed` percent being asked for.
const char *answer_can_serve(const struct asking *a, double needed) {
    struct page_served served = answer_least_served(a);
    const char *axes;
    if (served.why) {
        return arena_printf(a->arena, "They can serve up to %.0f %%: %s", served.percent, served.why);
    }
    unsigned sharers = page_sharers(a->page, a->number, needed, &axes);
    return sharers ? arena_printf(
                         a->arena,
                         "They can where %u or more programs run at a time that differ in %s alone: these "
                         "load the same addresses",
                         sharers, axes)
                   : arena_printf(a->arena, "How many they serve is not known here: %s", answer_measuring(a));
}

// The end of the sizes with the larger part of loads to be served.
static struct asking hardest(const struct asking *a, struct estimate *e) {
    struct asking low = *a;
    if (a->low == a->high) {
        return low;
    }
    low.page = answer_page_at(a->page, a->low);
    low.high = a->low;
    struct estimate other = page_estimate(low.page, a->number);
    if (answer_to_be_served(&other) <= answer_to_be_served(e)) {
        return *a;
    }
    *e = other;
    return low;
}

// ", as long as caches serve 71 % or more of what a program's loop loads of a and b": programs on other multiprocessors load the same operands.
static const char *condition_text(const struct asking *a, double needed, bool several) {
    struct page_served served = page_served(a->page, a->number, a->high);
    const char *at = a->high ? arena_printf(a->arena, "%s ", answer_size(a)) : "";
    if (needed <= 0) {
        return "";
    }
    return served.why && served.percent >= needed
               ? arena_printf(
                     a->arena,
                     ", as long as caches %sserve %.0f %% or more of %s%s (below, memory would be the "
                     "bound). They can serve up to %.0f %% there: %s",
                     at, needed, answer_served_loads(a), several ? ", less at the other sizes" : "",
                     served.percent, served.why)
               : arena_printf(a->arena, ", if caches serve %.0f %% or more of %s; below that, memory. %s",
                              needed, answer_served_loads(a), answer_can_serve(a, needed));
}

const char *answer_condition_of(const struct asking *all, const struct estimate *of) {
    struct estimate e = *of;
    struct asking a = hardest(all, &e);
    return condition_text(&a, answer_to_be_served(&e), all->low != all->high);
}

const char *answer_condition(const struct asking *a, double seconds) {
    struct estimate e = page_estimate(a->page, a->number);
    if (!e.peaks || e.programs <= 0 || e.operations <= 0) {
        return "";
    }
    e.longest_unit =
        seconds * e.peaks->multiprocessors / e.programs; // as if each multiprocessor had programs
    return condition_text(a, answer_to_be_served(&e), false);
}

const char *answer_spill_condition(const struct asking *a, const struct estimate *e, double now,
                                   double after) {
    struct estimate first = *e, then = *e;
    first.longest_unit = now;
    then.longest_unit = after;
    double needed = answer_to_be_served(&first), needed_then = answer_to_be_served(&then);
    return fmax(needed, needed_then) <= 0
               ? ""
               : arena_printf(a->arena,
                              ". Memory is not in these times: if no cache served a byte, it would take %s "
                              "for a step; it stays below them if caches serve %.0f %% of %s, after the "
                              "change %.0f %%. %s",
                              answer_time(a, e->memory_time), needed, answer_served_loads(a), needed_then,
                              answer_can_serve(a, fmax(needed, needed_then)));
}
