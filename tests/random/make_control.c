// Loops, branches, and loops over the depth of a product.
#include "generate.h"

#include <stdlib.h>
#include <string.h>

int scalar_constant(struct maker *g, struct block *block, int64_t number) {
    return constant(g, block, I32, (struct shape){0, {0}}, number);
}

int digest_of(struct maker *g, struct block *block, int id) {
    struct shape flat = {1, {(int)shape_elements(&of(g, id)->shape)}};
    id = reshaped(g, block, cast_to(g, block, id, I32), flat);
    if (chance(g, 80)) {
        id = binary_of(g, block, MUL, id, range(g, block, flat.extent[0], 1));
    }
    struct statement *s = append(g, block, REDUCE, new_value(g, I32, (struct shape){0, {0}}, 1, 0));
    s->op = pick(g, 2) ? XORED : SUM;
    operand(s, id);
    return s->results[0];
}

// Folds the values to keep from `first` on into a number.
int digest(struct maker *g, struct block *block, int sum, int first) {
    for (int i = first;
         i < g->kept_count && block->count < MAX_STATEMENTS - 160 && g->k->value_count < MAX_VALUES - 100;
         i++) {
        sum = binary_of(g, block, pick(g, 2) ? XOR : ADD, sum, digest_of(g, block, g->kept[i]));
    }
    g->kept_count = first;
    return sum;
}

int carry(struct maker *g, struct statement *s, int before, int64_t low, int64_t high) {
    struct value v = *of(g, before);
    struct carry *c = &s->carries[s->carry_count++];
    *c = (struct carry){before, new_value(g, v.element, v.shape, low, high), -1, -1, -1};
    enter_scope(g, c->inside);
    return c->inside;
}

// Ends the carried names; their final values are in the outer scope.
void finish(struct maker *g, struct statement *s, int scope_count) {
    g->scope_count = scope_count;
    for (int i = 0; i < s->carry_count; i++) {
        struct carry *c = &s->carries[i];
        const struct value *b = of(g, c->before), *in = of(g, c->inside);
        int64_t low = b->low < in->low ? b->low : in->low, high = b->high > in->high ? b->high : in->high;
        c->after = new_value(g, b->element, b->shape, low, high);
        enter_scope(g, c->after);
    }
}

// The next value of a carried name: one of its type, within its bounds.
static int next_of(struct maker *g, struct block *block, int inside) {
    struct value v = *of(g, inside);
    int next = tile(g, block, v.element, v.shape);
    if (next == inside || chance(g, 40)) {
        next = binary_of(g, block, (enum binary)pick(g, 3), inside, tile(g, block, v.element, v.shape));
    }
    return element_is_real(v.element) ? bounded(g, block, next, v.low, v.high) : next;
}

// Chooses values, from the scope or new, for a loop or branch to carry.
static int choose_carried(struct maker *g, struct block *block, int before[], int most) {
    int count = 1 + (int)pick(g, (unsigned)most);
    for (int i = 0; i < count; i++) {
        before[i] = tile(g, block, random_element(g), some_shape(g));
        if (element_is_real(of(g, before[i])->element)) {
            before[i] = bounded(g, block, before[i], -64, 64);
        }
    }
    return count;
}

static void carry_chosen(struct maker *g, struct statement *s, const int before[], int count) {
    for (int i = 0; i < count; i++) {
        bool real = element_is_real(of(g, before[i])->element);
        carry(g, s, before[i], real ? -64 : 1, real ? 64 : 0); // integers: anything
    }
}

static int rounds_of(struct maker *g, struct block *block) {
    if (chance(g, 25)) {
        return scalar_constant(g, block, pick(g, ROUNDS + 1));
    }
    int id = new_value(g, I32, (struct shape){0, {0}}, 0, ROUNDS);
    append(g, block, COUNT, id)->number = pick(g, 3);
    return id;
}

// The statement, its index in scope.
struct statement *open_for(struct maker *g, struct block *block, int rounds, int64_t first, int64_t step,
                           bool down) {
    int index = new_value(g, I32, (struct shape){0, {0}}, first, first + (ROUNDS - 1) * step);
    struct statement *s = append(g, block, FOR, -1);
    s->results[s->result_count++] = index;
    s->number = first;
    s->axis = (int)step;
    s->flag = down;
    operand(s, rounds);
    return s;
}

// Sets the next values of the carried names from `first` on; the last one combines the values made in the
// body.
static void finish_body(struct maker *g, struct statement *s, struct block *body, int first, int kept) {
    int last = s->carry_count - 1;
    for (int i = first; i < last; i++) {
        s->carries[i].end = next_of(g, body, s->carries[i].inside);
    }
    s->carries[last].end = digest(g, body, s->carries[last].inside, kept);
}

void add_for(struct maker *g, struct block *block) {
    static const int steps[] = {1, 1, 1, 2, 16, 1000};
    int before[MAX_CARRIES], count = choose_carried(g, block, before, 3), rounds = rounds_of(g, block);
    before[count++] = scalar_constant(g, block, pick(g, 100));
    int64_t step = steps[pick(g, 6)], last = INT32_MAX - 1 - pick(g, 2) * step;
    int64_t first = chance(g, 35) ? last - (ROUNDS - 1) * step : chance(g, 20) ? -5 : 0;
    int mark = g->scope_count;
    struct statement *s = open_for(g, block, rounds, first, step, chance(g, 20));
    enter_scope(g, s->results[0]);
    carry_chosen(g, s, before, count);
    g->depth++;
    int kept = g->kept_count;
    some_steps(g, &s->body, 1 + (int)pick(g, 5));
    finish_body(g, s, &s->body, 0, kept);
    g->depth--;
    finish(g, s, mark);
}

void add_while(struct maker *g, struct block *block) {
    int before[MAX_CARRIES];
    struct shape shape = chance(g, 30) ? (struct shape){0, {0}} : (struct shape){1, {g->extents[pick(g, 2)]}};
    before[0] = bounded(g, block, tile(g, block, I32, shape), 0, 3);
    int count = 1 + choose_carried(g, block, before + 1, 2);
    before[count++] = scalar_constant(g, block, pick(g, 100));
    int mark = g->scope_count, kept = g->kept_count;
    struct statement *s = append(g, block, WHILE, -1);
    s->op = (int)pick(g, 2);
    carry(g, s, before[0], 0, 3);
    carry_chosen(g, s, before + 1, count - 1);
    g->depth++;
    some_steps(g, &s->body, 1 + (int)pick(g, 4));
    s->carries[0].end =
        with_constant(g, &s->body, MAX, with_constant(g, &s->body, SUB, s->carries[0].inside, 1), 0);
    finish_body(g, s, &s->body, 1, kept);
    g->depth--;
    finish(g, s, mark);
}

void add_if(struct maker *g, struct block *block) {
    int before[MAX_CARRIES], count = choose_carried(g, block, before, 2);
    before[count++] = scalar_constant(g, block, pick(g, 100));
    int test = condition(g, block, (struct shape){0, {0}}), mark = g->scope_count, kept = g->kept_count;
    struct statement *s = append(g, block, IF, -1);
    operand(s, test);
    carry_chosen(g, s, before, count);
    int inside = g->scope_count;
    g->depth++;
    for (int branch = 0; branch < 2; branch++) {
        struct block *body = branch ? &s->other : &s->body;
        some_steps(g, body, branch && chance(g, 40) ? 0 : 1 + (int)pick(g, 4));
        finish_body(g, s, body, 0, kept);
        for (int i = 0; branch == 0 && i < s->carry_count; i++) {
            s->carries[i].other_end = s->carries[i].end; // and the other way round below
        }
        g->scope_count = inside;
    }
    for (int i = 0; i < s->carry_count; i++) {
        int other = s->carries[i].end;
        s->carries[i].end = s->carries[i].other_end;
        s->carries[i].other_end = other;
    }
    g->depth--;
    finish(g, s, mark);
}

// A tile of an input with an index along `d` that advances with the loop: rows of `pitch` elements, `depth`
// of them a round.
static int moving_tile(struct maker *g, struct block *block, enum element element, struct shape shape, int d,
                       int index, int depth, int pitch) {
    bool narrow = element == F16 && chance(g, 25); // bytes, widened by the loop
    bool turned = chance(g, 25);                   // lies the other way round in memory
    struct shape held = turned ? (struct shape){2, {shape.extent[1], shape.extent[0]}} : shape;
    int k = turned ? 1 - d : d;
    int moved = with_constant(g, block, MUL, index, depth);
    int along_k = binary_of(g, block, ADD, along(g, block, held, k, 1), broadcast(g, block, moved, held));
    int at = binary_of(g, block, ADD,
                       with_constant(g, block, MUL, along(g, block, held, 1 - k, 1), k == 1 ? pitch : 1),
                       k == 1 ? along_k : with_constant(g, block, MUL, along_k, held.extent[1]));
    int input = narrow || element == I8 ? 0 : element == F32 ? 5 : 4;
    int loaded = load(g, block, input, at);
    if (narrow) {
        loaded = bounded(g, block, loaded, 0, 3);
    }
    loaded = cast_to(g, block, loaded, element);
    if (!turned) {
        return loaded;
    }
    struct value v = *of(g, loaded);
    struct statement *s = append(g, block, PERMUTE, new_value(g, v.element, shape, v.low, v.high));
    s->order[0] = 1;
    operand(s, loaded);
    return s->results[0];
}

// One number a row: of a tile that moves on with the loop, of its squares, or of its sizes.
static int moving_row(struct maker *g, struct block *body, int index, int m, int n, enum reduction op) {
    int a = moving_tile(g, body, F32, (struct shape){2, {m, n}}, 1, index, n, ROUNDS * n);
    unsigned sign = pick(g, 3);
    if (sign == 0) {
        a = binary_of(g, body, MUL, a, a);
    } else if (sign == 1) {
        struct value v = *of(g, a);
        int64_t most = v.high > -v.low ? v.high : -v.low;
        struct statement *s = append(g, body, UNARY, new_value(g, F32, v.shape, 0, most));
        s->op = ABS;
        operand(s, a);
        a = s->results[0];
    }
    struct value v = *of(g, a);
    int64_t times = op == SUM ? n : 1;
    struct statement *s =
        append(g, body, REDUCE, new_value(g, F32, (struct shape){1, {m}}, v.low * times, v.high * times));
    s->op = op;
    s->axis = 1;
    operand(s, a);
    return s->results[0];
}

// sum = sum · factor + sum of a tile; or the largest so far.
void add_running(struct maker *g, struct block *block) {
    int m = dot_extent(g), n = dot_extent(g), zero = constant(g, block, F32, (struct shape){1, {m}}, 0);
    enum reduction op = chance(g, 75) ? SUM : LARGEST;
    int rounds = rounds_of(g, block), mark = g->scope_count;
    struct statement *s = open_for(g, block, rounds, 0, 1, false);
    enter_scope(g, s->results[0]);
    int64_t most = (int64_t)ROUNDS * 64 * 16 * 8;
    int sum = carry(g, s, zero, -most, most);
    g->depth++;
    int row = moving_row(g, &s->body, s->results[0], m, n, op);
    if (op == SUM && chance(g, 60)) {
        sum = g->k->hostile && chance(g, 50)
                  ? binary_of(g, &s->body, MUL, sum, load(g, &s->body, 5, range(g, &s->body, m, 0)))
                  : with_constant(g, &s->body, MUL, sum, (int64_t)pick(g, 4) - 1);
    }
    s->carries[0].end = binary_of(g, &s->body, op == SUM ? ADD : MAX, sum, row);
    g->depth--;
    finish(g, s, mark);
}

// A loop over the depth of a product; with `chained`, attention's two.
void add_matmul(struct maker *g, struct block *block) {
    int m = dot_extent(g), n = dot_extent(g), depth = 16 << pick(g, 2), pitch = ROUNDS * depth;
    bool chained = chance(g, 35);
    enum element element = chained                              ? F16
                           : depth > 16 && dot_element(g) == I8 ? I8
                           : chance(g, 15)                      ? F32
                                                                : F16;
    enum element sums = element == I8 ? I32 : F32;
    struct shape result = {2, {m, chained ? depth : n}};
    int zero = constant(g, block, sums, result, 0), number = scalar_constant(g, block, 7),
        rounds = rounds_of(g, block);
    int q = chained ? bounded(g, block, tile(g, block, F16, (struct shape){2, {m, depth}}), -4, 4) : -1;
    int mark = g->scope_count;
    struct statement *s = open_for(g, block, rounds, 0, 1, false);
    int index = s->results[0];
    enter_scope(g, index);
    int64_t most = element == I8 ? 0 : (int64_t)ROUNDS * (chained ? n * 32 : depth * 16);
    int sum = carry(g, s, zero, element == I8 ? 1 : -most, most), kept = g->kept_count;
    carry(g, s, number, 1, 0);
    g->depth++;
    some_steps(g, &s->body, (int)pick(g, 2));
    if (chained) {
        int keys = moving_tile(g, &s->body, F16, (struct shape){2, {depth, n}}, 1, index, n, ROUNDS * n);
        int scores = dot(g, &s->body, q, keys, -1);
        int weights = cast_to(g, &s->body, bounded(g, &s->body, scores, -8, 8), F16);
        int rows = moving_tile(g, &s->body, F16, (struct shape){2, {n, depth}}, 0, index, n, ROUNDS * n);
        s->carries[0].end = dot(g, &s->body, weights, rows, sum);
    } else {
        int a = moving_tile(g, &s->body, element, (struct shape){2, {m, depth}}, 1, index, depth, pitch);
        int b = moving_tile(g, &s->body, element, (struct shape){2, {depth, n}}, 0, index, depth, pitch);
        s->carries[0].end = dot(g, &s->body, a, b, sum);
    }
    some_steps(g, &s->body, (int)pick(g, 2));
    s->carries[1].end = digest(g, &s->body, s->carries[1].inside, kept);
    g->depth--;
    finish(g, s, mark);
}
