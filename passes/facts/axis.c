// Axis information by forward data flow: divisibility, contiguity and constancy of integers and addresses,
// for vectorised access. axis_rules.c has the rules for arithmetic.
#include "passes/facts/axis_rules.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/words.h"
#include "ir/build.h"
#include "passes/facts/apart.h"

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t extent(MlirType type, int dim) {
    return type_is_tensor(type) ? type_extent(type, dim) : 1;
}

static struct axis_shape shape_of(MlirType type) {
    MlirType element = type_is_tensor(type) ? type_element(type) : type;
    bool integer = mlirTypeIsAInteger(element) && type_bits(element) <= 64;
    struct axis_shape shape = {.rank = type_rank(type) ? type_rank(type) : 1,
                               .bits = integer ? type_bits(element) : 64,
                               .is_index = integer && type_bits(element) >= 32};
    for (int d = 0; d < shape.rank; d++) {
        shape.extent[d] = extent(type, d);
    }
    return shape;
}

static struct axis_info nothing_known(MlirType type) {
    struct axis_shape shape = shape_of(type);
    return axis_unknown(&shape);
}

static bool infos_equal(const struct axis_info *a, const struct axis_info *b) {
    for (int d = 0; d < a->rank; d++) {
        if (a->contiguity[d] != b->contiguity[d] || a->divisibility[d] != b->divisibility[d] ||
            a->constancy[d] != b->constancy[d]) {
            return false;
        }
    }
    return a->low == b->low && a->high == b->high && a->assumes == b->assumes &&
           a->bounds_assume == b->bounds_assume;
}

struct axis_info axis_of(struct axis *axis, MlirValue value) {
    const struct axis_info *known = map_get(&axis->infos, value.ptr);
    return known ? *known : nothing_known(mlirValueGetType(value));
}

static void set(struct axis *axis, MlirValue value, struct axis_info info) {
    struct axis_info *slot = map_get(&axis->infos, value.ptr);
    if (!slot) {
        slot = ARENA_NEW(axis->context->arena, struct axis_info);
        map_put(&axis->infos, value.ptr, slot);
    }
    *slot = info;
}

// ---- ops: operands' facts → the result's ----

struct transfer {
    struct axis *axis;
    MlirOperation op;
    enum op_kind kind;
    MlirType type;      // of the result
    struct axis_info a; // of the first operand
};

static MlirType operand_type(const struct transfer *t) {
    return mlirValueGetType(leading_operand(t->op));
}

static struct axis_info unknown(const struct transfer *t) {
    return nothing_known(t->type);
}

static struct axis_info first_operand(const struct transfer *t) {
    return t->a;
}

static struct axis_info program_id(const struct transfer *t) {
    struct axis_info info = nothing_known(t->type);
    info.low = 0;
    return info;
}

// A program asking for their number is one of them.
static struct axis_info num_programs(const struct transfer *t) {
    struct axis_info info = nothing_known(t->type);
    info.low = 1;
    return info;
}

static struct axis_info range(const struct transfer *t) {
    struct axis_info info = nothing_known(t->type);
    int64_t start = op_int(t->op, ATTR_START);
    info.contiguity[0] = axis_power_of_two_in(extent(t->type, 0));
    info.divisibility[0] = axis_power_of_two_in(start);
    info.low = start;
    info.high = start + extent(t->type, 0) - 1;
    return info;
}

// Applies axis_rules.c.
static struct axis_info computed(const struct transfer *t) {
    intptr_t count = mlirOperationGetNumOperands(t->op);
    if (count > AXIS_OPERANDS) {
        return unknown(t);
    }
    struct axis_op op = {.kind = t->kind,
                         .shape = shape_of(t->type),
                         .from_bits = count > 0 ? shape_of(operand_type(t)).bits : 0,
                         .unit = t->kind == OP_ADDPTR ? pointee_bytes(t->axis->context->ir, t->type) : 1,
                         .predicate = op_int(t->op, ATTR_PREDICATE),
                         .count = (int)count};
    for (int i = 0; i < op.count; i++) {
        op.operands[i] = axis_of(t->axis, mlirOperationGetOperand(t->op, i));
    }
    return axis_computed(&op);
}

static struct axis_info hinted(const struct transfer *t) {
    struct axis_info info = t->a;
    static const enum attribute_name names[] = {ATTR_DIVISIBILITY, ATTR_CONTIGUITY, ATTR_CONSTANCY};
    int64_t *fields[] = {info.divisibility, info.contiguity, info.constancy};
    for (size_t h = 0; h < 3; h++) {
        const int32_t *values;
        intptr_t count = op_i32_array(t->op, names[h], &values, t->axis->context->arena);
        for (intptr_t d = 0; d < count && d < info.rank; d++) {
            fields[h][d] = max64(fields[h][d], axis_power_of_two_in(values[d]));
        }
    }
    info.assumes |= AXIS_ASSUMES_PROMISES;
    return info;
}

static void expand(const struct transfer *t, struct axis_info *info) {
    const struct axis_info *a = &t->a;
    int at = (int)op_int(t->op, ATTR_AXIS);
    for (int d = 0; d < info->rank; d++) {
        int from_dim = d < at ? d : d - 1;
        if (d != at && from_dim < a->rank) {
            info->contiguity[d] = a->contiguity[from_dim];
            info->divisibility[d] = a->divisibility[from_dim];
            info->constancy[d] = a->constancy[from_dim];
        } else if (d == at) {
            bool inside = from_dim >= 0 && from_dim < a->rank;
            info->divisibility[d] = axis_every_divisibility(a, inside ? from_dim : 0);
        }
    }
}

static void repeat(const struct transfer *t, struct axis_info *info) {
    for (int d = 0; d < info->rank; d++) {
        int from_dim = t->kind == OP_SPLAT ? 0 : d;
        bool repeated = t->kind == OP_SPLAT || extent(operand_type(t), d) != extent(t->type, d);
        info->contiguity[d] = repeated ? 1 : t->a.contiguity[from_dim];
        info->divisibility[d] = t->a.divisibility[from_dim];
        info->constancy[d] = repeated ? extent(t->type, d) : t->a.constancy[from_dim];
    }
}

static void permute(const struct transfer *t, struct axis_info *info) {
    const int32_t *order;
    intptr_t count = op_i32_array(t->op, ATTR_ORDER, &order, t->axis->context->arena);
    for (intptr_t d = 0; d < count; d++) {
        info->contiguity[d] = t->a.contiguity[order[d]];
        info->divisibility[d] = t->a.divisibility[order[d]];
        info->constancy[d] = t->a.constancy[order[d]];
    }
}

static struct axis_info reshaped(const struct transfer *t) {
    struct axis_info info = nothing_known(t->type);
    info.low = t->a.low;
    info.high = t->a.high;
    info.assumes = t->a.assumes;
    info.bounds_assume = t->a.bounds_assume;
    (t->kind == OP_EXPAND_DIMS ? expand : t->kind == OP_TRANS ? permute : repeat)(t, &info);
    return info;
}

// The bytes a run of 1 advances: an element for pointers, 1 for integers. Runs survive a cast between types
// with the same step.
static int64_t counted_in(struct axis *axis, MlirType type) {
    return type_is_ptr(type_element(type)) ? pointee_bytes(axis->context->ir, type) : 1;
}

static struct axis_info recounted(const struct transfer *t) {
    struct axis_info info = t->a;
    int64_t from = counted_in(t->axis, operand_type(t)), to = counted_in(t->axis, t->type);
    for (int d = 0; d < info.rank && from != to; d++) {
        if (info.contiguity[d] > 1) {
            info.divisibility[d] = min64(info.divisibility[d], from);
            info.contiguity[d] = 1;
        }
    }
    return info;
}

static struct axis_info constant(const struct transfer *t) {
    struct axis_shape shape = shape_of(t->type);
    int64_t value;
    if (value_is_constant_int(t->axis->context->ir, mlirOperationGetResult(t->op, 0), &value)) {
        return axis_constant(&shape, (uint64_t)value);
    }
    MlirAttribute all = op_attribute(t->op, ATTR_VALUE);
    bool equal = !mlirAttributeIsADenseElements(all) || mlirDenseElementsAttrIsSplat(all);
    return equal ? computed(t) : unknown(t);
}

// A hint on an array of addresses is a hint on each of them.
static int64_t promised_of_addresses(const struct transfer *t) {
    MlirValue array = pointer_argument(t->axis->context->ir, load_pointer(t->op));
    if (mlirValueIsNull(array)) {
        return 1;
    }
    MlirOperation function = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(array));
    MlirAttribute divisible =
        argument_attribute(function, mlirBlockArgumentGetArgNumber(array), ATTR_DIVISIBLE_BY);
    return mlirAttributeIsNull(divisible) ? 1 : axis_power_of_two_in(mlirIntegerAttrGetValueInt(divisible));
}

static struct axis_info loaded(const struct transfer *t) {
    struct axis_info info = load_is_volatile(t->op) ? unknown(t) : computed(t);
    int64_t promised = type_is_ptr(type_element(t->type)) ? promised_of_addresses(t) : 1;
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = max64(info.divisibility[d], promised);
    }
    info.assumes |= promised > 1 ? AXIS_ASSUMES_PROMISES : 0;
    return info;
}

bool axis_is_remainder(struct ir *ir, MlirOperation subtraction) {
    MlirOperation product = value_op(binary_right(subtraction));
    bool multiplied = !mlirOperationIsNull(product) && op_kind(ir, product) == OP_MULI;
    for (int side = 0; side < 2 && multiplied; side++) {
        MlirOperation quotient = value_op(side ? binary_right(product) : binary_left(product));
        MlirValue divisor = side ? binary_left(product) : binary_right(product);
        if (!mlirOperationIsNull(quotient) && op_kind(ir, quotient) == OP_DIVSI &&
            value_is(binary_left(quotient), binary_left(subtraction)) &&
            value_is(binary_right(quotient), divisor)) {
            return true;
        }
    }
    return false;
}

// A remainder has the sign of its dividend and is no further from zero.
static struct axis_info difference(const struct transfer *t) {
    struct axis_info info = computed(t);
    if (info.low < 0 && t->a.low >= 0 && axis_is_remainder(t->axis->context->ir, t->op)) {
        info.low = 0;
        info.high = t->a.high;
        info.bounds_assume = t->a.bounds_assume;
    }
    return info;
}

// NULL: nothing is known, or for ELEMENTWISE ops the rules of axis_rules.c.
static struct axis_info (*const transfers[OP_KIND_COUNT])(const struct transfer *t) = {
    [OP_SUBI] = difference,       [OP_CONSTANT] = constant,
    [OP_PROGRAM_ID] = program_id, [OP_NUM_PROGRAMS] = num_programs,
    [OP_RANGE] = range,           [OP_SPLAT] = reshaped,
    [OP_BROADCAST] = reshaped,    [OP_EXPAND_DIMS] = reshaped,
    [OP_TRANS] = reshaped,        [OP_CONVERT_LAYOUT] = first_operand,
    [OP_PTR_TO_INT] = recounted,  [OP_INT_TO_PTR] = recounted,
    [OP_PTR_CAST] = recounted,    [OP_LOAD] = loaded,
    [OP_HINT] = hinted,
    [OP_INLINE_ASM] = unknown, // may differ between threads
};

static struct axis_info op_info_of(struct axis *axis, MlirOperation op, enum op_kind kind, MlirType type) {
    struct transfer t = {.axis = axis, .op = op, .kind = kind, .type = type};
    if (mlirOperationGetNumOperands(op) > 0) {
        t.a = axis_of(axis, leading_operand(op));
    }
    if (transfers[kind]) {
        return transfers[kind](&t);
    }
    return (op_traits(kind) & ELEMENTWISE) ? computed(&t) : nothing_known(type);
}

// ---- control flow ----

static void analyse_block(struct axis *axis, MlirBlock block);

// Loop-carried values start with their initial facts and lose the facts changed by the body, to a fixpoint.
static void analyse_for(struct axis *axis, MlirOperation op) {
    MlirBlock body = op_body(op, 0);
    intptr_t count = mlirOperationGetNumResults(op);
    struct axis_info lower = axis_of(axis, for_lower(op));
    struct axis_info step = axis_of(axis, for_step(op));
    struct axis_info induction = nothing_known(mlirValueGetType(mlirBlockGetArgument(body, 0)));
    induction.divisibility[0] = min64(lower.divisibility[0], step.divisibility[0]);
    induction.low = lower.low; // the step is positive
    induction.bounds_assume = lower.bounds_assume;
    induction.assumes = lower.assumes | step.assumes;
    set(axis, mlirBlockGetArgument(body, 0), induction);
    for (intptr_t i = 0; i < count; i++) {
        set(axis, mlirBlockGetArgument(body, i + 1), axis_of(axis, for_init(op, i)));
    }
    for (bool changed = true; changed;) {
        changed = false;
        analyse_block(axis, body);
        MlirOperation yield = mlirBlockGetTerminator(body);
        for (intptr_t i = 0; i < count; i++) {
            MlirValue argument = mlirBlockGetArgument(body, i + 1);
            struct axis_info now = axis_of(axis, argument), next = axis_of(axis, yield_value(yield, i));
            struct axis_shape shape = shape_of(mlirValueGetType(argument));
            struct axis_info both = axis_widen(&shape, &now, &next);
            if (!infos_equal(&both, &now)) {
                set(axis, argument, both);
                changed = true;
            }
        }
    }
    for (intptr_t i = 0; i < count; i++) {
        set(axis, mlirOperationGetResult(op, i), axis_of(axis, mlirBlockGetArgument(body, i + 1)));
    }
}

// As for a counting loop; the condition hands on the body's arguments and the results. Each round over a loop takes some
// rounds over the loops in it: deep inside others nothing is known of a loop's carried values, and one round is enough.
static void analyse_while(struct axis *axis, MlirOperation op) {
    enum { MOST_AROUND = 4 };
    MlirBlock decides = op_body(op, 0), body = op_body(op, 1);
    bool deep = axis->whiles_around >= MOST_AROUND;
    axis->whiles_around++;
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(decides); i++) {
        MlirValue argument = mlirBlockGetArgument(decides, i);
        set(axis, argument,
            deep ? nothing_known(mlirValueGetType(argument)) : axis_of(axis, while_init(op, i)));
    }
    for (bool changed = true; changed;) {
        changed = false;
        analyse_block(axis, decides);
        for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
            struct axis_info handed = axis_of(axis, condition_value(mlirBlockGetTerminator(decides), i));
            set(axis, mlirBlockGetArgument(body, i), handed);
            set(axis, mlirOperationGetResult(op, i), handed);
        }
        analyse_block(axis, body);
        for (intptr_t i = 0; i < mlirBlockGetNumArguments(decides); i++) {
            MlirValue argument = mlirBlockGetArgument(decides, i);
            MlirValue yielded = yield_value(mlirBlockGetTerminator(body), i);
            struct axis_info now = axis_of(axis, argument), next = axis_of(axis, yielded);
            struct axis_shape shape = shape_of(mlirValueGetType(argument));
            struct axis_info both = axis_widen(&shape, &now, &next);
            if (!infos_equal(&both, &now)) {
                set(axis, argument, both);
                changed = true;
            }
        }
    }
    axis->whiles_around--;
}

// True for an argument carried by a loop's body. Its facts are about all steps, the last one's result among them; no
// promise in the body holds for the last one's.
static bool is_carried(const struct axis *axis, MlirValue value) {
    if (!mlirValueIsABlockArgument(value)) {
        return false;
    }
    enum op_kind around =
        op_kind(axis->context->ir, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
    return around == OP_WHILE || (around == OP_FOR && mlirBlockArgumentGetArgNumber(value) > 0);
}

// tl.assume(value >= constant), in the value's own block: elsewhere the program may have the value and not come to the promise.
static void analyse_promise(struct axis *axis, MlirOperation assume) {
    MlirOperation compare = value_op(leading_operand(assume));
    if (mlirOperationIsNull(compare) || op_kind(axis->context->ir, compare) != OP_CMPI) {
        return;
    }
    int64_t predicate = op_int(compare, ATTR_PREDICATE), bound;
    MlirValue value = binary_left(compare);
    MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                       : mlirOperationGetBlock(mlirOpResultGetOwner(value));
    struct axis_info info = axis_of(axis, value);
    if ((predicate == INT_SGE || predicate == INT_SGT) && !type_is_tensor(mlirValueGetType(value)) &&
        value_is_constant_int(axis->context->ir, binary_right(compare), &bound) &&
        mlirBlockEqual(block, mlirOperationGetBlock(assume)) && !is_carried(axis, value)) {
        bound += predicate == INT_SGT && bound < INT32_MAX;
        if (bound >= info.low) {
            info.low = bound;
            info.bounds_assume = AXIS_ASSUMES_PROMISES;
            set(axis, value, info);
        }
    }
}

static void analyse_op(struct axis *axis, MlirOperation op) {
    enum op_kind kind = op_kind(axis->context->ir, op);
    if (kind == OP_ASSUME) {
        analyse_promise(axis, op);
        return;
    }
    if (kind == OP_FOR || kind == OP_WHILE) {
        (kind == OP_FOR ? analyse_for : analyse_while)(axis, op);
        return;
    }
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
        MlirBlock body = op_body(op, (int)r);
        if (!mlirBlockIsNull(body)) {
            analyse_block(axis, body);
        }
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        struct axis_info info = nothing_known(mlirValueGetType(result));
        if (kind == OP_IF) {
            struct axis_info a = axis_of(axis, yield_value(mlirBlockGetTerminator(op_body(op, 0)), i));
            struct axis_info b = axis_of(axis, yield_value(mlirBlockGetTerminator(op_body(op, 1)), i));
            info = axis_meet(&a, &b);
        } else {
            info = op_info_of(axis, op, kind, mlirValueGetType(result));
        }
        set(axis, result, info);
    }
}

static void analyse_block(struct axis *axis, MlirBlock block) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        analyse_op(axis, op);
    }
}

static struct axis_info argument_info(struct axis *axis, MlirType type, MlirAttribute divisible) {
    struct axis_info info = nothing_known(type);
    if (type_is_ptr(type)) { // aligned to the pointee, and below the sign bit on every chip
        info.low = 0;
        info.divisibility[0] = axis_power_of_two_in(pointee_bytes(axis->context->ir, type));
    } else if (mlirTypeIsAInteger(type) && type_bits(type) >= 32) {
        info.low = 0;
        info.bounds_assume = AXIS_ASSUMES_ARGUMENTS;
    }
    if (!mlirAttributeIsNull(divisible)) {
        int64_t promised = axis_power_of_two_in(mlirIntegerAttrGetValueInt(divisible));
        info.divisibility[0] = max64(info.divisibility[0], promised);
        info.assumes = AXIS_ASSUMES_PROMISES;
    }
    return info;
}

// The facts about an argument under a supposition.
static struct axis_info supposed_info(MlirType type, struct axis_info info,
                                      struct axis_supposition supposed) {
    struct axis_shape shape = shape_of(type);
    if (supposed.is_one) {
        return axis_constant(&shape, 1);
    }
    info.divisibility[0] = max64(info.divisibility[0], supposed.multiple);
    return info;
}

void axis_analyse(struct axis *axis, struct pass_context *context, MlirOperation function) {
    axis_analyse_supposing(axis, context, function, NULL);
}

void axis_analyse_supposing(struct axis *axis, struct pass_context *context, MlirOperation function,
                            const struct axis_supposition *supposed) {
    *axis = (struct axis){.context = context};
    MlirBlock body = op_body(function, 0);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
        MlirValue argument = mlirBlockGetArgument(body, i);
        MlirAttribute divisible = argument_attribute(function, i, ATTR_DIVISIBLE_BY);
        MlirType type = mlirValueGetType(argument);
        struct axis_info info = argument_info(axis, type, divisible);
        set(axis, argument, supposed ? supposed_info(type, info, supposed[i]) : info);
    }
    analyse_block(axis, body);
}

void axis_free(struct axis *axis) {
    map_free(&axis->infos);
}

struct axis_info axis_of_load(struct axis *axis, MlirOperation load) {
    struct ir *ir = axis->context->ir;
    struct axis_info info = axis_of(axis, load_pointer(load));
    MlirValue mask = load_mask(load), fill = load_other(load);
    MlirOperation other = mlirValueIsNull(fill) ? (MlirOperation){NULL} : value_op(fill);
    bool one = mlirValueIsNull(fill) || (!mlirOperationIsNull(other) && (op_kind(ir, other) == OP_SPLAT ||
                                                                         op_kind(ir, other) == OP_CONSTANT));
    if (!mlirValueIsNull(mask)) {
        struct axis_info told = axis_of(axis, mask);
        for (int d = 0; d < info.rank; d++) {
            info.constancy[d] = told.constancy[d] < info.constancy[d] ? told.constancy[d] : info.constancy[d];
        }
        info.assumes |= told.assumes;
    }
    for (int d = 0; d < info.rank && (!one || load_is_volatile(load)); d++) {
        info.constancy[d] = 1;
    }
    return info;
}

int64_t axis_access_elements(struct axis *axis, MlirValue pointer, MlirValue mask, int dim, int64_t most) {
    struct axis_info info = axis_of(axis, pointer);
    if (!type_is_tensor(mlirValueGetType(pointer))) {
        return 1;
    }
    int64_t bytes = pointee_bytes(axis->context->ir, mlirValueGetType(pointer));
    int64_t aligned = max64(1, info.divisibility[dim] / bytes);
    int64_t elements = min64(min64(info.contiguity[dim], aligned), most / bytes);
    if (!mlirValueIsNull(mask)) {
        elements = min64(elements, axis_of(axis, mask).constancy[dim]);
    }
    return elements;
}

const char *axis_access_assumes(struct axis *axis, MlirValue pointer, MlirValue mask) {
    static const char *const names[] = {
        NULL,       "arguments",          "no_wrap",          "arguments no_wrap",
        "divisors", "arguments divisors", "no_wrap divisors", "arguments no_wrap divisors"};
    unsigned assumes = axis_of(axis, pointer).assumes;
    assumes |= mlirValueIsNull(mask) ? 0 : axis_of(axis, mask).assumes;
    return names[assumes & (AXIS_ASSUMES_ARGUMENTS | AXIS_ASSUMES_NO_WRAP | AXIS_ASSUMES_DIVISORS)];
}
