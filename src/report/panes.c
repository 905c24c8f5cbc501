// Source, tile IR, LLVM and final code side by side. Lines from one line of the source carry its number (data-l), and the
// script marks them together.
#include "report/page.h"

#include <string.h>

// Opens an element for lines of the pane from one line of the source; neighbours share one.
static void open_lines(unsigned source_line, struct strbuf *out) {
    if (source_line) {
        html_add(out, "<i data-l=\"%u\">", source_line);
    } else {
        strbuf_add(out, "<i>");
    }
}

static void open_pane(const char *name, struct strbuf *out) {
    html_add(out, "<div class=\"pane\"><h5>%s</h5><pre tabindex=\"0\" aria-label=\"%s\">", name, name);
}

static void add_source_pane(const struct page_part *page, struct strbuf *out) {
    open_pane("source", out);
    for (unsigned line = 1; line <= page->line_count; line++) {
        const char *text;
        size_t length = source_line(page->report->source, line, &text);
        open_lines(line, out);
        html_text(out, text, length);
        strbuf_add(out, "\n</i>");
    }
    strbuf_add(out, "</pre></div>\n");
}

// The beginning and the end of a long line, as LLVM has them for results of a hundred numbers.
enum { LINE_MOST = 240, LINE_HEAD = 160, LINE_TAIL = 60 };
static void add_cut(const char *text, size_t length, struct strbuf *out) {
    size_t head = LINE_HEAD, tail = length - LINE_TAIL;
    if (length <= LINE_MOST) {
        html_text(out, text, length);
        return;
    }
    while (head > 0 && ((unsigned char)text[head] & 0xC0) == 0x80) { // within a character of UTF-8
        head--;
    }
    while (tail < length && ((unsigned char)text[tail] & 0xC0) == 0x80) {
        tail++;
    }
    html_text(out, text, head);
    html_add(out, " … %zu characters … ", tail - head);
    html_text(out, text + tail, length - tail);
}

static void add_text_pane(const struct report_text *text, struct strbuf *out) {
    const char *at = text->text;
    open_pane(text->name, out);
    for (size_t i = 0; i < text->count; i++) {
        size_t length = strcspn(at, "\n");
        if (i == 0 || text->lines[i] != text->lines[i - 1]) {
            strbuf_add(out, i ? "</i>" : "");
            open_lines(text->lines[i], out);
        }
        add_cut(at, length, out);
        strbuf_add_char(out, '\n');
        at += length + 1;
    }
    strbuf_add(out, text->count ? "</i>" : "");
    strbuf_add(out, "</pre></div>\n");
}

void page_add_panes(const struct page_part *page, struct strbuf *out) {
    html_add(out,
             "<h4>Code, line by line</h4>\n<p class=\"quiet script\">A line that is pointed at, clicked "
             "or reached by the arrow keys is marked in all "
             "of them.</p>\n<p class=\"quiet\">Lines beyond %d characters are cut in the middle.</p>\n<div "
             "class=\"panes\">\n",
             LINE_MOST);
    add_source_pane(page, out);
    for (int i = 0; i < REPORT_TEXTS; i++) {
        if (page->part->code->texts[i].name) {
            add_text_pane(&page->part->code->texts[i], out);
        }
    }
    strbuf_add(out, "</div>\n");
}
