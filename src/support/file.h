// Files: whole-file reads, resolved paths, and writes of one file or of several together.
#ifndef TKC_SUPPORT_FILE_H
#define TKC_SUPPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// ---- file.c ----

// Reads a whole file into malloc'ed memory, and adds a NUL. NULL with errno set on failure: ESPIPE, at once,
// for a device or a pipe, because it may never end.
char *file_read(const char *path, size_t *length);
char *file_read_bounded(const char *path, size_t limit, size_t *length); // EFBIG beyond `limit` bytes
const char *file_base_name(const char *path);                            // the last part of a path
// The last part of a path without its suffix: its start, and its length in *length.
const char *file_stem(const char *path, size_t *length);
// The text for errno after a failed read.
const char *file_read_error(void);
// The same for an open descriptor of any kind, devices and pipes included.
char *file_read_descriptor(int fd, size_t limit, size_t *length);

// The target of a write to a path. Symbolic links are followed, even to a missing file.
struct file_place {
    char *path;       // free of links in its last part; malloc'ed
    const char *name; // the last part
    dev_t device;
    ino_t folder, file; // file: 0 when there is none
    bool special;       // a device or a pipe: never replaced
};

// False with errno set if the path cannot be written: its folder is missing, or it is a folder itself.
bool file_place_find(const char *path, struct file_place *place);
// True when a write to one is a write to the other, however the paths are spelled. Never true for devices and
// pipes.
bool file_place_same(const struct file_place *a, const struct file_place *b);
void file_place_free(struct file_place *place);

// A path read or written by a command, and its role ("source", "launcher header").
struct file_use {
    const char *what, *path; // path NULL or "-": no file
    bool written;
};
// True when a write would destroy the file of another use: *written and *other are the first such two.
bool file_clash(const struct file_use *uses, size_t count, const struct file_use **written,
                const struct file_use **other);

// ---- file_batch.c ----

// Files written together. Each goes first to a new file in its own folder; after the last one all are renamed
// into place. If a write fails or a signal comes, every old file stays. Devices and pipes are written before.
// A zeroed struct is an empty batch; paths and bytes are borrowed until its end.
struct file_batch {
    struct file_batch_entry *entries;
    size_t count;
};

// False with errno set if the path cannot be written.
bool file_batch_add(struct file_batch *batch, const char *path, const void *bytes, size_t length);
// Both end the batch. False with errno set on failure: *path is the failed file, as given to file_batch_add.
bool file_batch_commit(struct file_batch *batch, const char **path);
void file_batch_discard(struct file_batch *batch);

// Writes all bytes to the open file or pipe. False with errno set if it takes no more.
bool file_write_all(int fd, const void *bytes, size_t length);

// A batch of one.
bool file_write_atomic(const char *path, const void *bytes, size_t length);

#endif
