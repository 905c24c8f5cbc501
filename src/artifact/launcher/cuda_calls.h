#ifndef TKC_LAUNCHER_CUDA_CALLS_4
#define TKC_LAUNCHER_CUDA_CALLS_4

// ---- The driver's functions, found when the program runs: nothing of CUDA's driver is linked. CUDA's runtime, which is, is asked
// for them. Where they are not found every function of a launcher returns CUDA_ERROR_SHARED_OBJECT_INIT_FAILED.

#define TKC_CUDA_CALLS(X)                                                                                    \
    X(cuCtxGetId)                                                                                            \
    X(cuCtxGetDevice)                                                                                        \
    X(cuDeviceGetAttribute)                                                                                  \
    X(cuDeviceGetName)                                                                                       \
    X(cuGetErrorString)                                                                                      \
    X(cuFuncSetAttribute)                                                                                    \
    X(cuLaunchKernel)                                                                                        \
    X(cuMemAlloc)                                                                                            \
    X(cuMemFree)                                                                                             \
    X(cuMemsetD8)                                                                                            \
    X(cuMemsetD8Async)                                                                                       \
    X(cuMemcpyDtoH)                                                                                          \
    X(cuMemcpyDtoDAsync)                                                                                     \
    X(cuMemGetAddressRange)                                                                                  \
    X(cuModuleGetFunction)                                                                                   \
    X(cuModuleLoad)                                                                                          \
    X(cuModuleLoadData)                                                                                      \
    X(cuModuleUnload)                                                                                        \
    X(cuStreamSynchronize)                                                                                   \
    X(cuStreamIsCapturing)                                                                                   \
    X(cuStreamCreate)                                                                                        \
    X(cuStreamDestroy)                                                                                       \
    X(cuStreamBeginCapture)                                                                                  \
    X(cuStreamEndCapture)                                                                                    \
    X(cuGraphInstantiate)                                                                                    \
    X(cuGraphLaunch)                                                                                         \
    X(cuGraphDestroy)                                                                                        \
    X(cuGraphExecDestroy)                                                                                    \
    X(cuEventCreate)                                                                                         \
    X(cuEventDestroy)                                                                                        \
    X(cuEventRecord)                                                                                         \
    X(cuEventSynchronize)                                                                                    \
    X(cuEventElapsedTime)                                                                                    \
    X(cuTensorMapEncodeTiled)

struct tkc_cuda_calls {
    char lock, opened;
    CUresult(CUDAAPI *context_id)(CUcontext context, unsigned long long *id);
#define TKC_FIELD(name) __typeof__(&name) call_##name;
    TKC_CUDA_CALLS(TKC_FIELD)
#undef TKC_FIELD
};
#ifdef __cplusplus
extern "C" {
#endif
TKC_SHARED_SYMBOL extern struct tkc_cuda_calls tkc_cuda_calls_2;
struct tkc_cuda_calls tkc_cuda_calls_2;
#ifdef __cplusplus
}
#endif

static inline CUresult CUDAAPI tkc_cuda_absent(CUcontext context, unsigned long long *id) {
    (void)context;
    (void)id;
    return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
}

// As with CUDA's runtime a thread without a context works in the primary one of its device.
static inline CUresult CUDAAPI tkc_cuda_context_id(CUcontext context, unsigned long long *id) {
    int device = 0;
    CUresult result = tkc_cuda_calls_2.context_id(context, id);
    if (result == CUDA_ERROR_INVALID_CONTEXT && cudaGetDevice(&device) == cudaSuccess &&
        cudaSetDevice(device) == cudaSuccess) {
        result = tkc_cuda_calls_2.context_id(context, id);
    }
    return result;
}

// A name as cuda.h spells it is a type that it declares. With a version behind it, the name without is that of its latest one: what
// CUDA_VERSION means. Without, it is the first, though later ones may be of the same name (cuCtxGetDevice): what CUDA 12 means.
static inline int tkc_cuda_find_call(const char *name, void *slot) {
    void *symbol = NULL;
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    size_t length = strlen(name),
           suffix = length > 3 && name[length - 3] == '_' && name[length - 2] == 'v' ? 3u : 0u;
    char plain[64];
    if (length - suffix < sizeof plain) {
        memcpy(plain, name, length - suffix);
        plain[length - suffix] = 0;
        if (cudaGetDriverEntryPointByVersion(plain, &symbol, suffix ? CUDA_VERSION : 12000, cudaEnableDefault,
                                             &found) != cudaSuccess ||
            found != cudaDriverEntryPointSuccess) {
            symbol = NULL;
        }
    }
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

// Called with the lock held.
static inline int tkc_cuda_find_calls(struct tkc_cuda_calls *calls) {
    int ok = 1;
    if (cudaFree(NULL) != cudaSuccess) { // makes the primary context current
        return 0;
    }
#define TKC_NAME(name) #name
#define TKC_FIND(name) ok = tkc_cuda_find_call(TKC_NAME(name), (void *)&calls->call_##name) && ok;
    TKC_CUDA_CALLS(TKC_FIND)
#undef TKC_FIND
#undef TKC_NAME
    return ok;
}

static inline struct tkc_cuda_calls *tkc_cuda_opened(void) {
    struct tkc_cuda_calls *calls = &tkc_cuda_calls_2;
    if (__atomic_load_n(&calls->opened, __ATOMIC_ACQUIRE)) {
        return calls;
    }
    tkc_lock(&calls->lock);
    if (!calls->opened) {
        int found = tkc_cuda_find_calls(calls);
        calls->context_id = calls->call_cuCtxGetId;
        calls->call_cuCtxGetId = found ? tkc_cuda_context_id : tkc_cuda_absent;
        __atomic_store_n(&calls->opened, 1, __ATOMIC_RELEASE);
    }
    tkc_unlock(&calls->lock);
    return calls;
}
#endif
