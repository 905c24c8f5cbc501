// The synchronisation scope of an atomic instruction or a fence of LLVM.
#include "chip/sync_scope.h"

#include <llvm-c/Core.h>
#include <stdio.h>
#include <string.h>

// LLVM 19's C API lacks the scope, so the printed instruction gives the name. LLVM numbers all values of a function to
// print one of its instructions or a name of its values: a copy outside any function and without operands is printed
// instead.
void sync_scope_name(LLVMValueRef instruction, char name[SYNC_SCOPE_NAME]) {
    static const char key[] = "syncscope(\"";
    LLVMValueRef copy = LLVMInstructionClone(instruction);
    for (int i = 0; i < LLVMGetNumOperands(copy); i++) {
        LLVMSetOperand(copy, (unsigned)i, LLVMGetPoison(LLVMTypeOf(LLVMGetOperand(copy, (unsigned)i))));
    }
    char *text = LLVMPrintValueToString(copy);
    LLVMDeleteInstruction(copy);
    const char *scope = strstr(text, key);
    scope = scope ? scope + strlen(key) : "";
    snprintf(name, SYNC_SCOPE_NAME, "%.*s", (int)strcspn(scope, "\""), scope);
    LLVMDisposeMessage(text);
}
