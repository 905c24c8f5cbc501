// Programs along an axis of the grid adding to the same elements: a product whose K is cut in parts (split K).
// A block takes all parts of a tile one behind another. The producer brings their operands in turn; consumers go
// on adding, and add their sum to memory once:
//
//   turns with a tile for each block, all its parts    | the tiles left, part by part, to all blocks in turn
//   block b: tile b part 0, 1 …; tile blocks + b …     | tile whole · blocks, part 0; the next tile, part 0 …
//
// No block gets more programs than by dealing them in turn. H200, 8192×8192×8192 in two parts: all blocks end a
// tile at about the same time, and one turn's sums of f32, 17 MB, take as long to add as at 4.5 TB/s.
#include "passes/specialise/specialise.h"

#include "ir/build.h"

// The sources of a value.
struct origin {
    struct specialise *s;
    unsigned axis;
    struct map seen;
    bool differs; // along the axis, or maybe so
};

static bool is_copied(const struct stage_loop *stage, MlirOperation op) {
    for (size_t i = 0; i < stage->load_count; i++) {
        if (mlirOperationEqual(stage->loads[i].access, op)) {
            return true;
        }
    }
    return false;
}

// A block argument: the same in all parts if it is the kernel's, or a sum carried by the loop.
static bool is_alike(const struct specialise *s, MlirValue argument) {
    MlirBlock block = mlirBlockArgumentGetOwner(argument);
    const struct stage_loop *stage = &s->loops[0];
    return mlirBlockEqual(block, s->body) ||
           (mlirBlockEqual(block, op_body(stage->loop, 0)) && value_is(argument, dot_c(stage->dot)));
}

static void follow(struct origin *o, MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        o->differs |= !is_alike(o->s, value);
        return;
    }
    if (o->differs || map_has(&o->seen, value.ptr) || is_copied(&o->s->loops[0], op)) {
        return;
    }
    map_put(&o->seen, value.ptr, (void *)value.ptr);
    bool own = op_kind(o->s->ir, op) == OP_PROGRAM_ID && op_int(op, ATTR_AXIS) == o->axis;
    o->differs |= own || mlirOperationGetNumRegions(op) > 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        follow(o, mlirOperationGetOperand(op, i));
    }
}

static bool differs(struct specialise *s, unsigned axis, MlirValue value) {
    struct origin o = {.s = s, .axis = axis};
    follow(&o, value);
    map_free(&o.seen);
    return o.differs;
}

static bool is_used(struct specialise *s, unsigned axis) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(s->ir, ops[i]) == OP_PROGRAM_ID && op_int(ops[i], ATTR_AXIS) == axis) {
            return true;
        }
    }
    return false;
}

// True if the loop takes as many steps at each place along the axis.
static bool steps_alike(struct specialise *s, unsigned axis, MlirOperation loop) {
    const struct affine *upper = affine_of(&s->affines, for_upper(loop)),
                        *lower = affine_of(&s->affines, for_lower(loop));
    if (!upper || !lower || differs(s, axis, for_step(loop))) {
        return false;
    }
    struct affine length = *upper;
    if (!affine_add(&length, lower, -1)) {
        return false;
    }
    for (int t = 0; t < length.count; t++) {
        for (int n = 0; n < length.terms[t].symbol_count; n++) {
            const struct affine_symbol *symbol = &s->affines.symbols[length.terms[t].symbols[n]];
            if (mlirValueIsNull(symbol->value) || differs(s, axis, symbol->value)) {
                return false;
            }
        }
    }
    return true;
}

// The number, from zero on, of the loop's result added by the store; -1 if it adds something else.
static intptr_t sum_of(struct specialise *s, const struct copy *store, MlirOperation loop) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        if (value_is(store->value, mlirOperationGetResult(loop, i)) &&
            value_is(dot_c(s->loops[0].dot), mlirBlockGetArgument(op_body(loop, 0), i + 1)) &&
            fills_with_zero(s->ir, for_init(loop, i))) {
            return i;
        }
    }
    return -1;
}

// True if the store adds to the same elements at each place along the axis.
static bool stores_alike(struct specialise *s, unsigned axis, MlirOperation store) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(store); i++) {
        MlirValue operand = mlirOperationGetOperand(store, i);
        if (!value_is(operand, writer_value(store)) && differs(s, axis, operand)) {
            return false;
        }
    }
    return true;
}

bool parts_find(struct specialise *s, unsigned *axis) {
    if (s->loop_count != 1 || s->spine.count > 0 || s->dots != 1 || s->store_count != 1 ||
        s->kept_count > 0 || s->slices > 1 || op_kind(s->ir, s->stores[0].access) != OP_ATOMIC_RMW) {
        return false;
    }
    MlirOperation loop = s->loops[0].loop;
    intptr_t sum = sum_of(s, &s->stores[0], loop);
    if (sum < 0 || (s->uneven & (s->uneven - 1))) {
        return false;
    }
    MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(op_body(loop, 0)), sum);
    for (*axis = 0; *axis < 3; ++*axis) {
        if (!(s->uneven & ~(1u << *axis)) && is_used(s, *axis) && steps_alike(s, *axis, loop) &&
            stores_alike(s, *axis, s->stores[0].access) && !differs(s, *axis, next)) {
            return true;
        }
    }
    return false;
}

void parts_join(struct specialise *s, struct stage_loop *stage, const struct tiles *tiles) {
    if (!s->joins) {
        return;
    }
    struct builder b = builder_before(s->ir, stage->loop);
    MlirValue lower = for_lower(stage->loop), upper = for_upper(stage->loop), step = for_step(stage->loop);
    MlirType type = mlirValueGetType(lower);
    MlirValue zero = const_int(&b, type, 0), one = const_int(&b, type, 1);
    MlirValue length = build_binary(&b, OP_SUBI, upper, lower);
    MlirValue last = build_binary(&b, OP_DIVUI, build_binary(&b, OP_SUBI, length, one), step);
    MlirValue steps = build_binary(&b, OP_ADDI, last, one);
    MlirValue some = build_select(&b, build_compare(&b, INT_SLT, lower, upper), steps, zero);
    MlirValue times = tiles->parts;
    if (!mlirTypeEqual(type, mlirValueGetType(times))) {
        times = VALUE(&b, OP_EXTSI, OPERANDS(times), RESULTS(type), NO_ATTRS);
    }
    mlirOperationSetOperand(stage->loop, at_for_lower, zero);
    mlirOperationSetOperand(stage->loop, at_for_upper, build_binary(&b, OP_MULI, some, times));
    mlirOperationSetOperand(stage->loop, at_for_step, one);
}
