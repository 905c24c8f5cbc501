// Files: whole-file reads, where a path leads, and writes of one file or of several that belong together.
#ifndef TKC_SUPPORT_FILE_H
#define TKC_SUPPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// ---- file.c ----

// Reads a whole file into malloc'ed memory, NUL-terminated past its end. NULL with errno set on failure: ESPIPE for a device or a
// pipe, which may never end and is not waited for either.
char *file_read(const char *path, size_t *length);
char *file_read_bounded(const char *path, size_t limit, size_t *length); // EFBIG beyond `limit` bytes
// errno after that, in words.
const char *file_read_error(void);
// The same for what is open, whatever it is.
char *file_read_descriptor(int fd, size_t limit, size_t *length);

// Where a write to a path ends up. Symbolic links are followed, whether or not the last one leads to a file.
struct file_place {
    char *path;       // free of links in its last part; malloc'ed
    const char *name; // the last part
    dev_t device;
    ino_t folder, file; // file: 0 when there is none
    bool special;       // a device or a pipe: never replaced
};

// False with errno set when nothing could be written there: no such folder, or a folder itself.
bool file_place_find(const char *path, struct file_place *place);
// However spelled: true when a write to one is a write to the other. Devices and pipes are never the same.
bool file_place_same(const struct file_place *a, const struct file_place *b);
void file_place_free(struct file_place *place);

// A path that a command reads or writes, and what it calls it ("source", "launcher header").
struct file_use {
    const char *what, *path; // path NULL or "-": no file
    bool written;
};
// True when a write would destroy what another use reads or writes: *written and *other are the first such two.
bool file_clash(const struct file_use *uses, size_t count, const struct file_use **written,
                const struct file_use **other);

// ---- file_batch.c ----

// Files that are written together: each goes to a new file in the folder of its own first, and all are renamed into place
// when the last is complete: while one cannot be written, or a signal comes, every old file stays. Devices and pipes are
// written before that. A zeroed struct is an empty batch; paths and bytes are borrowed until it ends.
struct file_batch {
    struct file_batch_entry *entries;
    size_t count;
};

// False with errno set when the path cannot be written.
bool file_batch_add(struct file_batch *batch, const char *path, const void *bytes, size_t length);
// Both end the batch. False with errno set on failure: *path is the one that failed, as given to file_batch_add.
bool file_batch_commit(struct file_batch *batch, const char **path);
void file_batch_discard(struct file_batch *batch);

// A batch of one.
bool file_write_atomic(const char *path, const void *bytes, size_t length);

#endif
