// The last store to each byte of global memory: its warp and time. A plain read must be ordered after that
// store: within one program by barriers and fences, otherwise by a release and an acquire (publish.c).
// Without that order the read may see the old value, however long ago the store was executed here.
//
// A store is recorded as one word for each byte, in pages made when they are first stored to: the record (warp and moment),
// the lane, the instruction.
#include "emulator/memory/global.h"
#include "emulator/report/report.h"

#include <stdlib.h>

#include "support/diag.h"
#include "support/memory.h"

enum { PAGE = 1024, LANE_SHIFT = 26 };

struct global_order *global_order_create(void) {
    struct global_order *order = calloc(1, sizeof *order);
    pthread_mutex_init(&order->lock, NULL);
    order->arena = arena_create();
    return order;
}

void global_order_destroy(struct global_order *order) {
    if (!order) {
        return;
    }
    for (unsigned i = 0; i < RECORD_CHUNKS && order->records[i]; i++) {
        free(order->records[i]);
    }
    free(order->variables);
    free(order->stack);
    arena_destroy(order->arena);
    pthread_mutex_destroy(&order->lock);
    free(order);
}

static const struct store_record *record_at(const struct global_order *order, uint32_t id) {
    return &order->records[id / RECORDS_IN_CHUNK][id % RECORDS_IN_CHUNK];
}

// The record of this moment of the warp; 0 when there is no more room.
static uint32_t record_now(struct warp *warp) {
    struct global_order *order = warp->run->order;
    uint32_t clock = warp->view.seen[warp->index];
    if (warp->record && warp->record_clock == clock) {
        return warp->record;
    }
    pthread_mutex_lock(&order->lock);
    uint32_t id = ++order->record_count; // 0 is none
    if (id / RECORDS_IN_CHUNK >= RECORD_CHUNKS) {
        atomic_store(&order->off, true);
        id = 0;
    } else {
        struct store_record **chunk = &order->records[id / RECORDS_IN_CHUNK];
        if (!*chunk && !(*chunk = calloc(RECORDS_IN_CHUNK, sizeof **chunk))) {
            out_of_memory(RECORDS_IN_CHUNK * sizeof **chunk);
        }
        (*chunk)[id % RECORDS_IN_CHUNK] =
            (struct store_record){warp->block->number, ++order->sequence, clock, warp->index};
    }
    pthread_mutex_unlock(&order->lock);
    warp->block->stored = true;
    warp->record = id;
    warp->record_clock = clock;
    return id;
}

// The words of the bytes from `offset` to the end of their page; NULL: nothing was stored there, unless `make`.
static uint64_t *page_at(const struct region *region, uint64_t ***kind, uint64_t offset, bool make) {
    uint64_t **pages = __atomic_load_n(kind, __ATOMIC_ACQUIRE), *page, *none = NULL;
    if (!pages) {
        if (!make) {
            return NULL;
        }
        uint64_t **fresh = calloc(region->size / PAGE + 1, sizeof *fresh);
        if (!fresh) {
            out_of_memory(region->size / PAGE);
        }
        if (__atomic_compare_exchange_n(kind, &pages, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            pages = fresh;
        } else {
            free(fresh);
        }
    }
    page = __atomic_load_n(&pages[offset / PAGE], __ATOMIC_ACQUIRE);
    if (!page && make) {
        page = calloc(PAGE, sizeof *page);
        if (!page) {
            out_of_memory(PAGE * sizeof *page);
        }
        if (!__atomic_compare_exchange_n(&pages[offset / PAGE], &none, page, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE)) {
            free(page);
            page = none;
        }
    }
    return page ? page + offset % PAGE : NULL;
}

static void free_pages(const struct region *region, uint64_t ***kind) {
    for (size_t i = 0; *kind && i <= region->size / PAGE; i++) {
        free((*kind)[i]);
    }
    free(*kind);
    *kind = NULL;
}

void stores_free(struct region *region) {
    free_pages(region, &region->pages);
    free_pages(region, &region->read_pages);
}

static void note(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                 uint64_t ***kind, unsigned size) {
    uint32_t id = record_now(warp);
    if (!id) {
        return;
    }
    uint64_t word = (uint64_t)id << 32 | (uint64_t)lane << LANE_SHIFT | in->index;
    for (uint64_t at = place->offset, end = at + size; at < end;) {
        uint64_t *words = page_at(place->region, kind, at, true);
        for (uint64_t stop = (at / PAGE + 1) * PAGE; at < end && at < stop; at++) {
            __atomic_store_n(words++, word, __ATOMIC_RELAXED);
        }
    }
}

void stores_note(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                 unsigned size) {
    note(warp, in, lane, place, &place->region->pages, size);
}

static const struct instr *instr_of(const struct warp *warp, uint64_t word) {
    return &warp->kernel->code[word & (((uint64_t)1 << LANE_SHIFT) - 1)];
}

static void report_stale(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                         unsigned space, uint64_t word, bool released) {
    const struct store_record *record = record_at(warp->run->order, (uint32_t)(word >> 32));
    const struct instr *there = instr_of(warp, word);
    unsigned thread = record->warp * warp->lanes + (unsigned)(word >> LANE_SHIFT & 63);
    struct strbuf where = {0};
    report_address(&where, warp->run, address, space);
    if (record->program == warp->block->number) {
        report_at(warp, in, lane, FAULT_UNORDERED, there, "stored",
                  "read of %s, which thread %u stored, with no barrier between; tl.debug_barrier() is one",
                  strbuf_text(&where), thread);
    } else if (released) {
        report_at(
            warp, in, lane, FAULT_RELEASE, there, "stored",
            "read of %s, which thread %u (warp %u) of program %llu stored; that program's release does not "
            "cover what this warp stored",
            strbuf_text(&where), thread, record->warp, (unsigned long long)record->program);
    } else if (warp->run->ranks > 1) {
        report_at(
            warp, in, lane, FAULT_STALE, there, "stored",
            "read of %s, which program %llu of rank %u stored, without a release there and an acquire here%s",
            strbuf_text(&where),
            (unsigned long long)(record->program / warp->run->ranks % warp->run->grid_size),
            (unsigned)(record->program % warp->run->ranks),
            record->program % warp->run->ranks == warp->block->number % warp->run->ranks
                ? ""
                : "; among ranks both are of scope \"sys\"");
    } else {
        report_at(
            warp, in, lane, FAULT_STALE, there, "stored",
            "read of %s, which program %llu stored, without a release there and an acquire here; atomics are "
            "both by default",
            strbuf_text(&where), (unsigned long long)record->program);
    }
    strbuf_free(&where);
}

// One byte's last store: nothing to say, or told.
static void check_word(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                       unsigned space, uint64_t word) {
    uint32_t id = (uint32_t)(word >> 32);
    const struct store_record *record = record_at(warp->run->order, id);
    unsigned storing_lane = (unsigned)(word >> LANE_SHIFT & 63);
    bool released = false;
    if (record->program == warp->block->number) {
        bool own = record->warp == warp->index;
        if (own ? storing_lane == lane || warp->lane_clock > record->clock
                : warp->view.seen[record->warp] > record->clock) {
            return;
        }
        // A read ahead of the store in the program: a thread repeating another one's work is late. If its
        // value matters, results show it.
        if (!leads_to(warp->kernel, instr_of(warp, word), &warp->kernel->code[in->index])) {
            return;
        }
    } else {
        uint64_t key = (uint64_t)id << 6 | storing_lane, *known = &warp->covered[key % COVERED];
        if (*known == key || publish_covers(warp, record, storing_lane, instr_of(warp, word), &released)) {
            *known = key;
            return;
        }
    }
    report_stale(warp, in, lane, address, space, word, released);
}

void stores_check(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                  uint64_t address, unsigned space, unsigned size) {
    uint64_t last = 0;
    if (!__atomic_load_n(&place->region->pages, __ATOMIC_RELAXED) || atomic_load(&warp->run->order->off)) {
        return;
    }
    for (uint64_t at = place->offset, end = at + size; at < end;) {
        const uint64_t *words = page_at(place->region, &place->region->pages, at, false);
        uint64_t stop = (at / PAGE + 1) * PAGE;
        for (; at < end && at < stop; at++) {
            uint64_t word = words ? __atomic_load_n(words++, __ATOMIC_RELAXED) : 0;
            if (word && word != last) {
                check_word(warp, in, lane, address + (at - place->offset), space, word);
            }
            last = word;
        }
    }
}

// ---- reads of other ranks ----
// A rank's store must be ordered behind what another rank has read there: by a release behind that read and an acquire before the
// store. Of each byte the last reader alone is known.

void reads_note(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                unsigned size) {
    if (warp->run->ranks > 1 && !atomic_load(&warp->run->order->off) && !place->region->read_only) {
        note(warp, in, lane, place, &place->region->read_pages, size);
    }
}

static void check_reader(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                         unsigned space, uint64_t word) {
    unsigned ranks = warp->run->ranks;
    const struct store_record *record = record_at(warp->run->order, (uint32_t)(word >> 32));
    bool released = false;
    if (record->program % ranks == warp->block->number % ranks ||
        publish_covers(warp, record, (unsigned)(word >> LANE_SHIFT & 63), instr_of(warp, word), &released)) {
        return;
    }
    struct strbuf where = {0};
    report_address(&where, warp->run, address, space);
    report_at(warp, in, lane, FAULT_OVERWRITE, instr_of(warp, word), "read",
              "write to %s, which program %llu of rank %u may not have read yet: no release there, behind "
              "its read, and "
              "acquire here; among ranks both are of scope \"sys\"",
              strbuf_text(&where), (unsigned long long)(record->program / ranks % warp->run->grid_size),
              (unsigned)(record->program % ranks));
    strbuf_free(&where);
}

void reads_check(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                 uint64_t address, unsigned space, unsigned size) {
    uint64_t last = 0;
    if (!__atomic_load_n(&place->region->read_pages, __ATOMIC_RELAXED) ||
        atomic_load(&warp->run->order->off)) {
        return;
    }
    for (uint64_t at = place->offset, end = at + size; at < end; at++) {
        const uint64_t *words = page_at(place->region, &place->region->read_pages, at, false);
        uint64_t word = words ? __atomic_load_n(words, __ATOMIC_RELAXED) : 0;
        if (word && word != last) {
            check_reader(warp, in, lane, address + (at - place->offset), space, word);
        }
        last = word;
    }
}
