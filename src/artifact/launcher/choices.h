#ifndef TKC_LAUNCHER_CHOICES_1
#define TKC_LAUNCHER_CHOICES_1

// ---- Choices of tuning: in memory, and in files for `tkc --tuned`.
#include <errno.h>
#include <time.h>

// Keeps a choice. It replaces an earlier one for the same device, key and set of hints. 0: no memory.
static inline int tkc_remember_choice(const struct tkc_family *family, const char *device, const int64_t *key,
                                      unsigned variant, double microseconds) {
    struct tkc_memory *memory = family->memory;
    unsigned i;
    int done = 0;
    tkc_lock(&memory->lock);
    for (i = 0; i < memory->choice_count; i++) {
        if (strcmp(memory->choices[i].device, device) == 0 &&
            tkc_level_of(family, memory->choices[i].variant) == tkc_level_of(family, variant) &&
            memcmp(memory->choices[i].key, key, sizeof memory->choices[i].key) == 0) {
            break;
        }
    }
    if (i == memory->choice_count) {
        char *name = (char *)malloc(strlen(device) + 1u);
        struct tkc_choice *grown =
            name ? (struct tkc_choice *)realloc(memory->choices, (i + 1u) * sizeof *grown) : NULL;
        if (grown) {
            memory->choices = grown;
            memory->choice_count++;
            memory->choices[i].device = strcpy(name, device);
            memcpy(memory->choices[i].key, key, sizeof memory->choices[i].key);
        } else {
            free(name);
        }
    }
    if (i < memory->choice_count) {
        memory->choices[i].variant = variant;
        memory->choices[i].microseconds = microseconds;
        __atomic_fetch_add(&memory->generation, 1u, __ATOMIC_RELEASE);
        done = 1;
    }
    tkc_unlock(&memory->lock);
    return done;
}

// ---- The file of choices. One choice a line, sorted. Two lines are the same choice if they agree up to
// "config" and their variants belong to the same set of hints.

struct tkc_lines {
    char **lines;
    size_t count;
};

// The set of hints of the variant named behind "config"; 0: the name is none of this launcher's.
static inline unsigned tkc_level_of_name(const struct tkc_family *family, const char *text) {
    static const char opening[] = "\"config\": \"";
    unsigned v;
    if (strncmp(text, opening, sizeof opening - 1) == 0) {
        text += sizeof opening - 1;
        for (v = 0; v < family->count; v++) {
            size_t length = strlen(family->variants[v].name);
            if (strncmp(text, family->variants[v].name, length) == 0 && text[length] == '"') {
                return tkc_level_of(family, v);
            }
        }
    }
    return 0;
}

static inline int tkc_same_choice(const struct tkc_family *family, const char *a, const char *b) {
    const char *end = strstr(a, "\"config\"");
    size_t start = end ? (size_t)(end - a) : 0u;
    return end && strncmp(a, b, start + 8u) == 0 &&
           tkc_level_of_name(family, end) == tkc_level_of_name(family, b + start);
}

// Inserts a line at its place, in place of the same choice. Takes ownership of the line. 0: no memory.
static inline int tkc_put_line(const struct tkc_family *family, struct tkc_lines *all, char *line) {
    size_t i = 0, at = 0;
    char **grown;
    while (i < all->count && !tkc_same_choice(family, all->lines[i], line)) {
        i++;
    }
    if (i < all->count) {
        free(all->lines[i]);
        all->count--;
        memmove(all->lines + i, all->lines + i + 1, (all->count - i) * sizeof *all->lines);
    }
    grown = (char **)realloc(all->lines, (all->count + 1u) * sizeof *grown);
    if (!grown) {
        free(line);
        return 0;
    }
    all->lines = grown;
    while (at < all->count && strcmp(grown[at], line) < 0) {
        at++;
    }
    memmove(grown + at + 1, grown + at, (all->count - at) * sizeof *grown);
    grown[at] = line;
    all->count++;
    return 1;
}

// Writes a device's name inside a JSON string. Quotes and backslashes are escaped; bytes outside ASCII's
// printable characters become U+FFFD.
static inline char *tkc_put_name(char *to, const char *name) {
    for (; *name; name++) {
        int odd = (unsigned char)*name < 0x20u || (unsigned char)*name >= 0x7fu;
        if (*name == '"' || *name == '\\') {
            *to++ = '\\';
        }
        memcpy(to, odd ? "\\ufffd" : name, odd ? 6u : 1u);
        to += odd ? 6 : 1;
    }
    return to;
}

static inline char *tkc_choice_line(const struct tkc_family *family, const struct tkc_choice *choice) {
    size_t room = 256u + strlen(family->name) + 6u * strlen(choice->device) +
                  strlen(family->variants[choice->variant].name),
           used;
    unsigned i;
    char *line, took[32];
    for (i = 0; i < family->key_count; i++) {
        room += strlen(family->key_names[i]) + 32u;
    }
    line = (char *)malloc(room);
    if (!line) {
        return NULL;
    }
    used = (size_t)snprintf(line, room, "{\"kernel\": \"%s\", \"device\": \"", family->name);
    used = (size_t)(tkc_put_name(line + used, choice->device) - line);
    used += (size_t)snprintf(line + used, room - used, "\", \"key\": {");
    for (i = 0; i < family->key_count; i++) {
        used += (size_t)snprintf(line + used, room - used, "%s\"%s\": %ld", i ? ", " : "",
                                 family->key_names[i], (long)choice->key[i]);
    }
    tkc_put_time(took, sizeof took, choice->microseconds);
    snprintf(line + used, room - used, "}, \"config\": \"%s\", \"microseconds\": %s}",
             family->variants[choice->variant].name, took);
    return line;
}

// Reads a file of tkc_write_lines. 0: no memory; or the file has other contents, which must not be
// overwritten (EINVAL).
static inline int tkc_read_lines(const struct tkc_family *family, FILE *file, struct tkc_lines *all) {
    static const char begin[] = "{\"kernel\": \"", opening[] = "{\"tkc_tuned\": 1, \"choices\": [";
    char buffer[4096];
    int good = 1;
    while (good && fgets(buffer, (int)sizeof buffer, file)) {
        size_t length = strlen(buffer);
        while (length && strchr(" \t\r\n,", buffer[length - 1])) {
            buffer[--length] = 0;
        }
        if (strncmp(buffer, begin, sizeof begin - 1) == 0 && buffer[length - 1] == '}' &&
            buffer[length - 2] != ']' && strstr(buffer, ", \"config\": \"")) {
            char *line = (char *)malloc(length + 1u);
            good = line && tkc_put_line(family, all, strcpy(line, buffer));
        } else if (length && strcmp(buffer, opening) != 0 && strcmp(buffer, "]}") != 0) {
            good = 0;
            errno = EINVAL;
        }
    }
    return good && !ferror(file);
}

static inline int tkc_write_lines(const char *path, const char *temporary, const struct tkc_lines *all) {
    FILE *file = fopen(temporary, "w");
    size_t i;
    int good = file != NULL;
    if (file) {
        fputs("{\"tkc_tuned\": 1, \"choices\": [\n", file);
        for (i = 0; i < all->count; i++) {
            fprintf(file, "%s%s\n", all->lines[i], i + 1 < all->count ? "," : "");
        }
        fputs("]}\n", file);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    good = good && rename(temporary, path) == 0;
    if (file && !good) {
        (void)remove(temporary);
    }
    return good;
}

// Merges the choices in memory into the file: read, merge, write PATH.new, rename. PATH.lock exists
// meanwhile, so several programs may write one file. 0; or -1 and errno: stdio's error, or EINVAL for a file
// with other contents.
static inline int tkc_save_choices(const struct tkc_family *family, const char *path) {
    struct tkc_lines all = {NULL, 0};
    size_t i, length = strlen(path) + 8u;
    char *lock = (char *)malloc(length), *temporary = (char *)malloc(length);
    FILE *held = NULL, *file;
    time_t start = time(NULL);
    int good = lock && temporary;
    if (good) {
        snprintf(lock, length, "%s.lock", path);
        snprintf(temporary, length, "%s.new", path);
        while (!(held = fopen(lock, "wx")) && errno == EEXIST && time(NULL) - start < 10) {
            TKC_YIELD();
        }
        good = held != NULL;
    }
    file = good ? fopen(path, "r") : NULL;
    good = good && (file || errno == ENOENT);
    if (file) {
        good = tkc_read_lines(family, file, &all);
        fclose(file);
    }
    tkc_lock(&family->memory->lock);
    for (i = 0; i < family->memory->choice_count && good; i++) {
        char *line = tkc_choice_line(family, &family->memory->choices[i]);
        good = line && tkc_put_line(family, &all, line);
    }
    tkc_unlock(&family->memory->lock);
    good = good && tkc_write_lines(path, temporary, &all);
    for (i = 0; i < all.count; i++) {
        free(all.lines[i]);
    }
    free(all.lines);
    if (held) {
        fclose(held);
        (void)remove(lock);
    }
    free(lock);
    free(temporary);
    return good ? 0 : -1;
}
#endif
