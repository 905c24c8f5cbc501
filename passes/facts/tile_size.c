// Sizes, strides and bounds of tensors: a constant times up to two arguments of the kernel.
#include "passes/facts/tile_access.h"

struct tile_size tile_size_of(const struct affines *a, const struct affine_term *term, int64_t constant) {
    struct tile_size size = {constant, term->factor, {-1, -1}, 1};
    for (int s = 0; s < term->symbol_count; s++) { // the quotient first, then ascending
        int64_t over;
        int parameter = affine_parameter(a, term->symbols[s], &over);
        bool first = s == 0 || over > 1 || (size.over == 1 && parameter < size.parameters[0]);
        size.parameters[s] = first && s > 0 ? size.parameters[0] : parameter;
        size.parameters[0] = first ? parameter : size.parameters[0];
        size.over = over > 1 ? over : size.over;
    }
    return size;
}

bool tile_same_size(struct tile_size a, struct tile_size b) {
    return a.constant == b.constant && a.factor == b.factor && a.parameters[0] == b.parameters[0] &&
           a.parameters[1] == b.parameters[1] && a.over == b.over;
}
