// The interface between the parts of products: the matrices, and loads of their tiles.
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
    bool calm; // only forms with tensor copies, except for the first and last elements of a tile
    enum edge edge_a, edge_b;
    bool attends, derives, hides; // attention; its gradients; with a causal mask
    int shift;                    // a scalar added to the left matrix's rows, possibly negative; -1: none
    int base;                     // elements of the left matrix in front of its first row
    int limit;                    // if positive, the mask's limit in place of the matrix's size
    bool cornered;                // a scalar, the same for all programs, is the first column of the result
    bool reads_back;
    int corner, grain; // a multiple of the grain: a copy needs an aligned start
    // Values: the tile's first row and column, its number, and a value about its result or -1.
    int tile_row, tile_column, tile_number, number;
};

// A factor's matrix, and its tile as it lies in memory.
struct factor {
    int first, size, pitch;
    enum edge edge;
    bool turned;
    int base;
    struct shape held;
    int along_k; // the dimension of `held` along the depth
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
