#ifndef TKC_LAUNCHER_TORCH_2
#define TKC_LAUNCHER_TORCH_2

// ---- Operators of PyTorch: the values of a kernel's parameters from tensors.
//
// C11 on PyTorch's stable C interface, whose functions keep their meaning from version to version: no header
// of PyTorch is needed, and what is built once runs on later versions (built with 2.11, run with 2.15). An
// operator's arguments and results are 64 bits each: a tensor's handle, an integer, the bits of a double, a
// boolean. Handles of arguments belong to the operator, those of results to its caller. Functions return 0,
// but for a failure.
#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif
int32_t aoti_torch_device_type_cpu(void);
int32_t aoti_torch_device_type_cuda(void);
int32_t aoti_torch_dtype_bool(void);
int32_t aoti_torch_dtype_int8(void);
int32_t aoti_torch_dtype_int16(void);
int32_t aoti_torch_dtype_int32(void);
int32_t aoti_torch_dtype_int64(void);
int32_t aoti_torch_dtype_uint8(void);
int32_t aoti_torch_dtype_uint16(void);
int32_t aoti_torch_dtype_uint32(void);
int32_t aoti_torch_dtype_uint64(void);
int32_t aoti_torch_dtype_float16(void);
int32_t aoti_torch_dtype_bfloat16(void);
int32_t aoti_torch_dtype_float32(void);
int32_t aoti_torch_dtype_float64(void);
int32_t aoti_torch_dtype_float8_e4m3fn(void);
int32_t aoti_torch_dtype_float8_e5m2(void);
int32_t aoti_torch_dtype_float8_e4m3fnuz(void);
int32_t aoti_torch_dtype_float8_e5m2fnuz(void);
int32_t aoti_torch_get_dim(void *tensor, int64_t *dimensions);
int32_t aoti_torch_get_sizes(void *tensor, int64_t **sizes);
int32_t aoti_torch_get_strides(void *tensor, int64_t **strides);
int32_t aoti_torch_get_dtype(void *tensor, int32_t *type);
int32_t aoti_torch_get_device_type(void *tensor, int32_t *type);
int32_t aoti_torch_get_device_index(void *tensor, int32_t *index);
int32_t aoti_torch_get_data_ptr(void *tensor, void **address);
int32_t aoti_torch_empty_strided(int64_t dimensions, const int64_t *sizes, const int64_t *strides,
                                 int32_t type, int32_t device_type, int32_t device_index, void **tensor);
int32_t aoti_torch_delete_tensor_object(void *tensor);
int32_t aoti_torch_library_init_fragment(const char *space, const char *file, uint32_t line, void **library);
int32_t aoti_torch_library_init_impl(const char *space, const char *key, const char *file, uint32_t line,
                                     void **library);
int32_t aoti_torch_library_def(void *library, const char *schema);
int32_t aoti_torch_library_impl(void *library, const char *name,
                                void (*function)(uint64_t *, uint64_t, uint64_t));
void aoti_torch_check(bool good, const char *function, const char *file, uint32_t line,
                      const char *text); // throws
// Of libtorch_cuda.
int32_t aoti_torch_get_current_cuda_stream(int32_t device, void **stream);
int32_t aoti_torch_create_cuda_guard(int32_t device, void **guard);
int32_t aoti_torch_delete_cuda_guard(void *guard);
#ifdef __cplusplus
}
#endif

// For tests: operators for tensors of the host, on a driver whose devices have the host's memory.
#ifdef TKC_TORCH_ON_HOST
#define TKC_TORCH_KEY "CPU"
#define TKC_TORCH_DEVICE_TYPE() aoti_torch_device_type_cpu()
#define TKC_TORCH_HAS_CUDA 0
#else
#define TKC_TORCH_KEY "CUDA"
#define TKC_TORCH_DEVICE_TYPE() aoti_torch_device_type_cuda()
#define TKC_TORCH_HAS_CUDA 1
#endif

enum tkc_torch_role { TKC_TORCH_INPUT, TKC_TORCH_OUTPUT, TKC_TORCH_BOTH };
enum tkc_torch_kind { TKC_TORCH_TENSOR, TKC_TORCH_INTEGER, TKC_TORCH_FLOAT, TKC_TORCH_BOOL };

// A size or stride: a parameter's value, else a number. A stride TKC_TORCH_DENSE follows from the inner
// dimensions.
struct tkc_torch_extent {
    int parameter; // -1: none
    int64_t number;
};
enum { TKC_TORCH_DENSE = -1 };

struct tkc_torch_dimension {
    struct tkc_torch_extent size, stride;
};

// A parameter of the kernel. The hints `divisible` and `one` are checked here for a better message than the
// launcher's.
struct tkc_torch_parameter {
    const char *name;
    enum tkc_torch_kind kind;
    int32_t (*element)(void); // of a tensor
    enum tkc_torch_role role;
    int rank; // -1: the source does not describe the tensor
    const struct tkc_torch_dimension *dimensions;
    int64_t least, most; // of an integer
    int64_t divisible;
    bool one;
};

// A call. `values` are the parameters' values as the launcher sees them: addresses, integers; 0 for floats.
struct tkc_torch_call {
    const char *kernel;
    const struct tkc_torch_parameter *parameters;
    unsigned count;
    int64_t *values;
    bool *known;
    void **tensors; // by parameter
    double *floats;
    int32_t device; // -1: no tensor has been seen
    void *guard;    // of the device that was current before
    void *stream;
    char problem[400];
};

enum { TKC_TORCH_MOST_DIMENSIONS = 64 };

static inline void tkc_torch_fail(struct tkc_torch_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Notes what is wrong; the first thing counts.
static inline void tkc_torch_fail(struct tkc_torch_call *call, const char *format, ...) {
    va_list arguments;
    int used;
    if (call->problem[0]) {
        return;
    }
    used = snprintf(call->problem, sizeof call->problem, "%s: ", call->kernel);
    va_start(arguments, format);
    vsnprintf(call->problem + used, sizeof call->problem - (size_t)used, format, arguments);
    va_end(arguments);
}

static inline const char *tkc_torch_type_name(int32_t type) {
    static const struct {
        int32_t (*type)(void);
        const char *name;
    } names[] = {{aoti_torch_dtype_bool, "torch.bool"},
                 {aoti_torch_dtype_int8, "torch.int8"},
                 {aoti_torch_dtype_int16, "torch.int16"},
                 {aoti_torch_dtype_int32, "torch.int32"},
                 {aoti_torch_dtype_int64, "torch.int64"},
                 {aoti_torch_dtype_uint8, "torch.uint8"},
                 {aoti_torch_dtype_uint16, "torch.uint16"},
                 {aoti_torch_dtype_uint32, "torch.uint32"},
                 {aoti_torch_dtype_uint64, "torch.uint64"},
                 {aoti_torch_dtype_float16, "torch.float16"},
                 {aoti_torch_dtype_bfloat16, "torch.bfloat16"},
                 {aoti_torch_dtype_float32, "torch.float32"},
                 {aoti_torch_dtype_float64, "torch.float64"},
                 {aoti_torch_dtype_float8_e4m3fn, "torch.float8_e4m3fn"},
                 {aoti_torch_dtype_float8_e5m2, "torch.float8_e5m2"},
                 {aoti_torch_dtype_float8_e4m3fnuz, "torch.float8_e4m3fnuz"},
                 {aoti_torch_dtype_float8_e5m2fnuz, "torch.float8_e5m2fnuz"}};
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].type() == type) {
            return names[i].name;
        }
    }
    return "another type";
}

// "[5, 64]". `text` has room for 200 bytes.
static inline const char *tkc_torch_list(char *text, const int64_t *numbers, int64_t count) {
    int64_t i;
    size_t used = 1;
    text[0] = '[';
    text[1] = 0;
    for (i = 0; i < count && used < 170; i++) {
        used += (size_t)snprintf(text + used, 200 - used, "%s%lld", i ? ", " : "", (long long)numbers[i]);
    }
    snprintf(text + used, 200 - used, "]");
    return text;
}

static inline void tkc_torch_set(struct tkc_torch_call *call, int index, int64_t value) {
    call->values[index] = value;
    call->known[index] = true;
}

// The value that a size or stride has to have; what is not known yet becomes `here`.
static inline int64_t tkc_torch_expected(struct tkc_torch_call *call, const struct tkc_torch_extent *extent,
                                         int64_t here) {
    if (extent->parameter < 0) {
        return extent->number;
    }
    if (!call->known[extent->parameter]) {
        tkc_torch_set(call, extent->parameter, here);
    }
    return call->values[extent->parameter];
}

static inline const char *tkc_torch_extent_name(const struct tkc_torch_call *call,
                                                const struct tkc_torch_extent *extent) {
    return extent->parameter < 0 ? "it" : call->parameters[extent->parameter].name;
}

static inline void tkc_torch_read_sizes(struct tkc_torch_call *call, const struct tkc_torch_parameter *p,
                                        const int64_t *sizes) {
    char text[200];
    int i;
    for (i = 0; i < p->rank; i++) {
        const struct tkc_torch_extent *size = &p->dimensions[i].size;
        int64_t expected = tkc_torch_expected(call, size, sizes[i]);
        if (sizes[i] != expected) {
            tkc_torch_fail(call, "%s is %s, but %s = %lld in dimension %d", p->name,
                           tkc_torch_list(text, sizes, p->rank), tkc_torch_extent_name(call, size),
                           (long long)expected, i);
        }
    }
}

// From the innermost dimension out. A stride counts as dense if the dimension has one element or the tensor
// has none.
static inline void tkc_torch_read_strides(struct tkc_torch_call *call, const struct tkc_torch_parameter *p,
                                          const int64_t *sizes, const int64_t *strides) {
    char text[200];
    int64_t dense = 1;
    int i, empty = 0;
    for (i = 0; i < p->rank; i++) {
        empty |= sizes[i] == 0;
    }
    for (i = p->rank - 1; i >= 0; i--) {
        const struct tkc_torch_extent *stride = &p->dimensions[i].stride;
        int64_t here = sizes[i] <= 1 || empty ? dense : strides[i], expected;
        bool is_dense = stride->parameter < 0 && stride->number == TKC_TORCH_DENSE;
        expected = is_dense ? dense : tkc_torch_expected(call, stride, here);
        if (here != expected) {
            tkc_torch_fail(
                call, "%s has strides %s, where %s is %lld", p->name, tkc_torch_list(text, strides, p->rank),
                is_dense ? "a dense one" : tkc_torch_extent_name(call, stride), (long long)expected);
        }
        dense = here * sizes[i];
    }
}

// Makes the device the current one. A thread of the backward pass may lack a context.
static inline void tkc_torch_enter(struct tkc_torch_call *call) {
    int current = -1, result = tkc_driver_open();
    void *context = NULL;
    if (result == 0 && (tkc_driver_1.CtxGetDevice(&current) != 0 || current != call->device)) {
        if (TKC_TORCH_HAS_CUDA && aoti_torch_create_cuda_guard(call->device, &call->guard) != 0) {
            tkc_torch_fail(call, "cuda:%d cannot become the current device", (int)call->device);
        }
        if (tkc_driver_1.vendor == TKC_NVIDIA &&
            (tkc_driver_1.CtxGetDevice(&current) != 0 || current != call->device)) {
            result = tkc_driver_1.DevicePrimaryCtxRetain(&context, call->device);
            result = result == 0 ? tkc_driver_1.CtxSetCurrent(context) : result;
        }
    }
    if (result != 0) {
        tkc_torch_fail(call, "%s (%d)", tkc_driver_error_text(result), result);
    } else if (TKC_TORCH_HAS_CUDA && aoti_torch_get_current_cuda_stream(call->device, &call->stream) != 0) {
        tkc_torch_fail(call, "cuda:%d has no current stream", (int)call->device);
    }
}

static inline void tkc_torch_give(struct tkc_torch_call *call, unsigned index) {
    const struct tkc_torch_parameter *p = &call->parameters[index];
    void *tensor = call->tensors[index], *address = NULL;
    int64_t rank = 0, *sizes = NULL, *strides = NULL;
    int32_t type = -1, device_type = -1, device = -1;
    aoti_torch_get_dim(tensor, &rank);
    aoti_torch_get_sizes(tensor, &sizes);
    aoti_torch_get_strides(tensor, &strides);
    aoti_torch_get_dtype(tensor, &type);
    aoti_torch_get_device_type(tensor, &device_type);
    aoti_torch_get_device_index(tensor, &device);
    aoti_torch_get_data_ptr(tensor, &address);
    device = device < 0 ? 0 : device; // the host has no index
    if (device_type != TKC_TORCH_DEVICE_TYPE()) {
        tkc_torch_fail(call, "%s is not on a GPU", p->name);
    } else if (call->device >= 0 && device != call->device) {
        tkc_torch_fail(call, "%s is on cuda:%d, other tensors are on cuda:%d", p->name, (int)device,
                       (int)call->device);
    } else if (type != p->element()) {
        tkc_torch_fail(call, "%s is of %s, not %s", p->name, tkc_torch_type_name(type),
                       tkc_torch_type_name(p->element()));
    } else if (p->rank >= 0 && rank != p->rank) {
        tkc_torch_fail(call, "%s has %lld dimensions, not %d", p->name, (long long)rank, p->rank);
    } else {
        if (call->device < 0) {
            call->device = device;
            tkc_torch_enter(call);
        }
        tkc_torch_read_sizes(call, p, sizes);
        tkc_torch_read_strides(call, p, sizes, strides);
        tkc_torch_set(call, (int)index, (int64_t)(intptr_t)address);
    }
}

// Reads an operator's arguments, those of the parameters `taken`. Numbers come first, since a number may be a
// size of a tensor.
static inline void tkc_torch_take(struct tkc_torch_call *call, const uint64_t *stack, const unsigned *taken,
                                  unsigned count) {
    unsigned i;
    for (i = 0; i < count; i++) {
        unsigned index = taken[i];
        switch (call->parameters[index].kind) {
        case TKC_TORCH_TENSOR:
            memcpy(&call->tensors[index], &stack[i], sizeof call->tensors[index]);
            break;
        case TKC_TORCH_INTEGER:
            tkc_torch_set(call, (int)index, (int64_t)stack[i]);
            break;
        case TKC_TORCH_FLOAT:
            memcpy(&call->floats[index], &stack[i], sizeof call->floats[index]);
            break;
        case TKC_TORCH_BOOL:
            tkc_torch_set(call, (int)index, (stack[i] & 0xffu) != 0);
            break;
        }
    }
    for (i = 0; i < count && !call->problem[0]; i++) {
        if (call->parameters[taken[i]].kind == TKC_TORCH_TENSOR) {
            tkc_torch_give(call, taken[i]);
        }
    }
}

// Makes a result: dense, uninitialised.
static inline void tkc_torch_make(struct tkc_torch_call *call, unsigned index) {
    const struct tkc_torch_parameter *p = &call->parameters[index];
    int64_t sizes[TKC_TORCH_MOST_DIMENSIONS], strides[TKC_TORCH_MOST_DIMENSIONS], dense = 1;
    void *address = NULL;
    int i;
    if (call->problem[0]) {
        return;
    }
    for (i = p->rank - 1; i >= 0; i--) {
        const struct tkc_torch_extent *size = &p->dimensions[i].size;
        sizes[i] = size->parameter < 0 ? size->number : call->values[size->parameter];
        strides[i] = dense;
        dense *= sizes[i] > 0 ? sizes[i] : 1;
        if (sizes[i] < 0) {
            tkc_torch_fail(call, "%s would have the size %s = %lld", p->name,
                           tkc_torch_extent_name(call, size), (long long)sizes[i]);
            return;
        }
    }
    if (aoti_torch_empty_strided(p->rank, sizes, strides, p->element(), TKC_TORCH_DEVICE_TYPE(), call->device,
                                 &call->tensors[index]) != 0) {
        tkc_torch_fail(call, "there is no memory for %s", p->name);
        return;
    }
    aoti_torch_get_data_ptr(call->tensors[index], &address);
    tkc_torch_read_strides(call, p, sizes, strides);
    tkc_torch_set(call, (int)index, (int64_t)(intptr_t)address);
}

// True if the kernel can be launched: all values are known, fit their types, and keep the hints.
static inline bool tkc_torch_ready(struct tkc_torch_call *call) {
    unsigned i;
    for (i = 0; i < call->count; i++) {
        const struct tkc_torch_parameter *p = &call->parameters[i];
        int64_t value = call->values[i];
        if (p->kind == TKC_TORCH_FLOAT) {
            continue;
        }
        if (p->kind == TKC_TORCH_INTEGER && (value < p->least || value > p->most)) {
            tkc_torch_fail(call, "%s = %lld does not fit the kernel's parameter", p->name, (long long)value);
        } else if (p->divisible > 1 && value % p->divisible != 0) {
            tkc_torch_fail(call, "%s = %lld is not divisible by %lld", p->name, (long long)value,
                           (long long)p->divisible);
        } else if (p->one && value != 1) {
            tkc_torch_fail(call, "%s = %lld is not 1", p->name, (long long)value);
        }
    }
    return !call->problem[0];
}

// Memory for the arrays between the kernels of a chain, at a multiple of 256 bytes; 0: none.
static inline uint64_t tkc_torch_workspace(struct tkc_torch_call *call, size_t bytes, void **tensor) {
    const int64_t size = (int64_t)bytes + 256, stride = 1;
    void *address = NULL;
    if (bytes > (size_t)INT64_MAX / 2 ||
        aoti_torch_empty_strided(1, &size, &stride, aoti_torch_dtype_uint8(), TKC_TORCH_DEVICE_TYPE(),
                                 call->device, tensor) != 0) {
        tkc_torch_fail(call, "there is no memory for the arrays between its kernels");
        return 0;
    }
    aoti_torch_get_data_ptr(*tensor, &address);
    return ((uint64_t)(uintptr_t)address + 255u) & ~UINT64_C(255);
}

// The result of a chain's launch in words.
static inline const char *tkc_torch_chain_error(int result) {
    const char *text = tkc_any_error_text(result, "no image of one of its kernels fits this device");
    return result == 1 && tkc_broken.kernel ? tkc_rule_text(tkc_broken.kernel, text) : text;
}

// Ends a call: gives back the arguments, and hands over the results, or says what is wrong.
static inline void tkc_torch_finish(struct tkc_torch_call *call, uint64_t *stack) {
    unsigned i, results = 0;
    char problem[sizeof call->problem];
    memcpy(problem, call->problem, sizeof problem);
    if (TKC_TORCH_HAS_CUDA && call->guard) {
        aoti_torch_delete_cuda_guard(call->guard);
    }
    for (i = 0; i < call->count; i++) {
        if (!call->tensors[i]) {
            continue;
        }
        if (call->parameters[i].role == TKC_TORCH_OUTPUT && !problem[0]) {
            memcpy(&stack[results++], &call->tensors[i], sizeof call->tensors[i]);
        } else {
            aoti_torch_delete_tensor_object(call->tensors[i]);
        }
    }
    if (problem[0]) {
        aoti_torch_check(false, call->kernel, "operators", 0, problem);
    }
}

#ifdef TKC_LAUNCHER_VARIANT_6
// ---- The first call with a new key times the variants, as an autotuner does.

enum { TKC_TORCH_SEEN = 1024 };

// True once for each key, set of hints and device; again where another took the slot in `seen`.
static inline bool tkc_torch_is_new(uint64_t *seen, const struct tkc_family *family, const int64_t *key,
                                    unsigned level, int32_t device) {
    uint64_t hash = (uint64_t)level << 32 | (uint32_t)device, *slot;
    unsigned i;
    for (i = 0; i < family->key_count; i++) {
        hash = (hash ^ (uint64_t)key[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    hash |= 1u; // 0: a free slot
    slot = &seen[(hash >> 8) % TKC_TORCH_SEEN];
    if (__atomic_load_n(slot, __ATOMIC_RELAXED) == hash) {
        return false;
    }
    __atomic_store_n(slot, hash, __ATOMIC_RELAXED);
    return true;
}

static inline bool tkc_torch_has_choice(const struct tkc_family *family, const struct tkc_choice *choices,
                                        unsigned count, const char *device, unsigned level,
                                        const int64_t *key) {
    unsigned i;
    for (i = 0; i < count; i++) {
        if (tkc_level_of(family, choices[i].variant) == level && strcmp(choices[i].device, device) == 0 &&
            memcmp(choices[i].key, key, family->key_count * sizeof *key) == 0) {
            return true;
        }
    }
    return false;
}

// A stream to time variants on, when this call is the first with its key and nothing has been chosen; NULL:
// nothing is to be timed. While the call's stream is captured nothing can be.
static inline void *tkc_torch_begin_tuning(struct tkc_torch_call *call, const struct tkc_family *family,
                                           uint64_t *seen) {
    struct tkc_memory *memory = family->memory;
    unsigned level = tkc_level(family, call->values);
    int64_t key[TKC_KEYS] = {0};
    char device[128] = "";
    int capturing = 0;
    bool chosen;
    void *stream = NULL;
    tkc_make_key(family, call->values, key);
    if (level == family->level_count || !tkc_torch_is_new(seen, family, key, level, call->device)) {
        return NULL;
    }
    if (tkc_driver_1.StreamIsCapturing(call->stream, &capturing) != 0 || capturing) {
        memset(seen, 0, TKC_TORCH_SEEN * sizeof *seen);
        return NULL;
    }
    if (tkc_driver_1.DeviceGetName(device, (int)sizeof device, call->device) != 0) {
        return NULL;
    }
    tkc_lock(&memory->lock);
    chosen = tkc_torch_has_choice(family, memory->choices, memory->choice_count, device, level, key);
    tkc_unlock(&memory->lock);
    if (chosen || tkc_torch_has_choice(family, family->choices, family->choice_count, device, level, key) ||
        tkc_driver_1.StreamSynchronize(call->stream) != 0 || tkc_driver_1.StreamCreate(&stream, 1u) != 0) {
        return NULL;
    }
    return stream;
}

static inline void tkc_torch_end_tuning(void *stream) {
    (void)tkc_driver_1.StreamSynchronize(stream);
    (void)tkc_driver_1.StreamDestroy(stream);
}

// Notes a choice read from a file, if it is of this family. 0: no memory.
static inline int tkc_torch_note(const struct tkc_family *family, const char *kernel, const char *device,
                                 const int64_t *key, unsigned key_count, const char *variant,
                                 double microseconds) {
    int64_t room[TKC_KEYS] = {0};
    unsigned i;
    if (strcmp(kernel, family->name) != 0 || key_count != family->key_count) {
        return 1;
    }
    memcpy(room, key, key_count * sizeof *key);
    for (i = 0; i < family->count; i++) {
        if (strcmp(family->variants[i].name, variant) == 0) {
            return tkc_remember_choice(family, device, room, i, microseconds);
        }
    }
    return 1;
}
#endif
#endif
