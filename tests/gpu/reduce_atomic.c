/* Column sums added to the output's initial values; the order of the atomic additions is free, so the
 * tolerance is that of fp32 sums of n_rows values of size 1. */
#include "harness.h"
#include HEADER

#include <math.h>
#include <stdlib.h>

static void run(struct harness *h, int n_rows, int n_cols) {
    size_t stride = n_cols + 3;
    case_begin(h, "%dx%d", n_rows, n_cols);
    double *want = harness_memory((size_t)n_cols * sizeof *want);
    struct buffer *x = case_input(h, "x", ELEMENT_F32, n_rows, n_cols, stride, -1, 1);
    struct buffer *sums = case_accumulator(h, "sums", ELEMENT_F32, 1, n_cols, n_cols, -5, 5, want);
    case_launched(h, column_sums_launch(h->stream, x->device, sums->device, (int)stride, n_rows, n_cols));
#pragma omp parallel for schedule(static)
    for (int column = 0; column < n_cols; column++) {
        for (int row = 0; row < n_rows; row++) {
            want[column] += buffer_value(x, row, column);
        }
    }
    case_compare(h, sums, want, sqrt(n_rows), 2e-6);
    free(want);
    case_end(h);
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    run(&h, 1, 1);
    run(&h, 64, 64);
    run(&h, 65, 130);
    run(&h, 1000, 77);
    if (!h.small) {
        run(&h, 8192, 1024);
        run(&h, 12345, 999);
    }
    column_sums_unload();
    return harness_end(&h);
}
