// Checks if the hardware's tensor copy can move a box: alignment of addresses, strides, first indices and
// ends, and indices within 32 bits.
//
// test: tests/unit/test_tile_access.c
#include "passes/facts/tile_access.h"

#include "ir/build.h"

int64_t tile_aligned_part(int64_t number) {
    int64_t low = number & -number;
    return low == 0 || low > TMA_ALIGNMENT ? TMA_ALIGNMENT : low;
}

MlirValue tile_argument(const struct affines *a, int parameter) {
    return mlirBlockGetArgument(op_body(a->function, 0), parameter);
}

// The divisibility of an argument, or of its quotient by `over` if the function computes it.
static int64_t divisibility_of(struct affines *a, int parameter, int64_t over) {
    MlirValue value = over == 1 ? tile_argument(a, parameter) : (MlirValue){NULL};
    for (int s = 0; s < a->symbol_count && mlirValueIsNull(value); s++) {
        int64_t divisor;
        bool same = affine_parameter(a, s, &divisor) == parameter && divisor == over;
        value = same ? a->symbols[s].value : value;
    }
    return mlirValueIsNull(value) ? 1 : axis_of(&a->axis, value).divisibility[0];
}

int64_t tile_divisibility(struct affines *a, struct tile_size size) {
    int64_t product = tile_aligned_part(size.factor), constant = tile_aligned_part(size.constant);
    for (int i = 0; i < AFFINE_FACTORS && size.parameters[i] >= 0; i++) {
        int64_t known = divisibility_of(a, size.parameters[i], i == 0 ? size.over : 1);
        product = tile_aligned_part(product * tile_aligned_part(known));
    }
    return product < constant ? product : constant;
}

// True if every index below the bound fits in 32 bits: larger ones may be clamped. Launchers refuse arguments beyond
// (tkc_tensor_fill).
static bool is_below_saturation(struct tile_size bound) {
    if (bound.parameters[0] < 0) {
        return bound.constant + bound.factor <= TILE_BEYOND;
    }
    return bound.factor <= bound.over && bound.constant <= 0 && bound.parameters[1] < 0;
}

// True if the innermost first index is a multiple of 16 bytes. At any other address the hardware stops the
// program (seen on an H100 and an H200).
static bool begins_aligned(struct affines *a, const struct tile_access *access) {
    const struct affine *start = &access->dim[0].start;
    bool aligned = true;
    for (int i = 0; i < start->count && aligned; i++) {
        int64_t bytes = tile_aligned_part(start->terms[i].factor) * type_bits(access->element) / 8;
        for (int s = 0; s < start->terms[i].symbol_count; s++) {
            MlirValue value = a->symbols[start->terms[i].symbols[s]].value;
            int64_t known = mlirValueIsNull(value) ? 1 : axis_of(&a->axis, value).divisibility[0];
            bytes *= tile_aligned_part(known);
        }
        aligned = bytes % TMA_ALIGNMENT == 0;
    }
    return aligned;
}

// Declines for want of a hint on the size's argument, if it has a single one; a multiple of `bytes` is known.
static bool decline_size(struct affines *a, const struct tile_access *access, enum reason reason,
                         struct tile_size size, int64_t bytes) {
    bool single = size.parameters[0] >= 0 && size.parameters[1] < 0 && size.over == 1;
    return decline_hint(a->context, access->op, reason, bytes,
                        single ? tile_argument(a, size.parameters[0]) : (MlirValue){NULL}, TMA_ALIGNMENT);
}

bool tile_access_fits_tma(struct affines *affines, const struct tile_access *access) {
    struct pass_context *context = affines->context;
    unsigned bits = type_bits(access->element);
    int64_t bytes = bits / 8;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
        return decline_numbers(context, access->op, REASON_TMA_ELEMENT, bits, 0);
    }
    int64_t base = axis_of(&affines->axis, access->base).divisibility[0];
    if (base % TMA_ALIGNMENT != 0) {
        return decline_hint(context, access->op, REASON_TMA_BASE, base, access->base, TMA_ALIGNMENT);
    }
    for (int i = 0; i < access->offset_count; i++) {
        int64_t known = tile_divisibility(affines, access->offsets[i]) * bytes;
        if (known % TMA_ALIGNMENT != 0) {
            return decline_size(affines, access, REASON_TMA_OFFSET, access->offsets[i], known);
        }
    }
    if (access->dim[0].extent * bytes % TMA_ALIGNMENT != 0) {
        return decline_numbers(context, access->op, REASON_TMA_ROW, access->dim[0].extent * bytes, 0);
    }
    if (!begins_aligned(affines, access)) {
        return decline(context, access->op, REASON_TMA_FIRST);
    }
    for (unsigned n = 0; n < access->rank; n++) {
        const struct tile_dim *dim = &access->dim[n];
        int64_t known = tile_divisibility(affines, dim->stride) * bytes;
        if (n > 0 && known % TMA_ALIGNMENT != 0) {
            return decline_size(affines, access, REASON_TMA_STRIDE, dim->stride, known);
        }
        if (dim->first.wide && !(dim->bounded && is_below_saturation(dim->bound))) {
            return decline(context, access->op, REASON_TMA_INDEX);
        }
    }
    return true;
}

bool tile_store_fits_tma(struct affines *affines, const struct tile_access *access) {
    const struct tile_dim *row = &access->dim[0];
    int64_t bytes = type_bits(access->element) / 8;
    unsigned assumes = 0;
    bool below = false;
    for (unsigned n = 0; n < access->rank; n++) {
        const struct tile_dim *dim = &access->dim[n];
        below |= dim->tests_first && !affine_is_non_negative(affines, &dim->start, &assumes);
    }
    if (!tile_access_fits_tma(affines, access)) {
        return false;
    }
    if (below) {
        return decline(affines->context, access->op, REASON_TMA_BELOW);
    }
    int64_t known = row->bounded ? tile_divisibility(affines, row->bound) * bytes : 0;
    return known % TMA_ALIGNMENT == 0 || decline_size(affines, access, REASON_TMA_BOUND, row->bound, known);
}
