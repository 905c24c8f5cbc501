// Shared memory over a kernel's life: bytes downwards, the program's order from left to right; and the same as a table.
#include "report/page.h"

#include <stdio.h>

#include "report/svg.h"

enum { WIDTH = 720, HEIGHT = 200, LEFT = 88, TOP = 12, ROWS = 16, LABEL = 190, TIGHT = 24 };

static const char *const kind_names[] = {[PIECE_BUFFER] = "buffer",
                                         [PIECE_SCRATCH] = "scratch",
                                         [PIECE_BARRIERS] = "barriers",
                                         [PIECE_ADDRESS] = "address"};

static void add_piece(const struct page_part *page, struct strbuf *out, const struct report_kernel *kernel,
                      const struct report_piece *piece, unsigned total) {
    double scale = (double)WIDTH / (double)(kernel->op_count ? kernel->op_count : 1);
    double x = LEFT + (double)piece->first * scale, width = (double)(piece->last - piece->first + 1) * scale;
    double y = TOP + (double)piece->offset * HEIGHT / total, height = (double)piece->bytes * HEIGHT / total;
    char text[96];
    width = width < 3 ? 3 : width;
    svg_rect(out, x, y, width, height < 1 ? 1 : height,
             piece->kind == PIECE_BUFFER ? "edge copy" : "edge wait");
    bool has_label = height >= 12 && width >= LABEL;
    for (unsigned s = 1; s < piece->stages && height / piece->stages >= 3; s++) {
        double down = s * height / piece->stages, from = has_label && down < 17 ? LABEL : 0;
        svg_line(out, x + from, y + down, x + width, y + down);
    }
    snprintf(text, sizeof text, "line %u: %s%s", piece->line, piece->what,
             piece->stages > 1 ? arena_printf(page->arena, ", %u slots", piece->stages) : "");
    if (has_label) {
        svg_text(out, x + 6, y + 13, height < TIGHT ? "bar-text tight" : "bar-text", text);
    }
}

static void add_picture(const struct page_part *page, const struct report_kernel *kernel, unsigned total,
                        struct strbuf *out) {
    char text[32];
    svg_open(out, LEFT + WIDTH + 8, TOP + HEIGHT + 34, "pieces of shared memory over the program");
    unsigned step = 16;
    while (total / step > 6) { // bytes between marks of the axis
        step *= 2;
    }
    for (unsigned bytes = 0; bytes <= total; bytes += step) {
        double y = TOP + (double)bytes * HEIGHT / total;
        snprintf(text, sizeof text, step < 1024 ? "%u B" : "%u KiB", step < 1024 ? bytes : bytes / 1024);
        svg_text(out, 4, y + 4, "faint", text);
        svg_line(out, LEFT - 6, y, LEFT, y);
    }
    for (size_t i = 0; i < kernel->piece_count; i++) {
        add_piece(page, out, kernel, &kernel->pieces[i], total);
    }
    svg_text(out, LEFT, TOP + HEIGHT + 24, "faint", "beginning of the program");
    svg_text(out, LEFT + WIDTH - 40, TOP + HEIGHT + 24, "faint", "end");
    svg_close(out);
}

static void add_table(const struct report_kernel *kernel, struct strbuf *out) {
    strbuf_add(
        out,
        "<div class=\"wide\" role=\"region\" aria-label=\"pieces\" tabindex=\"0\"><table "
        "class=\"small\"><caption>Pieces of it: a buffer holds a tile, in several slots for several steps; "
        "offset: the byte of the block's shared memory at which it begins</caption>"
        "<thead><tr><th scope=\"col\">piece</th><th "
        "scope=\"col\">what</th><th scope=\"col\">line</th><th "
        "scope=\"col\">offset</th>"
        "<th scope=\"col\">bytes</th><th scope=\"col\">slots</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < kernel->piece_count && i < ROWS; i++) {
        const struct report_piece *piece = &kernel->pieces[i];
        html_add(out, "<tr data-l=\"%u\"><td>%s</td><td>%s</td><td>%u</td><td>", piece->line,
                 kind_names[piece->kind], piece->what, piece->line);
        html_number(out, piece->offset);
        strbuf_add(out, "</td><td>");
        html_number(out, piece->bytes);
        html_add(out, "</td><td>%u</td></tr>\n", piece->stages);
    }
    strbuf_add(out, "</tbody></table></div>\n");
    if (kernel->piece_count > ROWS) {
        html_add(out, "<p class=\"quiet\">and %zu more</p>\n", kernel->piece_count - ROWS);
    }
}

void page_add_memory(const struct page_part *page, struct strbuf *out) {
    for (size_t k = 0; k < page->part->code->kernel_count; k++) {
        const struct report_kernel *kernel = &page->part->code->kernels[k];
        unsigned total = kernel->shared_bytes;
        if (!total) {
            continue;
        }
        page_add_heading(page, k, "Shared memory over the kernel's life", out);
        strbuf_add(out, "<figure class=\"memory\">\n");
        add_picture(page, kernel, total, out);
        strbuf_add(out, "<figcaption>");
        html_number(out, total);
        strbuf_add(out, " bytes of the ");
        html_number(out, page->part->target->shared_limit);
        strbuf_add(out, " that a block can have. Blue: buffers with their slots; orange: scratch of single "
                        "operations, and barriers.</figcaption>\n</figure>\n");
        add_table(kernel, out);
    }
}
