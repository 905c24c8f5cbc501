// The control flow of AMDGCN assembly, in LLVM's text.
//
// LLVM converts some branches to a nested form with the decision in a scalar register: one arm ends in
// `s_mov_b64 s[0:1], 0`, and after both arms `s_and_b64 vcc, exec, s[0:1]` and `s_cbranch_vccz` skip the
// other arm. Without the register's value there would be a path through both arms. So this file tracks
// constants of scalar registers, and repeats a block with a test of one for each predecessor that decides it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "order.h"
#include "support/diag.h"

enum { REGISTERS = 128 };
enum flag { FLAG_UNREACHED, FLAG_ZERO, FLAG_ONES, FLAG_UNKNOWN, FLAG_KEPT = FLAG_UNREACHED };

// A block's effects on scalar registers, and the register tested by its last branch.
struct flags {
    uint8_t effect[REGISTERS]; // FLAG_KEPT: not written
    uint8_t out[REGISTERS];
    int asked;       // the register; -1: the branch asks none
    bool jumps_at_0; // to the branch's target if it is 0
    unsigned target; // block, once jumps have been resolved
};

struct reader {
    struct graph *graph;
    struct block *block; // being filled
    unsigned line;       // of the last .loc
    bool falls_through;
    int vcc_of; // vcc is exec & this register (or & not), in this block; -1: it is not
    bool vcc_inverted;
    struct flags *flags; // of each block
    char (*labels)[32];  // of each block
    struct jump {
        unsigned from;
        char to[32];
    } * jumps;
    unsigned jump_count;
};

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void begin_block(struct reader *r, const char *label, size_t length) {
    unsigned number = r->graph->block_count;
    if (number && r->falls_through) {
        add_successor(&r->graph->blocks[number - 1], number);
    }
    r->labels = grow(r->labels, number, sizeof *r->labels);
    memset(r->labels[number], 0, sizeof r->labels[number]);
    memcpy(r->labels[number], label, length < 31 ? length : 31);
    r->flags = grow(r->flags, number, sizeof *r->flags);
    r->flags[number] = (struct flags){.asked = -1};
    r->vcc_of = -1;
    r->block = add_block(r->graph);
    r->falls_through = true;
}

static void add_jump(struct reader *r, const char *target) {
    r->jumps = grow(r->jumps, r->jump_count, sizeof *r->jumps);
    struct jump *jump = &r->jumps[r->jump_count++];
    *jump = (struct jump){.from = r->graph->block_count - 1};
    memcpy(jump->to, target, strcspn(target, " \t\n") < 31 ? strcspn(target, " \t\n") : 31);
}

static bool is_lds_access(const char *text) {
    return starts_with(text, "ds_") && !starts_with(text, "ds_bpermute") &&
           !starts_with(text, "ds_permute") && !starts_with(text, "ds_swizzle") &&
           !starts_with(text, "ds_nop");
}

// ---- scalar registers ----

// The first register of `s5` or `s[4:5]`; -1: something else.
static int scalar_register(const char *text) {
    int number = -1;
    if (sscanf(text, "s[%d:", &number) != 1 && sscanf(text, "s%d", &number) != 1) {
        return -1;
    }
    return number < REGISTERS ? number : -1;
}

static void set_registers(struct flags *flags, const char *text, enum flag flag) {
    int first = -1, last = -1;
    if (sscanf(text, "s[%d:%d]", &first, &last) != 2) {
        first = last = scalar_register(text);
    }
    for (int i = first; i >= 0 && i <= last && i < REGISTERS; i++) {
        flags->effect[i] = (uint8_t)flag;
    }
}

static const char *operand(const char *text, int index) {
    text += strcspn(text, " \t\n");
    for (text += strspn(text, " \t"); index > 0; index--) {
        text += strcspn(text, ",\n");
        text += strspn(text, ", \t");
    }
    return text;
}

static void follow_registers(struct reader *r, const char *text) {
    struct flags *flags = &r->flags[r->graph->block_count - 1];
    bool is_move = starts_with(text, "s_mov_b");
    const char *source = operand(text, 1);
    // Of vector instructions the second operand may be written too (carries).
    set_registers(flags, operand(text, 0),
                  is_move && starts_with(source, "0\n")    ? FLAG_ZERO
                  : is_move && starts_with(source, "-1\n") ? FLAG_ONES
                                                           : FLAG_UNKNOWN);
    if (starts_with(text, "v_")) {
        set_registers(flags, source, FLAG_UNKNOWN);
    }
    if (starts_with(operand(text, 0), "vcc") || (starts_with(text, "v_") && starts_with(source, "vcc"))) {
        bool is_and = starts_with(text, "s_and_b"),
             is_and_not = starts_with(text, "s_andn2_b") || starts_with(text, "s_and_not1_b");
        r->vcc_of =
            (is_and || is_and_not) && starts_with(source, "exec") ? scalar_register(operand(text, 2)) : -1;
        r->vcc_inverted = is_and_not;
        if (r->vcc_of >= 0 && flags->effect[r->vcc_of] != FLAG_KEPT) {
            r->vcc_of = -1;
        }
    }
}

static void ask_register(struct reader *r, const char *text) {
    if (r->vcc_of >= 0 && starts_with(text, "s_cbranch_vcc")) {
        struct flags *flags = &r->flags[r->graph->block_count - 1];
        flags->asked = r->vcc_of;
        flags->jumps_at_0 = starts_with(text, "s_cbranch_vccz") != r->vcc_inverted;
    }
}

static void spread_registers(struct reader *r) {
    unsigned count = r->graph->block_count;
    uint8_t(*in)[REGISTERS] = calloc(count, sizeof *in);
    if (!in) {
        bug("out of memory");
    }
    memset(in[0], FLAG_UNKNOWN, sizeof in[0]);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = 0; b < count; b++) {
            struct flags *flags = &r->flags[b];
            for (unsigned i = 0; i < REGISTERS; i++) {
                flags->out[i] = flags->effect[i] != FLAG_KEPT ? flags->effect[i] : in[b][i];
            }
            for (unsigned s = 0; s < r->graph->blocks[b].successor_count; s++) {
                uint8_t *to = in[r->graph->blocks[b].successors[s]];
                for (unsigned i = 0; i < REGISTERS; i++) {
                    uint8_t met = to[i] == FLAG_UNREACHED || to[i] == flags->out[i] ? flags->out[i]
                                  : flags->out[i] == FLAG_UNREACHED                 ? to[i]
                                                                                    : FLAG_UNKNOWN;
                    changed |= met != to[i];
                    to[i] = met;
                }
            }
        }
    }
    free(in);
}

// A copy of a block with its branch decided by the register's value.
static unsigned decided_copy(struct reader *r, unsigned block, bool is_zero) {
    unsigned target = r->flags[block].target, copy = r->graph->block_count;
    bool jumps = r->flags[block].jumps_at_0 == is_zero;
    add_block(r->graph);
    struct block *from = &r->graph->blocks[block], *to = &r->graph->blocks[copy];
    for (unsigned e = 0; e < from->event_count; e++) {
        add_event(to, from->events[e]);
    }
    for (unsigned s = 0; s < from->successor_count; s++) {
        if ((from->successors[s] == target) == jumps) {
            add_successor(to, from->successors[s]);
        }
    }
    return copy;
}

static void decide_branches(struct reader *r) {
    unsigned count = r->graph->block_count;
    spread_registers(r);
    for (unsigned b = 0; b < count; b++) {
        for (unsigned s = 0; s < r->graph->blocks[b].successor_count; s++) {
            unsigned to = r->graph->blocks[b].successors[s];
            uint8_t value =
                to < count && r->flags[to].asked >= 0 ? r->flags[b].out[r->flags[to].asked] : FLAG_UNKNOWN;
            if (value == FLAG_ZERO || value == FLAG_ONES) {
                unsigned copy = decided_copy(r, to, value == FLAG_ZERO);
                r->graph->blocks[b].successors[s] = copy;
            }
        }
    }
}

// ---- instructions ----

static void read_instruction(struct reader *r, const char *text, size_t length) {
    follow_registers(r, text);
    struct event event = {.id = r->line == ORDER_NO_LINE ? 0 : r->line, .opens = true, .closes = true};
    memcpy(event.text, text, length < sizeof event.text - 1 ? length : sizeof event.text - 1);
    if (starts_with(text, "s_barrier")) {
        event.kind = KIND_BARRIER;
        event.opens = !starts_with(text, "s_barrier_signal");
        event.closes = !starts_with(text, "s_barrier_wait");
        add_event(r->block, event);
    } else if (is_lds_access(text)) {
        event.kind = KIND_ACCESS;
        add_event(r->block, event);
    } else if (starts_with(text, "s_branch") || starts_with(text, "s_cbranch") ||
               starts_with(text, "s_endpgm")) {
        r->falls_through = starts_with(text, "s_cbranch");
        ask_register(r, text);
        if (!starts_with(text, "s_endpgm")) {
            add_jump(r, text + strcspn(text, " \t") + 1);
        }
        begin_block(r, "", 0);
    }
}

// From the kernel's label to the end of its function.
void read_assembly(struct graph *graph, const char *assembly, const char *name) {
    struct reader r = {.graph = graph, .line = ORDER_NO_LINE};
    char label[256];
    snprintf(label, sizeof label, "\n%s:", name);
    const char *at = strstr(assembly, label);
    if (!at) {
        bug("the assembly has no kernel %s", name);
    }
    begin_block(&r, "", 0);
    for (const char *next = strchr(at + 1, '\n'); next; next = strchr(next, '\n')) {
        // A copy: scanf searches for the end of its input.
        char at[512];
        next++;
        size_t length = strcspn(next, "\n");
        snprintf(at, sizeof at, "%.*s\n", (int)(length < sizeof at - 2 ? length : sizeof at - 2), next);
        length = strcspn(at, "\n");
        size_t name_length = strcspn(at, ":\n");
        const char *word = at + strspn(at, " \t");
        if (starts_with(at, ".Lfunc_end")) {
            break;
        }
        if (starts_with(at, ".LBB") && at[name_length] == ':') {
            begin_block(&r, at, name_length);
        } else if (starts_with(word, ".loc")) {
            unsigned file = 0, line = 0;
            sscanf(word + 4, "%u %u", &file, &line);
            r.line = line ? line : ORDER_NO_LINE;
        } else if (*at == '\t' && *word != '.' && *word != ';') {
            read_instruction(&r, word, length - (size_t)(word - at));
        }
    }
    for (unsigned j = 0; j < r.jump_count; j++) {
        for (unsigned b = 0; b < graph->block_count; b++) {
            if (strcmp(r.labels[b], r.jumps[j].to) == 0) {
                add_successor(&graph->blocks[r.jumps[j].from], b);
                r.flags[r.jumps[j].from].target = b;
            }
        }
    }
    decide_branches(&r);
    free(r.flags);
    free(r.labels);
    free(r.jumps);
}
