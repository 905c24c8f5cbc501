/* tkc_runtime.h: devices, modules, memory, streams, events and graphs over the program's GPU runtime. C99 and
 * C++17. Define one of these before the #include; the last is the default:
 *
 *   TKC_RUNTIME_CUDA_DRIVER     cuda.h, linked with -lcuda
 *   TKC_RUNTIME_CUDA_RUNTIME    cuda_runtime_api.h (12.8 or later), linked with -lcudart
 *   TKC_RUNTIME_HIP             hip/hip_runtime_api.h, linked with -lamdhip64
 *   TKC_RUNTIME_DYNAMIC         no vendor header, linked only with -ldl: opens libcuda or libamdhip64 at run time
 *                               (tkc_driver.h), so that one program serves both vendors
 *
 * Results are the runtime's own codes: 0 is success, tkc_error_text gives the text of others. Handles are the runtime's
 * own types: in the first three modes those of generated launchers, in the last one those of launchers from
 * `tkc --runtime dynamic`: k_launch(stream, memory, n). A thread works on the device of its last tkc_device_use, in the
 * primary context, shared with the vendor's runtime and with PyTorch. All functions may be called from several threads. */
#ifndef TKC_RUNTIME_H
#define TKC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(TKC_RUNTIME_CUDA_DRIVER) && !defined(TKC_RUNTIME_CUDA_RUNTIME) && !defined(TKC_RUNTIME_HIP) &&  \
    !defined(TKC_RUNTIME_DYNAMIC)
#define TKC_RUNTIME_DYNAMIC
#endif

/* ---- the runtimes' names: TKC_CALL(CUDA's driver, CUDA's runtime, HIP) selects the call for the runtime in use */

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
#include "tkc_driver.h"
typedef int tkc_result;
typedef uint64_t tkc_pointer;
typedef void *tkc_stream, *tkc_event, *tkc_module, *tkc_function, *tkc_graph, *tkc_graph_exec;
#define TKC_CALL(driver, runtime, hip) (driver)
#endif

#ifndef TKC_VENDORS
#define TKC_VENDORS
enum { TKC_NVIDIA = 1, TKC_AMD = 2 };
#endif

/* CUDA's driver: linked, or in the table of the opened driver. */
#if defined(TKC_RUNTIME_DYNAMIC)
#define TKC_CU(name) tkc_driver_1.name
#define TKC_CAPTURE_OF_THREAD 1
#else
#define TKC_CU(name) cu##name
#define TKC_CAPTURE_OF_THREAD CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
#endif

/* ---- opening ---- */

#if defined(TKC_RUNTIME_DYNAMIC)
static inline tkc_result tkc_open(void) {
    return tkc_driver_open();
}

static inline int tkc_vendor(void) {
    return tkc_open() ? 0 : tkc_driver_1.vendor;
}

/* Any other function of the library; NULL: not found. */
static inline void *tkc_driver_symbol(const char *name) {
    return tkc_open() ? NULL : dlsym(tkc_driver_1.library, name);
}
#else
/* CUDA's runtime initialises itself: a call here would take memory of device 0 even for a program on another device. */
static inline tkc_result tkc_open(void) {
    return TKC_CALL(TKC_CU(Init)(0), cudaSuccess, hipInit(0));
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
    return tkc_driver_error_text(result);
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

/* Copies a text, cut to the room. */
static inline void tkc_cut_text(char *to, size_t room, const char *text, size_t length) {
    if (room) {
        length = length < room ? length : room - 1u;
        memcpy(to, text, length);
        to[length] = 0;
    }
}

static inline tkc_result tkc_device_count(int *count) {
    tkc_result result = tkc_open();
    *count = 0;
    return result != 0
               ? result
               : TKC_CALL(TKC_CU(DeviceGetCount)(count), cudaGetDeviceCount(count), hipGetDeviceCount(count));
}

/* Makes the device current for this thread. */
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
        if (tkc_driver_1.vendor == TKC_AMD) {
            return tkc_driver_1.SetDevice(ordinal);
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
        if (result == cudaSuccess) {
            tkc_cut_text(name, room, properties.name, strlen(properties.name));
        }
        return result;
    }
#else
    return TKC_CALL(TKC_CU(DeviceGetName)(name, (int)room, ordinal), 0,
                    hipDeviceGetName(name, (int)room, ordinal));
#endif
}

/* The chip's name for tkc: "sm_90", "gfx942". */
static inline tkc_result tkc_device_chip(int ordinal, char *name, size_t room) {
#if defined(TKC_RUNTIME_HIP)
    hipDeviceProp_t properties;
    tkc_result result = hipGetDeviceProperties(&properties, ordinal);
    if (result == hipSuccess) {
        tkc_cut_text(name, room, properties.gcnArchName, strcspn(properties.gcnArchName, ":"));
    }
    return result;
#else
    char text[8] = "sm_";
    unsigned capability = 0;
    size_t i = 3;
    tkc_result result = tkc_open();
    if (result != 0) {
        return result;
    }
#if defined(TKC_RUNTIME_DYNAMIC)
    if (tkc_driver_1.vendor == TKC_AMD) {
        return tkc_driver_arch(ordinal, name, room);
    }
    result = tkc_driver_capability(ordinal, &capability);
#else
    {
        int major = 0, minor = 0;
        result = TKC_CALL(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ordinal),
                          cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal), 0);
        if (result == 0) {
            result =
                TKC_CALL(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, ordinal),
                         cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal), 0);
        }
        capability = (unsigned)major * 10u + (unsigned)minor;
    }
#endif
    if (capability > 99u) {
        text[i++] = (char)('0' + capability / 100u % 10u);
    }
    text[i++] = (char)('0' + capability / 10u % 10u);
    text[i++] = (char)('0' + capability % 10u);
    tkc_cut_text(name, room, text, i);
    return result;
#endif
}

/* ---- memory. Copies and fills are in the stream's order; the host's memory may be pinned or not. ---- */

static inline tkc_result tkc_memory_allocate(tkc_pointer *memory, size_t bytes) {
    return TKC_CALL(TKC_CU(MemAlloc)(memory, bytes), cudaMalloc(memory, bytes),
                    hipMalloc((void **)memory, bytes));
}

static inline tkc_result tkc_memory_free(tkc_pointer memory) {
    return TKC_CALL(TKC_CU(MemFree)(memory), cudaFree(memory), hipFree((void *)(uintptr_t)memory));
}

/* Pinned host memory, for asynchronous copies. */
static inline tkc_result tkc_host_allocate(void **memory, size_t bytes) {
    return TKC_CALL(TKC_CU(MemHostAlloc)(memory, bytes, 0), cudaMallocHost(memory, bytes),
                    hipHostMalloc(memory, bytes, 0));
}

static inline tkc_result tkc_host_free(void *memory) {
    return TKC_CALL(TKC_CU(MemFreeHost)(memory), cudaFreeHost(memory), hipHostFree(memory));
}

static inline tkc_result tkc_copy_to_device(tkc_pointer to, const void *from, size_t bytes,
                                            tkc_stream stream) {
    return TKC_CALL(TKC_CU(MemcpyHtoDAsync)(to, from, bytes, stream),
                    cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream),
                    hipMemcpyAsync((void *)(uintptr_t)to, from, bytes, hipMemcpyHostToDevice, stream));
}

static inline tkc_result tkc_copy_from_device(void *to, tkc_pointer from, size_t bytes, tkc_stream stream) {
    return TKC_CALL(TKC_CU(MemcpyDtoHAsync)(to, from, bytes, stream),
                    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream),
                    hipMemcpyAsync(to, (void *)(uintptr_t)from, bytes, hipMemcpyDeviceToHost, stream));
}

static inline tkc_result tkc_copy_on_device(tkc_pointer to, tkc_pointer from, size_t bytes,
                                            tkc_stream stream) {
    return TKC_CALL(TKC_CU(MemcpyDtoDAsync)(to, from, bytes, stream),
                    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream),
                    hipMemcpyAsync((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes,
                                   hipMemcpyDeviceToDevice, stream));
}

static inline tkc_result tkc_fill(tkc_pointer memory, unsigned char value, size_t bytes, tkc_stream stream) {
    return TKC_CALL(TKC_CU(MemsetD8Async)(memory, value, bytes, stream),
                    cudaMemsetAsync(memory, value, bytes, stream),
                    hipMemsetAsync((void *)(uintptr_t)memory, value, bytes, stream));
}

/* ---- streams and events. A stream created here does not wait for the default stream, NULL. ---- */

static inline tkc_result tkc_stream_create(tkc_stream *stream) {
    return TKC_CALL(TKC_CU(StreamCreate)(stream, 1), cudaStreamCreateWithFlags(stream, 1),
                    hipStreamCreateWithFlags(stream, 1));
}

static inline tkc_result tkc_stream_destroy(tkc_stream stream) {
    return TKC_CALL(TKC_CU(StreamDestroy)(stream), cudaStreamDestroy(stream), hipStreamDestroy(stream));
}

/* Waits for all work in the stream. */
static inline tkc_result tkc_stream_wait(tkc_stream stream) {
    return TKC_CALL(TKC_CU(StreamSynchronize)(stream), cudaStreamSynchronize(stream),
                    hipStreamSynchronize(stream));
}

/* Later work in the stream waits for the event. */
static inline tkc_result tkc_stream_wait_event(tkc_stream stream, tkc_event event) {
    return TKC_CALL(TKC_CU(StreamWaitEvent)(stream, event, 0), cudaStreamWaitEvent(stream, event, 0),
                    hipStreamWaitEvent(stream, event, 0));
}

static inline tkc_result tkc_event_create(tkc_event *event) {
    return TKC_CALL(TKC_CU(EventCreate)(event, 0), cudaEventCreateWithFlags(event, 0),
                    hipEventCreateWithFlags(event, 0));
}

static inline tkc_result tkc_event_destroy(tkc_event event) {
    return TKC_CALL(TKC_CU(EventDestroy)(event), cudaEventDestroy(event), hipEventDestroy(event));
}

static inline tkc_result tkc_event_record(tkc_event event, tkc_stream stream) {
    return TKC_CALL(TKC_CU(EventRecord)(event, stream), cudaEventRecord(event, stream),
                    hipEventRecord(event, stream));
}

static inline tkc_result tkc_event_wait(tkc_event event) {
    return TKC_CALL(TKC_CU(EventSynchronize)(event), cudaEventSynchronize(event), hipEventSynchronize(event));
}

/* The time between two completed events. */
static inline tkc_result tkc_event_milliseconds(float *milliseconds, tkc_event start, tkc_event stop) {
    return TKC_CALL(TKC_CU(EventElapsedTime)(milliseconds, start, stop),
                    cudaEventElapsedTime(milliseconds, start, stop),
                    hipEventElapsedTime(milliseconds, start, stop));
}

/* ---- modules: for kernels without a generated header ---- */

/* PTX (with its NUL), a cubin or a code object. */
static inline tkc_result tkc_module_load(tkc_module *module, const void *image) {
    return TKC_CALL(TKC_CU(ModuleLoadData)(module, image),
                    cudaLibraryLoadData(module, image, NULL, NULL, 0, NULL, NULL, 0),
                    hipModuleLoadData(module, image));
}

static inline tkc_result tkc_module_unload(tkc_module module) {
    return TKC_CALL(TKC_CU(ModuleUnload)(module), cudaLibraryUnload(module), hipModuleUnload(module));
}

static inline tkc_result tkc_module_function(tkc_function *function, tkc_module module, const char *name) {
    return TKC_CALL(TKC_CU(ModuleGetFunction)(function, module, name),
                    cudaLibraryGetKernel(function, module, name),
                    hipModuleGetFunction(function, module, name));
}

/* Allows launches of the function with so much dynamic shared memory; needed beyond 48 KiB on NVIDIA's chips. */
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
    return tkc_driver_1.vendor == TKC_NVIDIA ? tkc_driver_1.FuncSetAttribute(function, 8, (int)bytes) : 0;
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
                    hipModuleLaunchKernel(function, grid[0], grid[1], grid[2], threads, 1, 1, shared, stream,
                                          arguments, NULL));
#endif
}

/* ---- graphs: work given to the stream between begin and end is recorded, not run; call k_load() before. ---- */

static inline tkc_result tkc_capture_begin(tkc_stream stream) {
    return TKC_CALL(TKC_CU(StreamBeginCapture)(stream, TKC_CAPTURE_OF_THREAD),
                    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
                    hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
}

static inline tkc_result tkc_capture_end(tkc_stream stream, tkc_graph_exec *made) {
    tkc_graph graph = NULL;
    tkc_result result = TKC_CALL(TKC_CU(StreamEndCapture)(stream, &graph),
                                 cudaStreamEndCapture(stream, &graph), hipStreamEndCapture(stream, &graph));
    if (result == 0) {
        result = TKC_CALL(TKC_CU(GraphInstantiate)(made, graph, 0), cudaGraphInstantiate(made, graph, 0),
                          hipGraphInstantiateWithFlags(made, graph, 0));
    }
    if (graph) {
        (void)TKC_CALL(TKC_CU(GraphDestroy)(graph), cudaGraphDestroy(graph), hipGraphDestroy(graph));
    }
    return result;
}

static inline tkc_result tkc_graph_launch(tkc_graph_exec graph, tkc_stream stream) {
    return TKC_CALL(TKC_CU(GraphLaunch)(graph, stream), cudaGraphLaunch(graph, stream),
                    hipGraphLaunch(graph, stream));
}

static inline tkc_result tkc_graph_destroy(tkc_graph_exec graph) {
    return TKC_CALL(TKC_CU(GraphExecDestroy)(graph), cudaGraphExecDestroy(graph), hipGraphExecDestroy(graph));
}

#endif
