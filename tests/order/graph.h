// Control flow as far as the order of accesses and barriers goes: blocks of events.
#ifndef TKC_TESTS_ORDER_GRAPH_H
#define TKC_TESTS_ORDER_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

enum kind { KIND_NONE, KIND_ACCESS, KIND_BARRIER };

// One place in a block: an access, a barrier, or (on chips with split barriers) the half of one.
struct event {
    enum kind kind;
    unsigned id; // line number; 0 without one in the assembly
    bool opens,
        closes;    // of a barrier: waves meet at its wait (opens the accesses after it) and leave the earlier
                   // ones at its signal (closes)
    char text[96]; // of the assembly
};

// A control-flow graph of events.
struct block {
    struct event *events;
    unsigned event_count;
    unsigned *successors;
    unsigned successor_count;
    uint64_t *in, *out; // sets of barriers, by id; id 0: the kernel's start or end
};

struct graph {
    struct block *blocks;
    unsigned block_count;
    unsigned words; // of a set
};

enum { SET_BITS = 64 }; // of a word of a set

// ---- graph.c ----
// Room for one more item: `count` are there.
void *grow(void *items, unsigned count, size_t size);
struct event *add_event(struct block *block, struct event event);
void add_successor(struct block *block, unsigned target);
struct block *add_block(struct graph *graph);
void free_graph(struct graph *graph);
// `in` of each block: the barriers possibly last before it (forward) or first after it (backward).
void spread(struct graph *graph, bool forward);
// Moves past one event, forward or back.
void pass_event(uint64_t *state, unsigned words, const struct event *event, bool forward);
bool join(uint64_t *into, const uint64_t *from, unsigned words);

// ---- module.c, assembly.c ----
void read_function(struct graph *graph, LLVMValueRef function);
void read_assembly(struct graph *graph, const char *assembly, const char *kernel);

#endif
