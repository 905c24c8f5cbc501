// Loads, stores and atomics, one lane at a time, with the checks.
//
// Global addresses are made up: the bits from REGION_SHIFT on name a buffer, the rest is the offset in it, so
// that a bad address still says which argument it was meant for. Shared addresses are offsets in the block's
// shared memory plus the emulator's shared_base. Programs run on several host threads: global memory is read
// and written by relaxed atomic accesses of the widest size that fits, as a GPU does.
#include "emulator/machine/machine.h"

#include <stdlib.h>

#include "emulator/number/number.h"
#include "support/strbuf.h"

static void report_bounds(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                          unsigned space, unsigned size, enum access_type type) {
    struct strbuf where = {0};
    report_address(&where, warp->run, address, space);
    report_at(warp, in, lane, "out of bounds", NULL, NULL, "%u-byte %s out of bounds: %s", size,
              type == ACCESS_READ ? "read" : "write", strbuf_text(&where));
    strbuf_free(&where);
}

static bool local_place(struct warp *warp, unsigned lane, uint64_t offset, unsigned size,
                        struct place *place) {
    if (offset < 64 || offset - 64 + size > warp->kernel->local_bytes)
        return false;
    place->data = warp->local + (size_t)lane * warp->kernel->local_bytes + (offset - 64);
    return true;
}

static bool global_place(struct warp *warp, uint64_t address, unsigned size, struct place *place) {
    uint64_t index = (address >> REGION_SHIFT) - 1, offset = address & (((uint64_t)1 << REGION_SHIFT) - 1);
    if (index >= warp->run->region_count)
        return false;
    const struct region *region = &warp->run->regions[index];
    if (offset > region->size || size > region->size - offset)
        return false;
    place->data = region->data + offset;
    place->written = region->written ? region->written + offset : NULL;
    return true;
}

struct place memory_place(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                          unsigned space, unsigned size, unsigned align, enum access_type type) {
    struct place place = {0};
    const struct emulator *emulator = warp->run->emulator;
    uint64_t region = address >> REGION_SHIFT, at = address;
    bool shared = space == SPACE_SHARED || (space == SPACE_GENERIC && region == REGION_SHARED);
    bool local = space == SPACE_LOCAL || (space == SPACE_GENERIC && region == REGION_LOCAL), found;
    if (space == SPACE_GENERIC && (shared || local))
        at &= ((uint64_t)1 << REGION_SHIFT) - 1;
    if (shared) {
        uint64_t offset = at - emulator->shared_base;
        found = at >= emulator->shared_base && offset + size <= warp->run->shared_bytes;
        place.is_shared = true;
        place.shared = (uint32_t)offset;
        if (found)
            place.data = warp->block->shared + offset;
    } else if (local) {
        found = local_place(warp, lane, at, size, &place);
    } else {
        found = global_place(warp, at, size, &place);
    }
    if (!found) {
        report_bounds(warp, in, lane, address, space, size, type);
        return (struct place){0};
    }
    if (align > 1 && at % align && warp->run->checks) {
        struct strbuf where = {0};
        report_address(&where, warp->run, address, space);
        report_at(warp, in, lane, "misaligned", NULL, NULL, "%u-byte %s is not aligned to %u bytes: %s", size,
                  type == ACCESS_READ ? "read" : "write", align, strbuf_text(&where));
        strbuf_free(&where);
    }
    if (type != ACCESS_READ && !shared && !local && warp->run->regions[region - 1].read_only) {
        struct strbuf where = {0};
        report_address(&where, warp->run, address, space);
        report_at(warp, in, lane, "read-only", NULL, NULL, "write to read-only memory: %s",
                  strbuf_text(&where));
        strbuf_free(&where);
        return (struct place){0};
    }
    return place;
}

// Copies between lane memory and host memory that other host threads may use at the same time.
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
    for (unsigned i = 0; i < size; i++)
        if (!flags[i])
            return false;
    return true;
}
static void mark_written(uint8_t *written, unsigned size) {
    static const uint8_t ones[256] = {[0 ... 255] = 1};
    relaxed_store(written, ones, size);
}

static void check_written(struct warp *warp, const struct instr *in, unsigned lane, const struct place *place,
                          uint64_t address, unsigned space, unsigned size) {
    if (!place->written || all_written(place->written, size))
        return;
    struct strbuf where = {0};
    report_address(&where, warp->run, address, space);
    report_at(warp, in, lane, "uninitialised", NULL, NULL, "read of memory that nothing has written: %s",
              strbuf_text(&where));
    strbuf_free(&where);
}

bool memory_read(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                 unsigned size, unsigned align, void *data) {
    struct place place = memory_place(warp, in, lane, address, space, size, align, ACCESS_READ);
    if (!place.data) {
        memset(data, 0, size);
        return false;
    }
    if (place.is_shared && warp->block->shadow)
        shadow_read(warp, in, lane, place.shared, size, false);
    else
        check_written(warp, in, lane, &place, address, space, size);
    relaxed_load(data, place.data, size);
    return true;
}

bool memory_write(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                  unsigned size, unsigned align, const void *data) {
    struct place place = memory_place(warp, in, lane, address, space, size, align, ACCESS_WRITE);
    if (!place.data)
        return false;
    if (place.is_shared && warp->block->shadow)
        shadow_write(warp, in, lane, place.shared, size, false, data);
    relaxed_store(place.data, data, size);
    if (place.written)
        mark_written(place.written, size);
    return true;
}

static unsigned element_memory_bytes(const struct instr *in) {
    return (in->bits + 7u) / 8;
}

void exec_load(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *address = source(warp, in, 0);
    unsigned bytes = element_memory_bytes(in), size = bytes * in->components;
    if (warp->run->emulator->options.count)
        memory_count(warp, in, address, warp->mask, in->space, size, false);
    FOR_LANES(lane, warp->mask) {
        uint8_t data[256];
        memory_read(warp, in, lane, address[lane], in->space, size, in->align, data);
        uint8_t *to = (uint8_t *)dst + (size_t)lane * in->bytes;
        for (unsigned c = 0; c < in->components; c++, to += (size_t)warp->lanes * in->bytes) {
            if (bytes != in->bytes)
                memset(to, 0, in->bytes);
            memcpy(to, data + c * bytes, bytes);
            if (in->bits < 8)
                *to &= (uint8_t)((1u << in->bits) - 1);
        }
    }
}

void exec_store(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const uint64_t *address = source(warp, in, 0);
    const uint8_t *value = source(warp, in, 1);
    unsigned bytes = element_memory_bytes(in), size = bytes * in->components;
    if (warp->run->emulator->options.count)
        memory_count(warp, in, address, warp->mask, in->space, size, true);
    FOR_LANES(lane, warp->mask) {
        uint8_t data[256];
        const uint8_t *from = value + (size_t)lane * in->bytes;
        for (unsigned c = 0; c < in->components; c++, from += (size_t)warp->lanes * in->bytes)
            memcpy(data + c * bytes, from, bytes);
        memory_write(warp, in, lane, address[lane], in->space, size, in->align, data);
    }
}

void exec_alloca(struct warp *warp, const struct instr *in, void *dst) {
    (void)warp;
    for (uint32_t i = 0; i < in->total; i++)
        ((uint64_t *)dst)[i] = (uint64_t)in->immediate;
}

// ---- atomics ----

static double number_of(uint64_t bits, unsigned kind) {
    switch (kind) {
    case ELEMENT_HALF:
        return half_to_float((uint16_t)bits);
    case ELEMENT_BFLOAT:
        return bfloat_to_float((uint16_t)bits);
    case ELEMENT_FLOAT:
        return float_from_bits((uint32_t)bits);
    default:
        return double_from_bits(bits);
    }
}
static uint64_t bits_of(double value, unsigned kind) {
    switch (kind) {
    case ELEMENT_HALF:
        return half_from_float((float)value);
    case ELEMENT_BFLOAT:
        return bfloat_from_float((float)value);
    case ELEMENT_FLOAT:
        return float_bits((float)value);
    default:
        return double_bits(value);
    }
}

static uint64_t combine_float(unsigned operation, unsigned kind, uint64_t old, uint64_t value) {
    double a = number_of(old, kind), b = number_of(value, kind);
    switch (operation) {
    case LLVMAtomicRMWBinOpFAdd:
        return kind == ELEMENT_FLOAT ? float_bits((float)a + (float)b) : bits_of(a + b, kind);
    case LLVMAtomicRMWBinOpFSub:
        return kind == ELEMENT_FLOAT ? float_bits((float)a - (float)b) : bits_of(a - b, kind);
    case LLVMAtomicRMWBinOpFMax:
        return bits_of(fmax(a, b), kind);
    default:
        return bits_of(fmin(a, b), kind);
    }
}

static uint64_t combine(unsigned operation, struct shape shape, uint64_t old, uint64_t value,
                        uint64_t compare) {
    uint64_t keep = shape.bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << shape.bits) - 1;
    unsigned extend = 64u - shape.bits;
    int64_t a = (int64_t)(old << extend) >> extend, b = (int64_t)(value << extend) >> extend;
    switch (operation) {
    case LLVMAtomicRMWBinOpXchg:
        return value;
    case LLVMAtomicRMWBinOpAdd:
        return (old + value) & keep;
    case LLVMAtomicRMWBinOpSub:
        return (old - value) & keep;
    case LLVMAtomicRMWBinOpAnd:
        return old & value;
    case LLVMAtomicRMWBinOpNand:
        return ~(old & value) & keep;
    case LLVMAtomicRMWBinOpOr:
        return old | value;
    case LLVMAtomicRMWBinOpXor:
        return old ^ value;
    case LLVMAtomicRMWBinOpMax:
        return a > b ? old : value;
    case LLVMAtomicRMWBinOpMin:
        return a < b ? old : value;
    case LLVMAtomicRMWBinOpUMax:
        return old > value ? old : value;
    case LLVMAtomicRMWBinOpUMin:
        return old < value ? old : value;
    case ATOMIC_INC_WRAP:
        return old >= value ? 0 : old + 1;
    case ATOMIC_DEC_WRAP:
        return old == 0 || old > value ? value : old - 1;
    case ATOMIC_CAS:
        return old == compare ? value : old;
    default:
        return combine_float(operation, shape.kind, old, value);
    }
}

// Packed pairs (<2 x half>) combine component by component.
static uint64_t combine_all(unsigned operation, struct shape shape, uint64_t old, uint64_t value,
                            uint64_t compare) {
    if (shape.components == 1)
        return combine(operation, shape, old, value, compare);
    uint64_t result = 0, keep = ((uint64_t)1 << shape.bits) - 1;
    for (unsigned c = 0; c < shape.components; c++)
        result |= combine(operation, shape, old >> c * shape.bits & keep, value >> c * shape.bits & keep, 0)
                  << c * shape.bits;
    return result;
}

#define EXCHANGE(T)                                                                                          \
    {                                                                                                        \
        T before = __atomic_load_n((T *)place.data, __ATOMIC_RELAXED), after;                                \
        do                                                                                                   \
            after = (T)combine_all(operation, shape, before, bits, expected);                                \
        while (!__atomic_compare_exchange_n((T *)place.data, &before, after, false, __ATOMIC_SEQ_CST,        \
                                            __ATOMIC_SEQ_CST));                                              \
        result = before;                                                                                     \
        break;                                                                                               \
    }

void memory_atomic(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                   unsigned operation, struct shape shape, const void *value, const void *compare,
                   void *old) {
    unsigned size = shape.components * shape.bits / 8u;
    uint64_t bits = 0, expected = 0, result = 0;
    memcpy(&bits, value, size);
    if (compare)
        memcpy(&expected, compare, size);
    struct place place = memory_place(warp, in, lane, address, space, size, size, ACCESS_ATOMIC);
    memset(old, 0, size);
    if (!place.data || (address & (size - 1)))
        return;
    if (place.is_shared && warp->block->shadow) {
        shadow_read(warp, in, lane, place.shared, size, true);
        shadow_write(warp, in, lane, place.shared, size, true, NULL);
    } else {
        check_written(warp, in, lane, &place, address, space, size);
    }
    switch (size) {
    case 1:
        EXCHANGE(uint8_t)
    case 2:
        EXCHANGE(uint16_t)
    case 4:
        EXCHANGE(uint32_t)
    default:
        EXCHANGE(uint64_t)
    }
    memcpy(old, &result, size);
}

static void gather(void *data, const uint8_t *value, const struct warp *warp, const struct instr *in,
                   unsigned lane) {
    for (unsigned c = 0; c < in->components; c++)
        memcpy((uint8_t *)data + c * in->bytes, value + ((size_t)c * warp->lanes + lane) * in->bytes,
               in->bytes);
}

void exec_atomic(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *address = source(warp, in, 0);
    const uint8_t *value = source(warp, in, 1);
    struct shape shape = {in->element, in->bytes, in->bits, 0, in->components};
    FOR_LANES(lane, warp->mask) {
        uint64_t operand = 0, old = 0;
        gather(&operand, value, warp, in, lane);
        memory_atomic(warp, in, lane, address[lane], in->space, in->variant, shape, &operand, NULL, &old);
        for (unsigned c = 0; c < in->components; c++)
            memcpy((uint8_t *)dst + ((size_t)c * warp->lanes + lane) * in->bytes,
                   (uint8_t *)&old + c * in->bytes, in->bytes);
    }
}

// The result is {old value, i1 succeeded}.
void exec_compare_exchange(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *address = source(warp, in, 0);
    const uint8_t *compare = source(warp, in, 1), *value = source(warp, in, 2);
    struct shape shape = {ELEMENT_INT, in->bytes, in->bits, 0, 1};
    uint8_t *success = (uint8_t *)dst + ((size_t)warp->lanes * in->bytes + 63) / 64 * 64;
    FOR_LANES(lane, warp->mask) {
        size_t at = (size_t)lane * in->bytes;
        uint64_t old = 0;
        memory_atomic(warp, in, lane, address[lane], in->space, ATOMIC_CAS, shape, value + at, compare + at,
                      &old);
        success[lane] = memcmp(&old, compare + at, in->bytes) == 0;
        memcpy((uint8_t *)dst + at, &old, in->bytes);
    }
}

// ---- statistics ----

static void count_sectors(struct emulator_statistics *statistics, const uint64_t *address, lane_mask mask,
                          unsigned size) {
    uint64_t seen[2 * MAX_LANES];
    unsigned count = 0;
    FOR_LANES(lane, mask) {
        for (uint64_t sector = address[lane] / 32;
             sector <= (address[lane] + size - 1) / 32 && count < 2 * MAX_LANES; sector++) {
            unsigned i = 0;
            while (i < count && seen[i] != sector)
                i++;
            if (i == count)
                seen[count++] = sector;
        }
    }
    statistics->global_requests++;
    statistics->global_sectors += count;
    statistics->global_useful_bytes += (uint64_t)size * (unsigned)__builtin_popcountll(mask);
}

// Shared memory has 32 banks of 4 bytes. Lanes are served in groups that ask for at most 128 bytes; within a
// group each bank gives one word a pass, and lanes asking for the same word share it.
static void count_banks(struct emulator_statistics *statistics, const uint64_t *address, lane_mask mask,
                        unsigned lanes, unsigned size) {
    unsigned group = size <= 4 ? 32 : size <= 8 ? 16 : 8;
    statistics->shared_requests++;
    for (unsigned first = 0; first < lanes; first += group) {
        lane_mask part = mask & (mask_of(group) << first);
        uint64_t words[MAX_LANES * 4];
        unsigned count = 0, used[32] = {0}, most = 0;
        FOR_LANES(lane, part) {
            for (uint64_t word = address[lane] / 4;
                 word <= (address[lane] + size - 1) / 4 && count < MAX_LANES * 4; word++) {
                unsigned i = 0;
                while (i < count && words[i] != word)
                    i++;
                if (i < count)
                    continue;
                words[count++] = word;
                used[word % 32]++;
                most = used[word % 32] > most ? used[word % 32] : most;
            }
        }
        statistics->shared_wavefronts += most;
        statistics->shared_ideal_wavefronts += part != 0;
    }
}

void memory_count(struct warp *warp, const struct instr *in, const uint64_t *address, lane_mask mask,
                  unsigned space, unsigned size, bool write) {
    (void)in;
    struct emulator_statistics *statistics = &warp->statistics;
    uint64_t bytes = (uint64_t)size * (unsigned)__builtin_popcountll(mask);
    if (!warp->run->emulator->options.count || !mask)
        return;
    if (space == SPACE_SHARED) {
        *(write ? &statistics->shared_store_bytes : &statistics->shared_load_bytes) += bytes;
        count_banks(statistics, address, mask, warp->lanes, size);
    } else if (space != SPACE_LOCAL) {
        *(write ? &statistics->global_store_bytes : &statistics->global_load_bytes) += bytes;
        count_sectors(statistics, address, mask, size);
    }
}
