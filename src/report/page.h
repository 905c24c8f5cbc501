// Between the files that write the page.
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
    bool has_resources;     // of the first kernel
    const struct resources *resources;
};

struct page_part page_part_of(struct arena *arena, const struct report *report, size_t number);
const struct resources *page_resources(const struct page_part *page,
                                       size_t kernel); // of a kernel of the part
const char *page_config(const struct page_part *page,
                        size_t kernel); // "BLOCK=64, num_warps=4"; "" without variants

// ---- answer.c: what bounds a kernel, and what one would change ----
struct answer {
    const char *bound, *change;
};
struct answer page_answer(const struct page_part *page, size_t kernel);
void page_add_answer(const struct page_part *page, size_t kernel, struct strbuf *out);

// ---- tables.c ----
void page_add_resources(const struct page_part *pages, size_t count,
                        struct strbuf *out); // of all parts of a target
void page_add_source(const struct page_part *page, struct strbuf *out);
void page_add_mix(const struct line_mix *mix,
                  struct strbuf *out); // "4 matrix products, 2 global loads of 16 B"

// ---- panes.c ----
void page_add_panes(const struct page_part *page, struct strbuf *out);

#endif
