// Whether a chain of dots (attention) fits into tensor memory: all dots of its function, or none.
#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/layout/layouts.h"

static bool is_inside(MlirBlock block, MlirBlock around) {
    while (!mlirBlockIsNull(block) && !mlirBlockEqual(block, around)) {
        MlirOperation parent = mlirBlockGetParentOperation(block);
        block = mlirOperationIsNull(parent) ? (MlirBlock){NULL} : mlirOperationGetBlock(parent);
    }
    return !mlirBlockIsNull(block);
}

// The columns of all dots of a block, with those of left operands.
static unsigned columns_of_block(struct layouts *l, MlirBlock block) {
    unsigned columns = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(l->ir, op) == OP_DOT) {
            MlirType a = mlirValueGetType(dot_a(op));
            columns += layouts_tensor_columns(mlirValueGetType(mlirOperationGetResult(op, 0)));
            columns += layouts_is_computed_left(l, op) ? layouts_tensor_columns(a) / 2 : 0;
        }
    }
    return columns;
}

// Tiles of loops that follow each other share columns (tensor_memory), but not tiles of a loop and of one inside of it.
static unsigned columns_of_chain(struct layouts *l) {
    unsigned most = 0, sum = 0;
    bool nested = false;
    for (size_t i = 0; i < l->op_count; i++) {
        MlirBlock block = mlirOperationGetBlock(l->ops[i]);
        if (op_kind(l->ir, l->ops[i]) != OP_DOT) {
            continue;
        }
        bool first = true;
        for (size_t j = 0; j < i; j++) {
            MlirBlock other = mlirOperationGetBlock(l->ops[j]);
            if (op_kind(l->ir, l->ops[j]) == OP_DOT) {
                bool same = mlirBlockEqual(block, other);
                first &= !same;
                nested |= !same && (is_inside(block, other) || is_inside(other, block));
            }
        }
        unsigned columns = first ? columns_of_block(l, block) : 0;
        most = columns > most ? columns : most;
        sum += columns;
    }
    return nested ? sum : most;
}

bool layouts_chain_fits(struct layouts *l) {
    struct dot_choice choice;
    l->tensor_columns = columns_of_chain(l);
    l->tensor_chain = true;
    for (size_t i = 0; i < l->op_count; i++) {
        if (op_kind(l->ir, l->ops[i]) == OP_DOT && !layouts_choose_warpgroup(l, l->ops[i], true, &choice)) {
            l->unchained = l->context->declined;
            return false;
        }
    }
    return true;
}
