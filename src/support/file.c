// File reads, and the resolution of paths.
#include "support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/memory.h"
#include "support/strbuf.h"

char *file_read_descriptor(int fd, size_t limit, size_t *length) {
    struct strbuf text = {0};
    char chunk[1 << 16];
    int error = 0;
    strbuf_add(&text, "");
    while (!error) {
        ssize_t count = read(fd, chunk, sizeof chunk);
        if (count == 0) {
            *length = text.length;
            return text.data;
        }
        if (count < 0) {
            error = errno == EINTR ? 0 : errno;
            continue;
        }
        strbuf_add_bytes(&text, chunk, (size_t)count);
        error = text.length > limit ? EFBIG : 0;
    }
    strbuf_free(&text);
    errno = error;
    return NULL;
}

char *file_read_bounded(const char *path, size_t limit, size_t *length) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    char *text = NULL;
    int error = fstat(fd, &info) != 0    ? errno
                : S_ISDIR(info.st_mode)  ? EISDIR
                : !S_ISREG(info.st_mode) ? ESPIPE
                                         : 0;
    if (!error) {
        text = file_read_descriptor(fd, limit, length);
        error = errno;
    }
    close(fd);
    errno = error;
    return text;
}

char *file_read(const char *path, size_t *length) {
    return file_read_bounded(path, SIZE_MAX, length);
}

const char *file_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *file_stem(const char *path, size_t *length) {
    const char *name = file_base_name(path), *dot = strrchr(name, '.');
    *length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return name;
}

const char *file_read_error(void) {
    return errno == ESPIPE ? "it is a device or a pipe" : strerror(errno);
}

// ---- places ----

// Replaces `path` by the target of its link, relative to the link's folder. False if it is no link.
static bool follow(char path[PATH_MAX]) {
    char target[PATH_MAX], copy[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0) {
        return false;
    }
    target[length] = 0;
    size_t folder = 0;
    if (target[0] != '/') {
        const char *slash = strrchr(path, '/');
        folder = slash ? (size_t)(slash + 1 - path) : 0;
    }
    if (folder + (size_t)length >= PATH_MAX) {
        return false;
    }
    memcpy(copy, path, folder);
    memcpy(copy + folder, target, (size_t)length + 1);
    memcpy(path, copy, folder + (size_t)length + 1);
    return true;
}

bool file_place_find(const char *path, struct file_place *place) {
    enum { LINKS_MAX = 40 };
    char at[PATH_MAX], folder[PATH_MAX];
    struct stat info;
    *place = (struct file_place){0};
    size_t length = strlen(path);
    if (!length || length >= sizeof at) {
        errno = length ? ENAMETOOLONG : ENOENT;
        return false;
    }
    memcpy(at, path, length + 1);
    // A pipe behind /dev/stdout has no path of its own.
    bool nameless = stat(at, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    for (int links = 0; links < LINKS_MAX && !nameless && follow(at); links++) {
    }
    if (stat(at, &info) == 0) {
        if (S_ISDIR(info.st_mode)) {
            errno = EISDIR;
            return false;
        }
        place->special = !S_ISREG(info.st_mode);
        place->file = info.st_ino;
    } else if (errno != ENOENT || at[strlen(at) - 1] == '/') {
        return false;
    }
    strcpy(folder, at);
    if (stat(dirname(folder), &info) != 0) {
        return false;
    }
    place->device = info.st_dev;
    place->folder = info.st_ino;
    place->path = strdup(at);
    if (!place->path) {
        errno = ENOMEM;
        return false;
    }
    const char *slash = strrchr(place->path, '/');
    place->name = slash ? slash + 1 : place->path;
    return true;
}

bool file_place_same(const struct file_place *a, const struct file_place *b) {
    if (a->special || b->special || a->device != b->device || a->folder != b->folder) {
        return false;
    }
    // Two names of one file in one folder: hard links, or a file system that ignores case.
    return strcmp(a->name, b->name) == 0 || (a->file && a->file == b->file);
}

void file_place_free(struct file_place *place) {
    free(place->path);
    *place = (struct file_place){0};
}

// A path without a place is no clash: its write will fail, or its read has.
bool file_clash(const struct file_use *uses, size_t count, const struct file_use **written,
                const struct file_use **other) {
    struct file_place *places = calloc(count + 1, sizeof *places);
    bool *known = calloc(count + 1, sizeof *known), found = false;
    if (!places || !known) {
        out_of_memory((count + 1) * sizeof *places);
    }
    for (size_t i = 0; i < count; i++) {
        known[i] =
            uses[i].path && strcmp(uses[i].path, "-") != 0 && file_place_find(uses[i].path, &places[i]);
    }
    for (size_t i = 0; i < count && !found; i++) {
        for (size_t j = i + 1; j < count && !found; j++) {
            found = (uses[i].written || uses[j].written) && known[i] && known[j] &&
                    file_place_same(&places[i], &places[j]);
            *written = uses[i].written ? &uses[i] : &uses[j];
            *other = uses[i].written ? &uses[j] : &uses[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        file_place_free(&places[i]);
    }
    free(places);
    free(known);
    return found;
}
