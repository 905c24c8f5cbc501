/* The CUDA runtime API as far as examples/host/vector_add_runtime.c calls it, on the stub device. */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "device_stub.h"

static char the_library, the_kernel;

const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaSuccess ? "no error" : "an error of the stub device";
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *options,
                                void **values, unsigned option_count, enum cudaLibraryOption *library_options,
                                void **library_values, unsigned library_option_count) {
    (void)options, (void)values, (void)option_count;
    (void)library_options, (void)library_values, (void)library_option_count;
    *library = (cudaLibrary_t)(void *)&the_library;
    return device_stub_has_kernel(code, "vector_add") ? cudaSuccess : cudaErrorInvalidKernelImage;
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
    *kernel = (cudaKernel_t)(void *)&the_kernel;
    return (void *)library == &the_library && strcmp(name, "vector_add") == 0 ? cudaSuccess
                                                                              : cudaErrorSymbolNotFound;
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    return (void *)library == &the_library ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    *pointer = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *pointer) {
    free(pointer);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *target, const void *source, size_t bytes, enum cudaMemcpyKind kind) {
    (void)kind;
    memcpy(target, source, bytes);
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream) {
    (void)shared_bytes, (void)stream;
    if (function != &the_kernel) {
        return cudaErrorInvalidDeviceFunction;
    }
    return device_stub_vector_add(grid.x, block.x, arguments) ? cudaSuccess : cudaErrorInvalidConfiguration;
}
