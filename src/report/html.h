// Writing HTML: text from outside is escaped here.
#ifndef TKC_REPORT_HTML_H
#define TKC_REPORT_HTML_H

#include <stddef.h>

#include "support/strbuf.h"

// As strbuf_printf, but the text for %s is escaped for HTML. It knows %s, %c, %% and numbers (%u, %d, %lld, %zu, %.1f …).
void html_add(struct strbuf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A sentence: text between backticks is code.
void html_prose(struct strbuf *out, const char *text);
void html_text(struct strbuf *out, const char *text, size_t length); // escaped
// 65536 as "65,536".
void html_number(struct strbuf *out, unsigned long long number);
// Seconds in their unit, with three digits: "560 ns", "1.29 µs".
void html_time(struct strbuf *out, double seconds);

#endif
