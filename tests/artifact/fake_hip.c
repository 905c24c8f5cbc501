/* The HIP runtime API as far as launchers call it, recording. */
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
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

const char *hipGetErrorString(hipError_t error) {
    return error ? "an error of the fake driver" : "no error";
}

hipError_t hipGetDevice(int *device) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    *device = fake_own_context ? (int)fake_own_context : fake.device;
    return hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    (void)device;
    memset(properties, 0, sizeof *properties);
    strcpy(properties->gcnArchName, fake.chip);
    strcpy(properties->name, fake.name ? fake.name : "fake");
    properties->multiProcessorCount = fake.multiprocessors;
    properties->maxThreadsPerMultiProcessor = 2048;
    properties->maxSharedMemoryPerMultiProcessor = 65536;
    return hipSuccess;
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    __atomic_fetch_add(&fake.loads, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&fake.image, (const char *)image, __ATOMIC_SEQ_CST);
    *module = (hipModule_t)(void *)&fake;
    return hipSuccess;
}

hipError_t hipModuleLoad(hipModule_t *module, const char *path) {
    return hipModuleLoadData(module, path);
}

/* What gives something back does so even where it fails. */
hipError_t hipModuleUnload(hipModule_t module) {
    if (fails_now(__func__)) {
        fake.unloads++;
        return hipErrorUnknown;
    }
    __atomic_fetch_add(&fake.unloads, 1, __ATOMIC_SEQ_CST);
    return (void *)module == &fake ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    (void)module;
    __atomic_fetch_add(&fake.lookups, 1, __ATOMIC_SEQ_CST);
    *function = (hipFunction_t)(void *)(size_t)name;
    return hipSuccess;
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

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                                 unsigned block_y, unsigned block_z, unsigned shared, hipStream_t stream,
                                 void **arguments, void **extra) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    (void)stream;
    if (records((const char *)(void *)function))
        return hipSuccess;
    if (fails((const char *)(void *)function, arguments))
        return hipErrorLaunchOutOfResources;
    __atomic_fetch_add(&fake.launches, 1, __ATOMIC_SEQ_CST);
    if (fake.seen) {
        fake.kernel = (const char *)(void *)function;
        fake.grid[0] = x;
        fake.grid[1] = y;
        fake.grid[2] = z;
        fake.threads = block_x * block_y * block_z;
        fake.shared = shared;
        fake.seen(arguments);
    }
    return extra ? hipErrorInvalidValue : hipSuccess;
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

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    (void)stream;
    *status = fake.capturing ? hipStreamCaptureStatusActive : hipStreamCaptureStatusNone;
    return hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    (void)stream;
    return hipSuccess;
}

struct ihipEvent_t {
    double clock;
};

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    *event = calloc(1, sizeof **event);
    __atomic_fetch_add(&fake.events, 1, __ATOMIC_SEQ_CST);
    return flags == hipEventDefault ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipEventDestroy(hipEvent_t event) {
    __atomic_fetch_sub(&fake.events, 1, __ATOMIC_SEQ_CST);
    free(event);
    return event ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    (void)stream;
    event->clock = fake.clock;
    return hipSuccess;
}

hipError_t hipEventSynchronize(hipEvent_t event) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    return event ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    *milliseconds = (float)((stop->clock - start->clock) / 1000);
    return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *bytes, hipDeviceptr_t at) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    *base = fake_memory;
    *bytes = sizeof fake_memory;
    return is_memory((unsigned long long)(size_t)at, 1) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    if (!is_memory((unsigned long long)(size_t)from, bytes))
        return hipErrorInvalidValue;
    memcpy(to, from, bytes);
    return hipSuccess;
}

static __thread unsigned char allocation[1 << 16];

hipError_t hipMalloc(void **pointer, size_t bytes) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    __atomic_fetch_add(&fake.allocations, 1, __ATOMIC_SEQ_CST);
    *pointer = allocation;
    return bytes <= sizeof allocation ? hipSuccess : hipErrorOutOfMemory;
}

hipError_t hipFree(void *pointer) {
    __atomic_fetch_sub(&fake.allocations, 1, __ATOMIC_SEQ_CST);
    return pointer == allocation ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    (void)stream;
    __atomic_fetch_add(&fake.copies, 1, __ATOMIC_SEQ_CST);
    memmove(to, from, bytes);
    return hipSuccess;
}

hipError_t hipMemsetD8Async(hipDeviceptr_t at, unsigned char value, size_t bytes, hipStream_t stream) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    (void)stream;
    __atomic_fetch_add(&fake.clears, 1, __ATOMIC_SEQ_CST);
    if (!is_memory((unsigned long long)(size_t)at, bytes))
        return hipErrorInvalidValue;
    memset(at, value, bytes);
    return hipSuccess;
}

/* ---- graphs: the launches of a thread between the ends of a capture, by name ---- */

struct ihipGraph {
    int count;
    const char *kernels[64];
};

static __thread hipGraph_t recorded;

/* Whether a launch went into a graph. */
static int records(const char *kernel) {
    if (recorded && recorded->count < 64)
        recorded->kernels[recorded->count++] = kernel;
    return recorded != NULL;
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    *stream = (hipStream_t)calloc(1, 1);
    __atomic_fetch_add(&fake.streams, 1, __ATOMIC_SEQ_CST);
    return flags == hipStreamNonBlocking ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipStreamDestroy(hipStream_t stream) {
    free(stream);
    __atomic_fetch_sub(&fake.streams, 1, __ATOMIC_SEQ_CST);
    return stream ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    if (!stream || mode != hipStreamCaptureModeThreadLocal || recorded)
        return hipErrorInvalidValue;
    recorded = calloc(1, sizeof *recorded);
    return hipSuccess;
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph) {
    (void)stream;
    *graph = recorded;
    recorded = NULL;
    if (fails_now(__func__)) {
        free(*graph);
        *graph = NULL;
        return hipErrorUnknown;
    }
    __atomic_fetch_add(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return *graph ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags) {
    if (fails_now(__func__))
        return hipErrorUnknown;
    hipGraph_t copy = malloc(sizeof *copy);
    *copy = *graph;
    *exec = (hipGraphExec_t)(void *)copy;
    __atomic_fetch_add(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return flags ? hipErrorInvalidValue : hipSuccess;
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
    hipGraph_t graph = (hipGraph_t)(void *)exec;
    if (fails_now(__func__))
        return hipErrorUnknown;
    for (int i = 0; i < graph->count; i++)
        if (fails(graph->kernels[i], NULL))
            return hipErrorUnknown;
    __atomic_fetch_add(&fake.launches, graph->count, __ATOMIC_SEQ_CST);
    return stream ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
    free(graph);
    __atomic_fetch_sub(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return hipSuccess;
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
    free((void *)exec);
    __atomic_fetch_sub(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return hipSuccess;
}
