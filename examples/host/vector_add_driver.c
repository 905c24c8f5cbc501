/* vector_add through the CUDA driver API, from a PTX file on disk: the work of a launcher, step by step,
 * without the generated header.
 *
 *     tkc vector_add.tk -o add.ptx
 *     cc vector_add_driver.c -I/usr/local/cuda/include -lcuda -o vector_add_driver
 *     ./vector_add_driver [add.ptx]
 *
 * The kernel's parameters are the non-constexpr parameters of its source, in order. A block has 32 threads
 * per warp; the grid is that of vector_add.grid, one block per BLOCK elements. add.json lists all of this. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 512, BLOCK = 1024, WARPS = 4 };

static void check(CUresult result, const char *what) {
    if (result == CUDA_SUCCESS) {
        return;
    }
    const char *text = NULL;
    cuGetErrorString(result, &text);
    fprintf(stderr, "error: %s: %s\n", what, text ? text : "unknown error");
    exit(1);
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "add.ptx";
    CUdevice device;
    CUcontext context;
    check(cuInit(0), "starting the CUDA driver");
    check(cuDeviceGet(&device, 0), "finding a device");
    check(cuDevicePrimaryCtxRetain(&context, device), "making a context");
    check(cuCtxSetCurrent(context), "choosing the context");

    CUmodule module;
    CUfunction kernel;
    check(cuModuleLoad(&module, path), path);
    check(cuModuleGetFunction(&kernel, module, "vector_add"), "finding the kernel vector_add");

    float x[N], y[N], z[N];
    for (int i = 0; i < N; i++) {
        x[i] = y[i] = (float)i;
    }
    CUdeviceptr device_x, device_y, device_z;
    check(cuMemAlloc(&device_x, sizeof x), "allocating x");
    check(cuMemAlloc(&device_y, sizeof y), "allocating y");
    check(cuMemAlloc(&device_z, sizeof z), "allocating z");
    check(cuMemcpyHtoD(device_x, x, sizeof x), "copying x");
    check(cuMemcpyHtoD(device_y, y, sizeof y), "copying y");

    int n = N;
    void *arguments[] = {&device_x, &device_y, &device_z, &n};
    unsigned blocks = (N + BLOCK - 1) / BLOCK, shared_bytes = 0;
    check(cuLaunchKernel(kernel, blocks, 1, 1, WARPS * 32, 1, 1, shared_bytes, NULL, arguments, NULL),
          "launching");
    check(cuMemcpyDtoH(z, device_z, sizeof z), "copying z back");

    for (int i = 0; i < N; i++) {
        printf("%f + %f = %f\n", x[i], y[i], z[i]);
    }
    cuMemFree(device_x);
    cuMemFree(device_y);
    cuMemFree(device_z);
    cuModuleUnload(module);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
