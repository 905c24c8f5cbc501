// `match` on a constant: only the first matching case is emitted. Patterns: literals, dotted names of
// constants, alternatives, tuples of patterns (one of them starred), capture names, and `_`.
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/semantics/constant.h"

static bool fits(struct emitter *e, const struct expr *pattern, struct value subject, bool *ok);

// Matches a tuple of patterns; a starred pattern takes all remaining elements.
static bool fits_elements(struct emitter *e, const struct expr_list *patterns, struct value_list elements,
                          bool *ok) {
    size_t star = 0;
    while (star < patterns->count && patterns->items[star]->kind != EXPR_STARRED) {
        star++;
    }
    bool starred = star < patterns->count;
    if (starred ? elements.count + 1 < patterns->count : elements.count != patterns->count) {
        return false;
    }
    size_t spread = elements.count + 1 - patterns->count;
    bool all = true;
    for (size_t i = 0; all && i < patterns->count; i++) {
        const struct expr *pattern = patterns->items[i];
        if (i == star) {
            struct value rest = value_list_of(e->arena, elements.items + i, spread);
            all = fits(e, pattern->operand, rest, ok);
        } else {
            all = fits(e, pattern, elements.items[i < star ? i : i - 1 + spread], ok);
        }
    }
    return all;
}

static bool fits(struct emitter *e, const struct expr *pattern, struct value subject, bool *ok) {
    if (pattern->kind == EXPR_NAME) {
        if (strcmp(pattern->name.id, "_") != 0) {
            scope_set(e, e->frame->scope, pattern->name.id, subject);
        }
        return true;
    }
    if (pattern->kind == EXPR_BINARY && pattern->binary.op == BINARY_OR) {
        return fits(e, pattern->binary.left, subject, ok) || fits(e, pattern->binary.right, subject, ok);
    }
    if (pattern->kind == EXPR_AS_PATTERN) {
        bool found = fits(e, pattern->as_pattern.pattern, subject, ok);
        if (found) {
            scope_set(e, e->frame->scope, pattern->as_pattern.name, subject);
        }
        return found;
    }
    if (pattern->kind == EXPR_TUPLE || pattern->kind == EXPR_LIST) {
        return value_is_sequence(subject) && fits_elements(e, &pattern->elements, subject.list, ok);
    }
    struct value wanted = eval(e, pattern);
    if (pattern->kind == EXPR_NONE || pattern->kind == EXPR_TRUE || pattern->kind == EXPR_FALSE) {
        return value_identical(subject, wanted); // 1 is not True
    }
    struct value same = *ok && !value_failed(wanted)
                            ? constant_compare(e, COMPARE_EQ, subject, wanted, pattern->location)
                            : value_error();
    if (same.kind == VALUE_SYMBOL) {
        emit_error(e, pattern->location,
                   "which number a kernel argument is, is known at launch: use if and elif");
    }
    *ok = *ok && same.kind == VALUE_BOOL;
    return *ok && same.boolean;
}

enum flow run_match(struct emitter *e, const struct stmt *stmt) {
    struct value subject = eval(e, stmt->match.subject);
    if (value_failed(subject)) {
        return FLOW_FAIL;
    }
    if (!value_is_constant(subject)) {
        emit_error(e, stmt->location, "match needs a compile-time constant, not %s: use if and elif",
                   value_type_name(e->arena, subject));
        return FLOW_FAIL;
    }
    for (size_t i = 0; i < stmt->match.count; i++) {
        const struct match_case *one = &stmt->match.cases[i];
        bool ok = true, known = true, holds = fits(e, one->pattern, subject, &ok);
        MlirValue run_time;
        if (ok && holds && one->guard) {
            ok = eval_condition(e, eval(e, one->guard), one->guard->location, &known, &holds, &run_time);
            if (ok && !known) {
                emit_error(e, one->guard->location, "the guard of a case must be a compile-time constant");
            }
        }
        if (!ok || !known) {
            return FLOW_FAIL;
        }
        if (holds) {
            return run_list(e, &one->body, 0);
        }
    }
    return FLOW_NEXT;
}
