// Runs a kernel on CUDA's first device. The driver is opened at run time; nothing is linked.
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"

typedef unsigned long long device_pointer;

struct driver {
    void *library;
    int (*init)(unsigned);
    int (*device_get)(int *, int);
    int (*device_get_attribute)(int *, int, int);
    int (*device_get_name)(char *, int, int);
    int (*primary_context)(void **, int);
    int (*set_current)(void *);
    int (*module_load)(void **, const void *, unsigned, void *, void *);
    int (*module_get_function)(void **, void *, const char *);
    int (*function_set_attribute)(void *, int, int);
    int (*allocate)(device_pointer *, size_t);
    int (*release)(device_pointer);
    int (*to_device)(device_pointer, const void *, size_t);
    int (*from_device)(void *, device_pointer, size_t);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                  void **, void **);
    int (*synchronize)(void);
    int (*error_string)(int, const char **);
    hidden_encoder *encode; // NULL before CUDA 12
};

enum {
    ATTRIBUTE_MULTIPROCESSORS = 16,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    FUNCTION_DYNAMIC_SHARED = 8
};

static char *message(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *message(const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return strdup(text);
}

static char *open_driver(struct driver *driver) {
    driver->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver->library)
        return message("CUDA's driver is not here: %s", dlerror());
    const struct {
        const char *name;
        void *slot;
    } names[] = {
        {"cuInit", &driver->init},
        {"cuDeviceGet", &driver->device_get},
        {"cuDeviceGetAttribute", &driver->device_get_attribute},
        {"cuDeviceGetName", &driver->device_get_name},
        {"cuDevicePrimaryCtxRetain", &driver->primary_context},
        {"cuCtxSetCurrent", &driver->set_current},
        {"cuModuleLoadDataEx", &driver->module_load},
        {"cuModuleGetFunction", &driver->module_get_function},
        {"cuFuncSetAttribute", &driver->function_set_attribute},
        {"cuMemAlloc_v2", &driver->allocate},
        {"cuMemFree_v2", &driver->release},
        {"cuMemcpyHtoD_v2", &driver->to_device},
        {"cuMemcpyDtoH_v2", &driver->from_device},
        {"cuLaunchKernel", &driver->launch},
        {"cuCtxSynchronize", &driver->synchronize},
        {"cuGetErrorString", &driver->error_string},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *symbol = dlsym(driver->library, names[i].name);
        if (!symbol)
            return message("CUDA's driver has no %s", names[i].name);
        memcpy(names[i].slot, &symbol, sizeof symbol);
    }
    void *encode = dlsym(driver->library, "cuTensorMapEncodeTiled");
    memcpy(&driver->encode, &encode, sizeof encode);
    return NULL;
}

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int status_ = (call);                                                                                \
        const char *text_ = "unknown error";                                                                 \
        if (status_) {                                                                                       \
            driver->error_string(status_, &text_);                                                           \
            error = message("CUDA: %s: %s", #call, text_);                                                   \
            goto done;                                                                                       \
        }                                                                                                    \
    } while (0)

const char *cuda_target(void) {
    static char name[16];
    struct driver opened = {0}, *driver = &opened;
    char *error = open_driver(driver);
    int device, major, minor;
    if (error)
        goto done;
    TRY(driver->init(0));
    TRY(driver->device_get(&device, 0));
    TRY(driver->device_get_attribute(&major, ATTRIBUTE_MAJOR, device));
    TRY(driver->device_get_attribute(&minor, ATTRIBUTE_MINOR, device));
    snprintf(name, sizeof name, "sm_%d%d%s", major, minor, major == 9 ? "a" : "");
done:
    if (error)
        fprintf(stderr, "tkc-run: error: %s\n", error);
    free(error);
    return name[0] ? name : NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The arguments on the device, and what the driver takes for a launch.
struct placed {
    device_pointer pointers[RUN_ARGUMENTS], zeros;
    uint64_t scalars[RUN_ARGUMENTS];
    int64_t numbers[RUN_ARGUMENTS];
    void *values[2 * RUN_ARGUMENTS];
    struct hidden_launch launch;
};

static char *place_arguments(const struct driver *driver, const struct kernel_program *program,
                             struct run_argument *const *arguments, struct placed *p) {
    char *error = NULL;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const struct run_argument *argument = arguments[i];
        if (!program->parameters[i].pointer) {
            p->scalars[i] = scalar_bits(program->parameters[i].dtype, argument->number, argument->integer);
            p->values[i] = &p->scalars[i];
            p->numbers[i] = argument->integer;
            continue;
        }
        TRY(driver->allocate(&p->pointers[i], array_bytes(&argument->array) + 16));
        TRY(driver->to_device(p->pointers[i], argument->array.data, array_bytes(&argument->array)));
        p->values[i] = &p->pointers[i];
        p->numbers[i] = (int64_t)p->pointers[i];
    }
done:
    return error;
}

static char *place_hidden(const struct driver *driver, int device, const struct kernel_program *program,
                          const unsigned *grid, struct placed *p) {
    int multiprocessors;
    size_t which;
    char *error = NULL;
    TRY(driver->device_get_attribute(&multiprocessors, ATTRIBUTE_MULTIPROCESSORS, device));
    TRY(driver->allocate(&p->zeros, HIDDEN_ZERO_BYTES));
    TRY(driver->to_device(p->zeros, (char[HIDDEN_ZERO_BYTES]){0}, HIDDEN_ZERO_BYTES));
    p->launch = (struct hidden_launch){.hidden = program->hidden,
                                       .hidden_count = program->hidden_count,
                                       .persistent = program->persistent,
                                       .grid = {grid[0], grid[1], grid[2]},
                                       .multiprocessors = (unsigned)multiprocessors,
                                       .numbers = p->numbers,
                                       .zeros = p->zeros,
                                       .encode = driver->encode};
    const char *wrong = hidden_fill(&p->launch, p->values + program->parameter_count, &which);
    if (wrong && which < program->hidden_count)
        error =
            message("argument '%s': %s", program->parameters[program->hidden[which].map.pointer].name, wrong);
    else if (wrong)
        error = message("%s", wrong);
done:
    return error;
}

static void release(const struct driver *driver, struct placed *p) {
    for (unsigned i = 0; i < RUN_ARGUMENTS; i++)
        if (p->pointers[i])
            driver->release(p->pointers[i]);
    if (p->zeros)
        driver->release(p->zeros);
}

char *cuda_run(const struct kernel_program *program, struct run_argument *const *arguments,
               const unsigned *grid, bool time, struct device_result *result) {
    struct driver opened = {0}, *driver = &opened;
    struct placed placed = {0};
    const unsigned *blocks = placed.launch.blocks;
    void *context, *module, *function;
    int device;
    memset(result, 0, sizeof *result);
    char *error = open_driver(driver);
    if (error)
        return error;
    TRY(driver->init(0));
    TRY(driver->device_get(&device, 0));
    TRY(driver->device_get_name(result->name, sizeof result->name, device));
    TRY(driver->primary_context(&context, device));
    TRY(driver->set_current(context));
    TRY(driver->module_load(&module, program->image, 0, NULL, NULL));
    TRY(driver->module_get_function(&function, module, program->name));
    if (program->shared_bytes)
        TRY(driver->function_set_attribute(function, FUNCTION_DYNAMIC_SHARED, (int)program->shared_bytes));
    if ((error = place_arguments(driver, program, arguments, &placed)) ||
        (error = place_hidden(driver, device, program, grid, &placed)))
        goto done;
    TRY(driver->launch(function, blocks[0], blocks[1], blocks[2], program->threads, 1, 1,
                       (unsigned)program->shared_bytes, NULL, placed.values, NULL));
    TRY(driver->synchronize());
    for (unsigned i = 0; i < program->parameter_count; i++)
        if (program->parameters[i].pointer)
            TRY(driver->from_device(arguments[i]->array.data, placed.pointers[i],
                                    array_bytes(&arguments[i]->array)));
    for (unsigned i = 0; time && i < 20; i++) {
        double start = now();
        for (unsigned j = 0; j < 10; j++)
            TRY(driver->launch(function, blocks[0], blocks[1], blocks[2], program->threads, 1, 1,
                               (unsigned)program->shared_bytes, NULL, placed.values, NULL));
        TRY(driver->synchronize());
        double seconds = (now() - start) / 10;
        if (i == 0 || seconds < result->seconds)
            result->seconds = seconds;
    }
done:
    release(driver, &placed);
    return error;
}
