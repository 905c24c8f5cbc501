// Asynchronous copies from global to shared memory (PTX ISA, "Data Movement and Conversion Instructions:
// Asynchronous copy", cp.async, commit_group, wait_group). A copy lands as late as the rules allow: when its
// thread waits for its group. It reads its source only then. Without a wait it never lands.
//
// AMD's copies to LDS (gfx950) are the wave's: each one is a group of its own, which s_waitcnt vmcnt waits for.
#include "emulator/memory/memory.h"

#include <stdlib.h>

#include "support/memory.h"

void async_issue(struct warp *warp, const struct instr *in, unsigned lane, uint64_t source, uint32_t target,
                 unsigned size, unsigned source_size) {
    uint8_t ignored[16];
    if (source_size > size) {
        source_size = size;
    }
    // Bounds and poison are checked at the copy's place in the program.
    if (source_size && !memory_read(warp, in, lane, source, SPACE_GLOBAL, source_size,
                                    source_size == size ? size : 1, ignored)) {
        return;
    }
    struct memory_place place = memory_place(warp, in, lane, target, SPACE_SHARED, size, size, ACCESS_WRITE);
    if (!place.data) {
        return;
    }
    if (warp->block->shadow) {
        shadow_issue(warp, in, lane, place.shared, size);
    }
    warp->pending =
        memory_grown(warp->pending, warp->pending_count, &warp->pending_capacity, sizeof *warp->pending);
    warp->pending[warp->pending_count++] = (struct pending_copy){
        source, place.shared, (uint8_t)lane, (uint8_t)size, (uint8_t)source_size, warp->committed[lane], in};
}

static void land(struct warp *warp, const struct pending_copy *copy) {
    uint8_t data[16] = {0};
    if (copy->source_size) {
        memory_read(warp, copy->in, copy->lane, copy->source, SPACE_GLOBAL, copy->source_size, 1, data);
    }
    memcpy(warp->block->shared + copy->target, data, copy->size);
    if (warp->block->shadow) {
        shadow_arrive(warp->block, copy->target, copy->size, warp->view.seen[warp->index]);
    }
}

static uint32_t group_of(struct warp *warp) {
    return warp->committed[0];
}

void async_close(struct warp *warp) {
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        warp->committed[lane]++;
    }
}

void async_land_all_but(struct warp *warp, unsigned latest) {
    unsigned kept = 0;
    for (unsigned i = 0; i < warp->pending_count; i++) {
        const struct pending_copy *copy = &warp->pending[i];
        if (group_of(warp) - copy->group > latest) {
            land(warp, copy);
        } else {
            warp->pending[kept++] = *copy;
        }
    }
    warp->pending_count = kept;
}

// src: source address, target address, size in `immediate`, and with variant 1 the number of source bytes;
// the rest is 0.
void exec_async_copy(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const uint64_t *from = source(warp, in, 0);
    const uint8_t *to = source(warp, in, 1);
    const uint32_t *bytes = source(warp, in, 2);
    memory_count(warp, in, from, warp->mask, SPACE_GLOBAL, (unsigned)in->immediate, false);
    FOR_LANES(lane, warp->mask) {
        uint32_t target;
        memcpy(&target, to + (size_t)lane * in->source_bytes, sizeof target);
        async_issue(warp, in, lane, from[lane], target, (unsigned)in->immediate,
                    in->variant ? bytes[lane] : (unsigned)in->immediate);
    }
}

void exec_async_commit(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    FOR_LANES(lane, warp->mask) {
        warp->committed[lane]++;
    }
}

// Waits until at most `immediate` of the latest groups are pending; -1: for everything, committed or not.
void exec_async_wait(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    unsigned kept = 0;
    for (unsigned i = 0; i < warp->pending_count; i++) {
        const struct pending_copy *copy = &warp->pending[i];
        bool waits = warp->mask >> copy->lane & 1;
        uint32_t committed = warp->committed[copy->lane];
        bool due = in->immediate < 0 ||
                   (copy->group < committed && committed - copy->group > (uint64_t)in->immediate);
        if (waits && due) {
            land(warp, copy);
        } else {
            warp->pending[kept++] = *copy;
        }
    }
    warp->pending_count = kept;
}
