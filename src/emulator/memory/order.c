// Barriers and fences, and the happens-before relation used by the race check.
//
// A read of shared memory on NVIDIA is over when its value is used, and neither a barrier nor an arrival at an mbarrier waits for it. For other
// threads' accesses it makes no difference: they go through the same queue. A tensor copy does not, and overwrites bytes whose read
// is under way (seen on an H200 behind mbarrier.arrive and bar.sync alike). ptxas waits for all reads of a warp at an acquiring fence,
// fence.acq_rel, and fence.proxy.async does, too; fence.sc and membar do not. A use of the value says nothing: LLVM and ptxas move it. A product
// of warpgroups has read its left operand's registers once it is waited for, and arrivals stay behind that wait: reads whose values those registers
// were computed from are over (decode/wgmma.c finds them).
//
// Each warp has a vector of clocks: view.seen[w] is the time up to which it knows warp w's accesses. An
// access is stamped with its warp's own clock. It happens before a later access if the later warp's
// seen[first warp] is beyond the stamp (Lamport's relation as vector clocks; FastTrack, Flanagan and Freund
// 2009, at the grain of warps). Lanes of one warp order each other only by a warp fence, on AMD by a meeting (wave.barrier) behind a fence of
// their wavefront. On NVIDIA bar.sync
// orders memory by itself (PTX ISA, "bar, barrier"). On AMD s_barrier does not: it passes on a warp's
// accesses only with a release fence before it and an acquire fence after it (LLVM's AMDGPU memory model:
// s_waitcnt comes from the fences).
#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

// The warp's clock covered by a fence or an arrival of some lanes: the current one if no other lane has used
// shared memory since the last fence between the lanes, else the clock of that fence.
static uint32_t own_clock(struct warp *warp, lane_mask lanes) {
    return warp->touched & ~lanes ? warp->lane_clock : ++warp->view.seen[warp->index];
}

struct view view_released(struct warp *warp, lane_mask lanes) {
    uint32_t own = own_clock(warp, lanes);
    struct view released = warp->view;
    released.seen[warp->index] = own;
    if (lanes != warp->full) { // of other lanes' moves the arriving ones know at a meeting of the lanes alone
        released.tensor[warp->index] = warp->tmem_met;
    }
    return released;
}

void warp_poll(struct warp *warp, const struct wait *wait) {
    warp->wait = wait;
    warp->state = WARP_POLLING;
}

void barrier_check(struct block *block, unsigned id) {
    struct barrier *barrier = &block->barriers[id];
    if (barrier->expected == 0 || (unsigned)__builtin_popcountll(barrier->arrived) < barrier->expected) {
        return;
    }
    bool machine = block->run->kernel->machine, fenced = block->run->emulator->amd && !machine;
    FOR_LANES(index, barrier->waiting) {
        struct warp *warp = &block->warps[index];
        view_join(block->run, fenced ? &warp->incoming : &warp->view, &barrier->view);
        warp_fence(warp);
        warp->state = WARP_READY;
    }
    FOR_LANES(index, machine ? barrier->arrived & ~barrier->waiting : 0) {
        view_join(block->run, &block->warps[index].incoming, &barrier->view);
    }
    memset(barrier, 0, sizeof *barrier);
}

void barrier_arrive(struct warp *warp, const struct instr *in, unsigned id, unsigned expected, bool wait) {
    struct block *block = warp->block;
    // Machine code arrives at a barrier regardless of EXEC.
    if (!warp->kernel->machine && !collective_check(warp, in, warp->full)) {
        warp->state = WARP_FAULT;
        return;
    }
    if (id >= BARRIER_COUNT) {
        report_at(warp, in, 0, FAULT_BARRIER, NULL, NULL, "barrier %u does not exist; there are %d", id,
                  BARRIER_COUNT);
        warp->state = WARP_FAULT;
        return;
    }
    struct barrier *barrier = &block->barriers[warp->rank * BARRIER_COUNT + id];
    if (barrier->expected && barrier->expected != expected) {
        report_at(warp, in, 0, FAULT_BARRIER, NULL, NULL, "barrier %u is awaited for %u and for %u warps", id,
                  barrier->expected, expected);
        warp->state = WARP_FAULT;
        return;
    }
    if (barrier->arrived >> warp->index & 1) {
        report_at(warp, in, 0, FAULT_BARRIER, NULL, NULL,
                  "arrives at barrier %u again before the %u warps that it is for have come", id, expected);
        warp->state = WARP_FAULT;
        return;
    }
    if (expected == 0 || expected > block->run->block_warps) {
        report_at(warp, in, 0, FAULT_BARRIER, NULL, NULL, "barrier %u is for %u warps, and the block has %u",
                  id, expected, block->run->block_warps);
        warp->state = WARP_FAULT;
        return;
    }
    warp->statistics.barriers++;
    warp->meetings = warp->met == block->run->changes ? warp->meetings + 1 : 0;
    warp->met = block->run->changes;
    warp_fence(warp);
    view_join(block->run, &barrier->view, block->run->emulator->amd ? &warp->released : &warp->view);
    if (block->run->emulator->barrier_waits) {
        publish_complete(warp);
        join_clocks(barrier->view.done, warp->view.done, block->warp_count);
    }
    barrier->expected = expected;
    barrier->arrived |= (uint64_t)1 << warp->index;
    if (wait) {
        barrier->waiting |= (uint64_t)1 << warp->index;
        warp->state = WARP_BARRIER;
        warp->barrier = (uint8_t)id;
    }
    barrier_check(block, warp->rank * BARRIER_COUNT + id);
}

// ---- clusters ----

// Opens the cluster's barrier when all warps that have not ended have come.
void cluster_check(struct block *block) {
    struct barrier *barrier = &block->barriers[CLUSTER_BARRIER];
    barrier->expected = 0;
    for (unsigned i = 0; i < block->warp_count && barrier->arrived; i++) {
        barrier->expected += block->warps[i].state != WARP_DONE;
    }
    barrier_check(block, CLUSTER_BARRIER);
}

// barrier.cluster.arrive.release, barrier.cluster.wait.acquire
void exec_cluster_meet(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    struct barrier *barrier = &warp->block->barriers[CLUSTER_BARRIER];
    if (!collective_check(warp, in, warp->full)) {
        warp->state = WARP_FAULT;
        return;
    }
    warp->statistics.barriers++;
    warp_fence(warp);
    view_join(warp->run, &barrier->view, &warp->view);
    barrier->arrived |= (uint64_t)1 << warp->index;
    barrier->waiting |= (uint64_t)1 << warp->index;
    warp->state = WARP_BARRIER;
    warp->barrier = CLUSTER_BARRIER;
    cluster_check(warp->block);
}

// mapa: operands are a shared address and a block's rank.
void exec_map_address(struct warp *warp, const struct instr *in, void *dst) {
    const struct operand *rank = &in->operands[1];
    FOR_LANES(lane, warp->mask) {
        uint32_t number;
        memcpy(&number, warp->registers + rank->reg + (size_t)lane * rank->shape.bytes, sizeof number);
        const uint32_t *address = operand(warp, in, 0);
        if (number >= warp->run->cluster || address[lane] >> CLUSTER_AT) {
            report_at(warp, in, lane, FAULT_OPERATION, NULL, NULL,
                      "maps address 0x%x to block %u of a cluster of %u", address[lane], number,
                      warp->run->cluster);
            warp->state = WARP_FAULT;
            return;
        }
        ((uint32_t *)dst)[lane] = address[lane] | (number + 1) << CLUSTER_AT;
    }
}

// The whole block's barrier.
void exec_barrier(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    barrier_arrive(warp, in, (unsigned)in->immediate, warp->run->block_warps, true);
}

void order_reads_over(struct warp *warp) {
    warp->view.read[warp->index] = own_clock(warp, warp->mask);
    warp->open_count = 0;
}

void order_fence(struct warp *warp, const struct instr *in, LLVMAtomicOrdering ordering, enum scope scope) {
    const struct emulator *emulator = warp->run->emulator;
    bool acquires = ordering != LLVMAtomicOrderingRelease, releases = ordering != LLVMAtomicOrderingAcquire;
    atomic_thread_fence(memory_order_seq_cst);
    if (emulator->amd && scope == SCOPE_WARP) {
        warp->lanes_released =
            warp->mask == warp->full ? ++warp->view.seen[warp->index] : warp->lanes_released;
        return;
    }
    if (emulator->amd) {
        warp_fence(warp);
    } else if (acquires && ordering != LLVMAtomicOrderingSequentiallyConsistent) {
        order_reads_over(warp);
    }
    if (scope == SCOPE_WARP) {
        return;
    }
    if (acquires && emulator->amd) {
        view_join(warp->run, &warp->view, &warp->incoming);
    }
    if (acquires && scope >= SCOPE_DEVICE) {
        publish_take(warp, scope);
    }
    if (releases && scope >= SCOPE_DEVICE) {
        publish_fence(warp, in, scope);
    }
    if (releases && emulator->amd) {
        warp->released = warp->view;
    }
}

void exec_fence(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    order_fence(warp, in, (LLVMAtomicOrdering)in->ordering, (enum scope)in->scope);
}

// llvm.amdgcn.wave.barrier: the lanes meet, and see what was done ahead of the last fence.
void exec_lanes_meet(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    if (!collective_check(warp, in, warp->full)) {
        warp->state = WARP_FAULT;
    } else if (warp->lanes_released > warp->lane_clock) {
        warp->lane_clock = warp->lanes_released;
    }
}

// llvm.nvvm.membar: immediate is the scope.
void exec_memory_fence(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    order_fence(warp, in, LLVMAtomicOrderingSequentiallyConsistent, (enum scope)in->immediate);
}

// llvm.amdgcn.s.waitcnt(bits): vmcnt is bits 0 to 3, 14 and 15 (CDNA3 ISA, "S_WAITCNT"). Of the instructions that it counts only copies to
// LDS are known here: with loads and stores between them the chip waits for more.
void exec_wait_count(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    unsigned bits = (unsigned)in->operands[0].constant, count = (bits & 0xf) | (bits >> 14 & 3) << 4;
    if (!count) {
        publish_complete(warp);
    }
    if (warp->pending_count) {
        async_land_all_but(warp, count);
    }
}

// fence.proxy.async.global: tensor copies behind it see what the warp knows of other programs.
void exec_proxy_fence_global(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    warp->by_copies = warp->view.foreign;
}

// fence.proxy.async: this warp's writes, and other warps' writes it knows of, may now be read asynchronously.
void exec_proxy_fence(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    struct view covered = view_released(warp, warp->mask);
    join_clocks(warp->view.proxy, covered.seen, warp->run->clocks);
    warp->view.read[warp->index] = covered.seen[warp->index];
    warp->open_count = 0;
}
