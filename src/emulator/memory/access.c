// Loads and stores, one lane at a time, with the checks.
//
// Global addresses are made up: the bits from REGION_SHIFT on number a buffer, the rest is the offset in it,
// so a bad address still names its argument. Shared addresses are offsets in the block's shared memory plus
// the emulator's shared_base. Programs run on several host threads: global memory is accessed by relaxed
// atomics of the widest fitting size, as on a GPU.
#include "emulator/memory/global.h"
#include "emulator/report/report.h"

static void report_bounds(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                          unsigned space, unsigned size, enum access_type type, bool inside) {
    struct strbuf where = {0};
    report_address(&where, warp->run, address, space);
    report_at(warp, in, lane, inside ? FAULT_BOUNDS_INSIDE : FAULT_BOUNDS, NULL, NULL,
              "%u-byte %s out of bounds: %s", size, type == ACCESS_READ ? "read" : "write",
              strbuf_text(&where));
    strbuf_free(&where);
}

static bool local_place(struct warp *warp, unsigned lane, uint64_t offset, unsigned size,
                        struct memory_place *place) {
    if (offset < LOCAL_BASE || offset - LOCAL_BASE + size > warp->kernel->local_bytes) {
        return false;
    }
    place->data = warp->local + (size_t)lane * warp->kernel->local_bytes + (offset - LOCAL_BASE);
    return true;
}

static bool global_place(struct warp *warp, uint64_t address, unsigned size, struct memory_place *place) {
    uint64_t index = (address >> REGION_SHIFT) - 1, offset = address & (((uint64_t)1 << REGION_SHIFT) - 1);
    if (index >= warp->run->region_count) {
        return false;
    }
    struct region *region = &warp->run->regions[index];
    if (offset > region->size || size > region->size - offset) {
        return false;
    }
    place->data = region->data + offset;
    place->written = region->written ? region->written + offset : NULL;
    place->region = region;
    place->offset = offset;
    return true;
}

unsigned memory_inside(const struct warp *warp, uint64_t address, unsigned space, unsigned size) {
    uint64_t index = (address >> REGION_SHIFT) - 1, offset = address & (((uint64_t)1 << REGION_SHIFT) - 1);
    if (space != SPACE_GLOBAL || index >= warp->run->region_count ||
        offset >= warp->run->regions[index].size) {
        return size;
    }
    uint64_t rest = warp->run->regions[index].size - offset;
    return rest < size ? (unsigned)rest : size;
}

void memory_report_late(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                        unsigned space) {
    struct strbuf where = {0};
    report_address(&where, warp->run, address, space);
    report_at(warp, in, lane, FAULT_DEPENDENCE, NULL, NULL,
              "access ahead of griddepcontrol.wait, while an earlier launch may still write: %s",
              strbuf_text(&where));
    strbuf_free(&where);
}

struct memory_place memory_place(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                                 unsigned space, unsigned size, unsigned align, enum access_type type) {
    struct memory_place place = {0};
    const struct emulator *emulator = warp->run->emulator;
    uint64_t region = address >> REGION_SHIFT, at = address;
    bool shared = space == SPACE_SHARED || (space == SPACE_GENERIC && region == REGION_SHARED);
    bool local = space == SPACE_LOCAL || (space == SPACE_GENERIC && region == REGION_LOCAL), found;
    if (space == SPACE_GENERIC && (shared || local)) {
        at &= ((uint64_t)1 << REGION_SHIFT) - 1;
    }
    if (shared) {
        uint64_t offset = at - emulator->shared_base;
        found = at >= emulator->shared_base && offset + size <= warp->run->shared_bytes;
        offset += warp->rank * warp->run->shared_span;
        place.is_shared = true;
        place.shared = (uint32_t)offset;
        if (found) {
            place.data = warp->block->shared + offset;
        }
    } else if (local) {
        found = local_place(warp, lane, at, size, &place);
    } else {
        found = global_place(warp, at, size, &place);
    }
    if (!found) {
        report_bounds(warp, in, lane, address, space, size, type, shared || local);
        return (struct memory_place){0};
    }
    if (align > 1 && at % align && warp->run->checks) {
        struct strbuf where = {0};
        report_address(&where, warp->run, address, space);
        report_at(warp, in, lane, shared || local ? FAULT_MISALIGNED_INSIDE : FAULT_MISALIGNED, NULL, NULL,
                  "%u-byte %s is not aligned to %u bytes: %s", size, type == ACCESS_READ ? "read" : "write",
                  align, strbuf_text(&where));
        strbuf_free(&where);
    }
    if (!shared && !local && warp->run->regions[region - 1].late && !warp->waited && warp->run->checks) {
        memory_report_late(warp, in, lane, address, space);
    }
    if (type != ACCESS_READ && !shared && !local && warp->run->regions[region - 1].read_only) {
        struct strbuf where = {0};
        report_address(&where, warp->run, address, space);
        report_at(warp, in, lane, FAULT_READ_ONLY, NULL, NULL, "write to read-only memory: %s",
                  strbuf_text(&where));
        strbuf_free(&where);
        return (struct memory_place){0};
    }
    return place;
}

// Copies between lane memory and host memory; other host threads may access the latter at the same time.
#define RELAXED_COPY(T)                                                                                      \
    for (unsigned i = 0; i < size; i += sizeof(T)) {                                                         \
        T unit = __atomic_load_n((const T *)(from + i), __ATOMIC_RELAXED);                                   \
        memcpy(to + i, &unit, sizeof unit);                                                                  \
    }
#define RELAXED_STORE(T)                                                                                     \
    for (unsigned i = 0; i < size; i += sizeof(T)) {                                                         \
        T unit;                                                                                              \
        memcpy(&unit, from + i, sizeof unit);                                                                \
        __atomic_store_n((T *)(to + i), unit, __ATOMIC_RELAXED);                                             \
    }
static unsigned unit_of(const void *address, unsigned size) {
    uintptr_t both = (uintptr_t)address | size;
    return both & 1 ? 1 : both & 2 ? 2 : both & 4 ? 4 : 8;
}
static void relaxed_load(uint8_t *to, const uint8_t *from, unsigned size) {
    switch (unit_of(from, size)) {
    case 1:
        RELAXED_COPY(uint8_t) return;
    case 2:
        RELAXED_COPY(uint16_t) return;
    case 4:
        RELAXED_COPY(uint32_t) return;
    default:
        RELAXED_COPY(uint64_t) return;
    }
}
static void relaxed_store(uint8_t *to, const uint8_t *from, unsigned size) {
    switch (unit_of(to, size)) {
    case 1:
        RELAXED_STORE(uint8_t) return;
    case 2:
        RELAXED_STORE(uint16_t) return;
    case 4:
        RELAXED_STORE(uint32_t) return;
    default:
        RELAXED_STORE(uint64_t) return;
    }
}
static bool all_written(const uint8_t *written, unsigned size) {
    uint8_t flags[256];
    relaxed_load(flags, written, size);
    for (unsigned i = 0; i < size; i++) {
        if (!flags[i]) {
            return false;
        }
    }
    return true;
}
static void mark_written(uint8_t *written, unsigned size) {
    static const uint8_t ones[256] = {[0 ... 255] = 1};
    relaxed_store(written, ones, size);
}

void memory_check_written(struct warp *warp, const struct instr *in, unsigned lane,
                          const struct memory_place *place, uint64_t address, unsigned space, unsigned size) {
    if (!place->written || all_written(place->written, size)) {
        return;
    }
    struct strbuf where = {0};
    report_address(&where, warp->run, address, space);
    report_at(warp, in, lane, FAULT_UNINITIALISED, NULL, NULL, "read of memory that nothing has written: %s",
              strbuf_text(&where));
    strbuf_free(&where);
}

bool memory_lock(struct warp *warp, const struct instr *in, const struct memory_place *place) {
    bool passes_on = in->ordering != LLVMAtomicOrderingNotAtomic || warp->publishing;
    bool strong = passes_on && place->region && warp->run->order;
    if (strong) {
        pthread_mutex_lock(&warp->run->order->lock);
    }
    return strong;
}

void memory_unlock(struct warp *warp, uint64_t address, bool reads, bool writes) {
    publish_lane(warp, address, reads, writes);
    pthread_mutex_unlock(&warp->run->order->lock);
}

bool memory_read(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                 unsigned size, unsigned align, void *data) {
    struct memory_place place = memory_place(warp, in, lane, address, space, size, align, ACCESS_READ);
    if (!place.data) {
        memset(data, 0, size);
        return false;
    }
    if (place.is_shared && warp->block->shadow) {
        shadow_read(warp, in, lane, place.shared, size, false);
    } else {
        memory_check_written(warp, in, lane, &place, address, space, size);
    }
    bool strong = memory_lock(warp, in, &place);
    if (place.region && warp->run->order && !strong) {
        stores_check(warp, in, lane, &place, address, space, size);
        reads_note(warp, in, lane, &place, size);
    }
    relaxed_load(data, place.data, size);
    if (strong) {
        memory_unlock(warp, address, true, false);
    }
    return true;
}

bool memory_write(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                  unsigned size, unsigned align, const void *data) {
    struct memory_place place = memory_place(warp, in, lane, address, space, size, align, ACCESS_WRITE);
    if (!place.data) {
        return false;
    }
    if (place.is_shared && warp->block->shadow) {
        shadow_write(warp, in, lane, place.shared, size, false, data);
    }
    if (place.region && warp->run->order) {
        if (in->ordering == LLVMAtomicOrderingNotAtomic) {
            reads_check(warp, in, lane, &place, address, space, size);
        }
        stores_note(warp, in, lane, &place, size);
    }
    bool strong = memory_lock(warp, in, &place);
    relaxed_store(place.data, data, size);
    if (strong) {
        memory_unlock(warp, address, false, true);
    }
    if (place.written) {
        mark_written(place.written, size);
    }
    return true;
}

static unsigned element_memory_bytes(const struct instr *in) {
    return (in->bits + 7u) / 8;
}

void exec_load(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *address = source(warp, in, 0);
    unsigned bytes = element_memory_bytes(in), size = bytes * in->components;
    if (warp->run->emulator->options.count) {
        memory_count(warp, in, address, warp->mask, in->space, size, false);
    }
    publish_begin(warp, in);
    FOR_LANES(lane, warp->mask) {
        uint8_t data[256];
        memory_read(warp, in, lane, address[lane], in->space, size, in->align, data);
        uint8_t *to = (uint8_t *)dst + (size_t)lane * in->bytes;
        for (unsigned c = 0; c < in->components; c++, to += (size_t)warp->lanes * in->bytes) {
            if (bytes != in->bytes) {
                memset(to, 0, in->bytes);
            }
            memcpy(to, data + c * bytes, bytes);
            if (in->bits < 8) {
                *to &= (uint8_t)((1u << in->bits) - 1);
            }
        }
    }
    publish_end(warp, in);
}

void exec_store(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const uint64_t *address = source(warp, in, 0);
    const uint8_t *value = source(warp, in, 1);
    unsigned bytes = element_memory_bytes(in), size = bytes * in->components;
    if (warp->run->emulator->options.count) {
        memory_count(warp, in, address, warp->mask, in->space, size, true);
    }
    publish_begin(warp, in);
    FOR_LANES(lane, warp->mask) {
        uint8_t data[256];
        const uint8_t *from = value + (size_t)lane * in->bytes;
        for (unsigned c = 0; c < in->components; c++, from += (size_t)warp->lanes * in->bytes) {
            memcpy(data + c * bytes, from, bytes);
        }
        memory_write(warp, in, lane, address[lane], in->space, size, in->align, data);
    }
    publish_end(warp, in);
}

void exec_alloca(struct warp *warp, const struct instr *in, void *dst) {
    (void)warp;
    for (uint32_t i = 0; i < in->total; i++) {
        ((uint64_t *)dst)[i] = (uint64_t)in->immediate;
    }
}
