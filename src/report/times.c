// The time of a launch by resource, each alone at its peak:
//
//     start and end of the launch     PAGE_START: the kernel starts, its first loads arrive, its last stores go out
//     memory                          the bytes that DRAM has to move
//     L2 cache                        all bytes that programs load and store, of chips with a figure (peaks.def)
//     matrix units, shared memory …   of the multiprocessor with the most programs
//
// A rule without a theory: the launch takes the start and the root of the sum of the squares of the others. Special operations of kernels without
// products are some of the instructions of threads. With an H200's bandwidth of memory 24 launches on an H200 took 0.87 to 1.31 of the estimate:
// softmax of 4,096 rows of 128 to 16,384, products of 128 to 16,384 rows, columns and steps, causal attention of 128 to 16,384 keys and 4,096 heads
// or their share. PAGE_START and PER_COUNTED (estimate.c) were fitted to these same launches. 29 launches of variants that such launches do not
// take, in the same process and no part of the fit, took 0.90 to 1.77 of the estimate (0.90 to 1.82 without the L2 cache): the most for
// attention of 512 keys with tiles of 128 x 32 on 4 warps.
//
// Nsight Compute beside the page's bound, of such launches: matrix units active in 73, 91 and 94 % of the clocks (products of 2,048, 4,096, 8,192) and in
// 75 % (attention of 2,048), the most of all units. For long products the rule's excess is the clock, 1.54 to 1.56 GHz where peaks.def has 1.83,
// rather than other units. Slots of instructions were used to 68 and 76 % (softmax of 2,048 and 16,384, DRAM 23 and 49 %), DRAM to 61 %
// (8,192, instructions 51 %). At 1,024 and 4,096 columns instructions were ahead of DRAM (34 and 21, 57 and 50 %), which the rule has behind it: the
// tool looks at one launch with nothing in the caches, whose stores mostly stay there (DRAM moved 8.4 and 47.0 of 16.8 and 67.1 MB), and
// of launches one behind the other each makes DRAM take the stores of an earlier one. The L2 cache was busy in 82 and 86 % of the clocks
// (attention of 512 and 1,024 keys; DRAM 62 and 51 %, matrix units 51 and 65 %), more than DRAM in all launches bound by memory: these are the
// bytes that DRAM sends, and the rule has them as memory's time.
//
// test: tests/cli/check_report.py
#include "report/times.h"

#include <math.h>

// On an H200.
const double PAGE_START = 2.5e-6;

static const char *const unit_names[] = {
#define UNIT(id, name) name,
#include "report/units.def"
#undef UNIT
};

const char *page_unit_name(const struct page_part *page, size_t kernel, enum page_unit unit) {
    bool multiplies = page->part->code->kernels[kernel].multiplies;
    return unit == UNIT_THREADS && multiplies ? "elementwise arithmetic" : unit_names[unit];
}

double page_rounds(const struct estimate *e) {
    return ceil(e->programs / e->peaks->multiprocessors);
}

double page_together(const double seconds[PAGE_UNITS]) {
    double squares = 0;
    for (unsigned unit = 0; unit < UNIT_START; unit++) {
        bool within =
            unit == UNIT_SPECIAL && seconds[UNIT_PRODUCTS] <= 0 &&
            seconds[UNIT_THREADS] >= seconds[UNIT_SPECIAL]; // the instructions of threads have these
        squares += within ? 0 : seconds[unit] * seconds[unit];
    }
    return sqrt(squares);
}

unsigned page_longest_units(const struct page_times *times) {
    const double ABOUT = 0.85; // the count is no more exact
    const double *seconds = times->seconds;
    double longest = fmax(seconds[times->longest], seconds[UNIT_START]);
    unsigned units = 0;
    for (unsigned unit = 0; unit < PAGE_UNITS; unit++) {
        units |= seconds[unit] >= ABOUT * longest ? 1U << unit : 0;
    }
    return units;
}

bool page_launch_times(const struct page_part *page, size_t kernel, struct page_times *times) {
    struct estimate e = page_estimate(page, kernel);
    *times = (struct page_times){0};
    if (!e.peaks || e.programs <= 0) {
        return false;
    }
    double rounds = page_rounds(&e), share = e.programs / e.peaks->multiprocessors;
    double *seconds = times->seconds;
    seconds[UNIT_MEMORY] = share * (e.once_time > 0 ? e.once_time : e.memory_time);
    seconds[UNIT_CACHE] = share * e.cache_time;
    seconds[UNIT_PRODUCTS] = rounds * e.products_time;
    seconds[UNIT_SHARED] = rounds * e.shared_time;
    seconds[UNIT_SPECIAL] = rounds * e.special_time;
    seconds[UNIT_THREADS] = rounds * e.simple_time;
    seconds[UNIT_START] = PAGE_START;
    for (unsigned unit = 0; unit < UNIT_START; unit++) {
        times->longest = seconds[unit] > seconds[times->longest] ? unit : times->longest;
    }
    times->work = page_together(seconds);
    times->whole = PAGE_START + times->work;
    times->starts = PAGE_START >= seconds[times->longest];
    return true;
}
