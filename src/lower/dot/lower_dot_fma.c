// tk.dot without matrix instructions: each thread computes its elements of the result by multiply-adds.
//
// The layouts pass gives each thread the rows of a and the columns of b for its elements of the result.
// Products are summed in the order of k, in the accumulator's type. tk.dot has its operands in registers and writes
// all products out; tk.shared_dot reads a part of its operands' k from shared memory in each turn of a loop.
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

struct fma_operand {
    const struct layout *layout;
    LLVMValueRef *elements; // by register
    int32_t *registers;
    MlirType element;
    LLVMValueRef *made; // widened, or packed: by register
};

static struct fma_operand operand_in(struct lowering *l, const struct layout *layout, LLVMValueRef *elements,
                                     MlirType element) {
    return (struct fma_operand){layout, elements, register_table(l, layout), element,
                                ARENA_ARRAY(l->arena, LLVMValueRef, layout_registers(layout))};
}

static struct fma_operand operand_of(struct lowering *l, MlirOperation op, intptr_t index) {
    MlirValue value = mlirOperationGetOperand(op, index);
    return operand_in(l, lower_layout(l, value), lower_values(l, value)->at, lower_element(value));
}

// Flat index of an operand's element: leading coordinates of the result's element, then row and column.
static uint32_t operand_flat(const struct fma_operand *operand, const uint32_t *result_at, uint32_t row,
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
static void check_threads(struct lowering *l, const struct layout *result, const struct fma_operand *operand,
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

static LLVMValueRef operand_register(struct lowering *l, const struct fma_operand *operand, uint32_t flat,
                                     MlirType to) {
    int32_t r = operand->registers[flat];
    if (r == NO_REGISTER) {
        bug("dot: a thread lacks an operand's element that its result needs");
    }
    if (!operand->made[r]) {
        operand->made[r] = widen(l, operand->elements[r], operand->element, to);
    }
    return operand->made[r];
}

// The number of products added to a sum by one instruction of the chip.
static unsigned products_at_once(struct lowering *l, const struct fma_operand *a, const struct fma_operand *b,
                                 MlirType sum, unsigned depth) {
    bool halves = mlirTypeIsAF16(a->element) && mlirTypeIsAF16(b->element) && mlirTypeIsAF32(sum);
    bool bytes = type_bits(a->element) == 8 && type_bits(b->element) == 8 && mlirTypeIsAInteger(a->element) &&
                 mlirTypeIsAInteger(b->element) && mlirTypeIsAInteger(sum) && type_bits(sum) == 32;
    unsigned count = halves ? 2 : bytes ? 4 : 1;
    return target_has(l->target, FEATURE(DOT_GFX1030)) && depth % count == 0 ? count : 1;
}

// An operand's neighbours along k in one register of 32 bits.
static LLVMValueRef operand_group(struct lowering *l, const struct fma_operand *operand,
                                  const uint32_t *flats, unsigned count) {
    int32_t first = operand->registers[flats[0]];
    if (first != NO_REGISTER && operand->made[first]) {
        return operand->made[first];
    }
    LLVMValueRef group = NULL;
    for (unsigned i = 0; i < count; i++) {
        int32_t r = operand->registers[flats[i]];
        if (r == NO_REGISTER) {
            bug("dot: a thread lacks an operand's element that its result needs");
        }
        LLVMValueRef element = operand->elements[r];
        group = group ? group : LLVMGetUndef(LLVMVectorType(LLVMTypeOf(element), count));
        group = LLVMBuildInsertElement(l->b, group, element, lower_i32(l, i), "");
    }
    return operand->made[first] = count == 4 ? LLVMBuildBitCast(l->b, group, l->i32, "") : group;
}

static LLVMValueRef add_products(struct lowering *l, const struct fma_operand *a, const struct fma_operand *b,
                                 const uint32_t *at, unsigned k, unsigned count, LLVMValueRef sum) {
    unsigned rank = a->layout->rank;
    uint32_t left[4], right[4];
    for (unsigned i = 0; i < count; i++) {
        left[i] = operand_flat(a, at, at[rank - 2], k + i);
        right[i] = operand_flat(b, at, k + i, at[rank - 1]);
    }
    LLVMValueRef x = operand_group(l, a, left, count), y = operand_group(l, b, right, count);
    return INTRINSIC(l, count == 2 ? "llvm.amdgcn.fdot2" : "llvm.amdgcn.sdot4", x, y, sum,
                     LLVMConstInt(l->i1, 0, 0));
}

// The sums of a dot: its result's layout, and the type in which it adds.
struct sums {
    const struct layout *layout;
    MlirType type;
    unsigned count;
    LLVMValueRef *at;
};

// Adds the products of the first `depth` elements along k.
// k outermost: independent sums between dependent ones, and operands live briefly.
static void add_depth(struct lowering *l, const struct fma_operand *a, const struct fma_operand *b,
                      unsigned depth, struct sums *sums) {
    unsigned rank = sums->layout->rank, step = products_at_once(l, a, b, sums->type, depth);
    LLVMTypeRef type = lower_type(l, sums->type);
    for (unsigned k = 0; k < depth; k += step) {
        for (unsigned r = 0; r < sums->count; r++) {
            uint32_t at[LAYOUT_MAX_RANK] = {0};
            layout_split_coordinates(sums->layout, layout_column(sums->layout, LAYOUT_REGISTER, r), at);
            if (step > 1) {
                sums->at[r] = add_products(l, a, b, at, k, step, sums->at[r]);
                continue;
            }
            uint32_t row = at[rank - 2], column = at[rank - 1];
            LLVMValueRef x = operand_register(l, a, operand_flat(a, at, row, k), sums->type);
            LLVMValueRef y = operand_register(l, b, operand_flat(b, at, k, column), sums->type);
            sums->at[r] = mlirTypeIsAFloat(sums->type)
                              ? INTRINSIC_OF(l, "llvm.fma", type, x, y, sums->at[r])
                              : LLVMBuildAdd(l->b, LLVMBuildMul(l->b, x, y, ""), sums->at[r], "");
        }
    }
}

// The sums in `c`'s place: bf16 is added up in f32.
static struct sums sums_from(struct lowering *l, MlirOperation op, MlirValue c) {
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType element = lower_element(result);
    bool narrow = mlirTypeIsABF16(element);
    struct values *from = lower_values(l, c);
    struct sums sums = {lower_layout(l, result), narrow ? mlirF32TypeGet(l->ir->context) : element,
                        layout_registers(lower_layout(l, result)), lower_result(l, op, 0)->at};
    for (unsigned r = 0; r < sums.count; r++) {
        sums.at[r] = narrow ? widen(l, from->at[r], element, sums.type) : from->at[r];
    }
    return sums;
}

static void sums_round(struct lowering *l, MlirOperation op, const struct sums *sums) {
    MlirType element = lower_element(mlirOperationGetResult(op, 0));
    for (unsigned r = 0; mlirTypeIsABF16(element) && r < sums->count; r++) {
        sums->at[r] = lower_float_to_float(l, sums->at[r], sums->type, element, false);
    }
}

void lower_dot_fma(struct lowering *l, MlirOperation op) {
    struct fma_operand a = operand_of(l, op, at_dot_a), b = operand_of(l, op, at_dot_b);
    unsigned depth = (unsigned)layout_extent(a.layout, a.layout->rank - 1);
    struct sums sums = sums_from(l, op, dot_c(op));
    if (!lower_take(l, (size_t)depth * sums.count)) {
        return;
    }
    check_threads(l, sums.layout, &a, true);
    check_threads(l, sums.layout, &b, false);
    add_depth(l, &a, &b, depth, &sums);
    sums_round(l, op, &sums);
}

// ---- a loop over k ----

// The layouts of an operand in shared memory: `part` has the result's rows (of a) or columns (of b), and the first
// `depth` elements along k in its lowest registers; `moves` has the higher bits of k.
struct parts {
    struct layout part, moves;
};

static struct parts parts_of(const struct layout *result, const struct layout *shared, bool is_a,
                             unsigned depth) {
    unsigned rank = result->rank, k_dim = is_a ? rank - 1 : rank - 2;
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned dim = 0; dim < rank; dim++) {
        shape[dim] = layout_extent(shared, dim);
    }
    struct parts parts = {layout_empty(rank, shape), layout_empty(rank, shape)};
    unsigned shift = layout_dim_shift(shared, k_dim);
    for (unsigned k = 1; k < layout_extent(shared, k_dim); k *= 2) {
        layout_push(k < depth ? &parts.part : &parts.moves, LAYOUT_REGISTER, (uint32_t)k << shift);
    }
    for (enum layout_input input = LAYOUT_REGISTER; input <= LAYOUT_WARP; input++) {
        for (unsigned bit = 0; bit < result->bits[input]; bit++) {
            uint32_t at[LAYOUT_MAX_RANK] = {0};
            layout_split_coordinates(result, result->basis[input][bit], at);
            at[k_dim] = 0;
            uint32_t flat = layout_join_coordinates(shared, at);
            if (flat || input != LAYOUT_REGISTER) {
                layout_push(&parts.part, input, flat);
            }
        }
    }
    return parts;
}

// The part of k of one turn of the loop: the loop's code stays short enough for LLVM's scheduler and register
// allocator, and long enough to hide its reads of shared memory and its branch.
static unsigned turn_depth(unsigned depth, unsigned sums) {
    enum { PRODUCTS = 512, LEAST = 4 };
    unsigned turn = LEAST;
    while (turn < depth && 2 * turn * sums <= PRODUCTS) {
        turn *= 2;
    }
    return turn < depth ? turn : depth;
}

// f8 is widened to f16, exactly.
static struct fma_operand read_part(struct lowering *l, MlirValue slot, const struct parts *parts,
                                    LLVMValueRef turn) {
    uint32_t count = layout_registers(&parts->part);
    LLVMValueRef *elements = ARENA_ARRAY(l->arena, LLVMValueRef, count);
    MlirType element = lower_element(slot), half = mlirF16TypeGet(l->ir->context);
    lower_tile_read_part(l, lower_scalar(l, slot), lower_layout(l, slot), &parts->part, &parts->moves, turn,
                         lower_type(l, element), elements);
    if (!type_is_f8(element)) {
        return operand_in(l, &parts->part, elements, element);
    }
    for (uint32_t r = 0; r < count; r++) {
        elements[r] = lower_float_to_float(l, elements[r], element, half, false);
    }
    return operand_in(l, &parts->part, elements, half);
}

void lower_shared_dot(struct lowering *l, MlirOperation op) {
    MlirValue a = shared_dot_a(op), b = shared_dot_b(op);
    struct sums sums = sums_from(l, op, shared_dot_c(op));
    const struct layout *left = lower_layout(l, a);
    unsigned depth = (unsigned)layout_extent(left, left->rank - 1), turn = turn_depth(depth, sums.count);
    if (!lower_take(l, (size_t)turn * sums.count)) {
        return;
    }
    struct parts parts_a = parts_of(sums.layout, left, true, turn);
    struct parts parts_b = parts_of(sums.layout, lower_layout(l, b), false, turn);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(l->b);
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(l->context, l->function, "");
    LLVMValueRef *carried = ARENA_ARRAY(l->arena, LLVMValueRef, sums.count), zero = lower_i32(l, 0);
    LLVMBuildBr(l->b, loop);
    LLVMPositionBuilderAtEnd(l->b, loop);
    LLVMValueRef index = LLVMBuildPhi(l->b, l->i32, "");
    LLVMAddIncoming(index, &zero, &before, 1);
    for (unsigned r = 0; r < sums.count; r++) {
        carried[r] = LLVMBuildPhi(l->b, lower_type(l, sums.type), "");
        LLVMAddIncoming(carried[r], &sums.at[r], &before, 1);
        sums.at[r] = carried[r];
    }
    struct fma_operand x = read_part(l, a, &parts_a, index), y = read_part(l, b, &parts_b, index);
    add_depth(l, &x, &y, turn, &sums);
    LLVMValueRef next = LLVMBuildNSWAdd(l->b, index, lower_i32(l, 1), "");
    LLVMValueRef again = LLVMBuildICmp(l->b, LLVMIntULT, next, lower_i32(l, depth / turn), "");
    LLVMBuildCondBr(l->b, again, loop, after);
    LLVMAddIncoming(index, &next, &loop, 1);
    for (unsigned r = 0; r < sums.count; r++) {
        LLVMAddIncoming(carried[r], &sums.at[r], &loop, 1);
    }
    LLVMPositionBuilderAtEnd(l->b, after);
    sums_round(l, op, &sums);
}
