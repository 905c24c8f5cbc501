// Layouts of warpgroup dots (wgmma). B is read from shared memory, in one of the swizzled layouts of matrix
// descriptors; so is A, unless it is computed right before the dot.
//
// The load behind a shared operand fixes its contiguous dimension, because copies keep the order of global
// memory. 16-bit operands may be contiguous along either dimension, all others only along K. So a dot of
// elements of another width keeps the instructions of single warps if a loop loads an operand in the other
// order. A tile computed from a loaded one keeps the load's order if it may: it is stored as wide as it was
// read. All other tiles are stored with K contiguous.
#include "passes/layout/layouts.h"

#include "chip/registers.h"
#include "chip/tcgen05.h"
#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/layout/legal_dots.h"

bool layouts_is_shared(const struct layout *layout) {
    return layout->bits[LAYOUT_OFFSET] > 0;
}

// True for columns interleaved with others (numbers unpacked from words): a thread has neighbours along the last dimension.
static bool interleaves(struct layouts *l, MlirOperation op) {
    MlirOperation joined =
        op_kind(l->ir, op) == OP_RESHAPE ? value_op(unary_source(op)) : (MlirOperation){NULL};
    int rank = type_rank(mlirValueGetType(mlirOperationGetResult(op, 0)));
    return !mlirOperationIsNull(joined) && op_kind(l->ir, joined) == OP_JOIN &&
           type_rank(mlirValueGetType(mlirOperationGetResult(joined, 0))) == rank + 1;
}

// As layouts_load_behind, but also through elementwise ops on the loaded tile, or interleaved columns.
static MlirOperation tile_behind(struct layouts *l, MlirValue value, bool *transposed) {
    enum { STEPS = 64 };
    bool flipped = false;
    for (int i = 0; i < STEPS; i++) {
        MlirOperation load = layouts_load_behind(l, value, transposed), op = value_op(value), next = {NULL};
        *transposed ^= flipped;
        if (!mlirOperationIsNull(load) || mlirOperationIsNull(op)) {
            return load;
        }
        if (interleaves(l, op)) {
            *transposed = flipped;
            return op;
        }
        if (op_kind(l->ir, op) == OP_TRANS) {
            flipped = !flipped;
        } else if (!(op_traits(op_kind(l->ir, op)) & ELEMENTWISE)) {
            break;
        }
        for (intptr_t j = 0; j < mlirOperationGetNumOperands(op) && mlirOperationIsNull(next); j++) {
            MlirValue operand = mlirOperationGetOperand(op, j);
            bool tile = type_is_tensor(mlirValueGetType(operand)) && !mlirOperationIsNull(value_op(operand));
            enum op_kind kind = tile ? op_kind(l->ir, value_op(operand)) : OP_SPLAT;
            bool spread = kind == OP_SPLAT || kind == OP_BROADCAST || kind == OP_CONSTANT ||
                          kind == OP_EXPAND_DIMS || kind == OP_CMPI;
            next = spread ? next : value_op(operand);
            value = spread ? value : operand;
        }
        if (mlirOperationIsNull(next)) {
            break;
        }
    }
    return (MlirOperation){NULL};
}

// The contiguous dimension of an operand tile; `depth` (K) if no load decides.
static unsigned fastest_dimension(struct layouts *l, MlirValue operand, unsigned depth) {
    bool transposed;
    MlirOperation load = tile_behind(l, operand, &transposed);
    if (!mlirOperationIsNull(load) && op_kind(l->ir, load) != OP_LOAD) {
        return transposed ? 0 : 1;
    }
    const struct layout *access = mlirOperationIsNull(load) ? NULL : map_get(&l->accesses, load.ptr);
    if (!access) {
        return depth;
    }
    struct axis_info info = axis_of(&l->axis, load_pointer(load));
    int64_t first = info.contiguity[0], second = info.contiguity[1];
    if (first == second) {
        first = layout_contiguity(access, 0);
        second = layout_contiguity(access, 1);
    }
    unsigned fastest = first == second ? (transposed ? 1 - depth : depth) : first > second ? 0 : 1;
    return transposed ? 1 - fastest : fastest;
}

// True if the dot's result is only added to memory, and its left operand is a transposed computed tile (gradients of queries in
// attention's loop over them). The tile passes through shared memory anyway, as it changes threads, and stays there: its rows lie as
// threads have them.
static bool is_aside(struct layouts *l, MlirOperation dot) {
    MlirOperation left = value_op(mlirOperationGetOperand(dot, MMA_A));
    MlirValue result = mlirOperationGetResult(dot, 0);
    return !mlirOperationIsNull(left) && op_kind(l->ir, left) == OP_TRANS && value_has_one_use(result) &&
           op_kind(l->ir, mlirOpOperandGetOwner(mlirValueGetFirstUse(result))) == OP_ATOMIC_RMW &&
           type_bits(type_element(mlirValueGetType(mlirOperationGetOperand(dot, MMA_A)))) == 16 &&
           !target_has(l->context->target, FEATURE(TCGEN05));
}

static bool shared_operand(struct layouts *l, MlirOperation dot, int index, const struct mma *mma,
                           struct layout *layout) {
    MlirValue operand = mlirOperationGetOperand(dot, index);
    MlirType type = mlirValueGetType(operand);
    unsigned depth = index == MMA_A ? 1 : 0;
    unsigned fastest = index == MMA_A && is_aside(l, dot) ? 0 : fastest_dimension(l, operand, depth);
    int64_t shape[2] = {type_extent(type, 0), type_extent(type, 1)};
    unsigned bytes = mma_type_bits(mma->a) / 8;
    if (fastest != depth && bytes != 2) {
        bool transposed;
        MlirOperation load = layouts_load_behind(l, operand, &transposed);
        if (!mlirOperationIsNull(load) && op_kind(l->ir, mlirOperationGetParentOperation(load)) == OP_FOR) {
            return decline(l->context, load, REASON_WGMMA_ORDER);
        }
        fastest = depth;
    }
    return wgmma_shared_layout(shape, fastest, bytes, layout) ||
           decline(l->context, value_op(operand), REASON_WGMMA_OPERAND);
}

// Scales are copied from shared memory to tensor memory by the product's issuing thread.
static bool scale_operands(struct layouts *l, MlirOperation dot, struct dot_choice *choice) {
    for (int i = MMA_OPERANDS; i < mlirOperationGetNumOperands(dot); i++) {
        MlirType type = mlirValueGetType(mlirOperationGetOperand(dot, i));
        int64_t shape[] = {type_extent(type, 0), type_extent(type, 1)};
        if (!tcgen05_scale_layout(shape, &choice->operand[i])) {
            return decline(l->context, dot, REASON_TENSOR_SHAPE);
        }
    }
    return true;
}

// True if a thread has registers left beside its part of the accumulators. If not, ptxas serialises the
// instructions and waits for each (warning C7511).
static bool leaves_registers(struct layouts *l, MlirOperation dot, const struct layout *sums,
                             MlirType element) {
    unsigned taken = layout_registers(sums) * type_bits(element) / 32;
    unsigned there = registers_share(l->context->target, l->num_warps, 1);
    return taken + registers_reserved(RESERVE_WARPGROUP_SUMS) <= there ||
           decline_numbers(l->context, dot, REASON_WGMMA_REGISTERS, taken, there);
}

// Such an operand stays in registers, or in a chain goes to tensor memory.
bool layouts_is_computed_left(struct layouts *l, MlirOperation dot) {
    bool transposed;
    MlirValue a = mlirOperationGetOperand(dot, MMA_A);
    MlirOperation op = value_op(a);
    return !mlirOperationIsNull(op) && mlirOperationIsNull(layouts_load_behind(l, a, &transposed)) &&
           mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(dot)) && !is_aside(l, dot);
}

bool layouts_choose_warpgroup(struct layouts *l, MlirOperation dot, bool chained, struct dot_choice *choice) {
    const struct mma *mma = dot_warpgroup_instruction(l->context->target, dot, l->num_warps);
    MlirType a = mlirValueGetType(mlirOperationGetOperand(dot, MMA_A));
    MlirType c = mlirValueGetType(mlirOperationGetResult(dot, 0));
    bool tensor = target_has(l->context->target, FEATURE(TCGEN05));
    if (!mma) {
        return decline(l->context, dot, tensor ? REASON_TENSOR_SHAPE : REASON_WGMMA_SHAPE);
    }
    if (tensor && chained && !l->tensor_chain) {
        l->context->declined = l->unchained;
        return false;
    }
    if (tensor && !layouts_fits_tensor_memory(l, dot, mma, chained)) {
        return false;
    }
    if (!shared_operand(l, dot, MMA_B, mma, &choice->operand[MMA_B])) {
        return false;
    }
    int64_t m = type_extent(c, 0), n = type_extent(c, 1);
    choice->mma = mma;
    mma_warps_of_groups(mma, l->num_warps, m, &choice->warps_m, &choice->warps_n);
    choice->operand[MMA_C] = mma_layout(mma, MMA_C, 2, (int64_t[]){m, n}, choice->warps_m, choice->warps_n);
    if (!tensor && !leaves_registers(l, dot, &choice->operand[MMA_C], type_element(c))) {
        return false;
    }
    if (tensor && chained && layouts_is_computed_left(l, dot)) {
        choice->operand[MMA_A] =
            mma_layout(mma, MMA_C, 2, (int64_t[]){m, type_extent(a, 1)}, choice->warps_m, choice->warps_n);
        return layouts_left_in_tensor_memory(l, dot, mma);
    }
    if (tensor) {
        bool fits =
            shared_operand(l, dot, MMA_A, mma, &choice->operand[MMA_A]) && scale_operands(l, dot, choice);
        l->tensor_columns += fits && !chained ? (unsigned)(m / mma->m * n) + layouts_scale_columns(dot) : 0;
        return fits;
    }
    if (layouts_is_computed_left(l, dot)) {
        choice->operand[MMA_A] =
            mma_layout(mma, MMA_A, 2, (int64_t[]){m, type_extent(a, 1)}, choice->warps_m, choice->warps_n);
        layouts_order_rows(l, dot, choice);
        return true;
    }
    return shared_operand(l, dot, MMA_A, mma, &choice->operand[MMA_A]);
}

// ---- tiles that meet the results ----

static bool is_result_home(struct home home) {
    return home.rank == HOME_DOT && home.layout && wgmma_is_result(home.layout);
}

// The layout of the results joined with the value, if nothing else is done with it; null otherwise.
static const struct layout *met_results(struct layouts *l, MlirValue value, int depth) {
    enum { DEEPEST = 8 };
    const struct layout *found = NULL;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (!(op_traits(op_kind(l->ir, user)) & ELEMENTWISE) || mlirOperationGetNumResults(user) != 1 ||
            depth == DEEPEST) {
            return NULL;
        }
        MlirValue result = mlirOperationGetResult(user, 0);
        struct home home = layouts_home(l, result);
        const struct layout *met = is_result_home(home) ? home.layout : met_results(l, result, depth + 1);
        if (!met || (found && !layout_equal(found, met))) {
            return NULL;
        }
        found = met;
    }
    return found;
}

// A block that has products is a loop's whose loads run ahead.
bool layouts_multiplies(const struct layouts *l, MlirBlock block) {
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(l->ir, op) == OP_DOT) {
            return true;
        }
    }
    return false;
}

bool layouts_meet_results(struct layouts *l) {
    bool any = false;
    for (size_t i = 0; i < l->op_count && l->dots.count > 0; i++) {
        MlirOperation op = l->ops[i];
        if (op_kind(l->ir, op) != OP_LOAD || !map_get(&l->accesses, op.ptr) ||
            layouts_multiplies(l, mlirOperationGetBlock(op))) {
            continue;
        }
        const struct layout *met = met_results(l, mlirOperationGetResult(op, 0), 0);
        if (met && layout_same_shape(met, map_get(&l->accesses, op.ptr))) {
            map_put(&l->accesses, op.ptr, (void *)layouts_keep(l, met));
            any = true;
        }
    }
    return any;
}
