// golden_ast FILE.tk FILE.expect: parses a file and compares the dump of its tree, or the errors, with the
// expectation. With UPDATE=1 in the environment the expectation is rewritten instead.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/syntax/ast_dump.h"
#include "frontend/syntax/parser.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/file.h"

static void collect(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
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
    fprintf(stderr, "%s:%zu: differs from what the parser gives: %.*s\n(UPDATE=1 rewrites the file)\n", path,
            line, (int)strcspn(line_start, "\n"), line_start);
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: golden_ast FILE.tk FILE.expect\n", stderr);
        return EXIT_USAGE;
    }
    struct arena *arena = arena_create();
    struct source *source = source_read(arena, argv[1], &(const char *){0});
    if (!source) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }
    const char *slash = strrchr(argv[1], '/');
    source->path = slash ? slash + 1 : argv[1];
    struct strbuf found = {0};
    struct diag diag = {.sink = collect, .sink_user = &found};
    const struct module *module = parse_module(arena, &diag, source);
    if (module) {
        ast_dump(&found, module);
    }
    int status = EXIT_SUCCESS;
    const char *update = getenv("UPDATE");
    if (update && strcmp(update, "1") == 0) {
        if (!file_write_atomic(argv[2], strbuf_text(&found), found.length)) {
            perror(argv[2]);
            status = EXIT_FAILURE;
        }
    } else {
        char *expected = file_read(argv[2], &(size_t){0});
        status = compare(argv[2], expected ? expected : "", strbuf_text(&found));
        free(expected);
    }
    strbuf_free(&found);
    arena_destroy(arena);
    return status;
}
