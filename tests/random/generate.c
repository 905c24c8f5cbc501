// Random kernels from seeds. Each step adds statements with operands from the scope, or made for the purpose.
#include "generate.h"

#include <stdlib.h>
#include <string.h>

enum { NARROW_STATEMENTS = 130 }; // of a block; its results must have room behind them

typedef void step_adder(struct maker *g, struct block *block);

static step_adder *any_step(struct maker *g) {
    static const struct {
        step_adder *add;
        unsigned weight, deepest;
    } steps[] = {{add_elementwise, 24, 9}, {add_select, 7, 9}, {add_shape, 12, 9}, {add_reduce, 10, 9},
                 {add_scan, 6, 9},         {add_across, 7, 9}, {add_load, 6, 9},   {add_dot, 6, 9},
                 {add_for, 5, 1},          {add_while, 4, 1},  {add_if, 5, 2},     {add_matmul, 6, 1},
                 {add_idiom, 6, 9},        {add_running, 3, 1}};
    unsigned total = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        total += g->depth <= (int)steps[i].deepest ? steps[i].weight : 0;
    }
    unsigned chosen = pick(g, total);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (g->depth > (int)steps[i].deepest) {
            continue;
        }
        if (chosen < steps[i].weight) {
            return steps[i].add;
        }
        chosen -= steps[i].weight;
    }
    return add_elementwise; // weights add up to the total
}

static void step(struct maker *g, struct block *block) {
    int known = g->scope_count;
    bool widens = g->k->narrow && chance(g, 50);
    (widens ? add_widened : any_step(g))(g, block);
    if (g->scope_count > known && chance(g, 60)) {
        g->kept[g->kept_count++] = g->scope[g->scope_count - 1];
    }
}

void some_steps(struct maker *g, struct block *block, int count) {
    if (!block->items) {
        block->items = calloc(MAX_STATEMENTS, sizeof *block->items);
    }
    int most = g->k->narrow ? NARROW_STATEMENTS : MAX_STATEMENTS;
    for (int i = 0; i < count && has_room(g, block) && block->count < most; i++) {
        step(g, block);
    }
}

// ---- the compiler's assumptions ----

// An access may depend on the assumptions no_wrap and divisors (src/decisions/05). No kernel may break them
// on the way to an address or its mask: by sums, products and differences of 32 and 64 bits that may wrap, or
// by quotients with a possibly negative divisor.
static bool breaks_assumption(const struct kernel *k, const struct statement *s) {
    if (s->result_count == 0 || (s->kind != BINARY && s->kind != SHIFT && s->kind != UNARY)) {
        return false;
    }
    const struct value *v = &k->values[s->results[0]];
    if (element_is_real(v->element) || element_width(v->element) < 32) {
        return false;
    }
    bool anything = v->low == element_low(v->element) && v->high == element_high(v->element);
    if (s->kind == BINARY && (s->op == DIV || s->op == MOD)) {
        return k->values[s->operands[1]].low < 0;
    }
    return anything && (s->kind == BINARY ? s->op <= MUL : s->kind == SHIFT ? !s->op : s->op != INVERT);
}

// False for data: values loaded, or combined from several elements. The compiler assumes nothing about them.
static bool hands_on(enum kind kind) {
    return kind != LOAD && kind != REDUCE && kind != SCAN && kind != DOT && kind != HISTOGRAM && kind != SORT;
}

static bool taint(bool *tainted, int id, bool how) {
    bool changed = how && !tainted[id];
    tainted[id] |= how;
    return changed;
}

// Marks the values computed from such a result; true if there are more than before.
static bool taint_block(const struct kernel *k, const struct block *block, bool *tainted) {
    bool changed = false;
    for (int n = 0; n < block->count; n++) {
        const struct statement *s = &block->items[n];
        bool own = breaks_assumption(k, s);
        for (int i = 0; i < s->operand_count; i++) {
            own |= hands_on(s->kind) && tainted[s->operands[i]];
        }
        for (int i = 0; i < s->result_count; i++) {
            changed |= taint(tainted, s->results[i], own);
        }
        for (int i = 0; i < s->carry_count; i++) {
            const struct carry *c = &s->carries[i];
            bool in = tainted[c->before] | tainted[c->end] | (s->kind == IF && tainted[c->other_end]);
            changed |= taint(tainted, c->inside, in) | taint(tainted, c->after, in);
        }
        changed |= taint_block(k, &s->body, tainted) | taint_block(k, &s->other, tainted);
    }
    return changed;
}

static bool is_tainted(const struct kernel *k, int id) {
    bool tainted[MAX_VALUES] = {false};
    while (taint_block(k, &k->body, tainted)) {
        continue;
    }
    return tainted[id];
}

// ---- stores ----

void store(struct maker *g, int id) {
    struct kernel *k = g->k;
    if (of(g, id)->element == I1) {
        id = cast_to(g, &k->body, id, I32);
    }
    int mask = chance(g, 30) ? condition(g, &k->body, of(g, id)->shape) : -1;
    mask = mask >= 0 && is_tainted(k, mask) ? -1 : mask;
    struct statement *s = append(g, &k->body, STORE, -1);
    s->number = k->output_count;
    operand(s, id);
    if (mask >= 0) {
        operand(s, mask);
    }
    k->outputs[k->output_count] = of(g, id)->element;
    k->output_size[k->output_count++] = (int)shape_elements(&of(g, id)->shape);
}

// The number of operations behind each value.
static void weigh(const struct block *block, unsigned *weight) {
    for (int n = 0; n < block->count; n++) {
        const struct statement *s = &block->items[n];
        unsigned sum = s->kind == CONSTANT ? 0 : s->kind == DOT ? 8 : 1;
        for (int i = 0; i < s->operand_count; i++) {
            sum += weight[s->operands[i]];
        }
        for (int i = 0; i < s->carry_count; i++) {
            weight[s->carries[i].inside] = weight[s->carries[i].before];
        }
        weigh(&s->body, weight);
        weigh(&s->other, weight);
        sum = sum < 1000 ? sum : 1000;
        for (int i = 0; i < s->result_count; i++) {
            weight[s->results[i]] = sum;
        }
        for (int i = 0; i < s->carry_count; i++) {
            weight[s->carries[i].after] = sum + 5 + weight[s->carries[i].end];
        }
    }
}

// The heaviest of a few values in scope, made light afterwards; -1 if none is worth it.
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
        int id = g->scope_count && g->k->body.count < MAX_STATEMENTS - 150 ? take_heavy(g, weight) : -1;
        if (id >= 0) {
            store(g, id);
        }
    }
    for (int i = 0; i < 4; i++) {
        int id = g->scope_count ? take_heavy(g, weight) : -1;
        if (id >= 0) {
            g->kept[g->kept_count++] = id;
        }
    }
    store(g, digest(g, &g->k->body, scalar_constant(g, &g->k->body, 1), 0));
}

void add_ending(struct maker *g) {
    struct kernel *k = g->k;
    struct shape row = {1, {g->extents[pick(g, 2)]}};
    if (k->body.count > MAX_STATEMENTS - 140) {
        return;
    }
    unsigned which = pick(g, 5);
    if (which > 2) {
        return;
    }
    int id = tile(g, &k->body, I32, row);
    int slot = which == 0 ? bounded(g, &k->body, tile(g, &k->body, I32, row), 0, SLOTS - 1) : -1;
    if (slot >= 0 && is_tainted(k, slot)) {
        slot = bounded(g, &k->body, load(g, &k->body, 2, along(g, &k->body, row, 0, 1)), 0, SLOTS - 1);
    }
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

struct kernel *kernel_generate(uint64_t seed, bool hostile, bool narrow) {
    struct kernel *k = calloc(1, sizeof *k);
    struct maker g = {.k = k, .state = lang_hash(seed, 2, 3), .budget = 600};
    k->seed = seed;
    k->hostile = hostile;
    k->narrow = narrow;
    g.extents[0] = 16 << pick(&g, 3);
    g.extents[1] = 16 << pick(&g, 4);
    k->programs = 1 + (int)pick(&g, 3);
    k->grid[0] = k->programs;
    k->grid[1] = k->grid[2] = 1;
    k->warps = 1u << pick(&g, 5);
    k->stages = 1 + pick(&g, 4);
    k->hints = pick(&g, 256);
    for (int i = 0; i < 3; i++) {
        k->counts[i] = (int)pick(&g, ROUNDS + 1);
    }
    if (!narrow && chance(&g, 40)) {
        make_product(&g);
        kernel_drop_unused(k);
        return k;
    }
    some_steps(&g, &k->body, 2 + (int)pick(&g, 6));
    if (chance(&g, 75)) { // most bugs live in loops
        (chance(&g, 50) ? add_matmul : chance(&g, 50) ? add_for : add_while)(&g, &k->body);
    }
    some_steps(&g, &k->body, 4 + (int)pick(&g, 20));
    store_some(&g);
    add_ending(&g);
    kernel_drop_unused(k);
    return k;
}
