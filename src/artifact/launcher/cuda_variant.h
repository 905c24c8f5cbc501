#ifndef TKC_LAUNCHER_CUDA_VARIANT_1
#define TKC_LAUNCHER_CUDA_VARIANT_1

// ---- Picking variants through the CUDA driver API.

// What each variant is on the context's device.
static inline void tkc_cuda_fits(const struct tkc_cuda_source *source, const struct tkc_cuda_context *context,
                                 const struct tkc_family *family, struct tkc_fit *fits) {
    unsigned i;
    for (i = 0; i < family->count; i++) {
        memset(&fits[i], 0, sizeof fits[i]);
        if (tkc_cuda_has(source, context, family->first + i)) {
            const struct tkc_entry *entry =
                &source->entries[tkc_cuda_index(source, context, family->first + i)];
            fits[i].fits = 1;
            fits[i].threads = entry->threads;
            fits[i].shared = entry->shared;
            fits[i].persistent = entry->persistent;
        }
    }
}

// The pick where none was kept.
static inline CUresult tkc_cuda_pick_slowly(struct tkc_cuda_program *program,
                                            const struct tkc_cuda_source *source,
                                            const struct tkc_family *family, unsigned long long id,
                                            const int64_t *values, const int64_t *key, unsigned *variant) {
    struct tkc_cuda_context *context = NULL;
    struct tkc_fit *fits = (struct tkc_fit *)calloc(family->count, sizeof *fits);
    CUresult result = fits ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    tkc_lock(&program->lock);
    if (result == CUDA_SUCCESS) {
        result = tkc_cuda_open(program, source, id, &context);
    }
    if (result == CUDA_SUCCESS) {
        tkc_cuda_fits(source, context, family, fits);
        tkc_lock(&family->memory->lock);
        *variant = tkc_pick_slowly(family, fits, &context->chip, values, key);
        tkc_unlock(&family->memory->lock);
        result = *variant < family->count ? CUDA_SUCCESS : CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    tkc_unlock(&program->lock);
    free(fits);
    return result;
}

static inline CUresult tkc_cuda_pick(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                     const struct tkc_family *family, const int64_t *values,
                                     unsigned *variant) {
    int64_t key[TKC_KEYS] = {0};
    unsigned long long id = 0;
    uint64_t place;
    struct tkc_pick *slot;
    CUresult result = tkc_cuda_key(&id);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    tkc_make_key(family, values, key);
    place = tkc_pick_place(family, id);
    slot = tkc_pick_slot(family, place, key);
    if (tkc_recall_pick(family, slot, place, key, variant)) {
        return CUDA_SUCCESS;
    }
    result = tkc_cuda_pick_slowly(program, source, family, id, values, key, variant);
    if (result == CUDA_SUCCESS) {
        tkc_keep_pick(family, slot, place, key, *variant);
    }
    return result;
}

// Every variant that has an image for the device, so that launches load nothing.
static inline CUresult tkc_cuda_load_all(struct tkc_cuda_program *program,
                                         const struct tkc_cuda_source *source,
                                         const struct tkc_family *family) {
    struct tkc_cuda_context *context;
    unsigned i, loaded = 0;
    CUresult result = CUDA_SUCCESS, first = CUDA_ERROR_NO_BINARY_FOR_GPU;
    for (i = 0; i < family->count; i++) {
        result = tkc_cuda_load(program, source, family->first + i, &context);
        loaded += result == CUDA_SUCCESS;
        if (result != CUDA_SUCCESS && result != CUDA_ERROR_NO_BINARY_FOR_GPU) {
            return result;
        }
    }
    return loaded ? CUDA_SUCCESS : first;
}

static inline CUresult tkc_cuda_unload_all(struct tkc_cuda_program *program,
                                           const struct tkc_cuda_source *source,
                                           const struct tkc_family *family) {
    unsigned i;
    CUresult result = CUDA_SUCCESS;
    for (i = 0; i < family->count; i++) {
        CUresult here = tkc_cuda_unload(program, source, family->first + i);
        result = result == CUDA_SUCCESS ? here : result;
    }
    return result;
}
#endif
