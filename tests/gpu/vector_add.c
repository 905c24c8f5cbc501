/* z = x + y: exact, since one fp32 addition of fp32 values has one right answer. */
#include "harness.h"
#include HEADER

#include <stdlib.h>

static void run(struct harness *h, int n) {
    case_begin(h, "n=%d", n);
    struct buffer *x = case_input(h, "x", ELEMENT_F32, 1, n, n, -1000, 1000);
    struct buffer *y = case_input(h, "y", ELEMENT_F32, 1, n, n, -1000, 1000);
    struct buffer *z = case_output(h, "z", ELEMENT_F32, 1, n, n);
    case_launched(h, vector_add_launch(h->stream, x->device, y->device, z->device, n));
    double *want = harness_memory((size_t)n * sizeof *want);
    for (int i = 0; i < n; i++) {
        want[i] = (float)buffer_value(x, 0, i) + (float)buffer_value(y, 0, i);
    }
    case_compare(h, z, want, 0, 1e-30);
    free(want);
    case_end(h);
}

static void run_empty(struct harness *h) {
    case_begin(h, "n=0 launches nothing");
    struct buffer *z = case_output(h, "z", ELEMENT_F32, 1, 64, 64);
    case_idle(h, vector_add_launch(h->stream, z->device, z->device, z->device, 0));
    case_end(h);
}

static void run_misaligned(struct harness *h) {
    case_begin(h, "a pointer off 16-byte alignment is refused");
    struct buffer *x = case_input(h, "x", ELEMENT_F32, 1, 64, 64, 0, 1);
    struct buffer *z = case_output(h, "z", ELEMENT_F32, 1, 64, 64);
    case_refused(h, vector_add_launch(h->stream, x->device + 4, x->device, z->device, 32));
    case_end(h);
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    static const int any[] = {1, 31, 1023, 1024, 1025, 98432, 1000003};
    static const int sixteens[] = {16, 496, 1008, 1024, 1040, 98432, 1000000};
    const int *sizes = SIZE_UNIT == 1 ? any : sixteens;
    for (int i = 0; i < (h.small ? 5 : 7); i++) {
        run(&h, sizes[i]);
    }
    if (!h.small) {
        run(&h, 1 << 25);
    }
    run_empty(&h);
    run_misaligned(&h);
    vector_add_unload();
    return harness_end(&h);
}
