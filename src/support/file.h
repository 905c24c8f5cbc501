// Files: whole-file reads and atomic writes.
#ifndef TKC_SUPPORT_FILE_H
#define TKC_SUPPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>

// Writes `path` so that after any failure there is either the old file or none: a temporary file in the same
// folder, then rename. On failure returns false with errno set and leaves nothing behind.
bool file_write_atomic(const char *path, const void *bytes, size_t length);

// Reads a whole file into malloc'ed memory, NUL-terminated past its end. NULL with errno set on failure.
char *file_read(const char *path, size_t *length);

#endif
