// The program to run: LLVM IR text, or (program_compile.c) a kernel source to compile.
#include "run.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "artifact/launcher/grid.h"
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

// The steps of a program; below 0: not known.
static int64_t form_steps(const struct kernel_program *program, struct run_argument *const *bound,
                          const int64_t id[3]) {
    static const char *const ids[] = {"tkc_id_0", "tkc_id_1", "tkc_id_2"};
    struct expression_name names[RUN_ARGUMENTS + 3];
    char wrong[EXPRESSION_WRONG];
    size_t count = 0;
    int64_t steps;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct kernel_parameter *p = &program->parameters[i];
        if (bound[i]->is_integer) {
            names[count++] = (struct expression_name){p->in_grid ? p->in_grid : p->name,
                                                      bound[i]->is_large ? TKC_NO_GRID : bound[i]->integer};
        }
    }
    for (int i = 0; i < 3; i++) {
        names[count++] = (struct expression_name){ids[i], id[i]};
    }
    return expression_evaluate(program->paired_steps, names, count, &steps, wrong) ? steps : -1;
}

void program_take_form(struct kernel_program *program, struct run_argument *const *bound,
                       const unsigned *grid, unsigned multiprocessors) {
    const struct reflect_form *form = program->paired;
    int64_t id[3];
    if (!form ||
        !tkc_form_asks(form->programs, form->together, form->entry.dealing.persistent, grid, multiprocessors,
                       id) ||
        form_steps(program, bound, id) < (int64_t)form->least_steps) {
        return;
    }
    free(program->name);
    program->name = strdup(form->name);
    program->threads = form->entry.threads;
    program->shared_bytes = form->entry.shared_bytes;
    program->hidden = form->entry.hidden;
    program->hidden_count = form->entry.hidden_count;
    program->dealing = form->entry.dealing;
    program->paired = NULL;
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
