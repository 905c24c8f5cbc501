// Random kernels from seeds. Each step adds statements whose operands are values in scope, or values made for
// the occasion; what is known of the range of a value decides what may be done with it: reals stay exact,
// casts fit, indices are inside their buffers or masked.
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

struct maker {
    struct kernel *k;
    uint64_t state;
    int scope[MAX_VALUES], scope_count;
    int kept[MAX_VALUES], kept_count; // values that have to reach what is stored
    int extents[2];                   // that most shapes are made of
    int depth;                        // of loops and branches
    int budget;                       // statements left
};

// ---- choices ----

static unsigned pick(struct maker *g, unsigned below) {
    g->state = lang_hash(g->state, 1, below);
    return (unsigned)(g->state >> 33) % below;
}

static bool chance(struct maker *g, unsigned percent) {
    return pick(g, 100) < percent;
}

static struct shape random_shape(struct maker *g) {
    int a = g->extents[0], b = g->extents[1];
    const struct shape shapes[] = {{0, {0}},    {1, {a}},       {1, {b}},       {2, {a, b}}, {2, {a, b}},
                                   {2, {b, a}}, {3, {2, a, 8}}, {3, {4, 2, b}}, {2, {a, 4}}, {1, {1}},
                                   {1, {64}},   {2, {a, b}},    {1, {256}}};
    struct shape shape = shapes[pick(g, sizeof shapes / sizeof *shapes)];
    return shape_elements(&shape) > MAX_ELEMENTS ? shapes[1] : shape;
}

static enum element random_element(struct maker *g) {
    static const enum element elements[] = {I32, I32, I32, I64, I16, I8, U8, U32, U16, F32, F32, F16};
    return elements[pick(g, sizeof elements / sizeof *elements)];
}

// ---- statements ----

static int new_value(struct maker *g, enum element element, struct shape shape, int64_t low, int64_t high) {
    struct kernel *k = g->k;
    if (low < element_low(element) || high > element_high(element) || low > high) {
        low = element_low(element);
        high = element_high(element);
    }
    k->values[k->value_count] = (struct value){element, shape, low, high};
    return k->value_count++;
}

static const struct value *of(struct maker *g, int id) {
    return &g->k->values[id];
}

static void enter_scope(struct maker *g, int id) {
    g->scope[g->scope_count++] = id;
}

static struct statement *append(struct maker *g, struct block *block, enum kind kind, int result) {
    if (!block->items)
        block->items = calloc(MAX_STATEMENTS, sizeof *block->items);
    struct statement *s = &block->items[block->count++];
    *s = (struct statement){.kind = kind};
    if (result >= 0) {
        s->results[s->result_count++] = result;
        enter_scope(g, result);
    }
    g->budget--;
    return s;
}

static bool has_room(const struct maker *g, const struct block *block) {
    return g->budget > 0 && block->count < MAX_STATEMENTS - 60 && g->k->value_count < MAX_VALUES - 120;
}

static void operand(struct statement *s, int id) {
    s->operands[s->operand_count++] = id;
}

static int constant(struct maker *g, struct block *b, enum element element, struct shape shape,
                    int64_t number) {
    int id = new_value(g, element, shape, number, number);
    append(g, b, CONSTANT, id)->number = number;
    return id;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

// ---- what is known of results ----

static bool outside(__int128 low, __int128 high, enum element element) {
    return low < element_low(element) || high > element_high(element);
}

// False if the result may be beyond what a real represents exactly; integers wrap.
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
        if (outside(least, most, e))
            return !element_is_real(e);
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

static int binary_of(struct maker *g, struct block *block, enum binary op, int a, int b) {
    int64_t low, high;
    if (!binary_range(op, of(g, a), of(g, b), &low, &high))
        return a;
    int id = new_value(g, of(g, a)->element, of(g, a)->shape, low, high);
    struct statement *s = append(g, block, BINARY, id);
    s->op = op;
    s->flag = pick(g, 2);
    operand(s, a);
    operand(s, b);
    return id;
}

static int with_constant(struct maker *g, struct block *block, enum binary op, int a, int64_t number) {
    return binary_of(g, block, op, a, constant(g, block, of(g, a)->element, of(g, a)->shape, number));
}

// The value within bounds: as it is if it is known to be, else by & or by min and max.
static int bounded(struct maker *g, struct block *block, int a, int64_t low, int64_t high) {
    const struct value *v = of(g, a);
    if (v->low >= low && v->high <= high)
        return a;
    if (!element_is_real(v->element) && low <= 0 && v->element != I1) {
        int64_t mask = 1;
        while (2 * mask + 1 <= high)
            mask = 2 * mask + 1;
        return with_constant(g, block, AND, a, mask);
    }
    a = with_constant(g, block, MAX, a, low);
    return with_constant(g, block, MIN, a, high);
}

static int cast_to(struct maker *g, struct block *block, int a, enum element element) {
    if (of(g, a)->element == element)
        return a;
    bool to_real = element_is_real(element), from_real = element_is_real(of(g, a)->element);
    if (to_real || from_real) // through numbers that both have
        a = bounded(g, block, a,
                    to_real ? clamp(-100, element_low(of(g, a)->element), 0)
                            : clamp(-100, element_low(element), 0),
                    100);
    const struct value *v = of(g, a);
    int id = new_value(g, element, v->shape, v->low, v->high);
    if (v->element == I1 && !to_real)
        g->k->values[id].low = 0, g->k->values[id].high = 1;
    operand(append(g, block, CAST, id), a);
    return id;
}

static int reshaped(struct maker *g, struct block *block, int a, struct shape shape) {
    if (shape_equal(&of(g, a)->shape, &shape))
        return a;
    int id = new_value(g, of(g, a)->element, shape, of(g, a)->low, of(g, a)->high);
    operand(append(g, block, RESHAPE, id), a);
    return id;
}

static int broadcast(struct maker *g, struct block *block, int a, struct shape shape) {
    if (shape_equal(&of(g, a)->shape, &shape))
        return a;
    int id = new_value(g, of(g, a)->element, shape, of(g, a)->low, of(g, a)->high);
    operand(append(g, block, BROADCAST, id), a);
    return id;
}

static int range(struct maker *g, struct block *block, int extent, int start) {
    int id = new_value(g, I32, (struct shape){1, {extent}}, start, start + extent - 1);
    append(g, block, RANGE, id)->number = start;
    return id;
}

// ---- tiles to order ----

// Along dimension d of the shape, 0, 1, … times a factor.
static int along(struct maker *g, struct block *block, struct shape shape, int d, int64_t factor) {
    int id = range(g, block, shape.extent[d], 0);
    struct shape column = {shape.rank, {1, 1, 1}};
    column.extent[d] = shape.extent[d];
    if (factor != 1)
        id = with_constant(g, block, MUL, id, factor);
    return broadcast(g, block, reshaped(g, block, id, column), shape);
}

// Indices as kernels compute them: a sum over dimensions, with a stride each, from some first element.
static int index_tile(struct maker *g, struct block *block, struct shape shape) {
    static const int factors[] = {1, 1, 4, 3, 16};
    int64_t stride = factors[pick(g, 5)];
    int sum = -1;
    bool turned = pick(g, 4) == 0;
    for (int i = 0; i < shape.rank; i++) {
        int d = turned ? i : shape.rank - 1 - i, part = along(g, block, shape, d, stride);
        sum = sum < 0 ? part : binary_of(g, block, ADD, sum, part);
        stride *= shape.extent[d];
    }
    if (sum < 0)
        sum = constant(g, block, I32, shape, pick(g, 100));
    int first;
    switch (pick(g, 5)) {
    case 0:
        return sum;
    case 1:
        first = new_value(g, I32, (struct shape){0, {0}}, 0, INT32_MAX);
        append(g, block, PROGRAM, first);
        first = with_constant(g, block, MUL, first, shape_elements(&shape));
        break;
    case 2:
        first = constant(g, block, I32, (struct shape){0, {0}}, pick(g, 3) * 16 + pick(g, 2));
        break;
    case 3:
        first = new_value(g, I32, (struct shape){0, {0}}, 0, ROUNDS);
        append(g, block, COUNT, first)->number = pick(g, 3);
        first = with_constant(g, block, MUL, first, 16);
        break;
    default:
        first = constant(g, block, I32, (struct shape){0, {0}}, 64);
    }
    sum = binary_of(g, block, ADD, sum, broadcast(g, block, first, shape));
    static const int divisors[] = {16, 64, 100, 4};
    if (chance(g, 25)) { // through a type in which it may wrap, and back to where it is no negative index
        static const enum element narrow[] = {I8, I16, U8, I8};
        enum element element = narrow[pick(g, 4)];
        int64_t divisor = divisors[pick(g, 4)];
        if (chance(g, 40) && of(g, sum)->high < 64)
            sum = with_constant(g, block, ADD, sum, INT32_MAX - 63);
        sum = cast_to(g, block, sum, chance(g, 80) ? element : I64);
        if (chance(g, 50))
            sum = with_constant(g, block, ADD, sum, 96);
        sum = with_constant(g, block, chance(g, 70) ? MOD : DIV, sum, divisor);
        return with_constant(g, block, ADD, cast_to(g, block, sum, I32), 128);
    }
    if (chance(g, 35))
        sum = with_constant(g, block, MOD, sum, divisors[pick(g, 4)]);
    if (chance(g, 15))
        sum = with_constant(g, block, DIV, sum, divisors[pick(g, 4)]);
    return sum;
}

static int compare(struct maker *g, struct block *block, enum compare op, int a, int b) {
    int id = new_value(g, I1, of(g, a)->shape, 0, 1);
    struct statement *s = append(g, block, COMPARE, id);
    s->op = op;
    operand(s, a);
    operand(s, b);
    return id;
}

static int load(struct maker *g, struct block *block, int input, int index) {
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
    enum element element = input_elements[input];
    bool real = element_is_real(element);
    int id = new_value(g, element, of(g, index)->shape, real ? -4 : element_low(element),
                       real ? 4 : element_high(element));
    struct statement *s = append(g, block, LOAD, id);
    s->number = input;
    s->axis = (int)pick(g, 5) - 2; // what masked-off elements are
    operand(s, index);
    if (mask >= 0)
        operand(s, mask);
    return id;
}

static int fresh_tile(struct maker *g, struct block *block, enum element element, struct shape shape) {
    if (chance(g, 50)) {
        for (int i = 0; i < INPUTS; i++)
            if (input_elements[i] == element)
                return load(g, block, i, index_tile(g, block, shape));
        return cast_to(g, block, load(g, block, pick(g, 4), index_tile(g, block, shape)), element);
    }
    return cast_to(g, block, index_tile(g, block, shape), element);
}

// Some value of this type and shape: one in scope, another one turned into it, or a new one.
static int tile(struct maker *g, struct block *block, enum element element, struct shape shape) {
    int count = g->scope_count;
    for (int tries = 0; tries < 24 && count > 0; tries++) {
        int id =
            g->scope[chance(g, 50) ? (unsigned)count - 1 - pick(g, count < 12 ? count : 12) : pick(g, count)];
        const struct value *v = of(g, id);
        bool alike = shape_equal(&v->shape, &shape), known = v->low == v->high;
        if (alike && v->element == element && !known)
            return id;
        if (tries < 12 || v->element == I1 || known)
            continue;
        if (alike)
            return cast_to(g, block, id, element);
        if (v->shape.rank == 0)
            return broadcast(g, block, cast_to(g, block, id, element), shape);
        if (shape_elements(&v->shape) == shape_elements(&shape))
            return cast_to(g, block, reshaped(g, block, id, shape), element);
    }
    return fresh_tile(g, block, element, shape);
}

static struct shape some_shape(struct maker *g) {
    return chance(g, 60) && g->scope_count ? of(g, g->scope[pick(g, g->scope_count)])->shape
                                           : random_shape(g);
}

// Of rank 1 or more.
static struct shape tile_shape(struct maker *g) {
    struct shape shape = some_shape(g);
    return shape.rank ? shape : (struct shape){2, {g->extents[0], g->extents[1]}};
}

static int condition(struct maker *g, struct block *block, struct shape shape) {
    int a = tile(g, block, random_element(g), shape);
    int b = chance(g, 50) ? tile(g, block, of(g, a)->element, shape)
                          : constant(g, block, of(g, a)->element, shape,
                                     clamp((int64_t)pick(g, 9) - 2, of(g, a)->low, of(g, a)->high));
    return compare(g, block, (enum compare)pick(g, COMPARES), a, b);
}

// ---- steps ----

static void add_elementwise(struct maker *g, struct block *block) {
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
        unsigned by = pick(g, element_width(element));
        bool right = pick(g, 2);
        const struct value *v = of(g, a);
        int id = right && v->low >= 0 ? new_value(g, element, shape, v->low >> by, v->high >> by)
                                      : new_value(g, element, shape, 1, 0);
        struct statement *s = append(g, block, SHIFT, id);
        s->op = right;
        s->number = by;
        operand(s, a);
    } else if (chance(g, 25)) {
        with_constant(g, block, (enum binary)pick(g, BINARIES), a,
                      clamp((int64_t)pick(g, 20) - 3, element_low(element), 100));
    } else {
        binary_of(g, block, (enum binary)pick(g, BINARIES), a, tile(g, block, element, shape));
    }
}

static void add_select(struct maker *g, struct block *block) {
    struct shape shape = some_shape(g);
    enum element element = random_element(g);
    int mask = condition(g, block, shape), a = tile(g, block, element, shape),
        b = tile(g, block, element, shape);
    int64_t low = of(g, a)->low < of(g, b)->low ? of(g, a)->low : of(g, b)->low;
    int64_t high = of(g, a)->high > of(g, b)->high ? of(g, a)->high : of(g, b)->high;
    struct statement *s = append(g, block, SELECT, new_value(g, element, shape, low, high));
    operand(s, mask);
    operand(s, a);
    operand(s, b);
}

static void add_shape(struct maker *g, struct block *block) {
    int a = tile(g, block, random_element(g), tile_shape(g));
    struct value v = *of(g, a);
    struct shape shape = v.shape;
    struct statement *s;
    switch (pick(g, 6)) {
    case 0:
        if (shape.rank < MAX_RANK) {
            int axis = (int)pick(g, (unsigned)shape.rank + 1);
            memmove(shape.extent + axis + 1, shape.extent + axis, (size_t)(shape.rank - axis) * sizeof(int));
            shape.extent[axis] = 1;
            shape.rank++;
            s = append(g, block, EXPAND, new_value(g, v.element, shape, v.low, v.high));
            s->axis = axis;
            operand(s, a);
            struct shape wide = shape;
            wide.extent[axis] = 2 << pick(g, 4);
            if (shape_elements(&wide) <= MAX_ELEMENTS)
                broadcast(g, block, s->results[0], wide);
        }
        break;
    case 1:
    case 2: {
        int order[MAX_RANK] = {0, 1, 2};
        for (int i = shape.rank - 1; i > 0; i--) {
            int j = (int)pick(g, (unsigned)i + 1), swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        for (int d = 0; d < shape.rank; d++)
            shape.extent[d] = v.shape.extent[order[d]];
        s = append(g, block, PERMUTE, new_value(g, v.element, shape, v.low, v.high));
        memcpy(s->order, order, sizeof order);
        operand(s, a);
        break;
    }
    case 3: {
        struct shape other = {1, {(int)shape_elements(&shape)}};
        if (other.extent[0] >= 16 && chance(g, 70))
            other = (struct shape){2, {other.extent[0] / 8, 8}};
        reshaped(g, block, a, other);
        break;
    }
    case 4:
        if (shape.rank < MAX_RANK && shape_elements(&shape) * 2 <= MAX_ELEMENTS) {
            int b = tile(g, block, v.element, shape);
            struct value w = *of(g, b);
            shape.extent[shape.rank++] = 2;
            s = append(g, block, JOIN,
                       new_value(g, v.element, shape, v.low < w.low ? v.low : w.low,
                                 v.high > w.high ? v.high : w.high));
            operand(s, a);
            operand(s, b);
        }
        break;
    default:
        if (shape.rank > 1 && shape.extent[shape.rank - 1] == 2) {
            shape.rank--;
            int first = new_value(g, v.element, shape, v.low, v.high),
                second = new_value(g, v.element, shape, v.low, v.high);
            s = append(g, block, SPLIT, first);
            s->results[s->result_count++] = second;
            enter_scope(g, second);
            operand(s, a);
        } else {
            s = append(g, block, FLIP, new_value(g, v.element, shape, v.low, v.high));
            s->axis = (int)pick(g, (unsigned)shape.rank);
            operand(s, a);
        }
    }
}

static struct shape without(struct shape shape, int axis) {
    for (int d = axis; d + 1 < shape.rank; d++)
        shape.extent[d] = shape.extent[d + 1];
    shape.rank--;
    return shape;
}

static void add_reduce(struct maker *g, struct block *block) {
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
    if (sums && element_is_real(element))
        a = bounded(g, block, a, -element_high(element) / extent, element_high(element) / extent);
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

static void add_scan(struct maker *g, struct block *block) {
    enum scan op = (enum scan)pick(g, SCANS);
    enum element element = op == SCAN_RECURRENCE ? I32
                           : op == SCAN_SUM      ? (chance(g, 50) ? I32 : F32)
                                                 : random_element(g);
    struct shape shape = tile_shape(g);
    int axis = (int)pick(g, (unsigned)shape.rank), a = tile(g, block, element, shape);
    if (op == SCAN_SUM && element == F32)
        a = bounded(g, block, a, -1000, 1000);
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
    if (b >= 0)
        operand(s, b);
}

static void add_across(struct maker *g, struct block *block) {
    struct shape shape = tile_shape(g);
    struct statement *s;
    switch (pick(g, 4)) {
    case 0: {
        struct shape flat = {shape.rank > 2 ? 1 : shape.rank, {shape.extent[0], shape.extent[1]}};
        int a = tile(g, block, I32, flat);
        struct shape result = flat.rank == 1 ? (struct shape){0, {0}} : (struct shape){1, {flat.extent[0]}};
        s = append(g, block, SPREAD, new_value(g, I32, result, 0, 0));
        operand(s, a);
        break;
    }
    case 1: {
        struct shape row = {1, {shape.extent[shape.rank - 1] < 4 ? 64 : shape.extent[shape.rank - 1]}};
        int a = bounded(g, block, tile(g, block, I32, row), 0, 31);
        s = append(g, block, HISTOGRAM, new_value(g, I32, (struct shape){1, {32}}, 0, row.extent[0]));
        operand(s, a);
        break;
    }
    case 2: {
        int axis = (int)pick(g, (unsigned)shape.rank), a = tile(g, block, random_element(g), shape);
        int index = bounded(g, block, tile(g, block, I32, shape), 0, shape.extent[axis] - 1);
        struct value v = *of(g, a);
        s = append(g, block, GATHER, new_value(g, v.element, shape, v.low, v.high));
        s->axis = axis;
        operand(s, a);
        operand(s, index);
        break;
    }
    default: {
        struct shape small = shape.rank == 1 ? shape : (struct shape){2, {4, shape.extent[shape.rank - 1]}};
        int a = tile(g, block, I32, small);
        struct value v = *of(g, a);
        s = append(g, block, SORT, new_value(g, I32, small, v.low, v.high));
        operand(s, a);
    }
    }
}

static void add_load(struct maker *g, struct block *block) {
    load(g, block, (int)pick(g, INPUTS), index_tile(g, block, some_shape(g)));
}

// a · b + c, whole numbers up to `most` in a and b.
static int dot(struct maker *g, struct block *block, int a, int b, int c) {
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
    if (c >= 0)
        operand(s, c);
    return id;
}

static enum element dot_element(struct maker *g) {
    static const enum element elements[] = {F16, F16, F16, BF16, I8, F32};
    return elements[pick(g, 6)];
}

static int dot_extent(struct maker *g) {
    return 16 << pick(g, 3);
}

static void add_dot(struct maker *g, struct block *block) {
    int m = dot_extent(g), n = dot_extent(g), depth = dot_extent(g);
    enum element element = dot_element(g);
    int a = bounded(g, block, tile(g, block, element, (struct shape){2, {m, depth}}),
                    element == I8 ? -128 : -8, element == I8 ? 127 : 8);
    int b = bounded(g, block, tile(g, block, element, (struct shape){2, {depth, n}}),
                    element == I8 ? -128 : -8, element == I8 ? 127 : 8);
    dot(g, block, a, b, -1);
}

// ---- loops and branches ----

static int scalar_constant(struct maker *g, struct block *block, int64_t number) {
    return constant(g, block, I32, (struct shape){0, {0}}, number);
}

// A number that depends on every element of the value.
static int digest_of(struct maker *g, struct block *block, int id) {
    struct shape flat = {1, {(int)shape_elements(&of(g, id)->shape)}};
    id = reshaped(g, block, cast_to(g, block, id, I32), flat);
    struct statement *s = append(g, block, REDUCE, new_value(g, I32, (struct shape){0, {0}}, 1, 0));
    s->op = pick(g, 2) ? XORED : SUM;
    operand(s, id);
    return s->results[0];
}

// Folds the values to keep from `first` on into a number.
static int digest(struct maker *g, struct block *block, int sum, int first) {
    for (int i = first;
         i < g->kept_count && block->count < MAX_STATEMENTS - 60 && g->k->value_count < MAX_VALUES - 100; i++)
        sum = binary_of(g, block, pick(g, 2) ? XOR : ADD, sum, digest_of(g, block, g->kept[i]));
    g->kept_count = first;
    return sum;
}

static void some_steps(struct maker *g, struct block *block, int count);

static int carry(struct maker *g, struct statement *s, int before, int64_t low, int64_t high) {
    struct value v = *of(g, before);
    struct carry *c = &s->carries[s->carry_count++];
    *c = (struct carry){before, new_value(g, v.element, v.shape, low, high), -1, -1, -1};
    enter_scope(g, c->inside);
    return c->inside;
}

// The carried names end; what they are after is in the scope of before.
static void finish(struct maker *g, struct statement *s, int scope_count) {
    g->scope_count = scope_count;
    for (int i = 0; i < s->carry_count; i++) {
        struct carry *c = &s->carries[i];
        const struct value *b = of(g, c->before), *in = of(g, c->inside);
        int64_t low = b->low < in->low ? b->low : in->low, high = b->high > in->high ? b->high : in->high;
        c->after = new_value(g, b->element, b->shape, low, high);
        enter_scope(g, c->after);
    }
}

// What a carried value becomes: something of its type, within its bounds.
static int next_of(struct maker *g, struct block *block, int inside) {
    struct value v = *of(g, inside);
    int next = tile(g, block, v.element, v.shape);
    if (next == inside || chance(g, 40))
        next = binary_of(g, block, (enum binary)pick(g, 3), inside, tile(g, block, v.element, v.shape));
    return element_is_real(v.element) ? bounded(g, block, next, v.low, v.high) : next;
}

// Values in scope or made for it that a loop or branch will carry.
static int choose_carried(struct maker *g, struct block *block, int before[], int most) {
    int count = 1 + (int)pick(g, (unsigned)most);
    for (int i = 0; i < count; i++) {
        before[i] = tile(g, block, random_element(g), some_shape(g));
        if (element_is_real(of(g, before[i])->element))
            before[i] = bounded(g, block, before[i], -64, 64);
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
    if (chance(g, 25))
        return scalar_constant(g, block, pick(g, ROUNDS + 1));
    int id = new_value(g, I32, (struct shape){0, {0}}, 0, ROUNDS);
    append(g, block, COUNT, id)->number = pick(g, 3);
    return id;
}

// The statement, its index in scope.
static struct statement *open_for(struct maker *g, struct block *block, int rounds, int64_t first,
                                  int64_t step, bool down) {
    int index = new_value(g, I32, (struct shape){0, {0}}, first, first + (ROUNDS - 1) * step);
    struct statement *s = append(g, block, FOR, -1);
    s->results[s->result_count++] = index;
    s->number = first;
    s->axis = (int)step;
    s->flag = down;
    operand(s, rounds);
    return s;
}

// What carried values from `first` on become; the last one takes in what the body made.
static void finish_body(struct maker *g, struct statement *s, struct block *body, int first, int kept) {
    int last = s->carry_count - 1;
    for (int i = first; i < last; i++)
        s->carries[i].end = next_of(g, body, s->carries[i].inside);
    s->carries[last].end = digest(g, body, s->carries[last].inside, kept);
}

static void add_for(struct maker *g, struct block *block) {
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

static void add_while(struct maker *g, struct block *block) {
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

static void add_if(struct maker *g, struct block *block) {
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
        for (int i = 0; branch == 0 && i < s->carry_count; i++)
            s->carries[i].other_end = s->carries[i].end; // and the other way round below
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

// A tile of an input whose index along `d` moves on with the loop: rows of `pitch` elements, `depth` of them
// a round.
static int moving_tile(struct maker *g, struct block *block, enum element element, struct shape shape, int d,
                       int index, int depth, int pitch) {
    bool narrow = element == F16 && chance(g, 25); // bytes that the loop widens
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
    if (narrow)
        loaded = bounded(g, block, loaded, 0, 3);
    loaded = cast_to(g, block, loaded, element);
    if (!turned)
        return loaded;
    struct value v = *of(g, loaded);
    struct statement *s = append(g, block, PERMUTE, new_value(g, v.element, shape, v.low, v.high));
    s->order[0] = 1;
    operand(s, loaded);
    return s->results[0];
}

// A loop over the depth of a product; with `chained`, attention's two.
static void add_matmul(struct maker *g, struct block *block) {
    int m = dot_extent(g), n = dot_extent(g), depth = 16 << pick(g, 2), pitch = ROUNDS * depth;
    bool chained = chance(g, 35);
    enum element element = chained ? F16 : dot_element(g) == I8 ? I8 : chance(g, 15) ? F32 : F16;
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

static void step(struct maker *g, struct block *block) {
    static const struct {
        void (*add)(struct maker *g, struct block *block);
        unsigned weight, deepest;
    } steps[] = {{add_elementwise, 24, 9}, {add_select, 7, 9}, {add_shape, 12, 9}, {add_reduce, 10, 9},
                 {add_scan, 6, 9},         {add_across, 7, 9}, {add_load, 6, 9},   {add_dot, 6, 9},
                 {add_for, 5, 1},          {add_while, 4, 1},  {add_if, 5, 2},     {add_matmul, 6, 1}};
    unsigned total = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        total += g->depth <= (int)steps[i].deepest ? steps[i].weight : 0;
    unsigned chosen = pick(g, total);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (g->depth > (int)steps[i].deepest)
            continue;
        if (chosen < steps[i].weight) {
            int known = g->scope_count;
            steps[i].add(g, block);
            if (g->scope_count > known && chance(g, 60))
                g->kept[g->kept_count++] = g->scope[g->scope_count - 1];
            return;
        }
        chosen -= steps[i].weight;
    }
}

static void some_steps(struct maker *g, struct block *block, int count) {
    if (!block->items)
        block->items = calloc(MAX_STATEMENTS, sizeof *block->items);
    for (int i = 0; i < count && has_room(g, block); i++)
        step(g, block);
}

// ---- what is stored ----

static void store(struct maker *g, int id) {
    struct kernel *k = g->k;
    if (of(g, id)->element == I1)
        id = cast_to(g, &k->body, id, I32);
    int mask = chance(g, 30) ? condition(g, &k->body, of(g, id)->shape) : -1;
    struct statement *s = append(g, &k->body, STORE, -1);
    s->number = k->output_count;
    operand(s, id);
    if (mask >= 0)
        operand(s, mask);
    k->outputs[k->output_count] = of(g, id)->element;
    k->output_size[k->output_count++] = (int)shape_elements(&of(g, id)->shape);
}

// How much goes into each value.
static void weigh(const struct block *block, unsigned *weight) {
    for (int n = 0; n < block->count; n++) {
        const struct statement *s = &block->items[n];
        unsigned sum = s->kind == CONSTANT ? 0 : s->kind == DOT ? 8 : 1;
        for (int i = 0; i < s->operand_count; i++)
            sum += weight[s->operands[i]];
        for (int i = 0; i < s->carry_count; i++)
            weight[s->carries[i].inside] = weight[s->carries[i].before];
        weigh(&s->body, weight);
        weigh(&s->other, weight);
        sum = sum < 1000 ? sum : 1000;
        for (int i = 0; i < s->result_count; i++)
            weight[s->results[i]] = sum;
        for (int i = 0; i < s->carry_count; i++)
            weight[s->carries[i].after] = sum + 5 + weight[s->carries[i].end];
    }
}

// The heaviest of a few values in scope, which is then light; -1 where none is worth it.
static int take_heavy(struct maker *g, unsigned *weight) {
    int best = -1;
    for (unsigned tries = 0; tries < 3; tries++) {
        int id = g->scope[pick(g, (unsigned)g->scope_count)];
        best = best < 0 || weight[id] > weight[best] ? id : best;
    }
    bool worth = weight[best] > 1;
    weight[best] = 0;
    return worth ? best : -1;
}

static void store_some(struct maker *g) {
    unsigned weight[MAX_VALUES] = {0};
    weigh(&g->k->body, weight);
    for (int i = 0; i < MAX_OUTPUTS - 2; i++) {
        int id = g->scope_count && g->k->body.count < MAX_STATEMENTS - 50 ? take_heavy(g, weight) : -1;
        if (id >= 0)
            store(g, id);
    }
    for (int i = 0; i < 4; i++) {
        int id = g->scope_count ? take_heavy(g, weight) : -1;
        if (id >= 0)
            g->kept[g->kept_count++] = id;
    }
    store(g, digest(g, &g->k->body, scalar_constant(g, &g->k->body, 1), 0));
}

static void add_ending(struct maker *g) {
    struct kernel *k = g->k;
    struct shape row = {1, {g->extents[pick(g, 2)]}};
    if (k->body.count > MAX_STATEMENTS - 40)
        return;
    unsigned which = pick(g, 5);
    if (which > 2)
        return;
    int id = tile(g, &k->body, I32, row);
    int slot = which == 0 ? bounded(g, &k->body, tile(g, &k->body, I32, row), 0, SLOTS - 1) : -1;
    struct statement *s = append(g, &k->body, which == 0 ? ATOMIC : which == 1 ? RELEASE : POLL, -1);
    operand(s, id);
    if (which == 0) {
        k->slots = true;
        operand(s, slot);
    } else if (which == 1) {
        k->release = true;
        k->release_size = row.extent[0];
    } else {
        k->poll = true;
        k->poll_size = row.extent[0];
    }
}

struct kernel *kernel_generate(uint64_t seed) {
    struct kernel *k = calloc(1, sizeof *k);
    struct maker g = {.k = k, .state = lang_hash(seed, 2, 3), .budget = 600};
    k->seed = seed;
    g.extents[0] = 16 << pick(&g, 3);
    g.extents[1] = 16 << pick(&g, 4);
    k->programs = 1 + (int)pick(&g, 3);
    k->warps = 1u << pick(&g, 5);
    k->stages = 1 + pick(&g, 4);
    k->hints = pick(&g, 256);
    for (int i = 0; i < 3; i++)
        k->counts[i] = (int)pick(&g, ROUNDS + 1);
    some_steps(&g, &k->body, 2 + (int)pick(&g, 6));
    if (chance(&g, 75)) // most bugs live in loops
        (chance(&g, 50) ? add_matmul : chance(&g, 50) ? add_for : add_while)(&g, &k->body);
    some_steps(&g, &k->body, 4 + (int)pick(&g, 20));
    store_some(&g);
    add_ending(&g);
    kernel_drop_unused(k);
    return k;
}
