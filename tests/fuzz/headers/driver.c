/* The CUDA driver API as far as launchers call it, keeping the last launch; and the program that runs all sets. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#include "seen.h"

const char *seen_kernel;
unsigned seen_grid[3];
unsigned char seen_arguments[16][8];
int seen_count;
int seen_faults;
const char *seen_file;
int seen_tuning;

void seen_fault(int line, const char *what) {
    fprintf(stderr, "line %d: not so: %s\n", line, what);
    seen_faults = 1;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    (void)context;
    *id = 7;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT   ? SEEN_MULTIPROCESSORS
                                                                       : 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    (void)device;
    strncpy(name, SEEN_DEVICE, (size_t)length);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoad(CUmodule *module, const char *path) {
    *module = (CUmodule)seen_arguments;
    return seen_file && strcmp(path, seen_file) == 0 ? CUDA_SUCCESS : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    *module = (CUmodule)seen_arguments;
    return memcmp(image, SEEN_IMAGE, sizeof SEEN_IMAGE) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

CUresult cuModuleUnload(CUmodule module) {
    return module == (CUmodule)seen_arguments ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    (void)module;
    *function = (CUfunction)(void *)name;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    (void)function;
    (void)attribute;
    (void)value;
    return CUDA_SUCCESS;
}

/* Eight bytes of every argument, some of which are shorter: no more is compared than there are. */
__attribute__((no_sanitize("address"))) CUresult
cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned block_x, unsigned block_y,
               unsigned block_z, unsigned shared, CUstream stream, void **arguments, void **extra) {
    (void)block_x, (void)block_y, (void)block_z, (void)shared, (void)stream, (void)extra;
    seen_kernel = (const char *)(void *)function;
    seen_grid[0] = x;
    seen_grid[1] = y;
    seen_grid[2] = z;
    for (int i = 0; i < seen_count; i++) {
        for (int j = 0; j < 8; j++) {
            seen_arguments[i][j] = ((const unsigned char *)arguments[i])[j];
        }
    }
    return CUDA_SUCCESS;
}

/* ---- tuning: every launch takes a millisecond and leaves zeros ---- */

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    (void)stream;
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
    (void)flags;
    *event = (CUevent)seen_arguments;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event) {
    return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    (void)stream;
    return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventSynchronize(CUevent event) {
    return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
    *milliseconds = 1;
    return start && stop ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamSynchronize(CUstream stream) {
    (void)stream;
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    (void)mode;
    return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    *graph = (CUgraph)seen_arguments;
    return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphInstantiate(CUgraphExec *launched, CUgraph graph, unsigned long long flags) {
    (void)flags;
    *launched = (CUgraphExec)seen_arguments;
    return graph ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphLaunch(CUgraphExec launched, CUstream stream) {
    return launched && stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphExecDestroy(CUgraphExec launched) {
    return launched ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroy(CUgraph graph) {
    return graph ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    (void)flags;
    *stream = (CUstream)seen_arguments;
    return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream stream) {
    return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr pointer) {
    *base = pointer;
    *size = 64;
    return seen_tuning ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
    (void)from;
    memset(to, 0, bytes);
    return bytes == 64 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    (void)stream;
    return to && from && bytes == 64 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
    (void)stream;
    return to && value == 0 && bytes == 64 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAlloc(CUdeviceptr *pointer,
                    size_t bytes) { /* copies of arrays, and room for empty tensors, which none is */
    *pointer = 4096;
    return bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemFree(CUdeviceptr pointer) {
    return pointer == 4096 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Maps here begin with the tensor's address. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
    (void)type, (void)interleave, (void)swizzle, (void)promotion, (void)fill;
    for (cuuint32_t i = 0; i < rank; i++) {
        if (sizes[i] == 0 || box[i] == 0 || steps[i] != 1 || (i + 1 < rank && strides[i] % 16)) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    memset(map, 0, sizeof *map);
    map->opaque[0] = (cuuint64_t)(uintptr_t)address;
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count) {
    return pointer == 4096 && value == 0 && count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#define SET(number) void set_##number(void);
#include "sets.inc"
#undef SET

int main(void) {
    static const struct {
        int number;
        void (*run)(void);
    } sets[] = {
#define SET(number) {number, set_##number},
#include "sets.inc"
#undef SET
    };
    int faults = 0;
    for (unsigned i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        seen_faults = 0;
        seen_file = NULL;
        sets[i].run();
        faults += seen_faults;
        if (seen_faults) {
            fprintf(stderr, "in set %d\n", sets[i].number);
        }
    }
    printf("%u sets launch what they should\n", (unsigned)(sizeof sets / sizeof sets[0]) - (unsigned)faults);
    return faults != 0;
}
