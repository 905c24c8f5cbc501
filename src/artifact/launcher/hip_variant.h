#ifndef TKC_LAUNCHER_HIP_VARIANT_1
#define TKC_LAUNCHER_HIP_VARIANT_1

// ---- Picking variants through the HIP runtime API.

// What each variant of a level is on the context's device; those of other levels do not fit.
static inline void tkc_hip_fits(const struct tkc_hip_source *source, const struct tkc_hip_context *context,
                                const struct tkc_family *family, unsigned level, struct tkc_fit *fits) {
    unsigned i;
    for (i = 0; i < family->count; i++) {
        memset(&fits[i], 0, sizeof fits[i]);
        if (tkc_level_of(family, i) == level && tkc_hip_has(source, context, family->first + i)) {
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
                                             unsigned level, const int64_t *values, const int64_t *key,
                                             unsigned *variant) {
    struct tkc_hip_context *context = NULL;
    struct tkc_fit *fits = (struct tkc_fit *)calloc(family->count, sizeof *fits);
    hipError_t result = fits ? hipSuccess : hipErrorOutOfMemory;
    tkc_lock(&program->lock);
    if (result == hipSuccess) {
        result = tkc_hip_open(program, source, id, &context);
    }
    if (result == hipSuccess) {
        tkc_hip_fits(source, context, family, level, fits);
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
    unsigned level = tkc_level(family, values);
    unsigned long long id = 0;
    uint64_t place;
    struct tkc_pick *slot;
    hipError_t result = tkc_hip_key(&id);
    if (result == hipSuccess && level == family->level_count) {
        result = hipErrorInvalidValue;
    }
    if (result != hipSuccess) {
        return result;
    }
    tkc_make_key(family, values, key);
    place = tkc_pick_place(family, id, level);
    slot = tkc_pick_slot(family, place, key);
    if (tkc_recall_pick(family, slot, place, key, variant)) {
        return hipSuccess;
    }
    result = tkc_hip_pick_slowly(program, source, family, id, level, values, key, variant);
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

// ---- Tuning through the HIP runtime API.

struct tkc_hip_session {
    hipStream_t stream;
    hipEvent_t start, stop;
    hipError_t (*launch)(void *arguments, hipStream_t stream, unsigned variant);
    void *arguments;
};

static inline int tkc_hip_bench_launch(void *user, unsigned variant) {
    struct tkc_hip_session *session = (struct tkc_hip_session *)user;
    return (int)session->launch(session->arguments, session->stream, variant);
}

static inline int tkc_hip_bench_begin(void *user) {
    struct tkc_hip_session *session = (struct tkc_hip_session *)user;
    return (int)hipEventRecord(session->start, session->stream);
}

static inline int tkc_hip_bench_end(void *user, double *microseconds) {
    struct tkc_hip_session *session = (struct tkc_hip_session *)user;
    float milliseconds = 0;
    hipError_t result = hipEventRecord(session->stop, session->stream);
    if (result == hipSuccess) {
        result = hipEventSynchronize(session->stop);
    }
    if (result == hipSuccess) {
        result = hipEventElapsedTime(&milliseconds, session->start, session->stop);
    }
    *microseconds = 1000.0 * (double)milliseconds;
    return (int)result;
}

static inline int tkc_hip_bench_wait(void *user) {
    return (int)hipStreamSynchronize(((struct tkc_hip_session *)user)->stream);
}

static inline int tkc_hip_bench_room(void *user, uint64_t address, size_t *bytes) {
    hipDeviceptr_t base = NULL;
    hipError_t result = hipMemGetAddressRange(&base, bytes, (hipDeviceptr_t)(uintptr_t)address);
    (void)user;
    *bytes -= result == hipSuccess ? (size_t)(address - (uint64_t)(uintptr_t)base) : *bytes;
    return (int)result;
}

static inline int tkc_hip_bench_read(void *user, void *to, uint64_t from, size_t bytes) {
    (void)user;
    return (int)hipMemcpyDtoH(to, (hipDeviceptr_t)(uintptr_t)from, bytes);
}

static inline int tkc_hip_bench_copy(void *user, uint64_t to, uint64_t from, size_t bytes) {
    return (int)hipMemcpyDtoDAsync((hipDeviceptr_t)(uintptr_t)to, (hipDeviceptr_t)(uintptr_t)from, bytes,
                                   ((struct tkc_hip_session *)user)->stream);
}

static inline int tkc_hip_bench_clear(void *user, uint64_t at, size_t bytes) {
    return (int)hipMemsetD8Async((hipDeviceptr_t)(uintptr_t)at, 0, bytes,
                                 ((struct tkc_hip_session *)user)->stream);
}

static inline int tkc_hip_bench_allocate(void *user, uint64_t *at, size_t bytes) {
    void *made = NULL;
    hipError_t result = hipMalloc(&made, bytes);
    (void)user;
    *at = (uint64_t)(uintptr_t)made;
    return (int)result;
}

static inline void tkc_hip_bench_release(void *user, uint64_t at) {
    (void)user;
    (void)hipFree((void *)(uintptr_t)at);
}

static inline hipError_t tkc_hip_tune_on(struct tkc_hip_session *session, const struct tkc_family *family,
                                         const struct tkc_chip *chip, struct tkc_fit *fits,
                                         const int64_t *values, const size_t *sizes) {
    struct tkc_bench bench = {NULL,
                              tkc_hip_bench_launch,
                              tkc_hip_bench_begin,
                              tkc_hip_bench_end,
                              tkc_hip_bench_wait,
                              tkc_hip_bench_room,
                              tkc_hip_bench_read,
                              tkc_hip_bench_copy,
                              tkc_hip_bench_clear,
                              tkc_hip_bench_allocate,
                              tkc_hip_bench_release,
                              (int)hipErrorInvalidValue,
                              (int)hipErrorOutOfMemory};
    struct tkc_trial trial = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    int64_t key[TKC_KEYS] = {0};
    unsigned best = 0;
    double *times = (double *)calloc(family->count, sizeof *times);
    hipError_t result = times ? hipSuccess : hipErrorOutOfMemory;
    bench.user = session;
    trial.family = family;
    trial.bench = &bench;
    trial.values = values;
    trial.sizes = sizes;
    if (result == hipSuccess) {
        result = (hipError_t)tkc_tune(&trial, fits, times, &best);
    }
    tkc_make_key(family, values, key);
    if (result == hipSuccess && !tkc_remember_choice(family, chip->name, key, best, times[best])) {
        result = hipErrorOutOfMemory;
    }
    free(times);
    return result;
}

// One tuning at a time per kernel is sensible; several are legal.
static inline hipError_t tkc_hip_tune(struct tkc_hip_program *program, const struct tkc_hip_source *source,
                                      const struct tkc_family *family, struct tkc_hip_session *session,
                                      const int64_t *values, const size_t *sizes) {
    unsigned level = tkc_level(family, values);
    unsigned long long id = 0;
    struct tkc_hip_context *context = NULL;
    hipStreamCaptureStatus capture = hipStreamCaptureStatusNone;
    struct tkc_fit *fits = NULL;
    hipError_t result = tkc_hip_key(&id);
    if (result == hipSuccess) {
        result = hipStreamIsCapturing(session->stream, &capture);
    }
    if (result == hipSuccess && level == family->level_count) {
        result = hipErrorInvalidValue;
    }
    if (result == hipSuccess && capture != hipStreamCaptureStatusNone) {
        result = hipErrorStreamCaptureUnsupported;
    }
    if (result == hipSuccess) {
        result = tkc_hip_load_all(program, source, family);
    }
    context = tkc_hip_find(program, id);
    if (result != hipSuccess || !context) {
        return result;
    }
    fits = (struct tkc_fit *)calloc(family->count, sizeof *fits);
    if (!fits) {
        return hipErrorOutOfMemory;
    }
    tkc_hip_fits(source, context, family, level, fits);
    result = hipEventCreate(&session->start);
    if (result == hipSuccess) {
        result = hipEventCreate(&session->stop);
        if (result == hipSuccess) {
            result = tkc_hip_tune_on(session, family, &context->chip, fits, values, sizes);
            (void)hipEventDestroy(session->stop);
        }
        (void)hipEventDestroy(session->start);
    }
    free(fits);
    return result;
}
#endif
