// Between the files of the page's writer.
#ifndef TKC_REPORT_PAGE_H
#define TKC_REPORT_PAGE_H

#include "report/html.h"
#include "report/report.h"

// The embedded style and script (src/report/page).
struct page_file {
    const char *name; // "style"
    const char *text;
    size_t length;
};
extern const struct page_file page_files[]; // the last row has the name NULL

// The instructions of a source line.
struct line_mix {
    unsigned all;
    unsigned kinds[INSTRUCTION_KINDS];
    unsigned loads[LISTING_WIDEST + 1], stores[LISTING_WIDEST + 1]; // of global memory, by bytes of a thread
    // Values of a thread stored in memory and loaded again: bytes, of AMD's code instructions.
    unsigned spilled, reloaded;
};

// A launch with all sizes of the key equal.
struct page_launch {
    int64_t size;
    unsigned variant;                  // of the function's variants on the target, the one taken
    unsigned (*grids)[3];              // of each variant, in programs; 0, 0, 0: it has none
    const struct report_value *values; // of the kernel's parameters
    size_t value_count;
    double array_bytes; // of all arrays; 0: the source does not say their sizes
};

// A part of the page under construction.
struct page_part {
    struct arena *arena;
    const struct report *report;
    const struct report_part *part;
    size_t number;          // of the part, for names in the page
    struct line_mix *mixes; // by source line; [0]: instructions of no line
    unsigned line_count;    // of the source
    unsigned all, most;     // instructions of the kernels, and of the line with the most
    bool *pictured;         // by number of the dump: the page has a picture of this layout
    // Sizes of an untuned launch for the variant: "128 to 512", "none"; NULL: there is no such choice.
    const char *sizes;
    unsigned sizes_taken; // how many of the launches take the variant
    // All choices of a launch, and launches of growing size; NULL: the page knows no launches.
    const struct page_part *variants;
    size_t variant_count;
    const struct page_launch *launches;
    size_t launch_count;
};
enum { PAGE_LAYOUTS = 256 }; // numbers in a dump

// ---- part.c ----
const struct resources *page_resources(const struct page_part *page,
                                       size_t kernel); // of a kernel of the part
const char *page_config(const struct page_part *page,
                        size_t kernel);                  // "BLOCK=64, num_warps=4"; "" without variants
size_t page_target_number(const struct page_part *page); // of the part's target in the reflection
// "<h4>Loops</h4>", with the kernel's name if a part has several.
void page_add_heading(const struct page_part *page, size_t kernel, const char *text, struct strbuf *out);
unsigned page_variant_number(const struct page_part *page); // among page->variants
// The next other variant of a kernel on the part's target, without its tables: its kernel 0. False: there are no more. *next: 0 at first.
bool page_next_variant(const struct page_part *page, size_t kernel, size_t *next, struct page_part *variant);

// The remark of a kind on a kernel at a line; NULL: none.
const struct remark *page_remark(const struct page_part *page, size_t kernel, enum remark_kind kind,
                                 unsigned line);

// Counts the instructions of spills and arrays of a thread by line, in the machine code (NVIDIA's with nvdisasm).
void page_count_spills(struct page_part *page);
// "508 B stored, 456 B loaded": of a line.
void page_add_spilled(const struct page_part *page, const struct line_mix *mix, struct strbuf *out);

// ---- machine_loop.c: NVIDIA's machine code ----
// A pass of the main loop, of a thread: `moved`, bytes of accesses on the path to shared memory and the cache, 4 or more each;
// `spilled`, the part of them of spilled values.
struct page_machine_loop {
    unsigned instructions, products, spills, spilled, moved;
    unsigned line; // of the source, the first; 0: not known
};
bool page_machine_loop(const struct page_part *page, size_t kernel,
                       struct page_machine_loop *found); // false: no loop is known

// ---- answer.c: the bound of a kernel, and a change ----
void page_add_answer(const struct page_part *page, size_t kernel, struct strbuf *out); // for any sizes
void page_add_answers(const struct page_part *first, struct strbuf *out); // of all launches, by size
const char *page_bound(const struct page_part *page, size_t kernel);      // in few words: "matrix units"

// ---- answer_table.c: of a function's launches ----
// after: seconds of each, after the answer's change; 0: not known
void page_add_launches(const struct page_part *first, const double *after, struct strbuf *out);

// ---- answer_notes.c: above the answers ----
void page_add_cards_note(const struct target *target, struct strbuf *out); // the card of the figures
// The constants compiled with, the way of counting steps, and a note: sizes are not told apart.
void page_add_answer_notes(const struct page_part *first, struct strbuf *out);

// ---- picks.c: the variant of a launch ----
void page_find_picks(struct page_part *pages, size_t count); // of the variants of one function on a target
void page_add_picks_note(const struct page_part *pages, struct strbuf *out);
const char *page_key_text(const struct page_part *page); // "M = N = K", of a page with launches
// "512 to 2048", "512"
const char *page_size_range(struct arena *arena, const struct page_launch *low,
                            const struct page_launch *high);

// ---- served.c: loads shared by programs ----
// Percent of a program's loads served by caches at most, and why; 0 and NULL: not known.
struct page_served {
    double percent;
    const char *why; // a clause
};
// `launch` NULL: of a launch with enough programs for the chip.
struct page_served page_served(const struct page_part *page, size_t kernel, const struct page_launch *launch);
// The number of programs at work, different on some axes alone, for caches to serve so much; 0: not known.
unsigned page_sharers(const struct page_part *page, size_t kernel, double percent, const char **axes);
double page_at_work(const struct page_part *page,
                    size_t kernel); // programs at work on the chip at a time; 0: not known
// Programs of a launch; 0: not known, or the variant has no such launch.
double page_programs(const struct page_part *page, const struct page_launch *launch);

// ---- tables.c ----
void page_add_resources(const struct page_part *pages, size_t count,
                        struct strbuf *out); // of all parts of a target
void page_add_source(const struct page_part *page, struct strbuf *out);
void page_add_mix(const struct line_mix *mix,
                  struct strbuf *out); // "4 matrix products, 2 global loads of 16 B"

// ---- panes.c ----
void page_add_panes(const struct page_part *page, struct strbuf *out);

// ---- runs.c, layouts.c, memory.c, schedule.c, roofline.c, compare.c: pictures, and the tables beside them ----
void page_add_layouts(const struct page_part *page, struct strbuf *out);
void page_add_memory(const struct page_part *page, struct strbuf *out);
void page_add_loops(const struct page_part *page, struct strbuf *out);
void page_add_run(const struct page_part *page, struct strbuf *out);
void page_add_roofline(const struct page_part *page, struct strbuf *out);
void page_add_comparison(const struct page_part *pages, size_t count,
                         struct strbuf *out); // of a target's variants

#endif
