/* Flash attention forward against a plain computation in float64. TEST_HEAD_DIM and TEST_CAUSAL are the
 * kernel's constants. Values are uniform in [-1, 1), 0.5 in the mean. The weights are rounded to fp16 before
 * the second product, each by up to 2^-11 of itself, and the output once more. */
#include "harness.h"
#include HEADER

#include <math.h>
#include <stdlib.h>

#ifndef TEST_HEAD_DIM
#define TEST_HEAD_DIM 128
#endif
#ifndef TEST_CAUSAL
#define TEST_CAUSAL 1
#endif

/* One query row: scores, softmax, weighted sum of value rows. scores has room for length values. */
static void attend_row(const double *query, const double *keys, const double *values, size_t visible,
                       double scale, double *scores, double *out) {
    double peak = -INFINITY, total = 0;
    for (size_t j = 0; j < visible; j++) {
        double sum = 0;
        for (int d = 0; d < TEST_HEAD_DIM; d++) {
            sum += query[d] * keys[j * TEST_HEAD_DIM + d];
        }
        scores[j] = sum * scale;
        peak = fmax(peak, scores[j]);
    }
    for (int d = 0; d < TEST_HEAD_DIM; d++) {
        out[d] = 0;
    }
    for (size_t j = 0; j < visible; j++) {
        double weight = exp(scores[j] - peak);
        total += weight;
        for (int d = 0; d < TEST_HEAD_DIM; d++) {
            out[d] += weight * values[j * TEST_HEAD_DIM + d];
        }
    }
    for (int d = 0; d < TEST_HEAD_DIM; d++) {
        out[d] /= total;
    }
}

static void run(struct harness *h, int batch, int heads, int length, double range) {
    size_t rows = (size_t)batch * heads * length;
    int stride_row = TEST_HEAD_DIM + 16; /* a gap between rows shows reads and writes past TEST_HEAD_DIM */
    int64_t stride_head = (int64_t)stride_row * length, stride_batch = stride_head * heads;
    float scale = (float)(1 / sqrt(TEST_HEAD_DIM));
    case_begin(h, "%dx%dx%d D=%d %s, q within %g", batch, heads, length, TEST_HEAD_DIM,
               TEST_CAUSAL ? "causal" : "full", range);
    struct buffer *q = case_input(h, "q", ELEMENT_F16, rows, TEST_HEAD_DIM, stride_row, -range, range);
    struct buffer *k = case_input(h, "k", ELEMENT_F16, rows, TEST_HEAD_DIM, stride_row, -1, 1);
    struct buffer *v = case_input(h, "v", ELEMENT_F16, rows, TEST_HEAD_DIM, stride_row, -1, 1);
    struct buffer *o = case_output(h, "o", ELEMENT_F16, rows, TEST_HEAD_DIM, stride_row);
    case_launched(h, attention_launch(h->stream, q->device, k->device, v->device, o->device, scale, batch,
                                      heads, length, stride_batch, stride_head, stride_row));
    double *queries = buffer_widen(q), *keys = buffer_widen(k), *values = buffer_widen(v);
    double *want = harness_memory(rows * TEST_HEAD_DIM * sizeof *want);
#pragma omp parallel
    {
        double *scores = harness_memory((size_t)length * sizeof *scores);
#pragma omp for schedule(dynamic, 16)
        for (size_t row = 0; row < rows; row++) {
            size_t head = row / length * length;
            size_t visible = TEST_CAUSAL ? row - head + 1 : (size_t)length;
            attend_row(queries + row * TEST_HEAD_DIM, keys + head * TEST_HEAD_DIM,
                       values + head * TEST_HEAD_DIM, visible, scale, scores, want + row * TEST_HEAD_DIM);
        }
        free(scores);
    }
    case_compare(h, o, want, 0.5, 0x1.1p-10);
    free(queries);
    free(keys);
    free(values);
    free(want);
    case_end(h);
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    run(&h, 1, 1, 128, 1);
    run(&h, 2, 3, 97, 4);
    run(&h, 1, 2, 1, 1);
    if (!h.small) {
        run(&h, 2, 4, 1024, 1);
        run(&h, 1, 3, 1000, 8);
        run(&h, 1, 2, 2047, 16);
        run(&h, 1, 1, 4096, 2);
    }
    attention_unload();
    return harness_end(&h);
}
