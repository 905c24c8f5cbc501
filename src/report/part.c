// A part's facts that the other files of the page ask for: figures and names of its kernels, and the other variants.
#define _GNU_SOURCE // memmem
#include "report/page.h"

#include <string.h>

#include "report/texts.h"

const struct resources *page_resources(const struct page_part *page, size_t kernel) {
    const struct resources *all = page->part->resources;
    return all ? &all[page->part->first + kernel] : NULL;
}

const char *page_config(const struct page_part *page, size_t kernel) {
    return page->report->kernels[page->part->first + kernel].config_text;
}

size_t page_target_number(const struct page_part *page) {
    size_t number = 0;
    for (size_t i = 1; i <= page->number; i++) {
        number += page->report->parts[i].target != page->report->parts[i - 1].target;
    }
    return number;
}

void page_add_heading(const struct page_part *page, size_t kernel, const char *text, struct strbuf *out) {
    const struct report_code *code = page->part->code;
    bool several = code->kernel_count > 1;
    html_add(out, "<h4>%s%s%s</h4>\n", text, several ? " of " : "",
             several ? code->kernels[kernel].name : "");
}

unsigned page_variant_number(const struct page_part *page) {
    unsigned number = 0;
    while (number < page->variant_count && page->variants[number].number != page->number) {
        number++;
    }
    return number;
}

bool page_next_variant(const struct page_part *page, size_t kernel, size_t *next, struct page_part *variant) {
    const struct report *report = page->report;
    const char *function = report->kernels[page->part->first + kernel].function;
    while (*next < report->part_count) {
        const struct report_part *part = &report->parts[(*next)++];
        if (part->target == page->part->target && part != page->part &&
            strcmp(report->kernels[part->first].function, function) == 0) {
            *variant = (struct page_part){.arena = page->arena,
                                          .report = report,
                                          .part = part,
                                          .number = *next - 1,
                                          .variants = page->variants,
                                          .variant_count = page->variant_count,
                                          .launches = page->launches,
                                          .launch_count = page->launch_count};
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

// The bytes of a SASS instruction that begins so: "STL.64 [R1+0xd8], R12", "@!P0 LDL R4, [R1]"; 0: the line has none.
static unsigned bytes_of(const char *line, size_t length, const char *name) {
    static const struct {
        const char *suffix;
        unsigned bytes;
    } widths[] = {{".128", 16}, {".64", 8}, {".U16", 2}, {".S16", 2}, {".U8", 1}, {".S8", 1}};
    const char *at = memmem(line, length, name, strlen(name));
    const char *end = at ? at + strlen(name) : NULL;
    if (!end || (end < line + length && *end != '.' && *end != ' ')) {
        return 0;
    }
    size_t suffixes = strcspn(end, " \n");
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (memmem(end, suffixes, widths[i].suffix, strlen(widths[i].suffix))) {
            return widths[i].bytes;
        }
    }
    return 4;
}

// AMD: LLVM's comment behind the instruction.
static void count_spill(struct line_mix *mix, const char *line, size_t length, enum vendor vendor) {
    if (vendor == VENDOR_AMD) {
        mix->spilled += memmem(line, length, " Folded Spill", 13) != NULL;
        mix->reloaded += memmem(line, length, " Folded Reload", 14) != NULL;
    } else {
        mix->spilled += bytes_of(line, length, " STL");
        mix->reloaded += bytes_of(line, length, " LDL");
    }
}

void page_count_spills(struct page_part *page) {
    enum vendor vendor = page->part->target->vendor;
    const struct report_text *text =
        &page->part->code->texts[vendor == VENDOR_AMD ? REPORT_CODE : REPORT_SASS];
    const char *at = text->name ? text->text : "", *line;
    size_t length;
    for (size_t i = 0; i < text->count && text_next_line(&at, &line, &length); i++) {
        unsigned from = text->lines[i] <= page->line_count ? text->lines[i] : 0;
        count_spill(&page->mixes[from], line, length, vendor);
    }
}

void page_add_spilled(const struct page_part *page, const struct line_mix *mix, struct strbuf *out) {
    if (page->part->target->vendor == VENDOR_AMD) {
        html_add(out, "%u store%s, %u load%s", mix->spilled, mix->spilled == 1 ? "" : "s", mix->reloaded,
                 mix->reloaded == 1 ? "" : "s");
    } else {
        html_add(out, "%u B stored, %u B loaded", mix->spilled, mix->reloaded);
    }
}
