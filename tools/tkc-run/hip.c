// Runs a kernel on HIP's first device. The runtime is opened at run time; nothing is linked.
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"

struct runtime {
    void *library;
    int (*init)(unsigned);
    int (*set_device)(int);
    int (*device_get_name)(char *, int, int);
    int (*properties)(void *, int);
    int (*module_load)(void **, const void *);
    int (*module_get_function)(void **, void *, const char *);
    int (*allocate)(void **, size_t);
    int (*release)(void *);
    int (*copy)(void *, const void *, size_t, int);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                  void **, void **);
    int (*synchronize)(void);
    const char *(*error_string)(int);
};

enum { COPY_TO_DEVICE = 1, COPY_FROM_DEVICE = 2 };

static char *message(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *message(const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return strdup(text);
}

static char *open_runtime(struct runtime *runtime) {
    const char *libraries[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
    for (unsigned i = 0; i < 4 && !runtime->library; i++)
        runtime->library = dlopen(libraries[i], RTLD_NOW);
    if (!runtime->library)
        return message("HIP's runtime is not here: %s", dlerror());
    const struct {
        const char *name;
        void *slot;
    } names[] = {
        {"hipInit", &runtime->init},
        {"hipSetDevice", &runtime->set_device},
        {"hipDeviceGetName", &runtime->device_get_name},
        {"hipModuleLoadData", &runtime->module_load},
        {"hipModuleGetFunction", &runtime->module_get_function},
        {"hipMalloc", &runtime->allocate},
        {"hipFree", &runtime->release},
        {"hipMemcpy", &runtime->copy},
        {"hipModuleLaunchKernel", &runtime->launch},
        {"hipDeviceSynchronize", &runtime->synchronize},
        {"hipGetErrorString", &runtime->error_string},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *symbol = dlsym(runtime->library, names[i].name);
        if (!symbol)
            return message("HIP's runtime has no %s", names[i].name);
        memcpy(names[i].slot, &symbol, sizeof symbol);
    }
    return NULL;
}

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int status_ = (call);                                                                                \
        if (status_) {                                                                                       \
            error = message("HIP: %s: %s", #call, runtime.error_string(status_));                            \
            goto done;                                                                                       \
        }                                                                                                    \
    } while (0)

// The architecture's name lies in a large structure whose layout changes between versions: it is searched
// for.
const char *hip_target(void) {
    static char name[32];
    struct runtime runtime = {0};
    unsigned char *properties = calloc(1, 65536);
    char *error = open_runtime(&runtime);
    if (error)
        goto done;
    void *symbol = dlsym(runtime.library, "hipGetDevicePropertiesR0600");
    if (!symbol)
        symbol = dlsym(runtime.library, "hipGetDeviceProperties");
    memcpy(&runtime.properties, &symbol, sizeof symbol);
    TRY(runtime.init(0));
    if (symbol)
        TRY(runtime.properties(properties, 0));
    for (unsigned i = 0; i + 32 < 65536 && !name[0]; i++)
        if (!memcmp(properties + i, "gfx", 3))
            snprintf(name, sizeof name, "%.*s", (int)strcspn((char *)properties + i, ":"),
                     (char *)properties + i);
    if (!name[0])
        error = message("HIP does not say which chip it drives");
done:
    if (error)
        fprintf(stderr, "tkc-run: error: %s\n", error);
    free(error);
    free(properties);
    return name[0] ? name : NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

char *hip_run(const struct kernel_program *program, struct run_argument *const *arguments,
              const unsigned *grid, bool time, struct device_result *result) {
    struct runtime runtime = {0};
    void *module, *function, *values[RUN_ARGUMENTS], *pointers[RUN_ARGUMENTS] = {0};
    uint64_t scalars[RUN_ARGUMENTS] = {0};
    memset(result, 0, sizeof *result);
    char *error = open_runtime(&runtime);
    if (error)
        return error;
    TRY(runtime.init(0));
    TRY(runtime.set_device(0));
    TRY(runtime.device_get_name(result->name, sizeof result->name, 0));
    TRY(runtime.module_load(&module, program->image));
    TRY(runtime.module_get_function(&function, module, program->name));
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct run_argument *argument = arguments[i];
        if (!program->parameters[i].pointer) {
            scalars[i] = scalar_bits(program->parameters[i].dtype, argument->number, argument->integer);
            values[i] = &scalars[i];
            continue;
        }
        TRY(runtime.allocate(&pointers[i], array_bytes(&argument->array) + 16));
        TRY(runtime.copy(pointers[i], argument->array.data, array_bytes(&argument->array), COPY_TO_DEVICE));
        values[i] = &pointers[i];
    }
    TRY(runtime.launch(function, grid[0], grid[1], grid[2], program->threads, 1, 1, 0, NULL, values, NULL));
    TRY(runtime.synchronize());
    for (unsigned i = 0; i < program->parameter_count; i++)
        if (program->parameters[i].pointer)
            TRY(runtime.copy(arguments[i]->array.data, pointers[i], array_bytes(&arguments[i]->array),
                             COPY_FROM_DEVICE));
    for (unsigned i = 0; time && i < 20; i++) {
        double start = now();
        for (unsigned j = 0; j < 10; j++)
            TRY(runtime.launch(function, grid[0], grid[1], grid[2], program->threads, 1, 1, 0, NULL, values,
                               NULL));
        TRY(runtime.synchronize());
        double seconds = (now() - start) / 10;
        if (i == 0 || seconds < result->seconds)
            result->seconds = seconds;
    }
done:
    for (unsigned i = 0; i < RUN_ARGUMENTS; i++)
        if (pointers[i])
            runtime.release(pointers[i]);
    return error;
}
