#ifndef TKC_LAUNCHER_CUDA_CALLS_5
#define TKC_LAUNCHER_CUDA_CALLS_5

// ---- CUDA's driver without linking it: CUDA's runtime, which is linked, says where the driver's functions
// are. If one is missing, every function of a launcher returns CUDA_ERROR_SHARED_OBJECT_INIT_FAILED.

#define TKC_CUDA_CALLS(X)                                                                                    \
    X(cuCtxGetId)                                                                                            \
    X(cuCtxGetDevice)                                                                                        \
    X(cuDeviceGetAttribute)                                                                                  \
    X(cuDeviceGetName)                                                                                       \
    X(cuGetErrorString)                                                                                      \
    X(cuFuncSetAttribute)                                                                                    \
    X(cuLaunchKernel)                                                                                        \
    X(cuLaunchKernelEx)                                                                                      \
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
TKC_SHARED_SYMBOL extern struct tkc_cuda_calls tkc_cuda_calls_3;
struct tkc_cuda_calls tkc_cuda_calls_3;
#ifdef __cplusplus
}
#endif

static inline CUresult CUDAAPI tkc_cuda_absent(CUcontext context, unsigned long long *id) {
    (void)context;
    (void)id;
    return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
}

// CUDA's runtime gives a thread without a context the primary context of its device; so does this.
static inline CUresult CUDAAPI tkc_cuda_context_id(CUcontext context, unsigned long long *id) {
    int device = 0;
    CUresult result = tkc_cuda_calls_3.context_id(context, id);
    if (result == CUDA_ERROR_INVALID_CONTEXT && cudaGetDevice(&device) == cudaSuccess &&
        cudaSetDevice(device) == cudaSuccess) {
        result = tkc_cuda_calls_3.context_id(context, id);
    }
    return result;
}

// Finds one function. cuda.h renames some functions with a version at the end (cuMemAlloc_v2); the name that
// arrives here is the renamed one.
//
//   name          version that is asked for
//   ends in _vN   the latest one that this cuda.h knows (CUDA_VERSION)
//   other         that of CUDA 12: a later version may have the same name and other parameters (cuCtxGetDevice)
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

// The caller holds the lock.
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
    struct tkc_cuda_calls *calls = &tkc_cuda_calls_3;
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
