/* The CUDA driver API as far as launchers call it, recording. */
#define _GNU_SOURCE
#include <cuda.h>
#include <string.h>

#include "fake_driver.h"

#define RESULT(result) ((CUresult)(result))

CUresult cuInit(unsigned flags) {
    return flags || fake.no_cuda ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
    *count = 1;
    return CUDA_SUCCESS;
}

/* ---- contexts ---- */

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    *id = fake_context();
    return context == NULL && *id ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    *device = fake.device;
    return fake_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* The context's id is 7 once it is chosen. */
CUresult cuCtxGetCurrent(CUcontext *context) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    *context = fake.context_id ? (CUcontext)&fake : NULL;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    *context = (CUcontext)&fake;
    return device == fake.device ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    fake.context_id = context == (CUcontext)&fake ? 7 : 0;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = fake_error_text((int)error);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR         ? fake.major
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR       ? fake.minor
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT           ? fake.multiprocessors
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR ? 2048
                                                                               : 233472;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    (void)device;
    strncpy(name, fake.name ? fake.name : "fake", (size_t)length);
    return CUDA_SUCCESS;
}

/* ---- modules and launches ---- */

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return RESULT(fake_load(__func__, (void **)module, image));
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
    return RESULT(fake_load(__func__, (void **)module, path));
}

CUresult cuModuleUnload(CUmodule module) {
    return RESULT(fake_unload(__func__, module));
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    (void)module;
    return RESULT(fake_find(__func__, (void **)function, name));
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    (void)function;
    __atomic_store_n(&fake.limit, attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? value : -1,
                     __ATOMIC_SEQ_CST);
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
                        void **arguments, void **extra) {
    (void)stream;
    return RESULT(fake_launch(__func__, function, (const unsigned[]){x, y, z}, block_x * block_y * block_z,
                              shared, arguments, extra));
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra) {
    for (unsigned i = 0; i < config->numAttrs; i++) {
        fake.dependents += config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
                           config->attrs[i].value.programmaticStreamSerializationAllowed == 1;
    }
    return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                          config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream,
                          arguments, extra);
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    struct fake_map asked = {(int)type, (int)swizzle, (int)rank, (unsigned long long)(size_t)address,
                             {0},       {0},          {0}};
    int good = (size_t)map % 64 == 0 && interleave == CU_TENSOR_MAP_INTERLEAVE_NONE &&
               promotion == CU_TENSOR_MAP_L2_PROMOTION_L2_256B && fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    __atomic_fetch_add(&fake.encodes, 1, __ATOMIC_SEQ_CST);
    for (cuuint32_t i = 0; i < rank; i++) {
        asked.sizes[i] = sizes[i];
        asked.box[i] = box[i];
        good = good && steps[i] == 1 && sizes[i] > 0;
        if (i + 1 < rank) {
            asked.strides[i] = strides[i];
        }
    }
    if (!good || fake.fail_encode) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    memset(map, 0, sizeof *map);
    for (int i = 0; i < 16; i++) { /* every word: a torn copy shows */
        map->opaque[i] = i == 1 ? sizes[0] : (cuuint64_t)(size_t)address;
    }
    if (!fake.threads_launch) {
        fake.map = asked;
    }
    return CUDA_SUCCESS;
}

/* ---- memory ---- */

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
    return RESULT(fake_allocate(__func__, pointer, bytes));
}

CUresult cuMemFree(CUdeviceptr pointer) {
    return RESULT(fake_free(pointer));
}

CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t bytes) {
    if (fake_fails(__func__)) {
        return CUDA_ERROR_UNKNOWN;
    }
    if (fake.capturing) {
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return pointer == FAKE_ALLOCATION && value == 0 && bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr at) {
    return RESULT(fake_range(__func__, base, bytes, at));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
    return RESULT(fake_read(__func__, to, from, bytes));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    (void)stream;
    return RESULT(fake_copy(__func__, to, from, bytes));
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t bytes, CUstream stream) {
    (void)stream;
    return RESULT(fake_clear(__func__, at, value, bytes));
}

/* ---- streams, events, graphs ---- */

CUresult cuStreamSynchronize(CUstream stream) {
    (void)stream;
    return RESULT(fake_wait(__func__));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    (void)stream;
    return RESULT(fake_is_capturing(__func__, (int *)status));
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    return RESULT(fake_stream_create(__func__, (void **)stream, flags));
}

CUresult cuStreamDestroy(CUstream stream) {
    return RESULT(fake_stream_destroy(stream));
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
    return RESULT(fake_event_create(__func__, (void **)event, flags));
}

CUresult cuEventDestroy(CUevent event) {
    return RESULT(fake_event_destroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    (void)stream;
    return RESULT(fake_event_record(__func__, event));
}

CUresult cuEventSynchronize(CUevent event) {
    return RESULT(fake_event_wait(__func__, event));
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
    return RESULT(fake_event_time(__func__, milliseconds, start, stop));
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    return RESULT(fake_capture_begin(__func__, stream, (int)mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    (void)stream;
    return RESULT(fake_capture_end(__func__, (void **)graph));
}

CUresult cuGraphInstantiate(CUgraphExec *made, CUgraph graph, unsigned long long flags) {
    return RESULT(fake_graph_make(__func__, (void **)made, graph, flags));
}

CUresult cuGraphLaunch(CUgraphExec made, CUstream stream) {
    return RESULT(fake_graph_launch(__func__, made, stream));
}

CUresult cuGraphDestroy(CUgraph graph) {
    return RESULT(fake_graph_destroy(graph));
}

CUresult cuGraphExecDestroy(CUgraphExec made) {
    return RESULT(fake_graph_destroy(made));
}

#ifdef cuEventElapsedTime /* a later version's name for it: the library has the earlier one, too */
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
    return RESULT(fake_event_time(__func__, milliseconds, start, stop));
}
#endif

#ifdef WITH_CUDART
/* CUDA's runtime, for the lookup of driver functions. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>

cudaError_t cudaFree(void *memory) {
    return memory ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    *device = fake.device;
    return cudaSuccess;
}

/* Makes its primary context current. */
cudaError_t cudaSetDevice(int device) {
    fake.context_id = 7;
    return device == fake.device ? cudaSuccess : cudaErrorInvalidDevice;
}

/* A later version under the name of another function. CUDA 13 returns it on request. */
CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
    *device = 0;
    return context == (CUcontext)&fake ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **symbol, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *found) {
    char versioned[80];
    snprintf(versioned, sizeof versioned, "%s_v2", name);
    *symbol = version >= 13000 ? dlsym(RTLD_DEFAULT, versioned) : NULL;
    *symbol = *symbol ? *symbol : dlsym(RTLD_DEFAULT, name);
    *symbol = *symbol ? *symbol : dlsym(RTLD_DEFAULT, versioned);
    *found = *symbol ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return flags == cudaEnableDefault && version >= 12000 ? cudaSuccess : cudaErrorInvalidValue;
}
#endif
