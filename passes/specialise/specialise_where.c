// Where an op stands: in a block, on the spine, around the stage loops.
#include "passes/specialise/specialise.h"

#include "ir/build.h"

bool on_spine(const struct specialise *s, MlirOperation op) {
    return map_has(&s->spine, op.ptr);
}

bool in_block(MlirOperation op, MlirBlock block) {
    return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), block);
}

bool stands_around(const struct specialise *s, MlirOperation op) {
    return in_block(op, s->body) ||
           (!mlirOperationIsNull(op) && on_spine(s, mlirOperationGetParentOperation(op)));
}
