// retiled_steps: an elementwise step of a chain is done on the tile of its inputs' step.
//
//   tk.store %h + %rows·N + %columns, %v, %mask            tk.store %h + %rows·N + %columns, %v, %mask
//   %i = tk.program_id {tk.step = 1} · 1024 + tk.range     %b = tk.load %bias + %columns
//   %x = tk.load %h + %i, %i < %n {tk.step = 1}        →   %y = f(%v, %b)
//   %b = tk.load %bias + %i % N {tk.step = 1}              tk.store %y + %rows·N + %columns, %y, %mask
//   tk.store %y + %i, f(%x, %b), %i < %n {tk.step = 1}
//
// The step has a grid and tiles of its own: its program ids, loads and stores are marked by the front end. Each of its values is a
// function of its result's element; the element's row and column are those of the stored tile (retiled_places.c says when, retiled_values.c computes). So
// the step's stores are repeated behind the tile's, with all their operands, in the tile's shape: a value of rows alone has
// one dimension, and is spread to meet others. The step's load of the stored array is the stored value, whatever the layouts: an
// elementwise step rounds alike in each. An array is taken to be written whole by its step in NAME.tensors: so
// each element of the tile is an element of the step, too.
//
// The store's mask holds for all accesses; conditions of the step not implied by it stay. Steps with reductions, loops,
// branches or other effects are left as they are, and the function's tk.chain says why.
//
// requires: equal ops merged (cleanup), tk.step
// provides: no tk.step, or a reason in tk.chain
// test:     tests/golden/passes/retiled_steps
#include "passes/simplify/retiled_steps.h"

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/facts/apart.h"

static bool refuse(struct retile *r, MlirOperation op, enum reason reason) {
    return decline(r->context, op, reason);
}

// A store of the step in the tile's shape.
struct new_store {
    MlirOperation of;
    MlirValue operands[3];
    intptr_t count;
    MlirValue array;
    bool home; // to the elements of the tile's store
};

static bool clone_store(struct retile *r, MlirOperation store, struct new_store *out) {
    struct placed pointer, value, mask, bound;
    MlirType tile = mlirValueGetType(store_value(store));
    const struct affine *address = affine_of(&r->affines, store_pointer(store));
    int places = type_rank(tile) == 2 ? PLACES_ALL : PLACES_FIRST;
    *out = (struct new_store){.of = store, .array = pointer_argument(r->ir, store_pointer(store))};
    if (!type_is_tensor(tile) || mlirValueIsNull(out->array) || !address) {
        return refuse(r, store, REASON_CHAIN_ELEMENTS);
    }
    if (!retile_value(r, store_value(store), places, &value) ||
        !retile_value(r, store_pointer(store), places, &pointer) ||
        !retile_mask(r, store_mask(store), places, &mask)) {
        return false;
    }
    if (pointer.parts != PART_BOTH && !(r->row_dim < 0 && (pointer.parts & PART_COLUMN))) {
        return refuse(r, store, REASON_CHAIN_ELEMENTS);
    }
    retile_home_mask(r, store, PART_BOTH, &bound);
    mask = retile_both(r, bound, mask);
    out->operands[out->count++] = retile_spread(r, pointer, PART_BOTH);
    out->operands[out->count++] = retile_spread(r, value, PART_BOTH);
    if (!mlirValueIsNull(mask.value)) {
        out->operands[out->count++] = retile_spread(r, mask, PART_BOTH);
    }
    struct placed_sum sum;
    struct affine offset = *address;
    offset.base = (MlirValue){NULL};
    out->home = (out->count == 2 || value_is(out->operands[2], store_mask(r->store))) &&
                retile_split(r, &offset, places, &sum) && retile_is_home(r, &sum);
    return true;
}

// A later step may read the stored elements in its own threads.
static void emit_store(struct retile *r, const struct new_store *store) {
    r->at.location = mlirOperationGetLocation(store->of);
    build_op(&r->at, OP_STORE, (struct operands){store->count, (MlirValue *)store->operands}, NO_RESULTS,
             retile_attributes(r, store->of));
    if (store->home) {
        map_put(&r->arrays, store->array.ptr, (void *)store->operands[1].ptr);
    }
}

static bool is_of(struct retile *r, MlirOperation op, enum op_kind kind) {
    return op_kind(r->ir, op) == kind && op_int(op, ATTR_STEP) == r->step;
}

// The only store of another step to the array.
static bool find_maker(struct retile *r, MlirOperation *ops, size_t count, MlirValue array,
                       MlirOperation *maker) {
    *maker = (MlirOperation){NULL};
    for (size_t i = 0; i < count; i++) {
        if (op_kind(r->ir, ops[i]) != OP_STORE ||
            !value_is(pointer_argument(r->ir, store_pointer(ops[i])), array)) {
            continue;
        }
        if (!mlirOperationIsNull(*maker)) {
            return refuse(r, ops[i], REASON_CHAIN_STORES);
        }
        *maker = ops[i];
    }
    bool made = !mlirOperationIsNull(*maker) && !op_has(*maker, ATTR_STEP);
    return made || refuse(r, *maker, REASON_CHAIN_ORDER);
}

static bool is_handed(struct retile *r, MlirValue array) {
    return !mlirValueIsNull(array) && !mlirAttributeIsNull(argument_attribute(
                                          r->function, mlirBlockArgumentGetArgNumber(array), ATTR_HANDED));
}

// Takes the value of the array loaded by the step, if a step makes it. All are stored at the same elements.
static bool take_array(struct retile *r, MlirOperation *ops, size_t count, MlirOperation load) {
    MlirValue array = pointer_argument(r->ir, load_pointer(load));
    MlirOperation maker;
    if (mlirValueIsNull(array)) {
        return refuse(r, load, REASON_CHAIN_ADDRESS);
    }
    if (!is_handed(r, array) || map_has(&r->arrays, array.ptr)) {
        return true;
    }
    if (!find_maker(r, ops, count, array, &maker)) {
        return false;
    }
    bool first = mlirOperationIsNull(r->store);
    if (first ? !retile_take_store(r, maker) : !retile_same_store(r, maker)) {
        return first ? false : refuse(r, load, REASON_CHAIN_OTHER);
    }
    if (first || op_is_before(r->store, maker)) {
        r->store = maker;
        r->at = builder_after(r->ir, maker);
    }
    map_put(&r->arrays, array.ptr, (void *)store_value(maker).ptr);
    return true;
}

// True if the step reads no element of an array behind its store to the array, nor another one than it stores there.
static bool check_order(struct retile *r, MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count && is_of(r, ops[i], OP_STORE); k++) {
            if (!is_of(r, ops[k], OP_LOAD) || !value_is(pointer_argument(r->ir, load_pointer(ops[k])),
                                                        pointer_argument(r->ir, store_pointer(ops[i])))) {
                continue;
            }
            const struct affine *read = affine_of(&r->affines, load_pointer(ops[k]));
            const struct affine *written = affine_of(&r->affines, store_pointer(ops[i]));
            if (k > i || !read || !written || !affine_equal(read, written)) {
                return refuse(r, ops[k], REASON_CHAIN_OTHER);
            }
        }
    }
    return true;
}

static bool begin_step(struct retile *r, MlirOperation *ops, size_t count) {
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (is_of(r, ops[i], OP_LOAD) && !take_array(r, ops, count, ops[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < count && !found; i++) {
        if (is_of(r, ops[i], OP_LOAD) && !mlirValueIsNull(retile_handed(r, ops[i]))) {
            found = true;
            if (!retile_take_load(r, ops[i])) {
                return false;
            }
        }
    }
    for (size_t i = 0; i < sizeof r->done / sizeof *r->done; i++) {
        map_clear(&r->done[i]);
    }
    return found ? check_order(r, ops, count) : refuse(r, r->function, REASON_CHAIN_OTHER);
}

// The step's stores, all of them behind all of its loads.
static bool retile_step(struct retile *r, MlirOperation *ops, size_t count) {
    struct new_store *stores = ARENA_ARRAY(r->context->arena, struct new_store, count + 1);
    size_t made = 0;
    if (!begin_step(r, ops, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_of(r, ops[i], OP_STORE)) {
            continue;
        }
        if (!mlirBlockEqual(mlirOperationGetBlock(ops[i]), r->body)) {
            return refuse(r, ops[i], REASON_CHAIN_EFFECT);
        }
        if (!clone_store(r, ops[i], &stores[made++])) {
            return false;
        }
    }
    for (size_t i = 0; i < made; i++) {
        emit_store(r, &stores[i]);
    }
    return made > 0 || refuse(r, r->function, REASON_CHAIN_EFFECT);
}

// Erases the steps as they were. False if something of them is still needed.
static bool erase_steps(struct retile *r) {
    size_t count;
    MlirOperation *ops = ops_collect(r->ir, r->context->arena, r->function, &count);
    bool all = true;
    for (size_t i = count; i-- > 0;) {
        enum op_kind kind = op_kind(r->ir, ops[i]);
        bool own = op_has(ops[i], ATTR_STEP), used = false;
        for (intptr_t k = 0; k < mlirOperationGetNumResults(ops[i]); k++) {
            used |= value_has_uses(mlirOperationGetResult(ops[i], k));
        }
        bool pure = (op_traits(kind) & PURE) && mlirOperationGetNumResults(ops[i]) &&
                    !mlirOperationGetNumRegions(ops[i]);
        if (!used && (pure || own)) {
            mlirOperationDestroy(ops[i]);
        } else {
            all &= !own;
        }
    }
    return all || decline(r->context, r->function, REASON_CHAIN_EFFECT);
}

static int last_step(MlirOperation *ops, size_t count) {
    int last = 0;
    for (size_t i = 0; i < count; i++) {
        int step = (int)op_int(ops[i], ATTR_STEP);
        last = step > last ? step : last;
    }
    return last;
}

static bool retile_function(struct pass_context *context, MlirOperation function) {
    struct retile r = {
        .context = context, .ir = context->ir, .function = function, .body = op_body(function, 0)};
    size_t count;
    MlirOperation *ops = ops_collect(r.ir, context->arena, function, &count);
    int last = last_step(ops, count);
    if (last == 0) {
        return false;
    }
    affines_open(&r.affines, context, function);
    bool ok = true;
    for (r.step = 1; r.step <= last && ok; r.step++) {
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            any |= op_int(ops[i], ATTR_STEP) == r.step;
        }
        ok = !any || retile_step(&r, ops, count);
    }
    affines_close(&r.affines);
    for (size_t i = 0; i < sizeof r.done / sizeof *r.done; i++) {
        map_free(&r.done[i]);
    }
    map_free(&r.arrays);
    if (!ok || !erase_steps(&r)) {
        reason_keep(context, function, ATTR_CHAIN);
    }
    return true;
}

void pass_retiled_steps(struct pass_context *context, MlirModule module) {
    bool changed = false;
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(function);
         function = mlirOperationGetNextInBlock(function)) {
        changed |= op_has(function, ATTR_CHAIN) && retile_function(context, function);
    }
    if (changed) {
        pass_cleanup(context, module);
    }
}
