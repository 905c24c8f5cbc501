/* tkc_runtime.h: devices, modules, memory, streams, events and graphs over whichever runtime a program has. One file, C99 and
 * C++17; define one of these before it is included, the last is the default:
 *
 *   TKC_RUNTIME_CUDA_DRIVER     cuda.h, linked with -lcuda
 *   TKC_RUNTIME_CUDA_RUNTIME    cuda_runtime_api.h (12.8 or later), linked with -lcudart
 *   TKC_RUNTIME_HIP             hip/hip_runtime_api.h, linked with -lamdhip64
 *   TKC_RUNTIME_DYNAMIC         no vendor's header and nothing linked but -ldl: libcuda or libamdhip64 is opened when the program
 *                               runs, so that one program serves both vendors
 *
 * Results are the runtime's own codes, 0 is success and tkc_error_text says the rest. Handles are the runtime's own types, in the
 * first three modes those that generated launchers take: k_launch(stream, memory, n). A thread works on the device that it chose
 * last (tkc_device_use), in the primary context, which is shared with the vendor's runtime and with PyTorch. All functions may be
 * called from several threads. */
#ifndef TKC_RUNTIME_H
#define TKC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(TKC_RUNTIME_CUDA_DRIVER) && !defined(TKC_RUNTIME_CUDA_RUNTIME) && !defined(TKC_RUNTIME_HIP) &&  \
    !defined(TKC_RUNTIME_DYNAMIC)
#define TKC_RUNTIME_DYNAMIC
#endif

/* ---- what each runtime calls things: TKC_CALL(CUDA's driver, CUDA's runtime, HIP) is what the runtime in use answers */

#if defined(TKC_RUNTIME_CUDA_DRIVER)
#include <cuda.h>
typedef CUresult tkc_result;
typedef CUdeviceptr tkc_pointer;
typedef CUstream tkc_stream;
typedef CUevent tkc_event;
typedef CUmodule tkc_module;
typedef CUfunction tkc_function;
typedef CUgraph tkc_graph;
typedef CUgraphExec tkc_graph_exec;
#define TKC_CALL(driver, runtime, hip) (driver)
#elif defined(TKC_RUNTIME_CUDA_RUNTIME)
#include <cuda_runtime_api.h>
typedef cudaError_t tkc_result;
typedef void *tkc_pointer;
typedef cudaStream_t tkc_stream;
typedef cudaEvent_t tkc_event;
typedef cudaLibrary_t tkc_module;
typedef cudaKernel_t tkc_function;
typedef cudaGraph_t tkc_graph;
typedef cudaGraphExec_t tkc_graph_exec;
#define TKC_CALL(driver, runtime, hip) (runtime)
#elif defined(TKC_RUNTIME_HIP)
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>
typedef hipError_t tkc_result;
typedef hipDeviceptr_t tkc_pointer;
typedef hipStream_t tkc_stream;
typedef hipEvent_t tkc_event;
typedef hipModule_t tkc_module;
typedef hipFunction_t tkc_function;
typedef hipGraph_t tkc_graph;
typedef hipGraphExec_t tkc_graph_exec;
#define TKC_CALL(driver, runtime, hip) (hip)
#else
#include <dlfcn.h>
#include <stdio.h>
typedef int tkc_result;
typedef uint64_t tkc_pointer;
typedef void *tkc_stream, *tkc_event, *tkc_module, *tkc_function, *tkc_graph, *tkc_graph_exec;

/* X(name here, name in the library, parameters): what is asked of libcuda, and of libamdhip64 with the type of the result. */
#define TKC_OF_CUDA(X)                                                                                       \
    X(Init, "cuInit", (unsigned))                                                                            \
    X(DeviceGetCount, "cuDeviceGetCount", (int *))                                                           \
    X(DeviceGet, "cuDeviceGet", (int *, int))                                                                \
    X(DeviceGetName, "cuDeviceGetName", (char *, int, int))                                                  \
    X(DeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, int))                                         \
    X(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (void **, int))                                    \
    X(CtxSetCurrent, "cuCtxSetCurrent", (void *))                                                            \
    X(ModuleLoadData, "cuModuleLoadData", (void **, const void *))                                           \
    X(ModuleUnload, "cuModuleUnload", (void *))                                                              \
    X(ModuleGetFunction, "cuModuleGetFunction", (void **, void *, const char *))                             \
    X(FuncSetAttribute, "cuFuncSetAttribute", (void *, int, int))                                            \
    X(FuncGetAttribute, "cuFuncGetAttribute", (int *, int, void *))                                          \
    X(LaunchKernel, "cuLaunchKernel",                                                                        \
      (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,        \
       void **))                                                                                             \
    X(MemAlloc, "cuMemAlloc_v2", (uint64_t *, size_t))                                                       \
    X(MemFree, "cuMemFree_v2", (uint64_t))                                                                   \
    X(MemAllocHost, "cuMemAllocHost_v2", (void **, size_t))                                                  \
    X(MemFreeHost, "cuMemFreeHost", (void *))                                                                \
    X(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (uint64_t, const void *, size_t, void *))                     \
    X(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void *, uint64_t, size_t, void *))                           \
    X(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (uint64_t, uint64_t, size_t, void *))                         \
    X(MemsetD8Async, "cuMemsetD8Async", (uint64_t, unsigned char, size_t, void *))                           \
    X(StreamCreate, "cuStreamCreate", (void **, unsigned))                                                   \
    X(StreamDestroy, "cuStreamDestroy_v2", (void *))                                                         \
    X(StreamSynchronize, "cuStreamSynchronize", (void *))                                                    \
    X(StreamWaitEvent, "cuStreamWaitEvent", (void *, void *, unsigned))                                      \
    X(EventCreate, "cuEventCreate", (void **, unsigned))                                                     \
    X(EventDestroy, "cuEventDestroy_v2", (void *))                                                           \
    X(EventRecord, "cuEventRecord", (void *, void *))                                                        \
    X(EventSynchronize, "cuEventSynchronize", (void *))                                                      \
    X(EventElapsedTime, "cuEventElapsedTime", (float *, void *, void *))                                     \
    X(StreamBeginCapture, "cuStreamBeginCapture_v2", (void *, int))                                          \
    X(StreamEndCapture, "cuStreamEndCapture", (void *, void **))                                             \
    X(GraphInstantiate, "cuGraphInstantiateWithFlags", (void **, void *, unsigned long long))                \
    X(GraphLaunch, "cuGraphLaunch", (void *, void *))                                                        \
    X(GraphDestroy, "cuGraphDestroy", (void *))                                                              \
    X(GraphExecDestroy, "cuGraphExecDestroy", (void *))                                                      \
    X(GetErrorString, "cuGetErrorString", (int, const char **))
#define TKC_OF_HIP(X)                                                                                        \
    X(Init, "hipInit", int, (unsigned))                                                                      \
    X(GetDeviceCount, "hipGetDeviceCount", int, (int *))                                                     \
    X(SetDevice, "hipSetDevice", int, (int))                                                                 \
    X(DeviceGetName, "hipDeviceGetName", int, (char *, int, int))                                            \
    X(GetDeviceProperties, "hipGetDevicePropertiesR0600", int, (void *, int))                                \
    X(ModuleLoadData, "hipModuleLoadData", int, (void **, const void *))                                     \
    X(ModuleUnload, "hipModuleUnload", int, (void *))                                                        \
    X(ModuleGetFunction, "hipModuleGetFunction", int, (void **, void *, const char *))                       \
    X(FuncGetAttribute, "hipFuncGetAttribute", int, (int *, int, void *))                                    \
    X(ModuleLaunchKernel, "hipModuleLaunchKernel", int,                                                      \
      (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,        \
       void **))                                                                                             \
    X(Malloc, "hipMalloc", int, (void **, size_t))                                                           \
    X(Free, "hipFree", int, (void *))                                                                        \
    X(HostMalloc, "hipHostMalloc", int, (void **, size_t, unsigned))                                         \
    X(HostFree, "hipHostFree", int, (void *))                                                                \
    X(MemcpyAsync, "hipMemcpyAsync", int, (void *, const void *, size_t, int, void *))                       \
    X(MemsetAsync, "hipMemsetAsync", int, (void *, int, size_t, void *))                                     \
    X(StreamCreate, "hipStreamCreateWithFlags", int, (void **, unsigned))                                    \
    X(StreamDestroy, "hipStreamDestroy", int, (void *))                                                      \
    X(StreamSynchronize, "hipStreamSynchronize", int, (void *))                                              \
    X(StreamWaitEvent, "hipStreamWaitEvent", int, (void *, void *, unsigned))                                \
    X(EventCreate, "hipEventCreateWithFlags", int, (void **, unsigned))                                      \
    X(EventDestroy, "hipEventDestroy", int, (void *))                                                        \
    X(EventRecord, "hipEventRecord", int, (void *, void *))                                                  \
    X(EventSynchronize, "hipEventSynchronize", int, (void *))                                                \
    X(EventElapsedTime, "hipEventElapsedTime", int, (float *, void *, void *))                               \
    X(StreamBeginCapture, "hipStreamBeginCapture", int, (void *, int))                                       \
    X(StreamEndCapture, "hipStreamEndCapture", int, (void *, void **))                                       \
    X(GraphInstantiate, "hipGraphInstantiateWithFlags", int, (void **, void *, unsigned long long))          \
    X(GraphLaunch, "hipGraphLaunch", int, (void *, void *))                                                  \
    X(GraphDestroy, "hipGraphDestroy", int, (void *))                                                        \
    X(GraphExecDestroy, "hipGraphExecDestroy", int, (void *))                                                \
    X(GetErrorString, "hipGetErrorString", const char *, (int))

struct tkc_driver {
    int vendor; /* TKC_NVIDIA, TKC_AMD; 0: not opened */
    char lock;
    char problem[320]; /* why there is none */
    void *library;
#define TKC_FIELD(name, symbol, parameters) int(*cu_##name) parameters;
    TKC_OF_CUDA(TKC_FIELD)
#undef TKC_FIELD
#define TKC_FIELD(name, symbol, result, parameters) result(*hip_##name) parameters;
    TKC_OF_HIP(TKC_FIELD)
#undef TKC_FIELD
};
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, visibility("hidden"))) extern struct tkc_driver tkc_the_driver;
struct tkc_driver tkc_the_driver;
#ifdef __cplusplus
}
#endif
#define TKC_CALL(driver, runtime, hip) (tkc_the_driver.vendor == TKC_NVIDIA ? (driver) : (hip))
#endif

enum { TKC_NVIDIA = 1, TKC_AMD = 2 };

#if defined(TKC_RUNTIME_DYNAMIC)
#define TKC_OF_THREAD(name) 1
#define TKC_TO_DEVICE 1
#define TKC_FROM_DEVICE 2
#define TKC_ON_DEVICE 3
#else
#define TKC_OF_THREAD(name) name
#define TKC_TO_DEVICE hipMemcpyHostToDevice
#define TKC_FROM_DEVICE hipMemcpyDeviceToHost
#define TKC_ON_DEVICE hipMemcpyDeviceToDevice
#endif

#if defined(TKC_RUNTIME_DYNAMIC)
#define TKC_CU(name) tkc_the_driver.cu_##name
#define TKC_HIP(name, plain) tkc_the_driver.hip_##name
#else
#define TKC_CU(name) cu##name
#define TKC_HIP(name, plain) plain
#endif

/* ---- opening ---- */

enum { TKC_NO_DEVICE = 100 }; /* what both vendors call hipErrorNoDevice and CUDA_ERROR_NO_DEVICE */

#if defined(TKC_RUNTIME_DYNAMIC)
static inline int tkc_find_symbol(void *library, const char *name, void *slot, char *problem, size_t room,
                                  const char *named) {
    void *symbol = dlsym(library, name);
    if (!symbol && strcmp(name, "hipGetDevicePropertiesR0600") == 0) {
        symbol = dlsym(library, "hipGetDeviceProperties"); /* before ROCm 6 */
    }
    if (!symbol) {
        snprintf(problem, room, "%s has no %s: it is too old", named, name);
        return 0;
    }
    memcpy(slot, &symbol, sizeof symbol);
    return 1;
}

/* 1: opened, and it drives a device. */
static inline int tkc_open_cuda(struct tkc_driver *d) {
    int ok = 1, count = 0;
    d->library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!d->library) {
        snprintf(d->problem, sizeof d->problem, "no libcuda.so.1");
        return 0;
    }
#define TKC_FIND(name, symbol, parameters)                                                                   \
    ok = ok &&                                                                                               \
         tkc_find_symbol(d->library, symbol, &d->cu_##name, d->problem, sizeof d->problem, "libcuda.so.1");
    TKC_OF_CUDA(TKC_FIND)
#undef TKC_FIND
    if (ok && (d->cu_Init(0) || d->cu_DeviceGetCount(&count) || !count)) {
        snprintf(d->problem, sizeof d->problem, "libcuda.so.1 finds no device");
    }
    return ok && count;
}

static inline int tkc_open_hip(struct tkc_driver *d) {
    static const char *const names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so"};
    size_t i, at = strlen(d->problem), room = sizeof d->problem - at;
    char *problem = d->problem + at;
    int ok = 1, count = 0;
    void *library = NULL;
    for (i = 0; i < sizeof names / sizeof *names && !library; i++) {
        library = dlopen(names[i], RTLD_NOW);
    }
    if (!library) {
        snprintf(problem, room, "; no libamdhip64.so");
        return 0;
    }
#define TKC_FIND(name, symbol, result, parameters)                                                           \
    ok = ok && tkc_find_symbol(library, symbol, &d->hip_##name, problem, room, "; libamdhip64.so");
    TKC_OF_HIP(TKC_FIND)
#undef TKC_FIND
    if (ok && (d->hip_Init(0) || d->hip_GetDeviceCount(&count) || !count)) {
        snprintf(problem, room, "; libamdhip64.so finds no device");
    }
    d->library = library;
    return ok && count;
}

static inline tkc_result tkc_open(void) {
    struct tkc_driver *d = &tkc_the_driver;
    int vendor = __atomic_load_n(&d->vendor, __ATOMIC_ACQUIRE);
    if (!vendor) {
        while (__atomic_test_and_set(&d->lock, __ATOMIC_ACQUIRE)) {
        }
        vendor = d->vendor;
        if (!vendor) {
            d->problem[0] = 0;
            vendor = tkc_open_cuda(d) ? TKC_NVIDIA : tkc_open_hip(d) ? TKC_AMD : 0;
            __atomic_store_n(&d->vendor, vendor, __ATOMIC_RELEASE);
        }
        __atomic_clear(&d->lock, __ATOMIC_RELEASE);
    }
    return vendor ? 0 : TKC_NO_DEVICE;
}

static inline int tkc_vendor(void) {
    return tkc_open() ? 0 : tkc_the_driver.vendor;
}

/* Any other function of the library; NULL: it has none of that name. */
static inline void *tkc_driver_symbol(const char *name) {
    return tkc_open() ? NULL : dlsym(tkc_the_driver.library, name);
}
#else
static inline tkc_result tkc_open(void) {
    return TKC_CALL(TKC_CU(Init)(0), cudaFree(NULL), hipInit(0));
}

static inline int tkc_vendor(void) {
#if defined(TKC_RUNTIME_HIP)
    return TKC_AMD;
#else
    return TKC_NVIDIA;
#endif
}
#endif

static inline const char *tkc_error_text(tkc_result result) {
#if defined(TKC_RUNTIME_DYNAMIC)
    const char *text = "unknown error";
    if (!tkc_the_driver.vendor) {
        return tkc_the_driver.problem[0] ? tkc_the_driver.problem : "no driver was opened";
    }
    if (tkc_the_driver.vendor == TKC_AMD) {
        return tkc_the_driver.hip_GetErrorString(result);
    }
    return tkc_the_driver.cu_GetErrorString(result, &text) ? "unknown error" : text;
#elif defined(TKC_RUNTIME_CUDA_DRIVER)
    const char *text = NULL;
    return cuGetErrorString(result, &text) == CUDA_SUCCESS ? text : "unknown error";
#elif defined(TKC_RUNTIME_CUDA_RUNTIME)
    return cudaGetErrorString(result);
#else
    return hipGetErrorString(result);
#endif
}

/* ---- devices ---- */

static inline tkc_result tkc_device_count(int *count) {
    tkc_result result = tkc_open();
    *count = 0;
    return result != 0 ? result
                       : TKC_CALL(TKC_CU(DeviceGetCount)(count), cudaGetDeviceCount(count),
                                  TKC_HIP(GetDeviceCount, hipGetDeviceCount)(count));
}

/* From here on this thread works on that device. */
static inline tkc_result tkc_device_use(int ordinal) {
    tkc_result result = tkc_open();
    if (result != 0) {
        return result;
    }
#if defined(TKC_RUNTIME_CUDA_RUNTIME)
    return cudaSetDevice(ordinal);
#elif defined(TKC_RUNTIME_HIP)
    return hipSetDevice(ordinal);
#else
    {
#if defined(TKC_RUNTIME_CUDA_DRIVER)
        CUcontext context = NULL;
        CUdevice device = 0;
#else
        void *context = NULL;
        int device = 0;
        if (tkc_the_driver.vendor == TKC_AMD) {
            return tkc_the_driver.hip_SetDevice(ordinal);
        }
#endif
        result = TKC_CU(DeviceGet)(&device, ordinal);
        if (result == 0) {
            result = TKC_CU(DevicePrimaryCtxRetain)(&context, device);
        }
        return result == 0 ? TKC_CU(CtxSetCurrent)(context) : result;
    }
#endif
}

/* "NVIDIA H200" */
static inline tkc_result tkc_device_name(int ordinal, char *name, size_t room) {
    tkc_result result = tkc_open();
    if (result != 0) {
        return result;
    }
#if defined(TKC_RUNTIME_CUDA_RUNTIME)
    {
        struct cudaDeviceProp properties;
        result = cudaGetDeviceProperties(&properties, ordinal);
        if (result == cudaSuccess && room) {
            size_t length = strlen(properties.name);
            length = length < room ? length : room - 1u;
            memcpy(name, properties.name, length);
            name[length] = 0;
        }
        return result;
    }
#else
    return TKC_CALL(TKC_CU(DeviceGetName)(name, (int)room, ordinal), 0,
                    TKC_HIP(DeviceGetName, hipDeviceGetName)(name, (int)room, ordinal));
#endif
}

/* What tkc calls the chip: "sm_90", "gfx942". */
static inline tkc_result tkc_device_chip(int ordinal, char *name, size_t room) {
    char text[64] = "";
    tkc_result result = tkc_open();
    if (result != 0) {
        return result;
    }
#if defined(TKC_RUNTIME_HIP) || defined(TKC_RUNTIME_DYNAMIC)
#if defined(TKC_RUNTIME_DYNAMIC)
    if (tkc_the_driver.vendor == TKC_AMD)
#endif
    {
#if defined(TKC_RUNTIME_HIP)
        hipDeviceProp_t properties;
        const char *found = properties.gcnArchName;
        result = hipGetDeviceProperties(&properties, ordinal);
#else
        char properties[8192]; /* a structure that differs between versions: the name is looked for */
        const char *found = properties;
        memset(properties, 0, sizeof properties);
        result = tkc_the_driver.hip_GetDeviceProperties(properties, ordinal);
        while (found < properties + sizeof properties - sizeof text && memcmp(found, "gfx", 3) != 0) {
            found++;
        }
#endif
        if (result == 0) {
            size_t length = strcspn(found, ":");
            length = length < sizeof text ? length : sizeof text - 1u;
            memcpy(text, found, length);
            text[length] = 0;
        }
    }
#endif
#if !defined(TKC_RUNTIME_HIP)
    if (tkc_vendor() == TKC_NVIDIA) {
        int major = 0, minor = 0, i = 3;
#if defined(TKC_RUNTIME_CUDA_RUNTIME)
        result = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal);
        result = result == cudaSuccess
                     ? cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal)
                     : result;
#elif defined(TKC_RUNTIME_CUDA_DRIVER)
        result = cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ordinal);
        result = result == CUDA_SUCCESS
                     ? cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, ordinal)
                     : result;
#else
        result = tkc_the_driver.cu_DeviceGetAttribute(&major, 75, ordinal);
        result = result == 0 ? tkc_the_driver.cu_DeviceGetAttribute(&minor, 76, ordinal) : result;
#endif
        memcpy(text, "sm_", 3);
        if (major > 9) {
            text[i++] = (char)('0' + major / 10);
        }
        text[i++] = (char)('0' + major % 10);
        text[i++] = (char)('0' + minor % 10);
        text[i] = 0;
    }
#endif
    if (room) {
        size_t length = strlen(text);
        length = length < room ? length : room - 1u;
        memcpy(name, text, length);
        name[length] = 0;
    }
    return result;
}

/* ---- memory. Copies and fills are in the stream's order; the host's memory may be pinned or not. ---- */

static inline tkc_result tkc_memory_allocate(tkc_pointer *memory, size_t bytes) {
    return TKC_CALL(TKC_CU(MemAlloc)(memory, bytes), cudaMalloc(memory, bytes),
                    TKC_HIP(Malloc, hipMalloc)((void **)memory, bytes));
}

static inline tkc_result tkc_memory_free(tkc_pointer memory) {
    return TKC_CALL(TKC_CU(MemFree)(memory), cudaFree(memory),
                    TKC_HIP(Free, hipFree)((void *)(uintptr_t)memory));
}

/* Memory of the host that copies run from and to beside the program. */
static inline tkc_result tkc_host_allocate(void **memory, size_t bytes) {
    return TKC_CALL(TKC_CU(MemAllocHost)(memory, bytes), cudaMallocHost(memory, bytes),
                    TKC_HIP(HostMalloc, hipHostMalloc)(memory, bytes, 0));
}

static inline tkc_result tkc_host_free(void *memory) {
    return TKC_CALL(TKC_CU(MemFreeHost)(memory), cudaFreeHost(memory),
                    TKC_HIP(HostFree, hipHostFree)(memory));
}

static inline tkc_result tkc_copy_to_device(tkc_pointer to, const void *from, size_t bytes,
                                            tkc_stream stream) {
    return TKC_CALL(
        TKC_CU(MemcpyHtoDAsync)(to, from, bytes, stream),
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream),
        TKC_HIP(MemcpyAsync, hipMemcpyAsync)((void *)(uintptr_t)to, from, bytes, TKC_TO_DEVICE, stream));
}

static inline tkc_result tkc_copy_from_device(void *to, tkc_pointer from, size_t bytes, tkc_stream stream) {
    return TKC_CALL(
        TKC_CU(MemcpyDtoHAsync)(to, from, bytes, stream),
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream),
        TKC_HIP(MemcpyAsync, hipMemcpyAsync)(to, (void *)(uintptr_t)from, bytes, TKC_FROM_DEVICE, stream));
}

static inline tkc_result tkc_copy_on_device(tkc_pointer to, tkc_pointer from, size_t bytes,
                                            tkc_stream stream) {
    return TKC_CALL(TKC_CU(MemcpyDtoDAsync)(to, from, bytes, stream),
                    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream),
                    TKC_HIP(MemcpyAsync, hipMemcpyAsync)((void *)(uintptr_t)to, (void *)(uintptr_t)from,
                                                         bytes, TKC_ON_DEVICE, stream));
}

static inline tkc_result tkc_fill(tkc_pointer memory, unsigned char value, size_t bytes, tkc_stream stream) {
    return TKC_CALL(TKC_CU(MemsetD8Async)(memory, value, bytes, stream),
                    cudaMemsetAsync(memory, value, bytes, stream),
                    TKC_HIP(MemsetAsync, hipMemsetAsync)((void *)(uintptr_t)memory, value, bytes, stream));
}

/* ---- streams and events. A stream that is made here does not wait for the default stream, NULL. ---- */

static inline tkc_result tkc_stream_create(tkc_stream *stream) {
    return TKC_CALL(TKC_CU(StreamCreate)(stream, 1), cudaStreamCreateWithFlags(stream, 1),
                    TKC_HIP(StreamCreate, hipStreamCreateWithFlags)(stream, 1));
}

static inline tkc_result tkc_stream_destroy(tkc_stream stream) {
    return TKC_CALL(TKC_CU(StreamDestroy)(stream), cudaStreamDestroy(stream),
                    TKC_HIP(StreamDestroy, hipStreamDestroy)(stream));
}

/* Until everything that the stream was given is done. */
static inline tkc_result tkc_stream_wait(tkc_stream stream) {
    return TKC_CALL(TKC_CU(StreamSynchronize)(stream), cudaStreamSynchronize(stream),
                    TKC_HIP(StreamSynchronize, hipStreamSynchronize)(stream));
}

/* What the stream is given from here on waits for the event. */
static inline tkc_result tkc_stream_wait_event(tkc_stream stream, tkc_event event) {
    return TKC_CALL(TKC_CU(StreamWaitEvent)(stream, event, 0), cudaStreamWaitEvent(stream, event, 0),
                    TKC_HIP(StreamWaitEvent, hipStreamWaitEvent)(stream, event, 0));
}

static inline tkc_result tkc_event_create(tkc_event *event) {
    return TKC_CALL(TKC_CU(EventCreate)(event, 0), cudaEventCreateWithFlags(event, 0),
                    TKC_HIP(EventCreate, hipEventCreateWithFlags)(event, 0));
}

static inline tkc_result tkc_event_destroy(tkc_event event) {
    return TKC_CALL(TKC_CU(EventDestroy)(event), cudaEventDestroy(event),
                    TKC_HIP(EventDestroy, hipEventDestroy)(event));
}

static inline tkc_result tkc_event_record(tkc_event event, tkc_stream stream) {
    return TKC_CALL(TKC_CU(EventRecord)(event, stream), cudaEventRecord(event, stream),
                    TKC_HIP(EventRecord, hipEventRecord)(event, stream));
}

static inline tkc_result tkc_event_wait(tkc_event event) {
    return TKC_CALL(TKC_CU(EventSynchronize)(event), cudaEventSynchronize(event),
                    TKC_HIP(EventSynchronize, hipEventSynchronize)(event));
}

/* Between two events that have happened. */
static inline tkc_result tkc_event_milliseconds(float *milliseconds, tkc_event start, tkc_event stop) {
    return TKC_CALL(TKC_CU(EventElapsedTime)(milliseconds, start, stop),
                    cudaEventElapsedTime(milliseconds, start, stop),
                    TKC_HIP(EventElapsedTime, hipEventElapsedTime)(milliseconds, start, stop));
}

/* ---- modules: for kernels that are launched without their header ---- */

/* PTX (with its NUL), a cubin or a code object. */
static inline tkc_result tkc_module_load(tkc_module *module, const void *image) {
    return TKC_CALL(TKC_CU(ModuleLoadData)(module, image),
                    cudaLibraryLoadData(module, image, NULL, NULL, 0, NULL, NULL, 0),
                    TKC_HIP(ModuleLoadData, hipModuleLoadData)(module, image));
}

static inline tkc_result tkc_module_unload(tkc_module module) {
    return TKC_CALL(TKC_CU(ModuleUnload)(module), cudaLibraryUnload(module),
                    TKC_HIP(ModuleUnload, hipModuleUnload)(module));
}

static inline tkc_result tkc_module_function(tkc_function *function, tkc_module module, const char *name) {
    return TKC_CALL(TKC_CU(ModuleGetFunction)(function, module, name),
                    cudaLibraryGetKernel(function, module, name),
                    TKC_HIP(ModuleGetFunction, hipModuleGetFunction)(function, module, name));
}

/* Lets launches of the function ask for so much dynamic shared memory; needed beyond 48 KiB on NVIDIA's chips. */
static inline tkc_result tkc_function_shared(tkc_function function, size_t bytes) {
#if defined(TKC_RUNTIME_CUDA_DRIVER)
    return cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
#elif defined(TKC_RUNTIME_CUDA_RUNTIME)
    return cudaFuncSetAttribute((const void *)function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)bytes);
#elif defined(TKC_RUNTIME_HIP)
    (void)function;
    (void)bytes;
    return hipSuccess;
#else
    return tkc_the_driver.vendor == TKC_NVIDIA ? tkc_the_driver.cu_FuncSetAttribute(function, 8, (int)bytes)
                                               : 0;
#endif
}

/* `arguments` point to the values, in the order of the kernel's parameters. */
static inline tkc_result tkc_launch(tkc_function function, const unsigned grid[3], unsigned threads,
                                    unsigned shared, tkc_stream stream, void **arguments) {
#if defined(TKC_RUNTIME_CUDA_RUNTIME)
    dim3 blocks, block;
    blocks.x = grid[0];
    blocks.y = grid[1];
    blocks.z = grid[2];
    block.x = threads;
    block.y = block.z = 1;
    return cudaLaunchKernel((const void *)function, blocks, block, arguments, shared, stream);
#else
    return TKC_CALL(TKC_CU(LaunchKernel)(function, grid[0], grid[1], grid[2], threads, 1, 1, shared, stream,
                                         arguments, NULL),
                    0,
                    TKC_HIP(ModuleLaunchKernel, hipModuleLaunchKernel)(
                        function, grid[0], grid[1], grid[2], threads, 1, 1, shared, stream, arguments, NULL));
#endif
}

/* ---- graphs: what a stream is given between the two is recorded, not done; k_load() comes before. ---- */

static inline tkc_result tkc_capture_begin(tkc_stream stream) {
    return TKC_CALL(TKC_CU(StreamBeginCapture)(stream, TKC_OF_THREAD(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)),
                    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
                    TKC_HIP(StreamBeginCapture,
                            hipStreamBeginCapture)(stream, TKC_OF_THREAD(hipStreamCaptureModeThreadLocal)));
}

static inline tkc_result tkc_capture_end(tkc_stream stream, tkc_graph_exec *made) {
    tkc_graph graph = NULL;
    tkc_result result =
        TKC_CALL(TKC_CU(StreamEndCapture)(stream, &graph), cudaStreamEndCapture(stream, &graph),
                 TKC_HIP(StreamEndCapture, hipStreamEndCapture)(stream, &graph));
    if (result == 0) {
        result = TKC_CALL(TKC_CU(GraphInstantiate)(made, graph, 0), cudaGraphInstantiate(made, graph, 0),
                          TKC_HIP(GraphInstantiate, hipGraphInstantiateWithFlags)(made, graph, 0));
    }
    if (graph) {
        (void)TKC_CALL(TKC_CU(GraphDestroy)(graph), cudaGraphDestroy(graph),
                       TKC_HIP(GraphDestroy, hipGraphDestroy)(graph));
    }
    return result;
}

static inline tkc_result tkc_graph_launch(tkc_graph_exec graph, tkc_stream stream) {
    return TKC_CALL(TKC_CU(GraphLaunch)(graph, stream), cudaGraphLaunch(graph, stream),
                    TKC_HIP(GraphLaunch, hipGraphLaunch)(graph, stream));
}

static inline tkc_result tkc_graph_destroy(tkc_graph_exec graph) {
    return TKC_CALL(TKC_CU(GraphExecDestroy)(graph), cudaGraphExecDestroy(graph),
                    TKC_HIP(GraphExecDestroy, hipGraphExecDestroy)(graph));
}

#endif
