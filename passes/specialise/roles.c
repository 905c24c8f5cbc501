// roles: chooses the loops to specialise and marks their ops with roles. The roles are attributes in the IR;
// `specialise` rewrites the loops by them.
//
//   scf.for … {                      scf.for … {                    {tk.copies = "warp", tk.pipeline = "4 slots, filled by a warp of their own"}
//     %x = tk.load %p                  %x = tk.load %p              {tk.role = "copy", tk.slots = 4, tk.stage = 0}
//     %s = tk.dot %q, %x, …     →      %s = tk.dot %q, %x, …        {tk.stage = 0}      an iteration early
//     %w = … of %s                     %w = … of %s
//     %d = tk.dot %w, %y, …            %d = tk.dot %w, %y, …        {tk.stage = 2}      an iteration late
//   }                                }
//
// Conditions, else the loops are pipelined as usual:
//   * warpgroup instructions (wgmma), or on chips with FEATURE(COPY_WARP) dots of single warps (mma.sync);
//   * all dots are in stage loops or in the function's body beside them, and all loops copy tiles of the same
//     types to slots;
//   * every operand from memory is a box of a strided tensor (tile_access.c), or its rows have addresses within the
//     producer's reach (specialise_gather.c), those of one operand if the loop has one dot; or threads compute it and put it into
//     shared memory in each step;
//   * the producer can compute loop bounds and box corners from arguments, program ids, loaded scalars, the
//     spine's counters and carried scalars, and loops and branches of such scalars;
//   * no earlier op of the program can be needed to make the operands visible (run_ahead.c).
// A loop left alone has the reason in tk.specialise.
//
// Warps with mma.sync read the slots into fragments, by ldmatrix. All tiles that their loop loads are copied, for a load by threads would leave
// each step waiting for memory; slots are free behind the reads. It costs registers and blocks of a multiprocessor, and is left where these run
// short.
//
// The schedules of attention and of its gradients are stages of their dots: 0 starts an iteration early, 2 is
// issued an iteration late, all others are 1.
//
// requires: layouts; loads and stores as tk.load and tk.store
// provides: the same program; roles, slots and stages in the functions to specialise
// test:     tests/golden/passes/roles, tests/unit/test_specialise.c, tests/unit/test_run_ahead.c
#include "passes/specialise/specialise.h"

#include <limits.h>
#include <stdio.h>

#include "chip/registers.h"
#include "chip/scratch.h"
#include "chip/tcgen05.h"
#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/run_ahead.h"
#include "passes/pipeline/warpgroup.h"

// True if a warp that copies pays beside warps with mma.sync.
static bool copies_for_threads(const struct specialise *s) {
    return target_has(s->context->target, FEATURE(COPY_WARP)) || op_has(s->function, ATTR_WARP_SLICES);
}

// True if the chip's warps multiply tiles from registers by an instruction of one warp, and a warp that copies pays beside them.
static bool is_by_threads(const struct specialise *s, MlirOperation dot) {
    MlirStringRef name = op_string(dot, ATTR_INSTRUCTION);
    const struct mma *mma = name.data ? mma_find(name.data, name.length) : NULL;
    return copies_for_threads(s) && mma && mma->warps == 1;
}

// Finds the loops directly around the function's dots, and the spine around these loops. False if there is
// none, or a dot is in a branch, or in a loop around another one.
static bool find_loops(struct specialise *s) {
    struct pass_context *context = s->context;
    size_t count;
    MlirOperation beside = {NULL};
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(s->ir, ops[i]) != OP_DOT) {
            continue;
        }
        MlirOperation around = mlirOperationGetParentOperation(ops[i]);
        bool known = s->loop_count > 0 && mlirOperationEqual(s->loops[s->loop_count - 1].loop, around);
        if (!dot_is_warpgroup(ops[i]) && !is_by_threads(s, ops[i])) {
            return decline(context, ops[i], REASON_NO_WARPGROUP);
        }
        s->mma_sync |= !dot_is_warpgroup(ops[i]);
        if (in_block(ops[i], s->body)) { // beside the loops: the consumers' own
            beside = ops[i];
            continue;
        }
        if (op_kind(s->ir, around) != OP_FOR) {
            return decline(context, ops[i], REASON_DOT_PLACE);
        }
        if (!spine_add(s, around)) {
            return false;
        }
        if (!known && s->loop_count == SPECIALISE_MAX_LOOPS) {
            return decline(context, around, REASON_MANY_LOOPS);
        }
        if (!known) {
            s->loops[s->loop_count++].loop = around;
        }
        s->loops[s->loop_count - 1].dot = ops[i];
    }
    for (size_t n = 0; n < s->loop_count; n++) {
        if (on_spine(s, s->loops[n].loop)) {
            return decline(context, s->loops[n].dot, REASON_DOT_PLACE);
        }
    }
    if (s->loop_count > 0) {
        spine_settle(s);
        return true;
    }
    return !mlirOperationIsNull(beside) && decline(context, beside, REASON_DOT_PLACE);
}

// Adds the vectors loaded behind the loops for their results, unless they cost a slot. With one buffer of each the producer
// would wait for the end of the tile. If blocks share a multiprocessor, vectors widened first stay with the threads (H200,
// 4096 x 4096 x 1024, tiles of 64 columns: copies take 1.5 to 3 % more time).
static void add_behind(struct specialise *s, int wanted) {
    size_t before = s->kept_count;
    int slots = s->slots;
    unsigned blocks = s->blocks;
    MlirOperation op = {NULL}, loop = s->loops[s->loop_count - 1].loop;
    s->at_home = true;
    while (s->kept_count < SPECIALISE_MAX_KEPT && map_count(s) < SPECIALISE_MAX_MAPS &&
           !mlirOperationIsNull(op = kept_behind(s, op))) {
        if (kept_is_tile(op) || (s->blocks > 1 && is_widened(s, op))) {
            continue;
        }
        if (loads_may_run_ahead(s->context, s->function, loop, &op, 1, s->waits, s->wait_count) &&
            value_copy(s, loop, op, &s->kept[s->kept_count])) {
            s->kept_count++;
        } else {
            reason_keep(s->context, op, ATTR_TENSOR_COPY);
        }
    }
    s->at_home = false;
    if (s->kept_count > before &&
        (slots_that_fit(s, wanted) < slots || s->blocks < blocks || s->kept_slots < 2)) {
        s->kept_count = before;
        slots_that_fit(s, wanted);
    }
}

// True if there is room for the additions, and slots for the products.
static bool has_room(struct specialise *s, int wanted, int least, unsigned blocks) {
    s->slots = slots_that_fit(s, wanted);
    return s->slots >= least && s->blocks == blocks && s->kept_slots == 2;
}

// Adds the tiles loaded behind the loops for their results. Threads would load them 4 bytes at a time.
static void add_tiles(struct specialise *s, int wanted) {
    MlirOperation op = {NULL}, loop = s->loops[s->loop_count - 1].loop;
    int slots = s->slots, least = slots < EPILOGUE_LEAST_SLOTS ? slots : EPILOGUE_LEAST_SLOTS;
    unsigned blocks = s->blocks;
    while (s->kept_count < SPECIALISE_MAX_KEPT && map_count(s) < SPECIALISE_MAX_MAPS &&
           !mlirOperationIsNull(op = kept_behind(s, op))) {
        if (!kept_is_tile(op) || is_operand(s, op)) {
            continue;
        }
        s->at_home = true;
        bool copied = loads_may_run_ahead(s->context, s->function, loop, &op, 1, s->waits, s->wait_count) &&
                      value_copy(s, loop, op, &s->kept[s->kept_count]);
        s->at_home = false;
        if (!copied) {
            reason_keep(s->context, op, ATTR_TENSOR_COPY);
            continue;
        }
        s->kept[s->kept_count++].at_end = true;
        struct copy store = s->stores[0];
        bool fits = has_room(s, wanted, least, blocks);
        if (!fits && s->store_count == 1 && store_takes_one_buffer(&s->stores[0], s->ir)) {
            fits = has_room(s, wanted, least, blocks);
        }
        if (!fits) {
            s->stores[0] = store;
            s->kept_count--;
            s->slots = slots_that_fit(s, wanted);
        }
    }
}

// Results of one product, or of several sums of one loop, leave registers for the loads behind it.
static bool wants_behind(const struct specialise *s) {
    bool plain = s->slices == 1 && !(s->store_count == 1 && s->stores[0].beside);
    for (size_t i = 0; i < s->loop_count; i++) {
        plain &= mlirOperationIsNull(s->loops[i].chained) && s->loops[i].late_count == 0;
    }
    for (size_t i = 0; i < s->store_count; i++) {
        plain &= op_kind(s->ir, s->stores[i].access) == OP_STORE; // sums of parts want no other values
    }
    return plain;
}

// False for kernels with inline assembly that may count on registers or on barriers of all warps, with ops
// reading block or thread numbers, or with maxnreg.
static bool allows_other_warps(struct specialise *s) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        bool effects = op_kind(s->ir, ops[i]) == OP_INLINE_ASM && !op_has(ops[i], ATTR_PURE);
        if (effects || op_names_block(s->ir, ops[i])) {
            return decline(s->context, ops[i], REASON_ALL_WARPS);
        }
    }
    int64_t most = op_int(s->function, ATTR_MAXNREG);
    return most == 0 || decline_numbers(s->context, (MlirOperation){NULL}, REASON_MAXNREG, most, 0);
}

// Collects the producer's loads: copies, and scalars.
static size_t producer_loads(struct specialise *s, MlirOperation **loads) {
    size_t count, known = s->kept_count;
    producer_needs_all(s);
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    MlirOperation *all =
        ARENA_ARRAY(s->arena, MlirOperation, count + known + SPECIALISE_MAX_LOOPS * SPECIALISE_MAX_LOADS);
    for (size_t i = 0; i < known; i++) {
        all[i] = s->kept[i].access;
    }
    for (size_t n = 0; n < s->loop_count; n++) {
        for (size_t i = 0; i < s->loops[n].load_count; i++) {
            all[known++] = s->loops[n].loads[i].access;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const void *loaded = op_kind(s->ir, ops[i]) == OP_LOAD ? mlirOperationGetResult(ops[i], 0).ptr : NULL;
        if (loaded && (map_has(&s->needed, loaded) || map_has(&s->tiles, loaded))) {
            all[known++] = ops[i];
        }
    }
    *loads = all;
    return known;
}

// Consumers do not wait for the producer if loops have no trips. Nobody may write the memory loaded to find the trips: the producer could load
// a consumer's stores behind the loops. Corners of boxes are loaded before the copies, and consumers wait for the copies.
static bool scalars_stay(struct specialise *s) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(s->ir, ops[i]) != OP_LOAD ||
            !map_has(&s->deciding, mlirOperationGetResult(ops[i], 0).ptr)) {
            continue;
        }
        const void *loaded = pointer_memory(s->ir, load_pointer(ops[i]));
        for (size_t j = 0; j < count; j++) {
            enum op_kind kind = op_kind(s->ir, ops[j]);
            if (!(op_traits(kind) & WRITE) || kind == OP_ASSUME || kind == OP_ASSERT ||
                stands_in_wait(s, ops[j])) {
                continue;
            }
            bool addressed = kind == OP_STORE || op_is_atomic(kind);
            const void *written = addressed ? pointer_memory(s->ir, access_pointer(ops[j])) : NULL;
            if (!loaded || !written || loaded == written) {
                return decline(s->context, ops[j], REASON_ORDERS_MEMORY);
            }
        }
    }
    return true;
}

static bool producer_may_run_ahead(struct specialise *s) {
    MlirOperation *loads;
    size_t count = producer_loads(s, &loads);
    return loads_may_run_ahead(s->context, s->function, s->loops[s->loop_count - 1].loop, loads, count,
                               s->waits, s->wait_count) &&
           scalars_stay(s);
}

// Schedules the dots of a chain. Measured on an H200, fp16:
//   * the first starts an iteration early if registers hold its result twice, beside the other's operand and sum;
//   * the other is issued an iteration late, beside the next exponentials, if products are few (heads of 64 gain
//     5 %, heads of 128 lose 8 %) and registers hold its operand twice.
// Without these registers ptxas does one product after the other (C7512). In tensor memory results take no registers while
// products run, so the first starts early.
static void schedule_chain(const struct specialise *s, struct stage_loop *stage) {
    if (target_has(s->context->target, FEATURE(TCGEN05))) {
        stage->early = true;
        return;
    }
    unsigned first = specialise_registers(s, mlirValueGetType(mlirOperationGetResult(stage->chained, 0)));
    unsigned late = specialise_registers(s, mlirValueGetType(dot_a(stage->dot)));
    late += s->blocks > 1 ? registers_reserved(RESERVE_LATE_OPERAND) : 0;
    unsigned need = chain_registers(s, stage);
    stage->early = need + first <= consumer_registers(s);
    need += stage->early ? first : 0;
    bool few = are_few_products(stage->chained, stage->dot);
    stage->delayed = few && need + late <= consumer_registers(s);
    bool apart = !stage->early && !stage->delayed && s->blocks == 1;
    stage->apart = apart ? need + (few && late < first ? late : first) : 0;
}

static unsigned consumers_of(const struct specialise *s) {
    return s->num_warps / WGMMA_WARPS;
}

static MlirType aside_type(const struct stage_loop *stage) {
    return mlirOperationIsNull(stage->aside) ? (MlirType){NULL}
                                             : mlirValueGetType(mlirOperationGetResult(stage->aside, 0));
}

// True if all loops copy tiles of the same types, rounded or not, to the same slots, and have dots aside of the same operand, or none.
static bool slots_agree(struct specialise *s) {
    for (size_t n = 0; n < s->loop_count; n++) {
        const struct stage_loop *stage = &s->loops[n], *first = &s->loops[0];
        for (size_t i = 0; i < stage->load_count; i++) {
            if (i >= first->load_count || !mlirTypeEqual(stage->loads[i].type, first->loads[i].type) ||
                stage->loads[i].group != first->loads[i].group ||
                stage->loads[i].gathered != first->loads[i].gathered ||
                is_rounded(s, &stage->loads[i]) != is_rounded(s, &first->loads[i])) {
                return decline(s->context, stage->loop, REASON_SLOTS_DIFFER);
            }
        }
        if (stage->load_count != first->load_count || !mlirTypeEqual(aside_type(stage), aside_type(first))) {
            return decline(s->context, stage->loop, REASON_SLOTS_DIFFER);
        }
    }
    return s->loops[0].load_count > 0 || decline(s->context, s->loops[0].loop, REASON_NO_LOADS);
}

// True if a chain gathers rows, but loads no row's place in its steps. Threads that copy such rows themselves wait for nothing else, and a lone
// warpgroup does not make up for the blocks that they leave (H200, lists of blocks, 64 x 64 on 4 warps, heads of 128: 1.296 ms for 1.066;
// where places are loaded, 0.68 to 0.89 of the time without roles).
static bool gathers_known(const struct specialise *s) {
    bool known = s->dots == 2 && gathers(&s->loops[0]);
    for (size_t n = 0; n < s->loop_count && known; n++) {
        MlirBlock body = op_body(s->loops[n].loop, 0);
        for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
             op = mlirOperationGetNextInBlock(op)) {
            known &= op_kind(s->ir, op) != OP_LOAD || !map_has(&s->tiles, mlirOperationGetResult(op, 0).ptr);
        }
    }
    return known;
}

// False if the producer would have to reduce tiles for bounds or boxes, and gathers nothing.
static bool may_reduce(struct specialise *s) {
    if (gathers(&s->loops[0])) {
        return true;
    }
    for (size_t n = 0; n < s->loop_count; n++) {
        for (size_t i = 0; i < s->loops[n].load_count; i++) {
            if (s->loops[n].loads[i].reduced) {
                return decline(s->context, s->loops[n].loads[i].access, REASON_CORNER);
            }
        }
    }
    return !s->reduces || decline(s->context, s->loops[0].loop, REASON_BOUNDS);
}

// Finds the loops and their copies; false if some loop may not be specialised, whatever room there is.
static bool decide_copies(struct specialise *s) {
    s->num_warps = (unsigned)op_int(s->function, ATTR_NUM_WARPS);
    bool whole = s->num_warps % WGMMA_WARPS == 0 || copies_for_threads(s);
    if (!whole || consumers_of(s) > SPECIALISE_MAX_CONSUMERS) {
        return decline_numbers(s->context, (MlirOperation){NULL}, REASON_WARPS, s->num_warps, 0);
    }
    if (!allows_other_warps(s) || !find_loops(s) || (s->loop_count > 0 && !spine_is_producible(s))) {
        return false;
    }
    for (size_t i = 0; i < s->loop_count; i++) {
        if (!loop_decide(s, &s->loops[i])) {
            return false;
        }
    }
    if (op_int(s->function, ATTR_NUM_STAGES) < 2) {
        return decline(s->context, (MlirOperation){NULL}, REASON_ONE_STAGE);
    }
    gather_alike(s);
    if (!slots_agree(s) || !may_reduce(s)) {
        return false;
    }
    waits_find(s);
    s->at_home = true;
    if (s->kept_count > 0) {
        values_add(s, s->loops[0].loop, s->home, s->kept, &s->kept_count, SPECIALISE_MAX_KEPT);
    }
    s->at_home = false;
    if (!producer_may_run_ahead(s)) {
        return false;
    }
    return map_count(s) <= SPECIALISE_MAX_MAPS ||
           decline_numbers(s->context, (MlirOperation){NULL}, REASON_MANY_MAPS, (long long)map_count(s), 0);
}

// Divides shared memory between slots, stores, conversions and what is loaded behind the loops.
static void decide_slots(struct specialise *s) {
    int wanted = (int)op_int_or(s->loops[0].loop, ATTR_NUM_STAGES, op_int(s->function, ATTR_NUM_STAGES));
    s->stages = wanted;
    find_stores(s);
    s->slices = slices_that_pay(s);
    s->slices_bytes = slices_bytes(s);
    s->slots = slots_that_fit(s, wanted);
    if (s->slots < wanted && s->mma_sync) {
        make_room(s, wanted);
    } else if (s->slots < wanted && convert_in_pieces(s, SPECIALISE_PIECE)) {
        s->slots = slots_that_fit(s, wanted);
    }
    if (s->slices > 1 &&
        s->slots < 2 * (int)s->slices) { // each slice needs a slot to read and one to be filled
        s->slices = 1;
        s->slices_bytes = 0;
        s->slots = slots_that_fit(s, wanted);
    }
    s->slots -= s->slots % (int)s->slices;
    spare_store_tile(s, wanted);
    find_epilogue(s, wanted);
    if (wants_behind(s)) {
        add_behind(s, wanted);
        if (!target_has(s->context->target, FEATURE(TCGEN05)) && !s->mma_sync && !gathers(&s->loops[0])) {
            add_tiles(s, wanted);
        }
    }
}

// Decides early and late starts of dots, and turns of blocks and warps.
static void decide_schedules(struct specialise *s) {
    for (size_t i = 0; i < s->loop_count; i++) {
        if (!mlirOperationIsNull(s->loops[i].chained)) {
            schedule_chain(s, &s->loops[i]);
        }
    }
    // A late dot reads the slot before while this iteration's is in use: the producer needs a third one.
    for (size_t i = 0; i < s->loop_count && s->slots < 3; i++) {
        s->loops[i].late_count = 0;
    }
    s->uneven = waits_in_order(s) ? 0 : spine_axes(s, s->uneven);
    s->turns = turns_pay(s);
}

// True if registers, blocks and slots are enough for roles to pay.
static bool roles_pay(struct specialise *s) {
    // Of loops that put a computed operand into shared memory the count is exact enough: a state of 128 x 64 beside three products of 64 rows
    // (retention, about 250 of 240) spills, and takes 1.09 of the time.
    bool counts = s->mma_sync || (s->dots > 1 && s->loops[0].computes);
    unsigned registers = consumer_registers(s), need = counts ? mma_sync_registers(s) : 0;
    bool lacks = s->mma_sync ? !mma_sync_fits(s, s->blocks) : need > registers;
    if (lacks && registers_share(s->context->target, s->num_warps, s->blocks) > registers) {
        return decline_numbers(s->context, s->loops[0].loop, REASON_FEWER_REGISTERS, registers, need);
    }
    enum { WARPS = 8 }; // two to each scheduler
    bool waits =
        s->mma_sync || gathers_known(s) ||
        (s->dots == 1 && (loads_tiles_directly(s, &s->loops[0]) || computes_of_tiles(s, &s->loops[0])));
    if (waits && blocks_without_roles(s) > s->blocks && s->blocks * consumer_warps(s) < WARPS) {
        return decline_numbers(s->context, s->loops[0].loop, REASON_FEWER_BLOCKS, s->blocks,
                               blocks_without_roles(s));
    }
    // A gathering producer signals a slot behind the start of the next copies. They wait for a slot, and the
    // consumers free it while they read the one before.
    return s->slots >= (gathers(&s->loops[0]) ? 3 : 2) ||
           decline_numbers(s->context, (MlirOperation){NULL}, REASON_SLOT_ROOM, slot_bytes(s, 1),
                           target_shared_share(s->context->target, 1));
}

static bool decide(struct specialise *s) {
    if (!decide_copies(s)) {
        return false;
    }
    decide_slots(s);
    decide_schedules(s);
    return roles_pay(s);
}

// Writes the reason to each loop with dots left alone.
static void keep_reasons(const struct specialise *s) {
    size_t count;
    struct declined declined = s->context->declined;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirOperation around = mlirOperationGetParentOperation(ops[i]);
        if (op_kind(s->ir, ops[i]) == OP_DOT && op_kind(s->ir, around) == OP_FOR &&
            !op_has(around, ATTR_SPECIALISE)) {
            s->context->declined = declined;
            reason_keep(s->context, around, ATTR_SPECIALISE);
        }
    }
    s->context->declined = (struct declined){0};
}

void pass_roles(struct pass_context *context, MlirModule module) {
    if (!(context->target->has & FEATURES_SWIZZLED) || !context->tensor_maps) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        struct specialise s = specialise_open(context, op);
        affines_open(&s.affines, context, op);
        bool specialised = decide(&s);
        affines_close(&s.affines);
        forget_epilogues(&s, specialised);
        if (specialised) {
            MlirOperation *loads;
            size_t load_count = producer_loads(&s, &loads);
            loads_assume_ahead(context, s.function, s.loops[s.loop_count - 1].loop, loads, load_count,
                               s.waits, s.wait_count);
            roles_write(&s);
        } else {
            if (s.mma_sync || s.store_count == 0) {
                convert_in_pieces(&s, UINT_MAX); // conversions are whole again
            }
            keep_reasons(&s);
        }
        specialise_close(&s);
    }
}
