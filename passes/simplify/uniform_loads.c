// uniform_loads: a load of one number for all elements of a tile is done once.
//
//   %g = (first + 0…127) % N / 128                   %g = first % N / 128
//   %s = tk.load %scales + %g · stride         →     %n = tk.load %scales + %g · stride
//                                                    %s = tk.splat %n
//
// Scales of blocks: one number for 128 columns. Quotients of consecutive numbers, first to first + extent - 1, by a
// multiple of the extent are equal if `first` is a multiple of the extent, too. A remainder under the quotient wraps some
// columns around to others; their numbers may differ if these columns are dead (facts/dead_rows.c): the kernel stores
// nothing computed from them. Element 0 is then right for all others, and in place wherever the source's load was.
//
// requires: a tile program without layouts
// provides: the same
// test:     tests/golden/passes/uniform_loads, tests/lang/forms.tk
#include "passes/pass.h"

#include <mlir-c/BuiltinAttributes.h>

#include "ir/build.h"
#include "passes/facts/dead_rows.h"
#include "passes/facts/value_work.h"

struct uniform {
    struct pass_context *context;
    struct ir *ir;
    struct affines affines;
    int wrap;          // number of the values' wrap; -1: none
    struct map firsts; // tile → its first element
};

static bool is_elementwise(struct ir *ir, MlirOperation op) {
    unsigned traits = op_traits(op_kind(ir, op));
    return (traits & ELEMENTWISE) && (traits & PURE) && mlirOperationGetNumResults(op) == 1;
}

// Notes the wrap of a remainder; false if the values go through another one already.
static bool note_wrap(struct uniform *u, MlirValue value) {
    const struct affine *sum = affine_of(&u->affines, value);
    int wrap = -1;
    for (int i = 0; sum && i < sum->count; i++) {
        wrap = sum->terms[i].dim == 0 ? sum->terms[i].wrap : wrap;
    }
    bool first = u->wrap < 0;
    u->wrap = first ? wrap : u->wrap;
    return wrap >= 0 && (first || u->wrap == wrap);
}

// True if the quotients of the tile's consecutive elements are equal, but for wrapped ones.
static bool is_one_group(struct uniform *u, MlirOperation quotient) {
    MlirValue numbers = binary_left(quotient);
    int64_t extent = type_extent(mlirValueGetType(numbers), 0), divisor;
    MlirOperation op = value_op(numbers);
    if (!value_is_constant_int(u->ir, binary_right(quotient), &divisor) || divisor <= 0 ||
        divisor % extent != 0) {
        return false;
    }
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(u->ir, op);
    bool wraps = kind == OP_REMSI || kind == OP_REMUI;
    struct axis_info info = axis_of(&u->affines.axis, wraps ? binary_left(op) : numbers);
    return info.contiguity[0] >= extent && info.divisibility[0] % extent == 0 && info.low >= 0 &&
           (!wraps || note_wrap(u, numbers));
}

// True if all elements of the tile equal the first, but for wrapped ones.
static bool is_of_one_element(struct uniform *u, MlirValue tile) {
    struct value_work work = {.arena = u->context->arena};
    bool uniform = true;
    value_work_add(&work, tile);
    for (MlirValue value; uniform && !mlirValueIsNull(value = value_work_take(&work));) {
        MlirOperation op = value_op(value);
        if (!type_is_tensor(mlirValueGetType(value))) {
            continue;
        }
        enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(u->ir, op);
        if (kind == OP_SPLAT || kind == OP_CONSTANT) {
            uniform = kind == OP_SPLAT || !mlirAttributeIsNull(value_constant(u->ir, value));
        } else if ((kind != OP_DIVSI && kind != OP_DIVUI) || !is_one_group(u, op)) {
            uniform = !mlirOperationIsNull(op) && is_elementwise(u->ir, op);
            for (intptr_t i = 0; uniform && i < mlirOperationGetNumOperands(op); i++) {
                value_work_add(&work, mlirOperationGetOperand(op, i));
            }
        }
    }
    value_work_free(&work);
    return uniform;
}

static MlirValue first_element(struct uniform *u, MlirValue value);

static MlirValue first_of_op(struct uniform *u, MlirOperation op, MlirType element) {
    struct builder b = builder_before(u->ir, op);
    b.location = mlirOperationGetLocation(op);
    MlirAttribute constant = value_constant(u->ir, mlirOperationGetResult(op, 0));
    enum op_kind kind = op_kind(u->ir, op);
    if (!mlirAttributeIsNull(constant)) {
        return VALUE(&b, OP_CONSTANT, NO_OPERANDS, RESULTS(element), ATTRS(attr(&b, ATTR_VALUE, constant)));
    }
    if (kind == OP_SPLAT) {
        return unary_source(op);
    }
    if (kind == OP_RANGE) {
        return const_int(&b, element, op_int(op, ATTR_START));
    }
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue *operands = ARENA_ARRAY(u->context->arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        operands[i] = first_element(u, mlirOperationGetOperand(op, i));
        if (mlirValueIsNull(operands[i])) {
            return operands[i];
        }
    }
    MlirOperation made = build_op(&b, kind, (struct operands){count, operands}, RESULTS(element),
                                  op_attributes(u->context->arena, op));
    return mlirOperationGetResult(made, 0);
}

// The first element of the tile, computed beside the tile; null: no way known.
static MlirValue first_element(struct uniform *u, MlirValue value) {
    MlirOperation op = value_op(value);
    if (!type_is_tensor(mlirValueGetType(value))) {
        return value;
    }
    const void *known = map_get(&u->firsts, value.ptr);
    enum op_kind kind = mlirOperationIsNull(op) ? OP_UNKNOWN : op_kind(u->ir, op);
    bool makes = kind == OP_CONSTANT || kind == OP_SPLAT || kind == OP_RANGE;
    if (known || (!makes && (kind == OP_UNKNOWN || !is_elementwise(u->ir, op)))) {
        return (MlirValue){known};
    }
    MlirValue first = first_of_op(u, op, type_element(mlirValueGetType(value)));
    map_put(&u->firsts, value.ptr, (void *)first.ptr);
    return first;
}

static bool wrapped_are_dead(struct uniform *u, MlirOperation load) {
    if (u->wrap < 0) {
        return true;
    }
    const struct affine_wrap *wrap = &u->affines.wraps[u->wrap];
    struct tile_dim columns = {.tile_dimension = 0, .bounded = true, .wrapped = true, .start = wrap->first};
    columns.bound = tile_size_of(&u->affines, &wrap->size.terms[0], 0);
    return rows_beyond_are_dead(&u->affines, load, &columns);
}

static bool is_line(MlirType type) {
    return type_is_tensor(type) && type_rank(type) == 1 && type_extent(type, 0) > 1;
}

static void load_once(struct uniform *u, MlirOperation load) {
    struct builder b = builder_before(u->ir, load);
    b.location = mlirOperationGetLocation(load);
    MlirValue tile = mlirOperationGetResult(load, 0);
    MlirValue pointer = first_element(u, load_pointer(load));
    if (mlirValueIsNull(pointer)) {
        return;
    }
    const char *assumes = axis_access_assumes(&u->affines.axis, load_pointer(load), load_mask(load));
    MlirType type = mlirValueGetType(tile);
    MlirOperation made = build_op(&b, OP_LOAD, OPERANDS(pointer), RESULTS(type_element(type)),
                                  op_attributes(u->context->arena, load));
    if (assumes) {
        op_set_string(u->ir, made, ATTR_ASSUMES, assumes);
    }
    MlirValue spread =
        VALUE(&b, OP_SPLAT, OPERANDS(mlirOperationGetResult(made, 0)), RESULTS(type), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(tile, spread);
    mlirOperationDestroy(load);
}

// Facts are kept until the function changes: all loads are found first.
static void load_uniform(struct pass_context *context, MlirOperation function) {
    struct uniform u = {.context = context, .ir = context->ir};
    size_t count, found = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, function, &count);
    affines_open(&u.affines, context, function);
    for (size_t i = 0; i < count; i++) {
        bool fits = op_kind(u.ir, ops[i]) == OP_LOAD && !load_is_volatile(ops[i]) &&
                    mlirValueIsNull(load_mask(ops[i])) &&
                    is_line(mlirValueGetType(mlirOperationGetResult(ops[i], 0)));
        u.wrap = -1;
        if (fits && is_of_one_element(&u, load_pointer(ops[i])) && wrapped_are_dead(&u, ops[i])) {
            ops[found++] = ops[i];
        }
    }
    for (size_t i = 0; i < found; i++) {
        load_once(&u, ops[i]);
    }
    context->declined = (struct declined){0};
    map_free(&u.firsts);
    affines_close(&u.affines);
}

void pass_uniform_loads(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_FUNC) {
            load_uniform(context, ops[i]);
        }
    }
}
