/* The judgement of a GPU test case.
 *
 * Inputs are drawn from a counter-based generator (one hash per element), so they depend only on the seed and
 * are filled by all cores. Guard zones surround every buffer. Inputs' guards and gaps are NaN, so a read
 * outside the data spoils the result; outputs start as 0xFF bytes, so an unwritten element is a NaN. The data
 * begins 16 bytes off a 256-byte boundary: a kernel may depend on the 16-byte alignment of its hints and on
 * no more. After a launch every guard byte is compared, every input is compared with the uploaded data, and
 * outputs are compared with a float64 reference. */
#include "harness.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    EXIT_SKIPPED = 77,
    GUARD_BYTES = 64 * 1024 + 16,
    POISON = 0xFF,       /* outputs, gaps, and guards of inputs */
    OUTPUT_GUARD = 0xA5, /* guards of outputs: unlike any NaN copied from an input */
};

static void must(CUresult result, const char *what) {
    if (result == CUDA_SUCCESS) {
        return;
    }
    const char *text = NULL;
    cuGetErrorString(result, &text);
    fprintf(stderr, "error: %s: %s (%d)\n", what, text ? text : "unknown", (int)result);
    exit(1);
}

#define MUST(call) must((call), #call)

void *harness_memory(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "error: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

static size_t element_size(enum element element) {
    return element == ELEMENT_F16 ? 2 : 4;
}

/* The bytes from the first element to the last; the gap behind the last row belongs to the guard. */
static size_t data_bytes(const struct buffer *b) {
    if (b->rows == 0 || b->columns == 0) {
        return 0;
    }
    return ((b->rows - 1) * b->stride + b->columns) * element_size(b->element);
}

/* One step of splitmix64 over a counter: a well-mixed 64-bit hash of (seed, stream, index). */
static uint64_t hash(uint64_t seed, uint64_t stream, uint64_t index) {
    uint64_t x = seed ^ stream * 0xD1342543DE82EF95u;
    x += (index + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static uint64_t fresh_seed(void) {
    uint64_t seed = (uint64_t)time(NULL);
    FILE *file = fopen("/dev/urandom", "rb");
    if (file) {
        if (fread(&seed, sizeof seed, 1, file) != 1) {
            seed = (uint64_t)time(NULL);
        }
        fclose(file);
    }
    return seed >> 32; /* short enough to type */
}

static void usage(const char *program) {
    fprintf(stderr, "usage: %s [--seed N] [--small] [--no-guards]\n", program);
    exit(2);
}

void harness_begin(struct harness *h, const char *example, int argc, char **argv) {
    memset(h, 0, sizeof *h);
    h->example = example;
    h->guards = true;
    h->seed = fresh_seed();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--small") == 0) {
            h->small = true;
        } else if (strcmp(argv[i], "--no-guards") == 0) {
            h->guards = false;
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            char *end;
            errno = 0;
            h->seed = strtoull(argv[++i], &end, 0);
            if (*end || end == argv[i] || errno) {
                usage(argv[0]);
            }
        } else {
            usage(argv[0]);
        }
    }
    int devices = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&devices) != CUDA_SUCCESS || devices == 0) {
        fprintf(stderr, "%s: skipped: no NVIDIA GPU here\n", example);
        exit(EXIT_SKIPPED);
    }
    CUdevice device;
    CUcontext context;
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&h->stream, CU_STREAM_NON_BLOCKING));
}

int harness_end(struct harness *h) {
    cuStreamDestroy(h->stream);
    CUdevice device;
    if (cuDeviceGet(&device, 0) == CUDA_SUCCESS) {
        cuDevicePrimaryCtxRelease(device);
    }
    if (h->cases == 0) {
        fprintf(stderr, "error: %s ran no case\n", h->example);
        return 1;
    }
    return h->failures ? 1 : 0;
}

void case_begin(struct harness *h, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(h->shape, sizeof h->shape, format, arguments);
    va_end(arguments);
    h->trouble[0] = 0;
    h->error = 0;
    h->tolerance = 0;
    h->buffer_count = 0;
}

__attribute__((format(printf, 2, 3))) static void trouble(struct harness *h, const char *format, ...) {
    if (h->trouble[0]) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(h->trouble, sizeof h->trouble, format, arguments);
    va_end(arguments);
}

static struct buffer *buffer_new(struct harness *h, const char *name, enum element element, size_t rows,
                                 size_t columns, size_t stride, bool written) {
    if (h->buffer_count == HARNESS_MAX_BUFFERS || stride < columns) {
        fprintf(stderr, "error: %s: buffer %s: too many buffers, or rows that overlap\n", h->example, name);
        exit(1);
    }
    struct buffer *b = &h->buffers[h->buffer_count++];
    *b = (struct buffer){.name = name,
                         .element = element,
                         .rows = rows,
                         .columns = columns,
                         .stride = stride,
                         .written = written,
                         .guard = h->guards ? GUARD_BYTES : 0};
    size_t bytes = data_bytes(b);
    MUST(cuMemAlloc(&b->allocation, bytes + 2 * b->guard + (bytes + 2 * b->guard == 0)));
    b->device = b->allocation + b->guard;
    b->host = harness_memory(bytes);
    memset(b->host, POISON, bytes);
    if (b->guard) {
        unsigned char byte = written ? OUTPUT_GUARD : POISON;
        MUST(cuMemsetD8(b->allocation, byte, b->guard));
        MUST(cuMemsetD8(b->device + bytes, byte, b->guard));
    }
    return b;
}

/* Copies from pageable memory may return before the last bytes have landed, and the test's stream does not
 * wait for the default one: without the synchronisation a late poison could overwrite a result. */
static void buffer_upload(const struct buffer *b) {
    size_t bytes = data_bytes(b);
    if (bytes) {
        MUST(cuMemcpyHtoD(b->device, b->host, bytes));
    }
    MUST(cuCtxSynchronize());
}

static void put_value(const struct buffer *b, size_t row, size_t column, double value) {
    size_t at = row * b->stride + column;
    if (b->element == ELEMENT_F16) {
        ((_Float16 *)b->host)[at] = (_Float16)value;
    } else {
        ((float *)b->host)[at] = (float)value;
    }
}

static void buffer_fill(struct harness *h, struct buffer *b, double low, double high) {
    uint64_t stream = h->streams++;
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < b->rows; row++) {
        for (size_t column = 0; column < b->columns; column++) {
            uint64_t bits = hash(h->seed, stream, row * b->columns + column);
            put_value(b, row, column, low + (high - low) * ((double)(bits >> 11) * 0x1p-53));
        }
    }
    buffer_upload(b);
}

struct buffer *case_input(struct harness *h, const char *name, enum element element, size_t rows,
                          size_t columns, size_t stride, double low, double high) {
    struct buffer *b = buffer_new(h, name, element, rows, columns, stride, false);
    buffer_fill(h, b, low, high);
    return b;
}

struct buffer *case_given(struct harness *h, const char *name, enum element element, size_t rows,
                          size_t columns, size_t stride, const double *values) {
    struct buffer *b = buffer_new(h, name, element, rows, columns, stride, false);
    for (size_t i = 0; i < rows * columns; i++) {
        put_value(b, i / columns, i % columns, values[i]);
    }
    buffer_upload(b);
    return b;
}

struct buffer *case_output(struct harness *h, const char *name, enum element element, size_t rows,
                           size_t columns, size_t stride) {
    struct buffer *b = buffer_new(h, name, element, rows, columns, stride, true);
    buffer_upload(b);
    return b;
}

struct buffer *case_accumulator(struct harness *h, const char *name, enum element element, size_t rows,
                                size_t columns, size_t stride, double low, double high, double *start) {
    struct buffer *b = buffer_new(h, name, element, rows, columns, stride, true);
    buffer_fill(h, b, low, high);
    for (size_t i = 0; i < rows * columns; i++) {
        start[i] = buffer_value(b, i / columns, i % columns);
    }
    return b;
}

/* The index of the first byte of memory that differs from byte, or bytes when there is none. */
static size_t first_other(const unsigned char *memory, size_t bytes, unsigned char byte) {
    size_t i = 0;
    while (i < bytes && memory[i] == byte) {
        i++;
    }
    return i;
}

static void check_guards(struct harness *h, const struct buffer *b) {
    if (!b->guard) {
        return;
    }
    unsigned char *zone = harness_memory(b->guard);
    unsigned char byte = b->written ? OUTPUT_GUARD : POISON;
    MUST(cuMemcpyDtoH(zone, b->allocation, b->guard));
    size_t at = first_other(zone, b->guard, byte);
    if (at < b->guard) {
        trouble(h, "wrote %zu B before %s", b->guard - at, b->name);
    }
    MUST(cuMemcpyDtoH(zone, b->device + data_bytes(b), b->guard));
    at = first_other(zone, b->guard, byte);
    if (at < b->guard) {
        trouble(h, "wrote %zu B behind the end of %s", at, b->name);
    }
    free(zone);
}

/* Copies back and checks everything but the values; untouched: outputs must still be as uploaded. */
static void settle(struct harness *h, bool untouched) {
    CUresult finished = cuStreamSynchronize(h->stream);
    if (finished != CUDA_SUCCESS) {
        const char *text = NULL;
        cuGetErrorString(finished, &text);
        fprintf(stderr, "error: %s %s: the kernel failed: %s\n", h->example, h->shape,
                text ? text : "unknown");
        exit(1); /* the context is lost: no later case could run */
    }
    for (int i = 0; i < h->buffer_count; i++) {
        struct buffer *b = &h->buffers[i];
        size_t bytes = data_bytes(b);
        void *now = harness_memory(bytes);
        if (bytes) {
            MUST(cuMemcpyDtoH(now, b->device, bytes));
        }
        check_guards(h, b);
        if ((!b->written || untouched) && memcmp(now, b->host, bytes) != 0) {
            trouble(h, b->written ? "%s was written" : "input %s was changed", b->name);
        }
        memcpy(b->host, now, bytes);
        free(now);
    }
}

void case_launched(struct harness *h, CUresult result) {
    if (result != CUDA_SUCCESS) {
        const char *text = NULL;
        cuGetErrorString(result, &text);
        trouble(h, "launch failed: %s (%d)", text ? text : "unknown", (int)result);
    }
    settle(h, false);
}

void case_refused(struct harness *h, CUresult result) {
    if (result == CUDA_SUCCESS) {
        trouble(h, "launched in spite of a broken hint");
    }
    settle(h, true);
}

void case_idle(struct harness *h, CUresult result) {
    if (result != CUDA_SUCCESS) {
        trouble(h, "an empty launch returned error %d", (int)result);
    }
    settle(h, true);
}

double buffer_value(const struct buffer *b, size_t row, size_t column) {
    size_t at = row * b->stride + column;
    return b->element == ELEMENT_F16 ? (double)((const _Float16 *)b->host)[at]
                                     : (double)((const float *)b->host)[at];
}

double *buffer_widen(const struct buffer *b) {
    double *wide = harness_memory(b->rows * b->columns * sizeof *wide);
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < b->rows; row++) {
        for (size_t column = 0; column < b->columns; column++) {
            wide[row * b->columns + column] = buffer_value(b, row, column);
        }
    }
    return wide;
}

static void check_gaps(struct harness *h, const struct buffer *b) {
    size_t size = element_size(b->element);
    size_t gap = (b->stride - b->columns) * size;
    for (size_t row = 0; row + 1 < b->rows && gap; row++) {
        const unsigned char *start = (const unsigned char *)b->host + (row * b->stride + b->columns) * size;
        if (first_other(start, gap, POISON) < gap) {
            trouble(h, "wrote between rows %zu and %zu of %s", row, row + 1, b->name);
            return;
        }
    }
}

void case_compare(struct harness *h, const struct buffer *output, const double *want, double scale,
                  double tolerance) {
    check_gaps(h, output);
    double worst = -1;
    size_t worst_row = 0, worst_column = 0;
    for (size_t row = 0; row < output->rows; row++) {
        for (size_t column = 0; column < output->columns; column++) {
            double expected = want[row * output->columns + column];
            double error = fabs(buffer_value(output, row, column) - expected) / (fabs(expected) + scale);
            if (buffer_value(output, row, column) == expected) {
                error = 0; /* also where both are infinite, or zero with no scale */
            }
            if (isnan(error)) {
                error = INFINITY;
            }
            if (error > worst) {
                worst = error;
                worst_row = row;
                worst_column = column;
            }
        }
    }
    if (worst > tolerance) {
        trouble(h, "%s[%zu, %zu] is %.8g, should be %.8g", output->name, worst_row, worst_column,
                buffer_value(output, worst_row, worst_column),
                want[worst_row * output->columns + worst_column]);
    }
    /* Of several outputs the table shows the one nearest to its tolerance. */
    if (h->tolerance == 0 || worst / tolerance > h->error / h->tolerance) {
        h->error = worst;
        h->tolerance = tolerance;
    }
}

void case_end(struct harness *h) {
    bool passed = h->trouble[0] == 0;
    printf("%-26s %-44s %10.2e %10.2e  %s%s%s\n", h->example, h->shape, h->error, h->tolerance,
           passed ? "PASS" : "FAIL", passed ? "" : ": ", h->trouble);
    fflush(stdout);
    h->cases++;
    h->failures += !passed;
    for (int i = 0; i < h->buffer_count; i++) {
        MUST(cuMemFree(h->buffers[i].allocation));
        free(h->buffers[i].host);
    }
    h->buffer_count = 0;
}

/* Four rows of c at a time over strips of 512 columns: a strip of b's row serves four rows while it is in
 * cache. */
void reference_matmul(const double *a, const double *b, double *c, size_t m, size_t n, size_t k) {
    enum { ROWS = 4, STRIP = 512 };
    size_t strips = (n + STRIP - 1) / STRIP, bands = (m + ROWS - 1) / ROWS;
#pragma omp parallel for schedule(dynamic) collapse(2)
    for (size_t strip = 0; strip < strips; strip++) {
        for (size_t band = 0; band < bands; band++) {
            double sums[ROWS][STRIP] = {{0}};
            size_t first = strip * STRIP, width = n - first < STRIP ? n - first : STRIP;
            size_t top = band * ROWS, height = m - top < ROWS ? m - top : ROWS;
            for (size_t depth = 0; depth < k; depth++) {
                const double *right = b + depth * n + first;
                for (size_t row = 0; row < height; row++) {
                    double left = a[(top + row) * k + depth];
                    for (size_t column = 0; column < width; column++) {
                        sums[row][column] += left * right[column];
                    }
                }
            }
            for (size_t row = 0; row < height; row++) {
                memcpy(c + (top + row) * n + first, sums[row], width * sizeof(double));
            }
        }
    }
}
