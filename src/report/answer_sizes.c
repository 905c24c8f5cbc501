// The page of a launch of some size: a copy with the launch as its run.
//
// test: tests/cli/check_report.py
#include "report/answer.h"
#include "report/page.h"

struct sized {
    struct page_part page;
    struct report report;
    struct report_run run;
};

const char *answer_size(const struct asking *a) {
    return a->high ? arena_printf(a->arena, "at %s = %lld", page_key_text(a->page), (long long)a->high->size)
                   : "in this run";
}

bool answer_caches_again(const struct page_part *page, const struct estimate *e) {
    return page_at_work(page, 0) * e->again <= e->peaks->cache;
}

// Bytes that DRAM has to send in the launch, if caches serve all that they can; without products, if each byte of the arrays moves once.
// 0: not known.
static double least_bytes(const struct page_part *page, const struct page_launch *launch,
                          const struct page_part *sized) {
    struct page_served served = page_served(page, 0, launch);
    struct estimate e = page_estimate(sized, 0);
    double shared = e.looped > 0 ? e.looped : e.bytes;
    double bytes = served.why ? e.programs * (e.bytes - shared * served.percent / 100) : 0;
    return (e.operations > 0 && bytes > launch->array_bytes) || !(launch->array_bytes > 0)
               ? bytes
               : launch->array_bytes + (answer_caches_again(sized, &e) ? 0 : e.programs * e.again);
}

const struct page_part *answer_page_at(const struct page_part *page, const struct page_launch *launch) {
    struct sized *sized = ARENA_NEW(page->arena, struct sized);
    const unsigned *grid = launch->grids[page_variant_number(page)];
    *sized = (struct sized){.page = *page, .report = *page->report};
    sized->page.report = &sized->report;
    sized->report.run = &sized->run;
    sized->run = (struct report_run){
        .grid = {grid[0], grid[1], grid[2]}, .values = launch->values, .value_count = launch->value_count};
    sized->run.array_bytes = least_bytes(page, launch, &sized->page);
    return &sized->page;
}
