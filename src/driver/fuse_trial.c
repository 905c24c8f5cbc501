// Tries if steps of a chain may be one kernel: the merged kernel and the steps' own kernels are compiled on a target in a module of their own,
// up to the passes that hand values on.
//
// The merged kernel gives the same bits as its steps if
//
//   each value loaded from another step was stored by the same program                       tk.chain (passes/simplify/chain_edges.c)
//   each array stored to is declared as made by a step                                       here
//   each sum is over the same layout as in the step's own kernel: it is added in one order   here
//   no step's own kernel gets more warps than it asks for, because it spills (fit.c)         here
//
// All else is elementwise, or a reduction with one result for every order. An elementwise first step may be done on the operand of the second
// one, a product, if that is asked for (passes/simplify/operand_steps.c). Where rounding may change, the first step may scale the rows of what
// the second one, a product, reads (passes/simplify/row_factors.c).
#include "driver/fuse_trial.h"

#include <string.h>

#include <mlir-c/BuiltinTypes.h>

#include "chip/registers.h"
#include "driver/fuse_order.h"
#include "driver/work.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/pass.h"

struct trial {
    struct unit *unit;
    const struct target *target;
    const struct kernel_instance *merged;
    struct ir *ir;
    MlirModule module;
    struct merge_loop loop; // of MERGE_OPERAND and MERGE_SCALED
    const char *why;
};

static MlirOperation function_of(const struct trial *t, const char *name) {
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(t->module));
    for (; !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        MlirStringRef own = op_string(function, ATTR_SYM_NAME);
        if (own.length == strlen(name) && memcmp(own.data, name, own.length) == 0) {
            return function;
        }
    }
    bug("fuse: no function %s", name);
}

// True if the result is the same in every order: integers, and the greatest and least of floats (+0 is greater than -0 on all chips).
static bool is_free_of_order(const struct trial *t, MlirOperation reduce) {
    MlirOperation op = mlirBlockGetFirstOperation(op_body(reduce, 0));
    bool alone = op_kind(t->ir, mlirOperationGetNextInBlock(op)) == OP_YIELD;
    switch (op_kind(t->ir, op)) {
    case OP_ADDI:
    case OP_ANDI:
    case OP_ORI:
    case OP_XORI:
    case OP_MAXSI:
    case OP_MAXUI:
    case OP_MINSI:
    case OP_MINUI:
    case OP_MAXNUMF:
    case OP_MINNUMF:
        return alone;
    default:
        return false;
    }
}

// Ops with another result for another order of combining elements.
static size_t combining_ops(const struct trial *t, MlirOperation function, MlirOperation **out) {
    size_t count, kept = 0;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(t->ir, ops[i]);
        if ((kind == OP_REDUCE && !is_free_of_order(t, ops[i])) || kind == OP_SCAN || kind == OP_DOT) {
            ops[kept++] = ops[i];
        }
    }
    *out = ops;
    return kept;
}

static bool check_sums(struct trial *t, MlirOperation merged) {
    MlirOperation *together, *apart;
    size_t count = combining_ops(t, merged, &together), next = 0;
    for (size_t s = 0; s < t->merged->merge->count; s++) {
        const struct kernel_instance *kernel = t->merged->merge->steps[s].kernel;
        MlirOperation function = function_of(t, kernel->name);
        size_t own = combining_ops(t, function, &apart);
        for (size_t i = 0; i < own; i++, next++) {
            if (next + 1 < count && sums_are_half(t->ir, together[next], apart[i]) &&
                sums_are_half(t->ir, together[next + 1], apart[i])) {
                next++;
                continue;
            }
            bool operand = t->merged->merge->kind == MERGE_OPERAND;
            bool same = next < count && sums_add_alike(t->ir, together[next], apart[i], operand);
            if (!same || op_num_warps(merged) != op_num_warps(function)) {
                t->why = arena_printf(
                    t->unit->arena,
                    "the sums of %s would be added in another order than in its own kernel, of %u warps; the "
                    "merged one has %u: give both the same warps, tiles and hints",
                    kernel->function, op_num_warps(function), op_num_warps(merged));
                return false;
            }
        }
    }
    return next == count;
}

static bool check_stores(struct trial *t, MlirOperation merged) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, merged, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) != OP_STORE) {
            continue;
        }
        MlirValue array = pointer_argument(t->ir, access_pointer(ops[i]));
        size_t number =
            mlirValueIsNull(array) ? t->merged->param_count : (size_t)mlirBlockArgumentGetArgNumber(array);
        const struct kernel_param *param =
            number < t->merged->param_count ? &t->merged->params[number] : NULL;
        if (!param || (param->tensor && param->tensor->role == KERNEL_GIVEN)) {
            t->why = arena_printf(t->unit->arena, "a step stores to %s, which no NAME.tensors says it makes",
                                  param ? param->name : "an array");
            return false;
        }
    }
    return true;
}

// ---- profit

// A rough count of an op's instructions for an element; 0 for addresses, masks, and work done once for many elements.
static unsigned instructions_of(const struct trial *t, MlirOperation op) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0)), element = type_element(type);
    if (type_is_ptr(element) || (mlirTypeIsAInteger(element) && type_bits(element) == 1)) {
        return 0;
    }
    switch (op_kind(t->ir, op)) {
    case OP_CONSTANT:
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_RANGE:
    case OP_DOT:
    case OP_CONVERT_LAYOUT:
        return 0;
    case OP_EXP2:
        return op_has(op, ATTR_SUBNORMAL) ? 5 : 2;
    case OP_LOG2:
    case OP_SQRT:
    case OP_RSQRT:
    case OP_RECIPROCAL:
        return 4;
    case OP_DIVF:
    case OP_DIV_RN:
    case OP_DIVSI:
    case OP_DIVUI:
    case OP_REMSI:
    case OP_REMUI:
        return 10;
    case OP_LOAD:
        return 2;
    default:
        return 1;
    }
}

static bool is_in_loop(const struct trial *t, MlirOperation op, MlirOperation function) {
    for (op = mlirOperationGetParentOperation(op); !mlirOperationEqual(op, function);
         op = mlirOperationGetParentOperation(op)) {
        size_t count;
        MlirOperation *ops = ops_collect(t->ir, t->unit->arena, op, &count);
        for (size_t i = 0; i < count && op_kind(t->ir, op) == OP_FOR; i++) {
            if (op_kind(t->ir, ops[i]) == OP_DOT &&
                mlirOperationEqual(mlirOperationGetParentOperation(ops[i]), op)) {
                return true;
            }
        }
    }
    return false;
}

// Of tiles of so many elements, outside of loops of products: for an element.
struct work_behind {
    unsigned instructions, loaded, stored; // bytes
};

static struct work_behind count_work(const struct trial *t, MlirOperation function, int64_t elements) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    struct work_behind work = {0};
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(t->ir, ops[i]);
        bool store = kind == OP_STORE;
        if (!store && mlirOperationGetNumResults(ops[i]) != 1) {
            continue;
        }
        MlirType type = mlirValueGetType(store ? store_value(ops[i]) : mlirOperationGetResult(ops[i], 0));
        if (!type_is_tensor(type) || type_elements(type) != elements || is_in_loop(t, ops[i], function)) {
            continue;
        }
        unsigned bytes = type_bits(type_element(type)) / 8;
        work.instructions += store ? 0 : instructions_of(t, ops[i]);
        work.stored += store ? bytes : 0;
        work.loaded += kind == OP_LOAD ? bytes : 0;
    }
    return work;
}

// The products of warpgroups: with one block on a multiprocessor, matrix units wait while the steps behind the product are done.
static size_t warpgroup_dots(const struct trial *t, MlirOperation function, MlirOperation *largest) {
    size_t count, found = 0;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) == OP_DOT && is_warpgroup_dot(ops[i])) {
            found++;
            *largest = ops[i];
        }
    }
    return found;
}

// Runs the passes behind `from`, up to `to`. Nobody hears of it.
static bool run_trial(struct trial *t, struct diag *quiet, const char *from, const char *to) {
    bool stopped;
    struct pass_context context;
    unit_pass_context(t->unit, t->ir, t->target, &context);
    context.diag = quiet;
    struct pass_options how = {
        .start_after = from, .stop_after = to, .without = unit_passes_left_out(t->unit), .out = stderr};
    return passes_run(&context, t->module, &how, &stopped);
}

// True if what stands behind the product is computed beside the next tile's products (passes/specialise/beside.c): the trial goes on as far
// as that is decided.
static bool computed_beside(struct trial *t, struct diag *quiet, MlirOperation function) {
    if (!run_trial(t, quiet, pass_table[PASS_HANDED_VALUES].name, pass_table[PASS_ROLES].name)) {
        return false;
    }
    size_t count;
    bool beside = false;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        beside |= op_kind(t->ir, ops[i]) == OP_STORE && op_has(ops[i], ATTR_BESIDE);
    }
    return beside;
}

// The same of a step's own kernel, for as many elements. Its product may have tiles of twice the columns (passes/simplify/column_pairs.c).
static struct work_behind own_work(const struct trial *t, MlirOperation function, int64_t elements) {
    MlirOperation dot;
    int64_t own = elements;
    if (warpgroup_dots(t, function, &dot) > 0) {
        own = type_elements(mlirValueGetType(mlirOperationGetResult(dot, 0)));
    }
    struct work_behind work = count_work(t, function, own);
    unsigned times = own > elements ? (unsigned)(own / elements) : 1;
    return (struct work_behind){work.instructions * times, work.loaded * times, work.stored * times};
}

// True for a load or a store of a tile of so many elements, outside of loops of products.
static bool is_access_behind(const struct trial *t, MlirOperation op, MlirOperation function,
                             int64_t elements) {
    enum op_kind kind = op_kind(t->ir, op);
    if (kind != OP_LOAD && kind != OP_STORE) {
        return false;
    }
    MlirType type = mlirValueGetType(kind == OP_STORE ? store_value(op) : mlirOperationGetResult(op, 0));
    return type_is_tensor(type) && type_elements(type) == elements && !is_in_loop(t, op, function);
}

// Why tiles that are loaded and stored behind the product would wait; NULL: they would not. A load stays behind a store, and so cannot run ahead of the
// product's loop. Where all elements of several tiles are computed at once, these are in registers together. (H200, 4096 x 4096 x 4096 and 8192 x 2048 x
// 1024: product and c + r with c kept 1.02 to 1.07 of kernels apart, with SwiGLU in place of the sum 1.05 to 1.45; three tiles of 128 x 256 spill 60 to 860
// bytes: 0.93 to 1.53, most above 1.02.)
static const char *why_tiles_wait(const struct trial *t, MlirOperation function, int64_t elements) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    unsigned registers = 0, warps = op_num_warps(function);
    bool stored = false;
    for (size_t i = 0; i < count; i++) {
        if (!is_access_behind(t, ops[i], function, elements)) {
            continue;
        }
        bool store = op_kind(t->ir, ops[i]) == OP_STORE;
        if (stored && !store) {
            return "a tile would be loaded behind the store of another one, and the product's matrix units "
                   "would wait for it";
        }
        stored |= store;
        registers += registers_of(t->ir, store ? store_value(ops[i]) : mlirOperationGetResult(ops[i], 0));
    }
    unsigned most = registers_specialised(t->target, warps, PRODUCER_COPIES, 1).consumer;
    unsigned need = registers + 2 * registers_reserved(RESERVE_WARPGROUP_PRODUCT);
    return need <= most ? NULL
                        : arena_printf(t->unit->arena,
                                       "tiles loaded and stored behind the product would take about %u "
                                       "registers of a thread, which has %u: use more warps or "
                                       "smaller tiles",
                                       need, most);
}

// Elementwise steps behind a product run while the matrix units wait, because a multiprocessor has one block. An instruction an element takes as
// much time there as a quarter of a byte does to and from memory in a kernel of its own. (H200, 4096 x 14336 x 4096, tiles of 128 x 256: bias,
// GELU and residual, 31 instructions and 6 bytes, take 110 us behind the product and 88 us apart; SwiGLU of two products, 24 and 6, 1,319 and
// 1,397 us in all.) Products without warpgroups share a multiprocessor with others, and are not asked; nor are those whose results are
// computed beside the next tile's products.
static bool check_work_behind(struct trial *t, struct diag *quiet) {
    enum { INSTRUCTIONS_OF_A_BYTE = 4 };
    MlirOperation dot, merged = function_of(t, t->merged->name);
    if (warpgroup_dots(t, merged, &dot) == 0) {
        return true;
    }
    int64_t elements = type_elements(mlirValueGetType(mlirOperationGetResult(dot, 0)));
    struct work_behind work = count_work(t, merged, elements);
    unsigned bytes = work.loaded + work.stored;
    for (size_t s = 0; s < t->merged->merge->count; s++) {
        if (!t->merged->merge->steps[s].retiled) {
            MlirOperation function = function_of(t, t->merged->merge->steps[s].kernel->name);
            struct work_behind own = own_work(t, function, elements);
            work.instructions -= own.instructions < work.instructions ? own.instructions : work.instructions;
            bytes -= own.loaded < bytes ? own.loaded : bytes;
            bytes += t->merged->merge->dropped_count ? own.stored : 0;
        }
    }
    const char *why =
        work.instructions > INSTRUCTIONS_OF_A_BYTE * bytes
            ? arena_printf(t->unit->arena,
                           "the product's matrix units would wait: about %u instructions an element, and %u "
                           "bytes that kernels apart would move are worth %u",
                           work.instructions, bytes, INSTRUCTIONS_OF_A_BYTE * bytes)
            : why_tiles_wait(t, merged, elements);
    if (!why || computed_beside(t, quiet, merged)) {
        return true;
    }
    t->why = why;
    return false;
}

// The number of loops with products of warpgroups.
static size_t product_loops(const struct trial *t, MlirOperation function) {
    size_t count, loops = 0;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count), last = {NULL};
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) == OP_DOT && is_warpgroup_dot(ops[i])) {
            MlirOperation parent = mlirOperationGetParentOperation(ops[i]);
            loops += mlirOperationIsNull(last) || !mlirOperationEqual(parent, last);
            last = parent;
        }
    }
    return loops;
}

// Products of several steps are one loop, or stay apart: no warps of their own copy for loops that bring other tiles. (H200, three products of 128 x 128
// of one operand, two of them in one loop: 1.2 to 1.42 of three launches.)
static bool check_loops(struct trial *t, MlirOperation merged) {
    size_t most = 1;
    for (size_t s = 0; s < t->merged->merge->count; s++) {
        size_t own = product_loops(t, function_of(t, t->merged->merge->steps[s].kernel->name));
        most = own > most ? own : most;
    }
    if (product_loops(t, merged) <= most) {
        return true;
    }
    t->why = "the products of several steps would be in several loops, for which no warps of their own copy";
    return false;
}

// Tiles of one product wait in registers while the next one is summed up. (H200, gate and up of 128 x 256: 128 sums beside 64 registers of
// a tile spill, and take nine times as long as apart; 64 beside 32 take 0.95 of it.)
static bool check_room(struct trial *t, MlirOperation merged) {
    MlirOperation dot;
    size_t dots = warpgroup_dots(t, merged, &dot);
    if (dots < 2) {
        return true;
    }
    unsigned warps = op_num_warps(merged);
    unsigned most = registers_specialised(t->target, warps, PRODUCER_COPIES, 1).consumer;
    unsigned sums = registers_of(t->ir, mlirOperationGetResult(dot, 0));
    unsigned need =
        sums + (unsigned)(dots - 1) * sums / 2 + 2 * registers_reserved(RESERVE_WARPGROUP_PRODUCT);
    if (need <= most) {
        return true;
    }
    t->why = arena_printf(t->unit->arena,
                          "tiles of a product would wait in registers beside the next one's sums: about %u "
                          "registers of a thread, "
                          "which has %u: use more warps or smaller tiles",
                          need, most);
    return false;
}

// Products and packed rows deal warps and tiles by the function around them.
static bool check_beside(struct trial *t, MlirOperation merged) {
    size_t count;
    for (size_t s = 0; s < t->merged->merge->count; s++) {
        const struct kernel_instance *kernel = t->merged->merge->steps[s].kernel;
        if (op_int(function_of(t, kernel->name), ATTR_PACKED) > 0) {
            t->why = arena_printf(t->unit->arena,
                                  "the rows of %s are packed, which they would not be side by side",
                                  kernel->function);
            return false;
        }
    }
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, merged, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) == OP_DOT) {
            t->why = "side by side, no step may have a product";
            return false;
        }
    }
    return true;
}

// Instructions on each element of the product's left operand in a step of its loop: the column's factor, and the row's sums.
// *columns: of the operand's products.
static unsigned work_on_operand(const struct trial *t, MlirOperation dot, int64_t *columns) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, mlirOperationGetParentOperation(dot), &count);
    int64_t elements = type_elements(mlirValueGetType(dot_a(dot)));
    unsigned work = 0;
    *columns = 0;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(t->ir, ops[i]);
        unsigned traits = op_traits(kind);
        bool plain = mlirOperationGetNumResults(ops[i]) == 1 && (traits & ELEMENTWISE) && (traits & PURE);
        MlirType type = plain ? mlirValueGetType(mlirOperationGetResult(ops[i], 0)) : (MlirType){NULL};
        bool own = plain && type_is_tensor(type) && type_elements(type) == elements &&
                   mlirTypeIsAFloat(type_element(type)); // indices go with the loads
        bool multiplies = kind == OP_DOT && value_is(dot_a(ops[i]), dot_a(dot));
        work += own ? instructions_of(t, ops[i]) : 0;
        *columns += multiplies ? type_extent(mlirValueGetType(dot_c(ops[i])), 1) : 0;
    }
    return work;
}

static bool runs_on_warpgroups(struct trial *t, MlirOperation merged, MlirOperation *dot) {
    if (warpgroup_dots(t, merged, dot) > 0) {
        return true;
    }
    t->why = "the product does not run on warpgroups (wgmma), and would wait for what is computed of its "
             "operand";
    return false;
}

// What a launcher weighs: in a step of the product's loop the operand's tile is computed, where a kernel of its own moves each element from and
// to memory. Bytes of the tile beyond those of 16-bit numbers make the loop's slots wider, and take as long as two instructions each; products with
// few columns hide less. (H200, nine kinds of steps and tiles, 46 shapes each: what the rule launches as one takes 0.46 to 0.99 of the
// kernels apart, 59 of 414. It leaves 29 apart that would have gained, the most 0.12.)
static void weigh_operand(struct trial *t, MlirOperation dot) {
    enum {
        INSTRUCTIONS_OF_A_BYTE = 2,
        PLAIN_BYTES = 2,
        ELEMENTS_OF_A_NANOSECOND = 205,
        BYTES_OF_A_NANOSECOND = 4200
    };
    enum { HIDING_COLUMNS = 256 };
    int64_t columns, elements = type_elements(mlirValueGetType(dot_a(dot)));
    int64_t instructions = work_on_operand(t, dot, &columns);
    MlirOperation function = function_of(t, t->merged->merge->steps[0].kernel->name);
    struct work_behind apart = {0};
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(t->ir, ops[i]) == OP_STORE) {
            apart = count_work(t, function, type_elements(mlirValueGetType(store_value(ops[i]))));
        }
    }
    int64_t bytes = apart.loaded + apart.stored;
    instructions += apart.loaded > PLAIN_BYTES ? INSTRUCTIONS_OF_A_BYTE * (apart.loaded - PLAIN_BYTES) : 0;
    columns = columns < HIDING_COLUMNS ? columns : HIDING_COLUMNS;
    int64_t nanoseconds =
        elements * instructions * (2 * HIDING_COLUMNS - columns) / HIDING_COLUMNS / ELEMENTS_OF_A_NANOSECOND;
    t->loop.worth = nanoseconds * BYTES_OF_A_NANOSECOND / (bytes ? bytes : 1);
}

// A step on the product's operand.
static bool check_operand(struct trial *t, MlirOperation merged) {
    MlirOperation dot;
    if (!runs_on_warpgroups(t, merged, &dot)) {
        return false;
    }
    weigh_operand(t, dot);
    return true;
}

// The number of sums of all products of the function.
static int64_t sums_of(const struct trial *t, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    int64_t sums = 0;
    for (size_t i = 0; i < count; i++) {
        bool dot = op_kind(t->ir, ops[i]) == OP_DOT;
        sums += dot ? type_elements(mlirValueGetType(mlirOperationGetResult(ops[i], 0))) : 0;
    }
    return sums;
}

// What a tile's results take longer, for each of its sums, in elements of a kernel of its own (fuse.c says for which tiles).
enum { ELEMENTS_FOR_A_SUM = 50 };

// A launcher weighs the sums, in each step for each tile of columns, against a kernel of their own that reads the rows and writes them scaled.
// (H200, 42 shapes of 256 columns and more: RMSNorm and product as the rule has them 0.61 to 1.004 of scaled rows, and 0.989 to 1.009 where it leaves
// them; with bias and GELU 0.63 to 1.014 and 0.97 to 1.20.)
//
// The sums that the row's factor needs are computed while matrix units multiply: of a step's two warpgroups one multiplies while the other
// computes. In the time of an instruction on an element, a multiprocessor multiplies one with 16 columns. (H200, 4096 x 4096 x 4096, where the norm
// takes a tenth of the product's time: RMSNorm ahead makes the product 1.03 times as long with tiles of 128 x 256, 1.13 to 1.17 with a gain, 1.22
// with tiles of 128 x 128 on 8 warps, 1.5 and more on 4 warps.)
static bool check_factored(struct trial *t, MlirOperation merged) {
    enum {
        COLUMNS_OF_AN_INSTRUCTION = 16,
        MOST_SHARE = 8,
        LEAST_WARPS = 8,
        READ_FOR_AN_INSTRUCTION = 2,
        READ_IN_A_LAUNCH = 5000000
    };
    MlirOperation dot;
    if (!runs_on_warpgroups(t, merged, &dot)) {
        return false;
    }
    int64_t columns;
    unsigned work = work_on_operand(t, dot, &columns);
    int64_t least = (int64_t)work * COLUMNS_OF_AN_INSTRUCTION * MOST_SHARE;
    t->loop.worth = READ_FOR_AN_INSTRUCTION * work * type_elements(mlirValueGetType(dot_a(dot)));
    t->loop.tile = ELEMENTS_FOR_A_SUM * sums_of(t, merged);
    t->loop.launch = READ_IN_A_LAUNCH;
    if (op_num_warps(merged) >= LEAST_WARPS && columns >= least) {
        return true;
    }
    t->why = arena_printf(t->unit->arena,
                          "the product would wait for what is computed of its left operand, about %u "
                          "instructions an element: "
                          "that takes tiles of %lld columns or more and %d warps, and it has %lld and %u",
                          work, (long long)least, LEAST_WARPS, (long long)columns, op_num_warps(merged));
    return false;
}

// The product of unscaled rows, whose factors the kernel ahead has written in their place: its loop is its own kernel's, unless there are factors of
// columns. These are computed on the operand, and a launcher weighs them against the rows that are not written, as the results' multiplication by the
// rows' factors. (H200, of scaled rows: without columns' factors, 41 shapes, tiles of 128 and of 256 columns, residual or none, 0.80 to 1.004 where the
// rule takes the form, 0.99 to 1.05 where it does not; with a gain of 16 bits, eleven shapes, 0.86 to 1.01, and 1.00 to 1.23.)
static bool check_scaled(struct trial *t, MlirOperation merged) {
    enum { WRITTEN_FOR_AN_INSTRUCTION = 15 };
    size_t count;
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, merged, &count), dot = {NULL};
    for (size_t i = 0; i < count; i++) {
        dot = op_kind(t->ir, ops[i]) == OP_DOT ? ops[i] : dot;
    }
    int64_t columns, elements = type_elements(mlirValueGetType(dot_a(dot)));
    unsigned work = work_on_operand(t, dot, &columns);
    t->loop.worth = WRITTEN_FOR_AN_INSTRUCTION * elements * work;
    // Blocks of warpgroups have a multiprocessor each, and nothing hides the multiplication.
    bool alone = warpgroup_dots(t, merged, &(MlirOperation){NULL}) > 0;
    t->loop.tile = alone ? ELEMENTS_FOR_A_SUM * sums_of(t, merged) : 0;
    return work == 0 || runs_on_warpgroups(t, merged, &dot);
}

static bool check_kind(struct trial *t, MlirOperation merged) {
    switch (t->merged->merge->kind) {
    case MERGE_FACTORED:
        return check_factored(t, merged);
    case MERGE_SCALED:
        return check_scaled(t, merged);
    case MERGE_OPERAND:
        return check_sums(t, merged) && check_operand(t, merged);
    case MERGE_BESIDE:
        return check_beside(t, merged) && check_sums(t, merged);
    default:
        return check_sums(t, merged);
    }
}

static bool check_bodies(struct trial *t) {
    static const char left_alone[] = "left alone: ";
    MlirOperation merged = function_of(t, t->merged->name);
    MlirStringRef said = op_string(merged, ATTR_CHAIN);
    if (said.length != strlen("merged") || memcmp(said.data, "merged", said.length) != 0) {
        const char *text = arena_strndup(t->unit->arena, said.data, said.length);
        t->why = strncmp(text, left_alone, strlen(left_alone)) == 0 ? text + strlen(left_alone) : text;
        return false;
    }
    return check_stores(t, merged) && check_kind(t, merged) && check_loops(t, merged) &&
           check_room(t, merged);
}

// The merged kernel and its steps' own kernels, each once.
static struct frontend trial_kernels(const struct trial *t) {
    const struct kernel_merge *merge = t->merged->merge;
    struct frontend only = *t->unit->frontend;
    only.kernels = ARENA_ARRAY(t->unit->arena, struct kernel_instance, merge->count + 1);
    only.kernels[0] = *t->merged;
    only.kernel_count = 1;
    for (size_t s = 0; s < merge->count; s++) {
        if (!frontend_kernel_named(&only, merge->steps[s].kernel->name)) {
            only.kernels[only.kernel_count++] = *merge->steps[s].kernel;
        }
    }
    return only;
}

// Apart, a kernel that spills on AMD gets more warps (fit.c), and adds up its sums in another order. Merged steps keep their warps, and would
// spill. The compilation's messages go to *quiet.
static bool check_warps(struct trial *t, struct diag *quiet) {
    struct frontend steps = trial_kernels(t);
    struct unit alone = *t->unit;
    if (!fit_may_change(t->unit, t->target, t->ir, t->module)) {
        return true;
    }
    steps.kernels++; // without the merged one
    steps.kernel_count--;
    steps.diag = &alone.diag;
    alone.frontend = &steps;
    alone.diag = *quiet;
    size_t changed = fit_changed(&alone, t->target);
    if (changed == steps.kernel_count) {
        return true;
    }
    const struct kernel_instance *kernel = &steps.kernels[changed];
    t->why =
        arena_printf(t->unit->arena,
                     "%s spills on %s: in a kernel of its own it gets more than its %u warps, which merged "
                     "steps keep; use more warps "
                     "or smaller tiles",
                     kernel->function, t->target->name, (unsigned)op_num_warps(function_of(t, kernel->name)));
    return false;
}

// The steps of the products' loops, before passes join them or change them: not known unless all have as many.
static void count_steps(struct trial *t) {
    size_t count;
    double products = 0, found = 0;
    MlirOperation function = function_of(t, t->merged->name);
    MlirOperation *ops = ops_collect(t->ir, t->unit->arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        products += op_kind(t->ir, ops[i]) == OP_DOT ? work_products(ops[i]) : 0;
    }
    struct work_survey work =
        work_survey(t->ir, t->unit->arena, function, t->merged->merge->names, t->merged->param_count);
    for (size_t i = 0; i < work.count; i++) {
        const struct work_part *part = &work.parts[i];
        bool first = found == 0;
        bool alike = first || (part->parameter == t->loop.parameter && part->divisor == t->loop.divisor);
        if (part->products > 0 && !part->branch && alike) {
            t->loop.parameter = part->parameter;
            t->loop.divisor = part->divisor;
            found += part->products;
        }
    }
    t->loop.divisor = found == products ? t->loop.divisor : 0; // else some are in a loop within a loop
}

static void hear_nothing(void *user, const struct diag_message *message) {
    (void)user;
    (void)message;
}

static bool compile_trial(struct trial *t, struct diag *quiet) {
    struct frontend only = trial_kernels(t);
    only.diag = quiet;
    t->ir = ir_create(quiet);
    tk_register_ops(t->ir);
    t->module = frontend_emit(&only, t->ir, t->target);
    enum merge_kind kind = t->merged->merge->kind;
    if (!mlirModuleIsNull(t->module) && kind != MERGE_IN_TURN && kind != MERGE_BESIDE) {
        count_steps(t);
    }
    return !mlirModuleIsNull(t->module) && run_trial(t, quiet, NULL, pass_table[PASS_HANDED_VALUES].name);
}

// The number of rows in packed_rows' packs of the steps with sums; below 0: not all the same.
static int packed_rows_of_steps(const struct trial *t) {
    int rows = -1;
    for (size_t s = 0; s < t->merged->merge->count; s++) {
        MlirOperation function = function_of(t, t->merged->merge->steps[s].kernel->name), *ops;
        int own = (int)op_int(function, ATTR_PACKED);
        if (combining_ops(t, function, &ops)) {
            if (rows >= 0 && rows != own) {
                return -1;
            }
            rows = own;
        }
    }
    return rows;
}

static struct diag quiet_diag(const struct unit *unit) {
    return (struct diag){
        .error_limit = 1, .receiver = hear_nothing, .cancel = unit->diag.cancel, .budget = unit->diag.budget};
}

static void end_trial(struct trial *t) {
    if (!mlirModuleIsNull(t->module)) {
        mlirModuleDestroy(t->module);
    }
    ir_destroy(t->ir);
}

// Compiles and compares. *rows: the number of rows for the kernel; below 0: it has them, or cannot.
static bool try_bodies(struct trial *t, int *rows) {
    struct diag quiet = quiet_diag(t->unit), *heard = frontend_hear(t->unit->frontend, &quiet);
    bool compiles = compile_trial(t, &quiet);
    bool fits = compiles && check_bodies(t) && check_warps(t, &quiet) && check_work_behind(t, &quiet);
    *rows = compiles && !fits ? packed_rows_of_steps(t) : -1;
    if (*rows >= 0 && *rows == (int)op_int(function_of(t, t->merged->name), ATTR_PACKED)) {
        *rows = -1;
    }
    frontend_hear(t->unit->frontend, heard);
    end_trial(t);
    return fits;
}

bool steps_are_beside(struct unit *unit, const struct target *target, const struct kernel_instance *merged) {
    struct trial t = {.unit = unit, .target = target, .merged = merged};
    struct diag quiet = quiet_diag(unit), *heard = frontend_hear(unit->frontend, &quiet);
    MlirOperation dot;
    bool beside = compile_trial(&t, &quiet) && warpgroup_dots(&t, function_of(&t, merged->name), &dot) > 0 &&
                  computed_beside(&t, &quiet, function_of(&t, merged->name));
    frontend_hear(unit->frontend, heard);
    end_trial(&t);
    return beside;
}

bool bodies_fit(struct unit *unit, const struct target *target, struct kernel_instance *merged,
                const char **why) {
    struct trial t = {.unit = unit, .target = target, .merged = merged, .why = "a kernel does not compile"};
    int rows;
    bool fits = try_bodies(&t, &rows);
    if (!fits && rows >= 0 && merged->merge->pack_rows < 0) {
        frontend_pack_rows(unit->frontend, rows);
        *merged = unit->frontend->kernels[unit->frontend->kernel_count - 1];
        fits = try_bodies(&t, &rows);
    }
    if (fits && !merged->merge->loop.divisor) { // of the first target
        frontend_merge_loop(unit->frontend, t.loop);
    }
    *why = t.why;
    return fits;
}
