// Where a box may lie wholly outside of its tensor: no element of it is below the bound, or none is at an index of zero or more.
//
//   scf.for %k = 0 to %K step 64        %k - %K < 0: a box at %k, with a bound of %K, has an element
//   scf.for %t = 0 to (%K + 63) / 64    %t · 64 - %K < 0
//   scf.if (%m > %rows) {               %rows - %m < 0: a box cut at %m - %rows elements has one
//
// Loops and branches around the box are facts: sums of scalars known to be below zero. A box has an element along a dimension if one of them
// says so, up to a constant.
//
// test: tests/golden/passes/specialise/outside_proved.mlir
#include "passes/facts/tile_access.h"

#include "ir/build.h"

struct proof {
    struct affines *affines;
    struct affine goal; // to be proved below zero
    bool proved;
};

// Sums in addresses do not wrap, by assumption; those in conditions and ends of loops may. A wrapped sum is off by 2^32, so a proof from it
// would have a constant of that order. A fact proves nothing if it is FARTHEST or more from the goal: no box is that far off its bounds.
static void add_fact(struct proof *p, const struct affine *below_zero) {
    enum { FARTHEST = 1 << 24 };
    struct affine more = p->goal;
    if (affine_add(&more, below_zero, -1)) {
        bool constant = more.count == 1 && more.terms[0].symbol_count == 0 && more.terms[0].dim < 0;
        p->proved |=
            more.count == 0 || (constant && more.terms[0].factor <= 0 && more.terms[0].factor > -FARTHEST);
    }
}

// counter < number / over, and the counter is not negative: counter * over <= number - over.
static void add_quotient(struct proof *p, const struct affine *counter, MlirValue number, int64_t over) {
    const struct affine *sum = affine_of(p->affines, number);
    struct affine below_zero = affine_constant(over - 1);
    unsigned assumes = 0;
    if (sum && affine_is_non_negative(p->affines, counter, &assumes) &&
        affine_add(&below_zero, counter, over) && affine_add(&below_zero, sum, -1)) {
        add_fact(p, &below_zero);
    }
}

// The counter is below the end of its loop, and so below both numbers of which that is the smaller one.
static void add_end(struct proof *p, const struct affine *counter, MlirValue end, int depth) {
    enum { DEEPEST = 4 };
    const struct affine *sum = affine_of(p->affines, end);
    struct affine below_zero = *counter;
    if (sum && affine_add(&below_zero, sum, -1)) {
        add_fact(p, &below_zero);
    }
    MlirOperation op = value_op(end);
    struct ir *ir = p->affines->context->ir;
    enum op_kind kind = mlirOperationIsNull(op) || depth == DEEPEST ? OP_UNKNOWN : op_kind(ir, op);
    int64_t over;
    if (kind == OP_MINSI) {
        add_end(p, counter, binary_left(op), depth + 1);
        add_end(p, counter, binary_right(op), depth + 1);
    } else if (kind == OP_DIVSI && value_is_constant_int(ir, binary_right(op), &over) && over > 0) {
        add_quotient(p, counter, binary_left(op), over);
    }
}

// The loop behind that begins where this one ends; null without one.
static MlirOperation next_part(struct ir *ir, MlirOperation loop) {
    MlirOperation next = mlirOperationGetNextInBlock(loop);
    while (!mlirOperationIsNull(next) &&
           !(op_kind(ir, next) == OP_FOR && value_is(for_lower(next), for_upper(loop)))) {
        next = mlirOperationGetNextInBlock(next);
    }
    return next;
}

static void add_loop(struct proof *p, MlirOperation loop) {
    struct ir *ir = p->affines->context->ir;
    const struct affine *counter = affine_of(p->affines, mlirBlockGetArgument(op_body(loop, 0), 0));
    while (counter && !mlirOperationIsNull(loop)) {
        add_end(p, counter, for_upper(loop), 0);
        loop = op_has(loop, ATTR_GOES_ON) ? next_part(ir, loop) : (MlirOperation){NULL};
    }
}

static void add_condition(struct proof *p, MlirValue condition, bool holds, int depth) {
    enum { DEEPEST = 8 };
    MlirOperation op = value_op(condition);
    if (mlirOperationIsNull(op) || depth == DEEPEST) {
        return;
    }
    enum op_kind kind = op_kind(p->affines->context->ir, op);
    struct affine below, negated = affine_constant(-1);
    if (kind == (holds ? OP_ANDI : OP_ORI)) {
        add_condition(p, binary_left(op), holds, depth + 1);
        add_condition(p, binary_right(op), holds, depth + 1);
    } else if (kind == OP_CMPI && affine_below_zero(p->affines, op, &below)) {
        if (holds) {
            add_fact(p, &below);
        } else if (affine_add(&negated, &below, -1)) {
            add_fact(p, &negated);
        }
    }
}

// Whether the loops and branches around the block prove the goal.
static bool is_below_zero(struct affines *affines, const struct affine *goal, MlirBlock block) {
    struct ir *ir = affines->context->ir;
    struct proof p = {.affines = affines, .goal = *goal};
    for (MlirOperation op = mlirBlockGetParentOperation(block); !mlirOperationEqual(op, affines->function);
         op = mlirBlockGetParentOperation(block)) {
        enum op_kind kind = op_kind(ir, op);
        if (kind == OP_FOR) {
            add_loop(&p, op);
        } else if (kind == OP_IF) {
            add_condition(&p, if_condition(op), mlirBlockEqual(block, op_body(op, 0)), 0);
        }
        block = mlirOperationGetBlock(op);
    }
    return p.proved;
}

// The bound as a sum. False: it has a quotient.
static bool bound_of(struct affines *affines, struct tile_size bound, struct affine *out) {
    struct affine product = affine_constant(bound.factor), constant = affine_constant(bound.constant);
    for (int i = 0; i < TILE_FACTORS && bound.parameters[i] >= 0; i++) {
        struct affine before = product;
        const struct affine *factor = affine_of(affines, tile_argument(affines, bound.parameters[i]));
        if (!factor || !affine_multiply(affines, &before, factor, &product)) {
            return false;
        }
    }
    *out = constant;
    return bound.over == 1 && affine_add(out, &product, 1);
}

// Whether the box, and each of its parts of `part` elements, has an element below the bound; of a cut box, any element.
static bool ends_within(struct affines *affines, const struct tile_dim *dim, int64_t part, MlirBlock block) {
    struct affine goal = affine_constant(dim->extent - part), bound;
    if (dim->cut) {
        goal = affine_constant(0);
        return affine_add(&goal, &dim->start, -1) && is_below_zero(affines, &goal, block);
    }
    return !dim->bounded || (bound_of(affines, dim->bound, &bound) && affine_add(&goal, &dim->start, 1) &&
                             affine_add(&goal, &bound, -1) && is_below_zero(affines, &goal, block));
}

enum tile_side tile_outside(struct affines *affines, const struct tile_access *access, unsigned d,
                            int64_t part, MlirBlock block) {
    const struct tile_dim *dim = &access->dim[d];
    if (dim->run > 0) {
        return TILE_ANYWHERE;
    }
    bool within = ends_within(affines, dim, part, block);
    // One below zero stands for an index that does not fit and, along the first dimensions, for those under a false guard (specialise_corner).
    bool replaced = (dim->first.wide && !(dim->bounded && within)) || (d == 0 && access->guard_count > 0);
    bool ahead = !dim->cut && (dim->tests_first || replaced);
    return (enum tile_side)((ahead ? TILE_AHEAD : 0) | (within ? 0 : TILE_BEHIND));
}
