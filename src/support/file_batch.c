// Writing files. New bytes go to a file of their own in the target's folder, so that the rename cannot cross file systems;
// its name does not depend on the target's, which may be as long as the file system allows.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/diag.h"
#include "support/file.h"

struct file_batch_entry {
    const char *path; // as given
    struct file_place place;
    char *temporary; // NULL: a device or pipe, which gets `bytes` at the end
    const void *bytes;
    size_t length;
};

static bool write_all(int fd, const char *bytes, size_t length) {
    while (length) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

// Writes and closes; errno is of the first failure.
static bool fill(int fd, const void *bytes, size_t length) {
    bool ok = write_all(fd, bytes, length);
    int error = errno;
    if (close(fd) != 0 && ok) {
        return false;
    }
    errno = error;
    return ok;
}

// Opens a file that did not exist before in the folder of `place`; *name is malloc'ed.
static int open_beside(const struct file_place *place, char **name) {
    int folder = (int)(place->name - place->path);
    size_t size = (size_t)folder + 48;
    *name = malloc(size);
    if (!*name) {
        bug("out of memory (%zu bytes asked)", size);
    }
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        snprintf(*name, size, "%.*s.tkc-%ld-%u.tmp", folder, place->path, (long)getpid(), attempt);
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

static bool write_aside(struct file_batch_entry *entry) {
    struct stat old;
    int fd = open_beside(&entry->place, &entry->temporary);
    if (fd < 0) {
        free(entry->temporary);
        entry->temporary = NULL;
        return false;
    }
    if (entry->place.file && stat(entry->place.path, &old) == 0 && fchmod(fd, old.st_mode & 07777) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return false;
    }
    return fill(fd, entry->bytes, entry->length);
}

static void release(struct file_batch_entry *entry) {
    int error = errno;
    if (entry->temporary) {
        unlink(entry->temporary);
    }
    free(entry->temporary);
    file_place_free(&entry->place);
    errno = error;
}

bool file_batch_add(struct file_batch *batch, const char *path, const void *bytes, size_t length) {
    struct file_batch_entry entry = {.path = path, .bytes = bytes, .length = length};
    if (!file_place_find(path, &entry.place)) {
        return false;
    }
    if (!entry.place.special && !write_aside(&entry)) {
        release(&entry);
        return false;
    }
    struct file_batch_entry *grown = realloc(batch->entries, (batch->count + 1) * sizeof *grown);
    if (!grown) {
        bug("out of memory (%zu files)", batch->count + 1);
    }
    batch->entries = grown;
    batch->entries[batch->count++] = entry;
    return true;
}

static bool write_special(const struct file_batch_entry *entry) {
    int fd = open(entry->place.path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && fill(fd, entry->bytes, entry->length);
}

static bool finish(struct file_batch_entry *entry) {
    if (!entry->temporary) {
        return write_special(entry);
    }
    if (rename(entry->temporary, entry->place.path) != 0) {
        return false;
    }
    free(entry->temporary);
    entry->temporary = NULL;
    return true;
}

bool file_batch_commit(struct file_batch *batch, const char **path) {
    bool ok = true;
    for (int special = 1; special >= 0 && ok; special--) {
        for (size_t i = 0; i < batch->count && ok; i++) {
            if (batch->entries[i].place.special == special && !finish(&batch->entries[i])) {
                *path = batch->entries[i].path;
                ok = false;
            }
        }
    }
    file_batch_discard(batch);
    return ok;
}

void file_batch_discard(struct file_batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        release(&batch->entries[i]);
    }
    int error = errno;
    free(batch->entries);
    *batch = (struct file_batch){0};
    errno = error;
}

bool file_write_atomic(const char *path, const void *bytes, size_t length) {
    struct file_batch batch = {0};
    const char *failed;
    return file_batch_add(&batch, path, bytes, length) && file_batch_commit(&batch, &failed);
}
