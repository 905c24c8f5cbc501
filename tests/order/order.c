// The comparison of a module with its assembly.
#include "order.h"

#include <stdbool.h>
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

// The numbers of the module's accesses in the assembly. LLVM 22 drops the line of an instruction combined
// from two accesses (ds_read2_b64): such an access gets a number after the module's.
struct names {
    unsigned ids;     // of the module; 0 is none
    unsigned unnamed; // accesses of the assembly without a line
    bool *named;      // by id: an access of the module found in the assembly
    enum kind *kinds; // by id, of the module
};

static bool is_within(const uint64_t *set, const uint64_t *other, unsigned words) {
    uint64_t more = 0;
    for (unsigned w = 0; w < words; w++) {
        more |= set[w] & ~other[w];
    }
    return !more;
}

// The barriers beside each access on one side, by id: those of the module, and those of the assembly.
struct side {
    bool forward; // the barriers before; else those after
    uint64_t *expected, *found;
    const char **texts;
};

static struct side read_side(struct graph *module, struct graph *assembly, const struct names *names,
                             bool forward) {
    size_t count = names->ids + names->unnamed, words = module->words;
    struct side side = {forward, calloc(count * words, sizeof *side.expected),
                        calloc(count * words, sizeof *side.found), calloc(count, sizeof *side.texts)};
    if (!side.expected || !side.found || !side.texts) {
        bug("out of memory");
    }
    collect(module, forward, side.expected, side.texts);
    collect(assembly, forward, side.found, side.texts);
    return side;
}

static void free_side(struct side *side) {
    free(side->expected);
    free(side->found);
    free(side->texts);
}

static void compare_named(const struct side *side, const struct names *names, unsigned words,
                          struct order_report *report) {
    for (unsigned id = 1; id < names->ids; id++) {
        for (unsigned barrier = 0; barrier < names->ids; barrier++) {
            size_t at = (size_t)id * words + barrier / SET_BITS;
            if ((side->found[at] & ~side->expected[at]) >> barrier % SET_BITS & 1) {
                report->faults++;
                strbuf_printf(&report->text, "access %u (%s) has ", id, side->texts[id]);
                name_barrier(&report->text, barrier, side->forward);
                strbuf_printf(&report->text, " %s it\n", side->forward ? "right before" : "right after");
            }
        }
    }
}

// An access without a line is in order if an access with a lost line has the same barriers on both sides.
static void compare_unnamed(const struct side sides[2], const struct names *names, unsigned words,
                            struct order_report *report) {
    for (unsigned id = names->ids; id < names->ids + names->unnamed; id++) {
        bool fits = false;
        for (unsigned own = 1; own < names->ids && !fits; own++) {
            fits = names->kinds[own] == KIND_ACCESS && !names->named[own];
            for (unsigned i = 0; i < 2; i++) {
                fits = fits && is_within(sides[i].found + (size_t)id * words,
                                         sides[i].expected + (size_t)own * words, words);
            }
        }
        if (!fits) {
            report->faults++;
            strbuf_printf(&report->text,
                          "%s, without a line, has barriers beside it that no such access has\n",
                          sides[0].texts[id]);
        }
    }
}

static struct names read_names(const struct graph *module, struct order_report *report) {
    struct names names = {.ids = 1};
    for (unsigned b = 0; b < module->block_count; b++) {
        for (unsigned e = 0; e < module->blocks[b].event_count; e++) {
            unsigned id = module->blocks[b].events[e].id;
            names.ids = id >= names.ids ? id + 1 : names.ids;
        }
    }
    names.kinds = calloc(names.ids, sizeof *names.kinds);
    names.named = calloc(names.ids, sizeof *names.named);
    if (!names.kinds || !names.named) {
        bug("out of memory");
    }
    for (unsigned b = 0; b < module->block_count; b++) {
        for (unsigned e = 0; e < module->blocks[b].event_count; e++) {
            const struct event *event = &module->blocks[b].events[e];
            names.kinds[event->id] = event->kind;
            *(event->kind == KIND_ACCESS ? &report->accesses : &report->barriers) += 1;
        }
    }
    return names;
}

// One instruction for two accesses: ds_read2_b32, ds_write2st64_b64, ds_load_2addr_b64.
static bool is_pair(const struct event *event) {
    return event->kind == KIND_ACCESS &&
           (strstr(event->text, "read2") || strstr(event->text, "write2") || strstr(event->text, "_2addr_"));
}

// Every access and barrier of the assembly must be one of the module's.
static void check_names(struct names *names, const struct graph *assembly, struct order_report *report) {
    for (unsigned b = 0; b < assembly->block_count; b++) {
        for (unsigned e = 0; e < assembly->blocks[b].event_count; e++) {
            struct event *event = &assembly->blocks[b].events[e];
            report->seen += event->kind == KIND_ACCESS;
            if (!event->id && is_pair(event)) {
                event->id = names->ids + names->unnamed++;
            } else if (!event->id || event->id >= names->ids || names->kinds[event->id] != event->kind) {
                report->faults++;
                strbuf_printf(&report->text, "%s comes from no such instruction (line %u)\n", event->text,
                              event->id);
                event->id = 0;
            } else {
                names->named[event->id] = true;
            }
        }
    }
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
        struct names names = read_names(&wanted, &report);
        wanted.words = made.words = (names.ids + SET_BITS - 1) / SET_BITS;
        check_names(&names, &made, &report);
        struct side sides[] = {read_side(&wanted, &made, &names, true),
                               read_side(&wanted, &made, &names, false)};
        compare_named(&sides[0], &names, wanted.words, &report);
        compare_named(&sides[1], &names, wanted.words, &report);
        compare_unnamed(sides, &names, wanted.words, &report);
        free_side(&sides[0]);
        free_side(&sides[1]);
        free(names.kinds);
        free(names.named);
        free_graph(&wanted);
        free_graph(&made);
    }
    return report;
}
