/* Two GPUs in one process: the same kernel loaded for both, each given half of the work.
 *
 *     tkc steps.tk --runtime dynamic --target sm_80,gfx942 -o steps.ptx -o steps.hsaco
 *     cc two_devices.c -I. -I<tkc>/include -ldl -o two_devices
 *     ./two_devices
 *
 * A launch goes to the device chosen last by the thread, so one call of iterate_launch serves any number of
 * devices: the header keeps a record of loaded modules for each. With one device both halves run there. */
#include "example.h"
#include "steps.h"

enum { N = 1 << 25, DEVICES = 2, TIMES = 2000 };

struct half {
    int device;
    tkc_stream stream;
    tkc_pointer x, y;
    char name[64];
};

static struct half prepare(int ordinal, const float *values, size_t count) {
    struct half half = {.device = ordinal};
    use_device(ordinal);
    check(tkc_device_name(ordinal, half.name, sizeof half.name), "asking for the name");
    half.stream = make_stream();
    half.x = allocate(count * sizeof *values);
    half.y = allocate(count * sizeof *values);
    copy_in(half.x, values, count * sizeof *values);
    check(iterate_load(), "loading");
    return half;
}

/* Milliseconds of all devices together, by the host's clock. */
static double run(struct half *halves, int devices) {
    double start = now_microseconds();
    for (int i = 0; i < DEVICES; i++) {
        struct half *half = &halves[i % devices];
        use_device(half->device);
        check(iterate_launch(half->stream, half->x, half->y, TIMES, N / DEVICES), "launching");
    }
    for (int i = 0; i < devices; i++) {
        use_device(halves[i].device);
        check(tkc_stream_wait(halves[i].stream), "waiting for a device");
    }
    return 1e-3 * (now_microseconds() - start);
}

int main(void) {
    struct half halves[DEVICES];
    size_t wrong = 0, bytes = N * sizeof(float);
    int devices = 0;
    float *x = malloc(bytes), *y = malloc(bytes);
    if (!x || !y) {
        return 1;
    }
    check(tkc_device_count(&devices), "counting devices");
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 4099);
    }
    for (int i = 0; i < DEVICES; i++) {
        halves[i] = prepare(i % devices, x + i * (N / DEVICES), N / DEVICES);
    }
    run(halves, DEVICES);
    double one = run(halves, 1), both = run(halves, DEVICES);
    for (int i = 0; i < DEVICES; i++) {
        use_device(halves[i].device);
        copy_out(y + i * (N / DEVICES), halves[i].y, bytes / DEVICES);
        check(iterate_unload(), "unloading");
    }
    for (int i = 0; i < N; i++) {
        wrong += y[i] != iterated(x[i], 40); /* nothing changes after 40 steps */
    }
    printf("two_devices: %s and %s, both halves on one %.2f ms, a half on each %.2f ms: %zu of %d elements "
           "wrong\n",
           halves[0].name, devices > 1 ? halves[1].name : "no other", one, both, wrong, N);
    free(x);
    free(y);
    return wrong != 0;
}
