// Files of choices, in the form of k_save_tuned, and logs of sweeps: the same lines, each with its round.
#include <errno.h>

#include "support/escape.h"
#include "support/file.h"
#include "tune.h"

void choices_add(struct arena *arena, struct choices *choices, const struct choice *choice) {
    choices->rows = arena_grown(arena, choices->rows, choices->count, &choices->room, sizeof *choices->rows);
    choices->rows[choices->count++] = *choice;
}

static const char *key_of(struct arena *arena, const struct json *key) {
    struct strbuf text = {0};
    for (size_t i = 0; key && i < key->count; i++) {
        strbuf_add(&text, i ? ", \"" : "\"");
        escape_add_text(&text, ESCAPE_JSON, key->names[i]);
        strbuf_printf(&text, "\": %s", key->items[i].text);
    }
    const char *kept = arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

const char *key_text(struct arena *arena, const struct kernel *kernel, const struct shape *shape) {
    struct strbuf text = {0};
    for (unsigned i = 0; i < kernel->key_count; i++) {
        strbuf_printf(&text, "%s\"%s\": %lld", i ? ", " : "", kernel->keys[i],
                      (long long)shape->numbers[kernel->key_parameters[i]]);
    }
    const char *kept = arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

static bool read_row(struct arena *arena, const struct json *row, struct choice *choice) {
    const struct json *time = json_member(row, "microseconds"), *key = json_member(row, "key");
    long long round = 0;
    json_integer(json_member(row, "round"), &round);
    *choice = (struct choice){json_text(row, "kernel"), json_text(row, "device"), NULL,
                              json_text(row, "config"), time ? time->number : 0,  (int)round};
    for (size_t i = 0; key && i < key->count; i++) {
        if (key->items[i].kind != JSON_NUMBER) {
            return false;
        }
    }
    choice->key = key_of(arena, key);
    return choice->kernel && choice->device && choice->config && key && key->kind == JSON_OBJECT;
}

// A line around the choices, or the beginning of a choice at the end of a log.
static bool may_stand_there(const char *line, bool is_last) {
    static const char choice[] = "{\"kernel\"", *const around[] = {"", "{\"tkc_tuned\": 1, \"choices\": [",
                                                                   "]}"};
    bool may = is_last && strncmp(line, choice, strlen(line)) == 0;
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        may |= strcmp(line, around[i]) == 0;
    }
    return may;
}

bool choices_read(struct arena *arena, const char *path, struct choices *choices) {
    size_t length, at, lines = 0;
    const char *why;
    char *text = file_read_bounded(path, 64 << 20, &length);
    if (!text) {
        return complain("cannot read %s: %s", path, file_read_error());
    }
    if (strlen(text) < length) {
        length = strlen(text);
        free(text);
        return complain("%s has a NUL at byte %zu: it is no text", path, length);
    }
    // Line by line: a killed sweep leaves an incomplete one.
    for (char *line = text, *next; *line; line = next) {
        size_t span = strcspn(line, "\n");
        next = line[span] ? line + span + 1 : line + span;
        span = strcspn(line, "\r\n");
        line[span] = 0;
        lines++;
        if (strncmp(line, "{\"kernel\"", 9) != 0) {
            if (!may_stand_there(line, !*next)) {
                free(text);
                return complain("%s:%zu is no choice", path, lines);
            }
            continue;
        }
        if (span && line[span - 1] == ',') {
            line[span - 1] = 0;
        }
        struct choice choice;
        const struct json *row = json_parse(arena, arena_strdup(arena, line), &why, &at);
        if (row && read_row(arena, row, &choice)) {
            choices_add(arena, choices, &choice);
        } else if (*next) {
            free(text);
            return complain("%s:%zu is no choice", path, lines);
        }
    }
    free(text);
    return true;
}

static bool same_key(const struct choice *a, const struct choice *b) {
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->key, b->key) == 0;
}

static int by_line(const void *left, const void *right) {
    const struct choice *a = left, *b = right;
    int kernel = strcmp(a->kernel, b->kernel), device = strcmp(a->device, b->device);
    return kernel ? kernel : device ? device : strcmp(a->key, b->key);
}

struct choices choices_best(struct arena *arena, const struct choices *all) {
    struct choices best = {0};
    for (size_t i = 0; i < all->count; i++) {
        const struct choice *here = &all->rows[i];
        size_t at = 0;
        while (at < best.count && !same_key(&best.rows[at], here)) {
            at++;
        }
        if (here->microseconds <= 0) {
            continue;
        }
        if (at == best.count) {
            choices_add(arena, &best, here);
        } else if (here->round > best.rows[at].round ||
                   (here->round == best.rows[at].round && here->microseconds < best.rows[at].microseconds)) {
            best.rows[at] = *here;
        }
    }
    if (best.count) {
        qsort(best.rows, best.count, sizeof *best.rows, by_line);
    }
    return best;
}

void choices_line(const struct choice *choice, struct strbuf *out) {
    strbuf_add(out, "{\"kernel\": \"");
    escape_add_text(out, ESCAPE_JSON, choice->kernel);
    strbuf_add(out, "\", \"device\": \"");
    escape_add_text(out, ESCAPE_JSON, choice->device);
    strbuf_printf(out, "\", \"key\": {%s}, \"config\": \"", choice->key);
    escape_add_text(out, ESCAPE_JSON, choice->config);
    strbuf_printf(out, "\", \"microseconds\": %.2f", choice->microseconds);
    if (choice->round) {
        strbuf_printf(out, ", \"round\": %d", choice->round);
    }
    strbuf_add_char(out, '}');
}

bool choices_write(const char *path, const struct choices *choices) {
    struct strbuf text = {0};
    strbuf_add(&text, "{\"tkc_tuned\": 1, \"choices\": [\n");
    for (size_t i = 0; i < choices->count; i++) {
        struct choice plain = choices->rows[i];
        plain.round = 0;
        choices_line(&plain, &text);
        strbuf_add(&text, i + 1 < choices->count ? ",\n" : "\n");
    }
    strbuf_add(&text, "]}\n");
    bool ok = file_write_atomic(path, text.data, text.length);
    strbuf_free(&text);
    return ok || complain("cannot write %s: %s", path, strerror(errno));
}
