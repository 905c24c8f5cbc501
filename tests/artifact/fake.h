/* A recording driver for both vendors: it keeps the loaded images and the last launch's arguments. */
#ifndef TESTS_ARTIFACT_FAKE_H
#define TESTS_ARTIFACT_FAKE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments of cuTensorMapEncodeTiled; the encoded map holds the address and the first size. */
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
    int no_cuda, no_hip;           /* the driver is there, without a device */
    int major, minor;              /* capability of the CUDA device */
    const char *chip;              /* gcnArchName */
    const char *name;              /* of the device */
    unsigned long long context_id; /* 0: no context is current */
    int device;
    int fail_load;
    int multiprocessors;
    int encodes, fail_encode; /* of tensor maps */
    struct fake_map map;      /* encoded last */
    int allocations;          /* not yet freed */
    int threads_launch;       /* several at once: `seen` is called, only the counts are kept */
    double clock;             /* microseconds: each launch adds its duration */
    double (*takes)(const char *kernel, void **arguments);
    int fail_call;      /* number of the driver call to fail, counted from now on; 0: none */
    const char *failed; /* the failed call */
    int fail_launch;    /* number of the launch to fail, counted from now on; 0: none */
    int events, capturing, clears, copies;
    int streams, graphs;               /* not yet destroyed */
    int (*accepts)(const char *image); /* decides on an image, or the path of one; NULL: accepts all */
    int dependents;                    /* launches that may begin while the one ahead ends */
    int elsewhere; /* addresses are of no memory: each stands for an array of 64 zero bytes */
};

extern struct fake fake;

/* The current context (on AMD the device) of this thread; 0: the common one. */
extern __thread unsigned long long fake_own_context;

/* 64 KiB as the device's memory of this thread: an address is a pointer into it. fake.c. */
unsigned char *fake_device_memory(void);

#ifdef __cplusplus
}
#endif

#endif
