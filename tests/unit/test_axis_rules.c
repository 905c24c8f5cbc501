// All rules of axis information, on every tile of narrow integers allowed by the operands' facts, with
// wrapping, negative numbers and division by zero: the result must obey its facts. For a fact under an
// assumption, tiles that break the assumption do not count.
#include "testing.h"
#include "passes/facts/axis_rules.h"

enum { EXTENT = 8, MAX_FACTS = 600, MAX_TILES = 1 << 16 };

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t wrapped(int64_t value, unsigned bits) {
    return (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static uint64_t natural(int64_t value, unsigned bits) {
    return (uint64_t)value & ((UINT64_C(1) << bits) - 1);
}

static struct axis_shape shape_of_bits(unsigned bits, bool is_index) {
    return (struct axis_shape){.rank = 1, .extent = {EXTENT}, .bits = bits, .is_index = is_index};
}

// ---- tiles allowed by facts ----

// The length of a certain run; a pointer counts in `unit` bytes.
static int64_t run_of(const struct axis_info *info, int64_t unit) {
    int64_t aligned = info->divisibility[0] / unit;
    return aligned < 1 ? 1 : smaller(info->contiguity[0], aligned);
}

// True if elements [first, first + count) of a tile obey the facts.
static bool allowed(const struct axis_info *info, int64_t unit, int first, int count, const int64_t *at) {
    int64_t run = run_of(info, unit), inside_run = run - 1, inside_group = info->contiguity[0] - 1;
    int64_t unlike = info->constancy[0] - 1, below = info->divisibility[0] - 1; // powers of two, less one
    for (int i = 0; i < count; i++) {
        int64_t place = first + i;
        if (at[i] < info->low || at[i] > info->high || (!(place & inside_group) && (at[i] & below)) ||
            (!(place & inside_run) && (at[i] & (run * unit - 1))) ||
            ((place & inside_run) && i > 0 && at[i] != at[i - 1] + unit) ||
            ((place & unlike) && i > 0 && at[i] != at[i - 1])) {
            return false;
        }
    }
    return true;
}

// Some parts of tiles, one after the other.
struct tiles {
    int count;
    int64_t (*at)[EXTENT];
};

// An operand's facts, its width, the step of its runs, and the requested tiles.
struct operand {
    struct axis_info info;
    unsigned bits;
    int64_t unit;
    struct tiles tiles[EXTENT + 1][EXTENT]; // by length and first element
};

// Every part [first, first + count) of a tile; `have` elements of it stand in `part`.
static void fill(struct operand *o, struct tiles *tiles, int first, int count, int have, int64_t *part) {
    if (have == count) {
        tiles->at = realloc(tiles->at, (size_t)(tiles->count + 1) * sizeof *tiles->at);
        memcpy(tiles->at[tiles->count++], part, sizeof *tiles->at);
        assert_true(tiles->count < MAX_TILES); // too many free neighbours in a rule's facts
        return;
    }
    int64_t low = -(INT64_C(1) << (o->bits - 1)), run = run_of(&o->info, o->unit);
    int64_t before = (first + have) % run * o->unit, after = (run - 1) * o->unit - before;
    for (int64_t value = low; value < -low; value++) {
        part[have] = value;
        // Its whole run must fit, including the part outside this window.
        bool fits = value - before >= o->info.low && value + after <= o->info.high &&
                    (value - before) % (run * o->unit) == 0;
        if (fits && allowed(&o->info, o->unit, first, have + 1, part)) {
            fill(o, tiles, first, count, have + 1, part);
        }
    }
}

static const struct tiles *tiles_of(struct operand *o, int first, int count) {
    struct tiles *tiles = &o->tiles[count][first];
    if (!tiles->at) {
        fill(o, tiles, first, count, 0, (int64_t[EXTENT]){0});
    }
    return tiles;
}

// ---- all facts of a width ----

static void free_facts(struct operand *facts, int count) {
    for (int i = 0; i < count; i++) {
        for (int length = 0; length <= EXTENT; length++) {
            for (int first = 0; first < EXTENT; first++) {
                free(facts[i].tiles[length][first].at);
            }
        }
    }
    free(facts);
}

static bool is_possible(const struct axis_info *info, int64_t unit, unsigned bits) {
    if (info->contiguity[0] > 1 && info->constancy[0] > 1) {
        return false;
    }
    int64_t low = -(INT64_C(1) << (bits - 1)), run = run_of(info, unit);
    for (int64_t start = low; start < -low; start++) {
        if (start % info->divisibility[0] == 0 && start >= info->low &&
            start + run * unit - unit <= info->high) {
            return true;
        }
    }
    return false;
}

static int facts_of(unsigned bits, int64_t unit, struct operand *facts) {
    int64_t top = (INT64_C(1) << (bits - 1)) - 1;
    const int64_t bounds[][2] = {
        {-top - 1, top}, {0, top}, {0, top / 2}, {1, top}, {-3, 2},    {-top - 1, -1},      {0, 0},
        {1, 1},          {4, 4},   {-1, -1},     {-4, -4}, {top, top}, {-top - 1, -top - 1}};
    int count = 0;
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        for (int shape = 0; shape < 7; shape++) {
            for (int64_t divisibility = unit; divisibility <= 2 << (bits - 1); divisibility *= 2) {
                struct axis_info info = {.rank = 1,
                                         .contiguity = {shape < 4 ? 1 << shape : 1},
                                         .constancy = {shape < 4 ? 1 : 2 << (shape - 4)},
                                         .divisibility = {divisibility},
                                         .low = bounds[b][0],
                                         .high = bounds[b][1]};
                if (is_possible(&info, unit, bits)) {
                    assert_true(count < MAX_FACTS);
                    facts[count++] = (struct operand){.info = info, .bits = bits, .unit = unit};
                }
            }
        }
    }
    return count;
}

// ---- reference results of the ops ----

// False if the result breaks an assumption of `assumed`.
static bool compute(enum op_kind kind, unsigned bits, unsigned assumed, int64_t x, int64_t y,
                    int64_t *result) {
    uint64_t u = natural(x, bits), v = natural(y, bits);
    int64_t exact = 0, lowest = -(INT64_C(1) << (bits - 1)); // replaces a divisor 0
    switch (kind) {
    case OP_ADDI:
        exact = x + y;
        break;
    case OP_SUBI:
        exact = x - y;
        break;
    case OP_MULI:
        exact = x * y;
        break;
    case OP_SHLI: // by the width or more: anything
        exact = v < bits ? x * (INT64_C(1) << v) : 0;
        break;
    case OP_SHRSI:
        exact = v < bits ? x >> v : 0;
        break;
    case OP_SHRUI:
        exact = v < bits ? (int64_t)(u >> v) : 0;
        break;
    case OP_DIVSI:
        exact = x / (y ? y : lowest);
        break;
    case OP_DIVUI:
        exact = (int64_t)(u / (v ? v : natural(lowest, bits)));
        break;
    case OP_REMSI:
        exact = x % (y ? y : lowest);
        break;
    case OP_REMUI:
        exact = (int64_t)(u % (v ? v : natural(lowest, bits)));
        break;
    case OP_ANDI:
        exact = x & y;
        break;
    case OP_ORI:
        exact = x | y;
        break;
    case OP_XORI:
        exact = x ^ y;
        break;
    case OP_MINSI:
        exact = x < y ? x : y;
        break;
    case OP_MAXSI:
        exact = x > y ? x : y;
        break;
    case OP_MINUI:
        exact = u < v ? x : y;
        break;
    case OP_MAXUI:
        exact = u > v ? x : y;
        break;
    default:
        fail_msg("no such op");
    }
    *result = wrapped(exact, bits);
    bool breaks = ((assumed & AXIS_ASSUMES_NO_WRAP) && *result != exact) ||
                  ((assumed & AXIS_ASSUMES_DIVISORS) && y < 0 && (kind == OP_DIVSI || kind == OP_REMSI));
    return !breaks;
}

static bool compare(int64_t predicate, unsigned bits, int64_t x, int64_t y) {
    uint64_t u = natural(x, bits), v = natural(y, bits);
    const bool holds[] = {x == y, x != y, x<y, x <= y, x> y, x >= y, u<v, u <= v, u> v, u >= v};
    return holds[predicate];
}

// ---- rules against ops ----

// The number of neighbours in the facts; equal bounds cover each of them.
static int window_of(const struct axis_info *result, int64_t unit) {
    int64_t run = run_of(result, unit), window = run > result->constancy[0] ? run : result->constancy[0];
    return result->low == result->high ? 1 : (int)smaller(window, EXTENT);
}

static void print_facts(const struct axis_info *info, int count, const int64_t *at) {
    print_error("  contiguity %d divisibility %d constancy %d in [%d, %d]:", (int)info->contiguity[0],
                (int)info->divisibility[0], (int)info->constancy[0], (int)info->low, (int)info->high);
    for (int i = 0; i < count; i++) {
        print_error(" %d", (int)at[i]);
    }
    print_error("\n");
}

// Two operands and a result; `element` computes one element, or reports a broken assumption.
struct rule {
    const char *name;
    struct axis_info (*facts)(const struct rule *rule, const struct operand *a, const struct operand *b);
    bool (*element)(const struct rule *rule, unsigned assumed, int64_t x, int64_t y, int64_t *result);
    enum op_kind kind;
    int64_t predicate;
    unsigned from_bits;
    struct axis_shape shape;
    int64_t unit;
};

static void check_pair(const struct rule *rule, struct operand *a, struct operand *b) {
    struct axis_info result = rule->facts(rule, a, b);
    int window = window_of(&result, rule->unit);
    unsigned assumed = result.assumes | result.bounds_assume;
    for (int first = 0; first < EXTENT; first += window) {
        const struct tiles *xs = tiles_of(a, first, window), *ys = tiles_of(b, first, window);
        for (int i = 0; i < xs->count; i++) {
            for (int j = 0; j < ys->count; j++) {
                int64_t at[EXTENT];
                bool counts = true;
                for (int e = 0; e < window; e++) {
                    counts = rule->element(rule, assumed, xs->at[i][e], ys->at[j][e], &at[e]) && counts;
                }
                if (counts && !allowed(&result, rule->unit, first, window, at)) {
                    print_error("%s, elements from %d\n", rule->name, first);
                    print_facts(&a->info, window, xs->at[i]);
                    print_facts(&b->info, window, ys->at[j]);
                    print_facts(&result, window, at);
                    fail();
                }
            }
        }
    }
}

static void check_rule(const struct rule *rule, struct operand *left, int lefts, struct operand *right,
                       int rights) {
    for (int i = 0; i < lefts; i++) {
        for (int j = 0; j < rights; j++) {
            check_pair(rule, &left[i], &right[j]);
        }
    }
}

static struct axis_info computed_facts(const struct rule *rule, const struct operand *a,
                                       const struct operand *b) {
    struct axis_op op = {rule->kind,      rule->shape, rule->from_bits,   rule->unit,
                         rule->predicate, 2,           {a->info, b->info}};
    return axis_computed(&op);
}

static bool computed_element(const struct rule *rule, unsigned assumed, int64_t x, int64_t y,
                             int64_t *result) {
    return compute(rule->kind, rule->shape.bits, assumed, x, y, result);
}

static void arithmetic(unsigned bits, bool is_index) {
    static const enum op_kind data[] = {OP_ADDI,  OP_SUBI,  OP_MULI,  OP_SHLI,  OP_SHRSI, OP_SHRUI,
                                        OP_DIVSI, OP_DIVUI, OP_REMSI, OP_REMUI, OP_ANDI,  OP_ORI,
                                        OP_XORI,  OP_MINSI, OP_MAXSI, OP_MINUI, OP_MAXUI};
    static const enum op_kind indices[] = {OP_ADDI, OP_SUBI, OP_MULI, OP_SHLI, OP_DIVSI}; // with assumptions
    const enum op_kind *kinds = is_index ? indices : data;
    size_t kind_count = is_index ? sizeof indices / sizeof *indices : sizeof data / sizeof *data;
    struct operand *facts = calloc(MAX_FACTS, sizeof *facts);
    int count = facts_of(bits, 1, facts);
    for (size_t k = 0; k < kind_count; k++) {
        struct rule rule = {op_table[kinds[k]].name,
                            computed_facts,
                            computed_element,
                            kinds[k],
                            0,
                            bits,
                            shape_of_bits(bits, is_index),
                            1};
        check_rule(&rule, facts, count, facts, count);
    }
    free_facts(facts, count);
}

static void arithmetic_of_data(void **state) {
    arithmetic(4, false);
}

static void arithmetic_of_indices(void **state) {
    arithmetic(4, true);
}

static bool compared_element(const struct rule *rule, unsigned assumed, int64_t x, int64_t y,
                             int64_t *result) {
    (void)assumed;
    *result = compare(rule->predicate, rule->from_bits, x, y) ? -1 : 0;
    return true;
}

static void comparisons(void **state) {
    struct operand *facts = calloc(MAX_FACTS, sizeof *facts);
    int count = facts_of(4, 1, facts);
    for (int64_t predicate = 0; predicate < 10; predicate++) {
        struct rule rule = {"arith.cmpi",
                            computed_facts,
                            compared_element,
                            OP_CMPI,
                            predicate,
                            4,
                            shape_of_bits(1, false),
                            1};
        check_rule(&rule, facts, count, facts, count);
    }
    free_facts(facts, count);
}

static bool cast_element(const struct rule *rule, unsigned assumed, int64_t x, int64_t y, int64_t *result) {
    (void)assumed;
    (void)y;
    *result = wrapped(rule->kind == OP_EXTUI ? (int64_t)natural(x, rule->from_bits) : x, rule->shape.bits);
    return true;
}

static struct axis_info cast_facts(const struct rule *rule, const struct operand *a,
                                   const struct operand *b) {
    (void)b;
    struct axis_op op = {rule->kind, rule->shape, rule->from_bits, 1, 0, 1, {a->info}};
    return axis_computed(&op);
}

static void casts(void **state) {
    static const struct {
        enum op_kind kind;
        unsigned from, to;
    } all[] = {{OP_TRUNCI, 6, 4}, {OP_TRUNCI, 5, 4}, {OP_TRUNCI, 5, 3}, {OP_TRUNCI, 4, 2},
               {OP_TRUNCI, 4, 1}, {OP_EXTSI, 4, 8},  {OP_EXTSI, 2, 3},  {OP_EXTSI, 1, 4},
               {OP_EXTUI, 4, 8},  {OP_EXTUI, 4, 5},  {OP_EXTUI, 2, 3},  {OP_EXTUI, 1, 4}};
    struct operand *nothing = calloc(1, sizeof *nothing);
    *nothing = (struct operand){
        {.rank = 1, .contiguity = {1}, .divisibility = {1}, .constancy = {EXTENT}}, 4, 1, {{{0}}}};
    for (size_t c = 0; c < sizeof all / sizeof *all; c++) {
        struct operand *facts = calloc(MAX_FACTS, sizeof *facts);
        int count = facts_of(all[c].from, 1, facts);
        struct rule rule = {
            op_table[all[c].kind].name,      cast_facts, cast_element, all[c].kind, 0, all[c].from,
            shape_of_bits(all[c].to, false), 1};
        check_rule(&rule, facts, count, nothing, 1);
        free_facts(facts, count);
    }
    free_facts(nothing, 1);
}

// Addresses in bytes, of elements of two.
static bool address_element(const struct rule *rule, unsigned assumed, int64_t x, int64_t y,
                            int64_t *result) {
    (void)assumed;
    *result = x + y * rule->unit;
    return true;
}

static void addresses(void **state) {
    struct operand *pointers = calloc(MAX_FACTS, sizeof *pointers),
                   *indices = calloc(MAX_FACTS, sizeof *indices);
    int pointer_count = facts_of(5, 2, pointers), index_count = facts_of(4, 1, indices);
    struct rule rule = {
        "tk.addptr", computed_facts, address_element, OP_ADDPTR, 0, 64, shape_of_bits(64, false), 2};
    check_rule(&rule, pointers, pointer_count, indices, index_count);
    free_facts(pointers, pointer_count);
    free_facts(indices, index_count);
}

// A select by tiles with 1, 2, 4, 8 equal elements.
static struct axis_info selected_facts(const struct rule *rule, const struct operand *a,
                                       const struct operand *b) {
    struct axis_shape shape = shape_of_bits(1, false);
    struct axis_info condition = axis_unknown(&shape);
    condition.constancy[0] = rule->predicate;
    struct axis_op op = {OP_SELECT, rule->shape, 1, 1, 0, 3, {condition, a->info, b->info}};
    return axis_computed(&op);
}

static bool left_element(const struct rule *rule, unsigned assumed, int64_t x, int64_t y, int64_t *result) {
    (void)rule;
    (void)assumed;
    (void)y;
    *result = x;
    return true;
}

static bool right_element(const struct rule *rule, unsigned assumed, int64_t x, int64_t y, int64_t *result) {
    return left_element(rule, assumed, y, x, result);
}

static struct axis_info met_facts(const struct rule *rule, const struct operand *a, const struct operand *b) {
    (void)rule;
    return axis_meet(&a->info, &b->info);
}

static struct axis_info widened_facts(const struct rule *rule, const struct operand *a,
                                      const struct operand *b) {
    return axis_widen(&rule->shape, &a->info, &b->info);
}

// Within a group with one condition, the result is one operand or the other.
static void choices(void **state) {
    struct operand *facts = calloc(MAX_FACTS, sizeof *facts);
    int count = facts_of(4, 1, facts);
    struct rule rule = {.name = "arith.select", .shape = shape_of_bits(4, false), .unit = 1};
    struct axis_info (*const all[])(const struct rule *, const struct operand *,
                                    const struct operand *) = {met_facts, widened_facts, selected_facts};
    for (int r = 0; r < 3; r++) {
        rule.facts = all[r];
        rule.predicate = EXTENT;
        rule.element = left_element;
        check_rule(&rule, facts, count, facts, count);
        rule.element = right_element;
        check_rule(&rule, facts, count, facts, count);
    }
    rule.facts = selected_facts;
    for (rule.predicate = 1; rule.predicate <= EXTENT; rule.predicate *= 2) {
        for (int i = 0; i < count; i++) {
            struct axis_info same = rule.facts(&rule, &facts[i], &facts[i]);
            assert_true(same.constancy[0] <= rule.predicate || same.low == same.high);
            assert_int_equal(same.contiguity[0], 1);
        }
    }
    free_facts(facts, count);
}

RUN(TEST(arithmetic_of_data), TEST(arithmetic_of_indices), TEST(comparisons), TEST(casts), TEST(addresses),
    TEST(choices))
