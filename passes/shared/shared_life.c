// Reads the places and lives of shared_alloc: a use inside a loop keeps a buffer that was allocated outside
// of it until the loop's end.
#include "passes/shared/shared_life.h"

#include "chip/scratch.h"
#include "dialects/tk/tk.h"
#include "passes/shared/shared_ranges.h"

struct walk {
    struct ir *ir;
    MlirOperation *ops;
    size_t count;
    struct map positions; // op → its number + 1
};

static size_t position(const struct walk *walk, MlirOperation op) {
    uintptr_t known = (uintptr_t)map_get(&walk->positions, op.ptr);
    return known ? known - 1 : 0;
}

static bool contains(MlirOperation outer, MlirOperation op) {
    while (!mlirOperationIsNull(op) && op.ptr != outer.ptr) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

static size_t life_end(const struct walk *walk, MlirOperation use, MlirOperation alloc) {
    MlirOperation outer = use;
    for (MlirOperation up = mlirOperationGetParentOperation(use);
         !mlirOperationIsNull(up) && !contains(up, alloc); up = mlirOperationGetParentOperation(up)) {
        outer = up;
    }
    size_t last = position(walk, outer);
    while (last + 1 < walk->count && contains(outer, walk->ops[last + 1])) {
        last++;
    }
    return last;
}

static struct shared_life buffer_life(const struct walk *walk, size_t at) {
    MlirOperation alloc = walk->ops[at];
    struct shared_life life = {
        alloc, true, (unsigned)op_int(alloc, ATTR_OFFSET), shared_buffer_bytes(walk->ir, alloc), at, at};
    for (size_t j = at + 1; j < walk->count; j++) {
        for (intptr_t k = 0; k < mlirOperationGetNumOperands(walk->ops[j]); k++) {
            if (shared_buffer(walk->ir, mlirOperationGetOperand(walk->ops[j], k)).ptr == alloc.ptr) {
                size_t end = life_end(walk, walk->ops[j], alloc);
                life.last = end > life.last ? end : life.last;
            }
        }
    }
    return life;
}

struct shared_life *shared_lives(struct ir *ir, struct arena *arena, const struct target *target,
                                 MlirOperation *ops, size_t op_count, size_t *count) {
    struct walk walk = {.ir = ir, .ops = ops, .count = op_count};
    struct shared_life *lives = ARENA_ARRAY(arena, struct shared_life, 2 * op_count + 1);
    *count = 0;
    for (size_t i = 0; i < op_count; i++) {
        map_put(&walk.positions, ops[i].ptr, (void *)(uintptr_t)(i + 1));
    }
    for (size_t i = 0; i < op_count; i++) {
        if (op_kind(ir, ops[i]) == OP_SMEM_ALLOC) {
            lives[(*count)++] = buffer_life(&walk, i);
        }
        if (op_has(ops[i], ATTR_SCRATCH)) {
            unsigned bytes = scratch_bytes(ir, target, op_num_warps(ops[i]), ops[i]);
            lives[(*count)++] =
                (struct shared_life){ops[i], false, (unsigned)op_int(ops[i], ATTR_SCRATCH), bytes, i, i};
        }
    }
    map_free(&walk.positions);
    return lives;
}
