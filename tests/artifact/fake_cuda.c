/* The CUDA driver API as far as launchers call it, recording. */
#include <cuda.h>
#include <string.h>

#include "fake.h"

struct fake fake;
static const char *const names[] = {"add", "fill"};

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    *id = fake.context_id;
    return context == NULL && fake.context_id ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? fake.major : fake.minor;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    if (fake.fail_load) {
        return CUDA_ERROR_INVALID_PTX;
    }
    __atomic_fetch_add(&fake.loads, 1, __ATOMIC_SEQ_CST);
    fake.image = image;
    *module = (CUmodule)&fake;
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
    __atomic_fetch_add(&fake.unloads, 1, __ATOMIC_SEQ_CST);
    return module == (CUmodule)&fake ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    (void)module;
    __atomic_fetch_add(&fake.lookups, 1, __ATOMIC_SEQ_CST);
    *function = (CUfunction)(void *)&names[strcmp(name, names[0]) != 0];
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    (void)function;
    fake.limit = attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? value : -1;
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
                        void **arguments, void **extra) {
    (void)stream;
    __atomic_fetch_add(&fake.launches, 1, __ATOMIC_SEQ_CST);
    if (fake.seen) {
        fake.kernel = *(const char **)(void *)function;
        fake.grid[0] = x;
        fake.grid[1] = y;
        fake.grid[2] = z;
        fake.threads = block_x * block_y * block_z;
        fake.shared = shared;
        fake.seen(arguments);
    }
    return extra ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
