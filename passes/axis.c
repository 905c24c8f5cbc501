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

struct transfer {
    struct axis *axis;
    MlirOperation op;
    enum op_kind kind;
    MlirType type;         // of the result
    struct axis_info a, b; // of the first two operands
};

static MlirType operand_type(const struct transfer *t) {
    return mlirValueGetType(mlirOperationGetOperand(t->op, 0));
}

static struct axis_info unknown(const struct transfer *t) {
    return nothing_known(t->type);
}

static struct axis_info first_operand(const struct transfer *t) {
    return t->a;
}

static struct axis_info program_id(const struct transfer *t) {
    struct axis_info info = nothing_known(t->type);
    info.non_negative = true;
    return info;
}

static struct axis_info range(const struct transfer *t) {
    struct axis_info info = nothing_known(t->type);
    int64_t start = op_int(t->op, "start", 0);
    info.contiguity[0] = power_of_two_in(extent(t->type, 0));
    info.divisibility[0] = power_of_two_in(start);
    info.non_negative = start >= 0;
    return info;
}

// Ops that compute each element from the elements at the same place: the result is constant where all
// operands are.
static struct axis_info elementwise(const struct transfer *t) {
    struct axis_info info = nothing_known(t->type);
    for (int d = 0; d < info.rank; d++) {
        info.constancy[d] = extent(t->type, d);
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(t->op); i++) {
            struct axis_info operand = axis_of(t->axis, mlirOperationGetOperand(t->op, i));
            info.constancy[d] = gcd(info.constancy[d], d < operand.rank ? operand.constancy[d] : 1);
        }
    }
    return info;
}

static struct axis_info sum(const struct transfer *t) {
    const struct axis_info *a = &t->a, *b = &t->b;
    enum op_kind kind = t->kind;
    struct axis_info info = nothing_known(t->type);
    int64_t scale = kind == OP_ADDPTR ? pointee_bytes(t->axis, t->type) : 1;
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
        return constant_of(t->type, kind == OP_ADDI ? x + y : x - y);
    }
    info.non_negative = kind == OP_ADDI && a->non_negative && b->non_negative;
    return info;
}

// Inside a contiguous group only the first element has the group's divisibility.
static int64_t every_divisibility(const struct axis_info *info, int d) {
    return info->contiguity[d] > 1 ? 1 : info->divisibility[d];
}

static struct axis_info multiplied(const struct transfer *t) {
    const struct axis_info *a = &t->a, *b = &t->b;
    if (a->is_constant && b->is_constant) {
        return constant_of(t->type, (uint64_t)a->constant * (uint64_t)b->constant);
    }
    if (a->is_constant && a->constant == 1) {
        return *b;
    }
    if (b->is_constant && b->constant == 1) {
        return *a;
    }
    struct axis_info info = nothing_known(t->type);
    info.non_negative = a->non_negative && b->non_negative;
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = product(every_divisibility(a, d), every_divisibility(b, d));
        info.constancy[d] = gcd(a->constancy[d], b->constancy[d]);
    }
    return info;
}

static struct axis_info divided(const struct transfer *t) {
    const struct axis_info *a = &t->a, *b = &t->b;
    if (b->is_constant && b->constant == 1) {
        return *a;
    }
    if (a->is_constant && b->is_constant && b->constant > 0 && a->constant >= 0) {
        return constant_info(t->type, a->constant / b->constant);
    }
    struct axis_info info = nothing_known(t->type);
    bool positive = !(b->is_constant && b->constant < 0);
    bool counts = t->kind != OP_DIVSI || (a->non_negative && positive); // others round down
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

// A shift by a constant: the factor or divisor that it stands for as operand b.
static bool shift_as_factor(const struct transfer *t, struct transfer *by) {
    *by = *t;
    if (!t->b.is_constant || t->b.constant < 0 || t->b.constant >= 31) {
        return false;
    }
    by->b = constant_info(t->type, (int64_t)1 << t->b.constant);
    return true;
}

static struct axis_info shifted_left(const struct transfer *t) {
    struct transfer by;
    return shift_as_factor(t, &by) ? multiplied(&by) : elementwise(t);
}

static struct axis_info shifted_right(const struct transfer *t) {
    struct transfer by;
    return shift_as_factor(t, &by) ? divided(&by) : elementwise(t);
}

static struct axis_info masked(const struct transfer *t) {
    struct axis_info info = elementwise(t);
    info.non_negative = t->a.non_negative || t->b.non_negative;
    return info;
}

static struct axis_info remainder_of(const struct transfer *t) {
    const struct axis_info *a = &t->a, *b = &t->b;
    if (a->is_constant && b->is_constant && b->constant > 0 && a->constant >= 0) {
        return constant_info(t->type, a->constant % b->constant);
    }
    struct axis_info info = nothing_known(t->type);
    info.non_negative = a->non_negative;
    for (int d = 0; d < info.rank; d++) {
        if ((t->kind == OP_REMUI || a->non_negative) && b->constancy[d] >= a->contiguity[d]) {
            info.contiguity[d] = gcd(a->contiguity[d], gcd(a->divisibility[d], b->divisibility[d]));
        }
        info.divisibility[d] =
            gcd(divisibility_at(a, d, info.contiguity[d]), divisibility_at(b, d, info.contiguity[d]));
        info.constancy[d] = gcd(a->constancy[d], b->constancy[d]);
    }
    return info;
}

// An ordering of a counting run against a bound changes only where the bound's own divisibility lets it.
static struct axis_info compared(const struct transfer *t) {
    const struct axis_info *a = &t->a, *b = &t->b;
    struct axis_info info = nothing_known(t->type);
    unsigned predicate = 1u << op_int(t->op, "predicate", 0);       // eq ne slt sle sgt sge ult ule ugt uge
    bool less = predicate & (1 << 2 | 1 << 5 | 1 << 6 | 1 << 9);    // run < bound, run >= bound
    bool greater = predicate & (1 << 3 | 1 << 4 | 1 << 7 | 1 << 8); // bound > run, bound <= run
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

static struct axis_info hinted(const struct transfer *t) {
    struct axis_info info = t->a;
    static const char *const names[] = {"divisibility", "contiguity", "constancy"};
    int64_t *fields[] = {info.divisibility, info.contiguity, info.constancy};
    for (size_t h = 0; h < 3; h++) {
        const int32_t *values;
        intptr_t count = op_i32_array(t->op, names[h], &values, t->axis->context->arena);
        for (intptr_t d = 0; d < count && d < info.rank; d++) {
            fields[h][d] = max64(fields[h][d], power_of_two_in(values[d]));
        }
    }
    return info;
}

static struct axis_info reshaped(const struct transfer *t) {
    struct axis_info a = t->a, info = nothing_known(t->type);
    enum op_kind kind = t->kind;
    MlirType from = operand_type(t);
    info.is_constant = a.is_constant;
    info.constant = a.constant;
    info.non_negative = a.non_negative;
    if (kind == OP_EXPAND_DIMS) {
        int at = (int)op_int(t->op, "axis", 0);
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
            bool repeated = kind == OP_SPLAT || extent(from, d) != extent(t->type, d);
            info.contiguity[d] = repeated ? 1 : a.contiguity[from_dim];
            info.divisibility[d] = a.divisibility[from_dim];
            info.constancy[d] = repeated ? extent(t->type, d) : a.constancy[from_dim];
        }
    } else if (kind == OP_TRANS) {
        const int32_t *order;
        intptr_t count = op_i32_array(t->op, "order", &order, t->axis->context->arena);
        for (intptr_t d = 0; d < count; d++) {
            info.contiguity[d] = a.contiguity[order[d]];
            info.divisibility[d] = a.divisibility[order[d]];
            info.constancy[d] = a.constancy[order[d]];
        }
    }
    return info;
}

// Pointers count in elements, integers in ones: a run of one is a run of the other where an element is a
// byte.
static int64_t counted_in(struct axis *axis, MlirType type) {
    return type_is_ptr(type_element(type)) ? pointee_bytes(axis, type) : 1;
}

static struct axis_info recounted(const struct transfer *t) {
    struct axis_info info = t->a;
    int64_t from = counted_in(t->axis, operand_type(t)), to = counted_in(t->axis, t->type);
    for (int d = 0; d < info.rank && from != to; d++) {
        if (info.contiguity[d] > 1) {
            info.divisibility[d] = gcd(info.divisibility[d], from);
            info.contiguity[d] = 1;
        }
    }
    return info;
}

static struct axis_info constant(const struct transfer *t) {
    int64_t value;
    if (value_is_constant_int(t->axis->context->ir, mlirOperationGetResult(t->op, 0), &value)) {
        return constant_info(t->type, value);
    }
    MlirAttribute all = mlirOperationGetAttributeByName(t->op, mlirStringRefCreateFromCString("value"));
    bool equal = !mlirAttributeIsADenseElements(all) || mlirDenseElementsAttrIsSplat(all);
    return equal ? elementwise(t) : nothing_known(t->type);
}

static struct axis_info zero_extended(const struct transfer *t) {
    if (t->a.is_constant && t->a.constant < 0) {
        unsigned bits = type_bits(type_element(operand_type(t)));
        return constant_of(t->type, (uint64_t)t->a.constant & (((uint64_t)1 << bits) - 1));
    }
    return t->a;
}

static struct axis_info truncated(const struct transfer *t) {
    return t->a.is_constant ? constant_of(t->type, (uint64_t)t->a.constant) : t->a;
}

static struct axis_info loaded(const struct transfer *t) {
    return op_has(t->op, "volatile") ? nothing_known(t->type) : elementwise(t);
}

static struct axis_info one_of(const struct transfer *t, const struct axis_info *a,
                               const struct axis_info *b) {
    struct axis_info info = elementwise(t);
    for (int d = 0; d < info.rank; d++) {
        info.divisibility[d] = gcd(every_divisibility(a, d), every_divisibility(b, d));
    }
    info.non_negative = a->non_negative && b->non_negative;
    return info;
}

static struct axis_info chosen(const struct transfer *t) {
    return one_of(t, &t->a, &t->b);
}

static struct axis_info larger(const struct transfer *t) {
    struct axis_info info = chosen(t);
    info.non_negative = t->a.non_negative || t->b.non_negative;
    return info;
}

static struct axis_info selected(const struct transfer *t) {
    struct axis_info other = axis_of(t->axis, mlirOperationGetOperand(t->op, 2));
    return one_of(t, &t->b, &other);
}

// NULL: nothing is known, or what the ELEMENTWISE trait says.
static struct axis_info (*const transfers[OP_KIND_COUNT])(const struct transfer *t) = {
    [OP_CONSTANT] = constant,
    [OP_PROGRAM_ID] = program_id,
    [OP_NUM_PROGRAMS] = program_id,
    [OP_RANGE] = range,
    [OP_SPLAT] = reshaped,
    [OP_BROADCAST] = reshaped,
    [OP_EXPAND_DIMS] = reshaped,
    [OP_TRANS] = reshaped,
    [OP_CONVERT_LAYOUT] = first_operand,
    [OP_ADDI] = sum,
    [OP_SUBI] = sum,
    [OP_ADDPTR] = sum,
    [OP_MULI] = multiplied,
    [OP_DIVSI] = divided,
    [OP_DIVUI] = divided,
    [OP_REMSI] = remainder_of,
    [OP_REMUI] = remainder_of,
    [OP_SHLI] = shifted_left,
    [OP_SHRSI] = shifted_right,
    [OP_SHRUI] = shifted_right,
    [OP_ANDI] = masked,
    [OP_CMPI] = compared,
    [OP_MINSI] = chosen,
    [OP_MINUI] = chosen,
    [OP_MAXSI] = larger,
    [OP_MAXUI] = chosen,
    [OP_SELECT] = selected,
    [OP_EXTSI] = first_operand,
    [OP_EXTUI] = zero_extended,
    [OP_TRUNCI] = truncated,
    [OP_PTR_TO_INT] = recounted,
    [OP_INT_TO_PTR] = recounted,
    [OP_PTR_CAST] = recounted,
    [OP_LOAD] = loaded,
    [OP_HINT] = hinted,
    [OP_INLINE_ASM] = unknown, // may give each thread something else
};

static struct axis_info op_info_of(struct axis *axis, MlirOperation op, enum op_kind kind, MlirType type) {
    struct transfer t = {.axis = axis, .op = op, .kind = kind, .type = type};
    if (mlirOperationGetNumOperands(op) > 0) {
        t.a = axis_of(axis, mlirOperationGetOperand(op, 0));
    }
    if (mlirOperationGetNumOperands(op) > 1) {
        t.b = axis_of(axis, mlirOperationGetOperand(op, 1));
    }
    if (transfers[kind]) {
        return transfers[kind](&t);
    }
    return (op_traits(kind) & ELEMENTWISE) ? elementwise(&t) : nothing_known(type);
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
