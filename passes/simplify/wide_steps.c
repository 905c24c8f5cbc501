// wide_steps: two steps of a product's loop become one, where the rows of a step's tiles are short.
//
//   scf.for %k = 0 to %n step 1 iter_args(%c, %p, %q) {          scf.for %k = 0 to %n step 2 iter_args(%c, %p, %q) {
//     %a = tk.load %p, %i < %K - 32 · %k      64 x 32              %a = tk.load %p, %i < %K - 32 · %k      64 x 64
//     %b = tk.load %q, %j < %K - 32 · %k      32 x 64       →      %b = tk.load %q, %j < %K - 32 · %k      64 x 64
//     yield tk.dot(%a, %b, %c), %p + 32, %q + 32 · N               yield tk.dot(%a, %b, %c), %p + 64, %q + 64 · N
//   }                                                            }
//
// Reason: a tensor copy takes as long for a row of 64 bytes of its box as for one of 128, so half of what a multiprocessor can copy is lost.
//
// The loop goes once through the product's depth, and the masks hide what lies behind it: of an odd number of steps the last one's second half is
// zero. A tile's element in the second half is the one that the next step would have loaded: its address and masks are sums of the
// element's own index and of the step's number (tile_access.h), which are the same for both. The sums are added in the same order.
//
// A step's copies take two cycles a row of a box, of 64 bytes or 128, or as long as its bytes take out of the second-level cache, 52 a cycle. The
// pass wants a tenth less of it, and a product of less than two thirds. H200, 4096^3, of the time before, by this rule and measured:
//
//   fp16, 32 deep: 64 x 64 0.82, 0.82; 128 x 64 0.74, 0.78; 128 x 32 0.62, 0.75; left alone 64 x 128 0.92, 0.94, and for their product
//                  128 x 128 0.82, 0.95 (512 rows 1.07), 64 x 256 1.25
//   int8, 64 deep: 64 x 64 0.62, 0.66; 64 x 128 0.61, 0.70; 128 x 128 0.62, 0.76 (256 rows 1.06 to 1.10)
//
// Roles must come of it, and nearly as many blocks: the passes up to `roles` are tried on copies of the function.
//
// requires: equal ops merged (cleanup), no layouts
// provides: the same program; dead addresses
// test:     tests/golden/passes/wide_steps, tests/lang/forms.tk
#include "passes/pass.h"

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/facts/column_steps.h"
#include "passes/facts/dimensions.h"
#include "passes/facts/tile_access.h"

// WAYS: values are widened along a dimension, or repeated as they are.
enum { WAYS = 3, OPERANDS_OF_DOT = 2 };

struct widening {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, loop, dot;
    MlirBlock body, to; // of the loop, and of the new one
    intptr_t sum;       // the number of the carried value that the dot adds to
    int64_t depth;      // of a step
    struct map seen[WAYS], made[WAYS];
};

// ---- asking ----

static bool is_inside(const struct widening *w, MlirValue value) {
    MlirOperation op = value_op(value);
    return mlirBlockEqual(
        mlirOperationIsNull(op) ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(op), w->body);
}

// What a carried value grows by in a step: %v + by; else null.
static MlirValue grows_by(const struct widening *w, intptr_t number) {
    MlirValue argument = mlirBlockGetArgument(w->body, number + 1);
    MlirOperation sum = value_op(yield_value(mlirBlockGetTerminator(w->body), number));
    enum op_kind kind = mlirOperationIsNull(sum) ? OP_UNKNOWN : op_kind(w->ir, sum);
    if (kind != OP_ADDPTR && kind != OP_ADDI) {
        return (MlirValue){NULL};
    }
    MlirValue from = kind == OP_ADDI ? binary_left(sum) : addptr_pointer(sum);
    MlirValue by = kind == OP_ADDI ? binary_right(sum) : addptr_offset(sum);
    return value_is(from, argument) && !is_inside(w, by) ? by : (MlirValue){NULL};
}

static bool can_widen(struct widening *w, MlirValue value, int dim);

static bool can_widen_argument(struct widening *w, MlirValue value, int dim) {
    intptr_t number = mlirBlockArgumentGetArgNumber(value) - 1;
    if (!is_inside(w, value) || number < 0) {
        return is_inside(w, value) && dim < 0; // the counter
    }
    for (int way = 0; way < WAYS; way++) {
        if (way != dim + 1 && map_has(&w->seen[way], value.ptr)) {
            return false;
        }
    }
    MlirValue by = grows_by(w, number);
    return number != w->sum && !mlirValueIsNull(by) && can_widen(w, for_init(w->loop, number), dim) &&
           can_widen(w, by, dim) && !value_has_uses(mlirOperationGetResult(w->loop, number));
}

// Ops that compute each element of a longer tile from elements of longer operands, in sums of the element's index.
static bool is_linear(enum op_kind kind) {
    switch (kind) {
    case OP_SPLAT:
    case OP_EXPAND_DIMS:
    case OP_BROADCAST:
    case OP_TRANS:
    case OP_LOAD:
    case OP_ADDPTR:
    case OP_ADDI:
    case OP_SUBI:
    case OP_MULI:
    case OP_EXTSI:
    case OP_CMPI:
    case OP_ANDI:
        return true;
    default:
        return false;
    }
}

static bool can_widen_op(struct widening *w, MlirOperation op, int dim) {
    enum op_kind kind = op_kind(w->ir, op);
    bool plain = mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0;
    if (dim < 0) {
        plain = plain && (op_traits(kind) & PURE);
    } else if (kind == OP_CONSTANT) {
        return !mlirAttributeIsNull(value_constant(w->ir, mlirOperationGetResult(op, 0)));
    } else {
        plain = plain && (kind == OP_RANGE || is_linear(kind)) && !op_has(op, ATTR_CONSTANCY) &&
                !op_has(op, ATTR_CONTIGUITY);
    }
    for (intptr_t i = 0; plain && i < mlirOperationGetNumOperands(op); i++) {
        int own = dim < 0 ? dim : dimension_of_operand(w->ir, w->context->arena, op, i, dim);
        plain = can_widen(w, mlirOperationGetOperand(op, i), own);
    }
    return plain;
}

// True if the value can be computed in the new loop: with two steps' elements along the dimension, or as it is.
static bool can_widen(struct widening *w, MlirValue value, int dim) {
    dim = dimension_is_whole(value, dim) ? -1 : dim;
    struct map *seen = &w->seen[dim + 1];
    if ((dim < 0 && !is_inside(w, value)) || map_has(seen, value.ptr)) {
        return true;
    }
    if (dim + 1 >= WAYS) {
        return false;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    MlirOperation op = value_op(value);
    return mlirOperationIsNull(op) ? can_widen_argument(w, value, dim) : can_widen_op(w, op, dim);
}

// True if the index depends on nothing that the loop changes.
static bool stands_still(const struct widening *w, const struct tile_index *index) {
    bool still = true;
    for (int t = 0; t < index->term_count; t++) {
        for (int i = 0; i < index->terms[t].symbol_count; i++) {
            const struct affine_symbol *symbol = &index->terms[t].symbols[i];
            still &= mlirValueIsNull(symbol->value) ? !mlirOperationEqual(symbol->loop, w->loop)
                                                    : !is_inside(w, symbol->value);
        }
    }
    return still;
}

// The columns behind the loop's end, without what is said of their number; null if the loop does not go through them.
static MlirValue width_of(const struct widening *w) {
    MlirValue width = column_steps_width(w->ir, w->loop, w->depth);
    while (!mlirValueIsNull(width) && !mlirOperationIsNull(value_op(width)) &&
           op_kind(w->ir, value_op(width)) == OP_HINT) {
        width = unary_source(value_op(width));
    }
    return width;
}

// True if the box begins at depth times the step's number, and ends at the loop's end.
static bool goes_through(const struct widening *w, struct affines *affines, const struct tile_dim *dim) {
    MlirValue width = width_of(w);
    const struct tile_term *term = &dim->first.terms[0];
    int64_t number;
    bool steps = dim->first.constant == 0 && dim->first.term_count == 1 && term->symbol_count == 1 &&
                 is_step_of_columns(w->ir, w->loop, &term->symbols[0], term->factor, w->depth);
    if (!steps || mlirValueIsNull(width) || !dim->bounded || dim->part != TILE_WHOLE || dim->wrapped ||
        dim->cut || dim->cut_by >= 0) {
        return false;
    }
    const struct tile_size *bound = &dim->bound;
    if (value_is_constant_int(w->ir, width, &number)) {
        return bound->factor == 0 && bound->constant == number;
    }
    return bound->constant == 0 && bound->factor == 1 && bound->over == 1 && bound->parameters[0] >= 0 &&
           bound->parameters[1] < 0 && bound->parameters[0] == affine_visible_argument(affines, width);
}

// Of two steps, copied one by one and together: rows of boxes, and bytes.
struct copies {
    int64_t rows_apart, rows_joined, bytes;
};

static void count_copies(const struct tile_access *access, MlirType type, int along, struct copies *copies) {
    int64_t bytes = type_elements(type) * type_bits(type_element(type)) / 8;
    int64_t row = type_extent(type, access->dim[0].tile_dimension) * type_bits(type_element(type)) / 8;
    int64_t rows = bytes / (row < TENSOR_MAP_MOST_SWIZZLE ? row : TENSOR_MAP_MOST_SWIZZLE);
    bool joins = access->dim[0].tile_dimension == along && 2 * row <= TENSOR_MAP_MOST_SWIZZLE;
    copies->bytes += 2 * bytes;
    copies->rows_apart += 2 * rows;
    copies->rows_joined += joins ? rows : 2 * rows;
}

// Cycles of two steps. Matrix units multiply 1,024 pairs of 32 bits a cycle, twice as many of 16, four times of 8: MULTIPLIED bits.
static int64_t cycles_of_product(const struct widening *w) {
    enum { MULTIPLIED = 32768 };
    MlirType left = mlirValueGetType(dot_a(w->dot)), sums = mlirValueGetType(dot_c(w->dot));
    return 2 * type_elements(sums) * w->depth * type_bits(type_element(left)) / MULTIPLIED;
}

static bool pays(const struct widening *w, const struct copies *copies) {
    enum { OF_ROW = 2, BYTES = 52, OF = 10, ENOUGH = 9 };
    int64_t apart = OF_ROW * copies->rows_apart, joined = OF_ROW * copies->rows_joined;
    int64_t product = cycles_of_product(w), bytes = copies->bytes / BYTES;
    joined = joined > bytes ? joined : bytes;
    return 3 * product < 2 * apart && OF * joined <= ENOUGH * apart;
}

// True if the load brings a box of the loop's step, and zeros behind the loop's end.
static bool loads_steps(const struct widening *w, struct affines *affines, MlirOperation load, int along,
                        struct copies *copies) {
    struct tile_access access;
    MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
    if (load_is_volatile(load) || mlirValueIsNull(load_mask(load)) || mlirValueIsNull(load_other(load)) ||
        !fills_with_zero(w->ir, load_other(load)) || !tile_access_of(affines, load, &access) ||
        access.guard_count > 0 || !tile_access_fits_tma(affines, &access)) {
        return false;
    }
    bool goes = false, fine = true;
    for (unsigned d = 0; d < access.rank; d++) {
        bool own = access.dim[d].tile_dimension == along;
        goes |= own && goes_through(w, affines, &access.dim[d]);
        fine &= own || stands_still(w, &access.dim[d].first);
    }
    fine = fine && goes && access.dim[0].tile_dimension >= 0;
    if (fine) {
        count_copies(&access, type, along, copies);
    }
    return fine;
}

// The load behind a dot's operand, which may be turned; else null. *dim: the load's, behind the operand's.
static MlirOperation load_of(const struct widening *w, MlirValue operand, int *dim) {
    MlirOperation op = value_op(operand), none = {NULL};
    if (!mlirOperationIsNull(op) && op_kind(w->ir, op) == OP_TRANS) {
        *dim = dimension_of_operand(w->ir, w->context->arena, op, 0, *dim);
        op = value_op(unary_source(op));
    }
    bool loads = !mlirOperationIsNull(op) && op_kind(w->ir, op) == OP_LOAD &&
                 mlirBlockEqual(mlirOperationGetBlock(op), w->body) &&
                 value_has_one_use(mlirOperationGetResult(op, 0));
    return loads ? op : none;
}

static bool operands_widen(struct widening *w) {
    struct affines affines;
    struct copies copies = {0};
    bool fine = true;
    affines_open(&affines, w->context, w->function);
    for (int side = 0; side < OPERANDS_OF_DOT && fine; side++) {
        int dim = side == 0 ? 1 : 0;
        MlirValue operand = side == 0 ? dot_a(w->dot) : dot_b(w->dot);
        MlirOperation load = load_of(w, operand, &dim);
        fine = !mlirOperationIsNull(load) && loads_steps(w, &affines, load, dim, &copies) &&
               can_widen(w, operand, side == 0 ? 1 : 0);
    }
    affines_close(&affines);
    return fine && pays(w, &copies);
}

// True if the loop does nothing but this product, and what is carried beside its sums is counted on.
static bool multiplies_alone(struct widening *w) {
    for (MlirOperation op = mlirBlockGetFirstOperation(w->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(w->ir, op);
        bool known = mlirOperationEqual(op, w->dot) || kind == OP_LOAD || kind == OP_SCF_YIELD;
        if (!known && (!(op_traits(kind) & PURE) || mlirOperationGetNumRegions(op) > 0)) {
            return false;
        }
    }
    MlirValue sums = mlirOperationGetResult(w->dot, 0);
    MlirOperation yield = mlirBlockGetTerminator(w->body);
    w->sum = mlirBlockArgumentGetArgNumber(dot_c(w->dot)) - 1;
    if (w->sum < 0 || !value_has_one_use(sums) || !value_is(yield_value(yield, w->sum), sums) ||
        !value_has_one_use(dot_c(w->dot))) {
        return false;
    }
    return mlirValueIsNull(dot_a_scale(w->dot));
}

static bool every_value_goes_on(struct widening *w) {
    bool fine = true;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(w->loop) && fine; i++) {
        MlirValue argument = mlirBlockGetArgument(w->body, i + 1);
        bool seen = i == w->sum;
        for (int way = 0; way < WAYS; way++) {
            seen |= map_has(&w->seen[way], argument.ptr);
        }
        fine = seen || can_widen(w, argument, -1);
    }
    return fine;
}

static bool find(struct widening *w) {
    int64_t step;
    w->dot = only_dot_in_loop(w->ir, w->context->arena, w->function);
    if (mlirOperationIsNull(w->dot) || type_rank(mlirValueGetType(dot_a(w->dot))) != 2 ||
        !mlirValueIsABlockArgument(dot_c(w->dot))) {
        return false;
    }
    w->loop = mlirOperationGetParentOperation(w->dot);
    w->body = op_body(w->loop, 0);
    w->depth = type_extent(mlirValueGetType(dot_a(w->dot)), 1);
    return mlirBlockEqual(mlirBlockArgumentGetOwner(dot_c(w->dot)), w->body) &&
           value_is_constant_int(w->ir, for_step(w->loop), &step) && multiplies_alone(w) &&
           operands_widen(w) && every_value_goes_on(w);
}

// ---- building ----

static MlirType wide_type(MlirType type, int dim) {
    int64_t shape[LAYOUT_MAX_RANK];
    for (int d = 0; d < type_rank(type); d++) {
        shape[d] = type_extent(type, d) * (d == dim ? 2 : 1);
    }
    return tensor_type(type_rank(type), shape, type_element(type), (MlirAttribute){NULL});
}

static MlirValue widen(struct widening *w, MlirValue value, int dim);

static MlirValue widen_op(struct widening *w, MlirOperation op, int dim) {
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType type = dim < 0 ? mlirValueGetType(result) : wide_type(mlirValueGetType(result), dim);
    MlirValue *operands = ARENA_ARRAY(w->context->arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        int own = dim < 0 ? dim : dimension_of_operand(w->ir, w->context->arena, op, i, dim);
        operands[i] = widen(w, mlirOperationGetOperand(op, i), own);
    }
    struct builder b = is_inside(w, result) ? builder_at_end(w->ir, w->to, mlirOperationGetLocation(op))
                                            : builder_after(w->ir, op);
    b.location = mlirOperationGetLocation(op);
    if (op_kind(w->ir, op) == OP_CONSTANT && dim >= 0) {
        MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(op_attribute(op, ATTR_VALUE));
        return VALUE(&b, OP_CONSTANT, NO_OPERANDS, RESULTS(type),
                     ATTRS(attr(&b, ATTR_VALUE, mlirDenseElementsAttrSplatGet(type, splat))));
    }
    MlirOperation made = build_op(&b, op_kind(w->ir, op), (struct operands){count, operands}, RESULTS(type),
                                  op_attributes(w->context->arena, op));
    if (op_kind(w->ir, op) == OP_RANGE && dim >= 0) {
        op_set_int(w->ir, made, ATTR_END, (int32_t)(op_int(op, ATTR_START) + type_extent(type, 0)));
    }
    return mlirOperationGetResult(made, 0);
}

static MlirValue widen(struct widening *w, MlirValue value, int dim) {
    dim = dimension_is_whole(value, dim) ? -1 : dim;
    if (dim < 0 && !is_inside(w, value)) {
        return value;
    }
    const void *known = map_get(&w->made[dim + 1], value.ptr);
    if (known) {
        return (MlirValue){known};
    }
    MlirValue made = widen_op(w, value_op(value), dim);
    map_value(&w->made[dim + 1], value, made);
    return made;
}

static int way_of(const struct widening *w, MlirValue argument) {
    int way = 0;
    while (!map_has(&w->seen[way], argument.ptr)) {
        way++;
    }
    return way;
}

// The new loop, ahead of the old one. `by`: what each carried value grows by in one of its steps.
static MlirOperation build_loop(struct widening *w, intptr_t count, MlirValue *by) {
    int64_t step;
    struct builder b = builder_before(w->ir, w->loop);
    MlirValue *inits = ARENA_ARRAY(w->context->arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        inits[i] = for_init(w->loop, i);
        if (i != w->sum) {
            int dim = way_of(w, mlirBlockGetArgument(w->body, i + 1)) - 1;
            MlirValue once = widen(w, grows_by(w, i), dim);
            inits[i] = widen(w, inits[i], dim);
            by[i] = build_binary(&b, OP_ADDI, once, once);
        }
    }
    value_is_constant_int(w->ir, for_step(w->loop), &step);
    MlirValue twice = const_int(&b, mlirValueGetType(for_step(w->loop)), 2 * step);
    MlirOperation loop =
        build_for(&b, for_lower(w->loop), for_upper(w->loop), twice, (struct operands){count, inits}, &w->to);
    struct attrs attributes = op_attributes(w->context->arena, w->loop);
    for (intptr_t i = 0; i < attributes.count; i++) {
        mlirOperationSetAttributeByName(loop, mlirIdentifierStr(attributes.attributes[i].name),
                                        attributes.attributes[i].attribute);
    }
    return loop;
}

static void rewrite(struct widening *w) {
    intptr_t count = mlirOperationGetNumResults(w->loop);
    MlirValue *by = ARENA_ARRAY(w->context->arena, MlirValue, count + 1);
    MlirValue *next = ARENA_ARRAY(w->context->arena, MlirValue, count + 1);
    MlirOperation loop = build_loop(w, count, by);
    map_value(&w->made[0], mlirBlockGetArgument(w->body, 0), mlirBlockGetArgument(w->to, 0));
    for (intptr_t i = 0; i < count; i++) {
        MlirValue argument = mlirBlockGetArgument(w->body, i + 1);
        int way = i == w->sum ? 0 : way_of(w, argument);
        map_value(&w->made[way], argument, mlirBlockGetArgument(w->to, i + 1));
    }
    MlirValue a = widen(w, dot_a(w->dot), 1), right = widen(w, dot_b(w->dot), 0);
    struct builder b = builder_at_end(w->ir, w->to, mlirOperationGetLocation(w->dot));
    struct map map = {0};
    map_value(&map, dot_a(w->dot), a);
    map_value(&map, dot_b(w->dot), right);
    map_value(&map, dot_c(w->dot), mlirBlockGetArgument(w->to, w->sum + 1));
    MlirOperation dot = op_repeat(&b, w->context->arena, &map, w->dot);
    map_free(&map);
    for (intptr_t i = 0; i < count; i++) {
        MlirValue argument = mlirBlockGetArgument(w->to, i + 1);
        MlirOperation sum = value_op(yield_value(mlirBlockGetTerminator(w->body), i));
        next[i] = i == w->sum ? mlirOperationGetResult(dot, 0)
                              : build_binary(&b, op_kind(w->ir, sum), argument, by[i]);
    }
    build_yield(&b, (struct operands){count, next});
    for (intptr_t i = 0; i < count; i++) {
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(w->loop, i), mlirOperationGetResult(loop, i));
    }
    mlirOperationDestroy(w->loop);
    // As many bytes under way take half of the slots, but a product reads one, and the one before may still read another.
    enum { LEAST_SLOTS = 3 };
    int slots = (int)op_int(w->function, ATTR_NUM_STAGES) / 2 + 1;
    op_set_int(w->ir, w->function, ATTR_NUM_STAGES, slots < LEAST_SLOTS ? LEAST_SLOTS : slots);
}

static bool widen_function(struct pass_context *context, MlirOperation function, bool writes) {
    struct widening w = {.context = context, .ir = context->ir, .function = function};
    bool found = find(&w);
    if (found && writes) {
        rewrite(&w);
    }
    for (int way = 0; way < WAYS; way++) {
        map_free(&w.seen[way]);
        map_free(&w.made[way]);
    }
    return found;
}

// The blocks of a multiprocessor with roles, of a copy of the function; 0 without roles.
static int64_t blocks_with_roles(struct pass_context *context, MlirOperation function, bool widens) {
    MlirModule module = mlirModuleCreateEmpty(mlirOperationGetLocation(function));
    MlirOperation copy = mlirOperationClone(function);
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), copy);
    if (widens) {
        widen_function(context, copy, true);
    }
    passes_try(context, module, PASS_WIDE_STEPS, PASS_ROLES);
    int64_t blocks = op_has(copy, ATTR_PERSISTENT) ? op_int(copy, ATTR_PERSISTENT) : 0;
    mlirModuleDestroy(module);
    return blocks;
}

void pass_wide_steps(struct pass_context *context, MlirModule module) {
    enum { SHARE = 4 };
    if (!target_has(context->target, FEATURE(WGMMA)) || !context->tensor_maps) {
        return;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_int(op, ATTR_NUM_STAGES) > 1 && widen_function(context, op, false)) {
            int64_t before = blocks_with_roles(context, op, false);
            if (before > 0 && SHARE * blocks_with_roles(context, op, true) >= (SHARE - 1) * before) {
                widen_function(context, op, true);
            }
        }
    }
}
