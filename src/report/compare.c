// All variants of a target side by side: their figures, and the instructions of each line. Without the script every column stands there; with
// it a reader picks two, and rows with a difference stand out.
#include "report/page.h"

#include <string.h>

// Lines of the source with instructions in some variant.
static bool has_code(const struct page_part *pages, size_t count, unsigned line) {
    for (size_t i = 0; i < count; i++) {
        if (pages[i].mixes[line].all) {
            return true;
        }
    }
    return false;
}

static void add_figures(const struct page_part *pages, size_t count, struct strbuf *out) {
    for (size_t c = 1; c < resources_columns(); c++) {
        if (strcmp(resources_head(c), "chip") == 0) {
            continue;
        }
        html_add(out, "<tr><th scope=\"row\">%s</th>", resources_head(c));
        for (size_t i = 0; i < count; i++) {
            struct strbuf cell = {0};
            resources_cell(c, page_resources(&pages[i], 0), &cell);
            html_add(out, "<td>%s</td>", strbuf_text(&cell));
            strbuf_free(&cell);
        }
        strbuf_add(out, "</tr>\n");
    }
}

static void add_line(const struct page_part *pages, size_t count, unsigned line, struct strbuf *out) {
    const char *text;
    size_t length = source_line(pages->report->source, line, &text), blank = 0;
    while (blank < length && (text[blank] == ' ' || text[blank] == '\t')) {
        blank++;
    }
    length = length - blank > 64 ? blank + 64 : length;
    html_add(out, "<tr><th scope=\"row\">%u <code>", line);
    html_text(out, text + blank, length - blank);
    strbuf_add(out, "</code></th>");
    for (size_t i = 0; i < count; i++) {
        strbuf_add(out, "<td>");
        if (pages[i].mixes[line].all) {
            html_add(out, "%u: ", pages[i].mixes[line].all);
            page_add_mix(&pages[i].mixes[line], out);
        }
        strbuf_add(out, "</td>");
    }
    strbuf_add(out, "</tr>\n");
}

void page_add_comparison(const struct page_part *pages, size_t count, struct strbuf *out) {
    if (count < 2 || pages->part->code->kernel_count != 1 || !page_resources(pages, 0)) {
        return;
    }
    html_add(
        out,
        "<h3>Variants of %s against each other</h3>\n<div class=\"wide\" role=\"region\" "
        "aria-label=\"variants\" tabindex=\"0\">\n<table "
        "class=\"compare\">\n"
        "<caption>The figures of the table on top, and for each line of the source its instructions by kind"
        "</caption>\n<thead><tr><th scope=\"col\"></th>",
        pages->report->kernels[pages->part->first].function);
    for (size_t i = 0; i < count; i++) {
        const char *config = page_config(&pages[i], 0);
        html_add(out, "<th scope=\"col\">%s</th>", *config ? config : pages[i].part->code->kernels[0].name);
    }
    strbuf_add(out, "</tr></thead>\n<tbody>\n");
    add_figures(pages, count, out);
    for (unsigned line = 1; line <= pages->line_count; line++) {
        if (has_code(pages, count, line)) {
            add_line(pages, count, line, out);
        }
    }
    strbuf_add(out, "</tbody>\n</table></div>\n");
}
