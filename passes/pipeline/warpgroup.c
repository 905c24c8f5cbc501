// warpgroup: warpgroup dots read their operands from shared memory and run asynchronously to the program.
//
//   %a = tk.convert_layout %x : #threads → #shared        %s = tk.smem_alloc; tk.smem_store %s, %x {proxy}
//   %d = tk.dot %a, %slot, %c {wgmma.f16}             →   %e = tk.warpgroup_dot %s, %slot, %c
//                                                         %d = tk.dot_wait %e {pending = 0}
//
// Operands not yet in shared memory are stored there. The wait for a dot stands before the first reader of
// its result, or before an op that could touch the shared memory it reads; dots started in between stay in
// flight (`pending`). So the matrix units compute the next product while threads compute exponentials of the
// first. If pipelining has added a slot for a loop's dot (`in_flight`), the loop carries the dot's result
// while the next dot starts. The wait for the last dot is behind the loop, and initial zeros of the
// accumulator are not read. A dot started ahead of its iteration already has its wait.
//
// The unit drops the low 13 bits of f32 operands: those are rounded to tf32 before (round_operands).
//
// requires: layouts; loads of loops already in slots
// provides: no tk.dot of a warpgroup instruction is left; every warpgroup_dot's result passes a dot_wait
// test:     tests/golden/passes/warpgroup
#include "passes/pipeline/warpgroup.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/mma.h"
#include "chip/scratch.h"
#include "dialects/tk/tensor_map.h"
#include "ir/build.h"
#include "passes/facts/tile_access.h"

struct warpgroup {
    struct pass_context *context;
    struct ir *ir;
    struct map buffers; // convert_layout into shared memory → its smem_alloc's result
    unsigned num_warps;
    MlirOperation left, guard; // the loop that last got a branch around it, and the branch
    int waits;                 // behind that loop
};

bool dot_is_warpgroup(MlirOperation dot) {
    MlirStringRef name = op_string(dot, ATTR_INSTRUCTION);
    const struct mma *mma = name.data ? mma_find(name.data, name.length) : NULL;
    return mma && mma->warps > 1;
}

// True if the operand is in a slot of one of the loads, or was in shared memory before the loop.
static bool outlives_iteration(struct pass_context *context, MlirBlock body, MlirValue operand,
                               const MlirOperation *loads, size_t load_count) {
    MlirOperation op = value_op(operand);
    while (!mlirOperationIsNull(op) && op_kind(context->ir, op) == OP_SMEM_TRANS) {
        op = value_op(unary_source(op));
    }
    if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), body)) {
        return !mlirOperationIsNull(op);
    }
    MlirOperation source = value_op(unary_source(op));
    bool staged = false;
    for (size_t i = 0; i < load_count && !mlirOperationIsNull(source); i++) {
        staged |= mlirOperationEqual(source, loads[i]);
    }
    return staged;
}

// Two f16 accumulators share one register while the product is in flight, and only the wait separates them: a
// loop cannot carry them.
static bool adds_halves(MlirValue result) {
    return type_bits(type_element(mlirValueGetType(result))) == 16;
}

size_t dots_in_flight(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                      size_t load_count) {
    MlirBlock body = op_body(loop, 0);
    size_t count, dots = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) != OP_DOT) {
            continue;
        }
        MlirValue sum = dot_c(ops[i]), result = mlirOperationGetResult(ops[i], 0);
        bool carried = mlirBlockEqual(mlirOperationGetBlock(ops[i]), body) &&
                       mlirValueIsABlockArgument(sum) &&
                       mlirBlockEqual(mlirBlockArgumentGetOwner(sum), body) && value_has_one_use(sum) &&
                       value_has_one_use(result) && dot_is_warpgroup(ops[i]) && !adds_halves(result) &&
                       type_is_shared(context->ir, mlirValueGetType(dot_a(ops[i])));
        for (intptr_t n = 0; n < mlirOperationGetNumOperands(ops[i]) && carried; n++) {
            carried = n == at_dot_c || outlives_iteration(context, body, mlirOperationGetOperand(ops[i], n),
                                                          loads, load_count);
        }
        intptr_t argument = carried ? mlirBlockArgumentGetArgNumber(sum) : 0;
        if (argument == 0 ||
            !value_is(mlirOperationGetOperand(mlirBlockGetTerminator(body), argument - 1), result)) {
            return 0;
        }
        dots++;
    }
    return dots;
}

// Puts the tile of a conversion into a buffer.
static MlirValue stored(struct warpgroup *w, MlirOperation convert) {
    const void *known = map_get(&w->buffers, convert.ptr);
    if (known) {
        return (MlirValue){known};
    }
    struct builder b = builder_before(w->ir, convert);
    MlirType type = mlirValueGetType(mlirOperationGetResult(convert, 0));
    MlirValue buffer =
        VALUE(&b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type), ATTRS(attr_i32(&b, ATTR_STAGES, 1)));
    OP(&b, OP_SMEM_STORE, OPERANDS(buffer, unary_source(convert)), NO_RESULTS,
       ATTRS(attr_unit(&b, ATTR_PROXY)));
    OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS); // here, not in a loop that reads the buffer
    map_put(&w->buffers, convert.ptr, (void *)buffer.ptr);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(convert, 0), buffer);
    return buffer;
}

// The barrier directly behind a store for warpgroups; null for any other op.
static MlirOperation barrier_behind(struct warpgroup *w, MlirOperation op) {
    MlirOperation none = {NULL};
    if (op_kind(w->ir, op) != OP_SMEM_STORE || !op_has(op, ATTR_PROXY)) {
        return none;
    }
    MlirOperation next = mlirOperationGetNextInBlock(op);
    return !mlirOperationIsNull(next) && op_kind(w->ir, next) == OP_BARRIER ? next : none;
}

// True if an op between two stores, each followed by a barrier, needs no barrier: it synchronises no threads
// and does not read the stored tile.
static bool needs_no_barrier(struct warpgroup *w, MlirOperation op) {
    enum op_kind kind = op_kind(w->ir, op);
    return kind == OP_SMEM_ALLOC || kind == OP_SMEM_STORE || (kind == OP_LOAD && !load_is_volatile(op)) ||
           ((op_traits(kind) & PURE) && mlirOperationGetNumRegions(op) == 0 &&
            (!value_has_uses(mlirOperationGetResult(op, 0)) || !(op_traits(kind) & SCRATCH) ||
             scratch_bytes(w->ir, w->context->target, w->num_warps, op) == 0));
}

// Of several operands stored one after the other, only the last keeps its fence and barrier.
static void meet_once(struct warpgroup *w, MlirOperation store) {
    MlirOperation barrier = barrier_behind(w, store);
    if (mlirOperationIsNull(barrier)) {
        return;
    }
    MlirOperation op = mlirOperationGetNextInBlock(barrier);
    while (!mlirOperationIsNull(op) && needs_no_barrier(w, op)) {
        if (!mlirOperationIsNull(barrier_behind(w, op))) {
            op_remove_attribute(store, ATTR_PROXY);
            mlirOperationDestroy(barrier);
            return;
        }
        op = mlirOperationGetNextInBlock(op);
    }
}

// True if an op between two fences needs no fence: it is no product reading the data of the first fence.
static bool needs_no_fence(struct warpgroup *w, MlirOperation op) {
    switch (op_kind(w->ir, op)) {
    case OP_BARRIER:
    case OP_ASYNC_COPY:
    case OP_ASYNC_COMMIT:
    case OP_SMEM_ALLOC:
    case OP_SMEM_LOAD:
    case OP_SMEM_STORE:
    case OP_LOAD:
        return true;
    default:
        return (op_traits(op_kind(w->ir, op)) & PURE) && mlirOperationGetNumRegions(op) == 0;
    }
}

// If another operand is stored, with a fence and a barrier, before any product reads, its fence also covers
// the copies of this wait.
static void fence_once(struct warpgroup *w, MlirOperation wait) {
    MlirOperation op = mlirOperationGetNextInBlock(wait);
    for (; !mlirOperationIsNull(op) && needs_no_fence(w, op); op = mlirOperationGetNextInBlock(op)) {
        if (!mlirOperationIsNull(barrier_behind(w, op))) {
            op_remove_attribute(wait, ATTR_PROXY);
            return;
        }
    }
}

static void settle_operand(struct warpgroup *w, MlirOperation dot, intptr_t index) {
    MlirValue operand = mlirOperationGetOperand(dot, index);
    MlirOperation op = value_op(operand);
    while (!mlirOperationIsNull(op) && op_kind(w->ir, op) == OP_SMEM_TRANS) {
        op = value_op(smem_trans_slot(op));
    }
    if (!mlirOperationIsNull(op) && op_kind(w->ir, op) == OP_CONVERT_LAYOUT &&
        type_is_shared(w->ir, mlirValueGetType(operand))) {
        stored(w, op);
    }
}

static MlirValue wait_for(struct builder *b, MlirValue value, int pending) {
    return VALUE(b, OP_DOT_WAIT, OPERANDS(value), RESULTS(mlirValueGetType(value)),
                 ATTRS(attr_i32(b, ATTR_PENDING, pending)));
}

// Redirects all uses of `value`, except the wait's own, to the wait's result.
static MlirOperation wait_after(struct warpgroup *w, MlirValue value, int pending) {
    struct builder b = builder_after_value(w->ir, value);
    MlirValue passed = wait_for(&b, value, pending);
    MlirOperation wait = mlirOpResultGetOwner(passed);
    mlirValueReplaceAllUsesOfWith(value, passed);
    set_dot_wait_tile(wait, 0, value);
    return wait;
}

// Waits for the products the loop leaves in flight, before its results merge with those of the skipped loop:
// until then nothing may copy an accumulator. Of tcgen05 each of the `pending` products of a step is waited for: blocks in pairs do not end ahead
// of a commit. Returns the guard.
static MlirOperation leave_loop(struct warpgroup *w, MlirOperation loop, intptr_t accumulator, int pending) {
    if (!mlirOperationEqual(w->left, loop)) {
        w->guard = mlirOperationGetParentOperation(build_guard(w->ir, w->context->arena, loop));
        w->left = loop;
        w->waits = 0;
    }
    int later = target_has(w->context->target, FEATURE(TCGEN05)) ? pending - 1 - w->waits++ : 0;
    MlirOperation yield = mlirBlockGetTerminator(op_body(w->guard, 0));
    struct builder b = builder_before(w->ir, yield);
    mlirOperationSetOperand(yield, accumulator,
                            wait_for(&b, mlirOperationGetOperand(yield, accumulator), later));
    return w->guard;
}

// Gives the product the operand `keeps`, an i1 "the accumulator is read".
static void ask_whether_added(struct warpgroup *w, MlirOperation dot, MlirValue keeps) {
    if (!mlirValueIsNull(warpgroup_dot_keeps(dot))) {
        set_warpgroup_dot_keeps(dot, keeps);
        return;
    }
    struct builder b = builder_before(w->ir, dot);
    MlirValue sum = warpgroup_dot_c(dot);
    MlirValue made =
        VALUE(&b, OP_WARPGROUP_DOT, OPERANDS(warpgroup_dot_a(dot), warpgroup_dot_b(dot), sum, keeps),
              RESULTS(mlirValueGetType(sum)), op_attributes(w->context->arena, dot));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(dot, 0), made);
    mlirOperationDestroy(dot);
}

// For accumulators initialised with zeros: the loop's first product does not read them, so their registers
// are not set. Only the branch of the skipped loop builds the zeros.
static void start_from_nothing(struct warpgroup *w, MlirOperation loop, MlirOperation dot,
                               intptr_t accumulator, MlirOperation guard) {
    MlirValue start = for_init(loop, accumulator);
    if (!fills_with_zero(w->ir, start) || !value_has_one_use(warpgroup_dot_c(dot)) ||
        op_has(dot, ATTR_IMPRECISE)) {
        return;
    }
    MlirType type = mlirValueGetType(start), element = type_element(type);
    struct builder body = builder_before(w->ir, dot), before = builder_before(w->ir, loop),
                   skipped = builder_before(w->ir, mlirBlockGetTerminator(op_body(guard, 1)));
    MlirValue index = mlirBlockGetArgument(op_body(loop, 0), 0);
    ask_whether_added(w, dot, build_compare(&body, INT_NE, index, for_lower(loop)));
    set_for_init(loop, accumulator, VALUE(&before, OP_UNWRITTEN, NO_OPERANDS, RESULTS(type), NO_ATTRS));
    MlirValue zero =
        mlirTypeIsAFloat(element) ? const_float(&skipped, element, 0) : const_int(&skipped, element, 0);
    MlirValue there = VALUE(&skipped, OP_OPAQUE, OPERANDS(zero), RESULTS(element), NO_ATTRS);
    mlirOperationSetOperand(mlirBlockGetTerminator(op_body(guard, 1)), accumulator,
                            VALUE(&skipped, OP_SPLAT, OPERANDS(there), RESULTS(type), NO_ATTRS));
}

// True if a dot may stay in flight across the op: the op waits for nothing in the block and writes no shared
// memory.
static bool passes_by(struct warpgroup *w, MlirOperation op) {
    enum op_kind kind = op_kind(w->ir, op);
    unsigned traits = op_traits(kind);
    switch (kind) {
    case OP_WARPGROUP_DOT:
    case OP_DOT_WAIT:
    case OP_SMEM_LOAD:
    case OP_MBARRIER_WAIT:
        return true;
    case OP_LOAD:
        return !load_is_volatile(op);
    case OP_MBARRIER_ARRIVE:
    case OP_SMEM_STORE:
    case OP_BARRIER:
        return op_has(op, ATTR_BESIDE);
    case OP_BULK_STORE:
        return op_has(op, ATTR_SHARES) && op_has(op, ATTR_ADDS);
    default:
        return (traits & PURE) && mlirOperationGetNumRegions(op) == 0 &&
               (!(traits & SCRATCH) || scratch_bytes(w->ir, w->context->target, w->num_warps, op) == 0);
    }
}

static bool reads(MlirOperation op, MlirValue value) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (mlirValueEqual(mlirOperationGetOperand(op, i), value)) {
            return true;
        }
    }
    return false;
}

// Moves the wait for a dot down to the first reader of its result, but not past waits for later dots. The
// wait stays if no work would come between.
static void wait_late(struct warpgroup *w, MlirOperation wait) {
    MlirOperation at = mlirOperationGetNextInBlock(wait), place = at;
    MlirValue passed = mlirOperationGetResult(wait, 0);
    int dots = 0;
    for (; !reads(at, passed) && passes_by(w, at); at = mlirOperationGetNextInBlock(at)) {
        enum op_kind kind = op_kind(w->ir, at);
        if (kind == OP_DOT_WAIT && op_int(at, ATTR_PENDING) < dots) {
            break; // this dot is complete behind it
        }
        dots += kind == OP_WARPGROUP_DOT;
        place = kind == OP_DOT_WAIT ? place : mlirOperationGetNextInBlock(at);
    }
    mlirOperationMoveBefore(wait, place);
    op_set_int(w->ir, wait, ATTR_PENDING, dots);
}

// The product of a dot. One with scales says in any case whether it adds.
static MlirValue start_product(struct warpgroup *w, MlirOperation dot) {
    struct builder b = builder_before(w->ir, dot);
    MlirAttribute name = op_attribute(dot, ATTR_INSTRUCTION);
    MlirValue operands[MOST_WARPGROUP_DOT] = {dot_a(dot), dot_b(dot), dot_c(dot)};
    intptr_t count = 3;
    if (!mlirValueIsNull(dot_a_scale(dot))) {
        settle_operand(w, dot, at_dot_a_scale);
        settle_operand(w, dot, at_dot_b_scale);
        operands[count++] = const_int(&b, type_i1(w->ir), 1);
        operands[count++] = dot_a_scale(dot);
        operands[count++] = dot_b_scale(dot);
    }
    return VALUE(&b, OP_WARPGROUP_DOT, ((struct operands){count, operands}),
                 RESULTS(mlirValueGetType(dot_c(dot))), ATTRS(attr(&b, ATTR_INSTRUCTION, name)));
}

// True if threads store scales of the product in its own loop, each step to the same place: the roles expected copies to slots, and the
// plan has none. The next step must not begin before the product has ended.
static bool is_rewritten(struct warpgroup *w, MlirValue product) {
    MlirOperation dot = value_op(product);
    for (intptr_t i = at_warpgroup_dot_a_scale; i < mlirOperationGetNumOperands(dot); i++) {
        MlirOperation place = value_op(mlirOperationGetOperand(dot, i));
        if (op_kind(w->ir, place) == OP_SMEM_ALLOC &&
            mlirBlockEqual(mlirOperationGetBlock(place), mlirOperationGetBlock(dot))) {
            return true;
        }
    }
    return false;
}

// Returns the wait directly behind the dot, free to move, or null.
static MlirOperation rewrite_dot(struct warpgroup *w, MlirOperation dot) {
    settle_operand(w, dot, at_dot_a);
    settle_operand(w, dot, at_dot_b);
    MlirValue a = dot_a(dot), c = dot_c(dot), made = start_product(w, dot);
    if (op_has(dot, ATTR_IMPRECISE)) {
        op_set_int(w->ir, value_op(made), ATTR_IMPRECISE, (int)op_int(dot, ATTR_IMPRECISE));
    }
    if (op_has(dot, ATTR_ROW_ORDER)) {
        op_set_attribute(value_op(made), ATTR_ROW_ORDER, op_attribute(dot, ATTR_ROW_ORDER));
    }
    if (!type_is_shared(w->ir, mlirValueGetType(a)) && computed_from_slots(w->context, a)) {
        op_set_unit(w->ir, value_op(made), ATTR_BY_STEPS);
    }
    int pending = is_rewritten(w, made) ? 0 : (int)op_int(dot, ATTR_IN_FLIGHT);
    bool ahead = op_has(dot, ATTR_AHEAD);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(dot, 0), made);
    MlirOperation loop = mlirOperationGetParentOperation(dot);
    mlirOperationDestroy(dot);
    if (ahead) {
        return (MlirOperation){NULL};
    }
    MlirOperation wait = wait_after(w, made, pending);
    if (pending > 0) {
        // A result of the loop is the accumulator yielded by its body, at the argument's position.
        intptr_t accumulator = mlirBlockArgumentGetArgNumber(c) - 1;
        start_from_nothing(w, loop, value_op(made), accumulator, leave_loop(w, loop, accumulator, pending));
        return (MlirOperation){NULL};
    }
    return wait;
}

// ---- f32 operands: the unit truncates them to tf32 ----

// The shared buffer of a dot's operand; null: it is in registers.
static MlirValue buffer_of(struct warpgroup *w, MlirValue operand) {
    while (type_is_shared(w->ir, mlirValueGetType(operand)) &&
           op_kind(w->ir, value_op(operand)) != OP_SMEM_ALLOC) {
        operand = unary_source(value_op(operand)); // a transposition, or the slot of a buffer
    }
    return type_is_shared(w->ir, mlirValueGetType(operand)) ? operand : (MlirValue){NULL};
}

static MlirValue rounded(struct builder *b, MlirValue value) {
    return VALUE(b, OP_ROUND_TF32, OPERANDS(value), RESULTS(mlirValueGetType(value)), NO_ATTRS);
}

// Gives the map the element type tf32: its copies then round.
static void round_copies(struct warpgroup *w, MlirValue map) {
    struct builder b = {.ir = w->ir};
    MlirAttribute rounded = mlirTypeAttrGet(mlirTF32TypeGet(w->ir->context));
    tensor_map_replace(w->ir, w->context->arena, map, attr(&b, ATTR_ELEMENT, rounded));
}

// Rounds f32 operands to nearest on their way to shared memory: in registers before their store, and in
// tensor copies by the type of the map. Only warpgroup dots read such buffers. pipeline.c rounds the tiles of
// cp.async after their arrival.
static void round_operands(struct warpgroup *w, MlirOperation function) {
    size_t count;
    struct map buffers = {0};
    MlirOperation *ops = ops_collect(w->ir, w->context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirStringRef name = op_string(ops[i], ATTR_INSTRUCTION);
        if (op_kind(w->ir, ops[i]) != OP_WARPGROUP_DOT || mma_find(name.data, name.length)->a != MMA_TF32) {
            continue;
        }
        for (intptr_t side = 0; side < 2; side++) {
            MlirValue operand = mlirOperationGetOperand(ops[i], side), buffer = buffer_of(w, operand);
            if (buffer.ptr) {
                map_put(&buffers, buffer.ptr, (void *)buffer.ptr);
            } else {
                struct builder b = builder_before(w->ir, ops[i]);
                mlirOperationSetOperand(ops[i], side, rounded(&b, operand));
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(w->ir, ops[i]);
        bool fills = kind == OP_SMEM_STORE || kind == OP_BULK_LOAD,
             reads = kind == OP_SMEM_LOAD || kind == OP_SMEM_GATHER;
        MlirValue buffer = fills || reads ? buffer_of(w, slot_user_slot(ops[i])) : (MlirValue){NULL};
        if (!buffer.ptr || !map_has(&buffers, buffer.ptr)) {
            continue;
        }
        if (reads) {
            bug("an operand that is rounded for a product of warpgroups is read by %s", op_table[kind].name);
        }
        if (kind == OP_BULK_LOAD) {
            round_copies(w, bulk_load_map(ops[i]));
        } else if (mlirOperationIsNull(value_op(smem_store_tile(ops[i]))) ||
                   op_kind(w->ir, value_op(smem_store_tile(ops[i]))) != OP_ROUND_TF32) {
            struct builder b = builder_before(w->ir, ops[i]);
            set_smem_store_tile(ops[i], rounded(&b, smem_store_tile(ops[i])));
        }
    }
    map_free(&buffers);
}

static void rewrite_function(struct pass_context *context, MlirOperation function) {
    struct warpgroup w = {
        .context = context, .ir = context->ir, .num_warps = (unsigned)op_int(function, ATTR_NUM_WARPS)};
    size_t count, dots = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_DOT && dot_is_warpgroup(ops[i])) {
            ops[dots++] = ops[i];
        }
    }
    begin_sums_early(context, ops, dots);
    for (size_t i = 0; i < dots; i++) {
        ops[i] = rewrite_dot(&w, ops[i]);
    }
    size_t stores = 0;
    MlirOperation *made = ops_collect(context->ir, context->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, made[i]);
        if (kind == OP_SMEM_STORE || (kind == OP_ASYNC_WAIT && op_has(made[i], ATTR_PROXY))) {
            made[stores++] = made[i];
        }
    }
    for (size_t i = 0; i < stores; i++) {
        if (op_kind(context->ir, made[i]) == OP_ASYNC_WAIT) {
            fence_once(&w, made[i]);
        } else {
            meet_once(&w, made[i]);
        }
    }
    for (size_t i = dots; i-- > 0;) { // the last first: out of the way of the earlier ones
        if (!mlirOperationIsNull(ops[i])) {
            wait_late(&w, ops[i]);
        }
    }
    round_operands(&w, function);
    map_free(&w.buffers);
}

void pass_warpgroup(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        rewrite_function(context, op);
    }
}
