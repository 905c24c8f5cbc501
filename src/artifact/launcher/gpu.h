#ifndef TKC_LAUNCHER_GPU_7
#define TKC_LAUNCHER_GPU_7

// ---- Loading and launching, on GPU_INTERFACE.

// The code loaded in one context (on AMD: one device). `key` is the context's number plus one; 0: the node is
// free. hipDeviceReset destroys modules without the launcher's knowledge: call unload before it.
// Readers take no lock. A node is complete before its key is stored, and a function before its slot is
// stored. Nodes are never freed.
struct tkc_gpu_context {
    struct tkc_gpu_context *next;
    unsigned long long key;
    struct tkc_chip chip;
    gpu_pointer zeros;       // device memory for empty tensors; 0: none needed yet
    gpu_function *functions; // of each kernel, then of their second forms; null: not loaded
    unsigned *images;        // of each kernel: the index of its image; image_count: no image fits
    gpu_module *modules;     // of each image; null: not loaded
};

struct tkc_gpu_program {
    struct tkc_gpu_context *contexts;
    char lock;
};

// The index of a kernel's entry for this device. The kernel must have an image here.
static inline unsigned tkc_gpu_index(const struct tkc_source *source, const struct tkc_gpu_context *context,
                                     unsigned kernel) {
    return source->images[context->images[kernel]].target * source->kernel_count + kernel;
}

static inline int tkc_gpu_has(const struct tkc_source *source, const struct tkc_gpu_context *context,
                              unsigned kernel) {
    return context->images[kernel] < source->image_count;
}

// The kernel's second form on this device; NULL: it has none.
static inline const struct tkc_form *tkc_gpu_form(const struct tkc_source *source,
                                                  const struct tkc_gpu_context *context, unsigned kernel) {
    const struct tkc_form *form =
        source->forms ? &source->forms[tkc_gpu_index(source, context, kernel)] : NULL;
    return form && form->name ? form : NULL;
}

static inline struct tkc_gpu_context *tkc_gpu_find(struct tkc_gpu_program *program, unsigned long long key) {
    struct tkc_gpu_context *context = __atomic_load_n(&program->contexts, __ATOMIC_ACQUIRE);
    while (context && __atomic_load_n(&context->key, __ATOMIC_ACQUIRE) != key) {
        context = context->next;
    }
    return context;
}

// A free node with empty slots. The caller holds the lock.
static inline struct tkc_gpu_context *tkc_gpu_node(struct tkc_gpu_program *program,
                                                   const struct tkc_source *source) {
    struct tkc_gpu_context *context = tkc_gpu_find(program, 0);
    if (context) {
        return context;
    }
    context = (struct tkc_gpu_context *)calloc(1, sizeof *context);
    if (!context) {
        return NULL;
    }
    context->functions = (gpu_function *)calloc((size_t)2 * source->kernel_count, sizeof *context->functions);
    context->images = (unsigned *)calloc(source->kernel_count, sizeof *context->images);
    context->modules = (gpu_module *)calloc(source->image_count, sizeof *context->modules);
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

// The context's node; made if there is none. The caller holds the lock.
static inline gpu_result tkc_gpu_open(struct tkc_gpu_program *program, const struct tkc_source *source,
                                      unsigned long long key, struct tkc_gpu_context **out) {
    gpu_result result;
    *out = tkc_gpu_find(program, key);
    if (*out) {
        return GPU_SUCCESS;
    }
    *out = tkc_gpu_node(program, source);
    if (!*out) {
        return GPU_OUT_OF_MEMORY;
    }
    result = tkc_gpu_chip(&(*out)->chip);
    if (result == GPU_SUCCESS) {
        tkc_choose_images(source, &(*out)->chip, (*out)->images);
        __atomic_store_n(&(*out)->key, key, __ATOMIC_RELEASE);
    }
    return result;
}

// Frees the node if no function is left in it. The caller holds the lock.
static inline void tkc_gpu_close(const struct tkc_source *source, struct tkc_gpu_context *context) {
    unsigned i, left = 0;
    for (i = 0; i < source->kernel_count; i++) {
        left += context->functions[i] != NULL;
    }
    if (left == 0) {
        __atomic_store_n(&context->key, 0, __ATOMIC_RELEASE);
        if (context->zeros) {
            (void)gpu_release(context->zeros);
            context->zeros = 0;
        }
    }
}

static inline gpu_result tkc_gpu_module(const struct tkc_image *image, gpu_module *module) {
    gpu_result result = GPU_INVALID_VALUE;
    unsigned char *bytes;
    if (!image->unpacked) {
        return image->bytes ? gpu_module_of_bytes(module, image->bytes)
                            : gpu_module_of_file(module, image->file);
    }
    bytes = (unsigned char *)malloc(image->unpacked + 1);
    if (!bytes) {
        return GPU_OUT_OF_MEMORY;
    }
    bytes[image->unpacked] = 0;
    if (tkc_unpack(image->bytes, image->packed, bytes, image->unpacked)) {
        result = gpu_module_of_bytes(module, bytes);
    }
    free(bytes);
    return result;
}

static inline gpu_result tkc_gpu_load_locked(struct tkc_gpu_program *program, const struct tkc_source *source,
                                             unsigned kernel, unsigned long long key,
                                             struct tkc_gpu_context **out) {
    gpu_module *module;
    gpu_module fresh = NULL;
    gpu_function function = NULL;
    gpu_function second = NULL;
    const struct tkc_form *form;
    gpu_result result = tkc_gpu_open(program, source, key, out);
    if (result != GPU_SUCCESS || (*out)->functions[kernel]) {
        return result;
    }
    if (!tkc_gpu_has(source, *out, kernel)) {
        tkc_gpu_close(source, *out);
        return GPU_NO_IMAGE;
    }
    module = &(*out)->modules[(*out)->images[kernel]];
    if (!*module) {
        result = tkc_gpu_module(&source->images[(*out)->images[kernel]], &fresh);
    }
    if (result == GPU_SUCCESS) {
        result = tkc_gpu_function(fresh ? fresh : *module, source->kernels[kernel],
                                  &source->entries[tkc_gpu_index(source, *out, kernel)], &function);
    }
    form = tkc_gpu_form(source, *out, kernel);
    if (result == GPU_SUCCESS && form) {
        result = tkc_gpu_function(fresh ? fresh : *module, form->name, &form->entry, &second);
    }
    if (result != GPU_SUCCESS) {
        if (fresh) {
            (void)gpu_module_unload(fresh);
        }
        tkc_gpu_close(source, *out);
        return result;
    }
    *module = fresh ? fresh : *module;
    __atomic_store_n(&(*out)->functions[source->kernel_count + kernel], second, __ATOMIC_RELEASE);
    __atomic_store_n(&(*out)->functions[kernel], function, __ATOMIC_RELEASE);
    return GPU_SUCCESS;
}

// Loads the kernel in the current context if it is not loaded.
static inline gpu_result tkc_gpu_load(struct tkc_gpu_program *program, const struct tkc_source *source,
                                      unsigned kernel, struct tkc_gpu_context **context) {
    unsigned long long key = 0;
    gpu_result result = tkc_gpu_key(&key);
    if (result != GPU_SUCCESS) {
        return result;
    }
    *context = tkc_gpu_find(program, key);
    if (*context && __atomic_load_n(&(*context)->functions[kernel], __ATOMIC_ACQUIRE)) {
        return GPU_SUCCESS;
    }
    tkc_lock(&program->lock);
    result = tkc_gpu_load_locked(program, source, kernel, key, context);
    tkc_unlock(&program->lock);
    return result;
}

// The multiprocessors of the current device, as the rules of chains count them. Loads the kernel.
static inline gpu_result tkc_gpu_multiprocessors(struct tkc_gpu_program *program,
                                                 const struct tkc_source *source, unsigned kernel,
                                                 int64_t *count) {
    struct tkc_gpu_context *context = NULL;
    gpu_result result = tkc_gpu_load(program, source, kernel, &context);
    *count = result == GPU_SUCCESS ? (int64_t)context->chip.multiprocessors : 0;
    return result;
}

static inline gpu_result tkc_gpu_launch(struct tkc_gpu_program *program, const struct tkc_source *source,
                                        unsigned kernel, gpu_stream stream, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, void **arguments) {
    struct tkc_gpu_context *context = NULL;
    const struct tkc_entry *entry;
    gpu_result result = tkc_gpu_load(program, source, kernel, &context);
    tkc_forget_rule();
    if (result != GPU_SUCCESS) {
        return result;
    }
    entry = &source->entries[tkc_gpu_index(source, context, kernel)];
    return gpu_launch(__atomic_load_n(&context->functions[kernel], __ATOMIC_ACQUIRE), grid_x, grid_y, grid_z,
                      entry->threads, 1, 1, entry->dynamic_shared, stream, arguments, NULL);
}

// Unloads the kernel from the current context. The module goes with its last kernel. No other thread may be
// launching the kernel.
static inline gpu_result tkc_gpu_unload(struct tkc_gpu_program *program, const struct tkc_source *source,
                                        unsigned kernel) {
    unsigned long long key = 0;
    unsigned i, beside = 0;
    struct tkc_gpu_context *context;
    gpu_result result = tkc_gpu_key(&key);
    if (result != GPU_SUCCESS) {
        return result;
    }
    tkc_lock(&program->lock);
    context = tkc_gpu_find(program, key);
    if (context && tkc_gpu_has(source, context, kernel)) {
        gpu_module *module = &context->modules[context->images[kernel]];
        __atomic_store_n(&context->functions[kernel], (gpu_function)0, __ATOMIC_RELEASE);
        __atomic_store_n(&context->functions[source->kernel_count + kernel], (gpu_function)0,
                         __ATOMIC_RELEASE);
        for (i = 0; i < source->kernel_count; i++) {
            beside += context->functions[i] != NULL && context->images[i] == context->images[kernel];
        }
        tkc_gpu_close(source, context);
        if (beside == 0 && *module) {
            result = gpu_module_unload(*module);
            *module = NULL;
        }
    }
    tkc_unlock(&program->lock);
    return result;
}
#endif
