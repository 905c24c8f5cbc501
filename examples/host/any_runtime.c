/* One program for both vendors: vector_add on every device of the machine through tkc_runtime.h, each in a
 * stream of its own, once launched and then replayed as a graph.
 *
 *     tkc vector_add.tk -o vector_add.ptx
 *     tkc vector_add.tk --target gfx942 -o vector_add.hsaco
 *     cc any_runtime.c -I<tkc>/include -ldl -o any_runtime                 opens the installed driver; links none
 *     ./any_runtime vector_add.ptx vector_add.hsaco
 *
 * -DTKC_RUNTIME_CUDA_DRIVER, -DTKC_RUNTIME_CUDA_RUNTIME or -DTKC_RUNTIME_HIP makes the same program for that
 * runtime alone; it then needs the runtime's headers and library. The description beside an image lists the
 * arguments of a launch: vector_add.json. */
#include "example.h"

enum { N = 1 << 20, BLOCK = 1024, THREADS = 128, REPLAYS = 100 };

/* One device's stream, events and memory. */
struct task {
    tkc_stream stream;
    tkc_event start, end;
    tkc_module module;
    tkc_graph_exec graph;
    tkc_pointer x, y, z;
    int n;
};

static void start(struct task *task, const char *image, const float *x) {
    const unsigned grid[3] = {(N + BLOCK - 1) / BLOCK, 1, 1};
    tkc_function add;
    void *arguments[] = {&task->x, &task->y, &task->z, &task->n};
    task->n = N;
    check(tkc_stream_create(&task->stream), "making a stream");
    check(tkc_event_create(&task->start), "making an event");
    check(tkc_event_create(&task->end), "making an event");
    check(tkc_module_load(&task->module, image), "loading the image");
    check(tkc_module_function(&add, task->module, "vector_add"), "finding the kernel");
    check(tkc_memory_allocate(&task->x, N * sizeof *x), "allocating x");
    check(tkc_memory_allocate(&task->y, N * sizeof *x), "allocating y");
    check(tkc_memory_allocate(&task->z, N * sizeof *x), "allocating z");
    check(tkc_copy_to_device(task->x, x, N * sizeof *x, task->stream), "copying x");
    check(tkc_copy_on_device(task->y, task->x, N * sizeof *x, task->stream), "copying y");
    check(tkc_launch(add, grid, THREADS, 0, task->stream, arguments), "launching");
    check(tkc_capture_begin(task->stream), "capturing");
    check(tkc_launch(add, grid, THREADS, 0, task->stream, arguments), "launching");
    check(tkc_capture_end(task->stream, &task->graph), "capturing");
    check(tkc_fill(task->z, 0, N * sizeof *x, task->stream), "clearing z");
    check(tkc_event_record(task->start, task->stream), "recording");
    for (int i = 0; i < REPLAYS; i++) {
        check(tkc_graph_launch(task->graph, task->stream), "replaying");
    }
    check(tkc_event_record(task->end, task->stream), "recording");
}

/* Returns the number of wrong sums. */
static int finish(struct task *task, const float *x, float *z, float *milliseconds) {
    int wrong = 0;
    check(tkc_copy_from_device(z, task->z, N * sizeof *z, task->stream), "copying z");
    check(tkc_stream_wait(task->stream), "waiting");
    check(tkc_event_milliseconds(milliseconds, task->start, task->end), "reading the time");
    for (int i = 0; i < N; i++) {
        wrong += z[i] != 2 * x[i];
    }
    check(tkc_graph_destroy(task->graph), "removing the graph");
    check(tkc_memory_free(task->x), "freeing x");
    check(tkc_memory_free(task->y), "freeing y");
    check(tkc_memory_free(task->z), "freeing z");
    check(tkc_module_unload(task->module), "unloading");
    check(tkc_event_destroy(task->start), "removing an event");
    check(tkc_event_destroy(task->end), "removing an event");
    check(tkc_stream_destroy(task->stream), "removing the stream");
    return wrong;
}

int main(int argc, char **argv) {
    int devices, wrong = 0;
    float *x = malloc(N * sizeof *x), *z = malloc(N * sizeof *z), milliseconds;
    struct task tasks[16] = {{0}};
    if (!x || !z) {
        return 1;
    }
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 4099);
    }
    check(tkc_device_count(&devices), "looking for devices");
    char *image = contents(tkc_vendor() == TKC_AMD ? (argc > 2 ? argv[2] : "vector_add.hsaco")
                                                   : (argc > 1 ? argv[1] : "vector_add.ptx"));
    devices = devices < 16 ? devices : 16;
    for (int i = 0; i < devices; i++) {
        check(tkc_device_use(i), "choosing the device");
        start(&tasks[i], image, x);
    }
    for (int i = 0; i < devices; i++) {
        char name[128], chip[32];
        check(tkc_device_use(i), "choosing the device");
        check(tkc_device_name(i, name, sizeof name), "asking for the name");
        check(tkc_device_chip(i, chip, sizeof chip), "asking for the chip");
        int here = finish(&tasks[i], x, z, &milliseconds);
        printf("any_runtime: %s (%s), %d replays of %d sums in %.2f ms: %d wrong\n", name, chip, REPLAYS, N,
               (double)milliseconds, here);
        wrong += here;
    }
    free(x);
    free(z);
    free(image);
    return wrong != 0;
}
