/* The part of the HIP runtime API used by examples/host/vector_add_hip.c and the generated header, on the
 * stub device. The tests run without an AMD GPU, but can check the program's compilation, its linking and its
 * calls. */
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "device_stub.h"

static char the_module, the_kernel;

const char *hipGetErrorString(hipError_t error) {
    return error == hipSuccess ? "no error" : "an error of the stub device";
}

hipError_t hipInit(unsigned flags) {
    return flags == 0 ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipGetDevice(int *device) {
    *device = 0;
    return hipSuccess;
}

hipError_t hipSetDevice(int device) {
    return device == 0 ? hipSuccess : hipErrorInvalidDevice;
}

hipError_t hipGetDeviceCount(int *count) {
    *count = 1;
    return hipSuccess;
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
    if (device != 0) {
        return hipErrorInvalidDevice;
    }
    switch (attribute) {
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
        *value = 65536;
        break;
    case hipDeviceAttributeWarpSize:
        *value = 64;
        break;
    case hipDeviceAttributeMultiprocessorCount:
        *value = 304;
        break;
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
        *value = 65536;
        break;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
        *value = 2048;
        break;
    case hipDeviceAttributeMaxGridDimX:
        *value = 2147483647;
        break;
    case hipDeviceAttributeMaxGridDimY:
        *value = 65535;
        break;
    case hipDeviceAttributeMaxGridDimZ:
        *value = 65535;
        break;
    default:
        return hipErrorInvalidValue;
    }
    return hipSuccess;
}

hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device) {
    strncpy(name, "the stub device", (size_t)length);
    return device == 0 ? hipSuccess : hipErrorInvalidDevice;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
    memset(properties, 0, sizeof *properties);
    strcpy(properties->gcnArchName, "gfx942:sramecc+:xnack-");
    properties->warpSize = 64;
    return device == 0 ? hipSuccess : hipErrorInvalidDevice;
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
    (void)stream;
    *device = 0;
    return hipSuccess;
}

hipError_t hipMalloc(void **pointer, size_t bytes) {
    *pointer = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *pointer ? hipSuccess : hipErrorOutOfMemory;
}

hipError_t hipFree(void *pointer) {
    free(pointer);
    return hipSuccess;
}

hipError_t hipMemcpy(void *target, const void *source, size_t bytes, hipMemcpyKind kind) {
    (void)kind;
    memcpy(target, source, bytes);
    return hipSuccess;
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t target, void *source, size_t bytes, hipStream_t stream) {
    (void)stream;
    return hipMemcpy(target, source, bytes, hipMemcpyHostToDevice);
}

hipError_t hipMemcpyDtoHAsync(void *target, hipDeviceptr_t source, size_t bytes, hipStream_t stream) {
    (void)stream;
    return hipMemcpy(target, source, bytes, hipMemcpyDeviceToHost);
}

hipError_t hipMemsetD8Async(hipDeviceptr_t target, unsigned char value, size_t bytes, hipStream_t stream) {
    (void)stream;
    memset(target, value, bytes);
    return hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
    return stream ? hipErrorInvalidHandle : hipSuccess;
}

hipError_t hipModuleLoad(hipModule_t *module, const char *path) {
    *module = NULL;
    return path ? hipErrorFileNotFound : hipErrorInvalidValue;
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    *module = (hipModule_t)(void *)&the_module;
    return device_stub_has_kernel(image, "vector_add") ? hipSuccess : hipErrorInvalidImage;
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
    *function = (hipFunction_t)(void *)&the_kernel;
    return (void *)module == &the_module && strcmp(name, "vector_add") == 0 ? hipSuccess : hipErrorNotFound;
}

hipError_t hipModuleUnload(hipModule_t module) {
    return (void *)module == &the_module ? hipSuccess : hipErrorInvalidResourceHandle;
}

hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute attribute, int value) {
    (void)attribute, (void)value;
    return function == &the_kernel ? hipSuccess : hipErrorInvalidDeviceFunction;
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 hipStream_t stream, void **arguments, void **extra) {
    (void)shared_bytes, (void)stream;
    if ((void *)function != &the_kernel || extra) {
        return hipErrorInvalidHandle;
    }
    if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 ||
        !device_stub_vector_add(grid_x, block_x, arguments)) {
        return hipErrorInvalidValue;
    }
    return hipSuccess;
}
