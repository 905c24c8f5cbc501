/* A CUDA driver for tkc-tune: two devices. A launch only advances a clock, by a time from the grid
 * and the block. One clock a process. The environment sets faults:
 *   TUNE_CRASH=THREADS       a launch of so many threads ends the process
 *   TUNE_WRONG=THREADS       such a launch writes a different result
 *   TUNE_DIE_AFTER=N         the N-th launch of a process ends it
 *   TUNE_NO_DEVICE           there is no device */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double clock_now;
static int launches;

struct CUfunc_st {
    const char *name; /* of the computed ones: vector_add, and the small ones of examples/host/steps.tk */
};
struct CUevent_st {
    double at;
};
struct CUgraph_st {
    int count;
    struct launch {
        unsigned grid, threads, shared;
        CUdeviceptr result;
        const char *name;
        const float *x, *y;
        float *z, number;
        int n;
    } launches[64];
};
static struct CUgraph_st *recorded;
static struct CUfunc_st functions[] = {{"vector_add"}, {"scale"}, {"shift"}, {"square"}, {NULL}};

static int environment(const char *name) {
    const char *text = getenv(name);
    return text ? atoi(text) : -1;
}

CUresult cuInit(unsigned flags) {
    (void)flags;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
    *count = getenv("TUNE_NO_DEVICE") ? 0 : 2;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    *device = ordinal;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int room, CUdevice device) {
    (void)device;
    snprintf(name, (size_t)room, "Fake \"H\"");
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR         ? 8
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR       ? 0
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT           ? 108
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR ? 2048
                                                                               : 167936;
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    *context = (CUcontext)(size_t)(device + 1);
    return CUDA_SUCCESS;
}
CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    *id = 1;
    return context ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice *device) {
    *device = 0;
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
    return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    *module = (CUmodule)image;
    return strstr(image, ".entry") ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
CUresult cuModuleUnload(CUmodule module) {
    (void)module;
    return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    int is_steps = strstr((const char *)module, ".entry iterate(") != NULL; /* steps.tk, by its last kernel */
    *function = functions;
    while ((*function)->name && (strcmp((*function)->name, name) != 0 || (name[0] != 'v' && !is_steps))) {
        ++*function;
    }
    return strstr((const char *)module, name) ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    (void)function;
    (void)attribute;
    return value <= 167936 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    (void)attribute;
    (void)function;
    *value = 0;
    return CUDA_SUCCESS;
}

static void compute(const struct launch *launch) {
    for (int i = 0; i < launch->n; i++) {
        float x = launch->x[i];
        launch->z[i] = launch->name[0] == 'v'   ? x + launch->y[i]
                       : launch->name[1] == 'c' ? x * launch->number
                       : launch->name[1] == 'h' ? x + launch->number
                                                : x * x;
    }
}

/* Least for 128 threads and about 4 KiB a thread; proportional to the number of blocks. */
static void run(const struct launch *launch) {
    double block = launch->threads > 128 ? launch->threads / 128.0 : 128.0 / launch->threads;
    int crash = environment("TUNE_CRASH"), die = environment("TUNE_DIE_AFTER");
    if ((int)launch->threads == crash || ++launches == die) {
        _exit(77);
    }
    clock_now += 3 + launch->grid * block * (1 + (launch->shared % 1000) / 5000.0) / 10;
    if (launch->name) {
        compute(launch);
        return;
    }
    float value = (int)launch->threads == environment("TUNE_WRONG") ? 2 : 1;
    memcpy((void *)(size_t)launch->result, &value, sizeof value);
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
                        void **arguments, void **extra) {
    struct launch launch = {
        .grid = x * y * z, .threads = block_x * block_y * block_z, .shared = shared, .name = function->name};
    int place = 0;
    (void)stream;
    memcpy(&launch.result, arguments[1], sizeof launch.result);
    if (launch.name) {
        memcpy(&launch.x, arguments[place++], sizeof launch.x);
        if (launch.name[0] == 'v') {
            memcpy(&launch.y, arguments[place++], sizeof launch.y);
        }
        memcpy(&launch.z, arguments[place++], sizeof launch.z);
        if (launch.name[1] == 'c' || launch.name[1] == 'h') {
            memcpy(&launch.number, arguments[place++], sizeof launch.number);
        }
        memcpy(&launch.n, arguments[place], sizeof launch.n);
    }
    if (extra) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (recorded) {
        recorded->launches[recorded->count++ % 64] = launch;
    } else {
        run(&launch);
    }
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra) {
    return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                          config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream,
                          arguments, extra);
}

CUresult cuMemAlloc(CUdeviceptr *memory, size_t bytes) {
    *memory = (CUdeviceptr)(size_t)calloc(1, bytes);
    return *memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFree(CUdeviceptr memory) {
    free((void *)(size_t)memory);
    return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    *memory = malloc(bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void *memory) {
    free(memory);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    (void)stream;
    memcpy((void *)(size_t)to, from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    (void)stream;
    memcpy(to, (void *)(size_t)from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    (void)stream;
    memcpy((void *)(size_t)to, (void *)(size_t)from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
    (void)stream;
    memset((void *)(size_t)to, value, bytes);
    return CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    *stream = (CUstream)malloc(1);
    return flags == CU_STREAM_NON_BLOCKING ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuStreamDestroy(CUstream stream) {
    free(stream);
    return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
    (void)stream;
    return CUDA_SUCCESS;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    (void)stream;
    (void)event;
    (void)flags;
    return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
    (void)flags;
    *event = calloc(1, sizeof **event);
    return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent event) {
    free(event);
    return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    (void)stream;
    event->at = clock_now;
    return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event) {
    (void)event;
    return CUDA_SUCCESS;
}
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
    *milliseconds = (float)((stop->at - start->at) / 1000);
    return CUDA_SUCCESS;
}
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    recorded = calloc(1, sizeof *recorded);
    return stream && mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    (void)stream;
    *graph = recorded;
    recorded = NULL;
    return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph, unsigned long long flags) {
    CUgraph copy = malloc(sizeof *copy);
    *copy = *graph;
    *made = (CUgraphExec)copy;
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec made, CUstream stream) {
    CUgraph graph = (CUgraph)made;
    (void)stream;
    for (int i = 0; i < graph->count; i++) {
        run(&graph->launches[i]);
    }
    return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
    free(graph);
    return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec made) {
    free(made);
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = error ? "an error of the fake driver" : "no error";
    return CUDA_SUCCESS;
}
