// Sizes of floats, by a walk from a value to its definitions: what comes from f16 or an 8-bit float is bounded by the largest number of its
// format, and sums of products of such numbers by their count:
//
//   %a = extf %loaded : f16             65,504
//   %s = for … iter_args(%c = 0)        2^32 steps at most, by a counter of 32 bits, of K products each: 2^32 · K · 65,504²
//     %d = dot %x, %y, %c : f16
//   %v = addf %s, %a                    the sum of both
//
// The walk is bounded (DEEPEST).
#include "passes/facts/largest.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/tk.h"
#include "dialects/tk/tk_build.h"
#include "passes/facts/parts.h"

enum { DEEPEST = 16 };

static double largest(struct ir *ir, MlirValue value, int depth);

// The largest number of f16 and floats of 8 bits; +inf of another format.
static double largest_of_type(MlirType type) {
    MlirType element = type_is_tensor(type) ? type_element(type) : type;
    if (mlirTypeIsAF16(element)) {
        return 65504;
    }
    return type_is_f8(element) ? 57344 : INFINITY; // of E5M2
}

// Of the products that a dot adds up; +inf of scaled ones.
static double products(MlirOperation dot) {
    enum { UNSCALED = 3 };
    if (mlirOperationGetNumOperands(dot) > UNSCALED) {
        return INFINITY;
    }
    MlirType left = mlirValueGetType(dot_a(dot)), right = mlirValueGetType(dot_b(dot));
    intptr_t depth = mlirShapedTypeGetDimSize(left, mlirShapedTypeGetRank(left) - 1);
    return (double)depth * largest_of_type(left) * largest_of_type(right);
}

// Of a loop's result to which each step adds the products of a dot.
static double largest_of_sums(struct ir *ir, MlirOperation loop, intptr_t number, int depth) {
    MlirValue carried = mlirBlockGetArgument(op_body(loop, 0), 1 + number);
    MlirOperation next = value_op(yield_value(mlirBlockGetTerminator(op_body(loop, 0)), number));
    if (mlirOperationIsNull(next) || op_kind(ir, next) != OP_DOT || !value_is(dot_c(next), carried)) {
        return INFINITY;
    }
    double most_steps = ldexp(1, (int)type_bits(mlirValueGetType(for_step(loop))));
    return largest(ir, for_init(loop, number), depth) + most_steps * products(next);
}

static double largest_of_op(struct ir *ir, MlirOperation op, MlirValue value, int depth) {
    enum op_kind kind = op_kind(ir, op);
    switch (kind) {
    case OP_ADDF:
    case OP_SUBF:
    case OP_MAXNUMF:
    case OP_MINNUMF:
        return largest(ir, binary_left(op), depth) + largest(ir, binary_right(op), depth);
    case OP_MULF:
        return largest(ir, binary_left(op), depth) * largest(ir, binary_right(op), depth);
    case OP_SELECT:
        return fmax(largest(ir, select_yes(op), depth), largest(ir, select_no(op), depth));
    case OP_NEGF:
    case OP_ABSF:
    case OP_EXTF:
        return largest(ir, unary_source(op), depth);
    case OP_DOT:
        return products(op) + largest(ir, dot_c(op), depth);
    case OP_FOR:
        return largest_of_sums(ir, op, mlirOpResultGetResultNumber(value), depth);
    default:
        return op_rearranges(kind) ? largest(ir, unary_source(op), depth) : INFINITY;
    }
}

static double largest(struct ir *ir, MlirValue value, int depth) {
    double of_type = largest_of_type(mlirValueGetType(value));
    MlirAttribute constant = value_constant(ir, value);
    if (!mlirAttributeIsNull(constant) && mlirAttributeIsAFloat(constant)) {
        double number = mlirFloatAttrGetValueDouble(constant);
        return isnan(number) ? INFINITY : fabs(number);
    }
    MlirOperation op = value_op(value);
    if (isfinite(of_type) || depth == DEEPEST || mlirOperationIsNull(op)) {
        return of_type;
    }
    double of_op = largest_of_op(ir, op, value, depth + 1);
    return isnan(of_op) ? INFINITY : of_op; // 0 times an unbounded factor
}

double value_largest(struct ir *ir, MlirValue value) {
    return largest(ir, value, 0);
}
