// Diagnostics: each message is rendered whole (header, source line, caret line) and handed to the sink in one
// call, so messages of concurrent compilations cannot interleave.
#include "support/diag.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/escape.h"
#include "support/memory.h"

enum { MESSAGE_BYTES = 4000, MESSAGE_END = 1000 };

// The start of a character at or before `at`.
static size_t boundary(const char *line, size_t length, size_t at) {
    while (at > 0 && at < length && ((unsigned char)line[at] & 0xc0) == 0x80) {
        at--;
    }
    return at < length ? at : length;
}

// A text that is longer than a message may be: its beginning and its end, where the remedy stands.
static void add_cut(struct strbuf *out, const char *text, size_t length) {
    if (length <= MESSAGE_BYTES) {
        escape_add(out, ESCAPE_MESSAGE, text, length);
        return;
    }
    size_t first = boundary(text, length, MESSAGE_BYTES - MESSAGE_END),
           last = boundary(text, length, length - MESSAGE_END);
    escape_add(out, ESCAPE_MESSAGE, text, first);
    strbuf_printf(out, " … (%zu bytes left out) … ", last - first);
    escape_add(out, ESCAPE_MESSAGE, text + last, length - last);
}

static void render_vprintf(struct strbuf *out, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length > 0) {
        char *text = malloc((size_t)length + 1);
        if (!text) {
            out_of_memory((size_t)length + 1);
        }
        vsnprintf(text, (size_t)length + 1, format, again);
        add_cut(out, text, (size_t)length);
        free(text);
    }
    va_end(again);
}

static void render_place(struct strbuf *out, struct location location) {
    if (!location.source) {
        strbuf_add(out, "tkc: ");
        return;
    }
    escape_add_text(out, ESCAPE_LINE, location.source->path);
    if (location.line) {
        strbuf_printf(out, ":%u:%u", location.line, location.column);
    }
    strbuf_add(out, ": ");
}

enum { LINE_BYTES = 160, LINE_BEFORE = 60 };

// Below the line: tabs are repeated, a character of several bytes counts once.
static void render_caret(struct strbuf *out, const char *line, size_t length, size_t column, size_t marked) {
    for (size_t i = 0; i < column;) {
        unsigned code;
        size_t bytes = i < length ? escape_utf8(line + i, length - i, &code) : 1;
        strbuf_add_char(out, i < length && line[i] == '\t' ? '\t' : ' ');
        i += bytes ? bytes : 1;
    }
    strbuf_add_char(out, '^');
    for (size_t i = column + 1; i < column + marked && i < length; i++) {
        if (((unsigned char)line[i] & 0xc0) != 0x80) {
            strbuf_add_char(out, '~');
        }
    }
    strbuf_add_char(out, '\n');
}

// The line with a caret line below; of a long one the part around the caret.
static void render_source(struct strbuf *out, struct location location) {
    if (!location.source || !location.source->text || !location.line) {
        return;
    }
    const char *line;
    size_t length = source_line(location.source, location.line, &line);
    size_t column = location.column ? location.column - 1 : 0, from = 0, to = length;
    if (length > LINE_BYTES) {
        from = boundary(line, length, column > LINE_BEFORE ? column - LINE_BEFORE : 0);
        to = boundary(line, length, from + LINE_BYTES);
    }
    strbuf_add(out, from ? "   …" : "    ");
    escape_add(out, ESCAPE_COLUMNS, line + from, to - from);
    strbuf_add(out, to < length ? "…\n    " : "\n    ");
    render_caret(out, line + from, to - from, column - from, location.length);
}

static void deliver(struct diag *diag, const struct diag_message *message) {
    if (diag->receiver) {
        diag->receiver(diag->sink_user, message);
    } else if (diag->sink) {
        diag->sink(diag->sink_user, message->severity, message->text);
    } else {
        fputs(message->text, stderr);
    }
}

// `label`: at the end of the message, in brackets; NULL: none. `name`: of the warning or remark.
static void report(struct diag *diag, enum diag_severity severity, const char *label, const char *name,
                   struct location location, const char *format, va_list args) {
    static const char *const names[] = {[DIAG_NOTE] = "note: ",
                                        [DIAG_REMARK] = "remark: ",
                                        [DIAG_WARNING] = "warning: ",
                                        [DIAG_ERROR] = "error: "};
    if (severity == DIAG_ERROR) {
        diag->error_count++;
    } else if (severity == DIAG_WARNING) {
        diag->warning_count++;
    } else {
        diag->note_count++;
    }
    unsigned remarks = diag->warning_count + diag->note_count;
    if (severity != DIAG_ERROR && remarks > DIAG_REMARKS_MAX) {
        if (remarks > DIAG_REMARKS_MAX + 1) {
            return;
        }
        diag_note(diag, (struct location){0}, "further warnings, remarks and notes are left out");
        return;
    }
    if (diag->error_limit && diag->error_count > diag->error_limit && severity != DIAG_WARNING) {
        return;
    }
    struct strbuf text = {0}, body = {0};
    render_vprintf(&body, format, args);
    render_place(&text, location);
    strbuf_printf(&text, "%s%s", names[severity], strbuf_text(&body));
    if (label) {
        strbuf_printf(&text, " [%s]", label);
    }
    strbuf_add_char(&text, '\n');
    render_source(&text, location);
    deliver(diag, &(struct diag_message){.severity = severity,
                                         .at = location,
                                         .text = strbuf_text(&text),
                                         .body = strbuf_text(&body),
                                         .name = name,
                                         .fix = diag->fix,
                                         .has_fix = diag->has_fix});
    diag->has_fix = false;
    strbuf_free(&text);
    strbuf_free(&body);
}

void diag_usage(struct diag *diag) {
    diag->wrong_usage = true;
}

void diag_offer(struct diag *diag, struct location at, const char *text) {
    diag->fix = (struct diag_fix){at, text};
    diag->has_fix = at.line != 0;
}

void diag_report(struct diag *diag, enum diag_severity severity, struct location location, const char *format,
                 va_list args) {
    report(diag, severity, NULL, NULL, location, format, args);
}

void diag_error(struct diag *diag, struct location location, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_report(diag, DIAG_ERROR, location, format, args);
    va_end(args);
}

void diag_warning(struct diag *diag, enum warning warning, struct location location, const char *format,
                  ...) {
    unsigned bit = 1u << warning;
    bool error = diag->warnings.errors & bit;
    char label[64];
    va_list args;
    if (diag->warnings.off & bit) {
        return;
    }
    snprintf(label, sizeof label, error ? "-Werror=%s" : "-W%s", warning_table[warning].name);
    va_start(args, format);
    report(diag, error ? DIAG_ERROR : DIAG_WARNING, label, warning_table[warning].name, location, format,
           args);
    va_end(args);
}

void diag_remark(struct diag *diag, const char *kind, struct location location, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(diag, DIAG_REMARK, kind, kind, location, format, args);
    va_end(args);
}

void diag_note(struct diag *diag, struct location location, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_report(diag, DIAG_NOTE, location, format, args);
    va_end(args);
}

bool diag_hold(struct diag *diag, enum budget_kind kind, size_t whole, struct location location) {
    struct budget *budget = &diag->budget;
    const struct budget_row *row = &budget_table[kind];
    size_t limit = budget_limit(budget, kind);
    budget->taken[kind] = whole;
    if (whole > limit && !budget->exceeded) {
        size_t split = budget->split && budget_is_shared(kind) ? budget->split : 1;
        diag_error(diag, location,
                   "%s takes %zu %s here, and %s has %zu; %s, or allow more with --budget=%zu", row->what,
                   whole, row->unit, split > 1 ? "each of so many variants and targets" : "a compilation",
                   limit, row->advice, whole * split / row->limit + 1);
        budget->exceeded = true;
        budget->first = kind;
    }
    return !budget->exceeded;
}

bool diag_take(struct diag *diag, enum budget_kind kind, size_t amount, struct location location) {
    return diag_hold(diag, kind, diag->budget.taken[kind] + amount, location);
}

bool diag_cancelled(const struct diag *diag) {
    return diag->cancel && __atomic_load_n(diag->cancel, __ATOMIC_RELAXED) != 0;
}

bool diag_checkpoint(const struct diag *diag) {
    return diag->error_count == 0 && !diag_cancelled(diag);
}
