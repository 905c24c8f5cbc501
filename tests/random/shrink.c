// Shrinks a failing kernel: a statement becomes constants, or is removed; the launch gets smaller. Every step
// leaves a legal kernel, or the interpreter rejects it.
#include "kernel.h"

#include <string.h>

// ---- uses ----

static bool has_effect(const struct statement *s) {
    bool effect =
        s->kind == STORE || s->kind == PUT || s->kind == ATOMIC || s->kind == RELEASE || s->kind == POLL;
    for (int i = 0; i < s->body.count && !effect; i++) {
        effect = has_effect(&s->body.items[i]);
    }
    for (int i = 0; i < s->other.count && !effect; i++) {
        effect = has_effect(&s->other.items[i]);
    }
    return effect;
}

static bool mark(bool *live, int id) {
    bool changed = id >= 0 && !live[id];
    if (changed) {
        live[id] = true;
    }
    return changed;
}

static bool lives(const bool *live, int id) {
    return id >= 0 && live[id]; // -1: there is none
}

static bool is_live(const struct statement *s, const bool *live) {
    bool needed = has_effect(s);
    for (int i = 0; i < s->result_count && s->kind != FOR; i++) {
        needed |= lives(live, s->results[i]);
    }
    for (int i = 0; i < s->carry_count; i++) {
        needed |= lives(live, s->carries[i].after);
    }
    return needed;
}

static bool carry_is_live(const struct statement *s, int i, const bool *live) {
    return (s->kind == WHILE && i == 0) || lives(live, s->carries[i].after) ||
           lives(live, s->carries[i].inside);
}

static bool mark_block(const struct block *block, bool *live) {
    bool changed = false;
    for (int n = block->count - 1; n >= 0; n--) {
        const struct statement *s = &block->items[n];
        if (!is_live(s, live)) {
            continue;
        }
        for (int i = 0; i < s->operand_count; i++) {
            changed |= mark(live, s->operands[i]);
        }
        for (int i = 0; i < s->carry_count; i++) {
            const struct carry *c = &s->carries[i];
            if (carry_is_live(s, i, live)) {
                changed |= mark(live, c->before) | mark(live, c->end) | mark(live, c->other_end) |
                           mark(live, c->after);
            }
        }
        changed |= mark_block(&s->body, live) | mark_block(&s->other, live);
    }
    return changed;
}

static void sweep(struct block *block, const bool *live) {
    int kept = 0;
    for (int n = 0; n < block->count; n++) {
        struct statement *s = &block->items[n];
        if (!is_live(s, live)) {
            block_free(&s->body);
            block_free(&s->other);
            continue;
        }
        int carries = 0;
        for (int i = 0; i < s->carry_count; i++) {
            if (carry_is_live(s, i, live)) {
                s->carries[carries++] = s->carries[i];
            }
        }
        s->carry_count = carries;
        sweep(&s->body, live);
        sweep(&s->other, live);
        block->items[kept++] = *s;
    }
    block->count = kept;
}

void kernel_drop_unused(struct kernel *kernel) {
    bool live[MAX_VALUES] = {0};
    while (mark_block(&kernel->body, live)) {
        continue;
    }
    sweep(&kernel->body, live);
}

// ---- steps ----

static int count_statements(const struct block *block) {
    int count = block->count;
    for (int i = 0; i < block->count; i++) {
        count += count_statements(&block->items[i].body) + count_statements(&block->items[i].other);
    }
    return count;
}

int kernel_statements(const struct kernel *kernel) {
    return count_statements(&kernel->body);
}

static struct statement constant(const struct kernel *k, int id) {
    const struct value *v = &k->values[id];
    int64_t number = v->low > 0 ? v->low : v->high < 0 ? v->high : 0;
    return (struct statement){.kind = CONSTANT, .results = {id}, .result_count = 1, .number = number};
}

// Statement `n` of the block, in order of the text, becomes constants. False if it is one already.
static bool replace(struct kernel *k, struct block *block, int *n) {
    for (int i = 0; i < block->count; i++) {
        struct statement *s = &block->items[i];
        if ((*n)-- > 0) {
            if (replace(k, &s->body, n) || replace(k, &s->other, n)) {
                return true;
            }
            if (*n < 0) {
                return false;
            }
            continue;
        }
        struct statement made[MAX_CARRIES + 2];
        int count = 0;
        if (s->kind == CONSTANT && s->number == constant(k, s->results[0]).number) {
            return false;
        }
        for (int r = 0; r < s->result_count && s->kind != FOR; r++) {
            made[count++] = constant(k, s->results[r]);
        }
        for (int c = 0; c < s->carry_count; c++) {
            made[count++] = constant(k, s->carries[c].after);
        }
        if (block->count + count > MAX_STATEMENTS) {
            return false;
        }
        block_free(&s->body);
        block_free(&s->other);
        memmove(s + count, s + 1, (size_t)(block->count - i - 1) * sizeof *s);
        memcpy(s, made, (size_t)count * sizeof *s);
        block->count += count - 1;
        return true;
    }
    return false;
}

static void rename_value(struct block *block, int from, int to) {
    for (int n = 0; n < block->count; n++) {
        struct statement *s = &block->items[n];
        for (int i = 0; i < s->operand_count; i++) {
            s->operands[i] = s->operands[i] == from ? to : s->operands[i];
        }
        for (int i = 0; i < s->carry_count; i++) {
            struct carry *c = &s->carries[i];
            c->before = c->before == from ? to : c->before;
            c->end = c->end == from ? to : c->end;
            c->other_end = c->other_end == from ? to : c->other_end;
        }
        rename_value(&s->body, from, to);
        rename_value(&s->other, from, to);
    }
}

// An operand to replace the statement's result: of its type, and within its range. -1: none.
static int stand_in(const struct kernel *k, const struct statement *s) {
    if (s->result_count != 1 || s->kind == FOR) {
        return -1;
    }
    const struct value *v = &k->values[s->results[0]];
    for (int i = 0; i < s->operand_count; i++) {
        const struct value *o = &k->values[s->operands[i]];
        if (o->element == v->element && shape_equal(&o->shape, &v->shape) && o->low >= v->low &&
            o->high <= v->high) {
            return s->operands[i];
        }
    }
    return -1;
}

// The block and the place in it of statement `n`.
static struct block *block_of(struct block *block, int *n, int *at) {
    for (int i = 0; i < block->count; i++) {
        *at = i;
        if ((*n)-- == 0) {
            return block;
        }
        struct block *found = block_of(&block->items[i].body, n, at);
        found = found ? found : block_of(&block->items[i].other, n, at);
        if (found) {
            return found;
        }
    }
    return NULL;
}

// Statement `n` goes, an operand is used for its result.
static bool bypass(struct kernel *k, int n) {
    int at;
    const struct block *block = block_of(&k->body, &n, &at);
    const struct statement *s = block ? &block->items[at] : NULL;
    int operand = s ? stand_in(k, s) : -1;
    if (operand >= 0) {
        rename_value(&k->body, s->results[0], operand);
    }
    return operand >= 0;
}

// A loop or branch is replaced by one of its bodies, done once.
static bool unwrap(struct kernel *k, int n, bool other) {
    int at;
    struct block *block = block_of(&k->body, &n, &at);
    struct statement *s = block ? &block->items[at] : NULL;
    if (!s || s->carry_count == 0 || (other && s->kind != IF) || (other ? s->other : s->body).count == 0) {
        return false;
    }
    struct statement old = *s;
    struct block *body = other ? &old.other : &old.body;
    int index = old.kind == FOR, count = body->count + index;
    if (block->count + count > MAX_STATEMENTS) {
        return false;
    }
    for (int i = 0; i < old.carry_count; i++) {
        const struct carry *c = &old.carries[i];
        int end = other ? c->other_end : c->end;
        rename_value(body, c->inside, c->before);
        rename_value(&k->body, c->after, end == c->inside ? c->before : end);
    }
    memmove(s + count, s + 1, (size_t)(block->count - at - 1) * sizeof *s);
    memcpy(s + index, body->items, (size_t)body->count * sizeof *s);
    if (index) {
        *s = (struct statement){
            .kind = CONSTANT, .results = {old.results[0]}, .result_count = 1, .number = old.number};
    }
    block->count += count - 1;
    body->count = 0; // they live on
    block_free(&old.body);
    block_free(&old.other);
    return true;
}

enum { HINTS_GO = 3, COUNTS_GO, LAUNCH_STEPS = COUNTS_GO + 3 };

static bool make_smaller(struct kernel *k, int step) {
    switch (step) {
    case 0:
        k->grid[0]--;
        k->programs = k->grid[0] * k->grid[1] * k->grid[2];
        return k->programs > 0;
    case 1:
        k->warps /= 2;
        return k->warps > 0;
    case 2:
        k->stages--;
        return k->stages > 0;
    case HINTS_GO:
        k->hints = 0;
        return true;
    default:
        return k->counts[step - COUNTS_GO]-- > 0;
    }
}

struct search {
    struct kernel *best;
    bool (*fails)(const struct kernel *kernel, void *user);
    void *user;
};

// Takes the trial if it fails as well, and frees the other kernel.
static bool settle(struct search *search, struct kernel *trial, bool smaller) {
    bool taken = smaller && search->fails(trial, search->user);
    kernel_free(taken ? search->best : trial);
    search->best = taken ? trial : search->best;
    return taken;
}

enum way { REPLACE, BYPASS, UNWRAP, UNWRAP_OTHER, WAYS };

static bool without_statement(struct search *search, int n, enum way way) {
    struct kernel *trial = kernel_copy(search->best);
    int at = n;
    bool smaller = way == REPLACE  ? replace(trial, &trial->body, &at)
                   : way == BYPASS ? bypass(trial, n)
                                   : unwrap(trial, n, way == UNWRAP_OTHER);
    if (smaller) {
        kernel_drop_unused(trial);
    }
    return settle(search, trial, smaller);
}

static bool smaller_launch(struct search *search, int step) {
    struct kernel *trial = kernel_copy(search->best);
    bool smaller = make_smaller(trial, step) && !(step == HINTS_GO && search->best->hints == 0);
    return settle(search, trial, smaller);
}

struct kernel *kernel_shrink(const struct kernel *kernel,
                             bool (*fails)(const struct kernel *kernel, void *user), void *user) {
    struct search search = {kernel_copy(kernel), fails, user};
    for (bool changed = true; changed;) {
        changed = false;
        for (int n = kernel_statements(search.best) - 1; n >= 0; n--) {
            for (int way = 0; way < WAYS; way++) {
                changed |= without_statement(&search, n, (enum way)way);
            }
            int left = kernel_statements(search.best);
            n = n > left ? left : n;
        }
        for (int step = 0; step < LAUNCH_STEPS; step++) {
            while (smaller_launch(&search, step)) {
                changed = true;
            }
        }
    }
    return search.best;
}
