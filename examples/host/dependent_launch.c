/* Programmatic dependent launch: each kernel of a chain starts while its predecessor runs, prepares, and
 * waits on the device for the predecessor's results. Timed against the same chain of plain launches.
 *
 *     tkc together.tk --target sm_90 -o together.ptx
 *     cc dependent_launch.c -I<tkc>/include -I/usr/local/cuda/include -lcuda -o dependent_launch
 *     ./dependent_launch [together.ptx]
 *
 * The host adds only the launch attribute; the kernel calls tl.extra.cuda.gdc_launch_dependents and gdc_wait.
 * A block has 32 threads a warp, and the grid is a block every BLOCK elements; together.json lists both. */
#define TKC_RUNTIME_CUDA_DRIVER
#include "example.h"

enum { N = 1 << 18, BLOCK = 1024, THREADS = 128, CHAIN = 1000, TIMES = 1000 };

static void launch(CUfunction relay, CUstream stream, CUdeviceptr x, CUdeviceptr y, int early) {
    int n = N, times = TIMES;
    void *arguments[] = {&x, &y, &times, &n};
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                   .value = {.programmaticStreamSerializationAllowed = 1}};
    CUlaunchConfig config = {.gridDimX = N / BLOCK,
                             .gridDimY = 1,
                             .gridDimZ = 1,
                             .blockDimX = THREADS,
                             .blockDimY = 1,
                             .blockDimZ = 1,
                             .hStream = stream,
                             .attrs = &attribute,
                             .numAttrs = early ? 1 : 0};
    check(cuLaunchKernelEx(&config, relay, arguments, NULL), "launching");
}

/* Microseconds a kernel. The chain is a graph, so the host's launches are not counted. */
static double run(CUfunction relay, CUstream stream, CUdeviceptr x, CUdeviceptr y, int early) {
    tkc_graph_exec chain;
    check(tkc_capture_begin(stream), "beginning the capture");
    for (int i = 0; i < CHAIN; i++) {
        launch(relay, stream, i % 2 ? y : x, i % 2 ? x : y, early);
    }
    check(tkc_capture_end(stream, &chain), "making the graph");
    check(tkc_graph_launch(chain, stream), "warming up");
    struct stopwatch watch = start_stopwatch(stream);
    check(tkc_graph_launch(chain, stream), "running the chain");
    double spent = 1e3 * stop_milliseconds(&watch) / CHAIN;
    check(tkc_graph_destroy(chain), "removing the chain");
    return spent;
}

int main(int argc, char **argv) {
    static float values[N];
    int wrong = 0;
    use_device(0);
    CUfunction relay = find_kernel(argc > 1 ? argv[1] : "together.ptx", "relay");
    CUdeviceptr x = allocate(sizeof values), y = allocate(sizeof values);
    for (int i = 0; i < N; i++) {
        values[i] = (float)(i % 1000);
    }
    copy_in(x, values, sizeof values);
    CUstream stream = make_stream();
    double plain = run(relay, stream, x, y, 0), early = run(relay, stream, x, y, 1);
    copy_out(values, x, sizeof values);
    for (int i = 0; i < N; i++) {
        wrong += values[i] != (float)(i % 1000 + 4 * CHAIN);
    }
    printf("dependent_launch: a chain of %d kernels, %.2f us each, with dependent launch %.2f us: %d of %d "
           "elements wrong\n",
           CHAIN, plain, early, wrong, N);
    return wrong != 0;
}
