// Layouts through shape operations, forward (operand's layout -> result's) and backward (result's ->
// operand's).
//
// Every operation rearranges, deletes or inserts coordinates, so each is one map applied to all bases
// (map_bases); only operations with new elements (join, broadcast forward, reduce backward) push new bits.
#include "dialects/tk/layout.h"

#include <stddef.h>
#include <string.h>

#include "support/diag.h"

static void extents(const struct layout *layout, int64_t shape[LAYOUT_MAX_RANK]) {
    for (unsigned d = 0; d < layout->rank; d++) {
        shape[d] = layout_extent(layout, d);
    }
}

// A layout of `shape` with the inputs of `from`; coordinate d of each basis is the old coordinate source[d],
// cut to the new extent, or 0 if source[d] is negative.
static struct layout map_bases(const struct layout *from, unsigned rank, const int64_t shape[],
                               const int source[]) {
    struct layout result = layout_empty(rank, shape);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < from->bits[input]; i++) {
            uint32_t old[LAYOUT_MAX_RANK], new[LAYOUT_MAX_RANK] = {0};
            layout_split_coordinates(from, from->basis[input][i], old);
            for (unsigned d = 0; d < rank; d++) {
                if (source[d] >= 0) {
                    new[d] = old[source[d]] & (uint32_t)(shape[d] - 1);
                }
            }
            layout_push(&result, input, layout_join_coordinates(&result, new));
        }
    }
    return result;
}

static void check_axis(unsigned axis, unsigned limit) {
    if (axis >= limit) {
        bug("layout: axis %u is not below %u", axis, limit);
    }
}

struct layout layout_trans(const struct layout *operand, const unsigned order[]) {
    int64_t shape[LAYOUT_MAX_RANK];
    int source[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < operand->rank; d++) {
        check_axis(order[d], operand->rank);
        shape[d] = layout_extent(operand, order[d]);
        source[d] = (int)order[d];
    }
    return map_bases(operand, operand->rank, shape, source);
}

struct layout layout_trans_operand(const struct layout *result, const unsigned order[]) {
    unsigned inverse[LAYOUT_MAX_RANK] = {0};
    for (unsigned d = 0; d < result->rank; d++) {
        check_axis(order[d], result->rank);
        inverse[order[d]] = d;
    }
    return layout_trans(result, inverse);
}

struct layout layout_order_dim(const struct layout *layout, unsigned dim, const int32_t order[]) {
    struct layout result = *layout;
    unsigned first = layout_dim_shift(layout, dim), bits = layout->log2_shape[dim];
    uint32_t mask = layout_dim_mask(layout, dim);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < layout->bits[input]; i++) {
            uint32_t old = layout->basis[input][i], new = old & ~mask;
            for (unsigned bit = 0; bit < bits; bit++) {
                new |= (old >> (first + bit) & 1) << (first + (unsigned)order[bit]);
            }
            result.basis[input][i] = new;
        }
    }
    return result;
}

struct layout layout_reshape(const struct layout *layout, unsigned rank, const int64_t shape[]) {
    struct layout result = layout_empty(rank, shape);
    if (layout_size_log2(&result) != layout_size_log2(layout)) {
        bug("layout: reshape of 2^%u elements to 2^%u", layout_size_log2(layout), layout_size_log2(&result));
    }
    memcpy(result.bits, layout->bits, sizeof result.bits);
    memcpy(result.basis, layout->basis, sizeof result.basis);
    return result;
}

struct layout layout_expand_dim(const struct layout *operand, unsigned axis) {
    int64_t shape[LAYOUT_MAX_RANK + 1];
    check_axis(axis, operand->rank + 1u);
    for (unsigned d = 0; d <= operand->rank; d++) {
        shape[d] = d == axis ? 1 : layout_extent(operand, d < axis ? d : d - 1);
    }
    return layout_reshape(operand, operand->rank + 1u, shape);
}

// The shape without dimension `axis`, and the old index of each remaining dimension.
static void without_axis(const struct layout *layout, unsigned axis, int64_t shape[], int source[]) {
    check_axis(axis, layout->rank);
    for (unsigned d = 0, n = 0; d < layout->rank; d++) {
        if (d == axis) {
            continue;
        }
        shape[n] = layout_extent(layout, d);
        source[n++] = (int)d;
    }
}

struct layout layout_expand_dim_operand(const struct layout *result, unsigned axis) {
    check_axis(axis, result->rank);
    if (result->log2_shape[axis] != 0) {
        bug("layout: expanded dimension %u has extent %lld", axis, (long long)layout_extent(result, axis));
    }
    return layout_reduce_dim(result, axis);
}

struct layout layout_reduce_dim(const struct layout *operand, unsigned axis) {
    int64_t shape[LAYOUT_MAX_RANK];
    int source[LAYOUT_MAX_RANK];
    without_axis(operand, axis, shape, source);
    return map_bases(operand, operand->rank - 1u, shape, source);
}

bool layout_partial_reduce(const struct layout *operand, unsigned axis, struct layout *out) {
    check_axis(axis, operand->rank);
    struct layout_point free = layout_free_bits(operand);
    uint32_t mask = layout_dim_mask(operand, axis);
    int64_t shape[LAYOUT_MAX_RANK], extent = 1;
    static const enum layout_input parallel[] = {LAYOUT_LANE, LAYOUT_WARP};
    for (unsigned n = 0; n < 2; n++) {
        for (unsigned i = 0; i < operand->bits[parallel[n]]; i++) {
            uint32_t basis = operand->basis[parallel[n]][i];
            bool is_free = free.at[parallel[n]] >> i & 1;
            if (basis && (is_free || ((basis & mask) && (basis & ~mask)))) {
                return false;
            }
            extent <<= (basis & mask) != 0;
        }
    }
    int source[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < operand->rank; d++) {
        shape[d] = d == axis ? extent : layout_extent(operand, d);
        source[d] = d == axis ? -1 : (int)d;
    }
    struct layout all = map_bases(operand, operand->rank, shape, source);
    struct layout parts = layout_remove_replicas(&all);
    unsigned bit = layout_dim_shift(&parts, axis);
    for (unsigned n = 0; n < 2; n++) {
        for (unsigned i = 0; i < operand->bits[parallel[n]]; i++) {
            if (operand->basis[parallel[n]][i] & mask) {
                parts.basis[parallel[n]][i] = 1u << bit++;
            }
        }
    }
    *out = parts;
    return true;
}

struct layout layout_reduce_dim_operand(const struct layout *result, unsigned axis, int64_t extent) {
    int64_t shape[LAYOUT_MAX_RANK];
    int source[LAYOUT_MAX_RANK];
    check_axis(axis, result->rank + 1u);
    for (unsigned d = 0; d <= result->rank; d++) {
        shape[d] = d == axis ? extent : layout_extent(result, d < axis ? d : d - 1);
        source[d] = d == axis ? -1 : (int)(d < axis ? d : d - 1);
    }
    struct layout operand = map_bases(result, result->rank + 1u, shape, source);
    unsigned bit = layout_dim_shift(&operand, axis);
    unsigned end = bit + operand.log2_shape[axis];
    static const enum layout_input parallel[] = {LAYOUT_LANE, LAYOUT_WARP};
    for (unsigned n = 0; n < 2; n++) {
        for (unsigned i = 0; i < operand.bits[parallel[n]] && bit < end; i++) {
            if (operand.basis[parallel[n]][i] == 0) {
                operand.basis[parallel[n]][i] = 1u << bit++;
            }
        }
    }
    // New low registers: the result's registers move up.
    unsigned added = end - bit;
    uint32_t *registers = operand.basis[LAYOUT_REGISTER];
    if (operand.bits[LAYOUT_REGISTER] + added > LAYOUT_MAX_BITS) {
        bug("layout: more than %d register bits", LAYOUT_MAX_BITS);
    }
    memmove(registers + added, registers, operand.bits[LAYOUT_REGISTER] * sizeof *registers);
    for (unsigned i = 0; i < added; i++) {
        registers[i] = 1u << (bit + i);
    }
    operand.bits[LAYOUT_REGISTER] = (uint8_t)(operand.bits[LAYOUT_REGISTER] + added);
    return operand;
}

struct layout layout_broadcast_operand(const struct layout *result, const int64_t operand_shape[]) {
    int source[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < result->rank; d++) {
        if (operand_shape[d] != 1 && operand_shape[d] != layout_extent(result, d)) {
            bug("layout: broadcast of extent %lld to %lld", (long long)operand_shape[d],
                (long long)layout_extent(result, d));
        }
        source[d] = operand_shape[d] == 1 ? -1 : (int)d;
    }
    return map_bases(result, result->rank, operand_shape, source);
}

struct layout layout_broadcast_result(const struct layout *operand, const int64_t result_shape[]) {
    int64_t shape[LAYOUT_MAX_RANK];
    extents(operand, shape);
    for (unsigned d = 0; d < operand->rank; d++) {
        if (shape[d] != 1 && shape[d] != result_shape[d]) {
            bug("layout: broadcast of extent %lld to %lld", (long long)shape[d], (long long)result_shape[d]);
        }
    }
    return layout_fit(operand, result_shape, NULL);
}

struct layout layout_join(const struct layout *operand) {
    int64_t shape[LAYOUT_MAX_RANK + 1];
    extents(operand, shape);
    shape[operand->rank] = 2;
    struct layout result = layout_empty(operand->rank + 1u, shape);
    layout_push(&result, LAYOUT_REGISTER, 1);
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < operand->bits[input]; i++) {
            layout_push(&result, input, operand->basis[input][i] << 1);
        }
    }
    return result;
}

bool layout_split(const struct layout *operand, struct layout *result, unsigned *register_bit) {
    if (operand->rank == 0 || operand->log2_shape[operand->rank - 1] != 1) {
        bug("layout: split needs a last dimension of 2");
    }
    int found = -1;
    for (unsigned input = 0; input < LAYOUT_INPUTS; input++) {
        for (unsigned i = 0; i < operand->bits[input]; i++) {
            uint32_t basis = operand->basis[input][i];
            if ((basis & 1) == 0) {
                continue;
            }
            if (basis != 1 || input != LAYOUT_REGISTER || found >= 0) {
                return false;
            }
            found = (int)i;
        }
    }
    if (found < 0) {
        return false;
    }
    struct layout reduced = layout_reduce_dim(operand, operand->rank - 1u);
    uint32_t *registers = reduced.basis[LAYOUT_REGISTER];
    unsigned above = reduced.bits[LAYOUT_REGISTER] - (unsigned)found - 1;
    memmove(registers + found, registers + found + 1, above * sizeof *registers);
    registers[--reduced.bits[LAYOUT_REGISTER]] = 0;
    *result = reduced;
    *register_bit = (unsigned)found;
    return true;
}
