/* tkc_driver.h: libcuda or libamdhip64, opened when the program runs and not linked. A dynamic tkc_runtime.h and the launchers of
 * `tkc --runtime dynamic` use it; a program opens the driver once for all of them.
 *
 * The two libraries take the same arguments in nearly all calls. Launchers ask for shared error codes alone: 1 is an invalid value,
 * 2 no memory, 209 no image for the device. So one table of functions serves both vendors: handles are pointers, addresses on the
 * device numbers of 64 bits, and few places ask for the vendor. */
#ifndef TKC_DRIVER_1
#define TKC_DRIVER_1

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef TKC_VENDORS
#define TKC_VENDORS
enum { TKC_NVIDIA = 1, TKC_AMD = 2 };
#endif
enum { TKC_NO_DEVICE = 100, TKC_NO_FUNCTION = 303 }; /* both vendors' codes */

/* X(name here, in libcuda, in libamdhip64, parameters); NULL: the library has none. */
#define TKC_DRIVER_CALLS(X)                                                                                  \
    X(Init, "cuInit", "hipInit", (unsigned))                                                                 \
    X(DeviceGetCount, "cuDeviceGetCount", "hipGetDeviceCount", (int *))                                      \
    X(DeviceGet, "cuDeviceGet", "hipDeviceGet", (int *, int))                                                \
    X(DeviceGetName, "cuDeviceGetName", "hipDeviceGetName", (char *, int, int))                              \
    X(DeviceGetAttribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute", (int *, int, int))                \
    X(CtxGetDevice, "cuCtxGetDevice", "hipGetDevice", (int *))                                               \
    X(CtxGetId, "cuCtxGetId", NULL, (void *, unsigned long long *))                                          \
    X(CtxSetCurrent, "cuCtxSetCurrent", NULL, (void *))                                                      \
    X(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", NULL, (void **, int))                              \
    X(SetDevice, NULL, "hipSetDevice", (int))                                                                \
    X(GetDeviceProperties, NULL, "hipGetDevicePropertiesR0600", (void *, int))                               \
    X(ModuleLoad, "cuModuleLoad", "hipModuleLoad", (void **, const char *))                                  \
    X(ModuleLoadData, "cuModuleLoadData", "hipModuleLoadData", (void **, const void *))                      \
    X(ModuleUnload, "cuModuleUnload", "hipModuleUnload", (void *))                                           \
    X(ModuleGetFunction, "cuModuleGetFunction", "hipModuleGetFunction", (void **, void *, const char *))     \
    X(FuncSetAttribute, "cuFuncSetAttribute", NULL, (void *, int, int))                                      \
    X(LaunchKernel, "cuLaunchKernel", "hipModuleLaunchKernel",                                               \
      (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,        \
       void **))                                                                                             \
    X(TensorMapEncodeTiled, "cuTensorMapEncodeTiled", NULL,                                                  \
      (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,                  \
       const uint32_t *, int, int, int, int))                                                                \
    X(MemAlloc, "cuMemAlloc_v2", "hipMalloc", (uint64_t *, size_t))                                          \
    X(MemFree, "cuMemFree_v2", "hipFree", (uint64_t))                                                        \
    X(MemGetAddressRange, "cuMemGetAddressRange_v2", "hipMemGetAddressRange",                                \
      (uint64_t *, size_t *, uint64_t))                                                                      \
    X(MemHostAlloc, "cuMemHostAlloc", "hipHostMalloc", (void **, size_t, unsigned))                          \
    X(MemFreeHost, "cuMemFreeHost", "hipHostFree", (void *))                                                 \
    X(MemcpyDtoH, "cuMemcpyDtoH_v2", "hipMemcpyDtoH", (void *, uint64_t, size_t))                            \
    X(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync",                                         \
      (uint64_t, const void *, size_t, void *))                                                              \
    X(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync", (void *, uint64_t, size_t, void *))     \
    X(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync", (uint64_t, uint64_t, size_t, void *))   \
    X(MemsetD8, "cuMemsetD8_v2", "hipMemsetD8", (uint64_t, unsigned char, size_t))                           \
    X(MemsetD8Async, "cuMemsetD8Async", "hipMemsetD8Async", (uint64_t, unsigned char, size_t, void *))       \
    X(StreamCreate, "cuStreamCreate", "hipStreamCreateWithFlags", (void **, unsigned))                       \
    X(StreamDestroy, "cuStreamDestroy_v2", "hipStreamDestroy", (void *))                                     \
    X(StreamSynchronize, "cuStreamSynchronize", "hipStreamSynchronize", (void *))                            \
    X(StreamWaitEvent, "cuStreamWaitEvent", "hipStreamWaitEvent", (void *, void *, unsigned))                \
    X(StreamIsCapturing, "cuStreamIsCapturing", "hipStreamIsCapturing", (void *, int *))                     \
    X(StreamBeginCapture, "cuStreamBeginCapture_v2", "hipStreamBeginCapture", (void *, int))                 \
    X(StreamEndCapture, "cuStreamEndCapture", "hipStreamEndCapture", (void *, void **))                      \
    X(EventCreate, "cuEventCreate", "hipEventCreateWithFlags", (void **, unsigned))                          \
    X(EventDestroy, "cuEventDestroy_v2", "hipEventDestroy", (void *))                                        \
    X(EventRecord, "cuEventRecord", "hipEventRecord", (void *, void *))                                      \
    X(EventSynchronize, "cuEventSynchronize", "hipEventSynchronize", (void *))                               \
    X(EventElapsedTime, "cuEventElapsedTime", "hipEventElapsedTime", (float *, void *, void *))              \
    X(GraphInstantiate, "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags",                       \
      (void **, void *, unsigned long long))                                                                 \
    X(GraphLaunch, "cuGraphLaunch", "hipGraphLaunch", (void *, void *))                                      \
    X(GraphDestroy, "cuGraphDestroy", "hipGraphDestroy", (void *))                                           \
    X(GraphExecDestroy, "cuGraphExecDestroy", "hipGraphExecDestroy", (void *))                               \
    X(GetErrorString, "cuGetErrorString", NULL, (int, const char **))

struct tkc_driver {
    int vendor; /* TKC_NVIDIA, TKC_AMD; 0: none was opened */
    char lock;
    char problem[200]; /* why there is no driver, or the name of a missing function */
    void *library;
    const char *(*hip_error_string)(int result);
#define TKC_FIELD(name, nvidia, amd, parameters) int(*name) parameters;
    TKC_DRIVER_CALLS(TKC_FIELD)
#undef TKC_FIELD
};
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, visibility("hidden"))) extern struct tkc_driver tkc_driver_1;
struct tkc_driver tkc_driver_1;
#ifdef __cplusplus
}
#endif

/* In the place of a function missing in the library. */
static inline int tkc_driver_lacks(void) {
    return TKC_NO_FUNCTION;
}

/* `slot` is a pointer to a function. */
static inline void tkc_driver_find(struct tkc_driver *d, const char *library, const char *name, void *slot) {
    int (*lacking)(void) = tkc_driver_lacks;
    void *symbol = name ? dlsym(d->library, name) : NULL;
    if (!symbol && name && strcmp(name, "hipGetDevicePropertiesR0600") == 0) {
        symbol = dlsym(d->library, "hipGetDeviceProperties"); /* before ROCm 6 */
    }
    if (!symbol && name && !d->problem[0]) {
        snprintf(d->problem, sizeof d->problem, "%s has no %s: it is too old", library, name);
    }
    if (symbol) {
        memcpy(slot, &symbol, sizeof symbol);
    } else {
        memcpy(slot, &lacking, sizeof lacking);
    }
}

/* True if the library is there and drives a device. Otherwise the reason is added to `problem`. */
static inline int tkc_driver_try(struct tkc_driver *d, int vendor, const char *const *names, size_t count) {
    char before[100];
    size_t i;
    int devices = 0;
    memcpy(before, d->problem, sizeof before);
    before[sizeof before - 1] = 0;
    d->problem[0] = 0;
    d->library = NULL;
    for (i = 0; i < count && !d->library; i++) {
        d->library = dlopen(names[i], RTLD_NOW);
    }
    if (!d->library) {
        snprintf(d->problem, sizeof d->problem, "%s%sno %s", before, before[0] ? "; " : "", names[count - 1]);
        return 0;
    }
#define TKC_FIND(name, nvidia, amd, parameters)                                                              \
    tkc_driver_find(d, names[i - 1], vendor == TKC_AMD ? (amd) : (nvidia), (void *)&d->name);
    TKC_DRIVER_CALLS(TKC_FIND)
#undef TKC_FIND
    if (vendor == TKC_AMD) {
        tkc_driver_find(d, names[i - 1], "hipGetErrorString", (void *)&d->hip_error_string);
    }
    if (d->Init(0) == 0 && d->DeviceGetCount(&devices) == 0 && devices > 0) {
        return 1;
    }
    snprintf(d->problem, sizeof d->problem, "%s%s%s finds no device", before, before[0] ? "; " : "",
             names[i - 1]);
    return 0;
}

/* Opens the driver of one vendor; for vendor 0 NVIDIA's or else AMD's. Returns 0, or TKC_NO_DEVICE: then the next call looks again. */
static inline int tkc_driver_open_of(int wanted) {
    static const char *const cuda[] = {"libcuda.so.1"};
    static const char *const hip[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                      "libamdhip64.so"};
    struct tkc_driver *d = &tkc_driver_1;
    int vendor = __atomic_load_n(&d->vendor, __ATOMIC_ACQUIRE);
    if (!vendor) {
        while (__atomic_test_and_set(&d->lock, __ATOMIC_ACQUIRE)) {
            (void)sched_yield(); /* opening takes a while */
        }
        vendor = d->vendor;
        if (!vendor) {
            d->problem[0] = 0;
            vendor = wanted != TKC_AMD && tkc_driver_try(d, TKC_NVIDIA, cuda, 1)  ? TKC_NVIDIA
                     : wanted != TKC_NVIDIA && tkc_driver_try(d, TKC_AMD, hip, 4) ? TKC_AMD
                                                                                  : 0;
            __atomic_store_n(&d->vendor, vendor, __ATOMIC_RELEASE);
        }
        __atomic_clear(&d->lock, __ATOMIC_RELEASE);
    }
    return vendor && (!wanted || vendor == wanted) ? 0 : TKC_NO_DEVICE;
}

static inline int tkc_driver_open(void) {
    return tkc_driver_open_of(0);
}

static inline const char *tkc_driver_error_text(int result) {
    const char *text = NULL;
    if (!tkc_driver_1.vendor || (result == TKC_NO_FUNCTION && tkc_driver_1.problem[0])) {
        return tkc_driver_1.problem[0] ? tkc_driver_1.problem : "no driver was opened";
    }
    if (tkc_driver_1.vendor == TKC_AMD) {
        return tkc_driver_1.hip_error_string(result);
    }
    return tkc_driver_1.GetErrorString(result, &text) == 0 && text ? text : "unknown error";
}

/* The device's multiprocessors; of each: bytes of shared memory, and resident threads. */
static inline int tkc_driver_counts(int device, int counts[3]) {
    static const int numbers[2][3] = {{16, 81, 39},
                                      {63, 10002, 57}}; /* as CUDA and HIP number the attributes */
    int i, result = 0, amd = tkc_driver_1.vendor == TKC_AMD;
    for (i = 0; i < 3 && result == 0; i++) {
        result = tkc_driver_1.DeviceGetAttribute(&counts[i], numbers[amd][i], device);
    }
    return result;
}

/* NVIDIA's compute capability times ten: 90. */
static inline int tkc_driver_capability(int device, unsigned *capability) {
    int major = 0, minor = 0, result = tkc_driver_1.DeviceGetAttribute(&major, 75, device);
    if (result == 0) {
        result = tkc_driver_1.DeviceGetAttribute(&minor, 76, device);
    }
    *capability = (unsigned)major * 10u + (unsigned)minor;
    return result;
}

/* AMD's name of the chip, without its modes: "gfx942". The structure with the name differs between versions, so its bytes are
 * searched. */
static inline int tkc_driver_arch(int device, char *name, size_t room) {
    char properties[8192];
    const char *found = properties, *end = properties + sizeof properties - 64;
    size_t length;
    int result;
    memset(properties, 0, sizeof properties);
    result = tkc_driver_1.GetDeviceProperties(properties, device);
    if (result != 0 || !room) {
        return result;
    }
    while (found < end && memcmp(found, "gfx", 3) != 0) {
        found++;
    }
    length = strcspn(found, ":");
    length = length < room ? length : room - 1u;
    memcpy(name, found, length);
    name[length] = 0;
    return 0;
}
#endif
