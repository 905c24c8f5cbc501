// Immediate post-dominators of a kernel's blocks: the reconvergence points of lanes that diverge at a branch.
// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph with one virtual
// exit, node `count`. Blocks that cannot reach the exit (endless loops) get an edge to it.
#include "emulator/decode/decode.h"

#include <stdlib.h>
#include <string.h>

struct graph {
    uint32_t count;            // blocks
    uint32_t *first, *targets; // edges of block b: targets[first[b] … first[b + 1])
};

// Walks `graph` from `root` in post-order; nodes already numbered are left out.
static void post_order(const struct graph *graph, uint32_t root, uint32_t *order, uint32_t *number,
                       uint32_t *count) {
    uint32_t *stack = malloc(sizeof *stack * (graph->count + 2)), depth = 0;
    uint32_t *next = calloc(graph->count + 2, sizeof *next);
    bool *seen = calloc(graph->count + 2, sizeof *seen);
    stack[depth++] = root;
    seen[root] = true;
    while (depth) {
        uint32_t node = stack[depth - 1], edge = graph->first[node] + next[node];
        if (edge < graph->first[node + 1]) {
            next[node]++;
            uint32_t to = graph->targets[edge];
            if (!seen[to] && number[to] == BLOCK_NONE) {
                seen[to] = true;
                stack[depth++] = to;
            }
            continue;
        }
        number[node] = *count;
        order[(*count)++] = node;
        depth--;
    }
    free(stack);
    free(next);
    free(seen);
}

static struct graph reversed(const struct graph *graph, uint32_t nodes) {
    struct graph result = {nodes, calloc(nodes + 2, sizeof(uint32_t)),
                           malloc(sizeof(uint32_t) * (graph->first[nodes] + 1))};
    uint32_t edges = graph->first[nodes];
    for (uint32_t i = 0; i < edges; i++) {
        result.first[graph->targets[i] + 1]++;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        result.first[i + 1] += result.first[i];
    }
    uint32_t *fill = calloc(nodes + 1, sizeof *fill);
    for (uint32_t node = 0; node < nodes; node++) {
        for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
            result.targets[result.first[graph->targets[i]] + fill[graph->targets[i]]++] = node;
        }
    }
    free(fill);
    return result;
}

// Successors of every block; a block without any leads to the exit, and so does each block with `to_exit`
// set.
static struct graph successors(const struct kernel *kernel, const struct map *blocks, const bool *to_exit) {
    uint32_t count = kernel->block_count, edges = 0;
    for (uint32_t i = 0; i < count; i++) {
        edges += LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(kernel->blocks[i].ref)) + 1;
    }
    struct graph graph = {count + 1, calloc(count + 3, sizeof(uint32_t)),
                          malloc(sizeof(uint32_t) * (edges + 1))};
    edges = 0;
    for (uint32_t i = 0; i < count; i++) {
        graph.first[i] = edges;
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(kernel->blocks[i].ref);
        unsigned out = LLVMGetNumSuccessors(terminator);
        for (unsigned j = 0; j < out; j++) {
            graph.targets[edges++] =
                (uint32_t)(uintptr_t)map_get(blocks, LLVMGetSuccessor(terminator, j)) - 1;
        }
        if (out == 0 || (to_exit && to_exit[i])) {
            graph.targets[edges++] = count;
        }
    }
    graph.first[count] = graph.first[count + 1] = edges;
    return graph;
}

static void graph_free(struct graph *graph) {
    free(graph->first);
    free(graph->targets);
}

static uint32_t intersect(const uint32_t *parent, const uint32_t *number, uint32_t a, uint32_t b) {
    while (a != b) {
        while (number[a] < number[b]) {
            a = parent[a];
        }
        while (number[b] < number[a]) {
            b = parent[b];
        }
    }
    return a;
}

void flow_post_dominators(struct kernel *kernel, const struct map *blocks) {
    uint32_t nodes = kernel->block_count + 1, exit = kernel->block_count, count = 0;
    uint32_t *order = malloc(sizeof *order * nodes), *number = malloc(sizeof *number * nodes);
    uint32_t *parent = malloc(sizeof *parent * nodes);
    bool *to_exit = calloc(nodes, sizeof *to_exit);
    struct graph forward = successors(kernel, blocks, NULL), backward = reversed(&forward, nodes);
    memset(number, 0xff, sizeof *number * nodes);
    post_order(&backward, exit, order, number, &count);
    if (count < nodes) {
        for (uint32_t i = 0; i < exit; i++) {
            to_exit[i] = number[i] == BLOCK_NONE;
        }
        graph_free(&forward);
        graph_free(&backward);
        forward = successors(kernel, blocks, to_exit);
        backward = reversed(&forward, nodes);
        memset(number, 0xff, sizeof *number * nodes);
        count = 0;
        post_order(&backward, exit, order, number, &count);
    }
    memset(parent, 0xff, sizeof *parent * nodes);
    parent[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count - 1; i-- > 0;) { // the exit is last in post-order
            uint32_t node = order[i], best = BLOCK_NONE;
            for (uint32_t edge = forward.first[node]; edge < forward.first[node + 1]; edge++) {
                uint32_t to = forward.targets[edge];
                if (parent[to] != BLOCK_NONE) {
                    best = best == BLOCK_NONE ? to : intersect(parent, number, best, to);
                }
            }
            if (best != BLOCK_NONE && parent[node] != best) {
                parent[node] = best;
                changed = true;
            }
        }
    }
    for (uint32_t i = 0; i < exit; i++) {
        kernel->blocks[i].reconverge = parent[i] == exit ? BLOCK_NONE : parent[i];
    }
    graph_free(&forward);
    graph_free(&backward);
    free(order);
    free(number);
    free(parent);
    free(to_exit);
}
