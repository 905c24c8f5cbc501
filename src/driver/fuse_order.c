// If ops of a merged kernel combine elements in the order of a step's own kernel (fuse_trial.c).
#include "driver/fuse_order.h"

#include <string.h>

#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/tk.h"

static bool same_order(MlirOperation a, MlirOperation b) {
    bool same = attributes_alike(a, b) && mlirOperationGetNumOperands(a) == mlirOperationGetNumOperands(b);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(a) && same; i++) {
        same = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(a, i)),
                             mlirValueGetType(mlirOperationGetOperand(b, i)));
    }
    return same;
}

bool is_warpgroup_dot(MlirOperation dot) {
    static const char wgmma[] = "wgmma";
    MlirStringRef name = op_string(dot, ATTR_INSTRUCTION);
    return name.length >= strlen(wgmma) && memcmp(name.data, wgmma, strlen(wgmma)) == 0;
}

// No element of a matrix instruction depends on the number of columns.
bool sums_are_half(struct ir *ir, MlirOperation half, MlirOperation whole) {
    if (op_kind(ir, half) != OP_DOT || op_kind(ir, whole) != OP_DOT || !attributes_alike(half, whole) ||
        !op_has(whole, ATTR_INSTRUCTION) ||
        mlirOperationGetNumOperands(half) != mlirOperationGetNumOperands(whole)) {
        return false;
    }
    MlirType own = mlirValueGetType(dot_c(half)), all = mlirValueGetType(dot_c(whole));
    MlirType left = mlirValueGetType(dot_a(half)), depth = mlirValueGetType(dot_a(whole));
    return mlirTypeEqual(type_element(left), type_element(depth)) && type_same_shape(left, depth) &&
           type_extent(own, 0) == type_extent(all, 0) && 2 * type_extent(own, 1) == type_extent(all, 1);
}

// True for a product of warpgroups whose left operand is computed in one of both kernels: an instruction adds alike from registers and from
// shared memory.
static bool same_but_operand(struct ir *ir, MlirOperation a, MlirOperation b) {
    if (op_kind(ir, a) != OP_DOT || op_kind(ir, b) != OP_DOT || !attributes_alike(a, b) ||
        !is_warpgroup_dot(a)) {
        return false;
    }
    MlirType left = mlirValueGetType(dot_a(a)), other = mlirValueGetType(dot_a(b));
    return mlirTypeEqual(type_element(left), type_element(other)) && type_same_shape(left, other) &&
           mlirTypeEqual(mlirValueGetType(dot_b(a)), mlirValueGetType(dot_b(b))) &&
           mlirTypeEqual(mlirValueGetType(dot_c(a)), mlirValueGetType(dot_c(b)));
}

static bool same_shape_but(MlirValue a, MlirValue b, int dim) {
    MlirType one = mlirValueGetType(a), other = mlirValueGetType(b);
    return mlirTypeEqual(type_element(one), type_element(other)) && type_rank(one) == 2 &&
           type_rank(other) == 2 && type_extent(one, 1 - dim) == type_extent(other, 1 - dim);
}

// True for products of warpgroups of which one has two steps of the other in each of its own (passes/simplify/wide_steps.c): instructions go through
// either depth in order, and add to the same sums.
static bool same_but_depth(struct ir *ir, MlirOperation a, MlirOperation b) {
    if (op_kind(ir, a) != OP_DOT || op_kind(ir, b) != OP_DOT || !attributes_alike(a, b) ||
        !is_warpgroup_dot(a) || mlirOperationGetNumOperands(a) != mlirOperationGetNumOperands(b) ||
        !mlirTypeEqual(mlirValueGetType(dot_c(a)), mlirValueGetType(dot_c(b)))) {
        return false;
    }
    int64_t one = type_extent(mlirValueGetType(dot_a(a)), 1),
            other = type_extent(mlirValueGetType(dot_a(b)), 1);
    return (one == 2 * other || other == 2 * one) && same_shape_but(dot_a(a), dot_a(b), 1) &&
           same_shape_but(dot_b(a), dot_b(b), 0);
}

bool sums_add_alike(struct ir *ir, MlirOperation together, MlirOperation apart, bool operand) {
    return same_order(together, apart) || (operand && same_but_operand(ir, together, apart)) ||
           same_but_depth(ir, together, apart);
}
