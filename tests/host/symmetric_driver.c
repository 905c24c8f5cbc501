/* A driver for tests of tkc_symmetric.h: two devices whose memory is shared memory of the host, so that handles travel between
 * processes as they do on a card. With SYMMETRIC_HIP it has HIP's names. It is strict, and it counts what is alive. The call number
 * SYMMETRIC_FAIL (from 1, of the environment or set by symmetric_fail) fails. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef SYMMETRIC_HIP
#define NAME(cuda, hip) hip
#else
#define NAME(cuda, hip) cuda
#endif

enum { PAGE = 1 << 16, INVALID = 1, FAILED = 719, KEPT = 32 };

static int calls, fails, kills, separate, current = -1;
static int handles[KEPT]; /* descriptors, plus 1 */
static struct {
    uint64_t address;
    size_t bytes;
    int mapped, open;
} ranges[KEPT];
static void *plain[KEPT];

/* For the test: the number of the call that is to fail, 0 for none; counts again from 1. */
void symmetric_fail(int number) {
    calls = 0;
    fails = number;
}
/* In place of failing the call ends the process. */
void symmetric_kills(int yes) {
    kills = yes;
}
int symmetric_calls(void) {
    return calls;
}
/* The devices do not reach each other's memory. */
void symmetric_separate(int yes) {
    separate = yes;
}
int symmetric_alive(void) {
    int alive = 0;
    for (int i = 0; i < KEPT; i++) {
        alive += (handles[i] != 0) + (ranges[i].address != 0) + ranges[i].mapped + (plain[i] != NULL);
    }
    return alive;
}
/* Drops what could not be given back. */
void symmetric_forget(int unused) {
    (void)unused;
    for (int i = 0; i < KEPT; i++) {
        if (handles[i]) {
            close(handles[i] - 1);
        }
        if (ranges[i].address) {
            munmap((void *)(uintptr_t)ranges[i].address, ranges[i].bytes);
        }
        free(plain[i]);
    }
    memset(handles, 0, sizeof handles);
    memset(ranges, 0, sizeof ranges);
    memset(plain, 0, sizeof plain);
}

static int refuses(int wrong) {
    if (kills && calls + 1 == fails) {
        raise(SIGKILL);
    }
    return ++calls == fails ? FAILED : wrong ? INVALID : 0;
}

int NAME(cuInit, hipInit)(unsigned flags) {
    return flags ? INVALID : 0;
}
int NAME(cuDeviceGetCount, hipGetDeviceCount)(int *count) {
    *count = 2;
    return 0;
}
#ifdef SYMMETRIC_HIP
const char *hipGetErrorString(int code) {
    return code == FAILED ? "the planted failure" : "an error of the stub";
}
int hipSetDevice(int device) {
    int code = refuses(device < 0 || device > 1);
    current = code ? current : device;
    return code;
}
#else
int cuGetErrorString(int code, const char **text) {
    *text = code == FAILED ? "the planted failure" : "an error of the stub";
    return 0;
}
int cuDeviceGet(int *device, int ordinal) {
    int code = refuses(ordinal < 0 || ordinal > 1);
    *device = ordinal;
    return code;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = (void *)(intptr_t)(device + 1);
    return refuses(device < 0 || device > 1);
}
int cuCtxSetCurrent(void *context) {
    int code = refuses(!context);
    current = code ? current : (int)(intptr_t)context - 1;
    return code;
}
#endif
int NAME(cuDeviceCanAccessPeer, hipDeviceCanAccessPeer)(int *can, int from, int to) {
    *can = !separate;
    return refuses(from == to || from < 0 || from > 1 || to < 0 || to > 1);
}

/* The first fields of CUmemAllocationProp and of hipMemAllocationProp. */
struct kind {
    int type, handle, location, device;
};

static int wrong_kind(const struct kind *kind) {
    return kind->type != 1 || kind->location != 1 || kind->device < 0 || kind->device > 1 ||
           kind->handle < 0 || kind->handle > 1;
}
int NAME(cuMemGetAllocationGranularity, hipMemGetAllocationGranularity)(size_t *bytes,
                                                                        const struct kind *kind, int option) {
    *bytes = kind->device ? 2 * PAGE : PAGE; /* the larger one holds */
    return refuses(wrong_kind(kind) || option != 1);
}
static int keep(uint64_t *handle, int file) {
    for (int i = 0; i < KEPT; i++) {
        if (!handles[i]) {
            handles[i] = file + 1;
            *handle = 100 + (uint64_t)i;
            return 0;
        }
    }
    return INVALID;
}
int NAME(cuMemCreate, hipMemCreate)(uint64_t *handle, size_t bytes, const struct kind *kind,
                                    unsigned long long flags) {
    int code = refuses(flags || wrong_kind(kind) || bytes % PAGE || !bytes);
    int file = code ? -1 : memfd_create("device", MFD_CLOEXEC);
    if (code || file < 0 || ftruncate(file, (off_t)bytes)) {
        return code ? code : INVALID;
    }
    memset(handle, 0, sizeof *handle);
    return keep(handle, file);
}
static int *file_of(uint64_t handle) {
    return handle >= 100 && handle < 100 + KEPT && handles[handle - 100] ? &handles[handle - 100] : NULL;
}
int NAME(cuMemRelease, hipMemRelease)(uint64_t handle) {
    int *file = file_of(handle), code = refuses(!file);
    if (!code) {
        close(*file - 1);
        *file = 0;
    }
    return code;
}
int NAME(cuMemExportToShareableHandle, hipMemExportToShareableHandle)(int *out, uint64_t handle, int type,
                                                                      unsigned long long flags) {
    int *file = file_of(handle), code = refuses(!file || type != 1 || flags);
    *out = code ? -1 : fcntl(*file - 1, F_DUPFD_CLOEXEC, 0);
    return code;
}
int NAME(cuMemImportFromShareableHandle, hipMemImportFromShareableHandle)(uint64_t *handle, void *file,
                                                                          int type) {
    int copy = fcntl((int)(intptr_t)file, F_DUPFD_CLOEXEC, 0), code = refuses(copy < 0 || type != 1);
    if (code) {
        close(copy);
        return code;
    }
    return keep(handle, copy);
}
int NAME(cuMemAddressReserve, hipMemAddressReserve)(uint64_t *address, size_t bytes, size_t alignment,
                                                    uint64_t fixed, unsigned long long flags) {
    int code = refuses(bytes % PAGE || alignment || fixed || flags);
    for (int i = 0; !code && i < KEPT; i++) {
        if (!ranges[i].address) {
            ranges[i].address =
                (uint64_t)(uintptr_t)mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            ranges[i].bytes = bytes;
            *address = ranges[i].address;
            return 0;
        }
    }
    return code ? code : INVALID;
}
static int range_of(uint64_t address) {
    for (int i = 0; i < KEPT; i++) {
        if (address && ranges[i].address == address) {
            return i;
        }
    }
    return -1;
}
int NAME(cuMemMap, hipMemMap)(uint64_t address, size_t bytes, size_t offset, uint64_t handle,
                              unsigned long long flags) {
    int range = range_of(address), *file = file_of(handle);
    int code = refuses(range < 0 || !file || ranges[range].mapped || bytes != ranges[range].bytes || offset ||
                       flags);
    if (!code) {
        mmap((void *)(uintptr_t)address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, *file - 1, 0);
        ranges[range].mapped = 1;
    }
    return code;
}
int NAME(cuMemSetAccess, hipMemSetAccess)(uint64_t address, size_t bytes, const int (*access)[3],
                                          size_t count) {
    int range = range_of(address), wrong = range < 0 || !ranges[range].mapped || count == 0;
    for (size_t i = 0; i < count; i++) {
        wrong |= access[i][0] != 1 || access[i][1] < 0 || access[i][1] > 1 || access[i][2] != 3;
    }
    int code = refuses(wrong);
    return code ? code : mprotect((void *)(uintptr_t)address, bytes, PROT_READ | PROT_WRITE) ? INVALID : 0;
}
int NAME(cuMemUnmap, hipMemUnmap)(uint64_t address, size_t bytes) {
    int range = range_of(address), code = refuses(range < 0 || !ranges[range].mapped);
    if (!code) {
        mmap((void *)(uintptr_t)address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        ranges[range].mapped = 0;
    }
    return code;
}
int NAME(cuMemAddressFree, hipMemAddressFree)(uint64_t address, size_t bytes) {
    int range = range_of(address), code = refuses(range < 0 || ranges[range].mapped);
    if (!code) {
        munmap((void *)(uintptr_t)address, bytes);
        ranges[range].address = 0;
    }
    return code;
}
int NAME(cuMemsetD8Async, hipMemsetD8Async)(uint64_t address, unsigned char value, size_t bytes,
                                            void *stream) {
    int code = refuses(current < 0 || stream);
    if (!code) {
        memset((void *)(uintptr_t)address, value, bytes);
    }
    return code;
}
int NAME(cuStreamSynchronize, hipStreamSynchronize)(void *stream) {
    return refuses(stream != NULL);
}
int NAME(cuMemAlloc_v2, hipMalloc)(uint64_t *address, size_t bytes) {
    int code = refuses(current < 0 || !bytes);
    for (int i = 0; !code && i < KEPT; i++) {
        if (!plain[i]) {
            plain[i] = malloc(bytes);
            *address = (uint64_t)(uintptr_t)plain[i];
            return 0;
        }
    }
    return code ? code : INVALID;
}
int NAME(cuMemFree_v2, hipFree)(uint64_t address) {
    int code = refuses(0);
    for (int i = 0; !code && i < KEPT; i++) {
        if (plain[i] && (uint64_t)(uintptr_t)plain[i] == address) {
            free(plain[i]);
            plain[i] = NULL;
            return 0;
        }
    }
    return code ? code : INVALID;
}
int NAME(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync)(uint64_t to, const void *from, size_t bytes,
                                                   void *stream) {
    int code = refuses(stream != NULL);
    if (!code) {
        memcpy((void *)(uintptr_t)to, from, bytes);
    }
    return code;
}
