// One device: arrays, modules and launches for artifact/launcher/tune.h. The driver is opened on demand.
#define TKC_RUNTIME_DYNAMIC
#include "tkc/tkc_runtime.h"

#include "tune.h"

#include "artifact/launcher/tune.h"

enum { MAP_BYTES = 128, FILLED = 1 << 20 };

struct loaded {
    const struct candidate *candidate;
    tkc_module module;
    tkc_function function, second; // of the second form, if there is one
};

struct array {
    tkc_pointer memory;
    size_t bytes; // allocated
};

struct device {
    const struct kernel *kernel;
    const struct device_about *about;
    tkc_stream stream;
    tkc_event start, stop;
    struct array arrays[TUNE_PARAMETERS];
    tkc_pointer zeros;
    struct loaded *loaded;
    size_t loaded_count, loaded_room;
    char message[512];

    // the current launches
    struct candidate *const *candidates;
    const struct loaded *modules[1024];
    unsigned count;
    int64_t values[TUNE_PARAMETERS];
    uint64_t scalars[TUNE_PARAMETERS];
    size_t bytes[TUNE_PARAMETERS];
};

static const char *said(struct device *device, const char *what, tkc_result result) {
    snprintf(device->message, sizeof device->message, "%s: %s", what, tkc_error_text(result));
    return device->message;
}

const char *devices_probe(struct device_about *about, unsigned *count) {
    int found = 0;
    tkc_result result = tkc_device_count(&found);
    *count = 0;
    for (int i = 0; !result && i < found && i < TUNE_DEVICES; i++) {
        struct device_about *here = &about[i];
        int numbers[3] = {0};
        memset(here, 0, sizeof *here);
        result = tkc_device_name(i, here->name, sizeof here->name);
        result = result ? result : tkc_device_chip(i, here->chip, sizeof here->chip);
        result = result ? result : tkc_driver_counts(i, numbers);
        strcat(here->chip, strcmp(here->chip, "sm_90") == 0 ? "a" : "");
        here->facts.multiprocessors = (unsigned)numbers[0];
        here->facts.shared = (unsigned)numbers[1];
        here->facts.threads = (unsigned)numbers[2];
        ++*count;
    }
    return result ? tkc_error_text(result) : NULL;
}

struct device *device_open(int ordinal, const struct device_about *about, const struct kernel *kernel,
                           const char **why) {
    struct device *device = calloc(1, sizeof *device);
    tkc_result result = device ? tkc_device_use(ordinal) : 2;
    result = result ? result : tkc_stream_create(&device->stream);
    result = result ? result : tkc_event_create(&device->start);
    result = result ? result : tkc_event_create(&device->stop);
    result = result ? result : tkc_memory_allocate(&device->zeros, TKC_EMPTY_BYTES);
    result = result ? result : tkc_fill(device->zeros, 0, TKC_EMPTY_BYTES, device->stream);
    if (result) {
        *why = tkc_error_text(result);
        free(device);
        return NULL;
    }
    device->kernel = kernel;
    device->about = about;
    return device;
}

// ---- arrays: small numbers of both signs in floats, whole numbers from 0 to 3 in others, so that none is a
// wild index ----

static void fill_numbers(const char *type, unsigned char *to, size_t bytes) {
    unsigned size = type_bytes(type);
    uint32_t random = 12345;
    for (size_t i = 0; i + size <= bytes; i += size) {
        random = random * 1664525u + 1013904223u;
        double real = ((double)(random >> 8) / 8388608.0 - 1.0);
        uint64_t bits = scalar_bits(type, type_is_real(type) ? 0 : (int64_t)(random >> 30), real);
        memcpy(to + i, &bits, size); // little-endian
    }
}

static tkc_result fill_array(struct device *device, const char *type, const struct array *array) {
    size_t piece = array->bytes < FILLED ? array->bytes : FILLED;
    unsigned char *numbers = malloc(piece + 8);
    tkc_result result = numbers ? 0 : 2;
    if (numbers) {
        fill_numbers(type, numbers, piece);
    }
    for (size_t at = 0; at < array->bytes && !result; at += piece) {
        size_t here = array->bytes - at < piece ? array->bytes - at : piece;
        result = tkc_copy_to_device(array->memory + at, numbers, here, device->stream);
    }
    result = result ? result : tkc_stream_wait(device->stream);
    free(numbers);
    return result;
}

// Makes room for this shape; existing contents stay.
static const char *prepare(struct device *device, const struct shape *shape) {
    for (unsigned i = 0; i < device->kernel->parameter_count; i++) {
        const struct parameter *parameter = &device->kernel->parameters[i];
        struct array *array = &device->arrays[i];
        if (!parameter->pointer) {
            device->values[i] = shape->numbers[i];
            device->scalars[i] = scalar_bits(parameter->type, shape->numbers[i], shape->reals[i]);
            continue;
        }
        size_t bytes = shape->elements[i] * type_bytes(parameter->type);
        device->bytes[i] = bytes;
        bytes += bytes < 256 ? 256 : 0;
        if (array->bytes < bytes) {
            tkc_result result = array->memory ? tkc_memory_free(array->memory) : 0;
            array->memory = 0;
            array->bytes = bytes;
            result = result ? result : tkc_memory_allocate(&array->memory, bytes);
            result = result ? result : fill_array(device, parameter->type, array);
            if (result) {
                return said(device, parameter->name, result);
            }
        }
        device->values[i] = (int64_t)array->memory;
        device->scalars[i] = array->memory;
    }
    return NULL;
}

// ---- modules ----

static const struct loaded *load(struct device *device, const struct candidate *candidate,
                                 struct strbuf *notes) {
    for (size_t i = 0; i < device->loaded_count; i++) {
        if (device->loaded[i].candidate == candidate) {
            return &device->loaded[i];
        }
    }
    struct loaded made = {.candidate = candidate};
    tkc_result result = tkc_module_load(&made.module, candidate->image);
    result = result ? result : tkc_module_function(&made.function, made.module, candidate->entry);
    if (!result && candidate->fit.shared > 49152) {
        result = tkc_function_shared(made.function, candidate->dynamic_shared);
    }
    if (!result && candidate->form.name) {
        result = tkc_module_function(&made.second, made.module, candidate->form.name);
        result = result ? result : tkc_function_shared(made.second, candidate->form.entry.dynamic_shared);
    }
    if (result) {
        strbuf_printf(notes, "%s cannot be loaded: %s\n", candidate->config, tkc_error_text(result));
        made.function = NULL;
    }
    device->loaded[device->loaded_count] = made;
    return &device->loaded[device->loaded_count++];
}

// ---- launches ----

static int encode_map(struct device *device, const struct tkc_tensor_map *map, void *to) {
    const uint32_t steps[TKC_TENSOR_RANK] = {1, 1, 1, 1, 1};
    int swizzle = map->swizzle == 128 ? 3 : map->swizzle == 64 ? 2 : map->swizzle == 32;
    struct tkc_tensor tensor;
    if (!tkc_tensor_fill(map, device->values, &tensor)) {
        return 1;
    }
    if (tensor.empty) {
        tensor.address += device->zeros;
    }
    return tkc_driver_1.TensorMapEncodeTiled(to, map->element, map->rank, (void *)(uintptr_t)tensor.address,
                                             tensor.sizes, tensor.strides, map->box, steps, 0, swizzle, 3, 0);
}

static int launch(void *user, unsigned variant) {
    struct device *device = user;
    const struct candidate *candidate = device->candidates[variant];
    const struct loaded *loaded = device->modules[variant];
    void *arguments[TUNE_PARAMETERS + 3 + TKC_TENSOR_MAPS];
    _Alignas(64) unsigned char maps[TKC_TENSOR_MAPS][MAP_BYTES];
    unsigned grid[3], blocks[3], map_count = 0, visible = device->kernel->parameter_count;
    int64_t sides[3];
    if (!loaded->function || !grid_of(candidate, device->kernel, device->values, sides)) {
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        grid[i] = blocks[i] = (unsigned)sides[i];
    }
    struct tkc_form form = {.entry = {candidate->fit.threads, candidate->fit.shared,
                                      candidate->dynamic_shared, candidate->fit.persistent,
                                      candidate->fit.cluster, candidate->fills},
                            .hidden = candidate->hidden,
                            .hidden_count = candidate->hidden_count};
    bool second =
        takes_form(candidate, device->kernel, grid, device->about->facts.multiprocessors, device->values);
    form = second ? candidate->form : form;
    for (unsigned i = 0; i < visible; i++) {
        arguments[i] = &device->scalars[i];
    }
    for (unsigned i = 0; i < form.hidden_count; i++) {
        const struct tkc_hidden *hidden = &form.hidden[i];
        bool is_map = hidden->kind == TKC_HIDDEN_TENSOR_MAP;
        if (is_map && encode_map(device, &hidden->map, maps[map_count])) {
            return 1;
        }
        arguments[visible + i] = is_map ? (void *)maps[map_count++] : (void *)&grid[hidden->kind];
    }
    if (form.entry.persistent) {
        blocks[0] = tkc_persistent_blocks(grid, device->about->facts.multiprocessors, form.entry.persistent,
                                          form.entry.cluster, form.entry.fills);
        blocks[1] = blocks[2] = 1;
    }
    return blocks[0] ? (int)tkc_launch(second ? loaded->second : loaded->function, blocks, form.entry.threads,
                                       form.entry.dynamic_shared, device->stream, arguments)
                     : 1;
}

// ---- the device functions for tune.h ----

static int capture(void *user, unsigned variant, unsigned launches, void **graph) {
    struct device *device = user;
    tkc_graph_exec made = NULL;
    int result = (int)tkc_capture_begin(device->stream), failed = 0;
    for (unsigned i = 0; i < launches && !result && !failed; i++) {
        failed = launch(user, variant);
    }
    result = result ? result : (int)tkc_capture_end(device->stream, &made);
    *graph = made;
    return failed ? failed : result;
}

static int replay(void *user, void *graph) {
    return (int)tkc_graph_launch(graph, ((struct device *)user)->stream);
}

static void forget(void *user, void *graph) {
    (void)user;
    (void)tkc_graph_destroy(graph);
}

static int begin(void *user) {
    struct device *device = user;
    return (int)tkc_event_record(device->start, device->stream);
}

static int end(void *user, double *microseconds) {
    struct device *device = user;
    float milliseconds = 0;
    tkc_result result = tkc_event_record(device->stop, device->stream);
    result = result ? result : tkc_event_wait(device->stop);
    result = result ? result : tkc_event_milliseconds(&milliseconds, device->start, device->stop);
    *microseconds = 1000.0 * (double)milliseconds;
    return (int)result;
}

static int wait_for_stream(void *user) {
    return (int)tkc_stream_wait(((struct device *)user)->stream);
}

static int room_of(void *user, uint64_t address, size_t *bytes) {
    const struct device *device = user;
    for (unsigned i = 0; i < TUNE_PARAMETERS; i++) {
        if (device->arrays[i].memory && device->arrays[i].memory == address) {
            *bytes = device->bytes[i];
        }
    }
    return 0;
}

static int read_back(void *user, void *to, uint64_t from, size_t bytes) {
    struct device *device = user;
    int result = (int)tkc_copy_from_device(to, from, bytes, device->stream);
    return result ? result : (int)tkc_stream_wait(device->stream);
}

static int copy(void *user, uint64_t to, uint64_t from, size_t bytes) {
    return (int)tkc_copy_on_device(to, from, bytes, ((struct device *)user)->stream);
}

static int clear(void *user, uint64_t at, size_t bytes) {
    return (int)tkc_fill(at, 0, bytes, ((struct device *)user)->stream);
}

static int allocate(void *user, uint64_t *at, size_t bytes) {
    (void)user;
    return (int)tkc_memory_allocate(at, bytes);
}

static void release(void *user, uint64_t at) {
    (void)user;
    (void)tkc_memory_free(at);
}

enum { NOT_VALID = 1, NO_MEMORY = 2 };

// The candidate reported by tune.h to disagree with another one; `count` without such a report.
static unsigned disagreeing(const struct tkc_family *family) {
    for (unsigned i = 0; i < family->count; i++) {
        char words[400];
        snprintf(words, sizeof words, " and %s do not agree", family->variants[i].name);
        if (strstr(tkc_report, words)) {
            return i;
        }
    }
    return family->count;
}

static unsigned arrays_of(const struct kernel *kernel, const struct device *device, struct tkc_array *arrays,
                          size_t *sizes) {
    unsigned count = 0;
    for (unsigned i = 0; i < kernel->parameter_count; i++) {
        if (kernel->parameters[i].pointer) {
            sizes[count] = device->bytes[i];
            arrays[count++] = (struct tkc_array){kernel->parameters[i].name, kernel->parameters[i].type, i,
                                                 kernel->parameters[i].treatment};
        }
    }
    return count;
}

const char *device_time(struct device *device, const struct shape *shape, struct candidate *const *candidates,
                        unsigned count, double *times, struct strbuf *notes) {
    static const unsigned no_keys[1];
    const struct tkc_bench bench = {device,   launch,          capture,   replay,    forget, begin,
                                    end,      wait_for_stream, room_of,   read_back, copy,   clear,
                                    allocate, release,         NOT_VALID, NO_MEMORY};
    struct tkc_array arrays[TUNE_PARAMETERS];
    size_t sizes[TUNE_PARAMETERS];
    const char *wrong = prepare(device, shape);
    struct tkc_variant *variants = calloc(count, sizeof *variants);
    struct tkc_fit *fits = calloc(count, sizeof *fits);
    bool *dropped = calloc(count, sizeof *dropped);
    struct loaded *grown = realloc(device->loaded, (device->loaded_count + count) * sizeof *grown);
    device->loaded = grown ? grown : device->loaded;
    if (!variants || !fits || !dropped || !grown) {
        wrong = "no memory";
    }
    struct tkc_family family = {.name = device->kernel->name,
                                .variants = variants,
                                .count = count,
                                .keys = no_keys,
                                .arrays = arrays,
                                .level_count = 1};
    device->candidates = candidates;
    for (unsigned i = 0; i < count && !wrong; i++) {
        variants[i] = candidates[i]->work;
        device->modules[i] = load(device, candidates[i], notes);
    }
    family.array_count = arrays_of(device->kernel, device, arrays, sizes);
    for (bool again = !wrong; again;) {
        struct tkc_trial trial = {
            .family = &family, .bench = &bench, .values = device->values, .sizes = sizes};
        unsigned best = 0;
        again = false;
        for (unsigned i = 0; i < count; i++) {
            fits[i].fits = !dropped[i] && device->modules[i]->function != NULL;
            times[i] = 0;
        }
        int result = tkc_tune(&trial, fits, times, &best);
        unsigned other = result == NOT_VALID ? disagreeing(&family) : count;
        if (other < count) {
            strbuf_printf(notes, "%s\n", tkc_report);
            dropped[other] = again = true;
        } else if (result && result != NOT_VALID) {
            wrong = said(device, "the driver", (tkc_result)result);
        }
    }
    for (unsigned i = 0; i < count && !wrong; i++) {
        times[i] = fits[i].fits ? times[i] : 0;
    }
    free(variants);
    free(fits);
    free(dropped);
    return wrong;
}
