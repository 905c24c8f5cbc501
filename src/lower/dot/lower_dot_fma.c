// tk.dot without matrix instructions: each thread computes its elements of the result by multiply-adds.
//
// The layouts pass gives each thread the rows of a and the columns of b for its elements of the result.
// Products are summed in the order of k, in the accumulator's type.
//
// RDNA 2 adds two products of halves, or four of bytes, to a sum in one instruction. LLVM documents
// v_dot2_f32_f16 as flushing subnormal sums and results in every mode. Its rounding is not documented: once,
// here and in the emulator.
#include "lower/lower_internal.h"

enum { NO_REGISTER = -1 };

// register[flat] for the thread with lane 0 and warp 0; the other threads' elements differ by a constant.
static int32_t *register_table(struct lowering *l, const struct layout *layout) {
    size_t size = (size_t)1 << layout_size_log2(layout);
    int32_t *table = ARENA_ARRAY(l->arena, int32_t, size);
    for (size_t i = 0; i < size; i++) {
        table[i] = NO_REGISTER;
    }
    for (uint32_t r = layout_registers(layout); r-- > 0;) {
        table[layout_column(layout, LAYOUT_REGISTER, r)] = (int32_t)r;
    }
    return table;
}

struct operand {
    const struct layout *layout;
    struct values *values;
    int32_t *registers;
    MlirType element;
};

static struct operand operand_of(struct lowering *l, MlirOperation op, intptr_t index) {
    MlirValue value = mlirOperationGetOperand(op, index);
    const struct layout *layout = lower_layout(l, value);
    return (struct operand){layout, lower_values(l, value), register_table(l, layout), lower_element(value)};
}

// Flat index of an operand's element: leading coordinates of the result's element, then row and column.
static uint32_t operand_flat(const struct operand *operand, const uint32_t *result_at, uint32_t row,
                             uint32_t column) {
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    unsigned rank = operand->layout->rank;
    for (unsigned dim = 0; dim + 2 < rank; dim++) {
        at[dim] = result_at[dim];
    }
    at[rank - 2] = row;
    at[rank - 1] = column;
    return layout_join_coordinates(operand->layout, at);
}

// Rows of a follow the result's rows across threads, columns of b its columns.
static void check_threads(struct lowering *l, const struct layout *result, const struct operand *operand,
                          bool is_a) {
    for (unsigned i = 0; i < l->lane_bits + l->warp_bits; i++) {
        enum layout_input input = i < l->lane_bits ? LAYOUT_LANE : LAYOUT_WARP;
        unsigned bit = i < l->lane_bits ? i : i - l->lane_bits;
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(result, result->basis[input][bit], at);
        uint32_t row = is_a ? at[result->rank - 2] : 0, column = is_a ? 0 : at[result->rank - 1];
        if (operand_flat(operand, at, row, column) != operand->layout->basis[input][bit]) {
            bug("dot: an operand's layout does not follow the result's across threads");
        }
    }
}

static LLVMValueRef widen(struct lowering *l, LLVMValueRef value, MlirType from, MlirType to) {
    if (mlirTypeIsAFloat(to)) {
        return lower_float_to_float(l, value, from, to, false);
    }
    return LLVMBuildSExt(l->b, value, lower_type(l, to), "");
}

static LLVMValueRef operand_register(struct lowering *l, const struct operand *operand, uint32_t flat,
                                     MlirType to, LLVMValueRef *widened) {
    int32_t r = operand->registers[flat];
    if (r == NO_REGISTER) {
        bug("dot: a thread lacks an operand's element that its result needs");
    }
    if (!widened[r]) {
        widened[r] = widen(l, operand->values->at[r], operand->element, to);
    }
    return widened[r];
}

// The number of products added to a sum by one instruction of the chip.
static unsigned products_at_once(struct lowering *l, const struct operand *a, const struct operand *b,
                                 MlirType sum, unsigned depth) {
    bool halves = mlirTypeIsAF16(a->element) && mlirTypeIsAF16(b->element) && mlirTypeIsAF32(sum);
    bool bytes = type_bits(a->element) == 8 && type_bits(b->element) == 8 && mlirTypeIsAInteger(a->element) &&
                 mlirTypeIsAInteger(b->element) && mlirTypeIsAInteger(sum) && type_bits(sum) == 32;
    unsigned count = halves ? 2 : bytes ? 4 : 1;
    return target_has(l->target, FEATURE_DOT_GFX1030) && depth % count == 0 ? count : 1;
}

// An operand's neighbours along k in one register of 32 bits; `packed` keeps it for other results.
static LLVMValueRef operand_group(struct lowering *l, const struct operand *operand, const uint32_t *flats,
                                  unsigned count, LLVMValueRef *packed) {
    int32_t first = operand->registers[flats[0]];
    if (first != NO_REGISTER && packed[first]) {
        return packed[first];
    }
    LLVMValueRef group = NULL;
    for (unsigned i = 0; i < count; i++) {
        int32_t r = operand->registers[flats[i]];
        if (r == NO_REGISTER) {
            bug("dot: a thread lacks an operand's element that its result needs");
        }
        LLVMValueRef element = operand->values->at[r];
        group = group ? group : LLVMGetUndef(LLVMVectorType(LLVMTypeOf(element), count));
        group = LLVMBuildInsertElement(l->b, group, element, lower_i32(l, i), "");
    }
    return packed[first] = count == 4 ? LLVMBuildBitCast(l->b, group, l->i32, "") : group;
}

static LLVMValueRef add_products(struct lowering *l, const struct operand *a, const struct operand *b,
                                 const uint32_t *at, unsigned k, unsigned count, LLVMValueRef *packed_a,
                                 LLVMValueRef *packed_b, LLVMValueRef sum) {
    unsigned rank = a->layout->rank;
    uint32_t left[4], right[4];
    for (unsigned i = 0; i < count; i++) {
        left[i] = operand_flat(a, at, at[rank - 2], k + i);
        right[i] = operand_flat(b, at, k + i, at[rank - 1]);
    }
    LLVMValueRef x = operand_group(l, a, left, count, packed_a),
                 y = operand_group(l, b, right, count, packed_b);
    return INTRINSIC(l, count == 2 ? "llvm.amdgcn.fdot2" : "llvm.amdgcn.sdot4", x, y, sum,
                     LLVMConstInt(l->i1, 0, 0));
}

void lower_dot_fma(struct lowering *l, MlirOperation op) {
    struct operand a = operand_of(l, op, at_dot_a), b = operand_of(l, op, at_dot_b);
    const struct layout *layout = lower_layout(l, mlirOperationGetResult(op, 0));
    struct values *c = lower_values(l, dot_c(op)), *out = lower_result(l, op, 0);
    MlirType to = lower_element(mlirOperationGetResult(op, 0));
    bool narrow = mlirTypeIsABF16(to); // sums are kept in f32
    MlirType sum_type = narrow ? mlirF32TypeGet(l->ir->context) : to;
    unsigned depth = (unsigned)layout_extent(a.layout, a.layout->rank - 1);
    if (!lower_take(l, (size_t)depth * out->count)) {
        return;
    }
    check_threads(l, layout, &a, true);
    check_threads(l, layout, &b, false);
    LLVMValueRef *wide_a = ARENA_ARRAY(l->arena, LLVMValueRef, a.values->count);
    LLVMValueRef *wide_b = ARENA_ARRAY(l->arena, LLVMValueRef, b.values->count);
    LLVMTypeRef type = lower_type(l, sum_type);
    for (unsigned r = 0; r < out->count; r++) {
        out->at[r] = narrow ? widen(l, c->at[r], to, sum_type) : c->at[r];
    }
    unsigned step = products_at_once(l, &a, &b, sum_type, depth);
    // k outermost: independent sums between dependent ones, and operands live briefly.
    for (unsigned k = 0; k < depth; k += step) {
        for (unsigned r = 0; r < out->count; r++) {
            uint32_t at[LAYOUT_MAX_RANK] = {0};
            layout_split_coordinates(layout, layout_column(layout, LAYOUT_REGISTER, r), at);
            if (step > 1) {
                out->at[r] = add_products(l, &a, &b, at, k, step, wide_a, wide_b, out->at[r]);
                continue;
            }
            uint32_t row = at[layout->rank - 2], column = at[layout->rank - 1];
            LLVMValueRef x = operand_register(l, &a, operand_flat(&a, at, row, k), sum_type, wide_a);
            LLVMValueRef y = operand_register(l, &b, operand_flat(&b, at, k, column), sum_type, wide_b);
            out->at[r] = mlirTypeIsAFloat(sum_type)
                             ? INTRINSIC_OF(l, "llvm.fma", type, x, y, out->at[r])
                             : LLVMBuildAdd(l->b, LLVMBuildMul(l->b, x, y, ""), out->at[r], "");
        }
    }
    for (unsigned r = 0; narrow && r < out->count; r++) {
        out->at[r] = lower_float_to_float(l, out->at[r], sum_type, to, false);
    }
}
