// The stores of a random kernel, computed statement by statement: integers wrap in 64 bits and are narrowed
// to their type, reals have bounds (number.h). A value computed from an unknown one is unknown; a
// kernel with unknown control flow or places is not legal.
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 64, EXECUTIONS = 1 << 20 };

struct machine {
    const struct kernel *k;
    struct lang_run *run;
    struct number *at[MAX_VALUES];
    int program, turn; // of the grid; the turns seen by POLL's chain
    bool wrong;        // no legal kernel
    int *written[MAX_OUTPUTS],
        execution;         // the last execution of a store to an element, numbered by programs
    bool released, polled; // done by earlier programs; may be removed by shrinking
    struct number slots[SLOTS], chain[MAX_ELEMENTS], totals[MAX_ELEMENTS];
};

static const struct value *type_of(const struct machine *m, int id) {
    return &m->k->values[id];
}

static int64_t elements_of(const struct machine *m, int id) {
    return shape_elements(&type_of(m, id)->shape);
}

static bool is_real(const struct machine *m, int id) {
    return element_is_real(type_of(m, id)->element);
}

static int64_t narrow(enum element element, int64_t value) {
    unsigned width = element_width(element);
    if (element == I1) {
        return value & 1;
    }
    uint64_t shifted = (uint64_t)value << (64 - width);
    return element_is_unsigned(element) ? (int64_t)(shifted >> (64 - width))
                                        : (int64_t)shifted >> (64 - width);
}

static void put(struct machine *m, int id, int64_t index, struct number value) {
    if (!is_real(m, id)) {
        value.i = narrow(type_of(m, id)->element, value.i);
    }
    m->at[id][index] = value;
}

// The integer to choose a branch, or a number of iterations.
static int64_t known(struct machine *m, int id, int64_t index) {
    m->wrong |= m->at[id][index].any;
    return m->at[id][index].i;
}

// ---- operators ----

static struct number binary_of(struct machine *m, const struct statement *s, struct number a,
                               struct number b) {
    enum element element = type_of(m, s->results[0])->element;
    if (element_is_real(element)) {
        return number_binary(element, (enum binary)s->op, a, b);
    }
    struct number n = {.any = a.any || b.any};
    uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    switch (s->op) {
    case ADD:
        n.i = (int64_t)(x + y);
        break;
    case SUB:
        n.i = (int64_t)(x - y);
        break;
    case MUL:
        n.i = (int64_t)(x * y);
        break;
    case AND:
        n.i = a.i & b.i;
        break;
    case OR:
        n.i = a.i | b.i;
        break;
    case XOR:
        n.i = a.i ^ b.i;
        break;
    case MIN:
        n.i = a.i < b.i ? a.i : b.i;
        break;
    case MAX:
        n.i = a.i > b.i ? a.i : b.i;
        break;
    default: // guarded: x if the divisor is 0, or divided by 1
        if (b.i == 0) {
            n.i = s->flag || s->op == DIV ? a.i : 0;
        } else if (b.i == -1) {
            n.i = s->op == DIV ? (int64_t)(0 - x) : 0;
        } else {
            n.i = s->op == DIV ? a.i / b.i : a.i % b.i;
        }
    }
    return n;
}

static struct number compares(struct machine *m, const struct statement *s, struct number a,
                              struct number b) {
    enum truth truth = number_compare(is_real(m, s->operands[0]), (enum compare)s->op, &a, &b);
    return truth == PERHAPS ? number_any() : number_integer(truth == YES);
}

static struct number unary_of(struct machine *m, const struct statement *s, struct number a) {
    if (is_real(m, s->operands[0])) {
        return s->op == NEGATE ? number_negated(a) : s->op == EXP2 ? number_exp2(a) : number_absolute(a);
    }
    a.i = s->op == INVERT ? ~a.i : s->op == NEGATE || a.i < 0 ? (int64_t)(0 - (uint64_t)a.i) : a.i;
    return a;
}

static struct number select_of(struct machine *m, const struct statement *s, struct number which, int64_t i) {
    struct number yes = m->at[s->operands[1]][i], no = m->at[s->operands[2]][i];
    return which.any ? number_either(is_real(m, s->operands[1]), yes, no) : which.i ? yes : no;
}

static struct number one(struct machine *m, const struct statement *s, int64_t i) {
    struct number n = {0}, a = {0};
    int from = s->operands[0];
    if (s->operand_count > 0) {
        a = m->at[from][i];
    }
    switch (s->kind) {
    case CONSTANT:
        return is_real(m, s->results[0]) ? number_real((double)s->number) : number_integer(s->number);
    case RANGE:
        n.i = s->number + i;
        return n;
    case PROGRAM:
        for (int axis = 0, left = m->program; axis <= s->number; left /= m->k->grid[axis++]) {
            n.i = left % m->k->grid[axis];
        }
        return n;
    case PROGRAMS:
        n.i = m->k->grid[s->number];
        return n;
    case COUNT:
        n.i = m->k->counts[s->number];
        return n;
    case SIZE:
        n.i = m->k->sizes[s->number];
        return n;
    case BINARY:
        return binary_of(m, s, a, m->at[s->operands[1]][i]);
    case UNARY:
        return unary_of(m, s, a);
    case COMPARE:
        return compares(m, s, a, m->at[s->operands[1]][i]);
    case SHIFT:
        a.i = s->op ? a.i >> s->number : (int64_t)((uint64_t)a.i << s->number);
        return a;
    case SELECT:
        return select_of(m, s, a, i);
    default: // CAST
        return number_cast(type_of(m, from)->element, type_of(m, s->results[0])->element, a);
    }
}

// ---- shapes ----

static void split_index(const struct shape *shape, int64_t flat, int at[MAX_RANK]) {
    for (int d = shape->rank - 1; d >= 0; d--) {
        at[d] = (int)(flat % shape->extent[d]);
        flat /= shape->extent[d];
    }
}

static int64_t join_index(const struct shape *shape, const int at[MAX_RANK]) {
    int64_t flat = 0;
    for (int d = 0; d < shape->rank; d++) {
        flat = flat * shape->extent[d] + at[d];
    }
    return flat;
}

// The index of the operand's element for element `i` of the result; -1: it is not known.
static int64_t source(struct machine *m, const struct statement *s, int64_t i) {
    const struct shape *to = &type_of(m, s->results[0])->shape, *from = &type_of(m, s->operands[0])->shape;
    int at[MAX_RANK] = {0}, place[MAX_RANK] = {0};
    split_index(to, i, at);
    switch (s->kind) {
    case BROADCAST:
        for (int d = 0; d < from->rank; d++) {
            place[d] = from->extent[d] == 1 ? 0 : at[d];
        }
        return join_index(from, place);
    case PERMUTE:
        for (int d = 0; d < to->rank; d++) {
            place[s->order[d]] = at[d];
        }
        return join_index(from, place);
    case FLIP:
        at[s->axis] = m->k->planted ? at[s->axis] : to->extent[s->axis] - 1 - at[s->axis];
        return join_index(from, at);
    case GATHER:
        if (m->at[s->operands[1]][i].any) {
            return -1;
        }
        at[s->axis] = (int)m->at[s->operands[1]][i].i;
        m->wrong |= at[s->axis] < 0 || at[s->axis] >= from->extent[s->axis];
        return m->wrong ? 0 : join_index(from, at);
    default: // EXPAND, RESHAPE
        return i;
    }
}

// ---- along a dimension ----

// The elements of one line along the axis are first, first + step, …
struct lines {
    int64_t count, step, length;
};

static struct lines lines_of(const struct shape *shape, int axis) {
    struct lines lines = {1, 1, shape->extent[axis]};
    for (int d = axis + 1; d < shape->rank; d++) {
        lines.step *= shape->extent[d];
    }
    lines.count = shape_elements(shape) / lines.length;
    return lines;
}

static int64_t line_start(const struct lines *lines, int64_t number) {
    return number / lines->step * lines->step * lines->length + number % lines->step;
}

struct line {
    const struct number *first;
    int64_t step, length;
    enum element element;
};

static const struct number *of_line(const struct line *line, int64_t i) {
    return &line->first[i * line->step];
}

static struct number line_sum(const struct line *line, bool xored) {
    struct total total = total_start();
    struct number sum = {0};
    for (int64_t i = 0; i < line->length; i++) {
        const struct number *x = of_line(line, i);
        total_add(&total, *x);
        sum.any |= x->any;
        sum.i = xored ? sum.i ^ x->i : (int64_t)((uint64_t)sum.i + (uint64_t)x->i);
    }
    return element_is_real(line->element) ? total_result(&total, line->element) : sum;
}

// The largest or the smallest, the first one of equals; it and its index are not known where NaN or bounds
// make them depend on the order.
static struct number line_best(const struct line *line, bool smallest, struct number *where) {
    bool real = element_is_real(line->element), is_known = true, is_number = true;
    struct number best = *of_line(line, 0), value = best;
    *where = number_integer(0);
    for (int64_t i = 0; i < line->length; i++) {
        const struct number *x = of_line(line, i);
        enum truth better = number_compare(real, smallest ? LT : GT, x, &best);
        is_known &= better != PERHAPS;
        is_number &= !x->any && !(real && isnan(x->low));
        best = better == YES ? *x : best;
        where->i = better == YES ? i : where->i;
        value = real ? number_binary(line->element, smallest ? MIN : MAX, value, *x) : best;
    }
    where->any = !is_known || !is_number;
    best.any |= where->any;
    return real && is_number && !is_known ? value : best;
}

// The largest of numbers; NaN counts as none.
static struct number line_extreme(const struct line *line, bool smallest) {
    struct number value = *of_line(line, 0), where;
    if (!element_is_real(line->element)) {
        return line_best(line, smallest, &where);
    }
    for (int64_t i = 1; i < line->length; i++) {
        value = number_binary(line->element, smallest ? MIN : MAX, value, *of_line(line, i));
    }
    return value;
}

static void reduce(struct machine *m, const struct statement *s) {
    struct lines lines = lines_of(&type_of(m, s->operands[0])->shape, s->axis);
    bool smallest = s->op == SMALLEST || s->op == WHERE_SMALLEST;
    for (int64_t n = 0; n < lines.count; n++) {
        struct line line = {m->at[s->operands[0]] + line_start(&lines, n), lines.step, lines.length,
                            type_of(m, s->operands[0])->element};
        struct number where, best = line_best(&line, smallest, &where);
        switch (s->op) {
        case SUM:
        case ADD_UP:
        case XORED:
            put(m, s->results[0], n, line_sum(&line, s->op == XORED));
            break;
        case LARGEST:
        case SMALLEST:
            put(m, s->results[0], n, line_extreme(&line, smallest));
            break;
        case WHERE_LARGEST:
        case WHERE_SMALLEST:
            put(m, s->results[0], n, where);
            break;
        case KEEP_LARGER: // of equal zeros the one or the other
            put(m, s->results[0], n, best.any ? best : line_extreme(&line, false));
            break;
        default: // FIRST_BEST
            put(m, s->results[0], n, best);
            put(m, s->results[1], n, where);
        }
    }
}

// One step of a scan of integers, or of the largest number so far.
static struct number scanned(struct machine *m, const struct statement *s, struct number so_far, int64_t at) {
    struct number x = m->at[s->operands[0]][at];
    if (s->op == SCAN_RECURRENCE) { // x · b + y
        struct number y = m->at[s->operands[1]][at];
        so_far.i = (int64_t)((uint64_t)so_far.i * (uint64_t)x.i + (uint64_t)y.i);
        so_far.any |= x.any || y.any;
        return so_far;
    }
    if (s->op == SCAN_SUM) {
        so_far.i = (int64_t)((uint64_t)so_far.i + (uint64_t)x.i);
        so_far.any |= x.any;
        return so_far;
    }
    if (is_real(m, s->operands[0])) {
        bool numbers = !so_far.any && !x.any && !isnan(so_far.low) && !isnan(x.low);
        return numbers ? number_binary(type_of(m, s->operands[0])->element, MAX, so_far, x) : number_any();
    }
    enum truth larger = number_compare(false, GT, &so_far, &x);
    return larger == PERHAPS ? number_any() : larger == YES ? so_far : x;
}

static void scan(struct machine *m, const struct statement *s) {
    int r = s->results[0];
    enum element element = type_of(m, r)->element;
    struct lines lines = lines_of(&type_of(m, r)->shape, s->axis);
    for (int64_t n = 0; n < lines.count; n++) {
        struct total total = total_start();
        struct number so_far = {0};
        for (int64_t i = 0; i < lines.length; i++) {
            int64_t at = line_start(&lines, n) + (s->flag ? lines.length - 1 - i : i) * lines.step;
            struct number x = m->at[s->operands[s->op == SCAN_RECURRENCE]][at]; // the first is its own
            total_add(&total, x);
            so_far = s->op == SCAN_SUM && element_is_real(element) ? total_of_numbers(&total, element)
                     : i == 0                                      ? x
                                                                   : scanned(m, s, so_far, at);
            put(m, r, at, so_far);
            so_far = m->at[r][at];
        }
    }
}

// True if nothing is known of one of these.
static bool has_any(const struct number *numbers, int64_t count) {
    bool any = false;
    for (int64_t i = 0; i < count; i++) {
        any |= numbers[i].any;
    }
    return any;
}

static void fill(struct number *numbers, int64_t count, struct number value) {
    for (int64_t i = 0; i < count; i++) {
        numbers[i] = value;
    }
}

static int by_number(const void *x, const void *y) {
    int64_t a = ((const struct number *)x)->i, b = ((const struct number *)y)->i;
    return (a > b) - (a < b);
}

static void across(struct machine *m, const struct statement *s) {
    int r = s->results[0], a = s->operands[0];
    int64_t elements = elements_of(m, r);
    fill(m->at[r], elements, number_integer(0)); // SPREAD
    if (s->kind == HISTOGRAM && has_any(m->at[a], elements_of(m, a))) {
        fill(m->at[r], elements, number_any());
    } else if (s->kind == HISTOGRAM) {
        for (int64_t i = 0; i < elements_of(m, a); i++) {
            int64_t bin = m->at[a][i].i;
            if (bin < 0 || bin >= elements) {
                m->wrong = true;
            } else {
                m->at[r][bin].i++;
            }
        }
    } else if (s->kind == SORT) {
        const struct shape *shape = &type_of(m, r)->shape;
        int64_t row = shape->extent[shape->rank - 1];
        memcpy(m->at[r], m->at[a], (size_t)elements * sizeof **m->at);
        for (int64_t i = 0; i < elements; i += row) {
            qsort(m->at[r] + i, (size_t)row, sizeof **m->at, by_number);
            if (has_any(m->at[r] + i, row)) {
                fill(m->at[r] + i, row, number_any());
            }
        }
    }
}

// The numbers as matrix instructions take them.
static struct number *factors(struct machine *m, int id) {
    int64_t count = elements_of(m, id);
    struct number *taken = malloc((size_t)count * sizeof *taken);
    for (int64_t i = 0; i < count; i++) {
        taken[i] = is_real(m, id) ? number_factor(m->run->chip, type_of(m, id)->element, m->at[id][i])
                                  : m->at[id][i];
    }
    return taken;
}

static void dot(struct machine *m, const struct statement *s) {
    int a = s->operands[0], b = s->operands[1], r = s->results[0];
    int rows = type_of(m, a)->shape.extent[0], depth = type_of(m, a)->shape.extent[1],
        columns = type_of(m, b)->shape.extent[1];
    struct number *left = factors(m, a), *right = factors(m, b);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            struct number sum = {0};
            struct total total = total_start();
            if (s->operand_count > 2) {
                sum = m->at[s->operands[2]][i * columns + j];
                total_add(&total, sum);
            }
            for (int k = 0; k < depth; k++) {
                const struct number *x = &left[i * depth + k], *y = &right[k * columns + j];
                if (is_real(m, r)) {
                    total_add(&total, number_product(x, y));
                } else {
                    sum.i += x->i * y->i;
                    sum.any |= x->any || y->any;
                }
            }
            put(m, r, i * columns + j, is_real(m, r) ? total_of_products(&total, m->run->chip) : sum);
        }
    }
    free(left);
    free(right);
}

// ---- memory ----

// The element of a buffer. No legal kernel reads beyond its end, or what it has stored: another thread may have, with no barrier between.
static struct number element_at(struct machine *m, const struct statement *s, const struct number *index) {
    int64_t size = BUFFER_ELEMENTS;
    if (s->number >= INPUTS) {
        size = (int64_t)m->k->programs * m->k->output_size[s->number - INPUTS];
    }
    if (index->any) {
        return number_any();
    }
    bool stored =
        s->number >= INPUTS && index->i >= 0 && index->i < size && m->written[s->number - INPUTS][index->i];
    if (index->i < 0 || index->i >= size || stored) {
        m->wrong = true;
        return number_any();
    }
    return is_real(m, s->results[0]) ? number_real(real(m->run, (unsigned)s->number, (size_t)index->i))
                                     : number_integer(integer(m->run, (unsigned)s->number, (size_t)index->i));
}

static void load(struct machine *m, const struct statement *s) {
    int r = s->results[0];
    struct number other = is_real(m, r) ? number_real(s->axis) : number_integer(s->axis),
                  yes = number_integer(1);
    for (int64_t i = 0; i < elements_of(m, r) && !m->wrong; i++) {
        const struct number *index = &m->at[s->operands[0]][i],
                            *mask = s->operand_count > 1 ? &m->at[s->operands[1]][i] : &yes;
        struct number element = mask->i || mask->any ? element_at(m, s, index) : other;
        put(m, r, i, mask->any ? number_either(is_real(m, r), element, other) : element);
    }
}

// An element written twice by one store, or by two programs, has no certain value.
static void write_once(struct machine *m, const struct statement *s, int64_t index) {
    int *last = &m->written[s->number][index];
    m->wrong |= *last == m->execution || (*last && (*last - 1) / EXECUTIONS != m->program);
    *last = m->execution;
}

static void store(struct machine *m, const struct statement *s) {
    bool placed = s->kind == PUT;
    int a = s->operands[placed], mask = s->operand_count > placed + 1 ? s->operands[placed + 1] : -1;
    int64_t elements = elements_of(m, a), size = (int64_t)m->k->programs * m->k->output_size[s->number];
    unsigned argument = (unsigned)kernel_argument_of_output(m->k, (int)s->number);
    m->execution++;
    for (int64_t i = 0; i < elements; i++) {
        bool perhaps = mask >= 0 && m->at[mask][i].any;
        if (mask >= 0 && !perhaps && !m->at[mask][i].i) {
            continue;
        }
        int64_t index = placed ? known(m, s->operands[0], i) : m->program * elements + i;
        m->wrong |= index < 0 || index >= size;
        if (m->wrong) {
            return;
        }
        write_once(m, s, index);
        if (perhaps) {
            put_any(m->run, argument, (size_t)index);
        } else {
            number_put(m->run, argument, (size_t)index, type_of(m, a)->element, &m->at[a][i]);
        }
    }
}

static void atomic(struct machine *m, const struct statement *s) {
    for (int64_t i = 0; i < elements_of(m, s->operands[0]) && !m->wrong; i++) {
        int64_t slot = known(m, s->operands[1], i);
        if (slot < 0 || slot >= SLOTS) {
            m->wrong = true;
        } else {
            m->slots[slot].i += m->at[s->operands[0]][i].i;
            m->slots[slot].any |= m->at[s->operands[0]][i].any;
        }
    }
}

static void hand_on(struct machine *m, const struct statement *s) {
    m->released |= s->kind == RELEASE;
    m->polled |= s->kind == POLL;
    unsigned argument = (unsigned)kernel_argument_of_output(m->k, m->k->output_count);
    int64_t elements = elements_of(m, s->operands[0]);
    for (int64_t i = 0; i < elements; i++) {
        struct number value = m->at[s->operands[0]][i],
                      *sum = s->kind == RELEASE ? &m->totals[i] : &m->chain[i];
        sum->any |= value.any;
        if (s->kind == RELEASE) {
            number_put(m->run, argument, (size_t)(m->program * elements + i), I32, &value);
            sum->i += value.i;
        } else {
            sum->i = narrow(I32, sum->i * 3 + value.i);
        }
    }
}

// ---- control ----

static void run_block(struct machine *m, const struct block *block);

static void assign(struct machine *m, int to, int from) {
    memcpy(m->at[to], m->at[from], (size_t)elements_of(m, to) * sizeof **m->at);
}

// All of them at once: one's end may be another's value inside.
static void run_body(struct machine *m, const struct statement *s, bool other) {
    run_block(m, other ? &s->other : &s->body);
    for (int i = 0; i < s->carry_count; i++) {
        assign(m, s->carries[i].after, other ? s->carries[i].other_end : s->carries[i].end);
    }
    for (int i = 0; i < s->carry_count; i++) {
        assign(m, s->carries[i].inside, s->carries[i].after);
    }
}

static bool goes_on(struct machine *m, const struct statement *s) {
    int counter = s->carries[0].inside;
    for (int64_t i = 0; i < elements_of(m, counter); i++) {
        if (known(m, counter, i) > 0) {
            return true;
        }
    }
    return false;
}

static void run_compound(struct machine *m, const struct statement *s) {
    for (int i = 0; i < s->carry_count; i++) {
        assign(m, s->carries[i].inside, s->carries[i].before);
        assign(m, s->carries[i].after, s->carries[i].before);
    }
    if (s->kind == IF) {
        bool other = !known(m, s->operands[0], 0);
        if (!m->wrong) {
            run_body(m, s, other);
        }
        return;
    }
    int64_t rounds = s->kind == FOR ? known(m, s->operands[0], 0) : ROUNDS_MAX;
    m->wrong |= rounds > ROUNDS_MAX;
    for (int64_t round = 0; round < rounds && !m->wrong; round++) {
        if (s->kind == FOR) {
            m->at[s->results[0]][0] =
                number_integer(s->number + (s->flag ? rounds - 1 - round : round) * s->axis);
        } else if (!goes_on(m, s)) {
            return;
        }
        run_body(m, s, false);
    }
    m->wrong |= s->kind == WHILE && goes_on(m, s);
}

static void run_statement(struct machine *m, const struct statement *s) {
    int r = s->result_count ? s->results[0] : -1;
    switch (s->kind) {
    case EXPAND:
    case BROADCAST:
    case RESHAPE:
    case PERMUTE:
    case FLIP:
    case GATHER:
        for (int64_t i = 0; i < elements_of(m, r) && !m->wrong; i++) {
            int64_t from = source(m, s, i);
            m->at[r][i] = from < 0 ? number_any() : m->at[s->operands[0]][from];
        }
        break;
    case JOIN:
        for (int64_t i = 0; i < elements_of(m, r); i++) {
            m->at[r][i] = m->at[s->operands[i % 2]][i / 2];
        }
        break;
    case SPLIT:
        for (int64_t i = 0; i < 2 * elements_of(m, r); i++) {
            m->at[s->results[i % 2]][i / 2] = m->at[s->operands[0]][i];
        }
        break;
    case REDUCE:
        reduce(m, s);
        break;
    case SCAN:
        scan(m, s);
        break;
    case SORT:
    case HISTOGRAM:
    case SPREAD:
        across(m, s);
        break;
    case DOT:
        dot(m, s);
        break;
    case LOAD:
        load(m, s);
        break;
    case STORE:
    case PUT:
        store(m, s);
        break;
    case ATOMIC:
        atomic(m, s);
        break;
    case RELEASE:
    case POLL:
        hand_on(m, s);
        break;
    case FOR:
    case WHILE:
    case IF:
        run_compound(m, s);
        break;
    default:
        for (int64_t i = 0; i < elements_of(m, r); i++) {
            put(m, r, i, one(m, s, i));
        }
    }
}

static void run_block(struct machine *m, const struct block *block) {
    for (int i = 0; i < block->count && !m->wrong; i++) {
        run_statement(m, &block->items[i]);
    }
}

// ---- the arguments ----

int kernel_argument_of_output(const struct kernel *k, int output) {
    (void)k;
    return INPUTS + output;
}

void kernel_arguments(const struct kernel *k, struct lang_argument *arguments) {
    unsigned n = 0;
    size_t programs = (size_t)k->programs;
    for (int i = 0; i < INPUTS; i++) {
        struct lang_argument whole = IN(input_elements[i], BUFFER_ELEMENTS, -4, 4),
                             any = BITS(input_elements[i], BUFFER_ELEMENTS),
                             hostile = IN(input_elements[i], BUFFER_ELEMENTS, (double)(k->seed % 65536), 0);
        whole.generator = GENERATE_WHOLE;
        hostile.generator = GENERATE_HOSTILE;
        arguments[n++] = k->hostile ? hostile : element_is_real(input_elements[i]) ? whole : any;
    }
    for (int i = 0; i < k->output_count; i++) {
        size_t count = programs * (size_t)k->output_size[i];
        struct lang_argument out = OUT(k->outputs[i], count), both = BOTH(k->outputs[i], count, -4, 4);
        both.generator = GENERATE_WHOLE;
        arguments[n++] = k->read_back[i] ? both : out;
    }
    if (k->slots) {
        arguments[n++] = (struct lang_argument)BOTH(I32, SLOTS, 0, 0);
    }
    if (k->release) {
        arguments[n++] = (struct lang_argument)OUT(I32, programs * (size_t)k->release_size);
        arguments[n++] = (struct lang_argument)BOTH(I32, 1, 0, 0);
        arguments[n++] = (struct lang_argument)OUT(I32, (size_t)k->release_size);
    }
    if (k->poll) {
        arguments[n++] = (struct lang_argument)BOTH(I32, 1, 0, 0);
        arguments[n++] = (struct lang_argument)BOTH(I32, (size_t)k->poll_size, 1, 1);
    }
    for (int i = 0; i < 3; i++) {
        arguments[n++] = (struct lang_argument)INT(k->counts[i]);
    }
    for (int i = 0; i < k->size_count; i++) {
        arguments[n++] = (struct lang_argument)INT(k->sizes[i]);
    }
}

static void put_shared(struct machine *m) {
    const struct kernel *k = m->k;
    unsigned argument = (unsigned)kernel_argument_of_output(k, k->output_count);
    for (unsigned i = 0; k->slots && i < SLOTS; i++) {
        number_put(m->run, argument, i, I32, &m->slots[i]);
    }
    argument += k->slots;
    if (m->released) {
        put_integer(m->run, argument + 1, 0, k->programs);
        for (int i = 0; i < k->release_size; i++) {
            number_put(m->run, argument + 2, (size_t)i, I32, &m->totals[i]);
        }
    }
    if (m->polled) {
        put_integer(m->run, argument, 0, k->programs);
        for (int i = 0; i < k->poll_size; i++) {
            number_put(m->run, argument + 1, (size_t)i, I32, &m->chain[i]);
        }
    }
}

bool kernel_interpret(const struct kernel *k, struct lang_run *run) {
    struct machine *m = calloc(1, sizeof *m);
    m->k = k;
    m->run = run;
    for (int id = 0; id < k->value_count; id++) {
        m->at[id] = calloc((size_t)shape_elements(&k->values[id].shape), sizeof **m->at);
    }
    for (int i = 0; i < k->output_count; i++) {
        m->written[i] = calloc((size_t)k->programs * (size_t)k->output_size[i], sizeof *m->written[i]);
    }
    for (int i = 0; i < MAX_ELEMENTS; i++) {
        m->chain[i] = number_integer(1);
    }
    for (m->program = 0; m->program < k->programs && !m->wrong; m->program++) {
        m->execution = m->program * EXECUTIONS;
        run_block(m, &k->body);
    }
    put_shared(m);
    bool legal = !m->wrong;
    for (int id = 0; id < k->value_count; id++) {
        free(m->at[id]);
    }
    for (int i = 0; i < k->output_count; i++) {
        free(m->written[i]);
    }
    free(m);
    return legal;
}
