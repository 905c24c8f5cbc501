// NVIDIA's shuffles, votes and barriers. Semantics: PTX ISA, chapters "Data Movement and Conversion
// Instructions: shfl.sync", "Parallel Synchronization and Communication Instructions".
#include "emulator/nvidia/nvidia.h"

#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

static const uint32_t *words(const struct warp *warp, const struct instr *in, unsigned index) {
    return operand(warp, in, index);
}

// The member mask must name exactly the lanes present (PTX ISA: otherwise undefined).
static bool members(struct warp *warp, const struct instr *in, const uint32_t *mask) {
    lane_mask wanted = 0;
    FOR_LANES(lane, warp->mask) {
        wanted |= mask[lane];
        if (!(mask[lane] >> lane & 1)) {
            report_at(warp, in, lane, FAULT_DIVERGENCE, NULL, NULL,
                      "lane %u is not in its own member mask 0x%08x", lane, mask[lane]);
            return false;
        }
    }
    return collective_check(warp, in, wanted & warp->full);
}

// Operands: member mask, value, lane or offset, clamp | segment mask << 8. variant: the result is {value,
// predicate}.
void exec_shuffle(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *mask = words(warp, in, 0), *value = words(warp, in, 1), *b = words(warp, in, 2),
                   *c = words(warp, in, 3);
    uint32_t result[32];
    uint8_t found[32] = {0};
    if (!members(warp, in, mask)) {
        warp->state = WARP_FAULT;
        return;
    }
    FOR_LANES(lane, warp->mask) {
        uint32_t segment = c[lane] >> 8 & 31, clamp = c[lane] & 31;
        int last = (int)((lane & segment) | (clamp & ~segment)), first = (int)(lane & segment),
            at = (int)lane;
        int offset = (int)(b[lane] & 31);
        bool inside;
        switch ((enum shuffle_mode)in->immediate) {
        case SHUFFLE_UP:
            at = (int)lane - offset;
            inside = at >= last;
            break;
        case SHUFFLE_DOWN:
            at = (int)lane + offset;
            inside = at <= last;
            break;
        case SHUFFLE_BUTTERFLY:
            at = (int)lane ^ offset;
            inside = at <= last;
            break;
        default:
            at = first | (offset & (int)~segment);
            inside = at <= last;
            break;
        }
        if (!inside) {
            at = (int)lane;
        }
        if (!(warp->mask >> at & 1)) {
            report_at(warp, in, lane, FAULT_DIVERGENCE, NULL, NULL,
                      "shuffle from lane %d, which is not taking part", at);
            at = (int)lane;
        }
        result[lane] = value[at];
        found[lane] = inside;
    }
    uint8_t *predicate = (uint8_t *)dst + 32 * 4;
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = result[lane];
        if (in->variant) {
            predicate[lane] = found[lane];
        }
    }
}

void exec_vote(struct warp *warp, const struct instr *in, void *dst) {
    const uint8_t *predicate = operand(warp, in, 1);
    uint32_t yes = 0;
    if (!members(warp, in, words(warp, in, 0))) {
        warp->state = WARP_FAULT;
        return;
    }
    FOR_LANES(lane, warp->mask) {
        yes |= (uint32_t)(predicate[lane] & 1) << lane;
    }
    FOR_LANES(lane, warp->mask) {
        switch ((enum vote_mode)in->immediate) {
        case VOTE_ALL:
            ((uint8_t *)dst)[lane] = yes == (uint32_t)warp->mask;
            break;
        case VOTE_ANY:
            ((uint8_t *)dst)[lane] = yes != 0;
            break;
        case VOTE_UNIFORM:
            ((uint8_t *)dst)[lane] = yes == 0 || yes == (uint32_t)warp->mask;
            break;
        default:
            ((uint32_t *)dst)[lane] = yes;
            break;
        }
    }
}

static uint32_t reduce_pair(enum reduce_mode mode, uint32_t x, uint32_t y) {
    switch (mode) {
    case REDUCE_ADD:
        return x + y;
    case REDUCE_MIN:
        return (int32_t)x < (int32_t)y ? x : y;
    case REDUCE_MAX:
        return (int32_t)x > (int32_t)y ? x : y;
    case REDUCE_UMIN:
        return x < y ? x : y;
    case REDUCE_UMAX:
        return x > y ? x : y;
    case REDUCE_AND:
        return x & y;
    case REDUCE_OR:
        return x | y;
    default:
        return x ^ y;
    }
}

// redux.sync: operands value, member mask.
void exec_reduce(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *value = words(warp, in, 0);
    uint32_t sum = 0;
    bool first = true;
    if (!members(warp, in, words(warp, in, 1))) {
        warp->state = WARP_FAULT;
        return;
    }
    FOR_LANES(lane, warp->mask) {
        sum = first ? value[lane] : reduce_pair((enum reduce_mode)in->immediate, sum, value[lane]);
        first = false;
    }
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = sum;
    }
}

void exec_match_any(struct warp *warp, const struct instr *in, void *dst) {
    const uint8_t *value = operand(warp, in, 1);
    unsigned bytes = in->operands[1].shape.bytes;
    uint32_t result[32];
    if (!members(warp, in, words(warp, in, 0))) {
        warp->state = WARP_FAULT;
        return;
    }
    FOR_LANES(lane, warp->mask) {
        result[lane] = 0;
        FOR_LANES(other, warp->mask) {
            result[lane] |=
                (uint32_t)!memcmp(value + (size_t)lane * bytes, value + (size_t)other * bytes, bytes)
                << other;
        }
    }
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = result[lane];
    }
}

void exec_active_mask(struct warp *warp, const struct instr *in, void *dst) {
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        memcpy((uint8_t *)dst + (size_t)lane * in->bytes, &warp->mask, in->bytes);
    }
}

// elect.sync in assembly: the predicate alone.
void exec_elect_lane(struct warp *warp, const struct instr *in, void *dst) {
    if (!members(warp, in, words(warp, in, 0))) {
        warp->state = WARP_FAULT;
        return;
    }
    FOR_LANES(lane, warp->mask) {
        ((uint8_t *)dst)[lane] = lane == (unsigned)__builtin_ctzll(warp->mask);
    }
}

// elect.sync: {leader, i1}; the lowest member leads.
void exec_elect(struct warp *warp, const struct instr *in, void *dst) {
    uint32_t leader = (uint32_t)__builtin_ctzll(warp->mask);
    if (!members(warp, in, words(warp, in, 0))) {
        warp->state = WARP_FAULT;
        return;
    }
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = leader;
        ((uint8_t *)dst + 32 * 4)[lane] = lane == leader;
    }
}

static unsigned uniform(struct warp *warp, const struct instr *in, unsigned index) {
    return words(warp, in, index)[__builtin_ctzll(warp->mask)];
}

// bar.sync id [, threads]
void exec_barrier_id(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    unsigned count = in->operand_count > 1 ? uniform(warp, in, 1) / warp->lanes : warp->run->block_warps;
    barrier_arrive(warp, in, uniform(warp, in, 0), count, true);
}

// bar.warp.sync: orders the members' memory accesses.
void exec_warp_sync(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    if (members(warp, in, words(warp, in, 0))) {
        warp_fence(warp);
    } else {
        warp->state = WARP_FAULT;
    }
}

// ---- dependent launches: griddepcontrol (PTX ISA, "Parallel Synchronization and Communication Instructions") ----

void exec_grid_wait(struct warp *warp, const struct instr *in, void *dst) {
    (void)in;
    (void)dst;
    warp->waited = true;
}

void exec_grid_trigger(struct warp *warp, const struct instr *in, void *dst) {
    (void)warp;
    (void)in;
    (void)dst;
}
