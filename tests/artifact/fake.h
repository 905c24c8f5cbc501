/* A driver that only keeps records, for both vendors: what was loaded and what the last launch got. */
#ifndef TESTS_ARTIFACT_FAKE_H
#define TESTS_ARTIFACT_FAKE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What cuTensorMapEncodeTiled was asked for; the map that it gives out holds the address and the first size. */
struct fake_map {
    int type, swizzle, rank;
    unsigned long long address, sizes[5], strides[4];
    unsigned box[5];
};

struct fake {
    int loads, unloads, lookups, launches; /* changed atomically */
    const char *image;                     /* loaded last */
    const char *kernel;                    /* launched last */
    unsigned grid[3], threads, shared;
    int limit;        /* of dynamic shared memory, when raised */
    void **arguments; /* of the last launch: valid only inside `seen` */
    void (*seen)(void **arguments);
    int no_cuda, no_hip;           /* that driver is there and finds no device */
    int major, minor;              /* capability of the CUDA device */
    const char *chip;              /* gcnArchName */
    const char *name;              /* of the device */
    unsigned long long context_id; /* 0: no context is current */
    int device;
    int fail_load;
    int multiprocessors;
    int encodes, fail_encode; /* of tensor maps */
    struct fake_map map;      /* encoded last */
    int allocations;          /* that were not freed */
    int threads_launch;       /* several at once: `seen` is called, only the counts are kept */
    double clock;             /* microseconds: what a launch takes is added */
    double (*takes)(const char *kernel, void **arguments);
    int fail_call;      /* of the driver calls from now on the one of this number fails; 0: none does */
    const char *failed; /* the call that did */
    int fail_launch;    /* of the launches from now on the one of this number fails; 0: none does */
    int events, capturing, clears, copies;
    int streams, graphs;               /* that were not destroyed */
    int (*accepts)(const char *image); /* of an image, or the path of one; NULL: all are taken */
    int elsewhere; /* addresses are those of no memory: each is an array of 64 bytes, all of them zeros */
};

extern struct fake fake;

/* Where it is not 0: the context (on AMD the device) that is current in this thread. */
extern __thread unsigned long long fake_own_context;

/* 64 KiB that are the device's memory as this thread sees it: an address is a pointer into it. fake.c. */
unsigned char *fake_device_memory(void);

#ifdef __cplusplus
}
#endif

#endif
