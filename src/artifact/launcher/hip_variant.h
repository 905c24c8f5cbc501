#ifndef TKC_LAUNCHER_HIP_VARIANT_1
#define TKC_LAUNCHER_HIP_VARIANT_1

// ---- Picking variants through the HIP runtime API.

// What each variant is on the context's device.
static inline void tkc_hip_fits(const struct tkc_hip_source *source, const struct tkc_hip_context *context,
                                const struct tkc_family *family, struct tkc_fit *fits) {
    unsigned i;
    for (i = 0; i < family->count; i++) {
        memset(&fits[i], 0, sizeof fits[i]);
        if (tkc_hip_has(source, context, family->first + i)) {
            const struct tkc_entry *entry =
                &source->entries[tkc_hip_index(source, context, family->first + i)];
            fits[i].fits = 1;
            fits[i].threads = entry->threads;
            fits[i].shared = entry->shared;
            fits[i].persistent = entry->persistent;
        }
    }
}

// The pick where none was kept.
static inline hipError_t tkc_hip_pick_slowly(struct tkc_hip_program *program,
                                             const struct tkc_hip_source *source,
                                             const struct tkc_family *family, unsigned long long id,
                                             const int64_t *values, const int64_t *key, unsigned *variant) {
    struct tkc_hip_context *context = NULL;
    struct tkc_fit *fits = (struct tkc_fit *)calloc(family->count, sizeof *fits);
    hipError_t result = fits ? hipSuccess : hipErrorOutOfMemory;
    tkc_lock(&program->lock);
    if (result == hipSuccess) {
        result = tkc_hip_open(program, source, id, &context);
    }
    if (result == hipSuccess) {
        tkc_hip_fits(source, context, family, fits);
        tkc_lock(&family->memory->lock);
        *variant = tkc_pick_slowly(family, fits, &context->chip, values, key);
        tkc_unlock(&family->memory->lock);
        result = *variant < family->count ? hipSuccess : hipErrorNoBinaryForGpu;
    }
    tkc_unlock(&program->lock);
    free(fits);
    return result;
}

static inline hipError_t tkc_hip_pick(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                      const struct tkc_family *family, const int64_t *values,
                                      unsigned *variant) {
    int64_t key[TKC_KEYS] = {0};
    unsigned long long id = 0;
    uint64_t place;
    struct tkc_pick *slot;
    hipError_t result = tkc_hip_key(&id);
    if (result != hipSuccess) {
        return result;
    }
    tkc_make_key(family, values, key);
    place = tkc_pick_place(family, id);
    slot = tkc_pick_slot(family, place, key);
    if (tkc_recall_pick(family, slot, place, key, variant)) {
        return hipSuccess;
    }
    result = tkc_hip_pick_slowly(program, source, family, id, values, key, variant);
    if (result == hipSuccess) {
        tkc_keep_pick(family, slot, place, key, *variant);
    }
    return result;
}

// Every variant that has an image for the device, so that launches load nothing.
static inline hipError_t tkc_hip_load_all(struct tkc_hip_program *program,
                                          const struct tkc_hip_source *source,
                                          const struct tkc_family *family) {
    struct tkc_hip_context *context;
    unsigned i, loaded = 0;
    hipError_t result = hipSuccess, first = hipErrorNoBinaryForGpu;
    for (i = 0; i < family->count; i++) {
        result = tkc_hip_load(program, source, family->first + i, &context);
        loaded += result == hipSuccess;
        if (result != hipSuccess && result != hipErrorNoBinaryForGpu) {
            return result;
        }
    }
    return loaded ? hipSuccess : first;
}

static inline hipError_t tkc_hip_unload_all(struct tkc_hip_program *program,
                                            const struct tkc_hip_source *source,
                                            const struct tkc_family *family) {
    unsigned i;
    hipError_t result = hipSuccess;
    for (i = 0; i < family->count; i++) {
        hipError_t here = tkc_hip_unload(program, source, family->first + i);
        result = result == hipSuccess ? here : result;
    }
    return result;
}
#endif
