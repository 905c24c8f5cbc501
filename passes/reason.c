// Reasons for refused optimisations, from decline() to the attribute on the op and the remark.
//
// Several passes ask for the same fact, and most refusals are not final. So decline() only stores a reason
// and an op, at no cost; the text is made by reason_keep(), once a refusal is final.
#include "passes/reason.h"

#include <stdio.h>

#include "passes/pass.h"

bool decline(struct pass_context *context, MlirOperation op, enum reason reason) {
    context->declined = (struct declined){.reason = reason, .op = op};
    return false;
}

bool decline_numbers(struct pass_context *context, MlirOperation op, enum reason reason, long long actual,
                     long long limit) {
    context->declined =
        (struct declined){.reason = reason, .op = op, .numbered = true, .numbers = {actual, limit}};
    return false;
}

bool decline_hint(struct pass_context *context, MlirOperation op, enum reason reason, long long actual,
                  MlirValue argument, unsigned multiple) {
    decline_numbers(context, op, reason, actual, 0);
    context->declined.argument = argument;
    context->declined.multiple = multiple;
    return false;
}

static const struct {
    const char *text, *numbers, *advice;
} rows[REASON_COUNT] = {
#define REASON(id, text, numbers, advice) [REASON_##id] = {text, numbers, advice},
#include "passes/reasons.def"
#undef REASON
};

const char *reason_text(enum reason reason) {
    return rows[reason].text;
}

// The op at fault, as a programmer calls it.
static const char *word_of(enum op_kind kind) {
    static const char *const words[OP_KIND_COUNT] = {
        [OP_FUNC] = "the kernel",         [OP_FOR] = "the loop",
        [OP_WHILE] = "the while loop",    [OP_IF] = "the branch",
        [OP_SELECT] = "tl.where",         [OP_LOAD] = "the load",
        [OP_STORE] = "the store",         [OP_ATOMIC_RMW] = "the atomic",
        [OP_ATOMIC_CAS] = "the atomic",   [OP_DOT] = "the dot",
        [OP_REDUCE] = "the reduction",    [OP_SCAN] = "the scan",
        [OP_TRANS] = "the transposition", [OP_CONVERT_LAYOUT] = "the change of layout",
    };
    return words[kind] ? words[kind] : "the operation";
}

// For dumps "tk.store at 40:5: <text>", for programmers "the store at 40:5: <text>".
static void add_reason(struct pass_context *context, bool in_words, struct strbuf *out) {
    const struct declined *declined = &context->declined;
    if (!mlirOperationIsNull(declined->op)) {
        MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(declined->op));
        struct location at = ir_user_location(context->ir, declined->op);
        if (in_words) {
            strbuf_add(out, word_of(op_kind(context->ir, declined->op)));
        } else {
            strbuf_printf(out, "%.*s", (int)kind.length, kind.data);
        }
        if (at.source) {
            strbuf_printf(out, " at %u:%u", at.line, at.column);
        }
        strbuf_add(out, ": ");
    }
    strbuf_add(out, reason_text(declined->reason));
}

// " (128 B)": the row's text with the numbers at {0} and {1}.
static void add_numbers(const struct declined *declined, struct strbuf *out) {
    const char *text = rows[declined->reason].numbers;
    if (!declined->numbered || !*text) {
        return;
    }
    strbuf_add(out, " (");
    for (; *text; text++) {
        if (*text == '{') {
            strbuf_printf(out, "%lld", declined->numbers[text[1] - '0']);
            text += 2;
        } else {
            strbuf_add_char(out, *text);
        }
    }
    strbuf_add_char(out, ')');
}

static MlirOperation function_of_argument(MlirValue argument) {
    return mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
}

static void say(struct pass_context *context, MlirOperation op, enum remark_kind kind) {
    const struct declined *declined = &context->declined;
    const char *advice = rows[declined->reason].advice;
    struct remark_hint hint;
    struct remark remark = {.kind = kind, .refused = true};
    struct strbuf text = {0};
    strbuf_printf(&text, "%s: ", remark_refused(kind));
    add_reason(context, true, &text);
    add_numbers(declined, &text);
    if (!mlirValueIsNull(declined->argument)) {
        hint = remark_hint(context, function_of_argument(declined->argument),
                           (unsigned)mlirBlockArgumentGetArgNumber(declined->argument), declined->multiple);
        remark.hints = &hint;
        remark.hint_count = 1;
    } else if (*advice) {
        remark.advice = advice;
    }
    remark.fact = strbuf_text(&text);
    remark_add(context, op, remark);
    strbuf_free(&text);
}

void reason_keep(struct pass_context *context, MlirOperation op, enum attribute_name name) {
    enum { ATTR_NONE = ATTRIBUTE_COUNT };
    static const int attributes[REMARK_COUNT] = {
#define REMARK(id, name, attribute, refused, doc) [REMARK_##id] = ATTR_##attribute,
#include "passes/remarks.def"
#undef REMARK
    };
    if (context->declined.reason == REASON_NONE) {
        bug("left alone for no reason");
    }
    struct strbuf text = {0};
    strbuf_add(&text, "left alone: ");
    add_reason(context, name == ATTR_CHAIN, &text); // the driver says it as it is
    op_set_string(context->ir, op, name, strbuf_text(&text));
    strbuf_free(&text);
    for (int kind = 0; kind < REMARK_COUNT && context->remarks; kind++) {
        if (attributes[kind] == (int)name) {
            say(context, op, (enum remark_kind)kind);
        }
    }
    context->declined = (struct declined){0};
}
