// Separates the loads of a loop from its stores by the kernel arguments behind their pointers.
//
//   for …: a = tl.load(x + …); tl.store(y + …, state); state = tl.dot(a, …)        x[k + 1] is loaded before y[k] is stored
//
// Recurrences store the state of each step and load unrelated tiles. The compiler cannot prove that two
// arguments do not overlap: a caller may pass one tensor as both, to read and write its tiles in place.
// In-place use stays correct, because each iteration stores its tile after its own load of the same tile, and
// a load after such a store in the iteration is not moved. The pass assumes that no iteration reads through
// one argument an element written through another argument, either by an earlier iteration or by itself at
// other offsets. Nothing is assumed about loads and stores of one argument. The function keeps the assumed
// pairs of arguments: the launcher's contract names them, and tkc-run reports overlapping ones.
//
// test: tests/golden/passes/pipeline
#include "passes/facts/apart.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

enum { STEPS = 256 };

// The argument behind a pointer, or the load of the address behind it.
static MlirValue base_of(struct ir *ir, MlirValue pointer, int *steps);

// The base of a pointer carried by a loop: the base of its initial value, provided the yielded pointer comes
// from the carried one or has the same base. Null otherwise.
static MlirValue carried(struct ir *ir, MlirOperation loop, intptr_t number, int *steps) {
    MlirBlock body = op_body(loop, 0);
    MlirValue first = base_of(ir, for_init(loop, number), steps);
    MlirValue next = yield_value(mlirBlockGetTerminator(body), number);
    MlirValue same = mlirBlockGetArgument(body, 1 + number);
    for (; *steps > 0 && !value_is(next, same); --*steps) {
        MlirOperation op = value_op(next);
        if (mlirOperationIsNull(op) || op_kind(ir, op) != OP_ADDPTR) {
            MlirValue other = base_of(ir, next, steps);
            return mlirValueIsNull(first) || mlirValueIsNull(other) || !value_is(first, other)
                       ? (MlirValue){NULL}
                       : first;
        }
        next = addptr_pointer(op);
    }
    return *steps > 0 ? first : (MlirValue){NULL};
}

static MlirValue base_of(struct ir *ir, MlirValue pointer, int *steps) {
    while (--*steps > 0) {
        if (mlirValueIsABlockArgument(pointer)) {
            MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(pointer));
            intptr_t number = mlirBlockArgumentGetArgNumber(pointer);
            enum op_kind kind = op_kind(ir, owner);
            return kind == OP_FUNC                ? pointer
                   : kind == OP_FOR && number > 0 ? carried(ir, owner, number - 1, steps)
                                                  : (MlirValue){NULL};
        }
        MlirOperation op = mlirOpResultGetOwner(pointer);
        enum op_kind kind = op_kind(ir, op);
        switch (kind) {
        case OP_ADDPTR:
        case OP_HINT:
        case OP_PTR_CAST:
            pointer = leading_operand(op);
            break;
        case OP_SELECT: {
            MlirValue first = base_of(ir, select_yes(op), steps);
            MlirValue second = base_of(ir, select_no(op), steps);
            return value_is(first, second) ? first : (MlirValue){NULL};
        }
        case OP_FOR:
            return carried(ir, op, mlirOpResultGetResultNumber(pointer), steps);
        case OP_INT_TO_PTR:
            pointer = leading_operand(op);
            break;
        case OP_LOAD: // of an array of addresses
            return op_has(op, ATTR_ADDRESSES) ? pointer : (MlirValue){NULL};
        default:
            if (!op_rearranges(kind)) {
                return (MlirValue){NULL};
            }
            pointer = leading_operand(op);
        }
    }
    return (MlirValue){NULL};
}

static MlirValue without_conversions(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_CONVERT_LAYOUT) {
        value = leading_operand(op);
        op = value_op(value);
    }
    return value;
}

// True for a kernel's pointer argument and for an address from an array of addresses: each may be any tensor.
static bool is_base(struct ir *ir, MlirValue value) {
    if (!type_is_ptr(mlirValueGetType(value))) {
        return false;
    }
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op) && (op_kind(ir, op) == OP_HINT || op_kind(ir, op) == OP_INT_TO_PTR)) {
        value = leading_operand(op);
        op = value_op(value);
    }
    if (!mlirOperationIsNull(op)) {
        return op_kind(ir, op) == OP_LOAD && op_has(op, ATTR_ADDRESSES);
    }
    return op_kind(ir, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))) == OP_FUNC;
}

// The question whether two values are computed alike.
struct alike {
    struct ir *ir;
    int steps;
    struct equal_arguments *equal; // receives the conditions, numbers to be equal; NULL: there may be none
};

// False if there is no room for one more pair.
static bool equal_add(struct equal_arguments *equal, int32_t x, int32_t y) {
    for (unsigned i = 0; i < equal->count; i++) {
        if (equal->pairs[i][0] == x && equal->pairs[i][1] == y) {
            return true;
        }
    }
    if (equal->count == EQUAL_ARGUMENTS) {
        return false;
    }
    equal->pairs[equal->count][0] = x;
    equal->pairs[equal->count++][1] = y;
    return true;
}

// True if two arguments of the kernel are the same integer, or are noted as integers to be equal.
static bool may_be_equal(struct alike *q, MlirValue a, MlirValue b) {
    int32_t x = (int32_t)mlirBlockArgumentGetArgNumber(a), y = (int32_t)mlirBlockArgumentGetArgNumber(b);
    MlirType type = mlirValueGetType(a);
    return q->equal && mlirTypeIsAInteger(type) && mlirTypeEqual(type, mlirValueGetType(b)) &&
           equal_add(q->equal, x, y);
}

static bool computed_alike(struct alike *q, MlirValue a, MlirValue b);

static bool arguments_alike(struct alike *q, MlirValue a, MlirValue b) {
    MlirBlock block = mlirBlockArgumentGetOwner(a);
    MlirOperation owner = mlirBlockGetParentOperation(block);
    intptr_t i = mlirBlockArgumentGetArgNumber(a), j = mlirBlockArgumentGetArgNumber(b);
    if (!mlirBlockEqual(block, mlirBlockArgumentGetOwner(b))) {
        return false;
    }
    if (op_kind(q->ir, owner) == OP_FUNC) {
        return may_be_equal(q, a, b);
    }
    return op_kind(q->ir, owner) == OP_FOR && i && j &&
           computed_alike(q, for_init(owner, i - 1), for_init(owner, j - 1));
}

// True if the values are computed alike, from kernel arguments, maybe of the same tensor. Layouts do not
// count: the layout pass computes one offset in as many layouts as there are uses.
static bool computed_alike(struct alike *q, MlirValue a, MlirValue b) {
    struct ir *ir = q->ir;
    a = without_conversions(ir, a);
    b = without_conversions(ir, b);
    if (value_is(a, b) || --q->steps <= 0 || (is_base(ir, a) && is_base(ir, b))) {
        return true;
    }
    if (mlirValueIsABlockArgument(a) != mlirValueIsABlockArgument(b)) {
        return false;
    }
    if (mlirValueIsABlockArgument(a)) {
        return arguments_alike(q, a, b);
    }
    MlirOperation x = mlirOpResultGetOwner(a), y = mlirOpResultGetOwner(b);
    intptr_t count = mlirOperationGetNumOperands(x);
    bool alike = op_kind(ir, x) == op_kind(ir, y) && (op_traits(op_kind(ir, x)) & PURE) &&
                 count == mlirOperationGetNumOperands(y) && attributes_alike(x, y);
    for (intptr_t i = 0; alike && i < count; i++) {
        alike = computed_alike(q, mlirOperationGetOperand(x, i), mlirOperationGetOperand(y, i));
    }
    return alike;
}

static bool may_meet(struct alike *q, MlirValue a, MlirValue b) {
    MlirType type = mlirValueGetType(a), other = mlirValueGetType(b);
    return type_same_shape(type, other) && mlirTypeEqual(type_element(type), type_element(other)) &&
           computed_alike(q, a, b);
}

bool pointers_may_meet(struct ir *ir, MlirValue a, MlirValue b) {
    return may_meet(&(struct alike){.ir = ir, .steps = STEPS}, a, b);
}

bool pointers_may_meet_if(struct ir *ir, MlirValue a, MlirValue b, struct equal_arguments *equal) {
    struct alike q = {ir, STEPS, equal};
    *equal = (struct equal_arguments){.count = 0};
    bool may = may_meet(&q, a, b) && (q.steps > 0 || equal->count == 0);
    equal->count = may ? equal->count : 0;
    return may;
}

// True if the op may write elements read by a later load of the iteration.
static bool stores_ahead(struct ir *ir, MlirOperation op, MlirOperation load) {
    enum op_kind kind = op_kind(ir, op);
    return (kind == OP_STORE || kind == OP_ATOMIC_RMW) &&
           pointers_may_meet(ir, access_pointer(op), load_pointer(load));
}

MlirValue pointer_argument(struct ir *ir, MlirValue pointer) {
    int steps = STEPS;
    MlirValue base = base_of(ir, pointer, &steps);
    return mlirValueIsNull(base) || mlirValueIsABlockArgument(base) ? base : (MlirValue){NULL};
}

MlirValue pointer_array(struct ir *ir, MlirValue pointer) {
    int steps = STEPS;
    MlirValue base = base_of(ir, pointer, &steps);
    return mlirValueIsNull(base) || mlirValueIsABlockArgument(base)
               ? (MlirValue){NULL}
               : pointer_argument(ir, load_pointer(value_op(base)));
}

const void *pointer_memory(struct ir *ir, MlirValue pointer) {
    MlirValue argument = pointer_argument(ir, pointer);
    if (!mlirValueIsNull(argument)) {
        return argument.ptr;
    }
    MlirValue array = pointer_array(ir, pointer);
    return mlirValueIsNull(array) ? NULL : (const char *)array.ptr + 1;
}

// The argument written by a store or by an atomic with unused result; null if there is none, or several, and
// for other ops.
static MlirValue written_argument(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    bool writes =
        kind == OP_STORE || (kind == OP_ATOMIC_RMW && !value_has_uses(mlirOperationGetResult(op, 0)));
    return writes ? pointer_argument(ir, access_pointer(op)) : (MlirValue){NULL};
}

// True if the op may write through one of these arguments, or orders memory in another way binding for loads.
static bool orders_loads_of(struct ir *ir, MlirOperation op, const MlirValue *arguments, size_t count) {
    MlirValue written = written_argument(ir, op);
    bool apart = !mlirValueIsNull(written);
    for (size_t i = 0; i < count && apart; i++) {
        apart = !mlirValueIsNull(arguments[i]) && !value_is(arguments[i], written);
    }
    return !apart;
}

bool loads_pass_ops(struct pass_context *context, const MlirOperation *ops, size_t count,
                    const MlirOperation *loads, size_t load_count, enum reason reason) {
    struct ir *ir = context->ir;
    struct arena *arena = context->arena;
    MlirValue *arguments = ARENA_ARRAY(arena, MlirValue, load_count + 1);
    bool *behind = ARENA_ARRAY(arena, bool, load_count + 1); // ops still to be compared
    for (size_t i = 0; i < load_count; i++) {
        arguments[i] = pointer_argument(ir, load_pointer(loads[i]));
        behind[i] = true;
    }
    for (size_t i = 0; i < count; i++) {
        bool orders = op_orders_memory(ir, ops[i]);
        if (orders && orders_loads_of(ir, ops[i], arguments, load_count)) {
            return decline(context, ops[i], reason);
        }
        for (size_t j = 0; j < load_count; j++) {
            behind[j] = behind[j] && !mlirOperationEqual(ops[i], loads[j]);
            if (orders && behind[j] && stores_ahead(ir, ops[i], loads[j])) {
                return decline(context, ops[i], reason);
            }
        }
    }
    return true;
}

bool loads_pass_stores(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                       size_t load_count) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count);
    return loads_pass_ops(context, ops, count, loads, load_count, REASON_WRITES_LOADED);
}

// An entry of {tk.apart}: two numbers for a pair, and two for each pair of arguments to be equal behind it.
static bool is_condition(const int32_t *entry) {
    return entry[1] < 0;
}

static bool is_pair(const int32_t *entry, int32_t loaded, int32_t stored) {
    return entry[0] == loaded && entry[1] == stored;
}

// Joins the pair's notes to `equal`. False if the pair may not overlap in any case.
static bool join_noted(const int32_t *noted, intptr_t count, int32_t loaded, int32_t stored,
                       struct equal_arguments *equal) {
    bool here = false, may = true;
    for (intptr_t i = 0; i < count; i += 2) {
        if (is_condition(noted + i)) {
            may = may && (!here || equal_add(equal, noted[i], -1 - noted[i + 1]));
            continue;
        }
        here = is_pair(noted + i, loaded, stored);
        may = may && !(here && (i + 2 == count || !is_condition(noted + i + 2)));
    }
    return may;
}

static intptr_t put_pair(int32_t *to, int32_t loaded, int32_t stored, const struct equal_arguments *equal) {
    intptr_t put = 0;
    to[put++] = loaded;
    to[put++] = stored;
    for (unsigned i = 0; i < equal->count; i++) {
        to[put++] = equal->pairs[i][0];
        to[put++] = -1 - equal->pairs[i][1];
    }
    return put;
}

// Adds a pair to {tk.apart}, with the arguments to be equal if it overlaps (none: it may not). All notes of a pair
// has to hold.
static void note_pair(struct pass_context *context, MlirOperation function, int32_t loaded, int32_t stored,
                      struct equal_arguments equal) {
    const int32_t *old;
    intptr_t count = op_i32_array(function, ATTR_APART, &old, context->arena), kept = 0;
    count = count < 0 ? 0 : count;
    int32_t *pairs = ARENA_ARRAY(context->arena, int32_t, (size_t)count + 2 + 2 * EQUAL_ARGUMENTS);
    equal.count = equal.count && join_noted(old, count, loaded, stored, &equal) ? equal.count : 0;
    bool here = false, found = false;
    for (intptr_t i = 0; i < count; i += 2) {
        here = is_condition(old + i) ? here : is_pair(old + i, loaded, stored);
        if (!here) {
            pairs[kept++] = old[i];
            pairs[kept++] = old[i + 1];
        } else if (!is_condition(old + i)) {
            kept += put_pair(pairs + kept, loaded, stored, &equal);
            found = true;
        }
    }
    kept += found ? 0 : put_pair(pairs + kept, loaded, stored, &equal);
    op_set_attribute(function, ATTR_APART, mlirDenseI32ArrayGet(context->ir->context, kept, pairs));
}

void load_assumes_apart_unless(struct pass_context *context, MlirOperation function, MlirOperation load,
                               MlirOperation store, const struct equal_arguments *equal) {
    MlirValue written = written_argument(context->ir, store);
    MlirValue loaded = mlirValueIsNull(written) ? written : pointer_argument(context->ir, load_pointer(load));
    if (!mlirValueIsNull(loaded) && !value_is(loaded, written)) {
        note_pair(context, function, (int32_t)mlirBlockArgumentGetArgNumber(loaded),
                  (int32_t)mlirBlockArgumentGetArgNumber(written), *equal);
    }
}

void loads_assume_apart_of(struct pass_context *context, MlirOperation function, const MlirOperation *ops,
                           size_t count, const MlirOperation *loads, size_t load_count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < load_count; j++) {
            load_assumes_apart_unless(context, function, loads[j], ops[i],
                                      &(struct equal_arguments){.count = 0});
        }
    }
}

void loads_assume_apart(struct pass_context *context, MlirOperation loop, const MlirOperation *loads,
                        size_t load_count) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, loop, &count), function = loop;
    while (op_kind(context->ir, function) != OP_FUNC) {
        function = mlirOperationGetParentOperation(function);
    }
    // The loop over a block's programs, of plain loads and stores (shared_keys.c): programs may run at once, so that none reads another's
    // results.
    if (op_has(function, ATTR_SHARING) &&
        op_kind(context->ir, mlirOperationGetParentOperation(loop)) == OP_SPECIALISE) {
        return;
    }
    loads_assume_apart_of(context, function, ops, count, loads, load_count);
}
