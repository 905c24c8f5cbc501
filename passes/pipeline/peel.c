// peel: the iterations without any masked-off element run in a loop of their own, without masks.
//
//   scf.for %k = %lower to %upper {            %whole = … K / 32, between %lower and %upper
//     %left = %K - %k * 32                     scf.for %k = %lower to %whole {
//     %m = %depth < %left               →        %x = tk.load %p
//     %x = tk.load %p, %m, %zero                 … tk.dot …
//     … tk.dot …                               }
//   }                                          scf.for %k = %whole to %upper {          as it was; not pipelined
//                                                …
//                                              }
//
// If predicates cost a branch (AMD), a masked load for the next iteration would get a basic block of its own
// and a wait at its end. Pipelining makes one straight block of the first loop, with two iterations unrolled
// (unroll.c), so the first loop gets an even number of iterations. The second loop runs at most two.
//
// The first loop also needs its loop-carried pointers within 2^31 bytes of the first one (narrow.c).
//
// The iterations with a mask true for all elements: facts/mask_limits.c. What a mask does not compute in the loop, as the comparison of rows,
// stays: the load goes through a buffer's descriptor, and lanes that it masks off have an offset beyond the buffer's end, found ahead of the
// loop (lower_memory.c). Without such descriptors a loop with masks of that kind is not split.
//
// A loop without masks but with a possibly odd trip count is split too if registers allow. Its pointers become loop-carried (carry.c), as
// those of loads that keep a mask do.
//
// These bounds rely on 32-bit arithmetic without wrapping (src/decisions/05: `no_wrap`).
//
// requires: a tile program without layouts
// provides: the same
// test:     tests/golden/passes/peel
#include "passes/facts/mask_limits.h"

#include "chip/registers.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"
#include "passes/layout/legal_dots.h"
#include "passes/pipeline/carry.h"
#include "passes/pipeline/narrow.h"

struct peel {
    struct pass_context *context;
    struct ir *ir;
    struct affines affines;
    MlirOperation loop;
    MlirBlock body;
    MlirOperation *ops; // of the body, at any depth
    size_t count;
    bool *stays; // of each op: a load with its whole mask left
    // Of merged steps of a chain: what is loaded may be a value of another step by the time that the loop is pipelined.
    bool chained;
    bool near;           // the first loop runs only if its pointers are near each other
    MlirOperation *kept; // loads with a mask left in the first loop
    size_t kept_count;
};

// ---- the loop ----

static bool is_masked_load(struct peel *p, MlirOperation op) {
    return op_kind(p->ir, op) == OP_LOAD && !mlirValueIsNull(load_mask(op));
}

// True for what is computed in the loop, at any depth.
static bool is_in_loop(struct peel *p, MlirValue value) {
    MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                       : mlirOperationGetBlock(mlirOpResultGetOwner(value));
    MlirOperation around = mlirBlockGetParentOperation(block);
    while (!mlirOperationIsNull(around) && !mlirOperationEqual(around, p->loop)) {
        around = mlirOperationGetParentOperation(around);
    }
    return !mlirOperationIsNull(around);
}

// True for an op whose result is a mask if its operands are.
static bool is_of_masks(enum op_kind kind) {
    return kind == OP_BROADCAST || kind == OP_EXPAND_DIMS || kind == OP_ANDI;
}

// True if the conditions of the loop only mask loads. Otherwise the program knows of them and may have split the loop
// itself, like attention, whose second loop also masks its scores.
static bool is_for_loads(struct peel *p, MlirValue mask, int depth) {
    MlirOperation op = value_op(mask);
    if (mlirOperationIsNull(op) || depth > 8) {
        return false;
    }
    if (!is_in_loop(p, mask)) {
        return true;
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(mask); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        enum op_kind kind = op_kind(p->ir, mlirOpOperandGetOwner(use));
        if (kind != OP_LOAD && !is_of_masks(kind)) {
            return false;
        }
    }
    bool passes_on = is_of_masks(op_kind(p->ir, op));
    for (intptr_t i = 0; passes_on && i < mlirOperationGetNumOperands(op); i++) {
        if (!is_for_loads(p, mlirOperationGetOperand(op, i), depth + 1)) {
            return false;
        }
    }
    return true;
}

enum { MAX_LIMITS = 8 };

// Adds the limits of a mask's comparisons in the loop. Sets `keeps` if something of the mask is computed ahead of the loop. False if some
// comparison yields none.
static bool add_limits(struct peel *p, MlirValue value, struct mask_limit limits[MAX_LIMITS], int *count,
                       bool *keeps) {
    if (!is_in_loop(p, value)) {
        *keeps = true;
        return true;
    }
    MlirOperation op = value_op(value);
    if (!mlirOperationIsNull(op) && is_of_masks(op_kind(p->ir, op))) {
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            if (!add_limits(p, mlirOperationGetOperand(op, i), limits, count, keeps)) {
                return false;
            }
        }
        return true;
    }
    struct tile_mask mask;
    tile_mask_of(&p->affines, value, &mask);
    if (!mask.explained || mask.guard_count > 0) {
        return false;
    }
    for (int c = 0; c < mask.count; c++) {
        if (*count == MAX_LIMITS ||
            !mask_limit_of(&p->affines, p->loop, &mask.below_zero[c], mlirValueGetType(value),
                           &limits[*count]) ||
            limits[*count].per_iteration == 0) {
            return false;
        }
        ++*count;
    }
    return true;
}

// True if the load may keep a mask: through a descriptor, which gives zeros beyond its end. A load past the caches has no descriptor
// (narrow_takes_mask); its branch stands in the loop that is not split, too, whose step takes half as many instructions again (128x128x32 on 8
// warps of gfx1100: 162 for 111).
static bool may_keep_mask(struct peel *p, MlirOperation load) {
    MlirValue other = load_other(load);
    return narrow_pays(p->context->target) && !load_is_volatile(load) &&
           (mlirValueIsNull(other) || fills_with_zero(p->ir, other));
}

// The limits from all masks of the loop's loads; -1 if the program knows of a mask. Finds the loads that keep what of their mask is computed ahead of
// the loop, and those whose whole mask stays: some of it has no limit, or the load would need a branch.
static int find_limits(struct peel *p, struct mask_limit limits[MAX_LIMITS]) {
    int count = 0;
    p->kept = ARENA_ARRAY(p->context->arena, MlirOperation, p->count);
    p->kept_count = 0;
    for (size_t i = 0; i < p->count; i++) {
        p->stays[i] = false;
        if (!is_masked_load(p, p->ops[i])) {
            continue;
        }
        MlirValue value = load_mask(p->ops[i]);
        bool kept = false;
        int before = count;
        if (!is_for_loads(p, value, 0)) {
            return -1;
        }
        p->stays[i] = !add_limits(p, value, limits, &count, &kept) || (kept && !may_keep_mask(p, p->ops[i]));
        count = p->stays[i] ? before : count;
        if (kept && !p->stays[i]) {
            p->kept[p->kept_count++] = p->ops[i];
        }
    }
    return count;
}

// True if some load of a tile is without a branch in the first loop: then two steps a turn are of use.
static bool has_plain_tiles(struct peel *p) {
    bool any = false;
    for (size_t i = 0; i < p->count; i++) {
        any |= op_kind(p->ir, p->ops[i]) == OP_LOAD && !p->stays[i] &&
               type_is_tensor(mlirValueGetType(mlirOperationGetResult(p->ops[i], 0)));
    }
    return any;
}

static bool has_staying_masks(const struct peel *p) {
    bool any = false;
    for (size_t i = 0; i < p->count; i++) {
        any |= p->stays[i];
    }
    return any;
}

// What is left of a mask in the first loop, by ops ahead of it; null: nothing.
static MlirValue kept_mask(struct peel *p, struct builder *b, MlirValue mask) {
    MlirOperation op = value_op(mask);
    if (!is_in_loop(p, mask)) {
        return mask;
    }
    if (!is_of_masks(op_kind(p->ir, op))) {
        return (MlirValue){NULL};
    }
    MlirValue kept[2] = {{NULL}, {NULL}};
    intptr_t count = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        kept[count] = kept_mask(p, b, mlirOperationGetOperand(op, i));
        count += !mlirValueIsNull(kept[count]);
    }
    if (count < mlirOperationGetNumOperands(op)) {
        return kept[0];
    }
    MlirOperation clone = mlirOperationClone(op);
    mlirOperationSetOperands(clone, count, kept);
    build_insert(b, clone);
    return mlirOperationGetResult(clone, 0);
}

// True if the loop has dots, all with matrix instructions. Without those, a tile's thousands of instructions
// hide every load and are too many for a second copy.
static bool has_matrix_dots(struct peel *p, MlirOperation function) {
    const struct target *target = p->context->target;
    unsigned warps = (unsigned)op_int(function, ATTR_NUM_WARPS), dots = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (op_kind(p->ir, p->ops[i]) != OP_DOT) {
            continue;
        }
        if (!dot_instruction(target, p->ops[i], warps, false)) {
            return false;
        }
        dots++;
    }
    return dots > 0;
}

// The trip count of the first loop, an i64: the largest even number within all limits and the upper bound.
static MlirValue build_steps(struct peel *p, struct builder *b, const struct mask_limit *limits, int count,
                             MlirValue bounds[3]) {
    MlirType type = type_i64(p->ir);
    MlirValue length = build_binary(b, OP_SUBI, bounds[1], bounds[0]);
    length = build_binary(b, OP_MAXSI, length, const_int(b, type, 0));
    MlirValue least = build_binary(b, OP_DIVSI, length, bounds[2]);
    for (int i = 0; i < count; i++) {
        MlirValue limit = mask_limit_build(&p->affines, b, &limits[i]);
        if (limits[i].per_iteration < 0) { // true from an iteration on: it has to be the first one
            MlirValue zero = const_int(b, type, 0);
            limit = build_select(b, build_compare(b, INT_EQ, limit, zero), least, zero);
        }
        least = build_binary(b, OP_MINSI, least, limit);
    }
    return build_binary(b, OP_ANDI, least, const_int(b, type, -2));
}

// The pointer after so many iterations, for the second loop: the first loop then need not carry it.
static MlirValue after_steps(struct peel *p, struct builder *b, MlirValue first, MlirValue by,
                             MlirValue steps) {
    MlirType type = type_i64(p->ir), pointers = mlirValueGetType(first);
    bool wide = type_bits(mlirValueGetType(by)) == 64;
    by = wide ? by : VALUE(b, OP_EXTSI, OPERANDS(by), RESULTS(type), NO_ATTRS);
    by = build_binary(b, OP_MULI, by, steps);
    if (type_is_tensor(pointers)) {
        by = VALUE(b, OP_SPLAT, OPERANDS(by), RESULTS(type_with_shape_of(pointers, type)), NO_ATTRS);
    }
    return VALUE(b, OP_ADDPTR, OPERANDS(first, by), RESULTS(pointers), NO_ATTRS);
}

// Selects no iterations if the pointers of some loop-carried tile are too far apart. Sets `near` if this test
// covers all such tiles that have a first element (narrow_first).
static MlirValue if_narrow(struct peel *p, struct builder *b, MlirValue steps) {
    MlirValue pointers[NARROW_TILES], by[NARROW_TILES];
    size_t count = 0;
    bool pays = narrow_pays(p->context->target);
    for (intptr_t a = 0; a < mlirOperationGetNumResults(p->loop) && pays; a++) {
        MlirValue tile = for_init(p->loop, a), step = pointer_advance(b, p->loop, a);
        if (!type_is_tensor(mlirValueGetType(tile)) || mlirValueIsNull(step)) {
            continue;
        }
        bool has_first = !mlirValueIsNull(narrow_first(b, tile));
        if (!has_first && !p->chained) {
            continue; // rows that are loaded: the lanes keep their pointers
        }
        if (!has_first || count == NARROW_TILES) {
            return steps;
        }
        pointers[count] = tile;
        by[count++] = step;
    }
    if (count == 0) {
        return steps;
    }
    p->near = true;
    MlirValue none = const_int(b, type_i64(p->ir), 0);
    return build_select(b, narrow_fits(b, pointers, by, count), steps, none);
}

static void split(struct peel *p, const struct mask_limit *limits, int count) {
    struct builder b = builder_before(p->ir, p->loop);
    b.location = mlirOperationGetLocation(p->loop);
    MlirValue bounds[3];
    for (int i = 0; i < 3; i++) {
        MlirValue bound = mlirOperationGetOperand(p->loop, i);
        bool wide = type_bits(mlirValueGetType(bound)) == 64;
        bounds[i] = wide ? bound : VALUE(&b, OP_EXTSI, OPERANDS(bound), RESULTS(type_i64(p->ir)), NO_ATTRS);
    }
    MlirValue steps = if_narrow(p, &b, build_steps(p, &b, limits, count, bounds));
    MlirValue end = build_binary(&b, OP_ADDI, bounds[0], build_binary(&b, OP_MULI, steps, bounds[2]));
    MlirType counter = mlirValueGetType(for_lower(p->loop));
    end = type_bits(counter) == 64 ? end : VALUE(&b, OP_TRUNCI, OPERANDS(end), RESULTS(counter), NO_ATTRS);

    MlirOperation rest = mlirOperationClone(p->loop);
    struct builder after = builder_after(p->ir, p->loop);
    after.location = b.location;
    build_insert(&after, rest);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(rest); r++) {
        struct builder between = builder_before(p->ir, rest);
        between.location = b.location;
        MlirValue result = mlirOperationGetResult(p->loop, r), first = for_init(p->loop, r);
        MlirValue by = pointer_advance(&between, p->loop, r);
        MlirValue reached = mlirValueIsNull(by) ? result : after_steps(p, &between, first, by, steps);
        mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(rest, r));
        set_for_init(rest, r, reached);
    }
    set_for_lower(rest, end);
    set_for_upper(p->loop, end);
    op_set_int(p->ir, rest, ATTR_NUM_STAGES, 1);
    op_set_unit(p->ir, p->loop, ATTR_EVEN);
    if (p->near) {
        op_set_unit(p->ir, p->loop, ATTR_NEAR);
    }
    for (size_t i = 0; i < p->count; i++) {
        if (is_masked_load(p, p->ops[i]) && !p->stays[i]) {
            struct builder ahead = builder_before(p->ir, p->loop);
            ahead.location = mlirOperationGetLocation(p->ops[i]);
            MlirValue operands[] = {load_pointer(p->ops[i]), kept_mask(p, &ahead, load_mask(p->ops[i])),
                                    load_other(p->ops[i])};
            intptr_t given = mlirValueIsNull(operands[1]) ? 1 : mlirValueIsNull(operands[2]) ? 2 : 3;
            mlirOperationSetOperands(p->ops[i], given, operands);
        }
    }
}

static bool has_masked_loads(struct peel *p) {
    for (size_t i = 0; i < p->count; i++) {
        if (is_masked_load(p, p->ops[i])) {
            return true;
        }
    }
    return false;
}

// True if registers are free beside the products' accumulators: two loops hold more values between them than
// one.
static bool has_registers(struct peel *p, MlirOperation function) {
    const struct target *target = p->context->target;
    unsigned warps = (unsigned)op_int(function, ATTR_NUM_WARPS), results = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (op_kind(p->ir, p->ops[i]) == OP_DOT) {
            results += registers_spread(mlirValueGetType(mlirOperationGetResult(p->ops[i], 0)),
                                        warps * target->warp_size);
        }
    }
    return results + registers_reserved(RESERVE_PEELED_LOOP) <= registers_share(target, warps, 1);
}

// True if the pointers of loads that keep a mask will be scalars with offsets of 32 bits (narrow.c).
static bool kept_are_carried(struct peel *p) {
    struct builder b = builder_before(p->ir, p->loop);
    for (size_t i = 0; i < p->kept_count; i++) {
        MlirValue pointer = load_pointer(p->kept[i]);
        if (!mlirValueIsABlockArgument(pointer) ||
            !mlirBlockEqual(mlirBlockArgumentGetOwner(pointer), p->body) ||
            mlirBlockArgumentGetArgNumber(pointer) == 0) {
            return false;
        }
        intptr_t a = mlirBlockArgumentGetArgNumber(pointer) - 1;
        if (mlirValueIsNull(pointer_advance(&b, p->loop, a)) ||
            mlirValueIsNull(narrow_first(&b, for_init(p->loop, a)))) {
            return false;
        }
    }
    return true;
}

static int find_limits_in(struct peel *p, MlirOperation function, struct mask_limit limits[MAX_LIMITS]) {
    affines_open(&p->affines, p->context, function);
    int count = find_limits(p, limits);
    affines_close(&p->affines);
    return count;
}

// True if the distance of the loop's bounds is a number of 64 bits.
static bool counts_in_range(struct peel *p) {
    MlirValue lower = for_lower(p->loop);
    unsigned bits = type_bits(mlirValueGetType(lower));
    int64_t first;
    return bits == 32 || (bits == 64 && value_is_constant_int(p->ir, lower, &first) && first >= 0);
}

static void collect_ops(struct peel *p) {
    p->ops = ops_collect(p->ir, p->context->arena, p->loop, &p->count);
    p->stays = ARENA_ARRAY(p->context->arena, bool, p->count + 1);
}

static void peel_loop(struct pass_context *context, MlirOperation function, MlirOperation loop) {
    struct peel p = {.context = context,
                     .ir = context->ir,
                     .loop = loop,
                     .body = op_body(loop, 0),
                     .chained = op_has(function, ATTR_CHAIN)};
    struct mask_limit limits[MAX_LIMITS];
    int64_t step;
    collect_ops(&p);
    if (!has_matrix_dots(&p, function) || !counts_in_range(&p) ||
        !value_is_constant_int(p.ir, for_step(loop), &step) || step <= 0) {
        return;
    }
    bool masked = has_masked_loads(&p);
    if (find_limits_in(&p, function, limits) < 0) {
        return;
    }
    bool stay = has_staying_masks(&p);
    if ((!masked || stay) && (!has_registers(&p, function) || !has_plain_tiles(&p))) {
        return;
    }
    if (!masked || p.kept_count > 0 || stay) {
        p.loop = carry_quotients(context, carry_pointers(context, function, loop));
        p.body = op_body(p.loop, 0);
        collect_ops(&p);
    }
    affines_open(&p.affines, context, function);
    int count = find_limits(&p, limits);
    if (count >= 0 && kept_are_carried(&p)) {
        split(&p, limits, count);
    }
    affines_close(&p.affines);
}

void pass_peel(struct pass_context *context, MlirModule module) {
    size_t count, loop_count = 0;
    MlirOperation function = {NULL};
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    MlirOperation *loops =
        ARENA_ARRAY(context->arena, MlirOperation, 2 * count + 1); // each behind its function
    for (size_t i = 0; i < count && context->target->vendor == VENDOR_AMD; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_FUNC) {
            function = ops[i];
        }
        int64_t stages = mlirOperationIsNull(function) ? 3 : op_int(function, ATTR_NUM_STAGES);
        if (kind == OP_FOR && op_int_or(ops[i], ATTR_NUM_STAGES, stages) > 1) {
            loops[loop_count++] = function;
            loops[loop_count++] = ops[i];
        }
    }
    for (size_t i = 0; i < loop_count; i += 2) { // a loop may be rebuilt, and its ops with it
        peel_loop(context, loops[i], loops[i + 1]);
    }
}
