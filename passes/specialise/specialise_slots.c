// Slots as a ring: the next and the previous one, their mbarriers, and loops carrying the current slot.
#include "passes/specialise/specialise.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/scratch.h"
#include "ir/build.h"

struct place place_next(const struct specialise *s, struct builder *b, struct place at) {
    MlirValue next = build_binary(b, OP_ADDI, at.slot, const_i32(b, 1));
    MlirValue wraps = build_compare(b, INT_EQ, next, const_i32(b, s->slots));
    MlirValue other = build_binary(b, OP_XORI, at.parity, const_i32(b, 1));
    return (struct place){build_select(b, wraps, const_i32(b, 0), next),
                          build_select(b, wraps, other, at.parity)};
}

struct place place_before(const struct specialise *s, struct builder *b, struct place at) {
    MlirValue wraps = build_compare(b, INT_EQ, at.slot, const_i32(b, 0));
    MlirValue before = build_binary(b, OP_SUBI, at.slot, const_i32(b, 1));
    MlirValue other = build_binary(b, OP_XORI, at.parity, const_i32(b, 1));
    return (struct place){build_select(b, wraps, const_i32(b, s->slots - 1), before),
                          build_select(b, wraps, other, at.parity)};
}

MlirValue slot_barrier(struct builder *b, MlirValue barriers, MlirValue slot) {
    MlirValue offset = build_binary(b, OP_MULI, slot, const_i32(b, MBARRIER_BYTES));
    return build_binary(b, OP_ADDI, barriers, offset);
}

MlirOperation slot_wait(struct builder *b, MlirValue barriers, struct place at) {
    return OP(b, OP_MBARRIER_WAIT, OPERANDS(slot_barrier(b, barriers, at.slot), at.parity), NO_RESULTS,
              NO_ATTRS);
}

void slot_wait_amid(struct builder *b, MlirValue barriers, struct place at, MlirValue tile, int eighths) {
    OP(b, OP_MBARRIER_WAIT, OPERANDS(slot_barrier(b, barriers, at.slot), at.parity, tile), NO_RESULTS,
       ATTRS(attr_i32(b, ATTR_EIGHTHS, eighths)));
}

void slot_free(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition) {
    OP(b, OP_MBARRIER_ARRIVE, OPERANDS(slot_barrier(b, barriers, slot), condition), NO_RESULTS, NO_ATTRS);
}

void slot_free_together(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition) {
    OP(b, OP_MBARRIER_ARRIVE, OPERANDS(slot_barrier(b, barriers, slot), condition), NO_RESULTS,
       ATTRS(attr_unit(b, ATTR_TOGETHER)));
}

void slot_free_behind_fence(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition) {
    OP(b, OP_MBARRIER_ARRIVE, OPERANDS(slot_barrier(b, barriers, slot), condition), NO_RESULTS,
       ATTRS(attr_unit(b, ATTR_TOGETHER), attr_unit(b, ATTR_BEHIND)));
}

void slot_fill_together(struct builder *b, MlirValue barriers, MlirValue slot, MlirValue condition) {
    OP(b, OP_MBARRIER_ARRIVE, OPERANDS(slot_barrier(b, barriers, slot), condition), NO_RESULTS,
       ATTRS(attr_unit(b, ATTR_TOGETHER), attr_unit(b, ATTR_BESIDE)));
}

MlirValue slot_view(struct builder *b, const struct copy *copy, MlirValue slot) {
    return VALUE(b, OP_SMEM_SLOT, OPERANDS(copy->buffer, slot), RESULTS(copy->type), NO_ATTRS);
}

void loop_carry(struct specialise *s, struct stage_loop *stage, MlirValue *inits, intptr_t count) {
    stage->loop = build_more(s->ir, s->arena, stage->loop, (struct operands){count, inits});
}

void loop_yield(struct specialise *s, const struct stage_loop *stage, MlirValue *more, intptr_t count) {
    build_yield_more(s->ir, s->arena, op_body(stage->loop, 0), (struct operands){count, more});
}

// In a loop with a dot aside, whose warps all meet in each step, a shallow second dot is complete long before the exponentials beside it.
// Held ahead of its wait they would leave the matrix units without work: an exponential takes as long as 128 of their multiply-adds.
// (H200, heads of 64: held 439 to 486 TFLOP/s, not held 448 to 500; heads of 128: held 570, not held 538.)
static bool outlasts_exponentials(const struct stage_loop *stage, MlirOperation dot) {
    enum { EXPONENTIAL = 128 };
    return mlirOperationIsNull(stage->aside) || type_extent(mlirValueGetType(dot_a(dot)), 1) >= EXPONENTIAL;
}

void slot_hold(struct specialise *s, const struct stage_loop *stage, MlirValue barriers, struct place at) {
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation dots[3] = {{NULL}, {NULL}, {NULL}};
    size_t count = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op) && count < 3;
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_DOT) {
            dots[count++] = op;
        }
    }
    if (count < 3 || !outlasts_exponentials(stage, dots[1])) {
        return;
    }
    MlirOperation first = value_reader(mlirOperationGetResult(dots[1], 0), body, READER_FIRST);
    if (!mlirOperationIsNull(first) && op_is_before(first, dots[2])) {
        struct builder b = builder_before(s->ir, first);
        b.location = mlirOperationGetLocation(dots[1]);
        slot_wait(&b, barriers, at);
    }
}

MlirOperation value_end(const struct specialise *s, const struct copy *copy) {
    MlirOperation expand = spread_of(s, copy->access);
    if (!is_spread(s, copy->access)) {
        return copy->access;
    }
    MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(mlirOperationGetResult(expand, 0)));
    return op_kind(s->ir, user) == OP_CONVERT_LAYOUT ? user : expand;
}

// Reads the slot in the layout of its target tile's rows or columns, and spreads the elements by an
// expand_dims.
static void read_spread(struct specialise *s, struct builder *at, MlirOperation end, const struct copy *copy,
                        MlirValue place) {
    bool converts = op_kind(s->ir, end) == OP_CONVERT_LAYOUT;
    MlirOperation expand = converts ? value_op(unary_source(end)) : end;
    struct builder b = builder_before(s->ir, end);
    MlirValue wanted = mlirOperationGetResult(end, 0), vector = unary_source(expand);
    MlirOperation widen = value_op(vector);
    int64_t axis = op_int(expand, ATTR_AXIS);
    struct layout layout =
        layout_expand_dim_operand(type_layout(s->ir, mlirValueGetType(wanted)), (unsigned)axis);
    MlirType type = type_with_layout(s->ir, copy->type, &layout);
    MlirValue tile = VALUE(at, OP_SMEM_LOAD, OPERANDS(place), RESULTS(type), NO_ATTRS);
    bool widened = !mlirOperationEqual(widen, copy->access);
    if (widened) {
        tile = VALUE(&b, OP_EXTF, OPERANDS(tile),
                     RESULTS(type_with_layout(s->ir, mlirValueGetType(vector), &layout)), NO_ATTRS);
    }
    MlirValue spread = VALUE(&b, OP_EXPAND_DIMS, OPERANDS(tile), RESULTS(mlirValueGetType(wanted)),
                             ATTRS(attr_i32(&b, ATTR_AXIS, (int32_t)axis)));
    mlirValueReplaceAllUsesOfWith(wanted, spread);
    mlirOperationDestroy(end);
    if (converts) {
        mlirOperationDestroy(expand);
    }
    if (widened) {
        mlirOperationDestroy(widen);
    }
}

// Reads the slot once for each target layout of the tile's conversions, and once for its other users. Dots read
// the slot itself (specialise_read).
static void read_converted(struct specialise *s, struct builder *at, const struct copy *copy,
                           MlirValue place) {
    MlirValue tile = mlirOperationGetResult(copy->access, 0), read = {NULL};
    MlirOpOperand next;
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use); use = next) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        intptr_t number = mlirOpOperandGetOperandNumber(use);
        next = mlirOpOperandGetNextUse(use);
        bool converts = op_kind(s->ir, user) == OP_CONVERT_LAYOUT;
        MlirType wanted = mlirValueGetType(converts ? mlirOperationGetResult(user, 0) : tile);
        if (type_is_shared(s->ir, wanted)) {
            continue;
        }
        if (converts || mlirValueIsNull(read)) {
            MlirValue made = VALUE(at, OP_SMEM_LOAD, OPERANDS(place), RESULTS(wanted), NO_ATTRS);
            read = converts ? read : made;
            if (converts) {
                mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(user, 0), made);
                mlirOperationDestroy(user);
                continue;
            }
        }
        mlirOperationSetOperand(user, number, read);
    }
}

void value_read(struct specialise *s, struct builder *at, const struct copy *copy, MlirValue place) {
    MlirOperation end = value_end(s, copy);
    if (mlirOperationEqual(end, copy->access)) {
        read_converted(s, at, copy, place);
    } else {
        read_spread(s, at, end, copy, place);
    }
}

bool brings_values(const struct copy *copies, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (copies[i].in_threads) {
            return true;
        }
    }
    return false;
}

bool is_among(const MlirOperation *ops, size_t count, MlirOperation op) {
    for (size_t i = 0; i < count; i++) {
        if (!mlirOperationIsNull(op) && mlirOperationEqual(ops[i], op)) {
            return true;
        }
    }
    return false;
}

// True if the tile is the beginning of a dot's sum, and nothing else: perhaps spread by ops with one use.
static bool begins_sum(struct specialise *s, MlirValue tile) {
    while (value_has_one_use(tile)) {
        MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(tile));
        if (op_kind(s->ir, user) == OP_DOT) {
            return value_is(dot_c(user), tile);
        }
        if (!(op_traits(op_kind(s->ir, user)) & PURE) || mlirOperationGetNumResults(user) != 1) {
            return false;
        }
        tile = mlirOperationGetResult(user, 0);
    }
    return false;
}

// True if a dot on computed values runs before the op in its iteration: arithmetic, then a prompt dot.
static bool is_behind_products(struct specialise *s, const struct stage_loop *stage, MlirOperation op) {
    bool computed = false;
    for (MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
         !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at)) {
        enum op_kind kind = op_kind(s->ir, at);
        if (kind == OP_DOT && computed && !is_among(stage->late, stage->late_count, at)) {
            return true;
        }
        MlirType type = mlirOperationGetNumResults(at) == 1 ? mlirValueGetType(mlirOperationGetResult(at, 0))
                                                            : (MlirType){NULL};
        computed |= kind != OP_LOAD && (op_traits(kind) & ELEMENTWISE) && !mlirTypeIsNull(type) &&
                    type_is_tensor(type) && mlirTypeIsAFloat(type_element(type)) &&
                    !begins_sum(s, mlirOperationGetResult(at, 0));
    }
    return false;
}

// Reads values first: a thread's read of shared memory waits for the dots it issued before. `b` may be at a
// load; it moves on to the op after it.
void slots_read(struct specialise *s, const struct stage_loop *stage, struct builder *b, MlirValue slot) {
    MlirValue *places = ARENA_ARRAY(s->arena, MlirValue, stage->load_count + 1);
    for (size_t i = 0; i < stage->load_count; i++) {
        const struct copy *copy = &stage->loads[i];
        places[i] = slot_view(b, copy, slot);
        if (copy->in_threads) {
            MlirOperation end = value_end(s, copy);
            struct builder here = builder_before(s->ir, end);
            value_read(s, is_behind_products(s, stage, end) ? &here : b, copy, places[i]);
        }
    }
    for (size_t i = 0; i < stage->load_count; i++) {
        bool stands_here = mlirOperationEqual(b->before, stage->loads[i].access);
        MlirOperation next = specialise_read(&stage->loads[i], places[i]);
        b->before = stands_here ? next : b->before;
    }
}

bool threads_read(const struct specialise *s, const struct stage_loop *stage) {
    return brings_values(stage->loads, stage->load_count) || s->residual_count > 0;
}

// True if registers of a product's left operand are computed from all of the tile's, in the tile's step. `seen`: tiles looked at.
static bool is_multiplied(struct specialise *s, MlirBlock body, MlirValue tile, struct map *seen) {
    if (map_has(seen, tile.ptr)) {
        return false;
    }
    map_put(seen, tile.ptr, (void *)tile.ptr);
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(s->ir, user);
        if (!mlirBlockEqual(mlirOperationGetBlock(user), body)) {
            continue;
        }
        bool keeps = (op_traits(kind) & (ELEMENTWISE | REARRANGES)) && mlirOperationGetNumResults(user) == 1;
        if (kind == OP_DOT ? value_is(dot_a(user), tile)
                           : keeps && is_multiplied(s, body, mlirOperationGetResult(user, 0), seen)) {
            return true;
        }
    }
    return false;
}

bool products_end_reads(struct specialise *s, const struct stage_loop *stage) {
    const struct target *target = s->context->target;
    MlirBlock body = op_body(stage->loop, 0);
    bool ends =
        target_has(target, FEATURE(WGMMA)) && !s->mma_sync && !stage->in_flight && s->residual_count == 0;
    struct map seen = {0};
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op) && ends;
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(s->ir, op);
        map_clear(&seen);
        ends = kind != OP_SMEM_GATHER && mlirOperationGetNumRegions(op) == 0 &&
               scratch_bytes(s->ir, target, s->num_warps, op) == 0 &&
               (kind != OP_SMEM_LOAD || is_multiplied(s, body, mlirOperationGetResult(op, 0), &seen));
    }
    map_free(&seen);
    return ends;
}

void slot_free_as_read(struct builder *b, const struct specialise *s, const struct stage_loop *stage,
                       MlirValue slot, MlirValue condition) {
    void (*release)(struct builder *, MlirValue, MlirValue, MlirValue) =
        threads_read(s, stage) ? slot_free_together : slot_free;
    release(b, s->empty[AHEAD], slot, condition);
}
