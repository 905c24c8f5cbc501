// Dot operands computed from loaded tiles: some are computed in the operand's layout, behind the
// conversion of the loads.
//
//   %x = tk.load %p                                %x = tk.load %p
//   %r = arith.maximumf %x, 0           →          %y = tk.convert_layout %x
//   %a = tk.convert_layout %r                      %a = arith.maximumf %y, 0
//
// The pipeline finds the load next to the conversion, and brings the tile asynchronously: threads read it from
// shared memory as the operand, compute, and multiply.
#include "passes/layout/layouts.h"

#include "ir/build.h"

// Casts may make the tile wider, so fewer bytes move.
static bool is_cast(enum op_kind kind) {
    switch (kind) {
    case OP_EXTF:
    case OP_TRUNCF:
    case OP_FP_TO_FP:
    case OP_SITOFP:
    case OP_UITOFP:
    case OP_EXTSI:
    case OP_EXTUI:
    case OP_TRUNCI:
    case OP_BITCAST:
    case OP_TRANS:
        return true;
    default:
        return false;
    }
}

// True for casts of a load. Except casts of 64-bit tiles to a narrower type: converting first would need two to four times the shared
// memory.
static bool is_cast_of_load(struct layouts *l, MlirOperation op) {
    enum { WIDE = 64 };
    unsigned bits = type_bits(type_element(mlirValueGetType(mlirOperationGetResult(op, 0))));
    for (int depth = 0; depth < 8 && !mlirOperationIsNull(op); depth++) {
        enum op_kind kind = op_kind(l->ir, op);
        if (kind == OP_LOAD) {
            unsigned loaded = type_bits(type_element(mlirValueGetType(mlirOperationGetResult(op, 0))));
            return depth > 0 && (loaded < WIDE || bits == WIDE);
        }
        if (!is_cast(kind)) {
            return false;
        }
        op = value_op(unary_source(op));
    }
    return false;
}

// The ops of a computed operand.
struct chain {
    struct layouts *l;
    MlirBlock block;
    unsigned loads, work;
    int64_t bits; // of the loaded tiles
};

static int64_t tile_bits(MlirType type) {
    return type_elements(type) * type_bits(type_element(type));
}

// True if the value is computed for nothing else, in one block, from loaded tiles and from floating tiles.
static bool is_computed(struct chain *chain, MlirValue value, int depth) {
    enum { DEEPEST = 24 };
    struct layouts *l = chain->l;
    MlirOperation op = value_op(value);
    if (!type_is_tensor(mlirValueGetType(value)) || (!mlirOperationIsNull(op) && layouts_floats(l, op))) {
        return true;
    }
    if (mlirOperationIsNull(op) || depth == DEEPEST ||
        !mlirBlockEqual(mlirOperationGetBlock(op), chain->block)) {
        return false;
    }
    enum op_kind kind = op_kind(l->ir, op);
    if (kind != OP_LOAD && !value_has_one_use(value)) {
        return false;
    }
    if (kind == OP_LOAD) {
        chain->loads++;
        chain->bits += tile_bits(mlirValueGetType(value));
        return type_rank(mlirValueGetType(value)) == 2;
    }
    bool computes = (op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE) &&
                    mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0;
    chain->work += layouts_work_of(kind);
    for (intptr_t i = 0; computes && i < mlirOperationGetNumOperands(op); i++) {
        computes = is_computed(chain, mlirOperationGetOperand(op, i), depth + 1);
    }
    return computes || (kind == OP_TRANS && is_computed(chain, unary_source(op), depth + 1));
}

// The number of threads with each element.
static unsigned holders(const struct layout *layout) {
    unsigned count = 1;
    const enum layout_input inputs[] = {LAYOUT_LANE, LAYOUT_WARP};
    for (int i = 0; i < 2; i++) {
        for (unsigned bit = 0; bit < layout->bits[inputs[i]]; bit++) {
            count *= layout->basis[inputs[i]][bit] == 0 ? 2 : 1;
        }
    }
    return count;
}

// True for signs, changed or cleared, of a loaded tile that another operand of a dot is, in the same layout: the tile goes to shared memory
// once then, and threads change what they read.
static bool is_sign_of_operand(struct layouts *l, MlirOperation op, const struct layout *layout) {
    enum op_kind kind = op_kind(l->ir, op);
    if (kind != OP_NEGF && kind != OP_ABSF) {
        return false;
    }
    MlirValue tile = unary_source(op);
    MlirOperation load = value_op(tile);
    if (mlirOperationIsNull(load) || op_kind(l->ir, load) != OP_LOAD) {
        return false;
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        const struct dot_choice *choice = map_get(&l->dots, user.ptr);
        bool converted = op_kind(l->ir, user) == OP_CONVERT_LAYOUT; // for a dot that was rewritten before
        if (mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)) &&
            ((choice && layout_equal(&choice->operand[mlirOpOperandGetOperandNumber(use)], layout)) ||
             (converted &&
              layout_equal(type_layout(l->ir, mlirValueGetType(mlirOperationGetResult(user, 0))), layout)))) {
            return true;
        }
    }
    return false;
}

// The loaded tiles go through shared memory in place of the operand, so they must not be much larger.
//
// Chips without asynchronous copies load tiles into registers first: there the arithmetic is done before the
// tile goes to shared memory, once an element.
bool layouts_follows_load(struct layouts *l, MlirOperation op, const struct layout *layout) {
    enum { MOST_TIMES = 2, MOST_MORE_WORK = 8 }; // operations an element, beyond the first holder's
    if (is_cast_of_load(l, op) || is_sign_of_operand(l, op, layout)) {
        return true;
    }
    struct chain chain = {.l = l, .block = mlirOperationGetBlock(op)};
    bool in_loop = op_kind(l->ir, mlirOperationGetParentOperation(op)) == OP_FOR;
    return in_loop && target_has(l->context->target, FEATURE(CP_ASYNC)) && op_kind(l->ir, op) != OP_LOAD &&
           is_computed(&chain, mlirOperationGetResult(op, 0), 0) && chain.loads > 0 &&
           chain.bits <= MOST_TIMES * tile_bits(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
           chain.work * (holders(layout) - 1) <= MOST_MORE_WORK;
}
