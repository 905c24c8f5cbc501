// Control flow of a warp. Lanes that diverge at a branch run one side after the other and reconverge at the
// branch's immediate post-dominator: a stack of {lanes, next block, reconvergence block} (Levinthal and
// Porter, "Chap: a SIMD graphics processor", 1984; the scheme of GPUs before independent thread scheduling).
#include "emulator/execute/execute.h"
#include "emulator/report/report.h"

static void copy_phis(struct warp *warp, const struct instr *in, const struct edge *edge, lane_mask mask) {
    if (warp->flights) {
        flight_follow_edge(warp, in, edge);
    }
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
        if (all) {
            memcpy(warp->registers + copies[i].dst, from, size);
        } else {
            copy_lanes(warp->registers + copies[i].dst, from, copies[i].components, warp->lanes,
                       copies[i].bytes, mask);
        }
        gathered += size;
    }
}

// The lanes on top of the stack have ended or reached their meeting point: the next frame goes on.
static void pop(struct warp *warp) {
    do {
        warp->depth--;
    } while (warp->depth > 0 && !(warp->frames[warp->depth - 1].mask & warp->live));
    if (warp->depth == 0) {
        warp->state = WARP_DONE;
        return;
    }
    const struct frame *top = &warp->frames[warp->depth - 1];
    warp_set_mask(warp, top->mask & warp->live);
    warp->pc = warp->kernel->blocks[top->next].first;
}

static void enter(struct warp *warp, uint32_t block) {
    if (block == warp->frames[warp->depth - 1].reconverge) {
        pop(warp);
    } else {
        warp->pc = warp->kernel->blocks[block].first;
    }
}

static void push(struct warp *warp, const struct instr *in, lane_mask mask, uint32_t next,
                 uint32_t reconverge) {
    if (warp->depth == MAX_DEPTH) {
        report_at(warp, in, (unsigned)__builtin_ctzll(mask), FAULT_DIVERGENCE, NULL, NULL,
                  "more than %d nested divergent branches", MAX_DEPTH);
        warp->state = WARP_FAULT;
        return;
    }
    warp->frames[warp->depth++] = (struct frame){mask, next, reconverge};
}

void exec_jump(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct edge *edge = &warp->kernel->edges[in->src[1]];
    if (edge->count) {
        copy_phis(warp, in, edge, warp->mask);
    }
    enter(warp, edge->target);
}

// Sends each group of lanes along its edge. Groups are disjoint and together the active lanes.
static void diverge(struct warp *warp, const struct instr *in, const uint32_t *edges, const lane_mask *groups,
                    unsigned count) {
    uint32_t meet = warp->kernel->blocks[in->src[3]].reconverge;
    struct frame *top = &warp->frames[warp->depth - 1];
    warp->statistics.divergent_branches++;
    if (top->reconverge == meet) {
        warp->depth--; // these lanes wait in the frame below already
    } else {
        *top = (struct frame){top->mask, meet, top->reconverge};
    }
    for (unsigned i = count; i-- > 0;) {
        if (!groups[i]) {
            continue;
        }
        const struct edge *edge = &warp->kernel->edges[edges[i]];
        if (edge->count) {
            copy_phis(warp, in, edge, groups[i]);
        }
        if (edge->target != meet) {
            push(warp, in, groups[i], edge->target, meet);
        }
    }
    if (warp->state != WARP_RUNNING) {
        return;
    }
    warp->depth++; // pop takes it off again
    pop(warp);
}

void exec_branch(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const uint8_t *condition = source(warp, in, 0);
    lane_mask yes = 0;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        yes |= (lane_mask)(condition[lane] & 1) << lane;
    }
    yes &= warp->mask;
    warp->statistics.branches++;
    if (yes == warp->mask || yes == 0) {
        const struct edge *edge = &warp->kernel->edges[in->src[yes ? 1 : 2]];
        if (edge->count) {
            copy_phis(warp, in, edge, warp->mask);
        }
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
            if (i == table->count || value == table->values[i]) {
                groups[i] |= (lane_mask)1 << lane;
            }
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
    if (edge->count) {
        copy_phis(warp, in, edge, warp->mask);
    }
    enter(warp, edge->target);
}

void exec_return(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    warp->live &= ~warp->mask;
    pop(warp);
}

void exec_unreachable(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    report_at(warp, in, (unsigned)__builtin_ctzll(warp->mask), FAULT_UNREACHABLE, NULL, NULL,
              "control reached a place that cannot be reached");
    warp->state = WARP_FAULT;
}

void exec_trap(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    report_at(warp, in, (unsigned)__builtin_ctzll(warp->mask), FAULT_TRAP, NULL, NULL,
              "the kernel stopped itself");
    warp->state = WARP_FAULT;
}
