// Where the kernel comes from: LLVM IR text as it stands, or (program_compile.c) a kernel source through the
// compiler.
#include "run.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program_compile.h"
#include "target/llvmgen.h"

static bool ends_with(const char *text, const char *suffix) {
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && !strcmp(text + length - tail, suffix);
}

static const struct dtype *type_of(LLVMTypeRef type) {
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
    return dtype_find(name, strlen(name));
}

static LLVMValueRef find_function(LLVMModuleRef module, const char *name) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        size_t length;
        if (!LLVMIsDeclaration(function) && (!name || !strcmp(LLVMGetValueName2(function, &length), name)))
            return function;
    }
    return NULL;
}

bool program_describe(struct program *program, const struct program_request *request) {
    LLVMValueRef function = find_function(program->module, request->kernel);
    if (!function || LLVMCountParams(function) > RUN_ARGUMENTS) {
        fprintf(stderr, "tkc-run: error: %s has no kernel '%s'\n", request->path,
                request->kernel ? request->kernel : "");
        return false;
    }
    size_t length;
    program->name = strdup(LLVMGetValueName2(function, &length));
    program->parameter_count = LLVMCountParams(function);
    for (unsigned i = 0; i < program->parameter_count; i++) {
        LLVMValueRef value = LLVMGetParam(function, i);
        LLVMTypeRef type = LLVMTypeOf(value);
        const char *name = LLVMGetValueName2(value, &length);
        if (!length) { // tile IR does not name its arguments
            snprintf(program->unnamed[i], sizeof program->unnamed[i], "arg%u", i);
            name = program->unnamed[i];
        }
        program->parameters[i] = (struct parameter){
            .name = name, .dtype = type_of(type), .pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind};
    }
    return true;
}

static bool load_ir(struct program *program, const struct program_request *request) {
    LLVMMemoryBufferRef buffer;
    char *error = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(request->path, &buffer, &error)) {
        fprintf(stderr, "tkc-run: error: cannot read %s: %s\n", request->path, error);
        LLVMDisposeMessage(error);
        return false;
    }
    program->context = LLVMContextCreate();
    if (LLVMParseIRInContext(program->context, buffer, &program->module, &error)) {
        fprintf(stderr, "tkc-run: error: %s: %s\n", request->path, error);
        LLVMDisposeMessage(error);
        return false;
    }
    return program_describe(program, request);
}

// What a device loads: PTX text.
static bool make_image(struct program *program, const struct target *target) {
    struct diag diag = {0};
    struct strbuf text = {0};
    if (target->vendor != VENDOR_NVIDIA || program->threads == 0) {
        fprintf(stderr, "tkc-run: error: modules and tile IR for %s run on the emulator only\n",
                target->name);
        return false;
    }
    bool good = llvmgen_emit(program->module, target, LLVMGEN_ASSEMBLY, &text, &diag);
    if (good) {
        program->image_length = text.length;
        program->image = memcpy(calloc(text.length + 1, 1), text.data, text.length);
    }
    strbuf_free(&text);
    return good;
}

bool program_load(struct program *program, const struct program_request *request) {
    memset(program, 0, sizeof *program);
    bool good =
        ends_with(request->path, ".ll") ? load_ir(program, request) : program_compile(program, request);
    return good &&
           (!request->want_image || program->image || make_image(program, target_find(request->target)));
}

void program_free(struct program *program) {
    program_compile_free(program);
    if (program->module)
        LLVMDisposeModule(program->module);
    if (program->context)
        LLVMContextDispose(program->context);
    for (unsigned i = 0; i < 3; i++)
        free(program->grid[i]);
    free(program->constants);
    free(program->image);
    free(program->name);
}
