// Runs a kernel on the first device, by CUDA's driver or HIP's runtime. The library is opened on demand, not
// linked.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"
#include "tkc/tkc_runtime.h"

// For functions with a parameter or variable `where`: "cuda" or "hip".
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        tkc_result status_ = (call);                                                                         \
        if (status_) {                                                                                       \
            error = message("%s: %s: %s", where, #call, tkc_error_text(status_));                            \
            goto done;                                                                                       \
        }                                                                                                    \
    } while (0)

// Runs go to one place after the other, possibly of different vendors.
static char *open_driver(const char *where) {
    int wanted = !strcmp(where, "cuda") ? TKC_NVIDIA : TKC_AMD;
    if (tkc_driver_1.vendor != wanted) {
        tkc_driver_1.vendor = 0;
    }
    tkc_result result = tkc_driver_open_of(wanted);
    return result ? message("%s", tkc_error_text(result)) : NULL;
}

const char *device_target(const char *where) {
    static char name[32];
    char *error = open_driver(where);
    name[0] = 0;
    if (error) {
        goto done;
    }
    TRY(tkc_device_chip(0, name, sizeof name - 1));
    strcat(name, !strcmp(name, "sm_90") ? "a" : "");
done:
    if (error) {
        fprintf(stderr, "tkc-run: error: %s\n", error);
    }
    free(error);
    return name[0] ? name : NULL;
}

bool device_multiprocessors(const char *where, unsigned *count) {
    int counts[3] = {0};
    char *error = open_driver(where);
    if (!error) {
        TRY(tkc_driver_counts(0, counts));
    }
done:
    *count = (unsigned)counts[0];
    if (error) {
        fprintf(stderr, "tkc-run: error: %s\n", error);
    }
    free(error);
    return *count > 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The arguments on the device, and their form for a launch.
struct placed {
    tkc_pointer pointers[RUN_ARGUMENTS], zeros;
    uint64_t scalars[RUN_ARGUMENTS];
    int64_t numbers[RUN_ARGUMENTS];
    void *values[2 * RUN_ARGUMENTS];
    struct hidden_launch launch;
};

static char *place_arguments(const char *where, const struct kernel_program *program,
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
        if (argument->base) {
            error = message("argument '%s' is part of '%s': such arguments run in the emulator alone",
                            argument->name, argument->of);
            goto done;
        }
        size_t bytes = array_bytes(&argument->array);
        TRY(tkc_memory_allocate(&p->pointers[i], bytes + 16));
        if (bytes) {
            TRY(tkc_copy_to_device(p->pointers[i], argument->array.data, bytes, NULL));
        }
        p->values[i] = &p->pointers[i];
        p->numbers[i] = (int64_t)p->pointers[i];
    }
done:
    return error;
}

static char *place_hidden(const char *where, const struct kernel_program *program, const unsigned *grid,
                          struct placed *p) {
    int counts[3];
    size_t which;
    char *error = NULL;
    TRY(tkc_driver_counts(0, counts));
    TRY(tkc_memory_allocate(&p->zeros, TKC_EMPTY_BYTES));
    TRY(tkc_fill(p->zeros, 0, TKC_EMPTY_BYTES, NULL));
    p->launch = (struct hidden_launch){.hidden = program->hidden,
                                       .hidden_count = program->hidden_count,
                                       .dealing = program->dealing,
                                       .grid = {grid[0], grid[1], grid[2]},
                                       .multiprocessors = (unsigned)counts[0],
                                       .numbers = p->numbers,
                                       .zeros = p->zeros,
                                       .encode = tkc_driver_1.TensorMapEncodeTiled};
    const char *wrong = hidden_fill(&p->launch, p->values + program->parameter_count, &which);
    if (wrong && which < program->hidden_count) {
        error =
            message("argument '%s': %s", program->parameters[program->hidden[which].map.pointer].name, wrong);
    } else if (wrong) {
        error = message("%s", wrong);
    }
done:
    return error;
}

static void release(struct placed *p) {
    for (unsigned i = 0; i < RUN_ARGUMENTS; i++) {
        if (p->pointers[i]) {
            (void)tkc_memory_free(p->pointers[i]);
        }
    }
    if (p->zeros) {
        (void)tkc_memory_free(p->zeros);
    }
}

char *device_run(const char *where, const struct kernel_program *program,
                 struct run_argument *const *arguments, const unsigned *grid, bool time,
                 struct device_result *result) {
    struct placed placed = {0};
    const unsigned *blocks = placed.launch.blocks;
    tkc_module module = NULL;
    tkc_function function;
    memset(result, 0, sizeof *result);
    char *error = open_driver(where);
    if (error) {
        return error;
    }
    TRY(tkc_device_use(0));
    TRY(tkc_device_name(0, result->name, sizeof result->name));
    TRY(tkc_module_load(&module, program->image));
    TRY(tkc_module_function(&function, module, program->name));
    if (program->shared_bytes) {
        TRY(tkc_function_shared(function, program->shared_bytes));
    }
    if ((error = place_arguments(where, program, arguments, &placed)) ||
        (error = place_hidden(where, program, grid, &placed))) {
        goto done;
    }
    unsigned shared = tkc_driver_1.vendor == TKC_NVIDIA ? (unsigned)program->shared_bytes : 0;
    TRY(tkc_launch(function, blocks, program->threads, shared, NULL, placed.values));
    TRY(tkc_stream_wait(NULL));
    for (unsigned i = 0; i < program->parameter_count; i++) {
        if (program->parameters[i].pointer && array_bytes(&arguments[i]->array)) {
            TRY(tkc_copy_from_device(arguments[i]->array.data, placed.pointers[i],
                                     array_bytes(&arguments[i]->array), NULL));
        }
    }
    TRY(tkc_stream_wait(NULL));
    for (unsigned i = 0; time && i < 20; i++) {
        double start = now();
        for (unsigned j = 0; j < 10; j++) {
            TRY(tkc_launch(function, blocks, program->threads, shared, NULL, placed.values));
        }
        TRY(tkc_stream_wait(NULL));
        double seconds = (now() - start) / 10;
        if (i == 0 || seconds < result->seconds) {
            result->seconds = seconds;
        }
    }
done:
    release(&placed);
    return error;
}
