// The last iteration of a loop whose loads go through registers an iteration ahead, behind the loop and without loads.
//
//   scf.for %k = %lower to %upper {                       scf.for %k = %lower to %last {
//     tk.barrier                                            tk.barrier
//     %n = tk.load … of the next one, if it exists          %n = tk.load … of the next one
//     tk.dot of this one's slots                   →        tk.dot of this one's slots
//     tk.smem_store %n                                      tk.smem_store %n
//   }                                                     }
//                                                         scf.if %last < %upper { tk.barrier; tk.dot of the last one's slots }
//
// In the loop the last iteration would compute addresses for nobody: 32 in a thread where a convolution gathers 128x32 halves, and with
// two iterations in all they are a third of the work. H200, tkc's time of Triton's: 1.108 before, 1.018 (two steps), 0.740 and 0.488
// before, 0.706 and 0.472 (36 and 72 steps). Only loops that multiply for each element's address: others compute little for nobody, and ptxas
// may put their loads behind the wait for the products when no test is left in the loop (rows of 2,047 halves, 64x64x32: 1.35 of the
// time). Products of warpgroups are few instructions to have twice; ptxas mixes those of mma with the loads. Sums in tensor memory would be
// read for the branch.
//
// A part of pipeline. test: tests/golden/passes/pipeline/gathered, tests/lang/copies.c
#include "passes/pipeline/pipeline.h"

#include "ir/build.h"

// True if an address of a load takes a product of its own for each element.
static bool multiplies_for_addresses(const struct pipeline *p) {
    for (size_t s = 0; s < p->slice_count; s++) {
        if (op_kind(p->ir, p->slice[s]) != OP_MULI) {
            continue;
        }
        MlirType product = mlirValueGetType(mlirOperationGetResult(p->slice[s], 0));
        for (size_t i = 0; i < p->load_count && type_is_tensor(product); i++) {
            MlirType tile = mlirValueGetType(mlirOperationGetResult(p->loads[i].load, 0));
            if (type_elements(product) == type_elements(tile)) {
                return true;
            }
        }
    }
    return false;
}

bool pipeline_peels_last(const struct pipeline *p) {
    return target_has(p->context->target, FEATURE(WGMMA)) && !p->async && p->proxy && p->distance == 1 &&
           multiplies_for_addresses(p);
}

// The number of the last iteration; the first one's if there is none.
static MlirValue last_iteration(struct pipeline *p, struct builder *b) {
    MlirValue lower = for_lower(p->loop), upper = for_upper(p->loop), step = for_step(p->loop);
    MlirValue one = const_int(b, mlirValueGetType(lower), 1);
    MlirValue before = build_binary(b, OP_SUBI, build_binary(b, OP_SUBI, upper, lower), one);
    MlirValue whole = build_binary(b, OP_MULI, build_binary(b, OP_DIVUI, before, step), step);
    MlirValue runs = build_compare(b, INT_SLT, lower, upper);
    return build_select(b, runs, build_binary(b, OP_ADDI, lower, whole), lower);
}

struct pipeline pipeline_split_last(struct pipeline *p, struct builder *b) {
    struct pipeline last = *p;
    MlirValue end = last_iteration(p, b);
    last.loop = mlirOperationClone(p->loop);
    last.body = op_body(last.loop, 0);
    struct builder after = builder_after(p->ir, p->loop);
    build_insert(&after, last.loop);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(p->loop); r++) {
        MlirValue result = mlirOperationGetResult(p->loop, r);
        mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(last.loop, r));
        set_for_init(last.loop, r, result);
    }
    set_for_lower(last.loop, end);
    set_for_upper(p->loop, end);
    MlirOperation copy = mlirBlockGetFirstOperation(last.body);
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        for (size_t i = 0; i < p->load_count; i++) {
            last.loads[i].load = mlirOperationEqual(p->loads[i].load, op) ? copy : last.loads[i].load;
        }
        copy = mlirOperationGetNextInBlock(copy);
    }
    return last;
}

void pipeline_inline_last(struct pipeline *last) {
    struct builder b = builder_before(last->ir, last->loop);
    intptr_t count = mlirOperationGetNumResults(last->loop);
    MlirType *types = ARENA_ARRAY(last->arena, MlirType, count + 1);
    MlirValue *values = ARENA_ARRAY(last->arena, MlirValue, count + 1);
    MlirBlock runs, skips;
    struct map map = {0};
    map_first_iteration(&map, last->loop);
    for (intptr_t i = 0; i < count; i++) {
        values[i] = for_init(last->loop, i);
        types[i] = mlirValueGetType(values[i]);
    }
    MlirValue exists = build_compare(&b, INT_SLT, for_lower(last->loop), for_upper(last->loop));
    MlirOperation branch = build_if(&b, exists, (struct results){count, types}, &runs, &skips);
    struct builder otherwise = builder_at_end(last->ir, skips, b.location),
                   then = builder_at_end(last->ir, runs, b.location);
    build_yield(&otherwise, (struct operands){count, values});
    MlirOperation yield = mlirBlockGetTerminator(last->body);
    for (MlirOperation op = mlirBlockGetFirstOperation(last->body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        op_repeat(&then, last->arena, &map, op);
    }
    for (intptr_t i = 0; i < count; i++) {
        values[i] = value_under(&map, mlirOperationGetOperand(yield, i));
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(last->loop, i),
                                      mlirOperationGetResult(branch, i));
    }
    build_yield(&then, (struct operands){count, values});
    mlirOperationDestroy(last->loop);
    map_free(&map);
}
