// The program to run: LLVM IR text, or (program_compile.c) a kernel source to compile.
#include "run.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "program_compile.h"
#include "settings.h"
#include "codegen/llvmgen.h"

static bool ends_with(const char *text, const char *suffix) {
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && !strcmp(text + length - tail, suffix);
}

static bool load_ir(struct kernel_program *program, const struct program_request *request) {
    size_t length;
    char *error = NULL, *text = file_read(request->options.input, &length);
    if (!text) {
        fprintf(stderr, "tkc-run: error: cannot read %s: %s\n", request->options.input, file_read_error());
        return false;
    }
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, length, request->options.input);
    free(text);
    program->context = LLVMContextCreate();
    if (LLVMParseIRInContext(program->context, buffer, &program->module, &error)) {
        fprintf(stderr, "tkc-run: error: %s: %s\n", request->options.input, error);
        LLVMDisposeMessage(error);
        return false;
    }
    program->shared_bytes = request->shared_bytes;
    program->threads = request->threads;
    return program_describe(program, request);
}

// The image for a device: PTX text, or a linked code object.
static bool make_image(struct kernel_program *program, const struct target *target) {
    struct diag diag = {0};
    struct strbuf text = {0}, linked = {0};
    const char *tool;
    bool nvidia = target->vendor == VENDOR_NVIDIA;
    if (program->threads == 0) {
        fprintf(stderr, "tkc-run: error: an LLVM module on a device needs --threads\n");
        return false;
    }
    struct arena *arena = arena_create();
    bool good = llvmgen_emit(program->module, target, nvidia ? LLVMGEN_ASSEMBLY : LLVMGEN_OBJECT, NULL, &text,
                             &diag) &&
                (nvidia || hsaco_link(arena, &text, 1, NULL, &linked, &tool, &diag));
    const struct strbuf *image = nvidia ? &text : &linked;
    if (good) {
        program->image_length = image->length;
        program->image = memcpy(calloc(image->length + 1, 1), image->data, image->length);
    }
    strbuf_free(&text);
    strbuf_free(&linked);
    arena_destroy(arena);
    return good;
}

bool program_load(struct kernel_program *program, const struct program_request *request) {
    memset(program, 0, sizeof *program);
    bool good = ends_with(request->options.input, ".ll")      ? load_ir(program, request)
                : ends_with(request->options.input, ".hsaco") ? program_read_object(program, request)
                                                              : program_compile(program, request);
    return good &&
           (!request->want_image || program->image || make_image(program, target_find(request->target)));
}

void program_free(struct kernel_program *program) {
    program_compile_free(program);
    if (program->module) {
        LLVMDisposeModule(program->module);
    }
    if (program->context) {
        LLVMContextDispose(program->context);
    }
    for (unsigned i = 0; i < 3; i++) {
        free(program->grid[i]);
    }
    free(program->constants);
    free(program->image);
    free(program->name);
}
