// What one program of a kernel does, for the launcher's cost rule (launcher/variant.h): multiply-adds of matrices and bytes of
// global memory, outside loops and in each loop whose trips an argument decides. Read from the tile IR that the front end
// made, before a pass moves anything:
//
//     scf.for %i = %c0 to %trips step %c1 { … "tk.dot"(…: 128x32, 32x128) … }      %trips = (%arg5 + 31) / 32
//
// is the term {parameter 5, divisor 32, products 128·128·32}. A rough sum: both branches of an `if` count, loops within loops
// multiply where a count is constant, and a loop of unknown trips counts as UNKNOWN_TRIPS.
//
// What products cost is seen when passes are done: small tiles read each operand from shared memory so often that the matrix
// units wait, and mma has not all of their speed where there is wgmma. Elements that are computed beside them (attention's
// exponentials) take other units, and go on beside products of other warpgroups:
//
//     clocks = longer + shorter / warpgroups + STEP         of the products' and the elements'
//
// H200, attention and its gradients, heads of 64 and 128, S = 4,096: this picks the best of the configurations that were timed, or one
// within 4 %; products alone picked tiles of 32 x 32, which take two to three times as long.
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
    unsigned steps; // of the search for one bound
};

// -> its number
static unsigned term(struct survey *s, struct trips trips) {
    struct kernel_work *work = &s->of->work;
    for (unsigned i = 0; i < work->count; i++) {
        if (work->terms[i].parameter == trips.parameter && work->terms[i].divisor == trips.divisor) {
            return i;
        }
    }
    if (work->count == TKC_WORKS) {
        return TKC_WORKS - 1;
    }
    work->terms[work->count] = (struct tkc_work){trips.parameter, trips.divisor, 0, 0};
    return work->count++;
}

// The first integer argument of the kernel that the value is computed from, and the constants that it is divided by on the
// way, multiplied. -1: none, or none that a short search finds: a bound may come about in many ways.
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
    if ((kind == OP_DIVSI || kind == OP_DIVUI) &&
        value_is_constant_int(s->ir, mlirOperationGetOperand(op, 1), &by) && by > 0) {
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
    MlirValue upper = mlirOperationGetOperand(loop, 1);
    bool steady = value_is_constant_int(s->ir, mlirOperationGetOperand(loop, 2), &step) && step > 0;
    if (steady && value_is_constant_int(s->ir, mlirOperationGetOperand(loop, 0), &low) &&
        value_is_constant_int(s->ir, upper, &high)) {
        return (struct trips){-1, high > low ? (high - low - 1) / step + 1 : 0};
    }
    int64_t divisor = 1;
    s->steps = 0;
    int parameter = steady ? find_parameter(s, upper, &divisor, SEARCH_DEPTH) : -1;
    divisor = step > 1 ? step : divisor; // such a bound counts elements
    return parameter < 0 ? (struct trips){-1, UNKNOWN_TRIPS} : (struct trips){parameter, divisor};
}

// A loop within a loop: counts multiply where one of them is constant.
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

// Multiply-adds of a dot.
static double products_of(MlirOperation dot) {
    MlirType a = mlirValueGetType(mlirOperationGetOperand(dot, 0));
    MlirType c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    return (double)type_elements(c) * (double)type_extent(a, type_rank(a) - 1);
}

static bool is_special(enum op_kind kind) {
    switch (kind) {
    case OP_EXP2:
    case OP_LOG2:
    case OP_RSQRT:
    case OP_SQRT:
    case OP_DIVF:
        return true;
    default:
        return false;
    }
}

static void survey_op(struct survey *s, MlirOperation op, struct trips trips, double times) {
    enum op_kind kind = op_kind(s->ir, op);
    struct kernel_work *work = &s->of->work;
    if (kind == OP_DOT) {
        MlirType c = mlirValueGetType(mlirOperationGetResult(op, 0));
        unsigned sums = (unsigned)(type_elements(c) * type_bits(type_element(c)) / 8);
        work->terms[term(s, trips)].products += times * products_of(op);
        work->sums = sums > work->sums ? sums : work->sums;
    } else if (kind == OP_LOAD || kind == OP_STORE || kind == OP_ATOMIC_RMW) {
        MlirType pointers = mlirValueGetType(mlirOperationGetOperand(op, 0));
        work->terms[term(s, trips)].bytes += times * bytes_of(pointers, s->ir);
    } else if ((op_traits(kind) & ELEMENTWISE) && mlirOperationGetNumResults(op) == 1) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
        if (type_is_tensor(type) && mlirTypeIsAFloat(type_element(type))) {
            double *count = is_special(kind) ? s->of->special : s->of->simple;
            count[term(s, trips)] += times * (double)type_elements(type);
        }
    }
}

static void survey_block(struct survey *s, MlirBlock block, struct trips trips, double times);

static void survey_regions(struct survey *s, MlirOperation op, struct trips trips, double times) {
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
             !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
            survey_block(s, block, trips, times);
        }
    }
}

static void survey_block(struct survey *s, MlirBlock block, struct trips trips, double times) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        survey_op(s, op, trips, times);
        double inner_times = times;
        struct trips inner = trips;
        if (op_kind(s->ir, op) == OP_FOR) {
            inner = nested(trips, loop_trips(s, op), &inner_times);
        } else if (op_kind(s->ir, op) == OP_WHILE) {
            inner_times *= UNKNOWN_TRIPS;
        }
        survey_regions(s, op, inner, inner_times);
    }
}

struct work_survey work_survey(struct ir *ir, MlirOperation function) {
    struct work_survey survey = {0};
    MlirRegion body = mlirOperationGetRegion(function, 0);
    struct survey s = {.ir = ir, .entry = mlirRegionGetFirstBlock(body), .of = &survey};
    survey_regions(&s, function, (struct trips){-1, 1}, 1);
    return survey;
}

// ---- what products cost ----

// Of a multiprocessor of Hopper's, a clock: multiply-adds of 16-bit elements by wgmma; of any by other units; bytes of
// shared memory; elements that special units and others compute. `MMA_SHARE` is what mma reaches of wgmma's.
static const double PRODUCTS = 2048, MMA_SHARE = 0.62, OTHER_PRODUCTS = 128, SHARED_BYTES = 128, SPECIAL = 16,
                    SIMPLE = 128;
static const double STEP = 150; // clocks of an iteration in which warps wait for each other's results

// How many warps stand beside each other along a dimension of a tile.
static double warps_along(const struct layout *layout, unsigned dim) {
    double warps = 1;
    for (unsigned bit = 0; bit < layout->bits[LAYOUT_WARP]; bit++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(layout, layout->basis[LAYOUT_WARP][bit], at);
        warps *= at[dim] ? 2 : 1;
    }
    return warps;
}

// Clocks that a dot takes on a multiprocessor to itself.
static double dot_clocks(struct ir *ir, MlirOperation dot) {
    MlirValue left = mlirOperationGetOperand(dot, 0);
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
    if (warpgroup) { // each 64 rows read all columns of the right operand that are theirs
        read = other * (double)type_extent(c, 0) / WGMMA_ROWS;
        read += type_is_shared(ir, a) ? panel * columns : 0;
    } else {
        read = panel * columns + other * rows;
    }
    double multiply = products / (PRODUCTS * (warpgroup ? 1 : MMA_SHARE)), feed = read / SHARED_BYTES;
    return multiply > feed ? multiply : feed;
}

// How many times as long as at full speed the function's dots take.
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

struct kernel_work work_weighed(const struct work_survey *survey, struct ir *ir, struct arena *arena,
                                const struct target *target, MlirOperation function) {
    enum { RESIDENT = 2 }; // blocks of a kernel that shares a multiprocessor with others of its own
    struct kernel_work work = survey->work;
    if (!target_has(target, FEATURE_WGMMA)) {
        return work;
    }
    double slow = slowness(ir, arena, function);
    double groups = (double)op_int(function, ATTR_NUM_WARPS, 4) / WGMMA_WARPS *
                    (double)op_int(function, ATTR_PERSISTENT, RESIDENT);
    for (unsigned i = 0; i < work.count; i++) {
        double products = work.terms[i].products * slow / PRODUCTS;
        double special = survey->special[i] / SPECIAL, simple = survey->simple[i] / SIMPLE;
        double elements = special > simple ? special : simple;
        if (products > 0 && elements > 0) {
            double shorter = products < elements ? products : elements;
            products = products + elements - shorter + shorter / (groups < 1 ? 1 : groups) + STEP;
        }
        work.terms[i].products = products * PRODUCTS;
    }
    return work;
}
