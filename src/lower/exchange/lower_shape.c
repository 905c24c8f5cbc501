// Making and shaping tiles. All ops but range only rename registers: result register r is the operand's
// register with the element given by the op's index map. The operand's layout has this element in the same
// thread.
//
// Index maps are linear over GF(2) too, so the renaming is solved bit by bit: for each register basis of the
// result, the operand register with the mapped element.
#include "lower/lower_internal.h"

void lower_program_id(struct lowering *l, MlirOperation op) {
    unsigned axis = (unsigned)op_int(op, ATTR_AXIS);
    lower_result(l, op, 0)->at[0] = lower_vendor(l)->program_id(l, axis);
}

void lower_num_programs(struct lowering *l, MlirOperation op) {
    unsigned axis = (unsigned)op_int(op, ATTR_AXIS);
    lower_result(l, op, 0)->at[0] = lower_vendor(l)->num_programs(l, axis);
}

void lower_range(struct lowering *l, MlirOperation op) {
    const struct layout *layout = lower_layout(l, mlirOperationGetResult(op, 0));
    struct values *out = lower_result(l, op, 0);
    uint32_t start = (uint32_t)op_int(op, ATTR_START), span;
    LLVMValueRef base = lower_layout_base(l, layout, 1, &span);
    for (unsigned r = 0; r < out->count; r++) {
        LLVMValueRef index = lower_xor_constant(l, base, span, layout_column(layout, LAYOUT_REGISTER, r));
        out->at[r] = start ? LLVMBuildAdd(l->b, index, lower_i32(l, start), "") : index;
    }
}

void lower_splat(struct lowering *l, MlirOperation op) {
    LLVMValueRef scalar = lower_scalar(l, unary_source(op));
    struct values *out = lower_result(l, op, 0);
    for (unsigned r = 0; r < out->count; r++) {
        out->at[r] = scalar;
    }
}

void lower_unwritten(struct lowering *l, MlirOperation op) {
    struct values *out = lower_result(l, op, 0);
    LLVMTypeRef element = lower_type(l, lower_element(mlirOperationGetResult(op, 0)));
    for (unsigned r = 0; r < out->count; r++) {
        out->at[r] = LLVMGetPoison(element);
    }
}

// The operand's flat index for a result's flat index.
typedef uint32_t index_map(const struct layout *result, const struct layout *operand, uint32_t flat,
                           const void *data);

static uint32_t map_same(const struct layout *result, const struct layout *operand, uint32_t flat,
                         const void *data) {
    (void)result, (void)operand, (void)data;
    return flat;
}

static uint32_t map_broadcast(const struct layout *result, const struct layout *operand, uint32_t flat,
                              const void *data) {
    (void)data;
    uint32_t at[LAYOUT_MAX_RANK] = {0};
    layout_split_coordinates(result, flat, at);
    for (unsigned dim = 0; dim < operand->rank; dim++) {
        at[dim] = operand->log2_shape[dim] ? at[dim] : 0;
    }
    return layout_join_coordinates(operand, at);
}

static uint32_t map_trans(const struct layout *result, const struct layout *operand, uint32_t flat,
                          const void *data) {
    const int32_t *order = data;
    uint32_t at[LAYOUT_MAX_RANK] = {0}, from[LAYOUT_MAX_RANK] = {0};
    layout_split_coordinates(result, flat, at);
    for (unsigned dim = 0; dim < operand->rank; dim++) {
        from[order[dim]] = at[dim];
    }
    return layout_join_coordinates(operand, from);
}

// The register of `operand` with `flat` in the thread with lane 0 and warp 0; -1 if there is none.
static int64_t register_of(const struct layout *operand, uint32_t flat) {
    for (uint32_t r = 0; r < layout_registers(operand); r++) {
        if (layout_column(operand, LAYOUT_REGISTER, r) == flat) {
            return r;
        }
    }
    return -1;
}

// source[bit] for each register bit of the result. False when the operand has an element in another thread.
static bool rename_registers(const struct layout *result, const struct layout *operand, index_map *map,
                             const void *data, uint32_t source[LAYOUT_MAX_BITS]) {
    for (int input = LAYOUT_LANE; input <= LAYOUT_WARP; input++) {
        unsigned bits =
            result->bits[input] > operand->bits[input] ? result->bits[input] : operand->bits[input];
        for (unsigned i = 0; i < bits; i++) {
            if (map(result, operand, result->basis[input][i], data) != operand->basis[input][i]) {
                return false;
            }
        }
    }
    for (unsigned i = 0; i < result->bits[LAYOUT_REGISTER]; i++) {
        int64_t found = register_of(operand, map(result, operand, result->basis[LAYOUT_REGISTER][i], data));
        if (found < 0) {
            return false;
        }
        source[i] = (uint32_t)found;
    }
    return true;
}

static void lower_renamed(struct lowering *l, MlirOperation op, index_map *map, const void *data) {
    const struct layout *result = lower_layout(l, mlirOperationGetResult(op, 0));
    const struct layout *operand = lower_layout(l, unary_source(op));
    struct values *from = lower_values(l, unary_source(op)), *out = lower_result(l, op, 0);
    uint32_t source[LAYOUT_MAX_BITS];
    if (!operand) { // a scalar becomes a tile of one element
        for (unsigned r = 0; r < out->count; r++) {
            out->at[r] = from->at[0];
        }
        return;
    }
    if (!rename_registers(result, operand, map, data, source)) {
        bug("%s: the operand's layout does not hold the result's elements in the same threads",
            op_table[op_kind(l->ir, op)].name);
    }
    for (unsigned r = 0; r < out->count; r++) {
        out->at[r] = from->at[layout_linear(source, r)];
    }
}

void lower_broadcast(struct lowering *l, MlirOperation op) {
    lower_renamed(l, op, map_broadcast, NULL);
}

// A dimension of extent 1 has no bits in a flat index.
void lower_expand_dims(struct lowering *l, MlirOperation op) {
    lower_renamed(l, op, map_same, NULL);
}

void lower_reshape(struct lowering *l, MlirOperation op) {
    const struct layout *result = lower_layout(l, mlirOperationGetResult(op, 0));
    const struct layout *operand = lower_layout(l, unary_source(op));
    uint32_t source[LAYOUT_MAX_BITS];
    if (operand && op_has(op, ATTR_ALLOW_REORDER) &&
        !rename_registers(result, operand, map_same, NULL, source) &&
        layout_registers(operand) == layout_registers(result) && lower_free_registers(operand) == 0 &&
        lower_free_threads(l, operand) == lower_free_threads(l, result)) {
        lower_bind(l, mlirOperationGetResult(op, 0), lower_values(l, unary_source(op)));
        return;
    }
    lower_renamed(l, op, map_same, NULL);
}

void lower_trans(struct lowering *l, MlirOperation op) {
    const int32_t *order;
    if (op_i32_array(op, ATTR_ORDER, &order, l->arena) < 0) {
        bug("trans without an order");
    }
    lower_renamed(l, op, map_trans, order);
}

void lower_join(struct lowering *l, MlirOperation op) {
    const struct layout *result = lower_layout(l, mlirOperationGetResult(op, 0));
    const struct layout *operand = lower_layout(l, binary_left(op));
    struct values *sides[] = {lower_values(l, binary_left(op)), lower_values(l, binary_right(op))},
                  *out = lower_result(l, op, 0);
    for (unsigned r = 0; r < out->count; r++) {
        uint32_t flat = layout_column(result, LAYOUT_REGISTER, r);
        int64_t source = operand ? register_of(operand, flat >> 1) : 0;
        if (source < 0) {
            bug("join: the operands' layout does not hold the result's elements in the same threads");
        }
        out->at[r] = sides[flat & 1]->at[source];
    }
}

void lower_split(struct lowering *l, MlirOperation op) {
    const struct layout *operand = lower_layout(l, unary_source(op));
    const struct layout *result = lower_layout(l, mlirOperationGetResult(op, 0));
    struct values *from = lower_values(l, unary_source(op));
    for (unsigned side = 0; side < 2; side++) {
        struct values *out = lower_result(l, op, side);
        for (unsigned r = 0; r < out->count; r++) {
            uint32_t flat = result ? layout_column(result, LAYOUT_REGISTER, r) : 0;
            int64_t source = register_of(operand, flat << 1 | side);
            if (source < 0) {
                bug("split: the two halves of a pair are not in the same thread");
            }
            out->at[r] = from->at[source];
        }
    }
}

// ---- facts and checks ----

void lower_hint(struct lowering *l, MlirOperation op) {
    lower_bind(l, mlirOperationGetResult(op, 0), lower_values(l, unary_source(op)));
}

// Passes have used the fact; the module says nothing.
void lower_assume(struct lowering *l, MlirOperation op) {
    (void)l;
    (void)op;
}

void lower_grid_wait(struct lowering *l, MlirOperation op) {
    (void)op;
    asm_call(l, ASM_GRID_WAIT, l->void_type, NULL, 0);
}

void lower_grid_trigger(struct lowering *l, MlirOperation op) {
    (void)op;
    asm_call(l, ASM_GRID_TRIGGER, l->void_type, NULL, 0);
}

void lower_barrier_op(struct lowering *l, MlirOperation op) {
    if (op_has(op, ATTR_EACH_WARP)) {
        lower_warp_barrier(l);
        return;
    }
    if (op_has(op, ATTR_PROXY)) {
        asm_call(l, ASM_FENCE_PROXY_ASYNC, l->void_type, NULL, 0);
    }
    lower_release_barrier(l, op_has(op, ATTR_SCOPE) ? op_memory_scope(op) : SCOPE_CTA);
}
