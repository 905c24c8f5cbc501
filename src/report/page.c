// The document: a section a target with its answers and the table of its variants, then a part for each compiled variant.
//
// Everything of need to a reader is text and tables, without JavaScript; the script only links lines and chooses columns.
// Pictures and code of later variants are left out of a page beyond REPORT_BYTES_MAX.
//
// test: tests/cli/check_report.py
#include "report/page.h"

#include <string.h>

#include "support/file.h"
#include "tkc/tkc.h"

static const struct page_file *page_file(const char *name) {
    const struct page_file *file = page_files;
    while (file->name && strcmp(file->name, name) != 0) {
        file++;
    }
    return file;
}

static unsigned lines_of(const struct source *source) {
    unsigned lines = 0;
    for (const char *at = source->text; *at; lines++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return lines;
}

// ---- instructions by line ----

struct counting {
    struct page_part *page;
    const struct report_text *code;
    const char *at; // the place up to which lines were counted
    size_t line;    // of the code
};

static void count(void *user, const char *mnemonic, struct instruction_facts facts) {
    struct counting *c = user;
    for (; c->at < mnemonic; c->at++) {
        c->line += *c->at == '\n';
    }
    unsigned line = c->line < c->code->count ? c->code->lines[c->line] : 0;
    struct line_mix *mix = &c->page->mixes[line <= c->page->line_count ? line : 0];
    unsigned width = facts.width < LISTING_WIDEST ? facts.width : LISTING_WIDEST;
    mix->all++;
    mix->kinds[facts.kind]++;
    mix->loads[width] += facts.kind == INSTRUCTION_GLOBAL_LOAD;
    mix->stores[width] += facts.kind == INSTRUCTION_GLOBAL_STORE;
    c->page->all++;
    if (line && mix->all > c->page->most) {
        c->page->most = mix->all;
    }
}

static struct page_part part_of(struct arena *arena, const struct report *report, size_t number) {
    struct page_part page = {.arena = arena,
                             .report = report,
                             .part = &report->parts[number],
                             .number = number,
                             .line_count = lines_of(report->source)};
    page.pictured = ARENA_ARRAY(arena, bool, PAGE_LAYOUTS);
    page.mixes = ARENA_ARRAY(arena, struct line_mix, page.line_count + 2);
    const struct report_code *code = page.part->code;
    const struct report_text *text = &code->texts[REPORT_CODE];
    for (size_t k = 0; k < code->kernel_count; k++) {
        struct counting counting = {.page = &page, .code = text, .at = text->text};
        listing_walk(text->text, text->length, page.part->target->vendor, code->kernels[k].name, count,
                     &counting);
    }
    return page;
}

// ---- the document ----

static void add_head(const struct report *report, struct strbuf *out) {
    const char *name = file_base_name(report->source->path);
    html_add(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s - tkc report</title>\n<style>\n",
             name);
    strbuf_add(out, page_file("style")->text);
    html_add(out,
             "</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n"
             "<p class=\"by\">compiled by tkc %s with LLVM %s</p>\n</header>\n<main>\n",
             name, tkc_version(), tkc_llvm_version());
}

static void add_summary(const struct page_part *page, struct strbuf *out) {
    const struct report_code *code = page->part->code;
    const struct resources *r = page_resources(page, 0);
    bool several = code->kernel_count > 1;
    strbuf_add(out, "<summary><h3>");
    for (size_t k = 0; k < code->kernel_count; k++) {
        const char *config = page_config(page, k);
        html_add(out, "%s%s", k ? ", " : "", *config && !several ? config : code->kernels[k].name);
    }
    strbuf_add(out, "</h3>");
    if (!several && r && r->from) {
        html_add(out, " <span class=\"quiet\">%u registers, occupancy %.0f %%</span>", r->registers,
                 occupancy_percent(&r->occupancy));
    }
    strbuf_add(out, "</summary>\n");
}

// The text of a part: it always stands in the page.
static void add_facts(const struct page_part *page, bool with_answer, struct strbuf *out) {
    for (size_t k = 0; k < page->part->code->kernel_count && with_answer; k++) {
        page_add_answer(page, k, out);
    }
    page_add_source(page, out);
}

// Pictures and code of a part.
static void add_extras(const struct page_part *page, struct strbuf *out) {
    page_add_panes(page, out);
    page_add_loops(page, out);
    page_add_memory(page, out);
    page_add_roofline(page, out);
    page_add_layouts(page, out);
}

static const char *function_of(const struct page_part *page) {
    return page->report->kernels[page->part->first].function;
}

static void add_part(const struct page_part *page, bool is_open, bool has_answer, struct strbuf *out) {
    struct strbuf extras = {0};
    add_extras(page, &extras);
    bool fits = out->length + extras.length < REPORT_BYTES_MAX - (REPORT_BYTES_MAX >> 2);
    if (!fits) {
        memset(page->pictured, 0, PAGE_LAYOUTS * sizeof *page->pictured); // for links to them
    }
    html_add(out, "<details class=\"part\" id=\"p%zu\" data-start=\"%u\"%s>\n", page->number,
             page->part->code->kernels[0].line, is_open ? " open" : "");
    add_summary(page, out);
    add_facts(page, !has_answer, out);
    if (fits) {
        strbuf_add_bytes(out, extras.data, extras.length);
    } else {
        strbuf_add(out, "<p class=\"quiet\">The code and the pictures are left out to keep the page small; "
                        "compile this variant alone (--config, -D) to see them.</p>\n");
    }
    strbuf_free(&extras);
    strbuf_add(out, "</details>\n");
}

// The first variant of a function; they are neighbours.
static bool is_first(const struct page_part *pages, size_t number) {
    return number == 0 || strcmp(function_of(&pages[number]), function_of(&pages[number - 1])) != 0;
}

static void add_comparisons(const struct page_part *pages, size_t count, struct strbuf *out) {
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && !is_first(pages, next); next++) {
        }
        page_add_comparison(&pages[i], next - i, out);
    }
}

static void add_target(const struct page_part *pages, size_t count, struct strbuf *out) {
    html_add(out, "<section class=\"target\">\n<h2>%s</h2>\n", pages->part->target->name);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; is_first(pages, i) && k < pages[i].part->code->kernel_count; k++) {
            page_add_answer(&pages[i], k, out);
        }
    }
    page_add_run(pages, out);
    page_add_resources(pages, count, out);
    for (size_t i = 0; i < count; i++) {
        add_part(&pages[i], i == 0, is_first(pages, i), out);
    }
    add_comparisons(pages, count, out);
    strbuf_add(out, "</section>\n");
}

void report_write(struct arena *arena, const struct report *report, struct strbuf *out) {
    struct page_part *pages = ARENA_ARRAY(arena, struct page_part, report->part_count + 1);
    add_head(report, out);
    for (size_t i = 0; i < report->part_count; i++) {
        pages[i] = part_of(arena, report, i);
    }
    for (size_t i = 0, next = 0; i < report->part_count; i = next) {
        while (next < report->part_count && report->parts[next].target == report->parts[i].target) {
            next++;
        }
        add_target(&pages[i], next - i, out);
    }
    strbuf_add(out, "</main>\n<script>\n");
    strbuf_add(out, page_file("script")->text);
    strbuf_add(out, "</script>\n</body>\n</html>\n");
}
