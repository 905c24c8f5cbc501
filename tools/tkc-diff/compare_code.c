// Two kernels' instructions: equal, moved, changed. Counts do not depend on order: of each shape, one side's instructions in excess
// are removed or added; of these, pairs with differences in numbers alone are constants. Instructions of both and no common
// order of both holds (distance.c) has moved.
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "support/memory.h"

void change_add(struct arena *arena, struct changes *changes, const char *name, const char *before,
                const char *after) {
    changes->items =
        arena_grown(arena, changes->items, changes->count, &changes->capacity, sizeof *changes->items);
    changes->items[changes->count++] = (struct change){name, before, after};
}

// A shape with the number of its instructions on both sides.
struct tally {
    uint32_t shape, form;
    uint16_t kind, width;
    size_t before, after;
};

struct tallies {
    struct tally *items;
    size_t count;
};

static int by_shape(const void *left, const void *right) {
    const struct tally *a = left, *b = right;
    return a->shape < b->shape ? -1 : a->shape > b->shape;
}

static int by_form(const void *left, const void *right) {
    const struct tally *a = left, *b = right;
    return a->form != b->form ? (a->form < b->form ? -1 : 1) : by_shape(left, right);
}

static void put(struct tallies *tallies, const struct kernel *kernel, bool after) {
    for (size_t i = 0; i < kernel->count; i++) {
        const struct instruction *from = &kernel->code[i];
        tallies->items[tallies->count++] =
            (struct tally){from->shape, from->form, from->kind, from->width, !after, after};
    }
}

// One row a shape, in the order of forms.
static struct tallies tally(const struct kernel *before, const struct kernel *after) {
    struct tallies all = {memory_zeroed(before->count + after->count + 1, sizeof *all.items), 0};
    put(&all, before, false);
    put(&all, after, true);
    qsort(all.items, all.count, sizeof *all.items, by_shape);
    size_t rows = 0;
    for (size_t i = 0; i < all.count; i++) {
        struct tally *last = rows ? &all.items[rows - 1] : NULL;
        if (last && last->shape == all.items[i].shape) {
            last->before += all.items[i].before;
            last->after += all.items[i].after;
        } else {
            all.items[rows++] = all.items[i];
        }
    }
    all.count = rows;
    qsort(all.items, all.count, sizeof *all.items, by_form);
    return all;
}

// The first instructions of a form in excess on one side, beside those of the other.
static void add_example(struct arena *arena, const struct names *names, const struct tally *rows,
                        size_t count, struct kernel_pair *pair) {
    const struct tally *gone = NULL, *come = NULL;
    for (size_t i = 0; i < count; i++) {
        gone = gone || rows[i].before <= rows[i].after ? gone : &rows[i];
        come = come || rows[i].after <= rows[i].before ? come : &rows[i];
    }
    if (gone && come && pair->examples.count < MOST_EXAMPLES) {
        change_add(arena, &pair->examples, "constant", names->items[gone->shape].text,
                   names->items[come->shape].text);
    }
}

static size_t more(size_t a, size_t b) {
    return a > b ? a - b : 0;
}

static size_t less_of(size_t a, size_t b) {
    return a < b ? a : b;
}

// Fills removed, added and constants; returns how many instructions both have. *waits: the constants among them in waits.
static size_t count_differences(struct arena *arena, const struct tallies *tallies, struct kernel_pair *pair,
                                size_t *waits) {
    size_t common = 0;
    *waits = 0;
    for (size_t i = 0; i < tallies->count;) {
        size_t removed = 0, added = 0, first = i;
        uint32_t form = tallies->items[i].form;
        bool is_wait = tallies->items[i].kind == INSTRUCTION_WAIT;
        for (; i < tallies->count && tallies->items[i].form == form; i++) {
            const struct tally *row = &tallies->items[i];
            removed += more(row->before, row->after);
            added += more(row->after, row->before);
            common += less_of(row->before, row->after);
        }
        size_t constants = less_of(removed, added);
        pair->constants += constants;
        if (constants && !(is_wait && pair->after->set == SET_AMD)) {
            add_example(arena, pair->after->names, tallies->items + first, i - first, pair);
        }
        *waits += is_wait ? constants : 0;
        pair->removed += removed - constants;
        pair->added += added - constants;
    }
    return common;
}

static int by_kind(const void *left, const void *right) {
    const struct kind_count *a = left, *b = right;
    return a->kind != b->kind ? a->kind - b->kind : a->width - b->width;
}

static void count_kinds(struct arena *arena, const struct tallies *tallies, struct kernel_pair *pair) {
    for (size_t i = 0; i < tallies->count; i++) {
        const struct tally *row = &tallies->items[i];
        size_t k = 0;
        while (k < pair->kind_count &&
               (pair->kinds[k].kind != row->kind || pair->kinds[k].width != row->width)) {
            k++;
        }
        if (k == pair->kind_count) {
            pair->kinds = arena_grown(arena, pair->kinds, k, &pair->kind_capacity, sizeof *pair->kinds);
            pair->kinds[pair->kind_count++] = (struct kind_count){row->kind, row->width, 0, 0};
        }
        pair->kinds[k].before += row->before;
        pair->kinds[k].after += row->after;
    }
    if (pair->kind_count) {
        qsort(pair->kinds, pair->kind_count, sizeof *pair->kinds, by_kind);
    }
}

static uint32_t *shapes_of(const struct kernel *kernel) {
    uint32_t *shapes = memory_zeroed(kernel->count + 1, sizeof *shapes);
    for (size_t i = 0; i < kernel->count; i++) {
        shapes[i] = kernel->code[i].shape;
    }
    return shapes;
}

static void count_moved(const struct kernel *before, const struct kernel *after, size_t common,
                        struct kernel_pair *pair) {
    uint32_t *old = shapes_of(before), *new = shapes_of(after);
    size_t edits = edit_distance(old, before->count, new, after->count);
    pair->too_different = edits == SIZE_MAX;
    pair->moved = pair->too_different ? 0 : common - (before->count + after->count - edits) / 2;
    free(old);
    free(new);
}

// Branches to other places are moved code, too.
static size_t other_targets(const struct kernel *before, const struct kernel *after) {
    size_t count = 0;
    for (size_t i = 0; i < before->count; i++) {
        count += before->code[i].target != after->code[i].target;
    }
    return count;
}

void compare_code(struct arena *arena, const struct kernel *before, const struct kernel *after,
                  struct kernel_pair *pair) {
    if (before->set != after->set) {
        return;
    }
    if (before->machine || after->machine) {
        pair->code_known = before->machine && after->machine &&
                           before->machine_length == after->machine_length &&
                           !memcmp(before->machine, after->machine, before->machine_length);
        return;
    }
    struct tallies tallies = tally(before, after);
    pair->code_known = true;
    size_t waits, common = count_differences(arena, &tallies, pair, &waits);
    count_kinds(arena, &tallies, pair);
    free(tallies.items);
    count_moved(before, after, common, pair);
    if (pair->moved &&
        before->set == SET_AMD) { // LLVM sets the numbers of waits by the order of the awaited ops
        pair->constants -= waits;
        pair->moved += waits;
    }
    if (pair->removed || pair->added) { // the pairs of numbers are a guess
        pair->examples.count = 0;
    }
    if (!pair->removed && !pair->added && !pair->constants && !pair->moved && !pair->too_different) {
        pair->moved = other_targets(before, after);
        pair->rewired = pair->moved ? 0 : wiring_differences(before, after);
    }
}
