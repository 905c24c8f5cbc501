// The integers numbering slots of shared buffers. The analysis goes backwards from every smem_slot's index,
// through loops and branches, and computes the values found along each path, from constants. Loaded values,
// kernel arguments, loop counters and values computed from them are unknown.
#include "passes/shared/slot_numbers.h"

#include <string.h>

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

// ---- values to follow ----

static void follow(struct slot_numbers *n, MlirValue value) {
    if (map_has(&n->index, value.ptr)) {
        return;
    }
    n->values = arena_grown(n->arena, n->values, n->count, &n->capacity, sizeof value);
    n->values[n->count++] = value;
    map_put(&n->index, value.ptr, (void *)(uintptr_t)n->count);
}

static void follow_argument(struct slot_numbers *n, MlirValue argument) {
    MlirBlock block = mlirBlockArgumentGetOwner(argument);
    MlirOperation owner = mlirBlockGetParentOperation(block);
    enum op_kind kind = op_kind(n->ir, owner);
    intptr_t number = mlirBlockArgumentGetArgNumber(argument);
    if (kind == OP_FOR && number > 0) {
        follow(n, for_init(owner, number - 1));
        follow(n, yield_value(mlirBlockGetTerminator(block), number - 1));
    } else if (kind == OP_WHILE && mlirBlockEqual(block, op_body(owner, 0))) {
        follow(n, while_init(owner, number));
        follow(n, yield_value(mlirBlockGetTerminator(op_body(owner, 1)), number));
    } else if (kind == OP_WHILE) {
        follow(n, condition_value(mlirBlockGetTerminator(op_body(owner, 0)), number));
    }
}

static void follow_result(struct slot_numbers *n, MlirValue result) {
    MlirOperation op = mlirOpResultGetOwner(result);
    intptr_t number = mlirOpResultGetResultNumber(result);
    switch (op_kind(n->ir, op)) {
    case OP_FOR:
        follow(n, for_init(op, number));
        follow(n, yield_value(mlirBlockGetTerminator(op_body(op, 0)), number));
        return;
    case OP_WHILE:
        follow(n, condition_value(mlirBlockGetTerminator(op_body(op, 0)), number));
        return;
    case OP_IF:
        follow(n, yield_value(mlirBlockGetTerminator(op_body(op, 0)), number));
        follow(n, yield_value(mlirBlockGetTerminator(op_body(op, 1)), number));
        return;
    case OP_ADDI:
    case OP_SUBI:
    case OP_MULI:
    case OP_ANDI:
    case OP_ORI:
    case OP_XORI:
    case OP_REMUI:
    case OP_REMSI:
    case OP_DIVUI:
    case OP_CMPI:
    case OP_SELECT:
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            follow(n, mlirOperationGetOperand(op, i));
        }
        return;
    default:
        return;
    }
}

struct slot_numbers_inside {
    struct slot_numbers_inside *next;
    size_t place;
};

static void note_holders(struct slot_numbers *n, size_t place) {
    MlirValue value = n->values[place];
    MlirOperation holder = mlirValueIsABlockArgument(value)
                               ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                               : mlirOperationGetParentOperation(mlirOpResultGetOwner(value));
    for (; !mlirOperationIsNull(holder); holder = mlirOperationGetParentOperation(holder)) {
        struct slot_numbers_inside *one = ARENA_NEW(n->arena, struct slot_numbers_inside);
        *one = (struct slot_numbers_inside){map_get(&n->inside, holder.ptr), place};
        map_put(&n->inside, holder.ptr, one);
    }
}

void slot_numbers_find(struct slot_numbers *n, const MlirOperation *ops, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (op_kind(n->ir, ops[i]) == OP_SMEM_SLOT) {
            follow(n, smem_slot_index(ops[i]));
        }
    }
    for (size_t i = 0; i < n->count; i++) { // grows in the loop
        MlirValue value = n->values[i];
        if (mlirValueIsABlockArgument(value)) {
            follow_argument(n, value);
        } else {
            follow_result(n, value);
        }
    }
    for (size_t i = 0; i < n->count; i++) {
        note_holders(n, i);
    }
}

void slot_numbers_free(struct slot_numbers *n) {
    map_free(&n->index);
    map_free(&n->inside);
}

// ---- along a path ----

static size_t index_of(const struct slot_numbers *n, MlirValue value) {
    return (size_t)(uintptr_t)map_get(&n->index, value.ptr);
}

struct number slot_number(const struct slot_numbers *n, const struct number *path, MlirValue value) {
    size_t index = index_of(n, value);
    return index ? path[index - 1] : (struct number){0};
}

void slot_number_set(const struct slot_numbers *n, struct number *path, MlirValue value,
                     struct number number) {
    size_t index = index_of(n, value);
    if (index) {
        path[index - 1] = number.known ? number : (struct number){0};
    }
}

void slot_numbers_leave(const struct slot_numbers *n, struct number *path, MlirOperation op) {
    for (const struct slot_numbers_inside *one = map_get(&n->inside, op.ptr); one; one = one->next) {
        path[one->place] = (struct number){0};
    }
}

static bool holds(int64_t predicate, int64_t x, int64_t y) {
    switch (predicate) {
    case INT_EQ:
        return x == y;
    case INT_NE:
        return x != y;
    case INT_SLT:
    case INT_ULT:
        return x < y;
    case INT_SLE:
    case INT_ULE:
        return x <= y;
    case INT_SGT:
    case INT_UGT:
        return x > y;
    default:
        return x >= y;
    }
}

// Unsigned predicates are evaluated for non-negative numbers only.
static struct number compare(int64_t predicate, int64_t x, int64_t y) {
    bool valid = predicate >= INT_EQ && predicate <= INT_UGE && (predicate < INT_ULT || (x >= 0 && y >= 0));
    return (struct number){valid, valid && holds(predicate, x, y)};
}

// As a signed number of the type's width, i1 as 0 or 1.
static struct number wrapped(struct number number, MlirType type) {
    unsigned bits = type_is_tensor(type) || !mlirTypeIsAInteger(type) ? 0 : type_bits(type);
    number.known &= bits >= 1 && bits <= 32;
    if (number.known && bits < 32) {
        number.value &= ((int64_t)1 << bits) - 1;
    } else if (number.known) {
        number.value = (int32_t)(uint32_t)number.value;
    }
    return number;
}

static struct number computed(const struct slot_numbers *n, const struct number *path, MlirOperation op) {
    struct number x[3] = {{0}};
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 3; i++) {
        x[i] = slot_number(n, path, mlirOperationGetOperand(op, i));
    }
    int64_t a = x[0].value, b = x[1].value;
    bool both = x[0].known && x[1].known, divides = both && a >= 0 && b > 0;
    struct number constant = {0};
    switch (op_kind(n->ir, op)) {
    case OP_CONSTANT:
        constant.known = value_is_constant_int(n->ir, mlirOperationGetResult(op, 0), &constant.value);
        return constant;
    case OP_ADDI:
        return (struct number){both, a + b};
    case OP_SUBI:
        return (struct number){both, a - b};
    case OP_MULI:
        return (struct number){both, a * b};
    case OP_ANDI:
        return (struct number){both, a & b};
    case OP_ORI:
        return (struct number){both, a | b};
    case OP_XORI:
        return (struct number){both, a ^ b};
    case OP_REMUI:
    case OP_REMSI:
        return (struct number){divides, divides ? a % b : 0};
    case OP_DIVUI:
        return (struct number){divides, divides ? a / b : 0};
    case OP_CMPI:
        return both ? compare(op_int(op, ATTR_PREDICATE), a, b) : constant;
    case OP_SELECT:
        return !x[0].known ? constant : a ? x[1] : x[2];
    default:
        return constant;
    }
}

void slot_number_compute(const struct slot_numbers *n, struct number *path, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        if (index_of(n, result)) {
            slot_number_set(n, path, result, wrapped(computed(n, path, op), mlirValueGetType(result)));
        }
    }
}
