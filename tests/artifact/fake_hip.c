/* The HIP runtime API as far as launchers call it, recording. */
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#include <string.h>

#include "fake.h"

struct fake fake;
static const char *const names[] = {"add", "fill"};

hipError_t hipGetDevice(int *device) {
    *device = fake.device;
    return hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
    (void)device;
    memset(properties, 0, sizeof *properties);
    strcpy(properties->gcnArchName, fake.chip);
    strcpy(properties->name, fake.name ? fake.name : "fake");
    properties->multiProcessorCount = fake.multiprocessors;
    return hipSuccess;
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    __atomic_fetch_add(&fake.loads, 1, __ATOMIC_SEQ_CST);
    fake.image = image;
    *module = (hipModule_t)(void *)&fake;
    return hipSuccess;
}

hipError_t hipModuleUnload(hipModule_t module) {
    __atomic_fetch_add(&fake.unloads, 1, __ATOMIC_SEQ_CST);
    return (void *)module == &fake ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
    (void)module;
    __atomic_fetch_add(&fake.lookups, 1, __ATOMIC_SEQ_CST);
    *function = (hipFunction_t)(void *)&names[strcmp(name, names[0]) != 0];
    return hipSuccess;
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                                 unsigned block_y, unsigned block_z, unsigned shared, hipStream_t stream,
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
    return extra ? hipErrorInvalidValue : hipSuccess;
}
