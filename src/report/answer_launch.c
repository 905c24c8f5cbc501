// Launches with too little work for the chip: their start and end outlast the work, or programs are fewer than multiprocessors.
#include <math.h>

#include "report/answer.h"
#include "report/times.h"

// "64 programs", "32 to 128 programs"
static const char *range_text(const struct asking *a, double least, double most) {
    const char *noun = most == 1 ? "program" : "programs";
    return least == most ? arena_printf(a->arena, "%.0f %s", least, noun)
                         : arena_printf(a->arena, "%.0f to %.0f %s", least, most, noun);
}

static const char *programs_text(const struct asking *a, double programs) {
    return range_text(a, a->low ? page_programs(a->page, a->low) : programs, programs);
}

// Whether clearly fewer programs than multiprocessors.
static bool is_few(const struct estimate *e) {
    const double MOST = 0.9; // of the multiprocessors
    return e->programs < MOST * e->peaks->multiprocessors;
}

// ", with 64 programs for the 132 multiprocessors of H100 SXM"
static const char *few_text(const struct asking *a, const struct estimate *e) {
    return is_few(e)
               ? arena_printf(a->arena, ", with %s for the %u multiprocessors of %s",
                              programs_text(a, e->programs), e->peaks->multiprocessors, e->peaks->product)
               : "";
}

// Steps of the loop with products; 0: there is none.
static double steps_of(const struct asking *a) {
    double steps = 0;
    for (size_t i = 0; i < a->kernel->term_count; i++) {
        const struct report_term *term = &a->kernel->terms[i];
        steps = term->parameter && term->products > 0 ? fmax(steps, page_times(a->page->report->run, term))
                                                      : steps;
    }
    return steps;
}

// How many programs can share the steps of one, for each multiprocessor to have one.
static double parts_of(const struct asking *a, const struct estimate *e) {
    return fmin(steps_of(a), floor(e->peaks->multiprocessors / e->programs));
}

// The time of the work if the units of multiprocessors take a part, and the shared ones, memory and the L2 cache, some times as long.
static double work_with(const struct page_times *t, double units, double memory) {
    struct page_times other = *t;
    for (unsigned unit = 0; unit < UNIT_START; unit++) {
        other.seconds[unit] *= unit == UNIT_MEMORY || unit == UNIT_CACHE ? memory : units;
    }
    return page_together(other.seconds);
}

// Split K: each of several programs does a part of the loop's steps for one tile, and a second launch, or one ahead that clears the result, has
// its own start and end. "": it is no choice, as programs are many.
static const char *split_text(const struct asking *a, const struct estimate *e, const struct page_times *t) {
    double parts = parts_of(a, e);
    if (parts < 2) {
        return "";
    }
    double work = work_with(t, 1 / parts, 1), whole = 2 * PAGE_START + work;
    const char *how = arena_printf(a->arena,
                                   "split K: %.0f programs a tile, each with a part of the loop's steps, use "
                                   "the other multiprocessors, too, and leave some %s of work",
                                   parts, answer_time(a, work));
    return whole < t->whole
               ? arena_printf(a->arena,
                              "%s; with the second launch that adds up the parts it is some %s instead of %s",
                              how, answer_time(a, whole), answer_time(a, t->whole))
               : arena_printf(a->arena,
                              "%s, but the second launch that adds up the parts costs a start and end of its "
                              "own, %s, so nothing is gained",
                              how, answer_time(a, PAGE_START));
}

// What several problems in a launch gain: those that fit beside each other take about the time of one; further ones add their work alone.
static const char *together_text(const struct asking *a, const struct estimate *e,
                                 const struct page_times *t) {
    double beside = floor(e->peaks->multiprocessors / e->programs);
    double together = PAGE_START + work_with(t, 1, beside);
    return beside >= 2
               ? arena_printf(a->arena,
                              "%.0f of them, each on multiprocessors of its own, take some %s together, not "
                              "%.0f times %s",
                              beside, answer_time(a, together), beside, answer_time(a, t->whole))
               : arena_printf(a->arena, "each further one adds its work alone, some %s, instead of %s",
                              answer_time(a, t->work), answer_time(a, t->whole));
}

// The bytes behind the L2 cache's time, if this time is one of the longest.
static const char *cache_text(const struct asking *a, const struct estimate *e, const struct page_times *t) {
    const double MEGA = 1e6;
    return !(page_longest_units(t) >> UNIT_CACHE & 1)
               ? ""
               : arena_printf(a->arena,
                              ". The L2 cache's time is of the %.3g MB that programs load and store (larger "
                              "tiles load less, but make fewer programs)",
                              e->bytes * e->programs / MEGA);
}

// The launch with types of half the width, if their gain is worth a word.
static const char *narrowed_text(const struct asking *a, const struct estimate *e,
                                 const struct page_times *t) {
    const double WORTH = 0.9;
    const char *narrower = answer_narrower_type(a, e);
    double half = narrower ? answer_narrowed(a) : 0;
    return half > 0 && half < WORTH * t->whole
               ? arena_printf(a->arena, ". Narrower types alone: some %s (%.0f %%; %s)", answer_time(a, half),
                              100 * half / t->whole, narrower)
               : "";
}

// Of launches outlasted by their start and end. Hints shorten the instructions of threads alone.
static const char *first_change(const struct asking *a, const struct page_times *t) {
    bool hints = t->longest == UNIT_THREADS && answer_lacks_hints(a);
    return hints ? arena_printf(a->arena, "%s, if that holds in every call; ",
                                answer_annotations(a, HINTS_OF_ALL))
                 : "";
}

static void starts(const struct asking *a, const struct estimate *e, const struct page_times *t,
                   struct answer *answer) {
    bool amd = a->page->part->target->vendor == VENDOR_AMD;
    const char *split = split_text(a, e, t), *others = answer_other_variants(a);
    answer->what = "start and end of the kernel";
    answer->unit = UNIT_START;
    answer->bound = arena_printf(
        a->arena,
        "the start and the end of the kernel: starting it, its first loads and its last stores take so long "
        "with any tiles (figure of an H200). All its work takes %s%s (each unit alone, at its peak: %s)%s%s",
        answer_time(a, t->work), few_text(a, e), answer_others(a, UNIT_START),
        answer_condition(a, PAGE_START), cache_text(a, e, t));
    answer->change = arena_printf(
        a->arena,
        "%sput more work into a launch: several such problems along a further axis of the grid (%s), or the "
        "kernels before and behind fused into this one, which saves their starts and ends; a %s graph "
        "shortens the gaps between launches, which are not counted here. In the tiles: %s%s%s%s",
        first_change(a, t), together_text(a, e, t), amd ? "HIP" : "CUDA",
        *others ? others
                : "smaller ones shorten the work alone, larger ones make fewer programs; this page has no "
                  "other variant",
        *split ? ". By " : "", split, narrowed_text(a, e, t));
}

static void lacks_programs(const struct asking *a, const struct estimate *e, const struct page_times *t,
                           struct answer *answer) {
    double idle = e->peaks->multiprocessors - e->programs;
    const char *split = split_text(a, e, t), *others = answer_other_variants(a);
    answer->what = "too few programs";
    answer->unit = (enum page_unit)t->longest;
    answer->bound = arena_printf(a->arena,
                                 "too few programs: %s for the %u multiprocessors of %s, so %.0f or more "
                                 "have nothing to do. On the others that "
                                 "is the time of %s, which take the longest (beside: %s)%s%s",
                                 programs_text(a, e->programs), e->peaks->multiprocessors, e->peaks->product,
                                 idle, page_unit_name(a->page, a->number, (enum page_unit)t->longest),
                                 answer_others(a, (enum page_unit)t->longest),
                                 answer_condition(a, t->seconds[t->longest]), cache_text(a, e, t));
    answer->change = *split ? arena_printf(a->arena, "%s%s%s", split, *others ? ". Or " : "", others)
                     : *others
                         ? arena_printf(a->arena, "use smaller tiles, which make more programs: %s", others)
                         : "use smaller tiles, which make more programs, or split the loop over several "
                           "programs, which add up their sums (`tl.atomic_add`, or a second kernel)";
}

bool answer_small_launch(const struct asking *a, struct answer *answer) {
    struct estimate e = page_estimate(a->page, a->number);
    struct page_times t;
    if (!page_launch_times(a->page, a->number, &t)) {
        return false;
    }
    if (t.starts) {
        starts(a, &e, &t, answer);
        return true;
    }
    if (is_few(&e) && t.longest != UNIT_MEMORY && t.longest != UNIT_CACHE) {
        lacks_programs(a, &e, &t, answer);
        return true;
    }
    return false;
}

void answer_add_single_round(const struct asking *a, struct answer *answer) {
    enum { SHORT = 10 }; // starts and ends: one is a tenth of the work
    struct estimate e = page_estimate(a->page, a->number);
    struct page_times t;
    if (page_launch_times(a->page, a->number, &t) && e.programs <= e.peaks->multiprocessors &&
        t.work < SHORT * PAGE_START) {
        answer->bound = arena_printf(a->arena,
                                     "%s. All %s run at once, on %u multiprocessors, so nothing covers their "
                                     "start and end, %s of the launch",
                                     answer->bound, programs_text(a, e.programs), e.peaks->multiprocessors,
                                     answer_time(a, PAGE_START));
        answer->change = arena_printf(a->arena,
                                      "%s. Several such problems in one launch cover each other's start and "
                                      "end: each further one saves %s",
                                      answer->change, answer_time(a, PAGE_START));
    }
}
