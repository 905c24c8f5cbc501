// Line breaks in generated text: in C and in comments a line may end behind a comma.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "artifact/header.h"

// The start of the last line of a text.
static size_t last_line(const struct strbuf *out) {
    size_t line = out->length;
    while (line && out->data[line - 1] != '\n') {
        line--;
    }
    return line;
}

void header_wrap(struct strbuf *out, const char *text, const char *next_line) {
    size_t line = last_line(out);
    while (*text) {
        const char *end = text + strcspn(text, ",\n");
        while (*end == ',' && end[1] != ' ') {
            end += 1 + strcspn(end + 1, ",\n");
        }
        size_t length = (size_t)(end - text) + (*end == ',');
        if (out->length - line + length > HEADER_WIDTH && out->length > line &&
            out->data[out->length - 1] == ' ') {
            out->data[--out->length] = 0;
            strbuf_printf(out, "\n%s", next_line);
            line = last_line(out);
        }
        length += *end != 0; // the space or the line break
        strbuf_add_bytes(out, text, length);
        line = *end == '\n' ? out->length : line;
        text += length;
    }
}

void header_add(const struct writer *w, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
    char *text = ARENA_ARRAY(w->arena, char, length + 1);
    vsnprintf(text, length + 1, format, again);
    va_end(again);
    va_end(arguments);
    header_wrap(w->out, text, "        ");
}
