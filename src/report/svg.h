// Drawings inside the page: colours come from the page's style by class, and follow light and dark.
#ifndef TKC_REPORT_SVG_H
#define TKC_REPORT_SVG_H

#include "support/strbuf.h"

// Opens a drawing of this size in units of a pixel; `label` stands for it in words.
void svg_open(struct strbuf *out, double width, double height, const char *label);
void svg_close(struct strbuf *out);
void svg_rect(struct strbuf *out, double x, double y, double width, double height, const char *style);
// `style`: classes; NULL: none. Centred texts have their middle at x.
void svg_text(struct strbuf *out, double x, double y, const char *style, const char *text);
void svg_centred(struct strbuf *out, double x, double y, const char *style, const char *text);
void svg_line(struct strbuf *out, double x0, double y0, double x1, double y1);

#endif
