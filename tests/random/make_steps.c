// Steps without a body: elementwise ops, shapes, reductions, scans, exchanges of elements between threads,
// products.
#include "generate.h"

#include <stdlib.h>
#include <string.h>

static int shifted(struct maker *g, struct block *block, int a, bool right, unsigned by) {
    struct value v = *of(g, a);
    int id = right && v.low >= 0 ? new_value(g, v.element, v.shape, v.low >> by, v.high >> by)
                                 : new_value(g, v.element, v.shape, 1, 0);
    struct statement *s = append(g, block, SHIFT, id);
    s->op = right;
    s->number = by;
    operand(s, a);
    return id;
}

static int select_of(struct maker *g, struct block *block, int mask, int a, int b) {
    struct value v = *of(g, a), w = *of(g, b);
    int64_t low = v.low < w.low ? v.low : w.low, high = v.high > w.high ? v.high : w.high;
    int id = new_value(g, v.element, v.shape, low, high);
    struct statement *s = append(g, block, SELECT, id);
    operand(s, mask);
    operand(s, a);
    operand(s, b);
    return id;
}

void add_elementwise(struct maker *g, struct block *block) {
    struct shape shape = some_shape(g);
    enum element element = random_element(g);
    int a = tile(g, block, element, shape);
    if (chance(g, 12)) {
        const struct value *v = of(g, a);
        enum unary op = (enum unary)pick(g, element_is_real(element) ? 1 : UNARIES);
        bool fits = v->low >= -element_high(element) && !element_is_unsigned(element);
        int id = op == INVERT || !fits
                     ? new_value(g, element, shape, 1, 0)
                     : new_value(g, element, shape, -(v->high > -v->low ? v->high : -v->low),
                                 v->high > -v->low ? v->high : -v->low);
        struct statement *s = append(g, block, UNARY, id);
        s->op = op == ABS && element_is_unsigned(element) ? INVERT : op;
        operand(s, a);
    } else if (chance(g, 12) && !element_is_real(element)) {
        bool right = pick(g, 2);
        shifted(g, block, a, right, pick(g, element_width(element)));
    } else if (chance(g, 25)) {
        with_constant(g, block, (enum binary)pick(g, BINARIES), a,
                      clamp((int64_t)pick(g, 20) - 3, element_low(element), 100));
    } else {
        binary_of(g, block, (enum binary)pick(g, BINARIES), a, tile(g, block, element, shape));
    }
}

void add_select(struct maker *g, struct block *block) {
    struct shape shape = some_shape(g);
    enum element element = random_element(g);
    int mask = condition(g, block, shape), a = tile(g, block, element, shape),
        b = tile(g, block, element, shape);
    select_of(g, block, mask, a, b);
}

// Both differences of two numbers, in a possibly wider type; chooses the larger one.
static void add_distance(struct maker *g, struct block *block, struct shape shape) {
    enum element element = random_element(g);
    int a = tile(g, block, element, shape), b = tile(g, block, element, shape);
    if (chance(g, 50) && !element_is_real(element)) {
        a = cast_to(g, block, a, I32);
        b = cast_to(g, block, b, I32);
    }
    int mask = compare(g, block, chance(g, 50) ? GT : LT, a, b);
    int first = binary_of(g, block, SUB, a, b), second = binary_of(g, block, SUB, b, a);
    select_of(g, block, mask, first, second);
}

// Rotates the bits of an unsigned number, or shifts the bits of two numbers together.
static void add_rotation(struct maker *g, struct block *block, struct shape shape) {
    static const enum element elements[] = {U32, U32, U16, U8};
    enum element element = elements[pick(g, 4)];
    int a = tile(g, block, element, shape), b = chance(g, 70) ? a : tile(g, block, element, shape);
    unsigned width = element_width(element), by = 1 + pick(g, width - 1);
    int high = shifted(g, block, a, false, by), low = shifted(g, block, b, true, width - by);
    binary_of(g, block, OR, high, low);
}

// A word of four parts of others.
static void add_bytes(struct maker *g, struct block *block, struct shape shape) {
    int word = -1;
    for (unsigned i = 0; i < 4; i++) {
        int part = cast_to(g, block, tile(g, block, chance(g, 50) ? U8 : U32, shape), U32);
        part = chance(g, 50) ? shifted(g, block, part, true, 8 * pick(g, 4)) : part;
        part = with_constant(g, block, AND, part, 0xff);
        part = i ? shifted(g, block, part, false, 8 * i) : part;
        word = i ? binary_of(g, block, chance(g, 80) ? OR : ADD, word, part) : part;
    }
}

// Sums in 64 bits with products of a few.
static void add_narrow_product(struct maker *g, struct block *block, struct shape shape) {
    static const enum element elements[] = {I32, I16, U16, I8, I64};
    static const int64_t masks[] = {0xffffff, 0xffffff, 0xffff, INT32_MAX};
    int factors[2];
    for (int i = 0; i < 2; i++) {
        int wide = cast_to(g, block, tile(g, block, elements[pick(g, 5)], shape), I64);
        factors[i] = chance(g, 70) ? with_constant(g, block, AND, wide, masks[pick(g, 4)]) : wide;
    }
    int product = binary_of(g, block, MUL, factors[0], factors[1]);
    binary_of(g, block, chance(g, 80) ? ADD : SUB, product, tile(g, block, I64, shape));
}

// Sign-extended numbers used as unsigned ones.
static void add_extended_division(struct maker *g, struct block *block, struct shape shape) {
    static const enum element elements[] = {I8, I16, U8, I32};
    int a = cast_to(g, block, tile(g, block, elements[pick(g, 4)], shape), U32),
        b = cast_to(g, block, tile(g, block, elements[pick(g, 4)], shape), U32);
    enum binary op = pick(g, 2) ? DIV : MOD;
    if (chance(g, 30)) {
        with_constant(g, block, op, a, 1 + (int64_t)pick(g, 70000));
    } else {
        binary_of(g, block, op, a, b);
    }
}

// Expressions with patterns in LLVM's back ends, not always correct ones.
void add_idiom(struct maker *g, struct block *block) {
    void (*const idioms[])(struct maker * g, struct block * block, struct shape shape) = {
        add_distance, add_rotation, add_bytes, add_narrow_product, add_extended_division};
    idioms[pick(g, 5)](g, block, some_shape(g));
}

// A dimension more, and perhaps a broadcast along it.
static void add_expand(struct maker *g, struct block *block, int a) {
    struct value v = *of(g, a);
    struct shape shape = v.shape;
    if (shape.rank == MAX_RANK) {
        return;
    }
    int axis = (int)pick(g, (unsigned)shape.rank + 1);
    memmove(shape.extent + axis + 1, shape.extent + axis, (size_t)(shape.rank - axis) * sizeof(int));
    shape.extent[axis] = 1;
    shape.rank++;
    struct statement *s = append(g, block, EXPAND, new_value(g, v.element, shape, v.low, v.high));
    s->axis = axis;
    operand(s, a);
    struct shape wide = shape;
    wide.extent[axis] = 2 << pick(g, 4);
    if (shape_elements(&wide) <= MAX_ELEMENTS) {
        broadcast(g, block, s->results[0], wide);
    }
}

static void add_permute(struct maker *g, struct block *block, int a) {
    struct value v = *of(g, a);
    struct shape shape = v.shape;
    int order[MAX_RANK] = {0, 1, 2};
    for (int i = shape.rank - 1; i > 0; i--) {
        int j = (int)pick(g, (unsigned)i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (int d = 0; d < shape.rank; d++) {
        shape.extent[d] = v.shape.extent[order[d]];
    }
    struct statement *s = append(g, block, PERMUTE, new_value(g, v.element, shape, v.low, v.high));
    memcpy(s->order, order, sizeof order);
    operand(s, a);
}

static void add_join(struct maker *g, struct block *block, int a) {
    struct value v = *of(g, a);
    struct shape shape = v.shape;
    if (shape.rank == MAX_RANK || shape_elements(&shape) * 2 > MAX_ELEMENTS) {
        return;
    }
    int b = tile(g, block, v.element, shape);
    struct value w = *of(g, b);
    shape.extent[shape.rank++] = 2;
    int64_t low = v.low < w.low ? v.low : w.low, high = v.high > w.high ? v.high : w.high;
    struct statement *s = append(g, block, JOIN, new_value(g, v.element, shape, low, high));
    operand(s, a);
    operand(s, b);
}

static void add_split(struct maker *g, struct block *block, int a) {
    struct value v = *of(g, a);
    struct shape shape = v.shape;
    shape.rank--;
    int first = new_value(g, v.element, shape, v.low, v.high),
        second = new_value(g, v.element, shape, v.low, v.high);
    struct statement *s = append(g, block, SPLIT, first);
    s->results[s->result_count++] = second;
    enter_scope(g, second);
    operand(s, a);
}

static void add_flip(struct maker *g, struct block *block, int a) {
    struct value v = *of(g, a);
    struct statement *s = append(g, block, FLIP, new_value(g, v.element, v.shape, v.low, v.high));
    s->axis = (int)pick(g, (unsigned)v.shape.rank);
    operand(s, a);
}

void add_shape(struct maker *g, struct block *block) {
    int a = tile(g, block, random_element(g), tile_shape(g));
    struct shape shape = of(g, a)->shape, flat = {1, {(int)shape_elements(&shape)}};
    switch (pick(g, 6)) {
    case 0:
        add_expand(g, block, a);
        break;
    case 1:
    case 2:
        add_permute(g, block, a);
        break;
    case 3:
        if (flat.extent[0] >= 16 && chance(g, 70)) {
            flat = (struct shape){2, {flat.extent[0] / 8, 8}};
        }
        reshaped(g, block, a, flat);
        break;
    case 4:
        add_join(g, block, a);
        break;
    default:
        if (shape.rank > 1 && shape.extent[shape.rank - 1] == 2) {
            add_split(g, block, a);
        } else {
            add_flip(g, block, a);
        }
    }
}

static struct shape without(struct shape shape, int axis) {
    for (int d = axis; d + 1 < shape.rank; d++) {
        shape.extent[d] = shape.extent[d + 1];
    }
    shape.rank--;
    return shape;
}

void add_reduce(struct maker *g, struct block *block) {
    static const enum element wide[] = {I32, I64, F32, I32};
    enum reduction op = (enum reduction)pick(g, REDUCTIONS);
    bool own = op == ADD_UP || op == KEEP_LARGER; // takes any type; the language's own widen narrow ones
    enum element element = own ? random_element(g) : wide[pick(g, 4)];
    element = op == XORED && element == F32 ? I32 : element;
    struct shape shape = tile_shape(g);
    int axis = (int)pick(g, (unsigned)shape.rank), a = tile(g, block, element, shape);
    struct shape result = without(shape, axis);
    int extent = shape.extent[axis];
    bool sums = op == SUM || op == ADD_UP;
    if (sums && element_is_real(element) && !(g->k->hostile && chance(g, 60))) {
        a = bounded(g, block, a, -element_high(element) / extent, element_high(element) / extent);
    }
    struct value v = *of(g, a);
    bool fits = !sums || (v.low >= element_low(element) / extent && v.high <= element_high(element) / extent);
    int64_t times = sums ? extent : 1;
    bool where = op == WHERE_LARGEST || op == WHERE_SMALLEST;
    int id = where                 ? new_value(g, I32, result, 0, extent - 1)
             : fits && op != XORED ? new_value(g, element, result, v.low * times, v.high * times)
                                   : new_value(g, element, result, 1, 0);
    struct statement *s = append(g, block, REDUCE, id);
    if (op == FIRST_BEST) {
        int second = new_value(g, I32, result, 0, extent - 1);
        s->results[s->result_count++] = second;
        enter_scope(g, second);
    }
    s->op = op;
    s->axis = axis;
    operand(s, a);
}

void add_scan(struct maker *g, struct block *block) {
    enum scan op = (enum scan)pick(g, SCANS);
    enum element element = op == SCAN_RECURRENCE ? I32
                           : op == SCAN_SUM      ? (chance(g, 50) ? I32 : F32)
                                                 : random_element(g);
    struct shape shape = tile_shape(g);
    int axis = (int)pick(g, (unsigned)shape.rank), a = tile(g, block, element, shape);
    if (op == SCAN_SUM && element == F32 && !(g->k->hostile && chance(g, 60))) {
        a = bounded(g, block, a, -1000, 1000);
    }
    struct value v = *of(g, a);
    int b = op == SCAN_RECURRENCE ? tile(g, block, I32, shape) : -1;
    int64_t times = shape.extent[axis];
    int id = op == SCAN_KEEP_LARGER             ? new_value(g, element, shape, v.low, v.high)
             : op == SCAN_SUM && element == F32 ? new_value(g, element, shape, -1000 * times, 1000 * times)
                                                : new_value(g, element, shape, 1, 0);
    struct statement *s = append(g, block, SCAN, id);
    s->op = op;
    s->axis = axis;
    s->flag = chance(g, 30);
    operand(s, a);
    if (b >= 0) {
        operand(s, b);
    }
}

static void add_spread(struct maker *g, struct block *block, struct shape shape) {
    struct shape flat = {shape.rank > 2 ? 1 : shape.rank, {shape.extent[0], shape.extent[1]}};
    int a = tile(g, block, I32, flat);
    struct shape result = flat.rank == 1 ? (struct shape){0, {0}} : (struct shape){1, {flat.extent[0]}};
    operand(append(g, block, SPREAD, new_value(g, I32, result, 0, 0)), a);
}

static void add_histogram(struct maker *g, struct block *block, struct shape shape) {
    int extent = shape.extent[shape.rank - 1] < 4 ? 64 : shape.extent[shape.rank - 1];
    int a = bounded(g, block, tile(g, block, I32, (struct shape){1, {extent}}), 0, 31);
    operand(append(g, block, HISTOGRAM, new_value(g, I32, (struct shape){1, {32}}, 0, extent)), a);
}

static void add_gather(struct maker *g, struct block *block, struct shape shape) {
    int axis = (int)pick(g, (unsigned)shape.rank), a = tile(g, block, random_element(g), shape);
    int index = bounded(g, block, tile(g, block, I32, shape), 0, shape.extent[axis] - 1);
    struct value v = *of(g, a);
    struct statement *s = append(g, block, GATHER, new_value(g, v.element, shape, v.low, v.high));
    s->axis = axis;
    operand(s, a);
    operand(s, index);
}

static void add_sort(struct maker *g, struct block *block, struct shape shape) {
    struct shape small = shape.rank == 1 ? shape : (struct shape){2, {4, shape.extent[shape.rank - 1]}};
    int a = tile(g, block, I32, small);
    struct value v = *of(g, a);
    operand(append(g, block, SORT, new_value(g, I32, small, v.low, v.high)), a);
}

void add_across(struct maker *g, struct block *block) {
    void (*const ways[])(struct maker * g, struct block * block,
                         struct shape shape) = {add_spread, add_histogram, add_gather, add_sort};
    struct shape shape = tile_shape(g);
    ways[pick(g, 4)](g, block, shape);
}

void add_load(struct maker *g, struct block *block) {
    load(g, block, (int)pick(g, INPUTS), index_tile(g, block, some_shape(g)));
}

// a · b + c, whole numbers up to `most` in a and b.
int dot(struct maker *g, struct block *block, int a, int b, int c) {
    enum element sums = element_is_real(of(g, a)->element) ? F32 : I32;
    struct shape shape = {2, {of(g, a)->shape.extent[0], of(g, b)->shape.extent[1]}};
    int64_t depth = of(g, a)->shape.extent[1], most = 0;
    for (int i = 0; i < 2; i++) {
        const struct value *v = of(g, i ? b : a);
        int64_t reach = v->high > -v->low ? v->high : -v->low;
        most = i ? most * reach * depth : reach;
    }
    int64_t before = c < 0 ? 0 : of(g, c)->high > -of(g, c)->low ? of(g, c)->high : -of(g, c)->low;
    int id = new_value(g, sums, shape, -most - before, most + before);
    struct statement *s = append(g, block, DOT, id);
    operand(s, a);
    operand(s, b);
    if (c >= 0) {
        operand(s, c);
    }
    return id;
}

enum element dot_element(struct maker *g) {
    static const enum element elements[] = {F16, F16, F16, BF16, I8, F32};
    return elements[pick(g, 6)];
}

int dot_extent(struct maker *g) {
    return 16 << pick(g, 3);
}

// Of reals whole numbers small enough for exact sums, or anything.
static int factor(struct maker *g, struct block *block, enum element element, int rows, int columns) {
    int a = tile(g, block, element, (struct shape){2, {rows, columns}});
    bool whole = element == I8;
    bool free = !whole && g->k->hostile && chance(g, 60);
    return free ? a : bounded(g, block, a, whole ? -128 : -8, whole ? 127 : 8);
}

void add_dot(struct maker *g, struct block *block) {
    int m = dot_extent(g), n = dot_extent(g);
    enum element element = dot_element(g);
    int depth = element == I8 ? 2 * dot_extent(g) : dot_extent(g); // Triton's minimum
    int a = factor(g, block, element, m, depth);
    dot(g, block, a, factor(g, block, element, depth, n), -1);
}
