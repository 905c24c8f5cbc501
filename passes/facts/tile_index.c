// The value of an index of a tile's access, in 64 bits.
#include "passes/facts/tile_access.h"

#include "ir/build.h"

MlirValue tile_wide(struct builder *b, MlirValue value) {
    MlirType type = type_i64(b->ir);
    return mlirTypeEqual(mlirValueGetType(value), type)
               ? value
               : VALUE(b, OP_EXTSI, OPERANDS(value), RESULTS(type), NO_ATTRS);
}

MlirValue tile_index_value(struct builder *b, const struct tile_index *index, tile_symbol *symbol,
                           void *user) {
    MlirType type = type_i64(b->ir);
    MlirValue sum = const_int(b, type, index->constant);
    for (int t = 0; t < index->term_count; t++) {
        const struct tile_term *term = &index->terms[t];
        MlirValue product = const_int(b, type, term->factor);
        for (int i = 0; i < term->symbol_count; i++) {
            MlirValue value = symbol(b, &term->symbols[i], user);
            product = build_binary(b, OP_MULI, product, tile_wide(b, value));
        }
        sum = build_binary(b, OP_ADDI, sum, product);
    }
    return sum;
}
