// Values made from values: the range of a result decides its further uses. Reals stay exact, casts fit,
// indices are inside their buffers or masked.
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- choices ----

unsigned pick(struct maker *g, unsigned below) {
    g->state = lang_hash(g->state, 1, below);
    return (unsigned)(g->state >> 33) % below;
}

bool chance(struct maker *g, unsigned percent) {
    return pick(g, 100) < percent;
}

struct shape random_shape(struct maker *g) {
    int a = g->extents[0], b = g->extents[1];
    const struct shape shapes[] = {{0, {0}},    {1, {a}},       {1, {b}},       {2, {a, b}}, {2, {a, b}},
                                   {2, {b, a}}, {3, {2, a, 8}}, {3, {4, 2, b}}, {2, {a, 4}}, {1, {1}},
                                   {1, {64}},   {2, {a, b}},    {1, {256}}};
    struct shape shape = shapes[pick(g, sizeof shapes / sizeof *shapes)];
    return shape_elements(&shape) > MAX_ELEMENTS ? shapes[1] : shape;
}

enum element random_element(struct maker *g) {
    static const enum element elements[] = {I32, I32, I32, I64, I16, I8, U8, U32, U16, F32, F32, F16};
    static const enum element narrow[] = {I16, I16, I16, I16, U16, U16, I8, U8, I32, U32, F32, F16};
    return (g->k->narrow ? narrow : elements)[pick(g, sizeof elements / sizeof *elements)];
}

// ---- statements ----

int new_value(struct maker *g, enum element element, struct shape shape, int64_t low, int64_t high) {
    struct kernel *k = g->k;
    if (low < element_low(element) || high > element_high(element) || low > high) {
        low = element_low(element);
        high = element_high(element);
    }
    k->values[k->value_count] = (struct value){element, shape, low, high};
    return k->value_count++;
}

const struct value *of(struct maker *g, int id) {
    return &g->k->values[id];
}

int loaded_value(struct maker *g, enum element element, struct shape shape) {
    bool whole = element_is_real(element) && !g->k->hostile;
    return new_value(g, element, shape, whole ? -4 : element_low(element), whole ? 4 : element_high(element));
}

void enter_scope(struct maker *g, int id) {
    g->scope[g->scope_count++] = id;
}

struct statement *append(struct maker *g, struct block *block, enum kind kind, int result) {
    if (!block->items) {
        block->items = calloc(MAX_STATEMENTS, sizeof *block->items);
    }
    if (block->count == MAX_STATEMENTS) {
        fprintf(stderr, "seed %llu: a block has more than %d statements\n", (unsigned long long)g->k->seed,
                MAX_STATEMENTS);
        abort();
    }
    struct statement *s = &block->items[block->count++];
    *s = (struct statement){.kind = kind};
    if (result >= 0) {
        g->definition[result] = s;
        s->results[s->result_count++] = result;
        enter_scope(g, result);
    }
    g->budget--;
    return s;
}

bool has_room(const struct maker *g, const struct block *block) {
    return g->budget > 0 && block->count < MAX_STATEMENTS - 160 && g->k->value_count < MAX_VALUES - 120;
}

void operand(struct statement *s, int id) {
    s->operands[s->operand_count++] = id;
}

int constant(struct maker *g, struct block *b, enum element element, struct shape shape, int64_t number) {
    int id = new_value(g, element, shape, number, number);
    append(g, b, CONSTANT, id)->number = number;
    return id;
}

int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

// ---- ranges of results ----

static bool outside(__int128 low, __int128 high, enum element element) {
    return low < element_low(element) || high > element_high(element);
}

// False if the result may exceed the exact range of a real; integers wrap.
static bool binary_range(enum binary op, const struct value *a, const struct value *b, int64_t *low,
                         int64_t *high) {
    __int128 corners[4], least, most;
    enum element e = a->element;
    *low = element_low(e);
    *high = element_high(e);
    switch (op) {
    case ADD:
    case SUB:
    case MUL:
        for (int i = 0; i < 4; i++) {
            __int128 x = i & 1 ? a->high : a->low, y = i & 2 ? b->high : b->low;
            corners[i] = op == ADD ? x + y : op == SUB ? x - y : x * y;
        }
        least = most = corners[0];
        for (int i = 1; i < 4; i++) {
            least = corners[i] < least ? corners[i] : least;
            most = corners[i] > most ? corners[i] : most;
        }
        if (outside(least, most, e)) {
            return !element_is_real(e);
        }
        *low = (int64_t)least;
        *high = (int64_t)most;
        return true;
    case MIN:
    case MAX:
        *low = op == MIN ? (a->low < b->low ? a->low : b->low) : (a->low > b->low ? a->low : b->low);
        *high = op == MIN ? (a->high < b->high ? a->high : b->high) : (a->high > b->high ? a->high : b->high);
        return true;
    case AND:
        if (b->low >= 0) {
            *low = 0;
            *high = b->high;
        }
        return !element_is_real(e);
    case MOD:
        *low = a->low >= 0 ? 0 : b->low == b->high && b->low > 0 ? 1 - b->low : *low;
        *high = b->low == b->high && b->low > 0 ? b->low - 1 : a->low >= 0 && b->low >= 0 ? a->high : *high;
        return !element_is_real(e);
    case DIV:
        if (b->low == b->high && b->low > 0) {
            *low = a->low / b->low;
            *high = a->high / b->low;
        }
        return !element_is_real(e);
    default:
        return !element_is_real(e);
    }
}

int binary_of(struct maker *g, struct block *block, enum binary op, int a, int b) {
    int64_t low, high;
    bool odd = element_is_real(of(g, a)->element) && op > MUL && op != MIN && op != MAX;
    if (!binary_range(op, of(g, a), of(g, b), &low, &high) && (!g->k->hostile || odd)) {
        return a;
    }
    int id = new_value(g, of(g, a)->element, of(g, a)->shape, low, high);
    struct statement *s = append(g, block, BINARY, id);
    s->op = op;
    s->flag = pick(g, 2);
    operand(s, a);
    operand(s, b);
    return id;
}

int with_constant(struct maker *g, struct block *block, enum binary op, int a, int64_t number) {
    return binary_of(g, block, op, a, constant(g, block, of(g, a)->element, of(g, a)->shape, number));
}

// The value within bounds: as it is if it is known to be, else by & or by min and max.
int bounded(struct maker *g, struct block *block, int a, int64_t low, int64_t high) {
    const struct value *v = of(g, a);
    if (v->low >= low && v->high <= high) {
        return a;
    }
    if (!element_is_real(v->element) && low <= 0 && v->element != I1) {
        int64_t mask = 1;
        while (2 * mask + 1 <= high) {
            mask = 2 * mask + 1;
        }
        return with_constant(g, block, AND, a, mask);
    }
    a = with_constant(g, block, MAX, a, low);
    return with_constant(g, block, MIN, a, high);
}

int cast_to(struct maker *g, struct block *block, int a, enum element element) {
    if (of(g, a)->element == element) {
        return a;
    }
    bool to_real = element_is_real(element), from_real = element_is_real(of(g, a)->element);
    if (to_real || from_real) { // through numbers common to both types
        a = bounded(g, block, a,
                    to_real ? clamp(-100, element_low(of(g, a)->element), 0)
                            : clamp(-100, element_low(element), 0),
                    100);
    }
    const struct value *v = of(g, a);
    int id = new_value(g, element, v->shape, v->low, v->high);
    if (v->element == I1 && !to_real) {
        g->k->values[id].low = 0, g->k->values[id].high = 1;
    }
    operand(append(g, block, CAST, id), a);
    return id;
}

int reshaped(struct maker *g, struct block *block, int a, struct shape shape) {
    if (shape_equal(&of(g, a)->shape, &shape)) {
        return a;
    }
    int id = new_value(g, of(g, a)->element, shape, of(g, a)->low, of(g, a)->high);
    operand(append(g, block, RESHAPE, id), a);
    return id;
}

int broadcast(struct maker *g, struct block *block, int a, struct shape shape) {
    if (shape_equal(&of(g, a)->shape, &shape)) {
        return a;
    }
    int id = new_value(g, of(g, a)->element, shape, of(g, a)->low, of(g, a)->high);
    operand(append(g, block, BROADCAST, id), a);
    return id;
}

int range(struct maker *g, struct block *block, int extent, int start) {
    int id = new_value(g, I32, (struct shape){1, {extent}}, start, start + extent - 1);
    append(g, block, RANGE, id)->number = start;
    return id;
}
