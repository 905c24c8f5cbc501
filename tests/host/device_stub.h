/* A device for tests of host programs on machines without one: memory is the host's, and the only kernels it
 * can run are the examples vector_add and matmul, recognised by name and computed in C. The three stub libraries
 * (cuda_stub.c, cudart_stub.c, hip_stub.c) answer the calls that the programs under examples/host and the
 * generated headers make. */
#ifndef TESTS_HOST_DEVICE_STUB_H
#define TESTS_HOST_DEVICE_STUB_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the image is one that tkc writes for this kind of device: PTX text that holds a visible entry of
 * this name, or an ELF file that holds the name. */
bool device_stub_has_kernel(const void *image, const char *name);

/* Runs vector_add(x, y, z, n) for a launch; false where the launch's shape does not cover n elements or a
 * block is not that of the compiled kernel (128 threads on NVIDIA, 256 on AMD's wave64). */
bool device_stub_vector_add(unsigned blocks, unsigned threads, void **arguments);

/* A tensor map as the stub's encoder leaves it. */
struct device_stub_map {
    unsigned long long address, sizes[5], strides[4];
    unsigned box[5], rank;
};

/* Runs matmul(a, b, c, M, N, K, strides) for a launch. `image` is its PTX, which says what parameters follow: maps are
 * believed when they describe one of the three matrices, 32-bit integers when they are sides of a grid with as many
 * programs as there are blocks, or more. */
bool device_stub_matmul(const char *image, unsigned blocks, unsigned threads, void **arguments);

#endif
