// Reasons for refused optimisations, from decline() to the attribute on the op.
//
// Several passes ask for the same fact, and most refusals are not final. So decline() only stores a reason
// and an op, at no cost; the text is made by reason_keep(), once a refusal is final.
#include "passes/reason.h"

#include <stdio.h>

#include "passes/pass.h"

bool decline(struct pass_context *context, MlirOperation op, enum reason reason) {
    context->declined = (struct declined){reason, op};
    return false;
}

const char *reason_text(enum reason reason) {
    static const char *const texts[REASON_COUNT] = {
#define REASON(id, text) [REASON_##id] = text,
#include "passes/reasons.def"
#undef REASON
    };
    return texts[reason];
}

void reason_keep(struct pass_context *context, MlirOperation op, enum attribute_name name) {
    struct declined declined = context->declined;
    if (declined.reason == REASON_NONE) {
        bug("left alone for no reason");
    }
    struct strbuf text = {0};
    strbuf_add(&text, "left alone: ");
    if (!mlirOperationIsNull(declined.op)) {
        MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(declined.op));
        struct location at = ir_user_location(context->ir, declined.op);
        strbuf_printf(&text, "%.*s", (int)kind.length, kind.data);
        if (at.source) {
            strbuf_printf(&text, " at %u:%u", at.line, at.column);
        }
        strbuf_add(&text, ": ");
    }
    strbuf_add(&text, reason_text(declined.reason));
    op_set_string(context->ir, op, name, strbuf_text(&text));
    strbuf_free(&text);
    context->declined = (struct declined){0};
}
