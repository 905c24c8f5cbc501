// A kernel of the tests on an NVIDIA GPU: loads its PTX, as lang_test and random_test write it, runs it on the arguments of
// a run and judges the outputs. Needs neither tkc nor LLVM nor headers of CUDA, only the driver.
#include "device.h"

#include "hidden.h"
#include "launch_facts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GUARD = 256,
    GUARD_BYTE = 0xA5,
    DYNAMIC_SHARED = 8,
    LOG_BUFFER = 5,
    LOG_SIZE = 6,
    MULTIPROCESSORS = 16
};

typedef unsigned long long device_pointer;

// The driver's interface, as far as it is used here (cuda.h, CUDA 12 and later).
static struct {
    int (*init)(unsigned);
    int (*device_get)(int *, int);
    int (*device_attribute)(int *, int, int);
    int (*context_retain)(void **, int);
    int (*context_set)(void *);
    int (*allocate)(device_pointer *, size_t);
    int (*release)(device_pointer);
    int (*upload)(device_pointer, const void *, size_t);
    int (*download)(void *, device_pointer, size_t);
    int (*module_load)(void **, const void *, unsigned, int *, void **);
    int (*module_unload)(void *);
    int (*module_function)(void **, void *, const char *);
    int (*function_set)(void *, int, int);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                  void **, void **);
    int (*synchronize)(void);
    hidden_encoder *encode;
    int multiprocessors;
    device_pointer zeros;
} cuda;

bool device_open(unsigned multiprocessors) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    const struct {
        const char *name;
        void *at;
    } table[] = {
        {"cuInit", &cuda.init},
        {"cuDeviceGet", &cuda.device_get},
        {"cuDeviceGetAttribute", &cuda.device_attribute},
        {"cuDevicePrimaryCtxRetain", &cuda.context_retain},
        {"cuCtxSetCurrent", &cuda.context_set},
        {"cuMemAlloc_v2", &cuda.allocate},
        {"cuMemFree_v2", &cuda.release},
        {"cuMemcpyHtoD_v2", &cuda.upload},
        {"cuMemcpyDtoH_v2", &cuda.download},
        {"cuModuleLoadDataEx", &cuda.module_load},
        {"cuModuleUnload", &cuda.module_unload},
        {"cuModuleGetFunction", &cuda.module_function},
        {"cuFuncSetAttribute", &cuda.function_set},
        {"cuLaunchKernel", &cuda.launch},
        {"cuCtxSynchronize", &cuda.synchronize},
        {"cuTensorMapEncodeTiled", &cuda.encode},
    };
    for (size_t i = 0; library && i < sizeof table / sizeof *table; i++) {
        void *symbol = dlsym(library, table[i].name);
        if (!symbol) {
            return false;
        }
        memcpy(table[i].at, &symbol, sizeof symbol);
    }
    int device;
    void *context;
    bool open = library && !cuda.init(0) && !cuda.device_get(&device, 0) &&
                !cuda.device_attribute(&cuda.multiprocessors, MULTIPROCESSORS, device) &&
                !cuda.context_retain(&context, device) && !cuda.context_set(context) &&
                !cuda.allocate(&cuda.zeros, TKC_EMPTY_BYTES) &&
                !cuda.upload(cuda.zeros, (char[TKC_EMPTY_BYTES]){0}, TKC_EMPTY_BYTES);
    cuda.multiprocessors = multiprocessors ? (int)multiprocessors : cuda.multiprocessors;
    return open;
}

char *device_read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, size + 1);
    size = fread(text, 1, size, file);
    fclose(file);
    return text;
}

// Uploads every array with guard zones around it. The values and the places they point to stay alive for the
// launch.
struct upload {
    device_pointer allocations[LANG_ARGUMENTS], pointers[LANG_ARGUMENTS];
    uint64_t scalars[LANG_ARGUMENTS];
    int64_t numbers[LANG_ARGUMENTS];
    void *values[LANG_ARGUMENTS + LAUNCH_HIDDEN];
};

static bool upload(struct upload *u, const struct lang_run *run) {
    memset(u, 0, sizeof *u);
    for (unsigned i = 0; i < run->count; i++) {
        const struct lang_array *array = &run->arrays[i];
        const struct lang_argument *a = &array->argument;
        u->scalars[i] =
            a->kind == ARGUMENT_REAL ? float_encode(a->element, a->low, false) : (uint64_t)(int64_t)a->low;
        u->values[i] = &u->scalars[i];
        u->numbers[i] = (int64_t)a->low;
        if (!array->data) {
            continue;
        }
        size_t bytes = array->bytes + 2 * GUARD;
        char *copy = malloc(bytes);
        memset(copy, GUARD_BYTE, bytes);
        memcpy(copy + GUARD, array->data, array->bytes);
        bool good = !cuda.allocate(&u->allocations[i], bytes) && !cuda.upload(u->allocations[i], copy, bytes);
        free(copy);
        if (!good) {
            return false;
        }
        u->pointers[i] = u->allocations[i] + GUARD;
        u->values[i] = &u->pointers[i];
        u->numbers[i] = (int64_t)u->pointers[i];
    }
    return true;
}

static bool download(struct upload *u, struct lang_run *run, char *message, size_t size) {
    for (unsigned i = 0; i < run->count; i++) {
        struct lang_array *array = &run->arrays[i];
        if (!array->data) {
            continue;
        }
        size_t bytes = array->bytes + 2 * GUARD;
        unsigned char *copy = malloc(bytes);
        bool good = !cuda.download(copy, u->allocations[i], bytes);
        memcpy(array->data, copy + GUARD, array->bytes);
        bool intact = true;
        for (size_t g = 0; g < GUARD; g++) {
            intact = intact && copy[g] == GUARD_BYTE && copy[bytes - 1 - g] == GUARD_BYTE;
        }
        free(copy);
        if (!good || !intact) {
            snprintf(message, size,
                     good ? "argument %u: its guard zone was written" : "argument %u: cannot be read", i);
            return false;
        }
    }
    return true;
}

static const char *add_hidden(struct upload *u, const struct lang_run *run, const struct launch_facts *facts,
                              struct hidden_launch *launch) {
    const unsigned *grid = run->test->grid;
    size_t which;
    *launch =
        (struct hidden_launch){.hidden = facts->hidden,
                               .hidden_count = facts->hidden_count,
                               .dealing = facts->dealing,
                               .grid = {grid[0] ? grid[0] : 1, grid[1] ? grid[1] : 1, grid[2] ? grid[2] : 1},
                               .multiprocessors = (unsigned)cuda.multiprocessors,
                               .numbers = u->numbers,
                               .zeros = cuda.zeros,
                               .encode = cuda.encode};
    return hidden_fill(launch, u->values + run->count, &which);
}

bool device_launch(const char *text, struct lang_run *run, char *message, size_t size) {
    struct launch_facts facts;
    struct hidden_launch how;
    static char log[4096];
    int options[] = {LOG_BUFFER, LOG_SIZE};
    void *option_values[] = {log, (void *)(uintptr_t)sizeof log}, *module, *function;
    struct upload u;
    int status;
    if (!launch_facts_read(text, &facts)) {
        return snprintf(message, size, "not a file of lang_test"), false;
    }
    if ((status = cuda.module_load(&module, text, 2, options, option_values))) {
        return snprintf(message, size, "load: error %d: %.500s", status, log), false;
    }
    bool good = upload(&u, run);
    const char *wrong = add_hidden(&u, run, &facts, &how);
    if (wrong) {
        return snprintf(message, size, "hidden parameters: %s", wrong), false;
    }
    if ((status = cuda.module_function(&function, module, run->test->kernel)) ||
        (facts.shared_bytes > 48 * 1024 &&
         (status = cuda.function_set(function, DYNAMIC_SHARED, (int)facts.shared_bytes))) ||
        (status = cuda.launch(function, how.blocks[0], how.blocks[1], how.blocks[2], facts.threads, 1, 1,
                              facts.shared_bytes, NULL, u.values, NULL)) ||
        (status = cuda.synchronize())) {
        printf("  %s: error %d; nothing can be run after it\n", run->test->name, status);
        exit(1);
    }
    good = good && download(&u, run, message, size) && lang_arguments_judge(run, message, size);
    for (unsigned i = 0; i < run->count; i++) {
        if (u.allocations[i]) {
            cuda.release(u.allocations[i]);
        }
    }
    cuda.module_unload(module);
    return good;
}
