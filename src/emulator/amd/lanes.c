// AMD's cross-lane operations. Semantics: AMD Instinct MI300 (CDNA3) and RDNA3/RDNA4 ISA documents, "Data
// Parallel Primitives (DPP)", "DS_PERMUTE_B32", "DS_BPERMUTE_B32", "DS_SWIZZLE_B32", "V_PERMLANE16_B32",
// "V_READLANE_B32", and LLVM's AMDGPU usage guide for the intrinsics' operands.
#include "emulator/amd/amd.h"
#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

void exec_amd_implicit(struct warp *warp, const struct instr *in, void *dst) {
    for (uint32_t i = 0; i < in->total; i++) {
        ((uint64_t *)dst)[i] = warp->run->implicit_address;
    }
}

// Counts the mask's bits below this lane, in the low or high half of the wave, and adds the second operand.
void exec_amd_mbcnt(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *mask = operand(warp, in, 0), *add = operand(warp, in, 1);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint64_t below = ((uint64_t)1 << lane) - 1;
        uint32_t part = (uint32_t)(in->immediate ? below >> 32 : below);
        ((uint32_t *)dst)[lane] = add[lane] + (uint32_t)__builtin_popcount(mask[lane] & part);
    }
}

static void broadcast(struct warp *warp, const struct instr *in, uint8_t *dst, const uint8_t *from,
                      unsigned lane) {
    for (unsigned c = 0; c < in->components; c++) {
        size_t row = (size_t)c * warp->lanes * in->bytes;
        uint8_t element[16];
        memcpy(element, from + row + (size_t)lane * in->bytes, in->bytes);
        FOR_LANES(to, warp->mask) {
            memcpy(dst + row + (size_t)to * in->bytes, element, in->bytes);
        }
    }
}

void exec_amd_read_first(struct warp *warp, const struct instr *in, void *dst) {
    broadcast(warp, in, dst, operand(warp, in, 0), (unsigned)__builtin_ctzll(warp->mask));
}

static unsigned scalar_operand(struct warp *warp, const struct instr *in, unsigned index) {
    const uint32_t *values = operand(warp, in, index);
    unsigned first = (unsigned)__builtin_ctzll(warp->mask);
    FOR_LANES(lane, warp->mask) {
        if (values[lane] != values[first]) {
            report_at(warp, in, lane, FAULT_DIVERGENCE, NULL, NULL,
                      "operand %u must be the same in the whole wave: lane %u has %u, lane %u has %u", index,
                      first, values[first], lane, values[lane]);
            break;
        }
    }
    return values[first];
}

void exec_amd_read_lane(struct warp *warp, const struct instr *in, void *dst) {
    broadcast(warp, in, dst, operand(warp, in, 0), scalar_operand(warp, in, 1) % warp->lanes);
}

// writelane(value, lane, old)
void exec_amd_write_lane(struct warp *warp, const struct instr *in, void *dst) {
    unsigned value = scalar_operand(warp, in, 0), at = scalar_operand(warp, in, 1) % warp->lanes;
    const uint32_t *old = operand(warp, in, 2);
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = lane == at ? value : old[lane];
    }
}

static bool whole_wave(struct warp *warp, const struct instr *in) {
    if (collective_check(warp, in, warp->full)) {
        return true;
    }
    warp->state = WARP_FAULT;
    return false;
}

void exec_amd_bpermute(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *address = operand(warp, in, 0), *value = operand(warp, in, 1);
    uint32_t result[MAX_LANES];
    if (!whole_wave(warp, in)) {
        return;
    }
    FOR_LANES(lane, warp->mask) {
        unsigned from = address[lane] / 4 % warp->lanes;
        result[lane] = warp->mask >> from & 1 ? value[from] : 0;
    }
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = result[lane];
    }
}

void exec_amd_permute(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *address = operand(warp, in, 0), *value = operand(warp, in, 1);
    uint32_t result[MAX_LANES] = {0};
    if (!whole_wave(warp, in)) {
        return;
    }
    FOR_LANES(lane, warp->mask) {
        result[address[lane] / 4 % warp->lanes] = value[lane];
    }
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = result[lane];
    }
}

// The source lane of `lane` under a DPP control; -1: none; -2: the chip does not have this control.
int amd_dpp_source(unsigned control, unsigned lane, unsigned lanes, bool gfx9) {
    unsigned row = lane & ~15u, at = lane & 15;
    int amount = (int)(control & 15);
    if (control <= 0xff) {
        return (int)((lane & ~3u) | (control >> 2 * (lane & 3) & 3));
    }
    switch (control & 0x1f0) {
    case 0x100: // row_shl
        return (int)at + amount < 16 ? (int)lane + amount : -1;
    case 0x110: // row_shr
        return (int)at - amount >= 0 ? (int)lane - amount : -1;
    case 0x120: // row_ror
        return (int)(row | ((at - (unsigned)amount) & 15));
    case 0x150: // gfx90a row_newbcast, gfx10 and later row_share
        return (int)row + amount;
    case 0x160: // row_xmask
        return gfx9 ? -2 : (int)(row | (at ^ (unsigned)amount));
    default:
        break;
    }
    switch (control) {
    case 0x140:
        return (int)(row | (15 - at)); // row_mirror
    case 0x141:
        return (int)((lane & ~7u) | (7 - (lane & 7))); // row_half_mirror
    case 0x130:
        return gfx9 ? (lane + 1 < lanes ? (int)lane + 1 : -1) : -2; // wave_shl:1
    case 0x134:
        return gfx9 ? (int)((lane + 1) % lanes) : -2; // wave_rol:1
    case 0x138:
        return gfx9 ? (int)lane - 1 : -2; // wave_shr:1
    case 0x13c:
        return gfx9 ? (int)((lane + lanes - 1) % lanes) : -2; // wave_ror:1
    case 0x142:
        return gfx9 ? (row ? (int)row - 1 : -1) : -2; // row_bcast:15
    case 0x143:
        return gfx9 ? (lane >= 32 ? 31 : -1) : -2; // row_bcast:31
    default:
        return -2;
    }
}

// update.dpp(old, value, control, row mask, bank mask, bound control); mov.dpp lacks `old` (immediate 0).
void exec_amd_dpp(struct warp *warp, const struct instr *in, void *dst) {
    unsigned shift = in->immediate ? 1 : 0;
    const uint8_t *old = shift ? operand(warp, in, 0) : NULL, *value = operand(warp, in, shift);
    unsigned control = (unsigned)in->operands[shift + 1].constant,
             rows = (unsigned)in->operands[shift + 2].constant;
    unsigned banks = (unsigned)in->operands[shift + 3].constant;
    bool zero = in->operands[shift + 4].constant & 1,
         gfx9 = warp->run->emulator->target->generation == GENERATION_GFX9;
    uint8_t result[MAX_LANES * 16];
    if (!whole_wave(warp, in)) {
        return;
    }
    FOR_LANES(lane, warp->mask) {
        int from = amd_dpp_source(control, lane, warp->lanes, gfx9);
        if (from == -2) {
            report_at(warp, in, lane, FAULT_OPERATION, NULL, NULL, "%s has no DPP control 0x%x",
                      warp->run->emulator->chip, control);
            warp->state = WARP_FAULT;
            return;
        }
        bool enabled = (rows >> lane / 16 & 1) && (banks >> lane / 4 % 4 & 1);
        uint8_t *to = result + (size_t)lane * in->bytes;
        if (enabled && from >= 0 && (warp->mask >> from & 1)) {
            memcpy(to, value + (size_t)from * in->bytes, in->bytes);
        } else if ((enabled && zero) || !old) {
            memset(to, 0, in->bytes);
        } else {
            memcpy(to, old + (size_t)lane * in->bytes, in->bytes);
        }
    }
    FOR_LANES(lane, warp->mask) {
        memcpy((uint8_t *)dst + (size_t)lane * in->bytes, result + (size_t)lane * in->bytes, in->bytes);
    }
}

void exec_amd_swizzle(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *value = operand(warp, in, 0);
    unsigned pattern = (unsigned)in->operands[1].constant & 0xffff;
    uint32_t result[MAX_LANES];
    if (!whole_wave(warp, in)) {
        return;
    }
    if (pattern >= 0xc000) {
        report_at(warp, in, 0, FAULT_OPERATION, NULL, NULL, "ds_swizzle pattern 0x%x is not supported",
                  pattern);
        warp->state = WARP_FAULT;
        return;
    }
    FOR_LANES(lane, warp->mask) {
        unsigned from = pattern & 0x8000
                            ? (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3)
                            : (lane & ~31u) | ((((lane & 31) & (pattern & 31)) | (pattern >> 5 & 31)) ^
                                               (pattern >> 10 & 31));
        result[lane] = warp->mask >> from & 1 ? value[from] : 0;
    }
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = result[lane];
    }
}

// permlane16, permlanex16 (old, value, select low, select high, fi, bound control); permlane64 (value) swaps
// halves.
void exec_amd_permlane(struct warp *warp, const struct instr *in, void *dst) {
    bool halves = in->immediate == 2;
    const uint32_t *value = operand(warp, in, halves ? 0 : 1);
    uint32_t result[MAX_LANES];
    uint64_t select = 0;
    if (!whole_wave(warp, in)) {
        return;
    }
    if (!halves) {
        select = scalar_operand(warp, in, 2) | (uint64_t)scalar_operand(warp, in, 3) << 32;
    }
    FOR_LANES(lane, warp->mask) {
        unsigned row = lane & ~15u, from = lane ^ 32;
        if (!halves) {
            from = (in->immediate == 1 ? row ^ 16 : row) | (unsigned)(select >> 4 * (lane & 15) & 15);
        }
        result[lane] = value[from % warp->lanes];
    }
    FOR_LANES(lane, warp->mask) {
        ((uint32_t *)dst)[lane] = result[lane];
    }
}

void exec_amd_ballot(struct warp *warp, const struct instr *in, void *dst) {
    const uint8_t *predicate = operand(warp, in, 0);
    uint64_t yes = 0;
    FOR_LANES(lane, warp->mask) {
        yes |= (uint64_t)(predicate[lane] & 1) << lane;
    }
    FOR_LANES(lane, warp->mask) {
        memcpy((uint8_t *)dst + (size_t)lane * in->bytes, &yes, in->bytes);
    }
}

// CDNA4 ISA, "DS_READ_B64_TR_B16" and "_B8"; the lanes of a row lie side by side.
void amd_transpose(uint64_t words[], unsigned lanes, unsigned bits) {
    enum { GROUP = 16 };
    unsigned elements = 64 / bits, row = GROUP / elements; // lanes of a row
    uint64_t keep = ((uint64_t)1 << bits) - 1, given[GROUP];
    for (unsigned first = 0; first < lanes; first += GROUP) {
        memcpy(given, words + first, sizeof given);
        for (unsigned lane = 0; lane < GROUP; lane++) {
            words[first + lane] = 0;
            for (unsigned i = 0; i < elements; i++) {
                uint64_t element = given[i * row + lane / elements] >> lane % elements * bits & keep;
                words[first + lane] |= element << i * bits;
            }
        }
    }
}

// ds.read.tr16.b64(address), ds.read.tr8.b64(address): in->immediate bits an element
void exec_read_transposed(struct warp *warp, const struct instr *in, void *dst) {
    uint64_t words[MAX_LANES] = {0}, addresses[MAX_LANES] = {0};
    const struct operand *address = &in->operands[0];
    if (!collective_check(warp, in, warp->full) || warp->full != mask_of(64)) {
        warp->state = WARP_FAULT;
        return;
    }
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        memcpy(&addresses[lane], (const uint8_t *)operand(warp, in, 0) + (size_t)lane * address->shape.bytes,
               address->shape.bytes);
        memory_read(warp, in, lane, addresses[lane], SPACE_SHARED, 8, 8, &words[lane]);
    }
    memory_count(warp, in, addresses, warp->full, SPACE_SHARED, 8, false);
    amd_transpose(words, warp->lanes, (unsigned)in->immediate);
    for (unsigned c = 0; c < in->components; c++) {
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            memcpy((uint8_t *)dst + ((size_t)c * warp->lanes + lane) * in->bytes,
                   (const uint8_t *)&words[lane] + (size_t)c * in->bytes, in->bytes);
        }
    }
}

// CDNA4 ISA, "V_PERMLANE16_SWAP_B32", "V_PERMLANE32_SWAP_B32".
void amd_swap_rows(uint32_t *a, uint32_t *b, unsigned lanes, unsigned bit) {
    for (unsigned lane = 0; lane < lanes; lane++) {
        if (lane & bit) {
            uint32_t kept = a[lane];
            a[lane] = b[lane ^ bit];
            b[lane ^ bit] = kept;
        }
    }
}

// permlane32.swap(a, b, fetch inactive, bound control): both words afterwards
void exec_permlane_swap(struct warp *warp, const struct instr *in, void *dst) {
    uint32_t *a = dst, *b = a + warp->lanes;
    if (!collective_check(warp, in, warp->full)) {
        warp->state = WARP_FAULT;
        return;
    }
    memcpy(a, operand(warp, in, 0), warp->lanes * sizeof *a);
    memcpy(b, operand(warp, in, 1), warp->lanes * sizeof *b);
    amd_swap_rows(a, b, warp->lanes, (unsigned)in->immediate);
}
