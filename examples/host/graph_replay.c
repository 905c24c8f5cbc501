/* Three small kernels captured into a graph and replayed 1,000 times, against as many plain launches.
 *
 *     tkc steps.tk --runtime dynamic --target sm_80,gfx942 -o steps.ptx -o steps.hsaco
 *     cc graph_replay.c -I. -I<tkc>/include -ldl -o graph_replay
 *     ./graph_replay
 *
 * The launchers are legal inside a capture as soon as the kernels are loaded: they allocate nothing and wait
 * for nothing. The host's cost of each form is timed in batches small enough for the device's queue. */
#include "example.h"
#include "steps.h"

enum { N = 4096, REPLAYS = 1000, BATCH = 100 };

static tkc_pointer x, a, b, y;

static void launch_three(tkc_stream stream) {
    check(scale_launch(stream, x, a, 3.0f, N), "launching scale");
    check(shift_launch(stream, a, b, 0.5f, N), "launching shift");
    check(square_launch(stream, b, y, N), "launching square");
}

static tkc_graph_exec capture(tkc_stream stream) {
    tkc_graph_exec replay;
    check(tkc_capture_begin(stream), "beginning the capture");
    launch_three(stream);
    check(tkc_capture_end(stream, &replay), "making the graph");
    return replay;
}

/* Microseconds of the host for one turn, the least of some batches that fit in the device's queue. `replay`
 * NULL: plain launches. */
static double host_cost(tkc_stream stream, tkc_graph_exec replay) {
    double least = 1e9;
    for (int i = 0; i < REPLAYS / BATCH; i++) {
        double start = now_microseconds();
        for (int j = 0; j < BATCH; j++) {
            if (replay) {
                check(tkc_graph_launch(replay, stream), "replaying");
            } else {
                launch_three(stream);
            }
        }
        double spent = (now_microseconds() - start) / BATCH;
        least = spent < least ? spent : least;
        check(tkc_stream_wait(stream), "waiting");
    }
    return least;
}

/* Microseconds from the first to the last kernel of a run of turns, one turn. */
static double device_cost(tkc_stream stream, tkc_graph_exec replay) {
    struct stopwatch watch = start_stopwatch(stream);
    for (int i = 0; i < REPLAYS; i++) {
        if (replay) {
            check(tkc_graph_launch(replay, stream), "replaying");
        } else {
            launch_three(stream);
        }
    }
    return 1e3 * stop_milliseconds(&watch) / REPLAYS;
}

static int count_wrong(tkc_graph_exec replay, tkc_stream stream) {
    static float in[N], out[N];
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        in[i] = (float)(i % 100);
    }
    copy_in(x, in, sizeof in);
    check(tkc_fill(y, 0, sizeof out, stream), "clearing y");
    check(tkc_graph_launch(replay, stream), "replaying");
    check(tkc_stream_wait(stream), "waiting");
    copy_out(out, y, sizeof out);
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
    tkc_stream stream = make_stream();
    tkc_graph_exec replay = capture(stream);
    int wrong = count_wrong(replay, stream);
    host_cost(stream, NULL), host_cost(stream, replay); /* first use */
    double plain = host_cost(stream, NULL), replayed = host_cost(stream, replay);
    double plain_device = device_cost(stream, NULL), replayed_device = device_cost(stream, replay);
    wrong += count_wrong(replay, stream);
    printf("graph_replay: three launches %.2f us of the host, a replay %.2f us (%.2f of it); end to end %.2f "
           "and %.2f us: "
           "%d of %d elements wrong\n",
           plain, replayed, replayed / plain, plain_device, replayed_device, wrong, 2 * N);
    check(tkc_graph_destroy(replay), "removing the graph");
    return wrong != 0;
}
