// Creates an emulator from a module: finds vendor and chip, lays out the module's memory, decodes every
// kernel.
#include "emulator/amd/amd.h"
#include "emulator/decode/decode.h"

#include <stdlib.h>
#include <string.h>

enum { CALL_PTX_KERNEL = 71, CALL_AMDGPU_KERNEL = 91 };

const char *const emulator_kind_names[24] = {
    [KIND_INTEGER] = "integer",
    [KIND_FLOAT] = "float",
    [KIND_CONVERT] = "convert",
    [KIND_COMPARE] = "compare",
    [KIND_SELECT] = "select",
    [KIND_MOVE] = "move",
    [KIND_MATH] = "math",
    [KIND_BRANCH] = "branch",
    [KIND_GLOBAL_LOAD] = "global load",
    [KIND_GLOBAL_STORE] = "global store",
    [KIND_SHARED_LOAD] = "shared load",
    [KIND_SHARED_STORE] = "shared store",
    [KIND_ATOMIC] = "atomic",
    [KIND_LOCAL] = "local",
    [KIND_ASYNC] = "asynchronous copy",
    [KIND_BARRIER] = "barrier and fence",
    [KIND_SHUFFLE] = "shuffle and vote",
    [KIND_MATRIX] = "matrix",
    [KIND_SPECIAL] = "special register",
};

static bool find_chip(struct emulator *emulator, struct strbuf *error) {
    const char *named = emulator->options.chip;
    for (LLVMValueRef function = LLVMGetFirstFunction(emulator->module); function && !named;
         function = LLVMGetNextFunction(function)) {
        LLVMAttributeRef attribute =
            LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, "target-cpu", 10);
        unsigned length;
        if (attribute) {
            named = LLVMGetStringAttributeValue(attribute, &length);
        }
    }
    if (emulator->amd) {
        return amd_find_chip(emulator, named, error);
    }
    snprintf(emulator->chip, sizeof emulator->chip, "%s", named ? named : "");
    emulator->lanes = 32;
    return true;
}

static bool place_global(struct emulator *emulator, struct module_global *global, unsigned *region,
                         struct strbuf *error) {
    LLVMTypeRef type = LLVMGlobalGetValueType(global->value);
    global->space = LLVMGetPointerAddressSpace(LLVMTypeOf(global->value));
    global->size = LLVMABISizeOfType(emulator->layout, type);
    unsigned align = LLVMGetAlignment(global->value);
    align = align ? align : 16;
    if (global->space == SPACE_SHARED) {
        uint32_t at = (emulator->shared_base + emulator->shared_static + align - 1) / align * align;
        global->address = at;
        emulator->shared_static = at - emulator->shared_base + (uint32_t)global->size;
        return true;
    }
    LLVMValueRef initial = LLVMGetInitializer(global->value);
    global->address = (uint64_t)++ * region << REGION_SHIFT;
    global->data = aligned_alloc(64, (global->size + 127) / 64 * 64);
    memset(global->data, 0, global->size);
    if (initial && !constant_memory(emulator, initial, global->data, global->size)) {
        size_t length;
        strbuf_printf(error, "the initial value of global '%s' is not supported",
                      LLVMGetValueName2(global->value, &length));
        return false;
    }
    return true;
}

static bool is_used_by_code(LLVMValueRef global) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    return strncmp(name, "llvm.", 5) != 0;
}

// Shared variables get consecutive addresses, those of unknown size (dynamic shared memory) the last one.
static bool place_globals(struct emulator *emulator, struct strbuf *error) {
    unsigned count = 0, region = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(emulator->module); g; g = LLVMGetNextGlobal(g)) {
        count++;
    }
    emulator->globals = calloc(count + 1, sizeof *emulator->globals);
    for (int dynamic = 0; dynamic < 2; dynamic++) {
        for (LLVMValueRef g = LLVMGetFirstGlobal(emulator->module); g; g = LLVMGetNextGlobal(g)) {
            bool empty = LLVMABISizeOfType(emulator->layout, LLVMGlobalGetValueType(g)) == 0;
            if (empty != (dynamic == 1) || !is_used_by_code(g)) {
                continue;
            }
            struct module_global *global = &emulator->globals[emulator->global_count++];
            global->value = g;
            if (!place_global(emulator, global, &region, error)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_kernel(LLVMValueRef function) {
    unsigned convention = LLVMGetFunctionCallConv(function);
    if (LLVMIsDeclaration(function)) {
        return false;
    }
    if (convention == CALL_PTX_KERNEL || convention == CALL_AMDGPU_KERNEL) {
        return true;
    }
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return LLVMGetLinkage(function) == LLVMExternalLinkage &&
           LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind;
}

struct emulator *emulator_create(LLVMModuleRef module, const struct emulator_options *options, char **error) {
    struct emulator *emulator = calloc(1, sizeof *emulator);
    struct strbuf message = {0};
    if (options) {
        emulator->options = *options;
    }
    emulator->module = module;
    emulator->layout = LLVMGetModuleDataLayout(module);
    emulator->arena = arena_create();
    const char *triple = LLVMGetTarget(module);
    emulator->amd = !strncmp(triple, "amdgcn", 6);
    if (!emulator->amd && strncmp(triple, "nvptx64", 7)) {
        strbuf_printf(&message, "modules for '%s' cannot be emulated; nvptx64 and amdgcn can", triple);
    }
    // On chips without a barrier back-off LLVM waits for every counter before s_barrier (SIInsertWaitcnts).
    emulator->barrier_waits = message.length == 0 && find_chip(emulator, &message) && emulator->amd &&
                              emulator->target->generation != GENERATION_GFX9;
    // The first KiB of shared memory belongs to the system on sm_90; nothing valid is at address 0.
    emulator->shared_base = emulator->amd ? 0 : 1024;
    struct kernel **tail = &emulator->kernels;
    if (message.length == 0) {
        place_globals(emulator, &message);
    }
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function && message.length == 0;
         function = LLVMGetNextFunction(function)) {
        if (!is_kernel(function)) {
            continue;
        }
        *tail = decode_kernel(emulator, function, &message);
        tail = &(*tail)->next;
    }
    if (message.length == 0 && !emulator->kernels) {
        strbuf_add(&message, "the module has no kernel");
    }
    if (message.length) {
        if (error) {
            *error = strdup(strbuf_text(&message));
        }
        strbuf_free(&message);
        emulator_destroy(emulator);
        return NULL;
    }
    return emulator;
}

void emulator_destroy(struct emulator *emulator) {
    if (!emulator) {
        return;
    }
    for (struct kernel *kernel = emulator->kernels; kernel; kernel = kernel->next) {
        free(kernel->code);
        free(kernel->blocks);
        free(kernel->edges);
        free(kernel->copies);
        free(kernel->constants);
    }
    for (unsigned i = 0; i < emulator->global_count; i++) {
        free(emulator->globals[i].data);
    }
    free(emulator->globals);
    arena_destroy(emulator->arena);
    if (emulator->module) {
        LLVMDisposeModule(emulator->module);
    }
    free(emulator->image);
    free(emulator);
}
