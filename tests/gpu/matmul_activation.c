/* C = activation(A B + bias) against float64; TEST_ACTIVATION is leaky_relu unless the kernel was compiled
 * for another. */
#include "harness.h"
#include HEADER

#include <math.h>
#include <stdlib.h>

#ifndef TEST_ACTIVATION
#define TEST_ACTIVATION leaky_relu
#endif

static inline double leaky_relu(double value) {
    return value >= 0 ? value : 0.01 * value;
}
static inline double relu(double value) {
    return value >= 0 ? value : 0;
}
static inline double gelu(double value) {
    return 0.5 * value * (1 + erf(value * M_SQRT1_2));
}

static void run(struct harness *h, int m, int n, int k) {
    size_t stride_a = k + 16, stride_b = n + 32, stride_c = n + 16;
    case_begin(h, "%dx%dx%d", m, n, k);
    struct buffer *a = case_input(h, "a", ELEMENT_F16, m, k, stride_a, -1, 1);
    struct buffer *b = case_input(h, "b", ELEMENT_F16, k, n, stride_b, -1, 1);
    struct buffer *bias = case_input(h, "bias", ELEMENT_F16, 1, n, n, -4, 4);
    struct buffer *c = case_output(h, "c", ELEMENT_F16, m, n, stride_c);
    case_launched(h, matmul_activation_launch(h->stream, a->device, b->device, bias->device, c->device, m, n,
                                              k, (int)stride_a, (int)stride_b, (int)stride_c));
    double *left = buffer_widen(a), *right = buffer_widen(b);
    double *want = harness_memory((size_t)m * n * sizeof *want);
    reference_matmul(left, right, want, m, n, k);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < (size_t)m * n; i++) {
        want[i] = TEST_ACTIVATION(want[i] + buffer_value(bias, 0, i % n));
    }
    case_compare(h, c, want, sqrt(k) / 3, 0x1.2p-11);
    free(left);
    free(right);
    free(want);
    case_end(h);
    (void)leaky_relu, (void)relu, (void)gelu;
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    run(&h, 128, 64, 32);
    run(&h, 1, 16, 16);
    run(&h, 77, 208, 144);
    if (!h.small) {
        run(&h, 512, 512, 512);
        run(&h, 1000, 1008, 1040);
        run(&h, 2049, 1536, 80);
        run(&h, 2048, 2048, 2048);
    }
    matmul_activation_unload();
    return harness_end(&h);
}
