// The state of each byte of shared memory: written or not, the last write and the last reads. Two accesses,
// at least one a write, race if neither happens before the other (order.c) and they come from different
// threads. Of the reads the last two by different warps are kept: a write must be ordered after both.
#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

#include <stdio.h>

bool shadow_ordered(const struct warp *warp, unsigned lane, const struct shadow_access *earlier) {
    if (earlier->instr == 0) {
        return true;
    }
    if (earlier->warp == warp->index) {
        return earlier->lane == lane || earlier->lane == LANE_ALL || warp->lane_clock > earlier->clock;
    }
    return warp->view.seen[earlier->warp] > earlier->clock;
}

// "thread 5", or the name of an asynchronous agent.
static const char *name_of(const struct warp *warp, const struct shadow_access *other, char *text,
                           size_t size) {
    unsigned own = warp->run->block_warps;
    if (warp->run->cluster > 1 && other->warp < AGENT_PRODUCTS) {
        snprintf(text, size, "thread %u of block %u", other->warp % own * warp->lanes + other->lane,
                 other->warp / own);
    } else if (warp->run->emulator->amd || other->warp < AGENT_PRODUCTS) {
        snprintf(text, size, "thread %u", other->warp * warp->lanes + other->lane);
    } else if (other->warp >= AGENT_COPIES) {
        snprintf(text, size, "a tensor copy");
    } else {
        snprintf(text, size, "wgmma of warpgroup %u", other->warp - AGENT_PRODUCTS);
    }
    return text;
}

static void race(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                 const struct shadow_access *other, const char *what, const char *other_label) {
    const struct instr *there = &warp->kernel->code[other->instr - 1];
    char name[64];
    bool same_warp = other->warp == warp->index;
    report_at(warp, in, lane, FAULT_RACE, there, other_label,
              "shared memory race at byte %u: this thread %s what %s %s, with no %s between", offset, what,
              name_of(warp, other, name, sizeof name), other_label,
              same_warp ? "warp fence or barrier" : "barrier");
}

static struct shadow_access access_of(const struct warp *warp, const struct instr *in, unsigned lane,
                                      bool atomic) {
    return (struct shadow_access){
        warp->view.seen[warp->index], in->index + 1, (uint8_t)warp->index, (uint8_t)lane, atomic, false};
}

// An agent's later access stands for its earlier ones.
static void keep_read(const struct warp *warp, unsigned lane, struct shadow *shadow,
                      struct shadow_access now) {
    if (shadow->read[0].instr == 0 || (now.async && shadow->read[0].warp == now.warp) ||
        shadow_ordered(warp, lane, &shadow->read[0])) {
        shadow->read[0] = now;
    } else if (shadow->read[1].instr == 0 || shadow_ordered(warp, lane, &shadow->read[1]) ||
               shadow->read[0].warp != now.warp) {
        shadow->read[1] = now;
    }
}

static void touches_mbarrier(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                             const struct shadow *shadow) {
    report_at(warp, in, lane, FAULT_MBARRIER, &warp->kernel->code[shadow->write.instr - 1], "made",
              "access to shared memory at byte %u, where an mbarrier is", offset);
}

// True if the read bytes are written, and the write happens before. False: reported.
static bool check_read(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                       const struct shadow *shadow, bool atomic) {
    if (shadow->state == SHADOW_PENDING) {
        report_at(warp, in, lane, FAULT_ASYNC, &warp->kernel->code[shadow->write.instr - 1], "copied",
                  "read of shared memory at byte %u, which an asynchronous copy has not reached; wait for it",
                  offset);
    } else if (shadow->state == SHADOW_MBARRIER) {
        touches_mbarrier(warp, in, lane, offset, shadow);
    } else if (shadow->state == SHADOW_EMPTY) {
        report_at(warp, in, lane, FAULT_UNINITIALISED_INSIDE, NULL, NULL,
                  "read of shared memory at byte %u, which nothing has written", offset);
    } else if (!shadow_ordered(warp, lane, &shadow->write) && !(atomic && shadow->write.atomic)) {
        race(warp, in, lane, offset, &shadow->write, "reads", "wrote");
    } else {
        return true;
    }
    return false;
}

// True if a byte was in the state of the one before it, which an access found without fault: the access leaves both in one state.
static bool is_like_last(const struct shadow *shadow, const struct shadow *last) {
    return memcmp(shadow, last, sizeof *last) == 0;
}

void shadow_read(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size,
                 bool atomic) {
    struct shadow *shadow = warp->block->shadow + offset;
    struct shadow_access now = access_of(warp, in, lane, atomic);
    warp->touched |= (lane_mask)1 << lane;
    if (warp->kernel->multiplies_reads) {
        reads_open(warp, in);
    }
    struct shadow last;
    bool good = false;
    for (unsigned i = 0; i < size; i++, shadow++) {
        if (good && is_like_last(shadow, &last)) {
            *shadow = shadow[-1];
            continue;
        }
        last = *shadow;
        good = check_read(warp, in, lane, offset + i, shadow, atomic);
        keep_read(warp, lane, shadow, now);
    }
}

// False: a read is not ordered before the write, reported unless both are atomic.
static bool check_reads(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                        struct shadow *shadow, bool atomic) {
    bool ordered = true;
    for (unsigned j = 0; j < 2; j++) {
        bool is = shadow_ordered(warp, lane, &shadow->read[j]);
        if (!is && !(atomic && shadow->read[j].atomic)) {
            race(warp, in, lane, offset, &shadow->read[j], "writes", "read");
        }
        ordered &= is;
        shadow->read[j].instr = 0;
    }
    return ordered;
}

// Reports a write to bytes still held by an asynchronous reader.
static bool is_held(const struct warp *warp, uint32_t offset) {
    const struct held *held = warp->block->held ? &warp->block->held[offset / CHUNK] : NULL;
    return held && held->count;
}

static void check_held(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset) {
    if (!is_held(warp, offset)) {
        return;
    }
    const struct held *held = &warp->block->held[offset / CHUNK];
    const struct instr *reader = &warp->kernel->code[held->instr];
    bool product = reader->kind == KIND_MATRIX;
    report_at(
        warp, in, lane, product ? FAULT_PRODUCT : FAULT_ASYNC, reader, product ? "multiplies" : "copies",
        "write of shared memory at byte %u, which %s is still to read; wait for its group, then meet in a "
        "barrier",
        offset, product ? "wgmma" : "an asynchronous copy");
}

// `data` is the new contents: lanes of one instruction writing the same value do not race.
void shadow_write(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size,
                  bool atomic, const uint8_t *data) {
    struct shadow *shadow = warp->block->shadow + offset;
    const uint8_t *bytes = warp->block->shared + offset;
    struct shadow_access now = access_of(warp, in, lane, atomic);
    warp->touched |= (lane_mask)1 << lane;
    struct shadow last;
    bool good = false;
    for (unsigned i = 0; i < size; i++, shadow++) {
        if (good && is_like_last(shadow, &last) && !is_held(warp, offset + i)) {
            *shadow = shadow[-1];
            continue;
        }
        last = *shadow;
        bool ordered = shadow_ordered(warp, lane, &shadow->write);
        bool same = shadow->write.instr == now.instr && data && data[i] == bytes[i];
        if (shadow->state == SHADOW_PENDING) {
            report_at(warp, in, lane, FAULT_ASYNC, &warp->kernel->code[shadow->write.instr - 1], "copied",
                      "write of shared memory at byte %u, which an asynchronous copy is still to reach",
                      offset + i);
        } else if (shadow->state == SHADOW_MBARRIER) {
            touches_mbarrier(warp, in, lane, offset + i, shadow);
        } else if (!ordered && !(atomic && shadow->write.atomic) && !same) {
            race(warp, in, lane, offset + i, &shadow->write, "writes", "wrote");
        }
        good = last.state < SHADOW_PENDING && ordered;
        good &= check_reads(warp, in, lane, offset + i, shadow, atomic);
        check_held(warp, in, lane, offset + i);
        shadow->write = now;
        shadow->state = SHADOW_WRITTEN;
    }
}

// An asynchronous copy starts: its target may be written from now on.
void shadow_issue(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size) {
    struct shadow *shadow = warp->block->shadow + offset;
    struct shadow_access now = access_of(warp, in, lane, false);
    now.async = true;
    struct shadow last;
    bool good = false;
    for (unsigned i = 0; i < size; i++, shadow++) {
        if (good && is_like_last(shadow, &last) && !is_held(warp, offset + i)) {
            *shadow = shadow[-1];
            continue;
        }
        last = *shadow;
        bool ordered = shadow_ordered(warp, lane, &shadow->write);
        if (shadow->state == SHADOW_PENDING) {
            report_at(warp, in, lane, FAULT_ASYNC, &warp->kernel->code[shadow->write.instr - 1], "copied",
                      "two asynchronous copies are on their way to shared memory byte %u", offset + i);
        } else if (shadow->state == SHADOW_MBARRIER) {
            touches_mbarrier(warp, in, lane, offset + i, shadow);
        } else if (!ordered) {
            race(warp, in, lane, offset + i, &shadow->write, "writes", "wrote");
        }
        good = last.state < SHADOW_PENDING && ordered;
        good &= check_reads(warp, in, lane, offset + i, shadow, false);
        check_held(warp, in, lane, offset + i);
        shadow->write = now;
        shadow->state = SHADOW_PENDING;
    }
}

// True if the read is by a thread, ordered before, and no fence of its warp is behind it.
static bool may_be_under_way(const struct warp *warp, unsigned lane, const struct shadow_access *read) {
    return read->instr && !read->async && read->warp < AGENT_PRODUCTS && shadow_ordered(warp, lane, read) &&
           warp->view.read[read->warp] <= read->clock;
}

void shadow_check_reads_done(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                             unsigned size) {
    const struct shadow *shadow = warp->block->shadow + offset;
    for (unsigned i = 0; i < size; i++) {
        for (unsigned j = 0; j < 2; j++) {
            const struct shadow_access *read = &shadow[i].read[j];
            if (may_be_under_way(warp, lane, read)) {
                char name[64];
                report_at(warp, in, lane, FAULT_RACE, &warp->kernel->code[read->instr - 1], "read",
                          "a tensor copy to shared memory byte %u may come before %s has read it: its warp "
                          "had no fence.acq_rel "
                          "between the read and what lets the copy start",
                          offset + i, name_of(warp, read, name, sizeof name));
                return;
            }
        }
    }
}

// ---- readers beside the program: they hold CHUNK bytes from their issue until they have read them ----

static void check_proxy(struct warp *warp, const struct instr *in, uint32_t offset,
                        const struct shadow_access *write) {
    if (write->instr == 0 || write->async || warp->view.proxy[write->warp] > write->clock) {
        return;
    }
    report_at(warp, in, 0, FAULT_PROXY, &warp->kernel->code[write->instr - 1], "wrote",
              "shared memory at byte %u is read asynchronously without fence.proxy.async since thread %u "
              "wrote it; fence, then meet in a barrier",
              offset, write->warp * warp->lanes + write->lane);
}

// All earlier writes must be ordered before the issue.
void shadow_hold(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset) {
    struct shadow *shadow = warp->block->shadow + offset;
    struct held *held = &warp->block->held[offset / CHUNK];
    for (unsigned i = 0; i < CHUNK; i++, shadow++) {
        bool same = i > 0 && shadow->state == shadow[-1].state &&
                    memcmp(&shadow->write, &shadow[-1].write, sizeof shadow->write) == 0;
        if (!same && check_read(warp, in, lane, offset + i, shadow, false)) {
            check_proxy(warp, in, offset + i, &shadow->write);
        }
    }
    *held = (struct held){in->index, held->count + 1};
}

void shadow_release(struct warp *warp, const struct instr *in, unsigned agent, uint32_t clock, unsigned lane,
                    uint32_t offset) {
    struct shadow *shadow = warp->block->shadow + offset;
    struct shadow_access now = {clock, in->index + 1, (uint8_t)agent, (uint8_t)lane, false, true};
    // Another warp's part of the same product has read the whole chunk.
    bool known = memcmp(&shadow->read[0], &now, sizeof now) == 0 &&
                 memcmp(&shadow[CHUNK - 1].read[0], &now, sizeof now) == 0;
    struct shadow last;
    for (unsigned i = 0; i < CHUNK && !known; i++, shadow++) {
        if (i > 0 && is_like_last(shadow, &last)) {
            *shadow = shadow[-1];
            continue;
        }
        last = *shadow;
        keep_read(warp, LANE_ALL, shadow, now);
    }
    warp->block->held[offset / CHUNK].count--;
}

// An mbarrier's bytes belong to its own operations from now on.
void shadow_make_mbarrier(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                          unsigned size) {
    shadow_write(warp, in, lane, offset, size, false, NULL);
    for (unsigned i = 0; i < size; i++) {
        warp->block->shadow[offset + i].state = SHADOW_MBARRIER;
    }
}

// `agent` has written the target of a copy at its `clock`.
void shadow_land(struct block *block, uint32_t offset, unsigned size, unsigned agent, uint32_t clock) {
    struct shadow *shadow = block->shadow + offset;
    for (unsigned i = 0; i < size; i++, shadow++) {
        shadow->state = SHADOW_WRITTEN;
        shadow->write.clock = clock;
        shadow->write.warp = (uint8_t)agent;
    }
}
