// Source text. A file is copied into the arena once and never changes.
#include "support/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/arena.h"
#include "support/file.h"

// Speeds up source_line: some compilations print thousands of messages.
static void mark_lines(struct arena *arena, struct source *source) {
    const char *end = source->text + source->length;
    size_t lines = 1;
    for (const char *at = source->text; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        lines++;
    }
    uint32_t *marks = ARENA_ARRAY(arena, uint32_t, lines / SOURCE_MARK + 1);
    size_t line = 0;
    for (const char *at = source->text; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        if (++line % SOURCE_MARK == 0) {
            marks[line / SOURCE_MARK] = (uint32_t)(at + 1 - source->text);
        }
    }
    source->marks = marks;
    source->mark_count = lines / SOURCE_MARK + 1;
}

static struct source *source_create(struct arena *arena, const char *path, const char *text, size_t length) {
    struct source *source = ARENA_NEW(arena, struct source);
    source->path = arena_strdup(arena, path);
    source->text = arena_strndup(arena, text, length);
    source->length = length;
    mark_lines(arena, source);
    return source;
}

static const char *reading_failed(void) {
    _Static_assert(SOURCE_BYTES_MAX == 64 << 20, "as the message says");
    switch (errno) {
    case ENOENT:
    case ENOTDIR:
        return NULL;
    case EFBIG:
        return "it is larger than 64 MiB, the most that a source may be";
    case ESPIPE:
        return "it is a device or a pipe; give the text on standard input, with - as its name";
    default:
        return strerror(errno);
    }
}

bool source_identify(const char *path, struct source_identity *identity) {
    struct stat info;
    bool there = stat(path, &info) == 0;
    *identity = there ? (struct source_identity){(uint64_t)info.st_dev, (uint64_t)info.st_ino}
                      : (struct source_identity){0};
    return there;
}

bool source_identity_equal(struct source_identity a, struct source_identity b) {
    return a.device == b.device && a.number == b.number;
}

struct source *source_read(struct arena *arena, const char *path, const char **why) {
    bool is_stdin = strcmp(path, "-") == 0;
    size_t length = 0;
    char *text;
    if (is_stdin) {
        text = file_read_descriptor(STDIN_FILENO, SOURCE_BYTES_MAX, &length);
    } else {
        text = file_read_bounded(path, SOURCE_BYTES_MAX, &length);
    }
    if (!text) {
        *why = reading_failed();
        return NULL;
    }
    struct source *source = source_create(arena, is_stdin ? "<stdin>" : path, text, length);
    source->is_stdin = is_stdin;
    if (!is_stdin) {
        source_identify(path, &source->identity);
    }
    free(text);
    return source;
}

struct source *source_from_text(struct arena *arena, const char *path, const char *text) {
    return source_create(arena, path, text, strlen(text));
}

size_t source_line(const struct source *source, uint32_t line, const char **start) {
    const char *end = source->text + source->length;
    const char *from = source->text;
    size_t mark = line && source->marks ? (line - 1) / SOURCE_MARK : 0;
    mark = mark < source->mark_count ? mark : 0;
    from += mark ? source->marks[mark] : 0;
    for (size_t i = mark * SOURCE_MARK + 1; i < line; i++) {
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
