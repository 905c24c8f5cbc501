// The stores of a random kernel, computed statement by statement: integers wrap in 64 bits and are narrowed
// to their type, reals are whole numbers in float64.
#include "kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 64 };

union number {
    int64_t i;
    double r;
};

struct machine {
    const struct kernel *k;
    struct lang_run *run;
    union number *at[MAX_VALUES];
    int program, turn;     // of the grid; the turns seen by POLL's chain
    bool wrong;            // no legal kernel
    bool released, polled; // done by earlier programs; may be removed by shrinking
    int64_t slots[SLOTS], chain[MAX_ELEMENTS], totals[MAX_ELEMENTS];
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

static void put(struct machine *m, int id, int64_t index, union number value) {
    if (!is_real(m, id)) {
        value.i = narrow(type_of(m, id)->element, value.i);
    }
    m->at[id][index] = value;
}

// ---- operators ----

static union number binary_of(struct machine *m, const struct statement *s, union number a, union number b) {
    enum element element = type_of(m, s->results[0])->element;
    union number n = {0};
    if (element_is_real(element)) {
        n.r = s->op == ADD   ? a.r + b.r
              : s->op == SUB ? a.r - b.r
              : s->op == MUL ? a.r * b.r
              : s->op == MIN ? fmin(a.r, b.r)
                             : fmax(a.r, b.r);
        return n;
    }
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

static bool compares(struct machine *m, const struct statement *s, union number a, union number b) {
    bool real = is_real(m, s->operands[0]), less = real ? a.r < b.r : a.i < b.i,
         same = real ? a.r == b.r : a.i == b.i;
    const bool holds[COMPARES] = {same, !same, less, less || same, !less && !same, !less};
    return holds[s->op];
}

static union number one(struct machine *m, const struct statement *s, int64_t i) {
    union number n = {0}, a = {0};
    int from = s->operands[0];
    if (s->operand_count > 0) {
        a = m->at[from][i];
    }
    switch (s->kind) {
    case CONSTANT:
        n.i = s->number;
        if (is_real(m, s->results[0])) {
            n.r = (double)s->number;
        }
        return n;
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
        if (is_real(m, from)) {
            n.r = s->op == NEGATE ? 0 - a.r : s->op == EXP2 ? (double)exp2f((float)a.r) : fabs(a.r);
        } else {
            n.i = s->op == INVERT ? ~a.i : s->op == NEGATE || a.i < 0 ? (int64_t)(0 - (uint64_t)a.i) : a.i;
        }
        return n;
    case COMPARE:
        n.i = compares(m, s, a, m->at[s->operands[1]][i]);
        return n;
    case SHIFT:
        n.i = s->op ? a.i >> s->number : (int64_t)((uint64_t)a.i << s->number);
        return n;
    case SELECT:
        return m->at[s->operands[a.i ? 1 : 2]][i];
    default: // CAST
        if (is_real(m, s->results[0]) && !is_real(m, from)) {
            n.r = (double)a.i;
        } else if (!is_real(m, s->results[0]) && is_real(m, from)) {
            n.i = (int64_t)a.r;
        } else {
            n = a;
        }
        return n;
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

// The index of the operand's element that becomes element `i` of the result.
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

static bool before(bool real, union number a, union number b) {
    return real ? a.r < b.r : a.i < b.i;
}

static void reduce(struct machine *m, const struct statement *s) {
    const union number *a = m->at[s->operands[0]];
    bool real = is_real(m, s->operands[0]);
    struct lines lines = lines_of(&type_of(m, s->operands[0])->shape, s->axis);
    for (int64_t n = 0; n < lines.count; n++) {
        int64_t start = line_start(&lines, n), best = 0;
        union number sum = a[start];
        bool smallest = s->op == SMALLEST || s->op == WHERE_SMALLEST;
        for (int64_t i = 1; i < lines.length; i++) {
            union number x = a[start + i * lines.step], found = a[start + best * lines.step];
            if (real) {
                sum.r += x.r;
            } else {
                sum.i = s->op == XORED ? sum.i ^ x.i : (int64_t)((uint64_t)sum.i + (uint64_t)x.i);
            }
            if (smallest ? before(real, x, found) : before(real, found, x)) {
                best = i;
            }
        }
        union number where = {.i = best}, value = a[start + best * lines.step];
        bool sums = s->op == SUM || s->op == ADD_UP || s->op == XORED;
        bool index = s->op == WHERE_LARGEST || s->op == WHERE_SMALLEST;
        put(m, s->results[0], n, sums ? sum : index ? where : value);
        if (s->result_count > 1) {
            put(m, s->results[1], n, where);
        }
    }
}

static void scan(struct machine *m, const struct statement *s) {
    const union number *a = m->at[s->operands[0]];
    int r = s->results[0];
    bool real = is_real(m, r);
    struct lines lines = lines_of(&type_of(m, r)->shape, s->axis);
    for (int64_t n = 0; n < lines.count; n++) {
        union number so_far = {0};
        for (int64_t i = 0; i < lines.length; i++) {
            int64_t at = line_start(&lines, n) + (s->flag ? lines.length - 1 - i : i) * lines.step;
            union number x = a[at];
            if (s->op == SCAN_RECURRENCE) { // x · b + y; the first element is its own
                union number y = m->at[s->operands[1]][at];
                so_far.i = i == 0 ? y.i : (int64_t)((uint64_t)so_far.i * (uint64_t)x.i + (uint64_t)y.i);
            } else if (s->op == SCAN_KEEP_LARGER) {
                so_far = i == 0 || before(real, so_far, x) ? x : so_far;
            } else if (real) {
                so_far.r += x.r;
            } else {
                so_far.i = (int64_t)((uint64_t)so_far.i + (uint64_t)x.i);
            }
            put(m, r, at, so_far);
            so_far = m->at[r][at];
        }
    }
}

static int by_number(const void *x, const void *y) {
    int64_t a = ((const union number *)x)->i, b = ((const union number *)y)->i;
    return (a > b) - (a < b);
}

static void across(struct machine *m, const struct statement *s) {
    int r = s->results[0], a = s->operands[0];
    int64_t elements = elements_of(m, r);
    if (s->kind == HISTOGRAM) {
        memset(m->at[r], 0, (size_t)elements * sizeof **m->at);
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
        }
    } else {
        memset(m->at[r], 0, (size_t)elements * sizeof **m->at); // SPREAD
    }
}

static void dot(struct machine *m, const struct statement *s) {
    int a = s->operands[0], b = s->operands[1], r = s->results[0];
    int rows = type_of(m, a)->shape.extent[0], depth = type_of(m, a)->shape.extent[1],
        columns = type_of(m, b)->shape.extent[1];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            union number sum = {0};
            if (s->operand_count > 2) {
                sum = m->at[s->operands[2]][i * columns + j];
            }
            for (int k = 0; k < depth; k++) {
                union number x = m->at[a][i * depth + k], y = m->at[b][k * columns + j];
                if (is_real(m, r)) {
                    sum.r += x.r * y.r;
                } else {
                    sum.i += x.i * y.i;
                }
            }
            put(m, r, i * columns + j, sum);
        }
    }
}

// ---- memory ----

static void load(struct machine *m, const struct statement *s) {
    int r = s->results[0];
    bool reals = is_real(m, r);
    for (int64_t i = 0; i < elements_of(m, r); i++) {
        int64_t at = m->at[s->operands[0]][i].i;
        union number n = {.i = s->axis};
        if (reals) {
            n.r = (double)s->axis;
        }
        if (s->operand_count < 2 || m->at[s->operands[1]][i].i) {
            int64_t size = BUFFER_ELEMENTS;
            if (s->number >= INPUTS) {
                size = (int64_t)m->k->programs * m->k->output_size[s->number - INPUTS];
            }
            if (at < 0 || at >= size) {
                m->wrong = true;
                return;
            }
            if (reals) {
                n.r = real(m->run, (unsigned)s->number, (size_t)at);
            } else {
                n.i = integer(m->run, (unsigned)s->number, (size_t)at);
            }
        }
        put(m, r, i, n);
    }
}

static void store(struct machine *m, const struct statement *s) {
    bool placed = s->kind == PUT;
    int a = s->operands[placed], mask = s->operand_count > placed + 1 ? s->operands[placed + 1] : -1;
    int64_t elements = elements_of(m, a), size = (int64_t)m->k->programs * m->k->output_size[s->number];
    unsigned argument = (unsigned)kernel_argument_of_output(m->k, (int)s->number);
    for (int64_t i = 0; i < elements; i++) {
        if (mask >= 0 && !m->at[mask][i].i) {
            continue;
        }
        int64_t index = placed ? m->at[s->operands[0]][i].i : m->program * elements + i;
        size_t at = (size_t)index;
        m->wrong |= index < 0 || index >= size;
        if (m->wrong) {
            return;
        }
        if (is_real(m, a)) {
            put_real(m->run, argument, at, m->at[a][i].r);
        } else {
            put_bits(m->run, argument, at, (uint64_t)m->at[a][i].i);
        }
    }
}

static void atomic(struct machine *m, const struct statement *s) {
    for (int64_t i = 0; i < elements_of(m, s->operands[0]); i++) {
        int64_t slot = m->at[s->operands[1]][i].i;
        if (slot < 0 || slot >= SLOTS) {
            m->wrong = true;
        } else {
            m->slots[slot] += m->at[s->operands[0]][i].i;
        }
    }
}

static void hand_on(struct machine *m, const struct statement *s) {
    m->released |= s->kind == RELEASE;
    m->polled |= s->kind == POLL;
    unsigned argument = (unsigned)kernel_argument_of_output(m->k, m->k->output_count);
    int64_t elements = elements_of(m, s->operands[0]);
    for (int64_t i = 0; i < elements; i++) {
        int64_t value = m->at[s->operands[0]][i].i;
        if (s->kind == RELEASE) {
            put_integer(m->run, argument, (size_t)(m->program * elements + i), value);
            m->totals[i] += value;
        } else {
            m->chain[i] = narrow(I32, m->chain[i] * 3 + value);
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
        if (m->at[counter][i].i > 0) {
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
        run_body(m, s, !m->at[s->operands[0]][0].i);
        return;
    }
    int64_t rounds = s->kind == FOR ? m->at[s->operands[0]][0].i : ROUNDS_MAX;
    m->wrong |= rounds > ROUNDS_MAX;
    for (int64_t round = 0; round < rounds && !m->wrong; round++) {
        if (s->kind == FOR) {
            m->at[s->results[0]][0].i = s->number + (s->flag ? rounds - 1 - round : round) * s->axis;
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
            m->at[r][i] = m->at[s->operands[0]][source(m, s, i)];
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
                             any = BITS(input_elements[i], BUFFER_ELEMENTS);
        whole.generator = GENERATE_WHOLE;
        arguments[n++] = element_is_real(input_elements[i]) ? whole : any;
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
        put_integer(m->run, argument, i, m->slots[i]);
    }
    argument += k->slots;
    if (m->released) {
        put_integer(m->run, argument + 1, 0, k->programs);
        for (int i = 0; i < k->release_size; i++) {
            put_integer(m->run, argument + 2, (size_t)i, m->totals[i]);
        }
    }
    if (m->polled) {
        put_integer(m->run, argument, 0, k->programs);
        for (int i = 0; i < k->poll_size; i++) {
            put_integer(m->run, argument + 1, (size_t)i, m->chain[i]);
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
    for (int i = 0; i < MAX_ELEMENTS; i++) {
        m->chain[i] = 1;
    }
    for (m->program = 0; m->program < k->programs && !m->wrong; m->program++) {
        run_block(m, &k->body);
    }
    put_shared(m);
    bool legal = !m->wrong;
    for (int id = 0; id < k->value_count; id++) {
        free(m->at[id]);
    }
    free(m);
    return legal;
}
