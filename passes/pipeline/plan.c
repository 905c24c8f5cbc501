// plan: the loads that run ahead of their iterations, the part of an iteration their addresses need, and the
// number of slots for each. The plan is written to the IR as attributes; `pipeline` and `next_step` rewrite
// the loops by it.
//
//   scf.for … {                      scf.for … {                                      {tk.copies = "async", tk.pipeline = "3 stages"}
//     %p = tk.addptr …                 %p = tk.addptr …                               {tk.stage = 0}
//     %x = tk.load %p                  %x = tk.load %p                                {tk.stage = 0, tk.role = "copy", tk.slots = 3}
//     %a = tk.convert_layout %x  →     %a = tk.convert_layout %x                      {tk.stage = 2}
//     %d = tk.dot %a, …                %d = tk.dot %a, …                              {tk.stage = 2}
//   }                                }
//
// An op of stage s runs s iterations later than the copies of its iteration, the ops of stage 0. A loop left
// alone has the reason: tk.pipeline = "left alone: tk.store at 40:5: it may write, or make visible, what the
// loop's loads read".
//
// requires: layouts
// provides: the same program; tk.pipeline on every loop, a plan on the pipelined ones
// test:     tests/golden/passes/plan
#include "passes/pipeline/pipeline.h"

#include <stdio.h>
#include <string.h>

#include <mlir-c/BuiltinAttributes.h>

#include "chip/registers.h"
#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/pipeline/next_step.h"
#include "passes/shared/shared_ranges.h"
#include "passes/simplify/short_loops.h"
#include "passes/pipeline/warpgroup.h"
#include "passes/facts/tile_access.h"
#include "passes/facts/value_work.h"

static MlirOperation yield_of(const struct pipeline *p) {
    return mlirBlockGetTerminator(p->body);
}

static bool in_body(const struct pipeline *p, MlirOperation op) {
    return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), p->body);
}

// True for a value that is the same in all iterations.
static bool is_ahead_of(const struct pipeline *p, MlirValue value) {
    return !mlirBlockEqual(p->body, mlirValueIsABlockArgument(value)
                                        ? mlirBlockArgumentGetOwner(value)
                                        : mlirOperationGetBlock(mlirOpResultGetOwner(value)));
}

// True if all readers of the tile in shared memory want one layout there.
static bool one_shared_layout(struct pipeline *p, MlirValue tile) {
    MlirType shared = {NULL};
    bool in_threads = false;
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(mlirOpOperandGetOwner(use), 0));
        if (!type_is_shared(p->ir, type)) {
            in_threads = true;
        } else if (!mlirTypeIsNull(shared) && !mlirTypeEqual(shared, type)) {
            return false;
        } else {
            shared = type;
        }
    }
    return mlirTypeIsNull(shared) || !in_threads;
}

// True for a load with only conversions for dots as users. A load behind a store that may write its tile stays there, and the others are copied
// asynchronously without it.
static bool is_candidate(struct pipeline *p, MlirOperation load) {
    MlirValue tile = mlirOperationGetResult(load, 0);
    if (!type_is_tensor(mlirValueGetType(tile)) ||
        type_rank(mlirValueGetType(tile)) < pipeline_least_rank(p->context->target)) {
        return decline(p->context, load, REASON_NO_DOT);
    }
    if (type_rank(mlirValueGetType(tile)) == 1 && !(p->async && pipeline_copies_itself(p, load))) {
        return decline(p->context, load, REASON_NO_DOT); // a row does not take the tiles' copies from them
    }
    if (load_is_volatile(load)) {
        return decline(p->context, load, REASON_VOLATILE);
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (op_kind(p->ir, user) != OP_CONVERT_LAYOUT || !in_body(p, user)) {
            return decline(p->context, user, REASON_READ_ELSEWHERE);
        }
    }
    if (!one_shared_layout(p, tile)) {
        return decline(p->context, load, REASON_LAYOUTS_DIFFER);
    }
    if (!pipeline_feeds_dot(p, tile)) {
        return decline(p->context, load, REASON_NO_DOT);
    }
    return !p->async || loads_pass_stores(p->context, p->loop, &load, 1);
}

// The loads that are done ahead, and those that their addresses need.
static MlirOperation *loads_ahead(const struct pipeline *p, size_t *load_count) {
    MlirOperation *loads = ARENA_ARRAY(p->arena, MlirOperation, p->load_count + p->slice_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < p->load_count; i++) {
        loads[count++] = p->loads[i].load;
    }
    for (size_t s = 0; s < p->slice_count; s++) {
        if (op_kind(p->ir, p->slice[s]) == OP_LOAD) {
            loads[count++] = p->slice[s];
        }
    }
    *load_count = count;
    return loads;
}

// Whether something in the loop has to stay ahead of the loads.
static bool orders_loads(struct pipeline *p) {
    size_t count;
    const MlirOperation *loads = loads_ahead(p, &count);
    return !loads_pass_stores(p->context, p->loop, loads, count);
}

// True if the loop reads operands from shared memory for lack of registers: then it has none for tiles in
// flight either.
static bool has_kept_operands(struct pipeline *p) {
    size_t count;
    MlirOperation *ops = ops_collect(p->ir, p->arena, p->loop, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_SMEM_LOAD) {
            return true;
        }
    }
    return false;
}

// True for a load without a branch: unmasked, or with a mask left by peel.
static bool is_plain_load(struct pipeline *p, MlirOperation load) {
    MlirValue mask = load_mask(load);
    return mlirValueIsNull(mask) || (op_has(p->loop, ATTR_NEAR) && is_ahead_of(p, mask));
}

// True if some load ahead, or one for addresses, has no branch: a guard would cost it one.
static bool has_plain_loads(struct pipeline *p) {
    size_t count, plain = 0;
    const MlirOperation *loads = loads_ahead(p, &count);
    for (size_t i = 0; i < count; i++) {
        plain += is_plain_load(p, loads[i]);
    }
    return plain > 0;
}

// Registers of a load's tile. A tile loaded element by element takes a register for each element.
static unsigned registers_of_load(struct pipeline *p, MlirOperation load) {
    MlirValue tile = mlirOperationGetResult(load, 0);
    MlirType type = mlirValueGetType(tile);
    bool element_wise = !pipeline_copies_itself(p, load) && type_bits(type_element(type)) < 32;
    return element_wise ? layout_registers(type_layout(p->ir, type)) : registers_filled(p->ir, tile);
}

// True if a thread has registers for one step's tiles beside the accumulators.
static bool tiles_fit_in_registers(struct pipeline *p) {
    unsigned need = registers_reserved(RESERVE_COPIES_BY_REGISTERS);
    for (size_t i = 0; i < p->load_count; i++) {
        need += registers_of_load(p, p->loads[i].load);
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        need += op_kind(p->ir, op) == OP_DOT ? registers_filled(p->ir, mlirOperationGetResult(op, 0)) : 0;
    }
    for (intptr_t a = 0; a < mlirOperationGetNumResults(p->loop); a++) {
        MlirOperation last = value_op(mlirOperationGetOperand(yield_of(p), a));
        MlirType type = mlirValueGetType(mlirOperationGetResult(p->loop, a));
        bool sums = !mlirOperationIsNull(last) && op_kind(p->ir, last) == OP_DOT;
        bool data = type_is_tensor(type) && !type_is_ptr(type_element(type));
        need += data && !sums ? registers_filled(p->ir, mlirOperationGetResult(p->loop, a)) : 0;
    }
    return need <= registers_share(p->context->target, p->num_warps, 1);
}

// Chooses the way of the loads to shared memory: cp.async if all can use it; else through registers, if they
// are free; else cp.async for the loads able to use it, and the others stay.
static void choose_way(struct pipeline *p) {
    size_t copies = 0;
    for (size_t i = 0; i < p->load_count; i++) {
        copies += pipeline_copies_itself(p, p->loads[i].load);
    }
    if (!p->async || copies == p->load_count) {
        return;
    }
    if (tiles_fit_in_registers(p) && !has_kept_operands(p)) {
        p->async = false;
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < p->load_count; i++) {
        if (pipeline_copies_itself(p, p->loads[i].load)) {
            p->loads[kept++] = p->loads[i];
        } else {
            MlirType tile = mlirValueGetType(mlirOperationGetResult(p->loads[i].load, 0));
            decline_numbers(p->context, p->loads[i].load, REASON_NO_COPY,
                            op_int(p->loads[i].load, ATTR_VECTOR) * type_bits(type_element(tile)) / 8, 0);
        }
    }
    p->load_count = kept;
}

static void find_candidates(struct pipeline *p) {
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(p->ir, op) == OP_LOAD && p->load_count < MAX_LOADS && is_candidate(p, op)) {
            p->loads[p->load_count++] =
                (struct staged_load){.load = op, .shared = pipeline_slot_layout(p, op, ROLE_COPY)};
            MlirOperation convert =
                mlirOpOperandGetOwner(mlirValueGetFirstUse(mlirOperationGetResult(op, 0)));
            p->proxy |= type_is_shared(p->ir, mlirValueGetType(mlirOperationGetResult(convert, 0)));
        }
    }
}

static bool can_run_ahead(struct pipeline *p) {
    return p->load_count > 0 && pipeline_find_slice(p) && !orders_loads(p);
}

// True if the loop loads tiles in its own body, inner loops left out.
static bool loads_tiles(struct ir *ir, MlirOperation loop) {
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(ir, op) == OP_LOAD && type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)))) {
            return true;
        }
    }
    return false;
}

// Declines a loop without a staged load. A loop whose loads are all in inner loops names the first of these.
static void decline_unstaged(struct pipeline *p) {
    size_t count = 0;
    MlirOperation *ops = loads_tiles(p->ir, p->loop) ? NULL : ops_collect(p->ir, p->arena, p->loop, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(p->ir, ops[i]) == OP_FOR && !mlirOperationEqual(ops[i], p->loop)) {
            decline(p->context, ops[i], REASON_INNER_LOOP);
            return;
        }
    }
    decline(p->context, (MlirOperation){NULL}, REASON_NOTHING_STAGED);
}

static bool decide(struct pipeline *p) {
    decline_unstaged(p);
    find_candidates(p);
    choose_way(p);
    p->declined = p->context->declined;
    p->operand_count = p->load_count;
    pipeline_find_streams(p);
    if (p->async && p->load_count == 0) {
        return true; // add_computed may find others
    }
    if (!can_run_ahead(p)) {
        return false;
    }
    p->unguarded = p->context->target->vendor == VENDOR_AMD && has_plain_loads(p);
    if (target_has(p->context->target, FEATURE(LDS_COPY))) {
        p->async = pipeline_copies_to_lds(p);
        p->uncopied = p->context->declined;
    }
    return p->async || !has_kept_operands(p) ||
           decline(p->context, (MlirOperation){NULL}, REASON_KEPT_OPERANDS);
}

// Plans a loop with loads in their own iteration. These share the scratch of their conversions, so one load
// alone gains nothing. Several dots have other values between them, and those need the registers for moved
// reads of shared memory.
static bool decide_here(struct pipeline *p) {
    unsigned dots = 0;
    decline_unstaged(p);
    find_candidates(p);
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        dots += op_kind(p->ir, op) == OP_DOT;
    }
    if (p->load_count == 0) {
        return false;
    }
    return (p->load_count > 1 && dots == 1) || decline(p->context, (MlirOperation){NULL}, REASON_ONE_LOAD);
}

// An operand of a dot, not its accumulator.
static bool is_operand(const void *asker, MlirOpOperand use, MlirValue value) {
    (void)value;
    const struct pass_context *context = asker;
    return op_kind(context->ir, mlirOpOperandGetOwner(use)) == OP_DOT &&
           mlirOpOperandGetOperandNumber(use) < 2;
}

// True if another dot of the body takes an operand from this one's result.
static bool feeds_operand(struct pipeline *p, MlirOperation dot) {
    return value_has_reader(
        &(struct reader_question){p->arena, p->ir, pipeline_passes_on, is_operand, p->context},
        mlirOperationGetResult(dot, 0));
}

// True if the chip converts floats of 8 bits by arithmetic: a step is thousands of instructions, and a second one would not make it shorter.
static bool converts_bytes(const struct pipeline *p) {
    bool any = false;
    for (size_t i = 0; i < p->load_count; i++) {
        any |= type_is_f8(type_element(mlirValueGetType(mlirOperationGetResult(p->loads[i].load, 0))));
    }
    return any && !(p->context->target->has & (FEATURE(FP8_OCP) | FEATURE(FP8_FNUZ)));
}

// RDNA 3 holds the operands of dots twice. If accumulators take more than half of its registers, or one dot's
// result is another's operand, addresses for two steps are too many; and on each chip if accumulators take half of the
// 128 registers of a thread in the largest blocks.
static bool has_registers_for_two(struct pipeline *p) {
    if (converts_bytes(p)) {
        return false;
    }
    enum { HALF = 128, OF_LARGEST_BLOCKS = 128 };
    int64_t share = registers_share(p->context->target, p->num_warps, p->context->target->compute_units);
    unsigned accumulators = 0;
    bool chained = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(p->ir, op) == OP_DOT) {
            MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
            accumulators += layout_registers(type_layout(p->ir, type)) * type_bits(type_element(type)) / 32;
            chained |= feeds_operand(p, op);
        }
    }
    if (share <= OF_LARGEST_BLOCKS && 2 * accumulators >= share) {
        return false;
    }
    return !target_has(p->context->target, FEATURE(WMMA_GFX11)) || (accumulators <= HALF && !chained);
}

static struct loop_stages stages_of(struct pipeline *p) {
    struct loop_stages stages = {.loop = p->loop,
                                 .load_count = p->load_count,
                                 .operand_count = p->here ? p->load_count : p->operand_count,
                                 .slots = p->slots,
                                 .least = p->async ? 2 : 1,
                                 .may_have_late = pipeline_find_late(p)};
    stages.may_refill = stages.may_have_late && pipeline_may_refill(p);
    for (size_t l = 0; l < p->load_count; l++) {
        stages.loads[l] = p->loads[l].load;
        stages.may_be_late[l] = p->loads[l].late;
    }
    return stages;
}

static bool has_computed(const struct pipeline *p, unsigned share) {
    struct pipeline more = *p;
    pipeline_find_computed(&more, share, false);
    return more.load_count > p->load_count;
}

// Adds loads with arithmetic before their dot, if threads have `share` registers and all stages fit into
// `limit` bytes; false: none. `operands` as for pipeline_find_computed.
static bool join_some(struct pass_context *context, struct pipeline *p, struct loop_stages *stages, size_t at,
                      size_t count, unsigned share, unsigned limit, bool operands) {
    struct pipeline more = *p;
    more.slots = stages[at].slots;
    pipeline_find_computed(&more, share, operands);
    if (more.load_count == p->load_count || !can_run_ahead(&more)) {
        return false;
    }
    struct loop_stages before = stages[at];
    stages[at] = stages_of(&more);
    if (stages_kept(context, stages, count, limit)) {
        *p = more;
        return true;
    }
    stages[at] = before;
    return false;
}

// All tiles behind a computed operand, or, without room for all, the tiles too large for registers a step ahead.
static bool join_copies(struct pass_context *context, struct pipeline *p, struct loop_stages *stages,
                        size_t at, size_t count, unsigned share, unsigned limit) {
    return join_some(context, p, stages, at, count, share, limit, true) ||
           join_some(context, p, stages, at, count, share, limit, false);
}

// Loads with arithmetic on their tiles join a loop's copies if they can run ahead as well, and shared memory
// has room for as many stages as without them in as many blocks: two, and for a loop of several dots as many
// as registers allow, because other blocks fill its waits for loads. Conversions of tiles take shared memory,
// too, so only three quarters of it count. A loop of one dot also copies them if their registers would
// otherwise cost a block, and shared memory has room for that block.
static void add_computed(struct pass_context *context, struct pipeline *p, struct loop_stages *stages,
                         size_t at, size_t count) {
    enum { ENOUGH_WARPS = 16 }; // of a multiprocessor: with so many, another block gains nothing
    const struct target *target = context->target;
    unsigned dots = pipeline_dots(p), share = registers_share(target, p->num_warps, 1);
    bool copies = p->async && target_has(target, FEATURE(CP_ASYNC));
    if (p->here || !copies || stages[at].slots < 2 || (dots != 1 && !has_computed(p, share))) {
        return;
    }
    unsigned blocks = registers_blocks(target, p->num_warps, target->registers_per_thread);
    blocks = dots > 1 && blocks > 2 ? blocks : 2;
    while (blocks > 1 && !stages_kept(context, stages, count, target_shared_share(target, blocks))) {
        blocks--;
    }
    unsigned limit = target_shared_share(target, blocks);
    if (join_copies(context, p, stages, at, count, share, blocks > 1 ? limit / 4 * 3 : limit) || dots != 1) {
        return;
    }
    blocks = next_step_blocks(context, p->loop, p->num_warps, &share);
    if (blocks > 1 && blocks * p->num_warps <= ENOUGH_WARPS) {
        join_copies(context, p, stages, at, count, share, target_shared_share(target, blocks));
    }
}

// True if a loop only moves elements from memory to its single dot, with no other arithmetic.
static bool is_product_alone(struct pipeline *p) {
    struct map addresses = {0};
    for (size_t s = 0; s < p->slice_count; s++) {
        map_put(&addresses, p->slice[s].ptr, p->slice[s].ptr);
    }
    bool alone = pipeline_dots(p) == 1;
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); alone && !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(p->ir, op);
        bool made = mlirOperationGetNumResults(op) > 0;
        MlirType type = made ? mlirValueGetType(mlirOperationGetResult(op, 0)) : (MlirType){NULL};
        bool moved = kind == OP_DOT || kind == OP_CONVERT_LAYOUT || kind == OP_TRANS || kind == OP_ADDPTR ||
                     pipeline_is_staged(p, op) || map_has(&addresses, op.ptr);
        alone = moved || (made ? !type_is_tensor(type) : op_traits(kind) & TERMINATOR);
    }
    map_free(&addresses);
    return alone;
}

// The copies of such a loop get more slots than the kernel requests, as long as the blocks that fit by
// registers, with half of all registers for each thread, also fit in shared memory: num_stages is usually
// chosen for large tiles, and small tiles leave memory idle (H200, 16 x 4096 x 4096 in tiles of 16 x 128 x
// 32: 3 slots 50 us, 6 slots 29). Loops with other arithmetic on loaded tiles gain nothing, and lose blocks.
// Not timed on chips before sm_90.
static void deepen(struct pass_context *context, struct pipeline *p, struct loop_stages *stages, size_t at,
                   size_t count) {
    enum { MOST_SLOTS = 6, FEW_LOOPS = 8 };
    const struct target *target = context->target;
    if (!p->async || !target_has(target, FEATURE(SM90)) || count > FEW_LOOPS || stages[at].slots < 2 ||
        !is_product_alone(p)) {
        return;
    }
    int steps = short_loop_steps(context->ir, p->loop);
    int most = steps >= 0 && steps < MOST_SLOTS ? steps : MOST_SLOTS;
    unsigned blocks = registers_blocks(target, p->num_warps, target->registers_per_thread / 2);
    unsigned limit = target_shared_share(target, blocks > 2 ? blocks : 2);
    while (stages[at].slots < most) {
        stages[at].slots++;
        if (!stages_kept(context, stages, count, limit)) {
            stages[at].slots--;
            break;
        }
    }
}

// True if the loop loads tiles itself, is in the source (packed_rows adds an outermost loop), and specialisation has not been there: else
// nobody expects a pipeline.
static bool is_expected(struct pass_context *context, MlirOperation loop) {
    MlirOperation function = mlirOperationGetParentOperation(loop);
    bool within = false;
    while (op_kind(context->ir, function) != OP_FUNC) {
        within |= op_kind(context->ir, function) == OP_FOR;
        function = mlirOperationGetParentOperation(function);
    }
    if (op_has(function, ATTR_PACKED) && !within) {
        return false;
    }
    return loads_tiles(context->ir, loop) && !op_has(function, ATTR_PRODUCER_WARPS);
}

// Writes the reason, unless specialisation has written its own.
static void leave_alone(struct pass_context *context, MlirOperation loop) {
    struct remarks *remarks = context->remarks;
    if (!op_has(loop, ATTR_PIPELINE)) {
        context->remarks = remarks && is_expected(context, loop) ? remarks : NULL;
        reason_keep(context, loop, ATTR_PIPELINE);
        context->remarks = remarks;
    }
}

// True if the roles let the loop's product run beside the next step, its operands in slots of theirs, and leave its scales to the plan.
static bool runs_on(const struct pipeline *p) {
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(p->ir, op) == OP_DOT && op_has(op, ATTR_IN_FLIGHT) && !mlirValueIsNull(dot_a_scale(op))) {
            return true;
        }
    }
    return false;
}

// Notes the reason on each loop that has just lost stages.
static void note_fewer(struct pipeline *all, const struct loop_stages *stages, size_t count,
                       enum reason reason) {
    for (size_t i = 0; i < count; i++) {
        all[i].fewer = stages[i].slots < all[i].slots ? reason : all[i].fewer;
        all[i].slots = stages[i].slots;
    }
}

// The plans of the loops that can be pipelined, with the stages they ask for: num_stages of the loop, else of the kernel. The
// others' reasons are noted. -> the number of plans
static size_t plan_each(struct pass_context *context, const MlirOperation *ops, size_t count,
                        struct pipeline *all, struct loop_stages *stages) {
    int function_stages = 1;
    unsigned num_warps = 4;
    size_t plans = 0;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_FUNC) {
            function_stages = (int)op_int(ops[i], ATTR_NUM_STAGES);
            num_warps = (unsigned)op_int(ops[i], ATTR_NUM_WARPS);
        }
        int wanted = kind == OP_FOR ? (int)op_int_or(ops[i], ATTR_NUM_STAGES, function_stages) : 1;
        bool here = wanted <= 1 && kind == OP_FOR && context->target->vendor == VENDOR_AMD;
        if (wanted <= 1 && !here) {
            if (kind == OP_FOR) {
                decline(context, (MlirOperation){NULL}, REASON_ONE_STAGE);
                leave_alone(context, ops[i]);
            }
            continue;
        }
        struct pipeline *p = &all[plans];
        *p = (struct pipeline){.context = context,
                               .ir = context->ir,
                               .arena = context->arena,
                               .loop = ops[i],
                               .body = op_body(ops[i], 0),
                               .num_warps = num_warps,
                               .here = here,
                               .async = target_has(context->target, FEATURE(CP_ASYNC))};
        if (here ? decide_here(p) : decide(p)) {
            p->slots = here ? 1 : p->async ? wanted : 2;
            p->wanted = p->slots;
            stages[plans++] = stages_of(p);
        } else {
            leave_alone(context, ops[i]);
        }
    }
    return plans;
}

// The plan with its final slots: which loads are late, whether a product is in flight, and how many steps the copies run ahead.
static void settle(struct pass_context *context, struct pipeline *p, const struct loop_stages *stages) {
    p->slots = stages->slots;
    for (size_t l = 0; l < p->load_count; l++) {
        p->loads[l].late &= stages->late;
    }
    p->in_flight = p->async && stages->slots > 2 &&
                   (runs_on(p) || dots_in_flight(context, p->loop, stages->loads, p->operand_count) == 1);
    p->behind = p->in_flight && stages->slots == 3;
    p->distance = p->async && stages->slots > 1 ? stages->slots - 1 - (p->in_flight && !p->behind) : 1;
    p->unrolled = p->unguarded && p->slots == 2 && op_has(p->loop, ATTR_EVEN) && has_registers_for_two(p);
}

// The plans of all loops. Their numbers of stages are set in this order, each step from the one before: num_stages of the loop, else of the
// kernel (`wanted`); lds_copies_stages (gfx950); stages_share, down to what a block holds, with late tiles below two stages; stages_spare, down to what lets two blocks run
// beside each other; add_computed, which may take further loads and no stage; deepen, up on sm_90 and later. A step that takes stages away
// goes before add_computed, notes its reason (note_fewer), and has to hold in deepen, too.
static struct pipeline *plan_loops(struct pass_context *context, MlirModule module, size_t *plan_count) {
    size_t count, loops = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        loops += op_kind(context->ir, ops[i]) == OP_FOR;
    }
    struct pipeline *all = ARENA_ARRAY(context->arena, struct pipeline, loops + 1);
    struct loop_stages *stages = ARENA_ARRAY(context->arena, struct loop_stages, loops + 1);
    size_t plans = plan_each(context, ops, count, all, stages);
    if (target_has(context->target, FEATURE(LDS_COPY))) {
        lds_copies_stages(context, all, stages, plans);
    }
    stages_share(context, stages, plans, context->target->shared_limit);
    note_fewer(all, stages, plans, REASON_FEWER_STAGES);
    stages_spare(context, stages, plans, 2, target_shared_share(context->target, 2));
    note_fewer(all, stages, plans, REASON_FEWER_FOR_TWO);
    for (size_t i = 0; i < plans; i++) {
        add_computed(context, &all[i], stages, i, plans);
        stages[i].slots = all[i].load_count > 0 ? stages[i].slots : 0;
        deepen(context, &all[i], stages, i, plans);
    }
    for (size_t i = 0; i < plans; i++) {
        settle(context, &all[i], &stages[i]);
    }
    *plan_count = plans;
    return all;
}

// ---- the attributes ----

static const char *way_text(enum copy_way way) {
    return way == COPIES_ASYNC       ? ""
           : way == COPIES_REGISTERS ? ", through registers"
                                     : ", read in its own iteration";
}

static long long stage_bytes(const struct pipeline *p) {
    long long bytes = 0;
    for (size_t i = 0; i < p->load_count; i++) {
        MlirType tile = mlirValueGetType(mlirOperationGetResult(p->loads[i].load, 0));
        bytes += type_elements(tile) * type_bits(type_element(tile)) / 8;
    }
    return bytes;
}

// Whether copies to LDS bypass the registers, or the reason.
static void tell_copies(const struct pipeline *p) {
    if (p->async) {
        remark(p->context, REMARK_LDS_COPY, p->loop, "the loop's tiles are copied to LDS past the registers");
        return;
    }
    struct declined before = p->context->declined;
    p->context->declined = p->uncopied;
    reason_keep(p->context, p->loop, ATTR_LDS_COPY);
    p->context->declined = before;
}

static void write_loop(const struct pipeline *p) {
    struct builder b = builder_before(p->ir, p->loop);
    enum copy_way way = p->here ? COPIES_HERE : p->async ? COPIES_ASYNC : COPIES_REGISTERS;
    char text[128];
    snprintf(text, sizeof text, "%d stage%s%s%s", p->slots, p->slots > 1 ? "s" : "", way_text(way),
             pipeline_late_count(p) == 0 ? ""
             : p->slots == 1             ? ", filled again behind its readers"
                                         : ", one of tiles for later products");
    op_set_string(p->ir, p->loop, ATTR_PIPELINE, text);
    const char *fewer = "";
    if (p->fewer && p->slots < p->wanted) {
        fewer = arena_printf(p->arena, "; fewer than the %d stages, for %s (%lld bytes a stage)", p->wanted,
                             reason_text(p->fewer), stage_bytes(p));
    }
    remark(p->context, REMARK_PIPELINE, p->loop, "the loop is pipelined: %s%s", text, fewer);
    if (target_has(p->context->target, FEATURE(LDS_COPY)) && !p->here) {
        tell_copies(p);
    }
    op_set_word(&b, p->loop, WORDS_COPIES, way);
    const struct {
        bool set;
        enum attribute_name name;
    } flags[] = {{p->behind, ATTR_BEHIND},
                 {p->proxy, ATTR_PROXY},
                 {p->unguarded, ATTR_UNGUARDED},
                 {p->unrolled, ATTR_TWO_STEPS}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (flags[i].set) {
            op_set_unit(p->ir, p->loop, flags[i].name);
        }
    }
}

// The roles let a product with scales run beside the next step; the slots for its scales may be too few for that.
static void in_flight_as_planned(const struct pipeline *p, MlirOperation dot) {
    if (p->in_flight) {
        op_set_int(p->ir, dot, ATTR_IN_FLIGHT, p->in_flight);
    } else {
        op_remove_attribute(dot, ATTR_IN_FLIGHT);
    }
}

static void write_plan(const struct pipeline *p) {
    struct builder b = builder_before(p->ir, p->loop);
    size_t count;
    const MlirOperation *loads = loads_ahead(p, &count);
    loads_assume_apart(p->context, p->loop, loads, p->here ? 0 : count);
    write_loop(p);
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        op_set_int(p->ir, op, ATTR_STAGE, p->here ? 0 : p->distance);
        if (op_kind(p->ir, op) == OP_DOT) {
            in_flight_as_planned(p, op);
        }
    }
    for (size_t i = 0; i < p->slice_count; i++) {
        op_set_int(p->ir, p->slice[i], ATTR_STAGE, 0);
    }
    for (size_t i = 0; i < p->load_count; i++) {
        bool operand = p->here || i < p->operand_count;
        bool late = p->loads[i].late;
        op_set_int(p->ir, p->loads[i].load, ATTR_STAGE, late ? p->distance : 0);
        op_set_int(p->ir, p->loads[i].load, ATTR_SLOTS, late ? 1 : p->slots);
        op_set_word(&b, p->loads[i].load, WORDS_ROLE, operand ? ROLE_COPY : ROLE_COPY_VALUE);
    }
}

// Notes the loads replaced by copies, and the ops repeated for their addresses.
static void note_staged(struct map *staged, const struct pipeline *p) {
    for (size_t i = 0; i < p->load_count; i++) {
        map_put(staged, p->loads[i].load.ptr, p->loads[i].load.ptr);
    }
    for (size_t i = 0; i < p->slice_count; i++) {
        map_put(staged, p->slice[i].ptr, p->slice[i].ptr);
    }
}

void pass_plan(struct pass_context *context, MlirModule module) {
    size_t count;
    struct map staged = {0};
    struct pipeline *plans = plan_loops(context, module, &count);
    for (size_t i = 0; i < count; i++) {
        const struct pipeline *p = &plans[i];
        if (p->slots > 0) {
            note_staged(&staged, p);
            write_plan(p);
        } else {
            decline_numbers(context, p->loop, REASON_STAGE_ROOM, stage_bytes(p) * (p->async ? 2 : 1),
                            0); // of the fewest useful stages
            context->declined = p->load_count > 0 ? context->declined : p->declined;
            leave_alone(context, p->loop);
        }
    }
    next_step_plan(context, module, &staged);
    map_free(&staged);
    context->declined = (struct declined){0};
}
