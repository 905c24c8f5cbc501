// A launch: arguments become regions of global memory, every program runs, and the faults become the result.
#include "emulator/schedule/schedule.h"

#include <stdarg.h>
#include <stdlib.h>

#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

static bool refuse(struct emulator_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(struct emulator_result *result, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    result->status = EMULATOR_REFUSED;
    result->message = strdup(text);
    return false;
}

static unsigned region_of(struct run *run, struct emulator_buffer *buffer) {
    for (unsigned i = 0; i < run->region_count; i++) {
        if (run->regions[i].buffer == buffer) {
            return i;
        }
    }
    uint8_t *written = buffer->written;
    if (!written && run->checks && buffer->poisoned) {
        written = calloc(buffer->size + 16, 1);
    }
    run->regions[run->region_count] = (struct region){.buffer = buffer,
                                                      .name = buffer->name ? buffer->name : "argument",
                                                      .data = buffer->data,
                                                      .written = run->checks ? written : NULL,
                                                      .size = buffer->size,
                                                      .read_only = buffer->read_only};
    return run->region_count++;
}

// The reason why cuTensorMapEncodeTiled, or a copy, would reject the map; NULL if there is none.
static const char *wrong_map(const struct emulator_tensor_map *map) {
    if (map->rank < 1 || map->rank > TENSOR_RANK) {
        return "has a rank that is not 1 to 5";
    }
    if (map->offset % 16) {
        return "begins at an address that is no multiple of 16";
    }
    if (map->element_bytes != 1 && map->element_bytes != 2 && map->element_bytes != 4 &&
        map->element_bytes != 8) {
        return "has elements that are not of 1, 2, 4 or 8 bytes";
    }
    for (unsigned i = 0; i < map->rank; i++) {
        if (map->sizes[i] < 1 || map->sizes[i] > (uint64_t)1 << 32) {
            return "has a size that is not 1 to 2^32";
        }
        if (map->box[i] < 1 || map->box[i] > 256) {
            return "has a box whose size is not 1 to 256";
        }
        if (i > 0 && (map->strides[i - 1] % 16 || map->strides[i - 1] >= (uint64_t)1 << 40)) {
            return "has a stride that is no multiple of 16 below 2^40";
        }
    }
    if (map->box[0] * map->element_bytes % CHUNK) {
        return "has a box whose lines are no multiple of 16 bytes";
    }
    if (map->swizzle != 0 && map->swizzle != 32 && map->swizzle != 64 && map->swizzle != 128) {
        return "has a swizzle that is not 0, 32, 64 or 128 bytes";
    }
    if (map->swizzle && map->box[0] * map->element_bytes != map->swizzle) {
        return "has a box whose lines are not as long as its swizzle, which the emulator does not model";
    }
    return NULL;
}

static uint64_t region_address(unsigned region) {
    return (uint64_t)(region + 1) << REGION_SHIFT;
}

static bool bind_map(struct run *run, const struct emulator_argument *argument, unsigned rank, unsigned index,
                     struct emulator_result *result) {
    static uint8_t opaque[128] __attribute__((aligned(64))); // kernels do not read it
    const char *wrong = wrong_map(argument->map);
    if (wrong) {
        return refuse(result, "tensor map '%s' of '%s' %s", argument->name, run->kernel->name, wrong);
    }
    unsigned tensor = region_of(run, argument->map->buffer);
    uint64_t base = region_address(tensor) + argument->map->offset;
    run->argument_bits[rank][index] = region_address(run->region_count);
    run->regions[run->region_count++] = (struct region){.name = argument->name,
                                                        .data = opaque,
                                                        .size = sizeof opaque,
                                                        .read_only = true,
                                                        .map = argument->map,
                                                        .map_base = base,
                                                        .map_region = tensor};
    return true;
}

// Fills an array with the addresses of the ranks' buffers.
static void bind_peers(struct run *run, const struct emulator_argument *argument) {
    for (unsigned rank = 0; rank < run->ranks; rank++) {
        uint64_t address = region_address(region_of(run, argument->peers[rank]));
        memcpy((char *)argument->buffer->data + argument->offset + sizeof address * rank, &address,
               sizeof address);
    }
}

static bool bind_arguments(struct run *run, unsigned rank, struct emulator_result *result) {
    const struct emulator_launch *launch = run->launch;
    const struct kernel *kernel = run->kernel;
    if (launch->argument_count != kernel->parameter_count || launch->argument_count > 64) {
        return refuse(result, "kernel '%s' takes %u arguments, %u were given", kernel->name,
                      kernel->parameter_count, launch->argument_count);
    }
    for (unsigned i = 0; i < launch->argument_count; i++) {
        const struct emulator_argument *argument = &launch->arguments[rank * launch->argument_count + i];
        bool pointer = kernel->parameters[i].shape.kind == ELEMENT_POINTER;
        if (argument->map && pointer) {
            if (!bind_map(run, argument, rank, i, result)) {
                return false;
            }
            continue;
        }
        if (argument->map) {
            return refuse(result, "argument '%s' of '%s' is a scalar, and a tensor map was given",
                          argument->name, kernel->name);
        }
        if (pointer && !argument->buffer && argument->bits) {
            return refuse(result, "argument '%s' of '%s' is a pointer, and a scalar was given",
                          argument->name, kernel->name);
        }
        if (!pointer && argument->buffer) {
            return refuse(result, "argument '%s' of '%s' is a scalar, and an array was given", argument->name,
                          kernel->name);
        }
        run->argument_bits[rank][i] = argument->bits;
        if (argument->buffer) {
            unsigned region = region_of(run, argument->buffer);
            run->regions[region].late |= argument->late;
            run->argument_bits[rank][i] = region_address(region) + argument->offset;
        }
        if (argument->peers) {
            bind_peers(run, argument);
        }
    }
    return true;
}

// The kernel argument segment of machine code.
static void add_segment(struct run *run) {
    uint32_t size = (run->kernel->machine->argument_bytes + 63) / 64 * 64; // loads may take the whole unit
    run->segment = calloc(size + 1u, 1);
    run->kernel->machine->put_arguments(run, run->segment);
    run->regions[run->region_count++] =
        (struct region){.name = "kernel arguments", .data = run->segment, .size = size, .read_only = true};
    run->segment_address = region_address(run->region_count - 1);
}

// AMD's implicit arguments, code object version 5 (LLVM's AMDGPU usage guide, "hidden_block_count_x" …): 256
// bytes.
static void add_implicit_arguments(struct run *run, uint8_t *implicit) {
    memset(implicit, 0, 256);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t count = run->launch->grid[i];
        uint16_t size = (uint16_t)(i == 0 ? run->threads : 1);
        memcpy(implicit + 4 * i, &count, 4);
        memcpy(implicit + 12 + 2 * i, &size, 2);
    }
    uint16_t dimensions = 3;
    memcpy(implicit + 64, &dimensions, 2);
    run->regions[run->region_count++] =
        (struct region){.name = "implicit arguments", .data = implicit, .size = 256, .read_only = true};
    run->implicit_address = (uint64_t)run->region_count << REGION_SHIFT;
}

static struct kernel *find_kernel(struct emulator *emulator, const char *name) {
    for (struct kernel *kernel = emulator->kernels; kernel; kernel = kernel->next) {
        if (!name || !strcmp(kernel->name, name)) {
            return kernel;
        }
    }
    return NULL;
}

enum { SPAN = 1024 }; // swizzles repeat by less

// Launches refused by a device, or beyond the emulator's models.
static bool clusters_run(struct run *run, struct emulator_result *result) {
    if (run->launch->grid[0] % run->cluster) {
        return refuse(result, "kernel '%s' runs in clusters of %u blocks along x, and the grid has %u",
                      run->kernel->name, run->cluster, run->launch->grid[0]);
    }
    if (run->cluster > MOST_CLUSTER || run->warps > AGENT_PRODUCTS || run->block_warps % WARPGROUP ||
        run->ranks > 1) {
        return refuse(result,
                      "kernel '%s' has clusters of %u blocks of %u warps on %u ranks; the emulator runs %d "
                      "blocks of 4 to "
                      "%d warps, a multiple of 4, on one",
                      run->kernel->name, run->cluster, run->block_warps, run->ranks, MOST_CLUSTER,
                      AGENT_PRODUCTS / MOST_CLUSTER);
    }
    return true;
}

static bool prepare(struct run *run, struct emulator_result *result, uint8_t *implicit) {
    struct emulator *emulator = run->emulator;
    const struct emulator_launch *launch = run->launch;
    run->kernel = find_kernel(emulator, launch->kernel);
    if (!run->kernel) {
        return refuse(result, "the module has no kernel '%s'", launch->kernel ? launch->kernel : "");
    }
    run->threads = launch->threads ? launch->threads : run->kernel->required_threads;
    if (run->threads == 0 || run->threads > 1024) {
        return refuse(result, "kernel '%s' has %u threads; 1 to 1024 can run", run->kernel->name,
                      run->threads);
    }
    run->cluster = run->kernel->machine ? 1 : run->kernel->cluster;
    run->block_warps = (run->threads + emulator->lanes - 1) / emulator->lanes;
    run->warps = run->block_warps * run->cluster;
    run->clocks = run->kernel->has_agents ? MAX_WARPS : run->warps;
    run->shared_bytes = run->kernel->machine
                            ? run->kernel->machine->shared_bytes + (uint32_t)launch->shared_bytes
                            : emulator->shared_static + (emulator->amd ? 0 : (uint32_t)launch->shared_bytes);
    run->shared_span = (run->shared_bytes + SPAN - 1) / SPAN * SPAN;
    if (run->cluster > 1 && !clusters_run(run, result)) {
        return false;
    }
    if (run->launches > 1 && run->ranks == 1) {
        return refuse(result, "several launches of '%s' need several ranks", run->kernel->name);
    }
    if (run->ranks > 1 && run->kernel->machine) {
        return refuse(result, "machine code of '%s' runs on one device, not on %u ranks", run->kernel->name,
                      run->ranks);
    }
    run->grid_size = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    run->program_count = run->grid_size * run->ranks * run->launches / run->cluster;
    run->ended = calloc(run->ranks, sizeof *run->ended);
    run->taken = calloc((size_t)run->ranks * run->launches, sizeof *run->taken);
    run->claimed = run->kernel->asks ? calloc(run->program_count + 1, sizeof *run->claimed) : NULL;
    // An argument may be a map plus the buffer it describes, or an array of addresses plus a buffer a rank.
    size_t arguments = (size_t)launch->argument_count * run->ranks;
    run->regions =
        calloc(emulator->global_count + (1 + (size_t)run->ranks) * arguments + 2, sizeof *run->regions);
    run->argument_bits = calloc(run->ranks, sizeof *run->argument_bits);
    for (unsigned i = 0; i < emulator->global_count; i++) {
        const struct module_global *global = &emulator->globals[i];
        if (global->space == SPACE_SHARED) {
            continue;
        }
        size_t length;
        run->regions[run->region_count++] =
            (struct region){.name = global->value ? LLVMGetValueName2(global->value, &length) : "code object",
                            .data = global->data,
                            .size = global->size,
                            .read_only = global->value == NULL};
    }
    for (unsigned rank = 0; rank < run->ranks; rank++) {
        if (!bind_arguments(run, rank, result)) {
            return false;
        }
    }
    if (run->kernel->machine) {
        add_segment(run);
    } else {
        add_implicit_arguments(run, implicit);
    }
    return true;
}

bool emulator_run(struct emulator *emulator, const struct emulator_launch *launch,
                  struct emulator_result *result) {
    uint8_t implicit[256] __attribute__((aligned(16)));
    struct run run = {.emulator = emulator,
                      .launch = launch,
                      .checks = !emulator->options.no_checks,
                      .ranks = launch->ranks ? launch->ranks : 1,
                      .launches = launch->launches ? launch->launches : 1};
    double start = run_clock();
    memset(result, 0, sizeof *result);
    pthread_mutex_init(&run.lock, NULL);
    if (emulator->options.timeout_seconds > 0) {
        run.deadline = start + emulator->options.timeout_seconds;
    }
    bool ready = prepare(&run, result, implicit);
    if (ready) {
        run.order = run.checks ? global_order_create() : NULL;
        worker_run(&run);
        int stop = atomic_load(&run.stop);
        result->status = stop ? (enum emulator_status)(stop - 1) : EMULATOR_DONE;
        result->message = run.places;
        report_finish(&run, result);
        result->statistics = run.statistics;
        result->programs_done = atomic_load(&run.programs_done) * run.cluster;
    }
    for (unsigned i = 0; i < run.region_count; i++) {
        if (run.regions[i].written && run.regions[i].written != run.regions[i].buffer->written) {
            free(run.regions[i].written);
        }
    }
    for (unsigned i = 0; i < run.region_count; i++) {
        stores_free(&run.regions[i]);
    }
    global_order_destroy(run.order);
    free(run.argument_bits);
    free(run.ended);
    free(run.claimed);
    free(run.taken);
    free(run.segment);
    free(run.regions);
    pthread_mutex_destroy(&run.lock);
    result->seconds = run_clock() - start;
    return ready && result->status == EMULATOR_DONE && result->report_count == 0;
}

void emulator_reorder(struct emulator *emulator, enum emulator_order order, uint64_t seed) {
    emulator->options.order = order;
    emulator->options.seed = seed;
}

void emulator_result_free(struct emulator_result *result) {
    for (unsigned i = 0; i < result->report_count; i++) {
        free((char *)result->reports[i].text);
        free((char *)result->reports[i].file);
    }
    free(result->reports);
    free(result->message);
    memset(result, 0, sizeof *result);
}
