// The pass runner: order, verification, dumps and times. The runner provides them, so every pass can be
// dumped, timed, run alone and stopped after.
#include "passes/pass.h"

#include <string.h>
#include <time.h>

const struct pass pass_table[PASS_COUNT] = {
#define NEEDED true
#define OPTIONAL false
#define PASS(id, name, use, doc) [PASS_##id] = {#name, pass_##name, use, doc},
#include "passes/passes.def"
#undef PASS
#undef OPTIONAL
#undef NEEDED
};

// The reasons for the table's order. passes_order_fault checks each row; a unit test calls it.
static const struct {
    enum pass_id before, after;
    const char *why;
} order_constraints[] = {
    {PASS_TILE_LOOPS, PASS_SHORT_LOOPS, "few steps of few tiles are few steps of one loop"},
    {PASS_TILE_LOOPS, PASS_CLEANUP, "the rewrite leaves dead arithmetic and carried values"},
    {PASS_TENSOR_ROLES, PASS_PAIRS, "the even block's multiplying warp starts the products of both"},
    {PASS_PAIRS, PASS_LAUNCH_CONTROL, "a pair takes the place of a pair"},
    {PASS_FINISH, PASS_LAUNCH_CONTROL, "what dead ops ask of a block's number is no reason to deal programs"},
    {PASS_LATE_SCALARS, PASS_LAUNCH_CONTROL, "it looks for the loop over a block's programs"},
    {PASS_RESIDUALS_AHEAD, PASS_LAUNCH_CONTROL, "it looks for the loop over a block's programs"},
    {PASS_DEPENDENT_LAUNCH, PASS_LAUNCH_CONTROL,
     "what waits for another launch keeps its share of the programs"},
    {PASS_LAUNCH_CONTROL, PASS_SHARED_ALLOC, "answers come to shared memory"},
    {PASS_PAIRS, PASS_KEPT_LEFTS, "pairs finds left operands by their slots"},
    {PASS_WARPGROUP, PASS_REGISTER_LEFTS, "products of warpgroups say what they read of shared memory"},
    {PASS_FINISH, PASS_REGISTER_LEFTS, "a result that is only added has no dead use"},
    {PASS_REGISTER_LEFTS, PASS_SHARED_ALLOC,
     "a slot that is read ahead of a loop may not be live throughout it"},
    {PASS_PAIRS, PASS_FINISH, "what is computed again for other programs has equal ops"},
    {PASS_LAYOUTS, PASS_PARTIAL_SUMS, "which threads hold the parts of a sum stands in its layout"},
    {PASS_LAYOUTS, PASS_RELOAD, "registers are counted from layouts"},
    {PASS_LAYOUTS, PASS_KEPT_SOURCES, "what is stored lives somewhere"},
    {PASS_KEPT_SOURCES, PASS_PLAN, "stages share what shared memory the kept sources leave"},
    {PASS_RELOAD, PASS_PLAN, "stages share what shared memory the kept operands leave"},
    {PASS_COUNTED_WHILES, PASS_SHORT_LOOPS, "a loop that counts may take few steps"},
    {PASS_SHORT_LOOPS, PASS_DECIDING_LOADS, "a loop that is written out decides nothing"},
    {PASS_SHORT_LOOPS, PASS_CLEANUP, "steps that are written out have equal ops"},
    {PASS_DECIDING_LOADS, PASS_CLEANUP, "a load that is done in each turn is neither merged nor hoisted"},
    {PASS_REPEATED_ROWS, PASS_CLEANUP, "the addresses of the repeated rows are dead"},
    {PASS_HALVED_COLUMNS, PASS_CLEANUP, "the whole tile is dead, and equal ops of its halves are one"},
    {PASS_CLEANUP, PASS_GROUPED_PID, "the divisor of the id and of its remainder must be one value"},
    {PASS_CLEANUP, PASS_FUSE_FMA, "equal products must be one before their uses are counted"},
    {PASS_CLEANUP, PASS_UNIFORM_LOADS,
     "equal quotients are one value, and dead uses of a tile keep no column alive"},
    {PASS_UNIFORM_LOADS, PASS_LAYOUTS, "a number needs no layout"},
    {PASS_CLEANUP, PASS_DECIDED_COMPARES, "equal sums are one value, and its bound is found once"},
    {PASS_DECIDED_COMPARES, PASS_FUSE_FMA, "products that only a decided choice reads are dead"},
    {PASS_NARROW_INDICES, PASS_LAYOUTS,
     "what a thread holds of a tile, and how wide its runs are, follows from the elements"},
    {PASS_FLUSH_UNSEEN, PASS_FUSE_FMA, "sums of weights are products and sums before"},
    {PASS_FUSE_FMA, PASS_LAYOUTS, "layouts may compute a product twice, once for each layout"},
    {PASS_PEEL, PASS_LAYOUTS, "a peeled loop has tensors of its own, which need layouts"},
    {PASS_FUSE_FMA, PASS_WHOLE_STEPS, "both loops must round alike"},
    {PASS_LEGAL_DOTS, PASS_WHOLE_STEPS, "a loop is split where its dots have matrix instructions"},
    {PASS_WHOLE_STEPS, PASS_LAYOUTS, "the loop without masks has tensors of its own, which need layouts"},
    {PASS_LAYOUTS, PASS_WHOLE_ROWS, "how many masks a thread has follows from the layout"},
    {PASS_PARTIAL_SUMS, PASS_WHOLE_ROWS, "a loop's sum is added up over threads once, behind its last step"},
    {PASS_SPECIALISE, PASS_WHOLE_ROWS, "specialising looks for loops as the source has them"},
    {PASS_WHOLE_ROWS, PASS_PLAN, "a loop without masks is planned for itself"},
    {PASS_PEEL, PASS_PIPELINE, "the peeled loop, whose loads stand under no branch, is the one to pipeline"},
    {PASS_LAYOUTS, PASS_PARTIAL_SUMS, "the layout says which threads hold the parts of a sum"},
    {PASS_SMALL_FLOATS, PASS_LAYOUTS, "the new arithmetic on tiles needs layouts"},
    {PASS_LEGAL_DOTS, PASS_TURNED_DOTS,
     "a dot without an accumulator of its own adds to none that a loop carries"},
    {PASS_SHORT_LOOPS, PASS_PACKED_ROWS, "a loop that is written out is packed with its program"},
    {PASS_FLUSH_UNSEEN, PASS_PACKED_ROWS, "it looks for the sums of rows of one dimension"},
    {PASS_FUSE_FMA, PASS_PACKED_ROWS, "products and sums of rows are told apart by their shape"},
    {PASS_PACKED_ROWS, PASS_LAYOUTS, "whole rows go to warps"},
    {PASS_CLEANUP, PASS_REREAD_LOOPS, "equal addresses, and bounds, are one value"},
    {PASS_SHORT_LOOPS, PASS_REREAD_LOOPS, "a loop that is written out goes no way"},
    {PASS_REREAD_LOOPS, PASS_LAYOUTS, "widths of accesses follow from their addresses"},
    {PASS_CLEANUP, PASS_ROW_FACTORS, "equal addresses are one value"},
    {PASS_ROW_FACTORS, PASS_RETILED_STEPS, "steps behind the product read its scaled sums"},
    {PASS_CLEANUP, PASS_RETILED_STEPS, "equal addresses are one value"},
    {PASS_ROW_FACTORS, PASS_COLUMN_PAIRS, "steps behind the product read its scaled sums"},
    {PASS_CLEANUP, PASS_OPERAND_STEPS, "equal masks are one value"},
    {PASS_OPERAND_STEPS, PASS_RETILED_STEPS, "a store's mask tells which rows of the operand matter"},
    {PASS_OPERAND_STEPS, PASS_CHAIN_EDGES, "no step ahead of a product loads or stores any more"},
    {PASS_COLUMN_PAIRS, PASS_RETILED_STEPS, "both halves are stored at the same elements"},
    {PASS_RETILED_STEPS, PASS_UNIFORM_LOADS, "a step's loads are told by their marks"},
    {PASS_RETILED_STEPS, PASS_CHAIN_EDGES, "all steps have the tile's program ids"},
    {PASS_PACKED_ROWS, PASS_CHAIN_EDGES, "a program's rows and masks are final"},
    {PASS_CLEANUP, PASS_JOINED_LOOPS, "equal bounds, and addresses ahead of loops, are one value"},
    {PASS_RETILED_STEPS, PASS_JOINED_LOOPS, "a step that takes another grid has no loop beside the tile's"},
    {PASS_JOINED_LOOPS, PASS_LAYOUTS, "an operand of both products is one tile"},
    {PASS_WHOLE_STEPS, PASS_SLACK, "each of the two loops has its own maximum"},
    {PASS_FUSE_FMA, PASS_SLACK, "a difference of roundings is known by its maximum"},
    {PASS_SLACK, PASS_LAYOUTS, "rules of ops do not know layouts"},
    {PASS_WHOLE_STEPS, PASS_SHARED_KEYS, "rows of several programs are no sum of an index and scalars"},
    {PASS_SLACK, PASS_SHARED_KEYS, "it looks for a program's rows"},
    {PASS_SHARED_KEYS, PASS_LAYOUTS, "layouts are of the tile's warps"},
    {PASS_SLACK, PASS_PAIRED_FORM, "it looks for a program's rows"},
    {PASS_SHARED_KEYS, PASS_PAIRED_FORM, "a form of 16 warps has its rows already"},
    {PASS_PAIRED_FORM, PASS_LAYOUTS, "layouts are of the tile's warps"},
    {PASS_CHAIN_EDGES, PASS_LAYOUTS, "addresses are compared as the source has them"},
    {PASS_LAYOUTS, PASS_HANDED_VALUES,
     "layouts are those of kernels that load and store, so that sums round alike"},
    {PASS_LEGAL_DOTS, PASS_WARP_SLICES, "operands have the types that are multiplied"},
    {PASS_SMALL_FLOATS, PASS_WARP_SLICES, "the trial sees what the layouts will see"},
    {PASS_WARP_SLICES, PASS_TURNED_DOTS, "which products are turned depends on the number of warps"},
    {PASS_WARP_SLICES, PASS_LAYOUTS, "layouts are of one warp"},
    {PASS_CLEANUP, PASS_WIDE_STEPS, "loops add to what they carry, and invariant values stand ahead of them"},
    {PASS_LEGAL_DOTS, PASS_WIDE_STEPS, "the trials see what the layouts will see"},
    {PASS_WIDE_STEPS, PASS_LAYOUTS, "tiles change their shapes"},
    {PASS_TURNED_DOTS, PASS_LAYOUTS, "layouts follow from which operand is the left one"},
    {PASS_LEGAL_DOTS, PASS_LAYOUTS, "the layouts pass gives each dot an instruction for the types it has"},
    {PASS_LAYOUTS, PASS_PLAN, "the plan looks for a load whose tile is converted to a dot operand's layout"},
    {PASS_SPECIALISE, PASS_CONVERTS_FIRST, "specialising looks for conversions where the layouts put them"},
    {PASS_CONVERTS_FIRST, PASS_PLAN, "the plan looks for conversions right behind loads"},
    {PASS_SPECIALISE, PASS_PLAN, "loops whose operands come by bulk copies need no other pipeline"},
    {PASS_LAYOUTS, PASS_BESIDE, "how sums lie in warps stands in their layout"},
    {PASS_BESIDE, PASS_ROLES, "sums that wait in shared memory take the room of slots"},
    {PASS_HANDED_VALUES, PASS_UNREAD, "a product whose results no step loads is dead"},
    {PASS_DECIDED_COMPARES, PASS_UNREAD, "products that only a decided choice reads are dead"},
    {PASS_UNREAD, PASS_ROLES, "waits leave as many products under way as a step has"},
    {PASS_UNREAD, PASS_PLAN, "waits leave as many products under way as a step has"},
    {PASS_ROLES, PASS_SPECIALISE, "specialising rewrites what the roles say"},
    {PASS_ROLES, PASS_ACCESS_WIDTHS, "the width of an access does not matter to tensor maps"},
    {PASS_ACCESS_WIDTHS, PASS_SPECIALISE, "loads and stores of the source stand in its loops until then"},
    {PASS_RELOAD, PASS_ROLES, "slots share what shared memory the kept operands leave"},
    {PASS_PLAN, PASS_NARROW_LOOPS, "pipelining narrows the pointers of its own loops"},
    {PASS_PLAN, PASS_PIPELINE, "pipelining rewrites what the plan says"},
    {PASS_PLAN, PASS_NEXT_STEP, "the plan says which loads stay in registers"},
    {PASS_PEEL, PASS_PLAN, "a loop without masks is planned for itself"},
    {PASS_NARROW_LOOPS, PASS_PIPELINE, "which loops run ahead stands in the plan, and the plan goes"},
    {PASS_PIPELINE, PASS_ROUNDED_SLOTS, "what is stored to slots is rounded"},
    {PASS_PIPELINE, PASS_NEXT_STEP, "addresses that copies run ahead with are not those of the next step"},
    {PASS_NEXT_STEP, PASS_BOUNDED_OFFSETS, "what is loaded a step ahead has its guard in its mask"},
    {PASS_PIPELINE, PASS_BOUNDED_OFFSETS, "pipelining narrows the pointers of its own loops"},
    {PASS_BOUNDED_OFFSETS, PASS_FINISH,
     "equal bases and offsets are one, and the pointers they replace are dead"},
    {PASS_NEXT_STEP, PASS_OPERANDS_LATE, "what is read late is in its place by then"},
    {PASS_NEXT_STEP, PASS_LOADS_TOGETHER, "loops have the loads of their first steps ahead of them"},
    {PASS_LOADS_TOGETHER, PASS_WARPGROUP, "loads pass conversions and dots, not the barriers of these"},
    {PASS_OPERANDS_LATE, PASS_WARPGROUP, "a dot under way wants its operands before it"},
    {PASS_NEXT_STEP, PASS_PAIRED_STEPS,
     "a step's loads are those of the step behind, not of the pair behind"},
    {PASS_PAIRED_STEPS, PASS_WARPGROUP, "the waits stand behind both products of a pair"},
    {PASS_HIDDEN_ROWS, PASS_FUSED_WEIGHTS, "a hidden row's weights are found by the difference"},
    {PASS_STEADY_ROWS, PASS_FUSED_WEIGHTS, "steady rows are found by the ops from the maximum on"},
    {PASS_PIPELINE, PASS_WARPGROUP, "slots that pipelining fills are operands as they are"},
    {PASS_WARPGROUP, PASS_SHARED_ALLOC, "operands that no pipeline brings get buffers"},
    {PASS_WARPGROUP, PASS_HIDDEN_ROWS,
     "dots stay under way beside the ops of one block, not beside branches"},
    {PASS_WARPGROUP, PASS_JOINED_FACTORS,
     "the factors are multiplied ahead of the start of a product that has a wait"},
    {PASS_HIDDEN_ROWS, PASS_STEADY_ROWS, "what is hidden reduces in the block that its mask is in"},
    {PASS_WARPGROUP, PASS_LATE_EPILOGUES, "pieces stand between a product and its wait"},
    {PASS_LATE_EPILOGUES, PASS_FINISH, "what the whole tile's store was computed from is dead"},
    {PASS_WARPGROUP, PASS_TENSOR_MEMORY, "operands are in slots, and each dot has its wait"},
    {PASS_TENSOR_MEMORY, PASS_TENSOR_ROLES,
     "products are ops of their own, apart from the reading of their sums"},
    {PASS_TENSOR_ROLES, PASS_FINISH, "what is left of the other role is dead"},
    {PASS_TENSOR_MEMORY, PASS_FINISH, "loops need not carry sums that stay in tensor memory"},
    {PASS_BARRIERS, PASS_CHECK_TENSOR_MEMORY, "the proof is of the order that the barriers make"},
    {PASS_PIPELINE, PASS_FINISH, "the replaced loads leave dead address arithmetic and iteration arguments"},
    {PASS_FINISH, PASS_COSTLY_OPS, "what is dead costs nothing"},
    {PASS_FUSED_WEIGHTS, PASS_JOINED_SCALES, "weights are found by the products in their exponentials"},
    {PASS_FUSED_WEIGHTS, PASS_BOUNDED_DIVISORS, "shares of a sum are found by their quotients"},
    {PASS_BOUNDED_DIVISORS, PASS_SHARED_ROWS,
     "a sum of exponentials is found by the quotients of the same ones"},
    {PASS_SHARED_ROWS, PASS_EARLY_LOADS, "a row beside other tiles stays in registers"},
    {PASS_FINISH, PASS_EARLY_LOADS, "what is loaded twice is loaded once before registers are counted"},
    {PASS_FINISH, PASS_RESIDUALS_AHEAD, "what is loaded twice is loaded once before registers are counted"},
    {PASS_RESIDUALS_AHEAD, PASS_LATE_SCALARS, "scalars that a load ahead needs are not late"},
    {PASS_FINISH, PASS_LATE_SCALARS, "equal ops become the first one, ahead of the products"},
    {PASS_FINISH, PASS_SHARED_ALLOC, "dead ops must not be given shared memory"},
    {PASS_LATE_SCALARS, PASS_DEPENDENT_LAUNCH, "loads and stores are where they stay"},
    {PASS_SHARED_ALLOC, PASS_BARRIERS, "hazards are between byte ranges"},
    {PASS_CLEANUP, PASS_FINISH, "rewrites in between leave dead code"},
    {PASS_ADDRESS_ARRAYS, PASS_DECIDING_LOADS,
     "an address that nobody changes decides for all threads alike"},
    {PASS_FINISH, PASS_FLAGS, "an exchange is a store where nothing reads its result any more"},
    {PASS_FLAGS, PASS_WAITS, "loops wait by loads"},
    {PASS_LAYOUTS, PASS_WAITS, "the layout says which warps hold what is waited for"},
    {PASS_WAITS, PASS_SHARED_ALLOC, "what a warp reads for itself needs no scratch"},
    {PASS_WAITS, PASS_LONE_LOOPS, "loops that each warp runs for itself are not one thread's"},
    {PASS_LONE_LOOPS, PASS_SHARED_ALLOC,
     "accesses of one thread need no scratch, and the results of its loop do"},
    {PASS_BARRIERS, PASS_CHECK_BARRIERS, "the proof is of the order that the barriers make"},
};

int pass_find(const char *name) {
    for (int id = 0; id < PASS_COUNT; id++) {
        if (strcmp(pass_table[id].name, name) == 0) {
            return id;
        }
    }
    return -1;
}

const char *passes_order_fault(void) {
    for (size_t i = 0; i < sizeof order_constraints / sizeof *order_constraints; i++) {
        if (order_constraints[i].before >= order_constraints[i].after) {
            return order_constraints[i].why;
        }
    }
    return NULL;
}

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool run_pass(struct pass_context *context, MlirModule module, const struct pass *pass,
                     bool verified) {
    unsigned errors = context->diag->error_count;
    struct arena_mark mark = arena_mark(context->arena);
    context->passes = pass_table;
    pass->run(context, module);
    arena_reset(context->arena, mark);
    if (verified && context->diag->error_count == errors && !tk_verify(context->ir, module, context->diag)) {
        ir_print(context->ir, module, stderr);
        bug("pass %s left a module that does not verify", pass->name);
    }
    return context->diag->error_count == errors && !diag_cancelled(context->diag);
}

static bool is_named(const char *chosen, const char *name) {
    return chosen && (strcmp(chosen, "all") == 0 || strcmp(chosen, name) == 0);
}

// Verifying a module takes half as long as all passes together. So without CHECK_EVERY_STEP only the result
// of the last pass that changes anything is verified, every module to be shown, and the module of a run that
// stops early.
static bool is_verified(int id, const struct pass_options *options) {
    const char *name = pass_table[id].name;
    return CHECK_EVERY_STEP || id == PASS_BARRIERS || is_named(options->dump_after, name) ||
           is_named(options->stop_after, name);
}

bool pass_run_one(struct pass_context *context, MlirModule module, const char *name) {
    int id = pass_find(name);
    return id >= 0 && run_pass(context, module, &pass_table[id], true);
}

bool passes_run(struct pass_context *context, MlirModule module, const struct pass_options *options,
                bool *stopped) {
    *stopped = false;
    context->without = &options->without;
    int first = options->start_after ? pass_find(options->start_after) + 1 : 0;
    for (int id = first; id < PASS_COUNT; id++) {
        const struct pass *pass = &pass_table[id];
        if (options->without.has[id]) {
            continue;
        }
        double start = now_ms();
        bool ok = run_pass(context, module, pass, is_verified(id, options));
        if (!ok && id == PASS_CHECK_BARRIERS) {
            ir_print(context->ir, module, stderr);
            bug("accesses to shared memory are not ordered");
        }
        if (!ok) {
            return false;
        }
        if (options->time_passes) {
            fprintf(options->out, "%8.3f ms  %s\n", now_ms() - start, pass->name);
        }
        if (is_named(options->dump_after, pass->name)) {
            fprintf(options->out, "// after %s\n", pass->name);
            ir_print(context->ir, module, options->out);
        }
        if (options->stop_after && strcmp(options->stop_after, pass->name) == 0) {
            *stopped = true;
            return true;
        }
    }
    return true;
}
