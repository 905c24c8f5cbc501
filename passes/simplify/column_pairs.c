// column_pairs: a step of a chain reads columns c and F + c of a product's rows (SwiGLU of a gate and an up projection in one product).
//
//   %c = %n·256 + tk.range 256                              %c = %n·128 + tk.range 128
//   for … { tk.dot %x, tk.load %b + … + %c }                for … { tk.dot %x, tk.load %b + … + %c
//   tk.store %t + %rows·N + %c, %v                      →         tk.dot %x, tk.load %b + … + F + %c }
//   %g = tk.load %t + %i·2·F + %j {tk.step = 1}             tk.store %t + %rows·N + %c, %v0 · tk.store %u + %rows·N + %c, %v1
//   %u = tk.load %t + %i·2·F + F + %j {tk.step = 1}         %g = tk.load %t + %i·2·F + %j · %u = tk.load %u + %i·2·F + %j
//
// A program of the product takes half as many columns of each half, as many in all, so that the two elements that the step reads are its own.
// The second half becomes an array of its own: retiled_steps then finds two arrays that are stored at the same elements.
//
// The array has no memory (tk.handed = "none"), and is N = 2·F wide, by the chain's numbers. The product is taken to write it whole, a tile
// of columns from each multiple of the tile's width on: then the first half of these programs, of half the width each, covers a half.
// Each element is summed up as before: of a matrix instruction no element depends on the number of columns.
//
// requires: equal ops merged (cleanup), tk.step
// provides: the same program, but for the array's elements
// test:     tests/golden/passes/column_pairs, tests/chains/check_tiles.py
#include "passes/simplify/halves.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/dimensions.h"
#include "passes/facts/hidden_argument.h"
#include "passes/facts/tile_access.h"

enum { MOST_LOADS = 8, COLUMNS = 1 };

struct pair {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, store;
    MlirBlock body;
    MlirValue array;
    MlirOperation first[MOST_LOADS], second[MOST_LOADS]; // loads of the first and of the second half
    size_t first_count, second_count;
    struct affine_term width; // F
    MlirValue whole;          // N; null: a constant
    MlirOperation columns;    // of the store's tile
};

static bool is_null(MlirOperation op) {
    return mlirOperationIsNull(op);
}

// ---- the store and the loads

static bool find_accesses(struct pair *p, MlirOperation *ops, size_t count, MlirOperation *loads,
                          size_t *load_count) {
    p->store = (MlirOperation){NULL};
    *load_count = 0;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(p->ir, ops[i]);
        bool step = op_int(ops[i], ATTR_STEP) > 0;
        if (kind != OP_STORE && kind != OP_LOAD) {
            if ((op_traits(kind) & WRITE) && !step) {
                return false;
            }
            continue;
        }
        bool own = value_is(pointer_argument(p->ir, access_pointer(ops[i])), p->array);
        if (kind == OP_STORE && !step && (!own || !is_null(p->store))) {
            return false; // the other one would have tiles of other columns
        }
        p->store = kind == OP_STORE && !step ? ops[i] : p->store;
        if (kind == OP_LOAD && own) {
            bool other = *load_count > 0 && op_int(ops[i], ATTR_STEP) != op_int(loads[0], ATTR_STEP);
            bool inside = mlirBlockEqual(mlirOperationGetBlock(ops[i]), p->body);
            if (!step || other || !inside || *load_count == MOST_LOADS) {
                return false;
            }
            loads[(*load_count)++] = ops[i];
        }
    }
    return !is_null(p->store) && *load_count > 1 &&
           mlirBlockEqual(mlirOperationGetBlock(p->store), p->body) &&
           type_rank(mlirValueGetType(store_value(p->store))) == 2 && !mlirValueIsNull(store_mask(p->store));
}

static bool is_width(struct affines *affines, const struct affine *sum) {
    const struct affine_term *term = &sum->terms[0];
    return sum->count == 1 && term->dim < 0 && term->wrap < 0 &&
           (term->symbol_count == 0 ? term->factor > 0
                                    : term->factor == 1 && term->symbol_count == 1 &&
                                          affine_argument(affines, term->symbols[0]) >= 0);
}

// Tells loads of the second half from loads of the first: they are so many elements behind.
static bool tell_halves(struct pair *p, struct affines *affines, MlirOperation *loads, size_t count) {
    for (size_t base = 0; base < count; base++) {
        const struct affine *from = affine_of(affines, load_pointer(loads[base]));
        p->first_count = p->second_count = 0;
        bool fine = from != NULL;
        for (size_t i = 0; i < count && fine; i++) {
            const struct affine *to = affine_of(affines, load_pointer(loads[i]));
            struct affine behind = to ? *to : (struct affine){0}, offset = *from;
            behind.base = offset.base = (MlirValue){NULL};
            fine = to && value_is(to->base, from->base) && affine_add(&behind, &offset, -1);
            if (fine && behind.count == 0) {
                p->first[p->first_count++] = loads[i];
            } else if (fine && is_width(affines, &behind)) {
                bool same = p->second_count == 0 || (p->width.factor == behind.terms[0].factor &&
                                                     p->width.symbols[0] == behind.terms[0].symbols[0]);
                p->width = behind.terms[0];
                p->second[p->second_count++] = loads[i];
                fine = same;
            } else {
                fine = false;
            }
        }
        if (fine && p->second_count > 0) {
            return true;
        }
    }
    return false;
}

// True for multiples of 2·F.
static bool is_of_rows(const struct pair *p, const struct affine_term *term) {
    if (term->wrap >= 0) {
        return false;
    }
    bool has = p->width.symbol_count == 0;
    for (int s = 0; s < term->symbol_count && !has; s++) {
        has = term->symbols[s] == p->width.symbols[0];
    }
    return has && term->factor % (2 * p->width.factor) == 0;
}

// True if the mask keeps the load's columns below F: what its address has beside multiples of 2·F.
static bool is_within_half(struct pair *p, struct affines *affines, MlirOperation load) {
    struct tile_mask mask = {0};
    const struct affine *address = affine_of(affines, load_pointer(load));
    if (mlirValueIsNull(load_mask(load))) {
        return false;
    }
    tile_mask_of(affines, load_mask(load), &mask);
    for (int i = 0; i < mask.count; i++) {
        struct affine rows = *address, width = {.count = 1, .terms = {p->width}};
        rows.base = (MlirValue){NULL};
        bool fine = affine_add(&rows, &mask.below_zero[i], -1) && affine_add(&rows, &width, -1);
        for (int k = 0; k < rows.count && fine; k++) {
            fine = is_of_rows(p, &rows.terms[k]);
        }
        if (fine) {
            return true;
        }
    }
    return false;
}

static bool are_within_half(struct pair *p, struct affines *affines) {
    bool fine = true;
    for (size_t i = 0; i < p->first_count && fine; i++) {
        fine = is_within_half(p, affines, p->first[i]);
    }
    return fine;
}

// True if the argument is twice the other one, by the chain's numbers.
static bool is_twice(struct pair *p, int argument, int half) {
    MlirAttribute factors =
        argument < 0 ? (MlirAttribute){NULL} : argument_attribute(p->function, argument, ATTR_FACTORS);
    enum { TWO = -1 - 2 };
    if (mlirAttributeIsNull(factors) || mlirDenseArrayGetNumElements(factors) != 2) {
        return false;
    }
    int32_t a = mlirDenseI32ArrayGetElement(factors, 0), b = mlirDenseI32ArrayGetElement(factors, 1);
    return (a == TWO && b == half) || (b == TWO && a == half);
}

// True if rows of the stored tile are 2·F elements apart.
static bool has_two_halves(struct pair *p, struct affines *affines) {
    const struct affine *address = affine_of(affines, store_pointer(p->store));
    for (int i = 0; address && i < address->count; i++) {
        const struct affine_term *term = &address->terms[i];
        if (term->dim != 1 - COLUMNS) {
            continue;
        }
        if (p->width.symbol_count == 0) {
            return term->symbol_count == 0 && term->factor == 2 * p->width.factor;
        }
        int number = term->symbol_count == 1 ? affine_argument(affines, term->symbols[0]) : -1;
        p->whole = number < 0 ? (MlirValue){NULL} : mlirBlockGetArgument(p->body, number);
        return term->factor == 1 && is_twice(p, number, affine_argument(affines, p->width.symbols[0]));
    }
    return false;
}

// ---- columns

// The product of a number and the tile's width, spread and added to a range: the number; null: another value.
static MlirValue tile_number(struct pair *p, MlirOperation add, int64_t extent) {
    MlirOperation splat = value_op(binary_left(add)), range = value_op(binary_right(add));
    int64_t by = 0;
    if (is_null(splat) || is_null(range)) {
        return (MlirValue){NULL};
    }
    if (op_kind(p->ir, splat) == OP_RANGE) {
        MlirOperation swapped = splat;
        splat = range;
        range = swapped;
    }
    bool parts = op_kind(p->ir, splat) == OP_SPLAT && op_kind(p->ir, range) == OP_RANGE &&
                 op_int(range, ATTR_START) == 0;
    MlirOperation product = parts ? value_op(unary_source(splat)) : (MlirOperation){NULL};
    bool scaled = !is_null(product) && op_kind(p->ir, product) == OP_MULI &&
                  value_is_constant_int(p->ir, binary_right(product), &by) && by == extent;
    return scaled ? binary_left(product) : (MlirValue){NULL};
}

// The column numbers that the store's address is computed from.
static bool find_columns(struct pair *p, MlirValue value, int dim) {
    MlirOperation op = value_op(value);
    if (is_null(op) || !type_is_tensor(mlirValueGetType(value)) || dim < 0 ||
        type_extent(mlirValueGetType(value), dim) == 1) {
        return false;
    }
    int64_t extent = type_extent(mlirValueGetType(value), dim);
    bool adds = op_kind(p->ir, op) == OP_ADDI && type_rank(mlirValueGetType(value)) == 1;
    if (adds && !mlirValueIsNull(tile_number(p, op, extent))) {
        p->columns = op;
        return true;
    }
    bool found = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !found; i++) {
        found = find_columns(p, mlirOperationGetOperand(op, i),
                             dimension_of_operand(p->ir, p->context->arena, op, i, dim));
    }
    return found;
}

// F, ahead of the store's columns: an argument or a constant.
static MlirValue width_value(struct pair *p, struct affines *affines, struct builder *b, MlirType type) {
    if (p->width.symbol_count == 0) {
        return const_int(b, type, p->width.factor);
    }
    return mlirBlockGetArgument(p->body, affine_argument(affines, p->width.symbols[0]));
}

static void make_columns(struct pair *p, struct affines *affines, struct halving *h) {
    MlirValue whole = mlirOperationGetResult(p->columns, 0);
    int64_t extent = type_extent(mlirValueGetType(whole), 0), half = extent / 2;
    MlirType type = type_element(mlirValueGetType(whole));
    MlirType tile = dimension_cut(mlirValueGetType(whole), 0, 2);
    struct builder b = builder_before(p->ir, p->columns);
    MlirValue number = tile_number(p, p->columns, extent);
    MlirValue first = build_binary(&b, OP_MULI, number, const_int(&b, type, half));
    MlirValue second = build_binary(&b, OP_ADDI, first, width_value(p, affines, &b, type));
    MlirValue range = VALUE(&b, OP_RANGE, NO_OPERANDS, RESULTS(tile),
                            ATTRS(attr_i32(&b, ATTR_START, 0), attr_i32(&b, ATTR_END, (int32_t)half)));
    MlirValue starts[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        MlirValue start = VALUE(&b, OP_SPLAT, OPERANDS(starts[i]), RESULTS(tile), NO_ATTRS);
        map_value(&h->made[i], whole, build_binary(&b, OP_ADDI, start, range));
    }
}

// ---- rewriting

// An array without memory, as the first half has.
static MlirValue add_array(struct pair *p) {
    MlirAttribute all = op_attribute(p->function, ATTR_ARG_ATTRS);
    MlirAttribute own = mlirArrayAttrGetElement(all, mlirBlockArgumentGetArgNumber(p->array));
    return appended_argument(p->ir, p->context->arena, p->function, mlirValueGetType(p->array), own);
}

// True if a value can be had ahead of an op, with another array: it is there, or pure ops compute it.
static bool can_move(struct pair *p, struct map *seen, MlirValue value, MlirOperation ahead) {
    MlirOperation op = value_op(value);
    if (is_null(op) || map_has(seen, op.ptr)) {
        return true;
    }
    map_put(seen, op.ptr, op.ptr);
    if (!(op_traits(op_kind(p->ir, op)) & PURE) || mlirOperationGetNumRegions(op) > 0) {
        return op_is_before(op, ahead) && !type_is_ptr(type_element(mlirValueGetType(value)));
    }
    bool can = true;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && can; i++) {
        can = can_move(p, seen, mlirOperationGetOperand(op, i), ahead);
    }
    return can;
}

static bool is_movable(struct pair *p, MlirValue pointer, MlirOperation ahead) {
    struct map seen = {0};
    bool is = can_move(p, &seen, pointer, ahead);
    map_free(&seen);
    return is;
}

// The same place in the other array, computed ahead of an op: what is behind it or depends on the array is repeated.
static MlirValue moved(struct pair *p, struct builder *b, struct map *map, MlirValue value,
                       MlirOperation ahead) {
    MlirOperation op = value_op(value);
    if (is_null(op) || map_has(map, value.ptr)) {
        return value_under(map, value);
    }
    bool changed = !op_is_before(op, ahead);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        changed |= !value_is(moved(p, b, map, operand, ahead), operand);
    }
    if (changed) {
        op_repeat(b, p->context->arena, map, op);
    } else {
        map_value(map, value, value);
    }
    return value_under(map, value);
}

static void replace_whole(struct pair *p, struct affines *affines) {
    if (mlirValueIsNull(p->whole)) {
        return;
    }
    struct builder b = builder_before(p->ir, mlirBlockGetFirstOperation(p->body));
    MlirType type = mlirValueGetType(p->whole);
    MlirValue width = width_value(p, affines, &b, type), two = const_int(&b, type, 2);
    MlirValue twice = build_binary(&b, OP_MULI, width, two);
    mlirValueReplaceAllUsesOfWith(p->whole, twice);
}

static void rewrite(struct pair *p, struct halving *h) {
    MlirValue other = add_array(p);
    MlirValue pointer = halve(h, store_pointer(p->store), COLUMNS, 0);
    MlirValue mask =
        halve(h, store_mask(p->store), COLUMNS, 1); // of the second half: below N, so below F in it
    MlirValue values[2];
    for (int half = 0; half < 2; half++) {
        values[half] = halve(h, store_value(p->store), COLUMNS, half);
    }
    struct map map = {0};
    map_value(&map, p->array, other);
    struct builder b = builder_before(p->ir, p->store);
    b.location = mlirOperationGetLocation(p->store);
    MlirValue pointers[2] = {pointer, moved(p, &b, &map, pointer, p->store)};
    for (int half = 0; half < 2; half++) {
        OP(&b, OP_STORE, OPERANDS(pointers[half], values[half], mask), NO_RESULTS,
           op_attributes(p->context->arena, p->store));
    }
    mlirOperationDestroy(p->store);
    for (size_t i = 0; i < p->second_count; i++) {
        struct builder at = builder_before(p->ir, p->second[i]);
        at.location = mlirOperationGetLocation(p->second[i]);
        map_clear(&map); // it has values that are behind this load
        map_value(&map, p->array, other);
        mlirOperationSetOperand(p->second[i], at_load_pointer,
                                moved(p, &at, &map, load_pointer(p->first[0]), p->second[i]));
    }
    map_free(&map);
}

// True if the first half's address can be had ahead of the second half's loads, which are to read the same shape.
static bool loads_agree(struct pair *p) {
    MlirValue pointer = load_pointer(p->first[0]);
    bool agree = is_movable(p, store_pointer(p->store), p->store);
    for (size_t i = 0; i < p->second_count && agree; i++) {
        agree = mlirTypeEqual(mlirValueGetType(pointer), mlirValueGetType(load_pointer(p->second[i]))) &&
                is_movable(p, pointer, p->second[i]);
    }
    return agree;
}

static bool pair_array(struct pair *p, struct affines *affines) {
    size_t count, load_count;
    MlirOperation loads[MOST_LOADS];
    MlirOperation *ops = ops_collect(p->ir, p->context->arena, p->function, &count);
    if (!find_accesses(p, ops, count, loads, &load_count) || !tell_halves(p, affines, loads, load_count) ||
        !has_two_halves(p, affines) || !are_within_half(p, affines) || !loads_agree(p) ||
        !find_columns(p, store_pointer(p->store), COLUMNS)) {
        return false;
    }
    struct halving h = {.ir = p->ir, .arena = p->context->arena, .other_columns = true};
    MlirValue columns = mlirOperationGetResult(p->columns, 0);
    map_put(&h.seen, columns.ptr, (void *)(uintptr_t)1); // NOLINT(performance-no-int-to-ptr): dimension 0
    bool can = type_extent(mlirValueGetType(columns), 0) > 1;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(p->store) && can; i++) {
        can = can_halve(&h, mlirOperationGetOperand(p->store, i), COLUMNS);
    }
    if (can) {
        replace_whole(p, affines);
        make_columns(p, affines, &h);
        rewrite(p, &h);
    }
    halving_close(&h);
    return can;
}

static bool has_no_memory(MlirOperation function, intptr_t argument) {
    MlirAttribute handed = argument_attribute(function, argument, ATTR_HANDED);
    MlirStringRef text =
        mlirAttributeIsNull(handed) ? (MlirStringRef){NULL, 0} : mlirStringAttrGetValue(handed);
    return text.length == strlen("none") && memcmp(text.data, "none", text.length) == 0;
}

static bool pair_function(struct pass_context *context, MlirOperation function) {
    MlirBlock body = op_body(function, 0);
    bool changed = false;
    intptr_t count = mlirBlockGetNumArguments(body);
    for (intptr_t i = 0; i < count && !changed; i++) {
        if (!has_no_memory(function, i)) {
            continue;
        }
        struct affines affines;
        struct pair p = {.context = context,
                         .ir = context->ir,
                         .function = function,
                         .body = body,
                         .array = mlirBlockGetArgument(body, i)};
        affines_open(&affines, context, function);
        changed = pair_array(&p, &affines);
        affines_close(&affines);
    }
    return changed;
}

void pass_column_pairs(struct pass_context *context, MlirModule module) {
    bool changed = false;
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); !is_null(function);
         function = mlirOperationGetNextInBlock(function)) {
        changed |= op_has(function, ATTR_CHAIN) && pair_function(context, function);
    }
    if (changed) {
        pass_cleanup(context, module);
    }
}
