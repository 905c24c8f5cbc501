// dependent_launch: a kernel of a chain begins while the launch ahead of it ends, and waits for that launch at one place.
//
//   func @softmax(%x {tk.late}, %y, %w) {tk.waits, tk.triggers}
//                                                tk.grid_trigger
//     %p = … %x …                                %p = … %x …
//     %v = tk.load %p                     →      %s = tk.load %w
//     %s = tk.load %w                            tk.grid_wait
//     tk.store %y …                              %v = tk.load %p
//                                                tk.store %y …
//
// Programmatic dependent launch (sm_90 and later, PTX ISA griddepcontrol): a kernel begins once all blocks of the launch ahead have triggered.
// At its wait it waits until the launch has ended and its writes are seen. The wait stands at the top of the function, ahead of the first op
// to write, or to touch an array maybe written by an earlier launch (tk.late, by the chain's calls). No path goes around it: each kernel waits for
// all launches ahead of it before it ends, so the next kernel, waiting for this one, waits for them, too. Loads of other arrays (weights) behind
// the wait, at the top of the function, move ahead of it if they pass no store; they take at most 128 bytes of a thread. So do copies of such
// arrays to shared memory (cp.async), up to the first wait for copies: all slots of a thin product's weights are under way before the launch
// ahead has ended. They join an earlier group of copies, so a wait for the group includes them.
//
// The trigger stands first. The next kernel holds no block of this one up, since all of them have begun.
//
// Launched plainly, both ops do nothing. The launcher launches a kernel so only if its code waits on all targets (header_chains.c).
//
// requires: layouts; loads and stores are moved by no later pass
// provides: tk.waits and tk.triggers stay on the function only if the ops exist
// test:     tests/golden/passes/dependent_launch
#include "passes/pass.h"

#include "ir/build.h"
#include "passes/facts/apart.h"

enum { MOST_BYTES = 128 }; // of a thread, in loads moved ahead of the wait

struct dependent {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    MlirBlock body;
};

static MlirValue array_of(struct dependent *d, MlirOperation access) {
    return pointer_argument(d->ir, access_pointer(access));
}

// A load of an array without writes by earlier launches.
static bool is_early_load(struct dependent *d, MlirOperation op) {
    if (op_kind(d->ir, op) != OP_LOAD || load_is_volatile(op)) {
        return false;
    }
    MlirValue array = array_of(d, op);
    return !mlirValueIsNull(array) && mlirAttributeIsNull(argument_attribute(
                                          d->function, mlirBlockArgumentGetArgNumber(array), ATTR_LATE));
}

// A copy to shared memory of an array without writes by earlier launches.
static bool is_early_copy(struct dependent *d, MlirOperation op) {
    if (op_kind(d->ir, op) != OP_ASYNC_COPY) {
        return false;
    }
    MlirValue array = pointer_argument(d->ir, async_copy_pointer(op));
    return !mlirValueIsNull(array) && mlirAttributeIsNull(argument_attribute(
                                          d->function, mlirBlockArgumentGetArgNumber(array), ATTR_LATE));
}

// True if the op itself may not run before the launch ahead has ended.
static bool needs_wait(struct dependent *d, MlirOperation op) {
    enum op_kind kind = op_kind(d->ir, op);
    bool effect = (op_traits(kind) & (READ | WRITE)) || (kind == OP_INLINE_ASM && !op_has(op, ATTR_PURE));
    return effect && !is_early_load(d, op) && !is_early_copy(d, op);
}

static bool any_needs_wait(struct dependent *d, MlirOperation op) {
    size_t count;
    MlirOperation *inner = ops_collect(d->ir, d->context->arena, op, &count);
    bool any = needs_wait(d, op);
    for (size_t i = 0; i < count && !any; i++) {
        any = needs_wait(d, inner[i]);
    }
    return any;
}

// The first op of the function's block with need of the wait; the block's end if there is none.
static MlirOperation first_needing(struct dependent *d) {
    MlirOperation op = mlirBlockGetFirstOperation(d->body), end = mlirBlockGetTerminator(d->body);
    while (!mlirOperationEqual(op, end) && !any_needs_wait(d, op)) {
        op = mlirOperationGetNextInBlock(op);
    }
    return op;
}

// ---- loads ahead of the wait

// True if loads may not pass the op: it writes or has another effect. A kernel may also be launched by itself, with one array for two
// parameters.
static bool stops_loads(struct dependent *d, MlirOperation op) {
    size_t count;
    MlirOperation *inner = ops_collect(d->ir, d->context->arena, op, &count);
    bool stops = op_orders_memory(d->ir, op) || (op_traits(op_kind(d->ir, op)) & WRITE);
    for (size_t i = 0; i < count && !stops; i++) {
        stops = op_orders_memory(d->ir, inner[i]) || (op_traits(op_kind(d->ir, inner[i])) & WRITE);
    }
    return stops;
}

static int64_t bytes_of(struct dependent *d, MlirOperation load) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
    int64_t threads = (int64_t)op_num_warps(d->function) * d->context->target->warp_size;
    return type_elements(type) * type_bits(type_element(type)) / (8 * threads);
}

// True if copies to shared memory may not pass the op: it waits for copies, or reads or writes shared memory in another way. Reductions
// and the like have scratch there, placed later beside slots in use.
static bool stops_copies(struct dependent *d, MlirOperation op) {
    enum op_kind kind = op_kind(d->ir, op);
    bool copies = kind == OP_ASYNC_COPY || kind == OP_ASYNC_COMMIT || kind == OP_SMEM_ALLOC;
    return !copies && !(op_traits(kind) & PURE) && kind != OP_LOAD;
}

static bool may_move(struct dependent *d, MlirOperation op, const struct map *behind) {
    enum op_kind kind = op_kind(d->ir, op);
    bool pure = (op_traits(kind) & PURE) && !mlirOperationGetNumRegions(op) && kind != OP_CONVERT_LAYOUT;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (map_has(behind, mlirOperationGetOperand(op, i).ptr)) {
            return false;
        }
    }
    return pure || kind == OP_SMEM_ALLOC || is_early_load(d, op) || is_early_copy(d, op);
}

static void note_results(struct map *map, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        map_put(map, mlirOperationGetResult(op, i).ptr, (void *)op.ptr);
    }
}

// Moves the op ahead of the wait, and first its operands' ops behind the wait.
static void move_ahead(struct dependent *d, MlirOperation op, MlirOperation wait) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirOperation source = value_op(mlirOperationGetOperand(op, i));
        if (!mlirOperationIsNull(source) && op_is_before(wait, source)) {
            move_ahead(d, source, wait);
        }
    }
    mlirOperationMoveBefore(op, wait);
}

static void move_loads(struct dependent *d, MlirOperation wait) {
    struct map behind = {0}; // values computed behind the wait
    int64_t bytes = 0;
    bool copies = true;
    for (MlirOperation op = mlirOperationGetNextInBlock(wait), next;
         !mlirOperationIsNull(op) && !stops_loads(d, op); op = next) {
        next = mlirOperationGetNextInBlock(op);
        bool moves = may_move(d, op, &behind), load = op_kind(d->ir, op) == OP_LOAD;
        copies = copies && !stops_copies(d, op);
        if (moves && load && bytes + bytes_of(d, op) <= MOST_BYTES) {
            bytes += bytes_of(d, op);
            move_ahead(d, op, wait);
        } else if (moves && copies && op_kind(d->ir, op) == OP_ASYNC_COPY) {
            move_ahead(d, op, wait);
        } else if (!moves || load) {
            note_results(&behind, op);
        }
    }
    map_free(&behind);
}

// ---- the function

static void add_wait(struct dependent *d) {
    struct builder at = builder_before(d->ir, first_needing(d));
    MlirOperation wait = OP(&at, OP_GRID_WAIT, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    move_loads(d, wait);
}

static void add_trigger(struct dependent *d) {
    struct builder at = builder_before(d->ir, mlirBlockGetFirstOperation(d->body));
    OP(&at, OP_GRID_TRIGGER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
}

static void order_function(struct dependent *d) {
    bool able = target_has(d->context->target, FEATURE(SM90));
    if (op_has(d->function, ATTR_WAITS)) {
        able ? add_wait(d) : op_remove_attribute(d->function, ATTR_WAITS);
    }
    if (op_has(d->function, ATTR_TRIGGERS)) {
        able ? add_trigger(d) : op_remove_attribute(d->function, ATTR_TRIGGERS);
    }
}

void pass_dependent_launch(struct pass_context *context, MlirModule module) {
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(function);
         function = mlirOperationGetNextInBlock(function)) {
        struct dependent d = {
            .context = context, .ir = context->ir, .function = function, .body = op_body(function, 0)};
        order_function(&d);
    }
}
