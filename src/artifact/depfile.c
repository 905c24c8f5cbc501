// The depfile: rules for make and ninja.
#include "artifact/artifact.h"
#include "support/escape.h"

static bool check_paths(const char *const *paths, size_t count, struct diag *diag) {
    for (size_t i = 0; i < count; i++) {
        if (!escape_fits_make(paths[i])) {
            diag_error(diag, (struct location){0},
                       "a depfile cannot name \"%s\": its path has a line break; compile without -MD",
                       paths[i]);
            return false;
        }
    }
    return true;
}

bool depfile_write(const char *const *products, size_t product_count, const char *const *sources,
                   size_t source_count, struct strbuf *out, struct diag *diag) {
    if (!check_paths(products, product_count, diag) || !check_paths(sources, source_count, diag)) {
        return false;
    }
    for (size_t i = 0; i < product_count; i++) {
        strbuf_add(out, i ? " " : "");
        escape_add_text(out, ESCAPE_TARGET, products[i]);
    }
    strbuf_add_char(out, ':');
    for (size_t i = 0; i < source_count; i++) {
        strbuf_add(out, " \\\n  ");
        escape_add_text(out, ESCAPE_MAKE, sources[i]);
    }
    strbuf_add_char(out, '\n');
    for (size_t i = 0; i < source_count; i++) {
        escape_add_text(out, ESCAPE_TARGET, sources[i]);
        strbuf_add(out, ":\n");
    }
    return true;
}
