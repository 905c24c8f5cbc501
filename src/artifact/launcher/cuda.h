#ifndef TKC_LAUNCHER_CUDA_2
#define TKC_LAUNCHER_CUDA_2

// ---- Loading and launching through the CUDA driver API.
#if CUDA_VERSION < 12000
#error "tkc's launchers need the CUDA 12 driver API (cuCtxGetId)"
#endif

// One compiled image. `specific`: runs on exactly this compute capability (the "a" chips); `binary`: on its
// major version from the minor one up; else (PTX) on this capability and all later ones. It holds `count` kernels
// from the `first` on, compiled for the target of that number.
struct tkc_cuda_image {
    const unsigned char *bytes; // NULL: in a file
    const char *file;
    unsigned capability;
    char specific;
    char binary;
    unsigned target;
    unsigned first;
    unsigned count;
};

// What is loaded in one context. `key` is the context's id plus one, 0 in a free node: ids, unlike handles, are
// never recycled, so a node of a destroyed context is never mistaken for that of a new one. Readers take no
// lock: a node is complete before its key is set, a function before its slot is, and nodes are never freed.
struct tkc_cuda_context {
    struct tkc_cuda_context *next;
    unsigned long long key;
    struct tkc_chip chip;
    CUdeviceptr zeros;     // 0 until a kernel is launched on an empty tensor map
    CUfunction *functions; // one slot a kernel; null: not asked for yet
    unsigned *images;      // the best for each kernel; the number of images: there is none for it
    CUmodule *modules;     // one slot an image; null: not loaded
};

struct tkc_cuda_program {
    struct tkc_cuda_context *contexts;
    char lock;
};

struct tkc_cuda_source {
    const struct tkc_cuda_image *images;
    unsigned image_count;
    const char *const *kernels;
    unsigned kernel_count;
    const struct tkc_entry *entries; // of target t and kernel k: [t * kernel_count + k]
};

// Where a kernel's entry for the context's device stands. Only for kernels that have an image there.
static inline unsigned tkc_cuda_index(const struct tkc_cuda_source *source,
                                      const struct tkc_cuda_context *context, unsigned kernel) {
    return source->images[context->images[kernel]].target * source->kernel_count + kernel;
}

static inline int tkc_cuda_has(const struct tkc_cuda_source *source, const struct tkc_cuda_context *context,
                               unsigned kernel) {
    return context->images[kernel] < source->image_count;
}

// What the current device is and has.
static inline CUresult tkc_cuda_chip(struct tkc_chip *chip, unsigned *capability) {
    static const CUdevice_attribute attributes[] = {
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR};
    int values[sizeof attributes / sizeof attributes[0]] = {0};
    unsigned i;
    CUdevice device = 0;
    CUresult result = cuCtxGetDevice(&device);
    for (i = 0; i < sizeof attributes / sizeof attributes[0] && result == CUDA_SUCCESS; i++) {
        result = cuDeviceGetAttribute(&values[i], attributes[i], device);
    }
    if (result == CUDA_SUCCESS) {
        result = cuDeviceGetName(chip->name, (int)sizeof chip->name, device);
    }
    *capability = (unsigned)values[0] * 10u + (unsigned)values[1];
    chip->multiprocessors = (unsigned)values[2];
    chip->shared = (unsigned)values[3];
    chip->threads = (unsigned)values[4];
    return result;
}

// For each kernel the best image for the device, the highest capability that runs there.
static inline void tkc_cuda_choose(const struct tkc_cuda_source *source, unsigned here,
                                   struct tkc_cuda_context *context) {
    unsigned i, k;
    for (k = 0; k < source->kernel_count; k++) {
        unsigned best = 0;
        context->images[k] = source->image_count;
        for (i = 0; i < source->image_count; i++) {
            const struct tkc_cuda_image *candidate = &source->images[i];
            unsigned there = candidate->capability;
            unsigned rank = there * 4u + (candidate->specific ? 2u : 0u) + (candidate->binary ? 1u : 0u);
            int runs = candidate->specific ? there == here : there <= here;
            if (candidate->binary && there / 10u != here / 10u) {
                runs = 0;
            }
            if (runs && k - candidate->first < candidate->count && rank > best &&
                source->entries[candidate->target * source->kernel_count + k].threads) {
                best = rank;
                context->images[k] = i;
            }
        }
    }
}

static inline CUresult tkc_cuda_key(unsigned long long *key) {
    CUresult result = cuCtxGetId(NULL, key);
    *key += 1;
    return result;
}

// Gets a kernel out of its module and raises its limit of shared memory where it needs more than 48 KiB.
static inline CUresult tkc_cuda_function(CUmodule module, const char *name, const struct tkc_entry *entry,
                                         CUfunction *function) {
    CUresult result = cuModuleGetFunction(function, module, name);
    if (result == CUDA_SUCCESS && entry->dynamic_shared && entry->shared > 49152u) {
        result = cuFuncSetAttribute(*function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    (int)entry->dynamic_shared);
    }
    return result;
}

// `images`: what is said of a device that none fits.
static inline const char *tkc_cuda_error_text(CUresult result, const char *images) {
    const char *text = NULL;
    if (result == CUDA_ERROR_NO_BINARY_FOR_GPU) {
        return images;
    }
    if (result == CUDA_ERROR_SHARED_OBJECT_INIT_FAILED) {
        return "CUDA's driver could not be opened, or lacks a function of CUDA 12";
    }
    return cuGetErrorString(result, &text) == CUDA_SUCCESS && text ? text : "unknown error";
}

static inline struct tkc_cuda_context *tkc_cuda_find(struct tkc_cuda_program *program,
                                                     unsigned long long key) {
    struct tkc_cuda_context *context = __atomic_load_n(&program->contexts, __ATOMIC_ACQUIRE);
    while (context && __atomic_load_n(&context->key, __ATOMIC_ACQUIRE) != key) {
        context = context->next;
    }
    return context;
}

// A free node with empty slots. Called with the lock held.
static inline struct tkc_cuda_context *tkc_cuda_node(struct tkc_cuda_program *program,
                                                     const struct tkc_cuda_source *source) {
    struct tkc_cuda_context *context = tkc_cuda_find(program, 0);
    if (context) {
        return context;
    }
    context = (struct tkc_cuda_context *)calloc(1, sizeof *context);
    if (!context) {
        return NULL;
    }
    context->functions = (CUfunction *)calloc(source->kernel_count, sizeof *context->functions);
    context->images = (unsigned *)calloc(source->kernel_count, sizeof *context->images);
    context->modules = (CUmodule *)calloc(source->image_count, sizeof *context->modules);
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

// The context's node, made if there is none. Called with the lock held.
static inline CUresult tkc_cuda_open(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                     unsigned long long key, struct tkc_cuda_context **out) {
    unsigned capability = 0;
    CUresult result;
    *out = tkc_cuda_find(program, key);
    if (*out) {
        return CUDA_SUCCESS;
    }
    *out = tkc_cuda_node(program, source);
    if (!*out) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = tkc_cuda_chip(&(*out)->chip, &capability);
    if (result == CUDA_SUCCESS) {
        tkc_cuda_choose(source, capability, *out);
        __atomic_store_n(&(*out)->key, key, __ATOMIC_RELEASE);
    }
    return result;
}

// A node without a function is free again. Called with the lock held.
static inline void tkc_cuda_close(const struct tkc_cuda_source *source, struct tkc_cuda_context *context) {
    unsigned i, left = 0;
    for (i = 0; i < source->kernel_count; i++) {
        left += context->functions[i] != NULL;
    }
    if (left == 0) {
        __atomic_store_n(&context->key, 0, __ATOMIC_RELEASE);
        if (context->zeros) {
            (void)cuMemFree(context->zeros);
            context->zeros = 0;
        }
    }
}

static inline CUresult tkc_cuda_module(const struct tkc_cuda_image *image, CUmodule *module) {
    return image->bytes ? cuModuleLoadData(module, image->bytes) : cuModuleLoad(module, image->file);
}

static inline CUresult tkc_cuda_load_locked(struct tkc_cuda_program *program,
                                            const struct tkc_cuda_source *source, unsigned kernel,
                                            unsigned long long key, struct tkc_cuda_context **out) {
    CUmodule *module, fresh = NULL;
    CUfunction function = NULL;
    CUresult result = tkc_cuda_open(program, source, key, out);
    if (result != CUDA_SUCCESS || (*out)->functions[kernel]) {
        return result;
    }
    if (!tkc_cuda_has(source, *out, kernel)) {
        tkc_cuda_close(source, *out);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    module = &(*out)->modules[(*out)->images[kernel]];
    if (!*module) {
        result = tkc_cuda_module(&source->images[(*out)->images[kernel]], &fresh);
    }
    if (result == CUDA_SUCCESS) {
        result = tkc_cuda_function(fresh ? fresh : *module, source->kernels[kernel],
                                   &source->entries[tkc_cuda_index(source, *out, kernel)], &function);
    }
    if (result != CUDA_SUCCESS) {
        if (fresh) {
            (void)cuModuleUnload(fresh);
        }
        tkc_cuda_close(source, *out);
        return result;
    }
    *module = fresh ? fresh : *module;
    __atomic_store_n(&(*out)->functions[kernel], function, __ATOMIC_RELEASE);
    return CUDA_SUCCESS;
}

// The kernel, loaded in the current context.
static inline CUresult tkc_cuda_load(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                     unsigned kernel, struct tkc_cuda_context **context) {
    unsigned long long key = 0;
    CUresult result = tkc_cuda_key(&key);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *context = tkc_cuda_find(program, key);
    if (*context && __atomic_load_n(&(*context)->functions[kernel], __ATOMIC_ACQUIRE)) {
        return CUDA_SUCCESS;
    }
    tkc_lock(&program->lock);
    result = tkc_cuda_load_locked(program, source, kernel, key, context);
    tkc_unlock(&program->lock);
    return result;
}

static inline CUresult tkc_cuda_launch(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                       unsigned kernel, CUstream stream, unsigned grid_x, unsigned grid_y,
                                       unsigned grid_z, void **arguments) {
    struct tkc_cuda_context *context = NULL;
    const struct tkc_entry *entry;
    CUresult result = tkc_cuda_load(program, source, kernel, &context);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    entry = &source->entries[tkc_cuda_index(source, context, kernel)];
    return cuLaunchKernel(__atomic_load_n(&context->functions[kernel], __ATOMIC_ACQUIRE), grid_x, grid_y,
                          grid_z, entry->threads, 1, 1, entry->dynamic_shared, stream, arguments, NULL);
}

// Forgets the kernel in the current context; a module goes with its last kernel. No launch of it may be
// under way in another thread.
static inline CUresult tkc_cuda_unload(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                       unsigned kernel) {
    unsigned long long key = 0;
    unsigned i, beside = 0;
    struct tkc_cuda_context *context;
    CUresult result = tkc_cuda_key(&key);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    tkc_lock(&program->lock);
    context = tkc_cuda_find(program, key);
    if (context && tkc_cuda_has(source, context, kernel)) {
        CUmodule *module = &context->modules[context->images[kernel]];
        __atomic_store_n(&context->functions[kernel], (CUfunction)0, __ATOMIC_RELEASE);
        for (i = 0; i < source->kernel_count; i++) {
            beside += context->functions[i] != NULL && context->images[i] == context->images[kernel];
        }
        tkc_cuda_close(source, context);
        if (beside == 0 && *module) {
            result = cuModuleUnload(*module);
            *module = NULL;
        }
    }
    tkc_unlock(&program->lock);
    return result;
}
#endif
