// What the producer can compute: scalars, from arguments, program ids, loaded scalars, the spine's counters and carried scalars, and loops and
// branches of such scalars; and, where all its threads run its region, tiles of addresses and masks, and reductions of such tiles.
#include "passes/specialise/specialise.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { MOST_ELEMENTS = 1024 }; // of a reduced tile

// ---- scalars ----

// A search of the ops behind a scalar; each is visited once.
struct scalar {
    MlirOperation loop;
    struct map seen;
    unsigned axes;     // of the program ids read: the scalar differs between programs along them
    bool varies;       // it also depends on loaded scalars or on values given by control flow
    bool ends_in_home; // it depends on the result of a loop or branch of the spine in the home block
};

static bool producible(struct specialise *s, MlirValue value, struct scalar *scalar);

// A value carried by a loop of the spine: needs its initial value and the value yielded by the body.
static bool carried_is_producible(struct specialise *s, MlirOperation loop, intptr_t number,
                                  struct scalar *scalar) {
    MlirBlock body = op_body(loop, 0);
    MlirValue argument = mlirBlockGetArgument(body, number + 1);
    map_put(&scalar->seen, argument.ptr, (void *)argument.ptr);
    return !type_is_tensor(mlirValueGetType(argument)) && producible(s, for_init(loop, number), scalar) &&
           producible(s, yield_value(mlirBlockGetTerminator(body), number), scalar);
}

// A value handed by a while loop to its body and behind it, or an operand of its condition.
static bool forwarded_is_producible(struct specialise *s, MlirOperation loop, intptr_t number,
                                    struct scalar *scalar) {
    return producible(s, condition_value(mlirBlockGetTerminator(op_body(loop, 0)), number), scalar);
}

static bool state_is_producible(struct specialise *s, MlirOperation loop, intptr_t number,
                                struct scalar *scalar) {
    MlirValue argument = mlirBlockGetArgument(op_body(loop, 0), number);
    map_put(&scalar->seen, argument.ptr, (void *)argument.ptr);
    return !type_is_tensor(mlirValueGetType(argument)) && producible(s, while_init(loop, number), scalar) &&
           producible(s, yield_value(mlirBlockGetTerminator(op_body(loop, 1)), number), scalar);
}

static bool argument_is_producible(struct specialise *s, MlirValue argument, struct scalar *scalar) {
    MlirBlock owner = mlirBlockArgumentGetOwner(argument);
    MlirOperation around = mlirBlockGetParentOperation(owner);
    intptr_t number = mlirBlockArgumentGetArgNumber(argument);
    if (mlirBlockEqual(owner, s->body) || (mlirOperationEqual(around, scalar->loop) && number == 0)) {
        return true;
    }
    scalar->varies = true;
    if (on_spine(s, around) && op_kind(s->ir, around) == OP_WHILE) {
        bool state = mlirBlockEqual(owner, op_body(around, 0));
        map_put(&scalar->seen, argument.ptr, (void *)argument.ptr);
        return (state ? state_is_producible : forwarded_is_producible)(s, around, number, scalar);
    }
    if (mlirOperationEqual(around, scalar->loop)) {
        return carried_is_producible(s, around, number - 1, scalar);
    }
    return on_spine(s, around) &&
           (number == 0 ||
            carried_is_producible(s, around, number - 1, scalar)); // bounds: spine_is_producible
}

static bool is_made_within(MlirValue value, MlirOperation op) {
    MlirOperation at = mlirValueIsABlockArgument(value)
                           ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                           : mlirOpResultGetOwner(value);
    while (!mlirOperationIsNull(at) && !mlirOperationEqual(at, op)) {
        at = mlirOperationGetParentOperation(at);
    }
    return !mlirOperationIsNull(at);
}

// True if the op computes scalars of producible ones and of ones made within `around`.
static bool inner_is_producible(struct specialise *s, MlirOperation op, MlirOperation around,
                                struct scalar *scalar) {
    enum op_kind kind = op_kind(s->ir, op);
    bool loads = kind == OP_LOAD && !load_is_volatile(op);
    bool control =
        kind == OP_SCF_YIELD || kind == OP_CONDITION || kind == OP_IF || kind == OP_FOR || kind == OP_WHILE;
    bool is = loads || control ||
              ((op_traits(kind) & PURE) && kind != OP_PROGRAM_ID && mlirOperationGetNumRegions(op) == 0);
    for (intptr_t i = 0; is && i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        is = !type_is_tensor(mlirValueGetType(result));
        map_put(&scalar->seen, result.ptr, (void *)result.ptr);
    }
    for (intptr_t i = 0; is && i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        is = is_made_within(operand, around) || producible(s, operand, scalar);
    }
    return is;
}

// A branch or loop without dots and with scalar results, such as `if g > 0: start = tl.load(ends + g - 1)` or a search for the sequence
// of a block of rows: the producer repeats it whole. A program id in it would not be the one of the producer's tile.
static bool control_is_producible(struct specialise *s, MlirOperation around, struct scalar *scalar) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, around, &count);
    bool is = inner_is_producible(s, around, around, scalar);
    for (size_t i = 0; i < count && is; i++) {
        is = inner_is_producible(s, ops[i], around, scalar);
    }
    return is;
}

static void see_tiles(struct specialise *s, MlirValue value, struct map *seen) {
    MlirOperation op = value_op(value);
    if (!type_is_tensor(mlirValueGetType(value)) || map_has(seen, value.ptr)) {
        return;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        see_tiles(s, mlirOperationGetOperand(op, i), seen);
    }
}

static bool reduction_is_producible(struct specialise *s, MlirOperation loop, MlirOperation op,
                                    struct map *seen) {
    if (op_kind(s->ir, op) != OP_REDUCE || mlirOperationGetNumOperands(op) != 1 || s->at_home ||
        !stands_around(s, op)) {
        return false;
    }
    MlirValue tile = reduce_tile(op, 0);
    MlirType type = mlirValueGetType(tile);
    bool fits = type_rank(type) == 1 && type_elements(type) <= MOST_ELEMENTS &&
                mlirTypeIsAInteger(type_element(type)) && is_tile_producible(s, loop, tile);
    if (fits) {
        see_tiles(s, tile, seen);
        s->reduces = true;
    }
    return fits;
}

static bool result_is_producible(struct specialise *s, MlirValue value, struct scalar *scalar) {
    MlirOperation op = mlirOpResultGetOwner(value);
    intptr_t number = mlirOpResultGetResultNumber(value);
    enum op_kind kind = op_kind(s->ir, op);
    bool loads = kind == OP_LOAD && !load_is_volatile(op);
    scalar->varies |= loads || kind == OP_IF || kind == OP_FOR || kind == OP_WHILE;
    if (on_spine(s, op)) {
        scalar->ends_in_home |= in_block(op, s->home);
        return kind == OP_FOR ? carried_is_producible(s, op, number, scalar)
               : kind == OP_WHILE
                   ? forwarded_is_producible(s, op, number, scalar)
                   : producible(s, yield_value(mlirBlockGetTerminator(op_body(op, 0)), number), scalar) &&
                         producible(s, yield_value(mlirBlockGetTerminator(op_body(op, 1)), number), scalar);
    }
    if ((kind == OP_IF && !mlirBlockIsNull(op_body(op, 1))) || kind == OP_FOR || kind == OP_WHILE) {
        return control_is_producible(s, op, scalar);
    }
    if (kind == OP_REDUCE) {
        scalar->varies = true;
        return reduction_is_producible(s, scalar->loop, op, &scalar->seen);
    }
    if ((!(op_traits(kind) & PURE) && !loads) || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    if (kind == OP_PROGRAM_ID) {
        scalar->axes |= 1u << op_int(op, ATTR_AXIS);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (!producible(s, mlirOperationGetOperand(op, i), scalar)) {
            return false;
        }
    }
    return true;
}

static bool producible(struct specialise *s, MlirValue value, struct scalar *scalar) {
    if (map_has(&scalar->seen, value.ptr)) {
        return true;
    }
    if (mlirValueIsABlockArgument(value)) {
        return argument_is_producible(s, value, scalar);
    }
    map_put(&scalar->seen, value.ptr, (void *)value.ptr);
    return !type_is_tensor(mlirValueGetType(value)) && result_is_producible(s, value, scalar);
}

bool is_producible(struct specialise *s, MlirOperation loop, MlirValue value, unsigned *axes) {
    struct scalar scalar = {.loop = loop};
    bool is = producible(s, value, &scalar) && !(s->at_home && scalar.ends_in_home);
    *axes |= scalar.varies ? AXES_VARY : scalar.axes;
    if (is) {
        map_add_all(&s->needed, &scalar.seen);
        map_add_all(&s->deciding, s->decides ? &scalar.seen : &(struct map){0});
    }
    map_free(&scalar.seen);
    return is;
}

// ---- tiles ----

intptr_t carried_number(MlirValue value, MlirOperation loop) {
    bool own = mlirValueIsABlockArgument(value) &&
               mlirBlockEqual(mlirBlockArgumentGetOwner(value), op_body(loop, 0));
    return own ? mlirBlockArgumentGetArgNumber(value) - 1 : -1;
}

MlirValue carried_step(struct specialise *s, MlirOperation loop, intptr_t number) {
    MlirBlock body = op_body(loop, 0);
    MlirOperation next = value_op(yield_value(mlirBlockGetTerminator(body), number));
    bool adds = !mlirOperationIsNull(next) && op_kind(s->ir, next) == OP_ADDPTR &&
                value_is(binary_left(next), mlirBlockGetArgument(body, number + 1));
    MlirValue step = adds ? binary_right(next) : (MlirValue){NULL};
    MlirOperation maker = adds ? value_op(step) : (MlirOperation){NULL};
    if (mlirOperationIsNull(maker)) {
        return (MlirValue){NULL};
    }
    bool constant = op_kind(s->ir, maker) == OP_CONSTANT ||
                    (op_kind(s->ir, maker) == OP_SPLAT && !in_block(value_op(unary_source(maker)), body));
    return constant || !in_block(maker, body) ? step : (MlirValue){NULL};
}

bool is_tile_producible(struct specialise *s, MlirOperation loop, MlirValue value) {
    unsigned any = 0;
    if (!type_is_tensor(mlirValueGetType(value))) {
        return is_producible(s, loop, value, &any);
    }
    if (map_has(&s->tiles, value.ptr)) {
        return true;
    }
    intptr_t number = carried_number(value, loop);
    if (number >= 0) {
        MlirValue step = carried_step(s, loop, number);
        return !mlirValueIsNull(step) && is_tile_producible(s, loop, step) &&
               is_tile_producible(s, loop, for_init(loop, number));
    }
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || mlirOperationGetNumResults(op) != 1 ||
        mlirOperationGetNumRegions(op) > 0 || on_spine(s, op)) {
        return false;
    }
    enum op_kind kind = op_kind(s->ir, op);
    bool loads = kind == OP_LOAD && !load_is_volatile(op);
    bool known = loads || kind == OP_CONSTANT || kind == OP_RANGE || kind == OP_SPLAT ||
                 kind == OP_BROADCAST || kind == OP_EXPAND_DIMS || kind == OP_TRANS ||
                 kind == OP_CONVERT_LAYOUT || ((op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE));
    for (intptr_t i = 0; known && i < mlirOperationGetNumOperands(op); i++) {
        known = is_tile_producible(s, loop, mlirOperationGetOperand(op, i));
    }
    if (known) {
        map_put(&s->tiles, value.ptr, (void *)value.ptr);
    }
    return known;
}
