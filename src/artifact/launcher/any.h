#ifndef TKC_LAUNCHER_ANY_2
#define TKC_LAUNCHER_ANY_2

// ---- The opened driver: the current context (on AMD the current device) and its chip.

struct tkc_any_tensor_map {
    __attribute__((aligned(64))) uint64_t opaque[16];
};

// A number for the current context. A driver never gives the id of a destroyed context to a new one, as it
// does with handles; so the number never means an earlier context.
static inline int tkc_any_key(unsigned long long *key) {
    int device = 0, result = tkc_driver_open();
    *key = 0;
    if (result == 0 && tkc_driver_1.vendor == TKC_NVIDIA) {
        result = tkc_driver_1.CtxGetId(NULL, key);
    } else if (result == 0) {
        result = tkc_driver_1.CtxGetDevice(&device);
        *key = (unsigned long long)device;
    }
    *key += 1;
    return result;
}

// Fills in the current device.
static inline int tkc_any_chip(struct tkc_chip *chip) {
    int counts[3] = {0}, device = 0;
    int result = tkc_driver_1.CtxGetDevice(&device);
    if (result == 0) {
        result = tkc_driver_counts(device, counts);
    }
    if (result == 0) {
        result = tkc_driver_1.DeviceGetName(chip->name, (int)sizeof chip->name, device);
    }
    if (result == 0) {
        result = tkc_driver_1.vendor == TKC_AMD ? tkc_driver_arch(device, chip->arch, sizeof chip->arch)
                                                : tkc_driver_capability(device, &chip->capability);
    }
    chip->multiprocessors = (unsigned)counts[0];
    chip->shared = (unsigned)counts[1];
    chip->threads = (unsigned)counts[2];
    return result;
}

// Finds a kernel in its module. On NVIDIA a kernel with more than 48 KiB of shared memory must be allowed to
// have it.
static inline int tkc_any_function(void *module, const char *name, const struct tkc_entry *entry,
                                   void **function) {
    enum { MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
    int result = tkc_driver_1.ModuleGetFunction(function, module, name);
    if (result == 0 && tkc_driver_1.vendor == TKC_NVIDIA && entry->dynamic_shared && entry->shared > 49152u) {
        result = tkc_driver_1.FuncSetAttribute(*function, MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                               (int)entry->dynamic_shared);
    }
    return result;
}

// All launches of an opened driver are plain ones.
static inline void tkc_any_chain_next(int dependent) {
    (void)dependent;
}

// `images`: the text for a device that no image fits.
static inline const char *tkc_any_error_text(int result, const char *images) {
    return result == 209 ? images : tkc_driver_error_text(result);
}
#endif
