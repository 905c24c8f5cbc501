// golden_ast FILE.tk FILE.expect: parses a file and compares the dump of its tree, or the errors, with the
// expectation. With UPDATE=1 in the environment the expectation is rewritten instead.
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>

#include "frontend/syntax/ast_dump.h"
#include "frontend/syntax/parser.h"
#include "support/arena.h"

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
    source->path = golden_name(argv[1]);
    struct strbuf found = {0};
    struct diag diag = {.sink = golden_collect, .sink_user = &found};
    const struct module *module = parse_module(arena, &diag, source);
    if (module) {
        ast_dump(&found, module);
    }
    int status = golden_compare(argv[2], &found);
    strbuf_free(&found);
    arena_destroy(arena);
    return status;
}
