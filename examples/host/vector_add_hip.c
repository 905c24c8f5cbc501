/* vector_add on an AMD GPU through HIP and the generated header.
 *
 *     tkc vector_add.tk --target gfx942 -o vector_add.hsaco
 *     cc vector_add_hip.c -I. -lamdhip64 -o vector_add_hip
 *     ./vector_add_hip */
#include "vector_add.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 512 };

static void check(hipError_t result, const char *what) {
    if (result == hipSuccess) {
        return;
    }
    fprintf(stderr, "error: %s: %s\n", what, hipGetErrorString(result));
    exit(1);
}

int main(void) {
    float x[N], y[N], z[N];
    for (int i = 0; i < N; i++) {
        x[i] = y[i] = (float)i;
    }
    void *device_x, *device_y, *device_z;
    check(hipMalloc(&device_x, sizeof x), "allocating x");
    check(hipMalloc(&device_y, sizeof y), "allocating y");
    check(hipMalloc(&device_z, sizeof z), "allocating z");
    check(hipMemcpy(device_x, x, sizeof x, hipMemcpyHostToDevice), "copying x");
    check(hipMemcpy(device_y, y, sizeof y, hipMemcpyHostToDevice), "copying y");

    hipStream_t stream = NULL;
    check(vector_add_launch(stream, device_x, device_y, device_z, N), "launching");
    check(hipMemcpy(z, device_z, sizeof z, hipMemcpyDeviceToHost), "copying z back");

    for (int i = 0; i < N; i++) {
        printf("%f + %f = %f\n", x[i], y[i], z[i]);
    }
    vector_add_unload();
    (void)hipFree(device_x);
    (void)hipFree(device_y);
    (void)hipFree(device_z);
    return 0;
}
