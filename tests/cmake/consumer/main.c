/* Uses the headers' parts without a driver: they are found and compile. */
#include <stdio.h>

#ifdef WITH_CUDA
#include "scale.h"
#include "shift.h"
#if scale_BLOCK != 256 || scale_SCALE != 2 || shift_BLOCK != 128
#error "constants of the kernels"
#endif
#endif

int main(void) {
    puts("kernels are in");
    return 0;
}
