// An argument's comparison as text for the host:
//
//     %a = arith.remsi %n, %c16        tkc_eq(tkc_mod(n_, 16), 0)
//     %b = arith.cmpi eq, %a, %c0
//
// test: tests/artifact/check_programs.sh
#include "driver/condition.h"

#include <mlir-c/BuiltinTypes.h>

#include "dialects/tk/tk.h"
#include "ir/build.h"

enum { DEPTH = 8, STEPS = 48 }; // of the operations within each other, and of all

struct reading {
    struct ir *ir;
    struct arena *arena;
    MlirBlock entry;
    const char *const *names;
    size_t count;
    bool ids; // of programs
    unsigned steps;
};

static const char *read_value(struct reading *r, MlirValue value, int depth);

static bool is_bit(MlirValue value) {
    MlirType type = mlirValueGetType(value);
    return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

// The grid's function of an op with two operands; NULL: none.
static const char *binary_name(enum op_kind kind, bool bits) {
    switch (kind) {
    case OP_ADDI:
        return bits ? NULL : "add";
    case OP_SUBI:
        return bits ? NULL : "sub";
    case OP_MULI:
        return bits ? "and" : "mul";
    case OP_DIVSI:
    case OP_DIVUI:
        return bits ? NULL : "floordiv";
    case OP_REMSI:
    case OP_REMUI:
        return bits ? NULL : "mod";
    case OP_ANDI:
        return bits ? "and" : "bit_and";
    case OP_ORI:
        return bits ? "or" : "bit_or";
    case OP_XORI:
        return bits ? "ne" : "bit_xor";
    case OP_SHLI:
        return bits ? NULL : "shl";
    case OP_SHRSI:
    case OP_SHRUI:
        return bits ? NULL : "shr";
    case OP_MINSI:
    case OP_MINUI:
        return bits ? NULL : "min";
    case OP_MAXSI:
    case OP_MAXUI:
        return bits ? NULL : "max";
    default:
        return NULL;
    }
}

// True if the op takes its operands as unsigned numbers.
static bool is_unsigned(enum op_kind kind, MlirOperation op) {
    bool compares = kind == OP_CMPI && op_int(op, ATTR_PREDICATE) >= INT_ULT;
    return compares || kind == OP_DIVUI || kind == OP_REMUI || kind == OP_SHRUI || kind == OP_MINUI ||
           kind == OP_MAXUI;
}

// An operand. A constant of an unsigned op has no sign; NULL: it takes more than 63 bits.
static const char *read_operand(struct reading *r, MlirOperation op, MlirValue value, int depth) {
    int64_t number;
    if (!is_unsigned(op_kind(r->ir, op), op) || !value_is_constant_int(r->ir, value, &number) ||
        number >= 0) {
        return read_value(r, value, depth);
    }
    unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(value));
    return width < 64 ? arena_printf(r->arena, "%lldLL", (long long)number + (1LL << width)) : NULL;
}

static const char *call(struct reading *r, const char *name, const char *left, const char *right) {
    return name && left && right ? arena_printf(r->arena, "tkc_%s(%s, %s)", name, left, right) : NULL;
}

static const char *read_comparison(struct reading *r, MlirOperation op, int depth) {
    static const struct {
        const char *name;
        bool swapped;
    } calls[] = {[INT_EQ] = {"eq", false},  [INT_NE] = {"ne", false},  [INT_SLT] = {"lt", false},
                 [INT_SLE] = {"le", false}, [INT_SGT] = {"lt", true},  [INT_SGE] = {"le", true},
                 [INT_ULT] = {"lt", false}, [INT_ULE] = {"le", false}, [INT_UGT] = {"lt", true},
                 [INT_UGE] = {"le", true}};
    int64_t predicate = op_int(op, ATTR_PREDICATE);
    const char *left = read_operand(r, op, binary_left(op), depth),
               *right = read_operand(r, op, binary_right(op), depth);
    return calls[predicate].swapped ? call(r, calls[predicate].name, right, left)
                                    : call(r, calls[predicate].name, left, right);
}

// A number of fewer than 64 bits with its sign bit turned, by which unsigned numbers get the order of signed ones; NULL: it is none.
static const char *read_turned_sign(struct reading *r, MlirOperation op, int depth) {
    int64_t number;
    unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (width >= 64 || !value_is_constant_int(r->ir, binary_right(op), &number) ||
        number != -(1LL << (width - 1))) {
        return NULL;
    }
    const char *left = read_value(r, binary_left(op), depth);
    return left ? arena_printf(r->arena, "tkc_sub(%s, %lldLL)", left, 1LL << (width - 1)) : NULL;
}

static const char *read_choice(struct reading *r, MlirOperation op, int depth) {
    const char *texts[3];
    for (int i = 0; i < 3; i++) {
        texts[i] = read_value(r, mlirOperationGetOperand(op, i), depth);
        if (!texts[i]) {
            return NULL;
        }
    }
    return arena_printf(r->arena, "tkc_choose(%s, %s, %s)", texts[0], texts[1], texts[2]);
}

static const char *read_op(struct reading *r, MlirOperation op, int depth) {
    MlirValue result = mlirOperationGetResult(op, 0);
    enum op_kind kind = op_kind(r->ir, op);
    if (kind == OP_PROGRAM_ID && r->ids) {
        return arena_printf(r->arena, "tkc_id_%d", (int)op_int(op, ATTR_AXIS));
    }
    if (kind == OP_CMPI) {
        return read_comparison(r, op, depth);
    }
    if (kind == OP_SELECT) {
        return read_choice(r, op, depth);
    }
    if (kind == OP_EXTUI || kind == OP_EXTSI) {
        MlirValue narrow = leading_operand(op);
        return kind == OP_EXTSI && is_bit(narrow) ? NULL : read_value(r, narrow, depth);
    }
    const char *turned = kind == OP_XORI && !is_bit(result) ? read_turned_sign(r, op, depth) : NULL;
    if (turned) {
        return turned;
    }
    const char *name = binary_name(kind, is_bit(result));
    return name ? call(r, name, read_operand(r, op, binary_left(op), depth),
                       read_operand(r, op, binary_right(op), depth))
                : NULL;
}

static const char *read_value(struct reading *r, MlirValue value, int depth) {
    int64_t number;
    if (!mlirTypeIsAInteger(mlirValueGetType(value)) || depth == 0 || r->steps++ == STEPS) {
        return NULL;
    }
    if (mlirValueIsABlockArgument(value)) {
        size_t argument = (size_t)mlirBlockArgumentGetArgNumber(value);
        bool named = mlirBlockEqual(mlirBlockArgumentGetOwner(value), r->entry) && argument < r->count;
        return named ? r->names[argument] : NULL;
    }
    if (value_is_constant_int(r->ir, value, &number)) {
        number = is_bit(value) ? number & 1 : number;
        bool wide = number > INT32_MAX || number < INT32_MIN;
        return number == INT64_MIN ? NULL
                                   : arena_printf(r->arena, wide ? "%lldLL" : "%lld", (long long)number);
    }
    return read_op(r, mlirOpResultGetOwner(value), depth - 1);
}

const char *condition_text(struct ir *ir, struct arena *arena, MlirBlock entry, const char *const *names,
                           size_t count, MlirValue value) {
    struct reading r = {ir, arena, entry, names, count, false, 0};
    return read_value(&r, value, DEPTH);
}

const char *condition_program_text(struct ir *ir, struct arena *arena, MlirBlock entry,
                                   const char *const *names, size_t count, MlirValue value) {
    struct reading r = {ir, arena, entry, names, count, true, 0};
    return read_value(&r, value, DEPTH);
}

const char *condition_not(struct arena *arena, const char *text) {
    return text ? arena_printf(arena, "tkc_not(%s)", text) : NULL;
}

const char *condition_and(struct arena *arena, const char *a, const char *b) {
    return !a ? b : !b ? a : arena_printf(arena, "tkc_and(%s, %s)", a, b);
}
