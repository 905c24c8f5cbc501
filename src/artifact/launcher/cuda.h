#ifndef TKC_LAUNCHER_CUDA_1
#define TKC_LAUNCHER_CUDA_1

// ---- Loading and launching through the CUDA driver API.
#if CUDA_VERSION < 12000
#error "tkc's launchers need the CUDA 12 driver API (cuCtxGetId)"
#endif

// One compiled image. `specific`: runs on exactly this compute capability (the "a" chips); `binary`: on its
// major version from the minor one up; else (PTX) on this capability and all later ones.
struct tkc_cuda_image {
    const unsigned char *bytes;
    unsigned capability;
    char specific;
    char binary;
};

// The module of one context. `key` is the context's id plus one, 0 in a free node: ids, unlike handles, are
// never recycled, so a node of a destroyed context is never mistaken for that of a new one. Readers take no
// lock: a node is complete before its key is set, a function before its slot is, and nodes are never freed.
struct tkc_cuda_module {
    struct tkc_cuda_module *next;
    unsigned long long key;
    CUmodule module;
    unsigned image;
    int multiprocessors;
    CUdeviceptr zeros;     // 0 until a kernel is launched on an empty tensor map
    CUfunction *functions; // one slot a kernel; null: not asked for yet
};

struct tkc_cuda_program {
    struct tkc_cuda_module *modules;
    char lock;
};

struct tkc_cuda_source {
    const struct tkc_cuda_image *images;
    unsigned image_count;
    const char *const *kernels;
    unsigned kernel_count;
    const struct tkc_entry *entries; // of image i and kernel k: [i * kernel_count + k]
};

// The best image for the current device, the highest capability that runs there; and what the device has.
static inline CUresult tkc_cuda_choose(const struct tkc_cuda_source *source, struct tkc_cuda_module *module) {
    CUdevice device;
    int major = 0, minor = 0;
    unsigned i, here, best = 0;
    CUresult result = cuCtxGetDevice(&device);
    if (result == CUDA_SUCCESS) {
        result = cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    }
    if (result == CUDA_SUCCESS) {
        result = cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    }
    if (result == CUDA_SUCCESS) {
        result =
            cuDeviceGetAttribute(&module->multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    here = (unsigned)major * 10u + (unsigned)minor;
    for (i = 0; i < source->image_count; i++) {
        const struct tkc_cuda_image *candidate = &source->images[i];
        unsigned there = candidate->capability;
        unsigned rank = there * 4u + (candidate->specific ? 2u : 0u) + (candidate->binary ? 1u : 0u);
        int runs = candidate->specific ? there == here : there <= here;
        if (candidate->binary && there / 10u != here / 10u) {
            runs = 0;
        }
        if (runs && rank > best) {
            best = rank;
            module->image = i;
        }
    }
    return best ? CUDA_SUCCESS : CUDA_ERROR_NO_BINARY_FOR_GPU;
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

static inline struct tkc_cuda_module *tkc_cuda_find(struct tkc_cuda_program *program,
                                                    unsigned long long key) {
    struct tkc_cuda_module *module = __atomic_load_n(&program->modules, __ATOMIC_ACQUIRE);
    while (module && __atomic_load_n(&module->key, __ATOMIC_ACQUIRE) != key) {
        module = module->next;
    }
    return module;
}

// A free node, with an empty slot for each kernel. Called with the lock held.
static inline struct tkc_cuda_module *tkc_cuda_node(struct tkc_cuda_program *program, unsigned kernels) {
    struct tkc_cuda_module *module = tkc_cuda_find(program, 0);
    if (module) {
        return module;
    }
    module = (struct tkc_cuda_module *)calloc(1, sizeof *module);
    if (module) {
        module->functions = (CUfunction *)calloc(kernels, sizeof *module->functions);
    }
    if (!module || !module->functions) {
        free(module);
        return NULL;
    }
    module->next = program->modules;
    __atomic_store_n(&program->modules, module, __ATOMIC_RELEASE);
    return module;
}

static inline CUresult tkc_cuda_load_locked(struct tkc_cuda_program *program,
                                            const struct tkc_cuda_source *source, unsigned kernel,
                                            unsigned long long key, struct tkc_cuda_module **out) {
    struct tkc_cuda_module *module = tkc_cuda_find(program, key);
    CUfunction function = NULL;
    CUresult result = CUDA_SUCCESS;
    int fresh = module == NULL;
    if (fresh) {
        module = tkc_cuda_node(program, source->kernel_count);
        if (!module) {
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
        result = tkc_cuda_choose(source, module);
        if (result == CUDA_SUCCESS) {
            result = cuModuleLoadData(&module->module, source->images[module->image].bytes);
        }
        if (result != CUDA_SUCCESS) {
            return result;
        }
    }
    if (!module->functions[kernel]) {
        result =
            tkc_cuda_function(module->module, source->kernels[kernel],
                              &source->entries[module->image * source->kernel_count + kernel], &function);
        if (result != CUDA_SUCCESS) {
            if (fresh) {
                (void)cuModuleUnload(module->module);
            }
            return result;
        }
        __atomic_store_n(&module->functions[kernel], function, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&module->key, key, __ATOMIC_RELEASE);
    *out = module;
    return CUDA_SUCCESS;
}

// The kernel, loaded in the current context.
static inline CUresult tkc_cuda_load(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                     unsigned kernel, struct tkc_cuda_module **module) {
    unsigned long long key = 0;
    CUresult result = tkc_cuda_key(&key);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *module = tkc_cuda_find(program, key);
    if (*module && __atomic_load_n(&(*module)->functions[kernel], __ATOMIC_ACQUIRE)) {
        return CUDA_SUCCESS;
    }
    tkc_lock(&program->lock);
    result = tkc_cuda_load_locked(program, source, kernel, key, module);
    tkc_unlock(&program->lock);
    return result;
}

static inline CUresult tkc_cuda_launch(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                       unsigned kernel, CUstream stream, unsigned grid_x, unsigned grid_y,
                                       unsigned grid_z, void **arguments) {
    struct tkc_cuda_module *module = NULL;
    const struct tkc_entry *entry;
    CUresult result = tkc_cuda_load(program, source, kernel, &module);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    entry = &source->entries[module->image * source->kernel_count + kernel];
    return cuLaunchKernel(__atomic_load_n(&module->functions[kernel], __ATOMIC_ACQUIRE), grid_x, grid_y,
                          grid_z, entry->threads, 1, 1, entry->dynamic_shared, stream, arguments, NULL);
}

// Forgets the kernel in the current context; the module goes with its last kernel. No launch of it may be
// under way in another thread.
static inline CUresult tkc_cuda_unload(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                       unsigned kernel) {
    unsigned long long key = 0;
    unsigned i, left = 0;
    struct tkc_cuda_module *module;
    CUresult result = tkc_cuda_key(&key);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    tkc_lock(&program->lock);
    module = tkc_cuda_find(program, key);
    if (module) {
        __atomic_store_n(&module->functions[kernel], (CUfunction)0, __ATOMIC_RELEASE);
        for (i = 0; i < source->kernel_count; i++) {
            left += module->functions[i] != NULL;
        }
        if (left == 0) {
            __atomic_store_n(&module->key, 0, __ATOMIC_RELEASE);
            result = cuModuleUnload(module->module);
            if (module->zeros) {
                (void)cuMemFree(module->zeros);
                module->zeros = 0;
            }
        }
    }
    tkc_unlock(&program->lock);
    return result;
}
#endif
