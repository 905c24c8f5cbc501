// The user's own words for an error: the text of an expression, and the statements behind its tiles.
#include <ctype.h>
#include <string.h>

#include "dialects/tk/tk.h"
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
    if (!at.source || at.source->is_library || !at.line || !at.column || !at.length ||
        at.length > QUOTE_MAX) {
        return otherwise;
    }
    size_t length = source_line(at.source, at.line, &line), before = at.column - 1;
    if (before + at.length > length) {
        return otherwise;
    }
    const char *text = arena_strndup(e->arena, line + before, at.length);
    return is_whole(text) ? text : otherwise;
}

bool emit_is_name(const char *text) {
    return *text && !(*text >= '0' && *text <= '9') &&
           !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

// True for x, a.b, f(x, y) and x[i]: a point behind it takes the whole.
static bool is_simple(const char *text) {
    int depth = 0;
    for (const char *c = text; *c; c++) {
        depth += strchr("([{", *c) ? 1 : strchr(")]}", *c) ? -1 : 0;
        bool is_part = strchr("()[]{}._", *c) || isalnum((unsigned char)*c);
        if (depth == 0 && !is_part) {
            return false;
        }
    }
    return !isdigit((unsigned char)*text);
}

const char *emit_operand_text(struct emitter *e, struct location at, const char *otherwise) {
    const char *text = emit_text_of(e, at, otherwise);
    return is_simple(text) || text == otherwise ? text : arena_printf(e->arena, "(%s)", text);
}

static bool is_number(const char *text) {
    return isdigit((unsigned char)*text) && !text[strspn(text, "0123456789.xabcdefABCDEF_")];
}

const char *emit_term_text(struct emitter *e, struct location at, const char *otherwise) {
    const char *text = emit_text_of(e, at, otherwise);
    return is_number(text) ? text : emit_operand_text(e, at, otherwise);
}

struct location emit_value_place(const struct emitter *e, const char *parameter) {
    for (size_t i = 0; i < e->parameters.count; i++) {
        if (strcmp(e->parameters.items[i].name, parameter) == 0) {
            return e->parameters.items[i].value;
        }
    }
    return (struct location){0};
}

struct location emit_value_at(const struct emitter *e, struct location argument) {
    for (size_t i = 0; i < e->parameters.count; i++) {
        const struct parameter_place *place = &e->parameters.items[i];
        if (place->value.source && place->at.source == argument.source && place->at.line == argument.line &&
            place->at.column == argument.column) {
            return place->value;
        }
    }
    // Without a place of its own an argument has the call's, whose text is another one.
    return (struct location){0};
}

const char *emit_element_text(struct emitter *e, struct location at, size_t index) {
    const char *text = emit_text_of(e, at, "");
    size_t length = strlen(text), start = 1;
    int depth = 0;
    if (length < 3 || !strchr("([", *text)) {
        return NULL;
    }
    for (size_t i = 1; i < length; i++) {
        bool ends = depth == 0 && (text[i] == ',' || i + 1 == length);
        if (ends && index-- == 0) {
            start += strspn(text + start, " ");
            return arena_strndup(e->arena, text + start, i - start);
        }
        start = ends ? i + 1 : start;
        depth += strchr("([{", text[i]) ? 1 : strchr(")]}", text[i]) ? -1 : 0;
    }
    return NULL;
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
    bool known = at.source && at.source == whole.source && at.line == whole.line &&
                 at.column == whole.column && at.length == whole.length;
    return known ? e->operands.left : (struct location){0};
}

struct location emit_right_place(const struct emitter *e, struct location whole) {
    return emit_left_place(e, whole).source ? e->operands.right : (struct location){0};
}

// True for a quotient of integers.
static bool divides_integers(struct emitter *e, struct value v) {
    MlirOperation op = value_op(v.tensor.value);
    if (mlirOperationIsNull(op) || op_kind(e->ir, op) != OP_DIVF) {
        return false;
    }
    MlirOperation first = value_op(binary_left(op));
    enum op_kind kind = mlirOperationIsNull(first) ? OP_UNKNOWN : op_kind(e->ir, first);
    return kind == OP_SITOFP || kind == OP_UITOFP;
}

const char *emit_as_integer(struct emitter *e, struct value v, struct location at) {
    const char *text = emit_text_of(e, at, ""), *slash = strchr(text, '/');
    if (slash && !strchr(slash + 1, '/') && divides_integers(e, v)) {
        return arena_printf(e->arena, "%.*s//%s", (int)(slash - text), text, slash + 1);
    }
    if (is_number(text)) {
        return "an integer";
    }
    return *text ? arena_printf(e->arena, "%s.to(tl.int32)", emit_operand_text(e, at, ""))
                 : "a // b for a / b, or .to(tl.int32)";
}
