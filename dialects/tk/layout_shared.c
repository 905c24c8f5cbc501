// Layouts: shared memory. Offset maps, bank conflicts, the named swizzles, and division by instruction tiles.
//
// layout_swizzle.c has the swizzle constructed for a pair of layouts.
#include "dialects/tk/layout.h"

#include <stddef.h>
#include <string.h>

#include "support/diag.h"

static unsigned exact_log2(unsigned value) {
    if (value == 0 || (value & (value - 1)) != 0) {
        bug("layout: %u is not a power of two", value);
    }
    return (unsigned)__builtin_ctz(value);
}

struct layout_banks layout_banks_nvidia(void) {
    return (struct layout_banks){.lanes = 32, .banks = 32, .bank_bytes = 4, .group = {32, 32, 32, 16, 8}};
}

struct layout_banks layout_banks_amd(unsigned wave_size) {
    return (struct layout_banks){
        .lanes = wave_size, .banks = 32, .bank_bytes = 4, .group = {32, 32, 32, 16, 8}};
}

struct layout layout_offset_map(const struct layout *shared, const struct layout *distributed) {
    struct layout_inverse inverse;
    if (!layout_same_shape(shared, distributed)) {
        bug("layout: shared and distributed tiles differ in shape");
    }
    if (shared->bits[LAYOUT_OFFSET] != layout_size_log2(shared) || !layout_invert(shared, &inverse)) {
        bug("layout: a shared layout must be a bijection of offsets and elements");
    }
    int64_t size = (int64_t)1 << layout_size_log2(shared);
    struct layout map = layout_empty(1, &size);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < distributed->bits[input]; i++) {
            layout_push(&map, input, layout_locate(&inverse, distributed->basis[input][i]).at[LAYOUT_OFFSET]);
        }
    }
    return map;
}

// ---- bank conflicts ----

// Wavefronts beyond the ideal of one group of lanes, each touching `bytes` from its byte address.
static unsigned group_conflicts(const uint32_t address[], unsigned lanes, unsigned bytes,
                                const struct layout_banks *banks) {
    enum { MAX_WORDS = 64 * 16 };
    uint32_t words[MAX_WORDS];
    unsigned count = 0, most = 0;
    for (unsigned l = 0; l < lanes; l++) {
        for (unsigned b = 0; b < bytes; b += banks->bank_bytes < bytes ? banks->bank_bytes : bytes) {
            uint32_t word = (address[l] + b) / banks->bank_bytes;
            bool known = false;
            for (unsigned i = 0; i < count && !known; i++) {
                known = words[i] == word;
            }
            if (!known && count < MAX_WORDS) {
                words[count++] = word;
            }
        }
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned same = 0;
        for (unsigned j = 0; j < count; j++) {
            same += words[j] % banks->banks == words[i] % banks->banks;
        }
        most = same > most ? same : most;
    }
    return most - (count + banks->banks - 1) / banks->banks;
}

unsigned layout_bank_conflicts(const struct layout *shared, const struct layout *distributed,
                               unsigned element_bytes, unsigned vector_elements,
                               const struct layout_banks *banks) {
    struct layout distinct = layout_remove_replicas(distributed);
    struct layout map = layout_offset_map(shared, &distinct);
    uint8_t vector_bit[LAYOUT_MAX_BITS];
    unsigned widest = element_bytes >= 16 ? 0 : exact_log2(16 / element_bytes);
    unsigned wanted = exact_log2(vector_elements);
    unsigned vector = layout_offset_vector_bits(&map, wanted < widest ? wanted : widest, vector_bit);
    unsigned bytes = element_bytes << vector;
    unsigned lanes = 1u << map.bits[LAYOUT_LANE];
    unsigned group = banks->group[exact_log2(bytes > 16 ? 16 : bytes)];
    group = group > lanes ? lanes : group > 64 ? 64 : group;
    uint32_t address[64];
    for (unsigned l = 0; l < group; l++) {
        address[l] = layout_at(&map, 0, l, 0) * element_bytes;
    }
    // Another register or group flips the same bits in all addresses; this only permutes the banks.
    return (layout_registers(&map) >> vector) * (lanes / group) *
           group_conflicts(address, group, bytes, banks);
}

// ---- named swizzles ----

static unsigned order_at(const unsigned order[], unsigned rank, unsigned i) {
    return order != NULL ? order[i] : rank - 1 - i;
}

struct layout layout_swizzled(unsigned rank, const int64_t shape[], const unsigned order[], unsigned vector,
                              unsigned per_phase, unsigned max_phase) {
    struct layout layout = layout_shared_order(rank, shape, order);
    if (rank < 2) {
        return layout;
    }
    unsigned column_bits = layout.log2_shape[order_at(order, rank, 0)];
    unsigned row_bits = layout.log2_shape[order_at(order, rank, 1)];
    unsigned first = exact_log2(vector), skipped = exact_log2(per_phase), phase_bits = exact_log2(max_phase);
    uint32_t *basis = layout.basis[LAYOUT_OFFSET];
    for (unsigned i = 0; i < phase_bits; i++) {
        if (first + i < column_bits && skipped + i < row_bits) {
            basis[column_bits + skipped + i] ^= basis[first + i];
        }
    }
    return layout;
}

struct layout layout_mma_shared(unsigned rank, const int64_t shape[], const unsigned order[],
                                unsigned element_bytes) {
    if (rank < 2) {
        return layout_shared_order(rank, shape, order);
    }
    unsigned row_bytes = (unsigned)shape[order_at(order, rank, 0)] * element_bytes;
    unsigned per_phase = row_bytes >= 128 ? 1 : 128 / row_bytes;
    unsigned max_phase = per_phase >= 8 ? 1 : 8 / per_phase;
    unsigned vector = element_bytes >= 16 ? 1 : 16 / element_bytes;
    return layout_swizzled(rank, shape, order, vector, per_phase, max_phase);
}

struct layout layout_tma_shared(unsigned rank, const int64_t shape[], const unsigned order[],
                                unsigned element_bytes, unsigned swizzle_bytes) {
    struct layout plain = layout_shared_order(rank, shape, order);
    struct layout layout = layout_empty(rank, shape);
    unsigned element = exact_log2(element_bytes), size = layout_size_log2(&plain);
    unsigned column_bits = rank == 0 ? 0 : plain.log2_shape[order_at(order, rank, 0)];
    unsigned low = exact_log2(swizzle_bytes == 0 ? 16 : swizzle_bytes) - element;
    low = low > column_bits ? column_bits : low;
    const uint32_t *basis = plain.basis[LAYOUT_OFFSET];
    for (unsigned i = 0; i < low; i++) {
        layout_push(&layout, LAYOUT_OFFSET, basis[i]);
    }
    for (unsigned i = column_bits; i < size; i++) {
        layout_push(&layout, LAYOUT_OFFSET, basis[i]);
    }
    for (unsigned i = low; i < column_bits; i++) {
        layout_push(&layout, LAYOUT_OFFSET, basis[i]);
    }
    // In byte addresses: 16-byte chunk number ^= number of the 128-byte line, in as many bits as the mode has
    // chunks.
    unsigned phase_bits = swizzle_bytes < 32 ? 0 : exact_log2(swizzle_bytes / 16);
    for (unsigned i = 0; i < phase_bits && 7 + i - element < size; i++) {
        layout.basis[LAYOUT_OFFSET][7 + i - element] ^= layout.basis[LAYOUT_OFFSET][4 + i - element];
    }
    return layout;
}

// ---- instruction tiles ----

bool layout_divide_left(const struct layout *map, const struct layout *tile, struct layout *quotient) {
    if (map->rank != 1 || tile->rank != 1 || tile->log2_shape[0] > map->log2_shape[0]) {
        return false;
    }
    unsigned shift = tile->log2_shape[0];
    int64_t extent = (int64_t)1 << (map->log2_shape[0] - shift);
    struct layout rest = layout_empty(1, &extent);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        if (tile->bits[input] > map->bits[input]) {
            return false;
        }
        for (unsigned i = 0; i < map->bits[input]; i++) {
            uint32_t basis = map->basis[input][i];
            if (i < tile->bits[input]) {
                if (basis != tile->basis[input][i]) {
                    return false;
                }
            } else {
                if ((basis & ((1u << shift) - 1)) != 0) {
                    return false;
                }
                layout_push(&rest, input, basis >> shift);
            }
        }
    }
    *quotient = rest;
    return true;
}

// True if every basis but those of the registers in `skip_registers` and the lanes in `skip_lanes` is a
// multiple of 16 bytes.
static bool rows_aligned(const struct layout *map, unsigned row_bits, uint32_t skip_registers,
                         uint32_t skip_lanes) {
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        uint32_t skip = input == LAYOUT_REGISTER ? skip_registers : input == LAYOUT_LANE ? skip_lanes : 0;
        for (unsigned i = 0; i < map->bits[input]; i++) {
            if ((skip >> i & 1) == 0 && (map->basis[input][i] & ((1u << row_bits) - 1)) != 0) {
                return false;
            }
        }
    }
    return true;
}

static int register_with_basis(const struct layout *map, uint32_t basis) {
    for (unsigned i = 0; i < map->bits[LAYOUT_REGISTER]; i++) {
        if (map->basis[LAYOUT_REGISTER][i] == basis) {
            return (int)i;
        }
    }
    return -1;
}

// The bits inside one matrix: a row of 16 bytes is 2^row_bits elements. *word_registers gets the registers of
// a 32-bit word.
static bool match_matrix(const struct layout *map, unsigned row_bits, struct layout_ldmatrix_plan *plan,
                         uint32_t *word_registers) {
    const uint32_t *lane = map->basis[LAYOUT_LANE];
    *word_registers = 0;
    if (plan->transposed) {
        // A word is two rows of one column; lanes 0-1 go down the rows, lanes 2-4 along the row.
        if (map->bits[LAYOUT_REGISTER] == 0 || lane[2] != 1 || lane[3] != 2 || lane[4] != 4) {
            return false;
        }
        plan->word_bits = 1;
        plan->word_bit[0] = 0;
        *word_registers = 1;
        plan->address_lane[0] = map->basis[LAYOUT_REGISTER][0];
        plan->address_lane[1] = lane[0];
        plan->address_lane[2] = lane[1];
        return rows_aligned(map, row_bits, 0, 7u << 2);
    }
    plan->word_bits = (uint8_t)(row_bits - 2);
    for (unsigned i = 0; i < plan->word_bits; i++) {
        int found = register_with_basis(map, 1u << i);
        if (found < 0) {
            return false;
        }
        plan->word_bit[i] = (uint8_t)found;
        *word_registers |= 1u << found;
    }
    if (lane[0] != 1u << plan->word_bits || lane[1] != 2u << plan->word_bits) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        plan->address_lane[i] = lane[2 + i];
    }
    return rows_aligned(map, row_bits, *word_registers, 3);
}

bool layout_ldmatrix(const struct layout *offset_map, unsigned element_bytes, bool transposed,
                     struct layout_ldmatrix_plan *plan) {
    bool size_fits = transposed ? element_bytes == 2 : element_bytes <= 4;
    if (!size_fits || offset_map->rank != 1 || offset_map->bits[LAYOUT_LANE] != 5) {
        return false;
    }
    struct layout_ldmatrix_plan found;
    memset(&found, 0, sizeof found);
    found.transposed = transposed;
    uint32_t word_registers;
    if (!match_matrix(offset_map, 4 - exact_log2(element_bytes), &found, &word_registers)) {
        return false;
    }
    for (unsigned i = 0; i < offset_map->bits[LAYOUT_REGISTER]; i++) {
        if ((word_registers >> i & 1) != 0) {
            continue;
        }
        if (found.matrix_bits < 2) {
            found.address_lane[3 + found.matrix_bits] = offset_map->basis[LAYOUT_REGISTER][i];
            found.matrix_bit[found.matrix_bits++] = (uint8_t)i;
        } else {
            found.rest_bit[found.rest_bits++] = (uint8_t)i;
        }
    }
    *plan = found;
    return true;
}

bool layout_transposed_addresses(const struct layout *fragment, unsigned element_bytes,
                                 struct layout *addresses) {
    enum { BYTES = 8, GROUP_BITS = 4, LANE_BITS = 6 };
    if ((element_bytes != 1 && element_bytes != 2) || fragment->bits[LAYOUT_LANE] != LANE_BITS) {
        return false;
    }
    unsigned bits = exact_log2(BYTES / element_bytes); // of the elements of 8 bytes
    if (fragment->bits[LAYOUT_REGISTER] < bits) {
        return false;
    }
    const uint32_t *lane = fragment->basis[LAYOUT_LANE], *reg = fragment->basis[LAYOUT_REGISTER];
    *addresses = *fragment;
    for (unsigned i = 0; i < bits; i++) {
        addresses->basis[LAYOUT_REGISTER][i] = lane[i];
        addresses->basis[LAYOUT_LANE][GROUP_BITS - bits + i] = reg[i];
    }
    for (unsigned i = bits; i < GROUP_BITS; i++) {
        addresses->basis[LAYOUT_LANE][i - bits] = lane[i];
    }
    return true;
}
