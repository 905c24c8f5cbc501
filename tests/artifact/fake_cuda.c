/* The CUDA driver API as far as launchers call it, recording. */
#define _GNU_SOURCE
#include <cuda.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

struct fake fake;

__thread unsigned long long fake_own_context;

/* Whether this call is the one that is to fail. */
static int fails_now(const char *call) {
    if (!fake.fail_call || --fake.fail_call)
        return 0;
    fake.failed = call;
    return 1;
}

static unsigned long long context_id(void) {
    return fake_own_context ? fake_own_context : fake.context_id;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    *id = context_id();
    return context == NULL && *id ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    *device = 0;
    return CUDA_SUCCESS;
}

/* The context's id is 7 once it is chosen. */
CUresult cuCtxGetCurrent(CUcontext *context) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    *context = fake.context_id ? (CUcontext)&fake : NULL;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    *context = (CUcontext)&fake;
    return device == fake.device ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    fake.context_id = context == (CUcontext)&fake ? 7 : 0;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = error ? "an error of the fake driver" : "no error";
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR         ? fake.major
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR       ? fake.minor
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT           ? fake.multiprocessors
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR ? 2048
                                                                               : 233472;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)device;
    strncpy(name, fake.name ? fake.name : "fake", (size_t)length);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    if (fake.capturing)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (fake.fail_load) {
        return CUDA_ERROR_INVALID_PTX;
    }
    __atomic_fetch_add(&fake.loads, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&fake.image, (const char *)image, __ATOMIC_SEQ_CST);
    *module = (CUmodule)&fake;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
    return cuModuleLoadData(module, path);
}

/* What gives something back does so even where it fails. */
CUresult cuModuleUnload(CUmodule module) {
    if (fails_now(__func__)) {
        fake.unloads++;
        return CUDA_ERROR_UNKNOWN;
    }
    __atomic_fetch_add(&fake.unloads, 1, __ATOMIC_SEQ_CST);
    return module == (CUmodule)&fake ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)module;
    __atomic_fetch_add(&fake.lookups, 1, __ATOMIC_SEQ_CST);
    *function = (CUfunction)(void *)name;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)function;
    __atomic_store_n(&fake.limit, attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? value : -1,
                     __ATOMIC_SEQ_CST);
    return CUDA_SUCCESS;
}

static int records(const char *kernel);

/* Whether this launch is one that is to fail; adds what it takes to the clock. */
static int fails(const char *kernel, void **arguments) {
    if (fake.fail_launch && --fake.fail_launch == 0)
        return 1;
    if (fake.takes)
        fake.clock += fake.takes(kernel, arguments);
    return 0;
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
                        void **arguments, void **extra) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)stream;
    if (records((const char *)(void *)function))
        return CUDA_SUCCESS;
    if (fails((const char *)(void *)function, arguments))
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    __atomic_fetch_add(&fake.launches, 1, __ATOMIC_SEQ_CST);
    if (fake.seen && !fake.threads_launch) {
        fake.kernel = (const char *)(void *)function;
        fake.grid[0] = x;
        fake.grid[1] = y;
        fake.grid[2] = z;
        fake.threads = block_x * block_y * block_z;
        fake.shared = shared;
    }
    if (fake.seen) {
        fake.seen(arguments);
    }
    return extra ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    struct fake_map asked = {(int)type, (int)swizzle, (int)rank, (unsigned long long)(size_t)address,
                             {0},       {0},          {0}};
    int good = (size_t)map % 64 == 0 && interleave == CU_TENSOR_MAP_INTERLEAVE_NONE &&
               promotion == CU_TENSOR_MAP_L2_PROMOTION_L2_256B && fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    __atomic_fetch_add(&fake.encodes, 1, __ATOMIC_SEQ_CST);
    for (cuuint32_t i = 0; i < rank; i++) {
        asked.sizes[i] = sizes[i];
        asked.box[i] = box[i];
        good = good && steps[i] == 1 && sizes[i] > 0;
        if (i + 1 < rank)
            asked.strides[i] = strides[i];
    }
    if (!good || fake.fail_encode)
        return CUDA_ERROR_INVALID_VALUE;
    memset(map, 0, sizeof *map);
    for (int i = 0; i < 16; i++) /* every word: a torn copy shows */
        map->opaque[i] = i == 1 ? sizes[0] : (cuuint64_t)(size_t)address;
    if (!fake.threads_launch)
        fake.map = asked;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    if (fake.capturing)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    *pointer = bytes ? 0x7000 : 0;
    __atomic_fetch_add(&fake.allocations, 1, __ATOMIC_SEQ_CST);
    return bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemFree(CUdeviceptr pointer) {
    __atomic_fetch_sub(&fake.allocations, 1, __ATOMIC_SEQ_CST);
    return pointer == 0x7000 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t bytes) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    if (fake.capturing)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    return pointer == 0x7000 && value == 0 && bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamSynchronize(CUstream stream) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    if (fake.capturing)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    (void)stream;
    return CUDA_SUCCESS;
}

/* ---- for tuning ---- */

/* Memory of the device is the host's: an address is a pointer, 64 KiB from `fake_memory` on, in each thread. */
_Alignas(256) static __thread unsigned char fake_memory[1 << 16];
unsigned char *fake_device_memory(void) {
    return fake_memory;
}

static int is_memory(unsigned long long at, size_t bytes) {
    unsigned long long base = (unsigned long long)(size_t)fake_memory;
    return at >= base && at + bytes <= base + sizeof fake_memory;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)stream;
    *status = fake.capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}

struct CUevent_st {
    double clock;
};

CUresult cuEventCreate(CUevent *event, unsigned flags) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    *event = calloc(1, sizeof **event);
    __atomic_fetch_add(&fake.events, 1, __ATOMIC_SEQ_CST);
    return flags == CU_EVENT_DEFAULT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventDestroy(CUevent event) {
    __atomic_fetch_sub(&fake.events, 1, __ATOMIC_SEQ_CST);
    free(event);
    return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)stream;
    event->clock = fake.clock;
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    if (fake.capturing)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    *milliseconds = (float)((stop->clock - start->clock) / 1000);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr at) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    *base = (CUdeviceptr)(size_t)fake_memory;
    *bytes = sizeof fake_memory;
    return is_memory(at, 1) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    if (!is_memory(from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(to, (void *)(size_t)from, bytes);
    return CUDA_SUCCESS;
}

/* One allocation beside the memory: 0x7000 stands for it. */
static __thread unsigned char allocation[1 << 16];

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)stream;
    __atomic_fetch_add(&fake.copies, 1, __ATOMIC_SEQ_CST);
    memmove(to == 0x7000 ? (void *)allocation : (void *)(size_t)to,
            from == 0x7000 ? (void *)allocation : (void *)(size_t)from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t bytes, CUstream stream) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    (void)stream;
    __atomic_fetch_add(&fake.clears, 1, __ATOMIC_SEQ_CST);
    if (!is_memory(at, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    memset((void *)(size_t)at, value, bytes);
    return CUDA_SUCCESS;
}

/* ---- graphs: the launches of a thread between the ends of a capture, by name ---- */

struct CUgraph_st {
    int count;
    const char *kernels[64];
};

static __thread CUgraph recorded;

/* Whether a launch went into a graph. */
static int records(const char *kernel) {
    if (recorded && recorded->count < 64)
        recorded->kernels[recorded->count++] = kernel;
    return recorded != NULL;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    *stream = (CUstream)calloc(1, 1);
    __atomic_fetch_add(&fake.streams, 1, __ATOMIC_SEQ_CST);
    return flags == CU_STREAM_NON_BLOCKING ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamDestroy(CUstream stream) {
    free(stream);
    __atomic_fetch_sub(&fake.streams, 1, __ATOMIC_SEQ_CST);
    return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    if (!stream || mode != CU_STREAM_CAPTURE_MODE_THREAD_LOCAL || recorded)
        return CUDA_ERROR_INVALID_VALUE;
    recorded = calloc(1, sizeof *recorded);
    return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    (void)stream;
    *graph = recorded;
    recorded = NULL;
    if (fails_now(__func__)) {
        free(*graph);
        *graph = NULL;
        return CUDA_ERROR_UNKNOWN;
    }
    __atomic_fetch_add(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return *graph ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    CUgraph copy = malloc(sizeof *copy);
    *copy = *graph;
    *exec = (CUgraphExec)(void *)copy;
    __atomic_fetch_add(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    CUgraph graph = (CUgraph)(void *)exec;
    if (fails_now(__func__))
        return CUDA_ERROR_UNKNOWN;
    for (int i = 0; i < graph->count; i++)
        if (fails(graph->kernels[i], NULL))
            return CUDA_ERROR_UNKNOWN;
    __atomic_fetch_add(&fake.launches, graph->count, __ATOMIC_SEQ_CST);
    return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroy(CUgraph graph) {
    free(graph);
    __atomic_fetch_sub(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
    free((void *)exec);
    __atomic_fetch_sub(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return CUDA_SUCCESS;
}

#ifdef WITH_CUDART
/* CUDA's runtime, as far as it says where the driver's functions are. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>

cudaError_t cudaFree(void *memory) {
    return memory ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **symbol, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found) {
    char versioned[80];
    snprintf(versioned, sizeof versioned, "%s_v2", name);
    *symbol = dlsym(RTLD_DEFAULT, name);
    *symbol = *symbol ? *symbol : dlsym(RTLD_DEFAULT, versioned);
    if (!*symbol) { /* what cuda.h calls otherwise */
        snprintf(versioned, sizeof versioned, "%sWithFlags", name);
        *symbol = dlsym(RTLD_DEFAULT, versioned);
    }
    *found = *symbol ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return flags == cudaEnableDefault && version >= 12000 ? cudaSuccess : cudaErrorInvalidValue;
}
#endif
