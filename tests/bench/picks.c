/* The picks of matmul.tk's launcher, against every configuration compiled alone.
 *
 *     tkc matmul.tk --target sm_90a -o matmul.ptx; for I in 0 … 11: tkc matmul.tk --target sm_90a --config I -o I.ptx
 *     cc -O2 -fPIC -shared -fvisibility=hidden -DHEADER='"I.h"' -x c single.inc -I. -lcuda -o I.so
 *     cc -O2 -DHEADER='"matmul.h"' picks.c -I. -I<tkc>/include -I/usr/local/cuda/include -lcuda -ldl -lm -o picks
 *     for I: ./picks CHOICES.json --warm I I.so & done; wait; ./picks CHOICES.json 0.so … 11.so
 *
 * For 20 shapes: the cost rule's pick without a choice; k_tune; then each configuration by its own header, the
 * tuned launch and the variant of the rule, as graphs of many launches that take turns in changing order; medians. Results
 * are compared with sums of the host. With --replay the header was compiled from the choices (tkc --tuned): nothing is
 * tuned, its picks must be the file's, and the file is written again to the same bytes. */
#define _GNU_SOURCE
#include <cuda.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TKC_RUNTIME_CUDA_DRIVER
#include "../../examples/host/example.h"

#include HEADER

enum { MOST_SINGLES = 32, ROUNDS = 21, LEFT = 8192 };

static const int shapes[][3] = {
    {512, 512, 512},    {1024, 1024, 1024}, {1536, 1536, 1536}, {2048, 2048, 2048}, {3072, 3072, 3072},
    {4096, 4096, 4096}, {8192, 8192, 8192}, {1, 8192, 8192},    {16, 4096, 4096},   {32, 14336, 4096},
    {64, 4096, 4096},   {128, 8192, 8192},  {8192, 128, 8192},  {256, 256, 8192},   {8192, 8192, 128},
    {777, 2064, 1040},  {1000, 1008, 1008}, {3333, 3344, 3328}, {4095, 4096, 4096}, {4096, 14336, 4096}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef CUresult (*single_function)(CUstream, CUdeviceptr, CUdeviceptr, CUdeviceptr, int, int, int);

/* A way to launch one shape, as a graph. */
struct entry {
    int kind; /* a single's index; TUNED or RULE */
    int launches;
    CUgraphExec graph;
    double samples[ROUNDS], time;
};
enum { TUNED = -1, RULE = -2 };

static CUdeviceptr a, b, c;
static CUstream stream;
static CUevent start, stop;
static single_function singles[MOST_SINGLES];
static int single_count;

static int value(size_t row, size_t column, int which) {
    return (int)((row * 7 + column * 13 + row * column % 11 + (size_t)which) % 5) - 2;
}

/* fp16 of a small integer. */
static unsigned short half(int number) {
    return tkc_half_bits((float)number);
}

static void fill(CUdeviceptr to, size_t rows, size_t columns, int which) {
    unsigned short *values = malloc(rows * columns * sizeof *values);
    if (!values) {
        exit(1);
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            values[i * columns + j] = half(value(i, j, which));
        }
    }
    check(cuMemcpyHtoD(to, values, rows * columns * sizeof *values), "copying to the device");
    free(values);
}

/* The wrong elements of c, compared with the host's sums, of 200 all over it. */
static int wrong_elements(int m, int n, int k) {
    int wrong = 0;
    for (int i = 0; i < 200; i++) {
        size_t row = (size_t)i * 7919 % (size_t)m, column = (size_t)i * 104729 % (size_t)n;
        unsigned short got;
        double want = 0;
        for (int d = 0; d < k; d++) {
            want += value(row, (size_t)d, 0) * value((size_t)d, column, 1);
        }
        check(cuMemcpyDtoH(&got, c + (row * (size_t)n + column) * 2, 2), "copying back");
        wrong += fabs(tkc_half_value(got) - want) > 1e-3 * fabs(want);
    }
    return wrong;
}

static CUresult launch(const struct entry *entry, const int *shape, unsigned rule) {
    int m = shape[0], n = shape[1], k = shape[2];
    if (entry->kind == TUNED) {
        return matmul_launch(stream, a, b, c, m, n, k, k, 1, n, 1, n, 1);
    }
    if (entry->kind == RULE) {
        return matmul_launch_variant(stream, rule, a, b, c, m, n, k, k, 1, n, 1, n, 1);
    }
    return singles[entry->kind](stream, a, b, c, m, n, k);
}

static double timed(CUgraphExec graph, int launches) {
    float milliseconds;
    check(cuEventRecord(start, stream), "recording");
    check(cuGraphLaunch(graph, stream), "launching a graph");
    check(cuEventRecord(stop, stream), "recording");
    check(cuEventSynchronize(stop), "waiting");
    check(cuEventElapsedTime(&milliseconds, start, stop), "reading the time");
    return 1e3 * (double)milliseconds / launches;
}

static CUgraphExec capture(const struct entry *entry, const int *shape, unsigned rule, int launches) {
    CUgraph graph;
    CUgraphExec made;
    check(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "capturing");
    for (int i = 0; i < launches; i++) {
        check(launch(entry, shape, rule), "launching in a capture");
    }
    check(cuStreamEndCapture(stream, &graph), "capturing");
    check(cuGraphInstantiate(&made, graph, 0), "making a graph");
    check(cuGraphDestroy(graph), "removing a graph");
    return made;
}

static int compare(const void *left, const void *right) {
    double x = *(const double *)left, y = *(const double *)right;
    return (x > y) - (x < y);
}

static void race(struct entry *entries, int count, const int *shape, unsigned rule) {
    unsigned random = 1;
    int order[MOST_SINGLES + 2];
    for (int i = 0; i < count; i++) {
        struct entry *entry = &entries[i];
        order[i] = i;
        check(launch(entry, shape, rule), "launching"); /* loads */
        entry->graph = capture(entry, shape, rule, 4);
        timed(entry->graph, 4);
        double once = timed(entry->graph, 4);
        check(cuGraphExecDestroy(entry->graph), "removing a graph");
        entry->launches = once > 400 ? 1 : once > 4 ? (int)(400 / once) : 100;
        entry->graph = capture(entry, shape, rule, entry->launches);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = count - 1; i > 0; i--) {
            random = random * 1664525u + 1013904223u;
            int j = (int)((random >> 8) % (unsigned)(i + 1)), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        for (int i = 0; i < count; i++) {
            entries[order[i]].samples[round] = timed(entries[order[i]].graph, entries[order[i]].launches);
        }
    }
    for (int i = 0; i < count; i++) {
        qsort(entries[i].samples, ROUNDS, sizeof(double), compare);
        entries[i].time = entries[i].samples[ROUNDS / 2];
        check(cuGraphExecDestroy(entries[i].graph), "removing a graph");
    }
}

static unsigned picked(const int *shape) {
    unsigned variant = 0;
    int m = shape[0], n = shape[1], k = shape[2];
    check(matmul_pick(&variant, a, b, c, m, n, k, k, 1, n, 1, n, 1), "picking");
    return variant;
}

/* True if the file of choices has a line for this device and shape with the configuration. */
static int says(const char *text, const char *device, const int *shape, const char *config) {
    char line[512];
    snprintf(line, sizeof line,
             "\"device\": \"%s\", \"key\": {\"M\": %d, \"N\": %d, \"K\": %d}, \"config\": \"%s\"", device,
             shape[0], shape[1], shape[2], config);
    return strstr(text, line) != NULL;
}

static int replay(const char *path) {
    char device[128];
    int differ = 0;
    check(cuDeviceGetName(device, sizeof device, 0), "asking for the name");
    char *text = contents(path);
    for (int i = 0; i < SHAPES; i++) {
        differ += !says(text, device, shapes[i], matmul_variant_name(picked(shapes[i])));
    }
    free(text);
    printf("picks: %d of %d choices of %s are not replayed\n", differ, (int)SHAPES, path);
    return differ != 0;
}

static void open_singles(int count, char **paths) {
    for (int i = 0; i < count && i < MOST_SINGLES; i++) {
        void *library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
        singles[i] = library ? (single_function)dlsym(library, "single_launch") : NULL;
        if (!singles[i]) {
            fprintf(stderr, "error: %s: %s\n", paths[i], dlerror());
            exit(1);
        }
    }
    single_count = count;
}

/* Makes the driver translate one variant and one single, and cache them: twelve processes run in parallel. */
static int warm(unsigned variant, char *path) {
    open_singles(1, &path);
    check(matmul_launch_variant(stream, variant, a, b, c, 64, 64, 64, 64, 1, 64, 1, 64, 1), "launching");
    check(singles[0](stream, a, b, c, 64, 64, 64), "launching");
    check(cuStreamSynchronize(stream), "waiting");
    return 0;
}

int main(int argc, char **argv) {
    CUdevice device;
    CUcontext context;
    unsigned rules[SHAPES];
    int wrong = 0, slow = 0, near = 0;
    double worst = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: picks CHOICES.json SINGLE.so …, picks CHOICES.json --replay, picks "
                        "CHOICES.json --warm I I.so\n");
        return 2;
    }
    check(cuInit(0), "starting the CUDA driver");
    check(cuDeviceGet(&device, 0), "finding a device");
    check(cuDevicePrimaryCtxRetain(&context, device), "making a context");
    check(cuCtxSetCurrent(context), "choosing the context");
    check(cuMemAlloc(&a, (size_t)2 * LEFT * LEFT), "allocating memory");
    check(cuMemAlloc(&b, (size_t)2 * LEFT * LEFT), "allocating memory");
    check(cuMemAlloc(&c, (size_t)2 * LEFT * LEFT), "allocating memory");
    if (strcmp(argv[2], "--replay") == 0) {
        return replay(argv[1]);
    }
    check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a stream");
    if (strcmp(argv[2], "--warm") == 0 && argc == 5) {
        return warm((unsigned)atoi(argv[3]), argv[4]);
    }
    open_singles(argc - 2, argv + 2);
    check(cuEventCreate(&start, CU_EVENT_DEFAULT), "making an event");
    check(cuEventCreate(&stop, CU_EVENT_DEFAULT), "making an event");
    check(matmul_load(), "loading");
    for (int i = 0; i < SHAPES; i++) {
        rules[i] = picked(shapes[i]);
    }
    printf("%-18s %9s %8s %8s  %s\n", "shape", "best, us", "tuned", "rule", "tuned; rule");
    for (int i = 0; i < SHAPES; i++) {
        const int *shape = shapes[i];
        int m = shape[0], n = shape[1], k = shape[2], count = single_count;
        struct entry entries[MOST_SINGLES + 2] = {{0}};
        char name[32];
        fill(a, (size_t)m, (size_t)k, 0);
        fill(b, (size_t)k, (size_t)n, 1);
        check(matmul_tune(stream, a, b, c, m, n, k, k, 1, n, 1, n, 1), "tuning");
        for (int s = 0; s < single_count; s++) {
            entries[s].kind = s;
        }
        entries[count++].kind = TUNED;
        entries[count++].kind = RULE;
        race(entries, count, shape, rules[i]);
        check(cuMemsetD8(c, 0xff, (size_t)m * (size_t)n * 2), "clearing");
        check(launch(&entries[single_count], shape, 0), "launching");
        check(cuStreamSynchronize(stream), "waiting");
        int differ = wrong_elements(m, n, k);
        double best = entries[0].time;
        for (int s = 1; s < single_count; s++) {
            best = entries[s].time < best ? entries[s].time : best;
        }
        double tuned = entries[single_count].time / best, rule = entries[single_count + 1].time / best;
        snprintf(name, sizeof name, "%dx%dx%d", m, n, k);
        printf("%-18s %9.2f %8.3f %8.3f  %s; %s%s\n", name, best, tuned, rule,
               matmul_variant_name(picked(shape)), matmul_variant_name(rules[i]),
               differ ? " WRONG RESULTS" : "");
        wrong += differ != 0;
        slow += tuned > 1.01;
        near += rule <= 1.1;
        worst = tuned > worst ? tuned : worst;
    }
    printf("picks: tuned launches take at most %.3f of the best single configuration, %d of %d more than "
           "1.01; the rule "
           "is within a tenth on %d; %d shapes wrong\n",
           worst, slow, (int)SHAPES, near, wrong);
    return matmul_save_tuned(argv[1]) != 0 || wrong || near < 16;
}
