/* C[i] = A[i] B[i] against float64, with gaps between rows and between batch entries (whole rows of NaN). */
#include "harness.h"
#include HEADER

#include <math.h>
#include <stdlib.h>

/* Each matrix of the batch is flattened to one row of its buffer, so the gap behind a matrix is a gap between
 * rows. */
static void run(struct harness *h, int batch, int m, int n, int k, bool shared) {
    size_t size_a = (size_t)m * k, size_b = (size_t)k * n, size_c = (size_t)m * n;
    size_t stride_a = round_up(size_a, 16) + 64, stride_b = round_up(size_b, 16) + 32;
    size_t stride_c = round_up(size_c, 16) + 128;
    int entries_b = shared ? 1 : batch;
    case_begin(h, "%d of %dx%dx%d%s", batch, m, n, k, shared ? ", one B for all" : "");
    struct buffer *a = case_input(h, "a", ELEMENT_F16, batch, size_a, stride_a, -1, 1);
    struct buffer *b = case_input(h, "b", ELEMENT_F16, entries_b, size_b, stride_b, -1, 1);
    struct buffer *c = case_output(h, "c", ELEMENT_F16, batch, size_c, stride_c);
    case_launched(h, batched_matmul_launch(h->stream, a->device, b->device, c->device, batch, m, n, k,
                                           (int64_t)stride_a, k, shared ? 0 : (int64_t)stride_b, n,
                                           (int64_t)stride_c, n));
    double *left = buffer_widen(a), *right = buffer_widen(b);
    double *want = harness_memory(batch * size_c * sizeof *want);
    for (int i = 0; i < batch; i++) {
        reference_matmul(left + i * size_a, right + (shared ? 0 : i * size_b), want + i * size_c, m, n, k);
    }
    case_compare(h, c, want, sqrt(k) / 3, 0x1.2p-11);
    free(left);
    free(right);
    free(want);
    case_end(h);
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    run(&h, 1, 64, 128, 32, false);
    run(&h, 3, 65, 48, 80, false);
    run(&h, 2, 7, 144, 48, true);
    if (!h.small) {
        run(&h, 16, 512, 512, 256, false);
        run(&h, 7, 333, 240, 1008, false);
        run(&h, 24, 1024, 512, 512, false);
    }
    batched_matmul_unload();
    return harness_end(&h);
}
