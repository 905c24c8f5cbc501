// The time of a launch by resource.
#ifndef TKC_REPORT_TIMES_H
#define TKC_REPORT_TIMES_H

#include "report/estimate.h"

enum page_unit {
#define UNIT(id, name) UNIT_##id,
#include "report/units.def"
#undef UNIT
    PAGE_UNITS
};

extern const double PAGE_START; // seconds of a kernel without work

struct page_times {
    double seconds[PAGE_UNITS];
    unsigned longest;   // of all but the start
    double work, whole; // of all but the start, together; with it
    bool starts;        // the start is the longest
};

// The longest time of all, and those about as long: such resources bound the launch together. A bit a unit.
unsigned page_longest_units(const struct page_times *times);
const char *page_unit_name(const struct page_part *page, size_t kernel, enum page_unit unit);
// Programs of the multiprocessor with the most.
double page_rounds(const struct estimate *e);
double page_together(const double seconds[PAGE_UNITS]); // all but the start
// Of the page's run. False: there is none, or the chip has no peaks.
bool page_launch_times(const struct page_part *page, size_t kernel, struct page_times *times);

#endif
