// narrow_loops: loop-carried tiles of pointers become a scalar pointer and 32-bit offsets (AMD).
//
//   scf.for … iter_args(%p = %tile) {                        scf.for … iter_args(%q = %low) {
//     tk.load %p                                    →          tk.load (tk.addptr (tk.splat %q), %offsets)
//     yield tk.addptr %p, tk.splat %by                         yield tk.addptr %q, %by
//   }                                                        }
//
// For loops with peel's run-time test of 32-bit offsets (tk.near) and without loads ahead: pipeline narrows
// its own loops.
//
// requires: layouts, the plan
// provides: scalar pointers for the loads of these loops
// test:     tests/golden/passes/narrow_loops
#include "passes/pass.h"

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/pipeline/narrow.h"

enum { MAX_TILES = 8 };

static void narrow_loop(struct pass_context *context, MlirOperation loop) {
    struct builder b = builder_before(context->ir, loop);
    MlirValue low[MAX_TILES], offsets[MAX_TILES], by[MAX_TILES], next[MAX_TILES];
    intptr_t argument[MAX_TILES], count = 0;
    for (intptr_t a = 0; a < mlirOperationGetNumResults(loop) && count < MAX_TILES; a++) {
        MlirValue tile = for_init(loop, a), step = pointer_advance(&b, loop, a);
        MlirValue first = mlirValueIsNull(step) ? step : narrow_first(&b, tile);
        if (!mlirValueIsNull(first)) {
            low[count] = narrow_below(&b, first);
            offsets[count] = narrow_offsets(&b, tile, low[count]);
            by[count] = step;
            argument[count++] = a + 1;
        }
    }
    if (count == 0) {
        return;
    }
    loop = build_more(context->ir, context->arena, loop, (struct operands){count, low});
    MlirBlock body = op_body(loop, 0);
    struct builder begin = builder_before(context->ir, mlirBlockGetFirstOperation(body)),
                   end = builder_before(context->ir, mlirBlockGetTerminator(body));
    begin.location = end.location = b.location;
    for (intptr_t c = 0; c < count; c++) {
        MlirValue base = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - count + c);
        MlirValue pointers = narrow_pointers(&begin, base, offsets[c]);
        for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
             op = mlirOperationGetNextInBlock(op)) {
            if (op_kind(context->ir, op) == OP_LOAD &&
                value_is(load_pointer(op), mlirBlockGetArgument(body, argument[c]))) {
                set_load_pointer(op, pointers);
            }
        }
        next[c] = VALUE(&end, OP_ADDPTR, OPERANDS(base, by[c]), RESULTS(mlirValueGetType(base)), NO_ATTRS);
    }
    build_yield_more(context->ir, context->arena, body, (struct operands){count, next});
}

void pass_narrow_loops(struct pass_context *context, MlirModule module) {
    size_t count, loop_count = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        bool runs_ahead = op_has(ops[i], ATTR_COPIES) && op_copy_way(ops[i]) != COPIES_HERE;
        if (op_kind(context->ir, ops[i]) == OP_FOR && op_has(ops[i], ATTR_NEAR) && !runs_ahead) {
            ops[loop_count++] = ops[i];
        }
    }
    for (size_t i = 0; i < loop_count; i++) { // narrowing rebuilds the loop
        narrow_loop(context, ops[i]);
    }
}
