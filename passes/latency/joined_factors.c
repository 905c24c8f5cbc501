// joined_factors: two factors of a product's result, one of rows and one of columns, are multiplied by each other first,
// ahead of the product.
//
//   %e = tk.warpgroup_dot %x, %y, 0                    %f = %rows · %columns
//   %d = tk.dot_wait %e                                %odd = tk.warp_any (%f is no normal number)
//   %p = %d · %rows                             →      %e = tk.warpgroup_dot %x, %y, 0
//   %s = fma %p, %columns, %sum                        %d = tk.dot_wait %e
//                                                      %s = if not %odd { fma %d, %f, %sum } else { as before }
//
// For products of blocks with scales (`acc += tl.dot(x, y) * a[:, None] * b[None, :]`). A thread holds few rows, and one
// scale serves many columns, with few products of scales for many elements: one operation an element is left
// behind the wait, beside nothing else. With 16 products of scales for 64 elements nothing was won (H200).
//
// Both orders round twice, and the bound of the error is the same: the other order is taken only if no product of factors of a
// warp is zero, subnormal, infinite or no number (src/decisions/numerics.md).
//
// requires: layouts, warpgroup
// provides: nothing; keeps everything
// test:     tests/golden/passes/joined_factors, tests/lang/forms.tk
#include "passes/pass.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { SMALLEST = -126, BEHIND_LARGEST = 127 }; // powers of two, of normal numbers of f32

// A tile of the result's shape, spread from a row of numbers, a column of them or one number.
struct factor {
    MlirValue tile, numbers;
    MlirOperation spread[4]; // the ops from the numbers to the tile
    size_t spread_count;
    uint32_t alike; // register bits between equal elements of the tile
};

struct scaling {
    struct pass_context *context;
    MlirOperation start, wait;  // of the product
    MlirOperation inner, outer; // inner: the first multiplication of its result; outer: the sum
    MlirValue result, sum;
    struct factor first, second;
};

static bool spreads(enum op_kind kind) {
    return kind == OP_SPLAT || kind == OP_BROADCAST || kind == OP_EXPAND_DIMS;
}

// The load behind a value carried by a loop, or the value's own op.
static MlirOperation loaded_by(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op)) {
        MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        intptr_t number = mlirBlockArgumentGetArgNumber(value);
        bool carried = op_kind(ir, loop) == OP_FOR && number > 0;
        op = carried ? value_op(for_init(loop, number - 1)) : op;
    }
    return op;
}

// Register bits of the tile's layout without effect on an element's number, or only among equal numbers.
static uint32_t bits_alike(const struct scaling *s, const struct factor *factor) {
    struct ir *ir = s->context->ir;
    const struct layout *layout = type_layout(ir, mlirValueGetType(factor->tile));
    int32_t equal[LAYOUT_MAX_RANK];
    MlirOperation load = loaded_by(ir, factor->numbers);
    const int32_t *constancy;
    bool known =
        !mlirOperationIsNull(load) && op_i32_array(load, ATTR_CONSTANCY, &constancy, s->context->arena) == 1;
    for (unsigned d = 0; d < layout->rank; d++) {
        equal[d] = INT32_MAX;
    }
    bool one = !type_is_tensor(mlirValueGetType(factor->numbers));
    for (size_t i = 0; i < factor->spread_count && !one; i++) {
        if (op_kind(ir, factor->spread[i]) == OP_EXPAND_DIMS) {
            equal[1 - op_int(factor->spread[i], ATTR_AXIS)] = known ? constancy[0] : 1;
        }
    }
    return layout_alike(layout, equal);
}

static bool find_factor(const struct scaling *s, MlirValue tile, struct factor *factor) {
    struct ir *ir = s->context->ir;
    *factor = (struct factor){.tile = tile, .numbers = tile};
    MlirOperation op = value_op(tile);
    while (!mlirOperationIsNull(op) && spreads(op_kind(ir, op)) && factor->spread_count < 4) {
        factor->spread[factor->spread_count++] = op;
        factor->numbers = unary_source(op);
        op = value_op(factor->numbers);
    }
    bool there = mlirOperationIsNull(op) ||
                 !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(s->wait)) ||
                 op_is_before(op, s->start);
    int rank = type_rank(mlirValueGetType(factor->numbers));
    if (factor->spread_count == 0 || !there || rank > 1) {
        return false;
    }
    factor->alike = bits_alike(s, factor);
    return true;
}

static bool is_f32_tile(struct ir *ir, MlirValue value) {
    MlirType type = mlirValueGetType(value);
    return type_is_tensor(type) && type_rank(type) == 2 && mlirTypeEqual(type_element(type), type_f32(ir));
}

// The factor beside `value`.
static MlirValue other(MlirValue x, MlirValue y, MlirValue value) {
    return value_is(x, value) ? y : x;
}

static MlirOperation only_reader(MlirValue value, MlirBlock block) {
    MlirOperation reader =
        value_has_one_use(value) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(value)) : (MlirOperation){NULL};
    bool here = !mlirOperationIsNull(reader) && mlirBlockEqual(mlirOperationGetBlock(reader), block);
    return here ? reader : (MlirOperation){NULL};
}

static bool in_same_block(MlirOperation a, MlirOperation b) {
    return !mlirOperationIsNull(a) && mlirBlockEqual(mlirOperationGetBlock(a), mlirOperationGetBlock(b));
}

static bool find(struct scaling *s) {
    struct ir *ir = s->context->ir;
    MlirBlock block = mlirOperationGetBlock(s->wait);
    s->start = mlirOperationGetNumResults(s->wait) == 1 ? value_op(dot_wait_tile(s->wait, 0))
                                                        : (MlirOperation){NULL};
    if (!in_same_block(s->start, s->wait) || op_kind(ir, s->start) != OP_WARPGROUP_DOT) {
        return false;
    }
    s->result = mlirOperationGetResult(s->wait, 0);
    s->inner = only_reader(s->result, block);
    if (!is_f32_tile(ir, s->result) || mlirOperationIsNull(s->inner) || op_kind(ir, s->inner) != OP_MULF) {
        return false;
    }
    MlirValue product = mlirOperationGetResult(s->inner, 0);
    s->outer = only_reader(product, block);
    if (mlirOperationIsNull(s->outer) || op_kind(ir, s->outer) != OP_FMA ||
        value_is(fma_addend(s->outer), product)) {
        return false;
    }
    s->sum = fma_addend(s->outer);
    return find_factor(s, other(binary_left(s->inner), binary_right(s->inner), s->result), &s->first) &&
           find_factor(s, other(fma_x(s->outer), fma_y(s->outer), product), &s->second);
}

// True if a thread has at most a sixteenth as many products of factors as elements: it keeps them until the wait ends.
static bool pays(const struct scaling *s) {
    enum { LEAST_BITS = 4 };
    return __builtin_popcount(s->first.alike & s->second.alike) >= LEAST_BITS;
}

static void compute_early(const struct scaling *s, const struct factor *factor) {
    for (size_t i = factor->spread_count; i-- > 0;) {
        MlirOperation op = factor->spread[i];
        if (mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(s->start)) &&
            op_is_before(s->start, op)) {
            mlirOperationMoveBefore(op, s->start);
        }
    }
}

static MlirValue compared(struct builder *b, MlirValue size, enum float_predicate predicate, int power) {
    MlirType type = mlirValueGetType(size);
    MlirValue limit = const_float(b, type, ldexp(1, power));
    MlirType bits = type_is_tensor(type) ? type_with_layout(b->ir, type_with_shape_of(type, type_i1(b->ir)),
                                                            type_layout(b->ir, type))
                                         : type_i1(b->ir);
    return VALUE(b, OP_CMPF, OPERANDS(size, limit), RESULTS(bits),
                 ATTRS(attr(b, ATTR_PREDICATE, mlirIntegerAttrGet(type_i64(b->ir), predicate))));
}

// An i1 for each warp: one of its threads' numbers is no normal number.
static MlirValue build_odd(struct builder *b, MlirValue numbers) {
    MlirValue size = VALUE(b, OP_ABSF, OPERANDS(numbers), RESULTS(mlirValueGetType(numbers)), NO_ATTRS);
    MlirValue small = compared(b, size, FLOAT_ULT, SMALLEST),
              large = compared(b, size, FLOAT_UGE, BEHIND_LARGEST);
    MlirValue odd = build_binary(b, OP_ORI, small, large);
    return type_is_tensor(mlirValueGetType(odd))
               ? VALUE(b, OP_WARP_ANY, OPERANDS(odd), RESULTS(type_i1(b->ir)), NO_ATTRS)
               : odd;
}

static void join(struct scaling *s) {
    struct ir *ir = s->context->ir;
    compute_early(s, &s->first);
    compute_early(s, &s->second);
    struct builder b = builder_before(ir, s->start);
    b.location = mlirOperationGetLocation(s->inner);
    MlirValue joined = build_binary(&b, OP_MULF, s->first.tile, s->second.tile);
    MlirValue odd = build_odd(&b, joined), yes = const_int(&b, type_i1(ir), 1);
    MlirValue fine = build_binary(&b, OP_XORI, odd, yes);
    MlirValue sum = mlirOperationGetResult(s->outer, 0);
    MlirType type = mlirValueGetType(sum);
    MlirBlock then, otherwise;
    struct builder at = builder_before(ir, s->outer);
    at.location = mlirOperationGetLocation(s->outer);
    MlirOperation either = build_if(&at, fine, RESULTS(type), &then, &otherwise);
    mlirValueReplaceAllUsesOfWith(sum, mlirOperationGetResult(either, 0));
    mlirOperationRemoveFromParent(s->inner);
    mlirOperationRemoveFromParent(s->outer);
    mlirBlockAppendOwnedOperation(otherwise, s->inner);
    mlirBlockAppendOwnedOperation(otherwise, s->outer);
    struct builder fast = builder_at_end(ir, then, at.location),
                   as_before = builder_at_end(ir, otherwise, at.location);
    build_yield(&as_before, OPERANDS(sum));
    build_yield(&fast,
                OPERANDS(VALUE(&fast, OP_FMA, OPERANDS(s->result, joined, s->sum), RESULTS(type), NO_ATTRS)));
}

void pass_joined_factors(struct pass_context *context, MlirModule module) {
    size_t count, waits = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) { // other ops move below
        if (op_kind(context->ir, ops[i]) == OP_DOT_WAIT) {
            ops[waits++] = ops[i];
        }
    }
    for (size_t i = 0; i < waits; i++) {
        struct scaling s = {.context = context, .wait = ops[i]};
        if (find(&s) && pays(&s)) {
            join(&s);
        }
    }
}
