// The resource with the longest time at its peak, and for a kernel of products the parts of its loads for caches to serve, needed and possible
// serve (served.c).
#include "report/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALF = 50, NEARLY = 80, MOSTLY = 90 }; // percent; MOSTLY: a part of loads that caches seldom serve

// Percent of the loads to be served by caches, for memory to keep up with the rest: of those in loops, if there are loops. 100: all, or more.
static double to_be_served(const struct estimate *e) {
    double all = e->memory_time > e->longest_unit ? 100 * (1 - e->longest_unit / e->memory_time) : 0;
    return e->looped > 0 ? fmin(100, all * e->bytes / e->looped) : all;
}

// "at n_cols = 128", "in this run"
static const char *size_text(const struct asking *a) {
    return a->high ? arena_printf(a->arena, "at %s = %lld", page_key_text(a->page), (long long)a->high->size)
                   : "in this run";
}

// "what the loop loads of k and v": the loads that caches serve.
static const char *served_loads(const struct asking *a) {
    return a->kernel->looped ? arena_printf(a->arena, "what a program's loop loads of %s", a->kernel->looped)
                             : "the bytes that programs load";
}

// The bytes of the narrowest access among the estimate's accesses, and its line.
static unsigned narrowest(const struct asking *a, unsigned *line) {
    unsigned bytes = 16;
    for (size_t i = 0; i < a->kernel->access_count; i++) {
        const struct report_access *access = &a->kernel->accesses[i];
        if (access->bytes && access->bytes < bytes && page_counts(a->page, a->number, access)) {
            bytes = access->bytes;
            *line = access->line;
        }
    }
    return bytes;
}

// "a program does 2.67 operations for each byte"
static const char *intensity_text(const struct asking *a, double intensity) {
    enum { COPIES = 20 }; // bytes an operation, of copying kernels
    return intensity * COPIES < 1
               ? "a program moves data and does hardly any arithmetic"
               : arena_printf(a->arena, "a program does %.3g operations for each byte", intensity);
}

static const char *memory_text(const struct asking *a, const struct estimate *e) {
    const char *does = intensity_text(a, e->intensity);
    return e->peaks
               ? arena_printf(
                     a->arena,
                     "memory bandwidth: %s, and %s can do %.3g %soperations in the time that memory takes "
                     "for one byte",
                     does, e->peaks->product, e->rate / e->peaks->memory,
                     a->kernel->multiplies ? "" : "elementwise ")
               : arena_printf(a->arena,
                              "memory bandwidth, as on every chip: %s (tkc has no peak numbers for %s)", does,
                              a->page->part->target->name);
}

// Narrow accesses: too few bytes are under way to fill the bandwidth, the bound of wide ones.
static void by_narrow(const struct asking *a, const struct estimate *e, unsigned line, unsigned bytes,
                      struct answer *answer) {
    const struct remark *access = page_remark(a->page, a->number, REMARK_ACCESS, line);
    const char *fact =
        access ? access->fact : arena_printf(a->arena, "a thread moves %u bytes at a time, not 16", bytes);
    answer->what = "narrow accesses";
    answer->bound =
        arena_printf(a->arena,
                     "narrow accesses: at line %u %s, too few at once to keep the memory busy. With "
                     "wide ones the bound is %s",
                     line, fact, memory_text(a, e));
    answer->change =
        access && access->hint_count
            ? arena_printf(a->arena, "%s, if the caller can promise it", answer_annotations(a, HINTS_OF_ALL))
            : "let neighbouring threads access neighbouring elements, a multiple of 16 bytes from the start "
              "of a row";
}

// ---- loads shared by programs ----

// A public tool for measuring the part of the loads served by caches. The hit rate of a cache in two halves, as on an H100, is lower: of
// its own half's misses the other half serves some.
static const char *measuring(const struct asking *a) {
    return a->page->part->target->vendor == VENDOR_AMD
               ? "rocprofv3 has the bytes that come from memory (`--pmc FETCH_SIZE`); caches serve the others"
               : "Nsight Compute has the bytes that come from memory (`ncu --metrics dram__bytes_read.sum`); "
                 "caches serve the others";
}

// The least possible part served by caches, of launches of the sizes asked for.
static struct page_served least_served(const struct asking *a) {
    struct page_served low = page_served(a->page, a->number, a->low);
    struct page_served high = page_served(a->page, a->number, a->high);
    return high.percent < low.percent ? high : low;
}

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
                              e->bytes / KIBI, a->kernel->varying ? " on average" : "", size_text(a),
                              serve / KIBI, served.percent, served_loads(a), served.why, left / KIBI)
               : arena_printf(a->arena,
                              "%.0f KiB are a program's share of the arrays, of which each byte has to move "
                              "once",
                              left / KIBI);
}

static void by_shared_memory(const struct asking *a, const struct estimate *e, struct answer *answer) {
    double busy = 100 * e->products_time / e->once_time;
    answer->bound =
        arena_printf(a->arena,
                     "memory bandwidth: %s. For each byte that is left the program does %.3g "
                     "operations of products, and %s can do %.3g in the time that memory takes for "
                     "one byte: the matrix units are busy for at most %.0f %% of the time%s",
                     left_for_memory(a, e), e->intensity * e->memory_time / e->once_time, e->peaks->product,
                     e->rate / e->peaks->memory, busy, a->low == a->high ? "" : ", less at smaller sizes");
    const char *narrower = answer_narrower_type(a, e);
    answer->change = arena_printf(
        a->arena,
        "move fewer bytes: narrower types%s%s%s, or this kernel fused with those "
        "before and behind it, whose arrays then "
        "do not pass through memory%s",
        narrower ? " (" : " for the largest array", narrower ? narrower : "", narrower ? ")" : "",
        busy < NEARLY
            ? ""
            : arena_printf(a->arena, " (fusing gains %.0f %% at most: the matrix units are the next bound)",
                           100 - busy));
}

static double idle_percent(const struct estimate *e) {
    return e->tile > 0 ? 100 * (1 - e->inside / e->tile) : 0;
}

// True if a mask leaves out half of the elements or more, in a launch of known size.
static bool idles(const struct asking *a, const struct estimate *e) {
    return a->page->report->run && idle_percent(e) >= HALF;
}

// "BLOCK": the constant of the configuration with the tile's extent; NULL: none has it.
static const char *block_constant(const struct asking *a, double extent) {
    const struct reflect_kernel *kernel = &a->page->report->kernels[a->page->part->first + a->number];
    for (size_t i = 0; i < kernel->constant_count; i++) {
        const struct reflect_constant *c = &kernel->constants[i];
        if (c->is_integer && strtod(c->value, NULL) == extent) {
            return c->name;
        }
    }
    return NULL;
}

// A tile as long as the elements inside: "add a configuration with BLOCK=128, num_warps=1".
static const char *fitting_block(const struct asking *a, const struct estimate *e) {
    double extent = exp2(ceil(log2(fmax(1, e->inside)))), warps = a->kernel->warps * extent / e->tile;
    const char *name = block_constant(a, e->tile);
    return arena_printf(a->arena,
                        "add a configuration with a tile as long as the rows, %s=%.0f, num_warps=%.0f",
                        name ? name : "block", extent, fmax(1, warps));
}

// Behind an answer about memory: half of the lanes or more are idle, and all their instructions take nearly as long.
static void add_idle_lanes(const struct asking *a, const struct estimate *e, struct answer *answer) {
    if (!idles(a, e) || e->longest_unit < e->memory_time / 2) {
        return;
    }
    answer->bound =
        arena_printf(a->arena,
                     "%s. Beside that %.0f %% of the lanes work for nothing: the mask lets %.0f elements of "
                     "a tile of %.0f "
                     "through %s, and the instructions for all take %.0f %% of the time of memory",
                     answer->bound, idle_percent(e), e->inside, e->tile, size_text(a),
                     100 * e->longest_unit / e->memory_time);
    answer->change = arena_printf(a->arena, "%s. Then %s", answer->change, fitting_block(a, e));
}

static void by_bandwidth(const struct asking *a, const struct estimate *e, struct answer *answer) {
    enum { FEW_OF = 20 }; // a part of the bytes that is not worth a word
    unsigned line = 0, bytes = narrowest(a, &line);
    answer->what = "memory bandwidth";
    if (e->once_time > 0 && e->products_time > 0) {
        by_shared_memory(a, e, answer);
        return;
    }
    const struct remark *access = line ? page_remark(a->page, a->number, REMARK_ACCESS, line) : NULL;
    if ((access && access->hint_count) || bytes < 4) {
        by_narrow(a, e, line, bytes, answer);
    } else {
        answer->bound = memory_text(a, e);
        answer->change = NULL;
    }
    const char *first = answer->change;
    if (e->again > e->bytes / FEW_OF) {
        answer_read_once(a, e, answer);
        answer->change =
            first ? arena_printf(a->arena, "%s. Then %s", first, answer->change) : answer->change;
    } else if (!first) {
        answer->change = "move fewer bytes: fuse the kernel before or behind it, or narrow the types; the "
                         "accesses are wide already";
    }
}

static void by_memory(const struct asking *a, const struct estimate *e, struct answer *answer) {
    by_bandwidth(a, e, answer);
    add_idle_lanes(a, e, answer);
}

// "They can serve up to 91 %: programs …": how many of the loads caches serve, `needed` percent being asked for.
static const char *can_serve(const struct asking *a, double needed) {
    struct page_served served = least_served(a);
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
                   : arena_printf(a->arena, "How many they serve is not known here: %s", measuring(a));
}

// ", as long as caches serve 71 % or more of what a program's loop loads of a and b": programs on other multiprocessors load the same operands.
static const char *condition_of(const struct asking *a, const struct estimate *e) {
    double needed = to_be_served(e);
    struct page_served served = page_served(a->page, a->number, a->high);
    const char *at = a->high ? arena_printf(a->arena, "%s ", size_text(a)) : "";
    if (needed <= 0) {
        return "";
    }
    const char *head =
        served.why && served.percent >= needed
            ? arena_printf(a->arena,
                           ", as long as caches %sserve %.0f %% or more of %s. They can serve up to %.0f %% "
                           "there: %s. Below %.0f %% memory would be the bound",
                           at, needed, served_loads(a), served.percent, served.why, needed)
            : arena_printf(a->arena, ", if caches serve %.0f %% or more of %s; below that, memory. %s",
                           needed, served_loads(a), can_serve(a, needed));
    return arena_printf(a->arena,
                        "%s. A program does %.3g operations for each byte that it moves; without caches the "
                        "memory of %s would "
                        "keep up with %.3g or more",
                        head, e->intensity, e->peaks->product, e->rate / e->peaks->memory);
}

// Loads of operands: programs share rows and columns, so caches serve a part of them.

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
                        gain, answer_use_of(a, other), measuring(a));
}

static void by_operands(const struct asking *a, const struct estimate *e, struct answer *answer) {
    struct estimate best;
    struct page_part other;
    double needed = to_be_served(e);
    static const char neighbours[] = "order programs so that neighbours share rows";
    answer->what = "loads of operands";
    answer->bound = arena_printf(
        a->arena,
        "loads of operands, unless caches serve %.0f %% of them: a program does %.3g operations for "
        "each byte that it loads, and DRAM of %s keeps up with %.3g or more. %s",
        needed, e->intensity, e->peaks->product, e->rate / e->peaks->memory, can_serve(a, needed));
    answer->change =
        answer_leanest(a, e, &other, &best)
            ? larger_variant(a, &other,
                             arena_printf(a->arena, "a program does %.3g operations a byte", best.intensity),
                             neighbours)
            : answer_larger_tiles(a, neighbours);
}

// " (at the same time shared memory takes 87 % of that time, exponentials, divisions and roots 51 %)"
static const char *beside_products(const struct asking *a, const struct estimate *e) {
    const struct {
        const char *what;
        double time;
    } units[] = {{"shared memory", e->shared_time},
                 {"exponentials, divisions and roots", e->special_time},
                 {"elementwise arithmetic", e->simple_time}};
    const char *text = "";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double percent = 100 * units[i].time / e->products_time;
        if (percent >= HALF) {
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

// The advice for busy matrix units.
static const char *narrower_types(const struct asking *a, const struct estimate *e) {
    const char *narrower = answer_narrower_type(a, e);
    return narrower ? arena_printf(a->arena,
                                   "use narrower types (%s), or nothing: this is where a kernel of products "
                                   "should be",
                                   narrower)
                    : "nothing: this is where a kernel of products should be";
}

static void by_products(const struct asking *a, const struct estimate *e, struct answer *answer) {
    const struct resources *r = page_resources(a->page, a->number);
    struct estimate best;
    struct page_part other;
    double needed = to_be_served(e);
    answer->what = e->shared_time > e->products_time ? "matrix units and shared memory" : "matrix units";
    answer->bound = arena_printf(a->arena, "the matrix units%s%s%s",
                                 e->shared_time > e->products_time ? " and shared memory" : "",
                                 beside_products(a, e), condition_of(a, e));
    if (needed > 0 && answer_leanest(a, e, &other, &best)) {
        answer->change = larger_variant(
            a, &other, arena_printf(a->arena, "caches have to serve %.0f %% only", to_be_served(&best)),
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

// Tiles of which a mask leaves out half or more: lanes work for nothing. False: no mask does.
static bool by_idle_lanes(const struct asking *a, const struct estimate *e, struct answer *answer) {
    double rounds = e->peaks ? e->programs / e->peaks->multiprocessors : 0;
    if (!idles(a, e)) {
        return false;
    }
    answer->what = "idle lanes";
    answer->bound = arena_printf(
        a->arena,
        "idle lanes: a program computes tiles of %.0f elements, and %s the "
        "mask lets %.0f of "
        "them through, so %.0f %% of the lanes compute what nobody needs. The instructions of a "
        "multiprocessor's programs take %.2g µs, as for full tiles; memory takes %.2g "
        "µs for the elements inside the mask. The start and the end of a launch come on top, with any "
        "tile",
        e->tile, size_text(a), e->inside, idle_percent(e), 1e6 * rounds * e->longest_unit,
        1e6 * rounds * e->memory_time);
    answer->change = fitting_block(a, e);
    if (answer_lacks_hints(a)) {
        answer->change = arena_printf(a->arena, "%s. Then %s, if the caller can promise it", answer->change,
                                      answer_annotations(a, HINTS_OF_ALL));
    }
    return true;
}

// Kernels without products whose instructions take longer than memory. False: arithmetic is the most of them.
static bool by_accesses(const struct asking *a, const struct estimate *e, struct answer *answer) {
    if (e->accesses <= e->simple + e->special) {
        return false;
    }
    answer->what = "instructions of accesses";
    answer->bound =
        arena_printf(a->arena,
                     "the instructions of loads and stores, with those for addresses and masks: "
                     "%.0f of the %.0f that the elements of %s take",
                     e->accesses, e->accesses + e->simple + e->special, e->steps ? "a step" : "a program");
    answer->change = answer_lacks_hints(a)
                         ? arena_printf(a->arena,
                                        "%s, if the caller can promise it: wide accesses take fewer "
                                        "instructions",
                                        answer_annotations(a, HINTS_OF_ALL))
                         : "let neighbouring threads access neighbouring elements, 16 bytes a thread";
    return true;
}

static void by_elements(const struct asking *a, const struct estimate *e, bool special,
                        struct answer *answer) {
    const char *what = special ? "special units (exponentials, divisions, roots)" : "elementwise arithmetic";
    double time = special ? e->special_time : e->simple_time;
    if (e->products_time <= 0 && (by_idle_lanes(a, e, answer) || (!special && by_accesses(a, e, answer)))) {
        return;
    }
    const char *beside = e->products_time > 0
                             ? arena_printf(a->arena, ", which take %.0f %% of the time of the matrix units",
                                            100 * time / e->products_time)
                             : "";
    answer->what = special ? "special units" : "elementwise arithmetic";
    answer->bound = arena_printf(a->arena, "%s%s%s", what, beside, condition_of(a, e));
    answer->change =
        special ? "use fewer exponentials and divisions: exp2 with a folded factor, one reciprocal for a row"
                : "do less arithmetic: fold factors and conversions, or apply them to fewer elements";
}

// True if caches serve too few of the loads for the units to be the bound: known, or likely, as so many are seldom served.
static bool lacks_caches(const struct asking *a, const struct estimate *e) {
    struct page_served served = least_served(a);
    double needed = to_be_served(e);
    return served.why ? served.percent < needed : needed > MOSTLY;
}

void answer_by_peak(const struct asking *a, struct answer *answer) {
    enum { FEW = 4 }; // operations a byte, fewer than any chip does
    struct estimate e = page_estimate(a->page, a->number);
    if (!e.peaks && e.operations <= 0 && e.bytes > 0 && e.intensity < FEW) {
        by_memory(a, &e, answer);
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
                             ? arena_printf(a->arena, "measure first: %s", intensity_text(a, e.intensity))
                             : "measure first";
        return;
    }
    double elements = e.simple_time > e.special_time ? e.simple_time : e.special_time;
    bool shares = e.products_time > 0; // programs share operands
    bool moves = e.once_time > elements && e.once_time > e.products_time;
    if (page_bound_by_shared(a->page, a->number, &e, &answer->bound, &answer->change)) {
        answer->what = "shared memory";
        answer_add_slow_dot(a, answer);
    } else if (moves) {
        by_memory(a, &e, answer);
    } else if (shares && lacks_caches(a, &e)) {
        by_operands(a, &e, answer);
    } else if (!shares && e.memory_time >= elements) {
        by_memory(a, &e, answer);
    } else if (e.products_time >= elements) {
        by_products(a, &e, answer);
    } else {
        by_elements(a, &e, e.special_time >= e.simple_time, answer);
    }
}