/* A device for tests of host programs on machines without one. Its memory is the host's, and it runs only the
 * example kernels vector_add and matmul, recognised by name and computed in C. The three stub libraries
 * (cuda_stub.c, cudart_stub.c, hip_stub.c) answer the calls of the programs under examples/host and of the
 * generated headers. */
#ifndef TESTS_HOST_DEVICE_STUB_H
#define TESTS_HOST_DEVICE_STUB_H

#include <stdbool.h>
#include <stddef.h>

/* True for an image from tkc for this kind of device: PTX text with a visible entry of this name, or an ELF
 * file with the name. */
bool device_stub_has_kernel(const void *image, const char *name);

/* Runs vector_add(x, y, z, n) for a launch; false if its grid does not cover n elements or its block differs
 * from the compiled kernel's (128 threads on NVIDIA, 256 on AMD's wave64). */
bool device_stub_vector_add(unsigned blocks, unsigned threads, void **arguments);

/* A tensor map as the stub's encoder leaves it. */
struct device_stub_map {
    unsigned long long address, sizes[5], strides[4];
    unsigned box[5], rank;
};

/* Runs matmul(a, b, c, M, N, K, strides) for a launch. `image` is its PTX, with the hidden parameters: a map
 * must describe one of the three matrices, and 32-bit integers must be sides of a grid with at least as many
 * programs as blocks. */
bool device_stub_matmul(const char *image, unsigned blocks, unsigned threads, void **arguments);

#endif
