/* What the larger programs of this folder share: an error ends the program with its text, times come from events. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline void check(CUresult result, const char *what) {
    const char *text = NULL;
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &text);
    fprintf(stderr, "error: %s: %s\n", what, text ? text : "unknown error");
    exit(1);
}

/* Makes the device's primary context current in this thread. */
static inline CUdevice use_device(int ordinal) {
    CUdevice device;
    CUcontext context;
    check(cuInit(0), "starting the CUDA driver");
    check(cuDeviceGet(&device, ordinal), "finding a device");
    check(cuDevicePrimaryCtxRetain(&context, device), "making a context");
    check(cuCtxSetCurrent(context), "choosing the context");
    return device;
}

static inline CUdeviceptr allocate(size_t bytes) {
    CUdeviceptr memory;
    check(cuMemAlloc(&memory, bytes), "allocating memory on the device");
    return memory;
}

/* Memory of the host from which copies run beside the program. */
static inline float *allocate_pinned(size_t bytes) {
    void *memory;
    check(cuMemAllocHost(&memory, bytes), "allocating memory on the host");
    return memory;
}

static inline CUstream make_stream(void) {
    CUstream stream;
    check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a stream");
    return stream;
}

/* From start_stopwatch to stop_milliseconds, on a stream. */
struct stopwatch {
    CUstream stream;
    CUevent start, end;
};

static inline struct stopwatch start_stopwatch(CUstream stream) {
    struct stopwatch watch = {stream, NULL, NULL};
    check(cuEventCreate(&watch.start, CU_EVENT_DEFAULT), "making an event");
    check(cuEventCreate(&watch.end, CU_EVENT_DEFAULT), "making an event");
    check(cuEventRecord(watch.start, stream), "recording an event");
    return watch;
}

/* Waits for what the stream was given. */
static inline double stop_milliseconds(struct stopwatch *watch) {
    float milliseconds;
    check(cuEventRecord(watch->end, watch->stream), "recording an event");
    check(cuEventSynchronize(watch->end), "waiting for the device");
    check(cuEventElapsedTime(&milliseconds, watch->start, watch->end), "reading the time");
    check(cuEventDestroy(watch->start), "removing an event");
    check(cuEventDestroy(watch->end), "removing an event");
    return (double)milliseconds;
}

/* By the host's clock. */
static inline double now_microseconds(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* What `iterate` of steps.tk computes. */
static inline float iterated(float value, int times) {
    while (times--)
        value = value * 0.5f + 1.0f;
    return value;
}

/* The kernel of that name in a PTX file, for launches that say more than the generated header's. */
static inline CUfunction find_kernel(const char *path, const char *name) {
    CUmodule module;
    CUfunction kernel;
    check(cuModuleLoad(&module, path), path);
    check(cuModuleGetFunction(&kernel, module, name), name);
    return kernel;
}

#endif
