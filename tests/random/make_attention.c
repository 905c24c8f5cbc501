// Attention: rows of queries, times keys, times values.
#include "product.h"

static int tile_of(struct product *p, struct block *block, struct factor *f, int depth) {
    int outer = indices(p, block, f->first, f->held.extent[0]);
    outer = kept_inside(p, block, outer, f->size, f->edge);
    return loaded(p, block, f, address(p, block, f, outer, depth), outer, depth);
}

// Along the rows of a tile of scores: one number each.
static int by_row(struct product *p, struct block *block, int row, int scores) {
    struct shape column = {2, {p->m, 1}};
    return broadcast(p->g, block, reshaped(p->g, block, row, column), of(p->g, scores)->shape);
}

static int largest_of_rows(struct product *p, struct block *block, int scores) {
    const struct value *v = of(p->g, scores);
    struct statement *s =
        append(p->g, block, REDUCE, new_value(p->g, F32, (struct shape){1, {p->m}}, v->low, v->high));
    s->op = LARGEST;
    s->axis = 1;
    operand(s, scores);
    return s->results[0];
}

static int exponential(struct product *p, struct block *block, int a) {
    struct statement *s = append(p->g, block, UNARY, new_value(p->g, F32, of(p->g, a)->shape, 0, 1));
    s->op = EXP2;
    operand(s, a);
    return s->results[0];
}

// Hides scores behind the diagonal, or behind columns in another numbering.
static int masked(struct product *p, struct block *block, int scores, int first) {
    struct maker *g = p->g;
    struct shape shape = of(g, scores)->shape, line = {2, {1, shape.extent[1]}};
    if (chance(g, 25)) {
        first = with_constant(g, block, MOD, with_constant(g, block, MUL, first, 5), 224);
    }
    int columns = reshaped(g, block, indices(p, block, first, shape.extent[1]), line);
    int rows = by_row(p, block, indices(p, block, p->tile_row, p->m), scores);
    int visible = compare(g, block, LE, broadcast(g, block, columns, shape), rows);
    return choice(p, block, visible, scores, constant(g, block, F32, shape, -1000));
}

enum { EIGHTH_BITS = 8 }; // weights and their factors are multiples of 2^-4

// Adds one block of keys to the accumulator; carries the largest score of each row beside it.
static void add_keys(struct product *p, struct statement *s, int q, struct factor *keys,
                     struct factor *values) {
    struct maker *g = p->g;
    struct block *body = &s->body;
    int depth = range(g, body, p->depth, 0), sum = s->carries[0].inside;
    keys->first = values->first = with_constant(g, body, MUL, s->results[0], keys->held.extent[0]);
    int scores = dot(g, body, q, tile_of(p, body, keys, depth), -1);
    if (p->hides) {
        scores = masked(p, body, bounded(g, body, scores, -2, 2), keys->first);
    }
    if (s->carry_count > 1) {
        int before = s->carries[1].inside;
        s->carries[1].end = binary_of(g, body, MAX, before, largest_of_rows(p, body, scores));
        if (p->hides) {
            int now = s->carries[1].end, factor = exponential(p, body, binary_of(g, body, SUB, before, now));
            scores = binary_of(g, body, SUB, scores, by_row(p, body, now, scores));
            scores = exponential(p, body, scores);
            sum = binary_of(g, body, MUL, sum, by_row(p, body, factor, sum));
        }
    }
    int weights = cast_to(g, body, bounded(g, body, scores, -8, 8), F16);
    if (oddity(p, 20)) {
        some_steps(g, body, 1);
    }
    s->carries[0].end = dot(g, body, weights, tile_of(p, body, values, depth), sum);
}

// Adds a matrix of numbers to the scores.
static int with_numbers(struct product *p, struct block *body, int scores, int first, int size) {
    struct maker *g = p->g;
    struct factor f = {
        .first = p->tile_row, .pitch = round_up(size, 16), .held = of(g, scores)->shape, .along_k = 1};
    if (f.pitch * round_up(p->rows, p->m) > BUFFER_ELEMENTS) {
        return scores;
    }
    int columns = indices(p, body, first, f.held.extent[1]);
    int at = address(p, body, &f, indices(p, body, f.first, p->m), columns);
    struct shape line = {2, {1, f.held.extent[1]}};
    int mask = broadcast(g, body, reshaped(g, body, below(p, body, columns, size), line), f.held);
    struct statement *s = append(g, body, LOAD, loaded_value(g, F32, f.held));
    s->number = 5;
    operand(s, at);
    operand(s, mask);
    return binary_of(g, body, ADD, scores, s->results[0]);
}

// Two products of each block of keys and values, and a third of their combination with the keys, or values,
// again.
static void add_gradients(struct product *p, struct statement *s, int q, int gradient, int delta,
                          struct factor *keys, struct factor *values) {
    struct maker *g = p->g;
    struct block *body = &s->body;
    int depth = range(g, body, p->depth, 0), n = keys->held.extent[0];
    keys->first = values->first = with_constant(g, body, MUL, s->results[0], n);
    int k = tile_of(p, body, keys, depth), v = tile_of(p, body, values, depth);
    int scores = dot(g, body, q, transposed(p, body, k), -1);
    int other = dot(g, body, gradient, transposed(p, body, v), -1);
    if (chance(g, 50)) {
        scores = with_numbers(p, body, scores, keys->first, keys->size);
    }
    if (delta >= 0) {
        other = binary_of(g, body, SUB, other, by_row(p, body, delta, other));
    }
    int weights = bounded(g, body, scores, -3, 3);
    int both_ways = binary_of(g, body, MUL, weights, bounded(g, body, other, -3, 3));
    if (oddity(p, 20)) {
        some_steps(g, body, 1);
    }
    s->carries[0].end = dot(g, body, cast_to(g, body, both_ways, F16), k, s->carries[0].inside);
    if (s->carry_count > 1) {
        s->carries[1].end = dot(g, body, cast_to(g, body, weights, F16), v, s->carries[1].inside);
    }
}

static int numbers_of_rows(struct product *p, struct block *block) {
    struct maker *g = p->g;
    int rows = indices(p, block, p->tile_row, p->m), mask = below(p, block, rows, p->rows);
    struct statement *s = append(g, block, LOAD, loaded_value(g, F32, (struct shape){1, {p->m}}));
    s->number = 5;
    operand(s, rows);
    operand(s, mask);
    return s->results[0];
}

int add_attention(struct product *p, struct block *block) {
    struct maker *g = p->g;
    int n = 32 << pick(g, 2), blocks = 1 + (int)pick(g, ROUNDS), size = n * blocks;
    if (chance(g, 50)) {
        size -= (int)pick(g, (unsigned)n);
    }
    struct factor f = {.first = p->tile_row,
                       .size = p->rows,
                       .pitch = p->pitch_a,
                       .edge = p->edge_a,
                       .held = {2, {p->m, p->depth}},
                       .along_k = 1};
    struct factor keys = f, values = f;
    keys.size = values.size = size;
    keys.held.extent[0] = values.held.extent[0] = n;
    keys.edge = values.edge = PLAIN;
    keys.turned = !p->derives;
    int depth = range(g, block, p->depth, 0), sum = empty_sum(p, block, p->depth);
    int q = tile_of(p, block, &f, depth), gradient = -1, delta = -1;
    if (chance(g, 20)) { // goes to shared memory by way of the threads
        q = with_constant(g, block, MAX, q, 0);
    }
    if (p->derives) {
        f.first = with_constant(g, block, ADD, f.first, 1); // other rows
        gradient = tile_of(p, block, &f, depth);
        delta = chance(g, 50) ? numbers_of_rows(p, block) : -1;
    }
    int rounds = size_of(p, block, blocks), low = constant(g, block, F32, (struct shape){1, {p->m}}, -1000);
    if (chance(g, 40)) { // as many as there are tiles of rows up to this one
        int tiles = with_constant(g, block, ADD, p->tile_number, 1);
        rounds = binary_of(g, block, MIN, tiles, rounds);
    }
    int mark = g->scope_count;
    struct statement *s = open_for(g, block, rounds, 0, 1, oddity(p, 15));
    enter_scope(g, s->results[0]);
    carry(g, s, sum, of(g, sum)->low, of(g, sum)->high);
    if (p->derives && chance(g, 40)) {
        carry(g, s, sum, of(g, sum)->low, of(g, sum)->high);
    } else if (!p->derives && (p->hides || chance(g, 50))) {
        carry(g, s, low, -100000, 100000);
    }
    if (p->derives) {
        add_gradients(p, s, q, gradient, delta, &keys, &values);
    } else {
        add_keys(p, s, q, &keys, &values);
    }
    finish(g, s, mark);
    sum = s->carries[0].after;
    if (p->hides) {
        sum = with_constant(g, block, MUL, sum, 1 << EIGHTH_BITS);
    }
    if (s->carry_count > 1) {
        int more = s->carries[1].after;
        sum = binary_of(g, block, ADD, sum, p->derives ? more : by_row(p, block, more, sum));
    }
    return sum;
}
