/* vector_add through the CUDA runtime API: the PTX is loaded as a library, its kernel launched by
 * cudaLaunchKernel.
 *
 *     tkc vector_add.tk -o add.ptx
 *     cc vector_add_runtime.c -I/usr/local/cuda/include -L/usr/local/cuda/lib64 -lcudart -o
 * vector_add_runtime
 *     ./vector_add_runtime [add.ptx] */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 512, BLOCK = 1024, WARPS = 4 };

static void check(cudaError_t result, const char *what) {
    if (result == cudaSuccess) {
        return;
    }
    fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(result));
    exit(1);
}

/* The whole file as a string with a final zero, the loader's form of PTX. */
static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    long size = ftell(file);
    rewind(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "error: cannot read %s\n", path);
        exit(1);
    }
    text[size] = 0;
    fclose(file);
    return text;
}

int main(int argc, char **argv) {
    char *image = read_text(argc > 1 ? argv[1] : "add.ptx");
    cudaLibrary_t library;
    cudaKernel_t kernel;
    check(cudaLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0), "loading the PTX");
    check(cudaLibraryGetKernel(&kernel, library, "vector_add"), "finding the kernel vector_add");

    float x[N], y[N], z[N];
    for (int i = 0; i < N; i++) {
        x[i] = y[i] = (float)i;
    }
    void *device_x, *device_y, *device_z;
    check(cudaMalloc(&device_x, sizeof x), "allocating x");
    check(cudaMalloc(&device_y, sizeof y), "allocating y");
    check(cudaMalloc(&device_z, sizeof z), "allocating z");
    check(cudaMemcpy(device_x, x, sizeof x, cudaMemcpyHostToDevice), "copying x");
    check(cudaMemcpy(device_y, y, sizeof y, cudaMemcpyHostToDevice), "copying y");

    int n = N;
    void *arguments[] = {&device_x, &device_y, &device_z, &n};
    dim3 grid = {(N + BLOCK - 1) / BLOCK, 1, 1}, block = {WARPS * 32, 1, 1};
    check(cudaLaunchKernel((const void *)kernel, grid, block, arguments, 0, NULL), "launching");
    check(cudaMemcpy(z, device_z, sizeof z, cudaMemcpyDeviceToHost), "copying z back");

    for (int i = 0; i < N; i++) {
        printf("%f + %f = %f\n", x[i], y[i], z[i]);
    }
    cudaFree(device_x);
    cudaFree(device_y);
    cudaFree(device_z);
    cudaLibraryUnload(library);
    free(image);
    return 0;
}
