// The time of a program at the chip's peak rates, by resource.
#ifndef TKC_REPORT_ESTIMATE_H
#define TKC_REPORT_ESTIMATE_H

#include "chip/peaks.h"
#include "report/page.h"

// A steady step of a program: one of each loop counted by an argument, or the whole program without such a loop. Of an `if` whose
// branches are told apart (report_branch) one counts: the one that the values of a run take, else the one with more work.
struct estimate {
    const struct peaks *peaks; // NULL: the chip has none
    double operations;         // of products, two a multiply-add
    double simple, special;    // elementwise operations, of ordinary and of special units
    double bytes;              // of global memory, as asked for by the program: caches may serve them
    double again;              // of the bytes, the part loaded by another loop before
    double looped;             // of the bytes, the part in loops counted by an argument
    // The access whose mask leaves out the most bytes: elements of a tile along the dimensions with a limit, and those inside, on the mean of
    // programs. 0: no mask of the run leaves any out.
    double tile, inside, masked; // masked: the bytes
    double accesses;             // instructions for accesses of global memory, of kernels without products
    // Bytes read from shared memory and written to it, those of changes of layouts and partial results, and barriers.
    double shared, exchanged, barriers;
    unsigned exchange_line; // of a large exchange; 0: none is known
    double intensity;       // operations a byte, of products if there are any; 0: nothing is loaded
    double rate; // peak of the products' type, without products of f32, operations a second; 0: not known
    // Seconds on one multiprocessor at peak.
    double products_time, simple_time, special_time, shared_time;
    double cache_time;   // of the L2 cache, for all bytes; 0: its rate is not known
    double longest_unit; // of these five
    double memory_time;  // as if each byte came from DRAM
    // Of a run: work of the whole program instead of a step, the number of programs, and the time of its share of the arrays, if each of
    // their bytes moves once.
    double programs, once_time;
    bool steps; // the work of a step
    // Of two branches with work, the one taken here: the first such choice; NULL: none.
    const struct report_branch *branch;
};
extern const char *const page_id_names[3]; // of a program's ids in the texts of terms
// How often a program does a term's amounts, on the mean of the run's programs.
double page_times(const struct report_run *run, const struct report_term *term);
// Of the loops that end where the program computes it: the steps of the longest program over the mean; 1 without such loops.
double page_unevenness(const struct report_run *run, const struct report_kernel *kernel);

// False for an access in a branch outside of the estimate.
bool page_counts(const struct page_part *page, size_t kernel, const struct report_access *access);
// True if shared memory takes clearly longer than every other unit: the bound in words, and the change to make.
bool page_bound_by_shared(const struct page_part *page, size_t kernel, const struct estimate *e,
                          const char **bound, const char **change);
// Computes a branch's condition with the values of the run. False: there is no run, or it does not have the values.
bool page_decides(const struct report_run *run, const struct report_branch *branch, int64_t *holds);
struct estimate page_estimate(const struct page_part *page, size_t kernel);

#endif
