// The parameters of the kernel to run, as its LLVM function has them.
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "program_compile.h"
#include "settings.h"

static const struct element_type *type_of(LLVMTypeRef type) {
    const char *name = NULL;
    char integer[16];
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        snprintf(integer, sizeof integer, "i%u", LLVMGetIntTypeWidth(type));
        name = integer;
        break;
    case LLVMHalfTypeKind:
        name = "fp16";
        break;
    case LLVMBFloatTypeKind:
        name = "bf16";
        break;
    case LLVMFloatTypeKind:
        name = "fp32";
        break;
    case LLVMDoubleTypeKind:
        name = "fp64";
        break;
    default:
        return NULL;
    }
    return element_type_find(name, strlen(name));
}

// The kernel with this name; without a name the only kernel. *count: the number of candidates.
static LLVMValueRef find_function(LLVMModuleRef module, const char *name, unsigned *count) {
    LLVMValueRef found = NULL;
    *count = 0;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        size_t length;
        if (!LLVMIsDeclaration(function) && (!name || !strcmp(LLVMGetValueName2(function, &length), name))) {
            found = function;
            *count += 1;
        }
    }
    return found;
}

bool program_describe(struct kernel_program *program, const struct program_request *request) {
    const char *kernel = request->options.kernel_count ? request->options.kernels[0] : NULL;
    unsigned count;
    LLVMValueRef function = find_function(program->module, kernel, &count);
    if (count > 1) {
        return complain("%s has %u kernels; choose one with -n", request->options.input, count);
    }
    if (!function || LLVMCountParams(function) < program->hidden_count) {
        return complain("%s has no kernel%s%s", request->options.input, kernel ? " " : "",
                        kernel ? kernel : "");
    }
    if (LLVMCountParams(function) > RUN_ARGUMENTS) {
        return complain("a kernel of %s has more than %d arguments", request->options.input, RUN_ARGUMENTS);
    }
    size_t length;
    program->name = strdup(LLVMGetValueName2(function, &length));
    program->parameter_count = LLVMCountParams(function) - (unsigned)program->hidden_count;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        LLVMValueRef value = LLVMGetParam(function, i);
        LLVMTypeRef type = LLVMTypeOf(value);
        const char *name = LLVMGetValueName2(value, &length);
        if (!length) { // arguments of tile IR have no names
            snprintf(program->unnamed[i], sizeof program->unnamed[i], "arg%u", i);
            name = program->unnamed[i];
        }
        program->parameters[i] =
            (struct kernel_parameter){.name = name,
                                      .dtype = type_of(type),
                                      .pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind,
                                      .signless = true};
    }
    return true;
}
