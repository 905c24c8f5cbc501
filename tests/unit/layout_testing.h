// Random tiles and layouts with a fixed seed, for the layout tests.
#ifndef TKC_TESTS_LAYOUT_TESTING_H
#define TKC_TESTS_LAYOUT_TESTING_H

#include "testing.h"
#include "dialects/tk/layout.h"

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static inline uint32_t random_below(uint32_t limit) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 20) % limit);
}

// A shape of the given number of index bits.
static inline struct layout random_shape(unsigned rank, unsigned size_log2) {
    int64_t shape[LAYOUT_MAX_RANK] = {1, 1, 1, 1, 1};
    for (unsigned i = 0; i < size_log2; i++) {
        shape[random_below(rank)] *= 2;
    }
    return layout_empty(rank, shape);
}

// A bijection of index bits: a permutation of the unit vectors, then `shears` additions of one basis to
// another.
static inline void random_bases(unsigned size_log2, unsigned shears, uint32_t basis[]) {
    for (unsigned i = 0; i < size_log2; i++) {
        basis[i] = 1u << i;
    }
    for (unsigned i = size_log2; i > 1; i--) {
        unsigned j = random_below(i);
        uint32_t t = basis[i - 1];
        basis[i - 1] = basis[j], basis[j] = t;
    }
    for (unsigned n = 0; n < shears && size_log2 > 1; n++) {
        unsigned i = random_below(size_log2), j = random_below(size_log2);
        if (i != j) {
            basis[i] ^= basis[j];
        }
    }
}

// A surjective distributed layout with `lane_bits` and `warp_bits`. With `replicas` percent of lane and warp
// bits, and some additional register bits, being zero or repeating another basis.
static inline struct layout random_layout(const struct layout *shape, unsigned lane_bits, unsigned warp_bits,
                                          unsigned shears, unsigned replicas) {
    struct layout layout = *shape;
    uint32_t basis[LAYOUT_MAX_BITS];
    unsigned size = layout_size_log2(shape), next = 0;
    random_bases(size, shears, basis);
    enum layout_input inputs[] = {LAYOUT_LANE, LAYOUT_WARP};
    unsigned bits[] = {lane_bits, warp_bits};
    for (unsigned n = 0; n < 2; n++) {
        for (unsigned i = 0; i < bits[n]; i++) {
            bool replica = next >= size || random_below(100) < replicas;
            uint32_t copy = size != 0 && random_below(2) != 0 ? basis[random_below(size)] : 0;
            layout_push(&layout, inputs[n], replica ? copy : basis[next++]);
        }
    }
    for (; next < size; next++) {
        layout_push(&layout, LAYOUT_REGISTER, basis[next]);
    }
    for (unsigned i = 0; i < 2 && random_below(100) < replicas; i++) {
        layout_push(&layout, LAYOUT_REGISTER,
                    size != 0 && random_below(2) != 0 ? basis[random_below(size)] : 0);
    }
    return layout;
}

#endif
