// Kernels without products: memory, or the instructions of threads, is the bound. The changes, each with the time of a launch by the same count:
//
//     wide accesses          an access of 16 bytes takes an instruction where 8 of 2 bytes take 8
//     a fitting block        lanes outside the mask execute the same instructions as those inside
//     rows loaded once       the second loop's loads, and what it computes again
//
// test: tests/cli/check_report.py
#include <math.h>
#include <stdlib.h>

#include "report/answer.h"
#include "report/times.h"

enum { HALF = 50, WIDEST = 16 };

// The bytes of the narrowest access among the estimate's accesses, and its line.
static unsigned narrowest(const struct asking *a, unsigned *line) {
    unsigned bytes = WIDEST;
    for (size_t i = 0; i < a->kernel->access_count; i++) {
        const struct report_access *access = &a->kernel->accesses[i];
        if (access->bytes && access->bytes < bytes && page_counts(a->page, a->number, access)) {
            bytes = access->bytes;
            *line = access->line;
        }
    }
    return bytes;
}

// ---- idle lanes ----

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

static double fitting_extent(const struct estimate *e) {
    return exp2(ceil(log2(fmax(1, e->inside))));
}

// A tile as long as the elements inside: "add a configuration with BLOCK=128, num_warps=1".
static const char *fitting_block(const struct asking *a, const struct estimate *e) {
    double extent = fitting_extent(e), warps = a->kernel->warps * extent / e->tile;
    const char *name = block_constant(a, e->tile);
    return arena_printf(a->arena,
                        "add a configuration with a tile as long as the rows, %s=%.0f, num_warps=%.0f",
                        name ? name : "block", extent, fmax(1, warps));
}

// ---- gains of changes ----

struct gains {
    const struct asking *a;
    const struct estimate *e;
    struct page_times times; // after the changes so far
    double arithmetic, accesses;
    const char *text; // the changes so far
};

static void add_change(struct gains *g, const char *change) {
    g->text = *g->text ? arena_printf(g->a->arena, "%s. Then %s", g->text, change) : change;
}

// Shortens the instructions of threads, and says the time of the launch, if there is one.
static void add_gain(struct gains *g, const char *change, double arithmetic, double accesses) {
    double before = g->times.whole, all = g->arithmetic + g->accesses;
    double now = g->arithmetic * arithmetic + g->accesses * accesses;
    g->times.seconds[UNIT_THREADS] *= all > 0 ? now / all : 1;
    g->times.seconds[UNIT_SPECIAL] *= arithmetic;
    g->arithmetic *= arithmetic;
    g->accesses *= accesses;
    g->times.whole = PAGE_START + page_together(g->times.seconds);
    add_change(g, before > 0 ? arena_printf(g->a->arena, "%s: some %s for a launch instead of %s", change,
                                            answer_time(g->a, g->times.whole), answer_time(g->a, before))
                             : change);
}

static void add_hints(struct gains *g) {
    unsigned line = 0, bytes = narrowest(g->a, &line);
    if (answer_lacks_hints(g->a)) {
        add_gain(g,
                 arena_printf(
                     g->a->arena,
                     "%s, if that holds in every call: an access then moves %u bytes, and loads and stores "
                     "take an instruction where they take %u now",
                     answer_annotations(g->a, HINTS_OF_ALL), WIDEST, WIDEST / bytes),
                 1, (double)bytes / WIDEST);
    } else if (bytes < 4) {
        add_gain(g,
                 "let neighbouring threads access neighbouring elements, a multiple of 16 bytes from the "
                 "start of a "
                 "row",
                 1, (double)bytes / WIDEST);
    }
}

static void add_block(struct gains *g) {
    if (idles(g->a, g->e)) {
        double share = fitting_extent(g->e) / g->e->tile;
        add_gain(g, fitting_block(g->a, g->e), share, share);
    }
}

static void add_once(struct gains *g) {
    enum { FEW_OF = 20 }; // a part of the bytes too small for a word
    double arithmetic, accesses, left = 1 - g->e->again / g->e->bytes;
    if (g->e->again <= g->e->bytes / FEW_OF) {
        return;
    }
    if (g->e->peaks && !answer_caches_again(g->a->page, g->e)) { // memory sends them twice
        double twice = g->e->again * g->e->programs / g->e->peaks->memory;
        g->times.seconds[UNIT_MEMORY] = fmax(0, g->times.seconds[UNIT_MEMORY] - twice);
    }
    g->times.seconds[UNIT_CACHE] *= left;
    bool known = answer_work_read_once(g->a, &arithmetic, &accesses) && g->arithmetic > 0 && g->accesses > 0;
    add_gain(g, answer_read_once(g->a), known ? arithmetic / g->arithmetic : left,
             known ? accesses / g->accesses : left);
}

// The bound of the launch after all changes.
static const char *remains(const struct gains *g) {
    enum page_unit most = UNIT_MEMORY;
    for (unsigned unit = 0; unit < PAGE_UNITS; unit++) {
        most = g->times.seconds[unit] > g->times.seconds[most] ? (enum page_unit)unit : most;
    }
    return most == UNIT_MEMORY ? ". What then remains is mostly memory: move fewer bytes, by fusing the "
                                 "kernel before or behind "
                                 "it, or by narrower types"
           : most == UNIT_START
               ? ". What then remains is mostly the start and the end: put more rows, or the kernels before "
                 "and behind, into a launch"
               : "";
}

static void add_changes(const struct asking *a, const struct estimate *e, const char *otherwise,
                        struct answer *answer) {
    struct gains g = {
        .a = a, .e = e, .arithmetic = e->simple + e->special, .accesses = e->accesses, .text = ""};
    bool timed = page_launch_times(a->page, a->number, &g.times);
    add_block(&g);
    add_once(&g);
    add_hints(&g); // the caller has to promise them
    answer->change = !*g.text ? otherwise
                     : timed  ? arena_printf(a->arena, "%s%s", g.text, remains(&g))
                              : g.text;
    answer->after = *g.text && timed ? g.times.whole : 0;
}

// ---- the bounds ----

const char *answer_intensity(const struct asking *a, double intensity) {
    enum { COPIES = 20 }; // bytes an operation, of copying kernels
    return intensity * COPIES < 1
               ? "a program moves data and does hardly any arithmetic"
               : arena_printf(a->arena, "a program does %.3g operations for each byte", intensity);
}

static const char *memory_text(const struct asking *a, const struct estimate *e) {
    const char *does = answer_intensity(a, e->intensity);
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

static const char *narrow_text(const struct asking *a) {
    unsigned line = 0, bytes = narrowest(a, &line);
    const struct remark *access = line ? page_remark(a->page, a->number, REMARK_ACCESS, line) : NULL;
    return (access && access->hint_count) || bytes < 4
               ? arena_printf(a->arena, "at line %u %s", line,
                              access ? access->fact
                                     : arena_printf(a->arena, "a thread moves %u bytes at a time", bytes))
               : "";
}

static const char *again_text(const struct asking *a, const struct estimate *e) {
    const double MEBI = 1048576;
    if (e->again <= 0) {
        return "";
    }
    const char *text = arena_printf(
        a->arena,
        ". %.0f of the %.0f bytes that %s moves are loaded a second time, by another loop than the "
        "first",
        e->again, e->bytes, e->steps ? "a step" : "a program");
    return a->high ? arena_printf(
                         a->arena,
                         "%s; the programs at work load %.2g MiB so, which the cache of all multiprocessors "
                         "(%.0f MiB) "
                         "%s",
                         text, page_at_work(a->page, a->number) * e->again / MEBI, e->peaks->cache / MEBI,
                         answer_caches_again(a->page, e) ? "holds: memory sends them once" : "does not hold")
                   : text;
}

// "a program computes tiles of 1024 elements, …"; "" if no mask leaves out half.
static const char *idle_text(const struct asking *a, const struct estimate *e) {
    return idles(a, e) ? arena_printf(
                             a->arena,
                             "a program computes tiles of %.0f elements, of which the mask lets %.0f through "
                             "%s, so %.0f %% of the lanes execute instructions for nothing",
                             e->tile, e->inside, answer_size(a), idle_percent(e))
                       : "";
}

// "some 67 % of that time are loads and stores, each counted as 6 instructions, with its address and mask (at line 22 …)"
static const char *accesses_text(const struct asking *a, const struct estimate *e) {
    const char *narrow = narrow_text(a);
    return arena_printf(
        a->arena,
        "some %.0f %% of that time are loads and stores, each counted as %d instructions, with its "
        "address and mask%s%s%s",
        100 * e->accesses / (e->accesses + e->simple + e->special), PEAKS_ACCESS, *narrow ? " (" : "", narrow,
        *narrow ? ")" : "");
}

void answer_by_plain_memory(const struct asking *a, const struct estimate *e, struct answer *answer) {
    struct page_times t;
    bool timed = page_launch_times(a->page, a->number, &t);
    const char *idle = idle_text(a, e), *narrow = narrow_text(a);
    answer->what = "memory bandwidth";
    answer->unit = UNIT_MEMORY;
    answer->bound = arena_printf(a->arena, "%s%s", memory_text(a, e), again_text(a, e));
    if (timed) {
        answer->bound = arena_printf(a->arena, "%s. Beside it the instructions of threads take %s; %s%s%s",
                                     answer->bound, answer_time(a, t.seconds[UNIT_THREADS]),
                                     accesses_text(a, e), *idle ? "; " : "", idle);
    } else if (*narrow) {
        answer->bound =
            arena_printf(a->arena, "%s. Its accesses are narrow and take more instructions than need be: %s",
                         answer->bound, narrow);
    }
    add_changes(a, e,
                "move fewer bytes: fuse the kernel before or behind it, or narrow the types; the accesses "
                "are wide already",
                answer);
}

// True if accesses have more instructions than arithmetic.
static bool mostly_accesses(const struct estimate *e) {
    return e->accesses > e->simple + e->special;
}

void answer_by_threads(const struct asking *a, const struct estimate *e, struct answer *answer) {
    bool accesses = mostly_accesses(e), idle = idles(a, e);
    answer->what = idle ? "idle lanes" : "instructions of threads";
    answer->unit = UNIT_THREADS;
    const char *more =
        idle ? arena_printf(a->arena, "the instructions of threads take that long, as %s", idle_text(a, e))
             : "arithmetic, special operations and accesses start one behind the other";
    answer->bound =
        arena_printf(a->arena, "%s: %s; %s%s", idle ? "idle lanes" : "the instructions of threads", more,
                     accesses_text(a, e), again_text(a, e));
    add_changes(a, e,
                accesses
                    ? "let neighbouring threads access neighbouring elements, 16 bytes a thread"
                    : "do less arithmetic: fold factors and conversions, or apply them to fewer elements",
                answer);
}
