// Tiles to order: indices as kernels compute them, loads, and some value of a type and shape.
#include "generate.h"

#include <stdlib.h>
#include <string.h>

// ---- tiles to order ----

// Along dimension d of the shape, 0, 1, … times a factor.
int along(struct maker *g, struct block *block, struct shape shape, int d, int64_t factor) {
    int id = range(g, block, shape.extent[d], 0);
    struct shape column = {shape.rank, {1, 1, 1}};
    column.extent[d] = shape.extent[d];
    if (factor != 1) {
        id = with_constant(g, block, MUL, id, factor);
    }
    return broadcast(g, block, reshaped(g, block, id, column), shape);
}

// A tile's first element: from the program's id, an argument, or a constant. -1: 0.
static int first_index(struct maker *g, struct block *block, struct shape shape) {
    struct shape scalar = {0, {0}};
    int first;
    switch (pick(g, 5)) {
    case 0:
        return -1;
    case 1:
        first = new_value(g, I32, scalar, 0, INT32_MAX);
        append(g, block, PROGRAM, first);
        return with_constant(g, block, MUL, first, shape_elements(&shape));
    case 2:
        return constant(g, block, I32, scalar, pick(g, 3) * 16 + pick(g, 2));
    case 3:
        first = new_value(g, I32, scalar, 0, ROUNDS);
        append(g, block, COUNT, first)->number = pick(g, 3);
        return with_constant(g, block, MUL, first, 16);
    default:
        return constant(g, block, I32, scalar, 64);
    }
}

static const int divisors[] = {16, 64, 100, 4};

// The sum, wrapped in a narrower type, and back to a non-negative index.
static int narrowed(struct maker *g, struct block *block, int sum) {
    static const enum element narrow[] = {I8, I16, U8, I8};
    enum element element = narrow[pick(g, 4)];
    int64_t divisor = divisors[pick(g, 4)];
    if (chance(g, 40) && of(g, sum)->high < 64) {
        sum = with_constant(g, block, ADD, sum, INT32_MAX - 63);
    }
    sum = cast_to(g, block, sum, chance(g, 80) ? element : I64);
    if (chance(g, 50)) {
        sum = with_constant(g, block, ADD, sum, 96);
    }
    sum = with_constant(g, block, chance(g, 70) ? MOD : DIV, sum, divisor);
    return with_constant(g, block, ADD, cast_to(g, block, sum, I32), 128);
}

// Indices as kernels compute them: a sum over dimensions, with a stride each, from some first element.
int index_tile(struct maker *g, struct block *block, struct shape shape) {
    static const int factors[] = {1, 1, 4, 3, 16};
    int64_t stride = factors[pick(g, 5)];
    int sum = -1;
    bool turned = pick(g, 4) == 0;
    for (int i = 0; i < shape.rank; i++) {
        int d = turned ? i : shape.rank - 1 - i, part = along(g, block, shape, d, stride);
        sum = sum < 0 ? part : binary_of(g, block, ADD, sum, part);
        stride *= shape.extent[d];
    }
    if (sum < 0) {
        sum = constant(g, block, I32, shape, pick(g, 100));
    }
    int first = first_index(g, block, shape);
    if (first < 0) {
        return sum;
    }
    sum = binary_of(g, block, ADD, sum, broadcast(g, block, first, shape));
    if (chance(g, 25)) {
        return narrowed(g, block, sum);
    }
    if (chance(g, 35)) {
        sum = with_constant(g, block, MOD, sum, divisors[pick(g, 4)]);
    }
    if (chance(g, 15)) {
        sum = with_constant(g, block, DIV, sum, divisors[pick(g, 4)]);
    }
    return sum;
}

int compare(struct maker *g, struct block *block, enum compare op, int a, int b) {
    int id = new_value(g, I1, of(g, a)->shape, 0, 1);
    struct statement *s = append(g, block, COMPARE, id);
    s->op = op;
    operand(s, a);
    operand(s, b);
    return id;
}

int load(struct maker *g, struct block *block, int input, int index) {
    const struct value *at = of(g, index);
    bool inside = at->low >= 0 && at->high < BUFFER_ELEMENTS;
    int mask = -1;
    if (!inside) {
        int low = compare(g, block, GE, index, constant(g, block, at->element, at->shape, 0));
        int limit = constant(g, block, of(g, index)->element, of(g, index)->shape, BUFFER_ELEMENTS);
        mask = binary_of(g, block, AND, low, compare(g, block, LT, index, limit));
    } else if (chance(g, 30)) {
        int limit = constant(g, block, at->element, at->shape, at->low + pick(g, 2000));
        mask = compare(g, block, LT, index, limit);
    }
    int id = loaded_value(g, input_elements[input], of(g, index)->shape);
    struct statement *s = append(g, block, LOAD, id);
    s->number = input;
    s->axis = (int)pick(g, 5) - 2; // the value of masked-off elements
    operand(s, index);
    if (mask >= 0) {
        operand(s, mask);
    }
    return id;
}

static int fresh_tile(struct maker *g, struct block *block, enum element element, struct shape shape) {
    if (chance(g, 50)) {
        for (int i = 0; i < INPUTS; i++) {
            if (input_elements[i] == element) {
                return load(g, block, i, index_tile(g, block, shape));
            }
        }
        return cast_to(g, block, load(g, block, pick(g, 4), index_tile(g, block, shape)), element);
    }
    return cast_to(g, block, index_tile(g, block, shape), element);
}

// True if all elements are visibly equal: such tiles hide errors in exchanges of elements.
static bool is_flat(struct maker *g, int id) {
    const struct statement *s = g->definition[id];
    if (!g->flat[id]) {
        bool single = shape_elements(&of(g, id)->shape) == 1, flat = s && s->kind != RANGE && s->kind != SCAN;
        for (int i = 0; flat && !single && i < s->operand_count; i++) {
            flat = is_flat(g, s->operands[i]);
        }
        g->flat[id] = single || flat ? 1 : -1;
    }
    return g->flat[id] > 0;
}

// True if the value may become a tile of that shape; more tolerant after more tries.
static bool is_welcome(struct maker *g, int id, const struct shape *shape, enum element element, int tries) {
    const struct value *v = of(g, id);
    bool alike = shape_equal(&v->shape, shape);
    if (v->low == v->high || (shape_elements(shape) > 1 && is_flat(g, id) && !chance(g, 8))) {
        return false;
    }
    if (tries < 12 || v->element == I1) {
        return alike && v->element == element;
    }
    return alike || v->shape.rank == 0 || shape_elements(&v->shape) == shape_elements(shape);
}

// Some value of this type and shape: one in scope, another one turned into it, or a new one.
int tile(struct maker *g, struct block *block, enum element element, struct shape shape) {
    unsigned count = (unsigned)g->scope_count;
    for (int tries = 0; tries < 24 && count > 0; tries++) {
        int id = g->scope[chance(g, 50) ? count - 1 - pick(g, count < 12 ? count : 12) : pick(g, count)];
        if (!is_welcome(g, id, &shape, element, tries)) {
            continue;
        }
        id = cast_to(g, block, id, element);
        return of(g, id)->shape.rank == 0 ? broadcast(g, block, id, shape) : reshaped(g, block, id, shape);
    }
    return fresh_tile(g, block, element, shape);
}

struct shape some_shape(struct maker *g) {
    struct shape shape = random_shape(g);
    for (int tries = 0; tries < 3 && chance(g, 60) && g->scope_count; tries++) {
        shape = of(g, g->scope[pick(g, (unsigned)g->scope_count)])->shape;
        if (shape_elements(&shape) > 1) {
            break;
        }
    }
    return shape;
}

// Of rank 1 or more.
struct shape tile_shape(struct maker *g) {
    struct shape shape = some_shape(g);
    return shape.rank ? shape : (struct shape){2, {g->extents[0], g->extents[1]}};
}

int condition(struct maker *g, struct block *block, struct shape shape) {
    int a = tile(g, block, random_element(g), shape);
    int b = chance(g, 50) ? tile(g, block, of(g, a)->element, shape)
                          : constant(g, block, of(g, a)->element, shape,
                                     clamp((int64_t)pick(g, 9) - 2, of(g, a)->low, of(g, a)->high));
    return compare(g, block, (enum compare)pick(g, COMPARES), a, b);
}
