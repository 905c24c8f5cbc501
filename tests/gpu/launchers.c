/* A launcher of each runtime on a GPU: matmul with its variants, tensor maps and choices, launched, captured, tuned and unloaded.
 *
 *     tkc matmul.tk --runtime dynamic --target sm_90a,gfx942 -o matmul.ptx -o matmul.hsaco
 *     cc -O2 -DTKC_RUNTIME_DYNAMIC launchers.c -I. -I<tkc>/include -ldl -o launchers
 *
 *     tkc matmul.tk --runtime cuda-driver --target sm_90a -o matmul.ptx              -DTKC_RUNTIME_CUDA_DRIVER, -lcuda
 *     tkc matmul.tk --runtime cuda-runtime --target sm_90a -o matmul.ptx             -DTKC_RUNTIME_CUDA_RUNTIME, -lcudart
 *
 * Small whole numbers in fp16: results are exact. C99 that is C++17 too; nvcc compiles it as well. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tkc/tkc_runtime.h>

#include "matmul.h"

#if defined(TKC_RUNTIME_DYNAMIC)
#define ADDRESS(memory) (memory)
#define INVALID 1
#else
#define ADDRESS(memory) ((CUdeviceptr)(uintptr_t)(memory))
#define INVALID CUDA_ERROR_INVALID_VALUE
#endif

enum { MOST = 4096 * 256, BATCH = 300 };

static int failures;
static tkc_pointer device_a, device_b, device_c;
static uint16_t a[MOST], b[MOST], c[MOST];

static void check(int result, const char *what) {
    if (result != 0) {
        fprintf(stderr, "error: %s: %d\n", what, result);
        exit(1);
    }
}

static void expect(int good, const char *what) {
    failures += !good;
    if (!good) {
        printf("launchers: not so: %s\n", what);
    }
}

/* Of whole numbers from 0 to 2048. */
static uint16_t half_of(unsigned number) {
    unsigned shift = 0;
    if (number == 0) {
        return 0;
    }
    while (number << shift < 2048u) {
        shift++;
    }
    return (uint16_t)((26u - shift) << 10 | ((number << shift >> 1) & 1023u));
}

static unsigned element(unsigned row, unsigned column, unsigned salt) {
    return (row * 7u + column * 3u + row * column + salt) % 4u;
}

static int launch(tkc_stream stream, int m, int n, int k) {
    return (int)matmul_launch(stream, ADDRESS(device_a), ADDRESS(device_b), ADDRESS(device_c), m, n, k, k, 1,
                              n, 1, n, 1);
}

static void fill(int m, int n, int k) {
    int i, j;
    for (i = 0; i < m; i++) {
        for (j = 0; j < k; j++) {
            a[i * k + j] = half_of(element((unsigned)i, (unsigned)j, 0));
        }
    }
    for (i = 0; i < k; i++) {
        for (j = 0; j < n; j++) {
            b[i * n + j] = half_of(element((unsigned)i, (unsigned)j, 1));
        }
    }
    check((int)tkc_copy_to_device(device_a, a, sizeof a, NULL), "copying a");
    check((int)tkc_copy_to_device(device_b, b, sizeof b, NULL), "copying b");
    check((int)tkc_fill(device_c, 0xff, sizeof c, NULL), "clearing c");
    check((int)tkc_stream_wait(NULL), "copying");
}

/* Of some rows and all of their columns. */
static int is_right(int m, int n, int k) {
    int i, j, l, wrong = 0;
    check((int)tkc_copy_from_device(c, device_c, sizeof c, NULL), "copying c");
    check((int)tkc_stream_wait(NULL), "copying c");
    for (i = 0; i < m; i += 1 + m / 40) {
        for (j = 0; j < n; j++) {
            unsigned sum = 0;
            for (l = 0; l < k; l++) {
                sum += element((unsigned)i, (unsigned)l, 0) * element((unsigned)l, (unsigned)j, 1);
            }
            wrong += c[i * n + j] != half_of(sum);
        }
    }
    return wrong == 0;
}

static void check_shapes(tkc_stream stream) {
    static const int shapes[][3] = {
        {200, 272, 80}, {1, 256, 128}, {512, 512, 128}, {4096, 256, 64}, {200, 272, 0}};
    size_t i;
    for (i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        int m = shapes[i][0], n = shapes[i][1], k = shapes[i][2];
        unsigned variant = 0;
        fill(m, n, k);
        check(launch(stream, m, n, k), "launching");
        check((int)tkc_stream_wait(stream), "waiting");
        check((int)matmul_pick(&variant, ADDRESS(device_a), ADDRESS(device_b), ADDRESS(device_c), m, n, k, k,
                               1, n, 1, n, 1),
              "picking");
        expect(is_right(m, n, k), matmul_variant_name(variant));
    }
    expect(launch(stream, 200, 272, 72) == 1, "K = 72 breaks a hint");
    expect(strlen(matmul_strerror(INVALID)) > 0, "an invalid value has a text");
}

static void check_graph(tkc_stream stream) {
    tkc_graph_exec graph;
    fill(200, 272, 80);
    check((int)tkc_capture_begin(stream), "capturing");
    check(launch(stream, 200, 272, 80), "launching in a capture");
    check((int)tkc_capture_end(stream, &graph), "capturing");
    check((int)tkc_graph_launch(graph, stream), "replaying");
    check((int)tkc_stream_wait(stream), "waiting");
    expect(is_right(200, 272, 80), "what a graph computes");
    check((int)tkc_graph_destroy(graph), "removing the graph");
}

static void check_tuning(tkc_stream stream) {
    fill(512, 512, 128);
    check((int)matmul_tune(stream, ADDRESS(device_a), ADDRESS(device_b), ADDRESS(device_c), 512, 512, 128,
                           128, 1, 512, 1, 512, 1),
          "tuning");
    printf("launchers: %s\n", matmul_tune_report());
    expect(is_right(512, 512, 128), "what tuning leaves");
    check((int)matmul_unload(), "unloading");
    check((int)matmul_load(), "loading again");
}

static double now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* Microseconds of the host, the least of some batches small enough for the device's queue. */
static double cost(tkc_stream stream) {
    double least = 1e9;
    int i, j;
    for (i = 0; i < 50; i++) {
        double spent, start = now();
        for (j = 0; j < BATCH; j++) {
            check(launch(stream, 200, 272, 80), "launching");
        }
        spent = (now() - start) / BATCH;
        least = spent < least ? spent : least;
        check((int)tkc_stream_wait(stream), "waiting");
    }
    return least;
}

int main(void) {
    tkc_stream stream;
    char name[128];
    check((int)tkc_device_use(0), "choosing the device");
    check((int)tkc_device_name(0, name, sizeof name), "asking for the name");
    check((int)tkc_memory_allocate(&device_a, sizeof a), "allocating");
    check((int)tkc_memory_allocate(&device_b, sizeof b), "allocating");
    check((int)tkc_memory_allocate(&device_c, sizeof c), "allocating");
    check((int)tkc_stream_create(&stream), "making a stream");
    check((int)matmul_load(), "loading");
    check_shapes(stream);
    check_graph(stream);
    check_tuning(stream);
    printf("launchers: %s, a launch %.2f us of the host: %d failures\n", name, cost(stream), failures);
    check((int)matmul_unload(), "unloading");
    return failures != 0;
}
