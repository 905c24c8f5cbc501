/* Row softmax against float64. fp16 results are rounded once: half a unit in the last place is 2^-11 of the
 * value, and the smallest results fall below fp16's normal range, with a spacing of 2^-24: hence the scale
 * 2^-13. */
#include "harness.h"
#include HEADER

#include <math.h>
#include <stdlib.h>

static void reference(const struct buffer *x, double *want) {
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < x->rows; row++) {
        double peak = -INFINITY, sum = 0;
        for (size_t column = 0; column < x->columns; column++) {
            peak = fmax(peak, buffer_value(x, row, column));
        }
        double *out = want + row * x->columns;
        for (size_t column = 0; column < x->columns; column++) {
            sum += out[column] = exp(buffer_value(x, row, column) - peak);
        }
        for (size_t column = 0; column < x->columns; column++) {
            out[column] /= sum;
        }
    }
}

static void run(struct harness *h, int n_rows, int n_cols, double range) {
    size_t stride = round_up(n_cols, 16) + 16;
    case_begin(h, "%dx%d, values within %g", n_rows, n_cols, range);
    struct buffer *x = case_input(h, "x", ELEMENT_F16, n_rows, n_cols, stride, -range, range);
    struct buffer *y = case_output(h, "y", ELEMENT_F16, n_rows, n_cols, stride);
    case_launched(h,
                  softmax_launch(h->stream, x->device, y->device, (int)stride, (int)stride, n_rows, n_cols));
    double *want = harness_memory((size_t)n_rows * n_cols * sizeof *want);
    reference(x, want);
    case_compare(h, y, want, 0x1p-13, 0x1.1p-11);
    free(want);
    case_end(h);
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    if (SIZE_UNIT == 1) {
        run(&h, 3, 1, 4);
        run(&h, 7, 781, 4);
        run(&h, 64, 1000, 4);
        run(&h, 5, 8193, 4);
    }
    run(&h, 33, 1024, 4);
    run(&h, 5, 1040, 30000);
    if (!h.small) {
        run(&h, 1823, 8000, 8);
        run(&h, 1024, 8192, 2);
        run(&h, 200, 8208, 8);
        run(&h, 37, 40000, 4);
    }
    softmax_unload();
    return harness_end(&h);
}
