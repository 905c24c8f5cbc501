// A probe, a layout with the bits of K as lanes, follows the operand to the loaded tiles of its computation. Lanes without another element
// of a loaded tile lie within its words.
#include "passes/facts/packed_words.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/operand_layout.h"
#include "support/map.h"

enum { LEAST = 2, MOST = 3 }; // log2 of the numbers in a word

// log2 of the numbers in a loaded word; 0: K chooses its elements otherwise.
static unsigned in_word(const struct layout *probe) {
    unsigned low = 0, chosen = 0, bits = probe->bits[LAYOUT_LANE];
    for (unsigned i = 0; i < bits; i++) {
        chosen += probe->basis[LAYOUT_LANE][i] != 0;
        low += chosen == 0;
    }
    return low + chosen == bits && low >= LEAST && low <= MOST ? low : 0;
}

// `seen`: the values looked at, each once: ways through values of several uses double with each of them.
static unsigned find(struct ir *ir, struct arena *arena, MlirBlock block, struct map *seen, MlirValue value,
                     const struct layout *probe, int depth) {
    enum { DEEPEST = 24 };
    MlirOperation op = value_op(value);
    if (!type_is_tensor(mlirValueGetType(value)) || mlirOperationIsNull(op) || depth == DEEPEST ||
        !mlirBlockEqual(mlirOperationGetBlock(op), block) || map_has(seen, value.ptr)) {
        return 0;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    enum op_kind kind = op_kind(ir, op);
    if (kind == OP_LOAD) {
        return mlirTypeIsAInteger(type_element(mlirValueGetType(value))) ? in_word(probe) : 0;
    }
    bool passes = kind == OP_EXPAND_DIMS || kind == OP_BROADCAST || kind == OP_RESHAPE || kind == OP_TRANS ||
                  ((op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE));
    unsigned found = 0;
    for (intptr_t i = 0; passes && i < mlirOperationGetNumOperands(op) && !found; i++) {
        if (type_is_tensor(mlirValueGetType(mlirOperationGetOperand(op, i)))) {
            struct layout operand = operand_layout(ir, arena, op, i, probe);
            found = find(ir, arena, block, seen, mlirOperationGetOperand(op, i), &operand, depth + 1);
        }
    }
    return found;
}

unsigned packed_words(struct ir *ir, struct arena *arena, MlirOperation dot, intptr_t index) {
    MlirValue operand = mlirOperationGetOperand(dot, index);
    MlirType type = mlirValueGetType(operand);
    if (type_rank(type) != 2) {
        return 0;
    }
    unsigned depth = index == 0 ? 1 : 0; // the dimension K
    struct layout probe = layout_empty(2, (int64_t[]){type_extent(type, 0), type_extent(type, 1)});
    for (unsigned bit = 0; bit < log2_of((uint64_t)type_extent(type, (int)depth)); bit++) {
        layout_push(&probe, LAYOUT_LANE, 1u << (layout_dim_shift(&probe, depth) + bit));
    }
    struct map seen = {0};
    unsigned word = find(ir, arena, mlirOperationGetBlock(dot), &seen, operand, &probe, 0);
    map_free(&seen);
    return word;
}
