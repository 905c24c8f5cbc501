// Control flow of a warp. Lanes that part at a branch run one side after the other and meet again at the
// branch's immediate post-dominator: a stack of {lanes, where they go on, where they meet} (Levinthal and
// Porter, "Chap: a SIMD graphics processor", 1984; the scheme of GPUs before independent thread scheduling).
#include "emulator/machine/machine.h"

#include <stdio.h>

#include "emulator/number/number.h"
#include "support/strbuf.h"

static void set_mask(struct warp *warp, lane_mask mask) {
    warp->mask = mask;
    warp->partial = mask != mask_of(warp->lanes);
}

static void copy_lanes(uint8_t *to, const uint8_t *from, unsigned components, unsigned lanes, unsigned bytes,
                       lane_mask mask) {
    for (unsigned component = 0; component < components; component++) {
        size_t row = (size_t)component * lanes * bytes;
        switch (bytes) {
        case 1:
            FOR_LANES(lane, mask) to[row + lane] = from[row + lane];
            break;
        case 4:
            FOR_LANES(lane, mask)((uint32_t *)(to + row))[lane] = ((const uint32_t *)(from + row))[lane];
            break;
        default:
            FOR_LANES(lane, mask)
            memcpy(to + row + (size_t)lane * bytes, from + row + (size_t)lane * bytes, bytes);
        }
    }
}

static void copy_phis(struct warp *warp, const struct edge *edge, lane_mask mask) {
    const struct phi_copy *copies = warp->kernel->copies + edge->first;
    bool all = mask == mask_of(warp->lanes);
    uint8_t *gathered = warp->scratch;
    for (uint32_t i = 0; edge->overlap && i < edge->count; i++) {
        size_t size = (size_t)copies[i].total * copies[i].bytes;
        memcpy(gathered, warp->registers + copies[i].src, size);
        gathered += size;
    }
    gathered = warp->scratch;
    for (uint32_t i = 0; i < edge->count; i++) {
        size_t size = (size_t)copies[i].total * copies[i].bytes;
        const uint8_t *from = edge->overlap ? gathered : warp->registers + copies[i].src;
        if (all)
            memcpy(warp->registers + copies[i].dst, from, size);
        else
            copy_lanes(warp->registers + copies[i].dst, from, copies[i].components, warp->lanes,
                       copies[i].bytes, mask);
        gathered += size;
    }
}

// The lanes on top of the stack have ended or reached their meeting point: the next frame goes on.
static void pop(struct warp *warp) {
    do
        warp->depth--;
    while (warp->depth > 0 && !(warp->frames[warp->depth - 1].mask & warp->live));
    if (warp->depth == 0) {
        warp->state = WARP_DONE;
        return;
    }
    const struct frame *top = &warp->frames[warp->depth - 1];
    set_mask(warp, top->mask & warp->live);
    warp->pc = warp->kernel->blocks[top->next].first;
}

static void enter(struct warp *warp, uint32_t block) {
    if (block == warp->frames[warp->depth - 1].reconverge)
        pop(warp);
    else
        warp->pc = warp->kernel->blocks[block].first;
}

static void push(struct warp *warp, const struct instr *in, lane_mask mask, uint32_t next,
                 uint32_t reconverge) {
    if (warp->depth == MAX_DEPTH) {
        report_at(warp, in, (unsigned)__builtin_ctzll(mask), "divergence", NULL, NULL,
                  "more than %d nested divergent branches", MAX_DEPTH);
        warp->state = WARP_FAULT;
        return;
    }
    warp->frames[warp->depth++] = (struct frame){mask, next, reconverge};
}

void exec_jump(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct edge *edge = &warp->kernel->edges[in->src[1]];
    if (edge->count)
        copy_phis(warp, edge, warp->mask);
    enter(warp, edge->target);
}

// Sends each group of lanes along its edge. Groups are disjoint and together the active lanes.
static void diverge(struct warp *warp, const struct instr *in, const uint32_t *edges, const lane_mask *groups,
                    unsigned count) {
    uint32_t meet = warp->kernel->blocks[in->src[3]].reconverge;
    struct frame *top = &warp->frames[warp->depth - 1];
    warp->statistics.divergent_branches++;
    if (top->reconverge == meet)
        warp->depth--; // these lanes wait in the frame below already
    else
        *top = (struct frame){top->mask, meet, top->reconverge};
    for (unsigned i = count; i-- > 0;) {
        if (!groups[i])
            continue;
        const struct edge *edge = &warp->kernel->edges[edges[i]];
        if (edge->count)
            copy_phis(warp, edge, groups[i]);
        if (edge->target != meet)
            push(warp, in, groups[i], edge->target, meet);
    }
    if (warp->state != WARP_RUNNING)
        return;
    warp->depth++; // pop takes it off again
    pop(warp);
}

void exec_branch(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const uint8_t *condition = source(warp, in, 0);
    lane_mask yes = 0;
    for (unsigned lane = 0; lane < warp->lanes; lane++)
        yes |= (lane_mask)(condition[lane] & 1) << lane;
    yes &= warp->mask;
    warp->statistics.branches++;
    if (yes == warp->mask || yes == 0) {
        const struct edge *edge = &warp->kernel->edges[in->src[yes ? 1 : 2]];
        if (edge->count)
            copy_phis(warp, edge, warp->mask);
        enter(warp, edge->target);
        return;
    }
    diverge(warp, in, in->src + 1, (lane_mask[]){yes, warp->mask & ~yes}, 2);
}

void exec_switch(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct switch_table *table = in->extra;
    const uint8_t *condition = source(warp, in, 0);
    lane_mask groups[table->count + 1], rest = warp->mask;
    unsigned used = 0, last = 0;
    warp->statistics.branches++;
    for (unsigned i = 0; i <= table->count; i++) {
        groups[i] = 0;
        FOR_LANES(lane, rest) {
            uint64_t value = 0;
            memcpy(&value, condition + (size_t)lane * in->source_bytes,
                   in->source_bytes < 8 ? in->source_bytes : 8);
            if (i == table->count || value == table->values[i])
                groups[i] |= (lane_mask)1 << lane;
        }
        rest &= ~groups[i];
        if (groups[i]) {
            used++;
            last = i;
        }
    }
    if (used > 1) {
        diverge(warp, in, table->edges, groups, table->count + 1);
        return;
    }
    const struct edge *edge = &warp->kernel->edges[table->edges[last]];
    if (edge->count)
        copy_phis(warp, edge, warp->mask);
    enter(warp, edge->target);
}

void exec_return(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    warp->live &= ~warp->mask;
    pop(warp);
}

void exec_unreachable(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    report_at(warp, in, (unsigned)__builtin_ctzll(warp->mask), "unreachable", NULL, NULL,
              "control reached a place that cannot be reached");
    warp->state = WARP_FAULT;
}

void warp_start(struct warp *warp) {
    const struct run *run = warp->run;
    unsigned first = (unsigned)warp->index * warp->lanes;
    unsigned count = run->threads - first < warp->lanes ? run->threads - first : warp->lanes;
    warp->full = warp->live = mask_of(count);
    set_mask(warp, warp->full);
    warp->pc = warp->kernel->blocks[0].first;
    warp->state = WARP_RUNNING;
    warp->depth = 1;
    warp->frames[0] = (struct frame){warp->full, 0, BLOCK_NONE};
    memset(warp->clocks, 0, sizeof warp->clocks);
    memset(warp->released, 0, sizeof warp->released);
    memset(warp->incoming, 0, sizeof warp->incoming);
    memset(warp->committed, 0, sizeof warp->committed);
    warp->clocks[warp->index] = 1;
    warp->pending_count = 0;
    const struct emulator_options *options = &run->emulator->options;
    const uint32_t *program = warp->block->program;
    warp->traced = options->trace && options->trace_thread / warp->lanes == warp->index &&
                   program[0] == options->trace_program[0] && program[1] == options->trace_program[1] &&
                   program[2] == options->trace_program[2];
}

static void print_value(struct strbuf *out, const struct instr *in, const uint8_t *element) {
    uint64_t bits = 0;
    memcpy(&bits, element, in->bytes < 8 ? in->bytes : 8);
    switch (in->element) {
    case ELEMENT_HALF:
        strbuf_printf(out, "%g", (double)half_to_float((uint16_t)bits));
        return;
    case ELEMENT_BFLOAT:
        strbuf_printf(out, "%g", (double)bfloat_to_float((uint16_t)bits));
        return;
    case ELEMENT_FLOAT:
        strbuf_printf(out, "%.9g", (double)float_from_bits((uint32_t)bits));
        return;
    case ELEMENT_DOUBLE:
        strbuf_printf(out, "%.17g", double_from_bits(bits));
        return;
    case ELEMENT_POINTER:
        strbuf_printf(out, "0x%llx", (unsigned long long)bits);
        return;
    default:
        strbuf_printf(out, "%lld",
                      in->bits >= 64  ? (long long)bits
                      : in->bits == 1 ? (long long)bits
                                      : (long long)((int64_t)(bits << (64 - in->bits)) >> (64 - in->bits)));
    }
}

static void trace(struct warp *warp, const struct instr *in) {
    const struct emulator_options *options = &warp->run->emulator->options;
    unsigned lane = options->trace_thread % warp->lanes;
    pthread_mutex_lock(&warp->run->lock);
    struct strbuf line = {0};
    report_place_text(&line, in->value);
    char *text = LLVMPrintValueToString(in->value);
    char *cut = strstr(text, ", !dbg");
    if (cut)
        *cut = 0;
    strbuf_printf(&line, ": %s", text + strspn(text, " "));
    LLVMDisposeMessage(text);
    if (in->total) {
        strbuf_add(&line, "  =>");
        for (unsigned component = 0; component < in->components; component++) {
            strbuf_add_char(&line, ' ');
            print_value(&line, in,
                        warp->registers + in->dst + ((size_t)component * warp->lanes + lane) * in->bytes);
        }
    }
    fprintf(options->trace, "%s\n", strbuf_text(&line));
    strbuf_free(&line);
    pthread_mutex_unlock(&warp->run->lock);
}

static void count(struct warp *warp, const struct instr *in) {
    warp->statistics.warp_instructions++;
    warp->statistics.lane_instructions += (uint64_t)__builtin_popcountll(warp->mask);
    warp->statistics.by_kind[in->kind]++;
}

void warp_step(struct warp *warp, uint64_t budget) {
    const struct instr *code = warp->kernel->code;
    bool counting = warp->run->emulator->options.count;
    while (budget-- > 0 && warp->state == WARP_RUNNING) {
        const struct instr *in = &code[warp->pc++];
        if (counting)
            count(warp, in);
        bool shown =
            warp->traced && warp->mask >> warp->run->emulator->options.trace_thread % warp->lanes & 1;
        if (warp->partial && in->blend) {
            in->exec(warp, in, warp->scratch);
            copy_lanes(warp->registers + in->dst, warp->scratch, in->components, warp->lanes, in->bytes,
                       warp->mask);
        } else {
            in->exec(warp, in, warp->registers + in->dst);
        }
        if (shown)
            trace(warp, in);
    }
}
