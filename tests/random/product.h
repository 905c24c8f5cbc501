// What the parts of products share: the matrices, and statements that bring their tiles.
#ifndef TKC_TESTS_RANDOM_PRODUCT_H
#define TKC_TESTS_RANDOM_PRODUCT_H

#include "generate.h"

enum edge { PLAIN, WRAPPED, CLAMPED, CHOSEN, EDGES };

struct product {
    struct maker *g;
    enum element element;
    int m, n, depth;      // of a tile
    int rows, columns, k; // of the matrices
    int pitch_a, pitch_b, pitch_c;
    bool turned_a, turned_b, carried, wide;
    bool calm; // nothing that stands between it and a tensor copy, but where a tile begins and ends
    enum edge edge_a, edge_b;
    bool attends, derives, hides; // attention; its gradients; with a causal mask
    int shift;     // a scalar that is added to the left matrix's rows, which may be negative; -1: none
    int base;      // elements of the left matrix in front of its first row
    int limit;     // what a mask is below in place of the matrix's size, where that is positive
    bool cornered; // the result's columns begin at what a scalar says, the same for all programs
    bool reads_back;
    int corner, grain; // which is a multiple of the grain: a copy may not begin just anywhere
    // Values: where the tile begins, its number among those of rows, and what tells about its result or -1.
    int tile_row, tile_column, tile_number, number;
};

// A factor's matrix, and its tile as it lies in memory.
struct factor {
    int first, size, pitch;
    enum edge edge;
    bool turned;
    int base;
    struct shape held;
    int along_k; // the dimension of `held` that the depth runs along
};

// make_factor.c
int round_up(int number, int step);
bool oddity(struct product *p, unsigned percent);
int size_of(struct product *p, struct block *block, int number);
int binary(struct product *p, struct block *block, enum binary op, int a, int b);
int number_of(struct product *p, struct block *block, enum binary op, int a, int number);
int below(struct product *p, struct block *block, int index, int limit);
int indices(struct product *p, struct block *block, int first, int extent);
int kept_inside(struct product *p, struct block *block, int index, int size, enum edge edge);
int both(struct product *p, struct block *block, int a, int b);
struct factor factor_of(const struct product *p, bool right);
int address(struct product *p, struct block *block, const struct factor *f, int outer, int depth);
int loaded(struct product *p, struct block *block, const struct factor *f, int at, int outer, int depth);
int empty_sum(struct product *p, struct block *block, int columns);
int transposed(struct product *p, struct block *block, int id);
int choice(struct product *p, struct block *block, int condition, int a, int b); // with the range of both

// make_attention.c
int add_attention(struct product *p, struct block *block);

#endif
