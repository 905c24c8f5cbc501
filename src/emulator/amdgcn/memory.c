// Accesses to memory: rows of isa_memory.def. An access is executed at its issue, lane by lane, with all the
// emulator's checks. Its registers, and its effect on other warps, become valid at the wait for it (wait.c).
#include "emulator/amdgcn/amdgcn.h"

#include "emulator/amd/amd.h"
#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

enum access_kind { KIND_LOADS, KIND_STORES, KIND_COPIES, KIND_TWO_LOADS, KIND_TWO_STORES, KIND_ATOMICS };
enum access_space { SPACE_OF_GLOBAL, SPACE_OF_SCRATCH, SPACE_OF_BUFFER, SPACE_OF_SCALAR, SPACE_OF_LDS };
enum part {
    PART_WHOLE,
    PART_ZERO,
    PART_SIGN,
    PART_LOW,
    PART_HIGH,
    PART_SIGN_LOW,
    PART_SIGN_HIGH,
    PART_COLUMNS_16,
    PART_COLUMNS_8
};

struct memory_row {
    const char *name;
    uint8_t kind, space, bytes, part;
    uint16_t unit;
    uint8_t operation;
    struct shape shape;
};

static const struct memory_row rows[] = {
#define LOAD(name, space, bytes, part) {#name, KIND_LOADS, SPACE_OF_##space, bytes, PART_##part, 0, 0, {0}},
#define STORE(name, space, bytes, part) {#name, KIND_STORES, SPACE_OF_##space, bytes, PART_##part, 0, 0, {0}},
#define COPY(name, space, bytes) {#name, KIND_COPIES, SPACE_OF_##space, bytes, PART_WHOLE, 0, 0, {0}},
#define TWO_LOADS(name, bytes, unit) {#name, KIND_TWO_LOADS, SPACE_OF_LDS, bytes, PART_WHOLE, unit, 0, {0}},
#define TWO_STORES(name, bytes, unit) {#name, KIND_TWO_STORES, SPACE_OF_LDS, bytes, PART_LOW, unit, 0, {0}},
#define ATOMIC(name, space, operation, element, bits, parts)                                                 \
    {#name,                                                                                                  \
     KIND_ATOMICS,                                                                                           \
     SPACE_OF_##space,                                                                                       \
     (bits) / 8 * (parts),                                                                                   \
     PART_WHOLE,                                                                                             \
     0,                                                                                                      \
     operation,                                                                                              \
     {ELEMENT_##element, (bits) / 8, bits, 0, parts}},
#include "emulator/amdgcn/isa_memory.def"
#undef LOAD
#undef STORE
#undef COPY
#undef TWO_LOADS
#undef TWO_STORES
#undef ATOMIC
};

static bool is_store(const struct memory_row *row) {
    return row->kind == KIND_STORES || row->kind == KIND_TWO_STORES;
}

// ---- addresses ----

static const struct gcn_operand *address_operand(const struct gcn *gcn) {
    return &gcn->operands[gcn->address_at];
}

struct addresses {
    uint64_t at[MAX_LANES];
    lane_mask outside; // buffers: reads give 0, writes are dropped
    uint8_t space;     // enum address_space
};

static void global_addresses(struct warp *warp, const struct gcn *gcn, struct addresses *out) {
    const struct gcn_operand *vector = address_operand(gcn), *scalar = &gcn->operands[gcn->base_at];
    const uint32_t *low = row_of(warp, vector->reg), *high = row_of(warp, vector->reg + 1u);
    uint64_t base = scalar->kind == OPERAND_SCALAR ? scalar_read_wide(warp, scalar) : 0;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        int64_t offset = gcn->signed_offset ? (int64_t)(int32_t)low[lane] : (int64_t)low[lane];
        uint64_t from = scalar->kind == OPERAND_SCALAR ? base + (uint64_t)(offset * gcn->unit)
                                                       : low[lane] | (uint64_t)high[lane] << 32;
        out->at[lane] = from + (uint64_t)(int64_t)gcn->offset;
    }
}

static void scratch_addresses(struct warp *warp, const struct gcn *gcn, struct addresses *out) {
    const struct gcn_operand *vector = address_operand(gcn), *scalar = &gcn->operands[gcn->base_at];
    uint32_t base = (uint32_t)gcn->offset + (scalar->kind == OPERAND_SCALAR ? scalar_read(warp, scalar) : 0);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        out->at[lane] = LOCAL_BASE + (uint64_t)(uint32_t)(base + (vector->kind == OPERAND_VECTOR
                                                                      ? row_of(warp, vector->reg)[lane]
                                                                      : 0));
    }
}

// Scratch through a swizzled buffer: units of 4 bytes interleaved over the lanes, with a scalar offset common
// to all lanes (CDNA3 ISA 9.1.5.4; its descriptor: wave.c). `at` is the offset of lane 0's byte 0 from the
// start of all scratch.
static void swizzled_addresses(struct warp *warp, const struct gcn *gcn, uint64_t at, struct addresses *out) {
    const struct gcn_operand *vector = address_operand(gcn);
    uint32_t bytes = warp->kernel->local_bytes;
    uint64_t own = at - (uint64_t)warp->index * warp->lanes * bytes; // from the wave's beginning on
    out->space = SPACE_LOCAL;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint32_t offset = (uint32_t)gcn->offset + (gcn->by_lane ? row_of(warp, vector->reg)[lane] : 0);
        uint64_t byte = own + ((uint64_t)(offset / 4) * warp->lanes + lane) * 4 + offset % 4;
        bool aside = offset % 4 + gcn->memory->bytes > 4 || byte / 4 % warp->lanes != lane;
        out->at[lane] = LOCAL_BASE + (aside ? bytes : byte / 4 / warp->lanes * 4 + byte % 4);
    }
}

// A raw buffer: base, and bounds in bytes (CDNA3 ISA 9.1.5, RDNA3 ISA 9.1).
static void buffer_addresses(struct warp *warp, const struct gcn *gcn, struct addresses *out) {
    const struct gcn_operand *vector = address_operand(gcn), *resource = &gcn->operands[gcn->base_at];
    const uint32_t *word = wave_of(warp)->s + resource->reg;
    uint64_t base = word[0] | (uint64_t)(word[1] & 0xffff) << 32;
    uint32_t scalar = scalar_read(warp, &gcn->operands[gcn->base_at + 1]);
    if (word[1] & BUFFER_SWIZZLED) {
        swizzled_addresses(warp, gcn, base - SCRATCH_ADDRESS + scalar, out);
        return;
    }
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint64_t offset = (uint64_t)gcn->offset + (gcn->by_lane ? row_of(warp, vector->reg)[lane] : 0);
        out->at[lane] = base + scalar + offset;
        if (offset + gcn->memory->bytes > word[2]) {
            out->outside |= (lane_mask)1 << lane;
        }
    }
}

static void find_addresses(struct warp *warp, const struct instr *in, struct addresses *out) {
    const struct gcn *gcn = in->extra;
    out->outside = 0;
    out->space = (uint8_t)in->space;
    switch (gcn->memory->space) {
    case SPACE_OF_GLOBAL:
        global_addresses(warp, gcn, out);
        return;
    case SPACE_OF_SCRATCH:
        scratch_addresses(warp, gcn, out);
        return;
    case SPACE_OF_BUFFER:
        buffer_addresses(warp, gcn, out);
        return;
    default:
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            out->at[lane] = row_of(warp, address_operand(gcn)->reg)[lane] + (uint32_t)gcn->offset;
        }
    }
}

// ---- one lane ----

static void put_loaded(uint32_t *to, const struct memory_row *row, const uint8_t *data) {
    uint32_t value = 0;
    memcpy(&value, data, row->bytes < 4 ? row->bytes : 4);
    if (row->part == PART_SIGN || row->part == PART_SIGN_LOW || row->part == PART_SIGN_HIGH) {
        value = row->bytes == 1 ? (uint32_t)(int8_t)value : (uint32_t)(int16_t)value;
    }
    if (row->part == PART_LOW || row->part == PART_SIGN_LOW) {
        value = (*to & 0xffff0000u) | (value & 0xffff);
    }
    if (row->part == PART_HIGH || row->part == PART_SIGN_HIGH) {
        value = (*to & 0xffff) | value << 16;
    }
    *to = value;
}

// A 16-bit atomic is a loop that loads, compares and swaps the aligned word around it, with the other half
// unchanged (LLVM's AtomicExpand). At the odd end of a buffer the other half belongs to no argument: it reads
// as 0.
static bool is_cut(const struct warp *warp, uint64_t address, unsigned space, unsigned bytes) {
    return bytes == 4 && address % 4 == 0 && memory_inside(warp, address, space, 4) == 2;
}

// `more`: bytes behind the lane's address
static void load_lane(struct warp *warp, const struct instr *in, unsigned lane, const struct addresses *from,
                      uint64_t more, const struct memory_row *row, unsigned reg) {
    uint8_t data[16] = {0};
    uint64_t at = from->at[lane] + more;
    const struct gcn *gcn = in->extra;
    unsigned bytes = gcn->guesses && is_cut(warp, at, from->space, row->bytes) ? 2 : row->bytes;
    if (!(from->outside >> lane & 1)) {
        memory_read(warp, in, lane, at, from->space, bytes, in->align, data);
    }
    if (row->bytes < 4) {
        put_loaded(&row_of(warp, reg)[lane], row, data);
        return;
    }
    for (unsigned i = 0; i < row->bytes / 4u; i++) {
        memcpy(&row_of(warp, reg + i)[lane], data + 4 * i, 4);
    }
}

static void store_lane(struct warp *warp, const struct instr *in, unsigned lane, const struct addresses *from,
                       uint64_t more, const struct memory_row *row, unsigned reg) {
    uint32_t data[4] = {0};
    if (from->outside >> lane & 1) {
        return;
    }
    for (unsigned i = 0; i < (row->bytes + 3u) / 4; i++) {
        data[i] = row_of(warp, reg + i)[lane];
    }
    if (row->part == PART_HIGH) {
        data[0] >>= 16;
    }
    memory_write(warp, in, lane, from->at[lane] + more, from->space, row->bytes, in->align, data);
}

// ---- instructions ----

static void count(struct warp *warp, const struct instr *in, const struct addresses *from, uint64_t more) {
    const struct gcn *gcn = in->extra;
    struct addresses moved = *from;
    for (unsigned lane = 0; lane < warp->lanes && more; lane++) {
        moved.at[lane] += more;
    }
    memory_count(warp, in, moved.at, warp->mask & ~from->outside, from->space, gcn->memory->bytes,
                 is_store(gcn->memory));
}

static void issue(struct warp *warp, const struct instr *in, unsigned space) {
    const struct gcn *gcn = in->extra;
    struct wave *wave = wave_of(warp);
    bool lds = gcn->memory->space == SPACE_OF_LDS;
    wave_issue(warp, in, (enum counter)gcn->counter, gcn->loads ? &gcn->operands[0] : NULL, lds);
    if (lds || space == SPACE_LOCAL || gcn->memory->kind == KIND_LOADS) {
        return;
    }
    wave->stored = true;
    wave->unwritten |= gcn->needs_write_back;
}

static void exchange_columns(struct warp *warp, const struct instr *in, unsigned bits, unsigned reg) {
    uint64_t words[MAX_LANES];
    if (warp->mask != mask_of(warp->lanes)) {
        report_at(warp, in, 0, FAULT_OPERATION, NULL, NULL,
                  "lanes exchange columns, and not all of them are active");
    }
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        words[lane] = row_of(warp, reg)[lane] | (uint64_t)row_of(warp, reg + 1)[lane] << 32;
    }
    amd_transpose(words, warp->lanes, bits);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        row_of(warp, reg)[lane] = (uint32_t)words[lane];
        row_of(warp, reg + 1)[lane] = (uint32_t)(words[lane] >> 32);
    }
}

// True if the store may be a release, such as a flag's, or a lane's for each of a few peers: behind the wait for all stores of its wave. On
// chips without scope bits on stores it looks like any other, and all stores go to the cache that the device shares. Stores of more lanes
// are data: what they would pass on is not kept, as it would soon be too much.
static bool looks_like_release(const struct warp *warp, const struct gcn *gcn) {
    enum { PEERS = 8 };
    return gcn->may_release && !wave_of(warp)->stored && __builtin_popcountll(warp->mask) <= PEERS;
}

static void run_access(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const struct memory_row *row = gcn->memory;
    struct addresses addresses;
    find_addresses(warp, in, &addresses);
    bool counting = warp->run->emulator->options.count;
    unsigned reg = gcn->operands[gcn->data_at].reg;
    publish_begin(warp, in);
    if (looks_like_release(warp, gcn)) {
        publish_as_release(warp, in);
    }
    if (counting) {
        count(warp, in, &addresses, 0);
    }
    FOR_LANES(lane, warp->mask) {
        if (row->kind == KIND_LOADS) {
            load_lane(warp, in, lane, &addresses, 0, row, reg);
        } else {
            store_lane(warp, in, lane, &addresses, 0, row, reg);
        }
    }
    if (row->part == PART_COLUMNS_16 || row->part == PART_COLUMNS_8) {
        exchange_columns(warp, in, row->part == PART_COLUMNS_16 ? 16 : 8, reg);
    }
    publish_end(warp, in);
    issue(warp, in, addresses.space);
}

static void run_two(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const struct memory_row *row = gcn->memory;
    struct addresses addresses;
    find_addresses(warp, in, &addresses);
    bool counting = warp->run->emulator->options.count;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t offset = (uint64_t)(i ? gcn->offset1 : gcn->offset0);
        unsigned reg = row->kind == KIND_TWO_LOADS ? gcn->operands[0].reg + i * row->bytes / 4u
                                                   : gcn->operands[1 + i].reg;
        if (counting) {
            count(warp, in, &addresses, offset);
        }
        FOR_LANES(lane, warp->mask) {
            if (row->kind == KIND_TWO_LOADS) {
                load_lane(warp, in, lane, &addresses, offset, row, reg);
            } else {
                store_lane(warp, in, lane, &addresses, offset, row, reg);
            }
        }
    }
    issue(warp, in, addresses.space);
}

// An access to LDS that its wave has not waited for may still be on its way when a copy of the wave arrives there.
static void check_under_way(struct warp *warp, const struct instr *in, uint32_t target, unsigned bytes) {
    uint32_t done = wave_lds_clock(warp);
    for (uint32_t at = target; warp->block->shadow && at < target + bytes && at < warp->run->shared_bytes;
         at++) {
        const struct shadow *shadow = shadow_seen(warp->block, at);
        const struct shadow_access *const seen[] = {&shadow->write, &shadow->read[0], &shadow->read[1]};
        for (unsigned i = 0; i < 3; i++) {
            if (seen[i]->instr && seen[i]->warp == warp->index && seen[i]->clock >= done && !seen[i]->async) {
                report_at(warp, in, seen[i]->lane, FAULT_WAIT, &warp->kernel->code[seen[i]->instr - 1],
                          "accesses",
                          "shared memory at byte %u is copied to while this wave's access there has not been "
                          "waited for",
                          at);
                return;
            }
        }
    }
}

// To LDS: lane by lane from M0 and the offset on. The bytes arrive with the wait that covers the instruction.
static void run_copy(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    struct wave *wave = wave_of(warp);
    struct addresses addresses;
    find_addresses(warp, in, &addresses);
    uint32_t target = wave->s[SCALAR_M0] + (uint32_t)gcn->offset;
    check_under_way(warp, in, target, warp->lanes * gcn->memory->bytes);
    wave_issue(warp, in, COUNTER_LOAD, NULL, false);
    wave->outstanding[wave->outstanding_count - 1].copies = true;
    amd_copy_to_lds(warp, in, addresses.at, addresses.outside, target, gcn->memory->bytes);
}

static void run_scalar_load(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const struct memory_row *row = gcn->memory;
    uint32_t data[16] = {0};
    uint64_t address = scalar_read_wide(warp, &gcn->operands[1]) + (uint64_t)(int64_t)gcn->offset;
    if (gcn->operands[2].kind == OPERAND_SCALAR) {
        address += (uint64_t)scalar_read(warp, &gcn->operands[2]) * gcn->unit;
    }
    memory_read(warp, in, 0, address & ~(uint64_t)(row->bytes < 4 ? 0 : 3), SPACE_GLOBAL, row->bytes, 1,
                data);
    if (row->part == PART_SIGN) {
        data[0] = row->bytes == 1 ? (uint32_t)(int8_t)data[0] : (uint32_t)(int16_t)data[0];
    }
    for (unsigned i = 0; i < (row->bytes + 3u) / 4; i++) {
        scalar_write(
            warp, &(struct gcn_operand){.kind = OPERAND_SCALAR, .reg = (uint16_t)(gcn->operands[0].reg + i)},
            data[i], false);
    }
    issue(warp, in, SPACE_GLOBAL);
}

static void run_atomic(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const struct memory_row *row = gcn->memory;
    struct addresses addresses;
    unsigned words = row->bytes / 4u, from = gcn->operands[gcn->data_at].reg, to = gcn->operands[0].reg;
    find_addresses(warp, in, &addresses);
    publish_begin(warp, in);
    FOR_LANES(lane, warp->mask) {
        uint32_t value[4] = {0}, old[2] = {0};
        for (unsigned i = 0; i < (row->operation == ATOMIC_CAS ? 2 : 1) * words; i++) {
            value[i] = row_of(warp, from + i)[lane];
        }
        const uint32_t *compare = row->operation == ATOMIC_CAS ? value + words : NULL;
        struct shape shape = row->shape;
        if (compare && (value[0] | *compare) >> 16 == 0 &&
            is_cut(warp, addresses.at[lane], addresses.space, row->bytes)) {
            shape.bits = 16;
        }
        memory_atomic(warp, in, lane, addresses.at[lane], addresses.space, row->operation, shape, value,
                      compare, old);
        for (unsigned i = 0; i < words && gcn->loads; i++) {
            row_of(warp, to + i)[lane] = old[i];
        }
    }
    publish_end(warp, in);
    issue(warp, in, addresses.space);
}

// ---- decoding ----

// True if the access is coherent with other programs: its scope bits reach beyond the block.
static bool is_strong(const struct gcn_decoder *decoder, const struct gcn_text *text) {
    if (decoder->generation >= GENERATION_GFX12) {
        const char *scope = text_word(text, "scope");
        return !strncmp(scope, "SCOPE_DEV", 9) || !strncmp(scope, "SCOPE_SYS", 9);
    }
    return text_flag(text, "sc1") || text_flag(text, "glc");
}

static bool bind_operands(struct gcn_decoder *decoder, const struct gcn_text *text, struct gcn *gcn) {
    for (unsigned i = 0; i < text->operand_count; i++) {
        if (!text_operand(text->operands[i], &gcn->operands[i])) {
            return gcn_refuse(decoder, "operand `%s` is not understood", text->operands[i]);
        }
        gcn->operands[i].bits = (uint64_t)gcn->operands[i].integer;
    }
    gcn->operand_count = text->operand_count;
    return true;
}

// The roles of the operands: loads begin with their result, stores with the address.
static bool place_operands(struct gcn_decoder *decoder, const struct memory_row *row, struct gcn *gcn) {
    bool buffer = row->space == SPACE_OF_BUFFER, lds = row->space == SPACE_OF_LDS;
    unsigned wanted = buffer ? 4 : 3;
    if (row->kind == KIND_TWO_STORES) {
        wanted = 3;
    } else if (lds) {
        wanted = 2;
    }
    wanted -= row->kind == KIND_COPIES;
    if (row->kind == KIND_ATOMICS) {
        gcn->loads = gcn->operand_count == wanted + 1;
        wanted += gcn->loads;
    } else {
        gcn->loads = !is_store(row) && row->kind != KIND_COPIES;
    }
    if (gcn->operand_count != wanted) {
        return gcn_refuse(decoder, "it has %u operands, and %u are known", gcn->operand_count, wanted);
    }
    gcn->address_at = gcn->loads;
    gcn->data_at = (uint8_t)(row->kind == KIND_ATOMICS ? gcn->address_at + 1u : is_store(row));
    if (buffer && row->kind == KIND_STORES) { // data, address, resource, offset
        gcn->data_at = 0;
        gcn->address_at = 1;
    }
    gcn->base_at = (uint8_t)(buffer ? gcn->address_at + 1u : wanted - 1);
    return true;
}

static void bind_order(struct gcn_decoder *decoder, const struct gcn_text *text, const struct memory_row *row,
                       struct instr *in, struct gcn *gcn) {
    bool atomic = row->kind == KIND_ATOMICS, strong = atomic || is_strong(decoder, text);
    in->scope = SCOPE_DEVICE;
    in->ordering = !strong || row->space == SPACE_OF_LDS || row->space == SPACE_OF_SCRATCH
                       ? LLVMAtomicOrderingNotAtomic
                   : row->kind == KIND_LOADS || row->kind == KIND_COPIES ? LLVMAtomicOrderingMonotonic
                                                                         : LLVMAtomicOrderingRelease;
    // The L2 of gfx942 and gfx950 belongs to one of several dies. Elsewhere a store that has been waited for is in the device's L2; LLVM
    // writes gfx12's caches back for the whole system alone.
    gcn->needs_write_back = !atomic && !strong && gcn_is_cdna3(decoder->emulator);
    gcn->may_release = row->kind == KIND_STORES && in->ordering == LLVMAtomicOrderingNotAtomic &&
                       row->space != SPACE_OF_LDS && row->space != SPACE_OF_SCRATCH &&
                       decoder->generation < GENERATION_GFX12 && !gcn_is_cdna3(decoder->emulator);
}

static bool bind_scalar_load(struct gcn_decoder *decoder, struct gcn *gcn) {
    if (gcn->operand_count < 2 || gcn->operand_count > 3) {
        return gcn_refuse(decoder, "it has %u operands, and 3 are known", gcn->operand_count);
    }
    if (gcn->operands[2].kind == OPERAND_NUMBER) {
        gcn->offset = (int32_t)gcn->operands[2].integer;
    }
    gcn->run = run_scalar_load;
    return true;
}

static const struct memory_row *row_of_text(const struct gcn_text *text) {
    bool copies =
        text_flag(text, "lds") || !strncmp(text->name, "global_load_lds_", strlen("global_load_lds_"));
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strcmp(rows[i].name, text->name) && (rows[i].kind == KIND_COPIES) == copies) {
            return &rows[i];
        }
    }
    return NULL;
}

bool bind_memory(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in,
                 struct gcn *gcn) {
    static const uint8_t spaces[] = {SPACE_GLOBAL, SPACE_LOCAL, SPACE_GLOBAL, SPACE_GLOBAL, SPACE_SHARED};
    const struct memory_row *row = row_of_text(text);
    int64_t offset = 0, offset0 = 0, offset1 = 0;
    if (!row) {
        return false;
    }
    bool copy = row->kind == KIND_COPIES, lds = row->space == SPACE_OF_LDS;
    bool store = row->kind != KIND_LOADS && row->kind != KIND_TWO_LOADS && !copy;
    gcn->memory = row;
    in->space = spaces[row->space];
    in->align = 1; // LLVM's AMDGPU usage guide, "unaligned-access-mode": as the HSA run time sets it
    in->kind = row->kind == KIND_ATOMICS        ? KIND_ATOMIC
               : copy                           ? KIND_ASYNC
               : lds                            ? (store ? KIND_SHARED_STORE : KIND_SHARED_LOAD)
               : row->space == SPACE_OF_SCRATCH ? KIND_LOCAL
               : store                          ? KIND_GLOBAL_STORE
                                                : KIND_GLOBAL_LOAD;
    text_value(text, "offset", &offset);
    text_value(text, "offset0", &offset0);
    text_value(text, "offset1", &offset1);
    gcn->offset = (int32_t)offset;
    gcn->offset0 = (int32_t)offset0 * row->unit;
    gcn->offset1 = (int32_t)offset1 * row->unit;
    gcn->by_lane = text_flag(text, "offen");
    gcn->signed_offset = decoder->generation == GENERATION_GFX1250;
    gcn->unit =
        text_flag(text, "scale_offset") ? row->bytes : 1; // gfx1250: the offset in a register counts elements
    if (text_flag(text, "idxen") || (text_flag(text, "lds") && !copy) || text_flag(text, "gds")) {
        return gcn_refuse(
            decoder,
            "indexed buffers, loads to LDS other than of 4 or 16 bytes a lane, and global data share are not "
            "modelled");
    }
    if (!bind_operands(decoder, text, gcn)) {
        return false;
    }
    if (row->space == SPACE_OF_SCALAR) {
        gcn->loads = true;
        gcn->counter = COUNTER_SCALAR;
        return bind_scalar_load(decoder, gcn);
    }
    if (!place_operands(decoder, row, gcn)) {
        return false;
    }
    bind_order(decoder, text, row, in, gcn);
    gcn->counter = lds ? COUNTER_LDS : gcn->loads || copy ? COUNTER_LOAD : COUNTER_STORE;
    gcn->run = copy                                                          ? run_copy
               : row->kind == KIND_ATOMICS                                   ? run_atomic
               : row->kind == KIND_TWO_LOADS || row->kind == KIND_TWO_STORES ? run_two
                                                                             : run_access;
    return true;
}

bool memory_is_compare(const struct instr *in) {
    const struct gcn *gcn = in->extra;
    return gcn->run == run_atomic && gcn->memory->operation == ATOMIC_CAS;
}

void memory_mark_guess(const struct instr *load) {
    ((struct gcn *)load->extra)->guesses = true;
}

static bool same_address(const struct gcn *a, const struct gcn *b) {
    const struct gcn_operand *x = address_operand(a), *y = address_operand(b),
                             *base = &a->operands[a->base_at], *other = &b->operands[b->base_at];
    return x->reg == y->reg && base->kind == other->kind && base->reg == other->reg && a->offset == b->offset;
}

// True if the load writes the compared register, or the register of the loop's next guess, copied from there.
bool memory_loads_compared(const struct instr *compare, const struct instr *load) {
    const struct gcn *a = compare->extra, *b = load->extra;
    if (b->run != run_access || b->memory->kind != KIND_LOADS || a->memory->bytes != b->memory->bytes ||
        b->memory->space != SPACE_OF_GLOBAL) {
        return false;
    }
    unsigned reg = b->operands[0].reg;
    return reg == a->operands[a->data_at].reg + a->memory->bytes / 4u ||
           (a->loads && reg == a->operands[0].reg && same_address(a, b));
}
