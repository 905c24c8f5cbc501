/* The common functions of fake_cuda.c and fake_hip.c (fake.c). `call`: the name of the driver's function, for
 * functions able to fail. */
#ifndef TESTS_ARTIFACT_FAKE_DRIVER_H
#define TESTS_ARTIFACT_FAKE_DRIVER_H

#include "fake.h"

enum {
    FAKE_INVALID_VALUE = 1,
    FAKE_NO_DEVICE = 100,
    FAKE_INVALID_CONTEXT = 201,
    FAKE_INVALID_IMAGE = 218,
    FAKE_INVALID_HANDLE = 400,
    FAKE_OUT_OF_RESOURCES = 701,
    FAKE_CAPTURING = 900,
    FAKE_UNKNOWN = 999,
    FAKE_ALLOCATION = 0x7000 /* the address of every allocation */
};

int fake_fails(const char *call); /* true if this call is the one to fail */
unsigned long long fake_context(void);
const char *fake_error_text(int error);

int fake_load(const char *call, void **module, const void *image);
int fake_unload(const char *call, const void *module);
int fake_find(const char *call, void **function, const char *name);
int fake_launch(const char *call, const void *function, const unsigned grid[3], unsigned threads,
                unsigned shared, void **arguments, void **extra);

int fake_allocate(const char *call, unsigned long long *at, size_t bytes);
int fake_free(unsigned long long at);
int fake_range(const char *call, unsigned long long *base, size_t *bytes, unsigned long long at);
int fake_read(const char *call, void *to, unsigned long long from, size_t bytes);
int fake_copy(const char *call, unsigned long long to, unsigned long long from, size_t bytes);
int fake_clear(const char *call, unsigned long long at, unsigned char value, size_t bytes);

int fake_wait(const char *call);
int fake_is_capturing(const char *call, int *status);
int fake_stream_create(const char *call, void **stream, unsigned flags);
int fake_stream_destroy(void *stream);
int fake_event_create(const char *call, void **event, unsigned flags);
int fake_event_destroy(void *event);
int fake_event_record(const char *call, void *event);
int fake_event_wait(const char *call, const void *event);
int fake_event_time(const char *call, float *milliseconds, const void *start, const void *stop);
int fake_capture_begin(const char *call, const void *stream, int mode);
int fake_capture_end(const char *call, void **made);
int fake_graph_make(const char *call, void **made, const void *graph, unsigned long long flags);
int fake_graph_launch(const char *call, const void *made, const void *stream);
int fake_graph_destroy(void *graph);

#endif
