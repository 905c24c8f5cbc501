// The state of each byte of shared memory: written or not, the last write and the last reads. Two accesses,
// at least one a write, race if neither happens before the other (order.c) and they come from different
// threads. Of the reads the last two by different warps are kept: a write must be ordered after both.
//
// A chunk of CHUNK bytes that have been accessed as a whole alone has one state. An access of a part of it, or one with a fault, splits
// it into bytes; a write of all of it makes it one again.
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

// ---- states of chunks and bytes ----

const struct shadow *shadow_seen(const struct block *block, uint32_t offset) {
    return block->split[offset / CHUNK] ? &block->shadow[offset] : &block->chunks[offset / CHUNK];
}

// The state of the byte alone.
static struct shadow *byte_at(struct block *block, uint32_t offset) {
    uint32_t chunk = offset / CHUNK;
    for (unsigned i = 0; i < CHUNK && !block->split[chunk]; i++) {
        block->shadow[chunk * CHUNK + i] = block->chunks[chunk];
    }
    block->split[chunk] = true;
    return &block->shadow[offset];
}

// The state of the first of `left` bytes, and of so many: a chunk or a byte.
static struct shadow *state_at(struct block *block, uint32_t offset, unsigned left, unsigned *count) {
    bool whole = !block->split[offset / CHUNK] && offset % CHUNK == 0 && left >= CHUNK;
    *count = whole ? CHUNK : 1;
    return whole ? &block->chunks[offset / CHUNK] : byte_at(block, offset);
}

// Gives the chunks within these bytes, all of which are in one state, that state.
static void join(struct block *block, uint32_t offset, unsigned size, const struct shadow *state) {
    uint32_t end = (offset + size) / CHUNK;
    for (uint32_t chunk = (offset + CHUNK - 1) / CHUNK; chunk < end; chunk++) {
        block->chunks[chunk] = *state;
        block->split[chunk] = false;
    }
}

static bool reads_well(const struct warp *warp, unsigned lane, const struct shadow *shadow) {
    return shadow->state == SHADOW_WRITTEN && shadow_ordered(warp, lane, &shadow->write);
}

// True if a byte was in the state of the one before it, which an access found without fault: the access leaves both in one state.
static bool is_like_last(const struct shadow *shadow, const struct shadow *last) {
    return memcmp(shadow, last, sizeof *last) == 0;
}

// ---- accesses of threads ----

void shadow_read(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size,
                 bool atomic) {
    struct shadow_access now = access_of(warp, in, lane, atomic);
    warp->touched |= (lane_mask)1 << lane;
    if (warp->kernel->multiplies_reads) {
        reads_open(warp, in);
    }
    struct shadow last, after;
    bool good = false;
    for (unsigned i = 0, count; i < size; i += count) {
        struct shadow *shadow = state_at(warp->block, offset + i, size - i, &count);
        if (good && is_like_last(shadow, &last)) {
            *shadow = after;
            continue;
        }
        if (count > 1 && !reads_well(warp, lane, shadow)) {
            shadow = byte_at(warp->block, offset + i);
            count = 1;
        }
        last = *shadow;
        good = check_read(warp, in, lane, offset + i, shadow, atomic);
        keep_read(warp, lane, shadow, now);
        after = *shadow;
    }
}

static void check_reads(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                        const struct shadow *shadow, bool atomic) {
    for (unsigned j = 0; j < 2; j++) {
        if (!shadow_ordered(warp, lane, &shadow->read[j]) && !(atomic && shadow->read[j].atomic)) {
            race(warp, in, lane, offset, &shadow->read[j], "writes", "read");
        }
    }
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

static bool writes_well(const struct warp *warp, unsigned lane, uint32_t offset,
                        const struct shadow *shadow) {
    return shadow->state < SHADOW_PENDING && shadow_ordered(warp, lane, &shadow->write) &&
           shadow_ordered(warp, lane, &shadow->read[0]) && shadow_ordered(warp, lane, &shadow->read[1]) &&
           !is_held(warp, offset);
}

// What a write does to a byte, with its reports.
struct write {
    struct shadow after;
    bool atomic;
    const uint8_t *data; // the new contents, or NULL
    const char *pending; // the fault of a byte that a copy is still to reach
};

static void write_byte(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned i,
                       const struct write *write, struct shadow *shadow) {
    bool same = shadow->write.instr == write->after.write.instr && write->data &&
                write->data[i] == warp->block->shared[offset];
    if (shadow->state == SHADOW_PENDING) {
        report_at(warp, in, lane, FAULT_ASYNC, &warp->kernel->code[shadow->write.instr - 1], "copied",
                  write->pending, offset);
    } else if (shadow->state == SHADOW_MBARRIER) {
        touches_mbarrier(warp, in, lane, offset, shadow);
    } else if (!shadow_ordered(warp, lane, &shadow->write) && !(write->atomic && shadow->write.atomic) &&
               !same) {
        race(warp, in, lane, offset, &shadow->write, "writes", "wrote");
    }
    check_reads(warp, in, lane, offset, shadow, write->atomic);
    check_held(warp, in, lane, offset);
}

static void write_bytes(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                        unsigned size, const struct write *write) {
    struct shadow last;
    bool good = false;
    for (unsigned i = 0, count; i < size; i += count) {
        struct shadow *shadow = state_at(warp->block, offset + i, size - i, &count);
        if (!good || !is_like_last(shadow, &last) || is_held(warp, offset + i)) {
            last = *shadow;
            good = writes_well(warp, lane, offset + i, shadow);
        }
        if (!good) {
            shadow = byte_at(warp->block, offset + i);
            count = 1;
            write_byte(warp, in, lane, offset + i, i, write, shadow);
        }
        *shadow = write->after;
    }
    join(warp->block, offset, size, &write->after);
}

// `data` is the new contents: lanes of one instruction writing the same value do not race.
void shadow_write(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size,
                  bool atomic, const uint8_t *data) {
    struct write write = {{.write = access_of(warp, in, lane, atomic), .state = SHADOW_WRITTEN},
                          atomic,
                          data,
                          "write of shared memory at byte %u, which an asynchronous copy is still to reach"};
    warp->touched |= (lane_mask)1 << lane;
    write_bytes(warp, in, lane, offset, size, &write);
}

// An asynchronous copy starts: its target may be written from now on.
void shadow_issue(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size) {
    struct write write = {{.write = access_of(warp, in, lane, false), .state = SHADOW_PENDING},
                          false,
                          NULL,
                          "two asynchronous copies are on their way to shared memory byte %u"};
    write.after.write.async = true;
    write_bytes(warp, in, lane, offset, size, &write);
}

// True if the read is by a thread, ordered before, and no fence of its warp is behind it.
static bool may_be_under_way(const struct warp *warp, unsigned lane, const struct shadow_access *read) {
    return read->instr && !read->async && read->warp < AGENT_PRODUCTS && shadow_ordered(warp, lane, read) &&
           warp->view.read[read->warp] <= read->clock;
}

void shadow_check_reads_done(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                             unsigned size) {
    for (unsigned i = 0; i < size; i++) {
        const struct shadow *shadow = shadow_seen(warp->block, offset + i);
        for (unsigned j = 0; j < 2; j++) {
            const struct shadow_access *read = &shadow->read[j];
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
    struct held *held = &warp->block->held[offset / CHUNK];
    for (unsigned i = 0, count; i < CHUNK; i += count) {
        const struct shadow *shadow = state_at(warp->block, offset + i, CHUNK - i, &count);
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
    struct shadow_access now = {clock, in->index + 1, (uint8_t)agent, (uint8_t)lane, false, true};
    for (unsigned i = 0, count; i < CHUNK; i += count) {
        struct shadow *shadow = state_at(warp->block, offset + i, CHUNK - i, &count);
        // Another warp's part of the same product may have read the whole chunk.
        if (memcmp(&shadow->read[0], &now, sizeof now) != 0) {
            keep_read(warp, LANE_ALL, shadow, now);
        }
    }
    warp->block->held[offset / CHUNK].count--;
}

// An mbarrier's bytes belong to its own operations from now on.
void shadow_make_mbarrier(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                          unsigned size) {
    shadow_write(warp, in, lane, offset, size, false, NULL);
    for (unsigned i = 0; i < size; i++) {
        byte_at(warp->block, offset + i)->state = SHADOW_MBARRIER;
    }
}

// `agent` has written the target of a copy at its `clock`.
void shadow_land(struct block *block, uint32_t offset, unsigned size, unsigned agent, uint32_t clock) {
    for (unsigned i = 0, count; i < size; i += count) {
        struct shadow *shadow = state_at(block, offset + i, size - i, &count);
        shadow->state = SHADOW_WRITTEN;
        shadow->write.clock = clock;
        shadow->write.warp = (uint8_t)agent;
    }
}

// A thread's own copy has written its target, a write of its thread by the generic proxy from now on.
void shadow_arrive(struct block *block, uint32_t offset, unsigned size, uint32_t clock) {
    for (unsigned i = 0, count; i < size; i += count) {
        struct shadow *shadow = state_at(block, offset + i, size - i, &count);
        shadow->state = SHADOW_WRITTEN;
        shadow->write.clock = clock;
        shadow->write.async = false;
    }
}
