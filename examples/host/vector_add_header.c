/* vector_add through the generated header: the image, the grid, the block size and the checks are all inside
 * it.
 *
 *     tkc vector_add.tk -o vector_add.ptx
 *     cc vector_add_header.c -I. -I/usr/local/cuda/include -lcuda -o vector_add_header
 *     ./vector_add_header */
#include "vector_add.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 512 };

static void check(CUresult result, const char *what) {
    if (result == CUDA_SUCCESS) {
        return;
    }
    const char *text = NULL;
    cuGetErrorString(result, &text);
    fprintf(stderr, "error: %s: %s\n", what, text ? text : "unknown error");
    exit(1);
}

int main(void) {
    CUdevice device;
    CUcontext context;
    check(cuInit(0), "starting the CUDA driver");
    check(cuDeviceGet(&device, 0), "finding a device");
    check(cuDevicePrimaryCtxRetain(&context, device), "making a context");
    check(cuCtxSetCurrent(context), "choosing the context");

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

    CUstream stream = NULL;
    check(vector_add_launch(stream, device_x, device_y, device_z, N), "launching");
    check(cuMemcpyDtoH(z, device_z, sizeof z), "copying z back");

    for (int i = 0; i < N; i++) {
        printf("%f + %f = %f\n", x[i], y[i], z[i]);
    }
    vector_add_unload();
    cuMemFree(device_x);
    cuMemFree(device_y);
    cuMemFree(device_z);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
