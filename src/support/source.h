// Source text: one struct source per file, and locations in it.
#ifndef TKC_SUPPORT_SOURCE_H
#define TKC_SUPPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum { SOURCE_BYTES_MAX = 64 << 20, SOURCE_MARK = 256 };

// A file's identity: equal for two paths of one file. Zeroed: no file.
struct source_identity {
    uint64_t device, number;
};

struct source {
    const char *path; // as given by the user (or the importing file); "<stdin>"
    const char *text; // NUL-terminated
    size_t length;
    bool is_stdin;
    bool is_library;       // embedded in tkc, no file of the user's
    const uint32_t *marks; // the offset of every SOURCE_MARK-th line; may be NULL
    size_t mark_count;
    struct source_identity identity;
};

// A position in a file. Zeroed: unknown.
struct location {
    const struct source *source;
    uint32_t line;   // from 1; 0: the file as a whole
    uint32_t column; // from 1, in bytes
    uint32_t length; // bytes underlined after the caret; 0 or 1: the caret alone
};

// Reads a whole file of at most SOURCE_BYTES_MAX; "-" is standard input. NULL on failure: *why is the reason,
// or NULL for a missing file.
struct source *source_read(struct arena *arena, const char *path, const char **why);
// False for a missing or inaccessible file.
bool source_identify(const char *path, struct source_identity *identity);
bool source_identity_equal(struct source_identity a, struct source_identity b);
struct source *source_from_text(struct arena *arena, const char *path, const char *text);

// The text of one line without its newline. Returns its length; *start points into the source.
size_t source_line(const struct source *source, uint32_t line, const char **start);

#endif
