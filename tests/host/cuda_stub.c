/* The part of the CUDA driver API used by the example programs and the generated headers, on the stub device.
 * One device, one context, streams without pending work. Deliberately strict: an unknown handle, or a call
 * without a current context, is an error as with a real driver. */
#include <cuda.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_stub.h"

_Static_assert(sizeof(struct device_stub_map) <= sizeof(CUtensorMap), "a map holds what the stub notes");

struct CUctx_st {
    int retained;
};
struct CUfunc_st {
    char kernel; /* 'v' or 'm'; 0: not in this module */
    const char *image;
};
struct CUmod_st {
    char *image; /* of PTX: the text */
    struct CUfunc_st functions[2];
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
    if (device != 0) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
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
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
        *value = 233472;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        *value = 2048;
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
    if (device != 0 || primary.retained == 0) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (--primary.retained == 0) {
        current = NULL;
    }
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
    if (!context && !current) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
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

CUresult cuMemcpyHtoDAsync(CUdeviceptr target, const void *source, size_t bytes, CUstream stream) {
    (void)stream;
    return cuMemcpyHtoD(target, source, bytes);
}

CUresult cuMemcpyDtoHAsync(void *target, CUdeviceptr source, size_t bytes, CUstream stream) {
    (void)stream;
    return cuMemcpyDtoH(target, source, bytes);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    bool adds = device_stub_has_kernel(image, "vector_add"),
         multiplies = device_stub_has_kernel(image, "matmul");
    if (!current || (!adds && !multiplies)) {
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *module = calloc(1, sizeof **module);
    if (!*module) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    (*module)->image = memcmp(image, "\177ELF", 4) ? strdup(image) : NULL;
    for (int i = 0; i < 2; i++) {
        (*module)->functions[i] = (struct CUfunc_st){i      ? multiplies ? 'm' : 0
                                                     : adds ? 'v'
                                                            : 0,
                                                     (*module)->image};
    }
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                            void **values) {
    (void)count, (void)options, (void)values;
    return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
    static char text[1 << 20]; /* a static buffer is a zero-terminated one */
    FILE *file = fopen(path, "rb");
    if (!file) {
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    return cuModuleLoadData(module, text);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    if (!module || (strcmp(name, "vector_add") && strcmp(name, "matmul"))) {
        return CUDA_ERROR_NOT_FOUND;
    }
    *function = &module->functions[name[0] == 'm'];
    return (*function)->kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleUnload(CUmodule module) {
    free(module->image);
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
    return function->kernel ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    (void)device;
    return cuFuncSetAttribute((CUfunction)(void *)kernel, attribute, value);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **arguments, void **extra) {
    (void)shared_bytes, (void)stream;
    if (!current || !function->kernel || extra) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    bool good = grid_y == 1 && grid_z == 1 && block_y == 1 && block_z == 1;
    good = good && (function->kernel == 'm'
                        ? function->image && device_stub_matmul(function->image, grid_x, block_x, arguments)
                        : device_stub_vector_add(grid_x, block_x, arguments));
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra) {
    return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                          config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream,
                          arguments, extra);
}

/* As strict as cuda.h says the driver is. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
    struct device_stub_map made = {.address = (unsigned long long)(size_t)address, .rank = rank};
    bool good = current && type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && rank >= 1 && rank <= 5 &&
                interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && swizzle <= CU_TENSOR_MAP_SWIZZLE_128B &&
                promotion == CU_TENSOR_MAP_L2_PROMOTION_L2_256B &&
                fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && (size_t)map % 64 == 0 && made.address &&
                made.address % 16 == 0;
    for (cuuint32_t i = 0; good && i < rank; i++) {
        made.sizes[i] = sizes[i];
        made.box[i] = box[i];
        good = sizes[i] && sizes[i] <= 1ull << 32 && box[i] && box[i] <= 256 && steps[i] == 1;
        if (i + 1 < rank) {
            made.strides[i] = strides[i];
            good = good && strides[i] % 16 == 0 && strides[i] < 1ull << 40;
        }
    }
    good = good && box[0] * 2 % 16 == 0 && (!swizzle || box[0] * 2 <= 16u << swizzle);
    if (good) {
        memcpy(map, &made, sizeof made);
    }
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemsetD8Async(CUdeviceptr pointer, unsigned char value, size_t bytes, CUstream stream) {
    (void)stream;
    memset((void *)(size_t)pointer, value, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t bytes) {
    memset((void *)(size_t)pointer, value, bytes);
    return CUDA_SUCCESS;
}
