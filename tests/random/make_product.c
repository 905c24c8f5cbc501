// Matrix products in common forms: sizes and strides are arguments, tiles are numbered by the program's id or
// by a loop, edges are masked, wrapped or clamped, either dimension is contiguous in memory.
#include "product.h"

#include <stdlib.h>
#include <string.h>

static const struct shape one = {0, {0}};
enum { CORNERS = 64 }; // possible first columns of the result

// sum += left · right over the depth.
static int add_loop(struct product *p, struct block *block, int sum) {
    struct maker *g = p->g;
    struct factor factors[2] = {factor_of(p, false), factor_of(p, true)};
    if (p->shift >= 0) {
        factors[0].first = binary_of(g, block, ADD, factors[0].first, p->shift);
    }
    int outer[2], at[2], rounds = size_of(p, block, (p->k + p->depth - 1) / p->depth);
    bool carried = p->carried, steps = chance(g, 40);
    for (int i = 0; i < 2; i++) {
        const struct factor *f = &factors[i];
        outer[i] = kept_inside(p, block, indices(p, block, f->first, f->held.extent[1 - f->along_k]), f->size,
                               f->edge);
        if (carried) {
            at[i] = address(p, block, f, outer[i], range(g, block, p->depth, 0));
        }
    }
    int before = scalar_constant(g, block, 0), mark = g->scope_count;
    struct statement *s = open_for(g, block, rounds, 0, steps ? p->depth : 1, !carried && oddity(p, 15));
    enter_scope(g, s->results[0]);
    struct value v = *of(g, sum);
    int inside = carry(g, s, sum, v.low, v.high), result[2];
    for (int i = 0; i < 2 && carried; i++) {
        at[i] = carry(g, s, at[i], 1, 0);
    }
    int turn = p->cornered && p->corner < 0 ? carry(g, s, before, 0, 3) : -1;
    struct block *body = &s->body;
    int start = steps ? s->results[0] : with_constant(g, body, MUL, s->results[0], p->depth);
    int depth = indices(p, body, start, p->depth);
    for (int i = 0; i < 2; i++) {
        int place = carried ? at[i] : address(p, body, &factors[i], outer[i], depth);
        result[i] = loaded(p, body, &factors[i], place, outer[i], depth);
    }
    if (oddity(p, 25)) {
        some_steps(g, body, 1);
    }
    if (chance(g, 80)) {
        s->carries[0].end = dot(g, body, result[0], result[1], inside);
    } else {
        s->carries[0].end = binary_of(g, body, ADD, inside, dot(g, body, result[0], result[1], -1));
    }
    for (int i = 0; i < 2 && carried; i++) {
        int stride = factors[i].along_k == 1 ? p->depth : p->depth * factors[i].pitch;
        int by = cast_to(g, body, size_of(p, body, stride), of(g, at[i])->element);
        s->carries[1 + i].end = binary(p, body, ADD, at[i], by);
    }
    if (turn >= 0) {
        turn = with_constant(g, body, ADD, with_constant(g, body, MUL, turn, 5), 1);
        s->carries[s->carry_count - 1].end = with_constant(g, body, AND, turn, 3);
    }
    finish(g, s, mark);
    if (turn >= 0) {
        p->corner = with_constant(g, block, MUL, s->carries[s->carry_count - 1].after, p->grain);
    }
    return s->carries[0].after;
}

// The addresses of a tile of the result, for a store or a load.
static int place(struct product *p, struct block *block, int *mask) {
    struct maker *g = p->g;
    struct shape shape = {2, {p->m, p->n}};
    struct factor f = {.held = shape, .along_k = 1, .pitch = p->pitch_c};
    int rows = indices(p, block, p->tile_row, p->m), first = p->tile_column;
    if (p->corner >= 0) {
        first = binary_of(g, block, ADD, first, p->corner);
    }
    int columns = indices(p, block, first, p->n);
    int limit = p->corner < 0 ? p->columns : round_up(p->columns, 16) + CORNERS;
    *mask = broadcast(
        g, block, reshaped(g, block, below(p, block, rows, p->rows), (struct shape){2, {p->m, 1}}), shape);
    int other = broadcast(
        g, block, reshaped(g, block, below(p, block, columns, limit), (struct shape){2, {1, p->n}}), shape);
    *mask = both(p, block, *mask, other);
    return address(p, block, &f, rows, columns);
}

static void put(struct product *p, struct block *block, int value, int output) {
    struct maker *g = p->g;
    int mask, at = place(p, block, &mask);
    if (oddity(p, 20)) {
        int zero = constant(g, block, of(g, value)->element, of(g, value)->shape, 0);
        mask = both(p, block, mask, compare(g, block, NE, value, zero));
    }
    struct statement *s = append(g, block, PUT, -1);
    s->number = output;
    operand(s, at);
    operand(s, value);
    operand(s, mask);
    g->k->outputs[output] = of(g, value)->element;
}

// A row of numbers is added to all rows.
static int with_bias(struct product *p, struct block *block, int sum) {
    struct maker *g = p->g;
    int columns = indices(p, block, p->tile_column, p->n), mask = below(p, block, columns, p->columns);
    struct statement *s = append(g, block, LOAD, loaded_value(g, F32, of(g, columns)->shape));
    s->number = 5;
    operand(s, columns);
    operand(s, mask);
    int bias = cast_to(g, block, s->results[0], of(g, sum)->element);
    return binary(p, block, ADD, sum, reshaped(g, block, bias, (struct shape){2, {1, p->n}}));
}

static int add_product(struct product *p, struct block *block) {
    int sum = empty_sum(p, block, p->n);
    for (int loops = chance(p->g, 15) ? 2 : 1; loops > 0; loops--) {
        sum = add_loop(p, block, sum);
    }
    return chance(p->g, 15) ? with_bias(p, block, sum) : sum;
}

// ---- one tile of the result ----

// Reads the result back, summed by rows.
static int read_back(struct product *p, struct block *block, enum element element) {
    struct maker *g = p->g;
    bool real = element_is_real(element);
    int mask, at = place(p, block, &mask);
    struct statement *s =
        append(g, block, LOAD, new_value(g, element, (struct shape){2, {p->m, p->n}}, -4, 4));
    s->number = INPUTS;
    operand(s, at);
    operand(s, mask);
    int tile = s->results[0];
    s = append(g, block, REDUCE,
               new_value(g, element, (struct shape){1, {p->m}}, real ? -512 : 1, real ? 512 : 0));
    s->op = SUM;
    s->axis = 1;
    operand(s, tile);
    g->k->read_back[0] = true;
    return s->results[0];
}

// A scalar from memory, the same for all programs: of an input, or of a result written by one program.
static int corner_in_memory(struct product *p, struct block *block) {
    struct maker *g = p->g;
    struct statement *s;
    bool own = g->k->programs == 1 && g->k->output_count > 1 && p->element == I8 && chance(g, 50);
    if (own) {
        g->k->read_back[0] = true;
    }
    int at = scalar_constant(g, block, own ? 0 : (int)pick(g, 100));
    s = append(g, block, LOAD, new_value(g, I32, one, 1, 0));
    s->number = own ? INPUTS : 2;
    operand(s, at);
    return with_constant(g, block, MUL, with_constant(g, block, AND, s->results[0], 3), p->grain);
}

// By how much rows are moved: a number of the launch, limited in some way.
static int shift_of(struct product *p, struct block *block) {
    struct maker *g = p->g;
    int number = size_of(p, block, (int)pick(g, 12) - 8);
    switch (pick(g, 5)) {
    case 0:
        return number;
    case 1:
        return with_constant(g, block, MIN, number, 8);
    case 2:
        return with_constant(g, block, MIN, with_constant(g, block, MAX, number, -3), 8);
    case 3:
        return with_constant(g, block, AND, number, -4);
    default: {
        int least = scalar_constant(g, block, 2);
        return choice(p, block, compare(g, block, LT, number, least), number, least);
    }
    }
}

static void add_tile(struct product *p, struct block *block) {
    struct maker *g = p->g;
    p->shift = p->base ? shift_of(p, block) : -1;
    p->corner = p->cornered && (p->attends || chance(g, 50)) ? corner_in_memory(p, block) : -1;
    int sum = p->attends ? add_attention(p, block) : add_product(p, block);
    int kept = sum;
    if (p->element != I8 && chance(g, 50)) {
        sum = cast_to(g, block, bounded(g, block, sum, -100, 100), F16);
    }
    int rows = p->reads_back && sum == kept ? read_back(p, block, of(g, sum)->element) : -1;
    for (int i = 0; i < g->k->output_count; i++) {
        if (i == 1 && rows >= 0) {
            sum = binary(p, block, ADD, sum, reshaped(g, block, rows, (struct shape){2, {p->m, 1}}));
        }
        put(p, block, sum, i);
    }
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
    if (chance(g, 40)) {
        p->rows = round_up(p->rows, p->m);
    }
    if (chance(g, 40)) {
        p->k = round_up(p->k, p->depth);
    }
    p->turned_a = chance(g, 25);
    p->turned_b = chance(g, p->element == F16 ? 40 : 80);
    p->carried = chance(g, 40);
    p->wide = chance(g, 10);
    unsigned plain = p->calm ? 70 : 40;
    p->edge_a = chance(g, plain) ? PLAIN : (enum edge)pick(g, EDGES);
    p->edge_b = chance(g, plain) ? PLAIN : (enum edge)pick(g, EDGES);
    p->attends = p->element == F16 && chance(g, 45);
    p->derives = p->attends && chance(g, 50);
    p->hides = p->attends && !p->derives && chance(g, 60);
    if (p->attends) {
        p->turned_a = false;
        p->k = p->columns = p->n = p->depth;
    }
    p->limit = chance(g, 4) ? -(int)pick(g, 3) : 1;
    p->cornered = chance(g, 25);
    p->grain = chance(g, 50) ? 16 : 1 + (int)pick(g, 16);
    p->reads_back = chance(g, 25);
    bool shifted = !p->attends && !p->turned_a && chance(g, 15);
    p->edge_a = shifted ? PLAIN : p->edge_a;
    int room = oddity(p, 40) ? 1 : 16; // grain of the pitches
    for (;; p->rows = (p->rows + 1) / 2, p->k /= p->attends ? 1 : 2) {
        p->pitch_a = round_up(p->turned_a ? p->rows : p->k + 1, room);
        p->pitch_b = round_up(p->turned_b ? p->k + 1 : p->columns, room);
        p->base = shifted ? 8 * p->pitch_a : 0;
        if ((p->turned_a ? p->k : p->rows + 20) * p->pitch_a <= BUFFER_ELEMENTS &&
            (p->turned_b ? p->columns : p->k) * p->pitch_b <= BUFFER_ELEMENTS) {
            break;
        }
    }
    p->pitch_c = round_up(p->columns, room) + (chance(g, 30) ? 16 : 0);
    if (p->cornered) {
        p->pitch_c = round_up(p->columns, 16) + CORNERS + 16;
    }
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
    k->output_count = 1 + (p.reads_back || chance(g, 15));
    if (p.derives && chance(g, 70)) { // late products hold a slot more
        k->warps = 8;
        k->stages = 3 + pick(g, 2);
    }
    for (int i = 0; i < k->output_count; i++) {
        k->output_size[i] = (p.rows * p.pitch_c + k->programs - 1) / k->programs;
    }
    if (looped) {
        loop_over_tiles(&p, tiles);
        return;
    }
    deal_tiles(&p, &k->body, -1, tiles);
    add_tile(&p, &k->body);
    if (k->grid[0] == k->programs && p.number >= 0) {
        store(g, p.number);
    }
    if (k->grid[0] == k->programs && chance(g, 20)) {
        add_ending(g);
    }
}
