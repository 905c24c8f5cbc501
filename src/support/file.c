// Files. A write goes to a new file in the target's own folder (so that rename cannot cross file systems) and
// is renamed over the target when complete. Links are followed; devices and pipes are written directly, never
// replaced.
#include "support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/diag.h"

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

static bool write_direct(const char *path, const void *bytes, size_t length) {
    int fd = open(path, O_WRONLY);
    if (fd < 0) {
        return false;
    }
    bool ok = write_all(fd, bytes, length);
    int error = errno;
    if (close(fd) != 0 && ok) {
        return false;
    }
    errno = error;
    return ok;
}

// Opens a file that did not exist before, next to `target`; *name is malloc'ed.
static int open_beside(const char *target, char **name) {
    size_t size = strlen(target) + 48;
    *name = malloc(size);
    if (!*name) {
        bug("out of memory (%zu bytes asked)", size);
    }
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        snprintf(*name, size, "%s.%ld.%u.tmp", target, (long)getpid(), attempt);
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

static bool write_renamed(const char *target, const struct stat *old, const void *bytes, size_t length) {
    char *name;
    int fd = open_beside(target, &name);
    if (fd < 0) {
        free(name);
        return false;
    }
    bool ok = write_all(fd, bytes, length) && (!old || fchmod(fd, old->st_mode & 07777) == 0);
    int error = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        error = errno;
    }
    if (ok && rename(name, target) != 0) {
        ok = false;
        error = errno;
    }
    if (!ok) {
        unlink(name);
    }
    free(name);
    errno = error;
    return ok;
}

bool file_write_atomic(const char *path, const void *bytes, size_t length) {
    struct stat old;
    if (stat(path, &old) != 0) {
        return errno == ENOENT && write_renamed(path, NULL, bytes, length);
    }
    if (!S_ISREG(old.st_mode)) {
        return write_direct(path, bytes, length);
    }
    char *target = realpath(path, NULL);
    if (!target) {
        return false;
    }
    bool ok = write_renamed(target, &old, bytes, length);
    int error = errno;
    free(target);
    errno = error;
    return ok;
}

char *file_read(const char *path, size_t *length) {
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        return NULL;
    }
    struct strbuf text = {0};
    char chunk[1 << 16];
    for (;;) {
        ssize_t count = read(fd, chunk, sizeof chunk);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            int error = errno;
            strbuf_free(&text);
            close(fd);
            errno = error;
            return NULL;
        }
        strbuf_add_bytes(&text, chunk, (size_t)count);
        if (count == 0) {
            break;
        }
    }
    close(fd);
    *length = text.length;
    return text.data;
}
