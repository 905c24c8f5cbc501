// A dot of a loop whose result is only added to memory (the gradient of attention's queries, where programs own keys), of a left
// operand that the loop computes. As the loop's sums it is done an iteration late:
//
//   %w = … of this iteration's dots                  %a = convert_layout %w before : → #shared
//   %a = tk.convert_layout %w : → #shared            dots of slots
//   %d = tk.dot %a, kept, 0                     →    %d = tk.dot %a, kept, 0               under way with the late dots
//   tk.atomic_rmw %p of the counter, %d              %w' = … of this iteration's dots
//                                                    tk.atomic_rmw %p of the counter before, %d
//
// So nothing waits for it, and warps meet once they have nothing under way.
//
// test: tests/golden/passes/specialise
#include "passes/specialise.h"

#include "chip/scratch.h"
#include "ir/build.h"

// ---- finding ----

static bool is_here(MlirBlock body, MlirOperation op) {
    return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), body);
}

// Whether the tile is computed by the loop from a dot's result.
static bool comes_of_dot(struct specialise *s, MlirBlock block, MlirValue tile, struct map *seen) {
    MlirOperation op = value_op(tile);
    if (!is_here(block, op) || map_has(seen, op.ptr)) {
        return false;
    }
    map_put(seen, op.ptr, op.ptr);
    bool comes = op_kind(s->ir, op) == OP_DOT;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !comes; i++) {
        comes = comes_of_dot(s, block, mlirOperationGetOperand(op, i), seen);
    }
    return comes;
}

// A left operand in shared memory that the consumers compute and put there by themselves.
bool is_computed(struct specialise *s, MlirBlock block, MlirValue operand) {
    MlirOperation op = value_op(operand);
    while (!mlirOperationIsNull(op) && op_kind(s->ir, op) == OP_SMEM_TRANS) {
        op = value_op(mlirOperationGetOperand(op, 0));
    }
    if (mlirOperationIsNull(op) || op_kind(s->ir, op) != OP_CONVERT_LAYOUT) {
        return false;
    }
    struct map seen = {0};
    bool is = comes_of_dot(s, block, mlirOperationGetOperand(op, 0), &seen);
    map_free(&seen);
    return is;
}

// Whether a value can be had again in another iteration, of its counter alone.
static bool follows_counter(struct specialise *s, MlirBlock body, MlirValue value, struct map *seen) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        return !mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) ||
               mlirBlockArgumentGetArgNumber(value) == 0;
    }
    if (!is_here(body, op) || map_has(seen, op.ptr)) {
        return true;
    }
    map_put(seen, op.ptr, op.ptr);
    if (!(op_traits(op_kind(s->ir, op)) & PURE) || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (!follows_counter(s, body, mlirOperationGetOperand(op, i), seen)) {
            return false;
        }
    }
    return true;
}

// What the left operand goes through between threads and the dot: the conversion to shared memory, and views.
static bool add_operand(struct specialise *s, struct stage_loop *stage, MlirBlock body, MlirOperation dot) {
    MlirOperation ways[4];
    size_t count = 0;
    MlirOperation op = value_op(mlirOperationGetOperand(dot, 0));
    while (is_here(body, op) && op_kind(s->ir, op) == OP_SMEM_TRANS && count < 3) {
        ways[count++] = op;
        op = value_op(mlirOperationGetOperand(op, 0));
    }
    if (!is_here(body, op) || op_kind(s->ir, op) != OP_CONVERT_LAYOUT) {
        return false;
    }
    ways[count++] = op;
    stage->aside_left = mlirOperationGetOperand(op, 0);
    for (size_t i = count; i-- > 0;) {
        if (!value_has_one_use(mlirOperationGetResult(ways[i], 0))) {
            return false;
        }
        stage->aside[stage->aside_count++] = ways[i];
    }
    return is_here(body, value_op(stage->aside_left));
}

static bool is_used_among(const struct stage_loop *stage, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (is_among(stage->aside, stage->aside_count, value_op(mlirOperationGetOperand(op, i)))) {
            return true;
        }
    }
    return false;
}

// Everything that comes of the dot: pure, or an atomic that nobody asks for the old value.
static bool add_readers(struct specialise *s, struct stage_loop *stage, MlirBlock body, MlirOperation dot) {
    struct map seen = {0};
    bool fits = true;
    MlirOperation last = mlirBlockGetTerminator(body);
    for (MlirOperation op = mlirOperationGetNextInBlock(dot); fits && !mlirOperationEqual(op, last);
         op = mlirOperationGetNextInBlock(op)) {
        if (!is_used_among(stage, op)) {
            continue;
        }
        enum op_kind kind = op_kind(s->ir, op);
        bool adds = kind == OP_ATOMIC_RMW && op_memory_order(op) == ORDER_RELAXED &&
                    !value_has_uses(mlirOperationGetResult(op, 0));
        fits = stage->aside_count < SPECIALISE_MAX_ASIDE && mlirOperationGetNumRegions(op) == 0 &&
               (adds || (op_traits(kind) & PURE));
        for (intptr_t i = 0; fits && i < mlirOperationGetNumOperands(op); i++) {
            MlirValue operand = mlirOperationGetOperand(op, i);
            fits = is_among(stage->aside, stage->aside_count, value_op(operand)) ||
                   follows_counter(s, body, operand, &seen);
        }
        if (fits) {
            stage->aside[stage->aside_count++] = op;
        }
    }
    map_free(&seen);
    return fits && !is_used_among(stage, last);
}

// Whether a late dot's operand passes through scratch, which would be what the dot aside reads: that is under way then.
static bool passes_through_scratch(struct specialise *s, const struct stage_loop *stage) {
    for (size_t i = 0; i < stage->late_count; i++) {
        MlirOperation op = value_op(mlirOperationGetOperand(stage->late[i], 0));
        if (scratch_bytes(s->ir, s->context->target, s->num_warps, op) > 0) {
            return true;
        }
    }
    return false;
}

void find_aside(struct specialise *s, struct stage_loop *stage) {
    MlirBlock body = op_body(stage->loop, 0);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) != OP_DOT || passes_through_scratch(s, stage) ||
            !type_is_shared(s->ir, mlirValueGetType(mlirOperationGetOperand(op, 0)))) {
            continue;
        }
        stage->aside_count = 0;
        MlirOperation right = value_op(mlirOperationGetOperand(op, 1)),
                      sum = value_op(mlirOperationGetOperand(op, 2));
        bool fits = !mlirOperationIsNull(right) && !is_here(body, right) && !mlirOperationIsNull(sum) &&
                    op_kind(s->ir, sum) == OP_CONSTANT && add_operand(s, stage, body, op);
        if (fits) {
            stage->aside[stage->aside_count++] = op;
            fits = add_readers(s, stage, body, op);
        }
        if (fits) {
            return;
        }
    }
    stage->aside_count = 0;
}

// ---- rewriting ----

// A buffer that holds the tile, for a dot behind. Dots that are under way go on meanwhile.
static MlirValue held(struct builder *b, MlirValue tile, MlirType shared) {
    MlirValue buffer =
        VALUE(b, "tk.smem_alloc", NO_OPERANDS, RESULTS(shared), ATTRS(attr_i32(b, ATTR_STAGES, 1)));
    OP(b, "tk.smem_store", OPERANDS(buffer, tile), NO_RESULTS,
       ATTRS(attr_unit(b, ATTR_PROXY), attr_unit(b, ATTR_AHEAD)));
    OP(b, "tk.barrier", NO_OPERANDS, NO_RESULTS, ATTRS(attr_unit(b, ATTR_AHEAD)));
    return buffer;
}

void hold_computed(struct specialise *s, const struct stage_loop *stage) {
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation convert = {NULL};
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        MlirValue left = op_kind(s->ir, op) == OP_DOT ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
        if (mlirValueIsNull(left) || !type_is_shared(s->ir, mlirValueGetType(left)) ||
            !is_computed(s, body, left)) {
            continue;
        }
        if (!mlirOperationIsNull(convert)) {
            return; // two might take turns in one place
        }
        convert = value_op(left);
        while (op_kind(s->ir, convert) == OP_SMEM_TRANS) {
            convert = value_op(mlirOperationGetOperand(convert, 0));
        }
    }
    if (!mlirOperationIsNull(convert)) {
        struct builder b = builder_before(s->ir, convert);
        MlirValue shared = mlirOperationGetResult(convert, 0);
        MlirValue buffer = held(&b, mlirOperationGetOperand(convert, 0), mlirValueGetType(shared));
        mlirValueReplaceAllUsesOfWith(shared, buffer);
        mlirOperationDestroy(convert);
    }
}

void aside_store(struct specialise *s, const struct stage_loop *stage, struct builder *b, struct map *map,
                 MlirValue left) {
    MlirValue shared = mlirOperationGetResult(stage->aside[0], 0);
    MlirValue buffer = held(b, left, mlirValueGetType(shared));
    map_put(map, shared.ptr, (void *)buffer.ptr);
    for (size_t i = 1; op_kind(s->ir, stage->aside[i]) != OP_DOT; i++) {
        clone_mapped(s, b, stage->aside[i], map);
    }
}

static size_t dot_of(struct specialise *s, const struct stage_loop *stage) {
    size_t i = 0;
    while (op_kind(s->ir, stage->aside[i]) != OP_DOT) {
        i++;
    }
    return i;
}

void aside_start(struct specialise *s, const struct stage_loop *stage, struct builder *b, struct map *map) {
    MlirOperation dot = stage->aside[dot_of(s, stage)];
    clone_mapped(s, b, dot, map);
    MlirValue made = {map_get(map, mlirOperationGetResult(dot, 0).ptr)};
    op_set_unit(s->ir, value_op(made), ATTR_AHEAD);
}

// What the op reads, of another iteration.
static void follow(struct specialise *s, const struct stage_loop *stage, struct builder *b, struct map *map,
                   MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation maker = value_op(mlirOperationGetOperand(op, i));
        if (is_here(op_body(stage->loop, 0), maker) && !map_has(map, mlirOperationGetOperand(op, i).ptr)) {
            follow(s, stage, b, map, maker);
            clone_mapped(s, b, maker, map);
        }
    }
}

void aside_add(struct specialise *s, const struct stage_loop *stage, struct builder *b, struct map *map,
               MlirValue counter, int pending) {
    size_t at = dot_of(s, stage);
    MlirValue result = mlirOperationGetResult(stage->aside[at], 0);
    MlirValue there = landed(b, (MlirValue){map_get(map, result.ptr)}, pending);
    map_put(map, result.ptr, (void *)there.ptr);
    map_put(map, mlirBlockGetArgument(op_body(stage->loop, 0), 0).ptr, (void *)counter.ptr);
    for (size_t i = at + 1; i < stage->aside_count; i++) {
        follow(s, stage, b, map, stage->aside[i]);
        clone_mapped(s, b, stage->aside[i], map);
    }
}

void aside_destroy(const struct stage_loop *stage) {
    for (size_t i = stage->aside_count; i-- > 0;) {
        mlirOperationDestroy(stage->aside[i]);
    }
}
