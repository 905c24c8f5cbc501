#ifndef TKC_LAUNCHER_GPU_VARIANT_6
#define TKC_LAUNCHER_GPU_VARIANT_6

// ---- Picking a variant, on GPU_INTERFACE.

// Describes each variant of a set of hints on the device of this context. Variants of other sets do not fit.
static inline void tkc_gpu_fits(const struct tkc_source *source, const struct tkc_gpu_context *context,
                                const struct tkc_family *family, unsigned level, struct tkc_fit *fits) {
    unsigned i;
    for (i = 0; i < family->count; i++) {
        memset(&fits[i], 0, sizeof fits[i]);
        if (tkc_level_of(family, i) == level && tkc_gpu_has(source, context, family->first + i)) {
            const struct tkc_entry *entry =
                &source->entries[tkc_gpu_index(source, context, family->first + i)];
            fits[i].fits = 1;
            fits[i].threads = entry->threads;
            fits[i].shared = entry->shared;
            fits[i].persistent = entry->persistent;
            fits[i].cluster = entry->cluster;
        }
    }
}

// Picks by choices and cost (launcher/variant.h), without the table of picks.
static inline gpu_result tkc_gpu_pick_slowly(struct tkc_gpu_program *program, const struct tkc_source *source,
                                             const struct tkc_family *family, unsigned long long id,
                                             unsigned level, const int64_t *values, const int64_t *key,
                                             unsigned *variant) {
    struct tkc_gpu_context *context = NULL;
    struct tkc_fit *fits = (struct tkc_fit *)calloc(family->count, sizeof *fits);
    gpu_result result = fits ? GPU_SUCCESS : GPU_OUT_OF_MEMORY;
    tkc_lock(&program->lock);
    if (result == GPU_SUCCESS) {
        result = tkc_gpu_open(program, source, id, &context);
    }
    if (result == GPU_SUCCESS) {
        tkc_gpu_fits(source, context, family, level, fits);
        tkc_lock(&family->memory->lock);
        *variant = tkc_pick_slowly(family, fits, &context->chip, values, key);
        tkc_unlock(&family->memory->lock);
        result = *variant < family->count ? GPU_SUCCESS : GPU_NO_IMAGE;
    }
    tkc_unlock(&program->lock);
    free(fits);
    return result;
}

static inline gpu_result tkc_gpu_pick(struct tkc_gpu_program *program, const struct tkc_source *source,
                                      const struct tkc_family *family, const int64_t *values,
                                      unsigned *variant) {
    int64_t key[TKC_KEYS] = {0};
    unsigned level = tkc_level(family, values);
    unsigned long long id = 0;
    uint64_t place, sizes = tkc_make_sizes(family, values);
    struct tkc_pick *slot;
    gpu_result result = tkc_gpu_key(&id);
    if (result == GPU_SUCCESS && level == family->level_count) {
        result = GPU_INVALID_VALUE;
    }
    if (result != GPU_SUCCESS) {
        return result;
    }
    tkc_make_key(family, values, key);
    place = tkc_pick_place(family, id, level);
    slot = tkc_pick_slot(family, place, key, sizes);
    if (tkc_recall_pick(family, slot, place, key, sizes, variant)) {
        return GPU_SUCCESS;
    }
    result = tkc_gpu_pick_slowly(program, source, family, id, level, values, key, variant);
    if (result == GPU_SUCCESS) {
        tkc_keep_pick(family, slot, place, key, sizes, *variant);
    }
    return result;
}

// Loads all variants that have an image for the device, so that no launch has to load code.
static inline gpu_result tkc_gpu_load_all(struct tkc_gpu_program *program, const struct tkc_source *source,
                                          const struct tkc_family *family) {
    struct tkc_gpu_context *context;
    unsigned i, loaded = 0;
    gpu_result result = GPU_SUCCESS, first = GPU_NO_IMAGE;
    for (i = 0; i < family->count; i++) {
        result = tkc_gpu_load(program, source, family->first + i, &context);
        loaded += result == GPU_SUCCESS;
        if (result != GPU_SUCCESS && result != GPU_NO_IMAGE) {
            return result;
        }
    }
    return loaded ? GPU_SUCCESS : first;
}

static inline gpu_result tkc_gpu_unload_all(struct tkc_gpu_program *program, const struct tkc_source *source,
                                            const struct tkc_family *family) {
    unsigned i;
    gpu_result result = GPU_SUCCESS;
    for (i = 0; i < family->count; i++) {
        gpu_result here = tkc_gpu_unload(program, source, family->first + i);
        result = result == GPU_SUCCESS ? here : result;
    }
    return result;
}

// ---- Tuning, on GPU_INTERFACE.

struct tkc_gpu_session {
    // of tuning's own: launches are captured in it, which the default stream does not allow
    gpu_stream stream;
    gpu_event start;
    gpu_event stop;
    gpu_result (*launch)(void *arguments, gpu_stream stream, unsigned variant);
    void *arguments;
};

static inline int tkc_gpu_bench_launch(void *user, unsigned variant) {
    struct tkc_gpu_session *session = (struct tkc_gpu_session *)user;
    return (int)session->launch(session->arguments, session->stream, variant);
}

static inline int tkc_gpu_bench_capture(void *user, unsigned variant, unsigned launches, void **made) {
    struct tkc_gpu_session *session = (struct tkc_gpu_session *)user;
    gpu_graph graph = NULL;
    gpu_graph_exec exec = NULL;
    unsigned i;
    gpu_result ended, result = gpu_capture_begin(session->stream, GPU_CAPTURE_OF_THREAD);
    if (result != GPU_SUCCESS) {
        return (int)result;
    }
    for (i = 0; i < launches && result == GPU_SUCCESS; i++) {
        result = session->launch(session->arguments, session->stream, variant);
    }
    ended = gpu_capture_end(session->stream, &graph);
    result = result == GPU_SUCCESS ? ended : result;
    if (result == GPU_SUCCESS) {
        result = gpu_graph_make(&exec, graph, 0);
    }
    if (graph) {
        (void)gpu_graph_destroy(graph);
    }
    *made = (void *)exec;
    return (int)result;
}

static inline int tkc_gpu_bench_replay(void *user, void *graph) {
    return (int)gpu_graph_launch((gpu_graph_exec)graph, ((struct tkc_gpu_session *)user)->stream);
}

static inline void tkc_gpu_bench_forget(void *user, void *graph) {
    (void)user;
    (void)gpu_graph_exec_destroy((gpu_graph_exec)graph);
}

static inline int tkc_gpu_bench_begin(void *user) {
    struct tkc_gpu_session *session = (struct tkc_gpu_session *)user;
    return (int)gpu_event_record(session->start, session->stream);
}

static inline int tkc_gpu_bench_end(void *user, double *microseconds) {
    struct tkc_gpu_session *session = (struct tkc_gpu_session *)user;
    float milliseconds = 0;
    gpu_result result = gpu_event_record(session->stop, session->stream);
    if (result == GPU_SUCCESS) {
        result = gpu_event_wait(session->stop);
    }
    if (result == GPU_SUCCESS) {
        result = gpu_event_time(&milliseconds, session->start, session->stop);
    }
    *microseconds = 1000.0 * (double)milliseconds;
    return (int)result;
}

static inline int tkc_gpu_bench_wait(void *user) {
    return (int)gpu_stream_wait(((struct tkc_gpu_session *)user)->stream);
}

static inline int tkc_gpu_bench_room(void *user, uint64_t address, size_t *bytes) {
    gpu_pointer base = 0;
    gpu_result result = gpu_allocation(&base, bytes, (gpu_pointer)(uintptr_t)address);
    (void)user;
    *bytes -= result == GPU_SUCCESS ? (size_t)(address - (uint64_t)(uintptr_t)base) : *bytes;
    return (int)result;
}

static inline int tkc_gpu_bench_read(void *user, void *to, uint64_t from, size_t bytes) {
    (void)user;
    return (int)gpu_read(to, (gpu_pointer)(uintptr_t)from, bytes);
}

static inline int tkc_gpu_bench_copy(void *user, uint64_t to, uint64_t from, size_t bytes) {
    return (int)gpu_copy((gpu_pointer)(uintptr_t)to, (gpu_pointer)(uintptr_t)from, bytes,
                         ((struct tkc_gpu_session *)user)->stream);
}

static inline int tkc_gpu_bench_clear(void *user, uint64_t at, size_t bytes) {
    return (int)gpu_fill((gpu_pointer)(uintptr_t)at, 0, bytes, ((struct tkc_gpu_session *)user)->stream);
}

static inline int tkc_gpu_bench_allocate(void *user, uint64_t *at, size_t bytes) {
    gpu_pointer made = 0;
    gpu_result result = gpu_allocate(&made, bytes);
    (void)user;
    *at = (uint64_t)(uintptr_t)made;
    return (int)result;
}

static inline void tkc_gpu_bench_release(void *user, uint64_t at) {
    (void)user;
    (void)gpu_release((gpu_pointer)(uintptr_t)at);
}

static inline gpu_result tkc_gpu_tune_on(struct tkc_gpu_session *session, const struct tkc_family *family,
                                         const struct tkc_chip *chip, struct tkc_fit *fits,
                                         const int64_t *values, const size_t *sizes) {
    struct tkc_bench bench = {NULL,
                              tkc_gpu_bench_launch,
                              tkc_gpu_bench_capture,
                              tkc_gpu_bench_replay,
                              tkc_gpu_bench_forget,
                              tkc_gpu_bench_begin,
                              tkc_gpu_bench_end,
                              tkc_gpu_bench_wait,
                              tkc_gpu_bench_room,
                              tkc_gpu_bench_read,
                              tkc_gpu_bench_copy,
                              tkc_gpu_bench_clear,
                              tkc_gpu_bench_allocate,
                              tkc_gpu_bench_release,
                              (int)GPU_INVALID_VALUE,
                              (int)GPU_OUT_OF_MEMORY};
    struct tkc_trial trial = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    int64_t key[TKC_KEYS] = {0};
    unsigned best = 0;
    double *times = (double *)calloc(family->count, sizeof *times);
    gpu_result result = times ? GPU_SUCCESS : GPU_OUT_OF_MEMORY;
    bench.user = session;
    trial.family = family;
    trial.bench = &bench;
    trial.values = values;
    trial.sizes = sizes;
    if (result == GPU_SUCCESS) {
        result = (gpu_result)tkc_tune(&trial, fits, times, &best);
    }
    tkc_make_key(family, values, key);
    if (result == GPU_SUCCESS && !tkc_remember_choice(family, chip->name, key, best, times[best])) {
        result = GPU_OUT_OF_MEMORY;
    }
    free(times);
    return result;
}

// Tunes in a stream and with events of its own.
static inline gpu_result tkc_gpu_tune_beside(struct tkc_gpu_session *session, const struct tkc_family *family,
                                             const struct tkc_chip *chip, struct tkc_fit *fits,
                                             const int64_t *values, const size_t *sizes) {
    gpu_result result = gpu_stream_create(&session->stream, GPU_STREAM_APART);
    if (result != GPU_SUCCESS) {
        return result;
    }
    result = gpu_event_create(&session->start, GPU_EVENT_DEFAULT);
    if (result == GPU_SUCCESS) {
        result = gpu_event_create(&session->stop, GPU_EVENT_DEFAULT);
        if (result == GPU_SUCCESS) {
            result = tkc_gpu_tune_on(session, family, chip, fits, values, sizes);
            (void)gpu_event_destroy(session->stop);
        }
        (void)gpu_event_destroy(session->start);
    }
    (void)gpu_stream_destroy(session->stream);
    return result;
}

// Waits for the stream, then tunes. Several threads may tune one kernel at once, but they disturb each
// other's times. An empty grid is not timed: its time of 0 would count as the choice for nearby keys.
static inline gpu_result tkc_gpu_tune(struct tkc_gpu_program *program, const struct tkc_source *source,
                                      const struct tkc_family *family, gpu_stream stream,
                                      gpu_result (*launch)(void *arguments, gpu_stream stream,
                                                           unsigned variant),
                                      void *arguments, const int64_t *values, const size_t *sizes) {
    struct tkc_gpu_session session = {NULL, NULL, NULL, NULL, NULL};
    unsigned level = tkc_level(family, values);
    unsigned long long id = 0;
    int64_t grid[3] = {1, 1, 1};
    struct tkc_gpu_context *context = NULL;
    gpu_capture capture = GPU_NO_CAPTURE;
    struct tkc_fit *fits = NULL;
    gpu_result result = tkc_gpu_key(&id);
    session.launch = launch;
    session.arguments = arguments;
    if (result == GPU_SUCCESS) {
        result = gpu_is_capturing(stream, &capture);
    }
    if (result == GPU_SUCCESS && level == family->level_count) {
        result = GPU_INVALID_VALUE;
    }
    if (result == GPU_SUCCESS && capture != GPU_NO_CAPTURE) {
        result = GPU_NOT_IN_CAPTURE;
    }
    if (result == GPU_SUCCESS && family->grid(level * (family->count / family->level_count), values, grid) &&
        grid[0] == 0) {
        snprintf(tkc_report, sizeof tkc_report, "%s: an empty grid", family->name);
        return GPU_SUCCESS;
    }
    if (result == GPU_SUCCESS) {
        result = tkc_gpu_load_all(program, source, family);
    }
    context = tkc_gpu_find(program, id);
    if (result != GPU_SUCCESS || !context) {
        return result;
    }
    fits = (struct tkc_fit *)calloc(family->count, sizeof *fits);
    if (!fits) {
        return GPU_OUT_OF_MEMORY;
    }
    tkc_gpu_fits(source, context, family, level, fits);
    result = gpu_stream_wait(stream);
    if (result == GPU_SUCCESS) {
        result = tkc_gpu_tune_beside(&session, family, &context->chip, fits, values, sizes);
    }
    free(fits);
    return result;
}
#endif
