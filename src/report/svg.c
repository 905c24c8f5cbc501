// SVG, one element a call.
#include "report/svg.h"

#include "report/html.h"

void svg_open(struct strbuf *out, double width, double height, const char *label) {
    html_add(out, "<svg role=\"img\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" aria-label=\"%s\">\n",
             width, height, width, height, label);
}

void svg_close(struct strbuf *out) {
    strbuf_add(out, "</svg>\n");
}

void svg_rect(struct strbuf *out, double x, double y, double width, double height, const char *style) {
    html_add(out, "<rect x=\"%.4g\" y=\"%.4g\" width=\"%.4g\" height=\"%.4g\" class=\"%s\"/>\n", x, y, width,
             height, style);
}

static void open_text(struct strbuf *out, double x, double y, const char *style) {
    html_add(out, "<text x=\"%.4g\" y=\"%.4g\"", x, y);
    if (style) {
        html_add(out, " class=\"%s\"", style);
    }
}

void svg_text(struct strbuf *out, double x, double y, const char *style, const char *text) {
    open_text(out, x, y, style);
    html_add(out, ">%s</text>\n", text);
}

void svg_centred(struct strbuf *out, double x, double y, const char *style, const char *text) {
    open_text(out, x, y, style);
    html_add(out, " text-anchor=\"middle\">%s</text>\n", text);
}

void svg_line(struct strbuf *out, double x0, double y0, double x1, double y1) {
    html_add(out, "<path d=\"M%.4g %.4gL%.4g %.4g\" class=\"line\"/>\n", x0, y0, x1, y1);
}
