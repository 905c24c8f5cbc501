// Errors and warnings of an evaluation, silent where it may fail without harm.
#include "frontend/semantics/emit.h"

static void report(struct emitter *e, enum diag_severity severity, struct location location,
                   const char *format, va_list args) {
    diag_report(e->diag, severity, location, format, args);
    if (severity == DIAG_ERROR && e->note_calls) {
        e->note_calls(e);
    }
}

struct value emit_error(struct emitter *e, struct location location, const char *format, ...) {
    if (!e->quiet) {
        va_list args;
        va_start(args, format);
        report(e, DIAG_ERROR, location, format, args);
        va_end(args);
    }
    return value_error();
}

void emit_warning(struct emitter *e, struct location location, const char *format, ...) {
    if (!e->quiet) {
        va_list args;
        va_start(args, format);
        report(e, DIAG_WARNING, location, format, args);
        va_end(args);
    }
}
