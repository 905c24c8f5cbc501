// narrow_indices: what chooses among indices of 64 bits, a scan, a reduction or a select, has them in 32 bits.
//
//   %w = arith.extsi %i : i32 to i64                    %m:2 = tk.scan %v, %i { … arith.cmpi on i32 … }
//   %m:2 = tk.scan %v, %w { … arith.cmpi on i64 … }  →  %n = arith.extsi %m#1 : i32 to i64
//
// Each result is one of the elements, all of 32 bits, and their sign extensions are in the order of the elements, with
// and without sign. Half as much goes between lanes and through memory. The combination may compare the indices with
// each other and choose among them, nothing else.
//
// A select between widened tiles, or one and a constant that fits, chooses first: then one tile is widened (the place of the largest
// number in a window, one select an element of it).
//
// requires: a tile program without layouts
// provides: the same
// test:     tests/golden/passes/narrow_indices, tests/lang/reduce.tk
#include "passes/pass.h"

#include "ir/build.h"

enum { MOST_CHOSEN = 64 };

// One tile of the combination: its two elements, and the choice among them.
struct indices {
    struct ir *ir;
    MlirOperation op;
    unsigned number; // of the tile
    MlirValue chosen[MOST_CHOSEN];
    size_t count;
};

// The widening op of a tile's elements; null if they did not come from 32 bits.
static MlirOperation widening(struct ir *ir, MlirValue tile) {
    MlirOperation op = value_op(tile);
    while (!mlirOperationIsNull(op)) {
        enum op_kind kind = op_kind(ir, op);
        if (kind == OP_EXTSI) {
            unsigned bits = type_bits(type_element(mlirValueGetType(unary_source(op))));
            bool fits = bits == 32 && type_bits(type_element(mlirValueGetType(tile))) == 64;
            return fits ? op : (MlirOperation){NULL};
        }
        if (!op_rearranges(kind)) {
            break;
        }
        op = value_op(unary_source(op));
    }
    return (MlirOperation){NULL};
}

static bool is_index(const struct indices *x, MlirValue value) {
    for (size_t i = 0; i < x->count; i++) {
        if (value_is(x->chosen[i], value)) {
            return true;
        }
    }
    return false;
}

// The elements and all choices among them, in the order of the combination. False if there are too many.
static bool find_indices(struct indices *x) {
    MlirBlock body = op_body(x->op, 0);
    intptr_t tiles = mlirOperationGetNumOperands(x->op);
    x->chosen[x->count++] = mlirBlockGetArgument(body, x->number);
    x->chosen[x->count++] = mlirBlockGetArgument(body, tiles + x->number);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(x->ir, op) == OP_SELECT && is_index(x, select_yes(op)) && is_index(x, select_no(op))) {
            if (x->count == MOST_CHOSEN) {
                return false;
            }
            x->chosen[x->count++] = mlirOperationGetResult(op, 0);
        }
    }
    return true;
}

// True if the op compares two indices, chooses between two, or yields one as the tile's own result.
static bool keeps_indices(const struct indices *x, MlirOpOperand use) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    unsigned operand = mlirOpOperandGetOperandNumber(use);
    switch (op_kind(x->ir, user)) {
    case OP_CMPI:
        return is_index(x, binary_left(user)) && is_index(x, binary_right(user));
    case OP_SELECT:
        return is_index(x, mlirOperationGetResult(user, 0));
    case OP_YIELD:
        return operand == x->number;
    default:
        return false;
    }
}

static bool only_chooses(struct indices *x) {
    bool yields = false;
    if (!find_indices(x)) {
        return false;
    }
    for (size_t i = 0; i < x->count; i++) {
        for (MlirOpOperand use = mlirValueGetFirstUse(x->chosen[i]); !mlirOpOperandIsNull(use);
             use = mlirOpOperandGetNextUse(use)) {
            if (!keeps_indices(x, use)) {
                return false;
            }
            yields = yields || op_kind(x->ir, mlirOpOperandGetOwner(use)) == OP_YIELD;
        }
    }
    return yields;
}

static MlirType narrowed(struct ir *ir, MlirType type) {
    return type_is_tensor(type) ? type_with_shape_of(type, type_i32(ir)) : type_i32(ir);
}

static void narrow(struct indices *x) {
    MlirValue tile = mlirOperationGetOperand(x->op, x->number);
    MlirValue result = mlirOperationGetResult(x->op, x->number);
    MlirType type = mlirValueGetType(result);
    struct builder before = builder_before(x->ir, x->op), after = builder_after(x->ir, x->op);
    MlirOperation source = value_op(tile);
    MlirValue small = op_kind(x->ir, source) == OP_EXTSI
                          ? unary_source(source)
                          : VALUE(&before, OP_TRUNCI, OPERANDS(tile),
                                  RESULTS(narrowed(x->ir, mlirValueGetType(tile))), NO_ATTRS);
    mlirOperationSetOperand(x->op, x->number, small);
    for (size_t i = 0; i < x->count; i++) {
        mlirValueSetType(x->chosen[i], type_i32(x->ir));
    }
    mlirValueSetType(result, narrowed(x->ir, type));
    MlirValue wide = VALUE(&after, OP_EXTSI, OPERANDS(result), RESULTS(type), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(result, wide);
    set_unary_source(value_op(wide), result);
}

// The tile in 32 bits, if its elements come from 32 bits or are one number that fits; else null. `builds`: a constant is built at `b`.
static MlirValue in_32_bits(struct builder *b, MlirValue tile, bool builds) {
    MlirOperation op = value_op(tile);
    int64_t number;
    if (value_is_constant_int(b->ir, tile, &number)) {
        bool fits = number == (int32_t)number;
        return !fits    ? (MlirValue){NULL}
               : builds ? const_int(b, narrowed(b->ir, mlirValueGetType(tile)), number)
                        : tile;
    }
    bool widened = !mlirOperationIsNull(op) && op_kind(b->ir, op) == OP_EXTSI &&
                   type_bits(type_element(mlirValueGetType(unary_source(op)))) == 32;
    return widened ? unary_source(op) : (MlirValue){NULL};
}

static void narrow_select(struct ir *ir, MlirOperation select) {
    MlirValue result = mlirOperationGetResult(select, 0);
    MlirType type = mlirValueGetType(result);
    struct builder b = builder_before(ir, select);
    int64_t number;
    if (!type_is_tensor(type) || !mlirTypeEqual(type_element(type), type_i64(ir)) ||
        (value_is_constant_int(ir, select_yes(select), &number) &&
         value_is_constant_int(ir, select_no(select), &number)) ||
        mlirValueIsNull(in_32_bits(&b, select_yes(select), false)) ||
        mlirValueIsNull(in_32_bits(&b, select_no(select), false))) {
        return;
    }
    MlirValue yes = in_32_bits(&b, select_yes(select), true), no = in_32_bits(&b, select_no(select), true);
    MlirValue chosen = VALUE(&b, OP_SELECT, OPERANDS(select_condition(select), yes, no),
                             RESULTS(narrowed(ir, type)), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(result, VALUE(&b, OP_EXTSI, OPERANDS(chosen), RESULTS(type), NO_ATTRS));
}

void pass_narrow_indices(struct pass_context *context, MlirModule module) {
    size_t count;
    struct ir *ir = context->ir;
    MlirOperation *ops = ops_collect(ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(ir, ops[i]);
        if (kind == OP_SELECT) {
            narrow_select(ir, ops[i]);
        }
        if (kind != OP_SCAN && kind != OP_REDUCE) {
            continue;
        }
        for (unsigned n = 0; n < mlirOperationGetNumOperands(ops[i]); n++) {
            struct indices x = {.ir = ir, .op = ops[i], .number = n};
            if (!mlirOperationIsNull(widening(ir, mlirOperationGetOperand(ops[i], n))) && only_chooses(&x)) {
                narrow(&x);
            }
        }
    }
}
