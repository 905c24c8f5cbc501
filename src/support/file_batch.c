// File writes. New bytes go to a temporary file in the target's folder, so the rename cannot cross file
// systems. The temporary name is independent of the target's, because the target's may have the maximal
// length.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/diag.h"
#include "support/file.h"
#include "support/interrupt.h"
#include "support/memory.h"

struct file_batch_entry {
    const char *path; // as given
    struct file_place place;
    char *temporary; // NULL: none
    const void *bytes;
    size_t length;
};

bool file_write_all(int fd, const void *bytes, size_t length) {
    const char *at = bytes;
    while (length) {
        ssize_t written = write(fd, at, length);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return false;
        }
        at += written;
        length -= (size_t)written;
    }
    return true;
}

// Writes and closes; errno is that of the first failure.
static bool fill(int fd, const void *bytes, size_t length) {
    bool ok = file_write_all(fd, bytes, length);
    int error = errno;
    if (close(fd) != 0 && ok) {
        return false;
    }
    errno = error;
    return ok;
}

// Creates a new file in the folder of `place`; *name is malloc'ed.
static int open_beside(const struct file_place *place, char **name) {
    int folder = (int)(place->name - place->path);
    size_t size = (size_t)folder + 48;
    *name = malloc(size);
    if (!*name) {
        out_of_memory(size);
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

static bool put_in_place(struct file_batch_entry *entry) {
    if (rename(entry->temporary, entry->place.path) != 0) {
        return false;
    }
    free(entry->temporary);
    entry->temporary = NULL;
    return true;
}

static bool write_special(struct file_batch_entry *entry) {
    int fd = open(entry->place.path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && fill(fd, entry->bytes, entry->length);
}

bool file_batch_add(struct file_batch *batch, const char *path, const void *bytes, size_t length) {
    struct file_batch_entry entry = {.path = path, .bytes = bytes, .length = length};
    if (!file_place_find(path, &entry.place)) {
        return false;
    }
    struct file_batch_entry *grown = realloc(batch->entries, (batch->count + 1) * sizeof *grown);
    if (!grown) {
        out_of_memory((batch->count + 1) * sizeof *grown);
    }
    batch->entries = grown;
    batch->entries[batch->count++] = entry;
    return true;
}

// Runs a step for all devices and pipes, or for all other files.
static bool for_all(struct file_batch *batch, bool special, bool (*step)(struct file_batch_entry *),
                    const char **path) {
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->entries[i].place.special == special && !step(&batch->entries[i])) {
            *path = batch->entries[i].path;
            return false;
        }
    }
    return true;
}

bool file_batch_commit(struct file_batch *batch, const char **path) {
    struct interrupt_hold hold;
    bool ok = for_all(batch, true, write_special, path); // may wait for a reader, so signals are not yet held
    interrupt_hold(&hold);
    ok = ok && for_all(batch, false, write_aside, path) && for_all(batch, false, put_in_place, path);
    file_batch_discard(batch);
    interrupt_release(&hold);
    return ok;
}

void file_batch_discard(struct file_batch *batch) {
    int error = errno;
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->entries[i].temporary) {
            unlink(batch->entries[i].temporary);
        }
        free(batch->entries[i].temporary);
        file_place_free(&batch->entries[i].place);
    }
    free(batch->entries);
    *batch = (struct file_batch){0};
    errno = error;
}

bool file_write_atomic(const char *path, const void *bytes, size_t length) {
    struct file_batch batch = {0};
    const char *failed;
    return file_batch_add(&batch, path, bytes, length) && file_batch_commit(&batch, &failed);
}
