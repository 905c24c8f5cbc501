// An emulator for a code object, loaded as by the HIP runtime: segments become a read-only region of memory,
// and every kernel described in the metadata is decoded.
#include "emulator/amd/amd.h"
#include "emulator/amdgcn/amdgcn.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Target.h>

static void load(struct emulator *emulator, const struct code_object *object, struct strbuf *error) {
    uint64_t size;
    uint8_t *memory = object_load(object, &size);
    emulator->globals = calloc(1, sizeof *emulator->globals);
    if (!memory) {
        strbuf_add(error, "the code object's segments are larger than 1 GiB");
        return;
    }
    emulator->globals[0] = (struct module_global){.space = SPACE_GLOBAL, .size = size, .data = memory};
    emulator->global_count = 1;
}

static void decode_kernels(struct emulator *emulator, const struct code_object *object,
                           struct strbuf *error) {
    struct line_table lines = lines_read(emulator->arena, object);
    struct kernel **tail = &emulator->kernels;
    struct object_kernel *described = ARENA_NEW(emulator->arena, struct object_kernel);
    for (unsigned i = 0; !error->length && note_kernel(emulator->arena, object, i, described, error); i++) {
        *tail = decode_machine_kernel(emulator, object, described, &lines, error);
        tail = &(*tail)->next;
    }
    if (!error->length && !emulator->kernels) {
        strbuf_add(error, "the code object has no kernel");
    }
}

struct emulator *emulator_create_object(const void *image, size_t length,
                                        const struct emulator_options *options, char **error) {
    struct emulator *emulator = calloc(1, sizeof *emulator);
    struct strbuf message = {0};
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    emulator->options = *options;
    emulator->arena = arena_create();
    emulator->amd = true;
    emulator->narrow_shared = true;
    emulator->image = malloc(length + 1);
    memcpy(emulator->image, image, length);
    struct code_object object = {emulator->image, length};
    if (amd_find_chip(emulator, options->chip, &message) && object_check(&object, &message) &&
        (object_is_linked(&object) || object_link(emulator->image, length, &message))) {
        load(emulator, &object, &message);
    }
    if (!message.length) {
        decode_kernels(emulator, &object, &message);
    }
    if (!message.length) {
        return emulator;
    }
    if (error) {
        *error = strdup(strbuf_text(&message));
    }
    strbuf_free(&message);
    emulator_destroy(emulator);
    return NULL;
}

static bool describe(const struct object_kernel *described, struct emulator_object_kernel *kernel) {
    *kernel = (struct emulator_object_kernel){.threads = described->threads};
    snprintf(kernel->name, sizeof kernel->name, "%s", described->name);
    for (unsigned i = 0; i < described->argument_count; i++) {
        if (described->arguments[i].kind > ARGUMENT_VALUE) {
            continue;
        }
        if (kernel->parameter_count == sizeof kernel->pointer / sizeof *kernel->pointer) {
            return false;
        }
        snprintf(kernel->parameter[kernel->parameter_count], sizeof *kernel->parameter, "%s",
                 described->arguments[i].name);
        kernel->pointer[kernel->parameter_count++] = described->arguments[i].kind == ARGUMENT_POINTER;
    }
    return true;
}

bool emulator_describe_object(const void *image, size_t length, const char *name,
                              struct emulator_object_kernel *kernel, char **error) {
    struct arena *arena = arena_create();
    struct strbuf message = {0};
    struct code_object object = {image, length};
    struct object_kernel *described = ARENA_NEW(arena, struct object_kernel);
    bool found = false;
    if (object_check(&object, &message)) {
        for (unsigned i = 0; !found && note_kernel(arena, &object, i, described, &message); i++) {
            found = !name || !strcmp(name, described->name);
        }
    }
    struct object_kernel *second = ARENA_NEW(arena, struct object_kernel);
    if (found && !name && note_kernel(arena, &object, 1, second, &message)) {
        strbuf_printf(&message, "the code object has several kernels; choose one with -n: %s, %s …",
                      described->name, second->name);
    } else if (found && !describe(described, kernel)) {
        strbuf_printf(&message, "kernel '%s' has more than 64 arguments", described->name);
    } else if (!found && !message.length) {
        strbuf_printf(&message, "the code object has no kernel '%s'", name ? name : "");
    }
    if (message.length) {
        *error = strdup(strbuf_text(&message));
    }
    found &= message.length == 0;
    strbuf_free(&message);
    arena_destroy(arena);
    return found;
}
