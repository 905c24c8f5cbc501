// Between the files of the answer: the bound of a kernel, and the one change to make first.
#ifndef TKC_REPORT_ANSWER_H
#define TKC_REPORT_ANSWER_H

#include "report/estimate.h"
#include "report/page.h"
#include "report/times.h"

struct answer {
    const char *what; // of the bound, in few words
    const char *bound, *change;
    double after;        // seconds of the launch of the largest size after the change; 0: not known
    const char *share;   // of the launch's time, behind the bound's name; "": not known
    unsigned equals;     // units with about as long a time in the launch; a bit a unit
    enum page_unit unit; // of the launch's times, if there is a launch
    const struct report_branch *branch; // the answer's branch of two; NULL: no branches
};

// A kernel for launches of some sizes: from `low` to `high`, neighbours in page->launches with this variant. NULL: of any sizes. With sizes
// the page is a copy, whose run is the launch of the largest size.
struct asking {
    const struct page_part *page;
    const struct report_kernel *kernel;
    size_t number;
    struct arena *arena;
    const struct page_launch *low, *high;
};

// ---- answer_sizes.c ----
// True if the cache of all multiprocessors holds what the programs at work load a second time.
bool answer_caches_again(const struct page_part *page, const struct estimate *e);
// A copy of the page with the launch as its run.
const struct page_part *answer_page_at(const struct page_part *page, const struct page_launch *launch);
const char *answer_size(const struct asking *a); // "at n_cols = 128", "in this run"

// ---- answer_times.c ----
const char *answer_time(const struct asking *a, double seconds); // "12.5 µs"
// ", 12.5 µs of some 14.7 µs at n_cols = 1024 (85 %)": in the launch of the largest size, with others about as long; "": there is none.
const char *answer_share(const struct asking *a, enum page_unit unit);
// The other resources with about as long a time, a bit a unit.
unsigned answer_equals(const struct asking *a, enum page_unit unit);
// The whole of a launch whose types have half the width: of memory, products and shared memory half.
double answer_narrowed(const struct asking *a);
void answer_narrowed_times(const struct asking *a, struct page_times *t); // zeroed: there is no launch
// "memory 5.1 µs, special units 1.2 µs": the other times, but for short ones.
const char *answer_others(const struct asking *a, enum page_unit unit);
const char *answer_beside(const struct asking *a, enum page_unit unit); // without start and end
// ---- answer_hints.c ----
// The first remark of an access in a loop with missing hints; NULL: none.
const struct remark *answer_slow_access(const struct asking *a);
// "annotate `K: "i32:16"`, `N: "i32:16"`": the hints of narrow accesses in loops, or of all narrow ones.
enum hints_of { HINTS_OF_LOOPS, HINTS_OF_ALL };
const char *answer_annotations(const struct asking *a, enum hints_of which);
const char *answer_hinted_lines(const struct asking *a,
                                enum hints_of which); // "lines 12, 13": of such accesses
bool answer_lacks_hints(const struct asking *a);      // of any access

// ---- answer_spills.c ----
bool answer_spills(const struct asking *a,
                   struct answer *answer); // false: the kernel does not spill, or little
void answer_add_little_spills(const struct asking *a, struct answer *answer); // behind the bound
// The line with tiles of floats in the most registers; 0: none.
unsigned answer_most_live(const struct report_kernel *kernel);

// ---- answer_matrix.c ----
// The first remark of a dot without instructions of warpgroups or of tensor memory; NULL: none.
const struct remark *answer_slow_dot(const struct asking *a);
// Says behind the bound why a dot has none, and makes the cure the change, if there is one.
void answer_add_slow_dot(const struct asking *a, struct answer *answer);
// A type of half the width and of faster products on the chip, with its conditions: "fp16"; NULL: no such type.
const char *answer_narrower_type(const struct asking *a, const struct estimate *e);

// ---- answer_launch.c ----
// Launches too small for the chip. False: they are not, or their number of programs is not known.
bool answer_small_launch(const struct asking *a, struct answer *answer);
// For a launch with all programs at once: adds a sentence on their start and end, uncovered by others, if these count.
void answer_add_single_round(const struct asking *a, struct answer *answer);

// ---- answer_caches.c: loads shared by programs ----
// Percent of the loads for caches to serve, for memory to keep up with the units.
double answer_to_be_served(const struct estimate *e);
// "what a program's loop loads of k and v": the loads that caches serve.
const char *answer_served_loads(const struct asking *a);
// A tool for measuring the part of the loads served by caches.
const char *answer_measuring(const struct asking *a);
// The least possible part served by caches, of launches of the sizes asked for.
struct page_served answer_least_served(const struct asking *a);
// "They can serve up to 91 %: programs …", `needed` percent being asked for.
const char *answer_can_serve(const struct asking *a, double needed);
// ", as long as caches serve 71 % …", for memory to keep up with the units of the estimate; "": no need.
const char *answer_condition_of(const struct asking *a, const struct estimate *e);
// ", as long as caches serve 87 % …": the part of the loads that caches have to serve in the launch, for memory to take no longer than these
// seconds; "": none.
const char *answer_condition(const struct asking *a, double seconds);
// The same for a step of a spilling kernel: now, and after the change.
const char *answer_spill_condition(const struct asking *a, const struct estimate *e, double now,
                                   double after);

// ---- answer_variants.c ----
const char *answer_variant_name(const struct page_part *page, size_t kernel);
// The variant with clearly fewer bytes an operation, of several alike one taken by launches. False: there is none.
bool answer_leanest(const struct asking *a, const struct estimate *own, struct page_part *found,
                    struct estimate *best);
// Advice to use the variant: the sizes of launches with it, and how to force it.
const char *answer_use_of(const struct asking *a, const struct page_part *other);
// Tiles twice as large, if a thread has registers for their floats with some number of warps; else why not. For a kernel of which no
// variant loads fewer bytes for each operation.
const char *answer_larger_tiles(const struct asking *a, const char *or_else);

// The other variant with the least time, in a launch of the largest size. False: there is none.
bool answer_fastest(const struct asking *a, struct page_part *found, struct page_times *best);
// Whether another variant is faster, as a clause; "": there is none.
const char *answer_other_variants(const struct asking *a);

// ---- answer_twice.c ----
// Of a kernel with bytes loaded twice (estimate.again): how to load them once.
const char *answer_read_once(const struct asking *a);
// The operations and the instructions for accesses of a program with one such load of the same rows. False: not known.
bool answer_work_read_once(const struct asking *a, double *arithmetic, double *accesses);

// ---- answer_plain.c: kernels without products ----
// "a program does 2.67 operations for each byte"
const char *answer_intensity(const struct asking *a, double intensity);
void answer_by_plain_memory(const struct asking *a, const struct estimate *e, struct answer *answer);
void answer_by_threads(const struct asking *a, const struct estimate *e,
                       struct answer *answer); // their instructions

// ---- answer_peak.c: the resource with the longest time at its peak ----
void answer_by_peak(const struct asking *a, struct answer *answer);

#endif
