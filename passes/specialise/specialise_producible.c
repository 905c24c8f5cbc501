// What the producer can compute: scalars, from arguments, program ids, loaded scalars, the spine's counters and carried scalars, and loops and
// branches of such scalars; and, where all its threads run its region, tiles of addresses and masks, and reductions of such tiles.
// Questions record nothing: decisions are recorded at the end (specialise_needs.c).
#include "passes/specialise/specialise.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { MOST_ELEMENTS = 1024 }; // of a reduced tile

// ---- scalars ----

// A search of the ops behind a scalar or a tile; each is visited once.
struct search {
    MlirOperation loop;
    struct map seen;   // scalars
    struct map tiles;  // tiles: of addresses, of masks, behind these, and reduced to scalars
    unsigned axes;     // of the program ids read: scalars differ between programs along them
    bool varies;       // they also depend on loaded scalars or on values given by control flow
    bool reduces;      // on reductions of tiles
    bool ends_in_home; // on the result of a loop or branch of the spine in the home block
};

static bool producible(struct specialise *s, MlirValue value, struct search *search);
static bool tile_producible(struct specialise *s, MlirValue value, struct search *search);

// A value carried by a loop of the spine: needs its initial value and the value yielded by the body.
static bool carried_is_producible(struct specialise *s, MlirOperation loop, intptr_t number,
                                  struct search *search) {
    MlirBlock body = op_body(loop, 0);
    MlirValue argument = mlirBlockGetArgument(body, number + 1);
    map_put(&search->seen, argument.ptr, (void *)argument.ptr);
    return !type_is_tensor(mlirValueGetType(argument)) && producible(s, for_init(loop, number), search) &&
           producible(s, yield_value(mlirBlockGetTerminator(body), number), search);
}

// A value handed by a while loop to its body and behind it, or an operand of its condition.
static bool forwarded_is_producible(struct specialise *s, MlirOperation loop, intptr_t number,
                                    struct search *search) {
    return producible(s, condition_value(mlirBlockGetTerminator(op_body(loop, 0)), number), search);
}

static bool state_is_producible(struct specialise *s, MlirOperation loop, intptr_t number,
                                struct search *search) {
    MlirValue argument = mlirBlockGetArgument(op_body(loop, 0), number);
    map_put(&search->seen, argument.ptr, (void *)argument.ptr);
    return !type_is_tensor(mlirValueGetType(argument)) && producible(s, while_init(loop, number), search) &&
           producible(s, yield_value(mlirBlockGetTerminator(op_body(loop, 1)), number), search);
}

static bool argument_is_producible(struct specialise *s, MlirValue argument, struct search *search) {
    MlirBlock owner = mlirBlockArgumentGetOwner(argument);
    MlirOperation around = mlirBlockGetParentOperation(owner);
    intptr_t number = mlirBlockArgumentGetArgNumber(argument);
    if (mlirBlockEqual(owner, s->body) || (mlirOperationEqual(around, search->loop) && number == 0)) {
        return true;
    }
    search->varies = true;
    if (on_spine(s, around) && op_kind(s->ir, around) == OP_WHILE) {
        bool state = mlirBlockEqual(owner, op_body(around, 0));
        map_put(&search->seen, argument.ptr, (void *)argument.ptr);
        return (state ? state_is_producible : forwarded_is_producible)(s, around, number, search);
    }
    if (mlirOperationEqual(around, search->loop)) {
        return carried_is_producible(s, around, number - 1, search);
    }
    return on_spine(s, around) &&
           (number == 0 ||
            carried_is_producible(s, around, number - 1, search)); // bounds: spine_is_producible
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
                                struct search *search) {
    enum op_kind kind = op_kind(s->ir, op);
    bool loads = kind == OP_LOAD && !load_is_volatile(op);
    bool control =
        kind == OP_SCF_YIELD || kind == OP_CONDITION || kind == OP_IF || kind == OP_FOR || kind == OP_WHILE;
    bool is = loads || control ||
              ((op_traits(kind) & PURE) && kind != OP_PROGRAM_ID && mlirOperationGetNumRegions(op) == 0);
    for (intptr_t i = 0; is && i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        is = !type_is_tensor(mlirValueGetType(result));
        map_put(&search->seen, result.ptr, (void *)result.ptr);
    }
    for (intptr_t i = 0; is && i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        is = is_made_within(operand, around) || producible(s, operand, search);
    }
    return is;
}

// A branch or loop without dots and with scalar results, such as `if g > 0: start = tl.load(ends + g - 1)` or a search for the sequence
// of a block of rows: the producer repeats it whole. A program id in it would not be the one of the producer's tile.
static bool control_is_producible(struct specialise *s, MlirOperation around, struct search *search) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, around, &count);
    bool is = inner_is_producible(s, around, around, search);
    for (size_t i = 0; i < count && is; i++) {
        is = inner_is_producible(s, ops[i], around, search);
    }
    return is;
}

static bool reduction_is_producible(struct specialise *s, MlirOperation op, struct search *search) {
    if (mlirOperationGetNumOperands(op) != 1 || s->at_home || !stands_around(s, op)) {
        return false;
    }
    MlirValue tile = reduce_tile(op, 0);
    MlirType type = mlirValueGetType(tile);
    search->varies = search->reduces = true;
    return type_rank(type) == 1 && type_elements(type) <= MOST_ELEMENTS &&
           mlirTypeIsAInteger(type_element(type)) && tile_producible(s, tile, search);
}

static bool result_is_producible(struct specialise *s, MlirValue value, struct search *search) {
    MlirOperation op = mlirOpResultGetOwner(value);
    intptr_t number = mlirOpResultGetResultNumber(value);
    enum op_kind kind = op_kind(s->ir, op);
    bool loads = kind == OP_LOAD && !load_is_volatile(op);
    search->varies |= loads || kind == OP_IF || kind == OP_FOR || kind == OP_WHILE;
    if (on_spine(s, op)) {
        search->ends_in_home |= in_block(op, s->home);
        return kind == OP_FOR ? carried_is_producible(s, op, number, search)
               : kind == OP_WHILE
                   ? forwarded_is_producible(s, op, number, search)
                   : producible(s, yield_value(mlirBlockGetTerminator(op_body(op, 0)), number), search) &&
                         producible(s, yield_value(mlirBlockGetTerminator(op_body(op, 1)), number), search);
    }
    if ((kind == OP_IF && !mlirBlockIsNull(op_body(op, 1))) || kind == OP_FOR || kind == OP_WHILE) {
        return control_is_producible(s, op, search);
    }
    if (kind == OP_REDUCE) {
        return reduction_is_producible(s, op, search);
    }
    if ((!(op_traits(kind) & PURE) && !loads) || mlirOperationGetNumRegions(op) > 0) {
        return false;
    }
    if (kind == OP_PROGRAM_ID) {
        search->axes |= 1u << op_int(op, ATTR_AXIS);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        if (!producible(s, mlirOperationGetOperand(op, i), search)) {
            return false;
        }
    }
    return true;
}

static bool producible(struct specialise *s, MlirValue value, struct search *search) {
    if (map_has(&search->seen, value.ptr)) {
        return true;
    }
    if (mlirValueIsABlockArgument(value)) {
        return argument_is_producible(s, value, search);
    }
    map_put(&search->seen, value.ptr, (void *)value.ptr);
    return !type_is_tensor(mlirValueGetType(value)) && result_is_producible(s, value, search);
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

static bool tile_producible(struct specialise *s, MlirValue value, struct search *search) {
    MlirOperation loop = search->loop;
    if (!type_is_tensor(mlirValueGetType(value))) {
        return producible(s, value, search);
    }
    if (map_has(&search->tiles, value.ptr)) {
        return true;
    }
    intptr_t number = carried_number(value, loop);
    if (number >= 0) {
        MlirValue step = carried_step(s, loop, number);
        return !mlirValueIsNull(step) && tile_producible(s, step, search) &&
               tile_producible(s, for_init(loop, number), search);
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
        known = tile_producible(s, mlirOperationGetOperand(op, i), search);
    }
    map_put(&search->tiles, value.ptr, (void *)value.ptr);
    return known;
}

// ---- questions: they record nothing ----

static void search_end(struct search *search) {
    map_free(&search->seen);
    map_free(&search->tiles);
}

bool is_producible(struct specialise *s, MlirOperation loop, MlirValue value, unsigned *axes) {
    struct search search = {.loop = loop};
    bool is = producible(s, value, &search) && !(s->at_home && search.ends_in_home);
    *axes |= (search.varies ? AXES_VARY : search.axes) | (search.reduces ? AXES_REDUCED : 0);
    search_end(&search);
    return is;
}

bool is_tile_producible(struct specialise *s, MlirOperation loop, MlirValue value) {
    struct search search = {.loop = loop};
    bool is = tile_producible(s, value, &search);
    search_end(&search);
    return is;
}

bool is_producible_index(struct specialise *s, MlirOperation loop, const struct tile_index *index,
                         unsigned *axes) {
    for (int t = 0; t < index->term_count; t++) {
        for (int i = 0; i < index->terms[t].symbol_count; i++) {
            const struct affine_symbol *symbol = &index->terms[t].symbols[i];
            bool counts = mlirValueIsNull(symbol->value);
            if (counts ? !mlirOperationEqual(symbol->loop, loop) && !on_spine(s, symbol->loop)
                       : !is_producible(s, loop, symbol->value, axes)) {
                return false;
            }
        }
    }
    return true;
}

// ---- decisions, recorded ----

void producer_needs(struct specialise *s, MlirOperation loop, MlirValue value, bool decides) {
    struct search search = {.loop = loop};
    if (tile_producible(s, value, &search)) {
        map_add_all(&s->needed, &search.seen);
        map_add_all(&s->tiles, &search.tiles);
        map_add_all(&s->deciding, decides ? &search.seen : &(struct map){0});
        map_add_all(&s->deciding, decides ? &search.tiles : &(struct map){0});
    }
    search_end(&search);
}
