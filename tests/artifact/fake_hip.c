/* The HIP runtime API as far as launchers call it, recording. */
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#include <string.h>

#include "fake_driver.h"

#define RESULT(result) ((hipError_t)(result))

hipError_t hipInit(unsigned flags) {
    return flags || fake.no_hip ? hipErrorNoDevice : hipSuccess;
}

hipError_t hipGetDeviceCount(int *count) {
    *count = 1;
    return hipSuccess;
}

const char *hipGetErrorString(hipError_t error) {
    return fake_error_text((int)error);
}

hipError_t hipGetDevice(int *device) {
    if (fake_fails(__func__)) {
        return hipErrorUnknown;
    }
    *device = fake_own_context ? (int)fake_own_context : fake.device;
    return hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
    if (fake_fails(__func__)) {
        return hipErrorUnknown;
    }
    (void)device;
    memset(properties, 0, sizeof *properties);
    strcpy(properties->gcnArchName, fake.chip);
    strcpy(properties->name, fake.name ? fake.name : "fake");
    properties->multiProcessorCount = fake.multiprocessors;
    properties->maxThreadsPerMultiProcessor = 2048;
    properties->maxSharedMemoryPerMultiProcessor = 65536;
    return hipSuccess;
}

/* As hipGetDeviceProperties has it. */
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
    if (fake_fails(__func__)) {
        return hipErrorUnknown;
    }
    (void)device;
    *value = attribute == hipDeviceAttributeMultiprocessorCount                ? fake.multiprocessors
             : attribute == hipDeviceAttributeMaxThreadsPerMultiProcessor      ? 2048
             : attribute == hipDeviceAttributeMaxSharedMemoryPerMultiprocessor ? 65536
                                                                               : -1;
    return hipSuccess;
}

hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device) {
    if (fake_fails(__func__)) {
        return hipErrorUnknown;
    }
    (void)device;
    strncpy(name, fake.name ? fake.name : "fake", (size_t)length);
    return hipSuccess;
}

/* ---- modules and launches ---- */

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    return RESULT(fake_load(__func__, (void **)module, image));
}

hipError_t hipModuleLoad(hipModule_t *module, const char *path) {
    return RESULT(fake_load(__func__, (void **)module, path));
}

hipError_t hipModuleUnload(hipModule_t module) {
    return RESULT(fake_unload(__func__, module));
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
    (void)module;
    return RESULT(fake_find(__func__, (void **)function, name));
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                                 unsigned block_y, unsigned block_z, unsigned shared, hipStream_t stream,
                                 void **arguments, void **extra) {
    (void)stream;
    return RESULT(fake_launch(__func__, function, (const unsigned[]){x, y, z}, block_x * block_y * block_z,
                              shared, arguments, extra));
}

/* ---- memory ---- */

static unsigned long long number(const void *pointer) {
    return (unsigned long long)(size_t)pointer;
}

hipError_t hipMalloc(void **pointer, size_t bytes) {
    unsigned long long at = 0;
    int result = fake_allocate(__func__, &at, bytes);
    *pointer = (void *)(size_t)at;
    return RESULT(result);
}

hipError_t hipFree(void *pointer) {
    return RESULT(fake_free(number(pointer)));
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *bytes, hipDeviceptr_t at) {
    unsigned long long start = 0;
    int result = fake_range(__func__, &start, bytes, number(at));
    *base = (hipDeviceptr_t)(size_t)start;
    return RESULT(result);
}

hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes) {
    return RESULT(fake_read(__func__, to, number(from), bytes));
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
    (void)stream;
    return RESULT(fake_copy(__func__, number(to), number(from), bytes));
}

hipError_t hipMemsetD8Async(hipDeviceptr_t at, unsigned char value, size_t bytes, hipStream_t stream) {
    (void)stream;
    return RESULT(fake_clear(__func__, number(at), value, bytes));
}

/* ---- streams, events, graphs ---- */

hipError_t hipStreamSynchronize(hipStream_t stream) {
    (void)stream;
    return RESULT(fake_wait(__func__));
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status) {
    (void)stream;
    return RESULT(fake_is_capturing(__func__, (int *)status));
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
    return RESULT(fake_stream_create(__func__, (void **)stream, flags));
}

hipError_t hipStreamDestroy(hipStream_t stream) {
    return RESULT(fake_stream_destroy(stream));
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
    return RESULT(fake_event_create(__func__, (void **)event, flags));
}

hipError_t hipEventDestroy(hipEvent_t event) {
    return RESULT(fake_event_destroy(event));
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    (void)stream;
    return RESULT(fake_event_record(__func__, event));
}

hipError_t hipEventSynchronize(hipEvent_t event) {
    return RESULT(fake_event_wait(__func__, event));
}

hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop) {
    return RESULT(fake_event_time(__func__, milliseconds, start, stop));
}

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    return RESULT(fake_capture_begin(__func__, stream, (int)mode));
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph) {
    (void)stream;
    return RESULT(fake_capture_end(__func__, (void **)graph));
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *made, hipGraph_t graph, unsigned long long flags) {
    return RESULT(fake_graph_make(__func__, (void **)made, graph, flags));
}

hipError_t hipGraphLaunch(hipGraphExec_t made, hipStream_t stream) {
    return RESULT(fake_graph_launch(__func__, made, stream));
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
    return RESULT(fake_graph_destroy(graph));
}

hipError_t hipGraphExecDestroy(hipGraphExec_t made) {
    return RESULT(fake_graph_destroy(made));
}
