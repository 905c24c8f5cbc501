// Errors and warnings of an evaluation (suppressed while `quiet`), and the limits on its work.
#include "frontend/semantics/emit.h"

#include <stdio.h>
#include <string.h>

static void report(struct emitter *e, enum diag_severity severity, struct location location,
                   const char *format, va_list args) {
    if (e->diag->budget.exceeded) {
        return;
    }
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

void emit_offer(struct emitter *e, struct location at, const char *text) {
    if (!e->quiet && !e->diag->budget.exceeded) {
        diag_offer(e->diag, at, text);
    }
}

struct value emit_usage(struct emitter *e, struct location location, const char *format, ...) {
    va_list args;
    diag_usage(e->diag);
    va_start(args, format);
    report(e, DIAG_ERROR, location, format, args);
    va_end(args);
    return value_error();
}

struct value emit_unknown(struct emitter *e, struct location location, const struct nearest *nearest,
                          const char *format, ...) {
    if (e->quiet) {
        return value_error();
    }
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *message = arena_alloc(e->arena, (size_t)length + 1);
    va_start(args, format);
    vsnprintf(message, (size_t)length + 1, format, args);
    va_end(args);
    if (!nearest->name) {
        return emit_error(e, location, "%s", message);
    }
    if (location.length == strlen(nearest->text)) {
        emit_offer(e, location, nearest->name);
    }
    return emit_error(e, location, "%s; did you mean %s?", message, nearest->name);
}

struct value emit_fault(struct emitter *e, const struct syntax_fault *fault) {
    if (fault->fix.text) {
        emit_offer(e, fault->fix.at, fault->fix.text);
    }
    return emit_error(e, fault->location, "%s", fault->message);
}

void emit_warning(struct emitter *e, struct location location, const char *format, ...) {
    if (!e->quiet) {
        va_list args;
        va_start(args, format);
        report(e, DIAG_WARNING, location, format, args);
        va_end(args);
    }
}

bool emit_step(struct emitter *e, size_t steps, struct location location) {
    struct diag *diag = e->diag;
    if (diag->budget.exceeded) {
        return false;
    }
    size_t bytes = arena_size(e->arena) + (e->ir ? ir_size(e->ir) : 0);
    bool enough = diag_take(diag, BUDGET_STEPS, steps, location) &&
                  diag_hold(diag, BUDGET_MEMORY, bytes >> 20, location) &&
                  diag_take(diag, BUDGET_OPS, 0, location);
    if (!enough && e->note_calls) {
        e->note_calls(e);
    }
    return enough;
}

bool emit_check_weight(struct emitter *e, size_t weight, struct location location) {
    if (weight > VALUE_WEIGHT_MAX) {
        emit_error(e, location, "a value of %zu elements; at most %d can be evaluated at compile time",
                   weight, VALUE_WEIGHT_MAX);
        return false;
    }
    return emit_step(e, weight / 16, location);
}
