// Loads whose addresses come from memory take the layout that their addresses have.
//
//   %x = tk.load %p : #a                             %x = tk.load %p : #a
//   %q = tk.addptr %table, %x : #a                   %q = tk.addptr %table, %x : #a
//   %r = tk.convert_layout %q : #a → #b      →       %y = tk.load %q : #a
//   %y = tk.load %r : #b
//
// Neighbours of such a tile lie anywhere in memory: no layout makes wider accesses or fewer sectors of them than another. But each
// conversion moves 8 bytes an element through shared memory, behind a barrier (a search by bisection in a table: two a step).
#include "passes/layout/layouts.h"

#include "ir/build.h"

static bool is_loaded(struct layouts *l, struct map *seen, MlirValue value);

// What a loop carries is loaded if its first value is, or what a step hands on.
static bool carries_loaded(struct layouts *l, struct map *seen, MlirOperation loop, intptr_t index) {
    MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
    return op_kind(l->ir, loop) == OP_FOR && index >= 0 &&
           (is_loaded(l, seen, for_init(loop, index)) || is_loaded(l, seen, yield_value(yield, index)));
}

// True if memory decides over some index of the addresses.
static bool is_loaded(struct layouts *l, struct map *seen, MlirValue value) {
    MlirOperation op = value_op(value);
    if (!type_is_tensor(mlirValueGetType(value)) || map_has(seen, value.ptr)) {
        return false;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    if (mlirOperationIsNull(op)) {
        op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
        return carries_loaded(l, seen, op, mlirBlockArgumentGetArgNumber(value) - 1);
    }
    if (!(op_traits(op_kind(l->ir, op)) & PURE)) {
        return op_kind(l->ir, op) == OP_LOAD ||
               carries_loaded(l, seen, op, mlirOpResultGetResultNumber(value));
    }
    bool loaded = false;
    for (intptr_t i = 0; !loaded && i < mlirOperationGetNumOperands(op); i++) {
        loaded = is_loaded(l, seen, mlirOperationGetOperand(op, i));
    }
    return loaded;
}

// True if no two neighbours of the tile are known to be neighbours in memory.
static bool is_scattered(struct layouts *l, MlirValue pointer) {
    struct axis_info info = axis_of(&l->axis, pointer);
    for (int d = 0; d < info.rank; d++) {
        if (info.contiguity[d] > 1 || info.constancy[d] > 1) {
            return false;
        }
    }
    struct map seen = {0};
    bool loaded = is_loaded(l, &seen, pointer);
    map_free(&seen);
    return loaded;
}

// A layout in which more threads hold each element would load it more often.
static bool repeats_more(const struct layout *layout, const struct layout *plain) {
    struct layout one = layout_remove_replicas(layout), other = layout_remove_replicas(plain);
    return layout_registers(&one) > layout_registers(&other) ||
           layout_registers(layout) > layout_registers(plain);
}

bool layouts_follow_addresses(struct layouts *l) {
    bool any = false;
    for (size_t i = 0; i < l->op_count; i++) {
        MlirOperation op = l->ops[i];
        const struct layout *access = map_get(&l->accesses, op.ptr);
        if (!access || op_kind(l->ir, op) != OP_LOAD || layouts_multiplies(l, mlirOperationGetBlock(op))) {
            continue;
        }
        MlirValue pointer = access_pointer(op);
        const struct layout *home = layouts_home(l, pointer).layout;
        if (home && !layout_equal(home, access) && !repeats_more(home, access) && is_scattered(l, pointer)) {
            map_put(&l->accesses, op.ptr, (void *)home);
            any = true;
        }
    }
    return any;
}
