// Taking away what a failure does not need: a statement becomes constants, or goes; the launch gets smaller.
// Every step leaves a legal kernel, or the interpreter says that it is none.
#include "kernel.h"

#include <string.h>

// ---- what is used ----

static bool has_effect(const struct statement *s) {
    return s->kind == STORE || s->kind == ATOMIC || s->kind == RELEASE || s->kind == POLL;
}

static bool mark(bool *live, int id) {
    bool changed = id >= 0 && !live[id];
    if (changed)
        live[id] = true;
    return changed;
}

static bool is_live(const struct statement *s, const bool *live) {
    bool needed = has_effect(s);
    for (int i = 0; i < s->result_count && s->kind != FOR; i++)
        needed |= live[s->results[i]];
    for (int i = 0; i < s->carry_count; i++)
        needed |= live[s->carries[i].after];
    return needed;
}

static bool carry_is_live(const struct statement *s, int i, const bool *live) {
    return (s->kind == WHILE && i == 0) || live[s->carries[i].after] || live[s->carries[i].inside];
}

static bool mark_block(const struct block *block, bool *live) {
    bool changed = false;
    for (int n = block->count - 1; n >= 0; n--) {
        const struct statement *s = &block->items[n];
        if (!is_live(s, live))
            continue;
        for (int i = 0; i < s->operand_count; i++)
            changed |= mark(live, s->operands[i]);
        for (int i = 0; i < s->carry_count; i++) {
            const struct carry *c = &s->carries[i];
            if (carry_is_live(s, i, live))
                changed |= mark(live, c->before) | mark(live, c->end) | mark(live, c->other_end) |
                           mark(live, c->after);
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
        for (int i = 0; i < s->carry_count; i++)
            if (carry_is_live(s, i, live))
                s->carries[carries++] = s->carries[i];
        s->carry_count = carries;
        sweep(&s->body, live);
        sweep(&s->other, live);
        block->items[kept++] = *s;
    }
    block->count = kept;
}

void kernel_drop_unused(struct kernel *kernel) {
    bool live[MAX_VALUES] = {0};
    while (mark_block(&kernel->body, live))
        continue;
    sweep(&kernel->body, live);
}

// ---- steps ----

static int count_statements(const struct block *block) {
    int count = block->count;
    for (int i = 0; i < block->count; i++)
        count += count_statements(&block->items[i].body) + count_statements(&block->items[i].other);
    return count;
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
            if (replace(k, &s->body, n) || replace(k, &s->other, n))
                return true;
            if (*n < 0)
                return false;
            continue;
        }
        struct statement made[MAX_CARRIES + 2];
        int count = 0;
        if (s->kind == CONSTANT && s->number == constant(k, s->results[0]).number)
            return false;
        for (int r = 0; r < s->result_count && s->kind != FOR; r++)
            made[count++] = constant(k, s->results[r]);
        for (int c = 0; c < s->carry_count; c++)
            made[count++] = constant(k, s->carries[c].after);
        if (block->count + count > MAX_STATEMENTS)
            return false;
        block_free(&s->body);
        block_free(&s->other);
        memmove(s + count, s + 1, (size_t)(block->count - i - 1) * sizeof *s);
        memcpy(s, made, (size_t)count * sizeof *s);
        block->count += count - 1;
        return true;
    }
    return false;
}

static bool make_smaller(struct kernel *k, int step) {
    switch (step) {
    case 0:
        k->programs--;
        return k->programs > 0;
    case 1:
        k->warps /= 2;
        return k->warps > 0;
    case 2:
        k->stages--;
        return k->stages > 0;
    case 3:
        k->hints = 0;
        return true;
    default:
        return k->counts[step - 4]-- > 0;
    }
}

struct kernel *kernel_shrink(const struct kernel *kernel,
                             bool (*fails)(const struct kernel *kernel, void *user), void *user) {
    struct kernel *best = kernel_copy(kernel);
    for (bool changed = true; changed;) {
        changed = false;
        for (int n = count_statements(&best->body) - 1; n >= 0; n--) {
            struct kernel *trial = kernel_copy(best);
            int at = n;
            bool smaller = replace(trial, &trial->body, &at);
            if (smaller)
                kernel_drop_unused(trial);
            if (smaller && fails(trial, user)) {
                struct kernel *worse = best;
                best = trial;
                trial = worse;
                changed = true;
            }
            kernel_free(trial);
            int left = count_statements(&best->body);
            n = n > left ? left : n;
        }
        for (int step = 0; step < 7; step++) {
            struct kernel *trial = kernel_copy(best);
            bool smaller = make_smaller(trial, step) && !(step == 3 && best->hints == 0);
            if (smaller && fails(trial, user)) {
                struct kernel *worse = best;
                best = trial;
                trial = worse;
                changed = true;
                step--;
            }
            kernel_free(trial);
        }
    }
    return best;
}
