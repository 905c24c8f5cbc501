/* Copies beside computation: chunks on two streams, timed against the same work on one stream.
 *
 *     tkc steps.tk --runtime dynamic --target sm_80,gfx942 -o steps.ptx -o steps.hsaco
 *     cc overlap.c -I. -I<tkc>/include -ldl -o overlap
 *     ./overlap
 *
 * Each chunk is copied to the device, computed and copied back. On one stream these follow each other; on two, one chunk is
 * computed, and the other way of the bus is used, while another is copied. The host's memory is pinned, or copies would wait. */
#include "example.h"
#include "steps.h"

enum { CHUNKS = 16, CHUNK = 1 << 20, N = CHUNKS * CHUNK, TIMES = 4000, RUNS = 3 };

static float *x, *y;
static tkc_pointer device_x[2], device_y[2];

/* The least milliseconds of some runs. */
static double run(tkc_stream *streams, int count) {
    double least = 1e9;
    size_t bytes = CHUNK * sizeof(float);
    for (int i = 0; i < RUNS; i++) {
        struct stopwatch watch = start_stopwatch(streams[0]);
        check(tkc_stream_wait_event(streams[count - 1], watch.start), "waiting for the start");
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            tkc_stream stream = streams[chunk % count];
            tkc_pointer from = device_x[chunk % count], to = device_y[chunk % count];
            check(tkc_copy_to_device(from, x + chunk * CHUNK, bytes, stream), "copying a chunk");
            check(iterate_launch(stream, from, to, TIMES, CHUNK), "launching");
            check(tkc_copy_from_device(y + chunk * CHUNK, to, bytes, stream), "copying a chunk back");
        }
        tkc_event done;
        check(tkc_event_create(&done), "making an event");
        check(tkc_event_record(done, streams[count - 1]), "recording an event");
        check(tkc_stream_wait_event(streams[0], done), "waiting for the other stream");
        double spent = stop_milliseconds(&watch);
        check(tkc_event_destroy(done), "removing an event");
        least = spent < least ? spent : least;
    }
    return least;
}

int main(void) {
    int wrong = 0;
    use_device(0);
    x = allocate_pinned(N * sizeof *x), y = allocate_pinned(N * sizeof *y);
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 4099);
    }
    for (int i = 0; i < 2; i++) {
        device_x[i] = allocate(CHUNK * sizeof *x), device_y[i] = allocate(CHUNK * sizeof *y);
    }
    check(iterate_load(), "loading");
    tkc_stream streams[2] = {make_stream(), make_stream()};
    double one = run(streams, 1), two = run(streams, 2);
    for (int i = 0; i < N; i++) {
        wrong += y[i] != iterated(x[i], 40); /* nothing changes after 40 steps */
    }
    printf("overlap: %d chunks of %zu KiB there and back, one stream %.2f ms, two streams %.2f ms: %d of %d "
           "elements wrong\n",
           CHUNKS, CHUNK * sizeof *x / 1024, one, two, wrong, N);
    check(tkc_host_free(x), "freeing x");
    check(tkc_host_free(y), "freeing y");
    return wrong != 0;
}
