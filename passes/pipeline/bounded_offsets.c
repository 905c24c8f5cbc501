// bounded_offsets: masked loads and stores of rows count from a scalar pointer by 32-bit offsets with known bounds (AMD).
//
//   %p = tk.addptr (tk.splat %base), %o                     %from = tk.addptr %base, %k
//   tk.load %p, %mask                                →      %low = %o - %k, in bytes, 32 bits
//                                                           tk.load (tk.addptr (tk.splat %from), %low {narrow}), %mask
//
// Such an access reads or writes through a buffer, and what the mask leaves out goes beyond the buffer's end: no branch around it, and
// no registers set ahead of it. The offsets are exact: a tile of sums in 32 bits is split into a scalar and the rest only where no sum
// wraps, by bounds or because the rest stays below a divisor of the scalar.
//
// The scalar pointer comes from arguments, numbers of programs and of loops' steps, and loads of scalars: a buffer's address must be one
// number for LLVM, too.
//
// requires: layouts; loops that run ahead are rewritten, as they narrow their own pointers
// provides: narrow pointers of the accesses
// test:     tests/golden/passes/bounded_offsets
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/axis.h"
#include "passes/pipeline/narrow.h"

enum { MAX_DEPTH = 32 };
#define REACH (INT64_C(1) << 31) // bytes

struct split {
    struct builder *b;
    struct axis *axis;
    MlirValue base;
    int64_t high; // elements: a bound of the tile of offsets
    bool failed;
};

// True if LLVM knows the scalar for one number of all threads. Reductions and values of branches are equal in all threads, unknown to LLVM.
static bool is_one_number(struct ir *ir, MlirValue value, int depth) {
    if (mlirValueIsABlockArgument(value)) {
        MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        enum op_kind kind = op_kind(ir, around);
        bool counts = kind == OP_FOR && mlirBlockArgumentGetArgNumber(value) == 0;
        return kind == OP_FUNC || (counts && depth > 0 && is_one_number(ir, for_lower(around), depth - 1) &&
                                   is_one_number(ir, for_step(around), depth - 1));
    }
    MlirOperation op = value_op(value);
    enum op_kind kind = op_kind(ir, op);
    if (type_is_tensor(mlirValueGetType(value)) || depth == 0 || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    bool computed = (op_traits(kind) & PURE) && (op_traits(kind) & ELEMENTWISE);
    bool known = computed || kind == OP_PROGRAM_ID || kind == OP_CONSTANT ||
                 (kind == OP_LOAD && !load_is_volatile(op));
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && known; i++) {
        known = is_one_number(ir, mlirOperationGetOperand(op, i), depth - 1);
    }
    return known;
}

static MlirValue fail(struct split *s) {
    s->failed = true;
    return (MlirValue){NULL};
}

static MlirType words_like(struct split *s, MlirValue value) {
    return type_with_shape_of(mlirValueGetType(value), type_i32(s->b->ir));
}

static MlirValue sum_of(struct split *s, MlirValue x, MlirValue y) {
    return mlirValueIsNull(x) ? y : mlirValueIsNull(y) ? x : build_binary(s->b, OP_ADDI, x, y);
}

static MlirValue move_to_base(struct split *s, MlirValue scalar) {
    int64_t constant;
    if (!is_one_number(s->b->ir, scalar, MAX_DEPTH)) {
        return fail(s);
    }
    if (!value_is_constant_int(s->b->ir, scalar, &constant) || constant != 0) {
        MlirType type = mlirValueGetType(s->base);
        s->base = VALUE(s->b, OP_ADDPTR, OPERANDS(s->base, scalar), RESULTS(type), NO_ATTRS);
    }
    return (MlirValue){NULL};
}

static bool is_within(const struct axis_info *info, int64_t high) {
    return info->bounds_assume == 0 && info->low >= 0 && info->high <= high;
}

// A power of two that divides every element.
static int64_t divisor_of(const struct axis_info *info) {
    int64_t divisor = AXIS_DIVISIBILITY_MAX;
    bool proved = (info->assumes & ~(unsigned)AXIS_ASSUMES_PROMISES) == 0;
    for (int d = 0; d < info->rank && proved; d++) {
        divisor = info->divisibility[d] < divisor ? info->divisibility[d] : divisor;
    }
    return proved ? divisor : 1;
}

// No sum of two elements leaves 32 bits.
static bool is_exact(struct split *s, MlirValue x, MlirValue y) {
    struct axis_info left = axis_of(s->axis, x), right = axis_of(s->axis, y);
    bool bounded = left.bounds_assume == 0 && right.bounds_assume == 0 && left.low >= INT32_MIN &&
                   right.low >= INT32_MIN && left.high <= INT32_MAX && right.high <= INT32_MAX &&
                   left.low + right.low >= INT32_MIN && left.high + right.high <= INT32_MAX;
    MlirValue scalar = value_scalar(s->b, x);
    bool filled = !mlirValueIsNull(scalar) && is_within(&right, divisor_of(&left) - 1);
    scalar = value_scalar(s->b, y);
    filled |= !mlirValueIsNull(scalar) && is_within(&left, divisor_of(&right) - 1);
    return bounded || filled;
}

static bool moves(enum op_kind kind) {
    return kind == OP_BROADCAST || kind == OP_EXPAND_DIMS || kind == OP_CONVERT_LAYOUT || kind == OP_HINT;
}

// The op on a part of its source.
static MlirValue moved(struct split *s, MlirOperation op, MlirValue part) {
    if (mlirValueIsNull(part) || op_kind(s->b->ir, op) == OP_HINT) {
        return part;
    }
    MlirType type = words_like(s, mlirOperationGetResult(op, 0));
    MlirOperation clone = mlirOperationClone(op);
    mlirOperationSetOperands(clone, 1, &part);
    build_insert(s->b, clone);
    MlirValue result = mlirOperationGetResult(clone, 0);
    mlirValueSetType(result, type);
    return result;
}

// What stays of a tile of offsets when scalars have gone to the base: a tile of i32, or null.
static MlirValue part_of(struct split *s, MlirValue offsets, int depth) {
    struct ir *ir = s->b->ir;
    MlirValue scalar = value_scalar(s->b, offsets);
    if (!mlirValueIsNull(scalar)) {
        return move_to_base(s, scalar);
    }
    struct axis_info info = axis_of(s->axis, offsets);
    MlirOperation op = value_op(offsets);
    unsigned bits = type_bits(type_element(mlirValueGetType(offsets)));
    if (is_within(&info, REACH - 1)) {
        s->high += info.high;
        MlirType type = words_like(s, offsets);
        return bits > 32   ? VALUE(s->b, OP_TRUNCI, OPERANDS(offsets), RESULTS(type), NO_ATTRS)
               : bits < 32 ? VALUE(s->b, OP_EXTUI, OPERANDS(offsets), RESULTS(type), NO_ATTRS)
                           : offsets;
    }
    if (mlirOperationIsNull(op) || depth == 0 || bits < 32) {
        return fail(s);
    }
    enum op_kind kind = op_kind(ir, op);
    if (moves(kind)) {
        return moved(s, op, part_of(s, unary_source(op), depth - 1));
    }
    if (kind == OP_EXTSI) {
        return part_of(s, unary_source(op), depth - 1);
    }
    if (kind == OP_ADDI && (bits == 64 || is_exact(s, binary_left(op), binary_right(op)))) {
        MlirValue left = part_of(s, binary_left(op), depth - 1);
        return s->failed ? left : sum_of(s, left, part_of(s, binary_right(op), depth - 1));
    }
    return fail(s);
}

// The same of a tile of pointers; finds the base.
static MlirValue part_of_pointers(struct split *s, MlirValue pointers, int depth) {
    MlirValue scalar = value_scalar(s->b, pointers);
    if (!mlirValueIsNull(scalar)) {
        s->base = scalar;
        return is_one_number(s->b->ir, scalar, MAX_DEPTH) ? (MlirValue){NULL} : fail(s);
    }
    MlirOperation op = value_op(pointers);
    if (mlirOperationIsNull(op) || depth == 0) {
        return fail(s);
    }
    enum op_kind kind = op_kind(s->b->ir, op);
    if (moves(kind)) {
        return moved(s, op, part_of_pointers(s, unary_source(op), depth - 1));
    }
    if (kind != OP_ADDPTR || op_has(op, ATTR_NARROW)) {
        return fail(s);
    }
    MlirValue left = part_of_pointers(s, addptr_pointer(op), depth - 1);
    return s->failed ? left : sum_of(s, left, part_of(s, addptr_offset(op), depth - 1));
}

static void narrow_access(struct pass_context *context, struct axis *axis, MlirOperation access) {
    enum { ACCESS_BYTES = 32 };
    struct builder b = builder_before(context->ir, access);
    MlirValue pointers = access_pointer(access);
    struct split s = {.b = &b, .axis = axis};
    MlirValue offsets = part_of_pointers(&s, pointers, MAX_DEPTH);
    int64_t bytes = pointee_bytes(context->ir, mlirValueGetType(pointers));
    if (s.failed || s.high * bytes + ACCESS_BYTES > REACH) {
        return;
    }
    MlirType type = words_like(&s, pointers);
    offsets = mlirValueIsNull(offsets) ? const_int(&b, type, 0)
                                       : build_binary(&b, OP_MULI, offsets, const_int(&b, type, bytes));
    MlirValue narrow = narrow_pointers(&b, s.base, offsets);
    if (op_kind(context->ir, access) == OP_LOAD) {
        set_load_pointer(access, narrow);
    } else {
        set_store_pointer(access, narrow);
    }
}

// A masked access of several instructions a thread: the buffer's description takes as many as one branch. Not of so many that their values
// spill, as values of branches do later and less.
static bool is_candidate(const struct target *target, struct ir *ir, MlirOperation op) {
    enum { BYTES = 16, MOST = 64 };
    enum op_kind kind = op_kind(ir, op);
    MlirValue mask = kind == OP_LOAD ? load_mask(op) : kind == OP_STORE ? store_mask(op) : (MlirValue){NULL};
    const struct layout *layout = mlirValueIsNull(mask) ? NULL : type_layout(ir, mlirValueGetType(mask));
    if (!layout || !narrow_takes_mask(target, op)) {
        return false;
    }
    int64_t once = BYTES / pointee_bytes(ir, mlirValueGetType(access_pointer(op))),
            vector = op_int(op, ATTR_VECTOR);
    int64_t count = layout_registers(layout) / (vector < once ? vector : once);
    return count > 1 && count <= MOST;
}

void pass_bounded_offsets(struct pass_context *context, MlirModule module) {
    if (!narrow_pays(context->target)) {
        return;
    }
    for (MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
         !mlirOperationIsNull(function); function = mlirOperationGetNextInBlock(function)) {
        size_t count, found = 0;
        struct axis axis;
        MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
        for (size_t i = 0; i < count; i++) {
            if (is_candidate(context->target, context->ir, ops[i])) {
                ops[found++] = ops[i];
            }
        }
        if (found > 0) {
            axis_analyse(&axis, context, function);
            for (size_t i = 0; i < found; i++) {
                narrow_access(context, &axis, ops[i]);
            }
            axis_free(&axis);
        }
    }
}
