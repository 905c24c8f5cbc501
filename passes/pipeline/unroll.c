// Unrolls a pipelined loop of two slots by two, so that its slot numbers are constants.
//
//   scf.for %k … step 1 iter_args(%fill = 1, %read = 0) {       scf.for %k … step 2 {
//     … %buffer[%read] … %buffer[%fill] …                          … %buffer[0] … %buffer[1] …     step k
//     yield 1 - %fill, 1 - %read                             →     … %buffer[1] … %buffer[0] …     step k + 1
//   }                                                           }
//
// The addresses of both slots then differ by a constant within an instruction's offset range, and nothing is
// computed to select a slot. The trip count is even (peel leaves an odd iteration to its second loop), so the
// first of the two iterations always has a next one.
//
// A part of pipeline: both iterations share the guard of their loads. test:
// tests/golden/passes/pipeline/two_steps.mlir
#include "passes/pipeline/pipeline.h"

#include "ir/build.h"

void pipeline_unroll(struct pipeline *p, MlirValue fill, MlirValue read, MlirValue guard, MlirValue further) {
    MlirOperation yield = mlirBlockGetTerminator(p->body);
    intptr_t yielded = mlirOperationGetNumOperands(yield);
    size_t count = 0, capacity;
    MlirOperation *ops = ops_collect(p->ir, p->arena, p->loop, &capacity);
    for (size_t i = 0; i < capacity; i++) { // ops directly in the body
        if (mlirBlockEqual(mlirOperationGetBlock(ops[i]), p->body) && !mlirOperationEqual(ops[i], yield)) {
            ops[count++] = ops[i];
        }
    }
    struct builder begin = builder_before(p->ir, ops[0]), end = builder_before(p->ir, yield);
    begin.location = end.location = mlirOperationGetLocation(p->loop);
    MlirValue zero = const_i32(&begin, 0), one = const_i32(&begin, 1);
    MlirValue yes = const_int(&begin, type_i1(p->ir), 1);
    MlirValue induction = mlirBlockGetArgument(p->body, 0), step = for_step(p->loop);

    struct map map = {0};
    for (intptr_t i = 0; i < yielded; i++) {
        map_value(&map, mlirBlockGetArgument(p->body, i + 1), mlirOperationGetOperand(yield, i));
    }
    map_value(&map, induction, build_binary(&end, OP_ADDI, induction, step));
    map_value(&map, fill, zero);
    map_value(&map, read, one);
    map_value(&map, guard, further); // the trip count is even: both or neither of the next two exist
    map_value(&map, further, further);
    for (size_t i = 0; i < count; i++) {
        bool known =
            mlirOperationGetNumResults(ops[i]) == 1 && map_has(&map, mlirOperationGetResult(ops[i], 0).ptr);
        if (!known) {
            op_repeat(&end, p->arena, &map, ops[i]);
        }
    }
    for (intptr_t i = 0; i < yielded; i++) {
        mlirOperationSetOperand(yield, i, value_under(&map, mlirOperationGetOperand(yield, i)));
    }
    map_free(&map);
    mlirValueReplaceAllUsesOfWith(fill, one);
    mlirValueReplaceAllUsesOfWith(read, zero);
    mlirValueReplaceAllUsesOfWith(guard, yes);
    mlirOperationSetOperand(yield, yielded - 2, one);
    mlirOperationSetOperand(yield, yielded - 1, zero);
    struct builder before = builder_before(p->ir, p->loop);
    before.location = mlirOperationGetLocation(p->loop);
    set_for_step(p->loop, build_binary(&before, OP_ADDI, step, step));
}
