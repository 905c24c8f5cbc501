/* The common code of both vendors' fake drivers. Codes are the same number for both. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "fake_driver.h"

struct fake fake;
__thread unsigned long long fake_own_context;

int fake_fails(const char *call) {
    if (!fake.fail_call || --fake.fail_call) {
        return 0;
    }
    fake.failed = call;
    return 1;
}

unsigned long long fake_context(void) {
    return fake_own_context ? fake_own_context : fake.context_id;
}

const char *fake_error_text(int error) {
    return error ? "an error of the fake driver" : "no error";
}

/* ---- modules and launches ---- */

int fake_load(const char *call, void **module, const void *image) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    if (fake.capturing) {
        return FAKE_CAPTURING;
    }
    if (fake.fail_load || (fake.accepts && !fake.accepts(image))) {
        return FAKE_INVALID_IMAGE;
    }
    __atomic_fetch_add(&fake.loads, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&fake.image, (const char *)image, __ATOMIC_SEQ_CST);
    *module = &fake;
    return 0;
}

/* A release takes effect even if it reports a failure. */
int fake_unload(const char *call, const void *module) {
    int failed = fake_fails(call);
    __atomic_fetch_add(&fake.unloads, 1, __ATOMIC_SEQ_CST);
    return failed ? FAKE_UNKNOWN : module == &fake ? 0 : FAKE_INVALID_HANDLE;
}

int fake_find(const char *call, void **function, const char *name) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    __atomic_fetch_add(&fake.lookups, 1, __ATOMIC_SEQ_CST);
    *function = (void *)(size_t)name;
    return 0;
}

/* The launches of a thread between the ends of a capture, by name. */
struct graph {
    int count;
    const char *kernels[64];
};
static __thread struct graph *recorded;

/* Records a launch in the graph being captured. True if there is one. */
static int records(const char *kernel) {
    if (recorded && recorded->count < 64) {
        recorded->kernels[recorded->count++] = kernel;
    }
    return recorded != NULL;
}

/* True if this launch is the one to fail; adds its duration to the clock. */
static int fails(const char *kernel, void **arguments) {
    if (fake.fail_launch && --fake.fail_launch == 0) {
        return 1;
    }
    if (fake.takes) {
        fake.clock += fake.takes(kernel, arguments);
    }
    return 0;
}

int fake_launch(const char *call, const void *function, const unsigned grid[3], unsigned threads,
                unsigned shared, void **arguments, void **extra) {
    const char *kernel = function;
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    if (records(kernel)) {
        return 0;
    }
    if (fails(kernel, arguments)) {
        return FAKE_OUT_OF_RESOURCES;
    }
    __atomic_fetch_add(&fake.launches, 1, __ATOMIC_SEQ_CST);
    if (fake.seen && !fake.threads_launch) {
        fake.kernel = kernel;
        memcpy(fake.grid, grid, sizeof fake.grid);
        fake.threads = threads;
        fake.shared = shared;
    }
    if (fake.seen) {
        fake.seen(arguments);
    }
    return extra ? FAKE_INVALID_VALUE : 0;
}

/* ---- device memory: an array of the host, one for each thread ---- */

enum { ELSEWHERE_BYTES = 64 };
_Alignas(256) static __thread unsigned char memory[1 << 16];
static __thread unsigned char allocation[1 << 16]; /* one beside it */

unsigned char *fake_device_memory(void) {
    return memory;
}

static int is_memory(unsigned long long at, size_t bytes) {
    if (fake.elsewhere) {
        return at && bytes <= ELSEWHERE_BYTES;
    }
    unsigned long long base = (unsigned long long)(size_t)memory;
    return at >= base && at + bytes <= base + sizeof memory;
}

static void *place(unsigned long long at) {
    return at == FAKE_ALLOCATION ? allocation : (void *)(size_t)at;
}

int fake_allocate(const char *call, unsigned long long *at, size_t bytes) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    if (fake.capturing) {
        return FAKE_CAPTURING;
    }
    *at = FAKE_ALLOCATION;
    __atomic_fetch_add(&fake.allocations, 1, __ATOMIC_SEQ_CST);
    return bytes && bytes <= sizeof allocation ? 0 : FAKE_INVALID_VALUE;
}

int fake_free(unsigned long long at) {
    __atomic_fetch_sub(&fake.allocations, 1, __ATOMIC_SEQ_CST);
    return at == FAKE_ALLOCATION ? 0 : FAKE_INVALID_VALUE;
}

int fake_range(const char *call, unsigned long long *base, size_t *bytes, unsigned long long at) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    *base = fake.elsewhere ? at : (unsigned long long)(size_t)memory;
    *bytes = fake.elsewhere ? ELSEWHERE_BYTES : sizeof memory;
    return is_memory(at, 1) ? 0 : FAKE_INVALID_VALUE;
}

int fake_read(const char *call, void *to, unsigned long long from, size_t bytes) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    if (!is_memory(from, bytes)) {
        return FAKE_INVALID_VALUE;
    }
    if (fake.elsewhere) {
        memset(to, 0, bytes);
    } else {
        memcpy(to, (void *)(size_t)from, bytes);
    }
    return 0;
}

int fake_copy(const char *call, unsigned long long to, unsigned long long from, size_t bytes) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    __atomic_fetch_add(&fake.copies, 1, __ATOMIC_SEQ_CST);
    if (!fake.elsewhere) {
        memmove(place(to), place(from), bytes);
    }
    return 0;
}

int fake_clear(const char *call, unsigned long long at, unsigned char value, size_t bytes) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    __atomic_fetch_add(&fake.clears, 1, __ATOMIC_SEQ_CST);
    if (!is_memory(at, bytes)) {
        return FAKE_INVALID_VALUE;
    }
    if (!fake.elsewhere) {
        memset((void *)(size_t)at, value, bytes);
    }
    return 0;
}

/* ---- streams, events, graphs ---- */

int fake_wait(const char *call) {
    return fake_fails(call) ? FAKE_UNKNOWN : fake.capturing ? FAKE_CAPTURING : 0;
}

int fake_is_capturing(const char *call, int *status) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    *status = fake.capturing;
    return 0;
}

int fake_stream_create(const char *call, void **stream, unsigned flags) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    *stream = calloc(1, 1);
    __atomic_fetch_add(&fake.streams, 1, __ATOMIC_SEQ_CST);
    return flags == 1 ? 0 : FAKE_INVALID_VALUE; /* independent of the default stream */
}

int fake_stream_destroy(void *stream) {
    free(stream);
    __atomic_fetch_sub(&fake.streams, 1, __ATOMIC_SEQ_CST);
    return stream ? 0 : FAKE_INVALID_HANDLE;
}

int fake_event_create(const char *call, void **event, unsigned flags) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    *event = calloc(1, sizeof(double));
    __atomic_fetch_add(&fake.events, 1, __ATOMIC_SEQ_CST);
    return flags == 0 ? 0 : FAKE_INVALID_VALUE;
}

int fake_event_destroy(void *event) {
    __atomic_fetch_sub(&fake.events, 1, __ATOMIC_SEQ_CST);
    free(event);
    return event ? 0 : FAKE_INVALID_HANDLE;
}

int fake_event_record(const char *call, void *event) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    *(double *)event = fake.clock;
    return 0;
}

int fake_event_wait(const char *call, const void *event) {
    int result = fake_wait(call);
    return result ? result : event ? 0 : FAKE_INVALID_HANDLE;
}

int fake_event_time(const char *call, float *milliseconds, const void *start, const void *stop) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    *milliseconds = (float)((*(const double *)stop - *(const double *)start) / 1000);
    return 0;
}

int fake_capture_begin(const char *call, const void *stream, int mode) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    if (!stream || mode != 1 || recorded) { /* of this thread only */
        return FAKE_INVALID_VALUE;
    }
    recorded = calloc(1, sizeof *recorded);
    return 0;
}

int fake_capture_end(const char *call, void **made) {
    struct graph *graph = recorded;
    recorded = NULL;
    if (fake_fails(call)) {
        free(graph);
        *made = NULL;
        return FAKE_UNKNOWN;
    }
    *made = graph;
    __atomic_fetch_add(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return graph ? 0 : FAKE_INVALID_VALUE;
}

int fake_graph_make(const char *call, void **made, const void *graph, unsigned long long flags) {
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    *made = malloc(sizeof(struct graph));
    memcpy(*made, graph, sizeof(struct graph));
    __atomic_fetch_add(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return flags ? FAKE_INVALID_VALUE : 0;
}

int fake_graph_launch(const char *call, const void *made, const void *stream) {
    const struct graph *graph = made;
    if (fake_fails(call)) {
        return FAKE_UNKNOWN;
    }
    for (int i = 0; i < graph->count; i++) {
        if (fails(graph->kernels[i], NULL)) {
            return FAKE_UNKNOWN;
        }
    }
    __atomic_fetch_add(&fake.launches, graph->count, __ATOMIC_SEQ_CST);
    return stream ? 0 : FAKE_INVALID_VALUE;
}

int fake_graph_destroy(void *graph) {
    free(graph);
    __atomic_fetch_sub(&fake.graphs, 1, __ATOMIC_SEQ_CST);
    return 0;
}
