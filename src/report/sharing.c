// The axes that a load's address depends on, by a search backward from its pointer to the program ids:
//
//     %head = tk.program_id {axis = 1}
//     scf.for … { … tk.load(%k + %head * %stride + %columns) }        depends on axis 1: programs along axis 0 load the same
//
// A loop's counter depends on no id: programs with other bounds walk other parts of one range. Masks do not count either. So programs load
// the same addresses at most, which is what the page says. Results of atomics, and of a search too long, depend on every axis.
//
// test: tests/cli/check_report.py
#include "report/sharing.h"

#include "dialects/tk/tk.h"

enum { ALL_AXES = SHARING_SETS - 1, SEARCH_VALUES = 1024 };

struct search {
    struct ir *ir;
    MlirValue values[SEARCH_VALUES]; // found so far; from `next` on, still to be looked at
    size_t count, next;
    unsigned axes;
};

static void add_value(struct search *s, MlirValue value) {
    for (size_t i = 0; i < s->count; i++) {
        if (mlirValueEqual(s->values[i], value)) {
            return;
        }
    }
    if (s->count == SEARCH_VALUES) {
        s->axes = ALL_AXES;
        return;
    }
    s->values[s->count++] = value;
}

static void add_operands(struct search *s, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        add_value(s, mlirOperationGetOperand(op, i));
    }
}

// The operands of the last op of each block in the op's regions: what a loop or an `if` yields.
static void add_yields(struct search *s, MlirOperation op) {
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
        for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
            add_operands(s, mlirBlockGetTerminator(block));
        }
    }
}

// A value carried by a loop: the result, or the argument, with this number.
static void add_carried(struct search *s, MlirOperation loop, intptr_t number) {
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
    add_value(s, for_init(loop, number));
    add_value(s, mlirOperationGetOperand(mlirBlockGetTerminator(body), number));
}

static void look_at_argument(struct search *s, MlirValue value) {
    MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    enum op_kind kind = op_kind(s->ir, parent);
    if (kind == OP_FOR && number > 0) {
        add_carried(s, parent, number - 1);
    } else if (kind == OP_WHILE) {
        add_operands(s, parent);
        add_yields(s, parent);
    }
}

static void look_at_result(struct search *s, MlirValue value) {
    MlirOperation op = mlirOpResultGetOwner(value);
    switch (op_kind(s->ir, op)) {
    case OP_PROGRAM_ID:
        s->axes |= 1U << op_int(op, ATTR_AXIS);
        break;
    case OP_ATOMIC_RMW:
    case OP_ATOMIC_CAS:
        s->axes = ALL_AXES;
        break;
    case OP_FOR:
        add_carried(s, op, mlirOpResultGetResultNumber(value));
        break;
    case OP_IF:
    case OP_WHILE:
        add_operands(s, op);
        add_yields(s, op);
        break;
    default:
        add_operands(s, op);
    }
}

static unsigned axes_of(struct ir *ir, MlirValue pointer) {
    struct search s = {.ir = ir};
    add_value(&s, pointer);
    while (s.next < s.count && s.axes != ALL_AXES) {
        MlirValue value = s.values[s.next++];
        if (mlirValueIsABlockArgument(value)) {
            look_at_argument(&s, value);
        } else {
            look_at_result(&s, value);
        }
    }
    return s.axes & ALL_AXES;
}

static bool is_in_loop(struct ir *ir, MlirOperation op, MlirOperation function) {
    for (MlirOperation at = mlirOperationGetParentOperation(op); !mlirOperationEqual(at, function);
         at = mlirOperationGetParentOperation(at)) {
        if (op_kind(ir, at) == OP_FOR || op_kind(ir, at) == OP_WHILE) {
            return true;
        }
    }
    return false;
}

struct sharing sharing_survey(struct ir *ir, MlirOperation function) {
    struct sharing inside = {0}, outside = {0};
    struct arena *arena = arena_create();
    bool looped = false, varies = false;
    MlirLocation varying = {0};
    size_t count = 0;
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(ir, ops[i]) == OP_FOR && !varies && axes_of(ir, for_upper(ops[i]))) {
            varies = true;
            varying = mlirOperationGetLocation(ops[i]);
        }
        if (op_kind(ir, ops[i]) == OP_LOAD) {
            MlirValue pointer = load_pointer(ops[i]);
            MlirType type = mlirValueGetType(pointer), element = tk_ptr_pointee(ir, type_element(type));
            bool loops = is_in_loop(ir, ops[i], function);
            looped |= loops;
            (loops ? &inside : &outside)->bytes[axes_of(ir, pointer)] +=
                (double)type_elements(type) * type_bits(element) / 8;
        }
    }
    arena_destroy(arena);
    struct sharing *found = looped ? &inside : &outside;
    found->varies = varies;
    found->varying = varying;
    return *found;
}
