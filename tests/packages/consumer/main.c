/* vector_add on the first device: prints 512 sums. */
#include <stdio.h>
#include <stdlib.h>

#include <tkc/tkc_runtime.h>

#include "vector_add.h"

enum { N = 512 };

static void check(tkc_result result, const char *what) {
    if (result != 0) {
        fprintf(stderr, "error: %s: %s\n", what, tkc_error_text(result));
        exit(1);
    }
}

int main(void) {
    float x[N], z[N];
    tkc_pointer on_device, sums;
    check(tkc_device_use(0), "choosing the device");
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
    }
    check(tkc_memory_allocate(&on_device, sizeof x), "allocating x");
    check(tkc_memory_allocate(&sums, sizeof z), "allocating z");
    check(tkc_copy_to_device(on_device, x, sizeof x, NULL), "copying x");
    check(vector_add_launch(NULL, on_device, on_device, sums, N), "launching");
    check(tkc_copy_from_device(z, sums, sizeof z, NULL), "copying z");
    check(tkc_stream_wait(NULL), "waiting");
    for (int i = 0; i < N; i++) {
        printf("%f + %f = %f\n", x[i], x[i], z[i]);
    }
    return 0;
}
