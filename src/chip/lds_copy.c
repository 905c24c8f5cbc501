// Copies from global memory to LDS that bypass registers: layouts of pointers, and of slots.
#include "chip/lds_copy.h"

#include <string.h>

#include "chip/scratch.h"

static unsigned vector_bits(unsigned element_bytes) {
    return log2_of(LDS_COPY_BYTES / element_bytes);
}

// True if the lowest registers are neighbours along one dimension.
static bool has_vectors(const struct layout *pointers, unsigned bits) {
    bool neighbours = pointers->bits[LAYOUT_REGISTER] >= bits;
    for (unsigned i = 0; i < bits && neighbours; i++) {
        neighbours = pointers->basis[LAYOUT_REGISTER][i] == pointers->basis[LAYOUT_REGISTER][0] << i;
    }
    return neighbours;
}

bool lds_copy_slot(const struct target *target, const struct layout *pointers, unsigned element_bytes,
                   struct layout *slot) {
    unsigned size = layout_size_log2(pointers), vector = vector_bits(element_bytes), bits = 0;
    for (int i = 0; i < LAYOUT_INPUTS; i++) {
        bits += pointers->bits[i];
    }
    if (!target_has(target, FEATURE(LDS_COPY)) || bits != size || !has_vectors(pointers, vector) ||
        layout_rank_of_matrix(pointers) != size) {
        return false;
    }
    struct layout made = *pointers;
    static const enum layout_input inputs[] = {LAYOUT_LANE, LAYOUT_WARP};
    for (int i = 0; i < LAYOUT_INPUTS; i++) {
        made.bits[i] = 0;
    }
    memset(made.basis, 0, sizeof made.basis);
    for (unsigned i = 0; i < vector; i++) {
        layout_push(&made, LAYOUT_OFFSET, pointers->basis[LAYOUT_REGISTER][i]);
    }
    for (size_t k = 0; k < 2; k++) {
        for (unsigned i = 0; i < pointers->bits[inputs[k]]; i++) {
            layout_push(&made, LAYOUT_OFFSET, pointers->basis[inputs[k]][i]);
        }
    }
    for (unsigned i = vector; i < pointers->bits[LAYOUT_REGISTER]; i++) {
        layout_push(&made, LAYOUT_OFFSET, pointers->basis[LAYOUT_REGISTER][i]);
    }
    *slot = made;
    return true;
}

// The other way round: threads take the elements of a slot in the order of its offsets.
static struct layout pointers_of(const struct layout *slot, unsigned vector, unsigned lanes, unsigned warps) {
    struct layout pointers = *slot;
    pointers.bits[LAYOUT_OFFSET] = 0;
    memset(pointers.basis, 0, sizeof pointers.basis);
    for (unsigned i = 0; i < slot->bits[LAYOUT_OFFSET]; i++) {
        enum layout_input input = i < vector                   ? LAYOUT_REGISTER
                                  : i < vector + lanes         ? LAYOUT_LANE
                                  : i < vector + lanes + warps ? LAYOUT_WARP
                                                               : LAYOUT_REGISTER;
        layout_push(&pointers, input, slot->basis[LAYOUT_OFFSET][i]);
    }
    return pointers;
}

static unsigned cost_of(const struct target *target, const struct layout *slot, unsigned element_bytes,
                        const struct lds_readers *readers) {
    unsigned cost = 0;
    for (unsigned i = 0; i < readers->count; i++) {
        cost += scratch_read_cost(target, slot, &readers->layouts[i], element_bytes);
    }
    return cost;
}

// Groups of 16 to 64 bytes change places within a row, by the number of the row.
bool lds_copy_pointers(const struct target *target, const struct layout *tile, unsigned fastest,
                       unsigned num_warps, unsigned element_bytes, const struct lds_readers *readers,
                       struct layout *pointers) {
    enum { MOST_PHASES = 16, LONGEST_GROUP = 64, MOST_ROWS = 8 };
    unsigned rank = tile->rank, order[LAYOUT_MAX_RANK] = {fastest}, count = 1, least = ~0u;
    unsigned vector = vector_bits(element_bytes), lanes = log2_of(target->warp_size),
             warps = log2_of(num_warps);
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned d = rank; d-- > 0;) {
        shape[d] = layout_extent(tile, d);
        if (d != fastest) {
            order[count++] = d;
        }
    }
    unsigned row = (unsigned)shape[fastest] * element_bytes;
    if (layout_size_log2(tile) < vector + lanes + warps || row < LDS_COPY_BYTES) {
        return false;
    }
    for (unsigned phases = 1; phases <= MOST_PHASES; phases *= 2) {
        for (unsigned group = LDS_COPY_BYTES; group <= LONGEST_GROUP && group * phases <= row; group *= 2) {
            for (unsigned rows = 1; rows <= (phases > 1 ? MOST_ROWS : 1); rows *= 2) {
                struct layout slot = layout_swizzled(rank, shape, order, group / element_bytes, rows, phases);
                unsigned cost = cost_of(target, &slot, element_bytes, readers);
                if (cost < least) {
                    least = cost;
                    *pointers = pointers_of(&slot, vector, lanes, warps);
                }
            }
        }
    }
    return true;
}
