// Calls of inline assembly: all rows of asm.def are emitted here.
#include <string.h>

#include "lower/lower_internal.h"

LLVMValueRef asm_call(struct lowering *l, enum asm_id id, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned count) {
    const struct asm_row *row = &asm_table[id];
    LLVMTypeRef types[64];
    if (count > sizeof types / sizeof *types) {
        bug("assembly snippet %s has %u operands", row->name, count);
    }
    for (unsigned i = 0; i < count; i++) {
        types[i] = LLVMTypeOf(args[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    char constraints[512];
    asm_constraints(id, constraints, sizeof constraints);
    LLVMValueRef snippet =
        LLVMGetInlineAsm(type, row->text, strlen(row->text), constraints, strlen(constraints),
                         row->effects >= ASM_KEPT, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef call = LLVMBuildCall2(l->b, type, snippet, args, count, "");
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(l->context, nounwind, 0));
    if (row->effects == ASM_VALUE) {
        static const char *const names[] = {"memory", "willreturn"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
            LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                                     LLVMCreateEnumAttribute(l->context, kind, 0));
        }
    }
    if (row->effects == ASM_TOGETHER) {
        lower_mark_convergent(l, call);
    }
    return call;
}
