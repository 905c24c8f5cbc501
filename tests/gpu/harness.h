/* Functions shared by the GPU tests: random inputs, poisoned outputs, guard zones, comparison with float64
 * references and one line of the result table per case. A test is one C file per example with the generated
 * launcher header; run.sh compiles it, and harness.c judges a case. */
#ifndef TESTS_GPU_HARNESS_H
#define TESTS_GPU_HARNESS_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum element { ELEMENT_F16, ELEMENT_F32 };

/* A matrix on the device with its copy on the host; a vector is a matrix of one row. */
struct buffer {
    const char *name;
    enum element element;
    size_t rows, columns, stride; /* in elements */
    bool written;                 /* an output: its new contents are copied back and compared */
    CUdeviceptr device;           /* the kernel's argument */
    CUdeviceptr allocation;
    size_t guard; /* untouchable bytes before and behind the data */
    void *host;   /* inputs: the uploaded data; outputs: the data copied back */
};

enum { HARNESS_MAX_BUFFERS = 12, HARNESS_SHAPE_LENGTH = 96 };

struct harness {
    const char *example;
    uint64_t seed;
    bool small;  /* --small: only shapes quick under compute-sanitizer */
    bool guards; /* --no-guards: allocations end at the end of the data, for memcheck */
    CUstream stream;
    int cases, failures;

    /* the case in progress */
    char shape[HARNESS_SHAPE_LENGTH];
    char trouble[256]; /* the first failure, or empty */
    double error, tolerance;
    uint64_t streams; /* random streams used so far: no two inputs are alike */
    int buffer_count;
    struct buffer buffers[HARNESS_MAX_BUFFERS];
};

/* Reads the options, opens device 0 and its primary context. Exits 77 without an NVIDIA GPU. */
void harness_begin(struct harness *h, const char *example, int argc, char **argv);

/* Prints nothing but trouble; returns the exit status: 0, or 1 after any failure. */
int harness_end(struct harness *h);

/* Opens a case; the format gives the shape as the table shows it. */
__attribute__((format(printf, 2, 3))) void case_begin(struct harness *h, const char *format, ...);

/* A rows x columns input of uniform values in [low, high), stride elements between rows; gaps between rows
 * are NaN. */
struct buffer *case_input(struct harness *h, const char *name, enum element element, size_t rows,
                          size_t columns, size_t stride, double low, double high);

/* An input of these values (rows * columns), rounded to the element type. */
struct buffer *case_given(struct harness *h, const char *name, enum element element, size_t rows,
                          size_t columns, size_t stride, const double *values);

/* A poisoned output: every byte is 0xFF, which is NaN in every element type. */
struct buffer *case_output(struct harness *h, const char *name, enum element element, size_t rows,
                           size_t columns, size_t stride);

/* An output for additions: it starts as random values, kept in start (rows * columns, by the caller). */
struct buffer *case_accumulator(struct harness *h, const char *name, enum element element, size_t rows,
                                size_t columns, size_t stride, double low, double high, double *start);

/* Waits for the launch, copies the outputs back, checks guard zones and that inputs are unchanged. */
void case_launched(struct harness *h, CUresult result);

/* For a launch that must be refused: the result is an error and no output was touched. */
void case_refused(struct harness *h, CUresult result);

/* For a launch that must succeed and write nothing: a zero-sized grid. */
void case_idle(struct harness *h, CUresult result);

/* Compares one output with want (rows * columns values). The error of an element is |got - want| / (|want| +
 * scale), where scale is the natural size of the values that were summed; a NaN counts as infinite. Gaps
 * between rows must still be poison. */
void case_compare(struct harness *h, const struct buffer *output, const double *want, double scale,
                  double tolerance);

/* Prints the case's line and frees its buffers. */
void case_end(struct harness *h);

/* Element (row, column) of the host copy, as float64. */
double buffer_value(const struct buffer *b, size_t row, size_t column);

/* The host copy widened to rows * columns float64 values without gaps; the caller frees it. */
double *buffer_widen(const struct buffer *b);

/* Memory that is never null: stops the test when there is none. */
void *harness_memory(size_t bytes);

/* The first size in elements at or above columns that is a multiple of unit. */
static inline size_t round_up(size_t columns, size_t unit) {
    return (columns + unit - 1) / unit * unit;
}

/* c = a b in float64: a is m x k, b is k x n, c is m x n, none with gaps. Uses all cores. */
void reference_matmul(const double *a, const double *b, double *c, size_t m, size_t n, size_t k);

#endif
