// The depfile: rules for make and ninja.
#include "artifact/artifact.h"

// make's quoting: spaces and # take a backslash (and so do backslashes before them), $ is doubled.
static void add_path(struct strbuf *out, const char *path) {
    size_t backslashes = 0;
    for (const char *c = path; *c; c++) {
        if (*c == ' ' || *c == '\t' || *c == '#') {
            for (size_t i = 0; *c != '#' && i < backslashes; i++) {
                strbuf_add_char(out, '\\');
            }
            strbuf_add_char(out, '\\');
        } else if (*c == '$') {
            strbuf_add_char(out, '$');
        }
        backslashes = *c == '\\' ? backslashes + 1 : 0;
        strbuf_add_char(out, *c);
    }
}

void depfile_write(const char *const *products, size_t product_count, const char *const *sources,
                   size_t source_count, struct strbuf *out) {
    for (size_t i = 0; i < product_count; i++) {
        strbuf_add(out, i ? " " : "");
        add_path(out, products[i]);
    }
    strbuf_add_char(out, ':');
    for (size_t i = 0; i < source_count; i++) {
        strbuf_add(out, " \\\n  ");
        add_path(out, sources[i]);
    }
    strbuf_add_char(out, '\n');
    for (size_t i = 0; i < source_count; i++) {
        add_path(out, sources[i]);
        strbuf_add(out, ":\n");
    }
}
