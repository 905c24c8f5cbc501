// Weighs a survey for the launcher's cost rule.
//
// The cost of the products follows after the passes. Small tiles read each operand from shared memory so
// often that the matrix units wait, and mma reaches only a part of wgmma's rate. Elementwise operations
// beside them (attention's exponentials) take other units, and overlap with products of other warpgroups:
//
//     clocks = longer + shorter / warpgroups + STEP     of the products' and the elements' clocks
//
// On H200, for attention and its gradients (heads of 64 and 128, S = 4,096), this rule picks the fastest of
// the timed configurations, or one within 4 %. Products alone picked tiles of 32 x 32: two to three times as
// slow.
#include <string.h>

#include <mlir-c/BuiltinTypes.h>

#include "chip/peaks.h"
#include "chip/registers.h"
#include "chip/wgmma.h"
#include "dialects/tk/tk.h"
#include "driver/condition.h"
#include "driver/traffic.h"
#include "driver/work.h"
#include "ir/build.h"

// Rates of one Hopper multiprocessor, a clock: multiply-adds of 16-bit elements by wgmma; multiply-adds by
// other units; elementwise operations of special units and of others. `MMA_SHARE` is
// mma's part of wgmma's rate.
static const double PRODUCTS = 2048, MMA_SHARE = 0.62, OTHER_PRODUCTS = 128, SPECIAL = 16, SIMPLE = 128;
static const double STEP = 150; // clocks of an iteration with warps waiting for each other's results

// The clocks of a dot on an otherwise idle multiprocessor.
static double dot_clocks(struct ir *ir, MlirOperation dot) {
    MlirType a = mlirValueGetType(dot_a(dot));
    double products = work_products(dot) * type_bits(type_element(a)) / 8.0 / 2;
    if (!op_string(dot, ATTR_INSTRUCTION).data) {
        return work_products(dot) / OTHER_PRODUCTS;
    }
    bool warpgroup = op_kind(ir, dot) == OP_WARPGROUP_DOT;
    double multiply = products / (PRODUCTS * (warpgroup ? 1 : MMA_SHARE)),
           feed = traffic_of_product(ir, dot) / PEAKS_SHARED;
    return multiply > feed ? multiply : feed;
}

// The clocks of the function's dots, relative to wgmma's full rate.
static double slowness(struct ir *ir, struct arena *arena, MlirOperation function) {
    size_t count;
    double clocks = 0, products = 0;
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(ir, ops[i]);
        if (kind == OP_DOT || kind == OP_WARPGROUP_DOT) {
            clocks += dot_clocks(ir, ops[i]);
            products += work_products(ops[i]);
        }
    }
    return products > 0 ? clocks * PRODUCTS / products : 1;
}

// A survey's parts by trip count and condition, as launchers have them.
struct merged {
    struct kernel_work work;
    struct work_part parts[TKC_WORKS]; // amounts alone
};

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static unsigned find_term(const struct kernel_work *work, const struct work_part *part, const char *when,
                          const char *steps) {
    unsigned i = 0;
    while (i < work->count &&
           !(work->terms[i].parameter == part->parameter && work->terms[i].divisor == part->divisor &&
             same_text(work->when[i], when) && same_text(work->steps[i], steps))) {
        i++;
    }
    return i;
}

static unsigned term(struct kernel_work *work, const struct work_part *part, const char *when) {
    const char *steps = part->per > 1 ? part->loop_steps : part->steps;
    unsigned found = find_term(work, part, when, steps);
    if (found < work->count) {
        return found;
    }
    if (work->count == TKC_WORKS) {
        found = find_term(work, part, when, NULL);
        return found < work->count ? found : TKC_WORKS - 1;
    }
    work->terms[work->count] = (struct tkc_work){.parameter = part->parameter, .divisor = part->divisor};
    work->when[work->count] = when;
    work->steps[work->count] = steps;
    return work->count++;
}

// The condition of a branch with those of the branches around it; of an `if` that the host cannot decide, the larger branch counts always.
// False: a smaller branch of such an `if`.
static bool branch_counts(const struct work_survey *survey, struct arena *arena, unsigned branch,
                          const char **when) {
    for (*when = NULL; branch; branch = survey->branches[branch - 1].within) {
        const struct work_branch *of = &survey->branches[branch - 1];
        if (!of->when && of->less) {
            return false;
        }
        *when = condition_and(arena, of->when, *when);
    }
    return true;
}

static struct merged merge(const struct work_survey *survey, struct arena *arena) {
    struct merged m = {.work.sums = survey->sums};
    for (size_t i = 0; i < survey->count; i++) {
        const struct work_part *part = &survey->parts[i];
        const char *when;
        if (!branch_counts(survey, arena, part->branch, &when)) {
            continue;
        }
        unsigned to = term(&m.work, part, when);
        m.work.terms[to].products += part->products;
        m.work.terms[to].bytes += part->bytes;
        m.parts[to].again += part->again;
        m.parts[to].special += part->special;
        m.parts[to].simple += part->simple;
        m.parts[to].exchanged += part->exchanged;
        m.parts[to].barriers += part->barriers;
        m.parts[to].accesses += part->accesses;
    }
    return m;
}

// The clocks of arithmetic beside products.
static double element_clocks(const struct work_part *part) {
    double special = part->special / SPECIAL, simple = part->simple / SIMPLE;
    return special > simple ? special : simple;
}

// The clocks of a kernel without products: all instructions go by the same way.
static double plain_clocks(const struct work_part *part) {
    double issued = (part->simple + part->special + PEAKS_ACCESS * part->accesses) / SIMPLE;
    double special = part->special / SPECIAL;
    return special > issued ? special : issued;
}

// The clocks in which threads move elements through shared memory and wait for each other.
static double exchange_clocks(const struct work_part *part) {
    return part->exchanged / PEAKS_SHARED + part->barriers * PEAKS_BARRIER;
}

static struct kernel_work without_empty(const struct kernel_work *work) {
    struct kernel_work kept = {.sums = work->sums};
    for (unsigned i = 0; i < work->count; i++) {
        if (work->terms[i].products > 0 || work->terms[i].bytes > 0) {
            kept.terms[kept.count] = work->terms[i];
            kept.steps[kept.count] = work->steps[i];
            kept.when[kept.count++] = work->when[i];
        }
    }
    return kept;
}

// The bytes of registers that a block's threads have for the largest tile of floats.
static unsigned largest_tile(struct ir *ir, struct arena *arena, const struct target *target,
                             MlirOperation function) {
    size_t count;
    unsigned most = 0;
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        for (intptr_t r = 0; r < mlirOperationGetNumResults(ops[i]); r++) {
            MlirValue value = mlirOperationGetResult(ops[i], r);
            MlirType type = mlirValueGetType(value);
            bool counts =
                type_is_tensor(type) && mlirTypeIsAFloat(type_element(type)) && !type_is_shared(ir, type);
            unsigned registers = counts ? registers_filled(ir, value) : 0;
            most = registers > most ? registers : most;
        }
    }
    return most * 4 * (unsigned)op_int(function, ATTR_NUM_WARPS) * target->warp_size;
}

static bool multiplies(const struct kernel_work *work) {
    double products = 0;
    for (unsigned i = 0; i < work->count; i++) {
        products += work->terms[i].products;
    }
    return products > 0;
}

// True if what is computed with a product's results is not computed beside the next tile's products (passes/specialise/beside.c).
static bool works_behind(struct ir *ir, struct arena *arena, MlirOperation function) {
    size_t count;
    bool behind = false;
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        behind |= op_has(ops[i], ATTR_EPILOGUE);
    }
    return behind;
}

struct kernel_work work_weighed(const struct work_survey *survey, struct ir *ir, struct arena *arena,
                                const struct target *target, MlirOperation function) {
    enum { RESIDENT = 2 }; // assumed blocks a multiprocessor, if the kernel is not persistent
    struct merged merged = merge(survey, arena);
    struct kernel_work work = merged.work;
    if (!multiplies(&work)) {
        work.sums = largest_tile(ir, arena, target, function);
        for (unsigned i = 0; i < work.count; i++) {
            work.terms[i].again = merged.parts[i].again;
            work.terms[i].products =
                PRODUCTS * (plain_clocks(&merged.parts[i]) + exchange_clocks(&merged.parts[i]));
        }
        return without_empty(&work);
    }
    if (!target_has(target, FEATURE(WGMMA))) {
        return without_empty(&work);
    }
    double slow = slowness(ir, arena, function);
    double groups = (double)op_int(function, ATTR_NUM_WARPS) / WGMMA_WARPS *
                    (double)op_int_or(function, ATTR_PERSISTENT, RESIDENT);
    bool behind = works_behind(ir, arena, function);
    for (unsigned i = 0; i < work.count; i++) {
        double products = work.terms[i].products * slow / PRODUCTS;
        double elements = element_clocks(&merged.parts[i]);
        if (behind && products == 0 && work.terms[i].parameter < 0) { // the matrix units wait
            work.terms[i].products = elements * PRODUCTS;
            continue;
        }
        if (products > 0 && elements > 0) {
            double shorter = products < elements ? products : elements;
            products = products + elements - shorter + shorter / (groups < 1 ? 1 : groups) + STEP;
        }
        products += products > 0 ? exchange_clocks(&merged.parts[i]) : 0;
        work.terms[i].products = products * PRODUCTS;
    }
    return without_empty(&work);
}
