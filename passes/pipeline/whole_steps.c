// whole_steps: a loop's steps without a masked score run in a loop of their own, without the mask.
//
//   scf.for %n = 0 to %upper step 128 {            %whole = … within every condition, %upper and 32 bits
//     %s = tk.dot %q, %k                           scf.for %n = 0 to %whole step 128 {
//     %m = %rows >= %n + tk.range 0 … 127      →     %s = tk.dot %q, %k
//     %x = arith.select %m, %s, -inf                 … %s …
//     … %x …                                       }
//   }                                              scf.for %n = %whole to %upper step 128 {       as it was
//                                                    …
//                                                  }
//
// Causal attention needs the mask in the last steps of a tile alone. H200, packed causal sequences, heads of 128:
// one of 8,192 rows 532 → 615 TFLOP/s, eight of 256 to 6,000 rows 503 → 553.
//
// The first loop computes the same numbers: a select on true is its first operand. The number
// of its steps is exact, because a mask is arithmetic of the program: sums of 32 bits may wrap. The built code
// tests in 64 bits that none does (facts/mask_limits.c), and else the first loop takes fewer steps or none.
//
// Masks of loads stay in both loops: tensor maps are cut by them at no cost, and other masks would be other
// maps. A loop that begins at a computed step stays as it is: sources that split the loop themselves begin
// their second one so.
//
// requires: a tile program without layouts, contracted (fuse_fma)
// provides: the same
// test:     tests/golden/passes/whole_steps, tests/lang/whole_steps.c
#include "passes/facts/mask_limits.h"

#include "ir/build.h"
#include "passes/layout/legal_dots.h"

enum { MOST_SELECTS = 4, MOST_LIMITS = 8, MOST_LOOPS = 4 }; // MOST_LOOPS: with dots, of a specialised kernel

struct whole {
    struct pass_context *context;
    struct ir *ir;
    struct affines affines;
    MlirOperation function, loop;
    MlirBlock body;
    MlirOperation selects[MOST_SELECTS]; // of scores, true in the first steps
    int select_count;
    struct mask_limit limits[MOST_LIMITS];
    int limit_count;
    struct mask_magnitude magnitudes[MOST_LIMITS]; // to be tested
    int magnitude_count;
};

// ---- the scores ----

// True if the tile is computed from a dot of the loop, element by element.
static bool is_score(struct whole *w, MlirValue value, int depth) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), w->body) || depth > 8) {
        return false;
    }
    enum op_kind kind = op_kind(w->ir, op);
    if (kind == OP_DOT) {
        return true;
    }
    bool scores = false;
    for (intptr_t i = 0; (op_traits(kind) & PURE) && i < mlirOperationGetNumOperands(op) && !scores; i++) {
        scores = is_score(w, mlirOperationGetOperand(op, i), depth + 1);
    }
    return scores;
}

static bool is_masked_score(struct whole *w, MlirOperation op) {
    return op_kind(w->ir, op) == OP_SELECT && type_is_tensor(mlirValueGetType(select_condition(op))) &&
           is_score(w, select_yes(op), 0);
}

// True if scores stand where the mask does not hold, as in tl.where(mask, -inf, scores).
static bool is_masked_behind(struct whole *w, MlirOperation op) {
    return op_kind(w->ir, op) == OP_SELECT && type_is_tensor(mlirValueGetType(select_condition(op))) &&
           is_score(w, select_no(op), 0) && !is_score(w, select_yes(op), 0);
}

// ---- the limits of its mask ----

static bool add_limit(struct whole *w, const struct mask_limit *limit) {
    for (int i = 0; i < w->limit_count; i++) {
        const struct mask_limit *known = &w->limits[i];
        if (known->per_iteration == limit->per_iteration && known->greatest == limit->greatest &&
            affine_equal(&known->rest, &limit->rest)) {
            return true;
        }
    }
    if (w->limit_count == MOST_LIMITS) {
        return false;
    }
    w->limits[w->limit_count++] = *limit;
    return true;
}

static bool add_magnitude(struct whole *w, const struct mask_magnitude *magnitude) {
    for (int i = 0; i < w->magnitude_count; i++) {
        if (mask_magnitude_equal(&w->magnitudes[i], magnitude)) {
            return true;
        }
    }
    if (w->magnitude_count == MOST_LIMITS) {
        return false;
    }
    w->magnitudes[w->magnitude_count++] = *magnitude;
    return true;
}

// Adds the sums on both sides of a comparison.
static bool add_sides(struct whole *w, MlirOperation comparison) {
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

static bool add_conditions(struct whole *w, MlirOperation select, const struct tile_mask *mask) {
    for (int i = 0; i < mask->count; i++) {
        struct mask_limit limit;
        MlirType type = mlirValueGetType(select_condition(select));
        if (!mask_limit_of(&w->affines, w->loop, &mask->below_zero[i], type, &limit)) {
            return decline(w->context, select, REASON_WHOLE_GROWS);
        }
        if (!add_limit(w, &limit)) {
            return decline(w->context, select, REASON_WHOLE_MASK);
        }
    }
    for (int i = 0; i < mask->comparison_count; i++) {
        if (!add_sides(w, mask->comparisons[i])) {
            return false;
        }
    }
    return true;
}

// True if the mask depends on the loop's step: any other mask leaves no step whole.
static bool varies(struct whole *w, const struct tile_mask *mask) {
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

// Adds a masked score with its limits; adds nothing and declines if some condition has none.
static void add_select(struct whole *w, MlirOperation select) {
    struct tile_mask mask;
    int limits = w->limit_count, magnitudes = w->magnitude_count;
    tile_mask_of(&w->affines, select_condition(select), &mask);
    if (!varies(w, &mask)) {
        return;
    }
    bool known = mask.explained && mask.guard_count == 0 && w->select_count < MOST_SELECTS;
    if (known ? add_conditions(w, select, &mask) : decline(w->context, select, REASON_WHOLE_MASK)) {
        w->selects[w->select_count++] = select;
        return;
    }
    w->limit_count = limits;
    w->magnitude_count = magnitudes;
}

static void refuse_behind(struct whole *w, MlirOperation select) {
    struct tile_mask mask;
    tile_mask_of(&w->affines, select_condition(select), &mask);
    if (varies(w, &mask)) {
        decline(w->context, select, REASON_WHOLE_ARMS);
    }
}

// ---- the loop ----

// True if the loop's own block has dots, all with matrix instructions.
static bool has_matrix_dots(struct whole *w) {
    unsigned warps = (unsigned)op_int(w->function, ATTR_NUM_WARPS), dots = 0;
    MlirOperation yield = mlirBlockGetTerminator(w->body);
    for (MlirOperation op = mlirBlockGetFirstOperation(w->body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(w->ir, op) == OP_DOT) {
            if (!dot_instruction(w->context->target, op, warps, false)) {
                return false;
            }
            dots++;
        }
    }
    return dots > 0;
}

static bool counts(struct whole *w) {
    int64_t step, lower;
    MlirType type = mlirValueGetType(for_lower(w->loop));
    if (!mlirTypeEqual(type, type_i32(w->ir)) || !value_is_constant_int(w->ir, for_step(w->loop), &step) ||
        step <= 0) {
        return decline(w->context, (MlirOperation){NULL}, REASON_WHOLE_STEP);
    }
    return value_is_constant_int(w->ir, for_lower(w->loop), &lower) ||
           decline(w->context, (MlirOperation){NULL}, REASON_WHOLE_START);
}

// True if the loop can be split; false with a reason, or without one if it has no masked score.
static bool reads_masks(struct whole *w) {
    MlirOperation yield = mlirBlockGetTerminator(w->body);
    for (MlirOperation op = mlirBlockGetFirstOperation(w->body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        if (is_masked_score(w, op)) {
            add_select(w, op);
        } else if (is_masked_behind(w, op)) {
            refuse_behind(w, op);
        }
    }
    return w->select_count > 0;
}

// The number of steps of the first loop, an i64.
static MlirValue build_steps(struct whole *w, struct builder *b, MlirValue bounds[3]) {
    MlirType type = type_i64(w->ir);
    MlirValue length = build_binary(b, OP_SUBI, bounds[1], bounds[0]);
    length = build_binary(b, OP_MAXSI, length, const_int(b, type, 0));
    MlirValue steps = build_binary(b, OP_DIVSI, length, bounds[2]);
    for (int i = 0; i < w->limit_count; i++) {
        steps = build_binary(b, OP_MINSI, steps, mask_limit_build(&w->affines, b, &w->limits[i]));
    }
    for (int i = 0; i < w->magnitude_count; i++) {
        steps = mask_magnitude_build(&w->affines, b, &w->magnitudes[i], steps);
    }
    return steps;
}

// Drops ops used by the replaced masks alone.
static void drop_dead(struct whole *w) {
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

static void split(struct whole *w) {
    struct builder b = builder_before(w->ir, w->loop);
    MlirValue bounds[3];
    for (int i = 0; i < 3; i++) {
        bounds[i] = VALUE(&b, OP_EXTSI, OPERANDS(mlirOperationGetOperand(w->loop, i)),
                          RESULTS(type_i64(w->ir)), NO_ATTRS);
    }
    MlirValue steps = build_steps(w, &b, bounds);
    MlirValue end = build_binary(&b, OP_ADDI, bounds[0], build_binary(&b, OP_MULI, steps, bounds[2]));
    end = VALUE(&b, OP_TRUNCI, OPERANDS(end), RESULTS(type_i32(w->ir)), NO_ATTRS);

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
    for (int i = 0; i < w->select_count; i++) {
        MlirOperation select = w->selects[i];
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(select, 0), select_yes(select));
    }
    drop_dead(w);
    op_set_string(w->ir, w->loop, ATTR_WHOLE_STEPS, "no score is masked");
    remark(w->context, REMARK_WHOLE_STEPS, rest,
           "the loop is split: steps in which no score is masked run first, without the mask");
}

// ---- functions ----

static bool has_dots(struct ir *ir, MlirOperation loop) {
    MlirBlock body = op_body(loop, 0);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_DOT) {
            return true;
        }
    }
    return false;
}

// Splits the loop, or says why not; `loops`: the kernel's loops with dots. True if it was split.
static bool split_loop(struct pass_context *context, MlirOperation function, MlirOperation loop, int loops) {
    struct whole w = {.context = context, .ir = context->ir, .function = function, .loop = loop};
    w.body = op_body(loop, 0);
    context->declined = (struct declined){0};
    affines_open(&w.affines, context, function);
    bool splits = has_matrix_dots(&w) && reads_masks(&w) && counts(&w);
    if (splits && loops >= MOST_LOOPS) {
        splits = decline_numbers(context, (MlirOperation){NULL}, REASON_WHOLE_LOOPS, loops + 1, MOST_LOOPS);
    }
    if (splits) {
        split(&w);
    } else if (context->declined.reason != REASON_NONE) {
        reason_keep(context, loop, ATTR_WHOLE_STEPS);
    }
    context->declined = (struct declined){0};
    affines_close(&w.affines);
    return splits;
}

static void split_loops(struct pass_context *context, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    MlirOperation *loops = ARENA_ARRAY(context->arena, MlirOperation, count + 1);
    int loop_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_FOR && has_dots(context->ir, ops[i])) {
            loops[loop_count++] = ops[i];
        }
    }
    int with_dots = loop_count;
    for (int i = 0; i < loop_count; i++) {
        with_dots += split_loop(context, function, loops[i], with_dots);
    }
}

void pass_whole_steps(struct pass_context *context, MlirModule module) {
    if (!target_has(context->target, FEATURE_WGMMA)) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        split_loops(context, op);
    }
}
