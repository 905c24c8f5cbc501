/* C = A B against float64. Factors are uniform in [-1, 1), so an element of C has the natural size sqrt(K) /
 * 3; the fp16 result is rounded once (2^-11) and the fp32 sums add a little. One lost or doubled product of K
 * = 4096 would change an element by about 1e-2 of that size. */
#include "harness.h"
#include HEADER

#include <math.h>
#include <stdlib.h>

static void run(struct harness *h, int m, int n, int k) {
    size_t stride_a = round_up(k, SIZE_UNIT) + SIZE_UNIT, stride_b = round_up(n, SIZE_UNIT) + SIZE_UNIT;
    size_t stride_c = stride_b;
    case_begin(h, "%dx%dx%d", m, n, k);
    struct buffer *a = case_input(h, "a", ELEMENT_F16, m, k, stride_a, -1, 1);
    struct buffer *b = case_input(h, "b", ELEMENT_F16, k, n, stride_b, -1, 1);
    struct buffer *c = case_output(h, "c", ELEMENT_F16, m, n, stride_c);
    case_launched(h, matmul_launch(h->stream, a->device, b->device, c->device, m, n, k, (int)stride_a, 1,
                                   (int)stride_b, 1, (int)stride_c, 1));
    double *left = buffer_widen(a), *right = buffer_widen(b);
    double *want = harness_memory((size_t)m * n * sizeof *want);
    reference_matmul(left, right, want, m, n, k);
    case_compare(h, c, want, sqrt(k) / 3, 0x1.2p-11);
    free(left);
    free(right);
    free(want);
    case_end(h);
}

static void run_broken_hint(struct harness *h) {
    case_begin(h, "K=40 breaks its hint and is refused");
    struct buffer *a = case_input(h, "a", ELEMENT_F16, 64, 48, 48, -1, 1);
    struct buffer *c = case_output(h, "c", ELEMENT_F16, 64, 64, 64);
    case_refused(h,
                 matmul_launch(h->stream, a->device, a->device, c->device, 64, 48, 40, 48, 1, 48, 1, 64, 1));
    case_end(h);
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    run(&h, 128, 128, 32);
    run(&h, 1, 16, 16);
    run(&h, 77, 208, 144);
    if (SIZE_UNIT == 1) {
        run(&h, 67, 131, 77);
    }
    if (!h.small) {
        run(&h, 512, 512, 512);
        run(&h, 1000, 1008, 1040);
        run(&h, 257, 272, 4096);
        run(&h, 2049, 1536, 80);
        run(&h, 4096, 4096, 4096);
        run(&h, 16, 4096, 4096);
        if (SIZE_UNIT == 1) {
            run(&h, 1023, 1025, 1021);
        }
    }
    if (SIZE_UNIT == 16) {
        run_broken_hint(&h);
    }
    matmul_unload();
    return harness_end(&h);
}
