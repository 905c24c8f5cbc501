// Exponentials of which an eighth are polynomials (sm_100a), as the emulator computes them: no more than 2^-22 of the result off, 0 far
// below, infinite from 128 on, and NaN of NaN.
#include "lower_testing.h"

#include <math.h>

enum { COUNT = 4096 };

static const char text[] =
    "module {\n"
    "  func.func @exponential(%in: !tk.ptr<f32> {tk.divisibility = 16 : i32}, %out: !tk.ptr<f32> "
    "{tk.divisibility = "
    "16 : i32}) attributes {tk.num_warps = 4 : i32} {\n"
    "    %i = \"tk.range\"() {start = 0 : i32, end = 4096 : i32} : () -> tensor<4096xi32>\n"
    "    %s = \"tk.splat\"(%in) : (!tk.ptr<f32>) -> tensor<4096x!tk.ptr<f32>>\n"
    "    %p = \"tk.addptr\"(%s, %i) : (tensor<4096x!tk.ptr<f32>>, tensor<4096xi32>) -> "
    "tensor<4096x!tk.ptr<f32>>\n"
    "    %x = \"tk.load\"(%p) : (tensor<4096x!tk.ptr<f32>>) -> tensor<4096xf32>\n"
    "    %y = math.exp2 %x {tk.polynomial} : tensor<4096xf32>\n"
    "    %t = \"tk.splat\"(%out) : (!tk.ptr<f32>) -> tensor<4096x!tk.ptr<f32>>\n"
    "    %q = \"tk.addptr\"(%t, %i) : (tensor<4096x!tk.ptr<f32>>, tensor<4096xi32>) -> "
    "tensor<4096x!tk.ptr<f32>>\n"
    "    \"tk.store\"(%q, %y) : (tensor<4096x!tk.ptr<f32>>, tensor<4096xf32>) -> ()\n"
    "    return\n"
    "  }\n"
    "}\n";

static unsigned inexact; // results that the emulator's own exponential, rounded once, does not give

static void check(const float *x, const float *y) {
    for (unsigned i = 0; i < COUNT; i++) {
        double exact = exp2(x[i]);
        bool right = isnan(x[i])      ? isnan(y[i])
                     : x[i] < -125.5f ? y[i] >= 0 && y[i] <= 0x1p-125f
                     : x[i] >= 128    ? isinf(y[i]) && y[i] > 0
                                      : fabs(y[i] - exact) <= 0x1p-22 * exact;
        if (!right) {
            fail_msg("2^%a is %a, not %a", (double)x[i], (double)y[i], exact);
        }
        inexact += x[i] >= -125.5f && x[i] < 128 && y[i] != (float)exact;
    }
}

static void run_on(float *x, float *y, bool optimise) {
    struct lowered t = lower_text(text, "exponential", "sm_100a", optimise, DEBUG_NONE);
    struct emulator_options options = {.chip = "sm_100a", .workers = 1};
    struct emulator_buffer buffers[] = {{.name = "in", .data = x, .size = COUNT * 4, .element_bits = 32},
                                        {.name = "out", .data = y, .size = COUNT * 4, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "in", .buffer = &buffers[0]},
                                            {.name = "out", .buffer = &buffers[1]}};
    struct emulator_launch launch = {.kernel = "exponential",
                                     .arguments = arguments,
                                     .argument_count = 2,
                                     .grid = {1, 1, 1},
                                     .shared_bytes = t.shared_bytes};
    struct emulator_result result = {0};
    char *error = NULL;
    struct emulator *emulator = emulator_create(t.module, &options, &error);
    if (!emulator || !emulator_run(emulator, &launch, &result)) {
        fail_msg("%s", !emulator ? error : result.report_count ? result.reports[0].text : result.message);
    }
    emulator_result_free(&result);
    emulator_destroy(emulator);
    lowered_free(&t);
    check(x, y);
}

static void test_exponential(void **state) {
    (void)state;
    float *x = aligned_bytes(COUNT * 4), *y = aligned_bytes(COUNT * 4);
    static const double ranges[][2] = {{-130, 9}, {-0.51, 0.51}, {120, 130}, {127, 1e4}};
    for (unsigned range = 0; range < 8; range++) {
        double from = ranges[range / 2][0], to = ranges[range / 2][1];
        for (unsigned i = 0; i < COUNT; i++) {
            x[i] = (float)(from + (to - from) * (i * 2654435761u % COUNT) / COUNT);
        }
        for (unsigned i = 0; i < 256 && range == 0; i++) {
            x[i] = i % 2 ? -INFINITY : NAN;
        }
        for (unsigned i = 0; i < 256 && range == 4; i++) {
            x[i] = i % 2 ? INFINITY : 127.9999924f;
        }
        run_on(x, y, range % 2);
    }
    assert_true(inexact > 0); // the polynomials were there
    free(x);
    free(y);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exponential)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
