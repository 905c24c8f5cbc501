// Launches with too little work for the chip, of which no tile makes more.
#include "report/answer.h"

#include <math.h>

// Below LITTLE seconds of work at the chip's peaks a launch takes longer to start and to end than to work, and below SOME about as long, with
// no second program on a multiprocessor to cover the start and the end of the first. On an H200 products of 128, 256, 512 and 1,024 rows,
// columns and steps take 2.4, 2.9, 3.3 and 5.6 µs, whose work is 0.05 to 2.2 µs; halves of the sums to twice as many programs do not help
// (8 µs with the additions).
static const double LITTLE = 2e-6, SOME = 5e-6;

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

// Seconds of a multiprocessor's work at its peaks in the launch of the largest size: that of its programs, or its share of the arrays.
static double unit_seconds(const struct estimate *e) {
    return e->longest_unit * fmax(1, e->programs / e->peaks->multiprocessors);
}

static double work_seconds(const struct estimate *e) {
    return fmax(unit_seconds(e), e->once_time * e->programs / e->peaks->multiprocessors);
}

// The unit that takes so long.
static const char *unit_text(const struct estimate *e) {
    return work_seconds(e) > unit_seconds(e)     ? "memory"
           : e->longest_unit == e->products_time ? "the matrix units"
           : e->longest_unit == e->shared_time   ? "shared memory"
           : e->longest_unit == e->special_time  ? "special units"
           : e->products_time > 0                ? "elementwise arithmetic"
                                                 : "the instructions of threads";
}

// ". Larger tiles would be fewer still: 8 to 32 programs of BLOCK_M=128": of a variant that does more with each byte.
static const char *larger_text(const struct asking *a, const struct estimate *e) {
    struct page_part other;
    struct estimate best;
    if (!a->low || !answer_leanest(a, e, &other, &best) || page_programs(&other, a->high) >= e->programs) {
        return "";
    }
    return arena_printf(a->arena, ". Larger tiles would be fewer%s: %s of %s",
                        e->programs < e->peaks->multiprocessors ? " still" : "",
                        range_text(a, page_programs(&other, a->low), page_programs(&other, a->high)),
                        answer_variant_name(&other, 0));
}

// The variant with more programs and the least work of a multiprocessor. False: there is none.
static bool smaller_variant(const struct asking *a, const struct estimate *e, struct page_part *found,
                            struct estimate *best) {
    bool any = false;
    struct page_part other;
    for (size_t next = 0; a->low && page_next_variant(a->page, a->number, &next, &other);) {
        struct estimate at = page_estimate(&other, 0);
        at.programs = page_programs(&other, a->high);
        at.once_time = 0; // of the same arrays
        if (at.programs > e->programs && (!any || work_seconds(&at) < work_seconds(best))) {
            *best = at;
            *found = other;
            any = true;
        }
    }
    return any;
}

// ". Smaller tiles do not help: with the 256 programs of BLOCK_M=16 the work takes 1.8 µs".
static const char *smaller_text(const struct asking *a, const struct estimate *e) {
    struct page_part other;
    struct estimate best;
    if (!smaller_variant(a, e, &other, &best)) {
        return a->low ? ". Smaller tiles, of which this page has none, would shorten the work, not the start "
                        "and the end"
                      : "";
    }
    bool longer = work_seconds(&best) >= work_seconds(e);
    return arena_printf(a->arena, ". Smaller tiles %s: with the %.0f programs of %s the work takes %.2g µs",
                        longer ? "do not help" : "shorten the work alone", best.programs,
                        answer_variant_name(&other, 0), 1e6 * work_seconds(&best));
}

// ", and with 64 programs for the 132 multiprocessors of H100 SXM little else runs meanwhile"
static const char *alone_text(const struct asking *a, const struct estimate *e) {
    return e->programs > e->peaks->multiprocessors
               ? ""
               : arena_printf(a->arena,
                              ", and with %s for the %u multiprocessors of %s little else runs meanwhile",
                              programs_text(a, e->programs), e->peaks->multiprocessors, e->peaks->product);
}

// Ahead of more work for a launch: hints, smaller tiles where none were tried and the work is not short, or nothing.
static const char *first_change(const struct asking *a, const struct estimate *e) {
    struct page_part other;
    struct estimate best;
    if (answer_lacks_hints(a)) {
        return arena_printf(a->arena,
                            "%s, if the caller can promise it: wide accesses take fewer instructions. Then",
                            answer_annotations(a, HINTS_OF_ALL));
    }
    return is_few(e) && work_seconds(e) > LITTLE / 2 && !smaller_variant(a, e, &other, &best)
               ? "use smaller tiles, which shorten the work alone. Then"
               : "nothing in the tiles, which change the work alone:";
}

static void starts(const struct asking *a, const struct estimate *e, double seconds, struct answer *answer) {
    bool amd = a->page->part->target->vendor == VENDOR_AMD;
    answer->what = "start and end of the kernel";
    answer->bound = arena_printf(
        a->arena,
        "the start and the end of the kernel: the work of a multiprocessor takes %.2g µs%s (that of %s, at "
        "its "
        "peak; other units take less), but starting a kernel, its first loads and its last stores take some "
        "%.0f to %.0f µs%s%s%s",
        1e6 * seconds, a->low != a->high ? " at most" : "", unit_text(e), 1e6 * LITTLE, 1e6 * SOME,
        alone_text(a, e), larger_text(a, e), smaller_text(a, e));
    answer->change = arena_printf(a->arena,
                                  "%s put more work into a launch (several such problems along a further "
                                  "axis of the grid, or the kernels "
                                  "before and behind fused into this one), or launch from a %s graph",
                                  first_change(a, e), amd ? "HIP" : "CUDA");
}

static void lacks_programs(const struct asking *a, const struct estimate *e, struct answer *answer) {
    double idle = e->peaks->multiprocessors - e->programs;
    answer->what = "too few programs";
    answer->bound = arena_printf(
        a->arena,
        "too few programs: %s for the %u multiprocessors of %s, so %.0f or more have nothing to do%s",
        programs_text(a, e->programs), e->peaks->multiprocessors, e->peaks->product, idle, larger_text(a, e));
    answer->change = "use smaller tiles, or split the loop over several programs, which add up their sums "
                     "(`tl.atomic_add`, or a second kernel)";
}

bool answer_small_launch(const struct asking *a, struct answer *answer) {
    struct estimate e = page_estimate(a->page, a->number);
    if (!e.peaks || e.programs <= 0) {
        return false;
    }
    double units = e.peaks->multiprocessors, rounds = e.programs / units;
    bool alone = rounds <= 1;
    double seconds = work_seconds(&e);
    bool few = is_few(&e);
    if (seconds < (alone && !few ? SOME : LITTLE)) {
        starts(a, &e, seconds, answer);
    } else if (few) {
        lacks_programs(a, &e, answer);
    } else {
        return false;
    }
    return true;
}

void answer_add_single_round(const struct asking *a, struct answer *answer) {
    enum { SHORT = 10 }; // starts and ends, of which one is a tenth of the work
    struct estimate e = page_estimate(a->page, a->number);
    double rounds = e.peaks ? e.programs / e.peaks->multiprocessors : 0,
           seconds = e.peaks ? work_seconds(&e) : 0;
    if (rounds > 0 && rounds <= 1 && seconds < SHORT * SOME) {
        answer->bound = arena_printf(
            a->arena,
            "%s. All %s run at once, on %u multiprocessors: nothing covers their start and end, some %.0f to "
            "%.0f µs beside %.2g µs of work",
            answer->bound, programs_text(a, e.programs), e.peaks->multiprocessors, 1e6 * LITTLE, 1e6 * SOME,
            1e6 * seconds);
        answer->change =
            arena_printf(a->arena, "%s. Several such problems in one launch cover each other's start and end",
                         answer->change);
    }
}
