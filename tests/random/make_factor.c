// Tiles of matrices with sizes and strides as arguments: their indices, masks and loads.
#include "product.h"

static const struct shape one = {0, {0}};

int round_up(int number, int step) {
    return (number + step - 1) / step * step;
}

bool oddity(struct product *p, unsigned percent) {
    return !p->calm && chance(p->g, percent);
}

// A number of the launch: an argument, or known.
int size_of(struct product *p, struct block *block, int number) {
    struct kernel *k = p->g->k;
    int i = 0;
    while (i < k->size_count && k->sizes[i] != number) {
        i++;
    }
    if (i == MAX_SIZES || lang_hash(k->seed, (uint64_t)number, 0) % 5 == 0) { // the same way each time
        return constant(p->g, block, I32, one, number);
    }
    k->size_count += i == k->size_count;
    k->sizes[i] = number;
    int id = new_value(p->g, I32, one, number, number);
    append(p->g, block, SIZE, id)->number = i;
    return id;
}

int binary(struct product *p, struct block *block, enum binary op, int a, int b) {
    return binary_of(p->g, block, op, a, broadcast(p->g, block, b, of(p->g, a)->shape));
}

int number_of(struct product *p, struct block *block, enum binary op, int a, int number) {
    return binary(p, block, op, a, size_of(p, block, number));
}

int below(struct product *p, struct block *block, int index, int limit) {
    int size = broadcast(p->g, block, size_of(p, block, limit), of(p->g, index)->shape);
    return compare(p->g, block, LT, index, cast_to(p->g, block, size, of(p->g, index)->element));
}

// first, first + 1, …
int indices(struct product *p, struct block *block, int first, int extent) {
    return binary(p, block, ADD, range(p->g, block, extent, 0), first);
}

// The same, limited to existing rows, unless the mask handles the edge.
int kept_inside(struct product *p, struct block *block, int index, int size, enum edge edge) {
    switch (edge) {
    case WRAPPED:
        return number_of(p, block, MOD, index, size);
    case CLAMPED:
        return binary(p, block, MIN, index, with_constant(p->g, block, SUB, size_of(p, block, size), 1));
    case CHOSEN: {
        int inside = below(p, block, index, size);
        return choice(p, block, inside, index, constant(p->g, block, I32, of(p->g, index)->shape, 0));
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
    if (p->wide) {
        index = cast_to(p->g, block, index, I64);
    }
    if (stride != 1) {
        index = binary(p, block, MUL, index,
                       cast_to(p->g, block, size_of(p, block, stride), of(p->g, index)->element));
    }
    return broadcast(p->g, block, index, shape);
}

int both(struct product *p, struct block *block, int a, int b) {
    return a < 0 ? b : b < 0 ? a : binary_of(p->g, block, AND, a, b);
}

struct factor factor_of(const struct product *p, bool right) {
    struct factor f = {.first = right ? p->tile_column : p->tile_row,
                       .size = right ? p->columns : p->rows,
                       .pitch = right ? p->pitch_b : p->pitch_a,
                       .edge = right ? p->edge_b : p->edge_a,
                       .turned = right ? p->turned_b : p->turned_a,
                       .base = right ? 0 : p->base};
    f.along_k = right == f.turned;
    f.held.rank = 2;
    f.held.extent[f.along_k] = p->depth;
    f.held.extent[1 - f.along_k] = right ? p->n : p->m;
    return f;
}

int address(struct product *p, struct block *block, const struct factor *f, int outer, int depth) {
    int a = spread_along(p, block, outer, f->held, 1 - f->along_k, f->along_k == 1 ? f->pitch : 1);
    int b = spread_along(p, block, depth, f->held, f->along_k, f->along_k == 0 ? f->pitch : 1);
    int at = binary_of(p->g, block, ADD, a, b);
    return f->base ? with_constant(p->g, block, ADD, at, f->base) : at;
}

int transposed(struct product *p, struct block *block, int id) {
    struct value v = *of(p->g, id);
    struct shape shape = {2, {v.shape.extent[1], v.shape.extent[0]}};
    struct statement *s = append(p->g, block, PERMUTE, new_value(p->g, v.element, shape, v.low, v.high));
    s->order[0] = 1;
    operand(s, id);
    return s->results[0];
}

int choice(struct product *p, struct block *block, int condition, int a, int b) {
    struct value x = *of(p->g, a), y = *of(p->g, b);
    int64_t low = x.low < y.low ? x.low : y.low, high = x.high > y.high ? x.high : y.high;
    struct statement *s = append(p->g, block, SELECT, new_value(p->g, x.element, x.shape, low, high));
    operand(s, condition);
    operand(s, a);
    operand(s, b);
    return s->results[0];
}

int loaded(struct product *p, struct block *block, const struct factor *f, int at, int outer, int depth) {
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
        int size = p->limit < 1 ? p->limit : f->size;
        int inside = reshaped(g, block, below(p, block, outer, size), line);
        mask = both(p, block, mask, broadcast(g, block, inside, f->held));
    }
    enum element element = input_elements[input];
    bool real = element_is_real(element);
    int id = loaded_value(g, element, f->held);
    struct statement *s = append(g, block, LOAD, id);
    s->number = input;
    s->axis = oddity(p, 20) ? 1 : 0;
    operand(s, at);
    if (mask >= 0) {
        operand(s, mask);
    }
    id = narrow ? cast_to(g, block, bounded(g, block, id, 0, 3), F16) : id;
    if (oddity(p, 20)) {
        id = with_constant(g, block, real || narrow ? MAX : XOR, id, 0);
    }
    return f->turned ? transposed(p, block, id) : id;
}

int empty_sum(struct product *p, struct block *block, int columns) {
    bool real = p->element != I8;
    int sum = constant(p->g, block, real ? F32 : I32, (struct shape){2, {p->m, columns}}, 0);
    p->g->k->values[sum].low = real ? -(1 << 20) : INT32_MIN;
    p->g->k->values[sum].high = real ? 1 << 20 : INT32_MAX;
    return sum;
}
