// The work of one program of a kernel, for the launcher's cost rule (launcher/variant.h): multiply-adds of
// dots and bytes of global memory, outside loops and in each loop with a trip count that depends on an
// argument. Read from the front end's tile IR, before the passes:
//
//     scf.for %i = %c0 to %trips step %c1 { … "tk.dot"(…: 128x32, 32x128) … }      %trips = (%arg5 + 31) / 32
//
// is the term {parameter 5, divisor 32, products 128·128·32}. A rough sum: both branches of an `if` count (in
// a loop each has some of the steps; the page tells those outside loops apart), nested loops multiply if one
// trip count is constant, and a loop with an unknown trip count counts as UNKNOWN_TRIPS. Loops that begin where the loop before them ends (attention's, without masks and with) share
// the steps up to the last one's end: of each resource, the copy that takes most of it counts.
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
#include "driver/work.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/wgmma.h"
#include "dialects/tk/tk.h"
#include "ir/build.h"

enum { UNKNOWN_TRIPS = 8, SEARCH_DEPTH = 12, SEARCH_STEPS = 512 };

struct trips {
    int parameter;
    int64_t divisor;
};

struct survey {
    struct ir *ir;
    MlirBlock entry;
    struct work_survey *of;
    unsigned branch; // of the op at hand, as in struct work_part
    unsigned steps;  // in the search for one bound
};

// The part with these trips, added if it is new.
static struct work_part *part(struct survey *s, struct trips trips) {
    struct work_survey *of = s->of;
    for (size_t i = 0; i < of->count; i++) {
        struct work_part *known = &of->parts[i];
        if (known->parameter == trips.parameter && known->divisor == trips.divisor &&
            known->branch == s->branch) {
            return known;
        }
    }
    if (of->count == WORK_PARTS) {
        return &of->parts[WORK_PARTS - 1];
    }
    of->parts[of->count] = (struct work_part){trips.parameter, trips.divisor, s->branch, 0, 0, 0, 0};
    return &of->parts[of->count++];
}

// Finds the first integer argument in the value's computation, and multiplies `divisor` by the constants it
// is divided by on the way. -1: none, or none within the search's limits.
static int find_parameter(struct survey *s, MlirValue value, int64_t *divisor, int depth) {
    if (mlirValueIsABlockArgument(value)) {
        bool is_argument = mlirBlockEqual(mlirBlockArgumentGetOwner(value), s->entry) &&
                           mlirTypeIsAInteger(mlirValueGetType(value));
        return is_argument ? (int)mlirBlockArgumentGetArgNumber(value) : -1;
    }
    s->steps++;
    MlirOperation op = mlirOpResultGetOwner(value);
    enum op_kind kind = op_kind(s->ir, op);
    intptr_t count = depth && s->steps < SEARCH_STEPS ? mlirOperationGetNumOperands(op) : 0;
    int64_t by;
    if ((kind == OP_DIVSI || kind == OP_DIVUI) && value_is_constant_int(s->ir, binary_right(op), &by) &&
        by > 0) {
        *divisor = *divisor > INT32_MAX / by ? *divisor : *divisor * by;
        count = count ? 1 : 0;
    }
    int found = -1;
    for (intptr_t i = 0; i < count && found < 0; i++) {
        found = find_parameter(s, mlirOperationGetOperand(op, i), divisor, depth - 1);
    }
    return found;
}

static struct trips loop_trips(struct survey *s, MlirOperation loop) {
    int64_t low, high, step = 0;
    MlirValue upper = for_upper(loop);
    bool steady = value_is_constant_int(s->ir, for_step(loop), &step) && step > 0;
    if (steady && value_is_constant_int(s->ir, for_lower(loop), &low) &&
        value_is_constant_int(s->ir, upper, &high)) {
        return (struct trips){-1, high > low ? (high - low - 1) / step + 1 : 0};
    }
    int64_t divisor = 1;
    s->steps = 0;
    int parameter = steady ? find_parameter(s, upper, &divisor, SEARCH_DEPTH) : -1;
    divisor = step > 1 ? step : divisor; // an unrounded bound counts elements
    return parameter < 0 ? (struct trips){-1, UNKNOWN_TRIPS} : (struct trips){parameter, divisor};
}

// The trip count of a loop within a loop: counts multiply if one is constant.
static struct trips nested(struct trips outer, struct trips inner, double *times) {
    if (outer.parameter >= 0 && inner.parameter >= 0) {
        *times *= UNKNOWN_TRIPS;
        return inner;
    }
    struct trips constant = outer.parameter < 0 ? outer : inner;
    *times *= (double)constant.divisor;
    return outer.parameter < 0 ? inner : outer;
}

static double bytes_of(MlirType pointers, struct ir *ir) {
    MlirType element = tk_ptr_pointee(ir, type_element(pointers));
    return (double)type_elements(pointers) * type_bits(element) / 8;
}

// The multiply-adds of a dot.
static double products_of(MlirOperation dot) {
    MlirType a = mlirValueGetType(dot_a(dot));
    MlirType c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    return (double)type_elements(c) * (double)type_extent(a, type_rank(a) - 1);
}

static void survey_op(struct survey *s, MlirOperation op, struct trips trips, double times) {
    enum op_kind kind = op_kind(s->ir, op);
    if (kind == OP_DOT) {
        MlirType c = mlirValueGetType(mlirOperationGetResult(op, 0));
        unsigned sums = (unsigned)(type_elements(c) * type_bits(type_element(c)) / 8);
        part(s, trips)->products += times * products_of(op);
        s->of->sums = sums > s->of->sums ? sums : s->of->sums;
    } else if (kind == OP_LOAD || kind == OP_STORE || kind == OP_ATOMIC_RMW) {
        MlirType pointers = mlirValueGetType(access_pointer(op));
        part(s, trips)->bytes += times * bytes_of(pointers, s->ir);
    } else if ((op_traits(kind) & ELEMENTWISE) && mlirOperationGetNumResults(op) == 1) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
        if (type_is_tensor(type) && mlirTypeIsAFloat(type_element(type))) {
            struct work_part *to = part(s, trips);
            *(op_traits(kind) & SPECIAL_UNIT ? &to->special : &to->simple) +=
                times * (double)type_elements(type);
        }
    }
}

static void survey_block(struct survey *s, MlirBlock block, struct trips trips, double times);

static void survey_region(struct survey *s, MlirRegion region, struct trips trips, double times) {
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block)) {
        survey_block(s, block, trips, times);
    }
}

static void survey_regions(struct survey *s, MlirOperation op, struct trips trips, double times) {
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        survey_region(s, mlirOperationGetRegion(op, i), trips, times);
    }
}

// Sets the amounts of the survey's parts; 0 of parts that `from` lacks.
static void set_amounts(struct work_survey *of, const struct work_survey *from) {
    for (size_t i = 0; i < of->count; i++) {
        const struct work_part *part = &from->parts[i];
        of->parts[i].products = part->products;
        of->parts[i].bytes = part->bytes;
        of->parts[i].special = part->special;
        of->parts[i].simple = part->simple;
    }
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void raise_amounts(struct work_survey *of, const struct work_survey *other) {
    for (size_t i = 0; i < of->count; i++) {
        struct work_part *part = &of->parts[i];
        part->products = larger(part->products, other->parts[i].products);
        part->bytes = larger(part->bytes, other->parts[i].bytes);
        part->special = larger(part->special, other->parts[i].special);
        part->simple = larger(part->simple, other->parts[i].simple);
    }
}

// The loop goes on where the other ends, by the same steps, whose number depends on an argument.
static bool continues(struct survey *s, MlirOperation loop, MlirOperation before) {
    int64_t step, other;
    return !mlirOperationIsNull(before) && mlirValueEqual(for_lower(loop), for_upper(before)) &&
           value_is_constant_int(s->ir, for_step(loop), &step) &&
           value_is_constant_int(s->ir, for_step(before), &other) && step == other &&
           loop_trips(s, loop).parameter >= 0 &&
           loop_trips(s, loop).parameter == loop_trips(s, before).parameter;
}

// Adds the branches of an `if`. Returns the number of the first.
static unsigned add_branches(struct survey *s, MlirOperation op) {
    static const enum int_predicate opposite[] = {
        [INT_EQ] = INT_NE,   [INT_NE] = INT_EQ,   [INT_SLT] = INT_SGE, [INT_SLE] = INT_SGT,
        [INT_SGT] = INT_SLE, [INT_SGE] = INT_SLT, [INT_ULT] = INT_UGE, [INT_ULE] = INT_UGT,
        [INT_UGT] = INT_ULE, [INT_UGE] = INT_ULT};
    struct work_branch branch = {.at = mlirOperationGetLocation(op), .within = s->branch, .parameter = -1};
    MlirValue condition = if_condition(op);
    MlirOperation compare =
        mlirValueIsABlockArgument(condition) ? (MlirOperation){0} : mlirOpResultGetOwner(condition);
    if (!mlirOperationIsNull(compare) && op_kind(s->ir, compare) == OP_CMPI &&
        mlirValueIsABlockArgument(binary_left(compare)) &&
        value_is_constant_int(s->ir, binary_right(compare), &branch.bound)) {
        int64_t divisor = 1;
        branch.parameter = find_parameter(s, binary_left(compare), &divisor, 1);
        branch.predicate = (int)op_int(compare, ATTR_PREDICATE);
    }
    s->of->branches[s->of->branch_count++] = branch;
    branch.predicate = (int)opposite[branch.predicate];
    s->of->branches[s->of->branch_count++] = branch;
    return (unsigned)s->of->branch_count - 1;
}

// An `if` outside loops.
static void survey_branches(struct survey *s, MlirOperation op, struct trips trips) {
    unsigned around = s->branch, first = add_branches(s, op);
    for (int i = 0; i < 2; i++) {
        s->branch = first + (unsigned)i;
        survey_region(s, mlirOperationGetRegion(op, i), trips, 1);
    }
    s->branch = around;
}

static void survey_inside(struct survey *s, MlirOperation op, struct trips trips, double times) {
    enum op_kind kind = op_kind(s->ir, op);
    bool outside = trips.parameter < 0 && trips.divisor == 1 && times == 1;
    if (kind == OP_IF && outside && s->of->branch_count + 2 <= WORK_BRANCHES) {
        survey_branches(s, op, trips);
        return;
    }
    if (kind == OP_FOR) {
        trips = nested(trips, loop_trips(s, op), &times);
    } else if (kind == OP_WHILE) {
        times *= UNKNOWN_TRIPS;
    }
    survey_regions(s, op, trips, times);
}

// A loop that goes on where the one before it ends: the steps of both count once. `start`: the survey ahead of
// both.
static void survey_copy(struct survey *s, MlirOperation loop, struct trips trips, double times,
                        const struct work_survey *start) {
    struct work_survey others = *s->of;
    set_amounts(s->of, start);
    survey_inside(s, loop, trips, times);
    raise_amounts(s->of, &others);
}

static void survey_block(struct survey *s, MlirBlock block, struct trips trips, double times) {
    MlirOperation before = {0};     // the last loop
    struct work_survey start = {0}; // the survey ahead of it, or of the loop that it continues
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        survey_op(s, op, trips, times);
        if (op_kind(s->ir, op) != OP_FOR) {
            survey_inside(s, op, trips, times);
            continue;
        }
        if (!continues(s, op, before)) {
            start = *s->of;
            survey_inside(s, op, trips, times);
        } else {
            survey_copy(s, op, trips, times, &start);
        }
        before = op;
    }
}

struct work_survey work_survey(struct ir *ir, MlirOperation function) {
    struct work_survey survey = {0};
    MlirRegion body = mlirOperationGetRegion(function, 0);
    struct survey s = {.ir = ir, .entry = mlirRegionGetFirstBlock(body), .of = &survey};
    survey_regions(&s, function, (struct trips){-1, 1}, 1);
    return survey;
}

// ---- the cost of products ----

// Rates of one Hopper multiprocessor, a clock: multiply-adds of 16-bit elements by wgmma; multiply-adds by
// other units; bytes of shared memory; elementwise operations of special units and of others. `MMA_SHARE` is
// mma's part of wgmma's rate.
static const double PRODUCTS = 2048, MMA_SHARE = 0.62, OTHER_PRODUCTS = 128, SHARED_BYTES = 128, SPECIAL = 16,
                    SIMPLE = 128;
static const double STEP = 150; // clocks of an iteration with warps waiting for each other's results

// The number of warps side by side along a dimension of a tile.
static double warps_along(const struct layout *layout, unsigned dim) {
    double warps = 1;
    for (unsigned bit = 0; bit < layout->bits[LAYOUT_WARP]; bit++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(layout, layout->basis[LAYOUT_WARP][bit], at);
        warps *= at[dim] ? 2 : 1;
    }
    return warps;
}

// The clocks of a dot on an otherwise idle multiprocessor.
static double dot_clocks(struct ir *ir, MlirOperation dot) {
    MlirValue left = dot_a(dot);
    MlirType a = mlirValueGetType(left), c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    unsigned rank = (unsigned)type_rank(c);
    double bytes = type_bits(type_element(a)) / 8.0, products = products_of(dot) * bytes / 2;
    if (!op_string(dot, ATTR_INSTRUCTION).data) {
        return products_of(dot) / OTHER_PRODUCTS;
    }
    const struct layout *layout = type_layout(ir, c);
    double panel = bytes * (double)type_elements(a); // of the left operand; the right one's as many columns
    double other = panel / (double)type_extent(c, rank - 2) * (double)type_extent(c, rank - 1);
    double rows = warps_along(layout, rank - 2), columns = warps_along(layout, rank - 1), read;
    bool warpgroup = op_kind(ir, dot) == OP_WARPGROUP_DOT;
    if (warpgroup) { // each 64 rows read all columns of their right operand
        read = other * (double)type_extent(c, 0) / WGMMA_ROWS;
        read += type_is_shared(ir, a) ? panel * columns : 0;
    } else {
        read = panel * columns + other * rows;
    }
    double multiply = products / (PRODUCTS * (warpgroup ? 1 : MMA_SHARE)), feed = read / SHARED_BYTES;
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
            products += products_of(ops[i]);
        }
    }
    return products > 0 ? clocks * PRODUCTS / products : 1;
}

// A survey's parts by trip count alone, as launchers have them.
struct merged {
    struct kernel_work work;
    double special[TKC_WORKS], simple[TKC_WORKS];
};

static unsigned term(struct kernel_work *work, int parameter, int64_t divisor) {
    for (unsigned i = 0; i < work->count; i++) {
        if (work->terms[i].parameter == parameter && work->terms[i].divisor == divisor) {
            return i;
        }
    }
    if (work->count == TKC_WORKS) {
        return TKC_WORKS - 1;
    }
    work->terms[work->count] = (struct tkc_work){parameter, divisor, 0, 0};
    return work->count++;
}

static struct merged merge(const struct work_survey *survey) {
    struct merged m = {.work.sums = survey->sums};
    for (size_t i = 0; i < survey->count; i++) {
        const struct work_part *part = &survey->parts[i];
        unsigned to = term(&m.work, part->parameter, part->divisor);
        m.work.terms[to].products += part->products;
        m.work.terms[to].bytes += part->bytes;
        m.special[to] += part->special;
        m.simple[to] += part->simple;
    }
    return m;
}

struct kernel_work work_weighed(const struct work_survey *survey, struct ir *ir, struct arena *arena,
                                const struct target *target, MlirOperation function) {
    enum { RESIDENT = 2 }; // assumed blocks a multiprocessor, if the kernel is not persistent
    struct merged merged = merge(survey);
    struct kernel_work work = merged.work;
    if (!target_has(target, FEATURE_WGMMA)) {
        return work;
    }
    double slow = slowness(ir, arena, function);
    double groups = (double)op_int(function, ATTR_NUM_WARPS) / WGMMA_WARPS *
                    (double)op_int_or(function, ATTR_PERSISTENT, RESIDENT);
    for (unsigned i = 0; i < work.count; i++) {
        double products = work.terms[i].products * slow / PRODUCTS;
        double special = merged.special[i] / SPECIAL, simple = merged.simple[i] / SIMPLE;
        double elements = special > simple ? special : simple;
        if (products > 0 && elements > 0) {
            double shorter = products < elements ? products : elements;
            products = products + elements - shorter + shorter / (groups < 1 ? 1 : groups) + STEP;
        }
        work.terms[i].products = products * PRODUCTS;
    }
    return work;
}
