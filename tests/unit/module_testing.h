// LLVM modules from a test's text.
#ifndef TKC_TESTS_UNIT_MODULE_TESTING_H
#define TKC_TESTS_UNIT_MODULE_TESTING_H

#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>

static inline LLVMModuleRef module_of(LLVMContextRef context, const char *text) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        fail_msg("%s", message);
    }
    return module;
}

// The module's text after a pass, verified; to be disposed of.
static inline char *module_behind(void (*pass)(LLVMModuleRef module), const char *text) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_of(context, text);
    char *message = NULL;
    pass(module);
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        fail_msg("%s", message);
    }
    LLVMDisposeMessage(message);
    char *after = LLVMPrintModuleToString(module);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return after;
}

#endif
