// mbarriers (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"). A phase completes
// once the barrier's number of threads has arrived and all expected bytes have come. Copies land as late as
// possible: when a thread waits for the phase they complete. A wait for a parity ends once the last complete
// phase has that parity; before the first phase it is 1.
//
// Faults are reported at their place: bytes nobody expects, arrivals beyond the count, use before or without
// the init. A phase that cannot complete is reported as a deadlock with its barrier.
#include "emulator/memory/memory.h"

#include <stdlib.h>

#include "chip/target.h"
#include "emulator/report/report.h"
#include "support/memory.h"

enum { MAX_TRANSACTION = (1 << 20) - 1 };

static uint32_t word_of(const struct warp *warp, const struct operand *operand, unsigned lane) {
    uint32_t word = 0;
    const uint8_t *at = warp->registers + operand->reg + (size_t)lane * operand->shape.bytes;
    memcpy(&word, at, operand->shape.bytes < sizeof word ? operand->shape.bytes : sizeof word);
    return word;
}

lane_mask lanes_where(const struct warp *warp, const struct operand *predicate) {
    lane_mask lanes = 0;
    FOR_LANES(lane, warp->mask) {
        lanes |= (lane_mask)(word_of(warp, predicate, lane) & 1) << lane;
    }
    return lanes;
}

static struct mbarrier *at_offset(struct block *block, uint32_t offset) {
    for (unsigned i = 0; i < block->mbarrier_count; i++) {
        if (block->mbarriers[i].offset == offset) {
            return &block->mbarriers[i];
        }
    }
    return NULL;
}

// The offset in the program's memory of an address in the block's own.
static uint32_t own_offset(const struct warp *warp, uint32_t address) {
    return address - warp->run->emulator->shared_base + warp->rank * warp->run->shared_span;
}

static struct mbarrier *find(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset) {
    struct mbarrier *barrier = at_offset(warp->block, offset);
    if (!barrier) {
        report_at(warp, in, lane, FAULT_MBARRIER, NULL, NULL,
                  "no mbarrier was made at shared memory byte %lld", (long long)(int32_t)offset);
        warp->state = WARP_FAULT;
    } else if (warp->block->shadow && !shadow_ordered(warp, lane, &barrier->init)) {
        report_at(warp, in, lane, FAULT_RACE, &warp->kernel->code[barrier->init.instr - 1], "made",
                  "uses the mbarrier at shared memory byte %u, which thread %u made, with no barrier between",
                  offset, barrier->init.warp * warp->lanes + barrier->init.lane);
    }
    return barrier;
}

struct mbarrier *mbarrier_find(struct warp *warp, const struct instr *in, unsigned lane, uint32_t address) {
    return find(warp, in, lane, own_offset(warp, address));
}

struct mbarrier *mbarrier_find_mapped(struct warp *warp, const struct instr *in, unsigned lane,
                                      uint32_t address) {
    uint32_t mapped = address >> CLUSTER_AT, low = address & (((uint32_t)1 << CLUSTER_AT) - 1);
    unsigned rank = mapped ? mapped - 1 : warp->rank;
    if (rank >= warp->run->cluster || block_has_ended(warp->block, rank)) {
        report_at(warp, in, lane, FAULT_MBARRIER, NULL, NULL,
                  "uses an mbarrier of block %u of the cluster, which has %s", rank,
                  rank < warp->run->cluster ? "ended: blocks of a cluster meet before one ends"
                                            : "fewer blocks");
        warp->state = WARP_FAULT;
        return NULL;
    }
    return find(warp, in, lane, low - warp->run->emulator->shared_base + rank * warp->run->shared_span);
}

static void make(struct warp *warp, const struct instr *in, unsigned lane, uint32_t address, uint32_t count) {
    struct block *block = warp->block;
    struct memory_place place =
        memory_place(warp, in, lane, address, SPACE_SHARED, MBARRIER_BYTES, MBARRIER_BYTES, ACCESS_WRITE);
    if (!place.data) {
        return;
    }
    if (count == 0 || at_offset(block, place.shared)) {
        report_at(warp, in, lane, FAULT_MBARRIER, NULL, NULL,
                  count ? "the mbarrier at shared memory byte %u is made again"
                        : "the mbarrier at shared memory byte %u is made for no arrival",
                  place.shared);
        return;
    }
    if (block->shadow) {
        shadow_make_mbarrier(warp, in, lane, place.shared, MBARRIER_BYTES);
    }
    block->mbarriers = memory_grown(block->mbarriers, block->mbarrier_count, &block->mbarrier_capacity,
                                    sizeof *block->mbarriers);
    block->mbarriers[block->mbarrier_count] = (struct mbarrier){
        .offset = place.shared,
        .agent = AGENT_COPIES + block->mbarrier_count % (MAX_WARPS - AGENT_COPIES),
        .expected = count,
        .init = {warp->view.seen[warp->index], in->index + 1, (uint8_t)warp->index, (uint8_t)lane, false,
                 false},
    };
    block->mbarrier_count++;
}

// Operands: address, count, bytes of all of them, predicate.
void exec_mbarrier_init(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    FOR_LANES(lane, lanes_where(warp, &in->operands[3])) {
        uint32_t address = word_of(warp, &in->operands[0], lane),
                 count = word_of(warp, &in->operands[1], lane), bytes = word_of(warp, &in->operands[2], lane);
        for (uint32_t at = 0; at < bytes; at += MBARRIER_BYTES) {
            make(warp, in, lane, address + at, count);
        }
    }
}

// fence.mbarrier_init: copies of threads that know this moment may use the mbarriers made by this warp.
void exec_mbarrier_fence(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    for (unsigned i = 0; i < warp->block->mbarrier_count; i++) {
        struct mbarrier *barrier = &warp->block->mbarriers[i];
        if (barrier->init.warp == warp->index && barrier->fence.instr == 0) {
            barrier->fence = barrier->init;
            barrier->fence.clock = warp->view.seen[warp->index];
            barrier->fence.instr = in->index + 1;
        }
    }
}

void mbarrier_check_fenced(struct warp *warp, const struct instr *in, unsigned lane,
                           const struct mbarrier *barrier) {
    bool is_fenced = barrier->fence.instr && shadow_ordered(warp, lane, &barrier->fence);
    if (is_fenced || warp->view.proxy[barrier->init.warp] > barrier->init.clock || !warp->run->checks) {
        return;
    }
    report_at(warp, in, lane, FAULT_PROXY, &warp->kernel->code[barrier->init.instr - 1], "made",
              "a copy is to report to the mbarrier at shared memory byte %u, which has passed no "
              "fence.mbarrier_init since it was made%s",
              barrier->offset, barrier->fence.instr ? ", or no barrier behind that fence" : "");
}

// ---- phases ----

static void complete(struct run *run, struct mbarrier *barrier) {
    barrier->phase++;
    barrier->arrived = 0;
    barrier->bytes = 0;
    view_join(run, &barrier->complete, &barrier->running);
}

static bool all_arrived(const struct mbarrier *barrier) {
    return barrier->arrived == barrier->expected;
}

static void arrive(struct warp *warp, const struct instr *in, unsigned lane, struct mbarrier *barrier,
                   uint32_t bytes) {
    if (barrier->arrived + barrier->commits >= barrier->expected) {
        report_at(
            warp, in, lane, FAULT_MBARRIER, NULL, NULL,
            "arrives at the mbarrier at shared memory byte %u after all %u arrivals of phase %u, which waits "
            "for copies of %u bytes",
            barrier->offset, barrier->expected, barrier->phase, barrier->bytes);
        warp->state = WARP_FAULT;
        return;
    }
    barrier->arrived++;
    barrier->bytes += bytes;
    if (!all_arrived(barrier) || barrier->bytes) {
        return;
    }
    if (barrier->under_way) {
        report_at(warp, in, lane, FAULT_MBARRIER, NULL, NULL,
                  "completes phase %u of the mbarrier at shared memory byte %u, which expects no bytes, "
                  "while copies "
                  "of %u bytes are on their way to it",
                  barrier->phase, barrier->offset, barrier->under_way);
    }
    complete(warp->run, barrier);
}

static void arrive_lanes(struct warp *warp, const struct instr *in, lane_mask lanes, bool expects,
                         bool mapped) {
    if (!lanes) {
        return;
    }
    struct view released = view_released(warp, lanes);
    FOR_LANES(lane, lanes) {
        struct mbarrier *barrier = (mapped ? mbarrier_find_mapped : mbarrier_find)(
            warp, in, lane, word_of(warp, &in->operands[0], lane));
        uint32_t bytes = expects ? word_of(warp, &in->operands[1], lane) : 0;
        if (!barrier) {
            return;
        }
        if (bytes > MAX_TRANSACTION || barrier->bytes + bytes > MAX_TRANSACTION) {
            report_at(
                warp, in, lane, FAULT_MBARRIER, NULL, NULL,
                "the mbarrier at shared memory byte %u cannot expect %u more bytes: at most %d in a phase",
                barrier->offset, bytes, MAX_TRANSACTION);
            bytes = 0;
        }
        view_join(warp->run, &barrier->running, &released);
        arrive(warp, in, lane, barrier, bytes);
    }
}

// Operands: address, bytes, predicate.
void exec_mbarrier_expect(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    arrive_lanes(warp, in, lanes_where(warp, &in->operands[2]), true, false);
}

// Operands: address, predicate.
void exec_mbarrier_arrive(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    arrive_lanes(warp, in, lanes_where(warp, &in->operands[1]), false, false);
}

void exec_mbarrier_arrive_mapped(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    arrive_lanes(warp, in, lanes_where(warp, &in->operands[1]), false, true);
}

// ---- waiting ----

static bool is_over(const struct mbarrier *barrier, uint32_t parity) {
    return (barrier->phase & 1) != parity;
}

static bool can_complete(const struct mbarrier *barrier) {
    return barrier->arrived + barrier->commits == barrier->expected && barrier->under_way >= barrier->bytes;
}

// The barrier some lane waits for at the polling warp's last instruction.
static const struct mbarrier *waited_for(const struct warp *warp, uint32_t *parity) {
    const struct instr *in = &warp->kernel->code[warp->pc - 1];
    FOR_LANES(lane, warp->mask) {
        uint32_t offset = own_offset(warp, word_of(warp, &in->operands[0], lane));
        const struct mbarrier *barrier = at_offset(warp->block, offset);
        *parity = word_of(warp, &in->operands[1], lane);
        if (barrier && !is_over(barrier, *parity) && !can_complete(barrier)) {
            return barrier;
        }
    }
    return NULL;
}

static bool wait_is_over(const struct warp *warp) {
    uint32_t parity;
    return !waited_for(warp, &parity);
}

static void describe_wait(const struct warp *warp, struct strbuf *out) {
    uint32_t parity;
    const struct mbarrier *barrier = waited_for(warp, &parity);
    if (!barrier) {
        return;
    }
    strbuf_printf(
        out, " for parity %u of the mbarrier at shared memory byte %u, whose phase %u has %u of %u arrivals",
        parity, barrier->offset, barrier->phase, barrier->arrived, barrier->expected);
    if (barrier->bytes || barrier->under_way) {
        strbuf_printf(out, " and copies of %u of %u bytes", barrier->under_way, barrier->bytes);
    }
}

static bool wait_lane(struct warp *warp, const struct instr *in, unsigned lane) {
    struct mbarrier *barrier = mbarrier_find(warp, in, lane, word_of(warp, &in->operands[0], lane));
    uint32_t parity = word_of(warp, &in->operands[1], lane);
    if (!barrier) {
        return true; // a fault
    }
    if (parity > 1) {
        report_at(warp, in, lane, FAULT_MBARRIER, NULL, NULL, "parity %u; it is 0 or 1", parity);
        warp->state = WARP_FAULT;
        return true;
    }
    if (!is_over(barrier, parity)) {
        if (!can_complete(barrier)) {
            return false;
        }
        if (barrier->under_way > barrier->bytes) {
            report_at(
                warp, in, lane, FAULT_MBARRIER, NULL, NULL,
                "phase %u of the mbarrier at shared memory byte %u expects %u bytes, and copies of %u are on "
                "their way to it",
                barrier->phase, barrier->offset, barrier->bytes, barrier->under_way);
            warp->state = WARP_FAULT;
            return true;
        }
        tensor_land(warp->block, barrier);
        if (barrier->commits) {
            warp->block->tmem->land(warp->block, barrier);
        }
        complete(warp->run, barrier);
    }
    view_join(warp->run, &warp->view, &barrier->complete);
    return true;
}

// Operands: address, parity.
void exec_mbarrier_wait(struct warp *warp, const struct instr *in, void *dst) {
    static const struct wait phase = {wait_is_over, describe_wait};
    (void)dst;
    FOR_LANES(lane, warp->mask) {
        if (warp->state != WARP_RUNNING) {
            return;
        }
        if (!wait_lane(warp, in, lane)) {
            warp_poll(warp, &phase);
            return;
        }
    }
    warp->read_step++;
}
