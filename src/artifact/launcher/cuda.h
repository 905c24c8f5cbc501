#ifndef TKC_LAUNCHER_CUDA_4
#define TKC_LAUNCHER_CUDA_4

// ---- CUDA's driver: the current context and its chip.
#if CUDA_VERSION < 12000
#error "tkc's launchers need the CUDA 12 driver API (cuCtxGetId)"
#endif

// A number for the current context. The driver never gives the id of a destroyed context to a new one, as it
// does with handles; so the number never means an earlier context.
static inline CUresult tkc_cuda_key(unsigned long long *key) {
    CUresult result = cuCtxGetId(NULL, key);
    *key += 1;
    return result;
}

// Fills in the current device.
static inline CUresult tkc_cuda_chip(struct tkc_chip *chip) {
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
    chip->capability = (unsigned)values[0] * 10u + (unsigned)values[1];
    chip->multiprocessors = (unsigned)values[2];
    chip->shared = (unsigned)values[3];
    chip->threads = (unsigned)values[4];
    return result;
}

// Finds a kernel in its module. A kernel with more than 48 KiB of shared memory must be allowed to have it.
static inline CUresult tkc_cuda_function(CUmodule module, const char *name, const struct tkc_entry *entry,
                                         CUfunction *function) {
    CUresult result = cuModuleGetFunction(function, module, name);
    if (result == CUDA_SUCCESS && entry->dynamic_shared && entry->shared > 49152u) {
        result = cuFuncSetAttribute(*function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    (int)entry->dynamic_shared);
    }
    return result;
}

// The chain whose kernels this thread is launching: 0 none, 1 none of them is launched yet, 2 one is. `dependent`: the next may begin
// while the one ahead of it ends; its code waits for that one (griddepcontrol.wait).
struct tkc_cuda_chain {
    int state, dependent;
};
static __thread struct tkc_cuda_chain tkc_cuda_chain;

static inline void tkc_cuda_chain_set(int state, int dependent) {
    tkc_cuda_chain.state = state;
    tkc_cuda_chain.dependent = dependent;
}

static inline void tkc_cuda_chain_next(int dependent) {
    tkc_cuda_chain.dependent = dependent;
}

// Launches. The first kernel of a chain begins when all work ahead of it has ended.
static inline CUresult tkc_cuda_start(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned threads, unsigned block_y, unsigned block_z, unsigned shared,
                                      CUstream stream, void **arguments, void **extra) {
    CUlaunchConfig config;
    CUlaunchAttribute attribute;
    int dependent = tkc_cuda_chain.state == 2 && tkc_cuda_chain.dependent;
    tkc_cuda_chain.state = tkc_cuda_chain.state ? 2 : 0;
    if (!dependent) {
        return cuLaunchKernel(function, grid_x, grid_y, grid_z, threads, block_y, block_z, shared, stream,
                              arguments, extra);
    }
    memset(&config, 0, sizeof config);
    memset(&attribute, 0, sizeof attribute);
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    config.gridDimX = grid_x;
    config.gridDimY = grid_y;
    config.gridDimZ = grid_z;
    config.blockDimX = threads;
    config.blockDimY = block_y;
    config.blockDimZ = block_z;
    config.sharedMemBytes = shared;
    config.hStream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cuLaunchKernelEx(&config, function, arguments, extra);
}

// `images`: the text for a device that no image fits.
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
#endif
