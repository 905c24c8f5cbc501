/* Flash attention backward against a plain computation in float64: the three kernels on one stream.
 * TEST_HEAD_DIM and TEST_CAUSAL are the kernels' constants. Values are uniform in [-1, 1), q within a range;
 * o and lse are the forward pass's, rounded to the kernels' types. Weights and slopes are rounded to fp16
 * before the second products, each by up to 2^-12 of itself; the gradients once more. */
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

enum { PADDING = 128, MARGIN = 16 }; /* a gap between rows shows reads and writes past TEST_HEAD_DIM */

/* One head's inputs, or all heads' one behind the other. */
struct problem {
    size_t rows, length;
    double scale;
    double *q, *k, *v, *dout; /* rows x TEST_HEAD_DIM */
    double *o, *lse, *delta;  /* of the forward pass */
    double *dq, *dk, *dv;     /* wanted */
};

static double *matrix(size_t rows) {
    return harness_memory(rows * TEST_HEAD_DIM * sizeof(double));
}

static double dot(const double *x, const double *y) {
    double sum = 0;
    for (int d = 0; d < TEST_HEAD_DIM; d++) {
        sum += x[d] * y[d];
    }
    return sum;
}

static void add(double *sum, double factor, const double *x) {
    for (int d = 0; d < TEST_HEAD_DIM; d++) {
        sum[d] += factor * x[d];
    }
}

static double *row_of(double *matrix, size_t row) {
    return matrix + row * TEST_HEAD_DIM;
}

/* The rows of a head, first <= row < end: the keys visible to a query, and the queries that see a key. */
static size_t keys_end(const struct problem *p, size_t query) {
    return TEST_CAUSAL ? query + 1 : query / p->length * p->length + p->length;
}

static size_t queries_begin(const struct problem *p, size_t key) {
    return TEST_CAUSAL ? key : key / p->length * p->length;
}

static void forward(struct problem *p) {
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t i = 0; i < p->rows; i++) {
        size_t first = i / p->length * p->length, end = keys_end(p, i);
        double peak = -INFINITY, total = 0, *out = row_of(p->o, i);
        double *scores = harness_memory((end - first) * sizeof *scores);
        for (size_t j = first; j < end; j++) {
            scores[j - first] = dot(row_of(p->q, i), row_of(p->k, j)) * p->scale;
            peak = fmax(peak, scores[j - first]);
        }
        for (int d = 0; d < TEST_HEAD_DIM; d++) {
            out[d] = 0;
        }
        for (size_t j = first; j < end; j++) {
            double weight = exp(scores[j - first] - peak);
            total += weight;
            add(out, weight, row_of(p->v, j));
        }
        for (int d = 0; d < TEST_HEAD_DIM; d++) {
            out[d] /= total;
        }
        p->lse[i] = peak + log(total);
        free(scores);
    }
}

/* The weight of a key in a query's row, and the gradient of its score. */
static double weight_of(const struct problem *p, size_t i, size_t j, double *slope) {
    double weight = exp(dot(row_of(p->q, i), row_of(p->k, j)) * p->scale - p->lse[i]);
    *slope = weight * (dot(row_of(p->dout, i), row_of(p->v, j)) - p->delta[i]);
    return weight;
}

static void backward(struct problem *p) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->rows; i++) {
        p->delta[i] = dot(row_of(p->o, i), row_of(p->dout, i));
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t n = 0; n < p->rows; n++) { /* as a query, and as a key */
        double *dq = row_of(p->dq, n), *dk = row_of(p->dk, n), *dv = row_of(p->dv, n), slope;
        size_t head = n / p->length * p->length;
        for (int d = 0; d < TEST_HEAD_DIM; d++) {
            dq[d] = dk[d] = dv[d] = 0;
        }
        for (size_t j = head; j < keys_end(p, n); j++) {
            weight_of(p, n, j, &slope);
            add(dq, slope * p->scale, row_of(p->k, j));
        }
        for (size_t i = queries_begin(p, n); i < head + p->length; i++) {
            add(dv, weight_of(p, i, n, &slope), row_of(p->dout, i));
            add(dk, slope * p->scale, row_of(p->q, i));
        }
    }
}

/* The first kernel's results: padded elements a head. */
static void rows_wanted(const struct problem *p, size_t padded, double *base2, double *delta) {
    for (size_t head = 0; head < p->rows / p->length; head++) {
        for (size_t row = 0; row < padded; row++) {
            size_t from = head * p->length + row, to = head * padded + row;
            base2[to] = row < p->length ? p->lse[from] / log(2) : INFINITY;
            delta[to] = row < p->length ? p->delta[from] : 0;
        }
    }
}

static void run(struct harness *h, int batch, int heads, int length, double range) {
    size_t rows = (size_t)batch * heads * length, padded = round_up(length, PADDING);
    int stride_row = TEST_HEAD_DIM + MARGIN, columns = TEST_HEAD_DIM;
    int64_t stride_head = (int64_t)stride_row * length, stride_batch = stride_head * heads;
    struct problem p = {.rows = rows, .length = length, .scale = (float)(1 / sqrt(TEST_HEAD_DIM))};
    case_begin(h, "%dx%dx%d D=%d %s, q within %g", batch, heads, length, TEST_HEAD_DIM,
               TEST_CAUSAL ? "causal" : "full", range);
    struct buffer *q = case_input(h, "q", ELEMENT_F16, rows, columns, stride_row, -range, range);
    struct buffer *k = case_input(h, "k", ELEMENT_F16, rows, columns, stride_row, -1, 1);
    struct buffer *v = case_input(h, "v", ELEMENT_F16, rows, columns, stride_row, -1, 1);
    struct buffer *dout = case_input(h, "do", ELEMENT_F16, rows, columns, stride_row, -1, 1);
    p.q = buffer_widen(q), p.k = buffer_widen(k), p.v = buffer_widen(v), p.dout = buffer_widen(dout);
    p.o = matrix(rows), p.dq = matrix(rows), p.dk = matrix(rows), p.dv = matrix(rows);
    p.lse = harness_memory(rows * sizeof(double)), p.delta = harness_memory(rows * sizeof(double));
    forward(&p);
    struct buffer *o = case_given(h, "o", ELEMENT_F16, rows, columns, stride_row, p.o);
    struct buffer *lse = case_given(h, "lse", ELEMENT_F32, 1, rows, rows, p.lse);
    free(p.o), free(p.lse);
    p.o = buffer_widen(o), p.lse = buffer_widen(lse);
    backward(&p);
    size_t all = (size_t)batch * heads * padded;
    struct buffer *base2 = case_output(h, "base2", ELEMENT_F32, 1, all, all);
    struct buffer *delta = case_output(h, "delta", ELEMENT_F32, 1, all, all);
    struct buffer *dq = case_output(h, "dq", ELEMENT_F16, rows, columns, stride_row);
    struct buffer *dk = case_output(h, "dk", ELEMENT_F16, rows, columns, stride_row);
    struct buffer *dv = case_output(h, "dv", ELEMENT_F16, rows, columns, stride_row);
    CUresult result = attention_backward_rows_launch(h->stream, o->device, dout->device, lse->device,
                                                     base2->device, delta->device, batch, heads, length,
                                                     (int)padded, stride_batch, stride_head, stride_row);
    if (result == CUDA_SUCCESS) {
        result = attention_backward_keys_launch(h->stream, q->device, k->device, v->device, dout->device,
                                                dk->device, dv->device, base2->device, delta->device,
                                                (float)p.scale, batch, heads, length, (int)padded,
                                                stride_batch, stride_head, stride_row);
    }
    if (result == CUDA_SUCCESS) {
        result = attention_backward_queries_launch(h->stream, q->device, k->device, v->device, dout->device,
                                                   dq->device, base2->device, delta->device, (float)p.scale,
                                                   batch, heads, length, (int)padded, stride_batch,
                                                   stride_head, stride_row);
    }
    case_launched(h, result);
    double *want_base2 = harness_memory(all * sizeof(double)),
           *want_delta = harness_memory(all * sizeof(double));
    rows_wanted(&p, padded, want_base2, want_delta);
    case_compare(h, base2, want_base2, 1, 1e-6);
    case_compare(h, delta, want_delta, 1, 2e-5);
    case_compare(h, dv, p.dv, 1, 2e-3);
    case_compare(h, dk, p.dk, range, 2e-3);
    case_compare(h, dq, p.dq, 1, 2e-3);
    double *memory[] = {p.q, p.k, p.v, p.dout, p.o, p.lse, p.delta, p.dq, p.dk, p.dv, want_base2, want_delta};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        free(memory[i]);
    }
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
        run(&h, 1, 3, 1000, 4);
        run(&h, 1, 2, 2047, 2);
        run(&h, 1, 1, 4096, 2);
    }
    attention_backward_rows_unload();
    return harness_end(&h);
}
