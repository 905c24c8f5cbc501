#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select.h"
#include "support/file.h"

void golden_collect(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
}

char *golden_setting(const char *text, const char *mark, const char *key) {
    size_t mark_length = strlen(mark), key_length = strlen(key);
    for (; strncmp(text, mark, mark_length) == 0; text += strcspn(text, "\n"), text += *text == '\n') {
        const char *line = text + mark_length + strspn(text + mark_length, " ");
        if (strncmp(line, key, key_length) == 0 && strncmp(line + key_length, ": ", 2) == 0) {
            return strndup(line + key_length + 2, strcspn(line + key_length + 2, "\n"));
        }
    }
    return NULL;
}

void golden_select(const char *text, const char *mark, const char *dump, struct strbuf *found) {
    char *shown = golden_setting(text, mark, "show");
    select_lines(dump,
                 shown ? shown
                       : "* -arith.constant -tk.range -tk.splat -tk.expand_dims -tk.broadcast -tk.addptr",
                 found);
    free(shown);
}

const char *golden_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int compare(const char *path, const char *expected, const char *found) {
    size_t line = 1;
    const char *line_start = found;
    for (; *expected && *expected == *found; expected++, found++) {
        if (*found == '\n') {
            line++;
            line_start = found + 1;
        }
    }
    if (*expected == *found) {
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "%s:%zu: differs from what is given now: %.*s\n(UPDATE=1 rewrites the file)\n", path,
            line, (int)strcspn(line_start, "\n"), line_start);
    return EXIT_FAILURE;
}

int golden_compare(const char *expect, const struct strbuf *found) {
    const char *update = getenv("UPDATE");
    if (update && strcmp(update, "1") == 0) {
        if (!file_write_atomic(expect, strbuf_text(found), found->length)) {
            perror(expect);
            return EXIT_FAILURE;
        }
        return EXIT_SUCCESS;
    }
    char *expected = file_read(expect, &(size_t){0});
    int status = compare(expect, expected ? expected : "", strbuf_text(found));
    free(expected);
    return status;
}
