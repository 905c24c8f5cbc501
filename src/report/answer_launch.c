// Launches with too little work for the chip, of which no tile makes more.
#include "report/answer.h"

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

// ". Larger tiles would be fewer still: 8 to 32 programs of BLOCK_M=128": of a variant that does more with each byte.
static const char *larger_text(const struct asking *a, const struct estimate *e) {
    struct page_part other;
    struct estimate best;
    if (!a->low || !answer_leanest(a, e, &other, &best)) {
        return "";
    }
    return arena_printf(a->arena, ". Larger tiles would be fewer still: %s of %s",
                        range_text(a, page_programs(&other, a->low), page_programs(&other, a->high)),
                        answer_variant_name(&other, 0));
}

// ", and with 64 programs for the 132 multiprocessors of H100 SXM little else runs meanwhile"
static const char *alone_text(const struct asking *a, const struct estimate *e) {
    return e->programs > e->peaks->multiprocessors
               ? ""
               : arena_printf(a->arena,
                              ", and with %s for the %u multiprocessors of %s little else runs meanwhile",
                              programs_text(a, e->programs), e->peaks->multiprocessors, e->peaks->product);
}

static void starts(const struct asking *a, const struct estimate *e, double seconds, struct answer *answer) {
    bool amd = a->page->part->target->vendor == VENDOR_AMD;
    answer->what = "start and end of the kernel";
    answer->bound =
        arena_printf(a->arena,
                     "the start and the end of the kernel: the work takes %.2g µs%s at the chip's peaks, but "
                     "starting a kernel, "
                     "its first loads and its last stores take some µs%s%s",
                     1e6 * seconds, a->low != a->high ? " at most" : "", alone_text(a, e), larger_text(a, e));
    const char *first =
        answer_lacks_hints(a)
            ? arena_printf(a->arena,
                           "%s, if the caller can promise it: wide accesses take fewer instructions. Then",
                           answer_annotations(a, HINTS_OF_ALL))
            : "nothing in the tiles:";
    answer->change = arena_printf(a->arena,
                                  "%s put more work into a launch (several such problems along a further "
                                  "axis of the grid, or the kernels "
                                  "before and behind fused into this one), or launch from a %s graph",
                                  first, amd ? "HIP" : "CUDA");
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
    const double MOST = 0.9; // of the multiprocessors
    struct estimate e = page_estimate(a->page, a->number);
    if (!e.peaks || e.programs <= 0) {
        return false;
    }
    double units = e.peaks->multiprocessors, rounds = e.programs / units;
    bool alone = rounds <= 1;
    double seconds = e.longest_unit * (alone ? 1 : rounds), memory = e.once_time * rounds;
    seconds = memory > seconds ? memory : seconds;
    bool few = e.programs < MOST * units;
    if (seconds < (alone && !few ? SOME : LITTLE)) {
        starts(a, &e, seconds, answer);
    } else if (few) {
        lacks_programs(a, &e, answer);
    } else {
        return false;
    }
    return true;
}
