// The first loop computes the same numbers: its masks are true for every element. The number of its steps is exact, because a mask is
// arithmetic of the program: sums of 32 bits may wrap. The built code tests in 64 bits that none does
// (facts/mask_limits.c), and else the first loop takes fewer steps or none.
//
// A loop that begins at a computed step is not split: sources that split the loop themselves begin their second one so.
//
// A part of whole_steps and whole_rows. test: tests/golden/passes/whole_steps, tests/lang/whole_steps.c
#include "passes/pipeline/whole_loop.h"

#include "ir/build.h"

// ---- limits ----

static bool add_limit(struct whole_loop *w, const struct mask_limit *limit) {
    for (int i = 0; i < w->limit_count; i++) {
        const struct mask_limit *known = &w->limits[i];
        if (known->per_iteration == limit->per_iteration && known->greatest == limit->greatest &&
            affine_equal(&known->rest, &limit->rest)) {
            return true;
        }
    }
    if (w->limit_count == WHOLE_LIMITS) {
        return false;
    }
    w->limits[w->limit_count++] = *limit;
    w->start_count += limit->per_iteration < 0;
    return true;
}

static bool add_magnitude(struct whole_loop *w, const struct mask_magnitude *magnitude) {
    for (int i = 0; i < w->magnitude_count; i++) {
        if (mask_magnitude_equal(&w->magnitudes[i], magnitude)) {
            return true;
        }
    }
    if (w->magnitude_count == WHOLE_LIMITS) {
        return false;
    }
    w->magnitudes[w->magnitude_count++] = *magnitude;
    return true;
}

// Adds the sums on both sides of a comparison.
static bool add_sides(struct whole_loop *w, MlirOperation comparison) {
    for (intptr_t i = 0; i < 2; i++) {
        struct mask_magnitude magnitude;
        if (!mask_magnitude_of(&w->affines, w->loop, mlirOperationGetOperand(comparison, i), &magnitude)) {
            return decline(w->context, comparison, REASON_WHOLE_WRAPS);
        }
        if (mask_magnitude_is_tested(&magnitude) && !add_magnitude(w, &magnitude)) {
            return decline(w->context, comparison, REASON_WHOLE_MASK);
        }
    }
    return true;
}

// Adds a condition that is one for all elements, and all steps.
static bool add_guard(struct whole_loop *w, MlirValue guard) {
    for (int i = 0; i < w->guard_count; i++) {
        if (value_is(w->guards[i], guard)) {
            return true;
        }
    }
    MlirOperation op = value_op(guard);
    if (w->guard_count == TILE_GUARDS || mlirOperationIsNull(op) || !op_is_before(op, w->loop)) {
        return false;
    }
    w->guards[w->guard_count++] = guard;
    return true;
}

static bool add_conditions(struct whole_loop *w, MlirOperation user, MlirType type,
                           const struct tile_mask *mask) {
    for (int i = 0; i < mask->count; i++) {
        struct mask_limit limit;
        if (!mask_limit_of(&w->affines, w->loop, &mask->below_zero[i], type, &limit) ||
            (limit.per_iteration < 0 && !w->amid)) {
            return decline(w->context, user, REASON_WHOLE_GROWS);
        }
        if (!add_limit(w, &limit)) {
            return decline(w->context, user, REASON_WHOLE_MASK);
        }
    }
    for (int i = 0; i < mask->comparison_count; i++) {
        if (!add_sides(w, mask->comparisons[i])) {
            return false;
        }
    }
    for (int i = 0; i < mask->guard_count; i++) {
        if (!add_guard(w, mask->guards[i])) {
            return decline(w->context, user, REASON_WHOLE_MASK);
        }
    }
    return true;
}

bool whole_loop_add(struct whole_loop *w, MlirOperation user, MlirType type, const struct tile_mask *mask) {
    int limits = w->limit_count, magnitudes = w->magnitude_count, guards = w->guard_count,
        starts = w->start_count;
    if (add_conditions(w, user, type, mask)) {
        return true;
    }
    w->limit_count = limits;
    w->start_count = starts;
    w->magnitude_count = magnitudes;
    w->guard_count = guards;
    return false;
}

bool whole_loop_holds(struct whole_loop *w, MlirOperation user, MlirType type, const struct tile_mask *mask) {
    int limits = w->limit_count, magnitudes = w->magnitude_count, guards = w->guard_count,
        starts = w->start_count;
    bool known = add_conditions(w, user, type, mask) && w->limit_count == limits &&
                 w->magnitude_count == magnitudes && w->guard_count == guards;
    w->limit_count = limits;
    w->start_count = starts;
    w->magnitude_count = magnitudes;
    w->guard_count = guards;
    return known;
}

bool whole_loop_varies(struct whole_loop *w, const struct tile_mask *mask) {
    for (int i = 0; i < mask->count; i++) {
        for (int t = 0; t < mask->below_zero[i].count; t++) {
            const struct affine_term *term = &mask->below_zero[i].terms[t];
            for (int s = 0; s < term->symbol_count; s++) {
                if (affine_symbol_varies_in(&w->affines, term->symbols[s], w->loop)) {
                    return true;
                }
            }
        }
    }
    return !mask->explained;
}

bool whole_loop_is_window(const struct whole_loop *w) {
    bool ends = false;
    for (int i = 0; i < w->limit_count && !ends; i++) {
        ends = w->limits[i].per_iteration > 0;
    }
    return ends && w->start_count > 0;
}

// ---- the loop ----

bool whole_loop_counts(struct whole_loop *w) {
    int64_t step, lower;
    MlirType type = mlirValueGetType(for_lower(w->loop));
    if (!mlirTypeEqual(type, type_i32(w->ir)) || !value_is_constant_int(w->ir, for_step(w->loop), &step) ||
        step <= 0) {
        return decline(w->context, (MlirOperation){NULL}, REASON_WHOLE_STEP);
    }
    return w->start_count > 0 || value_is_constant_int(w->ir, for_lower(w->loop), &lower) ||
           decline(w->context, (MlirOperation){NULL}, REASON_WHOLE_START);
}

// The number of the first step behind the whole ones, an i64.
static MlirValue build_end(struct whole_loop *w, struct builder *b, const MlirValue bounds[3]) {
    MlirType type = type_i64(w->ir);
    MlirValue length = build_binary(b, OP_SUBI, bounds[1], bounds[0]);
    length = build_binary(b, OP_MAXSI, length, const_int(b, type, 0));
    MlirValue steps = build_binary(b, OP_DIVSI, length, bounds[2]);
    for (int i = 0; i < w->limit_count; i++) {
        if (w->limits[i].per_iteration >= 0) {
            steps = build_binary(b, OP_MINSI, steps, mask_limit_build(&w->affines, b, &w->limits[i]));
        }
    }
    for (int i = 0; i < w->magnitude_count; i++) {
        steps = mask_magnitude_build(&w->affines, b, &w->magnitudes[i], steps);
    }
    for (int i = 0; i < w->guard_count; i++) {
        steps = build_select(b, w->guards[i], steps, const_int(b, type, 0));
    }
    return steps;
}

// The number of the first whole step, `end` at most.
static MlirValue build_first(struct whole_loop *w, struct builder *b, MlirValue end) {
    MlirValue first = const_int(b, type_i64(w->ir), 0);
    for (int i = 0; i < w->limit_count; i++) {
        if (w->limits[i].per_iteration < 0) {
            first = build_binary(b, OP_MAXSI, first, mask_limit_build(&w->affines, b, &w->limits[i]));
        }
    }
    return build_binary(b, OP_MINSI, first, end);
}

// The counter in the step of this number.
static MlirValue build_counter(struct whole_loop *w, struct builder *b, const MlirValue bounds[3],
                               MlirValue step) {
    MlirValue at = build_binary(b, OP_ADDI, bounds[0], build_binary(b, OP_MULI, step, bounds[2]));
    return VALUE(b, OP_TRUNCI, OPERANDS(at), RESULTS(type_i32(w->ir)), NO_ATTRS);
}

struct whole_range whole_loop_range(struct whole_loop *w) {
    struct builder b = builder_before(w->ir, w->loop);
    MlirValue bounds[3];
    for (int i = 0; i < 3; i++) {
        bounds[i] = VALUE(&b, OP_EXTSI, OPERANDS(mlirOperationGetOperand(w->loop, i)),
                          RESULTS(type_i64(w->ir)), NO_ATTRS);
    }
    MlirValue end = build_end(w, &b, bounds);
    MlirValue first = w->start_count ? build_first(w, &b, end) : (MlirValue){NULL};
    return (struct whole_range){w->start_count ? build_counter(w, &b, bounds, first) : for_lower(w->loop),
                                build_counter(w, &b, bounds, end)};
}

MlirOperation whole_loop_split(struct whole_loop *w) {
    MlirValue end = whole_loop_range(w).end;
    MlirOperation rest = mlirOperationClone(w->loop);
    struct builder after = builder_after(w->ir, w->loop);
    build_insert(&after, rest);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(rest); r++) {
        MlirValue result = mlirOperationGetResult(w->loop, r);
        mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(rest, r));
        set_for_init(rest, r, result);
    }
    set_for_lower(rest, end);
    set_for_upper(w->loop, end);
    op_set_unit(w->ir, w->loop, ATTR_GOES_ON);
    return rest;
}

void whole_loop_drop_dead(struct whole_loop *w) {
    size_t count;
    MlirOperation *ops = ops_collect(w->ir, w->context->arena, w->loop, &count);
    while (count-- > 0) {
        MlirOperation op = ops[count];
        if ((op_traits(op_kind(w->ir, op)) & PURE) && mlirOperationGetNumRegions(op) == 0 &&
            mlirOperationGetNumResults(op) == 1 && !value_has_uses(mlirOperationGetResult(op, 0))) {
            mlirOperationDestroy(op);
        }
    }
}
