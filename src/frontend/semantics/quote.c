// The user's own words for an error: the text of an expression, and the statements that made its tiles.
#include <string.h>

#include "frontend/semantics/emit.h"

enum { QUOTE_MAX = 40 };

// True if every bracket in the text has its partner and no string begins in it: a part of an expression may not.
static bool is_whole(const char *text) {
    int depth = 0;
    for (const char *c = text; *c && depth >= 0; c++) {
        depth += strchr("([{", *c) ? 1 : strchr(")]}", *c) ? -1 : 0;
        if (strchr("\"'\\#", *c)) {
            return false;
        }
    }
    return depth == 0;
}

const char *emit_text_of(struct emitter *e, struct location at, const char *otherwise) {
    const char *line;
    if (!at.source || at.source->is_library || !at.line || !at.column || !at.length || at.length > QUOTE_MAX) {
        return otherwise;
    }
    size_t length = source_line(at.source, at.line, &line), before = at.column - 1;
    if (before + at.length > length) {
        return otherwise;
    }
    const char *text = arena_strndup(e->arena, line + before, at.length);
    return is_whole(text) ? text : otherwise;
}

static bool is_simple(const char *text) {
    return !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")];
}

const char *emit_operand_text(struct emitter *e, struct location at, const char *otherwise) {
    const char *text = emit_text_of(e, at, otherwise);
    return is_simple(text) || text == otherwise ? text : arena_printf(e->arena, "(%s)", text);
}

struct location emit_value_place(const struct emitter *e, const char *parameter) {
    for (size_t i = 0; i < e->parameters.count; i++) {
        if (strcmp(e->parameters.items[i].name, parameter) == 0) {
            return e->parameters.items[i].value;
        }
    }
    return (struct location){0};
}

const char *emit_argument_text(struct emitter *e, const char *parameter, const char *otherwise) {
    return emit_text_of(e, emit_value_place(e, parameter), otherwise);
}

void emit_note(struct emitter *e, struct location at, const char *format, ...) {
    if (!e->quiet && !e->diag->budget.exceeded) {
        va_list args;
        va_start(args, format);
        diag_report(e->diag, DIAG_NOTE, at, format, args);
        va_end(args);
    }
}

void emit_note_tiles(struct emitter *e, struct location expression) {
    if (!e->quiet && !e->diag->budget.exceeded && e->note_tiles && *emit_text_of(e, expression, "")) {
        e->note_tiles(e, expression);
    }
}

struct location emit_left_place(const struct emitter *e, struct location whole) {
    const struct location at = e->operands.whole;
    bool known = at.source && at.source == whole.source && at.line == whole.line && at.column == whole.column &&
                 at.length == whole.length;
    return known ? e->operands.left : (struct location){0};
}

struct location emit_right_place(const struct emitter *e, struct location whole) {
    return emit_left_place(e, whole).source ? e->operands.right : (struct location){0};
}
