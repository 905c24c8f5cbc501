/* A cooperative launch: all programs of the grid are on the device at once, and meet at a barrier of atomics
 * inside the kernel.
 *
 *     tkc together.tk --target sm_90 -o together.ptx
 *     cc cooperative.c -I<tkc>/include -I/usr/local/cuda/include -lcuda -o cooperative
 *     ./cooperative [together.ptx]
 *
 * The grid is as many blocks as the device holds. The driver refuses a cooperative launch of more; a plain
 * one would hang. */
#define TKC_RUNTIME_CUDA_DRIVER
#include "example.h"

#include <math.h>

enum { N = 3000001, THREADS = 128, RUNS = 100 };

static unsigned resident_blocks(CUfunction kernel) {
    int blocks, multiprocessors;
    check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, THREADS, 0),
          "asking for the occupancy");
    check(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0),
          "counting multiprocessors");
    return (unsigned)(blocks * multiprocessors);
}

int main(int argc, char **argv) {
    static float x[N], y[N];
    double total = 0, worst = 0;
    use_device(0);
    CUfunction normalise = find_kernel(argc > 1 ? argv[1] : "together.ptx", "normalise");
    unsigned blocks = resident_blocks(normalise);
    CUdeviceptr device_x = allocate(sizeof x), device_y = allocate(sizeof y);
    CUdeviceptr parts = allocate(blocks * sizeof(float)), arrived = allocate(sizeof(int));
    CUstream stream = make_stream();
    for (int i = 0; i < N; i++) {
        total += (double)(x[i] = (float)(i % 7 + 1));
    }
    copy_in(device_x, x, sizeof x);

    int n = N;
    void *arguments[] = {&device_x, &device_y, &parts, &arrived, &n};
    unsigned shared_bytes = 48; /* dynamic_shared_bytes of the JSON */
    struct stopwatch watch = start_stopwatch(stream);
    for (int i = 0; i < RUNS; i++) {
        check(cuMemsetD32Async(arrived, 0, 1, stream), "clearing the counter");
        check(cuLaunchCooperativeKernel(normalise, blocks, 1, 1, THREADS, 1, 1, shared_bytes, stream,
                                        arguments),
              "launching");
    }
    double spent = 1e3 * stop_milliseconds(&watch) / RUNS;
    CUresult refused = cuLaunchCooperativeKernel(normalise, blocks + 1, 1, 1, THREADS, 1, 1, shared_bytes,
                                                 stream, arguments);
    copy_out(y, device_y, sizeof y);
    for (int i = 0; i < N; i++) {
        worst = fmax(worst, fabs((double)y[i] * total / (double)x[i] - 1));
    }
    printf("cooperative: %u blocks meet in a kernel of %.2f us, %u are %s: error at most %.1g\n", blocks,
           spent, blocks + 1, refused == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE ? "refused" : "NOT REFUSED",
           worst);
    return !(worst < 1e-5 && refused == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}
