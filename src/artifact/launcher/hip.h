#ifndef TKC_LAUNCHER_HIP_2
#define TKC_LAUNCHER_HIP_2

// ---- Loading and launching through the HIP runtime API.

// One compiled image: runs on the chip whose gcnArchName begins with this name, or on those of a family. It holds
// `count` kernels from the `first` on, compiled for the target of that number.
struct tkc_hip_image {
    const unsigned char *bytes; // NULL: in a file
    const char *file;
    const char *chip;
    const char *family; // names between spaces; NULL: that chip alone
    unsigned target;
    unsigned first;
    unsigned count;
};

// What is loaded on one device. `key` is the device's ordinal plus one, 0 in a free node. hipDeviceReset destroys
// modules behind the launcher's back: unload before it.
// Readers take no lock: a node is complete before its key is set, a function before its slot is, and nodes
// are never freed.
struct tkc_hip_context {
    struct tkc_hip_context *next;
    unsigned long long key;
    struct tkc_chip chip;
    hipFunction_t *functions; // one slot a kernel; null: not asked for yet
    unsigned *images;         // the one for each kernel; the number of images: there is none for it
    hipModule_t *modules;     // one slot an image; null: not loaded
};

struct tkc_hip_program {
    struct tkc_hip_context *contexts;
    char lock;
};

struct tkc_hip_source {
    const struct tkc_hip_image *images;
    unsigned image_count;
    const char *const *kernels;
    unsigned kernel_count;
    const struct tkc_entry *entries; // of target t and kernel k: [t * kernel_count + k]
};

// Where a kernel's entry for the node's device stands. Only for kernels that have an image there.
static inline unsigned tkc_hip_index(const struct tkc_hip_source *source,
                                     const struct tkc_hip_context *context, unsigned kernel) {
    return source->images[context->images[kernel]].target * source->kernel_count + kernel;
}

static inline int tkc_hip_has(const struct tkc_hip_source *source, const struct tkc_hip_context *context,
                              unsigned kernel) {
    return context->images[kernel] < source->image_count;
}

static inline int tkc_hip_lists(const char *chips, const char *chip, size_t length) {
    while (*chips) {
        size_t own = strcspn(chips, " ");
        if (own == length && strncmp(chips, chip, own) == 0) {
            return 1;
        }
        chips += own + strspn(chips + own, " ");
    }
    return 0;
}

// What the current device has, and for each kernel the image of its chip, or else of a family that has it. Behind a
// colon stand modes of the chip.
static inline hipError_t tkc_hip_choose(const struct tkc_hip_source *source,
                                        struct tkc_hip_context *context) {
    hipDeviceProp_t properties;
    int device = 0, family;
    unsigned i, k;
    hipError_t result = hipGetDevice(&device);
    if (result == hipSuccess) {
        result = hipGetDeviceProperties(&properties, device);
    }
    if (result != hipSuccess) {
        return result;
    }
    memset(&context->chip, 0, sizeof context->chip);
    strncpy(context->chip.name, properties.name, sizeof context->chip.name - 1);
    context->chip.multiprocessors = (unsigned)properties.multiProcessorCount;
    context->chip.shared = (unsigned)properties.maxSharedMemoryPerMultiProcessor;
    context->chip.threads = (unsigned)properties.maxThreadsPerMultiProcessor;
    for (k = 0; k < source->kernel_count; k++) {
        context->images[k] = source->image_count;
    }
    for (i = 0; i < 2 * source->image_count; i++) {
        const struct tkc_hip_image *image = &source->images[i % source->image_count];
        const char *chips;
        family = i >= source->image_count;
        chips = family ? image->family : image->chip;
        if (chips && tkc_hip_lists(chips, properties.gcnArchName, strcspn(properties.gcnArchName, ":"))) {
            for (k = image->first; k < image->first + image->count; k++) {
                if (source->entries[image->target * source->kernel_count + k].threads &&
                    !(family && context->images[k] < source->image_count)) {
                    context->images[k] = i % source->image_count;
                }
            }
        }
    }
    return hipSuccess;
}

static inline hipError_t tkc_hip_key(unsigned long long *key) {
    int device = 0;
    hipError_t result = hipGetDevice(&device);
    *key = (unsigned long long)device + 1;
    return result;
}

// `images`: what is said of a device that none fits.
static inline const char *tkc_hip_error_text(hipError_t result, const char *images) {
    if (result == hipErrorNoBinaryForGpu) {
        return images;
    }
    if (result == hipErrorSharedObjectInitFailed) {
        return "HIP's runtime could not be opened, or lacks a function";
    }
    return hipGetErrorString(result);
}

static inline hipError_t tkc_hip_function(hipModule_t module, const char *name, const struct tkc_entry *entry,
                                          hipFunction_t *function) {
    (void)entry;
    return hipModuleGetFunction(function, module, name);
}

static inline struct tkc_hip_context *tkc_hip_find(struct tkc_hip_program *program, unsigned long long key) {
    struct tkc_hip_context *context = __atomic_load_n(&program->contexts, __ATOMIC_ACQUIRE);
    while (context && __atomic_load_n(&context->key, __ATOMIC_ACQUIRE) != key) {
        context = context->next;
    }
    return context;
}

// A free node with empty slots. Called with the lock held.
static inline struct tkc_hip_context *tkc_hip_node(struct tkc_hip_program *program,
                                                   const struct tkc_hip_source *source) {
    struct tkc_hip_context *context = tkc_hip_find(program, 0);
    if (context) {
        return context;
    }
    context = (struct tkc_hip_context *)calloc(1, sizeof *context);
    if (!context) {
        return NULL;
    }
    context->functions = (hipFunction_t *)calloc(source->kernel_count, sizeof *context->functions);
    context->images = (unsigned *)calloc(source->kernel_count, sizeof *context->images);
    context->modules = (hipModule_t *)calloc(source->image_count, sizeof *context->modules);
    if (!context->functions || !context->images || !context->modules) {
        free(context->functions);
        free(context->images);
        free(context->modules);
        free(context);
        return NULL;
    }
    context->next = program->contexts;
    __atomic_store_n(&program->contexts, context, __ATOMIC_RELEASE);
    return context;
}

// The device's node, made if there is none. Called with the lock held.
static inline hipError_t tkc_hip_open(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                      unsigned long long key, struct tkc_hip_context **out) {
    hipError_t result;
    *out = tkc_hip_find(program, key);
    if (*out) {
        return hipSuccess;
    }
    *out = tkc_hip_node(program, source);
    if (!*out) {
        return hipErrorOutOfMemory;
    }
    result = tkc_hip_choose(source, *out);
    if (result == hipSuccess) {
        __atomic_store_n(&(*out)->key, key, __ATOMIC_RELEASE);
    }
    return result;
}

// A node without a function is free again. Called with the lock held.
static inline void tkc_hip_close(const struct tkc_hip_source *source, struct tkc_hip_context *context) {
    unsigned i, left = 0;
    for (i = 0; i < source->kernel_count; i++) {
        left += context->functions[i] != NULL;
    }
    if (left == 0) {
        __atomic_store_n(&context->key, 0, __ATOMIC_RELEASE);
    }
}

static inline hipError_t tkc_hip_module(const struct tkc_hip_image *image, hipModule_t *module) {
    return image->bytes ? hipModuleLoadData(module, image->bytes) : hipModuleLoad(module, image->file);
}

static inline hipError_t tkc_hip_load_locked(struct tkc_hip_program *program,
                                             const struct tkc_hip_source *source, unsigned kernel,
                                             unsigned long long key, struct tkc_hip_context **out) {
    hipModule_t *module, fresh = NULL;
    hipFunction_t function = NULL;
    hipError_t result = tkc_hip_open(program, source, key, out);
    if (result != hipSuccess || (*out)->functions[kernel]) {
        return result;
    }
    if (!tkc_hip_has(source, *out, kernel)) {
        tkc_hip_close(source, *out);
        return hipErrorNoBinaryForGpu;
    }
    module = &(*out)->modules[(*out)->images[kernel]];
    if (!*module) {
        result = tkc_hip_module(&source->images[(*out)->images[kernel]], &fresh);
    }
    if (result == hipSuccess) {
        result = tkc_hip_function(fresh ? fresh : *module, source->kernels[kernel],
                                  &source->entries[tkc_hip_index(source, *out, kernel)], &function);
    }
    if (result != hipSuccess) {
        if (fresh) {
            (void)hipModuleUnload(fresh);
        }
        tkc_hip_close(source, *out);
        return result;
    }
    *module = fresh ? fresh : *module;
    __atomic_store_n(&(*out)->functions[kernel], function, __ATOMIC_RELEASE);
    return hipSuccess;
}

// The kernel, loaded in the current device.
static inline hipError_t tkc_hip_load(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                      unsigned kernel, struct tkc_hip_context **context) {
    unsigned long long key = 0;
    hipError_t result = tkc_hip_key(&key);
    if (result != hipSuccess) {
        return result;
    }
    *context = tkc_hip_find(program, key);
    if (*context && __atomic_load_n(&(*context)->functions[kernel], __ATOMIC_ACQUIRE)) {
        return hipSuccess;
    }
    tkc_lock(&program->lock);
    result = tkc_hip_load_locked(program, source, kernel, key, context);
    tkc_unlock(&program->lock);
    return result;
}

static inline hipError_t tkc_hip_launch(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                        unsigned kernel, hipStream_t stream, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, void **arguments) {
    struct tkc_hip_context *context = NULL;
    const struct tkc_entry *entry;
    hipError_t result = tkc_hip_load(program, source, kernel, &context);
    if (result != hipSuccess) {
        return result;
    }
    entry = &source->entries[tkc_hip_index(source, context, kernel)];
    return hipModuleLaunchKernel(__atomic_load_n(&context->functions[kernel], __ATOMIC_ACQUIRE), grid_x,
                                 grid_y, grid_z, entry->threads, 1, 1, entry->dynamic_shared, stream,
                                 arguments, NULL);
}

// Forgets the kernel in the current device; a module goes with its last kernel. No launch of it may be
// under way in another thread.
static inline hipError_t tkc_hip_unload(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                        unsigned kernel) {
    unsigned long long key = 0;
    unsigned i, beside = 0;
    struct tkc_hip_context *context;
    hipError_t result = tkc_hip_key(&key);
    if (result != hipSuccess) {
        return result;
    }
    tkc_lock(&program->lock);
    context = tkc_hip_find(program, key);
    if (context && tkc_hip_has(source, context, kernel)) {
        hipModule_t *module = &context->modules[context->images[kernel]];
        __atomic_store_n(&context->functions[kernel], (hipFunction_t)0, __ATOMIC_RELEASE);
        for (i = 0; i < source->kernel_count; i++) {
            beside += context->functions[i] != NULL && context->images[i] == context->images[kernel];
        }
        tkc_hip_close(source, context);
        if (beside == 0 && *module) {
            result = hipModuleUnload(*module);
            *module = NULL;
        }
    }
    tkc_unlock(&program->lock);
    return result;
}
#endif
