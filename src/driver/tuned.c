#include "driver/tuned.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/json.h"

static bool wrong(struct diag *diag, const char *path, size_t index, const char *what) {
    diag_error(diag, (struct location){0}, "%s: choice %zu has no %s", path, index, what);
    return false;
}

static bool check_choice(struct diag *diag, const char *path, size_t index, const struct json *choice) {
    static const char *const texts[] = {"kernel", "device", "config"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!json_text(choice, texts[i])) {
            return wrong(diag, path, index, texts[i]);
        }
    }
    const struct json *key = json_member(choice, "key");
    if (!key || key->kind != JSON_OBJECT) {
        return wrong(diag, path, index, "key");
    }
    for (size_t i = 0; i < key->count; i++) {
        long long value;
        if (!json_integer(&key->items[i], &value)) {
            return wrong(diag, path, index, "key of integers");
        }
    }
    return true;
}

// Far more than any launcher searches, and a small tree for any text.
enum { TUNED_BYTES_MAX = 4 << 20, REPORTED_MAX = 10 };

static const char *read_failed(void) {
    _Static_assert(TUNED_BYTES_MAX == 4 << 20, "as the message says");
    return errno == EFBIG ? "it is larger than 4 MiB, the most that choices may be" : file_read_error();
}

bool tuned_read(struct arena *arena, struct diag *diag, const char *path, struct tuned *tuned) {
    size_t length, at;
    const char *why;
    char *text = file_read_bounded(path, TUNED_BYTES_MAX, &length);
    if (!text) {
        diag_error(diag, (struct location){0}, "--tuned: cannot read %s: %s", path, read_failed());
        return false;
    }
    const struct json *root = json_parse(arena, text, &why, &at);
    if (root && strlen(text) < length) {
        root = NULL, why = "no NUL", at = strlen(text);
    }
    free(text);
    if (!root) {
        diag_error(diag, (struct location){0}, "%s is no JSON: %s was expected at byte %zu", path, why, at);
        return false;
    }
    const struct json *choices = json_member(root, "choices");
    long long version;
    if (!json_integer(json_member(root, "tkc_tuned"), &version) || version != 1 || !choices ||
        choices->kind != JSON_ARRAY) {
        diag_error(diag, (struct location){0},
                   "%s is no file of tuned choices: \"tkc_tuned\": 1 and an array \"choices\" are missing",
                   path);
        return false;
    }
    for (size_t i = 0; i < choices->count; i++) {
        if (!check_choice(diag, path, i, &choices->items[i])) {
            return false;
        }
    }
    *tuned = (struct tuned){path, choices};
    return true;
}

const struct frontend_named *tuned_configurations(const struct tuned *tuned, struct arena *arena,
                                                  size_t *count) {
    struct frontend_named *all = ARENA_ARRAY(arena, struct frontend_named, tuned->choices->count + 1);
    *count = 0;
    for (size_t c = 0; c < tuned->choices->count; c++) {
        const struct json *choice = &tuned->choices->items[c];
        struct frontend_named here = {json_text(choice, "kernel"), json_text(choice, "config")};
        bool known = false;
        for (size_t i = 0; i < *count && !known; i++) {
            known = strcmp(all[i].function, here.function) == 0 && strcmp(all[i].config, here.config) == 0;
        }
        if (!known) {
            all[(*count)++] = here;
        }
    }
    return all;
}

static bool is_for(const struct json *choice, const struct kernel_instance *kernel) {
    return strcmp(json_text(choice, "kernel"), kernel->function) == 0;
}

// The entry's name without its function's name and the separator; "" if both are the same.
static const char *ending(const struct kernel_instance *kernel) {
    const char *rest = kernel->name + strlen(kernel->function);
    return *rest ? rest + 1 : rest;
}

// True if the choice names the kernel's variant, as written by k_save_tuned, or its configuration at any
// level of hints.
static bool names(const struct json *choice, const struct kernel_instance *kernel) {
    const char *config = json_text(choice, "config");
    return is_for(choice, kernel) &&
           (strcmp(config, kernel->config_name) == 0 || strcmp(config, ending(kernel)) == 0);
}

// Warns about choices of configurations missing from the source.
static void report_unknown(const struct tuned *tuned, struct diag *diag, const struct frontend *frontend) {
    size_t unknown = 0;
    for (size_t c = 0; c < tuned->choices->count; c++) {
        const struct json *choice = &tuned->choices->items[c];
        bool kernel_known = false, known = false;
        for (size_t i = 0; i < frontend->kernel_count; i++) {
            kernel_known |= is_for(choice, &frontend->kernels[i]);
            known |= names(choice, &frontend->kernels[i]);
        }
        if (kernel_known && !known && ++unknown <= REPORTED_MAX) {
            diag_warning(diag, WARNING_TUNED, (struct location){0},
                         "%s: %s has no configuration %s; tune it again", tuned->path,
                         json_text(choice, "kernel"), json_text(choice, "config"));
        }
    }
    if (unknown > REPORTED_MAX) {
        diag_warning(diag, WARNING_TUNED, (struct location){0},
                     "%s: %zu more choices are of no configuration", tuned->path, unknown - REPORTED_MAX);
    }
}

// Marks all levels of each configuration named by a choice.
static bool *find_named(const struct tuned *tuned, struct arena *arena, const struct frontend *frontend) {
    size_t count = frontend->kernel_count;
    bool *named = ARENA_ARRAY(arena, bool, count + 1), *all = ARENA_ARRAY(arena, bool, count + 1);
    for (size_t c = 0; c < tuned->choices->count; c++) {
        for (size_t i = 0; i < count; i++) {
            named[i] = named[i] || names(&tuned->choices->items[c], &frontend->kernels[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const struct kernel_instance *kernel = &frontend->kernels[i];
        for (size_t j = 0; j < count && !all[i]; j++) {
            const struct kernel_instance *other = &frontend->kernels[j];
            all[i] = named[j] && strcmp(kernel->function, other->function) == 0 &&
                     strcmp(kernel->config_name, other->config_name) == 0;
        }
    }
    return all;
}

void tuned_filter(const struct tuned *tuned, struct arena *arena, struct diag *diag,
                  struct frontend *frontend) {
    size_t kept = 0;
    report_unknown(tuned, diag, frontend);
    bool *named = find_named(tuned, arena, frontend);
    for (size_t i = 0; i < frontend->kernel_count;) {
        const char *function = frontend->kernels[i].function;
        size_t end = i, chosen = 0, from = kept;
        for (; end < frontend->kernel_count && strcmp(frontend->kernels[end].function, function) == 0;
             end++) {
            chosen += named[end];
            if (named[end]) {
                frontend->kernels[kept++] = frontend->kernels[end];
            }
        }
        for (size_t all = i; all < end && !chosen; all++) {
            frontend->kernels[kept++] = frontend->kernels[all];
        }
        if (kept - from == 1) {
            frontend->kernels[from].name = function;
        }
        i = end;
    }
    frontend->kernel_count = kept;
}

// Reads the key's values in the order of the parameters. Returns the name of a missing one, or NULL.
static const char *key_values(const struct json *key, const struct reflect_kernel *kernel, int64_t *values) {
    size_t count = 0;
    for (size_t i = 0; i < kernel->param_count && count < TKC_KEYS; i++) {
        long long value;
        if (reflect_is_key(&kernel->params[i])) {
            if (!json_integer(json_member(key, kernel->params[i].name), &value)) {
                return kernel->params[i].name;
            }
            values[count++] = value;
        }
    }
    return NULL;
}

// Writes the rows of a choice, one for each level of hints; NULL `rows`: only counts them. *missing: the last
// parameter name without a value in the key.
static size_t add_rows(const struct json *choice, const struct frontend *frontend,
                       const struct reflection *reflection, struct reflect_choice *rows,
                       const char **missing) {
    const struct json *time = json_member(choice, "microseconds");
    struct reflect_choice row = {.device = json_text(choice, "device"),
                                 .microseconds = time && time->kind == JSON_NUMBER ? time->number : 0};
    size_t count = 0;
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        if (!names(choice, &frontend->kernels[i])) {
            continue;
        }
        const char *lacks = key_values(json_member(choice, "key"), &reflection->kernels[i], row.key);
        if (lacks) {
            *missing = lacks;
            continue;
        }
        row.kernel = i;
        if (rows) {
            rows[count] = row;
        }
        count++;
    }
    return count;
}

void tuned_reflect(const struct tuned *tuned, struct arena *arena, struct diag *diag,
                   const struct frontend *frontend, struct reflection *reflection) {
    size_t room = 0, incomplete = 0;
    for (size_t c = 0; c < tuned->choices->count; c++) {
        const struct json *choice = &tuned->choices->items[c];
        const char *missing = NULL;
        room += add_rows(choice, frontend, reflection, NULL, &missing);
        if (missing && ++incomplete <= REPORTED_MAX) {
            diag_warning(diag, WARNING_TUNED, (struct location){0},
                         "%s: choice %zu, of %s, has no \"%s\" in its key and is left out; tune it again",
                         tuned->path, c, json_text(choice, "kernel"), missing);
        }
    }
    if (incomplete > REPORTED_MAX) {
        diag_warning(diag, WARNING_TUNED, (struct location){0}, "%s: %zu more choices are left out",
                     tuned->path, incomplete - REPORTED_MAX);
    }
    reflection->choices = ARENA_ARRAY(arena, struct reflect_choice, room + 1);
    for (size_t c = 0; c < tuned->choices->count; c++) {
        const char *missing;
        reflection->choice_count += add_rows(&tuned->choices->items[c], frontend, reflection,
                                             reflection->choices + reflection->choice_count, &missing);
    }
}
