// Do the registers of two kernels with equal shapes carry the same values? A register of the old kernel stands for one of the
// new kernel while both hold the result of the same instruction.
//
// Registers written once each (PTX), or renumbered by one map for the whole kernel, need one map of numbers. AMD's machine
// code uses a register for many values in turn: there each place in the code has a map, and a block starts with the part of
// the map common to all of its predecessors (a forward analysis from the most optimistic map). A vector register counts as
// written as a whole: no later read needs the lanes switched off.
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "support/memory.h"

enum { NOTHING = -1 };

struct map {
    int32_t *after;  // by a register of the old kernel
    int32_t *before; // by one of the new
};

struct wiring {
    const struct kernel *old, *new;
    size_t registers;
    struct map now;
    int32_t *block_of;  // by instruction: the block with its start there, or NOTHING
    size_t *starts;     // of blocks
    size_t block_count; //
    int32_t **entries;  // by block: map.after at its start; NULL: not reached
    bool *is_waiting;   // blocks to walk again
    bool settled;       // entries are final
};

static void bind(struct wiring *w, uint32_t old, uint32_t new) {
    struct map *map = &w->now;
    if (map->after[old] != NOTHING) {
        map->before[map->after[old]] = NOTHING;
    }
    if (map->before[new] != NOTHING) {
        map->after[map->before[new]] = NOTHING;
    }
    map->after[old] = (int32_t) new;
    map->before[new] = (int32_t)old;
}

// ---- one map for the whole kernel ----

// Numbers of a group of four, from a multiple of four on, keep their order.
static bool keeps_group(uint32_t old, uint32_t new, bool grouped) {
    return !grouped || old % 4 == new % 4;
}

static bool bind_for_good(struct wiring *w, uint32_t old, uint32_t new) {
    int32_t mapped = w->now.after[old], back = w->now.before[new];
    if (mapped == NOTHING && back == NOTHING && keeps_group(old, new, w->old->grouped)) {
        bind(w, old, new);
        return true;
    }
    return mapped == (int32_t) new;
}

static bool groups_agree(const struct wiring *w) {
    for (size_t i = 0; w->old->grouped && i < w->registers; i++) {
        size_t first = i / 4 * 4;
        for (size_t j = first; j < i; j++) {
            int32_t a = w->now.after[i], b = w->now.after[j];
            if (a != NOTHING && b != NOTHING && a - b != (int32_t)(i - j)) {
                return false;
            }
        }
    }
    return true;
}

static size_t differences_of_one_map(struct wiring *w) {
    size_t differences = 0;
    for (size_t i = 0; i < w->old->count; i++) {
        const struct instruction *a = &w->old->code[i], *b = &w->new->code[i];
        bool same = true;
        for (uint32_t o = 0; o < a->operand_count; o++) {
            for (unsigned k = 0; k < a->operands[o].count; k++) {
                same = bind_for_good(w, a->operands[o].first + k, b->operands[o].first + k) && same;
            }
        }
        differences += !same;
    }
    return differences + !groups_agree(w);
}

// ---- a map for each place ----

static void find_blocks(struct wiring *w) {
    size_t count = w->old->count;
    w->block_of = memory_zeroed(count + 1, sizeof *w->block_of);
    w->starts = memory_zeroed(count + 1, sizeof *w->starts);
    bool *starts = memory_zeroed(count + 1, sizeof *starts);
    starts[0] = true;
    for (size_t i = 0; i < count; i++) {
        int32_t target = w->old->code[i].target;
        if (target >= 0 && (size_t)target < count) {
            starts[target] = true;
        }
        if ((w->old->code[i].kind == INSTRUCTION_BRANCH || w->old->code[i].kind == INSTRUCTION_LEAVE) &&
            i + 1 < count) {
            starts[i + 1] = true;
        }
    }
    for (size_t i = 0; i < count; i++) {
        w->block_of[i] = starts[i] ? (int32_t)w->block_count : NOTHING;
        if (starts[i]) {
            w->starts[w->block_count++] = i;
        }
    }
    free(starts);
}

static void enter(struct wiring *w, size_t block) {
    memcpy(w->now.after, w->entries[block], w->registers * sizeof *w->now.after);
    for (size_t i = 0; i < w->registers; i++) {
        w->now.before[i] = NOTHING;
    }
    for (size_t i = 0; i < w->registers; i++) {
        if (w->now.after[i] != NOTHING) {
            w->now.before[w->now.after[i]] = (int32_t)i;
        }
    }
}

// The block at an instruction starts with no more than the map at hand.
static void leave_to(struct wiring *w, size_t instruction) {
    if (instruction >= w->old->count || w->settled) {
        return;
    }
    size_t block = (size_t)w->block_of[instruction];
    int32_t *entry = w->entries[block];
    if (!entry) {
        w->entries[block] = memory_zeroed(w->registers, sizeof *entry);
        memcpy(w->entries[block], w->now.after, w->registers * sizeof *entry);
        w->is_waiting[block] = true;
        return;
    }
    for (size_t i = 0; i < w->registers; i++) {
        if (entry[i] != NOTHING && entry[i] != w->now.after[i]) {
            entry[i] = NOTHING;
            w->is_waiting[block] = true;
        }
    }
}

static bool reads_same(const struct wiring *w, const struct operand *old, const struct operand *new) {
    for (unsigned k = 0; k < old->count; k++) {
        if (w->now.after[old->first + k] != (int32_t)(new->first + k)) {
            return false;
        }
    }
    return true;
}

// An instruction reads before it writes.
static bool step(struct wiring *w, size_t i) {
    const struct instruction *a = &w->old->code[i], *b = &w->new->code[i];
    bool same = true;
    for (uint32_t o = 0; o < a->operand_count; o++) {
        same =
            (!(a->operands[o].role & ROLE_READ) || reads_same(w, &a->operands[o], &b->operands[o])) && same;
    }
    for (uint32_t o = 0; o < a->operand_count; o++) {
        for (unsigned k = 0; (a->operands[o].role & ROLE_WRITTEN) && k < a->operands[o].count; k++) {
            bind(w, a->operands[o].first + k, b->operands[o].first + k);
        }
    }
    return same;
}

static size_t walk(struct wiring *w, size_t block) {
    size_t differences = 0, end = block + 1 < w->block_count ? w->starts[block + 1] : w->old->count;
    enter(w, block);
    for (size_t i = w->starts[block]; i < end; i++) {
        const struct instruction *instruction = &w->old->code[i];
        differences += !step(w, i);
        if (instruction->target >= 0) {
            leave_to(w, (size_t)instruction->target);
        }
        if (instruction->ends) {
            return differences;
        }
    }
    leave_to(w, end);
    return differences;
}

static void settle(struct wiring *w) {
    leave_to(w, 0);
    for (bool again = true; again;) {
        again = false;
        for (size_t block = 0; block < w->block_count; block++) {
            if (w->is_waiting[block]) {
                w->is_waiting[block] = false;
                again = true;
                walk(w, block);
            }
        }
    }
    w->settled = true;
}

// At the start, registers of the same number are the same: arguments.
static size_t differences_by_place(struct wiring *w) {
    size_t differences = 0;
    find_blocks(w);
    w->entries = memory_zeroed(w->block_count, sizeof *w->entries);
    w->is_waiting = memory_zeroed(w->block_count, sizeof *w->is_waiting);
    for (size_t i = 0; i < w->registers; i++) {
        w->now.after[i] = w->now.before[i] = (int32_t)i;
    }
    settle(w);
    for (size_t block = 0; block < w->block_count; block++) {
        differences += w->entries[block] ? walk(w, block) : 0;
    }
    for (size_t block = 0; block < w->block_count; block++) {
        free(w->entries[block]);
    }
    free(w->entries);
    free(w->is_waiting);
    free(w->starts);
    free(w->block_of);
    return differences;
}

size_t wiring_differences(const struct kernel *before, const struct kernel *after) {
    struct wiring w = {.old = before, .new = after};
    w.registers =
        before->register_count > after->register_count ? before->register_count : after->register_count;
    if (!before->count || !w.registers) {
        return 0;
    }
    w.now.after = memory_zeroed(w.registers, sizeof *w.now.after);
    w.now.before = memory_zeroed(w.registers, sizeof *w.now.before);
    for (size_t i = 0; i < w.registers; i++) {
        w.now.after[i] = w.now.before[i] = NOTHING;
    }
    size_t differences = before->physical ? differences_by_place(&w) : differences_of_one_map(&w);
    free(w.now.after);
    free(w.now.before);
    return differences;
}
