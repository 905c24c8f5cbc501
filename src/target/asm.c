// The inline-assembly table and the one function that emits from it.
#include "target/asm.h"

#include <stdio.h>
#include <string.h>

#include "target/lower_internal.h"

const struct asm_row asm_table[ASM_COUNT] = {
#define ASM(id, vendor, text, constraints, effects, doc)                                                     \
    {#id, VENDOR_##vendor, text, constraints, effects, doc},
#include "target/asm.def"
#undef ASM
};

const char *asm_constraints(enum asm_id id, char *buffer, unsigned size) {
    const struct asm_row *row = &asm_table[id];
    const char *clobber = row->effects == ASM_MEMORY ? "~{memory}" : "";
    snprintf(buffer, size, "%s%s%s", row->constraints, *row->constraints && *clobber ? "," : "", clobber);
    return buffer;
}

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
                         row->effects == ASM_MEMORY, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef call = LLVMBuildCall2(l->b, type, snippet, args, count, "");
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(l->context, nounwind, 0));
    return call;
}
