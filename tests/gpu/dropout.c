/* Dropout against the same Philox generator in C: the kept elements must agree exactly, and a kept value is
 * one fp32 division (2 units in the last place allowed). */
#include "harness.h"
#include HEADER

#include <stdlib.h>

/* Philox 4x32 with ten rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011): the first
 * word for counter (index, 0, 0, 0) and the key given by seed. */
static uint32_t philox(uint64_t seed, uint32_t index) {
    uint32_t c0 = index, c1 = 0, c2 = 0, c3 = 0;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t even = (uint64_t)0xD2511F53u * c0, odd = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(odd >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(even >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)odd;
        c3 = (uint32_t)even;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c0;
}

/* tl.rand's mapping to [0, 1): negative words are folded, then scaled by a bit less than 2^-31. */
static float uniform(uint32_t word) {
    int32_t folded = (int32_t)word < 0 ? (int32_t)~word : (int32_t)word;
    return (float)folded * 4.6566127342e-10f;
}

static void run(struct harness *h, int n, float p, int seed) {
    case_begin(h, "n=%d p=%g seed=%d", n, (double)p, seed);
    struct buffer *x = case_input(h, "x", ELEMENT_F32, 1, n, n, -10, 10);
    struct buffer *y = case_output(h, "y", ELEMENT_F32, 1, n, n);
    case_launched(h, dropout_launch(h->stream, x->device, y->device, n, p, seed));
    double *want = harness_memory((size_t)n * sizeof *want);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        bool kept = uniform(philox((uint64_t)(int64_t)seed, (uint32_t)i)) > p;
        want[i] = kept ? buffer_value(x, 0, i) / (double)(1 - p) : 0;
    }
    case_compare(h, y, want, 0, 2.4e-7);
    free(want);
    case_end(h);
}

int main(int argc, char **argv) {
    struct harness h;
    harness_begin(&h, NAME, argc, argv);
    run(&h, 1, 0.5f, 1);
    run(&h, 1023, 0.25f, 123);
    run(&h, 1024, 0.5f, -7);
    run(&h, 4097, 0.0f, 0);
    if (!h.small) {
        run(&h, 98432, 0.9f, 2147483647);
        run(&h, 10000019, 0.1f, (int)(h.seed & 0x7FFFFFFF));
    }
    dropout_unload();
    return harness_end(&h);
}
