// operand_steps: an elementwise step of a chain is done on the operand that a product loads of its array.
//
//   %s = 1 / tk.load %scale {tk.step = -2}                     %s = 1 / tk.load %scale
//   %v = tk.load %x + %i, %i < %n {tk.step = -2}               for %k … {
//   tk.store %q + %i, f(%v · %s), %i < %n {tk.step = -2}         %v = tk.load %x + %rows·K + %k + %c, %mask
//   for %k … {                                             →     yield tk.dot(f(%v · %s), %b, %acc)
//     %a = tk.load %q + %rows·K + %k + %c, %mask               }
//     yield tk.dot(%a, %b, %acc)
//   }
//
// The step (a cast, a quantisation with a known scale, an activation) stores at each place of an array a function of what it has loaded at
// the same place of another one, and of numbers that are the same everywhere. So it does not matter where the product loads: the pass
// replaces the array behind the product's addresses, and computes the function of the loaded tile. All bits stay. The array is taken to be
// written whole by its step, and to have no memory.
//
// Elements that the load's mask leaves out are what the load says, not the function of zero: such a choice costs an instruction an element.
// It falls away where the function of zero is zero, and for conditions that cannot matter: a bound of columns that no step of the loop
// reaches, and a bound of rows that every store of the sums has, too.
//
// requires: equal ops merged (cleanup), tk.step
// provides: no tk.step of STEP_OF_OPERAND, or a reason in tk.chain
// test:     tests/golden/passes/operand_steps, tests/chains/check_operands.py
#include "passes/pass.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/apart.h"
#include "passes/facts/column_steps.h"
#include "passes/facts/same_in_programs.h"
#include "passes/facts/tile_access.h"

enum { ROWS = 0, COLUMNS = 1 }; // of the left operand's tile

struct operand_step {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    MlirBlock body;
    struct affines affines;
    MlirOperation *ops;
    size_t count;
    MlirOperation store, element; // of the step: its store, and the load of the element
    MlirValue handed;             // the array between the two
    MlirOperation load;           // of the product
    MlirValue masks[TILE_CONDITIONS];
    int mask_count;    // conditions of the load's mask under which the function is not computed
    struct map made;   // the step's value → the tile's
    struct builder at; // behind the product's load
};

static bool refuse(struct operand_step *s, MlirOperation op, enum reason reason) {
    return decline(s->context, op, reason);
}

static bool is_null(MlirOperation op) {
    return mlirOperationIsNull(op);
}

static bool is_ahead(MlirOperation op) {
    return op_int(op, ATTR_STEP) == STEP_OF_OPERAND;
}

// ---- the step

// True if the value needs a sum or a maximum.
static bool needs_reduction(struct operand_step *s, MlirValue value, struct map *seen) {
    MlirOperation op = value_op(value);
    if (is_null(op) || map_has(seen, op.ptr)) {
        return false;
    }
    map_put(seen, op.ptr, op.ptr);
    bool needs = op_kind(s->ir, op) == OP_REDUCE;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !needs; i++) {
        needs = needs_reduction(s, mlirOperationGetOperand(op, i), seen);
    }
    return needs;
}

// A value of the row is known behind the whole row, which a kernel ahead has to read. Such a kernel and the product that reads the rows again move as
// many bytes as the step, its results and their product: 4 for an element that becomes 8 bits of 16 (decision 47 has figures).
static bool is_without_reduction(struct operand_step *s, MlirOperation store) {
    struct map seen = {0};
    bool needs = needs_reduction(s, store_value(store), &seen);
    map_free(&seen);
    return !needs || refuse(s, store, REASON_OPERAND_ROWS);
}

static bool find_store(struct operand_step *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (!is_ahead(s->ops[i])) {
            continue;
        }
        bool inside = mlirBlockEqual(mlirOperationGetBlock(s->ops[i]), s->body);
        bool store = op_kind(s->ir, s->ops[i]) == OP_STORE;
        if (store && !is_without_reduction(s, s->ops[i])) {
            return false;
        }
        if (!inside || (store && !is_null(s->store))) {
            return refuse(s, s->ops[i], REASON_OPERAND_STORES);
        }
        s->store = store ? s->ops[i] : s->store;
    }
    if (is_null(s->store)) {
        return refuse(s, s->function, REASON_OPERAND_STORES);
    }
    s->handed = pointer_argument(s->ir, store_pointer(s->store));
    return !mlirValueIsNull(s->handed) || refuse(s, s->store, REASON_CHAIN_ADDRESS);
}

// True if the load reads another array at the places of the store, at all of them.
static bool is_at_store(struct operand_step *s, MlirOperation load) {
    const struct affine *from = affine_of(&s->affines, load_pointer(load)),
                        *to = affine_of(&s->affines, store_pointer(s->store));
    MlirValue array = pointer_argument(s->ir, load_pointer(load)), mask = load_mask(load);
    if (!from || !to || mlirValueIsNull(array) || value_is(array, s->handed) || load_is_volatile(load)) {
        return false;
    }
    struct affine a = *from, b = *to;
    a.base = b.base = (MlirValue){NULL};
    bool whole = mlirValueIsNull(mask) ||
                 (!mlirValueIsNull(store_mask(s->store)) && value_is(mask, store_mask(s->store)));
    return whole && affine_equal(&a, &b) &&
           type_same_shape(mlirValueGetType(mlirOperationGetResult(load, 0)),
                           mlirValueGetType(store_value(s->store)));
}

// True if the value is a function of the element and of uniform numbers.
static bool is_of_element(struct operand_step *s, MlirValue value, struct map *seen) {
    MlirOperation op = value_op(value);
    if (is_null(op) || !type_is_tensor(mlirValueGetType(value))) {
        return refuse(s, s->store, REASON_OPERAND_PARTS);
    }
    if (map_has(seen, op.ptr) || !mlirAttributeIsNull(value_constant(s->ir, value))) {
        return true;
    }
    map_put(seen, op.ptr, op.ptr);
    enum op_kind kind = op_kind(s->ir, op);
    if (kind == OP_SPLAT) {
        return value_same_in_programs(s->ir, s->context->arena, s->body, unary_source(op), is_ahead) ||
               refuse(s, op, REASON_OPERAND_PARTS);
    }
    if (kind == OP_LOAD) {
        bool element = (is_null(s->element) || mlirOperationEqual(s->element, op)) && is_at_store(s, op);
        s->element = op;
        return element || refuse(s, op, REASON_OPERAND_PARTS);
    }
    bool alike = (op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE) &&
                 mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0;
    if (!alike) {
        return refuse(s, op, REASON_OPERAND_PARTS);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && alike; i++) {
        alike = is_of_element(s, mlirOperationGetOperand(op, i), seen);
    }
    return alike;
}

static bool read_step(struct operand_step *s) {
    struct map seen = {0};
    bool fine = find_store(s) && is_of_element(s, store_value(s->store), &seen);
    map_free(&seen);
    return fine && (!is_null(s->element) || refuse(s, s->store, REASON_OPERAND_PARTS));
}

// ---- the product

// True if all of the array's addresses lead to loads, one of them outside of the step.
static bool follow_array(struct operand_step *s, MlirValue pointer, struct map *seen) {
    if (map_has(seen, pointer.ptr)) {
        return true;
    }
    map_put(seen, pointer.ptr, (void *)pointer.ptr);
    for (MlirOpOperand use = mlirValueGetFirstUse(pointer); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation op = mlirOpOperandGetOwner(use);
        intptr_t number = mlirOpOperandGetOperandNumber(use);
        bool fine = false;
        switch (op_kind(s->ir, op)) {
        case OP_ADDPTR:
        case OP_SPLAT:
        case OP_BROADCAST:
        case OP_EXPAND_DIMS:
            fine = number == 0 && follow_array(s, mlirOperationGetResult(op, 0), seen);
            break;
        case OP_FOR:
            fine = number >= at_for_init &&
                   follow_array(s, mlirOperationGetResult(op, number - at_for_init), seen) &&
                   follow_array(s, mlirBlockGetArgument(op_body(op, 0), 1 + number - at_for_init), seen);
            break;
        case OP_SCF_YIELD:
            op = mlirOperationGetParentOperation(op);
            fine = op_kind(s->ir, op) == OP_FOR && map_has(seen, mlirOperationGetResult(op, number).ptr);
            break;
        case OP_STORE:
            fine = mlirOperationEqual(op, s->store);
            break;
        case OP_LOAD:
            fine = number == at_load_pointer && !is_ahead(op) && !load_is_volatile(op) &&
                   (is_null(s->load) || mlirOperationEqual(s->load, op));
            s->load = op;
            break;
        default:
            break;
        }
        if (!fine) {
            return refuse(s, op, REASON_OPERAND_LOADS);
        }
    }
    return true;
}

// True if the tile is the left operand of dots alone.
static bool is_left_operand(struct operand_step *s) {
    MlirValue tile = mlirOperationGetResult(s->load, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        if (op_kind(s->ir, mlirOpOperandGetOwner(use)) != OP_DOT ||
            mlirOpOperandGetOperandNumber(use) != at_dot_a) {
            return refuse(s, s->load, REASON_OPERAND_LOADS);
        }
    }
    return value_has_uses(tile) && type_rank(mlirValueGetType(tile)) == 2;
}

static bool read_product(struct operand_step *s) {
    struct map seen = {0};
    bool fine = follow_array(s, s->handed, &seen);
    map_free(&seen);
    return fine && ((!is_null(s->load) && is_left_operand(s)) || refuse(s, s->store, REASON_OPERAND_LOADS));
}

// ---- masked elements

// True if zero makes zero, in every case.
static bool is_zero_at_zero(struct operand_step *s, MlirValue value) {
    MlirOperation op = value_op(value);
    if (is_null(op)) {
        return false;
    }
    switch (op_kind(s->ir, op)) {
    case OP_LOAD:
        return mlirOperationEqual(op, s->element);
    case OP_EXTF:
    case OP_TRUNCF:
    case OP_FP_TO_FP:
        return is_zero_at_zero(s, unary_source(op));
    default:
        return false;
    }
}

// True if the condition holds in each step of the loop: k · extent + column < columns, of which there are whole tiles.
static bool always_holds(struct operand_step *s, const struct affine *below_zero, int64_t extent) {
    MlirOperation loop = mlirOperationGetParentOperation(s->load);
    if (op_kind(s->ir, loop) != OP_FOR) {
        return false;
    }
    MlirValue width = column_steps_width(s->ir, loop, extent);
    const struct affine *columns = mlirValueIsNull(width) ? NULL : affine_of(&s->affines, width);
    if (!columns || axis_of(&s->affines.axis, width).divisibility[0] % extent != 0) {
        return false;
    }
    struct affine rest = *below_zero;
    bool fine = affine_add(&rest, columns, 1) && rest.count == 2;
    for (int i = 0; i < rest.count && fine; i++) {
        const struct affine_term *term = &rest.terms[i];
        bool index = term->dim == COLUMNS && term->symbol_count == 0 && term->factor == 1;
        bool step =
            term->dim < 0 && term->symbol_count == 1 &&
            is_step_of_columns(s->ir, loop, &s->affines.symbols[term->symbols[0]], term->factor, extent);
        fine = term->wrap < 0 && (index || step);
    }
    return fine;
}

static bool is_of_rows(const struct affine *below_zero) {
    bool rows = false, other = false;
    for (int i = 0; i < below_zero->count; i++) {
        rows |= below_zero->terms[i].dim == ROWS;
        other |= below_zero->terms[i].dim > ROWS;
    }
    return rows && !other;
}

static bool store_has(struct operand_step *s, MlirOperation store, const struct affine *below_zero) {
    struct tile_mask mask = {0};
    bool has = false;
    if (!mlirValueIsNull(store_mask(store)) && type_rank(mlirValueGetType(store_value(store))) == 2) {
        tile_mask_of(&s->affines, store_mask(store), &mask);
    }
    for (int i = 0; i < mask.count; i++) {
        has |= affine_equal(&mask.below_zero[i], below_zero);
    }
    return has;
}

// True if rows stay rows on the value's ways to stores, which leave out those with a false condition.
static bool rows_are_dropped(struct operand_step *s, MlirValue value, const struct affine *below_zero,
                             struct map *seen) {
    if (map_has(seen, value.ptr)) {
        return true;
    }
    map_put(seen, value.ptr, (void *)value.ptr);
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation op = mlirOpOperandGetOwner(use);
        intptr_t number = mlirOpOperandGetOperandNumber(use);
        enum op_kind kind = op_kind(s->ir, op);
        bool alike = kind == OP_DOT ? number != at_dot_b
                                    : (op_traits(kind) & ELEMENTWISE) && (op_traits(kind) & PURE) &&
                                          mlirOperationGetNumResults(op) == 1;
        bool fine = false;
        if (alike) {
            fine = rows_are_dropped(s, mlirOperationGetResult(op, 0), below_zero, seen);
        } else if (kind == OP_STORE) {
            fine = number == at_store_value && store_has(s, op, below_zero);
        } else if (kind == OP_FOR && number >= at_for_init) {
            intptr_t i = number - at_for_init;
            fine = rows_are_dropped(s, mlirOperationGetResult(op, i), below_zero, seen) &&
                   rows_are_dropped(s, mlirBlockGetArgument(op_body(op, 0), 1 + i), below_zero, seen);
        } else if (kind == OP_SCF_YIELD && op_kind(s->ir, mlirOperationGetParentOperation(op)) == OP_FOR) {
            op = mlirOperationGetParentOperation(op);
            fine = rows_are_dropped(s, mlirOperationGetResult(op, number), below_zero, seen) &&
                   rows_are_dropped(s, mlirBlockGetArgument(op_body(op, 0), 1 + number), below_zero, seen);
        }
        if (!fine) {
            return false;
        }
    }
    return true;
}

// Conditions of a mask that may decide what is stored in the end.
static bool note_masks(struct operand_step *s, MlirValue mask) {
    MlirOperation op = value_op(mask);
    if (!is_null(op) && op_kind(s->ir, op) == OP_ANDI) {
        return note_masks(s, binary_left(op)) && note_masks(s, binary_right(op));
    }
    struct tile_mask own = {0};
    struct map seen = {0};
    tile_mask_of(&s->affines, mask, &own);
    bool one = own.explained && own.count == 1 && own.guard_count == 0;
    MlirValue tile = mlirOperationGetResult(s->load, 0);
    bool gone =
        one && (always_holds(s, &own.below_zero[0], type_extent(mlirValueGetType(tile), COLUMNS)) ||
                (is_of_rows(&own.below_zero[0]) && rows_are_dropped(s, tile, &own.below_zero[0], &seen)));
    map_free(&seen);
    if (!gone && s->mask_count == TILE_CONDITIONS) {
        return refuse(s, s->load, REASON_OPERAND_LOADS);
    }
    if (!gone) {
        s->masks[s->mask_count++] = mask;
    }
    return true;
}

static bool read_masks(struct operand_step *s) {
    MlirValue mask = load_mask(s->load), other = load_other(s->load);
    if (mlirValueIsNull(mask) || mlirValueIsNull(other) ||
        (fills_with_zero(s->ir, other) && is_zero_at_zero(s, store_value(s->store)))) {
        return true;
    }
    return note_masks(s, mask);
}

// ---- rewriting

static MlirType tile_of(struct operand_step *s, MlirType element) {
    return type_with_shape_of(mlirValueGetType(mlirOperationGetResult(s->load, 0)), element);
}

// The step's value in the shape of the product's tile.
static MlirValue tile_value(struct operand_step *s, MlirValue value) {
    MlirValue known = value_under(&s->made, value);
    if (!value_is(known, value)) {
        return known;
    }
    MlirOperation op = value_op(value);
    MlirType type = tile_of(s, type_element(mlirValueGetType(value)));
    MlirAttribute constant = value_constant(s->ir, value);
    MlirValue made;
    if (!mlirAttributeIsNull(constant)) {
        MlirAttribute all = mlirDenseElementsAttrSplatGet(type, constant);
        made = VALUE(&s->at, OP_CONSTANT, NO_OPERANDS, RESULTS(type), ATTRS(attr(&s->at, ATTR_VALUE, all)));
    } else if (op_kind(s->ir, op) == OP_SPLAT) {
        made = VALUE(&s->at, OP_SPLAT, OPERANDS(unary_source(op)), RESULTS(type), NO_ATTRS);
    } else {
        intptr_t count = mlirOperationGetNumOperands(op);
        MlirValue *operands = ARENA_ARRAY(s->context->arena, MlirValue, count + 1);
        for (intptr_t i = 0; i < count; i++) {
            operands[i] = tile_value(s, mlirOperationGetOperand(op, i));
        }
        s->at.location = mlirOperationGetLocation(op);
        struct operands all = {count, operands};
        made = VALUE(&s->at, op_kind(s->ir, op), all, RESULTS(type), op_attributes(s->context->arena, op));
    }
    map_value(&s->made, value, made);
    return made;
}

// Erases the step. Scalars that the tile's values need stay.
static void erase_step(struct operand_step *s) {
    mlirOperationDestroy(s->store);
    for (size_t i = s->count; i-- > 0;) {
        if (mlirOperationEqual(s->ops[i], s->store)) {
            continue;
        }
        enum op_kind kind = op_kind(s->ir, s->ops[i]);
        bool used = false, own = is_ahead(s->ops[i]);
        for (intptr_t k = 0; k < mlirOperationGetNumResults(s->ops[i]); k++) {
            used |= value_has_uses(mlirOperationGetResult(s->ops[i], k));
        }
        bool pure = (op_traits(kind) & PURE) && mlirOperationGetNumResults(s->ops[i]) > 0;
        if (!used && (pure || own)) {
            mlirOperationDestroy(s->ops[i]);
        } else if (own) {
            op_remove_attribute(s->ops[i], ATTR_STEP);
        }
    }
}

// Addresses in the one array become addresses in the other one.
static void retype(struct operand_step *s, MlirValue pointer, MlirType element) {
    MlirType type = mlirValueGetType(pointer);
    MlirType wanted = type_is_tensor(type) ? type_with_shape_of(type, element) : element;
    if (mlirTypeEqual(type, wanted)) {
        return;
    }
    mlirValueSetType(pointer, wanted);
    for (MlirOpOperand use = mlirValueGetFirstUse(pointer); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation op = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(s->ir, op);
        intptr_t number = mlirOpOperandGetOperandNumber(use);
        if (kind == OP_FOR) {
            retype(s, mlirOperationGetResult(op, number - at_for_init), element);
            retype(s, mlirBlockGetArgument(op_body(op, 0), 1 + number - at_for_init), element);
        } else if (kind != OP_SCF_YIELD && kind != OP_LOAD) {
            retype(s, mlirOperationGetResult(op, 0), element);
        }
    }
}

// The load's tile is the other array's: its fill is zero.
static void replace_array(struct operand_step *s, MlirValue array, MlirType element) {
    MlirType own = mlirValueGetType(s->handed), pointers = mlirValueGetType(array);
    MlirValue other = load_other(s->load);
    MlirType type = tile_of(s, element);
    if (!mlirValueIsNull(other)) {
        struct builder b = builder_before(s->ir, s->load);
        set_load_other(s->load,
                       mlirTypeIsAFloat(element) ? const_float(&b, type, 0) : const_int(&b, type, 0));
    }
    retype(s, s->handed, pointers);
    mlirValueSetType(s->handed, own);
    mlirValueSetType(mlirOperationGetResult(s->load, 0), type);
    mlirValueReplaceAllUsesOfWith(s->handed, array);
}

static void rewrite(struct operand_step *s) {
    MlirValue array = pointer_argument(s->ir, load_pointer(s->element)), other = load_other(s->load);
    MlirValue tile = mlirOperationGetResult(s->load, 0), value = store_value(s->store);
    MlirType element = type_element(mlirValueGetType(mlirOperationGetResult(s->element, 0)));
    MlirOperation *dots = ARENA_ARRAY(s->context->arena, MlirOperation, s->count + 1);
    size_t dot_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (op_kind(s->ir, s->ops[i]) == OP_DOT && value_is(dot_a(s->ops[i]), tile)) {
            dots[dot_count++] = s->ops[i];
        }
    }
    s->at = builder_after(s->ir, s->load);
    map_value(&s->made, mlirOperationGetResult(s->element, 0), tile);
    MlirValue made = tile_value(s, value);
    for (int i = 0; i < s->mask_count; i++) {
        made = build_select(&s->at, s->masks[i], made, other);
    }
    for (size_t i = 0; i < dot_count; i++) {
        set_dot_a(dots[i], made);
    }
    erase_step(s);
    replace_array(s, array, element);
}

static bool move_step(struct pass_context *context, MlirOperation function) {
    struct operand_step s = {
        .context = context, .ir = context->ir, .function = function, .body = op_body(function, 0)};
    s.ops = ops_collect(s.ir, context->arena, function, &s.count);
    bool any = false;
    for (size_t i = 0; i < s.count; i++) {
        any |= is_ahead(s.ops[i]);
    }
    if (!any) {
        return false;
    }
    affines_open(&s.affines, context, function);
    bool fine = read_step(&s) && read_product(&s) && read_masks(&s);
    affines_close(&s.affines);
    if (fine) {
        rewrite(&s);
    } else {
        reason_keep(context, function, ATTR_CHAIN);
    }
    map_free(&s.made);
    return true;
}

void pass_operand_steps(struct pass_context *context, MlirModule module) {
    bool changed = false;
    MlirBlock body = mlirModuleGetBody(module);
    for (MlirOperation function = mlirBlockGetFirstOperation(body); !is_null(function);
         function = mlirOperationGetNextInBlock(function)) {
        changed |= op_has(function, ATTR_CHAIN) && move_step(context, function);
    }
    if (changed) {
        pass_cleanup(context, module);
    }
}
