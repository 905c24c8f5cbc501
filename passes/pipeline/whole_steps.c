// whole_steps: a loop's steps without a masked score run in a loop of their own, without the mask, or branch around it.
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
// A window masks its first steps, too. Its whole steps stand amid the loop, which stays one:
//
//   %x = arith.select %m, %s, -inf        →        %x = scf.if %n >= %first and %n < %end { %s } else { arith.select %m, %s, -inf }
//
// H200, 1,024 keys, heads of 128, nine steps a tile: 495 → 540 TFLOP/s; three loops 512, as products of one loop do not run beside
// another loop's exponentials.
//
// Masks of loads stay in both loops: tensor maps are cut by them at no cost, and other masks would be other
// maps. A loop whose last steps alone are masked, and that begins at a computed step, stays as it is: sources that split the loop
// themselves begin their second one so.
//
// requires: a tile program without layouts, contracted (fuse_fma)
// provides: the same
// test:     tests/golden/passes/whole_steps, tests/lang/whole_steps.c
#include "passes/pipeline/whole_loop.h"

#include "ir/build.h"
#include "passes/layout/legal_dots.h"

enum { MOST_SELECTS = 4, MOST_LOOPS = 4 }; // MOST_LOOPS: with dots, of a specialised kernel

struct whole {
    struct whole_loop of;
    MlirOperation selects[MOST_SELECTS]; // of scores, true in the first steps
    int select_count;
};

// ---- the scores ----

// True if the tile is computed from a dot of the loop, element by element.
static bool is_score(struct whole *w, MlirValue value, int depth) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), w->of.body) || depth > 8) {
        return false;
    }
    enum op_kind kind = op_kind(w->of.ir, op);
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
    return op_kind(w->of.ir, op) == OP_SELECT && type_is_tensor(mlirValueGetType(select_condition(op))) &&
           is_score(w, select_yes(op), 0);
}

// True if scores stand where the mask does not hold, as in tl.where(mask, -inf, scores).
static bool is_masked_behind(struct whole *w, MlirOperation op) {
    return op_kind(w->of.ir, op) == OP_SELECT && type_is_tensor(mlirValueGetType(select_condition(op))) &&
           is_score(w, select_no(op), 0) && !is_score(w, select_yes(op), 0);
}

// Adds a masked score with its limits; adds nothing and declines if some condition has none.
static void add_select(struct whole *w, MlirOperation select) {
    struct tile_mask mask;
    MlirValue condition = select_condition(select);
    tile_mask_of(&w->of.affines, condition, &mask);
    if (!whole_loop_varies(&w->of, &mask)) {
        return;
    }
    bool known = mask.explained && mask.guard_count == 0 && w->select_count < MOST_SELECTS;
    if (known ? whole_loop_add(&w->of, select, mlirValueGetType(condition), &mask)
              : decline(w->of.context, select, REASON_WHOLE_MASK)) {
        w->selects[w->select_count++] = select;
    }
}

static void refuse_behind(struct whole *w, MlirOperation select) {
    struct tile_mask mask;
    tile_mask_of(&w->of.affines, select_condition(select), &mask);
    if (whole_loop_varies(&w->of, &mask)) {
        decline(w->of.context, select, REASON_WHOLE_ARMS);
    }
}

// ---- the loop ----

// True if the loop's own block has dots, all with matrix instructions.
static bool has_matrix_dots(struct whole *w) {
    unsigned warps = (unsigned)op_int(w->of.function, ATTR_NUM_WARPS), dots = 0;
    MlirOperation yield = mlirBlockGetTerminator(w->of.body);
    for (MlirOperation op = mlirBlockGetFirstOperation(w->of.body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(w->of.ir, op) == OP_DOT) {
            if (!dot_instruction(w->of.context->target, op, warps, false)) {
                return false;
            }
            dots++;
        }
    }
    return dots > 0;
}

// True if the loop has whole steps; false with a reason, or without one if it has no masked score.
static bool reads_masks(struct whole *w) {
    MlirOperation yield = mlirBlockGetTerminator(w->of.body);
    for (MlirOperation op = mlirBlockGetFirstOperation(w->of.body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
        if (is_masked_score(w, op)) {
            add_select(w, op);
        } else if (is_masked_behind(w, op)) {
            refuse_behind(w, op);
        }
    }
    return w->select_count > 0;
}

// Reads them as those of a window, with steps masked on both sides of the whole ones, or else as those of a loop whose first steps
// are whole. Where first steps alone are masked, the source has split the loop itself, as causal gradients do.
static bool finds_masks(struct whole *w) {
    w->of.amid = true;
    bool found = reads_masks(w);
    if (!w->of.start_count || whole_loop_is_window(&w->of)) {
        return found;
    }
    w->of.amid = false;
    w->select_count = w->of.limit_count = w->of.start_count = w->of.magnitude_count = w->of.guard_count = 0;
    return reads_masks(w);
}

static void split(struct whole *w) {
    MlirOperation rest = whole_loop_split(&w->of);
    for (int i = 0; i < w->select_count; i++) {
        MlirOperation select = w->selects[i];
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(select, 0), select_yes(select));
    }
    whole_loop_drop_dead(&w->of);
    op_set_string(w->of.ir, w->of.loop, ATTR_WHOLE_STEPS, "no score is masked");
    remark(w->of.context, REMARK_WHOLE_STEPS, rest,
           "the loop is split: steps in which no score is masked run first, without the mask");
}

// ---- whole steps amid a loop ----

// The value in the branch: what the loop's block computes of it without effects is repeated there.
static MlirValue repeated(struct whole *w, struct builder *b, struct map *made, MlirValue value) {
    MlirOperation op = value_op(value);
    MlirValue known = {map_get(made, value.ptr)};
    bool repeats = !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), w->of.body) &&
                   (op_traits(op_kind(w->of.ir, op)) & PURE) && mlirOperationGetNumRegions(op) == 0 &&
                   mlirOperationGetNumResults(op) == 1;
    if (known.ptr || !repeats) {
        return known.ptr ? known : value;
    }
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        mlirOperationSetOperand(copy, i, repeated(w, b, made, mlirOperationGetOperand(op, i)));
    }
    build_insert(b, copy);
    map_value(made, value, mlirOperationGetResult(copy, 0));
    return mlirOperationGetResult(copy, 0);
}

// Puts the select into a branch that whole steps do not take, with what computes its mask.
static void branch_around(struct whole *w, MlirOperation select, MlirValue whole) {
    struct builder b = builder_before(w->of.ir, select);
    b.location = mlirOperationGetLocation(select);
    MlirValue result = mlirOperationGetResult(select, 0);
    MlirBlock blocks[2];
    MlirOperation branch = build_if(&b, whole, RESULTS(mlirValueGetType(result)), &blocks[0], &blocks[1]);
    mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(branch, 0));
    struct builder without = builder_at_end(w->of.ir, blocks[0], b.location);
    build_yield(&without, OPERANDS(select_yes(select)));
    struct builder with = builder_at_end(w->of.ir, blocks[1], b.location);
    struct map made = {0};
    MlirValue mask = repeated(w, &with, &made, select_condition(select));
    MlirValue masked = build_select(&with, mask, select_yes(select), select_no(select));
    build_yield(&with, OPERANDS(masked));
    map_free(&made);
    mlirOperationDestroy(select);
}

static void branch(struct whole *w) {
    struct whole_range range = whole_loop_range(&w->of);
    struct builder b = builder_before(w->of.ir, mlirBlockGetFirstOperation(w->of.body));
    MlirValue counter = mlirBlockGetArgument(w->of.body, 0);
    MlirValue behind = build_compare(&b, INT_SGE, counter, range.first);
    MlirValue whole = build_binary(&b, OP_ANDI, behind, build_compare(&b, INT_SLT, counter, range.end));
    for (int i = 0; i < w->select_count; i++) {
        branch_around(w, w->selects[i], whole);
    }
    whole_loop_drop_dead(&w->of);
    remark(w->of.context, REMARK_WHOLE_STEPS, w->of.loop,
           "steps amid the loop in which no score is masked branch around the mask");
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

// Splits the loop, or gives it branches around its masks, or says why not; `loops`: the kernel's loops with dots. True if it was split.
static bool split_loop(struct pass_context *context, MlirOperation function, MlirOperation loop, int loops) {
    struct whole w = {.of = {.context = context,
                             .ir = context->ir,
                             .function = function,
                             .loop = loop,
                             .body = op_body(loop, 0)}};
    context->declined = (struct declined){0};
    affines_open(&w.of.affines, context, function);
    bool splits = has_matrix_dots(&w) && finds_masks(&w) && whole_loop_counts(&w.of);
    if (splits && w.of.start_count > 0) {
        branch(&w);
        splits = false;
    } else if (splits && loops >= MOST_LOOPS) {
        splits = decline_numbers(context, (MlirOperation){NULL}, REASON_WHOLE_LOOPS, loops + 1, MOST_LOOPS);
    }
    if (splits) {
        split(&w);
    } else if (context->declined.reason != REASON_NONE) {
        reason_keep(context, loop, ATTR_WHOLE_STEPS);
    }
    context->declined = (struct declined){0};
    affines_close(&w.of.affines);
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
    if (!target_has(context->target, FEATURE(WGMMA))) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        split_loops(context, op);
    }
}
