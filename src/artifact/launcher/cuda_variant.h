#ifndef TKC_LAUNCHER_CUDA_VARIANT_1
#define TKC_LAUNCHER_CUDA_VARIANT_1

// ---- Picking variants through the CUDA driver API.

// What each variant of a level is on the context's device; those of other levels do not fit.
static inline void tkc_cuda_fits(const struct tkc_cuda_source *source, const struct tkc_cuda_context *context,
                                 const struct tkc_family *family, unsigned level, struct tkc_fit *fits) {
    unsigned i;
    for (i = 0; i < family->count; i++) {
        memset(&fits[i], 0, sizeof fits[i]);
        if (tkc_level_of(family, i) == level && tkc_cuda_has(source, context, family->first + i)) {
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
                                            unsigned level, const int64_t *values, const int64_t *key,
                                            unsigned *variant) {
    struct tkc_cuda_context *context = NULL;
    struct tkc_fit *fits = (struct tkc_fit *)calloc(family->count, sizeof *fits);
    CUresult result = fits ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    tkc_lock(&program->lock);
    if (result == CUDA_SUCCESS) {
        result = tkc_cuda_open(program, source, id, &context);
    }
    if (result == CUDA_SUCCESS) {
        tkc_cuda_fits(source, context, family, level, fits);
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
    unsigned level = tkc_level(family, values);
    unsigned long long id = 0;
    uint64_t place;
    struct tkc_pick *slot;
    CUresult result = tkc_cuda_key(&id);
    if (result == CUDA_SUCCESS && level == family->level_count) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result != CUDA_SUCCESS) {
        return result;
    }
    tkc_make_key(family, values, key);
    place = tkc_pick_place(family, id, level);
    slot = tkc_pick_slot(family, place, key);
    if (tkc_recall_pick(family, slot, place, key, variant)) {
        return CUDA_SUCCESS;
    }
    result = tkc_cuda_pick_slowly(program, source, family, id, level, values, key, variant);
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

// ---- Tuning through the CUDA driver API.

struct tkc_cuda_session {
    CUstream stream;
    CUevent start, stop;
    CUresult (*launch)(void *arguments, CUstream stream, unsigned variant);
    void *arguments;
};

static inline int tkc_cuda_bench_launch(void *user, unsigned variant) {
    struct tkc_cuda_session *session = (struct tkc_cuda_session *)user;
    return (int)session->launch(session->arguments, session->stream, variant);
}

static inline int tkc_cuda_bench_begin(void *user) {
    struct tkc_cuda_session *session = (struct tkc_cuda_session *)user;
    return (int)cuEventRecord(session->start, session->stream);
}

static inline int tkc_cuda_bench_end(void *user, double *microseconds) {
    struct tkc_cuda_session *session = (struct tkc_cuda_session *)user;
    float milliseconds = 0;
    CUresult result = cuEventRecord(session->stop, session->stream);
    if (result == CUDA_SUCCESS) {
        result = cuEventSynchronize(session->stop);
    }
    if (result == CUDA_SUCCESS) {
        result = cuEventElapsedTime(&milliseconds, session->start, session->stop);
    }
    *microseconds = 1000.0 * (double)milliseconds;
    return (int)result;
}

static inline int tkc_cuda_bench_wait(void *user) {
    return (int)cuStreamSynchronize(((struct tkc_cuda_session *)user)->stream);
}

static inline int tkc_cuda_bench_room(void *user, uint64_t address, size_t *bytes) {
    CUdeviceptr base = 0;
    CUresult result = cuMemGetAddressRange(&base, bytes, (CUdeviceptr)address);
    (void)user;
    *bytes -= result == CUDA_SUCCESS ? (size_t)((CUdeviceptr)address - base) : *bytes;
    return (int)result;
}

static inline int tkc_cuda_bench_read(void *user, void *to, uint64_t from, size_t bytes) {
    (void)user;
    return (int)cuMemcpyDtoH(to, (CUdeviceptr)from, bytes);
}

static inline int tkc_cuda_bench_copy(void *user, uint64_t to, uint64_t from, size_t bytes) {
    return (int)cuMemcpyDtoDAsync((CUdeviceptr)to, (CUdeviceptr)from, bytes,
                                  ((struct tkc_cuda_session *)user)->stream);
}

static inline int tkc_cuda_bench_clear(void *user, uint64_t at, size_t bytes) {
    return (int)cuMemsetD8Async((CUdeviceptr)at, 0, bytes, ((struct tkc_cuda_session *)user)->stream);
}

static inline int tkc_cuda_bench_allocate(void *user, uint64_t *at, size_t bytes) {
    CUdeviceptr made = 0;
    CUresult result = cuMemAlloc(&made, bytes);
    (void)user;
    *at = (uint64_t)made;
    return (int)result;
}

static inline void tkc_cuda_bench_release(void *user, uint64_t at) {
    (void)user;
    (void)cuMemFree((CUdeviceptr)at);
}

static inline CUresult tkc_cuda_tune_on(struct tkc_cuda_session *session, const struct tkc_family *family,
                                        const struct tkc_chip *chip, struct tkc_fit *fits,
                                        const int64_t *values, const size_t *sizes) {
    struct tkc_bench bench = {NULL,
                              tkc_cuda_bench_launch,
                              tkc_cuda_bench_begin,
                              tkc_cuda_bench_end,
                              tkc_cuda_bench_wait,
                              tkc_cuda_bench_room,
                              tkc_cuda_bench_read,
                              tkc_cuda_bench_copy,
                              tkc_cuda_bench_clear,
                              tkc_cuda_bench_allocate,
                              tkc_cuda_bench_release,
                              (int)CUDA_ERROR_INVALID_VALUE,
                              (int)CUDA_ERROR_OUT_OF_MEMORY};
    struct tkc_trial trial = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    int64_t key[TKC_KEYS] = {0};
    unsigned best = 0;
    double *times = (double *)calloc(family->count, sizeof *times);
    CUresult result = times ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    bench.user = session;
    trial.family = family;
    trial.bench = &bench;
    trial.values = values;
    trial.sizes = sizes;
    if (result == CUDA_SUCCESS) {
        result = (CUresult)tkc_tune(&trial, fits, times, &best);
    }
    tkc_make_key(family, values, key);
    if (result == CUDA_SUCCESS && !tkc_remember_choice(family, chip->name, key, best, times[best])) {
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    free(times);
    return result;
}

// One tuning at a time per kernel is sensible; several are legal.
static inline CUresult tkc_cuda_tune(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                     const struct tkc_family *family, struct tkc_cuda_session *session,
                                     const int64_t *values, const size_t *sizes) {
    unsigned level = tkc_level(family, values);
    unsigned long long id = 0;
    struct tkc_cuda_context *context = NULL;
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    struct tkc_fit *fits = NULL;
    CUresult result = tkc_cuda_key(&id);
    if (result == CUDA_SUCCESS) {
        result = cuStreamIsCapturing(session->stream, &capture);
    }
    if (result == CUDA_SUCCESS && level == family->level_count) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS && capture != CU_STREAM_CAPTURE_STATUS_NONE) {
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (result == CUDA_SUCCESS) {
        result = tkc_cuda_load_all(program, source, family);
    }
    context = tkc_cuda_find(program, id);
    if (result != CUDA_SUCCESS || !context) {
        return result;
    }
    fits = (struct tkc_fit *)calloc(family->count, sizeof *fits);
    if (!fits) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    tkc_cuda_fits(source, context, family, level, fits);
    result = cuEventCreate(&session->start, CU_EVENT_DEFAULT);
    if (result == CUDA_SUCCESS) {
        result = cuEventCreate(&session->stop, CU_EVENT_DEFAULT);
        if (result == CUDA_SUCCESS) {
            result = tkc_cuda_tune_on(session, family, &context->chip, fits, values, sizes);
            (void)cuEventDestroy(session->stop);
        }
        (void)cuEventDestroy(session->start);
    }
    free(fits);
    return result;
}
#endif
