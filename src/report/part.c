// A part's facts that the other files of the page ask for: figures and names of its kernels, and the other variants.
#include "report/page.h"

#include <string.h>

const struct resources *page_resources(const struct page_part *page, size_t kernel) {
    const struct resources *all = page->part->resources;
    return all ? &all[page->part->first + kernel] : NULL;
}

const char *page_config(const struct page_part *page, size_t kernel) {
    return page->report->kernels[page->part->first + kernel].config_text;
}

void page_add_heading(const struct page_part *page, size_t kernel, const char *text, struct strbuf *out) {
    const struct report_code *code = page->part->code;
    bool several = code->kernel_count > 1;
    html_add(out, "<h4>%s%s%s</h4>\n", text, several ? " of " : "",
             several ? code->kernels[kernel].name : "");
}

bool page_next_variant(const struct page_part *page, size_t kernel, size_t *next, struct page_part *variant) {
    const struct report *report = page->report;
    const char *function = report->kernels[page->part->first + kernel].function;
    while (*next < report->part_count) {
        const struct report_part *part = &report->parts[(*next)++];
        if (part->target == page->part->target && part != page->part &&
            strcmp(report->kernels[part->first].function, function) == 0) {
            *variant =
                (struct page_part){.arena = page->arena, .report = report, .part = part, .number = *next - 1};
            return true;
        }
    }
    return false;
}

const struct remark *page_remark(const struct page_part *page, size_t kernel, enum remark_kind kind,
                                 unsigned line) {
    const struct remarks *remarks = page->part->remarks;
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = &remarks->list[i];
        if (r->kind == kind && r->at.line == line &&
            strcmp(r->kernel, page->part->code->kernels[kernel].name) == 0) {
            return r;
        }
    }
    return NULL;
}
