/* The CUDA driver API as far as the example programs and the generated headers call it, on the stub device.
 * One device, one context, streams that have always finished. Deliberately strict: a handle that was not
 * given out here, or a call without a current context, is an error as with a real driver. */
#include <cuda.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_stub.h"

struct CUctx_st {
    int retained;
};
struct CUmod_st {
    char *image;
};

static struct CUctx_st primary;
static CUcontext current;

CUresult cuInit(unsigned flags) {
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version) {
    *version = 13000;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = error == CUDA_SUCCESS ? "no error" : "an error of the stub device";
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    *device = 0;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    snprintf(name, (size_t)size, "the stub device");
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = 9;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = 0;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = 232448;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
        *value = 49152;
        break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = 132;
        break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
        *value = 32;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
        *value = 2147483647;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
        *value = 65535;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
        *value = 65535;
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    primary.retained++;
    *context = &primary;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    if (device != 0 || primary.retained == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary.retained == 0)
        current = NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    *context = current;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    if (!context && !current)
        return CUDA_ERROR_INVALID_CONTEXT;
    *id = 1;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    *device = 0;
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxSynchronize(void) {
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuStreamSynchronize(CUstream stream) {
    (void)stream;
    return cuCtxSynchronize();
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
    (void)stream;
    *context = current;
    return cuCtxSynchronize();
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
    void *memory = current && bytes ? aligned_alloc(256, (bytes + 255) / 256 * 256) : NULL;
    *pointer = (CUdeviceptr)(size_t)memory;
    return memory ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemFree(CUdeviceptr pointer) {
    free((void *)(size_t)pointer);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD(CUdeviceptr target, const void *source, size_t bytes) {
    memcpy((void *)(size_t)target, source, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH(void *target, CUdeviceptr source, size_t bytes) {
    memcpy(target, (const void *)(size_t)source, bytes);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    if (!current || !device_stub_has_kernel(image, "vector_add"))
        return CUDA_ERROR_INVALID_IMAGE;
    *module = calloc(1, sizeof **module);
    return *module ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                            void **values) {
    (void)count, (void)options, (void)values;
    return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
    static char text[1 << 20]; /* a static buffer is a zero-terminated one */
    FILE *file = fopen(path, "rb");
    if (!file)
        return CUDA_ERROR_FILE_NOT_FOUND;
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    return cuModuleLoadData(module, text);
}

/* There is one kernel, so its handle says nothing but that it was asked for by name. */
static char the_kernel;

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    *function = (CUfunction)(void *)&the_kernel;
    return module && strcmp(name, "vector_add") == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleUnload(CUmodule module) {
    free(module);
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values,
                           unsigned option_count, CUlibraryOption *library_options, void **library_values,
                           unsigned library_option_count) {
    (void)options, (void)values, (void)option_count;
    (void)library_options, (void)library_values, (void)library_option_count;
    return cuModuleLoadData((CUmodule *)(void *)library, image);
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    return cuModuleGetFunction((CUfunction *)(void *)kernel, (CUmodule)(void *)library, name);
}

CUresult cuLibraryUnload(CUlibrary library) {
    return cuModuleUnload((CUmodule)(void *)library);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    *function = (CUfunction)(void *)kernel;
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    (void)attribute, (void)value;
    return (void *)function == (void *)&the_kernel ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    (void)device;
    return cuFuncSetAttribute((CUfunction)(void *)kernel, attribute, value);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **arguments, void **extra) {
    (void)shared_bytes, (void)stream;
    if (!current || (void *)function != (void *)&the_kernel || extra)
        return CUDA_ERROR_INVALID_HANDLE;
    if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 ||
        !device_stub_vector_add(grid_x, block_x, arguments))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}
