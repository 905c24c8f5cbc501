// Operations of 8 and 16 bits, with results made wider at once. A chip has no registers of these widths: an instruction may leave
// other bits above the result, or an assembler take them for its sign: this shows it.
#include "generate.h"

static int unary(struct maker *g, struct block *block, enum unary op, int a) {
    enum element element = of(g, a)->element;
    int id = new_value(g, element, of(g, a)->shape, 1, 0);
    struct statement *s = append(g, block, UNARY, id);
    s->op = op == ABS && element_is_unsigned(element) ? NEGATE : op;
    operand(s, a);
    return id;
}

static int shift(struct maker *g, struct block *block, int a) {
    int id = new_value(g, of(g, a)->element, of(g, a)->shape, 1, 0);
    struct statement *s = append(g, block, SHIFT, id);
    s->op = (int)pick(g, 2);
    s->number = pick(g, element_width(of(g, a)->element));
    operand(s, a);
    return id;
}

static int select_smaller(struct maker *g, struct block *block, int a, int b) {
    int mask = compare(g, block, (enum compare)pick(g, COMPARES), a, b);
    int id = new_value(g, of(g, a)->element, of(g, a)->shape, 1, 0);
    struct statement *s = append(g, block, SELECT, id);
    operand(s, mask);
    operand(s, a);
    operand(s, b);
    return id;
}

static int operation(struct maker *g, struct block *block, int a, int b) {
    switch (pick(g, 9)) {
    case 0:
    case 1:
        return unary(g, block, (enum unary)pick(g, UNARIES), a);
    case 2:
        return shift(g, block, a);
    case 3:
        return select_smaller(g, block, a, b);
    case 4: // 0 - a, or a times a constant
        return chance(g, 50)
                   ? binary_of(g, block, SUB, constant(g, block, of(g, a)->element, of(g, a)->shape, 0), a)
                   : with_constant(g, block, MUL, a, 1 + (int64_t)pick(g, 100));
    case 5:
        return binary_of(g, block, chance(g, 50) ? ADD : SUB, binary_of(g, block, MUL, a, b), b);
    case 6:
        return cast_to(g, block, cast_to(g, block, a, chance(g, 50) ? I8 : U8), of(g, a)->element);
    default:
        return binary_of(g, block, (enum binary)pick(g, BINARIES), a, b);
    }
}

static void use(struct maker *g, struct block *block, int narrow) {
    static const enum element wide[] = {I32, I32, U32, I64, F32, F16};
    struct shape shape = of(g, narrow)->shape;
    enum element element = wide[pick(g, sizeof wide / sizeof *wide)];
    if (chance(g, 20)) {
        load(g, block, (int)pick(g, INPUTS), cast_to(g, block, narrow, I32));
        return;
    }
    int id = cast_to(g, block, narrow, element), other = tile(g, block, element, shape);
    if (chance(g, 30)) {
        cast_to(g, block, compare(g, block, (enum compare)pick(g, COMPARES), id, other), I32);
    } else {
        binary_of(g, block, (enum binary)pick(g, element_is_real(element) ? MUL : BINARIES), id, other);
    }
}

void add_widened(struct maker *g, struct block *block) {
    static const enum element narrow[] = {I16, I16, I16, U16, U16, I8, U8};
    struct shape shape = some_shape(g);
    enum element element = narrow[pick(g, sizeof narrow / sizeof *narrow)];
    int a = tile(g, block, element, shape), b = tile(g, block, element, shape);
    for (unsigned i = pick(g, 3) + 1; i > 0; i--) {
        a = operation(g, block, a, b);
    }
    use(g, block, a);
}
