// The part of a program's loads for caches to serve: loads shared by programs at work at the same time.
//
// Two cases. Of programs grouped by the compiler (grouped_pid), those at work are a group of rows of tiles by as many columns, and DRAM sends
// each of their rows and columns once; of a small launch, whose operands the cache holds, DRAM sends each byte once. Otherwise two programs
// load the same if their ids are equal on the axes of the load's address (sharing.h); ids run along axis 0 first:
//
//     grid 32 × 4,096, an address of axis 1 alone, 132 programs at work:
//     ids along axis 1: ceil(132 / 32) = 5 of 132 different addresses, so caches serve 1 - 5 / 132 = 96 %
//
// Where loops end differently (causal ones), the different addresses are those of the longest loop, and the bytes those of the mean.
//
// These are upper bounds: programs drift apart, or need more than the cache holds, and get less.
#include <math.h>
#include <string.h>

#include "chip/peaks.h"
#include "report/estimate.h"
#include "report/page.h"

double page_at_work(const struct page_part *page, size_t kernel) {
    const struct peaks *peaks = peaks_of(page->part->target);
    const struct report_kernel *k = &page->part->code->kernels[kernel];
    const struct resources *r = page_resources(page, kernel);
    unsigned blocks = k->persistent ? k->persistent : r && r->from ? r->occupancy.blocks : 1;
    return peaks ? (double)peaks->multiprocessors * (blocks ? blocks : 1) : 0;
}

static double least(double a, double b) {
    return a < b ? a : b;
}

// The number of different addresses among programs at work, of loads on these axes.
static double different(const struct page_launch *launch, unsigned variant, unsigned axes, double programs) {
    double count = 1, before = 1; // before: programs to one step along the axis
    for (unsigned axis = 0; axis < SHARING_AXES; axis++) {
        double side = launch->grids[variant][axis];
        count *= axes >> axis & 1 ? least(side, ceil(programs / before)) : 1;
        before *= side;
    }
    return least(count, programs);
}

static double programs_of(const struct page_launch *launch, unsigned variant) {
    const unsigned *grid = launch->grids[variant];
    return (double)grid[0] * grid[1] * grid[2];
}

double page_programs(const struct page_part *page, const struct page_launch *launch) {
    return launch && page->variants ? programs_of(launch, page_variant_number(page)) : 0;
}

// The axes of the shared loads with the most bytes; SHARING_SETS: no loads are shared.
static unsigned most_shared(const struct report_kernel *kernel) {
    enum { EVERY_AXIS = SHARING_SETS - 1 };
    unsigned most = SHARING_SETS;
    for (unsigned axes = 0; axes < EVERY_AXIS; axes++) {
        most = kernel->loaded[axes] > (most < SHARING_SETS ? kernel->loaded[most] : 0) ? axes : most;
    }
    return most;
}

// "tl.program_id(0)": the axes of different programs.
static const char *axes_text(struct arena *arena, unsigned axes) {
    const char *text = "";
    for (unsigned axis = 0; axis < SHARING_AXES; axis++) {
        if (!(axes >> axis & 1)) {
            text = arena_printf(arena, "%s%stl.program_id(%u)", text, *text ? " and " : "", axis);
        }
    }
    return text;
}

static struct report_run run_of(const struct page_launch *launch, unsigned variant) {
    const unsigned *grid = launch->grids[variant];
    return (struct report_run){
        .grid = {grid[0], grid[1], grid[2]}, .values = launch->values, .value_count = launch->value_count};
}

// Bytes of the program's loads in a launch; 0: not known.
static double loaded_bytes(const struct report_kernel *k, const struct page_launch *launch,
                           unsigned variant) {
    struct report_run run = run_of(launch, variant);
    double bytes = 0;
    for (size_t i = 0; i < k->term_count; i++) {
        bytes += k->terms[i].parameter ? page_times(&run, &k->terms[i]) * k->terms[i].bytes : 0;
    }
    return bytes;
}

// True if the cache of all multiprocessors holds so many bytes; without a launch it is false.
static bool caches(const struct page_part *page, double bytes) {
    return bytes > 0 && bytes <= peaks_of(page->part->target)->cache;
}

static const char *cached_text(const struct page_part *page, double bytes, bool is_batch) {
    const double MEBI = 1048576;
    return arena_printf(
        page->arena,
        "the operands of %s are %.2g MiB, each byte of which has to come from memory once: the cache "
        "that all multiprocessors share holds %.0f MiB",
        is_batch ? "a product of the batch" : "the launch", bytes / MEBI,
        peaks_of(page->part->target)->cache / MEBI);
}

// Programs of one result: all loads of a batch depend on its axis, and operands of one product on different axes, or all on axis 0, of which
// the source makes rows and columns.
static double tiles_of_matrix(const struct report_kernel *k, const unsigned *grid) {
    unsigned batch = SHARING_SETS - 1;
    double tiles = grid[0];
    for (unsigned axes = 0; axes < SHARING_SETS; axes++) {
        batch &= k->loaded[axes] > 0 ? axes : batch;
    }
    for (unsigned axis = 1; axis < SHARING_AXES; axis++) {
        tiles *= batch >> axis & 1 ? 1 : grid[axis];
    }
    return tiles;
}

// The tiles of a launch make up a square at best, whose rows and columns are loaded once if the cache holds them all.
static struct page_served by_group(const struct page_part *page, const struct report_kernel *k,
                                   const struct page_launch *launch, double programs) {
    const struct sums *tile = &k->sums;
    double side = tile->rows + tile->columns, rows = k->grouped;
    double all = launch ? tiles_of_matrix(k, launch->grids[page_variant_number(page)]) : 0;
    programs = launch ? least(programs, all) : programs;
    double once = rows * tile->rows + ceil(programs / rows) * tile->columns;
    double square = 2 * sqrt(all * tile->rows * tile->columns);
    struct page_served served = {0};
    double loaded = all > 0 ? square / side * loaded_bytes(k, launch, page_variant_number(page)) : 0;
    if (tile->rows && all > 0 && square < all * side && caches(page, loaded)) {
        served.percent = 100 * (1 - square / (all * side));
        served.why = cached_text(page, loaded, all < page_programs(page, launch));
    } else if (tile->rows && programs >= rows) {
        served.percent = 100 * (1 - once / (programs * side));
        served.why = arena_printf(page->arena,
                                  "programs that run at the same time, in groups of %u rows of tiles, "
                                  "load the same rows and columns",
                                  k->grouped);
    }
    if (launch && all == 1) {
        served.why = "no two programs load the same addresses";
    }
    return served;
}

// The axes of the grid with more than one program: others say nothing to a reader.
static unsigned axes_in_use(const struct page_launch *launch, unsigned variant) {
    unsigned axes = 0;
    for (unsigned axis = 0; axis < SHARING_AXES; axis++) {
        axes |= launch->grids[variant][axis] > 1 ? 1U << axis : 0;
    }
    return axes;
}

// Programs with loops of different lengths load parts of the same: memory sends the loads of the longest.
static struct page_served by_axes(const struct page_part *page, const struct report_kernel *k,
                                  const struct page_launch *launch, double programs) {
    unsigned most = most_shared(k), variant = page_variant_number(page);
    double all = 0, from_memory = 0;
    struct page_served served = {0};
    struct report_run run = run_of(launch, variant);
    double longest = page_unevenness(&run, k);
    for (unsigned axes = 0; axes < SHARING_SETS; axes++) {
        all += k->loaded[axes];
        from_memory +=
            k->loaded[axes] * least(1, longest * different(launch, variant, axes, programs) / programs);
    }
    if (all > 0) {
        unsigned fixed = most < SHARING_SETS ? most | ~axes_in_use(launch, variant) : SHARING_SETS - 1;
        const char *free_axes = axes_text(page->arena, fixed);
        served.percent = 100 * (1 - from_memory / all);
        served.why = *free_axes
                         ? arena_printf(page->arena,
                                        "programs that differ in %s alone load the same addresses", free_axes)
                         : "no two programs load the same addresses";
    }
    return served;
}

struct page_served page_served(const struct page_part *page, size_t kernel,
                               const struct page_launch *launch) {
    const struct report_kernel *k = &page->part->code->kernels[kernel];
    double at_work = page_at_work(page, kernel), programs = at_work;
    if (launch) {
        programs = least(at_work, page_programs(page, launch));
    }
    if (programs < 1) {
        return (struct page_served){0};
    }
    return k->grouped ? by_group(page, k, launch, programs)
           : launch   ? by_axes(page, k, launch, programs)
                      : (struct page_served){0};
}

// The axes beyond the source's grid.
static unsigned axes_without_grid(const struct page_part *page, size_t kernel) {
    const struct reflect_kernel *reflected = &page->report->kernels[page->part->first + kernel];
    unsigned axes = 0;
    for (unsigned axis = 0; axis < SHARING_AXES && reflected->grid[0]; axis++) {
        axes |= reflected->grid[axis] ? 0 : 1U << axis;
    }
    return axes;
}

unsigned page_sharers(const struct page_part *page, size_t kernel, double percent, const char **axes) {
    const struct report_kernel *k = &page->part->code->kernels[kernel];
    unsigned most = most_shared(k);
    double all = 0, shared = 0;
    for (unsigned set = 0; set < SHARING_SETS; set++) {
        all += k->loaded[set];
        shared += set == SHARING_SETS - 1 ? 0 : k->loaded[set];
    }
    double part = all > 0 ? percent / 100 * all / (shared > 0 ? shared : all) : 1;
    if (most == SHARING_SETS || k->grouped || part >= 1) {
        return 0;
    }
    *axes = axes_text(page->arena, most | axes_without_grid(page, kernel));
    return (unsigned)ceil(1 / (1 - part));
}
