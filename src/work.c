// What one program of a kernel does, for the launcher's cost rule (launcher/variant.h): multiply-adds of matrices and bytes of
// global memory, outside loops and in each loop whose trips an argument decides. Read from the tile IR that the front end
// made, before a pass moves anything:
//
//     scf.for %i = %c0 to %trips step %c1 { … "tk.dot"(…: 128x32, 32x128) … }      %trips = (%arg5 + 31) / 32
//
// is the term {parameter 5, divisor 32, products 128·128·32}. A rough sum: both branches of an `if` count, loops within loops
// multiply where a count is constant, and a loop of unknown trips counts as UNKNOWN_TRIPS.
#include "work.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/tk.h"

enum { UNKNOWN_TRIPS = 8, SEARCH_DEPTH = 12, SEARCH_STEPS = 512 };

struct trips {
    int parameter;
    int64_t divisor;
};

struct survey {
    struct ir *ir;
    MlirBlock entry;
    struct kernel_work *work;
    unsigned steps; // of the search for one bound
};

static struct tkc_work *term(struct survey *s, struct trips trips) {
    struct kernel_work *work = s->work;
    for (unsigned i = 0; i < work->count; i++) {
        if (work->terms[i].parameter == trips.parameter && work->terms[i].divisor == trips.divisor) {
            return &work->terms[i];
        }
    }
    if (work->count == TKC_WORKS) {
        return &work->terms[TKC_WORKS - 1];
    }
    work->terms[work->count] = (struct tkc_work){trips.parameter, trips.divisor, 0, 0};
    return &work->terms[work->count++];
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

static void survey_op(struct survey *s, MlirOperation op, struct trips trips, double times) {
    enum op_kind kind = op_kind(s->ir, op);
    if (kind == OP_DOT) {
        MlirType a = mlirValueGetType(mlirOperationGetOperand(op, 0));
        MlirType c = mlirValueGetType(mlirOperationGetResult(op, 0));
        unsigned bits = type_bits(type_element(c));
        term(s, trips)->products +=
            times * (double)type_elements(c) * (double)type_extent(a, type_rank(a) - 1);
        unsigned sums = (unsigned)(type_elements(c) * bits / 8);
        s->work->sums = sums > s->work->sums ? sums : s->work->sums;
    } else if (kind == OP_LOAD || kind == OP_STORE || kind == OP_ATOMIC_RMW) {
        term(s, trips)->bytes += times * bytes_of(mlirValueGetType(mlirOperationGetOperand(op, 0)), s->ir);
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

struct kernel_work work_of(struct ir *ir, MlirOperation function) {
    struct kernel_work work = {0};
    MlirRegion body = mlirOperationGetRegion(function, 0);
    struct survey s = {.ir = ir, .entry = mlirRegionGetFirstBlock(body), .work = &work};
    survey_regions(&s, function, (struct trips){-1, 1}, 1);
    return work;
}
