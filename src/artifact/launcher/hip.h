#ifndef TKC_LAUNCHER_HIP_3
#define TKC_LAUNCHER_HIP_3

// ---- HIP: the current device and its chip.

static inline hipError_t tkc_hip_key(unsigned long long *key) {
    int device = 0;
    hipError_t result = hipGetDevice(&device);
    *key = (unsigned long long)device + 1;
    return result;
}

// Fills in the current device. HIP's name of a chip is "gfx942:sramecc+:xnack-": the part before the colon
// names the chip.
static inline hipError_t tkc_hip_chip(struct tkc_chip *chip) {
    hipDeviceProp_t properties;
    int device = 0;
    hipError_t result = hipGetDevice(&device);
    if (result == hipSuccess) {
        result = hipGetDeviceProperties(&properties, device);
    }
    if (result != hipSuccess) {
        return result;
    }
    tkc_copy_text(chip->name, sizeof chip->name, properties.name, strlen(properties.name));
    tkc_copy_text(chip->arch, sizeof chip->arch, properties.gcnArchName,
                  strcspn(properties.gcnArchName, ":"));
    chip->multiprocessors = (unsigned)properties.multiProcessorCount;
    chip->shared = (unsigned)properties.maxSharedMemoryPerMultiProcessor;
    chip->threads = (unsigned)properties.maxThreadsPerMultiProcessor;
    return hipSuccess;
}

// `images`: the text for a device that no image fits.
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
#endif
