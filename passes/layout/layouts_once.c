// Operands of dots computed from loads of few elements, spread on the way (numbers unpacked from words): of many threads with the same
// element of the operand one computes it.
//
//   words: 8 x 128 x i32                     operand: 64 x 128 x f16
//   a thread loads four columns of a row  →  it computes the eight numbers of each of its words
//   %w = arith.mulf … : #words               %a = tk.convert_layout %w : #words → #operand
//
// Without a home such a tile is computed in the dot's layout. Warps for other rows of the same columns then repeat the
// work, and on gfx11 both halves of each wave. Here the result gets its layout from the load's, with all
// copies of a loaded element in its thread. Then its tile goes through shared memory in place of the loaded one.
//
// Condition: the repeated work is more than the exchange. On chips with asynchronous copies the loaded tile would come to shared
// memory without the threads, so these keep the dot's layout.
#include "passes/layout/layouts.h"

#include "ir/build.h"

// The loads and the work behind an operand.
struct origin {
    struct layouts *l;
    MlirBlock block;
    struct map seen;
    unsigned work;  // operations an element
    int64_t loaded; // elements of the largest loaded tile
};

// A broadcast's layout by its operand's: repeated elements stand in a thread's first registers.
static struct layout spread(const struct layout *from, const int64_t shape[]) {
    struct layout wide = layout_fit(from, shape, NULL), result = wide;
    unsigned old = from->bits[LAYOUT_REGISTER], all = wide.bits[LAYOUT_REGISTER];
    for (unsigned i = 0; i < all; i++) {
        result.basis[LAYOUT_REGISTER][i] = wide.basis[LAYOUT_REGISTER][(i + old) % all];
    }
    return result;
}

// The layout of an op's result by its operand's.
static struct layout passed_on(struct ir *ir, MlirOperation op, const struct layout *from) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    int64_t shape[LAYOUT_MAX_RANK];
    for (int d = 0; d < type_rank(type); d++) {
        shape[d] = type_extent(type, d);
    }
    switch (op_kind(ir, op)) {
    case OP_EXPAND_DIMS:
        return layout_expand_dim(from, (unsigned)op_int(op, ATTR_AXIS));
    case OP_RESHAPE:
        return layout_reshape(from, (unsigned)type_rank(type), shape);
    case OP_BROADCAST:
        return spread(from, shape);
    default:
        return *from;
    }
}

// Follows a value of the dot's block to its loads. `layout` becomes the value's, if it is computed of a larger loaded tile than those
// before. False: other ops have a part in it.
static bool follow(struct origin *origin, MlirValue value, struct layout *layout, int depth) {
    enum { DEEPEST = 24 };
    struct ir *ir = origin->l->ir;
    MlirOperation op = value_op(value);
    MlirType type = mlirValueGetType(value);
    if (!type_is_tensor(type) || mlirOperationIsNull(op) ||
        !mlirBlockEqual(mlirOperationGetBlock(op), origin->block) || map_has(&origin->seen, value.ptr)) {
        return true; // invariant, or looked at before
    }
    map_put(&origin->seen, value.ptr, (void *)value.ptr);
    enum op_kind kind = op_kind(ir, op);
    const struct layout *access = map_get(&origin->l->accesses, op.ptr);
    if (kind == OP_LOAD) {
        if (access && type_elements(type) > origin->loaded) {
            origin->loaded = type_elements(type);
            *layout = *access;
        }
        return access || map_get(&origin->l->spread, op.ptr);
    }
    bool computes = (op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE);
    bool moves = kind == OP_EXPAND_DIMS || kind == OP_RESHAPE || kind == OP_BROADCAST;
    bool known = (computes || moves || kind == OP_RANGE || kind == OP_SPLAT || kind == OP_CONSTANT) &&
                 mlirOperationGetNumResults(op) == 1 && depth < DEEPEST;
    origin->work += computes;
    int64_t before = origin->loaded;
    for (intptr_t i = 0; known && i < mlirOperationGetNumOperands(op); i++) {
        known = follow(origin, mlirOperationGetOperand(op, i), layout, depth + 1);
    }
    if (known && origin->loaded > before) {
        *layout = passed_on(ir, op, layout);
    }
    return known;
}

static void choose(struct layouts *l, MlirOperation dot, int index) {
    enum { READ = 16 };     // bytes of an access to shared memory
    enum { EXCHANGE = 32 }; // operations as dear as a store and a barrier
    const struct dot_choice *choice = map_get(&l->dots, dot.ptr);
    MlirValue operand = mlirOperationGetOperand(dot, index);
    MlirOperation op = value_op(operand);
    MlirType type = mlirValueGetType(operand);
    struct origin origin = {.l = l, .block = mlirOperationGetBlock(dot)};
    struct layout layout = {0};
    bool known =
        !mlirOperationIsNull(op) && op_is_in_loop(l->ir, dot) && follow(&origin, operand, &layout, 0);
    map_free(&origin.seen);
    if (!known || origin.loaded == 0 || origin.loaded >= type_elements(type)) {
        return;
    }
    struct layout held = layout_remove_replicas(&choice->operand[index]);
    int64_t again = (int64_t)layout_registers(&held) - layout_registers(&layout);
    int64_t bytes = (int64_t)layout_registers(&held) * type_bits(type_element(type)) / 8;
    if (again * origin.work > bytes / READ + EXCHANGE) {
        map_put(&l->once, op.ptr, (void *)layouts_keep(l, &layout));
    }
}

void layouts_choose_once(struct layouts *l) {
    map_clear(&l->once);
    for (size_t i = 0; i < l->op_count && !target_has(l->context->target, FEATURE(CP_ASYNC)); i++) {
        const struct dot_choice *choice = map_get(&l->dots, l->ops[i].ptr);
        for (int index = MMA_A; choice && choice->mma && index <= MMA_B; index++) {
            choose(l, l->ops[i], index);
        }
    }
}
