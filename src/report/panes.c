// Source, tile IR, LLVM and final code side by side. Lines from one line of the source carry its number (data-l), and the
// script marks them together.
#include "report/page.h"

#include <string.h>

static void add_line(unsigned source_line, const char *text, size_t length, struct strbuf *out) {
    if (source_line) {
        html_add(out, "<i data-l=\"%u\">", source_line);
    } else {
        strbuf_add(out, "<i>");
    }
    html_text(out, text, length);
    strbuf_add(out, "\n</i>");
}

static void open_pane(const char *name, const char *more, struct strbuf *out) {
    html_add(out, "<div class=\"pane\"><h5>%s%s</h5><pre tabindex=\"0\" aria-label=\"%s\">", name, more,
             name);
}

static void add_source_pane(const struct page_part *page, struct strbuf *out) {
    open_pane("source", "", out);
    for (unsigned line = 1; line <= page->line_count; line++) {
        const char *text;
        size_t length = source_line(page->report->source, line, &text);
        add_line(line, text, length, out);
    }
    strbuf_add(out, "</pre></div>\n");
}

static void add_text_pane(const struct report_text *text, struct strbuf *out) {
    const char *at = text->text;
    open_pane(text->name, "", out);
    for (size_t i = 0; i < text->count; i++) {
        size_t length = strcspn(at, "\n");
        add_line(text->lines[i], at, length, out);
        at += length + 1;
    }
    strbuf_add(out, "</pre></div>\n");
}

void page_add_panes(const struct page_part *page, struct strbuf *out) {
    html_add(out, "<h4>Code, line by line</h4>\n<p class=\"quiet script\">A line that is pointed at, clicked "
                  "or reached by the arrow keys is marked in all "
                  "of them.</p>\n<div class=\"panes\">\n");
    add_source_pane(page, out);
    for (int i = 0; i < REPORT_TEXTS; i++) {
        if (page->part->code->texts[i].name) {
            add_text_pane(&page->part->code->texts[i], out);
        }
    }
    strbuf_add(out, "</div>\n");
}
