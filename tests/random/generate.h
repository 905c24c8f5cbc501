// The interface between the parts of the generator: the kernel so far, and functions to add statements to a
// block and return the defined value.
#ifndef TKC_TESTS_RANDOM_GENERATE_H
#define TKC_TESTS_RANDOM_GENERATE_H

#include "kernel.h"

struct maker {
    struct kernel *k;
    uint64_t state;
    int scope[MAX_VALUES], scope_count;
    const struct statement *definition[MAX_VALUES]; // NULL: names carried by a loop
    signed char flat[MAX_VALUES];                   // 1: all elements are the same; -1: not; 0: to be seen
    int kept[MAX_VALUES], kept_count;               // values for stores
    int extents[2];                                 // of most shapes
    int depth;                                      // of loops and branches
    int budget;                                     // statements left
};

// make_values.c
unsigned pick(struct maker *g, unsigned below);
bool chance(struct maker *g, unsigned percent);
struct shape random_shape(struct maker *g);
enum element random_element(struct maker *g);
int64_t clamp(int64_t value, int64_t low, int64_t high);
// A new value. If low > high, or its type cannot hold the bounds, its range is unknown.
int new_value(struct maker *g, enum element element, struct shape shape, int64_t low, int64_t high);
const struct value *of(struct maker *g, int id);
void enter_scope(struct maker *g, int id);
// The values of a load: of reals whole numbers from -4 to 4, or anything.
int loaded_value(struct maker *g, enum element element, struct shape shape);
struct statement *append(struct maker *g, struct block *block, enum kind kind, int result);
void operand(struct statement *s, int id);
bool has_room(const struct maker *g, const struct block *block);
int constant(struct maker *g, struct block *b, enum element element, struct shape shape, int64_t number);
int binary_of(struct maker *g, struct block *block, enum binary op, int a, int b);
int with_constant(struct maker *g, struct block *block, enum binary op, int a, int64_t number);
// The value within bounds: as it is if it is known to be, else by & or by min and max.
int bounded(struct maker *g, struct block *block, int a, int64_t low, int64_t high);
int cast_to(struct maker *g, struct block *block, int a, enum element element);
int reshaped(struct maker *g, struct block *block, int a, struct shape shape);
int broadcast(struct maker *g, struct block *block, int a, struct shape shape);
int range(struct maker *g, struct block *block, int extent, int start);

// make_tiles.c
// Along dimension d of the shape, 0, 1, … times a factor.
int along(struct maker *g, struct block *block, struct shape shape, int d, int64_t factor);
int index_tile(struct maker *g, struct block *block, struct shape shape);
int compare(struct maker *g, struct block *block, enum compare op, int a, int b);
int load(struct maker *g, struct block *block, int input, int index);
// Some value of this type and shape: one in scope, another one turned into it, or a new one.
int tile(struct maker *g, struct block *block, enum element element, struct shape shape);
struct shape some_shape(struct maker *g), tile_shape(struct maker *g); // the latter of rank 1 or more
int condition(struct maker *g, struct block *block, struct shape shape);

// make_steps.c
void add_elementwise(struct maker *g, struct block *block);
void add_select(struct maker *g, struct block *block);
void add_idiom(struct maker *g, struct block *block);
void add_shape(struct maker *g, struct block *block);
void add_reduce(struct maker *g, struct block *block);
void add_scan(struct maker *g, struct block *block);
void add_across(struct maker *g, struct block *block);
void add_load(struct maker *g, struct block *block);
void add_dot(struct maker *g, struct block *block);
// a · b + c; c may be -1.
int dot(struct maker *g, struct block *block, int a, int b, int c);
enum element dot_element(struct maker *g);
int dot_extent(struct maker *g);

// make_narrow.c
void add_widened(struct maker *g, struct block *block);

// make_control.c
void add_for(struct maker *g, struct block *block);
void add_while(struct maker *g, struct block *block);
void add_if(struct maker *g, struct block *block);
void add_matmul(struct maker *g, struct block *block);
void add_running(struct maker *g, struct block *block);
int scalar_constant(struct maker *g, struct block *block, int64_t number);
// A loop with an index of `rounds` values from `first` on, or the same values downwards.
struct statement *open_for(struct maker *g, struct block *block, int rounds, int64_t first, int64_t step,
                           bool down);
// The value inside; the end is for the caller to set.
int carry(struct maker *g, struct statement *s, int before, int64_t low, int64_t high);
// Ends the carried names; their final values are in the outer scope.
void finish(struct maker *g, struct statement *s, int scope_count);
// A number made from every element of the value and its position.
int digest_of(struct maker *g, struct block *block, int id);
// Folds the values to keep from `first` on into a number.
int digest(struct maker *g, struct block *block, int sum, int first);

// make_product.c
void make_product(struct maker *g);

// generate.c
void some_steps(struct maker *g, struct block *block, int count);
// At the end of the kernel's body: the value to an output of its own; atomics, releases, polling.
void store(struct maker *g, int id);
void add_ending(struct maker *g);

#endif
