// Source text. A file is copied into the arena once and never changes.
#include "support/source.h"

#include <stdlib.h>
#include <string.h>

#include "support/arena.h"
#include "support/file.h"

static struct source *source_create(struct arena *arena, const char *path, const char *text, size_t length) {
    struct source *source = ARENA_NEW(arena, struct source);
    source->path = arena_strdup(arena, path);
    source->text = arena_strndup(arena, text, length);
    source->length = length;
    return source;
}

struct source *source_read(struct arena *arena, const char *path) {
    size_t length;
    char *text = file_read(path, &length);
    if (!text) {
        return NULL;
    }
    struct source *source = source_create(arena, path, text, length);
    free(text);
    return source;
}

struct source *source_from_text(struct arena *arena, const char *path, const char *text) {
    return source_create(arena, path, text, strlen(text));
}

size_t source_line(const struct source *source, uint32_t line, const char **start) {
    const char *end = source->text + source->length;
    const char *from = source->text;
    for (uint32_t i = 1; i < line; i++) {
        const char *newline = memchr(from, '\n', (size_t)(end - from));
        if (!newline) {
            from = end;
            break;
        }
        from = newline + 1;
    }
    const char *newline = memchr(from, '\n', (size_t)(end - from));
    size_t length = (size_t)((newline ? newline : end) - from);
    if (length && from[length - 1] == '\r') {
        length--;
    }
    *start = from;
    return length;
}
