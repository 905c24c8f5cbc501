// Parts of the lowering that every family of ops asks for: its vendor, its errors, its share of the budget.
#include "lower/lower_internal.h"

#include <stdarg.h>
#include <stdio.h>

const struct lower_vendor *lower_vendor(const struct lowering *l) {
    return l->vendor;
}

void lower_error(struct lowering *l, const char *format, ...) {
    char buffer[512];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    diag_error(l->diag, ir_op_location(l->ir, l->op), "%s", buffer);
}

bool lower_take(struct lowering *l, size_t count) {
    MlirOperation op = mlirOperationIsNull(l->op) ? l->kernel : l->op;
    return diag_take(l->diag, BUDGET_VALUES, count, ir_user_location(l->ir, op));
}

void lower_mark_convergent(struct lowering *l, LLVMValueRef call) {
    unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(l->context, kind, 0));
}
