/* The host's time for a launch through a generated header, against the same launch by cuLaunchKernel.
 *
 *     tkc matmul.tk --target sm_90a --config 7 -o one.ptx; tkc matmul.tk --target sm_90a --tuned keys.json -o many.ptx
 *     cc -O2 -DHEADER='"many.h"' launches.c -I. -I<tkc>/include -I/usr/local/cuda/include -lcuda -o launches
 *     ./launches LABEL [KEYS]
 *
 * Products of M × 64 × 64 for KEYS values of M (1), with choices from `keys.py`. The header's launches are
 * recorded once, with the function and every argument, hidden ones too. Then batches of both kinds take
 * turns: one key again and again, and all keys in turn. Nothing waits inside a batch, and no batch fills the
 * driver's queue. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TKC_RUNTIME_CUDA_DRIVER
#include "../../examples/host/example.h"

enum { MOST_KEYS = 100, MOST_ARGUMENTS = 64, BATCH = 300, BATCHES = 201 };

struct recorded {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    _Alignas(64) unsigned char values[MOST_ARGUMENTS][128]; /* a tensor map is the largest */
    void *arguments[MOST_ARGUMENTS];
};

static struct recorded *recording;

static CUresult launch_recorded(const struct recorded *launch, CUstream stream) {
    return cuLaunchKernel(launch->function, launch->grid[0], launch->grid[1], launch->grid[2],
                          launch->block[0], launch->block[1], launch->block[2], launch->shared, stream,
                          (void **)launch->arguments, NULL);
}

static void record(struct recorded *to, CUfunction function, void **arguments) {
    size_t offset, size;
    to->function = function;
    for (size_t i = 0; i < MOST_ARGUMENTS && cuFuncGetParamInfo(function, i, &offset, &size) == CUDA_SUCCESS;
         i++) {
        memcpy(to->values[i], arguments[i], size < 128 ? size : 128);
        to->arguments[i] = to->values[i];
    }
}

static inline CUresult launch_seen(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                                   unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
                                   void **arguments, void **extra) {
    if (__builtin_expect(recording != NULL, 0)) {
        record(recording, function, arguments);
        memcpy(recording->grid, (unsigned[]){x, y, z}, sizeof recording->grid);
        memcpy(recording->block, (unsigned[]){block_x, block_y, block_z}, sizeof recording->block);
        recording->shared = shared;
    }
    return cuLaunchKernel(function, x, y, z, block_x, block_y, block_z, shared, stream, arguments, extra);
}

#define cuLaunchKernel launch_seen
#include HEADER
#undef cuLaunchKernel

static struct recorded launches[MOST_KEYS];
static CUdeviceptr a, b, c;
static CUstream stream;

static CUresult launch(int key) {
    return matmul_launch(stream, a, b, c, 16 * (key + 1), 64, 64, 64, 1, 64, 1, 64, 1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* Microseconds of a launch, over a batch. */
static double batch(int header, int keys) {
    CUresult result = CUDA_SUCCESS;
    double start = now();
    if (header) {
        for (int i = 0; i < BATCH && result == CUDA_SUCCESS; i++) {
            result = launch(keys > 1 ? i % keys : 0);
        }
    } else {
        for (int i = 0; i < BATCH && result == CUDA_SUCCESS; i++) {
            result = launch_recorded(&launches[keys > 1 ? i % keys : 0], stream);
        }
    }
    start = (now() - start) / BATCH;
    check(result, "launching");
    check(cuStreamSynchronize(stream), "waiting");
    return start;
}

static int compare(const void *left, const void *right) {
    double x = *(const double *)left, y = *(const double *)right;
    return (x > y) - (x < y);
}

static double median(double *times) {
    qsort(times, BATCHES, sizeof *times, compare);
    return times[BATCHES / 2];
}

static double race(const char *label, int keys, double allowed) {
    static double raw[BATCHES], header[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        int first = i % 2;
        (first ? header : raw)[i] = batch(first, keys);
        (first ? raw : header)[i] = batch(!first, keys);
    }
    double by_driver = median(raw), by_header = median(header);
    printf("launches: %s, %d key%s in turn: cuLaunchKernel %.2f us, header %.2f us: %.3f of it (at most "
           "%.2f)%s\n",
           label, keys, keys == 1 ? "" : "s", by_driver, by_header, by_header / by_driver, allowed,
           by_header / by_driver <= allowed ? "" : " EXCEEDED");
    return by_header / by_driver - allowed;
}

int main(int argc, char **argv) {
    int keys = argc > 2 ? atoi(argv[2]) : 1, missed = 0;
    double allowed = keys > 1 ? 1.2 : 1.1;
    CUdevice device;
    CUcontext context;
    if (argc < 2 || keys < 1 || keys > MOST_KEYS) {
        fprintf(stderr, "usage: launches LABEL [KEYS (1 to %d)]\n", MOST_KEYS);
        return 2;
    }
    check(cuInit(0), "starting the CUDA driver");
    check(cuDeviceGet(&device, 0), "finding a device");
    check(cuDevicePrimaryCtxRetain(&context, device), "making a context");
    check(cuCtxSetCurrent(context), "choosing the context");
    check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a stream");
    check(cuMemAlloc(&a, 1 << 20), "allocating memory");
    check(cuMemAlloc(&b, 1 << 20), "allocating memory");
    check(cuMemAlloc(&c, 1 << 20), "allocating memory");
    check(matmul_load(), "loading");
    for (int i = 0; i < keys; i++) {
        recording = &launches[i];
        check(launch(i), "launching");
    }
    recording = NULL;
    check(cuStreamSynchronize(stream), "waiting");
    missed += race(argv[1], 1, allowed) > 0;
    if (keys > 1) {
        missed += race(argv[1], keys, allowed) > 0;
    }
    return missed;
}
