/* Layer norm against float64: y within fp16 rounding (2^-11), mean and rstd within a few fp32 roundings of
 * sums. */
#include "harness.h"
#include HEADER

#include <math.h>
#include <stdlib.h>

struct reference {
    double *y, *mean, *rstd;
};

static struct reference reference(const struct buffer *x, const struct buffer *weight,
                                  const struct buffer *bias, double eps) {
    size_t columns = x->columns;
    struct reference r = {harness_memory(x->rows * columns * sizeof(double)),
                          harness_memory(x->rows * sizeof(double)), harness_memory(x->rows * sizeof(double))};
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < x->rows; row++) {
        double sum = 0, squares = 0;
        for (size_t column = 0; column < columns; column++) {
            sum += buffer_value(x, row, column);
        }
        double mean = sum / (double)columns;
        for (size_t column = 0; column < columns; column++) {
            squares += pow(buffer_value(x, row, column) - mean, 2);
        }
        double rstd = 1 / sqrt(squares / (double)columns + eps);
        for (size_t column = 0; column < columns; column++) {
            r.y[row * columns + column] =
                (buffer_value(x, row, column) - mean) * rstd * buffer_value(weight, 0, column) +
                buffer_value(bias, 0, column);
        }
        r.mean[row] = mean;
        r.rstd[row] = rstd;
    }
    return r;
}

static void run(struct harness *h, int n_rows, int n_cols, double low, double high) {
    size_t stride = round_up(n_cols, 16) + 16;
    float eps = 1e-5f;
    case_begin(h, "%dx%d, values in [%g, %g)", n_rows, n_cols, low, high);
    struct buffer *x = case_input(h, "x", ELEMENT_F16, n_rows, n_cols, stride, low, high);
    struct buffer *y = case_output(h, "y", ELEMENT_F16, n_rows, n_cols, stride);
    struct buffer *weight = case_input(h, "weight", ELEMENT_F16, 1, n_cols, n_cols, -2, 2);
    struct buffer *bias = case_input(h, "bias", ELEMENT_F16, 1, n_cols, n_cols, -1, 1);
    struct buffer *mean = case_output(h, "mean", ELEMENT_F32, 1, n_rows, n_rows);
    struct buffer *rstd = case_output(h, "rstd", ELEMENT_F32, 1, n_rows, n_rows);
    case_launched(h, layer_norm_launch(h->stream, x->device, y->device, weight->device, bias->device,
                                       mean->device, rstd->device, (int)stride, (int)stride, n_rows, n_cols,
                                       eps));
    struct reference want = reference(x, weight, bias, eps);
    double spread = fmax(fabs(low), fabs(high));
    case_compare(h, mean, want.mean, spread, 1e-6);
    case_compare(h, rstd, want.rstd, 0, 1e-5);
    case_compare(h, y, want.y, 0.05, 0x1.2p-11);
    free(want.y);
    free(want.mean);
    free(want.rstd);
    case_end(h);
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    if (SIZE_UNIT == 1) {
        run(&h, 5, 3, -1, 1);
        run(&h, 7, 781, -1, 1);
        run(&h, 64, 1000, 3, 5);
        run(&h, 5, 8193, -1, 1);
    }
    run(&h, 33, 1024, -1, 1);
    run(&h, 5, 1040, 6, 8);
    if (!h.small) {
        run(&h, 1823, 8000, -2, 2);
        run(&h, 1024, 8192, -1, 1);
        run(&h, 200, 8208, -1, 3);
        run(&h, 37, 40000, -1, 1);
    }
    layer_norm_unload();
    return harness_end(&h);
}
