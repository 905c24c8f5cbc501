#ifndef TKC_LAUNCHER_HIP_1
#define TKC_LAUNCHER_HIP_1

// ---- Loading and launching through the HIP runtime API.

// One compiled image: runs on the chip whose gcnArchName begins with this name.
struct tkc_hip_image {
    const unsigned char *bytes;
    const char *chip;
};

// The module of one device. `key` is the device's ordinal plus one, 0 in a free node. hipDeviceReset destroys
// modules behind the launcher's back: unload before it.
// Readers take no lock: a node is complete before its key is set, a function before its slot is, and nodes
// are never freed.
struct tkc_hip_module {
    struct tkc_hip_module *next;
    unsigned long long key;
    hipModule_t module;
    unsigned image;
    hipFunction_t *functions; // one slot a kernel; null: not asked for yet
};

struct tkc_hip_program {
    struct tkc_hip_module *modules;
    char lock;
};

struct tkc_hip_source {
    const struct tkc_hip_image *images;
    unsigned image_count;
    const char *const *kernels;
    unsigned kernel_count;
    const struct tkc_entry *entries; // of image i and kernel k: [i * kernel_count + k]
};

// The image whose chip is the current device's.
static inline hipError_t tkc_hip_choose(const struct tkc_hip_source *source, unsigned *image) {
    hipDeviceProp_t properties;
    int device = 0;
    unsigned i;
    hipError_t result = hipGetDevice(&device);
    if (result == hipSuccess) {
        result = hipGetDeviceProperties(&properties, device);
    }
    if (result != hipSuccess) {
        return result;
    }
    for (i = 0; i < source->image_count; i++) {
        const char *chip = source->images[i].chip;
        size_t length = strlen(chip);
        char next = properties.gcnArchName[length < sizeof properties.gcnArchName ? length : 0];
        if (strncmp(properties.gcnArchName, chip, length) == 0 && (next == 0 || next == ':')) {
            *image = i;
            return hipSuccess;
        }
    }
    return hipErrorNoBinaryForGpu;
}

static inline hipError_t tkc_hip_key(unsigned long long *key) {
    int device = 0;
    hipError_t result = hipGetDevice(&device);
    *key = (unsigned long long)device + 1;
    return result;
}

static inline hipError_t tkc_hip_function(hipModule_t module, const char *name, const struct tkc_entry *entry,
                                          hipFunction_t *function) {
    (void)entry;
    return hipModuleGetFunction(function, module, name);
}

static inline struct tkc_hip_module *tkc_hip_find(struct tkc_hip_program *program, unsigned long long key) {
    struct tkc_hip_module *module = __atomic_load_n(&program->modules, __ATOMIC_ACQUIRE);
    while (module && __atomic_load_n(&module->key, __ATOMIC_ACQUIRE) != key) {
        module = module->next;
    }
    return module;
}

// A free node, with an empty slot for each kernel. Called with the lock held.
static inline struct tkc_hip_module *tkc_hip_node(struct tkc_hip_program *program, unsigned kernels) {
    struct tkc_hip_module *module = tkc_hip_find(program, 0);
    if (module) {
        return module;
    }
    module = (struct tkc_hip_module *)calloc(1, sizeof *module);
    if (module) {
        module->functions = (hipFunction_t *)calloc(kernels, sizeof *module->functions);
    }
    if (!module || !module->functions) {
        free(module);
        return NULL;
    }
    module->next = program->modules;
    __atomic_store_n(&program->modules, module, __ATOMIC_RELEASE);
    return module;
}

static inline hipError_t tkc_hip_load_locked(struct tkc_hip_program *program,
                                             const struct tkc_hip_source *source, unsigned kernel,
                                             unsigned long long key, struct tkc_hip_module **out) {
    struct tkc_hip_module *module = tkc_hip_find(program, key);
    hipFunction_t function = NULL;
    hipError_t result = hipSuccess;
    int fresh = module == NULL;
    if (fresh) {
        module = tkc_hip_node(program, source->kernel_count);
        if (!module) {
            return hipErrorOutOfMemory;
        }
        result = tkc_hip_choose(source, &module->image);
        if (result == hipSuccess) {
            result = hipModuleLoadData(&module->module, source->images[module->image].bytes);
        }
        if (result != hipSuccess) {
            return result;
        }
    }
    if (!module->functions[kernel]) {
        result = tkc_hip_function(module->module, source->kernels[kernel],
                                  &source->entries[module->image * source->kernel_count + kernel], &function);
        if (result != hipSuccess) {
            if (fresh) {
                (void)hipModuleUnload(module->module);
            }
            return result;
        }
        __atomic_store_n(&module->functions[kernel], function, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&module->key, key, __ATOMIC_RELEASE);
    *out = module;
    return hipSuccess;
}

// The kernel, loaded in the current device.
static inline hipError_t tkc_hip_load(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                      unsigned kernel, struct tkc_hip_module **module) {
    unsigned long long key = 0;
    hipError_t result = tkc_hip_key(&key);
    if (result != hipSuccess) {
        return result;
    }
    *module = tkc_hip_find(program, key);
    if (*module && __atomic_load_n(&(*module)->functions[kernel], __ATOMIC_ACQUIRE)) {
        return hipSuccess;
    }
    tkc_lock(&program->lock);
    result = tkc_hip_load_locked(program, source, kernel, key, module);
    tkc_unlock(&program->lock);
    return result;
}

static inline hipError_t tkc_hip_launch(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                        unsigned kernel, hipStream_t stream, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, void **arguments) {
    struct tkc_hip_module *module = NULL;
    const struct tkc_entry *entry;
    hipError_t result = tkc_hip_load(program, source, kernel, &module);
    if (result != hipSuccess) {
        return result;
    }
    entry = &source->entries[module->image * source->kernel_count + kernel];
    return hipModuleLaunchKernel(__atomic_load_n(&module->functions[kernel], __ATOMIC_ACQUIRE), grid_x,
                                 grid_y, grid_z, entry->threads, 1, 1, entry->dynamic_shared, stream,
                                 arguments, NULL);
}

// Forgets the kernel in the current device; the module goes with its last kernel. No launch of it may be
// under way in another thread.
static inline hipError_t tkc_hip_unload(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                        unsigned kernel) {
    unsigned long long key = 0;
    unsigned i, left = 0;
    struct tkc_hip_module *module;
    hipError_t result = tkc_hip_key(&key);
    if (result != hipSuccess) {
        return result;
    }
    tkc_lock(&program->lock);
    module = tkc_hip_find(program, key);
    if (module) {
        __atomic_store_n(&module->functions[kernel], (hipFunction_t)0, __ATOMIC_RELEASE);
        for (i = 0; i < source->kernel_count; i++) {
            left += module->functions[i] != NULL;
        }
        if (left == 0) {
            __atomic_store_n(&module->key, 0, __ATOMIC_RELEASE);
            result = hipModuleUnload(module->module);
        }
    }
    tkc_unlock(&program->lock);
    return result;
}
#endif
