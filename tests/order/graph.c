// Blocks, events, and the sets of barriers beside them.
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "support/diag.h"

void *grow(void *items, unsigned count, size_t size) {
    if (count & (count - 1)) { // room for the next power of two is there
        return items;
    }
    items = realloc(items, (count ? 2 * count : 1) * size);
    if (!items) {
        bug("out of memory");
    }
    return items;
}

struct event *add_event(struct block *block, struct event event) {
    block->events = grow(block->events, block->event_count, sizeof event);
    block->events[block->event_count] = event;
    return &block->events[block->event_count++];
}

void add_successor(struct block *block, unsigned target) {
    block->successors = grow(block->successors, block->successor_count, sizeof target);
    block->successors[block->successor_count++] = target;
}

struct block *add_block(struct graph *graph) {
    graph->blocks = grow(graph->blocks, graph->block_count, sizeof *graph->blocks);
    graph->blocks[graph->block_count] = (struct block){0};
    return &graph->blocks[graph->block_count++];
}

void free_graph(struct graph *graph) {
    for (unsigned b = 0; b < graph->block_count; b++) {
        free(graph->blocks[b].events);
        free(graph->blocks[b].successors);
        free(graph->blocks[b].in);
        free(graph->blocks[b].out);
    }
    free(graph->blocks);
}

// ---- barriers around accesses ----

bool join(uint64_t *into, const uint64_t *from, unsigned words) {
    bool changed = false;
    for (unsigned w = 0; w < words; w++) {
        changed |= (from[w] & ~into[w]) != 0;
        into[w] |= from[w];
    }
    return changed;
}

static void set_only(uint64_t *set, unsigned words, unsigned id) {
    memset(set, 0, words * sizeof *set);
    set[id / SET_BITS] |= (uint64_t)1 << id % SET_BITS;
}

void pass_event(uint64_t *state, unsigned words, const struct event *event, bool forward) {
    if (event->kind == KIND_BARRIER && (forward ? event->opens : event->closes)) {
        set_only(state, words, event->id);
    }
}

void spread(struct graph *graph, bool forward) {
    unsigned words = graph->words;
    for (unsigned b = 0; b < graph->block_count; b++) {
        struct block *block = &graph->blocks[b];
        free(block->in);
        free(block->out);
        block->in = calloc(words, sizeof *block->in);
        block->out = calloc(words, sizeof *block->out);
        if (!block->in || !block->out) {
            bug("out of memory");
        }
        if (forward ? b == 0 : block->successor_count == 0) {
            block->in[0] = 1;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned n = 0; n < graph->block_count; n++) {
            unsigned b = forward ? n : graph->block_count - 1 - n;
            struct block *block = &graph->blocks[b];
            for (unsigned s = 0; !forward && s < block->successor_count; s++) {
                changed |= join(block->in, graph->blocks[block->successors[s]].out, words);
            }
            memcpy(block->out, block->in, words * sizeof *block->in);
            for (unsigned e = 0; e < block->event_count; e++) {
                pass_event(block->out, words, &block->events[forward ? e : block->event_count - 1 - e],
                           forward);
            }
            for (unsigned s = 0; forward && s < block->successor_count; s++) {
                changed |= join(graph->blocks[block->successors[s]].in, block->out, words);
            }
        }
    }
}
