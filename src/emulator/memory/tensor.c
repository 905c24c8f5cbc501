// Tensor copies, TMA (PTX ISA, "Data Movement and Conversion Instructions: cp.async.bulk.tensor"). A map
// describes a strided tensor and a box; a copy moves the box at some coordinates. In shared memory the box is
// dense, innermost dimension first, and under a swizzle the 16-byte chunk number (address bits 4-6) is XORed
// with the number of the 128-byte line (bits 7-9), in as many bits as the swizzle has chunks. Elements
// outside the tensor read as zeros and are not written, except for the rest of the 16-byte chunk at the
// tensor's end. Loads of boxes wholly outside read the memory at the tensor's base.
//
// Copies happen as late as the rules allow. A load reads its source and lands when a thread waits for the
// phase of the mbarrier completed by it (mbarrier.c). A store reads shared memory when its thread waits for
// its group with wait_group.read, and writes global memory when it waits with wait_group, or at the end of
// the program.
#include "emulator/memory/memory.h"

#include <stdlib.h>

#include "emulator/number/number.h"
#include "emulator/report/report.h"
#include "support/memory.h"

enum { BOX_ALIGN = 128, PIECE = 128, MAX_LINE = 256 * 8, LOAD_OPERANDS = 4, STORE_OPERANDS = 3 };

static uint64_t bits_of(const struct warp *warp, const struct operand *operand, unsigned lane) {
    uint64_t bits = 0;
    const uint8_t *at = warp->registers + operand->reg + (size_t)lane * operand->shape.bytes;
    memcpy(&bits, at, operand->shape.bytes < sizeof bits ? operand->shape.bytes : sizeof bits);
    return bits;
}

// ---- the box ----

static uint32_t line_bytes(const struct emulator_tensor_map *map) {
    return map->box[0] * map->element_bytes;
}

static uint32_t line_count(const struct emulator_tensor_map *map) {
    uint32_t count = 1;
    for (unsigned i = 1; i < map->rank; i++) {
        count *= map->box[i];
    }
    return count;
}

// The offset in shared memory of byte `byte` of the box, a multiple of CHUNK.
static uint32_t chunk_place(const struct warp *warp, const struct tensor_copy *copy, uint32_t byte) {
    uint32_t base = warp->run->emulator->shared_base, address = base + copy->shared + byte;
    unsigned swizzle = copy->map->map->swizzle;
    return (swizzle ? address ^ (address >> 7 & (swizzle / CHUNK - 1)) << 4 : address) - base;
}

// A line of the box in the tensor: the address of its first byte inside the tensor, and the range [first,
// end) of its bytes inside.
struct line {
    uint64_t address;
    uint32_t first, end;
};

static struct line line_inside(const struct tensor_copy *copy, uint32_t number) {
    const struct emulator_tensor_map *map = copy->map->map;
    int64_t start = copy->at[0], size = (int64_t)map->sizes[0];
    int64_t first = start < 0 ? -start : 0, end = size - start < map->box[0] ? size - start : map->box[0];
    uint64_t address = copy->map->map_base;
    for (unsigned i = 1; i < map->rank; i++) {
        int64_t at = copy->at[i] + (int64_t)(number % map->box[i]);
        number /= map->box[i];
        if (at < 0 || at >= (int64_t)map->sizes[i]) {
            return (struct line){0};
        }
        address += (uint64_t)at * map->strides[i - 1];
    }
    if (first >= end) {
        return (struct line){0};
    }
    return (struct line){address + (uint64_t)((start + first) * map->element_bytes),
                         (uint32_t)first * map->element_bytes, (uint32_t)end * map->element_bytes};
}

// The tensor map at an address; the address must be its start (`offset` 0). NULL: reported.
static const struct region *map_at(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                                   uint64_t *offset) {
    uint64_t index = (address >> REGION_SHIFT) - 1;
    const struct region *map = index < warp->run->region_count ? &warp->run->regions[index] : NULL;
    *offset = address & (((uint64_t)1 << REGION_SHIFT) - 1);
    if (map && map->map) {
        return map;
    }
    report_at(warp, in, lane, FAULT_OPERATION, NULL, NULL, "address 0x%llx is not that of a tensor map",
              (unsigned long long)address);
    warp->state = WARP_FAULT;
    return NULL;
}

static unsigned box_rank(const struct instr *in) {
    return (unsigned)in->immediate & (TENSOR_PAIR - 1);
}

static bool is_map(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                   const struct region **map) {
    uint64_t offset;
    *map = map_at(warp, in, lane, address, &offset);
    if (!*map) {
        return false;
    }
    if (offset == 0 && (*map)->map->rank == box_rank(in)) {
        unsigned tensor = (*map)->map_region;
        if (warp->run->regions[tensor].late && !warp->waited && warp->run->checks) {
            memory_report_late(warp, in, lane, (uint64_t)(tensor + 1) << REGION_SHIFT, SPACE_GLOBAL);
        }
        return true;
    }
    report_at(warp, in, lane, FAULT_OPERATION, NULL, NULL,
              "copies a box of rank %u by the map '%s' of rank %u%s", box_rank(in), (*map)->name,
              (*map)->map->rank, offset ? ", not from its start" : "");
    warp->state = WARP_FAULT;
    return false;
}

// Operand: map. Nothing but time depends on it.
void exec_tensor_prefetch(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    uint64_t offset;
    FOR_LANES(lane, warp->mask) {
        map_at(warp, in, lane, bits_of(warp, &in->operands[0], lane), &offset);
    }
}

static struct tensor_copy *push(struct tensor_copy **copies, unsigned *count, size_t *capacity) {
    *copies = memory_grown(*copies, *count, capacity, sizeof **copies);
    return &(*copies)[(*count)++];
}

// Hopper stops a program on a box not aligned to 16 bytes, or on a store that begins below index 0: an
// illegal instruction (seen on an H100 and an H200). False: reported.
static bool is_legal(struct warp *warp, const struct instr *in, unsigned lane, bool stores,
                     const struct tensor_copy *copy) {
    const struct emulator_tensor_map *map = copy->map->map;
    bool below = false, aligned = (int64_t)copy->at[0] * map->element_bytes % CHUNK == 0;
    for (unsigned i = 0; i < map->rank; i++) {
        below |= copy->at[i] < 0;
    }
    if (aligned && !(stores && below)) {
        return true;
    }
    report_at(warp, in, lane, FAULT_OPERATION, NULL, NULL, "%s a box of '%s' that begins %s",
              stores ? "stores" : "loads", copy->map->name,
              aligned ? "below index 0" : "at no multiple of 16 bytes of a row");
    warp->state = WARP_FAULT;
    return false;
}

// The common part of a load and a store; `first` is the operand of the first coordinate. False: reported.
static bool begin(struct warp *warp, const struct instr *in, unsigned lane, uint64_t map, uint64_t shared,
                  unsigned first, enum access_type type, struct tensor_copy *copy) {
    *copy = (struct tensor_copy){.in = in, .warp = warp->index, .lane = (uint8_t)lane};
    if (!is_map(warp, in, lane, map, &copy->map)) {
        return false;
    }
    copy->bytes = line_bytes(copy->map->map) * line_count(copy->map->map);
    for (unsigned i = 0; i < copy->map->map->rank; i++) {
        copy->at[i] = (int32_t)bits_of(warp, &in->operands[first + i], lane);
    }
    if (!is_legal(warp, in, lane, type == ACCESS_READ, copy)) {
        return false;
    }
    struct memory_place place =
        memory_place(warp, in, lane, shared, SPACE_SHARED, copy->bytes, BOX_ALIGN, type);
    copy->shared = place.shared;
    return place.data != NULL;
}

// ---- loads ----

static bool is_wholly_outside(const struct tensor_copy *copy) {
    const struct emulator_tensor_map *map = copy->map->map;
    bool outside = false;
    for (unsigned i = 0; i < map->rank; i++) {
        outside |= copy->at[i] + (int64_t)map->box[i] <= 0 || copy->at[i] >= (int64_t)map->sizes[i];
    }
    return outside;
}

// The load of a box wholly outside of its tensor reads the memory at the map's base (H200: an illegal access where none is mapped).
// False: reported.
static bool has_base(struct warp *warp, const struct instr *in, unsigned lane,
                     const struct tensor_copy *copy) {
    const struct region *tensor = &warp->run->regions[copy->map->map_region];
    uint64_t start = (uint64_t)(copy->map->map_region + 1) << REGION_SHIFT;
    int64_t ahead = (int64_t)(start - copy->map->map_base);
    if (!is_wholly_outside(copy) || (ahead <= 0 && (uint64_t)-ahead < tensor->size)) {
        return true;
    }
    report_at(
        warp, in, lane, FAULT_OPERATION, NULL, NULL,
        "loads a box wholly outside of the tensor of '%s', whose first byte lies %lld bytes %s '%s': the "
        "chip reads there",
        copy->map->name, (long long)(ahead > 0 ? ahead : -ahead - (int64_t)tensor->size),
        ahead > 0 ? "ahead of" : "behind", tensor->name);
    warp->state = WARP_FAULT;
    return false;
}

void tensor_push_load(struct block *block, const struct tensor_copy *copy) {
    *push(&block->loads, &block->load_count, &block->load_capacity) = *copy;
}

// Operands: shared address, map, mbarrier, predicate, coordinates.
void exec_tensor_load(struct warp *warp, const struct instr *in, void *dst) {
    struct block *block = warp->block;
    (void)dst;
    FOR_LANES(lane, lanes_where(warp, &in->operands[3])) {
        struct tensor_copy copy;
        struct mbarrier *barrier = (in->immediate & TENSOR_PAIR ? mbarrier_find_mapped : mbarrier_find)(
            warp, in, lane, (uint32_t)bits_of(warp, &in->operands[2], lane));
        if (!barrier ||
            !begin(warp, in, lane, bits_of(warp, &in->operands[1], lane),
                   bits_of(warp, &in->operands[0], lane), LOAD_OPERANDS, ACCESS_WRITE, &copy) ||
            !has_base(warp, in, lane, &copy)) {
            return;
        }
        mbarrier_check_fenced(warp, in, lane, barrier);
        if (block->shadow) {
            shadow_check_reads_done(warp, in, lane, copy.shared, copy.bytes);
            shadow_issue(warp, in, lane, copy.shared, copy.bytes);
        }
        copy.mbarrier = (uint32_t)(barrier - block->mbarriers);
        copy.foreign = warp->by_copies;
        barrier->under_way += copy.bytes;
        tensor_push_load(block, &copy);
    }
}

// Operands: shared address, global address, mbarrier, bytes, predicate.
void exec_bulk_load(struct warp *warp, const struct instr *in, void *dst) {
    struct block *block = warp->block;
    (void)dst;
    FOR_LANES(lane, lanes_where(warp, &in->operands[4])) {
        struct tensor_copy copy = {.in = in,
                                   .warp = warp->index,
                                   .lane = (uint8_t)lane,
                                   .bytes = (uint32_t)in->operands[3].constant,
                                   .source = bits_of(warp, &in->operands[1], lane)};
        struct mbarrier *barrier =
            mbarrier_find(warp, in, lane, (uint32_t)bits_of(warp, &in->operands[2], lane));
        struct memory_place place = barrier
                                        ? memory_place(warp, in, lane, bits_of(warp, &in->operands[0], lane),
                                                       SPACE_SHARED, copy.bytes, CHUNK, ACCESS_WRITE)
                                        : (struct memory_place){0};
        if (!place.data) {
            return;
        }
        copy.shared = place.shared;
        copy.mbarrier = (uint32_t)(barrier - block->mbarriers);
        copy.foreign = warp->by_copies;
        mbarrier_check_fenced(warp, in, lane, barrier);
        if (block->shadow) {
            shadow_check_reads_done(warp, in, lane, copy.shared, copy.bytes);
            shadow_issue(warp, in, lane, copy.shared, copy.bytes);
        }
        barrier->under_way += copy.bytes;
        tensor_push_load(block, &copy);
    }
}

static void load_bytes(struct warp *warp, const struct tensor_copy *copy) {
    for (uint32_t at = 0; at < copy->bytes; at += CHUNK) {
        memory_read(warp, copy->in, copy->lane, copy->source + at, SPACE_GLOBAL, CHUNK, CHUNK,
                    warp->block->shared + copy->shared + at);
    }
}

static void load_line(struct warp *warp, const struct tensor_copy *copy, uint32_t number) {
    uint32_t bytes = line_bytes(copy->map->map);
    uint8_t data[MAX_LINE] = {0};
    struct line line = line_inside(copy, number);
    for (uint32_t at = line.first; at < line.end; at += PIECE) {
        unsigned size = line.end - at < PIECE ? line.end - at : PIECE;
        warp->statistics.global_load_bytes += size;
        memory_read(warp, copy->in, copy->lane, line.address + (at - line.first), SPACE_GLOBAL, size, 1,
                    data + at);
    }
    for (uint32_t at = 0; copy->map->map->rounds_tf32 && at < bytes; at += sizeof(float)) {
        float value;
        memcpy(&value, data + at, sizeof value);
        value = tf32_round_even(value);
        memcpy(data + at, &value, sizeof value);
    }
    for (uint32_t at = 0; at < bytes; at += CHUNK) {
        memcpy(warp->block->shared + chunk_place(warp, copy, number * bytes + at), data + at, CHUNK);
    }
}

void tensor_land(struct block *block, struct mbarrier *barrier) {
    unsigned kept = 0;
    uint32_t clock = ++block->landings;
    for (unsigned i = 0; i < block->load_count; i++) {
        const struct tensor_copy *copy = &block->loads[i];
        if (&block->mbarriers[copy->mbarrier] != barrier) {
            block->loads[kept++] = *copy;
            continue;
        }
        struct warp *warp = &block->warps[copy->warp];
        struct known *foreign = warp->view.foreign;
        warp->view.foreign = copy->foreign;
        for (uint32_t line = 0; copy->map && line < line_count(copy->map->map); line++) {
            load_line(warp, copy, line);
        }
        if (copy->source) {
            load_bytes(warp, copy);
        } else if (!copy->map) {
            launch_land(block, copy);
        }
        warp->view.foreign = foreign;
        if (block->shadow) {
            shadow_land(block, copy->shared, copy->bytes, barrier->agent, clock);
        }
    }
    block->load_count = kept;
    barrier->under_way = 0;
    barrier->running.seen[barrier->agent] = clock + 1;
}

void tensor_leave(struct block *block, unsigned rank) {
    uint32_t span = block->run->shared_span;
    for (unsigned i = 0; i < block->load_count; i++) {
        const struct tensor_copy *copy = &block->loads[i];
        if (copy->shared / span == rank || block->mbarriers[copy->mbarrier].offset / span == rank) {
            report_at(&block->warps[copy->warp], copy->in, copy->lane, FAULT_ASYNC, NULL, NULL,
                      "block %u of the cluster ends while this copy is on its way to it", rank);
            block->failed = true;
        }
    }
}

// ---- stores ----

// Operands: map, shared address, predicate, coordinates.
static void issue_store(struct warp *warp, const struct instr *in, bool adds) {
    struct block *block = warp->block;
    FOR_LANES(lane, lanes_where(warp, &in->operands[2])) {
        struct tensor_copy copy;
        if (!begin(warp, in, lane, bits_of(warp, &in->operands[0], lane),
                   bits_of(warp, &in->operands[1], lane), STORE_OPERANDS, ACCESS_READ, &copy)) {
            return;
        }
        for (uint32_t byte = 0; byte < copy.bytes && block->shadow; byte += CHUNK) {
            shadow_hold(warp, in, lane, copy.shared + byte);
        }
        copy.group = warp->bulk_committed[lane];
        copy.adds = adds;
        *push(&block->stores, &block->store_count, &block->store_capacity) = copy;
    }
}

void exec_tensor_store(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    issue_store(warp, in, false);
}

void exec_tensor_add(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    issue_store(warp, in, true);
}

void exec_bulk_commit(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    FOR_LANES(lane, warp->mask) {
        warp->bulk_committed[lane]++;
    }
}

static void store_read(struct warp *warp, struct tensor_copy *copy) {
    if (copy->data) {
        return;
    }
    copy->data = malloc(copy->bytes);
    for (uint32_t byte = 0; byte < copy->bytes; byte += CHUNK) {
        memcpy(copy->data + byte, warp->block->shared + chunk_place(warp, copy, byte), CHUNK);
    }
    warp->touched |= (lane_mask)1 << copy->lane;
    for (uint32_t byte = 0; byte < copy->bytes && warp->block->shadow; byte += CHUNK) {
        shadow_release(warp, copy->in, warp->index, warp->view.seen[warp->index], copy->lane,
                       copy->shared + byte);
    }
}

// Stores write whole chunks of memory: the last one of a row is written to its end (seen on an H200). Loads end at
// the element.
static void extend_to_chunk(struct line *line, uint32_t bytes) {
    uint32_t beyond =
        line->end > line->first ? -(uint32_t)(line->address + (line->end - line->first)) % CHUNK : 0;
    line->end = line->end + beyond < bytes ? line->end + beyond : bytes;
}

static void add_line(struct warp *warp, const struct tensor_copy *copy, struct line line,
                     const uint8_t *data) {
    const struct emulator_tensor_map *map = copy->map->map;
    unsigned bytes = map->element_bytes;
    struct shape shape = {.kind = bytes == sizeof(float) ? ELEMENT_FLOAT
                                  : map->is_bf16         ? ELEMENT_BFLOAT
                                                         : ELEMENT_HALF,
                          .bytes = (uint8_t)bytes,
                          .bits = (uint8_t)(8 * bytes),
                          .components = 1};
    for (uint32_t at = line.first; at < line.end; at += bytes) {
        uint64_t old;
        warp->statistics.global_store_bytes += bytes;
        memory_atomic(warp, copy->in, copy->lane, line.address + (at - line.first), SPACE_GLOBAL,
                      LLVMAtomicRMWBinOpFAdd, shape, data + at, NULL, &old);
    }
}

static void store_write(struct warp *warp, struct tensor_copy *copy) {
    uint32_t bytes = line_bytes(copy->map->map);
    for (uint32_t number = 0; number < line_count(copy->map->map); number++) {
        struct line line = line_inside(copy, number);
        if (copy->adds) {
            add_line(warp, copy, line, copy->data + (size_t)number * bytes);
            continue;
        }
        extend_to_chunk(&line, bytes);
        for (uint32_t at = line.first; at < line.end; at += PIECE) {
            unsigned size = line.end - at < PIECE ? line.end - at : PIECE;
            warp->statistics.global_store_bytes += size;
            memory_write(warp, copy->in, copy->lane, line.address + (at - line.first), SPACE_GLOBAL, size, 1,
                         copy->data + (size_t)number * bytes + at);
        }
    }
    free(copy->data);
}

static void wait_for_stores(struct warp *warp, int64_t pending, bool written) {
    struct block *block = warp->block;
    unsigned kept = 0;
    for (unsigned i = 0; i < block->store_count; i++) {
        struct tensor_copy *copy = &block->stores[i];
        bool mine = copy->warp == warp->index && (warp->mask >> copy->lane & 1);
        if (mine && (int64_t)warp->bulk_committed[copy->lane] - copy->group > pending) {
            store_read(warp, copy);
            if (written) {
                store_write(warp, copy);
                continue;
            }
        }
        block->stores[kept++] = *copy;
    }
    block->store_count = kept;
}

// Operand: groups that may stay in flight.
void exec_bulk_wait_read(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    wait_for_stores(warp, (int64_t)in->operands[0].constant, false);
}

void exec_bulk_wait(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    wait_for_stores(warp, (int64_t)in->operands[0].constant, true);
}

void tensor_end(struct block *block) {
    for (unsigned i = 0; i < block->store_count; i++) {
        struct tensor_copy *copy = &block->stores[i];
        struct warp *warp = &block->warps[copy->warp];
        if (!copy->data) {
            report_at(warp, copy->in, copy->lane, FAULT_ASYNC, NULL, NULL,
                      "the program ends before this copy has read shared memory; wait for its group");
        }
        store_read(warp, copy);
        store_write(warp, copy);
    }
    block->store_count = 0;
}
