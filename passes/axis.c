// Axis information by forward data flow: divisibility, contiguity and constancy of integers and addresses,
// the facts behind vectorised access. Two documented assumptions: arithmetic on i32 does not wrap within a
// tile's addresses, and integer arguments of a kernel that are divided are not negative, nor are divisors
// other than constants.
#include "passes/axis.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}

static int64_t min64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

// Largest power of two that divides value, capped; 0 counts as divisible by everything.
static int64_t power_of_two_in(int64_t value) {
    uint64_t lowest = (uint64_t)value & -(uint64_t)value;
    return lowest == 0 || lowest > AXIS_DIVISIBILITY_MAX ? AXIS_DIVISIBILITY_MAX : (int64_t)lowest;
}

static int64_t product(int64_t a, int64_t b) {
    return a >= AXIS_DIVISIBILITY_MAX / b ? AXIS_DIVISIBILITY_MAX : a * b;
}

static int64_t extent(MlirType type, int dim) {
    return type_is_tensor(type) ? type_extent(type, dim) : 1;
}

static struct axis_info nothing_known(MlirType type) {
    struct axis_info info = {.rank = type_rank(type) ? type_rank(type) : 1};
    for (int d = 0; d < info.rank; d++) {
        info.contiguity[d] = info.divisibility[d] = info.constancy[d] = 1;
    }
    return info;
}

static struct axis_info constant_info(MlirType type, int64_t value) {
    struct axis_info info = nothing_known(type);
    info.is_constant = true;
    info.constant = value;
    info.non_negative = value >= 0;
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = power_of_two_in(value);
        info.constancy[d] = extent(type, d);
    }
    return info;
}

// The same for a value computed in 64 bits: it wraps to the width of the type.
static struct axis_info constant_of(MlirType type, uint64_t value) {
    unsigned bits = type_bits(type_element(type));
    unsigned unused = bits < 64 ? 64 - bits : 0;
    return constant_info(type, (int64_t)(value << unused) >> unused);
}

// The divisibility of the first elements of groups of `group`: in the middle of a longer run it is the
// group's own.
static int64_t divisibility_at(const struct axis_info *info, int d, int64_t group) {
    return group < info->contiguity[d] ? gcd(info->divisibility[d], group) : info->divisibility[d];
}

// What holds of both.
static struct axis_info meet(const struct axis_info *a, const struct axis_info *b) {
    struct axis_info info = *a;
    for (int d = 0; d < info.rank; d++) {
        info.contiguity[d] = gcd(a->contiguity[d], b->contiguity[d]);
        info.divisibility[d] =
            gcd(divisibility_at(a, d, info.contiguity[d]), divisibility_at(b, d, info.contiguity[d]));
        info.constancy[d] = gcd(a->constancy[d], b->constancy[d]);
    }
    info.is_constant = a->is_constant && b->is_constant && a->constant == b->constant;
    info.non_negative = a->non_negative && b->non_negative;
    return info;
}

static bool infos_equal(const struct axis_info *a, const struct axis_info *b) {
    for (int d = 0; d < a->rank; d++) {
        if (a->contiguity[d] != b->contiguity[d] || a->divisibility[d] != b->divisibility[d] ||
            a->constancy[d] != b->constancy[d]) {
            return false;
        }
    }
    return a->non_negative == b->non_negative && a->is_constant == b->is_constant &&
           (!a->is_constant || a->constant == b->constant);
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

static int64_t pointee_bytes(struct axis *axis, MlirType pointer) {
    return (type_bits(tk_ptr_pointee(axis->context->ir, type_element(pointer))) + 7) / 8;
}

// ---- transfer functions: operands' facts → the result's ----

static struct axis_info sum(struct axis *axis, enum op_kind kind, MlirType type, const struct axis_info *a,
                            const struct axis_info *b) {
    struct axis_info info = nothing_known(type);
    int64_t scale = kind == OP_ADDPTR ? pointee_bytes(axis, type) : 1;
    for (int d = 0; d < info.rank; d++) {
        info.contiguity[d] = min64(a->contiguity[d], b->constancy[d]);
        if (kind != OP_SUBI) {
            info.contiguity[d] = max64(info.contiguity[d], min64(a->constancy[d], b->contiguity[d]));
        }
        info.divisibility[d] = gcd(kind == OP_ADDPTR && info.contiguity[d] < a->contiguity[d]
                                       ? gcd(a->divisibility[d], info.contiguity[d] * scale)
                                       : divisibility_at(a, d, info.contiguity[d]),
                                   product(divisibility_at(b, d, info.contiguity[d]), scale));
        info.constancy[d] = gcd(a->constancy[d], b->constancy[d]);
    }
    if (kind != OP_ADDPTR && a->is_constant && b->is_constant) {
        uint64_t x = (uint64_t)a->constant, y = (uint64_t)b->constant;
        return constant_of(type, kind == OP_ADDI ? x + y : x - y);
    }
    info.non_negative = kind == OP_ADDI && a->non_negative && b->non_negative;
    return info;
}

// Inside a contiguous group only the first element has the group's divisibility.
static int64_t every_divisibility(const struct axis_info *info, int d) {
    return info->contiguity[d] > 1 ? 1 : info->divisibility[d];
}

static struct axis_info multiplied(MlirType type, const struct axis_info *a, const struct axis_info *b) {
    if (a->is_constant && b->is_constant) {
        return constant_of(type, (uint64_t)a->constant * (uint64_t)b->constant);
    }
    if (a->is_constant && a->constant == 1) {
        return *b;
    }
    if (b->is_constant && b->constant == 1) {
        return *a;
    }
    struct axis_info info = nothing_known(type);
    info.non_negative = a->non_negative && b->non_negative;
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = product(every_divisibility(a, d), every_divisibility(b, d));
        info.constancy[d] = gcd(a->constancy[d], b->constancy[d]);
    }
    return info;
}

static struct axis_info divided(enum op_kind kind, MlirType type, const struct axis_info *a,
                                const struct axis_info *b) {
    if (b->is_constant && b->constant == 1) {
        return *a;
    }
    if (a->is_constant && b->is_constant && b->constant > 0 && a->constant >= 0) {
        return constant_info(type, a->constant / b->constant);
    }
    struct axis_info info = nothing_known(type);
    bool positive = !(b->is_constant && b->constant < 0);
    bool counts = kind != OP_DIVSI || (a->non_negative && positive); // others round down
    info.non_negative = a->non_negative && positive;
    for (int d = 0; d < info.rank; d++) {
        info.constancy[d] = gcd(a->constancy[d], b->constancy[d]);
        // A run that counts up from a multiple of the divisor's power of two is constant over that power.
        if (counts && b->constancy[d] >= a->contiguity[d]) {
            int64_t run = gcd(gcd(a->contiguity[d], a->divisibility[d]), b->divisibility[d]);
            info.constancy[d] = max64(info.constancy[d], run);
        }
        if (b->is_constant && b->constant > 0 && (b->constant & (b->constant - 1)) == 0) {
            info.divisibility[d] = max64(1, every_divisibility(a, d) / b->constant);
        }
    }
    return info;
}

static struct axis_info remainder_of(enum op_kind kind, MlirType type, const struct axis_info *a,
                                     const struct axis_info *b) {
    if (a->is_constant && b->is_constant && b->constant > 0 && a->constant >= 0) {
        return constant_info(type, a->constant % b->constant);
    }
    struct axis_info info = nothing_known(type);
    info.non_negative = a->non_negative;
    for (int d = 0; d < info.rank; d++) {
        if ((kind == OP_REMUI || a->non_negative) && b->constancy[d] >= a->contiguity[d]) {
            info.contiguity[d] = gcd(a->contiguity[d], gcd(a->divisibility[d], b->divisibility[d]));
        }
        info.divisibility[d] =
            gcd(divisibility_at(a, d, info.contiguity[d]), divisibility_at(b, d, info.contiguity[d]));
        info.constancy[d] = gcd(a->constancy[d], b->constancy[d]);
    }
    return info;
}

// An ordering of a counting run against a bound changes only where the bound's own divisibility lets it.
static struct axis_info compared(struct axis *axis, MlirOperation op, MlirType type,
                                 const struct axis_info *a, const struct axis_info *b) {
    (void)axis;
    struct axis_info info = nothing_known(type);
    int64_t predicate = op_int(op, "predicate", 0); // eq ne slt sle sgt sge ult ule ugt uge
    bool less =
        predicate == 2 || predicate == 6 || predicate == 5 || predicate == 9; // run < bound, run >= bound
    bool greater =
        predicate == 4 || predicate == 8 || predicate == 3 || predicate == 7; // bound > run, bound <= run
    for (int d = 0; d < info.rank; d++) {
        info.constancy[d] = gcd(a->constancy[d], b->constancy[d]);
        if (less && b->constancy[d] >= a->contiguity[d]) {
            info.constancy[d] =
                max64(info.constancy[d], gcd(gcd(a->contiguity[d], a->divisibility[d]), b->divisibility[d]));
        }
        if (greater && a->constancy[d] >= b->contiguity[d]) {
            info.constancy[d] =
                max64(info.constancy[d], gcd(gcd(b->contiguity[d], b->divisibility[d]), a->divisibility[d]));
        }
    }
    return info;
}

static struct axis_info hinted(struct axis *axis, MlirOperation op, struct axis_info info) {
    struct {
        const char *name;
        int64_t *field;
    } hints[] = {
        {"divisibility", info.divisibility}, {"contiguity", info.contiguity}, {"constancy", info.constancy}};
    for (size_t h = 0; h < 3; h++) {
        const int32_t *values;
        intptr_t count = op_i32_array(op, hints[h].name, &values, axis->context->arena);
        for (intptr_t d = 0; d < count && d < info.rank; d++) {
            hints[h].field[d] = max64(hints[h].field[d], power_of_two_in(values[d]));
        }
    }
    return info;
}

// Ops that compute each element from the elements at the same place: the result is constant where all
// operands are.
static struct axis_info elementwise(MlirType type, struct axis *axis, MlirOperation op) {
    struct axis_info info = nothing_known(type);
    for (int d = 0; d < info.rank; d++) {
        info.constancy[d] = extent(type, d);
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            struct axis_info operand = axis_of(axis, mlirOperationGetOperand(op, i));
            info.constancy[d] = gcd(info.constancy[d], d < operand.rank ? operand.constancy[d] : 1);
        }
    }
    return info;
}

static struct axis_info reshaped(struct axis *axis, MlirOperation op, enum op_kind kind, MlirType type) {
    struct axis_info a = axis_of(axis, mlirOperationGetOperand(op, 0)), info = nothing_known(type);
    MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
    info.is_constant = a.is_constant;
    info.constant = a.constant;
    info.non_negative = a.non_negative;
    if (kind == OP_EXPAND_DIMS) {
        int at = (int)op_int(op, "axis", 0);
        for (int d = 0; d < info.rank; d++) {
            int from_dim = d < at ? d : d - 1;
            if (d != at && from_dim < a.rank) {
                info.contiguity[d] = a.contiguity[from_dim];
                info.divisibility[d] = a.divisibility[from_dim];
                info.constancy[d] = a.constancy[from_dim];
            } else if (d == at) {
                info.divisibility[d] =
                    every_divisibility(&a, from_dim >= 0 && from_dim < a.rank ? from_dim : 0);
            }
        }
    } else if (kind == OP_BROADCAST || kind == OP_SPLAT) {
        for (int d = 0; d < info.rank; d++) {
            int from_dim = kind == OP_SPLAT ? 0 : d;
            bool repeated = kind == OP_SPLAT || extent(from, d) != extent(type, d);
            info.contiguity[d] = repeated ? 1 : a.contiguity[from_dim];
            info.divisibility[d] = a.divisibility[from_dim];
            info.constancy[d] = repeated ? extent(type, d) : a.constancy[from_dim];
        }
    } else if (kind == OP_TRANS) {
        const int32_t *order;
        intptr_t count = op_i32_array(op, "order", &order, axis->context->arena);
        for (intptr_t d = 0; d < count; d++) {
            info.contiguity[d] = a.contiguity[order[d]];
            info.divisibility[d] = a.divisibility[order[d]];
            info.constancy[d] = a.constancy[order[d]];
        }
    }
    return info;
}

static bool is_splat(MlirOperation constant) {
    MlirAttribute value = mlirOperationGetAttributeByName(constant, mlirStringRefCreateFromCString("value"));
    return !mlirAttributeIsADenseElements(value) || mlirDenseElementsAttrIsSplat(value);
}

// Pointers count in elements, integers in ones: a run of one is a run of the other where an element is a
// byte.
static struct axis_info recounted(struct axis_info info, int64_t from, int64_t to) {
    for (int d = 0; d < info.rank && from != to; d++) {
        if (info.contiguity[d] > 1) {
            info.divisibility[d] = gcd(info.divisibility[d], from);
            info.contiguity[d] = 1;
        }
    }
    return info;
}

static struct axis_info op_info_of(struct axis *axis, MlirOperation op, enum op_kind kind, MlirType type) {
    struct axis_info a = {0}, b = {0};
    if (mlirOperationGetNumOperands(op) > 0) {
        a = axis_of(axis, mlirOperationGetOperand(op, 0));
    }
    if (mlirOperationGetNumOperands(op) > 1) {
        b = axis_of(axis, mlirOperationGetOperand(op, 1));
    }
    struct axis_info info = nothing_known(type);
    int64_t constant;
    switch (kind) {
    case OP_CONSTANT:
        return value_is_constant_int(axis->context->ir, mlirOperationGetResult(op, 0), &constant)
                   ? constant_info(type, constant)
                   : (is_splat(op) ? elementwise(type, axis, op) : info);
    case OP_PROGRAM_ID:
    case OP_NUM_PROGRAMS:
        info.non_negative = true;
        return info;
    case OP_RANGE:
        info.contiguity[0] = power_of_two_in(extent(type, 0));
        info.divisibility[0] = power_of_two_in(op_int(op, "start", 0));
        info.non_negative = op_int(op, "start", 0) >= 0;
        return info;
    case OP_SPLAT:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_TRANS:
        return reshaped(axis, op, kind, type);
    case OP_ADDI:
    case OP_SUBI:
    case OP_ADDPTR:
        return sum(axis, kind, type, &a, &b);
    case OP_MULI:
        return multiplied(type, &a, &b);
    case OP_SHLI:
        if (b.is_constant && b.constant >= 0 && b.constant < 31) {
            struct axis_info factor = constant_info(type, (int64_t)1 << b.constant);
            return multiplied(type, &a, &factor);
        }
        return elementwise(type, axis, op);
    case OP_SHRSI:
    case OP_SHRUI:
        if (b.is_constant && b.constant >= 0 && b.constant < 31) {
            struct axis_info divisor = constant_info(type, (int64_t)1 << b.constant);
            return divided(kind, type, &a, &divisor);
        }
        return elementwise(type, axis, op);
    case OP_ANDI:
        info = elementwise(type, axis, op);
        info.non_negative = a.non_negative || b.non_negative;
        return info;
    case OP_DIVSI:
    case OP_DIVUI:
        return divided(kind, type, &a, &b);
    case OP_REMSI:
    case OP_REMUI:
        return remainder_of(kind, type, &a, &b);
    case OP_CMPI:
        return compared(axis, op, type, &a, &b);
    case OP_EXTSI:
    case OP_CONVERT_LAYOUT:
        return a;
    case OP_EXTUI:
        if (a.is_constant && a.constant < 0) {
            unsigned bits = type_bits(type_element(mlirValueGetType(mlirOperationGetOperand(op, 0))));
            return constant_of(type, (uint64_t)a.constant & (((uint64_t)1 << bits) - 1));
        }
        return a;
    case OP_TRUNCI:
        return a.is_constant ? constant_of(type, (uint64_t)a.constant) : a;
    case OP_PTR_TO_INT:
        return recounted(a, pointee_bytes(axis, mlirValueGetType(mlirOperationGetOperand(op, 0))), 1);
    case OP_INT_TO_PTR:
        return recounted(a, 1, pointee_bytes(axis, type));
    case OP_PTR_CAST:
        return recounted(a, pointee_bytes(axis, mlirValueGetType(mlirOperationGetOperand(op, 0))),
                         pointee_bytes(axis, type));
    case OP_INLINE_ASM: // may give each thread something else
        return info;
    case OP_LOAD:
        return op_has(op, "volatile") ? info : elementwise(type, axis, op);
    case OP_HINT:
        return hinted(axis, op, a);
    case OP_MINSI:
    case OP_MAXSI:
    case OP_MINUI:
    case OP_MAXUI:
    case OP_SELECT: {
        info = elementwise(type, axis, op);
        if (kind == OP_SELECT && mlirOperationGetNumOperands(op) == 3) {
            a = axis_of(axis, mlirOperationGetOperand(op, 2));
        }
        for (int d = 0; d < info.rank; d++) {
            info.divisibility[d] = gcd(every_divisibility(&a, d), every_divisibility(&b, d));
        }
        info.non_negative =
            kind == OP_MAXSI ? a.non_negative || b.non_negative : a.non_negative && b.non_negative;
        return info;
    }
    default:
        return (op_traits(kind) & ELEMENTWISE) ? elementwise(type, axis, op) : info;
    }
}

// ---- control flow ----

static void analyse_block(struct axis *axis, MlirBlock block);

// Loop-carried values start from their initial facts and lose what the body does not keep, until nothing
// changes.
static void analyse_for(struct axis *axis, MlirOperation op) {
    MlirBlock body = op_body(op, 0);
    intptr_t count = mlirOperationGetNumResults(op);
    struct axis_info lower = axis_of(axis, mlirOperationGetOperand(op, 0));
    struct axis_info step = axis_of(axis, mlirOperationGetOperand(op, 2));
    struct axis_info induction = nothing_known(mlirValueGetType(mlirBlockGetArgument(body, 0)));
    induction.divisibility[0] = gcd(lower.divisibility[0], step.divisibility[0]);
    induction.non_negative = lower.non_negative; // the step is positive
    set(axis, mlirBlockGetArgument(body, 0), induction);
    for (intptr_t i = 0; i < count; i++) {
        set(axis, mlirBlockGetArgument(body, i + 1), axis_of(axis, mlirOperationGetOperand(op, 3 + i)));
    }
    for (bool changed = true; changed;) {
        changed = false;
        analyse_block(axis, body);
        MlirOperation yield = mlirBlockGetTerminator(body);
        for (intptr_t i = 0; i < count; i++) {
            MlirValue argument = mlirBlockGetArgument(body, i + 1);
            struct axis_info now = axis_of(axis, argument),
                             next = axis_of(axis, mlirOperationGetOperand(yield, i));
            struct axis_info both = meet(&now, &next);
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

static void analyse_op(struct axis *axis, MlirOperation op) {
    enum op_kind kind = op_kind(axis->context->ir, op);
    if (kind == OP_FOR) {
        analyse_for(axis, op);
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
            struct axis_info a =
                axis_of(axis, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(op, 0)), i));
            struct axis_info b =
                axis_of(axis, mlirOperationGetOperand(mlirBlockGetTerminator(op_body(op, 1)), i));
            info = meet(&a, &b);
        } else if (kind != OP_WHILE) {
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

void axis_analyse(struct axis *axis, struct pass_context *context, MlirOperation function) {
    *axis = (struct axis){.context = context};
    MlirBlock body = op_body(function, 0);
    MlirAttribute attributes =
        mlirOperationGetAttributeByName(function, mlirStringRefCreateFromCString("arg_attrs"));
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
        MlirValue argument = mlirBlockGetArgument(body, i);
        struct axis_info info = nothing_known(mlirValueGetType(argument));
        info.non_negative = true;
        if (!mlirAttributeIsNull(attributes) && i < mlirArrayAttrGetNumElements(attributes)) {
            MlirAttribute divisible = mlirDictionaryAttrGetElementByName(
                mlirArrayAttrGetElement(attributes, i), mlirStringRefCreateFromCString("tk.divisibility"));
            if (!mlirAttributeIsNull(divisible)) {
                info.divisibility[0] = power_of_two_in(mlirIntegerAttrGetValueInt(divisible));
            }
        }
        if (type_is_ptr(mlirValueGetType(argument))) { // every pointer is aligned to what it points to
            info.divisibility[0] =
                max64(info.divisibility[0], pointee_bytes(axis, mlirValueGetType(argument)));
        }
        set(axis, argument, info);
    }
    analyse_block(axis, body);
}

void axis_free(struct axis *axis) {
    map_free(&axis->infos);
}

int64_t axis_access_elements(struct axis *axis, MlirValue pointer, MlirValue mask, int dim) {
    struct axis_info info = axis_of(axis, pointer);
    if (!type_is_tensor(mlirValueGetType(pointer))) {
        return 1;
    }
    int64_t bytes = pointee_bytes(axis, mlirValueGetType(pointer));
    int64_t aligned = max64(1, info.divisibility[dim] / bytes);
    int64_t elements = min64(min64(info.contiguity[dim], aligned), 16 / bytes);
    if (!mlirValueIsNull(mask)) {
        elements = min64(elements, axis_of(axis, mask).constancy[dim]);
    }
    return elements;
}
