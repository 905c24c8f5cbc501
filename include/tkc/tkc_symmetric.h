/* tkc_symmetric.h: symmetric memory: as much on each of several GPUs, and addressed by all of them, for kernels over several GPUs
 * (examples/several_gpus.tk). Over a dynamic tkc_runtime.h; C99 and C++17; Linux.
 *
 *     struct tkc_symmetric heap;
 *     tkc_symmetric_allocate(&heap, devices, 2, bytes);                      one process has all GPUs
 *     tkc_symmetric_join(&heap, device, rank, ranks, bytes, "/tmp/job42", 30000);     each process has one, and calls this
 *
 *     all_reduce_one_shot_launch(stream, x, out, tkc_symmetric_addresses(&heap, rank, 4096), …);
 *     tkc_symmetric_free(&heap);
 *
 * A GPU is a rank. Its memory is made by the driver's virtual memory management (cuMemCreate, hipMemCreate), mapped for all GPUs of the
 * process, and zero at first. Between processes it travels as a file descriptor over sockets of the local host, named
 * PATH.0, PATH.1 …; all processes give the same ranks, bytes and path, and a path serves one heap at a time. Multicast is not used.
 *
 * Kernels take arrays of addresses: tkc_symmetric_addresses makes one, in the memory of this rank's GPU, of the places so many bytes
 * into each rank's memory. Arrays are freed with the heap. Memory made by others (ncclMemAlloc, NVSHMEM, PyTorch's
 * symmetric memory) needs no heap: copy its addresses to the device as such an array.
 *
 * All functions give 0 or the driver's code; `problem` of the heap names the failed step and the rank. A failure leaves nothing
 * behind, and the heap as empty as after tkc_symmetric_free. A heap is for one thread at a time. The HIP side follows HIP's
 * documentation and runs on a stand-in for the driver alone: it has not met a card. */
#ifndef TKC_SYMMETRIC_H
#define TKC_SYMMETRIC_H

#include "tkc_runtime.h"

#ifndef TKC_RUNTIME_DYNAMIC
#error "tkc_symmetric.h needs the dynamic tkc_runtime.h: define TKC_RUNTIME_DYNAMIC, or no runtime"
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    TKC_SYMMETRIC_RANKS = 16,
    TKC_SYMMETRIC_ARRAYS = 64,
    TKC_SYMMETRIC_PEERS = 996,  /* GPUs without access to each other's memory */
    TKC_SYMMETRIC_SOCKET = 997, /* a peer did not come, or came with something else */
    TKC_SYMMETRIC_LIMIT = 998   /* too many ranks or arrays, or a place beyond the memory */
};

struct tkc_symmetric {
    unsigned ranks;      /* GPUs in all; 0: empty */
    unsigned first, own; /* this process has the ranks first … first + own - 1 */
    size_t bytes;        /* of each rank: as asked for, rounded up to a multiple the driver maps */
    int devices[TKC_SYMMETRIC_RANKS]; /* ordinals of this process's own ranks */
    tkc_pointer
        memory[TKC_SYMMETRIC_RANKS]; /* of each rank: its address for this process's GPUs; 0: not mapped */
    uint64_t handles[TKC_SYMMETRIC_RANKS], reserved[TKC_SYMMETRIC_RANKS];
    tkc_pointer arrays[TKC_SYMMETRIC_ARRAYS];
    int array_devices[TKC_SYMMETRIC_ARRAYS];
    unsigned array_count;
    char problem[280];
};

/* ---- the driver's calls: X(name here, in libcuda, in libamdhip64, parameters) ---- */

struct tkc_memory_location {
    int type, device; /* type 1: a device */
};
struct tkc_memory_kind { /* CUmemAllocationProp, hipMemAllocationProp */
    int type, handles;
    struct tkc_memory_location location;
    void *unused;
    unsigned char flags[8];
};
struct tkc_memory_access {
    struct tkc_memory_location location;
    int flags;
};
enum { TKC_PINNED = 1, TKC_ON_DEVICE = 1, TKC_AS_FILE = 1, TKC_READ_WRITE = 3, TKC_ABOUT_TO_GROW = 1 };

#define TKC_SYMMETRIC_CALLS(X)                                                                               \
    X(Granularity, "cuMemGetAllocationGranularity", "hipMemGetAllocationGranularity",                        \
      (size_t *, const struct tkc_memory_kind *, int))                                                       \
    X(Create, "cuMemCreate", "hipMemCreate",                                                                 \
      (uint64_t *, size_t, const struct tkc_memory_kind *, unsigned long long))                              \
    X(Release, "cuMemRelease", "hipMemRelease", (uint64_t))                                                  \
    X(Reserve, "cuMemAddressReserve", "hipMemAddressReserve",                                                \
      (uint64_t *, size_t, size_t, uint64_t, unsigned long long))                                            \
    X(FreeReserved, "cuMemAddressFree", "hipMemAddressFree", (uint64_t, size_t))                             \
    X(Map, "cuMemMap", "hipMemMap", (uint64_t, size_t, size_t, uint64_t, unsigned long long))                \
    X(Unmap, "cuMemUnmap", "hipMemUnmap", (uint64_t, size_t))                                                \
    X(SetAccess, "cuMemSetAccess", "hipMemSetAccess",                                                        \
      (uint64_t, size_t, const struct tkc_memory_access *, size_t))                                          \
    X(Export, "cuMemExportToShareableHandle", "hipMemExportToShareableHandle",                               \
      (void *, uint64_t, int, unsigned long long))                                                           \
    X(Import, "cuMemImportFromShareableHandle", "hipMemImportFromShareableHandle",                           \
      (uint64_t *, void *, int))                                                                             \
    X(CanAccessPeer, "cuDeviceCanAccessPeer", "hipDeviceCanAccessPeer", (int *, int, int))

struct tkc_symmetric_calls {
#define TKC_FIELD(name, nvidia, amd, parameters) int(*name) parameters;
    TKC_SYMMETRIC_CALLS(TKC_FIELD)
#undef TKC_FIELD
};

static inline int tkc_symmetric_say(struct tkc_symmetric *heap, int result, const char *what, unsigned rank) {
    if (result != 0 && !heap->problem[0]) {
        snprintf(heap->problem, sizeof heap->problem, "%s of rank %u: %s", what, rank,
                 tkc_error_text(result));
    }
    return result;
}

static inline int tkc_symmetric_open(struct tkc_symmetric *heap, struct tkc_symmetric_calls *calls) {
    int result = tkc_open(), amd = result == 0 && tkc_driver_1.vendor == TKC_AMD;
    const char *lacks = NULL;
    void *symbol;
    if (result != 0) {
        return tkc_symmetric_say(heap, result, "the driver", 0);
    }
#define TKC_FIND(name, nvidia, hip, parameters)                                                              \
    symbol = tkc_driver_symbol(amd ? hip : nvidia);                                                          \
    lacks = symbol ? lacks : (amd ? hip : nvidia);                                                           \
    memcpy((void *)&calls->name, &symbol, sizeof symbol);
    TKC_SYMMETRIC_CALLS(TKC_FIND)
#undef TKC_FIND
    if (lacks) {
        snprintf(heap->problem, sizeof heap->problem, "the driver has no %s: it is too old", lacks);
        return TKC_NO_FUNCTION;
    }
    return 0;
}

/* ---- making and mapping ---- */

static inline struct tkc_memory_kind tkc_symmetric_kind(int device, int shared) {
    struct tkc_memory_kind kind;
    memset(&kind, 0, sizeof kind);
    kind.type = TKC_PINNED;
    kind.handles = shared ? TKC_AS_FILE : 0;
    kind.location.type = TKC_ON_DEVICE;
    kind.location.device = device;
    return kind;
}

/* Rounds the size up to a multiple mapped by all of this process's GPUs. */
static inline int tkc_symmetric_round(struct tkc_symmetric *heap, const struct tkc_symmetric_calls *calls,
                                      int shared, size_t bytes) {
    size_t step = 1;
    unsigned i;
    for (i = 0; i < heap->own; i++) {
        struct tkc_memory_kind kind = tkc_symmetric_kind(heap->devices[i], shared);
        size_t granularity = 0;
        int result = tkc_symmetric_say(heap, calls->Granularity(&granularity, &kind, TKC_ABOUT_TO_GROW),
                                       "the size of pages", heap->first + i);
        if (result != 0) {
            return result;
        }
        step = granularity > step ? granularity : step;
    }
    heap->bytes = (bytes + step - 1) / step * step;
    return 0;
}

static inline int tkc_symmetric_reach(struct tkc_symmetric *heap, const struct tkc_symmetric_calls *calls) {
    unsigned i, j;
    for (i = 0; i < heap->own; i++) {
        for (j = 0; j < heap->own; j++) {
            int reaches = 1, result = 0;
            if (heap->devices[i] != heap->devices[j]) {
                result = calls->CanAccessPeer(&reaches, heap->devices[i], heap->devices[j]);
            }
            if (result != 0) {
                return tkc_symmetric_say(heap, result, "the peers", heap->first + i);
            }
            if (!reaches) {
                snprintf(heap->problem, sizeof heap->problem, "GPU %d does not reach the memory of GPU %d",
                         heap->devices[i], heap->devices[j]);
                return TKC_SYMMETRIC_PEERS;
            }
        }
    }
    return 0;
}

/* Maps a rank's memory, by its handle, for all GPUs of this process. */
static inline int tkc_symmetric_map(struct tkc_symmetric *heap, const struct tkc_symmetric_calls *calls,
                                    unsigned rank) {
    struct tkc_memory_access access[TKC_SYMMETRIC_RANKS];
    unsigned i;
    int result = tkc_symmetric_say(heap, calls->Reserve(&heap->reserved[rank], heap->bytes, 0, 0, 0),
                                   "addresses for the memory", rank);
    if (result == 0) {
        result =
            tkc_symmetric_say(heap, calls->Map(heap->reserved[rank], heap->bytes, 0, heap->handles[rank], 0),
                              "mapping the memory", rank);
        heap->memory[rank] = result == 0 ? heap->reserved[rank] : 0;
    } else {
        heap->reserved[rank] = 0;
    }
    for (i = 0; i < heap->own; i++) {
        access[i].location.type = TKC_ON_DEVICE;
        access[i].location.device = heap->devices[i];
        access[i].flags = TKC_READ_WRITE;
    }
    if (result == 0) {
        result = tkc_symmetric_say(heap, calls->SetAccess(heap->memory[rank], heap->bytes, access, heap->own),
                                   "access to the memory", rank);
    }
    return result;
}

/* Makes the memory of one of this process's ranks, zero. */
static inline int tkc_symmetric_make(struct tkc_symmetric *heap, const struct tkc_symmetric_calls *calls,
                                     unsigned rank, int shared) {
    int device = heap->devices[rank - heap->first];
    struct tkc_memory_kind kind = tkc_symmetric_kind(device, shared);
    int result = tkc_symmetric_say(heap, calls->Create(&heap->handles[rank], heap->bytes, &kind, 0),
                                   "making the memory", rank);
    if (result != 0) {
        heap->handles[rank] = 0;
        return result;
    }
    result = tkc_symmetric_map(heap, calls, rank);
    if (result == 0) {
        result = tkc_symmetric_say(heap, tkc_device_use(device), "using the GPU", rank);
    }
    if (result == 0) {
        result = tkc_symmetric_say(heap, tkc_fill(heap->memory[rank], 0, heap->bytes, NULL),
                                   "clearing the memory", rank);
    }
    if (result == 0) {
        result = tkc_symmetric_say(heap, tkc_stream_wait(NULL), "clearing the memory", rank);
    }
    return result;
}

/* Gives everything back, also of a heap made in part. Goes on after an error, and returns the first one. */
static inline tkc_result tkc_symmetric_free(struct tkc_symmetric *heap) {
    struct tkc_symmetric_calls calls;
    int first = heap->ranks ? tkc_symmetric_open(heap, &calls) : TKC_NO_DEVICE, result;
    unsigned i;
    if (first != 0) {
        return heap->ranks ? first : 0;
    }
    for (i = 0; i < heap->array_count; i++) {
        result = tkc_device_use(heap->array_devices[i]);
        result = result ? result : tkc_memory_free(heap->arrays[i]);
        first = first ? first : result;
    }
    for (i = 0; i < heap->ranks; i++) {
        result = heap->memory[i] ? calls.Unmap(heap->memory[i], heap->bytes) : 0;
        first = first ? first : result;
        result = heap->reserved[i] ? calls.FreeReserved(heap->reserved[i], heap->bytes) : 0;
        first = first ? first : result;
        result = heap->handles[i] ? calls.Release(heap->handles[i]) : 0;
        first = first ? first : result;
    }
    heap->ranks = heap->own = heap->array_count = 0;
    memset(heap->memory, 0, sizeof heap->memory);
    memset(heap->reserved, 0, sizeof heap->reserved);
    memset(heap->handles, 0, sizeof heap->handles);
    return first;
}

/* After a failure: nothing stays; the code and the problem are the failure's. */
static inline int tkc_symmetric_undo(struct tkc_symmetric *heap, int result) {
    char problem[sizeof heap->problem];
    memcpy(problem, heap->problem, sizeof problem);
    if (result != 0) {
        tkc_symmetric_free(heap);
        memcpy(heap->problem, problem, sizeof problem);
    }
    return result;
}

static inline int tkc_symmetric_begin(struct tkc_symmetric *heap, struct tkc_symmetric_calls *calls,
                                      const int *ordinals, unsigned own, unsigned first, unsigned ranks,
                                      size_t bytes, int shared) {
    int result;
    unsigned i;
    memset(heap, 0, sizeof *heap);
    if (ranks == 0 || ranks > TKC_SYMMETRIC_RANKS || first + own > ranks || bytes == 0) {
        snprintf(heap->problem, sizeof heap->problem,
                 "rank %u of %u with %lu bytes: 1 to %d ranks with some bytes", first, ranks,
                 (unsigned long)bytes, TKC_SYMMETRIC_RANKS);
        return TKC_SYMMETRIC_LIMIT;
    }
    result = tkc_symmetric_open(heap, calls);
    if (result != 0) {
        return result;
    }
    heap->ranks = ranks;
    heap->first = first;
    heap->own = own;
    for (i = 0; i < own; i++) {
        heap->devices[i] = ordinals[i];
    }
    result = tkc_symmetric_reach(heap, calls);
    return result ? result : tkc_symmetric_round(heap, calls, shared, bytes);
}

/* `bytes` on each of these GPUs, given by ordinals, as ranks 0, 1 …. One GPU may be several ranks. */
static inline tkc_result tkc_symmetric_allocate(struct tkc_symmetric *heap, const int *ordinals,
                                                unsigned count, size_t bytes) {
    struct tkc_symmetric_calls calls;
    unsigned rank;
    int result = tkc_symmetric_begin(heap, &calls, ordinals, count, 0, count, bytes, 0);
    for (rank = 0; rank < count && result == 0; rank++) {
        result = tkc_symmetric_make(heap, &calls, rank, 0);
    }
    return tkc_symmetric_undo(heap, result);
}

/* ---- arrays of addresses ---- */

/* The array, in the memory of the GPU of `rank` (one of this process's), of the addresses `offset` bytes into each rank's
 * memory; 0 after a failure. */
static inline tkc_pointer tkc_symmetric_addresses(struct tkc_symmetric *heap, unsigned rank, size_t offset) {
    uint64_t places[TKC_SYMMETRIC_RANKS];
    tkc_pointer array = 0;
    unsigned i;
    int result;
    if (rank < heap->first || rank >= heap->first + heap->own || offset >= heap->bytes ||
        heap->array_count == TKC_SYMMETRIC_ARRAYS) {
        snprintf(heap->problem, sizeof heap->problem,
                 "addresses for rank %u at byte %lu of %lu, array %u of %d: this process has ranks %u to %u",
                 rank, (unsigned long)offset, (unsigned long)heap->bytes, heap->array_count + 1,
                 TKC_SYMMETRIC_ARRAYS, heap->first, heap->first + (heap->own ? heap->own - 1 : 0));
        return 0;
    }
    for (i = 0; i < heap->ranks; i++) {
        places[i] = heap->memory[i] + offset;
    }
    heap->problem[0] = 0;
    result =
        tkc_symmetric_say(heap, tkc_device_use(heap->devices[rank - heap->first]), "using the GPU", rank);
    if (result == 0) {
        result = tkc_symmetric_say(heap, tkc_memory_allocate(&array, heap->ranks * sizeof places[0]),
                                   "an array", rank);
    }
    if (result != 0) {
        return 0;
    }
    result = tkc_symmetric_say(heap, tkc_copy_to_device(array, places, heap->ranks * sizeof places[0], NULL),
                               "filling an array", rank);
    if (result == 0) {
        result = tkc_symmetric_say(heap, tkc_stream_wait(NULL), "filling an array", rank);
    }
    if (result != 0) {
        tkc_memory_free(array);
        return 0;
    }
    heap->array_devices[heap->array_count] = heap->devices[rank - heap->first];
    heap->arrays[heap->array_count++] = array;
    return array;
}

/* ---- between processes ---- */

struct tkc_symmetric_card { /* a process's data, beside its descriptor */
    uint32_t magic, rank, ranks;
    uint64_t bytes;
};
enum {
    TKC_SYMMETRIC_MAGIC = 0x746b6331,
    TKC_SYMMETRIC_READY = 0x746b6332 /* has all memory, and sends no descriptor */
};

static inline int tkc_symmetric_fault(struct tkc_symmetric *heap, const char *what, unsigned rank,
                                      const char *why) {
    if (!heap->problem[0]) {
        snprintf(heap->problem, sizeof heap->problem, "%s of rank %u: %s", what, rank, why);
    }
    return TKC_SYMMETRIC_SOCKET;
}

static inline double tkc_symmetric_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static inline int tkc_symmetric_name(struct tkc_symmetric *heap, struct sockaddr_un *address,
                                     const char *path, unsigned rank) {
    int length;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    length = snprintf(address->sun_path, sizeof address->sun_path, "%s.%u", path, rank);
    return length < 0 || (size_t)length >= sizeof address->sun_path
               ? tkc_symmetric_fault(heap, "the socket", rank, "its name is too long")
               : 0;
}

static inline int tkc_symmetric_listen(struct tkc_symmetric *heap, const char *path, int *listener) {
    struct sockaddr_un address;
    int result = tkc_symmetric_name(heap, &address, path, heap->first);
    if (result != 0) {
        return result;
    }
    unlink(address.sun_path);
    *listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*listener < 0 || bind(*listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(*listener, TKC_SYMMETRIC_RANKS) != 0) {
        return tkc_symmetric_fault(heap, "the socket", heap->first, strerror(errno));
    }
    return 0;
}

static inline int tkc_symmetric_connect(struct tkc_symmetric *heap, const char *path, unsigned rank,
                                        double until, int *to) {
    struct sockaddr_un address;
    struct timespec pause = {0, 2000000};
    int result = tkc_symmetric_name(heap, &address, path, rank);
    *to = result == 0 ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (*to < 0) {
        return result ? result : tkc_symmetric_fault(heap, "the socket", rank, strerror(errno));
    }
    while (connect(*to, (struct sockaddr *)&address, sizeof address) != 0) {
        if ((errno != ENOENT && errno != ECONNREFUSED && errno != EINTR && errno != EAGAIN) ||
            tkc_symmetric_clock() > until) {
            return tkc_symmetric_fault(heap, "the process", rank,
                                       tkc_symmetric_clock() > until ? "it did not come in time"
                                                                     : strerror(errno));
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* Sends or receives the card, with a descriptor unless it is -1. */
static inline int tkc_symmetric_pass(struct tkc_symmetric *heap, int at, unsigned rank,
                                     struct tkc_symmetric_card *card, int *file, int sends) {
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {card, sizeof *card};
    struct msghdr message;
    struct cmsghdr *head;
    ssize_t length;
    memset(&message, 0, sizeof message);
    memset(&control, 0, sizeof control);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    if (sends && *file < 0) {
        message.msg_control = NULL;
        message.msg_controllen = 0;
    } else if (sends) {
        head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof *file);
        memcpy(CMSG_DATA(head), file, sizeof *file);
    }
    do {
        length = sends ? sendmsg(at, &message, MSG_NOSIGNAL) : recvmsg(at, &message, MSG_CMSG_CLOEXEC);
    } while (length < 0 && errno == EINTR);
    if (length != (ssize_t)sizeof *card) {
        return tkc_symmetric_fault(heap, "the process", rank, length < 0 ? strerror(errno) : "it ended");
    }
    head = sends ? NULL : CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
        memcpy(file, CMSG_DATA(head), sizeof *file);
    }
    return 0;
}

/* Sends the card, with a descriptor unless it is -1, to all other ranks. */
static inline int tkc_symmetric_send(struct tkc_symmetric *heap, const char *path, uint32_t magic, int file,
                                     double until) {
    struct tkc_symmetric_card card = {magic, heap->first, heap->ranks, heap->bytes};
    unsigned rank;
    int result = 0;
    for (rank = 0; rank < heap->ranks && result == 0; rank++) {
        int to = -1;
        if (rank != heap->first) {
            result = tkc_symmetric_connect(heap, path, rank, until, &to);
            result = result ? result : tkc_symmetric_pass(heap, to, rank, &card, &file, 1);
        }
        if (to >= 0) {
            close(to);
        }
    }
    return result;
}

/* Takes one card: a peer's memory, or its word of having all memory. */
static inline int tkc_symmetric_receive(struct tkc_symmetric *heap, const struct tkc_symmetric_calls *calls,
                                        int listener, double until, unsigned *came, unsigned *ready) {
    struct tkc_symmetric_card card;
    double left = until - tkc_symmetric_clock();
    struct timeval wait;
    int from, file = -1, result, shares;
    left = left < 1 ? 1 : left;
    wait.tv_sec = (time_t)(left / 1e3);
    wait.tv_usec = (suseconds_t)(left - 1e3 * (double)wait.tv_sec) * 1000;
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    do {
        from = accept(listener, NULL, NULL);
    } while (from < 0 && errno == EINTR);
    if (from < 0) {
        return tkc_symmetric_fault(heap, "the peers", heap->first,
                                   errno == EAGAIN ? "not all came in time" : strerror(errno));
    }
    setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    memset(&card, 0, sizeof card);
    result = tkc_symmetric_pass(heap, from, heap->first, &card, &file, 0);
    close(from);
    shares = card.magic == TKC_SYMMETRIC_MAGIC && file >= 0;
    if (result == 0 && ((!shares && card.magic != TKC_SYMMETRIC_READY) || card.rank >= heap->ranks ||
                        card.rank == heap->first || card.ranks != heap->ranks || card.bytes != heap->bytes ||
                        (shares && heap->handles[card.rank]))) {
        result = tkc_symmetric_fault(heap, "the peer", card.rank,
                                     "it says other ranks or bytes than this process");
    }
    *ready += result == 0 && !shares;
    *came += result == 0 && shares;
    if (result == 0 && shares) {
        result = tkc_symmetric_say(
            heap, calls->Import(&heap->handles[card.rank], (void *)(uintptr_t)(unsigned)file, TKC_AS_FILE),
            "taking in the memory", card.rank);
        heap->handles[card.rank] = result == 0 ? heap->handles[card.rank] : 0;
        result = result ? result : tkc_symmetric_map(heap, calls, card.rank);
    }
    if (file >= 0) {
        close(file);
    }
    return result;
}

/* All give their memory to all; then all confirm it, so either every process goes on or none. */
static inline int tkc_symmetric_exchange(struct tkc_symmetric *heap, const struct tkc_symmetric_calls *calls,
                                         const char *path, int file, double until) {
    struct sockaddr_un address;
    unsigned came = 0, ready = 0;
    int listener = -1, result = tkc_symmetric_listen(heap, path, &listener);
    result = result ? result : tkc_symmetric_send(heap, path, TKC_SYMMETRIC_MAGIC, file, until);
    while (result == 0 && came + 1 < heap->ranks) {
        result = tkc_symmetric_receive(heap, calls, listener, until, &came, &ready);
    }
    result = result ? result : tkc_symmetric_send(heap, path, TKC_SYMMETRIC_READY, -1, until);
    while (result == 0 && ready + 1 < heap->ranks) {
        result = tkc_symmetric_receive(heap, calls, listener, until, &came, &ready);
    }
    if (listener >= 0) {
        close(listener);
        if (tkc_symmetric_name(heap, &address, path, heap->first) == 0) {
            unlink(address.sun_path);
        }
    }
    return result;
}

/* This process's GPU is rank `rank` of `ranks`. Returns when all have come, or after so many milliseconds. */
static inline tkc_result tkc_symmetric_join(struct tkc_symmetric *heap, int ordinal, unsigned rank,
                                            unsigned ranks, size_t bytes, const char *path,
                                            unsigned milliseconds) {
    struct tkc_symmetric_calls calls;
    double until = tkc_symmetric_clock() + milliseconds;
    int file = -1, result = tkc_symmetric_begin(heap, &calls, &ordinal, 1, rank, ranks, bytes, 1);
    if (result == 0) {
        result = tkc_symmetric_make(heap, &calls, rank, 1);
    }
    if (result == 0) {
        result = tkc_symmetric_say(heap, calls.Export(&file, heap->handles[rank], TKC_AS_FILE, 0),
                                   "sharing the memory", rank);
    }
    if (result == 0) {
        result = tkc_symmetric_exchange(heap, &calls, path, file, until);
        close(file);
    }
    return tkc_symmetric_undo(heap, result);
}
#endif
