// Growable string. A zeroed struct is a valid empty buffer; strbuf_free gives the memory back.
#ifndef TKC_SUPPORT_STRBUF_H
#define TKC_SUPPORT_STRBUF_H

#include <stddef.h>

struct strbuf {
    char *data; // NUL-terminated once anything was added; NULL before
    size_t length;
    size_t capacity;
};

void strbuf_add(struct strbuf *buf, const char *text);
void strbuf_add_bytes(struct strbuf *buf, const void *bytes, size_t length);
void strbuf_add_char(struct strbuf *buf, char c);
void strbuf_printf(struct strbuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *strbuf_text(const struct strbuf *buf); // "" for an empty buffer
void strbuf_clear(struct strbuf *buf);             // keeps the memory
void strbuf_free(struct strbuf *buf);

#endif
