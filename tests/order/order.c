// The comparison of a module with its assembly.
#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "support/diag.h"

// table[id]: the barriers beside the access `id`, over all its places; texts[id] one of them.
static void collect(struct graph *graph, bool forward, uint64_t *table, const char **texts) {
    unsigned words = graph->words;
    spread(graph, forward);
    for (unsigned b = 0; b < graph->block_count; b++) {
        struct block *block = &graph->blocks[b];
        uint64_t *state = block->out;
        memcpy(state, block->in, words * sizeof *state);
        for (unsigned n = 0; n < block->event_count; n++) {
            const struct event *event = &block->events[forward ? n : block->event_count - 1 - n];
            pass_event(state, words, event, forward);
            if (event->kind == KIND_ACCESS) {
                join(table + (size_t)event->id * words, state, words);
                texts[event->id] = event->text;
            }
        }
    }
}

static void name_barrier(struct strbuf *out, unsigned id, bool forward) {
    if (id) {
        strbuf_printf(out, "barrier %u", id);
    } else {
        strbuf_add(out, forward ? "the kernel's start" : "its end");
    }
}

static void compare(struct graph *module, struct graph *assembly, unsigned ids, bool forward,
                    struct order_report *report) {
    unsigned words = module->words;
    uint64_t *expected = calloc((size_t)ids * words, sizeof *expected);
    uint64_t *found = calloc((size_t)ids * words, sizeof *found);
    const char **texts = calloc(ids, sizeof *texts);
    if (!expected || !found || !texts) {
        bug("out of memory");
    }
    collect(module, forward, expected, texts);
    collect(assembly, forward, found, texts);
    for (unsigned id = 1; id < ids; id++) {
        for (unsigned barrier = 0; barrier < ids; barrier++) {
            size_t at = (size_t)id * words + barrier / SET_BITS;
            if ((found[at] & ~expected[at]) >> barrier % SET_BITS & 1) {
                report->faults++;
                strbuf_printf(&report->text, "access %u (%s) has ", id, texts[id]);
                name_barrier(&report->text, barrier, forward);
                strbuf_printf(&report->text, " %s it\n", forward ? "right before" : "right after");
            }
        }
    }
    free(expected);
    free(found);
    free(texts);
}

// Every access and barrier of the assembly must be one of the module's.
static void check_names(const struct graph *module, const struct graph *assembly, unsigned ids,
                        struct order_report *report) {
    enum kind *kinds = calloc(ids, sizeof *kinds);
    if (!kinds) {
        bug("out of memory");
    }
    for (unsigned b = 0; b < module->block_count; b++) {
        for (unsigned e = 0; e < module->blocks[b].event_count; e++) {
            const struct event *event = &module->blocks[b].events[e];
            kinds[event->id] = event->kind;
            *(event->kind == KIND_ACCESS ? &report->accesses : &report->barriers) += 1;
        }
    }
    for (unsigned b = 0; b < assembly->block_count; b++) {
        for (unsigned e = 0; e < assembly->blocks[b].event_count; e++) {
            struct event *event = &assembly->blocks[b].events[e];
            report->seen += event->kind == KIND_ACCESS;
            if (!event->id || event->id >= ids || kinds[event->id] != event->kind) {
                report->faults++;
                strbuf_printf(&report->text, "%s comes from no such instruction (line %u)\n", event->text,
                              event->id);
                event->id = 0;
            }
        }
    }
    free(kinds);
}

struct order_report order_check(LLVMModuleRef module, const char *assembly) {
    struct order_report report = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) {
            continue;
        }
        struct graph wanted = {0}, made = {0};
        size_t length;
        read_function(&wanted, f);
        read_assembly(&made, assembly, LLVMGetValueName2(f, &length));
        unsigned ids = 1;
        for (unsigned b = 0; b < wanted.block_count; b++) {
            for (unsigned e = 0; e < wanted.blocks[b].event_count; e++) {
                ids = wanted.blocks[b].events[e].id >= ids ? wanted.blocks[b].events[e].id + 1 : ids;
            }
        }
        wanted.words = made.words = (ids + SET_BITS - 1) / SET_BITS;
        check_names(&wanted, &made, ids, &report);
        compare(&wanted, &made, ids, true, &report);
        compare(&wanted, &made, ids, false, &report);
        free_graph(&wanted);
        free_graph(&made);
    }
    return report;
}
