// Texts of the code, with the source line of each of their lines.
#ifndef TKC_REPORT_TEXTS_H
#define TKC_REPORT_TEXTS_H

#include "report/report.h"

// A text under construction, line by line.
struct text_lines {
    struct arena *arena;
    struct strbuf text;
    unsigned *lines;
    size_t count, capacity;
};
void text_lines_add(struct text_lines *lines, const char *text, size_t length, unsigned source_line);
// The finished text, in the arena.
struct report_text text_lines_end(struct text_lines *lines, const char *name);

// The innermost place of an op within one source; 0: none.
unsigned gather_line(struct ir *ir, MlirOperation op, const struct source *source);

struct report_text report_tile_text(struct arena *arena, struct ir *ir, MlirModule tiles,
                                    const struct source *source);
struct report_text report_llvm_text(struct arena *arena, const char *text);
// A line of a text, without its end; false behind the last.
bool text_next_line(const char **at, const char **line, size_t *length);
bool text_starts(const char *line, size_t length, const char *word);
struct report_text report_code_text(struct arena *arena, const struct strbuf *code, enum vendor vendor);

#endif
