// The resource with the longest time at its peak.
//
// test: tests/cli/check_report.py
#include "report/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Percent. MOSTLY: a part of loads seldom served by caches.
enum { ALMOST_HALF = 40, HALF = 50, MOSTLY = 90 };

// "a program moves 224 KiB at length = 512, of which caches can serve up to 96 KiB (60 % of what its loop loads of k and v: …). The 128 KiB left"
static const char *left_for_memory(const struct asking *a, const struct estimate *e) {
    const double KIBI = 1024;
    struct page_served served = page_served(a->page, a->number, a->high);
    double left = e->bytes * e->once_time / e->memory_time, loads = e->looped > 0 ? e->looped : e->bytes;
    double serve = loads * served.percent / 100;
    return a->high && served.why && fabs(e->bytes - serve - left) < left / 100
               ? arena_printf(a->arena,
                              "a program moves %.0f KiB%s %s. Caches can serve up to %.0f KiB of that, "
                              "%.0f %% of %s (%s); %.0f KiB are left for memory",
                              e->bytes / KIBI, a->kernel->varying ? " on average" : "", answer_size(a),
                              serve / KIBI, served.percent, answer_served_loads(a), served.why, left / KIBI)
               : arena_printf(a->arena,
                              "%.0f KiB are a program's share of the arrays, of which each byte has to move "
                              "once",
                              left / KIBI);
}

static void by_shared_memory(const struct asking *a, const struct estimate *e, struct answer *answer) {
    const char *narrower = answer_narrower_type(a, e);
    answer->what = "memory bandwidth";
    answer->unit = UNIT_MEMORY;
    answer->bound = arena_printf(
        a->arena,
        "memory bandwidth: %s. For each byte that is left the program does %.3g operations of products, and "
        "%s "
        "can do %.3g in the time that memory takes for one byte: the matrix units need %.0f %% of memory's "
        "time%s",
        left_for_memory(a, e), e->intensity * e->memory_time / e->once_time, e->peaks->product,
        e->rate / e->peaks->memory, 100 * e->products_time / e->once_time,
        a->low == a->high ? "" : ", less at smaller sizes");
    struct page_times t;
    bool timed = page_launch_times(a->page, a->number, &t);
    double half = timed ? answer_narrowed(a) : 0;
    answer->after = narrower ? half : 0;
    answer->change = arena_printf(
        a->arena, "move fewer bytes: %s%s",
        narrower ? arena_printf(a->arena, "narrower types (%s)", narrower)
                 : "narrower types for the largest array",
        timed
            ? arena_printf(a->arena, "; if all arrays have half the width, a launch takes some %s (%.0f %%)",
                           answer_time(a, half), 100 * half / t.whole)
            : "");
    if (timed && e->looped > 0 && e->looped < e->bytes) {
        double once = (e->bytes - e->looped) * e->programs / e->peaks->memory;
        t.seconds[UNIT_CACHE] *= e->looped / e->bytes;
        t.seconds[UNIT_MEMORY] = fmax(0, t.seconds[UNIT_MEMORY] - once);
        double fused = PAGE_START + page_together(t.seconds);
        answer->change = arena_printf(
            a->arena,
            "%s. Or fuse this kernel with those before and behind it: %.0f KiB of a program are loaded and "
            "stored outside "
            "its loop, once, and need not pass through memory then: some %s (%.0f %%)",
            answer->change, (e->bytes - e->looped) / 1024, answer_time(a, fused), 100 * fused / t.whole);
    }
}

// ---- loads of operands: programs share rows and columns, so caches serve a part of them ----

// A variant with larger tiles as the advice, if its programs are enough for the chip in launches of the sizes asked for; else why not.
// `gain`: "caches have to serve 71 % only".
static const char *larger_variant(const struct asking *a, const struct page_part *other, const char *gain,
                                  const char *or_else) {
    double programs = page_programs(other, a->low);
    const struct peaks *peaks = peaks_of(a->page->part->target);
    if (!a->low) {
        return arena_printf(a->arena, "use larger tiles: %s; with it %s", answer_use_of(a, other), gain);
    }
    if (programs < peaks->multiprocessors) {
        return arena_printf(a->arena,
                            "%s. Larger tiles, as those of %s, would be fewer than the multiprocessors",
                            or_else, answer_variant_name(other, 0));
    }
    return arena_printf(a->arena, "%s. If they serve less, larger tiles: with them %s (%s). %s", or_else,
                        gain, answer_use_of(a, other), answer_measuring(a));
}

// The advice to load fewer bytes for each operation, by another variant or by larger tiles; else `or_else`.
static const char *leaner_tiles(const struct asking *a, const struct estimate *e, const char *or_else) {
    struct estimate best;
    struct page_part other;
    return answer_leanest(a, e, &other, &best)
               ? larger_variant(
                     a, &other,
                     arena_printf(a->arena, "a program does %.3g operations a byte", best.intensity), or_else)
               : answer_larger_tiles(a, or_else);
}

static void by_operands(const struct asking *a, const struct estimate *e, struct answer *answer) {
    double needed = answer_to_be_served(e);
    answer->what = "loads of operands";
    answer->unit = UNIT_MEMORY;
    answer->bound = arena_printf(
        a->arena,
        "loads of operands, unless caches serve %.0f %% of them: a program does %.3g operations for "
        "each byte that it loads, and DRAM of %s keeps up with %.3g or more. %s",
        needed, e->intensity, e->peaks->product, e->rate / e->peaks->memory, answer_can_serve(a, needed));
    answer->change = leaner_tiles(a, e, "order programs so that neighbours share rows");
}

// True if the L2 cache takes the longest of all.
static bool is_cache_longest(const struct asking *a, const struct estimate *e) {
    struct page_times t;
    return page_launch_times(a->page, a->number, &t) ? t.longest == UNIT_CACHE
                                                     : e->cache_time > 0 && e->cache_time >= e->longest_unit;
}

static struct answer by_cache(const struct asking *a, const struct estimate *e) {
    const double KIBI = 1024;
    const char *again = e->products_time > 0
                            ? leaner_tiles(a, e, "let a program compute more of what it has loaded")
                            : "load each byte once: keep it in registers or in shared memory";
    const char *bound =
        arena_printf(a->arena,
                     "the L2 cache: %s loads and stores %.0f KiB, all of which pass through it, and it hands "
                     "out %.0f bytes a clock for each multiprocessor at most; a program does %.3g operations "
                     "for each byte%s",
                     e->steps ? "a step" : "a program", e->bytes / KIBI, e->peaks->l2, e->intensity,
                     answer_condition_of(a, e));
    return (struct answer){.what = "L2 cache", .unit = UNIT_CACHE, .bound = bound, .change = again};
}

// " (at the same time shared memory takes 87 % of that time, special units 51 %)"
static const char *beside_products(const struct asking *a, const struct estimate *e) {
    const struct {
        const char *what;
        double time;
    } units[] = {{"shared memory", e->shared_time},
                 {"special units (exponentials, divisions, roots)", e->special_time},
                 {"elementwise arithmetic", e->simple_time}};
    const char *text = "";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double percent = 100 * units[i].time / e->products_time;
        if (percent >= ALMOST_HALF) {
            text = arena_printf(
                a->arena, *text ? "%s, %s %.0f %%" : "%s (at the same time %s takes %.0f %% of their time",
                text, units[i].what, percent);
        }
    }
    return *text ? arena_printf(a->arena, "%s)", text) : "";
}

// Leaves more of each limit of the blocks on a multiprocessor.
static const char *room_of(const struct occupancy *occupancy) {
    return occupancy->limits == 1U << OCCUPANCY_BY_SHARED  ? "smaller tiles or fewer stages"
           : occupancy->limits == 1U << OCCUPANCY_BY_WARPS ? "fewer warps"
                                                           : "smaller tiles";
}

static const char *limits_of(const struct asking *a, const struct occupancy *occupancy) {
    struct strbuf text = {0};
    occupancy_add_limits(occupancy, &text);
    const char *kept = arena_strdup(a->arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

// "; then the longest are the special units, 146 µs": if halved types do not leave that to the products.
static const char *after_narrowing(const struct asking *a) {
    struct page_times t;
    answer_narrowed_times(a, &t);
    return t.longest != UNIT_PRODUCTS
               ? arena_printf(a->arena, "; then the longest are the %s, %s",
                              page_unit_name(a->page, a->number, (enum page_unit)t.longest),
                              answer_time(a, t.seconds[t.longest]))
               : "";
}

// The advice for busy matrix units: what they leave of the launch, and narrower types.
static const char *narrower_types(const struct asking *a, const struct estimate *e) {
    const char *narrower = answer_narrower_type(a, e),
               *limit = "nothing: this is where a kernel of products should be";
    struct page_times t;
    bool timed = page_launch_times(a->page, a->number, &t);
    if (timed) {
        limit = arena_printf(
            a->arena,
            "nothing in this kernel: its products take %.0f %% of the launch. Start and end take %s; %s are "
            "counted for the units that work beside the products (%s). That the chip lowers its clock in "
            "long "
            "products is not counted",
            100 * t.seconds[UNIT_PRODUCTS] / t.whole, answer_time(a, PAGE_START),
            answer_time(a, t.work - t.seconds[UNIT_PRODUCTS]), answer_beside(a, UNIT_PRODUCTS));
    }
    return !narrower ? limit
           : timed ? arena_printf(a->arena, "%s. Narrower types alone shorten it, to some %s (%.0f %%%s): %s",
                                  limit, answer_time(a, answer_narrowed(a)),
                                  100 * answer_narrowed(a) / t.whole, after_narrowing(a), narrower)
                   : arena_printf(a->arena, "%s. Narrower types alone shorten it, to about half: %s", limit,
                                  narrower);
}

static void by_products(const struct asking *a, const struct estimate *e, struct answer *answer) {
    const struct resources *r = page_resources(a->page, a->number);
    struct estimate best;
    struct page_part other;
    double needed = answer_to_be_served(e);
    answer->what = e->shared_time > e->products_time ? "matrix units and shared memory" : "matrix units";
    answer->unit = UNIT_PRODUCTS;
    answer->after = answer_narrower_type(a, e) ? answer_narrowed(a) : 0;
    answer->bound = arena_printf(a->arena, "the matrix units%s%s%s",
                                 e->shared_time > e->products_time ? " and shared memory" : "",
                                 beside_products(a, e), answer_condition_of(a, e));
    if (needed > 0 && answer_leanest(a, e, &other, &best)) {
        answer->change = larger_variant(
            a, &other,
            arena_printf(a->arena, "caches have to serve %.0f %% only", answer_to_be_served(&best)),
            narrower_types(a, e));
    } else if (r && r->from && !a->kernel->producer_warps && r->occupancy.blocks < 2) {
        answer->change = arena_printf(
            a->arena,
            "make room for a second block on a multiprocessor by %s (now one, limited by %s): one "
            "then multiplies while the other begins or ends",
            room_of(&r->occupancy), limits_of(a, &r->occupancy));
    } else if (needed > HALF) {
        answer->change = answer_larger_tiles(a, narrower_types(a, e));
    } else {
        answer->change = narrower_types(a, e);
    }
}

static void by_elements(const struct asking *a, const struct estimate *e, bool special,
                        struct answer *answer) {
    const char *what = special ? "special units (exponentials, divisions, roots)" : "elementwise arithmetic";
    double time = special ? e->special_time : e->simple_time;
    if (e->products_time <= 0 && !special) {
        answer_by_threads(a, e, answer);
        return;
    }
    const char *beside = e->products_time > 0
                             ? arena_printf(a->arena, ", which take %.0f %% of the time of the matrix units",
                                            100 * time / e->products_time)
                             : "";
    answer->what = special ? "special units" : "elementwise arithmetic";
    answer->unit = special ? UNIT_SPECIAL : UNIT_THREADS;
    answer->bound = arena_printf(a->arena, "%s%s%s", what, beside, answer_condition_of(a, e));
    answer->change =
        special ? "use fewer exponentials and divisions: exp2 with a folded factor, one reciprocal for a row"
                : "do less arithmetic: fold factors and conversions, or apply them to fewer elements";
}

// True if caches serve too few of the loads for the units to be the bound: known, or likely, as so many are seldom served.
static bool lacks_caches(const struct asking *a, const struct estimate *e) {
    struct page_served served = answer_least_served(a);
    double needed = answer_to_be_served(e);
    return served.why ? served.percent < needed : needed > MOSTLY;
}

// Larger tiles read less of shared memory for each product, but make fewer programs: another variant if one is faster.
static void compare_tiles(const struct asking *a, const struct estimate *e, struct answer *answer) {
    const char *others = answer_other_variants(a);
    double programs = e->programs / 2;
    if (!*others || e->products_time <= 0) {
        return;
    }
    answer->change =
        programs < e->peaks->multiprocessors
            ? arena_printf(a->arena,
                           "%s. Larger tiles read less of shared memory for each product, but are %.0f "
                           "programs or fewer for %u multiprocessors",
                           others, programs, e->peaks->multiprocessors)
            : arena_printf(a->arena, "%s; %s", answer->change, others);
}

void answer_by_peak(const struct asking *a, struct answer *answer) {
    enum { FEW = 4 }; // operations a byte, fewer than any chip does
    struct estimate e = page_estimate(a->page, a->number);
    if (!e.peaks && e.operations <= 0 && e.bytes > 0 && e.intensity < FEW) {
        answer_by_plain_memory(a, &e, answer);
        return;
    }
    if (!e.peaks || (e.operations > 0 && e.rate <= 0)) {
        const struct resources *r = page_resources(a->page, a->number);
        answer->what = "not known";
        answer->bound = arena_printf(a->arena,
                                     "nothing that the compiler sees (%sno hints missing in loops); tkc has "
                                     "no peak numbers for %s%s%s",
                                     r && r->from ? "no spills, " : "", a->page->part->target->name,
                                     e.peaks ? " with " : "", e.peaks ? a->kernel->multiplies : "");
        answer->change = e.bytes > 0
                             ? arena_printf(a->arena, "measure first: %s", answer_intensity(a, e.intensity))
                             : "measure first";
        return;
    }
    double elements = e.simple_time > e.special_time ? e.simple_time : e.special_time;
    bool shares = e.products_time > 0; // programs share operands
    bool moves = e.once_time > elements && e.once_time > e.products_time && e.once_time > e.cache_time;
    if (page_bound_by_shared(a->page, a->number, &e, &answer->bound, &answer->change)) {
        answer->what = "shared memory";
        answer->unit = UNIT_SHARED;
        compare_tiles(a, &e, answer);
        answer_add_slow_dot(a, answer);
    } else if (moves && shares) {
        by_shared_memory(a, &e, answer);
    } else if (shares && lacks_caches(a, &e)) {
        by_operands(a, &e, answer);
    } else if (is_cache_longest(a, &e)) {
        *answer = by_cache(a, &e);
    } else if (!shares && (moves || (e.once_time <= 0 && e.memory_time >= elements))) {
        answer_by_plain_memory(a, &e, answer);
    } else if (e.products_time >= elements) {
        by_products(a, &e, answer);
    } else {
        by_elements(a, &e, e.special_time >= e.simple_time, answer);
    }
}
