// An emulator from a code object, as the HIP runtime loads it: segments become a region of memory that is read only, every kernel
// that the metadata describes is decoded.
#include "emulator/amdgcn/amdgcn.h"

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
    if (!error->length && !emulator->kernels)
        strbuf_add(error, "the code object has no kernel");
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
    snprintf(emulator->chip, sizeof emulator->chip, "%s", options->chip ? options->chip : "");
    emulator->lanes = strncmp(emulator->chip, "gfx9", 4) ? 32 : 64;
    emulator->image = malloc(length + 1);
    memcpy(emulator->image, image, length);
    struct code_object object = {emulator->image, length};
    if (object_check(&object, &message))
        load(emulator, &object, &message);
    if (!message.length)
        decode_kernels(emulator, &object, &message);
    if (!message.length)
        return emulator;
    if (error)
        *error = strdup(strbuf_text(&message));
    strbuf_free(&message);
    emulator_destroy(emulator);
    return NULL;
}
