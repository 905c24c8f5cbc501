// small_floats: small integers become 16-bit floats by bit arithmetic.
//
//   %v = arith.andi %q, 15                         %t = arith.andi (arith.trunci %q), 15 : i16
//   %w = arith.subi %v, 8                          %h = tk.bitcast (arith.ori %t, 0x6400) : f16
//   %f = arith.sitofp %w : f16               →     %f = arith.subf %h, 1032                     0x6400 is 1024
//
// Reason: an instruction from integer to float takes as long as two others on NVIDIA's chips, and
// does one element; AMD's chips convert in two instructions, through f32. The bit arithmetic does two 16-bit elements at once, the mask
// included. Dequantised weights are made so. From 1024 to 2047 neighbouring f16 are 1 apart, so the difference is exact; so are bf16 from 128
// to 255.
//
// A difference of two such integers (weights less a loaded zero point) becomes the difference of two such floats, exact
// too: each part is made for its own tile, before it is spread.
//
// requires: a tile program without layouts
// provides: the same program
// test:     tests/golden/passes/small_floats
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"

// An integer tile: `base + added`, reshaped by the ops. The base lies in [low, high].
struct small {
    MlirValue base;
    int64_t low, high, added;
    MlirOperation shapes[16]; // the last one first
    size_t shape_count;
    bool is_signed; // the base, if its type is narrower than the tile's
};

static unsigned bits_of(MlirValue value) {
    return type_bits(type_element(mlirValueGetType(value)));
}

static bool reshapes(enum op_kind kind) {
    return kind == OP_RESHAPE || kind == OP_TRANS || kind == OP_BROADCAST || kind == OP_EXPAND_DIMS;
}

// Goes from the tile to its base; false if the base has no known range. Sums are taken in the widest type alone, without wrapping,
// and no negative number is extended with zeros.
static bool find_base(struct ir *ir, MlirValue value, struct small *small) {
    enum { MOST = sizeof small->shapes / sizeof *small->shapes, FARTHEST = 4096 };
    bool extended = false, with_zeros = false;
    int64_t constant;
    for (MlirOperation op = value_op(value); !mlirOperationIsNull(op); op = value_op(value)) {
        enum op_kind kind = op_kind(ir, op);
        bool sum = !extended && (kind == OP_ADDI || kind == OP_SUBI) && bits_of(value) > 8 &&
                   value_is_constant_int(ir, binary_right(op), &constant) && constant <= FARTHEST &&
                   constant >= -FARTHEST;
        if (sum) {
            small->added += kind == OP_ADDI ? constant : -constant;
        } else if (reshapes(kind) && small->shape_count < MOST) {
            small->shapes[small->shape_count++] = op;
        } else if (kind == OP_EXTUI || (kind == OP_EXTSI && !with_zeros)) {
            small->is_signed = kind == OP_EXTSI;
            with_zeros |= kind == OP_EXTUI;
            extended = true;
        } else {
            break;
        }
        value = leading_operand(op);
    }
    MlirOperation op = value_op(value);
    unsigned bits = bits_of(value);
    small->base = value;
    if (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_ANDI && bits > 8 &&
        value_is_constant_int(ir, binary_right(op), &constant) && constant >= 0) {
        small->high = constant;
        return true;
    }
    small->low = small->is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    small->high = small->low + ((int64_t)1 << bits) - 1;
    return bits == 8;
}

// The base, less its least value, as an i16.
static MlirValue in_16_bits(struct builder *b, const struct small *small) {
    MlirValue value = small->base;
    MlirType type = type_with_shape_of(mlirValueGetType(value), type_i16(b->ir));
    if (bits_of(value) == 8) {
        value = VALUE(b, small->is_signed ? OP_EXTSI : OP_EXTUI, OPERANDS(value), RESULTS(type), NO_ATTRS);
        return small->low == 0 ? value : build_binary(b, OP_ADDI, value, const_int(b, type, -small->low));
    }
    MlirValue source = binary_left(value_op(value));
    source = bits_of(source) > 16 ? VALUE(b, OP_TRUNCI, OPERANDS(source), RESULTS(type), NO_ATTRS) : source;
    return build_binary(b, OP_ANDI, source, const_int(b, type, small->high));
}

static MlirValue shaped(struct builder *b, struct arena *arena, const struct small *small, MlirValue value) {
    for (size_t i = small->shape_count; i-- > 0;) {
        MlirOperation op = small->shapes[i];
        MlirType type = type_with_shape_of(mlirValueGetType(mlirOperationGetResult(op, 0)),
                                           type_element(mlirValueGetType(value)));
        value = VALUE(b, op_kind(b->ir, op), OPERANDS(value), RESULTS(type), op_attributes(arena, op));
    }
    return value;
}

// The lowest number with neighbouring floats of the type 1 apart, up to twice as much; 0: none on this chip.
static int64_t whole_from(const struct target *target, MlirType element) {
    bool pairs = mlirTypeIsABF16(element) && target_has(target, FEATURE(SM90));
    return mlirTypeIsAF16(element) ? 1024 : pairs ? 128 : 0;
}

// The base, less its least value and more `from` and `more`, as floats in the tile's shape.
static MlirValue raised(struct builder *b, struct arena *arena, const struct small *small, MlirType element,
                        int64_t more) {
    MlirValue bits = in_16_bits(b, small);
    int64_t first = mlirTypeIsAF16(element) ? 0x6400 : 0x4300; // the float `from`
    bits = build_binary(b, OP_ORI, bits, const_int(b, mlirValueGetType(bits), first));
    MlirType whole = type_with_shape_of(mlirValueGetType(bits), element);
    MlirValue number = VALUE(b, OP_BITCAST, OPERANDS(bits), RESULTS(whole), NO_ATTRS);
    if (more != 0) {
        number = build_binary(b, OP_ADDF, number, const_float(b, whole, (double)more));
    }
    return shaped(b, arena, small, number);
}

// A signed difference of two small integers. False: it is none.
static bool rewrite_difference(struct pass_context *context, MlirOperation op, int64_t from) {
    struct ir *ir = context->ir;
    MlirOperation difference = value_op(unary_source(op));
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType element = type_element(mlirValueGetType(result));
    struct small parts[2] = {{.is_signed = true}, {.is_signed = true}};
    if (mlirOperationIsNull(difference) || op_kind(ir, difference) != OP_SUBI ||
        bits_of(unary_source(op)) <= 16) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (!find_base(ir, mlirOperationGetOperand(difference, i), &parts[i]) ||
            parts[i].high - parts[i].low >= from) {
            return false;
        }
    }
    int64_t apart = parts[0].low + parts[0].added - parts[1].low - parts[1].added;
    if (apart > from || parts[1].high - parts[1].low - apart > from) { // the right part would not be exact
        return false;
    }
    struct builder b = builder_before(ir, op);
    MlirValue left = raised(&b, context->arena, &parts[0], element, 0);
    MlirValue right = raised(&b, context->arena, &parts[1], element, -apart);
    mlirValueReplaceAllUsesOfWith(result, build_binary(&b, OP_SUBF, left, right));
    return true;
}

static void rewrite(struct pass_context *context, MlirOperation op) {
    struct ir *ir = context->ir;
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType element = type_element(mlirValueGetType(result));
    int64_t from = whole_from(context->target, element);
    bool is_signed = op_kind(ir, op) == OP_SITOFP;
    struct small small = {.is_signed = is_signed};
    if (from == 0 || !type_is_tensor(mlirValueGetType(result)) ||
        (is_signed && rewrite_difference(context, op, from)) || !find_base(ir, unary_source(op), &small) ||
        small.high - small.low >= from || small.low + small.added < (is_signed ? -from : 0) ||
        small.low + small.added > from) {
        return;
    }
    struct builder b = builder_before(ir, op);
    MlirValue number = raised(&b, context->arena, &small, element, 0);
    MlirValue less = const_float(&b, mlirValueGetType(number), (double)(from - small.low - small.added));
    mlirValueReplaceAllUsesOfWith(result, build_binary(&b, OP_SUBF, number, less));
}

void pass_small_floats(struct pass_context *context, MlirModule module) {
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_SITOFP || kind == OP_UITOFP) {
            rewrite(context, ops[i]);
        }
    }
}
