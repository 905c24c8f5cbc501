#ifndef TKC_LAUNCHER_HIP_CALLS_1
#define TKC_LAUNCHER_HIP_CALLS_1

// ---- HIP's functions, found when the program runs: libamdhip64 is opened, not linked. Where it is not there every function of a
// launcher returns hipErrorSharedObjectInitFailed.

#define TKC_HIP_CALLS(X)                                                                                     \
    X(hipGetDevice)                                                                                          \
    X(hipGetDeviceProperties)                                                                                \
    X(hipGetErrorString)                                                                                     \
    X(hipFree)                                                                                               \
    X(hipMemsetD8Async)                                                                                      \
    X(hipMemcpyDtoH)                                                                                         \
    X(hipMemcpyDtoDAsync)                                                                                    \
    X(hipMemGetAddressRange)                                                                                 \
    X(hipModuleGetFunction)                                                                                  \
    X(hipModuleLaunchKernel)                                                                                 \
    X(hipModuleLoad)                                                                                         \
    X(hipModuleLoadData)                                                                                     \
    X(hipModuleUnload)                                                                                       \
    X(hipStreamSynchronize)                                                                                  \
    X(hipStreamIsCapturing)                                                                                  \
    X(hipStreamCreateWithFlags)                                                                              \
    X(hipStreamDestroy)                                                                                      \
    X(hipStreamBeginCapture)                                                                                 \
    X(hipStreamEndCapture)                                                                                   \
    X(hipGraphInstantiateWithFlags)                                                                          \
    X(hipGraphLaunch)                                                                                        \
    X(hipGraphDestroy)                                                                                       \
    X(hipGraphExecDestroy)                                                                                   \
    X(hipEventCreateWithFlags)                                                                               \
    X(hipEventDestroy)                                                                                       \
    X(hipEventRecord)                                                                                        \
    X(hipEventSynchronize)                                                                                   \
    X(hipEventElapsedTime)

struct tkc_hip_calls {
    char lock, opened;
    hipError_t (*call_hipMalloc)(void **memory, size_t bytes); // C++ has several
#define TKC_FIELD(name) __typeof__(&name) call_##name;
    TKC_HIP_CALLS(TKC_FIELD)
#undef TKC_FIELD
};
#ifdef __cplusplus
extern "C" {
#endif
TKC_SHARED_SYMBOL extern struct tkc_hip_calls tkc_hip_calls_1;
struct tkc_hip_calls tkc_hip_calls_1;
#ifdef __cplusplus
}
#endif

static inline hipError_t tkc_hip_absent(int *device) {
    (void)device;
    return hipErrorSharedObjectInitFailed;
}

static inline int tkc_hip_find_call(void *library, const char *name, void *slot) {
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

// Called with the lock held.
static inline int tkc_hip_find_calls(struct tkc_hip_calls *calls) {
    static const char *const names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                        "libamdhip64.so"};
    void *library = NULL;
    size_t i;
    int ok;
    for (i = 0; i < sizeof names / sizeof *names && !library; i++) {
        library = dlopen(names[i], RTLD_NOW);
    }
    if (!library) {
        return 0;
    }
    ok = tkc_hip_find_call(library, "hipMalloc", (void *)&calls->call_hipMalloc);
#define TKC_NAME(name) #name
#define TKC_FIND(name) ok = tkc_hip_find_call(library, TKC_NAME(name), (void *)&calls->call_##name) && ok;
    TKC_HIP_CALLS(TKC_FIND)
#undef TKC_FIND
#undef TKC_NAME
    return ok;
}

static inline struct tkc_hip_calls *tkc_hip_opened(void) {
    struct tkc_hip_calls *calls = &tkc_hip_calls_1;
    if (__atomic_load_n(&calls->opened, __ATOMIC_ACQUIRE)) {
        return calls;
    }
    tkc_lock(&calls->lock);
    if (!calls->opened) {
        if (!tkc_hip_find_calls(calls)) {
            calls->call_hipGetDevice = tkc_hip_absent;
        }
        __atomic_store_n(&calls->opened, 1, __ATOMIC_RELEASE);
    }
    tkc_unlock(&calls->lock);
    return calls;
}
#endif
