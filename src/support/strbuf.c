// Growable string: doubles its capacity, always keeps room for the closing NUL.
#include "support/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bug.h"
#include "support/memory.h"

static void reserve(struct strbuf *buf, size_t extra) {
    if (extra > SIZE_MAX / 4 || buf->length > SIZE_MAX / 4) {
        bug("string of %zu bytes grows by %zu", buf->length, extra);
    }
    size_t needed = buf->length + extra + 1;
    if (needed <= buf->capacity) {
        return;
    }
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *data = realloc(buf->data, capacity);
    if (!data) {
        out_of_memory(capacity);
    }
    buf->data = data;
    buf->capacity = capacity;
}

void strbuf_add_bytes(struct strbuf *buf, const void *bytes, size_t length) {
    reserve(buf, length);
    if (length) {
        memcpy(buf->data + buf->length, bytes, length);
    }
    buf->length += length;
    buf->data[buf->length] = 0;
}

void strbuf_add(struct strbuf *buf, const char *text) {
    strbuf_add_bytes(buf, text, strlen(text));
}

void strbuf_add_char(struct strbuf *buf, char c) {
    strbuf_add_bytes(buf, &c, 1);
}

void strbuf_printf(struct strbuf *buf, const char *format, ...) {
    va_list args;
    reserve(buf, 0);
    size_t room = buf->capacity - buf->length;
    va_start(args, format);
    int length = vsnprintf(buf->data + buf->length, room, format, args);
    va_end(args);
    if (length < 0) {
        bug("cannot format \"%s\"", format);
    }
    if ((size_t)length >= room) {
        reserve(buf, (size_t)length);
        va_start(args, format);
        vsnprintf(buf->data + buf->length, (size_t)length + 1, format, args);
        va_end(args);
    }
    buf->length += (size_t)length;
}

const char *strbuf_text(const struct strbuf *buf) {
    return buf->data ? buf->data : "";
}

void strbuf_clear(struct strbuf *buf) {
    buf->length = 0;
    if (buf->data) {
        buf->data[0] = 0;
    }
}

void strbuf_free(struct strbuf *buf) {
    free(buf->data);
    *buf = (struct strbuf){0};
}
