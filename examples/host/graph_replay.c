/* Three small kernels captured into a CUDA graph and replayed 1,000 times, against as many plain launches.
 *
 *     tkc steps.tk -o steps.ptx
 *     cc graph_replay.c -I. -I/usr/local/cuda/include -lcuda -o graph_replay
 *     ./graph_replay
 *
 * The launchers are legal inside a capture as soon as the kernels are loaded: they allocate nothing and wait for nothing.
 * What each form costs the host is timed in batches that the device's queue has room for. */
#include "example.h"
#include "steps.h"

enum { N = 4096, REPLAYS = 1000, BATCH = 100 };

static CUdeviceptr x, a, b, y;

static void launch_three(CUstream stream) {
    check(scale_launch(stream, x, a, 3.0f, N), "launching scale");
    check(shift_launch(stream, a, b, 0.5f, N), "launching shift");
    check(square_launch(stream, b, y, N), "launching square");
}

static CUgraphExec capture(CUstream stream) {
    CUgraph graph;
    CUgraphExec replay;
    check(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), "beginning the capture");
    launch_three(stream);
    check(cuStreamEndCapture(stream, &graph), "ending the capture");
    check(cuGraphInstantiate(&replay, graph, 0), "making the graph");
    check(cuGraphDestroy(graph), "removing the captured graph");
    return replay;
}

/* Microseconds of the host for one turn, the least of batches that the device has room for. `replay` NULL: plain launches. */
static double host_cost(CUstream stream, CUgraphExec replay) {
    double least = 1e9;
    for (int i = 0; i < REPLAYS / BATCH; i++) {
        double start = now_microseconds();
        for (int j = 0; j < BATCH; j++) {
            if (replay)
                check(cuGraphLaunch(replay, stream), "replaying");
            else
                launch_three(stream);
        }
        double spent = (now_microseconds() - start) / BATCH;
        least = spent < least ? spent : least;
        check(cuStreamSynchronize(stream), "waiting");
    }
    return least;
}

/* Microseconds from the first to the last kernel of a run of turns, one turn. */
static double device_cost(CUstream stream, CUgraphExec replay) {
    struct stopwatch watch = start_stopwatch(stream);
    for (int i = 0; i < REPLAYS; i++) {
        if (replay)
            check(cuGraphLaunch(replay, stream), "replaying");
        else
            launch_three(stream);
    }
    return 1e3 * stop_milliseconds(&watch) / REPLAYS;
}

static int count_wrong(CUgraphExec replay, CUstream stream) {
    static float in[N], out[N];
    int wrong = 0;
    for (int i = 0; i < N; i++)
        in[i] = (float)(i % 100);
    check(cuMemcpyHtoD(x, in, sizeof in), "copying x");
    check(cuMemsetD8(y, 0, sizeof out), "clearing y");
    check(cuGraphLaunch(replay, stream), "replaying");
    check(cuStreamSynchronize(stream), "waiting");
    check(cuMemcpyDtoH(out, y, sizeof out), "copying y back");
    for (int i = 0; i < N; i++) {
        float value = in[i] * 3.0f + 0.5f;
        wrong += out[i] != value * value;
    }
    return wrong;
}

int main(void) {
    use_device(0);
    x = allocate(N * sizeof(float)), y = allocate(N * sizeof(float));
    a = allocate(N * sizeof(float)), b = allocate(N * sizeof(float));
    check(scale_load(), "loading scale");
    check(shift_load(), "loading shift");
    check(square_load(), "loading square");
    CUstream stream = make_stream();
    CUgraphExec replay = capture(stream);
    int wrong = count_wrong(replay, stream);
    host_cost(stream, NULL), host_cost(stream, replay); /* once for what is made on first use */
    double plain = host_cost(stream, NULL), replayed = host_cost(stream, replay);
    double plain_device = device_cost(stream, NULL), replayed_device = device_cost(stream, replay);
    wrong += count_wrong(replay, stream);
    printf("graph_replay: three launches %.2f us of the host, a replay %.2f us (%.2f of it); end to end %.2f "
           "and %.2f us: "
           "%d of %d elements wrong\n",
           plain, replayed, replayed / plain, plain_device, replayed_device, wrong, 2 * N);
    check(cuGraphExecDestroy(replay), "removing the graph");
    return wrong != 0;
}
