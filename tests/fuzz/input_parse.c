// Source text to tree, and the tree's dump.
#include <string.h>

#include "frontend/syntax/ast_dump.h"
#include "frontend/syntax/parser.h"
#include "fuzz_input.h"
#include "support/arena.h"
#include "support/diag.h"

static void ignore(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    struct arena *arena = arena_create();
    struct diag diag = {.sink = ignore};
    struct source source = {
        .path = "input.tk", .text = arena_strndup(arena, (const char *)bytes, length), .length = length};
    const struct module *module = parse_module(arena, &diag, &source);
    if (!module == !diag.error_count) {
        bug("a tree and an error, or neither");
    }
    if (module) {
        struct strbuf dump = {0};
        ast_dump(&dump, module);
        strbuf_free(&dump);
    }
    arena_destroy(arena);
    return 0;
}
