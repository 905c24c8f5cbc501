// Kernels that are a matrix product, as people write them: sizes and strides are arguments, tiles are dealt by the
// program's id or by a loop, edges are masked, wrapped or clamped, tiles lie either way round in memory.
#include "generate.h"

#include <stdlib.h>
#include <string.h>

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
    bool attends;
    // Values: where the tile begins, its number among those of rows, and what tells about its result or -1.
    int tile_row, tile_column, tile_number, number;
};

static const struct shape one = {0, {0}};

static int round_up(int number, int step) {
    return (number + step - 1) / step * step;
}

static bool oddity(struct product *p, unsigned percent) {
    return !p->calm && chance(p->g, percent);
}

// A number of the launch: an argument, or known.
static int size_of(struct product *p, struct block *block, int number) {
    struct kernel *k = p->g->k;
    int i = 0;
    while (i < k->size_count && k->sizes[i] != number)
        i++;
    if (i == MAX_SIZES || lang_hash(k->seed, (uint64_t)number, 0) % 5 == 0) // the same way each time
        return constant(p->g, block, I32, one, number);
    k->size_count += i == k->size_count;
    k->sizes[i] = number;
    int id = new_value(p->g, I32, one, number, number);
    append(p->g, block, SIZE, id)->number = i;
    return id;
}

static int binary(struct product *p, struct block *block, enum binary op, int a, int b) {
    return binary_of(p->g, block, op, a, broadcast(p->g, block, b, of(p->g, a)->shape));
}

static int number_of(struct product *p, struct block *block, enum binary op, int a, int number) {
    return binary(p, block, op, a, size_of(p, block, number));
}

static int below(struct product *p, struct block *block, int index, int limit) {
    int size = broadcast(p->g, block, size_of(p, block, limit), of(p->g, index)->shape);
    return compare(p->g, block, LT, index, cast_to(p->g, block, size, of(p->g, index)->element));
}

// first, first + 1, …
static int indices(struct product *p, struct block *block, int first, int extent) {
    return binary(p, block, ADD, range(p->g, block, extent, 0), first);
}

// The same for rows that exist alone, if the edge is not left to the mask.
static int kept_inside(struct product *p, struct block *block, int index, int size, enum edge edge) {
    struct statement *s;
    switch (edge) {
    case WRAPPED:
        return number_of(p, block, MOD, index, size);
    case CLAMPED:
        return binary(p, block, MIN, index, with_constant(p->g, block, SUB, size_of(p, block, size), 1));
    case CHOSEN: {
        int inside = below(p, block, index, size);
        int zero = constant(p->g, block, I32, of(p->g, index)->shape, 0);
        s = append(p->g, block, SELECT, new_value(p->g, I32, of(p->g, index)->shape, 0, INT32_MAX));
        operand(s, inside);
        operand(s, index);
        operand(s, zero);
        return s->results[0];
    }
    default:
        return index;
    }
}

// The indices along dimension d of a tile, times a stride.
static int spread_along(struct product *p, struct block *block, int index, struct shape shape, int d,
                        int stride) {
    struct shape line = {2, {1, 1}};
    line.extent[d] = shape.extent[d];
    index = reshaped(p->g, block, index, line);
    if (p->wide)
        index = cast_to(p->g, block, index, I64);
    if (stride != 1)
        index = binary(p, block, MUL, index,
                       cast_to(p->g, block, size_of(p, block, stride), of(p->g, index)->element));
    return broadcast(p->g, block, index, shape);
}

static int both(struct product *p, struct block *block, int a, int b) {
    return a < 0 ? b : b < 0 ? a : binary_of(p->g, block, AND, a, b);
}

// A factor's matrix, and its tile as it lies in memory.
struct factor {
    int first, size, pitch;
    enum edge edge;
    bool turned;
    struct shape held;
    int along_k; // the dimension of `held` that the depth runs along
};

static struct factor factor_of(const struct product *p, bool right) {
    struct factor f = {.first = right ? p->tile_column : p->tile_row,
                       .size = right ? p->columns : p->rows,
                       .pitch = right ? p->pitch_b : p->pitch_a,
                       .edge = right ? p->edge_b : p->edge_a,
                       .turned = right ? p->turned_b : p->turned_a};
    f.along_k = right == f.turned;
    f.held.rank = 2;
    f.held.extent[f.along_k] = p->depth;
    f.held.extent[1 - f.along_k] = right ? p->n : p->m;
    return f;
}

static int address(struct product *p, struct block *block, const struct factor *f, int outer, int depth) {
    int a = spread_along(p, block, outer, f->held, 1 - f->along_k, f->along_k == 1 ? f->pitch : 1);
    int b = spread_along(p, block, depth, f->held, f->along_k, f->along_k == 0 ? f->pitch : 1);
    return binary_of(p->g, block, ADD, a, b);
}

static int loaded(struct product *p, struct block *block, const struct factor *f, int at, int outer,
                  int depth) {
    struct maker *g = p->g;
    bool narrow = p->element == F16 && oddity(p, 20);
    int input = narrow || p->element == I8 ? 0 : p->element == F32 ? 5 : 4, mask = -1;
    struct shape line = {2, {1, 1}};
    if (p->k % p->depth || chance(g, 50)) {
        line.extent[f->along_k] = p->depth;
        line.extent[1 - f->along_k] = 1;
        mask = broadcast(g, block, reshaped(g, block, below(p, block, depth, p->k), line), f->held);
    }
    if (f->edge == PLAIN && (f->size % f->held.extent[1 - f->along_k] || chance(g, 40))) {
        line.extent[1 - f->along_k] = f->held.extent[1 - f->along_k];
        line.extent[f->along_k] = 1;
        int inside = reshaped(g, block, below(p, block, outer, f->size), line);
        mask = both(p, block, mask, broadcast(g, block, inside, f->held));
    }
    enum element element = input_elements[input];
    bool real = element_is_real(element);
    int id =
        new_value(g, element, f->held, real ? -4 : element_low(element), real ? 4 : element_high(element));
    struct statement *s = append(g, block, LOAD, id);
    s->number = input;
    s->axis = oddity(p, 20) ? 1 : 0;
    operand(s, at);
    if (mask >= 0)
        operand(s, mask);
    id = narrow ? cast_to(g, block, bounded(g, block, id, 0, 3), F16) : id;
    if (oddity(p, 20))
        id = with_constant(g, block, real || narrow ? MAX : XOR, id, 0);
    if (!f->turned)
        return id;
    struct value v = *of(g, id);
    struct shape shape = {2, {v.shape.extent[1], v.shape.extent[0]}};
    s = append(g, block, PERMUTE, new_value(g, v.element, shape, v.low, v.high));
    s->order[0] = 1;
    operand(s, id);
    return s->results[0];
}

// sum += left · right over the depth.
static int add_loop(struct product *p, struct block *block, int sum) {
    struct maker *g = p->g;
    struct factor factors[2] = {factor_of(p, false), factor_of(p, true)};
    int outer[2], at[2], rounds = size_of(p, block, (p->k + p->depth - 1) / p->depth);
    bool carried = p->carried, steps = chance(g, 40);
    for (int i = 0; i < 2; i++) {
        const struct factor *f = &factors[i];
        outer[i] = kept_inside(p, block, indices(p, block, f->first, f->held.extent[1 - f->along_k]), f->size,
                               f->edge);
        if (carried)
            at[i] = address(p, block, f, outer[i], range(g, block, p->depth, 0));
    }
    int mark = g->scope_count;
    struct statement *s = open_for(g, block, rounds, 0, steps ? p->depth : 1, !carried && oddity(p, 15));
    enter_scope(g, s->results[0]);
    struct value v = *of(g, sum);
    int inside = carry(g, s, sum, v.low, v.high), result[2];
    for (int i = 0; i < 2 && carried; i++)
        at[i] = carry(g, s, at[i], 1, 0);
    struct block *body = &s->body;
    int start = steps ? s->results[0] : with_constant(g, body, MUL, s->results[0], p->depth);
    int depth = indices(p, body, start, p->depth);
    for (int i = 0; i < 2; i++) {
        int place = carried ? at[i] : address(p, body, &factors[i], outer[i], depth);
        result[i] = loaded(p, body, &factors[i], place, outer[i], depth);
    }
    if (oddity(p, 25))
        some_steps(g, body, 1);
    if (chance(g, 80))
        s->carries[0].end = dot(g, body, result[0], result[1], inside);
    else
        s->carries[0].end = binary_of(g, body, ADD, inside, dot(g, body, result[0], result[1], -1));
    for (int i = 0; i < 2 && carried; i++) {
        int stride = factors[i].along_k == 1 ? p->depth : p->depth * factors[i].pitch;
        int by = cast_to(g, body, size_of(p, body, stride), of(g, at[i])->element);
        s->carries[1 + i].end = binary(p, body, ADD, at[i], by);
    }
    finish(g, s, mark);
    return s->carries[0].after;
}

static void put(struct product *p, struct block *block, int value, int output) {
    struct maker *g = p->g;
    struct shape shape = {2, {p->m, p->n}};
    struct factor f = {.held = shape, .along_k = 1, .pitch = p->pitch_c};
    int rows = indices(p, block, p->tile_row, p->m), columns = indices(p, block, p->tile_column, p->n);
    int at = address(p, block, &f, rows, columns);
    int mask = broadcast(
        g, block, reshaped(g, block, below(p, block, rows, p->rows), (struct shape){2, {p->m, 1}}), shape);
    int other = broadcast(
        g, block, reshaped(g, block, below(p, block, columns, p->columns), (struct shape){2, {1, p->n}}),
        shape);
    mask = both(p, block, mask, other);
    if (oddity(p, 20))
        mask = both(p, block, mask,
                    compare(g, block, NE, value, constant(g, block, of(g, value)->element, shape, 0)));
    struct statement *s = append(g, block, PUT, -1);
    s->number = output;
    operand(s, at);
    operand(s, value);
    operand(s, mask);
    g->k->outputs[output] = of(g, value)->element;
}

static int empty_sum(struct product *p, struct block *block, int columns) {
    bool real = p->element != I8;
    int sum = constant(p->g, block, real ? F32 : I32, (struct shape){2, {p->m, columns}}, 0);
    p->g->k->values[sum].low = real ? -(1 << 20) : INT32_MIN;
    p->g->k->values[sum].high = real ? 1 << 20 : INT32_MAX;
    return sum;
}

// A row of numbers is added to all rows.
static int with_bias(struct product *p, struct block *block, int sum) {
    struct maker *g = p->g;
    int columns = indices(p, block, p->tile_column, p->n), mask = below(p, block, columns, p->columns);
    struct statement *s = append(g, block, LOAD, new_value(g, F32, of(g, columns)->shape, -4, 4));
    s->number = 5;
    operand(s, columns);
    operand(s, mask);
    int bias = cast_to(g, block, s->results[0], of(g, sum)->element);
    return binary(p, block, ADD, sum, reshaped(g, block, bias, (struct shape){2, {1, p->n}}));
}

static int add_product(struct product *p, struct block *block) {
    int sum = empty_sum(p, block, p->n);
    for (int loops = chance(p->g, 15) ? 2 : 1; loops > 0; loops--)
        sum = add_loop(p, block, sum);
    return chance(p->g, 15) ? with_bias(p, block, sum) : sum;
}

// ---- attention: rows of q, times keys, times values ----

static int tile_of(struct product *p, struct block *block, struct factor *f, int depth) {
    int outer = indices(p, block, f->first, f->held.extent[0]);
    outer = kept_inside(p, block, outer, f->size, f->edge);
    return loaded(p, block, f, address(p, block, f, outer, depth), outer, depth);
}

// What goes into the sum of one block of keys; the largest score of each row is carried beside it.
static void add_keys(struct product *p, struct statement *s, int q, struct factor *keys,
                     struct factor *values) {
    struct maker *g = p->g;
    struct block *body = &s->body;
    int depth = range(g, body, p->depth, 0);
    keys->first = values->first = with_constant(g, body, MUL, s->results[0], keys->held.extent[0]);
    int scores = dot(g, body, q, tile_of(p, body, keys, depth), -1);
    if (s->carry_count > 1) {
        struct shape row = {1, {p->m}};
        struct statement *most =
            append(g, body, REDUCE, new_value(g, F32, row, of(g, scores)->low, of(g, scores)->high));
        most->op = LARGEST;
        most->axis = 1;
        operand(most, scores);
        s->carries[1].end = binary_of(g, body, MAX, s->carries[1].inside, most->results[0]);
    }
    int weights = cast_to(g, body, bounded(g, body, scores, -8, 8), F16);
    if (oddity(p, 20))
        some_steps(g, body, 1);
    s->carries[0].end = dot(g, body, weights, tile_of(p, body, values, depth), s->carries[0].inside);
}

static int add_attention(struct product *p, struct block *block) {
    struct maker *g = p->g;
    int n = 32 << pick(g, 2), blocks = 1 + (int)pick(g, ROUNDS), size = n * blocks;
    if (chance(g, 50))
        size -= (int)pick(g, (unsigned)n);
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
    keys.turned = true;
    int sum = empty_sum(p, block, p->depth), q = tile_of(p, block, &f, range(g, block, p->depth, 0));
    int rounds = size_of(p, block, blocks), low = constant(g, block, F32, (struct shape){1, {p->m}}, -1000);
    if (chance(g, 40)) { // as many as there are tiles of rows up to this one
        int tiles = with_constant(g, block, ADD, p->tile_number, 1);
        rounds = binary_of(g, block, MIN, tiles, rounds);
    }
    int mark = g->scope_count;
    struct statement *s = open_for(g, block, rounds, 0, 1, oddity(p, 15));
    enter_scope(g, s->results[0]);
    carry(g, s, sum, of(g, sum)->low, of(g, sum)->high);
    if (chance(g, 50))
        carry(g, s, low, -100000, 100000);
    add_keys(p, s, q, &keys, &values);
    finish(g, s, mark);
    sum = s->carries[0].after;
    if (s->carry_count > 1)
        sum =
            binary(p, block, ADD, sum, reshaped(g, block, s->carries[1].after, (struct shape){2, {p->m, 1}}));
    return sum;
}

// ---- one tile of the result ----

static void add_tile(struct product *p, struct block *block) {
    struct maker *g = p->g;
    int sum = p->attends ? add_attention(p, block) : add_product(p, block);
    int kept = sum;
    if (p->element != I8 && chance(g, 50))
        sum = cast_to(g, block, bounded(g, block, sum, -100, 100), F16);
    for (int i = 0; i < g->k->output_count; i++)
        put(p, block, sum, i);
    p->number = block == &g->k->body && chance(g, 20) ? digest_of(g, block, kept) : -1;
}

static void choose(struct product *p) {
    struct maker *g = p->g;
    unsigned kind = pick(g, 10);
    p->calm = chance(g, 65);
    p->element = kind < 7 ? F16 : kind < 9 ? I8 : F32;
    p->m = 64 << pick(g, 2);
    p->n = 32 << pick(g, 3);
    p->depth = (p->element == F32 ? 16 : 32) << pick(g, 2);
    p->rows = 1 + (int)pick(g, (unsigned)(3 * p->m));
    p->columns = 1 + (int)pick(g, (unsigned)(2 * p->n));
    p->k = (int)pick(g, (unsigned)(3 * p->depth));
    if (chance(g, 40))
        p->rows = round_up(p->rows, p->m);
    if (chance(g, 40))
        p->k = round_up(p->k, p->depth);
    p->turned_a = chance(g, 25);
    p->turned_b = chance(g, p->element == F16 ? 40 : 80);
    p->carried = chance(g, 40);
    p->wide = chance(g, 10);
    p->edge_a = chance(g, 40) ? PLAIN : (enum edge)pick(g, EDGES);
    p->edge_b = chance(g, 40) ? PLAIN : (enum edge)pick(g, EDGES);
    p->attends = p->element == F16 && chance(g, 35);
    if (p->attends) {
        p->turned_a = false;
        p->k = p->columns = p->n = p->depth;
    }
    int room = oddity(p, 40) ? 1 : 16; // what pitches are multiples of
    for (;; p->rows = (p->rows + 1) / 2, p->k /= p->attends ? 1 : 2) {
        p->pitch_a = round_up(p->turned_a ? p->rows : p->k + 1, room);
        p->pitch_b = round_up(p->turned_b ? p->k + 1 : p->columns, room);
        if ((p->turned_a ? p->k : p->rows) * p->pitch_a <= BUFFER_ELEMENTS &&
            (p->turned_b ? p->columns : p->k) * p->pitch_b <= BUFFER_ELEMENTS)
            break;
    }
    p->pitch_c = round_up(p->columns, room) + (chance(g, 30) ? 16 : 0);
}

// The tile's numbers along rows and columns are the program's along two axes, or come from its one number.
static void deal_tiles(struct product *p, struct block *block, int id, const int tiles[2]) {
    struct maker *g = p->g;
    int first = (int)pick(g, 2), numbers[2];
    if (id < 0 && chance(g, 40)) {
        int axis = 1 + (int)pick(g, 2);
        for (int i = 0; i < 2; i++) {
            numbers[i] = new_value(g, I32, one, 0, INT32_MAX);
            append(g, block, PROGRAM, numbers[i])->number = i == first ? axis : 0;
            g->k->grid[i == first ? axis : 0] = tiles[i];
        }
    } else {
        if (id < 0) {
            id = new_value(g, I32, one, 0, INT32_MAX);
            append(g, block, PROGRAM, id);
            g->k->grid[0] = tiles[0] * tiles[1];
        }
        numbers[first] = number_of(p, block, DIV, id, tiles[!first]);
        numbers[!first] = number_of(p, block, MOD, id, tiles[!first]);
    }
    p->tile_number = numbers[0];
    p->tile_row = with_constant(g, block, MUL, numbers[0], p->m);
    p->tile_column = with_constant(g, block, MUL, numbers[1], p->n);
}

// The tiles in turn, of one program.
static void loop_over_tiles(struct product *p, const int tiles[2]) {
    struct maker *g = p->g;
    struct block *block = &g->k->body;
    int before = scalar_constant(g, block, 1), rounds = size_of(p, block, tiles[0] * tiles[1]);
    struct statement *s = open_for(g, block, rounds, 0, 1, false);
    carry(g, s, before, 1, 0);
    s->body.items = calloc(MAX_STATEMENTS, sizeof *s->body.items);
    deal_tiles(p, &s->body, s->results[0], tiles);
    add_tile(p, &s->body);
    s->carries[0].end = s->carries[0].inside;
}

// The whole kernel: a program a tile, or one program and a loop over tiles.
void make_product(struct maker *g) {
    struct kernel *k = g->k;
    struct product p = {.g = g};
    choose(&p);
    const int tiles[2] = {(p.rows + p.m - 1) / p.m, (p.columns + p.n - 1) / p.n};
    bool looped = chance(g, 15);
    k->warps = oddity(&p, 30) ? k->warps : 4u << pick(g, 2);
    k->hints = oddity(&p, 30) ? k->hints : 0xff;
    k->programs = k->grid[0] = looped ? 1 : tiles[0] * tiles[1];
    k->output_count = 1 + chance(g, 15);
    for (int i = 0; i < k->output_count; i++)
        k->output_size[i] = (p.rows * p.pitch_c + k->programs - 1) / k->programs;
    if (looped) {
        loop_over_tiles(&p, tiles);
        return;
    }
    deal_tiles(&p, &k->body, -1, tiles);
    add_tile(&p, &k->body);
    if (k->grid[0] == k->programs && p.number >= 0)
        store(g, p.number);
    if (k->grid[0] == k->programs && chance(g, 20))
        add_ending(g);
}
