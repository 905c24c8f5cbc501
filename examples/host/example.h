/* Functions shared by the larger programs of this folder, over tkc_runtime.h: an error ends the program with
 * its text, times come from events. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <tkc/tkc_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline void check(tkc_result result, const char *what) {
    if (result == 0) {
        return;
    }
    fprintf(stderr, "error: %s: %s\n", what, tkc_error_text(result));
    exit(1);
}

static inline void use_device(int ordinal) {
    check(tkc_device_use(ordinal), "choosing the device");
}

static inline tkc_pointer allocate(size_t bytes) {
    tkc_pointer memory;
    check(tkc_memory_allocate(&memory, bytes), "allocating memory on the device");
    return memory;
}

/* Pinned host memory, for copies beside other work. */
static inline float *allocate_pinned(size_t bytes) {
    void *memory;
    check(tkc_host_allocate(&memory, bytes), "allocating memory on the host");
    return memory;
}

static inline tkc_stream make_stream(void) {
    tkc_stream stream;
    check(tkc_stream_create(&stream), "making a stream");
    return stream;
}

/* Copies, finished on return. */
static inline void copy_in(tkc_pointer to, const void *from, size_t bytes) {
    check(tkc_copy_to_device(to, from, bytes, NULL), "copying to the device");
    check(tkc_stream_wait(NULL), "copying to the device");
}

static inline void copy_out(void *to, tkc_pointer from, size_t bytes) {
    check(tkc_copy_from_device(to, from, bytes, NULL), "copying from the device");
    check(tkc_stream_wait(NULL), "copying from the device");
}

/* From start_stopwatch to stop_milliseconds, on a stream. */
struct stopwatch {
    tkc_stream stream;
    tkc_event start, end;
};

static inline struct stopwatch start_stopwatch(tkc_stream stream) {
    struct stopwatch watch = {stream, NULL, NULL};
    check(tkc_event_create(&watch.start), "making an event");
    check(tkc_event_create(&watch.end), "making an event");
    check(tkc_event_record(watch.start, stream), "recording an event");
    return watch;
}

/* Waits for all work in the stream. */
static inline double stop_milliseconds(struct stopwatch *watch) {
    float milliseconds;
    check(tkc_event_record(watch->end, watch->stream), "recording an event");
    check(tkc_event_wait(watch->end), "waiting for the device");
    check(tkc_event_milliseconds(&milliseconds, watch->start, watch->end), "reading the time");
    check(tkc_event_destroy(watch->start), "removing an event");
    check(tkc_event_destroy(watch->end), "removing an event");
    return (double)milliseconds;
}

/* By the host's clock. */
static inline double now_microseconds(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* The result of `iterate` in steps.tk. */
static inline float iterated(float value, int times) {
    while (times--) {
        value = value * 0.5f + 1.0f;
    }
    return value;
}

/* The whole file, with a zero behind it. */
static inline char *contents(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    if (!file || !text || fread(text, 1, (1 << 22) - 1, file) == 0) {
        fprintf(stderr, "error: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

/* The kernel of that name in an image file, for launches with attributes unknown to the generated header. */
static inline tkc_function find_kernel(const char *path, const char *name) {
    tkc_module module;
    tkc_function kernel;
    char *image = contents(path);
    check(tkc_module_load(&module, image), path);
    check(tkc_module_function(&kernel, module, name), name);
    free(image);
    return kernel;
}

#endif
